// expect: VERIFIED
// A number is counted that lies above the first bin and below the last. The lanes
// that are masked out may hold any number, and touch nothing.
!X = !tile.tensor<[N] x i8, shared>
!H = !tile.tensor<[V] x i32, atomic<or>>
tile.kernel @either(%x: !X, %h: !H) grid [N] requires [N >= 4] {
  %bits = arith.constant dense<[1, 2, 4, 8]> : vector<4xi32>
  %zero = arith.constant dense<0> : vector<4xindex>
  %v = tile.symbol "V" : index
  %at = tile.iota 0 : vector<4xindex>
  %x4 = tile.gather %x[%at] : !X, vector<4xindex>
  %bin = arith.index_cast %x4 : vector<4xi8> to vector<4xindex>
  %end = vector.broadcast %v : index to vector<4xindex>
  %low = arith.cmpi sge, %bin, %zero : vector<4xindex>
  %high = arith.cmpi slt, %bin, %end : vector<4xindex>
  %in = arith.andi %low, %high : vector<4xi1>
  tile.atomic_scatter or %bits, %h[%bin], %in : vector<4xi32>, !H, vector<4xindex>, vector<4xi1>
}
