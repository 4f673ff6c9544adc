// expect: VERIFIED
// States what holds of every block.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[_], [N] x f32, own>
!P = !tile.piece<[_] x f32, own>
tile.kernel @prove_holds(%x: !X) grid [N] {
  %v = arith.constant 1.0 : f32
  %c1 = arith.constant 1 : index
  %i = tile.block_id 0
  %n = tile.symbol "N" : index
  %last = arith.subi %n, %c1 : index
  %px = tile.partition %x by [_] : !X
  %fine = arith.cmpi sle, %i, %last : index
  tile.prove %fine, "the block has an element" : i1
  %out = tile.claim %px[%i] : !PX
  tile.store %v, %out : !P
}
