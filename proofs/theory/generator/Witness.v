(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Outputs: every element has a block and trip numbers that write it. They are
   read off the kernel by solving the claim's tile indices for them; that they
   are right is then an obligation. The functions of checker/generate/Coverage.cpp. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export Pairs.
Import ListNotations.
Open Scope Z_scope.

Definition hasVar (v : var) (l : list var) : bool := existsb (Pos.eqb v) l.

(* p = coefficient * v + rest, when v occurs in no higher power. *)
Fixpoint linear_ (v : var) (p : poly) : option (poly * poly) :=
  match p with
  | [] => Some ([], [])
  | (m, c) :: p' =>
      match linear_ v p' with
      | None => None
      | Some (w, wo) =>
          let others := filter (fun u => negb (Pos.eqb u v)) m in
          match (length m - length others)%nat with
          | O => Some (w, add [(m, c)] wo)
          | S O => Some (add [(others, c)] w, wo)
          | _ => None
          end
      end
  end.

(* The value of v where p = 0, when v has the coefficient 1 or -1. *)
Definition solution (v : var) (p : poly) : option poly :=
  match linear_ v p with
  | Some (c, rest) =>
      match constantOf c with
      | Some 1 => Some (neg rest)
      | Some (-1) => Some rest
      | _ => None
      end
  | None => None
  end.

(* What is known of block ids, trips and results of definitions. *)
Record inversion := Inversion
  { found : var -> bool; (* loaded and carried: no witness speaks of it *)
    unknowns_ : PositiveMap.t unit;
    solved : list (var * poly); (* by number *)
    equations : list poly; (* each is 0 *)
    pending : list definition }.

Fixpoint insertSolved (v : var) (x : poly) (l : list (var * poly))
  : list (var * poly) :=
  match l with
  | [] => [(v, x)]
  | (u, y) :: l' =>
      if (v =? u)%positive then (v, x) :: l'
      else if (v <? u)%positive then (v, x) :: l
      else (u, y) :: insertSolved v x l'
  end.
Definition solvedAs (i : inversion) (v : var) : option poly :=
  option_map snd (find (fun s => Pos.eqb v (fst s)) (solved i)).
Definition withSolved (i : inversion) (v : var) (x : poly) : inversion :=
  Inversion (found i) (unknowns_ i) (insertSolved v x (solved i))
    (equations i) (pending i).
Definition withEquation (i : inversion) (p : poly) : inversion :=
  Inversion (found i) (unknowns_ i) (solved i) (equations i ++ [p]) (pending i).

Definition inserted (i : inversion) (p : poly) : poly :=
  fold_left (fun p s => subst (fst s) (snd s) p) (solved i) p.
Definition unknownsOf (i : inversion) (p : poly) : list var :=
  fold_left (fun l v =>
      if PositiveMap.mem v (unknowns_ i) && negb (hasVar v l) then l ++ [v]
      else l) (variables p) [].
Definition speaksOfFound (i : inversion) (p : poly) : bool :=
  existsb (found i) (variables p).

(* Definitions of a witness are over what the launch determines, the element,
   and other such definitions. *)
Definition isSettled (i : inversion) (p : poly) : bool :=
  negb (speaksOfFound i p) &&
  match unknownsOf i p with [] => true | _ => false end.
Definition settled (i : inversion) (p : poly) : gen unit :=
  check (isSettled i p).

(* Solves p = 0 for its only unknown. *)
Definition one_ (i : inversion) (p : poly) : gen (option inversion) :=
  ret match unknownsOf i p with
      | [] => Some i (* nothing to solve for: the final goals decide *)
      | [v] =>
          if speaksOfFound i p then None
          else option_map (withSolved i v) (solution v p)
      | _ => None
      end.

(* For two unknowns that are the digits of a number: x + y * s = n gives
   x = n mod s and y = n div s. *)
Definition digits (i : inversion) (p : poly) (x y : var)
  : gen (option inversion) :=
  match solution x p with
  | None => ret None
  | Some low =>
      match linear_ y (neg low) with
      | None => ret None
      | Some (scale, rest) =>
          let number := neg rest in
          if match unknownsOf i scale with [] => false | _ => true end ||
             forallb (fun t => snd t <? 0) scale
          then ret None
          else
            let* _ := settled i scale in
            let* _ := settled i number in
            let* _ := emit OutCovered (plus scale (-1)) true in
            let* _ := emit OutCovered number true in
            let* (q, r) := divide number scale in
            ret (Some (withSolved (withSolved i x r) y q))
      end
  end.

Definition two_ (i : inversion) (p : poly) : gen (option inversion) :=
  match unknownsOf i p with
  | [x; y] =>
      if speaksOfFound i p then ret None
      else
        let* first := digits i p x y in
        match first with
        | Some i' => ret (Some i')
        | None => digits i p y x
        end
  | _ => ret None
  end.

