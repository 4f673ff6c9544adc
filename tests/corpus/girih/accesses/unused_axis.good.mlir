// expect: VERIFIED
// One block of that axis does the work.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[_], [N] x f32, own>
!P = !tile.piece<[_] x f32, own>
tile.kernel @unused_axis(%x: !X) symbols [P : index] grid [N, P] {
  %v = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %px = tile.partition %x by [_] : !X
  %i = tile.block_id 0
  %j = tile.block_id 1
  %first = arith.cmpi eq, %j, %c0 : index
  scf.if %first {
    %out = tile.claim %px[%i] : !PX
    tile.store %v, %out : !P
  }
}
