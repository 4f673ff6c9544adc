// expect: REFUTED claim.disjoint
// twin: pairs.good.mlir
// Each block owns two neighbouring tiles.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[8], [N] x f32, own>
!P = !tile.piece<[8] x f32, own>
tile.kernel @pairs(%x: !X)
    grid [ceildiv(N, 16)] {
  %v = arith.constant dense<1.0> : vector<8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i = tile.block_id 0
  %px = tile.partition %x by [8] : !X
  %n = tile.num_tiles %px, 0 : !PX
  %base = arith.muli %i, %c1 : index
  %end = arith.addi %base, %c2 : index
  %stop = arith.minsi %end, %n : index
  scf.for %t = %base to %stop step %c1 {
    %out = tile.claim %px[%t] : !PX
    tile.store %v, %out : !P
  }
}
