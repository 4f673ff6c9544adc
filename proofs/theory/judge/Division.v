(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The four divisions of integers and what may be done with them. Which rule
   holds for which division, and for which signs, is where index arithmetic
   goes wrong; the list of facts is that of doc/math/integer-division.md of
   NVIDIA/Fuser, by its numbers, and where it errs a comment says so.

   Floor is `/` and `mod` of Coq, truncation `Z.quot` and `Z.rem`. Where
   dividend and divisor are not negative all agree but ceil. *)

From Coq Require Import ZArith Znumtheory Lia.
Open Scope Z_scope.

(* Euclid: the rest is never negative. *)
Definition ediv a b := Z.sgn b * (a / Z.abs b).
Definition emod a b := a mod Z.abs b.

(* Up, and what is then too much, as a rest. *)
Definition cdiv a b := - (- a / b).
Definition cmod a b := a - b * cdiv a b.

(* What the four divide into, without fractions: `q <= a / b < q + 1`, scaled by
   the square of b, and so on. *)
Definition isFloor a b q := q * (b * b) <= a * b < (q + 1) * (b * b).
Definition isCeil a b q := (q - 1) * (b * b) < a * b <= q * (b * b).
Definition isTrunc a b q := if 0 <=? a * b then isFloor a b q else isCeil a b q.

(* Cancels a factor that is not 0. *)
Lemma cancel b x y : b <> 0 -> b * x = b * y -> x = y.
Proof. intros B E. now apply Z.mul_cancel_l in E. Qed.

(* 1.1: quotient and rest exist. *)
Lemma euclid_exists a b : b <> 0 ->
  a = b * ediv a b + emod a b /\ 0 <= emod a b < Z.abs b.
Proof.
  intro B. unfold ediv, emod.
  pose proof (Z.div_mod a (Z.abs b)). pose proof (Z.mod_pos_bound a (Z.abs b)).
  destruct (Z.abs_spec b) as [[? E]|[? E]]; rewrite E in *;
    [rewrite Z.sgn_pos by lia|rewrite Z.sgn_neg by lia]; lia.
Qed.

(* 1.1: and are unique. *)
Lemma euclid_unique a b q r : 0 <= r < Z.abs b -> a = b * q + r ->
  q = ediv a b /\ r = emod a b.
Proof.
  intros R E. assert (B : b <> 0) by lia.
  destruct (euclid_exists a b B) as [E' R'].
  destruct (Z.div_mod_unique (Z.abs b) (Z.sgn b * q) (Z.sgn b * ediv a b)
              r (emod a b)); auto.
  - destruct (Z.abs_spec b) as [[? A]|[? A]]; rewrite A;
      [rewrite Z.sgn_pos by lia|rewrite Z.sgn_neg by lia]; lia.
  - split; [|assumption]. apply (cancel (Z.sgn b)); [|assumption].
    destruct b; simpl; lia.
Qed.

