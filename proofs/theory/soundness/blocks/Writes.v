(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   What the walk over a kernel notes of its stores and scatters: the facts and
   the trips around each, and the lane. Only they note any. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export Scoping.
Import ListNotations.
Open Scope Z_scope.

(* A variable to which any value may be given: the result of no definition. *)

Definition plainVar (s : scope) (v : Poly.var) : Prop :=
  (v < next s)%positive /\ ~ In v (flat_map results (defined s)).

Lemma plain_grows s s' v : grows s s' -> plainVar s v -> plainVar s' v.
Proof.
  intros G [L N]. destruct (growsDefined _ _ G) as [ds [E Y]].
  pose proof (growsNext _ _ G). split; [lia|]. rewrite E, flat_map_app.
  rewrite in_app_iff. intros [I|I]; [|now apply N].
  pose proof (layered_results _ _ _ _ Y I). lia.
Qed.

Lemma plain_fresh s v s' : fresh_ s = Some (v, s') -> orderly s ->
  v = next s /\ plainVar s' v.
Proof.
  intros H O. injection H as <- <-. split; [reflexivity|].
  split; simpl; [lia|]. intro I. apply in_flat_map in I as [d [D I]].
  destruct O as [_ B _]. rewrite Forall_forall in B. destruct (B d D) as [_ R].
  rewrite Forall_forall in R. specialize (R _ I). lia.
Qed.

(* Facts as they were in scope before. *)
Lemma release_between s s' fs : grows s s' -> orderly s -> orderly s' ->
  (exists more, facts s' = more ++ fs) ->
  exists s'', release fs s' = Some (tt, s'') /\ orderly s'' /\ grows s s'' /\
    grows s' s'' /\ facts s'' = fs /\ writes s'' = writes s' /\
    next s'' = next s'.
Proof.
  intros G O O' [more F]. eexists. split; [reflexivity|]. cbn.
  destruct O' as [B D S]. rewrite F in B, S. apply Forall_app in B as [_ B].
  apply Forall_app in S as [_ S]. repeat split; auto; simpl; try apply G.
  - lia.
  - exists []. split; [reflexivity|]. constructor. lia.
  - now exists [].
  - now exists [].
  - now exists [].
Qed.

(* What is noted of a store between two scopes, in a loop nest and where it is
   known whether branches are taken. *)
Record wrote (s s' : scope) (trips_ : list Poly.var) (certain_ : bool)
  (w : write) : Prop := Wrote
  { there : exists sw more, orderly sw /\ grows s sw /\ grows sw s' /\
      writeFacts w = facts sw /\ facts sw = more ++ facts s;
    wasCertain : certain w = true -> certain_ = true;
    itsTrips : exists inner, trips w = trips_ ++ inner /\
      Forall (fun v => next s <= v /\ plainVar s' v)%positive inner }.

(* One of the stores that are noted between these scopes. *)
Definition new (s s' : scope) (w : write) : Prop :=
  exists ws, writes s' = ws ++ writes s /\ In w ws.

Lemma new_keep s s' w : writes s' = writes s -> ~ new s s' w.
Proof.
  intros E [ws [W I]]. rewrite E in W.
  apply (app_inv_tail (writes s) [] ws) in W. now subst.
Qed.
Lemma new_same s1 s1' s s' w : writes s1 = writes s -> writes s1' = writes s' ->
  new s s' w -> new s1 s1' w.
Proof. unfold new. now intros -> ->. Qed.
Lemma new_split s s1 s' w : grows s s1 -> grows s1 s' -> new s s' w ->
  new s s1 w \/ new s1 s' w.
Proof.
  intros G G' [ws [W I]]. destruct (growsWrites _ _ G) as [ws1 W1].
  destruct (growsWrites _ _ G') as [ws2 W2].
  rewrite W2, W1, app_assoc in W. apply app_inv_tail in W. subst ws.
  apply in_app_iff in I as [I|I]; [right; exists ws2|left; exists ws1]; auto.
Qed.

Lemma wrote_inside s sb sy s' more trips_ inner certain_ c w :
  grows s sb -> facts sb = more ++ facts s -> grows sy s' ->
  Forall (fun v => next s <= v /\ plainVar sb v)%positive inner ->
  grows sb sy ->
  wrote sb sy (trips_ ++ inner) (certain_ && c) w ->
  wrote s s' trips_ certain_ w.
Proof.
  intros G F G' P Gb [[sw [m [O [G1 [G2 [E E']]]]]] C [i [T I]]]. split.
  - exists sw, (m ++ more). split; [exact O|].
    split; [now apply grows_trans with sb|].
    split; [now apply grows_trans with sy|]. split; [exact E|].
    now rewrite E', F, app_assoc.
  - intro H. specialize (C H). now apply andb_true_iff in C.
  - exists (inner ++ i). split; [now rewrite T, app_assoc|].
    apply Forall_app. split.
    + eapply Forall_impl; [|exact P]. intros v [L V]. split; [exact L|].
      eapply plain_grows; [|exact V]. now apply grows_trans with sy.
    + eapply Forall_impl; [|exact I]. intros v [L V]. split.
      * apply growsNext in G. lia.
      * now apply plain_grows with sy.
