// expect: VERIFIED
// A row a block, by numbers of all elements.
!Y = !tile.tensor<[R, 64] x i32, out>
!F = !tile.tensor<[?] x i32, out>
tile.kernel @flat_lanes(%y: !Y) grid [R] {
  %c64 = arith.constant 64 : index
  %b = tile.block_id 0
  %f = tile.view %y flatten 0 : !Y
  %first = arith.muli %b, %c64 : index
  %base = vector.broadcast %first : index to vector<64xindex>
  %lane = tile.iota 0 : vector<64xindex>
  %at = arith.addi %base, %lane : vector<64xindex>
  %v = tile.iota 0 : vector<64xi32>
  tile.scatter %v, %f[%at] : vector<64xi32>, !F, vector<64xindex>
}
