(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   What one block does, as spec/tile.md says: a tree of element events, which
   branches on what is read from memory. Every block ends, for loops count. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export Views.
Import ListNotations.
Open Scope Z_scope.

(* Events of a block, one element each, then how it ends. *)
Inductive run (A : Type) :=
  | Done (o : outcome A)
  | Take (t : nat) (at_ : list Z) (next : run A)
  | Read (t : nat) (at_ : list Z) (next : Z -> run A)
  | Write (t : nat) (at_ : list Z) (x : Z) (next : run A)
  (* What is there, y, becomes f y x. *)
  | Update (t : nat) (at_ : list Z) (f : Z -> Z -> Z) (x : Z) (next : run A).
Arguments Done {A}. Arguments Take {A}.
Arguments Read {A}. Arguments Write {A}. Arguments Update {A}.

Fixpoint bindRun {A B} (r : run A) (f : A -> run B) : run B :=
  match r with
  | Done (Ok a) => f a
  | Done (Stuck r) => Done (Stuck r)
  | Done Refused => Done Refused
  | Done Malformed => Done Malformed
  | Take t at_ next => Take t at_ (bindRun next f)
  | Read t at_ next => Read t at_ (fun x => bindRun (next x) f)
  | Write t at_ x next => Write t at_ x (bindRun next f)
  | Update t at_ g x next => Update t at_ g x (bindRun next f)
  end.
Notation "'go' x <- a ; b" := (bindRun a (fun x => b))
  (at level 200, x pattern, a at level 100, b at level 200).

(* The width of `index`; what ops on floats and between lanes compute: of place,
   name, attributes, type of the result and operands, so that ops at two places
   need not agree; and the rounded sum of two floats that atomics make. Whatever
   that is, results have as many lanes as their type, and integers among them
   fit. *)
Record machine := Machine
  { width : Z;
    opaque : var -> string -> list (string * list Z) -> type ->
      list (type * list Z) -> list Z;
    addsFloats : element -> Z -> Z -> Z }.

(* A launch that was admitted; tensors by number of argument. What is given of
   their contents is not looked at yet: `keepsGivens`. *)
Record launch := Launch
  { symbolOf : string -> option Z;
    extentsOf : nat -> option (list Z);
    scalarOf : nat -> Z; (* the bits of a float argument *)
    gridOf : list Z;
    promised : list (nat * content Z) }.

(* Tiles. *)

Fixpoint ints (from : Z) (count : nat) : list Z :=
  match count with
  | O => []
  | S count' => from :: ints (from + 1) count'
  end.

(* The coordinates of the lanes of a tile, in order, those outside included. *)
Fixpoint tileLanes (extents index : list Z) : list (list Z) :=
  match extents, index with
  | t :: extents', i :: index' =>
      flat_map (fun x => map (cons x) (tileLanes extents' index'))
        (ints (i * t) (Z.to_nat t))
  | _, _ => [[]]
  end.

Fixpoint inside (extents at_ : list Z) : bool :=
  match extents, at_ with
  | [], [] => true
  | e :: extents', x :: at_' => (0 <=? x) && (x <? e) && inside extents' at_'
  | _, _ => false
  end.

Fixpoint tileExists (extents tile index : list Z) : bool :=
  match extents, tile, index with
  | [], [], [] => true
  | e :: extents', t :: tile', i :: index' =>
      (0 <=? i) && (i <? ceildiv e t) && tileExists extents' tile' index'
  | _, _, _ => false
  end.

(* The lanes of a vector in order, each by its numbers along the axes; and the
   lane at such a place. *)
Definition placesOf (shape : list Z) : list (list Z) :=
  map (fun k => delinear shape (Z.of_nat k)) (seq 0 (Z.to_nat (volume shape))).
Definition laneOf (shape xs at_ : list Z) : Z :=
  nth (Z.to_nat (linear shape at_)) xs 0.

Fixpoint indexOf (k : nat) (l : list nat) : nat :=
  match l with
  | [] => O
  | x :: l' => if Nat.eqb k x then O else S (indexOf k l')
  end.

(* Where a lane comes from; numbers along an axis are of any sort. *)
Definition pulled {A} (zero : A) (f : move) (from : list Z) (at_ : list A)
  : list A :=
  match f with
  | Broadcast =>
      map (fun nx => if fst nx =? 1 then zero else snd nx)
        (combine from (skipn (length at_ - length from) at_))
  | Transpose permutation =>
      map (fun k => nth (indexOf k permutation) at_ zero)
        (seq 0 (length from))
  | Reshape => at_
  end.
