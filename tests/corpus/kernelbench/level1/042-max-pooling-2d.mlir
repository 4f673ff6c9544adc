// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/42_Max_Pooling_2D.py
// Maximum, window 4, stride 1, padding 1, dilation 1. Element by element: a
// block has a row of the output; what padding covers is a guard.
!X = !tile.tensor<[N, C, H, W] x f32, shared>
!PX = !tile.partition<[_, _, _, _], [N, C, H, W] x f32, shared>
!Y = !tile.tensor<[N, C, OH, OW] x f32, out>
!PY = !tile.partition<[_, _, _, _], [N, C, OH, OW] x f32, out>
!SY = !tile.piece<[_, _, _, _] x f32, out>
tile.kernel @kmax_pooling_2d(%x: !X, %y: !Y) grid [N, C, OH] {
  %px = tile.partition %x by [_, _, _, _] : !X
  %py = tile.partition %y by [_, _, _, _] : !Y
  %ow = tile.symbol "OW" : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %value = arith.constant -3.0e+38 : f32
  %c4 = arith.constant 4 : index
  %h_2 = tile.symbol "H" : index
  %w_2 = tile.symbol "W" : index
  %n = tile.block_id 0
  %ch = tile.block_id 1
  %oh = tile.block_id 2
  scf.for %ow_2 = %c0 to %ow step %c1 {
    %acc_2 = scf.for %kh = %c0 to %c4 step %c1 iter_args(%acc = %value) -> (f32) {
      %th = arith.addi %oh, %kh : index
      %h = arith.subi %th, %c1 : index
      %c = arith.cmpi sge, %h, %c0 : index
      %c_2 = arith.cmpi slt, %h, %h_2 : index
      %both = arith.andi %c, %c_2 : i1
      %acc_3 = scf.if %both -> (f32) {
        %acc_5 = scf.for %kw = %c0 to %c4 step %c1 iter_args(%acc_4 = %acc) -> (f32) {
          %tw = arith.addi %ow_2, %kw : index
          %w = arith.subi %tw, %c1 : index
          %c_3 = arith.cmpi sge, %w, %c0 : index
          %c_4 = arith.cmpi slt, %w, %w_2 : index
          %both_2 = arith.andi %c_3, %c_4 : i1
          %acc_6 = scf.if %both_2 -> (f32) {
            %v = tile.load %px[%n, %ch, %h, %w] : !PX
            %acc_7 = arith.maximumf %acc_4, %v : f32
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
    %o = tile.claim %py[%n, %ch, %oh, %ow_2] : !PY
    tile.store %acc_2, %o : !SY
  }
}
