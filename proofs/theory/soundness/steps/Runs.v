(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Runs that end well, put together from their parts: tiles that are taken,
   read and written. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export Meanings.
Import ListNotations.
Open Scope Z_scope.

Lemma sub_refl d : sub_ d d.
Proof. intros t a H. exact H. Qed.
Lemma sub_trans d d' d'' : sub_ d d' -> sub_ d' d'' -> sub_ d d''.
Proof. intros A B t a H. apply B, A, H. Qed.
Lemma sub_with d t a : sub_ d (with_ d t a).
Proof. intros u b H. now left. Qed.

Lemma sound_bind {A B} k given take good (better : elements_ -> B -> Prop) d
  (r : run A) (f : A -> run B) :
  sound k given take good d r ->
  (forall d' a, sub_ d d' -> good d' a -> sound k given take better d' (f a)) ->
  sound k given take better d (bindRun r f).
Proof.
  induction 1 as [d a G|d t a r T S IH|d t a r D S IH|d t a x r S IH
                 |d t a g x r O S IH];
    intro F; simpl.
  - apply F; [apply sub_refl|exact G].
  - apply sound_take; auto.
  - apply sound_read; auto.
  - apply sound_write, IH. intros d' b U. apply F.
    eapply sub_trans; [apply sub_with|exact U].
  - apply sound_update; auto.
Qed.

Lemma sound_done {A B} k given take (better : elements_ -> B -> Prop) d
  (o : outcome A) (f : A -> run B) :
  (exists a, o = Ok a /\ sound k given take better d (f a)) ->
  sound k given take better d (bindRun (Done o) f).
Proof. intros [a [-> S]]. exact S. Qed.

Lemma sound_weaken {A} k given take (good better : elements_ -> A -> Prop) d r :
  sound k given take good d r ->
  (forall d' a, sub_ d d' -> good d' a -> better d' a) ->
  sound k given take better d r.
Proof.
  induction 1 as [d a G|d t a r T S IH|d t a r D S IH|d t a x r S IH
                 |d t a g x r O S IH];
    intro F.
  - apply sound_ok, F; [apply sub_refl|exact G].
  - apply sound_take; auto.
  - apply sound_read; auto.
  - apply sound_write, IH. intros d' b U. apply F.
    eapply sub_trans; [apply sub_with|exact U].
  - apply sound_update; auto.
Qed.

Lemma takeAll_sound {A} k given (take : elements_)
  (good : elements_ -> A -> Prop) d t ls next :
  (forall a, In (a, true) ls -> take t a) -> sound k given take good d next ->
  sound k given take good d (takeAll t ls next).
Proof.
  intros T S. induction ls as [|[a b] ls IH]; simpl; [exact S|].
  assert (R : sound k given take good d (takeAll t ls next)).
  { apply IH. intros x X. apply T. now right. }
  destruct b; [|exact R]. apply sound_take; [|exact R]. apply T. now left.
Qed.

Lemma writeAll_sound {A} k given (take : elements_)
  (good : elements_ -> A -> Prop) t ls next :
  forall xs d, length xs = length ls ->
  (forall d', sub_ d d' -> (forall a, In (a, true) ls -> d' t a) ->
              sound k given take good d' next) ->
  sound k given take good d (writeAll t ls xs next).
Proof.
  induction ls as [|[a b] ls IH]; intros [|x xs] d L N; try discriminate;
    simpl.
  - apply N; [apply sub_refl|intros a []].
  - injection L as L. destruct b.
    + apply sound_write, IH; [exact L|]. intros d' S I. apply N.
      * eapply sub_trans; [apply sub_with|exact S].
      * intros c [E|C]; [|now apply I]. injection E as <-. apply S. now right.
    + apply IH; [exact L|]. intros d' S I. apply N; [exact S|].
      intros c [E|C]; [discriminate|now apply I].
Qed.

Lemma combineAll_sound {A} k given (take : elements_)
  (good : elements_ -> A -> Prop) d t f ls next :
  isOut k t = false -> sound k given take good d next ->
  forall xs, length xs = length ls ->
  sound k given take good d (combineAll t f ls xs next).
Proof.
  intros O S. induction ls as [|[a b] ls IH]; intros [|x xs] L;
    try discriminate; simpl; [exact S|]. injection L as L.
  destruct b; [apply sound_update; auto|auto].
Qed.

Lemma lane_ok w t x : isLane t = true ->
  exists y, lane w t x = Ok y /\ laneOk w t y.
Proof.
  destruct t as [|n|]; simpl; intro L; [discriminate| |eauto].
  eexists. split; [reflexivity|]. apply wrap_fits. lia.
Qed.

Lemma pad_ok w t q : isLane t = true -> laneOk w t (padBits t q).
Proof.
  destruct t as [|n|]; simpl; intro L; [discriminate| |exact I].
  pose proof (pow_half n ltac:(lia)).
  destruct q; try (unfold fits; lia). apply wrap_fits. lia.
Qed.

(* A lane that was read has what may be read there; others have the padding. *)
Definition cameFrom (w : Z) (k : kernel) (given : initial_) (t : nat)
  (el : element) (q : Z) (a : list Z * bool) (y : Z) : Prop :=
  if snd a
  then exists x, reads_ k given t (fst a) x /\ lane w el x = Ok y
  else y = q.
Definition padOf (t : tensor) (q : option pad) : Z :=
  match q with Some q => padBits (elements t) q | None => 0 end.

Lemma readAll_sound m k given (take d : elements_) t el q ls :
  isLane el = true ->
  laneOk (width m) el q ->
  (isOut k t = true -> forall a, In (a, true) ls -> d t a) ->
  sound k given take (fun d' xs => d' = d /\ length xs = length ls /\
      Forall (laneOk (width m) el) xs /\
      Forall2 (cameFrom (width m) k given t el q) ls xs) d
    (readAll m t el q ls).
Proof.
  intros E Q D. induction ls as [|[a b] ls IH]; cbn [readAll].
  { apply sound_ok. repeat split; constructor. }
  assert (R : sound k given take (fun d' xs => d' = d /\
                length xs = length ls /\
                Forall (laneOk (width m) el) xs /\
                Forall2 (cameFrom (width m) k given t el q) ls xs) d
                (readAll m t el q ls)).
  { apply IH. intros O x X. apply D; [exact O|now right]. }
  destruct b.
  - apply sound_read. { intro O. apply D; [exact O|now left]. }
    intros x Rd. destruct (lane_ok (width m) el x E) as [y [Y F]].
    apply sound_done. exists y. split; [exact Y|].
    eapply sound_bind; [exact R|]. intros d' xs _ [-> [L [X C]]].
    apply sound_ok. simpl. repeat split; auto.
    constructor; [|exact C]. exists x. auto.
  - eapply sound_bind; [exact R|]. intros d' xs _ [-> [L [X C]]].
    apply sound_ok. simpl. repeat split; auto.
    constructor; [reflexivity|exact C].
Qed.

(* Tiles. *)

Lemma ints_length n : forall x, length (ints x n) = n.
Proof. induction n as [|n IH]; intro x; simpl; auto. Qed.

Lemma flat_map_length {A B} (f : A -> list B) n l :
  (forall x, length (f x) = n) -> length (flat_map f l) = (length l * n)%nat.
Proof.
  intro F. induction l as [|x l IH]; simpl; [reflexivity|].
  now rewrite app_length, F, IH.
Qed.

Lemma tileLanes_length es : forall is_, length is_ = length es ->
  Forall (Z.le 1) es ->
  length (tileLanes es is_) = Z.to_nat (volume es).
Proof.
  induction es as [|t es IH]; intros [|i is_] L P; try discriminate;
    [reflexivity|]. injection L as L. inversion P as [|? ? P1 P2]. subst.
  assert (V : 0 <= volume es).
  { apply volume_nonneg. eapply Forall_impl; [|exact P2]. simpl. lia. }
  cbn [tileLanes]. rewrite (flat_map_length _ (length (tileLanes es is_))).
  - rewrite ints_length, IH by assumption. unfold volume in *. simpl.
    rewrite Z2Nat.inj_mul by lia. reflexivity.
  - intro x. apply map_length.
Qed.

Lemma vectorShape_volume p :
  volume (vectorShape p) = volume (tileExtents p).
Proof.
  unfold vectorShape, tileExtents, volume.
  induction (tile p) as [|[t|] l IH]; [reflexivity| |];
    cbn [flat_map map fold_right app]; rewrite IH; lia.
Qed.

Lemma vectorShape_positive p : Forall (Z.le 1) (tileExtents p) ->
  forallb (Z.leb 1) (vectorShape p) = true.
Proof.
  unfold vectorShape, tileExtents.
  induction (tile p) as [|[t|] l IH]; [reflexivity| |]; simpl; intro F;
    inversion F as [|? ? F1 F2]; subst; [|now apply IH].
  apply andb_true_iff. split; [lia|now apply IH].
Qed.

Lemma tileExtents_length p : length (tileExtents p) = length (tile p).
Proof. apply map_length. Qed.

Lemma tileOf_length extents v p is_ el : length is_ = length (tile p) ->
  Forall (Z.le 1) (tileExtents p) ->
  length (tileOf extents v p is_) = laneCount (Type_ (vectorShape p) el).
Proof.
  intros L P. unfold tileOf, laneCount. rewrite map_length. simpl.
  rewrite vectorShape_volume. apply tileLanes_length; [|exact P].
  now rewrite tileExtents_length.
Qed.

Lemma ints_in n : forall x y, In y (ints x n) -> x <= y < x + Z.of_nat n.
Proof.
  induction n as [|n IH]; intros x y; simpl; [contradiction|].
  intros [<-|I]; [lia|]. specialize (IH _ _ I). lia.
Qed.

(* A lane of a tile that exists, if it is below the extents. *)
Lemma lane_inside : forall es ts is_ a, tileExists es ts is_ = true ->
  Forall (Z.le 1) ts -> In a (tileLanes ts is_) -> Forall2 Z.lt a es ->
  inside es a = true.
Proof.
  induction es as [|e es IH]; intros [|t ts] [|i is_] a E P I F;
    try discriminate; inversion F as [|x ? a' ? F1 F2]; subst; [reflexivity|].
  inversion P as [|? ? P1 P2]. subst. cbn [tileExists tileLanes] in *.
  rewrite !andb_true_iff in E. destruct E as [[E1 _] E].
  apply in_flat_map in I as [y [Y I]].
  apply in_map_iff in I as [b [Eq I]]. injection Eq as -> ->.
  apply ints_in in Y. cbn [inside]. rewrite (IH ts is_ a' E P2 I F2).
  assert (0 <= i * t) by (apply Z.mul_nonneg_nonneg; lia). lia.
Qed.

Lemma lands_inSite e extents s a :
  tileExists (map (eval e) (extents_ (seen s))) (tileExtents (places s))
    (map (eval e) (indices s)) = true ->
  Forall (Z.le 1) (tileExtents (places s)) ->
  lands e extents s a -> inSite e extents s a.
Proof.
  intros Ex P [I [x [-> [L F]]]]. unfold inSite, tileOf. apply in_map_iff.
  exists x. split; [|exact L]. f_equal. apply inside_inBox in I.
  rewrite I, andb_true_r. eapply lane_inside; eauto.
Qed.

(* A tile that lies inside: every lane does. *)
Lemma tile_inside : forall ts es is_ a,
  Forall2 (fun e ti => 0 <= snd ti * fst ti /\ snd ti * fst ti + fst ti <= e)
    es (combine ts is_) ->
  length is_ = length ts -> length es = length ts ->
  Forall (Z.le 1) ts ->
  In a (tileLanes ts is_) -> inside es a = true.
Proof.
  induction ts as [|t ts IH]; intros [|e es] [|i is_] a F L L' P I;
    try discriminate.
  - simpl in I. destruct I as [<-|[]]. reflexivity.
  - injection L as L. injection L' as L'.
    inversion F as [|? ? ? ? F1 F2]; subst. inversion P; subst.
    cbn [tileLanes] in I. apply in_flat_map in I as [x [X I]].
    apply in_map_iff in I as [b [<- I]]. simpl in *.
    apply ints_in in X. rewrite Z2Nat.id in X by lia.
    rewrite (IH es is_ b) by assumption. lia.
Qed.

Lemma tile_whole es p is_ :
  Forall2 (fun e ti => 0 <= snd ti * fst ti /\ snd ti * fst ti + fst ti <= e)
    es (combine (tileExtents p) is_) ->
  length is_ = length (tile p) -> length es = length (tile p) ->
  Forall (Z.le 1) (tileExtents p) ->
  forallb (inside es) (tileLanes (tileExtents p) is_) = true.
Proof.
  intros F L L' P. apply forallb_forall. intros a I.
  eapply tile_inside; eauto; rewrite tileExtents_length; assumption.
Qed.

Lemma load_sound m k l given (take d : elements_) v p is_ q extents t :
  extentsOf l (root v) = Some extents -> tensorOf k (root v) = Some t ->
  isLane (elements t) = true -> length is_ = length (tile p) ->
  Forall (Z.le 1) (tileExtents p) ->
  (q = None ->
   forallb (inside (extents_ v)) (tileLanes (tileExtents p) is_) = true) ->
  (isOut k (root v) = true ->
   forall a, In (a, true) (tileOf extents v p is_) -> d (root v) a) ->
  sound k given take (fun d' xs =>
      d' = d /\ length xs = laneCount (tileType p t) /\
      Forall (laneOk (width m) (elements t)) xs /\
      Forall2 (cameFrom (width m) k given (root v) (elements t) (padOf t q))
        (tileOf extents v p is_) xs) d
    (load m k l v p is_ q).
Proof.
  intros E T La L P Pad D. unfold load, extentsAndType. rewrite E, T. simpl.
  assert (N : length (tileOf extents v p is_) = laneCount (tileType p t)).
  { now apply tileOf_length. }
  rewrite <- N. destruct q as [q|].
  - apply readAll_sound; auto. now apply pad_ok.
  - rewrite Pad by reflexivity. apply readAll_sound; auto.
    apply (pad_ok (width m) (elements t) Zero) in La as Z0.
    destruct (elements t); simpl in *; auto.
Qed.
