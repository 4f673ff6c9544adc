// Grout's k_norm_rope_v_prefill_wide (views k_cache and v_cache): a block norms and
// turns 16 rows of new keys, copies as many values, and writes each in two halves
// to a tile of the caches. Tiles are aligned: the cache holds PB whole tiles
// already, and N more are new; rows left over are another kernel's.
// in bf16, heads of 128
// any N, H, PB and T >= 16 * (PB + N), zero included
!X = !tile.tensor<[S, H, 128] x bf16, shared>
!W = !tile.tensor<[128] x bf16, shared>
!A = !tile.tensor<[T, 64] x f32, shared>
!C = !tile.tensor<[H, T, 128] x bf16, own>
!PX = !tile.partition<[16, _, 64], [S, H, 128] x bf16, shared>
!PW = !tile.partition<[64], [128] x bf16, shared>
!PA = !tile.partition<[16, 64], [T, 64] x f32, shared>
!PC = !tile.partition<[_, 16, 64], [H, T, 128] x bf16, own>
!P = !tile.piece<[_, 16, 64] x bf16, own>
tile.kernel @grout_kv_append_wide(%k: !X, %v: !X, %weight: !W, %cos: !A, %sin: !A,
    %k_cache: !C, %v_cache: !C, %eps: f32)
    symbols [N : index, PB : index] grid [N, H]
    requires [16 * N <= S, 16 * PB + 16 * N <= T] hints {sm_90 = {occupancy = 4}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %count = arith.constant dense<128.0> : vector<16x1xf32>
  %m = tile.block_id 0
  %h = tile.block_id 1
  %before = tile.symbol "PB" : index
  %row = arith.addi %before, %m : index
  %pk = tile.partition %k by [16, _, 64] : !X
  %pv = tile.partition %v by [16, _, 64] : !X
  %pw = tile.partition %weight by [64] : !W
  %pcos = tile.partition %cos by [16, 64] : !A
  %psin = tile.partition %sin by [16, 64] : !A
  %pkc = tile.partition %k_cache by [_, 16, 64] : !C
  %pvc = tile.partition %v_cache by [_, 16, 64] : !C
  %out_low = tile.claim %pkc[%h, %row, %c0] : !PC
  %out_high = tile.claim %pkc[%h, %row, %c1] : !PC
  %v_low = tile.claim %pvc[%h, %row, %c0] : !PC
  %v_high = tile.claim %pvc[%h, %row, %c1] : !PC
  %a = tile.load %pk[%m, %h, %c0] : !PX
  %b = tile.load %pk[%m, %h, %c1] : !PX
  %wa = tile.load %pw[%c0] : !PW
  %wb = tile.load %pw[%c1] : !PW
  %a32 = arith.extf %a : vector<16x64xbf16> to vector<16x64xf32>
  %b32 = arith.extf %b : vector<16x64xbf16> to vector<16x64xf32>
  %wa32 = arith.extf %wa : vector<64xbf16> to vector<64xf32>
  %wb32 = arith.extf %wb : vector<64xbf16> to vector<64xf32>
  %was = vector.broadcast %wa32 : vector<64xf32> to vector<16x64xf32>
  %wbs = vector.broadcast %wb32 : vector<64xf32> to vector<16x64xf32>
  %aa = arith.mulf %a32, %a32 : vector<16x64xf32>
  %bb = arith.mulf %b32, %b32 : vector<16x64xf32>
  %squares = arith.addf %aa, %bb : vector<16x64xf32>
  %sum = tile.reduce add %squares, 1 keep : vector<16x64xf32>
  %mean = arith.divf %sum, %count : vector<16x1xf32>
  %epsilon = vector.broadcast %eps : f32 to vector<16x1xf32>
  %positive = arith.addf %mean, %epsilon : vector<16x1xf32>
  %inverse = math.rsqrt %positive : vector<16x1xf32>
  %scale = vector.broadcast %inverse : vector<16x1xf32> to vector<16x64xf32>
  %ua = arith.mulf %a32, %scale : vector<16x64xf32>
  %ub = arith.mulf %b32, %scale : vector<16x64xf32>
  %na = arith.mulf %ua, %was : vector<16x64xf32>
  %nb = arith.mulf %ub, %wbs : vector<16x64xf32>
  %c = tile.load %pcos[%row, %c0] : !PA
  %d = tile.load %psin[%row, %c0] : !PA
  %ac = arith.mulf %na, %c : vector<16x64xf32>
  %bd = arith.mulf %nb, %d : vector<16x64xf32>
  %bc = arith.mulf %nb, %c : vector<16x64xf32>
  %ad = arith.mulf %na, %d : vector<16x64xf32>
  %low32 = arith.subf %ac, %bd : vector<16x64xf32>
  %high32 = arith.addf %bc, %ad : vector<16x64xf32>
  %low = arith.truncf %low32 : vector<16x64xf32> to vector<16x64xbf16>
  %high = arith.truncf %high32 : vector<16x64xf32> to vector<16x64xbf16>
  tile.store %low, %out_low : !P
  tile.store %high, %out_high : !P
  %new_low = tile.load %pv[%m, %h, %c0] : !PX
  %new_high = tile.load %pv[%m, %h, %c1] : !PX
  tile.store %new_low, %v_low : !P
  tile.store %new_high, %v_high : !P
}
