// As attention_prefill_gqa, for few queries and many keys: the tiles of keys
// are dealt to P splits, each of which leaves its mean and the logarithm (base
// 2) of its weight for attention_merge; a split without keys leaves 0 and -inf;
// in bf16, sums in f32, heads of 128 any S, H = G * R and T >= pos + S, zero
// and ragged included
// generated from prefill.cpp
!Q = !tile.tensor<[S, H, 128] x bf16, shared>
!K = !tile.tensor<[G, T, 128] x bf16, shared>
!Partial = !tile.tensor<[S, P, H, 128] x f32, out>
!Lse = !tile.tensor<[S, P, H] x f32, out>
!PartialTiles = !tile.partition<[128, _, _, 128], [S, P, H, 128] x f32, out>
!LseTiles = !tile.partition<[128, _, _], [S, P, H] x f32, out>
!QTiles = !tile.partition<[128, _, 128], [S, H, 128] x bf16, shared>
!KView = !tile.tensor<[G, ?, 128] x bf16, shared>
!KViewTiles = !tile.partition<[_, 128, 128], [G, ?, 128] x bf16, shared>
!PartialPiece = !tile.piece<[128, _, _, 128] x f32, out>
!LsePiece = !tile.piece<[128, _, _] x f32, out>
tile.kernel @attention_prefill_gqa_split(%q: !Q, %k: !K, %v: !K, %partial: !Partial, %lse: !Lse, %scale: f32)
    symbols [R : index, pos : index] grid [ceildiv(S, 128), H, P]
    requires [H == G * R, pos + S <= T]
    hints {sm_90 = {worker_warps = 8, occupancy = 1}} {
  %c_128 = arith.constant -128 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %c1_44269504 = arith.constant 1.44269504 : f32
  %c_1_0e30 = arith.constant dense<-1.0e30> : vector<128x1xf32>
  %zero = arith.constant dense<0.0> : vector<128x1xf32>
  %zero_1 = arith.constant dense<0.0> : vector<128x128xf32>
  %neg_infinity = arith.constant dense<0xFF800000> : vector<128x128xf32>
  %c1_0e_30 = arith.constant dense<1.0e-30> : vector<128x1xf32>
  %one = arith.constant dense<1.0> : vector<128x1xf32>
  %lane0 = tile.iota 0 : vector<128x128xi32>
  %lane1 = tile.iota 1 : vector<128x128xi32>
  %i = tile.block_id 0
  %h = tile.block_id 1
  %p = tile.block_id 2
  %pos = tile.symbol "pos" : index
  %S = tile.symbol "S" : index
  %P = tile.symbol "P" : index
  %R = tile.symbol "R" : index
  %q_tiles = tile.partition %q by [128, _, 128] : !Q
  %partial_tiles = tile.partition %partial by [128, _, _, 128] : !Partial
  %lse_tiles = tile.partition %lse by [128, _, _] : !Lse
  %out = tile.claim %partial_tiles[%i, %p, %h, %c0] : !PartialTiles
  %outLse = tile.claim %lse_tiles[%i, %p, %h] : !LseTiles
  %product = arith.muli %i, %c128 : index
  %row0 = arith.addi %pos, %product : index
  %sum = arith.addi %row0, %c128 : index
  %sum_1 = arith.addi %pos, %S : index
  %last = arith.minsi %sum, %sum_1 : index
  %tiles = arith.ceildivsi %last, %c128 : index
  %share = arith.ceildivsi %tiles, %P : index
  %from = arith.muli %p, %share : index
  %sum_2 = arith.addi %from, %share : index
  %end = arith.minsi %sum_2, %tiles : index
  %k_view = tile.view %k slice [0, 0, 0] size [G, %sum_1, 128] : !K
  %quotient = arith.divsi %h, %R : index
  %v_view = tile.view %v slice [0, 0, 0] size [G, %sum_1, 128] : !K
  %query = tile.load %q_tiles[%i, %h, %c0] pad(zero) : !QTiles
  %factor = arith.mulf %scale, %c1_44269504 : f32
  %lanes = vector.broadcast %factor : f32 to vector<128x128xf32>
  %top, %l, %acc = scf.for %j = %from to %end step %c1 iter_args(%top = %c_1_0e30, %l = %zero, %acc = %zero_1) -> (vector<128x1xf32>, vector<128x1xf32>, vector<128x128xf32>) {
    %product_1 = arith.muli %j, %c128 : index
    %less = arith.subi %row0, %product_1 : index
    %most = arith.maxsi %less, %c_128 : index
    %least = arith.minsi %most, %c128 : index
    %d = arith.index_cast %least : index to i32
    %lanes_1 = vector.broadcast %d : i32 to vector<128x128xi32>
    %sum_3 = arith.addi %lane0, %lanes_1 : vector<128x128xi32>
    %is = arith.cmpi sle, %lane1, %sum_3 : vector<128x128xi32>
    %k_view_tiles = tile.partition %k_view by [_, 128, 128] : !KView
    %tile = tile.load %k_view_tiles[%quotient, %j, %c0] pad(zero) : !KViewTiles
    %turned = vector.transpose %tile, [1, 0] : vector<128x128xbf16> to vector<128x128xbf16>
    %product_2 = tile.mma %query, %turned, %zero_1 : vector<128x128xbf16>, vector<128x128xbf16>, vector<128x128xf32>
    %product_3 = arith.mulf %product_2, %lanes : vector<128x128xf32>
    %chosen = arith.select %is, %product_3, %neg_infinity : vector<128x128xi1>, vector<128x128xf32>
    %max = tile.reduce max %chosen, 1 keep : vector<128x128xf32>
    %top_1 = arith.maximumf %top, %max : vector<128x1xf32>
    %less_1 = arith.subf %top, %top_1 : vector<128x1xf32>
    %alpha = math.exp2 %less_1 : vector<128x1xf32>
    %product_4 = arith.mulf %l, %alpha : vector<128x1xf32>
    %lanes_2 = vector.broadcast %top_1 : vector<128x1xf32> to vector<128x128xf32>
    %less_2 = arith.subf %chosen, %lanes_2 : vector<128x128xf32>
    %exp2 = math.exp2 %less_2 : vector<128x128xf32>
    %sum_4 = tile.reduce add %exp2, 1 keep : vector<128x128xf32>
    %l_1 = arith.addf %product_4, %sum_4 : vector<128x1xf32>
    %narrow = arith.truncf %exp2 : vector<128x128xf32> to vector<128x128xbf16>
    %v_view_tiles = tile.partition %v_view by [_, 128, 128] : !KView
    %tile_1 = tile.load %v_view_tiles[%quotient, %j, %c0] pad(zero) : !KViewTiles
    %lanes_3 = vector.broadcast %alpha : vector<128x1xf32> to vector<128x128xf32>
    %product_5 = arith.mulf %acc, %lanes_3 : vector<128x128xf32>
    %acc_1 = tile.mma %narrow, %tile_1, %product_5 : vector<128x128xbf16>, vector<128x128xbf16>, vector<128x128xf32>
    scf.yield %top_1, %l_1, %acc_1 : vector<128x1xf32>, vector<128x1xf32>, vector<128x128xf32>
  }
  %most = arith.maximumf %l, %c1_0e_30 : vector<128x1xf32>
  %quotient_1 = arith.divf %one, %most : vector<128x1xf32>
  %lanes_1 = vector.broadcast %quotient_1 : vector<128x1xf32> to vector<128x128xf32>
  %product_1 = arith.mulf %acc, %lanes_1 : vector<128x128xf32>
  tile.store %product_1, %out : !PartialPiece
  %log2 = math.log2 %l : vector<128x1xf32>
  %sum_3 = arith.addf %top, %log2 : vector<128x1xf32>
  %shaped = vector.shape_cast %sum_3 : vector<128x1xf32> to vector<128xf32>
  tile.store %shaped, %outLse : !LsePiece
}
