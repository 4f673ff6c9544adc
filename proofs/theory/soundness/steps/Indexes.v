(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Vectors of index: constants that fit, places of lanes, and lanes that are
   moved. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export ViewValues.
Import ListNotations.
Open Scope Z_scope.

Section Indexes.

Context (w : Z) (h : header) (m : machine) (isWidth_ : width m = w).

Lemma indexConstants_true : forall xs s u s' e,
  indexConstants h xs s = Some (u, s') ->
  bits h = w -> orderly s -> true_ s e -> Forall discharged (vcs s') ->
  Forall (fits w) xs /\ true_ s' e /\ next s' = next s.
Proof.
  induction xs as [|x xs IH]; intros s u s' e H W O T P; cbn in H.
  { steps. auto. }
  apply andThen_inv in H as [u1 [s1 [H1 H]]].
  assert (Ta : forall x, tame (indexConstant h x)).
  { intro y. unfold indexConstant.
    destruct (_ <? _); [apply emit_tame|].
    destruct (_ <? _); [apply emit_tame|apply tame_ret]. }
  destruct (Ta x _ _ _ H1 O) as [O1 G1].
  assert (Tr : tame (if fitsb (bits h) x then indexConstants h xs else ret tt)).
  { destruct (fitsb _ _); [|apply tame_ret]. clear - Ta.
    induction xs as [|y xs IH]; cbn; [apply tame_ret|].
    apply tame_then; [apply Ta|]. intros _.
    destruct (fitsb _ _); [exact IH|apply tame_ret]. }
  destruct (Tr _ _ _ H O1) as [O2 G2].
  destruct (indexConstant_true w h x s u1 s1 e H1 W O T (grows_discharged _ _ G2 P))
    as [F [T1 N1]].
  rewrite W, (proj2 (fitsb_fits w x) F) in H.
  destruct (IH _ _ _ _ H W O1 T1 P) as [Fs [T2 N2]].
  split; [now constructor|]. split; [exact T2|congruence].
Qed.

Lemma define_exact t xs : length xs = laneCount t -> lanes t = Index ->
  Forall (fits w) xs -> define m t xs = Ok xs.
Proof.
  intros L E F. unfold define. rewrite L, Nat.eqb_refl, E, isWidth_. clear - F.
  induction F as [|x xs X F IH]; [reflexivity|]. simpl in *.
  apply fitsb_fits in X. now rewrite X, IH.
Qed.

Lemma placesOf_length sh : length (placesOf sh) = Z.to_nat (volume sh).
Proof. unfold placesOf. now rewrite map_length, seq_length. Qed.

Lemma placesOf_in sh p : Forall (Z.le 1) sh -> In p (placesOf sh) ->
  inBox sh p.
Proof.
  intros P I. unfold placesOf in I. apply in_map_iff in I as [q [<- I]].
  apply in_seq in I.
  assert (N : Forall (Z.le 0) sh)
    by (eapply Forall_impl; [|exact P]; simpl; lia).
  pose proof (volume_nonneg sh N). apply linear_delinear; [exact N|lia].
Qed.

Lemma isType_positive t : isType t = true -> Forall (Z.le 1) (shape t).
Proof.
  unfold isType. rewrite andb_true_iff, forallb_forall, Forall_forall.
  intros [F _] x I. apply Z.leb_le, F, I.
Qed.

Lemma laneOk_zero t : isType t = true -> 8 <= w -> laneOk w (lanes t) 0.
Proof.
  unfold isType, isLane. rewrite andb_true_iff, orb_true_iff. intros [_ Y] W.
  destruct (lanes t) as [|n0|]; simpl in *; auto; unfold fits.
  - pose proof (Z.pow_pos_nonneg 2 (w - 1)). lia.
  - destruct Y as [Y|Y]; [|discriminate].
    pose proof (Z.pow_pos_nonneg 2 (n0 - 1)). lia.
Qed.

Lemma moved_lanes f from t xs : isType t = true -> 8 <= w ->
  length xs = Z.to_nat (volume from) -> Forall (laneOk w (lanes t)) xs ->
  goes f from (shape t) = true ->
  length (moved f from (shape t) xs) = laneCount t /\
  Forall (laneOk w (lanes t)) (moved f from (shape t) xs).
Proof.
  intros Y W L F G. unfold moved.
  assert (M : forall g : list Z -> Z, length (map g (placesOf (shape t))) =
    laneCount t).
  { intro g. rewrite map_length. apply placesOf_length. }
  assert (N : forall at_, laneOk w (lanes t) (laneOf from xs at_)).
  { intro at_. unfold laneOf.
    destruct (nth_in_or_default (Z.to_nat (linear from at_)) xs 0) as [I| ->].
    - rewrite Forall_forall in F. now apply F.
    - now apply laneOk_zero. }
  destruct f.
  - split; [apply M|]. apply Forall_map, Forall_forall. auto.
  - split; [apply M|]. apply Forall_map, Forall_forall. auto.
  - simpl in G. apply Z.eqb_eq in G. split; [|exact F].
    unfold laneCount. congruence.
Qed.

End Indexes.
