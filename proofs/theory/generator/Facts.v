(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Facts in program order and the verification conditions under them: what
   checker/generate/Facts.cpp and checker/generate/Condition.cpp do, as functions that can be
   reasoned about. *)

From Coq Require Import ZArith List Bool Lia.
From Girih Require Export WellFounded Launch.
Import ListNotations.
Open Scope Z_scope.

(* An element of a `shared` tensor of integers that was loaded: which, and the
   variable that has it. *)
Record lookup := Lookup { lookupTensor : nat; lookupPlace : list poly; held : var }.

(* Where a fact comes from. The first fact of a value that was looked up says
   where. *)
Inductive source :=
  | Contract | Path | Loop | InGrid | Region | Distinct
  | Value (at_ : option lookup)
  | OfGiven.
Inductive reason :=
  | Because (s : source)
  | ByDefinition (d : definition) (part : N)
  | ByProof (i : N) (via : var -> var).
Record scoped := Scoped { claims : fact; reason_ : reason }.

(* What was looked up, in the order of the facts. *)
Definition lookupOf (f : scoped) : list lookup :=
  match reason_ f with Because (Value (Some u)) => [u] | _ => [] end.
Definition lookups (fs : list scoped) : list lookup := flat_map lookupOf fs.

(* A verification condition: `goal >= 0` wherever these facts hold. *)
Record vc := Vc { broken : rule; under : list scoped; aim : poly }.

(* A claim: of which view, and by which steps that comes of its root. *)
Record site := Site
  { seen : view poly;
    steps : list (viewStep poly);
    places : partition;
    indices : list poly;
    siteFacts : list scoped }.
(* A store through a claim, or by a scatter: the loops around it, and any of its
   lanes. Not certain under a branch or a mask whose condition the facts do not
   say in full: such a store covers nothing. *)
Record write := Write_
  { through : site;
    loops : list var;
    ofLanes : list var;
    writeFacts : list scoped;
    certain : bool }.

(* What is to be chosen for it: trips, and then a lane. *)
Definition trips (w : write) : list var := loops w ++ ofLanes w.

(* All lists have their newest item first. `defined` has every definition so
   far, those of scopes that have ended too. *)
Record scope := Scope
  { next : var;
    facts : list scoped;
    defined : list definition;
    vcs : list vc;
    sites : list site;
    writes : list write }.

