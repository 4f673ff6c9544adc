// expect: REFUTED index.width
// twin: byte_bound.good.mlir
// With K = 0 the tensor has no bytes, whatever M * N is.
!X = !tile.tensor<[M, N, K] x f32, own>
tile.kernel @byte_bound(%x: !X) grid [1] {
  %m = tile.symbol "M" : index
  %n = tile.symbol "N" : index
  %c = arith.constant 100000 : index
  %size = arith.muli %m, %n : index
  %more = arith.muli %size, %c : index
}
