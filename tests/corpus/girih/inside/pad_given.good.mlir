// expect: VERIFIED
// What is given of the contents holds of lanes that were read; those that the
// mask leaves off have the padding, which is a place in %t, too.
!X = !tile.tensor<[M] x i32, shared>
!T = !tile.tensor<[N] x f32, shared>
!Y = !tile.tensor<[64] x f32, out>
!PX = !tile.partition<[64], [M] x i32, shared>
!PY = !tile.partition<[64], [64] x f32, out>
!P = !tile.piece<[64] x f32, out>
tile.kernel @pad_given(%x: !X, %t: !T, %y: !Y) grid [1] requires [M >= 1, N >= 10] given [within(%x, 0, N)] {
  %c0 = arith.constant 0 : index
  %px = tile.partition %x by [64] : !X
  %id32 = tile.load %px[%c0] pad(9) : !PX
  %id = arith.index_cast %id32 : vector<64xi32> to vector<64xindex>
  %v = tile.gather %t[%id] : !T, vector<64xindex>
  %py = tile.partition %y by [64] : !Y
  %out = tile.claim %py[%c0] : !PY
  tile.store %v, %out : !P
}
