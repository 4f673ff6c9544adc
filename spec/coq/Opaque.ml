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
  | "math.sin" -> sin
  | "math.cos" -> cos
  | "math.tan" -> tan
  | "math.sinh" -> sinh
  | "math.cosh" -> cosh
  | "math.erf" -> Float.erf
  | "math.expm1" -> expm1
  | "math.log1p" -> log1p
  | "math.floor" -> floor
  | "math.ceil" -> ceil
  | "math.trunc" -> Float.trunc
  | "math.round" -> Float.round
  | "math.roundeven" -> whole_even
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
  | "math.powf" -> power
  | "math.atan2" -> Float.atan2
  | "arith.remf" -> Float.rem
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

let extract shape position v =
  let first = Array.map2 ( * ) (Array.of_list position) shape in
  Array.init (volume shape) (fun lane ->
      let at = coordinates shape lane in
      v.bits.(lane_at v.shape (Array.map2 ( + ) first at)))

let cat shape axis a b =
  Array.init (volume shape) (fun lane ->
      let at = coordinates shape lane in
      let beyond = at.(axis) - a.shape.(axis) in
      if beyond < 0 then a.bits.(lane_at a.shape at)
      else (
        at.(axis) <- beyond;
        b.bits.(lane_at b.shape at)))

(* Combines lanes along an axis; `fold` has the lanes of one line. *)
let along axis v lanes fold =
  let part low high = volume (Array.sub v.shape low (high - low)) in
  let outer = part 0 axis and length = v.shape.(axis) in
  let inner = part (axis + 1) (Array.length v.shape) in
  Array.init (outer * inner) (fun k ->
      let first = (k / inner * length * inner) + (k mod inner) in
      fold (Array.init length (fun i -> lanes.(first + (i * inner)))))

(* Likewise, with a lane of the result for each lane. *)
let each_along axis v lanes fold =
  let out = Array.make (Array.length lanes) 0L in
  let inner =
    volume (Array.sub v.shape (axis + 1) (Array.length v.shape - axis - 1))
  in
  let length = v.shape.(axis) in
  Array.iteri
    (fun lane _ ->
      let at = lane / inner mod length in
      if at = 0 then
        Array.iteri
          (fun i x -> out.(lane + (i * inner)) <- x)
          (fold (Array.init length (fun i -> lanes.(lane + (i * inner))))))
    lanes;
  out

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

let reversed line =
  let last = Array.length line - 1 in
  Array.init (last + 1) (fun i -> line.(last - i))

let running combine line =
  let out = Array.copy line in
  for i = 1 to Array.length out - 1 do
    out.(i) <- combine out.(i - 1) out.(i)
  done;
  out

let scan kind axis backwards v =
  let turned f line =
    if backwards then reversed (f (reversed line)) else f line
  in
  if is_float v.element then
    let f = format_of v.element in
    let combine = [| ( +. ); ( *. ); maximum; minimum |].(kind) in
    each_along axis v (floats v)
      (turned (fun line -> Array.map (to_bits f) (running combine line)))
  else
    let combine = [| Int64.add; Int64.mul; max; min |].(kind) in
    each_along axis v v.bits (turned (running combine))

(* The first lane that no other one exceeds. *)
let first_best exceeds line =
  let best = ref 0 in
  Array.iteri (fun i x -> if exceeds x line.(!best) then best := i) line;
  Int64.of_int !best

let argument largest axis v =
  if is_float v.element then
    let exceeds (x : float) y =
      if is_nan x then not (is_nan y) else if largest then x > y else x < y
    in
    along axis v (floats v) (first_best exceeds)
  else
    let exceeds (x : int64) y = if largest then x > y else x < y in
    along axis v v.bits (first_best exceeds)

(* So many low bits, read without sign. *)
let low_bits bits n =
  Int64.shift_right_logical (Int64.shift_left n (64 - bits)) (64 - bits)

(* The high half of the product, read without sign. Of 64 bits by halves: what
   carries out of the low ones is below 2^64. *)
