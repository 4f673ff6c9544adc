(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Views are what spec/tile.md says: each step leads coordinates of the view to
   those of what it is a view of, as the words go; so each element is one of the
   root, and no two are the same one. *)

From Coq Require Import ZArith List Bool Lia Permutation.
From Girih Require Export Sem.
Import ListNotations.
Open Scope Z_scope.

(* The number that has these digits. *)
Fixpoint digitsValue (factors digits : list Z) : Z :=
  match factors, digits with
  | _ :: factors', x :: digits' =>
      x * fold_right Z.mul 1 factors' + digitsValue factors' digits'
  | _, _ => 0
  end.

(* Which of the axes is this one. *)
Fixpoint place_ (k : nat) (axes : list nat) : nat :=
  match axes with
  | [] => O
  | j :: axes' => if Nat.eqb j k then O else S (place_ k axes')
  end.

(* The element of what is viewed. *)
Definition through (s : viewStep Z) (x : list Z) : list Z :=
  match s with
  | Slice offsets _ => map (fun a => fst a + snd a) (combine x offsets)
  | Permute axes =>
      map (fun k => nth (place_ k axes) x 0) (seq 0 (length axes))
  | Unfold axis factors =>
      firstn axis x ++
      [digitsValue factors (firstn (length factors) (skipn axis x))] ++
      skipn (axis + length factors) x
  | FixAt axis y => firstn axis x ++ [y] ++ skipn axis x
  end.

Notation reach_ := (reach 0 Z.add Z.mul).
Notation placeFrom_ := (placeFrom 0 Z.add Z.mul).

(* As long as these agree for all axes of the root, places do. *)
Lemma placeFrom_alike l x l' x' : forall o k,
  (forall j, reach_ j l x = reach_ j l' x') ->
  placeFrom_ k o l x = placeFrom_ k o l' x'.
Proof.
  induction o as [|y o IH]; intros k H; simpl; [reflexivity|].
  now rewrite H, (IH (S k) H).
Qed.
(* Where the origin has moved. *)
Lemma placeFrom_moved l x l' x' l0 x0 : forall o k,
  (forall j, reach_ j l x = reach_ j l0 x0 + reach_ j l' x') ->
  placeFrom_ k (placeFrom_ k o l0 x0) l' x' = placeFrom_ k o l x.
Proof.
  induction o as [|y o IH]; intros k H; simpl; [reflexivity|].
  rewrite H, (IH (S k) H). f_equal. lia.
Qed.

Lemma reach_app k l l' x x' : length l = length x ->
  reach_ k (l ++ l') (x ++ x') = reach_ k l x + reach_ k l' x'.
Proof.
  revert x. induction l as [|[r c] l IH]; intros [|y x] L; try discriminate;
    [reflexivity|]. injection L as L. simpl. rewrite IH by exact L.
  destruct (Nat.eqb r k); lia.
Qed.

Lemma reach_add k : forall l x o, length x = length l -> length o = length l ->
  reach_ k l (map (fun a => fst a + snd a) (combine x o)) =
  reach_ k l o + reach_ k l x.
Proof.
  induction l as [|[r c] l IH]; intros [|y x] [|z o] L L'; try discriminate;
    [reflexivity|]. injection L as L. injection L' as L'. simpl.
  rewrite IH by assumption. destruct (Nat.eqb r k); lia.
Qed.

Lemma reach_digits k r c : forall factors x, length x = length factors ->
  reach_ k (digitAxes 1 Z.mul r c factors) x =
  if Nat.eqb r k then c * digitsValue factors x else 0.
Proof.
  induction factors as [|f factors IH]; intros [|y x] L; try discriminate;
    simpl; [destruct (Nat.eqb r k); lia|]. injection L as L.
  rewrite IH by exact L. destruct (Nat.eqb r k); lia.
Qed.

