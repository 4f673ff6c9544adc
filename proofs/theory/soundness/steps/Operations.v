(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Each op of Syntax.v: the walk over it against its evaluation. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export Indexes BitwiseSound.
Import ListNotations.
Open Scope Z_scope.

Section Operations.

Context (w : Z) (k : kernel) (h : header) (l : launch) (m : machine)
  (ids : list Z) (isWidth_ : width m = w).
Context (n : names) (env : Sem.env) (d : elements_).

Notation gives := (gives w).
Notation indexConstants_true := (indexConstants_true w h).
Notation define_exact := (define_exact w m isWidth_).
Notation moved_lanes := (moved_lanes w).

Lemma means_integer e t mm xs : means w e t mm xs -> isInteger t = true ->
  exists x, xs = [x] /\ laneOk w (lanes t) x /\
            forall p, mm = Number p -> x = eval e p.
Proof.
  intros [Y [L [F M]]] I. pose proof (isInteger_scalar t I) as E.
  rewrite E in L. apply scalar_lanes in L as [x ->].
  inversion F as [|? ? F1 _]. subst. exists x. split; [reflexivity|].
  split; [exact F1|]. intros p ->. destruct M as [_ M]. now injection M.
Qed.

(* A value that is looked up, with what is known of it. *)
Record lookupHolds (s : scope) (e : values) (v : Syntax.var) (t : type)
  (mm : meaning) (xs : list Z) : Prop := LoadedElements
  { lookupGet : get env v = Ok xs;
    lookupMeans : means w e t mm xs;
    lookupBound : boundMeaning (next s) mm }.

Lemma valueOf_lookup e v s t mm s' : describes w l e n env d ->
  boundNames (next s) n -> valueOf n v s = Some ((t, mm), s') ->
  s' = s /\ exists xs, lookupHolds s e v t mm xs.
Proof.
  intros D B H. destruct (valueOf_inv w l e n env d D v s t mm s' H)
    as [-> [F [xs [G M]]]].
  split; [reflexivity|]. exists xs. split; auto. apply (B v _ F).
Qed.

Ltac looks :=
  repeat match goal with
  | D : describes w l ?e n env d, B : boundNames (next ?s) n,
    H : valueOf n ?v ?s = Some (?a, ?s') |- _ =>
      let t := fresh "t" in let mm := fresh "mm" in
      let xs := fresh "xs" in let L := fresh "L" in
      destruct a as [t mm];
      destruct (valueOf_lookup e v s t mm s' D B H) as [-> [xs L]]; clear H
  end.

(* Two integers, two truth values, lanes. *)

Lemma binaryOp_gives f t a b s x s' e : binaryOp h n f t a b s = Some (x, s') ->
  bits h = w -> 8 <= w <= 64 -> describes w l e n env d ->
  boundNames (next s) n -> orderly s -> true_ s e -> Forall discharged (vcs s') ->
  gives s s' e t x (do x <- get env a; do y <- get env b;
                    collect2 (evalBinary (width m) f (lanes t)) x y).
Proof.
  intros H W Wi D B O T P. rewrite isWidth_. unfold binaryOp in H. steps.
  repeat (looks; cbv beta iota in H; steps). subst.
  destruct L as [Ga Ma Ba], L0 as [Gb Mb Bb].
  rewrite Ga, Gb. cbn [bind].
  assert (Y : isType t = true) by assumption.
  destruct (isInteger t) eqn:I.
  - destruct (means_integer _ _ _ _ Ma I) as [xa [-> [La Ea]]].
    destruct (means_integer _ _ _ _ Mb I) as [xb [-> [Lb Eb]]].
    destruct mm as [pa| |]; steps. destruct mm0 as [pb| |]; steps.
    specialize (Ea pa eq_refl). specialize (Eb pb eq_refl). subst xa xb.
    cbn [collect2].
    assert (Arith : forall p z, divides f = false ->
              arithmetic h t p s = Some (x, s') -> below_ (next s) p ->
              eval e p = z -> exact f (eval e pa) (eval e pb) = z ->
              gives s s' e t x (do z <- evalBinary w f (lanes t) (eval e pa)
                (eval e pb); do zs <- Ok []; Ok (z :: zs))).
    { intros p z V A Bp Ep Ez.
      destruct (arithmetic_gives w h t p s x s' e A Y I W Wi O T P Bp)
        as [G1 G2].
      unfold evalBinary. rewrite V. cbn [andb]. rewrite Ez, <- Ep.
      destruct (lanes t) as [|nb|] eqn:Lt.
      - destruct (G1 eq_refl) as [G F]. apply fitsb_fits in F. simpl.
        rewrite F. exact G.
      - exact (G2 nb eq_refl).
      - exfalso. unfold isInteger in I. rewrite Lt, andb_false_r in I.
        discriminate. }
    assert (Sel : forall c z, divides f = false ->
              (let* p := select c pa pb in ret (Val t (Number p))) s =
                Some (x, s') ->
              (if 0 <=? eval e c then eval e pa else eval e pb) = z ->
              exact f (eval e pa) (eval e pb) = z ->
              gives s s' e t x (do z <- evalBinary w f (lanes t) (eval e pa)
                (eval e pb); do zs <- Ok []; Ok (z :: zs))).
    { intros c z V S Ec Ez. steps.
      pose proof (select_bound _ _ _ _ _ _ H0 O Ba Bb) as Bp.
      destruct (select_true _ _ _ _ _ _ e H0 O T) as [e' [A [T' Ev]]].
      rewrite Ec in Ev. unfold evalBinary. rewrite V. cbn [andb]. rewrite Ez.
      assert (Lz : laneOk w (lanes t) z).
      { rewrite <- Ec. now destruct (0 <=? eval e c). }
      rewrite lane_exact by assumption. cbn [bind].
      eapply gives_number; eauto. }
    assert (Opq : unknown h t s = Some (x, s') ->
              match f with And | Or | Xor => True | _ => False end ->
              gives s s' e t x (do z <- evalBinary w f (lanes t) (eval e pa)
                (eval e pb); do zs <- Ok []; Ok (z :: zs))).
    { intros U C. assert (V : divides f = false) by now destruct f.
      unfold evalBinary. rewrite V. cbn [andb].
      assert (Lz : exists z, lane w (lanes t)
                (exact f (eval e pa) (eval e pb)) = Ok z /\
                laneOk w (lanes t) z).
      { destruct (lanes t) as [|nb|] eqn:Lt.
        - exists (exact f (eval e pa) (eval e pb)). simpl in La, Lb |- *.
          assert (F : fits w (exact f (eval e pa) (eval e pb))).
          { apply bitwise_fits; auto. lia. }
          apply fitsb_fits in F as F'. now rewrite F'.
        - simpl. eexists. split; [reflexivity|]. apply wrap_fits.
          unfold isType, isLane in Y. rewrite Lt in Y.
          rewrite andb_true_iff, orb_true_iff in Y.
          destruct Y as [_ [Y|Y]]; [simpl in Y; lia|discriminate].
        - exfalso. unfold isInteger in I. rewrite Lt, andb_false_r in I.
          discriminate. }
      destruct Lz as [z [Ez Lz]]. rewrite Ez. cbn [bind].
      eapply unknown_gives; eauto.
      now rewrite (isInteger_scalar t I). }
    assert (Bits : logicOp h f t pa pb s = Some (x, s') -> isLogic f = true ->
              gives s s' e t x (do z <- evalBinary w f (lanes t) (eval e pa)
                (eval e pb); do zs <- Ok []; Ok (z :: zs))).
    { intros G L. assert (C : match f with And | Or | Xor => True | _ => False
        end) by now destruct f.
      unfold logicOp in G. destruct (eqElement (lanes t) Index) eqn:Ei;
        [|now apply Opq].
      apply andThen_inv in G as [r [s1 [G1 G]]]. destruct r as [p|].
      - apply ret_inv in G as [-> ->]. apply eqElement_sound in Ei.
        destruct (bitwise_true _ _ _ _ _ _ e G1 L O T P Ba Bb) as
          [e' [A [T' [Ev Bp]]]].
        assert (V : divides f = false) by now destruct f.
        unfold evalBinary. rewrite V, Ei. cbn [andb lane bind].
        rewrite Ei in La, Lb.
        assert (F : fits w (exact f (eval e pa) (eval e pb))).
        { apply bitwise_fits; auto. lia. }
        apply fitsb_fits in F as F'. rewrite F'. cbn [bind].
        eapply gives_number; eauto. now rewrite Ei.
      - apply bitwise_none in G1 as ->. now apply Opq. }
    destruct f.
    + eapply Arith; eauto with bounded. now rewrite add_eval.
    + eapply Arith; eauto with bounded. now rewrite sub_eval.
    + unfold product_ in H.
      destruct (_ || _) eqn:Big; [|eapply Arith; eauto with bounded;
                                    now rewrite mul_eval].
      (* Too large to follow. *)
      unfold arithmetic in H. change (overflows (constant (2 ^ 128))) with true
        in H. cbv iota in H. steps.
      destruct (eqElement (lanes t) Index) eqn:Ei.
      * steps. exfalso. pose proof (unknown_tame h t). tamely. emitted. lia.
      * steps. unfold evalBinary. cbn [divides andb exact].
        destruct (lanes t) as [|nb|] eqn:Lt; [discriminate| |].
        -- cbn [lane bind]. eapply unknown_gives; eauto.
           { now rewrite (isInteger_scalar t I). }
           constructor; [|constructor]. rewrite Lt. simpl. apply wrap_fits.
           unfold isType, isLane in Y. rewrite Lt in Y.
           rewrite andb_true_iff, orb_true_iff in Y.
           destruct Y as [_ [Y|Y]]; [simpl in Y; lia|discriminate].
        -- exfalso. unfold isInteger in I. rewrite Lt, andb_false_r in I.
           discriminate.
    + destruct (division_gives w Div t pa pb s x s' e H eq_refl Y I La Lb O T
        P Ba Bb) as [z [Ez G]]. rewrite Ez. exact G.
    + destruct (division_gives w Rem t pa pb s x s' e H eq_refl Y I La Lb O T
        P Ba Bb) as [z [Ez G]]. rewrite Ez. exact G.
    + destruct (division_gives w CeilDiv t pa pb s x s' e H eq_refl Y I La Lb
        O T P Ba Bb) as [z [Ez G]]. rewrite Ez. exact G.
    + eapply Sel; eauto. rewrite sub_eval. simpl. destruct (Z.leb_spec 0
        (eval e pb - eval e pa)); lia.
    + eapply Sel; eauto. rewrite sub_eval. simpl. destruct (Z.leb_spec 0
        (eval e pa - eval e pb)); lia.
    + now apply Bits.
    + now apply Bits.
    + now apply Bits.
  - steps. destruct (isTruth t) eqn:Tr.
    + destruct (means_truth w e t mm xs Ma Tr) as [xa [-> [Fa [Ya [Na Ka]]]]].
      destruct (means_truth w e t mm0 xs0 Mb Tr) as [xb [-> [Fb [Yb [Nb Kb]]]]].
      pose proof (isTruth_scalar t Tr) as Et.
      assert (Lt : lanes t = Int 1) by now rewrite Et.
      rewrite Lt. cbn [collect2].
      destruct (logic f (condOf mm) (condOf mm0)) as [c|] eqn:Lo; steps.
      * destruct (logic_gives w s' e t f (condOf mm) (condOf mm0) c xa xb Lo T
        Tr
          Fa Fb Ya Na Ka Yb Nb Kb (condOf_bound _ _ Ba) (condOf_bound _ _ Bb))
          as [z [Ez G]]. rewrite Ez. exact G.
      * destruct (divides f) eqn:V; steps.
        -- exfalso. tamely. emitted. lia.
        -- unfold evalBinary. rewrite V. cbn [andb lane bind].
           apply gives_plain; auto.
           ++ now rewrite Et.
           ++ constructor; [|constructor]. rewrite Lt. simpl. apply wrap_fits.
              lia.
    + steps. destruct Ma as [_ [La [Fa _]]]. destruct Mb as [_ [Lb [Fb _]]].
      destruct (collect2_lanes (evalBinary w f (lanes t)) (laneOk w (lanes t))
        (laneOk w (lanes t))) with (xs := xs) (ys := xs0) as [zs [Ez [Lz Fz]]];
        auto.
      * intros x y Fx Fy. unfold evalBinary.
        match goal with V : negb (divides f) = true |- _ =>
          apply negb_true_iff in V; rewrite V end.
        destruct (lanes t) as [|nb|] eqn:Lt; try discriminate.
        -- assert (F : fits w (exact f x y)).
           { simpl in Fx, Fy.
             destruct f; try discriminate;
               try (apply bitwise_fits; auto; lia); unfold fits in *; simpl;
               lia. }
           simpl. apply fitsb_fits in F as F'. rewrite F'. eauto.
        -- simpl. eexists. split; [reflexivity|]. apply wrap_fits.
           unfold isType, isLane in Y. rewrite Lt in Y.
           rewrite andb_true_iff, orb_true_iff in Y.
           destruct Y as [_ [Y|Y]]; [simpl in Y; lia|discriminate].
      * congruence.
      * rewrite Ez. apply gives_plain; auto. congruence.
Qed.

Lemma compareOp_gives c t a b s x s' e : compareOp n c t a b s = Some (x, s') ->
  describes w l e n env d ->
  boundNames (next s) n -> orderly s -> true_ s e ->
  gives s s' e t x (do x <- get env a; do y <- get env b;
                    collect2 (fun x y => Ok (ofBool (compares c x y))) x y).
