// expect: REFUTED out.covered
// Of an odd number of columns the last one is in neither half.
!C = !tile.tensor<[M, N] x f32, out>
!H = !tile.tensor<[M, H] x f32, out>
!PH = !tile.partition<[16, 64], [M, H] x f32, out>
!P = !tile.piece<[16, 64] x f32, out>
tile.kernel @halves(%c: !C) symbols [H : index]
    grid [2, ceildiv(M, 16), ceildiv(H, 64)] requires [N == 2 * H + 1] {
  %v = arith.constant dense<1.0> : vector<16x64xf32>
  %c0 = arith.constant 0 : index
  %b = tile.block_id 0
  %i = tile.block_id 1
  %j = tile.block_id 2
  %h = tile.symbol "H" : index
  %first = arith.muli %b, %h : index
  %half = tile.view %c slice [0, %first] size [M, H] : !C
  %pc = tile.partition %half by [16, 64] : !H
  %out = tile.claim %pc[%i, %j] : !PH
  tile.store %v, %out : !P
}
