// Causal attention over whole sequences, y[b, h] = softmax(scale q k^T, of the keys
// that are not behind the query) v, with a running maximum and sum (flash
// attention); in bf16, sums in f32, heads of 128
// any B, H and S, zero and ragged included
!Q = !tile.tensor<[B, H, S, 128] x bf16, shared>
!Y = !tile.tensor<[B, H, S, 128] x bf16, out>
!PQ = !tile.partition<[_, _, 128, 128], [B, H, S, 128] x bf16, shared>
!PY = !tile.partition<[_, _, 128, 128], [B, H, S, 128] x bf16, out>
!P = !tile.piece<[_, _, 128, 128] x bf16, out>
tile.kernel @attention_causal(%q: !Q, %k: !Q, %v: !Q, %y: !Y, %scale: f32)
    grid [ceildiv(S, 128), H, B] hints {sm_90 = {worker_warps = 8, occupancy = 1}} {
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
  %b = tile.block_id 2
  %pq = tile.partition %q by [_, _, 128, 128] : !Q
  %pk = tile.partition %k by [_, _, 128, 128] : !Q
  %pv = tile.partition %v by [_, _, 128, 128] : !Q
  %py = tile.partition %y by [_, _, 128, 128] : !Y
  %out = tile.claim %py[%b, %h, %i, %c0] : !PY
  %query = tile.load %pq[%b, %h, %i, %c0] pad(zero) : !PQ
  %row0 = arith.muli %i, %c128 : index
  %n = arith.addi %i, %c1 : index

  %max, %sum, %total = scf.for %j = %c0 to %n step %c1
      iter_args(%m = %floor, %l = %none, %acc = %zero)
      -> (vector<128x1xf32>, vector<128x1xf32>, vector<128x128xf32>) {
    %keys = tile.load %pk[%b, %h, %j, %c0] pad(zero) : !PQ
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
    %values = tile.load %pv[%b, %h, %j, %c0] pad(zero) : !PQ
    %acc1 = tile.mma %e16, %values, %kept : vector<128x128xbf16>, vector<128x128xbf16>, vector<128x128xf32>
    scf.yield %m1, %l1, %acc1 : vector<128x1xf32>, vector<128x1xf32>, vector<128x128xf32>
  }
  %safe = arith.maximumf %sum, %tiny : vector<128x1xf32>
  %sums = vector.broadcast %safe : vector<128x1xf32> to vector<128x128xf32>
  %mean = arith.divf %total, %sums : vector<128x128xf32>
  %narrow = arith.truncf %mean : vector<128x128xf32> to vector<128x128xbf16>
  tile.store %narrow, %out : !P
}
