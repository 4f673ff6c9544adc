(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The arithmetic of tiles: what the rows of the table of definitions mean
   (proofs/Obligation.h), coordinates of tiles, orders of blocks, and integers
   of w bits. *)

From Coq Require Import ZArith List Lia.
From Girih Require Export Rounding.
Import ListNotations.
Open Scope Z_scope.

(* The rows of the table: the facts hold of one result, and it is this. *)

Lemma quotient_facts a d q r :
  a - q * d - r = 0 /\ 0 <= r /\ 0 <= d - 1 - r /\ 0 <= q <->
  0 <= d - 1 /\ 0 <= a /\ q = a / d /\ r = a mod d.
Proof.
  split.
  - intros (E & R & D & Q).
    destruct (Z.div_mod_unique d q (a / d) r (a mod d)); try lia; try nia.
    + left. apply Z.mod_pos_bound. lia.
    + pose proof (Z.div_mod a d). lia.
  - intros (D & A & -> & ->). pose proof (Z.div_mod a d).
    pose proof (Z.mod_pos_bound a d). pose proof (Z.div_pos a d). lia.
Qed.

Lemma select_facts c a b m :
  0 <= c /\ m - a = 0 \/ 0 <= - c - 1 /\ m - b = 0 <->
  m = if 0 <=? c then a else b.
Proof. destruct (Z.leb_spec 0 c); lia. Qed.

(* The number of w bits, read as signed, that x is modulo 2^w. *)
Definition wrap w x := (x + 2 ^ (w - 1)) mod 2 ^ w - 2 ^ (w - 1).
(* How often it went around. *)
Definition wraps w x := (x + 2 ^ (w - 1)) / 2 ^ w.

Lemma pow_half w : 1 <= w -> 0 < 2 ^ (w - 1) /\ 2 ^ w = 2 * 2 ^ (w - 1).
Proof.
  intro W. split; [apply Z.pow_pos_nonneg; lia|].
  rewrite <- Z.pow_succ_r by lia. f_equal. lia.
Qed.

Lemma wrap_facts w x v k : 1 <= w ->
  x - k * 2 ^ w - v = 0 /\ 0 <= v + 2 ^ (w - 1) /\ 0 <= 2 ^ (w - 1) - 1 - v <->
  v = wrap w x /\ k = wraps w x.
Proof.
  intro W. destruct (pow_half w W) as [H ->]. unfold wrap, wraps.
  rewrite (proj2 (pow_half w W)). set (h := 2 ^ (w - 1)) in *.
  pose proof (Z.div_mod (x + h) (2 * h)).
  pose proof (Z.mod_pos_bound (x + h) (2 * h)). split.
  - intros (E & L & U).
    destruct (Z.div_mod_unique (2 * h) k ((x + h) / (2 * h)) (v + h)
                ((x + h) mod (2 * h))); lia.
  - intros [-> ->]. lia.
Qed.

Lemma name_facts x v : v - x = 0 <-> v = x.
Proof. lia. Qed.

(* Integers of w bits. *)

Definition fits w x := - 2 ^ (w - 1) <= x < 2 ^ (w - 1).

Lemma wrap_fits w x : 1 <= w -> fits w (wrap w x).
Proof.
  intro W. pose proof (proj2 (wrap_facts w x _ _ W) (conj eq_refl eq_refl)).
  unfold fits. lia.
Qed.

(* Wrapping changes nothing in range, and something outside. *)
Lemma wrap_exact w x : 1 <= w -> (wrap w x = x <-> fits w x).
Proof.
  intro W. split; intro H.
  - rewrite <- H. now apply wrap_fits.
  - symmetry. apply (wrap_facts w x x 0 W). unfold fits in H. lia.
Qed.

Lemma wrap_congruent w x : 1 <= w -> congruent (2 ^ w) x (wrap w x).
Proof.
  intro W. exists (wraps w x).
  pose proof (proj2 (wrap_facts w x _ _ W) (conj eq_refl eq_refl)). lia.
Qed.

(* Numbers wrap alike just when they are congruent. *)
Lemma wrap_equal w x y : 1 <= w ->
  (wrap w x = wrap w y <-> congruent (2 ^ w) x y).
Proof.
  intro W. split; intro H.
  - eapply congruent_trans; [now apply wrap_congruent|]. rewrite H.
    now apply congruent_sym, wrap_congruent.
  - destruct H as [k K].
    pose proof (proj2 (wrap_facts w y _ _ W) (conj eq_refl eq_refl)).
    symmetry. apply (wrap_facts w x _ (wraps w y + k) W). lia.
Qed.

(* A chain of sums and products may wrap at every step or once. *)
Lemma wrap_add w x y : 1 <= w -> wrap w (wrap w x + y) = wrap w (x + y).
Proof.
  intro W. apply wrap_equal; [exact W|].
  apply congruent_add; [|apply congruent_refl].
  now apply congruent_sym, wrap_congruent.
