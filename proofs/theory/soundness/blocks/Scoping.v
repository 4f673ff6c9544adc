(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Steps of the walk that change nothing, and those behind which the facts that
   were in scope are there, below what is new. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export Frames.
Import ListNotations.
Open Scope Z_scope.

(* Steps that change nothing. *)

Definition still {A} (g : gen A) : Prop := forall s a s',
  g s = Some (a, s') -> s' = s.

Lemma still_ret {A} (a : A) : still (ret a).
Proof. intros s x s' H. now injection H. Qed.
Lemma still_given {A} (o : option A) : still (given o).
Proof.
  intros s x s' H. unfold given in H. destruct o; [|discriminate].
  now injection H.
Qed.
Lemma still_check b : still (check b).
Proof.
  intros s x s' H. unfold check in H. destruct b; [|discriminate].
  now injection H.
Qed.
Lemma still_then {A B} (g : gen A) (f : A -> gen B) :
  still g -> (forall a, still (f a)) -> still (andThen g f).
Proof.
  intros G F s b s'' H. apply andThen_inv in H as [a [s' [H1 H2]]].
  rewrite (F _ _ _ _ H2). eauto.
Qed.
Lemma still_mapEach {A B} (f : A -> gen B) l :
  (forall x, still (f x)) -> still (mapEach f l).
Proof.
  intro F. induction l; simpl; [apply still_ret|]. apply still_then; auto.
  intro. apply still_then; auto using @still_ret.
Qed.
Lemma still_valueOf n v : still (valueOf n v).
Proof. apply still_given. Qed.
Lemma still_siteOf n v : still (siteOf n v).
Proof. apply still_given. Qed.
Lemma still_numberOf n t v : still (numberOf n t v).
Proof.
  apply still_then; [apply still_valueOf|]. intros [t' m].
  apply still_then; [apply still_check|]. intro. apply still_given.
Qed.
Lemma still_valuesOf n vs : still (valuesOf n vs).
Proof.
  apply still_mapEach. intro v. apply still_then; [apply still_valueOf|].
  intros [t m]. apply still_ret.
Qed.
Lemma still_tensor h t : still (tensorPolys h t).
Proof.
  repeat (apply still_then; [apply still_given|intro]). apply still_ret.
Qed.
Lemma still_root h v p : still (rootPolys h v p).
Proof.
  apply still_then; [apply still_tensor|]. intros [es t].
  apply still_then; [apply still_check|]. intro. apply still_ret.
Qed.
Lemma still_partition h n p : still (partitionPolys h n p).
Proof.
  apply still_then.
  - destruct (of p); [|apply still_given].
    apply still_then; [apply still_tensor|]. intros [es t]. apply still_ret.
  - intros [v way]. apply still_then; [apply still_root|]. intros [es t].
    apply still_ret.
Qed.
Lemma still_laneOperands n es sh index mask :
  still (laneOperands n es sh index mask).
Proof.
  unfold laneOperands.
  apply still_then; [apply still_mapEach; intro; apply still_valueOf|].
  intro. apply still_then; [apply still_mapEach; intro; apply still_valueOf|].
  intro. apply still_check.
Qed.

Lemma facts_chain {A} (g : gen A) s a s' fs : scopes g ->
  g s = Some (a, s') -> (exists m, facts s = m ++ fs) ->
  exists m, facts s' = m ++ fs.
Proof.
  intros S H [m E]. destruct (S _ _ _ H) as [m' E'].
  exists (m' ++ m). now rewrite E', E, app_assoc.
Qed.

Lemma paths_tame c : tame (forEach (because Path) c).
Proof. apply tame_forEach. intro f. now apply assume_tame. Qed.
Lemma paths_scopes c : scopes (forEach (because Path) c).
Proof. apply scopes_forEach. intro f. apply assume_scopes. Qed.

Ltac step H x s1 E := apply andThen_inv in H as [x [s1 [E H]]].

(* Steps that keep the facts in scope. *)

Ltac scoped_ :=
  repeat match goal with
    | |- forall _, _ => intro
    | |- scopes (andThen _ _) => apply scopes_then
    | |- scopes (forEach _ _) => apply scopes_forEach
    | |- scopes (mapEach _ _) => apply scopes_mapEach
    | |- scopes (match ?x with _ => _ end) => destruct x
    | |- scopes (let x := _ in _) => cbv zeta
    | |- scopes _ => solve [auto with scopes]
    end.

Section Scoped.

Context (h : header).

Lemma visible_scopes : scopes visible.
Proof. intros s u s' H. injection H as _ <-. now exists []. Qed.
Lemma addSite_scopes st : scopes (addSite st).
Proof. intros s u s' H. injection H as _ <-. now exists []. Qed.
Lemma siteOf_scopes n v : scopes (siteOf n v).
Proof. apply scopes_given. Qed.
Lemma numberOf_scopes n t v : scopes (numberOf n t v).
Proof. unfold numberOf, valueOf. scoped_. Qed.
Lemma valuesOf_scopes n vs : scopes (valuesOf n vs).
Proof. unfold valuesOf, valueOf. scoped_. Qed.
Lemma root_scopes v p : scopes (rootPolys h v p).
Proof. unfold rootPolys, tensorPolys. scoped_. Qed.
Lemma view_scopes n b : scopes (viewPolys h n b).
Proof. unfold viewPolys, tensorPolys. scoped_. Qed.
Hint Resolve root_scopes view_scopes : scopes.
Lemma partition_scopes n p : scopes (partitionPolys h n p).
Proof. unfold partitionPolys. scoped_. Qed.
Lemma indexConstant_scopes x : scopes (indexConstant h x).
Proof. unfold indexConstant. scoped_. Qed.
Hint Resolve indexConstant_scopes : scopes.
Lemma indexConstants_scopes xs : scopes (indexConstants h xs).
Proof. induction xs; cbn [indexConstants]; scoped_; auto with scopes. Qed.
Hint Resolve indexConstants_scopes : scopes.
Hint Resolve visible_scopes addSite_scopes siteOf_scopes numberOf_scopes
  valuesOf_scopes partition_scopes unknown_scopes arithmetic_scopes
  division_scopes : scopes.
Lemma chosen_scopes c t a b : scopes (chosen h c t a b).
Proof. unfold chosen. scoped_. Qed.
Hint Resolve chosen_scopes : scopes.
Lemma join_scopes limit c ab : scopes (join h limit c ab).
Proof. unfold join. scoped_. Qed.
Lemma logicOp_scopes f t x y : scopes (logicOp h f t x y).
Proof.
  unfold logicOp. destruct (eqElement _ _); auto with scopes.
  apply scopes_then; [apply bitwise_scopes|]. intros [p|]; auto with scopes.
Qed.
Hint Resolve logicOp_scopes : scopes.
Lemma walkOp_scopes n t o : scopes (walkOp h n t o).
Proof.
  unfold walkOp, constantOp, indexEntry, numTiles, binaryOp, compareOp,
    selectOp, castOp, valueOf. scoped_.
Qed.
Lemma claim_scopes n p is_ : scopes (claim h n p is_).
Proof. unfold claim, bounds. scoped_. Qed.
Lemma comparedTo_scopes ps t : scopes (comparedTo ps t).
Proof. intros s u s' H. injection H as _ <-. now exists []. Qed.
Lemma spoken_scopes ps : scopes (spoken ps).
Proof.
  intros s u s' H. unfold spoken in H. destruct (forallb _ ps);
    [|discriminate]. injection H as _ <-. now exists [].
Qed.
Hint Resolve comparedTo_scopes spoken_scopes : scopes.
Lemma walkLoad_scopes n s q : scopes (walkLoad h n s q).
Proof. unfold walkLoad, lookUp, bounds, whole. scoped_. Qed.
Lemma anyLane_scopes sh : scopes (anyLane sh).
Proof. unfold anyLane. scoped_. Qed.
Lemma laneUnknown_scopes one r : scopes (laneUnknown h one r).
Proof. unfold laneUnknown, laneOfEntry. scoped_. Qed.
Hint Resolve walkOp_scopes anyLane_scopes laneUnknown_scopes : scopes.
Lemma laneOp_scopes n one o : scopes (laneOp h n one o).
Proof. unfold laneOp. scoped_. Qed.
Lemma readAt_scopes read vs at_ : (forall v at_ r, scopes (read v at_ r)) ->
  forall r, scopes (readAt read vs at_ r).
Proof.
  intro R. induction vs as [|v vs IH]; intro r; cbn [readAt]; [scoped_|].
  apply scopes_then; [apply R|]. intros [[t m] r'].
  apply scopes_then; [apply IH|]. intros [ls r'']. scoped_.
Qed.
Lemma alongAxes_scopes sh : forall p, scopes (alongAxes sh p).
Proof.
  induction sh as [|d sh IH]; intro p; cbn [alongAxes]; scoped_; apply IH.
Qed.
Lemma recast_scopes fuel : forall from to at_, scopes (recast fuel from to at_).
Proof.
  induction fuel as [|fuel IH]; intros from to at_; cbn [recast]; [scoped_|].
  destruct from, to; try (now scoped_); destruct (together _ _ _ _ _ _ _);
    (apply scopes_then; [scoped_|]; intro;
     apply scopes_then; [apply alongAxes_scopes|]; intro;
     apply scopes_then; [apply IH|]; scoped_).
Qed.
Lemma readMade_scopes read n t o at_ r :
  (forall v at_ r, scopes (read v at_ r)) ->
  scopes (readMade h read n t o at_ r).
Proof.
  intro R. unfold readMade, laneOfEntry.
  destruct (isLost _ _); [scoped_|].
  assert (Ops : forall vs, scopes (let* (l, r) := readAt read vs at_ r in
        let* e := laneOp h (bindLanes n l) (scalarType (lanes t)) o in
        let* (t, m) := laneOfEntry e in ret (t, m, r))).
  { intro vs. apply scopes_then; [now apply readAt_scopes|]. intros [l r'].
    apply scopes_then; [apply laneOp_scopes|]. intros [t' m'| |];
      cbn [laneOfEntry]; scoped_. }
  destruct o; cbn [operandsOf]; auto with scopes; try (now scoped_).
  destruct f; auto. apply scopes_then; [apply recast_scopes|]. auto.
Qed.
Lemma readLoaded_scopes read n t f at_ r :
  (forall v at_ r, scopes (read v at_ r)) ->
  scopes (readLoaded h read n t f at_ r).
Proof.
  intro R. unfold readLoaded.
  apply scopes_then; [scoped_|]. intros [[t' m] r'].
  destruct m; try (now scoped_). apply scopes_then; [|scoped_].
  destruct f as [number tl index padding|number [v|] padding];
    cbn [paddedWays]; unfold tensorPolys.
  - scoped_.
  - apply scopes_then; [apply R|]. scoped_.
  - scoped_.
Qed.
Lemma laneAt_scopes fuel n : forall v at_ r, scopes (laneAt h fuel n v at_ r).
Proof.
  induction fuel as [|fuel IH]; intros v at_ r; cbn [laneAt];
    (apply scopes_then; [unfold valueOf; scoped_|]; intros [t m];
     destruct (isScalar t); [scoped_|];
     destruct (if isInteger _ then _ else _); [scoped_|];
     apply scopes_then; [|intros [[t' m'] r']; scoped_]); [scoped_|].
  destruct (_ <? _)%N; [scoped_|]. unfold readBack.
  destruct (madeBy n v); [now apply readMade_scopes|].
  destruct (loadedBy n v); [now apply readLoaded_scopes|scoped_].
Qed.
Lemma within_scopes {A} (g : gen A) : scopes (within g).
Proof.
  intros s a s' H. unfold within, visible, release in H.
  apply andThen_inv in H as [fs [s1 [H1 H]]]. injection H1 as <- <-.
  apply andThen_inv in H as [b [s2 [H2 H]]].
  apply andThen_inv in H as [u [s3 [H3 H]]]. injection H3 as _ <-.
  injection H as _ <-. now exists [].
Qed.
Lemma walkLet_scopes n r t o : scopes (walkLet h n r t o).
Proof.
  unfold walkLet, emittedLanes. apply scopes_then; [|scoped_].
  destruct (isEmitted _ _ _); [|apply walkOp_scopes].
  apply scopes_then; [scoped_|]. intro vs.
  apply scopes_then; [unfold valueOf; scoped_|]. intro ts.
  apply scopes_then; [scoped_|]. intro u.
  apply scopes_then; [apply within_scopes|scoped_].
Qed.
Lemma laneOperands_scopes n es sh index mask :
  scopes (laneOperands n es sh index mask).
Proof. unfold laneOperands, valueOf. scoped_. Qed.
Lemma gather_scopes n t sh index mask : scopes (gather_ h n t sh index mask).
Proof.
  unfold gather_, tensorPolys.
  apply scopes_then; [scoped_|]. intros [es ten].
  apply scopes_then; [scoped_|]. intro u.
  apply scopes_then; [apply laneOperands_scopes|]. intro u'.
  apply scopes_then; [apply within_scopes|]. intro. apply unknown_scopes.
Qed.
Lemma scatter_scopes n v t sh index mask loops_ certain_ :
  scopes (scatter_ h n v t sh index mask loops_ certain_).
Proof.
  unfold scatter_, tensorPolys, valueOf.
  apply scopes_then; [scoped_|]. intros [tv mv].
  apply scopes_then; [scoped_|]. intros [es ten].
  apply scopes_then; [scoped_|]. intro u.
  apply scopes_then; [apply laneOperands_scopes|]. intro u'.
  apply within_scopes.
Qed.
Lemma combineLanes_scopes n v t sh index mask :
  scopes (combineLanes_ h n v t sh index mask).
Proof.
  unfold combineLanes_, tensorPolys, valueOf.
  apply scopes_then; [scoped_|]. intros [tv mv].
  apply scopes_then; [scoped_|]. intros [es ten].
  apply scopes_then; [scoped_|]. intro u.
  apply scopes_then; [apply laneOperands_scopes|]. intro u'.
  apply within_scopes.
Qed.
Lemma maskOf_scopes n mask at_ r : scopes (maskOf h n mask at_ r).
Proof.
  unfold maskOf. destruct mask; [|scoped_].
  apply scopes_then; [apply laneAt_scopes|]. intros [[t m] r']. scoped_.
Qed.
Lemma placeOfLane_scopes n index at_ r :
  scopes (placeOfLane h n index at_ r).
Proof.
  unfold placeOfLane. apply scopes_then.
  - apply readAt_scopes. intros. apply laneAt_scopes.
  - intros [ls r']. scoped_.
Qed.
Lemma activeLane_scopes n sh index mask r :
  scopes (activeLane h n sh index mask r).
Proof.
  unfold activeLane. apply scopes_then; [apply anyLane_scopes|]. intro at_.
  apply scopes_then; [apply maskOf_scopes|]. intros [c r'].
  apply scopes_then; [scoped_|]. intro u.
  apply scopes_then; [apply placeOfLane_scopes|]. intros [ps r'']. scoped_.
Qed.
Lemma laneBounds_scopes rl es ps : scopes (laneBounds rl es ps).
Proof. unfold laneBounds. scoped_. Qed.
Lemma combine_scopes n v p is_ : scopes (combine_ h n v p is_).
Proof. unfold combine_, valueOf, bounds. scoped_. Qed.
Lemma walkView_scopes n b st : scopes (walkView h n b st).
Proof. unfold walkView, stepOfPolys, amountPoly, emitStep. scoped_. Qed.

Lemma code_scopes :
  (forall r n trips certain, scopes (walkRegion h r n trips certain)) /\
  (forall st n trips certain, scopes (walkStatement h st n trips certain)).
Proof.
  apply code_all; cbn [walkRegion walkStatement]; intros.
  - apply valuesOf_scopes.
  - apply scopes_then; auto.
  - apply walkLet_scopes.
  - apply scopes_then; [apply walkView_scopes|]. intro. apply scopes_ret.
  - apply scopes_then; [apply claim_scopes|]. intro. apply scopes_ret.
  - apply scopes_then; [apply walkLoad_scopes|]. intro. apply scopes_ret.
  - unfold valueOf, addWrite. scoped_.
    intros s u s' H. injection H as _ <-. now exists [].
  - apply scopes_then; [apply combine_scopes|]. intro. apply scopes_ret.
  - apply scopes_then; [apply gather_scopes|]. intro. apply scopes_ret.
  - apply scopes_then; [apply scatter_scopes|]. intro. apply scopes_ret.
  - apply scopes_then; [apply combineLanes_scopes|]. intro. apply scopes_ret.
  - intros s n' s' W. steps. unfold release, visible in *.
    match goal with V : Some (facts _, _) = _ |- _ => injection V as <- <- end.
    match goal with V : Some (tt, _) = _ |- _ => injection V as _ <- end.
    match goal with M : mapEach (unknown h) _ (Scope _ _ _ _ _ _) = _ |- _ =>
      destruct (scopes_mapEach _ _ (unknown_scopes h) _ _ _ M) as [more F] end.
    match goal with O : emit LoopStep _ _ _ = _ |- _ =>
      destruct (emit_scopes _ _ _ _ _ _ O) as [more' F'] end.
    repeat match goal with N : numberOf _ _ _ ?x = Some (_, ?y) |- _ =>
      pose proof (still_numberOf _ _ _ _ _ _ N); subst y; clear N end.
    exists (more ++ more'). now rewrite F, <- app_assoc, <- F'.
  - intros s n' s' W. steps. destruct a as [tc mc]. cbv beta iota in W. steps.
    unfold release, visible in *.
    match goal with V : valueOf _ _ _ = _ |- _ =>
      apply still_valueOf in V; subst end.
    repeat match goal with
    | V : Some (facts _, _) = _ |- _ => injection V as <- <-
    | V : Some (next _, _) = _ |- _ => injection V as <- <-
    | V : Some (tt, _) = _ |- _ => injection V as _ <-
    end.
    match goal with M : mapEach (join _ _ _) _ (Scope _ _ _ _ _ _) = _ |- _ =>
      destruct (scopes_mapEach _ _ (join_scopes _ _) _ _ _ M) as [more F] end.
    exists more. exact F.
Qed.

End Scoped.
