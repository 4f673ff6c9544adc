// Whether no element of a tensor is above the next one: block p leaves in
// found[p] the number of its first element that is, or else a number of N or
// more. Blocks share the tiles in turns. A launcher asks it about contents on
// the device.
// any N of at least 1 and any P, ragged included
// generated from validators.cpp
!T = !tile.tensor<[N] x i64, shared, align = 8>
!Found = !tile.tensor<[P] x i64, out>
!FoundTiles = !tile.partition<[_], [P] x i64, out>
!TView = !tile.tensor<[?] x i64, shared>
!TViewTiles = !tile.partition<[1024], [?] x i64, shared>
!FoundPiece = !tile.piece<[_] x i64, out>
tile.kernel @validate_sorted_i64(%t: !T, %found: !Found) grid [P]
    requires [N >= 1, P >= 1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9223372036854775807 = arith.constant dense<9223372036854775807> : vector<1024xi64>
  %c1024 = arith.constant 1024 : i64
  %lane0 = tile.iota 0 : vector<1024xi64>
  %p = tile.block_id 0
  %N = tile.symbol "N" : index
  %P = tile.symbol "P" : index
  %found_tiles = tile.partition %found by [_] : !Found
  %out = tile.claim %found_tiles[%p] : !FoundTiles
  %pairs = arith.subi %N, %c1 : index
  %head = tile.view %t slice [%c0] size [%pairs] : !T
  %t_view_tiles = tile.partition %head by [1024] : !TView
  %n = tile.num_tiles %t_view_tiles, 0 : !TViewTiles
  %tail = tile.view %t slice [%c1] size [%pairs] : !T
  %best = scf.for %k = %p to %n step %P iter_args(%best = %c9223372036854775807) -> (vector<1024xi64>) {
    %t_view_tiles_1 = tile.partition %head by [1024] : !TView
    %a = tile.load %t_view_tiles_1[%k] pad(zero) : !TViewTiles
    %t_view_tiles_2 = tile.partition %tail by [1024] : !TView
    %b = tile.load %t_view_tiles_2[%k] pad(zero) : !TViewTiles
    %is = arith.cmpi sgt, %a, %b : vector<1024xi64>
    %index = arith.index_cast %k : index to i64
    %product = arith.muli %index, %c1024 : i64
    %lanes = vector.broadcast %product : i64 to vector<1024xi64>
    %sum = arith.addi %lanes, %lane0 : vector<1024xi64>
    %least = arith.minsi %sum, %best : vector<1024xi64>
    %best_1 = arith.select %is, %least, %best : vector<1024xi1>, vector<1024xi64>
    scf.yield %best_1 : vector<1024xi64>
  }
  %min = tile.reduce min %best, 0 : vector<1024xi64>
  tile.store %min, %out : !FoundPiece
}
