// dtable[ids[t]] += dy[t]: the gradient of a table of embeddings, of bf16 in
// f32 any T, V and N, zero and ragged included; every id is below V, and may
// come twice
// generated from embedding.cpp
!Ids = !tile.tensor<[T] x i32, shared>
!Dy = !tile.tensor<[T, N] x bf16, shared>
!Dtable = !tile.tensor<[V, N] x f32, atomic<add>>
!DyTiles = !tile.partition<[16, 128], [T, N] x bf16, shared>
!IdsTiles = !tile.partition<[16], [T] x i32, shared>
tile.kernel @embedding_backward(%ids: !Ids, %dy: !Dy, %dtable: !Dtable)
    grid [ceildiv(T, 16), ceildiv(N, 128)] given [within(%ids, 0, V)] {
  %c16 = arith.constant 16 : index
  %c128 = arith.constant 128 : index
  %lane0 = tile.iota 0 : vector<16x128xindex>
  %lane1 = tile.iota 1 : vector<16x128xindex>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %T = tile.symbol "T" : index
  %N = tile.symbol "N" : index
  %ids_tiles = tile.partition %ids by [16] : !Ids
  %dy_tiles = tile.partition %dy by [16, 128] : !Dy
  %tile = tile.load %dy_tiles[%i, %j] pad(zero) : !DyTiles
  %wide = arith.extf %tile : vector<16x128xbf16> to vector<16x128xf32>
  %id = tile.load %ids_tiles[%i] pad(zero) : !IdsTiles
  %index = arith.index_cast %id : vector<16xi32> to vector<16xindex>
  %row = vector.shape_cast %index : vector<16xindex> to vector<16x1xindex>
  %lanes = vector.broadcast %row : vector<16x1xindex> to vector<16x128xindex>
  %product = arith.muli %j, %c128 : index
  %lanes_1 = vector.broadcast %product : index to vector<16x128xindex>
  %column = arith.addi %lanes_1, %lane1 : vector<16x128xindex>
  %product_1 = arith.muli %i, %c16 : index
  %left = arith.subi %T, %product_1 : index
  %lanes_2 = vector.broadcast %left : index to vector<16x128xindex>
  %isToken = arith.cmpi slt, %lane0, %lanes_2 : vector<16x128xindex>
  %lanes_3 = vector.broadcast %N : index to vector<16x128xindex>
  %isThere = arith.cmpi slt, %column, %lanes_3 : vector<16x128xindex>
  %both = arith.andi %isToken, %isThere : vector<16x128xi1>
  tile.atomic_scatter add %wide, %dtable[%lanes, %column], %both : vector<16x128xf32>, !Dtable, vector<16x128xindex>, vector<16x128xindex>, vector<16x128xi1>
}
