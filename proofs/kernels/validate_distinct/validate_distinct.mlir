// Whether no two elements of a tensor are equal: block p leaves in found[p] the
// number of its first element that equals a later one, or else the largest
// number. Each tile is held against itself and all behind it; blocks share the
// tiles in turns, so that the time is that of N * N / 2 comparisons. A launcher
// asks it about contents on the device.
// any N and P, ragged included
// generated from validators.cpp
!T = !tile.tensor<[N] x i32, shared, align = 4>
!Found = !tile.tensor<[P] x i64, out>
!TTiles = !tile.partition<[32], [N] x i32, shared, align = 4>
!FoundTiles = !tile.partition<[_], [P] x i64, out>
!FoundPiece = !tile.piece<[_] x i64, out>
tile.kernel @validate_distinct(%t: !T, %found: !Found) grid [P] requires [P >= 1] {
  %c1 = arith.constant 1 : index
  %c9223372036854775807 = arith.constant dense<9223372036854775807> : vector<32x32xi64>
  %never = arith.constant dense<false> : vector<32x32xi1>
  %c32 = arith.constant 32 : i64
  %lane0 = tile.iota 0 : vector<32xi64>
  %p = tile.block_id 0
  %N = tile.symbol "N" : index
  %P = tile.symbol "P" : index
  %t_tiles = tile.partition %t by [32] : !T
  %found_tiles = tile.partition %found by [_] : !Found
  %n = tile.num_tiles %t_tiles, 0 : !TTiles
  %out = tile.claim %found_tiles[%p] : !FoundTiles
  %size = arith.index_cast %N : index to i64
  %lanes = vector.broadcast %size : i64 to vector<32xi64>
  %best = scf.for %k = %p to %n step %P iter_args(%best = %c9223372036854775807) -> (vector<32x32xi64>) {
    %tile = tile.load %t_tiles[%k] pad(zero) : !TTiles
    %a = vector.shape_cast %tile : vector<32xi32> to vector<32x1xi32>
    %lanes_1 = vector.broadcast %a : vector<32x1xi32> to vector<32x32xi32>
    %index = arith.index_cast %k : index to i64
    %product = arith.muli %index, %c32 : i64
    %lanes_2 = vector.broadcast %product : i64 to vector<32xi64>
    %sum = arith.addi %lanes_2, %lane0 : vector<32xi64>
    %shaped = vector.shape_cast %sum : vector<32xi64> to vector<32x1xi64>
    %lanes_3 = vector.broadcast %shaped : vector<32x1xi64> to vector<32x32xi64>
    %twice = scf.for %m = %k to %n step %c1 iter_args(%twice = %never) -> (vector<32x32xi1>) {
      %b = tile.load %t_tiles[%m] pad(zero) : !TTiles
      %lanes_4 = vector.broadcast %b : vector<32xi32> to vector<32x32xi32>
      %is = arith.cmpi eq, %lanes_1, %lanes_4 : vector<32x32xi32>
      %index_1 = arith.index_cast %m : index to i64
      %product_1 = arith.muli %index_1, %c32 : i64
      %lanes_5 = vector.broadcast %product_1 : i64 to vector<32xi64>
      %sum_1 = arith.addi %lanes_5, %lane0 : vector<32xi64>
      %lanes_6 = vector.broadcast %sum_1 : vector<32xi64> to vector<32x32xi64>
      %is_1 = arith.cmpi slt, %lanes_3, %lanes_6 : vector<32x32xi64>
      %pair = arith.andi %is, %is_1 : vector<32x32xi1>
      %is_2 = arith.cmpi slt, %sum_1, %lanes : vector<32xi64>
      %lanes_7 = vector.broadcast %is_2 : vector<32xi1> to vector<32x32xi1>
      %both = arith.andi %pair, %lanes_7 : vector<32x32xi1>
      %twice_1 = arith.ori %twice, %both : vector<32x32xi1>
      scf.yield %twice_1 : vector<32x32xi1>
    }
    %least = arith.minsi %lanes_3, %best : vector<32x32xi64>
    %best_1 = arith.select %twice, %least, %best : vector<32x32xi1>, vector<32x32xi64>
    scf.yield %best_1 : vector<32x32xi64>
  }
  %min = tile.reduce min %best, 1 : vector<32x32xi64>
  %min_1 = tile.reduce min %min, 0 : vector<32xi64>
  tile.store %min_1, %out : !FoundPiece
}
