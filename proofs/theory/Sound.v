(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   T9: a kernel whose obligations have certificates is correct: no launch that
   its contract admits, with contents that keep what is given of them, breaks a
   rule in any interleaving, no two of its blocks have conflicting events, every
   run of it ends, and all ends are the same. Whether there is such a launch is
   another theorem: Satisfiable.v. *)

From Coq Require Import ZArith List Bool Lia Relations FMapPositive.
From Girih Require Import Execute WholeContract PairsSound Claims Coverage
  Blocks.
From Girih Require Owned Determinism Addresses BytesSound.
From Girih Require Export Generate Traces Satisfiable.
Import ListNotations.
Open Scope Z_scope.

(* What is given holds of the contents, and this state is one of the launch. *)
Definition reached (m : machine) (k : kernel) (l : launch)
  (given : nat -> list Z -> Z) (s : state) : Prop :=
  keepsGivens k l given = true /\ reaches (start m k l given) s.

(* What is proved of a kernel where `index` has w bits, for all machines of that
   width, values of symbols and float arguments. *)
Record correctOn (m : machine) (k : kernel) (l : launch) : Prop := CorrectOn
  { (* T1, T2, T4, T5: no rule is broken, in any state of any interleaving. *)
    isSafe : safe m k l;
    (* No block ends but well. *)
    goesOn : forall given s b, reached m k l given s -> (b < blockCount l)%nat
      ->
      exists s', stepBlock s b = Ok s';
    (* The frame: what no block has taken, and is not atomic, is as it was. *)
    isFramed : forall given s t a, reached m k l given s ->
      owner s t a = None -> Owned.atomicTensor k t = false ->
      memory s t a = memory (start m k l given) t a;
    (* T2: in no run do events of two blocks conflict, at whatever times. *)
    isRaceFree : forall given es s p q, keepsGivens k l given = true ->
      runs (start m k l given) es s -> In p es -> In q es ->
      ~ conflicts k l p q;
    (* T8: every run ends: none is longer than some number of events, and one
       that cannot go on has ended well. *)
    endsAlways : forall given, keepsGivens k l given = true ->
      exists n, forall es s, runs (start m k l given) es s ->
        (length es <= n)%nat /\ (ended s \/ exists e s', acts s e s');
    (* T3: all ends have the memory of the sequential order, but for sums of
       floats to which blocks add in any order. *)
    isDeterministic : forall given, keepsGivens k l given = true -> exists s,
      finishAll (seq 0 (blockCount l)) (start m k l given) = Ok s /\
      reached m k l given s /\ ended s /\
      forall s', reached m k l given s' -> ended s' ->
        forall t a, Determinism.roundsIn k t = false ->
          memory s' t a = memory s t a }.

Definition correct (w : Z) (k : kernel) : Prop :=
  forall m symbols scalars, width m = w ->
  match admit_ w k symbols scalars with
  | Ok l => correctOn m k l
  | Refused => True
  | Stuck _ | Malformed => False
  end.

(* An accepted certificate discharges its condition, however variables are
   numbered. *)
Lemma proves_discharged d l c left left' : proves d l c left = Some left' -> discharged d.
Proof.
  unfold proves, lists. destruct (_ && _) eqn:E; [|discriminate].
  apply andb_true_iff in E as [F G]. intros R e H.
  apply listWork_refutes in R.
  apply (eqList_sound eqFact eqFact_sound) in F. apply eqPoly_sound in G.
  rewrite <- G, renamePoly_eval.
  apply (obligation_sound _ _ _ R). rewrite Forall_forall. intros f I.
  apply renameFact_holds.
  assert (J : In (renameFact (fun v => nth (Pos.to_nat v - 1)
                (order_ l) 1%positive) f)
              (map claims (rev (under d)))).
  { rewrite <- F. now apply in_map. }
  apply in_map_iff in J as [g [<- J]]. apply in_rev in J.
  rewrite Forall_forall in H. now apply H.
Qed.

Lemma provesAll_discharged all : forall left, provesAll all left = true ->
  forall d lc, In (d, lc) all -> discharged d.
Proof.
  induction all as [|[d [l c]] all IH]; intros left V d' lc I; [destruct I|].
  simpl in V. destruct (proves d l c left) as [left'|] eqn:P; [|discriminate].
  destruct I as [E|I]; [|eapply IH; eauto]. injection E as <- _.
  eapply proves_discharged, P.
Qed.

Lemma verify_discharged w k certificates : verify w k certificates = true ->
  exists s, walkKernel w k noScope = Some (true, s) /\ Forall discharged (vcs s).
Proof.
  unfold verify.
  destruct (walkKernel w k noScope) as [[whole s]|]; [|discriminate].
  rewrite !andb_true_iff. intros [[-> L] V]. exists s. split; [reflexivity|].
  apply Nat.eqb_eq in L.
  apply Forall_forall. intros d I. apply in_rev in I.
  assert (P : exists lc, In (d, lc)
            (combine (rev (vcs s)) (combine (listAll (rev (vcs s)))
               certificates))).
  { assert (Ll : length (listAll (rev (vcs s))) = length (rev (vcs s))).
    { unfold listAll.
      assert (G : forall ds ls, length (fold_left (fun ls d => ls ++ [list_ ls
        d])
                ds ls) = (length ls + length ds)%nat).
      { induction ds as [|x ds IH]; intro ls; simpl; [lia|].
        rewrite IH, app_length. simpl. lia. }
      now rewrite G. }
    assert (Lc : length (combine (listAll (rev (vcs s))) certificates) =
                 length (rev (vcs s))).
    { rewrite combine_length. lia. }
    revert I Lc. generalize (combine (listAll (rev (vcs s))) certificates).
    generalize (rev (vcs s)). clear. induction l as [|x l IH];
      intros [|c cs] I Lc; try discriminate; [destruct I|].
    injection Lc as Lc. destruct I as [<-|I].
    - exists c. now left.
    - destruct (IH cs I Lc) as [lc J]. exists lc. now right. }
  destruct P as [lc P]. eapply provesAll_discharged; eauto.
Qed.

(* The ids of a block get their values. *)
Lemma ids_true : forall gs ids s vs s' e,
  mapEach assumeId gs s = Some (vs, s') -> orderly s -> true_ s e ->
  Forall (below_ (next s)) gs ->
  Forall2 (fun g i => 0 <= i < eval e g) gs ids ->
  exists e', agrees (next s) e e' /\ true_ s' e' /\ map e' vs = ids /\
    Forall (fun v => v < next s')%positive vs.
Proof.
  induction gs as [|g gs IH]; intros ids s vs s' e H O T B I;
    inversion I as [|? y ? ys Y1 Y2]; subst; cbn [mapEach] in H.
  - injection H as <- <-. exists e. conj; auto using agrees_refl.
  - step H v s1 H1. step H vs' s2 H2. injection H as <- <-.
    destruct (assumeId_tame g _ _ _ H1 O) as [O1 G1].
    step H1 v' r1 X1. step H1 u1 r2 X2. step H1 u2 r3 X3. injection H1 as -> ->.
    destruct (fresh_true _ _ _ e y X1 O T) as [-> T1].
    set (e1 := set1 e (next s) y) in *.
    assert (A1 : agrees (next s) e e1) by apply set1_agrees.
    assert (Ey : e1 (next s) = y) by apply set1_same.
    pose proof (Forall_inv B) as B1. pose proof (Forall_inv_tail B) as B2.
    assert (Eg : eval e1 g = eval e g).
    { symmetry. now apply agrees_eval with (next s). }
    assert (T2 : true_ r2 e1).
    { eapply assume_true; [exact X2|exact T1|]. apply holds_ge.
      rewrite variable_eval. lia. }
    assert (T3 : true_ s1 e1).
    { eapply assume_true; [exact X3|exact T2|]. apply holds_ge.
      rewrite sub_eval, plus_eval, variable_eval. lia. }
    pose proof (growsNext _ _ G1) as L1.
    destruct (IH ys s1 vs' s2 e1 H2 O1 T3) as [e2 [A2 [T' [M F]]]].
    + eapply Forall_impl; [|exact B2]. intro p. now apply below_le.
    + assert (X : forall ps is_, Forall (below_ (next s)) ps ->
                Forall2 (fun g i => 0 <= i < eval e g) ps is_ ->
                Forall2 (fun g i => 0 <= i < eval e1 g) ps is_).
      { clear - A1. intros ps is_ B. revert is_.
        induction B as [|p ps P B IHp]; intros is_ X; inversion X; subst;
          constructor; auto.
        now rewrite <- (agrees_eval (next s) e e1 p A1 P). }
      now apply X.
    + exists e2. conj; auto.
      * now apply agrees_trans with (next s1) e1.
      * cbn [map]. f_equal; [|exact M]. rewrite <- Ey. symmetry. apply A2.
        injection X1 as <-. apply assume_inv in X2 as [_ ->].
        apply assume_inv in X3 as [_ ->]. simpl. lia.
      * constructor; [|exact F].
        destruct (tame_mapEach _ _ assumeId_tame _ _ _ H2 O1) as [_ G2].
        pose proof (growsNext _ _ G2).
        injection X1 as <-. apply assume_inv in X2 as [_ ->].
        apply assume_inv in X3 as [_ ->]. simpl in *. lia.
