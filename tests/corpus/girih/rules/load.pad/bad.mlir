// expect: REFUTED load.pad
// twin: good.mlir
// The last tile is ragged and nothing says what lies beyond.
!A = !tile.tensor<[N] x f32, shared>
!C = !tile.tensor<[N] x f32, out>
!PA = !tile.partition<[128], [N] x f32, shared>
!PC = !tile.partition<[128], [N] x f32, out>
!P = !tile.piece<[128] x f32, out>
tile.kernel @load_pad(%a: !A, %c: !C) grid [ceildiv(N, 128)] {
  %i = tile.block_id 0
  %pa = tile.partition %a by [128] : !A
  %pc = tile.partition %c by [128] : !C
  %out = tile.claim %pc[%i] : !PC
  %v = tile.load %pa[%i] : !PA
  tile.store %v, %out : !P
}
