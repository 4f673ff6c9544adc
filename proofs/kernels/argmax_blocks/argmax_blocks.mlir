// The largest logit of each stretch of 4096 of a row, and the first index at
// which it stands: what argmax_reduce makes one token of. In bf16; of a stretch
// that has a NaN the maximum is NaN and the index V, which is none.
// any B and V up to 2^31 - 1, zero and ragged included; NB is ceildiv(V, 4096)
// generated from sampling.cpp
!Logits = !tile.tensor<[B, V] x bf16, shared>
!Max = !tile.tensor<[B, NB] x f32, out>
!Index = !tile.tensor<[B, NB] x i32, out>
!IndexTiles = !tile.partition<[_, _], [B, NB] x i32, out>
!MaxTiles = !tile.partition<[_, _], [B, NB] x f32, out>
!LogitsTiles = !tile.partition<[_, 4096], [B, V] x bf16, shared>
!MaxPiece = !tile.piece<[_, _] x f32, out>
!IndexPiece = !tile.piece<[_, _] x i32, out>
tile.kernel @argmax_blocks(%logits: !Logits, %max: !Max, %index: !Index) grid [B, NB]
    requires [NB == ceildiv(V, 4096), V <= 2147483647]
    hints {sm_90 = {early = 1, occupancy = 8}} {
  %c4096 = arith.constant 4096 : index
  %lane0 = tile.iota 0 : vector<4096xi32>
  %b = tile.block_id 0
  %j = tile.block_id 1
  %V = tile.symbol "V" : index
  %logits_tiles = tile.partition %logits by [_, 4096] : !Logits
  %max_tiles = tile.partition %max by [_, _] : !Max
  %index_tiles = tile.partition %index by [_, _] : !Index
  %outIndex = tile.claim %index_tiles[%b, %j] : !IndexTiles
  %outMax = tile.claim %max_tiles[%b, %j] : !MaxTiles
  %tile = tile.load %logits_tiles[%b, %j] pad(neg_inf) : !LogitsTiles
  %x = arith.extf %tile : vector<4096xbf16> to vector<4096xf32>
  %top = tile.reduce max %x, 0 : vector<4096xf32>
  tile.store %top, %outMax : !MaxPiece
  %lanes = vector.broadcast %top : f32 to vector<4096xf32>
  %is = arith.cmpf oeq, %x, %lanes : vector<4096xf32>
  %product = arith.muli %j, %c4096 : index
  %index_1 = arith.index_cast %product : index to i32
  %lanes_1 = vector.broadcast %index_1 : i32 to vector<4096xi32>
  %numbers = arith.addi %lanes_1, %lane0 : vector<4096xi32>
  %index_2 = arith.index_cast %V : index to i32
  %lanes_2 = vector.broadcast %index_2 : i32 to vector<4096xi32>
  %candidates = arith.select %is, %numbers, %lanes_2 : vector<4096xi1>, vector<4096xi32>
  %min = tile.reduce min %candidates, 0 : vector<4096xi32>
  tile.store %min, %outIndex : !IndexPiece
}
