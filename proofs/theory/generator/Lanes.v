(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Vectors of integers and of conditions as functions of the lane. An op that
   needs facts of its lanes asks for one at any place, and the ops that led to
   it are followed back from there. The functions of Lanes.cpp and LaneAccess.cpp
   in checker/generate. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export Types.
Import ListNotations.
Open Scope Z_scope.

Section Lanes.

Context (h : header).

Local Notation unknown := (unknown h).
Local Notation walkOp := (walkOp h).
Local Notation tensorPolys := (tensorPolys h).

(* Its facts go with it. *)
Definition within {A} (g : gen A) : gen A :=
  let* outside := visible in
  let* a := g in
  let* _ := release outside in ret a.

(* Numbers along axes differ on some axis; of what is alike the first one has
   the smaller number on the first axis on which they differ. *)
Fixpoint differ (symmetric : bool) (sofar : list atom) (gaps : list poly)
  : fact :=
  match gaps with
  | [] => []
  | gap :: gaps' =>
      (sofar ++ [Atom false (plus gap (-1))]) ::
      (if symmetric then [] else [sofar ++ [Atom false (below gap)]]) ++
      differ symmetric (sofar ++ [Atom true gap]) gaps'
  end.

(* Any lane of a vector; along an axis of one it has the number 0. *)
Definition anyLane : list Z -> gen (list poly) :=
  mapEach (fun extent =>
    if extent =? 1 then ret []
    else
      let* v := fresh_ in
      let* _ := because Loop (GeZ (variable v)) in
      let* _ := because Loop (GeZ (sub (constant (extent - 1)) (variable v))) in
      ret (variable v)).

(* What one op has found out of lanes, and how many it looked at: there is an
   end to what it asks for. *)
Record reading := Reading
  { recalled : list (Syntax.var * list poly * poly); visits : N }.
Definition noReading : reading := Reading [] 0.
Definition maxDepth : nat := 64.
Definition maxVisits : N := 128.

Definition recall (v : Syntax.var) (at_ : list poly) (r : reading)
  : option poly :=
  option_map snd
    (find (fun k => Pos.eqb v (fst (fst k)) && eqList eqPoly at_ (snd (fst k)))
       (recalled r)).
Definition remember (v : Syntax.var) (at_ : list poly) (m : meaning)
  (r : reading) : reading :=
  match m with
  | Number p => Reading ((v, at_, p) :: recalled r) (visits r)
  | _ => r
  end.

(* What is not followed, though an op made it. *)
Definition isLost (one : type) (o : op) : bool :=
  match o with
  | Binary (And | Or | Xor) _ _ => isInteger one
  | Binary _ _ _ | Cast _ _ _ => isTruth one
  | _ => false
  end.

(* An op on one lane whose operands have their lanes. That an `index` fits was
   an obligation where the vector was made. *)
Definition laneOp (n : names) (one : type) (o : op) : gen entry :=
  match lanes one, o with
  | _, Constant x =>
      ret (Val one (if isTruth one
                    then Truth (AtLeastZero
                                  (if x =? 0 then constant (-1) else []))
                    else Number (constant x)))
  | Index, Binary f a b =>
      let sum (p : poly -> poly -> poly) :=
        let* x := numberOf n Index a in
        let* y := numberOf n Index b in
        if overflows (p x y) then unknown one
        else ret (Val one (Number (p x y))) in
      match f with
      | Add => sum add
      | Sub => sum sub
      | Mul => sum product_
      | _ => walkOp n one o
      end
  | Index, Cast false (Int b) a =>
      let* x := numberOf n (Int b) a in
      if b =? 1 then fail else ret (Val one (Number x))
  | _, _ => walkOp n one o
  end.

Definition laneOfEntry (e : entry) : gen (type * meaning) :=
  match e with Val t m => ret (t, m) | _ => fail end.

Definition laneUnknown (one : type) (r : reading)
  : gen (type * meaning * reading) :=
  let* e := unknown one in
  let* (t, m) := laneOfEntry e in ret (t, m, r).

(* Operands take the values of their lanes. *)
Definition bindLanes (n : names) (l : list (Syntax.var * (type * meaning)))
  : names :=
  fold_left (fun n vm => bindName n (fst vm) (Val (fst (snd vm))
                                                (snd (snd vm)))) l n.

(* Lanes of another shape. Axes go together as far as they must, so that those
   that stay have no division: how many of each shape. *)
Fixpoint together (fuel : nat) (have want : Z) (from to : list Z) (i j : nat)
  : nat * nat :=
  match fuel with
  | O => (i, j)
  | S fuel' =>
      let '(have, want, from, to, i, j) :=
        match from, to with
        | [], d :: to' => (have, want * d, from, to', i, S j)
        | d :: from', [] => (have * d, want, from', to, S i, j)
        | d :: from', d' :: to' =>
            if want <=? have then (have, want * d', from, to', i, S j)
            else (have * d, want, from', to, S i, j)
        | [], [] => (have, want, from, to, i, j)
        end in
      if have =? want then (i, j) else together fuel' have want from to i j
  end.

(* The number of a lane among all of a shape; and its numbers along axes, of
   which the last one comes first. *)
Fixpoint numberOfLane (p : poly) (sh : list Z) (at_ : list poly) : poly :=
  match sh, at_ with
  | d :: sh', x :: at_' =>
      numberOfLane (add (mul p (constant d)) x) sh' at_'
  | _, _ => p
  end.
Fixpoint alongAxes (sh : list Z) (number : poly) : gen (list poly) :=
  match sh with
  | [] => ret []
  | d :: sh' =>
      let* (number, x) :=
        (if d =? 1 then ret (number, [])
         else if volume sh' =? 1 then ret ([], number)
         else let* _ := emit IndexDivision number true in
              divide number (constant d)) in
      let* xs := alongAxes sh' number in ret (xs ++ [x])
  end.
Fixpoint recast (fuel : nat) (from to : list Z) (at_ : list poly)
  : gen (list poly) :=
  match fuel with
  | O => fail
  | S fuel' =>
      match from, to with
      | [], [] => ret []
      | _, _ =>
          let (i, j) := together (length from + length to) 1 1 from to 0 0 in
          let* _ := check (volume (firstn i from) =? volume (firstn j to)) in
          let* xs := alongAxes (rev (firstn i from))
                       (numberOfLane [] (firstn j to) (firstn j at_)) in
          let* ys := recast fuel' (skipn i from) (skipn j to) (skipn j at_) in
          ret (xs ++ ys)
      end
  end.

(* What is given of the element that a lane was read from holds of the lane,
   unless it has the padding: then one of these holds, and it is that. *)
Definition givenOfLane (padded : fact) (padding : Z) (p : poly)
  (c : content poly) : list fact :=
  let outside :=
    map (fun way => way ++ [Atom true (plus p (- padding))]) padded in
  match c with
  | Within low high =>
      [outside ++ [[Atom false (sub p low);
                    Atom false (sub (plus high (-1)) p)]]]
  | Splits last => [outside ++ [[Atom false p; Atom false (sub last p)]]]
  | Sorted | AllDistinct => []
  end.

(* The axes of a tile that vectors have: extent, index, tile, and lane. *)
Fixpoint tiledAxes {A} (tile : list (option Z)) (es is_ at_ : list A)
  : list (A * (A * (Z * A))) :=
  match tile, es, is_, at_ with
  | Some t :: tile', e :: es', i :: is_', x :: at_' =>
      (e, (i, (t, x))) :: tiledAxes tile' es' is_' at_'
  | None :: tile', _ :: es', _ :: is_', _ => tiledAxes tile' es' is_' at_
  | _, _, _, _ => []
  end.

(* Ways in which a condition may be false, while they are few. *)
Definition maxPadded : nat := 8.
Definition waysOf (c : cond) : fact :=
  match alternatives (negated c) with
  | Some ways => if (length ways <=? maxPadded)%nat then ways else [[]]
  | None => [[]]
  end.

Section Reader.

Context (read : Syntax.var -> list poly -> reading ->
                gen (type * meaning * reading)).

Fixpoint readAt (vs : list Syntax.var) (at_ : list poly) (r : reading)
  : gen (list (Syntax.var * (type * meaning)) * reading) :=
  match vs with
  | [] => ret ([], r)
  | v :: vs' =>
      let* (t, m, r) := read v at_ r in
      let* (l, r) := readAt vs' at_ r in ret ((v, (t, m)) :: l, r)
  end.

Definition readMade (n : names) (t : type) (o : op) (at_ : list poly)
  (r : reading) : gen (type * meaning * reading) :=
  let one := scalarType (lanes t) in
  if isLost one o then laneUnknown one r
  else
    match o, operandsOf o with
    | Move Reshape from a, _ =>
        let* at_ := recast (S (length from + length (shape t))) from (shape t)
                      at_ in
        read a at_ r
    | Move f from a, _ => read a (pulled [] f from at_) r
    | Iota axis, _ =>
        let* extent := given (nth_error (shape t) axis) in
        let* x := given (nth_error at_ axis) in
        match lanes t with
        | Int n =>
            let* _ := check ((2 <=? n) && (n <=? 64)) in
            if extent <=? 2 ^ (n - 1) then ret (one, Number x, r)
            else let* p := wrapped x n in ret (one, Number p, r)
        | Index => ret (one, Number x, r)
        | Float _ _ => fail
        end
    | _, Some vs =>
        let* (l, r) := readAt vs at_ r in
        let* e := laneOp (bindLanes n l) one o in
        let* (t, m) := laneOfEntry e in ret (t, m, r)
    | _, None => fail
    end.

(* When a lane that was read has the padding. *)
Definition paddedWays (n : names) (f : fetch) (at_ : list poly) (r : reading)
  : gen (fact * reading) :=
  match f with
  | FromTile number tile index padding =>
      let* (es, _) := tensorPolys number in
      let* is_ := mapEach (numberOf n Index) index in
      ret (match padding with
           | Some _ => map (fun a => let '(e, (i, (t, x))) := a in
                  [Atom false (sub (add (mul i (constant t)) x) e)])
                  (tiledAxes tile es is_ at_)
           | None => []
           end, r)
  | FromGather _ (Some v) _ =>
      let* (t, m, r) := read v at_ r in
      let* _ := check (isTruth t) in ret (waysOf (condOf m), r)
  | FromGather _ None _ => ret ([], r)
  end.
Definition readLoaded (n : names) (t : type) (f : fetch) (at_ : list poly)
  (r : reading) : gen (type * meaning * reading) :=
  let padding := padLane (lanes t) (paddingIn f) in
  let* (t, m, r) := laneUnknown (scalarType (lanes t)) r in
  match m with
  | Number p =>
      let* (ways, r) := paddedWays n f at_ r in
      let* _ := forEach (because OfGiven)
                  (flat_map (givenOfLane ways padding p)
                     (promisesOf (givenPolys h) (loadedIn f))) in
      ret (t, m, r)
  | _ => fail
  end.

(* A lane of a vector, by what it was made of or read from. *)
Definition readBack (n : names) (v : Syntax.var) (t : type) (at_ : list poly)
  (r : reading) : gen (type * meaning * reading) :=
  match madeBy n v, loadedBy n v with
  | Some o, _ => readMade n t o at_ r
  | None, Some f => readLoaded n t f at_ r
  | None, None => laneUnknown (scalarType (lanes t)) r
  end.

End Reader.

(* The value of a scalar, or that of a lane. *)
Fixpoint laneAt (fuel : nat) (n : names) (v : Syntax.var) (at_ : list poly)
  (r : reading) : gen (type * meaning * reading) :=
  let* (t, m) := valueOf n v in
  if isScalar t then ret (t, m, r)
  else
    let one := scalarType (lanes t) in
    match (if isInteger one then recall v at_ r else None) with
    | Some p => ret (one, Number p, r)
    | None =>
        let r := Reading (recalled r) (N.succ (visits r)) in
        let* (t', m, r) :=
          match fuel with
          | S fuel' =>
              if (maxVisits <? visits r)%N then laneUnknown one r
              else readBack (laneAt fuel' n) n v t at_ r
          | O => laneUnknown one r
          end in
        let* _ := check (eqType t' one) in
        ret (one, m, remember v at_ m r)
    end.

Definition readLane (n : names) := laneAt maxDepth n.

(* Owed of each lane. *)
Definition isEmitted (t : type) (o : op) : bool :=
  negb (isScalar t) &&
  match o with
  | Binary f _ _ =>
      divides f && negb (eqElement (lanes t) (Int 1)) ||
      eqElement (lanes t) Index &&
      match f with Add | Sub | Mul => true | _ => false end
  | Cast _ from _ =>
      eqElement (lanes t) Index && (bits h <? widthOf (bits h) from)
  | _ => false
  end.
Definition emittedLane (n : names) (t : type) (vs : list Syntax.var) (o : op)
  : gen entry :=
  let* at_ := anyLane (shape t) in
  let* (l, _) := readAt (readLane n) vs at_ noReading in
  walkOp (bindLanes n l) (scalarType (lanes t)) o.
Definition emittedLanes (n : names) (t : type) (o : op) : gen entry :=
  let* vs := given (operandsOf o) in
  let* ts := mapEach (valueOf n) vs in
  let* _ := check (isType t &&
                   forallb (fun a => eqAt (shape (fst a)) (shape t)) ts) in
  let* _ := within (emittedLane n t vs o) in ret (Val t Plain).

Definition walkLet (n : names) (r : Syntax.var) (t : type) (o : op)
  : gen names :=
  let* e := (if isEmitted t o then emittedLanes n t o else walkOp n t o) in
  let n' := bindName n r e in
  ret (if isScalar t then n' else noteMade n' r t o).

(* A gather: each lane that is not masked out must lie inside. *)
Definition laneBounds (rl : rule) (extents at_ : list poly) : gen unit :=
  forEach (fun a =>
    let* _ := emit rl (snd a) true in
    emit rl (sub (plus (fst a) (-1)) (snd a)) true) (combine extents at_).
Definition maskOf (n : names) (mask : option Syntax.var) (at_ : list poly)
  (r : reading) : gen (cond * reading) :=
  match mask with
  | Some v => let* (t, m, r) := readLane n v at_ r in
              let* _ := check (isTruth t) in ret (condOf m, r)
  | None => ret (AtLeastZero [], r)
  end.
Definition placeOfLane (n : names) (index : list Syntax.var)
  (at_ : list poly) (r : reading) : gen (list poly * reading) :=
  let* (l, r) := readAt (readLane n) index at_ r in
  let* ps := mapEach (fun vm => given (match snd (snd vm) with
                                       | Number p => Some p
                                       | _ => None
                                       end)) l in
  ret (ps, r).
(* Any lane that the mask lets through: its numbers, what is known of the mask
   there, and where the lane goes. *)
Definition maskFacts (mask : option Syntax.var) (c : cond) : list fact :=
  match mask with Some _ => condFacts c | None => [] end.
Definition activeLane (n : names) (sh : list Z) (index : list Syntax.var)
  (mask : option Syntax.var) (r : reading)
  : gen (list poly * cond * list poly * reading) :=
  let* at_ := anyLane sh in
  let* (c, r) := maskOf n mask at_ r in
  let* _ := forEach (because Path) (maskFacts mask c) in
  let* (ps, r) := placeOfLane n index at_ r in ret (at_, c, ps, r).
(* Any active lane lies inside. *)
Definition boundedLane (broken : rule) (n : names) (es : list poly)
  (sh : list Z) (index : list Syntax.var) (mask : option Syntax.var)
  : gen unit :=
  let* (_, _, ps, _) := activeLane n sh index mask noReading in
  laneBounds broken es ps.
(* The operands fit a tensor, lane by lane. *)
Definition laneOperands (n : names) (es : list poly) (sh : list Z)
  (index : list Syntax.var) (mask : option Syntax.var) : gen unit :=
  let* ts := mapEach (valueOf n) index in
  let* tm := mapEach (valueOf n)
               (match mask with Some v => [v] | None => [] end) in
  check (Nat.eqb (length es) (length index) &&
         forallb (fun a => eqType (fst a) (Type_ sh Index)) ts &&
         forallb (fun a => eqType (fst a) (Type_ sh (Int 1))) tm &&
         forallb (Z.leb 1) sh && negb (isScalar (Type_ sh Index))).
Definition gather_ (n : names) (t : nat) (sh : list Z)
  (index : list Syntax.var) (mask : option Syntax.var) : gen entry :=
  let* (es, ten) := tensorPolys t in
  let* _ := check (isShared ten) in
  let* _ := laneOperands n es sh index mask in
  let* _ := within (boundedLane GatherBounds n es sh index mask) in
  unknown (Type_ sh (elements ten)).
(* An atomic op on the elements of lanes, which may meet. *)
Definition combineLanes_ (n : names) (v : Syntax.var) (t : nat)
  (sh : list Z) (index : list Syntax.var) (mask : option Syntax.var)
  : gen unit :=
  let* (tv, _) := valueOf n v in
  let* (es, ten) := tensorPolys t in
  let* _ := check (combines ten && eqType tv (Type_ sh (elements ten))) in
  let* _ := laneOperands n es sh index mask in
  within (boundedLane AtomicScatterBounds n es sh index mask).

End Lanes.
