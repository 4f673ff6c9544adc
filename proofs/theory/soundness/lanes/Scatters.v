(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Scatters: what is proved of any lane holds of every lane, and what is proved
   of any two lanes of every two. So a scatter gets stuck in none, and takes
   only what its site permits. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Import Counting Tiles.
From Girih Require Export LoadedLanes Claims.
Import ListNotations.
Open Scope Z_scope.

(* One element, as a tile of the tensor. *)

Definition unitTile {A} (t : nat) (es : list A) : partition :=
  Partition (Argument t) (map (fun _ => None) es).

Lemma unit_tile_on (es : list poly) : forall a, length a = length es ->
  Forall2 onAxis a (combine (tileExtents (unitTile 0 es)) a).
Proof.
  unfold tileExtents, unitTile, onAxis. cbn [tile].
  induction es as [|p es IH]; intros [|x a] L; try discriminate;
    cbn [map combine]; constructor; [cbn [fst snd]; lia|].
  apply IH. now injection L.
Qed.

Lemma unit_element e t es a : inBox (map (eval e) es) a ->
  In (a, true) (tileOf (map (eval e) es) (evalView e (wholePoly t es))
                  (unitTile t es) a).
Proof.
  intro B. pose proof (Places.inBox_length _ _ B) as L.
  apply tileOf_spec. split; [exact B|]. exists a. rewrite whole_eval.
  split; [symmetry; now apply place_whole|]. split; [exact B|].
  apply unit_tile_on. now rewrite L, map_length.
Qed.

(* Two lanes that are not the same differ, as the fact says. *)

Lemma lanesDiffer_holds e lane other :
  comesFirst (map (eval e) lane) (map (eval e) other) ->
  holds e (lanesDiffer lane other).
Proof.
  unfold lanesDiffer, holds. assert (F : Forall (holdsAtom e) [])
    by constructor. revert F. generalize (@nil atom) as sofar. revert other.
  induction lane as [|p lane IH]; intros [|q other] sofar F C;
    try contradiction. cbn [map comesFirst combine filter fst snd] in *.
  destruct (constantOf (sub q p)) as [z|] eqn:Cz.
  - apply (constantOf_eval e) in Cz. rewrite sub_eval in Cz.
    destruct z as [|z|z]; cbn [differ app].
    + destruct C as [C|[_ C]]; [lia|now apply IH].
    + destruct C as [C|[C _]]; [|lia]. apply Exists_cons_hd.
      apply Forall_app. split; [exact F|]. constructor; [|constructor].
      unfold holdsAtom. cbn [Cert.equality Cert.body].
      rewrite plus_eval, sub_eval. lia.
    + exfalso. destruct C as [C|[C _]]; lia.
  - cbn [differ app]. destruct C as [C|[C1 C2]].
    + apply Exists_cons_hd.
      apply Forall_app. split; [exact F|]. constructor; [|constructor].
      unfold holdsAtom. cbn [Cert.equality Cert.body].
      rewrite plus_eval, sub_eval. lia.
    + apply Exists_cons_tl. apply IH; [|exact C2].
      apply Forall_app. split; [exact F|]. constructor; [|constructor].
      unfold holdsAtom. cbn [Cert.equality Cert.body]. rewrite sub_eval. lia.
Qed.

Lemma lanesMeet_hold e ps qs : map (eval e) ps = map (eval e) qs ->
  Forall (holds e) (lanesMeet ps qs).
Proof.
  revert qs. unfold lanesMeet.
  induction ps as [|p ps IH]; intros [|q qs] E; try discriminate;
    constructor.
  - injection E as E _. apply holds_eq. cbn [fst snd]. rewrite sub_eval. lia.
  - apply IH. now injection E.
Qed.

Lemma lanesApart_nth ls :
  (forall i j, (i < j)%nat -> (j < length ls)%nat ->
     snd (nth i ls ([], false)) = true -> snd (nth j ls ([], false)) = true ->
     fst (nth i ls ([], false)) <> fst (nth j ls ([], false))) ->
  lanesApart ls = true.
Proof.
  induction ls as [|[a b] ls IH]; intro D; [reflexivity|]. cbn [lanesApart].
  apply andb_true_iff. split.
  - apply negb_true_iff, not_true_iff_false. intro H.
    apply andb_true_iff in H as [-> H]. apply existsb_exists in H as [x [I H]].
    apply andb_true_iff in H as [Sn H]. apply eqAt_sound in H.
    apply (In_nth _ _ ([], false)) in I as [j [J E]].
    apply (D O (S j)); simpl; rewrite ?E; auto; lia.
  - apply IH. intros i j L J. apply (D (S i) (S j)); simpl; lia.
Qed.

Section Scatters.

Context (w : Z) (k : kernel) (h : header) (l : launch) (m : machine)
  (given : initial_) (ids : list Z) (e0 : values) (from : Poly.var)
  (final : scope).
Context (isWidth_ : width m = w) (inGrid : inBox (gridOf l) ids)
  (dischargedAll : Forall discharged (vcs final)).
Context (n : names) (env : Sem.env) (d : elements_).

Notation take :=
  (permitted l h given ids from e0 (sites final) (defined final)).
Notation here := (at_step w k h l given ids e0 from).

(* Where a lane goes. *)
Definition goesTo (index : list Syntax.var) (lane : list Z) : list Z :=
  map (fun v => laneValue n env v lane) index.

Section Walked.

Context (v : Syntax.var) (t : nat) (sh : list Z) (index : list Syntax.var)
  (mask : option Syntax.var) (trips_ : list Poly.var) (certain_ : bool)
  (s s1 s2 s3 s4 : scope) (e : values) (es ps lane : list poly) (c : cond)
  (r : reading).
Let st := Site (wholePoly t es) []
            (Partition (Argument t) (map (fun _ => None) es)) ps (facts s2).
Context (at_s : here s e n env d)
  (extents_are : extentsOf l t = Some (map (eval e) es))
  (extents_below : Forall (below_ (next s)) es)
  (rank : length es = length index).
Context
  (active_ : activeLane h n sh index mask noReading s =
             Some ((lane, c, ps, r), s1))
  (bounds_ : laneBounds ScatterBounds es ps s1 = Some (tt, s2))
  (noted_there : s3 = Scope (next s2) (facts s2) (defined s2) (vcs s2)
     (st :: sites s2)
     (Write_ st trips_ (flat_map variables lane) (facts s2)
        (certain_ && isExact c) :: writes s2))
  (leads1 : leads s s1) (leads2 : leads s1 s2) (leads3 : leads s2 s3)
  (ahead3 : grows s3 final).

(* A lane that the mask lets through. *)
Definition passes (x : list Z) : Prop :=
  inBox sh x /\ (forall v, In v index -> hasLane n v x) /\
  maskHas n mask x /\ lanePasses n env mask x.

Lemma lane_noted x : passes x -> exists e2, agrees (next s) e e2 /\
  here s3 e2 n env d /\ recalledOk n env s3 e2 r /\
  map (eval e2) lane = x /\ map (eval e2) ps = goesTo index x /\
  Forall (below_ (next s3)) lane /\ Forall (below_ (next s3)) ps /\
  inside (map (eval e) es) (goesTo index x) = true /\
  take t (goesTo index x).
Proof.
  intros [I [Hl [Hm Nz]]]. destruct leads1 as [O1 G1], leads2 as [O2 G2],
    leads3 as [O3 G3].
  assert (P3 : Forall discharged (vcs s3)) by now apply grows_discharged with final.
  assert (P2 : Forall discharged (vcs s2)) by now apply grows_discharged with s3.
  assert (P1 : Forall discharged (vcs s1)) by now apply grows_discharged with s2.
  destruct (activeLane_true w k h l m given ids e0 from isWidth_ inGrid n env d
    sh index mask noReading s x lane c ps r s1 e active_ at_s P1 I
    (noRecall _ _ _ _) Hl Hm Nz)
    as [e2 [Ag [A1 [Rc [El [Bl [Bp Ep]]]]]]].
  assert (Lp : length ps = length es).
  { rewrite rank. apply (f_equal (@length Z)) in Ep.
    now rewrite !map_length in Ep. }
  destruct (laneBounds_true ScatterBounds es ps s1 tt s2 e2 bounds_
    ltac:(apply A1) P2 O1 Lp) as [In_ T2].
  pose proof (at_later w k h l given ids e0 from s1 s2 e2 e2 n env d A1 G2 O2 T2
    (agrees_refl _ _)
    (keep_laneBounds (part := looks) _ _ _ _ _ _ bounds_)) as A2.
  pose proof (laneBounds_next _ _ _ _ _ _ bounds_) as N2.
  assert (N3 : next s3 = next s1) by (rewrite noted_there; exact N2).
  assert (T3 : true_ s3 e2).
  { rewrite noted_there. destruct T2. now split. }
  assert (A3 : here s3 e2 n env d).
  { apply (at_later w k h l given ids e0 from s2 s3 e2 e2 n env d A2 G3 O3 T3
      (agrees_refl _ _)). now rewrite noted_there. }
  assert (Ee : map (eval e) es = map (eval e2) es)
    by now apply map_agrees with (next s).
  unfold goesTo. rewrite <- Ep, Ee. exists e2. conj; auto; try (now rewrite N3).
  { apply (recalledOk_later n env s1 s3 e2 e2); auto using agrees_refl.
    rewrite N3. lia. }
  change t with (root (seen st)).
  apply (site_permitted w k h l given ids e0 from final s2 st e2 n env d
    (map (eval e2) es)); auto.
  - eapply grows_trans; [|exact ahead3]. rewrite noted_there.
    set (sx := Scope (next s2) (facts s2) (defined s2) (vcs s2)
                 (st :: sites s2) (writes s2)).
    apply (addWrite_tame (Write_ st trips_ (flat_map variables lane) (facts s2)
      (certain_ && isExact c)) sx tt); [reflexivity|].
    destruct O2. now split.
  - pose proof (growsNext _ _ G1). pose proof (growsNext _ _ G2).
    split; [|split]; simpl.
    + eapply Forall_impl; [|exact extents_below]. intro p.
      apply below_le. lia.
    + apply Forall_forall. intros p X. apply in_map_iff in X as [q [<- _]].
      apply nil_below.
    + apply Forall_forall. intros p X. apply in_map_iff in X as [q [<- _]].
      apply constant_below.
  - rewrite N2. exact Bp.
  - simpl. now rewrite extents_are, Ee.
  - apply unit_element. now apply inside_inBox.
Qed.

Context (ahead4 : grows s4 final)
  (others_ : (let* (other, _, qs, _) := activeLane h n sh index mask r in
     let* _ := because Distinct (lanesDiffer lane other) in
     let* _ := forEach (because Region) (lanesMeet ps qs) in
     emit ScatterLanes (constant (-1)) false) s3 = Some (tt, s4)).

Lemma lanes_ordered x y : passes x -> passes y -> comesFirst x y ->
  goesTo index x <> goesTo index y.
Proof.
  intros Px Py C E.
  destruct (lane_noted x Px) as [e2 [_ [A3 [Rc [El [Ep [Bl [Bp _]]]]]]]].
  destruct Py as [I [Hl [Hm Nz]]].
  pose proof others_ as H.
  apply andThen_inv in H as [[[[other c'] qs] r'] [r1 [H1 H]]].
  apply andThen_inv in H as [u2 [r2 [H2 H]]].
  apply andThen_inv in H as [u3 [r3 [H3 H]]].
  assert (Wd : 8 <= bits h <= 64).
  { destruct (wide w k h l given ids e0 from d s e n env at_s) as [W Wi]. lia. }
  assert (O3 : orderly s3) by apply leads3.
  destruct (activeLane_tame h Wd _ _ _ _ _ _ _ _ H1 O3) as [O5 G5].
  destruct (assume_tame _ (Because Distinct) Logic.I _ _ _ H2 O5) as [O6 G6].
  assert (Tm : tame (forEach (because Region) (lanesMeet ps qs)))
    by (apply tame_forEach; intro; now apply assume_tame).
  destruct (Tm _ _ _ H3 O6) as [O7 G7].
  destruct (emit_tame _ _ _ _ _ _ H O7) as [_ G8].
  assert (P4 : Forall discharged (vcs s4)) by now apply grows_discharged with final.
  pose proof (grows_discharged _ _ G8 P4) as P7. pose proof (grows_discharged _ _ G7 P7) as
    P6. pose proof (grows_discharged _ _ G6 P6) as P5.
  destruct (activeLane_true w k h l m given ids e0 from isWidth_ inGrid n env d
    sh index mask r s3 y other c' qs r' r1 e2 H1 A3 P5 I Rc Hl Hm Nz)
    as [e3 [Ag3 [A5 [_ [El' [_ [_ Ep']]]]]]].
  assert (El3 : map (eval e3) lane = x).
  { rewrite <- El. symmetry. now apply map_agrees with (next s3). }
  assert (Ep3 : map (eval e3) ps = goesTo index x).
  { rewrite <- Ep. symmetry. now apply map_agrees with (next s3). }
  assert (T6 : true_ r2 e3).
  { eapply assume_true; [exact H2|apply A5|]. apply lanesDiffer_holds.
    now rewrite El3, El'. }
  destruct (assumes_true _ _ _ _ _ e3 H3 T6) as [T7 _].
  { apply lanesMeet_hold. rewrite Ep3, E. symmetry. exact Ep'. }
  destruct (emit_true _ _ _ _ _ _ e3 H P4 T7) as [Bad _].
  rewrite constant_eval in Bad. lia.
Qed.

Lemma lanes_apart x y : passes x -> passes y -> x <> y ->
  goesTo index x <> goesTo index y.
Proof.
  intros Px Py Ne.
  assert (L : length x = length y).
  { destruct Px as [Bx _], Py as [By _].
    now rewrite (Places.inBox_length _ _ Bx), (Places.inBox_length _ _ By). }
  destruct (comesFirst_total x y L Ne) as [C|C].
  - now apply lanes_ordered.
  - intro E. symmetry in E. revert E. now apply lanes_ordered.
Qed.

End Walked.

(* The run: what it asks for, takes and writes. *)
Theorem scatter_runs v t sh index mask trips_ certain_ s s' e :
  scattered h n v t sh index mask trips_ certain_ s s' ->
  here s e n env d -> grows s' final ->
  exists xs xss active, let ls := asked (Z.to_nat (volume sh)) xss active in
    execStatement m k l ids (Scatter v t sh index mask) env =
      takeAll t ls (writeAll t ls xs (Done (Ok env))) /\
    length xs = length ls /\ (forall a, In (a, true) ls -> take t a) /\
    forall x, passes sh index mask x -> In (goesTo index x, true) ls.
Proof.
  intros [tv mv es ten lane c ps r s1 s2 s3 s4 st wr Hv Ht Ow -> Op H1 L1 H2 L2
    E3 L3 H4 L4 E5 L5] A G.
  pose proof A as [O T L Id Fr Be Hh N V Lo].
  destruct (valueOf_inv w l e n env d V _ _ _ _ _ Hv)
    as [_ [_ [xs [Gx [_ [Lx _]]]]]].
  destruct (tensorPolys_inv w k h l t s es ten s e Ht L)
    as [_ [Tn [Es [Ex [_ La]]]]].
  pose proof (extentPolys_bound (next s) h ten es Hh Es) as Bes.
  destruct (laneOperands_true w k h l m given ids e0 from isWidth_ n env d es sh
    index mask s tt s e Op A)
    as [_ [C2 [Pos [Hl [xss [active [Ec [Em [Lxs [Fx [Lm [Vx [Vm
      Sm]]]]]]]]]]]]].
  set (count := Z.to_nat (volume sh)) in *.
  assert (G4 : grows s4 final) by (eapply grows_trans; [apply L5|exact G]).
  assert (G3 : grows s3 final) by (eapply grows_trans; [apply L4|exact G4]).
  assert (Pass : forall j, (j < count)%nat -> nth j active 0 <> 0 ->
    passes sh index mask (delinear sh (Z.of_nat j)) /\
    map (fun ys => nth j ys 0) xss = goesTo index (delinear sh (Z.of_nat j))).
  { intros j J Nz.
    destruct (asked_passes n env sh index mask xss active j Pos J Vx Vm Nz)
      as [Pj [Ij Ej]].
    destruct (Hl _ Ij) as [Hi Hm]. split; [now conj|exact Ej]. }
  assert (Noted : forall x, passes sh index mask x ->
    inside (map (eval e) es) (goesTo index x) = true /\
    take t (goesTo index x)).
  { intros x Px.
    destruct (lane_noted t sh index mask trips_ certain_ s s1 s2 s3 e es ps lane
      c r A Ex Bes C2 H1 H2 E3 L1 L2 L3 G3 x Px) as [e2 X].
    split; apply X. }
  exists xs, xss, active. cbv zeta. fold count.
  split; [|split; [|split]].
  - cbn [execStatement]. unfold scatter. rewrite Gx. cbn [bindRun].
    rewrite Ec. cbn [bindRun]. fold count. rewrite Em. cbn [bindRun].
    unfold extentsAndType. rewrite Ex, Tn. cbn [orElse bind bindRun].
    assert (Ck : isOwned ten && Nat.eqb (length xss) (length (map (eval e) es))
      && forallb (fun ys => Nat.eqb (length ys) count) (xs :: active :: xss) =
      true).
    { rewrite Ow, map_length, Lxs, C2, Nat.eqb_refl. cbn [andb forallb].
      rewrite Lm, Nat.eqb_refl. unfold laneCount in Lx. cbn [shape] in Lx.
      fold count in Lx. rewrite Lx, Nat.eqb_refl. cbn [andb].
      apply forallb_forall. intros ys I. rewrite Forall_forall in Fx.
      now rewrite (Fx ys I), Nat.eqb_refl. }
    rewrite Ck.
    assert (In_ : forallb (fun a => negb (snd a) ||
                inside (map (eval e) es) (fst a)) (asked count xss active) =
              true).
    { apply forallb_forall. intros a I. unfold asked in I.
      apply in_map_iff in I as [j [<- J]]. apply in_seq in J. cbn [fst snd].
      destruct (Z.eqb_spec (nth j active 0) 0) as [Z0|Z0]; [reflexivity|].
      cbn [negb orb]. destruct (Pass j ltac:(lia) Z0) as [Pj ->].
      now apply Noted. }
    rewrite In_.
    assert (Ap : lanesApart (asked count xss active) = true).
    { apply lanesApart_nth.
      assert (La_ : length (asked count xss active) = count)
        by (unfold asked; now rewrite map_length, seq_length).
      rewrite La_. intros i j Lt J. rewrite !asked_nth by lia.
      cbn [fst snd]. intros Ai Aj.
      destruct (Z.eqb_spec (nth i active 0) 0) as [|Zi]; [discriminate|].
      destruct (Z.eqb_spec (nth j active 0) 0) as [|Zj]; [discriminate|].
      destruct (Pass i ltac:(lia) Zi) as [Pi ->].
      destruct (Pass j J Zj) as [Pj ->].
      apply (lanes_apart t sh index mask trips_ certain_ s s1 s2 s3 s4 e es ps
        lane c r A Ex Bes C2 H1 H2 E3 L1 L2 L3 G3 G4 H4); auto.
      intro E. apply (f_equal (linear sh)) in E.
      assert (P0 : Forall (Z.le 0) sh)
        by (eapply Forall_impl; [|exact Pos]; cbv beta; intros; lia).
      rewrite (proj2 (linear_delinear sh (Z.of_nat i) P0 ltac:(lia))) in E.
      rewrite (proj2 (linear_delinear sh (Z.of_nat j) P0 ltac:(lia))) in E.
      lia. }
    now rewrite Ap.
  - unfold asked. rewrite map_length, seq_length. exact Lx.
  - intros a I. unfold asked in I.
    apply in_map_iff in I as [j [Ej J]]. apply in_seq in J.
    injection Ej as <- Z0.
    destruct (Z.eqb_spec (nth j active 0) 0) as [|Nz]; [discriminate|].
    destruct (Pass j ltac:(lia) Nz) as [Pj ->]. now apply Noted.
  - intros x [Bx [Hx [Mx Px]]]. pose proof (place_below sh x Bx) as J.
    fold count in J. set (j := Z.to_nat (linear sh x)) in *.
    assert (Na : nth j (asked count xss active) ([], false) =
                 (goesTo index x, true)).
    { rewrite asked_nth by exact J. f_equal.
      - unfold goesTo. rewrite Vx. reflexivity.
      - apply Vm in Px. destruct mask as [u|].
        + unfold laneOf in Px. fold j in Px. now apply Z.eqb_neq in Px as ->.
        + rewrite Sm, nth_repeated by exact J. reflexivity. }
    rewrite <- Na. apply nth_In. unfold asked.
    now rewrite map_length, seq_length.
Qed.

Theorem scatter_sound v t sh index mask trips_ certain_ s n' s' e :
  (let* _ := scatter_ h n v t sh index mask trips_ certain_ in ret n) s =
    Some (n', s') -> here s e n env d -> grows s' final ->
  sound k given take (goodEnv w k h l given ids e0 from s s' e n' d) d
    (execStatement m k l ids (Scatter v t sh index mask) env).
Proof.
  intros H A G. apply andThen_inv in H as [u [s9 [H HE]]].
  injection HE as <- <-.
  assert (Wd : 8 <= bits h <= 64).
  { destruct (wide w k h l given ids e0 from d s e n env A) as [W Wi]. lia. }
  apply (scatter_inv h Wd) in H; [|apply A].
  destruct (scatter_runs _ _ _ _ _ _ _ _ _ _ H A G)
    as [xs [xss [active [-> [Lx [Ta _]]]]]].
  destruct H as [tv mv es ten lane c ps r s1 s2 s3 s4 st wr Hv Ht Ow -> Op H1
    [O1 G1] H2 [O2 G2] E3 [O3 G3] H4 [O4 G4] -> [O5 G5]].
  apply takeAll_sound; [exact Ta|]. apply writeAll_sound; [exact Lx|].
  intros d' U _. apply sound_ok. split; [exact U|].
  destruct (at_skip w k h l given ids e0 from s s4 e n env d (facts s) A
    ltac:(eauto using grows_trans) O5 eq_refl) as [e' [Ag A']].
  exists e'. split; [exact Ag|].
  now apply (at_more w k h l given ids e0 from _ _ _ _ d).
Qed.

End Scatters.
