// expect: UNKNOWN out.covered
// Told the wrong block of the pair: not proved, though every element is
// written.
!C = !tile.tensor<[M, N] x f32, out>
!R = !tile.tensor<[N] x f32, out>
!PR = !tile.partition<[64], [N] x f32, out>
!P = !tile.piece<[64] x f32, out>
tile.kernel @covers_fix(%c: !C) symbols [K : index]
    grid [K, 2, ceildiv(N, 64)] requires [M == 2 * K]
    covers [%c[r, e] by block (div(r, 2), mod(r, 2), div(e, 64))] {
  %v = arith.constant dense<1.0> : vector<64xf32>
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i = tile.block_id 0
  %j = tile.block_id 1
  %k = tile.block_id 2
  %pair = arith.muli %i, %c2 : index
  %last = arith.addi %pair, %c1 : index
  %r = arith.subi %last, %j : index
  %row = tile.view %c fix 0 at %r : !C
  %pr = tile.partition %row by [64] : !R
  %out = tile.claim %pr[%k] : !PR
  tile.store %v, %out : !P
}
