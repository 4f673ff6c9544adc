(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Integers of a kernel: `index`, exact or stuck; iN, which wraps; expressions
   of the contract. spec/tile.md, "Types and values", "Integers", "Launches". *)

From Coq Require Import ZArith List String Bool Lia.
From Girih Require Export Arith.
Import ListNotations.
Open Scope Z_scope.

(* The rules that a kernel can break (spec/Rules.def). *)
Inductive rule :=
  | ContractSatisfiable | ContractDivision | LaunchGrid | BytesWhole
  | ViewSlice | ViewUnfold | ViewFix | ClaimBounds
  | ClaimDisjoint | LoadBounds | LoadPad | LoadDefined | GatherBounds
  | ScatterBounds | ScatterLanes | AtomicBounds | AtomicScatterBounds
  | OutCovered | IndexWidth | IndexDivision
  | LoopStep | LoopWidth
  | MapDomain | MapInto | MapInverse | MapCount | ProveHolds.

Definition ruleName (r : rule) : string :=
  match r with
  | ContractSatisfiable => "contract.satisfiable"
  | ContractDivision => "contract.division"
  | LaunchGrid => "launch.grid"
  | BytesWhole => "bytes.whole"
  | ViewSlice => "view.slice"
  | ViewUnfold => "view.unfold"
  | ViewFix => "view.fix"
  | ClaimBounds => "claim.bounds"
  | ClaimDisjoint => "claim.disjoint"
  | LoadBounds => "load.bounds"
  | LoadPad => "load.pad"
  | LoadDefined => "load.defined"
  | GatherBounds => "gather.bounds"
  | ScatterBounds => "scatter.bounds"
  | ScatterLanes => "scatter.lanes"
  | AtomicBounds => "atomic.bounds"
  | AtomicScatterBounds => "atomic_scatter.bounds"
  | OutCovered => "out.covered"
  | IndexWidth => "index.width"
  | IndexDivision => "index.division"
  | LoopStep => "loop.step"
  | LoopWidth => "loop.width"
  | MapDomain => "map.domain"
  | MapInto => "map.into"
  | MapInverse => "map.inverse"
  | MapCount => "map.count"
  | ProveHolds => "prove.holds"
  end.

(* What comes of a computation: a value, the rule that it breaks, a launch that
   the contract refuses, or no kernel of the language at all. *)
Inductive outcome (A : Type) :=
  | Ok (a : A)
  | Stuck (r : rule)
  | Refused
  | Malformed.
Arguments Ok {A}. Arguments Stuck {A}.
Arguments Refused {A}. Arguments Malformed {A}.

Definition bind {A B} (o : outcome A) (f : A -> outcome B) : outcome B :=
  match o with
  | Ok a => f a
  | Stuck r => Stuck r
  | Refused => Refused
  | Malformed => Malformed
  end.
Notation "'do' x <- a ; b" := (bind a (fun x => b))
  (at level 200, x pattern, a at level 100, b at level 200).

Definition orElse {A} (o : option A) (none : outcome A) : outcome A :=
  match o with Some a => Ok a | None => none end.

Fixpoint collect {A B} (f : A -> outcome B) (l : list A) : outcome (list B) :=
  match l with
  | [] => Ok []
  | x :: l' => do y <- f x; do ys <- collect f l'; Ok (y :: ys)
  end.

(* Types of lanes. A number of type iN is read as signed: an i1 is 0 or -1. A
   float is its bits, so many of exponent and of mantissa; a scale, of 8 and
   none, has no sign. *)
Inductive element := Index | Int (bits : Z) | Float (exponent mantissa : Z).

Definition F16 := Float 5 10.
Definition BF16 := Float 8 7.
Definition F32 := Float 8 23.
Definition F64 := Float 11 52.

(* In memory; two elements of 4 bits share one. *)
Definition bytesOf (e : element) : Z :=
  match e with
  | Index => 8
  | Int n => Z.max 1 (n / 8)
  | Float x m => Z.max 1 ((1 + x + m) / 8)
  end.

Definition sharesByte (e : element) : bool :=
  match e with
  | Index => false
  | Int n => n =? 4
  | Float x m => 1 + x + m =? 4
  end.

(* The width of an integer type where `index` has w bits. *)
Definition widthOf (w : Z) (e : element) : Z :=
  match e with Int n => n | _ => w end.

Definition fitsb (w x : Z) : bool :=
  (- 2 ^ (w - 1) <=? x) && (x <? 2 ^ (w - 1)).

(* An exact result as a lane of its type. *)
Definition lane (w : Z) (e : element) (x : Z) : outcome Z :=
  match e with
  | Index => if fitsb w x then Ok x else Stuck IndexWidth
  | Int n => Ok (wrap n x)
  | Float _ _ => Ok x
  end.

Inductive binary :=
  | Add | Sub | Mul | Div | Rem | CeilDiv | Min | Max | And | Or | Xor.

Definition divides (f : binary) : bool :=
  match f with Div | Rem | CeilDiv => true | _ => false end.

