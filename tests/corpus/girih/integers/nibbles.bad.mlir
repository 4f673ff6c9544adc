// expect: REFUTED bytes.whole
// twin: nibbles.good.mlir
// Rows of three numbers of 4 bits: a row begins in the byte in which the one
// before it ends.
!Y = !tile.tensor<[M, N] x i4, out>
!YH = !tile.tensor<[M, H, 3] x i4, out>
!PY = !tile.partition<[16, _, 4], [M, H, 3] x i4, out>
!P = !tile.piece<[16, _, 4] x i4, out>
tile.kernel @nibbles(%y: !Y) symbols [H : index] grid [ceildiv(M, 16), H]
    requires [N == 3 * H, mod(H, 2) == 0] {
  %c0 = arith.constant 0 : index
  %i = tile.block_id 0
  %j = tile.block_id 1
  %v = arith.constant dense<1> : vector<16x4xi4>
  %threes = tile.view %y unfold 1 by [H, 3] : !Y
  %py = tile.partition %threes by [16, _, 4] : !YH
  %out = tile.claim %py[%i, %j, %c0] : !PY
  tile.store %v, %out : !P
}
