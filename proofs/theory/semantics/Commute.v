(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Blocks combine with an element in any order: integers come out alike. *)

From Coq Require Import ZArith List Bool Lia.
From Girih Require Export Sem.
Import ListNotations.
Open Scope Z_scope.

Lemma wrap_mod n x y : 1 <= n ->
  (wrap n x = wrap n y <-> x mod 2 ^ n = y mod 2 ^ n).
Proof.
  intro N. rewrite wrap_equal by exact N. unfold congruent.
  assert (0 < 2 ^ n) by (apply Z.pow_pos_nonneg; lia). split.
  - intros [z E]. replace x with (y + z * 2 ^ n) by lia.
    now rewrite Z.mod_add by lia.
  - intro E. exists (x / 2 ^ n - y / 2 ^ n).
    pose proof (Z.div_mod x (2 ^ n) ltac:(lia)).
    pose proof (Z.div_mod y (2 ^ n) ltac:(lia)). nia.
Qed.

Lemma wrap_twice n x : 1 <= n -> wrap n (wrap n x) = wrap n x.
Proof. intro N. apply wrap_exact; [exact N|]. now apply wrap_fits. Qed.

Lemma wrap_bit n x i : 1 <= n -> i < n ->
  Z.testbit (wrap n x) i = Z.testbit x i.
Proof.
  intros N I. rewrite <- (Z.mod_pow2_bits_low (wrap n x) n i) by exact I.
  rewrite <- (Z.mod_pow2_bits_low x n i) by exact I. f_equal.
  apply wrap_mod; [exact N|]. now apply wrap_twice.
Qed.

(* What is done bit by bit wraps like its operands. *)
Lemma wrap_bits n x y f (g : bool -> bool -> bool) : 1 <= n ->
  (forall x y i, Z.testbit (f x y) i = g (Z.testbit x i) (Z.testbit y i)) ->
  wrap n (f (wrap n x) (wrap n y)) = wrap n (f x y).
Proof.
  intros N F. apply wrap_mod; [exact N|]. apply Z.bits_inj'. intros i I.
  destruct (Z.lt_ge_cases i n) as [L|L].
  - now rewrite !Z.mod_pow2_bits_low, !F, !wrap_bit by lia.
  - now rewrite !Z.mod_pow2_bits_high by lia.
Qed.

(* What holds of an op on integers that wrap, from what holds of integers. *)
Lemma wrapped_commutes n f x y z : 1 <= n ->
  (forall x y, wrap n (f (wrap n x) (wrap n y)) = wrap n (f x y)) ->
  (forall x y z, f (f z x) y = f (f z y) x) ->
  wrap n (f (wrap n (wrap n (f (wrap n z) (wrap n x)))) (wrap n y)) =
  wrap n (f (wrap n (wrap n (f (wrap n z) (wrap n y)))) (wrap n x)).
Proof.
  intros N W C. rewrite !wrap_twice by exact N.
  rewrite (W z x), (W z y), (W (f z x) y), (W (f z y) x). now rewrite C.
Qed.

Lemma ends_fit n f x y : 1 <= n -> f = Z.min \/ f = Z.max ->
  wrap n (f (wrap n x) (wrap n y)) = f (wrap n x) (wrap n y).
Proof.
  intros N F. apply wrap_exact; [exact N|].
  pose proof (wrap_fits n x N). pose proof (wrap_fits n y N).
  unfold fits in *. destruct F as [-> | ->]; lia.
Qed.

Theorem combined_commutes m t x y z : combines t = true -> rounds t = false ->
  combined m t (combined m t z x) y = combined m t (combined m t z y) x.
Proof.
  unfold rounds, combines, combined.
  destruct (mode_ t) as [| | |f]; try discriminate.
  destruct (elements t) as [|n|];
    [destruct f; discriminate| |intros C R; congruence].
  intros C _. assert (N : 1 <= n) by (destruct f; lia || discriminate).
  destruct f; try discriminate; simpl.
  - apply (wrapped_commutes n Z.add); [exact N| |intros; lia].
    intros a b. rewrite wrap_add by exact N.
    rewrite (Z.add_comm a), wrap_add by exact N. f_equal. lia.
  - rewrite !(ends_fit n Z.min) by auto. lia.
  - rewrite !(ends_fit n Z.max) by auto. lia.
  - apply (wrapped_commutes n Z.land); [exact N| |].
    + intros. apply (wrap_bits n x0 y0 Z.land andb); auto using Z.land_spec.
    + intros a b c. rewrite <- !Z.land_assoc. f_equal. apply Z.land_comm.
  - apply (wrapped_commutes n Z.lor); [exact N| |].
    + intros. apply (wrap_bits n x0 y0 Z.lor orb); auto using Z.lor_spec.
    + intros a b c. rewrite <- !Z.lor_assoc. f_equal. apply Z.lor_comm.
  - apply (wrapped_commutes n Z.lxor); [exact N| |].
    + intros. apply (wrap_bits n x0 y0 Z.lxor xorb); auto using Z.lxor_spec.
    + intros a b c. rewrite !Z.lxor_assoc. f_equal. apply Z.lxor_comm.
Qed.
