(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The walk over a view against its run: where its conditions are discharged,
   the view keeps its rule. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export Frames.
Import ListNotations.
Open Scope Z_scope.

Lemma slices_eval e : forall es os ns,
  Forall (fun a => let '(x, (o, n)) := a in
    0 <= eval e o /\ 0 <= eval e n /\ eval e o + eval e n <= eval e x)
    (combine es (combine os ns)) ->
  length os = length es -> length ns = length es ->
  slices (map (eval e) es) (map (eval e) os) (map (eval e) ns) = true.
Proof.
  induction es as [|x es IH]; intros [|o os] [|n ns] F L L';
    try discriminate; [reflexivity|]. simpl in *.
  inversion F as [|? ? X F']. subst. destruct X as [A [B C]].
  rewrite IH by (auto; congruence).
  lia.
Qed.

Lemma product_eval e l :
  eval e (fold_right mul (constant 1) l) = fold_right Z.mul 1 (map (eval e) l).
Proof.
  induction l as [|x l IH]; simpl; [reflexivity|]. now rewrite mul_eval, IH.
Qed.

Lemma isView_step l v s v' : isView l v -> viewed v s = Ok v' -> isView l v'.
Proof.
  intros [es [E V]] S.
  assert (R : root v' = root v).
  { unfold viewed in S. destruct (fitsRank _ s); [|discriminate].
    destruct s;
      repeat match type of S with (if ?b then _ else _) = _ => destruct b end;
      try discriminate; injection S as <-; reflexivity. }
  exists es. rewrite R. split; [exact E|].
  now apply Places.viewOf_step with v s.
Qed.

Section ViewWalk.

Context (w : Z) (k : kernel) (h : header) (l : launch) (m : machine)
  (isW : width m = w).
Context (n : names) (env : Sem.env) (d : elements_) (e : values).
Context (La : launched w k h l e) (De : describes w l e n env d).

(* The walk at a place where the values are these. *)
Definition sees (s : scope) : Prop :=
  boundHeader (next s) h /\ boundNames (next s) n /\ orderly s /\ true_ s e.

Lemma amount_true a s p s' : amountPoly h n a s = Some (p, s') -> sees s ->
  Forall discharged (vcs s') ->
  sees s' /\ next s' = next s /\ amountOf m l env a = Ok (eval e p) /\
  fits w (eval e p) /\ below_ (next s) p.
Proof.
  intros H [Bh [Bn [O T]]] P. pose proof (isWide _ _ _ _ _ La) as Wi.
  destruct (amountPoly_tame h n a _ _ _ H O) as [O' _].
  destruct a as [x|name|v]; cbn [amountPoly amountOf] in *.
  - steps. destruct (indexConstant_true w h x _ _ _ e H0) as [F [T' N]]; auto.
    { apply (isWidth _ _ _ _ _ La). }
    rewrite constant_eval. unfold lane. rewrite isW.
    pose proof F as F'. apply fitsb_fits in F'. rewrite F'.
    unfold sees. rewrite N. conj; auto with bounded.
  - steps. match goal with E : symbolOf_ _ _ = Some (?q) |- _ =>
      destruct q as [v t]; rename E into Sy end.
    cbn [fst snd] in *. subst t.
    destruct (areSymbols _ _ _ _ _ La _ _ _ Sy) as [S1 [S2 S3]].
    rewrite variable_eval, S1.
    split; [now unfold sees|]. conj; auto.
    apply variable_below. apply find_symbol in Sy as [q Sy].
    destruct Bh as [Bh _]. rewrite Forall_forall in Bh. apply (Bh _ Sy).
  - destruct (numberOf_bound _ _ _ _ _ _ _ Bn H) as [_ B].
    destruct (numberOf_inv w l e n env d De _ _ _ _ _ H)
      as [-> [_ [_ [S [F _]]]]].
    split; [now unfold sees|]. auto.
Qed.

Lemma amounts_true : forall l_ s ps s',
  mapEach (amountPoly h n) l_ s = Some (ps, s') -> sees s ->
  Forall discharged (vcs s') ->
  sees s' /\ next s' = next s /\
  collect (amountOf m l env) l_ = Ok (map (eval e) ps) /\
  Forall (fits w) (map (eval e) ps) /\ Forall (below_ (next s)) ps.
Proof.
  induction l_ as [|a l_ IH]; simpl; intros s ps s' H S P; steps.
  { conj; auto; constructor. }
  destruct (amountPoly_tame h n a _ _ _ H0) as [O0 _]; [apply S|].
  destruct (tame_mapEach _ l_ (amountPoly_tame h n) _ _ _ H1 O0) as [_ G1].
  destruct (amount_true _ _ _ _ H0 S (grows_discharged _ _ G1 P))
    as [S0 [N0 [A [F B]]]].
  destruct (IH _ _ _ H1 S0 P) as [S1 [N1 [C [Fs Bs]]]].
  rewrite A, <- N0. cbn [bind]. rewrite C, N1. cbn [bind map].
  conj; auto. constructor; [now rewrite N0|exact Bs].
Qed.

Lemma step_true st s st' s' : stepOfPolys h n st s = Some (st', s') -> sees s ->
  Forall discharged (vcs s') ->
  sees s' /\ next s' = next s /\
  stepOf m l env st = Ok (mapStep (eval e) st') /\
  Forall (fits w) (map (eval e) (numbersOf st')) /\
  Forall (below_ (next s)) (numbersOf st').
Proof.
  intros H S P. destruct st as [os ns|axes|axis fs|axis x];
    cbn [stepOfPolys stepOf] in *; steps; cbn [mapStep numbersOf].
  - destruct (tame_mapEach _ os (amountPoly_tame h n) _ _ _ H0) as [O0 _];
      [apply S|].
    destruct (tame_mapEach _ ns (amountPoly_tame h n) _ _ _ H1 O0) as [_ G1].
    destruct (amounts_true _ _ _ _ H0 S (grows_discharged _ _ G1 P))
      as [S0 [N0 [A [F B]]]].
    destruct (amounts_true _ _ _ _ H1 S0 P) as [S1 [N1 [C [Fs Bs]]]].
    rewrite A, C, N1. cbn [bind]. rewrite N0 in Bs.
    conj; auto; [|now apply Forall_app].
    rewrite map_app. now apply Forall_app.
  - conj; auto; constructor.
  - destruct (amounts_true _ _ _ _ H0 S P) as [S0 [N0 [A [F B]]]].
    rewrite A. conj; auto.
  - destruct (amount_true _ _ _ _ H0 S P) as [S0 [N0 [A [F B]]]].
    rewrite A. cbn [bind]. conj; auto; now constructor.
Qed.

Lemma emitStep_true v st s u s' : emitStep (extents_ v) st s = Some (u, s') ->
  sees s -> Forall discharged (vcs s') ->
  fitsRank (length (extents_ v)) st = true ->
  true_ s' e /\ next s' = next s /\
  viewed (evalView e v) (mapStep (eval e) st) =
    Ok (evalView e (stepPoly v st)).
Proof.
  intros H [Bh [Bn [O T]]] P R.
  rewrite step_eval. unfold viewed.
  replace (length (extents_ (evalView e v))) with (length (extents_ v))
    by (simpl; now rewrite map_length).
  rewrite fitsRank_map, R.
  assert (Nth : forall axis, nth axis (extents_ (evalView e v)) 0 =
                             eval e (nth axis (extents_ v) [])).
  { intro axis. exact (map_nth (eval e) (extents_ v) [] axis). }
  destruct st as [os ns|axes|axis fs|axis x];
    cbn [emitStep mapStep fitsRank] in *.
  - apply andb_true_iff in R as [R1 R2]. apply Nat.eqb_eq in R1, R2.
    change (extents_ (evalView e v)) with (map (eval e) (extents_ v)).
    enough (K : true_ s' e /\ next s' = next s /\
      Forall (fun a => let '(x, (o, n)) := a in
        0 <= eval e o /\ 0 <= eval e n /\ eval e o + eval e n <= eval e x)
        (combine (extents_ v) (combine os ns))).
    { destruct K as [T' [N F]]. rewrite slices_eval by auto. auto. }
    clear R1 R2 Nth Bh Bn. revert s O T H.
    induction (combine (extents_ v) (combine os ns)) as [|[y [o q]] as_ IH];
      intros s O T H; cbn [forEach] in H; steps.
    + conj; auto.
    + assert (Ta : tame (forEach (fun a => let '(e, (o, n)) := a in
        let* _ := emit ViewSlice o true in
        let* _ := emit ViewSlice n true in
        emit ViewSlice (sub (sub e o) n) true) as_)).
      { apply tame_forEach. intros [e' [o' x']]. auto with tame. }
      cbv beta iota in H0. steps. tamely. emitted.
      destruct (IH s0) as [T' [N' F]]; auto.
      conj; auto; [congruence|]. constructor; [|exact F].
      rewrite ?sub_eval in *. lia.
  - steps. auto.
  - steps. tamely. emitted. rewrite Nth, product_eval in *.
    destruct (Z.eqb_spec (eval e (nth axis (extents_ v) []))
                (fold_right Z.mul 1 (map (eval e) fs))); [|lia].
    conj; auto. congruence.
  - steps. tamely. emitted. rewrite Nth. rewrite ?sub_eval, ?plus_eval in *.
    assert (Between : ((0 <=? eval e x) &&
                 (eval e x <? eval e (nth axis (extents_ v) []))) = true)
      by lia.
    rewrite Between. conj; auto. congruence.
Qed.

Lemma walkView_true b st s x s' : walkView h n b st s = Some (x, s') ->
  sees s -> Forall discharged (vcs s') ->
  exists v way v0 st0, x = Sight v way /\ true_ s' e /\ next s' = next s /\
    viewAt l env b = Ok v0 /\ stepOf m l env st = Ok st0 /\
    viewed v0 st0 = Ok (evalView e v) /\
    Forall (fits w) (map (eval e) (extents_ v)) /\ boundView (next s) v /\
    isView l (evalView e v).
Proof.
  intros H S P. unfold walkView in H. steps. destruct a as [v way].
  pose proof S as [Bh [Bn [O T]]].
  destruct (viewPolys_inv w k h l n env d b _ _ _ _ e H0 La De
    (isWide _ _ _ _ _ La) Bh Bn) as [-> [V [F B]]].
  pose proof (viewPolys_isView w k h l n env d b _ _ _ _ e H0 La De) as Is.
  steps.
  match goal with H : stepOfPolys _ _ _ _ = Some (?q, ?y) |- _ =>
    rename H into Hs; rename q into st'; rename y into s1 end.
  match goal with H : emitStep _ _ _ = Some _ |- _ => rename H into Ho end.
  match goal with H : fitsRank _ _ = true |- _ => rename H into R end.
  destruct (stepOfPolys_tame h n st _ _ _ Hs O) as [O1 _].
  destruct (emitStep_tame _ st' _ _ _ Ho O1) as [_ G1].
  destruct (step_true _ _ _ _ Hs S (grows_discharged _ _ G1 P))
    as [S1 [N1 [St [Fs Bs]]]].
  destruct (emitStep_true v st' _ _ _ Ho S1 P R) as [T' [N' Vi]].
  exists (stepPoly v st'), (way ++ [st']), (evalView e v),
    (mapStep (eval e) st').
  conj; auto; [congruence| |now apply step_below|].
  - rewrite Forall_map in *. now apply stepped_extents.
  - now apply isView_step with (evalView e v) (mapStep (eval e) st').
Qed.

End ViewWalk.
