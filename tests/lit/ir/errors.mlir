// One part for each thing that is refused, and what is said about it.
// RUN: not tile-opt --split --verify-only %s 2>&1 | FileCheck %s --strict-whitespace

//===-- Types --------------------------------------------------------------===//

!X = !tile.tensor<[M, N] x f32, shared>
// CHECK: :[[@LINE+1]]:41: error: a tensor has 1 to 64 axes, got 0
tile.kernel @k(%x: !X, %y: !tile.tensor<[] x f32, out>) grid [M] {}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
// CHECK: :[[@LINE+1]]:41: error: extent is at least 0, got -1
tile.kernel @k(%x: !X, %y: !tile.tensor<[M, -1] x f32, out>) grid [M] {}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
// CHECK: :[[@LINE+1]]:41: error: 'i32' cannot name a launch symbol
tile.kernel @k(%x: !X, %y: !tile.tensor<[M, i32] x f32, out>) grid [M] {}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
// CHECK: :[[@LINE+1]]:45: error: a.b is not in the language, which has ops of tile, scf, func, arith, math and vector
tile.kernel @k(%x: !X, %y: !tile.tensor<[M, a.b] x f32, out>) grid [M] {}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
// CHECK: :[[@LINE+1]]:45: error: expected a constant or the name of a launch symbol
tile.kernel @k(%x: !X, %y: !tile.tensor<[M, *] x f32, out>) grid [M] {}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
// CHECK: :[[@LINE+1]]:47: error: expected 'x' and an element type, as in [M, N] x f32
tile.kernel @k(%x: !X, %y: !tile.tensor<[M, N]xf32, out>) grid [M] {}

// -----
// CHECK: :[[@LINE+1]]:51: error: an atomic is one of add, min, max, and, or, xor, got swap
tile.kernel @k(%h: !tile.tensor<[N] x i32, atomic<swap>>) grid [N] {}

// -----
// CHECK: error: atomic<min> needs integer elements, got 'f32'
tile.kernel @k(%h: !tile.tensor<[N] x f32, atomic<min>>) grid [N] {}

// -----
!H = !tile.tensor<[N] x i32, atomic<add>>
!PH = !tile.partition<[_], [N] x i32, atomic<add>>
tile.kernel @k(%h: !H) grid [N] {
  %i = tile.block_id 0
  %p = tile.partition %h by [_] : !H
// CHECK: :[[@LINE+3]]:19: error: claims need mode own, out or raw, got atomic<add>
// CHECK-NEXT:{{^}}  %o = tile.claim %p[%i] : !PH
// CHECK-NEXT:{{^}}                  ^~{{$}}
  %o = tile.claim %p[%i] : !PH
}

// -----
!H = !tile.tensor<[N] x i32, atomic<add>>
!PH = !tile.partition<[_], [N] x i32, atomic<add>>
tile.kernel @k(%h: !H) grid [N] {
  %i = tile.block_id 0
  %p = tile.partition %h by [_] : !H
// CHECK: :[[@LINE+1]]:18: error: loads from a partition need mode shared or raw, got atomic<add>, of which nothing is read in a launch
  %v = tile.load %p[%i] : !PH
}

