// The head of a language model without its logits: of the products of each
// hidden state with 128 rows of the weights the largest, and the first row that
// has it. argmax_reduce makes one token of what is left. In bf16, sums in f32.
// More states at a time where there are more than 16, so that the weights are
// read once.
// any B, K and V up to 2^31 - 1, zero and ragged included; NB is ceildiv(V,
// 128)
// generated from sampling.cpp
!Weights = !tile.tensor<[V, K] x bf16, shared>
!Hidden = !tile.tensor<[B, K] x bf16, shared>
!Max = !tile.tensor<[B, NB] x f32, out>
!Index = !tile.tensor<[B, NB] x i32, out>
!WeightsTiles = !tile.partition<[128, 128], [V, K] x bf16, shared>
!MaxTiles = !tile.partition<[16, _], [B, NB] x f32, out>
!IndexTiles = !tile.partition<[16, _], [B, NB] x i32, out>
!HiddenTiles = !tile.partition<[16, 128], [B, K] x bf16, shared>
!MaxPiece = !tile.piece<[16, _] x f32, out>
!IndexPiece = !tile.piece<[16, _] x i32, out>
!MaxTiles_1 = !tile.partition<[64, _], [B, NB] x f32, out>
!IndexTiles_1 = !tile.partition<[64, _], [B, NB] x i32, out>
!HiddenTiles_1 = !tile.partition<[64, 128], [B, K] x bf16, shared>
!MaxPiece_1 = !tile.piece<[64, _] x f32, out>
!IndexPiece_1 = !tile.piece<[64, _] x i32, out>
tile.variants @lm_head_argmax [@head_argmax_16_128_128 when (B <= 16), @head_argmax_64_128_128]
tile.kernel @head_argmax_16_128_128(%weights: !Weights, %hidden: !Hidden, %max: !Max, %index: !Index)
    grid [NB, ceildiv(B, 16)] requires [NB == ceildiv(V, 128), V <= 2147483647]
    hints {sm_90 = {occupancy = 2}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant dense<0.0> : vector<16x128xf32>
  %neg_infinity = arith.constant dense<0xFF800000> : vector<16x128xf32>
  %lane1 = tile.iota 1 : vector<16x128xi32>
  %j = tile.block_id 0
  %i = tile.block_id 1
  %V = tile.symbol "V" : index
  %weights_tiles = tile.partition %weights by [128, 128] : !Weights
  %hidden_tiles = tile.partition %hidden by [16, 128] : !Hidden
  %max_tiles = tile.partition %max by [16, _] : !Max
  %index_tiles = tile.partition %index by [16, _] : !Index
  %n = tile.num_tiles %weights_tiles, 1 : !WeightsTiles
  %outMax = tile.claim %max_tiles[%i, %j] : !MaxTiles
  %outIndex = tile.claim %index_tiles[%i, %j] : !IndexTiles
  %logits = scf.for %k = %c0 to %n step %c1 iter_args(%logits = %zero) -> (vector<16x128xf32>) {
    %h = tile.load %hidden_tiles[%i, %k] pad(zero) : !HiddenTiles
    %w = tile.load %weights_tiles[%j, %k] pad(zero) : !WeightsTiles
    %turned = vector.transpose %w, [1, 0] : vector<128x128xbf16> to vector<128x128xbf16>
    %logits_1 = tile.mma %h, %turned, %logits : vector<16x128xbf16>, vector<128x128xbf16>, vector<16x128xf32>
    scf.yield %logits_1 : vector<16x128xf32>
  }
  %first = arith.muli %j, %c128 : index
  %less = arith.subi %V, %first : index
  %least = arith.minsi %less, %c128 : index
  %some = arith.index_cast %least : index to i32
  %lanes = vector.broadcast %some : i32 to vector<16x128xi32>
  %is = arith.cmpi slt, %lane1, %lanes : vector<16x128xi32>
  %x = arith.select %is, %logits, %neg_infinity : vector<16x128xi1>, vector<16x128xf32>
  %top = tile.reduce max %x, 1 keep : vector<16x128xf32>
  %shaped = vector.shape_cast %top : vector<16x1xf32> to vector<16xf32>
  tile.store %shaped, %outMax : !MaxPiece
  %lanes_1 = vector.broadcast %top : vector<16x1xf32> to vector<16x128xf32>
  %is_1 = arith.cmpf oeq, %x, %lanes_1 : vector<16x128xf32>
  %index_1 = arith.index_cast %first : index to i32
  %lanes_2 = vector.broadcast %index_1 : i32 to vector<16x128xi32>
  %numbers = arith.addi %lanes_2, %lane1 : vector<16x128xi32>
  %index_2 = arith.index_cast %V : index to i32
  %lanes_3 = vector.broadcast %index_2 : i32 to vector<16x128xi32>
  %candidates = arith.select %is_1, %numbers, %lanes_3 : vector<16x128xi1>, vector<16x128xi32>
  %min = tile.reduce min %candidates, 1 : vector<16x128xi32>
  tile.store %min, %outIndex : !IndexPiece
}
tile.kernel @head_argmax_64_128_128(%weights: !Weights, %hidden: !Hidden, %max: !Max, %index: !Index)
    grid [NB, ceildiv(B, 64)] requires [NB == ceildiv(V, 128), V <= 2147483647]
    hints {sm_90 = {occupancy = 2}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant dense<0.0> : vector<64x128xf32>
  %neg_infinity = arith.constant dense<0xFF800000> : vector<64x128xf32>
  %lane1 = tile.iota 1 : vector<64x128xi32>
  %j = tile.block_id 0
  %i = tile.block_id 1
  %V = tile.symbol "V" : index
  %weights_tiles = tile.partition %weights by [128, 128] : !Weights
  %hidden_tiles = tile.partition %hidden by [64, 128] : !Hidden
  %max_tiles = tile.partition %max by [64, _] : !Max
  %index_tiles = tile.partition %index by [64, _] : !Index
  %n = tile.num_tiles %weights_tiles, 1 : !WeightsTiles
  %outMax = tile.claim %max_tiles[%i, %j] : !MaxTiles_1
  %outIndex = tile.claim %index_tiles[%i, %j] : !IndexTiles_1
  %logits = scf.for %k = %c0 to %n step %c1 iter_args(%logits = %zero) -> (vector<64x128xf32>) {
    %h = tile.load %hidden_tiles[%i, %k] pad(zero) : !HiddenTiles_1
    %w = tile.load %weights_tiles[%j, %k] pad(zero) : !WeightsTiles
    %turned = vector.transpose %w, [1, 0] : vector<128x128xbf16> to vector<128x128xbf16>
    %logits_1 = tile.mma %h, %turned, %logits : vector<64x128xbf16>, vector<128x128xbf16>, vector<64x128xf32>
    scf.yield %logits_1 : vector<64x128xf32>
  }
  %first = arith.muli %j, %c128 : index
  %less = arith.subi %V, %first : index
  %least = arith.minsi %less, %c128 : index
  %some = arith.index_cast %least : index to i32
  %lanes = vector.broadcast %some : i32 to vector<64x128xi32>
  %is = arith.cmpi slt, %lane1, %lanes : vector<64x128xi32>
  %x = arith.select %is, %logits, %neg_infinity : vector<64x128xi1>, vector<64x128xf32>
  %top = tile.reduce max %x, 1 keep : vector<64x128xf32>
  %shaped = vector.shape_cast %top : vector<64x1xf32> to vector<64xf32>
  tile.store %shaped, %outMax : !MaxPiece_1
  %lanes_1 = vector.broadcast %top : vector<64x1xf32> to vector<64x128xf32>
  %is_1 = arith.cmpf oeq, %x, %lanes_1 : vector<64x128xf32>
  %index_1 = arith.index_cast %first : index to i32
  %lanes_2 = vector.broadcast %index_1 : i32 to vector<64x128xi32>
  %numbers = arith.addi %lanes_2, %lane1 : vector<64x128xi32>
  %index_2 = arith.index_cast %V : index to i32
  %lanes_3 = vector.broadcast %index_2 : i32 to vector<64x128xi32>
  %candidates = arith.select %is_1, %numbers, %lanes_3 : vector<64x128xi1>, vector<64x128xi32>
  %min = tile.reduce min %candidates, 1 : vector<64x128xi32>
  tile.store %min, %outIndex : !IndexPiece_1
}
