// Attention over splits of the keys to attention over all of them: the partial
// outputs, each weighed by 2^lse and divided by the sum of the weights, in
// bf16, heads of 128. A split without keys has an lse of -inf and counts
// nothing; where all are such, the output is 0. any B, H and P (splits), zero
// included
// generated from decode.cpp
!Partial = !tile.tensor<[B, P, H, 128] x f32, shared>
!Lse = !tile.tensor<[B, P, H] x f32, shared>
!Y = !tile.tensor<[B, H, 128] x bf16, out>
!YTiles = !tile.partition<[_, 16, 128], [B, H, 128] x bf16, out>
!LseTiles = !tile.partition<[_, _, 16], [B, P, H] x f32, shared>
!PartialTiles = !tile.partition<[_, _, 16, 128], [B, P, H, 128] x f32, shared>
!YPiece = !tile.piece<[_, 16, 128] x bf16, out>
tile.kernel @attention_merge(%partial: !Partial, %lse: !Lse, %y: !Y)
    grid [B, ceildiv(H, 16)] hints {sm_90 = {occupancy = 8}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c_1_0e30 = arith.constant dense<-1.0e30> : vector<16xf32>
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %zero_1 = arith.constant dense<0.0> : vector<16x128xf32>
  %c1_0e_30 = arith.constant dense<1.0e-30> : vector<16xf32>
  %b = tile.block_id 0
  %h = tile.block_id 1
  %P = tile.symbol "P" : index
  %partial_tiles = tile.partition %partial by [_, _, 16, 128] : !Partial
  %lse_tiles = tile.partition %lse by [_, _, 16] : !Lse
  %y_tiles = tile.partition %y by [_, 16, 128] : !Y
  %out = tile.claim %y_tiles[%b, %h, %c0] : !YTiles
  %top = scf.for %p = %c0 to %P step %c1 iter_args(%top = %c_1_0e30) -> (vector<16xf32>) {
    %tile = tile.load %lse_tiles[%b, %p, %h] pad(neg_inf) : !LseTiles
    %top_1 = arith.maximumf %top, %tile : vector<16xf32>
    scf.yield %top_1 : vector<16xf32>
  }
  %total, %acc = scf.for %p = %c0 to %P step %c1 iter_args(%total = %zero, %acc = %zero_1) -> (vector<16xf32>, vector<16x128xf32>) {
    %l = tile.load %lse_tiles[%b, %p, %h] pad(neg_inf) : !LseTiles
    %less = arith.subf %l, %top : vector<16xf32>
    %weight = math.exp2 %less : vector<16xf32>
    %total_1 = arith.addf %total, %weight : vector<16xf32>
    %x = tile.load %partial_tiles[%b, %p, %h, %c0] pad(zero) : !PartialTiles
    %shaped = vector.shape_cast %weight : vector<16xf32> to vector<16x1xf32>
    %lanes = vector.broadcast %shaped : vector<16x1xf32> to vector<16x128xf32>
    %product = arith.mulf %x, %lanes : vector<16x128xf32>
    %acc_1 = arith.addf %acc, %product : vector<16x128xf32>
    scf.yield %total_1, %acc_1 : vector<16xf32>, vector<16x128xf32>
  }
  %most = arith.maximumf %total, %c1_0e_30 : vector<16xf32>
  %sums = vector.shape_cast %most : vector<16xf32> to vector<16x1xf32>
  %lanes = vector.broadcast %sums : vector<16x1xf32> to vector<16x128xf32>
  %quotient = arith.divf %acc, %lanes : vector<16x128xf32>
  %narrow = arith.truncf %quotient : vector<16x128xf32> to vector<16x128xbf16>
  tile.store %narrow, %out : !YPiece
}
