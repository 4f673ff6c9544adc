// expect: REFUTED out.covered
// twin: covers_stretch.good.mlir
// Rounded down, the stretches leave out the last elements.
!C = !tile.tensor<[N] x f32, out>
!S = !tile.tensor<[?] x f32, out>
!PS = !tile.partition<[64], [?] x f32, out>
!P = !tile.piece<[64] x f32, out>
tile.kernel @covers_stretch(%c: !C) symbols [B : index] grid [B]
    requires [B >= 1] covers [%c[e] by block (div(e, div(N, B)))
                              trips (div(mod(e, div(N, B)), 64))] {
  %v = arith.constant dense<1.0> : vector<64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = tile.block_id 0
  %n = tile.symbol "N" : index
  %b = tile.symbol "B" : index
  %most = arith.divsi %n, %b : index
  %first = arith.muli %i, %most : index
  %at = arith.minsi %first, %n : index
  %rest = arith.subi %n, %at : index
  %size = arith.minsi %most, %rest : index
  %s = tile.view %c slice [%at] size [%size] : !C
  %ps = tile.partition %s by [64] : !S
  %m = tile.num_tiles %ps, 0 : !PS
  scf.for %k = %c0 to %m step %c1 {
    %out = tile.claim %ps[%k] : !PS
    tile.store %v, %out : !P
  }
}
