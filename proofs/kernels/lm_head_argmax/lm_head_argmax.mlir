// The head of a language model without its logits: of the products of each hidden
// state with 128 rows of the weights the largest, and the first row that has it.
// argmax_reduce makes one token of what is left. In bf16, sums in f32.
// any B, K and V up to 2^31 - 1, zero and ragged included; NB is ceildiv(V, 128)
!W = !tile.tensor<[V, K] x bf16, shared>
!H = !tile.tensor<[B, K] x bf16, shared>
!M = !tile.tensor<[B, NB] x f32, out>
!I = !tile.tensor<[B, NB] x i32, out>
!PW = !tile.partition<[128, 128], [V, K] x bf16, shared>
!PH = !tile.partition<[16, 128], [B, K] x bf16, shared>
!PM = !tile.partition<[16, _], [B, NB] x f32, out>
!PI = !tile.partition<[16, _], [B, NB] x i32, out>
!OM = !tile.piece<[16, _] x f32, out>
!OI = !tile.piece<[16, _] x i32, out>
tile.kernel @lm_head_argmax(%weights: !W, %hidden: !H, %max: !M, %index: !I)
    grid [NB, ceildiv(B, 16)] requires [NB == ceildiv(V, 128), V <= 2147483647]
    hints {sm_90 = {occupancy = 2}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant dense<0.0> : vector<16x128xf32>
  %lowest = arith.constant dense<0xFF800000> : vector<16x128xf32>
  %lane = tile.iota 1 : vector<16x128xi32>
  %j = tile.block_id 0
  %i = tile.block_id 1
  %v = tile.symbol "V" : index
  %pw = tile.partition %weights by [128, 128] : !W
  %ph = tile.partition %hidden by [16, 128] : !H
  %pm = tile.partition %max by [16, _] : !M
  %pi = tile.partition %index by [16, _] : !I
  %out_max = tile.claim %pm[%i, %j] : !PM
  %out_index = tile.claim %pi[%i, %j] : !PI
  %n = tile.num_tiles %pw, 1 : !PW
  %logits = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<16x128xf32>) {
    %h = tile.load %ph[%i, %k] pad(zero) : !PH
    %w = tile.load %pw[%j, %k] pad(zero) : !PW
    %turned = vector.transpose %w, [1, 0] : vector<128x128xbf16> to vector<128x128xbf16>
    %next = tile.mma %h, %turned, %acc : vector<16x128xbf16>, vector<128x128xbf16>, vector<16x128xf32>
    scf.yield %next : vector<16x128xf32>
  }

  // Rows behind the last have no logit.
  %first = arith.muli %j, %c128 : index
  %left = arith.subi %v, %first : index
  %some = arith.minsi %left, %c128 : index
  %some32 = arith.index_cast %some : index to i32
  %limit = vector.broadcast %some32 : i32 to vector<16x128xi32>
  %there = arith.cmpi slt, %lane, %limit : vector<16x128xi32>
  %x = arith.select %there, %logits, %lowest : vector<16x128xi1>, vector<16x128xf32>

  %tops = tile.reduce max %x, 1 keep : vector<16x128xf32>
  %top = vector.shape_cast %tops : vector<16x1xf32> to vector<16xf32>
  %all = vector.broadcast %tops : vector<16x1xf32> to vector<16x128xf32>
  %is = arith.cmpf oeq, %x, %all : vector<16x128xf32>
  %first32 = arith.index_cast %first : index to i32
  %firsts = vector.broadcast %first32 : i32 to vector<16x128xi32>
  %numbers = arith.addi %firsts, %lane : vector<16x128xi32>
  %v32 = arith.index_cast %v : index to i32
  %none = vector.broadcast %v32 : i32 to vector<16x128xi32>
  %candidates = arith.select %is, %numbers, %none : vector<16x128xi1>, vector<16x128xi32>
  %winner = tile.reduce min %candidates, 1 : vector<16x128xi32>
  tile.store %top, %out_max : !OM
  tile.store %winner, %out_index : !OI
}
