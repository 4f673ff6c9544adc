// expect: VERIFIED
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/review_probe_block_id_2026_08_18.rs, adversarial_block_id_placements_are_framed_by_the_staked_predicate
// Every block takes every P-th tile.
!Z = !tile.tensor<[Z] x f32, own>
!PZ = !tile.partition<[16], [Z] x f32, own>
!SZ = !tile.piece<[16] x f32, own>
!X = !tile.tensor<[X] x f32, shared>
!PX = !tile.partition<[16], [X] x f32, shared>
tile.kernel @persistent_walk(%z: !Z, %x: !X) grid [ceildiv(Z, 16)] {
  %pz = tile.partition %z by [16] : !Z
  %px = tile.partition %x by [16] : !X
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %v = tile.block_id 0
  %o = tile.claim %pz[%v] : !PZ
  %n = tile.num_tiles %px, 0 : !PX
  %low = tile.block_id 0
  %step = tile.grid_dim 0
  %acc_2 = scf.for %i = %low to %n step %step iter_args(%acc = %zero) -> (vector<16xf32>) {
    %t = tile.load %px[%i] pad(zero) : !PX
    %acc_3 = arith.addf %acc, %t : vector<16xf32>
    scf.yield %acc_3 : vector<16xf32>
  }
  tile.store %acc_2, %o : !SZ
}
