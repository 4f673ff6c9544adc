(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Ops without a region or an event: the conditions of one keep it from getting
   stuck, and what is then known of its result holds. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export Positions.
Import ListNotations.
Open Scope Z_scope.

(* The parts of a conjunction. *)
Ltac conj := repeat match goal with |- _ /\ _ => split end.

(* Steps of the generator taken apart. *)
Ltac steps :=
  repeat match goal with
  | H : andThen _ _ _ = Some (_, _) |- _ =>
      let a := fresh "a" in let s1 := fresh "s" in
      let H1 := fresh "H" in
      apply andThen_inv in H as [a [s1 [H1 H]]]
  | H : ret _ ?s = Some (_, ?s') |- context [?s'] => injection H as <- ->
  | H : ret _ _ = Some (_, _) |- _ => injection H as <- <-
  | H : ret _ ?s = Some (_, ?s') |- context [?s'] => injection H as ? ->
  | H : ret _ _ = Some (_, _) |- _ => injection H as ? <-
  | H : fail _ = Some _ |- _ => discriminate H
  | H : check ?b _ = Some _ |- _ =>
      unfold check in H; destruct b eqn:?; [injection H as _ <-|discriminate H]
  | H : given ?o _ = Some _ |- _ =>
      unfold given in H; destruct o eqn:?; [injection H as <- <-|discriminate H]
  | H : _ && _ = true |- _ => apply andb_true_iff in H as [? ?]
  | H : eqType _ _ = true |- _ => apply eqType_sound in H
  | H : eqElement _ _ = true |- _ => apply eqElement_sound in H
  end.

Create HintDb tame.
#[export] Hint Resolve tame_ret tame_fail tame_given tame_check tame_then
  tame_forEach tame_mapEach emit_tame fresh_tame divide_tame select_tame
  choice_tame aliased_tame proveCond_tame : tame.
#[export] Hint Extern 1 (tame (because _ _)) =>
  (apply assume_tame; exact I) : tame.
Create HintDb scopes.
#[export] Hint Resolve scopes_ret scopes_fail scopes_given scopes_check
  scopes_then scopes_forEach scopes_mapEach emit_scopes fresh_scopes
  divide_scopes select_scopes choice_scopes wrapped_scopes assume_scopes
  aliased_scopes proveCond_scopes
  : scopes.
#[export] Hint Extern 1 (scopes (because _ _)) =>
  (apply assume_scopes) : scopes.

(* Scopes stay in order, and what is discharged at the end was discharged
   before. *)
Ltac tamely :=
  repeat match goal with
  | O : orderly ?s, H : ?g ?s = Some (_, ?s') |- _ =>
      lazymatch goal with
      | _ : grows s s' |- _ => fail
      | _ => let X := fresh in
             assert (X : tame g) by auto 12 with tame;
             let O' := fresh "O" in let G := fresh "G" in
             destruct (X _ _ _ H O) as [O' G]; clear X
      end
  end;
  repeat match goal with
  | P : Forall discharged (vcs ?s'), G : grows ?s ?s' |- _ =>
      lazymatch goal with
      | _ : Forall discharged (vcs s) |- _ => fail
      | _ => pose proof (grows_discharged _ _ G P)
      end
  end.

Lemma emit_next r g b s u s' : emit r g b s = Some (u, s') -> next s' = next s.
Proof. intro H. apply emit_inv in H as [_ [fs [-> _]]]. reflexivity. Qed.

(* The conditions on the way hold. *)
Ltac emitted :=
  repeat match goal with
  | T : true_ ?s ?e, H : emit _ _ _ ?s = Some (_, ?s'),
    P : Forall discharged (vcs ?s') |- _ =>
      let N := fresh "N" in let T' := fresh "T" in let E := fresh "E" in
      pose proof (emit_next _ _ _ _ _ _ H) as E;
      destruct (emit_true _ _ _ _ _ _ e H P T) as [N T']; clear H;
      rewrite ?plus_eval, ?sub_eval, ?constant_eval in N
  end.

Section Ops.

Context (w : Z) (h : header).

Lemma integer_width t : isInteger t = true -> isType t = true -> 8 <= w <= 64 ->
  2 <= widthOf w (lanes t) <= 64.
Proof.
  unfold isInteger, isType, isLane. destruct t as [sh [|n|]]; simpl.
  - lia.
  - rewrite !andb_true_iff, orb_true_iff, !andb_true_iff. lia.
  - rewrite andb_false_r. discriminate.
Qed.

Lemma laneOk_fits t x : isInteger t = true ->
  laneOk w (lanes t) x <-> fits (widthOf w (lanes t)) x.
Proof.
  unfold isInteger. destruct t as [sh [|n|]]; simpl; try tauto.
  rewrite andb_false_r. discriminate.
Qed.

(* What comes of an op. *)
Definition gives (s s' : scope) (e : values) (t : type) (x : entry)
  (o : outcome (list Z)) : Prop :=
  exists xs mm e', x = Val t mm /\ o = Ok xs /\ agrees (next s) e e' /\
    true_ s' e' /\ means w e' t mm xs /\ boundMeaning (next s') mm.

Lemma gives_plain s e t xs : true_ s e -> isType t = true ->
  length xs = laneCount t -> Forall (laneOk w (lanes t)) xs ->
  gives s s e t (Val t Plain) (Ok xs).
Proof.
  intros T Y L F. exists xs, Plain, e. unfold means.
  conj; auto using agrees_refl.
  exact I.
Qed.

Lemma gives_number s s' e e' t p x : agrees (next s) e e' -> true_ s' e' ->
  isType t = true -> isInteger t = true -> laneOk w (lanes t) x ->
  eval e' p = x -> below_ (next s') p ->
  gives s s' e t (Val t (Number p)) (Ok [x]).
Proof.
  intros A T Y I L <- B. exists [eval e' p], (Number p), e'.
  unfold means. conj; auto. rewrite (isInteger_scalar t I). reflexivity.
Qed.

Lemma gives_truth s e t c b : true_ s e -> isTruth t = true ->
  fits 1 b -> (b <> 0 -> may e c) -> (b = 0 -> may e (negated c)) ->
  (isKnown c = true -> b = 0 -> ~ may e c) -> boundCond (next s) c ->
  gives s s e t (Val t (Truth c)) (Ok [b]).
Proof.
  intros T I F Yes No Not B. exists [b], (Truth c), e.
  pose proof (isTruth_scalar t I) as E. subst t.
  unfold means. conj; auto using agrees_refl. exists b. auto.
Qed.

(* Changes of scope in front of an op that change no value. *)
Lemma gives_after s s1 s' e e1 t x o : agrees (next s) e e1 ->
  (next s <= next s1)%positive ->
  gives s1 s' e1 t x o -> gives s s' e t x o.
Proof.
  intros A L [xs [mm [e' [X [O [A' [T [M B]]]]]]]].
  exists xs, mm, e'. conj; auto.
  now apply agrees_trans with (next s1) e1.
Qed.

(* A value about which only its type is known. *)

Lemma unknown_tame t : tame (unknown h t).
Proof. unfold unknown. auto 12 with tame. apply tame_then; auto with tame.
  intros _. destruct (isInteger t); auto 12 with tame. Qed.
Lemma unknown_scopes t : scopes (unknown h t).
Proof. unfold unknown. apply scopes_then; auto with scopes.
  intros _. destruct (isInteger t); auto 12 with scopes. Qed.

Lemma unknown_gives t s x s' e xs : unknown h t s = Some (x, s') ->
  bits h = w -> 8 <= w <= 64 -> orderly s -> true_ s e ->
  length xs = laneCount t -> Forall (laneOk w (lanes t)) xs ->
  gives s s' e t x (Ok xs).
Proof.
  intros H W Wi O T L F. unfold unknown in H. steps.
  destruct (isInteger t) eqn:I.
  - pose proof (integer_width t I Heqb Wi) as Width.
    pose proof (isInteger_scalar t I) as E. rewrite E in L.
    apply scalar_lanes in L as [z ->]. inversion F as [|? ? Z1 _]. subst.
    apply laneOk_fits in Z1; [|exact I].
    steps. destruct (fresh_true _ _ _ e z H0 O T) as [-> T1].
    assert (G : eval (set1 e (next s) z) (variable (next s)) = z).
    { rewrite variable_eval. apply set1_same. }
    apply assume_inv in H1 as H1'. apply assume_inv in H2 as H2'.
    eapply assume_true with (e := set1 e (next s) z) in H1; [|exact T1|].
    2:{ apply holds_ge. rewrite plus_eval, G. unfold fits in Z1. unfold maxOf.
        rewrite W. lia. }
    eapply assume_true with (e := set1 e (next s) z) in H2; [|exact H1|].
    2:{ apply holds_ge. rewrite sub_eval, constant_eval, G. unfold fits in Z1.
        unfold maxOf. rewrite W. lia. }
    eapply gives_number; eauto using set1_agrees.
    + apply laneOk_fits; auto.
    + destruct H1' as [_ ->], H2' as [_ ->]. simpl.
      injection H0 as <-. simpl. apply variable_below. lia.
  - steps. now apply gives_plain.
Qed.

(* Arithmetic. *)

Lemma arithmetic_tame t p : isType t = true -> isInteger t = true ->
  8 <= bits h <= 64 -> tame (arithmetic h t p).
Proof.
  intros Y I Wi. unfold arithmetic.
  destruct (overflows p).
  - apply tame_then; [|intro; apply unknown_tame].
    destruct (eqElement _ _); auto with tame.
  - destruct (eqElement _ _) eqn:E; auto with tame.
    apply tame_then; auto with tame. apply wrapped_tame.
    unfold isInteger in I. unfold isType, isLane in Y.
    destruct t as [sh [|n|]]; simpl in *; try discriminate.
    + apply andb_true_iff in I, Y. lia.
    + rewrite andb_false_r in I. discriminate.
Qed.
Lemma arithmetic_scopes t p : scopes (arithmetic h t p).
Proof.
  unfold arithmetic. destruct (overflows p).
  - apply scopes_then; [|intro; apply unknown_scopes].
    destruct (eqElement _ _); auto with scopes.
  - destruct (eqElement _ _); auto with scopes.
Qed.

(* The exact result as a lane. *)
Lemma arithmetic_gives t p s x s' e : arithmetic h t p s = Some (x, s') ->
  isType t = true -> isInteger t = true -> bits h = w -> 8 <= w <= 64 ->
  orderly s -> true_ s e -> Forall discharged (vcs s') -> below_ (next s) p ->
  (lanes t = Index -> gives s s' e t x (Ok [eval e p]) /\ fits w (eval e p)) /\
  (forall n, lanes t = Int n ->
     gives s s' e t x (Ok [wrap n (eval e p)])).
Proof.
  intros H Y I W Wi O T P B. unfold arithmetic in H.
  pose proof (integer_width t I Y Wi) as Width.
  pose proof (isInteger_scalar t I) as Sc.
  destruct (overflows p).
  - steps. destruct (eqElement (lanes t) Index) eqn:E.
    + steps. exfalso. pose proof (unknown_tame t) as Ta. tamely. emitted. lia.
    + steps. split.
      * intro L. rewrite L in E. discriminate.
      * intros n L. apply unknown_gives; auto.
        -- rewrite Sc. reflexivity.
        -- constructor; [|constructor]. rewrite L. simpl.
           rewrite L in Width. simpl in Width. apply wrap_fits. lia.
  - destruct (eqElement (lanes t) Index) eqn:E.
    + steps. tamely. emitted. unfold maxOf in *. simpl in N, N0.
      rewrite W in *.
      assert (F : fits w (eval e p)) by (unfold fits; lia).
      split; [|intros n L; rewrite E in L; discriminate]. intros _.
      split; [|exact F]. eapply gives_number; eauto using agrees_refl.
      * rewrite E. exact F.
      * congruence.
    + steps. split; [intro L; rewrite L in E; discriminate|].
      intros n L. rewrite L, W in *. simpl in *.
      pose proof (wrapped_bound _ _ _ _ _ H0 Width O B) as Bq.
      destruct (wrapped_true _ _ _ _ _ e H0 Width O T) as [e' [A [T' V]]].
      eapply gives_number; eauto. rewrite L. simpl. apply wrap_fits. lia.
Qed.

Lemma lane_exact t x : isType t = true -> isInteger t = true ->
  laneOk w (lanes t) x -> lane w (lanes t) x = Ok x.
Proof.
  unfold isInteger, isType, isLane. destruct t as [sh [|n|]]; simpl.
  - intros _ _ F. apply fitsb_fits in F. now rewrite F.
  - rewrite !andb_true_iff, orb_true_iff, !andb_true_iff. intros Y I F. f_equal.
    apply wrap_exact; [lia|exact F].
  - rewrite andb_false_r. discriminate.
Qed.

Lemma laneOk_between t x y : isInteger t = true -> 0 <= x <= y ->
  laneOk w (lanes t) y -> laneOk w (lanes t) x.
Proof.
  intros I L F. apply laneOk_fits in F; [|exact I].
  apply laneOk_fits; [exact I|].
  unfold fits in *. pose proof (Z.pow_nonneg 2 (widthOf w (lanes t) - 1)). lia.
Qed.

Lemma division_tame f t a d : tame (division f t a d).
Proof.
  unfold division. apply tame_then; auto with tame. intros _.
  apply tame_then; auto with tame. intros _. apply tame_then.
  - destruct f; auto 12 with tame.
  - intros [q r]. auto with tame.
Qed.
Lemma division_scopes f t a d : scopes (division f t a d).
Proof.
  unfold division. apply scopes_then; auto with scopes. intros _.
  apply scopes_then; auto with scopes. intros _. apply scopes_then.
  - destruct f; auto 12 with scopes.
  - intros [q r]. auto with scopes.
Qed.

Lemma division_gives f t a d s x s' e : division f t a d s = Some (x, s') ->
  divides f = true -> isType t = true -> isInteger t = true ->
  laneOk w (lanes t) (eval e a) -> laneOk w (lanes t) (eval e d) ->
  orderly s -> true_ s e -> Forall discharged (vcs s') ->
  below_ (next s) a -> below_ (next s) d ->
  exists z, evalBinary w f (lanes t) (eval e a) (eval e d) = Ok z /\
            gives s s' e t x (Ok [z]).
Proof.
  intros H V Y I La Ld O T P Ba Bd. unfold division in H. steps.
  destruct a2 as [q r].
  steps.
  assert (Ta : tame match f with
                    | CeilDiv => let* _ := emit IndexDivision
                        (plus (add a d) (-1)) true in
                        divide (plus (add a d) (-1)) d
                    | _ => divide a d
                    end) by (destruct f; auto 12 with tame).
  tamely. emitted.
  assert (Z : exists z e', lane w (lanes t) (exact f (eval e a) (eval e d)) = Ok
    z
            /\ laneOk w (lanes t) z /\ agrees (next s) e e' /\ true_ s' e' /\
            eval e' (match f with Rem => r | _ => q end) = z /\
            below_ (next s') (match f with Rem => r | _ => q end)).
  { assert (Plain_ : f <> CeilDiv -> divide a d s1 = Some ((q, r), s') ->
      exists e', agrees (next s) e e' /\ true_ s' e' /\
        eval e' q = eval e a / eval e d /\
        eval e' r = eval e a mod eval e d /\
        below_ (next s') q /\ below_ (next s') r).
    { intros _ D. assert (Ba' : below_ (next s1) a) by congruence.
      pose proof (divide_bound _ _ _ _ _ _ D ltac:(assumption) Ba') as [Bq Br].
      destruct (divide_true _ _ _ _ _ _ e D ltac:(assumption) ltac:(assumption)
        ltac:(lia) ltac:(lia)) as [e' [A [T' [Q R]]]].
      exists e'. conj; auto. now replace (next s) with (next s1) by congruence.
        }
    destruct f; try discriminate.
    - destruct Plain_ as [e' [A [T' [Q [R [Bq Br]]]]]];
      [discriminate|assumption|].
      exists (eval e a / eval e d), e'.
      assert (F : laneOk w (lanes t) (eval e a / eval e d)).
      { eapply laneOk_between; [exact I| |exact La].
        split; [apply Z.div_pos; lia|apply Z.div_le_upper_bound; nia]. }
      conj; auto. now apply lane_exact.
    - destruct Plain_ as [e' [A [T' [Q [R [Bq Br]]]]]];
      [discriminate|assumption|].
      exists (eval e a mod eval e d), e'.
      assert (F : laneOk w (lanes t) (eval e a mod eval e d)).
      { eapply laneOk_between; [exact I| |exact Ld].
        pose proof (Z.mod_pos_bound (eval e a) (eval e d)). lia. }
      conj; auto. now apply lane_exact.
    - steps. tamely. emitted. rewrite add_eval in *.
      assert (Bu : below_ (next s2) (plus (add a d) (-1))).
      { replace (next s2) with (next s) by congruence. auto with bounded. }
      pose proof (divide_bound _ _ _ _ _ _ H2 ltac:(assumption) Bu) as [Bq Br].
      destruct (divide_true _ _ _ _ _ _ e H2 ltac:(assumption) ltac:(assumption)
        ltac:(lia)) as [e' [A [T' [Q R]]]].
      { rewrite plus_eval, add_eval. lia. }
      rewrite plus_eval, add_eval in Q.
      exists (ceildiv (eval e a) (eval e d)), e'.
      assert (F : laneOk w (lanes t) (ceildiv (eval e a) (eval e d))).
      { eapply laneOk_between; [exact I| |exact La].
        pose proof (ceildiv_bounds (eval e a) (eval e d)).
        split; [apply ceildiv_nonneg; lia|]. nia. }
      conj; auto.
      + now apply lane_exact.
      + replace (next s) with (next s2) by congruence. exact A.
      + rewrite Q, ceildiv_sum by lia. f_equal. }
  destruct Z as [z [e' [Lz [F [A [T' [Ev B]]]]]]]. exists z. split.
  - unfold evalBinary. rewrite V. destruct (Z.ltb_spec (eval e a) 0); [lia|].
    destruct (Z.ltb_spec (eval e d) 1); [lia|]. exact Lz.
  - eapply gives_number; eauto.
