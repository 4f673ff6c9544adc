// expect: REFUTED claim.bounds
// twin: dynpos.mlir
// Position and length are bounded one by one: a planted bug in dynpos.mlir.
!CACHE = !tile.tensor<[H, MAXSEQ, ND] x f32, own>
!FRESH = !tile.tensor<[H, SEQ, ND] x f32, out>
!PCACHE = !tile.partition<[_, _, _], [H, MAXSEQ, ND] x f32, own>
!PFRESH = !tile.partition<[_, _, _], [H, SEQ, ND] x f32, out>
!PieceCACHE = !tile.piece<[_, _, _] x f32, own>
!PieceFRESH = !tile.piece<[_, _, _] x f32, out>
tile.kernel @kv_append_dynpos(%cache: !CACHE, %fresh: !FRESH)
    symbols [POS : index] grid [H, ND]
    requires [POS <= MAXSEQ, SEQ <= MAXSEQ, MAXSEQ <= 2147483647] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %p_cache = tile.partition %cache by [_, _, _] : !CACHE
  %p_fresh = tile.partition %fresh by [_, _, _] : !FRESH
  %SEQ = tile.symbol "SEQ" : index
  %POS = tile.symbol "POS" : index
  %h = tile.block_id 0
  %d = tile.block_id 1
  scf.for %r = %c0 to %SEQ step %c1 {
    %cache_at_0 = arith.addi %POS, %r : index
    %piece_0 = tile.claim %p_cache[%h, %cache_at_0, %d] : !PCACHE
    tile.store %one, %piece_0 : !PieceCACHE
    %piece_1 = tile.claim %p_fresh[%h, %r, %d] : !PFRESH
    tile.store %one, %piece_1 : !PieceFRESH
  }
}
