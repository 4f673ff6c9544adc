// expect: REFUTED claim.bounds
// twin: triangular.mlir
// The pair on the other side of the diagonal as well: a planted bug in triangular.mlir.
!OUT = !tile.tensor<[X] x f32, own>
!POUT = !tile.partition<[_], [X] x f32, own>
!PieceOUT = !tile.piece<[_] x f32, own>
tile.kernel @hard_triangular(%out: !OUT)
    symbols [n : index] grid [n]
    requires [X == n * (n + 1)] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %p_out = tile.partition %out by [_] : !OUT
  %i = tile.block_id 0
  %end = arith.addi %i, %c2 : index
  scf.for %j = %c0 to %end step %c1 {
    %row_1 = arith.addi %i, %c1 : index
    %row_0 = arith.muli %i, %row_1 : index
    %row_2 = arith.muli %j, %c2 : index
    %row = arith.addi %row_0, %row_2 : index
    %piece_0 = tile.claim %p_out[%row] : !POUT
    tile.store %one, %piece_0 : !PieceOUT
  }
}
