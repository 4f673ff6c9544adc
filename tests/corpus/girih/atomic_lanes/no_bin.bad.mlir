// expect: REFUTED atomic_scatter.bounds
// twin: no_bin.good.mlir
// A number in x is a bin where there is one, and 29 stands for none: it is counted
// in a bin that is not there.
!X = !tile.tensor<[N] x i32, shared>
!H = !tile.tensor<[V] x f32, atomic<add>>
!PX = !tile.partition<[4], [N] x i32, shared>
tile.kernel @no_bin(%x: !X, %h: !H) grid [ceildiv(N, 4)] {
  %one = arith.constant dense<1.0> : vector<4xf32>
  %zero = arith.constant dense<0> : vector<4xindex>
  %none = arith.constant dense<29> : vector<4xindex>
  %minus = arith.constant dense<-1> : vector<4xindex>
  %i = tile.block_id 0
  %v = tile.symbol "V" : index
  %px = tile.partition %x by [4] : !X
  %word = tile.load %px[%i] pad(zero) : !PX
  %at = arith.index_cast %word : vector<4xi32> to vector<4xindex>
  %end = vector.broadcast %v : index to vector<4xindex>
  %low = arith.cmpi sge, %at, %zero : vector<4xindex>
  %high = arith.cmpi slt, %at, %end : vector<4xindex>
  %in = arith.andi %low, %high : vector<4xi1>
  %isNone = arith.cmpi eq, %at, %none : vector<4xindex>
  %isBin = arith.cmpi ne, %at, %none : vector<4xindex>
  %bin = arith.select %isNone, %minus, %at : vector<4xi1>, vector<4xindex>
  %counted = arith.andi %in, %isBin : vector<4xi1>
  tile.atomic_scatter add %one, %h[%bin], %in : vector<4xf32>, !H, vector<4xindex>, vector<4xi1>
}
