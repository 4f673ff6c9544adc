(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Every element of an output has a block that certainly writes it. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export Written WitnessSound.
Import ListNotations.
Open Scope Z_scope.

Ltac step H x s1 E := apply andThen_inv in H as [x [s1 [E H]]].

(* A store as the walk notes it, in a kernel whose walk ended here. *)
Record noted (launch_ : list scoped) (sB : scope) (w : write) : Prop := Noted
  { notedFacts : exists more, writeFacts w = more ++ launch_;
    notedSourced : Forall (sourced (defined sB)) (writeFacts w);
    notedBound : Forall (fun f => boundFact (next sB) (claims f))
                   (writeFacts w);
    notedTrips : forall v, In v (trips w) -> plainVar sB v }.

Lemma wrote_noted launch_ s sB t c w : wrote s sB t c w ->
  (exists more, facts s = more ++ launch_) ->
  (forall v, In v t -> plainVar sB v) -> noted launch_ sB w.
Proof.
  intros [[sw [more [O [G [G' [E F]]]]]] _ [inner [T P]]] [m0 F0] Pt.
  destruct (growsDefined _ _ G') as [ds [D _]]. destruct O as [OF OD OS].
  split.
  - exists (more ++ m0). now rewrite E, F, F0, app_assoc.
  - rewrite E, D. eapply Forall_impl; [|exact OS].
    intros f. apply sourced_more.
  - rewrite E. eapply Forall_impl; [|exact OF].
    intros f. apply boundFact_le, G'.
  - intros v V. rewrite T, in_app_iff in V. destruct V as [V|V]; auto.
    rewrite Forall_forall in P. now apply P.
Qed.

Lemma in_candidates number ws w : In w (candidates number ws) ->
  In w ws /\ root (seen (through w)) = number.
Proof.
  intro I. apply in_app_iff in I as [I|I]; apply filter_In in I as [I _];
    apply filter_In in I as [I E]; apply Nat.eqb_eq in E; now split.
Qed.

(* Stores are tried in order. *)
Lemma coverBy_inv h launch_ from until es clause : forall ws s u s',
  coverBy h launch_ from until es clause ws s = Some (u, s') ->
  (exists w, In w ws /\ certain w = true /\
     coverOne h launch_ from until es clause w s = Some (tt, s')) \/
  exists elt s1, assumeElement es s = Some (elt, s1) /\
    emit OutCovered (constant (-1)) false s1 = Some (u, s').
Proof.
  induction ws as [|w ws IH]; intros s u s' H; cbn [coverBy] in H.
  - right. step H elt s1 H1. eauto.
  - assert (L : coverBy h launch_ from until es clause ws s = Some (u, s') ->
      (exists w', In w' (w :: ws) /\ certain w' = true /\
         coverOne h launch_ from until es clause w' s = Some (tt, s')) \/
      exists elt s1, assumeElement es s = Some (elt, s1) /\
        emit OutCovered (constant (-1)) false s1 = Some (u, s')).
    { intro H'. apply IH in H' as [[w' [I X]]|X]; [left|now right].
      exists w'. split; [now right|exact X]. }
    destruct (certain w) eqn:C; [cbn [andb] in H|now apply L].
    destruct (meetsClause h clause w); [|now apply L].
    destruct (coverOne _ _ _ _ _ _ w s) as [[[] s2]|] eqn:E; [|now apply L].
    injection H as _ <-. left. exists w. split; [now left|now split].
Qed.

Section Outputs.

Context (h : header) (launch_ : list scoped) (sA sB : scope) (e0 : values).
Context (orderA : orderly sA) (trueA : true_ sA e0)
  (factsA : facts sA = launch_) (growsB : grows sA sB) (orderB : orderly sB)
  (idsB : Forall (fun v => v < next sB)%positive (idVars h)).

Notation coverHere := (coverOne h launch_ (next sA) (next sB)).

Lemma noted_grows es clause w s s' : noted launch_ sB w ->
  coverHere es clause w s = Some (tt, s') -> orderly s -> grows sB s ->
  grows s s' /\ Forall (boundDefinition (next s')) (defined s').
Proof.
  intros [[more F] So _ _] H O G.
  apply (cover_inv h launch_ (next sA) (next sB) w more es F clause) in H.
  eapply covers_grows; eauto.
Qed.

Lemma noted_meets es clause w x s s' : noted launch_ sB w ->
  coverHere es clause w s = Some (tt, s') -> orderly s -> facts s = launch_ ->
  grows sB s -> Forall discharged (vcs s') -> Forall (below_ (next sA)) es ->
  inBox (map (eval e0) es) x ->
  exists wit : Poly.var -> Z, forall e1, agrees (next sA) e0 e1 ->
    (forall v, In v (idVars h ++ trips w) -> e1 v = wit v) ->
    Forall (canonical e1) (defined sB) ->
    meets launch_ (writeFacts w) e1 /\
    (Forall (fun f => holds e1 (claims f)) (writeFacts w) ->
     lands e1 (map (eval e0) es) (through w) x).
Proof.
  intros [[more F] So Bo Tr] H O Fl G P B I.
  apply (cover_inv h launch_ (next sA) (next sB) w more es F clause) in H.
  eapply (covers_meets h launch_ (next sA) (next sB) sA sB e0 w more es x);
    eauto; try reflexivity.
  - apply orderB.
  - apply Forall_forall. intros v V. now apply Tr.
Qed.

(* With no store left to try, the condition is false. *)
Lemma uncovered_undischarged es x s u elt s1 s' :
  assumeElement es s = Some (elt, s1) ->
  emit OutCovered (constant (-1)) false s1 = Some (u, s') ->
  orderly s -> facts s = launch_ -> grows sB s -> Forall discharged (vcs s') ->
  Forall (below_ (next sA)) es -> inBox (map (eval e0) es) x -> False.
Proof.
  intros H1 H2 O Fl G P B I.
  destruct (assumeElement_means _ _ _ _ H1 O)
    as [vs [_ [L [Nd [F [_ [_ [_ M]]]]]]]].
  set (e := update e0 vs x).
  assert (A : agrees (next sA) e0 e).
  { intros v V. symmetry. apply update_other. intro X.
    rewrite Forall_forall in F. specialize (F v X). simpl in F.
    pose proof (growsNext _ _ G). pose proof (growsNext _ _ growsB). lia. }
  assert (E : map e vs = x).
  { apply update_results; [exact Nd|]. rewrite (box_length _ _ I), L.
    apply map_length. }
  assert (T0 : Forall (meant e) (facts s)).
  { rewrite Fl, <- factsA. apply (true_agrees sA e0 e orderA A) in trueA.
    destruct trueA as [TF TD]. destruct orderA as [_ _ OS].
    rewrite Forall_forall in *. intros f X. split; [auto|].
    specialize (OS f X). unfold sourced in OS.
    destruct (reason_ f) as [|d part|]; auto. apply TD, OS. }
  assert (T1 : Forall (meant e) (facts s1)).
  { apply M; [|exact T0].
    apply (box_means e0 e (next sA) es A B vs).
    pose proof I as I'. rewrite <- E in I'. exact I'. }
  destruct (emit_emits e _ _ _ _ _ _ H2) as [_ K].
  specialize (K P (meant_holds e _ T1)). rewrite constant_eval in K. lia.
Qed.

(* Between outputs. *)
Definition between (s : scope) : Prop :=
  grows sB s /\ Forall (boundDefinition (next s)) (defined s).

Lemma between_release s : between s -> exists s',
  release launch_ s = Some (tt, s') /\ orderly s' /\ grows s s' /\
  facts s' = launch_ /\ between s'.
Proof.
  intros [G D]. eexists. split; [reflexivity|]. simpl.
  destruct (launch_sourced launch_ sA sB orderA factsA growsB (Scope (next s)
    launch_ (defined s) (vcs s) (sites s) (writes s))) as [B S]; auto.
  { eapply grows_trans; [exact G|apply (same_grows s _ [])]. }
  split; [now split|]. split; [apply (same_grows s _ [])|].
  split; [reflexivity|]. split; [|exact D].
  eapply grows_trans; [exact G|apply (same_grows s _ [])].
Qed.

(* Where an output is covered. *)
Definition coveredAt (t : tensor) (number : nat) (ws : list write) (s' : scope)
  : Prop := exists es clause s1 s2 u, extentPolys (symbolVars h) t = Some es /\
  coverBy h launch_ (next sA) (next sB) es clause
    (candidates number ws) s1
    = Some (u, s2) /\
  orderly s1 /\ facts s1 = launch_ /\ grows sB s1 /\ grows s2 s'.

Lemma coverBy_between es clause ws s u s' :
  (forall w, In w ws -> noted launch_ sB w) ->
  coverBy h launch_ (next sA) (next sB) es clause ws s = Some (u, s') ->
  orderly s ->
  grows sB s -> grows s s' /\ between s'.
Proof.
  intros W H O G.
  assert (K : grows s s' /\ Forall (boundDefinition (next s')) (defined s')).
  { apply coverBy_inv in H as [[w [I [_ H]]]|[elt [s1 [H1 H2]]]].
    - eapply noted_grows; eauto.
    - destruct (assumeElement_means _ _ _ _ H1 O)
        as [vs [_ [_ [_ [_ [_ [O1 [G1 _]]]]]]]].
      destruct (emit_tame _ _ _ _ _ _ H2 O1) as [O2 G2].
      split; [eauto using grows_trans|apply O2]. }
  destruct K as [K1 K2]. split; [exact K1|]. split; [|exact K2].
  eauto using grows_trans.
Qed.

Lemma walkOutputs_covers ws : (forall w, In w ws -> noted launch_ sB w) ->
  forall args number s u s',
  walkOutputs h launch_ (next sA) (next sB) number args ws s = Some (u, s') ->
  between s -> grows s s' /\
  forall n t, nth_error args n = Some (TensorArg t) -> mode_ t = Out false ->
    coveredAt t (number + n) ws s'.
Proof.
  intro W. induction args as [|a args IH]; intros number s u s' H B;
    cbn [walkOutputs] in H.
  { injection H as _ <-. split; [apply grows_refl|].
    intros [|n] t X; discriminate X. }
  step H u1 s1 H1.
  assert (K : grows s s1 /\ between s1 /\
    forall t, a = TensorArg t -> mode_ t = Out false ->
      forall s', grows s1 s' -> coveredAt t number ws s').
  { assert (Skip : ret tt s = Some (u1, s1) -> (forall t, a = TensorArg t ->
        mode_ t = Out false -> False) -> grows s s1 /\ between s1 /\
      forall t, a = TensorArg t -> mode_ t = Out false ->
        forall s', grows s1 s' -> coveredAt t number ws s').
    { intros R N. injection R as _ <-. split; [apply grows_refl|].
      split; [exact B|]. intros t E M. destruct (N t E M). }
    destruct a as [t|f]; [|apply Skip; [exact H1|discriminate]].
    destruct (mode_ t) as [| |[|]|] eqn:M;
      try (apply Skip; [exact H1|]; intros t' E M'; injection E as <-;
           congruence).
    step H1 es s2 H2. pose proof (still_given _ _ _ _ H2). subst s2.
    unfold given in H2. destruct (extentPolys _ t) as [es'|] eqn:Ex;
      [|discriminate]. injection H2 as ->.
    destruct (between_release s B) as [s2 [R2 [O2 [G2 [F2 B2]]]]].
    step H1 u3 s3 H3. rewrite R2 in H3. injection H3 as <- <-.
    step H1 u4 s4 H4.
    destruct (coverBy_between es _ _ _ _ _
      (fun w I => W w (proj1 (in_candidates _ _ _ I))) H4 O2 (proj1 B2))
      as [G4 B4].
    destruct (between_release s4 B4) as [s5 [R5 [O5 [G5 [F5 B5]]]]].
    rewrite R5 in H1. injection H1 as _ <-.
    split; [eauto using grows_trans|]. split; [exact B5|].
    intros t' E _ s6 G6. injection E as <-.
    eexists es, _, s2, s4, u4. split; [exact Ex|]. split; [exact H4|].
    split; [exact O2|]. split; [exact F2|]. split; [apply B2|].
    eauto using grows_trans. }
  destruct K as [G1 [B1 K]]. destruct (IH _ _ _ _ H B1) as [G' C].
  split; [eauto using grows_trans|]. intros [|n] t E M.
  - injection E as ->. rewrite Nat.add_0_r. now apply (K t).
  - rewrite Nat.add_succ_r. now apply (C n t).
Qed.

End Outputs.

(* Block ids. *)

Lemma assumeId_tame g : tame (assumeId g).
Proof.
  apply tame_then; [apply fresh_tame|]. intro v.
  apply tame_then; [now apply assume_tame|]. intro.
  apply tame_then; [now apply assume_tame|]. intro. apply tame_ret.
Qed.
Lemma assumeId_scopes g : scopes (assumeId g).
Proof.
  apply scopes_then; [apply fresh_scopes|]. intro v.
  apply scopes_then; [apply assume_scopes|]. intro.
  apply scopes_then; [apply assume_scopes|]. intro. apply scopes_ret.
Qed.
Lemma assumeId_keep g : writesNothing (assumeId g).
Proof.
  apply keep_then; [apply keep_fresh|]. intro v.
  apply keep_then; [apply keep_lookup|]. intro.
  apply keep_then; [apply keep_lookup|]. intro. apply keep_ret.
Qed.

Lemma assumeId_looks g : keeps looks (assumeId g).
Proof. unfold assumeId. writesNothing. Qed.

Lemma ids_introduced : forall gs s vs s1,
  mapEach assumeId gs s = Some (vs, s1) -> orderly s ->
  Forall (fun v => next s <= v /\ plainVar s1 v)%positive vs.
Proof.
  induction gs as [|g gs IH]; simpl; intros s vs s1 H O.
  { injection H as <- <-. constructor. }
  step H v s2 H1. step H xs s3 H2. injection H as <- <-.
  destruct (assumeId_tame g _ _ _ H1 O) as [O2 G2].
  destruct (tame_mapEach _ _ assumeId_tame _ _ _ H2 O2) as [_ G3].
  constructor.
  - step H1 v' s4 H3. destruct (plain_fresh _ _ _ H3 O) as [E P].
    destruct (fresh_tame _ _ _ H3 O) as [O4 _].
    step H1 u1 s5 H4. destruct (assume_tame _ (Because InGrid) I _ _ _ H4 O4)
      as [O5 G5].
    step H1 u2 s6 H5. destruct (assume_tame _ (Because InGrid) I _ _ _ H5 O5)
      as [O6 G6]. injection H1 as -> ->.
    split; [lia|]. eapply plain_grows; [|exact P]. eauto using grows_trans.
  - eapply Forall_impl; [|exact (IH _ _ _ H2 O2)]. intros u [U1 U2].
    pose proof (growsNext _ _ G2). split; [lia|exact U2].
Qed.

(* What the launch demands of them. *)
Lemma ids_meet launch_ fs e : meets launch_ fs e -> forall gs s vs s1 after mid,
  mapEach assumeId gs s = Some (vs, s1) -> fs = after ++ facts s1 ->
  facts s = mid ++ launch_ -> Forall (fun f => holds e (claims f)) (facts s) ->
  Forall (fun f => holds e (claims f)) (facts s1) /\
  Forall2 (fun v g => 0 <= e v <= eval e g - 1) vs gs.
Proof.
  intro M.
  induction gs as [|g gs IH]; simpl; intros s vs s1 after mid H F Mi Hs.
  { injection H as <- <-. auto. }
  step H v s2 H1. step H xs s3 H2. injection H as <- <-.
  destruct (scopes_mapEach _ gs assumeId_scopes _ _ _ H2) as [more E].
  step H1 v' s4 H3. step H1 u1 s5 H4. step H1 u2 s6 H5. injection H1 as -> ->.
  injection H3 as <- <-. apply assume_inv in H4 as [_ ->].
  apply assume_inv in H5 as [_ ->]. simpl in *.
  set (f1 := Scoped (GeZ (variable (next s))) (Because InGrid)) in *.
  set (f2 := Scoped (GeZ (sub (plus g (-1)) (variable (next s))))
               (Because InGrid)) in *.
  assert (Hf1 : holds e (claims f1)).
  { apply (M (after ++ more ++ [f2]) f1 (facts s) mid); auto; [|exact I].
    rewrite F, E, <- !app_assoc. reflexivity. }
  assert (Hf2 : holds e (claims f2)).
  { apply (M (after ++ more) f2 (f1 :: facts s) (f1 :: mid)); auto.
    - rewrite F, E, <- !app_assoc. reflexivity.
    - now rewrite Mi.
    - exact I. }
  destruct (IH _ _ _ after (f2 :: f1 :: mid) H2 F) as [K1 K2].
  - simpl. now rewrite Mi.
  - simpl. auto.
  - split; [exact K1|]. constructor; [|exact K2].
    apply holds_ge in Hf1, Hf2. rewrite variable_eval in Hf1.
    rewrite sub_eval, plus_eval, variable_eval in Hf2. lia.
Qed.

Lemma launched_header w k h l e ids : launched w k h l e ->
  launched w k (Header (kernel_ h) (bits h) (symbolVars h) (gridPolys h) ids
                  (givenPolys h)) l e.
Proof. intros []. now split. Qed.

(* The values with which a block starts. *)

Lemma argumentNames_find : forall args number ns v x,
  PositiveMap.find v (entries (argumentNames number args ns)) = Some x ->
  (exists i t, nth_error args i = Some (FloatArg t) /\
     v = argumentVar (number + i) /\ x = Val (scalarType t) Plain) \/
  PositiveMap.find v (entries ns) = Some x.
Proof.
  induction args as [|[t|t] args IH]; intros number ns v x F; simpl in F; auto.
  - apply IH in F as [[i [t' [N [-> ->]]]]|F]; [left|now right].
    exists (S i), t'. now rewrite Nat.add_succ_r.
  - apply IH in F as [[i [t' [N [-> ->]]]]|F].
    + left. exists (S i), t'. now rewrite Nat.add_succ_r.
    + apply bindName_find in F as [[-> ->]|[_ F]]; [left|now right].
      exists O, t. now rewrite Nat.add_0_r.
Qed.
Lemma argumentNames_stored : forall args number ns, stored ns = [] ->
  stored (argumentNames number args ns) = [].
Proof.
  induction args as [|[t|t] args IH]; intros number ns S; simpl; auto.
  apply IH. simpl. now rewrite S.
Qed.

Lemma argumentNames_made : forall args number ns, made ns = [] ->
  made (argumentNames number args ns) = [].
Proof.
  induction args as [|[t|t] args IH]; intros number ns S; simpl; auto.
  apply IH. simpl. now rewrite S.
Qed.

Lemma argumentNames_loaded : forall args number ns, loaded ns = [] ->
  loaded (argumentNames number args ns) = [].
Proof.
  induction args as [|[t|t] args IH]; intros number ns S; simpl; auto.
  apply IH. simpl. now rewrite S.
Qed.

Lemma initial_find k l i t : nth_error (arguments k) i = Some (FloatArg t) ->
  PositiveMap.find (argumentVar i) (initial k l) = Some (Lanes [scalarOf l i]).
Proof.
  intro N. unfold initial.
  assert (L : In i (seq 0 (length (arguments k)))).
  { apply in_seq. split; [lia|]. simpl. apply nth_error_Some. congruence. }
  revert L. generalize (PositiveMap.empty binding) as e.
  generalize (seq 0 (length (arguments k))) as ns.
  assert (K : forall ns e,
    In i ns \/
    PositiveMap.find (argumentVar i) e = Some (Lanes [scalarOf l i]) ->
    PositiveMap.find (argumentVar i)
      (fold_left (fun e n => match nth_error (arguments k) n with
                             | Some (FloatArg _) =>
                                 set_ e (argumentVar n) [scalarOf l n]
                             | _ => e
                             end) ns e) = Some (Lanes [scalarOf l i])).
  { induction ns as [|n ns IH]; intros e H; simpl; [now destruct H|].
    apply IH. destruct (Nat.eq_dec n i) as [->|Ne].
    - right. rewrite N. unfold set_. apply PositiveMap.gss.
    - destruct H as [[H|H]|H]; [contradiction|now left|right].
      destruct (nth_error (arguments k) n) as [[|]|]; auto.
      unfold set_. rewrite PositiveMap.gso; [exact H|]. intro E. apply Ne.
      unfold argumentVar in E. lia. }
  intros ns e I. apply K. now left.
Qed.

Lemma initial_described w k h l e0 e d : launched w k h l e0 ->
  describes w l e (argumentNames 0 (arguments k) noNames) (initial k l) d.
Proof.
  intro La. split; [|split; [|split]].
  - intros v x F. apply argumentNames_find in F as [[i [t [N [-> ->]]]]|F].
    + exists [scalarOf l i]. split; [now apply (initial_find k l i t)|].
      destruct (areScalars _ _ _ _ _ La i t N) as [a [b ->]].
      split; [reflexivity|]. split; [reflexivity|]. split; [|exact I].
      constructor; [exact I|constructor].
    + simpl in F. now rewrite PositiveMap.gempty in F.
  - intros v V. now rewrite argumentNames_stored in V.
  - intros v o V. now rewrite argumentNames_made in V.
  - intros v f V. now rewrite argumentNames_loaded in V.
Qed.

(* The names of arguments say nothing of variables. *)
Lemma arguments_bound n : forall args number ns, boundNames n ns ->
  boundNames n (argumentNames number args ns).
Proof.
  induction args as [|[t|f] args IH]; intros number ns B; simpl; auto.
  apply IH. now apply bindName_bound.
Qed.
Lemma names_bound n args : boundNames n (argumentNames 0 args noNames).
Proof.
  apply arguments_bound. intros v x F. simpl in F.
  now rewrite PositiveMap.gempty in F.
Qed.

Section Coverage.

Context (k : kernel) (h0 h : header) (sA sB sC sD : scope).
Context (orderA : orderly sA) (kernelA : kernel_ h0 = k)
  (wideA : 8 <= bits h0 <= 64) (writesA : writes sA = []).
Context (walked : walkBody h0 sA = Some (h, sB)).
Context (growsC : grows sB sC) (definedC : defined sC = defined sB).
Context (outputs : walkOutputs h (facts sA) (next sA) (next sB) 0 (arguments k)
                     (rev (writes sB)) sC = Some (tt, sD)).

(* The walk over the body, and its stores. *)
Inductive walkedBody : Prop :=
  | walked_by vs s1 es mid :
    mapEach assumeId (gridPolys h0) sA = Some (vs, s1) ->
    h = Header (kernel_ h0) (bits h0) (symbolVars h0) (gridPolys h0) vs
          (givenPolys h0) ->
    walkRegion h (body k) (argumentNames 0 (arguments k) noNames) [] true s1
      = Some (es, sB) ->
    8 <= bits h <= 64 ->
    leads sA s1 -> leads s1 sB -> facts s1 = mid ++ facts sA ->
    Forall (fun v => next sA <= v /\ plainVar s1 v)%positive vs ->
    (forall wr, In wr (rev (writes sB)) -> new s1 sB wr) ->
    (forall wr, In wr (rev (writes sB)) -> wrote s1 sB [] true wr) ->
    walkedBody.

Lemma walkBody_inv : walkedBody.
Proof.
  pose proof walked as H. unfold walkBody in H.
  step H vs s1 H1. step H es s2 H2. injection H as Eh E2. subst s2.
  assert (Wide : 8 <= bits h <= 64).
  { now rewrite <- Eh. }
  rewrite Eh in H2.
  destruct (tame_mapEach _ _ assumeId_tame _ _ _ H1 orderA) as [O1 G1].
  destruct (proj1 (code_tame h Wide) _ _ _ _ _ _ _ H2 O1) as [O2 G2].
  destruct (scopes_mapEach _ _ assumeId_scopes _ _ _ H1) as [mid F1].
  assert (W1 : writes s1 = []).
  { rewrite <- writesA. apply (keep_mapEach (part := writes) _ _
      assumeId_keep _ _ _ H1). }
  assert (New : forall wr, In wr (rev (writes sB)) -> new s1 sB wr).
  { intros wr I. apply in_rev in I. exists (writes sB). split; [|exact I].
    now rewrite W1, app_nil_r. }
  assert (Kh : kernel_ h = k).
  { now rewrite <- Eh. }
  rewrite Kh in H2. apply (walked_by vs s1 es mid); auto; try now split.
  - now apply (ids_introduced _ _ _ _ H1).
  - intros wr I. apply (proj1 (code_wrote h Wide wr) _ _ _ _ _ _ _ H2 O1).
    now apply New.
Qed.

Lemma stores_noted wr : In wr (rev (writes sB)) -> noted (facts sA) sB wr.
Proof.
  intro I. destruct walkBody_inv as [vs s1 es mid _ _ _ _ _ _ F _ _ W].
  apply (wrote_noted (facts sA) s1 sB [] true wr); auto.
  - now exists mid.
  - intros v [].
Qed.

Lemma between_outputs : between sB sC.
Proof.
  split; [exact growsC|]. rewrite definedC.
  destruct walkBody_inv as [_ s1 _ _ _ _ _ _ _ [[_ D _] _] _ _ _ _].
  eapply Forall_impl; [|exact D]. pose proof (growsNext _ _ growsC).
  intros d [A R]. split.
  - eapply Forall_impl; [|exact A]. intros p. now apply below_le.
  - eapply Forall_impl; [|exact R]. intros v V. cbv beta in *. lia.
Qed.

Lemma body_grows : grows sA sB.
Proof.
  destruct walkBody_inv as [_ s1 _ _ _ _ _ _ [_ G1] [_ G2] _ _ _ _].
  eauto using grows_trans.
Qed.

(* The conditions of outputs come after all others. *)
Theorem outputs_grow : grows sC sD.
Proof.
  apply (walkOutputs_covers h (facts sA) sA sB (fun _ => 0) orderA eq_refl
    body_grows
    (rev (writes sB)) stores_noted _ _ _ _ _ outputs between_outputs).
Qed.

Context (w : Z) (l : launch) (given : initial_) (e0 : values) (m : machine)
  (isW : width m = w) (looksA : looks sA = [])
  (keepsIt : keepsGivens k l given = true)
  (trueA : true_ sA e0) (launchedA : launched w k h0 l e0)
  (headerA : boundHeader (next sA) h0) (dischargedD : Forall discharged (vcs sD)).

(* Every element of such an output has a block of the grid that writes it, what-
   ever that block reads. *)
Theorem outputs_written t ten extents x :
  tensorOf k t = Some ten -> mode_ ten = Out false ->
  extentsOf l t = Some extents -> inBox extents x ->
  exists ids, inBox (gridOf l) ids /\ surely k given t x (runBlock m k l ids).
Proof.
  intros Tn Mo Ex In_.
  destruct walkBody_inv as [vs s1 es0 mid H1 Eh H2 Wide [O1 G1] [O2 G2] F1 Pv
    Noted Wrote].
  pose proof body_grows as G12.
  assert (Ev : idVars h = vs) by now rewrite Eh.
  assert (idsB : Forall (fun v => v < next sB)%positive (idVars h)).
  { rewrite Ev. eapply Forall_impl; [|exact Pv]. intros v [_ [V _]].
    pose proof (growsNext _ _ G2). lia. }
  (* The output among the others. *)
  destruct (walkOutputs_covers h (facts sA) sA sB e0 orderA eq_refl G12
    (rev (writes sB)) stores_noted _ _ _ _ _ outputs between_outputs)
    as [GD Cov].
  unfold tensorOf in Tn.
  destruct (nth_error (arguments k) t) as [[t'|]|] eqn:Nt;
    try discriminate. injection Tn as ->.
  destruct (Cov t ten Nt Mo) as
    [es [clause [s3 [s4 [u [Ep [Cb [O3 [F3 [G3 G4]]]]]]]]]].
  simpl in Cb. pose proof (grows_discharged _ _ G4 dischargedD) as P4.
  assert (Pb : Forall discharged (vcs sB)).
  { apply (grows_discharged sB sD); [|exact dischargedD]. eauto using grows_trans. }
  assert (Ep0 : extentPolys (symbolVars h0) ten = Some es).
  { rewrite <- Ep, Eh. reflexivity. }
  assert (Tn : tensorOf k t = Some ten) by (unfold tensorOf; now rewrite Nt).
  destruct (areExtents _ _ _ _ _ launchedA t ten es Tn Ep0) as [Ex' _].
  rewrite Ex in Ex'. injection Ex' as ->.
  pose proof (extentPolys_bound _ _ _ _ headerA Ep0) as Be.
  apply coverBy_inv in Cb as [[wr [I [Ce Co]]]|[elt [s5 [C1 C2]]]].
  2: { exfalso. eapply (uncovered_undischarged (facts sA) sA sB e0 orderA trueA
         eq_refl G12 es x); eauto. }
  apply in_candidates in I as [Iw Of].
  destruct (noted_meets h (facts sA) sA sB e0 orderA trueA eq_refl G12 O2 idsB
    es clause wr x s3 s4 (stores_noted wr Iw) Co O3 F3 G3 P4 Be In_) as [wit Wit].
  destruct (Wrote wr Iw) as [[sw [more [Ow [Gw [Gw' [Ew Fw]]]]]] _
    [inner [Ti Pi]]]. simpl in Ti. subst inner.
  (* The values of that block. *)
  set (e' := fun v => if (v <? next sA)%positive then e0 v else wit v).
  assert (A' : agrees (next sA) e0 e').
  { intros v V. unfold e'. now apply Pos.ltb_lt in V as ->. }
  destruct (grows_complete sA sB e' orderA G12) as [e1 [A1 [C1 K1]]].
  { now apply true_agrees with e0. }
  assert (A01 : agrees (next sA) e0 e1).
  { apply agrees_trans with (next sA) e'; auto. lia. }
  assert (Plain : forall v, (next sA <= v)%positive -> plainVar sB v ->
            e1 v = wit v).
  { intros v V [_ Nr]. rewrite (K1 v Nr). unfold e'.
    destruct (Pos.ltb_spec v (next sA)); [lia|reflexivity]. }
  assert (Wt : forall v, In v (trips wr) -> e1 v = wit v).
  { intros v V. rewrite Forall_forall in Pi. destruct (Pi v V) as [Le P].
    pose proof (growsNext _ _ G1). apply Plain; [lia|exact P]. }
  assert (Wi : forall v, In v vs -> e1 v = wit v).
  { intros v V. rewrite Forall_forall in Pv. destruct (Pv v V) as [Le P].
    apply Plain; [exact Le|]. now apply plain_grows with s1. }
  assert (Wv : forall v, In v (idVars h ++ trips wr) -> e1 v = wit v).
  { intros v V. apply in_app_iff in V as [V|V]; [|auto]. rewrite Ev in V.
    auto. }
  destruct (Wit e1 A01 Wv C1) as [M1 _].
  (* It is one of the grid. *)
  assert (T1 : true_ sA e1) by now apply true_agrees with e0.
  destruct (ids_meet (facts sA) (writeFacts wr) e1 M1 _ _ _ _ more [] H1)
    as [K2 Gi]; [now rewrite Ew|reflexivity|apply T1|].
  exists (map e1 (idVars h)).
  assert (Grid : inBox (gridOf l) (map e1 (idVars h))).
  { rewrite Ev, <- (isGrid _ _ _ _ _ launchedA).
    pose proof (boundHeader_grid _ _ headerA) as Bg. clear - Gi Bg A01.
    induction Gi as [|v g vs gs V Gi IH]; simpl; [constructor|].
    inversion Bg as [|? ? B1 B2]. subst. constructor; [|now apply IH].
    rewrite (agrees_eval _ e0 e1 g A01 B1). lia. }
  split; [exact Grid|].
  destruct (code_sound w k h l m given (map e1 (idVars h)) e0 (next sA) sB
    keepsIt isW Grid Pb) as [SR SS].
  unfold runBlock. apply surely_bind.
  assert (Bh : boundHeader (next s1) h).
  { rewrite Eh. destruct headerA as [B1 [B2 _]].
    pose proof (growsNext _ _ G1). split; [|split]; simpl.
    - eapply Forall_impl; [|exact B1]. cbv beta. intros. lia.
    - eapply Forall_impl; [|exact B2]. intros p. now apply below_le.
    - eapply Forall_impl; [|exact Pv]. now intros v [_ [V _]]. }
  assert (Lh : launched w k h l e1).
  { rewrite Eh. apply launched_header.
    now apply launched_agrees with (next sA) e0. }
  destruct (code_writes w k h l m given (map e1 (idVars h)) e0 (next sA) sB
    (facts sA) isW Grid Wide SR SS Pb wr t x (map (eval e0) es) wit Of Ex Ce)
    as [Go _].
  - intros v V. rewrite Forall_forall in Pi. now apply Pi.
  - intros e A Id C Tr. apply Wit; auto. intros v V.
    apply in_app_iff in V as [V|V]; [|auto]. rewrite <- Wv.
    + clear - Id V. revert V.
      induction (idVars h) as [|u us IH]; [contradiction|].
      simpl in Id. injection Id as E Es. intros [->|V]; auto.
    + apply in_or_app. now left.
  - eapply (Go _ _ _ _ _ _ _ e1 _ (fun _ _ => False) H2); auto.
    + split; auto.
      * split; [exact K2|]. destruct (growsDefined _ _ G2) as [ds [E _]].
        rewrite E in C1. now apply Forall_app in C1.
      * apply G1.
      * now exists mid.
      * replace (looks s1) with (@nil lookup); [constructor|].
        rewrite <- looksA. symmetry.
        apply (keep_mapEach (part := looks) _ _ assumeId_looks _ _ _ H1).
    + apply names_bound.
    + now apply (initial_described w k h l e1).
    + apply grows_refl.
Qed.

End Coverage.
