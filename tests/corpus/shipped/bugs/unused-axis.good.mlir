// expect: VERIFIED
// source: huggingface/grout, KV append
// One block on that axis.
!C = !tile.tensor<[H, S, 64] x f32, own>
!PC = !tile.partition<[_, _, 64], [H, S, 64] x f32, own>
!SC = !tile.piece<[_, _, 64] x f32, own>
tile.kernel @unused_axis(%c: !C) symbols [pos : index, B : index] grid [H, B] requires [pos < S, B <= 1] {
  %pc = tile.partition %c by [_, _, 64] : !C
  %one = arith.constant dense<1.0> : vector<64xf32>
  %c0 = arith.constant 0 : index
  %pos_2 = tile.symbol "pos" : index
  %h = tile.block_id 0
  %o = tile.claim %pc[%h, %pos_2, %c0] : !PC
  tile.store %one, %o : !SC
}
