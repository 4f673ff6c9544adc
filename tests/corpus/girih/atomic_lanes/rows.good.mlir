// expect: VERIFIED
// Rows of x are added to the rows of e that ids name, tile by tile; rows and columns
// beyond the ends are masked out.
!I = !tile.tensor<[T] x i32, shared>
!X = !tile.tensor<[T, N] x f32, shared>
!E = !tile.tensor<[V, N] x f32, atomic<add>>
!PI = !tile.partition<[2], [T] x i32, shared>
!PX = !tile.partition<[2, 4], [T, N] x f32, shared>
tile.kernel @rows(%ids: !I, %x: !X, %e: !E) grid [ceildiv(T, 2), ceildiv(N, 4)] given [within(%ids, 0, V)] {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %i = tile.block_id 0
  %j = tile.block_id 1
  %t = tile.symbol "T" : index
  %n = tile.symbol "N" : index
  %pi = tile.partition %ids by [2] : !I
  %px = tile.partition %x by [2, 4] : !X
  %id = tile.load %pi[%i] pad(zero) : !PI
  %tile = tile.load %px[%i, %j] pad(zero) : !PX
  %at = arith.index_cast %id : vector<2xi32> to vector<2xindex>
  %column = vector.shape_cast %at : vector<2xindex> to vector<2x1xindex>
  %row = vector.broadcast %column : vector<2x1xindex> to vector<2x4xindex>
  %lane0 = tile.iota 0 : vector<2x4xindex>
  %lane1 = tile.iota 1 : vector<2x4xindex>
  %first0 = arith.muli %i, %c2 : index
  %first1 = arith.muli %j, %c4 : index
  %left = arith.subi %t, %first0 : index
  %lefts = vector.broadcast %left : index to vector<2x4xindex>
  %rowThere = arith.cmpi slt, %lane0, %lefts : vector<2x4xindex>
  %firsts = vector.broadcast %first1 : index to vector<2x4xindex>
  %col = arith.addi %firsts, %lane1 : vector<2x4xindex>
  %ends = vector.broadcast %n : index to vector<2x4xindex>
  %colThere = arith.cmpi slt, %col, %ends : vector<2x4xindex>
  %both = arith.andi %rowThere, %colThere : vector<2x4xi1>
  tile.atomic_scatter add %tile, %e[%row, %col], %both : vector<2x4xf32>, !E, vector<2x4xindex>, vector<2x4xindex>, vector<2x4xi1>
}
