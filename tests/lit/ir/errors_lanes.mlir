// Gather, scatter, atomic scatter and vectors of index: what is refused, and why.
// RUN: not tile-opt --split --verify-only %s 2>&1 | FileCheck %s

!E = !tile.tensor<[N] x f32, shared>
!O = !tile.tensor<[N] x f32, own>
tile.kernel @k(%e: !E, %o: !O) grid [1] {
  %l = tile.iota 0 : vector<8xindex>
  %m = tile.iota 0 : vector<8xi32>
  %t = arith.cmpi eq, %l, %l : vector<8xindex>
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: lanes have 2 indices but the tensor has 1 axis
  %g = tile.gather %e[%l, %l] : !E, vector<8xindex>, vector<8xindex>
}

// -----
!E = !tile.tensor<[N] x f32, shared>
!O = !tile.tensor<[N] x f32, own>
tile.kernel @k(%e: !E, %o: !O) grid [1] {
  %l = tile.iota 0 : vector<8xindex>
  %m = tile.iota 0 : vector<8xi32>
  %t = arith.cmpi eq, %l, %l : vector<8xindex>
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: indices are vectors of index of one shape, got 'vector<8xi32>'
  %g = tile.gather %e[%m] : !E, vector<8xi32>
}

// -----
!E = !tile.tensor<[N] x f32, shared>
!O = !tile.tensor<[N] x f32, own>
tile.kernel @k(%e: !E, %o: !O) grid [1] {
  %l = tile.iota 0 : vector<8xindex>
  %m = tile.iota 0 : vector<8xi32>
  %t = arith.cmpi eq, %l, %l : vector<8xindex>
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: a gather needs mode shared, got own: claim a tile and load it
  %g = tile.gather %o[%l] : !O, vector<8xindex>
}

// -----
!E = !tile.tensor<[N] x f32, shared>
!O = !tile.tensor<[N] x f32, own>
tile.kernel @k(%e: !E, %o: !O) grid [1] {
  %l = tile.iota 0 : vector<8xindex>
  %m = tile.iota 0 : vector<8xi32>
  %t = arith.cmpi eq, %l, %l : vector<8xindex>
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: a gather without a mask reads every lane and needs no padding
  %g = tile.gather %e[%l] pad(zero) : !E, vector<8xindex>
}

// -----
!E = !tile.tensor<[N] x f32, shared>
!O = !tile.tensor<[N] x f32, own>
tile.kernel @k(%e: !E, %o: !O) grid [1] {
  %l = tile.iota 0 : vector<8xindex>
  %m = tile.iota 0 : vector<8xi32>
  %t = arith.cmpi eq, %l, %l : vector<8xindex>
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: a masked gather says with pad(...) what the other lanes hold
  %g = tile.gather %e[%l], %t : !E, vector<8xindex>, vector<8xi1>
}

// -----
!E = !tile.tensor<[N] x f32, shared>
!O = !tile.tensor<[N] x f32, own>
tile.kernel @k(%e: !E, %o: !O) grid [1] {
  %l = tile.iota 0 : vector<8xindex>
  %m = tile.iota 0 : vector<8xi32>
  %t = arith.cmpi eq, %l, %l : vector<8xindex>
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: the mask is a vector of i1 of the shape of the indices, got 'vector<8xindex>'
  %g = tile.gather %e[%l], %l pad(zero) : !E, vector<8xindex>, vector<8xindex>
}

// -----
!E = !tile.tensor<[N] x f32, shared>
!O = !tile.tensor<[N] x f32, own>
tile.kernel @k(%e: !E, %o: !O) grid [1] {
  %l = tile.iota 0 : vector<8xindex>
  %m = tile.iota 0 : vector<8xi32>
  %t = arith.cmpi eq, %l, %l : vector<8xindex>
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: the type list names the tensor, a vector for each index and the mask: 2 types of these, got 1
  %g = tile.gather %e[%l] : !E
}

