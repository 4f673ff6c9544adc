(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The walk over pairs of claims: what it adds, and the names that it gives to
   two blocks, with values that are those of the blocks. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export Landing Counting.
Import ListNotations.
Open Scope Z_scope.

(* What the walk over the pairs adds: conditions, and variables. *)

Record adds (s s' : scope) : Prop := Adds
  { addsNext : (next s <= next s')%positive;
    addsDefined : defined s' = defined s;
    addsVcs : exists ds, vcs s' = ds ++ vcs s;
    addsSites : sites s' = sites s;
    addsWrites : writes s' = writes s }.
Definition adding {A} (g : gen A) : Prop := forall s a s',
  g s = Some (a, s') -> adds s s'.

Lemma adds_refl s : adds s s.
Proof. split; auto; [lia|now exists []]. Qed.
Lemma adds_trans s s' s'' : adds s s' -> adds s' s'' -> adds s s''.
Proof.
  intros [N D [os O] S W] [N' D' [os' O'] S' W'].
  split; try congruence; [lia|]. exists (os' ++ os).
  now rewrite O', O, app_assoc.
Qed.
Lemma adds_discharged s s' : adds s s' -> Forall discharged (vcs s') ->
  Forall discharged (vcs s).
Proof.
  intros G P. destruct (addsVcs _ _ G) as [ds D]. rewrite D in P.
  now apply Forall_app in P.
Qed.

Lemma adding_ret {A} (a : A) : adding (ret a).
Proof. intros s x s' H. injection H as _ <-. apply adds_refl. Qed.
Lemma adding_given {A} (o : option A) : adding (given o).
Proof.
  intros s x s' H. unfold given in H. destruct o; [|discriminate].
  injection H as _ <-. apply adds_refl.
Qed.
Lemma adding_check b : adding (check b).
Proof.
  intros s x s' H. unfold check in H. destruct b; [|discriminate].
  injection H as _ <-. apply adds_refl.
Qed.
Lemma adding_then {A B} (g : gen A) (f : A -> gen B) :
  adding g -> (forall a, adding (f a)) -> adding (andThen g f).
Proof.
  intros G F s b s'' H. apply andThen_inv in H as [a [s' [H1 H2]]].
  eapply adds_trans; [eapply G|eapply F]; eauto.
Qed.
Lemma adding_forEach {A} (f : A -> gen unit) l :
  (forall x, adding (f x)) -> adding (forEach f l).
Proof.
  intro F. induction l; simpl; [apply adding_ret|]. apply adding_then; auto.
Qed.
Lemma adding_release fs : adding (release fs).
Proof.
  intros s x s' H. injection H as _ <-. split; simpl; auto; [lia|].
  now exists [].
Qed.
Lemma adding_visible : adding visible.
Proof. intros s x s' H. injection H as _ <-. apply adds_refl. Qed.
Lemma adding_assume f r : adding (assume f r).
Proof.
  intros s x s' H. apply assume_inv in H as [_ ->].
  split; simpl; auto; [lia|]. now exists [].
Qed.
Lemma adding_fresh : adding fresh_.
Proof.
  intros s x s' H. injection H as _ <-. split; simpl; auto; [lia|].
  now exists [].
Qed.
Lemma adding_emit r goal remember : adding (emit r goal remember).
Proof.
  intros s x s' H. apply emit_inv in H as [_ [fs [-> _]]].
  split; simpl; auto; [lia|]. now exists [Vc r (facts s) goal].
Qed.
#[local] Hint Resolve adding_ret adding_given adding_check adding_then
  adding_forEach adding_release adding_visible adding_assume adding_fresh
  adding_emit : adding.

Lemma adding_freshNames shared count : forall from m,
  adding (freshNames shared from count m).
Proof.
  induction count as [|count IH]; intros from m; simpl; [auto with adding|].
  destruct (PositiveMap.mem from shared); auto with adding.
Qed.
Lemma adding_addCopy n from until st second :
  adding (addCopy n from until st second).
Proof.
  apply adding_then; [apply adding_freshNames|]. intro m.
  apply adding_then; [|auto with adding]. apply adding_forEach. intro f.
  apply adding_then; [auto with adding|]. intro present.
  destruct (_ && _); [auto with adding|]. apply adding_assume.
Qed.
Lemma adding_rootPolys h v p : adding (rootPolys h v p).
Proof.
  unfold rootPolys, tensorPolys. apply adding_then; [auto 8 with adding|].
  intros [es t]. auto with adding.
Qed.
Lemma adding_inTile x i t : adding (inTile x i t).
Proof. unfold inTile, because. destruct (t =? 1); auto with adding. Qed.
Lemma adding_inCell c x : adding (inCell c x).
Proof.
  unfold inCell, because. apply adding_then; [apply adding_inTile|].
  auto with adding.
Qed.
Lemma adding_inCells : forall cs rest, adding (inCells cs rest).
Proof.
  induction cs as [|c cs IH]; intro rest; simpl.
  - unfold because. auto with adding.
  - apply adding_then; [auto with adding|]. intro v.
    apply adding_then; [apply adding_inCell|]. auto.
Qed.
Lemma adding_inRegion r st k x : adding (inRegion r st k x).
Proof.
  unfold inRegion. destruct (steps st).
  - apply adding_then; [auto with adding|]. intro. apply adding_inTile.
  - apply adding_then; [auto with adding|]. intro o. cbv zeta.
    destruct (filter _ _) as [|c [|]]; try apply adding_inCells.
    destruct (eqPoly _ _); [apply adding_inCell|apply adding_inCells].
Qed.
Lemma adding_meet one two a b : forall es k, adding (meet one two a b k es).
Proof.
  induction es as [|e es IH]; intro k; simpl; [auto with adding|].
  apply adding_then; [auto with adding|]. intro v.
  apply adding_then; [apply adding_inRegion|]. intros _.
  apply adding_then; [apply adding_inRegion|]. intros _.
  unfold because. apply adding_then; auto with adding.
Qed.
Lemma adding_acrossBlocks ps one two : adding (acrossBlocks ps one two).
Proof.
  apply adding_forEach. intro a. apply adding_forEach. intro b.
  destruct (Nat.eqb _ _); [|auto with adding]. apply adding_forEach. intro f.
  apply adding_assume.
Qed.
Lemma adding_pair h n launch_ from until symmetric a b :
  adding (pair h n launch_ from until symmetric a b).
Proof.
  unfold pair, because.
  apply adding_then; [auto with adding|]. intros _.
  apply adding_then; [apply adding_addCopy|]. intro one.
  apply adding_then; [apply adding_addCopy|]. intro two.
  apply adding_then; [auto with adding|]. intros _.
  apply adding_then; [apply adding_acrossBlocks|]. intros _.
  apply adding_then; [auto with adding|]. intros _.
  apply adding_then; [apply adding_rootPolys|]. intros [es t].
  apply adding_then; [apply adding_rootPolys|]. intros _.
  apply adding_then; [auto with adding|]. intros _.
  apply adding_then; [apply adding_meet|]. auto with adding.
Qed.

Theorem walkPairs_adds h launch_ from until ss s u s' :
  walkPairs h launch_ from until ss s = Some (u, s') ->
  adds s s' /\ facts s' = launch_.
Proof.
  intro H. apply andThen_inv in H as [a [s1 [H1 H2]]]. split.
  - eapply adds_trans; [|eapply adding_release, H2]. revert H1.
    apply adding_forEach. intros [symmetric [x y]].
    destruct (Nat.eqb _ _); [apply adding_pair|apply adding_ret].
  - now injection H2 as _ <-.
Qed.

(* One step among the steps for a list. *)
Lemma forEach_at {A} (f : A -> gen unit) x l :
  (forall x, adding (f x)) -> In x l ->
  forall s u s', forEach f l s = Some (u, s') ->
  exists s1 v s2, f x s1 = Some (v, s2) /\ adds s s1 /\ adds s2 s'.
Proof.
  intro F. induction l as [|y l IH]; [contradiction|]. intros I s u s' H.
  apply andThen_inv in H as [v [s1 [H1 H2]]]. destruct I as [->|I].
  - exists s, v, s1. split; [exact H1|]. split; [apply adds_refl|].
    exact (adding_forEach f l F _ _ _ H2).
  - destruct (IH I _ _ _ H2) as [s2 [v2 [s3 [E [A1 A2]]]]].
    exists s2, v2, s3. split; [exact E|]. split; [|exact A2].
    eapply adds_trans; [exact (F _ _ _ _ H1)|exact A1].
Qed.

Lemma pairsOf_spec {A} (l : list A) x y : In x l -> In y l ->
  In (true, (x, x)) (pairsOf l) /\
  (x = y \/ In (false, (x, y)) (pairsOf l) \/ In (false, (y, x)) (pairsOf l)).
Proof.
  revert x y. induction l as [|z l IH]; [contradiction|]. intros x y. simpl.
  rewrite !in_app_iff.
  assert (M : forall u, In u l -> In (false, (z, u))
                                   (map (fun y => (false, (z, y))) l))
    by (intros u U; now apply (in_map (fun y => (false, (z, y))))).
  intros [<-|X] [<-|Y].
  - auto 10.
  - auto 10.
  - destruct (IH x x X X) as [S _]. auto 10.
  - destruct (IH x y X Y) as [S [E|[E|E]]]; auto 10.
Qed.

(* What the launch alone determines is the same for both blocks. *)

Section Constants.

Context (from : var) (ds : list definition) (e1 e2 : values).
Context (Before : agrees from e1 e2) (Canonical1 : Forall (canonical e1) ds)
  (Canonical2 : Forall (canonical e2) ds).

Definition coincide (m : PositiveMap.t unit) : Prop := forall v,
  PositiveMap.mem v m = true -> e1 v = e2 v.

Lemma coincide_add l : forall m, coincide m ->
  (forall v, In v l -> e1 v = e2 v) ->
  coincide (fold_left (fun m v => PositiveMap.add v tt m) l m).
Proof.
  induction l as [|x l IH]; intros m M L; [exact M|]. cbn [fold_left].
  apply IH; [|intros v V; apply L; now right]. intros v V.
  destruct (Pos.eq_dec v x) as [->|N]; [apply L; now left|].
  apply M. rewrite PositiveMap.mem_find in *.
  now rewrite PositiveMap.gso in V by exact N.
Qed.

Lemma speaksOf_eval m p : coincide m -> speaksOf m (variables p) = true ->
  eval e1 p = eval e2 p.
Proof.
  intros M S. apply eval_ext. intros v V. apply M.
  unfold speaksOf in S. rewrite forallb_forall in S. apply S.
  unfold contains in V. apply existsb_exists in V as [t [T V]].
  apply existsb_exists in V as [u [U V]]. apply Pos.eqb_eq in V. subst u.
  apply in_flat_map. eauto.
Qed.

Lemma launchConstants_same fs :
  (forall f d p, In f fs -> reason_ f = ByDefinition d p -> In d ds) ->
  coincide (launchConstants from fs).
Proof.
  unfold launchConstants. intro D.
  assert (Start : coincide (fold_left (fun m v => PositiveMap.add v tt m)
            (map Pos.of_succ_nat (seq 0 (Pos.to_nat from - 1)))
            (PositiveMap.empty unit))).
  { apply coincide_add.
    - intros v V. rewrite PositiveMap.mem_find, PositiveMap.gempty in V.
      discriminate.
    - intros v V. apply in_map_iff in V as [n [<- N]]. apply in_seq in N.
      apply Before. lia. }
  revert D Start. generalize (fold_left (fun m v => PositiveMap.add v tt m)
            (map Pos.of_succ_nat (seq 0 (Pos.to_nat from - 1)))
            (PositiveMap.empty unit)) as known.
  induction fs as [|f fs IH]; intros known D M; [exact M|]. cbn [fold_left].
  apply IH; [intros g d p G; apply (D g d p); now right|].
  destruct (reason_ f) as [|d [|part]|] eqn:R; try exact M.
  destruct (forallb _ _) eqn:A; [|exact M]. apply coincide_add; [exact M|].
  assert (I : In d ds) by (apply (D f d 0%N); [now left|exact R]).
  rewrite Forall_forall in Canonical1, Canonical2.
  assert (E : map e1 (results d) = map e2 (results d)).
  { rewrite (Canonical1 d I), (Canonical2 d I). apply definitionValue_ext.
    rewrite forallb_forall in A. apply Forall_forall. intros p P.
    apply (speaksOf_eval known); auto. }
  intros v V. exact (ext_in_map E v V).
Qed.

End Constants.

(* A scope whose facts have these values; definitions are left out, for copies
   have some of their own. *)
Definition allows (s : scope) (e : values) : Prop :=
  Forall (fun f => boundFact (next s) (claims f) /\ holds e (claims f))
    (facts s).

Lemma allows_grow s s' e e' : facts s' = facts s ->
  (next s <= next s')%positive -> agrees (next s) e e' -> allows s e ->
  allows s' e'.
Proof.
  unfold allows. intros -> N A. apply Forall_impl. intros f [B H]. split.
  - now apply boundFact_le with (next s).
  - now apply agrees_holds with (next s) e.
Qed.
Lemma allows_assume f r s u s' e : assume f r s = Some (u, s') -> allows s e ->
  holds e f -> next s' = next s /\ allows s' e.
Proof.
  intros H F P. apply assume_inv in H as [B ->]. split; [reflexivity|].
  constructor; auto.
Qed.
Lemma allows_fresh s v s' e x : fresh_ s = Some (v, s') -> allows s e ->
  v = next s /\ next s' = Pos.succ (next s) /\ allows s' (set1 e (next s) x).
Proof.
  intros H F. injection H as <- <-. repeat split.
  apply allows_grow with s e; auto; simpl; [lia|apply set1_agrees].
Qed.

Lemma forEach_allows {A} (f : A -> gen unit) e : forall l s u s',
  forEach f l s = Some (u, s') -> allows s e ->
  (forall x s u s', In x l -> f x s = Some (u, s') -> allows s e ->
     next s' = next s /\ allows s' e) ->
  next s' = next s /\ allows s' e.
Proof.
  induction l as [|x l IH]; intros s u s' H F K; cbn [forEach] in H.
  - injection H as _ <-. auto.
  - apply andThen_inv in H as [u1 [s1 [H1 H]]].
    destruct (K _ _ _ _ (or_introl eq_refl) H1 F) as [<- F1].
    apply (IH _ _ _ H F1). intros y s2 u2 s3 I. apply K. now right.
Qed.

(* Names of one copy: `e` gives what they stand for the values `target`. *)
Definition copies (until : var) (r : var -> var) (n : var) (e target : values)
  : Prop :=
  forall v, (v < until)%positive -> (r v < n)%positive /\ e (r v) = target v.

Lemma copies_grow until r n n' e e' target : (n <= n')%positive ->
  agrees n e e' -> copies until r n e target -> copies until r n' e' target.
Proof.
  intros L A N v V. destruct (N v V) as [B E]. split; [lia|].
  now rewrite <- (A _ B).
Qed.
Lemma copies_eval until r n e target p : copies until r n e target ->
  below_ until p -> eval e (renamePoly r p) = eval target p.
Proof.
  intros N B. rewrite renamePoly_eval. apply agrees_eval with until; auto.
  intros v V. now apply N.
Qed.

Lemma freshNames_values shared target count : forall from m s m' s' e,
  freshNames shared from count m s = Some (m', s') ->
  exists e', agrees (next s) e e' /\ facts s' = facts s /\
    (next s <= next s')%positive /\
    forall v,
      ((v < from)%positive \/ PositiveMap.mem v shared = true ->
       PositiveMap.find v m' = PositiveMap.find v m) /\
      ((from <= v)%positive ->
       (Pos.to_nat v < Pos.to_nat from + count)%nat ->
       PositiveMap.mem v shared = false ->
       exists u, PositiveMap.find v m' = Some u /\ (u < next s')%positive /\
                 e' u = target v).
Proof.
  induction count as [|count IH]; intros from m s m' s' e H.
  { injection H as <- <-. exists e. repeat split; auto; lia. }
  simpl in H. destruct (PositiveMap.mem from shared) eqn:Shared.
  - destruct (IH _ _ _ _ _ e H) as [e' [A [F [N V]]]]. exists e'.
    repeat split; auto; intros; destruct (V v) as [V1 V2].
    + apply V1. destruct H0; [left; lia|now right].
    + apply V2; auto; [|lia]. destruct (Pos.eq_dec v from); [congruence|lia].
  - apply andThen_inv in H as [x [s1 [H1 H2]]]. injection H1 as <- <-.
    destruct (IH _ _ _ _ _ (set1 e (next s) (target from)) H2)
      as [e' [A [F [N V]]]]. simpl in *. exists e'.
    repeat split; auto; try lia.
    + eapply agrees_trans; [|apply set1_agrees|exact A]. lia.
    + intro C. destruct (V v) as [V1 _]. rewrite V1.
      * apply PositiveMap.gso. destruct C; [lia|congruence].
      * destruct C; [left; lia|now right].
    + intros L U M. destruct (V v) as [V1 V2].
      destruct (Pos.eq_dec v from) as [->|Ne]; [|apply V2; auto; lia].
      exists (next s). rewrite V1, PositiveMap.gss by (left; lia).
      repeat split; [lia|]. rewrite <- A by lia. apply set1_same.
Qed.

Lemma addCopy_allows n from until st second target s r s' e :
  addCopy n from until st second s = Some (r, s') ->
  (from <= until)%positive -> (until <= next s)%positive -> allows s e ->
  Forall (fun f => boundFact until (claims f) /\ holds target (claims f))
    (siteFacts st) ->
  (forall v, (v < until)%positive ->
     (v < from)%positive \/
     PositiveMap.mem v (launchConstants from (rev (siteFacts st))) = true ->
     e v = target v) ->
  exists e', agrees (next s) e e' /\ (next s <= next s')%positive /\
    allows s' e' /\ copies until r (next s') e' target.
Proof.
  intros H Fr Un Fits Facts Shared. unfold addCopy in H. cbv zeta in H.
  apply andThen_inv in H as [m [s1 [H1 H2]]].
  apply andThen_inv in H2 as [u [s2 [H2 H3]]]. injection H3 as <- <-.
  apply freshNames_values with (target := target) (e := e) in H1
    as [e' [A [F [N V]]]].
  exists e'. split; [exact A|].
  assert (Names : copies until (nameIn m) (next s1) e' target).
  { intros v U. unfold nameIn. destruct (V v) as [V1 V2].
    assert (Kept : (v < from)%positive \/
        PositiveMap.mem v (launchConstants from (rev (siteFacts st))) = true ->
        PositiveMap.find v m = None).
    { intro C. rewrite (V1 C). apply PositiveMap.gempty. }
    destruct (Pos.ltb_spec v from) as [L|L];
      [|destruct (PositiveMap.mem v _) eqn:M].
    1, 2: rewrite Kept by auto; split; [lia|]; rewrite <- A by lia; auto.
    destruct V2 as [x [-> X]]; auto. lia. }
  apply (allows_grow s s1 e e' F N A) in Fits.
  clear - H2 Names Fits Facts N.
  assert (L : forall f, In f (skipn n (rev (siteFacts st))) ->
            boundFact until (claims f) /\ holds target (claims f)).
  { intros f I. rewrite Forall_forall in Facts. apply Facts, in_rev.
    rewrite <- (firstn_skipn n). apply in_or_app. now right. }
  clear Facts. revert L s1 H2 Names Fits N.
  generalize (skipn n (rev (siteFacts st))) as l.
  induction l as [|f l IH]; intros L s1 H Names Fits N.
  { injection H as _ <-. auto. }
  apply andThen_inv in H as [x [s3 [H1 H2]]].
  apply andThen_inv in H1 as [present [s4 [H0 H1]]]. injection H0 as <- <-.
  assert (K : next s3 = next s1 /\ allows s3 e').
  { destruct (second && _ && _); [now injection H1 as _ <-|].
    eapply allows_assume; [exact H1|exact Fits|]. apply renameFact_holds.
    destruct (L f (or_introl eq_refl)) as [B P].
    apply agrees_holds with until target; auto.
    intros v U. symmetry. now apply Names. }
  destruct K as [E K]. apply (IH (fun g G => L g (or_intror G)) s3 H2); auto.
  all: now rewrite E.
Qed.
