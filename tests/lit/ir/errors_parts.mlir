// Parts of vectors and vectors put together: what is refused, and why.
// RUN: not tile-opt --split --verify-only %s 2>&1 | FileCheck %s

tile.kernel @k() grid [1] {
  %v = arith.constant dense<0.0> : vector<8x16xf32>
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: extract keeps the number of axes, got 'vector<8x16xf32>' to 'vector<16xf32>'
  %e = tile.extract %v[0, 0] : vector<8x16xf32> to vector<16xf32>
}

// -----
tile.kernel @k() grid [1] {
  %v = arith.constant dense<0.0> : vector<8x16xf32>
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: extract keeps the type of lanes, got 'vector<8x16xf32>' to 'vector<8x8xf16>'
  %e = tile.extract %v[0, 0] : vector<8x16xf32> to vector<8x8xf16>
}

// -----
tile.kernel @k() grid [1] {
  %v = arith.constant dense<0.0> : vector<8x16xf32>
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: extract has a number for each axis, got 1 number of 'vector<8x16xf32>'
  %e = tile.extract %v[0] : vector<8x16xf32> to vector<8x8xf32>
}

// -----
tile.kernel @k() grid [1] {
  %v = arith.constant dense<0.0> : vector<8x16xf32>
// CHECK: :[[@LINE+3]]:{{[0-9]+}}: error: axis 1 of 'vector<8x16xf32>' is not cut into parts of 32, got 'vector<8x32xf32>'
// CHECK-NEXT:{{^}}  %e = tile.extract %v[0, 0] : vector<8x16xf32> to vector<8x32xf32>
// CHECK-NEXT:{{^}}                    ^~
  %e = tile.extract %v[0, 0] : vector<8x16xf32> to vector<8x32xf32>
}

// -----
tile.kernel @k() grid [1] {
  %v = arith.constant dense<0.0> : vector<8x16xf32>
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: axis 0 of 'vector<8x16xf32>' is not cut into parts of 3, got 'vector<3x16xf32>'
  %e = tile.extract %v[0, 0] : vector<8x16xf32> to vector<3x16xf32>
}

// -----
tile.kernel @k() grid [1] {
  %v = arith.constant dense<0.0> : vector<8x16xf32>
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: part 2 along axis 1 of 'vector<8x16xf32>', which 'vector<4x8xf32>' cuts into 2 parts
  %e = tile.extract %v[1, 2] : vector<8x16xf32> to vector<4x8xf32>
}

// -----
tile.kernel @k() grid [1] {
  %v = arith.constant dense<0.0> : vector<8x16xf32>
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: part 1 along axis 0 of 'vector<8x16xf32>', which 'vector<8x8xf32>' cuts into 1 part
  %e = tile.extract %v[1, 0] : vector<8x16xf32> to vector<8x8xf32>
}

// -----
tile.kernel @k() grid [1] {
  %v = arith.constant dense<0.0> : vector<8x16xf32>
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: part -1 along axis 0 of 'vector<8x16xf32>', which 'vector<4x8xf32>' cuts into 2 parts
  %e = tile.extract %v[-1, 0] : vector<8x16xf32> to vector<4x8xf32>
}

// -----
tile.kernel @k() grid [1] {
  %v = arith.constant dense<0.0> : vector<8x16xf32>
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: axis 2 of a vector of 2 axes
  %c = tile.cat %v, %v, 2 : vector<8x16xf32>
}

// -----
tile.kernel @k() grid [1] {
  %v = arith.constant dense<0.0> : vector<8x16xf32>
  %w = arith.constant dense<0.0> : vector<8x8xf32>
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: use of value '%w' expects different type than prior uses: 'vector<8x16xf32>' vs 'vector<8x8xf32>'
  %c = tile.cat %v, %w, 1 : vector<8x16xf32>
}

// -----
tile.kernel @k() grid [1] {
  %v = arith.constant dense<0.0> : vector<1024x1024xf32>
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: vectors have at most 1048576 elements, got two of 'vector<1024x1024xf32>' put together
  %c = tile.cat %v, %v, 1 : vector<1024x1024xf32>
}

// -----
tile.kernel @k() grid [1] {
  %s = arith.constant 0.0 : f32
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}'f32'
  %c = tile.cat %s, %s, 0 : f32
}
