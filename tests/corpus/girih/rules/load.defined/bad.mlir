// expect: REFUTED load.defined
// twin: good.mlir
// Reads an output before anything was written there.
!C = !tile.tensor<[N] x f32, out>
!PC = !tile.partition<[128], [N] x f32, out>
!P = !tile.piece<[128] x f32, out>
tile.kernel @load_defined(%c: !C) grid [ceildiv(N, 128)] {
  %i = tile.block_id 0
  %pc = tile.partition %c by [128] : !C
  %out = tile.claim %pc[%i] : !PC
  %old = tile.load %out pad(zero) : !P
  %v = arith.addf %old, %old : vector<128xf32>
  tile.store %v, %out : !P
}
