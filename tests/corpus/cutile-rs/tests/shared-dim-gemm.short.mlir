// expect: REFUTED load.bounds
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/inferred_axis_bounds.rs, undeclared_cross_tensor_access_relocates_to_launch
// 96 rows for 128 columns.
!Z = !tile.tensor<[32, 32] x f32, own>
!PZ = !tile.partition<[32, 32], [32, 32] x f32, own>
!SZ = !tile.piece<[32, 32] x f32, own>
!X = !tile.tensor<[64, 128] x f32, shared>
!PX = !tile.partition<[32, 32], [64, 128] x f32, shared>
!Y = !tile.tensor<[96, 64] x f32, shared>
!PY = !tile.partition<[32, 32], [96, 64] x f32, shared>
tile.kernel @shared_dim_gemm(%z: !Z, %x: !X, %y: !Y) grid [1, 1] {
  %pz = tile.partition %z by [32, 32] : !Z
  %px = tile.partition %x by [32, 32] : !X
  %py = tile.partition %y by [32, 32] : !Y
  %zero = arith.constant dense<0.0> : vector<32x32xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = tile.block_id 0
  %v_2 = tile.block_id 1
  %o = tile.claim %pz[%v, %v_2] : !PZ
  %n = tile.num_tiles %px, 1 : !PX
  %acc_2 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<32x32xf32>) {
    %a = tile.load %px[%c0, %k] pad(zero) : !PX
    %b = tile.load %py[%k, %c0] pad(zero) : !PY
    %acc_3 = tile.mma %a, %b, %acc : vector<32x32xf32>, vector<32x32xf32>, vector<32x32xf32>
    scf.yield %acc_3 : vector<32x32xf32>
  }
  tile.store %acc_2, %o : !SZ
}
