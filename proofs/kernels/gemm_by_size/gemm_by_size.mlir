// C[M, N] = A[M, K] * B[K, N], factors in bf16, sums in f32: large tiles where
// there are enough of them for the machine, else small ones
!A = !tile.tensor<[M, K] x bf16, shared>
!B = !tile.tensor<[K, N] x bf16, shared>
!C = !tile.tensor<[M, N] x f32, out>
tile.variants @gemm_by_size [@large_tiles when (M * N >= 2097152), @small_tiles]

!LargeA = !tile.partition<[128, 64], [M, K] x bf16, shared>
!LargeB = !tile.partition<[64, 256], [K, N] x bf16, shared>
!LargeC = !tile.partition<[128, 256], [M, N] x f32, out>
!Large = !tile.piece<[128, 256] x f32, out>
tile.kernel @large_tiles(%a: !A, %b: !B, %c: !C) grid [ceildiv(M, 128), ceildiv(N, 256)]
    hints {sm_90 = {worker_warps = 8, occupancy = 1, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<128x256xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %pa = tile.partition %a by [128, 64] : !A
  %pb = tile.partition %b by [64, 256] : !B
  %pc = tile.partition %c by [128, 256] : !C
  %out = tile.claim %pc[%i, %j] : !LargeC
  %n = tile.num_tiles %pa, 1 : !LargeA
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<128x256xf32>) {
    %x = tile.load %pa[%i, %k] pad(zero) : !LargeA
    %y = tile.load %pb[%k, %j] pad(zero) : !LargeB
    %next = tile.mma %x, %y, %acc : vector<128x64xbf16>, vector<64x256xbf16>, vector<128x256xf32>
    scf.yield %next : vector<128x256xf32>
  }
  tile.store %sum, %out : !Large
}

!SmallA = !tile.partition<[64, 64], [M, K] x bf16, shared>
!SmallB = !tile.partition<[64, 128], [K, N] x bf16, shared>
!SmallC = !tile.partition<[64, 128], [M, N] x f32, out>
!Small = !tile.piece<[64, 128] x f32, out>
tile.kernel @small_tiles(%a: !A, %b: !B, %c: !C) grid [ceildiv(M, 64), ceildiv(N, 128)] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x128xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %pa = tile.partition %a by [64, 64] : !A
  %pb = tile.partition %b by [64, 128] : !B
  %pc = tile.partition %c by [64, 128] : !C
  %out = tile.claim %pc[%i, %j] : !SmallC
  %n = tile.num_tiles %pa, 1 : !SmallA
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<64x128xf32>) {
    %x = tile.load %pa[%i, %k] pad(zero) : !SmallA
    %y = tile.load %pb[%k, %j] pad(zero) : !SmallB
    %next = tile.mma %x, %y, %acc : vector<64x64xbf16>, vector<64x128xbf16>, vector<64x128xf32>
    scf.yield %next : vector<64x128xf32>
  }
  tile.store %sum, %out : !Small
}