Qed.

(* The contract looks nothing up. *)
Lemma expression_looks vars x : keeps looks (expression vars x).
Proof.
  induction x as [c|name|f l IHl r IHr].
  - apply keep_ret.
  - cbn [expression]. writesNothing.
  - rewrite expression_unfold. apply keep_then; [exact IHl|]. intro.
    apply keep_then; [exact IHr|]. intro.
    destruct f; unfold combination, ratio, rounded; writesNothing.
Qed.
#[local] Hint Resolve expression_looks : silence.
Lemma contract_looks w k : keeps looks (contract w k).
Proof.
  unfold contract, assumeSymbol, assumeSize, requirement, gridAxis, followGiven,
    contentPolys. writesNothing.
Qed.
Lemma whole_looks w k : keeps looks (wholeContract w k).
Proof.
  apply keep_then; [apply contract_looks|]. intro h.
  unfold assumeContents. writesNothing.
Qed.

Section Assembly.

Context (w : Z) (k : kernel) (sD : scope).
Context (walked : walkKernel w k noScope = Some (true, sD))
  (dischargedD : Forall discharged (vcs sD)).

(* The stages of the walk over a kernel. *)
Record stages (h0 h : header) (sA sB sC : scope) : Prop := Stages
  { wide : 8 <= w <= 64;
    contractOf : wholeContract w k noScope = Some (h0, sA);
    bodyOf : walkBody h0 sA = Some (h, sB);
    wholeOf_ : forallb (wholeSite h) (rev (sites sB)) = true;
    pairsOf_ : walkPairs h (facts sA) (next sA) (next sB) (rev (sites sB)) sB =
               Some (tt, sC);
    outputsOf : walkOutputs h (facts sA) (next sA) (next sB) 0 (arguments k)
                  (rev (writes sB)) sC = Some (tt, sD) }.

