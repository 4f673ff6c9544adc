// What an scf.while may not hold, and what is said about it.
// RUN: not tile-opt --split --verify-only %s 2>&1 | FileCheck %s --strict-whitespace

tile.kernel @k() symbols [n : index] grid [1] {
  %n = tile.symbol "n" : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
// CHECK: :[[@LINE+1]]:8: error: an scf.while has a tile.measure before its scf.condition: an index of at least 0 that each trip makes smaller
  %r = scf.while (%a = %n) : (index) -> index {
    %more = arith.cmpi sgt, %a, %c0 : index
    scf.condition(%more) %a : index
  } do {
  ^bb0(%b: index):
    %less = arith.subi %b, %c1 : index
    scf.yield %less : index
  }
}

// -----
tile.kernel @k() symbols [n : index] grid [1] {
  %n = tile.symbol "n" : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.while (%a = %n) : (index) -> index {
// CHECK: :[[@LINE+1]]:5: error: 'tile.measure' op stands in the condition region of an scf.while, last before the scf.condition
    tile.measure %a : index
    %more = arith.cmpi sgt, %a, %c0 : index
    scf.condition(%more) %a : index
  } do {
  ^bb0(%b: index):
    %less = arith.subi %b, %c1 : index
    scf.yield %less : index
  }
}

// -----
tile.kernel @k() symbols [n : index] grid [1] {
  %n = tile.symbol "n" : index
// CHECK: :[[@LINE+1]]:3: error: 'tile.measure' op stands in the condition region of an scf.while, last before the scf.condition
  tile.measure %n : index
}

// -----
tile.kernel @k() symbols [n : index] grid [1] {
  %n = tile.symbol "n" : index
  %same = arith.cmpi eq, %n, %n : index
// CHECK: :[[@LINE+1]]:3: error: 'tile.invariant' op stands in the condition region of an scf.while, or first in the body of an scf.for
  tile.invariant %same, "n is n" : i1
}

// -----
!X = !tile.tensor<[N] x i32, shared>
!PX = !tile.partition<[_], [N] x i32, shared>
tile.kernel @k(%x: !X) grid [1] {
  %n = tile.symbol "N" : index
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : index
  %px = tile.partition %x by [_] : !X
  %r = scf.while (%a = %n) : (index) -> index {
// CHECK: :[[@LINE+1]]:10: error: tile.load has no place in the condition region of an scf.while, which holds pure ops on values, tile.invariant and one tile.measure
    %v = tile.load %px[%a] : !PX
    %more = arith.cmpi sgt, %v, %c0 : i32
    tile.measure %a : index
    scf.condition(%more) %a : index
  } do {
  ^bb0(%b: index):
    %less = arith.subi %b, %c1 : index
    scf.yield %less : index
  }
}

// -----
!X = !tile.tensor<[N] x i32, shared>
tile.kernel @k(%x: !X) grid [1] {
  %n = tile.symbol "N" : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.while (%a = %n) : (index) -> index {
// CHECK: :[[@LINE+1]]:11: error: tile.partition has no place in the condition region of an scf.while, which holds pure ops on values, tile.invariant and one tile.measure
    %px = tile.partition %x by [_] : !X
    %more = arith.cmpi sgt, %a, %c0 : index
    tile.measure %a : index
    scf.condition(%more) %a : index
  } do {
  ^bb0(%b: index):
    %less = arith.subi %b, %c1 : index
    scf.yield %less : index
  }
}

// -----
tile.kernel @k() symbols [n : index] grid [1] {
  %n = tile.symbol "n" : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.while (%a = %n) : (index) -> index {
    %more = arith.cmpi sgt, %a, %c0 : index
// CHECK: :[[@LINE+1]]:10: error: scf.if has no place in the condition region of an scf.while, which holds pure ops on values, tile.invariant and one tile.measure
    %m = scf.if %more -> index {
      scf.yield %a : index
    } else {
      scf.yield %c0 : index
    }
    tile.measure %m : index
    scf.condition(%more) %a : index
  } do {
  ^bb0(%b: index):
    %less = arith.subi %b, %c1 : index
    scf.yield %less : index
  }
}

// -----
tile.map @half(%p) -> (index) from [1024] into [1024] {
  %c2 = arith.constant 2 : index
  %h = arith.divsi %p, %c2 : index
  tile.yield %h
}
tile.kernel @k() symbols [n : index] grid [1] {
  %n = tile.symbol "n" : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.while (%a = %n) : (index) -> index {
// CHECK: :[[@LINE+1]]:10: error: tile.apply has no place in the condition region of an scf.while, which holds pure ops on values, tile.invariant and one tile.measure
    %h = tile.apply @half(%a) : index
    %more = arith.cmpi sgt, %h, %c0 : index
    tile.measure %a : index
    scf.condition(%more) %a : index
  } do {
  ^bb0(%b: index):
    %less = arith.subi %b, %c1 : index
    scf.yield %less : index
  }
}

// -----
!X = !tile.tensor<[N] x i32, shared>
!PX = !tile.partition<[_], [N] x i32, shared>
tile.kernel @k(%x: !X) grid [1] {
  %px = tile.partition %x by [_] : !X
  %c0 = arith.constant 0 : index
  %no = arith.constant false
// CHECK: :[[@LINE+1]]:24: error: tensors, partitions and pieces are used by tile ops only, scf.while got
  %r = scf.while (%p = %px) : (!PX) -> index {
    tile.measure %c0 : index
    scf.condition(%no) %c0 : index
  } do {
  ^bb0(%b: index):
    scf.yield %px : !PX
  }
}

// -----
tile.kernel @k() symbols [n : index] grid [1] {
  %n = tile.symbol "n" : index
  %c0 = arith.constant 0 : index
  %more = arith.cmpi sgt, %n, %c0 : index
  scf.if %more {
// CHECK: :[[@LINE+1]]:3: error: labels of blocks have no place in a kernel file, but for ^bb0 at the begin of the body of an scf.while
  ^bb0(%b: index):
  }
}

// -----
!X = !tile.tensor<[N] x i32, shared>
!PX = !tile.partition<[_], [N] x i32, shared>
tile.kernel @k(%x: !X) grid [1] {
  %n = tile.symbol "N" : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %px = tile.partition %x by [_] : !X
  scf.for %i = %c0 to %n step %c1 {
    %v = tile.load %px[%i] : !PX
    %low = arith.cmpi sge, %i, %c0 : index
// CHECK: :[[@LINE+1]]:5: error: 'tile.invariant' op stands first in the body of an scf.for, but for pure ops on values; tile.load stands before it
    tile.invariant %low : i1
  }
}
