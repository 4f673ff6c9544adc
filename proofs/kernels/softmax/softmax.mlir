// y[M, N] = softmax over each row of x[M, N] in f32; a row of -inf gives nan.
// Short rows several a block, rows up to 32768 in one tile, longer ones in two
// passes; few rows have a block each. As measured by tile-tune.
// any M and N, zero and ragged included
// generated from norm.cpp
!X = !tile.tensor<[M, N] x f32, shared, strides [ldx, 1]>
!Y = !tile.tensor<[M, N] x f32, out, strides [ldy, 1]>
!XTiles = !tile.partition<[_, 2048], [M, N] x f32, shared, strides [ldx, 1]>
!YTiles = !tile.partition<[_, 2048], [M, N] x f32, out, strides [ldy, 1]>
!YPiece = !tile.piece<[_, 2048] x f32, out>
!XTiles_1 = !tile.partition<[16, 128], [M, N] x f32, shared, strides [ldx, 1]>
!YTiles_1 = !tile.partition<[16, 128], [M, N] x f32, out, strides [ldy, 1]>
!YPiece_1 = !tile.piece<[16, 128] x f32, out>
!XTiles_2 = !tile.partition<[4, 512], [M, N] x f32, shared, strides [ldx, 1]>
!YTiles_2 = !tile.partition<[4, 512], [M, N] x f32, out, strides [ldy, 1]>
!YPiece_2 = !tile.piece<[4, 512] x f32, out>
!XTiles_3 = !tile.partition<[8, 256], [M, N] x f32, shared, strides [ldx, 1]>
!YTiles_3 = !tile.partition<[8, 256], [M, N] x f32, out, strides [ldy, 1]>
!YPiece_3 = !tile.piece<[8, 256] x f32, out>
!XTiles_4 = !tile.partition<[2, 1024], [M, N] x f32, shared, strides [ldx, 1]>
!YTiles_4 = !tile.partition<[2, 1024], [M, N] x f32, out, strides [ldy, 1]>
!YPiece_4 = !tile.piece<[2, 1024] x f32, out>
!XTiles_5 = !tile.partition<[_, 4096], [M, N] x f32, shared, strides [ldx, 1]>
!YTiles_5 = !tile.partition<[_, 4096], [M, N] x f32, out, strides [ldy, 1]>
!YPiece_5 = !tile.piece<[_, 4096] x f32, out>
!XTiles_6 = !tile.partition<[_, 8192], [M, N] x f32, shared, strides [ldx, 1]>
!YTiles_6 = !tile.partition<[_, 8192], [M, N] x f32, out, strides [ldy, 1]>
!YPiece_6 = !tile.piece<[_, 8192] x f32, out>
!XTiles_7 = !tile.partition<[_, 32768], [M, N] x f32, shared, strides [ldx, 1]>
!YTiles_7 = !tile.partition<[_, 32768], [M, N] x f32, out, strides [ldy, 1]>
!YPiece_7 = !tile.piece<[_, 32768] x f32, out>
tile.variants @softmax [@softmax_row_2048_8_8 when (N <= 128, M * N <= 3328), @softmax_row_2048_8_4 when (N > 128, N <= 1024, M <= 384), @softmax_rows_16_128_4_12 when (N <= 128, M >= 131072), @softmax_rows_4_512_4_16 when (N > 256, N <= 512, M >= 131072), @softmax_rows_16_128_8_8 when (N <= 128), @softmax_rows_8_256_8_8 when (N <= 256), @softmax_rows_4_512_8_8 when (N <= 512), @softmax_rows_2_1024_4_12 when (N <= 1024), @softmax_row_2048_4_8 when (N <= 2048), @softmax_row_4096_8_8 when (N <= 4096), @softmax_row_8192_8_3 when (N <= 8192), @softmax_row_32768_16_1 when (N > 24576, N <= 32768), @softmax_long_4096]
tile.kernel @softmax_row_2048_8_8(%x: !X, %y: !Y) symbols [ldx : index, ldy : index]
    grid [M] requires [N <= 2048]
    hints {sm_90 = {worker_warps = 8, occupancy = 8, tma = 0}} {
  %c0 = arith.constant 0 : index
  %row = tile.block_id 0
  %x_tiles = tile.partition %x by [_, 2048] : !X
  %y_tiles = tile.partition %y by [_, 2048] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles
  %is = arith.cmpi sgt, %n, %c0 : index
  scf.if %is {
    %y_piece = tile.claim %y_tiles[%row, %c0] : !YTiles
    %t = tile.load %x_tiles[%row, %c0] pad(neg_inf) : !XTiles
    %max = tile.reduce max %t, 0 : vector<2048xf32>
    %lanes = vector.broadcast %max : f32 to vector<2048xf32>
    %less = arith.subf %t, %lanes : vector<2048xf32>
    %e = math.exp %less : vector<2048xf32>
    %sum = tile.reduce add %e, 0 : vector<2048xf32>
    %lanes_1 = vector.broadcast %sum : f32 to vector<2048xf32>
    %quotient = arith.divf %e, %lanes_1 : vector<2048xf32>
    tile.store %quotient, %y_piece : !YPiece
  }
}
tile.kernel @softmax_row_2048_8_4(%x: !X, %y: !Y) symbols [ldx : index, ldy : index]
    grid [M] requires [N <= 2048]
    hints {sm_90 = {worker_warps = 8, occupancy = 4, tma = 0}} {
  %c0 = arith.constant 0 : index
  %row = tile.block_id 0
  %x_tiles = tile.partition %x by [_, 2048] : !X
  %y_tiles = tile.partition %y by [_, 2048] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles
  %is = arith.cmpi sgt, %n, %c0 : index
  scf.if %is {
    %y_piece = tile.claim %y_tiles[%row, %c0] : !YTiles
    %t = tile.load %x_tiles[%row, %c0] pad(neg_inf) : !XTiles
    %max = tile.reduce max %t, 0 : vector<2048xf32>
    %lanes = vector.broadcast %max : f32 to vector<2048xf32>
    %less = arith.subf %t, %lanes : vector<2048xf32>
    %e = math.exp %less : vector<2048xf32>
    %sum = tile.reduce add %e, 0 : vector<2048xf32>
    %lanes_1 = vector.broadcast %sum : f32 to vector<2048xf32>
    %quotient = arith.divf %e, %lanes_1 : vector<2048xf32>
    tile.store %quotient, %y_piece : !YPiece
  }
}
tile.kernel @softmax_rows_16_128_4_12(%x: !X, %y: !Y)
    symbols [ldx : index, ldy : index] grid [ceildiv(M, 16)] requires [N <= 128]
    hints {sm_90 = {worker_warps = 4, occupancy = 12, tma = 0}} {
  %c0 = arith.constant 0 : index
  %rows = tile.block_id 0
  %x_tiles = tile.partition %x by [16, 128] : !X
  %y_tiles = tile.partition %y by [16, 128] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_1
  %is = arith.cmpi sgt, %n, %c0 : index
  scf.if %is {
    %y_piece = tile.claim %y_tiles[%rows, %c0] : !YTiles_1
    %t = tile.load %x_tiles[%rows, %c0] pad(neg_inf) : !XTiles_1
    %max = tile.reduce max %t, 1 keep : vector<16x128xf32>
    %lanes = vector.broadcast %max : vector<16x1xf32> to vector<16x128xf32>
    %less = arith.subf %t, %lanes : vector<16x128xf32>
    %e = math.exp %less : vector<16x128xf32>
    %sum = tile.reduce add %e, 1 keep : vector<16x128xf32>
    %lanes_1 = vector.broadcast %sum : vector<16x1xf32> to vector<16x128xf32>
    %quotient = arith.divf %e, %lanes_1 : vector<16x128xf32>
    tile.store %quotient, %y_piece : !YPiece_1
  }
}
tile.kernel @softmax_rows_4_512_4_16(%x: !X, %y: !Y)
    symbols [ldx : index, ldy : index] grid [ceildiv(M, 4)] requires [N <= 512]
    hints {sm_90 = {worker_warps = 4, occupancy = 16, tma = 0}} {
  %c0 = arith.constant 0 : index
  %rows = tile.block_id 0
  %x_tiles = tile.partition %x by [4, 512] : !X
  %y_tiles = tile.partition %y by [4, 512] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_2
  %is = arith.cmpi sgt, %n, %c0 : index
  scf.if %is {
    %y_piece = tile.claim %y_tiles[%rows, %c0] : !YTiles_2
    %t = tile.load %x_tiles[%rows, %c0] pad(neg_inf) : !XTiles_2
    %max = tile.reduce max %t, 1 keep : vector<4x512xf32>
    %lanes = vector.broadcast %max : vector<4x1xf32> to vector<4x512xf32>
    %less = arith.subf %t, %lanes : vector<4x512xf32>
    %e = math.exp %less : vector<4x512xf32>
    %sum = tile.reduce add %e, 1 keep : vector<4x512xf32>
    %lanes_1 = vector.broadcast %sum : vector<4x1xf32> to vector<4x512xf32>
    %quotient = arith.divf %e, %lanes_1 : vector<4x512xf32>
    tile.store %quotient, %y_piece : !YPiece_2
  }
}
tile.kernel @softmax_rows_16_128_8_8(%x: !X, %y: !Y)
    symbols [ldx : index, ldy : index] grid [ceildiv(M, 16)] requires [N <= 128]
    hints {sm_90 = {worker_warps = 8, occupancy = 8, tma = 0}} {
  %c0 = arith.constant 0 : index
  %rows = tile.block_id 0
  %x_tiles = tile.partition %x by [16, 128] : !X
  %y_tiles = tile.partition %y by [16, 128] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_1
  %is = arith.cmpi sgt, %n, %c0 : index
  scf.if %is {
    %y_piece = tile.claim %y_tiles[%rows, %c0] : !YTiles_1
    %t = tile.load %x_tiles[%rows, %c0] pad(neg_inf) : !XTiles_1
    %max = tile.reduce max %t, 1 keep : vector<16x128xf32>
    %lanes = vector.broadcast %max : vector<16x1xf32> to vector<16x128xf32>
    %less = arith.subf %t, %lanes : vector<16x128xf32>
    %e = math.exp %less : vector<16x128xf32>
    %sum = tile.reduce add %e, 1 keep : vector<16x128xf32>
    %lanes_1 = vector.broadcast %sum : vector<16x1xf32> to vector<16x128xf32>
    %quotient = arith.divf %e, %lanes_1 : vector<16x128xf32>
    tile.store %quotient, %y_piece : !YPiece_1
  }
}
tile.kernel @softmax_rows_8_256_8_8(%x: !X, %y: !Y) symbols [ldx : index, ldy : index]
    grid [ceildiv(M, 8)] requires [N <= 256]
    hints {sm_90 = {worker_warps = 8, occupancy = 8, tma = 0}} {
  %c0 = arith.constant 0 : index
  %rows = tile.block_id 0
  %x_tiles = tile.partition %x by [8, 256] : !X
  %y_tiles = tile.partition %y by [8, 256] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_3
  %is = arith.cmpi sgt, %n, %c0 : index
  scf.if %is {
    %y_piece = tile.claim %y_tiles[%rows, %c0] : !YTiles_3
    %t = tile.load %x_tiles[%rows, %c0] pad(neg_inf) : !XTiles_3
    %max = tile.reduce max %t, 1 keep : vector<8x256xf32>
    %lanes = vector.broadcast %max : vector<8x1xf32> to vector<8x256xf32>
    %less = arith.subf %t, %lanes : vector<8x256xf32>
    %e = math.exp %less : vector<8x256xf32>
    %sum = tile.reduce add %e, 1 keep : vector<8x256xf32>
    %lanes_1 = vector.broadcast %sum : vector<8x1xf32> to vector<8x256xf32>
    %quotient = arith.divf %e, %lanes_1 : vector<8x256xf32>
    tile.store %quotient, %y_piece : !YPiece_3
  }
}
tile.kernel @softmax_rows_4_512_8_8(%x: !X, %y: !Y) symbols [ldx : index, ldy : index]
    grid [ceildiv(M, 4)] requires [N <= 512]
    hints {sm_90 = {worker_warps = 8, occupancy = 8, tma = 0}} {
  %c0 = arith.constant 0 : index
  %rows = tile.block_id 0
  %x_tiles = tile.partition %x by [4, 512] : !X
  %y_tiles = tile.partition %y by [4, 512] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_2
  %is = arith.cmpi sgt, %n, %c0 : index
  scf.if %is {
    %y_piece = tile.claim %y_tiles[%rows, %c0] : !YTiles_2
    %t = tile.load %x_tiles[%rows, %c0] pad(neg_inf) : !XTiles_2
    %max = tile.reduce max %t, 1 keep : vector<4x512xf32>
    %lanes = vector.broadcast %max : vector<4x1xf32> to vector<4x512xf32>
    %less = arith.subf %t, %lanes : vector<4x512xf32>
    %e = math.exp %less : vector<4x512xf32>
    %sum = tile.reduce add %e, 1 keep : vector<4x512xf32>
    %lanes_1 = vector.broadcast %sum : vector<4x1xf32> to vector<4x512xf32>
    %quotient = arith.divf %e, %lanes_1 : vector<4x512xf32>
    tile.store %quotient, %y_piece : !YPiece_2
  }
}
tile.kernel @softmax_rows_2_1024_4_12(%x: !X, %y: !Y)
    symbols [ldx : index, ldy : index] grid [ceildiv(M, 2)] requires [N <= 1024]
    hints {sm_90 = {worker_warps = 4, occupancy = 12, tma = 0}} {
  %c0 = arith.constant 0 : index
  %rows = tile.block_id 0
  %x_tiles = tile.partition %x by [2, 1024] : !X
  %y_tiles = tile.partition %y by [2, 1024] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_4
  %is = arith.cmpi sgt, %n, %c0 : index
  scf.if %is {
    %y_piece = tile.claim %y_tiles[%rows, %c0] : !YTiles_4
    %t = tile.load %x_tiles[%rows, %c0] pad(neg_inf) : !XTiles_4
    %max = tile.reduce max %t, 1 keep : vector<2x1024xf32>
    %lanes = vector.broadcast %max : vector<2x1xf32> to vector<2x1024xf32>
    %less = arith.subf %t, %lanes : vector<2x1024xf32>
    %e = math.exp %less : vector<2x1024xf32>
    %sum = tile.reduce add %e, 1 keep : vector<2x1024xf32>
    %lanes_1 = vector.broadcast %sum : vector<2x1xf32> to vector<2x1024xf32>
    %quotient = arith.divf %e, %lanes_1 : vector<2x1024xf32>
    tile.store %quotient, %y_piece : !YPiece_4
  }
}
tile.kernel @softmax_row_2048_4_8(%x: !X, %y: !Y) symbols [ldx : index, ldy : index]
    grid [M] requires [N <= 2048]
    hints {sm_90 = {worker_warps = 4, occupancy = 8, tma = 0}} {
  %c0 = arith.constant 0 : index
  %row = tile.block_id 0
  %x_tiles = tile.partition %x by [_, 2048] : !X
  %y_tiles = tile.partition %y by [_, 2048] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles
  %is = arith.cmpi sgt, %n, %c0 : index
  scf.if %is {
    %y_piece = tile.claim %y_tiles[%row, %c0] : !YTiles
    %t = tile.load %x_tiles[%row, %c0] pad(neg_inf) : !XTiles
    %max = tile.reduce max %t, 0 : vector<2048xf32>
    %lanes = vector.broadcast %max : f32 to vector<2048xf32>
    %less = arith.subf %t, %lanes : vector<2048xf32>
    %e = math.exp %less : vector<2048xf32>
    %sum = tile.reduce add %e, 0 : vector<2048xf32>
    %lanes_1 = vector.broadcast %sum : f32 to vector<2048xf32>
    %quotient = arith.divf %e, %lanes_1 : vector<2048xf32>
    tile.store %quotient, %y_piece : !YPiece
  }
}
tile.kernel @softmax_row_4096_8_8(%x: !X, %y: !Y) symbols [ldx : index, ldy : index]
    grid [M] requires [N <= 4096]
    hints {sm_90 = {worker_warps = 8, occupancy = 8, tma = 0}} {
  %c0 = arith.constant 0 : index
  %row = tile.block_id 0
  %x_tiles = tile.partition %x by [_, 4096] : !X
  %y_tiles = tile.partition %y by [_, 4096] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_5
  %is = arith.cmpi sgt, %n, %c0 : index
  scf.if %is {
    %y_piece = tile.claim %y_tiles[%row, %c0] : !YTiles_5
    %t = tile.load %x_tiles[%row, %c0] pad(neg_inf) : !XTiles_5
    %max = tile.reduce max %t, 0 : vector<4096xf32>
    %lanes = vector.broadcast %max : f32 to vector<4096xf32>
    %less = arith.subf %t, %lanes : vector<4096xf32>
    %e = math.exp %less : vector<4096xf32>
    %sum = tile.reduce add %e, 0 : vector<4096xf32>
    %lanes_1 = vector.broadcast %sum : f32 to vector<4096xf32>
    %quotient = arith.divf %e, %lanes_1 : vector<4096xf32>
    tile.store %quotient, %y_piece : !YPiece_5
  }
}
tile.kernel @softmax_row_8192_8_3(%x: !X, %y: !Y) symbols [ldx : index, ldy : index]
    grid [M] requires [N <= 8192]
    hints {sm_90 = {worker_warps = 8, occupancy = 3, tma = 0}} {
  %c0 = arith.constant 0 : index
  %row = tile.block_id 0
  %x_tiles = tile.partition %x by [_, 8192] : !X
  %y_tiles = tile.partition %y by [_, 8192] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_6
  %is = arith.cmpi sgt, %n, %c0 : index
  scf.if %is {
    %y_piece = tile.claim %y_tiles[%row, %c0] : !YTiles_6
    %t = tile.load %x_tiles[%row, %c0] pad(neg_inf) : !XTiles_6
    %max = tile.reduce max %t, 0 : vector<8192xf32>
    %lanes = vector.broadcast %max : f32 to vector<8192xf32>
    %less = arith.subf %t, %lanes : vector<8192xf32>
    %e = math.exp %less : vector<8192xf32>
    %sum = tile.reduce add %e, 0 : vector<8192xf32>
    %lanes_1 = vector.broadcast %sum : f32 to vector<8192xf32>
    %quotient = arith.divf %e, %lanes_1 : vector<8192xf32>
    tile.store %quotient, %y_piece : !YPiece_6
  }
}
tile.kernel @softmax_row_32768_16_1(%x: !X, %y: !Y) symbols [ldx : index, ldy : index]
    grid [M] requires [N <= 32768]
    hints {sm_90 = {worker_warps = 16, occupancy = 1, tma = 0}} {
  %c0 = arith.constant 0 : index
  %row = tile.block_id 0
  %x_tiles = tile.partition %x by [_, 32768] : !X
  %y_tiles = tile.partition %y by [_, 32768] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_7
  %is = arith.cmpi sgt, %n, %c0 : index
  scf.if %is {
    %y_piece = tile.claim %y_tiles[%row, %c0] : !YTiles_7
    %t = tile.load %x_tiles[%row, %c0] pad(neg_inf) : !XTiles_7
    %max = tile.reduce max %t, 0 : vector<32768xf32>
    %lanes = vector.broadcast %max : f32 to vector<32768xf32>
    %less = arith.subf %t, %lanes : vector<32768xf32>
    %e = math.exp %less : vector<32768xf32>
    %sum = tile.reduce add %e, 0 : vector<32768xf32>
    %lanes_1 = vector.broadcast %sum : f32 to vector<32768xf32>
    %quotient = arith.divf %e, %lanes_1 : vector<32768xf32>
    tile.store %quotient, %y_piece : !YPiece_7
  }
}
tile.kernel @softmax_long_4096(%x: !X, %y: !Y) symbols [ldx : index, ldy : index]
    grid [M] hints {sm_90 = {worker_warps = 8, occupancy = 2}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c_3_4028235e38 = arith.constant dense<-3.4028235e38> : vector<4096xf32>
  %zero = arith.constant dense<0.0> : vector<4096xf32>
  %one = arith.constant 1.0 : f32
  %row = tile.block_id 0
  %x_tiles = tile.partition %x by [_, 4096] : !X
  %y_tiles = tile.partition %y by [_, 4096] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_5
  %larger, %sums = scf.for %k = %c0 to %n step %c1 iter_args(%larger = %c_3_4028235e38, %sums = %zero) -> (vector<4096xf32>, vector<4096xf32>) {
    %t = tile.load %x_tiles[%row, %k] pad(neg_inf) : !XTiles_5
    %larger_1 = arith.maximumf %larger, %t : vector<4096xf32>
    %less = arith.subf %larger, %larger_1 : vector<4096xf32>
    %exp = math.exp %less : vector<4096xf32>
    %product = arith.mulf %sums, %exp : vector<4096xf32>
    %less_1 = arith.subf %t, %larger_1 : vector<4096xf32>
    %exp_1 = math.exp %less_1 : vector<4096xf32>
    %sums_1 = arith.addf %product, %exp_1 : vector<4096xf32>
    scf.yield %larger_1, %sums_1 : vector<4096xf32>, vector<4096xf32>
  }
  %largest = tile.reduce max %larger, 0 : vector<4096xf32>
  %lanes = vector.broadcast %largest : f32 to vector<4096xf32>
  %less = arith.subf %larger, %lanes : vector<4096xf32>
  %exp = math.exp %less : vector<4096xf32>
  %product = arith.mulf %sums, %exp : vector<4096xf32>
  %sum = tile.reduce add %product, 0 : vector<4096xf32>
  %quotient = arith.divf %one, %sum : f32
  %scale = vector.broadcast %quotient : f32 to vector<4096xf32>
  scf.for %k = %c0 to %n step %c1 {
    %y_piece = tile.claim %y_tiles[%row, %k] : !YTiles_5
    %tile = tile.load %x_tiles[%row, %k] pad(neg_inf) : !XTiles_5
    %less_1 = arith.subf %tile, %lanes : vector<4096xf32>
    %e = math.exp %less_1 : vector<4096xf32>
    %product_1 = arith.mulf %e, %scale : vector<4096xf32>
    tile.store %product_1, %y_piece : !YPiece_5
  }
}
