// expect: REFUTED claim.bounds
// twin: kv_cache.mlir
// The position is not bounded: a planted bug in kv_cache.mlir.
!QKV = !tile.tensor<[W] x f32, shared>
!CACHE = !tile.tensor<[NKV, MAXSEQ, 2] x f32, own>
!FRESH = !tile.tensor<[NKV, 2] x f32, out>
!PQKV = !tile.partition<[_], [W] x f32, shared>
!PCACHE = !tile.partition<[_, _, _], [NKV, MAXSEQ, 2] x f32, own>
!PFRESH = !tile.partition<[_, _], [NKV, 2] x f32, out>
!PieceCACHE = !tile.piece<[_, _, _] x f32, own>
!PieceFRESH = !tile.piece<[_, _] x f32, out>
tile.kernel @decode_kv_cache(%qkv: !QKV, %cache: !CACHE, %fresh: !FRESH)
    symbols [NQ : index, POS : index] grid [NQ + NKV, 2]
    requires [W == 2 * NQ + 4 * NKV, W <= 2147483647]
    covers [%fresh[i, j] by block (i + NQ, j)] {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %p_qkv = tile.partition %qkv by [_] : !QKV
  %p_cache = tile.partition %cache by [_, _, _] : !CACHE
  %p_fresh = tile.partition %fresh by [_, _] : !FRESH
  %NQ = tile.symbol "NQ" : index
  %NKV = tile.symbol "NKV" : index
  %POS = tile.symbol "POS" : index
  %h = tile.block_id 0
  %half = tile.block_id 1
  %lh_is_0 = arith.cmpi slt, %h, %NQ : index
  %lh_else_0 = arith.subi %h, %NQ : index
  %lh = arith.select %lh_is_0, %h, %lh_else_0 : index
  %x_is_0 = arith.cmpi slt, %h, %NQ : index
  %x_then_0 = arith.muli %lh, %c2 : index
  %x_else_1 = arith.muli %NQ, %c2 : index
  %x_else_2 = arith.muli %lh, %c2 : index
  %x_else_0 = arith.addi %x_else_1, %x_else_2 : index
  %x = arith.select %x_is_0, %x_then_0, %x_else_0 : index
  %read_0 = tile.load %p_qkv[%x] : !PQKV
  %qkv_at_0 = arith.addi %x, %c1 : index
  %read_1 = tile.load %p_qkv[%qkv_at_0] : !PQKV
  %guard_0 = arith.cmpi sge, %h, %NQ : index
  scf.if %guard_0 {
    %v_2 = arith.muli %NQ, %c2 : index
    %v_3 = arith.muli %NKV, %c2 : index
    %v_1 = arith.addi %v_2, %v_3 : index
    %v_4 = arith.muli %lh, %c2 : index
    %v_0 = arith.addi %v_1, %v_4 : index
    %v = arith.addi %v_0, %half : index
    %read_2 = tile.load %p_qkv[%v] : !PQKV
    %piece_0 = tile.claim %p_cache[%lh, %POS, %half] : !PCACHE
    tile.store %one, %piece_0 : !PieceCACHE
    %piece_1 = tile.claim %p_fresh[%lh, %half] : !PFRESH
    tile.store %one, %piece_1 : !PieceFRESH
  }
}
