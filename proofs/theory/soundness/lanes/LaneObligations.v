(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   What holds of any lane holds of every lane: ops on vectors of index, and
   gathers, get stuck in none. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export LaneSound.
Import ListNotations.
Open Scope Z_scope.

Lemma inBox_nil at_ : inBox [] at_ -> at_ = [].
Proof. intro I. now inversion I. Qed.
Lemma inBox_cons x sh at_ : inBox (x :: sh) at_ ->
  exists y ys, at_ = y :: ys /\ 0 <= y < x /\ inBox sh ys.
Proof. intro I. inversion I. subst. eauto. Qed.

Section CoverageObligations.

Context (w : Z) (k : kernel) (h : header) (l : launch) (m : machine)
  (given : initial_) (ids : list Z) (e0 : values) (from : Poly.var).
Context (keepsIt : keepsGivens k l given = true).
Context (isWidth_ : width m = w) (inGrid : inBox (gridOf l) ids).
Context (n : names) (env : Sem.env) (d : elements_).

Notation here := (at_step w k h l given ids e0 from).

Lemma anyLane_true : forall sh lane s at_ s' e, inBox sh lane ->
  anyLane sh s = Some (at_, s') -> here s e n env d ->
  exists e', agrees (next s) e e' /\ here s' e' n env d /\
    map (eval e') at_ = lane /\ Forall (below_ (next s')) at_.
Proof.
  unfold anyLane. induction sh as [|x sh IH]; intros lane s at_ s' e I H A;
    cbn [mapEach] in H;
    [apply inBox_nil in I as ->
    |apply inBox_cons in I as [y [ys [-> [Y1 Y2]]]]].
  - injection H as <- <-. exists e. conj; auto using agrees_refl.
  - apply andThen_inv in H as [p [s1 [H1 H]]].
    apply andThen_inv in H as [ps [s2 [H2 H]]]. injection H as <- <-.
    assert (One : exists e1, agrees (next s) e e1 /\ here s1 e1 n env d /\
              eval e1 p = y /\ below_ (next s1) p).
    { pose proof A as [O T L Id Fr Be Hh N V].
      destruct (Z.eqb_spec x 1).
      - injection H1 as <- <-. exists e.
        conj; auto using agrees_refl, nil_below. simpl. lia.
      - assert (Ta : tame (let* v := fresh_ in
            let* _ := because Loop (GeZ (variable v)) in
            let* _ := because Loop (GeZ (sub (constant (x - 1)) (variable v)))
            in ret (variable v))) by auto 12 with tame.
        destruct (Ta _ _ _ H1 O) as [O1 G1].
        apply andThen_inv in H1 as [v [r1 [X1 H1]]].
        apply andThen_inv in H1 as [u1 [r2 [X2 H1]]].
        apply andThen_inv in H1 as [u2 [r3 [X3 H1]]]. injection H1 as <- <-.
        destruct (fresh_true _ _ _ e y X1 O T) as [-> T1].
        set (e1 := set1 e (next s) y) in *.
        assert (Ey : eval e1 (variable (next s)) = y).
        { rewrite variable_eval. apply set1_same. }
        assert (T2 : true_ r2 e1).
        { eapply assume_true; [exact X2|exact T1|]. apply holds_ge. lia. }
        assert (T3 : true_ r3 e1).
        { eapply assume_true; [exact X3|exact T2|]. apply holds_ge.
          rewrite sub_eval, constant_eval, Ey. lia. }
        exists e1. split; [apply set1_agrees|]. split.
        { apply (at_later w k h l given ids e0 from s r3 e e1 n env d A G1 O1
            T3).
          - apply set1_agrees.
          - rewrite (keep_assume (part := looks) _ _ _ _ _ X3).
            rewrite (keep_assume (part := looks) _ _ _ _ _ X2).
            apply (keep_fresh (part := looks) _ _ _ X1). }
        split; [exact Ey|].
        injection X1 as <-. apply assume_inv in X2 as [_ ->].
        apply assume_inv in X3 as [_ ->]. simpl. apply variable_below. lia. }
    destruct One as [e1 [Ag1 [A1 [E1 B1]]]].
    assert (L1 : (next s <= next s1)%positive).
    { destruct (anyLane_tame [x] s [p] s1) as [_ G]; [|apply A|apply G].
      unfold anyLane. cbn [mapEach]. unfold andThen at 1. rewrite H1.
      reflexivity. }
    assert (L2 : (next s1 <= next s2)%positive).
    { destruct (anyLane_tame sh s1 ps s2 H2) as [_ G]; [apply A1|apply G]. }
    destruct (IH ys s1 ps s2 e1 Y2 H2 A1) as [e2 [Ag2 [A2 [E2 B2]]]].
    exists e2. conj; auto.
    + now apply agrees_trans with (next s1) e1.
    + simpl. f_equal; [|exact E2]. rewrite <- E1. symmetry.
      now apply agrees_eval with (next s1).
    + constructor; [|exact B2]. now apply below_le with (next s1).
Qed.

(* A condition discharged within a scope stays discharged, though its facts are
   gone. *)
Lemma within_inv {A} (g : gen A) s a s' : within g s = Some (a, s') ->
  exists s1, g s = Some (a, s1) /\
    s' = Scope (next s1) (facts s) (defined s1) (vcs s1) (sites s1) (writes
      s1).
Proof.
  intro H. unfold within, visible, release in H.
  apply andThen_inv in H as [fs [s1 [H1 H]]]. injection H1 as <- <-.
  apply andThen_inv in H as [b [s2 [H2 H]]].
  apply andThen_inv in H as [u [s3 [H3 H]]]. injection H3 as _ <-.
  injection H as <- <-. eauto.
Qed.

Lemma within_step {A} (g : gen A) s a s' e : within g s = Some (a, s') ->
  tame g -> here s e n env d ->
  exists e', agrees (next s) e e' /\ here s' e' n env d.
Proof.
  intros H Ta A0. apply within_inv in H as [s1 [H ->]].
  destruct (Ta _ _ _ H ltac:(apply A0)) as [O1 G1].
  eapply (at_skip w k h l given ids e0 from); eauto.
  now apply (release_orderly s); [apply A0| | |].
Qed.

Lemma noRecall s e : recalledOk n env s e noReading.
Proof. constructor. Qed.

