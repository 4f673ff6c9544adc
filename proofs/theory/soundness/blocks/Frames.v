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
Class NoLookup (r : reason) : Prop := is_noLookup :
  forall f, lookupOf (Scoped f r) = [].
#[export] Hint Extern 0 (NoLookup _) => intros ?; reflexivity
  : typeclass_instances.

Definition keeps {X} (part : scope -> X) {A} (g : gen A) : Prop :=
  forall s a s', g s = Some (a, s') -> part s' = part s.
Notation writesNothing := (keeps writes).
Notation claimsNothing := (keeps sites).

Section Keeps.

Context {X : Type} {part : scope -> X} {P : Kept part}.
Notation keeping := (keeps part).

Lemma keep_ret {A} (a : A) : keeping (ret a).
Proof. intros s x s' H. now injection H as _ <-. Qed.
Lemma keep_fail {A} : keeping (@fail A).
Proof. intros s x s' H. discriminate. Qed.
Lemma keep_given {A} (o : option A) : keeping (given o).
Proof.
  intros s x s' H. unfold given in H. destruct o; [|discriminate].
  now injection H as _ <-.
Qed.
Lemma keep_check b : keeping (check b).
Proof.
  intros s x s' H. unfold check in H. destruct b; [|discriminate].
  now injection H as _ <-.
Qed.
Lemma keep_then {A B} (g : gen A) (f : A -> gen B) :
  keeping g -> (forall a, keeping (f a)) -> keeping (andThen g f).
