(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Names, choices by a condition, and conditions that become obligations: what
   they give, as Primitives.v says it of the rest. *)

From Coq Require Import ZArith List Bool Lia.
From Girih Require Export Primitives.
Import ListNotations.
Open Scope Z_scope.

(* Names. *)

Lemma shaped_name p : shaped Name [p] 1.
Proof. intros [|v [|]] L; discriminate. Qed.
Lemma aliased_inv p s x s' : aliased p s = Some (x, s') ->
  (x = p /\ s' = s) \/
  exists v, define_ Name [p] 1 s = Some ([v], s') /\ x = variable v.
Proof.
  unfold aliased. destruct (constantOf p).
  - intro H. injection H as <- <-. auto.
  - intro H. apply andThen_inv in H as [rs [s1 [H1 H]]].
    destruct rs as [|v [|]]; try discriminate. injection H as <- <-. eauto.
Qed.
Lemma aliased_tame p : tame (aliased p).
Proof.
  intros s x s' H O. apply aliased_inv in H.
  destruct H as [[_ ->]|[v [H _]]]; auto using grows_refl.
  eapply define_tame; eauto using shaped_name.
Qed.
Lemma aliased_scopes p : scopes (aliased p).
Proof.
  intros s x s' H. apply aliased_inv in H.
  destruct H as [[_ ->]|[v [H _]]]; try (now exists []).
  eapply define_scopes; eauto.
Qed.
Lemma aliased_bound p s x s' : aliased p s = Some (x, s') -> orderly s ->
  below_ (next s) p -> below_ (next s') x.
Proof.
  intros H O B. apply aliased_inv in H. destruct H as [[-> ->]|[v [H ->]]].
  - exact B.
  - apply define_bound in H; [|exact O]. inversion H. auto using variable_below.
Qed.
Lemma aliased_true p s x s' e : aliased p s = Some (x, s') -> orderly s ->
  true_ s e ->
  exists e', agrees (next s) e e' /\ true_ s' e' /\ eval e' x = eval e p.
Proof.
  intros H O T. apply aliased_inv in H. destruct H as [[-> ->]|[v [H ->]]].
  - exists e. auto using agrees_refl.
  - apply (define_true _ _ _ _ _ _ e) in H; eauto using shaped_name.
    + destruct H as (e' & Ag & T' & V & _). exists e'. cbn in V.
      injection V as V. rewrite variable_eval. auto.
    + intro rs. constructor.
Qed.

(* Choice by a condition. *)

Lemma choice_tame c : forall a b, tame (choice c a b).
Proof.
  induction c as [|p|p|l IHl r IHr|l IHl r IHr]; intros a b; cbn [choice];
    repeat (apply tame_then; [auto using select_tame|intro]);
    try apply tame_ret; destruct a0; auto using tame_ret.
Qed.
Lemma choice_scopes c : forall a b, scopes (choice c a b).
Proof.
  induction c as [|p|p|l IHl r IHr|l IHl r IHr]; intros a b; cbn [choice];
    repeat (apply scopes_then; [auto using select_scopes|intro]);
    try apply scopes_ret; destruct a0; auto using scopes_ret.
Qed.

Lemma tame_next {A} (g : gen A) s a s' : tame g -> g s = Some (a, s') ->
  orderly s -> orderly s' /\ (next s <= next s')%positive.
