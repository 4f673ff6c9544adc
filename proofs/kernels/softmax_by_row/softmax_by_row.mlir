// y[M, N] = softmax over each row of x[M, N] in bf16, sums in f32; a row of
// -inf gives nan. In powers of two, and with one division a row: elements are
// as many as the hardware has time for. Of sm_90 the schedule rows takes them.
// any M, and N up to 16384, multiples of 8, zero and ragged included
// generated from norm.cpp
!X = !tile.tensor<[M, N] x bf16, shared, strides [ldx, 1]>
!Y = !tile.tensor<[M, N] x bf16, out, strides [ldy, 1]>
!XTiles = !tile.partition<[4, 1024], [M, N] x bf16, shared, strides [ldx, 1]>
!YTiles = !tile.partition<[4, 1024], [M, N] x bf16, out, strides [ldy, 1]>
!YPiece = !tile.piece<[4, 1024] x bf16, out>
!XTiles_1 = !tile.partition<[1, 2048], [M, N] x bf16, shared, strides [ldx, 1]>
!YTiles_1 = !tile.partition<[1, 2048], [M, N] x bf16, out, strides [ldy, 1]>
!YPiece_1 = !tile.piece<[1, 2048] x bf16, out>
!XTiles_2 = !tile.partition<[1, 4096], [M, N] x bf16, shared, strides [ldx, 1]>
!YTiles_2 = !tile.partition<[1, 4096], [M, N] x bf16, out, strides [ldy, 1]>
!YPiece_2 = !tile.piece<[1, 4096] x bf16, out>
!XTiles_3 = !tile.partition<[1, 8192], [M, N] x bf16, shared, strides [ldx, 1]>
!YTiles_3 = !tile.partition<[1, 8192], [M, N] x bf16, out, strides [ldy, 1]>
!YPiece_3 = !tile.piece<[1, 8192] x bf16, out>
!XTiles_4 = !tile.partition<[1, 16384], [M, N] x bf16, shared, strides [ldx, 1]>
!YTiles_4 = !tile.partition<[1, 16384], [M, N] x bf16, out, strides [ldy, 1]>
!YPiece_4 = !tile.piece<[1, 16384] x bf16, out>
tile.variants @softmax_by_row [@softmax_in_registers_4_1024_4_8 when (N <= 1024), @softmax_in_registers_1_2048_2_16 when (N <= 2048), @softmax_in_registers_1_4096_4_8 when (N <= 4096), @softmax_in_registers_1_8192_8_4 when (N <= 8192), @softmax_in_registers_1_16384_16_2]
tile.kernel @softmax_in_registers_4_1024_4_8(%x: !X, %y: !Y)
    symbols [ldx : index, ldy : index] grid [ceildiv(M, 4)]
    requires [mod(N, 8) == 0, mod(ldx, 8) == 0, mod(ldy, 8) == 0, N <= 1024]
    hints {sm_90 = {worker_warps = 4, occupancy = 8, streams = 1, tma = 0}} {
  %c0 = arith.constant 0 : index
  %c1_44269504 = arith.constant dense<1.44269504> : vector<4x1024xf32>
  %c1_44269504_1 = arith.constant dense<1.44269504> : vector<4x1xf32>
  %one = arith.constant dense<1.0> : vector<4x1xf32>
  %rows = tile.block_id 0
  %x_tiles = tile.partition %x by [4, 1024] : !X
  %y_tiles = tile.partition %y by [4, 1024] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles
  %is = arith.cmpi sgt, %n, %c0 : index
  scf.if %is {
    %out = tile.claim %y_tiles[%rows, %c0] : !YTiles
    %tile = tile.load %x_tiles[%rows, %c0] pad(neg_inf) : !XTiles
    %t = arith.extf %tile : vector<4x1024xbf16> to vector<4x1024xf32>
    %max = tile.reduce max %t, 1 keep : vector<4x1024xf32>
    %top = arith.mulf %max, %c1_44269504_1 : vector<4x1xf32>
    %minus = arith.negf %top : vector<4x1xf32>
    %lanes = vector.broadcast %minus : vector<4x1xf32> to vector<4x1024xf32>
    %fma = math.fma %t, %c1_44269504, %lanes : vector<4x1024xf32>
    %e = math.exp2 %fma fastmath<afn> : vector<4x1024xf32>
    %sum = tile.reduce add %e, 1 keep : vector<4x1024xf32>
    %quotient = arith.divf %one, %sum : vector<4x1xf32>
    %lanes_1 = vector.broadcast %quotient : vector<4x1xf32> to vector<4x1024xf32>
    %product = arith.mulf %e, %lanes_1 : vector<4x1024xf32>
    %narrow = arith.truncf %product : vector<4x1024xf32> to vector<4x1024xbf16>
    tile.store %narrow, %out : !YPiece
  }
}
tile.kernel @softmax_in_registers_1_2048_2_16(%x: !X, %y: !Y)
    symbols [ldx : index, ldy : index] grid [ceildiv(M, 1)]
    requires [mod(N, 8) == 0, mod(ldx, 8) == 0, mod(ldy, 8) == 0, N <= 2048]
    hints {sm_90 = {worker_warps = 2, occupancy = 16, streams = 1, tma = 0}} {
  %c0 = arith.constant 0 : index
  %c1_44269504 = arith.constant dense<1.44269504> : vector<1x2048xf32>
  %c1_44269504_1 = arith.constant dense<1.44269504> : vector<1x1xf32>
  %one = arith.constant dense<1.0> : vector<1x1xf32>
  %rows = tile.block_id 0
  %x_tiles = tile.partition %x by [1, 2048] : !X
  %y_tiles = tile.partition %y by [1, 2048] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_1
  %is = arith.cmpi sgt, %n, %c0 : index
  scf.if %is {
    %out = tile.claim %y_tiles[%rows, %c0] : !YTiles_1
    %tile = tile.load %x_tiles[%rows, %c0] pad(neg_inf) : !XTiles_1
    %t = arith.extf %tile : vector<1x2048xbf16> to vector<1x2048xf32>
    %max = tile.reduce max %t, 1 keep : vector<1x2048xf32>
    %top = arith.mulf %max, %c1_44269504_1 : vector<1x1xf32>
    %minus = arith.negf %top : vector<1x1xf32>
    %lanes = vector.broadcast %minus : vector<1x1xf32> to vector<1x2048xf32>
    %fma = math.fma %t, %c1_44269504, %lanes : vector<1x2048xf32>
    %e = math.exp2 %fma fastmath<afn> : vector<1x2048xf32>
    %sum = tile.reduce add %e, 1 keep : vector<1x2048xf32>
    %quotient = arith.divf %one, %sum : vector<1x1xf32>
    %lanes_1 = vector.broadcast %quotient : vector<1x1xf32> to vector<1x2048xf32>
    %product = arith.mulf %e, %lanes_1 : vector<1x2048xf32>
    %narrow = arith.truncf %product : vector<1x2048xf32> to vector<1x2048xbf16>
    tile.store %narrow, %out : !YPiece_1
  }
}
tile.kernel @softmax_in_registers_1_4096_4_8(%x: !X, %y: !Y)
    symbols [ldx : index, ldy : index] grid [ceildiv(M, 1)]
    requires [mod(N, 8) == 0, mod(ldx, 8) == 0, mod(ldy, 8) == 0, N <= 4096]
    hints {sm_90 = {worker_warps = 4, occupancy = 8, streams = 1, tma = 0}} {
  %c0 = arith.constant 0 : index
  %c1_44269504 = arith.constant dense<1.44269504> : vector<1x4096xf32>
  %c1_44269504_1 = arith.constant dense<1.44269504> : vector<1x1xf32>
  %one = arith.constant dense<1.0> : vector<1x1xf32>
  %rows = tile.block_id 0
  %x_tiles = tile.partition %x by [1, 4096] : !X
  %y_tiles = tile.partition %y by [1, 4096] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_2
  %is = arith.cmpi sgt, %n, %c0 : index
  scf.if %is {
    %out = tile.claim %y_tiles[%rows, %c0] : !YTiles_2
    %tile = tile.load %x_tiles[%rows, %c0] pad(neg_inf) : !XTiles_2
    %t = arith.extf %tile : vector<1x4096xbf16> to vector<1x4096xf32>
    %max = tile.reduce max %t, 1 keep : vector<1x4096xf32>
    %top = arith.mulf %max, %c1_44269504_1 : vector<1x1xf32>
    %minus = arith.negf %top : vector<1x1xf32>
    %lanes = vector.broadcast %minus : vector<1x1xf32> to vector<1x4096xf32>
    %fma = math.fma %t, %c1_44269504, %lanes : vector<1x4096xf32>
    %e = math.exp2 %fma fastmath<afn> : vector<1x4096xf32>
    %sum = tile.reduce add %e, 1 keep : vector<1x4096xf32>
    %quotient = arith.divf %one, %sum : vector<1x1xf32>
    %lanes_1 = vector.broadcast %quotient : vector<1x1xf32> to vector<1x4096xf32>
    %product = arith.mulf %e, %lanes_1 : vector<1x4096xf32>
    %narrow = arith.truncf %product : vector<1x4096xf32> to vector<1x4096xbf16>
    tile.store %narrow, %out : !YPiece_2
  }
}
tile.kernel @softmax_in_registers_1_8192_8_4(%x: !X, %y: !Y)
    symbols [ldx : index, ldy : index] grid [ceildiv(M, 1)]
    requires [mod(N, 8) == 0, mod(ldx, 8) == 0, mod(ldy, 8) == 0, N <= 8192]
    hints {sm_90 = {worker_warps = 8, occupancy = 4, streams = 1, tma = 0}} {
  %c0 = arith.constant 0 : index
  %c1_44269504 = arith.constant dense<1.44269504> : vector<1x8192xf32>
  %c1_44269504_1 = arith.constant dense<1.44269504> : vector<1x1xf32>
  %one = arith.constant dense<1.0> : vector<1x1xf32>
  %rows = tile.block_id 0
  %x_tiles = tile.partition %x by [1, 8192] : !X
  %y_tiles = tile.partition %y by [1, 8192] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_3
  %is = arith.cmpi sgt, %n, %c0 : index
  scf.if %is {
    %out = tile.claim %y_tiles[%rows, %c0] : !YTiles_3
    %tile = tile.load %x_tiles[%rows, %c0] pad(neg_inf) : !XTiles_3
    %t = arith.extf %tile : vector<1x8192xbf16> to vector<1x8192xf32>
    %max = tile.reduce max %t, 1 keep : vector<1x8192xf32>
    %top = arith.mulf %max, %c1_44269504_1 : vector<1x1xf32>
    %minus = arith.negf %top : vector<1x1xf32>
    %lanes = vector.broadcast %minus : vector<1x1xf32> to vector<1x8192xf32>
    %fma = math.fma %t, %c1_44269504, %lanes : vector<1x8192xf32>
    %e = math.exp2 %fma fastmath<afn> : vector<1x8192xf32>
    %sum = tile.reduce add %e, 1 keep : vector<1x8192xf32>
    %quotient = arith.divf %one, %sum : vector<1x1xf32>
    %lanes_1 = vector.broadcast %quotient : vector<1x1xf32> to vector<1x8192xf32>
    %product = arith.mulf %e, %lanes_1 : vector<1x8192xf32>
    %narrow = arith.truncf %product : vector<1x8192xf32> to vector<1x8192xbf16>
    tile.store %narrow, %out : !YPiece_3
  }
}
tile.kernel @softmax_in_registers_1_16384_16_2(%x: !X, %y: !Y)
    symbols [ldx : index, ldy : index] grid [ceildiv(M, 1)]
    requires [mod(N, 8) == 0, mod(ldx, 8) == 0, mod(ldy, 8) == 0, N <= 16384]
    hints {sm_90 = {worker_warps = 16, occupancy = 2, streams = 1, tma = 0}} {
  %c0 = arith.constant 0 : index
  %c1_44269504 = arith.constant dense<1.44269504> : vector<1x16384xf32>
  %c1_44269504_1 = arith.constant dense<1.44269504> : vector<1x1xf32>
  %one = arith.constant dense<1.0> : vector<1x1xf32>
  %rows = tile.block_id 0
  %x_tiles = tile.partition %x by [1, 16384] : !X
  %y_tiles = tile.partition %y by [1, 16384] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_4
  %is = arith.cmpi sgt, %n, %c0 : index
  scf.if %is {
    %out = tile.claim %y_tiles[%rows, %c0] : !YTiles_4
    %tile = tile.load %x_tiles[%rows, %c0] pad(neg_inf) : !XTiles_4
    %t = arith.extf %tile : vector<1x16384xbf16> to vector<1x16384xf32>
    %max = tile.reduce max %t, 1 keep : vector<1x16384xf32>
    %top = arith.mulf %max, %c1_44269504_1 : vector<1x1xf32>
    %minus = arith.negf %top : vector<1x1xf32>
    %lanes = vector.broadcast %minus : vector<1x1xf32> to vector<1x16384xf32>
    %fma = math.fma %t, %c1_44269504, %lanes : vector<1x16384xf32>
    %e = math.exp2 %fma fastmath<afn> : vector<1x16384xf32>
    %sum = tile.reduce add %e, 1 keep : vector<1x16384xf32>
    %quotient = arith.divf %one, %sum : vector<1x1xf32>
    %lanes_1 = vector.broadcast %quotient : vector<1x1xf32> to vector<1x16384xf32>
    %product = arith.mulf %e, %lanes_1 : vector<1x16384xf32>
    %narrow = arith.truncf %product : vector<1x16384xf32> to vector<1x16384xbf16>
    tile.store %narrow, %out : !YPiece_4
  }
}
