// expect: REFUTED out.covered
// twin: triangle.good.mlir
// The inner loop starts at 1 at the earliest: the last element stays.
!X = !tile.tensor<[N] x f32, out>
!PX = !tile.partition<[_], [N] x f32, out>
!P = !tile.piece<[_] x f32, out>
tile.kernel @triangle(%x: !X) grid [1] {
  %v = arith.constant 1.0 : f32
  %c1 = arith.constant 1 : index
  %px = tile.partition %x by [_] : !X
  %n = tile.num_tiles %px, 0 : !PX
  scf.for %a = %c1 to %n step %c1 {
    scf.for %b = %a to %n step %c1 {
      %d = arith.subi %b, %a : index
      %out = tile.claim %px[%d] : !PX
      tile.store %v, %out : !P
    }
  }
}
