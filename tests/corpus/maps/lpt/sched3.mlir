// expect: VERIFIED
// Longest rows first, in sections of S head groups that share the L2 cache; the last
// section is ragged (grout, fmha_prefill_gqa_lpt_checked, schedules 3 and 4).
!OUT = !tile.tensor<[NQB, NHG] x f32, out>
!POUT = !tile.partition<[_, _], [NQB, NHG] x f32, out>
!PieceOUT = !tile.piece<[_, _] x f32, out>
tile.map @lpt(%t) [NQB, NHG, S] -> (index, index)
    from [NQB * NHG] into [NQB, NHG] bijective {
  %c1 = arith.constant 1 : index
  %S = tile.symbol "S" : index
  %NQB = tile.symbol "NQB" : index
  %NHG = tile.symbol "NHG" : index
  %l2 = arith.muli %S, %NQB : index
  %q = arith.divsi %NHG, %S : index
  %part = arith.remsi %NHG, %S : index
  %r = arith.maxsi %part, %c1 : index
  %b = arith.divsi %t, %l2 : index
  %rest = arith.remsi %t, %l2 : index
  %whole = arith.cmpi slt, %b, %q : index
  %span = arith.select %whole, %S, %r : index
  %row = arith.divsi %rest, %span : index
  %in = arith.remsi %rest, %span : index
  %first = arith.muli %b, %S : index
  %hg = arith.addi %first, %in : index
  %last = arith.subi %NQB, %c1 : index
  %qm = arith.subi %last, %row : index
  tile.yield %qm, %hg
} inverse (%qm, %hg) {
  %c1 = arith.constant 1 : index
  %S = tile.symbol "S" : index
  %NQB = tile.symbol "NQB" : index
  %NHG = tile.symbol "NHG" : index
  %l2 = arith.muli %S, %NQB : index
  %q = arith.divsi %NHG, %S : index
  %part = arith.remsi %NHG, %S : index
  %r = arith.maxsi %part, %c1 : index
  %last = arith.subi %NQB, %c1 : index
  %row = arith.subi %last, %qm : index
  %b = arith.divsi %hg, %S : index
  %in = arith.remsi %hg, %S : index
  %whole = arith.cmpi slt, %b, %q : index
  %span = arith.select %whole, %S, %r : index
  %section = arith.muli %b, %l2 : index
  %above = arith.muli %row, %span : index
  %rest = arith.addi %above, %in : index
  %t = arith.addi %section, %rest : index
  tile.yield %t
}
tile.kernel @lpt_sched3(%out: !OUT)
    symbols [S : index] grid [NQB * NHG]
    requires [S >= 1, S <= NHG, NQB * NHG <= 2147483647] {
  %one = arith.constant 1.0 : f32
  %most = arith.constant 2147483647 : index
  %p_out = tile.partition %out by [_, _] : !OUT
  %S = tile.symbol "S" : index
  %NQB = tile.symbol "NQB" : index
  %NHG = tile.symbol "NHG" : index
  %t = tile.block_id 0
  %l2 = arith.muli %S, %NQB : index
  %narrow = arith.cmpi sle, %l2, %most : index
  tile.prove %narrow, "a section counts in 32 bits" : i1
  %qm, %hg = tile.apply @lpt(%t) [%NQB, %NHG, %S] : index, index
  %piece = tile.claim %p_out[%qm, %hg] : !POUT
  tile.store %one, %piece : !PieceOUT
}
