// expect: VERIFIED
// Full tiles in a loop, then the ragged one.
!C = !tile.tensor<[M, N] x f32, out>
!PC = !tile.partition<[_, 64], [M, N] x f32, out>
!P = !tile.piece<[_, 64] x f32, out>
tile.kernel @tail(%c: !C) grid [M] {
  %zero = arith.constant dense<0.0> : vector<64xf32>
  %one = arith.constant dense<1.0> : vector<64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %n = tile.symbol "N" : index
  %full = arith.divsi %n, %c64 : index
  %rest = arith.remsi %n, %c64 : index
  %i = tile.block_id 0
  %pc = tile.partition %c by [_, 64] : !C
  scf.for %k = %c0 to %full step %c1 {
    %out = tile.claim %pc[%i, %k] : !PC
    tile.store %zero, %out : !P
  }
  %ragged = arith.cmpi ne, %rest, %c0 : index
  scf.if %ragged {
    %out = tile.claim %pc[%i, %full] : !PC
    tile.store %one, %out : !P
  }
}
