// Grout's qk_norm_rope_kv_decode (views q_out, k_cache and v_cache): one new token,
// whose heads of q, of k and of v stand behind each other in one row of halves. A
// block takes a head of q or of k and one half: it norms and turns it, and one of
// a k head copies the half of v. The position stands in device memory.
// in bf16, heads of 128; any NQ, NK and T, zero included
!X = !tile.tensor<[N, 64] x bf16, shared>
!I = !tile.tensor<[1] x i32, shared>
!W = !tile.tensor<[128] x bf16, shared>
!A = !tile.tensor<[T, 64] x f32, shared>
!Q = !tile.tensor<[NQ, 128] x bf16, out>
!C = !tile.tensor<[NK, T, 128] x bf16, own>
!PX = !tile.partition<[_, 64], [N, 64] x bf16, shared>
!PI = !tile.partition<[_], [1] x i32, shared>
!PW = !tile.partition<[64], [128] x bf16, shared>
!PA = !tile.partition<[_, 64], [T, 64] x f32, shared>
!PQ = !tile.partition<[_, 64], [NQ, 128] x bf16, out>
!PC = !tile.partition<[_, _, 64], [NK, T, 128] x bf16, own>
!OQ = !tile.piece<[_, 64] x bf16, out>
!OC = !tile.piece<[_, _, 64] x bf16, own>
tile.kernel @grout_qk_norm_rope_decode(%qkv: !X, %pos: !I, %q_weight: !W, %k_weight: !W,
    %cos: !A, %sin: !A, %q_out: !Q, %k_cache: !C, %v_cache: !C, %eps: f32)
    grid [NQ + NK, 2] requires [N == 2 * NQ + 4 * NK] given [within(%pos, 0, T)]
    hints {sm_90 = {occupancy = 8}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %count = arith.constant 128.0 : f32
  %h = tile.block_id 0
  %half = tile.block_id 1
  %heads = tile.symbol "NQ" : index
  %kv_heads = tile.symbol "NK" : index
  %px = tile.partition %qkv by [_, 64] : !X
  %pp = tile.partition %pos by [_] : !I
  %pqw = tile.partition %q_weight by [64] : !W
  %pkw = tile.partition %k_weight by [64] : !W
  %pcos = tile.partition %cos by [_, 64] : !A
  %psin = tile.partition %sin by [_, 64] : !A
  %pq = tile.partition %q_out by [_, 64] : !Q
  %pk = tile.partition %k_cache by [_, _, 64] : !C
  %pv = tile.partition %v_cache by [_, _, 64] : !C
  %p32 = tile.load %pp[%c0] : !PI
  %row = arith.index_cast %p32 : i32 to index
  %is_q = arith.cmpi slt, %h, %heads : index
  %is_low = arith.cmpi eq, %half, %c0 : index

  // Heads of k follow those of q, so that head h begins at half 2 h for both.
  %first = arith.muli %h, %c2 : index
  %second = arith.addi %first, %c1 : index
  %a = tile.load %px[%first, %c0] : !PX
  %b = tile.load %px[%second, %c0] : !PX
  %wa, %wb = scf.if %is_q -> (vector<64xbf16>, vector<64xbf16>) {
    %lo = tile.load %pqw[%c0] : !PW
    %hi = tile.load %pqw[%c1] : !PW
    scf.yield %lo, %hi : vector<64xbf16>, vector<64xbf16>
  } else {
    %lo = tile.load %pkw[%c0] : !PW
    %hi = tile.load %pkw[%c1] : !PW
    scf.yield %lo, %hi : vector<64xbf16>, vector<64xbf16>
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
  %c = tile.load %pcos[%row, %c0] : !PA
  %d = tile.load %psin[%row, %c0] : !PA
  %ac = arith.mulf %na, %c : vector<64xf32>
  %bd = arith.mulf %nb, %d : vector<64xf32>
  %bc = arith.mulf %nb, %c : vector<64xf32>
  %ad = arith.mulf %na, %d : vector<64xf32>
  %low = arith.subf %ac, %bd : vector<64xf32>
  %high = arith.addf %bc, %ad : vector<64xf32>
  %mine = arith.select %is_low, %low, %high : vector<64xf32>
  %y = arith.truncf %mine : vector<64xf32> to vector<64xbf16>
  scf.if %is_q {
    %out = tile.claim %pq[%h, %half] : !PQ
    tile.store %y, %out : !OQ
  } else {
    %kh = arith.subi %h, %heads : index
    %k_out = tile.claim %pk[%kh, %row, %half] : !PC
    %v_out = tile.claim %pv[%kh, %row, %half] : !PC
    %all = arith.addi %heads, %kv_heads : index
    %v_head = arith.addi %all, %kh : index
    %v_first = arith.muli %v_head, %c2 : index
    %v_half = arith.addi %v_first, %half : index
    %v = tile.load %px[%v_half, %c0] : !PX
    tile.store %y, %k_out : !OC
    tile.store %v, %v_out : !OC
  }
}
