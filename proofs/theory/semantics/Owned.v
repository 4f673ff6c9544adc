(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Claims make races impossible: in every state that a launch can reach, the
   block that is about to write an element owns it, and so does one that is
   about to read an element of a tensor that is not `shared`. Elements of atomic
   tensors are combined with only. *)

From Coq Require Import ZArith List Bool Lia Relations FMapPositive.
From Girih Require Export Launch.
Import ListNotations.
Open Scope Z_scope.

(* Elements that a block has taken. *)
Definition holding := nat -> list Z -> Prop.
Definition within (h h' : holding) : Prop := forall t a, h t a -> h' t a.

Section Owned.

Context (m : machine) (k : kernel) (l : launch).

Definition ofTensor (f : tensor -> bool) (t : nat) : bool :=
  match tensorOf k t with Some ten => f ten | None => false end.
Definition sharedTensor : nat -> bool := ofTensor isShared.
Definition ownedTensor : nat -> bool := ofTensor isOwned.
Definition atomicTensor : nat -> bool := ofTensor combines.

Lemma owned_alone t : ownedTensor t = true ->
  sharedTensor t = false /\ atomicTensor t = false.
Proof.
  unfold ownedTensor, sharedTensor, atomicTensor, ofTensor, isOwned, isShared,
    combines.
  destruct (tensorOf k t) as [ten|]; [|discriminate].
  now destruct (mode_ ten).
Qed.
Lemma shared_alone t : sharedTensor t = true -> atomicTensor t = false.
Proof.
  unfold sharedTensor, atomicTensor, ofTensor, isShared, combines.
  destruct (tensorOf k t) as [ten|]; [|discriminate].
  now destruct (mode_ ten).
Qed.

(* A run that, holding this, touches only what it holds or takes, and ends with
   a value that is good for what it then holds. *)
Inductive guarded {A} (good : holding -> A -> Prop)
  : holding -> run A -> Prop :=
  | guarded_ok h a : good h a -> guarded good h (Done (Ok a))
  | guarded_end h o : (forall a, o <> Ok a) -> guarded good h (Done o)
  | guarded_take h t a next : ownedTensor t = true ->
      guarded good (fun u b => h u b \/ u = t /\ b = a) next ->
      guarded good h (Take t a next)
  | guarded_read (h : holding) t a next : sharedTensor t = true \/ h t a ->
      (forall x, guarded good h (next x)) -> guarded good h (Read t a next)
  | guarded_write (h : holding) t a x next : h t a -> guarded good h next ->
      guarded good h (Write t a x next)
  | guarded_update (h : holding) t a ten x next : tensorOf k t = Some ten ->
      combines ten = true -> guarded good h next ->
      guarded good h (Update t a (combined m ten) x next).

Definition whatever {A} (h : holding) (a : A) : Prop := True.

Lemma guarded_bind {A B} good (better : holding -> B -> Prop) h (r : run A) f :
  guarded good h r ->
  (forall h' a, within h h' -> good h' a -> guarded better h' (f a)) ->
  guarded better h (bindRun r f).
Proof.
  intros G. induction G as [h a H|h o H|h t a next H G IH
                           |h t a next H G IH|h t a x next H G IH
                           |h t a ten x next T C G IH];
    intro F; simpl.
  - apply F; [intros u b U; exact U|exact H].
  - destruct o as [a| | |]; [now destruct (H a)| | |];
      apply guarded_end; discriminate.
  - apply guarded_take, IH; [exact H|]. intros h' a' W. apply F.
    intros u b U. apply W. now left.
  - apply guarded_read; auto.
  - apply guarded_write; auto.
  - apply guarded_update; auto.
Qed.

Lemma guarded_done {A B} (better : holding -> B -> Prop) h (o : outcome A) f :
  (forall a, o = Ok a -> guarded better h (f a)) ->
  guarded better h (bindRun (Done o) f).
Proof.
  intro F. destruct o; simpl; auto; apply guarded_end; discriminate.
Qed.

(* Of the events of one tile. *)
Definition holds (h : holding) (t : nat) (ls : list (list Z * bool)) : Prop :=
  forall a, In (a, true) ls -> h t a.

Lemma takeAll_guarded {A} good t ls (next : run A) :
  ownedTensor t = true -> forall h,
  (forall h', within h h' -> holds h' t ls -> guarded good h' next) ->
  guarded good h (takeAll t ls next).
Proof.
  intro Own. induction ls as [|[a [|]] ls IH]; intros h F; simpl.
  - apply F; [intros u b U; exact U|intros a []].
  - apply guarded_take, IH; [exact Own|]. intros h' W H. apply F.
    + intros u b U. apply W. now left.
    + intros b [E|I]; [|now apply H]. injection E as <-. apply W. now right.
  - apply IH. intros h' W H. apply F; [exact W|].
    intros b [E|I]; [discriminate|now apply H].
Qed.

Lemma writeAll_guarded {A} good t ls (next : run A) h : holds h t ls ->
  guarded good h next -> forall xs, guarded good h (writeAll t ls xs next).
Proof.
  intros H N. induction ls as [|[a b] ls IH]; intros [|x xs]; simpl; auto;
    try (apply guarded_end; discriminate); destruct b;
    try (apply guarded_end; discriminate).
  - apply guarded_write; [apply H; now left|]. apply IH.
    intros b I. apply H. now right.
  - apply IH. intros b I. apply H. now right.
Qed.

Lemma combineAll_guarded {A} good t ten ls (next : run A) h :
  tensorOf k t = Some ten -> combines ten = true -> guarded good h next ->
  forall xs, guarded good h (combineAll t (combined m ten) ls xs next).
Proof.
  intros T C N. induction ls as [|[a b] ls IH]; intros [|x xs]; simpl; auto;
    try (apply guarded_end; discriminate); destruct b;
    try (apply guarded_end; discriminate); auto.
  now apply guarded_update.
Qed.

Lemma readAll_guarded t el q ls h :
  sharedTensor t = true \/ holds h t ls ->
  guarded whatever h (readAll m t el q ls).
Proof.
  intro H. induction ls as [|[a [|]] ls IH]; cbn [readAll].
  - now apply guarded_ok.
  - assert (IH' : guarded whatever h (readAll m t el q ls)).
    { apply IH. destruct H as [H|H]; [now left|right].
      intros b I. apply H. now right. }
    apply guarded_read.
    { destruct H as [H|H]; [now left|right]. apply H. now left. }
    intro x. apply guarded_done. intros y _.
    eapply guarded_bind; [exact IH'|]. intros. now apply guarded_ok.
  - eapply guarded_bind; [apply IH|intros; now apply guarded_ok].
    destruct H as [H|H]; [now left|right]. intros b I. apply H. now right.
Qed.

(* Pieces name what was taken. *)
Definition ownsPieces (h : holding) (e : env) : Prop :=
  forall v w p i extents, PositiveMap.find v e = Some (PieceOf w p i) ->
  extentsOf l (root w) = Some extents ->
  holds h (root w) (tileOf extents w p i).

Lemma ownsPieces_within h h' e :
  within h h' -> ownsPieces h e -> ownsPieces h' e.
Proof. intros W O v w p i extents F E a I. eapply W, O; eauto. Qed.

Lemma ownsPieces_set h e v x : ownsPieces h e -> ownsPieces h (set_ e v x).
Proof.
  intros O u w p i extents F. unfold set_ in F.
  destruct (Pos.eq_dec u v) as [->|N].
  - rewrite PositiveMap.gss in F. discriminate.
  - rewrite PositiveMap.gso in F by exact N. eapply O, F.
Qed.
Lemma ownsPieces_view h e v x : ownsPieces h e ->
  ownsPieces h (PositiveMap.add v (ViewOf x) e).
Proof.
  intros O u w p i extents F. destruct (Pos.eq_dec u v) as [->|N].
  - rewrite PositiveMap.gss in F. discriminate.
  - rewrite PositiveMap.gso in F by exact N. eapply O, F.
Qed.

Lemma ownsPieces_setAll h vs : forall e xs e', ownsPieces h e ->
  setAll e vs xs = Ok e' -> ownsPieces h e'.
Proof.
  induction vs as [|v vs IH]; intros e [|x xs] e' O S; try discriminate.
  - now injection S as <-.
  - eapply IH; [|exact S]. now apply ownsPieces_set.
Qed.

Lemma load_guarded w p i q h :
  (forall extents, extentsOf l (root w) = Some extents ->
     sharedTensor (root w) = true \/
     holds h (root w) (tileOf extents w p i)) ->
  guarded whatever h (load m k l w p i q).
Proof.
  intro H. unfold load. apply guarded_done. intros [extents t] E.
  apply extentsAndType_spec in E. specialize (H _ E). cbv zeta.
  destruct q; [now apply readAll_guarded|].
  destruct (forallb _ _); [now apply readAll_guarded|].
  apply guarded_end. discriminate.
Qed.

Lemma gather_guarded e t sh index mask q h :
  guarded whatever h (gather m k l e t sh index mask q).
Proof.
  unfold gather. apply guarded_done. intros xss _. apply guarded_done.
  intros active _. apply guarded_done. intros [extents ten] E. cbv zeta.
  unfold extentsAndType in E.
  destruct (extentsOf l t); [|discriminate].
  destruct (tensorOf k t) as [t'|] eqn:T; [|discriminate].
  injection E as _ ->.
  destruct (isShared ten) eqn:S; [|apply guarded_end; discriminate].
  destruct (_ && _); [|apply guarded_end; discriminate].
  destruct (forallb _ (asked _ _ _)); [|apply guarded_end; discriminate].
  apply readAll_guarded. left. unfold sharedTensor, ofTensor. now rewrite T.
Qed.

Lemma scatter_guarded e v t sh index mask h : ownsPieces h e ->
  guarded ownsPieces h (scatter k l e v t sh index mask).
Proof.
  intro O. unfold scatter. apply guarded_done. intros x _.
  apply guarded_done. intros xss _. apply guarded_done. intros active _.
  apply guarded_done. intros [extents ten] E. cbv zeta.
  unfold extentsAndType in E.
  destruct (extentsOf l t); [|discriminate].
  destruct (tensorOf k t) as [t'|] eqn:T; [|discriminate].
  injection E as _ ->.
  destruct (isOwned ten) eqn:S; [|apply guarded_end; discriminate].
  destruct (_ && _); [|apply guarded_end; discriminate].
  destruct (forallb _ (asked _ _ _)); [|apply guarded_end; discriminate].
  destruct (lanesApart _); [|apply guarded_end; discriminate].
  apply takeAll_guarded; [unfold ownedTensor, ofTensor; now rewrite T|].
  intros h' W H. apply writeAll_guarded; [exact H|]. apply guarded_ok.
  now apply (ownsPieces_within h).
Qed.

Lemma combineLanes_guarded e v t sh index mask h : ownsPieces h e ->
  guarded ownsPieces h (combineLanes m k l e v t sh index mask).
Proof.
  intro O. unfold combineLanes. apply guarded_done. intros x _.
  apply guarded_done. intros xss _. apply guarded_done. intros active _.
  apply guarded_done. intros [extents ten] E. cbv zeta.
  unfold extentsAndType in E.
  destruct (extentsOf l t); [|discriminate].
  destruct (tensorOf k t) as [t'|] eqn:T; [|discriminate].
  injection E as _ ->.
  destruct (combines ten) eqn:C; [|apply guarded_end; discriminate].
  destruct (_ && _); [|apply guarded_end; discriminate].
  destruct (forallb _ (asked _ _ _)); [|apply guarded_end; discriminate].
  apply combineAll_guarded; auto. now apply guarded_ok.
Qed.

Lemma tileIndex_use e p index use broken w i :
  tileIndex k l e p index use broken = Ok (w, i) ->
  ofTensor use (root w) = true.
Proof.
  unfold tileIndex, extentsAndType, ofTensor.
  destruct (viewAt l e (of p)) as [v| | |]; try discriminate. simpl.
  destruct (collect (scalar e) index); try discriminate. simpl.
  destruct (extentsOf l (root v)); [|discriminate]. simpl.
  destruct (tensorOf k (root v)) as [t|] eqn:T; [|discriminate]. simpl.
  destruct (Nat.eqb _ _ && use t) eqn:U; [|discriminate].
  destruct (tileExists _ _ _); [|discriminate]. intro E. injection E as <- _.
  rewrite T. now apply andb_true_iff in U as [_ U].
Qed.

Context (ids : list Z).

Lemma code_guarded :
  (forall r h e, ownsPieces h e ->
     guarded whatever h (execRegion m k l ids r e)) /\
  (forall s h e, ownsPieces h e ->
     guarded ownsPieces h (execStatement m k l ids s e)).
Proof.
  apply code_all; cbn [execRegion execStatement].
  - intros vs h e O. destruct (collect (get e) vs);
      [now apply guarded_ok| | |]; apply guarded_end; discriminate.
  - intros s IHs rest IHr h e O. eapply guarded_bind; [now apply IHs|].
    intros h' e' W O'. now apply IHr.
  - intros r t o h e O. apply guarded_done. intros x _.
    apply guarded_ok. now apply ownsPieces_set.
  - intros r b st h e O. apply guarded_done. intros v _.
    apply guarded_done. intros st' _. apply guarded_done. intros v' _.
    apply guarded_ok. now apply ownsPieces_view.
  - intros r p index h e O. apply guarded_done. intros [w i] T.
    apply tileIndex_use in T. apply guarded_done.
    intros [extents t] E. apply extentsAndType_spec in E.
    apply takeAll_guarded; [exact T|]. intros h' W H. apply guarded_ok.
    intros v w' p' i' extents' F E'. destruct (Pos.eq_dec v r) as [->|N].
    + rewrite PositiveMap.gss in F. injection F as <- <- <-.
      rewrite E in E'. now injection E' as <-.
    + rewrite PositiveMap.gso in F by exact N.
      apply (ownsPieces_within _ _ _ W O v w' p' i' extents' F E').
  - intros r s q h e O. destruct s as [p index|v]; apply guarded_done.
    + intros [w i] T. apply tileIndex_use in T.
      eapply guarded_bind; [apply load_guarded; now left|].
      intros h' x W _. apply guarded_ok, ownsPieces_set.
      now apply (ownsPieces_within h).
    + intros [[w p] i] P. eapply guarded_bind.
      * apply load_guarded. intros extents E. right. unfold piece in P.
        destruct (PositiveMap.find v e) as [[| |w' p' i']|] eqn:F;
          try discriminate. injection P as -> -> ->. eapply O; eauto.
      * intros h' x W _. apply guarded_ok, ownsPieces_set.
        now apply (ownsPieces_within h).
  - intros v pv h e O. apply guarded_done. intros x _. apply guarded_done.
    intros [[w p] i] P. apply guarded_done. intros [extents t] E.
    apply extentsAndType_spec in E.
    apply writeAll_guarded; [|now apply guarded_ok]. unfold piece in P.
    destruct (PositiveMap.find pv e) as [[| |w' p' i']|] eqn:F;
      try discriminate.
    injection P as -> -> ->. eapply O; eauto.
  - intros v p index h e O. apply guarded_done. intros x _. apply guarded_done.
    intros [w i] T. apply tileIndex_use in T. apply guarded_done.
    intros [extents t] E. unfold ofTensor in T. unfold extentsAndType in E.
    destruct (extentsOf l (root w)); [|discriminate].
    destruct (tensorOf k (root w)) as [t'|] eqn:T'; [|discriminate].
    injection E as _ ->. apply combineAll_guarded; auto.
    now apply guarded_ok.
  - intros r t sh index mask q h e O. eapply guarded_bind.
    + apply gather_guarded.
    + intros h' x W _. apply guarded_ok, ownsPieces_set.
      now apply (ownsPieces_within h).
  - intros v t sh index mask h e O. now apply scatter_guarded.
  - intros v t sh index mask h e O. now apply combineLanes_guarded.
  - intros results counts lower upper by_ counter carried start_ body IH h e O.
    apply guarded_done. intros low _. apply guarded_done. intros high _.
    apply guarded_done. intros stride _.
    destruct (stride <? 1); [apply guarded_end; discriminate|].
    apply guarded_done. intros xs _.
    eapply guarded_bind with (good := whatever).
    + generalize (Z.to_nat (ceildiv (high - low) stride)) as n.
      intro n. revert h O low xs.
      induction n as [|n IHn]; intros h O low xs; [now apply guarded_ok|].
      apply guarded_done. intros e' S. eapply guarded_bind.
      * apply IH. eapply ownsPieces_setAll; [|exact S].
        now apply ownsPieces_set.
      * intros h' ys W _.
        destruct (fitsb (widthOf (width m) counts) (low + stride));
          [|apply guarded_end; discriminate].
        apply IHn. now apply (ownsPieces_within h).
    + intros h' ys W _. destruct (setAll e results ys) as [e'| | |] eqn:S;
        try (apply guarded_end; discriminate).
      apply guarded_ok. eapply ownsPieces_setAll; [|exact S].
      now apply (ownsPieces_within h).
  - intros results c yes IHy no IHn h e O. apply guarded_done. intros x _.
    eapply guarded_bind with (good := whatever).
    + destruct (x =? 0); [now apply IHn|now apply IHy].
    + intros h' ys W _. destruct (setAll e results ys) as [e'| | |] eqn:S;
        try (apply guarded_end; discriminate).
      apply guarded_ok. eapply ownsPieces_setAll; [|exact S].
      now apply (ownsPieces_within h).
Qed.

Lemma initial_pieces h : ownsPieces h (initial k l).
Proof.
  unfold initial. generalize (seq 0 (length (arguments k))) as ns. intro ns.
  assert (O : ownsPieces h (PositiveMap.empty binding)).
  { intros v w p i extents F. rewrite PositiveMap.gempty in F. discriminate. }
  revert O. generalize (PositiveMap.empty binding) as e.
  induction ns as [|n ns IH]; intros e O; [exact O|]. apply IH.
  destruct (nth_error (arguments k) n) as [[|]|]; auto using ownsPieces_set.
Qed.

Lemma block_guarded h : guarded whatever h (runBlock m k l ids).
Proof.
  unfold runBlock. eapply guarded_bind.
  - apply code_guarded, initial_pieces.
  - intros. now apply guarded_ok.
Qed.

End Owned.

(* Holding is a matter of which elements, not of how that is said. *)
Lemma guarded_more {A} m k (good : holding -> A -> Prop) h r :
  (forall h h' a, within h h' -> good h a -> good h' a) ->
  guarded m k good h r -> forall h', within h h' -> guarded m k good h' r.
Proof.
  intros M G.
  induction G as [h a H|h o H|h t a next H G IH|h t a next H G IH
                 |h t a x next H G IH|h t a ten x next T C G IH];
    intros h' W.
  - apply guarded_ok. eapply M; eauto.
  - now apply guarded_end.
  - apply guarded_take, IH; [exact H|].
    intros u b [U|U]; [left; now apply W|now right].
  - apply guarded_read; [destruct H; [now left|right; now apply W]|auto].
  - apply guarded_write; auto.
  - apply guarded_update; auto.
Qed.

Definition holdsOf (s : state) (b : nat) : holding :=
  fun t a => owner s t a = Some b.

Definition disciplined (m : machine) (k : kernel) (s : state) : Prop :=
  (forall b r, nth_error (blocks s) b = Some r ->
     guarded m k whatever (holdsOf s b) r) /\
  (forall t a b, owner s t a = Some b -> ownedTensor k t = true).

Lemma eqAt_spec a b : eqAt a b = true <-> a = b.
Proof.
  revert b. induction a as [|x a IH]; intros [|y b]; simpl;
    try (split; [discriminate|discriminate]); [tauto|].
  rewrite andb_true_iff, IH, Z.eqb_eq. split; [intros [-> ->]|intro E];
    [reflexivity|]. injection E. auto.
Qed.

Lemma replace_other {A} (l : list A) b c x : b <> c ->
  nth_error (replace l b x) c = nth_error l c.
Proof.
  revert b c. induction l as [|y l IH]; intros [|b] [|c] N; simpl; auto;
    try congruence.
Qed.
Lemma replace_here {A} (l : list A) b x y :
  nth_error (replace l b x) b = Some y -> y = x.
Proof.
  revert b. induction l as [|z l IH]; intros [|b] H; try discriminate.
  - now injection H.
  - eapply IH, H.
Qed.

Lemma step_disciplined m k s s' : disciplined m k s -> step s s' ->
  disciplined m k s'.
Proof.
  intros [D Sh] [b B]. unfold stepBlock in B.
  destruct (nth_error (blocks s) b) as [r|] eqn:N; [|discriminate].
  pose proof (D b r N) as G.
  destruct r as [[]| | | |]; try discriminate.
  - injection B as <-. now split.
  - assert (S : s' = State (replace (blocks s) b r) (memory s)
                       (put (owner s) t at_ (Some b)) /\
                (owner s t at_ = None \/ owner s t at_ = Some b)).
    { destruct (owner s t at_) as [b'|]; [|injection B; auto].
      destruct (Nat.eqb_spec b b') as [->|]; [|discriminate].
      injection B. auto. }
    clear B. destruct S as [-> Own].
    inversion G as [| |? ? ? ? T G'| | |]. subst.
    assert (W : forall c, within (holdsOf s c)
              (holdsOf (State (replace (blocks s) b r) (memory s)
                          (put (owner s) t at_ (Some b))) c)).
    { intros c u a H. unfold holdsOf in *. simpl. unfold put.
      destruct (Nat.eqb_spec t u) as [->|]; [|exact H]. simpl.
      destruct (eqAt at_ a) eqn:E; [|exact H]. apply eqAt_spec in E.
      subst a. rewrite H in Own. destruct Own; congruence. }
    split.
    + intros c q C. simpl in C. destruct (Nat.eq_dec b c) as [<-|Ne].
      * apply replace_here in C. subst q.
        eapply guarded_more; [unfold whatever; auto|exact G'|].
        intros u a [H|[-> ->]]; [now apply W|]. unfold holdsOf. simpl.
        unfold put. rewrite Nat.eqb_refl.
        now rewrite (proj2 (eqAt_spec at_ at_) eq_refl).
      * rewrite replace_other in C by exact Ne.
        eapply guarded_more; [unfold whatever; auto|apply D, C|apply W].
    + intros u a c. simpl. unfold put.
      destruct (Nat.eqb_spec t u) as [->|]; simpl; [|apply Sh].
      destruct (eqAt at_ a); [intros _; exact T|apply Sh].
  - destruct (memory s t at_) as [x|]; [|discriminate]. injection B as <-.
    split; [|exact Sh].
    intros c q C. simpl in C. destruct (Nat.eq_dec b c) as [<-|Ne].
    + apply replace_here in C. subst q. inversion G. subst. auto.
    + rewrite replace_other in C by exact Ne. apply D, C.
  - injection B as <-. split; [|exact Sh].
    intros c q C. simpl in C. destruct (Nat.eq_dec b c) as [<-|Ne].
    + apply replace_here in C. subst q. inversion G. subst. auto.
    + rewrite replace_other in C by exact Ne. apply D, C.
  - destruct (memory s t at_) as [y|]; [|discriminate]. injection B as <-.
    split; [|exact Sh].
    intros c q C. simpl in C. destruct (Nat.eq_dec b c) as [<-|Ne].
    + apply replace_here in C. subst q. inversion G. subst. auto.
    + rewrite replace_other in C by exact Ne. apply D, C.
Qed.

Lemma reached_disciplined m k l given s :
  reaches (start m k l given) s -> disciplined m k s.
Proof.
  intro R. apply clos_rt_rtn1 in R. induction R as [|s1 s2 St R IH].
  - split.
    + intros c r C. unfold start in C. simpl in C.
      apply nth_error_In, in_map_iff in C as [n [<- _]].
      apply block_guarded.
    + discriminate.
  - eapply step_disciplined; eauto.
Qed.

(* The element that a block touches next, if it does. *)
Definition touches (r : run unit) (t : nat) (a : list Z) : Prop :=
  match r with
  | Read u b _ | Write u b _ _ | Update u b _ _ _ => u = t /\ b = a
  | _ => False
  end.

(* Whoever touches an element of a tensor that is neither `shared` nor atomic
   owns it. *)
Theorem access_owned m k l given s b r t a :
  reaches (start m k l given) s -> nth_error (blocks s) b = Some r ->
  touches r t a -> sharedTensor k t = true \/ atomicTensor k t = true \/
    owner s t a = Some b.
Proof.
  intros R N T. destruct (reached_disciplined _ _ _ _ _ R) as [D _].
  specialize (D b r N). destruct r; try contradiction;
    destruct T as [-> ->]; inversion D; subst; auto.
  - match goal with D : _ \/ holdsOf _ _ _ _ |- _ => destruct D; auto end.
  - right. left. unfold atomicTensor, ofTensor.
    match goal with T : tensorOf k t = _ |- _ => now rewrite T end.
Qed.

(* In no state of any launch do two blocks touch one element and one of them
   writes it. *)
Theorem no_race m k l given s b c t a x next r :
  reaches (start m k l given) s -> b <> c ->
  nth_error (blocks s) b = Some (Write t a x next) ->
  nth_error (blocks s) c = Some r -> ~ touches r t a.
Proof.
  intros R Ne B C T.
  destruct (reached_disciplined _ _ _ _ _ R) as [D Sh].
  specialize (D b _ B). inversion D as [| | | |? ? ? ? ? H|]. subst.
  unfold holdsOf in H.
  destruct (owned_alone _ _ (Sh _ _ _ H)).
  destruct (access_owned _ _ _ _ _ _ _ _ _ R C T) as [S|[S|O]]; congruence.
Qed.

(* What no block owns, and is not combined with, is as it was. *)
Theorem frame m k l given s t a : reaches (start m k l given) s ->
  owner s t a = None -> atomicTensor k t = false ->
  memory s t a = memory (start m k l given) t a.
Proof.
  intro R. apply clos_rt_rtn1 in R.
  induction R as [|s1 s2 [b B] R IH]; [reflexivity|]. intros N At.
  apply clos_rtn1_rt in R.
  destruct (reached_disciplined _ _ _ _ _ R) as [D _].
  unfold stepBlock in B.
  destruct (nth_error (blocks s1) b) as [r|] eqn:E; [|discriminate].
  specialize (D b r E).
  destruct r as [[]|u x next|u x next|u x y next|u x f y next];
    try discriminate.
  - injection B as <-. auto.
  - assert (S : memory s2 = memory s1 /\
                owner s2 = put (owner s1) u x (Some b)).
    { destruct (owner s1 u x) as [c|]; [|injection B as <-; auto].
      destruct (Nat.eqb b c); [injection B as <-; auto|discriminate]. }
    destruct S as [-> S]. apply IH; [|exact At]. rewrite S in N.
    unfold put in N.
    destruct (Nat.eqb u t && eqAt x a); [discriminate|exact N].
  - destruct (memory s1 u x); [|discriminate]. injection B as <-. auto.
  - injection B as <-. simpl in *. inversion D as [| | | |? ? ? ? ? H|].
    subst. unfold put. destruct (Nat.eqb_spec u t) as [->|]; [|auto]. simpl.
    destruct (eqAt x a) eqn:Q; [|auto]. apply eqAt_spec in Q. subst x.
    unfold holdsOf in H. congruence.
  - destruct (memory s1 u x); [|discriminate]. injection B as <-. simpl in *.
    inversion D as [| | | | |? ? ? ? ? ? T C]. subst. unfold put.
    destruct (Nat.eqb_spec u t) as [->|]; [|auto].
    unfold atomicTensor, ofTensor in At. rewrite T in At. congruence.
Qed.

(* Tensors that are `shared` are as they were given. *)
Corollary shared_kept m k l given s t a : reaches (start m k l given) s ->
  sharedTensor k t = true -> memory s t a = Some (given t a).
Proof.
  intros R S. rewrite (frame m k l given s t a R).
  - unfold start, isOut, sharedTensor, ofTensor, isShared in *. simpl.
    destruct (tensorOf k t) as [ten|]; [|discriminate].
    now destruct (mode_ ten).
  - destruct (owner s t a) as [b|] eqn:O; [|reflexivity].
    destruct (reached_disciplined _ _ _ _ _ R) as [_ Sh].
    destruct (owned_alone _ _ (Sh t a b O)). congruence.
  - now apply shared_alone.
Qed.
