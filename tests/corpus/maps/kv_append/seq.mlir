// expect: VERIFIED
// Append SEQ rows at the start of a cache, BM rows a block (cutile-rs,
// kv_cache_update_seq_f16). `fresh` are the rows that are appended.
!CACHE = !tile.tensor<[H, MAXSEQ] x f32, own>
!FRESH = !tile.tensor<[H, SEQ] x f32, out>
!PCACHE = !tile.partition<[_, _], [H, MAXSEQ] x f32, own>
!PFRESH = !tile.partition<[_, _], [H, SEQ] x f32, out>
!PieceCACHE = !tile.piece<[_, _] x f32, own>
!PieceFRESH = !tile.piece<[_, _] x f32, out>
tile.kernel @kv_append_seq(%cache: !CACHE, %fresh: !FRESH)
    symbols [BM : index] grid [H, ceildiv(MAXSEQ, BM)]
    requires [BM >= 1, SEQ <= MAXSEQ, MAXSEQ + BM <= 2147483647] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %p_cache = tile.partition %cache by [_, _] : !CACHE
  %p_fresh = tile.partition %fresh by [_, _] : !FRESH
  %BM = tile.symbol "BM" : index
  %SEQ = tile.symbol "SEQ" : index
  %h = tile.block_id 0
  %b = tile.block_id 1
  scf.for %l = %c0 to %BM step %c1 {
    %row_0 = arith.muli %b, %BM : index
    %row = arith.addi %row_0, %l : index
    %guard_0 = arith.cmpi slt, %row, %SEQ : index
    scf.if %guard_0 {
      %piece_0 = tile.claim %p_cache[%h, %row] : !PCACHE
      tile.store %one, %piece_0 : !PieceCACHE
      %piece_1 = tile.claim %p_fresh[%h, %row] : !PFRESH
      tile.store %one, %piece_1 : !PieceFRESH
    }
  }
}
