(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The theorems that others may cite; a test reads that each is closed. *)

From Girih Require Import PairsSound Arith Blocks BytesSound Cert Code Commute
  WholeContract Counting Coverage Definitions Determinism Examples Execute
  LaneObligations LaneSound Addresses Owned Places ContentsSound Satisfiable
  Sound Traces WellFounded Work.

Print Assumptions refutes_sound.
Print Assumptions works_refutes.
Print Assumptions obligation_sound.
Print Assumptions definition_value.
Print Assumptions definition_exists.
Print Assumptions definition_determines.
Print Assumptions instance_sound.
Print Assumptions wellFounded_sound.
Print Assumptions judge_sound.

Print Assumptions ediv_ediv.
Print Assumptions quot_quot.
Print Assumptions cdiv_cdiv.
Print Assumptions tile_covers.
Print Assumptions linear_delinear.
Print Assumptions delinear_linear.
Print Assumptions panel_bijective.
Print Assumptions grouped_bijective.
Print Assumptions wrap_exact.
Print Assumptions i32_tile_exact.
Print Assumptions i32_address_exact.
Print Assumptions counting.
Print Assumptions counting_inverse.
Print Assumptions bijection_inverse.
Print Assumptions without_loss.
Print Assumptions differ_total.
Print Assumptions differ_symmetric.

Print Assumptions index_exact.
Print Assumptions index_defined.
Print Assumptions int_wraps.
Print Assumptions division_of_all.
Print Assumptions viewed_place.
Print Assumptions view_elements.
Print Assumptions cast_exact.
Print Assumptions block_deterministic.
Print Assumptions block_ends.
Print Assumptions block_inside.
Print Assumptions schedule_reaches.
Print Assumptions reaches_schedule.
Print Assumptions blocks_of_grid.
Print Assumptions add_ragged.
Print Assumptions transpose_ragged.
Print Assumptions access_owned.
Print Assumptions no_race.
Print Assumptions frame.
Print Assumptions shared_kept.
Print Assumptions execute_ends.
Print Assumptions execute_refutes.
Print Assumptions combined_commutes.
Print Assumptions launch_ends.
Print Assumptions deterministic.
Print Assumptions one_ends_all.
Print Assumptions reaches_end.
Print Assumptions sequential_ends.
Print Assumptions execute_determines.
Print Assumptions offset_packed.
Print Assumptions offset_bound.
Print Assumptions offset_injective.
Print Assumptions tensor_addresses.
Print Assumptions block_addresses.
Print Assumptions element_holds.
Print Assumptions pair_holds.
Print Assumptions pairs_apart.
Print Assumptions bytes_apart.
Print Assumptions contract_sound.
Print Assumptions whole_sound.
Print Assumptions outputs_written.
Print Assumptions recast_sound.
Print Assumptions givenOfLane_holds.
Print Assumptions laneAt_sound.
Print Assumptions gather_sound.
Print Assumptions load_noted.
Print Assumptions code_sound.
Print Assumptions blocks_step.
Print Assumptions surely_written.
Print Assumptions runs_reaches.
Print Assumptions reaches_runs.
Print Assumptions runs_bounded.
Print Assumptions runs_on.
Print Assumptions runs_apart.
Print Assumptions launch_found.
Print Assumptions verified.
