// expect: REFUTED prove.holds
// twin: unaligned-append.good.mlir
// source: huggingface/grout, KV append
// Tiles of 16 tokens from position pos on, found at tile pos / 16.
!C = !tile.tensor<[H, S, 64] x f32, own>
!PC = !tile.partition<[_, 16, 64], [H, S, 64] x f32, own>
!SC = !tile.piece<[_, 16, 64] x f32, own>
tile.kernel @unaligned_append(%c: !C) symbols [pos : index, T : index]
    grid [H, T] requires [pos + 16 * T <= S] {
  %pc = tile.partition %c by [_, 16, 64] : !C
  %pos_2 = tile.symbol "pos" : index
  %c16 = arith.constant 16 : index
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1.0> : vector<16x64xf32>
  %h = tile.block_id 0
  %j = tile.block_id 1
  %base = arith.divsi %pos_2, %c16 : index
  %tile = arith.addi %base, %j : index
  %first = arith.muli %tile, %c16 : index
  %wanted = arith.muli %j, %c16 : index
  %position = arith.addi %wanted, %pos_2 : index
  %right = arith.cmpi eq, %first, %position : index
  tile.prove %right, "the row of a token is its position" : i1
  %o = tile.claim %pc[%h, %tile, %c0] : !PC
  tile.store %one, %o : !SC
}
