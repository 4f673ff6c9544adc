// expect: REFUTED claim.disjoint
// twin: five_digits.mlir
// Two digits are swapped: a planted bug in five_digits.mlir.
!OUT = !tile.tensor<[a, b, c, d, e] x f32, out>
!POUT = !tile.partition<[_, _, _, _, _], [a, b, c, d, e] x f32, out>
!PieceOUT = !tile.piece<[_, _, _, _, _] x f32, out>
tile.kernel @hard_five_digits(%out: !OUT)
    grid [a * b * c * d * e] {
  %one = arith.constant 1.0 : f32
  %p_out = tile.partition %out by [_, _, _, _, _] : !OUT
  %e = tile.symbol "e" : index
  %c = tile.symbol "c" : index
  %d = tile.symbol "d" : index
  %b = tile.symbol "b" : index
  %t = tile.block_id 0
  %t0 = arith.divsi %t, %e : index
  %t1 = arith.divsi %t0, %c : index
  %t2 = arith.divsi %t1, %d : index
  %t3 = arith.divsi %t2, %b : index
  %out_at_0 = arith.remsi %t2, %b : index
  %out_at_1 = arith.remsi %t1, %c : index
  %out_at_2 = arith.remsi %t0, %d : index
  %out_at_3 = arith.remsi %t, %e : index
  %piece_0 = tile.claim %p_out[%t3, %out_at_0, %out_at_1, %out_at_2, %out_at_3] : !POUT
  tile.store %one, %piece_0 : !PieceOUT
}
