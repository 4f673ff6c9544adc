(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   What the semantics takes as an argument: ops on floats and between lanes, as
   spec/tile.md has them. Sums of floats are added in double and rounded once,
   one of the orders and roundings that the language admits. *)

module S = Semantics
open Floats

(* An operand: its shape, its element type and its lanes as bits. *)
type value = { shape : int array; element : S.element; bits : int64 array }

let shape_of (t : S.type0) =
  Array.of_list (List.map Numbers.to_int t.S.shape)

let value_of ((t : S.type0), lanes) =
  { shape = shape_of t;
    element = t.S.lanes;
    bits = Array.of_list (List.map Numbers.to_bits lanes) }

let format_of = function
  | S.Float (e, m) ->
      { exponent = Numbers.to_int e; mantissa = Numbers.to_int m }
  | _ -> failwith "an op on floats has integers"

let is_float = function S.Float _ -> true | _ -> false
let floats v = Array.map (of_bits (format_of v.element)) v.bits

(* Lane by lane. *)

let unary = function
  | "arith.negf" -> fun x -> -.x
  | "math.absf" -> abs_float
  | "math.sqrt" -> sqrt
  | "math.rsqrt" -> fun x -> 1. /. sqrt x
  | "math.exp" -> exp
  | "math.exp2" -> Float.exp2
  | "math.log" -> log
  | "math.log2" -> Float.log2
  | "math.tanh" -> tanh
  | "arith.extf" | "arith.truncf" -> fun x -> x
  | name -> failwith ("unknown op " ^ name)

let binary = function
  | "arith.addf" -> ( +. )
  | "arith.subf" -> ( -. )
  | "arith.mulf" -> ( *. )
  | "arith.divf" -> ( /. )
  | "arith.maximumf" -> maximum
  | "arith.minimumf" -> minimum
  | "arith.maxnumf" -> maxnum
  | "arith.minnumf" -> minnum
  | name -> failwith ("unknown op " ^ name)

(* Between lanes: coordinates of the result, in order, to a lane of what is
   read. *)

let volume = Array.fold_left ( * ) 1

let coordinates shape lane =
  let at = Array.make (Array.length shape) 0 in
  let rest = ref lane in
  for axis = Array.length shape - 1 downto 0 do
    at.(axis) <- !rest mod shape.(axis);
    rest := !rest / shape.(axis)
  done;
  at

let lane_at shape at =
  let lane = ref 0 in
  Array.iteri (fun axis x -> lane := (!lane * shape.(axis)) + x) at;
  !lane

let broadcast shape v =
  let missing = Array.length shape - Array.length v.shape in
  Array.init (volume shape) (fun lane ->
      let at = coordinates shape lane in
      let from =
        Array.mapi
          (fun axis extent -> if extent = 1 then 0 else at.(axis + missing))
          v.shape
      in
      v.bits.(lane_at v.shape from))

let transpose shape permutation v =
  Array.init (volume shape) (fun lane ->
      let at = coordinates shape lane in
      let from = Array.make (Array.length at) 0 in
      List.iteri (fun axis source -> from.(source) <- at.(axis)) permutation;
      v.bits.(lane_at v.shape from))

(* Combines lanes along an axis; `fold` has the lanes of one line. *)
let along axis v lanes fold =
  let part low high = volume (Array.sub v.shape low (high - low)) in
  let outer = part 0 axis and length = v.shape.(axis) in
  let inner = part (axis + 1) (Array.length v.shape) in
  Array.init (outer * inner) (fun k ->
      let first = (k / inner * length * inner) + (k mod inner) in
      fold (Array.init length (fun i -> lanes.(first + (i * inner)))))

let fold_first f line =
  Array.fold_left f line.(0) (Array.sub line 1 (Array.length line - 1))

let reduce kind axis v =
  if is_float v.element then
    let f = format_of v.element in
    let combine = [| ( +. ); ( *. ); maximum; minimum |].(kind) in
    along axis v (floats v) (fun line -> to_bits f (fold_first combine line))
  else
    let combine = [| Int64.add; Int64.mul; max; min |].(kind) in
    along axis v v.bits (fold_first combine)

let mma a b acc =
  let rows = a.shape.(0) and depth = a.shape.(1) and columns = b.shape.(1) in
  let each sum =
    Array.init (rows * columns) (fun lane ->
        sum lane (lane / columns) (lane mod columns))
  in
  if is_float acc.element then
    let x = floats a and y = floats b and z = floats acc in
    each (fun lane i j ->
        let sum = ref z.(lane) in
        for k = 0 to depth - 1 do
          sum := !sum +. (x.((i * depth) + k) *. y.((k * columns) + j))
        done;
        to_bits (format_of acc.element) !sum)
  else
    each (fun lane i j ->
        let sum = ref acc.bits.(lane) in
        for k = 0 to depth - 1 do
          let product =
            Int64.mul a.bits.((i * depth) + k) b.bits.((k * columns) + j)
          in
          sum := Int64.add !sum product
        done;
        !sum)

let compute name attributes (t : S.type0) operands =
  let shape = shape_of t in
  match (name, attributes, operands) with
  | "vector.broadcast", _, [ v ] -> broadcast shape v
  | "vector.shape_cast", _, [ v ] -> v.bits
  | "vector.transpose", permutation, [ v ] -> transpose shape permutation v
  | "tile.reduce", [ kind; axis ], [ v ] -> reduce kind axis v
  | "tile.mma", _, [ a; b; acc ] -> mma a b acc
  | "arith.sitofp", _, [ v ] ->
      let f = format_of t.S.lanes in
      Array.map (fun n -> to_bits f (of_integer f n)) v.bits
  | "arith.cmpf", [ predicate ], [ a; b ] ->
      Array.map2
        (fun x y -> if compares predicate x y then 1L else 0L)
        (floats a) (floats b)
  | "math.fma", _, [ a; b; c ] ->
      let f = format_of t.S.lanes in
      let x = floats a and y = floats b and z = floats c in
      Array.mapi (fun k z -> to_bits f (fma f x.(k) y.(k) z)) z
  | _, _, [ v ] ->
      let f = format_of t.S.lanes in
      Array.map (fun x -> to_bits f (unary name x)) (floats v)
  | _, _, [ a; b ] ->
      let f = format_of t.S.lanes in
      Array.map2 (fun x y -> to_bits f (binary name x y)) (floats a) (floats b)
  | _ -> failwith ("unknown op " ^ name)

(* Bits of floats are not negative, integers are signed. *)
let opaque name attributes (t : S.type0) operands =
  let lanes =
    compute name (List.map Numbers.to_int attributes) t
      (List.map value_of operands)
  in
  let number =
    if is_float t.S.lanes then Numbers.of_unsigned else Numbers.of_signed
  in
  List.map number (Array.to_list lanes)