Definition moved (f : move) (from to : list Z) (xs : list Z) : list Z :=
  match f with
  | Reshape => xs
  | _ => map (fun at_ => laneOf from xs (pulled 0 f from at_)) (placesOf to)
  end.

(* Whether lanes of one shape go to all of another. *)
Definition goes (f : move) (from to : list Z) : bool :=
  match f with
  | Broadcast =>
      Nat.leb (length from) (length to) &&
      forallb (fun nx => (fst nx =? 1) || (fst nx =? snd nx))
        (combine from (skipn (length to - length from) to))
  | Transpose permutation =>
      Nat.eqb (length permutation) (length to) &&
      forallb (fun k => Nat.ltb (indexOf k permutation) (length permutation) &&
                        (nth k from 0 =? nth (indexOf k permutation) to 0))
        (seq 0 (length from))
  | Reshape => volume from =? volume to
  end.

(* The bits that padding has. *)
Definition padBits (e : element) (p : pad) : Z :=
  match e with
  | Float x m =>
      let sign := 2 ^ (x + m) in
      let infinity := (2 ^ x - 1) * 2 ^ m in
      match p with
      | Zero => 0
      | NegZero => sign
      | NegInf => sign + infinity
      | PosInf => infinity
      | NaN => infinity + 2 ^ m - 1 (* of E4M3FN the only one *)
      | PadWith lane => lane
      end
  | Int n => match p with PadWith lane => wrap n lane | _ => 0 end
  | Index => 0
  end.
Definition padLane (e : element) (q : option pad) : Z :=
  match q with Some p => padBits e p | None => 0 end.

Section Block.

Context (m : machine) (k : kernel) (l : launch) (ids : list Z).

(* Values: lanes, a view, or the capability to a tile of one. *)
Inductive binding :=
  | Lanes (x : list Z)
  | ViewOf (v : view Z)
  | PieceOf (v : view Z) (p : partition) (i : list Z).
Definition env := PositiveMap.t binding.

Definition get (e : env) (v : var) : outcome (list Z) :=
  match PositiveMap.find v e with Some (Lanes x) => Ok x | _ => Malformed end.
Definition scalar (e : env) (v : var) : outcome Z :=
  do x <- get e v; match x with [x] => Ok x | _ => Malformed end.
Definition set_ (e : env) (v : var) (x : list Z) : env :=
  PositiveMap.add v (Lanes x) e.

Fixpoint setAll (e : env) (vs : list var) (xs : list (list Z))
  : outcome env :=
  match vs, xs with
  | [], [] => Ok e
  | v :: vs', x :: xs' => setAll (set_ e v x) vs' xs'
  | _, _ => Malformed
  end.

Fixpoint collect2 (f : Z -> Z -> outcome Z) (xs ys : list Z)
  : outcome (list Z) :=
  match xs, ys with
  | [], [] => Ok []
  | x :: xs', y :: ys' =>
      do z <- f x y; do zs <- collect2 f xs' ys'; Ok (z :: zs)
  | _, _ => Malformed
  end.

Fixpoint choose (cs xs ys : list Z) : outcome (list Z) :=
  match cs, xs, ys with
  | [], [], [] => Ok []
  | c :: cs', x :: xs', y :: ys' =>
      do zs <- choose cs' xs' ys'; Ok ((if c =? 0 then y else x) :: zs)
  | _, _, _ => Malformed
  end.

Fixpoint fit (n : nat) (xs : list Z) : list Z :=
  match n, xs with
  | O, _ => []
  | S n', [] => 0 :: fit n' []
  | S n', x :: xs' => x :: fit n' xs'
  end.

Definition laneCount (t : type) : nat := Z.to_nat (volume (shape t)).

(* Exact results as the lanes of a value of this type. *)
Definition define (t : type) (xs : list Z) : outcome (list Z) :=
  if Nat.eqb (length xs) (laneCount t)
  then collect (lane (width m) (lanes t)) xs
  else Malformed.

(* A tensor is a view of itself. *)
Definition viewAt (e : env) (b : base) : outcome (view Z) :=
  match b with
  | Argument t =>
      do extents <- orElse (extentsOf l t) Malformed; Ok (wholeOf t extents)
  | Seen v =>
      match PositiveMap.find v e with
      | Some (ViewOf w) => Ok w
      | _ => Malformed
      end
  end.

Definition amountOf (e : env) (a : amount) : outcome Z :=
  match a with
  | Exactly x => lane (width m) Index x
  | OfSymbol name => orElse (symbolOf l name) Malformed
  | OfValue v => scalar e v
  end.
