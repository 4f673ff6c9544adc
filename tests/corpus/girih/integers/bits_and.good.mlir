// expect: VERIFIED
// Neighbours change places: the last bit is turned.
!C = !tile.tensor<[N] x f32, own>
!PC = !tile.partition<[_], [N] x f32, own>
!P = !tile.piece<[_] x f32, own>
tile.kernel @bits_and(%c: !C) symbols [M : index] grid [N] requires [N == 2 * M] {
  %v = arith.constant 1.0 : f32
  %c1 = arith.constant 1 : index
  %i = tile.block_id 0
  %pc = tile.partition %c by [_] : !C
  %bit = arith.andi %i, %c1 : index
  %even = arith.subi %i, %bit : index
  %other = arith.subi %c1, %bit : index
  %t = arith.addi %even, %other : index
  %same = arith.xori %i, %c1 : index
  %is = arith.cmpi eq, %t, %same : index
  tile.prove %is, "as xor says" : i1
  %out = tile.claim %pc[%t] : !PC
  tile.store %v, %out : !P
}
