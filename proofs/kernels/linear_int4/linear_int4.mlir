// y[M, N] = x[M, K] * weight[N, K]^T in bf16, as linear: weights are of 4 bits,
// with a scale for each row and group, as those of gemv_add_int4. They are
// multiplied in bf16, which has each of them; the sum of a group is in f32, and
// so is what it is scaled and added to.
// any M, N and K from 1 to 2147483647, N a multiple of 8, K of 128
// generated from gemm.cpp
!X = !tile.tensor<[M, K] x bf16, shared>
!Weight = !tile.tensor<[N, G, 64] x i8, shared>
!Scale = !tile.tensor<[N, G] x bf16, shared>
!Y = !tile.tensor<[M, N] x bf16, out>
!WeightTiles = !tile.partition<[64, _, 64], [N, G, 64] x i8, shared>
!XTiles = !tile.partition<[16, 64], [M, K] x bf16, shared>
!ScaleTiles = !tile.partition<[64, _], [N, G] x bf16, shared>
!YTiles = !tile.partition<[16, 64], [M, N] x bf16, out>
!YPiece = !tile.piece<[16, 64] x bf16, out>
!XTiles_1 = !tile.partition<[32, 64], [M, K] x bf16, shared>
!YTiles_1 = !tile.partition<[32, 64], [M, N] x bf16, out>
!YPiece_1 = !tile.piece<[32, 64] x bf16, out>
!XTiles_2 = !tile.partition<[64, 64], [M, K] x bf16, shared>
!YTiles_2 = !tile.partition<[64, 64], [M, N] x bf16, out>
!YPiece_2 = !tile.piece<[64, 64] x bf16, out>
!XTiles_3 = !tile.partition<[128, 64], [M, K] x bf16, shared>
!YTiles_3 = !tile.partition<[128, 64], [M, N] x bf16, out>
!YPiece_3 = !tile.piece<[128, 64] x bf16, out>
!YTiles_4 = !tile.partition<[128, 128], [M, N] x bf16, out>
!WeightTiles_1 = !tile.partition<[128, _, 64], [N, G, 64] x i8, shared>
!ScaleTiles_1 = !tile.partition<[128, _], [N, G] x bf16, shared>
!YPiece_4 = !tile.piece<[128, 128] x bf16, out>
tile.variants @linear_int4 [@linear_int4_few_rows_16_64_3_6 when (M <= 16), @linear_int4_few_rows_32_64_3_4 when (M <= 32), @linear_int4_few_rows_64_64_2_6 when (M <= 64), @linear_int4_few_rows_128_64_1_6 when (ceildiv(M, 128) * ceildiv(N, 64) <= 132), @linear_int4_many_rows_128_128_8]
tile.kernel @linear_int4_few_rows_16_64_3_6(%x: !X, %weight: !Weight, %scale: !Scale, %y: !Y)
    grid [ceildiv(M, 16), ceildiv(N, 64)]
    requires [M >= 1, N >= 1, G >= 1, M <= 2147483647, N <= 2147483647, mod(N, 8) == 0, K == 128 * G, K <= 2147483647]
    hints {sm_90 = {worker_warps = 4, occupancy = 3, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : vector<64x16xf32>
  %c4 = arith.constant dense<4> : vector<64x64xi16>
  %c15 = arith.constant dense<15> : vector<64x64xi16>
  %c17152 = arith.constant dense<17152> : vector<64x64xi16>
  %c136 = arith.constant dense<136.0> : vector<64x64xbf16>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %G = tile.symbol "G" : index
  %x_tiles = tile.partition %x by [16, 64] : !X
  %weight_tiles = tile.partition %weight by [64, _, 64] : !Weight
  %scale_tiles = tile.partition %scale by [64, _] : !Scale
  %y_tiles = tile.partition %y by [16, 64] : !Y
  %acc = scf.for %g = %c0 to %G step %c1 iter_args(%acc = %zero) -> (vector<64x16xf32>) {
    %tile = tile.load %weight_tiles[%j, %g, %c0] pad(zero) : !WeightTiles
    %bits = arith.extui %tile : vector<64x64xi8> to vector<64x64xi16>
    %shrui = arith.shrui %bits, %c4 : vector<64x64xi16>
    %both = arith.andi %shrui, %c15 : vector<64x64xi16>
    %either = arith.ori %both, %c17152 : vector<64x64xi16>
    %bitcast = arith.bitcast %either : vector<64x64xi16> to vector<64x64xbf16>
    %less = arith.subf %bitcast, %c136 : vector<64x64xbf16>
    %product = arith.muli %g, %c2 : index
    %sum = arith.addi %product, %c1 : index
    %high = tile.load %x_tiles[%i, %sum] pad(zero) : !XTiles
    %turned = vector.transpose %high, [1, 0] : vector<16x64xbf16> to vector<64x16xbf16>
    %both_1 = arith.andi %bits, %c15 : vector<64x64xi16>
    %either_1 = arith.ori %both_1, %c17152 : vector<64x64xi16>
    %bitcast_1 = arith.bitcast %either_1 : vector<64x64xi16> to vector<64x64xbf16>
    %less_1 = arith.subf %bitcast_1, %c136 : vector<64x64xbf16>
    %product_1 = arith.muli %g, %c2 : index
    %low = tile.load %x_tiles[%i, %product_1] pad(zero) : !XTiles
    %turned_1 = vector.transpose %low, [1, 0] : vector<16x64xbf16> to vector<64x16xbf16>
    %product_2 = tile.mma %less_1, %turned_1, %zero : vector<64x64xbf16>, vector<64x16xbf16>, vector<64x16xf32>
    %product_3 = tile.mma %less, %turned, %product_2 : vector<64x64xbf16>, vector<64x16xbf16>, vector<64x16xf32>
    %tile_1 = tile.load %scale_tiles[%j, %g] pad(zero) : !ScaleTiles
    %ofRow = arith.extf %tile_1 : vector<64xbf16> to vector<64xf32>
    %shaped = vector.shape_cast %ofRow : vector<64xf32> to vector<64x1xf32>
    %lanes = vector.broadcast %shaped : vector<64x1xf32> to vector<64x16xf32>
    %product_4 = arith.mulf %product_3, %lanes : vector<64x16xf32>
    %acc_1 = arith.addf %acc, %product_4 : vector<64x16xf32>
    scf.yield %acc_1 : vector<64x16xf32>
  }
  %y_piece = tile.claim %y_tiles[%i, %j] : !YTiles
  %turned = vector.transpose %acc, [1, 0] : vector<64x16xf32> to vector<16x64xf32>
  %narrow = arith.truncf %turned : vector<16x64xf32> to vector<16x64xbf16>
  tile.store %narrow, %y_piece : !YPiece
}
tile.kernel @linear_int4_few_rows_32_64_3_4(%x: !X, %weight: !Weight, %scale: !Scale, %y: !Y)
    grid [ceildiv(M, 32), ceildiv(N, 64)]
    requires [M >= 1, N >= 1, G >= 1, M <= 2147483647, N <= 2147483647, mod(N, 8) == 0, K == 128 * G, K <= 2147483647]
    hints {sm_90 = {worker_warps = 4, occupancy = 3, latency = 4}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : vector<64x32xf32>
  %c4 = arith.constant dense<4> : vector<64x64xi16>
  %c15 = arith.constant dense<15> : vector<64x64xi16>
  %c17152 = arith.constant dense<17152> : vector<64x64xi16>
  %c136 = arith.constant dense<136.0> : vector<64x64xbf16>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %G = tile.symbol "G" : index
  %x_tiles = tile.partition %x by [32, 64] : !X
  %weight_tiles = tile.partition %weight by [64, _, 64] : !Weight
  %scale_tiles = tile.partition %scale by [64, _] : !Scale
  %y_tiles = tile.partition %y by [32, 64] : !Y
  %acc = scf.for %g = %c0 to %G step %c1 iter_args(%acc = %zero) -> (vector<64x32xf32>) {
    %tile = tile.load %weight_tiles[%j, %g, %c0] pad(zero) : !WeightTiles
    %bits = arith.extui %tile : vector<64x64xi8> to vector<64x64xi16>
    %shrui = arith.shrui %bits, %c4 : vector<64x64xi16>
    %both = arith.andi %shrui, %c15 : vector<64x64xi16>
    %either = arith.ori %both, %c17152 : vector<64x64xi16>
    %bitcast = arith.bitcast %either : vector<64x64xi16> to vector<64x64xbf16>
    %less = arith.subf %bitcast, %c136 : vector<64x64xbf16>
    %product = arith.muli %g, %c2 : index
    %sum = arith.addi %product, %c1 : index
    %high = tile.load %x_tiles[%i, %sum] pad(zero) : !XTiles_1
    %turned = vector.transpose %high, [1, 0] : vector<32x64xbf16> to vector<64x32xbf16>
    %both_1 = arith.andi %bits, %c15 : vector<64x64xi16>
    %either_1 = arith.ori %both_1, %c17152 : vector<64x64xi16>
    %bitcast_1 = arith.bitcast %either_1 : vector<64x64xi16> to vector<64x64xbf16>
    %less_1 = arith.subf %bitcast_1, %c136 : vector<64x64xbf16>
    %product_1 = arith.muli %g, %c2 : index
    %low = tile.load %x_tiles[%i, %product_1] pad(zero) : !XTiles_1
    %turned_1 = vector.transpose %low, [1, 0] : vector<32x64xbf16> to vector<64x32xbf16>
    %product_2 = tile.mma %less_1, %turned_1, %zero : vector<64x64xbf16>, vector<64x32xbf16>, vector<64x32xf32>
    %product_3 = tile.mma %less, %turned, %product_2 : vector<64x64xbf16>, vector<64x32xbf16>, vector<64x32xf32>
    %tile_1 = tile.load %scale_tiles[%j, %g] pad(zero) : !ScaleTiles
    %ofRow = arith.extf %tile_1 : vector<64xbf16> to vector<64xf32>
    %shaped = vector.shape_cast %ofRow : vector<64xf32> to vector<64x1xf32>
    %lanes = vector.broadcast %shaped : vector<64x1xf32> to vector<64x32xf32>
    %product_4 = arith.mulf %product_3, %lanes : vector<64x32xf32>
    %acc_1 = arith.addf %acc, %product_4 : vector<64x32xf32>
    scf.yield %acc_1 : vector<64x32xf32>
  }
  %y_piece = tile.claim %y_tiles[%i, %j] : !YTiles_1
  %turned = vector.transpose %acc, [1, 0] : vector<64x32xf32> to vector<32x64xf32>
  %narrow = arith.truncf %turned : vector<32x64xf32> to vector<32x64xbf16>
  tile.store %narrow, %y_piece : !YPiece_1
}
tile.kernel @linear_int4_few_rows_64_64_2_6(%x: !X, %weight: !Weight, %scale: !Scale, %y: !Y)
    grid [ceildiv(M, 64), ceildiv(N, 64)]
    requires [M >= 1, N >= 1, G >= 1, M <= 2147483647, N <= 2147483647, mod(N, 8) == 0, K == 128 * G, K <= 2147483647]
    hints {sm_90 = {worker_warps = 4, occupancy = 2, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %c4 = arith.constant dense<4> : vector<64x64xi16>
  %c15 = arith.constant dense<15> : vector<64x64xi16>
  %c17152 = arith.constant dense<17152> : vector<64x64xi16>
  %c136 = arith.constant dense<136.0> : vector<64x64xbf16>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %G = tile.symbol "G" : index
  %x_tiles = tile.partition %x by [64, 64] : !X
  %weight_tiles = tile.partition %weight by [64, _, 64] : !Weight
  %scale_tiles = tile.partition %scale by [64, _] : !Scale
  %y_tiles = tile.partition %y by [64, 64] : !Y
  %acc = scf.for %g = %c0 to %G step %c1 iter_args(%acc = %zero) -> (vector<64x64xf32>) {
    %tile = tile.load %weight_tiles[%j, %g, %c0] pad(zero) : !WeightTiles
    %bits = arith.extui %tile : vector<64x64xi8> to vector<64x64xi16>
    %shrui = arith.shrui %bits, %c4 : vector<64x64xi16>
    %both = arith.andi %shrui, %c15 : vector<64x64xi16>
    %either = arith.ori %both, %c17152 : vector<64x64xi16>
    %bitcast = arith.bitcast %either : vector<64x64xi16> to vector<64x64xbf16>
    %less = arith.subf %bitcast, %c136 : vector<64x64xbf16>
    %product = arith.muli %g, %c2 : index
    %sum = arith.addi %product, %c1 : index
    %high = tile.load %x_tiles[%i, %sum] pad(zero) : !XTiles_2
    %turned = vector.transpose %high, [1, 0] : vector<64x64xbf16> to vector<64x64xbf16>
    %both_1 = arith.andi %bits, %c15 : vector<64x64xi16>
    %either_1 = arith.ori %both_1, %c17152 : vector<64x64xi16>
    %bitcast_1 = arith.bitcast %either_1 : vector<64x64xi16> to vector<64x64xbf16>
    %less_1 = arith.subf %bitcast_1, %c136 : vector<64x64xbf16>
    %product_1 = arith.muli %g, %c2 : index
    %low = tile.load %x_tiles[%i, %product_1] pad(zero) : !XTiles_2
    %turned_1 = vector.transpose %low, [1, 0] : vector<64x64xbf16> to vector<64x64xbf16>
    %product_2 = tile.mma %less_1, %turned_1, %zero : vector<64x64xbf16>, vector<64x64xbf16>, vector<64x64xf32>
    %product_3 = tile.mma %less, %turned, %product_2 : vector<64x64xbf16>, vector<64x64xbf16>, vector<64x64xf32>
    %tile_1 = tile.load %scale_tiles[%j, %g] pad(zero) : !ScaleTiles
    %ofRow = arith.extf %tile_1 : vector<64xbf16> to vector<64xf32>
    %shaped = vector.shape_cast %ofRow : vector<64xf32> to vector<64x1xf32>
    %lanes = vector.broadcast %shaped : vector<64x1xf32> to vector<64x64xf32>
    %product_4 = arith.mulf %product_3, %lanes : vector<64x64xf32>
    %acc_1 = arith.addf %acc, %product_4 : vector<64x64xf32>
    scf.yield %acc_1 : vector<64x64xf32>
  }
  %y_piece = tile.claim %y_tiles[%i, %j] : !YTiles_2
  %turned = vector.transpose %acc, [1, 0] : vector<64x64xf32> to vector<64x64xf32>
  %narrow = arith.truncf %turned : vector<64x64xf32> to vector<64x64xbf16>
  tile.store %narrow, %y_piece : !YPiece_2
}
tile.kernel @linear_int4_few_rows_128_64_1_6(%x: !X, %weight: !Weight, %scale: !Scale, %y: !Y)
    grid [ceildiv(M, 128), ceildiv(N, 64)]
    requires [M >= 1, N >= 1, G >= 1, M <= 2147483647, N <= 2147483647, mod(N, 8) == 0, K == 128 * G, K <= 2147483647]
    hints {sm_90 = {worker_warps = 4, occupancy = 1, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : vector<64x128xf32>
  %c4 = arith.constant dense<4> : vector<64x64xi16>
  %c15 = arith.constant dense<15> : vector<64x64xi16>
  %c17152 = arith.constant dense<17152> : vector<64x64xi16>
  %c136 = arith.constant dense<136.0> : vector<64x64xbf16>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %G = tile.symbol "G" : index
  %x_tiles = tile.partition %x by [128, 64] : !X
  %weight_tiles = tile.partition %weight by [64, _, 64] : !Weight
  %scale_tiles = tile.partition %scale by [64, _] : !Scale
  %y_tiles = tile.partition %y by [128, 64] : !Y
  %acc = scf.for %g = %c0 to %G step %c1 iter_args(%acc = %zero) -> (vector<64x128xf32>) {
    %tile = tile.load %weight_tiles[%j, %g, %c0] pad(zero) : !WeightTiles
    %bits = arith.extui %tile : vector<64x64xi8> to vector<64x64xi16>
    %shrui = arith.shrui %bits, %c4 : vector<64x64xi16>
    %both = arith.andi %shrui, %c15 : vector<64x64xi16>
    %either = arith.ori %both, %c17152 : vector<64x64xi16>
    %bitcast = arith.bitcast %either : vector<64x64xi16> to vector<64x64xbf16>
    %less = arith.subf %bitcast, %c136 : vector<64x64xbf16>
    %product = arith.muli %g, %c2 : index
    %sum = arith.addi %product, %c1 : index
    %high = tile.load %x_tiles[%i, %sum] pad(zero) : !XTiles_3
    %turned = vector.transpose %high, [1, 0] : vector<128x64xbf16> to vector<64x128xbf16>
    %both_1 = arith.andi %bits, %c15 : vector<64x64xi16>
    %either_1 = arith.ori %both_1, %c17152 : vector<64x64xi16>
    %bitcast_1 = arith.bitcast %either_1 : vector<64x64xi16> to vector<64x64xbf16>
    %less_1 = arith.subf %bitcast_1, %c136 : vector<64x64xbf16>
    %product_1 = arith.muli %g, %c2 : index
    %low = tile.load %x_tiles[%i, %product_1] pad(zero) : !XTiles_3
    %turned_1 = vector.transpose %low, [1, 0] : vector<128x64xbf16> to vector<64x128xbf16>
    %product_2 = tile.mma %less_1, %turned_1, %zero : vector<64x64xbf16>, vector<64x128xbf16>, vector<64x128xf32>
    %product_3 = tile.mma %less, %turned, %product_2 : vector<64x64xbf16>, vector<64x128xbf16>, vector<64x128xf32>
    %tile_1 = tile.load %scale_tiles[%j, %g] pad(zero) : !ScaleTiles
    %ofRow = arith.extf %tile_1 : vector<64xbf16> to vector<64xf32>
    %shaped = vector.shape_cast %ofRow : vector<64xf32> to vector<64x1xf32>
    %lanes = vector.broadcast %shaped : vector<64x1xf32> to vector<64x128xf32>
    %product_4 = arith.mulf %product_3, %lanes : vector<64x128xf32>
    %acc_1 = arith.addf %acc, %product_4 : vector<64x128xf32>
    scf.yield %acc_1 : vector<64x128xf32>
  }
  %y_piece = tile.claim %y_tiles[%i, %j] : !YTiles_3
  %turned = vector.transpose %acc, [1, 0] : vector<64x128xf32> to vector<128x64xf32>
  %narrow = arith.truncf %turned : vector<128x64xf32> to vector<128x64xbf16>
  tile.store %narrow, %y_piece : !YPiece_3
}
tile.kernel @linear_int4_many_rows_128_128_8(%x: !X, %weight: !Weight, %scale: !Scale, %y: !Y)
    grid [ceildiv(M, 1024) * (8 * ceildiv(N, 128))]
    requires [M >= 1, N >= 1, G >= 1, M <= 2147483647, N <= 2147483647, mod(N, 8) == 0, K == 128 * G, K <= 2147483647]
    hints {sm_90 = {worker_warps = 8, occupancy = 1, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : vector<128x128xf32>
  %c4 = arith.constant dense<4> : vector<128x64xi16>
  %c15 = arith.constant dense<15> : vector<128x64xi16>
  %c17152 = arith.constant dense<17152> : vector<128x64xi16>
  %c136 = arith.constant dense<136.0> : vector<128x64xbf16>
  %t = tile.block_id 0
  %G = tile.symbol "G" : index
  %x_tiles = tile.partition %x by [128, 64] : !X
  %weight_tiles = tile.partition %weight by [128, _, 64] : !Weight
  %scale_tiles = tile.partition %scale by [128, _] : !Scale
  %y_tiles = tile.partition %y by [128, 128] : !Y
  %gm = tile.num_tiles %y_tiles, 0 : !YTiles_4
  %gn = tile.num_tiles %y_tiles, 1 : !YTiles_4
  %bandTiles = arith.muli %c8, %gn : index
  %band = arith.divsi %t, %bandTiles : index
  %product = arith.muli %band, %c8 : index
  %rest = arith.remsi %t, %bandTiles : index
  %rest_1 = arith.remsi %rest, %c8 : index
  %i = arith.addi %product, %rest_1 : index
  %is = arith.cmpi slt, %i, %gm : index
  %j = arith.divsi %rest, %c8 : index
  scf.if %is {
    %out = tile.claim %y_tiles[%i, %j] : !YTiles_4
    %acc = scf.for %g = %c0 to %G step %c1 iter_args(%acc = %zero) -> (vector<128x128xf32>) {
      %tile = tile.load %weight_tiles[%j, %g, %c0] pad(zero) : !WeightTiles_1
      %bits = arith.extui %tile : vector<128x64xi8> to vector<128x64xi16>
      %shrui = arith.shrui %bits, %c4 : vector<128x64xi16>
      %both = arith.andi %shrui, %c15 : vector<128x64xi16>
      %either = arith.ori %both, %c17152 : vector<128x64xi16>
      %bitcast = arith.bitcast %either : vector<128x64xi16> to vector<128x64xbf16>
      %less = arith.subf %bitcast, %c136 : vector<128x64xbf16>
      %product_1 = arith.muli %g, %c2 : index
      %sum = arith.addi %product_1, %c1 : index
      %high = tile.load %x_tiles[%i, %sum] pad(zero) : !XTiles_3
      %turned = vector.transpose %high, [1, 0] : vector<128x64xbf16> to vector<64x128xbf16>
      %both_1 = arith.andi %bits, %c15 : vector<128x64xi16>
      %either_1 = arith.ori %both_1, %c17152 : vector<128x64xi16>
      %bitcast_1 = arith.bitcast %either_1 : vector<128x64xi16> to vector<128x64xbf16>
      %less_1 = arith.subf %bitcast_1, %c136 : vector<128x64xbf16>
      %product_2 = arith.muli %g, %c2 : index
      %low = tile.load %x_tiles[%i, %product_2] pad(zero) : !XTiles_3
      %turned_1 = vector.transpose %low, [1, 0] : vector<128x64xbf16> to vector<64x128xbf16>
      %product_3 = tile.mma %less_1, %turned_1, %zero : vector<128x64xbf16>, vector<64x128xbf16>, vector<128x128xf32>
      %product_4 = tile.mma %less, %turned, %product_3 : vector<128x64xbf16>, vector<64x128xbf16>, vector<128x128xf32>
      %tile_1 = tile.load %scale_tiles[%j, %g] pad(zero) : !ScaleTiles_1
      %ofRow = arith.extf %tile_1 : vector<128xbf16> to vector<128xf32>
      %shaped = vector.shape_cast %ofRow : vector<128xf32> to vector<128x1xf32>
      %lanes = vector.broadcast %shaped : vector<128x1xf32> to vector<128x128xf32>
      %product_5 = arith.mulf %product_4, %lanes : vector<128x128xf32>
      %acc_1 = arith.addf %acc, %product_5 : vector<128x128xf32>
      scf.yield %acc_1 : vector<128x128xf32>
    }
    %turned = vector.transpose %acc, [1, 0] : vector<128x128xf32> to vector<128x128xf32>
    %narrow = arith.truncf %turned : vector<128x128xf32> to vector<128x128xbf16>
    tile.store %narrow, %out : !YPiece_4
  }
}
