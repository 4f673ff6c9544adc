// expect: REFUTED load.bounds
// twin: flag.good.mlir
// Not every loop ends because nothing is left.
!X = !tile.tensor<[N] x i32, shared>
!Y = !tile.tensor<[1] x i32, out>
!PX = !tile.partition<[_], [N] x i32, shared>
!PY = !tile.partition<[_], [1] x i32, out>
!P = !tile.piece<[_] x i32, out>
tile.kernel @flag(%x: !X, %y: !Y) grid [1] requires [N >= 1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %yes = arith.constant true
  %n = tile.symbol "N" : index
  %px = tile.partition %x by [_] : !X
  %py = tile.partition %y by [_] : !Y
  %out = tile.claim %py[%c0] : !PY
  %going, %left = scf.while (%go = %yes, %k = %n) : (i1, index) -> (i1, index) {
    %low = arith.cmpi sge, %k, %c0 : index
    tile.invariant %low : i1
    %high = arith.cmpi sle, %k, %n : index
    tile.invariant %high : i1
    %some = arith.cmpi sgt, %k, %c0 : index
    %goes_on = arith.andi %go, %some : i1
    tile.measure %k : index
    scf.condition(%goes_on) %go, %k : i1, index
  } do {
  ^bb0(%still: i1, %m: index):
    %less = arith.subi %m, %c1 : index
    %v = tile.load %px[%less] : !PX
    %above = arith.cmpi sgt, %v, %zero : i32
    scf.yield %above, %less : i1, index
  }
  %last = arith.subi %n, %c1 : index
  %twice = arith.addi %left, %left : index
  %v = tile.load %px[%twice] : !PX
  tile.store %v, %out : !P
}
