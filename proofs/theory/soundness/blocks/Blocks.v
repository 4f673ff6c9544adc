(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   From blocks to launches: when each block is sound and different blocks may
   take different elements only, no interleaving breaks a rule. *)

From Coq Require Import ZArith List Bool Lia Relations.
From Girih Require Owned.
From Girih Require Export Positions.
Import ListNotations.
Open Scope Z_scope.

Lemma eqAt_true a b : eqAt a b = true <-> a = b.
Proof.
  split; [apply eqAt_sound|]. intros ->. induction b as [|x b IH]; simpl; auto.
  now rewrite Z.eqb_refl.
Qed.

Ltac conj := repeat match goal with |- _ /\ _ => split end.

Section Blocks.

Context (m : machine) (k : kernel) (l : launch) (given : nat -> list Z -> Z).
(* What each block may take, by its number. *)
Context (take : nat -> elements_).
Context (blocksSound : forall b, (b < blockCount l)%nat ->
  sound k given (take b) (fun _ _ => True) (fun _ _ => False)
    (runBlock m k l (blockIds l b))).
Context (blocksApart : forall b c t a, (b < blockCount l)%nat ->
  (c < blockCount l)%nat -> take b t a -> take c t a -> b = c).

(* What holds of every state: blocks are sound with what is defined, owners may
   have taken what they own. *)
Definition kept (s : state) : Prop :=
  length (blocks s) = blockCount l /\
  (forall b r, nth_error (blocks s) b = Some r -> exists d,
     sound k given (take b) (fun _ _ => True) d r /\
     (forall t a, d t a -> memory s t a <> None)) /\
  (forall t a b, owner s t a = Some b ->
     (b < blockCount l)%nat /\ take b t a) /\
  (forall t a, isOut k t = false -> memory s t a <> None).

Lemma replace_length {A} (xs : list A) : forall n x,
  length (replace xs n x) = length xs.
Proof. induction xs as [|y xs IH]; intros [|n] x; simpl; auto. Qed.
Lemma replace_at {A} (xs : list A) : forall n x m y,
  nth_error (replace xs n x) m = Some y ->
  m = n /\ y = x \/ m <> n /\ nth_error xs m = Some y.
Proof.
  induction xs as [|z xs IH]; intros [|n] x [|m0] y H; simpl in *;
    try discriminate.
  - left. now injection H.
  - right. auto.
  - right. auto.
  - destruct (IH _ _ _ _ H) as [[-> ->]|[N E]]; [auto|]. right. auto.
Qed.

Lemma start_kept : kept (start m k l given).
Proof.
  unfold start. repeat split; simpl.
  - now rewrite map_length, seq_length.
  - intros b r N. rewrite nth_error_map in N.
    destruct (nth_error (seq 0 (blockCount l)) b) as [c|] eqn:C;
      [|discriminate]. injection N as <-.
    assert (E : c = b /\ (b < blockCount l)%nat).
    { clear - C. assert (B : (b < length (seq 0 (blockCount l)))%nat)
        by (apply nth_error_Some; congruence).
      rewrite seq_length in B. split; [|exact B].
      pose proof (seq_nth 0 0 B) as S.
      now rewrite (nth_error_nth _ _ _ C) in S. }
    destruct E as [-> B]. exists (fun _ _ => False). split; [auto|].
    intros t a [].
  - discriminate.
  - discriminate.
  - intros t a O. rewrite O. discriminate.
Qed.

Lemma put_at {A} (f : nat -> list Z -> A) t a x u b :
  put f t a x u b = if Nat.eqb t u && eqAt a b then x else f u b.
Proof. reflexivity. Qed.

(* What a block reads is what it may read. *)
Lemma may_read s t a x : reaches (start m k l given) s ->
  memory s t a = Some x -> reads_ k given t a x.
Proof.
  intros R M ten T S. rewrite (Owned.shared_kept m k l given s t a R) in M.
  - congruence.
  - unfold Owned.sharedTensor, Owned.ofTensor. now rewrite T.
Qed.

Lemma step_kept s s' : reaches (start m k l given) s -> kept s ->
  step s s' -> kept s'.
