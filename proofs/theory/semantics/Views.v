(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Views: which element of the root each of their elements is. Over any kind of
   numbers, for a run has integers where the generator has polynomials.
   spec/tile.md, "Views"; the functions of spec/executor/memory/View.cpp. *)

From Coq Require Import ZArith List Bool Lia.
From Girih Require Export Syntax.
Import ListNotations.
Open Scope Z_scope.

(* Coordinate k of the root is origin k and scale * x for each axis of the view
   that leads along k, where x is the coordinate on that axis. *)
Record view (A : Type) := View_
  { root : nat; (* the tensor, by number of argument *)
    extents_ : list A;
    origin : list A;
    along : list (nat * A) (* axis of the root, scale: one an axis *) }.
Arguments View_ {A}. Arguments root {A}. Arguments extents_ {A}.
Arguments origin {A}. Arguments along {A}.

Definition mapView {A B} (f : A -> B) (v : view A) : view B :=
  View_ (root v) (map f (extents_ v)) (map f (origin v))
    (map (fun a => (fst a, f (snd a))) (along v)).

Definition mapStep {A B} (f : A -> B) (s : viewStep A) : viewStep B :=
  match s with
  | Slice offsets sizes => Slice (map f offsets) (map f sizes)
  | Permute axes => Permute axes
  | Unfold axis factors => Unfold axis (map f factors)
  | FixAt axis at_ => FixAt axis (f at_)
  end.

(* A number an axis; a permutation of the axes; an axis that there is. *)
Definition fitsRank {A} (rank : nat) (s : viewStep A) : bool :=
  match s with
  | Slice offsets sizes =>
      Nat.eqb (length offsets) rank && Nat.eqb (length sizes) rank
  | Permute axes =>
      Nat.eqb (length axes) rank &&
      forallb (fun k => existsb (Nat.eqb k) axes) (seq 0 rank)
  | Unfold axis _ | FixAt axis _ => Nat.ltb axis rank
  end.

(* The items with these numbers. *)
Definition pick {A} (l : list A) (numbers : list nat) : list A :=
  flat_map (fun k => match nth_error l k with Some x => [x] | None => [] end)
    numbers.

(* The list with these in the place of item k. *)
Definition instead {A} (l : list A) (k : nat) (these : list A) : list A :=
  firstn k l ++ these ++ skipn (S k) l.

Section Views.

Context {A : Type} (zero one : A) (plus_ times : A -> A -> A).

Definition wholeView (t : nat) (es : list A) : view A :=
  View_ t es (map (fun _ => zero) es)
    (map (fun k => (k, one)) (seq 0 (length es))).

(* What coordinates of a view add to coordinate k of its root. *)
Fixpoint reach (k : nat) (l : list (nat * A)) (at_ : list A) : A :=
  match l, at_ with
  | (r, scale) :: l', x :: at' =>
      if Nat.eqb r k then plus_ (times scale x) (reach k l' at')
      else reach k l' at'
  | _, _ => zero
  end.
Fixpoint placeFrom (k : nat) (o : list A) (l : list (nat * A)) (at_ : list A)
  : list A :=
  match o with
  | [] => []
  | x :: o' => plus_ x (reach k l at_) :: placeFrom (S k) o' l at_
  end.
(* The element of the root. *)
Definition place (v : view A) (at_ : list A) : list A :=
  placeFrom 0 (origin v) (along v) at_.

(* The axes of a number's digits, of which all but the first one count less
   than their factor. *)