// -----
!E = !tile.tensor<[N] x f32, shared>
!O = !tile.tensor<[N] x f32, own>
tile.kernel @k(%e: !E, %o: !O) grid [1] {
  %l = tile.iota 0 : vector<8xindex>
  %m = tile.iota 0 : vector<8xi32>
  %t = arith.cmpi eq, %l, %l : vector<8xindex>
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: only a tensor can be gathered from, at vectors of index
  %g = tile.gather %l[%l] : vector<8xindex>, vector<8xindex>
}

// -----
!E = !tile.tensor<[N] x f32, shared>
!O = !tile.tensor<[N] x f32, own>
tile.kernel @k(%e: !E, %o: !O) grid [1] {
  %l = tile.iota 0 : vector<8xindex>
  %m = tile.iota 0 : vector<8xi32>
  %t = arith.cmpi eq, %l, %l : vector<8xindex>
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: a reduction needs numbers, got elements of type 'index'
  %g = tile.reduce add %l, 0 : vector<8xindex>
}

// -----
!E = !tile.tensor<[N] x f32, shared>
!O = !tile.tensor<[N] x f32, own>
tile.kernel @k(%e: !E, %o: !O) grid [1] {
  %l = tile.iota 0 : vector<8xindex>
  %m = tile.iota 0 : vector<8xi32>
  %t = arith.cmpi eq, %l, %l : vector<8xindex>
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: index_cast from or to i1 is not in the language: select between two constants, or compare with 0
  %g = arith.index_cast %t : vector<8xi1> to vector<8xindex>
}

// -----
!E = !tile.tensor<[N] x f32, shared>
!O = !tile.tensor<[N] x f32, own>
tile.kernel @k(%e: !E, %o: !O) grid [1] {
  %l = tile.iota 0 : vector<8xindex>
  %m = tile.iota 0 : vector<8xi32>
  %t = arith.cmpi eq, %l, %l : vector<8xindex>
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: the scatter writes 'vector<8xf32>', got 'vector<8xi32>'
  tile.scatter %m, %o[%l] : vector<8xi32>, !O, vector<8xindex>
}

// -----
!E = !tile.tensor<[N] x f32, shared>
!O = !tile.tensor<[N] x f32, own>
tile.kernel @k(%e: !E, %o: !O) grid [1] {
  %l = tile.iota 0 : vector<8xindex>
  %m = tile.iota 0 : vector<8xi32>
  %t = arith.cmpi eq, %l, %l : vector<8xindex>
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: a scatter needs mode own or out, got shared
  tile.scatter %m, %e[%l] : vector<8xi32>, !E, vector<8xindex>
}

// -----
!E = !tile.tensor<[N] x f32, shared>
!O = !tile.tensor<[N] x f32, own>
tile.kernel @k(%e: !E, %o: !O) grid [1] {
  %l = tile.iota 0 : vector<8xindex>
  %m = tile.iota 0 : vector<8xi32>
  %t = arith.cmpi eq, %l, %l : vector<8xindex>
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: the mask is a vector of i1 of the shape of the indices, got 'vector<8xindex>'
  tile.scatter %m, %o[%l], %l : vector<8xi32>, !O, vector<8xindex>, vector<8xindex>
}

