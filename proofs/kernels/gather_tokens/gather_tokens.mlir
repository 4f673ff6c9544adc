// y[p] = a[ids[p]], what gemm_moe takes: tokens by expert; an id of T is
// padding, whose row is 0. In bf16.
// any P, T and K, zero and ragged included
// generated from experts.cpp
!A = !tile.tensor<[T, K] x bf16, shared>
!Ids = !tile.tensor<[P] x i32, shared>
!Y = !tile.tensor<[P, K] x bf16, out>
!YTiles = !tile.partition<[16, 256], [P, K] x bf16, out>
!IdsTiles = !tile.partition<[16], [P] x i32, shared>
!YPiece = !tile.piece<[16, 256] x bf16, out>
tile.kernel @gather_tokens(%a: !A, %ids: !Ids, %y: !Y)
    grid [ceildiv(P, 16), ceildiv(K, 256)] given [within(%ids, 0, T + 1)]
    hints {sm_90 = {occupancy = 4}} {
  %c256 = arith.constant 256 : index
  %lane1 = tile.iota 1 : vector<16x256xindex>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %T = tile.symbol "T" : index
  %K = tile.symbol "K" : index
  %ids_tiles = tile.partition %ids by [16] : !Ids
  %y_tiles = tile.partition %y by [16, 256] : !Y
  %out = tile.claim %y_tiles[%i, %j] : !YTiles
  %tile = tile.load %ids_tiles[%i] pad(zero) : !IdsTiles
  %id = arith.index_cast %tile : vector<16xi32> to vector<16xindex>
  %shaped = vector.shape_cast %id : vector<16xindex> to vector<16x1xindex>
  %row = vector.broadcast %shaped : vector<16x1xindex> to vector<16x256xindex>
  %product = arith.muli %j, %c256 : index
  %lanes = vector.broadcast %product : index to vector<16x256xindex>
  %column = arith.addi %lanes, %lane1 : vector<16x256xindex>
  %lanes_1 = vector.broadcast %T : index to vector<16x256xindex>
  %is = arith.cmpi slt, %row, %lanes_1 : vector<16x256xindex>
  %lanes_2 = vector.broadcast %K : index to vector<16x256xindex>
  %is_1 = arith.cmpi slt, %column, %lanes_2 : vector<16x256xindex>
  %isThere = arith.andi %is, %is_1 : vector<16x256xi1>
  %gather = tile.gather %a[%row, %column], %isThere pad(zero) : !A, vector<16x256xindex>, vector<16x256xindex>, vector<16x256xi1>
  tile.store %gather, %out : !YPiece
}
