(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The certificate checker and its soundness. It accepts what proofs/Judge.cpp
   accepts and, since its integers have no bounds, what overflows there. *)

From Coq Require Import ZArith List Bool Lia.
From Girih Require Export Poly.
Import ListNotations.
Open Scope Z_scope.

(* Facts: disjunctions of conjunctions of atoms. *)

Record atom := Atom { equality : bool; body : poly }.
Definition fact := list (list atom).

Definition GeZ (p : poly) : fact := [[Atom false p]].
Definition EqZ (p : poly) : fact := [[Atom true p]].

Definition holdsAtom (e : env) (a : atom) : Prop :=
  if equality a then eval e (body a) = 0 else 0 <= eval e (body a).
Definition holds (e : env) (f : fact) : Prop :=
  Exists (Forall (holdsAtom e)) f.

(* Certificates: a node and its children, of any number; the checker counts. *)

Inductive node :=
  | Leaf (products : list (Z * list N))
  | Solve (i : N) (v : var)
  | Case (i : N)
  | Split (p : poly)
  | Have (p : poly).

Inductive cert := Cert (n : node) (children : list cert).

Fixpoint at_ {A} (l : list A) (i : N) : option A :=
  match l with
  | [] => None
  | x :: l' => if N.eqb i 0 then Some x else at_ l' (N.pred i)
  end.

Definition atomAt (facts : list fact) (i : N) : option atom :=
  match at_ facts i with Some [[a]] => Some a | _ => None end.

(* The product of some facts, and whether one of them is an equality. *)
Fixpoint product (facts : list fact) (l : list N) : option (poly * bool) :=
  match l with
  | [] => Some (constant 1, false)
  | i :: l' =>
      match atomAt facts i, product facts l' with
      | Some a, Some (p, eq) => Some (mul (body a) p, equality a || eq)
      | _, _ => None
      end
  end.

Fixpoint sum (facts : list fact) (l : list (Z * list N)) : option poly :=
  match l with
  | [] => Some []
  | (w, is) :: l' =>
      match product facts is, sum facts l' with
      | Some (p, eq), Some s =>
          if (0 <? w) || eq then Some (add (mul (constant w) p) s) else None
      | _, _ => None
      end
  end.

Definition isNegative (p : poly) : bool :=
  match p with [([], c)] => c <? 0 | _ => false end.

Definition refutesLeaf (facts : list fact) (l : list (Z * list N)) : bool :=
  match sum facts l with Some p => isNegative p | None => false end.

Definition substFact (v : var) (value : poly) : fact -> fact :=
  map (map (fun a => Atom (equality a) (subst v value (body a)))).

Definition solve (facts : list fact) (i : N) (v : var) : option (list fact) :=
  match atomAt facts i with
  | Some (Atom true p) =>
      match solvedFor p v with
      | Some value => Some (map (substFact v value) facts)
      | None => None
      end
  | _ => None
  end.

Definition atoms (branch : list atom) : list fact :=
  map (fun a => [[a]]) branch.

Fixpoint refutes (facts : list fact) (c : cert) {struct c} : bool :=
  let 'Cert n children := c in
  match n, children with
  | Leaf l, [] => refutesLeaf facts l
  | Solve i v, [c1] =>
      match solve facts i v with
      | Some facts' => refutes facts' c1
      | None => false
      end
  | Case i, _ =>
      match at_ facts i with
      | Some f =>
          (fix all (f : fact) (children : list cert) {struct children} :=
             match f, children with
             | [], [] => true
             | b :: f', c1 :: children' =>
                 refutes (facts ++ atoms b) c1 && all f' children'
             | _, _ => false
             end) f children
      | None => false
      end
  | Split p, [c1; c2; c3] =>
      refutes (facts ++ [GeZ (below p)]) c1 &&
      refutes (facts ++ [EqZ p]) c2 &&
      refutes (facts ++ [GeZ (sub p (constant 1))]) c3
  | Have p, [c1; c2] =>
      refutes (facts ++ [GeZ (below p)]) c1 && refutes (facts ++ [GeZ p]) c2
  | _, _ => false
  end.

(* Soundness. *)

Lemma holds_atom e a : holds e [[a]] <-> holdsAtom e a.
Proof.
  unfold holds. split; intro H.
  - inversion H as [? ? F|? ? F]; subst; [|inversion F]. now inversion F.
  - constructor. now constructor.
