// As attention_decode_gqa_ragged, of a cache in pages of 64 positions that sequences
// own in any order (vLLM): position t of sequence b stands in page table[b, t / 64]
// any B, P, G, M, N and R from 1 to 16, zero and ragged included; no length exceeds
// the M pages that the table has for a sequence
!Q = !tile.tensor<[B, G, R, 128] x bf16, shared>
!K = !tile.tensor<[N, 64, G, 128] x bf16, shared>
!I = !tile.tensor<[B] x i32, shared>
!J = !tile.tensor<[B, M] x i32, shared>
!Y = !tile.tensor<[B, P, G, R, 128] x f32, out>
!L = !tile.tensor<[B, P, G, R] x f32, out>
!PQ = !tile.partition<[_, _, 16, 128], [B, G, R, 128] x bf16, shared>
!V = !tile.tensor<[N, ?, G, 128] x bf16, shared>
!PK = !tile.partition<[_, 64, _, 128], [N, ?, G, 128] x bf16, shared>
!PI = !tile.partition<[_], [B] x i32, shared>
!PJ = !tile.partition<[_, _], [B, M] x i32, shared>
!PY = !tile.partition<[_, _, _, 16, 128], [B, P, G, R, 128] x f32, out>
!PL = !tile.partition<[_, _, _, 16], [B, P, G, R] x f32, out>
!OY = !tile.piece<[_, _, _, 16, 128] x f32, out>
!OL = !tile.piece<[_, _, _, 16] x f32, out>
tile.kernel @attention_decode_paged(%q: !Q, %k: !K, %v: !K, %table: !J, %lengths: !I,
    %partial: !Y, %lse: !L, %scale: f32) grid [P, G, B] requires [R >= 1, R <= 16]
    given [within(%table, 0, N), within(%lengths, 0, 64 * M + 1)]
    hints {sm_90 = {occupancy = 4}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %log2e = arith.constant 1.44269504 : f32
  %zero = arith.constant dense<0.0> : vector<16x128xf32>
  %nothing = arith.constant dense<0.0> : vector<16x64xf32>
  %never = arith.constant dense<0xFF800000> : vector<16x64xf32>
  %floor = arith.constant dense<-1.0e30> : vector<16x1xf32>
  %none = arith.constant dense<0.0> : vector<16x1xf32>
  %tiny = arith.constant dense<1.0e-30> : vector<16x1xf32>
  %cols = tile.iota 1 : vector<16x64xi32>
  %factor = arith.mulf %scale, %log2e : f32
  %scales = vector.broadcast %factor : f32 to vector<16x64xf32>
  %p = tile.block_id 0
  %g = tile.block_id 1
  %b = tile.block_id 2
  %pn = tile.partition %lengths by [_] : !I
  %length32 = tile.load %pn[%b] : !PI
  %length = arith.index_cast %length32 : i32 to index
  %splits = tile.symbol "P" : index
  %pq = tile.partition %q by [_, _, 16, 128] : !Q
  %py = tile.partition %partial by [_, _, _, 16, 128] : !Y
  %pl = tile.partition %lse by [_, _, _, 16] : !L
  %out = tile.claim %py[%b, %p, %g, %c0, %c0] : !PY
  %out_lse = tile.claim %pl[%b, %p, %g, %c0] : !PL
  %query = tile.load %pq[%b, %g, %c0, %c0] pad(zero) : !PQ

  %pt = tile.partition %table by [_, _] : !J
  %tiles = arith.ceildivsi %length, %c64 : index
  %share = arith.ceildivsi %tiles, %splits : index
  %from = arith.muli %p, %share : index
  %behind_it = arith.addi %from, %share : index
  %to = arith.minsi %behind_it, %tiles : index

  %max, %sum, %total = scf.for %j = %from to %to step %c1
      iter_args(%m = %floor, %l = %none, %acc = %zero)
      -> (vector<16x1xf32>, vector<16x1xf32>, vector<16x128xf32>) {
    %page32 = tile.load %pt[%b, %j] : !PJ
    %page = arith.index_cast %page32 : i32 to index
    // Behind the length a page may hold anything, NaN too: it reads as 0.
    %behind = arith.muli %j, %c64 : index
    %rest = arith.subi %length, %behind : index
    %some = arith.minsi %rest, %c64 : index
    %keys_there = tile.view %k slice [0, 0, 0, 0] size [N, %some, G, 128] : !K
    %values_there = tile.view %v slice [0, 0, 0, 0] size [N, %some, G, 128] : !K
    %pk = tile.partition %keys_there by [_, 64, _, 128] : !V
    %pv = tile.partition %values_there by [_, 64, _, 128] : !V
    %keys = tile.load %pk[%page, %c0, %g, %c0] pad(zero) : !PK
    %turned = vector.transpose %keys, [1, 0] : vector<64x128xbf16> to vector<128x64xbf16>
    %product = tile.mma %query, %turned, %nothing : vector<16x128xbf16>, vector<128x64xbf16>, vector<16x64xf32>
    %scaled = arith.mulf %product, %scales : vector<16x64xf32>
    %some32 = arith.index_cast %some : index to i32
    %limit = vector.broadcast %some32 : i32 to vector<16x64xi32>
    %seen = arith.cmpi slt, %cols, %limit : vector<16x64xi32>
    %score = arith.select %seen, %scaled, %never : vector<16x64xi1>, vector<16x64xf32>
    %top = tile.reduce max %score, 1 keep : vector<16x64xf32>
    %m1 = arith.maximumf %m, %top : vector<16x1xf32>
    %m1s = vector.broadcast %m1 : vector<16x1xf32> to vector<16x64xf32>
    %below = arith.subf %score, %m1s : vector<16x64xf32>
    %e = math.exp2 %below : vector<16x64xf32>
    %fall = arith.subf %m, %m1 : vector<16x1xf32>
    %alpha = math.exp2 %fall : vector<16x1xf32>
    %esum = tile.reduce add %e, 1 keep : vector<16x64xf32>
    %old = arith.mulf %l, %alpha : vector<16x1xf32>
    %l1 = arith.addf %old, %esum : vector<16x1xf32>
    %alphas = vector.broadcast %alpha : vector<16x1xf32> to vector<16x128xf32>
    %kept = arith.mulf %acc, %alphas : vector<16x128xf32>
    %e16 = arith.truncf %e : vector<16x64xf32> to vector<16x64xbf16>
    %values = tile.load %pv[%page, %c0, %g, %c0] pad(zero) : !PK
    %acc1 = tile.mma %e16, %values, %kept : vector<16x64xbf16>, vector<64x128xbf16>, vector<16x128xf32>
    scf.yield %m1, %l1, %acc1 : vector<16x1xf32>, vector<16x1xf32>, vector<16x128xf32>
  }
  %safe = arith.maximumf %sum, %tiny : vector<16x1xf32>
  %sums = vector.broadcast %safe : vector<16x1xf32> to vector<16x128xf32>
  %mean = arith.divf %total, %sums : vector<16x128xf32>
  %bits = math.log2 %sum : vector<16x1xf32>
  %weight = arith.addf %max, %bits : vector<16x1xf32>
  %weights = vector.shape_cast %weight : vector<16x1xf32> to vector<16xf32>
  tile.store %mean, %out : !OY
  tile.store %weights, %out_lse : !OL
}
