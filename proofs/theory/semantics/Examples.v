(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The semantics on small launches, against lists written by hand. *)

From Coq Require Import ZArith String List Bool.
From Girih Require Import Execute.
Import ListNotations.
Open Scope Z_scope.
Open Scope string_scope.

(* Bits are added as integers, and 64 x 64 lanes turned: enough to see which
   lanes met. *)
Definition toy (w : Z) : machine :=
  Machine w (fun place name attributes result operands =>
    match operands with
    | [(_, x); (_, y)] => map (fun p => fst p + snd p) (combine x y)
    | [(_, x)] => flat_map (fun c => map (fun r => nth (r * 64 + c)%nat x 0)
                                         (seq 0 64)) (seq 0 64)
    | _ => []
    end) (fun _ y x => y + x).

Definition with_ (l : list (string * Z)) (name : string) : option Z :=
  option_map snd (find (fun p => String.eqb (fst p) name) l).

Definition blockTrace (k : kernel) (l : outcome launch) (b : nat)
  (answer : nat -> list Z -> Z) : list event * outcome unit :=
  match l with
  | Ok l => trace answer (runBlock (toy 64) k l (blockIds l b))
  | _ => ([], Malformed)
  end.

Definition index := Type_ [] Index.

(* proofs/kernels/add *)
Definition x := Tensor Shared F32 [Named "N"] None 16.
Definition z := Tensor (Out false) F32 [Named "N"] None 16.
Definition vector1024 := Type_ [1024] F32.
Definition tiles (n : nat) := Partition (Argument n) [Some 1024].
Definition add : kernel :=
  Kernel "add" [TensorArg x; TensorArg x; TensorArg z] []
    [Expr CeilDiv (Sym "N") (Const 1024)] [] [] []
    (block
       [Let 4 index (BlockId 0);
        Claim 5 (tiles 2) [4%positive];
        Load 6 (Tile (tiles 0) [4%positive]) (Some Zero);
        Load 7 (Tile (tiles 1) [4%positive]) (Some Zero);
        Let 8 vector1024
          (Opaque 8 "arith.addf" [] [(6%positive, vector1024);
                                   (7%positive, vector1024)]);
        Store 8 5] []).

Definition launchAdd (n : Z) : outcome launch :=
  admit_ 64 add (with_ [("N", n)]) (fun _ => 0).

Definition taken t at_ := Event Taken t at_ 0.
Definition read t at_ v := Event ReadIt t at_ v.
Definition wrote t at_ v := Event Written t at_ v.

(* The last block of two, of which two elements are in the tensor. Element i of
   x holds 10 i, of y 1. *)
Example add_ragged :
  blockTrace add (launchAdd 1026) 1
    (fun t at_ => match t with O => 10 * nth 0 at_ 0 | _ => 1 end) =
  ([taken 2 [1024]; taken 2 [1025];
    read 0 [1024] 10240; read 0 [1025] 10250;
    read 1 [1024] 1; read 1 [1025] 1;
    wrote 2 [1024] 10241; wrote 2 [1025] 10251], Ok tt).
Proof. vm_compute. reflexivity. Qed.

(* Nothing of an empty tensor is touched: there is no block. *)
Example add_empty :
  match launchAdd 0 with Ok l => blockCount l | _ => 9%nat end = O.
Proof. reflexivity. Qed.

(* More than 2^40 elements are refused, and so is a launch without N. *)
Example add_refused :
  launchAdd (2 ^ 40 + 1) = Refused /\
  admit_ 64 add (with_ []) (fun _ => 0) = Refused.
Proof. split; reflexivity. Qed.

(* proofs/kernels/transpose on a matrix of 2 x 3 *)
Definition vector64x64 := Type_ [64; 64] F32.
Definition square (n : nat) := Partition (Argument n) [Some 64; Some 64].
Definition transpose : kernel :=
  Kernel "transpose"
    [TensorArg (Tensor Shared F32 [Named "M"; Named "N"] None 16);
     TensorArg (Tensor (Out false) F32 [Named "N"; Named "M"] None 16)] []
    [Expr CeilDiv (Sym "M") (Const 64); Expr CeilDiv (Sym "N") (Const 64)] []
    [] []
    (block
       [Let 3 index (BlockId 0);
        Let 4 index (BlockId 1);
        Claim 5 (square 1) [4; 3]%positive;
        Load 6 (Tile (square 0) [3; 4]%positive) (Some Zero);
        Let 7 vector64x64
          (Opaque 7 "vector.transpose" [("permutation", [1; 0])]
             [(6%positive, vector64x64)]);
        Store 7 5] []).

