(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   What is read of a lane is its value, whatever the lane. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export LaneValues.
Import ListNotations.
Open Scope Z_scope.

Section Reads.

Context (w : Z) (k : kernel) (h : header) (l : launch) (m : machine)
  (given : initial_) (ids : list Z) (e0 : values) (from : Poly.var).
Context (isWidth_ : width m = w) (inGrid : inBox (gridOf l) ids).
Context (n : names) (env : Sem.env) (d : elements_).

Notation at_step := (at_step w k h l given ids e0 from).

Lemma wide s e n0 env0 : at_step s e n0 env0 d -> bits h = w /\ 8 <= w <= 64.
Proof.
  intros [O T L Id Fr Be H N V Lks].
  split; [apply (isWidth _ _ _ _ _ L)|apply (isWide _ _ _ _ _ L)].
Qed.

Lemma nth_repeated (x : Z) : forall q j, (j < q)%nat ->
  nth j (repeat x q) 0 = x.
Proof.
  induction q as [|q IH]; intros [|j] J; simpl; try lia. apply IH. lia.
Qed.

(* The lane of a value at a place. *)
Definition laneValue (v : Syntax.var) (at_ : list Z) : Z :=
  match PositiveMap.find v (entries n), get env v with
  | Some (Val t _), Ok xs => laneOf (shape t) xs at_
  | _, _ => 0
  end.
(* Where there is one. *)
Definition hasLane (v : Syntax.var) (at_ : list Z) : Prop :=
  forall t mm, PositiveMap.find v (entries n) = Some (Val t mm) ->
  isScalar t = false -> inBox (shape t) at_.

Definition laneMeans (s : scope) (e : values) (v : Syntax.var)
  (at_ : list Z) (t : type) (mm : meaning) : Prop :=
  (exists tv mv, PositiveMap.find v (entries n) = Some (Val tv mv) /\
     t = scalarType (lanes tv)) /\
  means w e t mm [laneValue v at_] /\ boundMeaning (next s) mm.

Definition recalledOk (s : scope) (e : values) (r : reading) : Prop :=
  Forall (fun k => Forall (below_ (next s)) (snd (fst k)) /\
            below_ (next s) (snd k) /\
            eval e (snd k) =
              laneValue (fst (fst k)) (map (eval e) (snd (fst k))))
    (recalled r).

Lemma recalledOk_later s s' e e' r : agrees (next s) e e' ->
  (next s <= next s')%positive -> recalledOk s e r -> recalledOk s' e' r.
Proof.
  intros A L R. eapply Forall_impl; [|exact R].
  intros [[v at_] p] [B [P V]]. simpl in *. split; [|split].
  - eapply Forall_impl; [|exact B]. intro q. now apply below_le.
  - now apply below_le with (next s).
  - now rewrite <- (agrees_eval _ _ _ _ A P), <- (map_agrees _ _ _ _ A B).
Qed.

Lemma laneMeans_later s s' e e' v at_ t mm : agrees (next s) e e' ->
  (next s <= next s')%positive -> laneMeans s e v at_ t mm ->
  laneMeans s' e' v at_ t mm.
Proof.
  intros A L [F [M B]]. split; [exact F|]. split.
  - now apply means_agrees with (next s) e.
  - destruct mm as [p|c|]; simpl in *; auto.
    + now apply below_le with (next s).
    + now apply boundCond_le with (next s).
Qed.

(* A read is sound when it gives the lane. *)
Definition soundRead (read : Syntax.var -> list poly -> reading ->
  gen (type * meaning * reading)) : Prop :=
  forall v at_ r s t mm r' s' e, read v at_ r s = Some ((t, mm, r'), s') ->
  at_step s e n env d -> Forall discharged (vcs s') ->
  Forall (below_ (next s)) at_ -> recalledOk s e r ->
  hasLane v (map (eval e) at_) ->
  exists e', agrees (next s) e e' /\ at_step s' e' n env d /\ grows s s' /\
    laneMeans s' e' v (map (eval e) at_) t mm /\ recalledOk s' e' r'.

Lemma readAt_sound read : soundRead read ->
  (forall v at_ r, tame (read v at_ r)) ->
  forall vs at_ r s ls r' s' e, readAt read vs at_ r s = Some ((ls, r'), s') ->
  at_step s e n env d -> Forall discharged (vcs s') ->
  Forall (below_ (next s)) at_ -> recalledOk s e r ->
  (forall v, In v vs -> hasLane v (map (eval e) at_)) ->
  exists e', agrees (next s) e e' /\ at_step s' e' n env d /\ grows s s' /\
    Forall (fun x => laneMeans s' e' (fst x) (map (eval e) at_) (fst (snd x))
                       (snd (snd x))) ls /\
    map fst ls = vs /\ recalledOk s' e' r'.
Proof.
  intros R Ta. induction vs as [|v vs IH]; intros at_ r s ls r' s' e H A P B Rc
    Hl; cbn [readAt] in H.
  - injection H as <- <- <-. exists e.
    conj; auto using agrees_refl, grows_refl.
  - apply andThen_inv in H as [[[t mm] r1] [s1 [H1 H]]].
    apply andThen_inv in H as [[ls1 r2] [s2 [H2 H]]].
    injection H as <- <- <-.
    assert (O : orderly s) by apply A.
    destruct (Ta _ _ _ _ _ _ H1 O) as [O1 G1].
    destruct (readAt_tame read vs at_ Ta _ _ _ _ H2 O1) as [O2 G2].
    destruct (R v at_ r s t mm r1 s1 e H1 A (grows_discharged _ _ G2 P) B Rc)
      as [e1 [Ag1 [A1 [_ [M1 Rc1]]]]]; [apply Hl; now left|].
    assert (E : map (eval e) at_ = map (eval e1) at_)
      by now apply map_agrees with (next s).
    pose proof (growsNext _ _ G1). pose proof (growsNext _ _ G2).
    destruct (IH at_ r1 s1 ls1 r2 s2 e1 H2 A1 P) as [e2 [Ag2 [A2 [_ [M2 [N2
      Rc2]]]]]].
    { eapply Forall_impl; [|exact B]. intro q. now apply below_le. }
    { exact Rc1. }
    { intros u U. rewrite <- E. apply Hl. now right. }
    exists e2. conj; auto.
    + now apply agrees_trans with (next s1) e1.
    + now apply grows_trans with s1.
    + constructor.
      * simpl. now apply laneMeans_later with s1 e1.
      * now rewrite E.
    + simpl. now rewrite N2.
Qed.

(* Values in the place of the lanes. *)
Lemma bindLanes_described s e at_ : forall ls n0 env0,
  at_step s e n0 env0 d ->
  Forall (fun x => laneMeans s e (fst x) at_ (fst (snd x)) (snd (snd x))) ls ->
  exists env1, at_step s e (bindLanes n0 ls) env1 d /\
    (forall v, In v (map fst ls) -> get env1 v = Ok [laneValue v at_]) /\
    (forall v, ~ In v (map fst ls) -> get env1 v = get env0 v).
Proof.
  induction ls as [|[v [t mm]] ls IH]; intros n0 env0 A F.
  - exists env0. split; [exact A|]. split; [intros v []|auto].
  - inversion F as [|? ? [F0 [M B]] F2]. subst. cbn [fst snd] in *.
    destruct (IH (bindName n0 v (Val t mm)) (set_ env0 v [laneValue v at_]))
      as [env1 [A1 [I1 N1]]].
    + destruct A as [O T L Id Fr Be H N V Lks]. split; auto.
      * now apply bindName_bound.
      * now apply describes_value.
    + exact F2.
    + exists env1. split; [exact A1|].
      assert (Dec : forall u, In u (map fst ls) \/ ~ In u (map fst ls)).
      { intro u. destruct (in_dec Pos.eq_dec u (map fst ls)); auto. }
      split.
      * intros u [<-|I]; [|now apply I1]. destruct (Dec v) as [I|I]; [now apply
        I1|].
        rewrite N1 by exact I. unfold get, set_. now rewrite PositiveMap.gss.
      * intros u N. simpl in N. rewrite N1 by tauto. unfold set_.
        apply get_other. intros ->. tauto.
Qed.

(* The lane of what an op makes of vectors, from the lanes of these. *)

Lemma hasShape_spec es sh v : hasShape es sh v = true ->
  exists t mm, PositiveMap.find v es = Some (Val t mm) /\ shape t = sh.
Proof.
  unfold hasShape. destruct (PositiveMap.find v es) as [[t mm| |]|];
    try discriminate. intro E. apply eqAt_sound in E. eauto.
Qed.

Lemma laneValue_shape v sh at_ xs :
  hasShape (entries n) sh v = true -> get env v = Ok xs ->
  laneValue v at_ = laneOf sh xs at_.
Proof.
  intros H G. apply hasShape_spec in H as [t [mm [F <-]]]. unfold laneValue.
  now rewrite F, G.
Qed.

Lemma lane_of_op t o xs at_ env1 vs :
  evalLanes w env t o = Ok xs -> operandsFit (entries n) t o = true ->
  length xs = laneCount t -> inBox (shape t) at_ ->
  operandsOf o = Some vs ->
  (forall v, In v vs -> get env1 v = Ok [laneValue v at_]) ->
  (forall v t' mm xs', PositiveMap.find v (entries n) = Some (Val t' mm) ->
     get env v = Ok xs' -> length xs' = laneCount t') ->
  match o with
  | Binary _ _ _ | Compare _ _ _ | Syntax.Select _ _ _ | Cast _ _ _ =>
      evalOp m l ids env1 (scalarType (lanes t)) o =
      Ok [laneOf (shape t) xs at_]
  | Move f sh a => f <> Reshape ->
      laneOf (shape t) xs at_ = laneValue a (pulled 0 f sh at_)
  | Iota axis => lane w (lanes t) (nth axis at_ 0) =
      Ok (laneOf (shape t) xs at_)
  | Constant x => lane w (lanes t) x = Ok (laneOf (shape t) xs at_)
  | _ => True
  end.
Proof.
  intros E Fit Len In_ Vs Get Ty. unfold evalLanes in E.
  assert (J : (Z.to_nat (linear (shape t) at_) < length xs)%nat).
  { rewrite Len. now apply place_below. }
  destruct o as [x|xs0|nm|axis|axis|p axis|f a b|c a b|c a b|u from_ a
                |a|axis|f sh a|rl c|nm at0 operands]; try exact I;
    cbn [operandsOf] in Vs; injection Vs as <-; cbn [evalOp] in *;
    cbn [operandsFit] in Fit.
  - unfold define in E. destruct (Nat.eqb _ _); [|discriminate].
    apply collect_nth in E as [_ E]. specialize (E _ J). simpl in E.
    rewrite nth_repeated in E; [exact E|].
    unfold laneCount. now apply place_below.
  - apply andb_true_iff in Fit as [Fa Fb].
    destruct (get env a) as [xa| | |] eqn:Ga; try discriminate. simpl in E.
    destruct (get env b) as [xb| | |] eqn:Gb; try discriminate. simpl in E.
    rewrite (Get a), (Get b) by (simpl; auto). cbn [bind collect2].
    rewrite (laneValue_shape a _ at_ xa Fa Ga), (laneValue_shape b _ at_ xb Fb
      Gb).
    pose proof (collect2_nth _ _ _ _ E _ J) as Q. unfold laneOf.
    cbn [lanes scalarType]. rewrite isWidth_. simpl width in Q. now rewrite Q.
  - apply andb_true_iff in Fit as [Fa Fb].
    destruct (get env a) as [xa| | |] eqn:Ga; try discriminate. simpl in E.
    destruct (get env b) as [xb| | |] eqn:Gb; try discriminate. simpl in E.
    rewrite (Get a), (Get b) by (simpl; auto). cbn [bind collect2].
    rewrite (laneValue_shape a _ at_ xa Fa Ga), (laneValue_shape b _ at_ xb Fb
      Gb).
    pose proof (collect2_nth _ _ _ _ E _ J) as Q. unfold laneOf.
    cbv beta in Q. injection Q as Q. now rewrite Q.
  - apply andb_true_iff in Fit as [Fit Fb]. apply andb_true_iff in Fit as [Fc
    Fa].
    destruct (get env c) as [xc| | |] eqn:Gc; try discriminate. simpl in E.
    destruct (get env a) as [xa| | |] eqn:Ga; try discriminate. simpl in E.
    destruct (get env b) as [xb| | |] eqn:Gb; try discriminate. simpl in E.
    rewrite (Get c), (Get a), (Get b) by (simpl; auto). cbn [bind length repeat
      choose].
    rewrite (laneValue_shape a _ at_ xa Fa Ga), (laneValue_shape b _ at_ xb Fb
      Gb).
    pose proof (choose_nth _ _ _ _ E _ J) as Q. unfold laneOf in *. rewrite Q.
    pose proof (choose_length _ _ _ _ E) as La.
    assert (V : laneValue c at_ =
      nth (Z.to_nat (linear (shape t) at_))
        match xc with [x] => repeat x (length xa) | _ => xc end 0).
    { apply orb_true_iff in Fc as [Fc|Fc].
      - rewrite (laneValue_shape c _ at_ xc Fc Gc).
        apply hasShape_spec in Fc as [tc [mc [Fv Sc]]].
        pose proof (Ty c tc mc xc Fv Gc) as Lc. unfold laneCount in Lc.
        rewrite Sc in Lc. destruct xc as [|x [|]]; try discriminate.
        rewrite nth_repeated by lia. reflexivity.
      - rewrite (laneValue_shape c _ at_ xc Fc Gc).
        apply hasShape_spec in Fc as [tc [mc [Fv Sc]]].
        pose proof (Ty c tc mc xc Fv Gc) as Lc. unfold laneCount in *.
        rewrite Sc, <- Len in Lc. unfold laneOf.
        destruct xc as [|x [|]]; try reflexivity. simpl in Lc.
        rewrite nth_repeated by lia.
        destruct (Z.to_nat (linear (shape t) at_)); [reflexivity|lia]. }
    now rewrite V.
  - destruct (get env a) as [xa| | |] eqn:Ga; try discriminate. simpl in E.
    rewrite (Get a) by (simpl; auto). cbn [bind collect].
    rewrite (laneValue_shape a _ at_ xa Fit Ga).
    apply collect_nth in E as [_ E]. specialize (E _ J). unfold laneOf.
    cbn [lanes scalarType]. rewrite isWidth_. simpl width in E. now rewrite E.
  - unfold define in E. destruct (Nat.eqb _ _); [|discriminate].
    apply collect_nth in E as [_ E]. specialize (E _ J). simpl width in E.
    pose proof (laneOf_map (shape t) at_ (fun q => nth axis q 0) In_) as Q.
    unfold laneOf in *. now rewrite Q in E.
  - intro Re. destruct (get env a) as [xa| | |] eqn:Ga; try discriminate.
    apply andb_true_iff in Fit as [Fa Go]. simpl in E.
    destruct (_ && _); [|discriminate]. injection E as <-.
    rewrite (laneValue_shape a _ _ xa Fa Ga).
    destruct f; [| |easy]; apply (laneOf_map (shape t) at_
      (fun q => laneOf sh xa (pulled 0 _ sh q)) In_).
Qed.

(* What a read needs to know of a value. *)
Lemma value_of s e v tv mv : at_step s e n env d ->
  PositiveMap.find v (entries n) = Some (Val tv mv) ->
  exists xs, get env v = Ok xs /\ means w e tv mv xs /\
    boundMeaning (next s) mv.
Proof.
  intros [O T L Id Fr Be H N [V _]] F. destruct (V v _ F) as [xs [E M]].
  exists xs. unfold get. rewrite E. split; [reflexivity|].
  split; [exact M|]. apply (N v _ F).
Qed.

Lemma isType_one t : isType t = true -> isType (scalarType (lanes t)) = true.
Proof.
  unfold isType. rewrite andb_true_iff. intros [_ Y]. simpl. exact Y.
Qed.

Lemma laneValue_ok s e v at_ tv mv : at_step s e n env d ->
  PositiveMap.find v (entries n) = Some (Val tv mv) ->
  isType tv = true /\ laneOk w (lanes tv) (laneValue v at_).
Proof.
  intros A F. destruct (value_of s e v tv mv A F) as [xs [G [[Y [L [Fo _]]]
    _]]].
  split; [exact Y|]. unfold laneValue. rewrite F, G.
  apply laneOf_ok; auto. destruct (wide s e n env A). lia.
Qed.

(* What is given of a value is known of the lane. *)
Lemma gives_read s s' e n0 env0 x one z : at_step s e n0 env0 d ->
  grows s s' -> orderly s' -> gives w s s' e one x (Ok [z]) ->
  looks s' = looks s ->
  exists mm e', x = Val one mm /\ agrees (next s) e e' /\
    at_step s' e' n0 env0 d /\ means w e' one mm [z] /\
    boundMeaning (next s') mm.
Proof.
  intros A G O [xs [mm [e' [-> [E [Ag [T [M B]]]]]]]] Lk. injection E as <-.
  exists mm, e'. split; [reflexivity|]. split; [exact Ag|]. split; [|auto].
  now apply (at_later w k h l given ids e0 from s s' e e' n0 env0 d A G O T Ag
    Lk).
Qed.

Lemma unknown_read one z s x s' e : unknown h one s = Some (x, s') ->
  at_step s e n env d -> isScalar one = true -> isType one = true ->
  laneOk w (lanes one) z -> gives w s s' e one x (Ok [z]).
Proof.
  intros H A Sc Y L. destruct (wide s e n env A) as [W Wi].
  eapply unknown_gives; eauto; try apply A.
  rewrite (isScalar_shape one Sc). reflexivity.
Qed.

Lemma laneOp_gives n1 env1 tv o z s x s' e :
  laneOp h n1 (scalarType (lanes tv)) o s = Some (x, s') ->
  at_step s e n1 env1 d -> Forall discharged (vcs s') -> isType tv = true ->
  laneOk w (lanes tv) z ->
  match o with
  | Constant c => c = z /\
      match lanes tv with Float _ _ => False | _ => True end
  | Binary _ _ _ | Compare _ _ _ | Syntax.Select _ _ _ | Cast _ _ _ =>
      evalOp m l ids env1 (scalarType (lanes tv)) o = Ok [z]
  | _ => False
  end ->
  gives w s s' e (scalarType (lanes tv)) x (Ok [z]).
Proof.
  intros H A P Y Lz Ev. pose proof A as [O T L Id Fr Be Hh N V].
  pose proof (isWidth _ _ _ _ _ L) as W. pose proof (isWide _ _ _ _ _ L) as Wi.
  set (one := scalarType (lanes tv)) in *.
  assert (Y1 : isType one = true) by now apply isType_one.
  assert (Walk : walkOp h n1 one o s = Some (x, s') ->
            evalOp m l ids env1 one o = Ok [z] ->
            gives w s s' e one x (Ok [z])).
  { intros Hw E. rewrite <- E.
    eapply (walkOp_gives w k h l m ids isWidth_ n1 env1 d); eauto. }
  destruct o as [c|xs0|nm|axis|axis|p axis|f a b|c a b|c a b|u from_ a
                |a|axis|f sh a|rl c|nm at0 operands]; try contradiction;
    cbn [laneOp] in H.
  - destruct Ev as [-> Fl]. unfold laneOp in H.
    replace (match lanes one with
             | Index | _ => ret (Val one (if isTruth one
                then Truth (AtLeastZero (if z =? 0 then constant (-1) else []))
                else Number (constant z))) end)
      with (@ret entry (Val one (if isTruth one
                then Truth (AtLeastZero (if z =? 0 then constant (-1) else []))
                else Number (constant z)))) in H by now destruct (lanes one).
    injection H as <- <-. destruct (isTruth one) eqn:Tr.
    + assert (Lt : lanes tv = Int 1).
      { pose proof (isTruth_scalar one Tr) as E. unfold one in E.
        injection E. auto. }
      rewrite Lt in Lz. apply gives_truth; auto.
      * intro Z. simpl. destruct (Z.eqb_spec z 0); [contradiction|].
        cbn [eval]. lia.
      * intro Z. simpl. destruct (Z.eqb_spec z 0); [|contradiction].
        rewrite below_eval, constant_eval. lia.
      * intros _ Z M. simpl in M. destruct (Z.eqb_spec z 0); [|contradiction].
        rewrite constant_eval in M. lia.
      * simpl. destruct (z =? 0); auto with bounded.
    + assert (I : isInteger one = true).
      { unfold isInteger, isTruth in *. unfold one in *. simpl in *.
        destruct (lanes tv); try contradiction; simpl in *; [reflexivity|].
        now rewrite Tr. }
      eapply gives_number; eauto using agrees_refl with bounded.
      apply constant_eval.
  - destruct (lanes tv) as [|nt|] eqn:Lt; try (now apply Walk).
    unfold laneOp in H. change (lanes one) with Index in H. cbv iota in H.
    assert (Sum : forall (g : poly -> poly -> poly),
      (let* x := numberOf n1 Index a in
       let* y := numberOf n1 Index b in
       if overflows (g x y) then unknown h one
       else ret (Val one (Number (g x y)))) s = Some (x, s') ->
      divides f = false ->
      (forall p q, below_ (next s) p -> below_ (next s) q ->
         overflows (g p q) = false -> below_ (next s) (g p q) /\
         eval e (g p q) = exact f (eval e p) (eval e q)) ->
      gives w s s' e one x (Ok [z])).
    { intros g Hs Df Hg. steps.
      match goal with X : numberOf n1 Index a _ = Some (?pa, _) |- _ =>
        destruct (numberOf_inv w l e n1 env1 d V _ _ _ _ _ X)
          as [-> [Fa [Ga _]]]; rename pa into x1 end.
      match goal with X : numberOf n1 Index b _ = Some (?pb, _) |- _ =>
        destruct (numberOf_inv w l e n1 env1 d V _ _ _ _ _ X)
          as [-> [Fb [Gb _]]]; rename pb into x2 end.
      pose proof (N _ _ Fa) as Ba. pose proof (N _ _ Fb) as Bb. simpl in Ba, Bb.
      cbn [evalOp] in Ev. rewrite Ga, Gb in Ev. cbn [bind collect2] in Ev.
      destruct (evalBinary (width m) f (lanes one) (eval e x1) (eval e x2))
        as [z'| | |] eqn:Eb; try discriminate.
      cbn [bind] in Ev. injection Ev as ->.
      change (lanes one) with Index in Eb. apply index_exact in Eb as [-> [Fz
        _]].
      destruct (overflows (g x1 x2)) eqn:Ov.
      - destruct (unknown_gives w h one s _ _ e [exact f (eval e x1) (eval e
        x2)]
          ltac:(eassumption) W Wi O T) as [xs R]; auto.
        exists xs. exact R.
      - steps. destruct (Hg x1 x2 Ba Bb Ov) as [Bg Eg].
        eapply gives_number; eauto using agrees_refl. }
    destruct f; try (now apply Walk).
    + apply (Sum add); auto. intros p q Bp Bq _. split; [auto with bounded|].
      now rewrite add_eval.
    + apply (Sum sub); auto. intros p q Bp Bq _. split; [auto with bounded|].
      now rewrite sub_eval.
    + apply (Sum product_); auto. intros p q Bp Bq Ov. unfold product_ in *.
      destruct (_ || _); [discriminate|]. split; [auto with bounded|].
      now rewrite mul_eval.
  - unfold laneOp in H. destruct (lanes tv); now apply Walk.
  - unfold laneOp in H. destruct (lanes tv); now apply Walk.
  - destruct (lanes tv) as [|nt|] eqn:Lt; try (now apply Walk).
    unfold laneOp in H. change (lanes one) with Index in H. cbv iota in H.
    destruct u; [now apply Walk|].
    destruct from_ as [|b|]; try (now apply Walk). steps.
    destruct (b =? 1); steps.
    match goal with X : numberOf n1 (Int b) a _ = Some (?pa, _) |- _ =>
      destruct (numberOf_inv w l e n1 env1 d V _ _ _ _ _ X)
        as [-> [Fa [Ga _]]]; rename pa into x1 end.
    pose proof (N _ _ Fa) as Ba. simpl in Ba.
    cbn [evalOp] in Ev. rewrite Ga in Ev. cbn [bind collect] in Ev.
    unfold evalCast in Ev. change (lanes one) with Index in Ev. simpl in Ev.
    destruct (fitsb _ _); [|discriminate]. injection Ev as <-.
    eapply gives_number; eauto using agrees_refl.
Qed.

End Reads.
