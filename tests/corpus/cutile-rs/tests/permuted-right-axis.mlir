// expect: VERIFIED
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/partition_access_soundness.rs, right_axis_equality_discharges_a_permuted_access
// The same with the columns equal; the constant index 0 needs a row.
!Z = !tile.tensor<[M, N] x f32, own>
!PZ = !tile.partition<[32, 32], [M, N] x f32, own>
!SZ = !tile.piece<[32, 32] x f32, own>
!X = !tile.tensor<[K, M] x f32, shared>
!PX = !tile.partition<[32, 32], [K, M] x f32, shared>
tile.kernel @permuted_right_axis(%z: !Z, %x: !X) symbols [P : index] grid [P] requires [P >= 1, K >= 1] {
  %pz = tile.partition %z by [32, 32] : !Z
  %px = tile.partition %x by [32, 32] : !X
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
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
    %v = tile.load %px[%c0, %m] pad(zero) : !PX
    %w = vector.transpose %v, [1, 0] : vector<32x32xf32> to vector<32x32xf32>
    %o = tile.claim %pz[%m, %n] : !PZ
    tile.store %w, %o : !SZ
  }
}
