(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Reads the text that KernelPrinter prints: tokens, terms without types, then
   a kernel. *)

module S = Semantics

exception Unreadable of string

let wrong what = raise (Unreadable what)

(* Scopes (`%positive`) say what the place says as well. *)
type token = Mark of char | Word of string | Text of string | Number of S.z

let tokens text =
  let size = String.length text in
  let rec past keep at = if at < size && keep text.[at] then past keep (at + 1)
    else at in
  let is_letter c =
    match c with 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '_' -> true
    | _ -> false in
  let is_digit c = c >= '0' && c <= '9' in
  let rec from at found =
    if at = size then List.rev found
    else
      let piece stop = String.sub text at (stop - at) in
      match text.[at] with
      | ' ' | '\n' -> from (at + 1) found
      | '%' -> from (past is_letter (at + 1)) found
      | '"' ->
          let stop = past (fun c -> c <> '"') (at + 1) in
          if stop = size then wrong "a text without end";
          from (stop + 1) (Text (String.sub text (at + 1) (stop - at - 1))
                           :: found)
      | '-' | '0' .. '9' ->
          let stop = past is_digit (at + 1) in
          from stop (Number (Numbers.of_string (piece stop)) :: found)
      | c when is_letter c ->
          let stop = past is_letter at in
          from stop (Word (piece stop) :: found)
      | c -> from (at + 1) (Mark c :: found)
  in
  from 0 []

type term =
  | App of string * term list
  | Num of S.z
  | Str of string
  | List of term list
  | Pair of term * term

let starts_atom = function
  | Mark ('(' | '[') | Word _ | Text _ | Number _ -> true
  | Mark _ -> false

let rec read_term tokens =
  match tokens with
  | Word w :: rest ->
      let rec operands rest found =
        match rest with
        | t :: _ when starts_atom t ->
            let x, rest = read_atom rest in
            operands rest (x :: found)
        | _ -> (App (w, List.rev found), rest)
      in
      operands rest []
  | _ -> read_atom tokens

and read_atom = function
  | Word w :: rest -> (App (w, []), rest)
  | Number n :: rest -> (Num n, rest)
  | Text t :: rest -> (Str t, rest)
  | Mark '[' :: Mark ']' :: rest -> (List [], rest)
  | Mark '[' :: rest ->
      let rec items rest found =
        match read_term rest with
        | x, Mark ';' :: rest -> items rest (x :: found)
        | x, Mark ']' :: rest -> (List (List.rev (x :: found)), rest)
        | _ -> wrong "a list without end"
      in
      items rest []
  | Mark '(' :: rest -> (
      match read_term rest with
      | x, Mark ')' :: rest -> (x, rest)
      | x, Mark ',' :: rest -> (
          match read_term rest with
          | y, Mark ')' :: rest -> (Pair (x, y), rest)
          | _ -> wrong "a pair without end")
      | _ -> wrong "a parenthesis without end")
  | _ -> wrong "a term is missing"

(* What a term must be. *)

let list f = function List l -> List.map f l | _ -> wrong "a list"
let number = function Num n -> n | _ -> wrong "a number"
let str = function Str t -> t | _ -> wrong "a text"
let nat t = Numbers.nat_of_int (Numbers.to_int (number t))

let option f = function
  | App ("None", []) -> None
  | App ("Some", [ x ]) -> Some (f x)
  | _ -> wrong "an option"

let boolean = function
  | App ("true", []) -> true
  | App ("false", []) -> false
  | _ -> wrong "a boolean"

let var t =
  match number t with S.Zpos p -> p | _ -> wrong "the number of a value"

let float_types =
  [ ("F16", (5, 10)); ("BF16", (8, 7)); ("F32", (8, 23)); ("F64", (11, 52)) ]

let element = function
  | App ("Index", []) -> S.Index
  | App ("Int", [ n ]) -> S.Int (number n)
  | App (name, []) when List.mem_assoc name float_types ->
      let exponent, mantissa = List.assoc name float_types in
      S.Float (Numbers.of_int exponent, Numbers.of_int mantissa)
  | App ("Float", [ exponent; mantissa ]) ->
      S.Float (number exponent, number mantissa)
  | _ -> wrong "an element type"

let type_ = function
  | App ("Type_", [ shape; lanes ]) ->
      { S.shape = list number shape; lanes = element lanes }
  | _ -> wrong "a type"

