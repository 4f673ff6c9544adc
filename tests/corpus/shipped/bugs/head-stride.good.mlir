// expect: VERIFIED
// source: huggingface/grout, k_cache and v_cache
// S rows apart.
!C = !tile.tensor<[R, 64] x f32, own>
!PC = !tile.partition<[_, 64], [R, 64] x f32, own>
!SC = !tile.piece<[_, 64] x f32, own>
tile.kernel @head_stride(%c: !C) symbols [H : index, T : index, S : index, pos : index, KV : index]
    grid [H, T] requires [H <= 65536, S <= 1048576, KV == pos, pos + T <= S, H * S <= R] {
  %pc = tile.partition %c by [_, 64] : !C
  %s = tile.symbol "S" : index
  %pos_2 = tile.symbol "pos" : index
  %one = arith.constant dense<1.0> : vector<64xf32>
  %c0 = arith.constant 0 : index
  %h = tile.block_id 0
  %t = tile.block_id 1
  %base = arith.muli %h, %s : index
  %row0 = arith.addi %base, %pos_2 : index
  %row = arith.addi %row0, %t : index
  %o = tile.claim %pc[%row, %c0] : !PC
  tile.store %one, %o : !SC
}
