// What values, ops and words are refused, and what is said about them.
// RUN: not tile-opt --split --verify-only %s 2>&1 | FileCheck %s --strict-whitespace

//===-- Values -------------------------------------------------------------===//

!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!PX = !tile.partition<[16, 32], [M, N] x f32, shared>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %px = tile.partition %x by [16, 32] : !X
  %v = tile.load %px[%i, %j] pad(zero) : !PX
// CHECK: :[[@LINE+1]]:8: error: axis 2 of a vector of 2 axes
  %r = tile.reduce max %v, 2 : vector<16x32xf32>
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
// CHECK: :[[@LINE+1]]:20: error: a reduction is one of add, mul, max, min, got avg
  %r = tile.reduce avg %v, 1 : vector<16x32xf32>
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
  %w = arith.constant dense<true> : vector<4xi1>
// CHECK: :[[@LINE+3]]:24: error: a reduction needs numbers, got elements of type 'i1'
// CHECK-NEXT:{{^}}  %r = tile.reduce add %w, 0 : vector<4xi1>
// CHECK-NEXT:{{^}}                       ^~{{$}}
  %r = tile.reduce add %w, 0 : vector<4xi1>
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
  %w = arith.constant dense<0.0> : vector<4xf32>
// CHECK: :[[@LINE+3]]:17: error: mma needs vectors of 2 axes, got 'vector<4xf32>'
// CHECK-NEXT:{{^}}  %r = tile.mma %w, %w, %w : vector<4xf32>, vector<4xf32>, vector<4xf32>
// CHECK-NEXT:{{^}}                ^~{{$}}
  %r = tile.mma %w, %w, %w : vector<4xf32>, vector<4xf32>, vector<4xf32>
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
// CHECK: :[[@LINE+3]]:21: error: lhs has 32 columns but rhs has 16 rows
// CHECK-NEXT:{{^}}  %r = tile.mma %v, %v, %v : vector<16x32xf32>, vector<16x32xf32>, vector<16x32xf32>
// CHECK-NEXT:{{^}}                    ^~{{$}}
  %r = tile.mma %v, %v, %v : vector<16x32xf32>, vector<16x32xf32>, vector<16x32xf32>
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
  %a = arith.constant dense<0.0> : vector<4x8xf32>
  %b = arith.constant dense<0.0> : vector<8x4xf32>
// CHECK: :[[@LINE+3]]:25: error: the accumulator has 4 by 8 elements but the product has 4 by 4
// CHECK-NEXT:{{^}}  %r = tile.mma %a, %b, %a : vector<4x8xf32>, vector<8x4xf32>, vector<4x8xf32>
// CHECK-NEXT:{{^}}                        ^~{{$}}
  %r = tile.mma %a, %b, %a : vector<4x8xf32>, vector<8x4xf32>, vector<4x8xf32>
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
  %a = arith.constant dense<0.0> : vector<4x4xf32>
  %b = arith.constant dense<0.0> : vector<4x4xbf16>
// CHECK: :[[@LINE+3]]:17: error: fast is said of products of f8 or f32, got 'bf16'
// CHECK-NEXT:{{^}}  %r = tile.mma %b, %b, %a fast : vector<4x4xbf16>, vector<4x4xbf16>, vector<4x4xf32>
// CHECK-NEXT:{{^}}                ^~{{$}}
  %r = tile.mma %b, %b, %a fast : vector<4x4xbf16>, vector<4x4xbf16>, vector<4x4xf32>
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
  %a = arith.constant dense<0.0> : vector<4x4xf32>
  %b = arith.constant dense<0.0> : vector<4x4xbf16>
