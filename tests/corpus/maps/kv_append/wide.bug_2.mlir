// expect: REFUTED load.bounds
// twin: wide.mlir
// The grid takes a ragged tile as well: a planted bug in wide.mlir.
!CACHE = !tile.tensor<[H, NT, 2] x f32, own>
!FRESH = !tile.tensor<[H, NM, 2] x f32, out>
!ROWS = !tile.tensor<[MAXSEQ] x f32, shared>
!SOURCE = !tile.tensor<[SEQ] x f32, shared>
!PCACHE = !tile.partition<[_, _, _], [H, NT, 2] x f32, own>
!PFRESH = !tile.partition<[_, _, _], [H, NM, 2] x f32, out>
!PROWS = !tile.partition<[_], [MAXSEQ] x f32, shared>
!PSOURCE = !tile.partition<[_], [SEQ] x f32, shared>
!PieceCACHE = !tile.piece<[_, _, _] x f32, own>
!PieceFRESH = !tile.piece<[_, _, _] x f32, out>
tile.kernel @kv_append_wide(%cache: !CACHE, %fresh: !FRESH, %rows: !ROWS, %source: !SOURCE)
    symbols [PB : index, BM : index, POS : index] grid [ceildiv(SEQ, BM), H]
    requires [BM >= 1, POS == PB * BM, POS + SEQ <= MAXSEQ,
    NT == ceildiv(MAXSEQ, BM), NM == ceildiv(SEQ, BM), MAXSEQ <= 4096, BM <= 4096] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c2147483647 = arith.constant 2147483647 : index
  %one = arith.constant 1.0 : f32
  %p_cache = tile.partition %cache by [_, _, _] : !CACHE
  %p_fresh = tile.partition %fresh by [_, _, _] : !FRESH
  %p_rows = tile.partition %rows by [_] : !ROWS
  %p_source = tile.partition %source by [_] : !SOURCE
  %POS = tile.symbol "POS" : index
  %BM = tile.symbol "BM" : index
  %PB = tile.symbol "PB" : index
  %m = tile.block_id 0
  %h = tile.block_id 1
  %first = arith.divsi %POS, %BM : index
  %cb = arith.addi %first, %m : index
  %pos_0 = arith.muli %m, %BM : index
  %pos = arith.addi %POS, %pos_0 : index
  %fact_0 = arith.cmpi sle, %pos, %c2147483647 : index
  tile.prove %fact_0, "the position counts in 32 bits" : i1
  %row = arith.muli %cb, %BM : index
  %fact_1 = arith.cmpi eq, %row, %pos : index
  tile.prove %fact_1, "the first row of the tile is the rotary position" : i1
  %last_1 = arith.addi %cb, %c1 : index
  %last_0 = arith.muli %last_1, %BM : index
  %last = arith.subi %last_0, %c1 : index
  %read_0 = tile.load %p_rows[%last] : !PROWS
  %taken_1 = arith.addi %m, %c1 : index
  %taken_0 = arith.muli %taken_1, %BM : index
  %taken = arith.subi %taken_0, %c1 : index
  %read_1 = tile.load %p_source[%taken] : !PSOURCE
  scf.for %half = %c0 to %c2 step %c1 {
    %piece_0 = tile.claim %p_cache[%h, %cb, %half] : !PCACHE
    tile.store %one, %piece_0 : !PieceCACHE
    %fresh_at_0 = arith.subi %cb, %PB : index
    %piece_1 = tile.claim %p_fresh[%h, %fresh_at_0, %half] : !PFRESH
    tile.store %one, %piece_1 : !PieceFRESH
  }
}
