// expect: VERIFIED
// The K largest (K up to 8) of each row and where they stand, ties by lower index;
// rows shorter than K end with -inf and index -1. K passes over the row.
// any M, N up to 2^31 - 1
!X = !tile.tensor<[M, N] x f32, shared>
!V = !tile.tensor<[M, K] x f32, out>
!I = !tile.tensor<[M, K] x i32, out>
!PX = !tile.partition<[_, 1024], [M, N] x f32, shared>
!PV = !tile.partition<[_, _], [M, K] x f32, out>
!PI = !tile.partition<[_, _], [M, K] x i32, out>
!OV = !tile.piece<[_, _] x f32, out>
!OI = !tile.piece<[_, _] x i32, out>
tile.kernel @topk(%x: !X, %values: !V, %indices: !I) grid [M] requires [K <= 8, N <= 2147483647] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : index
  %pinf = arith.constant 0x7F800000 : f32
  %minus = arith.constant -1 : i32
  %big = arith.constant dense<2147483647> : vector<1024xi32>
  %nothing = arith.constant 2147483647 : i32
  %never = arith.constant dense<0xFF800000> : vector<1024xf32>
  %lane = tile.iota 0 : vector<1024xi32>
  %row = tile.block_id 0
  %k = tile.symbol "K" : index
  %px = tile.partition %x by [_, 1024] : !X
  %pv = tile.partition %values by [_, _] : !V
  %pi = tile.partition %indices by [_, _] : !I
  %tiles = tile.num_tiles %px, 1 : !PX
  %n = tile.symbol "N" : index
  %n32 = arith.index_cast %n : index to i32
  %ns = vector.broadcast %n32 : i32 to vector<1024xi32>
  %lv, %li = scf.for %t = %c0 to %k step %c1 iter_args(%pval = %pinf, %pidx = %minus) -> (f32, i32) {
    %ov = tile.claim %pv[%row, %t] : !PV
    %oi = tile.claim %pi[%row, %t] : !PI
    %pvs = vector.broadcast %pval : f32 to vector<1024xf32>
    %pis = vector.broadcast %pidx : i32 to vector<1024xi32>
    // of each lane the best that comes after the previous winner
    %bv, %bi = scf.for %j = %c0 to %tiles step %c1 iter_args(%v0 = %never, %i0 = %big) -> (vector<1024xf32>, vector<1024xi32>) {
      %xt = tile.load %px[%row, %j] pad(neg_inf) : !PX
      %first = arith.muli %j, %c1024 : index
      %first32 = arith.index_cast %first : index to i32
      %firsts = vector.broadcast %first32 : i32 to vector<1024xi32>
      %pos = arith.addi %firsts, %lane : vector<1024xi32>
      %below = arith.cmpf olt, %xt, %pvs : vector<1024xf32>
      %same = arith.cmpf oeq, %xt, %pvs : vector<1024xf32>
      %later = arith.cmpi sgt, %pos, %pis : vector<1024xi32>
      %tie = arith.andi %same, %later : vector<1024xi1>
      %ok0 = arith.ori %below, %tie : vector<1024xi1>
      %in = arith.cmpi slt, %pos, %ns : vector<1024xi32>
      %ok = arith.andi %ok0, %in : vector<1024xi1>
      %more = arith.cmpf ogt, %xt, %v0 : vector<1024xf32>
      %fresh = arith.cmpi eq, %i0, %big : vector<1024xi32>
      %better = arith.ori %more, %fresh : vector<1024xi1>
      %take = arith.andi %better, %ok : vector<1024xi1>
      %v1 = arith.select %take, %xt, %v0 : vector<1024xi1>, vector<1024xf32>
      %i1 = arith.select %take, %pos, %i0 : vector<1024xi1>, vector<1024xi32>
      scf.yield %v1, %i1 : vector<1024xf32>, vector<1024xi32>
    }
    %top = tile.reduce max %bv, 0 : vector<1024xf32>
    %tops = vector.broadcast %top : f32 to vector<1024xf32>
    %is = arith.cmpf oeq, %bv, %tops : vector<1024xf32>
    %cand = arith.select %is, %bi, %big : vector<1024xi1>, vector<1024xi32>
    %win = tile.reduce min %cand, 0 : vector<1024xi32>
    tile.store %top, %ov : !OV
    %none = arith.cmpi eq, %win, %nothing : i32
    %shown = arith.select %none, %minus, %win : i32
    tile.store %shown, %oi : !OI
    scf.yield %top, %win : f32, i32
  }
}
