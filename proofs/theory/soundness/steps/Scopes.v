(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   What the steps of the generator leave as it was: scopes only grow, and a
   definition speaks of variables that came before its results. *)

From Coq Require Import ZArith List Bool Lia.
From Girih Require Export Facts.
Import ListNotations.
Open Scope Z_scope.

Notation values := Poly.env.

(* Variables of polynomials. *)

Definition agrees (n : var) (e e' : values) : Prop :=
  forall v, (v < n)%positive -> e v = e' v.

Lemma agrees_refl n e : agrees n e e.
Proof. intros v V. reflexivity. Qed.
Lemma agrees_sym n e e' : agrees n e e' -> agrees n e' e.
Proof. intros A v V. symmetry. now apply A. Qed.
Lemma agrees_trans n n' e e' e'' : (n <= n')%positive ->
  agrees n e e' -> agrees n' e' e'' -> agrees n e e''.
Proof.
  intros L A A' v V. rewrite (A v V). apply A'. lia.
Qed.
Lemma agrees_le n n' e e' : (n <= n')%positive -> agrees n' e e' ->
  agrees n e e'.
Proof. intros L A v V. apply A. lia. Qed.

Definition below_ (n : var) (p : poly) : Prop :=
  Forall (fun t => Forall (fun v => (v < n)%positive) (fst t)) p.

Lemma polyBelow_spec n p : polyBelow n p = true <-> below_ n p.
Proof.
  unfold polyBelow, below_. rewrite forallb_forall, Forall_forall.
  split; intros H t I; specialize (H t I).
  - rewrite forallb_forall in H. apply Forall_forall. intros v V.
    apply Pos.ltb_lt. auto.
  - rewrite Forall_forall in H. apply forallb_forall. intros v V.
    apply Pos.ltb_lt. auto.
Qed.

Lemma below_le n n' p : (n <= n')%positive -> below_ n p -> below_ n' p.
Proof.
  intros L. unfold below_. apply Forall_impl. intro t. apply Forall_impl.
  intros v V. cbv beta in *. lia.
Qed.

Lemma mulMono_all (P : var -> Prop) a b :
  Forall P a -> Forall P b -> Forall P (mulMono a b).
Proof.
  revert b. induction a as [|x a IH]; intros b A B; [exact B|].
  induction b as [|y b IHb]; [exact A|]. cbn [mulMono].
  inversion A. inversion B. subst.
  destruct (x <=? y)%positive; constructor; auto.
Qed.

Lemma add_all (P : mono * Z -> Prop) a b :
  (forall m c d, P (m, c) -> P (m, d)) ->
  Forall P a -> Forall P b -> Forall P (add a b).
Proof.
  intro C. revert b. induction a as [|[m c] a IH]; intros b A B; [exact B|].
  induction b as [|[n d] b IHb]; [exact A|].
  inversion A as [|? ? A1 A2]. inversion B as [|? ? B1 B2]. subst.
  cbn [add]. destruct (compareMono m n).
  - destruct (c + d =? 0); [now apply IH|].
    constructor; [now apply (C m c)|now apply IH].
  - constructor; [exact A1|]. now apply IH.
  - constructor; [exact B1|]. now apply IHb.
Qed.

Lemma add_below n a b : below_ n a -> below_ n b -> below_ n (add a b).
Proof. apply add_all. auto. Qed.
Lemma neg_below n a : below_ n a -> below_ n (neg a).
Proof. intro A. unfold below_, neg. now apply Forall_map. Qed.
Lemma sub_below n a b : below_ n a -> below_ n b -> below_ n (sub a b).
Proof. intros A B. apply add_below, neg_below; assumption. Qed.
Lemma mul_below n a b : below_ n a -> below_ n b -> below_ n (mul a b).
Proof.
  intros A B. induction A as [|[m c] a H A IH]; [constructor|]. cbn [mul].
  apply add_below; [|exact IH]. apply Forall_map.
  eapply Forall_impl; [|exact B]. intros t T. now apply mulMono_all.
Qed.
Lemma constant_below n c : below_ n (constant c).
Proof.
  unfold constant. destruct (c =? 0); repeat constructor.
Qed.
Lemma variable_below n v : (v < n)%positive -> below_ n (variable v).
Proof. intro V. repeat constructor. exact V. Qed.
Lemma plus_below n p c : below_ n p -> below_ n (plus p c).
Proof. intro P. apply add_below, constant_below. exact P. Qed.
Lemma lower_below n p : below_ n p -> below_ n (below p).
Proof. intro P. apply sub_below, constant_below. now apply neg_below. Qed.
Lemma nil_below n : below_ n [].
Proof. constructor. Qed.
Create HintDb bounded.
#[export] Hint Resolve add_below neg_below sub_below mul_below constant_below
  plus_below lower_below nil_below : bounded.

Lemma agrees_eval n e e' p : agrees n e e' -> below_ n p ->
  eval e p = eval e' p.
Proof.
  intros A B. apply eval_ext. intros v V. apply A.
  unfold contains in V. apply existsb_exists in V as [t [I V]].
  apply existsb_exists in V as [u [U V]]. apply Pos.eqb_eq in V. subst u.
  unfold below_ in B. rewrite Forall_forall in B. specialize (B t I).
  rewrite Forall_forall in B. auto.
Qed.

Lemma plus_eval e p c : eval e (plus p c) = eval e p + c.
Proof. unfold plus. now rewrite add_eval, constant_eval. Qed.

Lemma constantOf_eval e p c : constantOf p = Some c -> eval e p = c.
Proof.
  destruct p as [|[[|v m] d] [|]]; try discriminate; intro H; injection H as <-;
    cbn [eval evalMono]; lia.
Qed.

Lemma eqPoly_sound p q : eqPoly p q = true -> p = q.
Proof.
  apply eqList_sound. intros [m c] [n d] T. unfold eqTerm in T. simpl in T.
  apply andb_true_iff in T as [T1 T2]. apply Z.eqb_eq in T2.
  apply eqList_sound in T1; [congruence|]. intros x y. apply Pos.eqb_eq.
Qed.

(* Facts. *)

Definition boundFact (n : var) (f : fact) : Prop :=
  Forall (Forall (fun a => below_ n (Cert.body a))) f.

Lemma factBelow_spec n f : factBelow n f = true <-> boundFact n f.
Proof.
  unfold factBelow, boundFact. rewrite forallb_forall, Forall_forall.
  split; intros H b B; specialize (H b B).
  - rewrite forallb_forall in H. apply Forall_forall. intros a A.
    apply polyBelow_spec. auto.
  - rewrite Forall_forall in H. apply forallb_forall. intros a A.
    apply polyBelow_spec. auto.
Qed.

Lemma boundFact_le n n' f : (n <= n')%positive -> boundFact n f ->
  boundFact n' f.
Proof.
  intro L. apply Forall_impl. intro b. apply Forall_impl. intro a.
  now apply below_le.
Qed.

Lemma agrees_holds n e e' f : agrees n e e' -> boundFact n f ->
  holds e f -> holds e' f.
Proof.
  intros A B H. unfold holds, boundFact in *. rewrite Exists_exists in *.
  destruct H as [b [I H]]. exists b. split; [exact I|].
  rewrite Forall_forall in *. specialize (B b I). rewrite Forall_forall in B.
  intros a J. specialize (H a J). unfold holdsAtom in *.
  now rewrite <- (agrees_eval n e e' (Cert.body a) A (B a J)).
Qed.

(* Definitions. *)

Definition canonical (e : values) (d : definition) : Prop :=
  map e (results d) = definitionValue e d.

(* The results of each lie in [lo, hi), behind its arguments and behind all that
   came before. *)
Inductive layered (lo : var) : var -> list definition -> Prop :=
  | layered_nil hi : (lo <= hi)%positive -> layered lo hi []
  | layered_cons mid hi d ds : layered lo mid ds ->
      Forall (below_ mid) (Definitions.arguments d) ->
      Forall (fun v => mid <= v < hi)%positive (results d) ->
      (mid <= hi)%positive -> NoDup (results d) -> definitionFacts d <> [] ->
      layered lo hi (d :: ds).

Lemma layered_le lo hi ds : layered lo hi ds -> (lo <= hi)%positive.
Proof. induction 1; lia. Qed.
Lemma layered_hi lo hi hi' ds : (hi <= hi')%positive -> layered lo hi ds ->
  layered lo hi' ds.
Proof.
  intros L Y. revert L.
  destruct Y as [hi H|mid hi d ds Y A R M N F]; intro L.
  - constructor. lia.
  - apply layered_cons with mid; auto; [|lia]. eapply Forall_impl; [|exact R].
    intros v V. cbv beta in *. lia.
Qed.
Lemma layered_app lo mid hi ds ds' : layered lo mid ds -> layered mid hi ds' ->
  layered lo hi (ds' ++ ds).
Proof.
  intros Y Y'. induction Y' as [hi H|mid' hi d ds' Y' IH A R M N F].
  - now apply layered_hi with mid.
  - simpl. apply layered_cons with mid'; auto.
Qed.

(* Values that are no results of these definitions may be chosen first. *)
Lemma layered_complete lo hi ds : layered lo hi ds -> forall e,
  exists e', (forall v, ~ In v (flat_map results ds) -> e' v = e v) /\
             Forall (canonical e') ds.
Proof.
  induction 1 as [hi H|mid hi d ds Y IH A R M N F]; intro e.
  { exists e. split; [reflexivity|constructor]. }
  destruct (IH e) as [e' [E C]].
  exists (update e' (results d) (definitionValue e' d)).
  assert (K : agrees mid e' (update e' (results d) (definitionValue e' d))).
  { intros v V. symmetry. apply update_other. intro I.
    rewrite Forall_forall in R. specialize (R v I). lia. }
  split.
  - intros v V. simpl in V. rewrite in_app_iff in V.
    rewrite update_other by tauto. apply E. tauto.
  - constructor.
    + unfold canonical. rewrite update_results.
      * apply definitionValue_ext. eapply Forall_impl; [|exact A].
        intros p P. now apply agrees_eval with mid.
      * exact N.
      * now apply definitionValue_length.
    + assert (Old : forall ds, layered lo mid ds -> Forall (canonical e') ds ->
        Forall (canonical (update e' (results d) (definitionValue e' d))) ds).
      { clear - K. intros ds Y C.
        induction Y as [hi H|mid' hi d' ds Y IH A R M N F]; [constructor|].
        inversion C as [|? ? C1 C2]. subst. constructor.
        - unfold canonical in *.
          rewrite <- (definitionValue_ext e' _ d').
          + rewrite <- C1. symmetry. apply map_ext_in. intros v V. apply K.
            rewrite Forall_forall in R. specialize (R v V). lia.
          + eapply Forall_impl; [|exact A]. intros p P.
            apply agrees_eval with hi; [exact K|].
            now apply below_le with mid'.
        - apply IH; [|exact C2]. eapply agrees_le; [|exact K]. lia. }
      now apply Old.
Qed.

Lemma layered_results lo hi ds v : layered lo hi ds ->
  In v (flat_map results ds) -> (lo <= v < hi)%positive.
Proof.
  induction 1 as [hi H|mid hi d ds Y IH A R M N F]; simpl; [contradiction|].
  rewrite in_app_iff. pose proof (layered_le _ _ _ Y). intros [I|I].
  - rewrite Forall_forall in R. specialize (R v I). lia.
  - specialize (IH I). lia.
Qed.

Lemma canonical_agrees n e e' d : agrees n e e' ->
  Forall (below_ n) (Definitions.arguments d) ->
  Forall (fun v => v < n)%positive (results d) ->
  canonical e d -> canonical e' d.
Proof.
  intros K A R C. unfold canonical in *.
  rewrite <- (definitionValue_ext e e' d).
  - rewrite <- C. symmetry. apply map_ext_in. intros v V. apply K.
    rewrite Forall_forall in R. auto.
  - eapply Forall_impl; [|exact A]. intros p P. now apply agrees_eval with n.
Qed.

(* Scopes that the steps of the generator keep in order. *)

Definition boundDefinition (n : var) (d : definition) : Prop :=
  Forall (below_ n) (Definitions.arguments d) /\
  Forall (fun v => v < n)%positive (results d).

Definition sourced (ds : list definition) (f : scoped) : Prop :=
  match reason_ f with
  | ByDefinition d _ => In d ds /\ In (claims f) (definitionFacts d)
  | _ => True
  end.

Record orderly (s : scope) : Prop := Orderly
  { factsBound : Forall (fun f => boundFact (next s) (claims f)) (facts s);
    definedBound : Forall (boundDefinition (next s)) (defined s);
    factsSourced : Forall (sourced (defined s)) (facts s) }.

Record grows (s s' : scope) : Prop := Grows
  { growsNext : (next s <= next s')%positive;
    growsDefined : exists ds, defined s' = ds ++ defined s /\
                              layered (next s) (next s') ds;
    growsVcs : exists ds, vcs s' = ds ++ vcs s;
    growsSites : exists ss, sites s' = ss ++ sites s;
    growsWrites : exists ws, writes s' = ws ++ writes s }.

Lemma grows_refl s : grows s s.
Proof.
  split; [lia| | | |]; exists []; try reflexivity.
  split; [reflexivity|]. constructor. lia.
Qed.
Lemma grows_trans s s' s'' : grows s s' -> grows s' s'' -> grows s s''.
Proof.
  intros [N [ds [D Y]] [os O] [ss S] [ws W]] [N' [ds' [D' Y']] [os' O'] [ss' S']
    [ws' W']].
  split; [lia| | | |].
  - exists (ds' ++ ds). rewrite D', D, app_assoc. split; [reflexivity|].
    now apply layered_app with (next s').
  - exists (os' ++ os). now rewrite O', O, app_assoc.
  - exists (ss' ++ ss). now rewrite S', S, app_assoc.
  - exists (ws' ++ ws). now rewrite W', W, app_assoc.
Qed.

(* The facts in scope hold, and definitions have their values, those of scopes
   that have ended too. *)
Record true_ (s : scope) (e : values) : Prop := True_
  { factsHold : Forall (fun f => holds e (claims f)) (facts s);
    definedHold : Forall (canonical e) (defined s) }.

Lemma true_agrees s e e' : orderly s -> agrees (next s) e e' -> true_ s e ->
  true_ s e'.
Proof.
  intros [B D _] A [F C]. split.
  - rewrite Forall_forall in *. intros f I.
    eapply agrees_holds; [exact A|now apply B|now apply F].
  - rewrite Forall_forall in *. intros d I. destruct (D d I) as [P R].
    eapply canonical_agrees; eauto.
Qed.

(* What comes later can be given values. *)
Lemma grows_complete s s' e : orderly s -> grows s s' -> true_ s e ->
  exists e', agrees (next s) e e' /\ Forall (canonical e') (defined s') /\
    (forall v, ~ In v (flat_map results (defined s')) -> e' v = e v).
Proof.
  intros O G T. destruct (growsDefined _ _ G) as [ds [D Y]].
  destruct (layered_complete _ _ _ Y e) as [e' [E C]].
  assert (A : agrees (next s) e e').
  { intros v V. symmetry. apply E. intro I.
    pose proof (layered_results _ _ _ _ Y I). lia. }
  exists e'. split; [exact A|]. rewrite D. split.
  - apply Forall_app. split; [exact C|].
    now apply (true_agrees s e e' O A T).
  - intros v V. rewrite flat_map_app, in_app_iff in V. apply E. tauto.
Qed.

(* A discharged condition: what an accepted certificate says. *)
Definition discharged (d : vc) : Prop := forall e,
  Forall (fun f => holds e (claims f)) (under d) -> 0 <= eval e (aim d).

Lemma grows_discharged s s' : grows s s' -> Forall discharged (vcs s') ->
  Forall discharged (vcs s).
Proof.
  intros G P. destruct (growsVcs _ _ G) as [ds D]. rewrite D in P.
  now apply Forall_app in P.
Qed.

(* Steps that keep scopes in order and only add to them. *)

Definition tame {A} (g : gen A) : Prop := forall s a s',
  g s = Some (a, s') -> orderly s -> orderly s' /\ grows s s'.
(* And leave the facts in scope as they are, but for new ones. *)
Definition scopes {A} (g : gen A) : Prop := forall s a s',
  g s = Some (a, s') -> exists more, facts s' = more ++ facts s.

Lemma tame_ret {A} (a : A) : tame (ret a).
Proof. intros s x s' H O. injection H as _ <-. auto using grows_refl. Qed.
Lemma tame_fail {A} : tame (@fail A).
Proof. intros s x s' H. discriminate. Qed.
Lemma tame_given {A} (o : option A) : tame (given o).
Proof.
  intros s x s' H O. unfold given in H. destruct o; [|discriminate].
  injection H as _ <-. auto using grows_refl.
Qed.
Lemma tame_check b : tame (check b).
Proof.
  intros s x s' H O. unfold check in H. destruct b; [|discriminate].
  injection H as _ <-. auto using grows_refl.
Qed.
Lemma andThen_inv {A B} (g : gen A) (f : A -> gen B) s b s'' :
  andThen g f s = Some (b, s'') ->
  exists a s', g s = Some (a, s') /\ f a s' = Some (b, s'').
Proof.
  unfold andThen. destruct (g s) as [[a s']|]; [|discriminate]. eauto.
Qed.
Lemma tame_then {A B} (g : gen A) (f : A -> gen B) :
  tame g -> (forall a, tame (f a)) -> tame (andThen g f).
Proof.
  intros G F s b s'' H O. apply andThen_inv in H as [a [s' [H1 H2]]].
  destruct (G _ _ _ H1 O) as [O' G'].
  destruct (F _ _ _ _ H2 O') as [O'' G'']. eauto using grows_trans.
Qed.
Lemma tame_forEach {A} (f : A -> gen unit) l :
  (forall x, tame (f x)) -> tame (forEach f l).
Proof.
  intro F. induction l; simpl; [apply tame_ret|]. apply tame_then; auto.
Qed.
Lemma tame_mapEach {A B} (f : A -> gen B) l :
  (forall x, tame (f x)) -> tame (mapEach f l).
Proof.
  intro F. induction l; simpl; [apply tame_ret|].
  apply tame_then; [auto|]. intro. apply tame_then; [auto|].
  intro. apply tame_ret.
Qed.

Lemma scopes_ret {A} (a : A) : scopes (ret a).
Proof. intros s x s' H. injection H as _ <-. now exists []. Qed.
Lemma scopes_fail {A} : scopes (@fail A).
Proof. intros s x s' H. discriminate. Qed.
Lemma scopes_given {A} (o : option A) : scopes (given o).
Proof.
  intros s x s' H. unfold given in H. destruct o; [|discriminate].
  injection H as _ <-. now exists [].
Qed.
Lemma scopes_check b : scopes (check b).
Proof.
  intros s x s' H. unfold check in H. destruct b; [|discriminate].
  injection H as _ <-. now exists [].
Qed.
Lemma scopes_then {A B} (g : gen A) (f : A -> gen B) :
  scopes g -> (forall a, scopes (f a)) -> scopes (andThen g f).
Proof.
  intros G F s b s'' H. apply andThen_inv in H as [a [s' [H1 H2]]].
  destruct (G _ _ _ H1) as [m E]. destruct (F _ _ _ _ H2) as [m' E'].
  exists (m' ++ m). now rewrite E', E, app_assoc.
Qed.
Lemma scopes_forEach {A} (f : A -> gen unit) l :
  (forall x, scopes (f x)) -> scopes (forEach f l).
Proof.
  intro F. induction l; simpl; [apply scopes_ret|]. apply scopes_then; auto.
Qed.
Lemma scopes_mapEach {A B} (f : A -> gen B) l :
  (forall x, scopes (f x)) -> scopes (mapEach f l).
Proof.
  intro F. induction l; simpl; [apply scopes_ret|].
  apply scopes_then; [auto|]. intro. apply scopes_then; [auto|].
  intro. apply scopes_ret.
Qed.

Lemma sourced_more ds ds' f : sourced ds f -> sourced (ds' ++ ds) f.
Proof.
  unfold sourced. destruct (reason_ f); auto.
  intros [I C]. split; [apply in_or_app; auto|exact C].
Qed.

(* `assume`, of what no definition says. *)
Lemma assume_inv f r s u s' : assume f r s = Some (u, s') ->
  boundFact (next s) f /\
  s' = Scope (next s) (Scoped f r :: facts s) (defined s) (vcs s) (sites s)
         (writes s).
Proof.
  unfold assume. destruct (factBelow (next s) f) eqn:B; [|discriminate].
  intro H. injection H as _ <-. split; [now apply factBelow_spec|reflexivity].
Qed.

Lemma same_grows s fs ds :
  grows s (Scope (next s) fs (defined s) (ds ++ vcs s) (sites s) (writes s)).
Proof.
  split; simpl; [lia| | | |]; try (now exists []); [|now exists ds].
  exists []. split; [reflexivity|]. constructor. lia.
Qed.

Definition plain (r : reason) : Prop :=
  match r with ByDefinition _ _ => False | _ => True end.

Lemma assume_tame f r : plain r -> tame (assume f r).
Proof.
  intros P s u s' H O. apply assume_inv in H as [B ->]. destruct O as [F D S].
  split; [split; simpl|].
  - constructor; auto.
  - exact D.
  - constructor; [|exact S]. unfold sourced. simpl. now destruct r.
  - apply (same_grows s _ []).
Qed.
Lemma assume_scopes f r : scopes (assume f r).
Proof.
  intros s u s' H. apply assume_inv in H as [_ ->]. now exists [Scoped f r].
Qed.
Lemma assume_true f r s u s' e : assume f r s = Some (u, s') -> true_ s e ->
  holds e f -> true_ s' e.
Proof.
  intros H [F D] P. apply assume_inv in H as [_ ->]. split; simpl; auto.
Qed.

Lemma fresh_tame : tame fresh_.
Proof.
  intros s v s' H O. injection H as <- <-. destruct O as [F D S].
  split; [split; simpl|].
  - eapply Forall_impl; [|exact F]. intros f. apply boundFact_le. lia.
  - eapply Forall_impl; [|exact D]. intros d [A R]. split.
    + eapply Forall_impl; [|exact A]. intros p. apply below_le. lia.
    + eapply Forall_impl; [|exact R]. intros v V. simpl in *. lia.
  - exact S.
  - split; simpl; [lia| | | |]; try (now exists []).
    exists []. split; [reflexivity|]. constructor. lia.
Qed.
Lemma fresh_scopes : scopes fresh_.
Proof. intros s v s' H. injection H as _ <-. now exists []. Qed.

(* A new variable may have any value. *)
Definition set1 (e : values) (v : var) (x : Z) : values :=
  fun u => if Pos.eqb u v then x else e u.
Lemma set1_agrees e v x : agrees v e (set1 e v x).
Proof.
  intros u U. unfold set1. destruct (Pos.eqb_spec u v); [lia|reflexivity].
Qed.
Lemma set1_same e v x : set1 e v x v = x.
Proof. unfold set1. now rewrite Pos.eqb_refl. Qed.

Lemma fresh_true s v s' e x : fresh_ s = Some (v, s') -> orderly s ->
  true_ s e -> v = next s /\ true_ s' (set1 e v x).
Proof.
  intros H O T. injection H as <- <-. split; [reflexivity|].
  apply (true_agrees s e (set1 e (next s) x)) in T;
    [|exact O|apply set1_agrees].
  destruct T as [F D]. now split.
Qed.

Lemma emit_inv r goal remember s u s' : emit r goal remember s = Some (u, s') ->
  below_ (next s) goal /\
  exists fs, s' = Scope (next s) (fs ++ facts s) (defined s)
                    (Vc r (facts s) goal :: vcs s) (sites s) (writes s) /\
    (fs = [] \/ remember = true /\
     exists i, fs = [Scoped (GeZ goal) (ByProof i (fun v => v))]).
Proof.
  unfold emit. destruct (polyBelow (next s) goal) eqn:B; [|discriminate].
  apply polyBelow_spec in B. intro H. split; [exact B|].
  destruct (remember && _) eqn:R.
  - apply assume_inv in H as [_ ->]. simpl. eexists [_]. split; [reflexivity|].
    right. apply andb_true_iff in R as [-> _]. eauto.
  - injection H as _ <-. exists []. auto.
Qed.

Lemma emit_tame r goal remember : tame (emit r goal remember).
Proof.
  intros s u s' H O. apply emit_inv in H as [B [fs [-> R]]].
  destruct O as [F D S]. split; [split; simpl|].
  - destruct R as [->|[_ [i ->]]]; simpl; [exact F|].
    constructor; [|exact F]. repeat constructor. exact B.
  - exact D.
  - destruct R as [->|[_ [i ->]]]; simpl; [exact S|].
    constructor; [exact I|exact S].
  - apply (same_grows s _ [_]).
Qed.
Lemma emit_scopes r goal remember : scopes (emit r goal remember).
Proof.
  intros s u s' H. apply emit_inv in H as [_ [fs [-> _]]]. now exists fs.
Qed.
(* A condition that is discharged holds. *)
Lemma emit_true r goal remember s u s' e : emit r goal remember s = Some (u, s')
  ->
  Forall discharged (vcs s') -> true_ s e -> 0 <= eval e goal /\ true_ s' e.
Proof.
  intros H P [F D]. apply emit_inv in H as [B [fs [-> R]]]. simpl in P.
  inversion P as [|? ? P1 P2]. subst.
  assert (G : 0 <= eval e goal) by now apply P1.
  split; [exact G|]. split; [|exact D]. simpl.
  destruct R as [->|[_ [i ->]]]; simpl; [exact F|].
  constructor; [|exact F]. now apply holds_ge.
Qed.

(* Definitions. *)

Lemma introduce_inv d : forall fs part s u s',
  introduce d part fs s = Some (u, s') ->
  Forall (boundFact (next s)) fs /\
  exists new, s' = Scope (next s) (new ++ facts s) (defined s) (vcs s)
                     (sites s) (writes s) /\
    Forall (fun f => In (claims f) fs /\
                     exists part, reason_ f = ByDefinition d part) new /\
    (forall f, In f fs -> exists g, In g new /\ claims g = f).
Proof.
  induction fs as [|f fs IH]; intros part s u s' H; simpl in H.
  - injection H as _ <-. split; [constructor|]. exists [].
    split; [now destruct s|]. split; [constructor|intros f []].
  - apply andThen_inv in H as [a [s1 [H1 H2]]].
    apply assume_inv in H1 as [B ->]. apply IH in H2 as [Bs [new [-> [N M]]]].
    simpl in *. split; [now constructor|].
    exists (new ++ [Scoped f (ByDefinition d part)]).
    split; [now rewrite <- app_assoc|]. split.
    + apply Forall_app. split.
      * eapply Forall_impl; [|exact N]. intros g [G1 G2]. split; [now right|].
        exact G2.
      * constructor; [|constructor]. simpl. split; [now left|eauto].
    + intros g [<-|G].
      * eexists. split; [apply in_or_app; right; now left|reflexivity].
      * destruct (M g G) as [x [X1 X2]]. exists x.
        split; [apply in_or_app; now left|exact X2].
Qed.

Lemma fresh_many n : forall s rs s',
  mapEach (fun _ => fresh_) (repeat tt n) s = Some (rs, s') ->
  length rs = n /\ NoDup rs /\
  Forall (fun v => next s <= v < next s')%positive rs /\
  (next s <= next s')%positive /\
  s' = Scope (next s') (facts s) (defined s) (vcs s) (sites s) (writes s).
Proof.
  induction n as [|n IH]; intros s rs s' H; simpl in H.
  - injection H as <- <-. repeat split; try constructor; try lia.
    now destruct s.
  - apply andThen_inv in H as [v [s1 [H1 H2]]].
    apply andThen_inv in H2 as [vs [s2 [H2 H3]]].
    injection H1 as <- <-. injection H3 as <- <-.
    apply IH in H2 as [L [N [F [Le E]]]]. simpl in *.
    repeat split; simpl; auto; try lia.
    + constructor; [|exact N]. intro I. rewrite Forall_forall in F.
      specialize (F _ I). lia.
    + constructor; [lia|]. eapply Forall_impl; [|exact F].
      intros v V. simpl in V. lia.
Qed.

Lemma findDefinition_spec k args fs d : findDefinition k args fs = Some d ->
  Definitions.kind_ d = k /\ Definitions.arguments d = args /\
  exists f part, In f fs /\ reason_ f = ByDefinition d part.
Proof.
  unfold findDefinition. destruct (find _ _) as [f|] eqn:F; [|discriminate].
  apply find_some in F as [I A]. unfold alike in A.
  destruct (reason_ f) as [|d' part|] eqn:R; try discriminate.
  intro H. injection H as ->. apply andb_true_iff in A as [K A].
  apply eqList_sound in A; [|apply eqPoly_sound]. repeat split.
  - destruct k, (Definitions.kind_ d); simpl in K; try discriminate;
      reflexivity.
  - now rewrite A.
  - exists f, part. split; [now apply in_rev|exact R].
Qed.

Definition shaped (k : Definitions.kind) (args : list poly) (count : nat)
  : Prop := forall rs, length rs = count ->
  definitionFacts (Definition_ k args rs) <> [].

Lemma define_tame k args count : shaped k args count ->
  tame (define_ k args count).
Proof.
  intros Sh s rs s' H O. unfold define_ in H.
  destruct (findDefinition _ _ _) as [d|].
  { injection H as _ <-. auto using grows_refl. }
  destruct (forallb _ args) eqn:B; [|discriminate].
  apply andThen_inv in H as [vs [s1 [H1 H]]].
  apply andThen_inv in H as [u [s2 [H2 H]]].
  apply andThen_inv in H as [u' [s3 [H3 H]]].
  injection H as _ <-. apply fresh_many in H1 as [L [N [F [Le E]]]].
  injection H2 as _ <-. apply introduce_inv in H3 as [Bs [new [-> [M _]]]].
  rewrite E in *. simpl in *. clear E.
  assert (Args : Forall (below_ (next s)) args).
  { rewrite forallb_forall in B. apply Forall_forall. intros p P.
    apply polyBelow_spec. auto. }
  destruct O as [OF OD OS]. split; [split; simpl|].
  - apply Forall_app. split.
    + eapply Forall_impl; [|exact M]. intros f [I _].
      rewrite Forall_forall in Bs. auto.
    + eapply Forall_impl; [|exact OF]. intros f. now apply boundFact_le.
  - constructor.
    + split; simpl.
      * eapply Forall_impl; [|exact Args]. intros p. now apply below_le.
      * eapply Forall_impl; [|exact F]. simpl. intros v V. cbv beta in *. lia.
    + eapply Forall_impl; [|exact OD]. intros d [A R]. split.
      * eapply Forall_impl; [|exact A]. intros p. now apply below_le.
      * eapply Forall_impl; [|exact R]. simpl. intros v V. cbv beta in *. lia.
  - apply Forall_app. split.
    + eapply Forall_impl; [|exact M]. intros f [I [part R]]. unfold sourced.
      rewrite R. split; [now left|exact I].
    + eapply Forall_impl; [|exact OS]. intros f. apply (sourced_more _ [_]).
  - split; simpl; [lia| | | |]; try (now exists []).
    exists [Definition_ k args vs]. split; [reflexivity|].
    apply layered_cons with (next s); simpl; auto; try lia.
    + constructor. lia.
Qed.
Lemma define_scopes k args count : scopes (define_ k args count).
Proof.
  intros s rs s' H. unfold define_ in H.
  destruct (findDefinition _ _ _) as [d|].
  { injection H as _ <-. now exists []. }
  destruct (forallb _ args); [|discriminate].
  apply andThen_inv in H as [vs [s1 [H1 H]]].
  apply andThen_inv in H as [u [s2 [H2 H]]].
  apply andThen_inv in H as [u' [s3 [H3 H]]].
  injection H as _ <-. apply fresh_many in H1 as [_ [_ [_ [_ E]]]].
  injection H2 as _ <-. apply introduce_inv in H3 as [_ [new [-> _]]].
  rewrite E. now exists new.
Qed.

(* Given its needs, a definition has the results that it should have. *)
Lemma define_true k args count s rs s' e : shaped k args count ->
  define_ k args count s = Some (rs, s') -> orderly s -> true_ s e ->
  (forall rs, Forall (holds e) (definitionNeeds (Definition_ k args rs))) ->
  exists e', agrees (next s) e e' /\ true_ s' e' /\
    map e' rs = definitionValue e (Definition_ k args rs) /\
    Forall (fun v => v < next s')%positive rs.
Proof.
  intros Sh H O T Needs. unfold define_ in H.
  destruct (findDefinition _ _ _) as [d|] eqn:Fd.
  { injection H as <- <-. exists e. split; [apply agrees_refl|].
    split; [exact T|]. apply findDefinition_spec in Fd as [K [A [f [part [I
      R]]]]].
    destruct O as [OF OD OS]. rewrite Forall_forall in OS, OD.
    specialize (OS f I). unfold sourced in OS. rewrite R in OS.
    destruct OS as [In_ _]. destruct T as [TF TD]. rewrite Forall_forall in TD.
    specialize (TD d In_). unfold canonical in TD. split.
    - rewrite TD. destruct d as [k' args' rs']. simpl in *. now subst.
    - now apply OD. }
  destruct (forallb _ args) eqn:B; [|discriminate].
  apply andThen_inv in H as [vs [s1 [H1 H]]].
  apply andThen_inv in H as [u [s2 [H2 H]]].
  apply andThen_inv in H as [u' [s3 [H3 H]]].
  injection H as <- <-. apply fresh_many in H1 as [L [N [F [Le E]]]].
  injection H2 as _ <-. apply introduce_inv in H3 as [Bs [new [-> [M _]]]].
  rewrite E in *. simpl in *. clear E.
  set (d := Definition_ k args vs) in *.
  assert (NE : definitionFacts d <> []) by now apply Sh.
  assert (Args : Forall (below_ (next s)) args).
  { rewrite forallb_forall in B. apply Forall_forall. intros p P.
    apply polyBelow_spec. auto. }
  set (e' := update e vs (definitionValue e d)).
  assert (Ag : agrees (next s) e e').
  { intros v V. symmetry. apply update_other. intro I.
    rewrite Forall_forall in F. specialize (F v I). simpl in F. lia. }
  assert (Same : Forall (fun a => eval e a = eval e' a) args).
  { eapply Forall_impl; [|exact Args]. intros p P.
    now apply agrees_eval with (next s). }
  assert (Res : map e' vs = definitionValue e d).
  { apply update_results; [exact N|]. now apply definitionValue_length. }
  assert (Facts : Forall (holds e') (definitionFacts d)).
  { apply definition_value; [exact NE|]. split.
    - eapply definitionNeeds_ext; [exact Same|apply Needs].
    - simpl. rewrite Res. now apply definitionValue_ext. }
  exists e'. split; [exact Ag|].
  apply (true_agrees s e e' O Ag) in T. destruct T as [TF TD].
  split; [split; simpl|split].
  - apply Forall_app. split; [|exact TF]. eapply Forall_impl; [|exact M].
    intros f [I _]. rewrite Forall_forall in Facts. auto.
  - constructor; [|exact TD]. unfold canonical. simpl. rewrite Res.
    now apply definitionValue_ext.
  - exact Res.
  - eapply Forall_impl; [|exact F]. simpl. intros v V. cbv beta in *. lia.
Qed.
