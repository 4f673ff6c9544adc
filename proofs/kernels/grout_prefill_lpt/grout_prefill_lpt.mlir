// Grout's fmha_prefill_gqa_lpt (view out): attention_prefill_gqa_lpt, whose
// blocks take W groups of heads at a time, so that their keys stay in the L2
// cache, and of these the last positions first; the last groups may be fewer
// than W
// any S, W, and T >= pos + S, zero and ragged included; H = G * R, R = 4 * C
// generated from prefill.cpp
!Q = !tile.tensor<[S, H, 128] x bf16, shared>
!K = !tile.tensor<[G, T, 128] x bf16, shared>
!Y = !tile.tensor<[S, H, 128] x bf16, out>
!YTiles = !tile.partition<[32, 4, 128], [S, H, 128] x bf16, out>
!QTiles = !tile.partition<[32, 4, 128], [S, H, 128] x bf16, shared>
!KView = !tile.tensor<[G, ?, 128] x bf16, shared>
!KViewTiles = !tile.partition<[_, 128, 128], [G, ?, 128] x bf16, shared>
!YPiece = !tile.piece<[32, 4, 128] x bf16, out>
tile.map @longest_first(%p) [blocks, groups, s] -> (index, index)
    from [blocks * groups] into [blocks, groups] bijective {
  %c1 = arith.constant 1 : index
  %s = tile.symbol "s" : index
  %blocks = tile.symbol "blocks" : index
  %groups = tile.symbol "groups" : index
  %bandTiles = arith.muli %s, %blocks : index
  %rest = arith.remsi %p, %bandTiles : index
  %quotient = arith.divsi %p, %bandTiles : index
  %quotient_1 = arith.divsi %groups, %s : index
  %is = arith.cmpi slt, %quotient, %quotient_1 : index
  %rest_1 = arith.remsi %groups, %s : index
  %chosen = arith.select %is, %s, %rest_1 : index
  %quotient_2 = arith.divsi %rest, %chosen : index
  %less = arith.subi %blocks, %quotient_2 : index
  %less_1 = arith.subi %less, %c1 : index
  %product = arith.muli %quotient, %s : index
  %rest_2 = arith.remsi %rest, %chosen : index
  %sum = arith.addi %product, %rest_2 : index
  tile.yield %less_1, %sum
} inverse (%p, %q) {
  %c1 = arith.constant 1 : index
  %s = tile.symbol "s" : index
  %blocks = tile.symbol "blocks" : index
  %groups = tile.symbol "groups" : index
  %band = arith.divsi %q, %s : index
  %bandTiles = arith.muli %s, %blocks : index
  %product = arith.muli %band, %bandTiles : index
  %less = arith.subi %blocks, %p : index
  %less_1 = arith.subi %less, %c1 : index
  %quotient = arith.divsi %groups, %s : index
  %is = arith.cmpi slt, %band, %quotient : index
  %rest = arith.remsi %groups, %s : index
  %chosen = arith.select %is, %s, %rest : index
  %product_1 = arith.muli %less_1, %chosen : index
  %sum = arith.addi %product, %product_1 : index
  %rest_1 = arith.remsi %q, %s : index
  %sum_1 = arith.addi %sum, %rest_1 : index
  tile.yield %sum_1
}
tile.kernel @grout_prefill_lpt(%q: !Q, %k: !K, %v: !K, %y: !Y, %scale: f32)
    symbols [C : index, W : index, pos : index] grid [ceildiv(S, 32) * (G * C)]
    requires [W >= 1, W <= G * C, H == 4 * (G * C), pos + S <= T]
    hints {sm_90 = {worker_warps = 8, occupancy = 1}} {
  %c_128 = arith.constant -128 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %c1_44269504 = arith.constant 1.44269504 : f32
  %c_1_0e30 = arith.constant dense<-1.0e30> : vector<128x1xf32>
  %zero = arith.constant dense<0.0> : vector<128x1xf32>
  %zero_1 = arith.constant dense<0.0> : vector<128x128xf32>
  %neg_infinity = arith.constant dense<0xFF800000> : vector<128x128xf32>
  %c1_0e_30 = arith.constant dense<1.0e-30> : vector<128x1xf32>
  %one = arith.constant dense<1.0> : vector<128x1xf32>
  %lane0 = tile.iota 0 : vector<32x4x128xi32>
  %lane1 = tile.iota 1 : vector<128x128xi32>
  %t = tile.block_id 0
  %G = tile.symbol "G" : index
  %C = tile.symbol "C" : index
  %W = tile.symbol "W" : index
  %pos = tile.symbol "pos" : index
  %S = tile.symbol "S" : index
  %q_tiles = tile.partition %q by [32, 4, 128] : !Q
  %y_tiles = tile.partition %y by [32, 4, 128] : !Y
  %n = tile.num_tiles %y_tiles, 0 : !YTiles
  %product = arith.muli %G, %C : index
  %i, %hg = tile.apply @longest_first(%t) [%n, %product, %W] : index, index
  %out = tile.claim %y_tiles[%i, %hg, %c0] : !YTiles
  %product_1 = arith.muli %i, %c32 : index
  %row0 = arith.addi %pos, %product_1 : index
  %whole = arith.divsi %row0, %c128 : index
  %sum = arith.addi %pos, %S : index
  %k_view = tile.view %k slice [0, 0, 0] size [G, %sum, 128] : !K
  %quotient = arith.divsi %hg, %C : index
  %v_view = tile.view %v slice [0, 0, 0] size [G, %sum, 128] : !K
  %tile = tile.load %q_tiles[%i, %hg, %c0] pad(zero) : !QTiles
  %query = vector.shape_cast %tile : vector<32x4x128xbf16> to vector<128x128xbf16>
  %factor = arith.mulf %scale, %c1_44269504 : f32
  %lanes = vector.broadcast %factor : f32 to vector<128x128xf32>
  %top, %l, %acc = scf.for %j = %c0 to %whole step %c1 iter_args(%top = %c_1_0e30, %l = %zero, %acc = %zero_1) -> (vector<128x1xf32>, vector<128x1xf32>, vector<128x128xf32>) {
    %k_view_tiles = tile.partition %k_view by [_, 128, 128] : !KView
    %tile_1 = tile.load %k_view_tiles[%quotient, %j, %c0] pad(zero) : !KViewTiles
    %turned = vector.transpose %tile_1, [1, 0] : vector<128x128xbf16> to vector<128x128xbf16>
    %product_2 = tile.mma %query, %turned, %zero_1 : vector<128x128xbf16>, vector<128x128xbf16>, vector<128x128xf32>
    %product_3 = arith.mulf %product_2, %lanes : vector<128x128xf32>
    %max = tile.reduce max %product_3, 1 keep : vector<128x128xf32>
    %top_1 = arith.maximumf %top, %max : vector<128x1xf32>
    %less = arith.subf %top, %top_1 : vector<128x1xf32>
    %alpha = math.exp2 %less : vector<128x1xf32>
    %product_4 = arith.mulf %l, %alpha : vector<128x1xf32>
    %lanes_1 = vector.broadcast %top_1 : vector<128x1xf32> to vector<128x128xf32>
    %less_1 = arith.subf %product_3, %lanes_1 : vector<128x128xf32>
    %exp2 = math.exp2 %less_1 : vector<128x128xf32>
    %sum_1 = tile.reduce add %exp2, 1 keep : vector<128x128xf32>
    %l_1 = arith.addf %product_4, %sum_1 : vector<128x1xf32>
    %narrow = arith.truncf %exp2 : vector<128x128xf32> to vector<128x128xbf16>
    %v_view_tiles = tile.partition %v_view by [_, 128, 128] : !KView
    %tile_2 = tile.load %v_view_tiles[%quotient, %j, %c0] pad(zero) : !KViewTiles
    %lanes_2 = vector.broadcast %alpha : vector<128x1xf32> to vector<128x128xf32>
    %product_5 = arith.mulf %acc, %lanes_2 : vector<128x128xf32>
    %acc_1 = tile.mma %narrow, %tile_2, %product_5 : vector<128x128xbf16>, vector<128x128xbf16>, vector<128x128xf32>
    scf.yield %top_1, %l_1, %acc_1 : vector<128x1xf32>, vector<128x1xf32>, vector<128x128xf32>
  }
  %sum_1 = arith.addi %row0, %c32 : index
  %last = arith.minsi %sum_1, %sum : index
  %n_1 = arith.ceildivsi %last, %c128 : index
  %rows = vector.shape_cast %lane0 : vector<32x4x128xi32> to vector<128x128xi32>
  %top_1, %l_1, %acc_1 = scf.for %j = %whole to %n_1 step %c1 iter_args(%top_1 = %top, %l_1 = %l, %acc_1 = %acc) -> (vector<128x1xf32>, vector<128x1xf32>, vector<128x128xf32>) {
    %product_2 = arith.muli %j, %c128 : index
    %less = arith.subi %row0, %product_2 : index
    %most = arith.maxsi %less, %c_128 : index
    %least = arith.minsi %most, %c128 : index
    %d = arith.index_cast %least : index to i32
    %lanes_1 = vector.broadcast %d : i32 to vector<128x128xi32>
    %sum_2 = arith.addi %rows, %lanes_1 : vector<128x128xi32>
    %is = arith.cmpi sle, %lane1, %sum_2 : vector<128x128xi32>
    %k_view_tiles = tile.partition %k_view by [_, 128, 128] : !KView
    %tile_1 = tile.load %k_view_tiles[%quotient, %j, %c0] pad(zero) : !KViewTiles
    %turned = vector.transpose %tile_1, [1, 0] : vector<128x128xbf16> to vector<128x128xbf16>
    %product_3 = tile.mma %query, %turned, %zero_1 : vector<128x128xbf16>, vector<128x128xbf16>, vector<128x128xf32>
    %product_4 = arith.mulf %product_3, %lanes : vector<128x128xf32>
    %chosen = arith.select %is, %product_4, %neg_infinity : vector<128x128xi1>, vector<128x128xf32>
    %max = tile.reduce max %chosen, 1 keep : vector<128x128xf32>
    %top_2 = arith.maximumf %top_1, %max : vector<128x1xf32>
    %less_1 = arith.subf %top_1, %top_2 : vector<128x1xf32>
    %alpha = math.exp2 %less_1 : vector<128x1xf32>
    %product_5 = arith.mulf %l_1, %alpha : vector<128x1xf32>
    %lanes_2 = vector.broadcast %top_2 : vector<128x1xf32> to vector<128x128xf32>
    %less_2 = arith.subf %chosen, %lanes_2 : vector<128x128xf32>
    %exp2 = math.exp2 %less_2 : vector<128x128xf32>
    %sum_3 = tile.reduce add %exp2, 1 keep : vector<128x128xf32>
    %l_2 = arith.addf %product_5, %sum_3 : vector<128x1xf32>
    %narrow = arith.truncf %exp2 : vector<128x128xf32> to vector<128x128xbf16>
    %v_view_tiles = tile.partition %v_view by [_, 128, 128] : !KView
    %tile_2 = tile.load %v_view_tiles[%quotient, %j, %c0] pad(zero) : !KViewTiles
    %lanes_3 = vector.broadcast %alpha : vector<128x1xf32> to vector<128x128xf32>
    %product_6 = arith.mulf %acc_1, %lanes_3 : vector<128x128xf32>
    %acc_2 = tile.mma %narrow, %tile_2, %product_6 : vector<128x128xbf16>, vector<128x128xbf16>, vector<128x128xf32>
    scf.yield %top_2, %l_2, %acc_2 : vector<128x1xf32>, vector<128x1xf32>, vector<128x128xf32>
  }
  %most = arith.maximumf %l_1, %c1_0e_30 : vector<128x1xf32>
  %quotient_1 = arith.divf %one, %most : vector<128x1xf32>
  %lanes_1 = vector.broadcast %quotient_1 : vector<128x1xf32> to vector<128x128xf32>
  %product_2 = arith.mulf %acc_1, %lanes_1 : vector<128x128xf32>
  %narrow = arith.truncf %product_2 : vector<128x128xf32> to vector<128x128xbf16>
  %shaped = vector.shape_cast %narrow : vector<128x128xbf16> to vector<32x4x128xbf16>
  tile.store %shaped, %out : !YPiece
}
