(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   What the theorems must not say less than. Each part has something that an
   earlier statement allowed, and that it is refused or impossible now. *)

From Coq Require Import ZArith String List Bool Lia Relations.
From Girih Require Import Sound.
Import ListNotations.
Open Scope Z_scope.
Open Scope string_scope.

(* A contract that no launch meets: whatever its blocks do, the kernel is
   correct. Here all blocks claim and write one tile. *)

Definition index := Type_ [] Index.
Definition race (tensor : argument) (number : nat) : list statement :=
  [Let 10 index (Constant 0);
   Claim 11 (Partition (Argument number) [Some 1]) [10%positive];
   Let 12 (Type_ [1] (Int 32)) (Constant 7); Store 12 11].
Definition written := TensorArg (Tensor (Out true) (Int 32) [Named "N"] None 4).

(* requires [N < 0] *)
Definition never : kernel :=
  Kernel "never" [written] [] [Sym "N"]
    [Condition Lt (Sym "N") (Const 0)] [] [] (block (race written 0) []).

(* Admission of a kernel, test by test. *)
Ltac admission :=
  repeat (do 2 (unfold admit_, bind, orElse, require, checkSymbol,
                  checkArgument, checkTensor, checkCondition, checkGrid,
                  evalGiven;
                cbn -[maxExtent maxBytes maxBlocks noOverlap Z.leb Z.ltb
                      Z.mul]);
          match goal with
          | |- context [match ?o with Some _ => _ | None => _ end] =>
              destruct o eqn:?
          | |- context [if ?b then _ else _] => destruct b eqn:?
          end).

Lemma never_refused symbols scalars :
  admit_ 64 never symbols scalars = Refused.
Proof. admission; try reflexivity; lia. Qed.

Theorem never_correct : correct 64 never.
Proof. intros m symbols scalars _. now rewrite never_refused. Qed.

Theorem never_satisfiable : ~ satisfiable 64 never.
Proof.
  intros (symbols & scalars & l & given & A & _).
  now rewrite never_refused in A.
Qed.

(* `sorted` of a tensor of two axes: an order is of lists. *)
Definition table :=
  TensorArg (Tensor Shared (Int 32) [Fixed 2; Fixed 2] None 4).
Definition sorted2 : kernel :=
  Kernel "sorted2" [table; written] [] [Sym "N"] []
    [OfContents 0 Sorted] [] (block (race written 1) []).

Lemma sorted2_kept symbols scalars l given :
  admit_ 64 sorted2 symbols scalars = Ok l ->
  keepsGivens sorted2 l given = false.
Proof.
  admission; try discriminate. intro A. injection A as <-. reflexivity.
Qed.

Theorem sorted2_correct : correct 64 sorted2.
Proof.
  intros m symbols scalars _.
  destruct (admit_ 64 sorted2 symbols scalars) as [l| | |] eqn:A; auto.
  - split; unfold safe, reached; intros given; intros;
      pose proof (sorted2_kept symbols scalars l given A) as K;
      repeat match goal with H : _ /\ _ |- _ => destruct H end; congruence.
  - (* No rule of the contract is broken: the grid is not below 0. *)
    revert A. admission; try discriminate; lia.
  - revert A. admission; try discriminate; lia.
Qed.

Theorem sorted2_satisfiable : ~ satisfiable 64 sorted2.
Proof.
  intros (symbols & scalars & l & given & A & _ & _ & K).
  now rewrite (sorted2_kept symbols scalars l given A) in K.
Qed.

(* Nor do symbols show a launch that is empty, or contents that an element
   cannot hold; of many elements they do at once. *)
Definition some (e : element) (g : list (content expr)) : kernel :=
  Kernel "some" [TensorArg (Tensor Shared e [Named "N"] None 4)] []
    [Sym "N"] [] (map (OfContents 0) g) [] (block [] []).
Definition launched (e : element) (g : list (content expr)) (n : Z) : bool :=
  launches 64 (some e g) [("N", n)].
Example launches_not :
  [launched (Int 8) [] 0;
   launched (Int 8) [Within (Const 200) (Const 300)] 1;
   launched (Int 8) [AllDistinct] 257;
   launched (Int 1) [AllDistinct] 3;
   launched (Int 32) [Within (Const 0) (Const 4); Within (Const 5) (Const 9)] 1;
   launched (Int 32) [AllDistinct; Within (Const 0) (Sym "N");
                      Within (Const 1) (Const 10000000000)] 100;
   launched (Int 32) [Splits (Const 5); AllDistinct] 100;
   launched (Int 32) [Splits (Const 5)] 1;
   launched (Int 32) [Splits (Const 5); Within (Const 1) (Const 9)] 3;
   launched (Int 32) [Splits (Const 5); Splits (Const 6)] 3] =
  repeat false 10.
