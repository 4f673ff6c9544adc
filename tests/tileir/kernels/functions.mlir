// Rounding to whole numbers, functions that Tile IR lacks, and integers of floats.
!XF32 = !tile.tensor<[N] x f32, shared>
!YF32 = !tile.tensor<[6, N] x f32, own>
!PXF32 = !tile.partition<[16], [N] x f32, shared>
!PYF32 = !tile.partition<[_, 16], [6, N] x f32, own>
!QF32 = !tile.piece<[_, 16] x f32, own>
!ZF32I32 = !tile.tensor<[2, N] x i32, own>
!PZF32I32 = !tile.partition<[_, 16], [2, N] x i32, own>
!RF32I32 = !tile.piece<[_, 16] x i32, own>
!ZF32I8 = !tile.tensor<[2, N] x i8, own>
!PZF32I8 = !tile.partition<[_, 16], [2, N] x i8, own>
!RF32I8 = !tile.piece<[_, 16] x i8, own>
!XF64 = !tile.tensor<[N] x f64, shared>
!YF64 = !tile.tensor<[6, N] x f64, own>
!PXF64 = !tile.partition<[16], [N] x f64, shared>
!PYF64 = !tile.partition<[_, 16], [6, N] x f64, own>
!QF64 = !tile.piece<[_, 16] x f64, own>
!ZF64I64 = !tile.tensor<[2, N] x i64, own>
!PZF64I64 = !tile.partition<[_, 16], [2, N] x i64, own>
!RF64I64 = !tile.piece<[_, 16] x i64, own>
!ZF64I32 = !tile.tensor<[2, N] x i32, own>
!PZF64I32 = !tile.partition<[_, 16], [2, N] x i32, own>
!RF64I32 = !tile.piece<[_, 16] x i32, own>
tile.kernel @functions(%xf32: !XF32, %yf32: !YF32, %zf32i32: !ZF32I32, %zf32i8: !ZF32I8,
    %xf64: !XF64, %yf64: !YF64, %zf64i64: !ZF64I64, %zf64i32: !ZF64I32)
    grid [ceildiv(N, 16)] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %b = tile.block_id 0
  %pxf32 = tile.partition %xf32 by [16] : !XF32
  %pyf32 = tile.partition %yf32 by [_, 16] : !YF32
  %vf32 = tile.load %pxf32[%b] pad(zero) : !PXF32
  %truncf32 = math.trunc %vf32 : vector<16xf32>
  %q0f32 = tile.claim %pyf32[%c0, %b] : !PYF32
  tile.store %truncf32, %q0f32 : !QF32
  %roundf32 = math.round %vf32 : vector<16xf32>
  %q1f32 = tile.claim %pyf32[%c1, %b] : !PYF32
  tile.store %roundf32, %q1f32 : !QF32
  %roundevenf32 = math.roundeven %vf32 : vector<16xf32>
  %q2f32 = tile.claim %pyf32[%c2, %b] : !PYF32
  tile.store %roundevenf32, %q2f32 : !QF32
  %expm1f32 = math.expm1 %vf32 : vector<16xf32>
  %q3f32 = tile.claim %pyf32[%c3, %b] : !PYF32
  tile.store %expm1f32, %q3f32 : !QF32
  %log1pf32 = math.log1p %vf32 : vector<16xf32>
  %q4f32 = tile.claim %pyf32[%c4, %b] : !PYF32
  tile.store %log1pf32, %q4f32 : !QF32
  %erff32 = math.erf %vf32 : vector<16xf32>
  %q5f32 = tile.claim %pyf32[%c5, %b] : !PYF32
  tile.store %erff32, %q5f32 : !QF32
  %byf32 = arith.constant dense<40.0> : vector<16xf32>
  %farf32 = arith.mulf %vf32, %byf32 : vector<16xf32>
  %pzf32i32 = tile.partition %zf32i32 by [_, 16] : !ZF32I32
  %fptosif32i32 = arith.fptosi %farf32 : vector<16xf32> to vector<16xi32>
  %r0f32i32 = tile.claim %pzf32i32[%c0, %b] : !PZF32I32
  tile.store %fptosif32i32, %r0f32i32 : !RF32I32
  %fptouif32i32 = arith.fptoui %farf32 : vector<16xf32> to vector<16xi32>
  %r1f32i32 = tile.claim %pzf32i32[%c1, %b] : !PZF32I32
  tile.store %fptouif32i32, %r1f32i32 : !RF32I32
  %pzf32i8 = tile.partition %zf32i8 by [_, 16] : !ZF32I8
  %fptosif32i8 = arith.fptosi %farf32 : vector<16xf32> to vector<16xi8>
  %r0f32i8 = tile.claim %pzf32i8[%c0, %b] : !PZF32I8
  tile.store %fptosif32i8, %r0f32i8 : !RF32I8
  %fptouif32i8 = arith.fptoui %farf32 : vector<16xf32> to vector<16xi8>
  %r1f32i8 = tile.claim %pzf32i8[%c1, %b] : !PZF32I8
  tile.store %fptouif32i8, %r1f32i8 : !RF32I8
  %pxf64 = tile.partition %xf64 by [16] : !XF64
  %pyf64 = tile.partition %yf64 by [_, 16] : !YF64
  %vf64 = tile.load %pxf64[%b] pad(zero) : !PXF64
  %truncf64 = math.trunc %vf64 : vector<16xf64>
  %q0f64 = tile.claim %pyf64[%c0, %b] : !PYF64
  tile.store %truncf64, %q0f64 : !QF64
  %roundf64 = math.round %vf64 : vector<16xf64>
  %q1f64 = tile.claim %pyf64[%c1, %b] : !PYF64
  tile.store %roundf64, %q1f64 : !QF64
  %roundevenf64 = math.roundeven %vf64 : vector<16xf64>
  %q2f64 = tile.claim %pyf64[%c2, %b] : !PYF64
  tile.store %roundevenf64, %q2f64 : !QF64
  %expm1f64 = math.expm1 %vf64 : vector<16xf64>
  %q3f64 = tile.claim %pyf64[%c3, %b] : !PYF64
  tile.store %expm1f64, %q3f64 : !QF64
  %log1pf64 = math.log1p %vf64 : vector<16xf64>
  %q4f64 = tile.claim %pyf64[%c4, %b] : !PYF64
  tile.store %log1pf64, %q4f64 : !QF64
  %erff64 = math.erf %vf64 : vector<16xf64>
  %q5f64 = tile.claim %pyf64[%c5, %b] : !PYF64
  tile.store %erff64, %q5f64 : !QF64
  %byf64 = arith.constant dense<40.0> : vector<16xf64>
  %farf64 = arith.mulf %vf64, %byf64 : vector<16xf64>
  %pzf64i64 = tile.partition %zf64i64 by [_, 16] : !ZF64I64
  %fptosif64i64 = arith.fptosi %farf64 : vector<16xf64> to vector<16xi64>
  %r0f64i64 = tile.claim %pzf64i64[%c0, %b] : !PZF64I64
  tile.store %fptosif64i64, %r0f64i64 : !RF64I64
  %fptouif64i64 = arith.fptoui %farf64 : vector<16xf64> to vector<16xi64>
  %r1f64i64 = tile.claim %pzf64i64[%c1, %b] : !PZF64I64
  tile.store %fptouif64i64, %r1f64i64 : !RF64I64
  %pzf64i32 = tile.partition %zf64i32 by [_, 16] : !ZF64I32
  %fptosif64i32 = arith.fptosi %farf64 : vector<16xf64> to vector<16xi32>
  %r0f64i32 = tile.claim %pzf64i32[%c0, %b] : !PZF64I32
  tile.store %fptosif64i32, %r0f64i32 : !RF64I32
  %fptouif64i32 = arith.fptoui %farf64 : vector<16xf64> to vector<16xi32>
  %r1f64i32 = tile.claim %pzf64i32[%c1, %b] : !PZF64I32
  tile.store %fptouif64i32, %r1f64i32 : !RF64I32
}
