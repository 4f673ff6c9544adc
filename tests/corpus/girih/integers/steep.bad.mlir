// expect: REFUTED index.width
// twin: steep.good.mlir
// A power of degree 2^40, squaring by squaring.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[_], [N] x f32, own>
tile.kernel @steep(%x: !X) symbols [p : index] grid [1] {
  %a0 = tile.symbol "p" : index
  %a1 = arith.muli %a0, %a0 : index
  %a2 = arith.muli %a1, %a1 : index
  %a3 = arith.muli %a2, %a2 : index
  %a4 = arith.muli %a3, %a3 : index
  %a5 = arith.muli %a4, %a4 : index
  %a6 = arith.muli %a5, %a5 : index
  %a7 = arith.muli %a6, %a6 : index
  %a8 = arith.muli %a7, %a7 : index
  %a9 = arith.muli %a8, %a8 : index
  %a10 = arith.muli %a9, %a9 : index
  %a11 = arith.muli %a10, %a10 : index
  %a12 = arith.muli %a11, %a11 : index
  %a13 = arith.muli %a12, %a12 : index
  %a14 = arith.muli %a13, %a13 : index
  %a15 = arith.muli %a14, %a14 : index
  %a16 = arith.muli %a15, %a15 : index
  %a17 = arith.muli %a16, %a16 : index
  %a18 = arith.muli %a17, %a17 : index
  %a19 = arith.muli %a18, %a18 : index
  %a20 = arith.muli %a19, %a19 : index
  %a21 = arith.muli %a20, %a20 : index
  %a22 = arith.muli %a21, %a21 : index
  %a23 = arith.muli %a22, %a22 : index
  %a24 = arith.muli %a23, %a23 : index
  %a25 = arith.muli %a24, %a24 : index
  %a26 = arith.muli %a25, %a25 : index
  %a27 = arith.muli %a26, %a26 : index
  %a28 = arith.muli %a27, %a27 : index
  %a29 = arith.muli %a28, %a28 : index
  %a30 = arith.muli %a29, %a29 : index
  %a31 = arith.muli %a30, %a30 : index
  %a32 = arith.muli %a31, %a31 : index
  %a33 = arith.muli %a32, %a32 : index
  %a34 = arith.muli %a33, %a33 : index
  %a35 = arith.muli %a34, %a34 : index
  %a36 = arith.muli %a35, %a35 : index
  %a37 = arith.muli %a36, %a36 : index
  %a38 = arith.muli %a37, %a37 : index
  %a39 = arith.muli %a38, %a38 : index
  %a40 = arith.muli %a39, %a39 : index
}