(* Sums over the axes, in any order. *)
Fixpoint sumBy (f : nat -> Z) (axes : list nat) : Z :=
  match axes with [] => 0 | k :: axes' => f k + sumBy f axes' end.

Lemma reach_sum k l : forall x, length x = length l ->
  reach_ k l x =
  sumBy (fun i => match nth_error l i with
                  | Some (r, c) => if Nat.eqb r k then c * nth i x 0 else 0
                  | None => 0
                  end) (seq 0 (length l)).
Proof.
  assert (Shift : forall f n a, sumBy f (seq (S a) n) =
            sumBy (fun i => f (S i)) (seq a n)).
  { intros f n. induction n as [|n IH]; intro a; simpl; [reflexivity|].
    now rewrite IH. }
  induction l as [|[r c] l IH]; intros [|y x] L; try discriminate;
    [reflexivity|]. injection L as L. cbn [length seq sumBy reach nth_error nth].
  rewrite Shift, IH by exact L. cbn [nth_error nth].
  destruct (Nat.eqb r k); lia.
Qed.
Lemma sumBy_permuted f l l' : Permutation l l' ->
  sumBy f l = sumBy f l'.
Proof. induction 1; simpl; lia. Qed.

Lemma permutes axes rank : fitsRank rank (@Permute Z axes) = true ->
  length axes = rank /\ Permutation axes (seq 0 rank).
Proof.
  simpl. rewrite andb_true_iff, Nat.eqb_eq, forallb_forall. intros [L F].
  split; [exact L|]. symmetry.
  apply NoDup_Permutation_bis; [apply seq_NoDup| |].
  - rewrite seq_length. lia.
  - intros k K. specialize (F k K). apply existsb_exists in F as [j [J E]].
    apply Nat.eqb_eq in E. now subst.
Qed.

Lemma pick_all {A} (l : list A) axes : Forall (fun k => (k < length l)%nat) axes ->
  length (pick l axes) = length axes /\
  forall i, nth_error (pick l axes) i =
    match nth_error axes i with Some k => nth_error l k | None => None end.
Proof.
  induction 1 as [|k axes K F [L N]]; [split; [reflexivity|now intros [|]]|].
  unfold pick in *. cbn [flat_map].
  destruct (nth_error l k) as [x|] eqn:E.
  2: { apply nth_error_None in E. lia. }
  split; [simpl; now rewrite L|]. intros [|i]; simpl; [now rewrite E|]. apply N.
Qed.

Lemma place_at : forall axes k i, NoDup axes -> nth_error axes i = Some k ->
  place_ k axes = i.
Proof.
  induction axes as [|j axes IH]; intros k [|i] N E; try discriminate;
    simpl in *; inversion N; subst.
  - injection E as ->. now rewrite Nat.eqb_refl.
  - destruct (Nat.eqb_spec j k) as [->|]; [|now rewrite (IH k i)].
    apply nth_error_In in E. contradiction.
Qed.

Lemma reach_permuted k l axes x : length axes = length l ->
  Permutation axes (seq 0 (length l)) -> length x = length l ->
  reach_ k (pick l axes) x = reach_ k l (through (Permute axes) x).
