(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   What a contract says of a launch whose contents keep what is given of them:
   its own conditions, and that a tensor of splits has an element. *)

From Coq Require Import ZArith List Bool Lia.
From Girih Require Import Execute.
From Girih Require Export Contract ContentsSound.
Import ListNotations.
Open Scope Z_scope.

Lemma pure_splits h p : pure (assumeSplits h p).
Proof.
  unfold assumeSplits. destruct (snd p); auto with pure.
  repeat (apply pure_then; auto with pure; intro).
Qed.

Theorem pure_whole w k : pure (wholeContract w k).
Proof.
  apply pure_then; [apply pure_contract|]. intro h.
  apply pure_then; auto using pure_splits with pure.
Qed.

Section Given.

Context (w : Z) (k : kernel) (h : header) (l : launch) (contents : initial_)
  (e : values).
Context (isLaunch : launched w k h l e)
  (isKept : keepsGivens k l contents = true).

Lemma splits_true p s u s' : In p (givenPolys h) ->
  assumeSplits h p s = Some (u, s') -> true_ s e -> true_ s' e.
Proof.
  destruct p as [n c]. intros I H T. unfold assumeSplits in H.
  cbn [fst snd] in H.
  destruct c as [low high| |last|]; try (now injection H as _ <-).
  apply andThen_inv in H as [t [s1 [H1 H]]].
  apply andThen_inv in H as [es [s2 [H2 H]]].
  apply andThen_inv in H as [v [s3 [H3 H]]].
  unfold given in H1, H2. rewrite (isKernel _ _ _ _ _ isLaunch) in H1.
  destruct (tensorOf k n) as [t'|] eqn:Tn; [|discriminate].
  injection H1 as <- <-.
  destruct (extentPolys _ t') as [es'|] eqn:Es; [|discriminate].
  injection H2 as <- <-.
  destruct (areExtents _ _ _ _ _ isLaunch _ _ _ Tn Es) as [X _].
  assert (J : In (Splits last) (promisesOf (givenPolys h) n)).
  { unfold promisesOf. apply (in_map snd _ (n, Splits last)).
    apply filter_In. split; [exact I|apply Nat.eqb_refl]. }
  pose proof (promise_kept _ _ _ _ _ _ isLaunch isKept _ _ _ _ J Tn X) as K.
  cbn [mapContent keepsContent] in K.
  destruct es' as [|x [|]]; try discriminate K. cbn [map] in K.
  rewrite !andb_true_iff in K. destruct K as [[[K1 K2] K3] K4].
  apply Z.eqb_eq in K3, K4.
  pose proof (ascends_order _ _ K2 0 (eval e x - 1) ltac:(lia) ltac:(lia)) as A.
  eapply assume_true; [exact H| |apply holds_ge; lia].
  eapply assume_true; [exact H3|exact T|]. apply holds_ge. cbn [hd].
  rewrite plus_eval. lia.
Qed.

Lemma allSplits_true l' : (forall p, In p l' -> In p (givenPolys h)) ->
  forall s u s', forEach (assumeSplits h) l' s = Some (u, s') ->
  true_ s e -> true_ s' e.
Proof.
  induction l' as [|p l' IH]; intros Sub s u s' H T.
  - now injection H as _ <-.
  - apply andThen_inv in H as [v [s1 [H1 H]]].
    apply (IH (fun q J => Sub q (or_intror J)) _ _ _ H).
    eapply splits_true; [|exact H1|exact T]. apply Sub. now left.
Qed.

End Given.

Theorem whole_sound w k h s : wholeContract w k noScope = Some (h, s) ->
  8 <= w <= 64 -> Forall discharged (vcs s) ->
  boundHeader (next s) h /\
  forall symbols scalars,
    match admit_ w k symbols scalars with
    | Ok l => exists e, launched w k h l e /\
        forall contents, keepsGivens k l contents = true -> true_ s e
    | Refused => True
    | Stuck _ | Malformed => False
    end.
Proof.
  intros H W P. apply andThen_inv in H as [h' [s1 [H1 H]]].
  apply andThen_inv in H as [u [s2 [H2 H]]]. injection H as <- <-.
  assert (Q : pure (forEach (assumeSplits h') (givenPolys h')))
    by auto using pure_splits with pure.
  destruct (pure_next _ _ _ _ (pure_contract w k) H1 noScope_orderly)
    as [O _].
  destruct (pure_next _ _ _ _ Q H2 O) as [_ N].
  assert (P1 := pure_discharged _ _ _ _ Q H2 O P).
  destruct (contract_sound w k h' s1 H1 W P1)
    as (_ & [Bs [Bp Bi]] & _ & _ & _ & Adm).
  split.
  { split; [|split].
    - eapply Forall_impl; [|exact Bs]. cbv beta. intros. lia.
    - eapply Forall_impl; [|exact Bp]. intro p. now apply below_le.
    - eapply Forall_impl; [|exact Bi]. cbv beta. intros. lia. }
  intros symbols scalars. specialize (Adm symbols scalars).
  destruct (admit_ w k symbols scalars) as [l| | |]; auto.
  destruct Adm as [e [T L]]. exists e. split; [exact L|].
  intros contents K.
  exact (allSplits_true w k h' l contents e L K _ (fun p J => J) _ _ _ H2 T).
Qed.
