// expect: VERIFIED
// Each square wraps: no power is ever above the second.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[_], [N] x f32, own>
tile.kernel @steep(%x: !X) symbols [p : i32] grid [1] {
  %a0 = tile.symbol "p" : i32
  %a1 = arith.muli %a0, %a0 : i32
  %a2 = arith.muli %a1, %a1 : i32
  %a3 = arith.muli %a2, %a2 : i32
  %a4 = arith.muli %a3, %a3 : i32
  %a5 = arith.muli %a4, %a4 : i32
  %a6 = arith.muli %a5, %a5 : i32
  %a7 = arith.muli %a6, %a6 : i32
  %a8 = arith.muli %a7, %a7 : i32
  %a9 = arith.muli %a8, %a8 : i32
  %a10 = arith.muli %a9, %a9 : i32
  %a11 = arith.muli %a10, %a10 : i32
  %a12 = arith.muli %a11, %a11 : i32
  %a13 = arith.muli %a12, %a12 : i32
  %a14 = arith.muli %a13, %a13 : i32
  %a15 = arith.muli %a14, %a14 : i32
  %a16 = arith.muli %a15, %a15 : i32
  %a17 = arith.muli %a16, %a16 : i32
  %a18 = arith.muli %a17, %a17 : i32
  %a19 = arith.muli %a18, %a18 : i32
  %a20 = arith.muli %a19, %a19 : i32
  %a21 = arith.muli %a20, %a20 : i32
  %a22 = arith.muli %a21, %a21 : i32
  %a23 = arith.muli %a22, %a22 : i32
  %a24 = arith.muli %a23, %a23 : i32
  %a25 = arith.muli %a24, %a24 : i32
  %a26 = arith.muli %a25, %a25 : i32
  %a27 = arith.muli %a26, %a26 : i32
  %a28 = arith.muli %a27, %a27 : i32
  %a29 = arith.muli %a28, %a28 : i32
  %a30 = arith.muli %a29, %a29 : i32
  %a31 = arith.muli %a30, %a30 : i32
  %a32 = arith.muli %a31, %a31 : i32
  %a33 = arith.muli %a32, %a32 : i32
  %a34 = arith.muli %a33, %a33 : i32
  %a35 = arith.muli %a34, %a34 : i32
  %a36 = arith.muli %a35, %a35 : i32
  %a37 = arith.muli %a36, %a36 : i32
  %a38 = arith.muli %a37, %a37 : i32
  %a39 = arith.muli %a38, %a38 : i32
  %a40 = arith.muli %a39, %a39 : i32
}
