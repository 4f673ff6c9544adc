// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/93_masked_cumsum.py
// Running sums of masked elements. One row a block, element by element.
!X = !tile.tensor<[M, N] x f32, shared>
!PX = !tile.partition<[_, _], [M, N] x f32, shared>
!MASK = !tile.tensor<[M, N] x i8, shared>
!PMASK = !tile.partition<[_, _], [M, N] x i8, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!PY = !tile.partition<[_, _], [M, N] x f32, out>
!SY = !tile.piece<[_, _] x f32, out>
tile.kernel @kmasked_cumsum(%x: !X, %mask: !MASK, %y: !Y) grid [M] {
  %px = tile.partition %x by [_, _] : !X
  %pmask = tile.partition %mask by [_, _] : !MASK
  %py = tile.partition %y by [_, _] : !Y
  %zero = arith.constant 0.0 : f32
  %n = tile.symbol "N" : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c0_i8 = arith.constant 0 : i8
  %row = tile.block_id 0
  %acc_2 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
    %v = tile.load %px[%row, %k] : !PX
    %b8 = tile.load %pmask[%row, %k] : !PMASK
    %b = arith.cmpi ne, %b8, %c0_i8 : i8
    %m = arith.select %b, %v, %zero : f32
    %acc_3 = arith.addf %acc, %m : f32
    %o = tile.claim %py[%row, %k] : !PY
    tile.store %acc_3, %o : !SY
    scf.yield %acc_3 : f32
  }
}
