// expect: REFUTED claim.disjoint
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/partition_index_schedules.rs, mapped_partition_store_rejects_unbranded_index
// Every block stores at one index that comes from no schedule.
!Z = !tile.tensor<[256, 256] x f32, own>
!PZ = !tile.partition<[64, 64], [256, 256] x f32, own>
!SZ = !tile.piece<[64, 64] x f32, own>
tile.kernel @unbranded_index(%z: !Z) grid [4] {
  %pz = tile.partition %z by [64, 64] : !Z
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %c0 = arith.constant 0 : index
  %o = tile.claim %pz[%c0, %c0] : !PZ
  tile.store %zero, %o : !SZ
}
