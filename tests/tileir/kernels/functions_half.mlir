// The same in 16 bits.
!XF16 = !tile.tensor<[N] x f16, shared>
!YF16 = !tile.tensor<[6, N] x f16, own>
!PXF16 = !tile.partition<[16], [N] x f16, shared>
!PYF16 = !tile.partition<[_, 16], [6, N] x f16, own>
!QF16 = !tile.piece<[_, 16] x f16, own>
!ZF16I8 = !tile.tensor<[2, N] x i8, own>
!PZF16I8 = !tile.partition<[_, 16], [2, N] x i8, own>
!RF16I8 = !tile.piece<[_, 16] x i8, own>
!ZF16I16 = !tile.tensor<[2, N] x i16, own>
!PZF16I16 = !tile.partition<[_, 16], [2, N] x i16, own>
!RF16I16 = !tile.piece<[_, 16] x i16, own>
!XBF16 = !tile.tensor<[N] x bf16, shared>
!YBF16 = !tile.tensor<[6, N] x bf16, own>
!PXBF16 = !tile.partition<[16], [N] x bf16, shared>
!PYBF16 = !tile.partition<[_, 16], [6, N] x bf16, own>
!QBF16 = !tile.piece<[_, 16] x bf16, own>
!ZBF16I16 = !tile.tensor<[2, N] x i16, own>
!PZBF16I16 = !tile.partition<[_, 16], [2, N] x i16, own>
!RBF16I16 = !tile.piece<[_, 16] x i16, own>
!ZBF16I32 = !tile.tensor<[2, N] x i32, own>
!PZBF16I32 = !tile.partition<[_, 16], [2, N] x i32, own>
!RBF16I32 = !tile.piece<[_, 16] x i32, own>
tile.kernel @functions_half(%xf16: !XF16, %yf16: !YF16, %zf16i8: !ZF16I8, %zf16i16: !ZF16I16,
    %xbf16: !XBF16, %ybf16: !YBF16, %zbf16i16: !ZBF16I16, %zbf16i32: !ZBF16I32)
    grid [ceildiv(N, 16)] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %b = tile.block_id 0
  %pxf16 = tile.partition %xf16 by [16] : !XF16
  %pyf16 = tile.partition %yf16 by [_, 16] : !YF16
  %vf16 = tile.load %pxf16[%b] pad(zero) : !PXF16
  %truncf16 = math.trunc %vf16 : vector<16xf16>
  %q0f16 = tile.claim %pyf16[%c0, %b] : !PYF16
  tile.store %truncf16, %q0f16 : !QF16
  %roundf16 = math.round %vf16 : vector<16xf16>
  %q1f16 = tile.claim %pyf16[%c1, %b] : !PYF16
  tile.store %roundf16, %q1f16 : !QF16
  %roundevenf16 = math.roundeven %vf16 : vector<16xf16>
  %q2f16 = tile.claim %pyf16[%c2, %b] : !PYF16
  tile.store %roundevenf16, %q2f16 : !QF16
  %expm1f16 = math.expm1 %vf16 : vector<16xf16>
  %q3f16 = tile.claim %pyf16[%c3, %b] : !PYF16
  tile.store %expm1f16, %q3f16 : !QF16
  %log1pf16 = math.log1p %vf16 : vector<16xf16>
  %q4f16 = tile.claim %pyf16[%c4, %b] : !PYF16
  tile.store %log1pf16, %q4f16 : !QF16
  %erff16 = math.erf %vf16 : vector<16xf16>
  %q5f16 = tile.claim %pyf16[%c5, %b] : !PYF16
  tile.store %erff16, %q5f16 : !QF16
  %byf16 = arith.constant dense<40.0> : vector<16xf16>
  %farf16 = arith.mulf %vf16, %byf16 : vector<16xf16>
  %pzf16i8 = tile.partition %zf16i8 by [_, 16] : !ZF16I8
  %fptosif16i8 = arith.fptosi %farf16 : vector<16xf16> to vector<16xi8>
  %r0f16i8 = tile.claim %pzf16i8[%c0, %b] : !PZF16I8
  tile.store %fptosif16i8, %r0f16i8 : !RF16I8
  %fptouif16i8 = arith.fptoui %farf16 : vector<16xf16> to vector<16xi8>
  %r1f16i8 = tile.claim %pzf16i8[%c1, %b] : !PZF16I8
  tile.store %fptouif16i8, %r1f16i8 : !RF16I8
  %pzf16i16 = tile.partition %zf16i16 by [_, 16] : !ZF16I16
  %fptosif16i16 = arith.fptosi %farf16 : vector<16xf16> to vector<16xi16>
  %r0f16i16 = tile.claim %pzf16i16[%c0, %b] : !PZF16I16
  tile.store %fptosif16i16, %r0f16i16 : !RF16I16
  %fptouif16i16 = arith.fptoui %farf16 : vector<16xf16> to vector<16xi16>
  %r1f16i16 = tile.claim %pzf16i16[%c1, %b] : !PZF16I16
  tile.store %fptouif16i16, %r1f16i16 : !RF16I16
  %pxbf16 = tile.partition %xbf16 by [16] : !XBF16
  %pybf16 = tile.partition %ybf16 by [_, 16] : !YBF16
  %vbf16 = tile.load %pxbf16[%b] pad(zero) : !PXBF16
  %truncbf16 = math.trunc %vbf16 : vector<16xbf16>
  %q0bf16 = tile.claim %pybf16[%c0, %b] : !PYBF16
  tile.store %truncbf16, %q0bf16 : !QBF16
  %roundbf16 = math.round %vbf16 : vector<16xbf16>
  %q1bf16 = tile.claim %pybf16[%c1, %b] : !PYBF16
  tile.store %roundbf16, %q1bf16 : !QBF16
  %roundevenbf16 = math.roundeven %vbf16 : vector<16xbf16>
  %q2bf16 = tile.claim %pybf16[%c2, %b] : !PYBF16
  tile.store %roundevenbf16, %q2bf16 : !QBF16
  %expm1bf16 = math.expm1 %vbf16 : vector<16xbf16>
  %q3bf16 = tile.claim %pybf16[%c3, %b] : !PYBF16
  tile.store %expm1bf16, %q3bf16 : !QBF16
  %log1pbf16 = math.log1p %vbf16 : vector<16xbf16>
  %q4bf16 = tile.claim %pybf16[%c4, %b] : !PYBF16
  tile.store %log1pbf16, %q4bf16 : !QBF16
  %erfbf16 = math.erf %vbf16 : vector<16xbf16>
  %q5bf16 = tile.claim %pybf16[%c5, %b] : !PYBF16
  tile.store %erfbf16, %q5bf16 : !QBF16
  %bybf16 = arith.constant dense<40.0> : vector<16xbf16>
  %farbf16 = arith.mulf %vbf16, %bybf16 : vector<16xbf16>
  %pzbf16i16 = tile.partition %zbf16i16 by [_, 16] : !ZBF16I16
  %fptosibf16i16 = arith.fptosi %farbf16 : vector<16xbf16> to vector<16xi16>
  %r0bf16i16 = tile.claim %pzbf16i16[%c0, %b] : !PZBF16I16
  tile.store %fptosibf16i16, %r0bf16i16 : !RBF16I16
  %fptouibf16i16 = arith.fptoui %farbf16 : vector<16xbf16> to vector<16xi16>
  %r1bf16i16 = tile.claim %pzbf16i16[%c1, %b] : !PZBF16I16
  tile.store %fptouibf16i16, %r1bf16i16 : !RBF16I16
  %pzbf16i32 = tile.partition %zbf16i32 by [_, 16] : !ZBF16I32
  %fptosibf16i32 = arith.fptosi %farbf16 : vector<16xbf16> to vector<16xi32>
  %r0bf16i32 = tile.claim %pzbf16i32[%c0, %b] : !PZBF16I32
  tile.store %fptosibf16i32, %r0bf16i32 : !RBF16I32
  %fptouibf16i32 = arith.fptoui %farbf16 : vector<16xbf16> to vector<16xi32>
  %r1bf16i32 = tile.claim %pzbf16i32[%c1, %b] : !PZBF16I32
  tile.store %fptouibf16i32, %r1bf16i32 : !RBF16I32
}
