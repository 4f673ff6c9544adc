// dtable[ids[t]] += dy[t]: the gradient of a table of embeddings, of bf16 in f32
// any T, V and N, zero and ragged included; every id is below V, and may come twice
!I = !tile.tensor<[T] x i32, shared>
!D = !tile.tensor<[T, N] x bf16, shared>
!E = !tile.tensor<[V, N] x f32, atomic<add>>
!PI = !tile.partition<[16], [T] x i32, shared>
!PD = !tile.partition<[16, 128], [T, N] x bf16, shared>
tile.kernel @embedding_backward(%ids: !I, %dy: !D, %dtable: !E)
    grid [ceildiv(T, 16), ceildiv(N, 128)] given [within(%ids, 0, V)] {
  %c16 = arith.constant 16 : index
  %c128 = arith.constant 128 : index
  %i = tile.block_id 0
  %j = tile.block_id 1
  %tokens = tile.symbol "T" : index
  %width = tile.symbol "N" : index
  %pi = tile.partition %ids by [16] : !I
  %pd = tile.partition %dy by [16, 128] : !D
  %id = tile.load %pi[%i] pad(zero) : !PI
  %tile = tile.load %pd[%i, %j] pad(zero) : !PD
  %sum = arith.extf %tile : vector<16x128xbf16> to vector<16x128xf32>
  %at = arith.index_cast %id : vector<16xi32> to vector<16xindex>
  %column = vector.shape_cast %at : vector<16xindex> to vector<16x1xindex>
  %row = vector.broadcast %column : vector<16x1xindex> to vector<16x128xindex>
  %lane0 = tile.iota 0 : vector<16x128xindex>
  %lane1 = tile.iota 1 : vector<16x128xindex>
  %done = arith.muli %i, %c16 : index
  %left = arith.subi %tokens, %done : index
  %lefts = vector.broadcast %left : index to vector<16x128xindex>
  %is_token = arith.cmpi slt, %lane0, %lefts : vector<16x128xindex>
  %first = arith.muli %j, %c128 : index
  %firsts = vector.broadcast %first : index to vector<16x128xindex>
  %col = arith.addi %firsts, %lane1 : vector<16x128xindex>
  %ends = vector.broadcast %width : index to vector<16x128xindex>
  %is_there = arith.cmpi slt, %col, %ends : vector<16x128xindex>
  %both = arith.andi %is_token, %is_there : vector<16x128xi1>
  tile.atomic_scatter add %sum, %dtable[%row, %col], %both : vector<16x128xf32>, !E, vector<16x128xindex>, vector<16x128xindex>, vector<16x128xi1>
}
