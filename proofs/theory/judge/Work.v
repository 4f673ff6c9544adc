(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The work that a certificate asks of the judge, and its limit. Work is counted
   in units, before it is done, and by the same rule in proofs/Judge.cpp; what
   would take more than is left is rejected. A judge with a limit accepts what
   the one without accepts, or less. *)

From Coq Require Import ZArith List Bool Lia.
From Girih Require Export Cert.
Import ListNotations.
Open Scope Z_scope.

(* Of one certificate, and of all accepted ones of a list. *)
Definition maxWork : N := 2 ^ 24.
Definition maxListWork : N := 2 ^ 26.

(* A unit a term, and one a letter of it. *)
Fixpoint size (p : poly) : N :=
  match p with
  | [] => 0
  | (m, _) :: p' => N.succ (N.of_nat (length m)) + size p'
  end.

(* What is left; nothing when it is not enough. *)
Definition spend (cost left : N) : option N :=
  if N.leb cost left then Some (left - cost)%N else None.

Definition next {A B} (o : option A) (f : A -> option B) : option B :=
  match o with Some a => f a | None => None end.
#[local] Notation "'have' x <- a ; b" := (next a (fun x => b))
  (at level 200, x pattern, a at level 100, b at level 200).

Fixpoint workProduct (facts : list fact) (l : list N) (left : N)
  : option (poly * bool * N) :=
  match l with
  | [] => Some (constant 1, false, left)
  | i :: l' =>
      have a <- atomAt facts i;
      have (p, eq, left) <- workProduct facts l' left;
      have left <- spend (1 + size (body a) * size p) left;
      Some (mul (body a) p, equality a || eq, left)
  end.

Fixpoint workSum (facts : list fact) (l : list (Z * list N)) (left : N)
  : option (poly * N) :=
  match l with
  | [] => Some ([], left)
  | (w, is) :: l' =>
      have (p, eq, left) <- workProduct facts is left;
      have (s, left) <- workSum facts l' left;
      have left <- spend (1 + size p + size s) left;
      if (0 <? w) || eq then Some (add (mul (constant w) p) s, left) else None
  end.

Definition workLeaf (facts : list fact) (l : list (Z * list N)) (left : N)
  : option N :=
  have left <- spend 1 left;
  have (p, left) <- workSum facts l left;
  if isNegative p then Some left else None.

Fixpoint workMono (v : var) (value : poly) (m : mono) (left : N)
  : option (poly * N) :=
  match m with
  | [] => Some (constant 1, left)
  | x :: m' =>
      have (t, left) <- workMono v value m' left;
      if (x =? v)%positive then
        have left <- spend (1 + size value * size t) left;
        Some (mul value t, left)
      else
        have left <- spend (1 + size t) left; Some (mulTerm [x] 1 t, left)
  end.

Fixpoint workTerms (v : var) (value p : poly) (left : N) : option (poly * N) :=
  match p with
  | [] => Some ([], left)
  | (m, c) :: p' =>
      have (r, left) <- workTerms v value p' left;
      have (t, left) <- workMono v value m left;
      have left <- spend (1 + size t + size r) left;
      Some (add (mulTerm [] c t) r, left)
  end.

Definition workSubst (v : var) (value p : poly) (left : N) : option (poly * N) :=
  have left <- spend (1 + size p) left;
  if contains v p then workTerms v value p left else Some (p, left).

(* A list, what is left handed on. *)
Fixpoint workAll {A B} (f : A -> N -> option (B * N)) (l : list A) (left : N)
  : option (list B * N) :=
  match l with
  | [] => Some ([], left)
  | x :: l' =>
      have (y, left) <- f x left;
      have (ys, left) <- workAll f l' left; Some (y :: ys, left)
  end.

Definition workFact (v : var) (value : poly) : fact -> N -> option (fact * N) :=
  workAll (workAll (fun a left =>
    have (p, left) <- workSubst v value (body a) left;
    Some (Atom (equality a) p, left))).

