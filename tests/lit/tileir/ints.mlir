// Every op on integers: vectors of each width, scalars, bits.
//
// RUN: tile-compile %s --dump=module | FileCheck %s
// CHECK: entry @ints_aligned(
// Symbols come with their own types, narrow ones in 32 bits.
// CHECK-SAME: %5: tile<i64>, %6: tile<i32>, %7: tile<i32>)
// CHECK: = trunci %7 none : tile<i8>
// CHECK: [[FLAG:%[0-9]+]] = cmpi %{{.*}} greater_than_or_equal signed : tile<i1>
// CHECK: addi %{{.*}} none : tile<128xi32>
// CHECK: subi
// CHECK: muli
// CHECK: mini %{{.*}} signed
// CHECK: maxi %{{.*}} signed
// CHECK: andi
// CHECK: ori
// CHECK: xori
// CHECK: cmpi %{{.*}} less_than signed : tile<128xi1>
// CHECK: cmpi %{{.*}} equal signed : tile<128xi1>
// CHECK: select %{{.*}} : tile<128xi32>
// A lone condition chooses between whole vectors.
// CHECK: [[ONE:%[0-9]+]] = reshape [[FLAG]] : tile<1xi1>
// CHECK-NEXT: [[ALL:%[0-9]+]] = broadcast [[ONE]] : tile<128xi1>
// CHECK-NEXT: select [[ALL]],
// CHECK: exti %{{.*}} signed : tile<128xi64>
// CHECK: exti %{{.*}} signed : tile<i64>
// CHECK: exti %{{.*}} unsigned : tile<i64>
// CHECK: exti [[FLAG]] signed : tile<i64>
// CHECK: exti [[FLAG]] unsigned : tile<i64>
// CHECK: trunci %{{.*}} none : tile<128xi8>
// Lanes of i1 are packed, the first one lowest.
// CHECK: constant 0xb980 : tile<16xi1>
// CHECK: entry @ints(

!A = !tile.tensor<[N] x i32, shared>
!Y = !tile.tensor<[N] x i32, out>
!Z = !tile.tensor<[N] x i64, out>
!W = !tile.tensor<[N] x i8, out>
!PA = !tile.partition<[128], [N] x i32, shared>
!PY = !tile.partition<[128], [N] x i32, out>
!PZ = !tile.partition<[128], [N] x i64, out>
!PW = !tile.partition<[128], [N] x i8, out>
!Q = !tile.piece<[128] x i32, out>
!R = !tile.piece<[128] x i64, out>
!S = !tile.piece<[128] x i8, out>
tile.kernel @ints(%a: !A, %b: !A, %y: !Y, %z: !Z, %w: !W) symbols [pos : i32, tiny : i8]
    grid [ceildiv(N, 128)] {
  %i = tile.block_id 0
  %pa = tile.partition %a by [128] : !A
  %pb = tile.partition %b by [128] : !A
  %py = tile.partition %y by [128] : !Y
  %pz = tile.partition %z by [128] : !Z
  %pw = tile.partition %w by [128] : !W
  %oy = tile.claim %py[%i] : !PY
  %oz = tile.claim %pz[%i] : !PZ
  %ow = tile.claim %pw[%i] : !PW
  %x = tile.load %pa[%i] pad(zero) : !PA
  %v = tile.load %pb[%i] pad(zero) : !PA
  %pos = tile.symbol "pos" : i32
  %tiny = tile.symbol "tiny" : i8
  %four = arith.constant 4 : i32
  %flag = arith.cmpi sge, %pos, %four : i32
  %sum = arith.addi %x, %v : vector<128xi32>
  %difference = arith.subi %sum, %x : vector<128xi32>
  %product = arith.muli %difference, %v : vector<128xi32>
  %low = arith.minsi %product, %x : vector<128xi32>
  %high = arith.maxsi %low, %v : vector<128xi32>
  %both = arith.andi %high, %sum : vector<128xi32>
  %either = arith.ori %both, %x : vector<128xi32>
  %odd = arith.xori %either, %v : vector<128xi32>
  %less = arith.cmpi slt, %odd, %x : vector<128xi32>
  %equal = arith.cmpi eq, %x, %v : vector<128xi32>
  %any = arith.ori %less, %equal : vector<128xi1>
  %chosen = arith.select %any, %odd, %sum : vector<128xi1>, vector<128xi32>
  %flipped = arith.select %flag, %chosen, %x : vector<128xi32>
  %all = vector.broadcast %pos : i32 to vector<128xi32>
  %moved = arith.addi %flipped, %all : vector<128xi32>
  tile.store %moved, %oy : !Q
  %wide = arith.extsi %moved : vector<128xi32> to vector<128xi64>
  %t64 = arith.extsi %tiny : i8 to i64
  %u64 = arith.extui %tiny : i8 to i64
  %s64 = arith.subi %t64, %u64 : i64
  %bit = arith.extsi %flag : i1 to i64
  %bu = arith.extui %flag : i1 to i64
  %s65 = arith.addi %s64, %bit : i64
  %s66 = arith.addi %s65, %bu : i64
  %d64 = vector.broadcast %s66 : i64 to vector<128xi64>
  %shifted = arith.addi %wide, %d64 : vector<128xi64>
  tile.store %shifted, %oz : !R
  %narrow = arith.trunci %moved : vector<128xi32> to vector<128xi8>
  %less8 = arith.extsi %less : vector<128xi1> to vector<128xi8>
  %n8 = arith.addi %narrow, %less8 : vector<128xi8>
  %c8 = vector.broadcast %tiny : i8 to vector<128xi8>
  %m8 = arith.muli %n8, %c8 : vector<128xi8>
  %dense = arith.constant dense<[true, false, false, true, true, true, false, true, false, false, false, false, false, false, false, true]> : vector<16xi1>
  %wider = vector.broadcast %dense : vector<16xi1> to vector<8x16xi1>
  %pattern = vector.shape_cast %wider : vector<8x16xi1> to vector<128xi1>
  %r8 = arith.select %pattern, %m8, %n8 : vector<128xi1>, vector<128xi8>
  tile.store %r8, %ow : !S
}
