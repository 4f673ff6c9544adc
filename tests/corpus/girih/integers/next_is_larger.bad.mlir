// expect: REFUTED claim.bounds
// twin: next_is_larger.good.mlir
// 127 + 1 is -128: the branch that looks dead is not.
!X = !tile.tensor<[2] x f32, own>
!PX = !tile.partition<[_], [2] x f32, own>
!P = !tile.piece<[_] x f32, own>
tile.kernel @next_is_larger(%x: !X) symbols [p : i8] grid [1] {
  %v = arith.constant 1.0 : f32
  %c3 = arith.constant 3 : index
  %px = tile.partition %x by [_] : !X
  %one = arith.constant 1 : i8
  %p = tile.symbol "p" : i8
  %next = arith.addi %p, %one : i8
  %larger = arith.cmpi sgt, %next, %p : i8
  scf.if %larger {
  } else {
    %out = tile.claim %px[%c3] : !PX
    tile.store %v, %out : !P
  }
}
