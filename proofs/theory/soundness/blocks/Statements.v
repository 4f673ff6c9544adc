(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Statements without a region: where all conditions emitted by the walk over
   one are discharged, its run gets stuck nowhere and takes only what its claim
   permits. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export ViewWalk LoadedElements.
Import ListNotations.
Open Scope Z_scope.

Ltac evals :=
  repeat progress
    rewrite ?plus_eval, ?sub_eval, ?mul_eval, ?add_eval, ?constant_eval,
      ?variable_eval in *.

(* Values of these types. *)
Definition typed (w : Z) (t : type) (xs : list Z) : Prop :=
  length xs = laneCount t /\ Forall (laneOk w (lanes t)) xs.

Lemma entries_typed w e : forall es xss ts,
  Forall2 (entryMeans w e) es xss -> typesOf es = Some ts ->
  Forall2 (typed w) ts xss.
Proof.
  unfold typesOf.
  induction es as [|x es IH]; intros xss ts M T; inversion M; subst.
  - injection T as <-. constructor.
  - simpl in T. destruct x as [t m| |]; try discriminate.
    destruct (all _ es) as [ts'|] eqn:E; [|discriminate].
    injection T as <-. constructor; [|now apply IH].
    destruct H1 as [_ [L [F _]]]. now split.
Qed.

Lemma eqTypes_sound : forall a b, eqTypes a b = true -> a = b.
Proof.
  induction a as [|x a IH]; intros [|y b] H; try discriminate; [reflexivity|].
  apply andb_true_iff in H as [E H]. apply eqType_sound in E.
  now rewrite E, (IH b H).
Qed.

Lemma unknown_bound h t s x s' : unknown h t s = Some (x, s') ->
  boundEntry (next s') x /\ (next s <= next s')%positive.
Proof.
  unfold unknown. intro H. steps. destruct (isInteger t); steps; simpl.
  - apply assume_inv in H1 as [_ ->]. apply assume_inv in H2 as [_ ->].
    injection H0 as <- <-. simpl. split; [|lia]. apply variable_below. lia.
  - split; [exact I|lia].
Qed.

Lemma unknowns_true w h : bits h = w -> 8 <= w <= 64 ->
  forall ts s es s' e xss,
  mapEach (unknown h) ts s = Some (es, s') -> orderly s -> true_ s e ->
  Forall2 (typed w) ts xss ->
  exists e', agrees (next s) e e' /\ true_ s' e' /\
    Forall2 (entryMeans w e') es xss /\ Forall (boundEntry (next s')) es.
Proof.
  intros W Wi. induction ts as [|t ts IH]; intros s es s' e xss H O T X;
    inversion X as [|? xs ? xss' X1 X2]; subst; simpl in H.
  - steps. exists e. conj; auto using agrees_refl.
  - steps. destruct X1 as [L F].
    destruct (unknown_gives (bits h) h t s _ _ e xs H0 eq_refl Wi O T L F)
      as [xs' [mm [e1 [-> [E [A1 [T1 [M1 B1]]]]]]]]. injection E as <-.
    destruct (unknown_tame h t _ _ _ H0 O) as [O1 G1].
    destruct (IH _ _ _ _ _ H1 O1 T1 X2) as [e2 [A2 [T2 [M2 B2]]]].
    destruct (mapEach_unknown_tame h ts _ _ _ H1 O1) as [_ G2].
    exists e2. conj; auto.
    + eapply agrees_trans; [|exact A1|exact A2]. apply G1.
    + constructor; [|exact M2]. now apply means_agrees with (next s0) e1.
    + constructor; [|exact B2]. simpl.
      apply (boundEntry_le (next s0) (next s') (Val t mm)); [apply G2|exact B1].
Qed.

(* The trips of a loop. *)
Definition iterate (m : machine) (k : kernel) (l : launch) (ids : list Z)
  (counts : element) (counter : Syntax.var) (carried : list Syntax.var)
  (body : region) (e : Sem.env) (step : Z) :=
  fix trips (n : nat) (i : Z) (xs : list (list Z)) : run (list (list Z)) :=
    match n with
    | O => Done (Ok xs)
    | S n' =>
        go e' <- Done (setAll (set_ e counter [i]) carried xs);
        go ys <- execRegion m k l ids body e';
        if fitsb (widthOf (width m) counts) (i + step)
        then trips n' (i + step) ys
        else Done (Stuck LoopWidth)
    end.

Lemma exec_for m k l ids results counts lower upper by_ counter carried initial
  body e :
  execStatement m k l ids
    (For results counts lower upper by_ counter carried initial body) e =
  (go lower <- Done (scalar e lower);
   go upper <- Done (scalar e upper);
   go step <- Done (scalar e by_);
   if step <? 1 then Done (Stuck LoopStep) else
   go xs <- Done (collect (get e) initial);
   go ys <- iterate m k l ids counts counter carried body e step
              (Z.to_nat (ceildiv (upper - lower) step)) lower xs;
   Done (setAll e results ys)).
Proof. reflexivity. Qed.

Section Statements.

Context (w : Z) (k : kernel) (h : header) (l : launch) (m : machine)
  (given : initial_) (ids : list Z) (e0 : values) (from : Poly.var)
  (final : scope).
Context (keepsIt : keepsGivens k l given = true).
Context (isWidth_ : width m = w) (inGrid : inBox (gridOf l) ids)
  (dischargedAll : Forall discharged (vcs final)).

Notation take :=
  (permitted l h given ids from e0 (sites final) (defined final)).

(* Where walk and run stand. *)
Record at_step (s : scope) (e : values) (n : names) (env : Sem.env)
  (d : elements_) : Prop := At
  { atOrder : orderly s;
    atTrue : true_ s e;
    atLaunch : launched w k h l e;
    atIds : map e (idVars h) = ids;
    atFrom : agrees from e0 e;
    atBehind : (from <= next s)%positive;
    atHeader : boundHeader (next s) h;
    atNames : boundNames (next s) n;
    atValues : describes w l e n env d;
    atLooks : recalls k l given (next s) e (looks s) }.

Lemma map_vars n e e' vs : agrees n e e' ->
  Forall (fun v => v < n)%positive vs -> map e vs = map e' vs.
Proof.
  intros A F. apply map_ext_in. intros v I. apply A.
  rewrite Forall_forall in F. now apply F.
Qed.

Lemma at_onward s s' e e' n env d : at_step s e n env d -> grows s s' ->
  orderly s' -> true_ s' e' -> agrees (next s) e e' ->
  recalls k l given (next s') e' (looks s') -> at_step s' e' n env d.
Proof.
  intros [O T L Id Fr Be H N V Lo] G O' T' A R.
  pose proof (growsNext _ _ G) as Le. split; auto.
  - now apply launched_agrees with (next s) e.
  - rewrite <- Id. symmetry. apply map_vars with (next s); [exact A|apply H].
  - apply agrees_trans with (next s) e; auto.
  - lia.
  - now apply boundHeader_le with (next s).
  - now apply boundNames_le with (next s).
  - now apply describes_agrees with (next s) e.
Qed.
Lemma at_later s s' e e' n env d : at_step s e n env d -> grows s s' ->
  orderly s' -> true_ s' e' -> agrees (next s) e e' -> looks s' = looks s ->
  at_step s' e' n env d.
Proof.
  intros At_ G O' T' A E. apply (at_onward s s' e e' n env d); auto. rewrite E.
  apply recalls_later with (next s) e; [apply G|exact A|apply At_].
Qed.
Lemma at_more s e n env d d' : sub_ d d' -> at_step s e n env d ->
  at_step s e n env d'.
Proof.
  intros U [O T L Id Fr Be H N V R]. split; auto.
  now apply describes_sub with d.
Qed.

Lemma discharged_before s : grows s final -> Forall discharged (vcs s).
Proof. intro G. now apply grows_discharged with final. Qed.

(* Tiles that exist. *)

Lemma bounds_true r p : forall es is_ s u s' e,
  bounds r es p is_ s = Some (u, s') -> orderly s -> true_ s e ->
  Forall discharged (vcs s') -> length es = length (tile p) ->
  length is_ = length (tile p) -> Forall (Z.le 1) (tileExtents p) ->
  tileExists (map (eval e) es) (tileExtents p) (map (eval e) is_) = true /\
  true_ s' e /\ next s' = next s.
Proof.
  unfold bounds. rewrite <- tileExtents_length. generalize (tileExtents p).
  intros ts es. revert ts.
  induction es as [|x es IH]; intros [|t ts] [|i is_] s u s' e H O T P Le Li F;
    try discriminate; cbn [combine forEach] in H.
  - steps. auto.
  - steps. injection Le as Le. injection Li as Li.
    inversion F as [|? ? F1 F2]. subst.
    assert (Ta : tame (forEach (fun a => let '(e, (t, i)) := a in
        let* _ := emit r i true in
        emit r (sub (plus e (-1)) (mul i (constant t))) true)
        (combine es (combine ts is_)))).
    { apply tame_forEach. intros [x' [t' i']]. auto with tame. }
    cbv beta iota in H0. steps. tamely. emitted.
    evals.
    edestruct (IH ts is_) as [Ex [T' N']]; [exact H|..]; eauto.
    conj; auto; [|congruence]. cbn [map tileExists]. rewrite Ex.
    assert (eval e i < ceildiv (eval e x) t) by (apply ceildiv_lt; lia). lia.
Qed.

Lemma whole_true q p : forall es is_ s u s' e,
  whole q es p is_ s = Some (u, s') -> orderly s -> true_ s e ->
  Forall discharged (vcs s') -> length es = length (tile p) ->
  length is_ = length (tile p) -> Forall (Z.le 1) (tileExtents p) ->
  tileExists (map (eval e) es) (tileExtents p) (map (eval e) is_) = true ->
  true_ s' e /\ next s' = next s /\
  (q = None ->
   forallb (inside (map (eval e) es))
     (tileLanes (tileExtents p) (map (eval e) is_)) = true).
Proof.
  intros es is_ s u s' e H O T P Le Li F Ex.
  destruct q as [q|]; cbn [whole] in H.
  { steps. conj; auto. discriminate. }
  assert (R : true_ s' e /\ next s' = next s /\
    Forall2 (fun e ti => 0 <= snd ti * fst ti /\ snd ti * fst ti + fst ti <= e)
      (map (eval e) es) (combine (tileExtents p) (map (eval e) is_))).
  { clear - H O T P Le Li F Ex. revert H Le Li F Ex.
    rewrite <- tileExtents_length. generalize (tileExtents p). intros ts.
    revert ts is_ s u O T.
    induction es as [|x es IH]; intros [|t ts] [|i is_] s u O T H Le Li F Ex;
      try discriminate; cbn [combine forEach] in H.
    - steps. conj; auto. constructor.
    - steps. injection Le as Le. injection Li as Li.
      inversion F as [|? ? F1 F2]. subst. cbn [map tileExists] in Ex.
      apply andb_true_iff in Ex as [Ex Ex'].
      apply andb_true_iff in Ex as [E1 E2].
      assert (Ta : tame (forEach (fun a => let '(e, (t, i)) := a in
          if 1 <? t then
            emit LoadPad (plus (sub e (mul i (constant t))) (- t)) true
          else ret tt) (combine es (combine ts is_)))).
      { apply tame_forEach. intros [x' [t' i']].
        destruct (1 <? t'); auto with tame. }
      cbv beta iota in H0. cbn [map combine].
      destruct (Z.ltb_spec 1 t).
      + tamely. emitted. evals.
        edestruct (IH ts is_ s0) as [T' [N' R]]; eauto.
        conj; auto; [congruence|]. constructor; [|exact R]. simpl. nia.
      + steps. edestruct (IH ts is_ s) as [T' [N' R]]; eauto.
        conj; auto. constructor; [|exact R]. simpl.
        assert (t = 1) by lia. subst t.
        apply Z.ltb_lt, (ceildiv_lt _ _ 1) in E2; lia. }
  destruct R as [T' [N R]]. conj; auto. intros _.
  apply tile_whole; auto; rewrite map_length; assumption.
Qed.

Lemma tileIndex_ok env p v index is_ use broken es t e :
  viewAt l env (of p) = Ok (evalView e v) ->
  collect (scalar env) index = Ok (map (eval e) is_) ->
  extentsOf l (root v) = Some es -> tensorOf k (root v) = Some t ->
  use t = true -> length is_ = length (extents_ v) ->
  tileExists (map (eval e) (extents_ v)) (tileExtents p) (map (eval e) is_) =
    true ->
  tileIndex k l env p index use broken =
    Ok (evalView e v, map (eval e) is_).
Proof.
  intros V C E T S L Ex. unfold tileIndex, extentsAndType.
  rewrite V, C. cbn [orElse bind]. change (root (evalView e v)) with (root v).
  rewrite E, T. cbn [orElse bind].
  change (extents_ (evalView e v)) with (map (eval e) (extents_ v)).
  rewrite !map_length, L, Nat.eqb_refl, S.
  cbn [andb]. now rewrite Ex.
Qed.

(* An entry that an op or a load gives, bound to its name. *)
Lemma gives_step s s' e n env d r t x o : at_step s e n env d ->
  grows s s' -> orderly s' -> gives w s s' e t x o -> looks s' = looks s ->
  exists xs e', o = Ok xs /\ agrees (next s) e e' /\
    at_step s' e' (bindName n r x) (set_ env r xs) d.
Proof.
  intros A G O' [xs [mm [e' [-> [-> [Ag [T' [M B]]]]]]]] Lk.
  exists xs, e'. conj; auto.
  destruct (at_later s s' e e' n env d A G O' T' Ag Lk) as
    [O1 T1 L1 I1 F1 Be1 H1 N1 V1 R1].
  split; auto.
  - now apply bindName_bound.
  - now apply describes_value.
Qed.

(* Takes apart the partition that was looked up. *)
Ltac parts v way t :=
  match goal with
  | H : partitionPolys _ _ _ _ = Some (?a, _) |- _ =>
      destruct a as [[v way] t]; cbv beta iota in *; rename H into Part
  end.
Ltac roots es t :=
  match goal with
  | H : rootPolys _ _ _ _ = Some (?a, _) |- _ =>
      destruct a as [es t]; cbv beta iota in *; rename H into Part
  end.

(* Claims. *)

Lemma site_permitted s st e n env d extents a : at_step s e n env d ->
  grows (Scope (next s) (facts s) (defined s) (vcs s) (st :: sites s)
           (writes s)) final ->
  siteFacts st = facts s -> boundView (next s) (seen st) ->
  Forall (below_ (next s)) (indices st) ->
  extentsOf l (root (seen st)) = Some extents ->
  In (a, true) (tileOf extents (evalView e (seen st)) (places st)
                  (map (eval e) (indices st))) ->
  take (root (seen st)) a.
Proof.
  intros [O T L Id Fr Be H N V R] G Sf Bv B E I.
  set (s1 := Scope (next s) (facts s) (defined s) (vcs s) (st :: sites s)
               (writes s)) in *.
  assert (O1 : orderly s1) by (destruct O; now split).
  assert (T1 : true_ s1 e) by (destruct T; now split).
  destruct (grows_complete s1 final e O1 G T1) as [e' [A [C _]]].
  exists st, e', extents. conj; auto.
  - destruct (growsSites _ _ G) as [ss ->]. apply in_or_app. right. now left.
  - unfold inSite. now rewrite <- (map_agrees (next s) e e' _ A B),
      <- (view_agrees (next s) e e' _ A Bv).
  - apply agrees_trans with (next s) e; auto.
  - rewrite <- Id. symmetry. apply map_vars with (next s); [exact A|apply H].
  - rewrite Sf. destruct (true_agrees s e e' O A T) as [F _]. exact F.
  - rewrite Sf, (isKernel _ _ _ _ _ L).
    apply (recalls_later _ _ _ _ (next s) _ e') in R; [|lia|exact A].
    eapply Forall_impl; [|exact R]. now intros u [_ Lu].
Qed.

Lemma numbers_bound b n t : boundNames b n -> forall vs s ps s',
  mapEach (numberOf n t) vs s = Some (ps, s') -> Forall (below_ b) ps.
Proof.
  intro B. induction vs as [|v vs IH]; intros s ps s' H; simpl in H; steps;
    constructor.
  - now apply (numberOf_bound _ _ _ _ _ _ _ B) in H0.
  - eapply IH; eauto.
Qed.

Lemma addSite_inv st s u s' : addSite st s = Some (u, s') ->
  s' = Scope (next s) (facts s) (defined s) (vcs s) (st :: sites s)
         (writes s).
Proof. intro H. now injection H as _ <-. Qed.

Definition goodEnv (s s' : scope) (e : values) (n' : names) (d : elements_)
  (d' : elements_) (env' : Sem.env) : Prop :=
  sub_ d d' /\ exists e', agrees (next s) e e' /\ at_step s' e' n' env' d'.
Definition goodValues (s s' : scope) (e : values) (es : list entry)
  (d d' : elements_) (xss : list (list Z)) : Prop :=
  sub_ d d' /\ exists e', agrees (next s) e e' /\ orderly s' /\ true_ s' e' /\
    Forall2 (entryMeans w e') es xss /\ Forall (boundEntry (next s')) es.

Lemma view_sound n r b st s n' s' e env d :
  (let* x := walkView h n b st in ret (bindName n r x)) s = Some (n', s') ->
  at_step s e n env d -> grows s' final ->
  sound k given take (goodEnv s s' e n' d) d
    (execStatement m k l ids (View r b st) env).
Proof.
  intros H A G. pose proof A as [O T L Id Fr Be Hh N V Lo]. steps.
  match goal with H : walkView _ _ _ _ _ = _ |- _ => rename H into Hv end.
  destruct (walkView_tame h n b st _ _ _ Hv O) as [O' Gs].
  destruct (walkView_true w k h l m isWidth_ n env d e L V b st _ _ _ Hv)
    as [v [way [v0 [st0 [-> [T' [Nx [V0 [S0 [Vi [Fi [Bv Is]]]]]]]]]]]].
  { now unfold sees. }
  { now apply discharged_before. }
  cbn [execStatement]. apply sound_done. exists v0. split; [exact V0|].
  apply sound_done. exists st0. split; [exact S0|].
  apply sound_done. exists (evalView e v). split; [exact Vi|].
  apply sound_ok. split; [apply sub_refl|]. exists e.
  split; [apply agrees_refl|].
  pose proof (at_later s s' e e n env d A Gs O' T' (agrees_refl _ _)
    (keep_walkView (part := looks) h n b st _ _ _ Hv))
    as [_ _ L1 I1 F1 Be1 H1 N1 V1 R1].
  split; auto.
  - apply bindName_bound; [exact N1|]. simpl. now rewrite Nx.
  - now apply describes_view.
Qed.

Lemma claim_sound n r p index s n' s' e env d :
  (let* st := claim h n p index in ret (bindName n r (Cap st))) s =
    Some (n', s') ->
  at_step s e n env d -> grows s' final ->
  sound k given take (goodEnv s s' e n' d) d
    (execStatement m k l ids (Claim r p index) env).
Proof.
  intros H A G. pose proof A as [O T L Id Fr Be Hh N V Lo].
  pose proof (isWide _ _ _ _ _ L) as Wi.
  assert (Ta : tame (let* st := claim h n p index in ret (bindName n r (Cap
    st))))
    by (apply tame_then; auto using claim_tame with tame).
  destruct (Ta _ _ _ H O) as [O' Gs]. clear Ta.
  unfold claim in H. steps. parts v way t. steps.
  destruct (partition_inv w k h l n env d p _ _ _ _ _ e L V Wi Hh N Part)
    as [-> [Va [Fi [Bv [es [Tn [Es [Ex [Le [Pos La]]]]]]]]]].
  match goal with M : mapEach (numberOf n Index) _ _ = Some _ |- _ =>
    rename M into Hi end.
  destruct (numbersOf_inv w l e n env d V Index index _ _ _ Hi)
    as [-> [Co Li]].
  match goal with E : Nat.eqb _ _ = true |- _ => apply Nat.eqb_eq in E;
    rename E into Len end.
  match goal with E : isOwned t = true |- _ => rename E into Sh end.
  match goal with B : bounds _ _ _ _ _ = Some (_, ?sb) |- _ =>
    rename B into Hb; rename sb into s1 end.
  match goal with V : visible _ = Some _ |- _ => injection V as <- <- end.
  match goal with V : addSite _ _ = Some _ |- _ => apply addSite_inv in V;
    subst s' end.
  pose proof (numbers_bound _ _ _ N _ _ _ _ Hi) as Bi.
  destruct (bounds_tame _ _ _ _ _ _ _ Hb O) as [O1 G1].
  assert (P1 : Forall discharged (vcs s1)).
  { apply (discharged_before _ G). }
  destruct (bounds_true _ _ _ _ _ _ _ e Hb O T P1 Le ltac:(congruence) Pos)
    as [Exs [T1 N1]].
  pose proof (at_later s s1 e e n env d A G1 O1 T1 (agrees_refl _ _)
    (keep_bounds (part := looks) _ _ _ _ _ _ _ Hb)) as A1.
  cbn [execStatement]. apply sound_done. eexists. split.
  { eapply tileIndex_ok; eauto. }
  apply sound_done. exists (map (eval e) es, t). split.
  { unfold extentsAndType. change (root (evalView e v)) with (root v).
    now rewrite Ex, Tn. }
  cbv beta iota. apply takeAll_sound.
  - intros x I. apply (site_permitted s1 (Site v way p _ (facts s1)) e n env d
      (map (eval e) es)) in I; auto; simpl; now rewrite N1.
  - apply sound_ok. split; [apply sub_refl|]. exists e.
    split; [apply agrees_refl|].
    destruct A1 as [_ _ L1 I1 F1 Be1 H1' N1' V1 R1]. split; auto.
    + destruct T1. now split.
    + apply bindName_bound; [exact N1'|]. simpl. now rewrite N1.
    + apply (describes_piece w l e n env d r (Site v way p _ (facts s1)));
        [simpl; congruence|exact Exs|exact V1].
Qed.

(* An element that is looked up. *)
Lemma lookUp_step n r number t at_ s x s' e env d extents y :
  lookUp h number t at_ s = Some (x, s') -> at_step s e n env d ->
  tensorOf k number = Some t -> extentsOf l number = Some extents ->
  inBox extents (map (eval e) at_) ->
  isInteger (scalarType (elements t)) = true -> isLane (elements t) = true ->
  laneOk w (elements t) y ->
  y = asNumber (elements t) (given number (map (eval e) at_)) ->
  exists e', agrees (next s) e e' /\
    at_step s' e' (bindName n r x) (set_ env r [y]) d.
Proof.
  intros H A Tn Ex In_ Ty La Fy Ey.
  destruct (lookUp_tame h number t at_ _ _ _ H (atOrder _ _ _ _ _ A))
    as [O' Gs].
  destruct (lookUp_true w k h l given keepsIt number t at_ s x s' e extents y H
    (atOrder _ _ _ _ _ A) (atTrue _ _ _ _ _ A) (atLaunch _ _ _ _ _ A)
    (atHeader _ _ _ _ _ A) (atLooks _ _ _ _ _ A) Tn Ex In_ Ty La Fy Ey)
    as (mm & e' & -> & Ag & T' & M & B & R).
  exists e'. split; [exact Ag|].
  destruct (at_onward s s' e e' n env d A Gs O' T' Ag R)
    as [O1 T1 L1 I1 F1 Be1 H1 N1 V1 R1].
  split; auto.
  - now apply bindName_bound.
  - now apply describes_value.
Qed.

(* A tile of a tensor has what is there; beyond the tensor, the padding. *)
Definition readsTile (env : Sem.env) (r : Syntax.var) (src : Syntax.source)
  (q : option pad) (env' : Sem.env) : Prop :=
  match src with
  | Tile (Partition (Argument number) tl) index =>
      let p := Partition (Argument number) tl in
      exists t es is_ xs,
        tensorOf k number = Some t /\ isShared t = true /\
        isLane (elements t) = true /\ extentsOf l number = Some es /\
        collect (scalar env) index = Ok is_ /\ length is_ = length tl /\
        length es = length tl /\ Forall (Z.le 1) (tileExtents p) /\
        tileExists es (tileExtents p) is_ = true /\
        (q = None ->
         forallb (inside es) (tileLanes (tileExtents p) is_) = true) /\
        env' = set_ env r xs /\
        Forall2 (cameFrom w k given number (elements t) (padOf t q))
          (tileOf es (wholeOf number es) p is_) xs
  | _ => True
  end.

Lemma load_step n r src q s n' s' e env d :
  (let* x := walkLoad h n src q in ret (bindName n r x)) s = Some (n', s') ->
  at_step s e n env d -> grows s' final ->
  sound k given take (fun d' env' => goodEnv s s' e n' d d' env' /\
      readsTile env r src q env') d
    (execStatement m k l ids (Load r src q) env).
Proof.
  intros H A G. pose proof A as [O T L Id Fr Be Hh N V Lo].
  pose proof (isWidth _ _ _ _ _ L) as W. pose proof (isWide _ _ _ _ _ L) as Wi.
  assert (Ta : tame (let* x := walkLoad h n src q in ret (bindName n r x)))
    by (apply tame_then; auto using walkLoad_tame with tame).
  destruct (Ta _ _ _ H O) as [O' Gs]. clear Ta. steps.
  pose proof (discharged_before _ G) as P'.
  (* What is known once the tile is known to be there. *)
  assert (Go : forall s1 v p is_ es t, of p = of p ->
    unknown h (tileType p t) s1 = Some (a, s') -> orderly s1 -> true_ s1 e ->
    grows s s1 -> looks s1 = looks s ->
    extentsOf l (root v) = Some (map (eval e) es) ->
    tensorOf k (root v) = Some t ->
    isLane (elements t) = true -> length is_ = length (tile p) ->
    Forall (Z.le 1) (tileExtents p) ->
    (q = None ->
     forallb (inside (map (eval e) (extents_ v)))
       (tileLanes (tileExtents p) (map (eval e) is_)) = true) ->
    (isOut k (root v) = true -> forall x,
       In (x, true) (tileOf (map (eval e) es) (evalView e v) p
                       (map (eval e) is_)) ->
       d (root v) x) ->
    sound k given take (fun d' env' =>
        goodEnv s s' e (bindName n r a) d d' env' /\
        exists xs, env' = set_ env r xs /\
          Forall2 (cameFrom w k given (root v) (elements t) (padOf t q))
            (tileOf (map (eval e) es) (evalView e v) p (map (eval e) is_)) xs) d
      (bindRun (load m k l (evalView e v) p (map (eval e) is_) q)
         (fun x => Done (Ok (set_ env r x))))).
  { intros s1 v p is_ es t _ U O1 T1 G1 Lk Ex Tn La Li Pos Pd Dd.
    eapply sound_bind.
    - eapply (load_sound m k l given _ _ (evalView e v)); eauto.
      now rewrite map_length.
    - intros d' xs _ [-> [Lx [Fx Cx]]]. apply sound_ok. rewrite isWidth_ in *.
      split; [|eauto]. split; [apply sub_refl|].
      pose proof (unknown_gives w h _ _ _ _ e xs U W Wi O1 T1 Lx Fx) as Gv.
      assert (Gv' : gives w s s' e (tileType p t) a (Ok xs)).
      { eapply gives_after; [apply agrees_refl|apply G1|exact Gv]. }
      destruct (gives_step s s' e n env d r _ a _ A Gs O' Gv')
        as [xs' [e' [E [Ag At']]]].
      { now rewrite (keep_unknown (part := looks) _ _ _ _ _ U). }
      injection E as <-. eauto. }
  destruct src as [p index|v]; cbn [walkLoad execStatement] in *; steps.
  - parts v way t. steps.
    destruct (partition_inv w k h l n env d p _ _ _ _ _ e L V Wi Hh N Part)
      as [-> [Va [Fi [Bv [es [Tn [Es [Ex [Le [Pos La]]]]]]]]]].
    match goal with M : mapEach (numberOf n Index) _ _ = Some (?x, _) |- _ =>
      rename M into Hi; rename x into is_ end.
    destruct (numbersOf_inv w l e n env d V Index index _ _ _ Hi)
      as [-> [Co Li]].
    match goal with E : Nat.eqb _ _ = true |- _ => apply Nat.eqb_eq in E;
      rename E into Len end.
    match goal with E : isShared t = true |- _ => rename E into Sh end.
    match goal with B : bounds _ _ _ _ _ = Some (_, ?sb) |- _ =>
      rename B into Hb; rename sb into s1 end.
    match goal with B : whole _ _ _ _ _ = Some (_, ?sb) |- _ =>
      rename B into Hw; rename sb into s2 end.
    match goal with B : (if isInteger _ then _ else _) _ = Some _ |- _ =>
      rename B into Hu end.
    destruct (bounds_tame _ _ _ _ _ _ _ Hb O) as [O1 G1].
    destruct (whole_tame _ _ _ _ _ _ _ Hw O1) as [O2 G2].
    assert (G3 : grows s2 s').
    { destruct (isInteger _).
      - now destruct (lookUp_tame h _ _ _ _ _ _ Hu O2) as [_ G3].
      - now destruct (unknown_tame h _ _ _ _ Hu O2) as [_ G3]. }
    assert (Lk : looks s2 = looks s).
    { rewrite (keep_whole (part := looks) _ _ _ _ _ _ _ Hw).
      apply (keep_bounds (part := looks) _ _ _ _ _ _ _ Hb). }
    pose proof (grows_discharged _ _ G3 P') as P2.
    pose proof (grows_discharged _ _ G2 P2) as P1.
    destruct (bounds_true _ _ _ _ _ _ _ e Hb O T P1 Le ltac:(congruence) Pos)
      as [Exs [T1 N1]].
    destruct (whole_true _ _ _ _ _ _ _ e Hw O1 T1 P2 Le ltac:(congruence) Pos
      Exs) as [T2 [N2 Pd]].
    apply sound_done. eexists. split.
    { eapply tileIndex_ok; eauto. }
    assert (Read : forall xs,
      Forall2 (cameFrom w k given (root v) (elements t) (padOf t q))
        (tileOf (map (eval e) es) (evalView e v) p (map (eval e) is_)) xs ->
      readsTile env r (Tile p index) q (set_ env r xs)).
    { intros xs Cx. destruct p as [[number|b] tl]; [|exact I].
      cbn [of viewAt places tile] in *.
      destruct (extentsOf l number) as [ex|] eqn:Ex'; [|discriminate].
      cbn [orElse bind] in Va.
      assert (Ve : wholeOf number ex = evalView e v) by congruence. clear Va.
      assert (Rv : root v = number).
      { change (root v) with (root (evalView e v)). now rewrite <- Ve. }
      assert (Ev : map (eval e) (extents_ v) = ex).
      { change (map (eval e) (extents_ v)) with (extents_ (evalView e v)).
        now rewrite <- Ve. }
      rewrite Rv in *. rewrite Ex in Ex'. injection Ex' as Ex'.
      exists t, ex, (map (eval e) is_), xs. rewrite Ev in *.
      rewrite <- Ve, Ex' in Cx. rewrite Ex, Ex', !map_length.
      conj; auto; try congruence. rewrite <- Ev, map_length. congruence. }
    assert (NotOut : isOut k (root v) = true -> False).
    { intro Out. unfold isOut in Out. rewrite Tn in Out.
      unfold isShared in Sh. destruct (mode_ t); discriminate. }
    destruct (isInteger (tileType p t)) eqn:Ty.
    2: { eapply sound_weaken.
         - eapply Go; eauto using grows_trans; [congruence|].
           intro Out. now elim NotOut.
         - intros d' env' _ [Ge [xs [-> Cx]]]. auto. }
    (* One element, which has what is there at the start. *)
    eapply sound_bind.
    { eapply (load_sound m k l given _ _ (evalView e v)); eauto.
      - rewrite map_length. congruence.
      - intro Out. now elim NotOut. }
    intros d' xs _ [-> [Lx [Fx Cx]]]. apply sound_ok. rewrite isWidth_ in *.
    split; [|now apply Read]. split; [apply sub_refl|].
    pose proof (unit_tile p _ Ty) as Unit.
    pose proof (unit_exists _ _ _ Unit Exs) as Ix.
    pose proof (isInteger_scalar _ Ty) as Sc.
    assert (Ty' : isInteger (scalarType (elements t)) = true).
    { change (elements t) with (lanes (tileType p t)). now rewrite <- Sc. }
    assert (Vi : isView l (evalView e v))
      by exact (partition_isView w k h l n env d p _ _ _ _ _ e L V Part).
    destruct Vi as [es' [Ex' Vi]]. change (root (evalView e v)) with (root v)
      in Ex', Vi. rewrite Ex in Ex'. injection Ex' as <-.
    destruct (Places.view_elements _ _ _ Vi) as [Ins _].
    specialize (Ins _ Ix).
    unfold tileOf in Cx. rewrite unit_lanes in Cx; [|exact Unit|].
    2: { rewrite tileExtents_length, map_length. congruence. }
    cbn [map] in Cx.
    inversion Cx as [|? y ? ys Cy Cn]; subst. inversion Cn; subst.
    assert (Here : inside (map (eval e) (extents_ v)) (map (eval e) is_) &&
      inside (map (eval e) es) (placeOf (evalView e v) (map (eval e) is_)) =
        true).
    { apply inside_inBox in Ix, Ins. cbn [extents_ evalView mapView] in *.
      now rewrite Ix, Ins. }
    unfold cameFrom in Cy. cbn [fst snd extents_ evalView mapView] in Cy.
    rewrite Here in Cy. destruct Cy as [z [Rz Ly]].
    specialize (Rz t Tn Sh). subst z.
    rewrite <- place_eval in Ly, Ins.
    apply (lane_number _ _ _ _ Ty' La) in Ly.
    inversion Fx as [|? ? Fy _]. subst.
    pose proof (at_later s s2 e e n env d A (grows_trans _ _ _ G1 G2) O2 T2
      (agrees_refl _ _) Lk) as A2.
    destruct (lookUp_step n r _ _ _ _ _ _ e env d _ _ Hu A2 Tn Ex Ins Ty' La Fy
      eq_refl) as [e' [Ag At']].
    exists e'. split; [|exact At'].
    apply agrees_le with (next s2); [rewrite N2, N1; lia|exact Ag].
  - match goal with S : siteOf _ _ _ = Some (?x, _) |- _ =>
      destruct (siteOf_inv w l e n env d V _ _ _ _ S) as [-> [Fv [Pc [Ln Te]]]];
      rename x into st end.
    roots es t. steps.
    destruct (rootPolys_inv w k h l _ _ _ _ _ _ e Part L)
      as [-> [Tn [Es [Ex [Le [Pos La]]]]]].
    match goal with B : whole _ _ _ _ ?sa = Some (_, ?sb) |- _ =>
      rename B into Hw; rename sa into s1; rename sb into s2 end.
    match goal with B : unknown _ _ _ = Some _ |- _ => rename B into Hu end.
    match goal with B : match mode_ t with _ => _ end _ = Some _ |- _ =>
      rename B into Ho end.
    assert (Tm : tame (match mode_ t with
                       | Out _ => emit LoadDefined
                           (if existsb (Pos.eqb v) (stored n) then []
                            else constant (-1)) false
                       | _ => ret tt
                       end)) by (destruct (mode_ t); auto with tame).
    destruct (Tm _ _ _ Ho O) as [O1 G1]. clear Tm.
    destruct (whole_tame _ _ _ _ _ _ _ Hw O1) as [O2 G2].
    destruct (unknown_tame h _ _ _ _ Hu O2) as [_ G3].
    pose proof (grows_discharged _ _ G3 P') as P2.
    pose proof (grows_discharged _ _ G2 P2) as P1.
    assert (Df : true_ s1 e /\
      (isOut k (root (seen st)) = true -> In v (stored n))).
    { unfold isOut. rewrite Tn. destruct (mode_ t) eqn:Md; steps; auto;
        try (split; [assumption|discriminate]).
      emitted. split; [assumption|]. intros _.
      destruct (existsb (Pos.eqb v) (stored n)) eqn:Sv.
      - apply existsb_exists in Sv as [u [U1 U2]]. apply Pos.eqb_eq in U2.
        now subst u.
      - exfalso. evals. lia. }
    destruct Df as [T1 Df].
    destruct (whole_true _ _ _ _ _ _ _ e Hw O1 T1 P2 Le Ln Pos Te)
      as [T2 [N2 Pd]].
    apply sound_done. eexists. split; [exact Pc|]. cbv beta iota.
    assert (Lk : looks s2 = looks s).
    { rewrite (keep_whole (part := looks) _ _ _ _ _ _ _ Hw).
      destruct (mode_ t); try (now injection Ho as _ <-).
      apply (keep_emit (part := looks) _ _ _ _ _ _ Ho). }
    eapply sound_weaken;
      [eapply Go; eauto using grows_trans|intros d' env' _ [Ge _]; split;
        [exact Ge|exact I]].
    intros Out x X. destruct V as [_ [St _]].
    destruct (St v (Df Out)) as [st' [extents [F' [E' D']]]].
    rewrite Fv in F'. injection F' as <-. rewrite Ex in E'.
    injection E' as <-. now apply D'.
Qed.

Lemma store_sound n v pv trips certain s n' s' e env d :
  walkStatement h (Store v pv) n trips certain s = Some (n', s') ->
  at_step s e n env d -> grows s' final ->
  sound k given take (goodEnv s s' e n' d) d
    (execStatement m k l ids (Store v pv) env).
Proof.
  intros H A G. pose proof A as [O T L Id Fr Be Hh N V Lo].
  destruct (proj2 (code_tame h ltac:(rewrite (isWidth _ _ _ _ _ L);
    apply (isWide _ _ _ _ _ L))) _ _ _ _ _ _ _ H O) as [O' Gs].
  cbn [walkStatement] in H. steps.
  match goal with S : siteOf _ _ _ = Some (?x, _) |- _ =>
    destruct (siteOf_inv w l e n env d V _ _ _ _ S) as [-> [Fv [Pc [Ln Te]]]];
    rename x into st end.
  match goal with S : valueOf _ _ _ = Some (?x, _) |- _ =>
    destruct x as [tv mv];
    destruct (valueOf_inv w l e n env d V _ _ _ _ _ S)
      as [-> [_ [xs [Gx [_ [Lx _]]]]]] end.
  cbv beta iota in H. steps. roots es ten. steps.
  destruct (rootPolys_inv w k h l _ _ _ _ _ _ e Part L)
    as [-> [Tn [Es [Ex [Le [Pos La]]]]]].
  match goal with E : tv = _ |- _ => subst tv end.
  match goal with V : visible _ = Some _ |- _ => injection V as <- <- end.
  match goal with V : addWrite _ _ = Some _ |- _ => injection V as _ <- end.
  cbn [execStatement]. apply sound_done. exists xs. split; [exact Gx|].
  apply sound_done. eexists. split; [exact Pc|]. cbv beta iota.
  apply sound_done. exists (map (eval e) es, ten). split.
  { unfold extentsAndType.
    change (root (evalView e (seen st))) with (root (seen st)).
    now rewrite Ex, Tn. }
  cbv beta iota. apply writeAll_sound.
  - rewrite Lx. symmetry. apply tileOf_length; [|exact Pos].
    now rewrite map_length.
  - intros d' U I. apply sound_ok. split; [exact U|]. exists e.
    split; [apply agrees_refl|]. split; auto.
    + destruct T. now split.
    + destruct V as [V1 [V2 V3]]. split; [exact V1|]. split; [|exact V3].
      intros u [<-|J].
      * exists st, (map (eval e) es). conj; auto.
      * destruct (V2 u J) as [st' [extents [F' [E' D']]]].
        exists st', extents. conj; auto.
Qed.

Lemma combine_sound n v p index s n' s' e env d :
  (let* _ := combine_ h n v p index in ret n) s = Some (n', s') ->
  at_step s e n env d -> grows s' final ->
  sound k given take (goodEnv s s' e n' d) d
    (execStatement m k l ids (Combine v p index) env).
Proof.
  intros H A G. pose proof A as [O T L Id Fr Be Hh N V Lo].
  pose proof (isWide _ _ _ _ _ L) as Wi.
  assert (Ta : tame (let* _ := combine_ h n v p index in ret n))
    by (apply tame_then; auto using combine_tame with tame).
  destruct (Ta _ _ _ H O) as [O' Gs]. clear Ta.
  unfold combine_ in H. steps.
  match goal with S : valueOf _ _ _ = Some (?x, _) |- _ =>
    destruct x as [tv mv];
    destruct (valueOf_inv w l e n env d V _ _ _ _ _ S)
      as [-> [_ [xs [Gx [_ [Lx _]]]]]] end.
  cbv beta iota in *. steps. parts v0 way t. steps.
  destruct (partition_inv w k h l n env d p _ _ _ _ _ e L V Wi Hh N Part)
    as [-> [Va [Fi [Bv [es [Tn [Es [Ex [Le [Pos La]]]]]]]]]].
  match goal with M : mapEach (numberOf n Index) _ _ = Some _ |- _ =>
    rename M into Hi end.
  destruct (numbersOf_inv w l e n env d V Index index _ _ _ Hi)
    as [-> [Co Li]].
  match goal with E : Nat.eqb _ _ = true |- _ => apply Nat.eqb_eq in E;
    rename E into Len end.
  match goal with E : combines t = true |- _ => rename E into Sh end.
  match goal with B : bounds _ _ _ _ _ = Some (_, ?sb) |- _ =>
    rename B into Hb end.
  match goal with E : tv = _ |- _ => subst tv end.
  destruct (bounds_tame _ _ _ _ _ _ _ Hb O) as [O1 G1].
  destruct (bounds_true _ _ _ _ _ _ _ e Hb O T (discharged_before _ G) Le
    ltac:(congruence) Pos) as [Exs [T1 N1]].
  cbn [execStatement]. apply sound_done. exists xs. split; [exact Gx|].
  apply sound_done. eexists. split.
  { eapply tileIndex_ok; eauto. }
  cbv beta iota. apply sound_done. exists (map (eval e) es, t). split.
  { unfold extentsAndType. change (root (evalView e v0)) with (root v0).
    now rewrite Ex, Tn. }
  cbv beta iota. apply combineAll_sound.
  - change (root (evalView e v0)) with (root v0). unfold isOut. rewrite Tn.
    unfold combines in Sh. now destruct (mode_ t).
  - apply sound_ok. split; [apply sub_refl|]. exists e.
    split; [apply agrees_refl|].
    exact (at_later s s' e e n env d A G1 O1 T1 (agrees_refl _ _)
      (keep_bounds (part := looks) _ _ _ _ _ _ _ Hb)).
  - rewrite Lx. symmetry. apply tileOf_length; [|exact Pos].
    rewrite map_length. congruence.
Qed.

(* Steps that are not run leave the values of what was there. *)
Lemma at_skip s s' e n env d fs : at_step s e n env d -> grows s s' ->
  orderly (Scope (next s') fs (defined s') (vcs s') (sites s') (writes s')) ->
  fs = facts s -> exists e', agrees (next s) e e' /\
    at_step (Scope (next s') fs (defined s') (vcs s') (sites s') (writes s'))
      e' n env d.
Proof.
  intros A G O' ->. pose proof (atOrder _ _ _ _ _ A) as O.
  pose proof (atTrue _ _ _ _ _ A) as T.
  destruct (grows_complete s s' e O G T) as [e' [Ag [C _]]].
  exists e'. split; [exact Ag|].
  apply (at_later s _ e e' n env d A); auto.
  - eapply grows_trans; [exact G|apply release_grows].
  - split; [|exact C]. simpl. apply (true_agrees s e e' O Ag T).
Qed.

(* Likewise after steps that were run, with the values that they gave. *)
Lemma at_back s s' e e' n env d fs : at_step s e n env d -> grows s s' ->
  orderly (Scope (next s') fs (defined s') (vcs s') (sites s') (writes s')) ->
  fs = facts s -> true_ s' e' -> agrees (next s) e e' ->
  at_step (Scope (next s') fs (defined s') (vcs s') (sites s') (writes s'))
    e' n env d.
Proof.
  intros A G O' -> T' Ag. pose proof (atOrder _ _ _ _ _ A) as O.
  apply (at_later s _ e e' n env d A); auto.
  - eapply grows_trans; [exact G|apply release_grows].
  - destruct T' as [_ C]. split; [|exact C]. simpl.
    apply (true_agrees s e e' O Ag (atTrue _ _ _ _ _ A)).
Qed.

Lemma bind_results vs es n n' s e env d xss :
  bindAll n vs es = Some n' -> at_step s e n env d ->
  Forall2 (entryMeans w e) es xss -> Forall (boundEntry (next s)) es ->
  exists env', setAll env vs xss = Ok env' /\ at_step s e n' env' d.
Proof.
  intros B A M F. destruct A as [O T L Id Fr Be Hh N V].
  destruct (describes_all w l e d vs es n n' xss env B M V) as [env' [S V']].
  exists env'. split; [exact S|]. split; auto.
  eapply bindAll_bound; eauto.
Qed.

End Statements.