(* Constructors without operands, by name: the printer's table as well. *)
let binaries =
  S.[ ("Add", Add); ("Sub", Sub); ("Mul", Mul); ("Div", Div); ("Rem", Rem);
      ("CeilDiv", CeilDiv); ("Min", Min); ("Max", Max); ("And", And);
      ("Or", Or); ("Xor", Xor) ]

let comparisons =
  S.[ ("Eq", Eq0); ("Ne", Ne); ("Lt", Lt0); ("Le", Le); ("Gt", Gt0);
      ("Ge", Ge) ]

let rules =
  S.[ ("ProveHolds", ProveHolds); ("MapDomain", MapDomain);
      ("MapInto", MapInto); ("MapInverse", MapInverse);
      ("MapCount", MapCount); ("BytesWhole", BytesWhole) ]

let pads =
  S.[ ("Zero", Zero); ("NegZero", NegZero); ("NegInf", NegInf);
      ("PosInf", PosInf); ("NaN", NaN) ]

let one_of table = function
  | App (name, []) when List.mem_assoc name table -> List.assoc name table
  | _ -> wrong ("one of " ^ String.concat ", " (List.map fst table))

let padding = function
  | App ("PadWith", [ n ]) -> S.PadWith (number n)
  | word -> one_of pads word

let dim = function
  | App ("Fixed", [ n ]) -> S.Fixed (number n)
  | App ("Named", [ name ]) -> S.Named (str name)
  | _ -> wrong "an extent"

let mode = function
  | App ("Shared", []) -> S.Shared
  | App ("Own", []) -> S.Own
  | App ("Out", [ partial ]) -> S.Out (boolean partial)
  | App ("AtomicBy", [ f ]) -> S.AtomicBy (one_of binaries f)
  | _ -> wrong "a mode"

let argument = function
  | App ("TensorArg", [ App ("Tensor", [ m; e; dims; strides; align ]) ]) ->
      S.TensorArg
        { S.mode_ = mode m;
          elements = element e;
          dims = list dim dims;
          strides = option (list dim) strides;
          align = number align }
  | App ("FloatArg", [ e ]) -> S.FloatArg (element e)
  | _ -> wrong "an argument"

let rec expr = function
  | App ("Const", [ n ]) -> S.Const (number n)
  | App ("Sym", [ name ]) -> S.Sym (str name)
  | App ("Expr", [ f; a; b ]) -> S.Expr (one_of binaries f, expr a, expr b)
  | _ -> wrong "an expression"

let condition = function
  | App ("Condition", [ c; a; b ]) ->
      { S.relation = one_of comparisons c; lhs = expr a; rhs = expr b }
  | _ -> wrong "a condition"

let content = function
  | App ("Within", [ low; high ]) -> S.Within (expr low, expr high)
  | App ("Sorted", []) -> S.Sorted
  | App ("Splits", [ last ]) -> S.Splits (expr last)
  | App ("AllDistinct", []) -> S.AllDistinct
  | _ -> wrong "a fact about contents"

let given = function
  | App ("OfContents", [ tensor; c ]) ->
      { S.about = nat tensor; promise = content c }
  | _ -> wrong "a clause of given"

let cover = function
  | App ("Cover", [ tensor; names; blocks; trips ]) ->
      { S.covered = nat tensor;
        indexNames = list str names;
        byBlock = list expr blocks;
        byTrips = list expr trips }
  | _ -> wrong "a clause of covers"

let base = function
  | App ("Argument", [ tensor ]) -> S.Argument (nat tensor)
  | App ("Seen", [ v ]) -> S.Seen (var v)
  | _ -> wrong "a tensor"

let amount = function
  | App ("Exactly", [ n ]) -> S.Exactly (number n)
  | App ("OfSymbol", [ name ]) -> S.OfSymbol (str name)
  | App ("OfValue", [ v ]) -> S.OfValue (var v)
  | _ -> wrong "a number of a view"

let view_step = function
  | App ("Slice", [ offsets; sizes ]) ->
      S.Slice (list amount offsets, list amount sizes)
  | App ("Permute", [ axes ]) -> S.Permute (list nat axes)
  | App ("Unfold", [ axis; factors ]) ->
      S.Unfold (nat axis, list amount factors)
  | App ("FixAt", [ axis; at ]) -> S.FixAt (nat axis, amount at)
  | _ -> wrong "a step of a view"

let partition = function
  | App ("Partition", [ tensor; tile ]) ->
      { S.of0 = base tensor; tile = list (option number) tile }
  | _ -> wrong "a partition"

let operand = function
  | Pair (v, t) -> (var v, type_ t)
  | _ -> wrong "an operand"

let attribute = function
  | Pair (name, numbers) -> (str name, list number numbers)
  | _ -> wrong "an attribute"

let op = function
  | App ("Constant", [ n ]) -> S.Constant (number n)
  | App ("Dense", [ l ]) -> S.Dense (list number l)
  | App ("Symbol", [ name ]) -> S.Symbol (str name)
  | App ("BlockId", [ axis ]) -> S.BlockId (nat axis)
  | App ("GridDim", [ axis ]) -> S.GridDim (nat axis)
  | App ("NumTiles", [ p; axis ]) -> S.NumTiles (partition p, nat axis)
  | App ("Binary", [ f; a; b ]) -> S.Binary (one_of binaries f, var a, var b)
  | App ("Compare", [ c; a; b ]) ->
      S.Compare (one_of comparisons c, var a, var b)
  | App ("Select", [ c; a; b ]) -> S.Select (var c, var a, var b)
  | App ("Cast", [ u; from; a ]) -> S.Cast (boolean u, element from, var a)
  | App ("Alias", [ a ]) -> S.Alias (var a)
  | App ("Iota", [ axis ]) -> S.Iota (nat axis)
  | App ("Move", [ f; from; a ]) ->
      let f =
        match f with
        | App ("Broadcast", []) -> S.Broadcast
        | App ("Transpose", [ axes ]) -> S.Transpose (list nat axes)
        | App ("Reshape", []) -> S.Reshape
        | _ -> wrong "a move of lanes"
      in
      S.Move (f, list number from, var a)
  | App ("Prove", [ r; c ]) -> S.Prove (one_of rules r, var c)
  | App ("Opaque", [ place; name; attributes; operands ]) ->
      S.Opaque (var place, str name, list attribute attributes,
                list operand operands)
  | _ -> wrong "an op"

let source = function
  | App ("Tile", [ p; index ]) -> S.Tile (partition p, list var index)
  | App ("Piece", [ v ]) -> S.Piece (var v)
  | _ -> wrong "a source"

let rec statement = function
  | App ("Let", [ r; t; o ]) -> S.Let (var r, type_ t, op o)
  | App ("View", [ r; b; s ]) -> S.View (var r, base b, view_step s)
  | App ("Claim", [ r; p; index ]) ->
      S.Claim (var r, partition p, list var index)
  | App ("Load", [ r; s; pad ]) ->
      S.Load (var r, source s, option padding pad)
  | App ("Store", [ v; p ]) -> S.Store (var v, var p)
  | App ("Combine", [ v; p; index ]) ->
      S.Combine (var v, partition p, list var index)
  | App ("Gather", [ r; tensor; shape; index; mask; pad ]) ->
      S.Gather (var r, nat tensor, list number shape, list var index,
                option var mask, option padding pad)
  | App ("Scatter", [ v; tensor; shape; index; mask ]) ->
      S.Scatter (var v, nat tensor, list number shape, list var index,
                 option var mask)
  | App ("CombineLanes", [ v; tensor; shape; index; mask ]) ->
      S.CombineLanes (var v, nat tensor, list number shape, list var index,
                      option var mask)
  | App ("For", [ rs; counts; lower; upper; step; counter; carried; initial;
                  body ]) ->
      S.For (list var rs, element counts, var lower, var upper, var step,
             var counter, list var carried, list var initial, region body)
  | App ("If", [ rs; c; yes; no ]) ->
      S.If (list var rs, var c, region yes, region no)
  | _ -> wrong "a statement"

and region = function
  | App ("Yield", [ l ]) -> S.Yield (list var l)
  | App ("block", [ List statements; yields ]) ->
      List.fold_right
        (fun s rest -> S.Seq (statement s, rest))
        statements
        (S.Yield (list var yields))
  | _ -> wrong "a region"

let symbol = function
  | Pair (name, e) -> (str name, element e)
  | _ -> wrong "a symbol"

let kernel text =
  match read_term (tokens text) with
  | ( App
        ( "Kernel",
          [ name; arguments; symbols; grid; requires; givens; covers; body ] ),
      [] ) ->
      { S.name = str name;
        arguments = list argument arguments;
        symbols = list symbol symbols;
        grid = list expr grid;
        requires = list condition requires;
        givens = list given givens;
        covers = list cover covers;
        body = region body }
  | _ -> wrong "a kernel"
