// z[N] = x[N], in tiles of 2048
!X = !tile.tensor<[N] x f32, shared>
!Z = !tile.tensor<[N] x f32, out>
!XTiles = !tile.partition<[2048], [N] x f32, shared>
!ZTiles = !tile.partition<[2048], [N] x f32, out>
!ZPiece = !tile.piece<[2048] x f32, out>
tile.kernel @copy_wrong(%x: !X, %z: !Z) grid [ceildiv(N, 2048)] {
  %i = tile.block_id 0
  %x_tiles = tile.partition %x by [2048] : !X
  %z_tiles = tile.partition %z by [2048] : !Z
  %z_piece = tile.claim %z_tiles[%i] : !ZTiles
  %v = tile.load %x_tiles[%i] pad(zero) : !XTiles
  tile.store %v, %z_piece : !ZPiece
}