// -----
!E = !tile.tensor<[M, N] x f32, shared>
tile.kernel @k(%e: !E) grid [1] {
  %l = tile.iota 0 : vector<8xindex>
  %s = tile.view %e fix 0 at 0 : !E
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: lanes have 2 indices but the tensor has 1 axis
  %g = tile.gather %s[%l, %l] : !tile.tensor<[N] x f32, shared>, vector<8xindex>, vector<8xindex>
}
// -----
!E = !tile.tensor<[N] x f32, own>
!PE = !tile.partition<[8], [N] x f32, own>
tile.kernel @k(%e: !E) grid [1] {
  %v = arith.constant dense<1.0> : vector<8xf32>
  %l = tile.iota 0 : vector<8xindex>
  %p = tile.partition %e by [8] : !E
// CHECK: :[[@LINE+1]]:20: error: a scatter writes elements of a tensor or a view, not of a partition: name the tensor and, for each axis, a vector of coordinates
  tile.scatter %v, %p[%l] : vector<8xf32>, !PE, vector<8xindex>
}
// -----
!E = !tile.tensor<[N] x f32, own>
!PE = !tile.partition<[8], [N] x f32, own>
!P = !tile.piece<[8] x f32, own>
tile.kernel @k(%e: !E) grid [1] {
  %v = arith.constant dense<1.0> : vector<8xf32>
  %l = tile.iota 0 : vector<8xindex>
  %c0 = arith.constant 0 : index
  %p = tile.partition %e by [8] : !E
  %c = tile.claim %p[%c0] : !PE
// CHECK: :[[@LINE+1]]:20: error: a scatter writes elements of a tensor or a view, not of a piece: name the tensor and, for each axis, a vector of coordinates
  tile.scatter %v, %c[%l] : vector<8xf32>, !P, vector<8xindex>
}
// -----
!E = !tile.tensor<[N] x i4, own>
tile.kernel @k(%e: !E) grid [1] {
  %v = arith.constant dense<1> : vector<8xi4>
  %l = tile.iota 0 : vector<8xindex>
  %s = tile.view %e slice [0] size [8] : !E
// CHECK: :[[@LINE+1]]:20: error: two elements of 'i4' share a byte: load and store tiles of them
  tile.scatter %v, %s[%l] : vector<8xi4>, !tile.tensor<[8] x i4, own>, vector<8xindex>
}
// -----
!H = !tile.tensor<[N] x i32, atomic<add>>
tile.kernel @k(%h: !H) grid [1] {
  %v = arith.constant dense<1> : vector<8xi32>
  %l = tile.iota 0 : vector<8xindex>
// CHECK: :[[@LINE+1]]:31: error: atomic_scatter max needs mode atomic<max>, got atomic<add>
  tile.atomic_scatter max %v, %h[%l] : vector<8xi32>, !H, vector<8xindex>
}
// -----
!H = !tile.tensor<[N] x i32, own>
tile.kernel @k(%h: !H) grid [1] {
  %v = arith.constant dense<1> : vector<8xi32>
  %l = tile.iota 0 : vector<8xindex>
// CHECK: :[[@LINE+1]]:31: error: atomic_scatter add needs mode atomic<add>, got own
  tile.atomic_scatter add %v, %h[%l] : vector<8xi32>, !H, vector<8xindex>
}
// -----
!H = !tile.tensor<[N] x i32, atomic<add>>
tile.kernel @k(%h: !H) grid [1] {
  %v = arith.constant dense<1> : vector<8xi32>
  %l = tile.iota 0 : vector<8xindex>
// CHECK: :[[@LINE+1]]:23: error: an atomic is one of add, min, max, and, or, xor, got swap
  tile.atomic_scatter swap %v, %h[%l] : vector<8xi32>, !H, vector<8xindex>
}
// -----
!H = !tile.tensor<[N] x i32, atomic<add>>
tile.kernel @k(%h: !H) grid [1] {
  %v = arith.constant dense<1> : vector<4xi32>
  %l = tile.iota 0 : vector<8xindex>
// CHECK: :[[@LINE+1]]:27: error: the atomic scatter combines 'vector<8xi32>', got 'vector<4xi32>'
  tile.atomic_scatter add %v, %h[%l] : vector<4xi32>, !H, vector<8xindex>
}
// -----
!H = !tile.tensor<[N] x i32, atomic<add>>
tile.kernel @k(%h: !H) grid [1] {
  %v = arith.constant dense<1.0> : vector<8xf32>
  %l = tile.iota 0 : vector<8xindex>
// CHECK: :[[@LINE+1]]:27: error: the atomic scatter combines 'vector<8xi32>', got 'vector<8xf32>'
  tile.atomic_scatter add %v, %h[%l] : vector<8xf32>, !H, vector<8xindex>
}
// -----
!H = !tile.tensor<[M, N] x i32, atomic<add>>
tile.kernel @k(%h: !H) grid [1] {
  %v = arith.constant dense<1> : vector<8xi32>
  %l = tile.iota 0 : vector<8xindex>
// CHECK: :[[@LINE+1]]:31: error: lanes have 1 index but the tensor has 2 axes
  tile.atomic_scatter add %v, %h[%l] : vector<8xi32>, !H, vector<8xindex>
}
// -----
!H = !tile.tensor<[N] x i32, atomic<add>>
tile.kernel @k(%h: !H) grid [1] {
  %v = arith.constant dense<1> : vector<8xi32>
  %l = tile.iota 0 : vector<8xindex>
  %m = arith.constant dense<true> : vector<4xi1>
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: the mask is a vector of i1 of the shape of the indices, got 'vector<4xi1>'
  tile.atomic_scatter add %v, %h[%l], %m : vector<8xi32>, !H, vector<8xindex>, vector<4xi1>
}
// -----
!H = !tile.tensor<[N] x i32, atomic<add>>
!PH = !tile.partition<[8], [N] x i32, atomic<add>>
tile.kernel @k(%h: !H) grid [1] {
  %v = arith.constant dense<1> : vector<8xi32>
  %l = tile.iota 0 : vector<8xindex>
  %p = tile.partition %h by [8] : !H
// CHECK: :[[@LINE+1]]:31: error: an atomic scatter combines with elements of a tensor or a view, not of a partition: name the tensor and, for each axis, a vector of coordinates
  tile.atomic_scatter add %v, %p[%l] : vector<8xi32>, !PH, vector<8xindex>
}
// -----
!H = !tile.tensor<[N] x i32, atomic<add>>
tile.kernel @k(%h: !H) grid [1] {
  %v = arith.constant dense<1> : vector<8xi32>
  %l = tile.iota 0 : vector<8xindex>
  %s = tile.view %h unfold 0 by [N, 1] : !H
// CHECK: :[[@LINE+1]]:31: error: lanes have 1 index but the tensor has 2 axes
  tile.atomic_scatter add %v, %s[%l] : vector<8xi32>, !tile.tensor<[N, 1] x i32, atomic<add>>, vector<8xindex>
}
// -----
!H = !tile.tensor<[N] x i32, atomic<add>>
tile.kernel @k(%h: !H) grid [1] {
  %v = arith.constant dense<1> : vector<8xi32>
  %l = tile.iota 0 : vector<8xindex>
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: the type list names the tensor, a vector for each index and the mask: 2 types of these, got 1
  tile.atomic_scatter add %v, %h[%l] : vector<8xi32>, !H
}
// -----
!H = !tile.tensor<[N] x i32, atomic<and>>
tile.kernel @k(%h: !H) grid [1] {
  %v = arith.constant dense<1> : vector<8xi32>
  %l = tile.iota 0 : vector<8xindex>
// CHECK: :[[@LINE+1]]:38: error: tile.atomic_scatter takes no attributes in braces: write tile.atomic_scatter add %v, %h[%l] : vector<16xi32>, !H, vector<16xindex>
  tile.atomic_scatter add %v, %h[%l] {kind = 3 : i32} : vector<8xi32>, !H, vector<8xindex>
}
// -----
!E = !tile.tensor<[N] x f32, shared>
tile.kernel @k(%e: !E) grid [1] {
  %l = tile.iota 0 : vector<8xindex>
  %t = arith.cmpi eq, %l, %l : vector<8xindex>
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: tile.gather takes no attributes in braces: write %g = tile.gather %x[%l] : !X, vector<16xindex>
  %g = tile.gather %e[%l], %t pad(zero) {pad = 2 : i32} : !E, vector<8xindex>, vector<8xi1>
}

// -----
!E = !tile.tensor<[M, N] x f32, shared>
!PE = !tile.partition<[8, _], [M, N] x f32, shared>
tile.kernel @k(%e: !E) grid [1] {
  %c0 = arith.constant 0 : index
  %p = tile.partition %e by [8, _] : !E
// CHECK: :[[@LINE+1]]:20: error: inside has 1 index but the partition has 2 axes
  %m = tile.inside %p[%c0] : !PE
}

// -----
!E = !tile.tensor<[M, N] x f32, shared>
!PE = !tile.partition<[8, _], [M, N] x f32, shared>
tile.kernel @k(%e: !E) grid [1] {
  %c0 = arith.constant 0 : index
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: only a tile of a partition has lanes inside, got '!tile.tensor<[M, N] x f32, shared>'
  %m = tile.inside %e[%c0, %c0] : !E
}
