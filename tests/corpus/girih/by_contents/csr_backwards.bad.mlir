// expect: REFUTED out.covered
// twin: csr_backwards.good.mlir
// The rows end before the elements do.
!R = !tile.tensor<[M1] x i32, shared>
!Y = !tile.tensor<[E] x f32, out>
!PR = !tile.partition<[_], [M1] x i32, shared>
!PY = !tile.partition<[_], [E] x f32, out>
!P = !tile.piece<[_] x f32, out>
tile.kernel @backwards(%row: !R, %y: !Y) symbols [F : index] grid [M1 - 1] requires [M1 >= 1, F <= E]
    given [splits(%row, F)] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 1.0 : f32
  %i = tile.block_id 0
  %next = arith.addi %i, %c1 : index
  %pr = tile.partition %row by [_] : !R
  %py = tile.partition %y by [_] : !Y
  %hi32 = tile.load %pr[%next] : !PR
  %lo32 = tile.load %pr[%i] : !PR
  %hi = arith.index_cast %hi32 : i32 to index
  %lo = arith.index_cast %lo32 : i32 to index
  %count = arith.subi %hi, %lo : index
  scf.for %e = %c0 to %count step %c1 {
    %behind = arith.subi %hi, %e : index
    %at = arith.subi %behind, %c1 : index
    %out = tile.claim %py[%at] : !PY
    tile.store %v, %out : !P
  }
}
