// What is refused about helpers and maps, and what is said about it.
// RUN: not tile-opt --split --verify-only %s 2>&1 | FileCheck %s --strict-whitespace

// CHECK: :[[@LINE+1]]:1: error: @f calls itself, by some way
func.func private @f(%x: index) -> index {
  %r = func.call @g(%x) : (index) -> index
  func.return %r : index
}
func.func private @g(%x: index) -> index {
  %r = func.call @f(%x) : (index) -> index
  func.return %r : index
}
tile.kernel @k() grid [1] {}

// -----
// CHECK: :[[@LINE+1]]:1: error: helper @f has a body of one block
func.func private @f(index) -> index
tile.kernel @k() grid [1] {}

// -----
func.func private @f() -> index {
  // CHECK: :[[@LINE+1]]:8: error: tile.block_id has no place in @f: helpers and maps are pure functions
  %i = tile.block_id 0
  func.return %i : index
}
tile.kernel @k() grid [1] {}

// -----
func.func private @f() -> index {
  // CHECK: :[[@LINE+1]]:8: error: symbol N is no parameter of @f, of type index
  %i = tile.symbol "N" : index
  func.return %i : index
}
tile.kernel @k() symbols [N : index] grid [1] {}

// -----
// CHECK: :[[@LINE+1]]:22: error: type !tile.tensor<[4] x f32, own> is not in the language
func.func private @f(%x: !tile.tensor<[4] x f32, own>) {
  func.return
}
tile.kernel @k() grid [1] {}

// -----
tile.kernel @k() grid [1] {
  %i = tile.block_id 0
  // CHECK: :[[@LINE+1]]:8: error: 'f' does not reference a valid function
  %r = func.call @f(%i) : (index) -> index
}

// -----
tile.kernel @k() grid [1] {
  %i = tile.block_id 0
  // CHECK: :[[@LINE+1]]:8: error: there is no map @m in the file
  %r = tile.apply @m(%i) : index
}

// -----
tile.map @m(%p) [n] -> (index) from [n] { tile.yield %p }
tile.kernel @k() grid [1] {
  %i = tile.block_id 0
  // CHECK: :[[@LINE+1]]:8: error: map @m has 1 parameter, got 0
  %r = tile.apply @m(%i) : index
}

// -----
tile.map @m(%p) [n] -> (index) from [n] { tile.yield %p }
tile.kernel @k() grid [1] {
  %i = tile.block_id 0
  // CHECK: :[[@LINE+1]]:8: error: map @m takes 1 index, got 2
  %r = tile.apply @m(%i, %i) [%i] : index
}

// -----
tile.map @m(%p) [n] -> (index) from [n] { tile.yield %p }
tile.kernel @k() grid [1] {
  %i = tile.block_id 0
  // CHECK: :[[@LINE+1]]:12: error: map @m gives 1 index, got 2
  %r, %q = tile.apply @m(%i) [%i] : index, index
}

// -----
tile.map @m(%p) [n] -> (index) from [n] { tile.yield %p }
tile.kernel @k() grid [1] {
  %i = tile.block_id 0
  // CHECK: :[[@LINE+1]]:27: error: parameter n of map @m depends on the block: parameters are the same in every block of a launch
  %r = tile.apply @m(%i) [%i] : index
}

// -----
// CHECK: :[[@LINE+1]]:1: error: a map that is injective shows it by its inverse: add inverse (...) {...}
tile.map @m(%p) [n] -> (index) from [n] injective { tile.yield %p }
tile.kernel @k() grid [1] {}

// -----
// CHECK: :[[@LINE+1]]:1: error: a map that is bijective says onto what: add into [...]
tile.map @m(%p) [n] -> (index) from [n] bijective { tile.yield %p } inverse (%p) { tile.yield %p }
tile.kernel @k() grid [1] {}

// -----
// CHECK: :[[@LINE+1]]:1: error: from has 2 extents but @m takes 1 index
tile.map @m(%p) [n] -> (index) from [n, n] { tile.yield %p }
tile.kernel @k() grid [1] {}

// -----
// CHECK: :[[@LINE+1]]:1: error: into has 2 extents but @m gives 1 index
tile.map @m(%p) [n] -> (index) from [n] into [n, n] { tile.yield %p }
tile.kernel @k() grid [1] {}

