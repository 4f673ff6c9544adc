// expect: REFUTED out.covered
// twin: kv_range.mlir
// The tiles of a split are rounded down: a planted bug in kv_range.mlir.
!SCORE = !tile.tensor<[KT] x f32, out>
!CACHE = !tile.tensor<[CAP] x f32, shared>
!PSCORE = !tile.partition<[_], [KT] x f32, out>
!PCACHE = !tile.partition<[_], [CAP] x f32, shared>
!PieceSCORE = !tile.piece<[_] x f32, out>
tile.kernel @split_kv_range(%score: !SCORE, %cache: !CACHE)
    symbols [SKV : index, BN : index, NS : index, TPS : index] grid [NS]
    requires [SKV >= 1, SKV <= CAP, BN >= 1, NS >= 1, KT == ceildiv(SKV, BN),
    TPS == div(KT, NS), SKV + BN + 2 * NS + NS * TPS <= 2147483647] {
  %c1 = arith.constant 1 : index
  %c2147483647 = arith.constant 2147483647 : index
  %one = arith.constant 1.0 : f32
  %p_score = tile.partition %score by [_] : !SCORE
  %p_cache = tile.partition %cache by [_] : !CACHE
  %TPS = tile.symbol "TPS" : index
  %KT = tile.symbol "KT" : index
  %BN = tile.symbol "BN" : index
  %s = tile.block_id 0
  %from = arith.muli %s, %TPS : index
  %whole = arith.addi %from, %TPS : index
  %fact_0 = arith.cmpi sle, %whole, %c2147483647 : index
  tile.prove %fact_0, "the end of a split counts in 32 bits" : i1
  %end = arith.minsi %whole, %KT : index
  scf.for %j = %from to %end step %c1 {
    %row = arith.muli %j, %BN : index
    %read_0 = tile.load %p_cache[%row] : !PCACHE
    %piece_0 = tile.claim %p_score[%j] : !PSCORE
    tile.store %one, %piece_0 : !PieceSCORE
  }
}