Lemma boxes_of vs sh ts s e at_ :
  mapEach (valueOf n) vs s = Some (ts, s) -> here s e n env d ->
  forallb (fun a => eqAt (shape (fst a)) sh) ts = true -> inBox sh at_ ->
  forall v, In v vs -> hasLane n v at_ /\ hasShape (entries n) sh v = true.
Proof.
  intros H A F I v V. revert ts s H A F V.
  induction vs as [|u vs IH]; intros ts s H A F V; [destruct V|].
  cbn [mapEach] in H. apply andThen_inv in H as [[t mm] [s1 [H1 H]]].
  apply andThen_inv in H as [ts' [s2 [H2 H]]]. injection H as <- ->.
  unfold valueOf, Facts.given in H1.
  destruct (PositiveMap.find u (entries n)) as [[t' m'| |]|] eqn:Fu;
    try discriminate. injection H1 as -> -> <-.
  simpl in F. apply andb_true_iff in F as [F1 F2]. apply eqAt_sound in F1.
  destruct V as [<-|V]; [|eapply IH; eauto]. split.
  - intros t1 m1 E _. rewrite Fu in E. injection E as <- <-. now rewrite F1.
  - unfold hasShape. rewrite Fu, F1. clear. induction sh as [|x sh IH];
      [reflexivity|]. simpl. now rewrite Z.eqb_refl.
Qed.

Lemma still_values vs : forall s ts s', mapEach (valueOf n) vs s = Some (ts, s')
  -> s' = s.
Proof.
  induction vs as [|v vs IH]; intros s ts s' H; cbn [mapEach] in H.
  - now injection H as _ <-.
  - apply andThen_inv in H as [x [s1 [H1 H]]].
    apply andThen_inv in H as [xs [s2 [H2 H]]]. injection H as _ <-.
    unfold valueOf, Facts.given in H1.
    destruct (PositiveMap.find v (entries n)) as [[t mm| |]|];
      try discriminate. injection H1 as _ <-. eapply IH, H2.
Qed.

(* In every lane the op on the lanes of its operands is not stuck. *)
Lemma emittedLane_sound t vs o s x s1 e lane : isType t = true ->
  emittedLane h n t vs o s = Some (x, s1) -> here s e n env d ->
  Forall discharged (vcs s1) -> inBox (shape t) lane ->
  (forall v, In v vs -> hasLane n v lane) ->
  exists env1 z,
    (forall v, In v vs -> get env1 v = Ok [laneValue n env v lane]) /\
    evalOp m l ids env1 (scalarType (lanes t)) o = Ok [z] /\
    laneOk w (lanes t) z.
Proof.
  intros Y H A P I Hl. unfold emittedLane in H.
  apply andThen_inv in H as [at_ [r1 [H1 H]]].
  apply andThen_inv in H as [[ls rd] [r2 [H2 H]]].
  destruct (wide w k h l given ids e0 from d s e n env A) as [W Wi].
  assert (Wd : 8 <= bits h <= 64) by lia.
  assert (O : orderly s) by apply A.
  destruct (anyLane_tame _ _ _ _ H1 O) as [O1 G1].
  destruct (readAt_tame _ vs at_ (readLane_tame h Wd n) _ _ _ _ H2 O1)
    as [O2 G2].
  destruct (walkOp_tame h Wd _ _ _ _ _ _ H O2) as [O3 G3].
  destruct (anyLane_true _ lane _ _ _ e I H1 A) as [e1 [Ag1 [A1 [E1 B1]]]].
  destruct (readAt_sound w k h l given ids e0 from n env d (readLane h n)
    (readLane_sound w k h l m given ids e0 from isWidth_ inGrid n env d)
    (readLane_tame h Wd n) vs at_ noReading r1 ls rd r2 e1 H2 A1
    (grows_discharged _ _ G3 P) B1 (noRecall _ _))
    as [e2 [Ag2 [A2 [_ [M2 [N2 _]]]]]].
  { intros v V. rewrite E1. now apply Hl. }
  rewrite E1 in M2.
  destruct (bindLanes_described w k h l given ids e0 from n env d r2 e2 lane ls
    n env
    A2 M2) as [env1 [A3 [Gi _]]]. rewrite N2 in Gi.
  pose proof A3 as [O4 T4 L4 Id4 Fr4 Be4 Hh4 N4 V4].
  pose proof (walkOp_gives w k h l m ids isWidth_ (bindLanes n ls) env1 d _ _ _
    _ _ e2 H L4 Id4 inGrid V4 Hh4 N4 O4 T4 P) as Gv.
  destruct Gv as [xs [mm [e3 [-> [Ev [_ [_ [[_ [Lx [Fx _]]] _]]]]]]]].
  apply scalar_lanes in Lx as [z ->]. exists env1, z.
  split; [exact Gi|]. split; [exact Ev|]. now inversion Fx.
Qed.

Lemma all_ok (P : Z -> Prop) (zs : list Z) :
  (forall j, (j < length zs)%nat -> P (nth j zs 0)) -> Forall P zs.
Proof.
  induction zs as [|z zs IH]; intro H; constructor.
  - apply (H O). simpl. lia.
  - apply IH. intros j J. apply (H (S j)). simpl. lia.
Qed.

