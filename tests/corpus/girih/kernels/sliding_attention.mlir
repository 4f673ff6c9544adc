// expect: VERIFIED
// Causal attention with a sliding window: query s sees keys s-W+1 .. s
// any B, H, S; W of at least 1; bf16, head 64
!Q = !tile.tensor<[B, H, S, 64] x bf16, shared>
!Y = !tile.tensor<[B, H, S, 64] x bf16, out>
!PQ = !tile.partition<[_, _, 64, 64], [B, H, S, 64] x bf16, shared>
!PY = !tile.partition<[_, _, 64, 64], [B, H, S, 64] x bf16, out>
!O = !tile.piece<[_, _, 64, 64] x bf16, out>
tile.kernel @sliding_attention(%q: !Q, %k: !Q, %v: !Q, %y: !Y, %scale: f32) symbols [W : index]
    grid [ceildiv(S, 64), H, B] requires [W >= 1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %never = arith.constant dense<0xFF800000> : vector<64x64xf32>
  %floor = arith.constant dense<-1.0e30> : vector<64x1xf32>
  %none = arith.constant dense<0.0> : vector<64x1xf32>
  %rows = tile.iota 0 : vector<64x64xindex>
  %cols = tile.iota 1 : vector<64x64xindex>
  %scales = vector.broadcast %scale : f32 to vector<64x64xf32>
  %i = tile.block_id 0
  %h = tile.block_id 1
  %b = tile.block_id 2
  %w = tile.symbol "W" : index
  %pq = tile.partition %q by [_, _, 64, 64] : !Q
  %pk = tile.partition %k by [_, _, 64, 64] : !Q
  %pv = tile.partition %v by [_, _, 64, 64] : !Q
  %py = tile.partition %y by [_, _, 64, 64] : !Y
  %out = tile.claim %py[%b, %h, %i, %c0] : !PY
  %qt = tile.load %pq[%b, %h, %i, %c0] pad(zero) : !PQ
  %q0 = arith.muli %i, %c64 : index
  %q1 = arith.addi %q0, %c1 : index
  %first = arith.subi %q1, %w : index
  %first0 = arith.maxsi %first, %c0 : index
  %lo = arith.divsi %first0, %c64 : index
  %hi = arith.addi %i, %c1 : index
  %q0s = vector.broadcast %q0 : index to vector<64x64xindex>
  %ws = vector.broadcast %w : index to vector<64x64xindex>
  %qpos = arith.addi %q0s, %rows : vector<64x64xindex>
  %edge = arith.subi %qpos, %ws : vector<64x64xindex>
  %m_, %sum, %total = scf.for %j = %lo to %hi step %c1 iter_args(%m = %floor, %l = %none, %acc = %zero)
      -> (vector<64x1xf32>, vector<64x1xf32>, vector<64x64xf32>) {
    %kt = tile.load %pk[%b, %h, %j, %c0] pad(zero) : !PQ
    %kT = vector.transpose %kt, [1, 0] : vector<64x64xbf16> to vector<64x64xbf16>
    %s = tile.mma %qt, %kT, %zero : vector<64x64xbf16>, vector<64x64xbf16>, vector<64x64xf32>
    %sc = arith.mulf %s, %scales : vector<64x64xf32>
    %k0 = arith.muli %j, %c64 : index
    %k0s = vector.broadcast %k0 : index to vector<64x64xindex>
    %kpos = arith.addi %k0s, %cols : vector<64x64xindex>
    %before = arith.cmpi sle, %kpos, %qpos : vector<64x64xindex>
    %near = arith.cmpi sgt, %kpos, %edge : vector<64x64xindex>
    %seen = arith.andi %before, %near : vector<64x64xi1>
    %score = arith.select %seen, %sc, %never : vector<64x64xi1>, vector<64x64xf32>
    %top = tile.reduce max %score, 1 keep : vector<64x64xf32>
    %m1 = arith.maximumf %m, %top : vector<64x1xf32>
    %m1s = vector.broadcast %m1 : vector<64x1xf32> to vector<64x64xf32>
    %d = arith.subf %score, %m1s : vector<64x64xf32>
    %p = math.exp %d : vector<64x64xf32>
    %fall = arith.subf %m, %m1 : vector<64x1xf32>
    %alpha = math.exp %fall : vector<64x1xf32>
    %ps = tile.reduce add %p, 1 keep : vector<64x64xf32>
    %l1 = math.fma %l, %alpha, %ps : vector<64x1xf32>
    %alphas = vector.broadcast %alpha : vector<64x1xf32> to vector<64x64xf32>
    %kept = arith.mulf %acc, %alphas : vector<64x64xf32>
    %p16 = arith.truncf %p : vector<64x64xf32> to vector<64x64xbf16>
    %vt = tile.load %pv[%b, %h, %j, %c0] pad(zero) : !PQ
    %acc1 = tile.mma %p16, %vt, %kept : vector<64x64xbf16>, vector<64x64xbf16>, vector<64x64xf32>
    scf.yield %m1, %l1, %acc1 : vector<64x1xf32>, vector<64x1xf32>, vector<64x64xf32>
  }
  %ls = vector.broadcast %sum : vector<64x1xf32> to vector<64x64xf32>
  %r = arith.divf %total, %ls : vector<64x64xf32>
  %r16 = arith.truncf %r : vector<64x64xf32> to vector<64x64xbf16>
  tile.store %r16, %out : !O
}
