// expect: REFUTED claim.disjoint
// twin: heads.good.mlir
// All blocks of a row write its first head.
!Y = !tile.tensor<[T, C] x f16, out partial>
!H = !tile.tensor<[T, G, 64] x f16, out partial>
tile.kernel @heads(%y: !Y) symbols [G : index] grid [T, G] requires [C == 64 * G] {
  %c0 = arith.constant 0 : index
  %t = tile.block_id 0
  %h = tile.view %y unfold 1 by [G, 64] : !Y
  %row = vector.broadcast %t : index to vector<64xindex>
  %head = vector.broadcast %c0 : index to vector<64xindex>
  %lane = tile.iota 0 : vector<64xindex>
  %v = arith.constant dense<1.0> : vector<64xf16>
  tile.scatter %v, %h[%row, %head, %lane] : vector<64xf16>, !H, vector<64xindex>, vector<64xindex>, vector<64xindex>
}
