(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Two blocks never take a common element: were there one, the facts of a pair
   of claims would have values, and then no certificate could refute them. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export Copies ContentsSound.
Import ListNotations.
Open Scope Z_scope.

(* The element, axis by axis. *)

Lemma inTile_allows p i t s u s' e : inTile p i t s = Some (u, s') ->
  allows s e -> onAxis (eval e p) (t, eval e i) ->
  next s' = next s /\ allows s' e.
Proof.
  unfold inTile, because, onAxis. simpl. intros H F R.
  destruct (Z.eqb_spec t 1) as [->|N].
  - eapply allows_assume; [exact H|exact F|]. apply holds_eq.
    rewrite sub_eval. lia.
  - apply andThen_inv in H as [x [s1 [H1 H2]]].
    eapply allows_assume in H1 as [<- F1]; [|exact F|].
    + eapply allows_assume; [exact H2|exact F1|]. apply holds_ge.
      rewrite sub_eval, plus_eval, mul_eval, constant_eval. lia.
    + apply holds_ge. rewrite sub_eval, mul_eval, constant_eval. lia.
Qed.

(* A coordinate on an axis of a view. *)
Definition cellOk (e : values) (c : cell) (y : Z) : Prop :=
  onAxis y (cellTile c, eval e (cellIndex c)) /\ y < eval e (cellExtent c).

Lemma inCell_allows c p s u s' e : inCell c p s = Some (u, s') ->
  allows s e -> cellOk e c (eval e p) -> next s' = next s /\ allows s' e.
Proof.
  unfold inCell, because. intros H F [A B].
  apply andThen_inv in H as [x [s1 [H1 H2]]].
  eapply inTile_allows in H1 as [<- F1]; [|exact F|exact A].
  eapply allows_assume; [exact H2|exact F1|]. apply holds_ge.
  rewrite sub_eval, plus_eval. lia.
Qed.

