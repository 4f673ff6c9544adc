// expect: VERIFIED
// y[n] = sum over k of w[n, k] s[n, k / 128] x[k], w in i4, s and x in f16
// any N and even K
!W = !tile.tensor<[N, K] x i4, shared>
!S = !tile.tensor<[N, KG] x f16, shared>
!X = !tile.tensor<[K] x f16, shared>
!Y = !tile.tensor<[N] x f16, out>
!PW = !tile.partition<[32, 128], [N, K] x i4, shared>
!PS = !tile.partition<[32, _], [N, KG] x f16, shared>
!PX = !tile.partition<[128], [K] x f16, shared>
!PY = !tile.partition<[32], [N] x f16, out>
!O = !tile.piece<[32] x f16, out>
tile.kernel @gemv_w4a16(%w: !W, %s: !S, %x: !X, %y: !Y) grid [ceildiv(N, 32)]
    requires [KG == ceildiv(K, 128), mod(K, 2) == 0] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<32x128xf32>
  %i = tile.block_id 0
  %pw = tile.partition %w by [32, 128] : !W
  %ps = tile.partition %s by [32, _] : !S
  %px = tile.partition %x by [128] : !X
  %py = tile.partition %y by [32] : !Y
  %out = tile.claim %py[%i] : !PY
  %groups = tile.num_tiles %pw, 1 : !PW
  %accs = scf.for %k = %c0 to %groups step %c1 iter_args(%acc = %zero) -> (vector<32x128xf32>) {
    %w4 = tile.load %pw[%i, %k] pad(zero) : !PW
    %w8 = arith.extsi %w4 : vector<32x128xi4> to vector<32x128xi8>
    %wf = arith.sitofp %w8 : vector<32x128xi8> to vector<32x128xf32>
    %st = tile.load %ps[%i, %k] pad(zero) : !PS
    %sf = arith.extf %st : vector<32xf16> to vector<32xf32>
    %sc = vector.shape_cast %sf : vector<32xf32> to vector<32x1xf32>
    %sb = vector.broadcast %sc : vector<32x1xf32> to vector<32x128xf32>
    %xt = tile.load %px[%k] pad(zero) : !PX
    %xf = arith.extf %xt : vector<128xf16> to vector<128xf32>
    %xb = vector.broadcast %xf : vector<128xf32> to vector<32x128xf32>
    %ws = arith.mulf %wf, %sb : vector<32x128xf32>
    %next = math.fma %ws, %xb, %acc : vector<32x128xf32>
    scf.yield %next : vector<32x128xf32>
  }
  %sum = tile.reduce add %accs, 1 : vector<32x128xf32>
  %r = arith.truncf %sum : vector<32xf32> to vector<32xf16>
  tile.store %r, %out : !O
}
