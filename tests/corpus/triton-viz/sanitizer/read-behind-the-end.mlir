// expect: REFUTED load.bounds
// source: Deep-Learning-Profiling-Tools/triton-viz@203b0c7 tests/end_to_end/test_sanitizer.py, test_oob_with_fake_tensor
// Element 8 of eight.
!X = !tile.tensor<[8] x f32, shared>
!PX = !tile.partition<[_], [8] x f32, shared>
!Y = !tile.tensor<[1] x f32, out>
!PY = !tile.partition<[_], [1] x f32, out>
!SY = !tile.piece<[_] x f32, out>
tile.kernel @read_behind_the_end(%x: !X, %y: !Y) grid [1] {
  %px = tile.partition %x by [_] : !X
  %py = tile.partition %y by [_] : !Y
  %c8 = arith.constant 8 : index
  %p = tile.block_id 0
  %at = arith.addi %p, %c8 : index
  %v = tile.load %px[%at] : !PX
  %o = tile.claim %py[%p] : !PY
  tile.store %v, %o : !SY
}
