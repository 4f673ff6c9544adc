// The token of each row: of the maxima of its stretches the largest, of equal
// ones that with the smallest index
// any B and N, zero and ragged included; a row of no stretches has 2^31 - 1
// generated from sampling.cpp
!Max = !tile.tensor<[B, N] x f32, shared>
!Index = !tile.tensor<[B, N] x i32, shared>
!Token = !tile.tensor<[B] x i32, out>
!MaxTiles = !tile.partition<[_, 256], [B, N] x f32, shared>
!TokenTiles = !tile.partition<[_], [B] x i32, out>
!IndexTiles = !tile.partition<[_, 256], [B, N] x i32, shared>
!TokenPiece = !tile.piece<[_] x i32, out>
tile.kernel @argmax_reduce(%max: !Max, %index: !Index, %token: !Token) grid [B]
    hints {sm_90 = {early = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %neg_infinity = arith.constant dense<0xFF800000> : vector<256xf32>
  %c2147483647 = arith.constant dense<2147483647> : vector<256xi32>
  %b = tile.block_id 0
  %max_tiles = tile.partition %max by [_, 256] : !Max
  %index_tiles = tile.partition %index by [_, 256] : !Index
  %token_tiles = tile.partition %token by [_] : !Token
  %n = tile.num_tiles %max_tiles, 1 : !MaxTiles
  %out = tile.claim %token_tiles[%b] : !TokenTiles
  %best, %at = scf.for %j = %c0 to %n step %c1 iter_args(%best = %neg_infinity, %at = %c2147483647) -> (vector<256xf32>, vector<256xi32>) {
    %x = tile.load %max_tiles[%b, %j] pad(neg_inf) : !MaxTiles
    %better = arith.cmpf ogt, %x, %best : vector<256xf32>
    %best_1 = arith.select %better, %x, %best : vector<256xi1>, vector<256xf32>
    %i = tile.load %index_tiles[%b, %j] pad(zero) : !IndexTiles
    %at_1 = arith.select %better, %i, %at : vector<256xi1>, vector<256xi32>
    scf.yield %best_1, %at_1 : vector<256xf32>, vector<256xi32>
  }
  %max_1 = tile.reduce max %best, 0 : vector<256xf32>
  %lanes = vector.broadcast %max_1 : f32 to vector<256xf32>
  %is = arith.cmpf oeq, %best, %lanes : vector<256xf32>
  %candidates = arith.select %is, %at, %c2147483647 : vector<256xi1>, vector<256xi32>
  %min = tile.reduce min %candidates, 0 : vector<256xi32>
  tile.store %min, %out : !TokenPiece
}
