// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/90_cumprod.py
// Running products. One row a block, element by element.
!X = !tile.tensor<[M, N] x f32, shared>
!PX = !tile.partition<[_, _], [M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!PY = !tile.partition<[_, _], [M, N] x f32, out>
!SY = !tile.piece<[_, _] x f32, out>
tile.kernel @kcumprod(%x: !X, %y: !Y) grid [M] {
  %px = tile.partition %x by [_, _] : !X
  %py = tile.partition %y by [_, _] : !Y
  %one = arith.constant 1.0 : f32
  %n = tile.symbol "N" : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %row = tile.block_id 0
  %acc_2 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %one) -> (f32) {
    %v = tile.load %px[%row, %k] : !PX
    %acc_3 = arith.mulf %acc, %v : f32
    %o = tile.claim %py[%row, %k] : !PY
    tile.store %acc_3, %o : !SY
    scf.yield %acc_3 : f32
  }
}
