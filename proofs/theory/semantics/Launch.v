(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Launches (spec/tile.md): which ones a contract admits, and what the blocks of
   one do to memory, an element at a time, in any interleaving. *)

From Coq Require Import ZArith String List Bool Lia Relations.
From Girih Require Export Sem.
Import ListNotations.
Open Scope Z_scope.

(* Admission. *)

(* The bounds of every launch, scaled to the width of `index`. *)
Definition scaled (exponent w : Z) : Z := 2 ^ ceildiv (exponent * w) 64.
Definition maxExtent (w : Z) : Z := scaled 40 w.
Definition maxBytes (w : Z) : Z := scaled 47 w.
Definition maxBlocks (w : Z) : Z := scaled 31 w - 1.

Definition require (b : bool) : outcome unit := if b then Ok tt else Refused.

Fixpoint each {A} (f : A -> outcome unit) (l : list A) : outcome unit :=
  match l with
  | [] => Ok tt
  | x :: l' => do _ <- f x; each f l'
  end.

Definition checkSymbol (w : Z) (symbols : string -> option Z)
  (s : string * element) : outcome unit :=
  do x <- orElse (symbols (fst s)) Refused;
  match snd s with
  | Index => require ((0 <=? x) && (x <=? maxExtent w))
  | Int n => require (if n =? 1 then (0 <=? x) && (x <=? 1) else fitsb n x)
  | Float _ _ => Malformed
  end.

Definition evalDim (symbols : string -> option Z) (d : dim) : outcome Z :=
  match d with
  | Fixed n => Ok n
  | Named name => orElse (symbols name) Refused
  end.

Fixpoint packed (extents : list Z) : list Z :=
  match extents with
  | [] => []
  | _ :: extents' => volume extents' :: packed extents'
  end.

(* Axes in order of stride, each beyond the reach of all smaller ones. *)
Fixpoint insert (axis : Z * Z) (axes : list (Z * Z)) : list (Z * Z) :=
  match axes with
  | [] => [axis]
  | a :: axes' =>
      if fst axis <=? fst a then axis :: axes else a :: insert axis axes'
  end.
Fixpoint apart (reach : Z) (axes : list (Z * Z)) : bool :=
  match axes with
  | [] => true
  | (stride, extent) :: axes' =>
      (reach <? stride) && apart (reach + stride * (extent - 1)) axes'
  end.
Definition noOverlap (extents strides : list Z) : bool :=
  existsb (Z.eqb 0) extents ||
  apart 0 (fold_right insert []
             (filter (fun a => 1 <? snd a) (combine strides extents))).

Definition checkTensor (w : Z) (symbols : string -> option Z) (t : tensor)
  : outcome (list Z) :=
  do extents <- collect (evalDim symbols) (dims t);
  do _ <- each (fun e => require ((0 <=? e) && (e <=? maxExtent w))) extents;
  do strides <- match strides t with
                | Some s => collect (evalDim symbols) s
                | None => Ok (packed extents)
                end;
  do _ <- each (fun a => require ((0 <=? fst a) &&
                    (fst a * snd a * bytesOf (elements t) <=? maxBytes w)))
            (combine strides extents);
  do _ <- require match mode_ t with
                  | Shared => true
                  | _ => noOverlap extents strides
                  end;
  Ok extents.

Definition checkArgument (w : Z) (symbols : string -> option Z) (a : argument)
  : outcome (option (list Z)) :=
  match a with
  | TensorArg t => do e <- checkTensor w symbols t; Ok (Some e)
  | FloatArg _ => Ok None
  end.

Definition checkCondition (symbols : string -> option Z) (c : condition)
  : outcome unit :=
  do x <- evalExpr symbols (lhs c);
  do y <- evalExpr symbols (rhs c);
  require (compares (relation c) x y).

Definition checkGrid (w : Z) (symbols : string -> option Z) (e : expr)
  : outcome Z :=
  do d <- evalExpr symbols e;
  if d <? 0 then Stuck LaunchGrid
  else do _ <- require (d <=? maxBlocks w); Ok d.

Definition evalContent (symbols : string -> option Z) (c : content expr)
  : outcome (content Z) :=
  match c with
  | Within low high =>
      do x <- evalExpr symbols low; do y <- evalExpr symbols high;
      Ok (Within x y)
  | Sorted => Ok Sorted
  | Splits last => do x <- evalExpr symbols last; Ok (Splits x)
  | AllDistinct => Ok AllDistinct
  end.
