// expect: VERIFIED
// source: NVIDIA/cutile-python@9c3ee3c test/kernels/vec_add.py, vec_add_kernel_1d
// A sum of vectors.
!A = !tile.tensor<[N] x f32, shared>
!PA = !tile.partition<[1024], [N] x f32, shared>
!B = !tile.tensor<[N] x f32, shared>
!PB = !tile.partition<[1024], [N] x f32, shared>
!Z = !tile.tensor<[N] x f32, out>
!PZ = !tile.partition<[1024], [N] x f32, out>
!SZ = !tile.piece<[1024] x f32, out>
tile.kernel @vec_add_1d(%a: !A, %b: !B, %z: !Z) grid [ceildiv(N, 1024)] {
  %pa = tile.partition %a by [1024] : !A
  %pb = tile.partition %b by [1024] : !B
  %pz = tile.partition %z by [1024] : !Z
  %i = tile.block_id 0
  %u = tile.load %pa[%i] pad(zero) : !PA
  %v = tile.load %pb[%i] pad(zero) : !PB
  %w = arith.addf %u, %v : vector<1024xf32>
  %o = tile.claim %pz[%i] : !PZ
  tile.store %w, %o : !SZ
}
