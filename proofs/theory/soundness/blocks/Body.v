(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The code of a block: where all conditions emitted by the walk over it are
   discharged, its run gets stuck nowhere and takes only what its claims
   permit. This file has the steps of the walk that keep scopes in order. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export Operations.
Import ListNotations.
Open Scope Z_scope.

(* The walk keeps scopes in order. *)

Lemma tame_when {A} (b : bool) (f : gen A) : (b = true -> tame f) ->
  tame (let* _ := check b in f).
Proof.
  intros F s a s' H O. apply andThen_inv in H as [u [s1 [H1 H]]].
  unfold check in H1. destruct b; [|discriminate]. injection H1 as _ <-.
  exact (F eq_refl s a s' H O).
Qed.

Lemma keep_tame {A} (f : scope -> A) : tame (fun s => Some (f s, s)).
Proof. intros s a s' H O. injection H as _ <-. auto using grows_refl. Qed.

Lemma release_grows s fs :
  grows s (Scope (next s) fs (defined s) (vcs s) (sites s) (writes s)).
Proof. apply (same_grows s fs []). Qed.

(* One scope grew to another, step by step. *)
Ltac chain :=
  first
    [ eassumption
    | apply grows_refl
    | apply release_grows
    | eapply grows_trans; [first [eassumption|apply release_grows]|chain] ].

Section Tame.

Context (h : header) (Wide : 8 <= bits h <= 64).

Lemma valueOf_tame n v : tame (valueOf n v).
Proof. apply tame_given. Qed.
Lemma siteOf_tame n v : tame (siteOf n v).
Proof. apply tame_given. Qed.
Lemma numberOf_tame n t v : tame (numberOf n t v).
Proof.
  unfold numberOf. apply tame_then; [apply tame_given|]. intros [t' m].
  auto with tame.
Qed.
Lemma valuesOf_tame n vs : tame (valuesOf n vs).
Proof.
  apply tame_mapEach. intro v. apply tame_then; [apply tame_given|].
  intros [t m]. auto with tame.
Qed.
Hint Resolve valueOf_tame siteOf_tame numberOf_tame valuesOf_tame
  unknown_tame division_tame : tame.

Ltac tames :=
  repeat first
    [ solve [auto 3 with tame]
    | apply tame_when; intro
    | apply tame_then; [|intro]
    | match goal with
      | |- tame (match ?x with _ => _ end) => destruct x eqn:?
      | |- tame (let '(_, _) := ?x in _) => destruct x
      end ].

Lemma logicOp_tame f t x y : tame (logicOp h f t x y).
Proof.
  unfold logicOp. destruct (eqElement _ _); auto with tame.
  apply tame_then; [apply bitwise_tame|]. intros [p|]; auto with tame.
Qed.
Hint Resolve logicOp_tame : tame.
Lemma binaryOp_tame n f t a b : tame (binaryOp h n f t a b).
Proof.
  unfold binaryOp. apply tame_then; [auto with tame|]. intros [ta ma].
  apply tame_then; [auto with tame|]. intros [tb mb].
  apply tame_when. rewrite !andb_true_iff. intros [_ Y].
  destruct (isInteger t) eqn:I; [|tames].
  destruct ma; try (now tames). destruct mb; try (now tames).
  destruct f; tames; now apply arithmetic_tame.
Qed.
Lemma compareOp_tame n c t a b : tame (compareOp n c t a b).
Proof. unfold compareOp. tames. Qed.
Lemma chosen_tame c t a b : tame (chosen h c t a b).
Proof. unfold chosen. tames. Qed.
Lemma selectOp_tame n t c a b : tame (selectOp h n t c a b).
Proof. unfold selectOp. tames. apply chosen_tame. Qed.
Lemma castOp_tame n u from t a : tame (castOp h n u from t a).
Proof.
  unfold castOp. apply tame_then; [auto with tame|]. intros [ta m].
  apply tame_when. rewrite !andb_true_iff. intros [[[_ Y] _] _].
  destruct (isInteger t) eqn:I; [|tames].
  tames. now apply arithmetic_tame.
Qed.
Lemma indexConstant_tame x : tame (indexConstant h x).
Proof. unfold indexConstant. tames. Qed.
Hint Resolve indexConstant_tame : tame.
Lemma indexConstants_tame xs : tame (indexConstants h xs).
Proof. induction xs; cbn [indexConstants]; tames; auto. Qed.
Hint Resolve indexConstants_tame : tame.
Lemma constantOp_tame t x : tame (constantOp h t x).
Proof. unfold constantOp. tames. Qed.
Lemma tensorPolys_tame t : tame (tensorPolys h t).
Proof. unfold tensorPolys. tames. Qed.
Hint Resolve tensorPolys_tame : tame.
Lemma viewPolys_tame n b : tame (viewPolys h n b).
Proof. destruct b; simpl; tames. Qed.
Lemma rootPolys_tame v p : tame (rootPolys h v p).
Proof. unfold rootPolys. tames. Qed.
Hint Resolve viewPolys_tame rootPolys_tame : tame.
Lemma partitionPolys_tame n p : tame (partitionPolys h n p).
Proof. unfold partitionPolys. tames. Qed.
Hint Resolve partitionPolys_tame : tame.
Lemma amountPoly_tame n a : tame (amountPoly h n a).
Proof. destruct a; simpl; tames. Qed.
Hint Resolve amountPoly_tame : tame.
Lemma stepOfPolys_tame n st : tame (stepOfPolys h n st).
Proof. destruct st; simpl; tames. Qed.
Lemma emitStep_tame es st : tame (emitStep es st).
Proof.
  destruct st; simpl; tames. apply tame_forEach. intros [e [o x]]. tames.
Qed.
Hint Resolve stepOfPolys_tame emitStep_tame : tame.
Lemma walkView_tame n b st : tame (walkView h n b st).
Proof. unfold walkView. tames. Qed.
Lemma numTiles_tame n p axis : tame (numTiles h n p axis).
Proof. unfold numTiles. tames. Qed.
Lemma walkOp_tame n t o : tame (walkOp h n t o).
Proof.
  destruct o; cbn [walkOp];
    auto using constantOp_tame, binaryOp_tame, compareOp_tame, selectOp_tame,
      castOp_tame; unfold indexEntry; tames; auto using numTiles_tame.
  all: try (apply tame_forEach; intros [v ty]; tames).
  all: destruct (lanes t); tames.
Qed.
Lemma bounds_tame r es p is_ : tame (bounds r es p is_).
Proof. apply tame_forEach. intros [e [t i]]. auto with tame. Qed.
Lemma whole_tame q es p is_ : tame (whole q es p is_).
Proof.
  destruct q; simpl; [auto with tame|]. apply tame_forEach.
  intros [e [t i]]. destruct (1 <? t); auto with tame.
Qed.
Hint Resolve bounds_tame whole_tame : tame.

Lemma addSite_tame st : tame (addSite st).
Proof.
  intros s u s' H [F D S]. injection H as _ <-. split; [now split|].
  split; simpl; [lia| | | |]; try (now exists []); [|now exists [st]].
  exists []. split; [reflexivity|]. constructor. lia.
Qed.
Lemma addWrite_tame wr : tame (addWrite wr).
Proof.
  intros s u s' H [F D S]. injection H as _ <-. split; [now split|].
  split; simpl; [lia| | | |]; try (now exists []); [|now exists [wr]].
  exists []. split; [reflexivity|]. constructor. lia.
Qed.
Hint Resolve addSite_tame addWrite_tame : tame.
Lemma visible_tame : tame visible.
Proof. apply (keep_tame facts). Qed.
Hint Resolve visible_tame : tame.

Lemma claim_tame n p index : tame (claim h n p index).
Proof.
  unfold claim. apply tame_then; [auto with tame|]. intros [[v way] t].
  apply tame_then; [|auto 12 with tame]. apply tame_mapEach.
  auto with tame.
Qed.
Lemma comparedTo_tame ps t : tame (comparedTo ps t).
Proof. apply keep_tame. Qed.
Lemma spoken_tame ps : tame (spoken ps).
Proof.
  intros s u s' H O. unfold spoken in H. destruct (forallb _ ps);
    [|discriminate]. injection H as _ <-. auto using grows_refl.
Qed.
Hint Resolve comparedTo_tame spoken_tame : tame.
Lemma lookUp_tame number t at_ : tame (lookUp h number t at_).
Proof. unfold lookUp. tames; apply tame_forEach; intro; tames. Qed.
Hint Resolve lookUp_tame : tame.
Lemma walkLoad_tame n s q : tame (walkLoad h n s q).
Proof.
  destruct s as [p index|v]; cbn [walkLoad].
  - apply tame_then; [auto with tame|]. intros [[v way] t].
    apply tame_then; [apply tame_mapEach; auto with tame|]. intro is_.
    do 3 (apply tame_then; [auto with tame|]; intro).
    destruct (isInteger _); auto with tame.
  - apply tame_then; [auto with tame|]. intros s.
    apply tame_then; [auto with tame|]. intros [es t].
    apply tame_then; [|auto 12 with tame].
    destruct (mode_ t); auto with tame.
Qed.

Lemma combine_tame n v p index : tame (combine_ h n v p index).
Proof.
  unfold combine_. apply tame_then; [auto with tame|]. intros [tv mv].
  apply tame_then; [auto with tame|]. intros [[w way] t].
  apply tame_then; [|auto 12 with tame]. apply tame_mapEach.
  auto with tame.
Qed.

(* Facts that were in scope before may come back. *)
Lemma release_orderly s fs s' :
  orderly s -> orderly s' -> grows s s' -> fs = facts s ->
  orderly (Scope (next s') fs (defined s') (vcs s') (sites s') (writes s')).
Proof.
  intros [F D S] [_ D' _] G ->. split; simpl.
  - eapply Forall_impl; [|exact F]. intros f. apply boundFact_le.
    apply G.
  - exact D'.
  - destruct (growsDefined _ _ G) as [ds [-> _]].
    eapply Forall_impl; [|exact S]. intros f. apply sourced_more.
Qed.
Lemma within_tame {A} (g : gen A) : tame g -> tame (within g).
Proof.
  intros T s a s' H O. unfold within, visible, release in H. steps.
  match goal with V : Some (facts ?x, _) = _ |- _ => injection V as <- <- end.
  match goal with V : Some (tt, _) = _ |- _ => injection V as _ <- end.
  match goal with W : g _ = Some _ |- _ => destruct (T _ _ _ W O) as [O1 G1]
    end.
  split; [now apply (release_orderly s)|chain].
Qed.
Lemma anyLane_tame sh : tame (anyLane sh).
Proof.
  apply tame_mapEach. intro x. destruct (x =? 1); tames.
Qed.
Lemma laneUnknown_tame one r : tame (laneUnknown h one r).
Proof. unfold laneUnknown, laneOfEntry. tames. Qed.
Hint Resolve within_tame anyLane_tame laneUnknown_tame : tame.
Lemma laneOp_tame n one o : tame (laneOp h n one o).
Proof.
  unfold laneOp. destruct (lanes one); destruct o;
    try (apply walkOp_tame); try solve [tames];
    try (destruct f; try apply walkOp_tame; tames);
    destruct unsigned; try apply walkOp_tame; destruct from;
    try apply walkOp_tame; tames.
Qed.
Lemma readAt_tame read vs at_ :
  (forall v at_ r, tame (read v at_ r)) -> forall r, tame (readAt read vs at_
    r).
Proof.
  intro R. induction vs as [|v vs IH]; intro r; cbn [readAt]; [tames|].
  apply tame_then; [apply R|]. intros [[t m] r'].
  apply tame_then; [apply IH|]. intros [l r'']. tames.
Qed.
Lemma alongAxes_tame sh : forall p, tame (alongAxes sh p).
Proof.
  induction sh as [|d sh IH]; intro p; cbn [alongAxes]; tames; apply IH.
Qed.
Lemma recast_tame fuel : forall from to at_, tame (recast fuel from to at_).
Proof.
  induction fuel as [|fuel IH]; intros from to at_; cbn [recast];
    [auto with tame|].
  destruct from, to; try (now tames); destruct (together _ _ _ _ _ _ _);
    (apply tame_then; [auto with tame|]; intros _;
     apply tame_then; [apply alongAxes_tame|]; intro;
     apply tame_then; [apply IH|]; auto with tame).
Qed.
Lemma readMade_tame read n t o at_ r :
  (forall v at_ r, tame (read v at_ r)) -> tame (readMade h read n t o at_ r).
Proof.
  intro R. unfold readMade. destruct (isLost _ _); [tames|].
  assert (Ops : forall vs, tame (let* (l, r) := readAt read vs at_ r in
        let* e := laneOp h (bindLanes n l) (scalarType (lanes t)) o in
        let* (t, m) := laneOfEntry e in ret (t, m, r))).
  { intro vs. apply tame_then; [now apply readAt_tame|]. intros [l r'].
    apply tame_then; [apply laneOp_tame|]. intros [t' m'| |];
      cbn [laneOfEntry]; tames. }
  destruct o; cbn [operandsOf]; auto with tame.
  - apply tame_then; [tames|]. intro x. apply tame_then; [tames|]. intro y.
    destruct (lanes t) as [|nt|]; tames. apply wrapped_tame. lia.
  - destruct f; auto. apply tame_then; [apply recast_tame|]. auto.
Qed.
Lemma paddedWays_tame read n f at_ r :
  (forall v at_ r, tame (read v at_ r)) -> tame (paddedWays h read n f at_ r).
Proof.
  intro R. destruct f as [number tl index padding|number [v|] padding];
    cbn [paddedWays].
  - apply tame_then; [tames|]. intros [es t].
    apply tame_then; [apply tame_mapEach; intro; tames|]. tames.
  - apply tame_then; [apply R|]. intros [[t m] r']. tames.
  - tames.
Qed.
Lemma readLoaded_tame read n t f at_ r :
  (forall v at_ r, tame (read v at_ r)) ->
  tame (readLoaded h read n t f at_ r).
Proof.
  intro R. unfold readLoaded.
  apply tame_then; [tames|]. intros [[t' m] r'].
  destruct m; auto with tame.
  apply tame_then; [now apply paddedWays_tame|]. intros [ways r''].
  apply tame_then; [apply tame_forEach; auto with tame|]. tames.
Qed.
Lemma laneAt_tame fuel n : forall v at_ r, tame (laneAt h fuel n v at_ r).
Proof.
  induction fuel as [|fuel IH]; intros v at_ r; cbn [laneAt];
    (apply tame_then; [tames|]; intros [t m]; destruct (isScalar t); [tames|];
     destruct (if isInteger _ then _ else _); [tames|];
     apply tame_then; [|intros [[t' m'] r']; tames]); [tames|].
  destruct (_ <? _)%N; [tames|]. unfold readBack.
  destruct (madeBy n v); [now apply readMade_tame|].
  destruct (loadedBy n v); [now apply readLoaded_tame|tames].
Qed.
Lemma readLane_tame n v at_ r : tame (readLane h n v at_ r).
Proof. apply laneAt_tame. Qed.
Lemma emittedLane_tame n t vs o : tame (emittedLane h n t vs o).
Proof.
  unfold emittedLane. apply tame_then; [tames|]. intro at_.
  apply tame_then; [apply readAt_tame, readLane_tame|]. intros [l r].
  apply walkOp_tame.
Qed.
Lemma walkLet_tame n r t o : tame (walkLet h n r t o).
Proof.
  unfold walkLet. apply tame_then; [|tames].
  destruct (isEmitted _ _ _); [|apply walkOp_tame]. unfold emittedLanes.
  apply tame_then; [tames|]. intro vs. apply tame_then; [tames|]. intro ts.
  apply tame_then; [tames|]. intros _.
  apply tame_then; [apply within_tame, emittedLane_tame|tames].
Qed.
Lemma maskOf_tame n mask at_ r : tame (maskOf h n mask at_ r).
Proof.
  unfold maskOf. destruct mask; [|tames].
  apply tame_then; [apply readLane_tame|]. intros [[t' m'] r']. tames.
Qed.
Lemma placeOfLane_tame n index at_ r : tame (placeOfLane h n index at_ r).
Proof.
  unfold placeOfLane.
  apply tame_then; [apply readAt_tame, readLane_tame|]. intros [l r'].
  apply tame_then; [apply tame_mapEach; tames|]. tames.
Qed.
Lemma maskFacts_tame mask c : tame (forEach (because Path) (maskFacts mask c)).
Proof. apply tame_forEach. tames. Qed.
Lemma activeLane_tame n sh index mask r :
  tame (activeLane h n sh index mask r).
Proof.
  unfold activeLane. apply tame_then; [tames|]. intro at_.
  apply tame_then; [apply maskOf_tame|]. intros [c r'].
  apply tame_then; [apply maskFacts_tame|]. intros _.
  apply tame_then; [apply placeOfLane_tame|]. intros [ps r'']. tames.
Qed.
Lemma laneBounds_tame rl es ps : tame (laneBounds rl es ps).
Proof. unfold laneBounds. apply tame_forEach. tames. Qed.
Lemma boundedLane_tame b n es sh index mask :
  tame (boundedLane h b n es sh index mask).
Proof.
  unfold boundedLane. apply tame_then; [apply activeLane_tame|].
  intros [[[at_ c] ps] r]. apply laneBounds_tame.
Qed.
Lemma laneOperands_tame n es sh index mask :
  tame (laneOperands n es sh index mask).
Proof. unfold laneOperands. tames; apply tame_mapEach; tames. Qed.
Lemma gather_tame n t sh index mask : tame (gather_ h n t sh index mask).
Proof.
  unfold gather_. apply tame_then; [tames|]. intros [es ten].
  apply tame_then; [tames|]. intros _.
  apply tame_then; [apply laneOperands_tame|]. intros _.
  apply tame_then; [apply within_tame, boundedLane_tame|tames].
Qed.
Lemma combineLanes_tame n v t sh index mask :
  tame (combineLanes_ h n v t sh index mask).
Proof.
  unfold combineLanes_. apply tame_then; [tames|]. intros [tv mv].
  apply tame_then; [tames|]. intros [es ten].
  apply tame_then; [tames|]. intros _.
  apply tame_then; [apply laneOperands_tame|]. intros _.
  apply within_tame, boundedLane_tame.
Qed.
(* Behind the claim of a lane: that no other lane is there. *)
Lemma otherLane_tame n sh index mask r lane ps :
  tame (let* (other, _, qs, _) := activeLane h n sh index mask r in
        let* _ := because Distinct (lanesDiffer lane other) in
        let* _ := forEach (because Region) (lanesMeet ps qs) in
        emit ScatterLanes (constant (-1)) false).
Proof.
  apply tame_then; [apply activeLane_tame|]. intros [[[other c] qs] r'].
  apply tame_then; [tames|]. intros _.
  apply tame_then; [apply tame_forEach; tames|]. tames.
Qed.
Lemma scatterLane_tame n t es sh index mask loops_ certain_ :
  tame (scatterLane h n t es sh index mask loops_ certain_).
Proof.
  unfold scatterLane. apply tame_then; [apply activeLane_tame|].
  intros [[[lane c] ps] r]. apply tame_then; [apply laneBounds_tame|].
  intros _. apply tame_then; [tames|]. intro fs.
  apply tame_then; [tames|]. intros _. apply tame_then; [tames|]. intros _.
  apply otherLane_tame.
Qed.
Lemma scatter_tame n v t sh index mask loops_ certain_ :
  tame (scatter_ h n v t sh index mask loops_ certain_).
Proof.
  unfold scatter_. apply tame_then; [tames|]. intros [tv mv].
  apply tame_then; [tames|]. intros [es ten].
  apply tame_then; [tames|]. intros _.
  apply tame_then; [apply laneOperands_tame|]. intros _.
  apply within_tame, scatterLane_tame.
Qed.

Lemma forEach_because_tame src fs : tame (forEach (because src) fs).
Proof. apply tame_forEach. auto with tame. Qed.
Lemma mapEach_unknown_tame ts : tame (mapEach (unknown h) ts).
Proof. apply tame_mapEach. auto with tame. Qed.
Lemma join_tame limit c ab : tame (join h limit c ab).
Proof.
  destruct ab as [[t [x| |]| |] [t' [y| |]| |]]; simpl; auto with tame.
  destruct (_ && _); auto using chosen_tame with tame.
Qed.
Hint Resolve forEach_because_tame mapEach_unknown_tame join_tame : tame.

(* The scope in which facts come back is in order. *)
Ltac back_in_scope :=
  match goal with
  | _ : _ (Scope (next ?b) (facts ?a) (defined ?b) (vcs ?b) (sites ?b)
             (writes ?b)) = Some _ |- _ =>
      lazymatch goal with
      | _ : orderly (Scope (next b) (facts a) (defined b) (vcs b) (sites b)
                       (writes b)) |- _ => fail
      | _ =>
          assert (orderly (Scope (next b) (facts a) (defined b) (vcs b)
                             (sites b) (writes b)))
            by (apply (release_orderly a);
                [assumption|assumption|chain|reflexivity])
      end
  end.

Scheme region_both := Induction for region Sort Prop
  with statement_both := Induction for statement Sort Prop.
Combined Scheme code_both from region_both, statement_both.

Lemma code_tame :
  (forall r n trips certain, tame (walkRegion h r n trips certain)) /\
  (forall st n trips certain, tame (walkStatement h st n trips certain)).
Proof.
  apply code_both; cbn [walkRegion walkStatement]; intros.
  - auto with tame.
  - auto with tame.
  - apply walkLet_tame.
  - apply tame_then; auto using walkView_tame with tame.
  - apply tame_then; auto using claim_tame with tame.
  - apply tame_then; auto using walkLoad_tame with tame.
  - apply tame_then; [auto with tame|]. intros st.
    apply tame_then; [auto with tame|]. intros [t m].
    apply tame_then; [auto with tame|]. intros [es ten].
    auto 12 with tame.
  - apply tame_then; auto using combine_tame with tame.
  - apply tame_then; auto using gather_tame with tame.
  - apply tame_then; auto using scatter_tame with tame.
  - apply tame_then; auto using combineLanes_tame with tame.
  - intros s n' s' W O. steps. unfold release, visible in *.
    match goal with V : Some (facts ?x, _) = _ |- _ => injection V as <- <- end.
    match goal with V : Some (tt, _) = _ |- _ => injection V as _ <- end.
    tamely.
    back_in_scope. tamely. split; [assumption|].
    chain.
  - intros s n' s' W O. steps. destruct a as [tc mc]. steps.
    unfold release, visible in *.
    repeat match goal with
    | V : Some (facts ?x, _) = _ |- _ => injection V as <- <-
    | V : Some (next ?x, _) = _ |- _ => injection V as <- <-
    | V : Some (tt, _) = _ |- _ => injection V as _ <-
    end.
    tamely. back_in_scope. tamely. back_in_scope. tamely.
    split; [assumption|chain].
Qed.

End Tame.
