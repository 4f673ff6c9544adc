// Helpers and maps, printed and read back; then the kernel that they mean.
// RUN: tile-opt %s > %t.once
// RUN: FileCheck %s --input-file %t.once
// RUN: tile-opt %t.once | diff %t.once -
// RUN: tile-opt --elaborate %s > %t.flat
// RUN: FileCheck %s --input-file %t.flat --check-prefix=FLAT
// RUN: tile-opt %t.flat | diff %t.flat -

!C = !tile.tensor<[M, N] x f32, own>
!PC = !tile.partition<[_, _], [M, N] x f32, own>

// CHECK: func.func private @half(%arg0: index) -> index {
func.func private @half(%x: index) -> index {
  %c2 = arith.constant 2 : index
  %r = arith.divsi %x, %c2 : index
  func.return %r : index
}
func.func private @quarter(%x: index) -> index {
  // CHECK: call @half(%arg0) : (index) -> index
  %h = func.call @half(%x) : (index) -> index
  %r = func.call @half(%h) : (index) -> index
  func.return %r : index
}

// CHECK: tile.map @split(%arg0) [rows, cols] -> (index, index) from [rows * cols] into [rows, cols] bijective {
// CHECK: tile.yield %{{.*}}, %{{.*}}
// CHECK: } inverse (%arg0, %arg1) {
tile.map @split(%p) [rows, cols] -> (index, index) from [rows * cols]
    into [rows, cols] bijective {
  %cols = tile.symbol "cols" : index
  %i = arith.divsi %p, %cols : index
  %j = arith.remsi %p, %cols : index
  tile.yield %i, %j
} inverse (%i, %j) {
  %cols = tile.symbol "cols" : index
  %b = arith.muli %i, %cols : index
  %p = arith.addi %b, %j : index
  tile.yield %p
}

// CHECK: tile.map @four(%arg0) -> (index) from [8] {
tile.map @four(%p) -> (index) from [8] {
  %r = func.call @quarter(%p) : (index) -> index
  tile.yield %r
}

// CHECK: tile.kernel @use
// CHECK: %[[ij:.*]]:2 = tile.apply @split(%{{.*}}) [%{{.*}}, %{{.*}}] : index, index
// CHECK: tile.apply @four(%[[ij]]#0) : index
// CHECK: tile.prove %{{.*}}, "a text" : i1
// CHECK: tile.trust %{{.*}} : i1

// FLAT-NOT: tile.apply
// FLAT-NOT: func.call
// FLAT: tile.kernel @use
// FLAT: %[[ROWS:.*]] = tile.num_tiles %{{.*}}, 0
// FLAT: %[[COLS:.*]] = tile.num_tiles %{{.*}}, 1
// FLAT: %[[ID:.*]] = tile.name
// FLAT: %[[ALL:.*]] = arith.muli %[[ROWS]], %[[COLS]] : index
// FLAT: tile.prove domain %{{.*}} : i1
// FLAT: tile.prove domain %{{.*}} : i1
// FLAT: %[[DIV:.*]] = arith.divsi %[[ID]], %[[COLS]] : index
// FLAT: %[[REM:.*]] = arith.remsi %[[ID]], %[[COLS]] : index
// FLAT: %[[I:.*]] = tile.name %[[DIV]]
// FLAT: %[[J:.*]] = tile.name %[[REM]]
// FLAT-COUNT-4: tile.prove into
// FLAT: %[[B:.*]] = arith.muli %[[I]], %[[COLS]] : index
// FLAT: %[[BACK:.*]] = arith.addi %[[B]], %[[J]] : index
// FLAT: arith.cmpi eq, %[[BACK]], %[[ID]] : index
// FLAT: tile.prove inverse
// FLAT: arith.muli %[[ROWS]], %[[COLS]] : index
// FLAT: tile.prove count
// FLAT-COUNT-2: tile.prove domain
// FLAT: %[[H:.*]] = arith.divsi %{{.*}}, %{{.*}} : index
// FLAT: arith.divsi %[[H]], %{{.*}} : index
// FLAT-NOT: tile.map
// FLAT-NOT: func.func
tile.kernel @use(%c: !C) grid [M * N] {
  %t = tile.block_id 0
  %pc = tile.partition %c by [_, _] : !C
  %rows = tile.num_tiles %pc, 0 : !PC
  %cols = tile.num_tiles %pc, 1 : !PC
  %i, %j = tile.apply @split(%t) [%rows, %cols] : index, index
  %q = tile.apply @four(%i) : index
  %c1 = arith.constant 1 : index
  %few = arith.cmpi sle, %q, %c1 : index
  tile.prove %few, "a text" : i1
  tile.trust %few : i1
}