Qed.

(* Lanes of vectors. *)

Lemma collect2_lanes (f : Z -> Z -> outcome Z) (P Q : Z -> Prop) :
  (forall x y, P x -> P y -> exists z, f x y = Ok z /\ Q z) ->
  forall xs ys, Forall P xs -> Forall P ys -> length xs = length ys ->
  exists zs, collect2 f xs ys = Ok zs /\ length zs = length xs /\ Forall Q zs.
Proof.
  intro F. induction xs as [|x xs IH]; intros [|y ys] X Y L; try discriminate.
  - exists []. simpl. auto.
  - inversion X. inversion Y. subst. injection L as L.
    destruct (F x y) as [z [E Z1]]; auto.
    destruct (IH ys) as [zs [E' [L' Z2]]]; auto.
    exists (z :: zs). simpl. rewrite E, E'. simpl. auto.
Qed.

Lemma choose_lanes (P : Z -> Prop) : forall cs xs ys,
  Forall P xs -> Forall P ys -> length xs = length ys ->
  length cs = length xs ->
  exists zs, choose cs xs ys = Ok zs /\ length zs = length xs /\ Forall P zs.
Proof.
  induction cs as [|c cs IH]; intros [|x xs] [|y ys] X Y L L'; try discriminate.
  - exists []. simpl. auto.
  - inversion X. inversion Y. subst. injection L as L. injection L' as L'.
    destruct (IH xs ys) as [zs [E [N F]]]; auto.
    exists ((if c =? 0 then y else x) :: zs). cbn [choose]. rewrite E. simpl.
    split; [reflexivity|]. split; [congruence|].
    constructor; [|exact F]. now destruct (c =? 0).
