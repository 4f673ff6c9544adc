// expect: REFUTED load.bounds
// twin: guard.good.mlir
// The guard is of the first row, the load of another one.
!X = !tile.tensor<[M, N] x f32, shared>
!T = !tile.tensor<[K] x i64, shared>
!Y = !tile.tensor<[K] x f32, out>
!PX = !tile.partition<[_, _], [M, N] x f32, shared>
!PT = !tile.partition<[_], [K] x i64, shared>
!PY = !tile.partition<[_], [K] x f32, out>
!P = !tile.piece<[_] x f32, out>
tile.kernel @guard(%x: !X, %t: !T, %y: !Y) symbols [row : index] grid [K] {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %b = tile.block_id 0
  %row = tile.symbol "row" : index
  %px = tile.partition %x by [_, _] : !X
  %pt = tile.partition %t by [_] : !T
  %py = tile.partition %y by [_] : !Y
  %out = tile.claim %py[%b] : !PY
  %found = tile.load %pt[%b] : !PT
  %col = arith.index_cast %found : i64 to index
  %in = tile.inside %px[%c0, %col] : !PX
  %v = scf.if %in -> (f32) {
    %one = tile.load %px[%row, %col] : !PX
    scf.yield %one : f32
  } else {
    scf.yield %zero : f32
  }
  tile.store %v, %out : !P
}
