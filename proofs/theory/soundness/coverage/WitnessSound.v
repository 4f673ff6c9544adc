(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Witnesses of coverage: block ids and trips for which all that is demanded on
   the way to a store holds, whatever a block finds there, and an element lies
   in the tile that is stored. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export ViewInversion Landing ClauseInViews.
Import ListNotations.
Open Scope Z_scope.

Ltac step H x s1 E := apply andThen_inv in H as [x [s1 [E H]]].


(* Facts at the store, now of the witness. *)

Lemma replay_emits (e : values) constants : forall fs literal s u s',
  replayFacts constants literal fs s = Some (u, s') ->
  grows s s' /\ next s' = next s /\ defined s' = defined s /\
  (Forall discharged (vcs s') -> Forall (fun f => holds e (claims f)) (facts s) ->
   (forall past f rest, fs = past ++ f :: rest ->
      demanded f ->
      Forall (fun g => holds e (claims g)) past -> holds e (claims f)) /\
   (Forall (fun f => holds e (claims f)) fs ->
    Forall (fun f => holds e (claims f)) (facts s'))).
Proof.
  induction fs as [|f fs IH]; intros literal s u s' H; simpl in H.
  { injection H as _ <-. split; [apply grows_refl|]. repeat split; auto.
    intros [|? past] f rest E; discriminate E. }
  destruct (isConstant constants f) eqn:Co.
  { destruct (IH _ _ _ _ H) as [G [N [D Hs]]].
    split; [exact G|]. repeat split; auto.
    - intros past f' rest E K P. destruct past as [|f0 past].
      + injection E as -> ->. unfold isConstant in Co. unfold demanded in K.
        destruct (reason_ f'); [discriminate|contradiction|contradiction].
      + injection E as -> ->. inversion P. subst.
        eapply (proj1 (Hs ltac:(eassumption) ltac:(eassumption))); eauto.
    - intro P. inversion P. subst. apply Hs; auto. }
  step H lit s1 H1.
  destruct (IH _ _ _ _ H) as [G [N [D Hs]]]. clear IH.
  (* Either it is a condition, or it enters as it is. *)
  assert (K : grows s s1 /\ next s1 = next s /\ defined s1 = defined s /\
    (Forall discharged (vcs s1) -> Forall (fun f => holds e (claims f)) (facts s) ->
     (demanded f -> holds e (claims f)) /\
     (holds e (claims f) -> Forall (fun f => holds e (claims f)) (facts s1)))).
  { assert (Ap : forall u s1, append f s = Some (u, s1) ->
      forall P : Prop, ~ P ->
      grows s s1 /\ next s1 = next s /\ defined s1 = defined s /\
      (Forall discharged (vcs s1) ->
       Forall (fun f => holds e (claims f)) (facts s) ->
       (P -> holds e (claims f)) /\
       (holds e (claims f) ->
        Forall (fun f => holds e (claims f)) (facts s1)))).
    { intros u1 s2 A P Np. apply assume_inv in A as [_ ->]. simpl.
      split; [apply (same_grows s _ [])|]. repeat split; auto; try tauto. }
    assert (Ow : forall b s1, emitFact (claims f) s = Some (b, s1) ->
      forall P : Prop,
      grows s s1 /\ next s1 = next s /\ defined s1 = defined s /\
      (Forall discharged (vcs s1) ->
       Forall (fun f => holds e (claims f)) (facts s) ->
       (P -> holds e (claims f)) /\
       (holds e (claims f) ->
        Forall (fun f => holds e (claims f)) (facts s1)))).
    { intros b s2 A P. destruct (emitFact_emits e _ _ _ _ A) as [O Hf].
      destruct O as [Go No Do Fo]. repeat split; auto; try apply Go.
      intros _. destruct (Fo H0 H2) as [new_ [-> Hn]]. apply Forall_app.
      split; [|assumption]. eapply Forall_impl; [|exact Hn].
      now intros g [X _]. }
    unfold demanded. destruct (reason_ f) as [[]|d part|n via];
      try (step H1 u1 s2 H2; injection H1 as _ <-;
           first [ solve [eapply Ow; exact H2] | solve [eapply Ap; eauto] ]).
    destruct literal.
    - step H1 u1 s2 H2. injection H1 as _ <-. eapply Ap; eauto.
    - step H1 u1 s2 H2. injection H1 as _ <-. step H2 b s3 H3.
      injection H2 as _ <-. eapply Ow; exact H3. }
  destruct K as [G1 [N1 [D1 K]]].
  split; [now apply grows_trans with s1|].
  split; [congruence|]. split; [congruence|]. intros P F.
  destruct (K (grows_discharged _ _ G P) F) as [K1 K2]. split.
  - intros past f' rest E Dm Hp. destruct past as [|f0 past].
    + injection E as -> ->. auto.
    + injection E as -> ->. inversion Hp as [|? ? X Y]. subst.
      eapply (proj1 (Hs P (K2 X))); eauto.
  - intro X. inversion X as [|? ? X1 X2]. subst. apply Hs; auto.
Qed.

(* Any element. *)
Lemma assumeElement_means : forall es s element s1,
  assumeElement es s = Some (element, s1) -> orderly s ->
  exists vs, element = map variable vs /\ length vs = length es /\
    NoDup vs /\ Forall (fun v => next s <= v < next s1)%positive vs /\
    defined s1 = defined s /\ orderly s1 /\ grows s s1 /\
    forall e, Forall2 (fun v p => 0 <= e v <= eval e p - 1) vs es ->
      Forall (meant e) (facts s) -> Forall (meant e) (facts s1).
Proof.
  unfold assumeElement.
  induction es as [|p es IH]; simpl; intros s element s1 H O.
  { injection H as <- <-. exists []. simpl.
    repeat (split; [solve [auto using grows_refl, NoDup_nil]|]). auto. }
  step H x s2 H1. step H xs s3 H2. injection H as <- <-.
  step H1 v s4 H3. step H1 u1 s5 H4. step H1 u2 s6 H5. injection H1 as <- <-.
  destruct (fresh_tame _ _ _ H3 O) as [O4 G4].
  destruct (assume_tame _ (Because Region) I _ _ _ H4 O4) as [O5 G5].
  destruct (assume_tame _ (Because Region) I _ _ _ H5 O5) as [O6 G6].
  destruct (IH _ _ _ H2 O6) as [vs [-> [L [Nd [F [D [O3 [G3 M]]]]]]]].
  injection H3 as <- <-. apply assume_inv in H4 as [_ ->].
  apply assume_inv in H5 as [_ ->]. simpl in *.
  pose proof (growsNext _ _ G3) as Le. simpl in Le.
  exists (next s :: vs). split; [reflexivity|]. split; [simpl; congruence|].
  split; [|split; [|split; [exact D|split; [exact O3|split]]]].
  - constructor; [|exact Nd]. intro X. rewrite Forall_forall in F.
    specialize (F _ X). simpl in F. lia.
  - constructor; [lia|]. eapply Forall_impl; [|exact F].
    intros v V. cbv beta in *. lia.
  - eauto using grows_trans.
  - intros e B Ms. inversion B as [|? ? ? ? B1 B2]. subst. apply M; [exact B2|].
    constructor; [|constructor; [|exact Ms]]; split; simpl; auto;
      apply holds_ge; rewrite ?sub_eval, ?plus_eval, variable_eval; lia.
Qed.

Lemma named_grows i : forall vs s u s', forEach (named i) vs s = Some (u, s') ->
  grows s s' /\ next s' = next s /\ defined s' = defined s.
Proof.
  induction vs as [|v vs IH]; intros s u s' H; simpl in H.
  - injection H as _ <-. auto using grows_refl.
  - step H u1 s1 H1. unfold named in H1. step H1 u2 s2 H2.
    unfold settled, check in H2. destruct (isSettled _ _); [|discriminate].
    injection H2 as _ <-. simpl in H1. step H1 u3 s3 H3.
    injection H1 as _ <-. apply assume_inv in H3 as [_ ->].
    destruct (IH _ _ _ H) as [G [N D]]. simpl in *. split; [|now split].
    eapply grows_trans; [|exact G].
    match goal with |- grows s (Scope _ ?fs _ _ _ _) =>
      exact (same_grows s fs []) end.
Qed.

Lemma box_length dims at_ : inBox dims at_ -> length at_ = length dims.
Proof. induction 1; simpl; congruence. Qed.

Lemma box_means (e0 e : values) from es : agrees from e0 e ->
  Forall (below_ from) es -> forall vs, inBox (map (eval e0) es) (map e vs) ->
  Forall2 (fun v p => 0 <= e v <= eval e p - 1) vs es.
Proof.
  intros A B. induction B as [|p ps P Ps IH]; intros vs I.
  - destruct vs; [constructor|inversion I].
  - destruct vs as [|v vs]; [inversion I|]. simpl in I.
    inversion I as [|? ? ? ? I1 I2]. subst. constructor; [|now apply IH].
    rewrite <- (agrees_eval from e0 e p A P). lia.
Qed.

(* One store covers what it is to. *)
Section CoverSound.

Context (h : header) (launch_ : list scoped) (from until : Poly.var)
  (sA sB : scope) (e0 : values) (wr : write) (more : list scoped)
  (es : list poly) (x : list Z).
Context (orderA : orderly sA) (trueA : true_ sA e0)
  (factsA : facts sA = launch_) (nextA : next sA = from)
  (growsB : grows sA sB) (nextB : next sB = until)
  (definedB : Forall (boundDefinition until) (defined sB)).
Context (factsW : writeFacts wr = more ++ launch_)
  (sourcedW : Forall (sourced (defined sB)) (writeFacts wr))
  (boundW : Forall (fun f => boundFact until (claims f)) (writeFacts wr))
  (tripsW : Forall (fun v => v < until)%positive (trips wr))
  (idsB : Forall (fun v => v < until)%positive (idVars h)).
Context (extentsA : Forall (below_ from) es)
  (inside_ : inBox (map (eval e0) es) x).

Let constants := launchConstants from (rev (writeFacts wr)).
Let i0 := startInversion h launch_ from until constants wr.

(* The steps of `cover`. *)
Inductive covers_ (s s' : scope) : Prop :=
  | covers_by s1 s2 s4 s5 s6 s7 element place inView start clause gd i :
    assumeElement es s = Some (element, s1) ->
    introduceConstants launch_ constants (writeFacts wr) s1 = Some (tt, s2) ->
    length (tileExtents (places (through wr))) =
      length (extents_ (seen (through wr))) ->
    length (indices (through wr)) = length (extents_ (seen (through wr))) ->
    length (origin (seen (through wr))) = length es ->
    length inView = length (extents_ (seen (through wr))) ->
    Forall (below_ until) (indices (through wr)) ->
    siteBelow until es (through wr) = true ->
    found start = found i0 -> unknowns_ start = unknowns_ i0 ->
    witnessOfStore (through wr) clause (symbolVars h) gd (idVars h ++ trips wr)
      start element s2 = Some ((i, place), s4) ->
    forEach (named i) (idVars h ++ trips wr) s4 = Some (tt, s5) ->
    replayFacts constants true (rev more) s5 = Some (tt, s6) ->
    clausePlace clause i (steps (through wr)) element place s6
      = Some (inView, s7) ->
    landing (through wr) element inView s7 = Some (tt, s') ->
    covers_ s s'.

Lemma since_launch : sinceLaunch launch_ (writeFacts wr) = rev more.
Proof.
  unfold sinceLaunch. rewrite factsW, rev_app_distr, <- rev_length.
  now rewrite skipn_app, skipn_all, Nat.sub_diag.
Qed.

Lemma cover_inv clause s s' :
  coverOne h launch_ from until es clause wr s = Some (tt, s') ->
  covers_ s s'.
Proof.
  unfold coverOne. cbv zeta. intro H. step H elt s1 H1.
  fold constants in H. step H u2 s2 H2. destruct u2.
  step H u s0 H3. unfold check in H3.
  destruct (_ && _) eqn:L; [|discriminate]. injection H3 as _ <-.
  apply andb_true_iff in L as [L Sb]. apply andb_true_iff in L as [L L4].
  apply andb_true_iff in L as [L L3]. apply andb_true_iff in L as [L1 L2].
  apply Nat.eqb_eq in L1, L2, L3.
  assert (Bi : Forall (below_ until) (indices (through wr))).
  { apply Forall_forall. intros p P. apply polyBelow_spec.
    rewrite forallb_forall in L4. now apply L4. }
  step H ii s4 H5. destruct ii as [i place].
  step H u4 s5 H7. destruct u4. step H u5 s6 H8. destruct u5.
  step H inView s7 H9. step H u6 s0 H6. unfold check in H6.
  destruct (Nat.eqb _ _) eqn:L5 in H6; [|discriminate]. injection H6 as _ <-.
  apply Nat.eqb_eq in L5. rewrite since_launch in H8.
  refine (covers_by s s' _ _ _ _ _ _ _ _ _ _ _ _ _ H1 H2 L1 L2 L3 L5 Bi Sb
            _ _ H5 H7 H8 H9 H); reflexivity.
Qed.

Lemma launch_sourced s : grows sB s -> facts s = launch_ ->
  Forall (fun f => boundFact (next s) (claims f)) launch_ /\
  Forall (sourced (defined s)) launch_.
Proof.
  intros G F. rewrite <- factsA. destruct orderA as [OF OD OS].
  assert (Ga : grows sA s) by eauto using grows_trans. split.
  - eapply Forall_impl; [|exact OF]. intros f. apply boundFact_le, Ga.
  - destruct (growsDefined _ _ Ga) as [ds [E _]]. rewrite E.
    eapply Forall_impl; [|exact OS]. intros f. apply sourced_more.
Qed.

(* The scopes of the steps, whatever certificates say. *)
Lemma covers_scopes s s1 s2 s4 element start clause gd i :
  assumeElement es s = Some (element, s1) ->
  introduceConstants launch_ constants (writeFacts wr) s1 = Some (tt, s2) ->
  witnessOfStore (through wr) clause (symbolVars h) gd (idVars h ++ trips wr)
    start element s2 = Some (i, s4) -> orderly s -> grows sB s ->
  leads s s1 /\ leads s1 s2 /\ leads s2 s4.
Proof.
  intros H1 H2 H4 O G.
  destruct (assumeElement_means _ _ _ _ H1 O)
    as [vs [_ [_ [_ [_ [_ [O1 [G1 _]]]]]]]].
  assert (T : tamed sB (introduceConstants launch_ constants (writeFacts wr))).
  { (* Of no values in particular. *)
    unfold introduceConstants.
    assert (I : forall f, In f (sinceLaunch launch_ (writeFacts wr)) ->
              sourced (defined sB) f).
    { intros f F. rewrite Forall_forall in sourcedW. apply sourcedW.
      rewrite since_launch in F. apply in_rev in F. rewrite factsW.
      apply in_or_app. now left. }
    revert I. generalize (sinceLaunch launch_ (writeFacts wr)) as fs.
    induction fs as [|f fs IH]; intro I; simpl;
      [apply tame_tamed, tame_ret|].
    apply tamed_then.
    - apply (constantStep_tamed sB constants f). apply I. now left.
    - intro. apply IH. intros g F. apply I. now right. }
  destruct (T _ _ _ H2 O1) as [O2 G2]; [eauto using grows_trans|].
  destruct (witnessOfStore_tame _ _ _ _ _ _ _ _ _ _ H4 O2) as [O4 G4].
  unfold leads. auto 8.
Qed.

Lemma box_eval (e : values) vs : agrees from e0 e ->
  inBox (map (eval e0) es) (map e vs) ->
  inBox (map (eval e) es) (map (eval e) (map variable vs)).
Proof.
  intros A B. rewrite <- (map_agrees from e0 e es A extentsA), map_map.
  now rewrite (map_ext (fun v => eval e (variable v)) e
                 (variable_eval e)).
Qed.
Lemma landing_emits (e : values) element inView s u s' :
  landing (through wr) element inView s = Some (u, s') ->
  grows s s' /\ next s' = next s /\ defined s' = defined s.
Proof.
  intro H.
  enough (K : exists P, promises e (landing (through wr) element inView) P).
  { destruct K as [P K]. destruct (K _ _ _ H) as [[G N D _] _]. auto. }
  unfold landing, inViewEmitted. destruct (steps (through wr)).
  - eexists. apply promises_forEach. apply inTileEmitted_promises.
  - eexists. apply promises_then.
    + apply (promises_forEach _ _ (fun a =>
        0 <= eval e (sub (fst a) (snd a)) /\
        0 <= eval e (neg (sub (fst a) (snd a))))).
      intro a. apply promises_then; apply promises_emit.
    + apply (promises_forEach _ _ (fun a =>
        within_ e (eval e (fst (snd a))) (snd (snd a)) /\
        0 <= eval e (sub (plus (fst a) (-1)) (fst (snd a))))).
      intro a. apply promises_then; [apply inTileEmitted_promises|].
      apply promises_emit.
Qed.

(* At the store. *)
Lemma replayed_bounded s4 s5 s6 i u u' : orderly s4 ->
  forEach (named i) (idVars h ++ trips wr) s4 = Some (u, s5) ->
  replayFacts constants true (rev more) s5 = Some (u', s6) -> bounded s6.
Proof.
  intros O H5 H6.
  assert (B5 : bounded s5).
  { refine (keeps_forEach _ _ _ _ _ _ H5 (orderly_bounded _ O)).
    apply keeps_named. }
  exact (keeps_replay _ _ _ _ _ _ H6 B5).
Qed.

Lemma covers_grows s s' : covers_ s s' -> orderly s -> grows sB s ->
  grows s s' /\ Forall (boundDefinition (next s')) (defined s').
Proof.
  intros [s1 s2 s4 s5 s6 s7 element place inView start clause gd i H1 H2 _ _ _ _
    _ _ F U H4 H5 H6 H7 H8] O G.
  destruct (covers_scopes _ _ _ _ _ _ _ _ _ H1 H2 H4 O G)
    as [[_ G1] [[_ G2] [O4 G4]]].
  destruct (named_grows _ _ _ _ _ H5) as [G5 [N5 D5]].
  destruct (replay_emits e0 _ _ _ _ _ _ H6) as [G6 [N6 [D6 _]]].
  pose proof (replayed_bounded _ _ _ _ _ _ O4 H5 H6) as B6.
  destruct (clausePlace_extends _ _ _ _ _ _ _ _ H7 B6) as [[_ B7] [G7 _]].
  destruct (landing_emits e0 _ _ _ _ _ H8) as [G8 [N8 D8]]. split.
  - eauto 10 using grows_trans.
  - now rewrite D8, N8.
Qed.

(* There are block ids and trips such that, in every run, all that is demanded
   on the way to the store holds and the element lies in the tile. *)
Theorem covers_meets s s' : covers_ s s' -> orderly s -> facts s = launch_ ->
  grows sB s -> Forall discharged (vcs s') ->
  exists wit : Poly.var -> Z, forall e1, agrees from e0 e1 ->
    (forall v, In v (idVars h ++ trips wr) -> e1 v = wit v) ->
    Forall (canonical e1) (defined sB) ->
    meets launch_ (writeFacts wr) e1 /\
    (Forall (fun f => holds e1 (claims f)) (writeFacts wr) ->
     lands e1 (map (eval e0) es) (through wr) x).
Proof.
  intros [s1 s2 s4 s5 s6 s7 element place inView start clause gd i H1 H2 L1 L2 L3
    L4 Bx Sb Fs Us H4 H5 H6 H7 H8] O Fl G P.
  destruct (covers_scopes _ _ _ _ _ _ _ _ _ H1 H2 H4 O G)
    as [[O1 G1] [[O2 G2] [O4 G4]]].
  destruct (assumeElement_means _ _ _ _ H1 O)
    as [vs [-> [Lv [Nd [Fv [D1 [_ [_ M1]]]]]]]].
  assert (Gb1 : grows sB s1) by eauto using grows_trans.
  assert (Gb2 : grows sB s2) by eauto using grows_trans.
  assert (Gb4 : grows sB s4) by eauto using grows_trans.
  assert (Ga4 : grows sA s4) by eauto using grows_trans.
  assert (Lx : length x = length es).
  { rewrite (box_length _ _ inside_). apply map_length. }
  pose proof (growsNext _ _ growsB) as LAB.
  pose proof (growsNext _ _ G) as LBs.
  (* The values with which the witness is computed. *)
  set (e00 := update e0 vs x).
  assert (A00 : agrees from e0 e00).
  { intros v V. symmetry. apply update_other. intro X.
    rewrite Forall_forall in Fv. specialize (Fv v X). simpl in Fv. lia. }
  destruct (grows_complete sA s4 e00 orderA Ga4) as [base [Ab [Cb Kb]]].
  { apply true_agrees with e0; auto. now rewrite nextA. }
  rewrite nextA in Ab.
  assert (A0b : agrees from e0 base)
    by (apply agrees_trans with from e00; auto; lia).
  assert (Eb : map base vs = x).
  { transitivity (map e00 vs).
    - apply map_ext_in. intros v V. apply Kb. intro X.
      rewrite Forall_forall in Fv. specialize (Fv v V). simpl in Fv.
      assert (G14 : grows s1 s4) by eauto using grows_trans.
      destruct (growsDefined _ _ G14) as [ds [E Y]].
      rewrite E, flat_map_app, in_app_iff in X. destruct X as [X|X].
      + pose proof (layered_results _ _ _ _ Y X). lia.
      + rewrite D1 in X. apply in_flat_map in X as [d [D X]].
        destruct O as [_ OD _]. rewrite Forall_forall in OD.
        destruct (OD d D) as [_ R]. rewrite Forall_forall in R.
        specialize (R v X). simpl in R. lia.
    - apply update_results; [exact Nd|congruence]. }
  exists (witness base i). intros e1 A1 W1 C1.
  (* The values of this run, and what coverage introduced. *)
  set (e := fun v => if (v <? until)%positive then e1 v else base v).
  assert (Ae : agrees until e1 e).
  { intros v V. unfold e. now apply Pos.ltb_lt in V as ->. }
  assert (A0e : agrees from e0 e).
  { apply agrees_trans with from e1; [lia|exact A1|].
    apply agrees_le with until; [lia|exact Ae]. }
  assert (Above : forall v, (next sB <= v)%positive -> e v = base v).
  { intros v V. unfold e. destruct (Pos.ltb_spec v until); [lia|reflexivity]. }
  assert (Ce : Forall (canonical e) (defined sB)).
  { apply Forall_forall. intros d D. rewrite Forall_forall in definedB, C1.
    destruct (definedB d D) as [P1 P2].
    apply (canonical_agrees until e1 e d Ae P1 P2). auto. }
  assert (Seen : forall v, found start v = false ->
            PositiveMap.mem v (unknowns_ start) = false -> e v = base v).
  { intros v F U. rewrite Fs in F. rewrite Us in U.
    destruct (Pos.ltb_spec v from) as [Lt|Ge].
    { rewrite <- (A0e v Lt). now apply A0b. }
    destruct (Pos.ltb_spec v until) as [Lt|Ge']; [|apply Above; lia].
    apply (constants_agree from (defined sB) (rev (writeFacts wr))).
    - rewrite Forall_forall in *. intros f X. apply in_rev in X. auto.
    - exact Ce.
    - eapply grows_canonical; eauto.
    - apply agrees_trans with from e0; [lia|now apply agrees_sym|exact A0b].
    - fold constants. unfold i0, startInversion in F, U. cbn in F, U.
      rewrite U in F. apply Pos.leb_le in Ge. apply Pos.ltb_lt in Lt.
      rewrite Ge, Lt in F. cbn in F.
      now destruct (PositiveMap.mem v constants). }
  assert (Ev : map e vs = x).
  { rewrite <- Eb. apply map_ext_in. intros v V. apply Above.
    rewrite Forall_forall in Fv. specialize (Fv v V). simpl in Fv. lia. }
  (* What holds, step by step. *)
  destruct (named_grows _ _ _ _ _ H5) as [G5 [N5 D5]].
  destruct (replay_emits e _ _ _ _ _ _ H6) as [G6 [N6 [D6 K6]]].
  pose proof (replayed_bounded _ _ _ _ _ _ O4 H5 H6) as B6.
  destruct (clausePlace_extends _ _ _ _ _ _ _ _ H7 B6) as [_ [G7 V7]].
  destruct (landing_emits e _ _ _ _ _ H8) as [G8 [N8 D8]].
  assert (P7 : Forall discharged (vcs s7)) by now apply (grows_discharged s7 s').
  assert (Upto : (until <= next s6)%positive).
  { rewrite N6, N5, <- nextB. now apply growsNext. }
  assert (K7 : Forall (fun f => holds e (claims f)) (facts s6) ->
    lands e1 (map (eval e0) es) (through wr) x).
  { intro F6. destruct (V7 e P7 F6) as [e7 [A7 F7]].
    assert (A17 : agrees until e1 e7).
    { apply agrees_trans with until e; [lia|exact Ae|].
      now apply agrees_le with (next s6). }
    assert (A07 : agrees from e0 e7).
    { apply agrees_trans with from e1; [lia|exact A1|].
      apply agrees_le with until; [lia|exact A17]. }
    assert (Ev7 : map e7 vs = x).
    { rewrite <- Ev. symmetry. apply map_ext_in. intros v V. apply A7.
      rewrite Forall_forall in Fv. specialize (Fv v V). simpl in Fv.
      pose proof (growsNext _ _ G2). pose proof (growsNext _ _ G4). lia. }
    apply (lands_agrees until e1 e7 _ _ _ A17 (siteBelow_view _ _ _ Sb) Bx).
    assert (Bo : inBox (map (eval e0) es) (map e7 vs)) by now rewrite Ev7.
    rewrite (map_agrees from e0 e7 es A07 extentsA).
    replace x with (map (eval e7) (map variable vs)).
    - refine (proj2 (landing_lands e7 until es (through wr) (map variable vs)
        inView Sb L1 L2 L4 L3 _ (box_eval e7 vs A07 Bo) _ _ _ H8) P F7).
      now rewrite map_length.
    - rewrite <- Ev7, map_map. apply map_ext. intro v. apply variable_eval. }
  assert (P6 : Forall discharged (vcs s6)) by now apply (grows_discharged s6 s7).
  assert (P5 : Forall discharged (vcs s5)) by now apply (grows_discharged s5 s6).
  assert (P4 : Forall discharged (vcs s4)) by now apply (grows_discharged s4 s5).
  assert (P2 : Forall discharged (vcs s2)) by now apply (grows_discharged s2 s4).
  assert (C2 : Forall (canonical base) (defined s2)).
  { eapply grows_canonical; eauto. }
  assert (T0 : Forall (meant e) (facts s)).
  { rewrite Fl, <- factsA. destruct orderA as [OF OD OS].
    destruct trueA as [TF TD]. rewrite Forall_forall in *. intros f X. split.
    - eapply agrees_holds; [exact A0e|rewrite <- nextA; auto|auto].
    - specialize (OS f X). unfold sourced in OS.
      destruct (reason_ f) as [|d part|]; auto. destruct OS as [OS _].
      destruct (OD d OS) as [Ba Br]. rewrite nextA in Ba, Br.
      apply (canonical_agrees from e0 e d A0e Ba Br). auto. }
  assert (T1 : Forall (meant e) (facts s1)).
  { apply M1; [|exact T0]. apply (box_means e0 e from es A0e extentsA vs).
    pose proof inside_ as Ix. rewrite <- Ev in Ix. exact Ix. }
  assert (T2 : Forall (meant e) (facts s2)).
  { apply (introduceConstants_simulated sB e base Ce launch_ constants
             (writeFacts wr) sourcedW) in H2; auto. now destruct H2. }
  assert (Same_ : Forall (fun p => eval e p = eval base p) (map variable vs)).
  { apply Forall_forall. intros p I. apply in_map_iff in I as [v [<- V]].
    rewrite !variable_eval. apply Above.
    rewrite Forall_forall in Fv. specialize (Fv v V). simpl in Fv. lia. }
  assert (Seen0 : forall v, found i0 v = false ->
            PositiveMap.mem v (unknowns_ i0) = false -> e v = base v).
  { rewrite <- Fs, <- Us. exact Seen. }
  assert (Blind : blind i0 start).
  { split; [exact Fs|]. now rewrite Us. }
  destruct (witnessOfStore_blind sB e base Above i0 Seen0 (through wr)
    clause (symbolVars h) gd (idVars h ++ trips wr) start (map variable vs) Blind
    Same_ s2 (i, place) s4 H4 O2 Gb2 T2 Cb P4) as [T4 Bi]. simpl fst in Bi.
  assert (F5 : Forall (fun f => holds e (claims f)) (facts s5)).
  { apply (named_holds e base i0 Seen0 i Bi _ _ _ _ H5).
    - intros v V. rewrite <- W1 by exact V. symmetry. apply Ae.
      rewrite Forall_forall in idsB, tripsW.
      apply in_app_iff in V as [V|V]; auto.
    - now apply meant_holds. }
  destruct (K6 P6 F5) as [Dem All].
  assert (Same : forall f, In f (writeFacts wr) ->
            (holds e1 (claims f) <-> holds e (claims f))).
  { intros f I. rewrite Forall_forall in boundW. specialize (boundW f I). split.
    - now apply agrees_holds with until.
    - now apply agrees_holds with until; [apply agrees_sym|]. }
  split.
  - intros after f past mid E Em Dm Hp. subst past.
    assert (Em : more = after ++ f :: mid).
    { rewrite factsW in E. apply (app_inv_tail launch_).
      now rewrite E, <- app_assoc. }
    assert (If : In f (writeFacts wr)).
    { rewrite E. apply in_or_app. right. now left. }
    apply Same; [exact If|]. apply (Dem (rev mid) f (rev after)); auto.
    + rewrite Em, rev_app_distr. simpl. now rewrite <- app_assoc.
    + apply Forall_rev. apply Forall_app in Hp as [Hm _].
      rewrite Forall_forall in *. intros g Ig. apply Same; [|auto].
      rewrite E. apply in_or_app. right. right. apply in_or_app. now left.
  - intro Hw.
    assert (F6 : Forall (fun f => holds e (claims f)) (facts s6)).
    { apply All. apply Forall_rev. rewrite Forall_forall in *. intros g Ig.
      assert (Iw : In g (writeFacts wr)).
      { rewrite factsW. apply in_or_app. now left. }
      apply Same; auto. }
    now apply K7.
Qed.

End CoverSound.
