(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   What the contract gives about contents, as facts about elements that are
   loaded. A `shared` tensor never changes while the kernel runs, so that a load
   of it is a function of its place, in one block and across two. The functions
   of checker/generate/Preconditions.cpp. *)

From Coq Require Import ZArith List Bool Lia.
From Girih Require Export Facts.
Import ListNotations.
Open Scope Z_scope.

(* All that is given of one tensor. *)
Definition promisesOf (promises : list (nat * content poly)) (t : nat)
  : list (content poly) :=
  map snd (filter (fun p => Nat.eqb (fst p) t) promises).

(* Of one element: its range, and the ends of splits. *)
Definition contentFacts (es : list poly) (u : lookup) (c : content poly)
  : list fact :=
  let v := variable (held u) in
  match c with
  | Within low high =>
      [GeZ (sub v low); GeZ (plus (sub high v) (-1))]
  | Splits last =>
      let at_ := hd [] (lookupPlace u) in
      let end_ := plus (hd [] es) (-1) in
      [GeZ v; GeZ (sub last v);
       [[Atom false (plus at_ (-1))]; [Atom true v]];
       [[Atom false (plus (sub end_ at_) (-1))]; [Atom true (sub v last)]]]
  | Sorted | AllDistinct => []
  end.
Definition elementFacts (promises : list (nat * content poly))
  (es : list poly) (u : lookup) : list fact :=
  flat_map (contentFacts es u) (promisesOf promises (lookupTensor u)).

(* Of two elements of one tensor: their values are in order, or the same as
   their places are. *)
Definition inOrder (c : content poly) : bool :=
  match c with Sorted | Splits _ => true | _ => false end.
Definition isDistinct (c : content poly) : bool :=
  match c with AllDistinct => true | _ => false end.
Definition orderFacts (a b : lookup) : list fact :=
  let gap := sub (variable (held b)) (variable (held a)) in
  let step := sub (hd [] (lookupPlace b)) (hd [] (lookupPlace a)) in
  [[[Atom false (below step)]; [Atom false gap]];
   [[Atom false (plus step (-1))]; [Atom false (neg gap)]]].
Definition sameValue (a b : lookup) : fact :=
  flat_map (fun p =>
    [[Atom false (plus (sub (fst p) (snd p)) (-1))];
     [Atom false (plus (sub (snd p) (fst p)) (-1))]])
    (combine (lookupPlace a) (lookupPlace b)) ++
  [[Atom true (sub (variable (held a)) (variable (held b)))]].
Definition distinctFact (a b : lookup) : fact :=
  let gap := sub (variable (held b)) (variable (held a)) in
  [[Atom false (plus gap (-1))]; [Atom false (below gap)];
   map (fun p => Atom true (sub (snd p) (fst p)))
     (combine (lookupPlace a) (lookupPlace b))].
Definition pairFacts (promises : list (nat * content poly)) (a b : lookup)
  : list fact :=
  let mine := promisesOf promises (lookupTensor a) in
  match mine with
  | [] => []
  | _ =>
      (if existsb inOrder mine then orderFacts a b else [sameValue a b]) ++
      (if existsb isDistinct mine then [distinctFact a b] else [])
  end.

(* Of one tensor that something is given about the newest so many are compared
   with others. The list has its newest item first. *)
Definition maxLookups : nat := 8.
Fixpoint latest (promises : list (nat * content poly)) (met : list nat)
  (us : list lookup) : list lookup :=
  match us with
  | [] => []
  | u :: us' =>
      let rest := latest promises (lookupTensor u :: met) us' in
      match promisesOf promises (lookupTensor u) with
      | [] => rest
      | _ => if (count_occ Nat.eq_dec met (lookupTensor u) <? maxLookups)%nat
             then u :: rest else rest
      end
  end.

(* Those in scope of this tensor, in order. *)
Definition comparedTo (promises : list (nat * content poly)) (t : nat)
  : gen (list lookup) :=
  fun s => Some (filter (fun u => Nat.eqb (lookupTensor u) t)
                   (rev (latest promises [] (lookups (facts s)))), s).

(* These speak of variables that exist. *)
Definition spoken (ps : list poly) : gen unit := fun s =>
  if forallb (polyBelow (next s)) ps then Some (tt, s) else None.
