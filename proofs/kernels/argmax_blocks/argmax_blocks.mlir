// The largest logit of each stretch of 4096 of a row, and the first index at which
// it stands: what argmax_reduce makes one token of. In bf16; of a stretch that has
// a NaN the maximum is NaN and the index V, which is none.
// any B and V up to 2^31 - 1, zero and ragged included; NB is ceildiv(V, 4096)
!X = !tile.tensor<[B, V] x bf16, shared>
!M = !tile.tensor<[B, NB] x f32, out>
!I = !tile.tensor<[B, NB] x i32, out>
!PX = !tile.partition<[_, 4096], [B, V] x bf16, shared>
!PM = !tile.partition<[_, _], [B, NB] x f32, out>
!PI = !tile.partition<[_, _], [B, NB] x i32, out>
!OM = !tile.piece<[_, _] x f32, out>
!OI = !tile.piece<[_, _] x i32, out>
tile.kernel @argmax_blocks(%logits: !X, %max: !M, %index: !I) grid [B, NB]
    requires [NB == ceildiv(V, 4096), V <= 2147483647] hints {sm_90 = {occupancy = 8}} {
  %c4096 = arith.constant 4096 : index
  %lane = tile.iota 0 : vector<4096xi32>
  %b = tile.block_id 0
  %j = tile.block_id 1
  %v = tile.symbol "V" : index
  %px = tile.partition %logits by [_, 4096] : !X
  %pm = tile.partition %max by [_, _] : !M
  %pi = tile.partition %index by [_, _] : !I
  %out_max = tile.claim %pm[%b, %j] : !PM
  %out_index = tile.claim %pi[%b, %j] : !PI
  %tile = tile.load %px[%b, %j] pad(neg_inf) : !PX
  %x = arith.extf %tile : vector<4096xbf16> to vector<4096xf32>
  %top = tile.reduce max %x, 0 : vector<4096xf32>
  %tops = vector.broadcast %top : f32 to vector<4096xf32>
  %is = arith.cmpf oeq, %x, %tops : vector<4096xf32>
  %first = arith.muli %j, %c4096 : index
  %first32 = arith.index_cast %first : index to i32
  %firsts = vector.broadcast %first32 : i32 to vector<4096xi32>
  %numbers = arith.addi %firsts, %lane : vector<4096xi32>
  %v32 = arith.index_cast %v : index to i32
  %none = vector.broadcast %v32 : i32 to vector<4096xi32>
  %candidates = arith.select %is, %numbers, %none : vector<4096xi1>, vector<4096xi32>
  %winner = tile.reduce min %candidates, 0 : vector<4096xi32>
  tile.store %top, %out_max : !OM
  tile.store %winner, %out_index : !OI
}
