// sum = x + residual, y[m, n] = sum[m, n] * weight[n] / sqrt(mean over n of
// sum[m, n]^2 + eps), in bf16; the sum is rounded once, and the norm is of what
// was rounded. Of sm_90 the schedule rows takes them.
// any M, and N up to 16384, multiples of 8, zero and ragged included
// generated from norm.cpp
!X = !tile.tensor<[M, N] x bf16, shared, strides [ldx, 1]>
!Residual = !tile.tensor<[M, N] x bf16, shared, strides [ldr, 1]>
!Weight = !tile.tensor<[N] x bf16, shared>
!Sum = !tile.tensor<[M, N] x bf16, out, strides [lds, 1]>
!Y = !tile.tensor<[M, N] x bf16, out, strides [ldy, 1]>
!XTiles = !tile.partition<[4, 1024], [M, N] x bf16, shared, strides [ldx, 1]>
!YTiles = !tile.partition<[4, 1024], [M, N] x bf16, out, strides [ldy, 1]>
!SumTiles = !tile.partition<[4, 1024], [M, N] x bf16, out, strides [lds, 1]>
!ResidualTiles = !tile.partition<[4, 1024], [M, N] x bf16, shared, strides [ldr, 1]>
!SumPiece = !tile.piece<[4, 1024] x bf16, out>
!WeightTiles = !tile.partition<[1024], [N] x bf16, shared>
!XTiles_1 = !tile.partition<[1, 2048], [M, N] x bf16, shared, strides [ldx, 1]>
!YTiles_1 = !tile.partition<[1, 2048], [M, N] x bf16, out, strides [ldy, 1]>
!SumTiles_1 = !tile.partition<[1, 2048], [M, N] x bf16, out, strides [lds, 1]>
!ResidualTiles_1 = !tile.partition<[1, 2048], [M, N] x bf16, shared, strides [ldr, 1]>
!SumPiece_1 = !tile.piece<[1, 2048] x bf16, out>
!WeightTiles_1 = !tile.partition<[2048], [N] x bf16, shared>
!XTiles_2 = !tile.partition<[1, 4096], [M, N] x bf16, shared, strides [ldx, 1]>
!YTiles_2 = !tile.partition<[1, 4096], [M, N] x bf16, out, strides [ldy, 1]>
!SumTiles_2 = !tile.partition<[1, 4096], [M, N] x bf16, out, strides [lds, 1]>
!ResidualTiles_2 = !tile.partition<[1, 4096], [M, N] x bf16, shared, strides [ldr, 1]>
!SumPiece_2 = !tile.piece<[1, 4096] x bf16, out>
!WeightTiles_2 = !tile.partition<[4096], [N] x bf16, shared>
!XTiles_3 = !tile.partition<[1, 8192], [M, N] x bf16, shared, strides [ldx, 1]>
!YTiles_3 = !tile.partition<[1, 8192], [M, N] x bf16, out, strides [ldy, 1]>
!SumTiles_3 = !tile.partition<[1, 8192], [M, N] x bf16, out, strides [lds, 1]>
!ResidualTiles_3 = !tile.partition<[1, 8192], [M, N] x bf16, shared, strides [ldr, 1]>
!SumPiece_3 = !tile.piece<[1, 8192] x bf16, out>
!WeightTiles_3 = !tile.partition<[8192], [N] x bf16, shared>
!XTiles_4 = !tile.partition<[1, 16384], [M, N] x bf16, shared, strides [ldx, 1]>
!YTiles_4 = !tile.partition<[1, 16384], [M, N] x bf16, out, strides [ldy, 1]>
!SumTiles_4 = !tile.partition<[1, 16384], [M, N] x bf16, out, strides [lds, 1]>
!ResidualTiles_4 = !tile.partition<[1, 16384], [M, N] x bf16, shared, strides [ldr, 1]>
!SumPiece_4 = !tile.piece<[1, 16384] x bf16, out>
!WeightTiles_4 = !tile.partition<[16384], [N] x bf16, shared>
tile.variants @add_rms_norm_by_row [@add_rms_norm_in_registers_4_1024_4_6 when (N <= 1024), @add_rms_norm_in_registers_1_2048_2_12 when (N <= 2048), @add_rms_norm_in_registers_1_4096_4_6 when (N <= 4096), @add_rms_norm_in_registers_1_8192_16_3 when (N <= 8192), @add_rms_norm_in_registers_1_16384_16_1]
tile.kernel @add_rms_norm_in_registers_4_1024_4_6(%x: !X, %residual: !Residual, %weight: !Weight, %sum: !Sum, %y: !Y, %eps: f32)
    symbols [ldx : index, ldr : index, lds : index, ldy : index] grid [ceildiv(M, 4)]
    requires [mod(N, 8) == 0, mod(ldx, 8) == 0, mod(ldr, 8) == 0, mod(lds, 8) == 0, mod(ldy, 8) == 0, N <= 1024]
    hints {sm_90 = {worker_warps = 4, occupancy = 6, streams = 1}} {
  %c0 = arith.constant 0 : index
  %rows = tile.block_id 0
  %N = tile.symbol "N" : index
  %x_tiles = tile.partition %x by [4, 1024] : !X
  %residual_tiles = tile.partition %residual by [4, 1024] : !Residual
  %weight_tiles = tile.partition %weight by [1024] : !Weight
  %sum_tiles = tile.partition %sum by [4, 1024] : !Sum
  %y_tiles = tile.partition %y by [4, 1024] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles
  %is = arith.cmpi sgt, %n, %c0 : index
  scf.if %is {
    %outY = tile.claim %y_tiles[%rows, %c0] : !YTiles
    %outSum = tile.claim %sum_tiles[%rows, %c0] : !SumTiles
    %tile = tile.load %x_tiles[%rows, %c0] pad(zero) : !XTiles
    %a = arith.extf %tile : vector<4x1024xbf16> to vector<4x1024xf32>
    %tile_1 = tile.load %residual_tiles[%rows, %c0] pad(zero) : !ResidualTiles
    %b = arith.extf %tile_1 : vector<4x1024xbf16> to vector<4x1024xf32>
    %sum_1 = arith.addf %a, %b : vector<4x1024xf32>
    %rounded = arith.truncf %sum_1 : vector<4x1024xf32> to vector<4x1024xbf16>
    tile.store %rounded, %outSum : !SumPiece
    %t = arith.extf %rounded : vector<4x1024xbf16> to vector<4x1024xf32>
    %product = arith.mulf %t, %t : vector<4x1024xf32>
    %sum_2 = tile.reduce add %product, 1 keep : vector<4x1024xf32>
    %index = arith.index_cast %N : index to i64
    %real = arith.sitofp %index : i64 to f32
    %lanes = vector.broadcast %real : f32 to vector<4x1xf32>
    %quotient = arith.divf %sum_2, %lanes : vector<4x1xf32>
    %lanes_1 = vector.broadcast %eps : f32 to vector<4x1xf32>
    %sum_3 = arith.addf %quotient, %lanes_1 : vector<4x1xf32>
    %rsqrt = math.rsqrt %sum_3 : vector<4x1xf32>
    %lanes_2 = vector.broadcast %rsqrt : vector<4x1xf32> to vector<4x1024xf32>
    %product_1 = arith.mulf %t, %lanes_2 : vector<4x1024xf32>
    %tile_2 = tile.load %weight_tiles[%c0] pad(zero) : !WeightTiles
    %w = arith.extf %tile_2 : vector<1024xbf16> to vector<1024xf32>
    %lanes_3 = vector.broadcast %w : vector<1024xf32> to vector<4x1024xf32>
    %product_2 = arith.mulf %product_1, %lanes_3 : vector<4x1024xf32>
    %narrow = arith.truncf %product_2 : vector<4x1024xf32> to vector<4x1024xbf16>
    tile.store %narrow, %outY : !SumPiece
  }
}
tile.kernel @add_rms_norm_in_registers_1_2048_2_12(%x: !X, %residual: !Residual, %weight: !Weight, %sum: !Sum, %y: !Y, %eps: f32)
    symbols [ldx : index, ldr : index, lds : index, ldy : index] grid [ceildiv(M, 1)]
    requires [mod(N, 8) == 0, mod(ldx, 8) == 0, mod(ldr, 8) == 0, mod(lds, 8) == 0, mod(ldy, 8) == 0, N <= 2048]
    hints {sm_90 = {worker_warps = 2, occupancy = 12, streams = 1}} {
  %c0 = arith.constant 0 : index
  %rows = tile.block_id 0
  %N = tile.symbol "N" : index
  %x_tiles = tile.partition %x by [1, 2048] : !X
  %residual_tiles = tile.partition %residual by [1, 2048] : !Residual
  %weight_tiles = tile.partition %weight by [2048] : !Weight
  %sum_tiles = tile.partition %sum by [1, 2048] : !Sum
  %y_tiles = tile.partition %y by [1, 2048] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_1
  %is = arith.cmpi sgt, %n, %c0 : index
  scf.if %is {
    %outY = tile.claim %y_tiles[%rows, %c0] : !YTiles_1
    %outSum = tile.claim %sum_tiles[%rows, %c0] : !SumTiles_1
    %tile = tile.load %x_tiles[%rows, %c0] pad(zero) : !XTiles_1
    %a = arith.extf %tile : vector<1x2048xbf16> to vector<1x2048xf32>
    %tile_1 = tile.load %residual_tiles[%rows, %c0] pad(zero) : !ResidualTiles_1
    %b = arith.extf %tile_1 : vector<1x2048xbf16> to vector<1x2048xf32>
    %sum_1 = arith.addf %a, %b : vector<1x2048xf32>
    %rounded = arith.truncf %sum_1 : vector<1x2048xf32> to vector<1x2048xbf16>
    tile.store %rounded, %outSum : !SumPiece_1
    %t = arith.extf %rounded : vector<1x2048xbf16> to vector<1x2048xf32>
    %product = arith.mulf %t, %t : vector<1x2048xf32>
    %sum_2 = tile.reduce add %product, 1 keep : vector<1x2048xf32>
    %index = arith.index_cast %N : index to i64
    %real = arith.sitofp %index : i64 to f32
    %lanes = vector.broadcast %real : f32 to vector<1x1xf32>
    %quotient = arith.divf %sum_2, %lanes : vector<1x1xf32>
    %lanes_1 = vector.broadcast %eps : f32 to vector<1x1xf32>
    %sum_3 = arith.addf %quotient, %lanes_1 : vector<1x1xf32>
    %rsqrt = math.rsqrt %sum_3 : vector<1x1xf32>
    %lanes_2 = vector.broadcast %rsqrt : vector<1x1xf32> to vector<1x2048xf32>
    %product_1 = arith.mulf %t, %lanes_2 : vector<1x2048xf32>
    %tile_2 = tile.load %weight_tiles[%c0] pad(zero) : !WeightTiles_1
    %w = arith.extf %tile_2 : vector<2048xbf16> to vector<2048xf32>
    %lanes_3 = vector.broadcast %w : vector<2048xf32> to vector<1x2048xf32>
    %product_2 = arith.mulf %product_1, %lanes_3 : vector<1x2048xf32>
    %narrow = arith.truncf %product_2 : vector<1x2048xf32> to vector<1x2048xbf16>
    tile.store %narrow, %outY : !SumPiece_1
  }
}
tile.kernel @add_rms_norm_in_registers_1_4096_4_6(%x: !X, %residual: !Residual, %weight: !Weight, %sum: !Sum, %y: !Y, %eps: f32)
    symbols [ldx : index, ldr : index, lds : index, ldy : index] grid [ceildiv(M, 1)]
    requires [mod(N, 8) == 0, mod(ldx, 8) == 0, mod(ldr, 8) == 0, mod(lds, 8) == 0, mod(ldy, 8) == 0, N <= 4096]
    hints {sm_90 = {worker_warps = 4, occupancy = 6, streams = 1}} {
  %c0 = arith.constant 0 : index
  %rows = tile.block_id 0
  %N = tile.symbol "N" : index
  %x_tiles = tile.partition %x by [1, 4096] : !X
  %residual_tiles = tile.partition %residual by [1, 4096] : !Residual
  %weight_tiles = tile.partition %weight by [4096] : !Weight
  %sum_tiles = tile.partition %sum by [1, 4096] : !Sum
  %y_tiles = tile.partition %y by [1, 4096] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_2
  %is = arith.cmpi sgt, %n, %c0 : index
  scf.if %is {
    %outY = tile.claim %y_tiles[%rows, %c0] : !YTiles_2
    %outSum = tile.claim %sum_tiles[%rows, %c0] : !SumTiles_2
    %tile = tile.load %x_tiles[%rows, %c0] pad(zero) : !XTiles_2
    %a = arith.extf %tile : vector<1x4096xbf16> to vector<1x4096xf32>
    %tile_1 = tile.load %residual_tiles[%rows, %c0] pad(zero) : !ResidualTiles_2
    %b = arith.extf %tile_1 : vector<1x4096xbf16> to vector<1x4096xf32>
    %sum_1 = arith.addf %a, %b : vector<1x4096xf32>
    %rounded = arith.truncf %sum_1 : vector<1x4096xf32> to vector<1x4096xbf16>
    tile.store %rounded, %outSum : !SumPiece_2
    %t = arith.extf %rounded : vector<1x4096xbf16> to vector<1x4096xf32>
    %product = arith.mulf %t, %t : vector<1x4096xf32>
    %sum_2 = tile.reduce add %product, 1 keep : vector<1x4096xf32>
    %index = arith.index_cast %N : index to i64
    %real = arith.sitofp %index : i64 to f32
    %lanes = vector.broadcast %real : f32 to vector<1x1xf32>
    %quotient = arith.divf %sum_2, %lanes : vector<1x1xf32>
    %lanes_1 = vector.broadcast %eps : f32 to vector<1x1xf32>
    %sum_3 = arith.addf %quotient, %lanes_1 : vector<1x1xf32>
    %rsqrt = math.rsqrt %sum_3 : vector<1x1xf32>
    %lanes_2 = vector.broadcast %rsqrt : vector<1x1xf32> to vector<1x4096xf32>
    %product_1 = arith.mulf %t, %lanes_2 : vector<1x4096xf32>
    %tile_2 = tile.load %weight_tiles[%c0] pad(zero) : !WeightTiles_2
    %w = arith.extf %tile_2 : vector<4096xbf16> to vector<4096xf32>
    %lanes_3 = vector.broadcast %w : vector<4096xf32> to vector<1x4096xf32>
    %product_2 = arith.mulf %product_1, %lanes_3 : vector<1x4096xf32>
    %narrow = arith.truncf %product_2 : vector<1x4096xf32> to vector<1x4096xbf16>
    tile.store %narrow, %outY : !SumPiece_2
  }
}
tile.kernel @add_rms_norm_in_registers_1_8192_16_3(%x: !X, %residual: !Residual, %weight: !Weight, %sum: !Sum, %y: !Y, %eps: f32)
    symbols [ldx : index, ldr : index, lds : index, ldy : index] grid [ceildiv(M, 1)]
    requires [mod(N, 8) == 0, mod(ldx, 8) == 0, mod(ldr, 8) == 0, mod(lds, 8) == 0, mod(ldy, 8) == 0, N <= 8192]
    hints {sm_90 = {worker_warps = 16, occupancy = 3, streams = 1}} {
  %c0 = arith.constant 0 : index
  %rows = tile.block_id 0
  %N = tile.symbol "N" : index
  %x_tiles = tile.partition %x by [1, 8192] : !X
  %residual_tiles = tile.partition %residual by [1, 8192] : !Residual
  %weight_tiles = tile.partition %weight by [8192] : !Weight
  %sum_tiles = tile.partition %sum by [1, 8192] : !Sum
  %y_tiles = tile.partition %y by [1, 8192] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_3
  %is = arith.cmpi sgt, %n, %c0 : index
  scf.if %is {
    %outY = tile.claim %y_tiles[%rows, %c0] : !YTiles_3
    %outSum = tile.claim %sum_tiles[%rows, %c0] : !SumTiles_3
    %tile = tile.load %x_tiles[%rows, %c0] pad(zero) : !XTiles_3
    %a = arith.extf %tile : vector<1x8192xbf16> to vector<1x8192xf32>
    %tile_1 = tile.load %residual_tiles[%rows, %c0] pad(zero) : !ResidualTiles_3
    %b = arith.extf %tile_1 : vector<1x8192xbf16> to vector<1x8192xf32>
    %sum_1 = arith.addf %a, %b : vector<1x8192xf32>
    %rounded = arith.truncf %sum_1 : vector<1x8192xf32> to vector<1x8192xbf16>
    tile.store %rounded, %outSum : !SumPiece_3
    %t = arith.extf %rounded : vector<1x8192xbf16> to vector<1x8192xf32>
    %product = arith.mulf %t, %t : vector<1x8192xf32>
    %sum_2 = tile.reduce add %product, 1 keep : vector<1x8192xf32>
    %index = arith.index_cast %N : index to i64
    %real = arith.sitofp %index : i64 to f32
    %lanes = vector.broadcast %real : f32 to vector<1x1xf32>
    %quotient = arith.divf %sum_2, %lanes : vector<1x1xf32>
    %lanes_1 = vector.broadcast %eps : f32 to vector<1x1xf32>
    %sum_3 = arith.addf %quotient, %lanes_1 : vector<1x1xf32>
    %rsqrt = math.rsqrt %sum_3 : vector<1x1xf32>
    %lanes_2 = vector.broadcast %rsqrt : vector<1x1xf32> to vector<1x8192xf32>
    %product_1 = arith.mulf %t, %lanes_2 : vector<1x8192xf32>
    %tile_2 = tile.load %weight_tiles[%c0] pad(zero) : !WeightTiles_3
    %w = arith.extf %tile_2 : vector<8192xbf16> to vector<8192xf32>
    %lanes_3 = vector.broadcast %w : vector<8192xf32> to vector<1x8192xf32>
    %product_2 = arith.mulf %product_1, %lanes_3 : vector<1x8192xf32>
    %narrow = arith.truncf %product_2 : vector<1x8192xf32> to vector<1x8192xbf16>
    tile.store %narrow, %outY : !SumPiece_3
  }
}
tile.kernel @add_rms_norm_in_registers_1_16384_16_1(%x: !X, %residual: !Residual, %weight: !Weight, %sum: !Sum, %y: !Y, %eps: f32)
    symbols [ldx : index, ldr : index, lds : index, ldy : index] grid [ceildiv(M, 1)]
    requires [mod(N, 8) == 0, mod(ldx, 8) == 0, mod(ldr, 8) == 0, mod(lds, 8) == 0, mod(ldy, 8) == 0, N <= 16384]
    hints {sm_90 = {worker_warps = 16, occupancy = 1, streams = 1}} {
  %c0 = arith.constant 0 : index
  %rows = tile.block_id 0
  %N = tile.symbol "N" : index
  %x_tiles = tile.partition %x by [1, 16384] : !X
  %residual_tiles = tile.partition %residual by [1, 16384] : !Residual
  %weight_tiles = tile.partition %weight by [16384] : !Weight
  %sum_tiles = tile.partition %sum by [1, 16384] : !Sum
  %y_tiles = tile.partition %y by [1, 16384] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_4
  %is = arith.cmpi sgt, %n, %c0 : index
  scf.if %is {
    %outY = tile.claim %y_tiles[%rows, %c0] : !YTiles_4
    %outSum = tile.claim %sum_tiles[%rows, %c0] : !SumTiles_4
    %tile = tile.load %x_tiles[%rows, %c0] pad(zero) : !XTiles_4
    %a = arith.extf %tile : vector<1x16384xbf16> to vector<1x16384xf32>
    %tile_1 = tile.load %residual_tiles[%rows, %c0] pad(zero) : !ResidualTiles_4
    %b = arith.extf %tile_1 : vector<1x16384xbf16> to vector<1x16384xf32>
    %sum_1 = arith.addf %a, %b : vector<1x16384xf32>
    %rounded = arith.truncf %sum_1 : vector<1x16384xf32> to vector<1x16384xbf16>
    tile.store %rounded, %outSum : !SumPiece_4
    %t = arith.extf %rounded : vector<1x16384xbf16> to vector<1x16384xf32>
    %product = arith.mulf %t, %t : vector<1x16384xf32>
    %sum_2 = tile.reduce add %product, 1 keep : vector<1x16384xf32>
    %index = arith.index_cast %N : index to i64
    %real = arith.sitofp %index : i64 to f32
    %lanes = vector.broadcast %real : f32 to vector<1x1xf32>
    %quotient = arith.divf %sum_2, %lanes : vector<1x1xf32>
    %lanes_1 = vector.broadcast %eps : f32 to vector<1x1xf32>
    %sum_3 = arith.addf %quotient, %lanes_1 : vector<1x1xf32>
    %rsqrt = math.rsqrt %sum_3 : vector<1x1xf32>
    %lanes_2 = vector.broadcast %rsqrt : vector<1x1xf32> to vector<1x16384xf32>
    %product_1 = arith.mulf %t, %lanes_2 : vector<1x16384xf32>
    %tile_2 = tile.load %weight_tiles[%c0] pad(zero) : !WeightTiles_4
    %w = arith.extf %tile_2 : vector<16384xbf16> to vector<16384xf32>
    %lanes_3 = vector.broadcast %w : vector<16384xf32> to vector<1x16384xf32>
    %product_2 = arith.mulf %product_1, %lanes_3 : vector<1x16384xf32>
    %narrow = arith.truncf %product_2 : vector<1x16384xf32> to vector<1x16384xbf16>
    tile.store %narrow, %outY : !SumPiece_4
  }
}
