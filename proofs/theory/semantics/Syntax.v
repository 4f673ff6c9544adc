(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   A kernel as data: the forms of spec/tile.md. Partitions are resolved where
   they are used; values and views are numbered. *)

From Coq Require Import ZArith String List Bool.
From Girih Require Export Index.
Import ListNotations.
Open Scope Z_scope.

(* The header. *)

Inductive dim := Fixed (n : Z) | Named (name : string).

Inductive mode := Shared | Own | Out (partial : bool) | AtomicBy (f : binary).

Record tensor := Tensor
  { mode_ : mode;
    elements : element;
    dims : list dim;
    strides : option (list dim); (* row-major and packed if not given *)
    align : Z }.

Inductive argument := TensorArg (t : tensor) | FloatArg (e : element).

Definition isShared (t : tensor) : bool :=
  match mode_ t with Shared => true | _ => false end.
Definition isOwned (t : tensor) : bool :=
  match mode_ t with Own | Out _ => true | _ => false end.
(* Tensors that blocks combine with, of whole bytes each element. *)
Definition combines (t : tensor) : bool :=
  match mode_ t, elements t with
  | AtomicBy Add, Float x m => negb (sharesByte (Float x m))
  | AtomicBy (Add | Min | Max | And | Or | Xor), Int n =>
      (1 <=? n) && negb (n =? 4)
  | _, _ => false
  end.
(* Of these, sums that round: what comes out depends on the order. *)
Definition rounds (t : tensor) : bool :=
  match elements t with Float _ _ => combines t | _ => false end.

Record condition := Condition { relation : comparison; lhs : expr; rhs : expr }.

(* What is given of the contents of a `shared` tensor of integers: in [low,
   high); in order; in order from 0 to the last one; no two alike. *)
Inductive content (A : Type) :=
  | Within (low high : A)
  | Sorted
  | Splits (last : A)
  | AllDistinct.
Arguments Within {A}. Arguments Sorted {A}.
Arguments Splits {A}. Arguments AllDistinct {A}.
Definition mapContent {A B} (f : A -> B) (c : content A) : content B :=
  match c with
  | Within low high => Within (f low) (f high)
  | Sorted => Sorted
  | Splits last => Splits (f last)
  | AllDistinct => AllDistinct
  end.
Definition contentNumbers {A} (c : content A) : list A :=
  match c with
  | Within low high => [low; high]
  | Splits last => [last]
  | Sorted | AllDistinct => []
  end.
Record given_ := OfContents { about : nat; promise : content expr }.

(* Which block, and which trips of the loops around a store, write a tile of an
   output: expressions over names for the indices of the tile and the launch
   symbols. Means nothing to a run. *)
Record cover := Cover
  { covered : nat;
    indexNames : list string;
    byBlock : list expr;
    byTrips : list expr }.

(* The code of a block. *)

Definition var := positive.
Bind Scope positive_scope with var.

(* A vector, or a scalar when it has no axis. *)
Record type := Type_ { shape : list Z; lanes : element }.

(* A tensor: an argument, or a view that has a name. *)
Inductive base := Argument (number : nat) | Seen (v : var).

(* A number that a view speaks of; an `index`. *)
Inductive amount :=
  | Exactly (x : Z)
  | OfSymbol (name : string)
  | OfValue (v : var).

(* What a view makes of what it is a view of. *)
Inductive viewStep (A : Type) :=
  | Slice (offsets sizes : list A)
  | Permute (axes : list nat)
  | Unfold (axis : nat) (factors : list A)
  | FixAt (axis : nat) (at_ : A).
Arguments Slice {A}. Arguments Permute {A}.
Arguments Unfold {A}. Arguments FixAt {A}.

(* A tensor as tiles; an axis `_` is None: one element wide and absent from
   vectors. *)
Record partition := Partition { of : base; tile : list (option Z) }.

