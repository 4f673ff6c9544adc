// expect: VERIFIED
// source: NVlabs/cutile-rs, partition_mut
// At row * (T / 16) + i, T a multiple of 16.
!Z = !tile.tensor<[R, 64] x f32, own>
!PZ = !tile.partition<[16, 64], [R, 64] x f32, own>
!SZ = !tile.piece<[16, 64] x f32, own>
tile.kernel @piece_frame(%z: !Z) symbols [T : index, B : index]
    grid [ceildiv(T, 16), B] requires [T >= 1, T <= 1048576, mod(T, 16) == 0, T * B <= R] {
  %pz = tile.partition %z by [16, 64] : !Z
  %t = tile.symbol "T" : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant dense<0.0> : vector<16x64xf32>
  %c0 = arith.constant 0 : index
  %i = tile.block_id 0
  %row = tile.block_id 1
  %tiles_a_piece = arith.divsi %t, %c16 : index
  %m = arith.muli %row, %tiles_a_piece : index
  %at = arith.addi %m, %i : index
  %o = tile.claim %pz[%at, %c0] : !PZ
  tile.store %zero, %o : !SZ
}