Lemma emittedLanes_gives t o s x s' e : emittedLanes h n t o s = Some (x, s') ->
  isEmitted h t o = true -> here s e n env d -> Forall discharged (vcs s') ->
  gives w s s' e t x (evalOp m l ids env t o).
Proof.
  intros H Ow A P. unfold emittedLanes in H.
  apply andThen_inv in H as [vs [s1 [H1 H]]]. unfold Facts.given in H1.
  destruct (operandsOf o) as [vs'|] eqn:Vs; [|discriminate].
  injection H1 as -> <-.
  apply andThen_inv in H as [ts [s1 [H1 H]]].
  pose proof (still_values vs _ _ _ H1). subst s1.
  apply andThen_inv in H as [u0 [s1 [H2 H]]]. unfold check in H2.
  destruct (isType t && _) eqn:C; [|discriminate]. injection H2 as _ <-.
  apply andb_true_iff in C as [Y Fs].
  apply andThen_inv in H as [x1 [s1 [H2 H]]]. injection H as <- <-.
  destruct (wide w k h l given ids e0 from d s e n env A) as [W Wi].
  assert (Wd : 8 <= bits h <= 64) by lia.
  destruct (within_step _ _ _ _ e H2 (emittedLane_tame h Wd n t vs o) A)
    as [e' [Ag A']].
  apply within_inv in H2 as [sb [H2 Es]].
  assert (Pb : Forall discharged (vcs sb)) by (rewrite Es in P; exact P).
  pose proof (isType_positive t Y) as Pos.
  assert (Each : forall j, (j < laneCount t)%nat -> exists env1 z,
    (forall v, In v vs -> exists xs, get env v = Ok xs /\
       length xs = laneCount t /\ get env1 v = Ok [nth j xs 0]) /\
    evalOp m l ids env1 (scalarType (lanes t)) o = Ok [z] /\
    laneOk w (lanes t) z).
  { intros j J. destruct (laneOf_place (shape t) [] j Pos J) as [I _].
    pose proof (boxes_of vs (shape t) ts s e _ H1 A Fs I) as Bx.
    destruct (emittedLane_sound t vs o s x1 sb e _ Y H2 A Pb I
      (fun v V => proj1 (Bx v V))) as [env1 [z [G [E L]]]].
    exists env1, z. split; [|auto]. intros v V. destruct (Bx v V) as [_ Sh].
    apply hasShape_spec in Sh as [t' [m' [F' E']]].
    destruct (value_of w k h l given ids e0 from n env d s e v t' m' A F')
      as [xs [Gx [[_ [Lx _]] _]]].
    exists xs. split; [exact Gx|]. split.
    { unfold laneCount in *. congruence. }
    rewrite G by exact V. unfold laneValue. rewrite F', Gx, E'.
    now rewrite (proj2 (laneOf_place (shape t) xs j Pos J)). }
  assert (Done_ : forall zs, length zs = laneCount t ->
    Forall (laneOk w (lanes t)) zs ->
    gives w s s1 e t (Val t Plain) (Ok zs)).
  { intros zs Lz Fz. exists zs, Plain, e'. split; [reflexivity|].
    split; [reflexivity|]. split; [exact Ag|]. split; [apply A'|].
    split; [|exact I]. unfold means. conj; auto. }
  assert (Len : forall v, In v vs -> exists xs, get env v = Ok xs /\
            length xs = laneCount t).
  { intros v V. destruct (boxes_of vs (shape t) ts s e
      (delinear (shape t) 0) H1 A Fs) with (v := v) as [_ Sh]; auto.
    { destruct (laneOf_place (shape t) [] 0 Pos) as [I _]; [|exact I].
      assert (V0 : 1 <= volume (shape t)).
      { clear - Pos. unfold volume. induction Pos; simpl; [lia|nia]. }
      lia. }
    apply hasShape_spec in Sh as [t' [m' [F' E']]].
    destruct (value_of w k h l given ids e0 from n env d s e v t' m' A F')
      as [xs [Gx [[_ [Lx _]] _]]].
    exists xs. split; [exact Gx|]. unfold laneCount in *. congruence. }
  unfold isEmitted in Ow. apply andb_true_iff in Ow as [_ Ow].
  destruct o as [c|xs0|nm|axis|axis|p axis|f a b|c a b|c a b|u from_ a
                |a|axis|f sh a|rl c|nm at0 operands]; try discriminate;
    cbn [operandsOf] in Vs; injection Vs as <-; cbn [evalOp].
  - destruct (Len a ltac:(simpl; auto)) as [xa [Ga La]].
    destruct (Len b ltac:(simpl; auto)) as [xb [Gb Lb]].
    rewrite Ga, Gb. cbn [bind].
    assert (E2 : forall j, (j < length xa)%nat -> exists z,
      evalBinary (width m) f (lanes t) (nth j xa 0) (nth j xb 0) = Ok z /\
      laneOk w (lanes t) z).
    { intros j J. rewrite La in J. destruct (Each j J) as [env1 [z [G [E L]]]].
      exists z. split; [|exact L].
      destruct (G a ltac:(simpl; auto)) as [xa' [Ga' [_ G1]]].
      destruct (G b ltac:(simpl; auto)) as [xb' [Gb' [_ G2]]].
      assert (xa' = xa) by congruence. assert (xb' = xb) by congruence.
      subst xa' xb'.
      cbn [evalOp] in E. rewrite G1, G2 in E. cbn [bind collect2] in E.
      destruct (evalBinary _ _ _ _ _) eqn:Eb; try discriminate.
      cbn [bind] in E. injection E as ->. reflexivity. }
    destruct (collect2_all (evalBinary (width m) f (lanes t)) xa xb)
      as [zs [Ez Lz]]; [congruence| |].
    { intros j J. destruct (E2 j J) as [z [Q _]]. eauto. }
    rewrite Ez. apply Done_; [congruence|]. apply all_ok. intros j J.
    pose proof (collect2_nth _ _ _ _ Ez j J) as Q. rewrite Lz in J.
    destruct (E2 j J) as [z [Q' L]]. rewrite Q' in Q. injection Q as <-.
    exact L.
  - destruct (Len a ltac:(simpl; auto)) as [xa [Ga La]].
    rewrite Ga. cbn [bind].
    assert (E2 : forall j, (j < length xa)%nat -> exists z,
      evalCast (width m) u from_ (lanes t) (nth j xa 0) = Ok z /\
      laneOk w (lanes t) z).
    { intros j J. rewrite La in J. destruct (Each j J) as [env1 [z [G [E L]]]].
      exists z. split; [|exact L].
      destruct (G a ltac:(simpl; auto)) as [xa' [Ga' [_ G1]]].
      assert (xa' = xa) by congruence. subst xa'.
      cbn [evalOp] in E. rewrite G1 in E. cbn [bind collect] in E.
      destruct (evalCast _ _ _ _ _) eqn:Eb; try discriminate.
      cbn [bind] in E. injection E as ->. reflexivity. }
    destruct (collect_all (evalCast (width m) u from_ (lanes t)) xa)
      as [zs Ez].
    { intros j J. destruct (E2 j J) as [z [Q _]]. eauto. }
    rewrite Ez. destruct (collect_nth _ _ _ Ez) as [Lz Nz].
    apply Done_; [congruence|]. apply all_ok. intros j J.
    pose proof (Nz j J) as Q. rewrite Lz in J.
    destruct (E2 j J) as [z [Q' L]]. rewrite Q' in Q. injection Q as <-.
    exact L.
Qed.

(* What is made lane by lane is noted. *)

Lemma evalLanes_same env0 t o vs : operandsOf o = Some vs ->
  evalLanes w env0 t o = evalOp m l ids env0 t o.
Proof.
  intro Vs. unfold evalLanes.
  destruct o; try discriminate; cbn [evalOp]; unfold define;
    rewrite ?isWidth_; reflexivity.
Qed.

Lemma noteMade_step s e r t mm o xs :
  at_step w k h l given ids e0 from s e (bindName n r (Val t mm))
    (set_ env r xs) d ->
  evalOp m l ids env t o = Ok xs ->
  at_step w k h l given ids e0 from s e
    (noteMade (bindName n r (Val t mm)) r t o)
    (set_ env r xs) d.
Proof.
  intros A E. unfold noteMade.
  destruct (operandsOf o) as [vs|] eqn:Vs; [|exact A].
  destruct (negb _ && _) eqn:C; [|exact A].
  apply andb_true_iff in C as [C1 C2]. apply negb_true_iff in C1.
  destruct A as [O T L Id Fr Be Hh N [V1 [V2 [V3 V4]]] Lks]. split; auto.
  split; [exact V1|]. split; [exact V2|]. split; [|exact V4].
  intros u o' [J|J]; [|exact (V3 u o' J)]. injection J as <- <-.
  exists t, mm, xs. conj.
  - simpl. apply PositiveMap.gss.
  - apply PositiveMap.gss.
  - exact C2.
  - unfold set_. rewrite evalLanes_other by now rewrite Vs.
    now rewrite (evalLanes_same env t o vs Vs).
Qed.

Lemma walkLet_sound take r t o s n' s' e :
  walkLet h n r t o s = Some (n', s') -> here s e n env d ->
  Forall discharged (vcs s') ->
  sound k given take (fun d' env' => sub_ d d' /\
    exists e', agrees (next s) e e' /\
      at_step w k h l given ids e0 from s' e' n' env' d') d
    (execStatement m k l ids (Let r t o) env).
Proof.
  intros H A P. unfold walkLet in H.
  apply andThen_inv in H as [x [s1 [H1 H]]]. injection H as <- <-.
  destruct (wide w k h l given ids e0 from d s e n env A) as [W Wi].
  assert (Wd : 8 <= bits h <= 64) by lia.
  assert (O : orderly s) by apply A.
  assert (Ta : tame (if isEmitted h t o then emittedLanes h n t o
                     else walkOp h n t o)).
  { destruct (isEmitted h t o); [|now apply walkOp_tame].
    unfold emittedLanes. apply tame_then; [apply tame_given|]. intro vs.
    apply tame_then; [apply tame_mapEach; intro; now apply valueOf_tame|].
    intro ts. apply tame_then; [apply tame_check|]. intros _.
    apply tame_then; [now apply within_tame, emittedLane_tame|].
    intro. apply tame_ret. }
  destruct (Ta _ _ _ H1 O) as [O1 G1].
  assert (Gv : gives w s s1 e t x (evalOp m l ids env t o)).
  { destruct (isEmitted h t o) eqn:Ow; [now apply emittedLanes_gives|].
    destruct A as [_ T L Id Fr Be Hh N V Lks].
    eapply (walkOp_gives w k h l m ids isWidth_ n env d); eauto. }
  pose proof Gv as [xs0 [mm [e2 [Ex [Eo _]]]]].
  destruct (gives_step w k h l given ids e0 from s s1 e n env d r t x _ A G1 O1
    Gv)
    as [xs [e' [E [Ag A']]]].
  { destruct (isEmitted h t o); [eapply (keep_emittedLanes (part := looks)), H1|].
    eapply (keep_walkOp (part := looks)), H1. }
  cbn [execStatement]. rewrite E. cbn [bindRun]. apply sound_ok.
  split; [apply sub_refl|]. exists e'. split; [exact Ag|].
  destruct (isScalar t); [exact A'|]. rewrite Ex in *.
  now apply noteMade_step.
Qed.

(* Gathers. *)

Lemma laneBounds_true rl : forall es ps s u s' e,
  laneBounds rl es ps s = Some (u, s') -> true_ s e ->
  Forall discharged (vcs s') -> orderly s -> length ps = length es ->
  inside (map (eval e) es) (map (eval e) ps) = true /\ true_ s' e.
Proof.
  unfold laneBounds. induction es as [|x es IH]; intros [|p ps] s u s' e H T P
    O Le; try discriminate; cbn [combine forEach] in H;
    [injection H as _ <-; auto|].
  apply andThen_inv in H as [u1 [s1 [H1 H]]].
  assert (Tr : tame (forEach (fun a => let* _ := emit rl (snd a) true in
      emit rl (sub (plus (fst a) (-1)) (snd a)) true) (combine es ps)))
    by (apply tame_forEach; auto with tame).
  assert (Tx : tame (let* _ := emit rl (snd (x, p)) true in
      emit rl (sub (plus (fst (x, p)) (-1)) (snd (x, p))) true))
    by auto with tame.
  destruct (Tx _ _ _ H1 O) as [O1 G1]. destruct (Tr _ _ _ H O1) as [O2 G2].
  pose proof (grows_discharged _ _ G2 P) as P1.
  apply andThen_inv in H1 as [u2 [s2 [H2 H1]]]. cbn [fst snd] in *.
  destruct (emit_tame _ _ _ _ _ _ H2 O) as [O3 G3].
  destruct (emit_tame _ _ _ _ _ _ H1 O3) as [_ G4].
  destruct (emit_true _ _ _ _ _ _ e H2 (grows_discharged _ _ G4 P1) T) as [N2 T2].
  destruct (emit_true _ _ _ _ _ _ e H1 P1 T2) as [N1 T1].
  rewrite sub_eval, plus_eval in N1. cbn [map inside].
  destruct (IH ps s1 u s' e H T1 P O1) as [In_ T']; [simpl in Le; lia|].
  rewrite In_. split; [lia|exact T'].
Qed.

(* What is known of the mask of a lane. *)
Definition maskMeans (s : scope) (e : values) (mask : option Syntax.var)
  (c : cond) (lane : list Z) : Prop :=
  match mask with
  | Some v => exists t mm, isTruth t = true /\ c = condOf mm /\
      laneMeans w n env s e v lane t mm
  | None => c = AtLeastZero []
  end.
Definition maskHas (mask : option Syntax.var) (lane : list Z) : Prop :=
  match mask with Some v => hasLane n v lane | None => True end.
Definition lanePasses (mask : option Syntax.var) (lane : list Z) : Prop :=
  match mask with Some v => laneValue n env v lane <> 0 | None => True end.

Lemma maskOf_true mask at_ r s c r' s' e :
  maskOf h n mask at_ r s = Some ((c, r'), s') -> here s e n env d ->
  Forall discharged (vcs s') -> Forall (below_ (next s)) at_ ->
  recalledOk n env s e r -> maskHas mask (map (eval e) at_) ->
  exists e', agrees (next s) e e' /\ here s' e' n env d /\
    recalledOk n env s' e' r' /\ maskMeans s' e' mask c (map (eval e) at_).
Proof.
  intros H A P B Rc Hl. destruct mask as [v|]; cbn [maskOf] in H.
  - apply andThen_inv in H as [[[t mm] rx] [q1 [X H]]].
    apply andThen_inv in H as [ux [q2 [X2 H]]]. unfold check in X2.
    destruct (isTruth t) eqn:Tr; [|discriminate]. injection X2 as _ <-.
    injection H as <- <- <-.
    destruct (readLane_sound w k h l m given ids e0 from isWidth_ inGrid n env
      d v at_ r s t mm rx q1 e X A P B Rc Hl)
      as [e2 [Ag2 [A2 [_ [M Rc2]]]]].
    exists e2. conj; auto. now exists t, mm.
  - injection H as <- <- <-. exists e. conj; auto using agrees_refl.
    reflexivity.
Qed.

Lemma maskFacts_hold s e mask c lane : maskMeans s e mask c lane ->
  lanePasses mask lane -> Forall (holds e) (maskFacts mask c).
Proof.
  destruct mask as [v|]; intros M Nz; [|constructor].
  destruct M as [t [mm [Tr [-> [_ [Mv _]]]]]].
  destruct (means_truth w e t mm _ Mv Tr) as [b [Eb [_ [Yes _]]]].
  injection Eb as Eb. apply condFacts_may, Yes. rewrite <- Eb. exact Nz.
Qed.
(* And back, where the facts say all of it. *)
Lemma maskFacts_pass s e mask c lane : maskMeans s e mask c lane ->
  isExact c = true -> Forall (holds e) (maskFacts mask c) ->
  lanePasses mask lane.
Proof.
  destruct mask as [v|]; intros M Ex F; [|exact I].
  destruct M as [t [mm [Tr [-> [_ [Mv _]]]]]].
  destruct (condFacts_exact e _ Ex F) as [Kn May].
  destruct mm as [p|c|]; try discriminate Kn.
  destruct Mv as [_ [_ [_ [_ [b [Eb [_ [_ Not]]]]]]]]. injection Eb as Eb.
  cbn [lanePasses]. rewrite Eb. intro Z0. now apply (Not Kn Z0).
Qed.

Lemma placeOfLane_true index at_ r s ps r' s' e :
  placeOfLane h n index at_ r s = Some ((ps, r'), s') -> here s e n env d ->
  Forall discharged (vcs s') -> Forall (below_ (next s)) at_ ->
  recalledOk n env s e r ->
  (forall v, In v index -> hasLane n v (map (eval e) at_)) ->
  exists e', agrees (next s) e e' /\ here s' e' n env d /\
    recalledOk n env s' e' r' /\ Forall (below_ (next s')) ps /\
    map (eval e') ps =
      map (fun v => laneValue n env v (map (eval e) at_)) index.
Proof.
  intros H A P B Rc Hl. unfold placeOfLane in H.
  apply andThen_inv in H as [[ls rd] [r4 [H4 H]]].
  apply andThen_inv in H as [qs [r5 [H5 H]]]. injection H as <- <- <-.
  assert (S5 : r5 = r4 /\ map Some qs = map (fun vm => match snd (snd vm) with
                  | Number p => Some p | _ => None end) ls).
  { clear - H5. revert qs r5 H5. induction ls as [|[v [t mm]] ls IH];
      intros qs r5 H5; cbn [mapEach] in H5.
    - injection H5 as <- <-. auto.
    - apply andThen_inv in H5 as [p [r6 [X H5]]].
      apply andThen_inv in H5 as [ps' [r7 [X' H5]]]. injection H5 as <- <-.
      unfold Facts.given in X. simpl in X.
      destruct mm as [q| |]; try discriminate.
      injection X as <- <-. destruct (IH _ _ X') as [-> E]. simpl.
      now rewrite E. }
  destruct S5 as [-> S5].
  destruct (wide w k h l given ids e0 from d s e n env A) as [W Wi].
  assert (Wd : 8 <= bits h <= 64) by lia.
  destruct (readAt_sound w k h l given ids e0 from n env d (readLane h n)
    (readLane_sound w k h l m given ids e0 from isWidth_ inGrid n env d)
    (readLane_tame h Wd n) index at_ r s ls rd r4 e H4 A P B Rc Hl)
    as [e3 [Ag3 [A4 [_ [M4 [N4 Rc4]]]]]].
  exists e3. conj; auto; rewrite <- ?N4; clear - S5 M4; revert qs S5;
    induction M4 as [|[v [t mm]] ls [_ [M Bm]] F IH]; intros [|p ps] S5;
    try discriminate; try constructor; cbn [map fst snd] in *;
    injection S5 as S1 S5; destruct mm as [q| |]; try discriminate;
    injection S1 as <-; auto.
  destruct M as [_ [_ [_ [_ M]]]]. injection M as M. rewrite (IH ps S5).
  now rewrite M.
Qed.

Lemma activeLane_true sh index mask r s lane at_ c ps r' s' e :
  activeLane h n sh index mask r s = Some ((at_, c, ps, r'), s') ->
  here s e n env d -> Forall discharged (vcs s') -> inBox sh lane ->
  recalledOk n env s e r -> (forall v, In v index -> hasLane n v lane) ->
  maskHas mask lane -> lanePasses mask lane ->
  exists e', agrees (next s) e e' /\ here s' e' n env d /\
    recalledOk n env s' e' r' /\ map (eval e') at_ = lane /\
    Forall (below_ (next s')) at_ /\ Forall (below_ (next s')) ps /\
    map (eval e') ps = map (fun v => laneValue n env v lane) index.
Proof.
  intros H A P I Rc Hl Hm Nz. unfold activeLane in H.
  apply andThen_inv in H as [nums [r1 [H1 H]]].
  apply andThen_inv in H as [[cm rd] [r2 [H2 H]]].
  apply andThen_inv in H as [u1 [r3 [H3 H]]].
  apply andThen_inv in H as [[qs rd'] [r4 [H4 H]]].
  injection H as <- <- <- <- <-.
  destruct (wide w k h l given ids e0 from d s e n env A) as [W Wi].
  assert (Wd : 8 <= bits h <= 64) by lia.
  assert (O : orderly s) by apply A.
  destruct (anyLane_tame _ _ _ _ H1 O) as [O1 G1].
  destruct (maskOf_tame h Wd _ _ _ _ _ _ _ H2 O1) as [O2 G2].
  destruct (maskFacts_tame _ _ _ _ _ H3 O2) as [O3 G3].
  destruct (placeOfLane_tame h Wd _ _ _ _ _ _ _ H4 O3) as [O4 G4].
  pose proof (grows_discharged _ _ G4 P) as P3. pose proof (grows_discharged _ _ G3 P3) as
    P2.
  destruct (anyLane_true _ lane _ _ _ e I H1 A) as [e1 [Ag1 [A1 [E1 B1]]]].
  assert (Rc1 : recalledOk n env r1 e1 r).
  { apply (recalledOk_later n env s r1 e e1); auto. apply G1. }
  destruct (maskOf_true _ _ _ _ _ _ _ e1 H2 A1 P2 B1 Rc1)
    as [e2 [Ag2 [A2 [Rc2 M2]]]]; [now rewrite E1|]. rewrite E1 in M2.
  pose proof (maskFacts_hold _ _ _ _ _ M2 Nz) as F2.
  destruct (assumes_true _ _ _ _ _ e2 H3 ltac:(apply A2) F2) as [T3 [N3 _]].
  pose proof (at_later w k h l given ids e0 from r2 r3 e2 e2 n env d A2 G3 O3 T3
    (agrees_refl _ _) (keep_forEach (part := looks) _ _
       (fun f => keep_assume f (Because Path)) _ _ _ H3)) as A3.
  assert (E2 : map (eval e2) nums = lane).
  { rewrite <- E1. symmetry. now apply map_agrees with (next r1). }
  assert (B3 : Forall (below_ (next r3)) nums).
  { pose proof (growsNext _ _ G2). eapply Forall_impl; [|exact B1].
    intro q. rewrite N3. now apply below_le. }
  assert (Rc3 : recalledOk n env r3 e2 rd).
  { apply (recalledOk_later n env r2 r3 e2 e2); auto using agrees_refl.
    rewrite N3. lia. }
  destruct (placeOfLane_true _ _ _ _ _ _ _ e2 H4 A3 P B3 Rc3)
    as [e3 [Ag3 [A4 [Rc4 [B4 V4]]]]]; [now rewrite E2|].
  rewrite E2 in V4. exists e3. conj; auto.
  - pose proof (growsNext _ _ G1). pose proof (growsNext _ _ G2).
    apply agrees_trans with (next r3) e2; [rewrite N3; lia| |exact Ag3].
    apply agrees_trans with (next r1) e1; auto.
  - rewrite <- E2. symmetry. now apply map_agrees with (next r3).
  - eapply Forall_impl; [|exact B3]. intro q. apply below_le, G4.
Qed.

(* A lane that the mask lets through goes to an element of the tensor. *)
Lemma boundedLane_sound b es sh index mask s u s1 e lane :
  boundedLane h b n es sh index mask s = Some (u, s1) -> here s e n env d ->
  Forall discharged (vcs s1) -> inBox sh lane -> Forall (below_ (next s)) es ->
  length es = length index ->
  (forall v, In v index -> hasLane n v lane) ->
  maskHas mask lane -> lanePasses mask lane ->
  inside (map (eval e) es) (map (fun v => laneValue n env v lane) index) = true.
Proof.
  intros H A P I Be Le Hl Hm Nz. unfold boundedLane in H.
  apply andThen_inv in H as [[[[nums c] ps] r] [r4 [H4 H]]].
  destruct (wide w k h l given ids e0 from d s e n env A) as [W Wi].
  assert (Wd : 8 <= bits h <= 64) by lia.
  destruct (activeLane_tame h Wd _ _ _ _ _ _ _ _ H4 ltac:(apply A))
    as [O4 G4].
  destruct (laneBounds_tame _ _ _ _ _ _ H O4) as [O5 G5].
  destruct (activeLane_true _ _ _ _ _ lane _ _ _ _ _ e H4 A
    (grows_discharged _ _ G5 P) I (noRecall _ _) Hl Hm Nz)
    as [e3 [Ag3 [A3 [_ [_ [_ [_ V3]]]]]]].
  assert (Lp : length ps = length es).
  { rewrite Le. apply (f_equal (@length Z)) in V3.
    now rewrite !map_length in V3. }
  destruct (laneBounds_true b es ps r4 u s1 e3 H ltac:(apply A3) P
    O4 Lp) as [In_ _].
  rewrite V3 in In_. rewrite <- In_. f_equal.
  now apply map_agrees with (next s).
Qed.

Lemma index_values s e sh count : here s e n env d ->
  Z.to_nat (volume sh) = count -> forall index,
  (forall v, In v index -> hasShape (entries n) sh v = true) ->
  exists xss, collect (get env) index = Ok xss /\
    Forall (fun xs => length xs = count) xss /\ length xss = length index /\
    forall lane, map (fun v => laneValue n env v lane) index =
      map (fun xs => laneOf sh xs lane) xss.
Proof.
  intros A C. induction index as [|v index IH]; intro S.
  - exists []. conj; auto.
  - destruct IH as [xss [E [F [Le V]]]]; [intros u U; apply S; now right|].
    pose proof (S v ltac:(now left)) as Sv. pose proof Sv as Sv'.
    apply hasShape_spec in Sv as [t' [m' [F' E']]].
    destruct (value_of w k h l given ids e0 from n env d s e v t' m' A F')
      as [xs [Gx [[_ [Lx _]] _]]].
    exists (xs :: xss). simpl. rewrite Gx, E. simpl. conj; auto.
    + constructor; [|exact F]. unfold laneCount in Lx. now rewrite Lx, E'.
    + intro lane. rewrite V. f_equal. now apply laneValue_shape.
Qed.

(* The operands of a gather or scatter, in the walk and in the run. *)
Lemma laneOperands_true es sh index mask s u s' e
  (count := Z.to_nat (volume sh)) :
  laneOperands n es sh index mask s = Some (u, s') -> here s e n env d ->
  s' = s /\ length es = length index /\ Forall (Z.le 1) sh /\
  (forall lane, inBox sh lane ->
     (forall v, In v index -> hasLane n v lane) /\ maskHas mask lane) /\
  exists xss active, collect (get env) index = Ok xss /\
    maskLanes env count mask = Ok active /\
    length xss = length index /\ Forall (fun xs => length xs = count) xss /\
    length active = count /\
    (forall lane, map (fun v => laneValue n env v lane) index =
       map (fun xs => laneOf sh xs lane) xss) /\
    (forall lane, lanePasses mask lane <->
       match mask with Some _ => laneOf sh active lane <> 0 | None => True
       end) /\
    match mask with
    | Some v => hasShape (entries n) sh v = true
    | None => active = repeat (-1) count
    end.
Proof.
  intros H A. unfold laneOperands in H.
  apply andThen_inv in H as [ts [s1 [H2 H]]].
  pose proof (still_values index _ _ _ H2). subst s1.
  apply andThen_inv in H as [tm [s1 [H3 H]]].
  pose proof (still_values _ _ _ _ H3). subst s1. unfold check in H.
  destruct (_ && _) eqn:C; [|discriminate]. injection H as _ <-.
  rewrite !andb_true_iff, Nat.eqb_eq in C. destruct C as [[[[C2 C3] C4] C5] _].
  assert (Pos : Forall (Z.le 1) sh).
  { rewrite forallb_forall in C5. apply Forall_forall. intros y I.
    apply Z.leb_le, C5, I. }
  assert (Sh : forall (vs : list Syntax.var) tvs el,
    mapEach (valueOf n) vs s = Some (tvs, s) ->
    forallb (fun a => eqType (fst a) (Type_ sh el)) tvs = true ->
    forallb (fun a => eqAt (shape (fst a)) sh) tvs = true /\
    forall v, In v vs -> hasShape (entries n) sh v = true).
  { intros vs tvs el Hv Fv.
    assert (F : forallb (fun a => eqAt (shape (fst a)) sh) tvs = true).
    { rewrite forallb_forall in *. intros a I. specialize (Fv a I).
      apply andb_true_iff in Fv. apply Fv. }
    split; [exact F|]. intros v I.
    destruct (laneOf_place sh [] 0 Pos) as [I0 _].
    { assert (1 <= volume sh).
      { clear - Pos. unfold volume. induction Pos; simpl; [lia|nia]. }
      lia. }
    now apply (boxes_of vs sh tvs s e _ Hv A F I0 v I). }
  destruct (Sh index ts Index H2 C3) as [Fi Si].
  destruct (Sh _ tm (Int 1) H3 C4) as [Fm Sm].
  destruct (index_values s e sh count A eq_refl index Si)
    as [xss [Ec [Fx [Lx Vx]]]].
  conj; auto.
  { intros lane B. split.
    - intros v V. apply (boxes_of index sh ts s e lane H2 A Fi B v V).
    - destruct mask as [v|]; [|exact I].
      apply (boxes_of [v] sh tm s e lane H3 A Fm B v). now left. }
  exists xss. destruct mask as [v|].
  - destruct (index_values s e sh count A eq_refl [v])
      as [xm [Em [Fm' [Lm Vm]]]]; [exact Sm|].
    simpl in Em. destruct (get env v) as [active| | |] eqn:G;
      try discriminate.
    simpl in Em. injection Em as <-. exists active. inversion Fm'; subst.
    conj; auto; [|apply Sm; now left]. intro lane. specialize (Vm lane).
    simpl in Vm. injection Vm as Vm. cbn [lanePasses]. now rewrite Vm.
  - exists (repeat (-1) count). conj; auto; [apply repeat_length|].
    intro lane. reflexivity.
Qed.

Lemma asked_nth count xss active j : (j < count)%nat ->
  nth j (asked count xss active) ([], false) =
  (map (fun ys => nth j ys 0) xss, negb (nth j active 0 =? 0)).
Proof.
  intro J. unfold asked. set (g := fun i => (map (fun ys => nth i ys 0) xss,
    negb (nth i active 0 =? 0))).
  rewrite nth_indep with (d' := g 0%nat)
    by (rewrite map_length, seq_length; exact J).
  now rewrite (map_nth g), seq_nth by exact J.
Qed.

(* The lanes that are asked for are those that pass. *)
Lemma asked_passes sh index mask xss active j : Forall (Z.le 1) sh ->
  (j < Z.to_nat (volume sh))%nat ->
  (forall lane, map (fun v => laneValue n env v lane) index =
     map (fun xs => laneOf sh xs lane) xss) ->
  (forall lane, lanePasses mask lane <->
     match mask with Some _ => laneOf sh active lane <> 0 | None => True end)
  ->
  nth j active 0 <> 0 ->
  lanePasses mask (delinear sh (Z.of_nat j)) /\
  inBox sh (delinear sh (Z.of_nat j)) /\
  map (fun xs => nth j xs 0) xss =
    map (fun v => laneValue n env v (delinear sh (Z.of_nat j))) index.
Proof.
  intros Pos J Vx Vm Nz.
  destruct (laneOf_place sh active j Pos J) as [Ij Lj].
  split; [|split; [exact Ij|]].
  - apply Vm. destruct mask; [now rewrite Lj|exact I].
  - rewrite Vx. apply map_ext. intro xs. symmetry.
    now apply (laneOf_place sh xs j Pos).
Qed.

Lemma gather_sound take r t sh index mask q s n' s' e :
  (let* x := gather_ h n t sh index mask in
   ret (noteLoaded (bindName n r x) r (FromGather t mask q))) s =
    Some (n', s') -> here s e n env d -> Forall discharged (vcs s') ->
  sound k given take (fun d' env' => sub_ d d' /\
    exists e', agrees (next s) e e' /\
      at_step w k h l given ids e0 from s' e' n' env' d') d
    (execStatement m k l ids (Gather r t sh index mask q) env).
Proof.
  intros H A P. apply andThen_inv in H as [x [s9 [H HE]]].
  injection HE as <- <-. unfold gather_ in H.
  destruct (wide w k h l given ids e0 from d s e n env A) as [W Wi].
  assert (Wd : 8 <= bits h <= 64) by lia.
  pose proof A as [O T L Id Fr Be Hh N V].
  apply andThen_inv in H as [[es ten] [s1 [H1 H]]].
  destruct (tensorPolys_inv w k h l t s es ten s1 e H1 L)
    as [-> [Tn [Es [Ex [_ La]]]]].
  pose proof (extentPolys_bound (next s) h ten es Hh Es) as Bes.
  apply andThen_inv in H as [u0 [s1 [H4 H]]]. unfold check in H4.
  destruct (isShared ten) eqn:C1; [|discriminate]. injection H4 as _ <-.
  apply andThen_inv in H as [u2 [s1 [H2 H]]].
  destruct (laneOperands_true es sh index mask s u2 s1 e H2 A)
    as [-> [C2 [Pos [Hl [xss [active [Ec [Em [Lx [Fx [Lm [Vx [Vm
      Sm]]]]]]]]]]]]].
  apply andThen_inv in H as [u1 [s1 [H5 H6]]].
  pose proof (boundedLane_tame h Wd GatherBounds n es sh index mask) as Tg.
  destruct (within_step _ _ _ _ e H5 Tg A) as [e1 [Ag1 A1]].
  apply within_inv in H5 as [sb [H5 Eb]].
  destruct (unknown_tame h _ _ _ _ H6 ltac:(apply A1)) as [O9 G9].
  pose proof (grows_discharged _ _ G9 P) as P1.
  assert (Pb : Forall discharged (vcs sb)) by (rewrite Eb in P1; exact P1).
  set (count := Z.to_nat (volume sh)) in *.
  cbn [execStatement]. eapply sound_bind with
    (good := fun d' xs => d' = d /\ length xs = count /\
       Forall (laneOk (width m) (elements ten)) xs /\
       (isInteger (scalarType (elements ten)) = true ->
        loadedLanes l (entries n) env (FromGather t mask q)
          (elements ten) sh xs)).
  - unfold gather. apply sound_done. exists xss. split; [exact Ec|].
    apply sound_done. exists active. split; [exact Em|].
    apply sound_done. exists (map (eval e) es, ten). split.
    { unfold extentsAndType. now rewrite Ex, Tn. }
    cbv beta iota zeta. fold count.
    assert (Ck : isShared ten && Nat.eqb (length xss) (length (map (eval e) es))
      && forallb (fun xs => Nat.eqb (length xs) count) (active :: xss) = true).
    { rewrite C1, map_length, Lx, C2, Nat.eqb_refl. cbn [andb forallb].
      rewrite Lm, Nat.eqb_refl. cbn [andb]. apply forallb_forall.
      intros xs I. rewrite Forall_forall in Fx. now rewrite (Fx xs I),
        Nat.eqb_refl. }
    rewrite Ck.
    assert (In_ : forallb (fun a => negb (snd a) ||
                inside (map (eval e) es) (fst a)) (asked count xss active) =
              true).
    { apply forallb_forall. intros a I. unfold asked in I.
      apply in_map_iff in I as [j [<- J]]. apply in_seq in J. cbn [fst snd].
      destruct (Z.eqb_spec (nth j active 0) 0) as [Z0|Z0]; [reflexivity|].
      cbn [negb orb].
      destruct (asked_passes sh index mask xss active j Pos
        ltac:(unfold count in J; lia) Vx Vm Z0) as [Pj [Ij Ej]].
      rewrite Ej. destruct (Hl _ Ij) as [Hi Hm].
      now apply (boundedLane_sound _ es sh index mask s u1 sb e _ H5 A Pb Ij). }
    rewrite In_. eapply sound_weaken.
    + apply (readAll_sound m k given take d t (elements ten)); [exact La| |].
      * rewrite isWidth_. destruct q as [q|]; [now apply pad_ok|].
        replace 0 with (padBits (elements ten) Zero)
          by (destruct (elements ten); reflexivity).
        now apply pad_ok.
      * intros Out. exfalso. unfold isOut in Out. rewrite Tn in Out.
        unfold isShared in C1. destruct (mode_ ten); discriminate.
    + intros d' xs _ [Ed [Lxs [Fxs Cxs]]]. split; [exact Ed|].
      split; [|split; [exact Fxs|]].
      { rewrite Lxs. unfold asked. now rewrite map_length, seq_length. }
      intro Ty. split; [destruct mask; [exact Sm|exact I]|].
      intros at_ Ia. pose proof (place_below sh at_ Ia) as J.
      fold count in J. set (j := Z.to_nat (linear sh at_)) in *.
      pose proof (asked_nth count xss active j J) as Na.
      assert (Ja : (j < length (asked count xss active))%nat)
        by (unfold asked; now rewrite map_length, seq_length).
      pose proof (Forall2_nth _ ([], false) 0 _ _ Cxs j Ja) as Cj.
      rewrite Na in Cj. unfold cameFrom in Cj. cbn [fst snd] in Cj.
      change (nth j xs 0) with (laneOf sh xs at_) in Cj.
      destruct (Z.eqb_spec (nth j active 0) 0) as [Z0|Z0]; cbn [negb] in Cj.
      * right. change (laneOf sh xs at_ = padOf ten q) in Cj.
        split; [exact Cj|].
        destruct mask as [v|]; cbn [wasPadded]; [eauto|].
        rewrite Sm, nth_repeated in Z0 by exact J. lia.
      * left. destruct Cj as [x0 [Rx Lx0]]. rewrite isWidth_ in Lx0.
        specialize (Rx ten Tn C1). subst x0.
        apply (lane_number _ _ _ _ Ty La) in Lx0. rewrite Lx0.
        apply (contents_kept k l given keepsIt t ten (map (eval e) es)); auto.
        apply inside_inBox. rewrite forallb_forall in In_.
        specialize (In_ _ (nth_In _ ([], false) Ja)). rewrite Na in In_.
        cbn [fst snd] in In_.
        destruct (Z.eqb_spec (nth j active 0) 0); [contradiction|exact In_].
  - intros d' xs _ [-> [Lxs [Fxs Kxs]]]. apply sound_ok.
    rewrite isWidth_ in Fxs.
    split; [apply sub_refl|].
    pose proof (unknown_gives w h _ _ _ _ e1 xs H6 W Wi ltac:(apply A1)
      ltac:(apply A1) Lxs Fxs) as Gv.
    destruct (gives_step w k h l given ids e0 from s1 s9 e1 n env d r _ x _ A1
      G9 O9
      Gv) as [xs' [e' [E [Ag A']]]].
    { apply (keep_unknown (part := looks) _ _ _ _ _ H6). }
    injection E as <-. destruct Gv as [_ [mm [_ [-> _]]]].
    exists e'. split; [|apply noteLoaded_step; auto].
    apply agrees_trans with (next s1) e1; auto.
    rewrite Eb. simpl. pose proof (growsNext _ _ (proj2 (Tg _ _ _ H5 O))). lia.
Qed.

End CoverageObligations.
