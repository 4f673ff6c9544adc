(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   From a kernel to the list of its obligations, variables numbered by first
   use, and from certificates for them to a verdict. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export Witness Bytes.
Import ListNotations.
Open Scope Z_scope.

(* All verification conditions of a kernel, in order; and whether bytes are
   whole where they are discharged. *)
Definition walkKernel (w : Z) (k : kernel) : gen bool :=
  let* _ := check ((8 <=? w) && (w <=? 64)) in
  let* h := wholeContract w k in
  let* launch_ := visible in
  let* from := (fun s => Some (next s, s)) in
  let* h := walkBody h in
  let* until := (fun s => Some (next s, s)) in
  let* ss := (fun s => Some (rev (sites s), s)) in
  let* ws := (fun s => Some (rev (writes s), s)) in
  let* _ := walkPairs h launch_ from until ss in
  let* _ := walkOutputs h launch_ from until 0 (arguments k) ws in
  ret (forallb (wholeSite h) ss).

Definition noScope : scope := Scope 1 [] [] [] [] [].

Definition vcsOf (w : Z) (k : kernel) : option (list vc) :=
  match walkKernel w k noScope with
  | Some (_, s) => Some (rev (vcs s))
  | None => None
  end.

(* Numbers of variables in one obligation, by first use; order reversed. *)
Record numbering := Numbering
  { numbers : PositiveMap.t var; order : list var; upcoming : var }.
Definition noNumbers : numbering := Numbering (PositiveMap.empty var) [] 1.

Definition use (n : numbering) (v : var) : numbering :=
  if PositiveMap.mem v (numbers n) then n
  else Numbering (PositiveMap.add v (upcoming n) (numbers n)) (v :: order n)
         (Pos.succ (upcoming n)).
Definition usePoly (n : numbering) (p : poly) : numbering :=
  fold_left use (variables p) n.
Definition useFact (n : numbering) (f : fact) : numbering :=
  fold_left use (factVariables f) n.
Definition numberIn (n : numbering) (v : var) : var := nameIn (numbers n) v.

Definition numberDefinition (n : numbering) (d : definition) : definition :=
  Definition_ (Definitions.kind_ d)
    (map (renamePoly (numberIn n)) (Definitions.arguments d))
    (map (numberIn n) (results d)).

Definition eqDefinition (a b : definition) : bool :=
  eqKind (Definitions.kind_ a) (Definitions.kind_ b) &&
  eqList eqPoly (Definitions.arguments a) (Definitions.arguments b) &&
  eqList Pos.eqb (results a) (results b).

(* An obligation, where its hypotheses that the kernel states come from, and
   its variables in the kernel. *)
Record listed := Listed
  { rule_ : rule;
    obligation_ : obligation;
    sources : list (option source);
    order_ : list var }.

(* Hypotheses so far, newest first; definitions likewise. *)
Record building := Building
  { names_ : numbering;
    hyps : list (hypothesis * option source);
    defs_ : list definition }.

Definition addHypothesis (earlier : list listed) (b : building) (f : scoped)
  : building :=
  let n := useFact (names_ b) (claims f) in
  match reason_ f with
  | Because s =>
      Building n
        ((Given (renameFact (numberIn n) (claims f)) WellFounded.Kernel, Some s)
          :: hyps b)
        (defs_ b)
  | ByDefinition d part =>
      let n := fold_left use (results d)
                 (fold_left usePoly (Definitions.arguments d) n) in
      let d := numberDefinition n d in
      let ds := match defs_ b with
                | d' :: _ => if eqDefinition d' d then defs_ b else d :: defs_ b
                | [] => [d]
                end in
      Building n
        ((Given (renameFact (numberIn n) (claims f))
            (FromDefinition (N.of_nat (length ds) - 1) part), None) :: hyps b)
        ds
  | ByProof i via =>
      let vars := match nth_error earlier (N.to_nat i) with
                  | Some l => order_ l
                  | None => []
                  end in
      let n := fold_left (fun n v => use n (via v)) vars n in
      let renaming := combine (map Pos.of_succ_nat (seq 0 (length vars)))
                        (map (fun v => numberIn n (via v)) vars) in
      Building n
        ((Given (renameFact (numberIn n) (claims f)) (FromProved i renaming),
          None) :: hyps b)
        (defs_ b)
  end.

Definition list_ (earlier : list listed) (d : vc) : listed :=
  let b := fold_left (addHypothesis earlier) (rev (under d))
             (Building noNumbers [] []) in
  let n := usePoly (names_ b) (aim d) in
  Listed (broken d)
    (Obligation (rev (defs_ b)) (map fst (rev (hyps b)))
       (renamePoly (numberIn n) (aim d)))
    (map snd (rev (hyps b))) (rev (order n)).

Definition listAll (ds : list vc) : list listed :=
  fold_left (fun ls d => ls ++ [list_ ls d]) ds [].

(* The obligations of a kernel where `index` has w bits; none when it is not
   well typed. *)
Definition generate (w : Z) (k : kernel) : option (list listed) :=
  option_map listAll (vcsOf w k).

(* A condition is the listed obligation, but for the names of variables. *)
Definition lists (l : listed) (d : vc) : bool :=
  let back := fun v => nth (Pos.to_nat v - 1) (order_ l) 1%positive in
  eqList eqFact (map (renameFact back) (premises (obligation_ l)))
    (map claims (rev (under d))) &&
  eqPoly (renamePoly back (goal (obligation_ l))) (aim d).

(* How much work is left where the certificate discharges the condition. *)
Definition proves (d : vc) (l : listed) (c : cert) (left : N) : option N :=
  if lists l d
  then listWork (premises (obligation_ l) ++
                 [GeZ (below (goal (obligation_ l)))]) c left
  else None.
Fixpoint provesAll (all : list (vc * (listed * cert))) (left : N) : bool :=
  match all with
  | [] => true
  | (d, (l, c)) :: all' =>
      match proves d l c left with
      | Some left' => provesAll all' left'
      | None => false
      end
  end.

(* A certificate for each obligation, within the judge's limits on work. *)
Definition verify (w : Z) (k : kernel) (certificates : list cert) : bool :=
  match walkKernel w k noScope with
  | Some (whole, s) =>
      let ds := rev (vcs s) in
      let ls := listAll ds in
      whole && Nat.eqb (length certificates) (length ds) &&
      provesAll (combine ds (combine ls certificates)) maxListWork
  | None => false
  end.
