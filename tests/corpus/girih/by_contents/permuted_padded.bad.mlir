// expect: REFUTED scatter.lanes
// twin: permuted_lanes.good.mlir
// Lanes behind the end hold padding, and are no elements of the permutation: two of
// them meet.
!I = !tile.tensor<[N] x i32, shared>
!X = !tile.tensor<[N] x f32, shared>
!Y = !tile.tensor<[N] x f32, out>
!PI = !tile.partition<[128], [N] x i32, shared>
!PX = !tile.partition<[128], [N] x f32, shared>
tile.kernel @permute(%perm: !I, %x: !X, %y: !Y) grid [ceildiv(N, 128)]
    requires [N >= 1] given [within(%perm, 0, N), distinct(%perm)] {
  %c128 = arith.constant 128 : index
  %i = tile.block_id 0
  %n = tile.symbol "N" : index
  %pi = tile.partition %perm by [128] : !I
  %px = tile.partition %x by [128] : !X
  %to32 = tile.load %pi[%i] pad(zero) : !PI
  %to = arith.index_cast %to32 : vector<128xi32> to vector<128xindex>
  %v = tile.load %px[%i] pad(zero) : !PX
  %lane = tile.iota 0 : vector<128xindex>
  %first = arith.muli %i, %c128 : index
  %firsts = vector.broadcast %first : index to vector<128xindex>
  %row = arith.addi %firsts, %lane : vector<128xindex>
  %ns = vector.broadcast %n : index to vector<128xindex>
  %in = arith.cmpi slt, %row, %ns : vector<128xindex>
  tile.scatter %v, %y[%to] : vector<128xf32>, !Y, vector<128xindex>
}
