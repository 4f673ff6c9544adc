// expect: VERIFIED
// Tiles in groups of GM rows, the last group ragged (cutile-rs,
// swizzle_partition_index_2d [GM, 1]).
!OUT = !tile.tensor<[gm, gn] x f32, out>
!POUT = !tile.partition<[_, _], [gm, gn] x f32, out>
!PieceOUT = !tile.piece<[_, _] x f32, out>
tile.kernel @swizzle_m(%out: !OUT)
    symbols [GM : index] grid [gm * gn]
    requires [GM >= 1, gm * gn <= 2147483647, GM * gn <= 2147483647]
    covers [%out[i, j] by block (div(i, GM) * GM * gn + j * min(gm - div(i, GM) * GM,
    GM) + mod(i, GM))] {
  %c2147483647 = arith.constant 2147483647 : index
  %one = arith.constant 1.0 : f32
  %p_out = tile.partition %out by [_, _] : !OUT
  %GM = tile.symbol "GM" : index
  %gn = tile.symbol "gn" : index
  %gm = tile.symbol "gm" : index
  %t = tile.block_id 0
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
  %fact_0 = arith.cmpi sle, %band, %c2147483647 : index
  tile.prove %fact_0, "a band counts in 32 bits" : i1
  %piece_0 = tile.claim %p_out[%i, %j] : !POUT
  tile.store %one, %piece_0 : !PieceOUT
}
