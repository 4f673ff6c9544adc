// expect: VERIFIED
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/slice_non_divisible.rs, gemm_non_divisible_m_and_n
// A GEMM of 100 by 100 in tiles of 16, into what is there.
!Z = !tile.tensor<[100, 100] x f32, own>
!PZ = !tile.partition<[16, 16], [100, 100] x f32, own>
!SZ = !tile.piece<[16, 16] x f32, own>
!X = !tile.tensor<[100, 64] x f32, shared>
!PX = !tile.partition<[16, 8], [100, 64] x f32, shared>
!Y = !tile.tensor<[64, 100] x f32, shared>
!PY = !tile.partition<[8, 16], [64, 100] x f32, shared>
tile.kernel @gemm_non_divisible_m_and_n(%z: !Z, %x: !X, %y: !Y) grid [7, 7] {
  %pz = tile.partition %z by [16, 16] : !Z
  %px = tile.partition %x by [16, 8] : !X
  %py = tile.partition %y by [8, 16] : !Y
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c1 = arith.constant 1 : index
  %i = tile.block_id 0
  %j = tile.block_id 1
  %o = tile.claim %pz[%i, %j] : !PZ
  %acc = tile.load %o pad(zero) : !SZ
  %acc_3 = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc_2 = %acc) -> (vector<16x16xf32>) {
    %a = tile.load %px[%i, %k] pad(zero) : !PX
    %b = tile.load %py[%k, %j] pad(zero) : !PY
    %acc_4 = tile.mma %a, %b, %acc_2 : vector<16x8xf32>, vector<8x16xf32>, vector<16x16xf32>
    scf.yield %acc_4 : vector<16x16xf32>
  }
  tile.store %acc_3, %o : !SZ
}
