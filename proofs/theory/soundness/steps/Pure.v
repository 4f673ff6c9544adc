(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Steps of the generator that claim and write nothing: what they leave as it
   was. *)

From Coq Require Import ZArith String List Bool Lia.
From Girih Require Export Choices.
Import ListNotations.
Open Scope Z_scope.

Definition pure {A} (g : gen A) : Prop := tame g /\ scopes g /\
  forall s a s', g s = Some (a, s') ->
    sites s' = sites s /\ writes s' = writes s.

Lemma pure_ret {A} (a : A) : pure (ret a).
Proof.
  split; [apply tame_ret|]. split; [apply scopes_ret|].
  intros s x s' H. now injection H as _ <-.
Qed.
Lemma pure_fail {A} : pure (@fail A).
Proof.
  split; [apply tame_fail|]. split; [apply scopes_fail|]. discriminate.
Qed.
Lemma pure_given {A} (o : option A) : pure (given o).
Proof. destruct o; [apply pure_ret|apply pure_fail]. Qed.
Lemma pure_check b : pure (check b).
Proof. destruct b; [apply (pure_ret tt)|apply (@pure_fail unit)]. Qed.
Lemma pure_then {A B} (g : gen A) (f : A -> gen B) :
  pure g -> (forall a, pure (f a)) -> pure (andThen g f).
Proof.
  intros (T & S & K) F.
  split; [apply tame_then; [exact T|apply F]|].
  split; [apply scopes_then; [exact S|apply F]|].
  intros s b s' H. apply andThen_inv in H as [a [s1 [H1 H2]]].
  destruct (K _ _ _ H1) as [<- <-]. now apply (proj2 (proj2 (F a)) s1 b).
Qed.
Lemma pure_forEach {A} (f : A -> gen unit) l :
  (forall x, pure (f x)) -> pure (forEach f l).
Proof.
  intro F. induction l; simpl; [apply pure_ret|]. apply pure_then; auto.
Qed.
Lemma pure_mapEach {A B} (f : A -> gen B) l :
  (forall x, pure (f x)) -> pure (mapEach f l).
Proof.
  intro F. induction l; simpl; [apply pure_ret|].
  apply pure_then; [auto|]. intro. apply pure_then; [auto|].
  intro. apply pure_ret.
Qed.
Lemma pure_assume f r : plain r -> pure (assume f r).
Proof.
  intro P. split; [now apply assume_tame|]. split; [apply assume_scopes|].
  intros s u s' H. now apply assume_inv in H as [_ ->].
Qed.
Lemma pure_because s f : pure (because s f).
Proof. now apply pure_assume. Qed.
Lemma pure_fresh : pure fresh_.
Proof.
  split; [apply fresh_tame|]. split; [apply fresh_scopes|].
  intros s v s' H. now injection H as _ <-.
Qed.
Lemma pure_emit r goal remember : pure (emit r goal remember).
Proof.
  split; [apply emit_tame|]. split; [apply emit_scopes|].
  intros s u s' H. now apply emit_inv in H as [_ [fs [-> _]]].
Qed.
Lemma define_keep k args count s rs s' :
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
Lemma pure_divide a d : pure (divide a d).
Proof.
  split; [apply divide_tame|]. split; [apply divide_scopes|].
  intros s qr s' H. apply divide_inv in H.
  destruct H as [[_ [_ ->]]|[(x & y & _ & _ & _ & ->)|(q & r & H & _)]]; auto.
  now apply define_keep in H.
Qed.
Lemma pure_select c a b : pure (select c a b).
Proof.
  split; [apply select_tame|]. split; [apply select_scopes|].
  intros s x s' H. apply select_inv in H.
  destruct H as [[_ [_ ->]]|[(y & _ & _ & ->)|(m & H & _)]]; auto.
  now apply define_keep in H.
Qed.
Create HintDb pure.
#[export] Hint Resolve pure_ret pure_fail pure_given pure_check
  pure_because pure_fresh pure_emit pure_divide pure_select pure_forEach
  pure_mapEach : pure.

Lemma pure_next {A} (g : gen A) s a s' : pure g -> g s = Some (a, s') ->
  orderly s -> orderly s' /\ (next s <= next s')%positive.
Proof. intros [T _]. now apply tame_next. Qed.
Lemma pure_discharged {A} (g : gen A) s a s' : pure g -> g s = Some (a, s') ->
  orderly s -> Forall discharged (vcs s') -> Forall discharged (vcs s).
Proof. intros [T _] H O. apply grows_discharged. now apply (T _ _ _ H). Qed.
