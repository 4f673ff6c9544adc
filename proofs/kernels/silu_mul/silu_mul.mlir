// y[m, n] = silu(gate[m, n]) * up[m, n] in bf16, where the columns of x[M, W]
// are those of gate, then those of up: what one GEMM for both leaves. Whole
// tiles are not masked.
// any M and N, zero and ragged included; W is 2 N
// generated from elementwise.cpp
!X = !tile.tensor<[M, W] x bf16, shared, strides [ldx, 1]>
!Y = !tile.tensor<[M, N] x bf16, out, strides [ldy, 1]>
!YTiles = !tile.partition<[_, 1024], [M, N] x bf16, out, strides [ldy, 1]>
!XView = !tile.tensor<[M, N] x bf16, shared>
!XViewTiles = !tile.partition<[_, 1024], [M, N] x bf16, shared>
!YPiece = !tile.piece<[_, 1024] x bf16, out>
!YTiles_1 = !tile.partition<[_, 512], [M, N] x bf16, out, strides [ldy, 1]>
!XViewTiles_1 = !tile.partition<[_, 512], [M, N] x bf16, shared>
!YPiece_1 = !tile.piece<[_, 512] x bf16, out>
tile.variants @silu_mul [@silu_mul_whole_1024 when (mod(N, 1024) == 0), @silu_mul_whole_512 when (mod(N, 512) == 0), @silu_mul_ragged_1024_8 when (M <= 320), @silu_mul_ragged_1024_4]
tile.kernel @silu_mul_whole_1024(%x: !X, %y: !Y) symbols [ldx : index, ldy : index]
    grid [M, div(N, 1024)] requires [W == 2 * N, mod(N, 1024) == 0]
    hints {sm_90 = {occupancy = 8}} {
  %one = arith.constant dense<1.0> : vector<1024xf32>
  %row = tile.block_id 0
  %j = tile.block_id 1
  %y_tiles = tile.partition %y by [_, 1024] : !Y
  %out = tile.claim %y_tiles[%row, %j] : !YTiles
  %gates = tile.view %x slice [0, 0] size [M, N] : !X
  %x_view_tiles = tile.partition %gates by [_, 1024] : !XView
  %tile = tile.load %x_view_tiles[%row, %j] : !XViewTiles
  %gate = arith.extf %tile : vector<1024xbf16> to vector<1024xf32>
  %minus = arith.negf %gate : vector<1024xf32>
  %exp = math.exp %minus : vector<1024xf32>
  %sum = arith.addf %one, %exp : vector<1024xf32>
  %quotient = arith.divf %gate, %sum : vector<1024xf32>
  %ups = tile.view %x slice [0, N] size [M, N] : !X
  %x_view_tiles_1 = tile.partition %ups by [_, 1024] : !XView
  %tile_1 = tile.load %x_view_tiles_1[%row, %j] : !XViewTiles
  %up = arith.extf %tile_1 : vector<1024xbf16> to vector<1024xf32>
  %product = arith.mulf %quotient, %up : vector<1024xf32>
  %narrow = arith.truncf %product : vector<1024xf32> to vector<1024xbf16>
  tile.store %narrow, %out : !YPiece
}
tile.kernel @silu_mul_whole_512(%x: !X, %y: !Y) symbols [ldx : index, ldy : index]
    grid [M, div(N, 512)] requires [W == 2 * N, mod(N, 512) == 0]
    hints {sm_90 = {occupancy = 8}} {
  %one = arith.constant dense<1.0> : vector<512xf32>
  %row = tile.block_id 0
  %j = tile.block_id 1
  %y_tiles = tile.partition %y by [_, 512] : !Y
  %out = tile.claim %y_tiles[%row, %j] : !YTiles_1
  %gates = tile.view %x slice [0, 0] size [M, N] : !X
  %x_view_tiles = tile.partition %gates by [_, 512] : !XView
  %tile = tile.load %x_view_tiles[%row, %j] : !XViewTiles_1
  %gate = arith.extf %tile : vector<512xbf16> to vector<512xf32>
  %minus = arith.negf %gate : vector<512xf32>
  %exp = math.exp %minus : vector<512xf32>
  %sum = arith.addf %one, %exp : vector<512xf32>
  %quotient = arith.divf %gate, %sum : vector<512xf32>
  %ups = tile.view %x slice [0, N] size [M, N] : !X
  %x_view_tiles_1 = tile.partition %ups by [_, 512] : !XView
  %tile_1 = tile.load %x_view_tiles_1[%row, %j] : !XViewTiles_1
  %up = arith.extf %tile_1 : vector<512xbf16> to vector<512xf32>
  %product = arith.mulf %quotient, %up : vector<512xf32>
  %narrow = arith.truncf %product : vector<512xf32> to vector<512xbf16>
  tile.store %narrow, %out : !YPiece_1
}
tile.kernel @silu_mul_ragged_1024_8(%x: !X, %y: !Y) symbols [ldx : index, ldy : index]
    grid [M, ceildiv(N, 1024)] requires [W == 2 * N]
    hints {sm_90 = {worker_warps = 8, occupancy = 8}} {
  %one = arith.constant dense<1.0> : vector<1024xf32>
  %row = tile.block_id 0
  %j = tile.block_id 1
  %y_tiles = tile.partition %y by [_, 1024] : !Y
  %out = tile.claim %y_tiles[%row, %j] : !YTiles
  %gates = tile.view %x slice [0, 0] size [M, N] : !X
  %x_view_tiles = tile.partition %gates by [_, 1024] : !XView
  %tile = tile.load %x_view_tiles[%row, %j] pad(zero) : !XViewTiles
  %gate = arith.extf %tile : vector<1024xbf16> to vector<1024xf32>
  %minus = arith.negf %gate : vector<1024xf32>
  %exp = math.exp %minus : vector<1024xf32>
  %sum = arith.addf %one, %exp : vector<1024xf32>
  %quotient = arith.divf %gate, %sum : vector<1024xf32>
  %ups = tile.view %x slice [0, N] size [M, N] : !X
  %x_view_tiles_1 = tile.partition %ups by [_, 1024] : !XView
  %tile_1 = tile.load %x_view_tiles_1[%row, %j] pad(zero) : !XViewTiles
  %up = arith.extf %tile_1 : vector<1024xbf16> to vector<1024xf32>
  %product = arith.mulf %quotient, %up : vector<1024xf32>
  %narrow = arith.truncf %product : vector<1024xf32> to vector<1024xbf16>
  tile.store %narrow, %out : !YPiece
}
tile.kernel @silu_mul_ragged_1024_4(%x: !X, %y: !Y) symbols [ldx : index, ldy : index]
    grid [M, ceildiv(N, 1024)] requires [W == 2 * N]
    hints {sm_90 = {worker_warps = 4, occupancy = 8}} {
  %one = arith.constant dense<1.0> : vector<1024xf32>
  %row = tile.block_id 0
  %j = tile.block_id 1
  %y_tiles = tile.partition %y by [_, 1024] : !Y
  %out = tile.claim %y_tiles[%row, %j] : !YTiles
  %gates = tile.view %x slice [0, 0] size [M, N] : !X
  %x_view_tiles = tile.partition %gates by [_, 1024] : !XView
  %tile = tile.load %x_view_tiles[%row, %j] pad(zero) : !XViewTiles
  %gate = arith.extf %tile : vector<1024xbf16> to vector<1024xf32>
  %minus = arith.negf %gate : vector<1024xf32>
  %exp = math.exp %minus : vector<1024xf32>
  %sum = arith.addf %one, %exp : vector<1024xf32>
  %quotient = arith.divf %gate, %sum : vector<1024xf32>
  %ups = tile.view %x slice [0, N] size [M, N] : !X
  %x_view_tiles_1 = tile.partition %ups by [_, 1024] : !XView
  %tile_1 = tile.load %x_view_tiles_1[%row, %j] pad(zero) : !XViewTiles
  %up = arith.extf %tile_1 : vector<1024xbf16> to vector<1024xf32>
  %product = arith.mulf %quotient, %up : vector<1024xf32>
  %narrow = arith.truncf %product : vector<1024xf32> to vector<1024xbf16>
  tile.store %narrow, %out : !YPiece
}
