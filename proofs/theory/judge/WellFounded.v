(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The judge on a list of obligations (proofs/WellFounded.cpp), and what its
   word is worth: wherever the hypotheses of the kernel hold, the variables
   that definitions introduce have values with which the goal holds. *)

From Coq Require Import ZArith List Bool Lia.
From Girih Require Export Work Definitions.
Import ListNotations.
Open Scope Z_scope.

Inductive origin :=
  | Kernel
  | FromDefinition (i part : N)
  | FromProved (i : N) (renaming : list (var * var)).

Record hypothesis := Given { says : fact; origin_ : origin }.
Record obligation := Obligation
  { definitions : list definition; hypotheses : list hypothesis; goal : poly }.

Definition premises (o : obligation) : list fact := map says (hypotheses o).

(* Equality of facts. *)

Fixpoint eqList {A} (eq : A -> A -> bool) (a b : list A) : bool :=
  match a, b with
  | [], [] => true
  | x :: a', y :: b' => eq x y && eqList eq a' b'
  | _, _ => false
  end.

Definition eqTerm (s t : mono * Z) : bool :=
  eqList Pos.eqb (fst s) (fst t) && (snd s =? snd t).
Definition eqAtom (a b : atom) : bool :=
  Bool.eqb (equality a) (equality b) && eqList eqTerm (body a) (body b).
Definition eqFact : fact -> fact -> bool := eqList (eqList eqAtom).

Definition stands (f : fact) (among : list fact) : bool :=
  existsb (eqFact f) among.

(* True of itself. *)
Definition isTrivial (f : fact) : bool :=
  match f with
  | [[Atom eq []]] => true
  | [[Atom eq [([], c)]]] => if eq then c =? 0 else 0 <=? c
  | _ => false
  end.

(* Variables that are results of a definition that is cited, but not yet. *)

Definition memN (i : N) (l : list N) : bool := existsb (N.eqb i) l.

Definition cited (o : obligation) : list N :=
  nodup N.eq_dec
    (flat_map (fun h => match origin_ h with
                        | FromDefinition i _ => [i]
                        | _ => []
                        end) (hypotheses o)).

Definition resultsOf (o : obligation) (i : N) : list var :=
  match at_ (definitions o) i with Some d => results d | None => [] end.

Definition introducible (o : obligation) : list var :=
  flat_map (resultsOf o) (cited o).

Definition hidden (o : obligation) (introduced : list N) : list var :=
  flat_map (resultsOf o)
    (filter (fun i => negb (memN i introduced)) (cited o)).

Definition knownPoly (vs : list var) (p : poly) : bool :=
  forallb (fun v => negb (contains v p)) vs.
Definition knownFact (vs : list var) : fact -> bool :=
  forallb (forallb (fun a => knownPoly vs (body a))).

Fixpoint distinct (vs : list var) : bool :=
  match vs with
  | [] => true
  | v :: vs' => negb (existsb (Pos.eqb v) vs') && distinct vs'
  end.

(* The walk over the hypotheses. A lemma is an obligation before this one, if
   it may be rested on. *)

Definition lemma := option (list fact * poly).

Definition rename (r : list (var * var)) (v : var) : var :=
  match find (fun p => Pos.eqb v (fst p)) r with
  | Some p => snd p
  | None => v
  end.

Definition isPart (d : definition) (part : N) (f : fact) : bool :=
  match at_ (definitionFacts d) part with
  | Some f' => eqFact f f'
  | None => false
  end.

(* The definitions that are introduced after a hypothesis. *)
Definition step (o : obligation) (lemmas : list lemma) (before : list fact)
  (introduced : list N) (h : hypothesis) : option (list N) :=
  match origin_ h with
  | Kernel => Some introduced
  | FromDefinition i part =>
      match at_ (definitions o) i with
      | None => None
      | Some d =>
          if negb (isPart d part (says h)) then None
          else if memN i introduced then Some introduced
          else if forallb (knownPoly (hidden o introduced)) (arguments d) &&
                  forallb (fun n => isTrivial n || stands n before)
                    (definitionNeeds d)
          then Some (i :: introduced)
          else None
      end
  | FromProved i r =>
      match at_ lemmas i with
      | Some (Some (facts, g)) =>
          if distinct (map fst r) &&
             eqFact (says h) (GeZ (renamePoly (rename r) g)) &&
             forallb (fun f => stands (renameFact (rename r) f) before) facts
          then Some introduced
          else None
      | _ => None
      end
  end.

