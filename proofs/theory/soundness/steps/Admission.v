(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Symbols and tensors of a launch against those of the contract: what a launch
   is refused for is what the contract assumes. *)

From Coq Require Import ZArith String List Bool Lia.
From Girih Require Export Pure.
Import ListNotations.
Open Scope Z_scope.

(* What comes of a check: it admits, with this, or refuses. *)
Definition admits {A} (o : outcome A) (good : A -> Prop) : Prop :=
  match o with Ok a => good a | Refused => True | _ => False end.

Lemma admits_bind {A B} (o : outcome A) (f : A -> outcome B) good :
  admits o (fun a => admits (f a) good) -> admits (bind o f) good.
Proof. now destruct o. Qed.
Lemma admits_impl {A} (o : outcome A) (P Q : A -> Prop) :
  (forall a, P a -> Q a) -> admits o P -> admits o Q.
Proof. intro I. destruct o; simpl; auto. Qed.
Lemma admits_require b (good : Prop) : (b = true -> good) ->
  admits (require b) (fun _ => good).
Proof. destruct b; simpl; auto. Qed.
Lemma admits_each {A} (f : A -> outcome unit) (good : A -> Prop) l :
  Forall (fun x => admits (f x) (fun _ => good x)) l ->
  admits (each f l) (fun _ => Forall good l).
Proof.
  induction 1 as [|x l H F IH]; [constructor|]. cbn [each].
  apply admits_bind. eapply admits_impl; [|exact H]. intros u G. cbv beta.
  eapply admits_impl; [|exact IH]. auto.
Qed.

(* Symbols. *)

Lemma maxExtent_small w : 8 <= w -> maxExtent w < 2 ^ (w - 1).
Proof.
  intro W. unfold maxExtent, scaled. apply Z.pow_lt_mono_r; try lia.
  unfold ceildiv. pose proof (Z.div_mod (40 * w) 64).
  pose proof (Z.mod_pos_bound (40 * w) 64). destruct (_ =? 0); lia.
Qed.

Section Launch.

Context (w : Z) (symbols : string -> option Z).

Definition inRange (t : element) (x : Z) : Prop :=
  match t with
  | Index => 0 <= x <= maxExtent w
  | Int n => 2 <= n <= 64 /\ fits n x
  | Float _ _ => False
  end.
Definition given_ (n : var) (e : values) (s : string * (var * element))
  : Prop :=
  (fst (snd s) < n)%positive /\ symbols (fst s) = Some (e (fst (snd s))) /\
  inRange (snd (snd s)) (e (fst (snd s))).
(* All symbols have their values. *)
Definition known (n : var) (e : values) : list (string * (var * element)) ->
  Prop := Forall (given_ n e).

