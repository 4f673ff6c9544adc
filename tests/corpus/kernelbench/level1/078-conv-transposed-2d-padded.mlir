// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/78_conv_transposed_2D_asymmetric_input_asymmetric_kernel___padded__.py
// Transposed convolution, window (3, 7), stride 1, padding (1, 3), dilation 1.
// Element by element: a block has a row of the output; what padding covers is a
// guard.
!X = !tile.tensor<[N, C, H, W] x f32, shared>
!PX = !tile.partition<[_, _, _, _], [N, C, H, W] x f32, shared>
!W0 = !tile.tensor<[C, OC, 3, 7] x f32, shared>
!PW0 = !tile.partition<[_, _, _, _], [C, OC, 3, 7] x f32, shared>
!Y = !tile.tensor<[N, OC, OH, OW] x f32, out>
!PY = !tile.partition<[_, _, _, _], [N, OC, OH, OW] x f32, out>
!SY = !tile.piece<[_, _, _, _] x f32, out>
tile.kernel @kconv_transposed_2d_padded(%x: !X, %w0: !W0, %y: !Y) grid [N, OC, OH] {
  %px = tile.partition %x by [_, _, _, _] : !X
  %pw0 = tile.partition %w0 by [_, _, _, _] : !W0
  %py = tile.partition %y by [_, _, _, _] : !Y
  %ow = tile.symbol "OW" : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %c = tile.symbol "C" : index
  %c3 = arith.constant 3 : index
  %h_2 = tile.symbol "H" : index
  %c7 = arith.constant 7 : index
  %w_2 = tile.symbol "W" : index
  %n = tile.block_id 0
  %oc = tile.block_id 1
  %oh = tile.block_id 2
  scf.for %ow_2 = %c0 to %ow step %c1 {
    %acc_2 = scf.for %c_2 = %c0 to %c step %c1 iter_args(%acc = %zero) -> (f32) {
      %acc_4 = scf.for %kh = %c0 to %c3 step %c1 iter_args(%acc_3 = %acc) -> (f32) {
        %ph = arith.addi %oh, %c1 : index
        %h = arith.subi %ph, %kh : index
        %c_3 = arith.cmpi sge, %h, %c0 : index
        %c_4 = arith.cmpi slt, %h, %h_2 : index
        %both = arith.andi %c_3, %c_4 : i1
        %acc_5 = scf.if %both -> (f32) {
          %acc_7 = scf.for %kw = %c0 to %c7 step %c1 iter_args(%acc_6 = %acc_3) -> (f32) {
            %pw = arith.addi %ow_2, %c3 : index
            %w = arith.subi %pw, %kw : index
            %c_5 = arith.cmpi sge, %w, %c0 : index
            %c_6 = arith.cmpi slt, %w, %w_2 : index
            %both_2 = arith.andi %c_5, %c_6 : i1
            %acc_8 = scf.if %both_2 -> (f32) {
              %v = tile.load %px[%n, %c_2, %h, %w] : !PX
              %u = tile.load %pw0[%c_2, %oc, %kh, %kw] : !PW0
              %m = arith.mulf %v, %u : f32
              %acc_9 = arith.addf %acc_6, %m : f32
              scf.yield %acc_9 : f32
            } else {
              scf.yield %acc_6 : f32
            }
            scf.yield %acc_8 : f32
          }
          scf.yield %acc_7 : f32
        } else {
          scf.yield %acc_3 : f32
        }
        scf.yield %acc_5 : f32
      }
      scf.yield %acc_4 : f32
    }
    %o = tile.claim %py[%n, %oc, %oh, %ow_2] : !PY
    tile.store %acc_2, %o : !SY
  }
}
