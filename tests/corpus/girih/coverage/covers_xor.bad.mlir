// expect: REFUTED out.covered
// twin: covers_xor.good.mlir
// The row of block 0 is left out.
!C = !tile.tensor<[M, N] x f32, out>
!R = !tile.tensor<[N] x f32, out>
!PR = !tile.partition<[64], [N] x f32, out>
!P = !tile.piece<[64] x f32, out>
tile.kernel @covers_xor(%c: !C) symbols [K : index] grid [M, ceildiv(N, 64)]
    requires [M == 2 * K]
    covers [%c[r, e] by block (r + 1 - 2 * mod(r, 2), div(e, 64))] {
  %v = arith.constant dense<1.0> : vector<64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = tile.block_id 0
  %k = tile.block_id 1
  %r = arith.xori %i, %c1 : index
  %is = arith.cmpi sgt, %i, %c0 : index
  scf.if %is {
    %row = tile.view %c fix 0 at %r : !C
    %pr = tile.partition %row by [64] : !R
    %out = tile.claim %pr[%k] : !PR
    tile.store %v, %out : !P
  }
}
