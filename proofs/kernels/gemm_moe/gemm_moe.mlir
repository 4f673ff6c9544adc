// C = A * W[e] for the expert e of each tile of rows: grouped GEMM of a mixture
// of experts, whose tokens are sorted by expert and padded so that no tile of
// 128 rows has two of them; experts[i] is that of tile i. In bf16, sums in f32.
// any P (padded tokens), K, N and E, zero and ragged included; NB is
// ceildiv(P, 128)
// generated from experts.cpp
!A = !tile.tensor<[P, K] x bf16, shared, strides [lda, 1]>
!Experts = !tile.tensor<[NB] x i32, shared>
!W = !tile.tensor<[E, K, N] x bf16, shared, strides [sw, ldw, 1]>
!C = !tile.tensor<[P, N] x bf16, out, strides [ldc, 1]>
!ATiles = !tile.partition<[128, 64], [P, K] x bf16, shared, strides [lda, 1]>
!CTiles = !tile.partition<[128, 256], [P, N] x bf16, out, strides [ldc, 1]>
!ExpertsTiles = !tile.partition<[_], [NB] x i32, shared>
!WTiles = !tile.partition<[_, 64, 256], [E, K, N] x bf16, shared, strides [sw, ldw, 1]>
!CPiece = !tile.piece<[128, 256] x bf16, out>
tile.kernel @gemm_moe(%a: !A, %experts: !Experts, %w: !W, %c: !C)
    symbols [lda : index, sw : index, ldw : index, ldc : index]
    grid [ceildiv(P, 1024), ceildiv(N, 256), 8] requires [NB == ceildiv(P, 128)]
    given [within(%experts, 0, E)]
    repack [%a when (N >= 512, K >= 128, P * K >= 32768, mod(lda, 2) == 1), %w when (P >= 256 * E, mod(ldw, 4) >= 1, K >= 128, K * N >= 131072)]
    hints {sm_90 = {worker_warps = 8, occupancy = 1, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : vector<128x256xf32>
  %band = tile.block_id 0
  %j = tile.block_id 1
  %row = tile.block_id 2
  %a_tiles = tile.partition %a by [128, 64] : !A
  %experts_tiles = tile.partition %experts by [_] : !Experts
  %w_tiles = tile.partition %w by [_, 64, 256] : !W
  %c_tiles = tile.partition %c by [128, 256] : !C
  %n = tile.num_tiles %a_tiles, 1 : !ATiles
  %n_1 = tile.num_tiles %c_tiles, 0 : !CTiles
  %product = arith.muli %band, %c8 : index
  %i = arith.addi %product, %row : index
  %is = arith.cmpi slt, %i, %n_1 : index
  scf.if %is {
    %out = tile.claim %c_tiles[%i, %j] : !CTiles
    %tile = tile.load %experts_tiles[%i] : !ExpertsTiles
    %expert = arith.index_cast %tile : i32 to index
    %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<128x256xf32>) {
      %x = tile.load %a_tiles[%i, %k] pad(zero) : !ATiles
      %y = tile.load %w_tiles[%expert, %k, %j] pad(zero) : !WTiles
      %acc_1 = tile.mma %x, %y, %acc : vector<128x64xbf16>, vector<64x256xbf16>, vector<128x256xf32>
      scf.yield %acc_1 : vector<128x256xf32>
    }
    %narrow = arith.truncf %acc : vector<128x256xf32> to vector<128x256xbf16>
    tile.store %narrow, %out : !CPiece
  }
}
