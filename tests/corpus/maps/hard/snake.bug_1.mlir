// expect: REFUTED claim.bounds
// twin: snake.mlir
// The way back begins one too far: a planted bug in snake.mlir.
!OUT = !tile.tensor<[gm, gn] x f32, out>
!POUT = !tile.partition<[_, _], [gm, gn] x f32, out>
!PieceOUT = !tile.piece<[_, _] x f32, out>
tile.kernel @hard_snake(%out: !OUT)
    grid [gm * gn]
    covers [%out[i, j] by block (i * gn + j + mod(i, 2) * (gn - 1 - 2 * j))] {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %p_out = tile.partition %out by [_, _] : !OUT
  %gn = tile.symbol "gn" : index
  %t = tile.block_id 0
  %m = arith.divsi %t, %gn : index
  %x = arith.remsi %t, %gn : index
  %odd = arith.remsi %m, %c2 : index
  %j_is_0 = arith.cmpi slt, %odd, %c1 : index
  %j_else_0 = arith.subi %gn, %x : index
  %j = arith.select %j_is_0, %x, %j_else_0 : index
  %piece_0 = tile.claim %p_out[%m, %j] : !POUT
  tile.store %one, %piece_0 : !PieceOUT
}
