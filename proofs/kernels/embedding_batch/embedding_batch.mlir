// y[m] = row ids[m] of the table, in bf16: the first layer of a language model
// any M, V and N, zero and ragged included; every id is below V
// generated from embedding.cpp
!Ids = !tile.tensor<[M] x i32, shared>
!Table = !tile.tensor<[V, N] x bf16, shared>
!Y = !tile.tensor<[M, N] x bf16, out>
!YTiles = !tile.partition<[_, 1024], [M, N] x bf16, out>
!IdsTiles = !tile.partition<[_], [M] x i32, shared>
!TableTiles = !tile.partition<[_, 1024], [V, N] x bf16, shared>
!YPiece = !tile.piece<[_, 1024] x bf16, out>
tile.kernel @embedding_batch(%ids: !Ids, %table: !Table, %y: !Y)
    grid [M, ceildiv(N, 1024)] given [within(%ids, 0, V)]
    hints {sm_90 = {occupancy = 8}} {
  %m = tile.block_id 0
  %j = tile.block_id 1
  %ids_tiles = tile.partition %ids by [_] : !Ids
  %table_tiles = tile.partition %table by [_, 1024] : !Table
  %y_tiles = tile.partition %y by [_, 1024] : !Y
  %out = tile.claim %y_tiles[%m, %j] : !YTiles
  %tile = tile.load %ids_tiles[%m] : !IdsTiles
  %row = arith.index_cast %tile : i32 to index
  %tile_1 = tile.load %table_tiles[%row, %j] pad(zero) : !TableTiles
  tile.store %tile_1, %out : !YPiece
}