Qed.

Lemma holds_ge e p : holds e (GeZ p) <-> 0 <= eval e p.
Proof. unfold GeZ. rewrite holds_atom. reflexivity. Qed.

Lemma holds_eq e p : holds e (EqZ p) <-> eval e p = 0.
Proof. unfold EqZ. rewrite holds_atom. reflexivity. Qed.

Lemma at_in {A} (l : list A) : forall i x, at_ l i = Some x -> In x l.
Proof.
  induction l as [|y l IH]; simpl; intros i x H; [discriminate|].
  destruct (N.eqb i 0); [inversion H; auto|eauto].
Qed.

Lemma atomAt_holds e facts i a :
  Forall (holds e) facts -> atomAt facts i = Some a -> holdsAtom e a.
Proof.
  intros H A. unfold atomAt in A.
  destruct (at_ facts i) as [[|[|b [|]] [|]]|] eqn:E; try discriminate.
  inversion A. subst b. apply at_in in E. rewrite Forall_forall in H.
  apply holds_atom. auto.
Qed.

Lemma product_sound e facts l : Forall (holds e) facts ->
  forall p eq, product facts l = Some (p, eq) ->
  0 <= eval e p /\ (eq = true -> eval e p = 0).
Proof.
  intro H. induction l as [|i l IH]; simpl; intros p eq P.
  - inversion P. rewrite constant_eval. split; [lia|discriminate].
  - destruct (atomAt facts i) as [[aeq q]|] eqn:A; [|discriminate].
    destruct (product facts l) as [[r req]|]; [|discriminate].
    inversion P. subst p eq. rewrite mul_eval.
    destruct (IH _ _ eq_refl) as [R E].
    apply (atomAt_holds e) in A; [|assumption].
    unfold holdsAtom in A. simpl in *. destruct aeq; simpl.
    + rewrite A. split; lia.
    + split; [nia|]. intro T. rewrite E by assumption. lia.
Qed.

Lemma sum_sound e facts l : Forall (holds e) facts ->
  forall p, sum facts l = Some p -> 0 <= eval e p.
Proof.
  intro H. induction l as [|[w is] l IH]; simpl; intros p S.
  - inversion S. simpl. lia.
  - destruct (product facts is) as [[q eq]|] eqn:P; [|discriminate].
    destruct (sum facts l) as [s|]; [|discriminate].
    destruct ((0 <? w) || eq) eqn:W; [|discriminate].
    inversion S. rewrite add_eval, mul_eval, constant_eval.
    pose proof (IH _ eq_refl). destruct (product_sound e _ _ H _ _ P) as [Q E].
    apply orb_true_iff in W. destruct W as [W|W].
    + apply Z.ltb_lt in W. nia.
    + rewrite (E W). lia.
Qed.

Lemma refutesLeaf_sound e facts l :
  refutesLeaf facts l = true -> ~ Forall (holds e) facts.
Proof.
  unfold refutesLeaf. destruct (sum facts l) as [p|] eqn:S; [|discriminate].
  intros N H. apply (sum_sound e) in S; [|assumption].
  unfold isNegative in N.
  destruct p as [|[[|] c] [|]]; try discriminate.
  apply Z.ltb_lt in N. cbn [eval evalMono] in S. lia.
Qed.

Lemma substFact_holds e v value f :
  e v = eval e value -> holds e f -> holds e (substFact v value f).
