// z[N] = x[N]: every block claims the first tile
!X = !tile.tensor<[N] x f32, shared>
!Z = !tile.tensor<[N] x f32, out>
!XTiles = !tile.partition<[1024], [N] x f32, shared>
!ZTiles = !tile.partition<[1024], [N] x f32, out>
!ZPiece = !tile.piece<[1024] x f32, out>
tile.kernel @copy_race(%x: !X, %z: !Z) grid [ceildiv(N, 1024)] {
  %zero = arith.constant 0 : index
  %i = tile.block_id 0
  %x_tiles = tile.partition %x by [1024] : !X
  %z_tiles = tile.partition %z by [1024] : !Z
  %z_piece = tile.claim %z_tiles[%zero] : !ZTiles
  %v = tile.load %x_tiles[%i] pad(zero) : !XTiles
  tile.store %v, %z_piece : !ZPiece
}