Proof.
  intros L P X.
  assert (Bound : Forall (fun k => (k < length l)%nat) axes).
  { apply Forall_forall. intros j J.
    apply (Permutation_in _ P), in_seq in J. lia. }
  assert (N : NoDup axes).
  { apply (Permutation_NoDup (Permutation_sym P)).
    apply seq_NoDup. }
  destruct (pick_all l axes Bound) as [Lp Np].
  rewrite reach_sum by congruence.
  rewrite (reach_sum k l) by (simpl; now rewrite map_length, seq_length).
  rewrite <- (sumBy_permuted _ _ _ P), Lp.
  transitivity (sumBy (fun i => match nth_error axes i with
    | Some j => match nth_error l j with
                | Some (r, c) => if Nat.eqb r k then c * nth i x 0 else 0
                | None => 0
                end
    | None => 0
    end) (seq 0 (length axes))).
  { generalize (seq 0 (length axes)) as is_. induction is_ as [|i is_ IH];
      [reflexivity|]. cbn [sumBy]. rewrite IH, Np.
    now destruct (nth_error axes i). }
  assert (T : forall j, (j < length axes)%nat ->
            nth j (through (Permute axes) x) 0 = nth (place_ j axes) x 0).
  { intros j J. unfold through.
    rewrite (nth_indep _ _ (nth (place_ 0 axes) x 0))
      by (now rewrite map_length, seq_length).
    rewrite (map_nth (fun k => nth (place_ k axes) x 0)), seq_nth by exact J.
    reflexivity. }
  assert (G : forall past rest, axes = past ++ rest ->
    sumBy (fun i => match nth_error axes i with
      | Some j => match nth_error l j with
                  | Some (r, c) => if Nat.eqb r k then c * nth i x 0 else 0
                  | None => 0
                  end
      | None => 0
      end) (seq (length past) (length rest)) =
    sumBy (fun j => match nth_error l j with
      | Some (r, c) => if Nat.eqb r k
                       then c * nth j (through (Permute axes) x) 0 else 0
      | None => 0
      end) rest).
  { intros past rest. revert past. induction rest as [|j rest IH];
      intros past E; [reflexivity|]. cbn [length seq sumBy].
    assert (Nj : nth_error axes (length past) = Some j).
    { rewrite E, nth_error_app2, Nat.sub_diag by lia. reflexivity. }
    rewrite Nj. f_equal.
    - rewrite T, (place_at axes j _ N Nj); [reflexivity|].
      rewrite Forall_forall in Bound. rewrite L. apply Bound.
      now apply nth_error_In in Nj.
    - rewrite <- (IH (past ++ [j])); [|now rewrite <- app_assoc].
      rewrite app_length. simpl. now rewrite Nat.add_1_r. }
  apply (G [] axes eq_refl).
Qed.

(* Boxes. *)

Ltac conj_ := repeat match goal with |- _ /\ _ => split end.

Lemma app_eq_parts {A} (a b a' b' : list A) : length a = length a' ->
  a ++ b = a' ++ b' -> a = a' /\ b = b'.
Proof.
  revert a'. induction a as [|x a IH]; intros [|y a'] L E; try discriminate;
    [now split|]. injection L as L. injection E as -> E.
  destruct (IH a' L E) as [-> ->]. now split.
Qed.

Lemma inBox_length es x : inBox es x -> length x = length es.
Proof. induction 1; simpl; congruence. Qed.
Lemma inBox_app es es' x : inBox (es ++ es') x -> exists y y',
  x = y ++ y' /\ inBox es y /\ inBox es' y'.
Proof.
  revert x. induction es as [|e es IH]; simpl; intros x B.
  - exists [], x. split; [reflexivity|]. split; [constructor|exact B].
  - inversion B as [|? y ? x' Y B']. subst.
    destruct (IH _ B') as [z [z' [-> [Z1 Z2]]]]. exists (y :: z), z'.
    split; [reflexivity|]. split; [now constructor|exact Z2].
Qed.
Lemma inBox_both es es' x x' : inBox es x -> inBox es' x' ->
  inBox (es ++ es') (x ++ x').
Proof. intros A B. now apply Forall2_app. Qed.

Lemma split_at {A} (l : list A) k d : (k < length l)%nat ->
  l = firstn k l ++ [nth k l d] ++ skipn (S k) l /\ length (firstn k l) = k.
Proof.
  revert l. induction k as [|k IH]; intros [|x l] L; simpl in L; try lia.
  - split; reflexivity.
  - destruct (IH l ltac:(lia)) as [E N]. split; [|simpl; now rewrite N].
    simpl. f_equal. exact E.
Qed.

