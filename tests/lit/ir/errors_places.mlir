// What is refused of places in another source.
// RUN: not tile-opt --split --verify-only %s 2>&1 | FileCheck %s --strict-whitespace

// CHECK: :[[@LINE+1]]:24: error: a location stands behind an op, not behind an argument
tile.kernel @k(%x: f32 loc("k.cpp":1:1)) grid [] {
}

// -----
tile.kernel @k() grid [] {
// CHECK: :[[@LINE+1]]:46: error: an op has one location
  %c = arith.constant 0 : index loc(unknown) loc(unknown)
}

// -----
tile.kernel @k() grid [] {
// CHECK: :[[@LINE+1]]:37: error: operation location alias was never defined
  %c = arith.constant 0 : index loc(#loc)
}

// -----
tile.kernel @k() grid [] {
// CHECK: :[[@LINE+1]]:43: error: a fused location is of no aliases
  %c = arith.constant 0 : index loc(fused[#loc])
}

// -----
tile.kernel @k() grid [] {
// CHECK: :[[@LINE+1]]:42: error: a location reads loc("file":line:column)
  %c = arith.constant 0 : index loc(fused<"tag">["k.cpp":1:1])
}

// -----
tile.kernel @k() grid [] {
// CHECK: :[[@LINE+1]]:46: error: a location reads loc("file":line:column)
  %c = arith.constant 0 : index loc("k.cpp":1)
}

// -----
tile.kernel @k() grid [] {
// CHECK: :[[@LINE+1]]:45: error: lines and columns are at most 2147483647
  %c = arith.constant 0 : index loc("k.cpp":2147483648:1)
}

// -----
tile.kernel @k() grid [] {
// CHECK: :[[@LINE+1]]:37: error: the name of a file in a location is UTF-8 without control characters
  %c = arith.constant 0 : index loc("\1B[2J.cpp":1:1)
}

// -----
tile.kernel @k() grid [] {
// CHECK: :[[@LINE+1]]:37: error: the name of a file in a location is UTF-8 without control characters
  %c = arith.constant 0 : index loc("\FF.cpp":1:1)
}

// -----
tile.kernel @k() grid [] {
// CHECK: :[[@LINE+1]]:37: error: the name of a file in a location has 1 to 4096 bytes
  %c = arith.constant 0 : index loc("":1:1)
}

// -----
tile.kernel @k() grid [] {
// CHECK: :[[@LINE+1]]:40: error: an escape in the name of a file is \", \\ or two hexadecimal digits
  %c = arith.constant 0 : index loc("k.\cpp":1:1)
}

// -----
tile.kernel @k() grid [] {
// CHECK: :[[@LINE+1]]:44: error: the name of a file in a location ends on its line with a quote; other bytes than those of ASCII are escaped, \C3
  %c = arith.constant 0 : index loc("k.cpp:
}

// -----
tile.kernel @k() grid [] {
// CHECK: :[[@LINE+1]]:190: error: locations are nested more than 16 deep
  %c = arith.constant 0 : index loc(callsite(callsite(callsite(callsite(callsite(callsite(callsite(callsite(callsite(callsite(callsite(callsite(callsite(callsite(callsite(callsite(callsite(callsite(
}

// -----
// CHECK: :[[@LINE+1]]:1: error: '#' has no place in a kernel file but for %name#0 and for #loc = loc(...)
#map = affine_map<(d0) -> (d0)>

// -----
// Ops of one place are told apart, and what was not written has none.
!X = !tile.tensor<[M] x f32, shared>
!P = !tile.partition<[_], [M] x f32, shared>
tile.kernel @k(%x: !X) grid [M] {
  %i = tile.block_id 0 loc("k.cpp":5:3)
  %p = tile.partition %x by [_] : !X loc("k.cpp":5:3)
// CHECK: {{^}}k.cpp:5:3: error: load has 2 indices but the partition has 1 axis
// CHECK-NEXT: :[[@LINE+1]]:18: note: in the text of the kernel
  %v = tile.load %p[%i, %i] : !P loc("k.cpp":5:3)
  %w = tile.load %p[%i] : !P loc("k.cpp":5:3)
} loc("k.cpp":5:3)

// -----
// What the look at the tokens refuses has a place, too.
tile.kernel @k() grid [] {
// CHECK: {{^}}k.cpp:3:5: error: type i7 is not in the language
// CHECK-NEXT: :[[@LINE+1]]:27: note: in the text of the kernel
  %c = arith.constant 0 : i7 loc("k.cpp":3:5)
}