Proof.
  intros R [Len [B [Ow Me]]] [b St]. unfold stepBlock in St.
  destruct (nth_error (blocks s) b) as [r|] eqn:N; [|discriminate].
  assert (Lb : (b < blockCount l)%nat).
  { rewrite <- Len. apply nth_error_Some. congruence. }
  destruct (B b r N) as [d [Sd Dd]].
  destruct r as [o|t a next|t a next|t a x next|t a f x next].
  - destruct o as [u| | |]; try discriminate. injection St as <-.
    unfold kept. auto.
  - inversion Sd as [|? ? ? ? Tk S'| | |]. subst.
    assert (E : s' = State (replace (blocks s) b next) (memory s)
                  (put (owner s) t a (Some b))).
    { destruct (owner s t a) as [b'|]; [|now injection St].
      destruct (Nat.eqb b b'); [now injection St|discriminate]. }
    subst s'. unfold kept. simpl. rewrite replace_length. conj; auto.
    + intros c q C. apply replace_at in C as [[-> ->]|[_ C]]; [eauto|].
      now apply B.
    + intros u x c. rewrite put_at. destruct (_ && _) eqn:E; [|apply Ow].
      intro Q. injection Q as <-. apply andb_true_iff in E as [E1 E2].
      apply Nat.eqb_eq in E1. apply eqAt_sound in E2. subst. auto.
  - destruct (memory s t a) as [x|] eqn:Mx; [|discriminate].
    injection St as <-. pose proof (may_read s t a x R Mx) as Rd'.
    inversion Sd as [| |? ? ? ? Rd S'| |]. subst. unfold kept. simpl.
    rewrite replace_length. conj; auto.
    intros c q C. apply replace_at in C as [[-> ->]|[_ C]]; [eauto|].
    now apply B.
  - injection St as <-. inversion Sd as [| | |? ? ? ? ? S'|]. subst.
    assert (Mem : forall u y, memory s u y <> None ->
              put (memory s) t a (Some x) u y <> None).
    { intros u y M. rewrite put_at. now destruct (_ && _). }
    unfold kept. simpl. rewrite replace_length. conj; auto.
    intros c q C. apply replace_at in C as [[-> ->]|[_ C]].
    + exists (with_ d t a). split; [exact S'|]. intros u y [D|[-> ->]]; auto.
      rewrite put_at, Nat.eqb_refl.
      now rewrite (proj2 (eqAt_true a a) eq_refl).
    + destruct (B c q C) as [d' [S'' D'']]. exists d'. auto.
  - destruct (memory s t a) as [y|] eqn:M; [|discriminate]. injection St as <-.
    inversion Sd as [| | | |? ? ? ? ? ? O S']. subst.
    assert (Mem : forall u z, memory s u z <> None ->
              put (memory s) t a (Some (f y x)) u z <> None).
    { intros u z N'. rewrite put_at. now destruct (_ && _). }
    unfold kept. simpl. rewrite replace_length. conj; auto.
    intros c q C. apply replace_at in C as [[-> ->]|[_ C]].
    + exists d. split; [exact S'|]. intros u z D. now apply Mem, Dd.
    + destruct (B c q C) as [d' [S'' D'']]. exists d'. auto.
Qed.

Lemma reached_kept s : reaches (start m k l given) s -> kept s.
Proof.
  intro R. apply clos_rt_rtn1 in R. induction R as [|s1 s2 St R IH].
  - apply start_kept.
  - eapply step_kept; eauto. now apply clos_rtn1_rt.
Qed.

(* Every block can go on, whatever the others did. *)
Theorem blocks_step s b : reaches (start m k l given) s ->
  (b < blockCount l)%nat -> exists s', stepBlock s b = Ok s'.
Proof.
  intros R Lb. destruct (reached_kept s R) as [Len [B [Ow Me]]].
  unfold stepBlock.
  destruct (nth_error (blocks s) b) as [r|] eqn:N.
  2:{ exfalso. apply nth_error_None in N. lia. }
  destruct (B b r N) as [d [Sd Dd]].
  inversion Sd as [? u G|? t a next Tk S'|? t a next Rd S'|? t a x next S'
                  |? t a f x next O S'];
    subst; [eauto| | |eauto|].
  - destruct (owner s t a) as [c|] eqn:O; [|eauto].
    destruct (Ow t a c O) as [Lc Tc]. rewrite (blocksApart b c t a Lb Lc Tk Tc).
    rewrite Nat.eqb_refl. eauto.
  - destruct (memory s t a) as [x|] eqn:M; [eauto|]. exfalso.
    destruct (isOut k t) eqn:O.
    + now apply (Dd t a (Rd eq_refl)).
    + now apply (Me t a O).
  - destruct (memory s t a) as [y|] eqn:M; [eauto|]. now apply Me in M.
Qed.

(* An element that a block surely writes is defined when all have ended. *)
Theorem surely_written s b t a : reaches (start m k l given) s ->
  (b < blockCount l)%nat ->
  surely k given t a (runBlock m k l (blockIds l b)) ->
  ended s -> memory s t a <> None.
Proof.
  intros R Lb Su E.
  assert (Inv : forall s, reaches (start m k l given) s ->
            memory s t a <> None \/
            exists r, nth_error (blocks s) b = Some r /\ surely k given t a r).
  { clear s R E. intros s R. apply clos_rt_rtn1 in R.
    induction R as [|s1 s2 [c St] R IH].
    - right. exists (runBlock m k l (blockIds l b)). split; [|exact Su].
      unfold start. simpl. rewrite nth_error_map.
      rewrite (nth_error_nth' (seq 0 (blockCount l)) 0%nat)
        by now rewrite seq_length.
      simpl. now rewrite seq_nth.
    - unfold stepBlock in St.
      destruct (nth_error (blocks s1) c) as [q|] eqn:C; [|discriminate].
      assert (Keep : forall bs own mem, s2 = State bs mem own ->
                (forall u y, memory s1 u y <> None -> mem u y <> None) ->
                (forall r, nth_error (blocks s1) b = Some r ->
                   surely k given t a r -> mem t a <> None \/
                   exists r', nth_error bs b = Some r' /\
                     surely k given t a r') ->
                memory s2 t a <> None \/
                exists r, nth_error (blocks s2) b = Some r /\
                  surely k given t a r).
      { intros bs own mem -> M S. simpl. destruct IH as [M0|[r [N0 S0]]].
        - left. now apply M.
        - now apply (S r). }
      assert (Other : forall next r, nth_error (blocks s1) b = Some r ->
                b <> c -> nth_error (replace (blocks s1) c next) b = Some r).
      { intros next r N0 Ne. clear - N0 Ne. revert b c N0 Ne.
        induction (blocks s1) as [|y ys IH]; intros [|b] [|c] N0 Ne; simpl in *;
          try congruence; auto. }
      assert (Here : forall next, nth_error (replace (blocks s1) c next) c =
                Some next).
      { intro next. clear - C. revert c C.
        induction (blocks s1) as [|y ys IH]; intros [|c] C; simpl in *;
          try discriminate; auto. }
      destruct q as [o|u y next|u y next|u y x next|u y f x next].
      + destruct o; try discriminate. injection St as <-. exact IH.
      + assert (Es : exists own, s2 = State (replace (blocks s1) c next)
                  (memory s1) own).
        { destruct (owner s1 u y) as [c'|]; [|injection St as <-; eauto].
          destruct (Nat.eqb c c'); [injection St as <-; eauto|discriminate]. }
        destruct Es as [own Es]. eapply Keep; [exact Es|auto|].
        intros r N0 S0. right. destruct (Nat.eq_dec b c) as [<-|Ne]; [|eauto].
        rewrite C in N0. injection N0 as <-. inversion S0. subst. eauto.
      + destruct (memory s1 u y) as [x|] eqn:Mx; [|discriminate].
        injection St as <-. eapply Keep; [reflexivity|auto|].
        intros r N0 S0. right. destruct (Nat.eq_dec b c) as [<-|Ne]; [|eauto].
        rewrite C in N0. injection N0 as <-.
        apply clos_rtn1_rt in R. pose proof (may_read s1 u y x R Mx).
        inversion S0. subst. eauto.
      + injection St as <-. eapply Keep; [reflexivity| |].
        * intros v z M. rewrite put_at. now destruct (_ && _).
        * intros r N0 S0. destruct (Nat.eq_dec b c) as [<-|Ne].
          -- rewrite C in N0. injection N0 as <-. inversion S0; subst.
             ++ left. rewrite put_at, Nat.eqb_refl.
                now rewrite (proj2 (eqAt_true _ _) eq_refl).
             ++ right. eauto.
          -- right. eauto.
      + destruct (memory s1 u y) as [z|] eqn:Mz; [|discriminate].
        injection St as <-. eapply Keep; [reflexivity| |].
        * intros v b' M. rewrite put_at. now destruct (_ && _).
        * intros r N0 S0. right. destruct (Nat.eq_dec b c) as [<-|Ne]; [|eauto].
          rewrite C in N0. injection N0 as <-. inversion S0. subst. eauto. }
  destruct (Inv s R) as [M|[r [N S]]]; [exact M|]. exfalso.
  unfold ended in E. rewrite Forall_forall in E.
  rewrite (E r (nth_error_In _ _ N)) in S. inversion S.
Qed.

End Blocks.