Lemma digits_box : forall factors x, inBox factors x ->
  0 <= digitsValue factors x /\
  (factors <> [] -> digitsValue factors x < fold_right Z.mul 1 factors) /\
  0 < fold_right Z.mul 1 factors.
Proof.
  induction 1 as [|f y factors x Y B [L [U P]]]; simpl.
  - split; [lia|]. split; [congruence|lia].
  - assert (U' : digitsValue factors x < fold_right Z.mul 1 factors \/
                 factors = []).
    { destruct factors; [now right|left]. apply U. discriminate. }
    split; [nia|]. split; [intros _|nia].
    destruct U' as [U'| ->]; [nia|]. inversion B. subst. simpl. lia.
Qed.
Lemma digits_equal : forall factors x y, inBox factors x -> inBox factors y ->
  digitsValue factors x = digitsValue factors y -> x = y.
Proof.
  induction factors as [|f factors IH]; intros x y X Y E;
    inversion X as [|? a ? x' A X']; inversion Y as [|? b ? y' B Y']; subst;
    [reflexivity|]. cbn [digitsValue] in E.
  destruct (digits_box _ _ X') as [L [U P]].
  destruct (digits_box _ _ Y') as [L' [U' _]].
  destruct factors as [|f' factors].
  - inversion X'. inversion Y'. subst. simpl in E. f_equal. lia.
  - specialize (U ltac:(discriminate)). specialize (U' ltac:(discriminate)).
    set (q := fold_right Z.mul 1 (f' :: factors)) in *.
    assert (a = b).
    { destruct (Z.lt_trichotomy a b) as [Lt|[Eq|Gt]]; [|exact Eq|]; exfalso;
        nia. }
    subst. f_equal. apply IH; auto. lia.
Qed.

(* Coordinates of as many axes as there are extents. *)
Definition even (v : view Z) : Prop :=
  length (along v) = length (extents_ v).

Lemma slices_in : forall es os ns, slices es os ns = true ->
  length os = length es /\
  (forall x, inBox ns x ->
     inBox es (map (fun a => fst a + snd a) (combine x os))) /\
  forall x y, inBox ns x -> inBox ns y ->
    map (fun a => fst a + snd a) (combine x os) =
    map (fun a => fst a + snd a) (combine y os) -> x = y.
Proof.
  induction es as [|e es IH]; intros [|o os] [|n ns] S; try discriminate.
  - split; [reflexivity|]. split.
    + intros x X. inversion X. constructor.
    + intros x y X Y _. inversion X. now inversion Y.
  - simpl in S. apply andb_true_iff in S as [S S'].
    destruct (IH os ns S') as [L [B I]]. split; [simpl; congruence|]. split.
    + intros x X. inversion X as [|? y ? x' Y X']. subst. simpl.
      constructor; [lia|]. now apply B.
    + intros x y X Y E. inversion X as [|? a ? x' A X'].
      inversion Y as [|? b ? y' C Y']. subst. simpl in E.
      injection E as E1 E2. f_equal; [lia|]. now apply I.
Qed.

Theorem whole_even t es : even (wholeOf t es).
Proof.
  unfold even, wholeOf, wholeView. simpl. now rewrite map_length, seq_length.
Qed.

(* A view of a view: an element is the element that the words say. *)
Theorem viewed_place v s v' : even v -> viewed v s = Ok v' ->
  even v' /\
  (forall x, inBox (extents_ v') x -> inBox (extents_ v) (through s x) /\
     placeOf v' x = placeOf v (through s x)) /\
  forall x y, inBox (extents_ v') x -> inBox (extents_ v') y ->
    through s x = through s y -> x = y.
Proof.
  intros Ev V. unfold viewed in V. unfold even in Ev.
  destruct (fitsRank _ s) eqn:R; [|discriminate].
  destruct s as [os ns|axes|axis fs|axis y].
  - destruct (slices _ os ns) eqn:S; [|discriminate]. injection V as <-.
    destruct (slices_in _ _ _ S) as [L [B I]].
    apply andb_true_iff in R as [_ R]. apply Nat.eqb_eq in R.
    split; [unfold even; simpl; congruence|]. split; [|exact I].
    intros x X. simpl in X. split; [now apply B|].
    pose proof (inBox_length _ _ X) as Lx.
    unfold placeOf, place, step_, stepped. cbn [origin along]. unfold place.
    apply placeFrom_moved. intro j. apply reach_add; congruence.
  - injection V as <-. apply permutes in R as [L P].
    assert (Bound : Forall (fun k => (k < length (extents_ v))%nat) axes).
    { apply Forall_forall. intros j J.
      apply (Permutation_in _ P), in_seq in J. lia. }
    assert (N : NoDup axes).
    { apply (Permutation_NoDup (Permutation_sym P)), seq_NoDup. }
    destruct (pick_all (extents_ v) axes Bound) as [Le Ne].
    assert (Ba : Forall (fun k => (k < length (along v))%nat) axes)
      by now rewrite Ev.
    destruct (pick_all (along v) axes Ba) as [La _].
    assert (At : forall x i k, nth_error axes i = Some k ->
              nth_error (through (Permute axes) x) k = Some (nth i x 0)).
    { intros x i k E. unfold through.
      assert (K : (k < length axes)%nat).
      { rewrite Forall_forall in Bound. rewrite L. apply Bound.
        eapply nth_error_In, E. }
      rewrite nth_error_map.
      rewrite (nth_error_nth' (seq 0 (length axes)) 0%nat)
        by now rewrite seq_length.
      rewrite seq_nth by exact K. simpl. now rewrite (place_at axes k i N E). }
    split; [unfold even; simpl; congruence|]. split.
    + intros x X. simpl in X. pose proof (inBox_length _ _ X) as Lx.
      split.
      * unfold inBox.
        assert (G : forall a b : list Z, length a = length b ->
          (forall i d z, nth_error a i = Some d -> nth_error b i = Some z ->
             0 <= z < d) -> Forall2 (fun d z => 0 <= z < d) a b).
        { induction a as [|d a IH]; intros [|z b] Lab F; try discriminate;
            constructor; [now apply (F 0%nat)|]. injection Lab as Lab.
          apply IH; [exact Lab|]. intros i. apply (F (S i)). }
        apply G.
        { unfold through. rewrite map_length, seq_length. congruence. }
        intros k d z Kd Kz.
        assert (K : In k axes).
        { apply (Permutation_in _ (Permutation_sym P)), in_seq.
          split; [lia|]. simpl. apply nth_error_Some. congruence. }
        apply In_nth_error in K as [i I]. rewrite (At x i k I) in Kz.
        injection Kz as <-. specialize (Ne i). rewrite I, Kd in Ne.
        clear - X Ne. revert i Ne.
        induction X as [|d' z ds zs Z X IH]; intros [|i] E; try discriminate;
          simpl in *; [congruence|now apply IH].
      * apply placeFrom_alike. intro j. simpl.
        apply reach_permuted; congruence.
    + intros x y X Y E. simpl in X, Y.
      pose proof (inBox_length _ _ X) as Lx. pose proof (inBox_length _ _ Y).
      apply nth_ext with 0 0; [congruence|]. intros i I.
      destruct (nth_error axes i) as [k|] eqn:K.
      2: { apply nth_error_None in K. lia. }
      pose proof (At x i k K) as A. rewrite E, (At y i k K) in A. congruence.
  - destruct (Z.eqb_spec (nth axis (extents_ v) 0) (fold_right Z.mul 1 fs))
      as [Pr|]; [|discriminate]. injection V as <-. simpl in R.
    apply Nat.ltb_lt in R.
    destruct (split_at (extents_ v) axis 0 R) as [Ee Le].
    assert (R' : (axis < length (along v))%nat) by lia.
    destruct (split_at (along v) axis (0%nat, 0) R') as [Ea La].
    destruct (nth axis (along v) (0%nat, 0)) as [r c] eqn:Na.
    assert (Nx : nth_error (along v) axis = Some (r, c)).
    { rewrite <- Na. now apply nth_error_nth'. }
    assert (Ld : length (digitAxes 1 Z.mul r c fs) = length fs).
    { clear. induction fs; simpl; congruence. }
    assert (Parts : forall x, inBox (extents_ (step_ v (Unfold axis fs))) x ->
      exists p q t, x = p ++ q ++ t /\ length p = axis /\
        inBox (firstn axis (extents_ v)) p /\ inBox fs q /\
        inBox (skipn (S axis) (extents_ v)) t /\
        through (Unfold axis fs) x = p ++ [digitsValue fs q] ++ t).
    { intros x X. cbn [step_ stepped extents_] in X. unfold instead in X.
      apply inBox_app in X as [p [x' [-> [P X]]]].
      apply inBox_app in X as [q [t [-> [Q T]]]]. exists p, q, t.
      pose proof (inBox_length _ _ P) as Lp. rewrite Le in Lp.
      pose proof (inBox_length _ _ Q) as Lq. conj_; auto.
      unfold through. rewrite <- Lp.
      rewrite firstn_app, firstn_all, Nat.sub_diag, app_nil_r.
      rewrite skipn_app, skipn_all, Nat.sub_diag. cbn [skipn app].
      rewrite <- Lq, firstn_app, firstn_all, Nat.sub_diag, app_nil_r.
      rewrite !skipn_app.
      rewrite (skipn_all2 p), (skipn_all2 q) by lia.
      replace (length p + length q - length p - length q)%nat with 0%nat by lia.
      reflexivity. }
    split; [|split].
    + unfold even, step_, stepped, instead. cbn [along extents_]. rewrite Nx.
      rewrite !app_length, Ld, !skipn_length, La, Le. lia.
    + intros x X. destruct (Parts x X) as [p [q [t [-> [Lp [P [Q [T E]]]]]]]].
      rewrite E. destruct (digits_box _ _ Q) as [D1 [D2 D3]].
      pose proof (inBox_length _ _ Q) as Lq.
      pose proof (inBox_length _ _ T) as Lt.
      split.
      * rewrite Ee at 1. apply inBox_both; [exact P|].
        apply inBox_both; [|exact T]. constructor; [|constructor].
        rewrite Pr. split; [exact D1|]. destruct fs; [|apply D2; discriminate].
        inversion Q. simpl. lia.
      * unfold placeOf, place, step_, stepped. cbn [origin along]. rewrite Nx.
        apply placeFrom_alike. intro j. unfold instead. rewrite Ea at 3.
        rewrite !reach_app by (simpl; congruence).
        rewrite reach_digits by congruence. simpl.
        destruct (Nat.eqb r j); lia.
    + intros x y X Y E. destruct (Parts x X) as [p [q [t [-> [Lp [P [Q [T
        Ex]]]]]]]]. destruct (Parts y Y) as [p' [q' [t' [-> [Lp' [P' [Q' [T'
        Ey]]]]]]]]. rewrite Ex, Ey in E.
      apply app_eq_parts in E as [-> E]; [|congruence]. injection E as D ->.
      now rewrite (digits_equal _ _ _ Q Q' D).
  - destruct ((0 <=? y) && (y <? nth axis (extents_ v) 0)) eqn:Y;
      [|discriminate]. injection V as <-. simpl in R. apply Nat.ltb_lt in R.
    destruct (split_at (extents_ v) axis 0 R) as [Ee Le].
    assert (R' : (axis < length (along v))%nat) by lia.
    destruct (split_at (along v) axis (0%nat, 0) R') as [Ea La].
    destruct (nth axis (along v) (0%nat, 0)) as [r c] eqn:Na.
    assert (Nx : nth_error (along v) axis = Some (r, c)).
    { rewrite <- Na. now apply nth_error_nth'. }
    assert (Parts : forall x, inBox (extents_ (step_ v (FixAt axis y))) x ->
      exists p t, x = p ++ t /\ length p = axis /\
        inBox (firstn axis (extents_ v)) p /\
        inBox (skipn (S axis) (extents_ v)) t /\
        through (FixAt axis y) x = p ++ [y] ++ t).
    { intros x X. cbn [step_ stepped extents_] in X. unfold instead in X.
      apply inBox_app in X as [p [t [-> [P T]]]]. exists p, t.
      pose proof (inBox_length _ _ P) as Lp. rewrite Le in Lp. conj_; auto.
      unfold through. rewrite <- Lp.
      rewrite firstn_app, firstn_all, Nat.sub_diag, app_nil_r.
      rewrite skipn_app, skipn_all, Nat.sub_diag. reflexivity. }
    split; [|split].
    + unfold even, step_, stepped, instead. cbn [along extents_].
      rewrite !app_length, !skipn_length, La, Le. simpl. lia.
    + intros x X. destruct (Parts x X) as [p [t [-> [Lp [P [T E]]]]]].
      rewrite E. pose proof (inBox_length _ _ T) as Lt. split.
      * rewrite Ee at 1. apply inBox_both; [exact P|].
        apply inBox_both; [|exact T]. constructor; [lia|constructor].
      * unfold placeOf, place, step_, stepped. cbn [origin along].
        apply placeFrom_moved. intro j. unfold instead, pick. cbn [flat_map].
        rewrite Nx. rewrite Ea at 1.
        rewrite !reach_app by (simpl; congruence). simpl.
        destruct (Nat.eqb r j); lia.
    + intros x z X Z E. destruct (Parts x X) as [p [t [-> [Lp [P [T Ex]]]]]].
      destruct (Parts z Z) as [p' [t' [-> [Lp' [P' [T' Ez]]]]]].
      rewrite Ex, Ez in E. apply app_eq_parts in E as [-> E]; [|congruence].
      now injection E as ->.
Qed.

(* Views of a tensor, and views of these. *)
Inductive viewOf (t : nat) (es : list Z) : view Z -> Prop :=
  | viewOf_whole : viewOf t es (wholeOf t es)
  | viewOf_step v s v' : viewOf t es v -> viewed v s = Ok v' -> viewOf t es v'.

(* Their elements are elements of the tensor, and no two are the same one. *)
Theorem view_elements t es v : viewOf t es v ->
  (forall x, inBox (extents_ v) x -> inBox es (placeOf v x)) /\
  forall x y, inBox (extents_ v) x -> inBox (extents_ v) y ->
    placeOf v x = placeOf v y -> x = y.
Proof.
  intro V. enough (K : even v /\
    (forall x, inBox (extents_ v) x -> inBox es (placeOf v x)) /\
    forall x y, inBox (extents_ v) x -> inBox (extents_ v) y ->
      placeOf v x = placeOf v y -> x = y) by apply K.
  induction V as [|v s v' V [Ev [In_ One]] S].
  - split; [apply whole_even|]. cbn [wholeOf wholeView extents_].
    assert (W : forall x, inBox es x -> placeOf (wholeOf t es) x = x).
    { intros x X. apply place_whole. now apply inBox_length. }
    split.
    + intros x X. now rewrite W.
    + intros x y X Y E. now rewrite !W in E.
  - destruct (viewed_place v s v' Ev S) as [Ev' [P I]].
    split; [exact Ev'|]. split.
    + intros x X. destruct (P x X) as [B ->]. now apply In_.
    + intros x y X Y E. destruct (P x X) as [Bx Ex]. destruct (P y Y) as [By Ey].
      apply I; auto. apply One; auto. congruence.
Qed.
