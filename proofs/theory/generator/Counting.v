(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Two shortcuts of the checker. Coverage by counting: as many blocks as tiles
   that never claim a tile twice claim all of them. Pairs of one site: of two
   blocks that claim the same, the one that comes first may be called so. *)

From Coq Require Import ZArith List Bool Lia.
From Girih Require Export Pairs.
Import ListNotations.
Open Scope Z_scope.

(* The elements of a box, each once. *)
Definition elementsOf (dims : list Z) : list (list Z) :=
  map (fun n => delinear dims (Z.of_nat n)) (seq 0 (Z.to_nat (volume dims))).

Lemma elementsOf_length dims :
  length (elementsOf dims) = Z.to_nat (volume dims).
Proof. unfold elementsOf. now rewrite map_length, seq_length. Qed.

Lemma elementsOf_spec dims at_ : Forall (Z.le 0) dims ->
  (In at_ (elementsOf dims) <-> inBox dims at_).
Proof.
  intro D. unfold elementsOf. rewrite in_map_iff. split.
  - intros (n & <- & I). apply in_seq in I. apply linear_delinear; [exact D|].
    lia.
  - intro B. exists (Z.to_nat (linear dims at_)).
    pose proof (linear_bound _ _ B). rewrite Z2Nat.id by lia.
    split; [now apply delinear_linear|]. apply in_seq. lia.
Qed.

Lemma map_distinct {A B} (f : A -> B) l : NoDup l ->
  (forall x y, In x l -> In y l -> f x = f y -> x = y) -> NoDup (map f l).
Proof.
  induction 1 as [|x l N D IH]; simpl; intro F; constructor.
  - intro I. apply in_map_iff in I as (y & E & I). apply N.
    rewrite (F x y); auto.
  - apply IH. intros y z Y Z. apply F; auto.
Qed.

Lemma elementsOf_distinct dims :
  Forall (Z.le 0) dims -> NoDup (elementsOf dims).
Proof.
  intro D. apply map_distinct; [apply seq_NoDup|].
  intros x y X Y E. apply in_seq in X, Y. apply (f_equal (linear dims)) in E.
  rewrite (proj2 (linear_delinear dims (Z.of_nat x) D ltac:(lia))) in E.
  rewrite (proj2 (linear_delinear dims (Z.of_nat y) D ltac:(lia))) in E. lia.
Qed.

Lemma inBox_dims dims at_ : inBox dims at_ -> Forall (Z.le 0) dims.
Proof. induction 1; constructor; auto. lia. Qed.

Section Counting.

Context (src dst : list Z) (f : list Z -> list Z).
Context (Src : Forall (Z.le 0) src) (Enough : volume dst <= volume src).
Context (Maps : forall x, inBox src x -> inBox dst (f x)).

(* An injective map into a box that is not larger reaches all of it. *)
Theorem counting :
  (forall x y, inBox src x -> inBox src y -> f x = f y -> x = y) ->
  forall z, inBox dst z -> exists x, inBox src x /\ f x = z.
Proof.
  intros Inj z Z0. pose proof (inBox_dims _ _ Z0) as Dst.
  assert (I : incl (elementsOf dst) (map f (elementsOf src))).
  { apply NoDup_length_incl.
    - apply map_distinct; [now apply elementsOf_distinct|].
      intros x y X Y. apply elementsOf_spec in X, Y; auto.
    - rewrite map_length, !elementsOf_length. lia.
    - intros y Y. apply in_map_iff in Y as (x & <- & X).
      apply elementsOf_spec; auto. apply Maps. now apply elementsOf_spec. }
  apply elementsOf_spec in Z0; [|exact Dst].
  apply I, in_map_iff in Z0 as (x & E & X).
  exists x. split; [now apply elementsOf_spec|exact E].
Qed.

(* A map that undoes it from one side does from the other. *)
Theorem counting_inverse g :
  (forall x, inBox src x -> g (f x) = x) ->
  forall z, inBox dst z -> inBox src (g z) /\ f (g z) = z.
Proof.
  intros G z Z0. destruct (counting) with (z := z) as (x & X & <-); auto.
  - intros x y X Y E. rewrite <- (G x X), <- (G y Y). now f_equal.
  - now rewrite G.
Qed.

(* And there is one. *)
Definition search (z : list Z) : list Z :=
  match find (fun x => if list_eq_dec Z.eq_dec (f x) z then true else false)
          (elementsOf src) with
  | Some x => x
  | None => []
  end.

Theorem bijection_inverse :
  (forall x y, inBox src x -> inBox src y -> f x = f y -> x = y) ->
  (forall x, inBox src x -> search (f x) = x) /\
  (forall z, inBox dst z -> inBox src (search z) /\ f (search z) = z).
Proof.
  intro Inj. assert (G : forall x, inBox src x -> search (f x) = x).
  { intros x X. unfold search.
    destruct (find _ (elementsOf src)) as [y|] eqn:F.
    - apply find_some in F as [I E]. apply elementsOf_spec in I; [|exact Src].
      destruct (list_eq_dec Z.eq_dec (f y) (f x)); [|discriminate]. auto.
    - apply elementsOf_spec in X; [|exact Src].
      apply (find_none _ _ F) in X.
      now destruct (list_eq_dec Z.eq_dec (f x) (f x)). }
  split; [exact G|now apply counting_inverse].
