// Row pos + s of each head of both caches becomes row s of the new keys and
// values, in bf16, heads of 128; other rows stay as they are
// any S, H and T with pos + S <= T, zero included
// generated from cache.cpp
!K = !tile.tensor<[S, H, 128] x bf16, shared>
!K_cache = !tile.tensor<[H, T, 128] x bf16, own>
!K_cacheTiles = !tile.partition<[_, _, 128], [H, T, 128] x bf16, own>
!KTiles = !tile.partition<[_, _, 128], [S, H, 128] x bf16, shared>
!K_cachePiece = !tile.piece<[_, _, 128] x bf16, own>
tile.kernel @kv_append(%k: !K, %v: !K, %k_cache: !K_cache, %v_cache: !K_cache)
    symbols [pos : index] grid [S, H] requires [pos + S <= T]
    hints {sm_90 = {occupancy = 8}} {
  %c0 = arith.constant 0 : index
  %s = tile.block_id 0
  %h = tile.block_id 1
  %pos = tile.symbol "pos" : index
  %k_tiles = tile.partition %k by [_, _, 128] : !K
  %v_tiles = tile.partition %v by [_, _, 128] : !K
  %k_cache_tiles = tile.partition %k_cache by [_, _, 128] : !K_cache
  %v_cache_tiles = tile.partition %v_cache by [_, _, 128] : !K_cache
  %row = arith.addi %pos, %s : index
  %outV = tile.claim %v_cache_tiles[%h, %row, %c0] : !K_cacheTiles
  %newV = tile.load %v_tiles[%s, %h, %c0] : !KTiles
  %outK = tile.claim %k_cache_tiles[%h, %row, %c0] : !K_cacheTiles
  %newK = tile.load %k_tiles[%s, %h, %c0] : !KTiles
  tile.store %newK, %outK : !K_cachePiece
  tile.store %newV, %outV : !K_cachePiece
}
