(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Views, of polynomials on the walk and of integers in a run. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export Ops.
Import ListNotations.
Open Scope Z_scope.

(* Evaluated, the steps of one are those of the other. *)

Lemma whole_eval e t es :
  evalView e (wholePoly t es) = wholeOf t (map (eval e) es).
Proof.
  apply whole_map; [reflexivity|]. apply constant_eval.
Qed.
Lemma step_eval e v s :
  evalView e (stepPoly v s) = step_ (evalView e v) (mapStep (eval e) s).
Proof.
  apply step_map; intros; auto using constant_eval, add_eval, mul_eval.
Qed.
Lemma place_eval e v at_ : map (eval e) (placePoly v at_) =
  placeOf (evalView e v) (map (eval e) at_).
Proof. apply place_map; intros; auto using add_eval, mul_eval. Qed.

(* What holds of a list holds of what is picked from it. *)

Lemma Forall_pick {A} (P : A -> Prop) l numbers : Forall P l ->
  Forall P (pick l numbers).
Proof.
  intro F. apply Forall_forall. intros x I. unfold pick in I.
  apply in_flat_map in I as [k [_ I]]. rewrite Forall_forall in F.
  destruct (nth_error l k) eqn:E; [|contradiction].
  destruct I as [<-|[]]. eapply F, nth_error_In, E.
Qed.
Lemma Forall_instead {A} (P : A -> Prop) l k these : Forall P l ->
  Forall P these -> Forall P (instead l k these).
Proof.
  intros F T. unfold instead. rewrite !Forall_app. split; [|split; [exact T|]];
    rewrite Forall_forall in *; intros x I; apply F.
  - rewrite <- (firstn_skipn k l). apply in_or_app. now left.
  - rewrite <- (firstn_skipn (S k) l). apply in_or_app. now right.
Qed.

Definition numbersOf {A} (s : viewStep A) : list A :=
  match s with
  | Slice offsets sizes => offsets ++ sizes
  | Permute _ => []
  | Unfold _ factors => factors
  | FixAt _ x => [x]
  end.

Lemma stepped_extents {A} (P : A -> Prop) zero one plus_ times v s :
  Forall P (extents_ v) -> Forall P (numbersOf s) ->
  Forall P (extents_ (stepped zero one plus_ times v s)).
Proof.
  intros V N. destruct s; simpl in *.
  - now apply Forall_app in N.
  - now apply Forall_pick.
  - now apply Forall_instead.
  - now apply Forall_instead.
Qed.

Lemma reach_below n k : forall l at_, Forall (fun a => below_ n (snd a)) l ->
  Forall (below_ n) at_ -> below_ n (reach [] add mul k l at_).
Proof.
  induction l as [|[r c] l IH]; intros [|x at_] L A; simpl;
    auto with bounded. inversion L. inversion A. subst.
  destruct (Nat.eqb r k); auto with bounded.
Qed.
Lemma placeFrom_below n l at_ : Forall (fun a => below_ n (snd a)) l ->
  Forall (below_ n) at_ -> forall o k, Forall (below_ n) o ->
  Forall (below_ n) (placeFrom [] add mul k o l at_).
Proof.
  intros L A. induction o as [|x o IH]; intros k O; simpl; constructor;
    inversion O; auto using reach_below with bounded.
Qed.
Lemma digits_below n r c : below_ n c -> forall fs, Forall (below_ n) fs ->
  Forall (fun a => below_ n (snd a)) (digitAxes (constant 1) mul r c fs).
Proof.
  intro C. induction fs as [|f fs IH]; intro F; simpl; constructor;
    inversion F as [|? ? F1 F2]; subst; auto. simpl.
  apply mul_below; [|exact C]. clear - F2.
  induction F2; simpl; auto with bounded.
Qed.

Lemma step_below n v s : boundView n v -> Forall (below_ n) (numbersOf s) ->
  boundView n (stepPoly v s).
Proof.
  intros [E [O L]] N. split; [now apply stepped_extents|].
  destruct s as [offsets sizes|axes|axis fs|axis x]; simpl in *.
  - apply Forall_app in N as [N _]. split; [|exact L].
    now apply placeFrom_below.
  - split; [exact O|]. now apply Forall_pick.
  - split; [exact O|]. apply Forall_instead; [exact L|].
    match goal with |- Forall _ (match ?x with _ => _ end) =>
      destruct x as [[r c]|] eqn:A end; [|constructor].
    apply digits_below; [|exact N]. rewrite Forall_forall in L.
    apply (L (r, c)), (nth_error_In _ _ A).
  - split.
    + apply placeFrom_below; auto.
      apply (Forall_pick (fun a => below_ n (snd a)) _ [axis] L).
    + now apply Forall_instead.
Qed.

Lemma rootPolys_spec h v p s es t s' :
  rootPolys h v p s = Some ((es, t), s') -> s' = s /\
  tensorOf (kernel_ h) (root v) = Some t /\
  extentPolys (symbolVars h) t = Some es /\
  length (extents_ v) = length (tile p) /\
  length (along v) = length (tile p) /\ length (origin v) = length es.
Proof.
  unfold rootPolys, tensorPolys. intro H.
  apply andThen_inv in H as [[es0 t0] [s0 [H0 H]]].
  apply andThen_inv in H0 as [t' [s1 [H1 H0]]].
  apply andThen_inv in H0 as [es' [s2 [H2 H0]]]. injection H0 as <- <- <-.
  apply andThen_inv in H as [c [s3 [H3 H]]].
  unfold given in H1, H2. destruct (tensorOf _ _) eqn:T; [|discriminate].
  injection H1 as -> <-. destruct (extentPolys _ _) eqn:E; [|discriminate].
  injection H2 as -> <-. unfold check in H3.
  destruct (_ && _) eqn:C; [|discriminate].
  injection H3 as _ <-. injection H as <- <- <-.
  rewrite !andb_true_iff, !Nat.eqb_eq in C. tauto.
Qed.

Section ViewValues.

Context (w : Z) (k : kernel) (h : header) (l : launch).
Context (n : names) (env : Sem.env) (d : elements_).

(* Bounds on launches fit an index. *)

Lemma scaled_fits x v : 8 <= w <= 64 -> 0 <= x <= 40 ->
  0 <= v <= scaled x w -> fits w v.
Proof.
  intros Wi X V. unfold scaled in V.
  assert (C : 0 <= ceildiv (x * w) 64 <= w - 2).
  { rewrite ceildiv_sum by lia. split.
    - apply Z.div_pos; nia.
    - assert (Q : (x * w + 64 - 1) / 64 < w - 1); [|lia].
      apply Z.div_lt_upper_bound; nia. }
  pose proof (Z.pow_le_mono_r 2 _ _ ltac:(lia) (proj2 C)) as P1.
  pose proof (Z.pow_lt_mono_r 2 (w - 2) (w - 1) ltac:(lia) ltac:(lia)
    ltac:(lia)) as P2.
  unfold fits. lia.
Qed.

Lemma indexConstant_true c s u s' e : indexConstant h c s = Some (u, s') ->
  bits h = w -> orderly s -> true_ s e -> Forall discharged (vcs s') ->
  fits w c /\ true_ s' e /\ next s' = next s.
Proof.
  unfold indexConstant, maxOf. simpl. intros H W O T P. rewrite W in H.
  unfold fits. destruct (Z.ltb_spec (2 ^ (w - 1) - 1) c); steps.
  - exfalso. tamely. emitted. lia.
  - destruct (Z.ltb_spec c (- (2 ^ (w - 1) - 1) - 1)); steps.
    + exfalso. tamely. emitted. lia.
    + split; [lia|auto].
Qed.

Lemma tensorPolys_inv t s es ten s' e :
  tensorPolys h t s = Some ((es, ten), s') -> launched w k h l e ->
  s' = s /\ tensorOf k t = Some ten /\
  extentPolys (symbolVars h) ten = Some es /\
  extentsOf l t = Some (map (eval e) es) /\
  Forall (fun x => 0 <= x <= maxExtent w) (map (eval e) es) /\
  isLane (elements ten) = true.
Proof.
  intros H L. unfold tensorPolys in H. steps.
  match goal with E : tensorOf _ _ = Some _ |- _ => rename E into Tn end.
  rewrite (isKernel _ _ _ _ _ L) in Tn.
  match goal with E : extentPolys _ _ = Some _ |- _ => rename E into Es end.
  destruct (areExtents _ _ _ _ _ L _ _ _ Tn Es) as [E1 E2].
  conj; auto. eapply areElements; eauto.
Qed.

Lemma rootPolys_inv v p s es t s' e :
  rootPolys h v p s = Some ((es, t), s') -> launched w k h l e ->
  s' = s /\ tensorOf k (root v) = Some t /\
  extentPolys (symbolVars h) t = Some es /\
  extentsOf l (root v) = Some (map (eval e) es) /\
  length (extents_ v) = length (tile p) /\ Forall (Z.le 1) (tileExtents p) /\
  isLane (elements t) = true.
Proof.
  intros H L. unfold rootPolys in H. steps.
  destruct a as [es' t']. steps.
  destruct (tensorPolys_inv _ _ _ _ _ _ H0 L) as [-> [T [E [X [B La]]]]].
  repeat match goal with E : Nat.eqb _ _ = true |- _ =>
    apply Nat.eqb_eq in E end.
  conj; auto.
  match goal with E : forallb _ (tileExtents p) = true |- _ =>
    rewrite forallb_forall in E; apply Forall_forall; intros z Z;
    specialize (E z Z); lia end.
Qed.

Lemma viewPolys_inv b s v way s' e :
  viewPolys h n b s = Some ((v, way), s') -> launched w k h l e ->
  describes w l e n env d -> 8 <= w <= 64 -> boundHeader (next s) h ->
  boundNames (next s) n ->
  s' = s /\ viewAt l env b = Ok (evalView e v) /\
  Forall (fits w) (map (eval e) (extents_ v)) /\ boundView (next s) v.
Proof.
  intros H L D Wi Bh Bn. destruct b as [t|r]; cbn [viewPolys viewAt] in *.
  - steps. destruct a as [es ten]. steps. subst.
    destruct (tensorPolys_inv _ _ _ _ _ _ H0 L) as [-> [T [E [X [B La]]]]].
    rewrite X. cbn [orElse bind]. rewrite whole_eval. conj; auto.
    + simpl. eapply Forall_impl; [|exact B]. intros x Y.
      now apply (scaled_fits 40); [exact Wi|lia|].
    + pose proof (extentPolys_bound _ _ _ _ Bh E) as Be. split; [exact Be|].
      simpl. split; apply Forall_forall; intros x I;
        apply in_map_iff in I as [y [<- _]]; simpl; auto with bounded.
  - unfold given in H.
    destruct (PositiveMap.find r (entries n)) as [[|v' way'|]|] eqn:F;
      try discriminate. injection H as -> -> <-.
    destruct D as [V _]. destruct (V r _ F) as [E [Fi _]]. rewrite E.
    conj; auto. apply (Bn r _ F).
Qed.

Lemma viewPolys_isView b s v way s' e :
  viewPolys h n b s = Some ((v, way), s') -> launched w k h l e ->
  describes w l e n env d -> isView l (evalView e v).
Proof.
  intros H L D. destruct b as [t|r]; cbn [viewPolys] in H.
  - steps. destruct a as [es ten]. steps. subst.
    destruct (tensorPolys_inv _ _ _ _ _ _ H0 L) as [-> [_ [_ [X _]]]].
    rewrite whole_eval. exists (map (eval e) es). split; [exact X|].
    apply Places.viewOf_whole.
  - unfold given in H.
    destruct (PositiveMap.find r (entries n)) as [[|v' way'|]|] eqn:F;
      try discriminate. injection H as -> -> <-.
    destruct D as [V _]. now destruct (V r _ F) as [_ [_ Vi]].
Qed.
Lemma partition_isView p s v way t s' e : launched w k h l e ->
  describes w l e n env d ->
  partitionPolys h n p s = Some ((v, way, t), s') -> isView l (evalView e v).
Proof.
  intros L D H. unfold partitionPolys in H. steps. destruct a as [v' way'].
  steps. destruct a as [es t']. steps. subst.
  eapply viewPolys_isView; eauto.
Qed.

Lemma partition_inv p s v way t s' e : launched w k h l e ->
  describes w l e n env d -> 8 <= w <= 64 -> boundHeader (next s) h ->
  boundNames (next s) n ->
  partitionPolys h n p s = Some ((v, way, t), s') ->
  s' = s /\ viewAt l env (of p) = Ok (evalView e v) /\
  Forall (fits w) (map (eval e) (extents_ v)) /\ boundView (next s) v /\
  exists es, tensorOf k (root v) = Some t /\
    extentPolys (symbolVars h) t = Some es /\
    extentsOf l (root v) = Some (map (eval e) es) /\
    length (extents_ v) = length (tile p) /\
    Forall (Z.le 1) (tileExtents p) /\ isLane (elements t) = true.
Proof.
  intros L D Wi Bh Bn H. unfold partitionPolys in H. steps.
  destruct a as [v' way']. steps. destruct a as [es t']. steps. subst.
  destruct (viewPolys_inv _ _ _ _ _ e H0 L D Wi Bh Bn)
    as [-> [V [F B]]].
  destruct (rootPolys_inv _ _ _ _ _ _ e H1 L)
    as [-> [T [E [X [Y [Z La]]]]]].
  conj; auto. exists es. conj; auto.
Qed.

End ViewValues.