Proof. vm_compute. reflexivity. Qed.
Example launches_so :
  [launched (Int 8) [] 1;
   launched (Int 8) [Within (Const 100) (Const 300)] 1;
   launched (Int 8) [AllDistinct] 256;
   launched (Int 1) [AllDistinct] 2;
   launched (Int 32) [AllDistinct; Within (Const 0) (Sym "N"); Sorted] 10000000;
   launched (Int 64) [AllDistinct; Splits (Sym "N")] 1000000000;
   launched (Int 32) [Splits (Const 5)] 100;
   launched (Int 32) [Splits (Const 0)] 1] = repeat true 8.
Proof. vm_compute. reflexivity. Qed.

(* Ops on floats at two places need not agree, nor need products with `fast`
   and without. *)

Section Unknown.

Context (k : kernel) (l : launch) (ids : list Z) (e : Sem.env) (x : Z).
Context (isOne : get e 1 = Ok [x]).
Definition one := Type_ [] F32.
Notation at_place place attributes := (fun m => evalOp m l ids e one
  (Opaque place "tile.reduce" attributes [(1%positive, one)])).

Theorem places_differ attributes :
  exists m, at_place 2 attributes m <> at_place 3 attributes m.
Proof.
  exists (Machine 64 (fun place _ _ _ _ => [Zpos place]) (fun _ y _ => y)).
  simpl. rewrite isOne. discriminate.
Qed.
Theorem attributes_differ place :
  exists m, at_place place [] m <> at_place place [("fast", [])] m.
Proof.
  exists (Machine 64 (fun _ _ attributes _ _ => [Z.of_nat (length attributes)])
            (fun _ y _ => y)).
  simpl. rewrite isOne. discriminate.
Qed.

End Unknown.

(* Every run ends. That from every state some continuation ends does not say
   so. *)

