(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Bits as arithmetic mean what `and`, `or` and `xor` of numbers are. *)

From Coq Require Import ZArith List Bool Lia.
From Girih Require Export Ops.
Import ListNotations.
Open Scope Z_scope.

Definition isLogic (f : binary) : bool :=
  match f with And | Or | Xor => true | _ => false end.

(* Numbers. *)

Definition ofBits (f : binary) (a b : Z) : Z :=
  match f with And => a * b | Or => a + b - a * b | _ => a + b - 2 * (a * b)
  end.

Lemma exact_halves f x y : isLogic f = true ->
  exact f x y = ofBits f (x mod 2) (y mod 2) + 2 * exact f (x / 2) (y / 2).
Proof.
  intro L.
  assert (Half : exact f x y / 2 = exact f (x / 2) (y / 2)).
  { rewrite <- !Z.div2_div, !Z.div2_spec.
    destruct f; try discriminate; cbn [exact];
      now rewrite ?Z.shiftr_land, ?Z.shiftr_lor, ?Z.shiftr_lxor. }
  assert (Bit : exact f x y mod 2 = ofBits f (x mod 2) (y mod 2)).
  { rewrite <- !Z.bit0_mod.
    destruct f; try discriminate; cbn [exact ofBits];
      rewrite ?Z.land_spec, ?Z.lor_spec, ?Z.lxor_spec;
      destruct (Z.testbit x 0), (Z.testbit y 0); reflexivity. }
  pose proof (Z.div_mod (exact f x y) 2). lia.
Qed.

(* k bits of a number, and bits put together. *)
Fixpoint digitsOf (k : nat) (x : Z) : list Z :=
  match k with O => [] | S k' => x mod 2 :: digitsOf k' (x / 2) end.
Fixpoint joinBits (f : binary) (xs ys : list Z) (above : Z) : Z :=
  match xs, ys with
  | x :: xs', y :: ys' => ofBits f x y + 2 * joinBits f xs' ys' above
  | _, _ => above
  end.

Lemma half_of k x : x / 2 / 2 ^ Z.of_nat k = x / 2 ^ Z.of_nat (S k).
Proof.
  rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia.
  rewrite Z.div_div; [reflexivity|lia|]. apply Z.pow_pos_nonneg; lia.
Qed.

Lemma joinBits_exact f k : isLogic f = true -> forall x y,
  joinBits f (digitsOf k x) (digitsOf k y)
    (exact f (x / 2 ^ Z.of_nat k) (y / 2 ^ Z.of_nat k)) = exact f x y.
Proof.
  intro L. induction k as [|k IH]; intros x y.
  - cbn [digitsOf joinBits]. now rewrite !Z.div_1_r.
  - cbn [digitsOf joinBits]. rewrite <- !half_of, IH. symmetry.
    now apply exact_halves.
Qed.

Lemma digits_bits k : forall x, Forall (fun b => b = 0 \/ b = 1) (digitsOf k x).
Proof.
  induction k; intro x; cbn [digitsOf]; constructor; auto.
  pose proof (Z.mod_pos_bound x 2). lia.
Qed.
Lemma digits_length k : forall x, length (digitsOf k x) = k.
Proof. induction k; intro x; cbn [digitsOf length]; auto. Qed.

(* What facts say. *)

Lemma stated_holds e f q : stated f = Some q -> holds e (claims f) ->
  0 <= eval e q.
Proof.
  unfold stated. destruct (claims f) as [|[|[[] r] [|]] [|]]; try discriminate.
  intros [= ->] H. now apply holds_ge in H.
Qed.

Lemma isNatural_true s e p : true_ s e -> isNatural (facts s) p = true ->
  0 <= eval e p.
Proof.
  intros [F _]. unfold isNatural. destruct (constantOf p) as [c|] eqn:C.
  - apply (constantOf_eval e) in C. lia.
  - intro X. apply existsb_exists in X as [f [I X]].
    destruct (stated f) as [q|] eqn:S; [|discriminate].
    apply eqPoly_sound in X. subst q. rewrite Forall_forall in F.
    eapply stated_holds; eauto.
