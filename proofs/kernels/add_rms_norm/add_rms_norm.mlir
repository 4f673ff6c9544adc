// sum = x + residual, y[m, n] = sum[m, n] * weight[n] / sqrt(mean over n of sum[m, n]^2 + eps)
// in bf16; the sum is rounded once, and the norm is of what was rounded, so
// that y is the norm of the residual that the next layer reads
// any M and N, zero and ragged included
!X = !tile.tensor<[M, N] x bf16, shared>
!W = !tile.tensor<[N] x bf16, shared>
!Y = !tile.tensor<[M, N] x bf16, out>
!PX = !tile.partition<[_, 2048], [M, N] x bf16, shared>
!PW = !tile.partition<[2048], [N] x bf16, shared>
!PY = !tile.partition<[_, 2048], [M, N] x bf16, out>
!P = !tile.piece<[_, 2048] x bf16, out>
tile.kernel @add_rms_norm(%x: !X, %residual: !X, %weight: !W, %sum: !Y, %y: !Y, %eps: f32) grid [M]
    hints {sm_90 = {occupancy = 8}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<2048xf32>
  %row = tile.block_id 0
  %px = tile.partition %x by [_, 2048] : !X
  %pr = tile.partition %residual by [_, 2048] : !X
  %pw = tile.partition %weight by [2048] : !W
  %ps = tile.partition %sum by [_, 2048] : !Y
  %py = tile.partition %y by [_, 2048] : !Y
  %tiles = tile.num_tiles %px, 1 : !PX

  %squares = scf.for %k = %c0 to %tiles step %c1 iter_args(%acc = %zero) -> (vector<2048xf32>) {
    %out = tile.claim %ps[%row, %k] : !PY
    %a = tile.load %px[%row, %k] pad(zero) : !PX
    %b = tile.load %pr[%row, %k] pad(zero) : !PX
    %a32 = arith.extf %a : vector<2048xbf16> to vector<2048xf32>
    %b32 = arith.extf %b : vector<2048xbf16> to vector<2048xf32>
    %c32 = arith.addf %a32, %b32 : vector<2048xf32>
    %c = arith.truncf %c32 : vector<2048xf32> to vector<2048xbf16>
    tile.store %c, %out : !P
    %wide = arith.extf %c : vector<2048xbf16> to vector<2048xf32>
    %square = arith.mulf %wide, %wide : vector<2048xf32>
    %next = arith.addf %acc, %square : vector<2048xf32>
    scf.yield %next : vector<2048xf32>
  }
  %total = tile.reduce add %squares, 0 : vector<2048xf32>
  %n = tile.symbol "N" : index
  %n64 = arith.index_cast %n : index to i64
  %count = arith.sitofp %n64 : i64 to f32
  %mean = arith.divf %total, %count : f32
  %positive = arith.addf %mean, %eps : f32
  %inverse = math.rsqrt %positive : f32
  %scale = vector.broadcast %inverse : f32 to vector<2048xf32>

  scf.for %k = %c0 to %tiles step %c1 {
    %out = tile.claim %py[%row, %k] : !PY
    %a = tile.load %px[%row, %k] pad(zero) : !PX
    %b = tile.load %pr[%row, %k] pad(zero) : !PX
    %a32 = arith.extf %a : vector<2048xbf16> to vector<2048xf32>
    %b32 = arith.extf %b : vector<2048xbf16> to vector<2048xf32>
    %c32 = arith.addf %a32, %b32 : vector<2048xf32>
    %c = arith.truncf %c32 : vector<2048xf32> to vector<2048xbf16>
    %wide = arith.extf %c : vector<2048xbf16> to vector<2048xf32>
    %unit = arith.mulf %wide, %scale : vector<2048xf32>
    %w = tile.load %pw[%k] pad(zero) : !PW
    %w32 = arith.extf %w : vector<2048xbf16> to vector<2048xf32>
    %product = arith.mulf %unit, %w32 : vector<2048xf32>
    %narrow = arith.truncf %product : vector<2048xf32> to vector<2048xbf16>
    tile.store %narrow, %out : !P
  }
}
