// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/76_conv_standard_1D_dilated_strided__.py
// Convolution, window 3, stride 3, padding 0, dilation 4. Element by element: a
// block has a row of the output; what padding covers is a guard.
!X = !tile.tensor<[N, C, W] x f32, shared>
!PX = !tile.partition<[_, _, _], [N, C, W] x f32, shared>
!W0 = !tile.tensor<[OC, C, 3] x f32, shared>
!PW0 = !tile.partition<[_, _, _], [OC, C, 3] x f32, shared>
!Y = !tile.tensor<[N, OC, OW] x f32, out>
!PY = !tile.partition<[_, _, _], [N, OC, OW] x f32, out>
!SY = !tile.piece<[_, _, _] x f32, out>
tile.kernel @kconv_standard_1d_dilated_strided(%x: !X, %w0: !W0, %y: !Y)
    grid [N, OC] requires [3 * OW + 6 <= W] {
  %px = tile.partition %x by [_, _, _] : !X
  %pw0 = tile.partition %w0 by [_, _, _] : !W0
  %py = tile.partition %y by [_, _, _] : !Y
  %ow = tile.symbol "OW" : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %c = tile.symbol "C" : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %n = tile.block_id 0
  %oc = tile.block_id 1
  scf.for %ow_2 = %c0 to %ow step %c1 {
    %acc_2 = scf.for %c_2 = %c0 to %c step %c1 iter_args(%acc = %zero) -> (f32) {
      %acc_4 = scf.for %kw = %c0 to %c3 step %c1 iter_args(%acc_3 = %acc) -> (f32) {
        %sw = arith.muli %ow_2, %c3 : index
        %dw = arith.muli %kw, %c4 : index
        %w = arith.addi %sw, %dw : index
        %v = tile.load %px[%n, %c_2, %w] : !PX
        %u = tile.load %pw0[%oc, %c_2, %kw] : !PW0
        %m = arith.mulf %v, %u : f32
        %acc_5 = arith.addf %acc_3, %m : f32
        scf.yield %acc_5 : f32
      }
      scf.yield %acc_4 : f32
    }
    %o = tile.claim %py[%n, %oc, %ow_2] : !PY
    tile.store %acc_2, %o : !SY
  }
}
