// Each head of q and of k divided by its root mean square and scaled by the
// weights of its kind, in bf16, heads of 128, 16 a block; one launch for both
// any S, HQ and HK, zero included
!Q = !tile.tensor<[S, HQ, 128] x bf16, shared>
!K = !tile.tensor<[S, HK, 128] x bf16, shared>
!W = !tile.tensor<[128] x bf16, shared>
!QO = !tile.tensor<[S, HQ, 128] x bf16, out>
!KO = !tile.tensor<[S, HK, 128] x bf16, out>
!PQ = !tile.partition<[_, 16, 128], [S, HQ, 128] x bf16, shared>
!PK = !tile.partition<[_, 16, 128], [S, HK, 128] x bf16, shared>
!PW = !tile.partition<[128], [128] x bf16, shared>
!PQO = !tile.partition<[_, 16, 128], [S, HQ, 128] x bf16, out>
!PKO = !tile.partition<[_, 16, 128], [S, HK, 128] x bf16, out>
!P = !tile.piece<[_, 16, 128] x bf16, out>
tile.kernel @qk_norm(%q: !Q, %k: !K, %q_weight: !W, %k_weight: !W, %q_out: !QO, %k_out: !KO, %eps: f32)
    grid [S, ceildiv(HQ, 16) + ceildiv(HK, 16)] hints {sm_90 = {occupancy = 8}} {
  %c0 = arith.constant 0 : index
  %s = tile.block_id 0
  %h = tile.block_id 1
  %pq = tile.partition %q by [_, 16, 128] : !Q
  %pk = tile.partition %k by [_, 16, 128] : !K
  %pqw = tile.partition %q_weight by [128] : !W
  %pkw = tile.partition %k_weight by [128] : !W
  %pqo = tile.partition %q_out by [_, 16, 128] : !QO
  %pko = tile.partition %k_out by [_, 16, 128] : !KO
  %heads = tile.num_tiles %pq, 1 : !PQ
  %kh = arith.subi %h, %heads : index
  %is_q = arith.cmpi slt, %h, %heads : index
  %x, %w = scf.if %is_q -> (vector<16x128xbf16>, vector<128xbf16>) {
    %head = tile.load %pq[%s, %h, %c0] pad(zero) : !PQ
    %weight = tile.load %pqw[%c0] : !PW
    scf.yield %head, %weight : vector<16x128xbf16>, vector<128xbf16>
  } else {
    %head = tile.load %pk[%s, %kh, %c0] pad(zero) : !PK
    %weight = tile.load %pkw[%c0] : !PW
    scf.yield %head, %weight : vector<16x128xbf16>, vector<128xbf16>
  }
  %wide = arith.extf %x : vector<16x128xbf16> to vector<16x128xf32>
  %square = arith.mulf %wide, %wide : vector<16x128xf32>
  %sum = tile.reduce add %square, 1 keep : vector<16x128xf32>
  %count = arith.constant dense<128.0> : vector<16x1xf32>
  %mean = arith.divf %sum, %count : vector<16x1xf32>
  %least = vector.broadcast %eps : f32 to vector<16x1xf32>
  %positive = arith.addf %mean, %least : vector<16x1xf32>
  %inverse = math.rsqrt %positive : vector<16x1xf32>
  %scale = vector.broadcast %inverse : vector<16x1xf32> to vector<16x128xf32>
  %unit = arith.mulf %wide, %scale : vector<16x128xf32>
  %w32 = arith.extf %w : vector<128xbf16> to vector<128xf32>
  %weights = vector.broadcast %w32 : vector<128xf32> to vector<16x128xf32>
  %product = arith.mulf %unit, %weights : vector<16x128xf32>
  %y = arith.truncf %product : vector<16x128xf32> to vector<16x128xbf16>
  scf.if %is_q {
    %out = tile.claim %pqo[%s, %h, %c0] : !PQO
    tile.store %y, %out : !P
  } else {
    %out = tile.claim %pko[%s, %kh, %c0] : !PKO
    tile.store %y, %out : !P
  }
}
