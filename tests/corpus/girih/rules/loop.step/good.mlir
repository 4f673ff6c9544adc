// expect: VERIFIED
// The contract keeps the step at 1 or more.
!X = !tile.tensor<[N] x f32, out>
!PX = !tile.partition<[128], [N] x f32, out>
!P = !tile.piece<[128] x f32, out>
tile.kernel @loop_step(%x: !X) symbols [S : index] grid [1]
    requires [S >= 1] {
  %v = arith.constant dense<1.0> : vector<128xf32>
  %b = tile.block_id 0
  %s = tile.symbol "S" : index
  %px = tile.partition %x by [128] : !X
  %n = tile.num_tiles %px, 0 : !PX
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %n step %s {
  }
  scf.for %i = %c0 to %n step %c1 {
    %out = tile.claim %px[%i] : !PX
    tile.store %v, %out : !P
  }
}
