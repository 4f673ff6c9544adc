// expect: VERIFIED
// source: NVlabs/cutile-rs@0839fe4 cutile-benchmarks/paper/sec3_example1_race_detection/permute_race_rust.rs
// The version whose destination is its block's own tile; it reads the first
// rows.
!X = !tile.tensor<[B, H, M, 64] x f32, shared>
!PX = !tile.partition<[1, 1, 32, 64], [B, H, M, 64] x f32, shared>
!Z = !tile.tensor<[B, H, M, 64] x f32, own>
!PZ = !tile.partition<[1, 1, 32, 64], [B, H, M, 64] x f32, own>
!SZ = !tile.piece<[1, 1, 32, 64] x f32, own>
tile.kernel @permute_race(%x: !X, %z: !Z) grid [B, H, ceildiv(M, 32)] {
  %px = tile.partition %x by [1, 1, 32, 64] : !X
  %pz = tile.partition %z by [1, 1, 32, 64] : !Z
  %c0 = arith.constant 0 : index
  %b = tile.block_id 0
  %h1 = tile.block_id 1
  %m = tile.block_id 2
  %t = tile.load %px[%b, %h1, %c0, %c0] pad(zero) : !PX
  %o = tile.claim %pz[%b, %h1, %m, %c0] : !PZ
  tile.store %t, %o : !SZ
}