Definition stepOf (e : env) (s : viewStep amount) : outcome (viewStep Z) :=
  match s with
  | Slice offsets sizes =>
      do x <- collect (amountOf e) offsets; do y <- collect (amountOf e) sizes;
      Ok (Slice x y)
  | Permute axes => Ok (Permute axes)
  | Unfold axis factors =>
      do x <- collect (amountOf e) factors; Ok (Unfold axis x)
  | FixAt axis at_ => do x <- amountOf e at_; Ok (FixAt axis x)
  end.

Definition extentOf (e : env) (p : partition) (axis : nat) : outcome (Z * Z) :=
  do v <- viewAt e (of p);
  do e <- orElse (nth_error (extents_ v) axis) Malformed;
  do t <- orElse (nth_error (tileExtents p) axis) Malformed;
  Ok (e, t).

Definition evalOp (e : env) (t : type) (o : op) : outcome (list Z) :=
  match o with
  | Constant x => define t (repeat x (laneCount t))
  | Dense xs => define t xs
  | Symbol name => do x <- orElse (symbolOf l name) Malformed; define t [x]
  | BlockId axis => do x <- orElse (nth_error ids axis) Malformed; define t [x]
  | GridDim axis =>
      do x <- orElse (nth_error (gridOf l) axis) Malformed; define t [x]
  | NumTiles p axis =>
      do (extent, t') <- extentOf e p axis; define t [ceildiv extent t']
  | Binary f a b =>
      do x <- get e a; do y <- get e b;
      collect2 (evalBinary (width m) f (lanes t)) x y
  | Compare c a b =>
      do x <- get e a; do y <- get e b;
      collect2 (fun x y => Ok (ofBool (compares c x y))) x y
  | Select c a b =>
      do c <- get e c; do x <- get e a; do y <- get e b;
      choose (match c with [c] => repeat c (length x) | _ => c end) x y
  | Cast unsigned from a =>
      do x <- get e a; collect (evalCast (width m) unsigned from (lanes t)) x
  | Alias a => get e a
  | Prove r c => do x <- scalar e c; if x =? 0 then Stuck r else Ok [x]
  | Iota axis => define t (map (fun at_ => nth axis at_ 0) (placesOf (shape t)))
  | Move f from a =>
      do x <- get e a;
      if Nat.eqb (length x) (Z.to_nat (volume from)) && goes f from (shape t)
      then Ok (moved f from (shape t) x) else Malformed
  | Opaque place name attributes operands =>
      do xs <- collect (fun a => do x <- get e (fst a); Ok (snd a, x)) operands;
      define t (fit (laneCount t) (opaque m place name attributes t xs))
  end.

(* The lanes of a tile as elements of the root, each with whether it is one of
   the view and so of the root. *)
Definition tileOf (extents : list Z) (v : view Z) (p : partition)
  (index : list Z) : list (list Z * bool) :=
  map (fun at_ => (placeOf v at_,
                   inside (extents_ v) at_ && inside extents (placeOf v at_)))
    (tileLanes (tileExtents p) index).

Fixpoint takeAll (t : nat) (ls : list (list Z * bool)) {A} (next : run A)
  : run A :=
  match ls with
  | [] => next
  | (at_, true) :: ls' => Take t at_ (takeAll t ls' next)
  | (_, false) :: ls' => takeAll t ls' next
  end.

