// y[M, N] = softmax over each row of x[M, N] in f32; a row of -inf gives nan
// any M and N, zero and ragged included
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!PX = !tile.partition<[_, 4096], [M, N] x f32, shared>
!PY = !tile.partition<[_, 4096], [M, N] x f32, out>
!P = !tile.piece<[_, 4096] x f32, out>
tile.kernel @softmax(%x: !X, %y: !Y) grid [M] hints {sm_90 = {worker_warps = 8, occupancy = 4}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<4096xf32>
  %lowest = arith.constant dense<0xFF800000> : vector<4096xf32>
  %row = tile.block_id 0
  %px = tile.partition %x by [_, 4096] : !X
  %py = tile.partition %y by [_, 4096] : !Y
  %n = tile.num_tiles %px, 1 : !PX

  // The largest element of the row. Padding is -inf, so that it never wins.
  %maxima = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %lowest) -> (vector<4096xf32>) {
    %tile = tile.load %px[%row, %k] pad(neg_inf) : !PX
    %next = arith.maximumf %acc, %tile : vector<4096xf32>
    scf.yield %next : vector<4096xf32>
  }
  %max = tile.reduce max %maxima, 0 : vector<4096xf32>
  %shift = vector.broadcast %max : f32 to vector<4096xf32>

  // The sum of the exponentials. Padding adds exp(-inf) = 0.
  %sums = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<4096xf32>) {
    %tile = tile.load %px[%row, %k] pad(neg_inf) : !PX
    %below = arith.subf %tile, %shift : vector<4096xf32>
    %exp = math.exp %below : vector<4096xf32>
    %next = arith.addf %acc, %exp : vector<4096xf32>
    scf.yield %next : vector<4096xf32>
  }
  %sum = tile.reduce add %sums, 0 : vector<4096xf32>
  %scale = vector.broadcast %sum : f32 to vector<4096xf32>

  scf.for %k = %c0 to %n step %c1 {
    %out = tile.claim %py[%row, %k] : !PY
    %tile = tile.load %px[%row, %k] pad(neg_inf) : !PX
    %below = arith.subf %tile, %shift : vector<4096xf32>
    %exp = math.exp %below : vector<4096xf32>
    %share = arith.divf %exp, %scale : vector<4096xf32>
    tile.store %share, %out : !P
  }
}