// -----
// CHECK: :[[@LINE+1]]:1: error: k is no parameter of @m
tile.map @m(%p) [n] -> (index) from [k] { tile.yield %p }
tile.kernel @k() grid [1] {}

// -----
// CHECK: :[[@LINE+1]]:43: error: the body of @m yields 1 index, got 2
tile.map @m(%p) [n] -> (index) from [n] { tile.yield %p, %p }
tile.kernel @k() grid [1] {}

// -----
// CHECK: :[[@LINE+1]]:1: error: the inverse of @m takes 1 index, got 2 arguments
tile.map @m(%p) [n] -> (index) from [n] { tile.yield %p } inverse (%q, %r) { tile.yield %q }
tile.kernel @k() grid [1] {}

// -----
// CHECK: :[[@LINE+1]]:1: error: 'i32' cannot name a parameter, or is used twice
tile.map @m(%p) [i32] -> (index) from [4] { tile.yield %p }
tile.kernel @k() grid [1] {}

// -----
tile.kernel @k() grid [1] {
  %t = arith.constant true
  // CHECK: :[[@LINE+1]]:14: error: expected a condition, got twice
  tile.prove twice %t : i1
}

// -----
tile.kernel @k() grid [1] {
  %t = arith.constant true
  // CHECK: :[[@LINE+1]]:18: error: a text ends on its line with a quote, and has no backslashes
  tile.prove %t, "a\n" : i1
}

// -----
tile.kernel @k() grid [1] {
  %t = arith.constant true
  // CHECK: :[[@LINE+1]]:23: error: quotes have no place in a kernel file but for tile.symbol "NAME" and the texts of tile.print, tile.prove, tile.trust and tile.invariant
  tile.prove %t, "a", "b" : i1
}

// -----
!C = !tile.tensor<[N] x f32, out>
// CHECK: :[[@LINE+1]]:1: error: covers %d: not an out tensor that is to be written whole
tile.kernel @k(%c: !C) grid [N] covers [%d[i] by block (i)] {}

// -----
!C = !tile.tensor<[N] x f32, out>
// CHECK: :[[@LINE+1]]:1: error: covers %c: 2 indices of a tensor of 1 axis
tile.kernel @k(%c: !C) grid [N] covers [%c[i, j] by block (i)] {}

// -----
!C = !tile.tensor<[N] x f32, out>
// CHECK: :[[@LINE+1]]:1: error: covers %c: 2 block ids in a grid of 1 dimension
tile.kernel @k(%c: !C) grid [N] covers [%c[i] by block (i, 0)] {}

// -----
!C = !tile.tensor<[N] x f32, out>
// CHECK: :[[@LINE+1]]:1: error: covers %c: 'N' cannot name an index, or names something else
tile.kernel @k(%c: !C) grid [N] covers [%c[N] by block (N)] {}

// -----
!C = !tile.tensor<[N] x f32, out>
// CHECK: :[[@LINE+1]]:44: error: 'x' cannot name an index
tile.kernel @k(%c: !C) grid [N] covers [%c[x] by block (x)] {}

// -----
!C = !tile.tensor<[N] x f32, out>
// CHECK: :[[@LINE+1]]:1: error: covers %c: k is neither an index nor a launch symbol
tile.kernel @k(%c: !C) grid [N] covers [%c[i] by block (i) trips (k)] {}

// -----
!C = !tile.tensor<[N] x f32, out>
// CHECK: :[[@LINE+1]]:1: error: covers %c: given twice
tile.kernel @k(%c: !C) grid [N] covers [%c[i] by block (i), %c[j] by block (j)] {}

// -----
!C = !tile.tensor<[N] x f32, out>
// CHECK: :[[@LINE+1]]:1: error: covers %c: 0 trips, but no store writes it
tile.kernel @k(%c: !C) grid [N] covers [%c[i] by block (i)] {}

// -----
// The clause speaks of no store: said here, for a proof would pass it over.
!C = !tile.tensor<[N] x f32, out>
!PC = !tile.partition<[_], [N] x f32, out>
!P = !tile.piece<[_] x f32, out>
// CHECK: :[[@LINE+1]]:1: error: covers %c: 2 trips, but around stores to it there are 0 loops or 1 loop
tile.kernel @k(%c: !C) grid [N] covers [%c[i] by block (i) trips (0, 0)] {
  %v = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = tile.block_id 0
  %pc = tile.partition %c by [_] : !C
  %out = tile.claim %pc[%i] : !PC
  tile.store %v, %out : !P
  scf.for %k = %c0 to %c1 step %c1 {
    tile.store %v, %out : !P
  }
}

