(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The semantics and the generator of obligations as a program: what
   spec/coq/CoqExec runs beside the reference executor and the checker.
   Booleans, lists, options, pairs and strings become those of OCaml; integers
   stay as Coq defines them, so that no arithmetic is believed. *)

From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlNativeString.
From Girih Require Import Execute Text.

Extraction Language OCaml.
Set Warnings "-extraction-reserved-identifier".
Extract Inlined Constant String.append => "(^)".
(* What a launch and the check of its end need, and the obligations of a
   kernel. *)
Extraction "Semantics.ml"
  admit_ execute start blockCount finishAll ruleName
  tensorOf isShared isOut allElements linear Text.text.
