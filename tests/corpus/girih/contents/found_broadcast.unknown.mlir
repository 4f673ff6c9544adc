// expect: UNKNOWN prove.holds
// Elements that share memory hold the same: no launch has two numbers there.
!T = !tile.tensor<[N] x i32, shared, strides [0]>
!PT = !tile.partition<[_], [N] x i32, shared, strides [0]>
tile.kernel @found(%t: !T) grid [N] {
  %c0 = arith.constant 0 : index
  %i = tile.block_id 0
  %p = tile.partition %t by [_] : !T
  %v = tile.load %p[%i] : !PT
  %w = tile.load %p[%c0] : !PT
  %same = arith.cmpi eq, %v, %w : i32
  tile.prove %same, "all elements are one" : i1
}
