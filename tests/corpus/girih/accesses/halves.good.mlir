// expect: VERIFIED
// Two claims of one tensor: the first half and the second.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[8], [N] x f32, own>
!P = !tile.piece<[8] x f32, own>
tile.kernel @halves(%x: !X) symbols [H : index]
    grid [H] requires [N == 16 * H] {
  %v = arith.constant dense<1.0> : vector<8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i = tile.block_id 0
  %px = tile.partition %x by [8] : !X
  %n = tile.symbol "H" : index
  %j = arith.addi %i, %n : index
  %first = tile.claim %px[%i] : !PX
  tile.store %v, %first : !P
  %out = tile.claim %px[%j] : !PX
  tile.store %v, %out : !P
}
