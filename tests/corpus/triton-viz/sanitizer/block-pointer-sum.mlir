// expect: VERIFIED
// source: Deep-Learning-Profiling-Tools/triton-viz@203b0c7 tests/end_to_end/test_sanitizer.py, test_reduce_symbolic_core_dtype
// A product of a matrix of constants with a tile of 16 by 16. The constants are
// not 0 above the diagonal.
!S = !tile.tensor<[16, 16] x f32, shared>
!PS = !tile.partition<[16, 16], [16, 16] x f32, shared>
!Z = !tile.tensor<[16, 16] x f32, out>
!PZ = !tile.partition<[16, 16], [16, 16] x f32, out>
!SZ = !tile.piece<[16, 16] x f32, out>
tile.kernel @block_pointer_sum(%s: !S, %z: !Z) grid [1] {
  %ps = tile.partition %s by [16, 16] : !S
  %pz = tile.partition %z by [16, 16] : !Z
  %one = arith.constant dense<1.0> : vector<16x16xf32>
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  %p = tile.block_id 0
  %t = tile.load %ps[%p, %p] pad(zero) : !PS
  %r = tile.mma %one, %t, %zero : vector<16x16xf32>, vector<16x16xf32>, vector<16x16xf32>
  %o = tile.claim %pz[%p, %p] : !PZ
  tile.store %r, %o : !SZ
}
