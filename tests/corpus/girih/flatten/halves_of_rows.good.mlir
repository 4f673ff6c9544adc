// expect: VERIFIED
// Half of the rows of a plane is one run of elements; each block has one.
!Y = !tile.tensor<[A, B, C] x f32, own>
!S = !tile.tensor<[A, ?, C] x f32, own>
!F = !tile.tensor<[A, ?] x f32, own>
!PF = !tile.partition<[_, 32], [A, ?] x f32, own>
!P = !tile.piece<[_, 32] x f32, own>
tile.kernel @halves_of_rows(%y: !Y) symbols [H : index] grid [A, 2] requires [B == 2 * H] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant dense<1.0> : vector<32xf32>
  %a = tile.block_id 0
  %b = tile.block_id 1
  %h = tile.symbol "H" : index
  %from = arith.muli %b, %h : index
  %half = tile.view %y slice [0, %from, 0] size [A, %h, C] : !Y
  %flat = tile.view %half flatten 1 : !S
  %p = tile.partition %flat by [_, 32] : !F
  %n = tile.num_tiles %p, 1 : !PF
  scf.for %k = %c0 to %n step %c1 {
    %out = tile.claim %p[%a, %k] : !PF
    tile.store %v, %out : !P
  }
}
