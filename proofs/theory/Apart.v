(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Two blocks never take a common element: were there one, the facts of a pair
   of claims would have values, and then no certificate could refute them. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export Means Tiles Counting.
Import ListNotations.
Open Scope Z_scope.

(* What the walk over the pairs adds: debts, and variables. *)

Record adds (s s' : scope) : Prop := Adds
  { addsNext : (next s <= next s')%positive;
    addsDefined : defined s' = defined s;
    addsDebts : exists ds, debts s' = ds ++ debts s;
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
Lemma adds_paid s s' : adds s s' -> Forall paid (debts s') ->
  Forall paid (debts s).
Proof.
  intros G P. destruct (addsDebts _ _ G) as [ds D]. rewrite D in P.
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
Lemma adding_owe r goal remember : adding (owe r goal remember).
Proof.
  intros s x s' H. apply owe_inv in H as [_ [fs [-> _]]].
  split; simpl; auto; [lia|]. now exists [Debt r (facts s) goal].
Qed.
#[local] Hint Resolve adding_ret adding_given adding_check adding_then
  adding_forEach adding_release adding_visible adding_assume adding_fresh
  adding_owe : adding.

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
Lemma adding_partitionPolys h p : adding (partitionPolys h p).
Proof. unfold partitionPolys. auto 8 with adding. Qed.
Lemma adding_inTile x i t : adding (inTile x i t).
Proof. unfold inTile, because. destruct (t =? 1); auto with adding. Qed.
Lemma adding_pair h n launch_ from until symmetric a b :
  adding (pair h n launch_ from until symmetric a b).
Proof.
  unfold pair, because.
  apply adding_then; [auto with adding|]. intros _.
  apply adding_then; [apply adding_addCopy|]. intro one.
  apply adding_then; [apply adding_addCopy|]. intro two.
  apply adding_then; [auto with adding|]. intros _.
  apply adding_then; [apply adding_partitionPolys|]. intros [es t].
  apply adding_then; [apply adding_partitionPolys|]. intros _.
  apply adding_then; [|auto with adding].
  apply adding_forEach. intros [e [[t1 i1] [t2 i2]]].
  apply adding_then; [auto with adding|]. intro v.
  apply adding_then; [apply adding_inTile|]. intros _.
  apply adding_then; [apply adding_inTile|]. auto with adding.
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

(* The element, axis by axis. *)

Lemma inTile_allows v i t s u s' e : inTile (variable v) i t s = Some (u, s') ->
  allows s e -> onAxis (e v) (t, eval e i) -> next s' = next s /\ allows s' e.
Proof.
  unfold inTile, because, onAxis. simpl. intros H F R.
  destruct (Z.eqb_spec t 1) as [->|N].
  - eapply allows_assume; [exact H|exact F|]. apply holds_eq.
    rewrite sub_eval, variable_eval. lia.
  - apply andThen_inv in H as [x [s1 [H1 H2]]].
    eapply allows_assume in H1 as [<- F1]; [|exact F|].
    + eapply allows_assume; [exact H2|exact F1|]. apply holds_ge.
      rewrite sub_eval, plus_eval, mul_eval, constant_eval, variable_eval. lia.
    + apply holds_ge. rewrite sub_eval, mul_eval, constant_eval, variable_eval.
      lia.
Qed.

Section Axes.

Context (from until : var) (one two : var -> var) (e1 e2 : values).

Definition axis_ (axis : poly * ((Z * poly) * (Z * poly))) : gen unit :=
  let '(e, ((t, i), (t', i'))) := axis in
  let* v := fresh_ in
  let x := variable v in
  let* _ := inTile x (renamePoly one i) t in
  let* _ := inTile x (renamePoly two i') t' in
  because Region (GeZ (sub (plus e (-1)) x)).

Definition inside_ (e : values) (x : Z) (a : Z * poly) : Prop :=
  below_ until (snd a) /\ onAxis x (fst a, eval e (snd a)).

Lemma axes_allows es at_ :
  Forall2 (fun p x => below_ from p /\ x < eval e1 p) es at_ ->
  forall as_ bs s u s' e,
  forEach axis_ (combine es (combine as_ bs)) s = Some (u, s') ->
  Forall2 (inside_ e1) at_ as_ -> Forall2 (inside_ e2) at_ bs ->
  (from <= next s)%positive -> agrees from e1 e -> allows s e ->
  copies until one (next s) e e1 -> copies until two (next s) e e2 ->
  exists e', allows s' e'.
Proof.
  induction 1 as [|p x es at_ [P X] R IH]; intros as_ bs s u s' e H As Bs L
    Ag F N1 N2.
  { injection H as _ <-. eauto. }
  inversion As as [|? [t i] ? as' [I1 O1] As']. subst.
  inversion Bs as [|? [t' i'] ? bs' [I2 O2] Bs']. subst.
  apply andThen_inv in H as [u1 [s4 [H H4]]]. unfold axis_ in H.
  apply andThen_inv in H as [v [s1 [H0 H]]].
  apply andThen_inv in H as [u2 [s2 [H1 H]]].
  apply andThen_inv in H as [u3 [s3 [H2 H3]]].
  apply (allows_fresh _ _ _ e x) in H0 as [-> [E F1]]; [|exact F].
  set (e' := set1 e (next s) x) in *.
  assert (A : agrees (next s) e e') by apply set1_agrees.
  assert (L1 : (next s <= next s1)%positive) by (rewrite E; lia).
  apply (copies_grow _ _ _ _ _ _ _ L1 A) in N1, N2.
  assert (V : e' (next s) = x) by apply set1_same.
  eapply inTile_allows in H1 as [E1 F2]; [|exact F1|].
  2: { rewrite V. now rewrite (copies_eval _ _ _ _ _ _ N1). }
  eapply inTile_allows in H2 as [E2 F3]; [|exact F2|].
  2: { rewrite V. now rewrite (copies_eval _ _ _ _ _ _ N2). }
  assert (Ag' : agrees from e1 e').
  { eapply agrees_trans; [|exact Ag|eapply agrees_le; [exact L|exact A]]. lia. }
  eapply allows_assume in H3 as [E3 F4]; [|exact F3|].
  - assert (Same : next s4 = next s1) by congruence.
    apply (IH as' bs' s4 u s' e' H4 As' Bs'); auto; rewrite Same; auto. lia.
  - apply holds_ge.
    rewrite sub_eval, plus_eval, variable_eval, V,
      <- (agrees_eval from e1 e' p Ag' P). lia.
Qed.

End Axes.

Lemma inside_site until extents st a e : Forall (below_ until) (indices st) ->
  inSite e extents st a ->
  inBox extents a /\
  Forall2 (inside_ until e) a (combine (tileExtents (places st)) (indices st)).
Proof.
  intros B I. apply tileOf_spec in I as [I F]. split; [exact I|].
  clear I. revert a F B. generalize (tileExtents (places st)) as ts.
  induction (indices st) as [|i is_ IH]; intros ts a F B.
  - destruct ts; inversion F; constructor.
  - destruct ts as [|t ts]; [inversion F; constructor|].
    inversion F as [|x y a' ? X F']. inversion B. subst.
    constructor; [now split|]. now apply IH.
Qed.

Lemma partitionPolys_inv h p s es t s' :
  partitionPolys h p s = Some ((es, t), s') -> s' = s /\
  tensorOf (kernel_ h) (of p) = Some t /\
  extentPolys (symbolVars h) t = Some es.
Proof.
  unfold partitionPolys. intro H.
  apply andThen_inv in H as [t' [s1 [H1 H]]].
  apply andThen_inv in H as [es' [s2 [H2 H]]].
  apply andThen_inv in H as [c [s3 [H3 H]]].
  unfold given in H1, H2. destruct (tensorOf _ _) eqn:T; [|discriminate].
  injection H1 as -> <-. destruct (extentPolys _ _) eqn:E; [|discriminate].
  injection H2 as -> <-. unfold check in H3. destruct (_ && _); [|discriminate].
  injection H3 as _ <-. injection H as <- <- <-. auto.
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

Context (w : Z) (k : kernel) (h : header) (l : launch) (e0 : values).
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
  Forall (canonical e) ds.

Lemma goodSite_facts st a extents e : goodSite st -> takes st a extents e ->
  Forall (fun f => boundFact until (claims f) /\ holds e (claims f))
    (siteFacts st).
Proof.
  intros [_ [B _]] [_ [_ [F _]]]. rewrite Forall_forall in *. auto.
Qed.

Lemma pair_refutes n symmetric x y a extents e1 e2 s u s' :
  pair h n launch_ from until symmetric x y s = Some (u, s') ->
  Forall paid (debts s') -> (until <= next s)%positive ->
  goodSite x -> goodSite y -> of (places y) = of (places x) ->
  extentsOf l (of (places x)) = Some extents ->
  takes x a extents e1 -> takes y a extents e2 ->
  comesFirst (map e1 (idVars h)) (map e2 (idVars h)) \/
  symmetric = false /\
  comesFirst (map e2 (idVars h)) (map e1 (idVars h)) -> False.
Proof.
  intros H Paid Un Gx Gy _ Ex Tx Ty Differ. unfold pair, because in H.
  pose proof (goodSite_facts _ _ _ _ Gx Tx) as Fx.
  pose proof (goodSite_facts _ _ _ _ Gy Ty) as Fy.
  destruct Gx as [[more Mx] [_ [Bx Dx]]], Gy as [_ [_ [By Dy]]].
  destruct Tx as [Ix [Ax [_ Cx]]], Ty as [Iy [Ay [_ Cy]]].
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
  apply andThen_inv in H as [u3 [s3 [H3 H]]].
  eapply allows_assume in H3 as [E3 F3]; [|exact F2|].
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
  apply partitionPolys_inv in H4 as [-> [Ht He]].
  apply andThen_inv in H as [[es' t'] [s5 [H5 H]]].
  apply partitionPolys_inv in H5 as [-> _].
  apply andThen_inv in H as [u6 [s6 [H6 H]]].
  destruct (inside_site until _ _ _ _ Bx Ix) as [Box Tx].
  destruct (inside_site until _ _ _ _ By Iy) as [_ Ty].
  rewrite (isKernel _ _ _ _ _ Launched) in Ht.
  destruct (areExtents _ _ _ _ _ Launched _ _ _ Ht He) as [Ex' _].
  rewrite Ex in Ex'. injection Ex' as ->.
  assert (Es : Forall2 (fun p x => below_ from p /\ x < eval e1 p) es a).
  { apply extentPolys_below with (n := from) in He; [|exact Symbols].
    clear - Box He Ax. unfold inBox in Box. revert a Box.
    induction He as [|p es P R IH]; intros a Box; inversion Box; subst;
      constructor; auto. split; [exact P|].
    rewrite <- (agrees_eval from e0 e1 p Ax P). lia. }
  assert (Fit : exists e, allows s6 e).
  { rewrite <- E3 in One, Two.
    apply (axes_allows from until one two e1 e2 es a Es _ _ _ _ _ e'' H6 Tx Ty);
      auto; [lia|]. intros v V. rewrite (A1 v), (A2 v) by lia. reflexivity. }
  destruct Fit as [e Fit]. apply owe_inv in H as [_ [fs [-> _]]].
  simpl in Paid. inversion Paid as [|d ? P _]. subst. specialize (P e).
  simpl in P. apply Z.le_ngt in P; [lia|]. unfold allows in Fit.
  eapply Forall_impl; [|exact Fit]. now intros f [_ F].
Qed.

End Pair.

(* Blocks of different ids have no element in common. *)
Theorem pairs_apart w k h launch_ from until ss s u s' ds l e0 ids1 ids2 t a :
  walkPairs h launch_ from until ss s = Some (u, s') ->
  Forall paid (debts s') ->
  (from <= until)%positive -> (until <= next s)%positive ->
  Forall (fun f => boundFact from (claims f)) launch_ ->
  Forall (fun x => fst (snd x) < from)%positive (symbolVars h) ->
  Forall (fun v => v < until)%positive (idVars h) ->
  (forall st, In st ss -> goodSite launch_ until ds st) ->
  launched w k h l e0 -> ids1 <> ids2 ->
  permitted l h ids1 from e0 ss ds t a ->
  permitted l h ids2 from e0 ss ds t a -> False.
Proof.
  intros H Paid Order Un Launch_ Symbols Ids Good Launched Ne
    [x [e1 [extents [Ix [Ox [Ex [Sx [Ax [Vx [Fx Cx]]]]]]]]]]
    [y [e2 [extents' [Iy [Oy [Ey [Sy [Ay [Vy [Fy Cy]]]]]]]]]].
  rewrite Ex in Ey. injection Ey as <-. subst t ids1 ids2.
  apply andThen_inv in H as [u1 [s1 [H H1]]].
  assert (Tx : takes e0 from ds x a extents e1) by now repeat split.
  assert (Ty : takes e0 from ds y a extents e2) by now repeat split.
  (* What the walk did for one pair. *)
  assert (Walked : forall symmetric x y e1 e2,
    In (symmetric, (x, y)) (pairsOf ss) -> In x ss -> In y ss ->
    of (places y) = of (places x) ->
    extentsOf l (of (places x)) = Some extents ->
    takes e0 from ds x a extents e1 -> takes e0 from ds y a extents e2 ->
    comesFirst (map e1 (idVars h)) (map e2 (idVars h)) \/
    symmetric = false /\
    comesFirst (map e2 (idVars h)) (map e1 (idVars h)) -> False).
  { clear - H H1 Paid Order Un Launch_ Symbols Ids Good Launched.
    intros symmetric x y e1 e2 I X Y O E Tx Ty C.
    eapply forEach_at in H as [s2 [v [s3 [P [A1 A2]]]]]; [| |exact I].
    2: { intros [symmetric' [x' y']].
      destruct (Nat.eqb _ _); [apply adding_pair|apply adding_ret]. }
    cbv beta iota in P. rewrite O, Nat.eqb_refl in P.
    refine (pair_refutes w k h l e0 launch_ from until ds Order Launch_ Symbols
              Ids Launched _ symmetric x y a extents e1 e2 s2 v s3 P _ _
              (Good x X) (Good y Y) O E Tx Ty C).
    - eapply adds_paid; [|exact Paid].
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
