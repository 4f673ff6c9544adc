// expect: VERIFIED
// Two branches that say the same of different blocks.
!X = !tile.tensor<[2] x f32, own>
!PX = !tile.partition<[_], [2] x f32, own>
tile.kernel @twin_branches(%x: !X) grid [2] {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %px = tile.partition %x by [_] : !X
  %i = tile.block_id 0
  %first = arith.cmpi eq, %i, %c0 : index
  scf.if %first {
    %j = arith.remsi %i, %c2 : index
    %out = tile.claim %px[%j] : !PX
  } else {
    %j = arith.remsi %i, %c2 : index
    %out = tile.claim %px[%j] : !PX
  }
}