Definition evalGiven (symbols : string -> option Z) (g : given_)
  : outcome (nat * content Z) :=
  do c <- evalContent symbols (promise g); Ok (about g, c).

(* Symbols, tensors, `requires`, grid, `given`, in this order. *)
Definition admit_ (w : Z) (k : kernel) (symbols : string -> option Z)
  (scalars : nat -> Z) : outcome launch :=
  do _ <- each (checkSymbol w symbols) (launchSymbols k);
  do extents <- collect (checkArgument w symbols) (arguments k);
  do _ <- each (checkCondition symbols) (requires k);
  do dims <- collect (checkGrid w symbols) (grid k);
  do _ <- require (volume dims <=? maxBlocks w);
  do promises <- collect (evalGiven symbols) (givens k);
  Ok (Launch symbols (fun t => nth t extents None) scalars dims promises).

(* An admitted grid has as many blocks as it should, each with its ids. *)
Definition blockIds (l : launch) (b : nat) : list Z :=
  delinear (gridOf l) (Z.of_nat b).
Definition blockCount (l : launch) : nat := Z.to_nat (volume (gridOf l)).

(* Memory. *)

Definition contents := nat -> list Z -> option Z.

(* Whether contents keep what is given of them. *)

Definition allElements (extents : list Z) : list (list Z) :=
  tileLanes extents (map (fun _ => 0) extents).

(* An integer in memory as its type has it; an i1 is 0 or 1. *)
Definition asNumber (e : element) (x : Z) : Z :=
  match e with Int n => if n =? 1 then x mod 2 else wrap n x | _ => x end.

Definition ascends (v : list Z -> Z) (n : Z) : bool :=
  forallb (fun i => v [i] <=? v [i + 1]) (ints 0 (Z.to_nat (n - 1))).
Definition keepsContent (extents : list Z) (v : list Z -> Z) (c : content Z)
  : bool :=
  match c, extents with
  | Within low high, _ =>
      forallb (fun a => (low <=? v a) && (v a <? high)) (allElements extents)
  | Sorted, [n] => ascends v n
  | Splits last, [n] =>
      (1 <=? n) && ascends v n && (v [0] =? 0) && (v [n - 1] =? last)
  | Sorted, _ | Splits _, _ => false (* an order is of lists *)
  | AllDistinct, _ =>
      let all := allElements extents in
      forallb (fun a =>
        forallb (fun b => eqAt a b || negb (v a =? v b)) all) all
  end.
Definition keepsGivens (k : kernel) (l : launch) (given : nat -> list Z -> Z)
  : bool :=
  forallb (fun p =>
    match tensorOf k (fst p), extentsOf l (fst p) with
    | Some t, Some extents =>
        keepsContent extents
          (fun a => asNumber (elements t) (given (fst p) a)) (snd p)
    | _, _ => false
    end) (promised l).

Definition put {A} (f : nat -> list Z -> A) (t : nat) (at_ : list Z) (x : A)
  : nat -> list Z -> A :=
  fun u b => if Nat.eqb t u && eqAt at_ b then x else f u b.

(* Blocks under way, what each tensor holds, and which block took an element. *)
Record state := State
  { blocks : list (run unit);
    memory : contents;
    owner : nat -> list Z -> option nat }.

Definition isOut (k : kernel) (t : nat) : bool :=
  match tensorOf k t with
  | Some t' => match mode_ t' with Out _ => true | _ => false end
  | None => false
  end.

(* `out` tensors start undefined, the others as given. *)
Definition start (m : machine) (k : kernel) (l : launch)
  (given : nat -> list Z -> Z) : state :=
  State (map (fun b => runBlock m k l (blockIds l b)) (seq 0 (blockCount l)))
    (fun t at_ => if isOut k t then None else Some (given t at_))
    (fun _ _ => None).

Fixpoint replace {A} (l : list A) (n : nat) (x : A) : list A :=
  match l, n with
  | [], _ => []
  | _ :: l', O => x :: l'
  | y :: l', S n' => y :: replace l' n' x
  end.

