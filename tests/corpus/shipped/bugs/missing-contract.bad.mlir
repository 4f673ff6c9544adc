// expect: REFUTED load.bounds
// twin: missing-contract.good.mlir
// source: NVlabs/cutile-rs attention_decode_kernel_grouped
// P splits of SL rows of a cache of S.
!K = !tile.tensor<[S, 64] x f32, shared>
!PK = !tile.partition<[32, 64], [S, 64] x f32, shared>
!Y = !tile.tensor<[P, 64] x f32, out>
!PY = !tile.partition<[_, 64], [P, 64] x f32, out>
!SY = !tile.piece<[_, 64] x f32, out>
tile.kernel @missing_contract(%k: !K, %y: !Y) symbols [SL : index] grid [P] {
  %pk = tile.partition %k by [32, 64] : !K
  %py = tile.partition %y by [_, 64] : !Y
  %sl = tile.symbol "SL" : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : vector<32x64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = tile.block_id 0
  %per = arith.divsi %sl, %c32 : index
  %base = arith.muli %s, %per : index
  %acc_2 = scf.for %j = %c0 to %per step %c1 iter_args(%acc = %zero) -> (vector<32x64xf32>) {
    %at = arith.addi %base, %j : index
    %t = tile.load %pk[%at, %c0] pad(zero) : !PK
    %acc_3 = arith.addf %acc, %t : vector<32x64xf32>
    scf.yield %acc_3 : vector<32x64xf32>
  }
  %r = tile.reduce add %acc_2, 0 : vector<32x64xf32>
  %o = tile.claim %py[%s, %c0] : !PY
  tile.store %r, %o : !SY
}
