// Attention over whole sequences, y[b, h] = softmax(scale q k^T) v over T keys, with a
// running maximum and sum (flash attention); only what is left behind the last
// whole tile of keys is masked; in bf16, sums in f32, heads of 128, scale above 0
// any B, H, S and T, zero and ragged included
!Q = !tile.tensor<[B, H, S, 128] x bf16, shared>
!K = !tile.tensor<[B, H, T, 128] x bf16, shared>
!Y = !tile.tensor<[B, H, S, 128] x bf16, out>
!PQ = !tile.partition<[_, _, 64, 128], [B, H, S, 128] x bf16, shared>
!PK = !tile.partition<[_, _, 128, 128], [B, H, T, 128] x bf16, shared>
!PY = !tile.partition<[_, _, 64, 128], [B, H, S, 128] x bf16, out>
!P = !tile.piece<[_, _, 64, 128] x bf16, out>
tile.kernel @attention(%q: !Q, %k: !K, %v: !K, %y: !Y, %scale: f32)
    grid [B, H, ceildiv(S, 64)] hints {sm_90 = {occupancy = 2}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %log2e = arith.constant 1.44269504 : f32
  %zero = arith.constant dense<0.0> : vector<64x128xf32>
  %never = arith.constant dense<0xFF800000> : vector<64x128xf32>
  %floor = arith.constant dense<-1.0e30> : vector<64x1xf32>
  %none = arith.constant dense<0.0> : vector<64x1xf32>
  %tiny = arith.constant dense<1.0e-30> : vector<64x1xf32>
  %cols = tile.iota 1 : vector<64x128xi32>
  %factor = arith.mulf %scale, %log2e : f32
  %factors = vector.broadcast %factor : f32 to vector<64x1xf32>
  %scales = vector.broadcast %factor : f32 to vector<64x128xf32>
  %b = tile.block_id 0
  %h = tile.block_id 1
  %i = tile.block_id 2
  %length = tile.symbol "T" : index
  %pq = tile.partition %q by [_, _, 64, 128] : !Q
  %pk = tile.partition %k by [_, _, 128, 128] : !K
  %pv = tile.partition %v by [_, _, 128, 128] : !K
  %py = tile.partition %y by [_, _, 64, 128] : !Y
  %out = tile.claim %py[%b, %h, %i, %c0] : !PY
  %query = tile.load %pq[%b, %h, %i, %c0] pad(zero) : !PQ
  %full = arith.divsi %length, %c128 : index
  %n = arith.ceildivsi %length, %c128 : index

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
  %last_max, %last_sum, %last_total = scf.for %j = %full to %n step %c1
      iter_args(%m = %max, %l = %sum, %acc = %total)
      -> (vector<64x1xf32>, vector<64x1xf32>, vector<64x128xf32>) {
    %keys = tile.load %pk[%b, %h, %j, %c0] pad(zero) : !PK
    %turned = vector.transpose %keys, [1, 0] : vector<128x128xbf16> to vector<128x128xbf16>
    %product = tile.mma %query, %turned, %zero : vector<64x128xbf16>, vector<128x128xbf16>, vector<64x128xf32>
    %scaled = arith.mulf %product, %scales : vector<64x128xf32>
    // Keys from the length on are not there.
    %behind = arith.muli %j, %c128 : index
    %rest = arith.subi %length, %behind : index
    %some = arith.minsi %rest, %c128 : index
    %some32 = arith.index_cast %some : index to i32
    %limit = vector.broadcast %some32 : i32 to vector<64x128xi32>
    %seen = arith.cmpi slt, %cols, %limit : vector<64x128xi32>
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
    %values = tile.load %pv[%b, %h, %j, %c0] pad(zero) : !PK
    %acc1 = tile.mma %e16, %values, %kept : vector<64x128xbf16>, vector<128x128xbf16>, vector<64x128xf32>
    scf.yield %m1, %l1, %acc1 : vector<64x1xf32>, vector<64x1xf32>, vector<64x128xf32>
  }
  %safe = arith.maximumf %last_sum, %tiny : vector<64x1xf32>
  %sums = vector.broadcast %safe : vector<64x1xf32> to vector<64x128xf32>
  %mean = arith.divf %last_total, %sums : vector<64x128xf32>
  %narrow = arith.truncf %mean : vector<64x128xf32> to vector<64x128xbf16>
  tile.store %narrow, %out : !P
}
