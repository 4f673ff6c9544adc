// As kv_append, where the position stands in device memory, so that a step can be
// replayed as a graph
// any S, H and T >= S, zero included
!N = !tile.tensor<[S, H, 128] x bf16, shared>
!C = !tile.tensor<[H, T, 128] x bf16, own>
!I = !tile.tensor<[1] x i32, shared>
!PN = !tile.partition<[_, _, 128], [S, H, 128] x bf16, shared>
!PI = !tile.partition<[_], [1] x i32, shared>
!PC = !tile.partition<[_, _, 128], [H, T, 128] x bf16, own>
!P = !tile.piece<[_, _, 128] x bf16, own>
tile.kernel @kv_append_dynamic(%pos: !I, %k: !N, %v: !N, %k_cache: !C, %v_cache: !C)
    grid [S, H] requires [S <= T] given [within(%pos, 0, T - S + 1)]
    hints {sm_90 = {occupancy = 8}} {
  %c0 = arith.constant 0 : index
  %s = tile.block_id 0
  %h = tile.block_id 1
  %pp = tile.partition %pos by [_] : !I
  %first = tile.load %pp[%c0] : !PI
  %start = arith.index_cast %first : i32 to index
  %row = arith.addi %start, %s : index
  %pk = tile.partition %k by [_, _, 128] : !N
  %pv = tile.partition %v by [_, _, 128] : !N
  %pkc = tile.partition %k_cache by [_, _, 128] : !C
  %pvc = tile.partition %v_cache by [_, _, 128] : !C
  %k_out = tile.claim %pkc[%h, %row, %c0] : !PC
  %v_out = tile.claim %pvc[%h, %row, %c0] : !PC
  %new_k = tile.load %pk[%s, %h, %c0] : !PN
  %new_v = tile.load %pv[%s, %h, %c0] : !PN
  tile.store %new_k, %k_out : !P
  tile.store %new_v, %v_out : !P
}
