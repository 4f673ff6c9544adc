// expect: VERIFIED
// Each block turns round a few rows of its own: a gather in coordinates of the
// slice, where the mask asks for what the slice has.
!X = !tile.tensor<[M] x f32, shared>
!S = !tile.tensor<[?] x f32, shared>
!Y = !tile.tensor<[M] x f32, out>
!PY = !tile.partition<[16], [M] x f32, out>
!P = !tile.piece<[16] x f32, out>
tile.kernel @own_rows(%x: !X, %y: !Y) grid [ceildiv(M, 16)] {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %b = tile.block_id 0
  %m = tile.symbol "M" : index
  %first = arith.muli %b, %c16 : index
  %left = arith.subi %m, %first : index
  %size = arith.minsi %left, %c16 : index
  %mine = tile.view %x slice [%first] size [%size] : !X
  %last = arith.subi %size, %c1 : index
  %lane = tile.iota 0 : vector<16xindex>
  %end = vector.broadcast %last : index to vector<16xindex>
  %at = arith.subi %end, %lane : vector<16xindex>
  %zero = arith.constant dense<0> : vector<16xindex>
  %in = arith.cmpi sge, %at, %zero : vector<16xindex>
  %v = tile.gather %mine[%at], %in pad(zero) : !S, vector<16xindex>, vector<16xi1>
  %py = tile.partition %y by [16] : !Y
  %out = tile.claim %py[%b] : !PY
  tile.store %v, %out : !P
}
