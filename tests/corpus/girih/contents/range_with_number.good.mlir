// expect: VERIFIED
// A tensor that has an element has a number in its range: there is a bin.
!X = !tile.tensor<[N] x i32, shared>
!H = !tile.tensor<[V] x i32, atomic<add>>
!PH = !tile.partition<[_], [V] x i32, atomic<add>>
tile.kernel @range_with_number(%x: !X, %hist: !H) grid [N]
    given [within(%x, 0, V)] {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %ph = tile.partition %hist by [_] : !H
  tile.atomic add %one, %ph[%c0] : !PH
}
