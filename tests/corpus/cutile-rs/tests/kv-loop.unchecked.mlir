// expect: REFUTED load.bounds
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/partition_index_schedules.rs, kv_loop_bounds_checks_hoist_to_the_preheader
// Tiles of keys by head and a launch scalar: heads and tiles must be checked.
!Z = !tile.tensor<[S, H, 64] x f32, own>
!PZ = !tile.partition<[16, 1, 64], [S, H, 64] x f32, own>
!SZ = !tile.piece<[16, 1, 64] x f32, own>
!K = !tile.tensor<[HK, SK, 64] x f32, shared>
!PK = !tile.partition<[1, 16, 64], [HK, SK, 64] x f32, shared>
tile.kernel @kv_loop(%z: !Z, %k: !K) symbols [P : index, KV : i32] grid [P] requires [P >= 1] {
  %pz = tile.partition %z by [16, 1, 64] : !Z
  %pk = tile.partition %k by [1, 16, 64] : !K
  %zero = arith.constant dense<0.0> : vector<16x1x64xf32>
  %kv = tile.symbol "KV" : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %q0 = tile.num_tiles %pz, 0 : !PZ
  %heads = tile.num_tiles %pz, 1 : !PZ
  %total = arith.muli %q0, %heads : index
  %kv_2 = arith.index_cast %kv : i32 to index
  %low = tile.block_id 0
  %step = tile.grid_dim 0
  scf.for %t = %low to %total step %step {
    %q = arith.divsi %t, %heads : index
    %head = arith.remsi %t, %heads : index
    %acc_2 = scf.for %j = %c0 to %kv_2 step %c1 iter_args(%acc = %zero) -> (vector<16x1x64xf32>) {
      %k1 = tile.load %pk[%head, %j, %c0] pad(zero) : !PK
      %k2 = vector.shape_cast %k1 : vector<1x16x64xf32> to vector<16x1x64xf32>
      %acc_3 = arith.addf %acc, %k2 : vector<16x1x64xf32>
      scf.yield %acc_3 : vector<16x1x64xf32>
    }
    %o = tile.claim %pz[%q, %head, %c0] : !PZ
    tile.store %acc_2, %o : !SZ
  }
}
