(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The obligations of pairs of claims: two blocks never claim a common element.
   The functions of checker/generate/Disjoint.cpp. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export Walk.
Import ListNotations.
Open Scope Z_scope.

(* What the launch determines is shared, all else is renamed apart. *)

Definition speaksOf (vs : PositiveMap.t unit) (l : list var) : bool :=
  forallb (fun v => PositiveMap.mem v vs) l.

(* The variables that the launch alone determines: those below `limit`, and
   results of definitions over nothing else. *)
Definition launchConstants (limit : var) (fs : list scoped)
  : PositiveMap.t unit :=
  fold_left (fun known f =>
      match reason_ f with
      | ByDefinition d 0 =>
          if forallb (fun p => speaksOf known (variables p))
               (Definitions.arguments d)
          then fold_left (fun m v => PositiveMap.add v tt m) (results d) known
          else known
      | _ => known
      end) fs
    (fold_left (fun m v => PositiveMap.add v tt m)
       (map Pos.of_succ_nat (seq 0 (Pos.to_nat limit - 1)))
       (PositiveMap.empty unit)).

Definition renameLookup (r : var -> var) (u : lookup) : lookup :=
  Lookup (lookupTensor u) (map (renamePoly r) (lookupPlace u)) (r (held u)).
Definition renameScoped (r : var -> var) (f : scoped) : scoped :=
  Scoped (renameFact r (claims f))
    match reason_ f with
    | ByDefinition d part =>
        ByDefinition
          (Definition_ (Definitions.kind_ d)
             (map (renamePoly r) (Definitions.arguments d))
             (map r (results d))) part
    | ByProof i via => ByProof i (fun v => r (via v))
    | Because (Value (Some u)) => Because (Value (Some (renameLookup r u)))
    | Because s => Because s
    end.

(* Fresh names for variables [from, until), those that are shared aside. *)
Fixpoint freshNames (shared : PositiveMap.t unit) (from : var) (count : nat)
  (m : PositiveMap.t var) : gen (PositiveMap.t var) :=
  match count with
  | O => ret m
  | S count' =>
      if PositiveMap.mem from shared
      then freshNames shared (Pos.succ from) count' m
      else let* v := fresh_ in
           freshNames shared (Pos.succ from) count' (PositiveMap.add from v m)
  end.
Definition nameIn (m : PositiveMap.t var) (v : var) : var :=
  match PositiveMap.find v m with Some u => u | None => v end.

Definition append (f : scoped) : gen unit := assume (claims f) (reason_ f).

(* One of the two blocks: its names for what is not shared. The second finds
   what is shared in place. *)
Definition addCopy (launchFacts : nat) (from until : var) (s : site)
  (second : bool) : gen (var -> var) :=
  let fs := rev (siteFacts s) in
  let shared := launchConstants from fs in
  let* m := freshNames shared from (Pos.to_nat until - Pos.to_nat from)
              (PositiveMap.empty var) in
  let* _ := forEach (fun f =>
      let* present := visible in
      if second && speaksOf shared (factVariables (claims f)) &&
         existsb (fun g => eqFact (claims g) (claims f)) present
      then ret tt else append (renameScoped (nameIn m) f))
    (skipn launchFacts fs) in
  ret (nameIn m).

(* What was looked up on the way to a claim, in the names of a copy, and what is
   given of the elements that two copies looked up. *)
Definition siteLookups (r : var -> var) (s : site) : list lookup :=
  map (renameLookup r) (lookups (siteFacts s)).
Definition lookupsBelow (n : var) (us : list lookup) : bool :=
  forallb (fun u =>
    forallb (polyBelow n) (lookupPlace u) && (held u <? n)%positive) us.
Definition acrossBlocks (promises : list (nat * content poly))
  (one two : list lookup) : gen unit :=
  forEach (fun a => forEach (fun b =>
      if Nat.eqb (lookupTensor a) (lookupTensor b)
      then forEach (because OfGiven) (pairFacts promises a b) else ret tt)
    (rev (latest promises [] two))) (rev (latest promises [] one)).

Definition inTile (x i : poly) (t : Z) : gen unit :=
  if t =? 1 then because Region (EqZ (sub x i))
  else
    let low := mul i (constant t) in
    let* _ := because Region (GeZ (sub x low)) in
    because Region (GeZ (sub (plus low (t - 1)) x)).

(* Of one axis of a view: where it leads, how far, and its tile. *)
Record cell := Cell
  { cellAxis : nat;
    cellScale : poly;
    cellExtent : poly;
    cellTile : Z;
    cellIndex : poly }.

(* One of the two blocks' claims, in its names. *)
Definition cellsOf (r : var -> var) (s : site) : list cell :=
  map (fun a => let '(((k, c), e), (t, i)) := a in
                Cell k (renamePoly r c) (renamePoly r e) t (renamePoly r i))
    (combine (combine (along (seen s)) (extents_ (seen s)))
       (combine (tileExtents (places s)) (indices s))).

Definition inCell (c : cell) (x : poly) : gen unit :=
  let* _ := inTile x (cellIndex c) (cellTile c) in
  because Region (GeZ (sub (plus (cellExtent c) (-1)) x)).

(* What the coordinates of these axes come to, which are new. *)
Fixpoint inCells (cs : list cell) (rest : poly) : gen unit :=
  match cs with
  | [] => because Region (EqZ rest)
  | c :: cs' =>
      let* v := fresh_ in
      let* _ := inCell c (variable v) in
      inCells cs' (sub rest (mul (cellScale c) (variable v)))
  end.

(* Coordinate k of an element of the tile is x. An axis of the view that alone
   leads there, step by step, needs no coordinate of its own. *)
Definition inRegion (r : var -> var) (s : site) (k : nat) (x : poly)
  : gen unit :=
  match steps s with
  | [] =>
      let* c := given (nth_error (cellsOf r s) k) in
      inTile x (cellIndex c) (cellTile c)
  | _ =>
      let* o := given (nth_error (origin (seen s)) k) in
      let rest := sub x (renamePoly r o) in
      match filter (fun c => Nat.eqb (cellAxis c) k) (cellsOf r s) with
      | [c] =>
          if eqPoly (cellScale c) (constant 1) then inCell c rest
          else inCells [c] rest
      | cs => inCells cs rest
      end
  end.

(* Without a step it is the tensor itself. *)
Definition eqView (v w : view poly) : bool :=
  Nat.eqb (root v) (root w) &&
  eqList eqPoly (extents_ v) (extents_ w) &&
  eqList eqPoly (origin v) (origin w) &&
  eqList (fun a b => Nat.eqb (fst a) (fst b) && eqPoly (snd a) (snd b))
    (along v) (along w).
Definition viewBelow (n : var) (v : view poly) : bool :=
  forallb (polyBelow n) (extents_ v) && forallb (polyBelow n) (origin v) &&
  forallb (fun a => polyBelow n (snd a)) (along v).
Definition siteBelow (n : var) (es : list poly) (s : site) : bool :=
  viewBelow n (seen s) &&
  match steps s with
  | [] => eqView (seen s) (wholePoly (root (seen s)) es)
  | _ => true
  end.

Fixpoint meet (one two : var -> var) (a b : site) (k : nat) (es : list poly)
  : gen unit :=
  match es with
  | [] => ret tt
  | e :: es' =>
      let* v := fresh_ in
      let x := variable v in
      let* _ := inRegion one a k x in
      let* _ := inRegion two b k x in
      let* _ := because Region (GeZ (sub (plus e (-1)) x)) in
      meet one two a b (S k) es'
  end.

Definition pair (h : header) (launchFacts : nat) (launch_ : list scoped)
  (from until : var) (symmetric : bool) (a b : site) : gen unit :=
  let* _ := release launch_ in
  let* one := addCopy launchFacts from until a false in
  let* two := addCopy launchFacts from until b true in
  let* _ := check (lookupsBelow until (lookups (siteFacts a)) &&
                   lookupsBelow until (lookups (siteFacts b))) in
  let* _ := acrossBlocks (givenPolys h) (siteLookups one a)
              (siteLookups two b) in
  (* The blocks differ on some axis. *)
  let* _ := because Distinct
    (differ symmetric []
       (map (fun v => sub (variable (two v)) (variable (one v))) (idVars h)))
    in
  let* (es, _) := rootPolys h (seen a) (places a) in
  let* _ := rootPolys h (seen b) (places b) in
  let* _ := check (siteBelow until es a && siteBelow until es b) in
  let* _ := meet one two a b 0 es in
  emit ClaimDisjoint (constant (-1)) false.

(* All unordered pairs in order, those with itself included. *)
Fixpoint pairsOf {A} (l : list A) : list (bool * (A * A)) :=
  match l with
  | [] => []
  | x :: l' => (true, (x, x)) :: map (fun y => (false, (x, y))) l' ++ pairsOf l'
  end.

Definition walkPairs (h : header) (launch_ : list scoped) (from until : var)
  (ss : list site) : gen unit :=
  let* _ := forEach (fun p =>
      let '(symmetric, (a, b)) := p in
      if Nat.eqb (root (seen a)) (root (seen b))
      then pair h (length launch_) launch_ from until symmetric a b
      else ret tt) (pairsOf ss) in
  release launch_.