Qed.

Lemma wrote_later s s1 s' more trips_ certain_ w :
  grows s s1 -> facts s1 = more ++ facts s -> grows s1 s' ->
  wrote s1 s' trips_ certain_ w -> wrote s s' trips_ certain_ w.
Proof.
  intros G F G' W. apply wrote_inside with s1 s' more [] true; auto.
  - apply grows_refl.
  - now rewrite app_nil_r, andb_true_r.
Qed.
Lemma wrote_earlier s s1 s' trips_ certain_ w : grows s1 s' -> grows s s1 ->
  wrote s s1 trips_ certain_ w -> wrote s s' trips_ certain_ w.
Proof.
  intros G G' W. apply wrote_inside with s s1 [] [] true; auto.
  - apply grows_refl.
  - now rewrite app_nil_r, andb_true_r.
Qed.

(* One step of the walk. *)
Definition leads (s s' : scope) : Prop := orderly s' /\ grows s s'.

Section Structure.

Context (h : header).

Context (Wide : 8 <= bits h <= 64).

Let regionTame := proj1 (code_tame h Wide).
Let statementTame := proj2 (code_tame h Wide).
Let regionScopes := proj1 (code_scopes h).
Let statementScopes := proj2 (code_scopes h).

(* The walk over a loop, up to its body and from there. *)
Inductive looped (n : names) (trips_ : list Poly.var)
  (certain_ : bool) (rs : list Syntax.var) (counts : element)
  (lower upper by_ counter : Syntax.var) (carried inits : list Syntax.var)
  (body : region) (s s' : scope) : Prop :=
  | looped_ low high st s1 s2 s3 s4 s5 sb sy sr xs ts ts' inner nb ys outer
      (trip := next s1) (count := add low (mul st (variable trip))) :
    isInteger (scalarType counts) = true ->
    numberOf n counts lower s = Some (low, s) ->
    numberOf n counts upper s = Some (high, s) ->
    numberOf n counts by_ s = Some (st, s) ->
    emit LoopStep (plus st (-1)) true s = Some (tt, s1) -> leads s s1 ->
    fresh_ s1 = Some (trip, s2) -> leads s1 s2 ->
    because Loop (GeZ (variable trip)) s2 = Some (tt, s3) -> leads s2 s3 ->
    because Loop (GeZ (sub (plus high (-1)) count)) s3 = Some (tt, s4) ->
    leads s3 s4 ->
    emit LoopWidth (sub (sub (constant (maxOf h counts)) count) st) false s4
      = Some (tt, s5) ->
    leads s4 s5 ->
    valuesOf n inits s5 = Some (xs, s5) ->
    typesOf xs = Some ts ->
    mapEach (unknown h) ts s5 = Some (inner, sb) -> leads s5 sb ->
    bindAll (bindName n counter (Val (scalarType counts) (Number count)))
      carried inner = Some nb ->
    walkRegion h body nb (trips_ ++ [trip]) certain_ sb = Some (ys, sy) ->
    leads sb sy ->
    typesOf ys = Some ts' -> eqTypes ts ts' = true ->
    release (facts s1) sy = Some (tt, sr) -> leads sy sr ->
    mapEach (unknown h) ts sr = Some (outer, s') -> leads sr s' ->
    looped n trips_ certain_ rs counts lower upper by_ counter carried inits
      body s s'.

Lemma loop_inv n trips_ certain_ rs counts lower upper by_ counter carried
  inits body n' s s' :
  walkStatement h (For rs counts lower upper by_ counter carried inits body) n
    trips_ certain_ s = Some (n', s') -> orderly s ->
  looped n trips_ certain_ rs counts lower upper by_ counter carried inits
    body s s'.
Proof.
  cbn [walkStatement]. cbv zeta. intros H O.
  step H u0 s0 H0. pose proof (still_check _ _ _ _ H0). subst s0.
  step H low s0 H1. pose proof (still_numberOf _ _ _ _ _ _ H1). subst s0.
  step H high s0 H2. pose proof (still_numberOf _ _ _ _ _ _ H2). subst s0.
  step H st s0 H3. pose proof (still_numberOf _ _ _ _ _ _ H3). subst s0.
  step H u1 s1 H4. destruct u1.
  destruct (emit_tame _ _ _ _ _ _ H4 O) as [O1 G1].
  step H fs s0 H5. injection H5 as <- <-.
  step H trip s2 H6. pose proof H6 as F. injection F as <- _.
  destruct (fresh_tame _ _ _ H6 O1) as [O2 G2].
  step H u2 s3 H7. destruct u2.
  destruct (assume_tame _ (Because Loop) I _ _ _ H7 O2) as [O3 G3].
  step H u3 s4 H8. destruct u3.
  destruct (assume_tame _ (Because Loop) I _ _ _ H8 O3) as [O4 G4].
  step H u4 s5 H9. destruct u4.
  destruct (emit_tame _ _ _ _ _ _ H9 O4) as [O5 G5].
  step H xs s0 H10. pose proof (still_valuesOf _ _ _ _ _ H10). subst s0.
  step H ts s0 H11. pose proof (still_given _ _ _ _ H11). subst s0.
  step H inner sb H12.
  destruct (tame_mapEach _ _ (unknown_tame h) _ _ _ H12 O5) as [Ob Gb].
  step H nb s0 H13. pose proof (still_given _ _ _ _ H13). subst s0.
  step H ys sy H14. destruct (regionTame _ _ _ _ _ _ _ H14 Ob) as [Oy Gy].
  step H ts' s0 H15. pose proof (still_given _ _ _ _ H15). subst s0.
  step H u5 s0 H16. pose proof (still_check _ _ _ _ H16). subst s0.
  step H u6 sr H17. destruct u6.
  assert (F : exists m, facts sy = m ++ facts s1).
  { eapply facts_chain; [apply regionScopes|exact H14|].
    eapply facts_chain;
      [apply (scopes_mapEach _ ts (unknown_scopes h))|exact H12|].
    eapply facts_chain; [apply emit_scopes|exact H9|].
    eapply facts_chain; [apply assume_scopes|exact H8|].
    eapply facts_chain; [apply assume_scopes|exact H7|].
    eapply facts_chain; [apply fresh_scopes|exact H6|]. now exists []. }
  destruct (release_between s sy (facts s1)) as [sr' [R [Or [_ [Gr _]]]]];
    [eauto 8 using grows_trans|exact O|exact Oy|exact F|].
  rewrite R in H17. injection H17 as ->.
  step H outer s0 H18. pose proof (still_given _ _ _ _ H). subst s0.
  destruct (tame_mapEach _ _ (unknown_tame h) _ _ _ H18 Or) as [O' G'].
  unfold given in H11, H13, H15, H. unfold check in H0, H16.
  destruct (typesOf xs) as [ts0|] eqn:T; [|discriminate].
  injection H11 as ->.
  destruct (bindAll _ carried inner) as [nb0|] eqn:Nb; [|discriminate].
  injection H13 as ->.
  destruct (typesOf ys) as [ts1|] eqn:T'; [|discriminate].
  injection H15 as ->.
  destruct (isInteger (scalarType counts)) eqn:Ty; [|discriminate].
  destruct (eqTypes ts ts') eqn:Eq; [|discriminate].
  eapply (looped_ n trips_ certain_ rs counts lower upper by_ counter carried
    inits body s s' low high st s1 s2 s3 s4 s5 sb sy sr xs ts ts' inner nb ys
    outer); eauto; try now split.
Qed.

(* The walk over branches. *)
Inductive branched (n : names) (trips_ : list Poly.var)
  (certain_ : bool) (rs : list Syntax.var) (v : Syntax.var) (yes no : region)
  (s s' : scope) : Prop :=
  | branched_ tc mc s1 s2 s3 s4 s5 s6 ys ns es (c := condOf mc) :
    valueOf n v s = Some ((tc, mc), s) -> isTruth tc = true ->
    forEach (because Path) (condFacts c) s = Some (tt, s1) -> leads s s1 ->
    walkRegion h yes n trips_ (certain_ && isExact c) s1 = Some (ys, s2) ->
    leads s1 s2 ->
    release (facts s) s2 = Some (tt, s3) -> leads s2 s3 ->
    facts s3 = facts s ->
    forEach (because Path) (condFacts (negated c)) s3 = Some (tt, s4) ->
    leads s3 s4 ->
    walkRegion h no n trips_ (certain_ && isExact (negated c)) s4
      = Some (ns, s5) ->
    leads s4 s5 ->
    release (facts s) s5 = Some (tt, s6) -> leads s5 s6 ->
    mapEach (join h (next s) c) (combine ys ns) s6 = Some (es, s') ->
    leads s6 s' ->
    branched n trips_ certain_ rs v yes no s s'.

Lemma branch_inv n trips_ certain_ rs v yes no n' s s' :
  walkStatement h (If rs v yes no) n trips_ certain_ s = Some (n', s') ->
  orderly s -> branched n trips_ certain_ rs v yes no s s'.
Proof.
  cbn [walkStatement]. cbv zeta. intros H O.
  step H p s0 H0. pose proof (still_valueOf _ _ _ _ _ H0). subst s0.
  destruct p as [tc mc].
  step H u0 s0 H1. pose proof (still_check _ _ _ _ H1). subst s0.
  step H fs s0 H2. injection H2 as <- <-.
  step H lim s0 H3. injection H3 as <- <-.
  step H u1 s1 H4. destruct u1.
  destruct (paths_tame _ _ _ _ H4 O) as [O1 G1].
  step H ys s2 H5. destruct (regionTame _ _ _ _ _ _ _ H5 O1) as [O2 G2].
  step H u2 s3 H6. destruct u2.
  destruct (release_between s s2 (facts s)) as [s3' [R [O3 [_ [G3 [F3 _]]]]]];
    [eauto using grows_trans|exact O|exact O2| |].
  { eapply facts_chain; [apply regionScopes|exact H5|].
    eapply paths_scopes, H4. }
  rewrite R in H6. injection H6 as ->.
  step H u3 s4 H7. destruct u3.
  destruct (paths_tame _ _ _ _ H7 O3) as [O4 G4].
  step H ns s5 H8. destruct (regionTame _ _ _ _ _ _ _ H8 O4) as [O5 G5].
  step H u4 s6 H9. destruct u4.
  destruct (release_between s s5 (facts s)) as [s6' [R' [O6 [_ [G6 _]]]]];
    [eauto 7 using grows_trans|exact O|exact O5| |].
  { eapply facts_chain; [apply regionScopes|exact H8|].
    rewrite <- F3. eapply paths_scopes, H7. }
  rewrite R' in H9. injection H9 as ->.
  step H ts s0 H10. pose proof (still_given _ _ _ _ H10). subst s0.
  step H ts' s0 H11. pose proof (still_given _ _ _ _ H11). subst s0.
  step H u5 s0 H12. pose proof (still_check _ _ _ _ H12). subst s0.
  step H es s0 H13. pose proof (still_given _ _ _ _ H). subst s0.
  destruct (tame_mapEach _ _ (join_tame h _ _) _ _ _ H13 O6) as [O' G'].
  unfold check in H1. destruct (isTruth tc) eqn:T; [|discriminate].
  eapply (branched_ n trips_ certain_ rs v yes no s s' tc mc s1 s2 s3 s4 s5 s6
            ys ns es); eauto; now split.
Qed.

Lemma wrote_store n v p trips_ certain_ s n' s' w :
  walkStatement h (Store v p) n trips_ certain_ s = Some (n', s') ->
  orderly s -> new s s' w ->
  wrote s s' trips_ certain_ w.
Proof.
  cbn [walkStatement]. intros H O N.
  step H x s0 H0. pose proof (still_siteOf _ _ _ _ _ H0). subst s0.
  step H y s0 H1. pose proof (still_valueOf _ _ _ _ _ H1). subst s0.
  destruct y as [t m].
  step H y s0 H2. pose proof (still_root _ _ _ _ _ _ H2). subst s0.
  destruct y as [es ten].
  step H u s0 H3. pose proof (still_check _ _ _ _ H3). subst s0.
  step H fs s0 H4. injection H4 as <- <-.
  step H u' s1 H5. injection H5 as _ <-. injection H as _ <-.
  destruct N as [ws [W I]]. simpl in W.
  apply (app_inv_tail (writes s) [Write_ x trips_ [] (facts s) certain_] ws)
    in W.
  subst ws.
  destruct I as [<-|[]]. split; simpl; [|auto|].
  - exists s, []. split; [exact O|]. split; [apply grows_refl|]. split.
    { split; simpl; [lia| | | |]; try (now exists []);
        [|now exists [Write_ x trips_ [] (facts s) certain_]].
      exists []. split; [reflexivity|]. constructor. lia. }
    now split.
  - now exists [].
Qed.

(* Numbers of a lane: nothing defines them. *)
Lemma anyLane_plain : forall sh s at_ s', anyLane sh s = Some (at_, s') ->
  orderly s ->
  Forall (fun v => next s <= v /\ plainVar s' v)%positive
    (flat_map variables at_).
Proof.
  unfold anyLane. induction sh as [|x sh IH]; intros s at_ s' H O;
    cbn [mapEach] in H.
  { injection H as <- <-. constructor. }
  step H p s1 H1. step H ps s2 H2. injection H as <- <-.
  assert (One : leads s s1 /\
    Forall (fun v => next s <= v /\ plainVar s1 v)%positive (variables p)).
  { destruct (x =? 1).
    - injection H1 as <- <-. split; [split; auto using grows_refl|].
      constructor.
    - step H1 v r1 X1. step H1 u1 r2 X2. step H1 u2 r3 X3.
      injection H1 as <- <-.
      destruct (plain_fresh _ _ _ X1 O) as [E P].
      destruct (fresh_tame _ _ _ X1 O) as [O1 G1].
      destruct (assume_tame _ (Because Loop) I _ _ _ X2 O1) as [O2 G2].
      destruct (assume_tame _ (Because Loop) I _ _ _ X3 O2) as [O3 G3].
      split; [split; [exact O3|eauto using grows_trans]|].
      constructor; [|constructor]. split; [lia|].
      eapply plain_grows; [|exact P]. eauto using grows_trans. }
  destruct One as [[O1 G1] P].
  destruct (anyLane_tame sh _ _ _ H2 O1) as [_ G2].
  cbn [flat_map]. apply Forall_app. split.
  - eapply Forall_impl; [|exact P]. intros v [L V]. split; [exact L|].
    now apply plain_grows with s1.
  - eapply Forall_impl; [|exact (IH _ _ _ H2 O1)]. intros v [L V].
    pose proof (growsNext _ _ G1). split; [lia|exact V].
Qed.

(* The walk over a scatter, up to where the element of any lane is claimed and
   written, and from there. *)
Inductive scattered (n : names) (v : Syntax.var) (t : nat) (sh : list Z)
  (index : list Syntax.var) (mask : option Syntax.var) (trips_ : list Poly.var)
  (certain_ : bool) (s s' : scope) : Prop :=
  | scattered_ tv mv es ten lane c ps r s1 s2 s3 s4
      (st := Site (wholePoly t es) []
               (Partition (Argument t) (map (fun _ => None) es)) ps (facts s2))
      (wr := Write_ st trips_ (flat_map variables lane) (facts s2)
               (certain_ && isExact c)) :
    valueOf n v s = Some ((tv, mv), s) ->
    tensorPolys h t s = Some ((es, ten), s) ->
    isOwned ten = true -> tv = Type_ sh (elements ten) ->
    laneOperands n es sh index mask s = Some (tt, s) ->
    activeLane h n sh index mask noReading s = Some ((lane, c, ps, r), s1) ->
    leads s s1 ->
    laneBounds ScatterBounds es ps s1 = Some (tt, s2) -> leads s1 s2 ->
    s3 = Scope (next s2) (facts s2) (defined s2) (vcs s2) (st :: sites s2)
           (wr :: writes s2) ->
    leads s2 s3 ->
    (let* (other, _, qs, _) := activeLane h n sh index mask r in
     let* _ := because Distinct (lanesDiffer lane other) in
     let* _ := forEach (because Region) (lanesMeet ps qs) in
     emit ScatterLanes (constant (-1)) false) s3 = Some (tt, s4) ->
    leads s3 s4 ->
    s' = Scope (next s4) (facts s) (defined s4) (vcs s4) (sites s4)
           (writes s4) ->
    leads s4 s' ->
    scattered n v t sh index mask trips_ certain_ s s'.

Lemma scatter_inv n v t sh index mask trips_ certain_ u s s' :
  scatter_ h n v t sh index mask trips_ certain_ s = Some (u, s') ->
  orderly s -> scattered n v t sh index mask trips_ certain_ s s'.
Proof.
  unfold scatter_. intros H O.
  step H tvm s0 H0. destruct tvm as [tv mv].
  pose proof (still_valueOf _ _ _ _ _ H0). subst s0.
  step H et s0 H1. destruct et as [es ten].
  pose proof (still_tensor _ _ _ _ _ H1). subst s0.
  step H u0 s0 H2. pose proof (still_check _ _ _ _ H2). subst s0.
  step H u1 s0 H3. pose proof (still_laneOperands _ _ _ _ _ _ _ _ H3).
  subst s0. destruct u1.
  unfold check in H2. destruct (_ && _) eqn:C; [|discriminate]. clear H2.
  apply andb_true_iff in C as [C1 C2]. apply eqType_sound in C2.
  unfold within, visible, release in H.
  step H fs s0 H4. injection H4 as <- <-.
  step H u2 s4 H5. step H u3 s5 H6. injection H6 as _ <-.
  injection H as _ <-. unfold scatterLane in H5.
  step H5 x s1 H6. destruct x as [[[lane c] ps] r].
  destruct (activeLane_tame h Wide _ _ _ _ _ _ _ _ H6 O) as [O1 G1].
  step H5 u4 s2 H7. destruct u4.
  destruct (laneBounds_tame _ _ _ _ _ _ H7 O1) as [O2 G2].
  step H5 fs s0 H8. injection H8 as <- <-.
  step H5 u5 s3 H9. pose proof H9 as H9'. injection H9' as _ E9.
  destruct (addSite_tame _ _ _ _ H9 O2) as [O3 G3].
  step H5 u6 s3' H10. pose proof H10 as H10'. injection H10' as _ E10.
  destruct (addWrite_tame _ _ _ _ H10 O3) as [O4 G4].
  destruct u2.
  destruct (otherLane_tame h Wide _ _ _ _ _ _ _ _ _ _ H5 O4) as [O5 G5].
  set (s6 := Scope (next s4) (facts s) (defined s4) (vcs s4) (sites s4)
               (writes s4)).
  assert (G : grows s s4) by eauto 7 using grows_trans.
  assert (O6 : orderly s6) by now apply (release_orderly s).
  eapply (scattered_ n v t sh index mask trips_ certain_ s s6 tv mv es ten lane
            c ps r s1 s2 s3' s4); eauto; try now split.
  - rewrite <- E10, <- E9. reflexivity.
  - split; [exact O4|]. eauto using grows_trans.
  - split; [exact O6|]. apply release_grows.
Qed.

Lemma activeLane_plain n sh index mask r s lane c ps r' s' :
  activeLane h n sh index mask r s = Some ((lane, c, ps, r'), s') ->
  orderly s ->
  Forall (fun v => next s <= v /\ plainVar s' v)%positive
    (flat_map variables lane).
Proof.
  unfold activeLane. intros H O. step H nums s1 H1.
  destruct (anyLane_tame sh _ _ _ H1 O) as [O1 G1].
  step H cr s2 H2. destruct cr as [c' r1].
  destruct (maskOf_tame h Wide _ _ _ _ _ _ _ H2 O1) as [O2 G2].
  step H u s3 H3. destruct (maskFacts_tame _ _ _ _ _ H3 O2) as [O3 G3].
  step H pr s4 H4. destruct pr as [ps' r2].
  destruct (placeOfLane_tame h Wide _ _ _ _ _ _ _ H4 O3) as [_ G4].
  injection H as <- <- <- <- <-.
  eapply Forall_impl; [|exact (anyLane_plain _ _ _ _ H1 O)].
  intros v [L V]. split; [exact L|]. eapply plain_grows; [|exact V].
  eauto using grows_trans.
Qed.

Lemma wrote_scatter n v t sh index mask trips_ certain_ s s' w :
  scattered n v t sh index mask trips_ certain_ s s' -> orderly s ->
  new s s' w -> wrote s s' trips_ certain_ w.
Proof.
  intros [tv mv es ten lane c ps r s1 s2 s3 s4 st wr _ _ _ _ _ H1 [O1 G1] H2
    [O2 G2] E3 [O3 G3] H4 [O4 G4] E5 [O5 G5]] O N.
  destruct (activeLane_scopes h _ _ _ _ _ _ _ _ H1) as [m1 F1].
  destruct (laneBounds_scopes _ _ _ _ _ _ H2) as [m2 F2].
  assert (Ew : writes s' = [wr] ++ writes s).
  { rewrite E5. simpl. rewrite (keep_otherLane (part := writes) h _ _ _ _ _
      _ _ _ _ _ H4), E3. simpl. f_equal.
    rewrite (keep_laneBounds (part := writes) _ _ _ _ _ _ H2).
    apply (keep_activeLane (part := writes) h _ _ _ _ _ _ _ _ H1). }
  destruct N as [ws [W I]]. rewrite Ew in W.
  apply (app_inv_tail (writes s) [wr] ws) in W. subst ws.
  destruct I as [<-|[]]. split; simpl.
  - exists s2, (m2 ++ m1). split; [exact O2|].
    split; [eauto using grows_trans|]. split; [eauto using grows_trans|].
    split; [reflexivity|]. now rewrite F2, F1, app_assoc.
  - intro C. now apply andb_true_iff in C.
  - exists (flat_map variables lane). split; [reflexivity|].
    eapply Forall_impl; [|exact (activeLane_plain _ _ _ _ _ _ _ _ _ _ _ H1
      O)].
    intros u [L V]. split; [exact L|]. eapply plain_grows; [|exact V].
    eauto using grows_trans.
Qed.

Lemma wrote_loop n trips_ certain_ rs counts lower upper by_ counter carried
  inits body s s' w :
  looped n trips_ certain_ rs counts lower upper by_ counter carried inits body
    s s' ->
  orderly s ->
  (forall n trips_ certain_ s es s', walkRegion h body n trips_ certain_ s
     = Some (es, s') -> orderly s -> new s s' w ->
     wrote s s' trips_ certain_ w) ->
  new s s' w -> wrote s s' trips_ certain_ w.
Proof.
  intros [low high st s1 s2 s3 s4 s5 sb sy sr xs ts ts' inner nb ys outer trip
    count Ty H1 H2 H3 H4 [O1 G1] H6 [O2 G2] H7 [O3 G3] H8 [O4 G4] H9 [O5 G5]
    H10 T H12 [Ob Gb] Nb H14 [Oy Gy] T' Eq H17 [Or Gr] H18 [O' G']]
    O IH N.
  assert (G : grows s sb) by eauto 8 using grows_trans.
  assert (F : exists m, facts sb = m ++ facts s).
  { eapply facts_chain;
      [apply (scopes_mapEach _ ts (unknown_scopes h))|exact H12|].
    eapply facts_chain; [apply emit_scopes|exact H9|].
    eapply facts_chain; [apply assume_scopes|exact H8|].
    eapply facts_chain; [apply assume_scopes|exact H7|].
    eapply facts_chain; [apply fresh_scopes|exact H6|].
    eapply emit_scopes, H4. }
  destruct F as [more F]. destruct (plain_fresh _ _ _ H6 O1) as [_ P].
  apply (wrote_inside s sb sy s' more trips_ [trip] certain_ true); auto.
  - now apply grows_trans with sr.
  - constructor; [|constructor]. split; [apply (growsNext _ _ G1)|].
    eapply plain_grows; [|exact P]. eauto 8 using grows_trans.
  - rewrite andb_true_r. eapply IH; eauto.
    + eapply new_same; [| |exact N].
      * rewrite (keep_mapEach (part := writes) _ ts (keep_unknown h) _ _ _
          H12).
        rewrite (keep_emit (part := writes) _ _ _ _ _ _ H9).
        rewrite (keep_assume (part := writes) _ _ _ _ _ H8), (keep_assume
            (part := writes) _ _ _ _ _ H7).
        rewrite (keep_fresh (part := writes) _ _ _ H6). apply (keep_emit
            (part := writes) _ _ _ _ _ _ H4).
      * rewrite (keep_mapEach (part := writes) _ ts (keep_unknown h) _ _ _
          H18).
        now injection H17 as <-.
Qed.

Lemma wrote_branch n trips_ certain_ rs v yes no s s' w :
  branched n trips_ certain_ rs v yes no s s' ->
  orderly s ->
  (forall r, r = yes \/ r = no ->
   forall n trips_ certain_ s es s', walkRegion h r n trips_ certain_ s
     = Some (es, s') -> orderly s -> new s s' w ->
     wrote s s' trips_ certain_ w) ->
  new s s' w -> wrote s s' trips_ certain_ w.
Proof.
  intros [tc mc s1 s2 s3 s4 s5 s6 ys ns es c V Tc H1 [O1 G1] H2 [O2 G2] H3
    [O3 G3] F3 H4 [O4 G4] H5 [O5 G5] H6 [O6 G6] H7 [O7 G7]] O IH N.
  assert (Ga : grows s s2) by eauto using grows_trans.
  assert (Gb : grows s s3) by eauto using grows_trans.
  assert (Gc : grows s2 s') by eauto 8 using grows_trans.
  assert (Gd : grows s s4) by eauto using grows_trans.
  assert (Ge : grows s5 s') by eauto using grows_trans.
  apply (new_split s s2 s') in N as [N|N]; auto.
  - destruct (paths_scopes _ _ _ _ H1) as [more F].
    apply (wrote_inside s s1 s2 s' more trips_ [] certain_ (isExact c)); auto.
    rewrite app_nil_r. apply (IH yes (or_introl eq_refl) n _ _ _ ys); auto.
    + eapply new_same; [|reflexivity|exact N].
      eapply (keep_forEach (part := writes)); [|exact H1]. intro f. apply
          keep_lookup.
  - destruct (paths_scopes _ _ _ _ H4) as [more F]. rewrite F3 in F.
    apply (wrote_inside s s4 s5 s' more trips_ [] certain_
             (isExact (negated c))); auto.
    rewrite app_nil_r. apply (IH no (or_intror eq_refl) n _ _ _ ns); auto.
    + eapply new_same; [| |exact N].
      * rewrite (keep_forEach (part := writes) _ _
          (fun f => keep_assume f (Because Path))
                   _ _ _ H4).
        now injection H3 as <-.
      * rewrite (keep_mapEach (part := writes) _ _ (keep_join h _ _) _ _ _
          H7).
        now injection H6 as <-.
Qed.

(* What is noted of the stores in a region or a statement. *)
Theorem code_wrote w :
  (forall r n trips_ certain_ s es s',
     walkRegion h r n trips_ certain_ s = Some (es, s') -> orderly s ->
     new s s' w ->
     wrote s s' trips_ certain_ w) /\
  (forall st n trips_ certain_ s n' s',
     walkStatement h st n trips_ certain_ s = Some (n', s') -> orderly s ->
     new s s' w ->
     wrote s s' trips_ certain_ w).
Proof.
  apply code_all.
  - intros vs n trips_ certain_ s es s' H O N. exfalso.
    revert N. apply new_keep. eapply (keep_valuesOf (part := writes)), H.
  - intros st IHs r IHr n trips_ certain_ s es s' H O N.
    cbn [walkRegion] in H. step H n1 s1 H1.
    destruct (statementTame _ _ _ _ _ _ _ H1 O) as [O1 G1].
    destruct (regionTame _ _ _ _ _ _ _ H O1) as [O2 G2].
    destruct (statementScopes _ _ _ _ _ _ _ H1) as [more F].
    apply (new_split s s1 s') in N as [N|N]; auto.
    + apply wrote_earlier with s1; auto. eapply IHs; eauto.
    + apply wrote_later with s1 more; auto.
      eapply IHr; eauto.
  - intros r t o n trips_ certain_ s n' s' H O N. exfalso.
    revert N. apply new_keep. cbn [walkStatement] in H.
    eapply (keep_walkLet (part := writes)), H.
  - intros r b st n trips_ certain_ s n' s' H O N. exfalso.
    revert N. apply new_keep. cbn [walkStatement] in H.
    step H x s1 H1. injection H as _ <-. eapply (keep_walkView (part :=
        writes)), H1.
  - intros r p is_ n trips_ certain_ s n' s' H O N. exfalso.
    revert N. apply new_keep. cbn [walkStatement] in H.
    step H x s1 H1. injection H as _ <-. eapply keep_claim, H1.
  - intros r x q n trips_ certain_ s n' s' H O N. exfalso.
    revert N. apply new_keep. cbn [walkStatement] in H.
    step H y s1 H1. injection H as _ <-. eapply (keep_walkLoad (part :=
        writes)), H1.
  - intros v p n trips_ certain_ s n' s' H O N.
    eapply wrote_store; eauto.
  - intros v p is_ n trips_ certain_ s n' s' H O N. exfalso.
    revert N. apply new_keep. cbn [walkStatement] in H.
    step H y s1 H1. injection H as _ <-. eapply (keep_combine (part :=
        writes)), H1.
  - intros r t sh is_ mask q n trips_ certain_ s n' s' H O N. exfalso.
    revert N. apply new_keep. cbn [walkStatement] in H.
    step H y s1 H1. injection H as _ <-. eapply (keep_gather (part :=
        writes)), H1.
  - intros v t sh is_ mask n trips_ certain_ s n' s' H O N.
    cbn [walkStatement] in H. step H y s1 H1. injection H as _ <-.
    eapply wrote_scatter; eauto. eapply scatter_inv; eauto.
  - intros v t sh is_ mask n trips_ certain_ s n' s' H O N. exfalso.
    revert N. apply new_keep. cbn [walkStatement] in H.
    step H y s1 H1. injection H as _ <-. eapply (keep_combineLanes (part :=
        writes)), H1.
  - intros rs counts lower upper by_ counter carried inits body IH n trips_
      certain_ s n' s' H O N.
    eapply wrote_loop; eauto. eapply loop_inv; eauto.
  - intros rs v yes IHy no IHn n trips_ certain_ s n' s' H O N.
    eapply wrote_branch; eauto; [eapply branch_inv; eauto|].
    intros r [->| ->]; eauto.
Qed.

End Structure.

(* Facts that a witness must meet: of the launch, of loops and of branches. *)
Definition demanded (f : scoped) : Prop :=
  match reason_ f with
  | Because InGrid | Because Loop | Because Path => True
  | _ => False
  end.

(* Where all facts before one that is demanded hold, it holds. *)
Definition meets (launch_ : list scoped) (fs : list scoped) (e : values)
  : Prop := forall after f before mid,
  fs = after ++ f :: before -> before = mid ++ launch_ -> demanded f ->
  Forall (fun g => holds e (claims g)) before -> holds e (claims f).
