// expect: REFUTED claim.disjoint
// twin: given_same.good.mlir
// Two elements may differ.
!N = !tile.tensor<[2] x i32, shared>
!C = !tile.tensor<[L] x f32, own>
!PN = !tile.partition<[_], [2] x i32, shared>
!PC = !tile.partition<[_], [L] x f32, own>
!P = !tile.piece<[_] x f32, own>
tile.kernel @shifted(%n: !N, %c: !C) symbols [S : index] grid [S]
    requires [S < L] given [within(%n, 0, L - S)] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %b = tile.block_id 0
  %pn = tile.partition %n by [_] : !N
  %pc = tile.partition %c by [_] : !C
  %t = tile.load %pn[%c0] : !PN
  %turn = arith.index_cast %t : i32 to index
  %i = arith.addi %b, %turn : index
  %one = tile.claim %pc[%i] : !PC
  tile.store %zero, %one : !P
  %again = tile.load %pn[%c1] : !PN
  %same = arith.index_cast %again : i32 to index
  %j = arith.addi %b, %same : index
  %other = tile.claim %pc[%j] : !PC
  tile.store %zero, %other : !P
}
