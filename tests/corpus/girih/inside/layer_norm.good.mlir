// expect: VERIFIED
// y = (x - mean) / sqrt(var + eps) * w + b of each row, any M and N. Lanes behind
// the row would add the square of the mean to the variance.
!X = !tile.tensor<[M, N] x bf16, shared>
!W = !tile.tensor<[N] x bf16, shared>
!Y = !tile.tensor<[M, N] x bf16, out>
!S = !tile.tensor<[M] x f32, out>
!PX = !tile.partition<[_, 1024], [M, N] x bf16, shared>
!PW = !tile.partition<[1024], [N] x bf16, shared>
!PY = !tile.partition<[_, 1024], [M, N] x bf16, out>
!PS = !tile.partition<[_], [M] x f32, out>
!OY = !tile.piece<[_, 1024] x bf16, out>
!OS = !tile.piece<[_] x f32, out>
tile.kernel @layer_norm(%x: !X, %w: !W, %b: !W, %y: !Y, %mean: !S, %rstd: !S, %eps: f32) grid [M] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<1024xf32>
  %row = tile.block_id 0
  %n = tile.symbol "N" : index
  %n64 = arith.index_cast %n : index to i64
  %count = arith.sitofp %n64 : i64 to f32
  %px = tile.partition %x by [_, 1024] : !X
  %pw = tile.partition %w by [1024] : !W
  %pb = tile.partition %b by [1024] : !W
  %py = tile.partition %y by [_, 1024] : !Y
  %pm = tile.partition %mean by [_] : !S
  %pr = tile.partition %rstd by [_] : !S
  %om = tile.claim %pm[%row] : !PS
  %or = tile.claim %pr[%row] : !PS
  %tiles = tile.num_tiles %px, 1 : !PX
  %sums = scf.for %k = %c0 to %tiles step %c1 iter_args(%acc = %zero) -> (vector<1024xf32>) {
    %t = tile.load %px[%row, %k] pad(zero) : !PX
    %t32 = arith.extf %t : vector<1024xbf16> to vector<1024xf32>
    %next = arith.addf %acc, %t32 : vector<1024xf32>
    scf.yield %next : vector<1024xf32>
  }
  %sum = tile.reduce add %sums, 0 : vector<1024xf32>
  %mu = arith.divf %sum, %count : f32
  %mus = vector.broadcast %mu : f32 to vector<1024xf32>
  %sqs = scf.for %k = %c0 to %tiles step %c1 iter_args(%acc = %zero) -> (vector<1024xf32>) {
    %t = tile.load %px[%row, %k] pad(zero) : !PX
    %t32 = arith.extf %t : vector<1024xbf16> to vector<1024xf32>
    %d = arith.subf %t32, %mus : vector<1024xf32>
    %in = tile.inside %px[%row, %k] : !PX
    %dm = arith.select %in, %d, %zero : vector<1024xi1>, vector<1024xf32>
    %next = math.fma %dm, %dm, %acc : vector<1024xf32>
    scf.yield %next : vector<1024xf32>
  }
  %sq = tile.reduce add %sqs, 0 : vector<1024xf32>
  %var = arith.divf %sq, %count : f32
  %vareps = arith.addf %var, %eps : f32
  %rs = math.rsqrt %vareps : f32
  %rss = vector.broadcast %rs : f32 to vector<1024xf32>
  tile.store %mu, %om : !OS
  tile.store %rs, %or : !OS
  scf.for %k = %c0 to %tiles step %c1 {
    %out = tile.claim %py[%row, %k] : !PY
    %t = tile.load %px[%row, %k] pad(zero) : !PX
    %wt = tile.load %pw[%k] pad(zero) : !PW
    %bt = tile.load %pb[%k] pad(zero) : !PW
    %t32 = arith.extf %t : vector<1024xbf16> to vector<1024xf32>
    %w32 = arith.extf %wt : vector<1024xbf16> to vector<1024xf32>
    %b32 = arith.extf %bt : vector<1024xbf16> to vector<1024xf32>
    %d = arith.subf %t32, %mus : vector<1024xf32>
    %h = arith.mulf %d, %rss : vector<1024xf32>
    %r = math.fma %h, %w32, %b32 : vector<1024xf32>
    %y16 = arith.truncf %r : vector<1024xf32> to vector<1024xbf16>
    tile.store %y16, %out : !OY
  }
}
