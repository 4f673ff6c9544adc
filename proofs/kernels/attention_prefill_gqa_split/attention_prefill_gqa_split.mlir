// As attention_prefill_gqa, for few queries and many keys: the tiles of keys are dealt
// to P splits, each of which leaves its mean and the logarithm (base 2) of its
// weight for attention_merge; a split without keys leaves 0 and -inf
// in bf16, sums in f32, heads of 128
// any S, H = G * R and T >= pos + S, zero and ragged included
!Q = !tile.tensor<[S, H, 128] x bf16, shared>
!K = !tile.tensor<[G, T, 128] x bf16, shared>
!Y = !tile.tensor<[S, P, H, 128] x f32, out>
!L = !tile.tensor<[S, P, H] x f32, out>
!PQ = !tile.partition<[128, _, 128], [S, H, 128] x bf16, shared>
!V = !tile.tensor<[G, ?, 128] x bf16, shared>
!PK = !tile.partition<[_, 128, 128], [G, ?, 128] x bf16, shared>
!PY = !tile.partition<[128, _, _, 128], [S, P, H, 128] x f32, out>
!PL = !tile.partition<[128, _, _], [S, P, H] x f32, out>
!OY = !tile.piece<[128, _, _, 128] x f32, out>
!OL = !tile.piece<[128, _, _] x f32, out>
tile.kernel @attention_prefill_gqa_split(%q: !Q, %k: !K, %v: !K, %partial: !Y, %lse: !L, %scale: f32)
    symbols [R : index, pos : index] grid [ceildiv(S, 128), H, P]
    requires [H == G * R, pos + S <= T]
    hints {sm_90 = {worker_warps = 8, occupancy = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %least = arith.constant -128 : index
  %most = arith.constant 128 : index
  %log2e = arith.constant 1.44269504 : f32
  %zero = arith.constant dense<0.0> : vector<128x128xf32>
  %nothing = arith.constant dense<0.0> : vector<128x128xf32>
  %never = arith.constant dense<0xFF800000> : vector<128x128xf32>
  %floor = arith.constant dense<-1.0e30> : vector<128x1xf32>
  %none = arith.constant dense<0.0> : vector<128x1xf32>
  %tiny = arith.constant dense<1.0e-30> : vector<128x1xf32>
  %rows = tile.iota 0 : vector<128x128xi32>
  %cols = tile.iota 1 : vector<128x128xi32>
  %factor = arith.mulf %scale, %log2e : f32
  %scales = vector.broadcast %factor : f32 to vector<128x128xf32>
  %i = tile.block_id 0
  %h = tile.block_id 1
  %p = tile.block_id 2
  %group = tile.symbol "R" : index
  %start = tile.symbol "pos" : index
  %new = tile.symbol "S" : index
  %splits = tile.symbol "P" : index
  %kv = arith.divsi %h, %group : index
  %pq = tile.partition %q by [128, _, 128] : !Q
  %py = tile.partition %partial by [128, _, _, 128] : !Y
  %pl = tile.partition %lse by [128, _, _] : !L
  %out = tile.claim %py[%i, %p, %h, %c0] : !PY
  %out_lse = tile.claim %pl[%i, %p, %h] : !PL
  %query = tile.load %pq[%i, %h, %c0] pad(zero) : !PQ

  // The tiles of keys that some row sees, and of those the share of this split.
  %first = arith.muli %i, %c128 : index
  %row0 = arith.addi %start, %first : index
  %end = arith.addi %row0, %c128 : index
  %length = arith.addi %start, %new : index
  // Behind the length the cache may hold anything, NaN too: it reads as 0.
  %keys_there = tile.view %k slice [0, 0, 0] size [G, %length, 128] : !K
  %values_there = tile.view %v slice [0, 0, 0] size [G, %length, 128] : !K
  %pk = tile.partition %keys_there by [_, 128, 128] : !V
  %pv = tile.partition %values_there by [_, 128, 128] : !V
  %last = arith.minsi %end, %length : index
  %tiles = arith.ceildivsi %last, %c128 : index
  %share = arith.ceildivsi %tiles, %splits : index
  %from = arith.muli %p, %share : index
  %behind_it = arith.addi %from, %share : index
  %to = arith.minsi %behind_it, %tiles : index

  %max, %sum, %total = scf.for %j = %from to %to step %c1
      iter_args(%m = %floor, %l = %none, %acc = %zero)
      -> (vector<128x1xf32>, vector<128x1xf32>, vector<128x128xf32>) {
    %keys = tile.load %pk[%kv, %j, %c0] pad(zero) : !PK
    %turned = vector.transpose %keys, [1, 0] : vector<128x128xbf16> to vector<128x128xbf16>
    %product = tile.mma %query, %turned, %nothing : vector<128x128xbf16>, vector<128x128xbf16>, vector<128x128xf32>
    %scaled = arith.mulf %product, %scales : vector<128x128xf32>
    // Key c of the tile is seen by row r when c <= r + d; beyond the tile, any d does.
    %behind = arith.muli %j, %c128 : index
    %ahead = arith.subi %row0, %behind : index
    %above = arith.maxsi %ahead, %least : index
    %d = arith.minsi %above, %most : index
    %d32 = arith.index_cast %d : index to i32
    %shift = vector.broadcast %d32 : i32 to vector<128x128xi32>
    %limit = arith.addi %rows, %shift : vector<128x128xi32>
    %seen = arith.cmpi sle, %cols, %limit : vector<128x128xi32>
    %score = arith.select %seen, %scaled, %never : vector<128x128xi1>, vector<128x128xf32>
    %top = tile.reduce max %score, 1 keep : vector<128x128xf32>
    %m1 = arith.maximumf %m, %top : vector<128x1xf32>
    %m1s = vector.broadcast %m1 : vector<128x1xf32> to vector<128x128xf32>
    %below = arith.subf %score, %m1s : vector<128x128xf32>
    %e = math.exp2 %below : vector<128x128xf32>
    %fall = arith.subf %m, %m1 : vector<128x1xf32>
    %alpha = math.exp2 %fall : vector<128x1xf32>
    %esum = tile.reduce add %e, 1 keep : vector<128x128xf32>
    %old = arith.mulf %l, %alpha : vector<128x1xf32>
    %l1 = arith.addf %old, %esum : vector<128x1xf32>
    %alphas = vector.broadcast %alpha : vector<128x1xf32> to vector<128x128xf32>
    %kept = arith.mulf %acc, %alphas : vector<128x128xf32>
    %e16 = arith.truncf %e : vector<128x128xf32> to vector<128x128xbf16>
    %values = tile.load %pv[%kv, %j, %c0] pad(zero) : !PK
    %acc1 = tile.mma %e16, %values, %kept : vector<128x128xbf16>, vector<128x128xbf16>, vector<128x128xf32>
    scf.yield %m1, %l1, %acc1 : vector<128x1xf32>, vector<128x1xf32>, vector<128x128xf32>
  }
  %safe = arith.maximumf %sum, %tiny : vector<128x1xf32>
  %sums = vector.broadcast %safe : vector<128x1xf32> to vector<128x128xf32>
  %mean = arith.divf %total, %sums : vector<128x128xf32>
  %bits = math.log2 %sum : vector<128x1xf32>
  %weight = arith.addf %max, %bits : vector<128x1xf32>
  %weights = vector.shape_cast %weight : vector<128x1xf32> to vector<128xf32>
  tile.store %mean, %out : !OY
  tile.store %weights, %out_lse : !OL
}
