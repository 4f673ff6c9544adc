// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/86_conv_depthwise_separable_2D.py
// Convolution, the first of two launches, window 3, stride 1, padding 1,
// dilation 1, 64 groups. Element by element: a block has a row of the output;
// what padding covers is a guard.
!X = !tile.tensor<[N, 64, H, W] x f32, shared>
!PX = !tile.partition<[_, _, _, _], [N, 64, H, W] x f32, shared>
!W0 = !tile.tensor<[64, 1, 3, 3] x f32, shared>
!PW0 = !tile.partition<[_, _, _, _], [64, 1, 3, 3] x f32, shared>
!Y = !tile.tensor<[N, 64, OH, OW] x f32, out>
!PY = !tile.partition<[_, _, _, _], [N, 64, OH, OW] x f32, out>
!SY = !tile.piece<[_, _, _, _] x f32, out>
tile.kernel @kconv_depthwise_separable_2d(%x: !X, %w0: !W0, %y: !Y) grid [N, 64, OH] {
  %px = tile.partition %x by [_, _, _, _] : !X
  %pw0 = tile.partition %w0 by [_, _, _, _] : !W0
  %py = tile.partition %y by [_, _, _, _] : !Y
  %ow = tile.symbol "OW" : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %c3 = arith.constant 3 : index
  %h_2 = tile.symbol "H" : index
  %w_2 = tile.symbol "W" : index
  %n = tile.block_id 0
  %oc = tile.block_id 1
  %oh = tile.block_id 2
  scf.for %ow_2 = %c0 to %ow step %c1 {
    %acc_2 = scf.for %kh = %c0 to %c3 step %c1 iter_args(%acc = %zero) -> (f32) {
      %th = arith.addi %oh, %kh : index
      %h = arith.subi %th, %c1 : index
      %c = arith.cmpi sge, %h, %c0 : index
      %c_2 = arith.cmpi slt, %h, %h_2 : index
      %both = arith.andi %c, %c_2 : i1
      %acc_3 = scf.if %both -> (f32) {
        %acc_5 = scf.for %kw = %c0 to %c3 step %c1 iter_args(%acc_4 = %acc) -> (f32) {
          %tw = arith.addi %ow_2, %kw : index
          %w = arith.subi %tw, %c1 : index
          %c_3 = arith.cmpi sge, %w, %c0 : index
          %c_4 = arith.cmpi slt, %w, %w_2 : index
          %both_2 = arith.andi %c_3, %c_4 : i1
          %acc_6 = scf.if %both_2 -> (f32) {
            %v = tile.load %px[%n, %oc, %h, %w] : !PX
            %u = tile.load %pw0[%oc, %c0, %kh, %kw] : !PW0
            %m = arith.mulf %v, %u : f32
            %acc_7 = arith.addf %acc_4, %m : f32
            scf.yield %acc_7 : f32
          } else {
            scf.yield %acc_4 : f32
          }
          scf.yield %acc_6 : f32
        }
        scf.yield %acc_5 : f32
      } else {
        scf.yield %acc : f32
      }
      scf.yield %acc_3 : f32
    }
    %o = tile.claim %py[%n, %oc, %oh, %ow_2] : !PY
    tile.store %acc_2, %o : !SY
  }
}
