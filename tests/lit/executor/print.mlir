// tile.print: a line with the block, the label and each value by its name.
// RUN: tile-exec %s --set M=5,N=3 --contents "x=1,2,3,4,5" | FileCheck %s --strict-whitespace
// RUN: tile-exec %s --set M=5,N=3 --contents "x=1,2,3,4,5" --no-values | FileCheck %s --check-prefix=NONE
// RUN: tile-verify %s | FileCheck %s --check-prefix=PROVED
// RUN: tile-compile %s --arch=sm_90 -o %t --tileiras=%S/../tileir/Inputs/writing.sh 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tile-compile %s --dump=module | FileCheck %s --check-prefix=MODULE

// CHECK:{{^}}block (0, 1): 50% of %s{{$}}
// CHECK-NEXT:{{^}}block (0, 1): v = [1, 2, 3, 4], f = {{\[\[}}0.1, -0], [nan, 1e+30{{\]\]}}, i = 0, t = 1{{$}}
// CHECK-NEXT:{{^}}block (0, 1): last{{$}}
// CHECK-NEXT:{{^}}block (0, 2): 50% of %s{{$}}
// CHECK-NEXT:{{^}}block (0, 2): v = [1, 2, 3, 4]
// CHECK:{{^}}block (1, 0): long l = {{\[\[}}0, 1, 2, ..., 2045, 2046, 2047{{\]\]}}, v = [5, -1, -1, -1]{{$}}
// CHECK:{{^}}ran 6 blocks of grid (2, 3): no fault{{$}}
// NONE: block (0, 1): v = [1, 2, 3, 4], f = not computed, i = 0, t = 1
// PROVED: VERIFIED
// REMARK: print.mlir:[[@LINE+21]]:5: remark: the kernel prints here, in every block
// REMARK: print for sm_90
// MODULE: print_tko {{.*}} "block (%lld, %lld): 50%% of %%s\n"

!X = !tile.tensor<[M] x i32, shared>
!Y = !tile.tensor<[M, N] x i32, out>
!PX = !tile.partition<[4], [M] x i32, shared>
!PY = !tile.partition<[4, _], [M, N] x i32, out>
!P = !tile.piece<[4, _] x i32, out>
tile.kernel @print(%x: !X, %y: !Y) grid [ceildiv(M, 4), N] {
  %c0 = arith.constant 0 : index
  %i = tile.block_id 0
  %j = tile.block_id 1
  %f = arith.constant dense<[[0.1, -0.0], [0x7FC00000, 1.0e30]]> : vector<2x2xf32>
  %px = tile.partition %x by [4] : !X
  %py = tile.partition %y by [4, _] : !Y
  %out = tile.claim %py[%i, %j] : !PY
  %v = tile.load %px[%i] pad(-1) : !PX
  %t = arith.cmpi eq, %i, %c0 : index
  %after = arith.cmpi sgt, %j, %i : index
  scf.if %after {
    tile.print "50% of %s"
    tile.print "", %v, %f, %i, %t : vector<4xi32>, vector<2x2xf32>, index, i1
    tile.print "last"
  } else {
    %l = tile.iota 1 : vector<1x2048xi16>
    tile.print "long", %l, %v : vector<1x2048xi16>, vector<4xi32>
  }
  tile.store %v, %out : !P
}
