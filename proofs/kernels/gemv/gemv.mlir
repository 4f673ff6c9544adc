// y[N] = w[N, K] x[K] in bf16, sums in f32, by P programs, each of which takes
// every P-th tile of BN rows. Of sm_90 the schedule gemv takes it: its hint
// `slots` says how many copies a warp has in flight. It reads rows by bulk
// copies, so they begin at multiples of 16 bytes.
// any N and K up to maxK, multiples of 8, zero and ragged included; P at least
// 1
// generated from gemv.cpp
!W = !tile.tensor<[N, K] x bf16, shared>
!X = !tile.tensor<[K] x bf16, shared>
!Y = !tile.tensor<[N] x bf16, out>
!WTiles = !tile.partition<[4, 512], [N, K] x bf16, shared>
!YTiles = !tile.partition<[4], [N] x bf16, out>
!XTiles = !tile.partition<[512], [K] x bf16, shared>
!YPiece = !tile.piece<[4] x bf16, out>
tile.kernel @gemv(%w: !W, %x: !X, %y: !Y) symbols [P : index] grid [P]
    requires [P >= 1, mod(K, 8) == 0, K <= 8192] hints {sm_90 = {slots = 4}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %w_tiles = tile.partition %w by [4, 512] : !W
  %x_tiles = tile.partition %x by [512] : !X
  %y_tiles = tile.partition %y by [4] : !Y
  %n = tile.num_tiles %w_tiles, 1 : !WTiles
  %rows = tile.num_tiles %y_tiles, 0 : !YTiles
  scf.for %t = %first to %rows step %P {
    %out = tile.claim %y_tiles[%t] : !YTiles
    %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<4xf32>) {
      %a = tile.load %w_tiles[%t, %k] pad(zero) : !WTiles
      %wide = arith.extf %a : vector<4x512xbf16> to vector<4x512xf32>
      %b = tile.load %x_tiles[%k] pad(zero) : !XTiles
      %wide_1 = arith.extf %b : vector<512xbf16> to vector<512xf32>
      %lanes = vector.broadcast %wide_1 : vector<512xf32> to vector<4x512xf32>
      %product = arith.mulf %wide, %lanes : vector<4x512xf32>
      %sum = tile.reduce add %product, 1 : vector<4x512xf32>
      %acc_1 = arith.addf %acc, %sum : vector<4xf32>
      scf.yield %acc_1 : vector<4xf32>
    }
    %narrow = arith.truncf %acc : vector<4xf32> to vector<4xbf16>
    tile.store %narrow, %out : !YPiece
  }
}
