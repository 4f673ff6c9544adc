// expect: REFUTED claim.bounds
// twin: lpt_batch_persistent.mlir
// The last section is taken for a whole one: a planted bug in lpt_batch_persistent.mlir.
!OUT = !tile.tensor<[B, H, NQB] x f32, out>
!POUT = !tile.partition<[_, _, _], [B, H, NQB] x f32, out>
!PieceOUT = !tile.piece<[_, _, _] x f32, out>
tile.kernel @hard_lpt_batch_persistent(%out: !OUT)
    symbols [S : index, NB : index, NHG : index] grid [NB]
    requires [NB >= 1, H >= 1, S >= 1, NHG == B * H, S <= NHG, NQB * NHG <= 2147483647]
    covers [%out[b, h, q] by block (mod(div(b * H + h, S) * S * NQB + (NQB - 1 - q)
        * min(NHG - div(b * H + h, S) * S, S) + mod(b * H + h, S), NB))
        trips (div(div(b * H + h, S) * S * NQB + (NQB - 1 - q)
        * min(NHG - div(b * H + h, S) * S, S) + mod(b * H + h, S), NB))] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %p_out = tile.partition %out by [_, _, _] : !OUT
  %NQB = tile.symbol "NQB" : index
  %NHG = tile.symbol "NHG" : index
  %NB = tile.symbol "NB" : index
  %S = tile.symbol "S" : index
  %H = tile.symbol "H" : index
  %p = tile.block_id 0
  %total = arith.muli %NQB, %NHG : index
  scf.for %t = %p to %total step %NB {
    %l2 = arith.muli %S, %NQB : index
    %q = arith.divsi %NHG, %S : index
    %part = arith.remsi %NHG, %S : index
    %r = arith.maxsi %part, %c1 : index
    %b = arith.divsi %t, %l2 : index
    %rest_0 = arith.muli %b, %l2 : index
    %rest = arith.subi %t, %rest_0 : index
    %span = arith.addi %S, %c0 : index
    %row = arith.divsi %rest, %span : index
    %hg_0 = arith.muli %b, %S : index
    %hg_2 = arith.muli %row, %span : index
    %hg_1 = arith.subi %rest, %hg_2 : index
    %hg = arith.addi %hg_0, %hg_1 : index
    %qm_0 = arith.subi %NQB, %c1 : index
    %qm = arith.subi %qm_0, %row : index
    %bb = arith.divsi %hg, %H : index
    %hh = arith.remsi %hg, %H : index
    %piece_0 = tile.claim %p_out[%bb, %hh, %qm] : !POUT
    tile.store %one, %piece_0 : !PieceOUT
  }
}