Qed.

Lemma roofOf_true s e p u : true_ s e -> roofOf (facts s) p = Some u ->
  eval e p <= u.
Proof.
  intros [F _]. unfold roofOf. destruct (constantOf p) as [c|] eqn:C.
  - apply (constantOf_eval e) in C. intros [= <-]. lia.
  - revert u. induction F as [|f fs Ff F IH]; intro u; cbn [fold_right];
      [discriminate|].
    assert (R : forall v, roofBy p f = Some v -> eval e p <= v).
    { intros v Rv. unfold roofBy in Rv.
      destruct (stated f) as [q|] eqn:S; [|discriminate].
      apply (constantOf_eval e) in Rv. rewrite add_eval in Rv.
      pose proof (stated_holds e f q S Ff). lia. }
    unfold lowerOf. destruct (roofBy p f) as [v|].
    + specialize (R v eq_refl).
      destruct (fold_right _ _ _) as [w|]; intros [= <-]; [|exact R].
      specialize (IH w eq_refl). lia.
    + intro E. now apply IH.
Qed.

Lemma bitsOf_true s e p k : true_ s e -> bitsOf (facts s) p = Some k ->
  eval e p < 2 ^ Z.of_nat k.
Proof.
  intros T. unfold bitsOf. destruct (roofOf (facts s) p) as [u|] eqn:R;
    [|discriminate].
  intro Fd. apply find_some in Fd as [_ L].
  pose proof (roofOf_true s e p u T R). lia.
Qed.

(* Steps of the generator. *)

Lemma halve_tame k : forall p, tame (halve k p).
Proof.
  induction k; intro p; cbn [halve]; auto with tame.
  apply tame_then; auto with tame. intros [q r].
  apply tame_then; auto with tame. intros [bs rest]. auto with tame.
Qed.
Lemma halve_scopes k : forall p, scopes (halve k p).
Proof.
  induction k; intro p; cbn [halve]; auto with scopes.
  apply scopes_then; auto with scopes. intros [q r].
  apply scopes_then; auto with scopes. intros [bs rest]. auto with scopes.
Qed.
Lemma bitBy_tame f a b : tame (bitBy f a b).
Proof.
  unfold bitBy. apply tame_then.
  - destruct (constantOf a), (constantOf b); auto 12 with tame.
  - intros [x y]. auto with tame.
Qed.
Lemma bitBy_scopes f a b : scopes (bitBy f a b).
Proof.
  unfold bitBy. apply scopes_then.
  - destruct (constantOf a), (constantOf b); auto 12 with scopes.
  - intros [x y]. auto with scopes.
Qed.
Lemma bitsBy_tame f above : forall xs ys, tame (bitsBy f xs ys above).
Proof.
  induction xs as [|x xs IH]; intros [|y ys]; cbn [bitsBy]; auto with tame.
  apply tame_then; [apply bitBy_tame|]. intro p.
  apply tame_then; auto with tame.
Qed.
Lemma bitsBy_scopes f above : forall xs ys, scopes (bitsBy f xs ys above).
Proof.
  induction xs as [|x xs IH]; intros [|y ys]; cbn [bitsBy]; auto with scopes.
  apply scopes_then; [apply bitBy_scopes|]. intro p.
  apply scopes_then; auto with scopes.
