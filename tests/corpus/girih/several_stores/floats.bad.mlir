// expect: REFUTED out.covered
// twin: floats.good.mlir
// One branch leaves the first element out.
!X = !tile.tensor<[N] x f32, shared>
!C = !tile.tensor<[N] x f32, out>
!PX = !tile.partition<[_], [N] x f32, shared>
!PC = !tile.partition<[_], [N] x f32, out>
!P = !tile.piece<[_] x f32, out>
tile.kernel @clip(%x: !X, %c: !C, %most: f32) grid [N] {
  %c0 = arith.constant 0 : index
  %i = tile.block_id 0
  %first = arith.cmpi eq, %i, %c0 : index
  %px = tile.partition %x by [_] : !X
  %pc = tile.partition %c by [_] : !C
  %v = tile.load %px[%i] : !PX
  %out = tile.claim %pc[%i] : !PC
  %more = arith.cmpf ogt, %v, %most : f32
  scf.if %more {
    tile.store %most, %out : !P
  } else {
    scf.if %first {
    } else {
      tile.store %v, %out : !P
    }
  }
}
