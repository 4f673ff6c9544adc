(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   A block certainly writes an element when what the loops and branches around
   a store demand holds, for some trips, whatever the block reads. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export StorePath.
Import ListNotations.
Open Scope Z_scope.

(* Runs that certainly write. *)

Lemma surely_bind {A B} k given t a (r : run A) (f : A -> run B) :
  surely k given t a r -> surely k given t a (bindRun r f).
Proof. induction 1; simpl; constructor; auto. Qed.

Lemma surely_after {A B} k given take good d t a (r : run A)
  (f : A -> run B) :
  sound k given take good d r ->
  (forall d' x, sub_ d d' -> good d' x -> surely k given t a (f x)) ->
  surely k given t a (bindRun r f).
Proof.
  induction 1 as [d x G|d u b r T S IH|d u b r D S IH|d u b x r S IH
                 |d u b g x r O S IH];
    intro F; simpl.
  - apply (F d); [apply sub_refl|exact G].
  - apply surely_take, IH, F.
  - apply surely_read. intros x R. exact (IH x R F).
  - apply surely_write, IH. intros d' y U. apply F.
    eapply sub_trans; [apply sub_with|exact U].
  - apply surely_update, IH, F.
Qed.

Lemma surely_writeAll {A} k given t a (next : run A) : forall ls xs,
  In (a, true) ls -> length xs = length ls ->
  surely k given t a (writeAll t ls xs next).
Proof.
  induction ls as [|[b c] ls IH]; intros [|x xs] I L; try discriminate;
    [contradiction|]. injection L as L. simpl. destruct I as [I|I].
  - injection I as -> ->. apply surely_here.
  - destruct c; [apply surely_write|]; auto.
Qed.

Lemma surely_takeAll {A} k given t a u (next : run A) : forall ls,
  surely k given t a next -> surely k given t a (takeAll u ls next).
Proof.
  induction ls as [|[b c] ls IH]; intro S; simpl; [exact S|].
  destruct c; [apply surely_take|]; auto.
Qed.

Section Written.

Context (w : Z) (k : kernel) (h : header) (l : launch) (m : machine)
  (given : initial_) (ids : list Z) (e0 : values) (from : Poly.var)
  (final : scope) (launch_ : list scoped).
Context (isW : width m = w) (inGrid : inBox (gridOf l) ids)
  (Wide : 8 <= bits h <= 64).
Context (regionSound : forall r,
           soundRegion w k h l m given ids e0 from final r)
  (statementSound : forall st,
           soundStatement w k h l m given ids e0 from final st).

Let regionTame := proj1 (code_tame h Wide).
Let statementTame := proj2 (code_tame h Wide).
Let statementScopes := proj2 (code_scopes h).

Context (dischargedAll : Forall discharged (vcs final)).

(* The store that is to write the element, and its trips. *)
Context (wr : write) (t : nat) (x : list Z) (extents : list Z)
  (wit : Poly.var -> Z).
Context (isTensor : root (seen (through wr)) = t)
  (isExtents : extentsOf l t = Some extents)
  (isCertain : certain wr = true)
  (plainTrips : forall v, In v (trips wr) -> plainVar final v).
Context (demands : forall e, agrees from e0 e -> map e (idVars h) = ids ->
  Forall (canonical e) (defined final) ->
  (forall v, In v (trips wr) -> e v = wit v) ->
  meets launch_ (writeFacts wr) e /\
  (Forall (fun f => holds e (claims f)) (writeFacts wr) ->
   lands e extents (through wr) x)).

(* The lemmas of StorePath.v, here. *)
Notation onPath := (StorePath.onPath
  w k h l given ids e0 from final launch_ wr wit).
Notation inOrder := (StorePath.inOrder
  w k h l given ids e0 from final launch_ wr wit).
Notation isTrue := (StorePath.isTrue
  w k h l given ids e0 from final launch_ wr wit).
Notation isBlock := (StorePath.isBlock
  w k h l given ids e0 from final launch_ wr wit).
Notation isLaunch := (StorePath.isLaunch
  w k h l given ids e0 from final launch_ wr wit).
Notation isBound := (StorePath.isBound
  w k h l given ids e0 from final launch_ wr wit).
Notation behindLaunch := (StorePath.behindLaunch
  w k h l given ids e0 from final launch_ wr wit).
Notation onPath_step := (StorePath.onPath_step
  w k h l given ids e0 from final launch_ wr wit).
Notation onPath_onward := (StorePath.onPath_onward
  w k h l given ids e0 from final launch_ wr t wit isTensor).
Notation onPath_further := (StorePath.onPath_further
  w k h l given ids e0 from final launch_ wr t wit isTensor).
Notation onPath_at := (StorePath.onPath_at
  w k h l given ids e0 from final launch_ wr t wit isTensor).
Notation onward := (StorePath.onward
  w k h l given ids e0 from final launch_ wr t wit isTensor plainTrips).
Notation assume_demanded := (StorePath.assume_demanded
  w k h l given ids e0 from final launch_ wr t x extents wit isTensor
  plainTrips demands).
Notation paths_demanded := (StorePath.paths_demanded
  w k h l given ids e0 from final launch_ wr t x extents wit isTensor
  plainTrips demands).
Notation onPath_lanes := (StorePath.onPath_lanes
  w k h l given ids e0 from final launch_ wr t x extents wit isTensor
  plainTrips demands).

(* A store itself. *)
Lemma store_writes v p n trips_ certain_ s n' s' e env d :
  walkStatement h (Store v p) n trips_ certain_ s = Some (n', s') ->
  onPath s e -> boundNames (next s) n -> describes w l e n env d ->
  new s s' wr -> surely k given t x (execStatement m k l ids (Store v p) env).
Proof.
  cbn [walkStatement]. intros H S B D N.
  step H y s0 H0. destruct (siteOf_inv _ _ _ _ _ _ D _ _ _ _ H0)
    as [-> [F0 [P0 [L0 E0]]]].
  step H z s0 H1. destruct z as [tv mv].
  destruct (valueOf_inv _ _ _ _ _ _ D _ _ _ _ _ H1) as [-> [F1 [xs [X1 M1]]]].
  step H z s0 H2. destruct z as [es ten].
  pose proof (isLaunch s e S) as La.
  destruct (rootPolys_inv w k h l _ _ _ _ _ _ e H2 La)
    as [-> [Tn [_ [_ [_ [Pos _]]]]]].
  step H u s0 H3.
  pose proof (still_check _ _ _ _ H3). subst s0.
  step H fs s0 H4. injection H4 as <- <-.
  step H u' s1 H5. injection H5 as _ <-. injection H as _ <-.
  destruct N as [ws [W I]]. simpl in W.
  apply (app_inv_tail (writes s) [Write_ y trips_ [] (facts s) certain_] ws)
    in W.
  subst ws. destruct I as [E|[]].
  assert (Ey : through wr = y) by now rewrite <- E.
  assert (Ef : writeFacts wr = facts s) by now rewrite <- E. clear E.
  unfold check in H3. destruct (eqType _ _) eqn:Ty in H3; [|discriminate].
  apply eqType_sound in Ty. subst tv.
  cbn [execStatement]. rewrite X1, P0. cbn [bindRun].
  change (root (evalView e (seen y))) with (root (seen y)).
  unfold extentsAndType. rewrite Tn, <- Ey, isTensor, isExtents.
  cbn [orElse bind bindRun]. rewrite Ey.
  apply surely_writeAll.
  - destruct (onward s e S) as [e1 [Ag [A [Id [C Tr]]]]].
    destruct (demands e1 A Id C Tr) as [_ In_].
    assert (St : lands e1 extents (through wr) x).
    { apply In_. rewrite Ef. pose proof (isTrue s e S) as T.
      apply (true_agrees s e e1 (inOrder s e S) Ag) in T. apply T. }
    rewrite Ey in St. destruct (B _ _ F0) as [Bv Bi].
    apply (lands_agrees (next s) e e1 extents y x Ag Bv Bi) in St.
    now apply lands_inSite.
  - destruct M1 as [_ [Lx _]]. rewrite Lx. symmetry.
    apply tileOf_length; [now rewrite map_length|exact Pos].
Qed.

(* A scatter, of which one lane is to write the element. *)

Lemma scatter_writes v tn sh index mask n trips_ certain_ s s' e env d :
  scattered h n v tn sh index mask trips_ certain_ s s' ->
  onPath s e -> boundNames (next s) n -> describes w l e n env d ->
  Forall (fun v => v < next s)%positive trips_ -> grows s' final ->
  new s s' wr ->
  surely k given t x
    (execStatement m k l ids (Scatter v tn sh index mask) env).
Proof.
  intros Sc S B D Tr Gf N.
  pose proof (onPath_step s e n env d S B D) as A.
  destruct (scatter_runs w k h l m given ids e0 from final isW inGrid dischargedAll n
    env d _ _ _ _ _ _ _ _ _ _ Sc A Gf)
    as [xs [xss [active [-> [Lx [_ All]]]]]].
  destruct Sc as [tv mv es ten lane c ps r s1 s2 s3 s4 st wr0 Hv Ht Ow -> Op H1
    [O1 G1] H2 [O2 G2] E3 [O3 G3] H4 [O4 G4] E5 [O5 G5]].
  assert (Ew : writes s' = [wr0] ++ writes s).
  { rewrite E5. simpl. rewrite (keep_otherLane (part := writes) h _ _ _ _ _
      _ _ _ _ _ H4), E3. simpl. f_equal.
    rewrite (keep_laneBounds (part := writes) _ _ _ _ _ _ H2).
    apply (keep_activeLane (part := writes) h _ _ _ _ _ _ _ _ H1). }
  destruct N as [ws [W I]]. rewrite Ew in W.
  apply (app_inv_tail (writes s) [wr0] ws) in W. subst ws.
  destruct I as [Iw|[]].
  assert (Ec : isExact c = true).
  { pose proof isCertain as C. rewrite <- Iw in C. simpl in C.
    now apply andb_true_iff in C. }
  assert (Ef : writeFacts wr = facts s2) by now rewrite <- Iw.
  assert (Et : trips wr = trips_ ++ flat_map variables lane)
    by now rewrite <- Iw.
  assert (Es : through wr = st) by now rewrite <- Iw. clear Iw.
  pose proof isTensor as Ey. rewrite Es in Ey. simpl in Ey. subst tn.
  pose proof (isLaunch s e S) as La.
  destruct (tensorPolys_inv w k h l t s es ten s e Ht La)
    as [_ [Tn [Ep [Ex _]]]].
  pose proof (extentPolys_bound (next s) h ten es (isBound s e S) Ep) as Bes.
  destruct (laneOperands_true w k h l m given ids e0 from isW n env d es sh
    index mask s tt s e Op A) as [_ [C2 [Pos [Hl _]]]].
  rewrite isExtents in Ex. injection Ex as Ex.
  assert (G2f : grows s2 final).
  { eapply grows_trans; [exact G3|]. eapply grows_trans; [exact G4|].
    eapply grows_trans; [exact G5|exact Gf]. }
  assert (G1f : grows s1 final) by now apply grows_trans with s2.
  destruct (laneBounds_scopes _ _ _ _ _ _ H2) as [m2 F2].
  (* The walk to the lane, with its numbers as the witness has them. *)
  unfold activeLane in H1.
  step H1 nums r1 X1. step H1 cr r2 X2. destruct cr as [c' rd].
  step H1 u3 r3 X3. destruct u3. step H1 pr r4 X4. destruct pr as [qs rd'].
  injection H1 as -> -> -> -> ->.
  pose proof (inOrder s e S) as O.
  destruct (anyLane_tame _ _ _ _ X1 O) as [Oa Ga].
  destruct (maskOf_tame h Wide _ _ _ _ _ _ _ X2 Oa) as [Ob Gb].
  destruct (maskFacts_tame _ _ _ _ _ X3 Ob) as [Oc Gc].
  destruct (placeOfLane_tame h Wide _ _ _ _ _ _ _ X4 Oc) as [Od Gd].
  destruct (maskOf_scopes h _ _ _ _ _ _ _ X2) as [mb Fb].
  destruct (paths_scopes _ _ _ _ X3) as [mc Fc].
  destruct (placeOfLane_scopes h _ _ _ _ _ _ _ X4) as [md Fd].
  assert (Gcf : grows r3 final) by now apply grows_trans with s1.
  assert (Gbf : grows r2 final) by now apply grows_trans with r3.
  assert (Gaf : grows r1 final) by now apply grows_trans with r2.
  destruct (onPath_lanes sh s e lane r1 (m2 ++ md ++ mc ++ mb) X1 S Gaf)
    as [e1 [Ag1 [S1 [Box Bl]]]].
  { now rewrite Ef, F2, Fd, Fc, Fb, <- !app_assoc. }
  set (nth_ := map (eval e1) lane) in *.
  assert (Trs : forall u, In u (trips wr) -> (u < next r1)%positive).
  { intros u U. rewrite Et, in_app_iff in U. destruct U as [U|U].
    - rewrite Forall_forall in Tr. specialize (Tr u U).
      pose proof (growsNext _ _ Ga). simpl in Tr. lia.
    - apply in_flat_map in U as [p [Ip U]]. rewrite Forall_forall in Bl.
      specialize (Bl p Ip). unfold variables in U.
      apply in_flat_map in U as [term [It U]]. unfold below_ in Bl.
      rewrite Forall_forall in Bl. specialize (Bl term It).
      rewrite Forall_forall in Bl. now apply Bl. }
  assert (Nm : forall sa, (next s <= next sa)%positive ->
            boundNames (next sa) n)
    by (intros sa Le; now apply boundNames_le with (next s)).
  assert (D1 : describes w l e1 n env d)
    by now apply describes_agrees with (next s) e.
  pose proof (onPath_step r1 e1 n env d S1 (Nm r1 (growsNext _ _ Ga)) D1)
    as A1.
  destruct (Hl nth_ Box) as [Hi Hm].
  destruct (maskOf_true w k h l m given ids e0 from isW inGrid n env d mask lane
    noReading r1 c rd r2 e1 X2 A1 (grows_discharged _ _ Gbf dischargedAll) Bl
    (noRecall _ _ _ _) Hm) as [e2 [Ag2 [A2 [Rc2 M2]]]].
  assert (S2 : onPath r2 e2).
  { apply (onPath_at r1 e1 r2 e2 n env d); auto. now exists mb. }
  destruct (paths_demanded (maskFacts mask c) r2 e2 r3 (m2 ++ md) X3 Gcf S2)
    as [Hp S3].
  { now rewrite Ef, F2, Fd, <- app_assoc. }
  pose proof (maskFacts_pass w n env r2 e2 mask c nth_ M2 Ec Hp) as Pass.
  assert (N3 : next r3 = next r2).
  { destruct (assumes_true _ _ _ _ _ e2 X3 (isTrue _ _ S2) Hp) as [_ [N3 _]].
    exact N3. }
  assert (Ag12 : map (eval e2) lane = nth_).
  { symmetry. now apply map_agrees with (next r1). }
  assert (D2 : describes w l e2 n env d) by apply A2.
  assert (Le3 : (next s <= next r3)%positive).
  { apply growsNext in Ga, Gb, Gc. lia. }
  pose proof (onPath_step r3 e2 n env d S3 (Nm r3 Le3) D2) as A3.
  assert (Bl3 : Forall (below_ (next r3)) lane).
  { apply growsNext in Gb, Gc. eapply Forall_impl; [|exact Bl]. intro p.
    apply below_le. lia. }
  assert (Rc3 : recalledOk n env r3 e2 rd).
  { apply (recalledOk_later n env r2 r3 e2 e2); auto using agrees_refl.
    rewrite N3. lia. }
  destruct (placeOfLane_true w k h l m given ids e0 from isW inGrid n env d
    index lane rd r3 ps r s1 e2 X4 A3 (grows_discharged _ _ G1f dischargedAll) Bl3 Rc3)
    as [e3 [Ag3 [A4 [_ [Bp Vp]]]]]; [now rewrite Ag12|].
  rewrite Ag12 in Vp.
  assert (S4 : onPath s1 e3).
  { apply (onPath_at r3 e2 s1 e3 n env d); auto; [now exists md|].
    intros u U. specialize (Trs u U). apply growsNext in Gb, Gc. lia. }
  assert (Lp : length ps = length es).
  { rewrite C2. apply (f_equal (@length Z)) in Vp.
    now rewrite !map_length in Vp. }
  destruct (laneBounds_true ScatterBounds es ps s1 tt s2 e3 H2 (isTrue _ _ S4)
    (grows_discharged _ _ G2f dischargedAll) O1 Lp) as [_ T5].
  pose proof (laneBounds_next _ _ _ _ _ _ H2) as N5.
  assert (S5 : onPath s2 e3).
  { apply onPath_further with s1 e3; auto using agrees_refl.
    - now exists m2.
    - apply (keep_laneBounds (part := looks) _ _ _ _ _ _ H2).
    - intros u U Lu. rewrite N5 in Lu. lia. }
  destruct (onward s2 e3 S5) as [e4 [Ag4 [A5 [Id [C4 W4]]]]].
  destruct (demands e4 A5 Id C4 W4) as [_ In_].
  assert (Ln : lands e4 extents st x).
  { rewrite <- Es. apply In_. rewrite Ef.
    pose proof (true_agrees s2 e3 e4 O2 Ag4 T5) as T6. apply T6. }
  assert (Le2 : (next s <= next s2)%positive).
  { rewrite N5. apply growsNext in Gd. lia. }
  apply (lands_agrees (next s2) e3 e4 extents st x Ag4) in Ln; cycle 1.
  { split; [|split]; simpl.
    - eapply Forall_impl; [|exact Bes]. intro p. apply below_le. exact Le2.
    - apply Forall_forall. intros p X. apply in_map_iff in X as [q [<- _]].
      apply nil_below.
    - apply Forall_forall. intros p X. apply in_map_iff in X as [q [<- _]].
      apply constant_below. }
  { simpl. now rewrite N5. }
  destruct Ln as [Bx [y [Ey [Iy _]]]]. simpl in Ey, Iy.
  assert (Tl : tileExtents (Partition (Argument t) (map (fun _ => None) es)) =
               map (fun _ => 1) es).
  { unfold tileExtents. simpl. now rewrite map_map. }
  rewrite Tl, unit_lanes in Iy.
  2: { apply Forall_forall. intros z Z. apply in_map_iff in Z as [q [<- _]].
    reflexivity. }
  2: { now rewrite !map_length. }
  destruct Iy as [<-|[]].
  assert (Ez : x = goesTo n env index nth_).
  { unfold goesTo. rewrite <- Vp, Ey, whole_eval. apply place_whole.
    now rewrite !map_length. }
  rewrite Ez. apply surely_takeAll, surely_writeAll; [|exact Lx].
  apply All. unfold passes. auto.
Qed.

Lemma integer_fits c y : isInteger (scalarType c) = true ->
  laneOk w c y <-> fits (widthOf w c) y.
Proof. destruct c; simpl; try discriminate; reflexivity. Qed.

(* A branch that is taken. *)
Lemma branch_writes n trips_ certain_ rs v yes no s s' e env d :
  branched h n trips_ certain_ rs v yes no s s' ->
  onPath s e -> boundNames (next s) n -> describes w l e n env d ->
  Forall (fun v => v < next s)%positive trips_ -> grows s' final ->
  (forall r, r = yes \/ r = no ->
   forall n trips_ certain_ s es s' e env d,
     walkRegion h r n trips_ certain_ s = Some (es, s') -> onPath s e ->
     boundNames (next s) n -> describes w l e n env d ->
     Forall (fun v => v < next s)%positive trips_ -> grows s' final ->
     new s s' wr -> surely k given t x (execRegion m k l ids r env)) ->
  new s s' wr ->
  surely k given t x (execStatement m k l ids (If rs v yes no) env).
Proof.
  intros [tc mc s1 s2 s3 s4 s5 s6 ys ns es c V Tc H1 [O1 G1] H2 [O2 G2] H3
    [O3 G3] F3 H4 [O4 G4] H5 [O5 G5] H6 [O6 G6] H7 [O7 G7]] S B D Tr Gf IH N.
  assert (Gc : grows s2 final) by eauto 8 using grows_trans.
  assert (Gb : grows s s3) by eauto using grows_trans.
  assert (Gd : grows s s4) by eauto using grows_trans.
  assert (Ge : grows s5 final) by eauto using grows_trans.
  assert (Gg : grows s3 final) by eauto 8 using grows_trans.
  destruct (valueOf_inv _ _ _ _ _ _ D _ _ _ _ _ V) as [_ [_ [xs [X M]]]].
  destruct (code_wrote h Wide wr) as [CW _].
  cbn [execStatement]. unfold scalar. rewrite X. cbn [bind].
  apply (new_split s s2 s') in N as [N|N];
    [| |eauto using grows_trans|eauto 8 using grows_trans].
  - assert (N1 : new s1 s2 wr).
    { eapply new_same; [|reflexivity|exact N].
      eapply (keep_forEach (part := writes)); [|exact H1]. intro f. apply
          keep_lookup. }
    assert (B1 : boundNames (next s1) n).
    { eapply boundNames_le; [apply G1|exact B]. }
    destruct (CW _ _ _ _ _ _ _ H2 O1 N1)
      as [[sw [more [_ [_ [_ [W F]]]]]] C _].
    specialize (C isCertain). apply andb_true_iff in C as [_ C].
    destruct (paths_demanded (condFacts c) s e s1 more H1) as [P S1]; auto.
    { now apply grows_trans with s2. }
    { now rewrite W, F. }
    destruct (condFacts_exact e c C P) as [K May]. clear P.
    destruct mc as [p|c'|]; try discriminate K. simpl in c. subst c.
    destruct M as [_ [_ [_ [_ [b [-> [_ [_ M]]]]]]]]. cbn [bindRun].
    destruct (Z.eqb_spec b 0) as [->|Nz]; [now elim (M K eq_refl)|].
    apply surely_bind.
    apply (IH yes (or_introl eq_refl) n _ _ _ _ _ e env d H2);
      auto.
    eapply Forall_impl; [|exact Tr]. intros u U. cbv beta in *.
    pose proof (growsNext _ _ G1). lia.
  - assert (N1 : new s4 s5 wr).
    { eapply new_same; [| |exact N].
      - rewrite (keep_forEach (part := writes) _ _
          (fun f => keep_assume f (Because Path))
                   _ _ _ H4). now injection H3 as <-.
      - rewrite (keep_mapEach (part := writes) _ _ (keep_join h _ _) _ _ _
          H7).
        now injection H6 as <-. }
    destruct (onward s e S) as [e3 [Ag [_ [_ [C3 W3]]]]].
    assert (S3 : onPath s3 e3).
    { apply onPath_further with s e; auto.
      - split.
        + rewrite F3. apply (true_agrees s e e3); auto; apply S.
        + destruct (growsDefined _ _ Gg) as [ds [E _]]. rewrite E in C3.
          now apply Forall_app in C3.
      - exists []. exact F3.
      - unfold looks. now rewrite F3. }
    assert (B4 : boundNames (next s4) n).
    { eapply boundNames_le; [apply Gd|exact B]. }
    destruct (CW _ _ _ _ _ _ _ H5 O4 N1)
      as [[sw [more [_ [_ [_ [W F]]]]]] C _].
    specialize (C isCertain). apply andb_true_iff in C as [_ C].
    destruct (paths_demanded (condFacts (negated c)) s3 e3 s4 more H4)
      as [P S4]; auto.
    { now apply grows_trans with s5. }
    { now rewrite W, F. }
    destruct (condFacts_exact e3 _ C P) as [K May]. clear P.
    pose proof (known_negated c K) as K'.
    assert (D3 : describes w l e3 n env d)
      by now apply describes_agrees with (next s) e.
    destruct (valueOf_inv _ _ _ _ _ _ D3 _ _ _ _ _ V) as [_ [_ [xs' [X' M']]]].
    rewrite X in X'. injection X' as <-.
    destruct mc as [p|c'|]; try discriminate K'. simpl in c. subst c.
    destruct M' as [_ [_ [_ [_ [b [-> [Yes _]]]]]]]. cbn [bindRun].
    destruct (Z.eqb_spec b 0) as [->|Nz].
    + apply surely_bind.
      apply (IH no (or_intror eq_refl) n _ _ _ _ _ e3 env d H5); auto.
      eapply Forall_impl; [|exact Tr]. intros u U. cbv beta in *.
      pose proof (growsNext _ _ Gd). lia.
    + elim (may_excludes e3 c' K (Yes Nz) May).
Qed.

(* The values with which a trip of a loop starts. *)
Lemma trip_starts n counts lower upper by_ counter carried low high st s s1 s2
  s3 s4 s5 sb ts inner nb (trip := next s1)
  (count := add low (mul st (variable trip))) e d env i xss :
  isInteger (scalarType counts) = true ->
  numberOf n counts lower s = Some (low, s) ->
  numberOf n counts upper s = Some (high, s) ->
  numberOf n counts by_ s = Some (st, s) ->
  fresh_ s1 = Some (trip, s2) -> leads s1 s2 ->
  because Loop (GeZ (variable trip)) s2 = Some (tt, s3) -> leads s2 s3 ->
  because Loop (GeZ (sub (plus high (-1)) count)) s3 = Some (tt, s4) ->
  leads s3 s4 ->
  emit LoopWidth (sub (sub (constant (maxOf h counts)) count) st) false s4
    = Some (tt, s5) -> leads s4 s5 ->
  mapEach (unknown h) ts s5 = Some (inner, sb) -> leads s5 sb ->
  grows sb final -> grows s s1 ->
  bindAll (bindName n counter (Val (scalarType counts) (Number count)))
    carried inner = Some nb ->
  orderly s1 -> true_ s1 e -> launched w k h l e -> boundNames (next s) n ->
  describes w l e n env d -> Forall2 (typed w) ts xss ->
  1 <= eval e st -> 0 <= i -> eval e low + eval e st * i <= eval e high - 1 ->
  fits (widthOf w counts) (eval e low + eval e st * (i + 1)) /\
  exists eb env', agrees (next s1) e eb /\ eb trip = i /\
    agrees (next s5) (set1 e trip i) eb /\ true_ sb eb /\
    boundNames (next sb) nb /\
    setAll (set_ env counter [eval e low + eval e st * i]) carried xss
      = Ok env' /\
    describes w l eb nb env' d.
Proof.
  intros Ty H1 H2 H3 H6 [O2 G2] H7 [O3 G3] H8 [O4 G4] H9 [O5 G5] H12 [Ob Gb]
    Gf Gs Nb O1 T La B D X St I0 I1.
  assert (Bs : forall v p, numberOf n counts v s = Some (p, s) ->
            eval (set1 e trip i) p = eval e p).
  { intros v p H. apply (numberOf_bound _ _ _ _ _ _ _ B) in H as [_ P].
    symmetry. apply agrees_eval with (next s1); [apply set1_agrees|].
    apply below_le with (next s); [apply Gs|exact P]. }
  destruct (fresh_true s1 trip s2 e i H6 O1 T) as [_ T2].
  assert (Ec : eval (set1 e trip i) count = eval e low + eval e st * i).
  { unfold count. rewrite add_eval, mul_eval, variable_eval, set1_same.
    now rewrite (Bs _ _ H1), (Bs _ _ H3). }
  assert (T3 : true_ s3 (set1 e trip i)).
  { eapply assume_true; [exact H7|exact T2|]. apply holds_ge.
    now rewrite variable_eval, set1_same. }
  assert (T4 : true_ s4 (set1 e trip i)).
  { eapply assume_true; [exact H8|exact T3|]. apply holds_ge.
    rewrite sub_eval, plus_eval, Ec, (Bs _ _ H2). lia. }
  destruct (emit_true _ _ _ _ _ _ (set1 e trip i) H9) as [W T5];
    [|exact T4|].
  { apply (grows_discharged s5 final); [|exact dischargedAll]. eauto using grows_trans. }
  rewrite !sub_eval, constant_eval, Ec, (Bs _ _ H3) in W. unfold maxOf in W.
  rewrite (isWidth _ _ _ _ _ La) in W.
  destruct (numberOf_inv _ _ _ _ _ _ D _ _ _ _ _ H1) as [_ [_ [_ [_ [Fl _]]]]].
  destruct (numberOf_inv _ _ _ _ _ _ D _ _ _ _ _ H2) as [_ [_ [_ [_ [Fh _]]]]].
  apply (integer_fits counts _ Ty) in Fl, Fh. unfold fits in *. split; [nia|].
  destruct (unknowns_true w h (isWidth _ _ _ _ _ La) (isWide _ _ _ _ _ La)
    ts s5 inner sb _ xss H12 O5 T5 X) as [eb [Ag [Tb [F Bi]]]].
  assert (G15 : grows s2 s5) by eauto using grows_trans.
  assert (L25 : (Pos.succ (next s1) <= next s5)%positive).
  { apply growsNext in G15. now injection H6 as <-. }
  assert (A1 : agrees (next s1) e eb).
  { apply agrees_trans with (next s5) (set1 e trip i);
      [lia|apply set1_agrees|exact Ag]. }
  assert (Et : eb trip = i).
  { rewrite <- (Ag trip) by (unfold trip; lia). apply set1_same. }
  assert (Eb : eval eb count = eval e low + eval e st * i).
  { rewrite <- Ec. symmetry. apply agrees_eval with (next s5); [exact Ag|].
    apply (numberOf_bound _ _ _ _ _ _ _ B) in H1 as [_ P1].
    apply (numberOf_bound _ _ _ _ _ _ _ B) in H3 as [_ P3].
    apply growsNext in Gs. unfold count.
    apply add_below, mul_below; [| |apply variable_below; unfold trip; lia];
      apply below_le with (next s); auto; lia. }
  destruct (describes_all w l eb d carried inner
    (bindName n counter (Val (scalarType counts) (Number count))) nb xss
    (set_ env counter [eval e low + eval e st * i])) as [env' [Se De]];
    [exact Nb|exact F| |].
  - apply describes_value.
    + assert (Sc : isType (scalarType counts) = true).
      { now destruct (numberOf_inv _ _ _ _ _ _ D _ _ _ _ _ H1)
          as [_ [_ [_ [_ [_ Sc]]]]]. }
      split; [exact Sc|]. split; [reflexivity|]. split.
      * constructor; [|constructor]. simpl. apply (integer_fits counts _ Ty).
        unfold fits. nia.
      * split; [exact Ty|]. now rewrite Eb.
    + apply describes_agrees with (next s) e; auto.
      apply agrees_le with (next s1); [apply Gs|exact A1].
  - exists eb, env'. conj; auto.
    assert (Gb1 : grows s1 sb) by eauto 7 using grows_trans.
    assert (Gsb : grows s sb) by eauto using grows_trans.
    eapply bindAll_bound; [exact Nb|exact Bi|].
    apply bindName_bound; [eapply boundNames_le; [apply Gsb|exact B]|].
    apply (numberOf_bound _ _ _ _ _ _ _ B) in H1 as [_ P1].
    apply (numberOf_bound _ _ _ _ _ _ _ B) in H3 as [_ P3].
    apply growsNext in Gb, Gsb. simpl. unfold count.
    apply add_below, mul_below; [| |apply variable_below; unfold trip; lia];
      apply below_le with (next s); auto; lia.
Qed.

Lemma loop_writes n trips_ certain_ rs counts lower upper by_ counter carried
  inits body s s' e env d :
  looped h n trips_ certain_ rs counts lower upper by_ counter carried inits
    body s s' ->
  onPath s e -> boundNames (next s) n -> describes w l e n env d ->
  Forall (fun v => v < next s)%positive trips_ -> grows s' final ->
  (forall n trips_ certain_ s es s' e env d,
     walkRegion h body n trips_ certain_ s = Some (es, s') -> onPath s e ->
     boundNames (next s) n -> describes w l e n env d ->
     Forall (fun v => v < next s)%positive trips_ -> grows s' final ->
     new s s' wr -> surely k given t x (execRegion m k l ids body env)) ->
  new s s' wr ->
  surely k given t x (execStatement m k l ids
    (For rs counts lower upper by_ counter carried inits body) env).
Proof.
  intros [low high st s1 s2 s3 s4 s5 sb sy sr xs ts ts' inner nb ys outer trip
    count Ty H1 H2 H3 H4 [O1 G1] H6 L2 H7 L3 H8 L4 H9 L5 H10 T H12 Lb Nb H14
    [Oy Gy] T' Eq H17 [Or Gr] H18 [O' G']] S B D Tr Gf IH N.
  pose proof L2 as [O2 G2]. pose proof L3 as [O3 G3].
  pose proof L4 as [O4 G4]. pose proof L5 as [O5 G5].
  pose proof Lb as [Ob Gb].
  assert (Gyf : grows sy final) by eauto using grows_trans.
  assert (Gbf : grows sb final) by eauto using grows_trans.
  assert (G4f : grows s4 final) by eauto using grows_trans.
  assert (G3f : grows s3 final) by eauto using grows_trans.
  assert (G2f : grows s2 final) by eauto using grows_trans.
  assert (G1f : grows s1 final) by eauto using grows_trans.
  assert (G1b : grows s1 sb) by eauto 6 using grows_trans.
  assert (Gsb : grows s sb) by eauto using grows_trans.
  assert (Nby : new sb sy wr).
  { eapply new_same; [| |exact N].
    - rewrite (keep_mapEach (part := writes) _ ts (keep_unknown h) _ _ _
        H12).
      rewrite (keep_emit (part := writes) _ _ _ _ _ _ H9).
      rewrite (keep_assume (part := writes) _ _ _ _ _ H8), (keep_assume
          (part := writes) _ _ _ _ _ H7).
      rewrite (keep_fresh (part := writes) _ _ _ H6). apply (keep_emit (part
          := writes) _ _ _ _ _ _ H4).
    - rewrite (keep_mapEach (part := writes) _ ts (keep_unknown h) _ _ _
        H18).
      now injection H17 as <-. }
  destruct (code_wrote h Wide wr) as [CW _].
  destruct (CW _ _ _ _ _ _ _ H14 Ob Nby)
    as [[sw [more [_ [_ [_ [W F]]]]]] _ [inside_ [Ti Pi]]].
  rewrite F in W. clear F sw.
  (* The values after the step of the loop is known. *)
  destruct (emit_true _ _ _ _ _ _ e H4) as [St T1];
    [now apply (grows_discharged s1 final)|apply S|].
  assert (S1 : onPath s1 e).
  { apply onPath_further with s e; auto using agrees_refl.
    - eapply emit_scopes, H4.
    - apply (keep_emit (part := looks) _ _ _ _ _ _ H4).
    - intros v V Lv. exfalso.
      assert (next s1 = next s) as E.
      { apply emit_inv in H4 as [_ [fs [-> _]]]. reflexivity. }
      rewrite E in Lv. lia. }
  rewrite plus_eval in St.
  (* The trip that the witness wants is run. *)
  set (e2 := set1 e trip (wit trip)).
  assert (S2 : onPath s2 e2).
  { apply onPath_further with s1 e; auto.
    - now apply (fresh_true s1 trip s2 e (wit trip) H6 O1).
    - apply set1_agrees.
    - eapply fresh_scopes, H6.
    - apply (keep_fresh (part := looks) _ _ _ H6).
    - intros v V Lv. injection H6 as <-. simpl in Lv.
      assert (v = trip) as -> by (unfold trip; lia). apply set1_same. }
  assert (F45 : exists m4, facts sb = m4 ++ facts s4).
  { eapply facts_chain;
      [apply (scopes_mapEach _ ts (unknown_scopes h))|exact H12|].
    eapply emit_scopes, H9. }
  destruct F45 as [m4 F4].
  destruct (assume_scopes _ _ _ _ _ H8) as [m3 F3].
  destruct (assume_demanded s2 e2 _ _ s3 (more ++ m4 ++ m3) H7) as [Z0 S3];
    auto; try exact Logic.I.
  { now rewrite W, F4, F3, !app_assoc. }
  destruct (assume_demanded s3 e2 _ _ s4 (more ++ m4) H8) as [Z1 S4]; auto;
    try exact Logic.I.
  { now rewrite W, F4, !app_assoc. }
  apply holds_ge in Z0, Z1.
  unfold e2 in Z0. rewrite variable_eval, set1_same in Z0.
  assert (Bs : forall v p, numberOf n counts v s = Some (p, s) ->
            eval e2 p = eval e p).
  { intros v p H. apply (numberOf_bound _ _ _ _ _ _ _ B) in H as [_ P].
    symmetry. apply agrees_eval with (next s1); [apply set1_agrees|].
    apply below_le with (next s); [apply G1|exact P]. }
  assert (Et : e2 trip = wit trip) by apply set1_same.
  unfold count in Z1.
  rewrite sub_eval, plus_eval, add_eval, mul_eval, variable_eval, Et,
    (Bs _ _ H1), (Bs _ _ H2), (Bs _ _ H3) in Z1.
  assert (T5 : true_ s5 e2).
  { apply (emit_true _ _ _ _ _ _ e2 H9); [|apply S4].
    apply (grows_discharged s5 final); [|exact dischargedAll]. eauto using grows_trans. }
  assert (S5 : onPath s5 e2).
  { apply onPath_further with s4 e2; auto using agrees_refl.
    - eauto using grows_trans.
    - eapply emit_scopes, H9.
    - apply (keep_emit (part := looks) _ _ _ _ _ _ H9).
    - intros v V Lv. exfalso. apply emit_inv in H9 as [_ [fs [-> _]]].
      simpl in Lv. lia. }
  (* The run. *)
  destruct (numberOf_inv _ _ _ _ _ _ D _ _ _ _ _ H1) as [_ [_ [_ [Rl _]]]].
  destruct (numberOf_inv _ _ _ _ _ _ D _ _ _ _ _ H2) as [_ [_ [_ [Rh _]]]].
  destruct (numberOf_inv _ _ _ _ _ _ D _ _ _ _ _ H3) as [_ [_ [_ [Rs _]]]].
  rewrite exec_for, Rl, Rh, Rs. cbn [bindRun].
  destruct (Z.ltb_spec (eval e st) 1) as [Bad|_]; [lia|].
  destruct (valuesOf_inv _ _ _ _ _ _ D _ _ _ _ H10) as [_ [xss [Cx Fx]]].
  rewrite Cx. cbn [bindRun].
  apply (fun F => entries_typed w e _ _ _ F T) in Fx.
  apply surely_bind.
  assert (Go : forall j i left_ xss d', (j < left_)%nat ->
    wit trip = i + Z.of_nat j -> 0 <= i -> Forall2 (typed w) ts xss ->
    sub_ d d' ->
    surely k given t x (iterate m k l ids counts counter carried body env
                          (eval e st) left_ (eval e low + eval e st * i) xss)).
  { clear xss Cx Fx.
    induction j as [|j IHj]; intros i [|left_] xss d' Lt Wi I0 X Sd; try lia;
      cbn [iterate];
      (assert (I1 : eval e low + eval e st * i <= eval e high - 1) by nia);
      (assert (D' : describes w l e n env d')
         by now apply describes_sub with d);
      destruct (trip_starts n counts lower upper by_ counter carried low high st
        s s1 s2 s3 s4 s5 sb ts inner nb e d' env i xss) as
        [Fi [eb [env' [A1 [Eb [A5 [Tb [Bb [Se De]]]]]]]]]; auto;
        try apply S1; try lia;
      rewrite Se; cbn [bindRun].
    - apply surely_bind. apply (IH nb _ _ _ _ _ eb env' d' H14); auto.
      + assert (i = wit trip) as -> by lia. fold e2 in A5.
        apply onPath_further with s5 e2; auto.
        * eapply (scopes_mapEach _ ts (unknown_scopes h)), H12.
        * exact (keep_mapEach (part := looks) _ ts (keep_unknown h) _ _ _
            H12).
        * intros v V Lv. exfalso. rewrite Ti, !in_app_iff in V.
          assert (L15 : (Pos.succ (next s1) <= next s5)%positive).
          { assert (G25 : grows s2 s5) by eauto using grows_trans.
            apply growsNext in G25. now injection H6 as <-. }
          pose proof (growsNext _ _ G1) as L01.
          destruct V as [[V|[V|[]]]|V].
          -- rewrite Forall_forall in Tr. specialize (Tr v V). simpl in Tr. lia.
          -- subst v. unfold trip in Lv. lia.
          -- rewrite Forall_forall in Pi. specialize (Pi v V). simpl in Pi. lia.
      + apply Forall_app. pose proof (growsNext _ _ Gsb). split.
        * eapply Forall_impl; [|exact Tr]. intros u U. cbv beta in *. lia.
        * constructor; [|constructor].
          assert (G2b : grows s2 sb) by eauto using grows_trans.
          apply growsNext in G2b. injection H6 as <-. simpl in G2b.
          unfold trip. lia.
    - eapply surely_after.
      + apply (regionSound _ _ _ _ _ _ _ eb env' d' H14); auto. split; auto.
        * eapply launched_agrees; [apply (isBound _ _ S1)|exact A1|apply S1].
        * rewrite <- (isBlock _ _ S1). symmetry. apply map_ext_in.
          intros v V. apply A1. destruct (isBound _ _ S1) as [_ [_ Hb]].
          rewrite Forall_forall in Hb. auto.
        * apply agrees_trans with (next s1) e; [apply S1|apply S1|exact A1].
        * pose proof (behindLaunch _ _ S1). pose proof (growsNext _ _ G1b). lia.
        * eapply boundHeader_le; [apply Gsb|apply S].
        * replace (looks sb) with (looks s1).
          { apply recalls_later with (next s1) e;
              [apply G1b|exact A1|apply S1]. }
          symmetry.
          rewrite (keep_mapEach (part := looks) _ ts (keep_unknown h) _ _ _
            H12).
          rewrite (keep_emit (part := looks) _ _ _ _ _ _ H9).
          rewrite (keep_assume (part := looks) _ _ _ _ _ H8).
          rewrite (keep_assume (part := looks) _ _ _ _ _ H7).
          apply (keep_fresh (part := looks) _ _ _ H6).
      + intros d'' ys' Sd' [Sd'' [ey [_ [_ [_ [Fy _]]]]]].
        rewrite isW. apply fitsb_fits in Fi.
        replace (eval e low + eval e st * i + eval e st)
          with (eval e low + eval e st * (i + 1)) by ring.
        rewrite Fi. apply (IHj (i + 1) left_ ys' d''); try lia.
        * apply eqTypes_sound in Eq. subst ts'.
          now apply entries_typed with ey ys.
        * eapply sub_trans; [exact Sd|exact Sd'']. }
  specialize (Go (Z.to_nat (wit trip)) 0
    (Z.to_nat (ceildiv (eval e high - eval e low) (eval e st))) xss d).
  rewrite Z.mul_0_r, Z.add_0_r in Go. apply Go; try lia; auto.
  - assert (wit trip < ceildiv (eval e high - eval e low) (eval e st)).
    { apply ceildiv_lt; lia. }
    lia.
  - apply sub_refl.
Qed.

(* Code that holds the store writes the element. *)
Theorem code_writes :
  (forall r n trips_ certain_ s es s' e env d,
     walkRegion h r n trips_ certain_ s = Some (es, s') -> onPath s e ->
     boundNames (next s) n -> describes w l e n env d ->
     Forall (fun v => v < next s)%positive trips_ -> grows s' final ->
     new s s' wr -> surely k given t x (execRegion m k l ids r env)) /\
  (forall st n trips_ certain_ s n' s' e env d,
     walkStatement h st n trips_ certain_ s = Some (n', s') -> onPath s e ->
     boundNames (next s) n -> describes w l e n env d ->
     Forall (fun v => v < next s)%positive trips_ -> grows s' final ->
     new s s' wr -> surely k given t x (execStatement m k l ids st env)).
Proof.
  destruct (code_wrote h Wide wr) as [CW _].
  apply code_all.
  - intros vs n trips_ certain_ s es s' e env d H S B D Tr Gf N. exfalso.
    revert N. apply new_keep. eapply (keep_valuesOf (part := writes)), H.
  - intros st IHs r IHr n trips_ certain_ s es s' e env d H S B D Tr Gf N.
    cbn [walkRegion] in H. step H n1 s1 H1.
    pose proof (inOrder _ _ S) as O.
    destruct (statementTame _ _ _ _ _ _ _ H1 O) as [O1 G1].
    destruct (regionTame _ _ _ _ _ _ _ H O1) as [O2 G2].
    assert (G1f : grows s1 final) by now apply grows_trans with s'.
    cbn [execRegion]. apply (new_split s s1 s') in N as [N|N]; auto.
    + apply surely_bind. eapply IHs; eauto.
    + destruct (CW _ _ _ _ _ _ _ H O1 N) as [_ _ [inside_ [Ti Pi]]].
      eapply surely_after.
      * apply (statementSound _ _ _ _ _ _ _ e env d H1); auto.
        now apply onPath_step.
      * intros d1 env1 _ [_ [e1 [A1 [_ T1 _ _ _ _ _ B1 D1 R1]]]].
        eapply IHr; [exact H| |exact B1|exact D1| |exact Gf|exact N].
        -- apply onPath_onward with s e; auto.
           ++ eapply statementScopes, H1.
           ++ intros v V Lv. exfalso. rewrite Ti, in_app_iff in V.
              destruct V as [V|V].
              ** rewrite Forall_forall in Tr. specialize (Tr v V). simpl in Tr.
                 lia.
              ** rewrite Forall_forall in Pi. specialize (Pi v V). simpl in Pi.
                 lia.
        -- eapply Forall_impl; [|exact Tr]. intros u U. cbv beta in *.
           pose proof (growsNext _ _ G1). lia.
  - intros r t0 o n trips_ certain_ s n' s' e env d H S B D Tr Gf N. exfalso.
    revert N. apply new_keep. cbn [walkStatement] in H.
    eapply (keep_walkLet (part := writes)), H.
  - intros r b st n trips_ certain_ s n' s' e env d H S B D Tr Gf N. exfalso.
    revert N. apply new_keep. cbn [walkStatement] in H.
    step H y s1 H1. injection H as _ <-. eapply (keep_walkView (part :=
        writes)), H1.
  - intros r p is_ n trips_ certain_ s n' s' e env d H S B D Tr Gf N. exfalso.
    revert N. apply new_keep. cbn [walkStatement] in H.
    step H y s1 H1. injection H as _ <-. eapply keep_claim, H1.
  - intros r y q n trips_ certain_ s n' s' e env d H S B D Tr Gf N. exfalso.
    revert N. apply new_keep. cbn [walkStatement] in H.
    step H z s1 H1. injection H as _ <-. eapply (keep_walkLoad (part :=
        writes)), H1.
  - intros v p n trips_ certain_ s n' s' e env d H S B D Tr Gf N.
    eapply store_writes; eauto.
  - intros v p is_ n trips_ certain_ s n' s' e env d H S B D Tr Gf N. exfalso.
    revert N. apply new_keep. cbn [walkStatement] in H.
    step H y s1 H1. injection H as _ <-. eapply (keep_combine (part :=
        writes)), H1.
  - intros r t0 sh is_ mask q n trips_ certain_ s n' s' e env d H S B D Tr Gf N.
    exfalso. revert N. apply new_keep. cbn [walkStatement] in H.
    step H y s1 H1. injection H as _ <-. eapply (keep_gather (part :=
        writes)), H1.
  - intros v t0 sh is_ mask n trips_ certain_ s n' s' e env d H S B D Tr Gf N.
    cbn [walkStatement] in H. step H y s1 H1. injection H as _ <-.
    eapply scatter_writes; eauto. eapply scatter_inv; eauto. apply S.
  - intros v t0 sh is_ mask n trips_ certain_ s n' s' e env d H S B D Tr Gf N.
    exfalso. revert N. apply new_keep. cbn [walkStatement] in H.
    step H y s1 H1. injection H as _ <-. eapply (keep_combineLanes (part :=
        writes)), H1.
  - intros rs counts lower upper by_ counter carried inits body IH n trips_
      certain_ s n' s' e env d H S B D Tr Gf N.
    eapply loop_writes; eauto. eapply loop_inv; eauto. apply S.
  - intros rs v yes IHy no IHn n trips_ certain_ s n' s' e env d H S B D Tr Gf
      N.
    eapply branch_writes; eauto; [eapply branch_inv; eauto; apply S|].
    intros r [->| ->]; eauto.
Qed.

End Written.
