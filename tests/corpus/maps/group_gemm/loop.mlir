// expect: VERIFIED
// The invariant of the loop over groups: a tile that a program owns is never
// skipped (cutile-rs, group_gemm_f16_nt_desc). `k0` trips at entry of a group that begins
// at S and has T tiles, `k` inside, `kt` for any tile of the group.
tile.kernel @group_gemm_loop()
    symbols [S : index, T : index, NB : index, k0 : index, k : index, kt : index] grid [NB]
    requires [NB >= 1, S + T + NB <= 2147483647, k0 * NB <= S + NB,
    k * NB <= S + T + NB, kt * NB <= S + T, k0 <= k] {
  %c1 = arith.constant 1 : index
  %c2147483647 = arith.constant 2147483647 : index
  %k0 = tile.symbol "k0" : index
  %NB = tile.symbol "NB" : index
  %k = tile.symbol "k" : index
  %kt = tile.symbol "kt" : index
  %S = tile.symbol "S" : index
  %T = tile.symbol "T" : index
  %p = tile.block_id 0
  %entry_0 = arith.muli %k0, %NB : index
  %entry = arith.addi %p, %entry_0 : index
  %inside_0 = arith.muli %k, %NB : index
  %inside = arith.addi %p, %inside_0 : index
  %owned_0 = arith.muli %kt, %NB : index
  %owned = arith.addi %p, %owned_0 : index
  %after = arith.addi %S, %T : index
  %guard_0 = arith.cmpi sge, %entry, %S : index
  scf.if %guard_0 {
    %guard_1_r_0 = arith.addi %S, %NB : index
    %guard_1 = arith.cmpi slt, %entry, %guard_1_r_0 : index
    scf.if %guard_1 {
      %guard_2_r_1 = arith.addi %S, %T : index
      %guard_2_r_0 = arith.addi %guard_2_r_1, %NB : index
      %guard_2 = arith.cmpi slt, %inside, %guard_2_r_0 : index
      scf.if %guard_2 {
        %guard_3 = arith.cmpi sge, %owned, %S : index
        scf.if %guard_3 {
          %guard_4 = arith.cmpi slt, %owned, %after : index
          scf.if %guard_4 {
            %fact_0 = arith.cmpi sle, %inside, %c2147483647 : index
            tile.prove %fact_0, "the counter counts in 32 bits" : i1
            %bound = arith.addi %after, %NB : index
            %fact_1 = arith.cmpi slt, %entry, %bound : index
            tile.prove %fact_1, "the invariant holds at entry" : i1
            %z_is_0 = arith.cmpi slt, %inside, %after : index
            %z_else_0 = arith.subi %after, %c1 : index
            %z = arith.select %z_is_0, %inside, %z_else_0 : index
            %step = arith.addi %z, %NB : index
            %fact_2 = arith.cmpi slt, %step, %bound : index
            tile.prove %fact_2, "the invariant is kept" : i1
            %y = arith.maxsi %inside, %after : index
            %fact_3 = arith.cmpi slt, %y, %bound : index
            tile.prove %fact_3, "the next group is entered in time" : i1
            %fact_4 = arith.cmpi sge, %kt, %k0 : index
            tile.prove %fact_4, "no tile of the group is skipped" : i1
          }
        }
      }
    }
  }
}
