(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   A kernel as the text that KernelPrinter prints, to the letter: what was read
   is what was printed. *)

module S = Semantics

let list f l = "[" ^ String.concat "; " (List.map f l) ^ "]"
let quoted text = "\"" ^ text ^ "\""

let number n =
  match n with
  | S.Zneg _ -> "(" ^ Numbers.to_string n ^ ")"
  | _ -> Numbers.to_string n

let nat n = string_of_int (Numbers.int_of_nat n)
let var v = string_of_int (Numbers.int_of_positive v)

let vars = function [] -> "[]" | vs -> list var vs ^ "%positive"

let named table x = fst (List.find (fun (_, y) -> y = x) table)

let element = function
  | S.Index -> "Index"
  | S.Int n -> "(Int " ^ Numbers.to_string n ^ ")"
  | S.Float (e, m) -> (
      let format = (Numbers.to_int e, Numbers.to_int m) in
      match List.find_opt (fun (_, f) -> f = format) TermReader.float_types with
      | Some (name, _) -> name
      | None -> "(Float " ^ number e ^ " " ^ number m ^ ")")

let type_ t = "(Type_ " ^ list number t.S.shape ^ " " ^ element t.S.lanes ^ ")"

let dim = function
  | S.Fixed n -> "Fixed " ^ number n
  | S.Named name -> "Named " ^ quoted name

let mode = function
  | S.Shared -> "Shared"
  | S.Own -> "Own"
  | S.Out partial -> "(Out " ^ string_of_bool partial ^ ")"
  | S.AtomicBy f -> "(AtomicBy " ^ named TermReader.binaries f ^ ")"

let argument = function
  | S.FloatArg e -> "FloatArg " ^ element e
  | S.TensorArg t ->
      let strides =
        match t.S.strides with
        | None -> "None"
        | Some s -> "(Some " ^ list dim s ^ ")"
      in
      Printf.sprintf "TensorArg (Tensor %s %s %s %s %s)" (mode t.S.mode_)
        (element t.S.elements) (list dim t.S.dims) strides (number t.S.align)

let rec expr = function
  | S.Const n -> "(Const " ^ number n ^ ")"
  | S.Sym name -> "(Sym " ^ quoted name ^ ")"
  | S.Expr (f, a, b) ->
      Printf.sprintf "(Expr %s %s %s)"
        (named TermReader.binaries f)
        (expr a) (expr b)

let condition c =
  Printf.sprintf "Condition %s %s %s"
    (named TermReader.comparisons c.S.relation)
    (expr c.S.lhs) (expr c.S.rhs)

let content = function
  | S.Within (low, high) -> "(Within " ^ expr low ^ " " ^ expr high ^ ")"
  | S.Sorted -> "Sorted"
  | S.Splits last -> "(Splits " ^ expr last ^ ")"
  | S.AllDistinct -> "AllDistinct"

let given g =
  Printf.sprintf "OfContents %s%%nat %s" (nat g.S.about) (content g.S.promise)

let cover c =
  Printf.sprintf "Cover %s%%nat %s %s %s" (nat c.S.covered)
    (list quoted c.S.indexNames)
    (list expr c.S.byBlock) (list expr c.S.byTrips)

let base = function
  | S.Argument tensor -> "(Argument " ^ nat tensor ^ "%nat)"
  | S.Seen v -> "(Seen " ^ var v ^ ")"

let amount = function
  | S.Exactly n -> "Exactly " ^ number n
  | S.OfSymbol name -> "OfSymbol " ^ quoted name
  | S.OfValue v -> "OfValue " ^ var v

let view_step = function
  | S.Slice (offsets, sizes) ->
      "Slice " ^ list amount offsets ^ " " ^ list amount sizes
  | S.Permute axes -> "Permute " ^ list nat axes ^ "%nat"
  | S.Unfold (axis, factors) ->
      "Unfold " ^ nat axis ^ "%nat " ^ list amount factors
  | S.FixAt (axis, at) -> "FixAt " ^ nat axis ^ "%nat (" ^ amount at ^ ")"

let partition p =
  let tile = function None -> "None" | Some n -> "Some " ^ number n in
  "(Partition " ^ base p.S.of0 ^ " " ^ list tile p.S.tile ^ ")"

