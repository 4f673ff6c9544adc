(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Expressions of the contract: the polynomial of one has its value wherever
   the conditions before it are discharged, and none gets stuck. *)

From Coq Require Import ZArith String List Bool Lia.
From Girih Require Export Admission.
Import ListNotations.
Open Scope Z_scope.

Definition dividend (f : binary) (a b : poly) : poly :=
  match f with CeilDiv => plus (add a b) (-1) | _ => a end.
Definition rounded (f : binary) (a b : poly) : gen unit :=
  match f with
  | CeilDiv => if eqPoly (dividend f a b) a then ret tt
               else emit ContractDivision (dividend f a b) true
  | _ => ret tt
  end.
Definition ratio (f : binary) (a b : poly) : gen (poly * poly) :=
  let* _ := emit ContractDivision (plus b (-1)) true in
  let* _ := emit ContractDivision a true in
  match f with
  | CeilDiv => let* _ := rounded f a b in divide (dividend f a b) b
  | _ => divide a b
  end.
Definition combination (f : binary) (a b : poly) : gen poly :=
  match f with
  | Add => ret (add a b)
  | Sub => ret (sub a b)
  | Mul => ret (mul a b)
  | Div | CeilDiv => let* qr := ratio f a b in ret (fst qr)
  | Rem => let* qr := ratio f a b in ret (snd qr)
  | Min => select (sub b a) a b
  | Max => select (sub a b) a b
  | And | Or | Xor => fail
  end.
Lemma expression_unfold vars f l r : expression vars (Expr f l r) =
  let* a := expression vars l in
  let* b := expression vars r in combination f a b.
Proof. now destruct f. Qed.

Lemma pure_rounded f a b : pure (rounded f a b).
Proof.
  destruct f; cbn [rounded]; auto with pure.
  destruct (eqPoly _ _); auto with pure.
Qed.
#[export] Hint Resolve pure_rounded : pure.
Lemma pure_ratio f a b : pure (ratio f a b).
Proof.
  apply pure_then; auto with pure. intros _.
  apply pure_then; auto with pure. intros _.
  destruct f; auto with pure. apply pure_then; auto with pure.
Qed.
#[export] Hint Resolve pure_ratio : pure.
Lemma pure_combination f a b : pure (combination f a b).
Proof.
  destruct f; cbn [combination]; auto with pure;
    apply pure_then; auto with pure.
Qed.
#[export] Hint Resolve pure_combination : pure.
Lemma pure_expression vars x : pure (expression vars x).
Proof.
  induction x as [c|name|f l IHl r IHr].
  - apply (pure_ret (constant c)).
  - apply pure_then; auto with pure.
  - rewrite expression_unfold. apply pure_then; [exact IHl|]. intro.
    apply pure_then; [exact IHr|]. intro. apply pure_combination.
Qed.
#[export] Hint Resolve pure_expression : pure.

