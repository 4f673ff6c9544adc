// The same in one split, rounded: for sequences enough that they keep all
// multiprocessors busy; of no keys the mean is 0. Where there are more blocks
// than an H200 has multiprocessors, two share one.
// any B, G, M, N and R from 1 to 16, zero and ragged included; no length
// exceeds the M pages that the table has for a sequence
// generated from decode.cpp
!Q = !tile.tensor<[B, G, R, 128] x bf16, shared>
!K = !tile.tensor<[N, 64, G, 128] x bf16, shared>
!Table = !tile.tensor<[B, M] x i32, shared>
!Lengths = !tile.tensor<[B] x i32, shared>
!Y = !tile.tensor<[B, G, R, 128] x bf16, out>
!YTiles = !tile.partition<[_, _, 16, 128], [B, G, R, 128] x bf16, out>
!LengthsTiles = !tile.partition<[_], [B] x i32, shared>
!QTiles = !tile.partition<[_, _, 16, 128], [B, G, R, 128] x bf16, shared>
!TableTiles = !tile.partition<[_, _], [B, M] x i32, shared>
!KTiles = !tile.partition<[_, 64, _, 128], [N, 64, G, 128] x bf16, shared>
!KView = !tile.tensor<[N, ?, G, 128] x bf16, shared>
!KViewTiles = !tile.partition<[_, 64, _, 128], [N, ?, G, 128] x bf16, shared>
!YPiece = !tile.piece<[_, _, 16, 128] x bf16, out>
tile.variants @attention_decode_paged_whole [@paged_whole_16_64_128_1 when (G * B <= 132), @paged_whole_16_64_128_2]
tile.kernel @paged_whole_16_64_128_1(%q: !Q, %k: !K, %v: !K, %table: !Table, %lengths: !Lengths, %y: !Y, %scale: f32)
    grid [G, B] requires [R >= 1, R <= 16]
    given [within(%table, 0, N), within(%lengths, 0, 64 * M + 1)]
    hints {sm_90 = {occupancy = 2}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c1_44269504 = arith.constant 1.44269504 : f32
  %c_1_0e30 = arith.constant dense<-1.0e30> : vector<16x1xf32>
  %zero = arith.constant dense<0.0> : vector<16x1xf32>
  %zero_1 = arith.constant dense<0.0> : vector<16x128xf32>
  %zero_2 = arith.constant dense<0.0> : vector<16x64xf32>
  %neg_infinity = arith.constant dense<0xFF800000> : vector<16x64xf32>
  %c1_0e_30 = arith.constant dense<1.0e-30> : vector<16x1xf32>
  %one = arith.constant dense<1.0> : vector<16x1xf32>
  %lane1 = tile.iota 1 : vector<16x64xi32>
  %b0 = tile.block_id 0
  %b1 = tile.block_id 1
  %q_tiles = tile.partition %q by [_, _, 16, 128] : !Q
  %k_tiles = tile.partition %k by [_, 64, _, 128] : !K
  %v_tiles = tile.partition %v by [_, 64, _, 128] : !K
  %table_tiles = tile.partition %table by [_, _] : !Table
  %lengths_tiles = tile.partition %lengths by [_] : !Lengths
  %y_tiles = tile.partition %y by [_, _, 16, 128] : !Y
  %out = tile.claim %y_tiles[%b1, %b0, %c0, %c0] : !YTiles
  %tile = tile.load %lengths_tiles[%b1] : !LengthsTiles
  %length = arith.index_cast %tile : i32 to index
  %quotient = arith.ceildivsi %length, %c64 : index
  %quotient_1 = arith.divsi %length, %c64 : index
  %least = arith.minsi %quotient, %quotient_1 : index
  %full = arith.maxsi %c0, %least : index
  %query = tile.load %q_tiles[%b1, %b0, %c0, %c0] pad(zero) : !QTiles
  %factor = arith.mulf %scale, %c1_44269504 : f32
  %lanes = vector.broadcast %factor : f32 to vector<16x64xf32>
  %top, %l, %acc = scf.for %j = %c0 to %full step %c1 iter_args(%top = %c_1_0e30, %l = %zero, %acc = %zero_1) -> (vector<16x1xf32>, vector<16x1xf32>, vector<16x128xf32>) {
    %tile_1 = tile.load %table_tiles[%b1, %j] : !TableTiles
    %id = arith.index_cast %tile_1 : i32 to index
    %keys = tile.load %k_tiles[%id, %c0, %b0, %c0] pad(zero) : !KTiles
    %turned = vector.transpose %keys, [1, 0] : vector<64x128xbf16> to vector<128x64xbf16>
    %product = tile.mma %query, %turned, %zero_2 : vector<16x128xbf16>, vector<128x64xbf16>, vector<16x64xf32>
    %product_1 = arith.mulf %product, %lanes : vector<16x64xf32>
    %max = tile.reduce max %product_1, 1 keep : vector<16x64xf32>
    %top_1 = arith.maximumf %top, %max : vector<16x1xf32>
    %less = arith.subf %top, %top_1 : vector<16x1xf32>
    %alpha = math.exp2 %less fastmath<afn> : vector<16x1xf32>
    %product_2 = arith.mulf %l, %alpha : vector<16x1xf32>
    %lanes_1 = vector.broadcast %top_1 : vector<16x1xf32> to vector<16x64xf32>
    %less_1 = arith.subf %product_1, %lanes_1 : vector<16x64xf32>
    %exp2 = math.exp2 %less_1 fastmath<afn> : vector<16x64xf32>
    %sum = tile.reduce add %exp2, 1 keep : vector<16x64xf32>
    %l_1 = arith.addf %product_2, %sum : vector<16x1xf32>
    %narrow = arith.truncf %exp2 : vector<16x64xf32> to vector<16x64xbf16>
    %tile_2 = tile.load %v_tiles[%id, %c0, %b0, %c0] pad(zero) : !KTiles
    %lanes_2 = vector.broadcast %alpha : vector<16x1xf32> to vector<16x128xf32>
    %product_3 = arith.mulf %acc, %lanes_2 : vector<16x128xf32>
    %acc_1 = tile.mma %narrow, %tile_2, %product_3 : vector<16x64xbf16>, vector<64x128xbf16>, vector<16x128xf32>
    scf.yield %top_1, %l_1, %acc_1 : vector<16x1xf32>, vector<16x1xf32>, vector<16x128xf32>
  }
  %top_1, %l_1, %acc_1 = scf.for %j = %full to %quotient step %c1 iter_args(%top_1 = %top, %l_1 = %l, %acc_1 = %acc) -> (vector<16x1xf32>, vector<16x1xf32>, vector<16x128xf32>) {
    %product = arith.muli %j, %c64 : index
    %less = arith.subi %length, %product : index
    %some = arith.minsi %less, %c64 : index
    %index = arith.index_cast %some : index to i32
    %lanes_1 = vector.broadcast %index : i32 to vector<16x64xi32>
    %isThere = arith.cmpi slt, %lane1, %lanes_1 : vector<16x64xi32>
    %k_view = tile.view %k slice [0, 0, 0, 0] size [N, %some, G, 128] : !K
    %k_view_tiles = tile.partition %k_view by [_, 64, _, 128] : !KView
    %tile_1 = tile.load %table_tiles[%b1, %j] : !TableTiles
    %id = arith.index_cast %tile_1 : i32 to index
    %keys = tile.load %k_view_tiles[%id, %c0, %b0, %c0] pad(zero) : !KViewTiles
    %turned = vector.transpose %keys, [1, 0] : vector<64x128xbf16> to vector<128x64xbf16>
    %product_1 = tile.mma %query, %turned, %zero_2 : vector<16x128xbf16>, vector<128x64xbf16>, vector<16x64xf32>
    %scores = arith.mulf %product_1, %lanes : vector<16x64xf32>
    %chosen = arith.select %isThere, %scores, %neg_infinity : vector<16x64xi1>, vector<16x64xf32>
    %max = tile.reduce max %chosen, 1 keep : vector<16x64xf32>
    %top_2 = arith.maximumf %top_1, %max : vector<16x1xf32>
    %less_1 = arith.subf %top_1, %top_2 : vector<16x1xf32>
    %alpha = math.exp2 %less_1 fastmath<afn> : vector<16x1xf32>
    %product_2 = arith.mulf %l_1, %alpha : vector<16x1xf32>
    %lanes_2 = vector.broadcast %top_2 : vector<16x1xf32> to vector<16x64xf32>
    %less_2 = arith.subf %chosen, %lanes_2 : vector<16x64xf32>
    %exp2 = math.exp2 %less_2 fastmath<afn> : vector<16x64xf32>
    %sum = tile.reduce add %exp2, 1 keep : vector<16x64xf32>
    %l_2 = arith.addf %product_2, %sum : vector<16x1xf32>
    %narrow = arith.truncf %exp2 : vector<16x64xf32> to vector<16x64xbf16>
    %v_view = tile.view %v slice [0, 0, 0, 0] size [N, %some, G, 128] : !K
    %v_view_tiles = tile.partition %v_view by [_, 64, _, 128] : !KView
    %tile_2 = tile.load %v_view_tiles[%id, %c0, %b0, %c0] pad(zero) : !KViewTiles
    %lanes_3 = vector.broadcast %alpha : vector<16x1xf32> to vector<16x128xf32>
    %product_3 = arith.mulf %acc_1, %lanes_3 : vector<16x128xf32>
    %acc_2 = tile.mma %narrow, %tile_2, %product_3 : vector<16x64xbf16>, vector<64x128xbf16>, vector<16x128xf32>
    scf.yield %top_2, %l_2, %acc_2 : vector<16x1xf32>, vector<16x1xf32>, vector<16x128xf32>
  }
  %most = arith.maximumf %l_1, %c1_0e_30 : vector<16x1xf32>
  %quotient_2 = arith.divf %one, %most : vector<16x1xf32>
  %lanes_1 = vector.broadcast %quotient_2 : vector<16x1xf32> to vector<16x128xf32>
  %product = arith.mulf %acc_1, %lanes_1 : vector<16x128xf32>
  %narrow = arith.truncf %product : vector<16x128xf32> to vector<16x128xbf16>
  tile.store %narrow, %out : !YPiece
}
tile.kernel @paged_whole_16_64_128_2(%q: !Q, %k: !K, %v: !K, %table: !Table, %lengths: !Lengths, %y: !Y, %scale: f32)
    grid [G, B] requires [R >= 1, R <= 16]
    given [within(%table, 0, N), within(%lengths, 0, 64 * M + 1)]
    hints {sm_90 = {occupancy = 2, schedule = 0}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c1_44269504 = arith.constant 1.44269504 : f32
  %c_1_0e30 = arith.constant dense<-1.0e30> : vector<16x1xf32>
  %zero = arith.constant dense<0.0> : vector<16x1xf32>
  %zero_1 = arith.constant dense<0.0> : vector<16x128xf32>
  %zero_2 = arith.constant dense<0.0> : vector<16x64xf32>
  %neg_infinity = arith.constant dense<0xFF800000> : vector<16x64xf32>
  %c1_0e_30 = arith.constant dense<1.0e-30> : vector<16x1xf32>
  %one = arith.constant dense<1.0> : vector<16x1xf32>
  %lane1 = tile.iota 1 : vector<16x64xi32>
  %b0 = tile.block_id 0
  %b1 = tile.block_id 1
  %q_tiles = tile.partition %q by [_, _, 16, 128] : !Q
  %k_tiles = tile.partition %k by [_, 64, _, 128] : !K
  %v_tiles = tile.partition %v by [_, 64, _, 128] : !K
  %table_tiles = tile.partition %table by [_, _] : !Table
  %lengths_tiles = tile.partition %lengths by [_] : !Lengths
  %y_tiles = tile.partition %y by [_, _, 16, 128] : !Y
  %out = tile.claim %y_tiles[%b1, %b0, %c0, %c0] : !YTiles
  %tile = tile.load %lengths_tiles[%b1] : !LengthsTiles
  %length = arith.index_cast %tile : i32 to index
  %quotient = arith.ceildivsi %length, %c64 : index
  %quotient_1 = arith.divsi %length, %c64 : index
  %least = arith.minsi %quotient, %quotient_1 : index
  %full = arith.maxsi %c0, %least : index
  %query = tile.load %q_tiles[%b1, %b0, %c0, %c0] pad(zero) : !QTiles
  %factor = arith.mulf %scale, %c1_44269504 : f32
  %lanes = vector.broadcast %factor : f32 to vector<16x64xf32>
  %top, %l, %acc = scf.for %j = %c0 to %full step %c1 iter_args(%top = %c_1_0e30, %l = %zero, %acc = %zero_1) -> (vector<16x1xf32>, vector<16x1xf32>, vector<16x128xf32>) {
    %tile_1 = tile.load %table_tiles[%b1, %j] : !TableTiles
    %id = arith.index_cast %tile_1 : i32 to index
    %keys = tile.load %k_tiles[%id, %c0, %b0, %c0] pad(zero) : !KTiles
    %turned = vector.transpose %keys, [1, 0] : vector<64x128xbf16> to vector<128x64xbf16>
    %product = tile.mma %query, %turned, %zero_2 : vector<16x128xbf16>, vector<128x64xbf16>, vector<16x64xf32>
    %product_1 = arith.mulf %product, %lanes : vector<16x64xf32>
    %max = tile.reduce max %product_1, 1 keep : vector<16x64xf32>
    %top_1 = arith.maximumf %top, %max : vector<16x1xf32>
    %less = arith.subf %top, %top_1 : vector<16x1xf32>
    %alpha = math.exp2 %less fastmath<afn> : vector<16x1xf32>
    %product_2 = arith.mulf %l, %alpha : vector<16x1xf32>
    %lanes_1 = vector.broadcast %top_1 : vector<16x1xf32> to vector<16x64xf32>
    %less_1 = arith.subf %product_1, %lanes_1 : vector<16x64xf32>
    %exp2 = math.exp2 %less_1 fastmath<afn> : vector<16x64xf32>
    %sum = tile.reduce add %exp2, 1 keep : vector<16x64xf32>
    %l_1 = arith.addf %product_2, %sum : vector<16x1xf32>
    %narrow = arith.truncf %exp2 : vector<16x64xf32> to vector<16x64xbf16>
    %tile_2 = tile.load %v_tiles[%id, %c0, %b0, %c0] pad(zero) : !KTiles
    %lanes_2 = vector.broadcast %alpha : vector<16x1xf32> to vector<16x128xf32>
    %product_3 = arith.mulf %acc, %lanes_2 : vector<16x128xf32>
    %acc_1 = tile.mma %narrow, %tile_2, %product_3 : vector<16x64xbf16>, vector<64x128xbf16>, vector<16x128xf32>
    scf.yield %top_1, %l_1, %acc_1 : vector<16x1xf32>, vector<16x1xf32>, vector<16x128xf32>
  }
  %top_1, %l_1, %acc_1 = scf.for %j = %full to %quotient step %c1 iter_args(%top_1 = %top, %l_1 = %l, %acc_1 = %acc) -> (vector<16x1xf32>, vector<16x1xf32>, vector<16x128xf32>) {
    %product = arith.muli %j, %c64 : index
    %less = arith.subi %length, %product : index
    %some = arith.minsi %less, %c64 : index
    %index = arith.index_cast %some : index to i32
    %lanes_1 = vector.broadcast %index : i32 to vector<16x64xi32>
    %isThere = arith.cmpi slt, %lane1, %lanes_1 : vector<16x64xi32>
    %k_view = tile.view %k slice [0, 0, 0, 0] size [N, %some, G, 128] : !K
    %k_view_tiles = tile.partition %k_view by [_, 64, _, 128] : !KView
    %tile_1 = tile.load %table_tiles[%b1, %j] : !TableTiles
    %id = arith.index_cast %tile_1 : i32 to index
    %keys = tile.load %k_view_tiles[%id, %c0, %b0, %c0] pad(zero) : !KViewTiles
    %turned = vector.transpose %keys, [1, 0] : vector<64x128xbf16> to vector<128x64xbf16>
    %product_1 = tile.mma %query, %turned, %zero_2 : vector<16x128xbf16>, vector<128x64xbf16>, vector<16x64xf32>
    %scores = arith.mulf %product_1, %lanes : vector<16x64xf32>
    %chosen = arith.select %isThere, %scores, %neg_infinity : vector<16x64xi1>, vector<16x64xf32>
    %max = tile.reduce max %chosen, 1 keep : vector<16x64xf32>
    %top_2 = arith.maximumf %top_1, %max : vector<16x1xf32>
    %less_1 = arith.subf %top_1, %top_2 : vector<16x1xf32>
    %alpha = math.exp2 %less_1 fastmath<afn> : vector<16x1xf32>
    %product_2 = arith.mulf %l_1, %alpha : vector<16x1xf32>
    %lanes_2 = vector.broadcast %top_2 : vector<16x1xf32> to vector<16x64xf32>
    %less_2 = arith.subf %chosen, %lanes_2 : vector<16x64xf32>
    %exp2 = math.exp2 %less_2 fastmath<afn> : vector<16x64xf32>
    %sum = tile.reduce add %exp2, 1 keep : vector<16x64xf32>
    %l_2 = arith.addf %product_2, %sum : vector<16x1xf32>
    %narrow = arith.truncf %exp2 : vector<16x64xf32> to vector<16x64xbf16>
    %v_view = tile.view %v slice [0, 0, 0, 0] size [N, %some, G, 128] : !K
    %v_view_tiles = tile.partition %v_view by [_, 64, _, 128] : !KView
    %tile_2 = tile.load %v_view_tiles[%id, %c0, %b0, %c0] pad(zero) : !KViewTiles
    %lanes_3 = vector.broadcast %alpha : vector<16x1xf32> to vector<16x128xf32>
    %product_3 = arith.mulf %acc_1, %lanes_3 : vector<16x128xf32>
    %acc_2 = tile.mma %narrow, %tile_2, %product_3 : vector<16x64xbf16>, vector<64x128xbf16>, vector<16x128xf32>
    scf.yield %top_2, %l_2, %acc_2 : vector<16x1xf32>, vector<16x1xf32>, vector<16x128xf32>
  }
  %most = arith.maximumf %l_1, %c1_0e_30 : vector<16x1xf32>
  %quotient_2 = arith.divf %one, %most : vector<16x1xf32>
  %lanes_1 = vector.broadcast %quotient_2 : vector<16x1xf32> to vector<16x128xf32>
  %product = arith.mulf %acc_1, %lanes_1 : vector<16x128xf32>
  %narrow = arith.truncf %product : vector<16x128xf32> to vector<16x128xbf16>
  tile.store %narrow, %out : !YPiece
}
