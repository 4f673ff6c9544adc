// expect: VERIFIED
// Each branch stores before it loads.
!X = !tile.tensor<[2] x f32, out partial>
!PX = !tile.partition<[_], [2] x f32, out partial>
!P = !tile.piece<[_] x f32, out>
tile.kernel @branch_store(%x: !X) grid [2] {
  %v = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %px = tile.partition %x by [_] : !X
  %i = tile.block_id 0
  %first = arith.cmpi eq, %i, %c0 : index
  %out = tile.claim %px[%i] : !PX
  scf.if %first {
    tile.store %v, %out : !P
    %y = tile.load %out : !P
  } else {
    tile.store %v, %out : !P
    %y = tile.load %out : !P
  }
}
