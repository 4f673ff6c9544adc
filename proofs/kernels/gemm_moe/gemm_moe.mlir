// C = A * W[e] for the expert e of each tile of rows: grouped GEMM of a mixture of
// experts, whose tokens are sorted by expert and padded so that no tile of 128 rows
// has two of them; experts[i] is that of tile i. In bf16, sums in f32.
// any P (padded tokens), K, N and E, zero and ragged included; NB is ceildiv(P, 128)
!A = !tile.tensor<[P, K] x bf16, shared>
!I = !tile.tensor<[NB] x i32, shared>
!W = !tile.tensor<[E, K, N] x bf16, shared>
!C = !tile.tensor<[P, N] x bf16, out>
!PA = !tile.partition<[128, 64], [P, K] x bf16, shared>
!PI = !tile.partition<[_], [NB] x i32, shared>
!PW = !tile.partition<[_, 64, 256], [E, K, N] x bf16, shared>
!PC = !tile.partition<[128, 256], [P, N] x bf16, out>
!O = !tile.piece<[128, 256] x bf16, out>
tile.kernel @gemm_moe(%a: !A, %experts: !I, %w: !W, %c: !C) grid [NB, ceildiv(N, 256)]
    requires [NB == ceildiv(P, 128)] given [within(%experts, 0, E)]
    hints {sm_90 = {worker_warps = 8, occupancy = 1, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<128x256xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %pa = tile.partition %a by [128, 64] : !A
  %pi = tile.partition %experts by [_] : !I
  %pw = tile.partition %w by [_, 64, 256] : !W
  %pc = tile.partition %c by [128, 256] : !C
  %out = tile.claim %pc[%i, %j] : !PC
  %expert = tile.load %pi[%i] : !PI
  %e = arith.index_cast %expert : i32 to index
  %n = tile.num_tiles %pa, 1 : !PA
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<128x256xf32>) {
    %x = tile.load %pa[%i, %k] pad(zero) : !PA
    %y = tile.load %pw[%e, %k, %j] pad(zero) : !PW
    %next = tile.mma %x, %y, %acc : vector<128x64xbf16>, vector<64x256xbf16>, vector<128x256xf32>
    scf.yield %next : vector<128x256xf32>
  }
  %narrow = arith.truncf %sum : vector<128x256xf32> to vector<128x256xbf16>
  tile.store %narrow, %out : !O
}
