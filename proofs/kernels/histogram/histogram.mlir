// hist[v] += how often v stands in x, for bins 0 to V - 1
// any N and V, zero included; every number is a bin
!X = !tile.tensor<[N] x i32, shared>
!H = !tile.tensor<[V] x i32, atomic<add>>
!PX = !tile.partition<[1024], [N] x i32, shared>
tile.kernel @histogram(%x: !X, %hist: !H) grid [ceildiv(N, 1024)] given [within(%x, 0, V)] {
  %c1024 = arith.constant 1024 : index
  %one = arith.constant dense<1> : vector<1024xi32>
  %i = tile.block_id 0
  %n = tile.symbol "N" : index
  %px = tile.partition %x by [1024] : !X
  %number = tile.load %px[%i] pad(zero) : !PX
  %bin = arith.index_cast %number : vector<1024xi32> to vector<1024xindex>
  %lane = tile.iota 0 : vector<1024xindex>
  %done = arith.muli %i, %c1024 : index
  %left = arith.subi %n, %done : index
  %lefts = vector.broadcast %left : index to vector<1024xindex>
  %is_there = arith.cmpi slt, %lane, %lefts : vector<1024xindex>
  tile.atomic_scatter add %one, %hist[%bin], %is_there : vector<1024xi32>, !H, vector<1024xindex>, vector<1024xi1>
}
