(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   That a contract can be met: some launch with work to do is admitted, and some
   contents keep what is given. Without that, `correct` may say nothing.
   Contents are made up by rule, so that tensors of any size are judged at
   once. *)

From Coq Require Import ZArith String List Bool Lia.
From Girih Require Export Execute.
Import ListNotations.
Open Scope Z_scope.

Definition satisfiable (w : Z) (k : kernel) : Prop :=
  exists symbols scalars l given,
    admit_ w k symbols scalars = Ok l /\
    (forall t ten, tensorOf k t = Some ten ->
       exists extents, extentsOf l t = Some extents /\
         Forall (Z.le 1) extents) /\
    Forall (Z.le 1) (gridOf l) /\
    keepsGivens k l given = true.

(* Contents by rule: in row-major order either one number or a number and those
   that follow it; the last element may be another. *)
Record ramp := Ramp { first_ : Z; rises : bool; last_ : Z }.

Definition valueAt (r : ramp) (i : Z) : Z :=
  first_ r + (if rises r then i else 0).
Definition rampAt (r : ramp) (extents at_ : list Z) : Z :=
  let i := linear extents at_ in
  if i =? volume extents - 1 then last_ r else valueAt r i.

(* Bounds of the values of n elements, both included. *)
Definition lowest (r : ramp) (n : Z) : Z :=
  if n =? 1 then last_ r else Z.min (first_ r) (last_ r).
Definition highest (r : ramp) (n : Z) : Z :=
  if n =? 1 then last_ r else Z.max (valueAt r (n - 2)) (last_ r).

Definition isNumber (e : element) (x : Z) : bool :=
  match e with
  | Int n =>
      if n =? 1 then (0 <=? x) && (x <=? 1) else (1 <=? n) && fitsb n x
  | _ => true
  end.

Definition rampOrdered (r : ramp) (n : Z) : bool :=
  (n =? 1) || (valueAt r (n - 2) <=? last_ r).
Definition rampKeeps (r : ramp) (extents : list Z) (c : content Z) : bool :=
  let n := volume extents in
  match c, extents with
  | Within low high, _ => (low <=? lowest r n) && (highest r n <? high)
  | Sorted, [_] => rampOrdered r n
  | Splits last, [_] =>
      rampOrdered r n && (last_ r =? last) &&
      ((if n =? 1 then last_ r else first_ r) =? 0)
  | Sorted, _ | Splits _, _ => false
  | AllDistinct, _ =>
      (n =? 1) || rises r && (valueAt r (n - 2) <? last_ r)
  end.

(* What is promised of a tensor, and contents that keep all of it if any do. *)
Definition promisesOf (l : launch) (t : nat) : list (content Z) :=
  map snd (filter (fun p => Nat.eqb (fst p) t) (promised l)).
Definition leastOf (e : element) : Z :=
  match e with Int n => if n =? 1 then 0 else - 2 ^ (n - 1) | _ => 0 end.
Definition leastGiven (e : element) (cs : list (content Z)) : Z :=
  fold_right (fun c x => match c with Within low _ => Z.max low x | _ => x end)
    (leastOf e) cs.
Definition rampFor (e : element) (extents : list Z) (cs : list (content Z))
  : ramp :=
  let apart := existsb (fun c => match c with AllDistinct => true | _ => false
                                 end) cs in
  match find (fun c => match c with Splits _ => true | _ => false end) cs with
  | Some (Splits last) => Ramp 0 apart last
  | _ =>
      let low := leastGiven e cs in
      Ramp low apart (if apart then low + volume extents - 1 else low)
  end.

Definition madeUp (k : kernel) (l : launch) (t : nat) (at_ : list Z) : Z :=
  match tensorOf k t, extentsOf l t with
  | Some ten, Some extents =>
      rampAt (rampFor (elements ten) extents (promisesOf l t)) extents at_
  | _, _ => 0
  end.

Definition keptByRule (k : kernel) (l : launch) (p : nat * content Z) : bool :=
  match tensorOf k (fst p), extentsOf l (fst p) with
  | Some ten, Some extents =>
      let n := volume extents in
      let r := rampFor (elements ten) extents (promisesOf l (fst p)) in
      forallb (Z.leb 1) extents && isNumber (elements ten) (lowest r n) &&
      isNumber (elements ten) (highest r n) && rampKeeps r extents (snd p)
  | _, _ => false
  end.

