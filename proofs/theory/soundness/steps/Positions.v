(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Where the run of a block and the walk over its code stand at a statement: the
   names are about the values that the block has. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export Runs Choices.
Import ListNotations.
Open Scope Z_scope.

Lemma eqElement_sound a b : eqElement a b = true -> a = b.
Proof.
  destruct a, b; simpl; try discriminate; intro H; try reflexivity;
    rewrite ?andb_true_iff, ?Z.eqb_eq in H; f_equal; tauto.
Qed.
Lemma eqAt_sound a b : eqAt a b = true -> a = b.
Proof.
  revert b. induction a as [|x a IH]; intros [|y b]; simpl; try discriminate;
    [reflexivity|]. rewrite andb_true_iff, Z.eqb_eq. intros [-> H].
  now rewrite (IH b H).
Qed.
Lemma eqType_sound a b : eqType a b = true -> a = b.
Proof.
  unfold eqType. rewrite andb_true_iff. intros [S E].
  apply eqAt_sound in S. apply eqElement_sound in E. destruct a, b; simpl in *.
  now subst.
Qed.
Lemma isScalar_shape t : isScalar t = true -> t = scalarType (lanes t).
Proof. destruct t as [[|] e]; simpl; [reflexivity|discriminate]. Qed.
Lemma isInteger_scalar t : isInteger t = true -> t = scalarType (lanes t).
Proof. intro H. apply isScalar_shape. now apply andb_true_iff in H. Qed.
Lemma isTruth_scalar t : isTruth t = true -> t = scalarType (Int 1).
Proof.
  intro H. apply andb_true_iff in H as [S E]. apply eqElement_sound in E.
  rewrite (isScalar_shape t S). now rewrite E.
Qed.

Lemma scalar_lanes xs e : @length Z xs = laneCount (scalarType e) ->
  exists x, xs = [x].
Proof.
  destruct xs as [|x [|]]; try discriminate. eauto.
Qed.

(* Meanings depend on the variables that they speak of. *)

Lemma means_agrees n w e e' t m xs : agrees n e e' -> boundMeaning n m ->
  means w e t m xs -> means w e' t m xs.
Proof.
  intros A B [T [L [F M]]]. repeat split; auto. destruct m as [p|c|]; auto.
  - destruct M as [I ->]. split; [exact I|].
    now rewrite (agrees_eval n e e' p A B).
  - destruct M as [I [b [-> [Yes [No Not]]]]]. split; [exact I|]. exists b.
    split; [reflexivity|]. repeat split.
    + intro H. eapply may_agrees; eauto.
    + intro H. eapply may_agrees; [exact A|now apply negated_bound|auto].
    + intros K H X. apply (Not K H).
      eapply may_agrees; [apply agrees_sym, A|exact B|exact X].
Qed.

Lemma map_agrees n e e' ps : agrees n e e' -> Forall (below_ n) ps ->
  map (eval e) ps = map (eval e') ps.
Proof.
  intros A B. apply map_ext_in. intros p I. rewrite Forall_forall in B.
  now apply agrees_eval with n; [|apply B].
Qed.

Lemma all_spec {A B} (f : A -> option B) : forall l ys, all f l = Some ys ->
  Forall2 (fun x y => f x = Some y) l ys.
Proof.
  induction l as [|x l IH]; simpl; intros ys H.
  - injection H as <-. constructor.
  - destruct (f x) as [y|] eqn:E; [|discriminate].
    destruct (all f l) as [ys'|]; [|discriminate]. injection H as <-.
    constructor; auto.
Qed.

Lemma find_symbol vars name v t : symbolOf_ vars name = Some (v, t) ->
  exists n, In (n, (v, t)) vars.
Proof.
  unfold symbolOf_. destruct (find _ _) as [[n [v' t']]|] eqn:F;
    [|discriminate].
  intro H. injection H as -> ->. apply find_some in F as [I _]. eauto.
Qed.

Lemma dimPoly_bound n h d p : boundHeader n h ->
  dimPoly (symbolVars h) d = Some p -> below_ n p.
Proof.
  intros [B _]. destruct d as [c|name]; simpl.
  - intro H. injection H as <-. apply constant_below.
  - destruct (symbolOf_ _ _) as [[v t]|] eqn:S; [|discriminate].
    destruct t; try discriminate. intro H. injection H as <-.
    apply variable_below. apply find_symbol in S as [x I].
    rewrite Forall_forall in B. apply (B _ I).
Qed.

Lemma extentPolys_bound n h t es : boundHeader n h ->
  extentPolys (symbolVars h) t = Some es -> Forall (below_ n) es.
Proof.
  intros B E. apply all_spec in E.
  induction E as [|d p ds ps D E IH]; constructor; [|exact IH].
  now apply dimPoly_bound with h d.
Qed.

Lemma launched_agrees n w k h l e e' : boundHeader n h -> agrees n e e' ->
  launched w k h l e -> launched w k h l e'.
Proof.
  intros B A [K W Wi S E El Sc G Gs Gi]. pose proof B as [_ [Bp _]].
  unfold headerPolys in Bp. apply Forall_app in Bp as [Bg Bq]. split; auto.
  - intros name v t H. destruct (S name v t H) as [X Y].
    assert (V : e' v = e v).
    { symmetry. apply A. apply find_symbol in H as [x I].
      destruct B as [B _]. rewrite Forall_forall in B. apply (B _ I). }
    now rewrite V.
  - intros number t es T H. destruct (E number t es T H) as [X Y].
    rewrite <- (map_agrees n e e' es A).
    + now split.
    + eapply extentPolys_bound; eauto.
  - rewrite <- G. symmetry. now apply map_agrees with n.
  - rewrite <- Gi. apply map_ext_in. intros [t c] I. cbn [fst snd]. f_equal.
    rewrite Forall_forall in Bq.
    assert (Same : forall p, In p (contentNumbers c) -> eval e' p = eval e p).
    { intros p P. symmetry. apply agrees_eval with n; [exact A|]. apply Bq.
      apply in_flat_map. now exists (t, c). }
    destruct c; cbn [mapContent contentNumbers] in *; rewrite ?Same; simpl;
      auto.
Qed.

Lemma view_agrees n e e' v : agrees n e e' -> boundView n v ->
  evalView e v = evalView e' v.
Proof.
  intros A [X [O L]]. unfold evalView, mapView.
  rewrite (map_agrees n e e' _ A X), (map_agrees n e e' _ A O). f_equal.
  apply map_ext_in. intros a I. rewrite Forall_forall in L. f_equal.
  now apply agrees_eval with n; [|apply L].
Qed.

Lemma inSite_agrees n e e' extents s a : agrees n e e' ->
  boundView n (seen s) -> Forall (below_ n) (indices s) ->
  inSite e' extents s a -> inSite e extents s a.
Proof.
  intros A V B. unfold inSite.
  now rewrite (map_agrees n e e' _ A B), (view_agrees n e e' _ A V).
Qed.

Lemma lands_agrees n e e' extents s a : agrees n e e' ->
  boundView n (seen s) -> Forall (below_ n) (indices s) ->
  lands e' extents s a -> lands e extents s a.
Proof.
  intros A V B. unfold lands. pose proof V as [X _].
  now rewrite (map_agrees n e e' _ A B), (view_agrees n e e' _ A V),
    (map_agrees n e e' _ A X).
Qed.

Lemma describes_agrees n w l e e' ns env d : agrees n e e' ->
  boundNames n ns -> describes w l e ns env d -> describes w l e' ns env d.
Proof.
  intros A B [V [S Md]]. split; [|split; [|exact Md]].
  - intros v x F. specialize (V v x F). specialize (B v x F).
    destruct x as [t m|s way|s].
    + destruct V as [xs [E M]]. exists xs. split; [exact E|].
      now apply means_agrees with n e.
    + simpl in B. pose proof B as [X _].
      rewrite <- (map_agrees n e e' _ A X), <- (view_agrees n e e' _ A B).
      exact V.
    + destruct B as [Bv B]. pose proof Bv as [X _].
      rewrite <- (map_agrees n e e' _ A B), <- (map_agrees n e e' _ A X),
        <- (view_agrees n e e' _ A Bv). exact V.
  - intros v I. destruct (S v I) as [s [extents [F [E D]]]].
    exists s, extents. repeat split; auto. intros a H. apply D.
    destruct (B v _ F) as [Bv Bi].
    eapply inSite_agrees; [exact A|exact Bv|exact Bi|exact H].
Qed.
Lemma describes_sub w l e ns env d d' : sub_ d d' ->
  describes w l e ns env d -> describes w l e ns env d'.
Proof.
  intros U [V [S Md]]. split; [exact V|]. split; [|exact Md]. intros v I.
  destruct (S v I) as [s [extents [F [E D]]]]. exists s, extents.
  repeat split; auto.
Qed.

Lemma boundView_le n n' v : (n <= n')%positive -> boundView n v ->
  boundView n' v.
Proof.
  intros L [X [O Y]]. split; [|split].
  - eapply Forall_impl; [|exact X]. intro p. now apply below_le.
  - eapply Forall_impl; [|exact O]. intro p. now apply below_le.
  - eapply Forall_impl; [|exact Y]. intro p. now apply below_le.
Qed.
Lemma boundEntry_le n n' x : (n <= n')%positive -> boundEntry n x ->
  boundEntry n' x.
Proof.
  intro L. destruct x as [t [p|c|]|v way|s]; simpl; auto.
  - now apply below_le.
  - now apply boundCond_le.
  - now apply boundView_le.
  - intros [V I]. split; [now apply boundView_le with n|]. revert I.
    apply Forall_impl. intro p. now apply below_le.
Qed.
Lemma boundNames_le n n' ns : (n <= n')%positive -> boundNames n ns ->
  boundNames n' ns.
Proof. intros L B v x F. eapply boundEntry_le, B, F. exact L. Qed.
Lemma boundHeader_le n n' h : (n <= n')%positive -> boundHeader n h ->
  boundHeader n' h.
Proof.
  intros L [S [G I]]. repeat split.
  - eapply Forall_impl; [|exact S]. cbv beta. intros. lia.
  - eapply Forall_impl; [|exact G]. intro p. now apply below_le.
  - eapply Forall_impl; [|exact I]. cbv beta. intros. lia.
Qed.

(* New names. *)

Lemma bindName_find n v x u y :
  PositiveMap.find u (entries (bindName n v x)) = Some y ->
  u = v /\ y = x \/ u <> v /\ PositiveMap.find u (entries n) = Some y.
Proof.
  simpl. destruct (Pos.eq_dec u v) as [->|N].
  - rewrite PositiveMap.gss. intro H. injection H as <-. auto.
  - rewrite PositiveMap.gso by exact N. auto.
Qed.
Lemma bindName_bound b n v x : boundNames b n -> boundEntry b x ->
  boundNames b (bindName n v x).
Proof.
  intros B X u y F. apply bindName_find in F as [[_ ->]|[_ F]]; eauto.
Qed.

Lemma stored_other n v x u : In u (stored (bindName n v x)) ->
  u <> v /\ In u (stored n).
Proof.
  simpl. rewrite filter_In. intros [I N]. split; [|exact I]. intros ->.
  now rewrite Pos.eqb_refl in N.
Qed.

(* What was made of other values is still made of them. *)
Lemma get_other v b env u : u <> v -> get (PositiveMap.add v b env) u =
  get env u.
Proof. intro N. unfold get. now rewrite PositiveMap.gso. Qed.

Lemma evalLanes_other w env v b t o :
  match operandsOf o with
  | Some vs => existsb (Pos.eqb v) vs = false
  | None => False
  end ->
  evalLanes w (PositiveMap.add v b env) t o = evalLanes w env t o.
Proof.
  intro N. unfold evalLanes.
  destruct o; cbn [operandsOf] in N; try contradiction; cbn [evalOp];
    try reflexivity; cbn [existsb] in N;
    repeat match goal with
      | H : _ || _ = false |- _ => apply orb_false_iff in H as [? ?]
      | H : (_ =? _)%positive = false |- _ => apply Pos.eqb_neq in H
      end; rewrite !get_other by congruence; reflexivity.
Qed.

Lemma hasShape_other n v x sh u : u <> v ->
  hasShape (PositiveMap.add v x n) sh u = hasShape n sh u.
Proof. intro N. unfold hasShape. now rewrite PositiveMap.gso. Qed.

Lemma operandsFit_other n v x t o :
  match operandsOf o with
  | Some vs => existsb (Pos.eqb v) vs = false
  | None => False
  end ->
  operandsFit (PositiveMap.add v x n) t o = operandsFit n t o.
Proof.
  destruct o; cbn [operandsOf operandsFit existsb]; try contradiction;
    try reflexivity; intro N;
    repeat match goal with
      | H : _ || _ = false |- _ => apply orb_false_iff in H as [? ?]
      | H : (_ =? _)%positive = false |- _ => apply Pos.eqb_neq in H
      end; rewrite !hasShape_other by congruence; reflexivity.
Qed.

Lemma made_other w env n v e b :
  (forall u o, In (u, o) (made n) -> exists t mm xs,
     PositiveMap.find u (entries n) = Some (Val t mm) /\
     PositiveMap.find u env = Some (Lanes xs) /\
     operandsFit (entries n) t o = true /\ evalLanes w env t o = Ok xs) ->
  forall u o, In (u, o) (made (bindName n v e)) -> exists t mm xs,
    PositiveMap.find u (entries (bindName n v e)) = Some (Val t mm) /\
    PositiveMap.find u (PositiveMap.add v b env) = Some (Lanes xs) /\
    operandsFit (entries (bindName n v e)) t o = true /\
    evalLanes w (PositiveMap.add v b env) t o = Ok xs.
Proof.
  intros Md u o I. simpl in I. apply filter_In in I as [I N].
  apply negb_true_iff in N. unfold speaksOfValue in N. cbn [fst snd] in N.
  apply orb_false_iff in N as [Nv No]. apply Pos.eqb_neq in Nv.
  destruct (Md u o I) as [t [mm [xs [F [G [P E]]]]]]. exists t, mm, xs.
  simpl. rewrite !PositiveMap.gso by congruence. split; [exact F|].
  split; [exact G|].
  assert (No' : match operandsOf o with
                | Some vs => existsb (Pos.eqb v) vs = false
                | None => False
                end) by now destruct (operandsOf o).
  rewrite operandsFit_other, evalLanes_other; auto.
Qed.

Lemma loadedLanes_other l ns env v e b f el sh xs :
  existsb (Pos.eqb v) (loadedWith f) = false ->
  loadedLanes l ns env f el sh xs ->
  loadedLanes l (PositiveMap.add v e ns) (PositiveMap.add v b env) f el sh xs.
Proof.
  intros Nf [Fit L]. split.
  - destruct f as [|number [y|] padding]; try exact Logic.I.
    cbn [loadedWith existsb] in Nf. apply orb_false_iff in Nf as [N1 _].
    apply Pos.eqb_neq in N1. now rewrite hasShape_other by congruence.
  - intros at_ B. destruct (L at_ B) as [K|[Z P]]; [now left|].
    right. split; [exact Z|].
    destruct f as [number tl index padding|number [y|] padding];
      cbn [wasPadded loadedWith existsb] in *.
    + destruct P as [Pd [es [is_ [E [C X]]]]]. split; [exact Pd|].
      exists es, is_. split; [exact E|]. split; [|exact X].
      rewrite <- C. clear - Nf.
      induction index as [|y index IH]; [reflexivity|]. cbn [existsb] in Nf.
      apply orb_false_iff in Nf as [N1 N2]. apply Pos.eqb_neq in N1.
      cbn [collect]. unfold scalar at 1 3. rewrite get_other by congruence.
      now rewrite IH.
    + apply orb_false_iff in Nf as [N1 _]. apply Pos.eqb_neq in N1.
      now rewrite get_other by congruence.
    + exact P.
Qed.
Lemma loaded_other l env n v e b :
  (forall u f, In (u, f) (loaded n) -> exists t mm xs,
     PositiveMap.find u (entries n) = Some (Val t mm) /\
     PositiveMap.find u env = Some (Lanes xs) /\
     loadedLanes l (entries n) env f (lanes t) (shape t) xs) ->
  forall u f, In (u, f) (loaded (bindName n v e)) -> exists t mm xs,
    PositiveMap.find u (entries (bindName n v e)) = Some (Val t mm) /\
    PositiveMap.find u (PositiveMap.add v b env) = Some (Lanes xs) /\
    loadedLanes l (entries (bindName n v e)) (PositiveMap.add v b env) f
      (lanes t) (shape t) xs.
Proof.
  intros Fe u f I. simpl in I. apply filter_In in I as [I N].
  apply negb_true_iff in N. unfold fetchSpeaks in N. cbn [fst snd existsb] in N.
  apply orb_false_iff in N as [Nv Nf]. apply Pos.eqb_neq in Nv.
  destruct (Fe u f I) as [t [mm [xs [F [G L]]]]]. exists t, mm, xs. simpl.
  rewrite !PositiveMap.gso by congruence. split; [exact F|].
  split; [exact G|]. now apply loadedLanes_other.
Qed.

Lemma describes_value w l e n env d v t m xs : means w e t m xs ->
  describes w l e n env d ->
  describes w l e (bindName n v (Val t m)) (set_ env v xs) d.
Proof.
  intros M [V [S [Md Fe]]]. split;
    [|split; [|split; [now apply made_other|now apply loaded_other]]].
  - intros u x F. apply bindName_find in F as [[-> ->]|[N F]]; unfold set_.
    + exists xs. now rewrite PositiveMap.gss.
    + rewrite PositiveMap.gso by exact N. now apply V.
  - intros u I. apply stored_other in I as [N I].
    destruct (S u I) as [s [extents [F R]]]. exists s, extents. simpl.
    rewrite PositiveMap.gso by exact N. auto.
Qed.
Lemma describes_view w l e n env d v s way :
  Forall (fits w) (map (eval e) (extents_ s)) -> isView l (evalView e s) ->
  describes w l e n env d ->
  describes w l e (bindName n v (Sight s way))
    (PositiveMap.add v (ViewOf (evalView e s)) env) d.
Proof.
  intros Fi Vi [V [S [Md Fe]]]. split;
    [|split; [|split; [now apply made_other|now apply loaded_other]]].
  - intros u x F. apply bindName_find in F as [[-> ->]|[N F]].
    + rewrite PositiveMap.gss. auto.
    + rewrite PositiveMap.gso by exact N. now apply V.
  - intros u I. apply stored_other in I as [N I].
    destruct (S u I) as [s' [extents [F R]]]. exists s', extents. simpl.
    rewrite PositiveMap.gso by exact N. auto.
Qed.
Lemma describes_piece w l e n env d v s :
  length (indices s) = length (tile (places s)) ->
  tileExists (map (eval e) (extents_ (seen s))) (tileExtents (places s))
    (map (eval e) (indices s)) = true ->
  describes w l e n env d ->
  describes w l e (bindName n v (Cap s))
    (PositiveMap.add v (PieceOf (evalView e (seen s)) (places s)
                          (map (eval e) (indices s))) env) d.
Proof.
  intros L Ex [V [S [Md Fe]]]. split;
    [|split; [|split; [now apply made_other|now apply loaded_other]]].
  - intros u x F. apply bindName_find in F as [[-> ->]|[N F]].
    + rewrite PositiveMap.gss. auto.
    + rewrite PositiveMap.gso by exact N. now apply V.
  - intros u I. apply stored_other in I as [N I].
    destruct (S u I) as [s' [extents [F R]]]. exists s', extents. simpl.
    rewrite PositiveMap.gso by exact N. auto.
Qed.

Definition entryMeans (w : Z) (e : values) (x : entry) (xs : list Z) : Prop :=
  match x with Val t m => means w e t m xs | _ => False end.

Lemma describes_all w l e d : forall vs es n n' xs env,
  bindAll n vs es = Some n' -> Forall2 (entryMeans w e) es xs ->
  describes w l e n env d ->
  exists env', setAll env vs xs = Ok env' /\ describes w l e n' env' d.
Proof.
  induction vs as [|v vs IH]; intros [|x es] n n' xs env B M D;
    try discriminate; inversion M as [|? ys ? xs' M1 M2]; subst; simpl.
  - injection B as <-. eauto.
  - simpl in B. destruct x as [t m| |]; try contradiction.
    eapply IH; [exact B|exact M2|]. now apply describes_value.
Qed.
Lemma bindAll_bound b : forall vs es n n', bindAll n vs es = Some n' ->
  Forall (boundEntry b) es -> boundNames b n -> boundNames b n'.
Proof.
  induction vs as [|v vs IH]; intros [|x es] n n' B E N; try discriminate.
  - now injection B as <-.
  - inversion E; subst. eapply IH; [exact B|assumption|].
    now apply bindName_bound.
Qed.

(* Looking values up. *)

Section Lookup.

Context (w : Z) (l : launch) (e : values) (n : names) (env : Sem.env)
  (d : elements_) (D : describes w l e n env d).

Lemma valueOf_inv v s t m s' : valueOf n v s = Some ((t, m), s') ->
  s' = s /\ PositiveMap.find v (entries n) = Some (Val t m) /\
  exists xs, get env v = Ok xs /\ means w e t m xs.
Proof.
  unfold valueOf, given.
  destruct (PositiveMap.find v (entries n)) as [[t' m'| |]|] eqn:F;
    try discriminate. intro H. injection H as <- <- <-.
  repeat split. destruct D as [V _]. destruct (V v _ F) as [xs [E M]].
  exists xs. unfold get. now rewrite E.
Qed.

Lemma numberOf_inv v t s p s' : numberOf n t v s = Some (p, s') ->
  s' = s /\ PositiveMap.find v (entries n) = Some (Val (scalarType t) (Number
    p))
  /\ get env v = Ok [eval e p] /\ scalar env v = Ok (eval e p) /\
  laneOk w t (eval e p) /\ isType (scalarType t) = true.
Proof.
  unfold numberOf. intro H. apply andThen_inv in H as [[t' m] [s1 [H1 H]]].
  apply valueOf_inv in H1 as [-> [F [xs [G M]]]].
  apply andThen_inv in H as [u [s2 [H2 H]]]. unfold check in H2.
  destruct (eqType t' (scalarType t)) eqn:T; [|discriminate].
  injection H2 as _ <-. apply eqType_sound in T. subst t'.
  unfold given in H. destruct m as [q|c|]; try discriminate.
  injection H as <- <-. destruct M as [Ty [L [Fo [_ X]]]]. subst xs.
  repeat split; auto.
  - unfold scalar. now rewrite G.
  - now inversion Fo.
Qed.

Lemma numbersOf_inv t : forall vs s ps s',
  mapEach (numberOf n t) vs s = Some (ps, s') ->
  s' = s /\ collect (scalar env) vs = Ok (map (eval e) ps) /\
  length ps = length vs.
Proof.
  induction vs as [|v vs IH]; simpl; intros s ps s' H.
  - injection H as <- <-. auto.
  - apply andThen_inv in H as [p [s1 [H1 H]]].
    apply andThen_inv in H as [qs [s2 [H2 H]]]. injection H as <- <-.
    apply numberOf_inv in H1 as [-> [_ [_ [S _]]]].
    apply IH in H2 as [-> [C L]]. rewrite S. simpl. rewrite C. simpl. auto.
Qed.

Lemma siteOf_inv v s x s' : siteOf n v s = Some (x, s') ->
  s' = s /\ PositiveMap.find v (entries n) = Some (Cap x) /\
  piece env v =
    Ok (evalView e (seen x), places x, map (eval e) (indices x)) /\
  length (indices x) = length (tile (places x)) /\
  tileExists (map (eval e) (extents_ (seen x))) (tileExtents (places x))
    (map (eval e) (indices x)) = true.
Proof.
  unfold siteOf, given.
  destruct (PositiveMap.find v (entries n)) as [[| |y]|] eqn:F;
    try discriminate.
  intro H. injection H as <- <-. destruct D as [V _].
  destruct (V v _ F) as [E [L X]]. split; [reflexivity|].
  split; [reflexivity|]. split; [|auto]. unfold piece. now rewrite E.
Qed.

Lemma valuesOf_inv : forall vs s es s', valuesOf n vs s = Some (es, s') ->
  s' = s /\ exists xss, collect (get env) vs = Ok xss /\
    Forall2 (entryMeans w e) es xss.
Proof.
  induction vs as [|v vs IH]; simpl; intros s es s' H.
  - injection H as <- <-. split; [reflexivity|]. exists []. auto.
  - apply andThen_inv in H as [x [s1 [H1 H]]].
    apply andThen_inv in H as [ys [s2 [H2 H]]]. injection H as <- <-.
    apply andThen_inv in H1 as [[t m] [s3 [H3 H1]]]. injection H1 as <- <-.
    apply valueOf_inv in H3 as [-> [_ [xs [G M]]]].
    apply IH in H2 as [-> [xss [C F]]]. split; [reflexivity|].
    exists (xs :: xss). rewrite G. simpl. rewrite C. simpl. auto.
Qed.

End Lookup.

Lemma numberOf_bound n b v t s p s' : boundNames b n ->
  numberOf n t v s = Some (p, s') -> s' = s /\ below_ b p.
Proof.
  intros B H. unfold numberOf in H.
  apply andThen_inv in H as [[t' m] [s1 [H1 H]]].
  unfold valueOf, given in H1.
  destruct (PositiveMap.find v (entries n)) as [[t'' m'| |]|] eqn:F;
    try discriminate. injection H1 as -> -> <-.
  apply andThen_inv in H as [u [s2 [H2 H]]]. unfold check in H2.
  destruct (eqType _ _); [|discriminate]. injection H2 as _ <-.
  unfold given in H. destruct m as [q|c|]; try discriminate.
  injection H as <- <-. split; [reflexivity|]. apply (B v _ F).
Qed.
