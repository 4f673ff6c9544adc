(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Addresses: an element of an admitted tensor has an offset that is computed in
   machine integers without overflow, and different elements of a tensor that is
   written have different bytes. *)

From Coq Require Import ZArith String List Bool Lia Permutation.
From Girih Require Export Launch.
Import ListNotations.
Open Scope Z_scope.

(* The offset of an element from the first one, in elements. *)
Fixpoint offset (strides at_ : list Z) : Z :=
  match strides, at_ with
  | s :: strides', x :: at_' => s * x + offset strides' at_'
  | _, _ => 0
  end.

(* Row-major tensors: the offset is the place in row-major order. *)

Theorem offset_packed extents at_ :
  offset (packed extents) at_ = linear extents at_.
Proof.
  revert at_. induction extents as [|e extents IH]; intros [|x at_]; simpl;
    try reflexivity. rewrite IH. lia.
Qed.

Corollary packed_bound extents at_ : inBox extents at_ ->
  0 <= offset (packed extents) at_ < volume extents.
Proof. rewrite offset_packed. apply linear_bound. Qed.

(* Bounds. *)

Section Bounds.

Context (w bytes : Z) (Byte : 0 < bytes <= maxBytes w).

(* What a contract admits of one axis, its stride and its extent. *)
Definition admitted (a : Z * Z) : Prop :=
  0 <= fst a /\ fst a * snd a * bytes <= maxBytes w.

(* What is computed on the way: each product, and each sum after it. *)
Fixpoint partials (from : Z) (strides at_ : list Z) : list Z :=
  match strides, at_ with
  | s :: strides', x :: at_' =>
      s * x :: from + s * x :: partials (from + s * x) strides' at_'
  | _, _ => []
  end.

Lemma offset_nonneg extents strides at_ :
  Forall admitted (combine strides extents) -> inBox extents at_ ->
  0 <= offset strides at_.
