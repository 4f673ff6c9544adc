// expect: REFUTED claim.bounds
// twin: stacked.mlir
// The stride of a layer is wrong: a planted bug in stacked.mlir.
!OUT = !tile.tensor<[X, NT, nh, ND] x f32, out>
!POUT = !tile.partition<[_, _, _, _], [X, NT, nh, ND] x f32, out>
!PieceOUT = !tile.piece<[_, _, _, _] x f32, out>
tile.kernel @kvbm_stacked(%out: !OUT)
    symbols [nb : index, nl : index, no : index, nt : index, TT : index] grid [NT, ND]
    requires [nh >= 1, nl >= 1, no >= 1, TT >= 1, NT == ceildiv(nt, TT),
    nb * nh * nl * no <= 2147483647, X == nl * no * nb]
    covers [%out[r, t, h, d] by block (t, d) trips (((div(div(r, no), nl) * nh + h) * nl
    + mod(div(r, no), nl)) * no + mod(r, no))] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %p_out = tile.partition %out by [_, _, _, _] : !OUT
  %nb = tile.symbol "nb" : index
  %nh = tile.symbol "nh" : index
  %nl = tile.symbol "nl" : index
  %no = tile.symbol "no" : index
  %t = tile.block_id 0
  %d = tile.block_id 1
  %total_1 = arith.muli %nb, %nh : index
  %total_0 = arith.muli %total_1, %nl : index
  %total = arith.muli %total_0, %no : index
  scf.for %x = %c0 to %total step %c1 {
    %o = arith.remsi %x, %no : index
    %r = arith.divsi %x, %no : index
    %l = arith.remsi %r, %nl : index
    %r2 = arith.divsi %r, %nl : index
    %h = arith.remsi %r2, %nh : index
    %b = arith.divsi %r2, %nh : index
    %row_2 = arith.muli %nl, %no : index
    %row_1 = arith.muli %row_2, %b : index
    %row_3 = arith.muli %nl, %l : index
    %row_0 = arith.addi %row_1, %row_3 : index
    %row = arith.addi %row_0, %o : index
    %piece_0 = tile.claim %p_out[%row, %t, %h, %d] : !POUT
    tile.store %one, %piece_0 : !PieceOUT
  }
}
