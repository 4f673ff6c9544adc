// expect: VERIFIED
// source: NVIDIA/cutile-python@9c3ee3c test/kernels/matmul.py, batch_matmul_kernel
// Products of a batch of matrices.
!A = !tile.tensor<[B, M, K] x f16, shared>
!PA = !tile.partition<[_, 64, 32], [B, M, K] x f16, shared>
!B = !tile.tensor<[B, K, N] x f16, shared>
!PB = !tile.partition<[_, 32, 64], [B, K, N] x f16, shared>
!Z = !tile.tensor<[B, M, N] x f32, out>
!PZ = !tile.partition<[_, 64, 64], [B, M, N] x f32, out>
!SZ = !tile.piece<[_, 64, 64] x f32, out>
tile.kernel @batch_matmul(%a: !A, %b: !B, %z: !Z) grid [B, ceildiv(M, 64), ceildiv(N, 64)] {
  %pa = tile.partition %a by [_, 64, 32] : !A
  %pb = tile.partition %b by [_, 32, 64] : !B
  %pz = tile.partition %z by [_, 64, 64] : !Z
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tile.block_id 0
  %i = tile.block_id 1
  %j = tile.block_id 2
  %kt = tile.num_tiles %pa, 2 : !PA
  %acc_2 = scf.for %k = %c0 to %kt step %c1 iter_args(%acc = %zero) -> (vector<64x64xf32>) {
    %av = tile.load %pa[%n, %i, %k] pad(zero) : !PA
    %bv = tile.load %pb[%n, %k, %j] pad(zero) : !PB
    %acc_3 = tile.mma %av, %bv, %acc : vector<64x32xf16>, vector<32x64xf16>, vector<64x64xf32>
    scf.yield %acc_3 : vector<64x64xf32>
  }
  %o = tile.claim %pz[%n, %i, %j] : !PZ
  tile.store %acc_2, %o : !SZ
}
