// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/56_conv_standard_2D__asymmetric_input__asymmetric_kernel.py
// Convolution, window (5, 7), stride 1, padding 0, dilation 1. Element by
// element: a block has a row of the output; what padding covers is a guard.
!X = !tile.tensor<[N, C, H, W] x f32, shared>
!PX = !tile.partition<[_, _, _, _], [N, C, H, W] x f32, shared>
!W0 = !tile.tensor<[OC, C, 5, 7] x f32, shared>
!PW0 = !tile.partition<[_, _, _, _], [OC, C, 5, 7] x f32, shared>
!Y = !tile.tensor<[N, OC, OH, OW] x f32, out>
!PY = !tile.partition<[_, _, _, _], [N, OC, OH, OW] x f32, out>
!SY = !tile.piece<[_, _, _, _] x f32, out>
tile.kernel @kconv_standard_2d(%x: !X, %w0: !W0, %y: !Y)
    grid [N, OC, OH] requires [OH + 4 <= H, OW + 6 <= W] {
  %px = tile.partition %x by [_, _, _, _] : !X
  %pw0 = tile.partition %w0 by [_, _, _, _] : !W0
  %py = tile.partition %y by [_, _, _, _] : !Y
  %ow = tile.symbol "OW" : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %c = tile.symbol "C" : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %n = tile.block_id 0
  %oc = tile.block_id 1
  %oh = tile.block_id 2
  scf.for %ow_2 = %c0 to %ow step %c1 {
    %acc_2 = scf.for %c_2 = %c0 to %c step %c1 iter_args(%acc = %zero) -> (f32) {
      %acc_4 = scf.for %kh = %c0 to %c5 step %c1 iter_args(%acc_3 = %acc) -> (f32) {
        %h = arith.addi %oh, %kh : index
        %acc_6 = scf.for %kw = %c0 to %c7 step %c1 iter_args(%acc_5 = %acc_3) -> (f32) {
          %w = arith.addi %ow_2, %kw : index
          %v = tile.load %px[%n, %c_2, %h, %w] : !PX
          %u = tile.load %pw0[%oc, %c_2, %kh, %kw] : !PW0
          %m = arith.mulf %v, %u : f32
          %acc_7 = arith.addf %acc_5, %m : f32
          scf.yield %acc_7 : f32
        }
        scf.yield %acc_6 : f32
      }
      scf.yield %acc_4 : f32
    }
    %o = tile.claim %py[%n, %oc, %oh, %ow_2] : !PY
    tile.store %acc_2, %o : !SY
  }
}
