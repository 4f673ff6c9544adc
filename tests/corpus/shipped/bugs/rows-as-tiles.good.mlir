// expect: VERIFIED
// source: NVlabs/cutile-rs cutile-kernels/src/experimental/kvbm.rs, operational NHD copy
// At b * (T / 16).
!C = !tile.tensor<[R, 64] x f16, own>
!PC = !tile.partition<[16, 64], [R, 64] x f16, own>
!SC = !tile.piece<[16, 64] x f16, own>
tile.kernel @rows_as_tiles(%c: !C) symbols [B : index, T : index]
    grid [B, div(T, 16)] requires [T >= 16, T <= 1048576, mod(T, 16) == 0, B * T <= R] {
  %pc = tile.partition %c by [16, 64] : !C
  %t = tile.symbol "T" : index
  %c16 = arith.constant 16 : index
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1.0> : vector<16x64xf16>
  %b = tile.block_id 0
  %j = tile.block_id 1
  %per = arith.divsi %t, %c16 : index
  %base = arith.muli %b, %per : index
  %at = arith.addi %base, %j : index
  %o = tile.claim %pc[%at, %c0] : !PC
  tile.store %one, %o : !SC
}
