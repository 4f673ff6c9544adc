// expect: VERIFIED
// A negative padding marks lanes that found nothing, and guards their places.
!X = !tile.tensor<[M] x i64, shared>
!T = !tile.tensor<[N] x f32, shared>
!Y = !tile.tensor<[M] x f32, out>
!PX = !tile.partition<[32], [M] x i64, shared>
!PY = !tile.partition<[32], [M] x f32, out>
!P = !tile.piece<[32] x f32, out>
tile.kernel @pad_negative(%x: !X, %t: !T, %y: !Y) grid [ceildiv(M, 32)] given [within(%x, 0, N)] {
  %none = arith.constant dense<0> : vector<32xindex>
  %b = tile.block_id 0
  %px = tile.partition %x by [32] : !X
  %py = tile.partition %y by [32] : !Y
  %out = tile.claim %py[%b] : !PY
  %id64 = tile.load %px[%b] pad(-1) : !PX
  %id = arith.index_cast %id64 : vector<32xi64> to vector<32xindex>
  %found = arith.cmpi sge, %id, %none : vector<32xindex>
  %v = tile.gather %t[%id], %found pad(0.25) : !T, vector<32xindex>, vector<32xi1>
  tile.store %v, %out : !P
}