Qed.
Lemma wrap_mul w x y : 1 <= w -> wrap w (wrap w x * y) = wrap w (x * y).
Proof.
  intro W. apply wrap_equal; [exact W|].
  apply congruent_mul; [|apply congruent_refl].
  now apply congruent_sym, wrap_congruent.
Qed.

(* Division up, and tiles. *)

Definition ceildiv n t := n / t + (if n mod t =? 0 then 0 else 1).

Lemma ceildiv_cdiv n t : 0 < t -> ceildiv n t = cdiv n t.
Proof.
  intro T. unfold ceildiv. pose proof (Z.div_mod n t ltac:(lia)).
  pose proof (Z.mod_pos_bound n t T).
  apply cdiv_isCeil; [lia|]. unfold isCeil.
  destruct (Z.eqb_spec (n mod t) 0); nia.
Qed.

Lemma ceildiv_sum n t : 0 < t -> ceildiv n t = (n + t - 1) / t.
Proof.
  intro T. unfold ceildiv. pose proof (Z.div_mod n t ltac:(lia)).
  pose proof (Z.mod_pos_bound n t T). apply div_isFloor; [lia|].
  unfold isFloor. destruct (Z.eqb_spec (n mod t) 0); nia.
Qed.

(* A tile exists when its first element does. *)
Lemma ceildiv_lt i n t : 0 < t -> (i < ceildiv n t <-> i * t < n).
Proof.
  intro T. unfold ceildiv. pose proof (Z.div_mod n t ltac:(lia)).
  pose proof (Z.mod_pos_bound n t T).
  destruct (Z.eqb_spec (n mod t) 0); split; intro; nia.
Qed.

Lemma ceildiv_bounds n t : 0 < t ->
  (ceildiv n t - 1) * t < n <= ceildiv n t * t.
Proof.
  intro T. split; [apply ceildiv_lt; lia|].
  pose proof (ceildiv_lt (ceildiv n t) n t T). lia.
Qed.

Lemma ceildiv_nonneg n t : 0 < t -> 0 <= n -> 0 <= ceildiv n t.
Proof. intros T N. pose proof (ceildiv_bounds n t T). nia. Qed.

(* The element e lies in one tile, e / t, at e mod t. *)
Lemma tile_of t e i : 0 < t -> (i * t <= e < (i + 1) * t <-> i = e / t).
Proof.
  intro T. pose proof (Z.div_mod e t ltac:(lia)).
  pose proof (Z.mod_pos_bound e t T). split; [intro|intros ->]; nia.
Qed.

Lemma tile_at t i l : 0 <= l < t ->
  (i * t + l) / t = i /\ (i * t + l) mod t = l.
Proof.
  intro L. rewrite Z.add_comm, Z.div_add, Z.mod_add by lia.
  rewrite Z.div_small, Z.mod_small by exact L. lia.
Qed.

Lemma tiles_disjoint t i j e : 0 < t ->
  i * t <= e < (i + 1) * t -> j * t <= e < (j + 1) * t -> i = j.
Proof. intros T I J. apply tile_of in I, J; congruence. Qed.

(* Every element of a tensor lies in a tile that exists. *)
Lemma tile_covers n t e : 0 < t -> 0 <= e < n ->
  0 <= e / t < ceildiv n t /\ e / t * t <= e < Z.min ((e / t + 1) * t) n.
Proof.
  intros T E. pose proof (proj2 (tile_of t e _ T) eq_refl).
  rewrite ceildiv_lt by exact T. pose proof (Z.div_pos e t). lia.
Qed.

(* Orders of two axes. *)

Lemma linear2_delinear n i j : 0 <= j < n ->
  (i * n + j) / n = i /\ (i * n + j) mod n = j.
Proof. apply tile_at. Qed.

Lemma delinear2_linear m n x : 0 < n -> 0 <= x < m * n ->
  0 <= x / n < m /\ 0 <= x mod n < n /\ x / n * n + x mod n = x.
Proof.
  intros N X. pose proof (Z.div_mod x n ltac:(lia)).
  pose proof (Z.mod_pos_bound x n N). nia.
Qed.

(* Of any number of axes, the last one fastest. *)

Definition inBox (dims at_ : list Z) :=
  Forall2 (fun d x => 0 <= x < d) dims at_.
Definition volume (dims : list Z) := fold_right Z.mul 1 dims.

Fixpoint linear (dims at_ : list Z) : Z :=
  match dims, at_ with
  | _ :: dims', x :: at_' => x * volume dims' + linear dims' at_'
  | _, _ => 0
  end.
Fixpoint delinear (dims : list Z) (p : Z) : list Z :=
  match dims with
  | [] => []
  | _ :: dims' => p / volume dims' :: delinear dims' (p mod volume dims')
  end.

