// Writes the keys and values of S new tokens into a cache in pages of 64 positions,
// each where slots says (vLLM's reshape_and_cache): page slot / 64, line slot mod 64
// any S, H and N, zero and ragged included; no two tokens share a slot
!T = !tile.tensor<[S, H, 128] x bf16, shared>
!C = !tile.tensor<[N, 64, H, 128] x bf16, own>
!I = !tile.tensor<[S] x i64, shared>
!PT = !tile.partition<[_, 8, 128], [S, H, 128] x bf16, shared>
!PI = !tile.partition<[_], [S] x i64, shared>
!PC = !tile.partition<[_, _, 8, 128], [N, 64, H, 128] x bf16, own>
!P = !tile.piece<[_, _, 8, 128] x bf16, own>
tile.kernel @kv_append_paged(%slots: !I, %k: !T, %v: !T, %k_cache: !C, %v_cache: !C)
    grid [S, ceildiv(H, 8)] given [within(%slots, 0, 64 * N), distinct(%slots)]
    hints {sm_90 = {occupancy = 8}} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %s = tile.block_id 0
  %h = tile.block_id 1
  %ps = tile.partition %slots by [_] : !I
  %slot64 = tile.load %ps[%s] : !PI
  %slot = arith.index_cast %slot64 : i64 to index
  %page = arith.divsi %slot, %c64 : index
  %line = arith.remsi %slot, %c64 : index
  %pk = tile.partition %k by [_, 8, 128] : !T
  %pv = tile.partition %v by [_, 8, 128] : !T
  %pkc = tile.partition %k_cache by [_, _, 8, 128] : !C
  %pvc = tile.partition %v_cache by [_, _, 8, 128] : !C
  %k_out = tile.claim %pkc[%page, %line, %h, %c0] : !PC
  %v_out = tile.claim %pvc[%page, %line, %h, %c0] : !PC
  %new_k = tile.load %pk[%s, %h, %c0] pad(zero) : !PT
  %new_v = tile.load %pv[%s, %h, %c0] pad(zero) : !PT
  tile.store %new_k, %k_out : !P
  tile.store %new_v, %v_out : !P
}
