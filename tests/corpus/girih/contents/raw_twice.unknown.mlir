// expect: UNKNOWN prove.holds
// Between two loads of a raw tensor anybody may write.
!T = !tile.tensor<[N] x i32, raw>
!PT = !tile.partition<[_], [N] x i32, raw>
tile.kernel @twice(%t: !T) grid [N] {
  %i = tile.block_id 0
  %p = tile.partition %t by [_] : !T
  %v = tile.load %p[%i] : !PT
  %w = tile.load %p[%i] : !PT
  %same = arith.cmpi eq, %v, %w : i32
  tile.prove %same, "an element stays as it is" : i1
}
