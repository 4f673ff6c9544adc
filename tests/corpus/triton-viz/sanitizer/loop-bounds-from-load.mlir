// expect: VERIFIED
// source: Deep-Learning-Profiling-Tools/triton-viz@203b0c7 tests/end_to_end/test_sanitizer.py, test_loop_bounds_from_load
// A loop whose bounds are loaded, with nothing in it.
!A = !tile.tensor<[1] x i32, shared>
!PA = !tile.partition<[_], [1] x i32, shared>
!B = !tile.tensor<[1] x i32, shared>
!PB = !tile.partition<[_], [1] x i32, shared>
!Y = !tile.tensor<[1] x i32, out>
!PY = !tile.partition<[_], [1] x i32, out>
!SY = !tile.piece<[_] x i32, out>
tile.kernel @loop_bounds_from_load(%a: !A, %b: !B, %y: !Y) grid [1] {
  %pa = tile.partition %a by [_] : !A
  %pb = tile.partition %b by [_] : !B
  %py = tile.partition %y by [_] : !Y
  %c1_i32 = arith.constant 1 : i32
  %n = tile.block_id 0
  %start = tile.load %pa[%n] : !PA
  %stop = tile.load %pb[%n] : !PB
  scf.for %k = %start to %stop step %c1_i32 : i32 {
  }
  %o = tile.claim %py[%n] : !PY
  tile.store %start, %o : !SY
}
