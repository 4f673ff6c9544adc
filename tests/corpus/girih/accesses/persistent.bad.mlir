// expect: REFUTED claim.disjoint
// twin: persistent.good.mlir
// P programs stride over the tiles; the stride must be the grid.
!X = !tile.tensor<[N] x f32, out>
!PX = !tile.partition<[8], [N] x f32, out>
!P = !tile.piece<[8] x f32, out>
tile.kernel @persistent(%x: !X) symbols [P : index]
    grid [P] requires [P >= 1] {
  %v = arith.constant dense<1.0> : vector<8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i = tile.block_id 0
  %px = tile.partition %x by [8] : !X
  %n = tile.num_tiles %px, 0 : !PX
  %p = tile.grid_dim 0
  %less = arith.subi %p, %c1 : index
  %short = arith.maxsi %less, %c1 : index
  scf.for %t = %i to %n step %short {
    %out = tile.claim %px[%t] : !PX
    tile.store %v, %out : !P
  }
}
