// expect: VERIFIED
// A number is read again after a store, and that one is asked about.
!T = !tile.tensor<[N] x i32, own>
!E = !tile.tensor<[V] x f32, shared>
!PT = !tile.partition<[_], [N] x i32, own>
!PE = !tile.partition<[_], [V] x f32, shared>
!P = !tile.piece<[_] x i32, own>
tile.kernel @found(%t: !T, %e: !E) grid [N] {
  %hundred = arith.constant 100 : index
  %ninety = arith.constant 90 : i32
  %i = tile.block_id 0
  %v = tile.symbol "V" : index
  %pt = tile.partition %t by [_] : !T
  %pe = tile.partition %e by [_] : !E
  %piece = tile.claim %pt[%i] : !PT
  %word = tile.load %piece : !P
  %other = arith.subi %ninety, %word : i32
  tile.store %other, %piece : !P
  %again = tile.load %piece : !P
  %at = arith.index_cast %again : i32 to index
  %low = arith.cmpi sge, %at, %hundred : index
  %high = arith.cmpi slt, %at, %v : index
  %in = arith.andi %low, %high : i1
  scf.if %in {
    %x = tile.load %pe[%at] : !PE
  }
}
