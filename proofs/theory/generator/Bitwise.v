(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Bits as arithmetic: where one operand is known to have few of them, both are
   halved as often. The functions of checker/generate/Bitwise.cpp. *)

From Coq Require Import ZArith List Bool.
From Girih Require Export Lookups.
Import ListNotations.
Open Scope Z_scope.

(* q, where a fact says 0 <= q. *)
Definition stated (f : scoped) : option poly :=
  match claims f with [[Atom false q]] => Some q | _ => None end.

Definition isNatural (fs : list scoped) (p : poly) : bool :=
  match constantOf p with
  | Some c => 0 <=? c
  | None => existsb (fun f => match stated f with
                              | Some q => eqPoly q p
                              | None => false
                              end) fs
  end.

(* The least upper bound that a fact states as it is. *)
Definition lowerOf (a b : option Z) : option Z :=
  match a, b with
  | Some x, Some y => Some (Z.min x y)
  | Some x, None => Some x
  | None, _ => b
  end.
Definition roofBy (p : poly) (f : scoped) : option Z :=
  match stated f with Some q => constantOf (add q p) | None => None end.
Definition roofOf (fs : list scoped) (p : poly) : option Z :=
  match constantOf p with
  | Some c => Some c
  | None => fold_right (fun f => lowerOf (roofBy p f)) None fs
  end.

Definition maxBits : nat := 8.
(* The least k such that p is known to be below 2^k. *)
Definition bitsOf (fs : list scoped) (p : poly) : option nat :=
  match roofOf fs p with
  | Some u => find (fun k => u <? 2 ^ Z.of_nat k) (seq 0 (S maxBits))
  | None => None
  end.

(* k bits, lowest first, and what lies above them. *)
Fixpoint halve (k : nat) (p : poly) : gen (list poly * poly) :=
  match k with
  | O => ret ([], p)
  | S k' =>
      let* (half, bit) := divide p (constant 2) in
      let* (bits, rest) := halve k' half in ret (bit :: bits, rest)
  end.

(* Of two bits. Their sum is twice the one of `and` plus the one of `xor`. *)
Definition bitBy (f : binary) (a b : poly) : gen poly :=
  let* (both, differ) :=
    match constantOf a, constantOf b with
    | None, None =>
        let* _ := emit IndexDivision (add a b) true in
        divide (add a b) (constant 2)
    | _, _ =>
        let both := mul a b in
        ret (both, sub (add a b) (mul (constant 2) both))
    end in
  ret match f with
      | And => both
      | Or => add both differ
      | _ => differ
      end.

Fixpoint bitsBy (f : binary) (xs ys : list poly) (above : poly) : gen poly :=
  match xs, ys with
  | x :: xs', y :: ys' =>
      let* p := bitBy f x y in
      let* q := bitsBy f xs' ys' above in ret (add p (mul (constant 2) q))
  | _, _ => ret above
  end.

(* Of which operand the bits above are kept: the other one has none. *)
Definition keptAbove (f : binary) (ofX ofY : option nat) (x y : poly) : poly :=
  match f, ofX, ofY with
  | And, _, _ => []
  | _, Some a, Some b =>
      if Nat.eqb a b then [] else if Nat.ltb a b then y else x
  | _, Some _, None => y
  | _, None, _ => x
  end.

Definition fewest (a b : option nat) : option nat :=
  match a, b with
  | Some x, Some y => Some (Nat.min x y)
  | Some x, None => Some x
  | None, _ => b
  end.

Definition bitwise (f : binary) (x y : poly) : gen (option poly) :=
  let* fs := visible in
  match fewest (bitsOf fs x) (bitsOf fs y) with
  | Some k =>
      if isNatural fs x && isNatural fs y then
        let* (xs, x') := halve k x in
        let* (ys, y') := halve k y in
        let above := keptAbove f (bitsOf fs x) (bitsOf fs y) x' y' in
        let* p := bitsBy f xs ys above in ret (Some p)
      else ret None
  | None => ret None
  end.
