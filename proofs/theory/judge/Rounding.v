(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Division.v, continued: division that rounds towards zero, as machines do it,
   and upwards, as grids are counted. *)

From Coq Require Import ZArith Znumtheory Lia.
From Girih Require Export Division.
Open Scope Z_scope.

(* Truncation. *)

(* 4.0: quotient and rest exist; the rest has the sign of the dividend. *)
Lemma trunc_exists a b : b <> 0 ->
  a = b * Z.quot a b + Z.rem a b /\
  (0 <= a -> 0 <= Z.rem a b < Z.abs b) /\
  (a <= 0 -> - Z.abs b < Z.rem a b <= 0).
Proof.
  intro B. pose proof (Z.quot_rem' a b). pose proof (Z.rem_bound_abs a b B).
  split; [assumption|]. split; intro A.
  - pose proof (Z.rem_nonneg a b B A). lia.
  - pose proof (Z.rem_nonpos a b B A). lia.
Qed.

(* 4.0: and are unique. *)
Lemma trunc_unique a b q r :
  (0 <= a /\ 0 <= r < Z.abs b \/ a <= 0 /\ - Z.abs b < r <= 0) ->
  a = b * q + r -> q = Z.quot a b /\ r = Z.rem a b.
Proof.
  intros R E. assert (B : b <> 0) by lia.
  pose proof (trunc_exists a b B) as [E' R'].
  assert (Q : q = Z.quot a b)
    by (destruct (Z.abs_spec b) as [[? A]|[? A]]; nia).
  split; [exact Q|]. subst q. lia.
Qed.

(* 4.0: it drops the fraction. *)
Lemma quot_isTrunc a b q : b <> 0 -> isTrunc a b q <-> q = Z.quot a b.
Proof.
  intro B. unfold isTrunc, isFloor, isCeil. pose proof (trunc_exists a b B).
  destruct (Z.leb_spec 0 (a * b)); destruct (Z.abs_spec b) as [[? A]|[? A]];
    split; (intro || intros ->); nia.
Qed.

(* Signs go outside: of the quotient both, of the rest that of the dividend. *)
Lemma quot_opp a b : b <> 0 ->
  Z.quot (- a) b = - Z.quot a b /\ Z.quot a (- b) = - Z.quot a b /\
  Z.rem (- a) b = - Z.rem a b.
Proof.
  intro B. rewrite Z.quot_opp_l, Z.quot_opp_r, Z.rem_opp_l by exact B. auto.
Qed.

(* 4.1, 4.2: what does not hold for Euclid does not here either, ... *)
Lemma quot_mul_not_assoc : 2 * Z.quot 3 2 <> Z.quot (2 * 3) 2.
Proof. discriminate. Qed.
Lemma quot_by_quot_not_assoc :
  Z.quot 5 (Z.quot 3 2) <> Z.quot 5 3 * 2 /\
  Z.quot 5 3 * 2 <> Z.quot (5 * 2) 3 /\
  Z.quot 5 (Z.quot 3 2) <> Z.quot (5 * 2) 3.
Proof. repeat split; discriminate. Qed.
Lemma quot_add_not_distr : Z.quot (1 + 1) 2 <> Z.quot 1 2 + Z.quot 1 2.
Proof. discriminate. Qed.

(* ... and congruent numbers may have different rests. *)
Lemma rem_not_congruent : congruent 5 (-3) 2 /\ Z.rem (-3) 5 <> Z.rem 2 5.
Proof. split; [now exists (-1)|discriminate]. Qed.

(* 4.4: the rest is congruent to the dividend. *)
Lemma congruent_rem a b : congruent b a (Z.rem a b).
Proof. exists (Z.quot a b). pose proof (Z.quot_rem' a b). lia. Qed.

(* 4.9: multiples have no rest. *)
Lemma rem_multiple a b : b <> 0 -> Z.rem a b = 0 <-> (b | a).
Proof. apply Z.rem_divide. Qed.

Lemma congruent_zero b a : b <> 0 -> congruent b a 0 <-> Z.rem a b = 0.
Proof.
  intro B. rewrite rem_multiple by exact B. unfold congruent.
  now rewrite Z.sub_0_r.
Qed.

(* 4.3, first: no rests. *)
Lemma rem_zero a a' b : b <> 0 ->
  Z.rem a b = 0 /\ Z.rem a' b = 0 <-> congruent b a a' /\ congruent b a' 0.
Proof.
  intro B. rewrite <- !congruent_zero by exact B. split; intros [H H'].
  - split; [|exact H']. eapply congruent_trans; [exact H|].
    now apply congruent_sym.
  - split; [|exact H']. eapply congruent_trans; eauto.
Qed.

(* 4.3, second: equal rests are congruence at equal signs. *)
Lemma rem_equal a a' b : b <> 0 ->
  Z.rem a b = Z.rem a' b /\ Z.rem a b <> 0 <->
  congruent b a a' /\ ~ congruent b a 0 /\ Z.sgn a = Z.sgn a'.
Proof.
  intro B. rewrite congruent_zero by exact B.
  destruct (trunc_exists a b B) as [E [P N]].
  destruct (trunc_exists a' b B) as [E' [P' N']]. split.
  - intros [R Z]. split; [|split; [exact Z|]].
    + exists (Z.quot a b - Z.quot a' b). lia.
    + destruct (Z.sgn_spec a) as [[? ->]|[[? ->]|[? ->]]];
        destruct (Z.sgn_spec a') as [[? ->]|[[? ->]|[? ->]]]; lia.
  - intros [[k K] [Z S]]. split; [|exact Z].
    symmetry. apply (trunc_unique a b (Z.quot a' b + k)); [|lia].
    destruct (Z.sgn_spec a) as [[? Sa]|[[? Sa]|[? Sa]]];
      destruct (Z.sgn_spec a') as [[? Sa']|[[? Sa']|[? Sa']]]; lia.
Qed.

(* 4.3, third: at different signs the rests differ by the divisor. *)
Lemma rem_apart a a' b : b <> 0 ->
  Z.rem a b = Z.rem a' b + Z.abs b <->
  congruent b a a' /\ ~ congruent b a 0 /\ 0 < a /\ a' < 0.
Proof.
  intro B. rewrite congruent_zero by exact B.
  destruct (trunc_exists a b B) as [E [P N]].
  destruct (trunc_exists a' b B) as [E' [P' N']].
  assert (S : Z.abs b = b * Z.sgn b) by (symmetry; apply Z.abs_sgn || lia).
  split.
  - intro R. split; [|lia].
    exists (Z.quot a b - Z.quot a' b + Z.sgn b). lia.
  - intros [[k K] [Z [A A']]].
    assert (Z' : Z.rem a' b <> 0).
    { intro Z'. apply Z. apply congruent_zero; [exact B|].
      exists (k + Z.quot a' b). lia. }
    symmetry.
    apply (trunc_unique a b (Z.quot a' b + k - Z.sgn b)); lia.
Qed.

(* 4.5: a dividend below the divisor is the rest. *)
Lemma quot_small r a : - Z.abs a < r < Z.abs a ->
  Z.rem r a = r /\ Z.quot r a = 0.
Proof. intro R. destruct (trunc_unique r a 0 r); lia. Qed.

(* 4.6: the sign of the divisor goes to the quotient; the rest keeps its own.
   (The list has `- rem a b` for the rest, which is wrong.) *)
Lemma rem_opp a b : b <> 0 ->
  Z.quot a (- b) = - Z.quot a b /\ Z.rem a (- b) = Z.rem a b.
Proof. intro B. rewrite Z.quot_opp_r, Z.rem_opp_r by exact B. auto. Qed.
Lemma rem_opp_keeps_sign : Z.rem 5 (-3) <> - Z.rem 5 3.
Proof. discriminate. Qed.

(* 4.7: the rest of a sum of numbers of one sign. *)
Lemma rem_add a b c : c <> 0 -> 0 <= a * b ->
  Z.rem (a + b) c = Z.rem (Z.rem a c + Z.rem b c) c.
Proof. apply Z.add_rem. Qed.

(* 4.7.1: a summand without rest. *)
Lemma rem_add_multiple a b c : c <> 0 -> 0 <= a * b -> Z.rem a c = 0 ->
  Z.rem (a + b) c = Z.rem b c.
Proof.
  intros C S A. rewrite rem_add, A, Z.add_0_l by assumption.
  now apply Z.rem_rem.
Qed.

(* The rest leaves room for what is below the greatest common divisor. *)
Lemma rem_gcd_room a b c : c <> 0 -> Z.abs b < Z.gcd a c ->
  Z.abs (Z.rem a c) + Z.abs b < Z.abs c.
Proof.
  intros C B. pose proof (Z.rem_bound_abs a c C).
  pose proof (Z.quot_rem' a c) as E.
  destruct (Z.gcd_divide_l a c) as [k K].
  destruct (Z.gcd_divide_r a c) as [l L].
  set (g := Z.gcd a c) in *. assert (G : 0 < g) by lia.
  assert (Z.abs c = Z.abs l * g) by (rewrite L at 1; rewrite Z.abs_mul; lia).
  assert (M : Z.rem a c = (k - l * Z.quot a c) * g) by nia.
  assert (Z.abs (Z.rem a c) = Z.abs (k - l * Z.quot a c) * g)
    by (rewrite M, Z.abs_mul; lia).
  set (m := Z.abs (k - l * Z.quot a c)) in *.
  assert (m < Z.abs l) by nia. nia.
Qed.

(* 4.7.2 and 4.15.2: a summand below the greatest common divisor stays in the
   rest and out of the quotient. *)
Lemma trunc_add_gcd a b c : c <> 0 -> 0 <= a * b -> Z.abs b < Z.gcd a c ->
  Z.quot a c = Z.quot (a + b) c /\ Z.rem a c + b = Z.rem (a + b) c.
Proof.
  intros C S B. pose proof (rem_gcd_room a b c C B).
  destruct (trunc_exists a c C) as [E [P N]].
  apply trunc_unique; [|lia].
  destruct (Z.eq_dec a 0) as [->|A].
  - rewrite Z.rem_0_l in * by exact C. lia.
  - nia.
Qed.
Lemma rem_add_gcd a b c : c <> 0 -> 0 <= a * b -> Z.abs b < Z.gcd a c ->
  Z.rem (a + b) c = Z.rem a c + b.
Proof. intros C S B. now destruct (trunc_add_gcd a b c C S B). Qed.
Lemma quot_add_gcd a b c : c <> 0 -> 0 <= a * b -> Z.abs b < Z.gcd a c ->
  Z.quot (a + b) c = Z.quot a c.
Proof. intros C S B. now destruct (trunc_add_gcd a b c C S B). Qed.

(* 4.8: the rest of a product, whatever the signs. *)
Lemma rem_mul a b c : c <> 0 ->
  Z.rem (a * b) c = Z.rem (Z.rem a c * Z.rem b c) c.
Proof. apply Z.mul_rem. Qed.

(* 4.10: a multiple may be divided before it is multiplied. *)
Lemma quot_mul_multiple a b c : c <> 0 -> (c | b) ->
  a * Z.quot b c = Z.quot (a * b) c.
Proof.
  intros C [k ->]. rewrite Z.mul_assoc, !Z.quot_mul by exact C. reflexivity.
Qed.

(* 4.1 and 4.11: by a product, one factor after the other, at any sign. *)
Lemma quot_quot a b c : b <> 0 -> c <> 0 ->
  Z.quot a (b * c) = Z.quot (Z.quot a b) c.
Proof. intros B C. symmetry. now apply Z.quot_quot. Qed.

(* 4.12: and its rest. *)
Lemma rem_product a b c : b <> 0 -> c <> 0 ->
  Z.rem a (b * c) = Z.rem a b + Z.rem (Z.quot a b) c * b.
Proof.
  intros B C. pose proof (Z.quot_rem' a (b * c)) as E.
  rewrite quot_quot in E by assumption. pose proof (Z.quot_rem' a b).
  pose proof (Z.quot_rem' (Z.quot a b) c). nia.
Qed.

(* 4.13: a common divisor goes outside of the rest. *)
Lemma rem_common a b d : d <> 0 -> b <> 0 -> (d | a) -> (d | b) ->
  Z.rem a b = Z.rem (Z.quot a d) (Z.quot b d) * d.
Proof.
  intros D B [k ->] [l ->]. rewrite !Z.quot_mul by exact D.
  rewrite Z.mul_rem_distr_r; [reflexivity| |exact D]. lia.
Qed.

(* 4.14: by a quotient without rest. *)
Lemma quot_by_quot a b c : b <> 0 -> c <> 0 -> (c | b) ->
  Z.quot a (Z.quot b c) = Z.quot (a * c) b.
Proof.
  intros B C [k ->]. rewrite Z.quot_mul, Z.quot_mul_cancel_r by lia.
  reflexivity.
Qed.

(* 4.15: quotients of summands of one sign add when their rests do not carry. *)
Lemma quot_add a b c : c <> 0 -> 0 <= a * b ->
  - Z.abs c < Z.rem a c + Z.rem b c < Z.abs c ->
  Z.quot (a + b) c = Z.quot a c + Z.quot b c.
Proof.
  intros C S R. destruct (trunc_exists a c C) as [E [P N]].
  destruct (trunc_exists b c C) as [E' [P' N']].
  symmetry. apply (trunc_unique _ _ _ (Z.rem a c + Z.rem b c)); [|lia].
  assert (0 <= a /\ 0 <= b \/ a <= 0 /\ b <= 0) by nia. lia.
Qed.

(* 4.15.1: so when one has no rest. *)
Lemma quot_add_multiple a b c : c <> 0 -> 0 <= a * b -> Z.rem a c = 0 ->
  Z.quot (a + b) c = Z.quot a c + Z.quot b c.
Proof.
  intros C S A. apply quot_add; auto. rewrite A.
  pose proof (Z.rem_bound_abs b c C). lia.
Qed.

(* 4.16: a bound on the quotient is one on the dividend. *)
Lemma quot_lt i d n : 0 <= i -> 0 < d -> (Z.quot i d < n <-> i < n * d).
Proof. intros I D. destruct (trunc_exists i d ltac:(lia)). nia. Qed.

(* Up. *)

(* 5.0: quotient and rest exist; the rest has the other sign of the divisor. *)
Lemma ceil_exists a b : b <> 0 ->
  a = b * cdiv a b + cmod a b /\
  (0 < b -> - b < cmod a b <= 0) /\ (b < 0 -> 0 <= cmod a b < - b).
Proof.
  intro B. unfold cmod. split; [lia|]. unfold cdiv.
  pose proof (Z.div_mod (- a) b B). split; intro L.
  - pose proof (Z.mod_pos_bound (- a) b L). lia.
  - pose proof (Z.mod_neg_bound (- a) b L). lia.
Qed.

(* 5.0: and are unique. *)
Lemma ceil_unique a b q r :
  (0 < b /\ - b < r <= 0 \/ b < 0 /\ 0 <= r < - b) -> a = b * q + r ->
  q = cdiv a b /\ r = cmod a b.
Proof.
  intros R E. pose proof (ceil_exists a b ltac:(lia)).
  assert (q = cdiv a b) by nia. subst q. lia.
Qed.

(* 5.0: it rounds up. *)
Lemma cdiv_isCeil a b q : b <> 0 -> isCeil a b q <-> q = cdiv a b.
Proof.
  intro B. unfold isCeil. pose proof (ceil_exists a b B).
  assert (b < 0 \/ 0 < b) by lia. split; (intro || intros ->); nia.
Qed.

(* 5.11 and 5.12: by a product, one factor after the other. *)
Lemma ceil_product a b c : b <> 0 -> 0 < c ->
  cdiv (cdiv a b) c = cdiv a (b * c) /\
  cmod a b + cmod (cdiv a b) c * b = cmod a (b * c).
Proof.
  intros B C. pose proof (ceil_exists a b B).
  pose proof (ceil_exists (cdiv a b) c ltac:(lia)).
  set (q := cdiv a b) in *. set (r := cmod a b) in *.
  set (q' := cdiv q c) in *. set (r' := cmod q c) in *.
  apply ceil_unique; [|nia]. assert (b < 0 \/ 0 < b) by lia. nia.
Qed.
Lemma cdiv_cdiv a b c : b <> 0 -> 0 < c ->
  cdiv a (b * c) = cdiv (cdiv a b) c.
Proof. intros B C. now destruct (ceil_product a b c B C). Qed.
Lemma cmod_product a b c : b <> 0 -> 0 < c ->
  cmod a (b * c) = cmod a b + cmod (cdiv a b) c * b.
Proof. intros B C. now destruct (ceil_product a b c B C). Qed.
