// expect: REFUTED load.bounds
// twin: first.good.mlir
// What each trip yields is no result where there is none.
!X = !tile.tensor<[N] x i32, shared>
!Y = !tile.tensor<[1] x i32, out partial>
!PX = !tile.partition<[_], [N] x i32, shared>
!PY = !tile.partition<[_], [1] x i32, out partial>
!P = !tile.piece<[_] x i32, out>
tile.kernel @first(%x: !X, %y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %yes = arith.constant true
  %no = arith.constant false
  %n = tile.symbol "N" : index
  %px = tile.partition %x by [_] : !X
  %py = tile.partition %y by [_] : !Y
  %is_first, %left = scf.while (%go = %yes, %k = %n) : (i1, index) -> (i1, index) {
    %some = arith.cmpi sgt, %k, %c0 : index
    tile.measure %k : index
    scf.condition(%some) %go, %k : i1, index
  } do {
  ^bb0(%still: i1, %m: index):
    %less = arith.subi %m, %c1 : index
    scf.yield %no, %less : i1, index
  }
  scf.if %is_first {
    %v = tile.load %px[%c0] : !PX
    %out = tile.claim %py[%c0] : !PY
    tile.store %v, %out : !P
  }
}
