// expect: VERIFIED
// Norm and rotation of one token's heads: the query heads (grout,
// qk_norm_rope_kv_decode_f16).
!QKV = !tile.tensor<[W] x f32, shared>
!Q = !tile.tensor<[NQ, 2] x f32, out>
!PQKV = !tile.partition<[_], [W] x f32, shared>
!PQ = !tile.partition<[_, _], [NQ, 2] x f32, out>
!PieceQ = !tile.piece<[_, _] x f32, out>
tile.kernel @decode_q_out(%qkv: !QKV, %q: !Q)
    symbols [NKV : index] grid [NQ + NKV, 2]
    requires [W == 2 * NQ + 4 * NKV, W <= 2147483647] {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %p_qkv = tile.partition %qkv by [_] : !QKV
  %p_q = tile.partition %q by [_, _] : !Q
  %NQ = tile.symbol "NQ" : index
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
  %guard_0 = arith.cmpi slt, %h, %NQ : index
  scf.if %guard_0 {
    %piece_0 = tile.claim %p_q[%lh, %half] : !PQ
    tile.store %one, %piece_0 : !PieceQ
  }
}
