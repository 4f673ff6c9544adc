// expect: REFUTED claim.disjoint
// source: NVlabs/cutile-rs@0839fe4 cutile-benchmarks/paper/sec3_example1_race_detection/permute_race.py
// m and h2 in order, as the remedy there says: blocks of different h1 write one
// tile still.
!X = !tile.tensor<[B, H, M, 64] x f32, shared>
!PX = !tile.partition<[1, 1, 32, 64], [B, H, M, 64] x f32, shared>
!Z = !tile.tensor<[B, H, M, 64] x f32, own>
!PZ = !tile.partition<[1, 1, 32, 64], [B, H, M, 64] x f32, own>
!SZ = !tile.piece<[1, 1, 32, 64] x f32, own>
tile.kernel @permute_race(%x: !X, %z: !Z) grid [B * H, H] requires [H >= 1] {
  %px = tile.partition %x by [1, 1, 32, 64] : !X
  %pz = tile.partition %z by [1, 1, 32, 64] : !Z
  %h = tile.symbol "H" : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bh = tile.block_id 0
  %h2 = tile.block_id 1
  %b = arith.divsi %bh, %h : index
  %h1 = arith.remsi %bh, %h : index
  %n = tile.num_tiles %px, 2 : !PX
  scf.for %m = %c0 to %n step %c1 {
    %t = tile.load %px[%b, %h1, %m, %c0] pad(zero) : !PX
    %o = tile.claim %pz[%b, %h2, %m, %c0] : !PZ
    tile.store %t, %o : !SZ
  }
}
