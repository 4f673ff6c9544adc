// expect: VERIFIED
// A number taken apart into five digits.
!OUT = !tile.tensor<[a, b, c, d, e] x f32, out>
!POUT = !tile.partition<[_, _, _, _, _], [a, b, c, d, e] x f32, out>
!PieceOUT = !tile.piece<[_, _, _, _, _] x f32, out>
tile.kernel @hard_five_digits(%out: !OUT)
    grid [a * b * c * d * e] {
  %one = arith.constant 1.0 : f32
  %p_out = tile.partition %out by [_, _, _, _, _] : !OUT
  %e = tile.symbol "e" : index
  %d = tile.symbol "d" : index
  %c = tile.symbol "c" : index
  %b = tile.symbol "b" : index
  %t = tile.block_id 0
  %t0 = arith.divsi %t, %e : index
  %t1 = arith.divsi %t0, %d : index
  %t2 = arith.divsi %t1, %c : index
  %t3 = arith.divsi %t2, %b : index
  %out_at_0 = arith.remsi %t2, %b : index
  %out_at_1 = arith.remsi %t1, %c : index
  %out_at_2 = arith.remsi %t0, %d : index
  %out_at_3 = arith.remsi %t, %e : index
  %piece_0 = tile.claim %p_out[%t3, %out_at_0, %out_at_1, %out_at_2, %out_at_3] : !POUT
  tile.store %one, %piece_0 : !PieceOUT
}
