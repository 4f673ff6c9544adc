// Attention over splits of the keys to attention over all of them: the partial
// outputs, each weighed by 2^lse and divided by the sum of the weights, in
// bf16, heads of 128; 8 splits at a time, or 16, so that no load waits for the
// ones before. A split without keys has an lse of -inf and counts nothing;
// where all are such, the output is 0. any B, H and P (splits), zero included
// generated from decode.cpp
!Partial = !tile.tensor<[B, P, H, 128] x f32, shared>
!Lse = !tile.tensor<[B, P, H] x f32, shared>
!Y = !tile.tensor<[B, H, 128] x bf16, out>
!PartialTiles = !tile.partition<[_, 8, _, 128], [B, P, H, 128] x f32, shared>
!YTiles = !tile.partition<[_, _, 128], [B, H, 128] x bf16, out>
!LseTiles = !tile.partition<[_, 8, _], [B, P, H] x f32, shared>
!YPiece = !tile.piece<[_, _, 128] x bf16, out>
!PartialTiles_1 = !tile.partition<[_, 16, _, 128], [B, P, H, 128] x f32, shared>
!LseTiles_1 = !tile.partition<[_, 16, _], [B, P, H] x f32, shared>
tile.variants @attention_merge [@merge_of_splits_8_128 when (P <= 8), @merge_of_splits_16_128]
tile.kernel @merge_of_splits_8_128(%partial: !Partial, %lse: !Lse, %y: !Y) grid [H, B]
    hints {sm_90 = {early = 1, occupancy = 4, tma = 0}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c_1_0e30 = arith.constant -1.0e30 : f32
  %zero = arith.constant 0.0 : f32
  %zero_1 = arith.constant dense<0.0> : vector<128xf32>
  %c1_0e_30 = arith.constant 1.0e-30 : f32
  %one = arith.constant 1.0 : f32
  %h = tile.block_id 0
  %b = tile.block_id 1
  %partial_tiles = tile.partition %partial by [_, 8, _, 128] : !Partial
  %lse_tiles = tile.partition %lse by [_, 8, _] : !Lse
  %y_tiles = tile.partition %y by [_, _, 128] : !Y
  %n = tile.num_tiles %partial_tiles, 1 : !PartialTiles
  %out = tile.claim %y_tiles[%b, %h, %c0] : !YTiles
  %higher, %total, %acc = scf.for %p = %c0 to %n step %c1 iter_args(%higher = %c_1_0e30, %total = %zero, %acc = %zero_1) -> (f32, f32, vector<128xf32>) {
    %l = tile.load %lse_tiles[%b, %p, %h] pad(neg_inf) : !LseTiles
    %max = tile.reduce max %l, 0 : vector<8xf32>
    %higher_1 = arith.maximumf %higher, %max : f32
    %less = arith.subf %higher, %higher_1 : f32
    %before = math.exp2 %less : f32
    %product = arith.mulf %total, %before : f32
    %lanes = vector.broadcast %higher_1 : f32 to vector<8xf32>
    %less_1 = arith.subf %l, %lanes : vector<8xf32>
    %weight = math.exp2 %less_1 : vector<8xf32>
    %sum = tile.reduce add %weight, 0 : vector<8xf32>
    %total_1 = arith.addf %product, %sum : f32
    %lanes_1 = vector.broadcast %before : f32 to vector<128xf32>
    %product_1 = arith.mulf %acc, %lanes_1 : vector<128xf32>
    %x = tile.load %partial_tiles[%b, %p, %h, %c0] pad(zero) : !PartialTiles
    %shaped = vector.shape_cast %weight : vector<8xf32> to vector<8x1xf32>
    %lanes_2 = vector.broadcast %shaped : vector<8x1xf32> to vector<8x128xf32>
    %product_2 = arith.mulf %x, %lanes_2 : vector<8x128xf32>
    %sum_1 = tile.reduce add %product_2, 0 : vector<8x128xf32>
    %acc_1 = arith.addf %product_1, %sum_1 : vector<128xf32>
    scf.yield %higher_1, %total_1, %acc_1 : f32, f32, vector<128xf32>
  }
  %most = arith.maximumf %total, %c1_0e_30 : f32
  %quotient = arith.divf %one, %most : f32
  %lanes = vector.broadcast %quotient : f32 to vector<128xf32>
  %product = arith.mulf %acc, %lanes : vector<128xf32>
  %narrow = arith.truncf %product : vector<128xf32> to vector<128xbf16>
  tile.store %narrow, %out : !YPiece
}
tile.kernel @merge_of_splits_16_128(%partial: !Partial, %lse: !Lse, %y: !Y)
    grid [H, B] hints {sm_90 = {early = 1, occupancy = 4, tma = 0}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c_1_0e30 = arith.constant -1.0e30 : f32
  %zero = arith.constant 0.0 : f32
  %zero_1 = arith.constant dense<0.0> : vector<128xf32>
  %c1_0e_30 = arith.constant 1.0e-30 : f32
  %one = arith.constant 1.0 : f32
  %h = tile.block_id 0
  %b = tile.block_id 1
  %partial_tiles = tile.partition %partial by [_, 16, _, 128] : !Partial
  %lse_tiles = tile.partition %lse by [_, 16, _] : !Lse
  %y_tiles = tile.partition %y by [_, _, 128] : !Y
  %n = tile.num_tiles %partial_tiles, 1 : !PartialTiles_1
  %out = tile.claim %y_tiles[%b, %h, %c0] : !YTiles
  %higher, %total, %acc = scf.for %p = %c0 to %n step %c1 iter_args(%higher = %c_1_0e30, %total = %zero, %acc = %zero_1) -> (f32, f32, vector<128xf32>) {
    %l = tile.load %lse_tiles[%b, %p, %h] pad(neg_inf) : !LseTiles_1
    %max = tile.reduce max %l, 0 : vector<16xf32>
    %higher_1 = arith.maximumf %higher, %max : f32
    %less = arith.subf %higher, %higher_1 : f32
    %before = math.exp2 %less : f32
    %product = arith.mulf %total, %before : f32
    %lanes = vector.broadcast %higher_1 : f32 to vector<16xf32>
    %less_1 = arith.subf %l, %lanes : vector<16xf32>
    %weight = math.exp2 %less_1 : vector<16xf32>
    %sum = tile.reduce add %weight, 0 : vector<16xf32>
    %total_1 = arith.addf %product, %sum : f32
    %lanes_1 = vector.broadcast %before : f32 to vector<128xf32>
    %product_1 = arith.mulf %acc, %lanes_1 : vector<128xf32>
    %x = tile.load %partial_tiles[%b, %p, %h, %c0] pad(zero) : !PartialTiles_1
    %shaped = vector.shape_cast %weight : vector<16xf32> to vector<16x1xf32>
    %lanes_2 = vector.broadcast %shaped : vector<16x1xf32> to vector<16x128xf32>
    %product_2 = arith.mulf %x, %lanes_2 : vector<16x128xf32>
    %sum_1 = tile.reduce add %product_2, 0 : vector<16x128xf32>
    %acc_1 = arith.addf %product_1, %sum_1 : vector<128xf32>
    scf.yield %higher_1, %total_1, %acc_1 : f32, f32, vector<128xf32>
  }
  %most = arith.maximumf %total, %c1_0e_30 : f32
  %quotient = arith.divf %one, %most : f32
  %lanes = vector.broadcast %quotient : f32 to vector<128xf32>
  %product = arith.mulf %acc, %lanes : vector<128xf32>
  %narrow = arith.truncf %product : vector<128xf32> to vector<128xbf16>
  tile.store %narrow, %out : !YPiece
}
