(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The text of obligations, as proofs/Obligation.cpp prints those without names
   and notes: what is compared with the checker's. *)

From Coq Require Import ZArith NArith String List Bool DecimalString.
From Girih Require Export Generate.
Import ListNotations.
Open Scope string_scope.

Definition newline : string := String (Ascii.ascii_of_nat 10) "".
Definition ofZ (x : Z) : string := NilEmpty.string_of_int (Z.to_int x).
Definition ofN (x : N) : string := NilEmpty.string_of_uint (N.to_uint x).
Definition ofVar (v : var) : string := "v" ++ ofN (Pos.pred_N v).

Fixpoint joined (separator : string) (l : list string) : string :=
  match l with
  | [] => ""
  | [x] => x
  | x :: l' => x ++ separator ++ joined separator l'
  end.

(* `2*v0*v1`; a coefficient of 1 is left out beside variables. *)
Definition ofTerm (m : list var) (c : Z) : string :=
  match m with
  | [] => ofZ c
  | _ => (if (c =? 1)%Z then "" else ofZ c ++ "*") ++ joined "*" (map ofVar m)
  end.
(* Terms of one degree after those of higher ones. *)
Fixpoint byDegree (later : poly) (group : poly) (p : poly) : poly :=
  match p with
  | [] => (group ++ later)%list
  | t :: p' =>
      match group with
      | g :: _ =>
          if Nat.eqb (length (fst g)) (length (fst t))
          then byDegree later (group ++ [t])%list p'
          else byDegree (group ++ later)%list [t] p'
      | [] => byDegree later [t] p'
      end
  end.
Definition ofPoly (p : poly) : string :=
  match byDegree [] [] p with
  | [] => "0"
  | (m, c) :: p' =>
      (if (c <? 0)%Z then "-" ++ ofTerm m (- c) else ofTerm m c) ++
      fold_right (fun t s =>
        (if (snd t <? 0)%Z then " - " ++ ofTerm (fst t) (- snd t)
         else " + " ++ ofTerm (fst t) (snd t)) ++ s) "" p'
  end.
Definition ofAtom (a : atom) : string :=
  ofPoly (Cert.body a) ++ (if equality a then " = 0" else " >= 0").
Definition ofFact (f : fact) : string :=
  match f with
  | [[a]] => ofAtom a
  | [] => "any of nothing"
  | _ => "any of " ++
         joined " | " (map (fun b => "(" ++ joined ", " (map ofAtom b) ++ ")")
           f)
  end.

Definition ofKind (k : Definitions.kind) : string :=
  match k with
  | Quotient => "quotient"
  | Definitions.Select => "select"
  | Wrap => "wrap"
  | Name => "name"
  end.
Definition ofDefinition (d : definition) : string :=
  "define " ++ ofKind (Definitions.kind_ d) ++ " (" ++
  joined ", " (map ofPoly (Definitions.arguments d)) ++ ") ->" ++
  fold_right (fun v s => " " ++ ofVar v ++ s) "" (results d) ++ newline.

Definition ofSource (s : source) : string :=
  match s with
  | Contract => "contract"
  | Path => "path"
  | Loop => "loop"
  | InGrid => "launch"
  | Region => "region"
  | Distinct => "distinct"
  | Value _ => "value"
  | OfGiven => "given"
  end.
Definition ofOrigin (h : hypothesis) (s : option source) : string :=
  match origin_ h, s with
  | FromDefinition i part, _ => "definition " ++ ofN i ++ " part " ++ ofN part
  | FromProved i [], _ => "proved " ++ ofN i
  | FromProved i r, _ =>
      "proved " ++ ofN i ++ " {" ++
      joined ", " (map (fun p => ofVar (fst p) ++ " -> " ++ ofVar (snd p)) r) ++
      "}"
  | _, Some s => ofSource s
  | _, None => ""
  end.

Definition ofListed (l : listed) : string :=
  "obligation " ++ ruleName (rule_ l) ++ newline ++
  fold_right (fun d s => ofDefinition d ++ s) "" (definitions (obligation_ l))
    ++
  fold_right (fun h s => "given " ++ ofOrigin (fst h) (snd h) ++ ": " ++
                         ofFact (says (fst h)) ++ newline ++ s) ""
    (combine (hypotheses (obligation_ l)) (sources l)) ++
  "goal " ++ ofPoly (goal (obligation_ l)) ++ newline ++ "end" ++ newline.

Definition text (w : Z) (k : kernel) : string :=
  match generate w k with
  | Some ls => fold_right (fun l s => ofListed l ++ s) "" ls
  | None => "not well typed" ++ newline
  end.
