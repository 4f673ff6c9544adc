// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/5_Matrix_scalar_multiplication.py
// A matrix times a number.
!A = !tile.tensor<[M, N] x f32, shared>
!PA = !tile.partition<[64, 64], [M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!PY = !tile.partition<[64, 64], [M, N] x f32, out>
!SY = !tile.piece<[64, 64] x f32, out>
tile.kernel @kmatrix_scalar_multiplication(%a: !A, %y: !Y, %s: f32) grid [ceildiv(M, 64), ceildiv(N, 64)] {
  %pa = tile.partition %a by [64, 64] : !A
  %py = tile.partition %y by [64, 64] : !Y
  %i = tile.block_id 0
  %j = tile.block_id 1
  %o = tile.claim %py[%i, %j] : !PY
  %v = tile.load %pa[%i, %j] pad(zero) : !PA
  %sv = vector.broadcast %s : f32 to vector<64x64xf32>
  %r = arith.mulf %v, %sv : vector<64x64xf32>
  tile.store %r, %o : !SY
}
