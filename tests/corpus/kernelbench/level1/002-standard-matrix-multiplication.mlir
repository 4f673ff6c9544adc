// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/2_Standard_matrix_multiplication_.py
// A product of matrices of any size.
!A = !tile.tensor<[M, K] x f32, shared>
!PA = !tile.partition<[64, 32], [M, K] x f32, shared>
!B = !tile.tensor<[K, N] x f32, shared>
!PB = !tile.partition<[32, 64], [K, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!PY = !tile.partition<[64, 64], [M, N] x f32, out>
!SY = !tile.piece<[64, 64] x f32, out>
tile.kernel @kstandard_matrix_multiplication(%a: !A, %b: !B, %y: !Y) grid [ceildiv(M, 64), ceildiv(N, 64)] {
  %pa = tile.partition %a by [64, 32] : !A
  %pb = tile.partition %b by [32, 64] : !B
  %py = tile.partition %y by [64, 64] : !Y
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = tile.block_id 0
  %j = tile.block_id 1
  %o = tile.claim %py[%i, %j] : !PY
  %kt = tile.num_tiles %pa, 1 : !PA
  %acc_2 = scf.for %k = %c0 to %kt step %c1 iter_args(%acc = %zero) -> (vector<64x64xf32>) {
    %av = tile.load %pa[%i, %k] pad(zero) : !PA
    %bv = tile.load %pb[%k, %j] pad(zero) : !PB
    %acc_3 = tile.mma %av, %bv, %acc : vector<64x32xf32>, vector<32x64xf32>, vector<64x64xf32>
    scf.yield %acc_3 : vector<64x64xf32>
  }
  tile.store %acc_2, %o : !SY
}
