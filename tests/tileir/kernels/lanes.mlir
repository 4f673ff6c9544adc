// Gathers of tensors whose strides the launch knows or are 0, with every padding,
// and a scatter between loads and stores of the same elements.
!A = !tile.tensor<[M, N] x f32, shared, strides [s, t]>
!B = !tile.tensor<[M, N] x i16, shared, strides [0, 1]>
!Y = !tile.tensor<[R, 32] x f32, own>
!PY = !tile.partition<[_, 32], [R, 32] x f32, own>
!P = !tile.piece<[_, 32] x f32, own>
tile.kernel @lanes(%a: !A, %b: !B, %y: !Y) symbols [s : index, t : index] grid [R] {
  %c0 = arith.constant 0 : index
  %block = tile.block_id 0
  %m = tile.symbol "M" : index
  %n = tile.symbol "N" : index
  %py = tile.partition %y by [_, 32] : !Y
  %out = tile.claim %py[%block, %c0] : !PY
  %row = tile.iota 0 : vector<4x32xindex>
  %col = tile.iota 1 : vector<4x32xindex>
  %rows = vector.broadcast %m : index to vector<4x32xindex>
  %cols = vector.broadcast %n : index to vector<4x32xindex>
  %low = arith.cmpi slt, %row, %rows : vector<4x32xindex>
  %left = arith.cmpi slt, %col, %cols : vector<4x32xindex>
  %in = arith.andi %low, %left : vector<4x32xi1>
  %u = tile.gather %a[%row, %col], %in pad(neg_inf) : !A, vector<4x32xindex>, vector<4x32xindex>, vector<4x32xi1>
  %v = tile.gather %a[%row, %col], %in pad(zero) : !A, vector<4x32xindex>, vector<4x32xindex>, vector<4x32xi1>
  %w = tile.gather %b[%row, %col], %in pad(zero) : !B, vector<4x32xindex>, vector<4x32xindex>, vector<4x32xi1>
  %f = arith.sitofp %w : vector<4x32xi16> to vector<4x32xf32>
  %most = tile.reduce max %u, 0 : vector<4x32xf32>
  %sum = tile.reduce add %v, 0 : vector<4x32xf32>
  %count = tile.reduce add %f, 0 : vector<4x32xf32>
  %before = tile.load %out : !P
  %x0 = arith.maximumf %most, %count : vector<32xf32>
  %x1 = arith.addf %x0, %before : vector<32xf32>
  tile.store %x1, %out : !P
  // Every element goes to the other end; only the first 20 lanes write.
  %lane = tile.iota 0 : vector<32xindex>
  %last = arith.constant dense<31> : vector<32xindex>
  %twenty = arith.constant dense<20> : vector<32xindex>
  %other = arith.subi %last, %lane : vector<32xindex>
  %some = arith.cmpi slt, %lane, %twenty : vector<32xindex>
  %here = vector.broadcast %block : index to vector<32xindex>
  tile.scatter %sum, %y[%here, %other], %some : vector<32xf32>, !Y, vector<32xindex>, vector<32xindex>, vector<32xi1>
  %after = tile.load %out : !P
  %x2 = arith.addf %after, %before : vector<32xf32>
  tile.store %x2, %out : !P
  tile.scatter %x0, %y[%here, %other], %some : vector<32xf32>, !Y, vector<32xindex>, vector<32xindex>, vector<32xi1>
  // A loop whose trips do nothing but scatter.
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %k = %c0 to %c2 step %c1 {
    %ki = arith.index_cast %k : index to i32
    %kf = arith.sitofp %ki : i32 to f32
    %ks = vector.broadcast %kf : f32 to vector<32xf32>
    %x3 = arith.addf %x0, %ks : vector<32xf32>
    tile.scatter %x3, %y[%here, %lane], %some : vector<32xf32>, !Y, vector<32xindex>, vector<32xindex>, vector<32xi1>
  }
}
