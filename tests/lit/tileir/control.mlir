// Loops over several types, branches with results and with stores, a scalar
// load, integers of the grid.
//
// RUN: tile-compile %s --dump=module | FileCheck %s
// CHECK: entry @control_aligned(%0: tile<ptr<i32>>, %1: tile<ptr<i32>>,
// CHECK-SAME: %2: tile<i64>, %3: tile<i32>, %4: tile<i32>, %5: tile<i32>)
// Two ids come from one: the last axis is the fastest.
// CHECK: [[LINEAR:%[0-9]+]], %{{[0-9]+}}, %{{[0-9]+}} = get_tile_block_id
// CHECK-NEXT: [[COLUMN:%[0-9]+]] = remi [[LINEAR]], [[COLUMNS:%[0-9]+]] signed
// CHECK-NEXT: [[ROW:%[0-9]+]] = divi [[LINEAR]], [[COLUMNS]] signed zero
// CHECK-NEXT: exti [[COLUMN]] signed : tile<i64>
// CHECK-NEXT: exti [[ROW]] signed : tile<i64>
// CHECK: [[START:%[0-9]+]] = make_token
// CHECK: [[COUNT:%[0-9]+]] = for %{{.*}} : tile<i32> { (%{{[0-9]+}}: tile<i32>, %{{[0-9]+}}: tile<i32>)
// CHECK: for %{{.*}}, [[COUNT]] : tile<i32> { (%{{[0-9]+}}: tile<i64>, %{{[0-9]+}}: tile<i32>)
// A load of a shared tensor waits for nobody.
// CHECK-NEXT: load_view_tko %{{[0-9]+}}, [%{{[0-9]+}}] weak in_bounds[0] : tile<1xi32>, token
// CHECK-NEXT: reshape %{{[0-9]+}} : tile<i32>
// CHECK: = if %{{[0-9]+}} : tile<i32> {
// CHECK: } {
// CHECK-NEXT: yield
// The accesses of a written tensor are one chain, through branches and loops.
// CHECK: load_view_tko %{{.*}}, token = [[START]] weak in_bounds[0] : tile<1x32xi32>, token
// CHECK: [[STORED:%[0-9]+]] = store_view_tko %{{.*}}, token = [[LOADED:%[0-9]+]] weak
// CHECK: [[JOINED:%[0-9]+]] = if %{{[0-9]+}} : token {
// CHECK: load_view_tko %{{.*}}, token = [[STORED]] weak
// CHECK: [[TWICE:%[0-9]+]] = store_view_tko
// CHECK-NEXT: yield [[TWICE]]
// CHECK-NEXT: } {
// CHECK-NEXT: yield [[STORED]]
// CHECK: for %{{.*}}, [[JOINED]] : token { (%{{[0-9]+}}: tile<i64>, [[CARRIED:%[0-9]+]]: token)
// CHECK-NEXT: load_view_tko %{{.*}}, token = [[CARRIED]] weak
// CHECK: [[LAST:%[0-9]+]] = store_view_tko
// CHECK-NEXT: continue [[LAST]]
// CHECK: entry @control(

!T = !tile.tensor<[N] x i32, shared>
!Y = !tile.tensor<[4, N] x i32, own>
!PT = !tile.partition<[_], [N] x i32, shared>
!PV = !tile.partition<[32], [N] x i32, shared>
!PY = !tile.partition<[_, 32], [4, N] x i32, own>
!P = !tile.piece<[_, 32] x i32, own>
tile.kernel @control(%t: !T, %y: !Y) symbols [rounds : i32] grid [4, ceildiv(N, 32)]
    requires [rounds >= 0, rounds <= 100] {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %row = tile.block_id 0
  %column = tile.block_id 1
  %rows = tile.grid_dim 0
  %columns = tile.grid_dim 1
  %pt = tile.partition %t by [_] : !T
  %pv = tile.partition %t by [32] : !T
  %py = tile.partition %y by [_, 32] : !Y
  %out = tile.claim %py[%row, %column] : !PY
  %rounds = tile.symbol "rounds" : i32
  %count = scf.for %k = %c0 to %rounds step %c1 iter_args(%acc = %c0) -> (i32) : i32 {
    %more = arith.addi %acc, %k : i32
    scf.yield %more : i32
  }
  %cut = arith.constant 7 : index
  %n = tile.symbol "N" : index
  %some = arith.minsi %n, %cut : index
  %positive = scf.for %k = %i0 to %some step %i1 iter_args(%acc = %count) -> (i32) {
    %v = tile.load %pt[%k] : !PT
    %is = arith.cmpi sgt, %v, %c0 : i32
    %next = scf.if %is -> (i32) {
      %more = arith.addi %acc, %c1 : i32
      scf.yield %more : i32
    } else {
      scf.yield %acc : i32
    }
    scf.yield %next : i32
  }
  %old = tile.load %out pad(zero) : !P
  %all = vector.broadcast %positive : i32 to vector<32xi32>
  %new = arith.addi %old, %all : vector<32xi32>
  tile.store %new, %out : !P
  %first = arith.cmpi eq, %row, %i0 : index
  scf.if %first {
    %again = tile.load %out pad(zero) : !P
    %twice = arith.addi %again, %again : vector<32xi32>
    tile.store %twice, %out : !P
  }
  %area = arith.muli %rows, %columns : index
  %area32 = arith.index_cast %area : index to i32
  %areas = vector.broadcast %area32 : i32 to vector<32xi32>
  scf.for %k = %i0 to %row step %i1 {
    %now = tile.load %out pad(zero) : !P
    %shared = tile.load %pv[%column] pad(zero) : !PV
    %sum = arith.addi %now, %shared : vector<32xi32>
    %sum2 = arith.addi %sum, %areas : vector<32xi32>
    tile.store %sum2, %out : !P
  }
}
