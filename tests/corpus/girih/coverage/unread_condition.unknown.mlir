// expect: UNKNOWN out.covered
// twin: unread_condition.good.mlir
// The condition is always true, but a comparison of floats is not followed.
!X = !tile.tensor<[N] x f32, shared>
!C = !tile.tensor<[N] x f32, out>
!PX = !tile.partition<[_], [N] x f32, shared>
!PC = !tile.partition<[_], [N] x f32, out>
!P = !tile.piece<[_] x f32, out>
tile.kernel @unread_condition(%x: !X, %c: !C) grid [N] {
  %i = tile.block_id 0
  %px = tile.partition %x by [_] : !X
  %pc = tile.partition %c by [_] : !C
  %v = tile.load %px[%i] : !PX
  %out = tile.claim %pc[%i] : !PC
  %same = arith.cmpf ueq, %v, %v : f32
  scf.if %same {
    tile.store %v, %out : !P
  }
}
