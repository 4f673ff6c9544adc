(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Coq's integers to those of OCaml and back. What files and lanes hold fits 64
   bits, signed or unsigned. *)

module S = Semantics

let rec positive_of_bits bits =
  let rest = Int64.shift_right_logical bits 1 in
  if Int64.logand bits 1L = 0L then S.XO (positive_of_bits rest)
  else if rest = 0L then S.XH
  else S.XI (positive_of_bits rest)

let of_unsigned n = if n = 0L then S.Z0 else S.Zpos (positive_of_bits n)

let of_signed n =
  if n < 0L then S.Zneg (positive_of_bits (Int64.neg n)) else of_unsigned n

let of_int n = of_signed (Int64.of_int n)

let rec bits_of_positive = function
  | S.XH -> 1L
  | S.XO p -> Int64.shift_left (bits_of_positive p) 1
  | S.XI p -> Int64.succ (Int64.shift_left (bits_of_positive p) 1)

(* Modulo 2^64. *)
let to_bits = function
  | S.Z0 -> 0L
  | S.Zpos p -> bits_of_positive p
  | S.Zneg p -> Int64.neg (bits_of_positive p)

let to_int n = Int64.to_int (to_bits n)
let int_of_positive p = Int64.to_int (bits_of_positive p)

let rec nat_of_int n = if n = 0 then S.O else S.S (nat_of_int (n - 1))
let rec int_of_nat = function S.O -> 0 | S.S n -> 1 + int_of_nat n

(* Decimal; fails beyond 64 bits. *)
let of_string text =
  if text.[0] = '-' then of_signed (Int64.of_string text)
  else of_unsigned (Int64.of_string ("0u" ^ text))

let to_string n =
  match n with
  | S.Zneg _ -> Printf.sprintf "%Ld" (to_bits n)
  | _ -> Printf.sprintf "%Lu" (to_bits n)
