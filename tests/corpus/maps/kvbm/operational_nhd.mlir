// expect: VERIFIED
// Blocks of a cache to the operational layout; right only for tiles of one token
// (cutile-rs, copy_stacked_to_contiguous_f16).
!OUT = !tile.tensor<[nb, Z, nh, ND] x f32, own>
!POUT = !tile.partition<[_, _, _, _], [nb, Z, nh, ND] x f32, own>
!PieceOUT = !tile.piece<[_, _, _, _] x f32, own>
tile.kernel @kvbm_operational_nhd(%out: !OUT)
    symbols [nl : index, no : index, nt : index, TT : index, NT : index] grid [NT, ND]
    requires [nh >= 1, nl >= 1, no >= 1, TT >= 1, NT == ceildiv(nt, TT),
    nb * nh * nl * no <= 2147483647, Z == ceildiv(nl * no * nt, TT),
    TT == 1, nl * no * nt + TT <= 2147483647] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %p_out = tile.partition %out by [_, _, _, _] : !OUT
  %nb = tile.symbol "nb" : index
  %nh = tile.symbol "nh" : index
  %nl = tile.symbol "nl" : index
  %no = tile.symbol "no" : index
  %nt = tile.symbol "nt" : index
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
    %row_2 = arith.muli %l, %no : index
    %row_1 = arith.addi %row_2, %o : index
    %row_0 = arith.muli %row_1, %nt : index
    %row = arith.addi %row_0, %t : index
    %piece_0 = tile.claim %p_out[%b, %row, %h, %d] : !POUT
    tile.store %one, %piece_0 : !PieceOUT
  }
}
