(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The events of all blocks in one run of a launch: no run is endless, and no
   two blocks have conflicting events anywhere in one. *)

From Coq Require Import ZArith List Bool Lia Relations.
From Girih Require Export Determinism.
From Girih Require Addresses.
Import ListNotations.
Open Scope Z_scope.

(* What a block does to one element of a tensor. *)
Inductive access :=
  | Takes
  | Reads (x : Z)
  | Writes (x : Z)
  | Combines (f : Z -> Z -> Z) (x : Z).
Record action := Action
  { actor : nat; onTensor : nat; onElement : list Z; access_ : access }.

(* The event that a step of a block is; what a block that has ended does is
   none. *)
Definition accessOf (s : state) (r : run unit)
  : option (nat * list Z * access) :=
  match r with
  | Done _ => None
  | Take t a _ => Some (t, a, Takes)
  | Read t a _ =>
      match memory s t a with Some x => Some (t, a, Reads x) | None => None end
  | Write t a x _ => Some (t, a, Writes x)
  | Update t a f x _ => Some (t, a, Combines f x)
  end.
Definition acts (s : state) (e : action) (s' : state) : Prop :=
  exists r, nth_error (blocks s) (actor e) = Some r /\
    accessOf s r = Some (onTensor e, onElement e, access_ e) /\
    stepBlock s (actor e) = Ok s'.

(* A run: its events in order. *)
Inductive runs : state -> list action -> state -> Prop :=
  | runs_none s : runs s [] s
  | runs_more s e s1 es s' : acts s e s1 -> runs s1 es s' ->
      runs s (e :: es) s'.

(* Two blocks may both read an element, or both combine with it in one way. *)
Definition compatible (x y : access) : Prop :=
  match x, y with
  | Reads _, Reads _ => True
  | Combines f _, Combines g _ => f = g
  | _, _ => False
  end.

(* Two elements of a tensor are in one place: they are one, or two halves of a
   byte. *)
Definition inOnePlace (k : kernel) (l : launch) (t : nat) (a b : list Z)
  : Prop :=
  a = b \/
  exists ten extents by_, tensorOf k t = Some ten /\
    sharesByte (elements ten) = true /\ extentsOf l t = Some extents /\
    Addresses.stridesOf (symbolOf l) ten extents = Ok by_ /\
    Addresses.offset by_ a / 2 = Addresses.offset by_ b / 2.

Definition conflicts (k : kernel) (l : launch) (e e' : action) : Prop :=
  actor e <> actor e' /\ onTensor e = onTensor e' /\
  inOnePlace k l (onTensor e) (onElement e) (onElement e') /\
  ~ compatible (access_ e) (access_ e').

(* Runs are the interleavings, idle steps aside. *)

Lemma acts_moves s e s' : acts s e s' -> moves s s'.
Proof.
  intros (r & N & A & B). exists (actor e), r.
  split; [exact N|]. split; [|exact B]. now destruct r.
Qed.

Lemma moves_acts s s' : moves s s' -> exists e, acts s e s'.
Proof.
  intros (b & r & N & D & B).
  assert (X : exists t a x, accessOf s r = Some (t, a, x)).
  { apply step_effect in B as (q & N' & B). rewrite N in N'.
    injection N' as <-. inversion B; subst; try discriminate; simpl; eauto.
    match goal with H : memory _ _ _ = _ |- _ => rewrite H end. eauto. }
  destruct X as (t & a & x & X). exists (Action b t a x), r. auto.
Qed.

Theorem runs_reaches s es s' : runs s es s' -> reaches s s'.
Proof.
  induction 1 as [s|s e s1 es s' (r & _ & _ & B) R IH]; [apply rt_refl|].
  eapply step_reaches; eauto.
Qed.

Theorem reaches_runs s s' : reaches s s' -> exists es, runs s es s'.
Proof.
  intro R. apply clos_rt_rt1n in R.
  induction R as [s|s s1 s' [b B] R [es IH]]; [exists []; constructor|].
  pose proof B as B'. apply step_effect in B' as (r & N & E).
  destruct (isDone r) eqn:D.
  - inversion E; subst; try discriminate. now exists es.
  - destruct (moves_acts s s1) as [e A]; [now exists b, r|].
    exists (e :: es). econstructor; eauto.
Qed.

(* No run is longer than some number of events. *)

Lemma below_all (P : nat -> nat -> Prop) count :
  (forall b n n', (n <= n')%nat -> P b n -> P b n') ->
  (forall b, (b < count)%nat -> exists n, P b n) ->
  exists n, forall b, (b < count)%nat -> P b n.
Proof.
  intro M. induction count as [|count IH]; intro H.
  - exists O. intros b B. lia.
  - destruct IH as [n N]; [intros b B; apply H; lia|].
    destruct (H count) as [n' N']; [lia|]. exists (max n n'). intros b B.
    destruct (Nat.eq_dec b count) as [->|Ne].
    + eapply M, N'. lia.
    + eapply M, N; lia.
Qed.

Theorem runs_bounded s : exists n, forall es s', runs s es s' ->
  (length es <= n)%nat.
Proof.
  induction (launch_ends s) as [s _ IH].
  destruct (below_all (fun b n => forall e s1 es s', actor e = b ->
              acts s e s1 -> runs s1 es s' -> (length es <= n)%nat)
              (length (blocks s))) as [n N].
  - intros b n n' Le H e s1 es s' A Ac R. specialize (H e s1 es s' A Ac R).
    lia.
  - intros b _. destruct (stepBlock s b) as [s2|rule_| |] eqn:B.
    2-4: exists O; intros e s1 es s' <- (r & _ & _ & B') R; congruence.
    destruct (nth_error (blocks s) b) as [r|] eqn:Nb.
    2: exists O; intros e s1 es s' <- (q & Nq & _) R; congruence.
    destruct (isDone r) eqn:D.
    { exists O. intros e s1 es s' <- (q & Nq & Aq & _) R. rewrite Nb in Nq.
      injection Nq as <-. now destruct r. }
    destruct (IH s2) as [n N]; [now exists b, r|]. exists n.
    intros e s1 es s' <- (q & _ & _ & B') R. rewrite B in B'.
    injection B' as <-. eapply N, R.
  - exists (S n). intros es s' R. inversion R as [|? e s1 es' ? A R']; subst;
      simpl; [lia|].
    assert (L : (length es' <= n)%nat).
    { eapply N; [|reflexivity|exact A|exact R']. destruct A as (r & Nr & _).
      apply nth_error_Some. congruence. }
    lia.
Qed.

(* A run of a launch that is never stuck goes on until all blocks have ended. *)
Theorem runs_on m k l given s : neverStuck m k l given ->
  reaches (start m k l given) s ->
  ended s \/ exists e s', acts s e s'.
Proof.
  intros G R. destruct (forallb isDone (blocks s)) eqn:D; [left|right].
  - apply Forall_forall. intros r I. rewrite forallb_forall in D.
    specialize (D r I). destruct (In_nth_error _ _ I) as [b N].
    destruct (G s b R (reached_number m k l given s b r R N)) as [s' B].
    unfold stepBlock in B. rewrite N in B. now destruct r as [[[]| | |]| | | |].
  - assert (X : exists r, In r (blocks s) /\ isDone r = false).
    { clear - D. induction (blocks s) as [|r q IH]; [discriminate|]. simpl in D.
      destruct (isDone r) eqn:E; [|exists r; simpl; auto].
      destruct (IH D) as (r' & I & E'). exists r'. simpl. auto. }
    destruct X as (r & I & E). destruct (In_nth_error _ _ I) as [b N].
    destruct (G s b R (reached_number m k l given s b r R N)) as [s' B].
    destruct (moves_acts s s') as [e A]; [now exists b, r|]. eauto.
Qed.

(* Who may do what is settled by the end. *)

Definition licensed (m : machine) (k : kernel) (s : state) (e : action)
  : Prop :=
  match access_ e with
  | Takes | Writes _ =>
      ownedTensor k (onTensor e) = true /\
      owner s (onTensor e) (onElement e) = Some (actor e)
  | Reads _ =>
      sharedTensor k (onTensor e) = true \/
      ownedTensor k (onTensor e) = true /\
      owner s (onTensor e) (onElement e) = Some (actor e)
  | Combines f _ =>
      exists ten, tensorOf k (onTensor e) = Some ten /\ combines ten = true /\
        f = combined m ten
  end.

Lemma owner_stays s e s' t a b : acts s e s' -> owner s t a = Some b ->
  owner s' t a = Some b.
Proof.
  intros (r & N & _ & B) O. apply step_effect in B as (q & N' & B).
  destruct B as [|u c n Ow|u c n x M|u c x n|u c f x n y M]; simpl; auto.
  unfold put. destruct (Nat.eqb_spec u t) as [->|]; simpl; [|exact O].
  destruct (eqAt c a) eqn:E; [|exact O]. apply eqAt_spec in E as ->.
  rewrite O in Ow. destruct Ow; congruence.
Qed.

Lemma licensed_stays m k s e s' e' : acts s e s' -> licensed m k s e' ->
  licensed m k s' e'.
Proof.
  intros A. unfold licensed.
  destruct (access_ e') as [|x|x|f x]; auto; intros H.
  - destruct H. split; [assumption|]. eapply owner_stays; eauto.
  - destruct H as [H|[H O]]; [now left|right]. split; [assumption|].
    eapply owner_stays; eauto.
  - destruct H. split; [assumption|]. eapply owner_stays; eauto.
Qed.

Lemma acts_licensed m k s e s' : disciplined m k s -> acts s e s' ->
  licensed m k s' e.
Proof.
  intros [D Ow] A. pose proof A as (r & N & X & B).
  specialize (D _ _ N). destruct e as [b t a x]. simpl in *. unfold licensed.
  simpl. destruct r as [o|u c n|u c n|u c y n|u c f y n]; simpl in X;
    try discriminate.
  - injection X as <- <- <-. inversion D; subst. split; [assumption|].
    apply step_effect in B as (q & N' & B). rewrite N in N'.
    injection N' as <-. inversion B; subst. simpl. apply put_here.
  - destruct (memory s u c); [|discriminate]. injection X as <- <- <-.
    inversion D as [| | |? ? ? ? H| |]; subst.
    destruct H as [H|H]; [now left|right]. unfold holdsOf in H.
    split; [eauto|]. eapply (owner_stays s (Action b u c _)); eauto.
  - injection X as <- <- <-. inversion D as [| | | |? ? ? ? ? H|]; subst.
    unfold holdsOf in H. split; [eauto|].
    eapply (owner_stays s (Action b u c _)); eauto.
  - injection X as <- <- <-. inversion D; subst. eauto.
Qed.

Lemma runs_licensed m k s es s' : disciplined m k s -> runs s es s' ->
  forall e, In e es -> licensed m k s' e.
Proof.
  intros D R.
  assert (St : forall s es s' e, runs s es s' -> licensed m k s e ->
            licensed m k s' e).
  { clear. intros s es s' e R. revert e.
    induction R as [s|s e1 s1 es s' A R IH]; intros e L; [exact L|].
    apply IH. eapply licensed_stays; eauto. }
  induction R as [s|s e1 s1 es s' A R IH]; [easy|]. intros e [<-|I].
  - eapply St; [exact R|]. eapply acts_licensed; eauto.
  - apply IH; [|exact I]. destruct A as (r & _ & _ & B).
    eapply step_disciplined; [exact D|]. now exists (actor e1).
Qed.

(* Where bytes have one owner, no two events of a run conflict. *)
Theorem runs_apart m k l given es s p q :
  runs (start m k l given) es s ->
  (forall t ten extents by_ a b x y,
     tensorOf k t = Some ten -> sharesByte (elements ten) = true ->
     extentsOf l t = Some extents ->
     Addresses.stridesOf (symbolOf l) ten extents = Ok by_ ->
     owner s t a = Some x -> owner s t b = Some y ->
     Addresses.offset by_ a / 2 = Addresses.offset by_ b / 2 -> x = y) ->
  In p es -> In q es -> ~ conflicts k l p q.
Proof.
  intros R Bytes P Q (Ne & T & Pl & C).
  pose proof (reached_disciplined m k l given _ (rt_refl _ _ _)) as D.
  pose proof (runs_licensed _ _ _ _ _ D R p P) as Lp.
  pose proof (runs_licensed _ _ _ _ _ D R q Q) as Lq.
  destruct p as [b t a x], q as [c u a' y]. simpl in *. subst u.
  unfold licensed in Lp, Lq. simpl in *.
  assert (One : owner s t a = Some b -> owner s t a' = Some c -> False).
  { intros Ob Oc. destruct Pl as [<-|(ten & ex & by_ & Te & Sh & Ex & By & E)].
    - congruence.
    - apply Ne. eapply Bytes; eauto. }
  assert (Al : ownedTensor k t = true -> sharedTensor k t = true -> False).
  { intros O S. apply owned_alone in O. destruct O. congruence. }
  assert (At : forall ten, tensorOf k t = Some ten -> combines ten = true ->
            atomicTensor k t = true).
  { intros ten Te Co. unfold atomicTensor, ofTensor. now rewrite Te. }
  assert (Ao : forall ten, tensorOf k t = Some ten -> combines ten = true ->
            ownedTensor k t = true -> False).
  { intros ten Te Co O. apply owned_alone in O. destruct O.
    specialize (At _ Te Co). congruence. }
  assert (As : forall ten, tensorOf k t = Some ten -> combines ten = true ->
            sharedTensor k t = true -> False).
  { intros ten Te Co S. apply shared_alone in S. specialize (At _ Te Co).
    congruence. }
  destruct x as [|x|x|f x], y as [|y|y|g y]; simpl in C;
    repeat match goal with
           | H : _ /\ _ |- _ => destruct H
           | H : exists _, _ |- _ => destruct H
           | H : _ \/ _ |- _ =>
               match type of H with _ = true \/ _ => destruct H end
           end; eauto; congruence.
Qed.