(* c(x) >= 0 ? a(x) : b(x) is the value for x from a, if x >= 0 and c(x) >= 0
   hold there, else for x from b: blocks and trips are counted from 0. *)
Definition undoSelect (i : inversion) (c a b value : poly)
  : gen (option inversion) :=
  let a := inserted i (sub a value) in
  let b := inserted i (sub b value) in
  match unknownsOf i a, unknownsOf i b with
  | [x], [y] =>
      match Pos.eqb x y, solution x a, solution x b with
      | true, Some fromA, Some fromB =>
          let c := subst x fromA (inserted i c) in
          if match unknownsOf i c with [] => false | _ => true end ||
             speaksOfFound i c || speaksOfFound i a || speaksOfFound i b
          then ret None
          else
            let* _ := settled i fromA in
            let* _ := settled i fromB in
            let* inner := select c fromA fromB in
            let* outer := select fromA inner fromB in
            ret (Some (withSolved i x outer))
      | _, _, _ => ret None
      end
  | _, _ => ret None
  end.

(* From the results of a definition, once they are known, to its arguments. How
   often a value wraps is not asked: a witness does not wrap. *)
Definition undo (i : inversion) (d : definition) : gen (option inversion) :=
  match Definitions.kind_ d, Definitions.arguments d, results d with
  | Quotient, [a; by_], [q; r] =>
      ret match solvedAs i q, solvedAs i r with
          | Some q, Some r =>
              Some (withEquation i (sub a (add (mul q by_) r)))
          | _, _ => None
          end
  | Wrap, a :: _, v :: _ | Name, a :: _, v :: _ =>
      ret match solvedAs i v with
          | Some x => Some (withEquation i (sub a x))
          | None => None
          end
  | Definitions.Select, [c; a; b], [m] =>
      match solvedAs i m with
      | Some x => undoSelect i c a b x
      | None => ret None
      end
  | _, _, _ => ret None
  end.

(* From the arguments of a definition, once they are known, to its results. *)
Definition evaluate (i : inversion) (d : definition)
  : gen (option inversion) :=
  let done := match results d with
              | v :: _ =>
                  match solvedAs i v with Some _ => true | _ => false end
              | [] => true
              end in
  let args := map (inserted i) (Definitions.arguments d) in
  let open p := speaksOfFound i p ||
                match unknownsOf i p with [] => false | _ => true end in
  if done || existsb open args then ret None
  else
    match Definitions.kind_ d, args, results d with
    | Quotient, [a; by_], [q; r] =>
        let* _ := settled i a in
        let* _ := settled i by_ in
        let* _ := emit OutCovered (plus by_ (-1)) true in
        let* _ := emit OutCovered a true in
        let* (x, y) := divide a by_ in
        ret (Some (withSolved (withSolved i q x) r y))
    | Definitions.Select, [c; a; b], [m] =>
        let* _ := settled i c in
        let* _ := settled i a in
        let* _ := settled i b in
        let* x := select c a b in ret (Some (withSolved i m x))
    | Name, [a], [v] => ret (Some (withSolved i v a))
    | _, _, _ => ret None
    end.