Proof.
  intros T H O. destruct (T _ _ _ H O) as [O' G].
  split; [exact O'|apply (growsNext _ _ G)].
Qed.

Lemma choice_bound c : forall a b s p s',
  choice c a b s = Some (Some p, s') -> orderly s ->
  below_ (next s) a -> below_ (next s) b -> below_ (next s') p.
Proof.
  induction c as [|p|p|l IHl r IHr|l IHl r IHr]; cbn [choice];
    intros a b s x s' H O A B; [discriminate|..];
    apply andThen_inv in H as [y [s1 [H1 H]]].
  - injection H as <- <-. now apply select_bound in H1.
  - apply andThen_inv in H as [z [s2 [H2 H]]]. injection H as <- <-.
    pose proof (select_bound _ _ _ _ _ _ H1 O A B).
    destruct (tame_next _ _ _ _ (select_tame _ _ _) H1 O) as [O1 N].
    eapply select_bound; eauto using below_le.
  - destruct y as [y|]; [|discriminate].
    destruct (tame_next _ _ _ _ (choice_tame _ _ _) H1 O) as [O1 N].
    eapply IHl; eauto using below_le.
  - destruct y as [y|]; [|discriminate].
    destruct (tame_next _ _ _ _ (choice_tame _ _ _) H1 O) as [O1 N].
    eapply IHl; eauto using below_le.
Qed.

Lemma choice_value c : forall a b s o s' e, choice c a b s = Some (o, s') ->
  orderly s -> true_ s e -> boundCond (next s) c -> below_ (next s) a ->
  below_ (next s) b ->
  exists e', agrees (next s) e e' /\ true_ s' e' /\
    match o with
    | Some x => isKnown c = true /\
        eval e' x = if truth e c then eval e a else eval e b
    | None => isKnown c = false
    end.
Proof.
  induction c as [|p|p|l IHl r IHr|l IHl r IHr];
    cbn [choice isKnown truth boundCond];
    intros a b s o s' e H O T C A B.
  { injection H as <- <-. exists e. auto using agrees_refl. }
  all: apply andThen_inv in H as [y [s1 [H1 H]]].
  - injection H as <- <-. apply (select_true _ _ _ _ _ _ e) in H1; auto.
    destruct H1 as (e' & Ag & T' & V). eauto.
  - apply andThen_inv in H as [z [s2 [H2 H]]]. injection H as <- <-.
    destruct (tame_next _ _ _ _ (select_tame _ _ _) H1 O) as [O1 N].
    apply (select_true _ _ _ _ _ _ e) in H1; auto.
    destruct H1 as (e1 & Ag1 & T1 & V1).
    apply (select_true _ _ _ _ _ _ e1) in H2; auto.
    destruct H2 as (e2 & Ag2 & T2 & V2). exists e2.
    split; [eauto using agrees_trans|]. split; [exact T2|].
    split; [reflexivity|]. rewrite V2, V1, neg_eval.
    rewrite <- !(agrees_eval _ _ _ _ Ag1) by assumption.
    destruct (Z.leb_spec 0 (eval e p)), (Z.leb_spec 0 (- eval e p)),
      (Z.eqb_spec (eval e p) 0); lia.
  - destruct (tame_next _ _ _ _ (choice_tame _ _ _) H1 O) as [O1 N].
    destruct C as [C1 C2]. destruct y as [y|].
    + pose proof (choice_bound _ _ _ _ _ _ H1 O A B) as Y.
      eapply IHr in H1 as (e1 & Ag1 & T1 & K1 & V1); eauto.
      eapply IHl in H as (e2 & Ag2 & T2 & V2);
        eauto using boundCond_le, below_le.
      exists e2. split; [eauto using agrees_trans|]. split; [exact T2|].
      destruct o as [x|]; [|now rewrite V2].
      destruct V2 as [K2 V2]. split; [now rewrite K1, K2|].
      rewrite V2, V1, <- (agrees_eval _ _ _ _ Ag1 B),
        <- (truth_agrees _ _ _ _ Ag1 C1).
      now destruct (truth e l), (truth e r).
    + injection H as <- <-. eapply IHr in H1 as (e1 & Ag1 & T1 & K1); eauto.
      exists e1. rewrite K1, andb_false_r. auto.
  - destruct (tame_next _ _ _ _ (choice_tame _ _ _) H1 O) as [O1 N].
    destruct C as [C1 C2]. destruct y as [y|].
    + pose proof (choice_bound _ _ _ _ _ _ H1 O A B) as Y.
      eapply IHr in H1 as (e1 & Ag1 & T1 & K1 & V1); eauto.
      eapply IHl in H as (e2 & Ag2 & T2 & V2);
        eauto using boundCond_le, below_le.
      exists e2. split; [eauto using agrees_trans|]. split; [exact T2|].
      destruct o as [x|]; [|now rewrite V2].
      destruct V2 as [K2 V2]. split; [now rewrite K1, K2|].
      rewrite V2, V1, <- (agrees_eval _ _ _ _ Ag1 A),
        <- (truth_agrees _ _ _ _ Ag1 C1).
      now destruct (truth e l), (truth e r).
    + injection H as <- <-. eapply IHr in H1 as (e1 & Ag1 & T1 & K1); eauto.
      exists e1. rewrite K1, andb_false_r. auto.
Qed.
Lemma choice_true c a b s o s' e : choice c a b s = Some (o, s') ->
  orderly s -> true_ s e -> boundCond (next s) c -> below_ (next s) a ->
  below_ (next s) b ->
  exists e', agrees (next s) e e' /\ true_ s' e' /\
    match o with
    | Some p => isKnown c = true /\ (may e c -> eval e' p = eval e a) /\
        (~ may e c -> eval e' p = eval e b)
    | None => isKnown c = false
    end.
Proof.
  intros H O T C A B.
  destruct (choice_value _ _ _ _ _ _ e H O T C A B) as (e' & Ag & T' & V).
  exists e'. split; [exact Ag|]. split; [exact T'|].
  destruct o as [p|]; [|exact V]. destruct V as [K V].
  split; [exact K|]. rewrite may_truth, V. now destruct (truth e c).
Qed.

(* A condition that is an obligation. *)

Lemma proveCond_tame r c : tame (proveCond r c).
Proof.
  induction c as [|p|p|a IHa b IHb|a IHa b IHb]; cbn [proveCond].
  - apply tame_then; [apply choice_tame|]. intros [x|]; apply emit_tame.
  - apply emit_tame.
  - apply tame_then; [apply emit_tame|]. intro. apply emit_tame.
  - apply tame_then; auto.
  - apply tame_then; [apply choice_tame|]. intros [x|]; apply emit_tame.
Qed.
Lemma proveCond_scopes r c : scopes (proveCond r c).
Proof.
  induction c as [|p|p|a IHa b IHb|a IHa b IHb]; cbn [proveCond].
  - apply scopes_then; [apply choice_scopes|]. intros [x|]; apply emit_scopes.
  - apply emit_scopes.
  - apply scopes_then; [apply emit_scopes|]. intro. apply emit_scopes.
  - apply scopes_then; auto.
  - apply scopes_then; [apply choice_scopes|]. intros [x|]; apply emit_scopes.
Qed.

(* Once discharged, it is known and true. *)
Lemma proveCond_true r c : forall s u s' e, proveCond r c s = Some (u, s') ->
  orderly s -> true_ s e -> boundCond (next s) c -> Forall discharged (vcs s') ->
  exists e', agrees (next s) e e' /\ true_ s' e' /\
    isKnown c = true /\ truth e c = true.
Proof.
  induction c as [|p|p|a IHa b IHb|a IHa b IHb]; intros s u s' e H O T B P.
  - cbn [proveCond] in H. apply andThen_inv in H as [one [s1 [H1 H]]].
    cbn [choice] in H1. injection H1 as <- <-.
    destruct (emit_true _ _ _ _ _ _ e H P T) as [N _].
    rewrite constant_eval in N. lia.
  - cbn [proveCond] in H. destruct (emit_true _ _ _ _ _ _ e H P T) as [N T'].
    exists e. cbn [isKnown truth]. split; [apply agrees_refl|].
    split; [exact T'|]. split; [reflexivity|]. now apply Z.leb_le.
  - cbn [proveCond] in H. apply andThen_inv in H as [u1 [s1 [H1 H]]].
    destruct (emit_tame _ _ _ _ _ _ H1 O) as [O1 G1].
    destruct (emit_tame _ _ _ _ _ _ H O1) as [O2 G2].
    destruct (emit_true _ _ _ _ _ _ e H1 (grows_discharged _ _ G2 P) T) as [N1 T1].
    destruct (emit_true _ _ _ _ _ _ e H P T1) as [N2 T2].
    rewrite neg_eval in N2.
    exists e. cbn [isKnown truth]. split; [apply agrees_refl|].
    split; [exact T2|]. split; [reflexivity|]. apply Z.eqb_eq. lia.
  - cbn [proveCond] in H. apply andThen_inv in H as [u1 [s1 [H1 H]]].
    destruct B as [Ba Bb].
    destruct (proveCond_tame _ _ _ _ _ H1 O) as [O1 G1].
    destruct (proveCond_tame _ _ _ _ _ H O1) as [O2 G2].
    destruct (IHa _ _ _ _ H1 O T Ba (grows_discharged _ _ G2 P))
      as (e1 & A1 & T1 & K1 & V1).
    destruct (IHb _ _ _ _ H O1 T1
      (boundCond_le _ _ _ (growsNext _ _ G1) Bb) P)
      as (e2 & A2 & T2 & K2 & V2).
    exists e2. cbn [isKnown truth]. rewrite K1, K2, V1.
    rewrite (truth_agrees _ _ _ _ A1 Bb), V2.
    split; [|auto]. eapply agrees_trans; [|exact A1|exact A2].
    apply (growsNext _ _ G1).
  - cbn [proveCond] in H. apply andThen_inv in H as [one [s1 [H1 H]]].
    destruct (choice_value _ _ _ _ _ _ e H1 O T B (constant_below _ _)
      (nil_below _)) as (e1 & A1 & T1 & V).
    destruct one as [x|].
    + destruct V as [K V].
      destruct (emit_true _ _ _ _ _ _ e1 H P T1) as [N T2].
      exists e1. split; [exact A1|]. split; [exact T2|]. split; [exact K|].
      rewrite plus_eval, V, constant_eval in N.
      destruct (truth e (Either a b)); [reflexivity|]. cbn [eval] in N. lia.
    + destruct (emit_true _ _ _ _ _ _ e1 H P T1) as [N _].
      rewrite constant_eval in N. lia.
Qed.

(* The refusal of an alternative holds just when the alternative does not. *)
Lemma refusal_holds e l : holds e (refusal l) <-> ~ Forall (holdsAtom e) l.
Proof.
  induction l as [|[eq p] l IH].
  - split; [intro H; inversion H|]. intro H. exfalso. apply H. constructor.
  - unfold refusal in *. cbn [flat_map Cert.body equality]. unfold holds in *.
    rewrite Exists_app, IH, Forall_cons_iff, Exists_cons.
    assert (D : holdsAtom e (Atom eq p) \/ ~ holdsAtom e (Atom eq p))
      by (unfold holdsAtom; destruct eq; simpl; lia).
    enough (E : Forall (holdsAtom e) [Atom false (below p)] \/
        Exists (Forall (holdsAtom e))
          (if eq then [[Atom false (plus p (-1))]] else []) <->
        ~ holdsAtom e (Atom eq p)) by tauto.
    rewrite Forall_cons_iff, Forall_nil_iff. unfold holdsAtom.
    destruct eq; cbn [equality Cert.body];
      rewrite ?Exists_cons, ?Exists_nil, ?Forall_cons_iff, ?Forall_nil_iff;
      cbn [equality Cert.body]; rewrite ?lower_eval, ?plus_eval; lia.
Qed.
Lemma refusal_bound n l : Forall (fun a => below_ n (Cert.body a)) l ->
  boundFact n (refusal l).
Proof.
  intro H. unfold boundFact, refusal. apply Forall_flat_map.
  eapply Forall_impl; [|exact H]. intros [eq p] P. simpl in *.
  destruct eq; repeat constructor; cbn [Cert.body]; auto with bounded.
Qed.
