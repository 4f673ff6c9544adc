(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   A launch run block after block: one of the interleavings, and the one that
   executors take. What it finds is found. *)

From Coq Require Import ZArith String List Bool Lia Relations.
From Girih Require Export Launch.
Import ListNotations.
Open Scope Z_scope.

(* Block b to its end. *)
Fixpoint finish (b : nat) (r : run unit) (mem : contents)
  (own : nat -> list Z -> option nat)
  : outcome (contents * (nat -> list Z -> option nat)) :=
  match r with
  | Done o => do _ <- o; Ok (mem, own)
  | Take t at_ next =>
      let own' := put own t at_ (Some b) in
      match own t at_ with
      | Some b' =>
          if Nat.eqb b b' then finish b next mem own' else Stuck ClaimDisjoint
      | None => finish b next mem own'
      end
  | Read t at_ next =>
      match mem t at_ with
      | Some x => finish b (next x) mem own
      | None => Stuck LoadDefined
      end
  | Write t at_ x next => finish b next (put mem t at_ (Some x)) own
  | Update t at_ f x next =>
      match mem t at_ with
      | Some y => finish b next (put mem t at_ (Some (f y x))) own
      | None => Malformed
      end
  end.

Fixpoint finishAll (order : list nat) (s : state) : outcome state :=
  match order with
  | [] => Ok s
  | b :: order' =>
      do r <- orElse (nth_error (blocks s) b) Malformed;
      do (mem, own) <- finish b r (memory s) (owner s);
      finishAll order' (State (replace (blocks s) b (Done (Ok tt))) mem own)
  end.

Definition hasEnded (r : run unit) : bool :=
  match r with Done (Ok _) => true | _ => false end.

Definition isWhole (k : kernel) (l : launch) (mem : contents) (t : nat)
  : bool :=
  match tensorOf k t, extentsOf l t with
  | Some ten, Some extents =>
      match mode_ ten with
      | Out false => forallb (fun at_ => match mem t at_ with
                                         | Some _ => true
                                         | None => false
                                         end) (allElements extents)
      | _ => true
      end
  | _, _ => true
  end.

Definition execute (m : machine) (k : kernel) (l : launch)
  (given : nat -> list Z -> Z) : outcome state :=
  do _ <- require (keepsGivens k l given);
  do s <- finishAll (seq 0 (blockCount l)) (start m k l given);
  if forallb hasEnded (blocks s) then
    if forallb (isWhole k l (memory s)) (seq 0 (length (arguments k)))
    then Ok s
    else Stuck OutCovered
  else Malformed.

(* What it says is so. *)

Lemma replace_nth {A} (l : list A) b x y : nth_error l b = Some x ->
  nth_error (replace l b y) b = Some y.
Proof.
  revert b. induction l as [|z l IH]; intros [|b] H; try discriminate;
    [reflexivity|]. now apply IH.
Qed.
Lemma replace_replace {A} (l : list A) b x y :
  replace (replace l b x) b y = replace l b y.
Proof.
  revert b. induction l as [|z l IH]; intros [|b]; simpl; try reflexivity.
  now rewrite IH.
Qed.
Lemma replace_same {A} (l : list A) b x : nth_error l b = Some x ->
  replace l b x = l.
Proof.
  revert b. induction l as [|z l IH]; intros [|b] H; try discriminate; simpl.
  - now injection H as ->.
  - now rewrite IH.
Qed.

Lemma finish_spec b r : forall s, nth_error (blocks s) b = Some r ->
  match finish b r (memory s) (owner s) with
  | Ok (mem, own) =>
      reaches s (State (replace (blocks s) b (Done (Ok tt))) mem own)
  | Stuck q => exists s', reaches s s' /\ stepBlock s' b = Stuck q
  | _ => True
  end.
