// expect: VERIFIED
// source: siboehm/SGEMM_CUDA#20
// As many blocks as tiles.
!A = !tile.tensor<[M, K] x f32, shared>
!PA = !tile.partition<[32, 32], [M, K] x f32, shared>
!B = !tile.tensor<[K, N] x f32, shared>
!PB = !tile.partition<[32, 32], [K, N] x f32, shared>
!Z = !tile.tensor<[M, N] x f32, out>
!PZ = !tile.partition<[32, 32], [M, N] x f32, out>
!SZ = !tile.piece<[32, 32] x f32, out>
tile.kernel @unwritten_edge(%a: !A, %b: !B, %z: !Z) grid [ceildiv(M, 32), ceildiv(N, 32)] {
  %pa = tile.partition %a by [32, 32] : !A
  %pb = tile.partition %b by [32, 32] : !B
  %pz = tile.partition %z by [32, 32] : !Z
  %zero = arith.constant dense<0.0> : vector<32x32xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = tile.block_id 0
  %j = tile.block_id 1
  %o = tile.claim %pz[%i, %j] : !PZ
  %n = tile.num_tiles %pa, 1 : !PA
  %acc_2 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<32x32xf32>) {
    %u = tile.load %pa[%i, %k] pad(zero) : !PA
    %w = tile.load %pb[%k, %j] pad(zero) : !PB
    %acc_3 = tile.mma %u, %w, %acc : vector<32x32xf32>, vector<32x32xf32>, vector<32x32xf32>
    scf.yield %acc_3 : vector<32x32xf32>
  }
  tile.store %acc_2, %o : !SZ
}