Proof.
  intros A B. revert strides A.
  induction B as [|e x extents at_ X B IH]; intros [|s strides] A; simpl;
    try lia. inversion A as [|? ? [S _] A']. simpl in *.
  specialize (IH _ A'). nia.
Qed.

Definition most (rank : nat) : Z := Z.max 1 (Z.of_nat rank) * maxBytes w.

(* The bytes of an element end within as many tensors' worth as axes. *)
Lemma offset_bytes extents strides at_ :
  Forall admitted (combine strides extents) -> inBox extents at_ ->
  offset strides at_ = 0 \/
  offset strides at_ * bytes + bytes <= Z.of_nat (length extents) * maxBytes w.
Proof.
  intros A B. revert strides A.
  induction B as [|e x extents at_ X B IH]; intros [|s strides] A;
    cbn [offset]; auto.
  inversion A as [|? ? [S M] A']. cbn [fst snd] in *.
  cbn [length]. rewrite Nat2Z.inj_succ, Z.mul_succ_l.
  pose proof (offset_nonneg _ _ _ A' B).
  pose proof Byte as Y. assert (N : 0 <= Z.of_nat (length extents)) by lia.
  set (n := Z.of_nat (length extents)) in *. set (b := maxBytes w) in *.
  assert (0 <= n * b) by (apply Z.mul_nonneg_nonneg; lia).
  destruct (Z.eq_dec (s * x) 0) as [->|P].
  - destruct (IH _ A') as [->|H']; [now left|right; lia].
  - right. assert (Q : (s * x + 1) * bytes <= s * e * bytes)
      by (apply Z.mul_le_mono_nonneg_r; nia).
    destruct (IH _ A') as [->|H']; lia.
Qed.

Lemma most_least rank : bytes <= most rank /\
  Z.of_nat rank * maxBytes w <= most rank.
Proof.
  unfold most. split; [|apply Z.mul_le_mono_nonneg_r; lia].
  apply Z.le_trans with (1 * maxBytes w); [lia|].
  apply Z.mul_le_mono_nonneg_r; lia.
Qed.

Theorem offset_bound extents strides at_ :
  Forall admitted (combine strides extents) -> inBox extents at_ ->
  0 <= offset strides at_ /\
  offset strides at_ * bytes + bytes <= most (length extents).
Proof.
  intros A B. split; [eapply offset_nonneg; eauto|].
  pose proof (most_least (length extents)) as [L M].
  destruct (offset_bytes _ _ _ A B) as [->|H]; lia.
Qed.

Lemma partials_bound extents strides at_ from :
  Forall admitted (combine strides extents) -> inBox extents at_ ->
  0 <= from ->
  Forall (fun y => 0 <= y <= from + offset strides at_)
    (partials from strides at_).
Proof.
  intros A B. revert strides A from.
  induction B as [|e x extents at_ X B IH]; intros [|s strides] A from F;
    cbn [partials offset]; constructor;
    inversion A as [|? ? [S _] A']; subst; cbn [fst snd] in *;
    pose proof (offset_nonneg _ _ _ A' B);
    assert (0 <= s * x) by (apply Z.mul_nonneg_nonneg; lia);
    [lia|constructor; [lia|]].
  eapply Forall_impl; [|apply IH; [exact A'|lia]]. simpl. lia.
Qed.

(* Every number on the way to the address of each byte of an element fits, as
   long as the axes are so few: up to 65536 where addresses have 64 bits. *)
Theorem address_fits extents strides at_ byte : 1 <= w ->
  most (length extents) <= 2 ^ (w - 1) ->
  Forall admitted (combine strides extents) -> inBox extents at_ ->
  0 <= byte < bytes ->
  Forall (fun y => fits w y /\ fits w (y * bytes) /\ fits w (y * bytes + byte))
    (partials 0 strides at_).
Proof.
  intros W R A B Y. pose proof (offset_bound _ _ _ A B) as [_ H].
  pose proof (proj1 (pow_half w W)).
  eapply Forall_impl; [|exact (partials_bound _ _ _ 0 A B (Z.le_refl 0))].
  intros y L. cbv beta in L. unfold fits.
  assert (y * 1 <= y * bytes) by (apply Z.mul_le_mono_nonneg_l; lia).
  assert (y * bytes <= offset strides at_ * bytes)
    by (apply Z.mul_le_mono_nonneg_r; lia).
  lia.
Qed.

(* The offset as machines compute it, which wrap each product and sum. *)
Fixpoint machineOffset (from : Z) (strides at_ : list Z) : Z :=
  match strides, at_ with
  | s :: strides', x :: at_' =>
      machineOffset (wrap w (from + wrap w (s * x))) strides' at_'
  | _, _ => from
  end.

Lemma machineOffset_exact strides : 1 <= w -> forall at_ from,
  Forall (fits w) (partials from strides at_) ->
  machineOffset from strides at_ = from + offset strides at_.
Proof.
  intro W. induction strides as [|s strides IH]; intros [|x at_] from F;
    cbn [machineOffset offset partials] in *; try lia.
  inversion F as [|? ? P F']. inversion F' as [|? ? S F'']. subst.
  apply wrap_exact in P, S; [|exact W|exact W].
  rewrite P, S, IH by exact F''. lia.
Qed.

Theorem address_exact extents strides at_ byte : 1 <= w ->
  most (length extents) <= 2 ^ (w - 1) ->
  Forall admitted (combine strides extents) -> inBox extents at_ ->
  0 <= byte < bytes ->
  wrap w (wrap w (machineOffset 0 strides at_ * bytes) + byte) =
  offset strides at_ * bytes + byte.
Proof.
  intros W R A B Y. rewrite machineOffset_exact; [|exact W|].
  - pose proof (offset_bound _ _ _ A B) as [N H].
    assert (0 <= offset strides at_ * bytes)
      by (apply Z.mul_nonneg_nonneg; lia).
    pose proof (proj1 (pow_half w W)).
    rewrite wrap_add by exact W. apply wrap_exact; [exact W|].
    unfold fits. lia.
  - eapply Forall_impl; [|eapply address_fits; eauto]. simpl. tauto.
Qed.

End Bounds.

(* 64 bits hold the addresses of tensors of up to 65536 axes. *)
Corollary most64 rank : Z.of_nat rank <= 65536 -> most 64 rank <= 2 ^ (64 - 1).
Proof.
  intro R. unfold most. change (maxBytes 64) with (2 ^ 47).
  change (2 ^ (64 - 1)) with (65536 * 2 ^ 47).
  apply Z.mul_le_mono_nonneg_r; lia.
Qed.

(* Different elements of a tensor without overlap have different offsets. *)

(* Axes with how far two elements are apart along them. *)
Definition gaps := list (Z * Z * Z).

Definition near (g : gaps) : Prop :=
  Forall (fun a => Z.abs (snd a) <= snd (fst a) - 1) g.
Definition gap (g : gaps) : Z :=
  fold_right (fun a sum => fst (fst a) * snd a + sum) 0 g.
Definition none (g : gaps) : Prop := Forall (fun a => snd a = 0) g.

Lemma gap_permutation g h : Permutation g h -> gap g = gap h.
Proof. induction 1; simpl; lia. Qed.

(* What smaller axes add up to does not reach from one step of this axis to the
   next. *)
Lemma apart_gap g : forall reach d, 0 <= reach -> Z.abs d <= reach ->
  apart reach (map fst g) = true -> near g -> d + gap g = 0 ->
  d = 0 /\ none g.
Proof.
  induction g as [|[[s e] x] g IH]; intros reach d R D A S E.
  { split; [simpl in E; lia|constructor]. }
  cbn in A. apply andb_true_iff in A as [L A]. apply Z.ltb_lt in L.
  inversion S as [|? ? X S']. cbn in X, E. subst.
  fold (gap g) in E.
  pose proof (Z.abs_mul s x) as M. rewrite (Z.abs_eq s) in M by lia.
  assert (s * Z.abs x <= s * (e - 1)) by (apply Z.mul_le_mono_nonneg_l; lia).
  destruct (IH (reach + s * (e - 1)) (d + s * x)) as [F N]; auto; try lia.
  assert (x = 0).
  { destruct (Z.eq_dec x 0); [assumption|].
    assert (s * 1 <= s * Z.abs x) by (apply Z.mul_le_mono_nonneg_l; lia). lia. }
  subst. split; [lia|]. now constructor.
Qed.

Lemma insert_permutation a l : Permutation (insert a l) (a :: l).
Proof.
  induction l as [|b l IH]; simpl; [reflexivity|].
  destruct (fst a <=? fst b); [reflexivity|]. rewrite IH. constructor.
Qed.

Lemma sorted_permutation l : Permutation (fold_right insert [] l) l.
Proof.
  induction l as [|a l IH]; simpl; [reflexivity|].
  now rewrite insert_permutation, IH.
Qed.

(* Axes of one element are left out. *)
Definition wide (a : Z * Z) : bool := 1 <? snd a.

Lemma filter_map {A B} (f : A -> B) p l :
  filter p (map f l) = map f (filter (fun x => p (f x)) l).
Proof.
  induction l as [|x l IH]; simpl; [reflexivity|].
  destruct (p (f x)); simpl; congruence.
Qed.

Lemma filter_gap g : near g ->
  gap (filter (fun a => wide (fst a)) g) = gap g /\
  (none (filter (fun a => wide (fst a)) g) -> none g).
Proof.
  induction 1 as [|[[s e] x] g X S [IH IH']]; [easy|].
  cbn [filter fst snd] in *. change (wide (s, e)) with (1 <? e).
  destruct (Z.ltb_spec 1 e).
  - split; [simpl; congruence|]. intro N. inversion N.
    constructor; [assumption|now apply IH'].
  - assert (x = 0) as -> by lia. split; [simpl; lia|].
    constructor; [reflexivity|now apply IH'].
Qed.

Lemma noOverlap_gap g : existsb (Z.eqb 0) (map snd (map fst g)) = false ->
  noOverlap (map snd (map fst g)) (map fst (map fst g)) = true ->
  near g -> gap g = 0 -> none g.
Proof.
  intros NE O S E. unfold noOverlap in O. rewrite NE in O. simpl in O.
  replace (combine (map fst (map fst g)) (map snd (map fst g)))
    with (map fst g) in O.
  2: { clear. induction g as [|[[s e] x] g IH]; simpl; congruence. }
  change (fun a => 1 <? snd a) with wide in O. rewrite filter_map in O.
  destruct (filter_gap g S) as [F N]. apply N.
  set (h := filter (fun a => wide (fst a)) g) in *.
  destruct (Permutation_map_inv _ _ (sorted_permutation (map fst h)))
    as (h' & P & Q). rewrite P in O.
  assert (S' : near h').
  { eapply Permutation_Forall; [exact Q|]. apply Forall_forall. intros a I.
    apply filter_In in I as [I _]. revert a I. now apply Forall_forall. }
  eapply Permutation_Forall; [symmetry; exact Q|].
  apply (apart_gap h' 0 0); auto; try lia.
  rewrite <- (gap_permutation _ _ Q). lia.
Qed.

(* Of two elements. *)
Fixpoint gapsOf (strides extents a b : list Z) : gaps :=
  match strides, extents, a, b with
  | s :: strides', e :: extents', x :: a', y :: b' =>
      (s, e, x - y) :: gapsOf strides' extents' a' b'
  | _, _, _, _ => []
  end.

Lemma gapsOf_spec strides extents a b : length strides = length extents ->
  inBox extents a -> inBox extents b ->
  let g := gapsOf strides extents a b in
  map snd (map fst g) = extents /\ map fst (map fst g) = strides /\ near g /\
  gap g = offset strides a - offset strides b /\ (none g -> a = b).
Proof.
  intros L A. revert strides L b.
  induction A as [|e x extents a X A IH]; intros [|s strides] L b B;
    try discriminate; inversion B as [|? y ? b' Y B']; subst.
  - repeat split. constructor.
  - injection L as L. destruct (IH _ L _ B') as (E & S & M & G & N).
    cbn [gapsOf map fst snd offset]. rewrite E, S. repeat split.
    + constructor; [simpl; lia|exact M].
    + simpl. rewrite G. lia.
    + intro N'. inversion N' as [|? ? D N'']. simpl in D.
      f_equal; [lia|now apply N].
Qed.

Theorem offset_injective strides extents a b :
  length strides = length extents -> noOverlap extents strides = true ->
  inBox extents a -> inBox extents b ->
  offset strides a = offset strides b -> a = b.
Proof.
  intros L O A B E.
  destruct (gapsOf_spec _ _ _ _ L A B) as (Ex & St & S & G & N).
  apply N, noOverlap_gap; rewrite ?Ex, ?St; try assumption; [|lia].
  apply not_true_iff_false. intro X. apply existsb_exists in X as (e & I & Z0).
  apply Z.eqb_eq in Z0 as <-. clear - A I.
  induction A; destruct I; subst; auto; lia.
Qed.

(* So elements have bytes of their own. *)
Corollary bytes_disjoint bytes strides extents a b i j :
  length strides = length extents -> noOverlap extents strides = true ->
  inBox extents a -> inBox extents b -> 0 <= i < bytes -> 0 <= j < bytes ->
  offset strides a * bytes + i = offset strides b * bytes + j -> a = b /\ i = j.
Proof.
  intros L O A B I J E.
  destruct (tile_at bytes (offset strides a) i I) as [Q R].
  rewrite E in Q, R. destruct (tile_at bytes (offset strides b) j J) as [Q' R'].
  split; [eapply offset_injective; eauto|]; congruence.
Qed.

(* What a launch admits. *)

Definition stridesOf (symbols : string -> option Z) (t : tensor)
  (extents : list Z) : outcome (list Z) :=
  match strides t with
  | Some s => collect (evalDim symbols) s
  | None => Ok (packed extents)
  end.

(* A tensor that the reader of kernels lets through, of not too many axes. *)
Definition lowerable (w : Z) (t : tensor) : Prop :=
  match strides t with
  | Some s => length s = length (dims t)
  | None => True
  end /\
  0 < bytesOf (elements t) <= maxBytes w /\
  most w (length (dims t)) <= 2 ^ (w - 1).

Lemma collect_length {A B} (f : A -> outcome B) l : forall ys,
  collect f l = Ok ys -> length ys = length l.
Proof.
  induction l as [|x l IH]; simpl; intros ys E; [now injection E as <-|].
  destruct (f x); try discriminate. simpl in E.
  destruct (collect f l); try discriminate. injection E as <-.
  simpl. now rewrite IH.
Qed.

Lemma collect_nth {A B} (f : A -> outcome B) l : forall ys n x,
  collect f l = Ok ys -> nth_error l n = Some x ->
  exists y, f x = Ok y /\ nth_error ys n = Some y.
Proof.
  induction l as [|z l IH]; simpl; intros ys [|n] x E N; try discriminate;
    destruct (f z) eqn:F; try discriminate; simpl in E;
    destruct (collect f l) eqn:C; try discriminate; injection E as <-.
  - injection N as ->. eauto.
  - simpl. eapply IH; eauto.
Qed.

Lemma each_forall {A} (f : A -> bool) l :
  each (fun x => require (f x)) l = Ok tt -> Forall (fun x => f x = true) l.
Proof.
  induction l as [|x l IH]; simpl; [constructor|].
  destruct (f x) eqn:E; [|discriminate]. constructor; auto.
Qed.

Lemma packed_length extents : length (packed extents) = length extents.
Proof. induction extents; simpl; auto. Qed.

(* The strides of a tensor whose launch is admitted. *)
Lemma checkTensor_inv w symbols t extents :
  checkTensor w symbols t = Ok extents ->
  length extents = length (dims t) /\
  exists by_, stridesOf symbols t extents = Ok by_ /\
    Forall (admitted w (bytesOf (elements t))) (combine by_ extents) /\
    (isShared t = false -> noOverlap extents by_ = true).
Proof.
  unfold checkTensor.
  destruct (collect (evalDim symbols) (dims t)) as [e| | |] eqn:D;
    try discriminate. simpl. apply collect_length in D.
  destruct (each _ e) as [[]| | |]; try discriminate. simpl.
  fold (stridesOf symbols t e).
  destruct (stridesOf symbols t e) as [by_| | |] eqn:S; try discriminate. simpl.
  destruct (each _ (combine by_ e)) as [[]| | |] eqn:M; try discriminate.
  simpl. unfold require, isShared. intro E.
  assert (e = extents /\
          (mode_ t = Shared \/ noOverlap e by_ = true)) as [-> O].
  { destruct (mode_ t), (noOverlap e by_); try discriminate;
      injection E as ->; auto. }
  split; [exact D|]. exists by_. split; [exact S|]. split.
  - apply each_forall in M. eapply Forall_impl; [|exact M]. intros a H.
    apply andb_true_iff in H as [P Q]. unfold admitted. lia.
  - intro N. destruct O as [O|O]; [now rewrite O in N|exact O].
Qed.

Lemma checkTensor_spec w symbols t extents : lowerable w t ->
  checkTensor w symbols t = Ok extents ->
  exists by_, stridesOf symbols t extents = Ok by_ /\
    length extents = length (dims t) /\ length by_ = length extents /\
    Forall (admitted w (bytesOf (elements t))) (combine by_ extents) /\
    (isShared t = false -> noOverlap extents by_ = true).
Proof.
  intros [L _] C. apply checkTensor_inv in C as [D [by_ [S [A O]]]].
  exists by_. split; [exact S|]. split; [exact D|]. split; [|now split].
  unfold stridesOf in S. destruct (strides t) as [s|].
  - apply collect_length in S. congruence.
  - injection S as <-. apply packed_length.
Qed.

(* Each byte of each element of an admitted tensor has an address that machines
   compute, and that no other has if the tensor is written. *)
Theorem tensor_addresses w symbols t extents : 1 <= w -> lowerable w t ->
  checkTensor w symbols t = Ok extents ->
  let bytes := bytesOf (elements t) in
  exists by_, stridesOf symbols t extents = Ok by_ /\
  (forall a i, inBox extents a -> 0 <= i < bytes ->
     0 <= offset by_ a * bytes + i < most w (length (dims t)) /\
     wrap w (wrap w (machineOffset w 0 by_ a * bytes) + i) =
     offset by_ a * bytes + i) /\
  (isShared t = false -> forall a b i j, inBox extents a -> inBox extents b ->
     0 <= i < bytes -> 0 <= j < bytes ->
     offset by_ a * bytes + i = offset by_ b * bytes + j -> a = b /\ i = j).
Proof.
  intros W T C.
  destruct (checkTensor_spec _ _ _ _ T C) as (by_ & S & R & L & A & O).
  destruct T as (_ & B & M). rewrite <- R in *. exists by_. split; [exact S|].
  split.
  - intros a i I Y. destruct (offset_bound _ _ B _ _ _ A I) as [N H].
    pose proof (Z.mul_nonneg_nonneg _ (bytesOf (elements t)) N). split; [lia|].
    eapply address_exact; eauto.
  - intros Own a b i j. now apply bytes_disjoint; auto.
Qed.

Lemma admit_tensor w k symbols scalars l t ten :
  admit_ w k symbols scalars = Ok l -> tensorOf k t = Some ten ->
  symbolOf l = symbols /\
  exists extents, extentsOf l t = Some extents /\
    checkTensor w symbols ten = Ok extents.
Proof.
  unfold admit_, tensorOf. intros A T.
  destruct (each _ (launchSymbols k)); try discriminate. simpl in A.
  destruct (collect (checkArgument w symbols) (arguments k)) as [es| | |] eqn:C;
    try discriminate. simpl in A.
  destruct (each _ (requires k)); try discriminate. simpl in A.
  destruct (collect _ (grid k)) as [ds| | |]; try discriminate. simpl in A.
  destruct (require _); try discriminate. simpl in A.
  destruct (collect _ (givens k)); try discriminate. injection A as <-. simpl.
  destruct (nth_error (arguments k) t) as [[ten'|]|] eqn:N; try discriminate.
  injection T as ->.
  destruct (collect_nth _ _ _ _ _ C N) as (y & F & Y). simpl in F.
  destruct (checkTensor w symbols ten) as [e| | |]; try discriminate.
  injection F as <-. split; [reflexivity|]. exists e. split; [|reflexivity].
  now apply nth_error_nth.
Qed.

(* Whatever a block of an admitted launch touches has such an address. *)
Theorem block_addresses m k l ids w symbols scalars es o : 1 <= w ->
  admit_ w k symbols scalars = Ok l ->
  (forall t ten, tensorOf k t = Some ten -> lowerable w ten) ->
  follows (runBlock m k l ids) es o ->
  Forall (fun e => forall ten, tensorOf k (tensorIs e) = Some ten ->
    let bytes := bytesOf (elements ten) in
    exists extents by_, checkTensor w symbols ten = Ok extents /\
      stridesOf symbols ten extents = Ok by_ /\ inBox extents (at_ e) /\
      forall i, 0 <= i < bytes ->
        0 <= offset by_ (at_ e) * bytes + i < most w (length (dims ten)) /\
        wrap w (wrap w (machineOffset w 0 by_ (at_ e) * bytes) + i) =
        offset by_ (at_ e) * bytes + i) es.
Proof.
  intros W A Low F. eapply Forall_impl; [|eapply block_inside, F].
  intros e (extents & E & I) ten T bytes.
  destruct (admit_tensor _ _ _ _ _ _ _ A T) as (_ & extents' & E' & C).
  rewrite E in E'. injection E' as <-.
  destruct (tensor_addresses _ _ _ _ W (Low _ _ T) C) as (by_ & S & G & _).
  exists extents, by_. repeat split; auto; now apply G.
Qed.