Proof.
  intros V H. unfold holds, substFact in *. apply Exists_exists in H.
  destruct H as [b [I B]]. apply Exists_exists. eexists. split.
  { apply in_map, I. }
  rewrite Forall_forall in *. intros a A. apply in_map_iff in A.
  destruct A as [a' [<- A]]. specialize (B _ A). unfold holdsAtom in *. simpl.
  now rewrite subst_eval.
Qed.

Lemma solve_sound e facts i v facts' :
  solve facts i v = Some facts' -> Forall (holds e) facts ->
  Forall (holds e) facts'.
Proof.
  unfold solve. intros S H.
  destruct (atomAt facts i) as [[[|] p]|] eqn:A; try discriminate.
  destruct (solvedFor p v) as [value|] eqn:F; [|discriminate].
  inversion S. apply (atomAt_holds e) in A; [|assumption].
  apply (solvedFor_sound e) in F; [|exact A].
  apply Forall_map. eapply Forall_impl; [|eassumption].
  intros f. now apply substFact_holds.
Qed.

Lemma atoms_hold e branch :
  Forall (holdsAtom e) branch -> Forall (holds e) (atoms branch).
Proof.
  intro H. apply Forall_map. eapply Forall_impl; [|eassumption].
  intros a. apply holds_atom.
Qed.

(* Induction that reaches the children. *)
Fixpoint cert_all (P : cert -> Prop)
  (step : forall n l, Forall P l -> P (Cert n l)) (c : cert) : P c :=
  let 'Cert n l := c in
  step n l
    ((fix all (l : list cert) : Forall P l :=
        match l with
        | [] => Forall_nil P
        | c1 :: l' => Forall_cons c1 (cert_all P step c1) (all l')
        end) l).

Theorem refutes_sound facts tree :
  refutes facts tree = true -> forall e, ~ Forall (holds e) facts.
Proof.
  intros R e. revert facts R.
  induction tree as [n l IH] using cert_all. intros facts R H.
  assert (Go : forall c more, In c l -> refutes (facts ++ more) c = true ->
                              Forall (holds e) more -> False).
  { intros c more I C M. rewrite Forall_forall in IH.
    apply (IH _ I _ C). apply Forall_app. auto. }
  assert (One : forall f, holds e f -> Forall (holds e) [f]).
  { intros f F. constructor; auto. }
  destruct n as [ps|i v|i|p|p].
  - destruct l; [|discriminate]. now apply (refutesLeaf_sound e) in R.
  - destruct l as [|c1 [|]]; try discriminate. simpl in R.
    destruct (solve facts i v) as [facts'|] eqn:S; [|discriminate].
    rewrite Forall_forall in IH. apply (IH c1 (or_introl eq_refl) _ R).
    eapply solve_sound; eauto.
  - simpl in R. destruct (at_ facts i) as [f|] eqn:A; [|discriminate].
    assert (F : holds e f).
    { rewrite Forall_forall in H. eapply H, at_in, A. }
    clear A IH. revert f F R.
    induction l as [|c1 l IHl]; intros [|b f] F R; try discriminate.
    + inversion F.
    + apply andb_true_iff in R as [R1 R2].
      inversion F as [? ? B|? ? B]; subst.
      * apply (Go c1 (atoms b)); auto using in_eq, atoms_hold.
      * apply IHl with (f := f); auto. intros. eapply Go; eauto using in_cons.
  - destruct l as [|c1 [|c2 [|c3 [|]]]]; try discriminate. simpl in R.
    apply andb_true_iff in R as [R R3]. apply andb_true_iff in R as [R1 R2].
    destruct (Z.lt_trichotomy (eval e p) 0) as [L|[E|G]].
    + apply (Go _ _ (or_introl eq_refl) R1), One, holds_ge.
      rewrite below_eval. lia.
    + apply (Go _ _ (or_intror (or_introl eq_refl)) R2), One, holds_eq, E.
    + apply (Go _ _ (or_intror (or_intror (or_introl eq_refl))) R3).
      apply One, holds_ge. rewrite sub_eval, constant_eval. lia.
  - destruct l as [|c1 [|c2 [|]]]; try discriminate. simpl in R.
    apply andb_true_iff in R as [R1 R2].
    destruct (Z.le_gt_cases 0 (eval e p)) as [G|L].
    + apply (Go _ _ (or_intror (or_introl eq_refl)) R2), One, holds_ge, G.
    + apply (Go _ _ (or_introl eq_refl) R1), One, holds_ge.
      rewrite below_eval. lia.
Qed.

(* What an accepted certificate says of its obligation. *)
Corollary obligation_sound hypotheses goal tree :
  refutes (hypotheses ++ [GeZ (below goal)]) tree = true ->
  forall e, Forall (holds e) hypotheses -> 0 <= eval e goal.
Proof.
  intros R e H. destruct (Z.le_gt_cases 0 (eval e goal)) as [G|L]; [exact G|].
  exfalso. apply (refutes_sound _ _ R e). apply Forall_app. split; [exact H|].
  constructor; [|constructor]. apply holds_ge. rewrite below_eval. lia.
Qed.