Lemma known_agrees n n' e e' vars : (n <= n')%positive -> agrees n e e' ->
  known n e vars -> known n' e' vars.
Proof.
  intros L A. apply Forall_impl. intros s (B & S & R).
  unfold given_. rewrite <- (A _ B). repeat split; auto. lia.
Qed.

Lemma symbolOf_in (vars : list (string * (var * element))) name x :
  symbolOf_ vars name = Some x -> In (name, x) vars.
Proof.
  unfold symbolOf_. destruct (find _ vars) as [[m y]|] eqn:F; [|discriminate].
  intro H. injection H as <-. apply find_some in F as [I E].
  apply String.eqb_eq in E. now subst.
Qed.
Lemma known_symbol n e vars name v t : known n e vars ->
  symbolOf_ vars name = Some (v, t) ->
  (v < n)%positive /\ symbols name = Some (e v) /\ inRange t (e v).
Proof.
  intros K S. apply symbolOf_in in S. unfold known in K.
  rewrite Forall_forall in K. exact (K _ S).
Qed.

Lemma pure_symbol x : pure (assumeSymbol w x).
Proof.
  apply pure_then; auto with pure. intro v.
  apply pure_then; auto with pure. intros [low high].
  repeat (apply pure_then; auto with pure; intro).
Qed.

Lemma symbol_below x s y s' : assumeSymbol w x s = Some (y, s') ->
  (fst (snd y) < next s')%positive.
Proof.
  intro H. unfold assumeSymbol in H.
  apply andThen_inv in H as [v [s1 [H1 H]]].
  apply andThen_inv in H as [[low high] [s2 [H2 H]]].
  apply andThen_inv in H as [u [s3 [H3 H]]].
  apply andThen_inv in H as [u' [s4 [H4 H]]]. injection H as <- <-.
  injection H1 as <- <-. unfold given in H2.
  destruct (symbolRange w (snd x)); [|discriminate]. injection H2 as _ <-.
  apply assume_inv in H3 as [_ ->]. apply assume_inv in H4 as [_ ->].
  simpl. lia.
Qed.
Lemma symbol_true x s y s' e : assumeSymbol w x s = Some (y, s') ->
  orderly s -> true_ s e ->
  admits (checkSymbol w symbols x) (fun _ => exists e',
    agrees (next s) e e' /\ true_ s' e' /\ given_ (next s') e' y).
Proof.
  intros H O T. pose proof (symbol_below _ _ _ _ H) as Next.
  destruct x as [name t]. unfold assumeSymbol in H.
  apply andThen_inv in H as [v [s1 [H1 H]]].
  apply andThen_inv in H as [[low high] [s2 [H2 H]]].
  apply andThen_inv in H as [u [s3 [H3 H]]].
  apply andThen_inv in H as [u' [s4 [H4 H]]].
  injection H as <- <-. unfold given in H2. cbn [fst snd] in *.
  destruct (symbolRange w t) as [range|] eqn:R; [|discriminate].
  injection H2 as -> <-. unfold checkSymbol. cbn [fst snd].
  destruct (symbols name) as [x|] eqn:S; [|exact I]. cbn [orElse bind].
  destruct (fresh_true _ _ _ _ x H1 O T) as [-> T1].
  assert (Good : low <= x <= high -> inRange t x -> exists e',
    agrees (next s) e e' /\ true_ s4 e' /\
    given_ (next s4) e' (name, (next s, t))).
  { intros B In_. exists (set1 e (next s) x). split; [apply set1_agrees|].
    split.
    - eapply assume_true; [exact H4| |].
      + eapply assume_true; [exact H3|exact T1|].
        apply holds_ge. rewrite plus_eval, variable_eval, set1_same. lia.
      + apply holds_ge.
        rewrite sub_eval, constant_eval, variable_eval, set1_same. lia.
    - unfold given_. cbn [fst snd]. rewrite set1_same. auto. }
  destruct t as [|n|]; cbn [symbolRange] in R; [| |discriminate].
  - injection R as <- <-. apply admits_require. intro B. apply Good; simpl; lia.
  - destruct (Z.leb_spec 2 n); [|discriminate].
    destruct (Z.leb_spec n 64); [|discriminate]. injection R as <- <-.
    destruct (Z.eqb_spec n 1); [lia|]. apply admits_require. intro B.
    apply fitsb_fits in B. pose proof B as F. unfold fits in F.
    apply Good; simpl; [lia|auto].
Qed.

Lemma symbols_below l : forall s vars s',
  mapEach (assumeSymbol w) l s = Some (vars, s') -> orderly s ->
  Forall (fun x => fst (snd x) < next s')%positive vars.
Proof.
  induction l as [|x l IH]; intros s vars s' H O; cbn [mapEach] in H.
  { injection H as <- <-. constructor. }
  apply andThen_inv in H as [y [s1 [H1 H]]].
  apply andThen_inv in H as [ys [s2 [H2 H]]]. injection H as <- <-.
  destruct (pure_next _ _ _ _ (pure_symbol x) H1 O) as [O1 N1].
  destruct (pure_next _ _ _ _ (pure_mapEach _ l pure_symbol) H2 O1)
    as [O2 N2].
  constructor; [|eauto]. apply symbol_below in H1.
  now apply Pos.lt_le_trans with (next s1).
Qed.
Lemma symbols_true l : forall s vars s' e,
  mapEach (assumeSymbol w) l s = Some (vars, s') -> orderly s -> true_ s e ->
  Forall (fun x => checkSymbol w symbols x = Ok tt) l ->
  exists e', agrees (next s) e e' /\ true_ s' e' /\ known (next s') e' vars.
Proof.
  induction l as [|x l IH]; intros s vars s' e H O T C; cbn [mapEach] in H.
  { injection H as <- <-. exists e. split; [apply agrees_refl|].
    split; [exact T|constructor]. }
  apply andThen_inv in H as [y [s1 [H1 H]]].
  apply andThen_inv in H as [ys [s2 [H2 H]]]. injection H as <- <-.
  inversion C as [|? ? C1 C2]. subst.
  destruct (pure_next _ _ _ _ (pure_symbol x) H1 O) as [O1 N1].
  destruct (pure_next _ _ _ _ (pure_mapEach _ l pure_symbol) H2 O1)
    as [O2 N2].
  pose proof (symbol_true _ _ _ _ e H1 O T) as S. rewrite C1 in S.
  destruct S as (e1 & A1 & T1 & G).
  destruct (IH _ _ _ _ H2 O1 T1 C2) as (e2 & A2 & T2 & K).
  exists e2. split; [eauto using agrees_trans|]. split; [exact T2|].
  constructor; [|exact K].
  assert (K1 : known (next s1) e1 [y]) by (repeat constructor; apply G).
  apply (known_agrees _ _ _ _ _ N2 A2) in K1. now inversion K1.
Qed.

Lemma checkSymbol_fine x : hasRange w x = true ->
  admits (checkSymbol w symbols x) (fun _ => checkSymbol w symbols x = Ok tt).
Proof.
  unfold hasRange, checkSymbol. destruct (symbols (fst x)) as [z|]; [|easy].
  cbn [orElse bind]. destruct (snd x) as [|n|]; [| |discriminate]; intros _.
  - now destruct (_ && _).
  - now destruct (if n =? 1 then _ else _).
Qed.
Lemma distinct_in x l : forall seen, In x (distinctSymbols seen l) -> In x l.
Proof.
  induction l as [|[name t] l IH]; intros seen; [easy|]. cbn [distinctSymbols].
  destruct (existsb _ seen).
  - right. eauto.
  - intros [<-|I]; [now left|]. right. eauto.
Qed.

Definition symbolsBelow (n : var) (vars : list (string * (var * element)))
  : Prop := Forall (fun s => fst (snd s) < n)%positive vars.
Lemma symbolsBelow_le n n' vars : (n <= n')%positive -> symbolsBelow n vars ->
  symbolsBelow n' vars.
Proof.
  intros L. apply Forall_impl. intros x X. cbv beta in *. lia.
Qed.
Lemma known_below n e vars : known n e vars -> symbolsBelow n vars.
Proof. apply Forall_impl. intros s S. apply S. Qed.

(* Tensors. *)

Lemma dims_known n e vars : known n e vars -> forall ds ps,
  all (dimPoly vars) ds = Some ps ->
  collect (evalDim symbols) ds = Ok (map (eval e) ps).
Proof.
  intro K. induction ds as [|d ds IH]; intros ps H; cbn [all] in H.
  { now injection H as <-. }
  destruct (dimPoly vars d) as [p|] eqn:D; [|discriminate].
  destruct (all (dimPoly vars) ds) as [qs|]; [|discriminate].
  injection H as <-. cbn [collect map]. rewrite (IH _ eq_refl).
  assert (E : evalDim symbols d = Ok (eval e p)).
  { destruct d as [x|name]; cbn [dimPoly evalDim] in *.
    - injection D as <-. now rewrite constant_eval.
    - destruct (symbolOf_ vars name) as [[v t]|] eqn:S; [|discriminate].
      destruct t; try discriminate. injection D as <-.
      destruct (known_symbol _ _ _ _ _ _ K S) as (_ & -> & _).
      now rewrite variable_eval. }
  now rewrite E.
Qed.

Lemma volume_eval e es :
  eval e (fold_right mul (constant 1) es) = volume (map (eval e) es).
Proof.
  induction es as [|p es IH]; [apply constant_eval|]. cbn [fold_right].
  rewrite mul_eval, IH. reflexivity.
Qed.
Lemma packed_eval e es :
  map (eval e) (packedPolys es) = packed (map (eval e) es).
Proof.
  induction es as [|p es IH]; [reflexivity|]. cbn [packedPolys map packed].
  now rewrite volume_eval, IH.
Qed.
Lemma strides_known n e vars t es ss : known n e vars ->
  extentPolys vars t = Some es -> stridePolys vars t = Some ss ->
  match strides t with
  | Some s => collect (evalDim symbols) s
  | None => Ok (packed (map (eval e) es))
  end = Ok (map (eval e) ss).
Proof.
  intros K E S. unfold stridePolys in S. destruct (strides t).
  - now apply (dims_known n e vars K).
  - rewrite E in S. injection S as <-. now rewrite packed_eval.
Qed.

Lemma combine_eval e ss es : combine (map (eval e) ss) (map (eval e) es) =
  map (fun p => (eval e (fst p), eval e (snd p))) (combine ss es).
Proof.
  revert es. induction ss as [|s ss IH]; intros [|p es]; try reflexivity.
  simpl. now rewrite IH.
Qed.

Lemma checkTensor_known n e vars t es ss : known n e vars ->
  extentPolys vars t = Some es -> stridePolys vars t = Some ss ->
  admits (checkTensor w symbols t) (fun xs => xs = map (eval e) es /\
    Forall (fun x => 0 <= x <= maxExtent w) xs /\
    Forall (fun p => eval e (fst p) * eval e (snd p) * bytesOf (elements t)
                     <= maxBytes w) (combine ss es)).
Proof.
  intros K E S. unfold checkTensor. pose proof E as D. unfold extentPolys in D.
  rewrite (dims_known n e vars K _ _ D). cbn [bind].
  rewrite (strides_known n e vars t es ss K E S). cbn [bind].
  rewrite combine_eval.
  eapply admits_bind, admits_impl; [|apply (admits_each _
    (fun x => 0 <= x <= maxExtent w)); apply Forall_forall; intros x _;
    apply admits_require; lia].
  intros u B. eapply admits_bind, admits_impl; [|apply (admits_each _
    (fun a => fst a * snd a * bytesOf (elements t) <= maxBytes w));
    apply Forall_forall; intros x _; apply admits_require; lia].
  intros u' V. cbv beta in V. rewrite Forall_map in V.
  eapply admits_bind, admits_impl; [|now apply (admits_require _ True)].
  simpl. auto.
Qed.

Lemma forEach_true {A} (f : A -> gen unit) e l : forall s u s',
  forEach f l s = Some (u, s') -> true_ s e ->
  (forall x s u s', In x l -> f x s = Some (u, s') -> true_ s e ->
     true_ s' e) -> true_ s' e.
Proof.
  induction l as [|x l IH]; intros s u s' H T F; cbn [forEach] in H.
  - now injection H as _ <-.
  - apply andThen_inv in H as [u1 [s1 [H1 H2]]].
    eapply IH; [exact H2| |].
    + eapply F; [now left|exact H1|exact T].
    + intros y t v t' I. apply F. now right.
Qed.

Lemma size_true n e vars a s u s' : assumeSize w vars a s = Some (u, s') ->
  known n e vars -> true_ s e ->
  admits (checkArgument w symbols a) (fun _ => true_ s' e).
Proof.
  intros H K T. destruct a as [t|t]; cbn [assumeSize checkArgument] in *.
  - apply andThen_inv in H as [u1 [s1 [H1 H]]].
    apply andThen_inv in H as [es [s2 [H2 H]]].
    apply andThen_inv in H as [ss [s3 [H3 H]]].
    apply andThen_inv in H as [u4 [s4 [H4 H]]].
    unfold check, given in H1, H2, H3, H4.
    destruct (isLane _); [|discriminate]. injection H1 as _ <-.
    destruct (extentPolys vars t) as [es'|] eqn:E; [|discriminate].
    injection H2 as -> <-.
    destruct (stridePolys vars t) as [ss'|] eqn:S; [|discriminate].
    injection H3 as -> <-.
    destruct (Nat.eqb _ _); [|discriminate]. injection H4 as _ <-.
    eapply admits_bind, admits_impl;
      [|exact (checkTensor_known n e vars t es ss K E S)].
    intros xs (_ & _ & V). simpl. rewrite Forall_forall in V.
    eapply forEach_true; [exact H|exact T|].
    intros p s5 u5 s6 I H5 T5. specialize (V p I). cbv beta zeta in H5.
    destruct (1 <? degree _)%nat.
    + eapply assume_true; [exact H5|exact T5|].
      apply holds_ge. rewrite sub_eval, !mul_eval, !constant_eval. lia.
    + now injection H5 as _ <-.
  - destruct t; try discriminate. injection H as _ <-. exact T.
Qed.

Lemma pure_size vars a : pure (assumeSize w vars a).
Proof.
  destruct a as [t|[]]; cbn [assumeSize]; auto with pure.
  repeat (apply pure_then; auto with pure; intro).
  apply pure_forEach. intros p. cbv beta zeta.
  destruct (1 <? degree _)%nat; auto with pure.
Qed.

Lemma sizes_true n e vars l : known n e vars -> forall s u s',
  forEach (assumeSize w vars) l s = Some (u, s') -> true_ s e ->
  admits (collect (checkArgument w symbols) l) (fun _ => true_ s' e).
Proof.
  intro K. induction l as [|a l IH]; intros s u s' H T;
    cbn [forEach collect] in *.
  - now injection H as _ <-.
  - apply andThen_inv in H as [u1 [s1 [H1 H2]]].
    eapply admits_bind, admits_impl; [|exact (size_true n e _ _ _ _ _ H1 K T)].
    intros o T1. eapply admits_bind, admits_impl; [|exact (IH _ _ _ H2 T1)].
    intros os T2. exact T2.
Qed.

End Launch.
