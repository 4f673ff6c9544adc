// expect: REFUTED claim.bounds
// twin: rows_i32.good.mlir
// The product of 32 bits may wrap.
!X = !tile.tensor<[F] x f32, out>
!PX = !tile.partition<[_], [F] x f32, out>
!P = !tile.piece<[_] x f32, out>
tile.kernel @rows_i32(%x: !X) symbols [H : index, L : index] grid [H]
    requires [F == H * L] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %h = tile.block_id 0
  %l = tile.symbol "L" : index
  %px = tile.partition %x by [_] : !X
  %h32 = arith.index_cast %h : index to i32
  %l32 = arith.index_cast %l : index to i32
  %row32 = arith.muli %h32, %l32 : i32
  %row = arith.index_cast %row32 : i32 to index
  scf.for %j = %c0 to %l step %c1 {
    %at = arith.addi %row, %j : index
    %out = tile.claim %px[%at] : !PX
    tile.store %zero, %out : !P
  }
}