// CHECK: :[[@LINE+3]]:21: error: lhs has elements of type 'f32' but rhs of type 'bf16'
// CHECK-NEXT:{{^}}  %r = tile.mma %a, %b, %a : vector<4x4xf32>, vector<4x4xbf16>, vector<4x4xf32>
// CHECK-NEXT:{{^}}                    ^~{{$}}
  %r = tile.mma %a, %b, %a : vector<4x4xf32>, vector<4x4xbf16>, vector<4x4xf32>
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
  %b = arith.constant dense<0.0> : vector<4x4xbf16>
// CHECK: :[[@LINE+3]]:25: error: mma accumulates f8, f16, bf16 and f32 in f32, f64 in f64, i8 in i32, got 'bf16' in 'bf16'
// CHECK-NEXT:{{^}}  %r = tile.mma %b, %b, %b : vector<4x4xbf16>, vector<4x4xbf16>, vector<4x4xbf16>
// CHECK-NEXT:{{^}}                        ^~{{$}}
  %r = tile.mma %b, %b, %b : vector<4x4xbf16>, vector<4x4xbf16>, vector<4x4xbf16>
}

// -----

tile.kernel @k() grid [1] {
  %w = arith.constant dense<0.0> : vector<4x8xf32>
// CHECK: :[[@LINE+1]]:8: error: axis 2 of a vector of 2 axes
  %r = tile.scan add %w, 2 reverse : vector<4x8xf32>
}

// -----
tile.kernel @k() grid [1] {
  %w = arith.constant dense<true> : vector<4xi1>
// CHECK: :[[@LINE+1]]:22: error: a scan needs numbers, got elements of type 'i1'
  %r = tile.scan add %w, 0 : vector<4xi1>
}

// -----
tile.kernel @k() grid [1] {
  %w = arith.constant dense<0> : vector<4xi8>
// CHECK: :[[@LINE+1]]:8: error: axis -1 of a vector of 1 axis
  %r = tile.argmax %w, -1 : vector<4xi8>
}

// -----
tile.kernel @k() grid [1] {
  %w = arith.constant dense<true> : vector<4xi1>
// CHECK: :[[@LINE+1]]:20: error: argmin needs numbers, got elements of type 'i1'
  %r = tile.argmin %w, 0 : vector<4xi1>
}

// -----
tile.kernel @k() symbols [p : i32] grid [1] {
  %p = tile.symbol "p" : i32
// CHECK: :[[@LINE+3]]:23: error: arith.shli shifts by an arith.constant, got a value
// CHECK-NEXT:{{^}}  %r = arith.shli %p, %p : i32
// CHECK-NEXT:{{^}}                      ^~{{$}}
  %r = arith.shli %p, %p : i32
}

// -----
tile.kernel @k() grid [1] {
  %w = arith.constant dense<[1, 8]> : vector<2xi8>
// CHECK: :[[@LINE+1]]:24: error: arith.shrui shifts 'vector<2xi8>' by 0 to 7 bits
  %r = arith.shrui %w, %w : vector<2xi8>
}

// -----
tile.kernel @k() grid [1] {
  %c = arith.constant -1 : i16
// CHECK: :[[@LINE+1]]:24: error: arith.shrsi shifts 'i16' by 0 to 15 bits
  %r = arith.shrsi %c, %c : i16
}

// -----
tile.kernel @k() grid [1] {
  %c = arith.constant 1 : index
// CHECK: :[[@LINE+1]]:19: error: arith.shli is not in the language for operands of type 'index' (index)
  %r = arith.shli %c, %c : index
}

// -----
tile.kernel @k() grid [1] {
  %c = arith.constant true
// CHECK: :[[@LINE+1]]:22: error: bitcast of i1 is not in the language
  %r = arith.bitcast %c : i1 to i1
}

// -----
tile.kernel @k(%s: f32) grid [1] {
// CHECK: :[[@LINE+1]]:8: error: arith.fptosi to i1 is not in the language: compare with 0
  %r = arith.fptosi %s : f32 to i1
}

// -----

