// expect: REFUTED claim.bounds
// twin: long_condition.good.mlir
// Forty lines that say more comparisons than anyone can count.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[_], [N] x f32, own>
!P = !tile.piece<[_] x f32, own>
tile.kernel @long_condition(%x: !X) grid [N] {
  %v = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %px = tile.partition %x by [_] : !X
  %i = tile.block_id 0
  %j = arith.addi %i, %c1 : index
  %odd0 = arith.cmpi sge, %i, %c0 : index
  %odd1 = arith.xori %odd0, %odd0 : i1
  %odd2 = arith.xori %odd1, %odd0 : i1
  %odd3 = arith.xori %odd2, %odd1 : i1
  %odd4 = arith.xori %odd3, %odd2 : i1
  %odd5 = arith.xori %odd4, %odd3 : i1
  %odd6 = arith.xori %odd5, %odd4 : i1
  %odd7 = arith.xori %odd6, %odd5 : i1
  %odd8 = arith.xori %odd7, %odd6 : i1
  %odd9 = arith.xori %odd8, %odd7 : i1
  %odd10 = arith.xori %odd9, %odd8 : i1
  %odd11 = arith.xori %odd10, %odd9 : i1
  %odd12 = arith.xori %odd11, %odd10 : i1
  %odd13 = arith.xori %odd12, %odd11 : i1
  %odd14 = arith.xori %odd13, %odd12 : i1
  %odd15 = arith.xori %odd14, %odd13 : i1
  %odd16 = arith.xori %odd15, %odd14 : i1
  %odd17 = arith.xori %odd16, %odd15 : i1
  %odd18 = arith.xori %odd17, %odd16 : i1
  %odd19 = arith.xori %odd18, %odd17 : i1
  %odd20 = arith.xori %odd19, %odd18 : i1
  %odd21 = arith.xori %odd20, %odd19 : i1
  %odd22 = arith.xori %odd21, %odd20 : i1
  %odd23 = arith.xori %odd22, %odd21 : i1
  %odd24 = arith.xori %odd23, %odd22 : i1
  %odd25 = arith.xori %odd24, %odd23 : i1
  %odd26 = arith.xori %odd25, %odd24 : i1
  %odd27 = arith.xori %odd26, %odd25 : i1
  %odd28 = arith.xori %odd27, %odd26 : i1
  %odd29 = arith.xori %odd28, %odd27 : i1
  %odd30 = arith.xori %odd29, %odd28 : i1
  %odd31 = arith.xori %odd30, %odd29 : i1
  %odd32 = arith.xori %odd31, %odd30 : i1
  %odd33 = arith.xori %odd32, %odd31 : i1
  %odd34 = arith.xori %odd33, %odd32 : i1
  %odd35 = arith.xori %odd34, %odd33 : i1
  %odd36 = arith.xori %odd35, %odd34 : i1
  %odd37 = arith.xori %odd36, %odd35 : i1
  %odd38 = arith.xori %odd37, %odd36 : i1
  %odd39 = arith.xori %odd38, %odd37 : i1
  %odd40 = arith.xori %odd39, %odd38 : i1
  scf.if %odd39 {
    %out = tile.claim %px[%j] : !PX
    tile.store %v, %out : !P
  }
}
