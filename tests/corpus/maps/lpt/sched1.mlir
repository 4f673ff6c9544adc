// expect: VERIFIED
// Longest rows of queries first: block t has the head group t mod NHG and a row of
// tiles counted from the end (grout, fmha_prefill_gqa_lpt_checked, schedule 1).
!OUT = !tile.tensor<[NQB, NHG] x f32, out>
!POUT = !tile.partition<[_, _], [NQB, NHG] x f32, out>
!PieceOUT = !tile.piece<[_, _] x f32, out>
tile.kernel @lpt_sched1(%out: !OUT)
    grid [NQB * NHG] {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %p_out = tile.partition %out by [_, _] : !OUT
  %NHG = tile.symbol "NHG" : index
  %NQB = tile.symbol "NQB" : index
  %t = tile.block_id 0
  %row = arith.divsi %t, %NHG : index
  %hg_0 = arith.muli %row, %NHG : index
  %hg = arith.subi %t, %hg_0 : index
  %qm_0 = arith.subi %NQB, %c1 : index
  %qm = arith.subi %qm_0, %row : index
  %piece_0 = tile.claim %p_out[%qm, %hg] : !POUT
  tile.store %one, %piece_0 : !PieceOUT
}
