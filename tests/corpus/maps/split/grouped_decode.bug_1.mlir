// expect: REFUTED load.bounds
// twin: grouped_decode.mlir
// The cache is only as long as the sequence: a planted bug in grouped_decode.mlir.
!SEEN = !tile.tensor<[NT] x f32, own>
!CACHE = !tile.tensor<[EXT] x f32, shared>
!PSEEN = !tile.partition<[_], [NT] x f32, own>
!PCACHE = !tile.partition<[_], [EXT] x f32, shared>
!PieceSEEN = !tile.piece<[_] x f32, own>
tile.kernel @split_grouped_decode(%seen: !SEEN, %cache: !CACHE)
    symbols [LT : index, TN : index, L : index, NSPL : index, SKV : index] grid [NSPL]
    requires [LT >= 1, TN >= 1, L == LT * TN, NSPL * L <= 2147483647, SKV <= EXT,
    NT == ceildiv(EXT, TN), EXT + TN <= 2147483647] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2147483647 = arith.constant 2147483647 : index
  %one = arith.constant 1.0 : f32
  %p_seen = tile.partition %seen by [_] : !SEEN
  %p_cache = tile.partition %cache by [_] : !CACHE
  %L = tile.symbol "L" : index
  %SKV = tile.symbol "SKV" : index
  %TN = tile.symbol "TN" : index
  %s = tile.block_id 0
  %start = arith.muli %s, %L : index
  %guard_0 = arith.cmpi slt, %start, %SKV : index
  scf.if %guard_0 {
    %first = arith.divsi %start, %TN : index
    %tiles = arith.ceildivsi %L, %TN : index
    scf.for %k = %c0 to %tiles step %c1 {
      %n = arith.addi %first, %k : index
      %row = arith.muli %n, %TN : index
      %fact_0 = arith.cmpi sle, %row, %c2147483647 : index
      tile.prove %fact_0, "the row counts in 32 bits" : i1
      %read_0 = tile.load %p_cache[%row] : !PCACHE
      %piece_0 = tile.claim %p_seen[%n] : !PSEEN
      tile.store %one, %piece_0 : !PieceSEEN
    }
  }
}