(* One event of one block. *)
Definition stepBlock (s : state) (b : nat) : outcome state :=
  match nth_error (blocks s) b with
  | None => Malformed
  | Some (Done (Ok _)) => Ok s
  | Some (Done (Stuck r)) => Stuck r
  | Some (Done Refused) => Refused
  | Some (Done Malformed) => Malformed
  | Some (Take t at_ next) =>
      let s' := State (replace (blocks s) b next) (memory s)
                  (put (owner s) t at_ (Some b)) in
      match owner s t at_ with
      | Some b' => if Nat.eqb b b' then Ok s' else Stuck ClaimDisjoint
      | None => Ok s'
      end
  | Some (Read t at_ next) =>
      match memory s t at_ with
      | Some x =>
          Ok (State (replace (blocks s) b (next x)) (memory s) (owner s))
      | None => Stuck LoadDefined
      end
  | Some (Write t at_ x next) =>
      Ok (State (replace (blocks s) b next) (put (memory s) t at_ (Some x))
            (owner s))
  | Some (Update t at_ f x next) =>
      match memory s t at_ with
      | Some y =>
          Ok (State (replace (blocks s) b next)
                (put (memory s) t at_ (Some (f y x))) (owner s))
      | None => Malformed (* such tensors are defined from the start *)
      end
  end.

Definition step (s s' : state) : Prop := exists b, stepBlock s b = Ok s'.

(* Any interleaving. *)
Definition reaches : state -> state -> Prop := clos_refl_trans state step.

Definition ended (s : state) : Prop :=
  Forall (fun r => r = Done (Ok tt)) (blocks s).

(* An element of an output that must be whole and is not. *)
Definition uncovered (k : kernel) (l : launch) (s : state) : Prop :=
  exists t ten extents at_,
    tensorOf k t = Some ten /\ mode_ ten = Out false /\
    extentsOf l t = Some extents /\ inBox extents at_ /\
    memory s t at_ = None.

(* A launch breaks a rule in a state: a block does, or all have ended and an
   output is not whole. *)
Definition breaks (k : kernel) (l : launch) (s : state) (r : rule) : Prop :=
  (exists b, stepBlock s b = Stuck r) \/
  (r = OutCovered /\ ended s /\ uncovered k l s).

(* A kernel is safe on a launch that its contract admits, with contents that
   keep what is given of them. *)
Definition safe (m : machine) (k : kernel) (l : launch) : Prop :=
  forall given s r, keepsGivens k l given = true ->
  reaches (start m k l given) s -> ~ breaks k l s r.

(* The blocks of a list, each as far as one event, in that order. *)
Fixpoint schedule (order : list nat) (s : state) : outcome state :=
  match order with
  | [] => Ok s
  | b :: order' => do s' <- stepBlock s b; schedule order' s'
  end.

Theorem schedule_reaches order s s' : schedule order s = Ok s' -> reaches s s'.
Proof.
  revert s. induction order as [|b order IH]; simpl; intros s H.
  - injection H as <-. apply rt_refl.
  - destruct (stepBlock s b) as [s1| | |] eqn:E; try discriminate.
    eapply rt_trans; [apply rt_step; exists b; exact E|]. now apply IH.
Qed.

(* Every interleaving is a list of blocks. *)
Theorem reaches_schedule s s' : reaches s s' ->
  exists order, schedule order s = Ok s'.
Proof.
  intro R. apply clos_rt_rt1n in R. induction R as [|s s1 s' [b B] R [o O]].
  - now exists [].
  - exists (b :: o). simpl. now rewrite B.
Qed.

(* Each block of the grid is there once. *)
Theorem blocks_of_grid l : Forall (Z.le 0) (gridOf l) ->
  (forall b, (b < blockCount l)%nat -> inBox (gridOf l) (blockIds l b)) /\
  (forall ids, inBox (gridOf l) ids ->
     exists b, (b < blockCount l)%nat /\ blockIds l b = ids) /\
  (forall b c, (b < blockCount l)%nat -> (c < blockCount l)%nat ->
     blockIds l b = blockIds l c -> b = c).
Proof.
  intro G. unfold blockCount, blockIds.
  assert (D : forall b, (b < Z.to_nat (volume (gridOf l)))%nat ->
            inBox (gridOf l) (delinear (gridOf l) (Z.of_nat b)) /\
            linear (gridOf l) (delinear (gridOf l) (Z.of_nat b)) = Z.of_nat b).
  { intros b B. apply linear_delinear; [exact G|lia]. }
  repeat split.
  - intros b B. now apply D.
  - intros ids I. pose proof (linear_bound _ _ I).
    exists (Z.to_nat (linear (gridOf l) ids)). split; [lia|].
    rewrite Z2Nat.id by lia. now apply delinear_linear.
  - intros b c B C E. destruct (D b B) as [_ B']. destruct (D c C) as [_ C'].
    rewrite E, C' in B'. lia.
Qed.
