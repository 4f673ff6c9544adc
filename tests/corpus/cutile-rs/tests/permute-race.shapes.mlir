// expect: REFUTED claim.disjoint
// source: NVlabs/cutile-rs@0839fe4 cutile-benchmarks/paper/sec3_example1_race_detection/permute_race.py
// The same on the shapes of its launch, where all indices fit: blocks of
// different h1 write one tile.
!X = !tile.tensor<[2, 8, 256, 64] x f32, shared>
!PX = !tile.partition<[1, 1, 32, 64], [2, 8, 256, 64] x f32, shared>
!Z = !tile.tensor<[2, 8, 256, 64] x f32, own>
!PZ = !tile.partition<[1, 1, 32, 64], [2, 8, 256, 64] x f32, own>
!SZ = !tile.piece<[1, 1, 32, 64] x f32, own>
tile.kernel @permute_race(%x: !X, %z: !Z) grid [16, 8] {
  %px = tile.partition %x by [1, 1, 32, 64] : !X
  %pz = tile.partition %z by [1, 1, 32, 64] : !Z
  %c8 = arith.constant 8 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bh = tile.block_id 0
  %h2 = tile.block_id 1
  %b = arith.divsi %bh, %c8 : index
  %h1 = arith.remsi %bh, %c8 : index
  %n = tile.num_tiles %px, 2 : !PX
  scf.for %m = %c0 to %n step %c1 {
    %t = tile.load %px[%b, %h1, %m, %c0] pad(zero) : !PX
    %o = tile.claim %pz[%b, %m, %h2, %c0] : !PZ
    tile.store %t, %o : !SZ
  }
}