(* The first item for which `use` succeeds, taken out of the list. *)
Fixpoint any {A} (use : A -> gen (option inversion)) (before l : list A)
  : gen (option (inversion * list A)) :=
  match l with
  | [] => ret None
  | x :: l' =>
      let* r := use x in
      match r with
      | Some i => ret (Some (i, rev before ++ l'))
      | None => any use (x :: before) l'
      end
  end.

Definition withoutEquations (i : inversion) (l : list poly) : inversion :=
  Inversion (found i) (unknowns_ i) (solved i) l (pending i).
Definition withInverted (i : inversion) (l : list definition) : inversion :=
  Inversion (found i) (unknowns_ i) (solved i) (equations i) l.

(* Digits come last: what looks like two of them may have one that another
   equation determines. Forwards only where the inverse of a map guides. *)
Definition solveStep (guided : bool) (i : inversion)
  : gen (option inversion) :=
  let* r := any (fun p => one_ i (inserted i p)) [] (equations i) in
  match r with
  | Some (i', l) => ret (Some (withoutEquations i' l))
  | None =>
      let* r := any (undo i) [] (pending i) in
      match r with
      | Some (i', l) => ret (Some (withInverted i' l))
      | None =>
          let* r := any (if guided then evaluate i else fun _ => ret None) []
                      (pending i) in
          match r with
          | Some (i', l) => ret (Some (withInverted i' l))
          | None =>
              let* r := any (fun p => two_ i (inserted i p)) [] (equations i) in
              match r with
              | Some (i', l) => ret (Some (withoutEquations i' l))
              | None => ret None
              end
          end
      end
  end.

Fixpoint solve_ (guided : bool) (fuel : nat) (i : inversion)
  : gen inversion :=
  match fuel with
  | O => ret i
  | S fuel' =>
      let* r := solveStep guided i in
      match r with Some i' => solve_ guided fuel' i' | None => ret i end
  end.

(* An expression of a covers clause, over the indices of a tile; the
   obligations of its divisions come before their use. *)
Fixpoint clauseExpression (i : inversion) (names : list (string * poly))
  (vars : list (string * (var * element))) (e : expr) : gen poly :=
  match e with
  | Const x => ret (constant x)
  | Sym name =>
      let* p := given match find (fun s => String.eqb name (fst s)) names with
                      | Some s => Some (snd s)
                      | None => option_map (fun s => variable (fst s))
                                  (symbolOf_ vars name)
                      end in
      let* _ := settled i p in ret p
  | Expr f l r =>
      let* a := clauseExpression i names vars l in
      let* b := clauseExpression i names vars r in
      let up := plus (add a b) (-1) in
      let ratio (rounded : bool) :=
        let* _ := emit OutCovered (plus b (-1)) true in
        let* _ := emit OutCovered a true in
        if rounded then
          if eqPoly up a then divide a b
          else let* _ := emit OutCovered up true in divide up b
        else divide a b in
      match f with
      | Add => ret (add a b)
      | Sub => ret (sub a b)
      | Mul => ret (mul a b)
      | Div => let* qr := ratio false in ret (fst qr)
      | CeilDiv => let* qr := ratio true in ret (fst qr)
      | Rem => let* qr := ratio false in ret (snd qr)
      | Min => select (sub b a) a b
      | Max => select (sub a b) a b
      | And | Or | Xor => fail
      end
  end.

(* Block ids, trips and lanes, from a clause or found. What a clause leaves
   out, the lanes of a scatter, is solved for. *)
