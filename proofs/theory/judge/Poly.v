(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Integer polynomials as the C++ judge has them: terms sorted by degree, then
   by variables, none with coefficient zero. That the values are right holds of
   every list of terms; that equal polynomials are equal lists holds of sorted
   ones, and no theorem depends on it. *)

From Coq Require Import ZArith List Bool Lia.
Import ListNotations.
Open Scope Z_scope.

Definition var := positive.
Definition mono := list var.
Definition poly := list (mono * Z).
Definition env := var -> Z.

Fixpoint evalMono (e : env) (m : mono) : Z :=
  match m with
  | [] => 1
  | v :: m' => e v * evalMono e m'
  end.

Fixpoint eval (e : env) (p : poly) : Z :=
  match p with
  | [] => 0
  | (m, c) :: p' => c * evalMono e m + eval e p'
  end.

(* Arithmetic. *)

Fixpoint mulMono (a : mono) : mono -> mono :=
  match a with
  | [] => fun b => b
  | x :: a' =>
      fix inner (b : mono) : mono :=
        match b with
        | [] => a
        | y :: b' =>
            if (x <=? y)%positive then x :: mulMono a' b else y :: inner b'
        end
  end.

Fixpoint compareVars (a b : mono) : comparison :=
  match a, b with
  | [], [] => Eq
  | [], _ => Lt
  | _, [] => Gt
  | x :: a', y :: b' =>
      match Pos.compare x y with Eq => compareVars a' b' | c => c end
  end.

Definition compareMono (a b : mono) : comparison :=
  match Nat.compare (length a) (length b) with
  | Eq => compareVars a b
  | c => c
  end.

Fixpoint add (a : poly) : poly -> poly :=
  match a with
  | [] => fun b => b
  | (m, c) :: a' =>
      fix inner (b : poly) : poly :=
        match b with
        | [] => a
        | (n, d) :: b' =>
            match compareMono m n with
            | Lt => (m, c) :: add a' b
            | Gt => (n, d) :: inner b'
            | Eq =>
                let s := c + d in
                if s =? 0 then add a' b' else (m, s) :: add a' b'
            end
        end
  end.

Definition constant (c : Z) : poly := if c =? 0 then [] else [([], c)].
Definition variable (v : var) : poly := [([v], 1)].
Definition neg (p : poly) : poly := map (fun t => (fst t, - snd t)) p.
Definition sub (a b : poly) : poly := add a (neg b).
Definition mulTerm (m : mono) (c : Z) (p : poly) : poly :=
  map (fun t => (mulMono m (fst t), c * snd t)) p.

Fixpoint mul (a b : poly) : poly :=
  match a with
  | [] => []
  | (m, c) :: a' => add (mulTerm m c b) (mul a' b)
  end.

(* p <= -1, as -p - 1 >= 0. *)
Definition below (p : poly) : poly := sub (neg p) (constant 1).

Definition contains (v : var) (p : poly) : bool :=
  existsb (fun t => existsb (Pos.eqb v) (fst t)) p.

