// expect: VERIFIED
// The last counter is 124, and 126 is an i8.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[_], [N] x f32, own>
tile.kernel @loop_counter(%x: !X) symbols [p : i8] grid [1] requires [p <= 126] {
  %px = tile.partition %x by [_] : !X
  %zero = arith.constant 0 : i8
  %two = arith.constant 2 : i8
  %p = tile.symbol "p" : i8
  scf.for %k = %zero to %p step %two : i8 {
    %next = arith.addi %k, %two : i8
  }
}