// -----
!H = !tile.tensor<[N] x i32, atomic<add>>
!PH = !tile.partition<[_], [N] x i32, atomic<add>>
tile.kernel @k(%h: !H) symbols [v : i32] grid [N] {
  %i = tile.block_id 0
  %v = tile.symbol "v" : i32
  %p = tile.partition %h by [_] : !H
// CHECK: :[[@LINE+1]]:23: error: atomic max needs mode atomic<max>, got atomic<add>
  tile.atomic max %v, %p[%i] : !PH
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
// CHECK: :[[@LINE+1]]:50: error: element type is one of f4E2M1FN, f8E4M3FN, f8E5M2, f8E8M0FNU, f16, bf16, f32, f64, i4, i8, i16, i32, i64, got i1
tile.kernel @k(%x: !X, %y: !tile.tensor<[M, N] x i1, out>) grid [M] {}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
// CHECK: :[[@LINE+1]]:50: error: expected an element type
tile.kernel @k(%x: !X, %y: !tile.tensor<[M, N] x , out>) grid [M] {}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
// CHECK: :[[@LINE+1]]:55: error: mode is one of shared, own, out, atomic<...>, raw, got mine
tile.kernel @k(%x: !X, %y: !tile.tensor<[M, N] x f32, mine>) grid [M] {}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
// CHECK: :[[@LINE+1]]:41: error: partial needs mode out, got shared
tile.kernel @k(%x: !X, %y: !tile.tensor<[M, N] x f32, shared partial>) grid [M] {}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
// CHECK: :[[@LINE+1]]:41: error: tensor has 1 stride but 2 axes
tile.kernel @k(%x: !X, %y: !tile.tensor<[M, N] x f32, out, strides [1]>) grid [M] {}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
// CHECK: :[[@LINE+1]]:68: error: tensor has 0 strides but 2 axes
tile.kernel @k(%x: !X, %y: !tile.tensor<[M, N] x f32, out, strides []>) grid [M] {}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
// CHECK: :[[@LINE+1]]:41: error: stride is at least 0, got -1
tile.kernel @k(%x: !X, %y: !tile.tensor<[M, N] x f32, out, strides [-1, 1]>) grid [M] {}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
// CHECK: :[[@LINE+1]]:41: error: align is a power of two, got 3
tile.kernel @k(%x: !X, %y: !tile.tensor<[M, N] x f32, out, align = 3>) grid [M] {}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
// CHECK: :[[@LINE+1]]:69: error: expected '>'
tile.kernel @k(%x: !X, %y: !tile.tensor<[M, N] x f32, out, align = 4, strides [N, 1]>) grid [M] {}

// -----
// CHECK: :[[@LINE+1]]:21: error: tile has 1 axis but the tensor has 2
!A = !tile.partition<[16], [M, N] x f32, out>

// -----
// CHECK: :[[@LINE+1]]:21: error: tile dims are powers of two or _, got 24
!A = !tile.partition<[16, 24], [M, N] x f32, out>

// -----
// CHECK: :[[@LINE+1]]:27: error: expected a power of two or _
!A = !tile.partition<[16, x], [M, N] x f32, out>

// -----
// CHECK: :[[@LINE+1]]:21: error: tile dims are powers of two or _, got -16
!A = !tile.partition<[16, -16], [M, N] x f32, out>

// -----
// CHECK: :[[@LINE+1]]:21: error: tile has more than 1048576 elements
!A = !tile.partition<[2048, 1024], [M, N] x f32, out>

// -----
// CHECK: :[[@LINE+1]]:17: error: a piece has mode own, out or raw, got shared
!A = !tile.piece<[16] x f32, shared>

// -----
// CHECK: :[[@LINE+1]]:6: error: '!tile.view' is neither an alias nor one of !tile.tensor, !tile.partition, !tile.piece
!A = !tile.view<[16] x f32, shared>

// -----

//===-- Givens -------------------------------------------------------------===//

!I = !tile.tensor<[N] x i32, shared>
// CHECK: :[[@LINE+1]]:40: error: expected within, sorted, splits or distinct
tile.kernel @k(%i: !I) grid [N] given [between(%i, 0, 3)] {}

// -----
!I = !tile.tensor<[N] x i32, shared>
// CHECK: :[[@LINE+1]]:47: error: %j is no argument
tile.kernel @k(%i: !I) grid [N] given [sorted(%j)] {}

// -----
!I = !tile.tensor<[N] x i32, shared>
// CHECK: :[[@LINE+1]]:52: error: expected ','
tile.kernel @k(%i: !I) grid [N] given [within(%i, 3)] {}

// -----
!I = !tile.tensor<[N] x i32, shared>
// CHECK: :[[@LINE+1]]:1: error: symbol V is not bound: it is no extent of an argument and not in symbols [...]
tile.kernel @k(%i: !I) grid [N] given [splits(%i, V)] {}

// -----
!I = !tile.tensor<[N] x i32, own>
// CHECK: :[[@LINE+1]]:1: error: sorted(%i) needs a shared tensor of i8, i16, i32 or i64, got '!tile.tensor<[N] x i32, own>'
tile.kernel @k(%i: !I) grid [N] given [sorted(%i)] {}

// -----
!I = !tile.tensor<[N] x f32, shared>
// CHECK: :[[@LINE+1]]:1: error: distinct(%i) assumed needs a shared tensor of i8, i16, i32 or i64, got '!tile.tensor<[N] x f32, shared>'
tile.kernel @k(%i: !I) grid [N] given [distinct(%i) assumed] {}

// -----
!I = !tile.tensor<[N, 2] x i32, shared>
// CHECK: :[[@LINE+1]]:1: error: sorted(%i) needs one axis, got 2 axes
tile.kernel @k(%i: !I) grid [N] given [sorted(%i)] {}

// -----
!I = !tile.tensor<[N] x i32, shared>
// CHECK: :[[@LINE+1]]:33: error: 'distinct' has no place in a kernel file
tile.kernel @k(%i: !I) grid [N, distinct[0]<N>] {}

// -----
//===-- The header of a kernel ---------------------------------------------===//

!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
// CHECK: :[[@LINE+1]]:32: error: expected 'grid'
tile.kernel @k(%x: !X, %y: !Y) {}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
// CHECK: :[[@LINE+1]]:24: error: the name of an argument is a letter, then letters, digits and underscores, got 0
tile.kernel @k(%x: !X, %0: !Y) grid [M] {}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
// CHECK: :[[@LINE+1]]:24: error: argument n has type 'i32', but integers come as launch symbols: declare it in symbols [...]
tile.kernel @k(%x: !X, %n: i32) grid [M] {}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
// CHECK: :[[@LINE+1]]:24: error: argument v has type 'vector<4xf32>', but arguments are !tile.tensor, f16, bf16, f32 or f64
tile.kernel @k(%x: !X, %v: vector<4xf32>) grid [M] {}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
// CHECK: :[[@LINE+3]]:1: error: symbol Q is not bound: it is no extent of an argument and not in symbols [...]
// CHECK-NEXT:{{^}}tile.kernel @k(%x: !X) grid [Q] {}
// CHECK-NEXT:{{^}}^~~~~~~~~~~{{$}}
tile.kernel @k(%x: !X) grid [Q] {}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
// CHECK: :[[@LINE+3]]:1: error: symbol Q is not bound: it is no extent of an argument and not in symbols [...]
// CHECK-NEXT:{{^}}tile.kernel @k(%x: !X) grid [M] requires [M + ceildiv(Q, 2) >= 1] {}
// CHECK-NEXT:{{^}}^~~~~~~~~~~{{$}}
tile.kernel @k(%x: !X) grid [M] requires [M + ceildiv(Q, 2) >= 1] {}

// -----
// CHECK: :[[@LINE+1]]:16: error: symbol ld is not bound: it is no extent of an argument and not in symbols [...]
tile.kernel @k(%x: !tile.tensor<[M, N] x f32, out, strides [ld, 1]>) grid [M] {}

// -----
// CHECK: :[[@LINE+1]]:16: error: stride ld has type 'i64', but strides are index
tile.kernel @k(%x: !tile.tensor<[M, N] x f32, out, strides [ld, 1]>) symbols [ld : i64] grid [M] {}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
// CHECK: :[[@LINE+3]]:1: error: symbol M is declared as 'i32' but is already an extent of %x, of type index
// CHECK-NEXT:{{^}}tile.kernel @k(%x: !X) symbols [M : i32] grid [M] {}
// CHECK-NEXT:{{^}}^~~~~~~~~~~{{$}}
tile.kernel @k(%x: !X) symbols [M : i32] grid [M] {}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
// CHECK: :[[@LINE+3]]:1: error: symbol P is declared twice
// CHECK-NEXT:{{^}}tile.kernel @k(%x: !X) symbols [P : i32, P : index] grid [M] {}
// CHECK-NEXT:{{^}}^~~~~~~~~~~{{$}}
tile.kernel @k(%x: !X) symbols [P : i32, P : index] grid [M] {}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
// CHECK: :[[@LINE+1]]:33: error: launch symbol P has type 'f32', but symbols are index, i8, i16, i32 or i64
tile.kernel @k(%x: !X) symbols [P : f32] grid [M] {}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
// CHECK: :[[@LINE+1]]:33: error: 'min' cannot name a launch symbol
tile.kernel @k(%x: !X) symbols [min : i32] grid [M] {}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
// CHECK: :[[@LINE+1]]:30: error: floor is no function of the contract, which has div, mod, ceildiv, min and max
tile.kernel @k(%x: !X) grid [floor(M, 2)] {}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
// CHECK: :[[@LINE+1]]:32: error: mod is a function: write mod(a, b)
tile.kernel @k(%x: !X) grid [M mod 4] {}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
// CHECK: :[[@LINE+1]]:31: error: expected integer value
tile.kernel @k(%x: !X) grid [-M] {}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
// CHECK: :[[@LINE+1]]:33: error: expected a constant, a symbol, div, mod, ceildiv, min, max or a parenthesis in a contract expression
tile.kernel @k(%x: !X) grid [M, ] {}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
// CHECK: :[[@LINE+1]]:45: error: expected ==, <, <=, > or >=
tile.kernel @k(%x: !X) grid [M] requires [M = 1] {}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
// CHECK: :[[@LINE+1]]:44: error: expected ==, <, <=, > or >=
tile.kernel @k(%x: !X) grid [M] requires [M] {}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
// CHECK: :[[@LINE+1]]:30: error: integer value too large
tile.kernel @k(%x: !X) grid [9223372036854775808] {}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
// CHECK: :[[@LINE+1]]:56: error: hint a is given twice
tile.kernel @k(%x: !X) grid [M] hints {sm_90 = {a = 1, a = 2}} {}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
// CHECK: :[[@LINE+1]]:53: error: expected integer value
tile.kernel @k(%x: !X) grid [M] hints {sm_90 = {a = f32}} {}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
// CHECK: :[[@LINE+1]]:52: error: hints are given for each target, as in hints {sm_90 = {occupancy = 1}}
tile.kernel @k(%x: !X) grid [M] hints {occupancy = 1} {}

// -----
tile.kernel @one() grid [] {
}
// CHECK: :[[@LINE+3]]:1: error: second kernel @two in a file, after @one
// CHECK-NEXT:{{^}}tile.kernel @two() grid [] {
// CHECK-NEXT:{{^}}^~~~~~~~~~~{{$}}
tile.kernel @two() grid [] {
}

// -----
// CHECK: :[[@LINE+3]]:1: error: the name of a kernel is a letter, then letters, digits and underscores, got one.two
// CHECK-NEXT:{{^}}tile.kernel @one.two() grid [] {
// CHECK-NEXT:{{^}}^~~~~~~~~~~{{$}}
tile.kernel @one.two() grid [] {
}

// -----
// CHECK: :[[@LINE]]:1: error: no tile.kernel in the file
!A = vector<4xf32>

// -----
// CHECK: :[[@LINE+3]]:1: error: the module of a kernel has neither name nor attributes
// CHECK-NEXT:{{^}}module @named {
// CHECK-NEXT:{{^}}^~~~~~{{$}}
module @named {
  tile.kernel @k() grid [] {
  }
}

// -----
// CHECK: :[[@LINE+3]]:1: error: a kernel file holds one tile.kernel, its helpers and maps, got tile.block_id
// CHECK-NEXT:{{^}}tile.block_id 0
// CHECK-NEXT:{{^}}^~~~~~~~~~~~~{{$}}
tile.block_id 0

// -----

//===-- Launch: symbols, block ids, tiles ----------------------------------===//

!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
// CHECK: :[[@LINE+3]]:8: error: symbol Q is not bound: it is no extent of an argument and not in symbols [...]
// CHECK-NEXT:{{^}}  %n = tile.symbol "Q" : index
// CHECK-NEXT:{{^}}       ^~~~~~~~~~~{{$}}
  %n = tile.symbol "Q" : index
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
// CHECK: :[[@LINE+3]]:8: error: symbol M has type 'index', got 'i32'
// CHECK-NEXT:{{^}}  %n = tile.symbol "M" : i32
// CHECK-NEXT:{{^}}       ^~~~~~~~~~~{{$}}
  %n = tile.symbol "M" : i32
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
// CHECK: :[[@LINE+3]]:8: error: 'tile.symbol' op result #0 must be index or signless integer, but got 'f32'
// CHECK-NEXT:{{^}}  %n = tile.symbol "M" : f32
// CHECK-NEXT:{{^}}       ^~~~~~~~~~~{{$}}
  %n = tile.symbol "M" : f32
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
// CHECK: :[[@LINE+3]]:8: error: axis 2 of a grid of 2 dimensions
// CHECK-NEXT:{{^}}  %n = tile.block_id 2
// CHECK-NEXT:{{^}}       ^~~~~~~~~~~~~{{$}}
  %n = tile.block_id 2
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
// CHECK: :[[@LINE+3]]:8: error: axis -1 of a grid of 2 dimensions
// CHECK-NEXT:{{^}}  %n = tile.grid_dim -1
// CHECK-NEXT:{{^}}       ^~~~~~~~~~~~~{{$}}
  %n = tile.grid_dim -1
}

