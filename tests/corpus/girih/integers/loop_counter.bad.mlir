// expect: REFUTED loop.width
// twin: loop_counter.good.mlir
// At p = 127 the counter goes from 126 to 128, which no i8 holds.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[_], [N] x f32, own>
tile.kernel @loop_counter(%x: !X) symbols [p : i8] grid [1] {
  %px = tile.partition %x by [_] : !X
  %zero = arith.constant 0 : i8
  %two = arith.constant 2 : i8
  %p = tile.symbol "p" : i8
  scf.for %k = %zero to %p step %two : i8 {
    %next = arith.addi %k, %two : i8
  }
}
