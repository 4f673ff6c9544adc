// expect: REFUTED load.bounds
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/partition_index_schedules.rs, mapped_partition_indices_relocate_foreign_load_checks_without_preconditions
// A persistent GEMM whose factors need not fit the result: the condition must
// be checked somewhere.
!Z = !tile.tensor<[M, N] x f32, own>
!PZ = !tile.partition<[64, 64], [M, N] x f32, own>
!SZ = !tile.piece<[64, 64] x f32, own>
!X = !tile.tensor<[A, 128] x f32, shared>
!PX = !tile.partition<[64, 32], [A, 128] x f32, shared>
!Y = !tile.tensor<[128, B] x f32, shared>
!PY = !tile.partition<[32, 64], [128, B] x f32, shared>
tile.kernel @foreign_load_no_precondition(%z: !Z, %x: !X, %y: !Y) symbols [P : index]
    grid [P] requires [P >= 1] {
  %pz = tile.partition %z by [64, 64] : !Z
  %px = tile.partition %x by [64, 32] : !X
  %py = tile.partition %y by [32, 64] : !Y
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %gm = tile.num_tiles %pz, 0 : !PZ
  %gn = tile.num_tiles %pz, 1 : !PZ
  %total = arith.muli %gm, %gn : index
  %width = arith.muli %gn, %c4 : index
  %low = tile.block_id 0
  %step = tile.grid_dim 0
  scf.for %t = %low to %total step %step {
    %group = arith.divsi %t, %width : index
    %first = arith.muli %group, %c4 : index
    %left = arith.subi %gm, %first : index
    %size = arith.minsi %left, %c4 : index
    %rest = arith.remsi %t, %width : index
    %inner = arith.remsi %rest, %size : index
    %m = arith.addi %first, %inner : index
    %n = arith.divsi %rest, %size : index
    %acc_2 = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> (vector<64x64xf32>) {
      %a = tile.load %px[%m, %k] pad(zero) : !PX
      %b = tile.load %py[%k, %n] pad(zero) : !PY
      %acc_3 = tile.mma %a, %b, %acc : vector<64x32xf32>, vector<32x64xf32>, vector<64x64xf32>
      scf.yield %acc_3 : vector<64x64xf32>
    }
    %o = tile.claim %pz[%m, %n] : !PZ
    tile.store %acc_2, %o : !SZ
  }
}
