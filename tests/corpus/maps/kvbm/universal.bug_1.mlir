// expect: REFUTED claim.bounds
// twin: universal.mlir
// The fold takes layers for slots: a planted bug in universal.mlir.
!OUT = !tile.tensor<[nb, X, NT, ND] x f32, out>
!POUT = !tile.partition<[_, _, _, _], [nb, X, NT, ND] x f32, out>
!PieceOUT = !tile.piece<[_, _, _, _] x f32, out>
tile.kernel @kvbm_universal(%out: !OUT)
    symbols [nh : index, nl : index, no : index, nt : index, TT : index] grid [NT, ND]
    requires [nh >= 1, nl >= 1, no >= 1, TT >= 1, NT == ceildiv(nt, TT),
    nb * nh * nl * no <= 2147483647, X == nh * nl * no]
    covers [%out[i, r, t, d] by block (t, d) trips (i * nh * nl * no + r)] {
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
    %o = arith.remsi %x, %nl : index
    %r = arith.divsi %x, %nl : index
    %l = arith.remsi %r, %nl : index
    %r2 = arith.divsi %r, %nl : index
    %h = arith.remsi %r2, %nh : index
    %b = arith.divsi %r2, %nh : index
    %row_2 = arith.muli %h, %nl : index
    %row_1 = arith.addi %row_2, %l : index
    %row_0 = arith.muli %row_1, %nl : index
    %row = arith.addi %row_0, %o : index
    %piece_0 = tile.claim %p_out[%b, %row, %t, %d] : !POUT
    tile.store %one, %piece_0 : !PieceOUT
  }
}
