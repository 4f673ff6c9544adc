// Causal attention of S new positions, from pos on, over a cache of keys and values
// that already holds them; R heads of the queries share one of the G heads of the
// cache. With a running maximum and sum; tiles of keys that every row of a block
// sees whole are taken without a mask; in bf16, sums in f32, heads of 128, scale
// above 0
// any S, H = G * R and T >= pos + S, zero and ragged included
!Q = !tile.tensor<[S, H, 128] x bf16, shared>
!K = !tile.tensor<[G, T, 128] x bf16, shared>
!Y = !tile.tensor<[S, H, 128] x bf16, out>
!PQ = !tile.partition<[64, _, 128], [S, H, 128] x bf16, shared>
!V = !tile.tensor<[G, ?, 128] x bf16, shared>
!PK = !tile.partition<[_, 128, 128], [G, ?, 128] x bf16, shared>
!PY = !tile.partition<[64, _, 128], [S, H, 128] x bf16, out>
!P = !tile.piece<[64, _, 128] x bf16, out>
tile.kernel @attention_prefill_gqa(%q: !Q, %k: !K, %v: !K, %y: !Y, %scale: f32)
    symbols [R : index, pos : index] grid [ceildiv(S, 64), H]
    requires [H == G * R, pos + S <= T]
    hints {sm_90 = {occupancy = 2}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %least = arith.constant -128 : index
  %most = arith.constant 128 : index
  %log2e = arith.constant 1.44269504 : f32
  %zero = arith.constant dense<0.0> : vector<64x128xf32>
  %never = arith.constant dense<0xFF800000> : vector<64x128xf32>
  %floor = arith.constant dense<-1.0e30> : vector<64x1xf32>
  %none = arith.constant dense<0.0> : vector<64x1xf32>
  %tiny = arith.constant dense<1.0e-30> : vector<64x1xf32>
  %rows = tile.iota 0 : vector<64x128xi32>
  %cols = tile.iota 1 : vector<64x128xi32>
  %factor = arith.mulf %scale, %log2e : f32
  %factors = vector.broadcast %factor : f32 to vector<64x1xf32>
  %scales = vector.broadcast %factor : f32 to vector<64x128xf32>
  %i = tile.block_id 0
  %h = tile.block_id 1
  %group = tile.symbol "R" : index
  %start = tile.symbol "pos" : index
  %new = tile.symbol "S" : index
  %kv = arith.divsi %h, %group : index
  %pq = tile.partition %q by [64, _, 128] : !Q
  %py = tile.partition %y by [64, _, 128] : !Y
  %out = tile.claim %py[%i, %h, %c0] : !PY
  %query = tile.load %pq[%i, %h, %c0] pad(zero) : !PQ

  // Keys that some row of this tile sees, and tiles that all rows see whole.
  %first = arith.muli %i, %c64 : index
  %row0 = arith.addi %start, %first : index
  %end = arith.addi %row0, %c64 : index
  %length = arith.addi %start, %new : index
  // Behind the length the cache may hold anything, NaN too: it reads as 0.
  %keys_there = tile.view %k slice [0, 0, 0] size [G, %length, 128] : !K
  %values_there = tile.view %v slice [0, 0, 0] size [G, %length, 128] : !K
  %pk = tile.partition %keys_there by [_, 128, 128] : !V
  %pv = tile.partition %values_there by [_, 128, 128] : !V
  %last = arith.minsi %end, %length : index
  %n = arith.ceildivsi %last, %c128 : index
  %full = arith.divsi %row0, %c128 : index

  %max, %sum, %total = scf.for %j = %c0 to %full step %c1
      iter_args(%m = %floor, %l = %none, %acc = %zero)
      -> (vector<64x1xf32>, vector<64x1xf32>, vector<64x128xf32>) {
    %keys = tile.load %pk[%kv, %j, %c0] pad(zero) : !PK
    %turned = vector.transpose %keys, [1, 0] : vector<128x128xbf16> to vector<128x128xbf16>
    %product = tile.mma %query, %turned, %zero : vector<64x128xbf16>, vector<128x128xbf16>, vector<64x128xf32>
    %top = tile.reduce max %product, 1 keep : vector<64x128xf32>
    %peak = arith.mulf %top, %factors : vector<64x1xf32>
    %m1 = arith.maximumf %m, %peak : vector<64x1xf32>
    %less = arith.negf %m1 : vector<64x1xf32>
    %shift = vector.broadcast %less : vector<64x1xf32> to vector<64x128xf32>
    %below = math.fma %product, %scales, %shift : vector<64x128xf32>
    %e = math.exp2 %below fastmath<afn> : vector<64x128xf32>
    %fall = arith.subf %m, %m1 : vector<64x1xf32>
    %alpha = math.exp2 %fall fastmath<afn> : vector<64x1xf32>
    %esum = tile.reduce add %e, 1 keep : vector<64x128xf32>
    %old = arith.mulf %l, %alpha : vector<64x1xf32>
    %l1 = arith.addf %old, %esum : vector<64x1xf32>
    %alphas = vector.broadcast %alpha : vector<64x1xf32> to vector<64x128xf32>
    %kept = arith.mulf %acc, %alphas : vector<64x128xf32>
    %e16 = arith.truncf %e : vector<64x128xf32> to vector<64x128xbf16>
    %values = tile.load %pv[%kv, %j, %c0] pad(zero) : !PK
    %acc1 = tile.mma %e16, %values, %kept : vector<64x128xbf16>, vector<128x128xbf16>, vector<64x128xf32>
    scf.yield %m1, %l1, %acc1 : vector<64x1xf32>, vector<64x1xf32>, vector<64x128xf32>
  }
  %last_max, %last_sum, %last_total = scf.for %j = %full to %n step %c1
      iter_args(%m = %max, %l = %sum, %acc = %total)
      -> (vector<64x1xf32>, vector<64x1xf32>, vector<64x128xf32>) {
    %keys = tile.load %pk[%kv, %j, %c0] pad(zero) : !PK
    %turned = vector.transpose %keys, [1, 0] : vector<128x128xbf16> to vector<128x128xbf16>
    %product = tile.mma %query, %turned, %zero : vector<64x128xbf16>, vector<128x128xbf16>, vector<64x128xf32>
    %scaled = arith.mulf %product, %scales : vector<64x128xf32>
    // Key c of the tile is seen by row r when c <= r + d; beyond the tile, any d does.
    %behind = arith.muli %j, %c128 : index
    %ahead = arith.subi %row0, %behind : index
    %above = arith.maxsi %ahead, %least : index
    %d = arith.minsi %above, %most : index
    %d32 = arith.index_cast %d : index to i32
    %shifts = vector.broadcast %d32 : i32 to vector<64x128xi32>
    %limit = arith.addi %rows, %shifts : vector<64x128xi32>
    %seen = arith.cmpi sle, %cols, %limit : vector<64x128xi32>
    %score = arith.select %seen, %scaled, %never : vector<64x128xi1>, vector<64x128xf32>
    %top = tile.reduce max %score, 1 keep : vector<64x128xf32>
    %m1 = arith.maximumf %m, %top : vector<64x1xf32>
    %m1s = vector.broadcast %m1 : vector<64x1xf32> to vector<64x128xf32>
    %below = arith.subf %score, %m1s : vector<64x128xf32>
    %e = math.exp2 %below fastmath<afn> : vector<64x128xf32>
    %fall = arith.subf %m, %m1 : vector<64x1xf32>
    %alpha = math.exp2 %fall fastmath<afn> : vector<64x1xf32>
    %esum = tile.reduce add %e, 1 keep : vector<64x128xf32>
    %old = arith.mulf %l, %alpha : vector<64x1xf32>
    %l1 = arith.addf %old, %esum : vector<64x1xf32>
    %alphas = vector.broadcast %alpha : vector<64x1xf32> to vector<64x128xf32>
    %kept = arith.mulf %acc, %alphas : vector<64x128xf32>
    %e16 = arith.truncf %e : vector<64x128xf32> to vector<64x128xbf16>
    %values = tile.load %pv[%kv, %j, %c0] pad(zero) : !PK
    %acc1 = tile.mma %e16, %values, %kept : vector<64x128xbf16>, vector<128x128xbf16>, vector<64x128xf32>
    scf.yield %m1, %l1, %acc1 : vector<64x1xf32>, vector<64x1xf32>, vector<64x128xf32>
  }
  %safe = arith.maximumf %last_sum, %tiny : vector<64x1xf32>
  %sums = vector.broadcast %safe : vector<64x1xf32> to vector<64x128xf32>
  %mean = arith.divf %last_total, %sums : vector<64x128xf32>
  %narrow = arith.truncf %mean : vector<64x128xf32> to vector<64x128xbf16>
  tile.store %narrow, %out : !P
}