Definition gen (A : Type) := scope -> option (A * scope).
Definition ret {A} (a : A) : gen A := fun s => Some (a, s).
Definition fail {A} : gen A := fun _ => None.
Definition andThen {A B} (g : gen A) (f : A -> gen B) : gen B :=
  fun s => match g s with Some (a, s') => f a s' | None => None end.
Notation "'let*' x := a 'in' b" := (andThen a (fun x => b))
  (at level 200, x pattern, a at level 100, b at level 200).
Definition given {A} (o : option A) : gen A :=
  fun s => match o with Some a => Some (a, s) | None => None end.
Definition check (b : bool) : gen unit :=
  fun s => if b then Some (tt, s) else None.

Fixpoint forEach {A} (f : A -> gen unit) (l : list A) : gen unit :=
  match l with
  | [] => ret tt
  | x :: l' => let* _ := f x in forEach f l'
  end.
Fixpoint mapEach {A B} (f : A -> gen B) (l : list A) : gen (list B) :=
  match l with
  | [] => ret []
  | x :: l' => let* y := f x in let* ys := mapEach f l' in ret (y :: ys)
  end.

(* Polynomials. *)

Definition constantOf (p : poly) : option Z :=
  match p with [] => Some 0 | [([], c)] => Some c | _ => None end.
Definition plus (p : poly) (c : Z) : poly := add p (constant c).
Definition eqPoly : poly -> poly -> bool := eqList eqTerm.
Definition degree (p : poly) : nat :=
  fold_right (fun t n => Nat.max (length (fst t)) n) O p.
Definition polyBelow (n : var) : poly -> bool :=
  forallb (fun t => forallb (fun v => (v <? n)%positive) (fst t)).
Definition factBelow (n : var) : fact -> bool :=
  forallb (forallb (fun a => polyBelow n (Cert.body a))).
Definition variables (p : poly) : list var := flat_map fst p.
Definition factVariables (f : fact) : list var :=
  flat_map (flat_map (fun a => variables (Cert.body a))) f.

(* Beyond this the judge rejects, and the checker does not follow. *)
Definition overflows (p : poly) : bool :=
  existsb (fun t => negb (fitsb 128 (snd t))) p || (64 <? degree p)%nat.

(* Facts enter a scope only if they speak of variables that exist. *)
Definition assume (f : fact) (r : reason) : gen unit := fun s =>
  if factBelow (next s) f then
    Some (tt, Scope (next s) (Scoped f r :: facts s) (defined s) (vcs s)
                (sites s) (writes s))
  else None.

Definition fresh_ : gen var := fun s =>
  Some (next s, Scope (Pos.succ (next s)) (facts s) (defined s) (vcs s)
                  (sites s) (writes s)).

Definition emit (r : rule) (goal : poly) (remember : bool) : gen unit :=
  fun s =>
  if polyBelow (next s) goal then
    let s' := Scope (next s) (facts s) (defined s)
                (Vc r (facts s) goal :: vcs s) (sites s) (writes s) in
    if remember && match constantOf goal with None => true | _ => false end
    then assume (GeZ goal)
           (ByProof (N.of_nat (length (vcs s))) (fun v => v)) s'
    else Some (tt, s')
  else None.

Definition release (fs : list scoped) : gen unit := fun s =>
  Some (tt, Scope (next s) fs (defined s) (vcs s) (sites s) (writes s)).
Definition visible : gen (list scoped) := fun s => Some (facts s, s).

(* Definitions are made once per scope. *)

Definition eqKind (a b : Definitions.kind) : bool :=
  match a, b with
  | Quotient, Quotient | Definitions.Select, Definitions.Select
  | Wrap, Wrap | Name, Name => true
  | _, _ => false
  end.
Definition alike (k : Definitions.kind) (args : list poly) (f : scoped) : bool
  :=
  match reason_ f with
  | ByDefinition d _ =>
      eqKind k (Definitions.kind_ d) && eqList eqPoly args
        (Definitions.arguments d)
  | _ => false
  end.
Definition findDefinition (k : Definitions.kind) (args : list poly) (fs : list
  scoped)
  : option definition :=
  match find (alike k args) (rev fs) with
  | Some f => match reason_ f with ByDefinition d _ => Some d | _ => None end
  | None => None
  end.

Fixpoint introduce (d : definition) (part : N) (fs : list fact) : gen unit :=
  match fs with
  | [] => ret tt
  | f :: fs' =>
      let* _ := assume f (ByDefinition d part) in
      introduce d (N.succ part) fs'
  end.

Definition record_ (d : definition) : gen unit := fun s =>
  Some (tt, Scope (next s) (facts s) (d :: defined s) (vcs s) (sites s)
              (writes s)).

(* The results of a definition with these arguments. *)
Definition define_ (k : Definitions.kind) (args : list poly) (count : nat)
  : gen (list var) := fun s =>
  match findDefinition k args (facts s) with
  | Some d => Some (results d, s)
  | None =>
      if forallb (polyBelow (next s)) args then
        (let* rs := mapEach (fun _ => fresh_) (repeat tt count) in
         let d := Definition_ k args rs in
         let* _ := record_ d in
         let* _ := introduce d 0 (definitionFacts d) in ret rs) s
      else None
  end.

Definition quotient (a d : poly) : gen (poly * poly) :=
  let* rs := define_ Quotient [a; d] 2 in
  match rs with [q; r] => ret (variable q, variable r) | _ => fail end.

(* Quotient and rest, under the facts `d - 1 >= 0` and `a >= 0`. *)
Definition divide (a d : poly) : gen (poly * poly) :=
  match constantOf a, constantOf d with
  | _, Some 1 => ret (a, [])
  | Some x, Some y =>
      if (0 <=? x) && (0 <? y) then ret (constant (x / y), constant (x mod y))
      else quotient a d
  | _, _ => quotient a d
  end.

Definition select (c a b : poly) : gen poly :=
  if eqPoly a b then ret a
  else match constantOf c with
       | Some x => ret (if 0 <=? x then a else b)
       | None =>
           let* rs := define_ Definitions.Select [c; a; b] 1 in
           match rs with [m] => ret (variable m) | _ => fail end
       end.

Definition wrapped (e : poly) (bits : Z) : gen poly :=
  if match constantOf e with Some c => fitsb bits c | None => false end
  then ret e
  else let* rs := define_ Wrap [e; constant bits] 2 in
       match rs with v :: _ => ret (variable v) | _ => fail end.

(* A variable that equals e; e itself when it is a constant. *)
Definition aliased (e : poly) : gen poly :=
  match constantOf e with
  | Some _ => ret e
  | None =>
      let* rs := define_ Name [e] 1 in
      match rs with [v] => ret (variable v) | _ => fail end
  end.

(* Conditions: comparisons of polynomials under and, or. *)

Inductive cond :=
  | Unknown
  | AtLeastZero (p : poly)
  | IsZero (p : poly)
  | Both (a b : cond)
  | Either (a b : cond).

Fixpoint comparisons (c : cond) : N :=
  match c with
  | Both a b | Either a b => comparisons a + comparisons b
  | _ => 1
  end.
Definition small (a b : cond) : bool :=
  (comparisons a + comparisons b <=? 256)%N.
Definition both (a b : cond) : cond :=
  if small a b then Both a b else Unknown.
Definition either (a b : cond) : cond :=
  if small a b then Either a b else Unknown.

Fixpoint negated (c : cond) : cond :=
  match c with
  | Unknown => Unknown
  | AtLeastZero p => AtLeastZero (below p)
  | IsZero p => either (AtLeastZero (below p)) (AtLeastZero (plus p (-1)))
  | Both a b => either (negated a) (negated b)
  | Either a b => both (negated a) (negated b)
  end.

(* Alternatives of which one holds whole; None when they are too many. *)
Fixpoint alternatives (c : cond) : option fact :=
  match c with
  | Unknown => Some [[]]
  | AtLeastZero p => Some (GeZ p)
  | IsZero p => Some (EqZ p)
  | Either a b =>
      match alternatives a, alternatives b with
      | Some x, Some y =>
          if (length x + length y <=? 64)%nat then Some (x ++ y) else None
      | _, _ => None
      end
  | Both a b =>
      match alternatives a, alternatives b with
      | Some x, Some y =>
          if (length x * length y <=? 64)%nat
          then Some (flat_map (fun l => map (app l) y) x) else None
      | _, _ => None
      end
  end.

Fixpoint condFacts (c : cond) : list fact :=
  match c with
  | Both a b => condFacts a ++ condFacts b
  | _ =>
      match alternatives c with
      | Some [l] => map (fun a => [[a]]) l
      | Some alts =>
          if forallb (fun l => match l with [] => false | _ => true end) alts
          then [alts] else []
      | None => []
      end
  end.

Fixpoint isKnown (c : cond) : bool :=
  match c with
  | Unknown => false
  | AtLeastZero _ | IsZero _ => true
  | Both a b | Either a b => isKnown a && isKnown b
  end.
Fixpoint isExact (c : cond) : bool :=
  match c with
  | Both a b => isExact a && isExact b
  | _ => isKnown c && match alternatives c with Some _ => true | None => false
                      end
  end.

Definition ofComparison (c : comparison) (a b : poly) : cond :=
  match c with
  | Eq => IsZero (sub a b)
  | Ne => negated (IsZero (sub a b))
  | Lt => AtLeastZero (plus (sub b a) (-1))
  | Le => AtLeastZero (sub b a)
  | Gt => AtLeastZero (plus (sub a b) (-1))
  | Ge => AtLeastZero (sub a b)
  end.

(* c ? a : b as a polynomial; None when c is not known. *)
Fixpoint choice (c : cond) (a b : poly) : gen (option poly) :=
  match c with
  | Unknown => ret None
  | AtLeastZero p => let* x := select p a b in ret (Some x)
  | IsZero p =>
      let* low := select (neg p) a b in
      let* x := select p low b in ret (Some x)
  | Both l r =>
      let* inner := choice r a b in
      match inner with Some x => choice l x b | None => ret None end
  | Either l r =>
      let* inner := choice r a b in
      match inner with Some x => choice l a x | None => ret None end
  end.

(* Owes a condition, part by part; of an equality both halves. Of alternatives
   a number says that one holds. *)
Fixpoint proveCond (r : rule) (c : cond) : gen unit :=
  match c with
  | Both a b => let* _ := proveCond r a in proveCond r b
  | AtLeastZero p => emit r p true
  | IsZero p => let* _ := emit r p true in emit r (neg p) true
  | Unknown | Either _ _ =>
      let* one := choice c (constant 1) [] in
      match one with
      | Some x => emit r (plus x (-1)) true
      | None => emit r (constant (-1)) false
      end
  end.

(* The negation of an alternative: some atom in it fails. *)
Definition refusal (alternative : list atom) : fact :=
  flat_map (fun a =>
    [Atom false (below (Cert.body a))] ::
    (if equality a then [[Atom false (plus (Cert.body a) (-1))]] else []))
    alternative.
