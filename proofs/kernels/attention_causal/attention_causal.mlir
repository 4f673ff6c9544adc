// Causal attention over whole sequences, y[b, h] = softmax(scale q k^T, of the keys
// that are not behind the query) v, with a running maximum and sum (flash
// attention). Tiles of keys that every row of a block sees whole are taken without
// a mask; blocks with the most of them start first; in bf16, sums in f32, heads of
// 128, scale above 0
// any B, H and S, zero and ragged included
!Q = !tile.tensor<[B, H, S, 128] x bf16, shared>
!Y = !tile.tensor<[B, H, S, 128] x bf16, out>
!PQ = !tile.partition<[_, _, 64, 128], [B, H, S, 128] x bf16, shared>
!PK = !tile.partition<[_, _, 128, 128], [B, H, S, 128] x bf16, shared>
!PY = !tile.partition<[_, _, 64, 128], [B, H, S, 128] x bf16, out>
!P = !tile.piece<[_, _, 64, 128] x bf16, out>
tile.kernel @attention_causal(%q: !Q, %k: !Q, %v: !Q, %y: !Y, %scale: f32)
    grid [B, H, ceildiv(S, 64)] hints {sm_90 = {occupancy = 2}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
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
  %b = tile.block_id 0
  %h = tile.block_id 1
  %turn = tile.block_id 2
  %blocks = tile.grid_dim 2
  %after = arith.subi %blocks, %turn : index
  %i = arith.subi %after, %c1 : index
  %pq = tile.partition %q by [_, _, 64, 128] : !Q
  %pk = tile.partition %k by [_, _, 128, 128] : !Q
  %pv = tile.partition %v by [_, _, 128, 128] : !Q
  %py = tile.partition %y by [_, _, 64, 128] : !Y
  %out = tile.claim %py[%b, %h, %i, %c0] : !PY
  %query = tile.load %pq[%b, %h, %i, %c0] pad(zero) : !PQ
  %full = arith.divsi %i, %c2 : index

  %max, %sum, %total = scf.for %j = %c0 to %full step %c1
      iter_args(%m = %floor, %l = %none, %acc = %zero)
      -> (vector<64x1xf32>, vector<64x1xf32>, vector<64x128xf32>) {
    %keys = tile.load %pk[%b, %h, %j, %c0] pad(zero) : !PK
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
    %values = tile.load %pv[%b, %h, %j, %c0] pad(zero) : !PK
    %acc1 = tile.mma %e16, %values, %kept : vector<64x128xbf16>, vector<128x128xbf16>, vector<64x128xf32>
    scf.yield %m1, %l1, %acc1 : vector<64x1xf32>, vector<64x1xf32>, vector<64x128xf32>
  }

  // In the last tile key c is seen by row r when c <= r + d, with d 0 or 64.
  %last_keys = tile.load %pk[%b, %h, %full, %c0] pad(zero) : !PK
  %last_turned = vector.transpose %last_keys, [1, 0] : vector<128x128xbf16> to vector<128x128xbf16>
  %last_product = tile.mma %query, %last_turned, %zero : vector<64x128xbf16>, vector<128x128xbf16>, vector<64x128xf32>
  %scaled = arith.mulf %last_product, %scales : vector<64x128xf32>
  %odd = arith.remsi %i, %c2 : index
  %d = arith.muli %odd, %c64 : index
  %d32 = arith.index_cast %d : index to i32
  %ahead = vector.broadcast %d32 : i32 to vector<64x128xi32>
  %limit = arith.addi %rows, %ahead : vector<64x128xi32>
  %seen = arith.cmpi sle, %cols, %limit : vector<64x128xi32>
  %last_score = arith.select %seen, %scaled, %never : vector<64x128xi1>, vector<64x128xf32>
  %last_top = tile.reduce max %last_score, 1 keep : vector<64x128xf32>
  %last_m1 = arith.maximumf %max, %last_top : vector<64x1xf32>
  %last_m1s = vector.broadcast %last_m1 : vector<64x1xf32> to vector<64x128xf32>
  %last_below = arith.subf %last_score, %last_m1s : vector<64x128xf32>
  %last_e = math.exp2 %last_below fastmath<afn> : vector<64x128xf32>
  %last_fall = arith.subf %max, %last_m1 : vector<64x1xf32>
  %last_alpha = math.exp2 %last_fall fastmath<afn> : vector<64x1xf32>
  %last_esum = tile.reduce add %last_e, 1 keep : vector<64x128xf32>
  %last_old = arith.mulf %sum, %last_alpha : vector<64x1xf32>
  %last_l1 = arith.addf %last_old, %last_esum : vector<64x1xf32>
  %last_alphas = vector.broadcast %last_alpha : vector<64x1xf32> to vector<64x128xf32>
  %last_kept = arith.mulf %total, %last_alphas : vector<64x128xf32>
  %last_e16 = arith.truncf %last_e : vector<64x128xf32> to vector<64x128xbf16>
  %last_values = tile.load %pv[%b, %h, %full, %c0] pad(zero) : !PK
  %last_acc1 = tile.mma %last_e16, %last_values, %last_kept : vector<64x128xbf16>, vector<128x128xbf16>, vector<64x128xf32>
  %safe = arith.maximumf %last_l1, %tiny : vector<64x1xf32>
  %sums = vector.broadcast %safe : vector<64x1xf32> to vector<64x128xf32>
  %mean = arith.divf %last_acc1, %sums : vector<64x128xf32>
  %narrow = arith.truncf %mean : vector<64x128xf32> to vector<64x128xbf16>
  tile.store %narrow, %out : !P
}