Lemma stages_of : exists h0 h sA sB sC, stages h0 h sA sB sC.
Proof.
  pose proof walked as H. unfold walkKernel in H.
  step H u0 s0 H0. unfold check in H0.
  destruct (_ && _) eqn:Wi; [|discriminate]. injection H0 as _ <-.
  step H h0 sA H1. step H fs s1 H2. injection H2 as <- <-.
  step H fr s1 H3. injection H3 as <- <-.
  step H h sB H4. step H un s1 H5. injection H5 as <- <-.
  step H ss s1 H6. injection H6 as <- <-.
  step H ws s1 H7. injection H7 as <- <-.
  step H u1 sC H8. destruct u1. step H u2 s1 H9. destruct u2.
  injection H as Wh E. subst s1.
  exists h0, h, sA, sB, sC. split; auto. lia.
Qed.

Section Stages.

Context (h0 h : header) (sA sB sC : scope) (St : stages h0 h sA sB sC).

(* What contract and walk leave behind. *)
Record behind : Prop := Behind
  { orderA : orderly sA;
    kernelA : kernel_ h0 = k;
    bitsA : bits h0 = w;
    sitesA : sites sA = [];
    writesA : writes sA = [];
    looksA : looks sA = [];
    growsB : grows sA sB;
    growsC : grows sB sC;
    definedC : defined sC = defined sB;
    growsD : grows sC sD }.

