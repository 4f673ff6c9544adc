(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Lanes of vectors that are made lane by lane: what an op does to vectors it
   does to each lane. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export Statements.
Import ListNotations.
Open Scope Z_scope.

(* Lists, lane by lane. *)

Lemma collect_nth (f : Z -> outcome Z) : forall xs zs, collect f xs = Ok zs ->
  length zs = length xs /\
  forall j, (j < length zs)%nat -> f (nth j xs 0) = Ok (nth j zs 0).
Proof.
  induction xs as [|x xs IH]; intros zs H; simpl in H.
  - injection H as <-. split; [reflexivity|]. simpl. intros j J. lia.
  - destruct (f x) as [y| | |] eqn:F; try discriminate. simpl in H.
    destruct (collect f xs) as [ys| | |]; try discriminate. injection H as <-.
    destruct (IH ys eq_refl) as [L N]. split; [simpl; congruence|].
    intros [|j] J; [exact F|]. simpl in *. apply N. lia.
Qed.

Lemma collect2_nth (f : Z -> Z -> outcome Z) : forall xs ys zs,
  collect2 f xs ys = Ok zs ->
  forall j, (j < length zs)%nat ->
  f (nth j xs 0) (nth j ys 0) = Ok (nth j zs 0).
Proof.
  induction xs as [|x xs IH]; intros [|y ys] zs H; simpl in H; try discriminate.
  - injection H as <-. simpl. intros j J. lia.
  - destruct (f x y) as [z| | |] eqn:F; try discriminate. simpl in H.
    destruct (collect2 f xs ys) as [zs'| | |] eqn:C; try discriminate.
    injection H as <-. intros [|j] J; [exact F|]. simpl in *.
    apply (IH ys zs' C). lia.
Qed.

Lemma choose_nth : forall cs xs ys zs, choose cs xs ys = Ok zs ->
  forall j, (j < length zs)%nat ->
  nth j zs 0 = if nth j cs 0 =? 0 then nth j ys 0 else nth j xs 0.
Proof.
  induction cs as [|c cs IH]; intros [|x xs] [|y ys] zs H; simpl in H;
    try discriminate.
  - injection H as <-. simpl. intros j J. lia.
  - destruct (choose cs xs ys) as [zs'| | |] eqn:C; try discriminate.
    injection H as <-. intros [|j] J; [reflexivity|]. simpl in *.
    apply (IH xs ys zs' C). lia.
Qed.

Lemma choose_length : forall cs xs ys zs, choose cs xs ys = Ok zs ->
  length xs = length zs.
Proof.
  induction cs as [|c cs IH]; intros [|x xs] [|y ys] zs H; simpl in H;
    try discriminate.
  - now injection H as <-.
  - destruct (choose cs xs ys) as [zs'| | |] eqn:C; try discriminate.
    injection H as <-. simpl. f_equal. eapply IH, C.
Qed.

Lemma collect_all (f : Z -> outcome Z) : forall xs,
  (forall j, (j < length xs)%nat -> exists z, f (nth j xs 0) = Ok z) ->
  exists zs, collect f xs = Ok zs.
Proof.
  induction xs as [|x xs IH]; intro H; [exists []; reflexivity|].
  destruct (H O ltac:(simpl; lia)) as [z Z]. simpl in Z.
  destruct IH as [zs E].
  { intros j J. apply (H (S j)). simpl. lia. }
  exists (z :: zs). simpl. now rewrite Z, E.
Qed.

Lemma collect2_all (f : Z -> Z -> outcome Z) : forall xs ys,
  length xs = length ys ->
  (forall j, (j < length xs)%nat ->
     exists z, f (nth j xs 0) (nth j ys 0) = Ok z) ->
  exists zs, collect2 f xs ys = Ok zs /\ length zs = length xs.
Proof.
  induction xs as [|x xs IH]; intros [|y ys] L H; try discriminate;
    [exists []; auto|].
  destruct (H O ltac:(simpl; lia)) as [z Z]. simpl in Z.
  destruct (IH ys) as [zs [E N]]; [now injection L| |].
  { intros j J. apply (H (S j)). simpl. lia. }
  exists (z :: zs). simpl. rewrite Z, E. simpl. split; congruence.
Qed.

(* Places. *)

Lemma place_below sh at_ : inBox sh at_ ->
  (Z.to_nat (linear sh at_) < Z.to_nat (volume sh))%nat.
Proof. intro I. apply linear_bound in I. lia. Qed.

Lemma place_nth sh at_ : inBox sh at_ ->
  nth (Z.to_nat (linear sh at_)) (placesOf sh) [] = at_.
Proof.
  intro I. pose proof (linear_bound _ _ I) as B. unfold placesOf.
  rewrite nth_indep with (d' := delinear sh (Z.of_nat 0))
    by (rewrite map_length, seq_length; now apply place_below).
  rewrite (map_nth (fun k => delinear sh (Z.of_nat k))).
  rewrite seq_nth by now apply place_below. simpl.
  rewrite Z2Nat.id by lia. now apply delinear_linear.
Qed.

Lemma laneOf_map sh at_ (g : list Z -> Z) : inBox sh at_ ->
  laneOf sh (map g (placesOf sh)) at_ = g at_.
Proof.
  intro I. unfold laneOf.
  rewrite nth_indep with (d' := g [])
    by (rewrite map_length, placesOf_length; now apply place_below).
  now rewrite map_nth, place_nth.
Qed.

Lemma laneOf_place sh xs k : Forall (Z.le 1) sh ->
  (k < Z.to_nat (volume sh))%nat ->
  inBox sh (delinear sh (Z.of_nat k)) /\
  laneOf sh xs (delinear sh (Z.of_nat k)) = nth k xs 0.
Proof.
  intros P K. assert (N : Forall (Z.le 0) sh)
    by (eapply Forall_impl; [|exact P]; simpl; lia).
  pose proof (volume_nonneg sh N).
  destruct (linear_delinear sh (Z.of_nat k) N ltac:(lia)) as [I L].
  split; [exact I|]. unfold laneOf. now rewrite L, Nat2Z.id.
Qed.

Lemma laneOf_ok w t xs at_ : isType t = true -> 8 <= w ->
  Forall (laneOk w (lanes t)) xs ->
  laneOk w (lanes t) (laneOf (shape t) xs at_).
Proof.
  intros Y W F. unfold laneOf.
  destruct (nth_in_or_default (Z.to_nat (linear (shape t) at_)) xs 0)
    as [I| ->].
  - rewrite Forall_forall in F. now apply F.
  - now apply laneOk_zero.
Qed.

(* Where moved lanes come from. *)

Lemma nth_box : forall sh at_ k, inBox sh at_ -> (k < length sh)%nat ->
  0 <= nth k at_ 0 < nth k sh 0.
Proof.
  intros sh at_ k I. revert k.
  induction I as [|d x sh at_ X I IH]; intros [|k] K; simpl in *; try lia.
  apply IH. lia.
Qed.

Lemma pulled_box f from to at_ : f <> Reshape -> goes f from to = true ->
  inBox to at_ -> inBox from (pulled 0 f from at_).
Proof.
  intros F G I.
  assert (L : length to = length at_) by (clear - I; induction I; simpl;
    congruence).
  destruct f as [|permutation|]; [| |easy]; simpl in *.
  - apply andb_true_iff in G as [G1 G2]. apply Nat.leb_le in G1.
    rewrite <- L.
    assert (J : inBox (skipn (length to - length from) to)
                  (skipn (length to - length from) at_)).
    { clear - I. generalize (length to - length from)%nat as q. intro q.
      revert q. induction I as [|d x to at_ X I IH]; intros [|q]; simpl;
        try constructor; auto. }
    assert (Lf : length (skipn (length to - length from) to) = length from)
      by (rewrite skipn_length; lia).
    revert G2 J Lf. generalize (skipn (length to - length from) to) as ds.
    generalize (skipn (length to - length from) at_) as xs. clear.
    induction from as [|e from IH]; intros xs ds G J Lf; [constructor|].
    destruct ds as [|d ds]; [discriminate|]. inversion J; subst.
    simpl in *. apply andb_true_iff in G as [G1 G2]. constructor.
    + destruct (Z.eqb_spec e 1); [lia|]. simpl in G1. apply Z.eqb_eq in G1.
      now subst e.
    + eapply IH; eauto.
  - apply andb_true_iff in G as [G1 G2]. apply Nat.eqb_eq in G1.
    rewrite forallb_forall in G2.
    assert (H : forall k, In k (seq 0 (length from)) ->
              0 <= nth (indexOf k permutation) at_ 0 < nth k from 0).
    { intros k K. specialize (G2 k K). apply andb_true_iff in G2 as [A B].
      apply Nat.ltb_lt in A. apply Z.eqb_eq in B. rewrite B.
      apply nth_box; [exact I|lia]. }
    clear - H. set (g := fun k => nth (indexOf k permutation) at_ 0) in *.
    assert (R : forall from q, (forall k, In k (seq q (length from)) ->
              0 <= g k < nth (k - q) from 0) ->
              inBox from (map g (seq q (length from)))).
    { clear. induction from as [|e from IH]; intros q H; simpl; constructor.
      - specialize (H q ltac:(simpl; auto)). now rewrite Nat.sub_diag in H.
      - apply IH. intros k K. specialize (H k ltac:(simpl; auto)).
        apply in_seq in K. replace (k - q)%nat with (S (k - S q)) in H by lia.
        exact H. }
    apply R. intros k K. rewrite Nat.sub_0_r. now apply H.
Qed.

Lemma pulled_eval e f from at_ :
  map (eval e) (pulled [] f from at_) = pulled 0 f from (map (eval e) at_).
Proof.
  destruct f as [|permutation|]; simpl; [| |reflexivity].
  - rewrite map_length, skipn_map.
    assert (G : forall (from : list Z) (xs : list poly),
      map (eval e) (map (fun nx => if fst nx =? 1 then [] else snd nx)
                      (combine from xs)) =
      map (fun nx => if fst nx =? 1 then 0 else snd nx)
        (combine from (map (eval e) xs))).
    { clear. induction from as [|d from IH]; intros [|x xs]; simpl;
        try reflexivity.
      apply f_equal2; [now destruct (d =? 1)|exact (IH xs)]. }
    apply G.
  - rewrite map_map. apply map_ext. intro k.
    change 0 with (eval e []). now rewrite map_nth.
Qed.

Lemma pulled_below n f from at_ : Forall (below_ n) at_ ->
  Forall (below_ n) (pulled [] f from at_).
Proof.
  intro B. destruct f as [|permutation|]; simpl; [| |exact B].
  - apply Forall_map, Forall_forall. intros [d x] I.
    apply in_combine_r in I. simpl. destruct (d =? 1); [apply nil_below|].
    rewrite Forall_forall in B. apply B.
    rewrite <- (firstn_skipn (length at_ - length from) at_).
    apply in_or_app. now right.
  - apply Forall_map, Forall_forall. intros k _.
    destruct (nth_in_or_default (indexOf k permutation) at_ []) as [I|E].
    + rewrite Forall_forall in B. now apply B.
    + eapply eq_ind_r; [apply nil_below|exact E].
Qed.
