// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/85_conv_depthwise_2D_asymmetric_input_asymmetric_kernel.py
// Convolution, window (3, 7), stride 1, padding 0, dilation 1, 128 groups.
// Element by element: a block has a row of the output; what padding covers is a
// guard.
!X = !tile.tensor<[N, 128, H, W] x f32, shared>
!PX = !tile.partition<[_, _, _, _], [N, 128, H, W] x f32, shared>
!W0 = !tile.tensor<[128, 1, 3, 7] x f32, shared>
!PW0 = !tile.partition<[_, _, _, _], [128, 1, 3, 7] x f32, shared>
!Y = !tile.tensor<[N, 128, OH, OW] x f32, out>
!PY = !tile.partition<[_, _, _, _], [N, 128, OH, OW] x f32, out>
!SY = !tile.piece<[_, _, _, _] x f32, out>
tile.kernel @kconv_depthwise_2d(%x: !X, %w0: !W0, %y: !Y)
    grid [N, 128, OH] requires [OH + 2 <= H, OW + 6 <= W] {
  %px = tile.partition %x by [_, _, _, _] : !X
  %pw0 = tile.partition %w0 by [_, _, _, _] : !W0
  %py = tile.partition %y by [_, _, _, _] : !Y
  %ow = tile.symbol "OW" : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %n = tile.block_id 0
  %oc = tile.block_id 1
  %oh = tile.block_id 2
  scf.for %ow_2 = %c0 to %ow step %c1 {
    %acc_2 = scf.for %kh = %c0 to %c3 step %c1 iter_args(%acc = %zero) -> (f32) {
      %h = arith.addi %oh, %kh : index
      %acc_4 = scf.for %kw = %c0 to %c7 step %c1 iter_args(%acc_3 = %acc) -> (f32) {
        %w = arith.addi %ow_2, %kw : index
        %v = tile.load %px[%n, %oc, %h, %w] : !PX
        %u = tile.load %pw0[%oc, %c0, %kh, %kw] : !PW0
        %m = arith.mulf %v, %u : f32
        %acc_5 = arith.addf %acc_3, %m : f32
        scf.yield %acc_5 : f32
      }
      scf.yield %acc_4 : f32
    }
    %o = tile.claim %py[%n, %oc, %oh, %ow_2] : !PY
    tile.store %acc_2, %o : !SY
  }
}