Proof.
  (* One step, then the rest. *)
  assert (Go : forall s next mem own r0,
            nth_error (blocks s) b = Some r0 ->
            stepBlock s b = Ok (State (replace (blocks s) b next) mem own) ->
            (forall s', nth_error (blocks s') b = Some next ->
               match finish b next (memory s') (owner s') with
               | Ok (mem, own) =>
                   reaches s' (State (replace (blocks s') b (Done (Ok tt)))
                                 mem own)
               | Stuck q => exists s'', reaches s' s'' /\
                              stepBlock s'' b = Stuck q
               | _ => True
               end) ->
            match finish b next mem own with
            | Ok (mem, own) =>
                reaches s (State (replace (blocks s) b (Done (Ok tt))) mem own)
            | Stuck q => exists s', reaches s s' /\ stepBlock s' b = Stuck q
            | _ => True
            end).
  { intros s next mem own r0 N St IH.
    assert (Step : reaches s (State (replace (blocks s) b next) mem own))
      by (apply rt_step; now exists b).
    specialize (IH (State (replace (blocks s) b next) mem own)
                  (replace_nth _ _ _ _ N)). simpl in IH.
    destruct (finish b next mem own) as [[mem' own']|q| |]; auto.
    - rewrite replace_replace in IH. eapply rt_trans; eauto.
    - destruct IH as [s' [R Q]]. exists s'. split; [|exact Q].
      eapply rt_trans; eauto. }
  induction r as [o|t at_ r IH|t at_ r IH|t at_ x r IH|t at_ f x r IH];
    intros s N; simpl.
  - destruct o as [[]|q| |]; simpl; auto.
    + rewrite (replace_same _ _ _ N). destruct s. apply rt_refl.
    + exists s. split; [apply rt_refl|]. unfold stepBlock. now rewrite N.
  - destruct (owner s t at_) as [b'|] eqn:O.
    + destruct (Nat.eqb b b') eqn:B.
      * eapply Go; [exact N| |exact IH]. unfold stepBlock. now rewrite N, O, B.
      * exists s. split; [apply rt_refl|]. unfold stepBlock.
        now rewrite N, O, B.
    + eapply Go; [exact N| |exact IH]. unfold stepBlock. now rewrite N, O.
  - destruct (memory s t at_) as [x|] eqn:M.
    + eapply Go; [exact N| |apply IH]. unfold stepBlock. now rewrite N, M.
    + exists s. split; [apply rt_refl|]. unfold stepBlock. now rewrite N, M.
  - eapply Go; [exact N| |exact IH]. unfold stepBlock. now rewrite N.
  - destruct (memory s t at_) as [y|] eqn:M; [|exact I].
    eapply Go; [exact N| |exact IH]. unfold stepBlock. now rewrite N, M.
Qed.

Lemma finishAll_spec order : forall s,
  match finishAll order s with
  | Ok s' => reaches s s'
  | Stuck q => exists s' b, reaches s s' /\ stepBlock s' b = Stuck q
  | _ => True
  end.
Proof.
  induction order as [|b order IH]; intro s; simpl; [apply rt_refl|].
  destruct (nth_error (blocks s) b) as [r|] eqn:N; simpl; [|exact I].
  pose proof (finish_spec b r s N) as F.
  destruct (finish b r (memory s) (owner s)) as [[mem own]|q| |]; simpl; auto.
  - specialize (IH (State (replace (blocks s) b (Done (Ok tt))) mem own)).
    destruct (finishAll order _) as [s'|q| |]; auto.
    + eapply rt_trans; eauto.
    + destruct IH as [s' [b' [R Q]]]. exists s', b'. split; [|exact Q].
      eapply rt_trans; eauto.
  - destruct F as [s' [R Q]]. eauto.
Qed.

Lemma ints_spec n from x :
  In x (ints from n) <-> from <= x < from + Z.of_nat n.
Proof.
  revert from. induction n as [|n IH]; intro from; simpl; [lia|].
  rewrite IH. lia.
Qed.

Lemma allElements_spec extents at_ :
  In at_ (allElements extents) <-> inBox extents at_.
Proof.
  unfold allElements. revert at_.
  induction extents as [|e extents IH]; intros at_; simpl.
  - split; [intros [<-|[]]; constructor|]. intro B. inversion B. auto.
  - rewrite in_flat_map. split.
    + intros [x [X I]]. apply in_map_iff in I as [at' [<- I]].
      apply ints_spec in X. constructor; [lia|now apply IH].
    + intro B. inversion B as [|? x ? at' X B']. subst. exists x.
      split; [apply ints_spec; lia|]. apply in_map. now apply IH.
Qed.

Lemma hasEnded_spec s : forallb hasEnded (blocks s) = true <-> ended s.
Proof.
  unfold ended. rewrite forallb_forall, Forall_forall.
  split; intros H r I; specialize (H r I).
  - destruct r as [[[]| | |]| | | |]; try discriminate. reflexivity.
  - now subst r.
Qed.

Lemma isWhole_spec k l s :
  forallb (isWhole k l (memory s)) (seq 0 (length (arguments k))) = true <->
  ~ uncovered k l s.
Proof.
  rewrite forallb_forall. split.
  - intros H (t & ten & extents & at_ & T & M & E & B & N).
    assert (I : In t (seq 0 (length (arguments k)))).
    { apply in_seq. unfold tensorOf in T.
      destruct (nth_error (arguments k) t) eqn:A; [|discriminate].
      assert (L : nth_error (arguments k) t <> None) by congruence.
      apply nth_error_Some in L. lia. }
    specialize (H t I). unfold isWhole in H. rewrite T, E, M in H.
    rewrite forallb_forall in H. apply allElements_spec in B.
    specialize (H at_ B). now rewrite N in H.
  - intros U t _. unfold isWhole.
    destruct (tensorOf k t) as [ten|] eqn:T; [|reflexivity].
    destruct (extentsOf l t) as [extents|] eqn:E; [|reflexivity].
    destruct (mode_ ten) as [| |[|]|] eqn:M; try reflexivity.
    apply forallb_forall. intros at_ I.
    destruct (memory s t at_) eqn:N; [reflexivity|]. exfalso. apply U.
    exists t, ten, extents, at_. repeat split; auto.
    now apply allElements_spec.
Qed.

(* A run that ends well is an interleaving in which all blocks end and every
   output is whole. *)
Theorem execute_ends m k l given s : execute m k l given = Ok s ->
  keepsGivens k l given = true /\
  reaches (start m k l given) s /\ ended s /\ ~ uncovered k l s.
Proof.
  unfold execute. destruct (keepsGivens k l given); [|discriminate].
  cbn [require bind].
  pose proof (finishAll_spec (seq 0 (blockCount l)) (start m k l given)) as F.
  destruct (finishAll _ _) as [s'|q| |]; try discriminate. simpl.
  destruct (forallb hasEnded (blocks s')) eqn:H; [|discriminate].
  destruct (forallb (isWhole k l (memory s')) _) eqn:W; [|discriminate].
  intro E. injection E as <-. split; [reflexivity|].
  split; [exact F|]. split; [now apply hasEnded_spec|now apply isWhole_spec].
Qed.

(* A run that gets stuck shows that the kernel is not safe. *)
Theorem execute_refutes m k l given r : execute m k l given = Stuck r ->
  ~ safe m k l.
Proof.
  unfold execute, safe. intros E S. specialize (S given).
  destruct (keepsGivens k l given); [|discriminate].
  cbn [require bind] in E.
  pose proof (finishAll_spec (seq 0 (blockCount l)) (start m k l given)) as F.
  destruct (finishAll _ _) as [s'|q| |]; try discriminate; simpl in E.
  - destruct (forallb hasEnded (blocks s')) eqn:H; [|discriminate].
    destruct (forallb (isWhole k l (memory s')) _) eqn:W; [discriminate|].
    apply (S s' OutCovered eq_refl F). right. split; [reflexivity|].
    split; [now apply hasEnded_spec|].
    (* Not all is whole: one element is not. *)
    apply not_true_iff_false in W.
    assert (X : existsb (fun t => negb (isWhole k l (memory s') t))
                  (seq 0 (length (arguments k))) = true).
    { apply not_false_is_true. intro X. apply W. clear - X. revert X.
      induction (seq 0 (length (arguments k))) as [|t ts IH]; [auto|]. simpl.
      destruct (isWhole k l (memory s') t); [auto|discriminate]. }
    apply existsb_exists in X as [t [_ V]]. unfold isWhole in V.
    destruct (tensorOf k t) as [ten|] eqn:T; [|discriminate].
    destruct (extentsOf l t) as [extents|] eqn:Ex; [|discriminate].
    destruct (mode_ ten) as [| |[|]|] eqn:M; try discriminate.
    assert (N : exists at_, In at_ (allElements extents) /\
                            memory s' t at_ = None).
    { clear - V. induction (allElements extents) as [|a as_ IH];
        [discriminate|]. simpl in V.
      destruct (memory s' t a) eqn:A; [|exists a; simpl; auto].
      destruct (IH V) as [b [I B]]. exists b. simpl. auto. }
    destruct N as [at_ [I N]]. exists t, ten, extents, at_.
    repeat split; auto. now apply allElements_spec.
  - destruct F as [s' [b [R Q]]]. apply (S s' q eq_refl R). left. now exists b.
Qed.
