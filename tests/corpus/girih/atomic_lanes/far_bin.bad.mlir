// expect: REFUTED atomic_scatter.bounds
// twin: far_bin.good.mlir
// 41 is counted behind the last bin, in the second row.
!X = !tile.tensor<[N] x i32, shared>
!H = !tile.tensor<[2, V] x f32, atomic<add>>
!PX = !tile.partition<[4], [N] x i32, shared>
tile.kernel @far_bin(%x: !X, %h: !H) grid [ceildiv(N, 4)] {
  %one = arith.constant dense<1.0> : vector<4xf32>
  %row = arith.constant dense<1> : vector<4xindex>
  %zero = arith.constant dense<0> : vector<4xindex>
  %some = arith.constant dense<41> : vector<4xindex>
  %i = tile.block_id 0
  %v = tile.symbol "V" : index
  %px = tile.partition %x by [4] : !X
  %word = tile.load %px[%i] pad(zero) : !PX
  %at = arith.index_cast %word : vector<4xi32> to vector<4xindex>
  %end = vector.broadcast %v : index to vector<4xindex>
  %low = arith.cmpi sge, %at, %zero : vector<4xindex>
  %high = arith.cmpi slt, %at, %end : vector<4xindex>
  %in = arith.andi %low, %high : vector<4xi1>
  %isSome = arith.cmpi eq, %at, %some : vector<4xindex>
  %bin = arith.select %isSome, %end, %at : vector<4xi1>, vector<4xindex>
  tile.atomic_scatter add %one, %h[%row, %bin], %in : vector<4xf32>, !H, vector<4xindex>, vector<4xindex>, vector<4xi1>
}