Definition workSolve (facts : list fact) (i : N) (v : var) (left : N)
  : option (list fact * N) :=
  have left <- spend 1 left;
  match atomAt facts i with
  | Some (Atom true p) =>
      have value <- solvedFor p v; workAll (workFact v value) facts left
  | _ => None
  end.

Fixpoint branchSize (b : list atom) : N :=
  match b with
  | [] => 0
  | a :: b' => 1 + size (body a) + branchSize b'
  end.

(* What is left where the certificate is accepted. *)
Fixpoint works (facts : list fact) (c : cert) (left : N) {struct c}
  : option N :=
  let 'Cert n children := c in
  match n, children with
  | Leaf l, [] => workLeaf facts l left
  | Solve i v, [c1] =>
      have (facts', left) <- workSolve facts i v left; works facts' c1 left
  | Case i, _ =>
      have left <- spend 1 left;
      have f <- at_ facts i;
      (fix all (f : fact) (children : list cert) (left : N) {struct children} :=
         match f, children with
         | [], [] => Some left
         | b :: f', c1 :: children' =>
             have left <- spend (branchSize b) left;
             have left <- works (facts ++ atoms b) c1 left;
             all f' children' left
         | _, _ => None
         end) f children left
  | Split p, [c1; c2; c3] =>
      have left <- spend (1 + 3 * (1 + size p)) left;
      have left <- works (facts ++ [GeZ (below p)]) c1 left;
      have left <- works (facts ++ [EqZ p]) c2 left;
      works (facts ++ [GeZ (sub p (constant 1))]) c3 left
  | Have p, [c1; c2] =>
      have left <- spend (1 + 2 * (1 + size p)) left;
      have left <- works (facts ++ [GeZ (below p)]) c1 left;
      works (facts ++ [GeZ p]) c2 left
  | _, _ => None
  end.

(* A certificate of a list of which so much is left: how much is left after it,
   if it is accepted. *)
Definition listWork (facts : list fact) (c : cert) (left : N) : option N :=
  have rest <- works facts c (N.min maxWork left);
  Some (left - (N.min maxWork left - rest))%N.

(* What is accepted is accepted without a limit. *)

Lemma next_inv {A B} (o : option A) (f : A -> option B) b :
  next o f = Some b -> exists a, o = Some a /\ f a = Some b.
Proof. destruct o; [eauto|discriminate]. Qed.

Ltac opened H := let x := fresh "x" in let E := fresh "E" in
  apply next_inv in H as [x [E H]]; cbv beta in E, H;
  try match type of x with (_ * _)%type => destruct x end;
  try match goal with p : (_ * _)%type |- _ => destruct p end.

Lemma workProduct_erased facts l : forall left p eq left',
  workProduct facts l left = Some (p, eq, left') ->
  product facts l = Some (p, eq).
Proof.
  induction l as [|i l IH]; simpl; intros left p eq left' H.
  - now injection H as <- <- _.
  - repeat opened H. injection H as <- <- _. rewrite E.
    now rewrite (IH _ _ _ _ E0).
Qed.

Lemma workSum_erased facts l : forall left p left',
  workSum facts l left = Some (p, left') -> sum facts l = Some p.
Proof.
  induction l as [|[w is] l IH]; simpl; intros left p left' H.
  - now injection H as <- <-.
  - repeat opened H. rewrite (workProduct_erased _ _ _ _ _ _ E).
    rewrite (IH _ _ _ E0). destruct (_ || _); [congruence|discriminate].
Qed.

Lemma workLeaf_erased facts l left left' :
  workLeaf facts l left = Some left' -> refutesLeaf facts l = true.
Proof.
  unfold workLeaf, refutesLeaf. intro H. repeat opened H.
  rewrite (workSum_erased _ _ _ _ _ E0). now destruct (isNegative _).
Qed.

Lemma workMono_erased v value m : forall left p left',
  workMono v value m left = Some (p, left') -> substMono v value m = p.
Proof.
  induction m as [|x m IH]; simpl; intros left p left' H.
  - now injection H as <- <-.
  - opened H. rewrite (IH _ _ _ E). destruct (x =? v)%positive; opened H;
      congruence.
Qed.

Lemma workTerms_erased v value p : forall left q left',
  workTerms v value p left = Some (q, left') -> substTerms v value p = q.
Proof.
  induction p as [|[m c] p IH]; simpl; intros left q left' H.
  - now injection H as <- <-.
  - repeat opened H. rewrite (IH _ _ _ E), (workMono_erased _ _ _ _ _ _ E0).
    congruence.
Qed.

Lemma workSubst_erased v value p left q left' :
  workSubst v value p left = Some (q, left') -> subst v value p = q.
Proof.
  unfold workSubst, subst. intro H. opened H.
  destruct (contains v p); [now apply workTerms_erased in H|congruence].
Qed.

Lemma workAll_erased {A B} (f : A -> N -> option (B * N)) (g : A -> B) :
  (forall x left y left', f x left = Some (y, left') -> g x = y) ->
  forall l left l' left', workAll f l left = Some (l', left') -> map g l = l'.
Proof.
  intros F. induction l as [|x l IH]; simpl; intros left l' left' H.
  - now injection H as <- <-.
  - repeat opened H. injection H as <- _. f_equal; eauto.
Qed.

Lemma workFact_erased v value f left f' left' :
  workFact v value f left = Some (f', left') -> substFact v value f = f'.
Proof.
  apply workAll_erased. apply workAll_erased. clear. intros a left b left' H.
  opened H. injection H as <- _. now rewrite (workSubst_erased _ _ _ _ _ _ E).
Qed.

Lemma workSolve_erased facts i v left facts' left' :
  workSolve facts i v left = Some (facts', left') ->
  solve facts i v = Some facts'.
Proof.
  unfold workSolve, solve. intro H. opened H.
  destruct (atomAt facts i) as [[[|] p]|]; try discriminate. opened H.
  rewrite E0. f_equal. eapply workAll_erased; [|exact H].
  apply workFact_erased.
Qed.

Theorem works_refutes tree : forall facts left left',
  works facts tree left = Some left' -> refutes facts tree = true.
Proof.
  induction tree as [n l IH] using cert_all. intros facts left left' H.
  destruct n as [ps|i v|i|p|p].
  - destruct l; [|discriminate]. simpl in *. eapply workLeaf_erased, H.
  - destruct l as [|c1 [|]]; try discriminate. simpl in *. opened H.
    rewrite (workSolve_erased _ _ _ _ _ _ E). inversion IH. eauto.
  - simpl in *. do 2 opened H. rewrite E0. clear E E0. revert x0 x H.
    induction l as [|c1 l IHl]; intros [|b f] left1 H; try discriminate; auto.
    inversion IH; subst. do 2 opened H. apply andb_true_iff. split; eauto.
  - destruct l as [|c1 [|c2 [|c3 [|]]]]; try discriminate. simpl in *.
    do 3 opened H. inversion IH as [|? ? I1 IH']; subst.
    inversion IH' as [|? ? I2 IH2]; subst. inversion IH2; subst.
    rewrite !andb_true_iff. repeat split; eauto.
  - destruct l as [|c1 [|c2 [|]]]; try discriminate. simpl in *.
    do 2 opened H. inversion IH as [|? ? I1 IH']; subst.
    inversion IH'; subst. rewrite !andb_true_iff. repeat split; eauto.
Qed.

Corollary listWork_refutes facts tree left left' :
  listWork facts tree left = Some left' -> refutes facts tree = true.
Proof. unfold listWork. intro H. opened H. eapply works_refutes, E. Qed.
