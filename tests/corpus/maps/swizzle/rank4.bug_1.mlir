// expect: REFUTED claim.bounds
// twin: rank4.mlir
// The leading axes are swapped: a planted bug in rank4.mlir.
!OUT = !tile.tensor<[a, b, gm, gn] x f32, out>
!POUT = !tile.partition<[_, _, _, _], [a, b, gm, gn] x f32, out>
!PieceOUT = !tile.piece<[_, _, _, _] x f32, out>
tile.kernel @swizzle_rank4(%out: !OUT)
    symbols [GM : index] grid [a * b * gm * gn]
    requires [GM >= 1, a * b * gm * gn <= 2147483647, GM * gn <= 2147483647]
    covers [%out[u, v, i, j] by block ((u * b + v) * gm * gn + div(i, GM) * GM * gn + j
    * min(gm - div(i, GM) * GM, GM) + mod(i, GM))] {
  %one = arith.constant 1.0 : f32
  %p_out = tile.partition %out by [_, _, _, _] : !OUT
  %gm = tile.symbol "gm" : index
  %gn = tile.symbol "gn" : index
  %a = tile.symbol "a" : index
  %GM = tile.symbol "GM" : index
  %p = tile.block_id 0
  %inner = arith.muli %gm, %gn : index
  %lead = arith.divsi %p, %inner : index
  %t = arith.remsi %p, %inner : index
  %x = arith.divsi %lead, %a : index
  %y = arith.remsi %lead, %a : index
  %band = arith.muli %GM, %gn : index
  %g = arith.divsi %t, %band : index
  %above = arith.muli %g, %GM : index
  %gs_0 = arith.subi %gm, %above : index
  %gs = arith.minsi %gs_0, %GM : index
  %r_0 = arith.muli %g, %band : index
  %r = arith.subi %t, %r_0 : index
  %i_0 = arith.remsi %r, %gs : index
  %i = arith.addi %above, %i_0 : index
  %j = arith.divsi %r, %gs : index
  %piece_0 = tile.claim %p_out[%x, %y, %i, %j] : !POUT
  tile.store %one, %piece_0 : !PieceOUT
}
