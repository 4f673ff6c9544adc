// z[N] = x[N], in tiles of 64
!X = !tile.tensor<[N] x f32, shared>
!Z = !tile.tensor<[N] x f32, out>
!XTiles = !tile.partition<[64], [N] x f32, shared>
!ZTiles = !tile.partition<[64], [N] x f32, out>
!ZPiece = !tile.piece<[64] x f32, out>
tile.kernel @copy_narrow(%x: !X, %z: !Z) grid [ceildiv(N, 64)] requires [N <= 4096]
    hints {sm_90 = {occupancy = 4}} {
  %i = tile.block_id 0
  %x_tiles = tile.partition %x by [64] : !X
  %z_tiles = tile.partition %z by [64] : !Z
  %z_piece = tile.claim %z_tiles[%i] : !ZTiles
  %v = tile.load %x_tiles[%i] pad(zero) : !XTiles
  tile.store %v, %z_piece : !ZPiece
}