tile.kernel @k() grid [1] {
  %w = arith.constant dense<1.0> : vector<4xf8E4M3FN>
// CHECK: :[[@LINE+1]]:19: error: arith.addf is not in the language for operands of type 'vector<4xf8E4M3FN>' (vector of numbers of 8 bits or less)
  %r = arith.addf %w, %w : vector<4xf8E4M3FN>
}

// -----
tile.kernel @k() grid [1] {
  %w = arith.constant dense<1.0> : vector<4xf32>
// CHECK: :[[@LINE+1]]:8: error: arith.truncf to 'vector<4xf8E5M2>' is not in the language: tile.convert rounds and saturates
  %r = arith.truncf %w : vector<4xf32> to vector<4xf8E5M2>
}

// -----
tile.kernel @k() grid [1] {
  %w = arith.constant dense<1.0> : vector<4xf64>
// CHECK: :[[@LINE+1]]:21: error: convert takes f16, bf16 or f32 to f4E2M1FN, f8E4M3FN, f8E5M2 or f8E8M0FNU, lane by lane, got 'vector<4xf64>' to 'vector<4xf8E5M2>'
  %r = tile.convert %w : vector<4xf64> to vector<4xf8E5M2>
}

// -----
tile.kernel @k() grid [1] {
  %w = arith.constant dense<1.0> : vector<4xf8E5M2>
// CHECK: :[[@LINE+1]]:24: error: a reduction needs numbers, got elements of type 'f8E5M2'
  %r = tile.reduce add %w, 0 : vector<4xf8E5M2>
}

// -----
!X = !tile.tensor<[8] x f8E4M3FN, shared>
!PX = !tile.partition<[8], [8] x f8E4M3FN, shared>
tile.kernel @k(%x: !X) grid [1] {
  %i = tile.block_id 0
  %p = tile.partition %x by [8] : !X
// CHECK: :[[@LINE+1]]:18: error: 'f8E4M3FN' has no infinity
  %r = tile.load %p[%i] pad(pos_inf) : !PX
}

// -----

tile.kernel @k() grid [1] {
  %i = tile.block_id 0
// CHECK: :[[@LINE+1]]:19: error: tile.mulhi is not in the language for operands of type 'index' (index)
  %r = tile.mulhi %i, %i : index
}

// -----
tile.kernel @k() grid [1] {
  %b = arith.constant dense<true> : vector<4xi1>
// CHECK: :[[@LINE+1]]:19: error: tile.mulhi is not in the language for operands of type 'vector<4xi1>' (integer vector)
  %r = tile.mulhi %b, %b : vector<4xi1>
}

// -----

//===-- The closed list ----------------------------------------------------===//

!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
  %i = tile.block_id 0
  %j = tile.block_id 1
// CHECK: :[[@LINE+1]]:8: error: arith.divui is not in the language, which of arith has: addf, addi, andi, bitcast, ceildivsi, cmpf, cmpi, constant, divf, divsi, extf, extsi, extui, fptosi, fptoui, index_cast, maximumf, maxnumf, maxsi, maxui, minimumf, minnumf, minsi, minui, mulf, muli, negf, ori, remf, remsi, select, shli, shrsi, shrui, sitofp, subf, subi, truncf, trunci, uitofp, xori
  %r = arith.divui %i, %j : index
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
// CHECK: :[[@LINE+1]]:3: error: scf.forall is not in the language, which of scf has: condition, for, if, while, yield
  scf.forall (%a) in (2) {
  }
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
  %i = tile.block_id 0
  %j = tile.block_id 1
// CHECK: :[[@LINE+1]]:8: error: memref.load is not in the language, which has ops of tile, scf, func, arith, math and vector
  %r = memref.load %i[%j] : index
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
  %i = tile.block_id 0
  %j = tile.block_id 1
// CHECK: :[[@LINE+3]]:3: error: scf.for unsigned is not in the language: loops are signed
// CHECK-NEXT:{{^}}  scf.for unsigned %a = %i to %j step %j {
// CHECK-NEXT:{{^}}  ^~~~~~~{{$}}
  scf.for unsigned %a = %i to %j step %j {
  }
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
  %i = tile.block_id 0
  %j = tile.block_id 1
