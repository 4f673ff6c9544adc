// expect: VERIFIED
// A tensor has at most 2^47 bytes, so M * N is at most 2^45.
!X = !tile.tensor<[M, N] x f32, own>
tile.kernel @byte_bound(%x: !X) grid [1] {
  %m = tile.symbol "M" : index
  %n = tile.symbol "N" : index
  %c = arith.constant 100000 : index
  %size = arith.muli %m, %n : index
  %more = arith.muli %size, %c : index
}
