(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   What the words of the generator mean in a run: when values of variables fit a
   launch, a block's values, a condition; and what the run of a block may do. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Places.
From Girih Require Export Scopes Generate.
Import ListNotations.
Open Scope Z_scope.

(* Conditions. *)

Fixpoint may (e : values) (c : cond) : Prop :=
  match c with
  | Unknown => True
  | AtLeastZero p => 0 <= eval e p
  | IsZero p => eval e p = 0
  | Both a b => may e a /\ may e b
  | Either a b => may e a \/ may e b
  end.

(* Lanes and values of a block. *)

Definition laneOk (w : Z) (t : element) (x : Z) : Prop :=
  match t with Index => fits w x | Int n => fits n x | Float _ _ => True end.

Definition means (w : Z) (e : values) (t : type) (m : meaning) (xs : list Z)
  : Prop :=
  isType t = true /\ length xs = laneCount t /\
  Forall (laneOk w (lanes t)) xs /\
  match m with
  | Number p => isInteger t = true /\ xs = [eval e p]
  | Truth c => isTruth t = true /\
      exists b, xs = [b] /\ (b <> 0 -> may e c) /\
        (b = 0 -> may e (negated c)) /\
        (isKnown c = true -> b = 0 -> ~ may e c)
  | Plain => True
  end.

Definition boundCond (n : var) : cond -> Prop :=
  fix bound c := match c with
                 | Unknown => True
                 | AtLeastZero p | IsZero p => below_ n p
                 | Both a b | Either a b => bound a /\ bound b
                 end.
Definition boundMeaning (n : var) (m : meaning) : Prop :=
  match m with
  | Number p => below_ n p
  | Truth c => boundCond n c
  | Plain => True
  end.
Definition boundView (n : var) (v : view poly) : Prop :=
  Forall (below_ n) (extents_ v) /\ Forall (below_ n) (origin v) /\
  Forall (fun a => below_ n (snd a)) (along v).
Definition boundEntry (n : var) (x : entry) : Prop :=
  match x with
  | Val _ m => boundMeaning n m
  | Sight v _ => boundView n v
  | Cap s => boundView n (seen s) /\ Forall (below_ n) (indices s)
  end.

Definition evalView (e : values) : view poly -> view Z := mapView (eval e).

(* What the header knows of a launch; block ids are in it once they are. *)
Record launched (w : Z) (k : kernel) (h : header) (l : launch) (e : values)
  : Prop := Launched
  { isKernel : kernel_ h = k;
    isWidth : bits h = w;
    isWide : 8 <= w <= 64;
    areSymbols : forall name v t,
      symbolOf_ (symbolVars h) name = Some (v, t) ->
      symbolOf l name = Some (e v) /\ laneOk w t (e v) /\
      match t with
      | Index => 0 <= e v <= maxExtent w
      | Int n => 2 <= n <= 64
      | Float _ _ => False
      end;
    areExtents : forall number t es,
      tensorOf k number = Some t -> extentPolys (symbolVars h) t = Some es ->
      extentsOf l number = Some (map (eval e) es) /\
      Forall (fun x => 0 <= x <= maxExtent w) (map (eval e) es);
    areElements : forall number t, tensorOf k number = Some t ->
      isLane (elements t) = true;
    areScalars : forall number t,
      nth_error (arguments k) number = Some (FloatArg t) ->
      exists x m, t = Float x m;
    isGrid : map (eval e) (gridPolys h) = gridOf l;
    isGridSize : Forall (fun g => 0 <= g <= maxBlocks w) (gridOf l);
    areGivens :
      map (fun p => (fst p, mapContent (eval e) (snd p))) (givenPolys h) =
      promised l }.

(* All variables of a header are below n. *)
Definition headerPolys (h : header) : list poly :=
  gridPolys h ++ flat_map (fun p => contentNumbers (snd p)) (givenPolys h).
Definition boundHeader (n : var) (h : header) : Prop :=
  Forall (fun s => fst (snd s) < n)%positive (symbolVars h) /\
  Forall (below_ n) (headerPolys h) /\
  Forall (fun v => v < n)%positive (idVars h).

Lemma boundHeader_grid n h : boundHeader n h -> Forall (below_ n) (gridPolys h).
Proof. intros [_ [B _]]. now apply Forall_app in B. Qed.

(* Elements, of which tensor. *)
Definition elements_ := nat -> list Z -> Prop.
Definition with_ (h : elements_) (t : nat) (a : list Z) : elements_ :=
  fun u b => h u b \/ u = t /\ b = a.
Definition sub_ (h h' : elements_) : Prop := forall t a, h t a -> h' t a.

(* What is in memory before the launch, and what may be read of it: of `shared`
   tensors what is there, of others anything. *)
Definition initial_ := nat -> list Z -> Z.
Definition reads_ (k : kernel) (given : initial_) (t : nat) (a : list Z)
  (x : Z) : Prop :=
  forall ten, tensorOf k t = Some ten -> isShared ten = true -> x = given t a.

(* A run that ends well whatever it may read, takes only what it may take, and
   reads of `out` tensors only what is known to be defined, by itself. *)
Inductive sound {A} (k : kernel) (given : initial_) (mayTake : elements_)
  (good : elements_ -> A -> Prop) : elements_ -> run A -> Prop :=
  | sound_ok d a : good d a -> sound k given mayTake good d (Done (Ok a))
  | sound_take d t a next : mayTake t a ->
      sound k given mayTake good d next ->
      sound k given mayTake good d (Take t a next)
  | sound_read (d : elements_) t a next : (isOut k t = true -> d t a) ->
      (forall x, reads_ k given t a x ->
         sound k given mayTake good d (next x)) ->
      sound k given mayTake good d (Read t a next)
  | sound_write d t a x next :
      sound k given mayTake good (with_ d t a) next ->
      sound k given mayTake good d (Write t a x next)
  | sound_update d t a f x next : isOut k t = false ->
      sound k given mayTake good d next ->
      sound k given mayTake good d (Update t a f x next).

(* A run that, whatever it may read, writes this element before it ends. *)
Inductive surely {A} (k : kernel) (given : initial_) (t : nat) (a : list Z)
  : run A -> Prop :=
  | surely_here x next : surely k given t a (Write t a x next)
  | surely_write u b x next : surely k given t a next ->
      surely k given t a (Write u b x next)
  | surely_take u b next : surely k given t a next ->
      surely k given t a (Take u b next)
  | surely_read u b next :
      (forall x, reads_ k given u b x -> surely k given t a (next x)) ->
      surely k given t a (Read u b next)
  | surely_update u b f x next : surely k given t a next ->
      surely k given t a (Update u b f x next).

(* The variable of what was looked up has what is in memory there. *)
Definition lookupHolds (k : kernel) (l : launch) (given : initial_) (e : values)
  (u : lookup) : Prop :=
  exists t extents, tensorOf k (lookupTensor u) = Some t /\
    extentsOf l (lookupTensor u) = Some extents /\
    inBox extents (map (eval e) (lookupPlace u)) /\
    e (held u) = asNumber (elements t)
                   (given (lookupTensor u) (map (eval e) (lookupPlace u))).
Definition boundLookup (n : var) (u : lookup) : Prop :=
  Forall (below_ n) (lookupPlace u) /\ (held u < n)%positive.
Definition recalls (k : kernel) (l : launch) (given : initial_) (n : var)
  (e : values) (us : list lookup) : Prop :=
  Forall (fun u => boundLookup n u /\ lookupHolds k l given e u) us.

(* An element of the tile of a claim, within the tensor. *)
Definition inSite (e : values) (extents : list Z) (s : site) (a : list Z)
  : Prop :=
  In (a, true) (tileOf extents (evalView e (seen s)) (places s)
                  (map (eval e) (indices s))).

(* Likewise, if tiles are counted from 0 on. *)
Definition lands (e : values) (extents : list Z) (s : site) (a : list Z)
  : Prop :=
  inBox extents a /\ exists x, a = placeOf (evalView e (seen s)) x /\
    In x (tileLanes (tileExtents (places s)) (map (eval e) (indices s))) /\
    Forall2 Z.lt x (map (eval e) (extents_ (seen s))).

(* What a block may take: elements of tiles of claims, with values for which all
   that is known at the claim holds. `ds` are all definitions of the kernel,
   `e0` has the values of what was there `before` the blocks. *)
Definition permitted (l : launch) (h : header) (given : initial_)
  (ids : list Z) (before : var) (e0 : values) (ss : list site)
  (ds : list definition) : elements_ :=
  fun t a => exists s e extents,
    In s ss /\ root (seen s) = t /\ extentsOf l t = Some extents /\
    inSite e extents s a /\ agrees before e0 e /\ map e (idVars h) = ids /\
    Forall (fun f => holds e (claims f)) (siteFacts s) /\
    Forall (canonical e) ds /\
    Forall (lookupHolds (kernel_ h) l given e) (lookups (siteFacts s)).

(* A view of a tensor: it leads from its own elements to elements of that. *)
Definition isView (l : launch) (v : view Z) : Prop :=
  exists es, extentsOf l (root v) = Some es /\ Places.viewOf (root v) es v.

(* An op that is made lane by lane, of these values. *)
Definition evalLanes (w : Z) (env : Sem.env) (t : type) (o : op)
  : outcome (list Z) :=
  evalOp (Machine w (fun _ _ _ _ _ => []) (fun _ y _ => y))
    (Launch (fun _ => None) (fun _ => None) (fun _ => 0) [] []) [] env t o.

(* What is given of an element of a tensor. *)
Definition keptBy (x : Z) (c : content Z) : Prop :=
  match c with
  | Within low high => low <= x < high
  | Splits last => 0 <= x <= last
  | Sorted | AllDistinct => True
  end.
Definition keptIn (l : launch) (number : nat) (x : Z) : Prop :=
  forall c, In (number, c) (promised l) -> keptBy x c.

(* It holds of each lane of a vector that was read, or the lane has the
   padding: it lies beyond the tensor, or is masked out. *)
Definition isBeyond (a : Z * (Z * (Z * Z))) : Prop :=
  let '(e, (i, (t, x))) := a in e <= i * t + x.
Definition wasPadded (l : launch) (env : Sem.env) (f : fetch)
  (sh at_ : list Z) : Prop :=
  match f with
  | FromTile number tile index padding => padding <> None /\
      exists es is_, extentsOf l number = Some es /\
        collect (scalar env) index = Ok is_ /\
        Exists isBeyond (tiledAxes tile es is_ at_)
  | FromGather _ (Some v) _ => exists ys,
      get env v = Ok ys /\ laneOf sh ys at_ = 0
  | FromGather _ None _ => False
  end.
Definition loadedLanes (l : launch) (ns : PositiveMap.t entry) (env : Sem.env)
  (f : fetch) (el : element) (sh xs : list Z) : Prop :=
  match f with
  | FromGather _ (Some v) _ => hasShape ns sh v = true
  | _ => True
  end /\
  forall at_, inBox sh at_ ->
  keptIn l (loadedIn f) (laneOf sh xs at_) \/
  laneOf sh xs at_ = padLane el (paddingIn f) /\ wasPadded l env f sh at_.

(* Names of a block's values against those values. *)
Definition describes (w : Z) (l : launch) (e : values) (n : names)
  (env : Sem.env) (d : elements_) : Prop :=
  (forall v x, PositiveMap.find v (entries n) = Some x ->
     match x with
     | Val t m => exists xs,
         PositiveMap.find v env = Some (Lanes xs) /\ means w e t m xs
     | Sight s _ =>
         PositiveMap.find v env = Some (ViewOf (evalView e s)) /\
         Forall (fits w) (map (eval e) (extents_ s)) /\
         isView l (evalView e s)
     | Cap s =>
         PositiveMap.find v env =
           Some (PieceOf (evalView e (seen s)) (places s)
                   (map (eval e) (indices s))) /\
         length (indices s) = length (tile (places s)) /\
         tileExists (map (eval e) (extents_ (seen s)))
           (tileExtents (places s)) (map (eval e) (indices s)) = true
     end) /\
  (forall v, In v (stored n) -> exists s extents,
     PositiveMap.find v (entries n) = Some (Cap s) /\
     extentsOf l (root (seen s)) = Some extents /\
     forall a, inSite e extents s a -> d (root (seen s)) a) /\
  (forall v o, In (v, o) (made n) -> exists t mm xs,
     PositiveMap.find v (entries n) = Some (Val t mm) /\
     PositiveMap.find v env = Some (Lanes xs) /\
     operandsFit (entries n) t o = true /\ evalLanes w env t o = Ok xs) /\
  (forall v f, In (v, f) (loaded n) -> exists t mm xs,
     PositiveMap.find v (entries n) = Some (Val t mm) /\
     PositiveMap.find v env = Some (Lanes xs) /\
     loadedLanes l (entries n) env f (lanes t) (shape t) xs).
Definition boundNames (n : var) (ns : names) : Prop :=
  forall v x, PositiveMap.find v (entries ns) = Some x -> boundEntry n x.
