// Attention over splits of the keys to attention over all of them: the partial
// outputs, each weighed by 2^lse and divided by the sum of the weights, in bf16,
// heads of 128. A split without keys has an lse of -inf and counts nothing; where
// all are such, the output is 0.
// any B, H and P (splits), zero included
!X = !tile.tensor<[B, P, H, 128] x f32, shared>
!L = !tile.tensor<[B, P, H] x f32, shared>
!Y = !tile.tensor<[B, H, 128] x bf16, out>
!PX = !tile.partition<[_, _, 16, 128], [B, P, H, 128] x f32, shared>
!PL = !tile.partition<[_, _, 16], [B, P, H] x f32, shared>
!PY = !tile.partition<[_, 16, 128], [B, H, 128] x bf16, out>
!O = !tile.piece<[_, 16, 128] x bf16, out>
tile.kernel @attention_merge(%partial: !X, %lse: !L, %y: !Y) grid [B, ceildiv(H, 16)]
    hints {sm_90 = {occupancy = 8}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %lowest = arith.constant dense<-1.0e30> : vector<16xf32>
  %none = arith.constant dense<0.0> : vector<16xf32>
  %zero = arith.constant dense<0.0> : vector<16x128xf32>
  %tiny = arith.constant dense<1.0e-30> : vector<16xf32>
  %b = tile.block_id 0
  %h = tile.block_id 1
  %splits = tile.symbol "P" : index
  %px = tile.partition %partial by [_, _, 16, 128] : !X
  %pl = tile.partition %lse by [_, _, 16] : !L
  %py = tile.partition %y by [_, 16, 128] : !Y
  %out = tile.claim %py[%b, %h, %c0] : !PY
  %max = scf.for %p = %c0 to %splits step %c1 iter_args(%m = %lowest) -> (vector<16xf32>) {
    %l = tile.load %pl[%b, %p, %h] pad(neg_inf) : !PL
    %next = arith.maximumf %m, %l : vector<16xf32>
    scf.yield %next : vector<16xf32>
  }
  %total, %sum = scf.for %p = %c0 to %splits step %c1 iter_args(%t = %none, %acc = %zero) -> (vector<16xf32>, vector<16x128xf32>) {
    %l = tile.load %pl[%b, %p, %h] pad(neg_inf) : !PL
    %below = arith.subf %l, %max : vector<16xf32>
    %weight = math.exp2 %below : vector<16xf32>
    %column = vector.shape_cast %weight : vector<16xf32> to vector<16x1xf32>
    %weights = vector.broadcast %column : vector<16x1xf32> to vector<16x128xf32>
    %x = tile.load %px[%b, %p, %h, %c0] pad(zero) : !PX
    %share = arith.mulf %x, %weights : vector<16x128xf32>
    %t1 = arith.addf %t, %weight : vector<16xf32>
    %acc1 = arith.addf %acc, %share : vector<16x128xf32>
    scf.yield %t1, %acc1 : vector<16xf32>, vector<16x128xf32>
  }
  %safe = arith.maximumf %total, %tiny : vector<16xf32>
  %column = vector.shape_cast %safe : vector<16xf32> to vector<16x1xf32>
  %scale = vector.broadcast %column : vector<16x1xf32> to vector<16x128xf32>
  %mean = arith.divf %sum, %scale : vector<16x128xf32>
  %narrow = arith.truncf %mean : vector<16x128xf32> to vector<16x128xbf16>
  tile.store %narrow, %out : !O
}
