// expect: VERIFIED
// Block b writes place b + s, modulo N.
!C = !tile.tensor<[N] x f32, out>
!PC = !tile.partition<[_], [N] x f32, out>
!P = !tile.piece<[_] x f32, out>
tile.kernel @rotation(%c: !C) symbols [s : index] grid [N] {
  %v = arith.constant 1.0 : f32
  %n = tile.symbol "N" : index
  %s = tile.symbol "s" : index
  %pc = tile.partition %c by [_] : !C
  %b = tile.block_id 0
  %x = arith.addi %b, %s : index
  %r = arith.remsi %x, %n : index
  %out = tile.claim %pc[%r] : !PC
  tile.store %v, %out : !P
}
