// expect: VERIFIED
// A grid of P blocks, any P, behind a guard against the number of tiles.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[8], [N] x f32, own>
!P = !tile.piece<[8] x f32, own>
tile.kernel @guard(%x: !X) symbols [P : index]
    grid [P] {
  %v = arith.constant dense<1.0> : vector<8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i = tile.block_id 0
  %px = tile.partition %x by [8] : !X
  %n = tile.num_tiles %px, 0 : !PX
  %ok = arith.cmpi slt, %i, %n : index
  scf.if %ok {
    %out = tile.claim %px[%i] : !PX
    tile.store %v, %out : !P
  }
}