Fixpoint readAll (t : nat) (el : element) (padding : Z)
  (ls : list (list Z * bool)) : run (list Z) :=
  match ls with
  | [] => Done (Ok [])
  | (at_, true) :: ls' =>
      Read t at_ (fun x =>
        go x <- Done (lane (width m) el x);
        go xs <- readAll t el padding ls'; Done (Ok (x :: xs)))
  | (_, false) :: ls' =>
      go xs <- readAll t el padding ls'; Done (Ok (padding :: xs))
  end.

Fixpoint writeAll {A} (t : nat) (ls : list (list Z * bool)) (xs : list Z)
  (next : run A) : run A :=
  match ls, xs with
  | [], [] => next
  | (at_, true) :: ls', x :: xs' => Write t at_ x (writeAll t ls' xs' next)
  | (_, false) :: ls', _ :: xs' => writeAll t ls' xs' next
  | _, _ => Done Malformed
  end.

(* What becomes of an element y of an atomic tensor with which a lane x is
   combined: integers wrap, sums of floats round at each step. *)
Definition combined (t : tensor) (y x : Z) : Z :=
  match mode_ t, elements t with
  | AtomicBy f, Int n => wrap n (exact f (wrap n y) (wrap n x))
  | _, e => addsFloats m e y x
  end.

Fixpoint combineAll {A} (t : nat) (f : Z -> Z -> Z)
  (ls : list (list Z * bool)) (xs : list Z) (next : run A) : run A :=
  match ls, xs with
  | [], [] => next
  | (at_, true) :: ls', x :: xs' =>
      Update t at_ f x (combineAll t f ls' xs' next)
  | (_, false) :: ls', _ :: xs' => combineAll t f ls' xs' next
  | _, _ => Done Malformed
  end.

Definition extentsAndType (t : nat) : outcome (list Z * tensor) :=
  do extents <- orElse (extentsOf l t) Malformed;
  do t <- orElse (tensorOf k t) Malformed;
  Ok (extents, t).

Definition load (v : view Z) (p : partition) (index : list Z)
  (padding : option pad) : run (list Z) :=
  go (extents, t) <- Done (extentsAndType (root v));
  let ls := tileOf extents v p index in
  match padding with
  | Some q => readAll (root v) (elements t) (padBits (elements t) q) ls
  | None =>
      if forallb (inside (extents_ v)) (tileLanes (tileExtents p) index)
      then readAll (root v) (elements t) 0 ls
      else Done (Stuck LoadPad)
  end.

(* The index of a tile that exists, of a tensor that may be used so: tiles of
   `shared` tensors are loaded, of `own` and `out` tensors claimed, of atomic
   ones combined with. *)
Definition tileIndex (e : env) (p : partition) (index : list var)
  (use : tensor -> bool) (broken : rule) : outcome (view Z * list Z) :=
  do v <- viewAt e (of p);
  do i <- collect (scalar e) index;
  do (_, t) <- extentsAndType (root v);
  if Nat.eqb (length i) (length (extents_ v)) && use t
  then
    if tileExists (extents_ v) (tileExtents p) i then Ok (v, i)
    else Stuck broken
  else Malformed.

(* The elements that lanes ask for, each with whether it is not masked out. *)
Definition asked (count : nat) (xss : list (list Z)) (mask : list Z)
  : list (list Z * bool) :=
  map (fun n => (map (fun xs => nth n xs 0) xss, negb (nth n mask 0 =? 0)))
    (seq 0 count).
Definition maskLanes (e : env) (count : nat) (mask : option var)
  : outcome (list Z) :=
  match mask with Some v => get e v | None => Ok (repeat (-1) count) end.
Definition gather (e : env) (t : nat) (shape : list Z) (index : list var)
  (mask : option var) (padding : option pad) : run (list Z) :=
  let count := Z.to_nat (volume shape) in
  go xss <- Done (collect (get e) index);
  go active <- Done (maskLanes e count mask);
  go (extents, ten) <- Done (extentsAndType t);
  let ls := asked count xss active in
  if isShared ten && Nat.eqb (length xss) (length extents) &&
     forallb (fun xs => Nat.eqb (length xs) count) (active :: xss)
  then
    if forallb (fun l => negb (snd l) || inside extents (fst l)) ls
    then readAll t (elements ten)
           (match padding with
            | Some q => padBits (elements ten) q
            | None => 0
            end) ls
    else Done (Stuck GatherBounds)
  else Done Malformed.

Fixpoint eqAt (a b : list Z) : bool :=
  match a, b with
  | [], [] => true
  | x :: a', y :: b' => (x =? y) && eqAt a' b'
  | _, _ => false
  end.

(* No two lanes that are not masked out ask for one element. *)
Fixpoint lanesApart (ls : list (list Z * bool)) : bool :=
  match ls with
  | [] => true
  | (a, active) :: ls' =>
      negb (active && existsb (fun l => snd l && eqAt a (fst l)) ls') &&
      lanesApart ls'
  end.
Definition scatter (e : env) (v : var) (t : nat) (shape : list Z)
  (index : list var) (mask : option var) : run env :=
  let count := Z.to_nat (volume shape) in
  go x <- Done (get e v);
  go xss <- Done (collect (get e) index);
  go active <- Done (maskLanes e count mask);
  go (extents, ten) <- Done (extentsAndType t);
  let ls := asked count xss active in
  if isOwned ten && Nat.eqb (length xss) (length extents) &&
     forallb (fun xs => Nat.eqb (length xs) count) (x :: active :: xss)
  then
    if forallb (fun l => negb (snd l) || inside extents (fst l)) ls
    then if lanesApart ls
         then takeAll t ls (writeAll t ls x (Done (Ok e)))
         else Done (Stuck ScatterLanes)
    else Done (Stuck ScatterBounds)
  else Done Malformed.

(* Lanes may meet, and all of them count. *)
Definition combineLanes (e : env) (v : var) (t : nat) (shape : list Z)
  (index : list var) (mask : option var) : run env :=
  let count := Z.to_nat (volume shape) in
  go x <- Done (get e v);
  go xss <- Done (collect (get e) index);
  go active <- Done (maskLanes e count mask);
  go (extents, ten) <- Done (extentsAndType t);
  let ls := asked count xss active in
  if combines ten && Nat.eqb (length xss) (length extents) &&
     forallb (fun xs => Nat.eqb (length xs) count) (x :: active :: xss)
  then
    if forallb (fun l => negb (snd l) || inside extents (fst l)) ls
    then combineAll t (combined ten) ls x (Done (Ok e))
    else Done (Stuck AtomicScatterBounds)
  else Done Malformed.

Definition piece (e : env) (v : var)
  : outcome (view Z * partition * list Z) :=
  match PositiveMap.find v e with
  | Some (PieceOf w p i) => Ok (w, p, i)
  | _ => Malformed
  end.

Fixpoint execRegion (r : region) (e : env) : run (list (list Z)) :=
  match r with
  | Yield vs => Done (collect (get e) vs)
  | Seq s rest => go e' <- execStatement s e; execRegion rest e'
  end
with execStatement (s : statement) (e : env) : run env :=
  match s with
  | Let r t o => go x <- Done (evalOp e t o); Done (Ok (set_ e r x))
  | View r b s =>
      go v <- Done (viewAt e b);
      go s <- Done (stepOf e s);
      go v <- Done (viewed v s);
      Done (Ok (PositiveMap.add r (ViewOf v) e))
  | Claim r p index =>
      go (v, i) <- Done (tileIndex e p index isOwned ClaimBounds);
      go (extents, _) <- Done (extentsAndType (root v));
      takeAll (root v) (tileOf extents v p i)
        (Done (Ok (PositiveMap.add r (PieceOf v p i) e)))
  | Load r (Tile p index) padding =>
      go (v, i) <- Done (tileIndex e p index isShared LoadBounds);
      go x <- load v p i padding; Done (Ok (set_ e r x))
  | Load r (Piece v) padding =>
      go (v, p, i) <- Done (piece e v);
      go x <- load v p i padding; Done (Ok (set_ e r x))
  | Store v p =>
      go x <- Done (get e v);
      go (v, p, i) <- Done (piece e p);
      go (extents, _) <- Done (extentsAndType (root v));
      writeAll (root v) (tileOf extents v p i) x (Done (Ok e))
  | Combine v p index =>
      go x <- Done (get e v);
      go (v, i) <- Done (tileIndex e p index combines AtomicBounds);
      go (extents, t) <- Done (extentsAndType (root v));
      combineAll (root v) (combined t) (tileOf extents v p i) x (Done (Ok e))
  | Gather r t shape index mask padding =>
      go x <- gather e t shape index mask padding; Done (Ok (set_ e r x))
  | Scatter v t shape index mask => scatter e v t shape index mask
  | CombineLanes v t shape index mask => combineLanes e v t shape index mask
  | For results counts lower upper step counter carried initial body =>
      go lower <- Done (scalar e lower);
      go upper <- Done (scalar e upper);
      go step <- Done (scalar e step);
      if step <? 1 then Done (Stuck LoopStep) else
      let fix trips (n : nat) (i : Z) (xs : list (list Z)) :=
        match n with
        | O => Done (Ok xs)
        | S n' =>
            go e' <- Done (setAll (set_ e counter [i]) carried xs);
            go ys <- execRegion body e';
            if fitsb (widthOf (width m) counts) (i + step)
            then trips n' (i + step) ys
            else Done (Stuck LoopWidth)
        end in
      go xs <- Done (collect (get e) initial);
      go ys <- trips (Z.to_nat (ceildiv (upper - lower) step)) lower xs;
      Done (setAll e results ys)
  | If results c yes no =>
      go x <- Done (scalar e c);
      go ys <- (if x =? 0 then execRegion no e else execRegion yes e);
      Done (setAll e results ys)
  end.

(* Float arguments have their values from the launch. *)
Definition initial : env :=
  fold_left (fun e n =>
               match nth_error (arguments k) n with
               | Some (FloatArg _) => set_ e (argumentVar n) [scalarOf l n]
               | _ => e
               end) (seq 0 (length (arguments k))) (PositiveMap.empty binding).

Definition runBlock : run unit :=
  go _ <- execRegion (body k) initial; Done (Ok tt).

End Block.

(* Traces: the events of one run, with what was read, written and combined. *)

Inductive kind := Taken | ReadIt | Written | Combined.
Record event := Event
  { kind_ : kind; tensorIs : nat; at_ : list Z; value : Z }.

Inductive follows {A} : run A -> list event -> outcome A -> Prop :=
  | follows_done o : follows (Done o) [] o
  | follows_take t at_ next es o : follows next es o ->
      follows (Take t at_ next) (Event Taken t at_ 0 :: es) o
  | follows_read t at_ next x es o : follows (next x) es o ->
      follows (Read t at_ next) (Event ReadIt t at_ x :: es) o
  | follows_write t at_ x next es o : follows next es o ->
      follows (Write t at_ x next) (Event Written t at_ x :: es) o
  | follows_update t at_ f x next es o : follows next es o ->
      follows (Update t at_ f x next) (Event Combined t at_ x :: es) o.

(* What a trace read, in order. *)
Definition reads (es : list event) : list Z :=
  flat_map (fun e => match kind_ e with ReadIt => [value e] | _ => [] end) es.

(* The trace of a run whose reads are answered by this. *)
Fixpoint trace {A} (answer : nat -> list Z -> Z) (r : run A)
  : list event * outcome A :=
  match r with
  | Done o => ([], o)
  | Take t at_ next =>
      let '(es, o) := trace answer next in (Event Taken t at_ 0 :: es, o)
  | Read t at_ next =>
      let x := answer t at_ in
      let '(es, o) := trace answer (next x) in (Event ReadIt t at_ x :: es, o)
  | Write t at_ x next =>
      let '(es, o) := trace answer next in (Event Written t at_ x :: es, o)
  | Update t at_ f x next =>
      let '(es, o) := trace answer next in (Event Combined t at_ x :: es, o)
  end.

Lemma trace_follows {A} answer (r : run A) :
  follows r (fst (trace answer r)) (snd (trace answer r)).
Proof.
  induction r as [o|t at_ r IH|t at_ r IH|t at_ x r IH|t at_ f x r IH]; simpl.
  - constructor.
  - destruct (trace answer r). now constructor.
  - specialize (IH (answer t at_)).
    destruct (trace answer (r (answer t at_))). now constructor.
  - destruct (trace answer r). now constructor.
  - destruct (trace answer r). now constructor.
Qed.

(* A block does what its loads say, and nothing else decides. *)
Theorem block_deterministic {A} (r : run A) es o es' o' :
  follows r es o -> follows r es' o' -> reads es = reads es' ->
  es = es' /\ o = o'.
Proof.
  intro F. revert es' o'.
  induction F as [o|t a n es o F IH|t a n x es o F IH|t a x n es o F IH
                 |t a f x n es o F IH];
    intros es' o' F' R;
    inversion F' as [|? ? ? ? ? N|? ? ? ? ? ? N|? ? ? ? ? ? N
                    |? ? ? ? ? ? ? N]; subst; auto.
  - destruct (IH _ _ N R). split; congruence.
  - simpl in R. injection R as <- R. destruct (IH _ _ N R).
    split; congruence.
  - destruct (IH _ _ N R). split; congruence.
  - destruct (IH _ _ N R). split; congruence.
Qed.

(* Every block ends. *)
Theorem block_ends {A} (r : run A) : exists es o, follows r es o.
Proof.
  exists (fst (trace (fun _ _ => 0) r)), (snd (trace (fun _ _ => 0) r)).
  apply trace_follows.
Qed.

(* Events lie inside of their tensors. *)

Section Inside.

Context (extents : nat -> option (list Z)).

Definition isInside (t : nat) (at_ : list Z) : Prop :=
  exists dims, extents t = Some dims /\ inBox dims at_.

Inductive allInside {A} : run A -> Prop :=
  | inside_done o : allInside (Done o)
  | inside_take t at_ next : isInside t at_ -> allInside next ->
      allInside (Take t at_ next)
  | inside_read t at_ next : isInside t at_ -> (forall x, allInside (next x)) ->
      allInside (Read t at_ next)
  | inside_write t at_ x next : isInside t at_ -> allInside next ->
      allInside (Write t at_ x next)
  | inside_update t at_ f x next : isInside t at_ -> allInside next ->
      allInside (Update t at_ f x next).

Lemma allInside_bind {A B} (r : run A) (f : A -> run B) :
  allInside r -> (forall a, allInside (f a)) -> allInside (bindRun r f).
Proof.
  intros R F. induction R as [[a|r| |]| | | |]; simpl; try constructor; auto.
Qed.

Lemma inside_inBox dims at_ : inside dims at_ = true <-> inBox dims at_.
Proof.
  revert at_. induction dims as [|d dims IH]; intros [|x at_]; simpl;
    split; intro H; try discriminate; try solve [constructor];
    try solve [inversion H].
  - rewrite !andb_true_iff, IH in H. constructor; [lia|]. now apply H.
  - inversion H. rewrite !andb_true_iff, IH. split; [lia|assumption].
Qed.

Lemma follows_inside {A} (r : run A) es o : allInside r -> follows r es o ->
  Forall (fun e => isInside (tensorIs e) (at_ e)) es.
Proof.
  intros I F. revert I. induction F; intro I; inversion I; subst; auto.
Qed.

End Inside.

Section BlockInside.

Context (m : machine) (k : kernel) (l : launch) (ids : list Z).

Notation good := (allInside (extentsOf l)).

Definition known (t : nat) (ls : list (list Z * bool)) : Prop :=
  Forall (fun p => snd p = true -> isInside (extentsOf l) t (fst p)) ls.

Lemma tileOf_known extents v p i : extentsOf l (root v) = Some extents ->
  known (root v) (tileOf extents v p i).
Proof.
  intro E. apply Forall_forall. intros [a b] I. unfold tileOf in I.
  apply in_map_iff in I as [a' [H _]]. injection H as <- <-. simpl. intro S.
  exists extents. split; [exact E|]. apply andb_true_iff in S as [_ S].
  now apply inside_inBox.
Qed.

Lemma takeAll_inside {A} t ls (next : run A) : known t ls -> good next ->
  good (takeAll t ls next).
Proof.
  intros K N. induction K as [|[a [|]] ls H K IH]; simpl; auto.
  constructor; auto.
Qed.

Lemma writeAll_inside {A} t ls xs (next : run A) : known t ls -> good next ->
  good (writeAll t ls xs next).
Proof.
  intros K N. revert xs.
  induction K as [|[a [|]] ls H K IH]; intros [|x xs];
    cbn [writeAll]; auto; constructor; auto.
Qed.

Lemma combineAll_inside {A} t f ls xs (next : run A) : known t ls ->
  good next -> good (combineAll t f ls xs next).
Proof.
  intros K N. revert xs.
  induction K as [|[a [|]] ls H K IH]; intros [|x xs];
    cbn [combineAll]; auto; constructor; auto.
Qed.

Lemma readAll_inside t el q ls : known t ls -> good (readAll m t el q ls).
Proof.
  intro K. induction K as [|[a [|]] ls H K IH]; cbn [readAll];
    [constructor| |].
  - constructor; [auto|]. intro x. apply allInside_bind; [constructor|].
    intro y. apply allInside_bind; [exact IH|]. constructor.
  - apply allInside_bind; [exact IH|]. constructor.
Qed.

Lemma extentsAndType_spec n extents t :
  extentsAndType k l n = Ok (extents, t) -> extentsOf l n = Some extents.
Proof.
  unfold extentsAndType. destruct (extentsOf l n); [|discriminate].
  simpl. destruct (tensorOf k n); [|discriminate]. simpl. congruence.
Qed.

Lemma withTile_inside {A} n (f : list Z * tensor -> run A) :
  (forall extents t, extentsOf l n = Some extents -> good (f (extents, t)))
  -> good (bindRun (Done (extentsAndType k l n)) f).
Proof.
  intro F. destruct (extentsAndType k l n) as [[extents t]|r| |] eqn:E;
    try constructor. simpl. eapply F, extentsAndType_spec, E.
Qed.

Lemma load_inside v p i q : good (load m k l v p i q).
Proof.
  apply withTile_inside. intros extents t E. cbv zeta.
  destruct q as [q|]; [now apply readAll_inside, tileOf_known|].
  destruct (forallb _ _); [|constructor].
  now apply readAll_inside, tileOf_known.
Qed.

Lemma asked_known t extents ls : extentsOf l t = Some extents ->
  forallb (fun p => negb (snd p) || inside extents (fst p)) ls = true ->
  known t ls.
Proof.
  intros E F. apply Forall_forall. intros p I S.
  rewrite forallb_forall in F. specialize (F p I). rewrite S in F.
  exists extents. split; [exact E|]. now apply inside_inBox.
Qed.

Lemma gather_inside e t sh index mask q :
  good (gather m k l e t sh index mask q).
Proof.
  unfold gather. apply allInside_bind; [constructor|]. intro xss.
  apply allInside_bind; [constructor|]. intro active.
  apply withTile_inside. intros extents ten E. cbv zeta.
  destruct (_ && _); [|constructor].
  destruct (forallb _ (asked _ _ _)) eqn:F; [|constructor].
  apply readAll_inside. now apply (asked_known t extents).
Qed.

Lemma scatter_inside e v t sh index mask :
  good (scatter k l e v t sh index mask).
Proof.
  unfold scatter. do 3 (apply allInside_bind; [constructor|]; intro).
  apply withTile_inside. intros extents ten E. cbv zeta.
  destruct (_ && _); [|constructor].
  destruct (forallb _ (asked _ _ _)) eqn:F; [|constructor].
  destruct (lanesApart _); [|constructor].
  apply (asked_known t extents) in F; [|exact E].
  apply takeAll_inside; [exact F|]. apply writeAll_inside; [exact F|].
  constructor.
Qed.

Lemma combineLanes_inside e v t sh index mask :
  good (combineLanes m k l e v t sh index mask).
Proof.
  unfold combineLanes. do 3 (apply allInside_bind; [constructor|]; intro).
  apply withTile_inside. intros extents ten E. cbv zeta.
  destruct (_ && _); [|constructor].
  destruct (forallb _ (asked _ _ _)) eqn:F; [|constructor].
  apply combineAll_inside; [|constructor]. now apply (asked_known t extents).
Qed.

Scheme region_all := Induction for region Sort Prop
  with statement_all := Induction for statement Sort Prop.
Combined Scheme code_all from region_all, statement_all.

Lemma code_inside :
  (forall r e, good (execRegion m k l ids r e)) /\
  (forall s e, good (execStatement m k l ids s e)).
Proof.
  apply code_all; cbn [execRegion execStatement]; intros.
  - constructor.
  - apply allInside_bind; auto.
  - apply allInside_bind; constructor.
  - apply allInside_bind; [constructor|]. intro v.
    apply allInside_bind; [constructor|]. intro s'.
    apply allInside_bind; [constructor|]. intro v'. constructor.
  - apply allInside_bind; [constructor|]. intros [v i]. apply withTile_inside.
    intros extents t E. apply takeAll_inside; [|constructor].
    now apply tileOf_known.
  - destruct s as [p index|v]; apply allInside_bind; try constructor.
    + intros [w i]. apply allInside_bind; [apply load_inside|constructor].
    + intros [[w p] i]. apply allInside_bind; [apply load_inside|constructor].
  - apply allInside_bind; [constructor|]. intro x.
    apply allInside_bind; [constructor|]. intros [[w p] i].
    apply withTile_inside.
    intros extents t E. apply writeAll_inside; [|constructor].
    now apply tileOf_known.
  - apply allInside_bind; [constructor|]. intro x.
    apply allInside_bind; [constructor|]. intros [w i].
    apply withTile_inside.
    intros extents t E. apply combineAll_inside; [|constructor].
    now apply tileOf_known.
  - apply allInside_bind; [apply gather_inside|constructor].
  - apply scatter_inside.
  - apply combineLanes_inside.
  - apply allInside_bind; [constructor|]. intro low.
    apply allInside_bind; [constructor|]. intro high.
    apply allInside_bind; [constructor|]. intro by_.
    destruct (by_ <? 1); [constructor|].
    apply allInside_bind; [constructor|]. intro xs.
    apply allInside_bind; [|constructor].
    generalize (Z.to_nat (ceildiv (high - low) by_)) as n.
    intro n. revert low xs. induction n as [|n IH]; intros low xs;
      [constructor|].
    apply allInside_bind; [constructor|]. intro e'.
    apply allInside_bind; [apply H|]. intro ys.
    destruct (fitsb (widthOf (width m) counts) (low + by_)); [|constructor].
    apply IH.
  - apply allInside_bind; [constructor|]. intro x.
    apply allInside_bind; [destruct (x =? 0); auto|constructor].
Qed.

(* No event of a block leaves its tensor, whatever the loads bring. *)
Theorem block_inside es o : follows (runBlock m k l ids) es o ->
  Forall (fun e => isInside (extentsOf l) (tensorIs e) (at_ e)) es.
Proof.
  apply follows_inside, allInside_bind; [apply code_inside|constructor].
Qed.

End BlockInside.