Lemma volume_nonneg dims : Forall (Z.le 0) dims -> 0 <= volume dims.
Proof. induction 1; simpl; nia. Qed.

Lemma inBox_volume dims at_ : inBox dims at_ -> 0 < volume dims.
Proof. induction 1; simpl; nia. Qed.

Lemma linear_bound dims at_ : inBox dims at_ ->
  0 <= linear dims at_ < volume dims.
Proof.
  induction 1 as [|d x dims at_ X B IH]; simpl; [lia|].
  apply inBox_volume in B. nia.
Qed.

Lemma delinear_linear dims at_ : inBox dims at_ ->
  delinear dims (linear dims at_) = at_.
Proof.
  induction 1 as [|d x dims at_ X B IH]; simpl; [reflexivity|].
  destruct (tile_at (volume dims) x (linear dims at_)) as [-> ->];
    [now apply linear_bound|]. now rewrite IH.
Qed.

Lemma linear_delinear dims p : Forall (Z.le 0) dims -> 0 <= p < volume dims ->
  inBox dims (delinear dims p) /\ linear dims (delinear dims p) = p.
Proof.
  intro D. revert p. induction D as [|d dims L D IH]; simpl; intros p P.
  { split; [constructor|lia]. }
  pose proof (volume_nonneg dims D).
  destruct (delinear2_linear d (volume dims) p) as (Q & R & E); [nia|exact P|].
  destruct (IH _ R) as [B ->]. split; [|exact E]. now constructor.
Qed.

(* Two elements of one box have one address only if they are one. *)
Corollary linear_injective dims a b : inBox dims a -> inBox dims b ->
  linear dims a = linear dims b -> a = b.
Proof.
  intros A B E. rewrite <- (delinear_linear dims a A), E.
  now apply delinear_linear.
Qed.

(* A persistent loop: program b of P takes every P-th of what is to do. *)
Lemma persistent P x : 0 < P -> 0 <= x ->
  exists b k, (0 <= b < P /\ 0 <= k /\ x = b + k * P) /\
  forall b' k', 0 <= b' < P -> x = b' + k' * P -> b' = b /\ k' = k.
Proof.
  intros HP X. exists (x mod P), (x / P).
  pose proof (Z.div_mod x P ltac:(lia)). pose proof (Z.mod_pos_bound x P HP).
  pose proof (Z.div_pos x P X HP). split; [lia|].
  intros b' k' B ->. rewrite Z.div_add, Z.mod_add by lia.
  rewrite Z.div_small, Z.mod_small by exact B. lia.
Qed.

(* Panels of g rows of tiles, each column by column. The last panel is as large
   as the others; what lies below the last row is skipped. *)

Definition panelRow g n p := p / (n * g) * g + p mod (n * g) mod g.
Definition panelColumn g n p := p mod (n * g) / g.
Definition panelNumber g n i j := i / g * (n * g) + (j * g + i mod g).

Lemma panel_number g n i j : 0 < g -> 0 <= j < n ->
  panelRow g n (panelNumber g n i j) = i /\
  panelColumn g n (panelNumber g n i j) = j.
Proof.
  intros G J. unfold panelRow, panelColumn, panelNumber.
  pose proof (Z.mod_pos_bound i g G). pose proof (Z.div_mod i g ltac:(lia)).
  destruct (tile_at (n * g) (i / g) (j * g + i mod g)) as [-> ->]; [nia|].
  destruct (tile_at g j (i mod g)) as [-> ->]; lia.
Qed.

Lemma panel_bijective g m n : 0 < g -> 0 <= n ->
  (forall p, 0 <= p < ceildiv m g * (n * g) ->
     0 <= panelRow g n p /\ 0 <= panelColumn g n p < n /\
     panelNumber g n (panelRow g n p) (panelColumn g n p) = p) /\
  (forall i j, 0 <= i < m -> 0 <= j < n ->
     0 <= panelNumber g n i j < ceildiv m g * (n * g)).
