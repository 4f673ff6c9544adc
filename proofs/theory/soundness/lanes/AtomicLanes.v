(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Atomics lane by lane: what is proved of any active lane holds of every one,
   so all go to elements of the tensor. They take nothing and write nothing. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export LoadedLanes.
Import ListNotations.
Open Scope Z_scope.

Section AtomicLanes.

Context (w : Z) (k : kernel) (h : header) (l : launch) (m : machine)
  (given : initial_) (ids : list Z) (e0 : values) (from : Poly.var).
Context (keepsIt : keepsGivens k l given = true).
Context (isWidth_ : width m = w) (inGrid : inBox (gridOf l) ids).
Context (n : names) (env : Sem.env) (d : elements_).

Notation here := (at_step w k h l given ids e0 from).

Theorem combineLanes_sound take v t sh index mask s n' s' e :
  (let* _ := combineLanes_ h n v t sh index mask in ret n) s = Some (n', s') ->
  here s e n env d -> Forall discharged (vcs s') ->
  sound k given take (fun d' env' => sub_ d d' /\
    exists e', agrees (next s) e e' /\
      at_step w k h l given ids e0 from s' e' n' env' d') d
    (execStatement m k l ids (CombineLanes v t sh index mask) env).
Proof.
  intros H A P. apply andThen_inv in H as [u [s9 [H HE]]].
  injection HE as <- <-. unfold combineLanes_ in H.
  destruct (wide w k h l given ids e0 from d s e n env A) as [W Wi].
  assert (Wd : 8 <= bits h <= 64) by lia.
  pose proof A as [O T L Id Fr Be Hh N V Lo].
  apply andThen_inv in H as [[tv mv] [s1 [H0 H]]].
  destruct (valueOf_inv w l e n env d V _ _ _ _ _ H0)
    as [-> [_ [xs [Gx [_ [Lx _]]]]]].
  apply andThen_inv in H as [[es ten] [s1 [H1 H]]].
  destruct (tensorPolys_inv w k h l t s es ten s1 e H1 L)
    as [-> [Tn [Es [Ex [_ La]]]]].
  pose proof (extentPolys_bound (next s) h ten es Hh Es) as Bes.
  apply andThen_inv in H as [u0 [s1 [H4 H]]]. unfold check in H4.
  destruct (combines ten && eqType tv (Type_ sh (elements ten))) eqn:C;
    [|discriminate]. injection H4 as _ <-.
  apply andb_true_iff in C as [C1 Et]. apply eqType_sound in Et. subst tv.
  apply andThen_inv in H as [u2 [s1 [H2 H5]]].
  destruct (laneOperands_true w k h l m given ids e0 from isWidth_ n env d es sh
    index mask s u2 s1 e H2 A)
    as [-> [C2 [Pos [Hl [xss [active [Ec [Em [Lxs [Fx [Lm [Vx [Vm
      Sm]]]]]]]]]]]]].
  pose proof (boundedLane_tame h Wd AtomicScatterBounds n es sh index mask)
    as Tg.
  destruct (within_step w k h l given ids e0 from n env d _ _ _ _ e H5 Tg A)
    as [e1 [Ag1 A1]].
  apply within_inv in H5 as [sb [H5 Eb]].
  assert (Pb : Forall discharged (vcs sb)) by (rewrite Eb in P; exact P).
  set (count := Z.to_nat (volume sh)) in *.
  cbn [execStatement]. unfold combineLanes.
  apply sound_done. exists xs. split; [exact Gx|].
  apply sound_done. exists xss. split; [exact Ec|].
  apply sound_done. exists active. split; [exact Em|].
  apply sound_done. exists (map (eval e) es, ten). split.
  { unfold extentsAndType. now rewrite Ex, Tn. }
  cbv beta iota zeta. fold count.
  unfold laneCount in Lx. cbn [shape] in Lx. fold count in Lx.
  assert (Ck : combines ten && Nat.eqb (length xss) (length (map (eval e) es))
    && forallb (fun ys => Nat.eqb (length ys) count) (xs :: active :: xss) =
    true).
  { rewrite C1, map_length, Lxs, C2, Nat.eqb_refl. cbn [andb forallb].
    rewrite Lx, Lm, Nat.eqb_refl. cbn [andb]. apply forallb_forall.
    intros ys I. rewrite Forall_forall in Fx. now rewrite (Fx ys I),
      Nat.eqb_refl. }
  rewrite Ck.
  assert (In_ : forallb (fun a => negb (snd a) ||
              inside (map (eval e) es) (fst a)) (asked count xss active) =
            true).
  { apply forallb_forall. intros a I. unfold asked in I.
    apply in_map_iff in I as [j [<- J]]. apply in_seq in J. cbn [fst snd].
    destruct (Z.eqb_spec (nth j active 0) 0) as [Z0|Z0]; [reflexivity|].
    cbn [negb orb].
    destruct (asked_passes n env sh index mask xss active j Pos
      ltac:(unfold count in J; lia) Vx Vm Z0) as [Pj [Ij Ej]].
    rewrite Ej. destruct (Hl _ Ij) as [Hi Hm].
    now apply (boundedLane_sound w k h l m given ids e0 from keepsIt isWidth_
      inGrid n env d _ es sh index mask s u sb e _ H5 A Pb Ij). }
  rewrite In_. apply combineAll_sound.
  - unfold isOut. rewrite Tn. unfold combines in C1. now destruct (mode_ ten).
  - apply sound_ok. split; [apply sub_refl|]. exists e1. now split.
  - rewrite Lx. unfold asked. now rewrite map_length, seq_length.
Qed.

End AtomicLanes.
