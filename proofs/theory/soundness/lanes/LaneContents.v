(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Lanes of another shape, and what is given of lanes that were read. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Import Execute.
From Girih Require Export LaneReads.
Import ListNotations.
Open Scope Z_scope.

(* Shapes side by side. *)

Lemma volume_app a b : volume (a ++ b) = volume a * volume b.
Proof.
  unfold volume. induction a as [|x a IH]; cbn [app fold_right]; [lia|].
  rewrite IH. apply Z.mul_assoc.
Qed.
Lemma volume_rev sh : volume (rev sh) = volume sh.
Proof.
  induction sh as [|d sh IH]; [reflexivity|]. simpl.
  rewrite volume_app, IH. unfold volume. simpl. lia.
Qed.
Lemma linear_app b y : forall a x, length a = length x ->
  linear (a ++ b) (x ++ y) = linear a x * volume b + linear b y.
Proof.
  induction a as [|d a IH]; intros [|i x] L; try discriminate; [reflexivity|].
  injection L as L. cbn [app linear]. rewrite IH, volume_app by exact L. lia.
Qed.
Lemma inBox_length sh at_ : inBox sh at_ -> length sh = length at_.
Proof. induction 1; simpl; congruence. Qed.
Lemma inBox_split sh at_ : inBox sh at_ -> forall j,
  inBox (firstn j sh) (firstn j at_) /\ inBox (skipn j sh) (skipn j at_).
Proof.
  induction 1 as [|d x sh at_ X I IH]; intros [|j]; simpl.
  - split; constructor.
  - split; constructor.
  - split; constructor; auto.
  - destruct (IH j). split; [now constructor|assumption].
Qed.

(* The number of a lane among others. *)
Lemma numberOfLane_eval e : forall sh p at_, length sh = length at_ ->
  eval e (numberOfLane p sh at_) =
    eval e p * volume sh + linear sh (map (eval e) at_).
Proof.
  induction sh as [|d sh IH]; intros p [|x at_] L; try discriminate.
  - simpl. lia.
  - injection L as L. cbn [numberOfLane map linear].
    rewrite IH, add_eval, mul_eval, constant_eval by exact L.
    unfold volume. simpl. fold (volume sh). lia.
Qed.
Lemma numberOfLane_below b : forall sh p at_, below_ b p ->
  Forall (below_ b) at_ -> below_ b (numberOfLane p sh at_).
Proof.
  induction sh as [|d sh IH]; intros p [|x at_] P F; try exact P.
  inversion F. subst. cbn [numberOfLane]. apply IH; auto with bounded.
Qed.

(* Axes of a tile. *)
Lemma tiledAxes_eval e : forall tile es is_ at_,
  tiledAxes tile (map (eval e) es) (map (eval e) is_) (map (eval e) at_) =
  map (fun a => let '(x, (i, (t, y))) := a in
         (eval e x, (eval e i, (t, eval e y)))) (tiledAxes tile es is_ at_).
Proof.
  induction tile as [|[t|] tile IH]; intros [|x es] [|i is_] [|y at_];
    try reflexivity; cbn [map tiledAxes].
  - f_equal. apply IH.
  - apply (IH es is_ []).
  - apply (IH es is_ (y :: at_)).
Qed.

(* Where a condition is false one of these ways holds. *)
Lemma waysOf_may e c : may e (negated c) -> holds e (waysOf c).
Proof.
  intro M. unfold waysOf.
  assert (T : holds e [[]]) by (apply Exists_cons_hd; constructor).
  destruct (alternatives (negated c)) as [f|] eqn:A; [|exact T].
  destruct (_ <=? _)%nat; [|exact T]. now apply alternatives_may with
    (negated c).
Qed.

Section Given.

Context (w : Z) (k : kernel) (h : header) (l : launch) (given : initial_).
Context (keepsIt : keepsGivens k l given = true).

(* What is there at the start keeps what is given. *)
Lemma contents_kept number t es a : tensorOf k number = Some t ->
  extentsOf l number = Some es -> inBox es a ->
  keptIn l number (asNumber (elements t) (given number a)).
Proof.
  intros T E I c C. unfold keepsGivens in keepsIt.
  rewrite forallb_forall in keepsIt. specialize (keepsIt _ C).
  cbn [fst snd] in keepsIt. rewrite T, E in keepsIt.
  change (keepsContent es (elementOf given t number) c = true) in keepsIt.
  change (asNumber _ _) with (elementOf given t number a).
  destruct c as [low high| |last|]; cbn [keepsContent keptBy] in *; auto.
  - rewrite forallb_forall in keepsIt. apply allElements_spec in I.
    specialize (keepsIt _ I). lia.
  - destruct es as [|n [|]]; try discriminate.
    inversion I as [|? x ? a' X Y]; subst. inversion Y; subst.
    rewrite !andb_true_iff in keepsIt. destruct keepsIt as [[[K1 K2] K3] K4].
    apply Z.eqb_eq in K3, K4. pose proof (ascends_order _ _ K2) as A.
    pose proof (A 0 x ltac:(lia) ltac:(lia)).
    pose proof (A x (n - 1) ltac:(lia) ltac:(lia)). lia.
Qed.

(* So do lanes that were read, but for the padding. *)
Lemma givenOfLane_holds e number ways q p c : launched w k h l e ->
  In c (promisesOf (givenPolys h) number) ->
  keptIn l number (eval e p) \/ eval e p = q /\ holds e ways ->
  Forall (holds e) (givenOfLane ways q p c).
Proof.
  intros L I Or.
  assert (Ways : forall a, (keptIn l number (eval e p) ->
              Forall (holdsAtom e) a) ->
            holds e (map (fun way => way ++ [Atom true (plus p (- q))]) ways ++
                     [a])).
  { intros a K. apply Exists_app. destruct Or as [Or|[Z H]].
    - right. apply Exists_cons_hd. auto.
    - left. unfold holds in H. rewrite Exists_exists in *.
      destruct H as [way [J F]]. exists (way ++ [Atom true (plus p (- q))]).
      split;
        [now apply (in_map (fun way => way ++ [Atom true (plus p (- q))]))|].
      apply Forall_app. split; [exact F|]. apply atom_eq. rewrite plus_eval.
      lia. }
  unfold promisesOf in I. apply in_map_iff in I as [[n c'] [Eq I]].
  cbn [snd] in Eq. subst c'. apply filter_In in I as [I N].
  apply Nat.eqb_eq in N. cbn [fst] in N. subst n.
  apply (in_map (fun p => (fst p, mapContent (eval e) (snd p)))) in I.
  rewrite (areGivens _ _ _ _ _ L) in I. cbn [fst snd] in I.
  destruct c as [low high| |last|]; cbn [givenOfLane]; auto;
    (constructor; [|constructor]); apply Ways; intro K; specialize (K _ I);
    cbn [mapContent keptBy] in K;
    repeat constructor; unfold holdsAtom; simpl equality; cbv iota;
    cbn [Cert.body]; rewrite ?sub_eval, ?plus_eval; lia.
Qed.

End Given.

Section Recast.

Context (w : Z) (k : kernel) (h : header) (l : launch)
  (given : initial_) (ids : list Z) (e0 : values) (from0 : Poly.var).
Context (n : names) (env : Sem.env) (d : elements_).

Notation here := (at_step w k h l given ids e0 from0).

Lemma alongAxes_sound : forall sh p s out s' e,
  alongAxes sh p s = Some (out, s') -> here s e n env d ->
  Forall discharged (vcs s') -> below_ (next s) p -> Forall (Z.le 1) sh ->
  0 <= eval e p < volume sh ->
  exists e', agrees (next s) e e' /\ here s' e' n env d /\
    Forall (below_ (next s')) out /\
    inBox (rev sh) (map (eval e') out) /\
    linear (rev sh) (map (eval e') out) = eval e p.
Proof.
  induction sh as [|x sh IH]; intros p s out s' e H A P B Pos V;
    cbn [alongAxes] in H.
  - injection H as <- <-. exists e. unfold volume in V. simpl in *.
    conj; auto using agrees_refl; [constructor|lia].
  - apply andThen_inv in H as [[q r] [s1 [H1 H]]].
    apply andThen_inv in H as [out' [s2 [H2 H]]]. injection H as <- <-.
    inversion Pos as [|? ? X1 Pos']. subst.
    assert (Vs : 0 < volume sh).
    { clear - Pos'. unfold volume. induction Pos'; simpl; nia. }
    change (volume (x :: sh)) with (x * volume sh) in V.
    assert (G2 : grows s1 s2).
    { eapply alongAxes_tame; [exact H2|].
      assert (Ta : tame (if x =? 1 then ret (p, [])
         else if volume sh =? 1 then ret ([], p)
         else let* _ := emit IndexDivision p true in divide p (constant x)))
        by (destruct (x =? 1); [auto with tame|];
            destruct (volume sh =? 1); [auto with tame|];
            apply tame_then; [apply emit_tame|intro; apply divide_tame]).
      apply (Ta _ _ _ H1), A. }
    assert (One : exists e1, agrees (next s) e e1 /\ here s1 e1 n env d /\
      below_ (next s1) q /\ below_ (next s1) r /\
      0 <= eval e1 q < volume sh /\ 0 <= eval e1 r < x /\
      eval e1 q * x + eval e1 r = eval e p /\
      (next s <= next s1)%positive).
    { destruct (Z.eqb_spec x 1) as [->|N1].
      { injection H1 as <- <- <-. exists e.
        conj; auto using agrees_refl, nil_below; simpl; lia. }
      destruct (Z.eqb_spec (volume sh) 1) as [E1|N2].
      { injection H1 as <- <- <-. exists e. rewrite E1 in *.
        conj; auto using agrees_refl, nil_below; simpl; lia. }
      apply andThen_inv in H1 as [u [sa [Ha Hb]]].
      pose proof A as [O T L Id Fr Be Hh N V' Lk].
      destruct (emit_tame _ _ _ _ _ _ Ha O) as [Oa Ga].
      destruct (divide_tame _ _ _ _ _ Hb Oa) as [Ob Gb].
      pose proof (grows_discharged _ _ G2 P) as P1.
      pose proof (grows_discharged _ _ Gb P1) as Pa.
      destruct (emit_true _ _ _ _ _ _ e Ha Pa T) as [_ Ta].
      destruct (divide_true _ _ _ _ _ _ e Hb Oa Ta)
        as [e1 [Ag [Tb [Eq Er]]]]; [rewrite constant_eval; lia|lia|].
      rewrite constant_eval in Eq, Er.
      pose proof (growsNext _ _ Ga) as La. pose proof (growsNext _ _ Gb) as Lb.
      destruct (divide_bound _ _ _ _ _ _ Hb Oa) as [Bq Br];
        [now apply below_le with (next s)|].
      exists e1. pose proof (Z.div_mod (eval e p) x ltac:(lia)).
      pose proof (Z.mod_pos_bound (eval e p) x ltac:(lia)).
      conj; auto; try lia.
      - apply agrees_le with (next sa); auto.
      - apply (at_later w k h l given ids e0 from0 s s1 e e1 n env d A
          (grows_trans _ _ _ Ga Gb) Ob Tb).
        + apply agrees_le with (next sa); auto.
        + rewrite (keep_divide (part := looks) _ _ _ _ _ Hb).
          apply (keep_emit (part := looks) _ _ _ _ _ _ Ha).
      - rewrite Eq. apply Z.div_pos; lia.
      - rewrite Eq. apply Z.div_lt_upper_bound; lia. }
    destruct One as [e1 [Ag [A1 [Bq [Br [Vq [Vr [E Le]]]]]]]].
    destruct (IH q s1 out' s2 e1 H2 A1 P Bq Pos' Vq)
      as [e2 [Ag2 [A2 [B2 [I2 L2]]]]].
    exists e2. assert (Er : eval e2 r = eval e1 r).
    { symmetry. now apply agrees_eval with (next s1). }
    conj; auto.
    + now apply agrees_trans with (next s1) e1.
    + apply Forall_app. split; [exact B2|]. constructor; [|constructor].
      apply below_le with (next s1); [apply G2|exact Br].
    + simpl. rewrite map_app. apply Forall2_app; [exact I2|].
      constructor; [lia|constructor].
    + simpl. rewrite map_app, linear_app by now apply inBox_length.
      rewrite L2. simpl. lia.
Qed.

Lemma recast_sound : forall fuel from to at_ s out s' e,
  recast fuel from to at_ s = Some (out, s') -> here s e n env d ->
  Forall discharged (vcs s') -> Forall (below_ (next s)) at_ ->
  Forall (Z.le 1) from -> inBox to (map (eval e) at_) ->
  exists e', agrees (next s) e e' /\ here s' e' n env d /\
    Forall (below_ (next s')) out /\ volume from = volume to /\
    inBox from (map (eval e') out) /\
    linear from (map (eval e') out) = linear to (map (eval e) at_).
Proof.
  induction fuel as [|fuel IH]; intros from to at_ s out s' e H A P B Pos I;
    [discriminate|]. cbn [recast] in H.
  assert (Or : from = [] /\ to = [] /\ out = [] /\ s' = s \/
    (let (i, j) := together (length from + length to) 1 1 from to 0 0 in
     let* _ := check (volume (firstn i from) =? volume (firstn j to)) in
     let* xs := alongAxes (rev (firstn i from))
                  (numberOfLane [] (firstn j to) (firstn j at_)) in
     let* ys := recast fuel (skipn i from) (skipn j to) (skipn j at_) in
     ret (xs ++ ys)) s = Some (out, s')).
  { destruct from, to; auto. left. injection H as <- <-. auto. }
  clear H. destruct Or as [[-> [-> [-> ->]]]|H].
  { exists e. conj; auto using agrees_refl. constructor. }
  destruct (together _ _ _ _ _ _ _) as [i j].
  apply andThen_inv in H as [u [s0 [H0 H]]]. unfold check in H0.
  destruct (Z.eqb_spec (volume (firstn i from)) (volume (firstn j to)))
    as [Ev|]; [|discriminate]. injection H0 as _ <-.
  apply andThen_inv in H as [xs [s1 [H1 H]]].
  apply andThen_inv in H as [ys [s2 [H2 H]]]. injection H as <- <-.
  destruct (alongAxes_tame _ _ _ _ _ H1) as [O1 G1]; [apply A|].
  destruct (recast_tame _ _ _ _ _ _ _ H2 O1) as [O2 G2].
  destruct (inBox_split _ _ I j) as [I1 I2].
  rewrite firstn_map in I1. rewrite skipn_map in I2.
  rewrite <- (firstn_skipn i from) in Pos. apply Forall_app in Pos as [Q1 Q2].
  rewrite <- (firstn_skipn j at_) in B. apply Forall_app in B as [B1 B2].
  pose proof (inBox_length _ _ I1) as L1. rewrite map_length in L1.
  assert (En : eval e (numberOfLane [] (firstn j to) (firstn j at_)) =
            linear (firstn j to) (map (eval e) (firstn j at_))).
  { rewrite numberOfLane_eval by exact L1. simpl. lia. }
  destruct (alongAxes_sound _ _ s xs s1 e H1 A (grows_discharged _ _ G2 P))
    as [e1 [Ag1 [A1 [X1 [X2 X3]]]]].
  { apply numberOfLane_below; auto using nil_below. }
  { now apply Forall_rev. }
  { rewrite En, volume_rev, Ev. now apply linear_bound. }
  rewrite rev_involutive in X2, X3.
  pose proof (growsNext _ _ G1) as N1. pose proof (growsNext _ _ G2) as N2.
  assert (E1 : map (eval e1) (skipn j at_) = map (eval e) (skipn j at_)).
  { symmetry. now apply map_agrees with (next s). }
  destruct (IH _ _ _ s1 ys s2 e1 H2 A1 P) as [e2 [Ag2 [A2 [Y1 [Yv [Y2 Y3]]]]]].
  { eapply Forall_impl; [|exact B2]. intro q. now apply below_le. }
  { exact Q2. }
  { now rewrite E1. }
  assert (E2 : map (eval e2) xs = map (eval e1) xs).
  { symmetry. now apply map_agrees with (next s1). }
  exists e2. conj; auto.
  - now apply agrees_trans with (next s1) e1.
  - apply Forall_app. split; [|exact Y1]. eapply Forall_impl; [|exact X1].
    intro q. now apply below_le.
  - rewrite <- (firstn_skipn i from), <- (firstn_skipn j to), !volume_app.
    congruence.
  - rewrite <- (firstn_skipn i from), map_app, E2. now apply Forall2_app.
  - rewrite <- (firstn_skipn i from), <- (firstn_skipn j to),
      <- (firstn_skipn j at_), !map_app, E2.
    rewrite !linear_app by (first [now apply inBox_length|
      now rewrite map_length]).
    rewrite X3, En, Y3, Yv, E1. reflexivity.
Qed.

(* What lanes were read from is noted. *)
Lemma noteLoaded_step s e r f t mm xs :
  here s e (bindName n r (Val t mm)) (set_ env r xs) d ->
  (isInteger (scalarType (lanes t)) = true -> isScalar t = false ->
   loadedLanes l (entries n) env f (lanes t) (shape t) xs) ->
  here s e (noteLoaded (bindName n r (Val t mm)) r f) (set_ env r xs) d.
Proof.
  intros A K. unfold noteLoaded. cbn [bindName entries].
  rewrite PositiveMap.gss.
  destruct (_ && negb (existsb _ _)) eqn:C; [|exact A].
  rewrite !andb_true_iff, !negb_true_iff in C. destruct C as [[C1 C2] C3].
  destruct A as [O T L Id Fr Be Hh N [V1 [V2 [V3 V4]]] Lks]. split; auto.
  split; [exact V1|]. split; [exact V2|]. split; [exact V3|].
  intros u g [J|J]; [|exact (V4 u g J)]. injection J as <- <-.
  exists t, mm, xs. split; [apply PositiveMap.gss|].
  split; [apply PositiveMap.gss|]. apply loadedLanes_other; auto.
Qed.

End Recast.

Lemma Forall2_nth {A B} (P : A -> B -> Prop) a b ls xs : Forall2 P ls xs ->
  forall j, (j < length ls)%nat -> P (nth j ls a) (nth j xs b).
Proof.
  induction 1 as [|x y ls xs H F IH]; intros [|j] J; simpl in *; try lia; auto.
  apply IH. lia.
Qed.
