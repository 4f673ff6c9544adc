// expect: VERIFIED
// The claim is inside the guard.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[8], [N] x f32, own>
!P = !tile.piece<[8] x f32, own>
tile.kernel @join(%x: !X)
    grid [ceildiv(N, 8)] {
  %v = arith.constant dense<1.0> : vector<8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i = tile.block_id 0
  %px = tile.partition %x by [8] : !X
  %n = tile.num_tiles %px, 0 : !PX
  %i1 = arith.addi %i, %c1 : index
  %ok = arith.cmpi slt, %i1, %n : index
  scf.if %ok {
    %out = tile.claim %px[%i1] : !PX
    tile.store %v, %out : !P
  }
}
