// As gemm_moe, without the copy of the tokens before it: row p of the result is
// of token ids[p], and an id of T is padding, whose row is 0. In bf16, sums in
// f32.
// any P, T, K, N and E, zero and ragged included; NB is ceildiv(P, 128)
// generated from experts.cpp
!A = !tile.tensor<[T, K] x bf16, shared>
!Ids = !tile.tensor<[P] x i32, shared>
!Experts = !tile.tensor<[NB] x i32, shared>
!W = !tile.tensor<[E, K, N] x bf16, shared>
!C = !tile.tensor<[P, N] x bf16, out>
!WTiles = !tile.partition<[_, 64, 256], [E, K, N] x bf16, shared>
!CTiles = !tile.partition<[128, 256], [P, N] x bf16, out>
!IdsTiles = !tile.partition<[128], [P] x i32, shared>
!ExpertsTiles = !tile.partition<[_], [NB] x i32, shared>
!CPiece = !tile.piece<[128, 256] x bf16, out>
tile.kernel @gemm_moe_gather(%a: !A, %ids: !Ids, %experts: !Experts, %w: !W, %c: !C)
    grid [NB, ceildiv(N, 256)] requires [NB == ceildiv(P, 128)]
    given [within(%ids, 0, T + 1), within(%experts, 0, E)]
    hints {sm_90 = {worker_warps = 8, occupancy = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : vector<128x256xf32>
  %lane1 = tile.iota 1 : vector<128x64xindex>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %T = tile.symbol "T" : index
  %K = tile.symbol "K" : index
  %ids_tiles = tile.partition %ids by [128] : !Ids
  %experts_tiles = tile.partition %experts by [_] : !Experts
  %w_tiles = tile.partition %w by [_, 64, 256] : !W
  %c_tiles = tile.partition %c by [128, 256] : !C
  %n = tile.num_tiles %w_tiles, 1 : !WTiles
  %out = tile.claim %c_tiles[%i, %j] : !CTiles
  %tile = tile.load %ids_tiles[%i] pad(zero) : !IdsTiles
  %id = arith.index_cast %tile : vector<128xi32> to vector<128xindex>
  %shaped = vector.shape_cast %id : vector<128xindex> to vector<128x1xindex>
  %row = vector.broadcast %shaped : vector<128x1xindex> to vector<128x64xindex>
  %lanes = vector.broadcast %T : index to vector<128x64xindex>
  %isToken = arith.cmpi slt, %row, %lanes : vector<128x64xindex>
  %lanes_1 = vector.broadcast %K : index to vector<128x64xindex>
  %tile_1 = tile.load %experts_tiles[%i] : !ExpertsTiles
  %expert = arith.index_cast %tile_1 : i32 to index
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<128x256xf32>) {
    %product = arith.muli %k, %c64 : index
    %lanes_2 = vector.broadcast %product : index to vector<128x64xindex>
    %column = arith.addi %lanes_2, %lane1 : vector<128x64xindex>
    %is = arith.cmpi slt, %column, %lanes_1 : vector<128x64xindex>
    %isThere = arith.andi %isToken, %is : vector<128x64xi1>
    %x = tile.gather %a[%row, %column], %isThere pad(zero) : !A, vector<128x64xindex>, vector<128x64xindex>, vector<128x64xi1>
    %y = tile.load %w_tiles[%expert, %k, %j] pad(zero) : !WTiles
    %acc_1 = tile.mma %x, %y, %acc : vector<128x64xbf16>, vector<64x256xbf16>, vector<128x256xf32>
    scf.yield %acc_1 : vector<128x256xf32>
  }
  %narrow = arith.truncf %acc : vector<128x256xf32> to vector<128x256xbf16>
  tile.store %narrow, %out : !CPiece
}
