// expect: VERIFIED
// source: NVIDIA/cutile-python@9c3ee3c test/kernels/fused_moe.py, silu_and_mul_kernel
// Rows of up to 1024 in one tile.
!A = !tile.tensor<[M, N] x f32, shared>
!PA = !tile.partition<[_, 1024], [M, N] x f32, shared>
!B = !tile.tensor<[M, N] x f32, shared>
!PB = !tile.partition<[_, 1024], [M, N] x f32, shared>
!Z = !tile.tensor<[M, N] x f32, own>
!PZ = !tile.partition<[_, 1024], [M, N] x f32, own>
!SZ = !tile.piece<[_, 1024] x f32, own>
tile.kernel @silu_and_mul(%a: !A, %b: !B, %z: !Z) grid [M] requires [N >= 1, N <= 1024] {
  %pa = tile.partition %a by [_, 1024] : !A
  %pb = tile.partition %b by [_, 1024] : !B
  %pz = tile.partition %z by [_, 1024] : !Z
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1.0> : vector<1024xf32>
  %row = tile.block_id 0
  %u = tile.load %pa[%row, %c0] pad(zero) : !PA
  %v = tile.load %pb[%row, %c0] pad(zero) : !PB
  %n = arith.negf %u : vector<1024xf32>
  %e = math.exp %n : vector<1024xf32>
  %d = arith.addf %one, %e : vector<1024xf32>
  %s = arith.divf %u, %d : vector<1024xf32>
  %w = arith.mulf %s, %v : vector<1024xf32>
  %o = tile.claim %pz[%row, %c0] : !PZ
  tile.store %w, %o : !SZ
}
