// z[N] = x[N] + y[N] in f32
// any N, zero and ragged included
// generated from elementwise.cpp
!X = !tile.tensor<[N] x f32, shared>
!Z = !tile.tensor<[N] x f32, out>
!ZTiles = !tile.partition<[1024], [N] x f32, out>
!XTiles = !tile.partition<[1024], [N] x f32, shared>
!ZPiece = !tile.piece<[1024] x f32, out>
tile.kernel @add(%x: !X, %y: !X, %z: !Z) grid [ceildiv(N, 1024)] {
  %i = tile.block_id 0
  %x_tiles = tile.partition %x by [1024] : !X
  %y_tiles = tile.partition %y by [1024] : !X
  %z_tiles = tile.partition %z by [1024] : !Z
  %z_piece = tile.claim %z_tiles[%i] : !ZTiles
  %a = tile.load %x_tiles[%i] pad(zero) : !XTiles
  %b = tile.load %y_tiles[%i] pad(zero) : !XTiles
  %sum = arith.addf %a, %b : vector<1024xf32>
  tile.store %sum, %z_piece : !ZPiece
}
