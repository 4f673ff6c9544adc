// y[m, n] = x[m, n] * weight[n] / sqrt(mean over n of x[m, n]^2 + eps), in bf16, a row
// a block, in one tile: each element of x is read once
// any M, and N up to 8192, zero and ragged included
!X = !tile.tensor<[M, N] x bf16, shared>
!W = !tile.tensor<[N] x bf16, shared>
!Y = !tile.tensor<[M, N] x bf16, out>
!PX = !tile.partition<[_, 8192], [M, N] x bf16, shared>
!PW = !tile.partition<[8192], [N] x bf16, shared>
!PY = !tile.partition<[_, 8192], [M, N] x bf16, out>
!P = !tile.piece<[_, 8192] x bf16, out>
tile.kernel @rms_norm_row(%x: !X, %weight: !W, %y: !Y, %eps: f32) grid [M]
    requires [N <= 8192] hints {sm_90 = {occupancy = 4}} {
  %c0 = arith.constant 0 : index
  %row = tile.block_id 0
  %px = tile.partition %x by [_, 8192] : !X
  %pw = tile.partition %weight by [8192] : !W
  %py = tile.partition %y by [_, 8192] : !Y
  %tiles = tile.num_tiles %px, 1 : !PX
  %some = arith.cmpi sgt, %tiles, %c0 : index
  scf.if %some {
    %out = tile.claim %py[%row, %c0] : !PY
    %tile = tile.load %px[%row, %c0] pad(zero) : !PX
    %w = tile.load %pw[%c0] pad(zero) : !PW
    %wide = arith.extf %tile : vector<8192xbf16> to vector<8192xf32>
    %square = arith.mulf %wide, %wide : vector<8192xf32>
    %sum = tile.reduce add %square, 0 : vector<8192xf32>
    %n = tile.symbol "N" : index
    %n64 = arith.index_cast %n : index to i64
    %count = arith.sitofp %n64 : i64 to f32
    %mean = arith.divf %sum, %count : f32
    %positive = arith.addf %mean, %eps : f32
    %inverse = math.rsqrt %positive : f32
    %scale = vector.broadcast %inverse : f32 to vector<8192xf32>
    %unit = arith.mulf %wide, %scale : vector<8192xf32>
    %w32 = arith.extf %w : vector<8192xbf16> to vector<8192xf32>
    %product = arith.mulf %unit, %w32 : vector<8192xf32>
    %narrow = arith.truncf %product : vector<8192xf32> to vector<8192xbf16>
    tile.store %narrow, %out : !P
  }
}