Qed.

End Counting.

(* Two different blocks. *)

(* The first axis on which they differ has a smaller number in the first. *)
Fixpoint comesFirst (a b : list Z) : Prop :=
  match a, b with
  | x :: a', y :: b' => x < y \/ x = y /\ comesFirst a' b'
  | _, _ => False
  end.

Lemma comesFirst_total a b : length a = length b -> a <> b ->
  comesFirst a b \/ comesFirst b a.
Proof.
  revert b. induction a as [|x a IH]; intros [|y b] L N; try discriminate;
    [now destruct N|]. simpl.
  destruct (Z.lt_trichotomy x y) as [H|[<-|H]]; auto.
  destruct (IH b) as [H|H]; auto. intros ->. now apply N.
Qed.

Lemma comesFirst_differ a b : comesFirst a b -> a <> b.
Proof.
  revert b. induction a as [|x a IH]; intros b C <-; [exact C|].
  simpl in C. destruct C as [C|[_ C]]; [lia|now apply (IH a)].
Qed.

(* What is symmetric and fails in this order fails. *)
Theorem without_loss (R : list Z -> list Z -> Prop) :
  (forall a b, R a b -> R b a) ->
  (forall a b, length a = length b -> comesFirst a b -> ~ R a b) ->
  forall a b, length a = length b -> a <> b -> ~ R a b.
Proof.
  intros S F a b L N H.
  destruct (comesFirst_total a b L N) as [C|C].
  - exact (F a b L C H).
  - exact (F b a (eq_sym L) C (S a b H)).
Qed.

(* What the checker assumes of the ids f and g of the two: each way is an axis
   on which they differ, those before it being equal. *)

Section Differ.

Context {A} (e : Poly.env) (f g : A -> poly) (axes : list A).

Definition idsOf (f : A -> poly) : list Z := map (fun v => eval e (f v)) axes.

Lemma differ_spec symmetric sofar :
  holds e (differ symmetric sofar (map (fun v => sub (g v) (f v)) axes)) <->
  Forall (holdsAtom e) sofar /\
  (comesFirst (idsOf f) (idsOf g) \/
   symmetric = false /\ comesFirst (idsOf g) (idsOf f)).
Proof.
  unfold holds, idsOf. revert sofar. induction axes as [|v vs IH]; intro sofar.
  { simpl. rewrite Exists_nil. tauto. }
  cbn [differ map comesFirst].
  assert (G : forall c, Forall (holdsAtom e) (sofar ++ [c]) <->
                        Forall (holdsAtom e) sofar /\ holdsAtom e c).
  { intro c. rewrite Forall_app, Forall_cons_iff.
    pose proof (Forall_nil (holdsAtom e)). tauto. }
  rewrite Exists_cons, Exists_app, IH, !G. unfold holdsAtom. simpl.
  set (x := eval e (f v)). set (y := eval e (g v)).
  assert (Lt : 0 <= eval e (plus (sub (g v) (f v)) (-1)) <-> x < y)
    by (unfold plus; rewrite add_eval, constant_eval, sub_eval; lia).
  assert (Gt : 0 <= eval e (below (sub (g v) (f v))) <-> y < x)
    by (rewrite below_eval, sub_eval; lia).
  assert (Eq : eval e (sub (g v) (f v)) = 0 <-> x = y)
    by (rewrite sub_eval; lia).
  assert (Sym : y = x <-> x = y) by lia.
  rewrite Lt, Eq, Sym. destruct symmetric.
  - rewrite Exists_nil. intuition discriminate.
  - rewrite Exists_cons, Exists_nil, G. unfold holdsAtom. simpl.
    rewrite Gt. tauto.
Qed.

Lemma idsOf_length : length (idsOf f) = length (idsOf g).
Proof. unfold idsOf. now rewrite !map_length. Qed.

(* Two blocks are different just when the fact of any two claims holds. *)
Theorem differ_total :
  holds e (differ false [] (map (fun v => sub (g v) (f v)) axes)) <->
  idsOf f <> idsOf g.
Proof.
  rewrite differ_spec. split.
  - intros [_ [C|[_ C]]]; apply comesFirst_differ in C; auto.
  - intro N. split; [constructor|].
    destruct (comesFirst_total _ _ idsOf_length N); auto.
Qed.

(* And that of a claim against itself says which comes first. *)
Theorem differ_first :
  holds e (differ true [] (map (fun v => sub (g v) (f v)) axes)) <->
  comesFirst (idsOf f) (idsOf g).
Proof.
  rewrite differ_spec. pose proof (Forall_nil (holdsAtom e)).
  intuition discriminate.
Qed.

End Differ.

Corollary differ_symmetric {A} e (f g : A -> poly) axes :
  idsOf e axes f <> idsOf e axes g ->
  holds e (differ true [] (map (fun v => sub (g v) (f v)) axes)) \/
  holds e (differ true [] (map (fun v => sub (f v) (g v)) axes)).
Proof.
  intro N. rewrite !differ_first.
  apply comesFirst_total; [apply idsOf_length|exact N].
Qed.