let high_half bits x y =
  let x = low_bits bits x and y = low_bits bits y in
  let open Int64 in
  if bits < 64 then shift_right_logical (mul x y) bits
  else
    let high n = shift_right_logical n 32 and low n = logand n 0xffffffffL in
    let first = mul (low x) (low y) in
    let second = add (mul (high x) (low y)) (high first) in
    let third = add (mul (low x) (high y)) (low second) in
    add (mul (high x) (high y)) (add (high second) (high third))

(* The whole part, the nearest integer where that is too large or too small. *)
let saturated bits is_unsigned x =
  let limit = ldexp 1. (if is_unsigned then bits else bits - 1) in
  if is_nan x then 0L
  else if x >= limit then
    if is_unsigned then Int64.minus_one
    else Int64.sub (Int64.shift_left 1L (bits - 1)) 1L
  else if is_unsigned && x <= 0. then 0L
  else if x <= -.limit then Int64.neg (Int64.shift_left 1L (bits - 1))
  else if x >= 0x1p63 then
    Int64.add (Int64.of_float (x -. 0x1p63)) Int64.min_int
  else Int64.of_float x

let width_of = function
  | S.Int bits -> Numbers.to_int bits
  | _ -> failwith "an op on integers has others"

let shift name v amount =
  let bits = width_of v.element in
  let by k = Int64.to_int amount.bits.(k) in
  Array.mapi
    (fun k n ->
      match name with
      | "arith.shli" -> Int64.shift_left n (by k)
      | "arith.shrsi" -> Int64.shift_right n (by k)
      | _ -> Int64.shift_right_logical (low_bits bits n) (by k))
    v.bits

(* NaN is the quiet one without sign, on either side. *)
let bitcast (t : S.type0) v =
  let plain element bits =
    if not (is_float element) then bits
    else
      let f = format_of element in
      if is_nan (of_bits f bits) then to_bits f (Float.copy_sign nan 1.)
      else bits
  in
  let width = function
    | S.Float _ as element -> Floats.width (format_of element)
    | element -> width_of element
  in
  Array.map
    (fun bits ->
      let bits = plain v.element bits in
      let element = t.S.lanes in
      if is_float element then plain element (low_bits (width element) bits)
      else bits)
    v.bits

(* The sums of a matrix product, added to the lanes of z. *)
let sums rows depth columns x y z =
  Array.init (rows * columns) (fun lane ->
      let i = lane / columns and j = lane mod columns in
      let sum = ref z.(lane) in
      for k = 0 to depth - 1 do
        sum := !sum +. (x.((i * depth) + k) *. y.((k * columns) + j))
      done;
      !sum)

(* Each scale belongs to as many neighbours along k. *)
let mma_scaled a b acc scales_a scales_b =
  let rows = a.shape.(0) and depth = a.shape.(1) and columns = b.shape.(1) in
  let block = depth / scales_a.shape.(1) in
  let scaled v scales place =
    let size = Array.map abs_float (floats scales) in
    Array.mapi (fun lane x -> x *. size.(place lane)) (floats v)
  in
  let x = scaled a scales_a (fun lane -> lane / block)
  and y =
    scaled b scales_b (fun lane ->
        (lane / columns / block * columns) + (lane mod columns))
  in
  Array.map
    (to_bits (format_of acc.element))
    (sums rows depth columns x y (floats acc))

let mma a b acc =
  let rows = a.shape.(0) and depth = a.shape.(1) and columns = b.shape.(1) in
  if is_float acc.element then
    Array.map
      (to_bits (format_of acc.element))
      (sums rows depth columns (floats a) (floats b) (floats acc))
  else
    Array.init (rows * columns) (fun lane ->
        let i = lane / columns and j = lane mod columns in
        let sum = ref acc.bits.(lane) in
        for k = 0 to depth - 1 do
          let product =
            Int64.mul a.bits.((i * depth) + k) b.bits.((k * columns) + j)
          in
          sum := Int64.add !sum product
        done;
        !sum)

(* The one number of an attribute that an op must have. *)
let the name attributes =
  match List.assoc_opt name attributes with
  | Some [ n ] -> n
  | _ -> failwith ("an op lacks " ^ name)

