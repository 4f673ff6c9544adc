// expect: VERIFIED
// Both branches write, on a comparison of floats and one of integers together.
!X = !tile.tensor<[N] x f32, shared>
!C = !tile.tensor<[N] x f32, out>
!PX = !tile.partition<[_], [N] x f32, shared>
!PC = !tile.partition<[_], [N] x f32, out>
!P = !tile.piece<[_] x f32, out>
tile.kernel @clip(%x: !X, %c: !C, %most: f32) grid [N] {
  %c3 = arith.constant 3 : index
  %i = tile.block_id 0
  %px = tile.partition %x by [_] : !X
  %pc = tile.partition %c by [_] : !C
  %v = tile.load %px[%i] : !PX
  %out = tile.claim %pc[%i] : !PC
  %more = arith.cmpf ogt, %v, %most : f32
  %late = arith.cmpi sge, %i, %c3 : index
  %both = arith.andi %more, %late : i1
  scf.if %both {
    tile.store %most, %out : !P
  } else {
    tile.store %v, %out : !P
  }
}
