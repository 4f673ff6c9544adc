(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   What the small steps of the generator compute: division, choice, wrapping;
   and what conditions say, their facts and their negations. *)

From Coq Require Import ZArith List Bool Lia.
From Girih Require Export Meanings.
Import ListNotations.
Open Scope Z_scope.

(* Definitions. *)

Lemma define_bound k args count s rs s' : define_ k args count s = Some (rs, s')
  -> orderly s -> Forall (fun v => v < next s')%positive rs.
Proof.
  intros H O. unfold define_ in H.
  destruct (findDefinition _ _ _) as [d|] eqn:Fd.
  { injection H as <- <-. apply findDefinition_spec in Fd
      as [_ [_ [f [part [I R]]]]].
    destruct O as [_ OD OS]. rewrite Forall_forall in OS, OD.
    specialize (OS f I). unfold sourced in OS. rewrite R in OS.
    now apply OD. }
  destruct (forallb _ args); [|discriminate].
  apply andThen_inv in H as [vs [s1 [H1 H]]].
  apply andThen_inv in H as [u [s2 [H2 H]]].
  apply andThen_inv in H as [u' [s3 [H3 H]]].
  injection H as <- <-. apply fresh_many in H1 as [_ [_ [F [_ E]]]].
  injection H2 as _ <-. apply introduce_inv in H3 as [_ [new [-> _]]].
  simpl. eapply Forall_impl; [|exact F]. intros v V. cbv beta in *. lia.
Qed.

Lemma shaped_quotient a d : shaped Quotient [a; d] 2.
Proof. intros [|q [|r [|]]] L; discriminate. Qed.
Lemma shaped_select c a b : shaped Definitions.Select [c; a; b] 1.
Proof. intros [|m [|]] L; discriminate. Qed.
Lemma widthOf_constant n : 2 <= n <= 64 ->
  Definitions.widthOf (constant n) = Some n.
Proof.
  intro N. unfold constant. destruct (Z.eqb_spec n 0); [lia|]. simpl.
  destruct (Z.leb_spec 2 n), (Z.leb_spec n 64); try lia. reflexivity.
Qed.
Lemma shaped_wrap x n : 2 <= n <= 64 -> shaped Wrap [x; constant n] 2.
Proof.
  intros N [|v [|k [|]]] L; try discriminate. unfold definitionFacts. simpl.
  now rewrite widthOf_constant.
Qed.

(* Division. *)

Lemma quotient_inv a d s qr s' : quotient a d s = Some (qr, s') ->
  exists q r, define_ Quotient [a; d] 2 s = Some ([q; r], s') /\
              qr = (variable q, variable r).
Proof.
  intro H. apply andThen_inv in H as [rs [s1 [H1 H]]].
  destruct rs as [|q [|r [|]]]; try discriminate. injection H as <- <-.
  eauto.
Qed.

Lemma divide_inv a d s qr s' : divide a d s = Some (qr, s') ->
  (constantOf d = Some 1 /\ qr = (a, []) /\ s' = s) \/
  (exists x y, constantOf a = Some x /\ constantOf d = Some y /\
     qr = (constant (x / y), constant (x mod y)) /\ s' = s) \/
  exists q r, define_ Quotient [a; d] 2 s = Some ([q; r], s') /\
              qr = (variable q, variable r).
Proof.
  intro H. destruct (constantOf d) as [y|] eqn:D.
  - destruct (Z.eq_dec y 1) as [->|N].
    { left. unfold divide in H. rewrite D in H.
      destruct (constantOf a); injection H as <- <-; auto. }
    right. destruct (constantOf a) as [x|] eqn:A.
    + assert (E : divide a d =
        if (0 <=? x) && (0 <? y)
        then ret (constant (x / y), constant (x mod y)) else quotient a d).
      { unfold divide. rewrite A, D. destruct y as [|[]|]; congruence. }
      rewrite E in H. destruct (_ && _).
      * injection H as <- <-. left. eauto 6.
      * right. now apply quotient_inv.
    + right. apply quotient_inv. rewrite <- H. unfold divide. rewrite A, D.
      destruct y as [|[]|]; congruence.
  - right. right. apply quotient_inv. rewrite <- H. unfold divide. rewrite D.
    now destruct (constantOf a).
Qed.

Lemma divide_tame a d : tame (divide a d).
Proof.
  intros s qr s' H O. apply divide_inv in H.
  destruct H as [[_ [_ ->]]|[(x & y & _ & _ & _ & ->)|(q & r & H & _)]];
    auto using grows_refl.
  eapply define_tame; eauto using shaped_quotient.
Qed.
Lemma divide_scopes a d : scopes (divide a d).
Proof.
  intros s qr s' H. apply divide_inv in H.
  destruct H as [[_ [_ ->]]|[(x & y & _ & _ & _ & ->)|(q & r & H & _)]];
    try (now exists []).
  eapply define_scopes; eauto.
Qed.
Lemma divide_bound a d s q r s' : divide a d s = Some ((q, r), s') ->
  orderly s -> below_ (next s) a -> below_ (next s') q /\ below_ (next s') r.
Proof.
  intros H O A. apply divide_inv in H.
  destruct H as [[_ [E ->]]|[(x & y & _ & _ & E & ->)|(q' & r' & H & E)]];
    injection E as -> ->; auto with bounded.
  apply define_bound in H; [|exact O]. inversion H as [|? ? Q R].
  inversion R. auto using variable_below.
Qed.
Lemma divide_true a d s q r s' e : divide a d s = Some ((q, r), s') ->
  orderly s -> true_ s e -> 1 <= eval e d -> 0 <= eval e a ->
  exists e', agrees (next s) e e' /\ true_ s' e' /\
    eval e' q = eval e a / eval e d /\ eval e' r = eval e a mod eval e d.
Proof.
  intros H O T D A. apply divide_inv in H.
  destruct H as [[C [E ->]]|[(x & y & X & Y & E & ->)|(q' & r' & H & E)]];
    injection E as -> ->.
  - exists e. apply (constantOf_eval e) in C.
    rewrite C, Z.div_1_r, Z.mod_1_r. auto using agrees_refl.
  - exists e. apply (constantOf_eval e) in X, Y. subst x y.
    rewrite !constant_eval. auto using agrees_refl.
  - apply (define_true _ _ _ _ _ _ e) in H;
      eauto using shaped_quotient.
    + destruct H as (e' & Ag & T' & V & _). exists e'. cbn in V.
      injection V as Q R. rewrite !variable_eval. auto.
    + intros rs. unfold definitionNeeds. simpl.
      destruct rs as [|? [|? [|]]]; repeat constructor;
        unfold holdsAtom, Definitions.one; simpl equality; cbv iota;
        cbn [Cert.body]; rewrite ?sub_eval, ?constant_eval; lia.
Qed.

(* Choice by a sign. *)

Lemma select_inv c a b s x s' : select c a b s = Some (x, s') ->
  (a = b /\ x = a /\ s' = s) \/
  (exists y, constantOf c = Some y /\ x = (if 0 <=? y then a else b) /\ s' = s)
  \/ exists m, define_ Definitions.Select [c; a; b] 1 s = Some ([m], s') /\
               x = variable m.
Proof.
  unfold select. destruct (eqPoly a b) eqn:E.
  { apply eqPoly_sound in E. intro H. injection H as <- <-. auto. }
  destruct (constantOf c) as [y|]; intro H; right.
  - injection H as <- <-. left. eauto.
  - apply andThen_inv in H as [rs [s1 [H1 H]]].
    destruct rs as [|m [|]]; try discriminate. injection H as <- <-. eauto.
Qed.

Lemma select_tame c a b : tame (select c a b).
Proof.
  intros s x s' H O. apply select_inv in H.
  destruct H as [[_ [_ ->]]|[(y & _ & _ & ->)|(m & H & _)]];
    auto using grows_refl.
  eapply define_tame; eauto using shaped_select.
Qed.
Lemma select_scopes c a b : scopes (select c a b).
Proof.
  intros s x s' H. apply select_inv in H.
  destruct H as [[_ [_ ->]]|[(y & _ & _ & ->)|(m & H & _)]];
    try (now exists []).
  eapply define_scopes; eauto.
Qed.
Lemma select_bound c a b s x s' : select c a b s = Some (x, s') -> orderly s ->
  below_ (next s) a -> below_ (next s) b -> below_ (next s') x.
Proof.
  intros H O A B. apply select_inv in H.
  destruct H as [[_ [-> ->]]|[(y & _ & -> & ->)|(m & H & ->)]].
  - exact A.
  - now destruct (0 <=? y).
  - apply define_bound in H; [|exact O]. inversion H.
    auto using variable_below.
Qed.
Lemma select_true c a b s x s' e : select c a b s = Some (x, s') -> orderly s ->
  true_ s e -> exists e', agrees (next s) e e' /\ true_ s' e' /\
    eval e' x = if 0 <=? eval e c then eval e a else eval e b.
Proof.
  intros H O T. apply select_inv in H.
  destruct H as [[<- [-> ->]]|[(y & Y & -> & ->)|(m & H & ->)]].
  - exists e. destruct (0 <=? _); auto using agrees_refl.
  - exists e. apply (constantOf_eval e) in Y. subst y.
    destruct (0 <=? _); auto using agrees_refl.
  - apply (define_true _ _ _ _ _ _ e) in H; eauto using shaped_select.
    + destruct H as (e' & Ag & T' & V & _). exists e'. cbn in V.
      injection V as V. rewrite variable_eval. auto.
    + intro rs. constructor.
Qed.

(* Integers that wrap. *)

Lemma wrapped_inv x n s p s' : wrapped x n s = Some (p, s') ->
  (exists c, constantOf x = Some c /\ fitsb n c = true /\ p = x /\ s' = s) \/
  exists v rs, define_ Wrap [x; constant n] 2 s = Some (v :: rs, s') /\
               p = variable v.
Proof.
  intro H. unfold wrapped in H.
  destruct (match constantOf x with Some c => fitsb n c | None => false end)
    eqn:C.
  - destruct (constantOf x) as [c|]; [|discriminate].
    injection H as <- <-. left. eauto 6.
  - right. apply andThen_inv in H as [rs [s1 [H1 H]]].
    destruct rs as [|v rs]; [discriminate|]. injection H as <- <-. eauto.
Qed.

Lemma wrapped_tame x n : 2 <= n <= 64 -> tame (wrapped x n).
Proof.
  intros N s p s' H O. apply wrapped_inv in H.
  destruct H as [(c & _ & _ & _ & ->)|(v & rs & H & _)];
    auto using grows_refl.
  eapply define_tame; eauto using shaped_wrap.
Qed.
Lemma wrapped_scopes x n : scopes (wrapped x n).
Proof.
  intros s p s' H. apply wrapped_inv in H.
  destruct H as [(c & _ & _ & _ & ->)|(v & rs & H & _)]; [now exists []|].
  eapply define_scopes; eauto.
Qed.
Lemma wrapped_bound x n s p s' : wrapped x n s = Some (p, s') ->
  2 <= n <= 64 -> orderly s -> below_ (next s) x -> below_ (next s') p.
Proof.
  intros H _ O X. apply wrapped_inv in H.
  destruct H as [(c & _ & _ & -> & ->)|(v & rs & H & ->)]; [exact X|].
  apply define_bound in H; [|exact O]. inversion H.
  auto using variable_below.
Qed.
Lemma wrapped_true x n s p s' e : wrapped x n s = Some (p, s') ->
  2 <= n <= 64 -> orderly s -> true_ s e ->
  exists e', agrees (next s) e e' /\ true_ s' e' /\
    eval e' p = wrap n (eval e x).
Proof.
  intros H N O T. apply wrapped_inv in H.
  destruct H as [(c & C & F & -> & ->)|(v & rs & H & ->)].
  - exists e. split; [apply agrees_refl|]. split; [exact T|].
    apply (constantOf_eval e) in C. rewrite C. symmetry.
    apply wrap_exact; [lia|]. now apply fitsb_fits.
  - apply (define_true _ _ _ _ _ _ e) in H; eauto using shaped_wrap.
    + destruct H as (e' & Ag & T' & V & _). exists e'.
      unfold definitionValue in V. cbn [map Definitions.kind_
        Definitions.arguments] in V.
      rewrite widthOf_constant in V by exact N. injection V as V _.
      rewrite variable_eval. auto.
    + intro rs'. constructor.
Qed.

Lemma bitwise_fits w f x y : 1 <= w ->
  match f with And | Or | Xor => True | _ => False end ->
  fits w x -> fits w y -> fits w (exact f x y).
Proof.
  intros W F.
  assert (S : forall z, fits w z <->
            Z.shiftr z (w - 1) = 0 \/ Z.shiftr z (w - 1) = -1).
  { intro z. rewrite Z.shiftr_div_pow2 by lia. unfold fits.
    destruct (pow_half w W) as [P _]. set (h := 2 ^ (w - 1)) in *.
    pose proof (Z.div_mod z h). pose proof (Z.mod_pos_bound z h P).
    split; [intro|intros [E|E]]; nia. }
  rewrite !S. destruct f; try contradiction; cbn [exact];
    rewrite ?Z.shiftr_land, ?Z.shiftr_lor, ?Z.shiftr_lxor;
    intros [-> | ->] [-> | ->]; simpl; auto.
Qed.

(* Conditions. *)

Fixpoint truth (e : values) (c : cond) : bool :=
  match c with
  | Unknown => true
  | AtLeastZero p => 0 <=? eval e p
  | IsZero p => eval e p =? 0
  | Both a b => truth e a && truth e b
  | Either a b => truth e a || truth e b
  end.

Lemma may_truth e c : may e c <-> truth e c = true.
Proof.
  induction c as [|p|p|a IHa b IHb|a IHa b IHb]; simpl.
  - tauto.
  - now rewrite Z.leb_le.
  - now rewrite Z.eqb_eq.
  - rewrite andb_true_iff. tauto.
  - rewrite orb_true_iff. tauto.
Qed.

Lemma both_may e a b : may e a -> may e b -> may e (both a b).
Proof. unfold both. destruct (small a b); simpl; auto. Qed.
Lemma either_may e a b : may e a \/ may e b -> may e (either a b).
Proof. unfold either. destruct (small a b); simpl; auto. Qed.
Lemma both_whole a b : isKnown (both a b) = true ->
  both a b = Both a b /\ isKnown a = true /\ isKnown b = true.
Proof.
  unfold both. destruct (small a b); [|discriminate]. simpl.
  rewrite andb_true_iff. auto.
Qed.
Lemma either_whole a b : isKnown (either a b) = true ->
  either a b = Either a b /\ isKnown a = true /\ isKnown b = true.
Proof.
  unfold either. destruct (small a b); [|discriminate]. simpl.
  rewrite andb_true_iff. auto.
Qed.
Lemma both_known a b : isKnown (both a b) = true ->
  isKnown a = true /\ isKnown b = true.
Proof. intro K. now apply both_whole in K. Qed.
Lemma either_known a b : isKnown (either a b) = true ->
  isKnown a = true /\ isKnown b = true.
Proof. intro K. now apply either_whole in K. Qed.
Lemma both_known_may e a b : isKnown (both a b) = true ->
  may e (both a b) -> may e a /\ may e b.
Proof. intro K. now rewrite (proj1 (both_whole _ _ K)). Qed.
Lemma either_known_may e a b : isKnown (either a b) = true ->
  may e (either a b) -> may e a \/ may e b.
Proof. intro K. now rewrite (proj1 (either_whole _ _ K)). Qed.

Lemma lower_eval e p : eval e (below p) = - eval e p - 1.
Proof. unfold below. now rewrite sub_eval, neg_eval, constant_eval. Qed.
Lemma negated_zero e p : may e (negated (IsZero p)) <-> eval e p <> 0.
Proof.
  change (negated (IsZero p)) with
    (Either (AtLeastZero (below p)) (AtLeastZero (plus p (-1)))).
  cbn [may]. rewrite lower_eval, plus_eval. lia.
Qed.

Lemma known_negated c : isKnown (negated c) = true -> isKnown c = true.
Proof.
  induction c as [|p|p|a IHa b IHb|a IHa b IHb]; cbn [negated isKnown];
    intro K; auto.
  - apply either_known in K as [A B]. now rewrite IHa, IHb.
  - apply both_known in K as [A B]. now rewrite IHa, IHb.
Qed.
Lemma may_excludes e c : isKnown (negated c) = true -> may e c ->
  may e (negated c) -> False.
Proof.
  induction c as [|p|p|a IHa b IHb|a IHa b IHb]; intros K M N.
  - discriminate.
  - cbn [negated may] in *. rewrite lower_eval in N. lia.
  - now apply negated_zero in N.
  - cbn [negated may] in *. apply either_whole in K as (E & A & B).
    rewrite E in N. destruct N; tauto.
  - cbn [negated may] in *. apply both_whole in K as (E & A & B).
    rewrite E in N. destruct N, M; tauto.
Qed.
Lemma may_decides e c : may e c \/ may e (negated c).
Proof.
  induction c as [|p|p|a IHa b IHb|a IHa b IHb].
  - now left.
  - cbn [negated may]. rewrite lower_eval. lia.
  - rewrite negated_zero. cbn [may]. lia.
  - pose proof (either_may e (negated a) (negated b)). simpl. tauto.
  - pose proof (both_may e (negated a) (negated b)). simpl. tauto.
Qed.

Lemma ofComparison_may e c p q :
  may e (ofComparison c p q) <-> compares c (eval e p) (eval e q) = true.
Proof.
  destruct c; cbn [ofComparison compares];
    [|rewrite negated_zero|..]; cbn [may];
    rewrite ?plus_eval, ?sub_eval; lia.
Qed.
Lemma ofComparison_not e c p q : may e (negated (ofComparison c p q)) <->
  compares c (eval e p) (eval e q) = false.
Proof.
  assert (K : isKnown (negated (ofComparison c p q)) = true)
    by now destruct c.
  pose proof (may_excludes e _ K) as X.
  pose proof (may_decides e (ofComparison c p q)) as D.
  rewrite (ofComparison_may e c p q) in X, D.
  destruct (compares _ _ _); split; intro H; try discriminate; try tauto.
  destruct D; [discriminate|assumption].
Qed.
Lemma both_not e a b : may e (negated a) \/ may e (negated b) ->
  may e (negated (both a b)).
Proof.
  unfold both. destruct (small a b); [|exact (fun _ => I)].
  apply either_may.
Qed.
Lemma either_not e a b : may e (negated a) -> may e (negated b) ->
  may e (negated (either a b)).
Proof.
  unfold either. destruct (small a b); [|exact (fun _ _ => I)].
  apply both_may.
Qed.

Lemma may_twice e c : may e c -> may e (negated (negated c)).
Proof.
  induction c as [|p|p|a IHa b IHb|a IHa b IHb]; intro M.
  - exact I.
  - cbn [negated may] in *. rewrite !lower_eval. lia.
  - change (may e (Both (AtLeastZero (below (below p)))
                     (AtLeastZero (below (plus p (-1)))))).
    cbn [may] in *. rewrite !lower_eval, plus_eval. lia.
  - destruct M as [A B]. cbn [negated]. apply either_not; auto.
  - cbn [negated]. apply both_not. destruct M; auto.
Qed.

(* Their facts. *)

Lemma alternatives_may e c : forall f, alternatives c = Some f -> may e c ->
  holds e f.
Proof.
  induction c as [|p|p|a IHa b IHb|a IHa b IHb]; intros f F M;
    cbn [alternatives may] in *.
  - injection F as <-. repeat constructor.
  - injection F as <-. now apply holds_ge.
  - injection F as <-. now apply holds_eq.
  - destruct (alternatives a) as [x|]; [|discriminate].
    destruct (alternatives b) as [y|]; [|discriminate].
    destruct (_ <=? _)%nat; [|discriminate]. injection F as <-.
    specialize (IHa _ eq_refl (proj1 M)). specialize (IHb _ eq_refl (proj2 M)).
    unfold holds in *. rewrite Exists_exists in *.
    destruct IHa as [l [L HL]], IHb as [m [N HM]].
    exists (l ++ m). split; [|now apply Forall_app].
    apply in_flat_map. exists l. split; [exact L|]. now apply in_map.
  - destruct (alternatives a) as [x|]; [|discriminate].
    destruct (alternatives b) as [y|]; [|discriminate].
    destruct (_ <=? _)%nat; [|discriminate]. injection F as <-.
    unfold holds. apply Exists_app. destruct M as [M|M]; [left|right].
    + exact (IHa _ eq_refl M).
    + exact (IHb _ eq_refl M).
Qed.

Lemma alternatives_exact e c : forall f, alternatives c = Some f ->
  isKnown c = true -> holds e f -> may e c.
Proof.
  induction c as [|p|p|a IHa b IHb|a IHa b IHb]; intros f F K H;
    cbn [alternatives may isKnown] in *; try discriminate;
    try apply andb_true_iff in K as [K1 K2].
  - injection F as <-. now apply holds_ge.
  - injection F as <-. now apply holds_eq.
  - destruct (alternatives a) as [x|]; [|discriminate].
    destruct (alternatives b) as [y|]; [|discriminate].
    destruct (_ <=? _)%nat; [|discriminate]. injection F as <-.
    unfold holds in H. apply Exists_exists in H as [n [I H]].
    apply in_flat_map in I as [l [L I]]. apply in_map_iff in I as [m [<- N]].
    apply Forall_app in H as [HL HM].
    split; [eapply IHa|eapply IHb]; try reflexivity; try assumption;
      apply Exists_exists; eauto.
  - destruct (alternatives a) as [x|]; [|discriminate].
    destruct (alternatives b) as [y|]; [|discriminate].
    destruct (_ <=? _)%nat; [|discriminate]. injection F as <-.
    apply Exists_app in H as [H|H]; [left|right].
    + exact (IHa _ eq_refl K1 H).
    + exact (IHb _ eq_refl K2 H).
Qed.

Definition nonempty {A} (l : list A) : bool :=
  match l with [] => false | _ => true end.
Lemma alternatives_full c : forall f, alternatives c = Some f ->
  isKnown c = true -> forallb nonempty f = true.
Proof.
  induction c as [|p|p|a IHa b IHb|a IHa b IHb]; intros f F K;
    cbn [alternatives isKnown] in *; try discriminate;
    try apply andb_true_iff in K as [K1 K2];
    try (injection F as <-; reflexivity);
    destruct (alternatives a) as [x|]; try discriminate;
    destruct (alternatives b) as [y|]; try discriminate;
    destruct (_ <=? _)%nat; try discriminate; injection F as <-;
    specialize (IHa _ eq_refl K1); specialize (IHb _ eq_refl K2).
  - rewrite forallb_forall in *. intros n I.
    apply in_flat_map in I as [l [L I]]. apply in_map_iff in I as [m [<- N]].
    specialize (IHa _ L). now destruct l.
  - now rewrite forallb_app, IHa, IHb.
Qed.

(* The facts of a condition that is not split further. *)
Definition wholeFacts (c : cond) : list fact :=
  match alternatives c with
  | Some [l] => map (fun a => [[a]]) l
  | Some alts =>
      if forallb nonempty alts
      then [alts] else []
  | None => []
  end.

Lemma wholeFacts_spec e c f : alternatives c = Some f ->
  forallb nonempty f = true ->
  (Forall (holds e) (wholeFacts c) <-> holds e f).
Proof.
  intros F N. unfold wholeFacts. rewrite F.
  destruct f as [|l [|l' f]].
  - rewrite N, Forall_cons_iff, Forall_nil_iff. tauto.
  - unfold holds at 2. rewrite Exists_cons, Exists_nil, Forall_map.
    assert (A : forall a, holds e [[a]] <-> holdsAtom e a).
    { intro a. unfold holds.
      rewrite Exists_cons, Exists_nil, Forall_cons_iff, Forall_nil_iff. tauto. }
    rewrite !Forall_forall. split.
    + intro H. left. intros a I. apply A. auto.
    + intros [H|[]] a I. apply A. auto.
  - rewrite N, Forall_cons_iff, Forall_nil_iff. tauto.
Qed.

Lemma wholeFacts_may e c : may e c -> Forall (holds e) (wholeFacts c).
Proof.
  intro M. destruct (alternatives c) as [f|] eqn:F.
  - destruct (forallb nonempty f)
      eqn:N.
    + apply (wholeFacts_spec e c f F N). eapply alternatives_may; eauto.
    + unfold wholeFacts. rewrite F, N. destruct f as [|l [|]]; try constructor.
      simpl in N. destruct l; [constructor|discriminate].
  - unfold wholeFacts. now rewrite F.
Qed.

Lemma condFacts_may e c : may e c -> Forall (holds e) (condFacts c).
Proof.
  induction c as [|p|p|a IHa b IHb|a IHa b IHb]; intro M;
    try (apply wholeFacts_may; exact M).
  simpl. apply Forall_app. destruct M; auto.
Qed.

Lemma isExact_known c : isExact c = true -> isKnown c = true.
Proof.
  induction c as [|p|p|a IHa b IHb|a IHa b IHb]; cbn [isExact];
    rewrite ?andb_true_iff; try tauto.
  cbn [isKnown]. rewrite andb_true_iff. tauto.
Qed.

Lemma condFacts_exact e c : isExact c = true ->
  Forall (holds e) (condFacts c) -> isKnown c = true /\ may e c.
Proof.
  intros X H. split; [now apply isExact_known|]. revert X H.
  assert (W : forall c, isKnown c &&
      match alternatives c with Some _ => true | None => false end = true ->
      Forall (holds e) (wholeFacts c) -> may e c).
  { clear c. intros c X H. apply andb_true_iff in X as [K A].
    destruct (alternatives c) as [f|] eqn:F; [|discriminate].
    apply (wholeFacts_spec e c f F) in H; [|now apply alternatives_full with c].
    eapply alternatives_exact; eauto. }
  induction c as [|p|p|a IHa b IHb|a IHa b IHb]; intros X H;
    try (apply W; assumption).
  cbn [isExact condFacts may] in *. apply andb_true_iff in X as [A B].
  apply Forall_app in H as [HA HB]. auto.
Qed.

(* Bounds. *)

Lemma boundCond_le n n' c : (n <= n')%positive -> boundCond n c ->
  boundCond n' c.
Proof.
  intro L. induction c; cbn [boundCond]; eauto using below_le; tauto.
Qed.
Lemma both_bound n a b : boundCond n a -> boundCond n b ->
  boundCond n (both a b).
Proof. unfold both. destruct (small a b); cbn [boundCond]; auto. Qed.
Lemma either_bound n a b : boundCond n a -> boundCond n b ->
  boundCond n (either a b).
Proof. unfold either. destruct (small a b); cbn [boundCond]; auto. Qed.
Lemma negated_bound n c : boundCond n c -> boundCond n (negated c).
Proof.
  induction c; cbn [boundCond negated]; intro H; auto with bounded.
  - apply either_bound; cbn [boundCond]; auto with bounded.
  - apply either_bound; tauto.
  - apply both_bound; tauto.
Qed.
Lemma ofComparison_bound n c p q : below_ n p -> below_ n q ->
  boundCond n (ofComparison c p q).
Proof.
  intros P Q. destruct c; cbn [ofComparison]; try apply negated_bound;
    cbn [boundCond]; auto with bounded.
Qed.

Lemma alternatives_bound n c : boundCond n c -> forall f,
  alternatives c = Some f -> boundFact n f.
Proof.
  unfold boundFact. induction c as [|p|p|a IHa b IHb|a IHa b IHb];
    cbn [boundCond alternatives]; intros B f F;
    try (injection F as <-; repeat constructor; exact B);
    destruct B as [A B];
    destruct (alternatives a) as [x|]; try discriminate;
    destruct (alternatives b) as [y|]; try discriminate;
    destruct (_ <=? _)%nat; try discriminate; injection F as <-;
    specialize (IHa A _ eq_refl); specialize (IHb B _ eq_refl).
  - rewrite Forall_forall in *. intros m I.
    apply in_flat_map in I as [l [L I]]. apply in_map_iff in I as [k [<- N]].
    apply Forall_app. auto.
  - now apply Forall_app.
Qed.
Lemma condFacts_bound n c : boundCond n c ->
  Forall (boundFact n) (condFacts c).
Proof.
  assert (W : forall c, boundCond n c -> Forall (boundFact n) (wholeFacts c)).
  { clear c. intros c B. unfold wholeFacts.
    destruct (alternatives c) as [f|] eqn:F; [|constructor].
    apply (alternatives_bound n c B) in F.
    assert (D : Forall (boundFact n)
      (if forallb nonempty f
       then [f] else [])).
    { destruct (forallb _ f); repeat constructor. exact F. }
    destruct f as [|l [|]]; try exact D.
    inversion F as [|? ? L _]. subst. apply Forall_map.
    eapply Forall_impl; [|exact L]. intros a A. repeat constructor. exact A. }
  induction c as [|p|p|a IHa b IHb|a IHa b IHb]; intro B;
    try (apply W; exact B).
  destruct B as [A B]. simpl. apply Forall_app. auto.
Qed.

Lemma truth_agrees n e e' c : agrees n e e' -> boundCond n c ->
  truth e c = truth e' c.
Proof.
  intro A. induction c as [|p|p|a IHa b IHb|a IHa b IHb];
    cbn [boundCond truth]; intro B;
    try rewrite (agrees_eval n e e' p A B); try reflexivity;
    now rewrite (IHa (proj1 B)), (IHb (proj2 B)).
Qed.
Lemma may_agrees n e e' c : agrees n e e' -> boundCond n c -> may e c ->
  may e' c.
Proof. intros A B. now rewrite !may_truth, (truth_agrees n e e' c A B). Qed.