Proof.
  intros H D B O T. unfold compareOp in H.
  repeat (looks; cbv beta iota in H; steps).
  destruct L as [Ga Ma Ba], L0 as [Gb Mb Bb]. rewrite Ga, Gb. cbn [bind].
  match goal with E : t0 = t1 |- _ => subst t1 end.
  match goal with E : t = _ |- _ => rename E into Et end.
  assert (Y : isType t = true) by assumption.
  assert (Plain_ : gives s s e t (Val t Plain)
            (collect2 (fun x y => Ok (ofBool (compares c x y))) xs xs0)).
  { destruct Ma as [_ [La _]]. destruct Mb as [_ [Lb _]].
    destruct (collect2_lanes (fun x y => Ok (ofBool (compares c x y)))
      (fun _ => True) (fits 1)) with (xs := xs) (ys := xs0) as [zs [Ez [Lz
        Fz]]].
    - intros x' y _ _. eexists. split; [reflexivity|]. apply truth_lane.
      destruct (compares c x' y); simpl; auto.
    - apply Forall_forall. auto.
    - apply Forall_forall. auto.
    - congruence.
    - rewrite Ez. apply gives_plain; auto.
      + rewrite Et. rewrite Lz, La. reflexivity.
      + rewrite Et. exact Fz. }
  destruct mm as [p| |]; [|steps; exact Plain_|steps; exact Plain_].
  destruct mm0 as [q| |]; steps; try exact Plain_.
  destruct Ma as [_ [_ [_ [I ->]]]]. destruct Mb as [_ [_ [_ [_ ->]]]].
  pose proof (isInteger_scalar t0 I) as Es. cbn [collect2].
  assert (Tr : isTruth t = true) by (rewrite Et, Es; reflexivity).
  simpl in Ba, Bb.
  apply gives_truth; auto.
  - apply truth_lane. destruct (compares _ _ _); simpl; auto.
  - intro Z. apply ofComparison_may. destruct (compares _ _ _);
      [reflexivity|now destruct Z].
  - intro Z. apply ofComparison_not. destruct (compares _ _ _);
      [discriminate|reflexivity].
  - intros _ Z M. apply ofComparison_may in M. rewrite M in Z. discriminate.
  - now apply ofComparison_bound.
Qed.

(* A choice between two values of one type. *)
Lemma chosen_gives c t ma mb s x s' e b xa xb :
  chosen h c t ma mb s = Some (x, s') ->
  bits h = w -> 8 <= w <= 64 -> orderly s -> true_ s e ->
  means w e t ma xa -> means w e t mb xb ->
  boundMeaning (next s) ma -> boundMeaning (next s) mb -> boundCond (next s) c
    ->
  (b <> 0 -> may e c) -> (b = 0 -> may e (negated c)) ->
  (isKnown c = true -> b = 0 -> ~ may e c) ->
  gives s s' e t x (Ok (if b =? 0 then xb else xa)).
Proof.
  intros H W Wi O T Ma Mb Ba Bb Bc Yes No Not. unfold chosen in H.
  destruct (isTruth t) eqn:Tr.
  - steps.
    destruct (means_truth w e t ma xa Ma Tr) as [ya [-> [Fa [Ya [Na Ka]]]]].
    destruct (means_truth w e t mb xb Mb Tr) as [yb [-> [Fb [Yb [Nb Kb]]]]].
    replace (if b =? 0 then [yb] else [ya]) with [if b =? 0 then yb else ya]
      by now destruct (b =? 0).
    apply condOf_bound in Ba, Bb.
    apply gives_truth; auto 8 using either_bound, both_bound, negated_bound.
    + now destruct (b =? 0).
    + intro Z. apply either_may. destruct (Z.eqb_spec b 0).
      * right. apply both_may; auto.
      * left. apply both_may; auto.
    + intro Z. apply either_not; apply both_not;
        destruct (Z.eqb_spec b 0) as [E|E]; auto. left.
      apply may_twice. auto.
    + intros K Z M. pose proof (either_known _ _ K) as [K1 K2].
      pose proof (both_known _ _ K1) as [K3 K4].
      pose proof (both_known _ _ K2) as [K5 K6].
      apply either_known_may in M as [M|M]; auto.
      * apply both_known_may in M as [M1 M2]; auto.
        destruct (Z.eqb_spec b 0) as [E|E]; [now apply (Not K3)|].
        now apply (Ka K4).
      * apply both_known_may in M as [M1 M2]; auto.
        destruct (Z.eqb_spec b 0) as [E|E]; [now apply (Kb K6)|].
        apply (may_excludes e c); auto.
  - assert (Plain_ : gives s s e t (Val t Plain)
              (Ok (if b =? 0 then xb else xa))).
    { destruct Ma as [Y [La [Fa _]]]. destruct Mb as [_ [Lb [Fb _]]].
      apply gives_plain; auto; now destruct (b =? 0). }
    destruct ma as [p| |]; [|steps; exact Plain_|steps; exact Plain_].
    destruct mb as [q| |]; steps; try exact Plain_.
    simpl in Ba, Bb.
    destruct (choice_true _ _ _ _ _ _ e H0 O T Bc Ba Bb) as [e' [A [T' C]]].
    destruct Ma as [Y [La [Fa [I ->]]]]. destruct Mb as [_ [Lb [Fb [_ ->]]]].
    replace (if b =? 0 then [eval e q] else [eval e p])
      with [if b =? 0 then eval e q else eval e p] by now destruct (b =? 0).
    assert (Lz : laneOk w (lanes t) (if b =? 0 then eval e q else eval e p)).
    { inversion Fa. inversion Fb. now destruct (b =? 0). }
    pose proof (choice_tame c p q) as Ta. tamely.
    destruct a as [r|]; steps.
    + destruct C as [K [C1 C2]].
      eapply gives_number; eauto.
      * destruct (Z.eqb_spec b 0) as [E|E]; auto.
      * eapply choice_bound; eauto.
    + eapply gives_after; [exact A|apply G|].
      eapply unknown_gives; eauto.