Lemma is_behind : behind.
Proof.
  pose proof (walkPairs_adds _ _ _ _ _ _ _ _ (pairsOf_ _ _ _ _ _ St))
    as [[An Ad [ds Ab] As Aw] _].
  assert (Gc : grows sB sC).
  { split; [exact An| |now exists ds|now exists []|now exists []].
    exists []. split; [exact Ad|]. now constructor. }
  destruct (pure_whole w k) as [Tc [_ Qc]].
  destruct (Tc _ _ _ (contractOf _ _ _ _ _ St)) as [Oa _].
  { split; constructor. }
  destruct (Qc _ _ _ (contractOf _ _ _ _ _ St)) as [Sa Wa].
  assert (Hd : kernel_ h0 = k /\ bits h0 = w).
  { pose proof (contractOf _ _ _ _ _ St) as H. unfold wholeContract in H.
    step H h1 s1 H1. step H u s2 H2. injection H as -> _. unfold contract in H1.
    repeat match type of H1 with andThen _ _ _ = _ =>
      apply andThen_inv in H1 as [? [? [_ H1]]] end.
    injection H1 as <- _. auto. }
  destruct Hd as [Hk Hb].
  assert (Wi : 8 <= bits h0 <= 64) by (rewrite Hb; apply St).
  split; auto.
  - exact (whole_looks w k _ _ _ (contractOf _ _ _ _ _ St)).
  - eapply body_grows; eauto using bodyOf.
  - eapply outputs_grow; eauto using bodyOf, outputsOf.
Qed.

Lemma dischargedB : Forall discharged (vcs sB).
Proof.
  destruct is_behind. eapply grows_discharged; [exact growsC0|].
  now apply grows_discharged with sD.
Qed.

Context (m : machine) (l : launch) (e0 : values) (isW : width m = w)
  (given : initial_) (keepsIt : keepsGivens k l given = true)
  (trueA : true_ sA e0) (launchedA : launched w k h0 l e0)
  (headerA : boundHeader (next sA) h0).

Notation take ids :=
  (permitted l h given ids (next sA) e0 (sites sB) (defined sB)).

Lemma box_grid ids : inBox (gridOf l) ids ->
  Forall2 (fun g i => 0 <= i < eval e0 g) (gridPolys h0) ids.
Proof.
  rewrite <- (isGrid _ _ _ _ _ launchedA). unfold inBox.
  generalize (gridPolys h0). intros gs. revert ids.
  induction gs as [|g gs IH]; intros ids B; inversion B; subst; constructor;
    auto.
Qed.

(* The walk over the body, for a block with these ids. *)
Lemma block_sound ids : inBox (gridOf l) ids ->
  sound k given (take ids) (fun _ _ => True) (fun _ _ => False)
    (runBlock m k l ids).
