// C[b] = A[b] * B[b] for each of the Z matrices of a batch, in bf16, sums in
// f32 any Z, M, N and K, zero and ragged included
// generated from gemm.cpp
!A = !tile.tensor<[Z, M, K] x bf16, shared>
!B = !tile.tensor<[Z, K, N] x bf16, shared>
!C = !tile.tensor<[Z, M, N] x bf16, out>
!ATiles = !tile.partition<[_, 128, 64], [Z, M, K] x bf16, shared>
!CTiles = !tile.partition<[_, 128, 256], [Z, M, N] x bf16, out>
!BTiles = !tile.partition<[_, 64, 256], [Z, K, N] x bf16, shared>
!CPiece = !tile.piece<[_, 128, 256] x bf16, out>
tile.kernel @gemm_batched(%a: !A, %b: !B, %c: !C)
    grid [ceildiv(M, 128), ceildiv(N, 256), Z]
    hints {sm_90 = {worker_warps = 8, occupancy = 1, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<128x256xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %z = tile.block_id 2
  %a_tiles = tile.partition %a by [_, 128, 64] : !A
  %b_tiles = tile.partition %b by [_, 64, 256] : !B
  %c_tiles = tile.partition %c by [_, 128, 256] : !C
  %n = tile.num_tiles %a_tiles, 2 : !ATiles
  %out = tile.claim %c_tiles[%z, %i, %j] : !CTiles
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<128x256xf32>) {
    %x = tile.load %a_tiles[%z, %i, %k] pad(zero) : !ATiles
    %y = tile.load %b_tiles[%z, %k, %j] pad(zero) : !BTiles
    %acc_1 = tile.mma %x, %y, %acc : vector<128x64xbf16>, vector<64x256xbf16>, vector<128x256xf32>
    scf.yield %acc_1 : vector<128x256xf32>
  }
  %narrow = arith.truncf %acc : vector<128x256xf32> to vector<128x256xbf16>
  tile.store %narrow, %out : !CPiece
}