Proof.
  intros G F s b s'' H. apply andThen_inv in H as [a [s' [H1 H2]]].
  rewrite (F _ _ _ _ H2). eauto.
Qed.
Lemma keep_forEach {A} (f : A -> gen unit) l :
  (forall x, keeping (f x)) -> keeping (forEach f l).
Proof.
  intro F. induction l; simpl; [apply keep_ret|]. apply keep_then; auto.
Qed.
Lemma keep_mapEach {A B} (f : A -> gen B) l :
  (forall x, keeping (f x)) -> keeping (mapEach f l).
Proof.
  intro F. induction l; simpl; [apply keep_ret|]. apply keep_then; auto.
  intro. apply keep_then; auto using @keep_ret.
Qed.
Lemma keep_assume f r {U : NoLookup r} : keeping (assume f r).
Proof.
  intros s u s' H. apply assume_inv in H as [_ ->]. apply is_kept; auto.
  simpl. now rewrite U.
Qed.
Lemma keep_fresh : keeping fresh_.
Proof. intros s u s' H. injection H as _ <-. now apply is_kept. Qed.
Lemma keep_visible : keeping visible.
Proof. intros s u s' H. now injection H as _ <-. Qed.
Lemma keep_emit r goal remember : keeping (emit r goal remember).
Proof.
  intros s u s' H. apply emit_inv in H as [_ [fs [-> R]]]. apply is_kept; auto.
  destruct R as [->|[_ [i ->]]]; reflexivity.
Qed.
Lemma keep_define k args count : keeping (define_ k args count).
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

Lemma keep_lookup {X} {part : scope -> X} {P : Noted part} f r :
  keeps part (assume f r).
Proof.
  intros s u s' H. apply assume_inv in H as [_ ->]. now apply is_noted.
Qed.
Lemma keep_release {X} {part : scope -> X} {P : Noted part} fs :
  keeps part (release fs).
Proof. intros s u s' H. injection H as _ <-. now apply is_noted. Qed.

Lemma keep_addSite st : writesNothing (addSite st).
Proof. intros s u s' H. now injection H as _ <-. Qed.
Lemma mute_addWrite w : claimsNothing (addWrite w).
Proof. intros s u s' H. now injection H as _ <-. Qed.

Create HintDb silence.
#[export] Hint Resolve keep_ret keep_fail keep_given keep_check
  keep_assume keep_fresh keep_visible keep_emit keep_define
  keep_lookup keep_release keep_addSite mute_addWrite noted_sites
  noted_writes kept_noted kept_looks : silence.
#[export] Hint Extern 0 (NoLookup _) => intros ?; reflexivity : silence.

Ltac writesNothing :=
  repeat match goal with
    | |- forall _, _ => intro
    | |- keeps _ (andThen _ _) => apply keep_then
    | |- keeps _ (forEach _ _) => apply keep_forEach
    | |- keeps _ (mapEach _ _) => apply keep_mapEach
    | |- keeps _ (because _ _) => unfold because
    | |- keeps _ (match ?x with _ => _ end) => destruct x
    | |- keeps _ (let x := _ in _) => cbv zeta
    | |- keeps _ _ => solve [auto with silence]
    end.

Section Choices.

Context {X : Type} {part : scope -> X} {P : Kept part}.

Lemma keep_divide a d : keeps part (divide a d).
Proof. unfold divide, quotient. writesNothing. Qed.
Lemma keep_select c a b : keeps part (select c a b).
Proof. unfold select. writesNothing. Qed.
Lemma keep_wrapped e n : keeps part (wrapped e n).
Proof. unfold wrapped. writesNothing. Qed.
Hint Resolve keep_divide keep_select keep_wrapped : silence.
Lemma keep_choice c : forall a b, keeps part (choice c a b).
Proof. induction c; intros; cbn [choice]; writesNothing; auto. Qed.

Lemma keep_aliased p : keeps part (aliased p).
Proof. unfold aliased. writesNothing. Qed.
Hint Resolve keep_choice : silence.
Lemma keep_proveCond r c : keeps part (proveCond r c).
Proof. induction c; cbn [proveCond]; writesNothing; auto. Qed.

End Choices.

#[export] Hint Resolve keep_divide keep_select keep_wrapped keep_choice
  keep_aliased keep_proveCond : silence.

Section Frames.

Context {X : Type} {part : scope -> X} {P : Kept part} (h : header).

Lemma keep_unknown t : keeps part (unknown h t).
Proof. unfold unknown. writesNothing. Qed.
Lemma keep_valueOf n v : keeps part (valueOf n v).
Proof. unfold valueOf. writesNothing. Qed.
Hint Resolve keep_unknown keep_valueOf : silence.
Lemma keep_siteOf n v : keeps part (siteOf n v).
Proof. unfold siteOf. writesNothing. Qed.
Lemma keep_numberOf n t v : keeps part (numberOf n t v).
Proof. unfold numberOf. writesNothing. Qed.
Lemma keep_root v p : keeps part (rootPolys h v p).
Proof. unfold rootPolys, tensorPolys. writesNothing. Qed.
Lemma keep_view n b : keeps part (viewPolys h n b).
Proof. unfold viewPolys, tensorPolys. writesNothing. Qed.
Hint Resolve keep_root keep_view : silence.
Lemma keep_partition n p : keeps part (partitionPolys h n p).
Proof. unfold partitionPolys. writesNothing. Qed.
Lemma keep_valuesOf n vs : keeps part (valuesOf n vs).
Proof. unfold valuesOf. writesNothing. Qed.
Hint Resolve keep_siteOf keep_numberOf keep_partition keep_valuesOf
  : silence.
Lemma keep_arithmetic t p : keeps part (arithmetic h t p).
Proof. unfold arithmetic. writesNothing. Qed.
Lemma keep_chosen c t a b : keeps part (chosen h c t a b).
Proof. unfold chosen. writesNothing. Qed.
Lemma keep_halve k : forall p, keeps part (halve k p).
Proof. induction k; intro p; cbn [halve]; writesNothing; auto. Qed.
Lemma keep_bitBy f a b : keeps part (bitBy f a b).
Proof. unfold bitBy. writesNothing. Qed.
Hint Resolve keep_halve keep_bitBy : silence.
Lemma keep_bitsBy f above : forall xs ys, keeps part (bitsBy f xs ys above).
Proof. induction xs; intros [|y ys]; cbn [bitsBy]; writesNothing; auto. Qed.
Hint Resolve keep_bitsBy : silence.
Lemma keep_bitwise f x y : keeps part (bitwise f x y).
Proof. unfold bitwise. writesNothing. Qed.
Hint Resolve keep_bitwise : silence.
Lemma keep_logicOp f t x y : keeps part (logicOp h f t x y).
Proof. unfold logicOp. writesNothing. Qed.
Hint Resolve keep_arithmetic keep_chosen keep_logicOp : silence.
Lemma keep_join limit c ab : keeps part (join h limit c ab).
Proof. unfold join. writesNothing. Qed.
Lemma keep_indexConstant x : keeps part (indexConstant h x).
Proof. unfold indexConstant. writesNothing. Qed.
Hint Resolve keep_indexConstant : silence.
Lemma keep_indexConstants xs : keeps part (indexConstants h xs).
Proof. induction xs; cbn [indexConstants]; writesNothing; auto. Qed.
Hint Resolve keep_indexConstants : silence.
Lemma keep_walkOp n t o : keeps part (walkOp h n t o).
Proof.
  unfold walkOp, constantOp, indexEntry, numTiles, binaryOp, compareOp,
    selectOp, castOp, division. writesNothing.
Qed.
Lemma keep_bounds r es p is_ : keeps part (bounds r es p is_).
Proof. unfold bounds. writesNothing. Qed.
Lemma keep_whole q es p is_ : keeps part (whole q es p is_).
Proof. unfold whole. writesNothing. Qed.
Hint Resolve keep_bounds keep_whole : silence.
Lemma keep_combine n v p is_ : keeps part (combine_ h n v p is_).
Proof. unfold combine_. writesNothing. Qed.
Lemma keep_anyLane sh : keeps part (anyLane sh).
Proof. unfold anyLane. writesNothing. Qed.
Lemma keep_laneUnknown one r : keeps part (laneUnknown h one r).
Proof. unfold laneUnknown, laneOfEntry. writesNothing. Qed.
Hint Resolve keep_walkOp keep_anyLane keep_laneUnknown : silence.
Lemma keep_laneOp n one o : keeps part (laneOp h n one o).
Proof. unfold laneOp. writesNothing. Qed.
Lemma keep_readAt read vs at_ : (forall v at_ r, keeps part (read v at_ r)) ->
  forall r, keeps part (readAt read vs at_ r).
Proof.
  intro R. induction vs as [|v vs IH]; intro r; cbn [readAt]; [writesNothing|].
  apply keep_then; [apply R|]. intros [[t m] r'].
  apply keep_then; [apply IH|]. intros [ls r'']. writesNothing.
Qed.
Lemma keep_alongAxes sh : forall p, keeps part (alongAxes sh p).
Proof.
  induction sh as [|d sh IH]; intro p; cbn [alongAxes]; writesNothing; apply IH.
Qed.
Lemma keep_recast fuel : forall from to at_,
  keeps part (recast fuel from to at_).
Proof.
  induction fuel as [|fuel IH]; intros from to at_; cbn [recast]; [writesNothing|].
  destruct from, to; try (now writesNothing); destruct (together _ _ _ _ _ _ _);
    (apply keep_then; [writesNothing|]; intro;
     apply keep_then; [apply keep_alongAxes|]; intro;
     apply keep_then; [apply IH|]; writesNothing).
Qed.
Lemma keep_readMade read n t o at_ r :
  (forall v at_ r, keeps part (read v at_ r)) ->
  keeps part (readMade h read n t o at_ r).
Proof.
  intro R. unfold readMade, laneOfEntry.
  destruct (isLost _ _); [writesNothing|].
  destruct o; cbn [operandsOf]; auto;
    repeat match goal with
      | |- forall _, _ => intro
      | |- keeps _ (andThen (readAt _ _ _ _) _) =>
          apply keep_then; [now apply keep_readAt|]
      | |- keeps _ (andThen (laneOp _ _ _ _) _) =>
          apply keep_then; [apply keep_laneOp|]
      | |- keeps _ (andThen (recast _ _ _ _) _) =>
          apply keep_then; [apply keep_recast|]
      | |- keeps _ (match ?x with _ => _ end) => destruct x
      | |- _ => progress writesNothing
      end.
Qed.
Lemma keep_readLoaded read n t f at_ r :
  (forall v at_ r, keeps part (read v at_ r)) ->
  keeps part (readLoaded h read n t f at_ r).
Proof.
  intro R. unfold readLoaded.
  apply keep_then; [writesNothing|]. intros [[t' m] r'].
  destruct m; try (now writesNothing). apply keep_then; [|writesNothing].
  destruct f as [number tl index padding|number [v|] padding];
    cbn [paddedWays]; unfold tensorPolys, numberOf.
  - writesNothing.
  - apply keep_then; [apply R|]. writesNothing.
  - writesNothing.
Qed.
Lemma keep_laneAt fuel n : forall v at_ r, keeps part (laneAt h fuel n v at_
  r).
Proof.
  induction fuel as [|fuel IH]; intros v at_ r; cbn [laneAt];
    (apply keep_then; [writesNothing|]; intros [t m]; destruct (isScalar t);
      [writesNothing|];
     destruct (if isInteger _ then _ else _); [writesNothing|];
     apply keep_then; [|intros [[t' m'] r']; writesNothing]); [writesNothing|].
  destruct (_ <? _)%N; [writesNothing|]. unfold readBack.
  destruct (madeBy n v); [now apply keep_readMade|].
  destruct (loadedBy n v); [now apply keep_readLoaded|writesNothing].
Qed.
Lemma keep_emittedLane n t vs o : keeps part (emittedLane h n t vs o).
Proof.
  unfold emittedLane. apply keep_then; [writesNothing|]. intro at_.
  apply keep_then; [apply keep_readAt; intros; apply keep_laneAt|].
  intros [ls rd]. writesNothing.
Qed.
Lemma keep_maskOf n mask at_ r : keeps part (maskOf h n mask at_ r).
Proof.
  unfold maskOf. destruct mask; [|writesNothing].
  apply keep_then; [apply keep_laneAt|]. writesNothing.
Qed.
Lemma keep_placeOfLane n index at_ r :
  keeps part (placeOfLane h n index at_ r).
Proof.
  unfold placeOfLane.
  apply keep_then; [apply keep_readAt; intros; apply keep_laneAt|].
  intros [ls r']. writesNothing.
Qed.
Lemma keep_activeLane n sh index mask r :
  keeps part (activeLane h n sh index mask r).
Proof.
  unfold activeLane. apply keep_then; [writesNothing|]. intro at_.
  apply keep_then; [apply keep_maskOf|]. intros [c rd].
  apply keep_then; [writesNothing|]. intro u.
  apply keep_then; [apply keep_placeOfLane|]. intros [ps rd']. writesNothing.
Qed.
Lemma keep_laneBounds rl es ps : keeps part (laneBounds rl es ps).
Proof. unfold laneBounds. writesNothing. Qed.
Lemma keep_boundedLane b n es sh index mask :
  keeps part (boundedLane h b n es sh index mask).
Proof.
  unfold boundedLane. apply keep_then; [apply keep_activeLane|].
  intros [[[at_ c] ps] r]. apply keep_laneBounds.
Qed.
Lemma keep_laneOperands n es sh index mask :
  keeps part (laneOperands n es sh index mask).
Proof. unfold laneOperands. writesNothing. Qed.
Lemma keep_otherLane n sh index mask r lane ps :
  keeps part
    (let* (other, _, qs, _) := activeLane h n sh index mask r in
     let* _ := because Distinct (lanesDiffer lane other) in
     let* _ := forEach (because Region) (lanesMeet ps qs) in
     emit ScatterLanes (constant (-1)) false).
Proof.
  apply keep_then; [apply keep_activeLane|]. intros [[[other c] qs] r'].
  writesNothing.
Qed.
Lemma keep_walkView n b st : keeps part (walkView h n b st).
Proof. unfold walkView, stepOfPolys, amountPoly, emitStep. writesNothing. Qed.

End Frames.

Lemma keep_comparedTo {X} {part : scope -> X} ps t :
  keeps part (comparedTo ps t).
Proof. intros s u s' H. now injection H as _ <-. Qed.
Lemma keep_spoken {X} {part : scope -> X} ps : keeps part (spoken ps).
Proof.
  intros s u s' H. unfold spoken in H. destruct (forallb _ ps);
    [|discriminate]. now injection H as _ <-.
Qed.
#[export] Hint Resolve keep_comparedTo keep_spoken : silence.

#[export] Hint Resolve keep_unknown keep_valueOf keep_siteOf
  keep_numberOf keep_root keep_partition keep_valuesOf keep_join
  keep_walkOp
  keep_bounds keep_whole keep_combine : silence.

(* The facts within a step are gone behind it. *)
Lemma keep_within {X} {part : scope -> X} {P : Kept part} {A} (g : gen A) :
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
Lemma keep_emittedLanes {X} {part : scope -> X} {P : Kept part} h n t o :
  keeps part (emittedLanes h n t o).
Proof.
  unfold emittedLanes.
  apply keep_then; [writesNothing|]. intro vs. apply keep_then; [writesNothing|].
  intro ts. apply keep_then; [writesNothing|]. intro u. apply keep_then; [|writesNothing].
  apply keep_within; apply keep_emittedLane; auto with silence.
Qed.
Lemma keep_walkLet {X} {part : scope -> X} {P : Kept part} h n r t o :
  keeps part (walkLet h n r t o).
Proof.
  unfold walkLet. apply keep_then; [|writesNothing].
  destruct (isEmitted _ _ _); [apply keep_emittedLanes|writesNothing].
Qed.
Lemma keep_gather {X} {part : scope -> X} {P : Kept part} h n t sh index
  mask : keeps part (gather_ h n t sh index mask).
Proof.
  unfold gather_, tensorPolys.
  repeat (apply keep_then; [now writesNothing|intro]).
  destruct a as [es ten].
  apply keep_then; [now writesNothing|intro].
  apply keep_then; [apply keep_laneOperands|intro].
  apply keep_then; [|writesNothing].
  apply keep_within; apply keep_boundedLane; auto with silence.
Qed.
Lemma keep_combineLanes {X} {part : scope -> X} {P : Kept part} h n v t sh
  index mask : keeps part (combineLanes_ h n v t sh index mask).
Proof.
  unfold combineLanes_. apply keep_then; [writesNothing|]. intros [tv mv].
  unfold tensorPolys.
  repeat (apply keep_then; [now writesNothing|intro]).
  destruct a as [es ten].
  apply keep_then; [now writesNothing|intro].
  apply keep_then; [apply keep_laneOperands|intro].
  apply keep_within; apply keep_boundedLane; auto with silence.
Qed.
#[export] Hint Resolve keep_walkLet keep_gather : silence.

Lemma keep_walkLoad {X} {part : scope -> X} {P : Noted part} h n s q :
  keeps part (walkLoad h n s q).
Proof. unfold walkLoad, lookUp. writesNothing. Qed.
#[export] Hint Resolve keep_walkLoad : silence.

Lemma keep_claim h n p is_ : writesNothing (claim h n p is_).
Proof. unfold claim. writesNothing. Qed.
