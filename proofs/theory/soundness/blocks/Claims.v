(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   What the walk over a kernel notes of its claims: the facts around each. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export Writes.
Import ListNotations.
Open Scope Z_scope.

(* Claims that a walk leaves behind: their facts go back to those of the launch,
   and speak of what there is. *)

Definition goodClaim (launch_ : list scoped) (s : scope) (st : site) : Prop :=
  (exists more, siteFacts st = more ++ launch_) /\
  Forall (fun f => boundFact (next s) (claims f)) (siteFacts st) /\
  Forall (below_ (next s)) (indices st) /\
  Forall (sourced (defined s)) (siteFacts st).

Lemma goodClaim_grows launch_ s s' st : grows s s' -> goodClaim launch_ s st ->
  goodClaim launch_ s' st.
Proof.
  intros G [M [B [I S]]]. pose proof (growsNext _ _ G) as L.
  destruct (growsDefined _ _ G) as [ds [E _]]. split; [exact M|].
  split; [|split].
  - eapply Forall_impl; [|exact B]. intro f. now apply boundFact_le.
  - eapply Forall_impl; [|exact I]. intro p. now apply below_le.
  - rewrite E. eapply Forall_impl; [|exact S]. intro f. apply sourced_more.
Qed.

Section Claims.

Context (h : header) (Wide : 8 <= bits h <= 64) (launch_ : list scoped).

(* Scopes on the way, with the claims so far. *)
Definition noted_ (s : scope) : Prop :=
  orderly s /\ (exists mid, facts s = mid ++ launch_) /\
  Forall (goodClaim launch_ s) (sites s).

Lemma noted_claimsNothing {A} (g : gen A) s a s' : tame g -> scopes g -> claimsNothing g ->
  g s = Some (a, s') -> noted_ s -> noted_ s'.
Proof.
  intros T S M H [O [F C]]. destruct (T _ _ _ H O) as [O' G].
  split; [exact O'|]. split.
  - eapply facts_chain; eauto.
  - rewrite (M _ _ _ H). eapply Forall_impl; [|exact C].
    intro st. now apply goodClaim_grows.
Qed.

(* The indices of a tile have obligations, so their variables exist. *)
Lemma bounds_below r p : forall es is_ s u s',
  bounds r es p is_ s = Some (u, s') -> length es = length (tile p) ->
  length is_ = length es -> Forall (below_ (next s')) is_.
Proof.
  unfold bounds. rewrite <- tileExtents_length. generalize (tileExtents p).
  intros ts es. revert ts.
  induction es as [|x es IH]; intros [|t ts] [|i is_] s u s' H Le Li;
    try discriminate; cbn [combine forEach] in H; constructor.
  - step H u1 s1 H1. step H1 u2 s2 H2.
    pose proof (proj1 (emit_inv _ _ _ _ _ _ H2)) as B.
    pose proof (emit_next _ _ _ _ _ _ H2). pose proof (emit_next _ _ _ _ _ _ H1).
    assert (N : forall ls s0 u0 s0', forEach (fun a => let '(e, (t, i)) := a in
        let* _ := emit r i true in
        emit r (sub (plus e (-1)) (mul i (constant t))) true) ls s0 =
        Some (u0, s0') -> next s0' = next s0).
    { induction ls as [|[e0 [t0 i0]] ls IHl]; intros s0 u0 s0' X; simpl in X.
      - now injection X as _ <-.
      - step X v1 r1 X1. step X1 v2 r2 X2. rewrite (IHl _ _ _ X).
        rewrite (emit_next _ _ _ _ _ _ X1). apply (emit_next _ _ _ _ _ _ X2). }
    rewrite (N _ _ _ _ H). replace (next s1) with (next s) by congruence.
    exact B.
  - step H u1 s1 H1. injection Le as Le. injection Li as Li.
    eapply IH; eauto.
Qed.

(* Likewise where a lane goes. *)
Lemma laneBounds_next rl : forall es ps s u s',
  laneBounds rl es ps s = Some (u, s') -> next s' = next s.
Proof.
  unfold laneBounds. intros es ps. generalize (combine es ps). clear es ps.
  induction l as [|a l IH]; intros s u s' H; cbn [forEach] in H.
  - now injection H as _ <-.
  - step H v s1 H1. step H1 v2 s2 H2. rewrite (IH _ _ _ H).
    rewrite (emit_next _ _ _ _ _ _ H1). apply (emit_next _ _ _ _ _ _ H2).
Qed.
Lemma laneBounds_below rl : forall es ps s u s',
  laneBounds rl es ps s = Some (u, s') -> length ps = length es ->
  Forall (below_ (next s')) ps.
Proof.
  unfold laneBounds.
  induction es as [|x es IH]; intros [|p ps] s u s' H L; try discriminate;
    cbn [combine forEach] in H; constructor.
  - pose proof (laneBounds_next rl (x :: es) (p :: ps) s u s' H) as ->.
    step H v s1 H1. step H1 v2 s2 H2.
    exact (proj1 (emit_inv _ _ _ _ _ _ H2)).
  - step H v s1 H1. injection L as L. eapply IH; eauto.
Qed.
Lemma readAt_length read : forall vs at_ r s ls r' s',
  readAt read vs at_ r s = Some ((ls, r'), s') -> length ls = length vs.
Proof.
  induction vs as [|v vs IH]; intros nums r s ls r' s' H; cbn [readAt] in H.
  - now injection H as <- _ _.
  - step H x s1 H1. destruct x as [[t m] r1]. step H y s2 H2.
    destruct y as [l r2]. injection H as <- _ _. simpl. f_equal. eapply IH, H2.
Qed.
Lemma mapEach_length {A B} (f : A -> gen B) : forall xs s ys s',
  mapEach f xs s = Some (ys, s') -> length ys = length xs.
Proof.
  induction xs as [|x xs IH]; intros s ys s' H; cbn [mapEach] in H.
  - now injection H as <- _.
  - step H y s1 H1. step H zs s2 H2. injection H as <- _. simpl. f_equal.
    eapply IH, H2.
Qed.
Lemma activeLane_length n sh index mask r s lane c ps r' s' :
  activeLane h n sh index mask r s = Some ((lane, c, ps, r'), s') ->
  length ps = length index.
Proof.
  unfold activeLane. intros H. step H nums s1 H1. step H cr s2 H2.
  destruct cr as [c' r1]. step H u s3 H3. step H pr s4 H4.
  destruct pr as [ps' r2]. injection H as _ _ <- _ _.
  unfold placeOfLane in H4. step H4 lr s5 H5. destruct lr as [ls r3].
  step H4 qs s6 H6. injection H4 as <- _ _.
  rewrite (mapEach_length _ _ _ _ _ H6). eapply readAt_length, H5.
Qed.
Lemma laneOperands_rank n es sh index mask s u s' :
  laneOperands n es sh index mask s = Some (u, s') ->
  length es = length index.
Proof.
  unfold laneOperands. intro H. step H ts s1 H1. step H tm s2 H2.
  unfold check in H. destruct (Nat.eqb (length es) (length index)) eqn:E;
    [|discriminate]. now apply Nat.eqb_eq.
Qed.

Lemma scatter_claims n v t sh index mask trips_ certain_ s s' :
  scattered h n v t sh index mask trips_ certain_ s s' ->
  noted_ s -> noted_ s'.
Proof.
  intros [tv mv es ten lane c ps r s1 s2 s3 s4 st wr _ _ _ _ Op H1 [O1 G1] H2
    [O2 G2] E3 [O3 G3] H4 [O4 G4] E5 [O5 G5]] N.
  pose proof N as [O [F C]].
  destruct (activeLane_scopes h _ _ _ _ _ _ _ _ H1) as [m1 F1].
  destruct (laneBounds_scopes _ _ _ _ _ _ H2) as [m2 F2].
  assert (Es : sites s' = st :: sites s).
  { rewrite E5. simpl. rewrite (keep_otherLane (part := sites) h _ _ _ _ _
      _ _ _ _ _ H4), E3. simpl. f_equal.
    rewrite (keep_laneBounds (part := sites) _ _ _ _ _ _ H2).
    apply (keep_activeLane (part := sites) h _ _ _ _ _ _ _ _ H1). }
  assert (Gs : grows s2 s') by eauto using grows_trans.
  split; [exact O5|]. split; [rewrite E5; exact F|].
  rewrite Es. constructor.
  - apply goodClaim_grows with s2; [exact Gs|]. destruct O2 as [FB _ SB].
    destruct F as [mid F].
    split; [exists (m2 ++ m1 ++ mid); simpl; now rewrite F2, F1, F, !app_assoc
      |].
    split; [exact FB|]. split; [|exact SB]. simpl.
    eapply laneBounds_below; [exact H2|].
    rewrite (activeLane_length _ _ _ _ _ _ _ _ _ _ _ H1). symmetry.
    eapply laneOperands_rank, Op.
  - eapply Forall_impl; [|exact C]. intro z.
    apply goodClaim_grows. eauto using grows_trans.
Qed.

Theorem code_claims :
  (forall r n trips_ certain_ s es s',
     walkRegion h r n trips_ certain_ s = Some (es, s') ->
     noted_ s -> noted_ s') /\
  (forall st n trips_ certain_ s n' s',
     walkStatement h st n trips_ certain_ s = Some (n', s') ->
     noted_ s -> noted_ s').
Proof.
  apply code_all.
  - intros vs n t c s es s' H N. cbn [walkRegion] in H.
    now rewrite (still_valuesOf _ _ _ _ _ H).
  - intros st IHs r IHr n t c s es s' H N. cbn [walkRegion] in H.
    step H n1 s1 H1. eapply IHr; [exact H|]. eapply IHs; eauto.
  - intros r ty o n t c s n' s' H N. cbn [walkStatement] in H.
    eapply noted_claimsNothing; [| | |exact H|exact N].
    + now apply walkLet_tame.
    + apply walkLet_scopes.
    + apply keep_walkLet.
  - intros r b st n t c s n' s' H N. cbn [walkStatement] in H.
    step H x s1 H1. injection H as _ <-.
    eapply noted_claimsNothing; [| | |exact H1|exact N].
    + now apply walkView_tame.
    + apply walkView_scopes.
    + apply keep_walkView.
  - intros r p is_ n t c s n' s' H N. cbn [walkStatement] in H.
    step H x s1 H1. injection H as _ <-. unfold claim in H1.
    step H1 y s2 H2. pose proof (still_partition _ _ _ _ _ _ H2). subst s2.
    destruct y as [[v way] ten].
    step H1 ps s2 H3.
    pose proof (still_mapEach _ _ (fun v => still_numberOf n Index v) _ _ _ H3).
    subst s2.
    step H1 u s2 H4. unfold check in H4.
    destruct (_ && _) eqn:L; [|discriminate]. injection H4 as _ <-.
    apply andb_true_iff in L as [L _]. apply Nat.eqb_eq in L.
    step H1 u1 s2 H5. step H1 fs s3 H6. injection H6 as <- <-.
    step H1 u2 s3 H7. injection H7 as _ <-. injection H1 as _ <-.
    assert (Lp : length (extents_ v) = length (tile p)).
    { unfold partitionPolys in H2. step H2 q1 r1 X1. destruct q1 as [v' way'].
      step H2 q2 r2 X2. destruct q2 as [es ten'].
      apply rootPolys_spec in X2 as [_ [_ [_ [L' _]]]].
      injection H2 as -> _ _ _. exact L'. }
    pose proof (bounds_below _ _ _ _ _ _ _ H5 Lp L) as B.
    assert (N2 : noted_ s2).
    { eapply noted_claimsNothing; [| | |exact H5|exact N].
      - apply bounds_tame.
      - unfold bounds. scoped_.
      - apply keep_bounds. }
    destruct N2 as [[FB DB SB] [F C]].
    split; [now split|]. split; [exact F|]. simpl. constructor.
    + split; [exact F|]. split; [exact FB|]. split; [exact B|exact SB].
    + eapply Forall_impl; [|exact C]. intros st [M X]. now split.
  - intros r x q n t c s n' s' H N. cbn [walkStatement] in H.
    step H y s1 H1. injection H as _ <-.
    eapply noted_claimsNothing; [| | |exact H1|exact N].
    + now apply walkLoad_tame.
    + apply walkLoad_scopes.
    + apply keep_walkLoad.
  - intros v p n t c s n' s' H N.
    eapply noted_claimsNothing; [| | |exact H|exact N].
    + apply (proj2 (code_tame h Wide)).
    + apply (proj2 (code_scopes h)).
    + cbn [walkStatement]. writesNothing.
  - intros v p is_ n t c s n' s' H N. cbn [walkStatement] in H.
    step H y s1 H1. injection H as _ <-.
    eapply noted_claimsNothing; [| | |exact H1|exact N].
    + now apply combine_tame.
    + apply combine_scopes.
    + apply keep_combine.
  - intros r t0 sh is_ mask q n t c s n' s' H N. cbn [walkStatement] in H.
    step H y s1 H1. injection H as _ <-.
    eapply noted_claimsNothing; [| | |exact H1|exact N].
    + now apply gather_tame.
    + apply gather_scopes.
    + apply keep_gather.
  - intros v t0 sh is_ mask n t c s n' s' H N. cbn [walkStatement] in H.
    step H y s1 H1. injection H as _ <-. eapply scatter_claims; [|exact N].
    eapply scatter_inv; [exact Wide|exact H1|apply N].
  - intros v t0 sh is_ mask n t c s n' s' H N. cbn [walkStatement] in H.
    step H y s1 H1. injection H as _ <-.
    eapply noted_claimsNothing; [| | |exact H1|exact N].
    + now apply combineLanes_tame.
    + apply combineLanes_scopes.
    + apply keep_combineLanes.
  - intros rs counts lower upper by_ counter carried inits body IH n t c s n' s'
      H N. destruct N as [O [F C]].
    destruct (loop_inv h Wide _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ H O)
      as [low high st s1 s2 s3 s4 s5 sb sy sr xs ts ts' inner nb ys outer trip
    count Ty H1 H2 H3 H4 [O1 G1] H6 [O2 G2] H7 [O3 G3] H8 [O4 G4] H9 [O5 G5]
    H10 T H12 [Ob Gb] Nb H14 [Oy Gy] T' Eq H17 [Or Gr] H18 [O' G']].
    assert (N1 : noted_ s1).
    { eapply noted_claimsNothing; [| | |exact H4|now split]; auto using emit_tame,
        emit_scopes, (@keep_emit _ sites _). }
    assert (Nb' : noted_ sb).
    { eapply noted_claimsNothing; [apply mapEach_unknown_tame| | |exact H12|].
      { apply scopes_mapEach, unknown_scopes. }
      { apply keep_mapEach, keep_unknown. }
      eapply noted_claimsNothing; [| | |exact H9|]; auto using emit_tame, emit_scopes,
        (@keep_emit _ sites _).
      assert (BT : forall f, tame (because Loop f))
        by (intro; now apply assume_tame).
      assert (BS : forall f, scopes (because Loop f))
        by (intro; apply assume_scopes).
      assert (BM : forall f, claimsNothing (because Loop f))
        by (intro; apply keep_lookup).
      eapply noted_claimsNothing; [apply BT|apply BS|apply BM|exact H8|].
      eapply noted_claimsNothing; [apply BT|apply BS|apply BM|exact H7|].
      eapply noted_claimsNothing; [| | |exact H6|exact N1];
        auto using fresh_tame, fresh_scopes, (@keep_fresh _ sites _). }
    destruct (IH _ _ _ _ _ _ H14 Nb') as [_ [_ Cy]].
    assert (Nr : noted_ sr).
    { split; [exact Or|]. injection H17 as <-. simpl. destruct N1 as [_ [F1 _]].
      split; [exact F1|]. eapply Forall_impl; [|exact Cy].
      intro z. now apply goodClaim_grows. }
    eapply noted_claimsNothing; [apply mapEach_unknown_tame| | |exact H18|exact Nr].
    + apply scopes_mapEach, unknown_scopes.
    + apply keep_mapEach, keep_unknown.
  - intros rs v yes IHy no IHn n t c s n' s' H N. pose proof N as [O [F C]].
    destruct (branch_inv h Wide _ _ _ _ _ _ _ _ _ _ H O)
      as [tc mc s1 s2 s3 s4 s5 s6 ys ns es cc V Tc H1 [O1 G1] H2 [O2 G2] H3
    [O3 G3] F3 H4 [O4 G4] H5 [O5 G5] H6 [O6 G6] H7 [O7 G7]].
    assert (P : forall l, claimsNothing (forEach (because Path) l)) by (intro; writesNothing).
    assert (N1 : noted_ s1).
    { eapply noted_claimsNothing; [apply paths_tame|apply paths_scopes|apply P|exact H1|
        exact N]. }
    destruct (IHy _ _ _ _ _ _ H2 N1) as [_ [_ C2]].
    assert (N3 : noted_ s3).
    { split; [exact O3|]. rewrite F3. split; [exact F|].
      injection H3 as E.
      replace (sites s3) with (sites s2) by now rewrite <- E.
      eapply Forall_impl; [|exact C2]. intro z. now apply goodClaim_grows. }
    assert (N4 : noted_ s4).
    { eapply noted_claimsNothing; [apply paths_tame|apply paths_scopes|apply P|exact H4|
        exact N3]. }
    destruct (IHn _ _ _ _ _ _ H5 N4) as [_ [_ C5]].
    assert (N6 : noted_ s6).
    { injection H6 as E. split; [exact O6|].
      split; [now rewrite <- E|].
      replace (sites s6) with (sites s5) by now rewrite <- E.
      eapply Forall_impl; [|exact C5]. intro z. now apply goodClaim_grows. }
    eapply noted_claimsNothing; [| | |exact H7|exact N6].
    + apply tame_mapEach, join_tame.
    + apply scopes_mapEach, join_scopes.
    + apply keep_mapEach, keep_join.
Qed.

End Claims.
