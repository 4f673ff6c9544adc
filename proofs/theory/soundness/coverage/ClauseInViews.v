(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Coordinates in a view that are computed at a store whose block a clause
   gives: what is divided there may be anything that the block finds, and the
   quotients have values in every run. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export CoverageObligations.
Import ListNotations.
Open Scope Z_scope.

Notation hold e s := (Forall (fun f => holds e (claims f)) (facts s)).

(* Facts and definitions speak of what there is. *)
Record bounded (s : scope) : Prop := Bounded
  { boundFacts : Forall (fun f => boundFact (next s) (claims f)) (facts s);
    boundDefined : Forall (boundDefinition (next s)) (defined s) }.

Lemma orderly_bounded s : orderly s -> bounded s.
Proof. intros []. now split. Qed.

Lemma holds_later s e e' : bounded s -> agrees (next s) e e' -> hold e s ->
  hold e' s.
Proof.
  intros [B _] A H. rewrite Forall_forall in *. intros f I.
  eapply agrees_holds; [exact A|now apply B|now apply H].
Qed.

(* Steps that keep that, whatever is proved. *)
Definition keeps_ {A} (g : gen A) : Prop := forall s a s',
  g s = Some (a, s') -> bounded s -> bounded s'.

Lemma keeps_ret {A} (a : A) : keeps_ (ret a).
Proof. intros s x s' H B. now injection H as _ <-. Qed.
Lemma keeps_check b : keeps_ (check b).
Proof.
  intros s x s' H B. unfold check in H. destruct b; [|discriminate].
  now injection H as _ <-.
Qed.
Lemma keeps_then {A B} (g : gen A) (f : A -> gen B) :
  keeps_ g -> (forall a, keeps_ (f a)) -> keeps_ (andThen g f).
Proof.
  intros G F s b s' H Bs. step H a s1 E.
  exact (F _ _ _ _ H (G _ _ _ E Bs)).
Qed.
Lemma keeps_forEach {A} (f : A -> gen unit) l :
  (forall x, keeps_ (f x)) -> keeps_ (forEach f l).
Proof.
  intro F. induction l; simpl; [apply keeps_ret|]. apply keeps_then; auto.
Qed.
Lemma keeps_assume f r : keeps_ (assume f r).
Proof.
  intros s u s' H [F D]. apply assume_inv in H as [B ->].
  split; [now constructor|exact D].
Qed.
Lemma keeps_emit r goal b : keeps_ (emit r goal b).
Proof.
  intros s u s' H [F D]. apply emit_inv in H as [B [fs [-> R]]].
  split; [|exact D]. destruct R as [->|[_ [i ->]]]; simpl; [exact F|].
  constructor; [|exact F]. repeat constructor. exact B.
Qed.
Lemma keeps_introduce d : forall fs part, keeps_ (introduce d part fs).
Proof.
  induction fs as [|f fs IH]; intro part; simpl; [apply keeps_ret|].
  apply keeps_then; [apply keeps_assume|auto].
Qed.
Lemma keeps_emitFact f : keeps_ (emitFact f).
Proof.
  intros s b s' H [F D]. destruct (emitFact_emits (fun _ => 0) f s b s' H)
    as [[_ N Df _] _].
  unfold emitFact in H.
  assert (Many : (let* before := visible in
      let* _ := forEach (fun b => because Path (refusal b)) f in
      let* _ := emit OutCovered (constant (-1)) false in
      let* _ := release before in ret false) s = Some (b, s') -> bounded s').
  { clear H. intro H. step H fs s0 H0. injection H0 as <- <-. step H u s1 H1.
    step H u2 s2 H2. step H u3 s3 H3. injection H3 as _ <-.
    injection H as _ <-. apply refuse_all in H1 as [new_ [-> _]].
    apply emit_inv in H2 as [_ [more [-> _]]]. now split. }
  destruct f as [|[|a [|]] [|]]; try (now apply Many).
  clear Many. revert H. generalize (Bounded s F D). revert s b s' N Df F D.
  enough (K : keeps_ (let* _ := emit OutCovered (Cert.body a) true in
    let* _ := (if equality a
               then emit OutCovered (neg (Cert.body a)) true else ret tt) in
    ret (negb (equality a) &&
         match constantOf (Cert.body a) with None => true | _ => false end)))
    by (intros; eapply K; eauto).
  apply keeps_then; [apply keeps_emit|]. intro. apply keeps_then.
  - destruct (equality a); [apply keeps_emit|apply keeps_ret].
  - intro. apply keeps_ret.
Qed.
Lemma keeps_named i v : keeps_ (named i v).
Proof.
  unfold named. cbv zeta. apply keeps_then; [apply keeps_check|]. intro.
  apply keeps_introduce.
Qed.
Lemma keeps_replay constants : forall fs literal,
  keeps_ (replayFacts constants literal fs).
Proof.
  induction fs as [|f fs IH]; intro literal; simpl; [apply keeps_ret|].
  destruct (isConstant constants f); [apply IH|].
  assert (Ap : keeps_ (append f)) by apply keeps_assume.
  apply keeps_then; [|intro; apply IH].
  destruct (reason_ f) as [[]|d part|n via];
    try (apply keeps_then; [exact Ap|intro; apply keeps_ret]);
    try (apply keeps_then; [apply keeps_emitFact|intro; apply keeps_ret]).
  destruct literal; (apply keeps_then; [|intro; apply keeps_ret]);
    [exact Ap|]. apply keeps_then; [apply keeps_emitFact|intro; apply keeps_ret].
Qed.

(* Steps that add what can be given values. *)
Definition extends {A} (g : gen A) : Prop := forall s a s',
  g s = Some (a, s') -> bounded s -> bounded s' /\ grows s s' /\
  forall e, Forall discharged (vcs s') -> hold e s ->
    exists e', agrees (next s) e e' /\ hold e' s'.

Lemma extends_ret {A} (a : A) : extends (ret a).
Proof.
  intros s x s' H B. injection H as _ <-. split; [exact B|].
  split; [apply grows_refl|]. intros e _ F. exists e.
  split; [apply agrees_refl|exact F].
Qed.
Lemma extends_then {A B} (g : gen A) (f : A -> gen B) :
  extends g -> (forall a, extends (f a)) -> extends (andThen g f).
Proof.
  intros G F s b s' H Bs. step H a s1 E.
  destruct (G _ _ _ E Bs) as [B1 [G1 V1]].
  destruct (F _ _ _ _ H B1) as [B2 [G2 V2]].
  split; [exact B2|]. split; [eauto using grows_trans|]. intros e P H0.
  destruct (V1 e (grows_discharged _ _ G2 P) H0) as [e1 [A1 H1]].
  destruct (V2 e1 P H1) as [e2 [A2 H2]]. exists e2. split; [|exact H2].
  apply agrees_trans with (next s1) e1; auto. apply growsNext, G1.
Qed.
Lemma extends_given {A} (o : option A) : extends (given o).
Proof.
  unfold given. destruct o; [apply extends_ret|]. intros s x s' H.
  discriminate H.
Qed.

(* New results are what the definition says. *)
Lemma define_extends k args count s rs s' : shaped k args count ->
  define_ k args count s = Some (rs, s') -> bounded s ->
  bounded s' /\ grows s s' /\ vcs s' = vcs s /\
  forall e, hold e s ->
    (forall rs, Forall (holds e) (definitionNeeds (Definition_ k args rs))) ->
    exists e', agrees (next s) e e' /\ hold e' s'.
Proof.
  intros Sh H Bo. unfold define_ in H.
  destruct (findDefinition _ _ _) as [d|].
  { injection H as _ <-. split; [exact Bo|]. split; [apply grows_refl|].
    split; [reflexivity|]. intros e F _. exists e.
    split; [apply agrees_refl|exact F]. }
  destruct (forallb _ args) eqn:B; [|discriminate].
  step H vs s1 H1. step H u s2 H2. step H u' s3 H3. injection H as <- <-.
  apply fresh_many in H1 as [L [N [F [Le E]]]]. injection H2 as _ <-.
  apply introduce_inv in H3 as [Bs [new_ [-> [M _]]]].
  rewrite E in *. simpl in *. clear E.
  set (d := Definition_ k args vs) in *.
  assert (NE : definitionFacts d <> []) by now apply Sh.
  assert (Args : Forall (below_ (next s)) args).
  { rewrite forallb_forall in B. apply Forall_forall. intros p P.
    apply polyBelow_spec. auto. }
  destruct Bo as [OF OD]. split; [split; simpl|split; [|split]].
  - apply Forall_app. split.
    + eapply Forall_impl; [|exact M]. intros f [I _].
      rewrite Forall_forall in Bs. auto.
    + eapply Forall_impl; [|exact OF]. intros f. now apply boundFact_le.
  - constructor.
    + split; simpl.
      * eapply Forall_impl; [|exact Args]. intros p. now apply below_le.
      * eapply Forall_impl; [|exact F]. simpl. intros v V. cbv beta in *. lia.
    + eapply Forall_impl; [|exact OD]. intros d' [A R]. split.
      * eapply Forall_impl; [|exact A]. intros p. now apply below_le.
      * eapply Forall_impl; [|exact R]. simpl. intros v V. cbv beta in *. lia.
  - split; simpl; [lia| | | |]; try (now exists []).
    exists [d]. split; [reflexivity|].
    apply layered_cons with (next s); simpl; auto; try lia.
    constructor. lia.
  - reflexivity.
  - intros e Hold Needs. set (e' := update e vs (definitionValue e d)).
    assert (Ag : agrees (next s) e e').
    { intros v V. symmetry. apply update_other. intro I.
      rewrite Forall_forall in F. specialize (F v I). simpl in F. lia. }
    assert (Same : Forall (fun a => eval e a = eval e' a) args).
    { eapply Forall_impl; [|exact Args]. intros p P.
      now apply agrees_eval with (next s). }
    exists e'. split; [exact Ag|]. apply Forall_app. split.
    + assert (Facts : Forall (holds e') (definitionFacts d)).
      { apply definition_value; [exact NE|]. split.
        - eapply definitionNeeds_ext; [exact Same|apply Needs].
        - simpl. unfold e'. rewrite update_results; [|exact N|].
          + now apply definitionValue_ext.
          + now apply definitionValue_length. }
      eapply Forall_impl; [|exact M]. intros f [I _].
      rewrite Forall_forall in Facts. auto.
    + apply (holds_later s e e'); [now split|exact Ag|exact Hold].
Qed.

Lemma divide_extends a d s qr s' : divide a d s = Some (qr, s') -> bounded s ->
  bounded s' /\ grows s s' /\ vcs s' = vcs s /\
  forall e, hold e s -> 0 <= eval e a -> 1 <= eval e d ->
    exists e', agrees (next s) e e' /\ hold e' s'.
Proof.
  intros H B.
  assert (Same : forall x : poly * poly, ret x s = Some (qr, s') ->
    bounded s' /\ grows s s' /\ vcs s' = vcs s /\
    forall e, hold e s -> 0 <= eval e a -> 1 <= eval e d ->
      exists e', agrees (next s) e e' /\ hold e' s').
  { intros x R. injection R as _ <-. split; [exact B|].
    split; [apply grows_refl|]. split; [reflexivity|]. intros e F _ _.
    exists e. split; [apply agrees_refl|exact F]. }
  assert (Q : quotient a d s = Some (qr, s') ->
    bounded s' /\ grows s s' /\ vcs s' = vcs s /\
    forall e, hold e s -> 0 <= eval e a -> 1 <= eval e d ->
      exists e', agrees (next s) e e' /\ hold e' s').
  { intro R. unfold quotient in R. step R rs s1 R1.
    assert (s1 = s').
    { destruct rs as [|? [|? [|]]]; try discriminate R. now injection R. }
    subst s1. destruct (define_extends _ _ _ _ _ _ (shaped_quotient a d) R1 B)
      as [B' [G [D V]]].
    split; [exact B'|]. split; [exact G|]. split; [exact D|].
    intros e F A0 D1. apply V; [exact F|]. intros [|q [|r [|]]];
      unfold definitionNeeds; simpl; try constructor.
    - apply holds_ge. unfold one. rewrite sub_eval, constant_eval. lia.
    - constructor; [now apply holds_ge|constructor]. }
  unfold divide in H. destruct (constantOf d) as [y|].
  - destruct (constantOf a) as [x|].
    + destruct y as [|[]|]; try (eapply Same; exact H);
        destruct (_ && _); try (now apply Q); eapply Same; exact H.
    + destruct y as [|[]|]; try (now apply Q). eapply Same; exact H.
  - destruct (constantOf a); now apply Q.
Qed.

Notation asked := (fun _ _ => ret tt).

Lemma peel_extends : forall fs rest ds,
  extends (peel (fun _ => ret tt) rest fs ds).
Proof.
  induction fs as [|f fs IH]; intros rest ds; simpl; [apply extends_ret|].
  intros s a s' H B. step H u s0 H0. injection H0 as _ <-.
  step H u1 s1 H1. step H u2 s2 H2. step H qr s3 H3.
  pose proof (keeps_emit _ _ _ _ _ _ H1 B) as B1.
  pose proof (keeps_emit _ _ _ _ _ _ H2 B1) as B2.
  destruct (divide_extends _ _ _ _ _ H3 B2) as [B3 [G3 [D3 V3]]].
  assert (R : extends (let (q, r) := qr in
                       peel (fun _ => ret tt) q fs (r :: ds)))
    by (destruct qr; apply IH).
  destruct (R _ _ _ H B3) as [B4 [G4 V4]].
  destruct (emit_emits (fun _ => 0) _ _ _ _ _ _ H1) as [[G1 N1 _ _] _].
  destruct (emit_emits (fun _ => 0) _ _ _ _ _ _ H2) as [[G2 N2 _ _] _].
  split; [exact B4|]. split; [eauto using grows_trans|]. intros e P F.
  pose proof (grows_discharged _ _ G4 P) as P3.
  pose proof (grows_discharged _ _ G3 P3) as P2.
  pose proof (grows_discharged _ _ G2 P2) as P1.
  destruct (emit_emits e _ _ _ _ _ _ H1) as [[_ _ _ O1] Q1].
  destruct (emit_emits e _ _ _ _ _ _ H2) as [[_ _ _ O2] Q2].
  assert (F1 : hold e s1).
  { destruct (O1 P1 F) as [more [-> M]]. apply Forall_app. split; [|exact F].
    eapply Forall_impl; [|exact M]. now intros g [X _]. }
  assert (F2 : hold e s2).
  { destruct (O2 P2 F1) as [more [-> M]]. apply Forall_app. split; [|exact F1].
    eapply Forall_impl; [|exact M]. now intros g [X _]. }
  specialize (Q1 P1 F). specialize (Q2 P2 F1). rewrite plus_eval in Q1.
  destruct (V3 e F2) as [e3 [A3 F3]]; [exact Q2|lia|].
  destruct (V4 e3 P F3) as [e4 [A4 F4]]. exists e4. split; [|exact F4].
  rewrite <- N1, <- N2. apply agrees_trans with (next s3) e3; auto.
  apply growsNext, G3.
Qed.

Lemma undoSteps_extends : forall way i at_,
  extends (undoSteps asked i way at_).
Proof.
  induction way as [|[os ns|axes|axis fs|axis y] way IH]; intros i at_;
    cbn [undoSteps]; [apply extends_ret|apply IH|apply IH| |].
  - apply extends_then; [apply extends_given|]. intro.
    apply extends_then; [apply extends_ret|]. intro.
    apply extends_then; [apply peel_extends|]. intro. apply IH.
  - apply extends_then; [apply extends_given|]. intro. apply IH.
Qed.

Lemma clausePlace_extends clause i way element inView :
  extends (clausePlace clause i way element inView).
Proof.
  unfold clausePlace. destruct clause, way; try apply extends_ret.
  apply extends_then; [apply undoSteps_extends|]. intro. apply extends_ret.
Qed.
