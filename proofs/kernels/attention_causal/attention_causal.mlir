// Causal attention over whole sequences, y[b, h] = softmax(scale q k^T, of the
// keys that are not behind the query) v, with a running maximum and sum (flash
// attention). Tiles of keys that every row of a block sees whole are taken
// without a mask; blocks with the most of them start first; in bf16, sums in
// f32, heads of 128, scale above 0
// any B, H and S, zero and ragged included
// generated from attention.cpp
!Q = !tile.tensor<[B, H, S, 128] x bf16, shared, strides [qb, qh, qs, 1]>
!K = !tile.tensor<[B, H, S, 128] x bf16, shared, strides [kb, kh, ks, 1]>
!V = !tile.tensor<[B, H, S, 128] x bf16, shared, strides [vb, vh, vs, 1]>
!Y = !tile.tensor<[B, H, S, 128] x bf16, out, strides [yb, yh, ys, 1]>
!YTiles = !tile.partition<[_, _, 64, 128], [B, H, S, 128] x bf16, out, strides [yb, yh, ys, 1]>
!QTiles = !tile.partition<[_, _, 64, 128], [B, H, S, 128] x bf16, shared, strides [qb, qh, qs, 1]>
!KTiles = !tile.partition<[_, _, 128, 128], [B, H, S, 128] x bf16, shared, strides [kb, kh, ks, 1]>
!VTiles = !tile.partition<[_, _, 128, 128], [B, H, S, 128] x bf16, shared, strides [vb, vh, vs, 1]>
!YPiece = !tile.piece<[_, _, 64, 128] x bf16, out>
tile.kernel @attention_causal(%q: !Q, %k: !K, %v: !V, %y: !Y, %scale: f32)
    symbols [qb : index, qh : index, qs : index, kb : index, kh : index, ks : index, vb : index, vh : index, vs : index, yb : index, yh : index, ys : index]
    grid [B, H, ceildiv(S, 64)] hints {sm_90 = {occupancy = 2, grain = 16}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c1_44269504 = arith.constant 1.44269504 : f32
  %c_1_0e30 = arith.constant dense<-1.0e30> : vector<64x1xf32>
  %zero = arith.constant dense<0.0> : vector<64x1xf32>
  %zero_1 = arith.constant dense<0.0> : vector<64x128xf32>
  %neg_infinity = arith.constant dense<0xFF800000> : vector<64x128xf32>
  %c1_0e_30 = arith.constant dense<1.0e-30> : vector<64x1xf32>
  %one = arith.constant dense<1.0> : vector<64x1xf32>
  %lane0 = tile.iota 0 : vector<64x128xi32>
  %lane1 = tile.iota 1 : vector<64x128xi32>
  %b = tile.block_id 0
  %h = tile.block_id 1
  %turn = tile.block_id 2
  %blocks = tile.grid_dim 2
  %q_tiles = tile.partition %q by [_, _, 64, 128] : !Q
  %k_tiles = tile.partition %k by [_, _, 128, 128] : !K
  %v_tiles = tile.partition %v by [_, _, 128, 128] : !V
  %y_tiles = tile.partition %y by [_, _, 64, 128] : !Y
  %less = arith.subi %blocks, %turn : index
  %i = arith.subi %less, %c1 : index
  %out = tile.claim %y_tiles[%b, %h, %i, %c0] : !YTiles
  %full = arith.divsi %i, %c2 : index
  %query = tile.load %q_tiles[%b, %h, %i, %c0] pad(zero) : !QTiles
  %factor = arith.mulf %scale, %c1_44269504 : f32
  %lanes = vector.broadcast %factor : f32 to vector<64x1xf32>
  %lanes_1 = vector.broadcast %factor : f32 to vector<64x128xf32>
  %top, %l, %acc = scf.for %j = %c0 to %full step %c1 iter_args(%top = %c_1_0e30, %l = %zero, %acc = %zero_1) -> (vector<64x1xf32>, vector<64x1xf32>, vector<64x128xf32>) {
    %keys = tile.load %k_tiles[%b, %h, %j, %c0] pad(zero) : !KTiles
    %turned = vector.transpose %keys, [1, 0] : vector<128x128xbf16> to vector<128x128xbf16>
    %product = tile.mma %query, %turned, %zero_1 : vector<64x128xbf16>, vector<128x128xbf16>, vector<64x128xf32>
    %max = tile.reduce max %product, 1 keep : vector<64x128xf32>
    %product_1 = arith.mulf %max, %lanes : vector<64x1xf32>
    %top_1 = arith.maximumf %top, %product_1 : vector<64x1xf32>
    %less_1 = arith.subf %top, %top_1 : vector<64x1xf32>
    %alpha = math.exp2 %less_1 fastmath<afn> : vector<64x1xf32>
    %product_2 = arith.mulf %l, %alpha : vector<64x1xf32>
    %minus = arith.negf %top_1 : vector<64x1xf32>
    %lanes_2 = vector.broadcast %minus : vector<64x1xf32> to vector<64x128xf32>
    %fma = math.fma %product, %lanes_1, %lanes_2 : vector<64x128xf32>
    %exp2 = math.exp2 %fma fastmath<afn> : vector<64x128xf32>
    %sum = tile.reduce add %exp2, 1 keep : vector<64x128xf32>
    %l_1 = arith.addf %product_2, %sum : vector<64x1xf32>
    %narrow = arith.truncf %exp2 : vector<64x128xf32> to vector<64x128xbf16>
    %tile = tile.load %v_tiles[%b, %h, %j, %c0] pad(zero) : !VTiles
    %lanes_3 = vector.broadcast %alpha : vector<64x1xf32> to vector<64x128xf32>
    %product_3 = arith.mulf %acc, %lanes_3 : vector<64x128xf32>
    %acc_1 = tile.mma %narrow, %tile, %product_3 : vector<64x128xbf16>, vector<128x128xbf16>, vector<64x128xf32>
    scf.yield %top_1, %l_1, %acc_1 : vector<64x1xf32>, vector<64x1xf32>, vector<64x128xf32>
  }
  %rest = arith.remsi %i, %c2 : index
  %product = arith.muli %rest, %c64 : index
  %ahead = arith.index_cast %product : index to i32
  %lanes_2 = vector.broadcast %ahead : i32 to vector<64x128xi32>
  %sum = arith.addi %lane0, %lanes_2 : vector<64x128xi32>
  %seen = arith.cmpi sle, %lane1, %sum : vector<64x128xi32>
  %keys = tile.load %k_tiles[%b, %h, %full, %c0] pad(zero) : !KTiles
  %turned = vector.transpose %keys, [1, 0] : vector<128x128xbf16> to vector<128x128xbf16>
  %product_1 = tile.mma %query, %turned, %zero_1 : vector<64x128xbf16>, vector<128x128xbf16>, vector<64x128xf32>
  %product_2 = arith.mulf %product_1, %lanes_1 : vector<64x128xf32>
  %chosen = arith.select %seen, %product_2, %neg_infinity : vector<64x128xi1>, vector<64x128xf32>
  %max = tile.reduce max %chosen, 1 keep : vector<64x128xf32>
  %top_1 = arith.maximumf %top, %max : vector<64x1xf32>
  %lanes_3 = vector.broadcast %top_1 : vector<64x1xf32> to vector<64x128xf32>
  %less_1 = arith.subf %chosen, %lanes_3 : vector<64x128xf32>
  %exp2 = math.exp2 %less_1 fastmath<afn> : vector<64x128xf32>
  %narrow = arith.truncf %exp2 : vector<64x128xf32> to vector<64x128xbf16>
  %tile = tile.load %v_tiles[%b, %h, %full, %c0] pad(zero) : !VTiles
  %less_2 = arith.subf %top, %top_1 : vector<64x1xf32>
  %alpha = math.exp2 %less_2 fastmath<afn> : vector<64x1xf32>
  %lanes_4 = vector.broadcast %alpha : vector<64x1xf32> to vector<64x128xf32>
  %product_3 = arith.mulf %acc, %lanes_4 : vector<64x128xf32>
  %acc_1 = tile.mma %narrow, %tile, %product_3 : vector<64x128xbf16>, vector<128x128xbf16>, vector<64x128xf32>
  %product_4 = arith.mulf %l, %alpha : vector<64x1xf32>
  %sum_1 = tile.reduce add %exp2, 1 keep : vector<64x128xf32>
  %l_1 = arith.addf %product_4, %sum_1 : vector<64x1xf32>
  %most = arith.maximumf %l_1, %c1_0e_30 : vector<64x1xf32>
  %quotient = arith.divf %one, %most : vector<64x1xf32>
  %lanes_5 = vector.broadcast %quotient : vector<64x1xf32> to vector<64x128xf32>
  %product_5 = arith.mulf %acc_1, %lanes_5 : vector<64x128xf32>
  %narrow_1 = arith.truncf %product_5 : vector<64x128xf32> to vector<64x128xbf16>
  tile.store %narrow_1, %out : !YPiece
}
