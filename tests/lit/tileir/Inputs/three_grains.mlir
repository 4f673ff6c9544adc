// z = x + y of three tensors, each with a last extent of its own that counts
!X = !tile.tensor<[M, A] x bf16, shared>
!Y = !tile.tensor<[M, B] x bf16, shared>
!Z = !tile.tensor<[M, C] x bf16, out>
!XTiles = !tile.partition<[_, 64], [M, A] x bf16, shared>
!YTiles = !tile.partition<[_, 64], [M, B] x bf16, shared>
!ZTiles = !tile.partition<[_, 64], [M, C] x bf16, out>
!ZPiece = !tile.piece<[_, 64] x bf16, out>
tile.kernel @three_grains(%x: !X, %y: !Y, %z: !Z) grid [M, ceildiv(C, 64)]
    requires [A >= C, B >= C] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %x_tiles = tile.partition %x by [_, 64] : !X
  %y_tiles = tile.partition %y by [_, 64] : !Y
  %z_tiles = tile.partition %z by [_, 64] : !Z
  %out = tile.claim %z_tiles[%i, %j] : !ZTiles
  %a = tile.load %x_tiles[%i, %j] pad(zero) : !XTiles
  %b = tile.load %y_tiles[%i, %j] pad(zero) : !YTiles
  %sum = arith.addf %a, %b : vector<64xbf16>
  tile.store %sum, %out : !ZPiece
}
