// As rope, where the first position stands in device memory, so that a step can be
// replayed as a graph
// any S and H, zero and ragged included; the tables end at T
!X = !tile.tensor<[S, H, 128] x bf16, shared>
!T = !tile.tensor<[T, 64] x f32, shared>
!I = !tile.tensor<[1] x i32, shared>
!Y = !tile.tensor<[S, H, 128] x bf16, out>
!PX = !tile.partition<[_, 16, 64], [S, H, 128] x bf16, shared>
!PT = !tile.partition<[_, 64], [T, 64] x f32, shared>
!PI = !tile.partition<[_], [1] x i32, shared>
!PY = !tile.partition<[_, 16, 64], [S, H, 128] x bf16, out>
!P = !tile.piece<[_, 16, 64] x bf16, out>
tile.kernel @rope_dynamic(%pos: !I, %x: !X, %cos: !T, %sin: !T, %y: !Y)
    grid [S, ceildiv(H, 16)] requires [S <= T] given [within(%pos, 0, T - S + 1)]
    hints {sm_90 = {occupancy = 8}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %s = tile.block_id 0
  %h = tile.block_id 1
  %pp = tile.partition %pos by [_] : !I
  %first = tile.load %pp[%c0] : !PI
  %start = arith.index_cast %first : i32 to index
  %t = arith.addi %start, %s : index
  %px = tile.partition %x by [_, 16, 64] : !X
  %pcos = tile.partition %cos by [_, 64] : !T
  %psin = tile.partition %sin by [_, 64] : !T
  %py = tile.partition %y by [_, 16, 64] : !Y
  %a = tile.load %px[%s, %h, %c0] pad(zero) : !PX
  %b = tile.load %px[%s, %h, %c1] pad(zero) : !PX
  %a32 = arith.extf %a : vector<16x64xbf16> to vector<16x64xf32>
  %b32 = arith.extf %b : vector<16x64xbf16> to vector<16x64xf32>
  %c = tile.load %pcos[%t, %c0] : !PT
  %d = tile.load %psin[%t, %c0] : !PT
  %cs = vector.broadcast %c : vector<64xf32> to vector<16x64xf32>
  %sn = vector.broadcast %d : vector<64xf32> to vector<16x64xf32>
  %ac = arith.mulf %a32, %cs : vector<16x64xf32>
  %bs = arith.mulf %b32, %sn : vector<16x64xf32>
  %bc = arith.mulf %b32, %cs : vector<16x64xf32>
  %as = arith.mulf %a32, %sn : vector<16x64xf32>
  %l32 = arith.subf %ac, %bs : vector<16x64xf32>
  %h32 = arith.addf %bc, %as : vector<16x64xf32>
  %l16 = arith.truncf %l32 : vector<16x64xf32> to vector<16x64xbf16>
  %h16 = arith.truncf %h32 : vector<16x64xf32> to vector<16x64xbf16>
  scf.for %half = %c0 to %c2 step %c1 {
    %out = tile.claim %py[%s, %h, %half] : !PY
    %is_low = arith.cmpi eq, %half, %c0 : index
    %tile = arith.select %is_low, %l16, %h16 : vector<16x64xbf16>
    tile.store %tile, %out : !P
  }
}
