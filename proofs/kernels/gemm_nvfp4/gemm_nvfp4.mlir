// z[M, N] = alpha * x[M, K] y[N, K]^T in NVFP4 by block-scaled products: every 16
// elements of a row share a scale.
// any M, N and K = 16 * KS, zero and ragged included
!X = !tile.tensor<[M, K] x f4E2M1FN, shared>
!XS = !tile.tensor<[M, KS] x f8E4M3FN, shared>
!Y = !tile.tensor<[N, K] x f4E2M1FN, shared>
!YS = !tile.tensor<[N, KS] x f8E4M3FN, shared>
!Z = !tile.tensor<[M, N] x f32, out>
!PX = !tile.partition<[128, 128], [M, K] x f4E2M1FN, shared>
!PXS = !tile.partition<[128, 8], [M, KS] x f8E4M3FN, shared>
!PY = !tile.partition<[128, 128], [N, K] x f4E2M1FN, shared>
!PYS = !tile.partition<[128, 8], [N, KS] x f8E4M3FN, shared>
!PZ = !tile.partition<[128, 128], [M, N] x f32, out>
!P = !tile.piece<[128, 128] x f32, out>
tile.kernel @gemm_nvfp4(%x: !X, %x_scales: !XS, %y: !Y, %y_scales: !YS, %z: !Z, %alpha: f32)
    grid [ceildiv(M, 128), ceildiv(N, 128)] requires [K == 16 * KS] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<128x128xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %px = tile.partition %x by [128, 128] : !X
  %pxs = tile.partition %x_scales by [128, 8] : !XS
  %py = tile.partition %y by [128, 128] : !Y
  %pys = tile.partition %y_scales by [128, 8] : !YS
  %pz = tile.partition %z by [128, 128] : !Z
  %out = tile.claim %pz[%i, %j] : !PZ
  %n = tile.num_tiles %px, 1 : !PX
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<128x128xf32>) {
    %a = tile.load %px[%i, %k] pad(zero) : !PX
    %as = tile.load %pxs[%i, %k] pad(zero) : !PXS
    %b = tile.load %py[%j, %k] pad(zero) : !PY
    %bs = tile.load %pys[%j, %k] pad(zero) : !PYS
    %bt = vector.transpose %b, [1, 0] : vector<128x128xf4E2M1FN> to vector<128x128xf4E2M1FN>
    %bst = vector.transpose %bs, [1, 0] : vector<128x8xf8E4M3FN> to vector<8x128xf8E4M3FN>
    %next = tile.mma_scaled %a, %bt, %acc, %as, %bst : vector<128x128xf4E2M1FN>, vector<128x128xf4E2M1FN>, vector<128x128xf32>, vector<128x8xf8E4M3FN>, vector<8x128xf8E4M3FN>
    scf.yield %next : vector<128x128xf32>
  }
  %factor = vector.broadcast %alpha : f32 to vector<128x128xf32>
  %product = arith.mulf %sum, %factor : vector<128x128xf32>
  tile.store %product, %out : !P
}
