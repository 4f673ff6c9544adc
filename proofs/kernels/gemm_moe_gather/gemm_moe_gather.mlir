// As gemm_moe, without the copy of the tokens before it: row p of the result is of
// token ids[p], and an id of T is padding, whose row is 0. In bf16, sums in f32.
// any P, T, K, N and E, zero and ragged included; NB is ceildiv(P, 128)
!A = !tile.tensor<[T, K] x bf16, shared>
!S = !tile.tensor<[P] x i32, shared>
!I = !tile.tensor<[NB] x i32, shared>
!W = !tile.tensor<[E, K, N] x bf16, shared>
!C = !tile.tensor<[P, N] x bf16, out>
!PS = !tile.partition<[128], [P] x i32, shared>
!PI = !tile.partition<[_], [NB] x i32, shared>
!PW = !tile.partition<[_, 64, 256], [E, K, N] x bf16, shared>
!PC = !tile.partition<[128, 256], [P, N] x bf16, out>
!O = !tile.piece<[128, 256] x bf16, out>
tile.kernel @gemm_moe_gather(%a: !A, %ids: !S, %experts: !I, %w: !W, %c: !C)
    grid [NB, ceildiv(N, 256)] requires [NB == ceildiv(P, 128)]
    given [within(%ids, 0, T + 1), within(%experts, 0, E)]
    hints {sm_90 = {worker_warps = 8, occupancy = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : vector<128x256xf32>
  %lane = tile.iota 1 : vector<128x64xindex>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %tokens = tile.symbol "T" : index
  %depth = tile.symbol "K" : index
  %ps = tile.partition %ids by [128] : !S
  %pi = tile.partition %experts by [_] : !I
  %pw = tile.partition %w by [_, 64, 256] : !W
  %pc = tile.partition %c by [128, 256] : !C
  %out = tile.claim %pc[%i, %j] : !PC
  %expert = tile.load %pi[%i] : !PI
  %e = arith.index_cast %expert : i32 to index
  %id = tile.load %ps[%i] pad(zero) : !PS
  %row = arith.index_cast %id : vector<128xi32> to vector<128xindex>
  %column = vector.shape_cast %row : vector<128xindex> to vector<128x1xindex>
  %rows = vector.broadcast %column : vector<128x1xindex> to vector<128x64xindex>
  %all = vector.broadcast %tokens : index to vector<128x64xindex>
  %is_token = arith.cmpi slt, %rows, %all : vector<128x64xindex>
  %width = vector.broadcast %depth : index to vector<128x64xindex>
  %n = tile.num_tiles %pw, 1 : !PW
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<128x256xf32>) {
    %first = arith.muli %k, %c64 : index
    %firsts = vector.broadcast %first : index to vector<128x64xindex>
    %cols = arith.addi %firsts, %lane : vector<128x64xindex>
    %is_there = arith.cmpi slt, %cols, %width : vector<128x64xindex>
    %both = arith.andi %is_token, %is_there : vector<128x64xi1>
    %x = tile.gather %a[%rows, %cols], %both pad(zero) : !A, vector<128x64xindex>, vector<128x64xindex>, vector<128x64xi1>
    %y = tile.load %pw[%e, %k, %j] pad(zero) : !PW
    %next = tile.mma %x, %y, %acc : vector<128x64xbf16>, vector<64x256xbf16>, vector<128x256xf32>
    scf.yield %next : vector<128x256xf32>
  }
  %narrow = arith.truncf %sum : vector<128x256xf32> to vector<128x256xbf16>
  tile.store %narrow, %out : !O
}