Fixpoint digitAxes (r : nat) (scale : A) (factors : list A)
  : list (nat * A) :=
  match factors with
  | [] => []
  | _ :: factors' =>
      (r, times (fold_right times one factors') scale)
        :: digitAxes r scale factors'
  end.

Definition stepped (v : view A) (s : viewStep A) : view A :=
  match s with
  | Slice offsets sizes => View_ (root v) sizes (place v offsets) (along v)
  | Permute axes =>
      View_ (root v) (pick (extents_ v) axes) (origin v) (pick (along v) axes)
  | Unfold axis factors =>
      View_ (root v) (instead (extents_ v) axis factors) (origin v)
        (instead (along v) axis
           match nth_error (along v) axis with
           | Some (r, scale) => digitAxes r scale factors
           | None => []
           end)
  | FixAt axis x =>
      View_ (root v) (instead (extents_ v) axis [])
        (placeFrom 0 (origin v) (pick (along v) [axis]) [x])
        (instead (along v) axis [])
  end.

End Views.

(* In a run. *)

Definition wholeOf : nat -> list Z -> view Z := wholeView 0 1.
Definition placeOf : view Z -> list Z -> list Z := place 0 Z.add Z.mul.
Definition step_ : view Z -> viewStep Z -> view Z := stepped 0 1 Z.add Z.mul.

Fixpoint slices (extents offsets sizes : list Z) : bool :=
  match extents, offsets, sizes with
  | [], [], [] => true
  | e :: extents', o :: offsets', n :: sizes' =>
      (0 <=? o) && (0 <=? n) && (o + n <=? e) && slices extents' offsets' sizes'
  | _, _, _ => false
  end.

(* A view of a view, if the step keeps its rule. *)
Definition viewed (v : view Z) (s : viewStep Z) : outcome (view Z) :=
  if fitsRank (length (extents_ v)) s then
    match s with
    | Slice offsets sizes =>
        if slices (extents_ v) offsets sizes then Ok (step_ v s)
        else Stuck ViewSlice
    | Permute _ => Ok (step_ v s)
    | Unfold axis factors =>
        if nth axis (extents_ v) 0 =? fold_right Z.mul 1 factors
        then Ok (step_ v s) else Stuck ViewUnfold
    | FixAt axis x =>
        if (0 <=? x) && (x <? nth axis (extents_ v) 0) then Ok (step_ v s)
        else Stuck ViewFix
    end
  else Malformed.

(* A tensor is a view of itself. *)

Lemma reach_behind k n : forall at_ a, (k < a)%nat ->
  reach 0 Z.add Z.mul k (map (fun k => (k, 1)) (seq a n)) at_ = 0.
Proof.
  induction n as [|n IH]; intros [|x at_] a L; simpl; auto.
  destruct (Nat.eqb_spec a k); [lia|]. apply IH. lia.
Qed.
Lemma placeFrom_ahead r c l x at_ : forall (o : list Z) k, (r < k)%nat ->
  placeFrom 0 Z.add Z.mul k o ((r, c) :: l) (x :: at_) =
  placeFrom 0 Z.add Z.mul k o l at_.
Proof.
  induction o as [|y o IH]; intros k L; simpl; [reflexivity|].
  destruct (Nat.eqb_spec r k); [lia|]. f_equal. apply IH. lia.
Qed.

Theorem place_whole t es at_ : length at_ = length es ->
  placeOf (wholeOf t es) at_ = at_.
Proof.
  unfold placeOf, place, wholeOf, wholeView. simpl. generalize 0%nat as a.
  revert at_. induction es as [|e es IH]; intros [|x at_] a L;
    try discriminate; [reflexivity|]. injection L as L.
  cbn [length seq map placeFrom reach].
  rewrite Nat.eqb_refl, reach_behind, placeFrom_ahead, IH by (auto; lia).
  f_equal. lia.
Qed.

(* Numbers of one kind for numbers of another. *)

Section Homomorphism.

Context {A B : Type} (f : A -> B).
Context (zero one : A) (plus_ times : A -> A -> A).
Context (zero' one' : B) (plus' times' : B -> B -> B).
Context (hZero : f zero = zero') (hOne : f one = one')
  (hPlus : forall a b, f (plus_ a b) = plus' (f a) (f b))
  (hTimes : forall a b, f (times a b) = times' (f a) (f b)).

Notation mapAxes := (map (fun a => (fst a, f (snd a)))).

Lemma whole_map t es : mapView f (wholeView zero one t es) =
  wholeView zero' one' t (map f es).
Proof.
  unfold mapView, wholeView. simpl. rewrite !map_map, map_length. simpl.
  now rewrite hZero, hOne.
Qed.

Lemma reach_map k : forall l at_,
  f (reach zero plus_ times k l at_) =
  reach zero' plus' times' k (mapAxes l) (map f at_).
Proof.
  induction l as [|[r c] l IH]; intros [|x at_]; simpl; auto.
  destruct (Nat.eqb r k); [|apply IH]. now rewrite hPlus, hTimes, IH.
Qed.
Lemma placeFrom_map l at_ : forall o k,
  map f (placeFrom zero plus_ times k o l at_) =
  placeFrom zero' plus' times' k (map f o) (mapAxes l) (map f at_).
Proof.
  induction o as [|x o IH]; intro k; simpl; [reflexivity|].
  now rewrite hPlus, reach_map, IH.
Qed.
Lemma place_map v at_ : map f (place zero plus_ times v at_) =
  place zero' plus' times' (mapView f v) (map f at_).
Proof. apply placeFrom_map. Qed.

Lemma pick_map {C D} (g : C -> D) l numbers :
  map g (pick l numbers) = pick (map g l) numbers.
Proof.
  unfold pick. induction numbers as [|k numbers IH]; [reflexivity|].
  cbn [flat_map]. rewrite map_app, IH, nth_error_map.
  now destruct (nth_error l k).
Qed.
Lemma instead_map {C D} (g : C -> D) l k these :
  map g (instead l k these) = instead (map g l) k (map g these).
Proof.
  unfold instead. now rewrite !map_app, firstn_map, skipn_map.
Qed.
Lemma digits_map r scale : forall factors,
  mapAxes (digitAxes one times r scale factors) =
  digitAxes one' times' r (f scale) (map f factors).
Proof.
  assert (P : forall l,
    f (fold_right times one l) = fold_right times' one' (map f l)).
  { induction l as [|x l IH]; simpl; [exact hOne|]. now rewrite hTimes, IH. }
  induction factors as [|x factors IH]; simpl; [reflexivity|].
  now rewrite hTimes, P, IH.
Qed.

Theorem step_map v s : mapView f (stepped zero one plus_ times v s) =
  stepped zero' one' plus' times' (mapView f v) (mapStep f s).
Proof.
  destruct s as [offsets sizes|axes|axis factors|axis x];
    unfold stepped, mapView, place; cbn [mapStep root extents_ origin along].
  - now rewrite placeFrom_map.
  - now rewrite !pick_map.
  - rewrite !instead_map, nth_error_map.
    destruct (nth_error (along v) axis) as [[r c]|]; simpl; [|reflexivity].
    now rewrite digits_map.
  - now rewrite !instead_map, placeFrom_map, pick_map.
Qed.

Lemma fitsRank_map n s : fitsRank n (mapStep f s) = fitsRank n s.
Proof. destruct s; simpl; rewrite ?map_length; reflexivity. Qed.

End Homomorphism.