let compute name attributes (t : S.type0) operands =
  let shape = shape_of t in
  match (name, operands) with
  | "vector.broadcast", [ v ] -> broadcast shape v
  | "vector.shape_cast", [ v ] -> v.bits
  | "vector.transpose", [ v ] ->
      transpose shape (List.assoc "permutation" attributes) v
  | "tile.extract", [ v ] ->
      extract shape (List.assoc "position" attributes) v
  | "tile.cat", [ a; b ] -> cat shape (the "axis" attributes) a b
  | "tile.convert", [ v ] when List.mem_assoc "rounding" attributes ->
      let up = the "rounding" attributes = 1 in
      let field x = Int64.of_int (power_field up x) in
      Array.map field (floats v)
  | "tile.convert", [ v ] ->
      let f = format_of t.S.lanes in
      let clamp x =
        if is_nan x then x else Float.min (largest f) (Float.max (-.largest f) x)
      in
      Array.map (fun x -> to_bits f (clamp x)) (floats v)
  | "tile.reduce", [ v ] ->
      reduce (the "reduceKind" attributes) (the "axis" attributes) v
  | "tile.scan", [ v ] ->
      scan (the "reduceKind" attributes) (the "axis" attributes)
        (List.mem_assoc "reverse" attributes) v
  | "tile.argmax", [ v ] -> argument true (the "axis" attributes) v
  | "tile.argmin", [ v ] -> argument false (the "axis" attributes) v
  | "tile.mma", [ a; b; acc ] -> mma a b acc
  | "tile.mma_scaled", [ a; b; acc; scales_a; scales_b ] ->
      mma_scaled a b acc scales_a scales_b
  | ("arith.shli" | "arith.shrsi" | "arith.shrui"), [ v; amount ] ->
      shift name v amount
  | ("arith.maxui" | "arith.minui"), [ a; b ] ->
      Array.map2
        (fun x y ->
          let above = Int64.unsigned_compare x y > 0 in
          if above = (name = "arith.maxui") then x else y)
        a.bits b.bits
  | "tile.mulhi", [ a; b ] ->
      Array.map2 (high_half (width_of a.element)) a.bits b.bits
  | "math.absi", [ v ] -> Array.map Int64.abs v.bits
  | "arith.bitcast", [ v ] -> bitcast t v
  | ("arith.fptosi" | "arith.fptoui"), [ v ] ->
      let bits = width_of t.S.lanes in
      Array.map (saturated bits (name = "arith.fptoui")) (floats v)
  | "arith.uitofp", [ v ] ->
      let f = format_of t.S.lanes in
      let bits = width_of v.element in
      Array.map (fun n -> to_bits f (of_unsigned_integer f (low_bits bits n)))
        v.bits
  | "arith.sitofp", [ v ] ->
      let f = format_of t.S.lanes in
      Array.map (fun n -> to_bits f (of_integer f n)) v.bits
  | "arith.cmpf", [ a; b ] ->
      let predicate = the "predicate" attributes in
      Array.map2
        (fun x y -> if compares predicate x y then 1L else 0L)
        (floats a) (floats b)
  | "math.fma", [ a; b; c ] ->
      let f = format_of t.S.lanes in
      let x = floats a and y = floats b and z = floats c in
      Array.mapi (fun k z -> to_bits f (fma f x.(k) y.(k) z)) z
  | _, [ v ] ->
      let f = format_of t.S.lanes in
      Array.map (fun x -> to_bits f (unary name x)) (floats v)
  | _, [ a; b ] ->
      let f = format_of t.S.lanes in
      Array.map2 (fun x y -> to_bits f (binary name x y)) (floats a) (floats b)
  | _ -> failwith ("unknown op " ^ name)

(* Bits of floats are not negative, integers are signed. *)
let opaque _ name attributes (t : S.type0) operands =
  let field (name, numbers) = (name, List.map Numbers.to_int numbers) in
  let lanes =
    compute name (List.map field attributes) t (List.map value_of operands)
  in
  let number =
    if is_float t.S.lanes then Numbers.of_unsigned else Numbers.of_signed
  in
  List.map number (Array.to_list lanes)

(* What an atomic tensor of floats holds after another lane. *)
let adds_floats element y x =
  let one = { S.shape = []; lanes = element } in
  List.hd (opaque S.XH "arith.addf" [] one [ (one, [ y ]); (one, [ x ]) ])
