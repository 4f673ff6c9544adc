// expect: VERIFIED
// The order of swizzle.m down to elements, tiles BM by BN, ragged at the edges.
!OUT = !tile.tensor<[M, N] x f32, out>
!POUT = !tile.partition<[_, _], [M, N] x f32, out>
!PieceOUT = !tile.piece<[_, _] x f32, out>
tile.kernel @hard_swizzle_elements(%out: !OUT)
    symbols [BM : index, BN : index, GM : index, gm : index, gn : index] grid [gm * gn]
    requires [BM >= 1, BN >= 1, GM >= 1, gm == ceildiv(M, BM), gn == ceildiv(N, BN),
    GM * gn <= 2147483647]
    covers [%out[r, c] by block (div(div(r, BM), GM) * GM * gn
        + div(c, BN) * min(gm - div(div(r, BM), GM) * GM, GM) + mod(div(r, BM), GM))
        trips (mod(r, BM), mod(c, BN))] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %p_out = tile.partition %out by [_, _] : !OUT
  %GM = tile.symbol "GM" : index
  %gn = tile.symbol "gn" : index
  %gm = tile.symbol "gm" : index
  %BM = tile.symbol "BM" : index
  %BN = tile.symbol "BN" : index
  %M = tile.symbol "M" : index
  %N = tile.symbol "N" : index
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
  %fact_0 = arith.cmpi slt, %i, %gm : index
  tile.prove %fact_0, "the row of tiles exists" : i1
  %fact_1 = arith.cmpi slt, %j, %gn : index
  tile.prove %fact_1, "so does the column" : i1
  %top = arith.muli %i, %BM : index
  %left = arith.muli %j, %BN : index
  scf.for %r0 = %c0 to %BM step %c1 {
    %row = arith.addi %top, %r0 : index
    %guard_0 = arith.cmpi slt, %row, %M : index
    scf.if %guard_0 {
      scf.for %c = %c0 to %BN step %c1 {
        %column = arith.addi %left, %c : index
        %guard_1 = arith.cmpi slt, %column, %N : index
        scf.if %guard_1 {
          %piece_0 = tile.claim %p_out[%row, %column] : !POUT
          tile.store %one, %piece_0 : !PieceOUT
        }
      }
    }
  }
}
