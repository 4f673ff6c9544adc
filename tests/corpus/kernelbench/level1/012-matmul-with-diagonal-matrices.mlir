// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/12_Matmul_with_diagonal_matrices_.py
// A diagonal matrix times a matrix.
!A = !tile.tensor<[N] x f32, shared>
!PA = !tile.partition<[64], [N] x f32, shared>
!B = !tile.tensor<[N, M] x f32, shared>
!PB = !tile.partition<[64, 64], [N, M] x f32, shared>
!Y = !tile.tensor<[N, M] x f32, out>
!PY = !tile.partition<[64, 64], [N, M] x f32, out>
!SY = !tile.piece<[64, 64] x f32, out>
tile.kernel @kmatmul_with_diagonal_matrices(%a: !A, %b: !B, %y: !Y) grid [ceildiv(N, 64), ceildiv(M, 64)] {
  %pa = tile.partition %a by [64] : !A
  %pb = tile.partition %b by [64, 64] : !B
  %py = tile.partition %y by [64, 64] : !Y
  %i = tile.block_id 0
  %j = tile.block_id 1
  %o = tile.claim %py[%i, %j] : !PY
  %d = tile.load %pa[%i] pad(zero) : !PA
  %d1 = vector.shape_cast %d : vector<64xf32> to vector<64x1xf32>
  %db = vector.broadcast %d1 : vector<64x1xf32> to vector<64x64xf32>
  %v = tile.load %pb[%i, %j] pad(zero) : !PB
  %r = arith.mulf %db, %v : vector<64x64xf32>
  tile.store %r, %o : !SY
}
