(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   A launch that never gets stuck ends, in whatever order its blocks are run,
   and always with the same memory: that of one block after another, but for
   sums of floats that blocks add to. *)

From Coq Require Import ZArith List Bool Lia Relations Wellfounded.
From Girih Require Export Execute Owned Commute.
Import ListNotations.
Open Scope Z_scope.

(* Every launch ends: a step that is not idle leaves less of its block. *)

Definition isDone (r : run unit) : bool :=
  match r with Done _ => true | _ => false end.

(* A step of a block that has not ended. *)
Definition moves (s s' : state) : Prop :=
  exists b r, nth_error (blocks s) b = Some r /\ isDone r = false /\
    stepBlock s b = Ok s'.

Inductive rest : run unit -> run unit -> Prop :=
  | rest_take t a next : rest next (Take t a next)
  | rest_read t a next x : rest (next x) (Read t a next)
  | rest_write t a x next : rest next (Write t a x next)
  | rest_update t a f x next : rest next (Update t a f x next).

Inductive less : list (run unit) -> list (run unit) -> Prop :=
  | less_here r' r l : rest r' r -> less (r' :: l) (r :: l)
  | less_there r l' l : less l' l -> less (r :: l') (r :: l).

Lemma rest_founded : well_founded rest.
Proof.
  intro r. induction r; constructor; intros q R; inversion R; subst; auto.
Qed.

Lemma less_founded : well_founded less.
Proof.
  intro l. induction l as [|r l L]; [constructor; intros q R; inversion R|].
  revert l L. induction (rest_founded r) as [r _ IHr].
  intros l L. induction L as [l L IHl]. constructor. intros q R.
  inversion R; subst; [|now apply IHl].
  apply IHr; [assumption|now constructor].
Qed.

Lemma replace_less l b r r' : nth_error l b = Some r -> rest r' r ->
  less (replace l b r') l.
Proof.
  revert b. induction l as [|q l IH]; intros [|b] N R; try discriminate; simpl.
  - injection N as ->. now constructor.
  - constructor. now apply IH.
Qed.

(* What a step does. *)
Inductive effect (b : nat) (s : state) : run unit -> state -> Prop :=
  | effect_idle : effect b s (Done (Ok tt)) s
  | effect_take t a next : owner s t a = None \/ owner s t a = Some b ->
      effect b s (Take t a next)
        (State (replace (blocks s) b next) (memory s)
           (put (owner s) t a (Some b)))
  | effect_read t a next x : memory s t a = Some x ->
      effect b s (Read t a next)
        (State (replace (blocks s) b (next x)) (memory s) (owner s))
  | effect_write t a x next :
      effect b s (Write t a x next)
        (State (replace (blocks s) b next) (put (memory s) t a (Some x))
           (owner s))
  | effect_update t a f x next y : memory s t a = Some y ->
      effect b s (Update t a f x next)
        (State (replace (blocks s) b next)
           (put (memory s) t a (Some (f y x))) (owner s)).

Lemma step_effect s b s' : stepBlock s b = Ok s' <->
  exists r, nth_error (blocks s) b = Some r /\ effect b s r s'.
Proof.
  unfold stepBlock. split.
  - destruct (nth_error (blocks s) b) as [r|]; [|discriminate]. intro E.
    exists r. split; [reflexivity|].
    destruct r as [[[]| | |]|t a n|t a n|t a x n|t a f x n]; try discriminate.
    + injection E as <-. constructor.
    + destruct (owner s t a) as [c|] eqn:O.
      * destruct (Nat.eqb_spec b c) as [<-|]; [|discriminate].
        injection E as <-. constructor. now right.
      * injection E as <-. constructor. now left.
    + destruct (memory s t a) eqn:M; [|discriminate].
      injection E as <-. now constructor.
    + injection E as <-. constructor.
    + destruct (memory s t a) eqn:M; [|discriminate].
      injection E as <-. now constructor.
  - intros (r & -> & [|t a n [->| ->]|t a n x ->| |t a f x n y ->]);
      rewrite ?Nat.eqb_refl; reflexivity.
Qed.

Lemma effect_blocks b s r s' : effect b s r s' ->
  r = Done (Ok tt) /\ s' = s \/
  exists r', rest r' r /\ blocks s' = replace (blocks s) b r'.
Proof.
  intros [|t a n O|t a n x M|t a x n|t a f x n y M]; [now left| | | |]; right;
    eexists; (split; [constructor|reflexivity]).
Qed.

(* No order of steps goes on forever. *)
Theorem launch_ends : well_founded (fun s' s => moves s s').
Proof.
  assert (W : well_founded (fun s' s => less (blocks s') (blocks s)))
    by apply wf_inverse_image, less_founded.
  intro s. induction (W s) as [s _ IH]. constructor.
  intros s' (b & r & N & D & E). apply IH. apply step_effect in E.
  destruct E as (q & N' & E). rewrite N in N'. injection N' as <-.
  destruct (effect_blocks _ _ _ _ E) as [[-> _]|(r' & R & ->)];
    [discriminate|]. eapply replace_less; eauto.
Qed.

Lemma step_reaches s b s1 s' :
  stepBlock s b = Ok s1 -> reaches s1 s' -> reaches s s'.
Proof. intros B. apply rt_trans, rt_step. now exists b. Qed.

Lemma reaches_self s : reaches s s.
Proof. apply rt_refl. Qed.

Lemma ended_block s b r : ended s -> nth_error (blocks s) b = Some r ->
  r = Done (Ok tt).
Proof.
  intros E N. eapply Forall_forall in E; [exact E|]. eapply nth_error_In, N.
Qed.

Lemma ended_step s b s' : ended s -> stepBlock s b = Ok s' -> s' = s.
Proof.
  intros E B. apply step_effect in B as (r & N & B).
  rewrite (ended_block _ _ _ E N) in B. now inversion B.
Qed.

Lemma ended_reaches s s' : ended s -> reaches s s' -> s' = s.
Proof.
  intros E R. apply clos_rt_rt1n in R. induction R as [|s s1 s' [b B] R IH];
    [reflexivity|]. apply ended_step in B as ->; auto.
Qed.

Lemma replace_length {A} (l : list A) b x : length (replace l b x) = length l.
Proof. revert b. induction l; intros [|b]; simpl; auto. Qed.

Lemma reaches_length s s' : reaches s s' ->
  length (blocks s') = length (blocks s).
Proof.
  induction 1 as [s s' [b B]| |]; [|reflexivity|congruence].
  apply step_effect in B as (r & _ & E).
  destruct (effect_blocks _ _ _ _ E) as [[_ ->]|(r' & _ & ->)];
    [reflexivity|apply replace_length].
Qed.

(* States are compared element by element; of sums that round it is compared
   whether they are there. *)
Section Same.

Context (m : machine) (k : kernel).

Definition roundsIn : nat -> bool := ofTensor k rounds.

Definition sameValue (t : nat) (x y : option Z) : Prop :=
  match x, y with
  | Some x, Some y => roundsIn t = false -> x = y
  | None, None => True
  | _, _ => False
  end.
Definition sameMemory (f g : contents) : Prop :=
  forall t a, sameValue t (f t a) (g t a).

Definition same (s s' : state) : Prop :=
  blocks s = blocks s' /\ sameMemory (memory s) (memory s') /\
  (forall t a, owner s t a = owner s' t a).

Lemma sameValue_refl t x : sameValue t x x.
Proof. now destruct x. Qed.
Lemma sameValue_eq t x y : x = y -> sameValue t x y.
Proof. intros ->. apply sameValue_refl. Qed.

Lemma same_trans s1 s2 s3 : same s1 s2 -> same s2 s3 -> same s1 s3.
Proof.
  intros (B & M & O) (B' & M' & O').
  split; [congruence|]. split; [|congruence]. intros t a.
  specialize (M t a). specialize (M' t a). unfold sameValue in *.
  destruct (memory s1 t a), (memory s2 t a), (memory s3 t a); try tauto.
  intro R. rewrite M, M'; auto.
Qed.

Lemma put_same {A} (f g : nat -> list Z -> A) t a x :
  (forall u b, f u b = g u b) -> forall u b, put f t a x u b = put g t a x u b.
Proof. intros E u b. unfold put. now destruct (_ && _). Qed.

Lemma put_sameMemory f g t a x y : sameMemory f g -> sameValue t x y ->
  sameMemory (put f t a x) (put g t a y).
Proof.
  intros E V u b. unfold put. destruct (Nat.eqb_spec t u) as [->|]; simpl;
    [now destruct (eqAt a b)|apply E].
Qed.

(* Sums are not read. *)
Lemma read_exact s b t a next : disciplined m k s ->
  nth_error (blocks s) b = Some (Read t a next) -> roundsIn t = false.
Proof.
  intros [D Ow] N. specialize (D b _ N).
  assert (At : atomicTensor k t = false).
  { inversion D as [| | |? ? ? ? H| |]. subst. destruct H as [H|H].
    - now apply shared_alone.
    - apply (owned_alone k t), (Ow _ _ _ H). }
  unfold roundsIn, atomicTensor, ofTensor, rounds in *.
  destruct (tensorOf k t) as [ten|]; [|reflexivity].
  now destruct (elements ten).
Qed.

Lemma step_same s s' b s1 : disciplined m k s -> same s s' ->
  stepBlock s b = Ok s1 -> exists s1', stepBlock s' b = Ok s1' /\ same s1 s1'.
Proof.
  intros Di (B & M & O) E. apply step_effect in E as (r & N & E).
  pose proof N as Ns. rewrite B in N.
  assert (G : forall s2, effect b s' r s2 -> same s1 s2 ->
            exists s1', stepBlock s' b = Ok s1' /\ same s1 s1').
  { intros s2 E2 S. exists s2. split; [|exact S]. apply step_effect. eauto. }
  destruct E as [|t a n H|t a n x H|t a x n|t a f x n y H].
  - eapply G; [constructor|]. now split.
  - eapply G; [constructor; now rewrite <- O|].
    split; [simpl; now rewrite B|]. split; [exact M|]. now apply put_same.
  - assert (H' : memory s' t a = Some x).
    { pose proof (M t a) as V. rewrite H in V.
      destruct (memory s' t a) as [x'|]; [|easy]. simpl in V.
      rewrite V; [reflexivity|]. eapply read_exact; eauto. }
    eapply G; [constructor; exact H'|].
    split; [simpl; now rewrite B|]. now split.
  - eapply G; [constructor|]. split; [simpl; now rewrite B|].
    split; [|exact O]. apply put_sameMemory; [exact M|apply sameValue_refl].
  - pose proof (M t a) as V. rewrite H in V.
    destruct (memory s' t a) as [y'|] eqn:H'; [|easy]. simpl in V.
    eapply G; [constructor; exact H'|]. split; [simpl; now rewrite B|].
    split; [|exact O]. apply put_sameMemory; [exact M|]. simpl.
    intro R. now rewrite V.
Qed.

Lemma reaches_same s s1 : reaches s s1 -> forall s', disciplined m k s ->
  same s s' -> exists s1', reaches s' s1' /\ same s1 s1'.
Proof.
  intro R. apply clos_rt_rt1n in R. induction R as [|s s1 s2 [b B] R IH];
    intros s' D S.
  - exists s'. split; [apply rt_refl|exact S].
  - destruct (step_same _ _ _ _ D S B) as (s1' & B' & S').
    destruct (IH s1') as (s2' & R' & S2); [|exact S'|].
    { eapply step_disciplined; [exact D|]. now exists b. }
    exists s2'. eauto using step_reaches.
Qed.

Lemma ended_same s s' : same s s' -> ended s -> ended s'.
Proof. unfold ended. now intros [<- _]. Qed.

End Same.

Section Launch.

Context (m : machine) (k : kernel) (l : launch) (given : nat -> list Z -> Z).

Notation reached := (reaches (start m k l given)).

Lemma reached_step s b s' : reached s -> stepBlock s b = Ok s' -> reached s'.
Proof. intros R B. eapply rt_trans, rt_step; [exact R|now exists b]. Qed.

Lemma reached_count s : reached s -> length (blocks s) = blockCount l.
Proof.
  intro R. rewrite (reaches_length _ _ R). unfold start. simpl.
  now rewrite map_length, seq_length.
Qed.

Lemma reached_number s b r : reached s -> nth_error (blocks s) b = Some r ->
  (b < blockCount l)%nat.
Proof.
  intros R N. rewrite <- (reached_count s R). apply nth_error_Some. congruence.
Qed.

(* Steps of two blocks may be taken in either order. *)

Lemma put_apart {A} (f : nat -> list Z -> A) t a x u b : ~ (t = u /\ a = b) ->
  put f t a x u b = f u b.
Proof.
  intro N. unfold put. destruct (Nat.eqb_spec t u); [|reflexivity].
  destruct (eqAt a b) eqn:E; [|reflexivity]. apply eqAt_spec in E. tauto.
Qed.

Lemma put_here {A} (f : nat -> list Z -> A) t a x : put f t a x t a = x.
Proof.
  unfold put. now rewrite Nat.eqb_refl, (proj2 (eqAt_spec a a) eq_refl).
Qed.

Lemma put_swap {A} (f : nat -> list Z -> A) t a x u b y v c :
  ~ (t = u /\ a = b) ->
  put (put f t a x) u b y v c = put (put f u b y) t a x v c.
Proof.
  intro N. unfold put.
  destruct (Nat.eqb_spec u v) as [->|]; [|reflexivity]. simpl.
  destruct (eqAt b c) eqn:E; [|reflexivity]. apply eqAt_spec in E as ->.
  destruct (Nat.eqb_spec t v) as [->|]; [|reflexivity]. simpl.
  destruct (eqAt a c) eqn:F; [|reflexivity]. apply eqAt_spec in F. tauto.
Qed.

(* An element that b has taken is not there for c to take. *)
Lemma took_apart (f : nat -> list Z -> option nat) b c t a u d : b <> c ->
  put f t a (Some b) u d = None \/ put f t a (Some b) u d = Some c ->
  ~ (t = u /\ a = d).
Proof. intros Ne [H|H] [-> ->]; rewrite put_here in H; congruence. Qed.

Lemma replace_swap {A} (q : list A) b c x y : b <> c ->
  replace (replace q b x) c y = replace (replace q c y) b x.
Proof.
  revert b c. induction q as [|z q IH]; intros [|b] [|c] N; simpl;
    try reflexivity; [congruence|]. rewrite IH; congruence.
Qed.

Lemma effect_other b c s r s' : effect b s r s' -> b <> c ->
  nth_error (blocks s') c = nth_error (blocks s) c.
Proof.
  intros E N. destruct (effect_blocks _ _ _ _ E) as [[_ ->]|(q & _ & ->)];
    [reflexivity|now apply replace_other].
Qed.

Lemma noRace_both s b c r q : reached s -> b <> c ->
  nth_error (blocks s) b = Some r -> nth_error (blocks s) c = Some q ->
  (forall t a x n, r = Write t a x n -> ~ touches q t a) /\
  (forall t a x n, q = Write t a x n -> ~ touches r t a).
Proof.
  intros R Ne B C. split; intros t a x n ->.
  - exact (no_race _ _ _ _ _ _ _ _ _ _ _ _ R Ne B C).
  - exact (no_race _ _ _ _ _ _ _ _ _ _ _ _ R (not_eq_sym Ne) C B).
Qed.

(* What two blocks combine with is combined with in one way, and not read. *)
Lemma update_of s b t a f x n : reached s ->
  nth_error (blocks s) b = Some (Update t a f x n) ->
  exists ten, tensorOf k t = Some ten /\ combines ten = true /\
    f = combined m ten.
Proof.
  intros R N. destruct (reached_disciplined _ _ _ _ _ R) as [D _].
  specialize (D b _ N). inversion D. subst. eauto.
Qed.

Lemma update_unread s b c t a f x n u d o : reached s ->
  nth_error (blocks s) b = Some (Update t a f x n) ->
  nth_error (blocks s) c = Some (Read u d o) -> t <> u.
Proof.
  intros R B C ->. destruct (update_of _ _ _ _ _ _ _ R B) as (ten & T & Co & _).
  destruct (reached_disciplined _ _ _ _ _ R) as [D Ow]. specialize (D c _ C).
  assert (At : atomicTensor k u = false).
  { inversion D as [| | |? ? ? ? H| |]. subst. destruct H as [H|H].
    - now apply shared_alone.
    - apply (owned_alone k u), (Ow _ _ _ H). }
  unfold atomicTensor, ofTensor in At. rewrite T in At. congruence.
Qed.

Lemma updates_commute s b c t a f x n g y o z v : reached s ->
  nth_error (blocks s) b = Some (Update t a f x n) ->
  nth_error (blocks s) c = Some (Update t a g y o) ->
  sameValue k v (Some (g (f z x) y)) (Some (f (g z y) x)) \/ t <> v.
Proof.
  intros R B C. destruct (Nat.eq_dec t v) as [->|]; [left|now right].
  destruct (update_of _ _ _ _ _ _ _ R B) as (ten & T & Co & ->).
  destruct (update_of _ _ _ _ _ _ _ R C) as (ten' & T' & _ & ->).
  rewrite T in T'. injection T' as <-. simpl. unfold roundsIn, ofTensor.
  rewrite T. intro E. now apply combined_commutes.
Qed.

Lemma commute s b c s1 s2 s12 s21 : reached s -> b <> c ->
  stepBlock s b = Ok s1 -> stepBlock s c = Ok s2 ->
  stepBlock s1 c = Ok s12 -> stepBlock s2 b = Ok s21 -> same k s12 s21.
Proof.
  intros R Ne B C BC CB.
  apply step_effect in B as (r & Nb & B).
  apply step_effect in C as (q & Nc & C).
  apply step_effect in BC as (q' & Nq & BC).
  apply step_effect in CB as (r' & Nr & CB).
  rewrite (effect_other _ _ _ _ _ B Ne) in Nq.
  rewrite (effect_other _ _ _ _ _ C) in Nr by auto.
  assert (q' = q) as -> by congruence. assert (r' = r) as -> by congruence.
  destruct (noRace_both _ _ _ _ _ R Ne Nb Nc) as [W W']. clear Nq Nr.
  assert (Un : forall t a f x n u d o,
            r = Update t a f x n -> q = Read u d o -> t <> u).
  { intros. subst. eapply update_unread; eauto. }
  assert (Un' : forall t a f x n u d o,
            q = Update t a f x n -> r = Read u d o -> t <> u).
  { intros. subst. eapply update_unread; eauto. }
  destruct B as [|t a n O|t a n x M|t a x n|t a f x n z M];
    destruct C as [|u d o O'|u d o y M'|u d y o|u d g y o z' M'].
  25: {
    inversion BC as [| | | |? ? ? ? ? z1 M1].
    inversion CB as [| | | |? ? ? ? ? z2 M2]. subst. simpl in *.
    destruct (list_eq_dec Z.eq_dec a d) as [->|Na];
      [destruct (Nat.eq_dec t u) as [->|Nt]|].
    2, 3: rewrite put_apart in M1, M2 by (intros []; congruence);
      split; [simpl; auto using replace_swap|split; [|auto]];
      intros v c'; apply sameValue_eq; simpl;
      assert (z1 = z') as -> by congruence; assert (z2 = z) as -> by congruence;
      apply put_swap; intros []; congruence.
    rewrite put_here in M1, M2. injection M1 as <-. injection M2 as <-.
    assert (z' = z) as -> by congruence.
    split; [simpl; auto using replace_swap|split; [|auto]].
    intros v c'. simpl. unfold put.
    destruct (Nat.eqb_spec u v) as [->|]; simpl; [|apply sameValue_refl].
    destruct (eqAt d c'); [|apply sameValue_refl].
    destruct (updates_commute s b c v d f x n g y o z v R Nb Nc); [auto|easy]. }
  all: inversion BC; inversion CB; subst; simpl in *;
    try pose proof (W _ _ _ _ eq_refl) as D;
    try pose proof (W' _ _ _ _ eq_refl) as D';
    try pose proof (Un _ _ _ _ _ _ _ _ eq_refl eq_refl) as D;
    try pose proof (Un' _ _ _ _ _ _ _ _ eq_refl eq_refl) as D';
    try match goal with
        | H : put _ _ _ (Some ?h) _ _ = None \/ _ |- _ =>
            pose proof (took_apart _ _ _ _ _ _ _ Ne H)
        end;
    repeat match goal with
           | H : put _ _ _ _ _ _ = Some _ |- _ =>
               rewrite put_apart in H by (intros []; subst; tauto)
           | H : ?v = Some ?x, G : ?v = Some ?y |- _ =>
               assert (x = y) by congruence; subst; clear G
           end.
  all: split; [simpl; auto using replace_swap|split]; simpl; intros;
    try (intros ? ?; apply sameValue_eq); auto;
    apply put_swap; intros []; subst; tauto.
Qed.

(* A step that follows one of another block could have come first. *)
Lemma swap s b c s1 s12 : reached s -> b <> c ->
  stepBlock s b = Ok s1 -> stepBlock s1 c = Ok s12 ->
  exists s2 s21, stepBlock s c = Ok s2 /\ stepBlock s2 b = Ok s21.
Proof.
  intros R Ne B C.
  apply step_effect in B as (r & Nb & B).
  apply step_effect in C as (q & Nc & C).
  rewrite (effect_other _ _ _ _ _ B Ne) in Nc.
  assert (G : forall s2 s21, effect c s q s2 -> effect b s2 r s21 ->
            exists s2 s21, stepBlock s c = Ok s2 /\ stepBlock s2 b = Ok s21).
  { intros s2 s21 E E'. exists s2, s21. split; apply step_effect; [eauto|].
    exists r. split; [|exact E']. rewrite (effect_other _ _ _ _ _ E); auto. }
  destruct (noRace_both _ _ _ _ _ R Ne Nb Nc) as [W W'].
  assert (Un : forall t a f x n u d o,
            r = Update t a f x n -> q = Read u d o -> t <> u).
  { intros. subst. eapply update_unread; eauto. }
  assert (Un' : forall t a f x n u d o,
            q = Update t a f x n -> r = Read u d o -> t <> u).
  { intros. subst. eapply update_unread; eauto. }
  destruct B as [|t a n O|t a n x M|t a x n|t a f x n z M];
    inversion C as [|u d o O'|u d o y M'|u d y o|u d g y o z' M'];
    subst; simpl in *.
  25: {
    destruct (list_eq_dec Z.eq_dec a d) as [->|Na];
      [destruct (Nat.eq_dec t u) as [->|Nt]|].
    - eapply G; econstructor; [exact M|]. simpl. apply put_here.
    - rewrite put_apart in M' by (intros []; congruence).
      eapply G; econstructor; [exact M'|]. simpl.
      rewrite put_apart by (intros []; congruence). exact M.
    - rewrite put_apart in M' by (intros []; congruence).
      eapply G; econstructor; [exact M'|]. simpl.
      rewrite put_apart by (intros []; congruence). exact M. }
  all: try pose proof (W _ _ _ _ eq_refl) as D;
    try pose proof (W' _ _ _ _ eq_refl) as D';
    try pose proof (Un _ _ _ _ _ _ _ _ eq_refl eq_refl) as D;
    try pose proof (Un' _ _ _ _ _ _ _ _ eq_refl eq_refl) as D';
    try pose proof (took_apart _ _ _ _ _ _ _ Ne O') as D;
    try rewrite put_apart in O' by exact D;
    try rewrite put_apart in M' by (intros []; subst; tauto).
  all: eapply G; econstructor; simpl; rewrite ?put_apart;
    try (intros []; subst; tauto); eauto.
Qed.

(* If one order of steps ends well, every other can still end like it. *)

Definition endsLike (e s : state) : Prop :=
  exists e', reaches s e' /\ ended e' /\ same k e e'.

Lemma endsLike_step e s c : reached s -> endsLike e s ->
  (c < blockCount l)%nat -> exists s', stepBlock s c = Ok s' /\ endsLike e s'.
Proof.
  intros R (e' & P & E & S) C. apply clos_rt_rt1n in P.
  induction P as [s|s s1 e' [b B] P IH].
  - exists s. split; [|exists s; auto using reaches_self].
    rewrite <- (reached_count s R) in C. apply nth_error_Some in C.
    destruct (nth_error (blocks s) c) as [r|] eqn:N; [|easy].
    apply step_effect. exists r. split; [exact N|].
    rewrite (ended_block _ _ _ E N). constructor.
  - destruct (Nat.eq_dec b c) as [<-|Ne].
    { exists s1. split; [exact B|]. exists e'.
      split; [now apply clos_rt1n_rt|auto]. }
    destruct (IH (reached_step _ _ _ R B) E S)
      as (s12 & BC & e1 & P1 & E1 & S1).
    destruct (swap _ _ _ _ _ R Ne B BC) as (s2 & s21 & C' & CB).
    exists s2. split; [exact C'|].
    destruct (reaches_same m k _ _ P1 s21) as (e2 & P2 & S2).
    { eapply reached_disciplined, (reached_step s1); [|exact BC].
      now apply (reached_step s b). }
    { exact (commute _ _ _ _ _ _ _ R Ne B C' BC CB). }
    exists e2. split; [eapply step_reaches; eauto|].
    split; [eapply ended_same; eauto|eapply same_trans; eauto].
Qed.

Lemma endsLike_all e s : reached e -> ended e -> reached s -> endsLike e s.
Proof.
  intros Re E R. apply clos_rt_rtn1 in R. induction R as [|s s' [c C] R IH].
  - exists e. split; [exact Re|]. split; [exact E|].
    split; [reflexivity|]. split; [|reflexivity].
    intros t a. apply sameValue_refl.
  - apply clos_rtn1_rt in R.
    destruct (endsLike_step e s c R IH) as (s1 & C' & L); [|congruence].
    apply step_effect in C as (r & N & _). eapply reached_number; eauto.
Qed.

(* All orders that end, end with the same memory, but for sums that round. *)
Theorem deterministic s s' : reached s -> ended s -> reached s' -> ended s' ->
  forall t a, roundsIn k t = false -> memory s t a = memory s' t a.
Proof.
  intros R E R' E' t a Ro.
  destruct (endsLike_all s s' R E R') as (e & P & _ & _ & M & _).
  rewrite (ended_reaches _ _ E' P) in M. specialize (M t a).
  unfold sameValue in M. destruct (memory s t a), (memory s' t a); try tauto.
  now rewrite M.
Qed.

(* No block of the launch breaks a rule, or is refused or malformed. *)
Definition neverStuck : Prop :=
  forall s b, reached s -> (b < blockCount l)%nat ->
  exists s', stepBlock s b = Ok s'.

(* If one order ends, none gets stuck. *)
Theorem one_ends_all s : reached s -> ended s -> neverStuck.
Proof.
  intros R E s' c R' C.
  destruct (endsLike_step s s' c R' (endsLike_all s s' R E R') C)
    as (s2 & C' & _). eauto.
Qed.

Section Runs.

Context (runs : neverStuck).

Lemma reached_go s b r : reached s -> nth_error (blocks s) b = Some r ->
  exists s', stepBlock s b = Ok s'.
Proof. intros R N. exact (runs s b R (reached_number s b r R N)). Qed.

(* From every state that can be reached, one is reached in which all blocks have
   ended. *)
Theorem reaches_end s : reached s -> exists s', reaches s s' /\ ended s'.
Proof.
  induction (launch_ends s) as [s _ IH]. intro R.
  destruct (forallb isDone (blocks s)) eqn:D.
  - exists s. split; [apply rt_refl|]. apply Forall_forall. intros r I.
    rewrite forallb_forall in D. specialize (D r I).
    destruct (In_nth_error _ _ I) as [b N].
    destruct (reached_go s b r R N) as [s' B]. unfold stepBlock in B.
    rewrite N in B. now destruct r as [[[]| | |]| | | |].
  - assert (X : exists r, In r (blocks s) /\ isDone r = false).
    { clear - D. induction (blocks s) as [|r q IH]; [discriminate|]. simpl in D.
      destruct (isDone r) eqn:E; [|exists r; simpl; auto].
      destruct (IH D) as (r' & I & E'). exists r'. simpl. auto. }
    destruct X as (r & I & E). destruct (In_nth_error _ _ I) as [b N].
    destruct (reached_go s b r R N) as [s1 B].
    destruct (IH s1) as (s' & R' & Z'); [exists b, r; auto| |].
    + eapply reached_step; eauto.
    + exists s'. eauto using step_reaches.
Qed.

(* The sequential order is one of them. *)

Lemma finish_goes b r : forall s,
  reached s -> nth_error (blocks s) b = Some r ->
  exists mem own, finish b r (memory s) (owner s) = Ok (mem, own).
Proof.
  induction r as [o|t a n IH|t a n IH|t a x n IH|t a f x n IH]; intros s R N;
    destruct (reached_go _ _ _ R N) as [s' B];
    pose proof (reached_step _ _ _ R B) as R';
    apply step_effect in B as (r & N' & B); rewrite N in N';
    injection N' as <-; inversion B as [|? ? ? O|? ? ? y M| |? ? ? ? ? y M];
    subst; simpl.
  - eauto.
  - specialize (IH _ R' (replace_nth _ _ _ _ N)). simpl in IH.
    destruct O as [-> | ->]; [exact IH|]. now rewrite Nat.eqb_refl.
  - rewrite M. exact (IH y _ R' (replace_nth _ _ _ _ N)).
  - exact (IH _ R' (replace_nth _ _ _ _ N)).
  - rewrite M. exact (IH _ R' (replace_nth _ _ _ _ N)).
Qed.

Lemma finishAll_goes order : (forall b, In b order -> (b < blockCount l)%nat) ->
  forall s, reached s -> exists s', finishAll order s = Ok s' /\
  forall b, In b order \/ nth_error (blocks s) b = Some (Done (Ok tt)) ->
    nth_error (blocks s') b = Some (Done (Ok tt)).
Proof.
  induction order as [|b order IH]; intros I s R.
  { exists s. split; [reflexivity|]. now intros b [[]|]. }
  destruct (nth_error (blocks s) b) as [r|] eqn:N.
  2: { apply nth_error_None in N. rewrite (reached_count s R) in N.
       specialize (I b (or_introl eq_refl)). lia. }
  destruct (finish_goes _ _ _ R N) as (mem & own & F).
  pose proof (finish_spec b r s N) as P. rewrite F in P.
  destruct (IH (fun c J => I c (or_intror J)) _ (rt_trans _ _ _ _ _ R P))
    as (s' & A & D).
  exists s'. split; [simpl; now rewrite N; simpl; rewrite F|].
  intros c J. apply D. simpl. destruct (Nat.eq_dec b c) as [<-|Ne].
  - right. eapply replace_nth, N.
  - rewrite replace_other by exact Ne. simpl in J. tauto.
Qed.

(* Block after block, the launch ends, and every order that ends, ends so. *)
Theorem sequential_ends : exists s,
  finishAll (seq 0 (blockCount l)) (start m k l given) = Ok s /\ ended s /\
  forall s', reached s' -> ended s' -> forall t a, roundsIn k t = false ->
    memory s' t a = memory s t a.
Proof.
  destruct (finishAll_goes (seq 0 (blockCount l))) with (s := start m k l given)
    as (s & F & D); [intros b I; apply in_seq in I; lia|apply rt_refl|].
  assert (R : reached s).
  { pose proof (finishAll_spec (seq 0 (blockCount l)) (start m k l given)) as P.
    now rewrite F in P. }
  assert (E : ended s).
  { apply Forall_forall. intros r I. destruct (In_nth_error _ _ I) as [b N].
    rewrite D in N; [congruence|]. left. apply in_seq.
    pose proof (reached_number _ _ _ R N). lia. }
  exists s. repeat split; auto. intros s' R' E'. now apply deterministic.
Qed.

End Runs.

(* So one run, block after block, decides all. *)
Corollary execute_determines s : execute m k l given = Ok s ->
  neverStuck /\
  forall s', reached s' -> ended s' -> forall t a, roundsIn k t = false ->
    memory s' t a = memory s t a.
Proof.
  intro X. apply execute_ends in X as (_ & R & E & _).
  pose proof (one_ends_all s R E) as N. split; [exact N|].
  intros s' R' E'. now apply deterministic.
Qed.

End Launch.
