// expect: VERIFIED
// The contract asks for a step.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[_], [N] x f32, own>
!P = !tile.piece<[_] x f32, own>
tile.kernel @zero_step(%x: !X) symbols [S : index] grid [1] requires [S >= 1] {
  %v = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %px = tile.partition %x by [_] : !X
  %n = tile.num_tiles %px, 0 : !PX
  %s = tile.symbol "S" : index
  scf.for %k = %c0 to %n step %s {
    %out = tile.claim %px[%k] : !PX
    tile.store %v, %out : !P
  }
}