Definition witnessOf (clause : option cover) (names : list poly)
  (vars : list (string * (var * element))) (guided : bool)
  (wanted : list var) (start : inversion) : gen inversion :=
  match clause with
  | Some c =>
      let* vs := mapEach (clauseExpression start
                            (combine (indexNames c) names) vars)
                   (byBlock c ++ byTrips c) in
      let i := fold_left (fun i s => withSolved i (fst s) (snd s))
                 (combine wanted vs) start in
      if (length vs <? length wanted)%nat
      then solve_ guided (length (equations i) + 2 * length (pending i)) i
      else ret i
  | None =>
      let* i := solve_ guided
                  (length (equations start) + 2 * length (pending start)) start
      in
      let* _ := check (match equations i with [] => true | _ => false end ||
                       guided &&
                       forallb (fun v => match solvedAs i v with
                                         | Some _ => true
                                         | None => false
                                         end) wanted) in
      ret i
  end.

Section Cover.

Context (h : header) (launch_ : list scoped) (from until : var).

Definition sinceLaunch (fs : list scoped) : list scoped :=
  skipn (length launch_) (rev fs).

Definition startInversion (constants : PositiveMap.t unit) (w : write)
  : inversion :=
  let ds := flat_map (fun f =>
      match reason_ f with
      | ByDefinition d 0 =>
          match results d with
          | v :: _ => if PositiveMap.mem v constants then [] else [d]
          | [] => []
          end
      | _ => []
      end) (sinceLaunch (writeFacts w)) in
  let unknowns := fold_left (fun m v => PositiveMap.add v tt m)
    (idVars h ++ trips w ++ flat_map results ds) (PositiveMap.empty unit) in
  Inversion
    (fun v => (from <=? v)%positive && (v <? until)%positive &&
              negb (PositiveMap.mem v constants) &&
              negb (PositiveMap.mem v unknowns))
    unknowns [] [] ds.

(* Equalities that are proved at the store, each as two halves, one after the
   other: what the inverse of a map says of its arguments. *)
Fixpoint provedEqualities (fs : list scoped) : list poly :=
  match fs with
  | f :: rest =>
      match reason_ f, claims f, rest with
      | ByProof _ _, [[a]], g :: _ =>
          match reason_ g, claims g with
          | ByProof _ _, [[b]] =>
              if eqPoly (Cert.body a) (neg (Cert.body b)) then [Cert.body a]
              else []
          | _, _ => []
          end
      | _, _, _ => []
      end ++ provedEqualities rest
  | [] => []
  end.

(* Any element of the tensor. *)
Definition assumeElement (extents : list poly) : gen (list poly) :=
  mapEach (fun e =>
    let* v := fresh_ in
    let x := variable v in
    let* _ := because Region (GeZ x) in
    let* _ := because Region (GeZ (sub (plus e (-1)) x)) in
    ret x) extents.

(* True when the fact itself is in scope afterwards. *)
Definition emitFact (f : fact) : gen bool :=
  match f with
  | [[a]] =>
      let* _ := emit OutCovered (Cert.body a) true in
      let* _ := (if equality a
                 then emit OutCovered (neg (Cert.body a)) true else ret tt) in
      ret (negb (equality a) &&
           match constantOf (Cert.body a) with None => true | _ => false end)
  | _ =>
      let* before := visible in
      let* _ := forEach (fun b => because Path (refusal b)) f in
      let* _ := emit OutCovered (constant (-1)) false in
      let* _ := release before in ret false
  end.

Definition isConstant (constants : PositiveMap.t unit) (f : scoped) : bool :=
  match reason_ f with
  | Because _ => false
  | _ => speaksOf constants (factVariables (claims f))
  end.

(* A definition says what it says where its needs stand, as for the judge. *)
Definition grounded (among : list scoped) (f : scoped) : bool :=
  match reason_ f with
  | ByDefinition d _ =>
      forallb (fun n => isTrivial n || stands n (map claims among))
        (definitionNeeds d)
  | _ => true
  end.

(* What the launch determines comes first: the witness may speak of it. *)
Definition introduceConstants (constants : PositiveMap.t unit)
  (fs : list scoped) : gen unit :=
  forEach (fun f =>
    if isConstant constants f then
      match reason_ f with
      | ByProof _ _ => let* _ := emitFact (claims f) in ret tt
      | _ =>
          let* among := visible in
          let* _ := check (grounded among f) in append f
      end
    else ret tt) (sinceLaunch fs).

