// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/4_Matrix_vector_multiplication_.py
// A matrix times a vector.
!A = !tile.tensor<[M, K] x f32, shared>
!PA = !tile.partition<[64, 64], [M, K] x f32, shared>
!B = !tile.tensor<[K, 1] x f32, shared>
!PB = !tile.partition<[64, 1], [K, 1] x f32, shared>
!Y = !tile.tensor<[M, 1] x f32, out>
!PY = !tile.partition<[64, 1], [M, 1] x f32, out>
!SY = !tile.piece<[64, 1] x f32, out>
tile.kernel @kmatrix_vector_multiplication(%a: !A, %b: !B, %y: !Y) grid [ceildiv(M, 64)] {
  %pa = tile.partition %a by [64, 64] : !A
  %pb = tile.partition %b by [64, 1] : !B
  %py = tile.partition %y by [64, 1] : !Y
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : vector<64x1xf32>
  %c1 = arith.constant 1 : index
  %i = tile.block_id 0
  %o = tile.claim %py[%i, %c0] : !PY
  %kt = tile.num_tiles %pa, 1 : !PA
  %acc_2 = scf.for %k = %c0 to %kt step %c1 iter_args(%acc = %zero) -> (vector<64x1xf32>) {
    %av = tile.load %pa[%i, %k] pad(zero) : !PA
    %bv = tile.load %pb[%k, %c0] pad(zero) : !PB
    %acc_3 = tile.mma %av, %bv, %acc : vector<64x64xf32>, vector<64x1xf32>, vector<64x1xf32>
    scf.yield %acc_3 : vector<64x1xf32>
  }
  tile.store %acc_2, %o : !SY
}
