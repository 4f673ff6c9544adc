// A padding that Tile IR has no word for is a select behind the load, along the
// axes where the tile may be ragged; the mask of the inside clamps its index.
//
// RUN: tile-compile %s --dump=module | FileCheck %s
// CHECK: entry @outside(
// Both loads are of one partition: the number is zero in the view.
// CHECK: make_partition_view %{{[0-9]+}} : partition<8x16, pad zero, view<?x?xf32, strides [?, 1]>>
// CHECK-NOT: make_partition_view {{.*}} pad
// CHECK: [[ZEROS:%[0-9]+]], %{{[0-9]+}} = load_view_tko
// N is a multiple of the tile, M need not be.
// CHECK: [[TILE:%[0-9]+]], %{{[0-9]+}} = load_view_tko
// CHECK: iota : tile<8xi64>
// CHECK-NOT: iota
// CHECK: [[INSIDE:%[0-9]+]] = cmpi %{{.*}} less_than signed : tile<8x16xi1>
// CHECK-NEXT: [[PAD:%[0-9]+]] = constant 0x000000bf : tile<8x16xf32>
// CHECK-NEXT: select [[INSIDE]], [[TILE]], [[PAD]] : tile<8x16xf32>
// Of an index of 2^40 or more, and of a negative one, no lane is inside.
// CHECK: [[LAST:%[0-9]+]] = constant 0x0000000000010000 : tile<i64>
// CHECK-NEXT: [[LOW:%[0-9]+]] = mini [[INDEX:%[0-9]+]], [[LAST]] signed : tile<i64>
// CHECK: [[FIRST:%[0-9]+]] = muli [[LOW]], %{{[0-9]+}} none : tile<i64>
// CHECK: [[REST:%[0-9]+]] = subi %{{[0-9]+}}, [[FIRST]] none : tile<i64>
// CHECK-NEXT: [[IS:%[0-9]+]] = cmpi [[INDEX]], [[ZERO:%[0-9]+]] greater_than_or_equal signed : tile<i1>
// CHECK-NEXT: select [[IS]], [[REST]], [[ZERO]] : tile<i64>
// CHECK: cmpi %{{.*}} less_than signed : tile<8x16xi1>

!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!PX = !tile.partition<[8, 16], [M, N] x f32, shared>
!PY = !tile.partition<[8, 16], [M, N] x f32, out>
!P = !tile.piece<[8, 16] x f32, out>
tile.kernel @outside(%x: !X, %y: !Y) symbols [at : i64] grid [ceildiv(M, 8), ceildiv(N, 16)]
    requires [mod(N, 16) == 0] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %at = tile.symbol "at" : i64
  %k = arith.index_cast %at : i64 to index
  %px = tile.partition %x by [8, 16] : !X
  %py = tile.partition %y by [8, 16] : !Y
  %out = tile.claim %py[%i, %j] : !PY
  %u = tile.load %px[%i, %j] pad(zero) : !PX
  %v = tile.load %px[%i, %j] pad(-0.5) : !PX
  %in = tile.inside %px[%k, %j] : !PX
  %w = arith.select %in, %u, %v : vector<8x16xi1>, vector<8x16xf32>
  tile.store %w, %out : !P
}
