// expect: VERIFIED
// More lanes than an index of 8 bits has numbers.
!X = !tile.tensor<[N] x f32, shared>
!Y = !tile.tensor<[N] x f32, out>
!PY = !tile.partition<[256], [N] x f32, out>
!P = !tile.piece<[256] x f32, out>
tile.kernel @lane_many(%x: !X, %y: !Y) grid [1] requires [N <= 100] {
  %c0 = arith.constant 0 : index
  %n = tile.symbol "N" : index
  %end = vector.broadcast %n : index to vector<256xindex>
  %lane = tile.iota 0 : vector<256xindex>
  %there = arith.cmpi slt, %lane, %end : vector<256xindex>
  %v = tile.gather %x[%lane], %there pad(zero) : !X, vector<256xindex>, vector<256xi1>
  %py = tile.partition %y by [256] : !Y
  %tiles = tile.num_tiles %py, 0 : !PY
  %some = arith.cmpi slt, %c0, %tiles : index
  scf.if %some {
    %out = tile.claim %py[%c0] : !PY
    tile.store %v, %out : !P
  }
}
