// y[M, N] = softmax over each row of x[M, N] in f32, a row a block, in one
// tile: each element is read once; a row of -inf gives nan any M, and N up to
// 8192, zero and ragged included
// generated from norm.cpp
!X = !tile.tensor<[M, N] x f32, shared, strides [ldx, 1]>
!Y = !tile.tensor<[M, N] x f32, out, strides [ldy, 1]>
!XTiles = !tile.partition<[_, 8192], [M, N] x f32, shared, strides [ldx, 1]>
!YTiles = !tile.partition<[_, 8192], [M, N] x f32, out, strides [ldy, 1]>
!YPiece = !tile.piece<[_, 8192] x f32, out>
tile.kernel @softmax_row(%x: !X, %y: !Y) symbols [ldx : index, ldy : index] grid [M]
    requires [N <= 8192] hints {sm_90 = {worker_warps = 8, occupancy = 3, tma = 0}} {
  %c0 = arith.constant 0 : index
  %row = tile.block_id 0
  %x_tiles = tile.partition %x by [_, 8192] : !X
  %y_tiles = tile.partition %y by [_, 8192] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles
  %is = arith.cmpi sgt, %n, %c0 : index
  scf.if %is {
    %y_piece = tile.claim %y_tiles[%row, %c0] : !YTiles
    %t = tile.load %x_tiles[%row, %c0] pad(neg_inf) : !XTiles
    %max = tile.reduce max %t, 0 : vector<8192xf32>
    %lanes = vector.broadcast %max : f32 to vector<8192xf32>
    %less = arith.subf %t, %lanes : vector<8192xf32>
    %e = math.exp %less : vector<8192xf32>
    %sum = tile.reduce add %e, 0 : vector<8192xf32>
    %lanes_1 = vector.broadcast %sum : f32 to vector<8192xf32>
    %quotient = arith.divf %e, %lanes_1 : vector<8192xf32>
    tile.store %quotient, %y_piece : !YPiece
  }
}