Fixpoint walk (o : obligation) (lemmas : list lemma) (before : list fact)
  (introduced : list N) (hs : list hypothesis) : bool :=
  match hs with
  | [] => true
  | h :: hs' =>
      match step o lemmas before introduced h with
      | Some introduced' =>
          knownFact (hidden o introduced') (says h) &&
          walk o lemmas (before ++ [says h]) introduced' hs'
      | None => false
      end
  end.

Definition wellFounded (lemmas : list lemma) (o : obligation) : bool :=
  distinct (introducible o) && walk o lemmas [] [] (hypotheses o).

(* How much work is left where it is accepted. *)
Definition accepts (lemmas : list lemma) (left : N) (o : obligation)
  (tree : option cert) : option N :=
  match tree with
  | Some t =>
      if wellFounded lemmas o
      then listWork (premises o ++ [GeZ (below (goal o))]) t left
      else None
  | None => None
  end.

Fixpoint judgeFrom (lemmas : list lemma) (left : N)
  (all : list (obligation * option cert)) : list bool :=
  match all with
  | [] => []
  | (o, tree) :: all' =>
      match accepts lemmas left o tree with
      | Some left' =>
          true :: judgeFrom (lemmas ++ [Some (premises o, goal o)]) left' all'
      | None => false :: judgeFrom (lemmas ++ [None]) left all'
      end
  end.

Definition judge := judgeFrom [] maxListWork.

(* Soundness. *)

Lemma eqList_sound {A} (eq : A -> A -> bool) :
  (forall x y, eq x y = true -> x = y) ->
  forall a b, eqList eq a b = true -> a = b.
Proof.
  intros E. induction a as [|x a IH]; intros [|y b]; simpl; try discriminate.
  - reflexivity.
  - intro H. apply andb_true_iff in H as [H1 H2]. f_equal; auto.
Qed.

Lemma eqFact_sound f g : eqFact f g = true -> f = g.
Proof.
  apply eqList_sound, eqList_sound. intros [e p] [e' p'] H.
  apply andb_true_iff in H as [H1 H2]. simpl in *.
  apply eqb_prop in H1. apply eqList_sound in H2; [congruence|].
  intros [m c] [n d] T. apply andb_true_iff in T as [T1 T2]. simpl in *.
  apply Z.eqb_eq in T2. apply eqList_sound in T1; [congruence|].
  intros x y. apply Pos.eqb_eq.
Qed.

Lemma stands_holds e f among :
  stands f among = true -> Forall (holds e) among -> holds e f.
Proof.
  unfold stands. rewrite existsb_exists, Forall_forall.
  intros [g [I E]] H. apply eqFact_sound in E. subst g. auto.
Qed.

Lemma isTrivial_holds e f : isTrivial f = true -> holds e f.
Proof.
  destruct f as [|[|[eq [|[[|v m] c] [|]]] [|]] [|]]; try discriminate;
    intro T; apply holds_atom; unfold holdsAtom; simpl; destruct eq;
    simpl in T; lia.
Qed.

Lemma memN_spec i l : memN i l = true <-> In i l.
Proof.
  unfold memN. rewrite existsb_exists. split.
  - intros [j [I E]]. apply N.eqb_eq in E. now subst.
  - intro I. exists i. split; [exact I|apply N.eqb_refl].
Qed.

Lemma distinct_sound vs : distinct vs = true -> NoDup vs.
Proof.
  induction vs as [|v vs IH]; simpl; intro H; constructor;
    apply andb_true_iff in H as [H1 H2]; auto.
  intro I. apply negb_true_iff in H1. rewrite <- not_true_iff_false in H1.
  apply H1, existsb_exists. exists v. split; [exact I|apply Pos.eqb_refl].
Qed.

Lemma knownPoly_fresh vs p : knownPoly vs p = true <-> fresh vs p.
Proof.
  unfold knownPoly, fresh. rewrite forallb_forall.
  split; intros H v I; specialize (H v I); now apply negb_true_iff.
Qed.

Lemma knownPoly_sub vs vs' p :
  incl vs' vs -> knownPoly vs p = true -> knownPoly vs' p = true.
Proof. rewrite !knownPoly_fresh. intros I F v V. apply F, I, V. Qed.

Lemma knownFact_sub vs vs' f :
  incl vs' vs -> knownFact vs f = true -> knownFact vs' f = true.
Proof.
  intros I. unfold knownFact. rewrite !forallb_forall. intros H b B.
  specialize (H b B). rewrite forallb_forall in *. intros a A.
  eapply knownPoly_sub; eauto.
Qed.

Lemma holds_update e vs xs f :
  knownFact vs f = true -> holds e f -> holds (update e vs xs) f.
Proof.
  unfold knownFact, holds. rewrite forallb_forall, !Exists_exists.
  intros K [b [I B]]. exists b. split; [exact I|].
  specialize (K b I). rewrite forallb_forall in K. rewrite Forall_forall in *.
  intros a A. specialize (B a A). specialize (K a A).
  apply knownPoly_fresh in K. unfold holdsAtom in *.
  now rewrite (update_eval e vs xs _ K).
Qed.

(* Environments that differ at most on these variables. *)
Definition agree (vs : list var) (e e' : env) : Prop :=
  forall v, ~ In v vs -> e v = e' v.

(* What the judge believes: each hypothesis of the kernel holds whenever those
   before it do and the results of definitions have values that fit. *)
Definition kernelHolds (o : obligation) (e : env) : Prop :=
  forall before h after, hypotheses o = before ++ h :: after ->
  origin_ h = Kernel ->
  forall e', agree (introducible o) e e' ->
  Forall (holds e') (map says before) -> holds e' (says h).

Definition lemmaHolds (l : lemma) : Prop :=
  match l with
  | Some (facts, g) => forall e, Forall (holds e) facts -> 0 <= eval e g
  | None => True
  end.

Lemma noDup_app {A} (l l' : list A) : NoDup (l ++ l') ->
  NoDup l /\ NoDup l' /\ forall x, In x l -> In x l' -> False.
Proof.
  induction l as [|y l IH]; simpl; intro N.
  { repeat split; [constructor|exact N|intros x []]. }
  inversion N as [|? ? I N']. subst. destruct (IH N') as [L [L' D]].
  repeat split; auto.
  - constructor; [|exact L]. intro Y. apply I, in_or_app. now left.
  - intros x [->|X] X'; [|eauto]. apply I, in_or_app. now right.
Qed.

Lemma noDup_flat_map {A B} (f : A -> list B) l : NoDup (flat_map f l) ->
  (forall i, In i l -> NoDup (f i)) /\
  (forall i j x, NoDup l -> In i l -> In j l -> In x (f i) -> In x (f j) ->
                 i = j).
Proof.
  induction l as [|a l IH]; simpl; intro N.
  { split; [intros i []|intros i j x _ []]. }
  destruct (noDup_app _ _ N) as [Na [Nl D]].
  destruct (IH Nl) as [IH1 IH2]. split.
  - intros i [<-|I]; auto.
  - intros i j x ND [<-|I] [<-|J] X Y; auto.
    + exfalso. apply (D x X), in_flat_map. eauto.
    + exfalso. apply (D x Y), in_flat_map. eauto.
    + inversion ND. eauto.
Qed.

Section Walk.

Context (o : obligation) (lemmas : list lemma) (e0 : env).
Context (lemmasHold : Forall lemmaHolds lemmas)
  (kernel : kernelHolds o e0) (fresh_ : NoDup (introducible o)).

Lemma hidden_cons i introduced :
  incl (hidden o (i :: introduced)) (hidden o introduced).
Proof.
  unfold hidden. intros v V. apply in_flat_map in V as [j [J V]].
  apply filter_In in J as [J N]. apply in_flat_map. exists j.
  split; [|exact V]. apply filter_In. split; [exact J|].
  apply negb_true_iff in N. apply negb_true_iff.
  unfold memN in *. simpl in N. now apply orb_false_iff in N.
Qed.

Lemma results_hidden i d introduced : In i (cited o) ->
  at_ (definitions o) i = Some d -> memN i introduced = false ->
  incl (results d) (hidden o introduced).
Proof.
  intros C D M v V. apply in_flat_map. exists i. split.
  - apply filter_In. rewrite M. auto.
  - unfold resultsOf. now rewrite D.
Qed.

Lemma results_introducible i d : In i (cited o) ->
  at_ (definitions o) i = Some d -> incl (results d) (introducible o).
Proof.
  intros C D v V. apply in_flat_map. exists i. split; [exact C|].
  unfold resultsOf. now rewrite D.
Qed.

(* A definition that has been introduced, with values that fit. *)
Definition fits (e : env) (introduced : list N) (i : N) : Prop :=
  In i (cited o) /\
  exists d, at_ (definitions o) i = Some d /\
            Forall (holds e) (definitionFacts d) /\
            Forall (fun a => knownPoly (hidden o introduced) a = true)
              (arguments d).

Lemma walk_sound : forall hs before introduced e,
  hypotheses o = before ++ hs ->
  walk o lemmas (map says before) introduced hs = true ->
  agree (introducible o) e0 e ->
  Forall (holds e) (map says before) ->
  Forall (fun f => knownFact (hidden o introduced) f = true)
    (map says before) ->
  Forall (fits e introduced) introduced ->
  exists e', agree (introducible o) e0 e' /\ Forall (holds e') (premises o).
Proof.
  induction hs as [|h hs IH]; intros before introduced e Split W Agree Holds
    Known Fits.
  { exists e. split; [exact Agree|]. unfold premises.
    rewrite Split, app_nil_r. exact Holds. }
  simpl in W.
  destruct (step o lemmas (map says before) introduced h) as [introduced'|]
    eqn:S; [|discriminate].
  apply andb_true_iff in W as [K W].
  (* It is enough to have values for the facts up to here. *)
  assert (Go : forall e', agree (introducible o) e0 e' ->
            Forall (holds e') (map says before) -> holds e' (says h) ->
            Forall (fun f => knownFact (hidden o introduced') f = true)
              (map says before) ->
            Forall (fits e' introduced') introduced' ->
            exists e', agree (introducible o) e0 e' /\
                       Forall (holds e') (premises o)).
  { intros e' A' B' H' K' F'. apply (IH (before ++ [h]) introduced' e').
    - now rewrite <- app_assoc.
    - now rewrite map_app.
    - exact A'.
    - rewrite map_app, Forall_app. repeat constructor; auto.
    - rewrite map_app, Forall_app. repeat constructor; auto.
    - exact F'. }
  clear IH W. unfold step in S. destruct (origin_ h) as [|i part|i r] eqn:O.
  - injection S as <-. apply (Go e); auto.
    apply (kernel before h hs Split O e Agree Holds).
  - assert (C : In i (cited o)).
    { apply nodup_In, in_flat_map. exists h. rewrite O.
      split; [rewrite Split; apply in_elt|now left]. }
    destruct (at_ (definitions o) i) as [d|] eqn:D; [|discriminate].
    destruct (isPart d part (says h)) eqn:P; [|discriminate]. simpl in S.
    assert (Part : In (says h) (definitionFacts d)).
    { unfold isPart in P.
      destruct (at_ (definitionFacts d) part) as [f|] eqn:E; [|discriminate].
      apply eqFact_sound in P. rewrite P. eapply at_in, E. }
    destruct (memN i introduced) eqn:M.
    + injection S as <-. apply (Go e); auto.
      apply memN_spec in M. rewrite Forall_forall in Fits.
      destruct (Fits i M) as [_ [d' [D' [F _]]]].
      rewrite D in D'. injection D' as <-. rewrite Forall_forall in F. auto.
    + destruct (forallb _ (arguments d)) eqn:A; [|discriminate].
      destruct (forallb _ (definitionNeeds d)) eqn:Needs; [|discriminate].
      injection S as <-. rewrite forallb_forall in A, Needs.
      assert (R := results_hidden i d introduced C D M).
      assert (N : NoDup (results d)).
      { destruct (noDup_flat_map _ _ fresh_) as [N _]. specialize (N i C).
        unfold resultsOf in N. now rewrite D in N. }
      destruct (definition_exists e d) as [xs X].
      * apply Forall_forall. intros n I. specialize (Needs n I).
        apply orb_true_iff in Needs as [T|T];
          [now apply isTrivial_holds|eapply stands_holds; eauto].
      * exact N.
      * apply Forall_forall. intros a I. apply knownPoly_fresh.
        eapply knownPoly_sub; [exact R|auto].
      * assert (Sub := hidden_cons i introduced).
        apply (Go (update e (results d) xs)).
        -- intros v V. rewrite update_other; [now apply Agree|].
           intro I. apply V. eapply results_introducible; eauto.
        -- rewrite Forall_forall in *. intros f I. apply holds_update; auto.
           eapply knownFact_sub; [exact R|auto].
        -- rewrite Forall_forall in X. auto.
        -- eapply Forall_impl; [|exact Known].
           intros f. now apply knownFact_sub.
        -- constructor.
           ++ split; [exact C|]. exists d. repeat split; auto.
              apply Forall_forall. intros a I.
              eapply knownPoly_sub; [exact Sub|auto].
           ++ rewrite Forall_forall in *. intros j J.
              destruct (Fits j J) as [Cj [d' [D' [F Aj]]]].
              split; [exact Cj|]. exists d'. split; [exact D'|].
              rewrite Forall_forall in Aj. split.
              ** eapply definitionFacts_ext; [| |exact F].
                 { apply Forall_forall. intros a I. symmetry.
                   apply update_eval, knownPoly_fresh.
                   eapply knownPoly_sub; [exact R|auto]. }
                 { apply Forall_forall. intros v V. symmetry.
                   apply update_other. intro I.
                   destruct (noDup_flat_map _ _ fresh_) as [_ Ne].
                   assert (i = j).
                   { apply (Ne i j v); auto.
                     - apply NoDup_nodup.
                     - unfold resultsOf. now rewrite D.
                     - unfold resultsOf. now rewrite D'. }
                   subst j. apply memN_spec in J. congruence. }
              ** apply Forall_forall. intros a I.
                 eapply knownPoly_sub; [exact Sub|auto].
  - destruct (at_ lemmas i) as [[[facts g]|]|] eqn:L; try discriminate.
    destruct (distinct (map fst r)); [|discriminate].
    destruct (eqFact (says h) _) eqn:E; [|discriminate].
    destruct (forallb _ facts) eqn:F; [|discriminate].
    injection S as <-. apply (Go e); auto.
    apply eqFact_sound in E. rewrite E. apply holds_ge.
    rewrite renamePoly_eval. apply at_in in L.
    rewrite Forall_forall in lemmasHold. apply (lemmasHold _ L).
    rewrite forallb_forall in F. apply Forall_forall. intros f I.
    apply renameFact_holds. eapply stands_holds; eauto.
Qed.

End Walk.

Theorem wellFounded_sound o lemmas e :
  wellFounded lemmas o = true -> Forall lemmaHolds lemmas -> kernelHolds o e ->
  exists e', agree (introducible o) e e' /\ Forall (holds e') (premises o).
Proof.
  unfold wellFounded. intros W L K. apply andb_true_iff in W as [D W].
  apply distinct_sound in D.
  apply (walk_sound o lemmas e L K D (hypotheses o) [] [] e);
    auto; constructor.
Qed.

Theorem judge_sound all i o tree e :
  nth_error all i = Some (o, tree) -> nth_error (judge all) i = Some true ->
  kernelHolds o e ->
  exists e', agree (introducible o) e e' /\ Forall (holds e') (premises o) /\
             0 <= eval e' (goal o).
Proof.
  unfold judge. assert (H : Forall lemmaHolds []) by constructor. revert H.
  generalize (@nil lemma) as lemmas. generalize maxListWork. revert i.
  induction all as [|[o1 t1] all IH]; intros [|i] left lemmas L A J K;
    try discriminate; simpl in A, J.
  - injection A as -> ->.
    destruct (accepts lemmas left o tree) as [left'|] eqn:Ac; [|discriminate].
    unfold accepts in Ac. destruct tree as [t|]; [|discriminate].
    destruct (wellFounded lemmas o) eqn:W; [|discriminate].
    destruct (wellFounded_sound o lemmas e W L K) as [e' [A' P]].
    exists e'. repeat split; auto.
    exact (obligation_sound _ _ _ (listWork_refutes _ _ _ _ Ac) e' P).
  - destruct (accepts lemmas left o1 t1) as [left'|] eqn:Ac;
      (eapply (IH i); [|exact A|exact J|exact K]);
      (apply Forall_app; split; [exact L|]; constructor; [|constructor]);
      [|exact I].
    unfold accepts in Ac. destruct t1 as [t|]; [|discriminate].
    destruct (wellFounded lemmas o1); [|discriminate]. intros e' P.
    exact (obligation_sound _ _ _ (listWork_refutes _ _ _ _ Ac) e' P).
Qed.
