// expect: VERIFIED
// Each row has its neighbour's block: rows are fixed at i xor 1.
!C = !tile.tensor<[M, N] x f32, out>
!R = !tile.tensor<[N] x f32, out>
!PR = !tile.partition<[64], [N] x f32, out>
!P = !tile.piece<[64] x f32, out>
tile.kernel @covers_xor(%c: !C) symbols [K : index] grid [M, ceildiv(N, 64)]
    requires [M == 2 * K]
    covers [%c[r, e] by block (r + 1 - 2 * mod(r, 2), div(e, 64))] {
  %v = arith.constant dense<1.0> : vector<64xf32>
  %c1 = arith.constant 1 : index
  %i = tile.block_id 0
  %k = tile.block_id 1
  %r = arith.xori %i, %c1 : index
  %row = tile.view %c fix 0 at %r : !C
  %pr = tile.partition %row by [64] : !R
  %out = tile.claim %pr[%k] : !PR
  tile.store %v, %out : !P
}
