// y[M, N] = each row of x[M, N] sorted, the least number first
// any M, N at most 128, zero included
!X = !tile.tensor<[M, N] x i32, shared>
!Y = !tile.tensor<[M, N] x i32, out>
!PX = !tile.partition<[_, 128], [M, N] x i32, shared>
!PY = !tile.partition<[_, 128], [M, N] x i32, out>
!P = !tile.piece<[_, 128] x i32, out>

// Lane i meets lane i + 64; the lesser goes to lane 2 i, the greater to 2 i + 1.
func.func private @exchange(%x: vector<128xi32>) -> vector<128xi32> {
  %a = tile.extract %x[0] : vector<128xi32> to vector<64xi32>
  %b = tile.extract %x[1] : vector<128xi32> to vector<64xi32>
  %less = arith.minsi %a, %b : vector<64xi32>
  %more = arith.maxsi %a, %b : vector<64xi32>
  %first = vector.shape_cast %less : vector<64xi32> to vector<64x1xi32>
  %second = vector.shape_cast %more : vector<64xi32> to vector<64x1xi32>
  %pairs = tile.cat %first, %second, 1 : vector<64x1xi32>
  %r = vector.shape_cast %pairs : vector<64x2xi32> to vector<128xi32>
  func.return %r : vector<128xi32>
}

// The complement where a lane's number has the bit: what rises there, falls.
func.func private @flip(%x: vector<128xi32>, %number: vector<128xi32>, %bit: i32) -> vector<128xi32> {
  %zero = arith.constant dense<0> : vector<128xi32>
  %ones = arith.constant dense<-1> : vector<128xi32>
  %bits = vector.broadcast %bit : i32 to vector<128xi32>
  %rest = arith.andi %number, %bits : vector<128xi32>
  %stays = arith.cmpi eq, %rest, %zero : vector<128xi32>
  %other = arith.xori %x, %ones : vector<128xi32>
  %r = arith.select %stays, %x, %other : vector<128xi1>, vector<128xi32>
  func.return %r : vector<128xi32>
}

