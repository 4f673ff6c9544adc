(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The last obligation of coverage: the element lies in the tile of a claim,
   through whatever view. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export CoverageObligations ViewValues Tiles.
Import ListNotations.
Open Scope Z_scope.

Lemma eqPolys_sound : forall a b, eqList eqPoly a b = true -> a = b.
Proof. intros a b. apply eqList_sound. apply eqPoly_sound. Qed.

Lemma eqView_sound v w : eqView v w = true -> v = w.
Proof.
  unfold eqView. rewrite !andb_true_iff. intros [[[R E] O] L].
  apply Nat.eqb_eq in R. apply eqPolys_sound in E, O.
  apply eqList_sound in L.
  - destruct v, w. simpl in *. now subst.
  - intros [a p] [b q] H. simpl in H. apply andb_true_iff in H as [A P].
    apply Nat.eqb_eq in A. apply eqPoly_sound in P. now subst.
Qed.

Lemma viewBelow_spec n v : viewBelow n v = true -> boundView n v.
Proof.
  unfold viewBelow. rewrite !andb_true_iff, !forallb_forall.
  intros [[E O] L]. unfold boundView. rewrite !Forall_forall.
  repeat split; intros x I; apply polyBelow_spec; auto.
Qed.
Lemma siteBelow_view n es s : siteBelow n es s = true -> boundView n (seen s).
Proof.
  unfold siteBelow. rewrite andb_true_iff. intros [B _].
  now apply viewBelow_spec.
Qed.
Lemma siteBelow_whole n es s : siteBelow n es s = true -> steps s = [] ->
  seen s = wholePoly (root (seen s)) es.
Proof.
  unfold siteBelow. rewrite andb_true_iff. intros [_ B] E. rewrite E in B.
  now apply eqView_sound.
Qed.

Section Promises.

Context (e : values).

Definition promises (g : gen unit) (P : Prop) : Prop := forall s u s',
  g s = Some (u, s') -> emits e s s' /\
  (Forall discharged (vcs s') -> Forall (fun f => holds e (claims f)) (facts s) ->
   P).

Lemma promises_emit r p b : promises (emit r p b) (0 <= eval e p).
Proof. intros s u s' H. exact (emit_emits e _ _ _ _ _ _ H). Qed.
Lemma promises_ret : promises (ret tt) True.
Proof. intros s u s' H. injection H as _ <-. split; [apply emits_refl|auto]. Qed.
Lemma promises_then g P f Q : promises g P -> promises f Q ->
  promises (let* _ := g in f) (P /\ Q).
Proof.
  intros G F s u s' H. step H v s1 H1. destruct (G _ _ _ H1) as [O1 P1].
  destruct (F _ _ _ H) as [O2 P2]. split; [now apply emits_trans with s1|].
  intros Pd Fs. pose proof (grows_discharged _ _ (emitsGrows _ _ _ O2) Pd) as Pd1.
  split; [now apply P1|]. apply P2; [exact Pd|].
  destruct (emitsFacts _ _ _ O1 Pd1 Fs) as [more [-> M]].
  apply Forall_app. split; [|exact Fs]. eapply Forall_impl; [|exact M].
  now intros x [X _].
Qed.
Lemma promises_weaken g (P Q : Prop) : promises g P -> (P -> Q) -> promises g Q.
Proof.
  intros G I s u s' H. destruct (G _ _ _ H) as [O K]. split; auto.
Qed.
Lemma promises_forEach {A} (f : A -> gen unit) (P : A -> Prop) l :
  (forall x, promises (f x) (P x)) -> promises (forEach f l) (Forall P l).
Proof.
  intro F. induction l as [|x l IH]; simpl.
  - eapply promises_weaken; [apply promises_ret|]. constructor.
  - eapply promises_weaken; [apply (promises_then _ _ _ _ (F x) IH)|].
    intros [X L]. now constructor.
Qed.

Definition within_ (x : Z) (a : Z * poly) : Prop :=
  eval e (snd a) * fst a <= x < eval e (snd a) * fst a + fst a.

Lemma inTileEmitted_promises a : promises (inTileEmitted a)
  (within_ (eval e (fst a)) (snd a)).
Proof.
  destruct a as [x [t index]]. unfold inTileEmitted, within_. cbv zeta.
  eapply promises_weaken.
  { apply promises_then; apply promises_emit. }
  intros [A B]. simpl.
  rewrite ?sub_eval, ?plus_eval, ?mul_eval, ?constant_eval in *. lia.
Qed.

Lemma within_lanes : forall xs ts is_,
  Forall (fun a => within_ (eval e (fst a)) (snd a))
    (combine xs (combine ts is_)) ->
  length ts = length xs -> length is_ = length xs ->
  In (map (eval e) xs) (tileLanes ts (map (eval e) is_)).
Proof.
  intros xs ts is_ F L L'. apply tileLanes_spec.
  revert ts is_ F L L'. induction xs as [|x xs IH]; intros [|t ts] [|i is_] F L
    L'; try discriminate; simpl; constructor; inversion F; subst; auto.
Qed.

Lemma combine_equal : forall xs ys,
  Forall (fun a => eval e (fst a) = eval e (snd a)) (combine xs ys) ->
  length xs = length ys -> map (eval e) xs = map (eval e) ys.
Proof.
  induction xs as [|x xs IH]; intros [|y ys] F L; try discriminate; simpl;
    [reflexivity|]. inversion F. subst. f_equal; auto.
Qed.

Lemma placeFrom_length zero plus_ times l at_ : forall (o : list poly) k,
  length (placeFrom zero plus_ times k o l at_) = length o.
Proof. induction o; simpl; auto. Qed.

Lemma inBox_below dims a : inBox dims a -> Forall2 Z.lt a dims.
Proof. induction 1; constructor; auto. lia. Qed.

Lemma axes_within : forall vs xs tiles, length vs = length xs ->
  Forall (fun a => within_ (eval e (fst (snd a))) (snd (snd a)) /\
                   eval e (fst (snd a)) < eval e (fst a))
    (combine xs (combine vs tiles)) ->
  Forall (fun a => within_ (eval e (fst a)) (snd a)) (combine vs tiles).
Proof.
  induction vs as [|v vs IH]; intros [|y xs] [|t tiles] L B;
    try discriminate; simpl in *; constructor; inversion B; subst.
  - tauto.
  - injection L as L. now apply (IH xs tiles L).
Qed.
Lemma axes_below : forall vs xs tiles,
  Forall (fun a => within_ (eval e (fst (snd a))) (snd (snd a)) /\
                   eval e (fst (snd a)) < eval e (fst a))
    (combine xs (combine vs tiles)) ->
  length vs = length xs -> length tiles = length xs ->
  Forall2 Z.lt (map (eval e) vs) (map (eval e) xs).
Proof.
  induction vs as [|v vs IH]; intros [|y xs] [|t tiles] B L L';
    try discriminate; simpl in *; constructor; inversion B; subst.
  - tauto.
  - injection L as L. injection L' as L'. now apply (IH xs tiles).
Qed.

Lemma landing_lands until es st element inView :
  siteBelow until es st = true ->
  length (tileExtents (places st)) = length (extents_ (seen st)) ->
  length (indices st) = length (extents_ (seen st)) ->
  length inView = length (extents_ (seen st)) ->
  length (origin (seen st)) = length es ->
  length element = length es ->
  inBox (map (eval e) es) (map (eval e) element) ->
  promises (landing st element inView)
    (lands e (map (eval e) es) st (map (eval e) element)).
Proof.
  intros Sb Lt Li Lv Lo Le Box. unfold landing, lands, tilesOf.
  destruct (steps st) as [|first way] eqn:St.
  - pose proof (siteBelow_whole _ _ _ Sb St) as W.
    eapply promises_weaken.
    { apply promises_forEach. apply inTileEmitted_promises. }
    intro F. split; [exact Box|]. exists (map (eval e) element).
    rewrite W. rewrite W in Lt, Li. simpl in Lt, Li.
    rewrite whole_eval, place_whole by (rewrite !map_length; exact Le).
    split; [reflexivity|]. split.
    + apply within_lanes; congruence.
    + now apply inBox_below.
  - clear first way St.
    unfold inViewEmitted. eapply promises_weaken.
    { apply promises_then.
      - apply (promises_forEach _ (fun a => eval e (fst a) = eval e (snd a))).
        intro a. eapply promises_weaken.
        { apply promises_then; apply promises_emit. }
        intros [A B]. rewrite ?neg_eval, ?sub_eval in *. lia.
      - apply (promises_forEach _ (fun a =>
          within_ (eval e (fst (snd a))) (snd (snd a)) /\
          eval e (fst (snd a)) < eval e (fst a))).
        intro a. eapply promises_weaken.
        { apply promises_then; [apply inTileEmitted_promises|apply promises_emit]. }
        intros [A B]. split; [exact A|].
        rewrite ?sub_eval, ?plus_eval in B. lia. }
    intros [A B]. split; [exact Box|]. exists (map (eval e) inView). split.
    + rewrite <- place_eval. apply combine_equal; [exact A|].
      rewrite Le, <- Lo. symmetry. apply placeFrom_length.
    + clear A. split.
      * apply within_lanes; try congruence. now apply axes_within in B.
      * simpl. apply axes_below in B; auto.
        rewrite combine_length. lia.
Qed.

End Promises.
