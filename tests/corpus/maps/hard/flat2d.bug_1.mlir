// expect: REFUTED claim.disjoint
// twin: flat2d.mlir
// Rows may overlap: a planted bug in flat2d.mlir.
!OUT = !tile.tensor<[F] x f32, own>
!POUT = !tile.partition<[_], [F] x f32, own>
!PieceOUT = !tile.piece<[_] x f32, own>
tile.kernel @hard_flat2d(%out: !OUT)
    symbols [M : index, N : index, ld : index, BM : index, BN : index] grid [ceildiv(M, BM), ceildiv(N, BN)]
    requires [ld >= 1, F == M * ld + N, BM >= 1, BN >= 1,
    M * ld + N <= 2147483647] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %p_out = tile.partition %out by [_] : !OUT
  %BM = tile.symbol "BM" : index
  %M = tile.symbol "M" : index
  %BN = tile.symbol "BN" : index
  %N = tile.symbol "N" : index
  %ld = tile.symbol "ld" : index
  %m = tile.block_id 0
  %n = tile.block_id 1
  scf.for %i = %c0 to %BM step %c1 {
    %row_0 = arith.muli %m, %BM : index
    %row = arith.addi %row_0, %i : index
    %guard_0 = arith.cmpi slt, %row, %M : index
    scf.if %guard_0 {
      scf.for %j = %c0 to %BN step %c1 {
        %column_0 = arith.muli %n, %BN : index
        %column = arith.addi %column_0, %j : index
        %guard_1 = arith.cmpi slt, %column, %N : index
        scf.if %guard_1 {
          %address_0 = arith.muli %row, %ld : index
          %address = arith.addi %address_0, %column : index
          %piece_0 = tile.claim %p_out[%address] : !POUT
          tile.store %one, %piece_0 : !PieceOUT
        }
      }
    }
  }
}