Definition wait (s s' : bool) : Prop := s = true.
Theorem waits_forever :
  (forall s, exists s', clos_refl_trans bool wait s s' /\ s' = false) /\
  exists f : nat -> bool, forall n, wait (f n) (f (S n)).
Proof.
  split; [|now exists (fun _ => true)].
  intro s. exists false. split; [|reflexivity].
  destruct s; [apply rt_step; reflexivity|apply rt_refl].
Qed.

Theorem never_forever m k l given : correctOn m k l ->
  keepsGivens k l given = true ->
  forall f, f O = start m k l given ->
  ~ forall n, exists e, acts (f n) e (f (S n)).
Proof.
  intros C K f F A. destruct (endsAlways _ _ _ C given K) as [n N].
  assert (R : forall i j, exists es, length es = i /\
            runs (f j) es (f (j + i)%nat)).
  { induction i as [|i IH]; intro j.
    - exists []. rewrite Nat.add_0_r. split; [reflexivity|constructor].
    - destruct (A j) as [e Ae]. destruct (IH (S j)) as (es & L & Re).
      exists (e :: es). split; [simpl; lia|].
      replace (j + S i)%nat with (S j + i)%nat by lia. econstructor; eauto. }
  destruct (R (S n) O) as (es & L & Re). rewrite F in Re.
  destruct (N _ _ Re). lia.
Qed.

(* And what cannot go on has ended well: no run stops in a fault. *)
Theorem stops_well m k l given es s : correctOn m k l ->
  keepsGivens k l given = true -> runs (start m k l given) es s ->
  (forall e s', ~ acts s e s') -> ended s.
Proof.
  intros C K R St. destruct (endsAlways _ _ _ C given K) as [n N].
  destruct (N _ _ R) as [_ [E|(e & s' & A)]]; [exact E|now destruct (St e s')].
Qed.

(* Events conflict at whatever distance in time, atomics included. *)

Section Conflicts.

Context (k : kernel) (l : launch).
Definition deed (b : nat) (x : access) : action := Action b 0 [5] x.

Theorem conflicts_so : Forall (fun p => conflicts k l (deed 0 (fst p))
    (deed 1 (snd p)))
  [(Writes 1, Writes 1); (Writes 1, Reads 1); (Reads 1, Writes 2);
   (Writes 1, Combines Z.add 1); (Combines Z.add 1, Reads 1);
   (Combines Z.add 1, Combines Z.max 1); (Takes, Takes); (Takes, Reads 0)].
Proof.
  repeat constructor; simpl; try lia; try (now left); try tauto.
  intro E. apply (f_equal (fun f => f 1 1)) in E. discriminate.
Qed.
Theorem conflicts_not : Forall (fun p => ~ conflicts k l (deed 0 (fst p))
    (deed 1 (snd p)))
  [(Reads 1, Reads 1); (Combines Z.add 1, Combines Z.add 2)].
Proof. repeat constructor; intros (_ & _ & _ & C); now apply C. Qed.

(* Halves of a byte are one place. *)
Context (ten : tensor) (isTensor : tensorOf k 0 = Some ten)
  (isNibbles : elements ten = Int 4) (isPacked : strides ten = None)
  (extentsAre : extentsOf l 0 = Some [8]).
Theorem halves_conflict :
  conflicts k l (Action 0 0 [4] (Writes 1)) (Action 1 0 [5] (Writes 1)) /\
  ~ conflicts k l (Action 0 0 [5] (Writes 1)) (Action 1 0 [6] (Writes 1)).
Proof.
  assert (By : Addresses.stridesOf (symbolOf l) ten [8] = Ok [1]).
  { unfold Addresses.stridesOf. now rewrite isPacked. }
  split.
  - repeat split; simpl; try lia; try tauto. right.
    exists ten, [8], [1]. rewrite isNibbles. repeat split; auto.
  - intros (_ & _ & [E|(t & ex & by_ & T & _ & Ex & B & O)] & _); simpl in *.
    + discriminate.
    + rewrite isTensor in T. injection T as <-. rewrite extentsAre in Ex.
      injection Ex as <-. rewrite By in B. injection B as <-. discriminate.
Qed.

End Conflicts.

(* A block combines with what another one reads: nobody writes, so no state has
   two blocks of which one writes; the run has a conflict. *)
Definition mixed : state :=
  State
    [Update 0 [5] Z.add 1 (Done (Ok tt)); Read 0 [5] (fun _ => Done (Ok tt))]
    (fun _ _ => Some 0) (fun _ _ => None).
Definition ofMixed (r : run unit) : Prop :=
  r = Update 0 [5] Z.add 1 (Done (Ok tt)) \/
  r = Read 0 [5] (fun _ => Done (Ok tt)) \/ r = Done (Ok tt).
Lemma mixed_step s s' : step s s' -> Forall ofMixed (blocks s) ->
  Forall ofMixed (blocks s').
Proof.
  intros [b B] F. apply step_effect in B as (r & N & B).
  assert (Re : Forall ofMixed (replace (blocks s) b (Done (Ok tt)))).
  { clear - F. revert b. induction F as [|y l Y F IH]; intros [|b]; simpl;
      constructor; auto. now right; right. }
  pose proof (proj1 (Forall_forall _ _) F r (nth_error_In _ _ N)) as O.
  destruct B; [exact F| | | |]; destruct O as [O|[O|O]]; try discriminate;
    injection O; intros; subst; exact Re.
Qed.

Theorem mixed_conflicts k l :
  (forall s b t a x next, reaches mixed s ->
     nth_error (blocks s) b <> Some (Write t a x next)) /\
  exists es s p q, runs mixed es s /\ In p es /\ In q es /\ conflicts k l p q.
Proof.
  split.
  - intros s b t a x next R N. apply clos_rt_rtn1 in R.
    assert (F : Forall ofMixed (blocks s)).
    { clear N. induction R as [|s s' S R IH]; [|now apply (mixed_step s)].
      constructor; [now left|constructor; [right; now left|constructor]]. }
    rewrite Forall_forall in F. apply nth_error_In in N.
    destruct (F _ N) as [H|[H|H]]; discriminate.
  - eexists [Action 0 0 [5] (Combines Z.add 1); Action 1 0 [5] (Reads 1)], _, _,
      _. split; [|split; [now left|split; [right; now left|]]].
    + eapply runs_more; [eexists; repeat split; reflexivity|].
      eapply runs_more; [eexists; repeat split; reflexivity|]. apply runs_none.
    + repeat split; simpl; auto. now left.
Qed.