Definition valued (symbols : list (string * Z)) (name : string) : option Z :=
  option_map snd (find (fun p => String.eqb (fst p) name) symbols).

(* Whether these symbols make such a launch. *)
Definition launches (w : Z) (k : kernel) (symbols : list (string * Z)) : bool :=
  match admit_ w k (valued symbols) (fun _ => 0) with
  | Ok l =>
      forallb (fun t =>
        match tensorOf k t, extentsOf l t with
        | Some _, Some extents => forallb (Z.leb 1) extents
        | Some _, None => false
        | None, _ => true
        end) (seq 0 (length (arguments k))) &&
      forallb (Z.leb 1) (gridOf l) && forallb (keptByRule k l) (promised l)
  | _ => false
  end.

(* It is so. *)

Lemma all_leb l : forallb (Z.leb 1) l = true <-> Forall (Z.le 1) l.
Proof.
  rewrite forallb_forall, Forall_forall.
  split; intros H x I; specialize (H x I); lia.
Qed.

Lemma asNumber_same e x : isNumber e x = true -> asNumber e x = x.
Proof.
  destruct e as [|n|x_ m]; simpl; auto. destruct (Z.eqb_spec n 1) as [->|_].
  - intro H. apply Z.mod_small. lia.
  - intro H. apply andb_true_iff in H as [N F]. apply fitsb_fits in F.
    apply wrap_exact; [lia|exact F].
Qed.

Lemma isNumber_between e x y z : isNumber e x = true -> isNumber e z = true ->
  x <= y <= z -> isNumber e y = true.
Proof.
  destruct e as [|n|x_ m]; simpl; auto. destruct (n =? 1).
  - lia.
  - rewrite !andb_true_iff, !fitsb_fits. unfold fits. lia.
Qed.

Section Ramp.

Context (r : ramp) (extents : list Z).

Notation size := (volume extents).
Notation v := (rampAt r extents).

Lemma rampAt_between a : inBox extents a ->
  lowest r size <= v a <= highest r size.
Proof.
  intro B. apply linear_bound in B. unfold rampAt, lowest, highest, valueAt.
  destruct (Z.eqb_spec size 1);
    destruct (Z.eqb_spec (linear extents a) (size - 1)); try lia.
  destruct (rises r); lia.
Qed.

Lemma rampAt_injective a b : inBox extents a -> inBox extents b ->
  (size =? 1) || rises r && (valueAt r (size - 2) <? last_ r) = true ->
  v a = v b -> a = b.
Proof.
  intros A B K E. apply (linear_injective extents); auto.
  apply linear_bound in A, B. unfold rampAt, valueAt in *.
  destruct (rises r), (Z.eqb_spec size 1),
    (Z.eqb_spec (linear extents a) (size - 1)),
    (Z.eqb_spec (linear extents b) (size - 1)); simpl in K; try lia;
    discriminate.
Qed.

End Ramp.

Lemma rampAt_list r n i : rampAt r [n] [i] =
  if i =? n - 1 then last_ r else valueAt r i.
Proof.
  unfold rampAt. simpl. now rewrite !Z.mul_1_r, Z.add_0_r.
Qed.

Lemma rampAt_ascends r n : rampOrdered r n = true ->
  ascends (rampAt r [n]) n = true.
Proof.
  intro O. apply forallb_forall. intros i I. apply ints_spec in I.
  rewrite !rampAt_list. unfold rampOrdered, valueAt in *.
  destruct (Z.eqb_spec n 1), (Z.eqb_spec i (n - 1)), (Z.eqb_spec (i + 1)
    (n - 1)); try lia; destruct (rises r); lia.
Qed.

Lemma rampKeeps_sound r extents c : Forall (Z.le 1) extents ->
  rampKeeps r extents c = true -> keepsContent extents (rampAt r extents) c =
  true.
