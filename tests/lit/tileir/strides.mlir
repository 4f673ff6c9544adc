// Strides of every kind: symbols, constants, 0 by constant and by symbol.
//
// RUN: tile-compile %s --dump=module | FileCheck %s
// CHECK: entry @strides_aligned(
// With positive strides a symbolic one is a view, and its sizes are as they are.
// A base that is not aligned for the copy engine asks nothing of its strides.
// CHECK: assume %6 bounded(1, 2147483647) : tile<i64>
// CHECK-NEXT: assume %7 bounded(1, 2147483647) : tile<i64>
// CHECK: view<?x?xf32, strides [?, 1]>
// An axis of stride 0 is in no view.
// CHECK: view<?xf32, strides [1]>
// CHECK: view<?x?xf32, strides [1, ?]>
// CHECK: view<?x?xf32, strides [?, 2]>
// Its tile is spread along the axis, and padded outside.
// CHECK: load_view_tko
// CHECK: [[ROW:%[0-9]+]], %{{[0-9]+}} = load_view_tko %{{[0-9]+}}, [%{{[0-9]+}}] weak : tile<32xf32>, token
// CHECK: iota : tile<16xi64>
// CHECK: [[INSIDE:%[0-9]+]] = cmpi %{{.*}} less_than signed : tile<16x32xi1>
// CHECK: [[ONE:%[0-9]+]] = reshape [[ROW]] : tile<1x32xf32>
// CHECK-NEXT: [[ALL:%[0-9]+]] = broadcast [[ONE]] : tile<16x32xf32>
// CHECK: select [[INSIDE]], [[ALL]], %{{[0-9]+}} : tile<16x32xf32>
// CHECK: load_view_tko
// CHECK-NOT: load_ptr_tko
// CHECK: entry @strides(
// Nothing is known of a symbolic stride here: a tensor that may have 0 is read
// by addresses, with a mask of what lies inside and its own padding.
// CHECK: iota : tile<16xi64>
// CHECK: cmpi %{{.*}} less_than signed : tile<16x32xi1>
// CHECK: iota : tile<32xi64>
// CHECK: cmpi %{{.*}} less_than signed : tile<16x32xi1>
// CHECK: offset %{{.*}} : tile<16x32xptr<f32>>
// CHECK: load_ptr_tko %{{[0-9]+}}, mask = %{{[0-9]+}}, padding = %{{[0-9]+}} weak : tile<16x32xf32>, token
// CHECK: load_view_tko
// CHECK: constant 0x0000000000000000
// CHECK: load_ptr_tko

!A = !tile.tensor<[M, N] x f32, shared, strides [la, 1], align = 4>
!B = !tile.tensor<[M, N] x f32, shared, strides [0, 1]>
!C = !tile.tensor<[M, N] x f32, shared, strides [1, lc]>
!Y = !tile.tensor<[M, N] x f32, out, strides [ly, 2]>
!PA = !tile.partition<[16, 32], [M, N] x f32, shared, strides [la, 1], align = 4>
!PB = !tile.partition<[16, 32], [M, N] x f32, shared, strides [0, 1]>
!PC = !tile.partition<[16, 32], [M, N] x f32, shared, strides [1, lc]>
!PY = !tile.partition<[16, 32], [M, N] x f32, out, strides [ly, 2]>
!P = !tile.piece<[16, 32] x f32, out>
tile.kernel @strides(%a: !A, %b: !B, %c: !C, %y: !Y) symbols [la : index, lc : index, ly : index]
    grid [ceildiv(M, 16), ceildiv(N, 32)] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %pa = tile.partition %a by [16, 32] : !A
  %pb = tile.partition %b by [16, 32] : !B
  %pc = tile.partition %c by [16, 32] : !C
  %py = tile.partition %y by [16, 32] : !Y
  %out = tile.claim %py[%i, %j] : !PY
  %u = tile.load %pa[%i, %j] pad(pos_inf) : !PA
  %v = tile.load %pb[%i, %j] pad(zero) : !PB
  %w = tile.load %pc[%i, %j] pad(zero) : !PC
  %s = arith.addf %u, %v : vector<16x32xf32>
  %t = arith.addf %s, %w : vector<16x32xf32>
  tile.store %t, %out : !P
}
