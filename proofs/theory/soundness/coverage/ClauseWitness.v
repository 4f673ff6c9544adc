(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Witnesses that clauses give or equations determine, and what the launch
   determines: under both valuations, as in Simulation.v. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export Simulation.
Import ListNotations.
Open Scope Z_scope.

Section ClauseWitness.

Context (start : scope) (e base : values).
Context (alike_ : forall v, (next start <= v)%positive -> e v = base v).
Context (i0 : inversion).
Context (seen : forall v, found i0 v = false ->
           PositiveMap.mem v (unknowns_ i0) = false -> e v = base v).

Notation tamed := (tamed start).
Notation simulated := (simulated start e base).
Notation blind := (blind i0).
Notation same p := (eval e p = eval base p).

Ltac settledly := repeat (apply tame_tamed;
  repeat first [ apply tame_then; [|intro] | apply settled_tame
               | apply emit_tame | apply divide_tame | apply select_tame
               | apply tame_ret | apply tame_fail
               | match goal with |- tame (match ?x with _ => _ end) =>
                   destruct x end ]).

(* Tiles of the element. *)
Lemma tileOfElement_tame x t : tame (tileOfElement x t).
Proof.
  unfold tileOfElement. destruct (t =? 1); [apply tame_ret|].
  apply tame_then; [apply emit_tame|]. intro.
  apply tame_then; [apply emit_tame|]. intro.
  apply tame_then; [apply divide_tame|]. intro. apply tame_ret.
Qed.
Lemma tileOfElement_simulated x t : (t <> 1 -> same x) ->
  simulated (tileOfElement x t) (fun _ => True).
Proof.
  intro X. unfold tileOfElement.
  destruct (Z.eqb_spec t 1) as [|Ne]; [now apply simulated_ret|].
  specialize (X Ne).
  apply simulated_then with (fun _ => 0 <= eval e (constant (t - 1)));
    [settledly|intro; settledly|apply simulated_emit|]. intros _ P.
  apply simulated_then with (fun _ => 0 <= eval e x);
    [settledly|intro; settledly|apply simulated_emit|]. intros _ Q.
  rewrite constant_eval in P.
  apply simulated_then with (fun _ => True); [settledly|intro; settledly| |].
  - eapply simulated_weaken; [|apply simulated_divide]; auto.
    + apply same_constant.
    + rewrite constant_eval. lia.
  - intros qr _. now apply simulated_ret.
Qed.
Lemma simulated_mapEach {A B} (f : A -> gen B) l : (forall x, tame (f x)) ->
  (forall x, In x l -> simulated (f x) (fun _ => True)) ->
  simulated (mapEach f l) (fun _ => True).
Proof.
  intros T. induction l as [|x l IH]; simpl; intro M; [now apply simulated_ret|].
  assert (T' : tame (mapEach f l)) by now apply tame_mapEach.
  apply simulated_then with (fun _ => True); auto.
  - now apply tame_tamed.
  - intro. apply tame_tamed, tame_then; [exact T'|]. intro. apply tame_ret.
  - intros a _. apply simulated_then with (fun _ => True); auto.
    + now apply tame_tamed.
    + intro. apply tame_tamed, tame_ret.
    + intros b _. now apply simulated_ret.
Qed.

(* The expressions of a clause. *)
Lemma clauseExpression_tame i names vars x : tame (clauseExpression i names vars x).
Proof.
  induction x as [c|name|f l IHl r IHr]; cbn [clauseExpression].
  - apply tame_ret.
  - apply tame_then; [apply tame_given|]. intro.
    apply tame_then; [apply settled_tame|]. intro. apply tame_ret.
  - apply tame_then; [exact IHl|]. intro a.
    apply tame_then; [exact IHr|]. intro b. cbv zeta.
    destruct f;
      repeat first
        [ apply tame_then; [first [ apply emit_tame | apply divide_tame ]|intro]
        | apply tame_ret | apply tame_fail | apply select_tame
        | apply divide_tame
        | apply tame_then; [|intro]
        | match goal with |- tame (if ?x then _ else _) => destruct x end ].
Qed.

Ltac clausely := repeat (apply tame_tamed;
  repeat first [ apply tame_then; [|intro] | apply settled_tame
               | apply emit_tame | apply divide_tame | apply select_tame
               | apply tame_ret | apply tame_fail
               | apply clauseExpression_tame
               | match goal with |- tame (match ?x with _ => _ end) =>
                   destruct x end ]).

Lemma ratio_simulated (rounded : bool) a b : same a -> same b ->
  simulated (let* _ := emit OutCovered (plus b (-1)) true in
            let* _ := emit OutCovered a true in
            if rounded then
              if eqPoly (plus (add a b) (-1)) a then divide a b
              else let* _ := emit OutCovered (plus (add a b) (-1)) true in
                   divide (plus (add a b) (-1)) b
            else divide a b) (fun qr => same (fst qr) /\ same (snd qr)).
Proof.
  intros A B.
  apply simulated_then with (fun _ => 0 <= eval e (plus b (-1)));
    [clausely|intro; clausely|apply simulated_emit|]. intros _ P.
  apply simulated_then with (fun _ => 0 <= eval e a);
    [clausely|intro; clausely|apply simulated_emit|]. intros _ Q.
  rewrite plus_eval in P.
  assert (D : simulated (divide a b) (fun qr => same (fst qr) /\ same (snd qr)))
    by (apply simulated_divide; auto; lia).
  destruct rounded; [|exact D]. destruct (eqPoly _ _); [exact D|].
  apply simulated_then with (fun _ => 0 <= eval e (plus (add a b) (-1)));
    [clausely|intro; clausely|apply simulated_emit|]. intros _ U.
  apply simulated_divide; auto; [|lia].
  now rewrite !plus_eval, !add_eval, A, B.
Qed.

Lemma clauseExpression_same i names vars : blind i -> forall x,
  simulated (clauseExpression i names vars x) (fun p => same p).
Proof.
  intros B x. induction x as [c|name|f l IHl r IHr]; cbn [clauseExpression].
  - apply simulated_ret. apply same_constant.
  - apply simulated_then with (fun _ => True).
    + apply tame_tamed, tame_given.
    + intro. clausely.
    + intros s p s' H O St T C D. unfold given in H.
      destruct (match find _ names with Some _ => _ | None => _ end);
        [|discriminate]. injection H as _ <-. auto.
    + intros p _. apply simulated_then with (fun _ => same p);
        [clausely|intro; clausely|eapply settled_same; eauto|].
      intros _ S. now apply simulated_ret.
  - apply simulated_then with (fun p => same p);
      [apply tame_tamed, clauseExpression_tame| |exact IHl|].
    { intro a. apply tame_tamed. apply tame_then;
        [apply clauseExpression_tame|]. intro b. cbv zeta.
      destruct f;
        repeat first
          [ apply tame_then;
              [first [ apply emit_tame | apply divide_tame ]|intro]
          | apply tame_ret | apply tame_fail | apply select_tame
          | apply divide_tame
          | apply tame_then; [|intro]
          | match goal with |- tame (if ?x then _ else _) => destruct x end ]. }
    intros a A. apply simulated_then with (fun p => same p);
      [apply tame_tamed, clauseExpression_tame| |exact IHr|].
    { intro b. apply tame_tamed. cbv zeta.
      destruct f;
        repeat first
          [ apply tame_then;
              [first [ apply emit_tame | apply divide_tame ]|intro]
          | apply tame_ret | apply tame_fail | apply select_tame
          | apply divide_tame
          | apply tame_then; [|intro]
          | match goal with |- tame (if ?x then _ else _) => destruct x end ]. }
    intros b Bb. cbv zeta.
    assert (Ratio : forall (rounded : bool) (pick : poly * poly -> poly),
      (forall qr, same (fst qr) /\ same (snd qr) -> same (pick qr)) ->
      simulated (let* qr :=
          (let* _ := emit OutCovered (plus b (-1)) true in
            let* _ := emit OutCovered a true in
            if rounded then
              if eqPoly (plus (add a b) (-1)) a then divide a b
              else let* _ := emit OutCovered (plus (add a b) (-1)) true in
                   divide (plus (add a b) (-1)) b
            else divide a b) in ret (pick qr)) (fun p => same p)).
    { intros rounded pick Pk.
      apply simulated_then with (fun qr => same (fst qr) /\ same (snd qr));
        [clausely|intro; clausely|now apply ratio_simulated|].
      intros qr S. apply simulated_ret. now apply Pk. }
    destruct f.
    + apply simulated_ret. now rewrite !add_eval, A, Bb.
    + apply simulated_ret. now rewrite !sub_eval, A, Bb.
    + apply simulated_ret. now rewrite !mul_eval, A, Bb.
    + apply (Ratio false fst). now intros qr [S _].
    + apply (Ratio false snd). now intros qr [_ S].
    + apply (Ratio true fst). now intros qr [S _].
    + apply simulated_select; auto. now rewrite !sub_eval, A, Bb.
    + apply simulated_select; auto. now rewrite !sub_eval, A, Bb.
    + intros s p s' H. discriminate H.
    + intros s p s' H. discriminate H.
    + intros s p s' H. discriminate H.
Qed.

Lemma witness_tame clause names vars g wanted seed :
  tame (witnessOf clause names vars g wanted seed).
Proof.
  destruct clause as [c|]; cbn [witnessOf].
  - apply tame_then; [apply tame_mapEach; intro; apply clauseExpression_tame|].
    intro vs. destruct (_ <? _)%nat; [apply solve_tame|apply tame_ret].
  - apply tame_then; [apply solve_tame|]. intro.
    apply tame_then; [apply tame_check|]. intro. apply tame_ret.
Qed.

Lemma clause_blind : forall l i, blind i ->
  blind (fold_left (fun i s => withSolved i (fst s) (snd s)) l i).
Proof. induction l as [|x l IH]; intros i B; simpl; auto. Qed.

Lemma witness_blind clause names vars g wanted seed : blind seed ->
  simulated (witnessOf clause names vars g wanted seed) blind.
Proof.
  intro B. destruct clause as [c|]; cbn [witnessOf].
  - apply simulated_then with (fun _ => True).
    + apply tame_tamed, tame_mapEach. intro. apply clauseExpression_tame.
    + intro vs. apply tame_tamed.
      destruct (_ <? _)%nat; [apply solve_tame|apply tame_ret].
    + apply simulated_mapEach; [intro; apply clauseExpression_tame|].
      intros x _. eapply simulated_weaken; [|now apply clauseExpression_same].
      auto.
    + intros vs _. pose proof (clause_blind (combine wanted vs) seed B) as Bt.
      destruct (_ <? _)%nat; [eapply solve_blind; eauto|].
      now apply simulated_ret.
  - apply simulated_then with blind.
    + apply tame_tamed, solve_tame.
    + intro. apply tame_tamed, tame_then; [apply tame_check|]. intro.
      apply tame_ret.
    + eapply solve_blind; eauto.
    + intros i Bi. intros s i' s' H O St T C D.
      apply andThen_inv in H as [u [s1 [H1 H]]]. unfold check in H1.
      destruct (_ || _); [|discriminate]. injection H1 as _ <-.
      injection H as <- <-. now split.
Qed.

Lemma simulated_emitFact f : simulated (emitFact f) (fun _ => holds e f).
Proof.
  intros s b s' H O St T C P. destruct (emitFact_emits e f s b s' H) as [Ow Hf].
  pose proof (meant_holds e _ T) as F. split; [|now apply Hf].
  now apply emits_meant with s.
Qed.

(* The witness. *)
Definition witness (i : inversion) (v : Poly.var) : Z :=
  eval base (match solvedAs i v with Some p => p | None => [] end).

Lemma named_holds i : blind i -> forall vs s u s',
  forEach (named i) vs s = Some (u, s') ->
  grows s s' /\ next s' = next s /\ defined s' = defined s /\
  ((forall v, In v vs -> e v = witness i v) ->
   Forall (fun f => holds e (claims f)) (facts s) ->
   Forall (fun f => holds e (claims f)) (facts s')).
Proof.
  intros B vs. induction vs as [|v vs IH]; simpl; intros s u s' H.
  { injection H as _ <-.
    repeat split; auto using grows_refl; apply grows_refl. }
  step H u1 s1 H1. unfold named in H1. step H1 u2 s2 H2.
  apply (settled_eval e base i0 seen) in H2 as [-> E]; [|exact B].
  simpl in H1. step H1 u3 s3 H3. injection H1 as _ <-.
  apply assume_inv in H3 as [_ ->].
  destruct (IH _ _ _ H) as [G [N [D Hs]]]. simpl in *.
  split.
  { eapply grows_trans; [|exact G].
    match goal with |- grows s (Scope _ ?fs _ _ _ _) =>
      exact (same_grows s fs []) end. }
  split; [exact N|]. split; [exact D|]. intros W F. apply Hs.
  - intros w I. apply W. now right.
  - constructor; [|exact F]. simpl. apply holds_eq.
    rewrite sub_eval, variable_eval, E, (W v (or_introl eq_refl)).
    unfold witness. lia.
Qed.

Context (canonical_ : Forall (canonical e) (defined start)).

Lemma append_tamed f : sourced (defined start) f -> tamed (append f).
Proof.
  intros Sf s u s' H O St. apply assume_inv in H as [B ->].
  destruct (growsDefined _ _ St) as [ds [E _]]. destruct O as [OF OD OS].
  split; [split; simpl|].
  - now constructor.
  - exact OD.
  - constructor; [|exact OS]. rewrite E.
    apply (sourced_more (defined start) ds) in Sf. destruct f. exact Sf.
  - apply (same_grows s _ []).
Qed.

(* A definition of the kernel means what it says where its needs stand. *)
Lemma grounded_meant f fs : sourced (defined start) f ->
  match reason_ f with ByDefinition _ _ => True | _ => False end ->
  grounded fs f = true -> Forall (meant e) fs -> meant e f.
Proof.
  unfold sourced, grounded, meant. destruct (reason_ f) as [|d part|];
    try contradiction. intros [D C] _ G M.
  rewrite Forall_forall in canonical_. specialize (canonical_ d D).
  split; [|exact canonical_].
  assert (NE : definitionFacts d <> []) by (intro X; now rewrite X in C).
  assert (F : Forall (holds e) (definitionFacts d)).
  { apply definition_value; [exact NE|]. split; [|exact canonical_].
    apply Forall_forall. intros n N. rewrite forallb_forall in G.
    specialize (G n N). apply orb_true_iff in G as [G|G].
    - now apply isTrivial_holds.
    - eapply stands_holds; [exact G|]. apply Forall_map.
      now apply meant_holds. }
  rewrite Forall_forall in F. auto.
Qed.

Definition constantStep (constants : PositiveMap.t unit) (f : scoped)
  : gen unit :=
  if isConstant constants f then
    match reason_ f with
    | ByProof _ _ => let* _ := emitFact (claims f) in ret tt
    | _ =>
        let* among := visible in
        let* _ := check (grounded among f) in append f
    end
  else ret tt.

Lemma tamed_visible : tamed visible.
Proof. intros s a s' H O _. injection H as _ <-. auto using grows_refl. Qed.

Lemma constantStep_tamed constants f : sourced (defined start) f ->
  tamed (constantStep constants f).
Proof.
  intro Sf. unfold constantStep. destruct (isConstant constants f);
    [|apply tame_tamed, tame_ret].
  assert (A : tamed (let* among := visible in
      let* _ := check (grounded among f) in append f)).
  { apply tamed_then; [apply tamed_visible|]. intro.
    apply tamed_then; [apply tame_tamed, tame_check|]. intro.
    now apply append_tamed. }
  destruct (reason_ f); try exact A. apply tame_tamed.
  apply tame_then; [apply emitFact_tame|]. intro. apply tame_ret.
Qed.
Lemma constantStep_simulated constants f : sourced (defined start) f ->
  simulated (constantStep constants f) (fun _ => True).
Proof.
  intro Sf. unfold constantStep. destruct (isConstant constants f) eqn:Co;
    [|now apply simulated_ret].
  unfold isConstant in Co. destruct (reason_ f) as [x|d part|n via] eqn:R;
    [discriminate| |].
  - intros s u s' H O St T C P. step H among s1 H1. injection H1 as <- <-.
    step H u1 s2 H2. unfold check in H2.
    destruct (grounded (facts s) f) eqn:G; [|discriminate].
    injection H2 as _ <-. apply assume_inv in H as [_ ->]. simpl.
    split; [|exact I]. constructor; [|exact T].
    assert (M : meant e f).
    { eapply grounded_meant; eauto. now rewrite R. }
    destruct f. exact M.
  - apply simulated_then with (fun _ => holds e (claims f)).
    + apply tame_tamed, emitFact_tame.
    + intro. apply tame_tamed, tame_ret.
    + apply simulated_emitFact.
    + intros b _. now apply simulated_ret.
Qed.

Lemma introduceConstants_simulated launch_ constants fs :
  Forall (sourced (defined start)) fs ->
  tamed (introduceConstants launch_ constants fs) /\
  simulated (introduceConstants launch_ constants fs) (fun _ => True).
Proof.
  intro S. unfold introduceConstants.
  assert (I : forall f, In f (sinceLaunch launch_ fs) ->
            sourced (defined start) f).
  { intros f F. rewrite Forall_forall in S. apply S. apply in_rev.
    unfold sinceLaunch in F.
    rewrite <- (firstn_skipn (length launch_) (rev fs)).
    apply in_or_app. now right. }
  apply simulated_forEach; intros f F.
  - now apply (constantStep_tamed constants), I.
  - now apply (constantStep_simulated constants), I.
Qed.

End ClauseWitness.
