// expect: VERIFIED
// Lanes of a row, by their place in its two halves.
!Y = !tile.tensor<[R, 64] x f32, out>
!H = !tile.tensor<[R, 2, 32] x f32, out>
tile.kernel @twice(%y: !Y) grid [R] {
  %b = tile.block_id 0
  %h = tile.view %y unfold 1 by [2, 32] : !Y
  %row = vector.broadcast %b : index to vector<64xindex>
  %lane = tile.iota 0 : vector<64xindex>
  %size = arith.constant dense<32> : vector<64xindex>
  %half = arith.divsi %lane, %size : vector<64xindex>
  %place = arith.remsi %lane, %size : vector<64xindex>
  %v = tile.iota 0 : vector<64xi32>
  %f = arith.sitofp %v : vector<64xi32> to vector<64xf32>
  tile.scatter %f, %h[%row, %half, %place] : vector<64xf32>, !H, vector<64xindex>, vector<64xindex>, vector<64xindex>
}
