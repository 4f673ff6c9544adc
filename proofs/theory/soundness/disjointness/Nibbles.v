(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Elements in pairs: those that share a byte differ in the last bit of one
   coordinate. Views that keep bytes whole lead from pairs to pairs. *)

From Coq Require Import ZArith List Bool Lia.
From Girih Require Import Places Tiles Addresses.
From Girih Require Export Bytes.
Import ListNotations.
Open Scope Z_scope.

Definition flip (x : Z) : Z := if Z.even x then x + 1 else x - 1.
Fixpoint flipAt (k : nat) (at_ : list Z) {struct at_} : list Z :=
  match at_, k with
  | [], _ => []
  | x :: at_', O => flip x :: at_'
  | x :: at_', S k' => x :: flipAt k' at_'
  end.

Lemma flip_half x : exists h, x = 2 * h /\ flip x = 2 * h + 1 \/
  x = 2 * h + 1 /\ flip x = 2 * h.
Proof.
  unfold flip. rewrite Zeven_mod. pose proof (Z.div_mod x 2 ltac:(lia)).
  pose proof (Z.mod_pos_bound x 2 ltac:(lia)). unfold Zeq_bool.
  exists (x / 2).
  destruct (Z.compare_spec (x mod 2) 0); lia.
Qed.
Lemma even_half n : Z.even n = true -> exists h, n = 2 * h.
Proof. intro E. apply Z.even_spec in E. exact E. Qed.

(* A flipped number stays on either side of an even one. *)
Lemma flip_below x n : Z.even n = true -> x < n -> flip x < n.
Proof.
  intros E. apply even_half in E as [m ->].
  destruct (flip_half x) as [h [[-> ->]|[-> ->]]]; lia.
Qed.
Lemma flip_above x n : Z.even n = true -> n <= x -> n <= flip x.
Proof.
  intros E. apply even_half in E as [m ->].
  destruct (flip_half x) as [h [[-> ->]|[-> ->]]]; lia.
Qed.
Lemma flip_moves y x : Z.even y = Z.even x -> flip y = y + (flip x - x).
Proof. unfold flip. intros ->. destruct (Z.even x); lia. Qed.

Lemma flipAt_length k at_ : length (flipAt k at_) = length at_.
Proof. revert k. induction at_; intros [|k]; simpl; auto. Qed.

Lemma flip_inBox es : forall x k, inBox es x -> Z.even (nth k es 0) = true ->
  inBox es (flipAt k x).
Proof.
  intros x k B. revert k. induction B as [|e y es x Y B IH]; intros [|k] E;
    simpl in *; constructor; auto; try apply IH; auto.
  split; [apply (flip_above y 0)|apply flip_below]; auto; lia.
Qed.
Lemma flip_onAxis ts is_ : forall x k, Forall2 onAxis x (combine ts is_) ->
  Z.even (nth k ts 0) = true -> Forall2 onAxis (flipAt k x) (combine ts is_).
Proof.
  revert is_. induction ts as [|y ts IH]; intros [|i is_] x k F E; simpl in F;
    try (inversion F; subst; destruct k; constructor; fail).
  inversion F as [|z p x' q Z_ F']. subst.
  destruct k as [|k]; simpl in *; constructor; auto.
  unfold onAxis in *. simpl in *.
  assert (H : Z.even (i * y) = true)
    by (rewrite Z.even_mul, E; apply orb_true_r).
  split; [apply flip_above; auto; lia|].
  apply flip_below; [rewrite Z.even_add, H, E; reflexivity|lia].
Qed.

(* Views whose elements come in pairs of coordinate r of the root: those along
   this axis, which is the only one that leads to odd numbers. *)
Record paired (r : nat) (v : view Z) (axis : nat) : Prop := Paired
  { pairedRank : Places.even v;
    pairedAxis : nth_error (along v) axis = Some (r, 1);
    pairedOrigin : Z.even (nth r (origin v) 0) = true;
    pairedExtent : Z.even (nth axis (extents_ v) 1) = true;
    pairedOthers : forall j c, j <> axis ->
      nth_error (along v) j = Some (r, c) -> Z.even c = true }.

Lemma reach_flip r k : forall l axis x, nth_error l axis = Some (r, 1) ->
  length x = length l ->
  reach_ k l (flipAt axis x) =
  reach_ k l x + if Nat.eqb r k then flip (nth axis x 0) - nth axis x 0 else 0.
