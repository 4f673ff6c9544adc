// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/43_Max_Pooling_3D.py
// Maximum, window 3, stride 2, padding 1, dilation 3. Element by element: a
// block has a row of the output; what padding covers is a guard.
!X = !tile.tensor<[N, C, D, H, W] x f32, shared>
!PX = !tile.partition<[_, _, _, _, _], [N, C, D, H, W] x f32, shared>
!Y = !tile.tensor<[N, C, OD, OH, OW] x f32, out>
!PY = !tile.partition<[_, _, _, _, _], [N, C, OD, OH, OW] x f32, out>
!SY = !tile.piece<[_, _, _, _, _] x f32, out>
tile.kernel @kmax_pooling_3d(%x: !X, %y: !Y) grid [N, C, OD, OH] {
  %px = tile.partition %x by [_, _, _, _, _] : !X
  %py = tile.partition %y by [_, _, _, _, _] : !Y
  %ow = tile.symbol "OW" : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %value = arith.constant -3.0e+38 : f32
  %c3 = arith.constant 3 : index
  %c2 = arith.constant 2 : index
  %d_2 = tile.symbol "D" : index
  %h_2 = tile.symbol "H" : index
  %w_2 = tile.symbol "W" : index
  %n = tile.block_id 0
  %ch = tile.block_id 1
  %od = tile.block_id 2
  %oh = tile.block_id 3
  scf.for %ow_2 = %c0 to %ow step %c1 {
    %acc_2 = scf.for %kd = %c0 to %c3 step %c1 iter_args(%acc = %value) -> (f32) {
      %sd = arith.muli %od, %c2 : index
      %dd = arith.muli %kd, %c3 : index
      %td = arith.addi %sd, %dd : index
      %d = arith.subi %td, %c1 : index
      %c = arith.cmpi sge, %d, %c0 : index
      %c_2 = arith.cmpi slt, %d, %d_2 : index
      %both = arith.andi %c, %c_2 : i1
      %acc_3 = scf.if %both -> (f32) {
        %acc_5 = scf.for %kh = %c0 to %c3 step %c1 iter_args(%acc_4 = %acc) -> (f32) {
          %sh = arith.muli %oh, %c2 : index
          %dh = arith.muli %kh, %c3 : index
          %th = arith.addi %sh, %dh : index
          %h = arith.subi %th, %c1 : index
          %c_3 = arith.cmpi sge, %h, %c0 : index
          %c_4 = arith.cmpi slt, %h, %h_2 : index
          %both_2 = arith.andi %c_3, %c_4 : i1
          %acc_6 = scf.if %both_2 -> (f32) {
            %acc_8 = scf.for %kw = %c0 to %c3 step %c1 iter_args(%acc_7 = %acc_4) -> (f32) {
              %sw = arith.muli %ow_2, %c2 : index
              %dw = arith.muli %kw, %c3 : index
              %tw = arith.addi %sw, %dw : index
              %w = arith.subi %tw, %c1 : index
              %c_5 = arith.cmpi sge, %w, %c0 : index
              %c_6 = arith.cmpi slt, %w, %w_2 : index
              %both_3 = arith.andi %c_5, %c_6 : i1
              %acc_9 = scf.if %both_3 -> (f32) {
                %v = tile.load %px[%n, %ch, %d, %h, %w] : !PX
                %acc_10 = arith.maximumf %acc_7, %v : f32
                scf.yield %acc_10 : f32
              } else {
                scf.yield %acc_7 : f32
              }
              scf.yield %acc_9 : f32
            }
            scf.yield %acc_8 : f32
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
    %o = tile.claim %py[%n, %ch, %od, %oh, %ow_2] : !PY
    tile.store %acc_2, %o : !SY
  }
}