Qed.

Lemma choose_all b : forall xs ys : list Z, length xs = length ys ->
  choose (repeat b (length xs)) xs ys = Ok (if b =? 0 then ys else xs).
Proof.
  induction xs as [|x xs IH]; intros [|y ys] L; try discriminate.
  - now destruct (b =? 0).
  - injection L as L. simpl. rewrite IH by exact L. simpl.
    now destruct (b =? 0).
Qed.

Lemma selectOp_gives t c a b s x s' e : selectOp h n t c a b s = Some (x, s') ->
  bits h = w -> 8 <= w <= 64 -> describes w l e n env d ->
  boundNames (next s) n -> orderly s -> true_ s e ->
  gives s s' e t x (do c <- get env c; do x <- get env a; do y <- get env b;
    choose (match c with [c] => repeat c (length x) | _ => c end) x y).
Proof.
  intros H W Wi D B O T. unfold selectOp in H.
  repeat (looks; cbv beta iota in H; steps).
  destruct L as [Gc Mc Bc], L0 as [Ga Ma Ba], L1 as [Gb Mb Bb].
  rewrite Gc, Ga, Gb. cbn [bind].
  repeat match goal with E : ?x = t |- _ => subst x end.
  assert (Y : isType t = true) by assumption.
  assert (Len : length xs0 = length xs1).
  { destruct Ma as [_ [La _]]. destruct Mb as [_ [Lb _]]. congruence. }
  destruct (isTruth t0) eqn:Tc.
  - destruct (means_truth w e t0 mm xs Mc Tc) as [z [-> [Fz [Yz [Nz Kz]]]]].
    rewrite choose_all by exact Len. eapply chosen_gives; eauto.
    now apply condOf_bound.
  - steps. simpl in *.
    match goal with E : eqType t0 _ = true |- _ => apply eqType_sound in E;
      rename E into Et end.
    destruct Mc as [_ [Lc _]]. destruct Ma as [_ [La [Fa _]]].
    destruct Mb as [_ [_ [Fb _]]].
    assert (Lc' : length xs = length xs0).
    { rewrite Lc, La, Et. reflexivity. }
    assert (Lr : length (match xs with [c] => repeat c (length xs0) | _ => xs
                         end) = length xs0).
    { destruct xs as [|z [|]]; auto. apply repeat_length. }
    destruct (choose_lanes (laneOk w (lanes t)) _ xs0 xs1 Fa Fb Len Lr)
      as [zs [Ez [Lz Fz]]].
    rewrite Ez. apply gives_plain; auto. congruence.
Qed.

Lemma castOp_gives u from t a s x s' e : castOp h n u from t a s = Some (x, s')
  ->
  bits h = w -> 8 <= w <= 64 -> describes w l e n env d ->
  boundNames (next s) n -> orderly s -> true_ s e -> Forall discharged (vcs s') ->
  gives s s' e t x (do x <- get env a;
                    collect (evalCast (width m) u from (lanes t)) x).
