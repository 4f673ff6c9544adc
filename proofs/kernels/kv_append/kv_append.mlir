// Row pos + s of each head of both caches becomes row s of the new keys and
// values, in bf16, heads of 128; other rows stay as they are
// any S, H and T with pos + S <= T, zero included
!N = !tile.tensor<[S, H, 128] x bf16, shared>
!C = !tile.tensor<[H, T, 128] x bf16, own>
!PN = !tile.partition<[_, _, 128], [S, H, 128] x bf16, shared>
!PC = !tile.partition<[_, _, 128], [H, T, 128] x bf16, own>
!P = !tile.piece<[_, _, 128] x bf16, own>
tile.kernel @kv_append(%k: !N, %v: !N, %k_cache: !C, %v_cache: !C) symbols [pos : index]
    grid [S, H] requires [pos + S <= T] hints {sm_90 = {occupancy = 8}} {
  %c0 = arith.constant 0 : index
  %s = tile.block_id 0
  %h = tile.block_id 1
  %start = tile.symbol "pos" : index
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
