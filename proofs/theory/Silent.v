(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Steps of the walk that note no claim, no store, or look nothing up. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export Body.
Import ListNotations.
Open Scope Z_scope.

(* Steps that leave a part of the scope as it was: its claims, or its stores. *)

Class Noted {X} (part : scope -> X) : Prop := is_noted : forall s s',
  sites s = sites s' -> writes s = writes s' -> part s = part s'.
#[export] Instance noted_sites : Noted sites.
Proof. intros s s' S _. exact S. Qed.
#[export] Instance noted_writes : Noted writes.
Proof. intros s s' _ W. exact W. Qed.

(* Likewise what is looked up. *)
Class Kept {X} (part : scope -> X) : Prop := is_kept : forall s s',
  sites s = sites s' -> writes s = writes s' ->
  lookups (facts s) = lookups (facts s') -> part s = part s'.
#[export] Instance kept_noted {X} (part : scope -> X) :
  Noted part -> Kept part.
Proof. intros N s s' S W _. now apply N. Qed.
Definition looks (s : scope) : list lookup := lookups (facts s).
#[export] Instance kept_looks : Kept looks.
Proof. intros s s' _ _ L. exact L. Qed.

(* Reasons that say nothing of what is looked up. *)
Class Unlooked (r : reason) : Prop := is_unlooked :
  forall f, lookupOf (Scoped f r) = [].
#[export] Hint Extern 0 (Unlooked _) => intros ?; reflexivity
  : typeclass_instances.

Definition keeps {X} (part : scope -> X) {A} (g : gen A) : Prop :=
  forall s a s', g s = Some (a, s') -> part s' = part s.
Notation silent := (keeps writes).
Notation mute := (keeps sites).

Section Keeps.

Context {X : Type} {part : scope -> X} {P : Kept part}.
Notation keeping := (keeps part).

Lemma silent_ret {A} (a : A) : keeping (ret a).
Proof. intros s x s' H. now injection H as _ <-. Qed.
Lemma silent_fail {A} : keeping (@fail A).
Proof. intros s x s' H. discriminate. Qed.
Lemma silent_given {A} (o : option A) : keeping (given o).
Proof.
  intros s x s' H. unfold given in H. destruct o; [|discriminate].
  now injection H as _ <-.
Qed.
Lemma silent_check b : keeping (check b).
Proof.
  intros s x s' H. unfold check in H. destruct b; [|discriminate].
  now injection H as _ <-.
Qed.
Lemma silent_then {A B} (g : gen A) (f : A -> gen B) :
  keeping g -> (forall a, keeping (f a)) -> keeping (andThen g f).
Proof.
  intros G F s b s'' H. apply andThen_inv in H as [a [s' [H1 H2]]].
  rewrite (F _ _ _ _ H2). eauto.
Qed.
Lemma silent_forEach {A} (f : A -> gen unit) l :
  (forall x, keeping (f x)) -> keeping (forEach f l).
Proof.
  intro F. induction l; simpl; [apply silent_ret|]. apply silent_then; auto.
Qed.
Lemma silent_mapEach {A B} (f : A -> gen B) l :
  (forall x, keeping (f x)) -> keeping (mapEach f l).
Proof.
  intro F. induction l; simpl; [apply silent_ret|]. apply silent_then; auto.
  intro. apply silent_then; auto using @silent_ret.
Qed.
Lemma silent_assume f r {U : Unlooked r} : keeping (assume f r).
Proof.
  intros s u s' H. apply assume_inv in H as [_ ->]. apply is_kept; auto.
  simpl. now rewrite U.
Qed.
Lemma silent_fresh : keeping fresh_.
Proof. intros s u s' H. injection H as _ <-. now apply is_kept. Qed.
Lemma silent_visible : keeping visible.
Proof. intros s u s' H. now injection H as _ <-. Qed.
Lemma silent_owe r goal remember : keeping (owe r goal remember).
Proof.
  intros s u s' H. apply owe_inv in H as [_ [fs [-> R]]]. apply is_kept; auto.
  destruct R as [->|[_ [i ->]]]; reflexivity.
Qed.
Lemma silent_define k args count : keeping (define_ k args count).
Proof.
  intros s rs s' H. unfold define_ in H.
  destruct (findDefinition _ _ _); [now injection H as _ <-|].
  destruct (forallb _ args); [|discriminate].
  apply andThen_inv in H as [vs [s1 [H1 H]]].
  apply andThen_inv in H as [u [s2 [H2 H]]].
  apply andThen_inv in H as [u' [s3 [H3 H]]].
  injection H as _ <-. apply fresh_many in H1 as [_ [_ [_ [_ E]]]].
  injection H2 as _ <-. apply introduce_inv in H3 as [_ [new [-> [M _]]]].
  rewrite E. apply is_kept; auto. simpl. unfold lookups. rewrite flat_map_app.
  replace (flat_map lookupOf new) with (@nil lookup); [reflexivity|].
  clear - M. induction M as [|f fs [_ [part_ R]] M IH]; [reflexivity|].
  simpl. unfold lookupOf at 1. now rewrite R.
Qed.

End Keeps.

Lemma silent_looked {X} {part : scope -> X} {P : Noted part} f r :
  keeps part (assume f r).
Proof.
  intros s u s' H. apply assume_inv in H as [_ ->]. now apply is_noted.
Qed.
Lemma silent_release {X} {part : scope -> X} {P : Noted part} fs :
  keeps part (release fs).
Proof. intros s u s' H. injection H as _ <-. now apply is_noted. Qed.

Lemma silent_addSite st : silent (addSite st).
Proof. intros s u s' H. now injection H as _ <-. Qed.
Lemma mute_addWrite w : mute (addWrite w).
Proof. intros s u s' H. now injection H as _ <-. Qed.

Create HintDb silence.
#[export] Hint Resolve silent_ret silent_fail silent_given silent_check
  silent_assume silent_fresh silent_visible silent_owe silent_define
  silent_looked silent_release silent_addSite mute_addWrite noted_sites
  noted_writes kept_noted kept_looks : silence.
#[export] Hint Extern 0 (Unlooked _) => intros ?; reflexivity : silence.

Ltac silent :=
  repeat match goal with
    | |- forall _, _ => intro
    | |- keeps _ (andThen _ _) => apply silent_then
    | |- keeps _ (forEach _ _) => apply silent_forEach
    | |- keeps _ (mapEach _ _) => apply silent_mapEach
    | |- keeps _ (because _ _) => unfold because
    | |- keeps _ (match ?x with _ => _ end) => destruct x
    | |- keeps _ (let x := _ in _) => cbv zeta
    | |- keeps _ _ => solve [auto with silence]
    end.

Section Choices.

Context {X : Type} {part : scope -> X} {P : Kept part}.

Lemma silent_divide a d : keeps part (divide a d).
Proof. unfold divide, quotient. silent. Qed.
Lemma silent_select c a b : keeps part (select c a b).
Proof. unfold select. silent. Qed.
Lemma silent_wrapped e n : keeps part (wrapped e n).
Proof. unfold wrapped. silent. Qed.
Hint Resolve silent_divide silent_select silent_wrapped : silence.
Lemma silent_choice c : forall a b, keeps part (choice c a b).
Proof. induction c; intros; cbn [choice]; silent; auto. Qed.

Lemma silent_aliased p : keeps part (aliased p).
Proof. unfold aliased. silent. Qed.
Hint Resolve silent_choice : silence.
Lemma silent_proveCond r c : keeps part (proveCond r c).
Proof. induction c; cbn [proveCond]; silent; auto. Qed.

End Choices.

#[export] Hint Resolve silent_divide silent_select silent_wrapped silent_choice
  silent_aliased silent_proveCond : silence.

Section Silent.

Context {X : Type} {part : scope -> X} {P : Kept part} (h : header).

Lemma silent_unknown t : keeps part (unknown h t).
Proof. unfold unknown. silent. Qed.
Lemma silent_valueOf n v : keeps part (valueOf n v).
Proof. unfold valueOf. silent. Qed.
Hint Resolve silent_unknown silent_valueOf : silence.
Lemma silent_siteOf n v : keeps part (siteOf n v).
Proof. unfold siteOf. silent. Qed.
Lemma silent_numberOf n t v : keeps part (numberOf n t v).
Proof. unfold numberOf. silent. Qed.
Lemma silent_root v p : keeps part (rootPolys h v p).
Proof. unfold rootPolys, tensorPolys. silent. Qed.
Lemma silent_view n b : keeps part (viewPolys h n b).
Proof. unfold viewPolys, tensorPolys. silent. Qed.
Hint Resolve silent_root silent_view : silence.
Lemma silent_partition n p : keeps part (partitionPolys h n p).
Proof. unfold partitionPolys. silent. Qed.
Lemma silent_valuesOf n vs : keeps part (valuesOf n vs).
Proof. unfold valuesOf. silent. Qed.
Hint Resolve silent_siteOf silent_numberOf silent_partition silent_valuesOf
  : silence.
Lemma silent_arithmetic t p : keeps part (arithmetic h t p).
Proof. unfold arithmetic. silent. Qed.
Lemma silent_chosen c t a b : keeps part (chosen h c t a b).
Proof. unfold chosen. silent. Qed.
Lemma silent_halve k : forall p, keeps part (halve k p).
Proof. induction k; intro p; cbn [halve]; silent; auto. Qed.
Lemma silent_bitBy f a b : keeps part (bitBy f a b).
Proof. unfold bitBy. silent. Qed.
Hint Resolve silent_halve silent_bitBy : silence.
Lemma silent_bitsBy f above : forall xs ys, keeps part (bitsBy f xs ys above).
Proof. induction xs; intros [|y ys]; cbn [bitsBy]; silent; auto. Qed.
Hint Resolve silent_bitsBy : silence.
Lemma silent_bitwise f x y : keeps part (bitwise f x y).
Proof. unfold bitwise. silent. Qed.
Hint Resolve silent_bitwise : silence.
Lemma silent_logicOp f t x y : keeps part (logicOp h f t x y).
Proof. unfold logicOp. silent. Qed.
Hint Resolve silent_arithmetic silent_chosen silent_logicOp : silence.
Lemma silent_join limit c ab : keeps part (join h limit c ab).
Proof. unfold join. silent. Qed.
Lemma silent_indexConstant x : keeps part (indexConstant h x).
Proof. unfold indexConstant. silent. Qed.
Hint Resolve silent_indexConstant : silence.
Lemma silent_indexConstants xs : keeps part (indexConstants h xs).
Proof. induction xs; cbn [indexConstants]; silent; auto. Qed.
Hint Resolve silent_indexConstants : silence.
Lemma silent_walkOp n t o : keeps part (walkOp h n t o).
Proof.
  unfold walkOp, constantOp, indexEntry, numTiles, binaryOp, compareOp,
    selectOp, castOp, division. silent.
Qed.
Lemma silent_bounds r es p is_ : keeps part (bounds r es p is_).
Proof. unfold bounds. silent. Qed.
Lemma silent_whole q es p is_ : keeps part (whole q es p is_).
Proof. unfold whole. silent. Qed.
Hint Resolve silent_bounds silent_whole : silence.
Lemma silent_combine n v p is_ : keeps part (combine_ h n v p is_).
Proof. unfold combine_. silent. Qed.
Lemma silent_anyLane sh : keeps part (anyLane sh).
Proof. unfold anyLane. silent. Qed.
Lemma silent_laneUnknown one r : keeps part (laneUnknown h one r).
Proof. unfold laneUnknown, laneOfEntry. silent. Qed.
Hint Resolve silent_walkOp silent_anyLane silent_laneUnknown : silence.
Lemma silent_laneOp n one o : keeps part (laneOp h n one o).
Proof. unfold laneOp. silent. Qed.
Lemma silent_readAt read vs at_ : (forall v at_ r, keeps part (read v at_ r)) ->
  forall r, keeps part (readAt read vs at_ r).
Proof.
  intro R. induction vs as [|v vs IH]; intro r; cbn [readAt]; [silent|].
  apply silent_then; [apply R|]. intros [[t m] r'].
  apply silent_then; [apply IH|]. intros [ls r'']. silent.
Qed.
Lemma silent_alongAxes sh : forall p, keeps part (alongAxes sh p).
Proof.
  induction sh as [|d sh IH]; intro p; cbn [alongAxes]; silent; apply IH.
Qed.
Lemma silent_recast fuel : forall from to at_,
  keeps part (recast fuel from to at_).
Proof.
  induction fuel as [|fuel IH]; intros from to at_; cbn [recast]; [silent|].
  destruct from, to; try (now silent); destruct (together _ _ _ _ _ _ _);
    (apply silent_then; [silent|]; intro;
     apply silent_then; [apply silent_alongAxes|]; intro;
     apply silent_then; [apply IH|]; silent).
Qed.
Lemma silent_readMade read n t o at_ r :
  (forall v at_ r, keeps part (read v at_ r)) ->
  keeps part (readMade h read n t o at_ r).
Proof.
  intro R. unfold readMade, laneOfEntry.
  destruct (isLost _ _); [silent|].
  destruct o; cbn [operandsOf]; auto;
    repeat match goal with
      | |- forall _, _ => intro
      | |- keeps _ (andThen (readAt _ _ _ _) _) =>
          apply silent_then; [now apply silent_readAt|]
      | |- keeps _ (andThen (laneOp _ _ _ _) _) =>
          apply silent_then; [apply silent_laneOp|]
      | |- keeps _ (andThen (recast _ _ _ _) _) =>
          apply silent_then; [apply silent_recast|]
      | |- keeps _ (match ?x with _ => _ end) => destruct x
      | |- _ => progress silent
      end.
Qed.
Lemma silent_readFetched read n t f at_ r :
  (forall v at_ r, keeps part (read v at_ r)) ->
  keeps part (readFetched h read n t f at_ r).
Proof.
  intro R. unfold readFetched.
  apply silent_then; [silent|]. intros [[t' m] r'].
  destruct m; try (now silent). apply silent_then; [|silent].
  destruct f as [number tl index padded|number [v|]];
    cbn [paddedWays]; unfold tensorPolys, numberOf.
  - silent.
  - apply silent_then; [apply R|]. silent.
  - silent.
Qed.
Lemma silent_laneAt fuel n : forall v at_ r, keeps part (laneAt h fuel n v at_
  r).
Proof.
  induction fuel as [|fuel IH]; intros v at_ r; cbn [laneAt];
    (apply silent_then; [silent|]; intros [t m]; destruct (isScalar t);
      [silent|];
     destruct (if isInteger _ then _ else _); [silent|];
     apply silent_then; [|intros [[t' m'] r']; silent]); [silent|].
  destruct (_ <? _)%N; [silent|]. unfold readBack.
  destruct (madeBy n v); [now apply silent_readMade|].
  destruct (fetchedBy n v); [now apply silent_readFetched|silent].
Qed.
Lemma silent_owedLane n t vs o : keeps part (owedLane h n t vs o).
Proof.
  unfold owedLane. apply silent_then; [silent|]. intro at_.
  apply silent_then; [apply silent_readAt; intros; apply silent_laneAt|].
  intros [ls rd]. silent.
Qed.
Lemma silent_maskOf n mask at_ r : keeps part (maskOf h n mask at_ r).
Proof.
  unfold maskOf. destruct mask; [|silent].
  apply silent_then; [apply silent_laneAt|]. silent.
Qed.
Lemma silent_placeOfLane n index at_ r :
  keeps part (placeOfLane h n index at_ r).
Proof.
  unfold placeOfLane.
  apply silent_then; [apply silent_readAt; intros; apply silent_laneAt|].
  intros [ls r']. silent.
Qed.
Lemma silent_activeLane n sh index mask r :
  keeps part (activeLane h n sh index mask r).
Proof.
  unfold activeLane. apply silent_then; [silent|]. intro at_.
  apply silent_then; [apply silent_maskOf|]. intros [c rd].
  apply silent_then; [silent|]. intro u.
  apply silent_then; [apply silent_placeOfLane|]. intros [ps rd']. silent.
Qed.
Lemma silent_laneBounds rl es ps : keeps part (laneBounds rl es ps).
Proof. unfold laneBounds. silent. Qed.
Lemma silent_gatherLane n es sh index mask :
  keeps part (gatherLane h n es sh index mask).
Proof.
  unfold gatherLane. apply silent_then; [apply silent_activeLane|].
  intros [[[at_ c] ps] r]. apply silent_laneBounds.
Qed.
Lemma silent_laneOperands n es sh index mask :
  keeps part (laneOperands n es sh index mask).
Proof. unfold laneOperands. silent. Qed.
Lemma silent_otherLane n sh index mask r lane ps :
  keeps part
    (let* (other, _, qs, _) := activeLane h n sh index mask r in
     let* _ := because Distinct (lanesDiffer lane other) in
     let* _ := forEach (because Region) (lanesMeet ps qs) in
     owe ScatterLanes (constant (-1)) false).
Proof.
  apply silent_then; [apply silent_activeLane|]. intros [[[other c] qs] r'].
  silent.
Qed.
Lemma silent_walkView n b st : keeps part (walkView h n b st).
Proof. unfold walkView, stepOfPolys, amountPoly, oweStep. silent. Qed.

End Silent.

Lemma silent_comparedTo {X} {part : scope -> X} ps t :
  keeps part (comparedTo ps t).
Proof. intros s u s' H. now injection H as _ <-. Qed.
Lemma silent_spoken {X} {part : scope -> X} ps : keeps part (spoken ps).
Proof.
  intros s u s' H. unfold spoken in H. destruct (forallb _ ps);
    [|discriminate]. now injection H as _ <-.
Qed.
#[export] Hint Resolve silent_comparedTo silent_spoken : silence.

#[export] Hint Resolve silent_unknown silent_valueOf silent_siteOf
  silent_numberOf silent_root silent_partition silent_valuesOf silent_join
  silent_walkOp
  silent_bounds silent_whole silent_combine : silence.

(* The facts within a step are gone behind it. *)
Lemma silent_within {X} {part : scope -> X} {P : Kept part} {A} (g : gen A) :
  keeps sites g -> keeps writes g -> keeps part (within g).
Proof.
  intros Gs Gw s a s' H. unfold within, visible, release in H.
  apply andThen_inv in H as [fs [s1 [H1 H]]]. injection H1 as <- <-.
  apply andThen_inv in H as [b [s2 [H2 H]]].
  apply andThen_inv in H as [u [s3 [H3 H]]]. injection H3 as _ <-.
  injection H as _ <-. apply is_kept; [|  |reflexivity].
  - exact (Gs _ _ _ H2).
  - exact (Gw _ _ _ H2).
Qed.
Lemma silent_owedLanes {X} {part : scope -> X} {P : Kept part} h n t o :
  keeps part (owedLanes h n t o).
Proof.
  unfold owedLanes.
  apply silent_then; [silent|]. intro vs. apply silent_then; [silent|].
  intro ts. apply silent_then; [silent|]. intro u. apply silent_then; [|silent].
  apply silent_within; apply silent_owedLane; auto with silence.
Qed.
Lemma silent_walkLet {X} {part : scope -> X} {P : Kept part} h n r t o :
  keeps part (walkLet h n r t o).
Proof.
  unfold walkLet. apply silent_then; [|silent].
  destruct (isOwed _ _ _); [apply silent_owedLanes|silent].
Qed.
Lemma silent_gather {X} {part : scope -> X} {P : Kept part} h n t sh index
  mask : keeps part (gather_ h n t sh index mask).
Proof.
  unfold gather_, tensorPolys.
  repeat (apply silent_then; [now silent|intro]).
  destruct a as [es ten].
  apply silent_then; [now silent|intro].
  apply silent_then; [apply silent_laneOperands|intro].
  apply silent_then; [|silent].
  apply silent_within; apply silent_gatherLane; auto with silence.
Qed.
#[export] Hint Resolve silent_walkLet silent_gather : silence.

Lemma silent_walkLoad {X} {part : scope -> X} {P : Noted part} h n s q :
  keeps part (walkLoad h n s q).
Proof. unfold walkLoad, lookUp. silent. Qed.
#[export] Hint Resolve silent_walkLoad : silence.

Lemma silent_claim h n p is_ : silent (claim h n p is_).
Proof. unfold claim. silent. Qed.
