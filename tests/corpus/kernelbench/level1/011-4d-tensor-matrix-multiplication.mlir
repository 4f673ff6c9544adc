// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/11_4D_tensor_matrix_multiplication.py
// A tensor of four axes times a matrix.
!A = !tile.tensor<[B, I, J, L] x f32, shared>
!PA = !tile.partition<[_, _, 64, 32], [B, I, J, L] x f32, shared>
!B = !tile.tensor<[L, K] x f32, shared>
!PB = !tile.partition<[32, 64], [L, K] x f32, shared>
!Y = !tile.tensor<[B, I, J, K] x f32, out>
!PY = !tile.partition<[_, _, 64, 64], [B, I, J, K] x f32, out>
!SY = !tile.piece<[_, _, 64, 64] x f32, out>
tile.kernel @k4d_tensor_matrix_multiplication(%a: !A, %b: !B, %y: !Y)
    grid [B, I, ceildiv(J, 64), ceildiv(K, 64)] {
  %pa = tile.partition %a by [_, _, 64, 32] : !A
  %pb = tile.partition %b by [32, 64] : !B
  %py = tile.partition %y by [_, _, 64, 64] : !Y
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tile.block_id 0
  %m = tile.block_id 1
  %i = tile.block_id 2
  %j = tile.block_id 3
  %o = tile.claim %py[%n, %m, %i, %j] : !PY
  %kt = tile.num_tiles %pa, 3 : !PA
  %acc_2 = scf.for %k = %c0 to %kt step %c1 iter_args(%acc = %zero) -> (vector<64x64xf32>) {
    %av = tile.load %pa[%n, %m, %i, %k] pad(zero) : !PA
    %bv = tile.load %pb[%k, %j] pad(zero) : !PB
    %acc_3 = tile.mma %av, %bv, %acc : vector<64x32xf32>, vector<32x64xf32>, vector<64x64xf32>
    scf.yield %acc_3 : vector<64x64xf32>
  }
  tile.store %acc_2, %o : !SY
}
