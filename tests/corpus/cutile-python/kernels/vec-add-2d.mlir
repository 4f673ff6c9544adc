// expect: VERIFIED
// source: NVIDIA/cutile-python@9c3ee3c test/kernels/vec_add.py, vec_add_kernel_2d
// A sum of matrices.
!A = !tile.tensor<[M, N] x f32, shared>
!PA = !tile.partition<[16, 64], [M, N] x f32, shared>
!B = !tile.tensor<[M, N] x f32, shared>
!PB = !tile.partition<[16, 64], [M, N] x f32, shared>
!Z = !tile.tensor<[M, N] x f32, out>
!PZ = !tile.partition<[16, 64], [M, N] x f32, out>
!SZ = !tile.piece<[16, 64] x f32, out>
tile.kernel @vec_add_2d(%a: !A, %b: !B, %z: !Z) grid [ceildiv(M, 16), ceildiv(N, 64)] {
  %pa = tile.partition %a by [16, 64] : !A
  %pb = tile.partition %b by [16, 64] : !B
  %pz = tile.partition %z by [16, 64] : !Z
  %i = tile.block_id 0
  %j = tile.block_id 1
  %u = tile.load %pa[%i, %j] pad(zero) : !PA
  %v = tile.load %pb[%i, %j] pad(zero) : !PB
  %w = arith.addf %u, %v : vector<16x64xf32>
  %o = tile.claim %pz[%i, %j] : !PZ
  tile.store %w, %o : !SZ
}
