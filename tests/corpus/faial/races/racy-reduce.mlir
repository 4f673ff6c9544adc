// expect: REFUTED claim.disjoint
// source: elliotsayes/faial@c29bf33 examples/drf/racy-reduce.cu, test.ml
// A tree of additions in one warp without synchronisation. Rewritten: a thread
// is a block of one element.
!M = !tile.tensor<[64] x f32, own>
!PM = !tile.partition<[_], [64] x f32, own>
!SM = !tile.piece<[_] x f32, own>
tile.kernel @racy_reduce(%m: !M) grid [32] {
  %pm = tile.partition %m by [_] : !M
  %c16 = arith.constant 16 : index
  %c8 = arith.constant 8 : index
  %c4 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %t = tile.block_id 0
  %r16 = arith.addi %t, %c16 : index
  %s16 = tile.claim %pm[%r16] : !PM
  %u16 = tile.load %s16 : !SM
  %d16 = tile.claim %pm[%t] : !PM
  %w16 = tile.load %d16 : !SM
  %x16 = arith.addf %u16, %w16 : f32
  tile.store %x16, %d16 : !SM
  %r8 = arith.addi %t, %c8 : index
  %s8 = tile.claim %pm[%r8] : !PM
  %u8 = tile.load %s8 : !SM
  %d8 = tile.claim %pm[%t] : !PM
  %w8 = tile.load %d8 : !SM
  %x8 = arith.addf %u8, %w8 : f32
  tile.store %x8, %d8 : !SM
  %r4 = arith.addi %t, %c4 : index
  %s4 = tile.claim %pm[%r4] : !PM
  %u4 = tile.load %s4 : !SM
  %d4 = tile.claim %pm[%t] : !PM
  %w4 = tile.load %d4 : !SM
  %x4 = arith.addf %u4, %w4 : f32
  tile.store %x4, %d4 : !SM
  %r2 = arith.addi %t, %c2 : index
  %s2 = tile.claim %pm[%r2] : !PM
  %u2 = tile.load %s2 : !SM
  %d2 = tile.claim %pm[%t] : !PM
  %w2 = tile.load %d2 : !SM
  %x2 = arith.addf %u2, %w2 : f32
  tile.store %x2, %d2 : !SM
  %r1 = arith.addi %t, %c1 : index
  %s1 = tile.claim %pm[%r1] : !PM
  %u1 = tile.load %s1 : !SM
  %d1 = tile.claim %pm[%t] : !PM
  %w1 = tile.load %d1 : !SM
  %x1 = arith.addf %u1, %w1 : f32
  tile.store %x1, %d1 : !SM
}
