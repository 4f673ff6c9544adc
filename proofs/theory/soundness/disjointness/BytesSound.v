(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   No byte of memory is of two blocks: what a block may take of elements that
   share bytes are whole bytes. *)

From Coq Require Import ZArith String List Bool Lia.
From Girih Require Import Tiles Addresses.
From Girih Require Export Nibbles Landing.
Import ListNotations.
Open Scope Z_scope.

(* What is found even is even. *)

Lemma stated_holds e fs f : Forall (fun g => holds e (claims g)) fs ->
  existsb (fun g => eqFact (claims g) f) fs = true -> holds e f.
Proof.
  intros F S. apply existsb_exists in S as [g [I E]].
  apply eqFact_sound in E. subst f. rewrite Forall_forall in F. now apply F.
Qed.

Lemma evenIn_sound e fs p : Forall (fun g => holds e (claims g)) fs ->
  evenIn fs p = true -> Z.even (eval e p) = true.
Proof.
  intros F E. unfold evenIn in E.
  destruct (constantOf p) as [c|] eqn:C.
  { apply constantOf_eval with (e := e) in C. now rewrite C. }
  apply existsb_exists in E as [f [I H]]. unfold halved in H.
  destruct (reason_ f) as [|d part|]; try discriminate.
  destruct (results d) as [|q [|r [|]]]; try discriminate.
  rewrite !andb_true_iff in H. destruct H as [[H L] U].
  apply eqFact_sound in H. apply (stated_holds e) in L, U; auto.
  rewrite Forall_forall in F. specialize (F f I). cbv beta in F.
  rewrite H in F. apply holds_eq in F. apply holds_ge in L, U.
  rewrite ?sub_eval, ?mul_eval, ?neg_eval, ?variable_eval, ?constant_eval in *.
  replace (eval e p) with (2 * e q) by lia. apply Z.even_mul.
Qed.

Lemma evenAt_eval e fs l k : Forall (fun g => holds e (claims g)) fs ->
  isEvenAt (evenIn fs) l k = true ->
  isEvenAt Z.even (map (eval e) l) k = true.
Proof.
  unfold isEvenAt. rewrite nth_error_map. intros F E.
  destruct (nth_error l k); [|discriminate]. now apply evenIn_sound with fs.
Qed.

Lemma wholeStep_eval e fs axis s axis' :
  Forall (fun g => holds e (claims g)) fs ->
  wholeStep (evenIn fs) axis s = Some axis' ->
  wholeStep Z.even axis (mapStep (eval e) s) = Some axis'.
Proof.
  intros F W.
  destruct s as [os ns|axes|at_ factors|at_ x]; cbn [wholeStep mapStep] in *;
    auto.
  - destruct (isEvenAt (evenIn fs) os axis) eqn:E1; [|discriminate].
    destruct (isEvenAt (evenIn fs) ns axis) eqn:E2; [|discriminate].
    now rewrite (evenAt_eval e fs os), (evenAt_eval e fs ns).
  - rewrite map_length. destruct (Nat.eqb at_ axis); [|exact W].
    destruct (isEvenAt (evenIn fs) factors _) eqn:E; [|discriminate].
    now rewrite (evenAt_eval e fs factors).
Qed.

