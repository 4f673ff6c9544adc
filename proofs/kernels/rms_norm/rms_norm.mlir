// y[m, n] = x[m, n] * weight[n] / sqrt(mean over n of x[m, n]^2 + eps), in bf16
// any M and N, zero and ragged included
!X = !tile.tensor<[M, N] x bf16, shared>
!W = !tile.tensor<[N] x bf16, shared>
!Y = !tile.tensor<[M, N] x bf16, out>
!PX = !tile.partition<[_, 2048], [M, N] x bf16, shared>
!PW = !tile.partition<[2048], [N] x bf16, shared>
!PY = !tile.partition<[_, 2048], [M, N] x bf16, out>
!P = !tile.piece<[_, 2048] x bf16, out>
tile.kernel @rms_norm(%x: !X, %weight: !W, %y: !Y, %eps: f32) grid [M] hints {sm_90 = {occupancy = 8}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<2048xf32>
  %row = tile.block_id 0
  %px = tile.partition %x by [_, 2048] : !X
  %pw = tile.partition %weight by [2048] : !W
  %py = tile.partition %y by [_, 2048] : !Y
  %tiles = tile.num_tiles %px, 1 : !PX

  %squares = scf.for %k = %c0 to %tiles step %c1 iter_args(%acc = %zero) -> (vector<2048xf32>) {
    %tile = tile.load %px[%row, %k] pad(zero) : !PX
    %wide = arith.extf %tile : vector<2048xbf16> to vector<2048xf32>
    %square = arith.mulf %wide, %wide : vector<2048xf32>
    %next = arith.addf %acc, %square : vector<2048xf32>
    scf.yield %next : vector<2048xf32>
  }
  %sum = tile.reduce add %squares, 0 : vector<2048xf32>
  %n = tile.symbol "N" : index
  %n64 = arith.index_cast %n : index to i64
  %count = arith.sitofp %n64 : i64 to f32
  %mean = arith.divf %sum, %count : f32
  %positive = arith.addf %mean, %eps : f32
  %inverse = math.rsqrt %positive : f32
  %scale = vector.broadcast %inverse : f32 to vector<2048xf32>

  scf.for %k = %c0 to %tiles step %c1 {
    %out = tile.claim %py[%row, %k] : !PY
    %tile = tile.load %px[%row, %k] pad(zero) : !PX
    %wide = arith.extf %tile : vector<2048xbf16> to vector<2048xf32>
    %unit = arith.mulf %wide, %scale : vector<2048xf32>
    %w = tile.load %pw[%k] pad(zero) : !PW
    %w32 = arith.extf %w : vector<2048xbf16> to vector<2048xf32>
    %product = arith.mulf %unit, %w32 : vector<2048xf32>
    %narrow = arith.truncf %product : vector<2048xf32> to vector<2048xbf16>
    tile.store %narrow, %out : !P
  }
}
