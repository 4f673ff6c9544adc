// As gemm_moe, without the copy of the tokens before it: row p of the result is
// of token ids[p], and an id of T is padding, whose row is 0. No engine copies
// such rows: where they are many, gather_tokens and gemm_moe are faster. In
// bf16, sums in f32.
// any P, T, K, N and E, zero and ragged included; NB is ceildiv(P, 128)
// generated from experts.cpp
!A = !tile.tensor<[T, K] x bf16, shared>
!Ids = !tile.tensor<[P] x i32, shared>
!Experts = !tile.tensor<[NB] x i32, shared>
!W = !tile.tensor<[E, K, N] x bf16, shared>
!C = !tile.tensor<[P, N] x bf16, out>
!WTiles = !tile.partition<[_, 64, 128], [E, K, N] x bf16, shared>
!CTiles = !tile.partition<[128, 128], [P, N] x bf16, out>
!IdsTiles = !tile.partition<[128], [P] x i32, shared>
!ExpertsTiles = !tile.partition<[_], [NB] x i32, shared>
!CPiece = !tile.piece<[128, 128] x bf16, out>
tile.kernel @gemm_moe_gather(%a: !A, %ids: !Ids, %experts: !Experts, %w: !W, %c: !C)
    grid [ceildiv(P, 1024), ceildiv(N, 128), 8] requires [NB == ceildiv(P, 128)]
    given [within(%ids, 0, T + 1), within(%experts, 0, E)]
    hints {sm_90 = {worker_warps = 4, occupancy = 1, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : vector<128x128xf32>
  %lane1 = tile.iota 1 : vector<128x64xindex>
  %band = tile.block_id 0
  %j = tile.block_id 1
  %row = tile.block_id 2
  %T = tile.symbol "T" : index
  %K = tile.symbol "K" : index
  %ids_tiles = tile.partition %ids by [128] : !Ids
  %experts_tiles = tile.partition %experts by [_] : !Experts
  %w_tiles = tile.partition %w by [_, 64, 128] : !W
  %c_tiles = tile.partition %c by [128, 128] : !C
  %n = tile.num_tiles %w_tiles, 1 : !WTiles
  %n_1 = tile.num_tiles %c_tiles, 0 : !CTiles
  %product = arith.muli %band, %c8 : index
  %i = arith.addi %product, %row : index
  %is = arith.cmpi slt, %i, %n_1 : index
  scf.if %is {
    %out = tile.claim %c_tiles[%i, %j] : !CTiles
    %tile = tile.load %ids_tiles[%i] pad(zero) : !IdsTiles
    %id = arith.index_cast %tile : vector<128xi32> to vector<128xindex>
    %shaped = vector.shape_cast %id : vector<128xindex> to vector<128x1xindex>
    %row_1 = vector.broadcast %shaped : vector<128x1xindex> to vector<128x64xindex>
    %lanes = vector.broadcast %T : index to vector<128x64xindex>
    %isToken = arith.cmpi slt, %row_1, %lanes : vector<128x64xindex>
    %lanes_1 = vector.broadcast %K : index to vector<128x64xindex>
    %tile_1 = tile.load %experts_tiles[%i] : !ExpertsTiles
    %expert = arith.index_cast %tile_1 : i32 to index
    %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<128x128xf32>) {
      %product_1 = arith.muli %k, %c64 : index
      %lanes_2 = vector.broadcast %product_1 : index to vector<128x64xindex>
      %column = arith.addi %lanes_2, %lane1 : vector<128x64xindex>
      %is_1 = arith.cmpi slt, %column, %lanes_1 : vector<128x64xindex>
      %isThere = arith.andi %isToken, %is_1 : vector<128x64xi1>
      %x = tile.gather %a[%row_1, %column], %isThere pad(zero) : !A, vector<128x64xindex>, vector<128x64xindex>, vector<128x64xi1>
      %y = tile.load %w_tiles[%expert, %k, %j] pad(zero) : !WTiles
      %acc_1 = tile.mma %x, %y, %acc : vector<128x64xbf16>, vector<64x128xbf16>, vector<128x128xf32>
      scf.yield %acc_1 : vector<128x128xf32>
    }
    %narrow = arith.truncf %acc : vector<128x128xf32> to vector<128x128xbf16>
    tile.store %narrow, %out : !CPiece
  }
}
