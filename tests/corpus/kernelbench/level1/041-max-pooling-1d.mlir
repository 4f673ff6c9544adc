// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/41_Max_Pooling_1D.py
// Maximum, window 8, stride 1, padding 4, dilation 3. Element by element: a
// block has a row of the output; what padding covers is a guard.
!X = !tile.tensor<[N, C, W] x f32, shared>
!PX = !tile.partition<[_, _, _], [N, C, W] x f32, shared>
!Y = !tile.tensor<[N, C, OW] x f32, out>
!PY = !tile.partition<[_, _, _], [N, C, OW] x f32, out>
!SY = !tile.piece<[_, _, _] x f32, out>
tile.kernel @kmax_pooling_1d(%x: !X, %y: !Y) grid [N, C] {
  %px = tile.partition %x by [_, _, _] : !X
  %py = tile.partition %y by [_, _, _] : !Y
  %ow = tile.symbol "OW" : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %value = arith.constant -3.0e+38 : f32
  %c8 = arith.constant 8 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %w_2 = tile.symbol "W" : index
  %n = tile.block_id 0
  %ch = tile.block_id 1
  scf.for %ow_2 = %c0 to %ow step %c1 {
    %acc_2 = scf.for %kw = %c0 to %c8 step %c1 iter_args(%acc = %value) -> (f32) {
      %dw = arith.muli %kw, %c3 : index
      %tw = arith.addi %ow_2, %dw : index
      %w = arith.subi %tw, %c4 : index
      %c = arith.cmpi sge, %w, %c0 : index
      %c_2 = arith.cmpi slt, %w, %w_2 : index
      %both = arith.andi %c, %c_2 : i1
      %acc_3 = scf.if %both -> (f32) {
        %v = tile.load %px[%n, %ch, %w] : !PX
        %acc_4 = arith.maximumf %acc, %v : f32
        scf.yield %acc_4 : f32
      } else {
        scf.yield %acc : f32
      }
      scf.yield %acc_3 : f32
    }
    %o = tile.claim %py[%n, %ch, %ow_2] : !PY
    tile.store %acc_2, %o : !SY
  }
}
