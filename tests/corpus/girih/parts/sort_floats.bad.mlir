// expect: REFUTED claim.bounds
// twin: sort_floats.good.mlir
// Rows of no column have no tile.
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!PX = !tile.partition<[_, 16], [M, N] x f32, shared>
!PY = !tile.partition<[_, 16], [M, N] x f32, out>
!P = !tile.piece<[_, 16] x f32, out>
func.func private @exchange_1(%x: vector<16xf32>, %falls: vector<16xi1>) -> vector<16xf32> {
  %p = vector.shape_cast %x : vector<16xf32> to vector<8x2x1xf32>
  %q = vector.shape_cast %falls : vector<16xi1> to vector<8x2x1xi1>
  %a = tile.extract %p[0, 0, 0] : vector<8x2x1xf32> to vector<8x1x1xf32>
  %b = tile.extract %p[0, 1, 0] : vector<8x2x1xf32> to vector<8x1x1xf32>
  %f = tile.extract %q[0, 0, 0] : vector<8x2x1xi1> to vector<8x1x1xi1>
  %less = arith.minimumf %a, %b : vector<8x1x1xf32>
  %more = arith.maximumf %a, %b : vector<8x1x1xf32>
  %first = arith.select %f, %more, %less : vector<8x1x1xi1>, vector<8x1x1xf32>
  %second = arith.select %f, %less, %more : vector<8x1x1xi1>, vector<8x1x1xf32>
  %both = tile.cat %first, %second, 1 : vector<8x1x1xf32>
  %r = vector.shape_cast %both : vector<8x2x1xf32> to vector<16xf32>
  func.return %r : vector<16xf32>
}
func.func private @exchange_2(%x: vector<16xf32>, %falls: vector<16xi1>) -> vector<16xf32> {
  %p = vector.shape_cast %x : vector<16xf32> to vector<4x2x2xf32>
  %q = vector.shape_cast %falls : vector<16xi1> to vector<4x2x2xi1>
  %a = tile.extract %p[0, 0, 0] : vector<4x2x2xf32> to vector<4x1x2xf32>
  %b = tile.extract %p[0, 1, 0] : vector<4x2x2xf32> to vector<4x1x2xf32>
  %f = tile.extract %q[0, 0, 0] : vector<4x2x2xi1> to vector<4x1x2xi1>
  %less = arith.minimumf %a, %b : vector<4x1x2xf32>
  %more = arith.maximumf %a, %b : vector<4x1x2xf32>
  %first = arith.select %f, %more, %less : vector<4x1x2xi1>, vector<4x1x2xf32>
  %second = arith.select %f, %less, %more : vector<4x1x2xi1>, vector<4x1x2xf32>
  %both = tile.cat %first, %second, 1 : vector<4x1x2xf32>
  %r = vector.shape_cast %both : vector<4x2x2xf32> to vector<16xf32>
  func.return %r : vector<16xf32>
}
func.func private @exchange_4(%x: vector<16xf32>, %falls: vector<16xi1>) -> vector<16xf32> {
  %p = vector.shape_cast %x : vector<16xf32> to vector<2x2x4xf32>
  %q = vector.shape_cast %falls : vector<16xi1> to vector<2x2x4xi1>
  %a = tile.extract %p[0, 0, 0] : vector<2x2x4xf32> to vector<2x1x4xf32>
  %b = tile.extract %p[0, 1, 0] : vector<2x2x4xf32> to vector<2x1x4xf32>
  %f = tile.extract %q[0, 0, 0] : vector<2x2x4xi1> to vector<2x1x4xi1>
  %less = arith.minimumf %a, %b : vector<2x1x4xf32>
  %more = arith.maximumf %a, %b : vector<2x1x4xf32>
  %first = arith.select %f, %more, %less : vector<2x1x4xi1>, vector<2x1x4xf32>
  %second = arith.select %f, %less, %more : vector<2x1x4xi1>, vector<2x1x4xf32>
  %both = tile.cat %first, %second, 1 : vector<2x1x4xf32>
  %r = vector.shape_cast %both : vector<2x2x4xf32> to vector<16xf32>
  func.return %r : vector<16xf32>
}
func.func private @exchange_8(%x: vector<16xf32>, %falls: vector<16xi1>) -> vector<16xf32> {
  %p = vector.shape_cast %x : vector<16xf32> to vector<1x2x8xf32>
  %q = vector.shape_cast %falls : vector<16xi1> to vector<1x2x8xi1>
  %a = tile.extract %p[0, 0, 0] : vector<1x2x8xf32> to vector<1x1x8xf32>
  %b = tile.extract %p[0, 1, 0] : vector<1x2x8xf32> to vector<1x1x8xf32>
  %f = tile.extract %q[0, 0, 0] : vector<1x2x8xi1> to vector<1x1x8xi1>
  %less = arith.minimumf %a, %b : vector<1x1x8xf32>
  %more = arith.maximumf %a, %b : vector<1x1x8xf32>
  %first = arith.select %f, %more, %less : vector<1x1x8xi1>, vector<1x1x8xf32>
  %second = arith.select %f, %less, %more : vector<1x1x8xi1>, vector<1x1x8xf32>
  %both = tile.cat %first, %second, 1 : vector<1x1x8xf32>
  %r = vector.shape_cast %both : vector<1x2x8xf32> to vector<16xf32>
  func.return %r : vector<16xf32>
}
tile.kernel @sort_floats(%x: !X, %y: !Y) grid [M] requires [N <= 16] {
  %j = arith.constant 0 : index
  %zero = arith.constant dense<0> : vector<16xi32>
  %lane = tile.iota 0 : vector<16xi32>
  %row = tile.block_id 0
  %px = tile.partition %x by [_, 16] : !X
  %py = tile.partition %y by [_, 16] : !Y
  %out = tile.claim %py[%row, %j] : !PY
  %v = tile.load %px[%row, %j] pad(pos_inf) : !PX
  %bit1 = arith.constant dense<2> : vector<16xi32>
  %has1 = arith.andi %lane, %bit1 : vector<16xi32>
  %falls1 = arith.cmpi ne, %has1, %zero : vector<16xi32>
  %x1_1 = func.call @exchange_1(%v, %falls1) : (vector<16xf32>, vector<16xi1>) -> vector<16xf32>
  %bit2 = arith.constant dense<4> : vector<16xi32>
  %has2 = arith.andi %lane, %bit2 : vector<16xi32>
  %falls2 = arith.cmpi ne, %has2, %zero : vector<16xi32>
  %x2_2 = func.call @exchange_2(%x1_1, %falls2) : (vector<16xf32>, vector<16xi1>) -> vector<16xf32>
  %x2_1 = func.call @exchange_1(%x2_2, %falls2) : (vector<16xf32>, vector<16xi1>) -> vector<16xf32>
  %bit3 = arith.constant dense<8> : vector<16xi32>
  %has3 = arith.andi %lane, %bit3 : vector<16xi32>
  %falls3 = arith.cmpi ne, %has3, %zero : vector<16xi32>
  %x3_4 = func.call @exchange_4(%x2_1, %falls3) : (vector<16xf32>, vector<16xi1>) -> vector<16xf32>
  %x3_2 = func.call @exchange_2(%x3_4, %falls3) : (vector<16xf32>, vector<16xi1>) -> vector<16xf32>
  %x3_1 = func.call @exchange_1(%x3_2, %falls3) : (vector<16xf32>, vector<16xi1>) -> vector<16xf32>
  %bit4 = arith.constant dense<16> : vector<16xi32>
  %has4 = arith.andi %lane, %bit4 : vector<16xi32>
  %falls4 = arith.cmpi ne, %has4, %zero : vector<16xi32>
  %x4_8 = func.call @exchange_8(%x3_1, %falls4) : (vector<16xf32>, vector<16xi1>) -> vector<16xf32>
  %x4_4 = func.call @exchange_4(%x4_8, %falls4) : (vector<16xf32>, vector<16xi1>) -> vector<16xf32>
  %x4_2 = func.call @exchange_2(%x4_4, %falls4) : (vector<16xf32>, vector<16xi1>) -> vector<16xf32>
  %x4_1 = func.call @exchange_1(%x4_2, %falls4) : (vector<16xf32>, vector<16xi1>) -> vector<16xf32>
  tile.store %x4_1, %out : !P
}
