// Rows that are scaled and gathered, in a loop, behind the grids before: loads by
// tile and by lane, and stores, each behind the wait.
!X = !tile.tensor<[M, N] x f32, shared>
!S = !tile.tensor<[M] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!XTiles = !tile.partition<[_, 32], [M, N] x f32, shared>
!STiles = !tile.partition<[_], [M] x f32, shared>
!YTiles = !tile.partition<[_, 32], [M, N] x f32, out>
!YPiece = !tile.piece<[_, 32] x f32, out>
tile.kernel @early(%x: !X, %s: !S, %y: !Y) grid [M] hints {sm_90 = {early = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<32xf32>
  %row = tile.block_id 0
  %x_tiles = tile.partition %x by [_, 32] : !X
  %s_tiles = tile.partition %s by [_] : !S
  %y_tiles = tile.partition %y by [_, 32] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles
  %scale = tile.load %s_tiles[%row] : !STiles
  %scales = vector.broadcast %scale : f32 to vector<32xf32>
  %total = scf.for %j = %c0 to %n step %c1 iter_args(%sum = %zero) -> (vector<32xf32>) {
    %tile = tile.load %x_tiles[%row, %j] pad(zero) : !XTiles
    %more = arith.addf %sum, %tile : vector<32xf32>
    scf.yield %more : vector<32xf32>
  }
  scf.for %j = %c0 to %n step %c1 {
    %out = tile.claim %y_tiles[%row, %j] : !YTiles
    %tile = tile.load %x_tiles[%row, %j] pad(zero) : !XTiles
    %part = arith.mulf %tile, %scales : vector<32xf32>
    %sum = arith.addf %part, %total : vector<32xf32>
    tile.store %sum, %out : !YPiece
  }
}
