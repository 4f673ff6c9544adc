// expect: VERIFIED
// Where the splits leave their results, all of it written (cutile-rs,
// fmha_decode_gqa_split, att_out).
!PART = !tile.tensor<[KVH, W] x f32, out>
!PPART = !tile.partition<[_, _], [KVH, W] x f32, out>
!PiecePART = !tile.piece<[_, _] x f32, out>
tile.kernel @split_scratch_rows(%part: !PART)
    symbols [NS : index, GROUP : index] grid [KVH, NS, GROUP]
    requires [NS >= 1, GROUP >= 1, W == NS * GROUP, KVH * NS * GROUP <= 2147483647] {
  %one = arith.constant 1.0 : f32
  %p_part = tile.partition %part by [_, _] : !PART
  %GROUP = tile.symbol "GROUP" : index
  %h = tile.block_id 0
  %s = tile.block_id 1
  %g = tile.block_id 2
  %row_0 = arith.muli %s, %GROUP : index
  %row = arith.addi %row_0, %g : index
  %piece_0 = tile.claim %p_part[%h, %row] : !PPART
  tile.store %one, %piece_0 : !PiecePART
}
