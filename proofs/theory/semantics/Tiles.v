(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Which coordinates the lanes of a tile have, axis by axis. *)

From Coq Require Import ZArith List Bool Lia.
From Girih Require Export Sem.
Import ListNotations.
Open Scope Z_scope.

(* A coordinate of an axis that has tiles of extent t, in tile i: (t, i). *)
Definition onAxis (x : Z) (a : Z * Z) : Prop :=
  snd a * fst a <= x < snd a * fst a + fst a.

Lemma ints_between count : forall from x,
  In x (ints from count) <-> from <= x < from + Z.of_nat count.
Proof.
  induction count as [|count IH]; intros from x; [simpl; lia|].
  cbn [ints In]. rewrite IH. lia.
Qed.

Lemma tileLanes_spec : forall extents index at_,
  In at_ (tileLanes extents index) <->
  Forall2 onAxis at_ (combine extents index).
Proof.
  assert (Empty : forall at_, In at_ [[]] <-> Forall2 onAxis at_ []).
  { intro at_. split; [intros [<-|[]]; constructor|].
    intro F. inversion F. now left. }
  induction extents as [|t extents IH]; intros index at_; [apply Empty|].
  destruct index as [|i index]; [apply Empty|]. cbn [tileLanes combine].
  rewrite in_flat_map. split.
  - intros [x [X I]]. apply in_map_iff in I as [b [<- I]].
    constructor; [|now apply IH]. apply ints_between in X.
    unfold onAxis. simpl. lia.
  - intro F. inversion F as [|x a b ? X R]. subst. exists x.
    split; [|now apply in_map, IH]. apply ints_between.
    unfold onAxis in X. simpl in X. lia.
Qed.

Theorem tileOf_spec extents v p index at_ :
  In (at_, true) (tileOf extents v p index) <->
  inBox extents at_ /\ exists x, at_ = placeOf v x /\ inBox (extents_ v) x /\
    Forall2 onAxis x (combine (tileExtents p) index).
Proof.
  unfold tileOf. rewrite in_map_iff. split.
  - intros [b [E I]]. injection E as <- E. apply andb_true_iff in E as [X Y].
    apply inside_inBox in X, Y. apply tileLanes_spec in I. split; [exact Y|].
    now exists b.
  - intros [I [x [-> [X F]]]]. exists x. apply tileLanes_spec in F.
    apply inside_inBox in X, I. now rewrite X, I.
Qed.