Proof.
  intro In_. pose proof is_behind as Bh. destruct Bh.
  pose proof (bodyOf _ _ _ _ _ St) as H. unfold walkBody in H.
  step H vs s1 H1. step H es s2 H2. injection H as Eh E2. subst s2.
  destruct (tame_mapEach _ _ assumeId_tame _ _ _ H1 orderA0) as [O1 G1].
  pose proof (boundHeader_grid _ _ headerA) as Hg.
  destruct (ids_true _ ids _ _ _ e0 H1 orderA0 trueA Hg (box_grid ids In_))
    as [e1 [A1 [T1 [M1 F1]]]].
  rewrite Eh in H2.
  assert (Ev : idVars h = vs) by now rewrite <- Eh.
  assert (Kh : kernel_ h = k) by (rewrite <- Eh; exact kernelA0).
  rewrite Kh in H2.
  assert (L1 : launched w k h l e1).
  { rewrite <- Eh. apply launched_header.
    now apply launched_agrees with (next sA) e0. }
  assert (G1n : (next sA <= next s1)%positive) by apply G1.
  assert (At_ : at_step w k h l given ids e0 (next sA) s1 e1
            (argumentNames 0 (arguments k) noNames) (initial k l) (fun _ _ =>
              False)).
  { split; auto.
    - now rewrite Ev.
    - rewrite <- Eh. destruct headerA as [Hs [Hp Hi]]. split; [|split]; simpl.
      + eapply Forall_impl; [|exact Hs]. cbv beta. intros. lia.
      + eapply Forall_impl; [|exact Hp]. intro p. now apply below_le.
      + exact F1.
    - apply names_bound.
    - eapply initial_described; exact L1.
    - replace (looks s1) with (@nil lookup); [constructor|].
      rewrite <- looksA0. symmetry.
      apply (keep_mapEach (part := looks) _ _ assumeId_looks _ _ _ H1). }
  unfold runBlock. eapply sound_bind.
  - eapply (proj1 (code_sound w k h l m given ids e0 (next sA) sB keepsIt isW
      In_ dischargedB)); [exact H2|exact At_|apply grows_refl].
  - intros d' a _ _. now apply sound_ok.
Qed.

Lemma sites_good st : In st (rev (sites sB)) ->
  goodSite (facts sA) (next sB) (defined sB) st.
Proof.
  intro I. apply in_rev in I. pose proof is_behind as Bh. destruct Bh.
  pose proof (bodyOf _ _ _ _ _ St) as H. unfold walkBody in H.
  step H vs s1 H1. step H es s2 H2. injection H as Eh E2. subst s2.
  rewrite Eh in H2.
  assert (Wi : 8 <= bits h <= 64).
  { rewrite <- Eh. simpl. rewrite bitsA0. apply St. }
  assert (N1 : noted_ (facts sA) s1).
  { eapply (noted_claimsNothing (facts sA)); [| | |exact H1|].
    - apply tame_mapEach, assumeId_tame.
    - apply scopes_mapEach, assumeId_scopes.
    - apply keep_mapEach. intro g. unfold assumeId. writesNothing.
    - split; [exact orderA0|]. split; [now exists []|]. now rewrite sitesA0. }
  destruct (proj1 (code_claims h Wi (facts sA)) _ _ _ _ _ _ _ H2 N1)
    as [_ [_ C]].
  rewrite Forall_forall in C. destruct (C st I) as [M [B [Ix So]]].
  split; [exact M|]. split; [exact B|]. split; [exact Ix|].
  intros f d p J R. rewrite Forall_forall in So. specialize (So f J).
  unfold sourced in So. rewrite R in So. apply So.
Qed.

Lemma ids_apart ids1 ids2 t a : ids1 <> ids2 -> take ids1 t a ->
  take ids2 t a -> False.
Proof.
  intros Ne T1 T2. pose proof is_behind as Bh. destruct Bh.
  assert (Rv : forall ids, take ids t a ->
            permitted l h given ids (next sA) e0 (rev (sites sB))
              (defined sB) t a).
  { intros ids [s [e [ex [I R]]]]. exists s, e, ex. split; [|exact R].
    now apply in_rev in I. }
  pose proof (bodyOf _ _ _ _ _ St) as H. unfold walkBody in H.
  step H vs s1 H1. step H es s2 H2. injection H as Eh E2. subst s2.
  destruct (tame_mapEach _ _ assumeId_tame _ _ _ H1 orderA0) as [O1 G1].
  assert (Wi : 8 <= bits h <= 64).
  { rewrite <- Eh. simpl. rewrite bitsA0. apply St. }
  rewrite Eh in H2.
  destruct (proj1 (code_tame h Wi) _ _ _ _ _ _ _ H2 O1) as [_ G2].
  assert (Pc : Forall discharged (vcs sC)) by now apply grows_discharged with sD.
  eapply (pairs_apart w k h (facts sA) (next sA) (next sB) (rev (sites sB)) sB
    tt sC (defined sB) l given e0 ids1 ids2 t a);
    eauto using pairsOf_, sites_good.
  - now apply growsNext.
  - lia.
  - apply orderA0.
  - rewrite <- Eh. apply headerA.
  - rewrite <- Eh. simpl.
    pose proof (ids_introduced _ _ _ _ H1 orderA0) as Pv.
    eapply Forall_impl; [|exact Pv]. intros v [_ [V _]].
    pose proof (growsNext _ _ G2). lia.
  - rewrite <- Eh. now apply launched_header.
