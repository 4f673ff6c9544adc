// The token of each row: of the maxima of its stretches the largest, of equal ones
// that with the smallest index
// any B and N, zero and ragged included; a row of no stretches has 2^31 - 1
!M = !tile.tensor<[B, N] x f32, shared>
!I = !tile.tensor<[B, N] x i32, shared>
!Y = !tile.tensor<[B] x i32, out>
!PM = !tile.partition<[_, 256], [B, N] x f32, shared>
!PI = !tile.partition<[_, 256], [B, N] x i32, shared>
!PY = !tile.partition<[_], [B] x i32, out>
!P = !tile.piece<[_] x i32, out>
tile.kernel @argmax_reduce(%max: !M, %index: !I, %token: !Y) grid [B] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %lowest = arith.constant dense<0xFF800000> : vector<256xf32>
  %none = arith.constant dense<2147483647> : vector<256xi32>
  %b = tile.block_id 0
  %pm = tile.partition %max by [_, 256] : !M
  %pi = tile.partition %index by [_, 256] : !I
  %py = tile.partition %token by [_] : !Y
  %out = tile.claim %py[%b] : !PY
  %n = tile.num_tiles %pm, 1 : !PM

  // Lane by lane the largest of every 256th; an equal one that comes later loses.
  %tops, %at = scf.for %j = %c0 to %n step %c1
      iter_args(%best = %lowest, %where = %none) -> (vector<256xf32>, vector<256xi32>) {
    %x = tile.load %pm[%b, %j] pad(neg_inf) : !PM
    %i = tile.load %pi[%b, %j] pad(zero) : !PI
    %better = arith.cmpf ogt, %x, %best : vector<256xf32>
    %best1 = arith.select %better, %x, %best : vector<256xi1>, vector<256xf32>
    %where1 = arith.select %better, %i, %where : vector<256xi1>, vector<256xi32>
    scf.yield %best1, %where1 : vector<256xf32>, vector<256xi32>
  }
  %top = tile.reduce max %tops, 0 : vector<256xf32>
  %all = vector.broadcast %top : f32 to vector<256xf32>
  %is = arith.cmpf oeq, %tops, %all : vector<256xf32>
  %candidates = arith.select %is, %at, %none : vector<256xi1>, vector<256xi32>
  %winner = tile.reduce min %candidates, 0 : vector<256xi32>
  tile.store %winner, %out : !P
}
