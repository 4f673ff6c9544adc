// expect: VERIFIED
// source: NVlabs/cutile-rs review of 2026-08-12
// The same in 64 bits: it is i.
!Z = !tile.tensor<[Z] x f32, own>
!PZ = !tile.partition<[16], [Z] x f32, own>
!SZ = !tile.piece<[16] x f32, own>
!X = !tile.tensor<[X] x f32, shared>
!PX = !tile.partition<[16], [X] x f32, shared>
tile.kernel @interval_wraps(%z: !Z, %x: !X) grid [ceildiv(Z, 16)] requires [X >= 48] {
  %pz = tile.partition %z by [16] : !Z
  %px = tile.partition %x by [16] : !X
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %cm2000000000 = arith.constant -2000000000 : index
  %v = tile.block_id 0
  %o = tile.claim %pz[%v] : !PZ
  %acc_2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %zero) -> (vector<16xf32>) {
    %product = arith.muli %i, %cm2000000000 : index
    %index = arith.maxsi %product, %i : index
    %t = tile.load %px[%index] pad(zero) : !PX
    %acc_3 = arith.addf %acc, %t : vector<16xf32>
    scf.yield %acc_3 : vector<16xf32>
  }
  tile.store %acc_2, %o : !SZ
}
