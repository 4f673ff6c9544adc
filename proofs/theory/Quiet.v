(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Steps of the generator that claim and write nothing: what they leave as it
   was. *)

From Coq Require Import ZArith String List Bool Lia.
From Girih Require Export Choices.
Import ListNotations.
Open Scope Z_scope.

Definition quiet {A} (g : gen A) : Prop := tame g /\ scopes g /\
  forall s a s', g s = Some (a, s') ->
    sites s' = sites s /\ writes s' = writes s.

Lemma quiet_ret {A} (a : A) : quiet (ret a).
Proof.
  split; [apply tame_ret|]. split; [apply scopes_ret|].
  intros s x s' H. now injection H as _ <-.
Qed.
Lemma quiet_fail {A} : quiet (@fail A).
Proof.
  split; [apply tame_fail|]. split; [apply scopes_fail|]. discriminate.
Qed.
Lemma quiet_given {A} (o : option A) : quiet (given o).
Proof. destruct o; [apply quiet_ret|apply quiet_fail]. Qed.
Lemma quiet_check b : quiet (check b).
Proof. destruct b; [apply (quiet_ret tt)|apply (@quiet_fail unit)]. Qed.
Lemma quiet_then {A B} (g : gen A) (f : A -> gen B) :
  quiet g -> (forall a, quiet (f a)) -> quiet (andThen g f).
Proof.
  intros (T & S & K) F.
  split; [apply tame_then; [exact T|apply F]|].
  split; [apply scopes_then; [exact S|apply F]|].
  intros s b s' H. apply andThen_inv in H as [a [s1 [H1 H2]]].
  destruct (K _ _ _ H1) as [<- <-]. now apply (proj2 (proj2 (F a)) s1 b).
Qed.
Lemma quiet_forEach {A} (f : A -> gen unit) l :
  (forall x, quiet (f x)) -> quiet (forEach f l).
Proof.
  intro F. induction l; simpl; [apply quiet_ret|]. apply quiet_then; auto.
Qed.
Lemma quiet_mapEach {A B} (f : A -> gen B) l :
  (forall x, quiet (f x)) -> quiet (mapEach f l).
Proof.
  intro F. induction l; simpl; [apply quiet_ret|].
  apply quiet_then; [auto|]. intro. apply quiet_then; [auto|].
  intro. apply quiet_ret.
Qed.
Lemma quiet_assume f r : plain r -> quiet (assume f r).
Proof.
  intro P. split; [now apply assume_tame|]. split; [apply assume_scopes|].
  intros s u s' H. now apply assume_inv in H as [_ ->].
Qed.
Lemma quiet_because s f : quiet (because s f).
Proof. now apply quiet_assume. Qed.
Lemma quiet_fresh : quiet fresh_.
Proof.
  split; [apply fresh_tame|]. split; [apply fresh_scopes|].
  intros s v s' H. now injection H as _ <-.
Qed.
Lemma quiet_owe r goal remember : quiet (owe r goal remember).
Proof.
  split; [apply owe_tame|]. split; [apply owe_scopes|].
  intros s u s' H. now apply owe_inv in H as [_ [fs [-> _]]].
Qed.
Lemma define_silent k args count s rs s' :
  define_ k args count s = Some (rs, s') ->
  sites s' = sites s /\ writes s' = writes s.
Proof.
  intro H. unfold define_ in H. destruct (findDefinition _ _ _) as [d|].
  { now injection H as _ <-. }
  destruct (forallb _ args); [|discriminate].
  apply andThen_inv in H as [vs [s1 [H1 H]]].
  apply andThen_inv in H as [u [s2 [H2 H]]].
  apply andThen_inv in H as [u' [s3 [H3 H]]].
  injection H as _ <-. apply fresh_many in H1 as [_ [_ [_ [_ E]]]].
  injection H2 as _ <-. apply introduce_inv in H3 as [_ [new [-> _]]].
  now rewrite E.
Qed.
Lemma quiet_divide a d : quiet (divide a d).
Proof.
  split; [apply divide_tame|]. split; [apply divide_scopes|].
  intros s qr s' H. apply divide_inv in H.
  destruct H as [[_ [_ ->]]|[(x & y & _ & _ & _ & ->)|(q & r & H & _)]]; auto.
  now apply define_silent in H.
Qed.
Lemma quiet_select c a b : quiet (select c a b).
Proof.
  split; [apply select_tame|]. split; [apply select_scopes|].
  intros s x s' H. apply select_inv in H.
  destruct H as [[_ [_ ->]]|[(y & _ & _ & ->)|(m & H & _)]]; auto.
  now apply define_silent in H.
Qed.
Create HintDb quiet.
#[export] Hint Resolve quiet_ret quiet_fail quiet_given quiet_check
  quiet_because quiet_fresh quiet_owe quiet_divide quiet_select quiet_forEach
  quiet_mapEach : quiet.

Lemma quiet_next {A} (g : gen A) s a s' : quiet g -> g s = Some (a, s') ->
  orderly s -> orderly s' /\ (next s <= next s')%positive.
Proof. intros [T _]. now apply tame_next. Qed.
Lemma quiet_paid {A} (g : gen A) s a s' : quiet g -> g s = Some (a, s') ->
  orderly s -> Forall paid (debts s') -> Forall paid (debts s).
Proof. intros [T _] H O. apply grows_paid. now apply (T _ _ _ H). Qed.