Proof.
  induction l as [|[q c] l IH]; intros [|axis] [|y x] N L; try discriminate;
    simpl in *.
  - injection N as -> ->. destruct (Nat.eqb r k); lia.
  - rewrite (IH axis x) by (auto; congruence). destruct (Nat.eqb q k); lia.
Qed.

Lemma reach_even r : forall l x, length x = length l ->
  (forall j c, nth_error l j = Some (r, c) -> Z.even c = true) ->
  Z.even (reach_ r l x) = true.
Proof.
  induction l as [|[q c] l IH]; intros [|y x] L O; try discriminate;
    [reflexivity|]. simpl. injection L as L.
  assert (T : Z.even (reach_ r l x) = true).
  { apply IH; [exact L|]. intros j d. apply (O (S j)). }
  destruct (Nat.eqb_spec q r) as [->|]; [|exact T].
  rewrite Z.even_add, Z.even_mul, (O 0%nat c eq_refl), T. reflexivity.
Qed.
Lemma reach_parity r : forall l axis x, nth_error l axis = Some (r, 1) ->
  length x = length l ->
  (forall j c, j <> axis -> nth_error l j = Some (r, c) -> Z.even c = true) ->
  Z.even (reach_ r l x) = Z.even (nth axis x 0).
Proof.
  induction l as [|[q c] l IH]; intros [|axis] [|y x] N L O; try discriminate;
    simpl in *; injection L as L.
  - injection N as -> ->. rewrite Nat.eqb_refl, Z.even_add.
    rewrite (reach_even r l x L).
    + replace (1 * y) with y by lia. now destruct (Z.even y).
    + intros j d. apply (O (S j)). lia.
  - assert (T : Z.even (reach_ r l x) = Z.even (nth axis x 0)).
    { apply IH; auto. intros j d J. apply (O (S j)). congruence. }
    destruct (Nat.eqb_spec q r) as [->|]; [|exact T].
    rewrite Z.even_add, Z.even_mul, (O 0%nat c ltac:(lia) eq_refl), T. simpl.
    now destruct (Z.even (nth axis x 0)).
Qed.

Lemma placeFrom_flip r l axis x : nth_error l axis = Some (r, 1) ->
  length x = length l ->
  (forall j c, j <> axis -> nth_error l j = Some (r, c) -> Z.even c = true) ->
  forall o k, (k <= r)%nat -> Z.even (nth (r - k) o 0) = true ->
  placeFrom_ k o l (flipAt axis x) = flipAt (r - k) (placeFrom_ k o l x).
Proof.
  intros N L O. induction o as [|y o IH]; intros k K E; [reflexivity|].
  assert (Behind : forall o k, (r < k)%nat ->
            placeFrom_ k o l (flipAt axis x) = placeFrom_ k o l x).
  { clear - N L. induction o as [|y o IH]; intros k K; simpl; [reflexivity|].
    rewrite (reach_flip r k l axis x N L), (IH (S k)) by lia.
    destruct (Nat.eqb_spec r k); [lia|]. f_equal. lia. }
  cbn [placeFrom]. rewrite (reach_flip r k l axis x N L).
  destruct (Nat.eqb_spec r k) as [->|Ne].
  - rewrite Nat.sub_diag in *. cbn [flipAt nth] in *. rewrite Behind by lia.
    f_equal. rewrite (flip_moves (y + reach_ k l x) (nth axis x 0)); [lia|].
    rewrite Z.even_add, E, (reach_parity k l axis x N L O).
    now destruct (Z.even (nth axis x 0)).
  - replace (r - k)%nat with (S (r - S k)) in * by lia. cbn [flipAt nth] in *.
    rewrite (IH (S k)) by (auto; lia). f_equal. lia.
Qed.

Theorem place_flip r v axis x : paired r v axis ->
  length x = length (extents_ v) ->
  placeOf v (flipAt axis x) = flipAt r (placeOf v x).
Proof.
  intros [Ev Ax Or _ Ot] L. unfold placeOf, place.
  rewrite (placeFrom_flip r (along v) axis x Ax) with (k := 0%nat);
    rewrite ?Nat.sub_0_r; auto; [|lia]. unfold Places.even in Ev. congruence.
