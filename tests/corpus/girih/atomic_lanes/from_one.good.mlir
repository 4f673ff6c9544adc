// expect: VERIFIED
// Bins are numbered from 1, and the lanes behind the end of x, which hold the
// padding, are masked out.
!X = !tile.tensor<[N] x i16, shared>
!H = !tile.tensor<[V] x i32, atomic<max>>
!PX = !tile.partition<[4], [N] x i16, shared>
tile.kernel @from_one(%x: !X, %h: !H) grid [ceildiv(N, 4)] given [within(%x, 1, V + 1)] {
  %c4 = arith.constant 4 : index
  %ones = arith.constant dense<1> : vector<4xindex>
  %count = tile.iota 0 : vector<4xi32>
  %i = tile.block_id 0
  %n = tile.symbol "N" : index
  %px = tile.partition %x by [4] : !X
  %v = tile.load %px[%i] pad(zero) : !PX
  %number = arith.index_cast %v : vector<4xi16> to vector<4xindex>
  %bin = arith.subi %number, %ones : vector<4xindex>
  %lane = tile.iota 0 : vector<4xindex>
  %done = arith.muli %i, %c4 : index
  %left = arith.subi %n, %done : index
  %end = vector.broadcast %left : index to vector<4xindex>
  %inside = arith.cmpi slt, %lane, %end : vector<4xindex>
  tile.atomic_scatter max %count, %h[%bin], %inside : vector<4xi32>, !H, vector<4xindex>, vector<4xi1>
}
