// C[M, N] = A[M, K] * B[K, N], factors in bf16, sums in f32
// any M, N and K, zero and ragged included
// generated from gemm.cpp
!A = !tile.tensor<[M, K] x bf16, shared>
!B = !tile.tensor<[K, N] x bf16, shared>
!C = !tile.tensor<[M, N] x f32, out>
!ATiles = !tile.partition<[64, 64], [M, K] x bf16, shared>
!CTiles = !tile.partition<[64, 128], [M, N] x f32, out>
!BTiles = !tile.partition<[64, 128], [K, N] x bf16, shared>
!CPiece = !tile.piece<[64, 128] x f32, out>
tile.kernel @gemm_small(%a: !A, %b: !B, %c: !C) grid [ceildiv(M, 64), ceildiv(N, 128)] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x128xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %a_tiles = tile.partition %a by [64, 64] : !A
  %b_tiles = tile.partition %b by [64, 128] : !B
  %c_tiles = tile.partition %c by [64, 128] : !C
  %n = tile.num_tiles %a_tiles, 1 : !ATiles
  %out = tile.claim %c_tiles[%i, %j] : !CTiles
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<64x128xf32>) {
    %x = tile.load %a_tiles[%i, %k] pad(zero) : !ATiles
    %y = tile.load %b_tiles[%k, %j] pad(zero) : !BTiles
    %acc_1 = tile.mma %x, %y, %acc : vector<64x64xbf16>, vector<64x128xbf16>, vector<64x128xf32>
    scf.yield %acc_1 : vector<64x128xf32>
  }
  tile.store %acc, %out : !CPiece
}
