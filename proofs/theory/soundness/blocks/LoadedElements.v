(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Elements of `shared` tensors of integers that the walk looks up: what it says
   of them is so. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export Frames ContentsSound.
Import ListNotations.
Open Scope Z_scope.

Lemma assumes_true src fs : forall s u s' e,
  forEach (because src) fs s = Some (u, s') -> true_ s e ->
  Forall (holds e) fs -> true_ s' e /\ next s' = next s /\ sites s' = sites s.
Proof.
  induction fs as [|f fs IH]; intros s u s' e H T F; simpl in H.
  - injection H as _ <-. auto.
  - apply andThen_inv in H as [a [s1 [H1 H]]].
    inversion F as [|? ? F1 F2]. subst.
    pose proof (assume_inv _ _ _ _ _ H1) as [_ E].
    pose proof (assume_true _ _ _ _ _ e H1 T F1) as T1.
    destruct (IH _ _ _ _ H T1 F2) as [T' [N S]].
    split; [exact T'|]. rewrite N, S, E. auto.
Qed.

(* One element, as a tile. *)
Lemma unit_lanes : forall es is_, Forall (eq 1) es -> length is_ = length es ->
  tileLanes es is_ = [is_].
Proof.
  induction es as [|e es IH]; intros [|i is_] F L; try discriminate;
    [reflexivity|]. inversion F as [|? ? F1 F2]. subst. injection L as L.
  cbn [tileLanes]. rewrite (IH is_ F2 L). simpl. now rewrite Z.mul_1_r.
Qed.
Lemma unit_exists : forall es ts is_, Forall (eq 1) ts ->
  tileExists es ts is_ = true -> inBox es is_.
Proof.
  induction es as [|e es IH]; intros [|t ts] [|i is_] F E; try discriminate;
    [constructor|]. inversion F as [|? ? F1 F2]. subst. cbn [tileExists] in E.
  rewrite !andb_true_iff in E. destruct E as [[E1 E2] E3].
  constructor; [|now apply (IH ts)].
  apply Z.ltb_lt, (ceildiv_lt _ _ 1) in E2; lia.
Qed.
Lemma unit_tile p el : isInteger (Type_ (vectorShape p) el) = true ->
  Forall (eq 1) (tileExtents p).
Proof.
  unfold isInteger, isScalar. simpl. intro H.
  apply andb_true_iff in H as [H _]. unfold vectorShape, tileExtents in *.
  induction (tile p) as [|[t|] l IH]; simpl in *; [constructor|discriminate|].
  constructor; auto.
Qed.

(* A lane of a type that facts speak of is its number. *)
Lemma lane_number w el x y : isInteger (scalarType el) = true ->
  isLane el = true -> lane w el x = Ok y -> y = asNumber el x.
Proof.
  unfold isInteger, isLane, asNumber. simpl. destruct el as [|n|a b]; simpl;
    try discriminate. intros N _ E. injection E as <-.
  destruct (n =? 1); [discriminate|reflexivity].
Qed.

Section LoadedElements.

Context (w : Z) (k : kernel) (h : header) (l : launch) (given : initial_).
Context (keepsIt : keepsGivens k l given = true).

(* An element that is looked up: all that is said of the value holds of what is
   there at the start. *)
Lemma lookUp_true number t at_ s x s' e extents y :
  lookUp h number t at_ s = Some (x, s') -> orderly s -> true_ s e ->
  launched w k h l e -> boundHeader (next s) h ->
  recalls k l given (next s) e (looks s) ->
  tensorOf k number = Some t -> extentsOf l number = Some extents ->
  inBox extents (map (eval e) at_) ->
  isInteger (scalarType (elements t)) = true -> isLane (elements t) = true ->
  laneOk w (elements t) y ->
  y = asNumber (elements t) (given number (map (eval e) at_)) ->
  exists mm e', x = Val (scalarType (elements t)) mm /\
    agrees (next s) e e' /\ true_ s' e' /\
    means w e' (scalarType (elements t)) mm [y] /\
    boundMeaning (next s') mm /\ recalls k l given (next s') e' (looks s').
Proof.
  intros H O T L Hh Lo Tn Ex In_ Ty La Fy Ey.
  pose proof (isWidth _ _ _ _ _ L) as W. pose proof (isWide _ _ _ _ _ L) as Wi.
  assert (Yt : isType (scalarType (elements t)) = true).
  { unfold isType. simpl. now rewrite La. }
  pose proof (integer_width w (scalarType (elements t)) Ty Yt Wi) as Width.
  pose proof Fy as Fy'. apply (laneOk_fits w (scalarType (elements t))) in Fy';
    [|exact Ty]. cbn [lanes scalarType] in Fy', Width.
  unfold lookUp in H. cbv zeta in H.
  apply andThen_inv in H as [others [s1 [H1 H]]]. injection H1 as Eo <-.
  apply andThen_inv in H as [u1 [s1 [H1 H]]]. unfold spoken in H1.
  destruct (forallb (polyBelow (next s)) at_) eqn:Sp; [|discriminate].
  injection H1 as _ <-.
  apply andThen_inv in H as [es [s1 [H1 H]]]. unfold Facts.given in H1.
  destruct (extentPolys (symbolVars h) t) as [es'|] eqn:Ep; [|discriminate].
  injection H1 as -> <-.
  apply andThen_inv in H as [v [s1 [H1 H]]].
  destruct (fresh_true _ _ _ e y H1 O T) as [-> T1].
  set (e1 := set1 e (next s) y) in *.
  assert (A1 : agrees (next s) e e1) by apply set1_agrees.
  assert (Ev : e1 (next s) = y) by apply set1_same.
  injection H1 as E1.
  apply andThen_inv in H as [u2 [s2 [H2 H]]].
  apply andThen_inv in H as [u3 [s3 [H3 H]]].
  apply andThen_inv in H as [u4 [s4 [H4 H]]].
  apply andThen_inv in H as [u5 [s5 [H5 H]]]. injection H as <- <-.
  set (u := Lookup number at_ (next s)) in *.
  assert (Ba : Forall (below_ (next s)) at_).
  { rewrite forallb_forall in Sp. apply Forall_forall. intros p P.
    apply polyBelow_spec. auto. }
  assert (Lu : lookupHolds k l given e1 u).
  { exists t, extents. unfold u. cbn [lookupTensor lookupPlace held].
    rewrite <- (map_agrees (next s) e e1 _ A1 Ba), Ev. auto. }
  assert (L1 : launched w k h l e1)
    by now apply launched_agrees with (next s) e.
  assert (R1 : Forall (lookupHolds k l given e1) (looks s)).
  { eapply Forall_impl; [|exact Lo]. intros o [Bo Ro].
    now apply lookup_agrees with (next s) e. }
  (* All facts hold of the value. *)
  assert (T2 : true_ s2 e1).
  { eapply assume_true; [exact H2|exact T1|]. apply holds_ge.
    rewrite plus_eval, variable_eval, Ev. unfold maxOf. rewrite W.
    unfold fits in Fy'. lia. }
  assert (T3 : true_ s3 e1).
  { eapply assume_true; [exact H3|exact T2|]. apply holds_ge.
    rewrite sub_eval, constant_eval, variable_eval, Ev. unfold maxOf.
    rewrite W. unfold fits in Fy'. lia. }
  destruct (assumes_true OfGiven _ _ _ _ e1 H4 T3) as [T4 _].
  { eapply (element_holds w k h l given e1 L1 keepsIt _ u t); auto. }
  assert (T5 : true_ s5 e1).
  { assert (Os : Forall (fun o => lookupTensor o = number /\ lookupHolds k l given e1 o)
      others).
    { apply Forall_forall. intros o I. rewrite <- Eo in I.
      apply filter_In in I as [I E]. apply Nat.eqb_eq in E.
      split; [exact E|]. apply in_rev, latest_in in I.
      rewrite Forall_forall in R1. auto. }
    clear - H5 T4 Os Lu L1 keepsIt. revert s4 H5 T4.
    induction Os as [|o os [No Ro] Os IH]; intros s4 H5 T4; cbn [forEach] in H5.
    - injection H5 as _ <-. exact T4.
    - apply andThen_inv in H5 as [u6 [s6 [H6 H5]]].
      destruct (assumes_true OfGiven _ _ _ _ e1 H6 T4) as [T6 _].
      { apply (pair_holds w k h l given e1 L1 keepsIt); auto. }
      eapply IH; eauto. }
  assert (Lk : looks s5 = u :: looks s).
  { assert (K : keeps looks (forEach (fun o => forEach (because OfGiven)
                  (pairFacts (givenPolys h) o u)) others)) by writesNothing.
    rewrite (K _ _ _ H5).
    rewrite (keep_forEach (part := looks) _ _
               (fun f => keep_assume f (Because OfGiven)) _ _ _ H4).
    rewrite (keep_assume (part := looks) _ _ _ _ _ H3).
    apply assume_inv in H2 as [_ ->]. rewrite <- E1. reflexivity. }
  assert (Nx : (next s < next s5)%positive).
  { assert (G15 : grows s1 s5).
    { assert (Ta : tame (let* _ := because (Value (Some u))
          (GeZ (plus (variable (next s)) (maxOf h (elements t) + 1))) in
        let* _ := because (Value None)
          (GeZ (sub (constant (maxOf h (elements t))) (variable (next s)))) in
        let* _ := forEach (because OfGiven)
          (elementFacts (givenPolys h) es u) in
        forEach (fun o => forEach (because OfGiven)
          (pairFacts (givenPolys h) o u)) others)).
      { do 3 (apply tame_then; [auto with tame|intro]).
        apply tame_forEach. intro. apply forEach_because_tame. }
      assert (O1 : orderly s1).
      { destruct (fresh_tame s (next s) s1) as [O1 _]; auto.
        unfold fresh_. now rewrite E1. }
      apply (Ta s1 u5 s5); [|exact O1].
      unfold andThen. now rewrite H2, H3, H4, H5. }
    apply growsNext in G15. rewrite <- E1 in G15. simpl in G15. lia. }
  eexists. exists e1. split; [reflexivity|]. split; [exact A1|].
  split; [exact T5|]. split; [|split].
  - split; [exact Yt|]. split; [reflexivity|].
    split; [constructor; [exact Fy|constructor]|].
    split; [exact Ty|]. now rewrite variable_eval, Ev.
  - simpl. now apply variable_below.
  - rewrite Lk. constructor.
    + split; [|exact Lu]. split; [|exact Nx].
      eapply Forall_impl; [|exact Ba]. intro p. apply below_le. lia.
    + apply recalls_later with (next s) e; [lia|exact A1|exact Lo].
Qed.

End LoadedElements.