Example transpose_ragged :
  blockTrace transpose
    (admit_ 64 transpose (with_ [("M", 2); ("N", 3)]) (fun _ => 0)) 0
    (fun _ at_ => 10 * nth 0 at_ 0 + nth 1 at_ 0) =
  ([taken 1 [0; 0]; taken 1 [0; 1]; taken 1 [1; 0]; taken 1 [1; 1];
    taken 1 [2; 0]; taken 1 [2; 1];
    read 0 [0; 0] 0; read 0 [0; 1] 1; read 0 [0; 2] 2;
    read 0 [1; 0] 10; read 0 [1; 1] 11; read 0 [1; 2] 12;
    wrote 1 [0; 0] 0; wrote 1 [0; 1] 10; wrote 1 [1; 0] 1; wrote 1 [1; 1] 11;
    wrote 1 [2; 0] 2; wrote 1 [2; 1] 12], Ok tt).
Proof. vm_compute. reflexivity. Qed.

(* Rows of the last of two columns that a head has, four at once: the view has
   two. *)
Definition column : kernel :=
  Kernel "column" [TensorArg (Tensor Own F32 [Fixed 2; Fixed 6] None 16)]
    [("h", Index)] [] [] [] []
    (block
       [View 2 (Argument 0) (Unfold 1 [Exactly 3; Exactly 2]);
        View 3 (Seen 2) (FixAt 1 (OfSymbol "h"));
        View 4 (Seen 3) (Permute [1; 0]%nat);
        Let 5 index (Constant 1);
        View 6 (Seen 4) (Slice [OfValue 5; Exactly 0] [Exactly 1; Exactly 2]);
        Let 7 index (Constant 0);
        Claim 8 (Partition (Seen 6) [None; Some 4]) [7; 7]%positive] []).
Definition columnOf (h : Z) : list event * outcome unit :=
  blockTrace column (admit_ 64 column (with_ [("h", h)]) (fun _ => 0)) 0
    (fun _ _ => 0).

Example column_of_last : columnOf 2 = ([taken 0 [0; 5]; taken 0 [1; 5]], Ok tt).
Proof. vm_compute. reflexivity. Qed.
Example column_of_none : columnOf 3 = ([], Stuck ViewFix).
Proof. vm_compute. reflexivity. Qed.

(* Two blocks and one output: the second one that comes is stuck, whichever it
   is. With one block the kernel is fine. *)
Definition unit_ (n : nat) := Partition (Argument n) [None].
Definition both : kernel :=
  Kernel "both" [TensorArg (Tensor (Out false) (Int 32) [Fixed 1] None 16)]
    [("P", Index)] [Sym "P"] [] [] []
    (block
       [Let 2 index (Constant 0);
        Let 3 (Type_ [] (Int 32)) (Constant 7);
        Claim 4 (unit_ 0) [2%positive];
        Store 3 4] []).
Definition runAs (k : kernel) (l : outcome launch) (order : list nat)
  (given : nat -> list Z -> Z) : outcome state :=
  do l <- l; schedule order (start (toy 64) k l given).
Definition after (s : outcome state) (t : nat) (at_ : list Z) : option Z :=
  match s with Ok s => memory s t at_ | _ => None end.
Definition launchBoth (p : Z) := admit_ 64 both (with_ [("P", p)]) (fun _ => 0).

Example both_race :
  runAs both (launchBoth 2) [0; 0; 1]%nat (fun _ _ => 0) =
    Stuck ClaimDisjoint /\
  runAs both (launchBoth 2) [1; 0]%nat (fun _ _ => 0) = Stuck ClaimDisjoint.
Proof. split; reflexivity. Qed.

Example one_is_fine :
  after (runAs both (launchBoth 1) [0; 0]%nat (fun _ _ => 0)) 0 [0] = Some 7.
Proof. reflexivity. Qed.

(* The sum of what a table holds, read as indices: 3 + 4 + 100 fits 8 bits,
   3 + 4 + 121 does not. *)
