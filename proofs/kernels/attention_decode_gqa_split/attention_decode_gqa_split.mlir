// As attention_decode_gqa, in splits: the tiles of keys are dealt to P splits,
// each of which leaves its mean and the logarithm (base 2) of its weight for
// attention_merge; a split without keys leaves 0 and -inf; in bf16, sums in
// f32, heads of 128 any B, G, R from 1 to 16 and T >= L, zero and ragged
// included
// generated from decode.cpp
!Q = !tile.tensor<[B, G, R, 128] x bf16, shared>
!K = !tile.tensor<[B, G, T, 128] x bf16, shared>
!Partial = !tile.tensor<[B, P, G, R, 128] x f32, out>
!Lse = !tile.tensor<[B, P, G, R] x f32, out>
!PartialTiles = !tile.partition<[_, _, _, 16, 128], [B, P, G, R, 128] x f32, out>
!LseTiles = !tile.partition<[_, _, _, 16], [B, P, G, R] x f32, out>
!QTiles = !tile.partition<[_, _, 16, 128], [B, G, R, 128] x bf16, shared>
!KView = !tile.tensor<[B, G, ?, 128] x bf16, shared>
!KViewTiles = !tile.partition<[_, _, 256, 128], [B, G, ?, 128] x bf16, shared>
!PartialPiece = !tile.piece<[_, _, _, 16, 128] x f32, out>
!LsePiece = !tile.piece<[_, _, _, 16] x f32, out>
tile.kernel @attention_decode_gqa_split(%q: !Q, %k: !K, %v: !K, %partial: !Partial, %lse: !Lse, %scale: f32)
    symbols [L : index] grid [P, G, B] requires [R >= 1, R <= 16, L <= T]
    hints {sm_90 = {early = 1, worker_warps = 8, occupancy = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %c1_44269504 = arith.constant 1.44269504 : f32
  %c_1_0e30 = arith.constant dense<-1.0e30> : vector<1x16xf32>
  %zero = arith.constant dense<0.0> : vector<1x16xf32>
  %zero_1 = arith.constant dense<0.0> : vector<128x16xf32>
  %zero_2 = arith.constant dense<0.0> : vector<256x16xf32>
  %neg_infinity = arith.constant dense<0xFF800000> : vector<256x16xf32>
  %c1_0e_30 = arith.constant dense<1.0e-30> : vector<1x16xf32>
  %one = arith.constant dense<1.0> : vector<1x16xf32>
  %lane0 = tile.iota 0 : vector<256x16xi32>
  %p = tile.block_id 0
  %g = tile.block_id 1
  %b = tile.block_id 2
  %L = tile.symbol "L" : index
  %P = tile.symbol "P" : index
  %q_tiles = tile.partition %q by [_, _, 16, 128] : !Q
  %partial_tiles = tile.partition %partial by [_, _, _, 16, 128] : !Partial
  %lse_tiles = tile.partition %lse by [_, _, _, 16] : !Lse
  %out = tile.claim %partial_tiles[%b, %p, %g, %c0, %c0] : !PartialTiles
  %outLse = tile.claim %lse_tiles[%b, %p, %g, %c0] : !LseTiles
  %tiles = arith.ceildivsi %L, %c256 : index
  %share = arith.ceildivsi %tiles, %P : index
  %from = arith.muli %p, %share : index
  %sum = arith.addi %from, %share : index
  %end = arith.minsi %sum, %tiles : index
  %k_view = tile.view %k slice [0, 0, 0, 0] size [B, G, %L, 128] : !K
  %v_view = tile.view %v slice [0, 0, 0, 0] size [B, G, %L, 128] : !K
  %query = tile.load %q_tiles[%b, %g, %c0, %c0] pad(zero) : !QTiles
  %queries = vector.transpose %query, [1, 0] : vector<16x128xbf16> to vector<128x16xbf16>
  %factor = arith.mulf %scale, %c1_44269504 : f32
  %lanes = vector.broadcast %factor : f32 to vector<256x16xf32>
  %top, %l, %acc = scf.for %j = %from to %end step %c1 iter_args(%top = %c_1_0e30, %l = %zero, %acc = %zero_1) -> (vector<1x16xf32>, vector<1x16xf32>, vector<128x16xf32>) {
    %product = arith.muli %j, %c256 : index
    %less = arith.subi %L, %product : index
    %least = arith.minsi %less, %c256 : index
    %index = arith.index_cast %least : index to i32
    %lanes_1 = vector.broadcast %index : i32 to vector<256x16xi32>
    %isThere = arith.cmpi slt, %lane0, %lanes_1 : vector<256x16xi32>
    %k_view_tiles = tile.partition %k_view by [_, _, 256, 128] : !KView
    %keys = tile.load %k_view_tiles[%b, %g, %j, %c0] pad(zero) : !KViewTiles
    %product_1 = tile.mma %keys, %queries, %zero_2 : vector<256x128xbf16>, vector<128x16xbf16>, vector<256x16xf32>
    %scores = arith.mulf %product_1, %lanes : vector<256x16xf32>
    %chosen = arith.select %isThere, %scores, %neg_infinity : vector<256x16xi1>, vector<256x16xf32>
    %max = tile.reduce max %chosen, 0 keep : vector<256x16xf32>
    %top_1 = arith.maximumf %top, %max : vector<1x16xf32>
    %less_1 = arith.subf %top, %top_1 : vector<1x16xf32>
    %alpha = math.exp2 %less_1 fastmath<afn> : vector<1x16xf32>
    %product_2 = arith.mulf %l, %alpha : vector<1x16xf32>
    %lanes_2 = vector.broadcast %top_1 : vector<1x16xf32> to vector<256x16xf32>
    %less_2 = arith.subf %chosen, %lanes_2 : vector<256x16xf32>
    %e = math.exp2 %less_2 fastmath<afn> : vector<256x16xf32>
    %sum_1 = tile.reduce add %e, 0 keep : vector<256x16xf32>
    %l_1 = arith.addf %product_2, %sum_1 : vector<1x16xf32>
    %v_view_tiles = tile.partition %v_view by [_, _, 256, 128] : !KView
    %tile = tile.load %v_view_tiles[%b, %g, %j, %c0] pad(zero) : !KViewTiles
    %turned = vector.transpose %tile, [1, 0] : vector<256x128xbf16> to vector<128x256xbf16>
    %narrow = arith.truncf %e : vector<256x16xf32> to vector<256x16xbf16>
    %lanes_3 = vector.broadcast %alpha : vector<1x16xf32> to vector<128x16xf32>
    %product_3 = arith.mulf %acc, %lanes_3 : vector<128x16xf32>
    %acc_1 = tile.mma %turned, %narrow, %product_3 : vector<128x256xbf16>, vector<256x16xbf16>, vector<128x16xf32>
    scf.yield %top_1, %l_1, %acc_1 : vector<1x16xf32>, vector<1x16xf32>, vector<128x16xf32>
  }
  %most = arith.maximumf %l, %c1_0e_30 : vector<1x16xf32>
  %quotient = arith.divf %one, %most : vector<1x16xf32>
  %lanes_1 = vector.broadcast %quotient : vector<1x16xf32> to vector<128x16xf32>
  %product = arith.mulf %acc, %lanes_1 : vector<128x16xf32>
  %turned = vector.transpose %product, [1, 0] : vector<128x16xf32> to vector<16x128xf32>
  tile.store %turned, %out : !PartialPiece
  %log2 = math.log2 %l : vector<1x16xf32>
  %sum_1 = arith.addf %top, %log2 : vector<1x16xf32>
  %shaped = vector.shape_cast %sum_1 : vector<1x16xf32> to vector<16xf32>
  tile.store %shaped, %outLse : !LsePiece
}
