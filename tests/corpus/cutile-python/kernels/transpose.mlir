// expect: VERIFIED
// source: NVIDIA/cutile-python@9c3ee3c test/kernels/transpose.py, transpose_kernel
// A transposition, tile by tile.
!X = !tile.tensor<[M, N] x f32, shared>
!PX = !tile.partition<[32, 64], [M, N] x f32, shared>
!Y = !tile.tensor<[N, M] x f32, out>
!PY = !tile.partition<[64, 32], [N, M] x f32, out>
!SY = !tile.piece<[64, 32] x f32, out>
tile.kernel @transpose(%x: !X, %y: !Y) grid [ceildiv(M, 32), ceildiv(N, 64)] {
  %px = tile.partition %x by [32, 64] : !X
  %py = tile.partition %y by [64, 32] : !Y
  %i = tile.block_id 0
  %j = tile.block_id 1
  %v = tile.load %px[%i, %j] pad(zero) : !PX
  %w = vector.transpose %v, [1, 0] : vector<32x64xf32> to vector<64x32xf32>
  %o = tile.claim %py[%j, %i] : !PY
  tile.store %w, %o : !SY
}
