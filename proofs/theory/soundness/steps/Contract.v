(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The contract: where a kernel's conditions are discharged, no launch gets
   stuck on its way in, and what was assumed holds of every admitted launch. *)

From Coq Require Import ZArith String List Bool Lia.
From Girih Require Export Expressions.
Import ListNotations.
Open Scope Z_scope.

(* Requirements. *)

Section Launch.

Context (w : Z) (symbols : string -> option Z).
#[local] Notation known := (known w symbols).
#[local] Notation known_agrees := (known_agrees w symbols).
#[local] Notation known_symbol := (known_symbol w symbols).
#[local] Notation known_below := (known_below w symbols).
#[local] Notation expression_true := (expression_true w symbols).

Lemma pure_requirement vars c : pure (requirement vars c).
Proof.
  apply pure_then; auto with pure. intro.
  apply pure_then; auto with pure.
Qed.

Lemma forEach_because e r l s u s' :
  forEach (because r) l s = Some (u, s') -> true_ s e ->
  Forall (holds e) l -> true_ s' e.
Proof.
  intros H T F. rewrite Forall_forall in F.
  eapply forEach_true; [exact H|exact T|].
  intros f t v t' I A Tt. eapply assume_true; [exact A|exact Tt|auto].
Qed.

Lemma requirement_true vars c s u s' e :
  requirement vars c s = Some (u, s') -> orderly s ->
  Forall discharged (vcs s') -> true_ s e -> known (next s) e vars ->
  admits (checkCondition symbols c) (fun _ => exists e',
    agrees (next s) e e' /\ true_ s' e').
Proof.
  intros H O P T K.
  apply andThen_inv in H as [a [s1 [H1 H]]].
  apply andThen_inv in H as [b [s2 [H2 H]]].
  destruct (pure_next _ _ _ _ (pure_expression _ _) H1 O) as [O1 N1].
  destruct (pure_next _ _ _ _ (pure_expression _ _) H2 O1) as [O2 N2].
  assert (P2 : Forall discharged (vcs s2)).
  { eapply pure_discharged; [|exact H|exact O2|exact P]. auto with pure. }
  assert (P1 := pure_discharged _ _ _ _ (pure_expression _ _) H2 O1 P2).
  eapply admits_bind, admits_impl;
    [|exact (expression_true _ _ _ _ _ e H1 O P1 T K)].
  intros x (e1 & A1 & T1 & <-).
  pose proof (expression_bound _ _ _ _ _ H1 O (known_below _ _ _ K)) as B1.
  pose proof (known_agrees _ _ _ _ _ N1 A1 K) as K1.
  eapply admits_bind, admits_impl;
    [|exact (expression_true _ _ _ _ _ e1 H2 O1 P2 T1 K1)].
  intros y (e2 & A2 & T2 & <-). rewrite (agrees_eval _ _ _ _ A2 B1).
  apply admits_require. intro C. exists e2.
  split; [eauto using agrees_trans|].
  eapply forEach_because; [exact H|exact T2|].
  apply condFacts_may. now apply ofComparison_may.
Qed.

Lemma requirements_true vars l : forall s u s' e,
  forEach (requirement vars) l s = Some (u, s') -> orderly s ->
  Forall discharged (vcs s') -> true_ s e -> known (next s) e vars ->
  admits (each (checkCondition symbols) l) (fun _ => exists e',
    agrees (next s) e e' /\ true_ s' e').
Proof.
  induction l as [|c l IH]; intros s u s' e H O P T K; cbn [forEach each] in *.
  - injection H as _ <-. exists e. auto using agrees_refl.
  - apply andThen_inv in H as [u1 [s1 [H1 H2]]].
    destruct (pure_next _ _ _ _ (pure_requirement _ _) H1 O) as [O1 N1].
    assert (P1 : Forall discharged (vcs s1))
      by (eapply pure_discharged; [|exact H2|exact O1|exact P];
          apply pure_forEach, pure_requirement).
    eapply admits_bind, admits_impl;
      [|exact (requirement_true _ _ _ _ _ e H1 O P1 T K)].
    intros _ (e1 & A1 & T1).
    eapply admits_impl; [|exact
      (IH _ _ _ e1 H2 O1 P T1 (known_agrees _ _ _ _ _ N1 A1 K))].
    intros _ (e2 & A2 & T2). exists e2. eauto using agrees_trans.
Qed.

(* The grid. *)

Lemma pure_axis vars x : pure (gridAxis w vars x).
Proof.
  apply pure_then; auto with pure. intro.
  apply pure_then; auto with pure. intro.
  apply pure_then; auto with pure.
Qed.

Lemma axis_inv vars x s g s' : gridAxis w vars x s = Some (g, s') ->
  exists s1 s2 u v, expression vars x s = Some (g, s1) /\
    emit LaunchGrid g true s1 = Some (u, s2) /\
    because Contract (GeZ (sub (constant (maxBlocks w)) g)) s2 = Some (v, s').
Proof.
  intro H. apply andThen_inv in H as [p [s1 [H1 H]]].
  apply andThen_inv in H as [u [s2 [H2 H]]].
  apply andThen_inv in H as [v [s3 [H3 H]]]. injection H as <- <-. eauto 8.
Qed.
Lemma axis_bound vars x s g s' : gridAxis w vars x s = Some (g, s') ->
  orderly s -> symbolsBelow (next s) vars -> below_ (next s') g.
Proof.
  intros H O B. apply axis_inv in H as (s1 & s2 & u & v & H1 & H2 & H3).
  apply emit_inv in H2 as [B1 [fs [-> _]]]. now apply assume_inv in H3 as [_ ->].
Qed.
Lemma axis_true vars x s g s' e : gridAxis w vars x s = Some (g, s') ->
  orderly s -> Forall discharged (vcs s') -> true_ s e -> known (next s) e vars ->
  admits (checkGrid w symbols x) (fun d => exists e',
    agrees (next s) e e' /\ true_ s' e' /\ eval e' g = d /\
    0 <= d <= maxBlocks w).
Proof.
  intros H O P T K. apply axis_inv in H as (s1 & s2 & u & v & H1 & H2 & H3).
  destruct (pure_next _ _ _ _ (pure_expression _ _) H1 O) as [O1 N1].
  destruct (pure_next _ _ _ _ (pure_emit _ _ _) H2 O1) as [O2 N2].
  assert (P2 := pure_discharged _ _ _ _ (pure_because _ _) H3 O2 P).
  assert (P1 := pure_discharged _ _ _ _ (pure_emit _ _ _) H2 O1 P2).
  eapply admits_bind, admits_impl;
    [|exact (expression_true _ _ _ _ _ e H1 O P1 T K)].
  intros d (e1 & A1 & T1 & <-).
  apply (emit_true _ _ _ _ _ _ e1) in H2 as [G T2]; auto.
  destruct (Z.ltb_spec (eval e1 g) 0); [lia|].
  apply admits_bind, admits_require. intro M. exists e1.
  split; [exact A1|]. split; [|lia].
  eapply assume_true; [exact H3|exact T2|].
  apply holds_ge. rewrite sub_eval, constant_eval. lia.
Qed.

Lemma grid_bound vars l : forall s gs s',
  mapEach (gridAxis w vars) l s = Some (gs, s') -> orderly s ->
  symbolsBelow (next s) vars -> Forall (below_ (next s')) gs.
Proof.
  induction l as [|x l IH]; intros s gs s' H O B; cbn [mapEach] in H.
  - injection H as <- <-. constructor.
  - apply andThen_inv in H as [g [s1 [H1 H]]].
    apply andThen_inv in H as [gs1 [s2 [H2 H]]]. injection H as <- <-.
    destruct (pure_next _ _ _ _ (pure_axis _ _) H1 O) as [O1 N1].
    destruct (pure_next _ _ _ _ (pure_mapEach _ l (pure_axis vars)) H2 O1)
      as [O2 N2].
    constructor; [|eauto using symbolsBelow_le].
    apply below_le with (next s1); [exact N2|]. eapply axis_bound; eauto.
Qed.
Lemma grid_true vars l : forall s gs s' e,
  mapEach (gridAxis w vars) l s = Some (gs, s') -> orderly s ->
  Forall discharged (vcs s') -> true_ s e -> known (next s) e vars ->
  admits (collect (checkGrid w symbols) l) (fun ds => exists e',
    agrees (next s) e e' /\ true_ s' e' /\ map (eval e') gs = ds /\
    Forall (fun d => 0 <= d <= maxBlocks w) ds).
Proof.
  induction l as [|x l IH]; intros s gs s' e H O P T K;
    cbn [mapEach collect] in *.
  - injection H as <- <-. exists e. auto using agrees_refl.
  - apply andThen_inv in H as [g [s1 [H1 H]]].
    apply andThen_inv in H as [gs1 [s2 [H2 H]]]. injection H as <- <-.
    destruct (pure_next _ _ _ _ (pure_axis _ _) H1 O) as [O1 N1].
    assert (P1 : Forall discharged (vcs s1))
      by (eapply pure_discharged; [|exact H2|exact O1|exact P];
          apply pure_mapEach, pure_axis).
    pose proof (axis_bound _ _ _ _ _ H1 O (known_below _ _ _ K)) as B.
    eapply admits_bind, admits_impl;
      [|exact (axis_true _ _ _ _ _ e H1 O P1 T K)].
    intros d (e1 & A1 & T1 & <- & D).
    eapply admits_bind, admits_impl; [|exact
      (IH _ _ _ e1 H2 O1 P T1 (known_agrees _ _ _ _ _ N1 A1 K))].
    intros ds (e2 & A2 & T2 & E & Ds). exists e2.
    split; [eauto using agrees_trans|]. split; [exact T2|].
    rewrite (agrees_eval _ _ _ _ A2 B) in *. split; [|constructor; auto].
    cbn [map]. now rewrite E.
Qed.

(* What is given. *)

Lemma content_bound vars c : forall s q s', contentPolys vars c s = Some (q, s')
  -> orderly s -> symbolsBelow (next s) vars ->
  Forall (below_ (next s')) (contentNumbers q).
Proof.
  intros s q s' H O B.
  destruct c as [low high| |last|]; cbn [contentPolys] in H.
  - apply andThen_inv in H as [x [s1 [H1 H]]].
    apply andThen_inv in H as [y [s2 [H2 H]]]. injection H as <- <-.
    destruct (pure_next _ _ _ _ (pure_expression _ _) H1 O) as [O1 N1].
    destruct (pure_next _ _ _ _ (pure_expression _ _) H2 O1) as [O2 N2].
    cbn [contentNumbers]. constructor; [|constructor; [|constructor]].
    + apply below_le with (next s1); [exact N2|].
      exact (expression_bound _ _ _ _ _ H1 O B).
    + apply (expression_bound _ _ _ _ _ H2 O1).
      eauto using symbolsBelow_le.
  - injection H as <- <-. constructor.
  - apply andThen_inv in H as [x [s1 [H1 H]]]. injection H as <- <-.
    constructor; [|constructor]. exact (expression_bound _ _ _ _ _ H1 O B).
  - injection H as <- <-. constructor.
Qed.
Lemma content_true vars c : forall s q s' e,
  contentPolys vars c s = Some (q, s') -> orderly s ->
  Forall discharged (vcs s') -> true_ s e -> known (next s) e vars ->
  admits (evalContent symbols c) (fun x => exists e',
    agrees (next s) e e' /\ true_ s' e' /\ mapContent (eval e') q = x).
Proof.
  intros s q s' e H O P T K.
  destruct c as [low high| |last|]; cbn [contentPolys evalContent] in *.
  - apply andThen_inv in H as [x [s1 [H1 H]]].
    apply andThen_inv in H as [y [s2 [H2 H]]]. injection H as <- <-.
    destruct (pure_next _ _ _ _ (pure_expression _ _) H1 O) as [O1 N1].
    assert (P1 := pure_discharged _ _ _ _ (pure_expression _ _) H2 O1 P).
    eapply admits_bind, admits_impl;
      [|exact (expression_true _ _ _ _ _ e H1 O P1 T K)].
    intros a (e1 & A1 & T1 & <-).
    pose proof (expression_bound _ _ _ _ _ H1 O (known_below _ _ _ K)) as B1.
    eapply admits_bind, admits_impl;
      [|exact (expression_true _ _ _ _ _ e1 H2 O1 P T1
                 (known_agrees _ _ _ _ _ N1 A1 K))].
    intros b (e2 & A2 & T2 & <-). exists e2.
    split; [eauto using agrees_trans|]. split; [exact T2|].
    cbn [mapContent]. now rewrite (agrees_eval _ _ _ _ A2 B1).
  - injection H as <- <-. exists e. auto using agrees_refl.
  - apply andThen_inv in H as [x [s1 [H1 H]]]. injection H as <- <-.
    eapply admits_bind, admits_impl;
      [|exact (expression_true _ _ _ _ _ e H1 O P T K)].
    intros a (e1 & A1 & T1 & <-). exists e1. auto.
  - injection H as <- <-. exists e. auto using agrees_refl.
Qed.

Lemma followGiven_inv vars g s p s' : followGiven vars g s = Some (p, s') ->
  exists c, contentPolys vars (promise g) s = Some (c, s') /\ p = (about g, c).
Proof.
  intro H. apply andThen_inv in H as [c [s2 [H2 H]]]. injection H as <- <-.
  eauto.
Qed.

Lemma pure_followGiven vars g : pure (followGiven vars g).
Proof.
  apply pure_then; auto with pure. destruct (promise g);
    cbn [contentPolys]; repeat (apply pure_then; [|intro]); auto with pure.
Qed.

Lemma givens_bound vars l : forall s ps s',
  mapEach (followGiven vars) l s = Some (ps, s') -> orderly s ->
  symbolsBelow (next s) vars ->
  Forall (below_ (next s')) (flat_map (fun p => contentNumbers (snd p)) ps).
Proof.
  induction l as [|g l IH]; intros s ps s' H O B; cbn [mapEach] in H.
  - injection H as <- <-. constructor.
  - apply andThen_inv in H as [p [s1 [H1 H]]].
    apply andThen_inv in H as [ps1 [s2 [H2 H]]]. injection H as <- <-.
    destruct (pure_next _ _ _ _ (pure_followGiven _ _) H1 O) as [O1 N1].
    destruct (pure_next _ _ _ _
      (pure_mapEach _ l (pure_followGiven vars)) H2 O1) as [O2 N2].
    apply followGiven_inv in H1 as [c [H1 ->]]. cbn [flat_map snd].
    apply Forall_app. split; [|eauto using symbolsBelow_le].
    eapply Forall_impl; [|exact (content_bound _ _ _ _ _ H1 O B)].
    intros q. now apply below_le.
Qed.
Lemma givens_true vars l : forall s ps s' e,
  mapEach (followGiven vars) l s = Some (ps, s') -> orderly s ->
  Forall discharged (vcs s') -> true_ s e -> known (next s) e vars ->
  admits (collect (evalGiven symbols) l) (fun xs => exists e',
    agrees (next s) e e' /\ true_ s' e' /\
    map (fun p => (fst p, mapContent (eval e') (snd p))) ps = xs).
Proof.
  induction l as [|g l IH]; intros s ps s' e H O P T K;
    cbn [mapEach collect] in *.
  - injection H as <- <-. exists e. auto using agrees_refl.
  - apply andThen_inv in H as [p [s1 [H1 H]]].
    apply andThen_inv in H as [ps1 [s2 [H2 H]]]. injection H as <- <-.
    destruct (pure_next _ _ _ _ (pure_followGiven _ _) H1 O) as [O1 N1].
    assert (P1 := pure_discharged _ _ _ _
      (pure_mapEach _ l (pure_followGiven vars)) H2 O1 P).
    apply followGiven_inv in H1 as [c [H1 ->]].
    pose proof (content_bound _ _ _ _ _ H1 O (known_below _ _ _ K)) as B.
    eapply admits_bind. unfold evalGiven. eapply admits_bind, admits_impl;
      [|exact (content_true _ _ _ _ _ e H1 O P1 T K)].
    intros x (e1 & A1 & T1 & <-). cbn [admits].
    eapply admits_bind, admits_impl; [|exact
      (IH _ _ _ e1 H2 O1 P T1 (known_agrees _ _ _ _ _ N1 A1 K))].
    intros xs (e2 & A2 & T2 & <-). exists e2.
    split; [eauto using agrees_trans|]. split; [exact T2|].
    cbn [map fst snd]. do 2 f_equal.
    assert (Same : forall q, In q (contentNumbers c) ->
              eval e2 q = eval e1 q).
    { intros q Q. symmetry. apply agrees_eval with (next s1); [exact A2|].
      rewrite Forall_forall in B. now apply B. }
    destruct c; cbn [mapContent contentNumbers] in *; rewrite ?Same; simpl;
      auto.
Qed.

Lemma product_eval e gs : forall p,
  eval e (fold_left mul gs p) = eval e p * volume (map (eval e) gs).
Proof.
  induction gs as [|g gs IH]; intro p; cbn [fold_left map volume fold_right].
  - lia.
  - rewrite IH, mul_eval. unfold volume. simpl. lia.
Qed.

End Launch.

(* All of it. *)

#[local] Hint Resolve pure_symbol pure_size pure_requirement pure_axis
  : pure.

Definition assumeProduct (w : Z) (gs : list poly) : gen unit :=
  if (1 <? length gs)%nat
  then because Contract (GeZ (sub (constant (maxBlocks w))
                                (fold_left mul gs (constant 1))))
  else ret tt.
Lemma pure_product w gs : pure (assumeProduct w gs).
Proof. unfold assumeProduct. destruct (_ <? _)%nat; auto with pure. Qed.
#[local] Hint Resolve pure_product : pure.

#[local] Hint Resolve pure_followGiven : pure.

Theorem pure_contract w k : pure (contract w k).
Proof.
  apply pure_then; auto with pure. intros _.
  apply pure_then; auto with pure. intro vars.
  apply pure_then; auto with pure. intros _.
  apply pure_then; auto with pure. intros _.
  apply pure_then; auto with pure. intro gs.
  apply pure_then; [exact (pure_product w gs)|]. intros _.
  apply pure_then; auto with pure.
Qed.

Lemma contract_inv w k s h s' : contract w k s = Some (h, s') ->
  forallb (hasRange w) (launchSymbols k) = true /\
  exists vars gs ps s1 s2 s3 s4 s5 u2 u3 u5,
    mapEach (assumeSymbol w) (distinctSymbols [] (launchSymbols k)) s =
      Some (vars, s1) /\
    forEach (assumeSize w vars) (arguments k) s1 = Some (u2, s2) /\
    forEach (requirement vars) (requires k) s2 = Some (u3, s3) /\
    mapEach (gridAxis w vars) (grid k) s3 = Some (gs, s4) /\
    assumeProduct w gs s4 = Some (u5, s5) /\
    mapEach (followGiven vars) (givens k) s5 = Some (ps, s') /\
    h = Header k w vars gs [] ps.
Proof.
  intro H. unfold contract in H.
  apply andThen_inv in H as [u0 [s0 [H0 H]]].
  apply andThen_inv in H as [vars [s1 [H1 H]]].
  apply andThen_inv in H as [u2 [s2 [H2 H]]].
  apply andThen_inv in H as [u3 [s3 [H3 H]]].
  apply andThen_inv in H as [gs [s4 [H4 H]]].
  apply andThen_inv in H as [u5 [s5 [H5 H]]].
  apply andThen_inv in H as [ps [s6 [H6 H]]]. injection H as <- <-.
  unfold check in H0. destruct (forallb _ _); [|discriminate].
  injection H0 as _ <-. split; [reflexivity|].
  exists vars, gs, ps, s1, s2, s3, s4, s5, u2, u3, u5. auto 10.
Qed.

Lemma product_true w gs s u s' e : assumeProduct w gs s = Some (u, s') ->
  true_ s e -> volume (map (eval e) gs) <= maxBlocks w -> true_ s' e.
Proof.
  unfold assumeProduct. destruct (_ <? _)%nat; intros H T V.
  - eapply assume_true; [exact H|exact T|]. apply holds_ge.
    rewrite sub_eval, constant_eval, product_eval, constant_eval. lia.
  - now injection H as _ <-.
Qed.

Lemma forEach_in {A} (f : A -> gen unit) x l : forall s u s',
  forEach f l s = Some (u, s') -> In x l ->
  exists s1 u1 s2, f x s1 = Some (u1, s2).
Proof.
  induction l as [|y l IH]; intros s u s' H I; [contradiction|].
  apply andThen_inv in H as [u1 [s1 [H1 H2]]]. destruct I as [<-|I]; eauto.
Qed.
Lemma size_in w vars k s u s' t number :
  forEach (assumeSize w vars) (arguments k) s = Some (u, s') ->
  tensorOf k number = Some t ->
  isLane (elements t) = true /\
  exists es ss, extentPolys vars t = Some es /\ stridePolys vars t = Some ss.
Proof.
  intros H T. unfold tensorOf in T.
  destruct (nth_error (arguments k) number) as [[t'|]|] eqn:N; try discriminate.
  injection T as ->. apply nth_error_In in N.
  destruct (forEach_in _ _ _ _ _ _ H N) as (s1 & u1 & s2 & F).
  cbn [assumeSize] in F. apply andThen_inv in F as [a [s3 [F1 F]]].
  apply andThen_inv in F as [es [s4 [F2 F]]].
  apply andThen_inv in F as [ss [s5 [F3 _]]].
  unfold check, given in *. destruct (isLane _); [|discriminate].
  destruct (extentPolys vars t); [|discriminate].
  destruct (stridePolys vars t); [|discriminate]. eauto.
Qed.

Lemma collect_nth {A B} (f : A -> outcome B) l : forall ys n x,
  collect f l = Ok ys -> nth_error l n = Some x ->
  exists y, nth_error ys n = Some y /\ f x = Ok y.
Proof.
  induction l as [|z l IH]; intros ys [|n] x C N; try discriminate;
    cbn [collect] in C; destruct (f z) as [y| | |] eqn:F; try discriminate;
    cbn [bind] in C; destruct (collect f l) as [ys'| | |]; try discriminate;
    injection C as <-.
  - injection N as <-. exists y. auto.
  - exact (IH _ _ _ eq_refl N).
Qed.

Lemma extents_known w symbols n e vars k t number xs s u s' es :
  known w symbols n e vars ->
  forEach (assumeSize w vars) (arguments k) s = Some (u, s') ->
  collect (checkArgument w symbols) (arguments k) = Ok xs ->
  tensorOf k number = Some t -> extentPolys vars t = Some es ->
  nth number xs None = Some (map (eval e) es) /\
  Forall (fun x => 0 <= x <= maxExtent w) (map (eval e) es).
Proof.
  intros K H C T E. destruct (size_in _ _ _ _ _ _ _ _ H T)
    as (_ & es' & ss & _ & S).
  unfold tensorOf in T.
  destruct (nth_error (arguments k) number) as [[t'|]|] eqn:N; try discriminate.
  injection T as ->. destruct (collect_nth _ _ _ _ _ C N) as (y & Y & F).
  pose proof (checkTensor_known w symbols n e vars t es ss K E S) as D.
  cbn [checkArgument] in F. destruct (checkTensor w symbols t) as [x| | |];
    try discriminate. injection F as <-. destruct D as (-> & R & _).
  split; [|exact R]. now apply nth_error_nth.
Qed.

Lemma inRange_lane w t x : 8 <= w <= 64 -> inRange w t x ->
  laneOk w t x /\
  match t with
  | Index => 0 <= x <= maxExtent w
  | Int n => 2 <= n <= 64
  | Float _ _ => False
  end.
Proof.
  intros W R. destruct t as [|n|]; simpl in *; [|tauto|tauto].
  split; [|exact R]. pose proof (maxExtent_small w (proj1 W)).
  unfold fits. lia.
Qed.

Lemma noScope_orderly : orderly noScope.
Proof. repeat constructor. Qed.
Lemma noScope_true e : true_ noScope e.
Proof. repeat constructor. Qed.

Theorem contract_sound w k h s : contract w k noScope = Some (h, s) ->
  8 <= w <= 64 -> Forall discharged (vcs s) ->
  orderly s /\ boundHeader (next s) h /\ idVars h = [] /\
  sites s = [] /\ writes s = [] /\
  forall symbols scalars,
    match admit_ w k symbols scalars with
    | Ok l => exists e, true_ s e /\ launched w k h l e
    | Refused => True
    | Stuck _ | Malformed => False
    end.
Proof.
  intros H W P. pose proof noScope_orderly as O.
  destruct (pure_contract w k) as (Tame & _ & Frames).
  destruct (Tame _ _ _ H O) as [Os _]. destruct (Frames _ _ _ H) as [Si Wr].
  apply contract_inv in H as (Range & vars & gs & ps & s1 & s2 & s3 & s4 & s5 &
    u2 & u3 & u5 & H1 & H2 & H3 & H4 & H5 & H6 & ->).
  destruct (pure_next _ _ _ _ (pure_mapEach _ _ (pure_symbol w)) H1 O)
    as [O1 N1].
  destruct (pure_next _ _ _ _ (pure_forEach _ _ (pure_size w vars)) H2 O1)
    as [O2 N2].
  destruct (pure_next _ _ _ _ (pure_forEach _ _ (pure_requirement vars)) H3
    O2) as [O3 N3].
  destruct (pure_next _ _ _ _ (pure_mapEach _ _ (pure_axis w vars)) H4 O3)
    as [O4 N4].
  destruct (pure_next _ _ _ _ (pure_product w gs) H5 O4) as [O5 N5].
  destruct (pure_next _ _ _ _ (pure_mapEach _ _ (pure_followGiven vars)) H6
    O5) as [_ N6].
  pose proof (symbols_below _ _ _ _ _ H1 O) as B1.
  assert (B3 : symbolsBelow (next s3) vars)
    by (apply symbolsBelow_le with (next s1); [lia|exact B1]).
  pose proof (grid_bound _ _ _ _ _ _ H4 O3 B3) as Bg.
  assert (B5 : symbolsBelow (next s5) vars)
    by (apply symbolsBelow_le with (next s1); [lia|exact B1]).
  split; [exact Os|]. split.
  { split; [|split]; cbn [symbolVars gridPolys idVars].
    - apply symbolsBelow_le with (next s3); [lia|exact B3].
    - apply Forall_app. split.
      + eapply Forall_impl; [|exact Bg]. intros p. apply below_le. lia.
      + exact (givens_bound _ _ _ _ _ H6 O5 B5).
    - constructor. }
  split; [reflexivity|]. split; [exact Si|]. split; [exact Wr|].
  intros symbols scalars.
  assert (P5 := pure_discharged _ _ _ _
    (pure_mapEach _ _ (pure_followGiven vars)) H6 O5 P).
  assert (P4 := pure_discharged _ _ _ _ (pure_product w gs) H5 O4 P5).
  assert (P3 := pure_discharged _ _ _ _ (pure_mapEach _ _ (pure_axis w vars)) H4
    O3 P4).
  change (admits (admit_ w k symbols scalars)
    (fun l => exists e, true_ s e /\
       launched w k (Header k w vars gs [] ps) l e)).
  unfold admit_. eapply admits_bind, admits_impl.
  2: { apply (admits_each _ (fun x => checkSymbol w symbols x = Ok tt)).
       rewrite forallb_forall in Range. apply Forall_forall. intros x I.
       now apply checkSymbol_fine, Range. }
  intros u C1. cbv beta in C1. rewrite Forall_forall in C1.
  destruct (symbols_true w symbols _ _ _ _ (fun _ => 0) H1 O (noScope_true _))
    as (e1 & _ & T1 & K1).
  { apply Forall_forall. intros x I. eapply C1, distinct_in, I. }
  pose proof (sizes_true w symbols _ _ _ _ K1 _ _ _ H2 T1) as Sz.
  destruct (collect (checkArgument w symbols) (arguments k)) as [xs| | |]
    eqn:C2; try exact Sz.
  cbn [admits bind] in *.
  assert (K2 := known_agrees w symbols _ _ _ _ _ N2 (agrees_refl _ e1) K1).
  eapply admits_bind, admits_impl;
    [|exact (requirements_true w symbols _ _ _ _ _ e1 H3 O2 P3 Sz K2)].
  intros _ (e3 & A3 & T3).
  assert (K3 := known_agrees w symbols _ _ _ _ _ N3 A3 K2).
  eapply admits_bind, admits_impl;
    [|exact (grid_true w symbols _ _ _ _ _ e3 H4 O3 P4 T3 K3)].
  intros ds (e4 & A4 & T4 & <- & G).
  assert (K4 := known_agrees w symbols _ _ _ _ _ N4 A4 K3).
  apply admits_bind, admits_require. intro V.
  assert (T5 : true_ s5 e4).
  { eapply product_true; [exact H5|exact T4|]. lia. }
  assert (K5 := known_agrees w symbols _ _ _ _ _ N5 (agrees_refl _ e4) K4).
  eapply admits_bind, admits_impl;
    [|exact (givens_true w symbols _ _ _ _ _ e4 H6 O5 P T5 K5)].
  intros zs (e5 & A5 & T6 & <-). exists e5. split; [exact T6|].
  assert (K6 := known_agrees w symbols _ _ _ _ _ N6 A5 K5).
  assert (Eg : map (eval e5) gs = map (eval e4) gs).
  { apply map_ext_in. intros p I. symmetry.
    apply agrees_eval with (next s5); [exact A5|].
    rewrite Forall_forall in Bg. apply below_le with (next s4); [lia|].
    now apply Bg. }
  split; cbn [kernel_ bits symbolVars gridPolys symbolOf extentsOf gridOf];
    try reflexivity; try exact W; try exact G.
  - intros name v t S. destruct (known_symbol _ _ _ _ _ _ _ _ K6 S)
      as (_ & E & R). split; [exact E|]. now apply inRange_lane.
  - intros number t es T E. exact (extents_known w symbols _ _ _ _ _ _ _ _ _ _
      _ K6 H2 C2 T E).
  - intros number t T. now apply (size_in _ _ _ _ _ _ _ _ H2 T).
  - intros number t N. apply nth_error_In in N.
    destruct (forEach_in _ _ _ _ _ _ H2 N) as (sa & ua & sb & F).
    cbn [assumeSize] in F. destruct t; try discriminate. eauto.
  - exact Eg.
Qed.