Qed.

Lemma collect_lanes (f : Z -> outcome Z) (P Q : Z -> Prop) :
  (forall x, P x -> exists z, f x = Ok z /\ Q z) ->
  forall xs, Forall P xs ->
  exists zs, collect f xs = Ok zs /\ length zs = length xs /\ Forall Q zs.
Proof.
  intro F. induction 1 as [|x xs X Y IH].
  - exists []. simpl. auto.
  - destruct (F x X) as [z [E Z1]]. destruct IH as [zs [E' [L Z2]]].
    exists (z :: zs). simpl. rewrite E, E'. simpl. auto.
Qed.

(* Truth values. *)

Lemma truth_lane x : fits 1 x <-> x = -1 \/ x = 0.
Proof. unfold fits. simpl. lia. Qed.

Lemma means_truth e t mm xs : means w e t mm xs -> isTruth t = true ->
  exists b, xs = [b] /\ fits 1 b /\ (b <> 0 -> may e (condOf mm)) /\
    (b = 0 -> may e (negated (condOf mm))) /\
    (isKnown (condOf mm) = true -> b = 0 -> ~ may e (condOf mm)).
Proof.
  intros [Y [L [F M]]] I. pose proof (isTruth_scalar t I) as E. subst t.
  apply scalar_lanes in L as [b ->]. inversion F as [|? ? F1 _]. subst.
  exists b. split; [reflexivity|]. split; [exact F1|].
  destruct mm as [p|c|]; simpl; auto.
  - split; auto. split; auto. discriminate.
  - destruct M as [_ [b' [E [M1 [M2 M3]]]]]. injection E as <-. auto.
  - split; auto. split; auto. discriminate.
Qed.

Lemma condOf_bound n mm : boundMeaning n mm -> boundCond n (condOf mm).
Proof. destruct mm; simpl; auto. Qed.

Lemma logic_gives s e t f ca cb c xa xb : logic f ca cb = Some c ->
  true_ s e -> isTruth t = true -> fits 1 xa -> fits 1 xb ->
  (xa <> 0 -> may e ca) -> (xa = 0 -> may e (negated ca)) ->
  (isKnown ca = true -> xa = 0 -> ~ may e ca) ->
  (xb <> 0 -> may e cb) -> (xb = 0 -> may e (negated cb)) ->
  (isKnown cb = true -> xb = 0 -> ~ may e cb) ->
  boundCond (next s) ca -> boundCond (next s) cb ->
  exists z, evalBinary w f (Int 1) xa xb = Ok z /\
            gives s s e t (Val t (Truth c)) (Ok [z]).
Proof.
  intros Lo T I Fa Fb Ya Na Ka Yb Nb Kb Ba Bb.
  apply truth_lane in Fa. apply truth_lane in Fb.
  unfold evalBinary.
  destruct f; simpl in Lo; try discriminate; injection Lo as <-;
    cbn [divides andb].
  - exists (Z.land xa xb). split.
    { destruct Fa as [->| ->], Fb as [->| ->]; reflexivity. }
    apply gives_truth; auto using both_bound.
    + apply truth_lane. destruct Fa as [->| ->], Fb as [->| ->]; auto.
    + intro Z. apply both_may; [apply Ya|apply Yb];
        destruct Fa as [->| ->], Fb as [->| ->]; simpl in *; lia.
    + intro Z. apply both_not.
      destruct Fa as [->| ->]; [|left; now apply Na].
      destruct Fb as [->| ->]; [simpl in Z; lia|right; now apply Nb].
    + intros K Z M. pose proof (both_known _ _ K) as [K1 K2].
      apply both_known_may in M as [M1 M2]; auto.
      destruct Fa as [->| ->]; [|now apply Ka].
      destruct Fb as [->| ->]; [simpl in Z; lia|now apply Kb].
  - exists (Z.lor xa xb). split.
    { destruct Fa as [->| ->], Fb as [->| ->]; reflexivity. }
    apply gives_truth; auto using either_bound.
    + apply truth_lane. destruct Fa as [->| ->], Fb as [->| ->]; auto.
    + intro Z. apply either_may.
      destruct Fa as [->| ->]; [left; apply Ya; lia|].
      destruct Fb as [->| ->]; [right; apply Yb; lia|simpl in Z; lia].
    + intro Z. apply either_not; [apply Na|apply Nb];
        destruct Fa as [->| ->], Fb as [->| ->]; simpl in *; lia.
    + intros K Z M. pose proof (either_known _ _ K) as [K1 K2].
      apply either_known_may in M as [M|M]; auto.
      * apply (Ka K1); [|exact M].
        destruct Fa as [->| ->], Fb as [->| ->]; simpl in *; lia.
      * apply (Kb K2); [|exact M].
        destruct Fa as [->| ->], Fb as [->| ->]; simpl in *; lia.
  - exists (Z.lxor xa xb). split.
    { destruct Fa as [->| ->], Fb as [->| ->]; reflexivity. }
    apply gives_truth; auto 8 using either_bound, both_bound, negated_bound.
    + apply truth_lane. destruct Fa as [->| ->], Fb as [->| ->]; auto.
    + intro Z. apply either_may.
      destruct Fa as [->| ->], Fb as [->| ->]; simpl in Z; try lia.
      * left. apply both_may; [apply Ya; lia|now apply Nb].
      * right. apply both_may; [now apply Na|apply Yb; lia].
    + intro Z. destruct Fa as [->| ->], Fb as [->| ->]; simpl in Z; try lia.
      * apply either_not; apply both_not; [right|left];
          apply may_twice; [apply Yb|apply Ya]; lia.
      * apply either_not; apply both_not; [left; now apply Na|].
        right. now apply Nb.
    + intros K Z M. apply either_known in K as K'. destruct K' as [K1 K2].
      apply either_known_may in M as [M|M]; auto.
      * apply both_known in K1 as K1'. destruct K1' as [Ka1 Kb1].
        apply both_known_may in M as [M1 M2]; auto.
        destruct Fa as [->| ->], Fb as [->| ->]; simpl in Z; try lia.
        -- apply (may_excludes e cb); auto. apply Yb. lia.
        -- now apply (Ka Ka1).
      * apply both_known in K2 as K2'. destruct K2' as [Ka1 Kb1].
        apply both_known_may in M as [M1 M2]; auto.
        destruct Fa as [->| ->], Fb as [->| ->]; simpl in Z; try lia.
        -- apply (may_excludes e ca); auto. apply Ya. lia.
        -- now apply (Kb Kb1).
Qed.

End Ops.
