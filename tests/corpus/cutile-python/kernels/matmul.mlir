// expect: VERIFIED
// source: NVIDIA/cutile-python@9c3ee3c test/kernels/matmul.py, matmul_kernel
// A GEMM in groups of eight rows of tiles; within a group the rows begin at the
// block id modulo the size of the group.
!A = !tile.tensor<[M, K] x f16, shared>
!PA = !tile.partition<[64, 32], [M, K] x f16, shared>
!B = !tile.tensor<[K, N] x f16, shared>
!PB = !tile.partition<[32, 64], [K, N] x f16, shared>
!Z = !tile.tensor<[M, N] x f32, own>
!PZ = !tile.partition<[64, 64], [M, N] x f32, own>
!SZ = !tile.piece<[64, 64] x f32, own>
tile.kernel @matmul(%a: !A, %b: !B, %z: !Z) grid [ceildiv(M, 64) * ceildiv(N, 64)] {
  %pa = tile.partition %a by [64, 32] : !A
  %pb = tile.partition %b by [32, 64] : !B
  %pz = tile.partition %z by [64, 64] : !Z
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = tile.block_id 0
  %gm = tile.num_tiles %pz, 0 : !PZ
  %gn = tile.num_tiles %pz, 1 : !PZ
  %width = arith.muli %gn, %c8 : index
  %group = arith.divsi %p, %width : index
  %first = arith.muli %group, %c8 : index
  %left = arith.subi %gm, %first : index
  %size = arith.minsi %left, %c8 : index
  %turn = arith.remsi %p, %size : index
  %i = arith.addi %first, %turn : index
  %rest = arith.remsi %p, %width : index
  %j = arith.divsi %rest, %size : index
  %kt = tile.num_tiles %pa, 1 : !PA
  %acc_2 = scf.for %k = %c0 to %kt step %c1 iter_args(%acc = %zero) -> (vector<64x64xf32>) {
    %av = tile.load %pa[%i, %k] pad(zero) : !PA
    %bv = tile.load %pb[%k, %j] pad(zero) : !PB
    %acc_3 = tile.mma %av, %bv, %acc : vector<64x32xf16>, vector<32x64xf16>, vector<64x64xf32>
    scf.yield %acc_3 : vector<64x64xf32>
  }
  %o = tile.claim %pz[%i, %j] : !PZ
  tile.store %acc_2, %o : !SZ
}
