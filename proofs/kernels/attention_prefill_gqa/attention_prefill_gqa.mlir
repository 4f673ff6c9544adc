// Causal attention of S new positions, from pos on, over a cache of keys and
// values that already holds them; R heads of the queries share one of the G
// heads of the cache. With a running maximum and sum; tiles of keys that every
// row of a block sees whole are taken without a mask; blocks with the most of
// them start first, those of one position together, so that heads share what
// they read; in bf16, sums in f32, heads of 128, scale above 0
// any S, H = G * R and T >= pos + S, zero and ragged included
// generated from prefill.cpp
!Q = !tile.tensor<[S, H, 128] x bf16, shared, strides [qs, qh, 1]>
!K = !tile.tensor<[G, T, 128] x bf16, shared, strides [ch, ct, 1]>
!Y = !tile.tensor<[S, H, 128] x bf16, out>
!YTiles = !tile.partition<[64, _, 128], [S, H, 128] x bf16, out>
!QTiles = !tile.partition<[64, _, 128], [S, H, 128] x bf16, shared, strides [qs, qh, 1]>
!KView = !tile.tensor<[G, ?, 128] x bf16, shared>
!KViewTiles = !tile.partition<[_, 128, 128], [G, ?, 128] x bf16, shared>
!YPiece = !tile.piece<[64, _, 128] x bf16, out>
tile.kernel @attention_prefill_gqa(%q: !Q, %k: !K, %v: !K, %y: !Y, %scale: f32)
    symbols [qs : index, qh : index, ch : index, ct : index, R : index, pos : index]
    grid [ceildiv(S, 64), H] requires [H == G * R, pos + S <= T]
    hints {sm_90 = {early = 1, occupancy = 2, grain = 16}} {
  %c_128 = arith.constant -128 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c1_44269504 = arith.constant 1.44269504 : f32
  %c_1_0e30 = arith.constant dense<-1.0e30> : vector<64x1xf32>
  %zero = arith.constant dense<0.0> : vector<64x1xf32>
  %zero_1 = arith.constant dense<0.0> : vector<64x128xf32>
  %neg_infinity = arith.constant dense<0xFF800000> : vector<64x128xf32>
  %c1_0e_30 = arith.constant dense<1.0e-30> : vector<64x1xf32>
  %one = arith.constant dense<1.0> : vector<64x1xf32>
  %lane0 = tile.iota 0 : vector<64x128xi32>
  %lane1 = tile.iota 1 : vector<64x128xi32>
  %turn = tile.block_id 0
  %h = tile.block_id 1
  %blocks = tile.grid_dim 0
  %pos = tile.symbol "pos" : index
  %S = tile.symbol "S" : index
  %R = tile.symbol "R" : index
  %q_tiles = tile.partition %q by [64, _, 128] : !Q
  %y_tiles = tile.partition %y by [64, _, 128] : !Y
  %less = arith.subi %blocks, %turn : index
  %i = arith.subi %less, %c1 : index
  %out = tile.claim %y_tiles[%i, %h, %c0] : !YTiles
  %product = arith.muli %i, %c64 : index
  %row0 = arith.addi %pos, %product : index
  %full = arith.divsi %row0, %c128 : index
  %sum = arith.addi %pos, %S : index
  %k_view = tile.view %k slice [0, 0, 0] size [G, %sum, 128] : !K
  %quotient = arith.divsi %h, %R : index
  %v_view = tile.view %v slice [0, 0, 0] size [G, %sum, 128] : !K
  %query = tile.load %q_tiles[%i, %h, %c0] pad(zero) : !QTiles
  %factor = arith.mulf %scale, %c1_44269504 : f32
  %lanes = vector.broadcast %factor : f32 to vector<64x1xf32>
  %lanes_1 = vector.broadcast %factor : f32 to vector<64x128xf32>
  %top, %l, %acc = scf.for %j = %c0 to %full step %c1 iter_args(%top = %c_1_0e30, %l = %zero, %acc = %zero_1) -> (vector<64x1xf32>, vector<64x1xf32>, vector<64x128xf32>) {
    %k_view_tiles = tile.partition %k_view by [_, 128, 128] : !KView
    %tile = tile.load %k_view_tiles[%quotient, %j, %c0] pad(zero) : !KViewTiles
    %turned = vector.transpose %tile, [1, 0] : vector<128x128xbf16> to vector<128x128xbf16>
    %product_1 = tile.mma %query, %turned, %zero_1 : vector<64x128xbf16>, vector<128x128xbf16>, vector<64x128xf32>
    %max = tile.reduce max %product_1, 1 keep : vector<64x128xf32>
    %product_2 = arith.mulf %max, %lanes : vector<64x1xf32>
    %top_1 = arith.maximumf %top, %product_2 : vector<64x1xf32>
    %less_1 = arith.subf %top, %top_1 : vector<64x1xf32>
    %alpha = math.exp2 %less_1 fastmath<afn> : vector<64x1xf32>
    %product_3 = arith.mulf %l, %alpha : vector<64x1xf32>
    %minus = arith.negf %top_1 : vector<64x1xf32>
    %lanes_2 = vector.broadcast %minus : vector<64x1xf32> to vector<64x128xf32>
    %fma = math.fma %product_1, %lanes_1, %lanes_2 : vector<64x128xf32>
    %exp2 = math.exp2 %fma fastmath<afn> : vector<64x128xf32>
    %sum_1 = tile.reduce add %exp2, 1 keep : vector<64x128xf32>
    %l_1 = arith.addf %product_3, %sum_1 : vector<64x1xf32>
    %narrow = arith.truncf %exp2 : vector<64x128xf32> to vector<64x128xbf16>
    %v_view_tiles = tile.partition %v_view by [_, 128, 128] : !KView
    %tile_1 = tile.load %v_view_tiles[%quotient, %j, %c0] pad(zero) : !KViewTiles
    %lanes_3 = vector.broadcast %alpha : vector<64x1xf32> to vector<64x128xf32>
    %product_4 = arith.mulf %acc, %lanes_3 : vector<64x128xf32>
    %acc_1 = tile.mma %narrow, %tile_1, %product_4 : vector<64x128xbf16>, vector<128x128xbf16>, vector<64x128xf32>
    scf.yield %top_1, %l_1, %acc_1 : vector<64x1xf32>, vector<64x1xf32>, vector<64x128xf32>
  }
  %sum_1 = arith.addi %row0, %c64 : index
  %last = arith.minsi %sum_1, %sum : index
  %n = arith.ceildivsi %last, %c128 : index
  %top_1, %l_1, %acc_1 = scf.for %j = %full to %n step %c1 iter_args(%top_1 = %top, %l_1 = %l, %acc_1 = %acc) -> (vector<64x1xf32>, vector<64x1xf32>, vector<64x128xf32>) {
    %product_1 = arith.muli %j, %c128 : index
    %less_1 = arith.subi %row0, %product_1 : index
    %most = arith.maxsi %less_1, %c_128 : index
    %least = arith.minsi %most, %c128 : index
    %d = arith.index_cast %least : index to i32
    %lanes_2 = vector.broadcast %d : i32 to vector<64x128xi32>
    %sum_2 = arith.addi %lane0, %lanes_2 : vector<64x128xi32>
    %is = arith.cmpi sle, %lane1, %sum_2 : vector<64x128xi32>
    %k_view_tiles = tile.partition %k_view by [_, 128, 128] : !KView
    %tile = tile.load %k_view_tiles[%quotient, %j, %c0] pad(zero) : !KViewTiles
    %turned = vector.transpose %tile, [1, 0] : vector<128x128xbf16> to vector<128x128xbf16>
    %product_2 = tile.mma %query, %turned, %zero_1 : vector<64x128xbf16>, vector<128x128xbf16>, vector<64x128xf32>
    %product_3 = arith.mulf %product_2, %lanes_1 : vector<64x128xf32>
    %chosen = arith.select %is, %product_3, %neg_infinity : vector<64x128xi1>, vector<64x128xf32>
    %max = tile.reduce max %chosen, 1 keep : vector<64x128xf32>
    %top_2 = arith.maximumf %top_1, %max : vector<64x1xf32>
    %less_2 = arith.subf %top_1, %top_2 : vector<64x1xf32>
    %alpha = math.exp2 %less_2 fastmath<afn> : vector<64x1xf32>
    %product_4 = arith.mulf %l_1, %alpha : vector<64x1xf32>
    %lanes_3 = vector.broadcast %top_2 : vector<64x1xf32> to vector<64x128xf32>
    %less_3 = arith.subf %chosen, %lanes_3 : vector<64x128xf32>
    %exp2 = math.exp2 %less_3 fastmath<afn> : vector<64x128xf32>
    %sum_3 = tile.reduce add %exp2, 1 keep : vector<64x128xf32>
    %l_2 = arith.addf %product_4, %sum_3 : vector<64x1xf32>
    %narrow = arith.truncf %exp2 : vector<64x128xf32> to vector<64x128xbf16>
    %v_view_tiles = tile.partition %v_view by [_, 128, 128] : !KView
    %tile_1 = tile.load %v_view_tiles[%quotient, %j, %c0] pad(zero) : !KViewTiles
    %lanes_4 = vector.broadcast %alpha : vector<64x1xf32> to vector<64x128xf32>
    %product_5 = arith.mulf %acc_1, %lanes_4 : vector<64x128xf32>
    %acc_2 = tile.mma %narrow, %tile_1, %product_5 : vector<64x128xbf16>, vector<128x128xbf16>, vector<64x128xf32>
    scf.yield %top_2, %l_2, %acc_2 : vector<64x1xf32>, vector<64x1xf32>, vector<64x128xf32>
  }
  %most = arith.maximumf %l_1, %c1_0e_30 : vector<64x1xf32>
  %quotient_1 = arith.divf %one, %most : vector<64x1xf32>
  %lanes_2 = vector.broadcast %quotient_1 : vector<64x1xf32> to vector<64x128xf32>
  %product_1 = arith.mulf %acc_1, %lanes_2 : vector<64x128xf32>
  %narrow = arith.truncf %product_1 : vector<64x128xf32> to vector<64x128xbf16>
  tile.store %narrow, %out : !YPiece
}
