(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   What is given about contents, of elements that were looked up: where the
   contents keep it, the facts about loaded values hold. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Import Execute.
From Girih Require Export ViewValues.
Import ListNotations.
Open Scope Z_scope.

(* What was looked up stays as it is. *)

Lemma lookup_agrees n k l given e e' u : agrees n e e' -> boundLookup n u ->
  lookupHolds k l given e u -> lookupHolds k l given e' u.
Proof.
  intros A [B V] (t & es & T & E & I & Eq). exists t, es.
  rewrite <- (map_agrees n e e' _ A B), <- (A _ V). auto.
Qed.
Lemma recalls_later k l given n n' e e' us : (n <= n')%positive ->
  agrees n e e' -> recalls k l given n e us -> recalls k l given n' e' us.
Proof.
  intros L A. apply Forall_impl. intros u [[B V] R]. split.
  - split; [|lia]. eapply Forall_impl; [|exact B]. intro p. now apply below_le.
  - now apply lookup_agrees with n e.
Qed.

Lemma lookups_app fs fs' : lookups (fs ++ fs') = lookups fs ++ lookups fs'.
Proof. apply flat_map_app. Qed.

Lemma latest_in ps : forall us met u, In u (latest ps met us) -> In u us.
Proof.
  induction us as [|v us IH]; intros met u I; [contradiction|].
  cbn [latest] in I. destruct (promisesOf ps (lookupTensor v)); [right; eauto|].
  destruct (_ <? _)%nat; [|right; eauto]. destruct I as [<-|I]; [now left|].
  right. eauto.
Qed.

(* What contents keep. *)

Lemma ascends_order v n : ascends v n = true -> forall i j,
  0 <= i <= j -> j < n -> v [i] <= v [j].
Proof.
  unfold ascends. rewrite forallb_forall. intros A i j [I J] N.
  replace j with (i + Z.of_nat (Z.to_nat (j - i))) in * by lia.
  generalize dependent (Z.to_nat (j - i)). intros d _ N.
  induction d as [|d IH]; [rewrite Z.add_0_r; lia|].
  specialize (IH ltac:(lia)).
  specialize (A (i + Z.of_nat d)). rewrite ints_spec in A.
  specialize (A ltac:(lia)).
  replace (i + Z.of_nat (S d)) with (i + Z.of_nat d + 1) by lia. lia.
Qed.

Lemma boxed_length extents a : inBox extents a -> length a = length extents.
Proof. induction 1; simpl; congruence. Qed.

Section ContentsSound.

Context (w : Z) (k : kernel) (h : header) (l : launch) (given : initial_)
  (e0 : values).
Context (Launched : launched w k h l e0)
  (Kept : keepsGivens k l given = true).

(* An element of a tensor, as its type has it. *)
Definition elementOf (t : tensor) (number : nat) (a : list Z) : Z :=
  asNumber (elements t) (given number a).

Lemma promise_kept number c t extents :
  In c (promisesOf (givenPolys h) number) -> tensorOf k number = Some t ->
  extentsOf l number = Some extents ->
  keepsContent extents (elementOf t number) (mapContent (eval e0) c) = true.
Proof.
  intros I T E. unfold promisesOf in I.
  apply in_map_iff in I as [[n c'] [Eq I]]. cbn [snd] in Eq. subst c'.
  apply filter_In in I as [I N]. apply Nat.eqb_eq in N. cbn [fst] in N.
  subst n. unfold keepsGivens in Kept. rewrite forallb_forall in Kept.
  rewrite <- (areGivens _ _ _ _ _ Launched) in Kept.
  specialize (Kept _ (in_map _ _ _ I)). cbn [fst snd] in Kept.
  rewrite T, E in Kept. exact Kept.
Qed.

Lemma either e a b : Forall (holdsAtom e) a \/ Forall (holdsAtom e) b ->
  holds e [a; b].
Proof. intros [H|H]; [now left|right; now left]. Qed.
Lemma atom_ge e p : 0 <= eval e p -> Forall (holdsAtom e) [Atom false p].
Proof. intro H. constructor; [exact H|constructor]. Qed.
Lemma atom_eq e p : eval e p = 0 -> Forall (holdsAtom e) [Atom true p].
Proof. intro H. constructor; [exact H|constructor]. Qed.

(* Facts of one element. *)
Lemma element_holds es u t : tensorOf k (lookupTensor u) = Some t ->
  extentPolys (symbolVars h) t = Some es -> lookupHolds k l given e0 u ->
  Forall (holds e0) (elementFacts (givenPolys h) es u).
Proof.
  intros T E (t' & extents & T' & X & I & Eq). rewrite T in T'.
  injection T' as <-.
  destruct (areExtents _ _ _ _ _ Launched _ _ _ T E) as [X' _].
  rewrite X in X'. injection X' as ->.
  apply Forall_forall. intros f F. unfold elementFacts in F.
  apply in_flat_map in F as [c [C F]].
  pose proof (promise_kept _ _ _ _ C T X) as K. clear C.
  change (asNumber _ _) with
    (elementOf t (lookupTensor u) (map (eval e0) (lookupPlace u))) in Eq.
  destruct c as [low high| |last|]; cbn [contentFacts mapContent keepsContent]
    in *; try contradiction.
  - rewrite forallb_forall in K. apply allElements_spec in I.
    specialize (K _ I). destruct F as [<-|[<-|[]]]; apply holds_ge;
      rewrite ?plus_eval, sub_eval, variable_eval; lia.
  - destruct (map (eval e0) es) as [|n [|]] eqn:Es; try discriminate K.
    destruct es as [|x [|]]; try discriminate Es. injection Es as Ex.
    destruct (lookupPlace u) as [|p [|]];
      inversion I as [|? ? ? ? I1 I2]; subst; try inversion I2.
    cbn [map hd] in *. rewrite !andb_true_iff in K.
    destruct K as [[[K1 K2] K3] K4]. apply Z.eqb_eq in K3, K4.
    pose proof (ascends_order _ _ K2) as A.
    pose proof (A 0 (eval e0 p) ltac:(lia) ltac:(lia)) as A0.
    pose proof (A (eval e0 p) (eval e0 x - 1) ltac:(lia) ltac:(lia)) as A1.
    destruct F as [<-|[<-|[<-|[<-|[]]]]].
    + apply holds_ge. rewrite variable_eval. lia.
    + apply holds_ge. rewrite sub_eval, variable_eval. lia.
    + apply either. destruct (Z.eq_dec (eval e0 p) 0) as [Z0|Nz].
      * right. apply atom_eq. rewrite variable_eval, Eq, Z0. exact K3.
      * left. apply atom_ge. rewrite plus_eval. lia.
    + apply either. destruct (Z.eq_dec (eval e0 p) (eval e0 x - 1)) as [Z0|Nz].
      * right. apply atom_eq. rewrite sub_eval, variable_eval, Eq, Z0. lia.
      * left. apply atom_ge. rewrite plus_eval, sub_eval, plus_eval. lia.
Qed.

(* Facts of two elements of one tensor, with whatever values. *)

Lemma same_places e : forall ps qs, length ps = length qs ->
  Exists (Forall (holdsAtom e)) (flat_map (fun p =>
    [[Atom false (plus (sub (fst p) (snd p)) (-1))];
     [Atom false (plus (sub (snd p) (fst p)) (-1))]]) (combine ps qs)) \/
  map (eval e) ps = map (eval e) qs.
Proof.
  induction ps as [|p ps IH]; intros [|q qs] L; try discriminate; [now right|].
  injection L as L. cbn [combine flat_map app fst snd map].
  destruct (IH qs L) as [X|X];
    [left; now apply Exists_cons_tl, Exists_cons_tl|].
  destruct (Z.lt_trichotomy (eval e p) (eval e q)) as [C|[C|C]].
  - left. apply Exists_cons_tl, Exists_cons_hd, atom_ge.
    rewrite plus_eval, sub_eval. lia.
  - right. congruence.
  - left. apply Exists_cons_hd, atom_ge. rewrite plus_eval, sub_eval. lia.
Qed.

Lemma places_same e : forall ps qs, map (eval e) ps = map (eval e) qs ->
  Forall (holdsAtom e)
    (map (fun p => Atom true (sub (snd p) (fst p))) (combine ps qs)).
Proof.
  induction ps as [|p ps IH]; intros [|q qs] E; try discriminate;
    [constructor|]. injection E as E1 E2. constructor; [|now apply IH].
  unfold holdsAtom. simpl. rewrite sub_eval. lia.
Qed.

Lemma pair_holds e a b : lookupTensor a = lookupTensor b ->
  lookupHolds k l given e a -> lookupHolds k l given e b ->
  Forall (holds e) (pairFacts (givenPolys h) a b).
Proof.
  intros S (t & extents & T & X & Ia & Ea) (t' & extents' & T' & X' & Ib & Eb).
  rewrite <- S in *. rewrite T in T'. injection T' as <-.
  rewrite X in X'. injection X' as <-.
  change (asNumber _ _) with
    (elementOf t (lookupTensor a) (map (eval e) (lookupPlace a))) in Ea.
  change (asNumber _ _) with
    (elementOf t (lookupTensor a) (map (eval e) (lookupPlace b))) in Eb.
  assert (Len : length (lookupPlace a) = length (lookupPlace b)).
  { apply boxed_length in Ia, Ib. rewrite map_length in *. congruence. }
  unfold pairFacts.
  assert (Order :
    existsb inOrder (promisesOf (givenPolys h) (lookupTensor a)) = true ->
    Forall (holds e) (orderFacts a b)).
  { intro O. apply existsb_exists in O as [c [C O]].
    pose proof (promise_kept _ _ _ _ C T X) as K.
    assert (List_ : exists n, extents = [n] /\
              ascends (elementOf t (lookupTensor a)) n = true).
    { destruct c; try discriminate O; cbn [mapContent keepsContent] in K;
        destruct extents as [|n [|]]; try discriminate K; exists n;
        split; auto. now rewrite !andb_true_iff in K. }
    destruct List_ as [n [-> As]]. clear K O C c.
    pose proof (ascends_order _ _ As) as Asc.
    destruct (lookupPlace a) as [|p [|]] eqn:Pa;
      inversion Ia as [|? ? ? ? A1 A2]; subst; try inversion A2.
    destruct (lookupPlace b) as [|q [|]] eqn:Pb;
      inversion Ib as [|? ? ? ? B1 B2]; subst; try inversion B2.
    unfold orderFacts. rewrite Pa, Pb. cbn [hd map] in *.
    constructor; [|constructor; [|constructor]]; apply either.
    - destruct (Z.lt_ge_cases (eval e q) (eval e p)) as [C|C].
      + left. apply atom_ge. rewrite below_eval, sub_eval. lia.
      + right. apply atom_ge. rewrite sub_eval, !variable_eval, Ea, Eb.
        specialize (Asc (eval e p) (eval e q)). lia.
    - destruct (Z.lt_ge_cases (eval e p) (eval e q)) as [C|C].
      + left. apply atom_ge. rewrite plus_eval, sub_eval. lia.
      + right. apply atom_ge.
        rewrite neg_eval, sub_eval, !variable_eval, Ea, Eb.
        specialize (Asc (eval e q) (eval e p)). lia. }
  assert (Same : holds e (sameValue a b)).
  { apply Exists_app. destruct (same_places e _ _ Len) as [D|Eq]; [now left|].
    right. apply Exists_cons_hd, atom_eq.
    rewrite sub_eval, !variable_eval, Ea, Eb, Eq. lia. }
  destruct (promisesOf (givenPolys h) (lookupTensor a)) as [|c0 cs] eqn:M;
    [constructor|]. rewrite <- M in *. clear M.
  apply Forall_app. split.
  - destruct (existsb inOrder _); [now apply Order|].
    constructor; [exact Same|constructor].
  - destruct (existsb isDistinct _) eqn:D; [|constructor].
    apply existsb_exists in D as [c [C D]]. destruct c; try discriminate D.
    pose proof (promise_kept _ _ _ _ C T X) as K.
    cbn [mapContent keepsContent] in K.
    constructor; [|constructor]. unfold distinctFact.
    rewrite forallb_forall in K. apply allElements_spec in Ia, Ib.
    specialize (K _ Ia). rewrite forallb_forall in K. specialize (K _ Ib).
    apply orb_true_iff in K as [K|K].
    + apply eqAt_sound in K. apply Exists_cons_tl, Exists_cons_tl,
        Exists_cons_hd. now apply places_same.
    + apply negb_true_iff, Z.eqb_neq in K. rewrite <- Ea, <- Eb in K.
      destruct (Z.lt_ge_cases (e (held a)) (e (held b))).
      * apply Exists_cons_hd, atom_ge.
        rewrite plus_eval, sub_eval, !variable_eval. lia.
      * apply Exists_cons_tl, Exists_cons_hd, atom_ge.
        rewrite below_eval, sub_eval, !variable_eval. lia.
Qed.

End ContentsSound.
