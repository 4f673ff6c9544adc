// expect: VERIFIED
// Twice the row and a bit.
!C = !tile.tensor<[N] x f32, out>
!PC = !tile.partition<[_], [N] x f32, out>
!P = !tile.piece<[_] x f32, out>
tile.kernel @bits_or(%c: !C) symbols [M : index] grid [M, 2]
    requires [N == 2 * M] covers [%c[i] by block (div(i, 2), mod(i, 2))] {
  %v = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %i = tile.block_id 0
  %b = tile.block_id 1
  %pc = tile.partition %c by [_] : !C
  %even = arith.muli %i, %c2 : index
  %is = arith.cmpi sge, %even, %c0 : index
  tile.prove %is, "a sum has bits where it is known not to be negative" : i1
  %t = arith.ori %even, %b : index
  %out = tile.claim %pc[%t] : !PC
  tile.store %v, %out : !P
}
