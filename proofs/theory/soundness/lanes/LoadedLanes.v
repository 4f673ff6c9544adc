(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Lanes of a tile that is loaded have what is given of the tensor, or lie
   beyond it. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export LaneObligations.
Import ListNotations.
Open Scope Z_scope.

(* Where a lane of a tile lies. *)
Fixpoint tilePlace (tl : list (option Z)) (is_ at_ : list Z) : list Z :=
  match tl, is_, at_ with
  | Some t :: tl', i :: is_', x :: at_' => i * t + x :: tilePlace tl' is_' at_'
  | None :: tl', i :: is_', _ => i :: tilePlace tl' is_' at_
  | _, _, _ => []
  end.

Definition extentsOfTile (tl : list (option Z)) : list Z :=
  map (fun d => match d with Some t => t | None => 1 end) tl.
Definition shapeOfTile (tl : list (option Z)) : list Z :=
  flat_map (fun d => match d with Some t => [t] | None => [] end) tl.

Lemma ints_nth c : forall x a, (a < c)%nat -> nth a (ints x c) 0 =
  x + Z.of_nat a.
Proof.
  induction c as [|c IH]; intros x [|a] L; simpl; try lia.
  rewrite IH; lia.
Qed.

Lemma nth_blocks (l : list (list Z)) : forall xs a b,
  (a < length xs)%nat -> (b < length l)%nat ->
  nth (a * length l + b) (flat_map (fun x => map (cons x) l) xs) [] =
  nth a xs 0 :: nth b l [].
Proof.
  induction xs as [|x xs IH]; intros a b A B; [simpl in A; lia|].
  cbn [flat_map].
  assert (Lm : length (map (cons x) l) = length l) by apply map_length.
  destruct a as [|a].
  - rewrite app_nth1 by (simpl; lia). simpl.
    rewrite nth_indep with (d' := x :: []) by (rewrite Lm; exact B).
    apply (map_nth (cons x)).
  - rewrite app_nth2 by (rewrite Lm; simpl; lia). rewrite Lm.
    replace (S a * length l + b - length l)%nat with (a * length l + b)%nat
      by (simpl; lia).
    rewrite IH; [reflexivity|simpl in A; lia|exact B].
Qed.

Lemma shape_volume tl : volume (shapeOfTile tl) = volume (extentsOfTile tl).
Proof. exact (vectorShape_volume (Partition (Argument 0) tl)). Qed.

Lemma tilePlace_lane : forall tl is_ at_, length is_ = length tl ->
  Forall (Z.le 1) (extentsOfTile tl) -> inBox (shapeOfTile tl) at_ ->
  nth (Z.to_nat (linear (shapeOfTile tl) at_))
    (tileLanes (extentsOfTile tl) is_) [] = tilePlace tl is_ at_.
Proof.
  unfold shapeOfTile.
  induction tl as [|d tl IH]; intros [|i is_] at_ L P I; try discriminate.
  - simpl in I. inversion I. subst. reflexivity.
  - injection L as L. cbn [extentsOfTile map] in P |- *.
    inversion P as [|? ? P1 P2]. subst.
    assert (Len : length (tileLanes (extentsOfTile tl) is_) =
                  Z.to_nat (volume (extentsOfTile tl))).
    { apply tileLanes_length; [|exact P2]. unfold extentsOfTile.
      now rewrite map_length. }
    assert (V : forall x, inBox (shapeOfTile tl) x ->
              (Z.to_nat (linear (shapeOfTile tl) x) <
               length (tileLanes (extentsOfTile tl) is_))%nat).
    { intros x X. rewrite Len, <- shape_volume. now apply place_below. }
    destruct d as [t|]; cbn [flat_map app tileLanes tilePlace] in *.
    + apply inBox_cons in I as [x [xs [-> [X I]]]].
      cbn [linear]. fold (shapeOfTile tl) in *.
      pose proof (linear_bound _ _ I). specialize (V xs I).
      pose proof (inBox_volume _ _ I).
      rewrite Z2Nat.inj_add, Z2Nat.inj_mul by nia.
      rewrite shape_volume at 1. rewrite <- Len.
      change (map _ tl) with (extentsOfTile tl).
      rewrite nth_blocks by (rewrite ?ints_length; lia).
      rewrite ints_nth by lia. rewrite Z2Nat.id by lia. f_equal.
      now apply IH.
    + fold (shapeOfTile tl) in *. specialize (V at_ I).
      change (map _ tl) with (extentsOfTile tl).
      change (ints (i * 1) (Z.to_nat 1)) with [i * 1].
      pose proof (nth_blocks (tileLanes (extentsOfTile tl) is_) [i * 1] 0
        _ ltac:(simpl; lia) V) as N.
      cbn [Nat.mul Nat.add] in N. rewrite N. cbn [nth].
      rewrite Z.mul_1_r. f_equal. now apply IH.
Qed.

(* A lane of a tile that exists lies within, or beyond along some axis. *)
Lemma tilePlace_inside : forall tl es is_ at_,
  tileExists es (extentsOfTile tl) is_ = true ->
  Forall (Z.le 1) (extentsOfTile tl) -> inBox (shapeOfTile tl) at_ ->
  inside es (tilePlace tl is_ at_) = true \/
  Exists isBeyond (tiledAxes tl es is_ at_).
Proof.
  unfold shapeOfTile.
  induction tl as [|d tl IH]; intros [|x es] [|i is_] at_ E P I;
    try discriminate; [now left|].
  cbn [extentsOfTile map tileExists] in *. inversion P as [|? ? P1 P2]. subst.
  rewrite !andb_true_iff in E. destruct E as [[E1 E2] E3].
  apply Z.leb_le in E1. apply Z.ltb_lt in E2.
  destruct d as [t|]; cbn [flat_map app] in I.
  - apply inBox_cons in I as [y [ys [-> [Y I]]]].
    cbn [tilePlace tiledAxes inside].
    destruct (Z.lt_ge_cases (i * t + y) x) as [C|C];
      [|right; apply Exists_cons_hd; exact C].
    destruct (IH es is_ ys E3 P2 I) as [J|J];
      [left|right; now apply Exists_cons_tl].
    rewrite J. assert (0 <= i * t) by nia. lia.
  - cbn [tilePlace tiledAxes inside]. apply (ceildiv_lt _ _ 1) in E2; [|lia].
    destruct (IH es is_ at_ E3 P2 I) as [J|J]; [left|now right].
    rewrite J. lia.
Qed.

Section LoadedLanes.

Context (w : Z) (k : kernel) (h : header) (l : launch) (m : machine)
  (given : initial_) (ids : list Z) (e0 : values) (from : Poly.var)
  (final : scope).
Context (keepsIt : keepsGivens k l given = true).
Context (isWidth_ : width m = w) (inGrid : inBox (gridOf l) ids)
  (dischargedAll : Forall discharged (vcs final)).

Notation take :=
  (permitted l h given ids from e0 (sites final) (defined final)).
Notation here := (at_step w k h l given ids e0 from).

Lemma readsTile_lanes n env r number tl index q t xs :
  tensorOf k number = Some t -> isInteger (scalarType (elements t)) = true ->
  readsTile w k l given env r (Tile (Partition (Argument number) tl) index) q
    (set_ env r xs) ->
  loadedLanes l (entries n) env
    (FromTile number tl index q) (elements t) (shapeOfTile tl) xs.
Proof.
  intros T Ty (t' & es & is_ & xs' & T' & Sh & La & Ex & Co & Li & Le & Pos &
    Exs & Pd & Eq & Cx).
  rewrite T in T'. injection T' as <-.
  assert (xs' = xs).
  { apply (f_equal (PositiveMap.find r)) in Eq. unfold set_ in Eq.
    rewrite !PositiveMap.gss in Eq. now injection Eq. }
  subst xs'. clear Eq. split; [exact I|]. intros at_ B.
  set (p := Partition (Argument number) tl) in *.
  change (tileExtents p) with (extentsOfTile tl) in *.
  set (ls := tileLanes (extentsOfTile tl) is_) in *.
  set (j := Z.to_nat (linear (shapeOfTile tl) at_)).
  assert (J : (j < length ls)%nat).
  { unfold ls. rewrite tileLanes_length by
      (auto; unfold extentsOfTile; now rewrite map_length).
    rewrite <- shape_volume. now apply place_below. }
  pose proof (tilePlace_lane tl is_ at_ Li Pos B) as Nj. fold ls j in Nj.
  set (a := tilePlace tl is_ at_) in *.
  assert (Ia : In a ls) by (rewrite <- Nj; now apply nth_In).
  set (g := fun x => (placeOf (wholeOf number es) x,
    inside (extents_ (wholeOf number es)) x &&
    inside es (placeOf (wholeOf number es) x))).
  assert (Jt : (j < length (tileOf es (wholeOf number es) p is_))%nat)
    by (unfold tileOf; now rewrite map_length).
  pose proof (Forall2_nth _ (g []) 0 _ _ Cx j Jt) as Cj.
  unfold tileOf in Cj. change (tileExtents p) with (extentsOfTile tl) in Cj.
  fold ls g in Cj. rewrite (map_nth g), Nj in Cj.
  change (nth j xs 0) with (laneOf (shapeOfTile tl) xs at_) in Cj.
  unfold cameFrom, g in Cj. cbn [fst snd] in Cj.
  change (extents_ (wholeOf number es)) with es in Cj.
  destruct (tilePlace_inside tl es is_ at_ Exs Pos B) as [In_|Be].
  - left. fold a in In_. pose proof In_ as Box. apply inside_inBox in Box.
    rewrite place_whole in Cj
      by (symmetry; now apply LaneContents.inBox_length).
    rewrite In_ in Cj. cbn [andb] in Cj. destruct Cj as [x [Rx Lx]].
    specialize (Rx t T Sh). subst x.
    apply (lane_number _ _ _ _ Ty La) in Lx. rewrite Lx.
    now apply (contents_kept k l given keepsIt number t es).
  - assert (Out : inside es a = false).
    { destruct (inside es a) eqn:In_; [|reflexivity]. exfalso.
      unfold a in In_. clear - Be In_. revert es is_ at_ Be In_.
      induction tl as [|[t|] tl IH]; intros [|x es] [|i is_] [|y at_] Be In_;
        cbn [tiledAxes tilePlace inside] in *; try (now inversion Be);
        rewrite ?andb_true_iff in In_; try (eapply IH; [exact Be|apply In_]).
      inversion Be as [? ? H|? ? H]; subst; [red in H; lia|].
      eapply IH; [exact H|apply In_]. }
    right. rewrite Out in Cj. cbn [andb] in Cj.
    split; [exact Cj|]. cbn [wasPadded]. split.
    + destruct q as [q|]; [discriminate|]. specialize (Pd eq_refl).
      rewrite forallb_forall in Pd. rewrite (Pd a Ia) in Out. discriminate.
    + exists es, is_. auto.
Qed.

Lemma load_noted n r src q s n' s' e env d :
  (let* x := walkLoad h n src q in ret (noteLoad (bindName n r x) r src q)) s =
    Some (n', s') ->
  here s e n env d -> grows s' final ->
  sound k given take (goodEnv w k h l given ids e0 from s s' e n' d) d
    (execStatement m k l ids (Load r src q) env).
Proof.
  intros H A G. apply andThen_inv in H as [x [s1 [H1 H]]].
  injection H as <- <-.
  eapply sound_weaken.
  { eapply (load_step w k h l m given ids e0 from final keepsIt isWidth_
      dischargedAll n r src q s (bindName n r x) s1 e env d); auto.
    unfold andThen. now rewrite H1. }
  intros d' env' _ [[U [e' [Ag A']]] Rd]. split; [exact U|].
  exists e'. split; [exact Ag|].
  destruct src as [[[number|b] tl] index|v]; try exact A'.
  cbn [noteLoad].
  destruct x as [tx mm| |];
    try (unfold noteLoaded; cbn [bindName entries]; rewrite PositiveMap.gss;
         exact A').
  pose proof Rd as Rd'.
  destruct Rd' as (t & es & is_ & xs & T & _ & _ & _ & _ & _ & _ & _ & _ & _ &
    -> & _).
  assert (Tx : tx = Type_ (shapeOfTile tl) (elements t) \/ isScalar tx = true).
  { cbn [walkLoad] in H1.
    apply andThen_inv in H1 as [[[v way] t'] [q1 [X1 H1]]].
    pose proof A as [O T0 L Id Fr Be Hh N V Lo].
    destruct (partition_inv w k h l n env d _ _ _ _ _ _ e L V
      (isWide _ _ _ _ _ L) Hh N X1) as [-> [Va [_ [_ [es' [Tn _]]]]]].
    cbn [of viewAt] in Va.
    destruct (extentsOf l number) as [ex|]; [|discriminate].
    cbn [orElse bind] in Va.
    assert (Rv : root v = number).
    { change (root v) with (root (evalView e v)).
      assert (Ve : wholeOf number ex = evalView e v) by congruence.
      now rewrite <- Ve. }
    rewrite Rv, T in Tn. injection Tn as <-.
    apply andThen_inv in H1 as [is' [q2 [_ H1]]].
    apply andThen_inv in H1 as [u1 [q3 [_ H1]]].
    apply andThen_inv in H1 as [u2 [q4 [_ H1]]].
    apply andThen_inv in H1 as [u3 [q5 [_ H1]]].
    destruct (isInteger _) eqn:Ty.
    - right. unfold lookUp in H1. cbv zeta in H1.
      repeat match type of H1 with
        | (let* _ := _ in _) _ = _ => apply andThen_inv in H1 as [? [? [_ H1]]]
        end.
      injection H1 as <- _ _. reflexivity.
    - left. unfold unknown in H1.
      apply andThen_inv in H1 as [u4 [q6 [_ H1]]].
      destruct (isInteger _); [discriminate|]. now injection H1 as <- _ _. }
  destruct Tx as [->|Sx].
  - apply noteLoaded_step; [exact A'|]. intros Ty _.
    now apply (readsTile_lanes n env r number tl index q t xs).
  - unfold noteLoaded. cbn [bindName entries]. rewrite PositiveMap.gss, Sx.
    cbn [negb]. rewrite andb_false_r. exact A'.
Qed.

End LoadedLanes.
