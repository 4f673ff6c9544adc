// expect: VERIFIED
// Both branches write, whatever a comparison of floats says.
!X = !tile.tensor<[N] x f32, shared>
!C = !tile.tensor<[N] x f32, out>
!PX = !tile.partition<[_], [N] x f32, shared>
!PC = !tile.partition<[_], [N] x f32, out>
!P = !tile.piece<[_] x f32, out>
tile.kernel @clip(%x: !X, %c: !C, %most: f32) grid [N] {
  %i = tile.block_id 0
  %px = tile.partition %x by [_] : !X
  %pc = tile.partition %c by [_] : !C
  %v = tile.load %px[%i] : !PX
  %out = tile.claim %pc[%i] : !PC
  %more = arith.cmpf ogt, %v, %most : f32
  scf.if %more {
    tile.store %most, %out : !P
  } else {
    tile.store %v, %out : !P
  }
}
