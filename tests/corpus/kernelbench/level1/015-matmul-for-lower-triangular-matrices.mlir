// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/15_Matmul_for_lower_triangular_matrices.py
// A product of lower triangular matrices: tiles beyond the diagonal are 0, sums
// run between the diagonals.
!A = !tile.tensor<[N, N] x f32, shared>
!PA = !tile.partition<[64, 64], [N, N] x f32, shared>
!B = !tile.tensor<[N, N] x f32, shared>
!PB = !tile.partition<[64, 64], [N, N] x f32, shared>
!Y = !tile.tensor<[N, N] x f32, out>
!PY = !tile.partition<[64, 64], [N, N] x f32, out>
!SY = !tile.piece<[64, 64] x f32, out>
tile.kernel @kmatmul_for_lower_triangular_matrices(%a: !A, %b: !B, %y: !Y)
    grid [ceildiv(N, 64), ceildiv(N, 64)] {
  %pa = tile.partition %a by [64, 64] : !A
  %pb = tile.partition %b by [64, 64] : !B
  %py = tile.partition %y by [64, 64] : !Y
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %c1 = arith.constant 1 : index
  %i = tile.block_id 0
  %j = tile.block_id 1
  %o = tile.claim %py[%i, %j] : !PY
  %c = arith.cmpi sle, %j, %i : index
  %acc = scf.if %c -> (vector<64x64xf32>) {
    %i1 = arith.addi %i, %c1 : index
    %acc_3 = scf.for %k = %j to %i1 step %c1 iter_args(%acc_2 = %zero) -> (vector<64x64xf32>) {
      %av = tile.load %pa[%i, %k] pad(zero) : !PA
      %bv = tile.load %pb[%k, %j] pad(zero) : !PB
      %acc_4 = tile.mma %av, %bv, %acc_2 : vector<64x64xf32>, vector<64x64xf32>, vector<64x64xf32>
      scf.yield %acc_4 : vector<64x64xf32>
    }
    scf.yield %acc_3 : vector<64x64xf32>
  } else {
    scf.yield %zero : vector<64x64xf32>
  }
  tile.store %acc, %o : !SY
}
