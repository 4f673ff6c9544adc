// expect: VERIFIED
// Xor with true negates.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[_], [N] x f32, own>
!P = !tile.piece<[_] x f32, own>
tile.kernel @negation(%x: !X) grid [N] {
  %v = arith.constant 1.0 : f32
  %c1 = arith.constant 1 : index
  %px = tile.partition %x by [_] : !X
  %n = tile.num_tiles %px, 0 : !PX
  %i = tile.block_id 0
  %j = arith.addi %i, %c1 : index
  %beyond = arith.cmpi sge, %j, %n : index
  %flip = arith.constant true
  %ok = arith.xori %beyond, %flip : i1
  scf.if %ok {
    %out = tile.claim %px[%j] : !PX
    tile.store %v, %out : !P
  }
}