let op = function
  | S.Constant n -> "Constant " ^ number n
  | S.Dense l -> "Dense " ^ list number l
  | S.Symbol name -> "Symbol " ^ quoted name
  | S.BlockId axis -> "BlockId " ^ nat axis
  | S.GridDim axis -> "GridDim " ^ nat axis
  | S.NumTiles (p, axis) -> "NumTiles " ^ partition p ^ " " ^ nat axis
  | S.Binary (f, a, b) ->
      Printf.sprintf "Binary %s %s %s"
        (named TermReader.binaries f)
        (var a) (var b)
  | S.Compare (c, a, b) ->
      Printf.sprintf "Compare %s %s %s"
        (named TermReader.comparisons c)
        (var a) (var b)
  | S.Select (c, a, b) ->
      Printf.sprintf "Select %s %s %s" (var c) (var a) (var b)
  | S.Cast (unsigned, from, a) ->
      Printf.sprintf "Cast %b %s %s" unsigned (element from) (var a)
  | S.Alias a -> "Alias " ^ var a
  | S.Iota axis -> "Iota " ^ nat axis
  | S.Move (f, from, a) ->
      let f =
        match f with
        | S.Broadcast -> "Broadcast"
        | S.Transpose axes -> "(Transpose " ^ list nat axes ^ "%nat)"
        | S.Reshape -> "Reshape"
      in
      Printf.sprintf "Move %s %s %s" f (list number from) (var a)
  | S.Prove (r, c) ->
      Printf.sprintf "Prove %s %s" (named TermReader.rules r) (var c)
  | S.Opaque (place, name, attributes, operands) ->
      let attribute (name, ns) = "(" ^ quoted name ^ ", " ^ list number ns ^ ")"
      and operand (v, t) = "(" ^ var v ^ "%positive, " ^ type_ t ^ ")" in
      Printf.sprintf "Opaque %s %s %s %s" (var place) (quoted name)
        (list attribute attributes) (list operand operands)

let padding = function
  | None -> "None"
  | Some (S.PadWith n) -> "(Some (PadWith " ^ number n ^ "))"
  | Some p -> "(Some " ^ named TermReader.pads p ^ ")"

let mask_of = function
  | None -> "None"
  | Some m -> "(Some " ^ var m ^ "%positive)"

let rec statement indent = function
  | S.Let (r, t, o) ->
      Printf.sprintf "Let %s %s (%s)" (var r) (type_ t) (op o)
  | S.View (r, b, s) ->
      Printf.sprintf "View %s %s (%s)" (var r) (base b) (view_step s)
  | S.Claim (r, p, index) ->
      Printf.sprintf "Claim %s %s %s" (var r) (partition p) (vars index)
  | S.Load (r, source, pad) ->
      let source =
        match source with
        | S.Piece v -> "(Piece " ^ var v ^ ")"
        | S.Tile (p, index) -> "(Tile " ^ partition p ^ " " ^ vars index ^ ")"
      in
      Printf.sprintf "Load %s %s %s" (var r) source (padding pad)
  | S.Store (v, p) -> "Store " ^ var v ^ " " ^ var p
  | S.Combine (v, p, index) ->
      Printf.sprintf "Combine %s %s %s" (var v) (partition p) (vars index)
  | S.Gather (r, tensor, shape, index, mask, pad) ->
      Printf.sprintf "Gather %s %s%%nat %s %s %s %s" (var r) (nat tensor)
        (list number shape) (vars index) (mask_of mask) (padding pad)
  | S.Scatter (v, tensor, shape, index, mask) ->
      Printf.sprintf "Scatter %s %s%%nat %s %s %s" (var v) (nat tensor)
        (list number shape) (vars index) (mask_of mask)
  | S.CombineLanes (v, tensor, shape, index, mask) ->
      Printf.sprintf "CombineLanes %s %s%%nat %s %s %s" (var v) (nat tensor)
        (list number shape) (vars index) (mask_of mask)
  | S.For (rs, counts, lower, upper, step, counter, carried, initial, body) ->
      let deeper = indent ^ "    " in
      Printf.sprintf "For %s %s %s %s %s %s %s %s\n%s%s" (vars rs)
        (element counts) (var lower) (var upper) (var step) (var counter)
        (vars carried) (vars initial) deeper (region deeper body)
  | S.If (rs, c, yes, no) ->
      let deeper = indent ^ "    " in
      Printf.sprintf "If %s %s\n%s%s\n%s%s" (vars rs) (var c) deeper
        (region deeper yes) deeper (region deeper no)

and region indent = function
  | S.Yield vs -> "(Yield " ^ vars vs ^ ")"
  | r ->
      let rec split = function
        | S.Yield vs -> ([], vs)
        | S.Seq (s, rest) ->
            let l, vs = split rest in
            (statement indent s :: l, vs)
      in
      let statements, yields = split r in
      Printf.sprintf "(block\n%s  [%s]\n%s  %s)" indent
        (String.concat (";\n" ^ indent ^ "   ") statements)
        indent (vars yields)

let kernel k =
  let symbol (name, e) = "(" ^ quoted name ^ ", " ^ element e ^ ")" in
  String.concat "\n  "
    [ "Kernel " ^ quoted k.S.name;
      list argument k.S.arguments;
      list symbol k.S.symbols;
      list expr k.S.grid;
      list condition k.S.requires;
      list given k.S.givens;
      list cover k.S.covers;
      region "  " k.S.body ]