// CHECK: :[[@LINE+3]]:8: error: flags nsw and nuw are not in the language: integers wrap
// CHECK-NEXT:{{^}}  %r = arith.addi %i, %j overflow<nsw> : index
// CHECK-NEXT:{{^}}       ^~~~~~~~~~{{$}}
  %r = arith.addi %i, %j overflow<nsw> : index
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
// CHECK: :[[@LINE+3]]:8: error: flag fastmath is not in the language: floats round at each op
// CHECK-NEXT:{{^}}  %r = arith.addf %v, %v fastmath<fast> : vector<16x32xf32>
// CHECK-NEXT:{{^}}       ^~~~~~~~~~{{$}}
  %r = arith.addf %v, %v fastmath<fast> : vector<16x32xf32>
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
// CHECK: :[[@LINE+3]]:8: error: flag fastmath is not in the language: floats round at each op; math.exp2 of f32 alone may have fastmath<afn>
// CHECK-NEXT:{{^}}  %r = math.exp2
// CHECK-NEXT:{{^}}       ^~~~~~~~{{~*$}}
  %r = math.exp2 %v fastmath<fast> : vector<16x32xf32>
}

// -----
!X = !tile.tensor<[M, N] x f16, shared>
!Y = !tile.tensor<[M, N] x f16, out>
!PX = !tile.partition<[16, 32], [M, N] x f16, shared>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %px = tile.partition %x by [16, 32] : !X
  %v = tile.load %px[%i, %j] pad(zero) : !PX
// CHECK: :[[@LINE+3]]:8: error: flag fastmath is not in the language: floats round at each op; math.exp2 of f32 alone may have fastmath<afn>
// CHECK-NEXT:{{^}}  %r = math.exp2
// CHECK-NEXT:{{^}}       ^~~~~~~~{{~*$}}
  %r = math.exp2 %v fastmath<afn> : vector<16x32xf16>
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
// CHECK: :[[@LINE+3]]:8: error: flag fastmath is not in the language: floats round at each op; math.exp2 of f32 alone may have fastmath<afn>
// CHECK-NEXT:{{^}}  %r = math.exp
// CHECK-NEXT:{{^}}       ^~~~~~~~{{~*$}}
  %r = math.exp %v fastmath<afn> : vector<16x32xf32>
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
// CHECK: :[[@LINE+3]]:23: error: arith.constant takes no attributes in braces: leave them out
// CHECK-NEXT:{{^}}  %c = arith.constant {note} 0 : index
// CHECK-NEXT:{{^}}                      ^{{$}}
  %c = arith.constant {note} 0 : index
}

// -----
tile.kernel @k() grid [1] {
  %i = tile.block_id 0
// CHECK: :[[@LINE+1]]:31: error: arith.cmpi takes no attributes in braces: leave them out
  %c = arith.cmpi slt, %i, %i {predicate = 0 : i64} : index
}

// -----
tile.kernel @k() grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %c1 step %c1 {
// CHECK: :[[@LINE-1]]:3: error: attribute note is not in the language
  } {note}
}

