// expect: REFUTED claim.disjoint
// twin: found_own.good.mlir
// Blocks go where a list of theirs sends them, which may say the same twice.
!T = !tile.tensor<[N] x i32, own>
!C = !tile.tensor<[V] x f32, own>
!PT = !tile.partition<[_], [N] x i32, own>
!PC = !tile.partition<[_], [V] x f32, own>
!P = !tile.piece<[_] x i32, own>
!Q = !tile.piece<[_] x f32, own>
tile.kernel @found(%t: !T, %c: !C) grid [N] {
  %one = arith.constant 1.0 : f32
  %thousand = arith.constant 1000 : index
  %i = tile.block_id 0
  %v = tile.symbol "V" : index
  %pt = tile.partition %t by [_] : !T
  %pc = tile.partition %c by [_] : !C
  %piece = tile.claim %pt[%i] : !PT
  %word = tile.load %piece : !P
  tile.store %word, %piece : !P
  %again = tile.load %piece : !P
  %at = arith.index_cast %again : i32 to index
  %low = arith.cmpi sge, %at, %thousand : index
  %high = arith.cmpi slt, %at, %v : index
  %in = arith.andi %low, %high : i1
  scf.if %in {
    %out = tile.claim %pc[%at] : !PC
    tile.store %one, %out : !Q
  }
}
