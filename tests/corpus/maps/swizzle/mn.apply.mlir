// expect: VERIFIED
// The order of swizzle.mn as a map of its own, with its inverse as the witness.
!OUT = !tile.tensor<[gm, gn] x f32, out>
!POUT = !tile.partition<[_, _], [gm, gn] x f32, out>
!PieceOUT = !tile.piece<[_, _] x f32, out>
tile.map @groups(%t) [gm, gn, GM, GN] -> (index, index)
    from [gm * gn] into [gm, gn] bijective {
  %gm = tile.symbol "gm" : index
  %gn = tile.symbol "gn" : index
  %GM = tile.symbol "GM" : index
  %GN = tile.symbol "GN" : index
  %band = arith.muli %GM, %gn : index
  %g = arith.divsi %t, %band : index
  %r = arith.remsi %t, %band : index
  %above = arith.muli %g, %GM : index
  %left = arith.subi %gm, %above : index
  %gs = arith.minsi %left, %GM : index
  %cap = arith.muli %gs, %GN : index
  %v = arith.divsi %r, %cap : index
  %w = arith.remsi %r, %cap : index
  %row = arith.remsi %w, %gs : index
  %i = arith.addi %above, %row : index
  %first = arith.muli %v, %GN : index
  %column = arith.divsi %w, %gs : index
  %j = arith.addi %first, %column : index
  tile.yield %i, %j
} inverse (%i, %j) {
  %gm = tile.symbol "gm" : index
  %gn = tile.symbol "gn" : index
  %GM = tile.symbol "GM" : index
  %GN = tile.symbol "GN" : index
  %g = arith.divsi %i, %GM : index
  %row = arith.remsi %i, %GM : index
  %v = arith.divsi %j, %GN : index
  %column = arith.remsi %j, %GN : index
  %above = arith.muli %g, %GM : index
  %left = arith.subi %gm, %above : index
  %gs = arith.minsi %left, %GM : index
  %band = arith.muli %GM, %gn : index
  %cap = arith.muli %gs, %GN : index
  %bands = arith.muli %g, %band : index
  %groups = arith.muli %v, %cap : index
  %columns = arith.muli %column, %gs : index
  %t_0 = arith.addi %bands, %groups : index
  %t_1 = arith.addi %t_0, %columns : index
  %t = arith.addi %t_1, %row : index
  tile.yield %t
}
tile.kernel @swizzle_mn_apply(%out: !OUT)
    symbols [GM : index, GN : index] grid [gm * gn]
    requires [GM >= 1, GN >= 1, gm * gn <= 2147483647, GM * gn <= 2147483647,
    GM * GN <= 2147483647] {
  %one = arith.constant 1.0 : f32
  %p_out = tile.partition %out by [_, _] : !OUT
  %GM = tile.symbol "GM" : index
  %GN = tile.symbol "GN" : index
  %gm = tile.symbol "gm" : index
  %gn = tile.symbol "gn" : index
  %t = tile.block_id 0
  %i, %j = tile.apply @groups(%t) [%gm, %gn, %GM, %GN] : index, index
  %piece_0 = tile.claim %p_out[%i, %j] : !POUT
  tile.store %one, %piece_0 : !PieceOUT
}