Lemma rounded_true f a b s u s' e : rounded f a b s = Some (u, s') ->
  Forall discharged (vcs s') -> true_ s e -> true_ s' e.
Proof.
  intros H P T. destruct f; cbn [rounded] in H;
    try (injection H as _ <-; exact T).
  destruct (eqPoly _ _); [now injection H as _ <-|].
  now apply (emit_true _ _ _ _ _ _ e) in H.
Qed.
Lemma ratio_inv f a b s qr s' : ratio f a b s = Some (qr, s') ->
  exists s1 s2 s3 u1 u2 u3,
    emit ContractDivision (plus b (-1)) true s = Some (u1, s1) /\
    emit ContractDivision a true s1 = Some (u2, s2) /\
    rounded f a b s2 = Some (u3, s3) /\
    divide (dividend f a b) b s3 = Some (qr, s').
Proof.
  intro H. unfold ratio in H.
  apply andThen_inv in H as [u1 [s1 [H1 H]]].
  apply andThen_inv in H as [u2 [s2 [H2 H]]].
  assert (E : andThen (rounded f a b) (fun _ => divide (dividend f a b) b) s2 =
              Some (qr, s')) by (destruct f; exact H).
  apply andThen_inv in E as [u3 [s3 [H3 E]]]. eauto 12.
Qed.
Lemma ratio_next f a b s s1 s2 s3 u1 u2 u3 :
  emit ContractDivision (plus b (-1)) true s = Some (u1, s1) ->
  emit ContractDivision a true s1 = Some (u2, s2) ->
  rounded f a b s2 = Some (u3, s3) -> orderly s ->
  orderly s3 /\ (next s <= next s3)%positive /\
  (Forall discharged (vcs s3) -> Forall discharged (vcs s1) /\
                             Forall discharged (vcs s2)).
Proof.
  intros H1 H2 H3 O.
  destruct (pure_next _ _ _ _ (pure_emit _ _ _) H1 O) as [O1 N1].
  destruct (pure_next _ _ _ _ (pure_emit _ _ _) H2 O1) as [O2 N2].
  destruct (pure_next _ _ _ _ (pure_rounded _ _ _) H3 O2) as [O3 N3].
  split; [exact O3|]. split; [lia|]. intro P3.
  assert (P2 := pure_discharged _ _ _ _ (pure_rounded _ _ _) H3 O2 P3).
  split; [|exact P2].
  exact (pure_discharged _ _ _ _ (pure_emit _ _ _) H2 O1 P2).
Qed.

Lemma ratio_bound f a b s q r s' : ratio f a b s = Some ((q, r), s') ->
  orderly s -> below_ (next s) a -> below_ (next s) b ->
  below_ (next s') q /\ below_ (next s') r.
Proof.
  intros H O A B.
  apply ratio_inv in H as (s1 & s2 & s3 & u1 & u2 & u3 & H1 & H2 & H3 & H).
  destruct (ratio_next _ _ _ _ _ _ _ _ _ _ H1 H2 H3 O) as (O3 & N & _).
  eapply divide_bound; [exact H|exact O3|].
  apply below_le with (next s); [exact N|]. destruct f; cbn [dividend];
    auto with bounded.
Qed.
Lemma ratio_true f a b s q r s' e : ratio f a b s = Some ((q, r), s') ->
  orderly s -> Forall discharged (vcs s') -> true_ s e ->
  1 <= eval e b /\ 0 <= eval e a /\
  exists e', agrees (next s) e e' /\ true_ s' e' /\
    match f with
    | CeilDiv => eval e' q = ceildiv (eval e a) (eval e b)
    | _ => eval e' q = eval e a / eval e b /\
           eval e' r = eval e a mod eval e b
    end.
Proof.
  intros H O P T.
  apply ratio_inv in H as (s1 & s2 & s3 & u1 & u2 & u3 & H1 & H2 & H3 & H).
  destruct (ratio_next _ _ _ _ _ _ _ _ _ _ H1 H2 H3 O) as (O3 & N & Ps).
  assert (P3 := pure_discharged _ _ _ _ (pure_divide _ _) H O3 P).
  destruct (Ps P3) as [P1 P2].
  apply (emit_true _ _ _ _ _ _ e) in H1 as [B T1]; auto.
  apply (emit_true _ _ _ _ _ _ e) in H2 as [A T2]; auto.
  apply (rounded_true _ _ _ _ _ _ e) in H3; auto.
  rewrite plus_eval in B. split; [lia|]. split; [exact A|].
  apply (divide_true _ _ _ _ _ _ e) in H; [|exact O3|exact H3|lia|].
  - destruct H as (e' & Ag & T' & Q & R). exists e'.
    split; [now apply agrees_le with (next s3)|]. split; [exact T'|].
    destruct f; cbn [dividend] in *; auto. rewrite plus_eval, add_eval in Q.
    rewrite ceildiv_sum by lia. exact Q.
  - destruct f; cbn [dividend]; auto. rewrite plus_eval, add_eval. lia.
Qed.

Lemma combination_bound f a b s p s' : combination f a b s = Some (p, s') ->
  orderly s -> below_ (next s) a -> below_ (next s) b -> below_ (next s') p.
Proof.
  intros H O A B.
  destruct f; cbn [combination] in H; try discriminate;
    try (injection H as <- <-; auto with bounded; fail);
    try (apply (select_bound _ _ _ _ _ _ H O); assumption);
    apply andThen_inv in H as [[q r] [s1 [H1 H]]]; injection H as <- <-;
    now apply (ratio_bound _ _ _ _ _ _ _ H1 O).
Qed.
Lemma combination_true f a b s p s' e : combination f a b s = Some (p, s') ->
  orderly s -> Forall discharged (vcs s') -> true_ s e ->
  admits
    (match f with
     | Add | Sub | Mul => in128 (exact f (eval e a) (eval e b))
     | Div | Rem | CeilDiv => contractDivides (eval e a) (eval e b)
                                (exact f (eval e a) (eval e b))
     | Min | Max => Ok (exact f (eval e a) (eval e b))
     | And | Or | Xor => Malformed
     end)
    (fun z => exists e', agrees (next s) e e' /\ true_ s' e' /\ eval e' p = z).
Proof.
  intros H O P T.
  assert (Exact : forall z, (exists e', agrees (next s) e e' /\ true_ s' e' /\
    eval e' p = z) -> admits (in128 z) (fun z => exists e',
      agrees (next s) e e' /\ true_ s' e' /\ eval e' p = z)).
  { intros z E. unfold in128. now destruct (fitsb 128 z). }
  assert (Ratio : forall x z, 1 <= eval e b -> 0 <= eval e a ->
    (exists e', agrees (next s) e e' /\ true_ s' e' /\ eval e' p = z) ->
    x = eval e b -> admits (contractDivides (eval e a) x z)
      (fun z => exists e',
      agrees (next s) e e' /\ true_ s' e' /\ eval e' p = z)).
  { intros x z B A E ->. unfold contractDivides.
    destruct (Z.ltb_spec (eval e a) 0); [lia|].
    destruct (Z.ltb_spec (eval e b) 1); [lia|]. exact E. }
  destruct f; cbn [combination exact] in *; try discriminate;
    try (injection H as <- <-; apply Exact; exists e;
         rewrite ?add_eval, ?sub_eval, ?mul_eval; auto using agrees_refl; fail).
  1-3: apply andThen_inv in H as [[q r] [s1 [H1 H]]]; injection H as <- <-;
    apply (ratio_true _ _ _ _ _ _ _ e) in H1 as (B & A & e' & Ag & T' & V);
    auto; apply Ratio; auto; exists e'; cbn [fst snd]; tauto.
  - apply (select_true _ _ _ _ _ _ e) in H as (e' & Ag & T' & V); auto.
    exists e'. rewrite sub_eval in V. split; [exact Ag|]. split; [exact T'|].
    rewrite V. destruct (Z.leb_spec 0 (eval e b - eval e a)); lia.
  - apply (select_true _ _ _ _ _ _ e) in H as (e' & Ag & T' & V); auto.
    exists e'. rewrite sub_eval in V. split; [exact Ag|]. split; [exact T'|].
    rewrite V. destruct (Z.leb_spec 0 (eval e a - eval e b)); lia.
Qed.

Lemma expression_bound vars x : forall s p s',
  expression vars x s = Some (p, s') -> orderly s ->
  symbolsBelow (next s) vars -> below_ (next s') p.
Proof.
  induction x as [c|name|f l IHl r IHr]; intros s p s' H O B.
  - injection H as <- <-. auto with bounded.
  - apply andThen_inv in H as [[v t] [s1 [H1 H]]]. injection H as <- <-.
    unfold given in H1. destruct (symbolOf_ vars name) as [x|] eqn:S;
      [|discriminate]. injection H1 as -> <-. apply symbolOf_in in S.
    unfold symbolsBelow in B. rewrite Forall_forall in B.
    apply variable_below. exact (B _ S).
  - rewrite expression_unfold in H.
    apply andThen_inv in H as [a [s1 [H1 H]]].
    apply andThen_inv in H as [b [s2 [H2 H]]].
    destruct (pure_next _ _ _ _ (pure_expression _ _) H1 O) as [O1 N1].
    destruct (pure_next _ _ _ _ (pure_expression _ _) H2 O1) as [O2 N2].
    eapply combination_bound; [exact H|exact O2| |].
    + eauto using below_le.
    + eauto using symbolsBelow_le.
Qed.

Section Launch.

Context (w : Z) (symbols : string -> option Z).
#[local] Notation known := (known w symbols).
#[local] Notation known_agrees := (known_agrees w symbols).
#[local] Notation known_symbol := (known_symbol w symbols).
#[local] Notation known_below := (known_below w symbols).

Lemma expression_true vars x : forall s p s' e,
  expression vars x s = Some (p, s') -> orderly s ->
  Forall discharged (vcs s') -> true_ s e -> known (next s) e vars ->
  admits (evalExpr symbols x) (fun z => exists e',
    agrees (next s) e e' /\ true_ s' e' /\ eval e' p = z).
Proof.
  induction x as [c|name|f l IHl r IHr]; intros s p s' e H O P T K.
  - injection H as <- <-. exists e. rewrite constant_eval.
    auto using agrees_refl.
  - apply andThen_inv in H as [[v t] [s1 [H1 H]]]. injection H as <- <-.
    unfold given in H1. destruct (symbolOf_ vars name) as [x|] eqn:S;
      [|discriminate]. injection H1 as -> <-.
    destruct (known_symbol _ _ _ _ _ _ K S) as (_ & E & _).
    cbn [evalExpr]. rewrite E. exists e. cbn [fst]. rewrite variable_eval.
    auto using agrees_refl.
  - rewrite expression_unfold in H.
    apply andThen_inv in H as [a [s1 [H1 H]]].
    apply andThen_inv in H as [b [s2 [H2 H]]].
    destruct (pure_next _ _ _ _ (pure_expression _ _) H1 O) as [O1 N1].
    destruct (pure_next _ _ _ _ (pure_expression _ _) H2 O1) as [O2 N2].
    assert (P2 := pure_discharged _ _ _ _ (pure_combination _ _ _) H O2 P).
    assert (P1 := pure_discharged _ _ _ _ (pure_expression _ _) H2 O1 P2).
    cbn [evalExpr].
    eapply admits_bind, admits_impl; [|exact (IHl _ _ _ e H1 O P1 T K)].
    intros x (e1 & A1 & T1 & <-).
    pose proof (expression_bound _ _ _ _ _ H1 O (known_below _ _ _ K)) as B1.
    eapply admits_bind, admits_impl;
      [|exact (IHr _ _ _ e1 H2 O1 P2 T1 (known_agrees _ _ _ _ _ N1 A1 K))].
    intros y (e2 & A2 & T2 & <-).
    rewrite (agrees_eval _ _ _ _ A2 B1).
    eapply admits_impl; [|exact (combination_true _ _ _ _ _ _ _ H O2 P T2)].
    intros z (e3 & A3 & T3 & V). exists e3. split; [|auto].
    eapply agrees_trans; [exact N1|exact A1|].
    eapply agrees_trans; [exact N2|exact A2|exact A3].
Qed.

End Launch.
