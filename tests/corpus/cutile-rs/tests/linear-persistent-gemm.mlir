// expect: VERIFIED
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/partition_index_schedules.rs, mapped_linear_map_lowers_to_linear_partition_index_math
// A persistent GEMM, tiles in row-major order.
!Z = !tile.tensor<[M, N] x f32, own>
!PZ = !tile.partition<[64, 64], [M, N] x f32, own>
!SZ = !tile.piece<[64, 64] x f32, own>
!X = !tile.tensor<[M, K] x f32, shared>
!PX = !tile.partition<[64, 32], [M, K] x f32, shared>
!Y = !tile.tensor<[K, N] x f32, shared>
!PY = !tile.partition<[32, 64], [K, N] x f32, shared>
tile.kernel @linear_persistent_gemm(%z: !Z, %x: !X, %y: !Y) symbols [P : index] grid [P] requires [P >= 1] {
  %pz = tile.partition %z by [64, 64] : !Z
  %px = tile.partition %x by [64, 32] : !X
  %py = tile.partition %y by [32, 64] : !Y
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %k = tile.symbol "K" : index
  %c32 = arith.constant 32 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %kt = arith.divsi %k, %c32 : index
  %gm = tile.num_tiles %pz, 0 : !PZ
  %gn = tile.num_tiles %pz, 1 : !PZ
  %total = arith.muli %gm, %gn : index
  %low = tile.block_id 0
  %step = tile.grid_dim 0
  scf.for %t = %low to %total step %step {
    %m = arith.divsi %t, %gn : index
    %n = arith.remsi %t, %gn : index
    %acc_2 = scf.for %k_2 = %c0 to %kt step %c1 iter_args(%acc = %zero) -> (vector<64x64xf32>) {
      %a = tile.load %px[%m, %k_2] pad(zero) : !PX
      %b = tile.load %py[%k_2, %n] pad(zero) : !PY
      %acc_3 = tile.mma %a, %b, %acc : vector<64x32xf32>, vector<32x64xf32>, vector<64x64xf32>
      scf.yield %acc_3 : vector<64x64xf32>
    }
    %o = tile.claim %pz[%m, %n] : !PZ
    tile.store %acc_2, %o : !SZ
  }
}
