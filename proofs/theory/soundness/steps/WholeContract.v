(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   What a contract says of a launch whose contents keep what is given of them:
   its own conditions, that a tensor of splits has an element, and that there
   are numbers for the elements of a tensor. *)

From Coq Require Import ZArith List Bool Lia.
From Girih Require Import Execute.
From Girih Require Export Contract ContentsSound.
Import ListNotations.
Open Scope Z_scope.

Lemma pure_contents h p : pure (assumeContents h p).
Proof.
  unfold assumeContents. destruct (snd p); try destruct (constantOf _);
    repeat (apply pure_then; auto with pure; intro); auto with pure.
Qed.

Theorem pure_whole w k : pure (wholeContract w k).
Proof.
  apply pure_then; [apply pure_contract|]. intro h.
  apply pure_then; auto using pure_contents with pure.
Qed.

Section Given.

Context (w : Z) (k : kernel) (h : header) (l : launch) (contents : initial_)
  (e : values).
Context (isLaunch : launched w k h l e)
  (isKept : keepsGivens k l contents = true).

(* A tensor without an element has an axis without one. *)
Lemma someElement es : inBox (map (eval e) es) (map (fun _ => 0) es) \/
  Exists (Forall (holdsAtom e)) (map (fun x => [Atom false (neg x)]) es).
Proof.
  induction es as [|x es IH]; [left; constructor|].
  destruct (Z.lt_ge_cases 0 (eval e x)) as [P|N].
  - destruct IH as [B|X]; [left|right; now apply Exists_cons_tl].
    constructor; [lia|exact B].
  - right. apply Exists_cons_hd, atom_ge. rewrite neg_eval. lia.
Qed.

Lemma contents_true p s u s' : In p (givenPolys h) ->
  assumeContents h p s = Some (u, s') -> true_ s e -> true_ s' e.
Proof.
  destruct p as [n c]. intros I H T. unfold assumeContents in H.
  cbn [fst snd] in H.
  apply andThen_inv in H as [t [s1 [H1 H]]].
  apply andThen_inv in H as [es [s2 [H2 H]]].
  unfold given in H1, H2. rewrite (isKernel _ _ _ _ _ isLaunch) in H1.
  destruct (tensorOf k n) as [t'|] eqn:Tn; [|discriminate].
  injection H1 as <- <-.
  destruct (extentPolys _ t') as [es'|] eqn:Es; [|discriminate].
  injection H2 as <- <-.
  destruct (areExtents _ _ _ _ _ isLaunch _ _ _ Tn Es) as [X _].
  assert (J : In c (promisesOf (givenPolys h) n)).
  { unfold promisesOf. apply (in_map snd _ (n, c)).
    apply filter_In. split; [exact I|apply Nat.eqb_refl]. }
  pose proof (promise_kept _ _ _ _ _ _ isLaunch isKept _ _ _ _ J Tn X) as K.
  destruct c as [low high| |last|]; cbn [mapContent keepsContent] in K;
    try (now injection H as _ <-).
  - destruct (constantOf _); [now injection H as _ <-|].
    eapply assume_true; [exact H|exact T|].
    destruct (someElement es') as [B|N]; [|now apply Exists_cons_tl].
    apply Exists_cons_hd, atom_ge. rewrite plus_eval, sub_eval.
    apply allElements_spec in B. rewrite forallb_forall in K.
    specialize (K _ B). lia.
  - apply andThen_inv in H as [v [s3 [H3 H]]].
    destruct es' as [|x [|]]; try discriminate K. cbn [map] in K.
    rewrite !andb_true_iff in K. destruct K as [[[K1 K2] K3] K4].
    apply Z.eqb_eq in K3, K4.
    pose proof (ascends_order _ _ K2 0 (eval e x - 1) ltac:(lia) ltac:(lia))
      as A.
    eapply assume_true; [exact H| |apply holds_ge; lia].
    eapply assume_true; [exact H3|exact T|]. apply holds_ge. cbn [hd].
    rewrite plus_eval. lia.
Qed.

Lemma allContents_true l' : (forall p, In p l' -> In p (givenPolys h)) ->
  forall s u s', forEach (assumeContents h) l' s = Some (u, s') ->
  true_ s e -> true_ s' e.
Proof.
  induction l' as [|p l' IH]; intros Sub s u s' H T.
  - now injection H as _ <-.
  - apply andThen_inv in H as [v [s1 [H1 H]]].
    apply (IH (fun q J => Sub q (or_intror J)) _ _ _ H).
    eapply contents_true; [|exact H1|exact T]. apply Sub. now left.
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
  assert (Q : pure (forEach (assumeContents h') (givenPolys h')))
    by auto using pure_contents with pure.
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
  exact (allContents_true w k h' l contents e L K _ (fun p J => J) _ _ _ H2 T).
Qed.
