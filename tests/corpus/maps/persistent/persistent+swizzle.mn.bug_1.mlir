// expect: REFUTED claim.bounds
// twin: persistent+swizzle.mn.mlir
// The last group is taken for a whole one: a planted bug in persistent+swizzle.mn.mlir.
!OUT = !tile.tensor<[gm, gn] x f32, out>
!POUT = !tile.partition<[_, _], [gm, gn] x f32, out>
!PieceOUT = !tile.piece<[_, _] x f32, out>
tile.kernel @persistent_swizzle_mn(%out: !OUT)
    symbols [GM : index, GN : index, NB : index] grid [NB]
    requires [GM >= 1, GN >= 1, NB >= 1, gm * gn <= 2147483647,
    GM * gn <= 2147483647, GM * GN <= 2147483647]
    covers [%out[i, j] by block (mod(div(i, GM) * GM * gn + div(j, GN) * GN * min(gm -
    div(i, GM) * GM, GM) + mod(j, GN) * min(gm - div(i, GM) * GM, GM) + mod(i, GM), NB))
    trips (div(div(i, GM) * GM * gn + div(j, GN) * GN * min(gm - div(i, GM) * GM, GM) +
    mod(j, GN) * min(gm - div(i, GM) * GM, GM) + mod(i, GM), NB))] {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %p_out = tile.partition %out by [_, _] : !OUT
  %gm = tile.symbol "gm" : index
  %gn = tile.symbol "gn" : index
  %NB = tile.symbol "NB" : index
  %GM = tile.symbol "GM" : index
  %GN = tile.symbol "GN" : index
  %p = tile.block_id 0
  %total = arith.muli %gm, %gn : index
  scf.for %t = %p to %total step %NB {
    %band = arith.muli %GM, %gn : index
    %g = arith.divsi %t, %band : index
    %above = arith.muli %g, %GM : index
    %gs = arith.addi %GM, %c0 : index
    %r_0 = arith.muli %g, %band : index
    %r = arith.subi %t, %r_0 : index
    %cap = arith.muli %gs, %GN : index
    %v = arith.divsi %r, %cap : index
    %w = arith.remsi %r, %cap : index
    %i_0 = arith.remsi %w, %gs : index
    %i = arith.addi %above, %i_0 : index
    %j_0 = arith.muli %v, %GN : index
    %j_1 = arith.divsi %w, %gs : index
    %j = arith.addi %j_0, %j_1 : index
    %piece_0 = tile.claim %p_out[%i, %j] : !POUT
    tile.store %one, %piece_0 : !PieceOUT
  }
}
