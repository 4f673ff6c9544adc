(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Elements of 4 bits share bytes: a claimed tile consists of whole bytes,
   where an obligation (`bytes.whole`) says so at the start of a block and at
   each view. spec/tile.md, "Elements below a byte"; `keepBytesWhole` of
   ir/text/Elaborate.cpp inserts these obligations. *)

From Coq Require Import ZArith List Bool Lia.
From Girih Require Export Pairs.
Import ListNotations.
Open Scope Z_scope.

(* Twice a quotient without a rest, as these facts say. *)
Definition halved (fs : list scoped) (p : poly) (f : scoped) : bool :=
  match reason_ f with
  | ByDefinition d _ =>
      match results d with
      | [q; r] =>
          let states fact := existsb (fun g => eqFact (claims g) fact) fs in
          eqFact (claims f)
            (EqZ (sub (sub p (mul (variable q) (constant 2))) (variable r))) &&
          states (GeZ (variable r)) && states (GeZ (neg (variable r)))
      | _ => false
      end
  | _ => false
  end.
Definition evenIn (fs : list scoped) (p : poly) : bool :=
  match constantOf p with
  | Some c => Z.even c
  | None => existsb (halved fs p) fs
  end.

Definition isEvenAt {A} (isEven : A -> bool) (l : list A) (k : nat) : bool :=
  match nth_error l k with Some x => isEven x | None => false end.

(* The axis along which bytes are shared, after a step of a view that leaves
   them whole. *)
Definition wholeStep {A} (isEven : A -> bool) (axis : nat) (s : viewStep A)
  : option nat :=
  match s with
  | Slice offsets sizes =>
      if isEvenAt isEven offsets axis && isEvenAt isEven sizes axis
      then Some axis else None
  | Permute axes => Some (indexOf axis axes)
  | Unfold at_ factors =>
      if Nat.eqb at_ axis then
        if isEvenAt isEven factors (length factors - 1)
        then Some (axis + (length factors - 1))%nat else None
      else if Nat.ltb at_ axis then Some (axis + length factors - 1)%nat
      else Some axis
  | FixAt at_ _ =>
      if Nat.eqb at_ axis then None
      else if Nat.ltb at_ axis then Some (axis - 1)%nat else Some axis
  end.
Fixpoint wholeSteps (isEven : poly -> bool) (axis : nat) (v : view poly)
  (ss : list (viewStep poly)) : option (nat * view poly) :=
  match ss with
  | [] => Some (axis, v)
  | s :: ss' =>
      if fitsRank (length (extents_ v)) s then
        match wholeStep isEven axis s with
        | Some axis' => wholeSteps isEven axis' (stepPoly v s) ss'
        | None => None
        end
      else None
  end.

(* Packed along its last axis, and rows begin with a byte of their own. *)
Definition wholeTensor (h : header) (fs : list scoped) (t : tensor)
  (es : list poly) : bool :=
  isEvenAt (evenIn fs) es (length es - 1) &&
  match strides t with
  | None => true
  | Some ds =>
      match all (dimPoly (symbolVars h)) ds with
      | Some ss =>
          Nat.eqb (length ss) (length es) && eqPoly (last ss []) (constant 1) &&
          forallb (evenIn fs) (removelast ss)
      | None => false
      end
  end.
Definition wholeSite (h : header) (st : site) : bool :=
  match tensorOf (kernel_ h) (root (seen st)) with
  | Some t =>
      if sharesByte (elements t) then
        match extentPolys (symbolVars h) t with
        | Some es =>
            let fs := siteFacts st in
            isOwned t && wholeTensor h fs t es &&
            match wholeSteps (evenIn fs) (length es - 1)
                    (wholePoly (root (seen st)) es) (steps st) with
            | Some (axis, v) =>
                eqView v (seen st) &&
                isEvenAt Z.even (tileExtents (places st)) axis
            | None => false
            end
        | None => false
        end
      else true
  | None => true
  end.