Lemma wholeSteps_paired e fs r : Forall (fun g => holds e (claims g)) fs ->
  forall ss axis v axis' v',
  wholeSteps (evenIn fs) axis v ss = Some (axis', v') ->
  paired r (evalView e v) axis -> paired r (evalView e v') axis'.
Proof.
  intro F. induction ss as [|s ss IH]; intros axis v axis' v' W P;
    cbn [wholeSteps] in W.
  - now injection W as <- <-.
  - destruct (fitsRank _ s) eqn:R; [|discriminate].
    destruct (wholeStep _ axis s) as [next|] eqn:S; [|discriminate].
    apply (IH _ _ _ _ W). rewrite ViewValues.step_eval.
    apply step_paired with axis; [exact P| |].
    + rewrite fitsRank_map. cbn [evalView mapView extents_].
      now rewrite map_length.
    + now apply wholeStep_eval with fs.
Qed.

Section Launch.

Context (w : Z) (k : kernel) (h : header) (l : launch) (given : initial_).
Context (before : var) (e0 : values) (ss : list site) (ds : list definition).
Context (Launched : forall e, agrees before e0 e -> launched w k h l e)
  (Whole : forallb (wholeSite h) ss = true).

Notation take ids := (permitted l h given ids before e0 ss ds).

Context (t : nat) (ten : tensor) (extents by_ : list Z)
  (Tn : tensorOf k t = Some ten) (Sh : sharesByte (elements ten) = true)
  (Ex : extentsOf l t = Some extents)
  (By : stridesOf (symbolOf l) ten extents = Ok by_).

Lemma dims_eval e : launched w k h l e -> forall d p,
  dimPoly (symbolVars h) d = Some p -> evalDim (symbolOf l) d = Ok (eval e p).
Proof.
  intros L [n|name] p D; cbn [dimPoly evalDim] in *.
  - injection D as <-. now rewrite constant_eval.
  - destruct (symbolOf_ (symbolVars h) name) as [[v [| |]]|] eqn:S;
      try discriminate. injection D as <-.
    destruct (areSymbols _ _ _ _ _ L _ _ _ S) as [-> _].
    now rewrite variable_eval.
Qed.
Lemma all_eval e : launched w k h l e -> forall ds_ ps,
  all (dimPoly (symbolVars h)) ds_ = Some ps ->
  collect (evalDim (symbolOf l)) ds_ = Ok (map (eval e) ps).
Proof.
  intro L. induction ds_ as [|d ds_ IH]; intros ps A; cbn [all collect] in *.
  - now injection A as <-.
  - destruct (dimPoly _ d) as [p|] eqn:D; [|discriminate].
    destruct (all _ ds_) as [qs|] eqn:Q; [|discriminate].
    injection A as <-. rewrite (dims_eval e L d p D), (IH qs eq_refl).
    reflexivity.
Qed.

(* What a block may take lies in a tensor of whole rows, and the other element
   of the byte may be taken as well. *)
Lemma take_whole ids a : take ids t a ->
  isShared ten = false /\ inBox extents a /\
  length by_ = length extents /\ evenStrides by_ /\
  take ids t (flipAt (length extents - 1) a).
Proof.
  intros [st [e [extents' [I [Rt [Ex' [S [A [V [F [C R]]]]]]]]]]].
  subst t. rewrite Ex in Ex'. injection Ex' as <-.
  rewrite forallb_forall in Whole. pose proof (Whole st I) as W.
  specialize (Launched e A). unfold wholeSite in W.
  rewrite (isKernel _ _ _ _ _ Launched), Tn, Sh in W.
  destruct (extentPolys (symbolVars h) ten) as [es|] eqn:Es; [|discriminate].
  destruct (areExtents _ _ _ _ _ Launched _ _ _ Tn Es) as [Ex' _].
  rewrite Ex in Ex'. injection Ex' as Ee. subst extents.
  rewrite !andb_true_iff in W. destruct W as [[Ow T] W].
  destruct (wholeSteps _ _ _ _) as [[axis v]|] eqn:Ws; [|discriminate].
  apply andb_true_iff in W as [W Ti]. apply eqView_sound in W. subst v.
  unfold wholeTensor in T. apply andb_true_iff in T as [T St].
  apply (evenAt_eval e) in T; [|exact F].
  assert (N : map (eval e) es <> []).
  { intro N. unfold isEvenAt in T. rewrite N in T.
    now destruct (length es - 1)%nat. }
  assert (La : Z.even (nth (length (map (eval e) es) - 1) (map (eval e) es) 0)
               = true).
  { unfold isEvenAt in T. rewrite map_length.
    destruct (nth_error _ _) as [x|] eqn:X in T; [|discriminate].
    now rewrite (nth_error_nth _ _ 0 X). }
  assert (P : paired (length (map (eval e) es) - 1) (evalView e (seen st))
                axis).
  { apply (wholeSteps_paired e _ _ F _ _ _ _ _ Ws).
    rewrite ViewValues.whole_eval, map_length.
    pose proof (whole_paired (root (seen st)) _ N La) as P.
    now rewrite map_length in P. }
  split; [|split; [|split; [|split]]].
  - unfold isOwned in Ow. unfold isShared. now destruct (mode_ ten).
  - apply tileOf_spec in S as [B _]. exact B.
  - unfold stridesOf in By. destruct (strides ten) as [dims_|].
    + destruct (all _ dims_) as [ps|] eqn:Al; [|discriminate].
      rewrite (all_eval e Launched _ _ Al) in By. injection By as <-.
      rewrite !andb_true_iff, Nat.eqb_eq in St. rewrite !map_length. tauto.
    + injection By as <-. apply packed_length.
  - unfold stridesOf in By. destruct (strides ten) as [dims_|].
    + destruct (all _ dims_) as [ps|] eqn:Al; [|discriminate].
      rewrite (all_eval e Launched _ _ Al) in By. injection By as <-.
      rewrite !andb_true_iff in St. destruct St as [[L One] Ev].
      apply Nat.eqb_eq in L. apply eqPoly_sound in One.
      assert (Np : ps <> []).
      { intros ->. destruct es; [now apply N|discriminate]. }
      exists (map (eval e) (removelast ps)). split.
      * assert (Q : ps = removelast ps ++ [constant 1]).
        { rewrite <- One. now apply app_removelast_last. }
        apply (f_equal (map (eval e))) in Q. rewrite map_app in Q.
        cbn [map] in Q. now rewrite constant_eval in Q.
      * apply Forall_map, Forall_forall. intros p Ip.
        rewrite forallb_forall in Ev.
        now apply evenIn_sound with (siteFacts st), Ev.
    + injection By as <-. now apply packed_strides.
  - exists st, e, (map (eval e) es). repeat split; auto.
    apply tile_paired with axis; auto. now apply even_nth.
Qed.

(* Elements in one byte are of one block. *)
Theorem bytes_apart ids1 ids2 a b :
  (isShared ten = false -> noOverlap extents by_ = true) ->
  (forall c, take ids1 t c -> take ids2 t c -> ids1 = ids2) ->
  take ids1 t a -> take ids2 t b -> offset by_ a / 2 = offset by_ b / 2 ->
  ids1 = ids2.
Proof.
  intros O One A B E.
  destruct (take_whole ids1 a A) as [N [Ia [L [S A']]]].
  destruct (take_whole ids2 b B) as [_ [Ib _]].
  destruct (byte_paired extents by_ a b L (O N) S Ia Ib E) as [->| ->].
  - now apply (One a).
  - now apply (One (flipAt (length extents - 1) a)).
Qed.

End Launch.