Definition tileOfElement (x : poly) (t : Z) : gen poly :=
  if t =? 1 then ret x
  else
    let* _ := emit OutCovered (constant (t - 1)) true in
    let* _ := emit OutCovered x true in
    let* qr := divide x (constant t) in ret (fst qr).

Definition named (i : inversion) (v : var) : gen unit :=
  let value := match solvedAs i v with Some x => x | None => [] end in
  let* _ := settled i value in
  introduce (Definition_ Name [value] [v]) 0
    (definitionFacts (Definition_ Name [value] [v])).

(* The facts at the store, now for the witness: what the launch, the loops and
   the branches demand becomes an obligation, the rest follows as it did there. *)
Fixpoint replayFacts (constants : PositiveMap.t unit) (literal : bool)
  (fs : list scoped) : gen unit :=
  match fs with
  | [] => ret tt
  | f :: fs' =>
      if isConstant constants f then replayFacts constants literal fs'
      else
        let* literal' :=
          match reason_ f with
          | Because InGrid | Because Loop | Because Path =>
              let* l := emitFact (claims f) in ret (literal && l)
          | ByProof _ _ =>
              let* _ := (if literal then append f
                         else let* _ := emitFact (claims f) in ret tt) in
              ret literal
          | _ => let* _ := append f in ret literal
          end in
        replayFacts constants literal' fs'
  end.

(* Coordinates in a view, from those in its root. *)

(* The digits of a number, last one first. *)
Fixpoint peel (ask : poly -> gen unit) (rest : poly)
  (factors digits : list poly) : gen (list poly) :=
  match factors with
  | [] => ret (rest :: digits)
  | f :: factors' =>
      let* _ := ask f in
      let* _ := emit OutCovered (plus f (-1)) true in
      let* _ := emit OutCovered rest true in
      let* (q, r) := divide rest f in peel ask q factors' (r :: digits)
  end.

Fixpoint undoSteps (ask : inversion -> poly -> gen unit) (i : inversion)
  (way : list (viewStep poly)) (at_ : list poly)
  : gen (inversion * list poly) :=
  match way with
  | [] => ret (i, at_)
  | Slice offsets _ :: way' =>
      undoSteps ask i way'
        (map (fun a => sub (fst a) (snd a)) (combine at_ offsets))
  | Permute axes :: way' => undoSteps ask i way' (pick at_ axes)
  | Unfold axis factors :: way' =>
      let* x := given (nth_error at_ axis) in
      let* _ := ask i x in
      let* ds := peel (ask i) x (rev (tl factors)) [] in
      undoSteps ask i way' (instead at_ axis ds)
  | FixAt axis y :: way' =>
      let* x := given (nth_error at_ axis) in
      undoSteps ask (withEquation i (sub y x)) way' (instead at_ axis [])
  end.

(* Where a clause gives the block, coordinates are computed at the store, and
   may depend on what the block finds on its way. *)
Definition clausePlace (clause : option cover) (i : inversion)
  (way : list (viewStep poly)) (element inView : list poly)
  : gen (list poly) :=
  match clause, way with
  | Some _, _ :: _ =>
      let* r := undoSteps (fun _ _ => ret tt) i way element in ret (snd r)
  | _, _ => ret inView
  end.

(* The tile index of the claim is that of the tile that holds the element. An
   axis waits for the others where they decide the block. *)
