(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   What the judge takes over without a certificate: the facts of a definition
   (the table of proofs/Obligation.h) and the goal of another obligation. *)

From Coq Require Import ZArith List Bool Lia.
From Girih Require Import Cert Arith.
Import ListNotations.
Open Scope Z_scope.

(* The table. *)

Inductive kind := Quotient | Select | Wrap | Name.
Record definition :=
  Definition_ { kind_ : kind; arguments : list poly; results : list var }.

Definition one := constant 1.

(* The width of a Wrap. *)
Definition widthOf (p : poly) : option Z :=
  match p with
  | [([], w)] => if (2 <=? w) && (w <=? 64) then Some w else None
  | _ => None
  end.

Definition definitionFacts (d : definition) : list fact :=
  match kind_ d, arguments d, results d with
  | Quotient, [a; by_], [q; r] =>
      let q := variable q in
      let r := variable r in
      [EqZ (sub (sub a (mul q by_)) r); GeZ r; GeZ (sub (sub by_ one) r);
       GeZ q]
  | Select, [c; a; b], [m] =>
      let m := variable m in
      [[[Atom false c; Atom true (sub m a)];
        [Atom false (sub (neg c) one); Atom true (sub m b)]]]
  | Wrap, [x; w], [v; k] =>
      match widthOf w with
      | Some w =>
          let half := constant (2 ^ (w - 1)) in
          let v := variable v in
          let k := variable k in
          [EqZ (sub (sub x (mul k (add half half))) v); GeZ (add v half);
           GeZ (sub (sub half one) v)]
      | None => []
      end
  | Name, [x], [v] => [EqZ (sub (variable v) x)]
  | _, _, _ => []
  end.

Definition definitionNeeds (d : definition) : list fact :=
  match kind_ d, arguments d, results d with
  | Quotient, [a; by_], [_; _] => [GeZ (sub by_ one); GeZ a]
  | _, _, _ => []
  end.

(* Values of polynomials depend on their own variables only. *)

