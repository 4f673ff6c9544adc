// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/77_conv_transposed_3D_square_input_square_kernel___padded____dilated____strided__.py
// Transposed convolution, window 3, stride 2, padding 1, dilation 2. Element by
// element: a block has a row of the output; what padding covers is a guard.
!X = !tile.tensor<[N, C, D, H, W] x f32, shared>
!PX = !tile.partition<[_, _, _, _, _], [N, C, D, H, W] x f32, shared>
!W0 = !tile.tensor<[C, OC, 3, 3, 3] x f32, shared>
!PW0 = !tile.partition<[_, _, _, _, _], [C, OC, 3, 3, 3] x f32, shared>
!Y = !tile.tensor<[N, OC, OD, OH, OW] x f32, out>
!PY = !tile.partition<[_, _, _, _, _], [N, OC, OD, OH, OW] x f32, out>
!SY = !tile.piece<[_, _, _, _, _] x f32, out>
tile.kernel @kconv_transposed_3d_padded_dilated_strided(%x: !X, %w0: !W0, %y: !Y) grid [N, OC, OD, OH] {
  %px = tile.partition %x by [_, _, _, _, _] : !X
  %pw0 = tile.partition %w0 by [_, _, _, _, _] : !W0
  %py = tile.partition %y by [_, _, _, _, _] : !Y
  %ow = tile.symbol "OW" : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %c = tile.symbol "C" : index
  %c3 = arith.constant 3 : index
  %c2 = arith.constant 2 : index
  %d_2 = tile.symbol "D" : index
  %h_2 = tile.symbol "H" : index
  %w_2 = tile.symbol "W" : index
  %n = tile.block_id 0
  %oc = tile.block_id 1
  %od = tile.block_id 2
  %oh = tile.block_id 3
  scf.for %ow_2 = %c0 to %ow step %c1 {
    %acc_2 = scf.for %c_2 = %c0 to %c step %c1 iter_args(%acc = %zero) -> (f32) {
      %acc_4 = scf.for %kd = %c0 to %c3 step %c1 iter_args(%acc_3 = %acc) -> (f32) {
        %dd = arith.muli %kd, %c2 : index
        %pd = arith.addi %od, %c1 : index
        %td = arith.subi %pd, %dd : index
        %c_3 = arith.cmpi sge, %td, %c0 : index
        %acc_5 = scf.if %c_3 -> (f32) {
          %rd = arith.remsi %td, %c2 : index
          %d = arith.divsi %td, %c2 : index
          %c_4 = arith.cmpi eq, %rd, %c0 : index
          %c_5 = arith.cmpi slt, %d, %d_2 : index
          %both = arith.andi %c_4, %c_5 : i1
          %acc_6 = scf.if %both -> (f32) {
            %acc_8 = scf.for %kh = %c0 to %c3 step %c1 iter_args(%acc_7 = %acc_3) -> (f32) {
              %dh = arith.muli %kh, %c2 : index
              %ph = arith.addi %oh, %c1 : index
              %th = arith.subi %ph, %dh : index
              %c_6 = arith.cmpi sge, %th, %c0 : index
              %acc_9 = scf.if %c_6 -> (f32) {
                %rh = arith.remsi %th, %c2 : index
                %h = arith.divsi %th, %c2 : index
                %c_7 = arith.cmpi eq, %rh, %c0 : index
                %c_8 = arith.cmpi slt, %h, %h_2 : index
                %both_2 = arith.andi %c_7, %c_8 : i1
                %acc_10 = scf.if %both_2 -> (f32) {
                  %acc_12 = scf.for %kw = %c0 to %c3 step %c1 iter_args(%acc_11 = %acc_7) -> (f32) {
                    %dw = arith.muli %kw, %c2 : index
                    %pw = arith.addi %ow_2, %c1 : index
                    %tw = arith.subi %pw, %dw : index
                    %c_9 = arith.cmpi sge, %tw, %c0 : index
                    %acc_13 = scf.if %c_9 -> (f32) {
                      %rw = arith.remsi %tw, %c2 : index
                      %w = arith.divsi %tw, %c2 : index
                      %c_10 = arith.cmpi eq, %rw, %c0 : index
                      %c_11 = arith.cmpi slt, %w, %w_2 : index
                      %both_3 = arith.andi %c_10, %c_11 : i1
                      %acc_14 = scf.if %both_3 -> (f32) {
                        %v = tile.load %px[%n, %c_2, %d, %h, %w] : !PX
                        %u = tile.load %pw0[%c_2, %oc, %kd, %kh, %kw] : !PW0
                        %m = arith.mulf %v, %u : f32
                        %acc_15 = arith.addf %acc_11, %m : f32
                        scf.yield %acc_15 : f32
                      } else {
                        scf.yield %acc_11 : f32
                      }
                      scf.yield %acc_14 : f32
                    } else {
                      scf.yield %acc_11 : f32
                    }
                    scf.yield %acc_13 : f32
                  }
                  scf.yield %acc_12 : f32
                } else {
                  scf.yield %acc_7 : f32
                }
                scf.yield %acc_10 : f32
              } else {
                scf.yield %acc_7 : f32
              }
              scf.yield %acc_9 : f32
            }
            scf.yield %acc_8 : f32
          } else {
            scf.yield %acc_3 : f32
          }
          scf.yield %acc_6 : f32
        } else {
          scf.yield %acc_3 : f32
        }
        scf.yield %acc_5 : f32
      }
      scf.yield %acc_4 : f32
    }
    %o = tile.claim %py[%n, %oc, %od, %oh, %ow_2] : !PY
    tile.store %acc_2, %o : !SY
  }
}
