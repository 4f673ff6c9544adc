// expect: REFUTED load.bounds
// twin: kv_loads.mlir
// The causal end is not cut to the length of the cache: a planted bug in kv_loads.mlir.
!KEYS = !tile.tensor<[KVH, NT] x f32, shared>
!ROWS = !tile.tensor<[MAXSEQ] x f32, shared>
!PKEYS = !tile.partition<[_, _], [KVH, NT] x f32, shared>
!PROWS = !tile.partition<[_], [MAXSEQ] x f32, shared>
tile.kernel @lpt_kv_loads(%keys: !KEYS, %rows: !ROWS)
    symbols [NQB : index, BM : index, BN : index, NHG : index, GROUP : index, QGS : index, KVLEN : index, QSTART : index] grid [NQB, NHG]
    requires [BM >= 1, BN >= 1, QGS >= 1, GROUP >= 1, NHG * GROUP == KVH * QGS,
    KVLEN <= MAXSEQ, NT == ceildiv(MAXSEQ, BN), NHG * GROUP <= 2147483647,
    QSTART + NQB * BM <= 2147483647, KVLEN + BN <= 2147483647] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2147483647 = arith.constant 2147483647 : index
  %p_keys = tile.partition %keys by [_, _] : !KEYS
  %p_rows = tile.partition %rows by [_] : !ROWS
  %QSTART = tile.symbol "QSTART" : index
  %BM = tile.symbol "BM" : index
  %BN = tile.symbol "BN" : index
  %GROUP = tile.symbol "GROUP" : index
  %QGS = tile.symbol "QGS" : index
  %qm = tile.block_id 0
  %hg = tile.block_id 1
  %m_end_1 = arith.addi %qm, %c1 : index
  %m_end_0 = arith.muli %m_end_1, %BM : index
  %m_end = arith.addi %QSTART, %m_end_0 : index
  %fact_0 = arith.cmpi sle, %m_end, %c2147483647 : index
  tile.prove %fact_0, "the causal end counts in 32 bits" : i1
  %end = arith.addi %m_end, %c0 : index
  %tiles = arith.ceildivsi %end, %BN : index
  %head = arith.muli %hg, %GROUP : index
  %kvh = arith.divsi %head, %QGS : index
  scf.for %j = %c0 to %tiles step %c1 {
    %row = arith.muli %j, %BN : index
    %fact_1 = arith.cmpi sle, %row, %c2147483647 : index
    tile.prove %fact_1, "the first row counts in 32 bits" : i1
    %read_0 = tile.load %p_rows[%row] : !PROWS
    %read_1 = tile.load %p_keys[%kvh, %j] : !PKEYS
  }
}