// -----
!H = !tile.tensor<[N] x i32, atomic<and>>
!P = !tile.partition<[_], [N] x i32, atomic<and>>
tile.kernel @k(%h: !H) symbols [v : i32] grid [N] {
  %i = tile.block_id 0
  %v = tile.symbol "v" : i32
  %p = tile.partition %h by [_] : !H
// CHECK: :[[@LINE+3]]:30: error: tile.atomic takes no attributes in braces: write tile.atomic add %v, %ph[%i] : !PH
// CHECK-NEXT:{{^}}  tile.atomic add %v, %p[%i] {kind = 3 : i32} : !P
// CHECK-NEXT:{{^}}                             ^{{$}}
  tile.atomic add %v, %p[%i] {kind = 3 : i32} : !P
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
  %i = tile.block_id 0
  %j = tile.block_id 1
// CHECK: :[[@LINE+3]]:8: error: unsigned comparison ult is not in the language, which has eq, ne, slt, sle, sgt, sge
// CHECK-NEXT:{{^}}  %r = arith.cmpi ult, %i, %j : index
// CHECK-NEXT:{{^}}       ^~~~~~~~~~{{$}}
  %r = arith.cmpi ult, %i, %j : index
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %c = arith.cmpi slt, %i, %j : index
// CHECK: :[[@LINE+3]]:25: error: index_cast from or to i1 is not in the language: select between two constants, or compare with 0
// CHECK-NEXT:{{^}}  %r = arith.index_cast %c : i1 to index
// CHECK-NEXT:{{^}}                        ^~{{$}}
  %r = arith.index_cast %c : i1 to index
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!PX = !tile.partition<[16, 32], [M, N] x f32, shared>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %px = tile.partition %x by [16, 32] : !X
// CHECK: :[[@LINE+3]]:53: error: tensors, partitions and pieces are used by tile ops only, scf.for got '!tile.partition<[16, 32], [M, N] x f32, shared>'
// CHECK-NEXT:{{^}}  %r = scf.for %a = %i to %j step %j iter_args(%p = %px) -> (!PX) {
// CHECK-NEXT:{{^}}                                                    ^~~{{$}}
  %r = scf.for %a = %i to %j step %j iter_args(%p = %px) -> (!PX) {
    scf.yield %p : !PX
  }
}

// -----
!C = !tile.tensor<[N] x f32, out>
!PC = !tile.partition<[_], [N] x f32, out>
!P = !tile.piece<[_] x f32, out>
tile.kernel @k(%c: !C) grid [N] {
  %t = arith.constant true
  %i = tile.block_id 0
  %pc = tile.partition %c by [_] : !C
// CHECK: :[[@LINE+1]]:8: error: tensors, partitions and pieces are made by tile ops only, scf.if gives '!tile.piece<[_] x f32, out>'
  %p = scf.if %t -> (!P) {
    %a = tile.claim %pc[%i] : !PC
    scf.yield %a : !P
  } else {
    %b = tile.claim %pc[%i] : !PC
    scf.yield %b : !P
  }
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!PX = !tile.partition<[16, 32], [M, N] x f32, shared>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %px = tile.partition %x by [16, 32] : !X
  %c = arith.cmpi slt, %i, %j : index
// CHECK: :[[@LINE+3]]:25: error: tensors, partitions and pieces are used by tile ops only, arith.select got '!tile.partition<[16, 32], [M, N] x f32, shared>'
// CHECK-NEXT:{{^}}  %r = arith.select %c, %px, %px : !PX
// CHECK-NEXT:{{^}}                        ^~~{{$}}
  %r = arith.select %c, %px, %px : !PX
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
  %w = arith.constant dense<0> : vector<8xindex>
// CHECK: :[[@LINE+3]]:19: error: arith.shli is not in the language for operands of type 'vector<8xindex>' (index vector)
// CHECK-NEXT:{{^}}  %r = arith.shli %w, %w : vector<8xindex>
// CHECK-NEXT:{{^}}                  ^~{{$}}
  %r = arith.shli %w, %w : vector<8xindex>
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
// CHECK: :[[@LINE+3]]:8: error: vector dims are powers of two, got 3 in vector<3xi32>
// CHECK-NEXT:{{^}}  %w = arith.constant dense<0> : vector<3xi32>
// CHECK-NEXT:{{^}}       ^~~~~~~~~~~~~~{{$}}
  %w = arith.constant dense<0> : vector<3xi32>
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
  %c = arith.constant true
// CHECK: :[[@LINE+3]]:16: error: loops count in index or in i8, i16, i32, i64, got i1
// CHECK-NEXT:{{^}}  scf.for %a = %c to %c step %c : i1 {
// CHECK-NEXT:{{^}}               ^~{{$}}
  scf.for %a = %c to %c step %c : i1 {
  }
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
// CHECK: :[[@LINE+3]]:8: error: attribute roundingmode of arith.truncf is not in the language
// CHECK-NEXT:{{^}}  %r = arith.truncf %v to_nearest_even : vector<16x32xf32> to vector<16x32xf16>
// CHECK-NEXT:{{^}}       ^~~~~~~~~~~~{{$}}
  %r = arith.truncf %v to_nearest_even : vector<16x32xf32> to vector<16x32xf16>
}