Proof.
  intros H W Wi D B O T P. rewrite isWidth_. unfold castOp in H.
  repeat (looks; cbv beta iota in H; steps).
  destruct L as [Ga Ma Ba]. rewrite Ga. cbn [bind].
  match goal with E : t0 = _ |- _ => rename E into Et end.
  assert (Y : isType t = true) by assumption.
  match goal with E : negb u || _ = true |- _ => rename E into Wide end.
  rewrite W in *.
  destruct (isInteger t) eqn:I.
  - pose proof (isInteger_scalar t I) as Es.
    assert (S0 : t0 = scalarType from).
    { rewrite Et. rewrite Es. reflexivity. }
    pose proof (integer_width w t I Y Wi) as Width.
    assert (Gn : forall z, laneOk w (lanes t) z -> lane w (lanes t) z = Ok z).
    { intros z. now apply lane_exact. }
    destruct (eqElement from (Int 1)) eqn:E1.
    + apply eqElement_sound in E1. subst from.
      assert (Tr : isTruth t0 = true) by now rewrite S0.
      destruct (means_truth w e t0 mm xs Ma Tr) as [b [-> [Fb [Yb [Nb Kb]]]]].
      steps. pose proof (condOf_bound _ _ Ba) as Bc.
      destruct (choice_true _ _ _ _ _ _ e H0 O T Bc (constant_below _ _)
        (nil_below _)) as [e' [A [T' C]]].
      rewrite constant_eval in C. cbn [eval] in C.
      cbn [collect]. unfold evalCast.
      set (z := if b =? 0 then 0 else if u then 1 else -1).
      assert (Ez : (if u then b mod 2 ^ widthOf w (Int 1) else b) = z).
      { unfold z. apply truth_lane in Fb as [->| ->]; destruct u; reflexivity. }
      rewrite Ez.
      assert (Lz : laneOk w (lanes t) z).
      { apply laneOk_fits; [exact I|]. unfold fits, z.
        pose proof (Z.pow_le_mono_r 2 1 (widthOf w (lanes t) - 1) ltac:(lia)
          ltac:(lia)) as Pw. simpl (2 ^ 1) in Pw.
        destruct (b =? 0), u; lia. }
      rewrite Gn by exact Lz. cbn [bind].
      pose proof (choice_tame (condOf mm) (constant (if u then 1 else -1)) [])
        as Ta. tamely.
      match type of H0 with _ = Some (?o, _) => destruct o as [p|] end; steps.
      * destruct C as [K [C1 C2]]. eapply gives_number; eauto.
        -- unfold z. destruct (Z.eqb_spec b 0) as [E|E].
           ++ apply C2. now apply Kb.
           ++ rewrite C1 by auto. now destruct u.
        -- eapply choice_bound; eauto with bounded.
      * eapply gives_after; [exact A|apply G|].
        eapply unknown_gives; eauto. now rewrite Es.
    + destruct mm as [p| |]; steps.
      destruct Ma as [Y0 [_ [Fa [I0 ->]]]]. inversion Fa as [|? ? F1 _].
      subst t0.
      pose proof (integer_width w _ I0 Y0 Wi) as Wf. cbn [lanes] in Wf, F1.
      cbn [collect]. unfold evalCast. simpl in Ba.
      assert (Lf : fits (widthOf w from) (eval e p)).
      { rewrite <- (laneOk_fits w _ (eval e p) I0). exact F1. }
      destruct u.
      * steps. cbn [negb orb] in Wide. apply Z.ltb_lt in Wide.
        match goal with S : select _ _ _ _ = Some _ |- _ => rename S into Hs
          end.
        destruct (select_true _ _ _ _ _ _ e Hs O T) as [e' [A [T' Ev]]].
        rewrite plus_eval in Ev. set (wf := widthOf w from) in *.
        assert (Em : eval e p mod 2 ^ wf = if 0 <=? eval e p then eval e p
                     else eval e p + 2 ^ wf).
        { pose proof (pow_half wf ltac:(lia)). unfold fits in Lf.
          destruct (Z.leb_spec 0 (eval e p)).
          - apply Z.mod_small. lia.
          - rewrite <- (Z.mod_small (eval e p + 2 ^ wf) (2 ^ wf)) by lia.
            rewrite <- (Z.mul_1_l (2 ^ wf)) at 2.
            now rewrite Z.mod_add by lia. }
        assert (Lz : laneOk w (lanes t) (eval e p mod 2 ^ wf)).
        { apply laneOk_fits; [exact I|]. unfold fits.
          pose proof (Z.pow_le_mono_r 2 wf (widthOf w (lanes t) - 1) ltac:(lia)
            ltac:(lia)).
          pose proof (Z.mod_pos_bound (eval e p) (2 ^ wf)
            ltac:(apply Z.pow_pos_nonneg; lia)). lia. }
        rewrite Gn by exact Lz. cbn [bind].
        eapply gives_number; eauto; [congruence|].
        eapply select_bound; eauto with bounded.
      * destruct (widthOf w (lanes t) <? widthOf w from) eqn:N.
        -- destruct (arithmetic_gives w h t p s x s' e H Y I W Wi O T P Ba)
             as [G1 G2]. destruct (lanes t) as [|nt|] eqn:Lt.
           ++ destruct (G1 eq_refl) as [G F]. apply fitsb_fits in F.
              cbn [lane]. rewrite F. exact G.
           ++ exact (G2 nt eq_refl).
           ++ exfalso. unfold isInteger in I. rewrite Lt, andb_false_r in I.
              discriminate.
        -- steps. apply Z.ltb_ge in N.
           assert (Lz : laneOk w (lanes t) (eval e p)).
           { apply laneOk_fits; [exact I|]. unfold fits in *.
             pose proof (Z.pow_le_mono_r 2 (widthOf w from - 1)
               (widthOf w (lanes t) - 1) ltac:(lia) ltac:(lia)). lia. }
           rewrite Gn by exact Lz. cbn [bind].
           eapply gives_number; eauto using agrees_refl.
  - steps. destruct Ma as [Y0 [La [Fa _]]].
    destruct (collect_lanes (evalCast w u from (lanes t)) (laneOk w from)
      (laneOk w (lanes t))) with (xs := xs) as [zs [Ez [Lz Fz]]].
    + intros z Fz. unfold evalCast. destruct (lanes t) as [|nt|] eqn:Lt.
      * (* An index vector, of what is no wider. *)
        assert (Sc : isScalar t = false).
        { unfold isInteger in I. rewrite Lt, andb_true_r in I. exact I. }
        match goal with C : match from with _ => _ end = true |- _ =>
          rewrite Sc in C; rename C into Nar end.
        assert (F : fits w (if u then z mod 2 ^ widthOf w from else z)).
        { destruct u; cbn [negb orb] in Wide.
          - simpl in Wide. apply Z.ltb_lt in Wide.
            assert (P0 : 0 < 2 ^ widthOf w from).
            { destruct from; try discriminate Nar; simpl in *; try lia.
              apply Z.pow_pos_nonneg; [lia|].
              rewrite Et in Y0. unfold isType, isLane in Y0. simpl in Y0.
              rewrite andb_true_iff, orb_true_iff in Y0.
              destruct Y0 as [_ [Y0|Y0]]; [lia|discriminate]. }
            pose proof (Z.mod_pos_bound z _ P0). unfold fits.
            pose proof (Z.pow_le_mono_r 2 (widthOf w from) (w - 1)
              ltac:(lia) ltac:(lia)). lia.
          - destruct from as [|b|]; simpl in *; try discriminate Nar; auto.
            apply negb_true_iff, Z.ltb_ge in Nar. unfold fits in *.
            pose proof (Z.pow_le_mono_r 2 (b - 1) (w - 1) ltac:(lia)
              ltac:(lia)). lia. }
        simpl. apply fitsb_fits in F as F'. rewrite F'. eauto.
      * simpl. eexists. split; [reflexivity|]. apply wrap_fits.
        unfold isType, isLane in Y. rewrite Lt in Y.
        rewrite andb_true_iff, orb_true_iff in Y.
        destruct Y as [_ [Y|Y]]; [simpl in Y; lia|discriminate].
      * exfalso. destruct from; discriminate.
    + rewrite Et in Fa. exact Fa.
    + rewrite Ez. apply gives_plain; auto. rewrite Lz, La, Et. reflexivity.
Qed.

Lemma define_lanes t xs : isType t = true -> isLane (lanes t) = true ->
  length xs = laneCount t ->
  exists ys, define m t xs = Ok ys /\ length ys = laneCount t /\
             Forall (laneOk w (lanes t)) ys.
Proof.
  intros Y La Len. unfold define. rewrite Len, Nat.eqb_refl, isWidth_.
  destruct (collect_lanes (lane w (lanes t)) (fun _ => True)
    (laneOk w (lanes t))) with (xs := xs) as [ys [E [L F]]].
  - intros x _. now apply lane_ok.
  - apply Forall_forall. auto.
  - exists ys. split; [exact E|]. split; [congruence|exact F].
Qed.

Lemma define_scalar t x : isType t = true -> isInteger t = true ->
  laneOk w (lanes t) x -> define m t [x] = Ok [x].
Proof.
  intros Y I F. unfold define. rewrite isWidth_.
  rewrite (isInteger_scalar t I) at 1. simpl.
  rewrite lane_exact by assumption. reflexivity.
Qed.

Lemma constantOp_gives t c s x s' e : constantOp h t c s = Some (x, s') ->
  bits h = w -> 8 <= w <= 64 -> orderly s -> true_ s e ->
  Forall discharged (vcs s') ->
  gives s s' e t x (define m t (repeat c (laneCount t))).
Proof.
  intros H W Wi O T P. unfold constantOp in H. steps.
  assert (Y : isType t = true) by assumption.
  destruct (lanes t) as [|nt|] eqn:Lt.
  - steps.
    assert (F : fits w c /\ true_ s' e /\ next s' = next s).
    { eapply indexConstant_true; eauto. }
    destruct F as [F [T' N]].
    assert (Def : define m t (repeat c (laneCount t)) =
                  Ok (repeat c (laneCount t))).
    { unfold define. rewrite repeat_length, Nat.eqb_refl, Lt, isWidth_.
      apply fitsb_fits in F as F'.
      generalize (laneCount t). intro q. induction q as [|q IH]; [reflexivity|].
      simpl in *. rewrite IH. now rewrite F'. }
    rewrite Def. destruct (isScalar t) eqn:Sc.
    + assert (I : isInteger t = true).
      { unfold isInteger. now rewrite Sc, Lt. }
      replace (repeat c (laneCount t)) with [c]
        by now rewrite (isInteger_scalar t I).
      eapply gives_number; eauto using agrees_refl with bounded.
      * rewrite Lt. exact F.
      * apply constant_eval.
    + apply (gives_after w s s' s' e e); [apply agrees_refl|lia|].
      apply gives_plain; auto; [apply repeat_length|]. rewrite Lt.
      apply Forall_forall. intros z Z. apply repeat_spec in Z. now subst z.
  - steps. match goal with F : fitsb nt c = true |- _ =>
      apply fitsb_fits in F; rename F into Fc end.
    assert (N1 : 1 <= nt).
    { unfold isType, isLane in Y. rewrite Lt in Y.
      rewrite andb_true_iff, orb_true_iff in Y.
      destruct Y as [_ [Y|Y]]; [simpl in Y; lia|discriminate]. }
    assert (Def : define m t (repeat c (laneCount t)) =
                  Ok (repeat c (laneCount t))).
    { unfold define. rewrite repeat_length, Nat.eqb_refl, Lt.
      generalize (laneCount t). intro q. induction q as [|q IH]; [reflexivity|].
      simpl in *. rewrite IH. now rewrite (proj2 (wrap_exact nt c N1) Fc). }
    rewrite Def. destruct (isTruth t) eqn:Tr; steps.
    + pose proof (isTruth_scalar t Tr) as Et. rewrite Et in Lt.
      injection Lt as <-.
      replace (repeat c (laneCount t)) with [c] by now rewrite Et.
      apply gives_truth; auto.
      * intro Z. simpl. destruct (Z.eqb_spec c 0); [contradiction|].
        cbn [eval]. lia.
      * intro Z. simpl. destruct (Z.eqb_spec c 0); [|contradiction].
        rewrite below_eval, constant_eval. lia.
      * intros _ Z M. simpl in M. destruct (Z.eqb_spec c 0); [|contradiction].
        rewrite constant_eval in M. lia.
      * simpl. destruct (c =? 0); auto with bounded.
    + destruct (isScalar t) eqn:Sc; steps.
      * assert (I : isInteger t = true).
        { unfold isInteger, isTruth in *. rewrite Sc, Lt in *. simpl in *.
          now rewrite Tr. }
        replace (repeat c (laneCount t)) with [c]
          by now rewrite (isInteger_scalar t I).
        eapply gives_number; eauto using agrees_refl with bounded.
        -- rewrite Lt. exact Fc.
        -- apply constant_eval.
      * apply gives_plain; auto; [apply repeat_length|]. rewrite Lt.
        apply Forall_forall. intros z Z. apply repeat_spec in Z. now subst z.
  - steps. assert (La : isLane (lanes t) = true) by now rewrite Lt.
    destruct (define_lanes t (repeat c (laneCount t)) Y La
      (repeat_length _ _)) as [ys [E [L F]]].
    rewrite E. now apply gives_plain.
Qed.

Lemma numTiles_gives p axis s q s' e : numTiles h n p axis s = Some (q, s') ->
  8 <= w <= 64 -> launched w k h l e -> boundHeader (next s) h ->
  boundNames (next s) n -> describes w l e n env d ->
  orderly s -> true_ s e ->
  Forall discharged (vcs s') ->
  exists e' x t, agrees (next s) e e' /\ true_ s' e' /\ eval e' q = ceildiv x t
    /\ extentOf l env p axis = Ok (x, t) /\ fits w (ceildiv x t) /\
    below_ (next s') q.
Proof.
  intros H Wi L B Bn D O T P. unfold numTiles in H. steps.
  destruct a as [[v way] ten]. steps. destruct a3 as [q r]. cbn [fst].
  apply (partition_inv w k h l n env d _ _ _ _ _ _ e L D Wi B Bn) in H0.
  destruct H0 as [-> [Va [Fi [Bv [es [_ [_ [_ [_ [Pos _]]]]]]]]]].
  tamely. emitted. rename p0 into ep, z into tz.
  match goal with E : nth_error (extents_ v) axis = Some _ |- _ =>
    rename E into Ne end.
  match goal with E : nth_error (tileExtents p) axis = Some _ |- _ =>
    rename E into Nt end.
  assert (Be : below_ (next s) ep).
  { destruct Bv as [Fb _].
    rewrite Forall_forall in Fb. eapply Fb, nth_error_In, Ne. }
  assert (Xb : fits w (eval e ep)).
  { rewrite Forall_forall in Fi. apply Fi.
    apply in_map, (nth_error_In _ _ Ne). }
  assert (T1' : 1 <= tz).
  { rewrite Forall_forall in Pos. apply Pos, (nth_error_In _ _ Nt). }
  match goal with D : divide _ _ ?s1 = Some _ |- _ => rename D into Hd end.
  assert (Bu : forall n', n' = next s -> below_ n' (plus ep (tz - 1))).
  { intros n' ->. auto with bounded. }
  edestruct (divide_true _ _ _ _ _ _ e Hd) as [e' [A [T' [Q R]]]]; eauto.
  { rewrite constant_eval. lia. }
  { rewrite plus_eval. lia. }
  edestruct (divide_bound _ _ _ _ _ _ Hd) as [Bq _]; eauto.
  { apply Bu. congruence. }
  exists e', (eval e ep), tz.
  assert (Ec : ceildiv (eval e ep) tz = eval e' q).
  { rewrite Q, constant_eval, plus_eval, ceildiv_sum by lia. f_equal. lia. }
  conj; auto.
  - eapply agrees_le; [|exact A]. lia.
  - unfold extentOf. rewrite Va. simpl.
    rewrite (map_nth_error (eval e) _ _ Ne). simpl. now rewrite Nt.
  - unfold fits in *. rewrite ceildiv_sum by lia.
    assert (0 <= (eval e ep + tz - 1) / tz) by (apply Z.div_pos; lia).
    pose proof (pow_half w ltac:(lia)).
    assert ((eval e ep + tz - 1) / tz < 2 ^ (w - 1)); [|lia].
    apply Z.div_lt_upper_bound; nia.
Qed.

Lemma walkOp_gives t o s x s' e : walkOp h n t o s = Some (x, s') ->
  launched w k h l e -> map e (idVars h) = ids -> inBox (gridOf l) ids ->
  describes w l e n env d -> boundHeader (next s) h ->
  boundNames (next s) n -> orderly s -> true_ s e -> Forall discharged (vcs s') ->
  gives s s' e t x (evalOp m l ids env t o).
Proof.
  intros H L Id Bx D Bh B O T P.
  pose proof (isWidth _ _ _ _ _ L) as W. pose proof (isWide _ _ _ _ _ L) as Wi.
  assert (IdFits : Forall (fits w) ids).
  { pose proof (isGridSize _ _ _ _ _ L) as Gs. clear - Bx Gs Wi isWidth_.
    unfold inBox in Bx.
    induction Bx as [|g i gs is_ X Bx IH]; constructor.
    - apply Forall_inv in Gs. apply (scaled_fits w 31); [exact Wi|lia|].
      unfold maxBlocks in *. lia.
    - apply IH. now apply Forall_inv_tail in Gs. }
  destruct o as [c|xs|nm|axis|axis|p axis|f a b|c a b|c a b|u from a
                |a|axis|f from a|r c|pl nm at_ operands]; cbn [walkOp evalOp] in *.
  - eapply constantOp_gives; eauto.
  - steps. assert (Y : isType t = true) by assumption.
    match goal with E : Nat.eqb _ _ = true |- _ => apply Nat.eqb_eq in E;
      rename E into Len end.
    destruct (isLane (lanes t)) eqn:La.
    + assert (S0 : s' = s).
      { match goal with X : match lanes t with _ => _ end _ = _ |- _ =>
          rename X into Hc end.
        destruct (lanes t); [discriminate| |]; now steps. }
      subst s'.
      destruct (define_lanes t xs Y La Len) as [ys [E [Ly F]]].
      rewrite E. now apply gives_plain.
    + unfold isType in Y. rewrite La in Y. apply andb_true_iff in Y as Y'.
      destruct Y' as [_ Ei]. apply eqElement_sound in Ei. rewrite Ei in *.
        steps.
      match goal with X : indexConstants _ _ _ = _ |- _ =>
        destruct (indexConstants_true _ _ _ _ e X W O T P) as [F [T' N']] end.
      rewrite (define_exact t xs Len Ei F).
      apply (gives_after w s s' s' e e); [apply agrees_refl|lia|].
      apply gives_plain; auto. now rewrite Ei.
  - steps. destruct p as [v ty]. cbn [fst snd] in *.
    match goal with E : symbolOf_ _ _ = Some _ |- _ => rename E into Sy end.
    match goal with E : t = scalarType _ |- _ => subst t end.
    destruct (areSymbols _ _ _ _ _ L _ _ _ Sy) as [S1 [S2 S3]].
    rewrite S1. cbn [orElse bind].
    assert (I : isInteger (scalarType ty) = true).
    { destruct ty as [|q|]; [reflexivity| |contradiction].
      unfold isInteger. simpl. apply negb_true_iff. lia. }
    assert (Y : isType (scalarType ty) = true).
    { destruct ty as [|q|]; [reflexivity| |contradiction].
      unfold isType. simpl. apply orb_true_iff. left. lia. }
    rewrite define_scalar by assumption.
    eapply gives_number; eauto using agrees_refl.
    + apply variable_eval.
    + apply variable_below. apply find_symbol in Sy as [q Sy].
      destruct Bh as [Bh _]. rewrite Forall_forall in Bh. apply (Bh _ Sy).
  - steps. unfold indexEntry in H. steps. subst t.
    match goal with E : nth_error (idVars h) axis = Some _ |- _ =>
      rename E into Ne end.
    rewrite <- Id. rewrite (map_nth_error e _ _ Ne). cbn [orElse bind].
    assert (F : fits w (e v)).
    { rewrite Forall_forall in IdFits. apply IdFits. rewrite <- Id.
      apply in_map, (nth_error_In _ _ Ne). }
    rewrite define_scalar by auto.
    eapply gives_number; eauto using agrees_refl.
    + apply variable_eval.
    + apply variable_below. destruct Bh as [_ [_ Bh]].
      rewrite Forall_forall in Bh. apply Bh, (nth_error_In _ _ Ne).
  - steps. unfold indexEntry in H. steps. subst t.
    match goal with E : nth_error (gridPolys h) axis = Some _ |- _ =>
      rename E into Ne end.
    rewrite <- (isGrid _ _ _ _ _ L). rewrite (map_nth_error (eval e) _ _ Ne).
    cbn [orElse bind].
    assert (F : fits w (eval e p)).
    { pose proof (isGridSize _ _ _ _ _ L) as Gs.
      rewrite <- (isGrid _ _ _ _ _ L) in Gs. rewrite Forall_forall in Gs.
      apply (scaled_fits w 31); [exact Wi|lia|].
      specialize (Gs (eval e p) ltac:(apply in_map, (nth_error_In _ _ Ne))).
      unfold maxBlocks in Gs. lia. }
    rewrite define_scalar by auto.
    eapply gives_number; eauto using agrees_refl.
    apply boundHeader_grid in Bh.
    rewrite Forall_forall in Bh. apply Bh, (nth_error_In _ _ Ne).
  - steps. unfold indexEntry in H. steps. subst t.
    destruct (numTiles_gives _ _ _ _ _ e H0 Wi L Bh B D O T P)
      as [e' [xe [te [A [T' [Ev [Ee [F Bq]]]]]]]].
    rewrite Ee. cbn [bind]. rewrite define_scalar by auto.
    eapply gives_number; eauto.
  - eapply binaryOp_gives; eauto.
  - eapply compareOp_gives; eauto.
  - eapply selectOp_gives; eauto.
  - eapply castOp_gives; eauto.
  - steps. unfold indexEntry in H. steps. subst t.
    match goal with N : numberOf _ _ _ _ = Some _ |- _ =>
      destruct (numberOf_inv w l e n env d D _ _ _ _ _ N)
        as [-> [F [G [_ [La Y]]]]] end.
    rewrite G. pose proof (B _ _ F) as Bp. simpl in Bp.
    match goal with A : aliased _ _ = Some _ |- _ =>
      destruct (aliased_true _ _ _ _ e A O T) as [e' [Ag [T' V]]];
      pose proof (aliased_bound _ _ _ _ A O Bp) as Bq end.
    eapply gives_number; eauto.
  - steps. assert (Y : isType t = true) by assumption.
    match goal with N : nth_error (shape t) axis = Some ?e |- _ =>
      rename N into Ne; rename e into extent end.
    set (xs := map (fun at_ => nth axis at_ 0) (placesOf (shape t))).
    assert (Lx : length xs = laneCount t).
    { unfold xs. rewrite map_length. apply placesOf_length. }
    pose proof (isType_positive t Y) as Pos.
    assert (Bx' : Forall (fun x => 0 <= x <= extent - 1) xs).
    { apply Forall_map, Forall_forall. intros q I.
      apply placesOf_in in I; [|exact Pos]. clear - I Ne. revert axis Ne.
      induction I as [|dd x dims at_ X I IH]; intros [|axis] Ne;
        try discriminate; simpl in *.
      - injection Ne as ->. lia.
      - now apply IH. }
    destruct (isLane (lanes t)) eqn:La.
    + assert (S0 : s' = s).
      { match goal with X : match lanes t with _ => _ end _ = _ |- _ =>
          rename X into Hc end.
        destruct (lanes t); [discriminate| |]; now steps. }
      subst s'.
      destruct (define_lanes t xs Y La Lx) as [ys [E [Ly F]]].
      rewrite E. now apply gives_plain.
    + unfold isType in Y. rewrite La in Y. apply andb_true_iff in Y as Y'.
      destruct Y' as [_ Ei]. apply eqElement_sound in Ei. rewrite Ei in *.
        steps.
      match goal with X : indexConstant _ _ _ = _ |- _ =>
        destruct (indexConstant_true _ _ _ _ _ _ e X W O T P) as [F [T' N']]
      end.
      rewrite (define_exact t xs Lx Ei).
      * apply (gives_after w s s' s' e e); [apply agrees_refl|lia|].
        apply gives_plain; auto. rewrite Ei. eapply Forall_impl; [|exact Bx'].
        intros x X. simpl in *. unfold fits in *.
        pose proof (Z.pow_pos_nonneg 2 (w - 1)). lia.
      * eapply Forall_impl; [|exact Bx']. intros x X. simpl in *.
        unfold fits in *. pose proof (Z.pow_pos_nonneg 2 (w - 1)). lia.
  - repeat (looks; cbv beta iota in H; steps).
    assert (Y : isType t = true) by assumption.
    match goal with E : _ = Type_ from (lanes t) |- _ => rename E into Et end.
    destruct L0 as [Ga Ma Ba]. rewrite Ga. cbn [bind].
    destruct Ma as [_ [La [Fa _]]]. rewrite Et in La, Fa.
    unfold laneCount in La. simpl in La, Fa. rewrite La, Nat.eqb_refl.
    match goal with G : goes _ _ _ = true |- _ =>
      rewrite G; destruct (moved_lanes f from t _ Y ltac:(lia) La Fa G)
        as [Lm Fm] end.
    cbn [andb]. now apply gives_plain.
  - repeat (looks; cbv beta iota in H; steps).
    match goal with E : t = _ |- _ => subst t end.
    destruct L0 as [Gc Mc Bc].
    match goal with E : isTruth _ = true |- _ =>
      destruct (means_truth w e _ _ _ Mc E) as [b [-> [Fb [_ [_ Kb]]]]] end.
    unfold scalar. rewrite Gc. cbn [bind]. apply condOf_bound in Bc.
    match goal with Q : proveCond _ _ _ = Some _ |- _ =>
      destruct (proveCond_true _ _ _ _ _ e Q O T Bc P)
        as (e' & Ag & T' & K & V) end.
    destruct (Z.eqb_spec b 0) as [Z|Z].
    { exfalso. apply (Kb K Z). now apply may_truth. }
    destruct Mc as [Y [Lb [F _]]]. exists [b], Plain, e'. unfold means.
    conj; auto; exact I.
  - steps.
    assert (Ops : s0 = s /\ exists xs, collect (fun a =>
              do x <- get env (fst a); Ok (snd a, x)) operands = Ok xs).
    { clear H. revert s0 H0. induction operands as [|[v ty] os IH];
        intros s0 H0; cbn [forEach] in H0.
      - steps. simpl. eauto.
      - steps. looks. cbv beta iota in *. steps.
        destruct (IH _ H0) as [-> [xs' E]]. split; [reflexivity|].
        destruct L0 as [G _ _]. cbn [fst] in G. simpl. rewrite G. simpl.
        rewrite E. simpl.
        eauto. }
    destruct Ops as [-> [xs E]]. rewrite E. cbn [bind].
    assert (Y : isType t = true).
    { unfold unknown in H. unfold andThen, check in H.
      destruct (isType t); [reflexivity|discriminate]. }
    destruct (define_lanes t (fit (laneCount t) (opaque m pl nm at_ t xs)) Y
      ltac:(assumption)) as [ys [E' [Ly F]]].
    { generalize (opaque m pl nm at_ t xs) (laneCount t). intros zs q. revert zs.
      induction q as [|q IH]; intros [|z zs]; simpl; auto. }
    rewrite E'. eapply unknown_gives; eauto.
Qed.

End Operations.
