// expect: VERIFIED
// Not (below or above) is both bounds.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[_], [N] x f32, own>
!P = !tile.piece<[_] x f32, own>
tile.kernel @either_bound(%x: !X) symbols [p : i8] grid [N] {
  %v = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %px = tile.partition %x by [_] : !X
  %n = tile.num_tiles %px, 0 : !PX
  %p = tile.symbol "p" : i8
  %wide = arith.index_cast %p : i8 to index
  %i = tile.block_id 0
  %j = arith.addi %i, %wide : index
  %low = arith.cmpi slt, %j, %c0 : index
  %high = arith.cmpi sge, %j, %n : index
  %outside = arith.ori %low, %high : i1
  scf.if %outside {
  } else {
    %out = tile.claim %px[%j] : !PX
    tile.store %v, %out : !P
  }
}