Proof.
  intros G N0. split.
  - intros p P. assert (N : 0 < n * g).
    { destruct (Z.eq_dec n 0) as [->|]; [lia|nia]. }
    destruct (delinear2_linear (ceildiv m g) (n * g) p N P) as (Q & R & E).
    destruct (delinear2_linear n g (p mod (n * g)) G R) as (Q' & R' & E').
    unfold panelNumber, panelRow, panelColumn.
    destruct (tile_at g (p / (n * g)) (p mod (n * g) mod g)) as [-> ->];
      [exact R'|]. nia.
  - intros i j I J. unfold panelNumber.
    destruct (tile_covers m g i G I) as [Q _].
    pose proof (Z.mod_pos_bound i g G).
    assert (C : 0 <= j * g + i mod g < n * g) by nia.
    set (w := n * g) in *. nia.
Qed.

(* Groups of g rows, the last one as small as it must be: nothing is skipped. *)

Definition groupRows g m p := Z.min g (m - p * g).
Definition groupedRow g m n p :=
  p / (g * n) * g + p mod (g * n) mod groupRows g m (p / (g * n)).
Definition groupedColumn g m n p :=
  p mod (g * n) / groupRows g m (p / (g * n)).
Definition groupedNumber g m n i j :=
  i / g * (g * n) + (j * groupRows g m (i / g) + i mod g).

Lemma groupRows_pos g m q : 0 < g -> q < ceildiv m g ->
  0 < groupRows g m q <= g.
Proof.
  intros G Q. apply ceildiv_lt in Q; [|exact G]. unfold groupRows. lia.
Qed.

Lemma grouped_number g m n i j : 0 < g -> 0 <= i < m -> 0 <= j < n ->
  0 <= groupedNumber g m n i j < m * n /\
  groupedRow g m n (groupedNumber g m n i j) = i /\
  groupedColumn g m n (groupedNumber g m n i j) = j.
Proof.
  intros G I J. unfold groupedRow, groupedColumn, groupedNumber.
  destruct (tile_covers m g i G I) as [Q _].
  pose proof (groupRows_pos g m (i / g) G (proj2 Q)) as S.
  pose proof (Z.mod_pos_bound i g G).
  pose proof (Z.div_mod i g ltac:(lia)) as E.
  assert (R : 0 <= i mod g < groupRows g m (i / g)) by (unfold groupRows; lia).
  set (s := groupRows g m (i / g)) in *.
  assert (C : 0 <= j * s + i mod g < n * s) by nia.
  destruct (tile_at (g * n) (i / g) (j * s + i mod g)) as [-> ->]; [nia|].
  fold s. destruct (tile_at s j (i mod g) R) as [-> ->].
  split; [|lia].
  assert (i / g * g + s <= m) by (subst s; unfold groupRows; lia).
  nia.
Qed.

Lemma grouped_bijective g m n p : 0 < g -> 0 <= m -> 0 <= p < m * n ->
  0 <= groupedRow g m n p < m /\ 0 <= groupedColumn g m n p < n /\
  groupedNumber g m n (groupedRow g m n p) (groupedColumn g m n p) = p.
Proof.
  intros G M P. assert (N : 0 < n) by nia.
  unfold groupedNumber, groupedRow, groupedColumn.
  pose proof (Z.div_mod p (g * n) ltac:(nia)) as E.
  pose proof (Z.mod_pos_bound p (g * n) ltac:(nia)) as R.
  set (q := p / (g * n)) in *. set (r := p mod (g * n)) in *.
  assert (Q : 0 <= q) by (apply Z.div_pos; nia).
  assert (L : q * g < m) by nia.
  pose proof (groupRows_pos g m q G (proj2 (ceildiv_lt q m g G) L)) as S.
  assert (Last : r < n * groupRows g m q) by (unfold groupRows; nia).
  set (s := groupRows g m q) in *.
  destruct (delinear2_linear n s r (proj1 S) ltac:(lia)) as (Q' & R' & E').
  destruct (tile_at g q (r mod s)) as [-> ->]; [lia|]. fold s.
  assert (q * g + s <= m) by (subst s; unfold groupRows; lia).
  repeat split; try nia.
Qed.

(* Offsets in i32. *)

Definition i32max := 2147483647.

Lemma i32_exact x : (wrap 32 x = x <-> - i32max - 1 <= x <= i32max).
Proof.
  rewrite wrap_exact by lia. unfold fits, i32max.
  change (2 ^ (32 - 1)) with 2147483648. lia.
Qed.

(* The first element of a tile, i * t: exact as long as the tensor has at most
   2^31 elements along the axis, *)
Lemma i32_tile_exact n t i : 0 < t -> n <= i32max + 1 -> 0 <= i < ceildiv n t ->
  wrap 32 (wrap 32 i * t) = i * t.
Proof.
  intros T N [L I]. apply ceildiv_lt in I; [|exact T].
  rewrite wrap_mul by lia. apply i32_exact. unfold i32max in *. nia.
Qed.

(* and wrong at one more. *)
Example i32_tile_wraps :
  let n := i32max + 2 in let i := ceildiv n 1024 - 1 in wrap 32 (i * 1024) < 0.
Proof. reflexivity. Qed.

(* Row-major addresses: exact, wrapped at each step, up to 2^31 elements. *)
Lemma i32_address_exact m n i j : 0 <= i < m -> 0 <= j < n ->
  m * n <= i32max + 1 ->
  wrap 32 (wrap 32 (i * n) + j) = i * n + j.
Proof.
  intros I J N. rewrite wrap_add by lia. apply i32_exact.
  unfold i32max in *. nia.
Qed.