// -----
tile.kernel @k() grid [] {
// CHECK: :[[@LINE+3]]:8: error: axis 0 of a grid of 0 dimensions
// CHECK-NEXT:{{^}}  %n = tile.block_id 0
// CHECK-NEXT:{{^}}       ^~~~~~~~~~~~~{{$}}
  %n = tile.block_id 0
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!PX = !tile.partition<[16, 32], [M, N] x f32, shared>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
  %px = tile.partition %x by [16, 32] : !X
// CHECK: :[[@LINE+3]]:8: error: axis 2 of a partition of 2 axes
// CHECK-NEXT:{{^}}  %n = tile.num_tiles %px, 2 : !PX
// CHECK-NEXT:{{^}}       ^~~~~~~~~~~~~~{{$}}
  %n = tile.num_tiles %px, 2 : !PX
}

// -----

//===-- Memory -------------------------------------------------------------===//

!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
// CHECK: :[[@LINE+1]]:8: error: tile has 1 axis but the tensor has 2
  %q = tile.partition %x by [16] : !X
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
// CHECK: :[[@LINE+1]]:8: error: tile dims are powers of two or _, got 24
  %q = tile.partition %x by [16, 24] : !X
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
// CHECK: :[[@LINE+1]]:34: error: tile dims are powers of two or _, got 0
  %q = tile.partition %x by [16, 0] : !X
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
// CHECK: :[[@LINE+1]]:8: error: tile has more than 1048576 elements
  %q = tile.partition %x by [4096, 4096] : !X
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!PX = !tile.partition<[16, 32], [M, N] x f32, shared>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
  %px = tile.partition %x by [16, 32] : !X
