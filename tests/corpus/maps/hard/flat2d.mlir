// expect: VERIFIED
// Tiles BM by BN of a matrix with rows ld apart, by flat address.
!OUT = !tile.tensor<[F] x f32, own>
!POUT = !tile.partition<[_], [F] x f32, own>
!PieceOUT = !tile.piece<[_] x f32, own>
tile.kernel @hard_flat2d(%out: !OUT)
    symbols [M : index, N : index, ld : index, BM : index, BN : index] grid [ceildiv(M, BM), ceildiv(N, BN)]
    requires [ld >= N, F == M * ld, BM >= 1, BN >= 1, M * ld <= 2147483647] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2147483647 = arith.constant 2147483647 : index
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
          %fact_0 = arith.cmpi sle, %address, %c2147483647 : index
          tile.prove %fact_0, "the address counts in 32 bits" : i1
          %piece_0 = tile.claim %p_out[%address] : !POUT
          tile.store %one, %piece_0 : !PieceOUT
        }
      }
    }
  }
}
