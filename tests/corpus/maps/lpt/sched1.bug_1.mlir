// expect: REFUTED claim.bounds
// twin: sched1.mlir
// The divisor is the other extent: a planted bug in sched1.mlir.
!OUT = !tile.tensor<[NQB, NHG] x f32, out>
!POUT = !tile.partition<[_, _], [NQB, NHG] x f32, out>
!PieceOUT = !tile.piece<[_, _] x f32, out>
tile.kernel @lpt_sched1(%out: !OUT)
    grid [NQB * NHG] {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %p_out = tile.partition %out by [_, _] : !OUT
  %NQB = tile.symbol "NQB" : index
  %t = tile.block_id 0
  %row = arith.divsi %t, %NQB : index
  %hg_0 = arith.muli %row, %NQB : index
  %hg = arith.subi %t, %hg_0 : index
  %qm_0 = arith.subi %NQB, %c1 : index
  %qm = arith.subi %qm_0, %row : index
  %piece_0 = tile.claim %p_out[%qm, %hg] : !POUT
  tile.store %one, %piece_0 : !PieceOUT
}