// -----

//===-- What MLIR reads and no kernel has ----------------------------------===//

!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
// CHECK: :[[@LINE+1]]:33: error: 'dense_resource' has no place in a kernel file
  %c = arith.constant 0 : index dense_resource("a")
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
// CHECK: :[[@LINE+1]]:8: error: quotes have no place in a kernel file but for tile.symbol "NAME"
  %c = "arith.constant"() <{value = 0 : index}> : () -> index
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
// CHECK: :[[@LINE+1]]:27: error: type i7 is not in the language
  %c = arith.constant 0 : i7
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
// CHECK: :[[@LINE+1]]:29: error: type f80 is not in the language
  %c = arith.constant 0.0 : f80
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
// CHECK: :[[@LINE+1]]:23: error: 'dense_resource' has no place in a kernel file
  %c = arith.constant dense_resource<a> : vector<4xf32>
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
// CHECK: :[[@LINE+1]]:34: error: a vector type reads vector<4x8xf32>
  %c = arith.constant dense<0> : vector<[4]xi32>
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
// CHECK: :[[@LINE+1]]:34: error: a vector type reads vector<4x8xf32>
  %c = arith.constant dense<0> : vector<4xvector<4xi32>>
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
// CHECK: :[[@LINE+1]]:34: error: vectors have 1 to 1048576 elements
  %c = arith.constant dense<0> : vector<1024x2048xi32>
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
// CHECK: :[[@LINE+1]]:23: error: number of 65 digits
  %c = arith.constant 99999999999999999999999999999999999999999999999999999999999999999 : i32
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
  %i = tile.block_id 0
  %j = tile.block_id 1
// CHECK: :[[@LINE+1]]:25: error: an op has at most 64 results
  %r = arith.addi %i, %j#4000000000 : index
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
  %i = tile.block_id 0
  %j = tile.block_id 1
// CHECK: :[[@LINE+1]]:6: error: an op has at most 64 results
  %r:1000000 = arith.addi %i, %j : index
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
  %i = tile.block_id 0
// CHECK: :[[@LINE+1]]:23: error: '#' has no place in a kernel file but for %name#0
  %r = arith.addi %i, #a : index
}

// -----
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%x: !X, %y: !Y) grid [M, N] {
  %i = tile.block_id 0
  %j = tile.block_id 1
// CHECK: :[[@LINE+1]]:1: error: labels of blocks have no place in a kernel file
^bb0:
  %r = arith.addi %i, %j : index
}

// -----
// CHECK: :[[@LINE+1]]:13: error: names in quotes have no place in a kernel file
tile.kernel @"quoted"() grid [] {
}

// -----
// CHECK: :[[@LINE+1]]:6: error: '!other.type' is neither an alias nor one of !tile.tensor, !tile.partition, !tile.piece
!A = !other.type

// -----
// CHECK: :[[@LINE+1]]:3: error: '#' has no place in a kernel file but for %name#0
{-# resources #-}

// -----
// CHECK: :[[@LINE+1]]:28: error: unexpected character &
tile.kernel @k() grid [] { & }

// -----
// CHECK: :[[@LINE+1]]:87: error: brackets are nested more than 64 deep
tile.kernel @k() grid [((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))] {
}
