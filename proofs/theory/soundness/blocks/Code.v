(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The code of a block: where all conditions emitted by the walk over it are
   discharged, its run gets stuck nowhere and takes only what its claims
   permit. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export LoadedLanes Scatters AtomicLanes.
Import ListNotations.
Open Scope Z_scope.

Section Code.

Context (w : Z) (k : kernel) (h : header) (l : launch) (m : machine)
  (given : initial_) (ids : list Z) (e0 : values) (from : Poly.var)
  (final : scope).
Context (keepsIt : keepsGivens k l given = true).
Context (isWidth_ : width m = w) (inGrid : inBox (gridOf l) ids)
  (dischargedAll : Forall discharged (vcs final)).

Notation take :=
  (permitted l h given ids from e0 (sites final) (defined final)).

(* The lemmas of Statements.v, here. *)
Notation at_step := (Statements.at_step w k h l given ids e0 from).
Notation goodEnv := (Statements.goodEnv w k h l given ids e0 from).
Notation goodValues := (Statements.goodValues w).
Notation at_later := (Statements.at_later w k h l given ids e0 from).
Notation at_more := (Statements.at_more w k h l given ids e0 from).
Notation gives_step := (Statements.gives_step w k h l given ids e0 from).
Notation at_skip := (Statements.at_skip w k h l given ids e0 from).
Notation at_back := (Statements.at_back w k h l given ids e0 from).
Notation bind_results := (Statements.bind_results w k h l given ids e0 from).
Notation atOrder := (Statements.atOrder w k h l given ids e0 from).
Notation atTrue := (Statements.atTrue w k h l given ids e0 from).
Notation atLaunch := (Statements.atLaunch w k h l given ids e0 from).
Notation atValues := (Statements.atValues w k h l given ids e0 from).
Notation atNames := (Statements.atNames w k h l given ids e0 from).
Notation discharged_before := (Statements.discharged_before final dischargedAll).

Definition soundRegion (r : region) : Prop :=
  forall n trips certain s es s' e env d,
  walkRegion h r n trips certain s = Some (es, s') ->
  at_step s e n env d -> grows s' final ->
  sound k given take (goodValues s s' e es d) d (execRegion m k l ids r env).
Definition soundStatement (st : statement) : Prop :=
  forall n trips certain s n' s' e env d,
  walkStatement h st n trips certain s = Some (n', s') ->
  at_step s e n env d -> grows s' final ->
  sound k given take (goodEnv s s' e n' d) d (execStatement m k l ids st env).

Lemma keep_paths fs s u s' : forEach (because Path) fs s = Some (u, s') ->
  looks s' = looks s.
Proof.
  exact (keep_forEach (part := looks) _ _
           (fun f => keep_assume f (Because Path)) _ _ _).
Qed.

Lemma valuesOf_bound b n : boundNames b n -> forall vs s es s',
  valuesOf n vs s = Some (es, s') -> Forall (boundEntry b) es.
Proof.
  intro B. unfold valuesOf.
  induction vs as [|v vs IH]; intros s es s' H; simpl in H; steps;
    constructor; [|eapply IH; eauto].
  match goal with V : valueOf _ _ _ = Some (?x, _) |- _ => destruct x as [t mm];
    rename V into Hv end.
  cbv beta iota in *. steps. unfold valueOf, Facts.given in Hv.
  destruct (PositiveMap.find v (entries n)) as [[t' m'| |]|] eqn:F;
    try discriminate. injection Hv as <- <- <-. apply (B v _ F).
Qed.

Lemma for_sound results counts lower upper by_ counter carried initial body :
  soundRegion body ->
  soundStatement
    (For results counts lower upper by_ counter carried initial body).
Proof.
  intros IH n trips certain s n' s' e env d H A G.
  pose proof A as [O T L Id Fr Be Hh N V Rc].
  pose proof (isWidth _ _ _ _ _ L) as W. pose proof (isWide _ _ _ _ _ L) as Wi.
  assert (Wide : 8 <= bits h <= 64) by now rewrite W.
  pose proof (proj1 (code_tame h Wide) body) as Tb.
  cbn [walkStatement] in H. steps. unfold release, visible in *.
  repeat match goal with
  | M : numberOf _ _ _ _ = Some _ |- _ =>
      let B := fresh "B" in let F := fresh "F" in let S := fresh "S" in
      let K := fresh "K" in
      pose proof (proj2 (numberOf_bound _ _ _ _ _ _ _ N M)) as B;
      destruct (numberOf_inv w l e n env d V _ _ _ _ _ M)
        as [-> [_ [_ [S [K F]]]]]; clear M
  end.
  match goal with S : scalar env lower = Ok (eval e ?p) |- _ =>
    rename p into low; rename S into Slow end.
  match goal with S : scalar env upper = Ok (eval e ?p) |- _ =>
    rename p into high; rename S into Shigh end.
  match goal with S : scalar env by_ = Ok (eval e ?p) |- _ =>
    rename p into stp; rename S into Sby end.
  match goal with V : Some (facts ?x, _) = Some (?y, _) |- _ =>
    rename x into s1; injection V as <- <- end.
  match goal with V : Some (tt, _) = _ |- _ => injection V as _ <- end.
  match goal with H : emit LoopStep _ _ _ = _ |- _ => rename H into Hs end.
  match goal with H : fresh_ _ = Some (?v, ?x) |- _ =>
    rename v into trip; rename x into s2; rename H into Hf end.
  match goal with H : because Loop (GeZ (variable trip)) s2 = Some (_, ?x)
    |- _ => rename x into s3; rename H into Hb1 end.
  match goal with H : because Loop _ s3 = Some (_, ?x)
    |- _ => rename x into s4; rename H into Hb2 end.
  match goal with H : emit LoopWidth _ _ s4 = Some (_, ?x) |- _ =>
    rename x into s5; rename H into Hw end.
  match goal with H : valuesOf n initial s5 = Some (?es, ?x) |- _ =>
    destruct (valuesOf_inv w l e n env d V initial s5 es x H)
      as [-> [xss0 [Cinit Minit]]]; clear H end.
  match goal with H : mapEach (unknown h) ?tz s5 = Some (?es, ?x) |- _ =>
    rename x into s6; rename H into Hin; rename es into inner;
    rename tz into ts end.
  match goal with H : bindAll _ carried inner = Some ?x |- _ =>
    rename x into n1; rename H into Hbind end.
  match goal with H : _ body n1 _ _ s6 = Some (?es, ?x) |- _ =>
    rename x into s7; rename es into yields;
    change (walkRegion h body n1 (trips ++ [trip]) certain s6 =
              Some (yields, s7)) in H; rename H into Hbody end.
  match goal with H : mapEach (unknown h) ts _ = Some (?es, ?x) |- _ =>
    lazymatch es with inner => fail | _ => idtac end;
    rename x into s8; rename H into Hout; rename es into outer end.
  match goal with H : bindAll n results outer = Some ?x |- _ =>
    rename x into n2; rename H into Hres end.
  match goal with H : typesOf yields = Some ?x, E : eqTypes ts ?x = true |- _ =>
    apply eqTypes_sound in E; subst x; rename H into Ty end.
  (* Scopes on the way. *)
  destruct (emit_tame _ _ _ _ _ _ Hs O) as [O1 G1].
  destruct (fresh_tame _ _ _ Hf O1) as [O2 G2].
  destruct (assume_tame _ (Because Loop) I _ _ _ Hb1 O2) as [O3 G3].
  destruct (assume_tame _ (Because Loop) I _ _ _ Hb2 O3) as [O4 G4].
  destruct (emit_tame _ _ _ _ _ _ Hw O4) as [O5 G5].
  destruct (mapEach_unknown_tame h ts _ _ _ Hin O5) as [O6 G6].
  destruct (Tb _ _ _ _ _ _ Hbody O6) as [O7 G7].
  assert (G17 : grows s1 s7) by chain.
  assert (O7r : orderly (Scope (next s7) (facts s1) (defined s7) (vcs s7)
                  (sites s7) (writes s7))).
  { apply (release_orderly s1); auto. }
  destruct (mapEach_unknown_tame h ts _ _ _ Hout O7r) as [O8 G8].
  assert (G7f : grows s7 final).
  { eapply grows_trans; [apply release_grows|].
    eapply grows_trans; [exact G8|exact G]. }
  assert (G5f : grows s5 final) by chain.
  assert (G1f : grows s1 final) by chain.
  destruct (emit_true _ _ _ _ _ _ e Hs (discharged_before _ G1f) T) as [Ns T1].
  evals.
  pose proof (at_later s s1 e e n env d A G1 O1 T1 (agrees_refl _ _)
    (keep_emit (part := looks) _ _ _ _ _ _ Hs)) as A1.
  (* The run. *)
  rewrite exec_for.
  apply sound_done. exists (eval e low). split; [exact Slow|].
  apply sound_done. exists (eval e high). split; [exact Shigh|].
  apply sound_done. exists (eval e stp). split; [exact Sby|].
  destruct (Z.ltb_spec (eval e stp) 1) as [Lt|Ge]; [lia|].
  apply sound_done. exists xss0. split; [exact Cinit|].
  match goal with H : typesOf _ = Some ts |- _ =>
    lazymatch type of H with typesOf yields = _ => fail | _ => idtac end;
    pose proof (entries_typed w e _ _ _ Minit H) as Typed end.
  eapply sound_bind with
    (good := fun _ xss => Forall2 (typed w) ts xss).
  - assert (Loop : forall count i d1 xss, sub_ d d1 ->
      (exists j, 0 <= j /\ i = eval e low + eval e stp * j /\
         Z.of_nat count + j =
         Z.max 0 (ceildiv (eval e high - eval e low) (eval e stp))) ->
      Forall2 (typed w) ts xss ->
      sound k given take (fun _ xss => Forall2 (typed w) ts xss) d1
        (iterate m k l ids counts counter carried body env (eval e stp) count
           i xss)).
    2:{ apply Loop; [apply sub_refl| |exact Typed]. exists 0. lia. }
    clear Typed xss0 Cinit Minit.
    induction count as [|count IHc]; intros i d1 xss U Inv Typed'.
    + apply sound_ok. exact Typed'.
    + destruct Inv as [j [J1 [J2 J3]]]. cbn [iterate].
      assert (Jlt : eval e stp * j < eval e high - eval e low).
      { assert (j < ceildiv (eval e high - eval e low) (eval e stp)) by lia.
        rewrite Z.mul_comm. apply ceildiv_lt; lia. }
      pose proof (at_more _ _ _ _ _ _ U A1) as At1.
      destruct (fresh_true _ _ _ e j Hf O1 T1) as [-> T2].
      set (e2 := set1 e (next s1) j) in *.
      assert (Ag2 : agrees (next s1) e e2) by apply set1_agrees.
      assert (Le1 : (next s <= next s1)%positive) by apply G1.
      assert (Ev : forall p, below_ (next s) p -> eval e2 p = eval e p).
      { intros p Bp. symmetry. apply agrees_eval with (next s1); [exact Ag2|].
        now apply below_le with (next s). }
      assert (Ej : eval e2 (variable (next s1)) = j).
      { rewrite variable_eval. apply set1_same. }
      assert (Ei : eval e2 (add low (mul stp (variable (next s1)))) = i).
      { rewrite add_eval, mul_eval, Ej, !Ev by assumption. lia. }
      assert (T3 : true_ s3 e2).
      { eapply assume_true; [exact Hb1|exact T2|]. apply holds_ge. lia. }
      assert (T4 : true_ s4 e2).
      { eapply assume_true; [exact Hb2|exact T3|]. apply holds_ge.
        rewrite sub_eval, plus_eval, Ei, Ev by assumption. lia. }
      destruct (emit_true _ _ _ _ _ _ e2 Hw (discharged_before _ G5f) T4) as [Nw T5].
      rewrite !sub_eval, constant_eval, Ei, Ev in Nw by assumption.
      pose proof (grows_trans _ _ _ G2 (grows_trans _ _ _ G3
        (grows_trans _ _ _ G4 G5))) as G15.
      destruct (unknowns_true w h W Wi ts s5 inner s6 e2 xss Hin O5 T5 Typed')
        as [e3 [Ag3 [T6 [M3 Bd3]]]].
      assert (Lk : looks s5 = looks s1).
      { rewrite (keep_emit (part := looks) _ _ _ _ _ _ Hw).
        rewrite (keep_assume (part := looks) _ _ _ _ _ Hb2).
        rewrite (keep_assume (part := looks) _ _ _ _ _ Hb1).
        apply (keep_fresh (part := looks) _ _ _ Hf). }
      pose proof (at_later s1 s5 e e2 n env d1 At1 G15 O5 T5 Ag2 Lk) as B5.
      pose proof (at_later s5 s6 e2 e3 n env d1 B5 G6 O6 T6 Ag3
        (keep_mapEach (part := looks) _ _ (keep_unknown h) _ _ _ Hin))
        as B6.
      assert (Ag13 : agrees (next s1) e e3).
      { apply agrees_trans with (next s5) e2; auto. apply G15. }
      assert (Ei3 : eval e3 (add low (mul stp (variable (next s1)))) = i).
      { rewrite <- Ei. symmetry. apply agrees_eval with (next s5); [exact Ag3|].
        assert (Lt5 : (next s1 < next s5)%positive).
        { injection Hf as <-. pose proof (growsNext _ _ G3).
          pose proof (growsNext _ _ G4). pose proof (growsNext _ _ G5).
          simpl in *. lia. }
        assert (Bl : forall p, below_ (next s) p -> below_ (next s5) p).
        { intros p. apply below_le. lia. }
        auto 8 using variable_below with bounded. }
      assert (Mi : means w e3 (scalarType counts)
                (Number (add low (mul stp (variable (next s1))))) [i]).
      { assert (Lo : laneOk w counts (eval e low)) by assumption.
        assert (Hi : laneOk w counts (eval e high)) by assumption.
        unfold means. conj; auto.
        - constructor; [|constructor]. cbn [lanes].
          apply (laneOk_fits w (scalarType counts)) in Lo, Hi; auto.
          apply (laneOk_fits w (scalarType counts)); auto.
          unfold fits in *. nia.
        - now rewrite Ei3. }
      set (n0 := bindName n counter (Val (scalarType counts)
                   (Number (add low (mul stp (variable (next s1))))))) in *.
      assert (B6' : at_step s6 e3 n0 (set_ env counter [i]) d1).
      { destruct B6 as [P1 P2 P3 P4 P5 P6 P7 P8 P9 P10]. split; auto.
        - apply bindName_bound; [exact P8|]. simpl.
          assert (Lt6 : (next s1 < next s6)%positive).
          { injection Hf as <-. pose proof (growsNext _ _ G3).
            pose proof (growsNext _ _ G4). pose proof (growsNext _ _ G5).
            pose proof (growsNext _ _ G6). simpl in *. lia. }
          assert (Bl : forall p, below_ (next s) p -> below_ (next s6) p).
          { intros p. apply below_le. lia. }
          auto 8 using variable_below with bounded.
        - now apply describes_value. }
      destruct (bind_results carried inner n0 n1 s6 e3 (set_ env counter [i])
        d1 xss Hbind B6' M3 Bd3) as [env' [Es B6'']].
      apply sound_done. exists env'. split; [exact Es|].
      eapply sound_bind.
      { eapply (IH n1 (trips ++ [next s1]) certain s6 yields s7 e3 env' d1);
          eauto. }
      intros d2 yss U2 [U3 [e4 [_ [_ [_ [M4 _]]]]]].
      assert (Fit : fitsb (widthOf (width m) counts) (i + eval e stp) = true).
      { rewrite isWidth_. apply fitsb_fits.
        assert (Lo : laneOk w counts (eval e low)) by assumption.
        apply (laneOk_fits w (scalarType counts)) in Lo; auto.
        change (fits (widthOf w counts) (eval e low)) in Lo.
        unfold maxOf in Nw. rewrite W in Nw.
        assert (0 <= eval e stp * j) by nia. unfold fits in *. lia. }
      rewrite Fit. apply IHc.
      * eapply sub_trans; [exact U|exact U2].
      * exists (j + 1). split; [lia|]. split; [lia|]. lia.
      * eapply entries_typed; eauto.
  - intros d' xss U TyX.
    destruct (at_skip s1 s7 e n env d (facts s1) A1 G17 O7r eq_refl)
      as [e1 [Ag1 Ar]].
    destruct (unknowns_true w h W Wi ts _ outer s8 e1 xss Hout O7r
      (atTrue _ _ _ _ _ Ar) TyX) as [e2 [Ag2 [T8 [M8 B8]]]].
    pose proof (at_later _ s8 e1 e2 n env d Ar G8 O8 T8 Ag2
      (keep_mapEach (part := looks) _ _ (keep_unknown h) _ _ _ Hout))
      as A8.
    destruct (bind_results results outer n n2 s8 e2 env d xss Hres A8 M8 B8)
      as [env' [Es A8']].
    rewrite Es. apply sound_ok. split; [exact U|]. exists e2. split.
    + apply agrees_trans with (next s1) e1; [apply G1| |].
      * eapply agrees_le; [apply G1|exact Ag1].
      * eapply agrees_le; [|exact Ag2]. simpl. apply G17.
    + now apply at_more with d.
Qed.

(* The results of a branch, of which one was taken. *)
Lemma joins_true limit c b : forall ys ns s es s' e xss,
  mapEach (join h limit c) (combine ys ns) s = Some (es, s') ->
  bits h = w -> 8 <= w <= 64 -> orderly s -> true_ s e ->
  (limit <= next s)%positive -> boundCond (next s) c ->
  (b <> 0 -> may e c) -> (b = 0 -> may e (negated c)) ->
  (isKnown c = true -> b = 0 -> ~ may e c) ->
  typesOf ys = typesOf ns -> (exists ts, typesOf ys = Some ts) ->
  Forall2 (entryMeans w e) (if b =? 0 then ns else ys) xss ->
  Forall (boundEntry (next s)) (if b =? 0 then ns else ys) ->
  exists e', agrees (next s) e e' /\ true_ s' e' /\
    Forall2 (entryMeans w e') es xss /\ Forall (boundEntry (next s')) es.
Proof.
  induction ys as [|y ys IH]; intros [|n ns] s es s' e xss H W Wi O T Le Bc Yes
    No Not Ty Ts M B.
  - simpl in H. steps. exists e. destruct (b =? 0); inversion M; subst;
      conj; auto using agrees_refl.
  - exfalso. unfold typesOf in Ty. simpl in Ty.
    destruct n; [destruct (all _ ns)| |]; try discriminate;
      destruct Ts as [ts Ts]; unfold typesOf in Ts; simpl in *; congruence.
  - exfalso. unfold typesOf in Ty. simpl in Ty.
    destruct y; [destruct (all _ ys)| |]; try discriminate;
      destruct Ts as [ts Ts]; unfold typesOf in Ts; simpl in *; congruence.
  - cbn [combine mapEach] in H. steps.
    match goal with J : join _ _ _ _ _ = Some (?x, ?s1) |- _ =>
      rename J into Hj; rename s1 into s1'; rename x into en end.
    match goal with J : mapEach _ _ s1' = Some (?x, _) |- _ =>
      rename J into Hm; rename x into es' end.
    destruct (join_tame h _ _ _ _ _ _ Hj O) as [O1 G1].
    assert (Heads : exists t my mn, y = Val t my /\ n = Val t mn /\
              typesOf ys = typesOf ns /\ exists ts, typesOf ys = Some ts).
    { destruct Ts as [ts Ts]. rewrite Ts in Ty. unfold typesOf in Ts, Ty |- *.
      simpl in Ts, Ty. destruct y as [t my| |]; try discriminate.
      destruct n as [t' mn| |]; try discriminate.
      destruct (all _ ys) as [ty|] eqn:Ey; [|discriminate].
      destruct (all _ ns) as [tn|] eqn:En; [|discriminate].
      injection Ts as <-. injection Ty as -> ->. exists t', my, mn.
      conj; auto. eauto. }
    destruct Heads as [t [my [mn [-> [-> [Ty' Ts']]]]]].
    assert (Split : exists x xss', xss = x :: xss' /\
              means w e t (if b =? 0 then mn else my) x /\
              Forall2 (entryMeans w e) (if b =? 0 then ns else ys) xss').
    { destruct (b =? 0); inversion M; subst; eauto. }
    destruct Split as [x [xss' [-> [Mx M']]]].
    assert (Bt : Forall (boundEntry (next s)) (if b =? 0 then ns else ys))
      by (destruct (b =? 0); now inversion B).
    assert (Head : gives w s s1' e t en (Ok x)).
    { destruct Mx as [Y [Lx [Fx Mx]]].
      assert (Pl : gives w s s e t (Val t Plain) (Ok x)) by
        now apply gives_plain.
      assert (Uk : unknown h t s = Some (en, s1') ->
                gives w s s1' e t en (Ok x)).
      { intro U. eapply unknown_gives; eauto. }
      destruct my as [p| |]; cbn [join] in Hj;
        try (injection Hj as <- <-; exact Pl).
      destruct mn as [q| |]; try (injection Hj as <- <-; exact Pl).
      destruct (polyBelow limit p && polyBelow limit q) eqn:Lim; [|now apply
        Uk].
      apply andb_true_iff in Lim as [Lp Lq].
      apply polyBelow_spec in Lp, Lq.
      apply (below_le _ (next s)) in Lp, Lq; auto.
      assert (In_ : isInteger t = true) by (destruct (b =? 0); apply Mx).
      unfold chosen in Hj. destruct (isTruth t) eqn:Tr.
      { exfalso. unfold isInteger, isTruth in *.
        apply andb_true_iff in In_ as [_ I2].
        apply andb_true_iff in Tr as [_ T2]. apply eqElement_sound in T2.
        rewrite T2 in I2. discriminate. }
      steps. match goal with Ch : choice _ _ _ _ = Some (?o, ?sc) |- _ =>
        rename Ch into Hc; rename o into oc; rename sc into s2' end.
      destruct (choice_true _ _ _ _ _ _ e Hc O T Bc Lp Lq)
        as [e1 [A1 [T1 C1]]].
      destruct (choice_tame _ _ _ _ _ _ Hc O) as [O2 G2].
      destruct oc as [r|]; steps.
      - destruct C1 as [Kn [C1 C2]].
        assert (Ex : x = [if b =? 0 then eval e q else eval e p])
          by (destruct (b =? 0); apply Mx).
        rewrite Ex in Fx |- *. inversion Fx as [|? ? F1 _]. subst.
        eapply gives_number; eauto.
        + destruct (Z.eqb_spec b 0) as [E|E]; auto.
        + eapply choice_bound; eauto.
      - eapply gives_after; [exact A1|apply G2|].
        eapply unknown_gives; eauto. }
    destruct Head as [x' [mm [e1 [-> [Ex [A1 [T1 [M1 B1]]]]]]]].
    injection Ex as <-.
    pose proof (growsNext _ _ G1) as Le1.
    edestruct (IH ns s1' es' s' e1 xss' Hm W Wi O1 T1)
      as [e2 [A2 [T2 [M2 B2]]]]; auto.
    + lia.
    + eapply boundCond_le; [exact Le1|exact Bc].
    + intro Z. eapply may_agrees; [exact A1|exact Bc|auto].
    + intro Z. eapply may_agrees; [exact A1|now apply negated_bound|auto].
    + intros Kn Z X. apply (Not Kn Z).
      eapply may_agrees; [apply agrees_sym, A1|exact Bc|exact X].
    + clear - M' Bt A1. induction M' as [|z x l' xs Z M' IHm]; [constructor|].
      inversion Bt as [|? ? B1 B2]. subst. constructor; [|now apply IHm].
      destruct z as [tz mz| |]; try contradiction.
      now apply means_agrees with (next s) e.
    + eapply Forall_impl; [|exact Bt]. intros z. now apply boundEntry_le.
    + exists e2. conj; auto.
      * now apply agrees_trans with (next s1') e1.
      * constructor; [|exact M2]. now apply means_agrees with (next s1') e1.
      * constructor; [|exact B2].
        destruct (tame_mapEach _ _ (join_tame h limit c) _ _ _ Hm O1) as [_ G2].
        apply (boundEntry_le (next s1') (next s') (Val t mm));
          [apply G2|exact B1].
Qed.

Lemma if_sound results c yes no : soundRegion yes -> soundRegion no ->
  soundStatement (If results c yes no).
Proof.
  intros IHy IHn n trips certain s n' s' e env d H A G.
  pose proof A as [O T L Id Fr Be Hh N V Rc].
  pose proof (isWidth _ _ _ _ _ L) as W. pose proof (isWide _ _ _ _ _ L) as Wi.
  assert (Wide : 8 <= bits h <= 64) by now rewrite W.
  pose proof (proj1 (code_tame h Wide) yes) as Ty.
  pose proof (proj1 (code_tame h Wide) no) as Tn.
  cbn [walkStatement] in H. steps.
  match goal with S : valueOf _ _ _ = Some (?x, _) |- _ =>
    destruct x as [tc mc];
    destruct (valueOf_inv w l e n env d V _ _ _ _ _ S)
      as [-> [Fc [xs [Gx Mc]]]] end.
  cbv beta iota in H. steps. unfold release, visible in *.
  repeat match goal with
  | V : Some (facts ?x, ?x) = Some (_, _) |- _ => injection V as <- <-
  | V : Some (next ?x, ?x) = Some (_, _) |- _ => injection V as <- <-
  | V : Some (tt, _) = Some (_, _) |- _ => injection V as _ <-
  end.
  match goal with E : isTruth tc = true |- _ => rename E into Tr end.
  destruct (means_truth w e tc mc xs Mc Tr) as [b [-> [Fb [Yb [Nb Kb]]]]].
  assert (Bc : boundCond (next s) (condOf mc)).
  { apply condOf_bound. apply (N _ _ Fc). }
  set (cc := condOf mc) in *.
  match goal with H : forEach (because Path) (condFacts cc) s = Some (_, ?x)
    |- _ => rename x into s1; rename H into Hp1 end.
  match goal with H : _ yes n trips _ s1 = Some (?es, ?x) |- _ =>
    rename x into s2; rename es into ys;
    change (walkRegion h yes n trips (certain && isExact cc) s1 =
              Some (ys, s2)) in H; rename H into Hy end.
  match goal with H : forEach (because Path) (condFacts (negated cc)) _ =
    Some (_, ?x) |- _ => rename x into s3; rename H into Hp2 end.
  match goal with H : _ no n trips _ s3 = Some (?es, ?x) |- _ =>
    rename x into s4; rename es into ns;
    change (walkRegion h no n trips (certain && isExact (negated cc)) s3 =
              Some (ns, s4)) in H; rename H into Hn end.
  match goal with H : mapEach (join _ _ _) _ _ = Some (?es, ?x) |- _ =>
    rename x into s5; rename es into rs; rename H into Hj end.
  match goal with H : bindAll n results rs = Some ?x |- _ =>
    rename x into n2; rename H into Hres end.
  assert (Types_ : typesOf ys = typesOf ns /\ exists ts, typesOf ys = Some ts).
  { match goal with E : eqTypes _ _ = true |- _ => apply eqTypes_sound in E;
      subst end. split; [congruence|]. eauto. }
  destruct Types_ as [Tys Ts].
  set (r2 := Scope (next s2) (facts s) (defined s2) (vcs s2) (sites s2)
               (writes s2)) in *.
  set (r4 := Scope (next s4) (facts s) (defined s4) (vcs s4) (sites s4)
               (writes s4)) in *.
  destruct (forEach_because_tame _ _ _ _ _ Hp1 O) as [O1 G1].
  destruct (Ty _ _ _ _ _ _ Hy O1) as [O2 G2].
  pose proof (grows_trans _ _ _ G1 G2) as G02.
  assert (Or2 : orderly r2) by (apply (release_orderly s); auto).
  pose proof (release_grows s2 (facts s)) as R2. fold r2 in R2.
  destruct (forEach_because_tame _ _ _ _ _ Hp2 Or2) as [O3 G3].
  destruct (Tn _ _ _ _ _ _ Hn O3) as [O4 G4].
  pose proof (grows_trans _ _ _ G3 G4) as Gr24.
  pose proof (grows_trans _ _ _ R2 Gr24) as G24.
  pose proof (grows_trans _ _ _ G02 G24) as G04.
  assert (Or4 : orderly r4) by (apply (release_orderly s); auto).
  pose proof (release_grows s4 (facts s)) as R4. fold r4 in R4.
  destruct (tame_mapEach _ _ (join_tame h (next s) cc) _ _ _ Hj Or4)
    as [O5 G5].
  pose proof (grows_trans _ _ _ R4 (grows_trans _ _ _ G5 G)) as G4f.
  pose proof (grows_trans _ _ _ G24 G4f) as G2f.
  (* After the branch that is taken: the joins. *)
  assert (After : forall e1 xss d', sub_ d d' -> at_step r4 e1 n env d' ->
    agrees (next s) e e1 ->
    Forall2 (entryMeans w e1) (if b =? 0 then ns else ys) xss ->
    Forall (boundEntry (next r4)) (if b =? 0 then ns else ys) ->
    sound k given take (goodEnv s s5 e n2 d) d'
      (Done (setAll env results xss))).
  { intros e1 xss d' U Ar Ag M B.
    assert (Lr : (next s <= next r4)%positive) by apply G04.
    destruct (joins_true (next s) cc b ys ns r4 rs s5 e1 xss Hj W Wi Or4
      (atTrue _ _ _ _ _ Ar) Lr) as [e2 [Ag2 [T5 [M5 B5]]]]; auto.
    - now apply boundCond_le with (next s).
    - intro Z. eapply may_agrees; [exact Ag|exact Bc|auto].
    - intro Z. eapply may_agrees; [exact Ag|now apply negated_bound|auto].
    - intros Kn Z X. apply (Kb Kn Z).
      eapply may_agrees; [apply agrees_sym, Ag|exact Bc|exact X].
    - pose proof (at_later r4 s5 e1 e2 n env d' Ar G5 O5 T5 Ag2
        (keep_mapEach (part := looks) _ _ (keep_join h _ _) _ _ _ Hj))
        as A5.
      destruct (bind_results results rs n n2 s5 e2 env d' xss Hres A5 M5 B5)
        as [env' [Es A5']].
      rewrite Es. apply sound_ok. split; [exact U|]. exists e2.
      split; [|exact A5']. now apply agrees_trans with (next r4) e1. }
  cbn [execStatement]. apply sound_done. exists b.
  split; [unfold scalar; now rewrite Gx|].
  destruct (Z.eqb_spec b 0) as [E|E].
  - (* The other branch was walked, too. *)
    destruct (at_skip s s2 e n env d (facts s) A G02 Or2 eq_refl)
      as [e1 [Ag1 Ar]]. fold r2 in Ar.
    assert (Fn : Forall (holds e1) (condFacts (negated cc))).
    { apply condFacts_may.
      eapply may_agrees; [exact Ag1|now apply negated_bound|auto]. }
    destruct (assumes_true _ _ _ _ _ e1 Hp2 (atTrue _ _ _ _ _ Ar) Fn)
      as [T3 [N3 _]].
    pose proof (at_later r2 s3 e1 e1 n env d Ar G3 O3 T3 (agrees_refl _ _)
      (keep_paths _ _ _ _ Hp2)) as A3.
    eapply sound_bind.
    { eapply (IHn n trips _ s3 ns s4 e1 env d Hn A3). exact G4f. }
    intros d' xss U [U' [e2 [Ag2 [_ [T4 [M4 B4]]]]]].
    assert (Ag02 : agrees (next s) e e2).
    { apply agrees_trans with (next s3) e1; auto. rewrite N3. apply G02. }
    apply (After e2); auto.
    apply at_more with d; [exact U|].
    apply (at_back s s4 e e2 n env d (facts s)); auto.
  - assert (Fy : Forall (holds e) (condFacts cc)).
    { apply condFacts_may. auto. }
    destruct (assumes_true _ _ _ _ _ e Hp1 T Fy) as [T1 [N1 _]].
    pose proof (at_later s s1 e e n env d A G1 O1 T1 (agrees_refl _ _)
      (keep_paths _ _ _ _ Hp1)) as A1.
    eapply sound_bind.
    { eapply (IHy n trips _ s1 ys s2 e env d Hy A1). exact G2f. }
    intros d' xss U [U' [e1 [Ag1 [_ [T2 [M2 B2]]]]]].
    rewrite N1 in Ag1.
    pose proof (at_back s s2 e e1 n env d (facts s) A G02 Or2 eq_refl T2 Ag1)
      as Ar. fold r2 in Ar.
    destruct (at_skip r2 s4 e1 n env d (facts s) Ar Gr24 Or4 eq_refl)
      as [e2 [Ag2 Ar4]]. fold r4 in Ar4.
    apply (After e2); auto.
    + now apply at_more with d.
    + apply agrees_trans with (next r2) e1; auto. apply G02.
    + clear - M2 B2 Ag2. induction M2 as [|z x l' xs Z M' IHm]; [constructor|].
      inversion B2. subst. constructor; [|now apply IHm].
      destruct z as [tz mz| |]; try contradiction.
      now apply means_agrees with (next r2) e1.
    + eapply Forall_impl; [|exact B2]. intros z. apply boundEntry_le.
      apply G24.
Qed.

Theorem code_sound :
  (forall r, soundRegion r) /\ (forall st, soundStatement st).
Proof.
  apply code_both.
  - intros vs n trips certain s es s' e env d H A G.
    cbn [walkRegion execRegion] in *.
    pose proof (valuesOf_bound _ _ (atNames _ _ _ _ _ A) _ _ _ _ H) as B.
    destruct (valuesOf_inv w l e n env d (atValues _ _ _ _ _ A) vs s es s' H)
      as [-> [xss [C M]]].
    rewrite C. apply sound_ok. split; [apply sub_refl|]. exists e.
    conj; auto using agrees_refl; apply A.
  - intros st IHs rest IHr n trips certain s es s' e env d H A G.
    cbn [walkRegion execRegion] in *.
    apply andThen_inv in H as [n1 [s1 [H1 H]]].
    change (walkRegion h rest n1 trips certain s1 = Some (es, s')) in H.
    change (walkStatement h st n trips certain s = Some (n1, s1)) in H1.
    pose proof (isWidth _ _ _ _ _ (atLaunch _ _ _ _ _ A)) as W.
    pose proof (isWide _ _ _ _ _ (atLaunch _ _ _ _ _ A)) as Wi.
    assert (Wide : 8 <= bits h <= 64) by now rewrite W.
    destruct (proj2 (code_tame h Wide) st _ _ _ _ _ _ H1
      (atOrder _ _ _ _ _ A)) as [O1 G1].
    destruct (proj1 (code_tame h Wide) rest _ _ _ _ _ _ H O1) as [_ G2].
    eapply sound_bind.
    { apply (IHs n trips certain s n1 s1 e env d H1 A).
      eapply grows_trans; eauto. }
    intros d1 env1 U [U' [e1 [Ag1 A1]]].
    eapply sound_weaken; [apply (IHr n1 trips certain s1 es s' e1 env1 d1 H A1
      G)|].
    intros d2 xss U2 [U3 [e2 [Ag2 R]]]. split.
    { eapply sub_trans; eauto. }
    exists e2. split; [|exact R].
    apply agrees_trans with (next s1) e1; auto. apply G1.
  - intros r t o n trips certain s n' s' e env d H A G.
    eapply (walkLet_sound w k h l m given ids e0 from); eauto.
    exact (grows_discharged _ _ G dischargedAll).
  - intros r b st n trips certain s n' s' e env d H A G.
    exact (view_sound w k h l m given ids e0 from final
      isWidth_ dischargedAll n r b st s n' s' e env d H A G).
  - intros r p index n trips certain s n' s' e env d H A G.
    exact (claim_sound w k h l m given ids e0 from final
      dischargedAll n r p index s n' s' e env d H A G).
  - intros r src q n trips certain s n' s' e env d H A G.
    exact (load_noted w k h l m given ids e0 from final
      keepsIt isWidth_ dischargedAll n r src q s n' s' e env d H A G).
  - intros v pv n trips certain s n' s' e env d H A G.
    exact (store_sound w k h l m given ids e0 from final
      n v pv trips certain s n' s' e env d H A G).
  - intros v p index n trips certain s n' s' e env d H A G.
    exact (combine_sound w k h l m given ids e0 from final
      dischargedAll n v p index s n' s' e env d H A G).
  - intros r t sh index mask q n trips certain s n' s' e env d H A G.
    eapply (gather_sound w k h l m given ids e0 from keepsIt); eauto.
    exact (grows_discharged _ _ G dischargedAll).
  - intros v t sh index mask n trips certain s n' s' e env d H A G.
    exact (scatter_sound w k h l m given ids e0 from final
      isWidth_ inGrid dischargedAll n env d v t sh index mask trips certain s n' s' e
      H A G).
  - intros v t sh index mask n trips certain s n' s' e env d H A G.
    eapply (combineLanes_sound w k h l m given ids e0 from keepsIt); eauto.
    exact (grows_discharged _ _ G dischargedAll).
  - intros. now apply for_sound.
  - intros. now apply if_sound.
Qed.

End Code.
