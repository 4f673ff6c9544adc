(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The semantics of proofs/theory as an executor, for tests: kernels and
   launches from standard input, what becomes of them to standard output.

     kernel                             the term, printed again, and `end`
     Kernel "add" ...
     end
     run 8 M=3 N=5                      `clean`, `refused`, `malformed`, or the
     scalar 2 1065353216                rule that block 4 breaks first,
     tensor 0 1 2 3                     `claim.disjoint 4`; then the tensors
     end                                that the kernel writes, and `end`

     obligations 8                      what that kernel owes, and `done`

   A launch is of the kernel before it; its first number is the width of
   `index`. Scalars and tensors go by number of argument; lanes are signed
   integers or the bits of floats, in row-major order, `_` where undefined. *)

module S = Semantics

exception Wrong of string

type case = {
  width : S.z;
  symbols : (string * S.z) list;
  scalars : (int, S.z) Hashtbl.t;
  tensors : (int, S.z array) Hashtbl.t;
}

let words line = List.filter (( <> ) "") (String.split_on_char ' ' line)

let rec until_end () =
  match read_line () with "end" -> [] | line -> line :: until_end ()

let read_case rest =
  let symbol word =
    match String.split_on_char '=' word with
    | [ name; value ] -> (name, Numbers.of_string value)
    | _ -> raise (Wrong ("no symbol: " ^ word))
  in
  match rest with
  | [] -> raise (Wrong "a run without the width of index")
  | width :: symbols ->
      let case =
        { width = Numbers.of_string width;
          symbols = List.map symbol symbols;
          scalars = Hashtbl.create 4;
          tensors = Hashtbl.create 4 }
      in
      let add line =
        match words line with
        | [ "scalar"; number; bits ] ->
            Hashtbl.replace case.scalars (int_of_string number)
              (Numbers.of_string bits)
        | "tensor" :: number :: lanes ->
            Hashtbl.replace case.tensors (int_of_string number)
              (Array.of_list (List.map Numbers.of_string lanes))
        | _ -> raise (Wrong ("neither scalar nor tensor: " ^ line))
      in
      List.iter add (until_end ());
      case

(* The block that breaks a rule first, where one does: block after block. *)
let culprit machine kernel launch given =
  let rec from number state = function
    | [] -> ""
    | block :: rest -> (
        match S.finishAll [ block ] state with
        | S.Ok state -> from (number + 1) state rest
        | _ -> " " ^ string_of_int number)
  in
  let blocks = S.seq S.O (S.blockCount launch) in
  from 0 (S.start machine kernel launch given) blocks

(* Written tensors whose contents are known. *)
let print_tensor kernel case launch (state : S.state) number =
  let t = Numbers.nat_of_int number in
  let known = S.isOut kernel t || Hashtbl.mem case.tensors number in
  match (S.tensorOf kernel t, launch.S.extentsOf t) with
  | Some tensor, Some extents when known && not (S.isShared tensor) ->
      let lane at =
        match state.S.memory t at with
        | Some x -> Numbers.to_string x
        | None -> "_"
      in
      let lanes = List.map lane (S.allElements extents) in
      print_endline
        (String.concat " " ("tensor" :: string_of_int number :: lanes))
  | _ -> ()

let run_launch kernel case machine launch =
  let given t at =
    let number = Numbers.int_of_nat t in
    match (Hashtbl.find_opt case.tensors number, launch.S.extentsOf t) with
    | Some lanes, Some extents ->
        lanes.(Numbers.to_int (S.linear extents at))
    | _ -> raise (Wrong (Printf.sprintf "tensor %d is not given" number))
  in
  match S.execute machine kernel launch given with
  | S.Stuck rule ->
      print_endline
        (S.ruleName rule ^ culprit machine kernel launch given)
  | S.Refused -> print_endline "refused"
  | S.Malformed -> print_endline "malformed"
  | S.Ok state ->
      print_endline "clean";
      List.iteri
        (fun number _ -> print_tensor kernel case launch state number)
        kernel.S.arguments

let run kernel case =
  let symbol name = List.assoc_opt name case.symbols in
  let scalar t =
    match Hashtbl.find_opt case.scalars (Numbers.int_of_nat t) with
    | Some bits -> bits
    | None -> S.Z0
  in
  (match S.admit_ case.width kernel symbol scalar with
  | S.Ok launch ->
      let machine = { S.width = case.width; opaque = Opaque.opaque;
          addsFloats = Opaque.adds_floats } in
      run_launch kernel case machine launch
  | S.Stuck rule -> print_endline (S.ruleName rule)
  | S.Refused -> print_endline "refused"
  | S.Malformed -> print_endline "malformed");
  print_endline "end"

let rec serve kernel =
  match read_line () with
  | exception End_of_file -> ()
  | "kernel" ->
      let kernel = TermReader.kernel (String.concat "\n" (until_end ())) in
      print_endline (TermPrinter.kernel kernel);
      print_endline "end";
      serve (Some kernel)
  | line -> (
      match (words line, kernel) with
      | "run" :: rest, Some k ->
          run k (read_case rest);
          serve kernel
      | [ "obligations"; width ], Some k ->
          print_string (S.text (Numbers.of_string width) k);
          print_endline "done";
          serve kernel
      | _ -> raise (Wrong ("neither kernel nor run: " ^ line)))

let () =
  try serve None with
  | Wrong what | TermReader.Unreadable what | Failure what ->
      prerr_endline ("coq-exec: " ^ what);
      exit 3
