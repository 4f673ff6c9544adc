(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   What the judge takes over without a certificate: the facts of a definition
   (the table of proofs/Obligation.h) and the goal of another obligation. *)

From Coq Require Import ZArith List Bool Lia.
From Girih Require Import Cert.
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

Lemma twice_half w : 2 <= w -> 2 ^ (w - 1) + 2 ^ (w - 1) = 2 ^ w.
Proof.
  intro L. replace w with (Z.succ (w - 1)) at 3 by lia.
  rewrite Z.pow_succ_r by lia. ring.
Qed.

(* Introducing a definition loses nothing: whatever the values of the other
   variables, its results have values that make all its facts true. *)
Theorem definition_exists e d :
  Forall (holds e) (definitionNeeds d) ->
  NoDup (results d) -> Forall (fresh (results d)) (arguments d) ->
  exists xs, Forall (holds (update e (results d) xs)) (definitionFacts d).
Proof.
  destruct d as [k args rs]. unfold definitionNeeds, definitionFacts.
  cbn [kind_ arguments results]. intros N D F.
  assert (At2 : forall q r x y, q <> r ->
            update e [q; r] [x; y] q = x /\ update e [q; r] [x; y] r = y).
  { intros q r x y Q. simpl. rewrite !Pos.eqb_refl.
    destruct (Pos.eqb_spec r q); [congruence|]. auto. }
  assert (At1 : forall v x, update e [v] [x] v = x).
  { intros v x. simpl. now rewrite Pos.eqb_refl. }
  destruct k.
  - destruct args as [|a [|b [|]]]; try solve [exists []; constructor].
    destruct rs as [|q [|r [|]]]; try solve [exists []; constructor].
    inversion F as [|? ? Fa F1]. inversion F1 as [|? ? Fb _]. subst.
    inversion N as [|? ? Nb N1]. inversion N1 as [|? ? Na _]. subst.
    assert (Q : q <> r).
    { inversion D as [|? ? I _]. intros ->. apply I, in_eq. }
    unfold one in *. values.
    set (x := eval e a / eval e b). set (y := eval e a mod eval e b).
    assert (eval e a = eval e b * x + y) by (apply Z.div_mod; lia).
    assert (0 <= y < eval e b) by (apply Z.mod_pos_bound; lia).
    assert (0 <= x) by (apply Z.div_pos; lia).
    exists [x; y]. destruct (At2 q r x y Q) as [Eq Er].
    pose proof (update_eval e _ [x; y] a Fa) as Ea.
    pose proof (update_eval e _ [x; y] b Fb) as Eb.
    set (e' := update e [q; r] [x; y]) in *.
    repeat apply Forall_cons; try apply Forall_nil; values; nia.
  - destruct args as [|c [|a [|b [|]]]]; try solve [exists []; constructor].
    destruct rs as [|m [|]]; try solve [exists []; constructor].
    inversion F as [|? ? Fc F1]. inversion F1 as [|? ? Fa F2].
    inversion F2 as [|? ? Fb _]. subst.
    set (x := if 0 <=? eval e c then eval e a else eval e b).
    exists [x]. pose proof (At1 m x) as Em.
    pose proof (update_eval e _ [x] a Fa) as Ea.
    pose proof (update_eval e _ [x] b Fb) as Eb.
    pose proof (update_eval e _ [x] c Fc) as Ec.
    set (e' := update e [m] [x]) in *. subst x. unfold one.
    apply Forall_cons; [|apply Forall_nil].
    destruct (Z.leb_spec 0 (eval e c)) as [L|L];
      [apply Exists_cons_hd | apply Exists_cons_tl, Exists_cons_hd];
      repeat apply Forall_cons; try apply Forall_nil;
      cbv [holdsAtom equality body]; values; lia.
  - destruct args as [|x [|w [|]]]; try solve [exists []; constructor].
    destruct rs as [|v [|k [|]]]; try solve [exists []; constructor].
    destruct (widthOf w) as [n|] eqn:W; [|exists []; constructor].
    apply widthOf_sound in W.
    inversion F as [|? ? Fx _]. subst.
    assert (Q : v <> k).
    { inversion D as [|? ? I _]. intros ->. apply I, in_eq. }
    set (h := 2 ^ (n - 1)).
    assert (H : 0 < h) by (apply Z.pow_pos_nonneg; lia).
    set (y := (eval e x + h) mod (h + h)).
    set (z := (eval e x + h) / (h + h)).
    assert (eval e x + h = (h + h) * z + y) by (apply Z.div_mod; lia).
    assert (0 <= y < h + h) by (apply Z.mod_pos_bound; lia).
    exists [y - h; z]. destruct (At2 v k (y - h) z Q) as [Ev Ek].
    pose proof (update_eval e _ [y - h; z] x Fx) as Ex.
    set (e' := update e [v; k] [y - h; z]) in *. unfold one.
    repeat apply Forall_cons; try apply Forall_nil; values; nia.
  - destruct args as [|x [|]]; try solve [exists []; constructor].
    destruct rs as [|v [|]]; try solve [exists []; constructor].
    inversion F as [|? ? Fx _]. subst.
    exists [eval e x]. pose proof (At1 v (eval e x)) as Ev.
    pose proof (update_eval e _ [eval e x] x Fx) as Ex.
    set (e' := update e [v] [eval e x]) in *.
    repeat apply Forall_cons; try apply Forall_nil; values; lia.
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
  destruct d as [k args rs]. unfold definitionFacts.
  cbn [kind_ arguments results]. intros H H' A NE. destruct k.
  - destruct args as [|a [|b [|]]]; try congruence.
    destruct rs as [|q [|r [|]]]; try congruence. unfold one in *.
    repeat match goal with
           | F : Forall _ (_ :: _) |- _ => inversion F; clear F; subst
           end.
    values.
    destruct (Z.div_mod_unique (eval e b) (e q) (e' q) (e r) (e' r));
      [lia | lia | nia |]. repeat constructor; assumption.
  - destruct args as [|c [|a [|b [|]]]]; try congruence.
    destruct rs as [|m [|]]; try congruence. unfold one in *.
    repeat constructor.
    repeat match goal with
           | F : Forall _ (_ :: _) |- _ => inversion F; clear F; subst
           end.
    repeat match goal with
           | E : holds _ _ |- _ => unfold holds in E
           | E : Exists _ [] |- _ => inversion E
           | E : Exists _ (_ :: _) |- _ => inversion E; clear E; subst
           | F : Forall (holdsAtom _) (_ :: _) |- _ =>
               inversion F; clear F; subst
           end;
      cbv [holdsAtom equality body] in *; values; lia.
  - destruct args as [|x [|w [|]]]; try congruence.
    destruct rs as [|v [|k [|]]]; try congruence.
    destruct (widthOf w) as [n|] eqn:W; [|congruence].
    apply widthOf_sound in W. unfold one in *.
    assert (0 < 2 ^ (n - 1)) by (apply Z.pow_pos_nonneg; lia).
    set (h := 2 ^ (n - 1)) in *.
    repeat match goal with
           | F : Forall _ (_ :: _) |- _ => inversion F; clear F; subst
           end.
    values.
    destruct (Z.div_mod_unique (h + h) (e k) (e' k) (e v + h) (e' v + h));
      [lia | lia | nia |]. repeat constructor; lia.
  - destruct args as [|x [|]]; try congruence.
    destruct rs as [|v [|]]; try congruence.
    repeat match goal with
           | F : Forall _ (_ :: _) |- _ => inversion F; clear F; subst
           end.
    values. repeat constructor. lia.
Qed.

(* The facts speak of arguments and results only. *)
Lemma definitionFacts_ext e e' d :
  Forall (fun a => eval e a = eval e' a) (arguments d) ->
  Forall (fun v => e v = e' v) (results d) ->
  Forall (holds e) (definitionFacts d) -> Forall (holds e') (definitionFacts d).
Proof.
  destruct d as [k args rs]. unfold definitionFacts.
  cbn [kind_ arguments results]. intros A R H.
  assert (Inv : forall A (P : A -> Prop) x l,
             Forall P (x :: l) -> P x /\ Forall P l).
  { intros T P x l F. now inversion F. }
  destruct k.
  - destruct args as [|a [|b [|]]]; try solve [constructor].
    destruct rs as [|q [|r [|]]]; try solve [constructor]. unfold one in *.
    repeat match goal with
           | F : Forall _ (_ :: _) |- _ => apply Inv in F; destruct F
           end.
    values. repeat apply Forall_cons; try apply Forall_nil; values; nia.
  - destruct args as [|c [|a [|b [|]]]]; try solve [constructor].
    destruct rs as [|m [|]]; try solve [constructor]. unfold one in *.
    repeat match goal with
           | F : Forall _ (_ :: _) |- _ => apply Inv in F; destruct F
           end.
    apply Forall_cons; [|apply Forall_nil]. unfold holds in *.
    repeat match goal with
           | E : Exists _ [] |- _ => inversion E
           | E : Exists _ (_ :: _) |- _ => inversion E; clear E; subst
           end;
      [apply Exists_cons_hd | apply Exists_cons_tl, Exists_cons_hd];
      repeat match goal with
             | F : Forall _ (_ :: _) |- _ => apply Inv in F; destruct F
             end;
      cbv [holdsAtom equality body] in *; repeat apply Forall_cons;
      try apply Forall_nil; cbv [holdsAtom equality body]; values; lia.
  - destruct args as [|x [|w [|]]]; try solve [constructor].
    destruct rs as [|v [|k [|]]]; try solve [constructor].
    destruct (widthOf w); [|constructor]. unfold one in *.
    repeat match goal with
           | F : Forall _ (_ :: _) |- _ => apply Inv in F; destruct F
           end.
    values. repeat apply Forall_cons; try apply Forall_nil; values; nia.
  - destruct args as [|x [|]]; try solve [constructor].
    destruct rs as [|v [|]]; try solve [constructor].
    repeat match goal with
           | F : Forall _ (_ :: _) |- _ => apply Inv in F; destruct F
           end.
    values. repeat apply Forall_cons; try apply Forall_nil; values; lia.
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
