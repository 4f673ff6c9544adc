// expect: REFUTED claim.disjoint
// twin: tile.mlir
// The stride is not the grid: a planted bug in tile.mlir.
!OUT = !tile.tensor<[nm, nn] x f32, out>
!ROWS = !tile.tensor<[M] x f32, shared>
!COLUMNS = !tile.tensor<[N] x f32, shared>
!POUT = !tile.partition<[_, _], [nm, nn] x f32, out>
!PROWS = !tile.partition<[_], [M] x f32, shared>
!PCOLUMNS = !tile.partition<[_], [N] x f32, shared>
!PieceOUT = !tile.piece<[_, _] x f32, out>
tile.kernel @group_gemm_tile(%out: !OUT, %rows: !ROWS, %columns: !COLUMNS)
    symbols [S : index, BM : index, BN : index, NB : index] grid [NB + 1]
    requires [BM >= 1, BN >= 1, NB >= 1, nm == ceildiv(M, BM), nn == ceildiv(N, BN),
    S + nm * nn + NB <= 2147483647, M + BM <= 2147483647, N + BN <= 2147483647] {
  %c2147483647 = arith.constant 2147483647 : index
  %one = arith.constant 1.0 : f32
  %p_out = tile.partition %out by [_, _] : !OUT
  %p_rows = tile.partition %rows by [_] : !ROWS
  %p_columns = tile.partition %columns by [_] : !COLUMNS
  %S = tile.symbol "S" : index
  %nm = tile.symbol "nm" : index
  %nn = tile.symbol "nn" : index
  %NB = tile.symbol "NB" : index
  %BM = tile.symbol "BM" : index
  %BN = tile.symbol "BN" : index
  %p = tile.block_id 0
  %end_0 = arith.muli %nm, %nn : index
  %end = arith.addi %S, %end_0 : index
  scf.for %x = %p to %end step %NB {
    %next = arith.addi %x, %NB : index
    %fact_0 = arith.cmpi sle, %next, %c2147483647 : index
    tile.prove %fact_0, "the step after the last counts in 32 bits" : i1
    %guard_0 = arith.cmpi sge, %x, %S : index
    scf.if %guard_0 {
      %t = arith.subi %x, %S : index
      %m = arith.divsi %t, %nn : index
      %n_0 = arith.muli %m, %nn : index
      %n = arith.subi %t, %n_0 : index
      %rows_at_0 = arith.muli %m, %BM : index
      %read_0 = tile.load %p_rows[%rows_at_0] : !PROWS
      %columns_at_0 = arith.muli %n, %BN : index
      %read_1 = tile.load %p_columns[%columns_at_0] : !PCOLUMNS
      %piece_0 = tile.claim %p_out[%m, %n] : !POUT
      tile.store %one, %piece_0 : !PieceOUT
    }
  }
}
