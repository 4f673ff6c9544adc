// expect: VERIFIED
// Each block has a plane, and its lanes are spread over it from the end.
!Y = !tile.tensor<[B, 4, 32] x i32, out>
!M = !tile.tensor<[4, 32] x i32, out>
tile.kernel @plane(%y: !Y) grid [B] {
  %b = tile.block_id 0
  %mine = tile.view %y fix 0 at %b : !Y
  %row = tile.iota 0 : vector<4x32xindex>
  %lane = tile.iota 1 : vector<4x32xindex>
  %last = arith.constant dense<31> : vector<4x32xindex>
  %col = arith.subi %last, %lane : vector<4x32xindex>
  %v = tile.iota 1 : vector<4x32xi32>
  tile.scatter %v, %mine[%row, %col] : vector<4x32xi32>, !M, vector<4x32xindex>, vector<4x32xindex>
}
