// expect: REFUTED out.covered
// As wide_and_rest.good, but rows may be longer than both.
!X = !tile.tensor<[M, N] x f32, out>
!PWide = !tile.partition<[1, 4], [M, N] x f32, out>
!PRest = !tile.partition<[1, 2], [M, N] x f32, out>
!Wide = !tile.piece<[1, 4] x f32, out>
!Rest = !tile.piece<[1, 2] x f32, out>
tile.kernel @wide_and_rest(%x: !X) grid [M] requires [N > 4, N <= 8] {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %v = arith.constant dense<1.0> : vector<1x4xf32>
  %w = arith.constant dense<1.0> : vector<1x2xf32>
  %i = tile.block_id 0
  %wides = tile.partition %x by [1, 4] : !X
  %rests = tile.partition %x by [1, 2] : !X
  %wide = tile.claim %wides[%i, %c0] : !PWide
  %rest = tile.claim %rests[%i, %c2] : !PRest
  tile.store %v, %wide : !Wide
  tile.store %w, %rest : !Rest
}
