// expect: REFUTED atomic_scatter.bounds
// twin: pairs.good.mlir
// How often each label was taken for which: the labels are given, and what was
// taken is not.
!Y = !tile.tensor<[N] x i32, shared>
!H = !tile.tensor<[C, C] x i64, atomic<add>>
!PY = !tile.partition<[8], [N] x i32, shared>
tile.kernel @pairs(%y: !Y, %p: !Y, %h: !H) grid [ceildiv(N, 8)] given [within(%y, 0, C)] {
  %c8 = arith.constant 8 : index
  %one = arith.constant dense<1> : vector<8xi64>
  %i = tile.block_id 0
  %n = tile.symbol "N" : index
  %py = tile.partition %y by [8] : !Y
  %pp = tile.partition %p by [8] : !Y
  %label = tile.load %py[%i] pad(zero) : !PY
  %taken = tile.load %pp[%i] pad(zero) : !PY
  %row = arith.index_cast %label : vector<8xi32> to vector<8xindex>
  %col = arith.index_cast %taken : vector<8xi32> to vector<8xindex>
  %lane = tile.iota 0 : vector<8xindex>
  %done = arith.muli %i, %c8 : index
  %left = arith.subi %n, %done : index
  %end = vector.broadcast %left : index to vector<8xindex>
  %inside = arith.cmpi slt, %lane, %end : vector<8xindex>
  tile.atomic_scatter add %one, %h[%row, %col], %inside : vector<8xi64>, !H, vector<8xindex>, vector<8xindex>, vector<8xi1>
}
