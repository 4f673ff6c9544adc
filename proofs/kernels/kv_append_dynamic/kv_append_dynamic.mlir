// As kv_append, where the position stands in device memory, so that a step can
// be replayed as a graph
// any S, H and T >= S, zero included
// generated from cache.cpp
!Pos = !tile.tensor<[1] x i32, shared>
!K = !tile.tensor<[S, H, 128] x bf16, shared>
!K_cache = !tile.tensor<[H, T, 128] x bf16, own>
!PosTiles = !tile.partition<[_], [1] x i32, shared>
!K_cacheTiles = !tile.partition<[_, _, 128], [H, T, 128] x bf16, own>
!KTiles = !tile.partition<[_, _, 128], [S, H, 128] x bf16, shared>
!K_cachePiece = !tile.piece<[_, _, 128] x bf16, own>
tile.kernel @kv_append_dynamic(%pos: !Pos, %k: !K, %v: !K, %k_cache: !K_cache, %v_cache: !K_cache)
    grid [S, H] requires [S <= T] given [within(%pos, 0, T - S + 1)]
    hints {sm_90 = {occupancy = 8}} {
  %c0 = arith.constant 0 : index
  %s = tile.block_id 0
  %h = tile.block_id 1
  %pos_tiles = tile.partition %pos by [_] : !Pos
  %k_tiles = tile.partition %k by [_, _, 128] : !K
  %v_tiles = tile.partition %v by [_, _, 128] : !K
  %k_cache_tiles = tile.partition %k_cache by [_, _, 128] : !K_cache
  %v_cache_tiles = tile.partition %v_cache by [_, _, 128] : !K_cache
  %tile = tile.load %pos_tiles[%c0] : !PosTiles
  %start = arith.index_cast %tile : i32 to index
  %row = arith.addi %start, %s : index
  %outV = tile.claim %v_cache_tiles[%h, %row, %c0] : !K_cacheTiles
  %newV = tile.load %v_tiles[%s, %h, %c0] : !KTiles
  %outK = tile.claim %k_cache_tiles[%h, %row, %c0] : !K_cacheTiles
  %newK = tile.load %k_tiles[%s, %h, %c0] : !KTiles
  tile.store %newK, %outK : !K_cachePiece
  tile.store %newV, %outV : !K_cachePiece
}
