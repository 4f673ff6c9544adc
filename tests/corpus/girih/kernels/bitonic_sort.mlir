// expect: VERIFIED
// Each row of x sorted, bitonic, in one tile of 256 keys (generated: no loop over stages, since tile shapes are static)
// any M; N up to 256
!X = !tile.tensor<[M, N] x i32, shared>
!Y = !tile.tensor<[M, N] x i32, out>
!PX = !tile.partition<[_, 256], [M, N] x i32, shared>
!PY = !tile.partition<[_, 256], [M, N] x i32, out>
!O = !tile.piece<[_, 256] x i32, out>
func.func private @exchange_1(%x: vector<256xi32>, %up: vector<256xi1>) -> vector<256xi32> {
  %c1 = arith.constant dense<1> : vector<128x2x1xi32>
  %x3 = vector.shape_cast %x : vector<256xi32> to vector<128x2x1xi32>
  %up3 = vector.shape_cast %up : vector<256xi1> to vector<128x2x1xi1>
  %lo1 = tile.reduce min %x3, 1 keep : vector<128x2x1xi32>
  %hi1 = tile.reduce max %x3, 1 keep : vector<128x2x1xi32>
  %lo = vector.broadcast %lo1 : vector<128x1x1xi32> to vector<128x2x1xi32>
  %hi = vector.broadcast %hi1 : vector<128x1x1xi32> to vector<128x2x1xi32>
  %half = arith.constant dense<[[[0], [1]]]> : vector<1x2x1xi32>
  %halves = vector.broadcast %half : vector<1x2x1xi32> to vector<128x2x1xi32>
  %second = arith.cmpi eq, %halves, %c1 : vector<128x2x1xi32>
  %high = arith.xori %second, %up3 : vector<128x2x1xi1>
  %r3 = arith.select %high, %lo, %hi : vector<128x2x1xi1>, vector<128x2x1xi32>
  %r = vector.shape_cast %r3 : vector<128x2x1xi32> to vector<256xi32>
  func.return %r : vector<256xi32>
}
func.func private @exchange_2(%x: vector<256xi32>, %up: vector<256xi1>) -> vector<256xi32> {
  %c1 = arith.constant dense<1> : vector<64x2x2xi32>
  %x3 = vector.shape_cast %x : vector<256xi32> to vector<64x2x2xi32>
  %up3 = vector.shape_cast %up : vector<256xi1> to vector<64x2x2xi1>
  %lo1 = tile.reduce min %x3, 1 keep : vector<64x2x2xi32>
  %hi1 = tile.reduce max %x3, 1 keep : vector<64x2x2xi32>
  %lo = vector.broadcast %lo1 : vector<64x1x2xi32> to vector<64x2x2xi32>
  %hi = vector.broadcast %hi1 : vector<64x1x2xi32> to vector<64x2x2xi32>
  %half = arith.constant dense<[[[0], [1]]]> : vector<1x2x1xi32>
  %halves = vector.broadcast %half : vector<1x2x1xi32> to vector<64x2x2xi32>
  %second = arith.cmpi eq, %halves, %c1 : vector<64x2x2xi32>
  %high = arith.xori %second, %up3 : vector<64x2x2xi1>
  %r3 = arith.select %high, %lo, %hi : vector<64x2x2xi1>, vector<64x2x2xi32>
  %r = vector.shape_cast %r3 : vector<64x2x2xi32> to vector<256xi32>
  func.return %r : vector<256xi32>
}
func.func private @exchange_4(%x: vector<256xi32>, %up: vector<256xi1>) -> vector<256xi32> {
  %c1 = arith.constant dense<1> : vector<32x2x4xi32>
  %x3 = vector.shape_cast %x : vector<256xi32> to vector<32x2x4xi32>
  %up3 = vector.shape_cast %up : vector<256xi1> to vector<32x2x4xi1>
  %lo1 = tile.reduce min %x3, 1 keep : vector<32x2x4xi32>
  %hi1 = tile.reduce max %x3, 1 keep : vector<32x2x4xi32>
  %lo = vector.broadcast %lo1 : vector<32x1x4xi32> to vector<32x2x4xi32>
  %hi = vector.broadcast %hi1 : vector<32x1x4xi32> to vector<32x2x4xi32>
  %half = arith.constant dense<[[[0], [1]]]> : vector<1x2x1xi32>
  %halves = vector.broadcast %half : vector<1x2x1xi32> to vector<32x2x4xi32>
  %second = arith.cmpi eq, %halves, %c1 : vector<32x2x4xi32>
  %high = arith.xori %second, %up3 : vector<32x2x4xi1>
  %r3 = arith.select %high, %lo, %hi : vector<32x2x4xi1>, vector<32x2x4xi32>
  %r = vector.shape_cast %r3 : vector<32x2x4xi32> to vector<256xi32>
  func.return %r : vector<256xi32>
}
func.func private @exchange_8(%x: vector<256xi32>, %up: vector<256xi1>) -> vector<256xi32> {
  %c1 = arith.constant dense<1> : vector<16x2x8xi32>
  %x3 = vector.shape_cast %x : vector<256xi32> to vector<16x2x8xi32>
  %up3 = vector.shape_cast %up : vector<256xi1> to vector<16x2x8xi1>
  %lo1 = tile.reduce min %x3, 1 keep : vector<16x2x8xi32>
  %hi1 = tile.reduce max %x3, 1 keep : vector<16x2x8xi32>
  %lo = vector.broadcast %lo1 : vector<16x1x8xi32> to vector<16x2x8xi32>
  %hi = vector.broadcast %hi1 : vector<16x1x8xi32> to vector<16x2x8xi32>
  %half = arith.constant dense<[[[0], [1]]]> : vector<1x2x1xi32>
  %halves = vector.broadcast %half : vector<1x2x1xi32> to vector<16x2x8xi32>
  %second = arith.cmpi eq, %halves, %c1 : vector<16x2x8xi32>
  %high = arith.xori %second, %up3 : vector<16x2x8xi1>
  %r3 = arith.select %high, %lo, %hi : vector<16x2x8xi1>, vector<16x2x8xi32>
  %r = vector.shape_cast %r3 : vector<16x2x8xi32> to vector<256xi32>
  func.return %r : vector<256xi32>
}
func.func private @exchange_16(%x: vector<256xi32>, %up: vector<256xi1>) -> vector<256xi32> {
  %c1 = arith.constant dense<1> : vector<8x2x16xi32>
  %x3 = vector.shape_cast %x : vector<256xi32> to vector<8x2x16xi32>
  %up3 = vector.shape_cast %up : vector<256xi1> to vector<8x2x16xi1>
  %lo1 = tile.reduce min %x3, 1 keep : vector<8x2x16xi32>
  %hi1 = tile.reduce max %x3, 1 keep : vector<8x2x16xi32>
  %lo = vector.broadcast %lo1 : vector<8x1x16xi32> to vector<8x2x16xi32>
  %hi = vector.broadcast %hi1 : vector<8x1x16xi32> to vector<8x2x16xi32>
  %half = arith.constant dense<[[[0], [1]]]> : vector<1x2x1xi32>
  %halves = vector.broadcast %half : vector<1x2x1xi32> to vector<8x2x16xi32>
  %second = arith.cmpi eq, %halves, %c1 : vector<8x2x16xi32>
  %high = arith.xori %second, %up3 : vector<8x2x16xi1>
  %r3 = arith.select %high, %lo, %hi : vector<8x2x16xi1>, vector<8x2x16xi32>
  %r = vector.shape_cast %r3 : vector<8x2x16xi32> to vector<256xi32>
  func.return %r : vector<256xi32>
}
func.func private @exchange_32(%x: vector<256xi32>, %up: vector<256xi1>) -> vector<256xi32> {
  %c1 = arith.constant dense<1> : vector<4x2x32xi32>
  %x3 = vector.shape_cast %x : vector<256xi32> to vector<4x2x32xi32>
  %up3 = vector.shape_cast %up : vector<256xi1> to vector<4x2x32xi1>
  %lo1 = tile.reduce min %x3, 1 keep : vector<4x2x32xi32>
  %hi1 = tile.reduce max %x3, 1 keep : vector<4x2x32xi32>
  %lo = vector.broadcast %lo1 : vector<4x1x32xi32> to vector<4x2x32xi32>
  %hi = vector.broadcast %hi1 : vector<4x1x32xi32> to vector<4x2x32xi32>
  %half = arith.constant dense<[[[0], [1]]]> : vector<1x2x1xi32>
  %halves = vector.broadcast %half : vector<1x2x1xi32> to vector<4x2x32xi32>
  %second = arith.cmpi eq, %halves, %c1 : vector<4x2x32xi32>
  %high = arith.xori %second, %up3 : vector<4x2x32xi1>
  %r3 = arith.select %high, %lo, %hi : vector<4x2x32xi1>, vector<4x2x32xi32>
  %r = vector.shape_cast %r3 : vector<4x2x32xi32> to vector<256xi32>
  func.return %r : vector<256xi32>
}
func.func private @exchange_64(%x: vector<256xi32>, %up: vector<256xi1>) -> vector<256xi32> {
  %c1 = arith.constant dense<1> : vector<2x2x64xi32>
  %x3 = vector.shape_cast %x : vector<256xi32> to vector<2x2x64xi32>
  %up3 = vector.shape_cast %up : vector<256xi1> to vector<2x2x64xi1>
  %lo1 = tile.reduce min %x3, 1 keep : vector<2x2x64xi32>
  %hi1 = tile.reduce max %x3, 1 keep : vector<2x2x64xi32>
  %lo = vector.broadcast %lo1 : vector<2x1x64xi32> to vector<2x2x64xi32>
  %hi = vector.broadcast %hi1 : vector<2x1x64xi32> to vector<2x2x64xi32>
  %half = arith.constant dense<[[[0], [1]]]> : vector<1x2x1xi32>
  %halves = vector.broadcast %half : vector<1x2x1xi32> to vector<2x2x64xi32>
  %second = arith.cmpi eq, %halves, %c1 : vector<2x2x64xi32>
  %high = arith.xori %second, %up3 : vector<2x2x64xi1>
  %r3 = arith.select %high, %lo, %hi : vector<2x2x64xi1>, vector<2x2x64xi32>
  %r = vector.shape_cast %r3 : vector<2x2x64xi32> to vector<256xi32>
  func.return %r : vector<256xi32>
}
func.func private @exchange_128(%x: vector<256xi32>, %up: vector<256xi1>) -> vector<256xi32> {
  %c1 = arith.constant dense<1> : vector<1x2x128xi32>
  %x3 = vector.shape_cast %x : vector<256xi32> to vector<1x2x128xi32>
  %up3 = vector.shape_cast %up : vector<256xi1> to vector<1x2x128xi1>
  %lo1 = tile.reduce min %x3, 1 keep : vector<1x2x128xi32>
  %hi1 = tile.reduce max %x3, 1 keep : vector<1x2x128xi32>
  %lo = vector.broadcast %lo1 : vector<1x1x128xi32> to vector<1x2x128xi32>
  %hi = vector.broadcast %hi1 : vector<1x1x128xi32> to vector<1x2x128xi32>
  %half = arith.constant dense<[[[0], [1]]]> : vector<1x2x1xi32>
  %halves = vector.broadcast %half : vector<1x2x1xi32> to vector<1x2x128xi32>
  %second = arith.cmpi eq, %halves, %c1 : vector<1x2x128xi32>
  %high = arith.xori %second, %up3 : vector<1x2x128xi1>
  %r3 = arith.select %high, %lo, %hi : vector<1x2x128xi1>, vector<1x2x128xi32>
  %r = vector.shape_cast %r3 : vector<1x2x128xi32> to vector<256xi32>
  func.return %r : vector<256xi32>
}
tile.kernel @bitonic_sort(%x: !X, %y: !Y) grid [M] requires [N >= 1, N <= 256] {
  %c0 = arith.constant 0 : index
  %most = arith.constant dense<2147483647> : vector<256xi32>
  %zeros = arith.constant dense<0> : vector<256xi32>
  %lane = tile.iota 0 : vector<256xi32>
  %row = tile.block_id 0
  %n = tile.symbol "N" : index
  %n32 = arith.index_cast %n : index to i32
  %ns = vector.broadcast %n32 : i32 to vector<256xi32>
  %in = arith.cmpi slt, %lane, %ns : vector<256xi32>
  %px = tile.partition %x by [_, 256] : !X
  %py = tile.partition %y by [_, 256] : !Y
  %out = tile.claim %py[%row, %c0] : !PY
  %t = tile.load %px[%row, %c0] pad(zero) : !PX
  %v0 = arith.select %in, %t, %most : vector<256xi1>, vector<256xi32>
  %k2 = arith.constant dense<2> : vector<256xi32>
  %b2 = arith.andi %lane, %k2 : vector<256xi32>
  %up2 = arith.cmpi eq, %b2, %zeros : vector<256xi32>
  %v1 = func.call @exchange_1(%v0, %up2) : (vector<256xi32>, vector<256xi1>) -> vector<256xi32>
  %k4 = arith.constant dense<4> : vector<256xi32>
  %b4 = arith.andi %lane, %k4 : vector<256xi32>
  %up4 = arith.cmpi eq, %b4, %zeros : vector<256xi32>
  %v2 = func.call @exchange_2(%v1, %up4) : (vector<256xi32>, vector<256xi1>) -> vector<256xi32>
  %v3 = func.call @exchange_1(%v2, %up4) : (vector<256xi32>, vector<256xi1>) -> vector<256xi32>
  %k8 = arith.constant dense<8> : vector<256xi32>
  %b8 = arith.andi %lane, %k8 : vector<256xi32>
  %up8 = arith.cmpi eq, %b8, %zeros : vector<256xi32>
  %v4 = func.call @exchange_4(%v3, %up8) : (vector<256xi32>, vector<256xi1>) -> vector<256xi32>
  %v5 = func.call @exchange_2(%v4, %up8) : (vector<256xi32>, vector<256xi1>) -> vector<256xi32>
  %v6 = func.call @exchange_1(%v5, %up8) : (vector<256xi32>, vector<256xi1>) -> vector<256xi32>
  %k16 = arith.constant dense<16> : vector<256xi32>
  %b16 = arith.andi %lane, %k16 : vector<256xi32>
  %up16 = arith.cmpi eq, %b16, %zeros : vector<256xi32>
  %v7 = func.call @exchange_8(%v6, %up16) : (vector<256xi32>, vector<256xi1>) -> vector<256xi32>
  %v8 = func.call @exchange_4(%v7, %up16) : (vector<256xi32>, vector<256xi1>) -> vector<256xi32>
  %v9 = func.call @exchange_2(%v8, %up16) : (vector<256xi32>, vector<256xi1>) -> vector<256xi32>
  %v10 = func.call @exchange_1(%v9, %up16) : (vector<256xi32>, vector<256xi1>) -> vector<256xi32>
  %k32 = arith.constant dense<32> : vector<256xi32>
  %b32 = arith.andi %lane, %k32 : vector<256xi32>
  %up32 = arith.cmpi eq, %b32, %zeros : vector<256xi32>
  %v11 = func.call @exchange_16(%v10, %up32) : (vector<256xi32>, vector<256xi1>) -> vector<256xi32>
  %v12 = func.call @exchange_8(%v11, %up32) : (vector<256xi32>, vector<256xi1>) -> vector<256xi32>
  %v13 = func.call @exchange_4(%v12, %up32) : (vector<256xi32>, vector<256xi1>) -> vector<256xi32>
  %v14 = func.call @exchange_2(%v13, %up32) : (vector<256xi32>, vector<256xi1>) -> vector<256xi32>
  %v15 = func.call @exchange_1(%v14, %up32) : (vector<256xi32>, vector<256xi1>) -> vector<256xi32>
  %k64 = arith.constant dense<64> : vector<256xi32>
  %b64 = arith.andi %lane, %k64 : vector<256xi32>
  %up64 = arith.cmpi eq, %b64, %zeros : vector<256xi32>
  %v16 = func.call @exchange_32(%v15, %up64) : (vector<256xi32>, vector<256xi1>) -> vector<256xi32>
  %v17 = func.call @exchange_16(%v16, %up64) : (vector<256xi32>, vector<256xi1>) -> vector<256xi32>
  %v18 = func.call @exchange_8(%v17, %up64) : (vector<256xi32>, vector<256xi1>) -> vector<256xi32>
  %v19 = func.call @exchange_4(%v18, %up64) : (vector<256xi32>, vector<256xi1>) -> vector<256xi32>
  %v20 = func.call @exchange_2(%v19, %up64) : (vector<256xi32>, vector<256xi1>) -> vector<256xi32>
  %v21 = func.call @exchange_1(%v20, %up64) : (vector<256xi32>, vector<256xi1>) -> vector<256xi32>
  %k128 = arith.constant dense<128> : vector<256xi32>
  %b128 = arith.andi %lane, %k128 : vector<256xi32>
  %up128 = arith.cmpi eq, %b128, %zeros : vector<256xi32>
  %v22 = func.call @exchange_64(%v21, %up128) : (vector<256xi32>, vector<256xi1>) -> vector<256xi32>
  %v23 = func.call @exchange_32(%v22, %up128) : (vector<256xi32>, vector<256xi1>) -> vector<256xi32>
  %v24 = func.call @exchange_16(%v23, %up128) : (vector<256xi32>, vector<256xi1>) -> vector<256xi32>
  %v25 = func.call @exchange_8(%v24, %up128) : (vector<256xi32>, vector<256xi1>) -> vector<256xi32>
  %v26 = func.call @exchange_4(%v25, %up128) : (vector<256xi32>, vector<256xi1>) -> vector<256xi32>
  %v27 = func.call @exchange_2(%v26, %up128) : (vector<256xi32>, vector<256xi1>) -> vector<256xi32>
  %v28 = func.call @exchange_1(%v27, %up128) : (vector<256xi32>, vector<256xi1>) -> vector<256xi32>
  %k256 = arith.constant dense<256> : vector<256xi32>
  %b256 = arith.andi %lane, %k256 : vector<256xi32>
  %up256 = arith.cmpi eq, %b256, %zeros : vector<256xi32>
  %v29 = func.call @exchange_128(%v28, %up256) : (vector<256xi32>, vector<256xi1>) -> vector<256xi32>
  %v30 = func.call @exchange_64(%v29, %up256) : (vector<256xi32>, vector<256xi1>) -> vector<256xi32>
  %v31 = func.call @exchange_32(%v30, %up256) : (vector<256xi32>, vector<256xi1>) -> vector<256xi32>
  %v32 = func.call @exchange_16(%v31, %up256) : (vector<256xi32>, vector<256xi1>) -> vector<256xi32>
  %v33 = func.call @exchange_8(%v32, %up256) : (vector<256xi32>, vector<256xi1>) -> vector<256xi32>
  %v34 = func.call @exchange_4(%v33, %up256) : (vector<256xi32>, vector<256xi1>) -> vector<256xi32>
  %v35 = func.call @exchange_2(%v34, %up256) : (vector<256xi32>, vector<256xi1>) -> vector<256xi32>
  %v36 = func.call @exchange_1(%v35, %up256) : (vector<256xi32>, vector<256xi1>) -> vector<256xi32>
  tile.store %v36, %out : !O
}