Qed.

(* A tile of such a view has whole pairs of a tensor that has. *)
Theorem tile_paired r v axis p index extents a : paired r v axis ->
  Z.even (nth axis (tileExtents p) 1) = true ->
  Z.even (nth r extents 0) = true ->
  In (a, true) (tileOf extents v p index) ->
  In (flipAt r a, true) (tileOf extents v p index).
Proof.
  intros P T E I. apply tileOf_spec in I as [B [x [-> [X F]]]].
  apply tileOf_spec. split; [now apply flip_inBox|].
  exists (flipAt axis x). split.
  - symmetry. apply (place_flip r v axis x P). now apply inBox_length.
  - assert (D : forall l, Z.even (nth axis l 1) = true ->
              Z.even (nth axis l 0) = true).
    { intro l. revert axis P T X F. clear. intros axis _ _ _ _. revert axis.
      induction l as [|y l IH]; intros [|axis]; simpl; auto. }
    split; [apply flip_inBox|apply flip_onAxis]; auto. apply D, P.
Qed.

(* Steps keep pairs. *)

Lemma whole_paired t es : es <> [] ->
  Z.even (nth (length es - 1) es 0) = true ->
  paired (length es - 1) (wholeOf t es) (length es - 1).
Proof.
  intros N E.
  assert (L : (0 < length es)%nat) by (destruct es; simpl; [congruence|lia]).
  assert (At : forall j, (j < length es)%nat -> nth_error
            (map (fun k => (k, 1)) (seq 0 (length es))) j = Some (j, 1)).
  { intros j J. rewrite nth_error_map.
    rewrite (nth_error_nth' (seq 0 (length es)) 0%nat)
      by now rewrite seq_length. now rewrite seq_nth. }
  split.
  - apply whole_even.
  - apply At. lia.
  - unfold wholeOf, wholeView. simpl. clear. generalize (length es - 1)%nat.
    induction es as [|y es IH]; intros [|n]; simpl; auto.
  - simpl. rewrite (nth_indep es 1 0) by lia. exact E.
  - intros j c J H. exfalso. apply J. simpl in H.
    assert (K : (j < length es)%nat).
    { assert (Q : nth_error (map (fun k => (k, 1)) (seq 0 (length es))) j <>
                  None) by congruence.
      apply nth_error_Some in Q. now rewrite map_length, seq_length in Q. }
    rewrite (At j K) in H. congruence.
Qed.

Lemma indexOf_at k l : In k l -> nth_error l (indexOf k l) = Some k.
Proof.
  induction l as [|x l IH]; intros I; [destruct I|]. simpl.
  destruct (Nat.eqb_spec k x) as [->|Ne]; [reflexivity|].
  destruct I as [->|I]; [congruence|]. now apply IH.
Qed.

Lemma nth_instead {A} (l these : list A) : forall k j, (k < length l)%nat ->
  nth_error (instead l k these) j =
  if Nat.ltb j k then nth_error l j
  else if Nat.ltb j (k + length these) then nth_error these (j - k)
  else nth_error l (j + 1 - length these).
Proof.
  unfold instead. induction l as [|x l IH]; intros k j K; simpl in K; [lia|].
  destruct k as [|k].
  - cbn [firstn app skipn].
    destruct (Nat.ltb_spec j 0); [lia|]. rewrite Nat.sub_0_r.
    destruct (Nat.ltb_spec j (0 + length these)).
    + now apply nth_error_app1.
    + rewrite nth_error_app2 by lia.
      now replace (j + 1 - length these)%nat with (S (j - length these)) by lia.
  - destruct j as [|j]; [reflexivity|].
    change (firstn (S k) (x :: l)) with (x :: firstn k l).
    change (skipn (S (S k)) (x :: l)) with (skipn (S k) l).
    cbn [app nth_error]. rewrite (IH k j) by lia.
    change (S k + length these)%nat with (S (k + length these)).
    change (Nat.ltb (S j) (S k)) with (Nat.ltb j k).
    change (Nat.ltb (S j) (S (k + length these)))
      with (Nat.ltb j (k + length these)).
    destruct (Nat.ltb_spec j k); [reflexivity|].
    destruct (Nat.ltb_spec j (k + length these)); [reflexivity|].
    now replace (S j + 1 - length these)%nat
      with (S (j + 1 - length these)) by lia.
Qed.

Lemma instead_length {A} (l these : list A) k : (k < length l)%nat ->
  length (instead l k these) = (length l - 1 + length these)%nat.
Proof.
  intro K. unfold instead. rewrite !app_length, firstn_length, skipn_length.
  lia.
Qed.

Lemma digits_length r c fs : length (digitAxes 1 Z.mul r c fs) = length fs.
Proof. induction fs; simpl; auto. Qed.
Lemma digits_at r c fs : forall j q s,
  nth_error (digitAxes 1 Z.mul r c fs) j = Some (q, s) -> q = r /\
  (Z.even c = true -> Z.even s = true) /\
  (j = (length fs - 1)%nat -> s = c) /\
  (isEvenAt Z.even fs (length fs - 1) = true -> j <> (length fs - 1)%nat ->
   Z.even s = true).
Proof.
  induction fs as [|f fs IH]; intros [|j] q s N; try discriminate.
  - simpl in N. injection N as <- <-. split; [reflexivity|]. split; [|split].
    + intro E. rewrite Z.even_mul, E. apply orb_true_r.
    + destruct fs as [|g fs]; [intros _; cbn [fold_right]; lia|].
      cbn [length]. lia.
    + cbn [length]. replace (S (length fs) - 1)%nat with (length fs) by lia.
      intros E J. rewrite Z.even_mul. apply orb_true_iff. left.
      destruct fs as [|g fs]; [simpl in J; lia|].
      unfold isEvenAt in E. cbn [length nth_error] in E. clear - E.
      revert g E. induction fs as [|f fs IH]; intros g E.
      { simpl in *. rewrite Z.mul_1_r. exact E. }
      cbn [fold_right]. rewrite Z.even_mul. apply orb_true_iff. right.
      apply IH. exact E.
  - cbn [digitAxes nth_error] in N. destruct (IH _ _ _ N) as [Q [A [B C]]].
    assert (L : (0 < length fs)%nat)
      by (destruct fs; simpl; [now destruct j|lia]).
    cbn [length].
    replace (S (length fs) - 1)%nat with (S (length fs - 1)) by lia.
    split; [exact Q|]. split; [exact A|].
    split; [intro J; apply B; congruence|].
    intros E J. apply C; [exact E|congruence].
Qed.

Lemma even_nth k l : isEvenAt Z.even l k = true <->
  Z.even (nth k l 1) = true.
Proof.
  unfold isEvenAt. destruct (nth_error l k) as [x|] eqn:N.
  - now rewrite (nth_error_nth _ _ 1 N).
  - rewrite nth_overflow by now apply nth_error_None. split; discriminate.
Qed.

Theorem step_paired r v axis s axis' : paired r v axis ->
  fitsRank (length (extents_ v)) s = true ->
  wholeStep Z.even axis s = Some axis' -> paired r (step_ v s) axis'.
Proof.
  intros [Ev Ax Or Ex Ot] R St. unfold Places.even in Ev.
  assert (Here : (axis < length (along v))%nat)
    by (apply nth_error_Some; congruence).
  destruct s as [os ns|axes|axis0 fs|axis0 x]; cbn [wholeStep] in St.
  - destruct (isEvenAt Z.even os axis) eqn:E1; [|discriminate].
    destruct (isEvenAt Z.even ns axis) eqn:E2; [|discriminate].
    injection St as <-. apply even_nth in E1, E2.
    apply andb_true_iff in R as [R1 R2]. apply Nat.eqb_eq in R1, R2.
    split; auto; cbn [step_ stepped along extents_ origin].
    + unfold Places.even. simpl. congruence.
    + unfold place. clear Ex E2 R2.
      assert (P : Z.even (reach_ r (along v) os) = true).
      { rewrite (reach_parity r (along v) axis os Ax) by (auto; congruence).
        rewrite <- E1. f_equal. apply nth_indep. congruence. }
      assert (G : forall o k, (k <= r)%nat ->
                Z.even (nth (r - k) o 0) = true ->
                Z.even (nth (r - k) (placeFrom_ k o (along v) os) 0) = true).
      { induction o as [|y o IH]; intros k K E; [exact E|]. cbn [placeFrom].
        destruct (Nat.eq_dec r k) as [->|Ne].
        - rewrite Nat.sub_diag in *. cbn [nth] in *.
          now rewrite Z.even_add, E, P.
        - replace (r - k)%nat with (S (r - S k)) in * by lia. cbn [nth] in *.
          apply IH; [lia|exact E]. }
      specialize (G (origin v) 0%nat ltac:(lia)). rewrite Nat.sub_0_r in G.
      now apply G.
  - injection St as <-. apply permutes in R as [L P].
    assert (Bound : Forall (fun k => (k < length (extents_ v))%nat) axes).
    { apply Forall_forall. intros j J.
      apply (Permutation.Permutation_in _ P), in_seq in J. lia. }
    assert (N : NoDup axes).
    { apply (Permutation.Permutation_NoDup (Permutation.Permutation_sym P)).
      apply seq_NoDup. }
    destruct (pick_all (extents_ v) axes Bound) as [Le Ne].
    assert (Ba : Forall (fun k => (k < length (along v))%nat) axes)
      by now rewrite Ev.
    destruct (pick_all (along v) axes Ba) as [La Na].
    assert (I : nth_error axes (indexOf axis axes) = Some axis).
    { apply indexOf_at, (Permutation.Permutation_in _
        (Permutation.Permutation_sym P)), in_seq. lia. }
    split; cbn [step_ stepped along extents_ origin]; auto.
    + unfold Places.even. simpl. congruence.
    + now rewrite Na, I.
    + apply even_nth. apply even_nth in Ex. unfold isEvenAt in *.
      now rewrite Ne, I.
    + intros j c J H. rewrite Na in H.
      destruct (nth_error axes j) as [q|] eqn:Q; [|discriminate].
      apply (Ot q c); [|exact H]. intros ->. apply J.
      apply (proj1 (NoDup_nth_error axes) N); [|congruence].
      apply nth_error_Some. congruence.
  - simpl in R. apply Nat.ltb_lt in R.
    assert (R' : (axis0 < length (along v))%nat) by congruence.
    destruct (nth_error (along v) axis0) as [[q c]|] eqn:Q.
    2:{ apply nth_error_None in Q. lia. }
    assert (Le : length (digitAxes 1 Z.mul q c fs) = length fs)
      by apply digits_length.
    assert (Rank : Places.even (step_ v (Unfold axis0 fs))).
    { unfold Places.even, step_, stepped. cbn [along extents_]. rewrite Q.
      rewrite !instead_length by congruence. lia. }
    assert (Al : forall j, nth_error (along (step_ v (Unfold axis0 fs))) j =
              if Nat.ltb j axis0 then nth_error (along v) j
              else if Nat.ltb j (axis0 + length fs)
              then nth_error (digitAxes 1 Z.mul q c fs) (j - axis0)
              else nth_error (along v) (j + 1 - length fs)).
    { intro j. unfold step_, stepped. cbn [along]. rewrite Q.
      rewrite nth_instead by exact R'. now rewrite Le. }
    assert (El : forall j, nth_error (extents_ (step_ v (Unfold axis0 fs))) j =
              if Nat.ltb j axis0 then nth_error (extents_ v) j
              else if Nat.ltb j (axis0 + length fs)
              then nth_error fs (j - axis0)
              else nth_error (extents_ v) (j + 1 - length fs)).
    { intro j. unfold step_, stepped. cbn [extents_].
      now rewrite nth_instead. }
    apply even_nth in Ex. unfold isEvenAt in Ex.
    destruct (Nat.eqb_spec axis0 axis) as [->|Ne].
    + destruct (isEvenAt Z.even fs (length fs - 1)) eqn:E; [|discriminate].
      injection St as <-. rewrite Ax in Q. injection Q as <- <-.
      assert (Lf : (0 < length fs)%nat).
      { destruct fs; [discriminate|]. simpl. lia. }
      split; auto.
      * rewrite Al. destruct (Nat.ltb_spec (axis + (length fs - 1)) axis);
          [lia|].
        destruct (Nat.ltb_spec (axis + (length fs - 1)) (axis + length fs));
          [|lia].
        replace (axis + (length fs - 1) - axis)%nat with (length fs - 1)%nat
          by lia.
        destruct (nth_error (digitAxes 1 Z.mul r 1 fs) (length fs - 1))
          as [[q s]|] eqn:D.
        2:{ apply nth_error_None in D. lia. }
        destruct (digits_at _ _ _ _ _ _ D) as [-> [_ [B _]]].
        now rewrite B.
      * apply even_nth. unfold isEvenAt. rewrite El.
        destruct (Nat.ltb_spec (axis + (length fs - 1)) axis); [lia|].
        destruct (Nat.ltb_spec (axis + (length fs - 1)) (axis + length fs));
          [|lia].
        replace (axis + (length fs - 1) - axis)%nat with (length fs - 1)%nat
          by lia. exact E.
      * intros j s J H. rewrite Al in H. destruct (Nat.ltb_spec j axis).
        { apply (Ot j s); [lia|exact H]. }
        destruct (Nat.ltb_spec j (axis + length fs)).
        { destruct (digits_at _ _ _ _ _ _ H) as [_ [_ [_ D]]].
          apply D; [exact E|lia]. }
        apply (Ot (j + 1 - length fs)%nat s); [lia|exact H].
    + (* The axis moves along where it is a later one. *)
      assert (Moved : exists back : nat -> nat,
                back axis' = axis /\
                (forall j, (j < axis0 \/ axis0 + length fs <= j)%nat ->
                   nth_error (along (step_ v (Unfold axis0 fs))) j =
                     nth_error (along v) (back j) /\
                   nth_error (extents_ (step_ v (Unfold axis0 fs))) j =
                     nth_error (extents_ v) (back j)) /\
                (forall j, (j < axis0 \/ axis0 + length fs <= j)%nat ->
                   back j = axis -> j = axis') /\
                (axis' < axis0 \/ axis0 + length fs <= axis')%nat).
      { exists (fun j =>
          if Nat.ltb j axis0 then j else (j + 1 - length fs)%nat).
        assert (Ea : axis' = if Nat.ltb axis0 axis
                             then (axis + length fs - 1)%nat else axis).
        { destruct (Nat.ltb axis0 axis); congruence. }
        subst axis'. split; [|split; [|split]].
        - destruct (Nat.ltb_spec axis0 axis).
          + destruct (Nat.ltb_spec (axis + length fs - 1) axis0); lia.
          + destruct (Nat.ltb_spec axis axis0); lia.
        - intros j J. rewrite Al, El. destruct (Nat.ltb_spec j axis0); [auto|].
          destruct (Nat.ltb_spec j (axis0 + length fs)); [lia|auto].
        - intros j J. destruct (Nat.ltb_spec j axis0);
            destruct (Nat.ltb_spec axis0 axis); lia.
        - destruct (Nat.ltb_spec axis0 axis); lia. }
      destruct Moved as [back [B1 [B2 [B3 B4]]]].
      destruct (B2 axis' B4) as [A1 A2]. rewrite B1 in A1, A2.
      split; auto.
      * congruence.
      * apply even_nth. unfold isEvenAt. now rewrite A2.
      * intros j s J H.
        destruct (Nat.ltb_spec j axis0) as [Lt|Gt].
        { rewrite (proj1 (B2 j (or_introl Lt))) in H.
          apply (Ot (back j) s); [|exact H]. intro X. apply J, B3; auto. }
        destruct (Nat.ltb_spec j (axis0 + length fs)) as [Lt'|Gt'].
        { rewrite Al in H. destruct (Nat.ltb_spec j axis0); [lia|].
          destruct (Nat.ltb_spec j (axis0 + length fs)); [|lia].
          destruct (digits_at _ _ _ _ _ _ H) as [Eq [D _]]. subst q.
          apply D. now apply (Ot axis0 c). }
        rewrite (proj1 (B2 j (or_intror Gt'))) in H.
        apply (Ot (back j) s); [|exact H]. intro X. apply J, B3; auto.
  - destruct (Nat.eqb_spec axis0 axis) as [|Ne]; [discriminate|].
    simpl in R. apply Nat.ltb_lt in R.
    assert (R' : (axis0 < length (along v))%nat) by congruence.
    destruct (nth_error (along v) axis0) as [[q c]|] eqn:Q.
    2:{ apply nth_error_None in Q. lia. }
    set (back := fun j => if Nat.ltb j axis0 then j else (j + 1)%nat).
    assert (Al : forall j, nth_error (along (step_ v (FixAt axis0 x))) j =
              nth_error (along v) (back j)).
    { intro j. unfold step_, stepped, back. cbn [along].
      rewrite nth_instead by exact R'. cbn [length].
      destruct (Nat.ltb_spec j axis0); [reflexivity|].
      destruct (Nat.ltb_spec j (axis0 + 0)); [lia|].
      now rewrite Nat.sub_0_r. }
    assert (El : forall j, nth_error (extents_ (step_ v (FixAt axis0 x))) j =
              nth_error (extents_ v) (back j)).
    { intro j. unfold step_, stepped, back. cbn [extents_].
      rewrite nth_instead by exact R. cbn [length].
      destruct (Nat.ltb_spec j axis0); [reflexivity|].
      destruct (Nat.ltb_spec j (axis0 + 0)); [lia|].
      now rewrite Nat.sub_0_r. }
    assert (B : back axis' = axis /\ forall j, back j = axis -> j = axis').
    { unfold back. destruct (Nat.ltb_spec axis0 axis); injection St as <-.
      - destruct (Nat.ltb_spec (axis - 1) axis0); [lia|]. split; [lia|].
        intros j. destruct (Nat.ltb_spec j axis0); lia.
      - destruct (Nat.ltb_spec axis axis0); [|lia]. split; [lia|].
        intros j. destruct (Nat.ltb_spec j axis0); lia. }
    destruct B as [B1 B2]. split.
    + unfold Places.even, step_, stepped. cbn [along extents_].
      rewrite !instead_length by congruence. cbn [length]. lia.
    + now rewrite Al, B1.
    + unfold step_, stepped, pick. cbn [origin flat_map]. rewrite Q.
      assert (P : Z.even (reach_ r [(q, c)] [x]) = true).
      { apply reach_even; [reflexivity|]. intros [|j] s H; [|now destruct j].
        simpl in H. injection H as -> ->. now apply (Ot axis0 s). }
      assert (G : forall o k, (k <= r)%nat ->
                Z.even (nth (r - k) o 0) = true ->
                Z.even (nth (r - k) (placeFrom_ k o [(q, c)] [x]) 0) = true).
      { induction o as [|y o IH]; intros k K E; [exact E|]. cbn [placeFrom].
        destruct (Nat.eq_dec r k) as [->|Ne'].
        - rewrite Nat.sub_diag in *. cbn [nth] in *.
          rewrite Z.even_add, E, P. reflexivity.
        - replace (r - k)%nat with (S (r - S k)) in * by lia. cbn [nth] in *.
          apply IH; [lia|exact E]. }
      specialize (G (origin v) 0%nat ltac:(lia)). rewrite Nat.sub_0_r in G.
      rewrite app_nil_r. now apply G.
    + apply even_nth. apply even_nth in Ex. unfold isEvenAt in *.
      now rewrite El, B1.
    + intros j s J H. rewrite Al in H. apply (Ot (back j) s); [|exact H].
      intro X. now apply J, B2.
Qed.

(* Memory. *)

Definition evenStrides (by_ : list Z) : Prop :=
  exists others, by_ = others ++ [1] /\
    Forall (fun s => Z.even s = true) others.

Lemma last_of e e' (es : list Z) :
  nth (length (e :: e' :: es) - 1) (e :: e' :: es) 0 =
  nth (length (e' :: es) - 1) (e' :: es) 0.
Proof.
  cbn [length]. replace (S (S (length es)) - 1)%nat
    with (S (S (length es) - 1)) by lia. reflexivity.
Qed.
Lemma volume_even es : es <> [] -> Z.even (nth (length es - 1) es 0) = true ->
  Z.even (volume es) = true.
Proof.
  induction es as [|e es IH]; intros N E; [congruence|].
  unfold volume. cbn [fold_right]. rewrite Z.even_mul. apply orb_true_iff.
  destruct es as [|e' es]; [left; exact E|]. right.
  apply IH; [discriminate|]. now rewrite last_of in E.
Qed.
Lemma packed_strides es : es <> [] ->
  Z.even (nth (length es - 1) es 0) = true -> evenStrides (packed es).
Proof.
  induction es as [|e es IH]; intros N E; [congruence|].
  destruct es as [|e' es].
  - exists []. split; [reflexivity|constructor].
  - destruct IH as [others [P F]];
      [discriminate|now rewrite last_of in E|].
    exists (volume (e' :: es) :: others). split.
    + change (packed (e :: e' :: es))
        with (volume (e' :: es) :: packed (e' :: es)). now rewrite P.
    + constructor; [|exact F]. apply volume_even; [discriminate|].
      now rewrite last_of in E.
Qed.

Lemma offset_app s a : forall s' a', length s = length a ->
  offset (s ++ s') (a ++ a') = offset s a + offset s' a'.
Proof.
  revert a. induction s as [|y s IH]; intros [|x a] s' a' L; try discriminate;
    [reflexivity|]. injection L as L. simpl. rewrite IH by exact L. lia.
Qed.
Lemma offset_even s : forall a, Forall (fun s => Z.even s = true) s ->
  Z.even (offset s a) = true.
Proof.
  induction s as [|y s IH]; intros [|x a] F; auto. inversion F. subst. simpl.
  rewrite Z.even_add, Z.even_mul, IH by assumption.
  match goal with H : Z.even y = true |- _ => rewrite H end. reflexivity.
Qed.

Lemma flip_last a x : flipAt (length a) (a ++ [x]) = a ++ [flip x].
Proof. induction a as [|y a IH]; simpl; [reflexivity|]. now rewrite IH. Qed.

(* Two elements in one byte are one or a pair. *)
Theorem byte_paired extents by_ a b : length by_ = length extents ->
  noOverlap extents by_ = true -> evenStrides by_ ->
  inBox extents a -> inBox extents b ->
  offset by_ a / 2 = offset by_ b / 2 ->
  b = a \/ b = flipAt (length extents - 1) a.
Proof.
  intros L O [others [-> F]] A B E.
  rewrite app_length in L. simpl in L.
  assert (Split : forall c, inBox extents c -> exists c' z,
            c = c' ++ [z] /\ length c' = length others /\
            inBox extents (c' ++ [2 * (z / 2)])).
  { intros c C. pose proof (inBox_length _ _ C) as Lc.
    destruct (exists_last (l := c)) as [c' [z ->]].
    { intros ->. simpl in Lc. lia. }
    rewrite app_length in Lc. simpl in Lc. exists c', z.
    split; [reflexivity|]. split; [lia|].
    apply Forall2_app_inv_r in C as [e1 [e2 [C1 [C2 ->]]]].
    apply Forall2_app; [exact C1|].
    inversion C2 as [|d ? e3 ? D C3]. subst. inversion C3. subst.
    constructor; [|constructor].
    pose proof (Z.div_mod z 2 ltac:(lia)).
    pose proof (Z.mod_pos_bound z 2 ltac:(lia)). lia. }
  destruct (Split a A) as [a' [x [-> [La A']]]].
  destruct (Split b B) as [b' [y [-> [Lb B']]]].
  rewrite !offset_app in E by congruence. cbn [offset] in E.
  destruct (even_half _ (offset_even others a' F)) as [m M].
  destruct (even_half _ (offset_even others b' F)) as [n N].
  rewrite M, N in E.
  replace (2 * m + (1 * x + 0)) with (x + m * 2) in E by lia.
  replace (2 * n + (1 * y + 0)) with (y + n * 2) in E by lia.
  rewrite !Z.div_add in E by lia.
  assert (Same : a' ++ [2 * (x / 2)] = b' ++ [2 * (y / 2)]).
  { apply (offset_injective (others ++ [1]) extents); auto.
    - rewrite app_length. exact L.
    - rewrite !offset_app by congruence. cbn [offset]. lia. }
  apply app_inj_tail in Same as [-> S].
  replace (length extents - 1)%nat with (length b') by lia.
  rewrite flip_last.
  destruct (flip_half x) as [h [[Hx ->]|[Hx ->]]];
    [assert (y = x \/ y = 2 * h + 1)|assert (y = x \/ y = 2 * h)];
    try (pose proof (Z.div_mod x 2 ltac:(lia));
         pose proof (Z.mod_pos_bound x 2 ltac:(lia));
         pose proof (Z.div_mod y 2 ltac:(lia));
         pose proof (Z.mod_pos_bound y 2 ltac:(lia)); lia);
    destruct H as [->| ->]; auto.
Qed.
