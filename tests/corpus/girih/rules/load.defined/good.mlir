// expect: VERIFIED
// Writes an output, reads it back and writes it again.
!C = !tile.tensor<[N] x f32, out>
!PC = !tile.partition<[128], [N] x f32, out>
!P = !tile.piece<[128] x f32, out>
tile.kernel @load_defined(%c: !C) grid [ceildiv(N, 128)] {
  %one = arith.constant dense<1.0> : vector<128xf32>
  %i = tile.block_id 0
  %pc = tile.partition %c by [128] : !C
  %out = tile.claim %pc[%i] : !PC
  tile.store %one, %out : !P
  %old = tile.load %out pad(zero) : !P
  %v = arith.addf %old, %old : vector<128xf32>
  tile.store %v, %out : !P
}
