// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/45_Average_Pooling_2D.py
// Mean, window 11, stride 11, padding 0, dilation 1. Element by element: a
// block has a row of the output; what padding covers is a guard.
!X = !tile.tensor<[N, C, H, W] x f32, shared>
!PX = !tile.partition<[_, _, _, _], [N, C, H, W] x f32, shared>
!Y = !tile.tensor<[N, C, OH, OW] x f32, out>
!PY = !tile.partition<[_, _, _, _], [N, C, OH, OW] x f32, out>
!SY = !tile.piece<[_, _, _, _] x f32, out>
tile.kernel @kaverage_pooling_2d(%x: !X, %y: !Y)
    grid [N, C, OH] requires [11 * OH + 0 <= H, 11 * OW + 0 <= W] {
  %px = tile.partition %x by [_, _, _, _] : !X
  %py = tile.partition %y by [_, _, _, _] : !Y
  %ow = tile.symbol "OW" : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %c11 = arith.constant 11 : index
  %value = arith.constant 121.0 : f32
  %n = tile.block_id 0
  %ch = tile.block_id 1
  %oh = tile.block_id 2
  scf.for %ow_2 = %c0 to %ow step %c1 {
    %acc_2 = scf.for %kh = %c0 to %c11 step %c1 iter_args(%acc = %zero) -> (f32) {
      %sh = arith.muli %oh, %c11 : index
      %h = arith.addi %sh, %kh : index
      %acc_4 = scf.for %kw = %c0 to %c11 step %c1 iter_args(%acc_3 = %acc) -> (f32) {
        %sw = arith.muli %ow_2, %c11 : index
        %w = arith.addi %sw, %kw : index
        %v = tile.load %px[%n, %ch, %h, %w] : !PX
        %acc_5 = arith.addf %acc_3, %v : f32
        scf.yield %acc_5 : f32
      }
      scf.yield %acc_4 : f32
    }
    %r = arith.divf %acc_2, %value : f32
    %o = tile.claim %py[%n, %ch, %oh, %ow_2] : !PY
    tile.store %r, %o : !SY
  }
}
