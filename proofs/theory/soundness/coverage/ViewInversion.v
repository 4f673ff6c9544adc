(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   From coordinates of a tensor to those of a view of it, as coverage goes:
   what it divides has the same value for a run and for a witness. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export ClauseWitness.
Import ListNotations.
Open Scope Z_scope.

Lemma settled_tame_ i p : tame (settled i p).
Proof. apply tame_check. Qed.

Lemma peel_tame i : forall fs rest ds, tame (peel (settled i) rest fs ds).
Proof.
  induction fs as [|f fs IH]; intros rest ds; simpl; [apply tame_ret|].
  apply tame_then; [apply tame_check|]. intro.
  apply tame_then; [apply emit_tame|]. intro.
  apply tame_then; [apply emit_tame|]. intro.
  apply tame_then; [apply divide_tame|]. intros [q r]. apply IH.
Qed.
Lemma undoSteps_tame : forall way i at_, tame (undoSteps settled i way at_).
Proof.
  induction way as [|[os ns|axes|axis fs|axis y] way IH]; intros i at_;
    cbn [undoSteps]; [apply tame_ret| | | |]; auto.
  - apply tame_then; [apply tame_given|]. intro.
    apply tame_then; [apply tame_check|]. intro.
    apply tame_then; [apply peel_tame|]. auto.
  - apply tame_then; [apply tame_given|]. auto.
Qed.
Lemma tileOf_tame x t : tame (tileOfElement x t).
Proof.
  unfold tileOfElement. destruct (t =? 1); [apply tame_ret|].
  apply tame_then; [apply emit_tame|]. intro.
  apply tame_then; [apply emit_tame|]. intro.
  apply tame_then; [apply divide_tame|]. intro. apply tame_ret.
Qed.
Lemma equateClosed_tame : forall axes i, tame (equateClosed i axes).
Proof.
  induction axes as [|[x [t index]] axes IH]; intro i; cbn [equateClosed];
    [apply tame_ret|]. destruct (_ || _).
  - apply tame_then; [apply tileOf_tame|]. auto.
  - apply tame_then; [apply IH|]. intros [i' open]. apply tame_ret.
Qed.
Lemma equateOpen_tame i axis : tame (equateOpen i axis).
Proof.
  destruct axis as [x [t index]]. unfold equateOpen. cbv zeta.
  destruct (_ || _); [|destruct (_ && _)].
  - apply tame_then; [apply tileOf_tame|]. intro. apply tame_ret.
  - apply tame_then; [apply tame_check|]. intro.
    apply tame_then; [apply tileOf_tame|]. intro. apply tame_ret.
  - apply tame_then; [apply fresh_tame|]. intro. apply tame_ret.
Qed.
Lemma equateAll_tame : forall axes i, tame (equateAll i axes).
Proof.
  induction axes as [|a axes IH]; intro i; simpl; [apply tame_ret|].
  apply tame_then; [apply equateOpen_tame|]. auto.
Qed.
Lemma witnessOfStore_tame st clause vars g wanted i element :
  tame (witnessOfStore st clause vars g wanted i element).
Proof.
  unfold witnessOfStore, witnessOfView. destruct (steps st), clause.
  1, 2: apply tame_then; [apply tame_mapEach; intro; apply tileOf_tame|]; intro;
    apply tame_then; [apply witness_tame|]; intro; apply tame_ret.
  - apply tame_then; [apply witness_tame|]. intro. apply tame_ret.
  - apply tame_then; [apply undoSteps_tame|]. intros [i1 at_].
    apply tame_then; [apply equateClosed_tame|]. intros [i2 open].
    apply tame_then; [apply solve_tame|]. intro i3.
    apply tame_then; [apply equateAll_tame|]. intro i4.
    apply tame_then; [apply witness_tame|]. intro. apply tame_ret.
Qed.

Section ViewInversion.

Context (start : scope) (e base : values).
Context (alike_ : forall v, (next start <= v)%positive -> e v = base v).
Context (i0 : inversion).
Context (seen : forall v, found i0 v = false ->
           PositiveMap.mem v (unknowns_ i0) = false -> e v = base v).

Notation simulated := (simulated start e base).
Notation blind := (blind i0).
Notation same p := (eval e p = eval base p).

Lemma simulated_fresh : simulated fresh_ (fun _ => True).
Proof. intros s v s' H O St T C D. injection H as <- <-. now split. Qed.
Lemma simulated_given {A} (o : option A) : simulated (given o) (fun _ => True).
Proof.
  intros s a s' H O St T C D. unfold given in H. destruct o; [|discriminate].
  injection H as <- <-. now split.
Qed.

Ltac tamely_ := apply tame_tamed.

Lemma peel_blind i : blind i -> forall fs rest ds, same rest ->
  simulated (peel (settled i) rest fs ds) (fun _ => True).
Proof.
  intro B. induction fs as [|f fs IH]; intros rest ds R; cbn [peel];
    [now apply simulated_ret|].
  assert (T3 : tame (let* (q, r) := divide rest f in
                     peel (settled i) q fs (r :: ds))).
  { apply tame_then; [apply divide_tame|]. intros [q' r].
    apply peel_tame. }
  apply simulated_then with (fun _ => same f).
  { tamely_. apply tame_check. }
  { intro. tamely_. apply tame_then; [apply emit_tame|]. intro.
    apply tame_then; [apply emit_tame|]. intro. exact T3. }
  { eapply settled_same; eauto. }
  intros _ F. apply simulated_then with (fun _ => 0 <= eval e (plus f (-1))).
  { tamely_. apply emit_tame. }
  { intro. tamely_. apply tame_then; [apply emit_tame|]. intro. exact T3. }
  { apply simulated_emit. }
  intros _ P. apply simulated_then with (fun _ => 0 <= eval e rest).
  { tamely_. apply emit_tame. }
  { intro. tamely_. exact T3. }
  { apply simulated_emit. }
  intros _ Q. rewrite plus_eval in P.
  apply simulated_then with (fun qr => same (fst qr) /\ same (snd qr)).
  { tamely_. apply divide_tame. }
  { intros [q r]. tamely_. apply peel_tame. }
  { apply simulated_divide; auto. lia. }
  intros [q r] [Sq _]. now apply IH.
Qed.

Lemma undoSteps_blind : forall way i at_, blind i ->
  simulated (undoSteps settled i way at_) (fun r => blind (fst r)).
Proof.
  induction way as [|[os ns|axes|axis fs|axis y] way IH]; intros i at_ B;
    cbn [undoSteps]; [now apply simulated_ret| | | |]; auto.
  - apply simulated_then with (fun _ => True).
    { tamely_. apply tame_given. }
    { intro. tamely_. apply tame_then; [apply tame_check|]. intro.
      apply tame_then; [apply peel_tame|]. intro. apply undoSteps_tame. }
    { apply simulated_given. }
    intros x _. apply simulated_then with (fun _ => same x).
    { tamely_. apply tame_check. }
    { intro. tamely_. apply tame_then; [apply peel_tame|]. intro.
      apply undoSteps_tame. }
    { eapply settled_same; eauto. }
    intros _ X. apply simulated_then with (fun _ => True).
    { tamely_. apply peel_tame. }
    { intro. tamely_. apply undoSteps_tame. }
    { now apply peel_blind. }
    auto.
  - apply simulated_then with (fun _ => True).
    { tamely_. apply tame_given. }
    { intro. tamely_. apply undoSteps_tame. }
    { apply simulated_given. }
    intros x _. apply IH. exact B.
Qed.

Lemma settledTile i x t : blind i -> (t =? 1) || isSettled i x = true ->
  t <> 1 -> same x.
Proof.
  intros B H Ne. apply orb_true_iff in H as [H|H].
  - apply Z.eqb_eq in H. contradiction.
  - eapply isSettled_same; eauto.
Qed.

Lemma equateClosed_blind : forall axes i, blind i ->
  simulated (equateClosed i axes) (fun r => blind (fst r)).
Proof.
  induction axes as [|[x [t index]] axes IH]; intros i B; cbn [equateClosed];
    [now apply simulated_ret|]. destruct (_ || _) eqn:S.
  - apply simulated_then with (fun _ => True).
    { tamely_. apply tileOf_tame. }
    { intro. tamely_. apply equateClosed_tame. }
    { apply tileOfElement_simulated; auto. now apply (settledTile i). }
    intros y _. apply IH. exact B.
  - apply simulated_then with (fun r => blind (fst r)).
    { tamely_. apply equateClosed_tame. }
    { intros [i' open]. tamely_. apply tame_ret. }
    { now apply IH. }
    intros [i' open] B'. now apply simulated_ret.
Qed.

Lemma equateOpen_blind i axis : blind i ->
  simulated (equateOpen i axis) blind.
Proof.
  intro B. destruct axis as [x [t index]]. unfold equateOpen. cbv zeta.
  generalize (inserted i x). clear x. intro x.
  destruct (_ || _) eqn:S; [|destruct (_ && _)].
  - apply simulated_then with (fun _ => True).
    { tamely_. apply tileOf_tame. }
    { intro. tamely_. apply tame_ret. }
    { apply tileOfElement_simulated; auto. now apply (settledTile i). }
    intros y _. now apply simulated_ret.
  - match goal with |- Simulation.simulated _ _ _ (let* _ := settled i ?c in _) _ =>
      set (closed := c) end.
    apply simulated_then with (fun _ => same closed).
    { tamely_. apply tame_check. }
    { intro. tamely_. apply tame_then; [apply tileOf_tame|]. intro.
      apply tame_ret. }
    { eapply settled_same; eauto. }
    intros _ C. apply simulated_then with (fun _ => True).
    { tamely_. apply tileOf_tame. }
    { intro. tamely_. apply tame_ret. }
    { apply tileOfElement_simulated; auto. }
    intros y _. now apply simulated_ret.
  - apply simulated_then with (fun _ => True).
    { tamely_. apply fresh_tame. }
    { intro. tamely_. apply tame_ret. }
    { apply simulated_fresh. }
    intros v _. apply simulated_ret. destruct B as [F U].
    split; [exact F|]. intros u Un. apply U. simpl in Un.
    rewrite PositiveMap.mem_find in *.
    destruct (Pos.eq_dec u v) as [->|Ne].
    + now rewrite PositiveMap.gss in Un.
    + now rewrite PositiveMap.gso in Un.
Qed.

Lemma equateAll_blind : forall axes i, blind i ->
  simulated (equateAll i axes) blind.
Proof.
  induction axes as [|a axes IH]; intros i B; simpl; [now apply simulated_ret|].
  apply simulated_then with blind.
  { tamely_. apply equateOpen_tame. }
  { intro. tamely_. apply equateAll_tame. }
  { now apply equateOpen_blind. }
  exact IH.
Qed.

Theorem witnessOfStore_blind st clause vars g wanted i element : blind i ->
  Forall (fun p => same p) element ->
  simulated (witnessOfStore st clause vars g wanted i element)
    (fun r => blind (fst r)).
Proof.
  intros B El. unfold witnessOfStore, witnessOfView.
  assert (ClauseWitness : forall names, simulated
    (let* i := witnessOf clause names vars g wanted i in ret (i, element))
    (fun r => blind (fst r))).
  { intro names. apply simulated_then with blind.
    { tamely_. apply witness_tame. }
    { intro. tamely_. apply tame_ret. }
    { eapply witness_blind; eauto. }
    intros i1 B1. now apply simulated_ret. }
  destruct (steps st).
  - apply simulated_then with (fun _ => True).
    { tamely_. apply tame_mapEach. intro. apply tileOf_tame. }
    { intro. tamely_. apply tame_then; [apply witness_tame|]. intro.
      apply tame_ret. }
    { apply simulated_mapEach; [intro; apply tileOf_tame|]. intros [x y] I.
      apply tileOfElement_simulated; auto. intros _. simpl.
      apply in_combine_l in I. rewrite Forall_forall in El. auto. }
    intros ys _. apply simulated_then with blind.
    { tamely_. apply witness_tame. }
    { intro. tamely_. apply tame_ret. }
    { eapply witness_blind; eauto. }
    intros i1 B1. now apply simulated_ret.
  - destruct clause; [apply ClauseWitness|].
    apply simulated_then with (fun r => blind (fst r)).
    { tamely_. apply undoSteps_tame. }
    { intros [i1 at_]. tamely_.
      apply tame_then; [apply equateClosed_tame|]. intros [i2 open].
      apply tame_then; [apply solve_tame|]. intro i3.
      apply tame_then; [apply equateAll_tame|]. intro i4.
      apply tame_then; [apply witness_tame|]. intro. apply tame_ret. }
    { now apply undoSteps_blind. }
    intros [i1 at_] B1. apply simulated_then with (fun r => blind (fst r)).
    { tamely_. apply equateClosed_tame. }
    { intros [i2 open]. tamely_.
      apply tame_then; [apply solve_tame|]. intro i3.
      apply tame_then; [apply equateAll_tame|]. intro i4.
      apply tame_then; [apply witness_tame|]. intro. apply tame_ret. }
    { now apply equateClosed_blind. }
    intros [i2 open] B2. apply simulated_then with blind.
    { tamely_. apply solve_tame. }
    { intro i3. tamely_.
      apply tame_then; [apply equateAll_tame|]. intro i4.
      apply tame_then; [apply witness_tame|]. intro. apply tame_ret. }
    { unfold solveAll. eapply solve_blind; eauto. }
    intros i3 B3. apply simulated_then with blind.
    { tamely_. apply equateAll_tame. }
    { intro i4. tamely_. apply tame_then; [apply witness_tame|]. intro.
      apply tame_ret. }
    { now apply equateAll_blind. }
    intros i4 B4. apply simulated_then with blind.
    { tamely_. apply witness_tame. }
    { intro. tamely_. apply tame_ret. }
    { eapply witness_blind; eauto. }
    intros i5 B5. now apply simulated_ret.
Qed.

End ViewInversion.