Qed.

(* Where the contents are these. *)
Lemma launch_steps :
  (forall s b, reaches (start m k l given) s -> (b < blockCount l)%nat ->
     exists s', stepBlock s b = Ok s') /\
  (forall s r, reaches (start m k l given) s -> ~ breaks k l s r) /\
  (forall s t ten extents by_ a b x y, reaches (start m k l given) s ->
     tensorOf k t = Some ten -> sharesByte (elements ten) = true ->
     extentsOf l t = Some extents ->
     Addresses.stridesOf (symbolOf l) ten extents = Ok by_ ->
     (isShared ten = false -> noOverlap extents by_ = true) ->
     owner s t a = Some x -> owner s t b = Some y ->
     Addresses.offset by_ a / 2 = Addresses.offset by_ b / 2 -> x = y).
Proof.
  pose proof is_behind as Bh. destruct Bh.
  assert (Gr : Forall (Z.le 0) (gridOf l)).
  { eapply Forall_impl; [|apply (isGridSize _ _ _ _ _ launchedA)].
    cbv beta. lia. }
  destruct (blocks_of_grid l Gr) as [In_ [Has Inj]].
  assert (wholeB : forallb (wholeSite h) (sites sB) = true).
  { apply forallb_forall. intros st I. apply in_rev in I. revert st I.
    apply forallb_forall. apply St. }
  assert (launchedB : forall e, agrees (next sA) e0 e -> launched w k h l e).
  { intros e A. pose proof (bodyOf _ _ _ _ _ St) as H. unfold walkBody in H.
    step H vs s1 H1. step H es s2 H2. injection H as <- _.
    apply launched_header. now apply launched_agrees with (next sA) e0. }
  set (takes_ := fun b => take (blockIds l b)).
  assert (Bs : forall b, (b < blockCount l)%nat ->
            sound k given (takes_ b) (fun _ _ => True) (fun _ _ => False)
              (runBlock m k l (blockIds l b))).
  { intros b B. apply block_sound. now apply In_. }
  assert (Ap : forall b c t a, (b < blockCount l)%nat ->
            (c < blockCount l)%nat -> takes_ b t a -> takes_ c t a -> b = c).
  { intros b c t a B C T1 T2. destruct (Nat.eq_dec b c) as [E|Ne]; [exact E|].
    exfalso. apply (ids_apart (blockIds l b) (blockIds l c) t a); auto. }
  assert (Go : forall s b, reaches (start m k l given) s ->
            (b < blockCount l)%nat -> exists s', stepBlock s b = Ok s').
  { intros s b. now apply (blocks_step m k l given takes_). }
  split; [exact Go|]. split; cycle 1.
  { intros s t ten extents by_ a b x y R Tn Sh Ex By No Oa Ob E.
    destruct (reached_kept m k l given takes_ Bs s R) as [_ [_ [Ow _]]].
    apply Ow in Oa as [X Ta]. apply Ow in Ob as [Y Tb].
    apply Inj; auto.
    apply (BytesSound.bytes_apart w k h l given (next sA) e0 (sites sB)
             (defined sB) launchedB wholeB t ten extents by_ Tn Sh Ex By _ _ a b
             No); auto.
    intros c T1 T2. f_equal. now apply (Ap x y t c). }
  intros s r R [[b Sb]|[-> [E [t [ten [ex [a [Tn [Mo [Ex [Ia N]]]]]]]]]]].
  - destruct (Nat.lt_ge_cases b (blockCount l)) as [B|B].
    + destruct (Go s b R B) as [s' Ok_]. congruence.
    + destruct (reached_kept m k l given takes_ Bs s R) as [Len _].
      unfold stepBlock in Sb. rewrite (proj2 (nth_error_None _ _)) in Sb;
        [discriminate|lia].
  - assert (Su : exists ids, inBox (gridOf l) ids /\
              surely k given t a (runBlock m k l ids)).
    { eapply (outputs_written k h0 h sA sB sC sD) with (w := w) (e0 := e0)
        (ten := ten) (extents := ex); eauto using bodyOf, outputsOf.
      rewrite bitsA0. apply St. }
    destruct Su as [ids [B Su]]. destruct (Has ids B) as [b [Lb <-]].
    now apply (surely_written m k l given s b t a R Lb Su E).
Qed.

End Stages.

End Assembly.

Lemma launch_correct m k l :
  (forall given, keepsGivens k l given = true ->
     (forall s b, reaches (start m k l given) s -> (b < blockCount l)%nat ->
        exists s', stepBlock s b = Ok s') /\
     (forall s r, reaches (start m k l given) s -> ~ breaks k l s r) /\
     (forall s t ten extents by_ a b x y, reaches (start m k l given) s ->
        tensorOf k t = Some ten -> sharesByte (elements ten) = true ->
        extentsOf l t = Some extents ->
        Addresses.stridesOf (symbolOf l) ten extents = Ok by_ ->
        owner s t a = Some x -> owner s t b = Some y ->
        Addresses.offset by_ a / 2 = Addresses.offset by_ b / 2 -> x = y)) ->
  correctOn m k l.
Proof.
  intro Steps. split.
  - intros given s r K R. now apply (Steps given K).
  - intros given s b [K R] B. now apply (Steps given K).
  - intros given s t a [K R]. now apply Owned.frame.
  - intros given es s p q K R P Q. apply (runs_apart m k l given es s); auto.
    intros t ten extents by_ a b x y.
    apply (proj2 (proj2 (Steps given K))). eapply runs_reaches, R.
  - intros given K. destruct (runs_bounded (start m k l given)) as [n N].
    exists n. intros es s R. split; [eapply N, R|].
    apply (runs_on m k l given); [exact (proj1 (Steps given K))|].
    eapply runs_reaches, R.
  - intros given K.
    destruct (Determinism.sequential_ends m k l given) as [s [F [E D]]].
    { exact (proj1 (Steps given K)). }
    exists s. split; [exact F|]. split.
    { pose proof (finishAll_spec (seq 0 (blockCount l)) (start m k l given))
        as P. rewrite F in P. now split. }
    split; [exact E|]. intros s' [_ R']. now apply D.
