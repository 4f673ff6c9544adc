// What stands between the projections and attention, in one launch: each head of
// q and k is divided by its root mean square, scaled, and turned by the angles of
// its position pos + s; q goes to q_out, k and v to row pos + s of the caches.
// in bf16, heads of 128
// any S, HQ and HK, zero included; caches and tables end at T >= pos + S
!Q = !tile.tensor<[S, HQ, 128] x bf16, shared>
!K = !tile.tensor<[S, HK, 128] x bf16, shared>
!W = !tile.tensor<[128] x bf16, shared>
!T = !tile.tensor<[T, 64] x f32, shared>
!QO = !tile.tensor<[S, HQ, 128] x bf16, out>
!C = !tile.tensor<[HK, T, 128] x bf16, own>
!PQ = !tile.partition<[_, _, 64], [S, HQ, 128] x bf16, shared>
!PK = !tile.partition<[_, _, 64], [S, HK, 128] x bf16, shared>
!PV = !tile.partition<[_, _, 128], [S, HK, 128] x bf16, shared>
!PW = !tile.partition<[64], [128] x bf16, shared>
!PT = !tile.partition<[_, 64], [T, 64] x f32, shared>
!PQO = !tile.partition<[_, _, 64], [S, HQ, 128] x bf16, out>
!PC = !tile.partition<[_, _, 64], [HK, T, 128] x bf16, own>
!PCV = !tile.partition<[_, _, 128], [HK, T, 128] x bf16, own>
!OQ = !tile.piece<[_, _, 64] x bf16, out>
!OK = !tile.piece<[_, _, 64] x bf16, own>
!OV = !tile.piece<[_, _, 128] x bf16, own>
tile.kernel @qk_norm_rope_append(%q: !Q, %k: !K, %v: !K, %q_weight: !W, %k_weight: !W,
    %cos: !T, %sin: !T, %q_out: !QO, %k_cache: !C, %v_cache: !C, %eps: f32)
    symbols [pos : index] grid [S, HQ + HK] requires [pos + S <= T]
    hints {sm_90 = {occupancy = 8}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %count = arith.constant 128.0 : f32
  %s = tile.block_id 0
  %h = tile.block_id 1
  %heads = tile.symbol "HQ" : index
  %kh = arith.subi %h, %heads : index
  %start = tile.symbol "pos" : index
  %row = arith.addi %start, %s : index
  %pq = tile.partition %q by [_, _, 64] : !Q
  %pk = tile.partition %k by [_, _, 64] : !K
  %pv = tile.partition %v by [_, _, 128] : !K
  %pqw = tile.partition %q_weight by [64] : !W
  %pkw = tile.partition %k_weight by [64] : !W
  %pcos = tile.partition %cos by [_, 64] : !T
  %psin = tile.partition %sin by [_, 64] : !T
  %pqo = tile.partition %q_out by [_, _, 64] : !QO
  %pkc = tile.partition %k_cache by [_, _, 64] : !C
  %pvc = tile.partition %v_cache by [_, _, 128] : !C
  %is_q = arith.cmpi slt, %h, %heads : index
  %a, %b, %wa, %wb = scf.if %is_q -> (vector<64xbf16>, vector<64xbf16>, vector<64xbf16>, vector<64xbf16>) {
    %lo = tile.load %pq[%s, %h, %c0] : !PQ
    %hi = tile.load %pq[%s, %h, %c1] : !PQ
    %wlo = tile.load %pqw[%c0] : !PW
    %whi = tile.load %pqw[%c1] : !PW
    scf.yield %lo, %hi, %wlo, %whi : vector<64xbf16>, vector<64xbf16>, vector<64xbf16>, vector<64xbf16>
  } else {
    %lo = tile.load %pk[%s, %kh, %c0] : !PK
    %hi = tile.load %pk[%s, %kh, %c1] : !PK
    %wlo = tile.load %pkw[%c0] : !PW
    %whi = tile.load %pkw[%c1] : !PW
    scf.yield %lo, %hi, %wlo, %whi : vector<64xbf16>, vector<64xbf16>, vector<64xbf16>, vector<64xbf16>
  }
  %a32 = arith.extf %a : vector<64xbf16> to vector<64xf32>
  %b32 = arith.extf %b : vector<64xbf16> to vector<64xf32>
  %wa32 = arith.extf %wa : vector<64xbf16> to vector<64xf32>
  %wb32 = arith.extf %wb : vector<64xbf16> to vector<64xf32>
  %aa = arith.mulf %a32, %a32 : vector<64xf32>
  %bb = arith.mulf %b32, %b32 : vector<64xf32>
  %squares = arith.addf %aa, %bb : vector<64xf32>
  %sum = tile.reduce add %squares, 0 : vector<64xf32>
  %mean = arith.divf %sum, %count : f32
  %positive = arith.addf %mean, %eps : f32
  %inverse = math.rsqrt %positive : f32
  %scale = vector.broadcast %inverse : f32 to vector<64xf32>
  %ua = arith.mulf %a32, %scale : vector<64xf32>
  %ub = arith.mulf %b32, %scale : vector<64xf32>
  %na = arith.mulf %ua, %wa32 : vector<64xf32>
  %nb = arith.mulf %ub, %wb32 : vector<64xf32>
  %c = tile.load %pcos[%row, %c0] : !PT
  %d = tile.load %psin[%row, %c0] : !PT
  %ac = arith.mulf %na, %c : vector<64xf32>
  %bd = arith.mulf %nb, %d : vector<64xf32>
  %bc = arith.mulf %nb, %c : vector<64xf32>
  %ad = arith.mulf %na, %d : vector<64xf32>
  %low32 = arith.subf %ac, %bd : vector<64xf32>
  %high32 = arith.addf %bc, %ad : vector<64xf32>
  %low = arith.truncf %low32 : vector<64xf32> to vector<64xbf16>
  %high = arith.truncf %high32 : vector<64xf32> to vector<64xbf16>
  scf.if %is_q {
    scf.for %half = %c0 to %c2 step %c1 {
      %out = tile.claim %pqo[%s, %h, %half] : !PQO
      %is_low = arith.cmpi eq, %half, %c0 : index
      %tile = arith.select %is_low, %low, %high : vector<64xbf16>
      tile.store %tile, %out : !OQ
    }
  } else {
    %out_low = tile.claim %pkc[%kh, %row, %c0] : !PC
    %out_high = tile.claim %pkc[%kh, %row, %c1] : !PC
    %out_v = tile.claim %pvc[%kh, %row, %c0] : !PCV
    %new_v = tile.load %pv[%s, %kh, %c0] : !PV
    tile.store %low, %out_low : !OK
    tile.store %high, %out_high : !OK
    tile.store %new_v, %out_v : !OV
  }
}
