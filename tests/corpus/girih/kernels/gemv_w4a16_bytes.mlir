// expect: VERIFIED
// y[n] = sum over k of w[n, k] s[n, k / 128] x[k]; w as bytes of two, the even one low,
// since tile-compile has no i4
// any N; K = 2 H
!W = !tile.tensor<[N, H] x i8, shared>
!S = !tile.tensor<[N, KG] x f16, shared>
!X = !tile.tensor<[K] x f16, shared>
!X2 = !tile.tensor<[H, 2] x f16, shared>
!XH = !tile.tensor<[H] x f16, shared>
!Y = !tile.tensor<[N] x f16, out>
!PW = !tile.partition<[32, 64], [N, H] x i8, shared>
!PS = !tile.partition<[32, _], [N, KG] x f16, shared>
!PX = !tile.partition<[64], [H] x f16, shared>
!PY = !tile.partition<[32], [N] x f16, out>
!O = !tile.piece<[32] x f16, out>
func.func private @times(%w: vector<32x64xi8>, %x: vector<64xf16>) -> vector<32x64xf32> {
  %wf = arith.sitofp %w : vector<32x64xi8> to vector<32x64xf32>
  %xf = arith.extf %x : vector<64xf16> to vector<64xf32>
  %xb = vector.broadcast %xf : vector<64xf32> to vector<32x64xf32>
  %r = arith.mulf %wf, %xb : vector<32x64xf32>
  func.return %r : vector<32x64xf32>
}
tile.kernel @gemv_w4a16(%w: !W, %s: !S, %x: !X, %y: !Y) grid [ceildiv(N, 32)]
    requires [K == 2 * H, KG == ceildiv(H, 64)] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %four = arith.constant dense<4> : vector<32x64xi8>
  %zero = arith.constant dense<0.0> : vector<32x64xf32>
  %i = tile.block_id 0
  %x2 = tile.view %x unfold 0 by [H, 2] : !X
  %xe = tile.view %x2 fix 1 at 0 : !X2
  %xo = tile.view %x2 fix 1 at 1 : !X2
  %pw = tile.partition %w by [32, 64] : !W
  %ps = tile.partition %s by [32, _] : !S
  %pe = tile.partition %xe by [64] : !XH
  %po = tile.partition %xo by [64] : !XH
  %py = tile.partition %y by [32] : !Y
  %out = tile.claim %py[%i] : !PY
  %groups = tile.num_tiles %pw, 1 : !PW
  %accs = scf.for %k = %c0 to %groups step %c1 iter_args(%acc = %zero) -> (vector<32x64xf32>) {
    %b = tile.load %pw[%i, %k] pad(zero) : !PW
    %up = arith.shli %b, %four : vector<32x64xi8>
    %lo = arith.shrsi %up, %four : vector<32x64xi8>
    %hi = arith.shrsi %b, %four : vector<32x64xi8>
    %st = tile.load %ps[%i, %k] pad(zero) : !PS
    %sf = arith.extf %st : vector<32xf16> to vector<32xf32>
    %sc = vector.shape_cast %sf : vector<32xf32> to vector<32x1xf32>
    %sb = vector.broadcast %sc : vector<32x1xf32> to vector<32x64xf32>
    %even = tile.load %pe[%k] pad(zero) : !PX
    %odd = tile.load %po[%k] pad(zero) : !PX
    %pe1 = func.call @times(%lo, %even) : (vector<32x64xi8>, vector<64xf16>) -> vector<32x64xf32>
    %po1 = func.call @times(%hi, %odd) : (vector<32x64xi8>, vector<64xf16>) -> vector<32x64xf32>
    %both = arith.addf %pe1, %po1 : vector<32x64xf32>
    %next = math.fma %both, %sb, %acc : vector<32x64xf32>
    scf.yield %next : vector<32x64xf32>
  }
  %sum = tile.reduce add %accs, 1 : vector<32x64xf32>
  %r = arith.truncf %sum : vector<32xf32> to vector<32xf16>
  tile.store %r, %out : !O
}