// -----
// Helpers that call helpers are more than one can write down.
func.func private @a(%x: index) -> index {
  %y = arith.addi %x, %x : index
  func.return %y : index
}
func.func private @b(%x: index) -> index {
  %0 = func.call @a(%x) : (index) -> index
  %1 = func.call @a(%0) : (index) -> index
  %2 = func.call @a(%1) : (index) -> index
  %3 = func.call @a(%2) : (index) -> index
  func.return %3 : index
}
func.func private @c(%x: index) -> index {
  %0 = func.call @b(%x) : (index) -> index
  %1 = func.call @b(%0) : (index) -> index
  %2 = func.call @b(%1) : (index) -> index
  %3 = func.call @b(%2) : (index) -> index
  func.return %3 : index
}
func.func private @d(%x: index) -> index {
  %0 = func.call @c(%x) : (index) -> index
  %1 = func.call @c(%0) : (index) -> index
  %2 = func.call @c(%1) : (index) -> index
  %3 = func.call @c(%2) : (index) -> index
  func.return %3 : index
}
func.func private @e(%x: index) -> index {
  %0 = func.call @d(%x) : (index) -> index
  %1 = func.call @d(%0) : (index) -> index
  %2 = func.call @d(%1) : (index) -> index
  %3 = func.call @d(%2) : (index) -> index
  func.return %3 : index
}
func.func private @f(%x: index) -> index {
  %0 = func.call @e(%x) : (index) -> index
  %1 = func.call @e(%0) : (index) -> index
  %2 = func.call @e(%1) : (index) -> index
  %3 = func.call @e(%2) : (index) -> index
  func.return %3 : index
}
func.func private @g(%x: index) -> index {
  %0 = func.call @f(%x) : (index) -> index
  %1 = func.call @f(%0) : (index) -> index
  %2 = func.call @f(%1) : (index) -> index
  %3 = func.call @f(%2) : (index) -> index
  func.return %3 : index
}
func.func private @h(%x: index) -> index {
  %0 = func.call @g(%x) : (index) -> index
  %1 = func.call @g(%0) : (index) -> index
  %2 = func.call @g(%1) : (index) -> index
  %3 = func.call @g(%2) : (index) -> index
  func.return %3 : index
}
func.func private @i(%x: index) -> index {
  %0 = func.call @h(%x) : (index) -> index
  %1 = func.call @h(%0) : (index) -> index
  %2 = func.call @h(%1) : (index) -> index
  %3 = func.call @h(%2) : (index) -> index
  func.return %3 : index
}
tile.kernel @k() grid [1] {
  %i = tile.block_id 0
  // CHECK: :[[@LINE-48]]:8: error: with its helpers and maps in place a kernel has at most 65536 ops
  %r = func.call @i(%i) : (index) -> index
  %q = func.call @i(%r) : (index) -> index
}

// -----
!X = !tile.tensor<[N] x f32, shared>
tile.kernel @k(%x: !X) grid [N] {
// CHECK: :[[@LINE+1]]:19: error: print takes numbers and vectors of them, got '!tile.tensor<[N] x f32, shared>'
  tile.print "x", %x : !X
}

// -----
tile.kernel @k() grid [1] {
  %s = arith.constant dense<1.0> : vector<4xf8E5M2>
// CHECK: :[[@LINE+1]]:23: error: print takes no 'f8E5M2': extend it, with arith.extf
  tile.print "small", %s : vector<4xf8E5M2>
}

// -----
tile.kernel @k() grid [1] {
// CHECK: :[[@LINE+1]]:14: error: a text ends on its line with a quote, and has no backslashes
  tile.print "a\n"
}

// -----
func.func @f(%i: index) -> index {
// CHECK: :[[@LINE+1]]:3: error: tile.print has no place in @f: helpers and maps are pure functions
  tile.print "i", %i : index
  func.return %i : index
}
tile.kernel @k() grid [1] {
}