(* Names quotient and rest of Euclid's division, with their facts. *)
Ltac euclid a b q r :=
  let E := fresh "E" in let R := fresh "R" in
  destruct (euclid_exists a b) as [E R]; [try lia|];
  set (q := ediv a b) in *; set (r := emod a b) in *.

(* Congruence. *)
Definition congruent c a b := (c | a - b).

(* 1.2: an equivalence. *)
Lemma congruent_refl c a : congruent c a a.
Proof. exists 0. lia. Qed.
Lemma congruent_sym c a b : congruent c a b -> congruent c b a.
Proof. intros [k K]. exists (- k). lia. Qed.
Lemma congruent_trans c a b d :
  congruent c a b -> congruent c b d -> congruent c a d.
Proof. intros [k K] [l L]. exists (k + l). lia. Qed.

(* 1.3: the sign of the modulus does not matter. *)
Lemma congruent_opp c a b : congruent c a b <-> congruent (- c) a b.
Proof. split; intros [k K]; exists (- k); lia. Qed.

(* 1.3: sums, products. *)
Lemma congruent_add c a a' b b' :
  congruent c a a' -> congruent c b b' -> congruent c (a + b) (a' + b').
Proof. intros [k K] [l L]. exists (k + l). lia. Qed.
Lemma congruent_mul c a a' b b' :
  congruent c a a' -> congruent c b b' -> congruent c (a * b) (a' * b').
Proof. intros [k K] [l L]. exists (k * b + a' * l). nia. Qed.

(* 1.3: a factor prime to the modulus cancels. *)
Lemma congruent_cancel c b d d' :
  Z.gcd b c = 1 -> congruent c (b * d) (b * d') -> congruent c d d'.
Proof.
  intros G D. apply (Gauss c b).
  - unfold congruent in D. now rewrite <- Z.mul_sub_distr_l in D.
  - apply Zgcd_1_rel_prime. now rewrite Z.gcd_comm.
Qed.

(* Euclid's division. *)

(* 2.1: neither products nor quotients associate with it. *)
Lemma ediv_mul_not_assoc : 2 * ediv 3 2 <> ediv (2 * 3) 2.
Proof. discriminate. Qed.
Lemma ediv_ediv_not_assoc : ediv 4 (-1 * 5) <> ediv (ediv 4 (-1)) 5.
Proof. discriminate. Qed.
Lemma ediv_by_ediv_not_assoc :
  ediv 5 (ediv 3 2) <> ediv 5 3 * 2 /\ ediv 5 3 * 2 <> ediv (5 * 2) 3 /\
  ediv 5 (ediv 3 2) <> ediv (5 * 2) 3.
Proof. repeat split; discriminate. Qed.

(* 2.2: nor does it distribute over sums. *)
Lemma ediv_add_not_distr : ediv (1 + 1) 2 <> ediv 1 2 + ediv 1 2.
Proof. discriminate. Qed.

(* 2.3: equal rests are congruence. *)
Lemma emod_congruent a a' b : b <> 0 ->
  emod a b = emod a' b <-> congruent b a a'.
Proof.
  intro B. split.
  - intro E. exists (ediv a b - ediv a' b).
    pose proof (euclid_exists a b B). pose proof (euclid_exists a' b B). lia.
  - intros [k K]. pose proof (euclid_exists a' b B).
    symmetry. apply (euclid_unique a b (ediv a' b + k)); lia.
Qed.

(* 2.4: the rest is congruent to the dividend. *)
Lemma congruent_emod a b : b <> 0 -> congruent b a (emod a b).
Proof. intro B. exists (ediv a b). pose proof (euclid_exists a b B). lia. Qed.

(* 2.5: a dividend below the divisor is the rest. *)
Lemma ediv_small r a : 0 <= r < Z.abs a -> emod r a = r /\ ediv r a = 0.
Proof. intro R. destruct (euclid_unique r a 0 r); lia. Qed.

(* 2.6: the sign of the divisor goes to the quotient. *)
Lemma ediv_opp a b : b <> 0 ->
  ediv a (- b) = - ediv a b /\ emod a (- b) = emod a b.
Proof.
  intro B. pose proof (euclid_exists a b B).
  destruct (euclid_unique a (- b) (- ediv a b) (emod a b)); lia.
Qed.

(* 2.7: the rest of a sum. *)
Lemma emod_add a b c : c <> 0 ->
  emod (a + b) c = emod (emod a c + emod b c) c.
Proof.
  intro C. apply emod_congruent, congruent_add; auto using congruent_emod.
Qed.

(* 2.7.1: a summand without rest. *)
Lemma emod_add_multiple a b c : c <> 0 -> emod a c = 0 ->
  emod (a + b) c = emod b c.
Proof.
  intros C A. apply emod_congruent; [exact C|]. exists (ediv a c).
  pose proof (euclid_exists a c C). lia.
Qed.

(* The rest leaves room for what is below the greatest common divisor. *)
Lemma emod_gcd_room a b c : c <> 0 -> 0 <= b < Z.gcd a c ->
  emod a c + b < Z.abs c.
Proof.
  intros C B. pose proof (euclid_exists a c C) as [E R].
  destruct (Z.gcd_divide_l a c) as [k K].
  destruct (Z.gcd_divide_r a c) as [l L].
  set (g := Z.gcd a c) in *.
  assert (Z.abs c = Z.abs l * g) by (rewrite L at 1; rewrite Z.abs_mul; lia).
  assert (M : emod a c = (k - l * ediv a c) * g) by nia.
  set (m := k - l * ediv a c) in *. assert (m < Z.abs l) by nia. nia.
Qed.

(* 2.7.2: a summand below the greatest common divisor stays as it is. *)
Lemma emod_add_gcd a b c : c <> 0 -> 0 <= b < Z.gcd a c ->
  emod (a + b) c = emod a c + b.
Proof.
  intros C B. pose proof (emod_gcd_room a b c C B).
  pose proof (euclid_exists a c C).
  symmetry. apply (euclid_unique (a + b) c (ediv a c)); lia.
Qed.

(* 2.8: the rest of a product. *)
Lemma emod_mul a b c : c <> 0 ->
  emod (a * b) c = emod (emod a c * emod b c) c.
Proof.
  intro C. apply emod_congruent, congruent_mul; auto using congruent_emod.
Qed.

(* 2.9: multiples have no rest. *)
Lemma emod_multiple a b : b <> 0 -> (b | a) -> emod a b = 0.
Proof.
  intros B [k K]. symmetry. apply (euclid_unique a b k); lia.
Qed.

(* 2.10: a multiple may be divided before it is multiplied. *)
Lemma ediv_mul_multiple a b c : c <> 0 -> (c | b) ->
  a * ediv b c = ediv (a * b) c.
Proof.
  intros C D. pose proof (euclid_exists b c C).
  pose proof (emod_multiple b c C D).
  apply (euclid_unique (a * b) c (a * ediv b c) 0); nia.
Qed.

(* 2.11 and 2.12: by a product, one factor after the other. *)
Lemma euclid_product a b c : 0 < b -> c <> 0 ->
  ediv (ediv a b) c = ediv a (b * c) /\
  emod a b + emod (ediv a b) c * b = emod a (b * c).
Proof.
  intros B C. euclid a b q r. euclid q c q' r'.
  apply euclid_unique; [|nia]. rewrite Z.abs_mul. nia.
Qed.
Lemma ediv_ediv a b c : 0 < b -> c <> 0 ->
  ediv a (b * c) = ediv (ediv a b) c.
Proof. intros B C. now destruct (euclid_product a b c B C). Qed.
Lemma emod_product a b c : 0 < b -> c <> 0 ->
  emod a (b * c) = emod a b + emod (ediv a b) c * b.
Proof. intros B C. now destruct (euclid_product a b c B C). Qed.

(* 2.13: a common divisor goes outside of the rest. *)
Lemma emod_common a b d : 0 < d -> b <> 0 -> (d | a) -> (d | b) ->
  emod a b = emod (ediv a d) (ediv b d) * d.
Proof.
  intros D B Da Db.
  assert (Eb : b = d * ediv b d).
  { pose proof (emod_multiple b d ltac:(lia) Db).
    pose proof (euclid_exists b d). lia. }
  rewrite Eb at 1.
  rewrite emod_product by (try nia; intro Z; rewrite Z in Eb; lia).
  rewrite (emod_multiple a d) by (auto; lia). lia.
Qed.

(* 2.14: by a quotient without rest. *)
Lemma ediv_by_ediv a b c : b <> 0 -> 0 < c -> (c | b) ->
  ediv a (ediv b c) = ediv (a * c) b.
Proof.
  intros B C D. pose proof (emod_multiple b c ltac:(lia) D).
  euclid b c n m. assert (N : n <> 0) by (intro; subst n; nia).
  euclid a n q r. apply (euclid_unique (a * c) b q (r * c)); [|nia].
  replace b with (n * c) by lia. rewrite Z.abs_mul. nia.
Qed.

(* 2.15: quotients of summands add when their rests do not carry. *)
Lemma ediv_add a b c : emod a c + emod b c < Z.abs c ->
  c <> 0 -> ediv (a + b) c = ediv a c + ediv b c.
Proof.
  intros S C. pose proof (euclid_exists a c C).
  pose proof (euclid_exists b c C).
  symmetry. apply (euclid_unique _ _ _ (emod a c + emod b c)); lia.
Qed.

(* 2.15.1: so when one has no rest. *)
Lemma ediv_add_multiple a b c : c <> 0 -> emod a c = 0 ->
  ediv (a + b) c = ediv a c + ediv b c.
Proof.
  intros C A. apply ediv_add; [|exact C]. pose proof (euclid_exists b c C). lia.
Qed.

(* 2.15.2: or when one is below the greatest common divisor. *)
Lemma ediv_add_gcd a b c : c <> 0 -> 0 <= b < Z.gcd a c ->
  ediv (a + b) c = ediv a c.
Proof.
  intros C B. pose proof (emod_gcd_room a b c C B).
  pose proof (euclid_exists a c C).
  symmetry. apply (euclid_unique _ _ _ (emod a c + b)); lia.
Qed.

(* 2.16: a bound on the quotient is one on the dividend. *)
Lemma ediv_lt i d n : 0 < d -> (ediv i d < n <-> i < n * d).
Proof. intro D. euclid i d q r. nia. Qed.

(* What the divisions have to do with each other. *)

(* All but ceil agree where nothing is negative. *)
Lemma floor_euclid a b : 0 < b -> a / b = ediv a b /\ a mod b = emod a b.
Proof.
  intro B. unfold ediv, emod.
  rewrite Z.sgn_pos, Z.abs_eq, Z.mul_1_l by lia. auto.
Qed.
Lemma floor_trunc a b : 0 <= a -> 0 < b ->
  a / b = Z.quot a b /\ a mod b = Z.rem a b.
Proof.
  intros A B. rewrite Z.quot_div_nonneg, Z.rem_mod_nonneg by lia. auto.
Qed.

(* Every rest is smaller than the divisor. *)
Lemma rests_small a b : b <> 0 ->
  Z.abs (emod a b) < Z.abs b /\ Z.abs (a mod b) < Z.abs b /\
  Z.abs (Z.rem a b) < Z.abs b /\ Z.abs (cmod a b) < Z.abs b.
Proof.
  intro B. pose proof (euclid_exists a b B). unfold cmod, cdiv.
  pose proof (Z.div_mod (- a) b B). pose proof (Z.rem_bound_abs a b B).
  assert (forall x, Z.abs (x mod b) < Z.abs b).
  { intro x. destruct (Z.lt_trichotomy b 0) as [L|[Z|L]]; [|lia|].
    - pose proof (Z.mod_neg_bound x b L). lia.
    - pose proof (Z.mod_pos_bound x b L). lia. }
  repeat split; auto; [lia|].
  replace (a - b * - (- a / b)) with (- (- a mod b)) by lia.
  rewrite Z.abs_opp. auto.
Qed.

(* Floor is floor. *)
Lemma div_isFloor a b q : b <> 0 -> isFloor a b q <-> q = a / b.
Proof.
  intro B. unfold isFloor. pose proof (Z.div_mod a b B).
  destruct (Z.lt_trichotomy b 0) as [L|[?|L]]; [|lia|].
  - pose proof (Z.mod_neg_bound a b L). split; [intro|intros ->]; nia.
  - pose proof (Z.mod_pos_bound a b L). split; [intro|intros ->]; nia.
Qed.

(* All grow with the dividend when the divisor is positive. *)
Lemma divisions_monotone a a' d : 0 < d -> a <= a' ->
  ediv a d <= ediv a' d /\ a / d <= a' / d /\ Z.quot a d <= Z.quot a' d /\
  cdiv a d <= cdiv a' d.
Proof.
  intros D A. destruct (floor_euclid a d D) as [<- _].
  destruct (floor_euclid a' d D) as [<- _]. unfold cdiv.
  pose proof (Z.div_le_mono a a' d D A).
  pose proof (Z.div_le_mono (- a') (- a) d D).
  pose proof (Z.quot_le_mono a a' d D A). lia.
Qed.

Lemma div_opp_r a d : d <> 0 -> a / - d = - a / d.
Proof. intro D. rewrite <- (Z.div_opp_opp a (- d)) by lia. f_equal. lia. Qed.

(* And shrink when it is negative. *)
Lemma divisions_antitone a a' d : d < 0 -> a <= a' ->
  ediv a' d <= ediv a d /\ a' / d <= a / d /\ Z.quot a' d <= Z.quot a d /\
  cdiv a' d <= cdiv a d.
Proof.
  intros D A. set (p := - d). replace d with (- p) by lia.
  assert (P : 0 < p) by lia. assert (P0 : p <> 0) by lia.
  destruct (ediv_opp a p P0) as [-> _]. destruct (ediv_opp a' p P0) as [-> _].
  unfold cdiv. rewrite !Z.quot_opp_r, !div_opp_r, !Z.opp_involutive by exact P0.
  pose proof (divisions_monotone a a' p P A).
  pose proof (Z.div_le_mono a a' p P A).
  pose proof (Z.div_le_mono (- a') (- a) p P). lia.
Qed.