Lemma Forall2_both {A B} (R : A -> B -> Prop) x l y l' :
  Forall2 R (x :: l) (y :: l') -> R x y /\ Forall2 R l l'.
Proof. intro F. inversion F. auto. Qed.

Fixpoint total (e : values) (cs : list cell) (ys : list Z) : Z :=
  match cs, ys with
  | c :: cs', y :: ys' => eval e (cellScale c) * y + total e cs' ys'
  | _, _ => 0
  end.

(* Whatever is named later. *)
Definition firm (s : scope) (e : values) (P : values -> Prop) : Prop :=
  forall e', agrees (next s) e e' -> P e'.

Lemma inCells_allows : forall cs ys rest s u s' e,
  inCells cs rest s = Some (u, s') -> allows s e ->
  firm s e (fun e' => Forall2 (cellOk e') cs ys /\
                      eval e' rest = total e' cs ys) ->
  exists e', agrees (next s) e e' /\ (next s <= next s')%positive /\
    allows s' e'.
Proof.
  induction cs as [|c cs IH]; intros ys rest s u s' e H F K;
    cbn [inCells] in H.
  - destruct (K e (agrees_refl _ _)) as [L R]. exists e.
    split; [apply agrees_refl|]. eapply allows_assume in H as [N F1];
      [|exact F|]; [rewrite N; split; [lia|exact F1]|].
    apply holds_eq. rewrite R. reflexivity.
  - apply andThen_inv in H as [v [s1 [H0 H]]].
    apply andThen_inv in H as [u2 [s2 [H1 H]]].
    destruct ys as [|y ys].
    { destruct (K e (agrees_refl _ _)) as [L _]. inversion L. }
    apply (allows_fresh _ _ _ e y) in H0 as [-> [E F1]]; [|exact F].
    set (e1 := set1 e (next s) y) in *.
    assert (A : agrees (next s) e e1) by apply set1_agrees.
    assert (V : e1 (next s) = y) by apply set1_same.
    destruct (K e1 A) as [L _]. apply Forall2_both in L as [C _].
    eapply inCell_allows in H1 as [E2 F2]; [|exact F1|].
    2: { now rewrite variable_eval, V. }
    destruct (IH ys _ _ _ _ e1 H F2) as [e2 [A2 [N2 F3]]].
    { intros e' A'. rewrite E2, E in A'.
      assert (Ae : agrees (next s) e e').
      { apply agrees_trans with (Pos.succ (next s)) e1; auto. lia. }
      destruct (K e' Ae) as [L' R']. apply Forall2_both in L' as [_ L'].
      split; [exact L'|].
      rewrite sub_eval, mul_eval, variable_eval, R'. cbn [total].
      rewrite <- (A' (next s)) by lia. rewrite V. lia. }
    exists e2. rewrite E2, E in A2, N2. split; [|split; [lia|exact F3]].
    apply agrees_trans with (Pos.succ (next s)) e1; auto. lia.
Qed.

(* The coordinates of these axes do not depend on what is named later. *)
Fixpoint drawn (k : nat) (cs : list cell) (x : list Z) : list Z :=
  match cs, x with
  | c :: cs', y :: x' =>
      if Nat.eqb (cellAxis c) k then y :: drawn k cs' x' else drawn k cs' x'
  | _, _ => []
  end.
Lemma reach_drawn e k : forall cs x, Forall2 (cellOk e) cs x ->
  Forall2 (cellOk e) (filter (fun c => Nat.eqb (cellAxis c) k) cs)
    (drawn k cs x) /\
  reach 0 Z.add Z.mul k
    (map (fun c => (cellAxis c, eval e (cellScale c))) cs) x =
  total e (filter (fun c => Nat.eqb (cellAxis c) k) cs) (drawn k cs x).
Proof.
  induction 1 as [|c y cs x C F [L R]]; simpl; [auto|].
  destruct (Nat.eqb (cellAxis c) k); [|auto].
  split; [now constructor|]. simpl. now rewrite R.
Qed.

Lemma placeFrom_nth l x : forall o k i y, nth_error o i = Some y ->
  nth_error (placeFrom 0 Z.add Z.mul k o l x) i =
  Some (y + reach 0 Z.add Z.mul (k + i) l x).
Proof.
  induction o as [|z o IH]; intros k [|i] y E; try discriminate; simpl in *.
  - injection E as ->. now rewrite Nat.add_0_r.
  - rewrite (IH (S k) i y E). now rewrite Nat.add_succ_r.
Qed.

Section Axes.

Context (from until : var).

(* One of the two claims: its names, and the coordinates of an element in what
   it claims a tile of. *)
Record located (r : var -> var) (st : site) (target : values)
  (es : list poly) (a x : list Z) : Prop := Located
  { belowView : boundView until (seen st);
    belowIndices : Forall (below_ until) (indices st);
    ofRoot : steps st = [] -> seen st = wholePoly (root (seen st)) es;
    anAxis : length (along (seen st)) = length x;
    anExtent : length (extents_ (seen st)) = length x;
    isPlace : a = placeOf (evalView target (seen st)) x;
    isBelow : Forall2 Z.lt x (map (eval target) (extents_ (seen st)));
    isTile : Forall2 onAxis x
      (combine (tileExtents (places st)) (map (eval target) (indices st))) }.

Lemma cells_ok r st target es a x n e : located r st target es a x ->
  copies until r n e target ->
  Forall2 (cellOk e) (cellsOf r st) x /\
  map (fun c => (cellAxis c, eval e (cellScale c))) (cellsOf r st) =
  along (evalView target (seen st)).
Proof.
  intros [[Be [_ Ba]] Bi _ La Le _ X T] C. unfold cellsOf, evalView, mapView.
  cbn [along]. revert La Le X T Be Ba Bi. generalize (along (seen st)) as al.
  generalize (extents_ (seen st)) as ext. generalize (tileExtents (places st))
    as ts. generalize (indices st) as is_. clear - C.
  induction x as [|y x IH]; intros is_ ts [|p ext] [|[k c] al] La Le X T Be Ba
    Bi; try discriminate; simpl.
  - split; [constructor|reflexivity].
  - destruct ts as [|t ts]; [inversion T|].
    destruct is_ as [|i is_]; [inversion T|]. simpl in *.
    inversion X. inversion T. inversion Be. inversion Ba. inversion Bi. subst.
    injection La as La. injection Le as Le.
    destruct (IH is_ ts ext al) as [F M]; auto. split.
    + constructor; [|exact F]. unfold cellOk. simpl.
      rewrite !(copies_eval _ _ _ _ _ _ C) by assumption. auto.
    + rewrite M. simpl in *.
      now rewrite (copies_eval _ _ _ _ _ _ C) by assumption.
Qed.

Lemma inRegion_allows r st target es a x k v y s u s' e :
  located r st target es a x -> inRegion r st k (variable v) s = Some (u, s') ->
  allows s e -> copies until r (next s) e target -> (v < next s)%positive ->
  e v = y -> nth_error a k = Some y ->
  exists e', agrees (next s) e e' /\ (next s <= next s')%positive /\
    allows s' e'.
Proof.
  intros P H F C Lv Ev Na.
  assert (K : firm s e (fun e' => Forall2 (cellOk e') (cellsOf r st) x /\
    map (fun c => (cellAxis c, eval e' (cellScale c))) (cellsOf r st) =
    along (evalView target (seen st)) /\ e' v = y /\
    copies until r (next s) e' target)).
  { intros e' A. assert (C' : copies until r (next s) e' target).
    { apply (copies_grow until r (next s) (next s) e e' target); auto. lia. }
    destruct (cells_ok _ _ _ _ _ _ _ _ P C'). rewrite <- (A v Lv). auto. }
  unfold inRegion in H. destruct (steps st) as [|first way] eqn:St.
  - apply andThen_inv in H as [c [s1 [H1 H]]]. unfold given in H1.
    destruct (nth_error (cellsOf r st) k) as [c'|] eqn:Nc; [|discriminate].
    injection H1 as -> <-. destruct (K e (agrees_refl _ _)) as [Ok _].
    assert (Eq : a = x).
    { rewrite (isPlace _ _ _ _ _ _ P), (ofRoot _ _ _ _ _ _ P St), whole_eval.
      apply place_whole. rewrite map_length.
      pose proof (anExtent _ _ _ _ _ _ P) as L.
      rewrite (ofRoot _ _ _ _ _ _ P St) in L. now symmetry. }
    assert (Oc : cellOk e c y).
    { rewrite Eq in Na. clear - Ok Nc Na. revert k Nc Na.
      induction Ok as [|c' y' cs x' O Ok IH]; intros [|k] Nc Na;
        try discriminate; simpl in *.
      - congruence.
      - now apply (IH k). }
    destruct Oc as [Oa _].
    eapply inTile_allows in H as [N F1]; [|exact F|].
    + exists e. rewrite N. split; [apply agrees_refl|]. split; [lia|exact F1].
    + now rewrite variable_eval, Ev.
  - clear first way St. apply andThen_inv in H as [o [s1 [H1 H]]].
    unfold given in H1.
    destruct (nth_error (origin (seen st)) k) as [o'|] eqn:No; [|discriminate].
    injection H1 as -> <-. cbv zeta in H.
    set (rest := sub (variable v) (renamePoly r o)) in *.
    set (ys := drawn k (cellsOf r st) x).
    assert (R : firm s e (fun e' =>
      Forall2 (cellOk e') (filter (fun c => Nat.eqb (cellAxis c) k) (cellsOf r
        st)) ys /\
      eval e' rest = total e' (filter (fun c => Nat.eqb (cellAxis c) k)
                                 (cellsOf r st)) ys)).
    { intros e' A. destruct (K e' A) as [Ok [Al [V C']]].
      destruct (reach_drawn e' k _ _ Ok) as [L T]. split; [exact L|].
      unfold ys. rewrite <- T, Al. unfold rest.
      rewrite sub_eval, variable_eval, V, (copies_eval _ _ _ _ _ _ C').
      2: { destruct (belowView _ _ _ _ _ _ P) as [_ [Bo _]].
        rewrite Forall_forall in Bo. eapply Bo, nth_error_In, No. }
      pose proof Na as Na'.
      rewrite (isPlace _ _ _ _ _ _ P) in Na'. unfold placeOf, place in Na'.
      rewrite (placeFrom_nth _ _ _ 0 k (eval target o)) in Na'.
      + injection Na' as <-. simpl. lia.
      + cbn [origin evalView mapView]. now apply map_nth_error. }
    assert (General : forall cs, cs = filter (fun c => Nat.eqb (cellAxis c) k)
        (cellsOf r st) -> inCells cs rest s = Some (u, s') ->
      exists e', agrees (next s) e e' /\ (next s <= next s')%positive /\
        allows s' e').
    { intros cs -> H'. eapply inCells_allows; eauto. }
    destruct (filter _ _) as [|c [|c' cs]]; try (now apply (General _ eq_refl)).
    destruct (eqPoly (cellScale c) (constant 1)) eqn:One;
      [|now apply (General _ eq_refl)].
    destruct (R e (agrees_refl _ _)) as [L T].
    apply eqPoly_sound in One.
    inversion L as [|? y' ? ys' Oc Nil Ec Ey]. inversion Nil. subst ys'.
    rewrite <- Ey in T. cbn [total] in T. rewrite One, constant_eval in T.
    eapply inCell_allows in H as [N F1]; [|exact F|].
    + exists e. rewrite N. split; [apply agrees_refl|]. split; [lia|exact F1].
    + replace (eval e rest) with y' by lia. exact Oc.
Qed.

Lemma meet_allows one two x y e1 e2 all ax bx a : 
  located one x e1 all a ax -> located two y e2 all a bx ->
  forall es at_ k s u s' e,
  Forall2 (fun p z => below_ from p /\ z < eval e1 p) es at_ ->
  (forall i z, nth_error at_ i = Some z -> nth_error a (k + i) = Some z) ->
  meet one two x y k es s = Some (u, s') ->
  (from <= next s)%positive -> agrees from e1 e -> allows s e ->
  copies until one (next s) e e1 -> copies until two (next s) e e2 ->
  exists e', allows s' e'.
Proof.
  intros Px Py. induction es as [|p es IH]; intros at_ k s u s' e B Nth H L Ag F
    N1 N2; cbn [meet] in H.
  { injection H as _ <-. eauto. }
  inversion B as [|? z ? at' [P X] B']. subst.
  apply andThen_inv in H as [v [s1 [H0 H]]].
  apply andThen_inv in H as [u2 [s2 [H1 H]]].
  apply andThen_inv in H as [u3 [s3 [H2 H]]].
  apply andThen_inv in H as [u4 [s4 [H3 H]]].
  apply (allows_fresh _ _ _ e z) in H0 as [-> [E F1]]; [|exact F].
  set (e' := set1 e (next s) z) in *.
  assert (A : agrees (next s) e e') by apply set1_agrees.
  assert (L1 : (next s <= next s1)%positive) by (rewrite E; lia).
  apply (copies_grow _ _ _ _ _ _ _ L1 A) in N1, N2.
  assert (V : e' (next s) = z) by apply set1_same.
  assert (Na : nth_error a k = Some z).
  { rewrite <- (Nat.add_0_r k). now apply Nth. }
  assert (Lv : (next s < next s1)%positive) by (rewrite E; lia).
  destruct (inRegion_allows _ _ _ _ _ _ _ _ _ _ _ _ _ Px H1 F1 N1 Lv V Na)
    as [ea [Aa [La Fa]]].
  apply (copies_grow _ _ _ _ _ _ _ La Aa) in N1, N2.
  assert (Va : ea (next s) = z) by now rewrite <- (Aa _ Lv).
  assert (Lva : (next s < next s2)%positive) by lia.
  destruct (inRegion_allows _ _ _ _ _ _ _ _ _ _ _ _ _ Py H2 Fa N2 Lva Va Na)
    as [eb [Ab [Lb Fb]]].
  apply (copies_grow _ _ _ _ _ _ _ Lb Ab) in N1, N2.
  assert (Vb : eb (next s) = z) by now rewrite <- (Ab _ Lva).
  assert (Ag' : agrees from e1 eb).
  { apply agrees_trans with from e; [lia|exact Ag|].
    apply agrees_trans with (next s) e'; [lia| |].
    { now apply agrees_le with (next s). }
    apply agrees_trans with (next s1) ea; [lia| |].
    - now apply agrees_le with (next s1).
    - now apply agrees_le with (next s2); [lia|]. }
  eapply allows_assume in H3 as [E3 F4]; [|exact Fb|].
  - rewrite <- E3 in N1, N2.
    apply (IH at' (S k) s4 u s' eb B'); auto.
    + intros i w Ni. rewrite Nat.add_succ_comm. now apply Nth.
    + lia.
  - apply holds_ge. rewrite sub_eval, plus_eval, variable_eval, Vb,
      <- (agrees_eval from e1 eb p Ag' P). lia.
Qed.

End Axes.

Lemma Forall2_length {A B} (R : A -> B -> Prop) l l' : Forall2 R l l' ->
  length l = length l'.
Proof. induction 1; simpl; congruence. Qed.

Lemma site_located until r es p st a e : 
  siteBelow until es st = true -> Forall (below_ until) (indices st) ->
  places st = p -> length (extents_ (seen st)) = length (tile p) ->
  length (along (seen st)) = length (tile p) ->
  inSite e (map (eval e) es) st a ->
  inBox (map (eval e) es) a /\ exists x, located until r st e es a x.
Proof.
  intros Sb Bi <- Le La I. apply tileOf_spec in I as [Box [x [-> [X F]]]].
  split; [exact Box|]. exists x.
  assert (Lx : length x = length (extents_ (seen st))).
  { apply inBox_below in X. apply Forall2_length in X. rewrite X.
    unfold evalView, mapView. simpl. apply map_length. }
  split; auto; try congruence.
  - eapply siteBelow_view; eauto.
  - intro E. eapply siteBelow_whole; eauto.
  - now apply inBox_below in X.
Qed.

Lemma extentPolys_below n vars t es :
  Forall (fun s => fst (snd s) < n)%positive vars ->
  extentPolys vars t = Some es -> Forall (below_ n) es.
Proof.
  intro B. unfold extentPolys. revert es.
  induction (dims t) as [|d ds IH]; intros es H; simpl in H.
  { injection H as <-. constructor. }
  destruct (dimPoly vars d) as [p|] eqn:P; [|discriminate].
  destruct (all _ ds) as [ps|]; [|discriminate]. injection H as <-.
  constructor; [|now apply IH]. destruct d as [c|name]; simpl in P.
  - injection P as <-. apply constant_below.
  - destruct (symbolOf_ vars name) as [[v e]|] eqn:S; [|discriminate].
    unfold symbolOf_ in S.
    destruct (find _ _) as [[x [v' e']]|] eqn:F in S; [|discriminate].
    injection S as -> ->. apply find_some in F as [I _].
    rewrite Forall_forall in B. specialize (B _ I). simpl in B.
    destruct e; try discriminate. injection P as <-.
    now apply variable_below.
Qed.

(* A pair of claims. *)

Section Pair.

Context (w : Z) (k : kernel) (h : header) (l : launch) (given : initial_)
  (e0 : values).
Context (keepsIt : keepsGivens k l given = true).
Context (launch_ : list scoped) (from until : var) (ds : list definition).
Context (Order : (from <= until)%positive).
Context (Launch_ : Forall (fun f => boundFact from (claims f)) launch_).
Context (Symbols : Forall (fun s => fst (snd s) < from)%positive
                     (symbolVars h)).
Context (Ids : Forall (fun v => v < until)%positive (idVars h)).
Context (Launched : launched w k h l e0).

Definition goodSite (st : site) : Prop :=
  (exists more, siteFacts st = more ++ launch_) /\
  Forall (fun f => boundFact until (claims f)) (siteFacts st) /\
  Forall (below_ until) (indices st) /\
  (forall f d p, In f (siteFacts st) -> reason_ f = ByDefinition d p ->
     In d ds).

(* Values of a block that took this element through this claim. *)
Definition takes (st : site) (a extents : list Z) (e : values) : Prop :=
  inSite e extents st a /\ agrees from e0 e /\
  Forall (fun f => holds e (claims f)) (siteFacts st) /\
  Forall (canonical e) ds /\
  Forall (lookupHolds k l given e) (lookups (siteFacts st)).

(* What both blocks looked up is what is there at the start. *)
Lemma siteLookups_lookup r st e target n : copies until r n e target ->
  lookupsBelow until (lookups (siteFacts st)) = true ->
  Forall (lookupHolds k l given target) (lookups (siteFacts st)) ->
  Forall (lookupHolds k l given e) (siteLookups r st).
Proof.
  intros C B L. unfold siteLookups. apply Forall_map.
  unfold lookupsBelow in B. rewrite forallb_forall in B.
  rewrite Forall_forall in *. intros u I. specialize (B u I).
  apply andb_true_iff in B as [B V]. apply Pos.ltb_lt in V.
  destruct (L u I) as (t & es & T & E & In_ & Eq). exists t, es.
  cbn [renameLookup lookupTensor lookupPlace held].
  replace (map (eval e) (map (renamePoly r) (lookupPlace u)))
    with (map (eval target) (lookupPlace u)).
  - destruct (C _ V) as [_ ->]. auto.
  - rewrite map_map. apply map_ext_in. intros p P.
    rewrite forallb_forall in B. specialize (B p P).
    apply polyBelow_spec in B. symmetry. eapply copies_eval; eauto.
Qed.
Lemma acrossBlocks_allows one two s u s' e :
  acrossBlocks (givenPolys h) one two s = Some (u, s') -> allows s e ->
  Forall (lookupHolds k l given e) one -> Forall (lookupHolds k l given e) two ->
  next s' = next s /\ allows s' e.
Proof.
  intros H F O T. rewrite Forall_forall in O, T.
  eapply forEach_allows; [exact H|exact F|]. cbv beta.
  intros a s1 u1 s2 Ia H1 F1. eapply forEach_allows; [exact H1|exact F1|].
  cbv beta. intros b s3 u3 s4 Ib H3 F3.
  destruct (Nat.eqb_spec (lookupTensor a) (lookupTensor b)) as [E|_].
  2: { injection H3 as _ <-. auto. }
  apply in_rev, latest_in in Ia, Ib.
  pose proof (pair_holds w k h l given e0 Launched keepsIt e a b E (O a Ia)
    (T b Ib)) as P.
  rewrite Forall_forall in P. eapply forEach_allows; [exact H3|exact F3|].
  intros f s5 u5 s6 If H5 F5. eapply allows_assume; [exact H5|exact F5|auto].
Qed.

Lemma goodSite_facts st a extents e : goodSite st -> takes st a extents e ->
  Forall (fun f => boundFact until (claims f) /\ holds e (claims f))
    (siteFacts st).
Proof.
  intros [_ [B _]] [_ [_ [F _]]]. rewrite Forall_forall in *. auto.
Qed.

Lemma pair_refutes n symmetric x y a extents e1 e2 s u s' :
  pair h n launch_ from until symmetric x y s = Some (u, s') ->
  Forall discharged (vcs s') -> (until <= next s)%positive ->
  goodSite x -> goodSite y -> root (seen y) = root (seen x) ->
  extentsOf l (root (seen x)) = Some extents ->
  takes x a extents e1 -> takes y a extents e2 ->
  comesFirst (map e1 (idVars h)) (map e2 (idVars h)) \/
  symmetric = false /\
  comesFirst (map e2 (idVars h)) (map e1 (idVars h)) -> False.
Proof.
  intros H Discharged Un Gx Gy _ Ex Tx Ty Differ. unfold pair, because in H.
  pose proof (goodSite_facts _ _ _ _ Gx Tx) as Fx.
  pose proof (goodSite_facts _ _ _ _ Gy Ty) as Fy.
  destruct Gx as [[more Mx] [_ [Bx Dx]]], Gy as [_ [_ [By Dy]]].
  destruct Tx as [Ix [Ax [_ [Cx Rx]]]], Ty as [Iy [Ay [_ [Cy Ry]]]].
  assert (Before : agrees from e1 e2).
  { eapply agrees_trans; [|apply agrees_sym, Ax|exact Ay]. lia. }
  apply andThen_inv in H as [u0 [s0 [H0 H]]]. injection H0 as _ <-.
  set (s0 := Scope _ _ _ _ _ _) in H.
  assert (F0 : allows s0 e1).
  { unfold allows. simpl. rewrite Mx in Fx. apply Forall_app in Fx as [_ Fx].
    rewrite Forall_forall in *. intros f I. split; [|now apply Fx].
    apply boundFact_le with from; [lia|auto]. }
  apply andThen_inv in H as [one [s1 [H1 H]]].
  destruct (addCopy_allows _ _ _ _ _ e1 _ _ _ _ H1 Order Un F0 Fx)
    as [e' [A1 [N1 [F1 One]]]]; [auto|]. simpl in A1, N1.
  apply andThen_inv in H as [two [s2 [H2 H]]].
  assert (Shared : forall v, (v < until)%positive ->
     (v < from)%positive \/
     PositiveMap.mem v (launchConstants from (rev (siteFacts y))) = true ->
     e' v = e2 v).
  { intros v V C. rewrite <- A1 by lia. destruct C as [C|C]; [auto|].
    apply (launchConstants_same from ds e1 e2 Before Cx Cy) in C; auto.
    intros f d p I. apply Dy. now apply in_rev. }
  destruct (addCopy_allows _ _ _ _ _ e2 _ _ _ e' H2 Order ltac:(lia) F1 Fy
              Shared) as [e'' [A2 [N2 [F2 Two]]]].
  apply (copies_grow _ _ _ _ _ _ _ N2 A2) in One.
  apply andThen_inv in H as [u8 [s8 [H8 H]]]. unfold check in H8.
  destruct (_ && _) eqn:Lb in H8; [|discriminate]. injection H8 as _ <-.
  apply andb_true_iff in Lb as [Lbx Lby].
  apply andThen_inv in H as [u9 [s9 [H9 H]]].
  destruct (acrossBlocks_allows _ _ _ _ _ _ H9 F2
    (siteLookups_lookup _ _ _ _ _ One Lbx Rx)
    (siteLookups_lookup _ _ _ _ _ Two Lby Ry)) as [E9 F9].
  rewrite <- E9 in One, Two, N2. clear F2 H9.
  apply andThen_inv in H as [u3 [s3 [H3 H]]].
  eapply allows_assume in H3 as [E3 F3]; [|exact F9|].
  2: { apply differ_spec. split; [constructor|]. unfold idsOf.
    replace (map (fun v => eval e'' (variable (one v))) (idVars h))
      with (map e1 (idVars h)).
    2: { apply map_ext_in. intros v V. rewrite variable_eval. symmetry.
      rewrite Forall_forall in Ids. now apply One, Ids. }
    replace (map (fun v => eval e'' (variable (two v))) (idVars h))
      with (map e2 (idVars h)); [exact Differ|].
    apply map_ext_in. intros v V. rewrite variable_eval. symmetry.
    rewrite Forall_forall in Ids. now apply Two, Ids. }
  apply andThen_inv in H as [[es t] [s4 [H4 H]]].
  apply rootPolys_spec in H4 as [-> [Ht [He [Lx1 [Lx2 Lx3]]]]].
  apply andThen_inv in H as [[es' t'] [s5 [H5 H]]].
  apply rootPolys_spec in H5 as [-> [_ [_ [Ly1 [Ly2 _]]]]].
  apply andThen_inv in H as [u5 [s5 [H5 H]]]. unfold check in H5.
  destruct (_ && _) eqn:Sb; [|discriminate]. injection H5 as _ <-.
  apply andb_true_iff in Sb as [Sx Sy].
  apply andThen_inv in H as [u6 [s6 [H6 H]]].
  rewrite (isKernel _ _ _ _ _ Launched) in Ht.
  destruct (areExtents _ _ _ _ _ Launched _ _ _ Ht He) as [Ex' _].
  rewrite Ex in Ex'. injection Ex' as ->.
  pose proof He as Bes.
  apply extentPolys_below with (n := from) in Bes; [|exact Symbols].
  assert (Box : inBox (map (eval e0) es) a).
  { now apply tileOf_spec in Ix as [Box _]. }
  rewrite (map_agrees from e0 e1 es Ax Bes) in Ix.
  rewrite (map_agrees from e0 e2 es Ay Bes) in Iy.
  destruct (site_located until one es _ x a e1 Sx Bx eq_refl Lx1 Lx2 Ix)
    as [_ [ax Px]].
  destruct (site_located until two es _ y a e2 Sy By eq_refl Ly1 Ly2 Iy)
    as [_ [bx Py]].
  assert (Es : Forall2 (fun p x => below_ from p /\ x < eval e1 p) es a).
  { clear - Box Bes Ax. unfold inBox in Box. revert a Box.
    induction Bes as [|p es P R IH]; intros a Box; inversion Box; subst;
      constructor; auto. split; [exact P|].
    rewrite <- (agrees_eval from e0 e1 p Ax P). lia. }
  assert (Fit : exists e, allows s6 e).
  { rewrite <- E3 in One, Two.
    apply (meet_allows from until one two x y e1 e2 es ax bx a Px Py es a 0 s3
             u6 s6 e'' Es); auto; [lia|].
    intros v V. rewrite (A1 v), (A2 v) by lia. reflexivity. }
  destruct Fit as [e Fit]. apply emit_inv in H as [_ [fs [-> _]]].
  simpl in Discharged. inversion Discharged as [|d ? P _]. subst. specialize (P e).
  simpl in P. apply Z.le_ngt in P; [lia|]. unfold allows in Fit.
  eapply Forall_impl; [|exact Fit]. now intros f [_ F].
Qed.

End Pair.

(* Blocks of different ids have no element in common. *)
Theorem pairs_apart w k h launch_ from until ss s u s' ds l given e0 ids1 ids2 t
  a :
  walkPairs h launch_ from until ss s = Some (u, s') ->
  Forall discharged (vcs s') ->
  (from <= until)%positive -> (until <= next s)%positive ->
  Forall (fun f => boundFact from (claims f)) launch_ ->
  Forall (fun x => fst (snd x) < from)%positive (symbolVars h) ->
  Forall (fun v => v < until)%positive (idVars h) ->
  (forall st, In st ss -> goodSite launch_ until ds st) ->
  launched w k h l e0 -> keepsGivens k l given = true -> ids1 <> ids2 ->
  permitted l h given ids1 from e0 ss ds t a ->
  permitted l h given ids2 from e0 ss ds t a -> False.
Proof.
  intros H Discharged Order Un Launch_ Symbols Ids Good Launched Kept_ Ne
    [x [e1 [extents [Ix [Ox [Ex [Sx [Ax [Vx [Fx [Cx Rx]]]]]]]]]]]
    [y [e2 [extents' [Iy [Oy [Ey [Sy [Ay [Vy [Fy [Cy Ry]]]]]]]]]]].
  rewrite (isKernel _ _ _ _ _ Launched) in Rx, Ry.
  rewrite Ex in Ey. injection Ey as <-. subst t ids1 ids2.
  apply andThen_inv in H as [u1 [s1 [H H1]]].
  assert (Tx : takes k l given e0 from ds x a extents e1) by now repeat split.
  assert (Ty : takes k l given e0 from ds y a extents e2) by now repeat split.
  (* What the walk did for one pair. *)
  assert (Walked : forall symmetric x y e1 e2,
    In (symmetric, (x, y)) (pairsOf ss) -> In x ss -> In y ss ->
    root (seen y) = root (seen x) ->
    extentsOf l (root (seen x)) = Some extents ->
    takes k l given e0 from ds x a extents e1 ->
    takes k l given e0 from ds y a extents e2 ->
    comesFirst (map e1 (idVars h)) (map e2 (idVars h)) \/
    symmetric = false /\
    comesFirst (map e2 (idVars h)) (map e1 (idVars h)) -> False).
  { clear - H H1 Discharged Order Un Launch_ Symbols Ids Good Launched Kept_.
    intros symmetric x y e1 e2 I X Y O E Tx Ty C.
    eapply forEach_at in H as [s2 [v [s3 [P [A1 A2]]]]]; [| |exact I].
    2: { intros [symmetric' [x' y']].
      destruct (Nat.eqb _ _); [apply adding_pair|apply adding_ret]. }
    cbv beta iota in P. rewrite O, Nat.eqb_refl in P.
    refine (pair_refutes w k h l given e0 Kept_ launch_ from until ds Order
              Launch_ Symbols
              Ids Launched _ symmetric x y a extents e1 e2 s2 v s3 P _ _
              (Good x X) (Good y Y) O E Tx Ty C).
    - eapply adds_discharged; [|exact Discharged].
      eapply adds_trans; [exact A2|exact (adding_release _ _ _ _ H1)].
    - apply addsNext in A1. lia. }
  destruct (pairsOf_spec ss x y Ix Iy) as [Self Other].
  assert (Total := comesFirst_total (map e1 (idVars h)) (map e2 (idVars h))
                     ltac:(now rewrite !map_length) Ne).
  destruct Other as [<-|[I|I]].
  - destruct Total as [C|C].
    + apply (Walked true x x e1 e2); auto.
    + apply (Walked true x x e2 e1); auto.
  - apply (Walked false x y e1 e2); auto. tauto.
  - apply (Walked false y x e2 e1); auto; [now rewrite Oy|tauto].
Qed.
