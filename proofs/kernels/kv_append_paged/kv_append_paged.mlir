// Writes the keys and values of S new tokens into a cache in pages of 64
// positions, each where slots says (vLLM's reshape_and_cache): page slot / 64,
// line slot mod 64
// any S, H and N, zero and ragged included; no two tokens share a slot
// generated from cache.cpp
!Slots = !tile.tensor<[S] x i64, shared>
!K = !tile.tensor<[S, H, 128] x bf16, shared>
!K_cache = !tile.tensor<[N, 64, H, 128] x bf16, own>
!SlotsTiles = !tile.partition<[_], [S] x i64, shared>
!K_cacheTiles = !tile.partition<[_, _, 8, 128], [N, 64, H, 128] x bf16, own>
!KTiles = !tile.partition<[_, 8, 128], [S, H, 128] x bf16, shared>
!K_cachePiece = !tile.piece<[_, _, 8, 128] x bf16, own>
tile.kernel @kv_append_paged(%slots: !Slots, %k: !K, %v: !K, %k_cache: !K_cache, %v_cache: !K_cache)
    grid [S, ceildiv(H, 8)] given [within(%slots, 0, 64 * N), distinct(%slots)]
    hints {sm_90 = {occupancy = 8}} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %s = tile.block_id 0
  %h = tile.block_id 1
  %slots_tiles = tile.partition %slots by [_] : !Slots
  %k_tiles = tile.partition %k by [_, 8, 128] : !K
  %v_tiles = tile.partition %v by [_, 8, 128] : !K
  %k_cache_tiles = tile.partition %k_cache by [_, _, 8, 128] : !K_cache
  %v_cache_tiles = tile.partition %v_cache by [_, _, 8, 128] : !K_cache
  %tile = tile.load %slots_tiles[%s] : !SlotsTiles
  %slot = arith.index_cast %tile : i64 to index
  %number = arith.divsi %slot, %c64 : index
  %line = arith.remsi %slot, %c64 : index
  %outV = tile.claim %v_cache_tiles[%number, %line, %h, %c0] : !K_cacheTiles
  %newV = tile.load %v_tiles[%s, %h, %c0] pad(zero) : !KTiles
  %outK = tile.claim %k_cache_tiles[%number, %line, %h, %c0] : !K_cacheTiles
  %newK = tile.load %k_tiles[%s, %h, %c0] pad(zero) : !KTiles
  tile.store %newK, %outK : !K_cachePiece
  tile.store %newV, %outV : !K_cachePiece
}
