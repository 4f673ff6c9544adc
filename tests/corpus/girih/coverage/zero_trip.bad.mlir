// expect: REFUTED out.covered
// twin: zero_trip.good.mlir
// The only store is in a loop that may not run.
!X = !tile.tensor<[4] x f32, out>
!PX = !tile.partition<[4], [4] x f32, out>
!P = !tile.piece<[4] x f32, out>
tile.kernel @zero_trip(%x: !X) symbols [T : index] grid [1] {
  %v = arith.constant dense<1.0> : vector<4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %px = tile.partition %x by [4] : !X
  %t = tile.symbol "T" : index
  %out = tile.claim %px[%c0] : !PX
  scf.for %k = %c0 to %t step %c1 {
    tile.store %v, %out : !P
  }
}
