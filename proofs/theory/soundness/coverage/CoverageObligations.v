(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The facts that coverage may use and the conditions that it emits: what the
   launch determines, and conditions one fact at a time. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export Writes.
Import ListNotations.
Open Scope Z_scope.

Ltac step H x s1 E := apply andThen_inv in H as [x [s1 [E H]]].

(* Polynomials whose variables have the same values. *)

Lemma same_eval (e e' : values) p :
  (forall v, In v (variables p) -> e v = e' v) -> eval e p = eval e' p.
Proof.
  intro S. apply eval_ext. intros v V. apply S. unfold variables, contains in *.
  apply existsb_exists in V as [t [I V]]. apply in_flat_map. exists t.
  split; [exact I|]. apply existsb_exists in V as [u [U V]].
  apply Pos.eqb_eq in V. now subst u.
Qed.

(* What the launch determines. *)

Lemma add_all_mem v : forall vs m,
  PositiveMap.mem v (fold_left (fun m v => PositiveMap.add v tt m) vs m) = true
  -> In v vs \/ PositiveMap.mem v m = true.
Proof.
  induction vs as [|u vs IH]; intros m H; simpl in *; [now right|].
  apply IH in H as [H|H]; [now left; right|].
  destruct (Pos.eq_dec u v) as [->|N]; [now left; left|right].
  rewrite PositiveMap.mem_find in *. now rewrite PositiveMap.gso in H by auto.
Qed.

Lemma below_limit v limit :
  In v (map Pos.of_succ_nat (seq 0 (Pos.to_nat limit - 1))) <->
  (v < limit)%positive.
Proof.
  rewrite in_map_iff. split.
  - intros [n [<- I]]. apply in_seq in I. lia.
  - intro L. exists (pred (Pos.to_nat v)). split; [|apply in_seq; lia]. lia.
Qed.

Lemma constants_agree limit ds fs (e e' : values) v :
  Forall (sourced ds) fs -> Forall (canonical e) ds ->
  Forall (canonical e') ds -> agrees limit e e' ->
  PositiveMap.mem v (launchConstants limit fs) = true -> e v = e' v.
Proof.
  intros S C C' A. unfold launchConstants.
  assert (K : forall u, PositiveMap.mem u
    (fold_left (fun m v => PositiveMap.add v tt m)
       (map Pos.of_succ_nat (seq 0 (Pos.to_nat limit - 1)))
       (PositiveMap.empty unit)) = true -> e u = e' u).
  { intros u U. apply add_all_mem in U as [U|U].
    - apply A. now apply below_limit.
    - now rewrite PositiveMap.mem_find, PositiveMap.gempty in U. }
  revert K. generalize (fold_left (fun m v => PositiveMap.add v tt m)
    (map Pos.of_succ_nat (seq 0 (Pos.to_nat limit - 1)))
    (PositiveMap.empty unit)) as known.
  induction S as [|f fs Sf S IH]; intros known K; [apply K|]. simpl.
  apply IH. clear IH v. unfold sourced in Sf.
  destruct (reason_ f) as [|d part|]; try exact K.
  destruct part; [|exact K]. destruct (forallb _ _) eqn:B; [|exact K].
  intros u U. apply add_all_mem in U as [U|U]; [|now apply K].
  destruct Sf as [D _]. rewrite Forall_forall in C, C'.
  specialize (C d D). specialize (C' d D). unfold canonical in *.
  rewrite <- (definitionValue_ext e e' d), <- C in C'.
  - clear - C' U. induction (results d) as [|r rs IH]; [contradiction|].
    simpl in C'. injection C' as E C'. destruct U as [->|U]; auto.
  - apply Forall_forall. intros p P. apply same_eval. intros x X.
    rewrite forallb_forall in B. specialize (B p P).
    unfold speaksOf in B. rewrite forallb_forall in B. auto.
Qed.

(* Unknowns. *)

Lemma unknownsOf_none i p : unknownsOf i p = [] ->
  forall v, In v (variables p) -> PositiveMap.mem v (unknowns_ i) = false.
Proof.
  unfold unknownsOf.
  assert (G : forall vs l, fold_left (fun l v =>
      if PositiveMap.mem v (unknowns_ i) && negb (hasVar v l) then l ++ [v]
      else l) vs l = [] ->
    l = [] /\ forall v, In v vs -> PositiveMap.mem v (unknowns_ i) = false).
  { induction vs as [|u vs IH]; simpl; intros l H.
    - split; [exact H|contradiction].
    - apply IH in H as [H1 H2]. destruct (_ && _) eqn:M in H1.
      + now destruct l.
      + subst l. simpl in M. rewrite andb_true_r in M. split; [reflexivity|].
        intros v [->|V]; auto. }
  intros H. now apply G in H.
Qed.

(* Facts that hold, of definitions that have their values. *)
Definition meant (e : values) (f : scoped) : Prop :=
  holds e (claims f) /\
  match reason_ f with ByDefinition d _ => canonical e d | _ => True end.

Lemma meant_holds e fs : Forall (meant e) fs ->
  Forall (fun f => holds e (claims f)) fs.
Proof. apply Forall_impl. now intros f [H _]. Qed.

(* Facts that become conditions. *)

Lemma refused (e : values) b :
  Forall (holdsAtom e) b \/ holds e (refusal b).
Proof.
  induction b as [|a b [IH|IH]]; [left; constructor| |].
  - destruct a as [[|] p].
    + destruct (Z.lt_trichotomy (eval e p) 0) as [L|[E|G]].
      * right. constructor. constructor; [|constructor].
        unfold holdsAtom. simpl. rewrite below_eval. lia.
      * left. constructor; auto.
      * right. simpl. apply Exists_cons_tl, Exists_cons_hd.
        constructor; [|constructor]. unfold holdsAtom. simpl.
        rewrite plus_eval. lia.
    + destruct (Z.le_gt_cases 0 (eval e p)) as [L|G].
      * left. constructor; auto.
      * right. constructor. constructor; [|constructor].
        unfold holdsAtom. simpl. rewrite below_eval. lia.
  - right. unfold holds, refusal in *. simpl. right. apply Exists_app.
    now right.
Qed.
Lemma all_refused (e : values) f :
  holds e f \/ Forall (fun b => holds e (refusal b)) f.
Proof.
  induction f as [|b f [IH|IH]]; [right; constructor| |].
  - left. now apply Exists_cons_tl.
  - destruct (refused e b) as [B|B]; [left; now constructor|right; auto].
Qed.

Lemma refuse_all f : forall s u s',
  forEach (fun b => because Path (refusal b)) f s = Some (u, s') ->
  exists fs, s' = Scope (next s) (fs ++ facts s) (defined s) (vcs s) (sites s)
                    (writes s) /\
    Forall (fun g => In (claims g) (map refusal f)) fs.
Proof.
  induction f as [|b f IH]; simpl; intros s u s' H.
  - injection H as _ <-. exists []. now destruct s.
  - step H u1 s1 H1. apply assume_inv in H1 as [_ ->].
    destruct (IH _ _ _ H) as [fs [-> F]]. simpl.
    exists (fs ++ [Scoped (refusal b) (Because Path)]).
    rewrite <- app_assoc. split; [reflexivity|]. apply Forall_app. split.
    + eapply Forall_impl; [|exact F]. intros g G. now right.
    + constructor; [now left|constructor].
Qed.

(* A step that emits conditions, and adds nothing but what they prove. *)
Record emits (e : values) (s s' : scope) : Prop := Emits
  { emitsGrows : grows s s';
    emitsNext : next s' = next s;
    emitsDefined : defined s' = defined s;
    emitsFacts : Forall discharged (vcs s') -> Forall (fun f => holds e (claims f))
      (facts s) -> exists fs, facts s' = fs ++ facts s /\
      Forall (fun f => holds e (claims f) /\
                       match reason_ f with
                       | ByProof _ _ => True
                       | _ => False
                       end) fs }.

Lemma emits_refl e s : emits e s s.
Proof.
  split; auto using grows_refl. intros _ _. exists []. now split.
Qed.
Lemma emits_trans e s s1 s' : emits e s s1 -> emits e s1 s' -> emits e s s'.
Proof.
  intros [G N D F] [G' N' D' F']. split; try congruence.
  - now apply grows_trans with s1.
  - intros P H. destruct (F (grows_discharged _ _ G' P) H) as [fs [E Hs]].
    destruct (F' P) as [fs' [E' Hs']].
    { rewrite E. apply Forall_app. split; [|exact H].
      eapply Forall_impl; [|exact Hs]. now intros f [X _]. }
    exists (fs' ++ fs). rewrite E', E, app_assoc. split; [reflexivity|].
    now apply Forall_app.
Qed.

Lemma emit_emits e r g b s u s' : emit r g b s = Some (u, s') -> emits e s s' /\
  (Forall discharged (vcs s') -> Forall (fun f => holds e (claims f)) (facts s) ->
   0 <= eval e g).
Proof.
  intro H. pose proof H as H0. apply emit_inv in H as [B [fs [-> R]]].
  assert (Pay : Forall discharged (Vc r (facts s) g :: vcs s) ->
    Forall (fun f => holds e (claims f)) (facts s) -> 0 <= eval e g).
  { intros P F. inversion P as [|? ? P1 P2]. now apply P1. }
  split; [|exact Pay].
  split; simpl; auto; [apply (same_grows s _ [_])|]. intros P F.
  exists fs. split; [reflexivity|].
  destruct R as [->|[_ [i ->]]]; [constructor|].
  constructor; [|constructor]. split; [apply holds_ge; now apply Pay|exact I].
Qed.

Lemma emitFact_emits e f s b s' : emitFact f s = Some (b, s') -> emits e s s' /\
  (Forall discharged (vcs s') -> Forall (fun f => holds e (claims f)) (facts s) ->
   holds e f).
Proof.
  assert (Many : (let* before := visible in
      let* _ := forEach (fun b => because Path (refusal b)) f in
      let* _ := emit OutCovered (constant (-1)) false in
      let* _ := release before in ret false) s = Some (b, s') ->
    emits e s s' /\
    (Forall discharged (vcs s') -> Forall (fun f => holds e (claims f)) (facts s) ->
     holds e f)).
  { intro H. step H fs s0 H0. injection H0 as <- <-. step H u s1 H1.
    step H u2 s2 H2. step H u3 s3 H3. injection H3 as _ <-. injection H as _ <-.
    apply refuse_all in H1 as [new_ [-> N]].
    apply emit_inv in H2 as [_ [more [-> R]]]. simpl. split.
    - split; simpl; auto; [apply (same_grows s _ [_])|]. intros _ F.
      exists []. now split.
    - intros P F. inversion P as [|? ? P1 P2]. subst.
      destruct (all_refused e f) as [Yes|No]; [exact Yes|]. exfalso.
      assert (C : 0 <= eval e (constant (-1))).
      { apply P1. simpl. apply Forall_app. split; [|exact F].
        eapply Forall_impl; [|exact N]. intros g G.
        apply in_map_iff in G as [b' [<- B']]. rewrite Forall_forall in No.
        now apply No. }
      rewrite constant_eval in C. lia. }
  unfold emitFact. destruct f as [|[|a [|]] [|]]; try exact Many.
  clear Many. intro H. step H u s1 H1. step H u2 s2 H2. injection H as _ <-.
  destruct (emit_emits e _ _ _ _ _ _ H1) as [O1 P1].
  destruct (equality a) eqn:Q.
  - destruct (emit_emits e _ _ _ _ _ _ H2) as [O2 P2].
    split; [now apply emits_trans with s1|]. intros P F.
    pose proof (grows_discharged _ _ (emitsGrows _ _ _ O2) P) as P'.
    destruct (emitsFacts _ _ _ O1 P' F) as [fs [E Hs]].
    assert (0 <= eval e (Cert.body a)) by now apply P1.
    assert (0 <= eval e (neg (Cert.body a))) as N.
    { apply P2; [exact P|]. rewrite E. apply Forall_app. split; [|exact F].
      eapply Forall_impl; [|exact Hs]. now intros g [X _]. }
    rewrite neg_eval in N. apply holds_atom. unfold holdsAtom. rewrite Q. lia.
  - injection H2 as _ <-. split; [exact O1|]. intros P F.
    apply holds_atom. unfold holdsAtom. rewrite Q. now apply P1.
Qed.

Lemma emits_meant e s s' : emits e s s' -> Forall discharged (vcs s') ->
  Forall (fun f => holds e (claims f)) (facts s) ->
  Forall (meant e) (facts s) -> Forall (meant e) (facts s').
Proof.
  intros O P F M. destruct (emitsFacts _ _ _ O P F) as [fs [-> H]].
  apply Forall_app. split; [|exact M]. eapply Forall_impl; [|exact H].
  intros f [Hf R]. split; [exact Hf|]. now destruct (reason_ f).
Qed.

Lemma emitFact_tame f : tame (emitFact f).
Proof.
  assert (Many : tame (let* before := visible in
      let* _ := forEach (fun b => because Path (refusal b)) f in
      let* _ := emit OutCovered (constant (-1)) false in
      let* _ := release before in ret false)).
  { intros s b s' H O. step H fs s0 H0. injection H0 as <- <-. step H u s1 H1.
    step H u2 s2 H2. step H u3 s3 H3. injection H3 as _ <-.
    injection H as _ <-. apply refuse_all in H1 as [new_ [-> N]].
    apply emit_inv in H2 as [_ [more [-> R]]]. simpl. destruct O as [F D S].
    split; [now split|]. apply (same_grows s _ [_]). }
  unfold emitFact. destruct f as [|[|a [|]] [|]]; try exact Many.
  apply tame_then; [apply emit_tame|]. intro. apply tame_then.
  - destruct (equality a); [apply emit_tame|apply tame_ret].
  - intro. apply tame_ret.
Qed.
