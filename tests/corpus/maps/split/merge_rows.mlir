// expect: VERIFIED
// The rows of partial results that a merge reads: NS splits a head (cutile-rs,
// splitk_reduce_merge).
!PART = !tile.tensor<[R, W] x f32, own>
!PPART = !tile.partition<[_, _], [R, W] x f32, own>
!PiecePART = !tile.piece<[_, _] x f32, own>
tile.kernel @split_merge_rows(%part: !PART)
    symbols [KVH : index, NS : index, GROUP : index] grid [KVH, NS, GROUP]
    requires [R == KVH * NS, W == NS * GROUP, KVH * NS * GROUP <= 2147483647] {
  %c2147483647 = arith.constant 2147483647 : index
  %one = arith.constant 1.0 : f32
  %p_part = tile.partition %part by [_, _] : !PART
  %NS = tile.symbol "NS" : index
  %GROUP = tile.symbol "GROUP" : index
  %h = tile.block_id 0
  %s = tile.block_id 1
  %g = tile.block_id 2
  %row_0 = arith.muli %h, %NS : index
  %row = arith.addi %row_0, %s : index
  %fact_0 = arith.cmpi sle, %row, %c2147483647 : index
  tile.prove %fact_0, "the row counts in 32 bits" : i1
  %part_at_1 = arith.muli %s, %GROUP : index
  %part_at_0 = arith.addi %part_at_1, %g : index
  %piece_0 = tile.claim %p_part[%row, %part_at_0] : !PPART
  tile.store %one, %piece_0 : !PiecePART
}
