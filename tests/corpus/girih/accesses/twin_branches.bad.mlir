// expect: REFUTED claim.disjoint
// twin: twin_branches.good.mlir
// Two branches that say the same, in two blocks, on one element.
!X = !tile.tensor<[2] x f32, own>
!PX = !tile.partition<[_], [2] x f32, own>
tile.kernel @twin_branches(%x: !X) grid [2] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %px = tile.partition %x by [_] : !X
  %i = tile.block_id 0
  %first = arith.cmpi eq, %i, %c0 : index
  scf.if %first {
    %j = arith.remsi %i, %c1 : index
    %out = tile.claim %px[%j] : !PX
  } else {
    %j = arith.remsi %i, %c1 : index
    %out = tile.claim %px[%j] : !PX
  }
}