Qed.

(* T9. *)
Theorem verified w k certificates : verify w k certificates = true ->
  correct w k.
Proof.
  intros V m symbols scalars W. apply verify_discharged in V as [sD [Wk P]].
  destruct (stages_of w k sD Wk) as [h0 [h [sA [sB [sC St]]]]].
  pose proof (is_behind w k sD h0 h sA sB sC St) as Bh. destruct Bh.
  assert (Pa : Forall discharged (vcs sA)).
  { apply (grows_discharged sA sB); auto. now apply (dischargedB w k sD P h0 h sA sB sC). }
  destruct (whole_sound w k h0 sA (contractOf _ _ _ _ _ _ _ _ St)
    (wide _ _ _ _ _ _ _ _ St) Pa) as [Hd Adm].
  specialize (Adm symbols scalars).
  destruct (admit_ w k symbols scalars) as [l| | |] eqn:Ad; auto.
  destruct Adm as [e0 [L T]].
  apply launch_correct. intros given K.
  destruct (launch_steps w k sD P h0 h sA sB sC St m l e0 W given K
    (T given K) L) as [Go [Sf By]]; auto.
  split; [exact Go|]. split; [exact Sf|].
  intros s t ten extents by_ a b x y R Tn Sh Ex Sy.
  apply (By s t ten extents by_ a b x y); auto. intro N.
  destruct (Addresses.admit_tensor _ _ _ _ _ _ _ Ad Tn) as [Es [es [Ex' C]]].
  rewrite Ex in Ex'. injection Ex' as <-. rewrite Es in Sy.
  apply Addresses.checkTensor_inv in C as [_ [by' [Sy' [_ O]]]].
  rewrite Sy in Sy'. injection Sy' as <-. now apply O.
Qed.