Qed.
Lemma tame_visible : tame visible.
Proof. intros s fs s' H O. injection H as _ <-. auto using grows_refl. Qed.
Lemma scopes_visible : scopes visible.
Proof. intros s fs s' H. injection H as _ <-. now exists []. Qed.
Lemma bitwise_tame f x y : tame (bitwise f x y).
Proof.
  unfold bitwise. apply tame_then; [apply tame_visible|]. intro fs.
  destruct (fewest _ _) as [k|]; auto with tame.
  destruct (_ && _); auto with tame.
  apply tame_then; [apply halve_tame|]. intros [xs x'].
  apply tame_then; [apply halve_tame|]. intros [ys y'].
  apply tame_then; [apply bitsBy_tame|]. intro p. auto with tame.
Qed.
Lemma bitwise_scopes f x y : scopes (bitwise f x y).
Proof.
  unfold bitwise. apply scopes_then; [apply scopes_visible|]. intro fs.
  destruct (fewest _ _) as [k|]; auto with scopes.
  destruct (_ && _); auto with scopes.
  apply scopes_then; [apply halve_scopes|]. intros [xs x'].
  apply scopes_then; [apply halve_scopes|]. intros [ys y'].
  apply scopes_then; [apply bitsBy_scopes|]. intro p. auto with scopes.
Qed.

(* What they make. *)

Lemma halve_true k : forall p s bs rest s' e,
  halve k p s = Some ((bs, rest), s') -> orderly s -> true_ s e ->
  below_ (next s) p -> 0 <= eval e p ->
  exists e', agrees (next s) e e' /\ true_ s' e' /\
    map (eval e') bs = digitsOf k (eval e p) /\
    eval e' rest = eval e p / 2 ^ Z.of_nat k /\
    Forall (below_ (next s')) bs /\ below_ (next s') rest.
Proof.
  induction k as [|k IH]; intros p s bs rest s' e H O T B N; cbn [halve] in H.
  - injection H as <- <- <-. exists e. conj; auto using agrees_refl.
    now rewrite Z.div_1_r.
  - apply andThen_inv in H as [[q r] [s1 [H1 H]]].
    apply andThen_inv in H as [[bs' rest'] [s2 [H2 H]]].
    injection H as <- <- <-.
    destruct (divide_bound _ _ _ _ _ _ H1 O B) as [Bq Br].
    destruct (divide_tame _ _ _ _ _ H1 O) as [O1 G1].
    destruct (divide_true _ _ _ _ _ _ e H1 O T) as [e1 [A1 [T1 [Q R]]]];
      rewrite ?constant_eval; try lia.
    rewrite constant_eval in Q, R.
    destruct (IH q s1 bs' rest' s2 e1 H2 O1 T1 Bq) as
      [e2 [A2 [T2 [D [E [Bs Be]]]]]].
    { rewrite Q. apply Z.div_pos; lia. }
    destruct (halve_tame _ _ _ _ _ H2 O1) as [O2 G2].
    exists e2. conj; auto.
    + eapply agrees_trans; [|exact A1|exact A2]. apply (growsNext _ _ G1).
    + cbn [map digitsOf]. rewrite D, Q. f_equal.
      rewrite <- (agrees_eval _ _ _ r A2 Br). exact R.
    + now rewrite E, Q, half_of.
    + constructor; auto. eapply below_le; [|exact Br].
      apply (growsNext _ _ G2).
Qed.

Lemma ret_inv {A} (a b : A) s s' : ret a s = Some (b, s') -> b = a /\ s' = s.
Proof. unfold ret. intro H. split; congruence. Qed.

Lemma bitBy_true f a b s p s' e : bitBy f a b s = Some (p, s') ->
  isLogic f = true -> orderly s -> true_ s e -> Forall discharged (vcs s') ->
  below_ (next s) a -> below_ (next s) b ->
  eval e a = 0 \/ eval e a = 1 -> eval e b = 0 \/ eval e b = 1 ->
  exists e', agrees (next s) e e' /\ true_ s' e' /\
    eval e' p = ofBits f (eval e a) (eval e b) /\ below_ (next s') p.
Proof.
  intros H L O T P Ba Bb Za Zb. unfold bitBy in H.
  apply andThen_inv in H as [[both differ] [s1 [H H1]]].
  injection H1 as <- <-.
  assert (X : exists e', agrees (next s) e e' /\ true_ s1 e' /\
    eval e' both = eval e a * eval e b /\
    eval e' differ = eval e a + eval e b - 2 * (eval e a * eval e b) /\
    below_ (next s1) both /\ below_ (next s1) differ).
  { assert (Plain_ : forall s2,
      ret (mul a b, sub (add a b) (mul (constant 2) (mul a b))) s =
        Some ((both, differ), s2) ->
      s2 = s1 -> exists e', agrees (next s) e e' /\ true_ s1 e' /\
      eval e' both = eval e a * eval e b /\
      eval e' differ = eval e a + eval e b - 2 * (eval e a * eval e b) /\
      below_ (next s1) both /\ below_ (next s1) differ).
    { intros s2 R E. apply ret_inv in R as [R ->].
      apply pair_equal_spec in R as [-> ->]. subst s1. exists e.
      conj; auto using agrees_refl, mul_below.
      - apply mul_eval.
      - now rewrite sub_eval, add_eval, !mul_eval, constant_eval.
      - auto using sub_below, add_below, mul_below, constant_below. }
    destruct (constantOf a), (constantOf b); try (eapply Plain_; eauto; fail).
    apply andThen_inv in H as [u [s2 [H2 H]]].
    pose proof (emit_next _ _ _ _ _ _ H2) as E2.
    destruct (emit_tame _ _ _ _ _ _ H2 O) as [O2 G2].
    destruct (divide_tame _ _ _ _ _ H O2) as [O1 G1].
    destruct (emit_true _ _ _ _ _ _ e H2 (grows_discharged _ _ G1 P) T) as [_ T2].
    assert (Bs : below_ (next s2) (add a b)).
    { rewrite E2. auto using add_below. }
    destruct (divide_bound _ _ _ _ _ _ H O2 Bs) as [Bq Br].
    destruct (divide_true _ _ _ _ _ _ e H O2 T2) as [e1 [A1 [T1 [Q R]]]];
      rewrite ?constant_eval, ?add_eval; try lia.
    rewrite constant_eval, add_eval in Q, R.
    exists e1. rewrite E2 in A1. conj; auto.
    - rewrite Q. destruct Za as [->| ->], Zb as [->| ->]; reflexivity.
    - rewrite R. destruct Za as [->| ->], Zb as [->| ->]; reflexivity. }
  destruct X as [e' [A [T' [Q [R [Bq Br]]]]]]. exists e'.
  destruct f; try discriminate; conj; auto using add_below; cbn [ofBits];
    rewrite ?add_eval, ?Q, ?R; lia.
Qed.

Lemma bitsBy_true f above : forall xs ys s p s' e,
  bitsBy f xs ys above s = Some (p, s') -> isLogic f = true ->
  orderly s -> true_ s e -> Forall discharged (vcs s') ->
  Forall (below_ (next s)) xs -> Forall (below_ (next s)) ys ->
  below_ (next s) above ->
  Forall (fun b => b = 0 \/ b = 1) (map (eval e) xs) ->
  Forall (fun b => b = 0 \/ b = 1) (map (eval e) ys) ->
  exists e', agrees (next s) e e' /\ true_ s' e' /\
    eval e' p = joinBits f (map (eval e) xs) (map (eval e) ys) (eval e above) /\
    below_ (next s') p.
Proof.
  induction xs as [|x xs IH]; intros [|y ys] s p s' e H L O T P Bx By Ba Zx Zy;
    cbn [bitsBy] in H;
    try (injection H as <- <-; exists e; conj; auto using agrees_refl; fail).
  apply andThen_inv in H as [c [s1 [H1 H]]].
  apply andThen_inv in H as [q [s2 [H2 H]]].
  apply ret_inv in H as [-> ->]. cbn [map] in Zx, Zy.
  inversion Bx as [|? ? Bx1 Bx2]. inversion By as [|? ? By1 By2].
  inversion Zx as [|? ? Zx1 Zx2]. inversion Zy as [|? ? Zy1 Zy2]. subst.
  destruct (bitBy_tame _ _ _ _ _ _ H1 O) as [O1 G1].
  destruct (bitsBy_tame _ _ _ _ _ _ _ H2 O1) as [O2 G2].
  pose proof (growsNext _ _ G1) as N1. pose proof (growsNext _ _ G2) as N2.
  destruct (bitBy_true _ _ _ _ _ _ e H1 L O T (grows_discharged _ _ G2 P) Bx1 By1
    Zx1 Zy1) as [e1 [A1 [T1 [E1 B1]]]].
  assert (Same : forall l, Forall (below_ (next s)) l ->
            map (eval e1) l = map (eval e) l).
  { intros l F. apply map_ext_in. intros z I. rewrite Forall_forall in F.
    symmetry. now apply (agrees_eval (next s)); auto. }
  assert (Up : forall l, Forall (below_ (next s)) l ->
            Forall (below_ (next s1)) l).
  { intros l F. eapply Forall_impl; [|exact F]. intros z.
    now apply below_le. }
  destruct (IH ys s1 q s2 e1 H2 L O1 T1 P) as [e2 [A2 [T2 [E2 B2]]]]; auto.
  { eapply below_le; eauto. }
  { now rewrite Same. }
  { now rewrite Same. }
  exists e2. conj; auto.
  - eapply agrees_trans; eauto.
  - rewrite add_eval, mul_eval, constant_eval, E2, !Same by assumption.
    cbn [map joinBits].
    rewrite <- (agrees_eval _ _ _ c A2 B1), E1.
    now rewrite <- (agrees_eval _ _ _ above A1 Ba).
  - assert (below_ (next s2) c) by (eapply below_le; eauto).
    auto using add_below, mul_below, constant_below.
Qed.

Lemma bitwise_true f x y s p s' e : bitwise f x y s = Some (Some p, s') ->
  isLogic f = true -> orderly s -> true_ s e -> Forall discharged (vcs s') ->
  below_ (next s) x -> below_ (next s) y ->
  exists e', agrees (next s) e e' /\ true_ s' e' /\
    eval e' p = exact f (eval e x) (eval e y) /\ below_ (next s') p.
Proof.
  intros H L O T P Bx By. unfold bitwise in H.
  apply andThen_inv in H as [fs [s0 [H0 H]]]. injection H0 as <- <-.
  destruct (fewest _ _) as [k|] eqn:K; [|discriminate].
  destruct (isNatural (facts s) x && isNatural (facts s) y) eqn:N;
    [|discriminate].
  apply andb_true_iff in N as [Nx Ny].
  apply (isNatural_true s e) in Nx, Ny; auto.
  apply andThen_inv in H as [[xs x'] [s1 [H1 H]]].
  apply andThen_inv in H as [[ys y'] [s2 [H2 H]]].
  apply andThen_inv in H as [q [s3 [H3 H]]]. injection H as <- <-.
  destruct (halve_tame _ _ _ _ _ H1 O) as [O1 G1].
  destruct (halve_tame _ _ _ _ _ H2 O1) as [O2 G2].
  pose proof (growsNext _ _ G1) as N1. pose proof (growsNext _ _ G2) as N2.
  destruct (halve_true _ _ _ _ _ _ e H1 O T Bx Nx) as
    [e1 [A1 [T1 [Dx [Ex [Fx Bx']]]]]].
  assert (Ey1 : eval e1 y = eval e y).
  { symmetry. now apply (agrees_eval (next s)). }
  assert (By1 : below_ (next s1) y) by (eapply below_le; eauto).
  destruct (halve_true _ _ _ _ _ _ e1 H2 O1 T1 By1) as
    [e2 [A2 [T2 [Dy [Ey [Fy By']]]]]]; [lia|].
  rewrite Ey1 in Dy, Ey.
  assert (Dx2 : map (eval e2) xs = digitsOf k (eval e x)).
  { rewrite <- Dx. apply map_ext_in. intros z I. rewrite Forall_forall in Fx.
    symmetry. now apply (agrees_eval (next s1)); auto. }
  assert (Ex2 : eval e2 x' = eval e x / 2 ^ Z.of_nat k).
  { rewrite <- Ex. symmetry. now apply (agrees_eval (next s1)). }
  assert (Fx2 : Forall (below_ (next s2)) xs).
  { eapply Forall_impl; [|exact Fx]. intro z. now apply below_le. }
  assert (Bx2 : below_ (next s2) x') by (eapply below_le; eauto).
  set (above := keptAbove f (bitsOf (facts s) x) (bitsOf (facts s) y) x' y')
    in *.
  assert (Above : eval e2 above =
            exact f (eval e x / 2 ^ Z.of_nat k) (eval e y / 2 ^ Z.of_nat k) /\
            below_ (next s2) above).
  { assert (Small : forall z n, 0 <= eval e z -> (n <= k)%nat ->
              bitsOf (facts s) z = Some n -> eval e z / 2 ^ Z.of_nat k = 0).
    { intros z n Z0 Nk Bz. pose proof (bitsOf_true s e z n T Bz).
      apply Z.div_small. split; [lia|].
      assert (2 ^ Z.of_nat n <= 2 ^ Z.of_nat k)
        by (apply Z.pow_le_mono_r; lia). lia. }
    unfold above, keptAbove.
    destruct (bitsOf (facts s) x) as [a|] eqn:Ka,
      (bitsOf (facts s) y) as [b|] eqn:Kb; cbn [fewest] in K;
      try discriminate K; injection K as K.
    - destruct (Nat.eqb_spec a b); [|destruct (Nat.ltb_spec a b)].
      + rewrite (Small x a), (Small y b) by (auto; lia).
        destruct f; try discriminate; split; auto using nil_below.
      + rewrite (Small x a) by (auto; lia).
        destruct f; try discriminate; cbn [exact];
          rewrite ?Z.land_0_l, ?Z.lor_0_l, ?Z.lxor_0_l;
          split; auto using nil_below.
      + rewrite (Small y b) by (auto; lia).
        destruct f; try discriminate; cbn [exact];
          rewrite ?Z.land_0_r, ?Z.lor_0_r, ?Z.lxor_0_r;
          split; auto using nil_below.
    - rewrite (Small x a) by (auto; lia).
      destruct f; try discriminate; cbn [exact];
        rewrite ?Z.land_0_l, ?Z.lor_0_l, ?Z.lxor_0_l;
        split; auto using nil_below.
    - rewrite (Small y b) by (auto; lia).
      destruct f; try discriminate; cbn [exact];
        rewrite ?Z.land_0_r, ?Z.lor_0_r, ?Z.lxor_0_r;
        split; auto using nil_below. }
  destruct Above as [Ea Ba].
  destruct (bitsBy_true _ _ _ _ _ _ _ e2 H3 L O2 T2 P Fx2 Fy Ba) as
    [e3 [A3 [T3 [E3 B3]]]].
  { rewrite Dx2. apply digits_bits. }
  { rewrite Dy. apply digits_bits. }
  exists e3. conj; auto.
  - eapply agrees_trans; [exact N1|exact A1|].
    eapply agrees_trans; [exact N2|exact A2|exact A3].
  - rewrite E3, Dx2, Dy, Ea. now apply joinBits_exact.
Qed.

(* Where it makes nothing, it emits nothing. *)
Lemma bitwise_none f x y s s' : bitwise f x y s = Some (None, s') -> s' = s.
Proof.
  intro H. unfold bitwise in H.
  apply andThen_inv in H as [fs [s0 [H0 H]]]. injection H0 as <- <-.
  destruct (fewest _ _); [|now injection H as <-].
  destruct (_ && _); [|now injection H as <-].
  apply andThen_inv in H as [[xs x'] [s1 [H1 H]]].
  apply andThen_inv in H as [[ys y'] [s2 [H2 H]]].
  apply andThen_inv in H as [q [s3 [H3 H]]]. discriminate.
Qed.