(* Or a number: of integers itself, of floats its bits. *)
Inductive pad := Zero | NegZero | NegInf | PosInf | NaN | PadWith (lane : Z).

(* Lanes that go elsewhere. *)
Inductive move := Broadcast | Transpose (permutation : list nat) | Reshape.

(* Ops without a region or an event, of one result. *)
Inductive op :=
  | Constant (splat : Z)
  | Dense (values : list Z)
  | Symbol (name : string)
  | BlockId (axis : nat)
  | GridDim (axis : nat)
  | NumTiles (p : partition) (axis : nat)
  | Binary (f : binary) (a b : var)
  | Compare (c : comparison) (a b : var)
  | Select (condition a b : var)
  | Cast (unsigned : bool) (from : element) (a : var)
  | Alias (a : var)
    (* In each lane its number along an axis. *)
  | Iota (axis : nat)
    (* The lanes of a value of this shape. *)
  | Move (f : move) (from : list Z) (a : var)
    (* The condition again; stuck by the rule where it is false. *)
  | Prove (r : rule) (condition : var)
    (* All on floats and between lanes. What they compute is unknown: an unknown
       function of the operands at each place of the kernel; places have numbers
       of their own. Attributes have names and are numbers. *)
  | Opaque (place : var) (name : string) (attributes : list (string * list Z))
      (operands : list (var * type)).

Inductive source := Tile (p : partition) (index : list var) | Piece (v : var).

Inductive statement :=
  | Let (r : var) (t : type) (o : op)
  | View (r : var) (b : base) (s : viewStep amount)
  | Claim (r : var) (p : partition) (index : list var)
  | Load (r : var) (s : source) (padding : option pad)
  | Store (value piece : var)
  | Combine (value : var) (p : partition) (index : list var)
    (* Lane by lane, of vectors of this shape: one an axis of the tensor. *)
  | Gather (r : var) (number : nat) (of : list Z) (index : list var)
      (mask : option var) (padding : option pad)
  | Scatter (value : var) (number : nat) (of : list Z) (index : list var)
      (mask : option var)
  | CombineLanes (value : var) (number : nat) (of : list Z)
      (index : list var) (mask : option var)
  | For (results : list var) (counts : element) (lower upper step : var)
      (counter : var) (carried initial : list var) (body : region)
  | If (results : list var) (c : var) (yes no : region)
(* Statements in order, then what is yielded. *)
with region :=
  | Yield (values : list var)
  | Seq (s : statement) (rest : region).

Fixpoint block (l : list statement) (yields : list var) : region :=
  match l with
  | [] => Yield yields
  | s :: l' => Seq s (block l' yields)
  end.

(* Values of the first arguments are numbered from 1: `argumentVar`. *)
Record kernel := Kernel
  { name : string;
    arguments : list argument;
    symbols : list (string * element);
    grid : list expr;
    requires : list condition;
    givens : list given_;
    covers : list cover;
    body : region }.

Definition argumentVar (number : nat) : var := Pos.of_succ_nat number.

Definition tensorOf (k : kernel) (number : nat) : option tensor :=
  match nth_error (arguments k) number with
  | Some (TensorArg t) => Some t
  | _ => None
  end.

(* The extents of a tile, and those of its vector. *)
Definition tileExtents (p : partition) : list Z :=
  map (fun d => match d with Some t => t | None => 1 end) (tile p).
Definition vectorShape (p : partition) : list Z :=
  flat_map (fun d => match d with Some t => [t] | None => [] end) (tile p).

(* Launch symbols: extents in order of arguments, then `symbols`. *)
Definition launchSymbols (k : kernel) : list (string * element) :=
  flat_map (fun a => match a with
                     | TensorArg t =>
                         flat_map (fun d => match d with
                                            | Named n => [(n, Index)]
                                            | Fixed _ => []
                                            end) (dims t)
                     | FloatArg _ => []
                     end) (arguments k) ++ symbols k.
