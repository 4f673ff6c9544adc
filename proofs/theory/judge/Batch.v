(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Many certificates at once, with what is expected of each: what
   proofs/CoqPrinter writes ends in `mismatches cases = []`. *)

From Coq Require Import NArith List Bool.
From Girih Require Export WellFounded.
Import ListNotations.

(* `l` with `new` in place of the `count` elements from `start` on. *)
Definition splice {A} (l : list A) (start count : nat) (new : list A) :=
  firstn start l ++ new ++ skipn (start + count) l.

(* A certificate is accepted with as much work as is expected of it, not with
   less; one of which none is expected is not. *)
Definition asExpected (facts : list fact) (tree : cert) (expected : option N)
  : bool :=
  match expected with
  | Some work =>
      match works facts tree work, works facts tree (N.pred work) with
      | Some 0%N, None => N.leb work maxWork
      | _, _ => false
      end
  | None =>
      match works facts tree maxWork with Some _ => false | None => true end
  end.

Fixpoint mismatchesFrom (number : N)
  (cases : list (list fact * cert * option N)) : list N :=
  match cases with
  | [] => []
  | (facts, tree, expected) :: rest =>
      if asExpected facts tree expected
      then mismatchesFrom (N.succ number) rest
      else number :: mismatchesFrom (N.succ number) rest
  end.

(* The numbers of the cases that turned out otherwise than expected. *)
Definition mismatches := mismatchesFrom 0.

(* Which obligations of a list are well founded, whatever their certificates. *)
Fixpoint wellFoundedFrom (lemmas : list lemma) (all : list obligation)
  : list bool :=
  match all with
  | [] => []
  | o :: all' =>
      wellFounded lemmas o ::
      wellFoundedFrom (lemmas ++ [Some (premises o, goal o)]) all'
  end.

Fixpoint listMismatchesFrom (number : N)
  (cases : list (list obligation * list bool)) : list N :=
  match cases with
  | [] => []
  | (all, expected) :: rest =>
      if eqList Bool.eqb (wellFoundedFrom [] all) expected
      then listMismatchesFrom (N.succ number) rest
      else number :: listMismatchesFrom (N.succ number) rest
  end.

(* Likewise of lists of obligations. *)
Definition listMismatches := listMismatchesFrom 0.
