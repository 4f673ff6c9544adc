// expect: REFUTED claim.disjoint
// twin: twice_sliced.good.mlir
// Runs of every third element that begin 2 apart.
!Y = !tile.tensor<[N] x i32, own>
!A = !tile.tensor<[A] x i32, own>
!B = !tile.tensor<[B] x i32, own>
!PB = !tile.partition<[8], [B] x i32, own>
!P = !tile.piece<[8] x i32, own>
tile.kernel @twice_sliced(%y: !Y) symbols [A : index, B : index] grid [2, ceildiv(B, 8)]
    requires [N == 3 * A, A == B + 2] {
  %v = arith.constant dense<1> : vector<8xi32>
  %b = tile.block_id 0
  %j = tile.block_id 1
  %third = tile.view %y slice [0] size [A] step [3] : !Y
  %c2 = arith.constant 2 : index
  %from = arith.muli %b, %c2 : index
  %other = tile.view %third slice [%from] size [B] step [1] : !A
  %p = tile.partition %other by [8] : !B
  %c = tile.claim %p[%j] : !PB
  tile.store %v, %c : !P
}
