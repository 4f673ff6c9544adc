// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/18_Matmul_with_transposed_both.py
// A product, both factors transposed.
!A = !tile.tensor<[K, M] x f32, shared>
!PA = !tile.partition<[32, 64], [K, M] x f32, shared>
!B = !tile.tensor<[N, K] x f32, shared>
!PB = !tile.partition<[64, 32], [N, K] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!PY = !tile.partition<[64, 64], [M, N] x f32, out>
!SY = !tile.piece<[64, 64] x f32, out>
tile.kernel @kmatmul_with_transposed_both(%a: !A, %b: !B, %y: !Y) grid [ceildiv(M, 64), ceildiv(N, 64)] {
  %pa = tile.partition %a by [32, 64] : !A
  %pb = tile.partition %b by [64, 32] : !B
  %py = tile.partition %y by [64, 64] : !Y
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = tile.block_id 0
  %j = tile.block_id 1
  %o = tile.claim %py[%i, %j] : !PY
  %kt = tile.num_tiles %pa, 0 : !PA
  %acc_2 = scf.for %k = %c0 to %kt step %c1 iter_args(%acc = %zero) -> (vector<64x64xf32>) {
    %at = tile.load %pa[%k, %i] pad(zero) : !PA
    %av = vector.transpose %at, [1, 0] : vector<32x64xf32> to vector<64x32xf32>
    %bt = tile.load %pb[%j, %k] pad(zero) : !PB
    %bv = vector.transpose %bt, [1, 0] : vector<64x32xf32> to vector<32x64xf32>
    %acc_3 = tile.mma %av, %bv, %acc : vector<64x32xf32>, vector<32x64xf32>, vector<64x64xf32>
    scf.yield %acc_3 : vector<64x64xf32>
  }
  tile.store %acc_2, %o : !SY
}