Fixpoint substMono (v : var) (value : poly) (m : mono) : poly :=
  match m with
  | [] => constant 1
  | x :: m' =>
      if (x =? v)%positive then mul value (substMono v value m')
      else mulTerm [x] 1 (substMono v value m')
  end.

Fixpoint substTerms (v : var) (value p : poly) : poly :=
  match p with
  | [] => []
  | (m, c) :: p' =>
      add (mulTerm [] c (substMono v value m)) (substTerms v value p')
  end.

Definition subst (v : var) (value p : poly) : poly :=
  if contains v p then substTerms v value p else p.

(* The coefficient of the monomial v. *)
Fixpoint coefficient (v : var) (p : poly) : Z :=
  match p with
  | [] => 0
  | ([x], c) :: p' => if (x =? v)%positive then c else coefficient v p'
  | _ :: p' => coefficient v p'
  end.

(* The value of v by p = 0, if v occurs in it alone, linearly, with coefficient
   1 or -1. *)
Definition solvedFor (p : poly) (v : var) : option poly :=
  let c := coefficient v p in
  let rest := sub p (mulTerm [v] c (constant 1)) in
  if contains v rest then None
  else if c =? 1 then Some (neg rest)
  else if c =? -1 then Some rest
  else None.

(* Values. *)

Lemma mulMono_eval e a : forall b,
  evalMono e (mulMono a b) = evalMono e a * evalMono e b.
Proof.
  induction a as [|x a IHa]; intro b; [cbn [evalMono mulMono]; ring|].
  induction b as [|y b IHb]; [cbn [evalMono mulMono]; ring|].
  cbn [mulMono] in *. destruct (x <=? y)%positive; cbn [evalMono] in *.
  - rewrite IHa. cbn [evalMono]. ring.
  - rewrite IHb. ring.
Qed.

Lemma compareVars_eq a : forall b, compareVars a b = Eq -> a = b.
Proof.
  induction a as [|x a IH]; destruct b as [|y b]; simpl; try discriminate; auto.
  destruct (Pos.compare_spec x y); try discriminate.
  intro H0. subst. f_equal. auto.
Qed.

Lemma compareMono_eq a b : compareMono a b = Eq -> a = b.
Proof.
  unfold compareMono. destruct (Nat.compare _ _); try discriminate.
  apply compareVars_eq.
Qed.

Lemma add_eval e a : forall b, eval e (add a b) = eval e a + eval e b.
Proof.
  induction a as [|[m c] a IHa]; intro b; [simpl; lia|].
  induction b as [|[n d] b IHb]; [simpl; lia|].
  cbn [add]. destruct (compareMono m n) eqn:E.
  - apply compareMono_eq in E. subst n. cbv zeta.
    destruct (Z.eqb_spec (c + d) 0) as [Z|Z]; cbn [eval]; rewrite IHa; [|ring].
    replace d with (- c) by lia. ring.
  - cbn [eval]. rewrite IHa. cbn [eval]. ring.
  - change (eval e ((n, d) :: add ((m, c) :: a) b) =
            eval e ((m, c) :: a) + eval e ((n, d) :: b)).
    cbn [eval] in *. rewrite IHb. ring.
Qed.

Lemma constant_eval e c : eval e (constant c) = c.
Proof. unfold constant. destruct (Z.eqb_spec c 0); simpl; lia. Qed.

Lemma variable_eval e v : eval e (variable v) = e v.
Proof. unfold variable. cbn [eval evalMono]. ring. Qed.

Lemma neg_eval e p : eval e (neg p) = - eval e p.
Proof. induction p as [|[m c] p IH]; simpl; [|rewrite IH]; ring. Qed.

Lemma sub_eval e a b : eval e (sub a b) = eval e a - eval e b.
Proof. unfold sub. rewrite add_eval, neg_eval. ring. Qed.

Lemma mulTerm_eval e m c p :
  eval e (mulTerm m c p) = c * evalMono e m * eval e p.
Proof.
  induction p as [|[n d] p IH]; [simpl; ring|].
  unfold mulTerm in *. cbn [eval map fst snd].
  rewrite IH, mulMono_eval. ring.
Qed.

Lemma mul_eval e a b : eval e (mul a b) = eval e a * eval e b.
Proof.
  induction a as [|[m c] a IH]; cbn [eval mul]; [ring|].
  rewrite add_eval, mulTerm_eval, IH. ring.
Qed.

Lemma below_eval e p : eval e (below p) = - eval e p - 1.
Proof. unfold below. rewrite sub_eval, neg_eval, constant_eval. ring. Qed.

Lemma substMono_eval e v value m :
  e v = eval e value -> eval e (substMono v value m) = evalMono e m.
Proof.
  intro H. induction m as [|x m IH]; cbn [substMono evalMono].
  { apply constant_eval. }
  destruct (Pos.eqb_spec x v).
  - subst x. rewrite mul_eval, IH, H. reflexivity.
  - rewrite mulTerm_eval, IH. cbn [evalMono]. ring.
Qed.

Lemma substTerms_eval e v value p :
  e v = eval e value -> eval e (substTerms v value p) = eval e p.
Proof.
  intro H. induction p as [|[m c] p IH]; cbn [substTerms eval].
  { reflexivity. }
  rewrite add_eval, mulTerm_eval, substMono_eval, IH by assumption.
  cbn [evalMono]. ring.
Qed.

Lemma subst_eval e v value p :
  e v = eval e value -> eval e (subst v value p) = eval e p.
Proof.
  intro H. unfold subst. destruct (contains v p); [|reflexivity].
  apply substTerms_eval, H.
Qed.

Lemma solvedFor_sound e p v value :
  solvedFor p v = Some value -> eval e p = 0 -> e v = eval e value.
Proof.
  unfold solvedFor. cbv zeta. set (c := coefficient v p).
  set (rest := sub p _). intros S P.
  assert (R : eval e rest = - (c * e v)).
  { unfold rest. rewrite sub_eval, mulTerm_eval, constant_eval, P.
    cbn [evalMono]. ring. }
  destruct (contains v rest); [discriminate|].
  destruct (Z.eqb_spec c 1) as [C|_].
  { injection S as <-. rewrite neg_eval, R, C. ring. }
  destruct (Z.eqb_spec c (-1)) as [C|_]; [|discriminate].
  injection S as <-. rewrite R, C. ring.
Qed.
