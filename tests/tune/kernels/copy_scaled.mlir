// z[N] = x[N], with an argument more, in tiles of 1024
!X = !tile.tensor<[N] x f32, shared>
!Z = !tile.tensor<[N] x f32, out>
!XTiles = !tile.partition<[1024], [N] x f32, shared>
!ZTiles = !tile.partition<[1024], [N] x f32, out>
!ZPiece = !tile.piece<[1024] x f32, out>
tile.kernel @copy_scaled(%x: !X, %z: !Z, %alpha: f32) grid [ceildiv(N, 1024)] {
  %i = tile.block_id 0
  %x_tiles = tile.partition %x by [1024] : !X
  %z_tiles = tile.partition %z by [1024] : !Z
  %z_piece = tile.claim %z_tiles[%i] : !ZTiles
  %v = tile.load %x_tiles[%i] pad(zero) : !XTiles
  tile.store %v, %z_piece : !ZPiece
}