// CHECK: :[[@LINE+1]]:8: error: only a tensor can be partitioned
  %q = tile.partition %px by [16, 32] : !PX
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!PX = !tile.partition<[16, 32], [M, N] x f32, shared>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %px = tile.partition %x by [16, 32] : !X
// CHECK: :[[@LINE+3]]:19: error: claims need mode own, out or raw, got shared
// CHECK-NEXT:{{^}}  %q = tile.claim %px[%i, %j] : !PX
// CHECK-NEXT:{{^}}                  ^~~{{$}}
  %q = tile.claim %px[%i, %j] : !PX
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!PY = !tile.partition<[16, 32], [M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
  %i = tile.block_id 0
  %py = tile.partition %y by [16, 32] : !Y
// CHECK: :[[@LINE+3]]:19: error: claim has 1 index but the partition has 2 axes
// CHECK-NEXT:{{^}}  %q = tile.claim %py[%i] : !PY
// CHECK-NEXT:{{^}}                  ^~~{{$}}
  %q = tile.claim %py[%i] : !PY
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
  %i = tile.block_id 0
  %j = tile.block_id 1
// CHECK: :[[@LINE+3]]:19: error: only a tile of a partition can be claimed
// CHECK-NEXT:{{^}}  %q = tile.claim %y[%i, %j] : !Y
// CHECK-NEXT:{{^}}                  ^~{{$}}
  %q = tile.claim %y[%i, %j] : !Y
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!PY = !tile.partition<[16, 32], [M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
  %i = tile.block_id 0
  %px = tile.partition %x by [16, 32] : !X
  %py = tile.partition %y by [16, 32] : !Y
// CHECK: :[[@LINE+1]]:27: error: use of value '%px' expects different type than prior uses: 'index' vs '!tile.partition<[16, 32], [M, N] x f32, shared>'
  %q = tile.claim %py[%i, %px] : !PY
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!PY = !tile.partition<[16, 32], [M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %py = tile.partition %y by [16, 32] : !Y
// CHECK: :[[@LINE+3]]:18: error: loads from a partition need mode shared or raw, got out: claim the tile and load the piece
// CHECK-NEXT:{{^}}  %q = tile.load %py[%i, %j] : !PY
// CHECK-NEXT:{{^}}                 ^~~{{$}}
  %q = tile.load %py[%i, %j] : !PY
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!PX = !tile.partition<[16, 32], [M, N] x f32, shared>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %px = tile.partition %x by [16, 32] : !X
// CHECK: :[[@LINE+3]]:18: error: load has 3 indices but the partition has 2 axes
// CHECK-NEXT:{{^}}  %q = tile.load %px[%i, %j, %j] : !PX
// CHECK-NEXT:{{^}}                 ^~~{{$}}
  %q = tile.load %px[%i, %j, %j] : !PX
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!PX = !tile.partition<[16, 32], [M, N] x f32, shared>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
  %px = tile.partition %x by [16, 32] : !X
// CHECK: :[[@LINE+3]]:18: error: load has 0 indices but the partition has 2 axes
// CHECK-NEXT:{{^}}  %q = tile.load %px : !PX
// CHECK-NEXT:{{^}}                 ^~~{{$}}
  %q = tile.load %px : !PX
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!PY = !tile.partition<[16, 32], [M, N] x f32, out>
!P = !tile.piece<[16, 32] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %py = tile.partition %y by [16, 32] : !Y
  %out = tile.claim %py[%i, %j] : !PY
// CHECK: :[[@LINE+3]]:23: error: a load from a piece has no index, got 1
// CHECK-NEXT:{{^}}  %q = tile.load %out[%i] : !P
// CHECK-NEXT:{{^}}                      ^~{{$}}
  %q = tile.load %out[%i] : !P
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
// CHECK: :[[@LINE+3]]:18: error: only a tile of a partition or a piece can be loaded, got '!tile.tensor<[M, N] x f32, shared>'
// CHECK-NEXT:{{^}}  %q = tile.load %x : !X
// CHECK-NEXT:{{^}}                 ^~{{$}}
  %q = tile.load %x : !X
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!PX = !tile.partition<[16, 32], [M, N] x f32, shared>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %px = tile.partition %x by [16, 32] : !X
// CHECK: :[[@LINE+1]]:34: error: padding is a number or one of zero, neg_zero, neg_inf, pos_inf, nan, got one
  %q = tile.load %px[%i, %j] pad(one) : !PX
}

// -----
!I = !tile.tensor<[M] x i32, shared>
!PI = !tile.partition<[8], [M] x i32, shared>
tile.kernel @k(%x: !I) grid [M] {
  %i = tile.block_id 0
  %p = tile.partition %x by [8] : !I
// CHECK: :[[@LINE+3]]:18: error: padding of 'i32' elements is zero or a number, got neg_inf
// CHECK-NEXT:{{^}}  %q = tile.load %p[%i] pad(neg_inf) : !PI
// CHECK-NEXT:{{^}}                 ^~{{$}}
  %q = tile.load %p[%i] pad(neg_inf) : !PI
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!PY = !tile.partition<[16, 32], [M, N] x f32, out>
!P = !tile.piece<[16, 32] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %py = tile.partition %y by [16, 32] : !Y
  %out = tile.claim %py[%i, %j] : !PY
  %w = arith.constant dense<0.0> : vector<16xf32>
// CHECK: :[[@LINE+1]]:14: error: use of value '%w' expects different type than prior uses: 'vector<16x32xf32>' vs 'vector<16xf32>'
  tile.store %w, %out : !P
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!PX = !tile.partition<[16, 32], [M, N] x f32, shared>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %px = tile.partition %x by [16, 32] : !X
  %v = tile.load %px[%i, %j] pad(zero) : !PX
// CHECK: :[[@LINE+1]]:3: error: 'piece' must be the capability to one tile of a tensor, but got '!tile.partition<[16, 32], [M, N] x f32, shared>'
  tile.store %v, %px : !PX
}

// -----
tile.kernel @k() grid [1] {
// CHECK: :[[@LINE+3]]:8: error: axis 1 of a vector of 1 axis
// CHECK-NEXT:{{^}}  %l = tile.iota 1 : vector<8xi32>
// CHECK-NEXT:{{^}}       ^~~~~~~~~{{$}}
  %l = tile.iota 1 : vector<8xi32>
}

// -----
tile.kernel @k() grid [1] {
// CHECK: :[[@LINE+3]]:8: error: axis -1 of a vector of 2 axes
// CHECK-NEXT:{{^}}  %l = tile.iota -1 : vector<8x4xi32>
// CHECK-NEXT:{{^}}       ^~~~~~~~~{{$}}
  %l = tile.iota -1 : vector<8x4xi32>
}

// -----
tile.kernel @k() grid [1] {
// CHECK: :[[@LINE+3]]:8: error: iota counts lanes in index or in i8, i16, i32, i64, got 'f32'
// CHECK-NEXT:{{^}}  %l = tile.iota 0 : vector<8xf32>
// CHECK-NEXT:{{^}}       ^~~~~~~~~{{$}}
  %l = tile.iota 0 : vector<8xf32>
}

// -----
// Integers of 4 bits are not counted: spec/tile.md lists i8, i16, i32, i64 and
// index for iota, and nothing else computes with i4.
// CHECK: :[[@LINE+4]]:8: error: iota counts lanes in index or in i8, i16, i32, i64, got 'i4'
// CHECK-NEXT:{{^}}  %l = tile.iota 0 : vector<16xi4>
// CHECK-NEXT:{{^}}       ^~~~~~~~~{{$}}
tile.kernel @k() grid [1] {
  %l = tile.iota 0 : vector<16xi4>
}
