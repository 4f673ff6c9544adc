// Writes the row that a table names, and trusts that the table is the identity.
!R = !tile.tensor<[N] x i32, shared>
!X = !tile.tensor<[N] x f32, own>
!PR = !tile.partition<[_], [N] x i32, shared>
!PX = !tile.partition<[_], [N] x f32, own>
!P = !tile.piece<[_] x f32, own>
tile.kernel @trusting(%r: !R, %x: !X) grid [N] {
  %v = arith.constant 1.0 : f32
  %i = tile.block_id 0
  %pr = tile.partition %r by [_] : !R
  %px = tile.partition %x by [_] : !X
  %at = tile.load %pr[%i] : !PR
  %row = arith.index_cast %at : i32 to index
  %same = arith.cmpi eq, %row, %i : index
  tile.trust %same, "the rows are in order" : i1
  %out = tile.claim %px[%row] : !PX
  tile.store %v, %out : !P
}
