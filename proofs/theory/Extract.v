(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The semantics as a program: what spec/coq/CoqExec runs beside the reference
   executor. Booleans, lists, options, pairs and strings become those of OCaml;
   integers stay as Coq defines them, so that no arithmetic is believed. *)

From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlNativeString.
From Girih Require Import Execute.

Extraction Language OCaml.
Set Warnings "-extraction-reserved-identifier".
(* A launch, and what is asked of how it ended. *)
Extraction "Semantics.ml"
  admit_ execute start blockCount finishAll ruleName
  tensorOf isShared isOut allElements linear.