Definition exact (f : binary) (x y : Z) : Z :=
  match f with
  | Add => x + y
  | Sub => x - y
  | Mul => x * y
  | Div => x / y
  | Rem => x mod y
  | CeilDiv => ceildiv x y
  | Min => Z.min x y
  | Max => Z.max x y
  | And => Z.land x y
  | Or => Z.lor x y
  | Xor => Z.lxor x y
  end.

Definition evalBinary (w : Z) (f : binary) (e : element) (x y : Z)
  : outcome Z :=
  if divides f && ((x <? 0) || (y <? 1)) then Stuck IndexDivision
  else lane w e (exact f x y).

Inductive comparison := Eq | Ne | Lt | Le | Gt | Ge.

Definition compares (c : comparison) (x y : Z) : bool :=
  match c with
  | Eq => x =? y
  | Ne => negb (x =? y)
  | Lt => x <? y
  | Le => x <=? y
  | Gt => y <? x
  | Ge => y <=? x
  end.

Definition ofBool (b : bool) : Z := if b then -1 else 0.

(* Sign or zero extension, truncation, casts from and to `index`. *)
Definition evalCast (w : Z) (unsigned : bool) (from to : element) (x : Z)
  : outcome Z :=
  lane w to (if unsigned then x mod 2 ^ widthOf w from else x).

(* Expressions of the contract. *)

Inductive expr :=
  | Const (x : Z)
  | Sym (name : string)
  | Expr (f : binary) (a b : expr).

Definition contractDivides (x y : Z) (z : Z) : outcome Z :=
  if (x <? 0) || (y <? 1) then Stuck ContractDivision else Ok z.

(* In 128 bits, as the executor and launchers have them. *)
Definition in128 (x : Z) : outcome Z := if fitsb 128 x then Ok x else Refused.

Fixpoint evalExpr (symbols : string -> option Z) (e : expr) : outcome Z :=
  match e with
  | Const x => Ok x
  | Sym name => orElse (symbols name) Refused
  | Expr f a b =>
      do x <- evalExpr symbols a;
      do y <- evalExpr symbols b;
      match f with
      | Add | Sub | Mul => in128 (exact f x y)
      | Div | Rem | CeilDiv => contractDivides x y (exact f x y)
      | Min | Max => Ok (exact f x y)
      | And | Or | Xor => Malformed
      end
  end.

(* Machine integers refine those of mathematics. *)

Lemma fitsb_fits w x : fitsb w x = true <-> fits w x.
Proof. unfold fitsb, fits. rewrite andb_true_iff. lia. Qed.

(* An `index` that is computed is the exact result, and fits. *)
Theorem index_exact w f x y z : evalBinary w f Index x y = Ok z ->
  z = exact f x y /\ fits w z /\ (divides f = true -> 0 <= x /\ 1 <= y).
Proof.
  unfold evalBinary, lane.
  destruct (divides f && ((x <? 0) || (y <? 1))) eqn:D; [discriminate|].
  destruct (fitsb w (exact f x y)) eqn:F; [|discriminate].
  intro H. injection H as <-. apply fitsb_fits in F.
  split; [reflexivity|]. split; [exact F|]. intro V. rewrite V in D. lia.
Qed.

(* It is computed unless a rule is broken. *)
Theorem index_defined w f x y :
  (divides f = true -> 0 <= x /\ 1 <= y) -> fits w (exact f x y) ->
  evalBinary w f Index x y = Ok (exact f x y).
Proof.
  intros D F. unfold evalBinary, lane. apply fitsb_fits in F. rewrite F.
  destruct (divides f); [|reflexivity]. destruct D as [X Y]; [reflexivity|].
  destruct (Z.ltb_spec x 0); [lia|]. destruct (Z.ltb_spec y 1); [lia|].
  reflexivity.
Qed.

(* An iN is the exact result modulo 2^N, and it is that where it fits. *)
Theorem int_wraps w f n x y z : evalBinary w f (Int n) x y = Ok z ->
  z = wrap n (exact f x y) /\
  (1 <= n -> fits n (exact f x y) -> z = exact f x y).
Proof.
  unfold evalBinary, lane.
  destruct (divides f && ((x <? 0) || (y <? 1))); [discriminate|].
  intro H. injection H as <-. split; [reflexivity|].
  intros N F. now apply wrap_exact.
Qed.

(* Division of the language is every division there is. *)
Theorem division_of_all w e x y z : evalBinary w Div e x y = Ok z ->
  x / y = ediv x y /\ x / y = Z.quot x y /\
  x mod y = emod x y /\ x mod y = Z.rem x y.
Proof.
  unfold evalBinary. simpl.
  destruct (Z.ltb_spec x 0); [discriminate|].
  destruct (Z.ltb_spec y 1); [discriminate|]. intros _.
  destruct (floor_euclid x y ltac:(lia)). destruct (floor_trunc x y); lia.
Qed.

(* Within range a cast changes nothing. *)
Theorem cast_exact w from n x : 1 <= n -> fits n x ->
  evalCast w false from (Int n) x = Ok x.
Proof.
  intros N F. unfold evalCast, lane. f_equal. now apply wrap_exact.
Qed.
