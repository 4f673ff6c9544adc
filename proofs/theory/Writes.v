(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   What the walk over a kernel notes of its stores: the facts and the trips
   around each. Only statements that store note any. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export Silent.
Import ListNotations.
Open Scope Z_scope.

(* Steps that change nothing. *)

Definition still {A} (g : gen A) : Prop := forall s a s',
  g s = Some (a, s') -> s' = s.

Lemma still_ret {A} (a : A) : still (ret a).
Proof. intros s x s' H. now injection H. Qed.
Lemma still_given {A} (o : option A) : still (given o).
Proof.
  intros s x s' H. unfold given in H. destruct o; [|discriminate].
  now injection H.
Qed.
Lemma still_check b : still (check b).
Proof.
  intros s x s' H. unfold check in H. destruct b; [|discriminate].
  now injection H.
Qed.
Lemma still_then {A B} (g : gen A) (f : A -> gen B) :
  still g -> (forall a, still (f a)) -> still (andThen g f).
Proof.
  intros G F s b s'' H. apply andThen_inv in H as [a [s' [H1 H2]]].
  rewrite (F _ _ _ _ H2). eauto.
Qed.
Lemma still_mapEach {A B} (f : A -> gen B) l :
  (forall x, still (f x)) -> still (mapEach f l).
Proof.
  intro F. induction l; simpl; [apply still_ret|]. apply still_then; auto.
  intro. apply still_then; auto using @still_ret.
Qed.
Lemma still_valueOf n v : still (valueOf n v).
Proof. apply still_given. Qed.
Lemma still_siteOf n v : still (siteOf n v).
Proof. apply still_given. Qed.
Lemma still_numberOf n t v : still (numberOf n t v).
Proof.
  apply still_then; [apply still_valueOf|]. intros [t' m].
  apply still_then; [apply still_check|]. intro. apply still_given.
Qed.
Lemma still_valuesOf n vs : still (valuesOf n vs).
Proof.
  apply still_mapEach. intro v. apply still_then; [apply still_valueOf|].
  intros [t m]. apply still_ret.
Qed.
Lemma still_tensor h t : still (tensorPolys h t).
Proof.
  repeat (apply still_then; [apply still_given|intro]). apply still_ret.
Qed.
Lemma still_root h v p : still (rootPolys h v p).
Proof.
  apply still_then; [apply still_tensor|]. intros [es t].
  apply still_then; [apply still_check|]. intro. apply still_ret.
Qed.
Lemma still_partition h n p : still (partitionPolys h n p).
Proof.
  apply still_then.
  - destruct (of p); [|apply still_given].
    apply still_then; [apply still_tensor|]. intros [es t]. apply still_ret.
  - intros [v way]. apply still_then; [apply still_root|]. intros [es t].
    apply still_ret.
Qed.

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

Lemma new_silent s s' w : writes s' = writes s -> ~ new s s' w.
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

Lemma facts_chain {A} (g : gen A) s a s' fs : scopes g ->
  g s = Some (a, s') -> (exists m, facts s = m ++ fs) ->
  exists m, facts s' = m ++ fs.
Proof.
  intros S H [m E]. destruct (S _ _ _ H) as [m' E'].
  exists (m' ++ m). now rewrite E', E, app_assoc.
Qed.

Lemma paths_tame c : tame (forEach (because Path) c).
Proof. apply tame_forEach. intro f. now apply assume_tame. Qed.
Lemma paths_scopes c : scopes (forEach (because Path) c).
Proof. apply scopes_forEach. intro f. apply assume_scopes. Qed.

Ltac step H x s1 E := apply andThen_inv in H as [x [s1 [E H]]].

(* Steps that keep the facts in scope. *)

Ltac scoped_ :=
  repeat match goal with
    | |- forall _, _ => intro
    | |- scopes (andThen _ _) => apply scopes_then
    | |- scopes (forEach _ _) => apply scopes_forEach
    | |- scopes (mapEach _ _) => apply scopes_mapEach
    | |- scopes (match ?x with _ => _ end) => destruct x
    | |- scopes (let x := _ in _) => cbv zeta
    | |- scopes _ => solve [auto with scopes]
    end.

Section Scoped.

Context (h : header).

Lemma visible_scopes : scopes visible.
Proof. intros s u s' H. injection H as _ <-. now exists []. Qed.
Lemma addSite_scopes st : scopes (addSite st).
Proof. intros s u s' H. injection H as _ <-. now exists []. Qed.
Lemma siteOf_scopes n v : scopes (siteOf n v).
Proof. apply scopes_given. Qed.
Lemma numberOf_scopes n t v : scopes (numberOf n t v).
Proof. unfold numberOf, valueOf. scoped_. Qed.
Lemma valuesOf_scopes n vs : scopes (valuesOf n vs).
Proof. unfold valuesOf, valueOf. scoped_. Qed.
Lemma root_scopes v p : scopes (rootPolys h v p).
Proof. unfold rootPolys, tensorPolys. scoped_. Qed.
Lemma view_scopes n b : scopes (viewPolys h n b).
Proof. unfold viewPolys, tensorPolys. scoped_. Qed.
Hint Resolve root_scopes view_scopes : scopes.
Lemma partition_scopes n p : scopes (partitionPolys h n p).
Proof. unfold partitionPolys. scoped_. Qed.
Lemma indexConstant_scopes x : scopes (indexConstant h x).
Proof. unfold indexConstant. scoped_. Qed.
Hint Resolve indexConstant_scopes : scopes.
Lemma indexConstants_scopes xs : scopes (indexConstants h xs).
Proof. induction xs; cbn [indexConstants]; scoped_; auto with scopes. Qed.
Hint Resolve indexConstants_scopes : scopes.
Hint Resolve visible_scopes addSite_scopes siteOf_scopes numberOf_scopes
  valuesOf_scopes partition_scopes unknown_scopes arithmetic_scopes
  division_scopes : scopes.
Lemma chosen_scopes c t a b : scopes (chosen h c t a b).
Proof. unfold chosen. scoped_. Qed.
Hint Resolve chosen_scopes : scopes.
Lemma join_scopes limit c ab : scopes (join h limit c ab).
Proof. unfold join. scoped_. Qed.
Lemma logicOp_scopes f t x y : scopes (logicOp h f t x y).
Proof.
  unfold logicOp. destruct (eqElement _ _); auto with scopes.
  apply scopes_then; [apply bitwise_scopes|]. intros [p|]; auto with scopes.
Qed.
Hint Resolve logicOp_scopes : scopes.
Lemma walkOp_scopes n t o : scopes (walkOp h n t o).
Proof.
  unfold walkOp, constantOp, indexEntry, numTiles, binaryOp, compareOp,
    selectOp, castOp, valueOf. scoped_.
Qed.
Lemma claim_scopes n p is_ : scopes (claim h n p is_).
Proof. unfold claim, bounds. scoped_. Qed.
Lemma comparedTo_scopes ps t : scopes (comparedTo ps t).
Proof. intros s u s' H. injection H as _ <-. now exists []. Qed.
Lemma spoken_scopes ps : scopes (spoken ps).
Proof.
  intros s u s' H. unfold spoken in H. destruct (forallb _ ps);
    [|discriminate]. injection H as _ <-. now exists [].
Qed.
Hint Resolve comparedTo_scopes spoken_scopes : scopes.
Lemma walkLoad_scopes n s q : scopes (walkLoad h n s q).
Proof. unfold walkLoad, lookUp, bounds, whole. scoped_. Qed.
Lemma anyLane_scopes sh : scopes (anyLane sh).
Proof. unfold anyLane. scoped_. Qed.
Lemma laneUnknown_scopes one r : scopes (laneUnknown h one r).
Proof. unfold laneUnknown, laneOfEntry. scoped_. Qed.
Hint Resolve walkOp_scopes anyLane_scopes laneUnknown_scopes : scopes.
Lemma laneOp_scopes n one o : scopes (laneOp h n one o).
Proof. unfold laneOp. scoped_. Qed.
Lemma readAt_scopes read vs at_ : (forall v at_ r, scopes (read v at_ r)) ->
  forall r, scopes (readAt read vs at_ r).
Proof.
  intro R. induction vs as [|v vs IH]; intro r; cbn [readAt]; [scoped_|].
  apply scopes_then; [apply R|]. intros [[t m] r'].
  apply scopes_then; [apply IH|]. intros [ls r'']. scoped_.
Qed.
Lemma alongAxes_scopes sh : forall p, scopes (alongAxes sh p).
Proof.
  induction sh as [|d sh IH]; intro p; cbn [alongAxes]; scoped_; apply IH.
Qed.
Lemma recast_scopes fuel : forall from to at_, scopes (recast fuel from to at_).
Proof.
  induction fuel as [|fuel IH]; intros from to at_; cbn [recast]; [scoped_|].
  destruct from, to; try (now scoped_); destruct (together _ _ _ _ _ _ _);
    (apply scopes_then; [scoped_|]; intro;
     apply scopes_then; [apply alongAxes_scopes|]; intro;
     apply scopes_then; [apply IH|]; scoped_).
Qed.
Lemma readMade_scopes read n t o at_ r :
  (forall v at_ r, scopes (read v at_ r)) ->
  scopes (readMade h read n t o at_ r).
Proof.
  intro R. unfold readMade, laneOfEntry.
  destruct (isLost _ _); [scoped_|].
  assert (Ops : forall vs, scopes (let* (l, r) := readAt read vs at_ r in
        let* e := laneOp h (bindLanes n l) (scalarType (lanes t)) o in
        let* (t, m) := laneOfEntry e in ret (t, m, r))).
  { intro vs. apply scopes_then; [now apply readAt_scopes|]. intros [l r'].
    apply scopes_then; [apply laneOp_scopes|]. intros [t' m'| |];
      cbn [laneOfEntry]; scoped_. }
  destruct o; cbn [operandsOf]; auto with scopes; try (now scoped_).
  destruct f; auto. apply scopes_then; [apply recast_scopes|]. auto.
Qed.
Lemma readFetched_scopes read n t f at_ r :
  (forall v at_ r, scopes (read v at_ r)) ->
  scopes (readFetched h read n t f at_ r).
Proof.
  intro R. unfold readFetched.
  apply scopes_then; [scoped_|]. intros [[t' m] r'].
  destruct m; try (now scoped_). apply scopes_then; [|scoped_].
  destruct f as [number tl index padded|number [v|]];
    cbn [paddedWays]; unfold tensorPolys.
  - scoped_.
  - apply scopes_then; [apply R|]. scoped_.
  - scoped_.
Qed.
Lemma laneAt_scopes fuel n : forall v at_ r, scopes (laneAt h fuel n v at_ r).
Proof.
  induction fuel as [|fuel IH]; intros v at_ r; cbn [laneAt];
    (apply scopes_then; [unfold valueOf; scoped_|]; intros [t m];
     destruct (isScalar t); [scoped_|];
     destruct (if isInteger _ then _ else _); [scoped_|];
     apply scopes_then; [|intros [[t' m'] r']; scoped_]); [scoped_|].
  destruct (_ <? _)%N; [scoped_|]. unfold readBack.
  destruct (madeBy n v); [now apply readMade_scopes|].
  destruct (fetchedBy n v); [now apply readFetched_scopes|scoped_].
Qed.
Lemma within_scopes {A} (g : gen A) : scopes (within g).
Proof.
  intros s a s' H. unfold within, visible, release in H.
  apply andThen_inv in H as [fs [s1 [H1 H]]]. injection H1 as <- <-.
  apply andThen_inv in H as [b [s2 [H2 H]]].
  apply andThen_inv in H as [u [s3 [H3 H]]]. injection H3 as _ <-.
  injection H as _ <-. now exists [].
Qed.
Lemma walkLet_scopes n r t o : scopes (walkLet h n r t o).
Proof.
  unfold walkLet, owedLanes. apply scopes_then; [|scoped_].
  destruct (isOwed _ _ _); [|apply walkOp_scopes].
  apply scopes_then; [scoped_|]. intro vs.
  apply scopes_then; [unfold valueOf; scoped_|]. intro ts.
  apply scopes_then; [scoped_|]. intro u.
  apply scopes_then; [apply within_scopes|scoped_].
Qed.
Lemma gather_scopes n t sh index mask : scopes (gather_ h n t sh index mask).
Proof.
  unfold gather_, tensorPolys, valueOf.
  apply scopes_then; [scoped_|]. intros [es ten].
  apply scopes_then; [scoped_|]. intro ts. apply scopes_then; [scoped_|].
  intro tm. apply scopes_then; [scoped_|]. intro u.
  apply scopes_then; [apply within_scopes|]. intro. apply unknown_scopes.
Qed.
Lemma combine_scopes n v p is_ : scopes (combine_ h n v p is_).
Proof. unfold combine_, valueOf, bounds. scoped_. Qed.
Lemma walkView_scopes n b st : scopes (walkView h n b st).
Proof. unfold walkView, stepOfPolys, amountPoly, oweStep. scoped_. Qed.

Lemma code_scopes :
  (forall r n trips certain, scopes (walkRegion h r n trips certain)) /\
  (forall st n trips certain, scopes (walkStatement h st n trips certain)).
Proof.
  apply code_all; cbn [walkRegion walkStatement]; intros.
  - apply valuesOf_scopes.
  - apply scopes_then; auto.
  - apply walkLet_scopes.
  - apply scopes_then; [apply walkView_scopes|]. intro. apply scopes_ret.
  - apply scopes_then; [apply claim_scopes|]. intro. apply scopes_ret.
  - apply scopes_then; [apply walkLoad_scopes|]. intro. apply scopes_ret.
  - unfold valueOf, addWrite. scoped_.
    intros s u s' H. injection H as _ <-. now exists [].
  - apply scopes_then; [apply combine_scopes|]. intro. apply scopes_ret.
  - apply scopes_then; [apply gather_scopes|]. intro. apply scopes_ret.
  - intros s n' s' W. steps. unfold release, visible in *.
    match goal with V : Some (facts _, _) = _ |- _ => injection V as <- <- end.
    match goal with V : Some (tt, _) = _ |- _ => injection V as _ <- end.
    match goal with M : mapEach (unknown h) _ (Scope _ _ _ _ _ _) = _ |- _ =>
      destruct (scopes_mapEach _ _ (unknown_scopes h) _ _ _ M) as [more F] end.
    match goal with O : owe LoopStep _ _ _ = _ |- _ =>
      destruct (owe_scopes _ _ _ _ _ _ O) as [more' F'] end.
    repeat match goal with N : numberOf _ _ _ ?x = Some (_, ?y) |- _ =>
      pose proof (still_numberOf _ _ _ _ _ _ N); subst y; clear N end.
    exists (more ++ more'). now rewrite F, <- app_assoc, <- F'.
  - intros s n' s' W. steps. destruct a as [tc mc]. cbv beta iota in W. steps.
    unfold release, visible in *.
    match goal with V : valueOf _ _ _ = _ |- _ =>
      apply still_valueOf in V; subst end.
    repeat match goal with
    | V : Some (facts _, _) = _ |- _ => injection V as <- <-
    | V : Some (next _, _) = _ |- _ => injection V as <- <-
    | V : Some (tt, _) = _ |- _ => injection V as _ <-
    end.
    match goal with M : mapEach (join _ _ _) _ (Scope _ _ _ _ _ _) = _ |- _ =>
      destruct (scopes_mapEach _ _ (join_scopes _ _) _ _ _ M) as [more F] end.
    exists more. exact F.
Qed.

End Scoped.

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
    owe LoopStep (plus st (-1)) true s = Some (tt, s1) -> leads s s1 ->
    fresh_ s1 = Some (trip, s2) -> leads s1 s2 ->
    because Loop (GeZ (variable trip)) s2 = Some (tt, s3) -> leads s2 s3 ->
    because Loop (GeZ (sub (plus high (-1)) count)) s3 = Some (tt, s4) ->
    leads s3 s4 ->
    owe LoopWidth (sub (sub (constant (maxOf h counts)) count) st) false s4
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
  destruct (owe_tame _ _ _ _ _ _ H4 O) as [O1 G1].
  step H fs s0 H5. injection H5 as <- <-.
  step H trip s2 H6. pose proof H6 as F. injection F as <- _.
  destruct (fresh_tame _ _ _ H6 O1) as [O2 G2].
  step H u2 s3 H7. destruct u2.
  destruct (assume_tame _ (Because Loop) I _ _ _ H7 O2) as [O3 G3].
  step H u3 s4 H8. destruct u3.
  destruct (assume_tame _ (Because Loop) I _ _ _ H8 O3) as [O4 G4].
  step H u4 s5 H9. destruct u4.
  destruct (owe_tame _ _ _ _ _ _ H9 O4) as [O5 G5].
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
    eapply facts_chain; [apply owe_scopes|exact H9|].
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
  apply (app_inv_tail (writes s) [Write_ x trips_ (facts s) certain_] ws) in W.
  subst ws.
  destruct I as [<-|[]]. split; simpl; [|auto|].
  - exists s, []. split; [exact O|]. split; [apply grows_refl|]. split.
    { split; simpl; [lia| | | |]; try (now exists []);
        [|now exists [Write_ x trips_ (facts s) certain_]].
      exists []. split; [reflexivity|]. constructor. lia. }
    now split.
  - exists []. now rewrite app_nil_r.
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
    eapply facts_chain; [apply owe_scopes|exact H9|].
    eapply facts_chain; [apply assume_scopes|exact H8|].
    eapply facts_chain; [apply assume_scopes|exact H7|].
    eapply facts_chain; [apply fresh_scopes|exact H6|].
    eapply owe_scopes, H4. }
  destruct F as [more F]. destruct (plain_fresh _ _ _ H6 O1) as [_ P].
  apply (wrote_inside s sb sy s' more trips_ [trip] certain_ true); auto.
  - now apply grows_trans with sr.
  - constructor; [|constructor]. split; [apply (growsNext _ _ G1)|].
    eapply plain_grows; [|exact P]. eauto 8 using grows_trans.
  - rewrite andb_true_r. eapply IH; eauto.
    + eapply new_same; [| |exact N].
      * rewrite (silent_mapEach (part := writes) _ ts (silent_unknown h) _ _ _
          H12).
        rewrite (silent_owe (part := writes) _ _ _ _ _ _ H9).
        rewrite (silent_assume (part := writes) _ _ _ _ _ H8), (silent_assume
            (part := writes) _ _ _ _ _ H7).
        rewrite (silent_fresh (part := writes) _ _ _ H6). apply (silent_owe
            (part := writes) _ _ _ _ _ _ H4).
      * rewrite (silent_mapEach (part := writes) _ ts (silent_unknown h) _ _ _
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
      eapply (silent_forEach (part := writes)); [|exact H1]. intro f. apply
          silent_looked.
  - destruct (paths_scopes _ _ _ _ H4) as [more F]. rewrite F3 in F.
    apply (wrote_inside s s4 s5 s' more trips_ [] certain_
             (isExact (negated c))); auto.
    rewrite app_nil_r. apply (IH no (or_intror eq_refl) n _ _ _ ns); auto.
    + eapply new_same; [| |exact N].
      * rewrite (silent_forEach (part := writes) _ _
          (fun f => silent_assume f (Because Path))
                   _ _ _ H4).
        now injection H3 as <-.
      * rewrite (silent_mapEach (part := writes) _ _ (silent_join h _ _) _ _ _
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
    revert N. apply new_silent. eapply (silent_valuesOf (part := writes)), H.
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
    revert N. apply new_silent. cbn [walkStatement] in H.
    eapply (silent_walkLet (part := writes)), H.
  - intros r b st n trips_ certain_ s n' s' H O N. exfalso.
    revert N. apply new_silent. cbn [walkStatement] in H.
    step H x s1 H1. injection H as _ <-. eapply (silent_walkView (part :=
        writes)), H1.
  - intros r p is_ n trips_ certain_ s n' s' H O N. exfalso.
    revert N. apply new_silent. cbn [walkStatement] in H.
    step H x s1 H1. injection H as _ <-. eapply silent_claim, H1.
  - intros r x q n trips_ certain_ s n' s' H O N. exfalso.
    revert N. apply new_silent. cbn [walkStatement] in H.
    step H y s1 H1. injection H as _ <-. eapply (silent_walkLoad (part :=
        writes)), H1.
  - intros v p n trips_ certain_ s n' s' H O N.
    eapply wrote_store; eauto.
  - intros v p is_ n trips_ certain_ s n' s' H O N. exfalso.
    revert N. apply new_silent. cbn [walkStatement] in H.
    step H y s1 H1. injection H as _ <-. eapply (silent_combine (part :=
        writes)), H1.
  - intros r t sh is_ mask q n trips_ certain_ s n' s' H O N. exfalso.
    revert N. apply new_silent. cbn [walkStatement] in H.
    step H y s1 H1. injection H as _ <-. eapply (silent_gather (part :=
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