Lemma evalMono_ext e e' m :
  (forall v, existsb (Pos.eqb v) m = true -> e v = e' v) ->
  evalMono e m = evalMono e' m.
Proof.
  induction m as [|x m IH]; intro H; [reflexivity|]. cbn [evalMono].
  rewrite (H x), IH; [reflexivity| |].
  - intros v V. apply H. simpl. now rewrite V, orb_true_r.
  - simpl. now rewrite Pos.eqb_refl.
Qed.

Lemma eval_ext e e' p :
  (forall v, contains v p = true -> e v = e' v) -> eval e p = eval e' p.
Proof.
  induction p as [|[m c] p IH]; intro H; [reflexivity|]. cbn [eval].
  rewrite (evalMono_ext e e' m), IH; [reflexivity| |]; intros v V; apply H;
    unfold contains in *; simpl; rewrite V; auto using orb_true_r.
Qed.

(* `e` with the values `xs` for the variables `vs`. *)
Fixpoint update (e : env) (vs : list var) (xs : list Z) : env :=
  match vs, xs with
  | v :: vs', x :: xs' =>
      fun u => if (u =? v)%positive then x else update e vs' xs' u
  | _, _ => e
  end.

Lemma update_other e v : forall vs xs, ~ In v vs -> update e vs xs v = e v.
Proof.
  induction vs as [|u vs IH]; intros [|x xs] N; try reflexivity. simpl.
  destruct (Pos.eqb_spec v u) as [->|_].
  - exfalso. apply N, in_eq.
  - apply IH. intro I. apply N. now right.
Qed.

Definition fresh (vs : list var) (p : poly) : Prop :=
  forall v, In v vs -> contains v p = false.

Lemma update_eval e vs xs p : fresh vs p -> eval (update e vs xs) p = eval e p.
Proof.
  intro F. apply eval_ext. intros v V. apply update_other. intro I.
  rewrite (F _ I) in V. discriminate.
Qed.

#[local] Opaque add sub mul neg constant variable.

Ltac values :=
  repeat progress
    rewrite ?holds_ge, ?holds_eq, ?sub_eval, ?add_eval, ?mul_eval, ?neg_eval,
      ?constant_eval, ?variable_eval in *.

Lemma widthOf_sound p w : widthOf p = Some w -> 2 <= w <= 64.
Proof.
  unfold widthOf. destruct p as [|[[|] c] [|]]; try discriminate.
  destruct (2 <=? c) eqn:L; [|discriminate].
  destruct (c <=? 64) eqn:U; [|discriminate].
  intro H. injection H as <-. lia.
Qed.

(* The results of a definition: one list that its facts allow. *)
Definition definitionValue (e : env) (d : definition) : list Z :=
  match kind_ d, map (eval e) (arguments d), arguments d with
  | Quotient, [a; by_], _ => [a / by_; a mod by_]
  | Select, [c; a; b], _ => [if 0 <=? c then a else b]
  | Wrap, [x; _], [_; w] =>
      match widthOf w with
      | Some w => [wrap w x; wraps w x]
      | None => []
      end
  | Name, [x], _ => [x]
  | _, _, _ => []
  end.

Lemma two_equal {A} (x x' y y' : A) : [x; y] = [x'; y'] <-> x = x' /\ y = y'.
Proof. split; [intro H; now injection H|now intros [-> ->]]. Qed.
Lemma one_equal {A} (x x' : A) : [x] = [x'] <-> x = x'.
Proof. split; [intro H; now injection H|now intros ->]. Qed.

(* What the rows of the table say (proofs/theory/Arith.v has the arithmetic). *)
Theorem definition_value e d : definitionFacts d <> [] ->
  (Forall (holds e) (definitionFacts d) <->
   Forall (holds e) (definitionNeeds d) /\
   map e (results d) = definitionValue e d).
Proof.
  destruct d as [k args rs].
  unfold definitionFacts, definitionNeeds, definitionValue.
  cbn [kind_ arguments results]. intro NE. destruct k.
  - destruct args as [|a [|b [|]]]; try congruence.
    destruct rs as [|q [|r [|]]]; try congruence. unfold one. cbn [map].
    rewrite two_equal, !Forall_cons_iff, !Forall_nil_iff. clear NE. values.
    pose proof (quotient_facts (eval e a) (eval e b) (e q) (e r)). tauto.
  - destruct args as [|c [|a [|b [|]]]]; try congruence.
    destruct rs as [|m [|]]; try congruence. unfold one. cbn [map].
    rewrite one_equal, Forall_cons_iff, !Forall_nil_iff, <- select_facts.
    clear NE. unfold holds.
    rewrite !Exists_cons, Exists_nil, !Forall_cons_iff, !Forall_nil_iff.
    cbv [holdsAtom equality body]. values. tauto.
  - destruct args as [|x [|w [|]]]; try congruence.
    destruct rs as [|v [|k [|]]]; try congruence. cbn [map].
    destruct (widthOf w) as [n|] eqn:W; [|congruence].
    apply widthOf_sound in W. unfold one.
    rewrite two_equal, !Forall_cons_iff, !Forall_nil_iff. clear NE. values.
    pose proof (wrap_facts n (eval e x) (e v) (e k) ltac:(lia)) as F.
    rewrite (proj2 (pow_half n ltac:(lia))) in F.
    replace (2 ^ (n - 1) + 2 ^ (n - 1)) with (2 * 2 ^ (n - 1)) by ring. tauto.
  - destruct args as [|x [|]]; try congruence.
    destruct rs as [|v [|]]; try congruence. cbn [map].
    rewrite one_equal, Forall_cons_iff, !Forall_nil_iff. clear NE. values.
    rewrite name_facts. tauto.
Qed.

Lemma definitionValue_ext e e' d :
  Forall (fun a => eval e a = eval e' a) (arguments d) ->
  definitionValue e d = definitionValue e' d.
Proof.
  intro A. unfold definitionValue.
  now replace (map (eval e) (arguments d)) with (map (eval e') (arguments d))
    by (symmetry; now apply map_ext_Forall).
Qed.

Lemma definitionNeeds_ext e e' d :
  Forall (fun a => eval e a = eval e' a) (arguments d) ->
  Forall (holds e) (definitionNeeds d) -> Forall (holds e') (definitionNeeds d).
Proof.
  unfold definitionNeeds. destruct (kind_ d); auto.
  destruct (arguments d) as [|a [|b [|]]]; auto.
  destruct (results d) as [|? [|? [|]]]; auto.
  rewrite !Forall_cons_iff, !Forall_nil_iff. intros [A [B _]]. unfold one.
  values. rewrite A, B. auto.
Qed.

(* The facts speak of arguments and results only. *)
Lemma definitionFacts_ext e e' d :
  Forall (fun a => eval e a = eval e' a) (arguments d) ->
  Forall (fun v => e v = e' v) (results d) ->
  Forall (holds e) (definitionFacts d) -> Forall (holds e') (definitionFacts d).
Proof.
  intros A R H. destruct (definitionFacts d) eqn:F; [constructor|].
  rewrite <- F in *. assert (NE : definitionFacts d <> []) by now rewrite F.
  apply definition_value in H as [N V]; [|exact NE].
  apply definition_value; [exact NE|]. split.
  - eapply definitionNeeds_ext; eauto.
  - rewrite <- (definitionValue_ext e e' d A), <- V. symmetry.
    now apply map_ext_Forall.
Qed.

Lemma update_results e : forall vs xs, NoDup vs -> length xs = length vs ->
  map (update e vs xs) vs = xs.
Proof.
  induction vs as [|v vs IH]; intros [|x xs] N L; try discriminate;
    [reflexivity|].
  inversion N as [|? ? I N']. subst. injection L as L. cbn [map update].
  rewrite Pos.eqb_refl. f_equal.
  transitivity (map (update e vs xs) vs); [|now apply IH].
  apply map_ext_in. intros u U.
  destruct (Pos.eqb_spec u v) as [->|_]; [contradiction|reflexivity].
Qed.

Lemma definitionValue_length e d : definitionFacts d <> [] ->
  length (definitionValue e d) = length (results d).
Proof.
  destruct d as [k args rs]. unfold definitionFacts, definitionValue.
  cbn [kind_ arguments results].
  destruct k, args as [|? [|w [|? [|]]]], rs as [|? [|? [|]]];
    try congruence; try reflexivity.
  cbn [map]. destruct (widthOf w); [reflexivity|congruence].
Qed.

(* Introducing a definition loses nothing: whatever the values of the other
   variables, its results have values that make all its facts true. *)
Theorem definition_exists e d :
  Forall (holds e) (definitionNeeds d) ->
  NoDup (results d) -> Forall (fresh (results d)) (arguments d) ->
  exists xs, Forall (holds (update e (results d) xs)) (definitionFacts d).
Proof.
  intros N D F. exists (definitionValue e d).
  destruct (definitionFacts d) eqn:E; [constructor|].
  rewrite <- E. assert (NE : definitionFacts d <> []) by now rewrite E.
  assert (A : Forall (fun a => eval e a =
                eval (update e (results d) (definitionValue e d)) a)
                (arguments d)).
  { eapply Forall_impl; [|exact F]. intros a Fa. symmetry.
    now apply update_eval. }
  apply definition_value; [exact NE|]. split.
  - eapply definitionNeeds_ext; eauto.
  - rewrite <- (definitionValue_ext e _ d A).
    apply update_results; [exact D|]. now apply definitionValue_length.
Qed.

(* The facts determine the results: a later hypothesis of the kernel that
   speaks of a result speaks of the value that the kernel computes. *)
Theorem definition_determines e e' d :
  Forall (holds e) (definitionFacts d) ->
  Forall (holds e') (definitionFacts d) ->
  Forall (fun a => eval e a = eval e' a) (arguments d) ->
  definitionFacts d <> [] ->
  Forall (fun v => e v = e' v) (results d).
Proof.
  intros H H' A NE. apply definition_value in H as [_ V]; [|exact NE].
  apply definition_value in H' as [_ V']; [|exact NE].
  rewrite (definitionValue_ext e e' d A), <- V' in V. clear - V.
  induction (results d) as [|v vs IH]; constructor;
    injection V as; auto.
Qed.

(* Proved goals: an instance of an obligation holds under any renaming. *)

Definition renamePoly (r : var -> var) (p : poly) : poly :=
  fold_right (fun t => add [(fold_right (fun v => mulMono [r v]) [] (fst t),
                             snd t)]) [] p.
Definition renameFact (r : var -> var) : fact -> fact :=
  map (map (fun a => Atom (equality a) (renamePoly r (body a)))).

Lemma renamePoly_eval e r p :
  eval e (renamePoly r p) = eval (fun v => e (r v)) p.
Proof.
  induction p as [|[m c] p IH]; [reflexivity|].
  unfold renamePoly in *. cbn [fold_right]. rewrite add_eval, IH.
  cbn [eval fst snd].
  replace (evalMono e (fold_right (fun v => mulMono [r v]) [] m))
    with (evalMono (fun v => e (r v)) m); [ring|].
  induction m as [|x m IHm]; [reflexivity|]. cbn [fold_right].
  rewrite mulMono_eval. cbn [evalMono]. rewrite IHm. ring.
Qed.

Lemma renameFact_holds e r f :
  holds e (renameFact r f) <-> holds (fun v => e (r v)) f.
Proof.
  assert (A : forall a, holdsAtom e (Atom (equality a) (renamePoly r (body a)))
                        <-> holdsAtom (fun v => e (r v)) a).
  { intro a. unfold holdsAtom. simpl. now rewrite renamePoly_eval. }
  assert (B : forall b, Forall (holdsAtom e)
                          (map (fun a => Atom (equality a)
                                           (renamePoly r (body a))) b)
                        <-> Forall (holdsAtom (fun v => e (r v))) b).
  { intro b. rewrite Forall_map, !Forall_forall. firstorder. }
  unfold holds, renameFact. rewrite !Exists_exists. split.
  - intros [b' [I H]]. apply in_map_iff in I as [b [<- I]].
    exists b. split; [exact I|]. now apply B.
  - intros [b [I H]]. exists (map (fun a => Atom (equality a)
                                    (renamePoly r (body a))) b).
    split; [now apply in_map|]. now apply B.
Qed.

Theorem instance_sound hypotheses goal tree :
  refutes (hypotheses ++ [GeZ (below goal)]) tree = true ->
  forall r e, Forall (holds e) (map (renameFact r) hypotheses) ->
  0 <= eval e (renamePoly r goal).
Proof.
  intros R r e H. rewrite renamePoly_eval.
  apply (obligation_sound _ _ _ R). rewrite Forall_map in H.
  eapply Forall_impl; [|exact H]. intros f. apply renameFact_holds.
Qed.
