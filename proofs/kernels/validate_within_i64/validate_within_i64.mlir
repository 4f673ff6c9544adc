// Whether all elements of a tensor are least..most: block p leaves in found[p] the
// number of its first element that is not, or else a number of N or more. Blocks
// share the tiles in turns. A launcher asks it about contents on the device.
// any N and P, ragged included
!T = !tile.tensor<[N] x i64, shared, align = 8>
!F = !tile.tensor<[P] x i64, out>
!PT = !tile.partition<[1024], [N] x i64, shared, align = 8>
!PF = !tile.partition<[_], [P] x i64, out>
!O = !tile.piece<[_] x i64, out>
tile.kernel @validate_within_i64(%t: !T, %found: !F) symbols [least : i64, most : i64]
    grid [P] requires [P >= 1] {
  %n1024 = arith.constant 1024 : i64
  %none = arith.constant dense<9223372036854775807> : vector<1024xi64>
  %lane = tile.iota 0 : vector<1024xi64>
  %p = tile.block_id 0
  %blocks = tile.symbol "P" : index
  %least = tile.symbol "least" : i64
  %most = tile.symbol "most" : i64
  %lows = vector.broadcast %least : i64 to vector<1024xi64>
  %highs = vector.broadcast %most : i64 to vector<1024xi64>
  %pt = tile.partition %t by [1024] : !T
  %pf = tile.partition %found by [_] : !F
  %out = tile.claim %pf[%p] : !PF
  %tiles = tile.num_tiles %pt, 0 : !PT
  %first = scf.for %k = %p to %tiles step %blocks iter_args(%best = %none) -> (vector<1024xi64>) {
    %v = tile.load %pt[%k] pad(zero) : !PT
    %k64 = arith.index_cast %k : index to i64
    %start = arith.muli %k64, %n1024 : i64
    %starts = vector.broadcast %start : i64 to vector<1024xi64>
    %number = arith.addi %starts, %lane : vector<1024xi64>
    %below = arith.cmpi slt, %v, %lows : vector<1024xi64>
    %above = arith.cmpi sgt, %v, %highs : vector<1024xi64>
    %bad = arith.ori %below, %above : vector<1024xi1>
    %seen = arith.minsi %number, %best : vector<1024xi64>
    %next = arith.select %bad, %seen, %best : vector<1024xi1>, vector<1024xi64>
    scf.yield %next : vector<1024xi64>
  }
  %least_number = tile.reduce min %first, 0 : vector<1024xi64>
  tile.store %least_number, %out : !O
}
