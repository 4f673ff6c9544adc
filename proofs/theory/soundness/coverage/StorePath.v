(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   On the way to a store that writes an element: where the walk has reached a
   scope and the run has the values of the witness there, what loops, branches
   and lanes demand holds. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export Writes Code.
Import ListNotations.
Open Scope Z_scope.

Ltac step H x s1 E := apply andThen_inv in H as [x [s1 [E H]]].

Section StorePath.

Context (w : Z) (k : kernel) (h : header) (l : launch) (m : machine)
  (given : initial_) (ids : list Z) (e0 : values) (from : Poly.var)
  (final : scope) (launch_ : list scoped).

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

(* The walk has reached a scope, and the run has these values there. *)
Record onPath (s : scope) (e : values) : Prop := OnPath
  { inOrder : orderly s;
    isTrue : true_ s e;
    ahead : grows s final;
    fromLaunch : agrees from e0 e;
    behindLaunch : (from <= next s)%positive;
    isBlock : map e (idVars h) = ids;
    isLaunch : launched w k h l e;
    isBound : boundHeader (next s) h;
    aroundLaunch : exists mid, facts s = mid ++ launch_;
    recalled : recalls k l given (next s) e (looks s);
    onTrip : forall v, In v (trips wr) -> (v < next s)%positive -> e v = wit v
  }.

Lemma onPath_onward s e s' e' : onPath s e -> orderly s' ->
  true_ s' e' -> grows s s' -> grows s' final -> agrees (next s) e e' ->
  (exists m, facts s' = m ++ facts s) ->
  recalls k l given (next s') e' (looks s') ->
  (forall v, In v (trips wr) -> (next s <= v < next s')%positive ->
     e' v = wit v) ->
  onPath s' e'.
Proof.
  intros [O T G A B Id L H [mid F] Rc Tr] O' T' Gs G' Ag [m' F'] Rc' New.
  pose proof (growsNext _ _ Gs). split; auto.
  - apply agrees_trans with (next s) e; auto.
  - lia.
  - rewrite <- Id. symmetry. apply map_ext_in. intros v V. apply Ag.
    destruct H as [_ [_ H]]. rewrite Forall_forall in H. auto.
  - now apply launched_agrees with (next s) e.
  - now apply boundHeader_le with (next s).
  - exists (m' ++ mid). now rewrite F', F, app_assoc.
  - intros v V V'. destruct (Pos.ltb_spec v (next s)) as [Lt|Ge].
    + rewrite <- (Ag v Lt). auto.
    + apply New; [exact V|lia].
Qed.

Lemma onPath_further s e s' e' : onPath s e -> orderly s' ->
  true_ s' e' -> grows s s' -> grows s' final -> agrees (next s) e e' ->
  (exists m, facts s' = m ++ facts s) -> looks s' = looks s ->
  (forall v, In v (trips wr) -> (next s <= v < next s')%positive ->
     e' v = wit v) ->
  onPath s' e'.
Proof.
  intros S O' T' Gs G' Ag F E New. apply onPath_onward with s e; auto.
  rewrite E. apply recalls_later with (next s) e; [apply Gs|exact Ag|apply S].
Qed.

(* Values at the end of the walk that go on from those here. *)
Lemma onward s e : onPath s e -> exists e1, agrees (next s) e e1 /\
  agrees from e0 e1 /\ map e1 (idVars h) = ids /\
  Forall (canonical e1) (defined final) /\
  (forall v, In v (trips wr) -> e1 v = wit v).
Proof.
  intros [O T G A B Id L H F Rc Tr].
  set (e' := fun v => if (v <? next s)%positive then e v else wit v).
  assert (Ag : agrees (next s) e e').
  { intros v V. unfold e'. now apply Pos.ltb_lt in V as ->. }
  destruct (grows_complete s final e' O G) as [e1 [A1 [C1 K1]]].
  { now apply true_agrees with e. }
  assert (Ag1 : agrees (next s) e e1).
  { apply agrees_trans with (next s) e'; auto. lia. }
  exists e1. split; [exact Ag1|]. split.
  { apply agrees_trans with (next s) e; auto. }
  split; [|split; [exact C1|]].
  - rewrite <- Id. symmetry. apply map_ext_in. intros v V. apply Ag1.
    destruct H as [_ [_ H]]. rewrite Forall_forall in H. auto.
  - intros v V. rewrite K1 by now apply plainTrips. unfold e'.
    destruct (Pos.ltb_spec v (next s)) as [Lt|Ge]; auto.
Qed.

(* A fact that is demanded here holds here. *)
Lemma onPath_step s e n env d : onPath s e -> boundNames (next s) n ->
  describes w l e n env d -> at_step w k h l given ids e0 from s e n env d.
Proof. intros [O T G A B Id L H F Rc Tr] N D. now split. Qed.

Lemma demanded_holds s e f after : onPath s e ->
  writeFacts wr = after ++ f :: facts s -> demanded f ->
  boundFact (next s) (claims f) -> holds e (claims f).
Proof.
  intros S F D B. destruct (onward s e S) as [e1 [Ag [A [Id [C Tr]]]]].
  destruct (demands e1 A Id C Tr) as [M _].
  destruct (aroundLaunch s e S) as [mid Mid].
  apply (agrees_holds (next s) e1 e); [now apply agrees_sym|exact B|].
  apply (M after f (facts s) mid F Mid D).
  destruct S as [O T _ _ _ _ _ _ _ _ _].
  apply (true_agrees s e e1 O Ag) in T. apply T.
Qed.

Lemma assume_demanded s e f r s' after :
  assume f r s = Some (tt, s') -> demanded (Scoped f r) -> plain r ->
  grows s' final -> onPath s e -> writeFacts wr = after ++ facts s' ->
  holds e f /\ onPath s' e.
Proof.
  intros H D P G S F. pose proof (inOrder s e S) as O.
  pose proof (isTrue s e S) as T.
  assert (Hf : holds e f).
  { apply assume_inv in H as [Bf ->]. simpl in F.
    apply (demanded_holds s e (Scoped f r) after); auto. }
  split; [exact Hf|]. destruct (assume_tame f r P _ _ _ H O) as [O' G'].
  assert (U : NoLookup r).
  { intro g. destruct r as [[| | | | | |at_|]| |]; try reflexivity.
    contradiction D. }
  apply onPath_further with s e; auto.
  - now apply (assume_true f r s tt).
  - apply agrees_refl.
  - eapply assume_scopes, H.
  - exact (keep_assume (part := looks) f r _ _ _ H).
  - intros v _ V. apply assume_inv in H as [_ ->]. simpl in V. lia.
Qed.

Lemma paths_demanded : forall fs s e s' after,
  forEach (because Path) fs s = Some (tt, s') -> grows s' final ->
  onPath s e -> writeFacts wr = after ++ facts s' ->
  Forall (holds e) fs /\ onPath s' e.
Proof.
  induction fs as [|f fs IH]; simpl; intros s e s' after H G S F.
  { injection H as <-. auto. }
  apply andThen_inv in H as [u [s1 [H1 H]]]. destruct u.
  pose proof (inOrder s e S) as O.
  destruct (assume_tame f (Because Path) Logic.I _ _ _ H1 O) as [O1 G1].
  destruct (paths_tame _ _ _ _ H O1) as [O2 G2].
  destruct (paths_scopes _ _ _ _ H) as [more M].
  destruct (assume_demanded s e f (Because Path) s1 (after ++ more)) as [Hf S1];
    auto; try exact Logic.I.
  - now apply grows_trans with s'.
  - now rewrite F, M, app_assoc.
  - destruct (IH s1 e s' after H G S1 F) as [Hfs S']. auto.
Qed.

Lemma onPath_at s e s' e' n env d : onPath s e ->
  at_step w k h l given ids e0 from s' e' n env d -> grows s s' ->
  grows s' final -> agrees (next s) e e' ->
  (exists more, facts s' = more ++ facts s) ->
  (forall v, In v (trips wr) -> (v < next s)%positive) -> onPath s' e'.
Proof.
  intros S A G Gf Ag F Tr. apply onPath_onward with s e; auto; try apply A.
  intros v V Lv. specialize (Tr v V). lia.
Qed.

Lemma onPath_lanes : forall sh s e at_ s' after,
  anyLane sh s = Some (at_, s') -> onPath s e -> grows s' final ->
  writeFacts wr = after ++ facts s' ->
  exists e', agrees (next s) e e' /\ onPath s' e' /\
    inBox sh (map (eval e') at_) /\ Forall (below_ (next s')) at_.
Proof.
  unfold anyLane. induction sh as [|y sh IH]; intros s e nums s' after H S Gf F;
    cbn [mapEach] in H.
  { injection H as <- <-. exists e. split; [apply agrees_refl|].
    split; [exact S|]. split; constructor. }
  pose proof (inOrder s e S) as O.
  step H p s1 H1. step H ps s2 H2. injection H as <- <-.
  assert (G1 : leads s s1).
  { destruct (y =? 1); [injection H1 as _ <-; split; auto using grows_refl|].
    revert H1. intro H1. split; revert H1 O;
      generalize (tame_then fresh_ (fun v =>
        let* _ := because Loop (GeZ (variable v)) in
        let* _ := because Loop (GeZ (sub (constant (y - 1)) (variable v)))
        in ret (variable v)) fresh_tame
        ltac:(intro; apply tame_then; [now apply assume_tame|intro;
          apply tame_then; [now apply assume_tame|intro; apply tame_ret]]));
      intros Tm H1 O; now destruct (Tm _ _ _ H1 O). }
  destruct G1 as [O1 G1].
  destruct (anyLane_tame sh _ _ _ H2 O1) as [O2 G2].
  destruct (anyLane_scopes sh _ _ _ H2) as [more M].
  assert (G1f : grows s1 final) by now apply grows_trans with s2.
  assert (One : exists e1, agrees (next s) e e1 /\ onPath s1 e1 /\
            (0 <= eval e1 p < y) /\ below_ (next s1) p).
  { destruct (Z.eqb_spec y 1).
    - injection H1 as <- <-. exists e. split; [apply agrees_refl|].
      split; [exact S|]. split; [simpl; lia|apply nil_below].
    - step H1 v r1 X1. step H1 u1 r2 X2. step H1 u2 r3 X3.
      injection H1 as <- <-. destruct u1, u2.
      destruct (fresh_tame _ _ _ X1 O) as [Oa Ga].
      destruct (assume_tame _ (Because Loop) Logic.I _ _ _ X2 Oa) as [Ob Gb].
      destruct (assume_tame _ (Because Loop) Logic.I _ _ _ X3 Ob) as [Oc Gc].
      assert (Ev : v = next s) by now injection X1 as <- _.
      set (e1 := set1 e v (wit v)).
      assert (Ag : agrees (next s) e e1)
        by (unfold e1; rewrite Ev; apply set1_agrees).
      assert (S1 : onPath r1 e1).
      { apply onPath_further with s e; auto.
        - unfold e1. rewrite Ev.
          now apply (fresh_true s (next s) r1 e (wit (next s)));
            [rewrite <- Ev|apply O|apply S].
        - eauto using grows_trans.
        - eapply fresh_scopes, X1.
        - apply (keep_fresh (part := looks) _ _ _ X1).
        - intros u V Lu. injection X1 as _ <-. simpl in Lu.
          assert (u = v) as -> by lia. apply set1_same. }
      destruct (assume_scopes _ _ _ _ _ X3) as [m3 M3].
      destruct (assume_demanded r1 e1 _ _ r2 (after ++ more ++ m3) X2)
        as [Z0 S2]; auto; try exact Logic.I.
      { eauto using grows_trans. }
      { now rewrite F, M, M3, <- !app_assoc. }
      destruct (assume_demanded r2 e1 _ _ r3 (after ++ more) X3)
        as [Z1 S3]; auto; try exact Logic.I.
      { now rewrite F, M, <- app_assoc. }
      exists e1. split; [exact Ag|]. split; [exact S3|].
      apply holds_ge in Z0, Z1. rewrite sub_eval, constant_eval in Z1.
      split; [lia|]. apply variable_below.
      injection X1 as _ <-. apply growsNext in Gb, Gc. simpl in *. lia. }
  destruct One as [e1 [Ag1 [S1 [R1 B1]]]].
  destruct (IH s1 e1 ps s2 after H2 S1 Gf F) as [e2 [Ag2 [S2 [I2 B2]]]].
  exists e2. split.
  { apply agrees_trans with (next s1) e1; auto. apply G1. }
  split; [exact S2|]. split.
  - cbn [map]. constructor; [|exact I2].
    now rewrite <- (agrees_eval (next s1) e1 e2 p Ag2 B1).
  - constructor; [|exact B2]. apply below_le with (next s1); [apply G2|].
    exact B1.
Qed.

End StorePath.
