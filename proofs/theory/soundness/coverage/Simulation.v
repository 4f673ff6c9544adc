(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The steps of coverage, seen by two kinds of values: those of a block's run,
   and those with which a witness is computed. What a witness is made of has the
   same value for both: it depends on nothing but the launch and the element. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export CoverageObligations.
Import ListNotations.
Open Scope Z_scope.

Ltac step H x s1 E := apply andThen_inv in H as [x [s1 [E H]]].

Section Simulation.

(* Values of which those of interest are found by `e`, and those with which a
   witness is computed, `base`: they agree on what coverage introduces. *)
Context (start : scope) (e base : values).
Context (alike_ : forall v, (next start <= v)%positive -> e v = base v).

Definition tamed {A} (g : gen A) : Prop := forall s a s',
  g s = Some (a, s') -> orderly s -> grows start s -> orderly s' /\ grows s s'.
Definition simulated {A} (g : gen A) (post : A -> Prop) : Prop :=
  forall s a s', g s = Some (a, s') -> orderly s -> grows start s ->
    Forall (meant e) (facts s) -> Forall (canonical base) (defined s') ->
    Forall discharged (vcs s') -> Forall (meant e) (facts s') /\ post a.

Lemma tame_tamed {A} (g : gen A) : tame g -> tamed g.
Proof. intros T s a s' H O _. eauto. Qed.

Lemma grows_canonical s s' : grows s s' -> Forall (canonical base) (defined s')
  -> Forall (canonical base) (defined s).
Proof.
  intros G C. destruct (growsDefined _ _ G) as [ds [E _]]. rewrite E in C.
  now apply Forall_app in C.
Qed.

Lemma tamed_then {A B} (g : gen A) (f : A -> gen B) :
  tamed g -> (forall a, tamed (f a)) -> tamed (andThen g f).
Proof.
  intros G F s b s' H O St. step H a s1 E. destruct (G _ _ _ E O St) as [O1 G1].
  destruct (F a _ _ _ H O1) as [O2 G2]; eauto using grows_trans.
Qed.
Lemma simulated_then {A B} (g : gen A) (f : A -> gen B) P Q :
  tamed g -> (forall a, tamed (f a)) -> simulated g P ->
  (forall a, P a -> simulated (f a) Q) -> simulated (andThen g f) Q.
Proof.
  intros G F M N s b s' H O St T C D. step H a s1 E.
  destruct (G _ _ _ E O St) as [O1 G1].
  assert (St1 : grows start s1) by eauto using grows_trans.
  destruct (F a _ _ _ H O1 St1) as [O2 G2].
  destruct (M _ _ _ E O St T) as [T1 Pa].
  - eapply grows_canonical; eauto.
  - eapply grows_discharged; eauto.
  - eapply N; eauto.
Qed.
Lemma simulated_ret {A} (a : A) (P : A -> Prop) : P a -> simulated (ret a) P.
Proof. intros H s b s' E O St T C D. now injection E as <- <-. Qed.
Lemma simulated_weaken {A} (g : gen A) (P Q : A -> Prop) :
  (forall a, P a -> Q a) -> simulated g P -> simulated g Q.
Proof.
  intros I M s a s' E O St T C D.
  destruct (M s a s' E O St T C D) as [T' Pa]. auto.
Qed.
Lemma simulated_forEach {A} (f : A -> gen unit) l :
  (forall x, In x l -> tamed (f x)) ->
  (forall x, In x l -> simulated (f x) (fun _ => True)) ->
  tamed (forEach f l) /\ simulated (forEach f l) (fun _ => True).
Proof.
  induction l as [|x l IH]; simpl; intros T M.
  - split; [apply tame_tamed, tame_ret|now apply simulated_ret].
  - destruct IH as [T' M']; auto. split.
    + apply tamed_then; auto.
    + apply simulated_then with (fun _ => True); auto.
Qed.

Lemma simulated_emit r goal remember :
  simulated (emit r goal remember) (fun _ => 0 <= eval e goal).
Proof.
  intros s u s' H O St T C D. apply emit_inv in H as [B [fs [-> R]]].
  simpl in D. inversion D as [|? ? D1 D2]. subst.
  assert (P : 0 <= eval e goal) by now apply D1, meant_holds.
  split; [|exact P]. simpl. destruct R as [->|[_ [i ->]]]; [exact T|].
  constructor; [|exact T]. split; [now apply holds_ge|exact I].
Qed.

(* Results are the same where arguments are. *)
Lemma simulated_define k args count : shaped k args count ->
  Forall (fun p => eval e p = eval base p) args ->
  (forall rs, Forall (holds e) (definitionNeeds (Definition_ k args rs))) ->
  simulated (define_ k args count) (fun rs => map e rs = map base rs).
Proof.
  intros Sh A Needs s rs s' H O St T C _. unfold define_ in H.
  destruct (findDefinition _ _ _) as [d|] eqn:Fd.
  - injection H as <- <-. split; [exact T|].
    apply findDefinition_spec in Fd as [K [Ar [f [part [I R]]]]].
    destruct O as [_ _ OS]. rewrite Forall_forall in OS, T, C.
    specialize (OS f I). specialize (T f I). unfold sourced, meant in OS, T.
    rewrite R in OS, T. destruct OS as [D _]. destruct T as [_ Ce].
    specialize (C d D). unfold canonical in C, Ce. rewrite C, Ce.
    apply definitionValue_ext. now rewrite Ar.
  - destruct (forallb _ args) eqn:B; [|discriminate].
    step H vs s1 H1. step H u s2 H2. step H u' s3 H3. injection H as <- <-.
    apply fresh_many in H1 as [L [N [F [Le E]]]]. injection H2 as _ <-.
    apply introduce_inv in H3 as [Bs [new_ [-> [M _]]]].
    rewrite E in *. simpl in *. clear E.
    set (d := Definition_ k args vs) in *.
    assert (NE : definitionFacts d <> []) by now apply Sh.
    assert (R : map e vs = map base vs).
    { apply map_ext_in. intros v V. apply alike_. rewrite Forall_forall in F.
      specialize (F v V). simpl in F. apply growsNext in St. lia. }
    inversion C as [|? ? Cd _]. subst. unfold canonical in Cd. simpl in Cd.
    assert (Ce : canonical e d).
    { unfold canonical. simpl. rewrite R, Cd. symmetry.
      now apply definitionValue_ext. }
    assert (Facts : Forall (holds e) (definitionFacts d)).
    { apply definition_value; [exact NE|]. split; [apply Needs|exact Ce]. }
    split; [|exact R]. apply Forall_app. split; [|exact T].
    eapply Forall_impl; [|exact M]. intros f [I [part Rf]]. unfold meant.
    rewrite Rf. rewrite Forall_forall in Facts. auto.
Qed.

Notation same p := (eval e p = eval base p).

Lemma same_constant c : same (constant c).
Proof. now rewrite !constant_eval. Qed.

Lemma simulated_divide a d : same a -> same d -> 0 <= eval e a ->
  1 <= eval e d -> simulated (divide a d) (fun qr => same (fst qr) /\
                                                    same (snd qr)).
Proof.
  intros A D A0 D1.
  assert (Q : simulated (quotient a d) (fun qr => same (fst qr) /\
                                                 same (snd qr))).
  { unfold quotient.
    apply simulated_then with (fun rs => map e rs = map base rs).
    - apply tame_tamed, define_tame, shaped_quotient.
    - intros [|q [|r [|]]]; apply tame_tamed; try apply tame_fail.
      apply tame_ret.
    - apply simulated_define; [apply shaped_quotient|auto|].
      intro rs. unfold definitionNeeds. simpl.
      destruct rs as [|? [|? [|]]]; try constructor.
      + apply holds_ge. unfold one. rewrite sub_eval, constant_eval. lia.
      + constructor; [now apply holds_ge|constructor].
    - intros [|q [|r [|]]] R; try (intros ? ? ? H; discriminate H).
      apply simulated_ret. simpl fst. simpl snd.
      rewrite !variable_eval. simpl in R. injection R as -> ->. auto. }
  unfold divide. destruct (constantOf d) as [y|] eqn:Y.
  - apply constantOf_eval with (e := e) in Y as Ye.
    destruct (constantOf a) as [x|] eqn:X.
    + apply constantOf_eval with (e := e) in X as Xe.
      assert (P : simulated (if (0 <=? x) && (0 <? y)
          then ret (constant (x / y), constant (x mod y)) else quotient a d)
          (fun qr => same (fst qr) /\ same (snd qr))).
      { destruct (_ && _); [|exact Q]. apply simulated_ret.
        split; apply same_constant. }
      destruct y as [|[]|]; try exact P. apply simulated_ret.
      split; [exact A|reflexivity].
    + destruct y as [|[]|]; try exact Q. apply simulated_ret.
      split; [exact A|reflexivity].
  - destruct (constantOf a); exact Q.
Qed.

Lemma simulated_select c a b : same c -> same a -> same b ->
  simulated (select c a b) (fun p => same p).
Proof.
  intros C A B. unfold select. destruct (eqPoly a b); [now apply simulated_ret|].
  destruct (constantOf c) as [x|].
  { apply simulated_ret. now destruct (0 <=? x). }
  apply simulated_then with (fun rs => map e rs = map base rs).
  - apply tame_tamed, define_tame, shaped_select.
  - intros [|m [|]]; apply tame_tamed; try apply tame_fail. apply tame_ret.
  - apply simulated_define; [apply shaped_select|auto|]. intro rs. constructor.
  - intros [|m [|]] R; try (intros ? ? ? H; discriminate H).
    apply simulated_ret. rewrite !variable_eval. now injection R.
Qed.

(* Solving. What is neither found by a block nor unknown is the same. *)
Context (i0 : inversion).
Context (seen : forall v, found i0 v = false ->
           PositiveMap.mem v (unknowns_ i0) = false -> e v = base v).

Definition blind (i : inversion) : Prop :=
  found i = found i0 /\
  forall v, PositiveMap.mem v (unknowns_ i) = false ->
            PositiveMap.mem v (unknowns_ i0) = false.
Definition blindIf (o : option inversion) : Prop :=
  match o with Some i => blind i | None => True end.

Lemma isSettled_same i p : blind i -> isSettled i p = true -> same p.
Proof.
  intros [F U] B. apply andb_true_iff in B as [B1 B2].
  apply same_eval. intros v V. apply seen.
  - apply negb_true_iff in B1. unfold speaksOfFound in B1. rewrite F in B1.
    rewrite <- not_true_iff_false in *. intro X. apply B1.
    apply existsb_exists. eauto.
  - apply U, (unknownsOf_none i p); [|exact V].
    now destruct (unknownsOf i p).
Qed.
Lemma settled_eval i p s u s' : blind i -> settled i p s = Some (u, s') ->
  s' = s /\ same p.
Proof.
  intros B H. unfold settled, check in H.
  destruct (isSettled i p) eqn:S; [|discriminate]. injection H as _ <-.
  split; [reflexivity|]. now apply (isSettled_same i).
Qed.
Lemma settled_same i p : blind i ->
  simulated (settled i p) (fun _ => same p).
Proof.
  intros B s u s' H O St T C D.
  destruct (settled_eval i p s u s' B H) as [-> E]. auto.
Qed.
Lemma settled_tame i p : tame (settled i p).
Proof. apply tame_check. Qed.

Lemma digits_tame i p x y : tame (digits i p x y).
Proof.
  unfold digits. destruct (solution x p) as [low|]; [|apply tame_ret].
  destruct (linear_ y (neg low)) as [[scale rest]|]; [|apply tame_ret].
  destruct (_ || _); [apply tame_ret|].
  apply tame_then; [apply settled_tame|]. intro.
  apply tame_then; [apply settled_tame|]. intro.
  apply tame_then; [apply emit_tame|]. intro.
  apply tame_then; [apply emit_tame|]. intro.
  apply tame_then; [apply divide_tame|]. intros [q r]. apply tame_ret.
Qed.

Ltac tamed := repeat (apply tame_tamed;
  repeat first [ apply tame_then; [|intro] | apply settled_tame
               | apply emit_tame | apply divide_tame | apply select_tame
               | apply tame_ret
               | match goal with |- tame (match ?x with _ => _ end) =>
                   destruct x end ]).

Lemma digits_blind i p x y : blind i -> simulated (digits i p x y) blindIf.
Proof.
  intro B. unfold digits. destruct (solution x p) as [low|];
    [|now apply simulated_ret].
  destruct (linear_ y (neg low)) as [[scale rest]|]; [|now apply simulated_ret].
  destruct (_ || _); [now apply simulated_ret|]. cbv zeta.
  apply simulated_then with (fun _ => same scale);
    [tamed|intro; tamed|now apply settled_same|]. intros _ Sc.
  apply simulated_then with (fun _ => same (neg rest));
    [tamed|intro; tamed|now apply settled_same|]. intros _ Nu.
  apply simulated_then with (fun _ => 0 <= eval e (plus scale (-1)));
    [tamed|intro; tamed|apply simulated_emit|]. intros _ P.
  apply simulated_then with (fun _ => 0 <= eval e (neg rest));
    [tamed|intro; tamed|apply simulated_emit|]. intros _ Q.
  rewrite plus_eval in P.
  apply simulated_then with (fun _ => True); [tamed|intros [q r]; tamed| |].
  - eapply simulated_weaken; [|apply simulated_divide; auto; lia]. auto.
  - intros [q r] _. now apply simulated_ret.
Qed.

Lemma two_tame i p : tame (two_ i p).
Proof.
  unfold two_. destruct (unknownsOf i p) as [|x [|y [|]]]; try apply tame_ret.
  destruct (speaksOfFound i p); [apply tame_ret|].
  apply tame_then; [apply digits_tame|]. intros [i'|]; [apply tame_ret|].
  apply digits_tame.
Qed.
Lemma two_blind i p : blind i -> simulated (two_ i p) blindIf.
Proof.
  intro B. unfold two_. destruct (unknownsOf i p) as [|x [|y [|]]];
    try now apply simulated_ret.
  destruct (speaksOfFound i p); [now apply simulated_ret|].
  apply simulated_then with blindIf.
  - apply tame_tamed, digits_tame.
  - intros [i'|]; apply tame_tamed; [apply tame_ret|apply digits_tame].
  - now apply digits_blind.
  - intros [i'|] B'; [now apply simulated_ret|now apply digits_blind].
Qed.

Lemma one_blind i p : blind i -> simulated (one_ i p) blindIf.
Proof.
  intro B. apply simulated_ret.
  destruct (unknownsOf i p) as [|v [|]]; try exact I; [exact B|].
  destruct (speaksOfFound i p); [exact I|].
  destruct (solution v p); [exact B|exact I].
Qed.

Lemma undoSelect_tame i c a b x : tame (undoSelect i c a b x).
Proof.
  unfold undoSelect. cbv zeta.
  destruct (unknownsOf i _) as [|u [|]]; try apply tame_ret.
  destruct (unknownsOf i _) as [|v [|]]; try apply tame_ret.
  destruct (Pos.eqb u v); [|apply tame_ret].
  destruct (solution u _) as [fromA|]; [|apply tame_ret].
  destruct (solution u _) as [fromB|]; [|apply tame_ret].
  destruct (_ || _); [apply tame_ret|].
  apply tame_then; [apply settled_tame|]. intro.
  apply tame_then; [apply settled_tame|]. intro.
  apply tame_then; [apply select_tame|]. intro.
  apply tame_then; [apply select_tame|]. intro. apply tame_ret.
Qed.
Lemma undoSelect_blind i c a b x : blind i ->
  simulated (undoSelect i c a b x) blindIf.
Proof.
  intro B. unfold undoSelect. cbv zeta.
  destruct (unknownsOf i (inserted i (sub a x))) as [|u [|]];
    try now apply simulated_ret.
  destruct (unknownsOf i (inserted i (sub b x))) as [|v [|]];
    try now apply simulated_ret.
  destruct (Pos.eqb u v); [|now apply simulated_ret].
  destruct (solution u (inserted i (sub a x))) as [fromA|];
    [|now apply simulated_ret].
  destruct (solution u (inserted i (sub b x))) as [fromB|];
    [|now apply simulated_ret].
  set (c' := subst u fromA (inserted i c)).
  destruct (unknownsOf i c') as [|] eqn:Uc; [|now apply simulated_ret].
  destruct (speaksOfFound i c') eqn:Fc; [now apply simulated_ret|].
  cbn [orb]. destruct (_ || _); [now apply simulated_ret|].
  assert (Sc : same c').
  { apply same_eval. intros w W. destruct B as [F U]. apply seen.
    - unfold speaksOfFound in Fc. rewrite F in Fc.
      rewrite <- not_true_iff_false in *. intro X. apply Fc.
      apply existsb_exists. eauto.
    - now apply U, (unknownsOf_none i c'). }
  apply simulated_then with (fun _ => same fromA);
    [tamed|intro; tamed|now apply settled_same|]. intros _ A.
  apply simulated_then with (fun _ => same fromB);
    [tamed|intro; tamed|now apply settled_same|]. intros _ Bb.
  apply simulated_then with (fun p => same p);
    [tamed|intro; tamed|now apply simulated_select|]. intros inner In_.
  apply simulated_then with (fun p => same p);
    [tamed|intro; tamed|now apply simulated_select|]. intros outer _.
  now apply simulated_ret.
Qed.

Lemma undo_tame i d : tame (undo i d).
Proof.
  unfold undo. destruct (Definitions.kind_ d).
  - destruct (Definitions.arguments d) as [|? [|? [|]]], (results d)
      as [|? [|? [|]]]; apply tame_ret.
  - destruct (Definitions.arguments d) as [|? [|? [|? [|]]]], (results d)
      as [|v [|]]; try apply tame_ret.
    destruct (solvedAs i v); [apply undoSelect_tame|apply tame_ret].
  - destruct (Definitions.arguments d), (results d); apply tame_ret.
  - destruct (Definitions.arguments d), (results d); apply tame_ret.
Qed.
Lemma undo_blind i d : blind i -> simulated (undo i d) blindIf.
Proof.
  intro B. unfold undo. destruct (Definitions.kind_ d).
  - destruct (Definitions.arguments d) as [|? [|? [|]]], (results d)
      as [|q [|r [|]]]; try (now apply simulated_ret).
    apply simulated_ret. now destruct (solvedAs i q), (solvedAs i r).
  - destruct (Definitions.arguments d) as [|? [|? [|? [|]]]], (results d)
      as [|v [|]]; try (now apply simulated_ret).
    destruct (solvedAs i v);
      [now apply undoSelect_blind|now apply simulated_ret].
  - destruct (Definitions.arguments d), (results d) as [|v ?];
      try (now apply simulated_ret).
    apply simulated_ret. now destruct (solvedAs i v).
  - destruct (Definitions.arguments d), (results d) as [|v ?];
      try (now apply simulated_ret).
    apply simulated_ret. now destruct (solvedAs i v).
Qed.

Lemma evaluate_tame i d : tame (evaluate i d).
Proof.
  unfold evaluate. cbv zeta. destruct (_ || _); [apply tame_ret|].
  destruct (Definitions.kind_ d);
    destruct (map (inserted i) (Definitions.arguments d))
      as [|a [|b [|c [|]]]], (results d) as [|q [|r [|]]];
    try apply tame_ret;
    repeat first
      [ apply tame_then; [first [ apply settled_tame | apply emit_tame
                                | apply divide_tame | apply select_tame ]
                         |intro]
      | apply tame_ret
      | match goal with |- tame (match ?x with _ => _ end) =>
          destruct x end ].
Qed.
Lemma evaluate_blind i d : blind i -> simulated (evaluate i d) blindIf.
Proof.
  intro B. unfold evaluate. cbv zeta. destruct (_ || _);
    [now apply simulated_ret|].
  destruct (Definitions.kind_ d);
    destruct (map (inserted i) (Definitions.arguments d))
      as [|a [|b [|c [|]]]], (results d) as [|q [|r [|]]];
    try (now apply simulated_ret).
  - apply simulated_then with (fun _ => same a);
      [tamed|intro; tamed|now apply settled_same|]. intros _ Sa.
    apply simulated_then with (fun _ => same b);
      [tamed|intro; tamed|now apply settled_same|]. intros _ Sb.
    apply simulated_then with (fun _ => 0 <= eval e (plus b (-1)));
      [tamed|intro; tamed|apply simulated_emit|]. intros _ P.
    apply simulated_then with (fun _ => 0 <= eval e a);
      [tamed|intro; tamed|apply simulated_emit|]. intros _ Q.
    rewrite plus_eval in P.
    apply simulated_then with (fun _ => True); [tamed|intros [x y]; tamed| |].
    + eapply simulated_weaken; [|apply simulated_divide; auto; lia]. auto.
    + intros [x y] _. now apply simulated_ret.
  - apply simulated_then with (fun _ => same a);
      [tamed|intro; tamed|now apply settled_same|]. intros _ Sa.
    apply simulated_then with (fun _ => same b);
      [tamed|intro; tamed|now apply settled_same|]. intros _ Sb.
    apply simulated_then with (fun _ => same c);
      [tamed|intro; tamed|now apply settled_same|]. intros _ Sc.
    apply simulated_then with (fun p => same p);
      [tamed|intro; tamed|now apply simulated_select|]. intros x _.
    now apply simulated_ret.
Qed.

Lemma any_tame {A} (f : A -> gen (option inversion)) :
  (forall x, tame (f x)) -> forall l past, tame (any f past l).
Proof.
  intros F l. induction l as [|x l IH]; intro past; simpl; [apply tame_ret|].
  apply tame_then; [apply F|]. intros [i|]; [apply tame_ret|apply IH].
Qed.
Lemma any_blind {A} (f : A -> gen (option inversion)) :
  (forall x, tame (f x)) -> (forall x, simulated (f x) blindIf) ->
  forall l past, simulated (any f past l)
    (fun r => blindIf (option_map fst r)).
Proof.
  intros Tf F l. induction l as [|x l IH]; intro past; simpl;
    [now apply simulated_ret|].
  apply simulated_then with blindIf.
  - apply tame_tamed, Tf.
  - intros [i|]; apply tame_tamed; [apply tame_ret|now apply any_tame].
  - apply F.
  - intros [i|] B; [now apply simulated_ret|apply IH].
Qed.

Lemma forward_tame (g : bool) i d :
  tame ((if g then evaluate i else fun _ => ret None) d).
Proof. destruct g; [apply evaluate_tame|apply tame_ret]. Qed.
Lemma forward_blind (g : bool) i d : blind i ->
  simulated ((if g then evaluate i else fun _ => ret None) d) blindIf.
Proof.
  intro B. destruct g; [now apply evaluate_blind|now apply simulated_ret].
Qed.

Lemma solveStep_tame g i : tame (solveStep g i).
Proof.
  unfold solveStep. apply tame_then.
  { apply any_tame. intro. apply tame_ret. }
  intros [[i1 l]|]; [apply tame_ret|]. apply tame_then.
  { apply any_tame. intro. apply undo_tame. }
  intros [[i1 l]|]; [apply tame_ret|]. apply tame_then.
  { apply any_tame. intro. apply forward_tame. }
  intros [[i1 l]|]; [apply tame_ret|]. apply tame_then.
  { apply any_tame. intro. apply two_tame. }
  intros [[i1 l]|]; apply tame_ret.
Qed.
Lemma solveStep_blind g i : blind i -> simulated (solveStep g i) blindIf.
Proof.
  intro B. unfold solveStep.
  assert (T1 : forall x, tame (one_ i (inserted i x)))
    by (intro; apply tame_ret).
  assert (T2 : forall x, tame (undo i x)) by (intro; apply undo_tame).
  assert (T4 := forward_tame g i).
  assert (T3 : forall x, tame (two_ i (inserted i x)))
    by (intro; apply two_tame).
  assert (L : forall r, tame (match r with
    | Some (i', l) => ret (Some (withoutEquations i' l))
    | None => ret None end)) by (intros [[i1 l]|]; apply tame_ret).
  assert (L2 : tame (let* r := any (fun p => two_ i (inserted i p)) []
      (equations i) in match r with
    | Some (i', l) => ret (Some (withoutEquations i' l))
    | None => ret None end)) by (apply tame_then; [now apply any_tame|exact L]).
  assert (L4 : tame (let* r := any (if g then evaluate i else
      fun _ => ret None) [] (pending i) in match r with
    | Some (i', l) => ret (Some (withInverted i' l))
    | None => let* r := any (fun p => two_ i (inserted i p)) []
        (equations i) in match r with
      | Some (i', l) => ret (Some (withoutEquations i' l))
      | None => ret None end end)).
  { apply tame_then; [now apply any_tame|]. intros [[i1 l]|];
      [apply tame_ret|exact L2]. }
  apply simulated_then with (fun r => blindIf (option_map fst r)).
  - apply tame_tamed. now apply any_tame.
  - intros [[i1 l]|]; apply tame_tamed; [apply tame_ret|].
    apply tame_then; [now apply any_tame|]. intros [[i1 l]|]; [apply tame_ret|].
    exact L4.
  - apply any_blind; [exact T1|]. intro. now apply one_blind.
  - intros [[i1 l]|] B1; [now apply simulated_ret|].
    apply simulated_then with (fun r => blindIf (option_map fst r)).
    + apply tame_tamed. now apply any_tame.
    + intros [[i1 l]|]; apply tame_tamed; [apply tame_ret|exact L4].
    + apply any_blind; [exact T2|]. intro. now apply undo_blind.
    + intros [[i1 l]|] B2; [now apply simulated_ret|].
      apply simulated_then with (fun r => blindIf (option_map fst r)).
      * apply tame_tamed. now apply any_tame.
      * intros [[i1 l]|]; apply tame_tamed; [apply tame_ret|exact L2].
      * apply any_blind; [exact T4|]. intro. now apply forward_blind.
      * intros [[i1 l]|] B4; [now apply simulated_ret|].
        apply simulated_then with (fun r => blindIf (option_map fst r)).
        -- apply tame_tamed. now apply any_tame.
        -- intro. apply tame_tamed, L.
        -- apply any_blind; [exact T3|]. intro. now apply two_blind.
        -- intros [[i1 l]|] B3; now apply simulated_ret.
Qed.

Lemma solve_tame g fuel : forall i, tame (solve_ g fuel i).
Proof.
  induction fuel as [|fuel IH]; intro i; simpl; [apply tame_ret|].
  apply tame_then; [apply solveStep_tame|]. intros [i'|]; [apply IH|].
  apply tame_ret.
Qed.
Lemma solve_blind g fuel : forall i, blind i ->
  simulated (solve_ g fuel i) blind.
Proof.
  induction fuel as [|fuel IH]; intros i B; simpl; [now apply simulated_ret|].
  apply simulated_then with blindIf.
  - apply tame_tamed, solveStep_tame.
  - intros [i'|]; apply tame_tamed; [apply solve_tame|apply tame_ret].
  - now apply solveStep_blind.
  - intros [i'|] B'; [now apply IH|now apply simulated_ret].
Qed.

End Simulation.
