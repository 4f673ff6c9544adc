// expect: VERIFIED
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/slice_non_divisible.rs, scale_non_divisible_size
// 500 elements in tiles of 128.
!Z = !tile.tensor<[500] x f32, out>
!PZ = !tile.partition<[128], [500] x f32, out>
!SZ = !tile.piece<[128] x f32, out>
!A = !tile.tensor<[500] x f32, shared>
!PA = !tile.partition<[128], [500] x f32, shared>
tile.kernel @scale_non_divisible_size(%z: !Z, %a: !A, %f: f32) grid [4] {
  %pz = tile.partition %z by [128] : !Z
  %pa = tile.partition %a by [128] : !A
  %i = tile.block_id 0
  %o = tile.claim %pz[%i] : !PZ
  %u = tile.load %pa[%i] pad(zero) : !PA
  %s = vector.broadcast %f : f32 to vector<128xf32>
  %w = arith.mulf %u, %s : vector<128xf32>
  tile.store %w, %o : !SZ
}
