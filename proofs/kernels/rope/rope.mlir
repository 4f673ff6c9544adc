// Rotary embedding of S positions from pos on: of each head the lanes (i, i + 64)
// turn by the angle of position pos + s and frequency i, whose cosine and sine
// tables hold; in bf16, heads of 128
// any S and H, zero and ragged included; the tables end at T
!X = !tile.tensor<[S, H, 128] x bf16, shared>
!T = !tile.tensor<[T, 64] x f32, shared>
!Y = !tile.tensor<[S, H, 128] x bf16, out>
!PX = !tile.partition<[_, 16, 64], [S, H, 128] x bf16, shared>
!PT = !tile.partition<[_, 64], [T, 64] x f32, shared>
!PY = !tile.partition<[_, 16, 64], [S, H, 128] x bf16, out>
!P = !tile.piece<[_, 16, 64] x bf16, out>
tile.kernel @rope(%x: !X, %cos: !T, %sin: !T, %y: !Y) symbols [pos : index]
    grid [S, ceildiv(H, 16)] requires [pos + S <= T] hints {sm_90 = {occupancy = 8}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %s = tile.block_id 0
  %h = tile.block_id 1
  %start = tile.symbol "pos" : index
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
