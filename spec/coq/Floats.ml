(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Numbers of the float formats, held as double: their bits and one rounding to
   nearest, ties to even. A sum, product, quotient or root of two numbers of a
   smaller format, computed in double and rounded again, is rounded right: 53
   bits are more than twice 24, and two. *)

type format = { exponent : int; mantissa : int }

let f64 = { exponent = 11; mantissa = 52 }
let is_double f = f = f64

(* The exponents of the last place of the smallest numbers, and that of the
   largest power of two. *)
let largest_exponent f = (1 lsl (f.exponent - 1)) - 1
let lowest_place f = 1 - largest_exponent f - f.mantissa

(* E4M3FN: its largest significand of the largest exponent is NaN, and it has
   no infinity. E2M1FN has no NaN either. E8M0FNU has nothing but an exponent,
   of which the largest is NaN. *)
let is_finite_only f = f.exponent = 4
let is_numbers_only f = f.exponent = 2
let is_power f = f.mantissa = 0
let has_infinity f = not (is_finite_only f || is_numbers_only f)
let all_ones f = (1 lsl (f.exponent + f.mantissa)) - 1
let width f = f.exponent + f.mantissa + if is_power f then 0 else 1

let largest f =
  if is_finite_only f then 448.
  else if is_numbers_only f then 6.
  else
    ldexp (2. -. ldexp 1. (-f.mantissa)) (largest_exponent f)

let infinity_bits f = ((1 lsl f.exponent) - 1) lsl f.mantissa
let sign_bit f = 1 lsl (f.exponent + f.mantissa)

let of_bits f bits =
  if is_double f then Int64.float_of_bits bits
  else if is_power f then
    let field = Int64.to_int bits in
    if field = all_ones f then nan else ldexp 1. (field - 127)
  else
    let bits = Int64.to_int bits in
    let low = bits land ((1 lsl f.mantissa) - 1) in
    let field = (bits lsr f.mantissa) land ((1 lsl f.exponent) - 1) in
    let size =
      if is_finite_only f && bits land all_ones f = all_ones f then nan
      else if field = (1 lsl f.exponent) - 1 && has_infinity f then
        if low = 0 then infinity else nan
      else if field = 0 then ldexp (float_of_int low) (lowest_place f)
      else
        ldexp
          (float_of_int (low + (1 lsl f.mantissa)))
          (lowest_place f + field - 1)
    in
    if bits land sign_bit f <> 0 then -.size else size

(* A whole number, ties to even; of numbers below 2^52. *)
let to_whole x =
  let low = floor x in
  let rest = x -. low and whole = int_of_float low in
  if rest > 0.5 || (rest = 0.5 && whole land 1 = 1) then whole + 1 else whole

(* The exponent field of the power of two next to a magnitude, towards zero or
   up; of the smallest or largest one where there is none. *)
let power_field up x =
  if Float.is_nan x then 255
  else
    let size = min 0x1p127 (max 0x1p-127 (abs_float x)) in
    let part, power = frexp size in
    power + 126 + if up && part > 0.5 then 1 else 0

let to_bits f x =
  if is_double f then Int64.bits_of_float x
  else if is_power f then Int64.of_int (power_field false x)
  else
    let is_negative =
      Float.sign_bit x && not (is_numbers_only f && Float.is_nan x)
    in
    let sign = if is_negative then sign_bit f else 0 in
    let size =
      match classify_float x with
      | FP_nan | FP_infinite when not (has_infinity f) -> all_ones f
      | FP_nan -> infinity_bits f + (1 lsl (f.mantissa - 1))
      | FP_infinite -> infinity_bits f
      | FP_zero -> 0
      | FP_normal | FP_subnormal ->
          let _, power = frexp x in
          (* The last place that the format keeps of x. Carries go on into the
             field of the exponent, up to infinity. *)
          let place = max (lowest_place f) (power - f.mantissa - 1) in
          let whole = to_whole (ldexp (abs_float x) (-place)) in
          min
            (if has_infinity f then infinity_bits f else all_ones f)
            (((place - lowest_place f) lsl f.mantissa) + whole)
    in
    Int64.of_int (sign lor size)

(* x * y + z, rounded to odd below the last place of any smaller format. *)
let fma f x y z =
  if is_double f then Float.fma x y z
  else
    let product = x *. y in
    let sum = product +. z in
    if Float.is_finite sum then
      let part = sum -. product in
      let error = product -. (sum -. part) +. (z -. part) in
      let is_even = Int64.logand (Int64.bits_of_float sum) 1L = 0L in
      if error > 0. && is_even then Float.succ sum
      else if error < 0. && is_even then Float.pred sum
      else sum
    else sum

(* A signed integer, rounded once. *)
let of_integer f n =
  if is_double f || Int64.abs n < 0x20000000000000L then Int64.to_float n
  else
    let cut = Int64.logand n (Int64.lognot 0x7ffL) in
    let sticky = if cut = n then 0L else 0x800L in
    Int64.to_float (Int64.logor cut sticky)

let of_unsigned_integer f n =
  if n >= 0L then of_integer f n
  else
    (* Half of it, with what falls off kept sticky. *)
    let half =
      Int64.logor (Int64.shift_right_logical n 1) (Int64.logand n 1L)
    in
    if is_double f then 2. *. Int64.to_float half else 2. *. of_integer f half

(* To the nearest whole number, ties to even, keeping the sign of zero. *)
let whole_even x =
  if Float.is_integer x || not (Float.is_finite x) then x
  else
    let low = floor x in
    let rest = x -. low in
    let is_odd = Float.rem low 2. <> 0. in
    let whole = if rest > 0.5 || (rest = 0.5 && is_odd) then low +. 1. else low in
    Float.copy_sign whole x

(* Where IEEE 754 has 1, OCaml may have NaN. *)
let power x y = if x = 1. || y = 0. then 1. else x ** y
let is_nan = Float.is_nan

(* NaN wins; -0 is below +0. *)
let maximum x y =
  if is_nan x || is_nan y then nan
  else if x > y || (x = y && not (Float.sign_bit x)) then x
  else y

let minimum x y = -.maximum (-.x) (-.y)

(* A number wins. *)
let maxnum x y = if is_nan x then y else if is_nan y then x else maximum x y
let minnum x y = if is_nan x then y else if is_nan y then x else minimum x y

(* The 16 predicates of arith.cmpf, by number: which of less, equal, greater
   and unordered they admit. *)
let compares predicate x y =
  let admits =
    [| ""; "="; ">"; ">="; "<"; "<="; "<>"; "<=>"; "=?"; ">?"; ">=?"; "<?";
       "<=?"; "<>?"; "?"; "<=>?" |]
  in
  let found =
    if is_nan x || is_nan y then '?'
    else if x < y then '<'
    else if x > y then '>'
    else '='
  in
  String.contains admits.(predicate) found