Fixpoint equateClosed (i : inversion) (axes : list (poly * (Z * poly)))
  : gen (inversion * list (poly * (Z * poly))) :=
  match axes with
  | [] => ret (i, [])
  | (x, (t, index)) :: axes' =>
      if (t =? 1) || isSettled i x then
        let* y := tileOfElement x t in
        equateClosed (withEquation i (sub index y)) axes'
      else
        let* (i', open) := equateClosed i axes' in
        ret (i', (x, (t, index)) :: open)
  end.

(* The view begins at a place that the block decides. Where that is a number of
   whole tiles, so many tiles further; else the lane is one more unknown. *)
Definition equateOpen (i : inversion) (axis : poly * (Z * poly))
  : gen inversion :=
  let '(x, (t, index)) := axis in
  let x := inserted i x in
  if (t =? 1) || isSettled i x then
    let* y := tileOfElement x t in ret (withEquation i (sub index y))
  else
    let isOpen := fun term =>
      match unknownsOf i [term] with [] => false | _ => true end in
    let open := filter isOpen x in
    if negb (speaksOfFound i x) &&
       forallb (fun term => snd term mod t =? 0) open
    then
      let closed := filter (fun term => negb (isOpen term)) x in
      let* _ := settled i closed in
      let* y := tileOfElement closed t in
      ret (withEquation i
             (sub (sub index (map (fun term => (fst term, snd term / t)) open))
                y))
    else
      let* v := fresh_ in
      let i := Inversion (found i) (PositiveMap.add v tt (unknowns_ i))
                 (solved i) (equations i) (pending i) in
      ret (withEquation i
             (sub (add (mul index (constant t)) (variable v)) x)).

Fixpoint equateAll (i : inversion) (axes : list (poly * (Z * poly)))
  : gen inversion :=
  match axes with
  | [] => ret i
  | a :: axes' => let* i := equateOpen i a in equateAll i axes'
  end.

Definition solveAll (guided : bool) (i : inversion) : gen inversion :=
  solve_ guided (length (equations i) + 2 * length (pending i)) i.

(* Block ids and trips for a store through a view, and the element's coordinates
   in it. *)
Definition witnessOfView (way : list (viewStep poly))
  (tiles : list (Z * poly)) (guided : bool) (wanted : list var)
  (start : inversion) (element : list poly) : gen (inversion * list poly) :=
  let* (i, inView) := undoSteps settled start way element in
  let* (i, open) := equateClosed i (combine inView tiles) in
  let* i := solveAll guided i in
  let* i := equateAll i open in
  let* i := witnessOf None [] [] guided wanted i in
  ret (i, inView).

Definition inTileEmitted (a : poly * (Z * poly)) : gen unit :=
  let '(x, (t, index)) := a in
  let low := mul index (constant t) in
  let* _ := emit OutCovered (sub x low) true in
  emit OutCovered (sub (plus low (t - 1)) x) true.

(* The element is one of the view, and in the tile. *)
Definition inViewEmitted (v : view poly) (element inView : list poly)
  (tiles : list (Z * poly)) : gen unit :=
  let* _ := forEach (fun a =>
      let rest := sub (fst a) (snd a) in
      let* _ := emit OutCovered rest true in emit OutCovered (neg rest) true)
    (combine element (placePoly v inView)) in
  forEach (fun a =>
      let* _ := inTileEmitted (snd a) in
      emit OutCovered (sub (plus (fst a) (-1)) (fst (snd a))) true)
    (combine (extents_ v) (combine inView tiles)).

Definition tilesOf (st : site) : list (Z * poly) :=
  combine (tileExtents (places st)) (indices st).

(* Block ids and trips for a store, and the element's coordinates in what it
   is a tile of; `start` has what is proved at the store. A clause speaks of a
   tile of the tensor, and through a view of the element: its coordinates there
   are left to `toldPlace`. *)
Definition witnessOfStore (st : site) (clause : option cover)
  (vars : list (string * (var * element))) (guided : bool)
  (wanted : list var) (start : inversion) (element : list poly)
  : gen (inversion * list poly) :=
  match steps st, clause with
  | [], _ =>
      let axes := combine element (tilesOf st) in
      let* ys := mapEach (fun a => tileOfElement (fst a) (fst (snd a))) axes in
      let start := withoutEquations start
        (equations start ++
         map (fun a => sub (snd (snd (fst a))) (snd a)) (combine axes ys)) in
      let* i := witnessOf clause ys vars guided wanted start in
      ret (i, element)
  | _, Some _ =>
      let* i := witnessOf clause element vars guided wanted start in
      ret (i, element)
  | way, None => witnessOfView way (tilesOf st) guided wanted start element
  end.

Definition landing (st : site) (element inView : list poly) : gen unit :=
  match steps st with
  | [] => forEach inTileEmitted (combine element (tilesOf st))
  | _ => inViewEmitted (seen st) element inView (tilesOf st)
  end.

(* The obligations of one store, if its equations can be solved. Its indices are
   from the walk over the body: what coverage introduces is no part of them. *)
Definition coverOne (extents : list poly) (clause : option cover) (w : write)
  : gen unit :=
  let* element := assumeElement extents in
  let constants := launchConstants from (rev (writeFacts w)) in
  let* _ := introduceConstants constants (writeFacts w) in
  let st := through w in
  let rank := length (extents_ (seen st)) in
  let* _ := check (Nat.eqb (length (tileExtents (places st))) rank &&
                   Nat.eqb (length (indices st)) rank &&
                   Nat.eqb (length (origin (seen st))) (length extents) &&
                   forallb (polyBelow until) (indices st) &&
                   siteBelow until extents st) in
  let proved := provedEqualities (sinceLaunch (writeFacts w)) in
  let guided := match proved with [] => false | _ => true end in
  let start := withoutEquations (startInversion constants w) proved in
  let* (i, inView) := witnessOfStore st clause (symbolVars h) guided
                        (idVars h ++ trips w) start element in
  let* _ := forEach (named i) (idVars h ++ trips w) in
  let* _ := replayFacts constants true (sinceLaunch (writeFacts w)) in
  let* inView := clausePlace clause i (steps st) element inView in
  let* _ := check (Nat.eqb (length inView) rank) in
  landing st element inView.

(* A clause speaks of stores with as many loops around them. *)
Definition meetsClause (clause : option cover) (w : write) : bool :=
  match clause with
  | Some c => Nat.eqb (length (byBlock c)) (length (idVars h)) &&
              Nat.eqb (length (byTrips c)) (length (loops w))
  | None => true
  end.

Fixpoint coverBy (extents : list poly) (clause : option cover) (ws : list write)
  : gen unit := fun s =>
  match ws with
  | [] =>
      (let* _ := assumeElement extents in
       emit OutCovered (constant (-1)) false) s
  | w :: ws' =>
      if certain w && meetsClause clause w then
        match coverOne extents clause w s with
        | Some r => Some r
        | None => coverBy extents clause ws' s
        end
      else coverBy extents clause ws' s
  end.

(* A store under no condition. *)
Definition isUnconditional (w : write) : bool :=
  forallb (fun f => match reason_ f with Because Path => false | _ => true end)
    (writeFacts w).

(* The stores that may cover an output: first those under no condition, each in
   the order of the text. *)
Definition candidates (number : nat) (ws : list write) : list write :=
  let those := filter (fun w => Nat.eqb (root (seen (through w))) number) ws in
  filter isUnconditional those ++
  filter (fun w => negb (isUnconditional w)) those.

Fixpoint walkOutputs (number : nat) (args : list argument) (ws : list write)
  : gen unit :=
  match args with
  | [] => ret tt
  | a :: args' =>
      let* _ :=
        match a with
        | TensorArg t =>
            match mode_ t with
            | Out false =>
                let* es := given (extentPolys (symbolVars h) t) in
                let* _ := release launch_ in
                let* _ := coverBy es
                  (find (fun c => Nat.eqb (covered c) number)
                     (covers (kernel_ h)))
                  (candidates number ws) in
                release launch_
            | _ => ret tt
            end
        | FloatArg _ => ret tt
        end in
      walkOutputs (S number) args' ws
  end.

End Cover.
