// expect: VERIFIED
// How often each number stands in x, of which the contract says that it is a bin.
// Two lanes, and two blocks, may meet in one.
!X = !tile.tensor<[N] x i32, shared>
!H = !tile.tensor<[V] x i32, atomic<add>>
!PX = !tile.partition<[4], [N] x i32, shared>
tile.kernel @bins(%x: !X, %h: !H) grid [ceildiv(N, 4)] given [within(%x, 0, V)] {
  %c4 = arith.constant 4 : index
  %one = arith.constant dense<1> : vector<4xi32>
  %i = tile.block_id 0
  %n = tile.symbol "N" : index
  %px = tile.partition %x by [4] : !X
  %v = tile.load %px[%i] pad(zero) : !PX
  %bin = arith.index_cast %v : vector<4xi32> to vector<4xindex>
  %lane = tile.iota 0 : vector<4xindex>
  %done = arith.muli %i, %c4 : index
  %left = arith.subi %n, %done : index
  %end = vector.broadcast %left : index to vector<4xindex>
  %inside = arith.cmpi slt, %lane, %end : vector<4xindex>
  tile.atomic_scatter add %one, %h[%bin], %inside : vector<4xi32>, !H, vector<4xindex>, vector<4xi1>
}