// A bitonic network: step k turns runs of 2^(k - 1), which rise and fall by turns, into
// runs of 2^k. It turns the number of each lane, so that its last k bits come first; k
// exchanges turn it back. Runs that are to fall are flipped before and after, so that
// between two steps those lanes are flipped whose bits k and k + 1 differ.
tile.kernel @sort_rows(%x: !X, %y: !Y) grid [M, ceildiv(N, 128)] requires [N <= 128] {
  %bit1 = arith.constant 2 : i32
  %bit2 = arith.constant 4 : i32
  %bit3 = arith.constant 8 : i32
  %bit4 = arith.constant 16 : i32
  %bit5 = arith.constant 32 : i32
  %bit6 = arith.constant 64 : i32
  %one = arith.constant dense<1> : vector<128xi32>
  %row = tile.block_id 0
  %j = tile.block_id 1
  %number = tile.iota 0 : vector<128xi32>
  %half = arith.shrui %number, %one : vector<128xi32>
  %differ = arith.xori %number, %half : vector<128xi32>
  %px = tile.partition %x by [_, 128] : !X
  %py = tile.partition %y by [_, 128] : !Y
  %out = tile.claim %py[%row, %j] : !PY
  %v = tile.load %px[%row, %j] pad(2147483647) : !PX
  %f1 = func.call @flip(%v, %number, %bit1) : (vector<128xi32>, vector<128xi32>, i32) -> vector<128xi32>
  %s1 = vector.shape_cast %f1 : vector<128xi32> to vector<64x2xi32>
  %t1 = vector.transpose %s1, [1, 0] : vector<64x2xi32> to vector<2x64xi32>
  %x1_0 = vector.shape_cast %t1 : vector<2x64xi32> to vector<128xi32>
  %x1_1 = func.call @exchange(%x1_0) : (vector<128xi32>) -> vector<128xi32>
  %f2 = func.call @flip(%x1_1, %differ, %bit1) : (vector<128xi32>, vector<128xi32>, i32) -> vector<128xi32>
  %s2 = vector.shape_cast %f2 : vector<128xi32> to vector<32x4xi32>
  %t2 = vector.transpose %s2, [1, 0] : vector<32x4xi32> to vector<4x32xi32>
  %x2_0 = vector.shape_cast %t2 : vector<4x32xi32> to vector<128xi32>
  %x2_1 = func.call @exchange(%x2_0) : (vector<128xi32>) -> vector<128xi32>
  %x2_2 = func.call @exchange(%x2_1) : (vector<128xi32>) -> vector<128xi32>
  %f3 = func.call @flip(%x2_2, %differ, %bit2) : (vector<128xi32>, vector<128xi32>, i32) -> vector<128xi32>
  %s3 = vector.shape_cast %f3 : vector<128xi32> to vector<16x8xi32>
  %t3 = vector.transpose %s3, [1, 0] : vector<16x8xi32> to vector<8x16xi32>
  %x3_0 = vector.shape_cast %t3 : vector<8x16xi32> to vector<128xi32>
  %x3_1 = func.call @exchange(%x3_0) : (vector<128xi32>) -> vector<128xi32>
  %x3_2 = func.call @exchange(%x3_1) : (vector<128xi32>) -> vector<128xi32>
  %x3_3 = func.call @exchange(%x3_2) : (vector<128xi32>) -> vector<128xi32>
  %f4 = func.call @flip(%x3_3, %differ, %bit3) : (vector<128xi32>, vector<128xi32>, i32) -> vector<128xi32>
  %s4 = vector.shape_cast %f4 : vector<128xi32> to vector<8x16xi32>
  %t4 = vector.transpose %s4, [1, 0] : vector<8x16xi32> to vector<16x8xi32>
  %x4_0 = vector.shape_cast %t4 : vector<16x8xi32> to vector<128xi32>
  %x4_1 = func.call @exchange(%x4_0) : (vector<128xi32>) -> vector<128xi32>
  %x4_2 = func.call @exchange(%x4_1) : (vector<128xi32>) -> vector<128xi32>
  %x4_3 = func.call @exchange(%x4_2) : (vector<128xi32>) -> vector<128xi32>
  %x4_4 = func.call @exchange(%x4_3) : (vector<128xi32>) -> vector<128xi32>
  %f5 = func.call @flip(%x4_4, %differ, %bit4) : (vector<128xi32>, vector<128xi32>, i32) -> vector<128xi32>
  %s5 = vector.shape_cast %f5 : vector<128xi32> to vector<4x32xi32>
  %t5 = vector.transpose %s5, [1, 0] : vector<4x32xi32> to vector<32x4xi32>
  %x5_0 = vector.shape_cast %t5 : vector<32x4xi32> to vector<128xi32>
  %x5_1 = func.call @exchange(%x5_0) : (vector<128xi32>) -> vector<128xi32>
  %x5_2 = func.call @exchange(%x5_1) : (vector<128xi32>) -> vector<128xi32>
  %x5_3 = func.call @exchange(%x5_2) : (vector<128xi32>) -> vector<128xi32>
  %x5_4 = func.call @exchange(%x5_3) : (vector<128xi32>) -> vector<128xi32>
  %x5_5 = func.call @exchange(%x5_4) : (vector<128xi32>) -> vector<128xi32>
  %f6 = func.call @flip(%x5_5, %differ, %bit5) : (vector<128xi32>, vector<128xi32>, i32) -> vector<128xi32>
  %s6 = vector.shape_cast %f6 : vector<128xi32> to vector<2x64xi32>
  %t6 = vector.transpose %s6, [1, 0] : vector<2x64xi32> to vector<64x2xi32>
  %x6_0 = vector.shape_cast %t6 : vector<64x2xi32> to vector<128xi32>
  %x6_1 = func.call @exchange(%x6_0) : (vector<128xi32>) -> vector<128xi32>
  %x6_2 = func.call @exchange(%x6_1) : (vector<128xi32>) -> vector<128xi32>
  %x6_3 = func.call @exchange(%x6_2) : (vector<128xi32>) -> vector<128xi32>
  %x6_4 = func.call @exchange(%x6_3) : (vector<128xi32>) -> vector<128xi32>
  %x6_5 = func.call @exchange(%x6_4) : (vector<128xi32>) -> vector<128xi32>
  %x6_6 = func.call @exchange(%x6_5) : (vector<128xi32>) -> vector<128xi32>
  %f7 = func.call @flip(%x6_6, %differ, %bit6) : (vector<128xi32>, vector<128xi32>, i32) -> vector<128xi32>
  %x7_1 = func.call @exchange(%f7) : (vector<128xi32>) -> vector<128xi32>
  %x7_2 = func.call @exchange(%x7_1) : (vector<128xi32>) -> vector<128xi32>
  %x7_3 = func.call @exchange(%x7_2) : (vector<128xi32>) -> vector<128xi32>
  %x7_4 = func.call @exchange(%x7_3) : (vector<128xi32>) -> vector<128xi32>
  %x7_5 = func.call @exchange(%x7_4) : (vector<128xi32>) -> vector<128xi32>
  %x7_6 = func.call @exchange(%x7_5) : (vector<128xi32>) -> vector<128xi32>
  %x7_7 = func.call @exchange(%x7_6) : (vector<128xi32>) -> vector<128xi32>
  tile.store %x7_7, %out : !P
}
