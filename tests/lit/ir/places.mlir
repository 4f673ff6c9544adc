// Places in another source behind ops, in every form that MLIR has for one in a
// file, printed as what they come down to and read back.
// RUN: tile-opt %s > %t.once
// RUN: FileCheck %s --input-file %t.once
// RUN: tile-opt %t.once | diff %t.once -
// Without them the text is the same, and so is what is proved of it.
// RUN: %python -c "import re; print(re.sub(r' loc\(\x22[^\x22]*\x22:\d+:\d+\)$', '', open(r'%t.once').read(), flags=re.M), end='')" > %t.bare
// RUN: tile-opt %t.bare | diff %t.bare -
// RUN: tile-verify --dump-obligations - < %t.once > %t.placed.dump
// RUN: tile-verify --dump-obligations - < %t.bare | diff %t.placed.dump -
// Passes keep them.
// RUN: tile-opt --elaborate --cse %s | FileCheck %s --check-prefix=CSE

#loc = loc("helpers.h":3:4)
#loc1 = loc(callsite(#loc at "k.cpp":9:9))
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!PX = !tile.partition<[16, 32], [M, N] x f32, shared>
!PY = !tile.partition<[16, 32], [M, N] x f32, out>
!P = !tile.piece<[16, 32] x f32, out>
func.func @twice(%x: vector<16x32xf32>) -> vector<16x32xf32> {
  %y = arith.addf %x, %x : vector<16x32xf32> loc("helpers.h":4:10)
  func.return %y : vector<16x32xf32>
} loc("helpers.h":2:1)
// CHECK: func.func @twice
// CHECK-NEXT: arith.addf {{.*}} loc("helpers.h":4:10)
// CHECK-NEXT: return
// CHECK-NEXT: } loc("helpers.h":2:1)

// CHECK: tile.kernel @k(%x: !tile.tensor<[M, N] x f32, shared>, %y: !tile.tensor<[M, N] x f32, out>) grid
tile.kernel @k(%x: !X, %y: !Y) grid [ceildiv(M, 16), ceildiv(N, 32)] {
  // CHECK: tile.block_id 0 loc("a \22b\22\C3\A9\\..%s.cpp":5:0)
  %i = tile.block_id 0 loc("a \"b\22\C3\A9\\..%s.cpp":5:0)
  // CHECK: tile.block_id 1 loc("k.cpp":5:3)
  %j = tile.block_id 1 loc( // of the same line
     "k.cpp" : 5 : 3 )
  // CHECK: arith.constant 1 : index{{$}}
  %c1 = arith.constant 1 : index loc(unknown)
  // CHECK: arith.addi {{.*}} loc("k.cpp":6:1)
  %i1 = arith.addi %i, %c1 : index loc("a name"("k.cpp":6:1 to :3))
  // CHECK: arith.cmpi {{.*}} loc("k.cpp":7:1)
  %t = arith.cmpi slt, %i1, %j : index loc(fused["k.cpp":7:1, callsite("k.cpp":8:1 at unknown)])
  // CHECK: scf.if
  scf.if %t {
    // CHECK-NEXT: tile.print " loc(unknown)", {{.*}} loc("k.cpp":2147483647:2147483647)
    tile.print " loc(unknown)", %i : index loc("k.cpp":2147483647:2147483647)
    // CHECK-NEXT: } loc("k.cpp":10:3)
  } loc("k.cpp":10:3)
  // CHECK: tile.partition {{.*}} loc("helpers.h":3:4)
  %px = tile.partition %x by [16, 32] : !X loc(#loc)
  // CHECK: tile.partition {{.*}} loc("helpers.h":3:4)
  %py = tile.partition %y by [16, 32] : !Y loc(#loc1)
  // CHECK: tile.load {{.*}} loc("k.cpp":11:3)
  %v = tile.load %px[%i, %j] pad(zero) : !PX loc("k.cpp":11:3)
  // CSE: arith.addf {{.*}} loc("helpers.h":4:10)
  %w = func.call @twice(%v) : (vector<16x32xf32>) -> vector<16x32xf32> loc("k.cpp":12:3)
  // CHECK: tile.claim {{.*}} : {{[^"]*}}{{$}}
  %o = tile.claim %py[%i, %j] : !PY loc("a name")
  // CHECK-NEXT: tile.store {{.*}} : {{[^"]*}}{{$}}
  tile.store %w, %o : !P loc("k.cpp":0:0)
// CHECK-NEXT: } loc("k.cpp":4:3)
} loc("k.cpp":4:3)
