(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The theorems that others may cite; a test reads that each is closed. *)

From Girih Require Import Cert Definitions WellFounded.

Print Assumptions refutes_sound.
Print Assumptions obligation_sound.
Print Assumptions definition_exists.
Print Assumptions definition_determines.
Print Assumptions instance_sound.
Print Assumptions wellFounded_sound.
Print Assumptions judge_sound.
