// Whether all elements of a tensor are least..most: block p leaves in found[p]
// the number of its first element that is not, or else a number of N or more.
// Blocks share the tiles in turns. A launcher asks it about contents on the
// device.
// any N and P, ragged included
// generated from validators.cpp
!T = !tile.tensor<[N] x i64, shared, align = 8>
!Found = !tile.tensor<[P] x i64, out>
!TTiles = !tile.partition<[1024], [N] x i64, shared, align = 8>
!FoundTiles = !tile.partition<[_], [P] x i64, out>
!FoundPiece = !tile.piece<[_] x i64, out>
tile.kernel @validate_within_i64(%t: !T, %found: !Found)
    symbols [least : i64, most : i64] grid [P] requires [P >= 1] {
  %c9223372036854775807 = arith.constant dense<9223372036854775807> : vector<1024xi64>
  %c1024 = arith.constant 1024 : i64
  %lane0 = tile.iota 0 : vector<1024xi64>
  %p = tile.block_id 0
  %least = tile.symbol "least" : i64
  %most = tile.symbol "most" : i64
  %P = tile.symbol "P" : index
  %t_tiles = tile.partition %t by [1024] : !T
  %found_tiles = tile.partition %found by [_] : !Found
  %n = tile.num_tiles %t_tiles, 0 : !TTiles
  %out = tile.claim %found_tiles[%p] : !FoundTiles
  %lanes = vector.broadcast %least : i64 to vector<1024xi64>
  %lanes_1 = vector.broadcast %most : i64 to vector<1024xi64>
  %best = scf.for %k = %p to %n step %P iter_args(%best = %c9223372036854775807) -> (vector<1024xi64>) {
    %v = tile.load %t_tiles[%k] pad(zero) : !TTiles
    %is = arith.cmpi slt, %v, %lanes : vector<1024xi64>
    %is_1 = arith.cmpi sgt, %v, %lanes_1 : vector<1024xi64>
    %isBad = arith.ori %is, %is_1 : vector<1024xi1>
    %index = arith.index_cast %k : index to i64
    %product = arith.muli %index, %c1024 : i64
    %lanes_2 = vector.broadcast %product : i64 to vector<1024xi64>
    %sum = arith.addi %lanes_2, %lane0 : vector<1024xi64>
    %least_1 = arith.minsi %sum, %best : vector<1024xi64>
    %best_1 = arith.select %isBad, %least_1, %best : vector<1024xi1>, vector<1024xi64>
    scf.yield %best_1 : vector<1024xi64>
  }
  %min = tile.reduce min %best, 0 : vector<1024xi64>
  tile.store %min, %out : !FoundPiece
}
