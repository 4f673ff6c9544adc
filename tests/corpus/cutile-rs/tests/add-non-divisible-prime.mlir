// expect: VERIFIED
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/slice_non_divisible.rs, add_non_divisible_prime
// A sum of 251 elements in tiles of 128.
!Z = !tile.tensor<[251] x f32, out>
!PZ = !tile.partition<[128], [251] x f32, out>
!SZ = !tile.piece<[128] x f32, out>
!A = !tile.tensor<[251] x f32, shared>
!PA = !tile.partition<[128], [251] x f32, shared>
!B = !tile.tensor<[251] x f32, shared>
!PB = !tile.partition<[128], [251] x f32, shared>
tile.kernel @add_non_divisible_prime(%z: !Z, %a: !A, %b: !B) grid [2] {
  %pz = tile.partition %z by [128] : !Z
  %pa = tile.partition %a by [128] : !A
  %pb = tile.partition %b by [128] : !B
  %i = tile.block_id 0
  %o = tile.claim %pz[%i] : !PZ
  %u = tile.load %pa[%i] pad(zero) : !PA
  %v = tile.load %pb[%i] pad(zero) : !PB
  %w = arith.addf %u, %v : vector<128xf32>
  tile.store %w, %o : !SZ
}