Proof.
  intros Ex K. destruct c as [low high| |last|].
  - simpl in *. apply forallb_forall. intros a I. apply allElements_spec in I.
    pose proof (rampAt_between r extents a I). lia.
  - destruct extents as [|n [|]]; try discriminate. simpl in *.
    rewrite Z.mul_1_r in K. now apply rampAt_ascends.
  - destruct extents as [|n [|]]; try discriminate. simpl in *.
    rewrite Z.mul_1_r in K. inversion Ex; subst.
    rewrite !andb_true_iff in K. destruct K as [[O L] F].
    rewrite rampAt_ascends by exact O. rewrite !rampAt_list, Z.eqb_refl, L.
    apply Z.eqb_eq in F. rewrite !andb_true_iff, Z.eqb_eq, Z.leb_le.
    repeat split; try lia.
    unfold valueAt. destruct (Z.eqb_spec n 1), (Z.eqb_spec 0 (n - 1));
      try lia; destruct (rises r); lia.
  - simpl in *. apply forallb_forall. intros a A. apply forallb_forall.
    intros b B. apply allElements_spec in A, B.
    destruct (Z.eqb_spec (rampAt r extents a) (rampAt r extents b)) as [E|];
      [|now rewrite orb_true_r].
    apply rampAt_injective in E; auto. subst b.
    assert (S : eqAt a a = true).
    { clear. induction a as [|x a IH]; [reflexivity|]. simpl.
      now rewrite Z.eqb_refl. }
    now rewrite S.
Qed.

(* Only elements of the tensor count. *)
Lemma keepsContent_elements extents u v c : Forall (Z.le 1) extents ->
  (forall a, inBox extents a -> u a = v a) ->
  keepsContent extents u c = keepsContent extents v c.
Proof.
  intros Ex E.
  assert (All : forall f g : list Z -> bool,
            (forall a, inBox extents a -> f a = g a) ->
            forallb f (allElements extents) = forallb g (allElements extents)).
  { intros f g F.
    assert (I : forall a, In a (allElements extents) -> inBox extents a)
      by (intro; apply allElements_spec).
    induction (allElements extents) as [|a l IH]; [reflexivity|]. simpl.
    rewrite F, IH; auto with datatypes. }
  assert (Asc : forall n, extents = [n] -> ascends u n = ascends v n).
  { intros n ->. unfold ascends.
    assert (I : forall i, In i (ints 0 (Z.to_nat (n - 1))) -> 0 <= i < n - 1)
      by (intros i I; apply ints_spec in I; lia).
    induction (ints 0 (Z.to_nat (n - 1))) as [|i l IH]; [reflexivity|]. simpl.
    assert (0 <= i < n - 1) by auto with datatypes.
    rewrite IH by auto with datatypes.
    rewrite !E; [reflexivity| |]; repeat constructor; lia. }
  destruct c as [low high| |last|]; simpl.
  - apply All. intros a B. now rewrite E.
  - destruct extents as [|n [|]]; auto.
  - destruct extents as [|n [|]]; auto. inversion Ex; subst.
    rewrite (Asc n eq_refl), !E; [reflexivity| |]; repeat constructor; lia.
  - apply All. intros a A. apply All. intros b B. now rewrite !E.
Qed.

Lemma keptByRule_sound k l : forallb (keptByRule k l) (promised l) = true ->
  keepsGivens k l (madeUp k l) = true.
Proof.
  intro K. unfold keepsGivens. rewrite forallb_forall in *. intros [t c] I.
  specialize (K _ I). unfold keptByRule in K. simpl in *.
  destruct (tensorOf k t) as [ten|] eqn:T; [|discriminate].
  destruct (extentsOf l t) as [extents|] eqn:Ex; [|discriminate].
  rewrite !andb_true_iff in K. destruct K as [[[E L] H] R].
  apply all_leb in E. rewrite <- (rampKeeps_sound _ _ _ E R).
  apply keepsContent_elements; [exact E|]. intros a B. unfold madeUp.
  rewrite T, Ex. apply asNumber_same.
  eapply isNumber_between; [exact L|exact H|]. now apply rampAt_between.
Qed.

(* Symbols that make a launch show that there is one. *)
Theorem launch_found w k symbols : launches w k symbols = true ->
  satisfiable w k.
Proof.
  unfold launches.
  destruct (admit_ w k (valued symbols) (fun _ => 0)) as [l| | |] eqn:A;
    try discriminate.
  rewrite !andb_true_iff. intros [[T G] P].
  exists (valued symbols), (fun _ => 0), l, (madeUp k l).
  split; [exact A|]. split; [|split].
  - intros t ten Te. rewrite forallb_forall in T.
    assert (I : In t (seq 0 (length (arguments k)))).
    { apply in_seq. split; [lia|]. simpl. apply nth_error_Some.
      unfold tensorOf in Te. now destruct (nth_error (arguments k) t). }
    specialize (T t I). rewrite Te in T.
    destruct (extentsOf l t) as [extents|]; [|discriminate].
    exists extents. split; [reflexivity|]. now apply all_leb.
  - now apply all_leb.
  - now apply keptByRule_sound.
Qed.
