(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Reading goes back from a lane to what it was made of; each op with an
   obligation of every lane gets stuck in none. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export LaneContents.
Import ListNotations.
Open Scope Z_scope.

Section Sound.

Context (w : Z) (k : kernel) (h : header) (l : launch) (m : machine)
  (given : initial_) (ids : list Z) (e0 : values) (from : Poly.var).
Context (isWidth_ : width m = w) (inGrid : inBox (gridOf l) ids).
Context (n : names) (env : Sem.env) (d : elements_).

Notation at_step := (at_step w k h l given ids e0 from).
Notation laneValue := (laneValue n env).
Notation laneMeans := (laneMeans w n env).
Notation soundRead := (soundRead w k h l given ids e0 from n env d).
Notation recalledOk := (recalledOk n env).

Lemma laneUnknown_sound one z r s t mm r' s' e v at_ tv mv :
  laneUnknown h one r s = Some ((t, mm, r'), s') -> at_step s e n env d ->
  PositiveMap.find v (entries n) = Some (Val tv mv) ->
  one = scalarType (lanes tv) -> z = laneValue v (map (eval e) at_) ->
  Forall (below_ (next s)) at_ -> recalledOk s e r ->
  exists e', agrees (next s) e e' /\ at_step s' e' n env d /\ grows s s' /\
    laneMeans s' e' v (map (eval e) at_) t mm /\ recalledOk s' e' r'.
Proof.
  intros H A F -> Z B Rc. unfold laneUnknown in H.
  apply andThen_inv in H as [x [s1 [H1 H]]].
  apply andThen_inv in H as [[t1 m1] [s2 [H2 H]]]. injection H as -> -> -> ->.
  destruct (laneValue_ok w k h l given ids e0 from n env d s e v
    (map (eval e) at_) tv mv A F) as [Y Lz].
  rewrite <- Z in Lz.
  pose proof (unknown_read w k h l given ids e0 from n env d
    (scalarType (lanes tv)) z s x s1 e H1 A eq_refl (isType_one tv Y) Lz) as G.
  destruct (unknown_tame h _ _ _ _ H1 ltac:(apply A)) as [O1 G1].
  destruct (gives_read w k h l given ids e0 from d s s1 e n env x _ z A G1 O1 G
    (keep_unknown (part := looks) _ _ _ _ _ H1))
    as [mm' [e' [-> [Ag [A' [M Bm]]]]]].
  cbn [laneOfEntry] in H2. injection H2 as <- <- <-.
  exists e'. conj; auto.
  - split; [eauto|]. rewrite <- Z. split; assumption.
  - apply (recalledOk_later n env s s1 e e'); auto. apply G1.
Qed.

Lemma scalar_one t : isScalar (scalarType t) = true.
Proof. reflexivity. Qed.

Lemma types_lengths s e : at_step s e n env d ->
  forall v t' mm xs', PositiveMap.find v (entries n) = Some (Val t' mm) ->
  get env v = Ok xs' -> length xs' = laneCount t'.
Proof.
  intros A v t' mm xs' F G.
  destruct (value_of w k h l given ids e0 from n env d s e v t' mm A F)
    as [xs [G' [[_ [L _]] _]]]. congruence.
Qed.

Lemma readMade_sound read v tv mv o xs at_ r s t mm r' s' e :
  soundRead read -> (forall v at_ r, tame (read v at_ r)) ->
  readMade h read n tv o at_ r s = Some ((t, mm, r'), s') ->
  at_step s e n env d -> Forall discharged (vcs s') ->
  Forall (below_ (next s)) at_ -> recalledOk s e r ->
  PositiveMap.find v (entries n) = Some (Val tv mv) -> get env v = Ok xs ->
  isScalar tv = false -> inBox (shape tv) (map (eval e) at_) ->
  operandsFit (entries n) tv o = true -> evalLanes w env tv o = Ok xs ->
  t = scalarType (lanes tv) ->
  exists e', agrees (next s) e e' /\ at_step s' e' n env d /\ grows s s' /\
    laneMeans s' e' v (map (eval e) at_) t mm /\ recalledOk s' e' r'.
Proof.
  intros R Ta H A P B Rc F G Sc In_ Fit Ev Et. unfold readMade in H.
  destruct (isLost _ o) eqn:Lost.
  { eapply laneUnknown_sound; eauto. }
  destruct (value_of w k h l given ids e0 from n env d s e v tv mv A F)
    as [xs' [G' [[Y [Len [Fo _]]] Bv]]].
  rewrite G in G'. injection G' as <-.
  destruct (laneValue_ok w k h l given ids e0 from n env d s e v
    (map (eval e) at_) tv mv A F) as [_ Lz].
  assert (Lv : laneValue v (map (eval e) at_) =
               laneOf (shape tv) xs (map (eval e) at_)).
  { unfold LaneReads.laneValue. now rewrite F, G. }
  assert (O : orderly s) by apply A.
  pose proof (types_lengths s e A) as Ty.
  (* An op on lanes. *)
  assert (Ops : forall vs, operandsOf o = Some vs ->
    match o with
    | Constant _ | Binary _ _ _ | Compare _ _ _ | Syntax.Select _ _ _
    | Cast _ _ _ => True
    | _ => False
    end ->
    (let* (ls, r1) := readAt read vs at_ r in
     let* x := laneOp h (bindLanes n ls) (scalarType (lanes tv)) o in
     let* (t1, m1) := laneOfEntry x in ret (t1, m1, r1)) s =
      Some ((t, mm, r'), s') ->
    exists e', agrees (next s) e e' /\ at_step s' e' n env d /\ grows s s' /\
      laneMeans s' e' v (map (eval e) at_) t mm /\ recalledOk s' e' r').
  { intros vs Vs Sort X.
    apply andThen_inv in X as [[ls r1] [s1 [H1 X]]].
    apply andThen_inv in X as [x [s2 [H2 X]]].
    apply andThen_inv in X as [[t1 m1] [s3 [H3 X]]].
    injection X as <- <- <- <-.
    destruct (readAt_tame read vs at_ Ta _ _ _ _ H1 O) as [O1 G1].
    assert (Wd : 8 <= bits h <= 64).
    { destruct (wide w k h l given ids e0 from d s e n env A). lia. }
    destruct (laneOp_tame h Wd _ _ _ _ _ _ H2 O1) as [O2 G2].
    assert (S3 : s3 = s2 /\ x = Val t1 m1).
    { destruct x; try discriminate. cbn in H3. injection H3 as <- <- <-. auto. }
    destruct S3 as [-> ->].
    destruct (readAt_sound w k h l given ids e0 from n env d read R Ta vs at_ r
      s ls
      r1 s1 e H1 A (grows_discharged _ _ G2 P) B Rc)
      as [e1 [Ag1 [A1 [_ [M1 [N1 Rc1]]]]]].
    { intros u U. intros tu mu Fu Su. clear - Fit Vs U Fu Su In_ Sort.
      assert (S : hasShape (entries n) (shape tv) u = true \/
                  hasShape (entries n) [] u = true).
      { destruct o; try contradiction; cbn [operandsOf] in Vs;
          injection Vs as <-; cbn [operandsFit] in Fit;
          repeat match goal with
            | X : _ && _ = true |- _ => apply andb_true_iff in X as [? ?]
            | X : _ || _ = true |- _ => apply orb_true_iff in X as [?|?]
            end; simpl in U; intuition (subst; auto). }
      destruct S as [S|S]; apply hasShape_spec in S as [t' [m' [F' E']]];
        rewrite Fu in F'; injection F' as <- <-.
      - now rewrite E'.
      - unfold isScalar in Su. rewrite E' in Su. discriminate. }
    destruct (bindLanes_described w k h l given ids e0 from n env d s1 e1
      (map (eval e) at_) ls n env A1 M1) as [env1 [A1' [Gi _]]].
    rewrite N1 in Gi.
    pose proof (lane_of_op w l m ids isWidth_ n env tv o xs (map (eval e) at_)
      env1 vs Ev Fit Len In_ Vs Gi Ty) as Lo.
    assert (Gv : gives w s1 s2 e1 (scalarType (lanes tv)) (Val t1 m1)
              (Ok [laneOf (shape tv) xs (map (eval e) at_)])).
    { eapply (laneOp_gives w k h l m given ids e0 from isWidth_ inGrid d);
        eauto.
      - rewrite <- Lv. exact Lz.
      - destruct o; try contradiction; auto. cbn [operandsFit] in Fit.
        destruct (lanes tv) as [|b|] eqn:Lt; try discriminate; simpl in Lo.
        + destruct (fitsb w splat); [|discriminate]. now injection Lo.
        + injection Lo as Lo. apply fitsb_fits in Fit.
          rewrite <- Lo. split; [|exact I]. symmetry. apply wrap_exact; auto.
          unfold isType, isLane in Y. rewrite Lt in Y.
          rewrite andb_true_iff, orb_true_iff in Y.
          destruct Y as [_ [Y|Y]]; [lia|discriminate]. }
    destruct (gives_read w k h l given ids e0 from d s1 s2 e1 n env (Val t1 m1)
      _ _ A1 G2 O2 Gv (keep_laneOp (part := looks) _ _ _ _ _ _ _ H2))
      as [mm' [e2 [E [Ag2 [A2 [M2 B2]]]]]].
    injection E as -> ->. exists e2. conj; auto.
    - apply agrees_trans with (next s1) e1; auto. apply G1.
    - now apply grows_trans with s1.
    - split; [eauto|]. rewrite Lv. split; assumption.
    - apply (recalledOk_later n env s1 s2 e1 e2); auto. apply G2. }
  destruct o as [c|xs0|nm|axis|axis|p axis|f a b|c a b|c a b|u from_ a
                |a|axis|f sh a|rl c|nm at0 operands]; cbn [operandsOf] in H;
    try (now destruct H as []); try discriminate;
    try (now apply (Ops _ eq_refl I)).
  - (* iota *)
    apply andThen_inv in H as [extent [s1 [H1 H]]].
    unfold Facts.given in H1. destruct (nth_error (shape tv) axis) as [extent1|]
      eqn:Ne; [|discriminate]. injection H1 as <- <-.
    apply andThen_inv in H as [x [s1 [H1 H]]].
    unfold Facts.given in H1. destruct (nth_error at_ axis) as [x'|] eqn:Na;
      [|discriminate]. injection H1 as -> <-.
    assert (Ex : nth axis (map (eval e) at_) 0 = eval e x).
    { change 0 with (eval e []). rewrite map_nth.
      now rewrite (nth_error_nth _ _ _ Na). }
    assert (Bx : below_ (next s) x).
    { rewrite Forall_forall in B. apply B, (nth_error_In _ _ Na). }
    pose proof (lane_of_op w l m ids isWidth_ n env tv (Iota axis) xs
      (map (eval e) at_) env [] Ev Fit Len In_ eq_refl
      ltac:(intros u []) Ty) as Lo.
    cbn beta iota in Lo. rewrite Ex, <- Lv in Lo.
    assert (Num : forall p s2 e2, agrees (next s) e e2 -> grows s s2 ->
      at_step s2 e2 n env d -> isInteger (scalarType (lanes tv)) = true ->
      eval e2 p = laneValue v (map (eval e) at_) -> below_ (next s2) p ->
      exists e', agrees (next s) e e' /\ at_step s2 e' n env d /\ grows s s2 /\
        laneMeans s2 e' v (map (eval e) at_) (scalarType (lanes tv)) (Number p)
        /\ recalledOk s2 e' r).
    { intros p s2 e2 Ag G2 A2 I E2 B2. exists e2. conj; auto.
      - split; [eauto|]. split; [|exact B2]. unfold means.
        conj; auto; [now apply isType_one|now rewrite E2].
      - apply (recalledOk_later n env s s2 e e2); auto. apply G2. }
    destruct (lanes tv) as [|b|] eqn:Lt.
    + injection H as <- <- <- <-. apply (Num x s e); auto using agrees_refl,
        grows_refl. simpl in Lo. destruct (fitsb _ _); [|discriminate].
      now injection Lo.
    + apply andThen_inv in H as [u [s1 [H1 H]]]. unfold check in H1.
      destruct (_ && _) eqn:Wb; [|discriminate]. injection H1 as _ <-.
      simpl in Lo. injection Lo as Lo.
      assert (I : isInteger (scalarType (Int b)) = true).
      { unfold isInteger. simpl. apply negb_true_iff. lia. }
      destruct (Z.leb_spec extent1 (2 ^ (b - 1))) as [Le|Le].
      * injection H as <- <- <- <-. apply (Num x s e); auto using agrees_refl,
          grows_refl. rewrite <- Lo. symmetry. apply wrap_exact; [lia|].
        pose proof (nth_box _ _ axis In_) as Bq.
        assert (La : (axis < length (shape tv))%nat)
          by (apply nth_error_Some; congruence).
        specialize (Bq La). rewrite Ex, (nth_error_nth _ _ _ Ne) in Bq.
        unfold fits. lia.
      * apply andThen_inv in H as [p [s1 [H1 H]]]. injection H as <- <- <- <-.
        destruct (wrapped_tame x b ltac:(lia) _ _ _ H1 O) as [O1 G1].
        destruct (wrapped_true x b s p s1 e H1 ltac:(lia) O ltac:(apply A))
          as [e1 [Ag1 [T1 E1]]].
        apply (Num p s1 e1); auto.
        -- apply (at_later w k h l given ids e0 from s s1 e e1 n env d A G1 O1
             T1); auto.
           apply (keep_wrapped (part := looks) _ _ _ _ _ H1).
        -- congruence.
        -- eapply wrapped_bound; eauto. lia.
    + discriminate.
  - (* moved *)
    assert (Re : f = Reshape \/ f <> Reshape)
      by (destruct f; auto; right; discriminate).
    destruct Re as [->|Nr].
    { apply andThen_inv in H as [at' [s1 [H1 H]]].
      destruct (recast_tame _ _ _ _ _ _ _ H1 O) as [O1 G1].
      cbn [operandsFit] in Fit. apply andb_true_iff in Fit as [Fa Go].
      apply hasShape_spec in Fa as [ta [ma [Ff Sh]]].
      destruct (value_of w k h l given ids e0 from n env d s e a ta ma A Ff)
        as [xa [Ga [[Ya _] _]]].
      destruct (Ta _ _ _ _ _ _ H O1) as [_ G2].
      destruct (recast_sound w k h l given ids e0 from n env d _ sh (shape tv)
        at_ s at' s1 e H1 A (grows_discharged _ _ G2 P) B)
        as [e1 [Ag1 [A1 [B1 [_ [I1 L1]]]]]];
        [rewrite <- Sh; now apply isType_positive|exact In_|].
      destruct (R a at' r s1 t mm r' s' e1 H A1 P B1) as
        [e2 [Ag2 [A2 [_ [[[ta' [ma' [F' Et']]] [M2 B2]] Rc2]]]]].
      - apply (recalledOk_later n env s s1 e e1); auto. apply G1.
      - intros ta' ma' F' _. rewrite Ff in F'. injection F' as <- <-.
        now rewrite Sh.
      - exists e2. conj; auto.
        + apply agrees_trans with (next s1) e1; auto. apply G1.
        + now apply grows_trans with s1.
        + split; [exists tv, mv; auto|].
          assert (E : laneValue v (map (eval e) at_) =
                      laneValue a (map (eval e1) at')).
          { unfold evalLanes in Ev. cbn [evalOp] in Ev. rewrite Ga in Ev.
            cbn [bind] in Ev. destruct (_ && _); [|discriminate].
            injection Ev as <-. rewrite Lv. unfold LaneReads.laneValue.
            rewrite Ff, Ga, Sh. unfold laneOf. cbn [moved]. now rewrite L1. }
          rewrite E. split; assumption. }
    assert (Hr : read a (pulled [] f sh at_) r s = Some ((t, mm, r'), s'))
      by now destruct f.
    pose proof (lane_of_op w l m ids isWidth_ n env tv (Move f sh a) xs
      (map (eval e) at_) (set_ env a [laneValue a (map (eval e) at_)]) [a]
      Ev Fit Len In_ eq_refl) as Lo.
    cbn beta iota in Lo.
    assert (Lm : laneValue v (map (eval e) at_) =
                 laneValue a (pulled 0 f sh (map (eval e) at_))).
    { rewrite Lv. apply Lo; auto. intros u [<-|[]]. unfold get, set_.
      now rewrite PositiveMap.gss. }
    cbn [operandsFit] in Fit. apply andb_true_iff in Fit as [Fa Go].
    apply hasShape_spec in Fa as [ta [ma [Ff Sh]]].
    destruct (R a (pulled [] f sh at_) r s t mm r' s' e Hr A P) as
      [e1 [Ag1 [A1 [G1 [[[ta' [ma' [F' Et']]] [M1 B1]] Rc1]]]]].
    + now apply pulled_below.
    + exact Rc.
    + intros ta' ma' F' _. rewrite Ff in F'. injection F' as <- <-.
      rewrite Sh, pulled_eval. now apply pulled_box with (shape tv).
    + exists e1. conj; auto. split; [exists tv, mv; auto|].
      rewrite Lm, <- pulled_eval. split; assumption.
Qed.

(* A lane that was read has what is given of it, or the padding. *)
Lemma readLoaded_sound read v tv mv f at_ r s t mm r' s' e :
  soundRead read -> (forall v at_ r, tame (read v at_ r)) ->
  readLoaded h read n tv f at_ r s = Some ((t, mm, r'), s') ->
  at_step s e n env d -> Forall discharged (vcs s') ->
  Forall (below_ (next s)) at_ -> recalledOk s e r ->
  PositiveMap.find v (entries n) = Some (Val tv mv) -> In (v, f) (loaded n) ->
  inBox (shape tv) (map (eval e) at_) -> t = scalarType (lanes tv) ->
  exists e', agrees (next s) e e' /\ at_step s' e' n env d /\ grows s s' /\
    laneMeans s' e' v (map (eval e) at_) t mm /\ recalledOk s' e' r'.
Proof.
  intros R Ta H A P B Rc F Fe In_ Et. unfold readLoaded in H.
  apply andThen_inv in H as [[[t1 m1] r1] [s1 [H1 H]]].
  destruct m1 as [p| |]; try discriminate.
  apply andThen_inv in H as [[ways r2] [s2 [H2 H]]].
  apply andThen_inv in H as [u [s3 [H3 H]]]. injection H as <- <- <- <-.
  assert (O : orderly s) by apply A.
  destruct (laneUnknown_tame h _ _ _ _ _ H1 O) as [O1 G1].
  assert (Wd : 8 <= bits h <= 64).
  { destruct (wide w k h l given ids e0 from d s e n env A). lia. }
  destruct (paddedWays_tame h read n f at_ r1 Ta _ _ _ H2 O1) as [O2 G2].
  assert (Tf : forall fs, tame (forEach (because OfGiven) fs))
    by (intro; apply tame_forEach; auto with tame).
  destruct (Tf _ _ _ _ H3 O2) as [O3 G3].
  pose proof (grows_discharged _ _ G3 P) as P2.
  destruct (laneUnknown_sound _ (laneValue v (map (eval e) at_)) r s t1
    (Number p) r1 s1 e v at_ tv mv H1 A F eq_refl eq_refl B Rc)
    as [e1 [Ag1 [A1 [_ [M1 Rc1]]]]].
  assert (E1 : map (eval e1) at_ = map (eval e) at_).
  { symmetry. now apply map_agrees with (next s). }
  pose proof (growsNext _ _ G1) as N1. pose proof (growsNext _ _ G2) as N2.
  assert (B1 : Forall (below_ (next s1)) at_).
  { eapply Forall_impl; [|exact B]. intro q. now apply below_le. }
  pose proof A as [_ _ _ _ _ _ _ _ [_ [_ [_ V4]]] _].
  destruct (V4 v f Fe) as [t' [m' [xs [F' [G' [Fit Kept]]]]]].
  rewrite F in F'. injection F' as <- <-.
  specialize (Kept _ In_).
  assert (Lv : laneValue v (map (eval e) at_) =
               laneOf (shape tv) xs (map (eval e) at_)).
  { unfold LaneReads.laneValue, get. now rewrite F, G'. }
  assert (Two : exists e2, agrees (next s1) e1 e2 /\ at_step s2 e2 n env d /\
    recalledOk s2 e2 r2 /\
    (wasPadded l env f (shape tv) (map (eval e) at_) -> holds e2 ways)).
  { destruct f as [number tl index padding|number [y|] padding];
      cbn [paddedWays] in H2.
    - apply andThen_inv in H2 as [[es ten] [q1 [X1 H2]]].
      pose proof A1 as [_ _ L _ _ _ _ _ V _].
      destruct (tensorPolys_inv w k h l number s1 es ten q1 e1 X1 L)
        as [-> [Tn [Es [Ex _]]]].
      apply andThen_inv in H2 as [is_ [q2 [X2 H2]]].
      destruct (numbersOf_inv w l e1 n env d V Index index _ _ _ X2)
        as [-> [Co _]].
      injection H2 as <- <- <-. exists e1.
      conj; auto using agrees_refl.
      intros [Np [es' [is' [Ex' [Co' Be]]]]].
      destruct padding as [padding|]; [|congruence].
      rewrite Ex in Ex'. injection Ex' as <-.
      rewrite Co in Co'. injection Co' as <-.
      rewrite <- E1, tiledAxes_eval in Be. unfold holds.
      rewrite Exists_exists in *. destruct Be as [a [I Be]].
      apply in_map_iff in I as [[x [i [z y]]] [<- I]].
      exists [Atom false (sub (add (mul i (constant z)) y) x)].
      split.
      + apply in_map_iff. exists (x, (i, (z, y))). auto.
      + apply atom_ge. rewrite sub_eval, add_eval, mul_eval, constant_eval.
        red in Be. lia.
    - apply andThen_inv in H2 as [[[ty my] ry] [q1 [X1 H2]]].
      apply andThen_inv in H2 as [u1 [q2 [X2 H2]]]. unfold check in X2.
      destruct (isTruth ty) eqn:Tr; [|discriminate]. injection X2 as _ <-.
      injection H2 as <- <- <-. cbv beta iota in Fit.
      pose proof Fit as Fit'. apply hasShape_spec in Fit' as [t0 [m0 [F0 S0]]].
      destruct (R y at_ r1 s1 ty my ry q1 e1 X1 A1 P2 B1 Rc1)
        as [e2 [Ag2 [A2 [_ [[_ [My _]] Rc2]]]]].
      { intros t2 m2 F2 _. rewrite F0 in F2. injection F2 as <- <-.
        now rewrite S0, E1. }
      exists e2. conj; auto. intros [ys [Gy Ly]].
      destruct (means_truth w e2 ty my _ My Tr) as [b [Eb [_ [_ [No _]]]]].
      injection Eb as Eb. apply waysOf_may, No. rewrite <- Eb, E1.
      now rewrite (laneValue_shape n env y (shape tv) _ ys Fit Gy).
    - injection H2 as <- <- <-. exists e1. conj; auto using agrees_refl.
      intros []. }
  destruct Two as [e2 [Ag2 [A2 [Rc2 Ways]]]].
  assert (Ag12 : agrees (next s) e e2)
    by now apply agrees_trans with (next s1) e1.
  assert (M2 : laneMeans s2 e2 v (map (eval e) at_) t1 (Number p)).
  { apply (laneMeans_later w n env s1 s2 e1 e2); auto. }
  pose proof M2 as [_ [[_ [_ [_ [_ Ep]]]] _]]. injection Ep as Ep.
  assert (Fs : Forall (holds e2) (flat_map
            (givenOfLane ways (padLane (lanes tv) (paddingIn f)) p)
            (promisesOf (givenPolys h) (loadedIn f)))).
  { apply Forall_forall. intros a I. apply in_flat_map in I as [c [C I]].
    assert (Fc : Forall (holds e2)
      (givenOfLane ways (padLane (lanes tv) (paddingIn f)) p c)).
    { eapply (givenOfLane_holds w k h l); [apply A2|exact C|].
      rewrite <- Ep, Lv. destruct Kept as [K|[Z W]]; auto. }
    rewrite Forall_forall in Fc. auto. }
  destruct (assumes_true OfGiven _ _ _ _ e2 H3 ltac:(apply A2) Fs)
    as [T3 [N3 _]].
  pose proof (at_later w k h l given ids e0 from s2 s3 e2 e2 n env d A2 G3 O3 T3
    (agrees_refl _ _) (keep_forEach (part := looks) _ _
       (fun f => keep_assume f (Because OfGiven)) _ _ _ H3)) as A3.
  exists e2. conj; auto.
  - eauto using grows_trans.
  - apply (laneMeans_later w n env s2 s3 e2 e2); auto using agrees_refl.
    rewrite N3. lia.
  - apply (recalledOk_later n env s2 s3 e2 e2); auto using agrees_refl.
    rewrite N3. lia.
Qed.

Theorem laneAt_sound fuel : soundRead (laneAt h fuel n).
Proof.
  induction fuel as [|fuel IH]; intros v at_ r s t mm r' s' e H A P B Rc Hl;
    cbn [laneAt] in H; apply andThen_inv in H as [[tv mv] [s1 [H1 H]]];
    unfold valueOf, Facts.given in H1;
    (destruct (PositiveMap.find v (entries n)) as [[tv' mv'| |]|] eqn:F;
       try discriminate); injection H1 as -> -> <-;
    destruct (value_of w k h l given ids e0 from n env d s e v tv mv A F)
      as [xs [G [M Bv]]];
    assert (Y : isType tv = true) by apply M.
  all: destruct (isScalar tv) eqn:Sc.
  1, 3: injection H as <- <- <- <-; exists e;
    conj; auto using agrees_refl, grows_refl;
    split; [exists tv, mv; split; [exact F|now apply isScalar_shape]|];
    split; [|exact Bv];
    assert (E : [laneValue v (map (eval e) at_)] = xs);
    [|now rewrite E];
    unfold LaneReads.laneValue; rewrite F, G; unfold laneOf;
    destruct M as [_ [L _]]; rewrite (isScalar_shape tv Sc) in L |- *;
    apply scalar_lanes in L as [x ->]; reflexivity.
  all: destruct (if isInteger (scalarType (lanes tv)) then recall v at_ r else
                 None) as [p|] eqn:Re.
  1, 3: injection H as <- <- <- <-; exists e;
    conj; auto using agrees_refl, grows_refl;
    destruct (isInteger (scalarType (lanes tv))) eqn:I; [|discriminate];
    unfold recall in Re;
    match type of Re with option_map snd ?fd = _ =>
      destruct fd as [[[v' at'] p']|] eqn:Fi end;
    [|discriminate]; injection Re as ->; apply find_some in Fi as [J K];
    apply andb_true_iff in K as [K1 K2]; apply Pos.eqb_eq in K1;
    apply (eqList_sound eqPoly eqPoly_sound) in K2; simpl in K1, K2; subst v'
      at';
    unfold LaneReads.recalledOk in Rc; rewrite Forall_forall in Rc;
    destruct (Rc _ J) as [_ [Bp Vp]]; simpl in Bp, Vp;
    destruct (laneValue_ok w k h l given ids e0 from n env d s e v
      (map (eval e) at_) tv mv A F) as [_ Lz];
    split; [eauto|split; [|exact Bp]]; unfold means;
    conj; auto; [now apply isType_one|now rewrite Vp].
  all: apply andThen_inv in H as [[[t1 m1] r1] [s1 [H1 H]]];
    apply andThen_inv in H as [u [s2 [H2 H]]];
    unfold check in H2;
    (destruct (eqType t1 (scalarType (lanes tv))) eqn:Et; [|discriminate]);
    injection H2 as _ <-; injection H as <- <- <- <-; apply eqType_sound in Et.
  all: set (rv := Reading (recalled r) (N.succ (visits r))) in *;
    assert (Rv : recalledOk s e rv) by exact Rc.
  all: assert (Done_ :
    (exists e', agrees (next s) e e' /\ at_step s1 e' n env d /\ grows s s1 /\
      laneMeans s1 e' v (map (eval e) at_) t1 m1 /\ recalledOk s1 e' r1) ->
    exists e', agrees (next s) e e' /\ at_step s1 e' n env d /\ grows s s1 /\
      laneMeans s1 e' v (map (eval e) at_) (scalarType (lanes tv)) m1 /\
      recalledOk s1 e' (remember v at_ m1 r1)).
  1, 3: intros [e1 [Ag [A1 [G1 [M1 R1]]]]]; exists e1; conj; auto;
    [now rewrite <- Et|];
    destruct m1 as [p| |]; auto; constructor; [|exact R1]; simpl;
    destruct M1 as [_ [[_ [_ [_ [_ V1]]]] B1]]; conj;
    [ eapply Forall_impl; [|exact B]; intro q; apply below_le, G1
    | exact B1
    | rewrite <- (map_agrees _ _ _ _ Ag B); congruence ].
  - apply Done_. eapply laneUnknown_sound; eauto.
  - apply Done_. destruct (_ <? _)%N; [eapply laneUnknown_sound; eauto|].
    unfold readBack in H1.
    assert (Wd : 8 <= bits h <= 64).
    { destruct (wide w k h l given ids e0 from d s e n env A). lia. }
    destruct (madeBy n v) as [o|] eqn:Mb.
    2:{ destruct (loadedBy n v) as [f|] eqn:Fb;
          [|eapply laneUnknown_sound; eauto].
        unfold loadedBy in Fb.
        match type of Fb with option_map snd ?fd = _ =>
          destruct fd as [[v' f']|] eqn:Fi end; [|discriminate].
        injection Fb as ->. apply find_some in Fi as [J K].
        apply Pos.eqb_eq in K. simpl in K. subst v'.
        eapply (readLoaded_sound (laneAt h fuel n) v tv mv f at_ rv); eauto.
        now apply laneAt_tame. }
    unfold madeBy in Mb.
    match type of Mb with option_map snd ?fd = _ =>
      destruct fd as [[v' o']|] eqn:Fi end; [|discriminate].
    injection Mb as ->. apply find_some in Fi as [J K]. apply Pos.eqb_eq in K.
    simpl in K. subst v'.
    pose proof A as [O T L Id Fr Be Hh N [V1 [V2 [V3 _]]] Lks].
    destruct (V3 v o J) as [t' [m' [xs' [F' [G' [Fit Ev]]]]]].
    rewrite F in F'. injection F' as <- <-.
    assert (E : xs' = xs).
    { unfold get in G. rewrite G' in G. now injection G. }
    subst xs'.
    eapply (readMade_sound (laneAt h fuel n) v tv mv o xs at_ rv); eauto.
    now apply laneAt_tame.
Qed.

Theorem readLane_sound : soundRead (readLane h n).
Proof. unfold readLane. apply laneAt_sound. Qed.

End Sound.
