// hist[v] += how often v stands in x, for bins 0 to V - 1
// any N and V, zero included; every number is a bin
// generated from search.cpp
!X = !tile.tensor<[N] x i32, shared>
!Hist = !tile.tensor<[V] x i32, atomic<add>>
!XTiles = !tile.partition<[1024], [N] x i32, shared>
tile.kernel @histogram(%x: !X, %hist: !Hist) grid [ceildiv(N, 1024)]
    given [within(%x, 0, V)] {
  %c1024 = arith.constant 1024 : index
  %one = arith.constant dense<1> : vector<1024xi32>
  %lane0 = tile.iota 0 : vector<1024xindex>
  %i = tile.block_id 0
  %N = tile.symbol "N" : index
  %x_tiles = tile.partition %x by [1024] : !X
  %number = tile.load %x_tiles[%i] pad(zero) : !XTiles
  %index = arith.index_cast %number : vector<1024xi32> to vector<1024xindex>
  %product = arith.muli %i, %c1024 : index
  %left = arith.subi %N, %product : index
  %lanes = vector.broadcast %left : index to vector<1024xindex>
  %isThere = arith.cmpi slt, %lane0, %lanes : vector<1024xindex>
  tile.atomic_scatter add %one, %hist[%index], %isThere : vector<1024xi32>, !Hist, vector<1024xindex>, vector<1024xi1>
}
