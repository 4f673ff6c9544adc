// expect: REFUTED load.bounds
// twin: good.mlir
// Loads the tile after its own, which the last block does not have.
!A = !tile.tensor<[N] x f32, shared>
!C = !tile.tensor<[N] x f32, out>
!PA = !tile.partition<[128], [N] x f32, shared>
!PC = !tile.partition<[128], [N] x f32, out>
!P = !tile.piece<[128] x f32, out>
tile.kernel @load_bounds(%a: !A, %c: !C) grid [ceildiv(N, 128)] {
  %c1 = arith.constant 1 : index
  %i = tile.block_id 0
  %i1 = arith.addi %i, %c1 : index
  %pa = tile.partition %a by [128] : !A
  %pc = tile.partition %c by [128] : !C
  %out = tile.claim %pc[%i] : !PC
  %v = tile.load %pa[%i1] pad(zero) : !PA
  tile.store %v, %out : !P
}
