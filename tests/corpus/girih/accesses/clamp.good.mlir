// expect: VERIFIED
// No more blocks than tiles: the clamp does nothing.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[8], [N] x f32, own>
!P = !tile.piece<[8] x f32, own>
tile.kernel @clamp(%x: !X) symbols [P : index]
    grid [P] requires [P <= ceildiv(N, 8)] {
  %v = arith.constant dense<1.0> : vector<8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i = tile.block_id 0
  %px = tile.partition %x by [8] : !X
  %n = tile.num_tiles %px, 0 : !PX
  %last = arith.subi %n, %c1 : index
  %t = arith.minsi %i, %last : index
  %ok = arith.cmpi sge, %t, %c0 : index
  scf.if %ok {
    %out = tile.claim %px[%t] : !PX
    tile.store %v, %out : !P
  }
}
