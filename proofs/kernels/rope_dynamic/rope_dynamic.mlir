// As rope, where the first position stands in device memory, so that a step can
// be replayed as a graph
// any S and H, zero and ragged included; the tables end at T
// generated from rope.cpp
!Pos = !tile.tensor<[1] x i32, shared>
!X = !tile.tensor<[S, H, 128] x bf16, shared>
!Cos = !tile.tensor<[T, 64] x f32, shared>
!Y = !tile.tensor<[S, H, 128] x bf16, out>
!XTiles = !tile.partition<[_, 16, 64], [S, H, 128] x bf16, shared>
!PosTiles = !tile.partition<[_], [1] x i32, shared>
!CosTiles = !tile.partition<[_, 64], [T, 64] x f32, shared>
!YTiles = !tile.partition<[_, 16, 64], [S, H, 128] x bf16, out>
!YPiece = !tile.piece<[_, 16, 64] x bf16, out>
tile.kernel @rope_dynamic(%pos: !Pos, %x: !X, %cos: !Cos, %sin: !Cos, %y: !Y)
    grid [S, ceildiv(H, 16)] requires [S <= T] given [within(%pos, 0, T - S + 1)]
    hints {sm_90 = {occupancy = 8}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %s = tile.block_id 0
  %h = tile.block_id 1
  %pos_tiles = tile.partition %pos by [_] : !Pos
  %x_tiles = tile.partition %x by [_, 16, 64] : !X
  %cos_tiles = tile.partition %cos by [_, 64] : !Cos
  %sin_tiles = tile.partition %sin by [_, 64] : !Cos
  %y_tiles = tile.partition %y by [_, 16, 64] : !Y
  %a = tile.load %x_tiles[%s, %h, %c0] pad(zero) : !XTiles
  %wide = arith.extf %a : vector<16x64xbf16> to vector<16x64xf32>
  %tile = tile.load %pos_tiles[%c0] : !PosTiles
  %start = arith.index_cast %tile : i32 to index
  %t = arith.addi %start, %s : index
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
