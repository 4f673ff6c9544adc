// expect: REFUTED claim.disjoint
// twin: persistent.mlir
// The stride is not the grid: a planted bug in persistent.mlir.
!OUT = !tile.tensor<[T] x f32, out>
!POUT = !tile.partition<[_], [T] x f32, out>
!PieceOUT = !tile.piece<[_] x f32, out>
tile.kernel @persistent(%out: !OUT)
    symbols [NB : index] grid [NB] requires [NB >= 2, T + NB <= 2147483647] {
  %c1 = arith.constant 1 : index
  %c2147483647 = arith.constant 2147483647 : index
  %one = arith.constant 1.0 : f32
  %p_out = tile.partition %out by [_] : !OUT
  %T = tile.symbol "T" : index
  %NB = tile.symbol "NB" : index
  %p = tile.block_id 0
  %t_step = arith.subi %NB, %c1 : index
  scf.for %t = %p to %T step %t_step {
    %next = arith.addi %t, %NB : index
    %fact_0 = arith.cmpi sle, %next, %c2147483647 : index
    tile.prove %fact_0, "the step after the last counts in 32 bits" : i1
    %piece_0 = tile.claim %p_out[%t] : !POUT
    tile.store %one, %piece_0 : !PieceOUT
  }
}
