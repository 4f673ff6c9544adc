// y = row id of the table, in bf16, where the id is what sampling left in
// device memory: the first layer of a decode step that is replayed as a graph
// any V and N, zero and ragged included; the id is below V
// generated from embedding.cpp
!Id = !tile.tensor<[1] x i32, shared>
!Table = !tile.tensor<[V, N] x bf16, shared>
!Y = !tile.tensor<[N] x bf16, out>
!YTiles = !tile.partition<[1024], [N] x bf16, out>
!IdTiles = !tile.partition<[_], [1] x i32, shared>
!TableTiles = !tile.partition<[_, 1024], [V, N] x bf16, shared>
!YPiece = !tile.piece<[1024] x bf16, out>
tile.kernel @embedding(%id: !Id, %table: !Table, %y: !Y) grid [ceildiv(N, 1024)]
    given [within(%id, 0, V)] {
  %c0 = arith.constant 0 : index
  %j = tile.block_id 0
  %id_tiles = tile.partition %id by [_] : !Id
  %table_tiles = tile.partition %table by [_, 1024] : !Table
  %y_tiles = tile.partition %y by [1024] : !Y
  %out = tile.claim %y_tiles[%j] : !YTiles
  %tile = tile.load %id_tiles[%c0] : !IdTiles
  %row = arith.index_cast %tile : i32 to index
  %tile_1 = tile.load %table_tiles[%row, %j] pad(zero) : !TableTiles
  tile.store %tile_1, %out : !YPiece
}
