// y[M, N] = softmax over each row of x[M, N] in f32, a row a block, in one tile: each
// element is read once; a row of -inf gives nan
// any M, and N up to 8192, zero and ragged included
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!PX = !tile.partition<[_, 8192], [M, N] x f32, shared>
!PY = !tile.partition<[_, 8192], [M, N] x f32, out>
!P = !tile.piece<[_, 8192] x f32, out>
tile.kernel @softmax_row(%x: !X, %y: !Y) grid [M] requires [N <= 8192]
    hints {sm_90 = {worker_warps = 8, occupancy = 3, tma = 0}} {
  %c0 = arith.constant 0 : index
  %row = tile.block_id 0
  %px = tile.partition %x by [_, 8192] : !X
  %py = tile.partition %y by [_, 8192] : !Y
  %n = tile.num_tiles %px, 1 : !PX
  %some = arith.cmpi sgt, %n, %c0 : index
  scf.if %some {
    %out = tile.claim %py[%row, %c0] : !PY
    // Padding is -inf: it never wins, and its exponential is 0.
    %tile = tile.load %px[%row, %c0] pad(neg_inf) : !PX
    %max = tile.reduce max %tile, 0 : vector<8192xf32>
    %shift = vector.broadcast %max : f32 to vector<8192xf32>
    %below = arith.subf %tile, %shift : vector<8192xf32>
    %exp = math.exp %below : vector<8192xf32>
    %sum = tile.reduce add %exp, 0 : vector<8192xf32>
    %scale = vector.broadcast %sum : f32 to vector<8192xf32>
    %share = arith.divf %exp, %scale : vector<8192xf32>
    tile.store %share, %out : !P
  }
}
