// y[i] = the first place in the sorted table s whose number is not below x[i],
// N if there is none
// any N and M, zero included; each trip halves what is left of the table
// generated from search.cpp
!S = !tile.tensor<[N] x i32, shared>
!X = !tile.tensor<[M] x i32, shared>
!Y = !tile.tensor<[M] x i64, out>
!YTiles = !tile.partition<[_], [M] x i64, out>
!XTiles = !tile.partition<[_], [M] x i32, shared>
!STiles = !tile.partition<[_], [N] x i32, shared>
!YPiece = !tile.piece<[_] x i64, out>
tile.kernel @searchsorted(%s: !S, %x: !X, %y: !Y) grid [M] given [sorted(%s)] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i = tile.block_id 0
  %N = tile.symbol "N" : index
  %s_tiles = tile.partition %s by [_] : !S
  %x_tiles = tile.partition %x by [_] : !X
  %y_tiles = tile.partition %y by [_] : !Y
  %out = tile.claim %y_tiles[%i] : !YTiles
  %v = tile.load %x_tiles[%i] : !XTiles
  %lo, %hi = scf.while (%lo = %c0, %hi = %N) : (index, index) -> (index, index) {
    %is = arith.cmpi sge, %lo, %c0 : index
    tile.invariant %is, "the range begins in the table" : i1
    %is_1 = arith.cmpi sle, %lo, %hi : index
    tile.invariant %is_1, "the range is not turned round" : i1
    %is_2 = arith.cmpi sle, %hi, %N : index
    tile.invariant %is_2, "the range ends with the table" : i1
    %is_3 = arith.cmpi slt, %lo, %hi : index
    %less = arith.subi %hi, %lo : index
    tile.measure %less : index
    scf.condition(%is_3) %lo, %hi : index, index
  } do {
  ^bb0(%lo: index, %hi: index):
    %less = arith.subi %hi, %lo : index
    %quotient = arith.divsi %less, %c2 : index
    %mid = arith.addi %lo, %quotient : index
    %tile = tile.load %s_tiles[%mid] : !STiles
    %below = arith.cmpi slt, %tile, %v : i32
    %sum = arith.addi %mid, %c1 : index
    %lo_1 = arith.select %below, %sum, %lo : index
    %hi_1 = arith.select %below, %hi, %mid : index
    scf.yield %lo_1, %hi_1 : index, index
  }
  %index = arith.index_cast %lo : index to i64
  tile.store %index, %out : !YPiece
}
