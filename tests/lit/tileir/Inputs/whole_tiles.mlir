// y[m, n] = silu(gate[m, n]) * up[m, n] in bf16, where the columns of x[M, W]
// are those of gate, then those of up. All tiles are whole.
// any M and N that is a multiple of 1024, zero included; W is 2 N
!X = !tile.tensor<[M, W] x bf16, shared>
!Y = !tile.tensor<[M, N] x bf16, out>
!YTiles = !tile.partition<[_, 1024], [M, N] x bf16, out>
!XTiles = !tile.partition<[_, 1024], [M, W] x bf16, shared>
!YPiece = !tile.piece<[_, 1024] x bf16, out>
tile.kernel @whole_tiles(%x: !X, %y: !Y) grid [M, div(N, 1024)]
    requires [W == 2 * N, mod(N, 1024) == 0] hints {sm_90 = {occupancy = 8}} {
  %one = arith.constant dense<1.0> : vector<1024xf32>
  %row = tile.block_id 0
  %j = tile.block_id 1
  %x_tiles = tile.partition %x by [_, 1024] : !X
  %y_tiles = tile.partition %y by [_, 1024] : !Y
  %half = tile.num_tiles %y_tiles, 1 : !YTiles
  %out = tile.claim %y_tiles[%row, %j] : !YTiles
  %tile = tile.load %x_tiles[%row, %j] : !XTiles
  %gate = arith.extf %tile : vector<1024xbf16> to vector<1024xf32>
  %minus = arith.negf %gate : vector<1024xf32>
  %exp = math.exp %minus : vector<1024xf32>
  %sum = arith.addf %one, %exp : vector<1024xf32>
  %quotient = arith.divf %gate, %sum : vector<1024xf32>
  %sum_1 = arith.addi %half, %j : index
  %tile_1 = tile.load %x_tiles[%row, %sum_1] : !XTiles
  %up = arith.extf %tile_1 : vector<1024xbf16> to vector<1024xf32>
  %product = arith.mulf %quotient, %up : vector<1024xf32>
  %narrow = arith.truncf %product : vector<1024xf32> to vector<1024xbf16>
  tile.store %narrow, %out : !YPiece
}
