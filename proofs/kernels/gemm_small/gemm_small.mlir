// C[M, N] = A[M, K] * B[K, N], factors in bf16, sums in f32, in small tiles: for
// products that big tiles would leave most of the machine idle with
!A = !tile.tensor<[M, K] x bf16, shared>
!B = !tile.tensor<[K, N] x bf16, shared>
!C = !tile.tensor<[M, N] x f32, out>
!PA = !tile.partition<[64, 64], [M, K] x bf16, shared>
!PB = !tile.partition<[64, 128], [K, N] x bf16, shared>
!PC = !tile.partition<[64, 128], [M, N] x f32, out>
!P = !tile.piece<[64, 128] x f32, out>
tile.kernel @gemm_small(%a: !A, %b: !B, %c: !C) grid [ceildiv(M, 64), ceildiv(N, 128)] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x128xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %pa = tile.partition %a by [64, 64] : !A
  %pb = tile.partition %b by [64, 128] : !B
  %pc = tile.partition %c by [64, 128] : !C
  %out = tile.claim %pc[%i, %j] : !PC
  %n = tile.num_tiles %pa, 1 : !PA
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<64x128xf32>) {
    %x = tile.load %pa[%i, %k] pad(zero) : !PA
    %y = tile.load %pb[%k, %j] pad(zero) : !PB
    %next = tile.mma %x, %y, %acc : vector<64x64xbf16>, vector<64x128xbf16>, vector<64x128xf32>
    scf.yield %next : vector<64x128xf32>
  }
  tile.store %sum, %out : !P
}