Definition sum : kernel :=
  Kernel "sum"
    [TensorArg (Tensor Shared (Int 8) [Named "N"] None 16)] [] [] [] [] []
    (block
       [Let 2 index (Constant 0);
        Let 3 index (Constant 1);
        Let 4 index (NumTiles (unit_ 0) 0);
        For [5%positive] Index 2 4 3 6 [7%positive] [2%positive]
          (block
             [Load 8 (Tile (unit_ 0) [6%positive]) None;
              Let 9 index (Cast false (Int 8) 8);
              Let 10 index (Binary Add 7 9)] [10%positive])] []).

Definition runSum (w : Z) (table : list Z) : list event * outcome unit :=
  match admit_ w sum (with_ [("N", Z.of_nat (length table))]) (fun _ => 0) with
  | Ok l => trace (fun _ at_ => nth (Z.to_nat (nth 0 at_ 0)) table 0)
              (runBlock (toy w) sum l [])
  | _ => ([], Malformed)
  end.

Example sum_fits :
  runSum 8 [3; 4; 100] =
  ([read 0 [0] 3; read 0 [1] 4; read 0 [2] 100], Ok tt).
Proof. vm_compute. reflexivity. Qed.
Example sum_leaves :
  runSum 8 [3; 4; 121; 5] =
  ([read 0 [0] 3; read 0 [1] 4; read 0 [2] 121], Stuck IndexWidth).
Proof. vm_compute. reflexivity. Qed.

(* Whole launches. Of what an output holds in the end. *)
Definition result (k : kernel) (symbols : list (string * Z)) (t : nat)
  (ats : list (list Z)) (given : nat -> list Z -> Z)
  : outcome (list (option Z)) :=
  do l <- admit_ 64 k (with_ symbols) (fun _ => 0);
  do s <- execute (toy 64) k l given;
  Ok (map (memory s t) ats).

Example add_adds :
  result add [("N", 1025)] 2 [[0]; [7]; [1024]; [1025]]
    (fun t at_ => match t with O => 10 * nth 0 at_ 0 | _ => 1 end) =
  Ok [Some 1; Some 71; Some 10241; None].
Proof. vm_compute. reflexivity. Qed.

(* A grid that is one block short leaves elements undefined. *)
Definition short : kernel :=
  Kernel "short" (arguments add) [] [Expr Div (Sym "N") (Const 1024)] []
    [] [] (body add).
Example short_uncovered :
  result short [("N", 1025)] 2 [] (fun _ _ => 0) = Stuck OutCovered.
Proof. vm_compute. reflexivity. Qed.

(* Contents that break what is given of them refuse the launch. *)
Definition listed (facts : list (content expr)) (table : list Z)
  : outcome (list (option Z)) :=
  result
    (Kernel "listed" [TensorArg (Tensor Shared (Int 8) [Named "N"] None 16)]
       [] [] [] (map (OfContents 0) facts) [] (Yield []))
    [("N", Z.of_nat (length table))] 0 []
    (fun _ at_ => nth (Z.to_nat (nth 0 at_ 0)) table 0).
Definition inRange := Within (Const (-1)) (Expr Sub (Sym "N") (Const 1)).
Example within_kept : listed [inRange] [1; -1; 0] = Ok [].
Proof. vm_compute. reflexivity. Qed.
Example within_broken : listed [inRange] [1; 2; 0] = Refused.
Proof. vm_compute. reflexivity. Qed.
Example sorted_kept : listed [Sorted; inRange] [-1; 1; 1] = Ok [].
Proof. vm_compute. reflexivity. Qed.
Example sorted_broken : listed [inRange; Sorted] [1; 0; 1] = Refused.
Proof. vm_compute. reflexivity. Qed.
Example splits_kept : listed [Splits (Const 7)] [0; 3; 3; 7] = Ok [].
Proof. vm_compute. reflexivity. Qed.
Example splits_broken :
  map (listed [Splits (Const 7)]) [[]; [1; 7]; [0; 3]; [0; 7; 3; 7]] =
  [Refused; Refused; Refused; Refused].
Proof. vm_compute. reflexivity. Qed.
Example distinct_kept : listed [AllDistinct] [3; 0; 4; 1] = Ok [].
Proof. vm_compute. reflexivity. Qed.
Example distinct_broken : listed [AllDistinct] [3; 0; 4; 259] = Refused.
Proof. vm_compute. reflexivity. Qed.
