(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The obligations of statements and of the code of a block. The functions of
   checker/generate/Memory.cpp and Body.cpp. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export Lanes.
Import ListNotations.
Open Scope Z_scope.

Section Walk.

Context (h : header).

Local Notation unknown := (unknown h).
Local Notation lookUp := (lookUp h).
Local Notation chosen := (chosen h).
Local Notation walkView := (walkView h).
Local Notation walkLet := (walkLet h).
Local Notation gather_ := (gather_ h).
Local Notation combineLanes_ := (combineLanes_ h).
Local Notation rootPolys := (rootPolys h).
Local Notation partitionPolys := (partitionPolys h).
Local Notation maxOf := (maxOf h).

(* The tile must exist. *)
Definition bounds (r : rule) (extents : list poly) (p : partition)
  (index : list poly) : gen unit :=
  forEach (fun a => let '(e, (t, i)) := a in
    let* _ := emit r i true in
    emit r (sub (plus e (-1)) (mul i (constant t))) true)
    (combine extents (combine (tileExtents p) index)).

(* Without padding it must lie inside, on every axis that is tiled. *)
Definition whole (padding : option pad) (extents : list poly) (p : partition)
  (index : list poly) : gen unit :=
  match padding with
  | Some _ => ret tt
  | None =>
      forEach (fun a => let '(e, (t, i)) := a in
        if 1 <? t then
          emit LoadPad (plus (sub e (mul i (constant t))) (- t)) true
        else ret tt)
        (combine extents (combine (tileExtents p) index))
  end.

Definition tileType (p : partition) (t : tensor) : type :=
  Type_ (vectorShape p) (elements t).

Definition addSite (s : site) : gen unit := fun s' =>
  Some (tt, Scope (next s') (facts s') (defined s') (vcs s') (s :: sites s')
              (writes s')).
Definition addWrite (w : write) : gen unit := fun s' =>
  Some (tt, Scope (next s') (facts s') (defined s') (vcs s') (sites s')
              (w :: writes s')).

Definition claim (n : names) (p : partition) (index : list Syntax.var)
  : gen site :=
  let* (v, way, t) := partitionPolys n p in
  let* is_ := mapEach (numberOf n Index) index in
  let* _ := check (Nat.eqb (length is_) (length (extents_ v)) &&
                   isOwned t) in
  let* _ := bounds ClaimBounds (extents_ v) p is_ in
  let* fs := visible in
  let s := Site v way p is_ fs in
  let* _ := addSite s in ret s.

Definition walkLoad (n : names) (s : Syntax.source) (padding : option pad)
  : gen entry :=
  match s with
  | Tile p index =>
      let* (v, _, t) := partitionPolys n p in
      let* is_ := mapEach (numberOf n Index) index in
      let* _ := check (Nat.eqb (length is_) (length (extents_ v)) &&
                       isShared t) in
      let* _ := bounds LoadBounds (extents_ v) p is_ in
      let* _ := whole padding (extents_ v) p is_ in
      if isInteger (tileType p t)
      then lookUp (root v) t (placePoly v is_)
      else unknown (tileType p t)
  | Piece v =>
      let* s := siteOf n v in
      let* (_, t) := rootPolys (seen s) (places s) in
      let* _ :=
        match mode_ t with
        | Out _ =>
            emit LoadDefined
              (if existsb (Pos.eqb v) (stored n) then [] else constant (-1))
              false
        | _ => ret tt
        end in
      let* _ := whole padding (extents_ (seen s)) (places s) (indices s) in
      unknown (tileType (places s) t)
  end.

(* Of a view nothing is said of the lanes of its tiles. *)
Definition noteLoad (n : names) (r : Syntax.var) (s : Syntax.source)
  (padding : option pad) : names :=
  match s with
  | Tile (Partition (Argument t) tile) index =>
      noteLoaded n r (FromTile t tile index padding)
  | _ => n
  end.

(* An atomic op on a tile; of it nothing comes back. *)
Definition combine_ (n : names) (v : Syntax.var) (p : partition)
  (index : list Syntax.var) : gen unit :=
  let* (tv, _) := valueOf n v in
  let* (v, _, t) := partitionPolys n p in
  let* is_ := mapEach (numberOf n Index) index in
  let* _ := check (Nat.eqb (length is_) (length (extents_ v)) &&
                   combines t && eqType tv (tileType p t)) in
  bounds AtomicBounds (extents_ v) p is_.

(* Of two lanes; an axis of one lane says nothing. *)
Definition lanesDiffer (lane other : list poly) : fact :=
  differ true []
    (filter (fun gap => match constantOf gap with Some 0 => false | _ => true
                        end)
       (map (fun a => sub (snd a) (fst a)) (combine lane other))).
Definition lanesMeet (ps qs : list poly) : list fact :=
  map (fun a => EqZ (sub (fst a) (snd a))) (combine ps qs).

(* A scatter claims the element of each lane, and writes it. *)
Definition scatterLane (n : names) (t : nat) (es : list poly) (sh : list Z)
  (index : list Syntax.var) (mask : option Syntax.var) (loops_ : list var)
  (certain_ : bool) : gen unit :=
  let* (lane, c, ps, r) := activeLane h n sh index mask noReading in
  let* _ := laneBounds ScatterBounds es ps in
  let* fs := visible in
  let s := Site (wholePoly t es) []
             (Partition (Argument t) (map (fun _ => None) es)) ps fs in
  let* _ := addSite s in
  let* _ := addWrite (Write_ s loops_ (flat_map variables lane) fs
                        (certain_ && isExact c)) in
  let* (other, _, qs, _) := activeLane h n sh index mask r in
  let* _ := because Distinct (lanesDiffer lane other) in
  let* _ := forEach (because Region) (lanesMeet ps qs) in
  emit ScatterLanes (constant (-1)) false.
Definition scatter_ (n : names) (v : Syntax.var) (t : nat) (sh : list Z)
  (index : list Syntax.var) (mask : option Syntax.var) (loops_ : list var)
  (certain_ : bool) : gen unit :=
  let* (tv, _) := valueOf n v in
  let* (es, ten) := tensorPolys h t in
  let* _ := check (isOwned ten && eqType tv (Type_ sh (elements ten))) in
  let* _ := laneOperands n es sh index mask in
  within (scatterLane n t es sh index mask loops_ certain_).

Definition typesOf (es : list entry) : option (list type) :=
  all (fun e => match e with Val t _ => Some t | _ => None end) es.
Fixpoint eqTypes (a b : list type) : bool :=
  match a, b with
  | [], [] => true
  | x :: a', y :: b' => eqType x y && eqTypes a' b'
  | _, _ => false
  end.
Definition valuesOf (n : names) (vs : list Syntax.var) : gen (list entry) :=
  mapEach (fun v => let* (t, m) := valueOf n v in ret (Val t m)) vs.

(* The result of a branch: a choice, where what was yielded is still defined
   when the branches have ended. *)
Definition join (limit : var) (c : cond) (ab : entry * entry) : gen entry :=
  match ab with
  | (Val t (Number x), Val _ (Number y)) =>
      if polyBelow limit x && polyBelow limit y
      then chosen c t (Number x) (Number y) else unknown t
  | (Val t _, Val _ _) => ret (Val t Plain)
  | _ => fail
  end.

Fixpoint walkRegion (r : region) (n : names) (trips : list var)
  (certain : bool) : gen (list entry) :=
  match r with
  | Yield vs => valuesOf n vs
  | Seq s rest =>
      let* n' := walkStatement s n trips certain in
      walkRegion rest n' trips certain
  end
with walkStatement (s : statement) (n : names) (trips : list var)
  (certain : bool) : gen names :=
  match s with
  | Let r t o => walkLet n r t o
  | View r b s => let* e := walkView n b s in ret (bindName n r e)
  | Claim r p index =>
      let* s := claim n p index in ret (bindName n r (Cap s))
  | Load r s padding =>
      let* e := walkLoad n s padding in
      ret (noteLoad (bindName n r e) r s padding)
  | Store v p =>
      let* s := siteOf n p in
      let* (t, _) := valueOf n v in
      let* (_, ten) := rootPolys (seen s) (places s) in
      let* _ := check (eqType t (tileType (places s) ten)) in
      let* fs := visible in
      let* _ := addWrite (Write_ s trips [] fs certain) in
      ret (Names (entries n) (p :: stored n) (made n) (loaded n))
  | Combine v p index => let* _ := combine_ n v p index in ret n
  | Gather r t sh index mask padding =>
      let* e := gather_ n t sh index mask in
      ret (noteLoaded (bindName n r e) r (FromGather t mask padding))
  | Scatter v t sh index mask =>
      let* _ := scatter_ n v t sh index mask trips certain in ret n
  | CombineLanes v t sh index mask =>
      let* _ := combineLanes_ n v t sh index mask in ret n
  | For results counts lower upper by_ counter carried initial body =>
      let t := scalarType counts in
      let* _ := check (isInteger t && isType t) in
      let* low := numberOf n counts lower in
      let* high := numberOf n counts upper in
      let* by_ := numberOf n counts by_ in
      let* _ := emit LoopStep (plus by_ (-1)) true in
      let* outside := visible in
      let* trip := fresh_ in
      let count := add low (mul by_ (variable trip)) in
      let* _ := because Loop (GeZ (variable trip)) in
      let* _ := because Loop (GeZ (sub (plus high (-1)) count)) in
      let* _ := emit LoopWidth (sub (sub (constant (maxOf counts)) count) by_)
                  false in
      let* inits := valuesOf n initial in
      let* ts := given (typesOf inits) in
      let* inner := mapEach unknown ts in
      let* n' := given (bindAll (bindName n counter (Val t (Number count)))
                          carried inner) in
      let* yields := walkRegion body n' (trips ++ [trip]) certain in
      let* ts' := given (typesOf yields) in
      let* _ := check (eqTypes ts ts') in
      let* _ := release outside in
      let* outer := mapEach unknown ts in
      given (bindAll n results outer)
  | If results c yes no =>
      let* (tc, mc) := valueOf n c in
      let* _ := check (isTruth tc) in
      let c := condOf mc in
      let* outside := visible in
      let* limit := (fun s => Some (next s, s)) in
      let* _ := forEach (because Path) (condFacts c) in
      let* ys := walkRegion yes n trips (certain && isExact c) in
      let* _ := release outside in
      let* _ := forEach (because Path) (condFacts (negated c)) in
      let* ns := walkRegion no n trips (certain && isExact (negated c)) in
      let* _ := release outside in
      let* ts := given (typesOf ys) in
      let* ts' := given (typesOf ns) in
      let* _ := check (eqTypes ts ts') in
      let* es := mapEach (join limit c) (combine ys ns) in
      given (bindAll n results es)
  end.

End Walk.

Definition assumeId (g : poly) : gen var :=
  let* v := fresh_ in
  let* _ := because InGrid (GeZ (variable v)) in
  let* _ := because InGrid (GeZ (sub (plus g (-1)) (variable v))) in
  ret v.

Fixpoint argumentNames (number : nat) (args : list argument) (n : names)
  : names :=
  match args with
  | [] => n
  | TensorArg _ :: args' => argumentNames (S number) args' n
  | FloatArg e :: args' =>
      argumentNames (S number) args'
        (bindName n (argumentVar number) (Val (scalarType e) Plain))
  end.

Definition walkBody (h : header) : gen header :=
  let* ids := mapEach assumeId (gridPolys h) in
  let h := Header (kernel_ h) (bits h) (symbolVars h) (gridPolys h) ids
             (givenPolys h) in
  let* _ := walkRegion h (body (kernel_ h))
              (argumentNames 0 (arguments (kernel_ h)) noNames) [] true in
  ret h.
