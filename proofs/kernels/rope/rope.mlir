// Rotary embedding of S positions from pos on: of each head the lanes
// (i, i + 64) turn by the angle of position pos + s and frequency i, whose
// cosine and sine tables hold; in bf16, heads of 128
// any S and H, zero and ragged included; the tables end at T
// generated from rope.cpp
!X = !tile.tensor<[S, H, 128] x bf16, shared, strides [ldx, 128, 1]>
!Cos = !tile.tensor<[T, 64] x f32, shared>
!Y = !tile.tensor<[S, H, 128] x bf16, out>
!XTiles = !tile.partition<[_, 16, 64], [S, H, 128] x bf16, shared, strides [ldx, 128, 1]>
!CosTiles = !tile.partition<[_, 64], [T, 64] x f32, shared>
!YTiles = !tile.partition<[_, 16, 64], [S, H, 128] x bf16, out>
!YPiece = !tile.piece<[_, 16, 64] x bf16, out>
tile.kernel @rope(%x: !X, %cos: !Cos, %sin: !Cos, %y: !Y)
    symbols [ldx : index, pos : index] grid [S, ceildiv(H, 16)]
    requires [pos + S <= T] hints {sm_90 = {occupancy = 8}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %s = tile.block_id 0
  %h = tile.block_id 1
  %pos = tile.symbol "pos" : index
  %x_tiles = tile.partition %x by [_, 16, 64] : !X
  %cos_tiles = tile.partition %cos by [_, 64] : !Cos
  %sin_tiles = tile.partition %sin by [_, 64] : !Cos
  %y_tiles = tile.partition %y by [_, 16, 64] : !Y
  %a = tile.load %x_tiles[%s, %h, %c0] pad(zero) : !XTiles
  %wide = arith.extf %a : vector<16x64xbf16> to vector<16x64xf32>
  %t = arith.addi %pos, %s : index
  %c = tile.load %cos_tiles[%t, %c0] : !CosTiles
  %lanes = vector.broadcast %c : vector<64xf32> to vector<16x64xf32>
  %ac = arith.mulf %wide, %lanes : vector<16x64xf32>
  %b = tile.load %x_tiles[%s, %h, %c1] pad(zero) : !XTiles
  %wide_1 = arith.extf %b : vector<16x64xbf16> to vector<16x64xf32>
  %d = tile.load %sin_tiles[%t, %c0] : !CosTiles
  %lanes_1 = vector.broadcast %d : vector<64xf32> to vector<16x64xf32>
  %bs = arith.mulf %wide_1, %lanes_1 : vector<16x64xf32>
  %less = arith.subf %ac, %bs : vector<16x64xf32>
  %narrow = arith.truncf %less : vector<16x64xf32> to vector<16x64xbf16>
  %bc = arith.mulf %wide_1, %lanes : vector<16x64xf32>
  %as = arith.mulf %wide, %lanes_1 : vector<16x64xf32>
  %sum = arith.addf %bc, %as : vector<16x64xf32>
  %narrow_1 = arith.truncf %sum : vector<16x64xf32> to vector<16x64xbf16>
  scf.for %half = %c0 to %c2 step %c1 {
    %y_piece = tile.claim %y_tiles[%s, %h, %half] : !YTiles
    %is = arith.cmpi eq, %half, %c0 : index
    %chosen = arith.select %is, %narrow, %narrow_1 : vector<16x64xbf16>
    tile.store %chosen, %y_piece : !YPiece
  }
}
