(* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The obligations of a kernel: of the launch, and of each op in program order.
   The functions of checker/generate/Contract.cpp and Values.cpp; a kernel that is not
   well typed has no list. *)

From Coq Require Import ZArith String List Bool Lia FMapPositive.
From Girih Require Export Bitwise.
Import ListNotations.
Open Scope Z_scope.

(* Types. *)

Definition eqElement (a b : element) : bool :=
  match a, b with
  | Index, Index => true
  | Int n, Int m => n =? m
  | Float x m, Float x' m' => (x =? x') && (m =? m')
  | _, _ => false
  end.
Definition eqType (a b : type) : bool :=
  eqAt (shape a) (shape b) && eqElement (lanes a) (lanes b).

(* Elements of tensors. *)
Definition isLane (e : element) : bool :=
  match e with Index => false | Int n => (1 <=? n) && (n <=? 64) | _ => true
  end.
Definition isScalar (t : type) : bool :=
  match shape t with [] => true | _ => false end.
Definition isType (t : type) : bool :=
  forallb (Z.leb 1) (shape t) &&
  (isLane (lanes t) || eqElement (lanes t) Index).
(* Values that facts speak of; and truth values. *)
Definition isInteger (t : type) : bool :=
  isScalar t &&
  match lanes t with Index => true | Int n => negb (n =? 1) | _ => false end.
Definition isTruth (t : type) : bool :=
  isScalar t && eqElement (lanes t) (Int 1).
Definition scalarType (e : element) : type := Type_ [] e.

(* What is known of a value. *)
Inductive meaning := Number (p : poly) | Truth (c : cond) | Plain.
Inductive entry :=
  | Val (t : type) (m : meaning)
  | Sight (v : view poly) (way : list (viewStep poly))
  | Cap (s : site).

(* What the lanes of a vector of integers were read from: a tile of a tensor,
   padded or not, or the elements that a mask lets through. *)
Inductive fetch :=
  | FromTile (number : nat) (tile : list (option Z)) (index : list Syntax.var)
      (padding : option pad)
  | FromGather (number : nat) (mask : option Syntax.var)
      (padding : option pad).
Definition loadedIn (f : fetch) : nat :=
  match f with FromTile number _ _ _ | FromGather number _ _ => number end.
Definition paddingIn (f : fetch) : option pad :=
  match f with FromTile _ _ _ q | FromGather _ _ q => q end.
Definition loadedWith (f : fetch) : list Syntax.var :=
  match f with
  | FromTile _ _ index _ => index
  | FromGather _ (Some v) _ => [v]
  | FromGather _ None _ => []
  end.

(* Values by number; pieces through which was stored on the way here; ops that
   vectors are made by, lane by lane; and what others were read from. *)
Record names := Names
  { entries : PositiveMap.t entry;
    stored : list Syntax.var;
    made : list (Syntax.var * op);
    loaded : list (Syntax.var * fetch) }.
Definition noNames : names := Names (PositiveMap.empty entry) [] [] [].

(* Ops whose lanes are functions of the lanes of values; the values. *)
Definition operandsOf (o : op) : option (list Syntax.var) :=
  match o with
  | Constant _ | Iota _ => Some []
  | Binary _ a b | Compare _ a b => Some [a; b]
  | Syntax.Select c a b => Some [c; a; b]
  | Cast _ _ a | Move _ _ a => Some [a]
  | _ => None
  end.
Definition speaksOfValue (v : Syntax.var) (m : Syntax.var * op) : bool :=
  Pos.eqb v (fst m) ||
  match operandsOf (snd m) with
  | Some vs => existsb (Pos.eqb v) vs
  | None => true
  end.

Definition fetchSpeaks (v : Syntax.var) (f : Syntax.var * fetch) : bool :=
  existsb (Pos.eqb v) (fst f :: loadedWith (snd f)).

Definition bindName (n : names) (v : Syntax.var) (e : entry) : names :=
  Names (PositiveMap.add v e (entries n))
    (filter (fun u => negb (Pos.eqb v u)) (stored n))
    (filter (fun m => negb (speaksOfValue v m)) (made n))
    (filter (fun f => negb (fetchSpeaks v f)) (loaded n)).
(* The operands have the lanes that an op on a vector of this type asks for. *)
Definition hasShape (n : PositiveMap.t entry) (sh : list Z) (v : Syntax.var)
  : bool :=
  match PositiveMap.find v n with
  | Some (Val t _) => eqAt (shape t) sh
  | _ => false
  end.
Definition operandsFit (n : PositiveMap.t entry) (t : type) (o : op) : bool :=
  match o with
  | Constant x =>
      match lanes t with
      | Index => true
      | Int b => fitsb b x
      | Float _ _ => false
      end
  | Iota _ => true
  | Binary _ a b | Compare _ a b =>
      hasShape n (shape t) a && hasShape n (shape t) b
  | Syntax.Select c a b =>
      (hasShape n [] c || hasShape n (shape t) c) &&
      hasShape n (shape t) a && hasShape n (shape t) b
  | Cast _ _ a => hasShape n (shape t) a
  | Move f from a => hasShape n from a && goes f from (shape t)
  | _ => false
  end.
(* After its name is bound. *)
Definition noteMade (n : names) (v : Syntax.var) (t : type) (o : op) : names :=
  match operandsOf o with
  | Some vs =>
      if negb (existsb (Pos.eqb v) vs) && operandsFit (entries n) t o
      then Names (entries n) (stored n) ((v, o) :: made n) (loaded n) else n
  | None => n
  end.
Definition madeBy (n : names) (v : Syntax.var) : option op :=
  option_map snd (find (fun m => Pos.eqb v (fst m)) (made n)).
(* Likewise of what has lanes that facts speak of. *)
Definition noteLoaded (n : names) (v : Syntax.var) (f : fetch) : names :=
  match PositiveMap.find v (entries n) with
  | Some (Val t _) =>
      if isInteger (scalarType (lanes t)) && negb (isScalar t) &&
         negb (existsb (Pos.eqb v) (loadedWith f))
      then Names (entries n) (stored n) (made n) ((v, f) :: loaded n) else n
  | _ => n
  end.
Definition loadedBy (n : names) (v : Syntax.var) : option fetch :=
  option_map snd (find (fun f => Pos.eqb v (fst f)) (loaded n)).
Fixpoint bindAll (n : names) (vs : list Syntax.var) (es : list entry)
  : option names :=
  match vs, es with
  | [], [] => Some n
  | v :: vs', e :: es' => bindAll (bindName n v e) vs' es'
  | _, _ => None
  end.

(* What a launch gives to all blocks. *)
Record header := Header
  { kernel_ : kernel;
    bits : Z;
    symbolVars : list (string * (var * element));
    gridPolys : list poly;
    idVars : list var;
    givenPolys : list (nat * content poly) }.

Definition because (s : source) (f : fact) : gen unit := assume f (Because s).

(* The contract. *)

Fixpoint distinctSymbols (seen : list string) (l : list (string * element))
  : list (string * element) :=
  match l with
  | [] => []
  | (name, e) :: l' =>
      if existsb (String.eqb name) seen then distinctSymbols seen l'
      else (name, e) :: distinctSymbols (name :: seen) l'
  end.

Definition symbolRange (w : Z) (e : element) : option (Z * Z) :=
  match e with
  | Index => Some (0, maxExtent w)
  | Int n =>
      if (2 <=? n) && (n <=? 64) then Some (- 2 ^ (n - 1), 2 ^ (n - 1) - 1)
      else None
  | Float _ _ => None
  end.

Definition assumeSymbol (w : Z) (s : string * element)
  : gen (string * (var * element)) :=
  let* v := fresh_ in
  let* (low, high) := given (symbolRange w (snd s)) in
  let* _ := because Contract (GeZ (plus (variable v) (- low))) in
  let* _ := because Contract (GeZ (sub (constant high) (variable v))) in
  ret (fst s, (v, snd s)).

Definition symbolOf_ (vars : list (string * (var * element))) (name : string)
  : option (var * element) :=
  option_map snd (find (fun s => String.eqb name (fst s)) vars).

Definition dimPoly (vars : list (string * (var * element))) (d : dim)
  : option poly :=
  match d with
  | Fixed n => Some (constant n)
  | Named name =>
      match symbolOf_ vars name with
      | Some (v, Index) => Some (variable v)
      | _ => None
      end
  end.

Fixpoint all {A B} (f : A -> option B) (l : list A) : option (list B) :=
  match l with
  | [] => Some []
  | x :: l' =>
      match f x, all f l' with Some y, Some ys => Some (y :: ys) | _, _ => None
      end
  end.

Fixpoint packedPolys (extents : list poly) : list poly :=
  match extents with
  | [] => []
  | e :: extents' => fold_right mul (constant 1) extents' :: packedPolys
    extents'
  end.

Definition extentPolys (vars : list (string * (var * element))) (t : tensor)
  : option (list poly) := all (dimPoly vars) (dims t).
Definition stridePolys (vars : list (string * (var * element))) (t : tensor)
  : option (list poly) :=
  match strides t with
  | Some s => all (dimPoly vars) s
  | None => option_map packedPolys (extentPolys vars t)
  end.

Definition assumeSize (w : Z) (vars : list (string * (var * element)))
  (a : argument) : gen unit :=
  match a with
  | FloatArg (Float _ _) => ret tt
  | FloatArg _ => fail
  | TensorArg t =>
      let* _ := check (isLane (elements t)) in
      let* extents := given (extentPolys vars t) in
      let* strides := given (stridePolys vars t) in
      let* _ := check (Nat.eqb (length extents) (length strides)) in
      forEach (fun p =>
        let room := sub (constant (maxBytes w))
          (mul (mul (fst p) (snd p)) (constant (bytesOf (elements t)))) in
        if (1 <? degree room)%nat then because Contract (GeZ room) else ret tt)
        (combine strides extents)
  end.

(* Expressions; the obligations of their divisions come before their use. *)
Fixpoint expression (vars : list (string * (var * element))) (e : expr)
  : gen poly :=
  match e with
  | Const x => ret (constant x)
  | Sym name =>
      let* s := given (symbolOf_ vars name) in ret (variable (fst s))
  | Expr f l r =>
      let* a := expression vars l in
      let* b := expression vars r in
      let ratio :=
        let* _ := emit ContractDivision (plus b (-1)) true in
        let* _ := emit ContractDivision a true in
        let up := plus (add a b) (-1) in
        match f with
        | CeilDiv =>
            let* _ := (if eqPoly up a then ret tt
                       else emit ContractDivision up true) in divide up b
        | _ => divide a b
        end in
      match f with
      | Add => ret (add a b)
      | Sub => ret (sub a b)
      | Mul => ret (mul a b)
      | Div | CeilDiv => let* qr := ratio in ret (fst qr)
      | Rem => let* qr := ratio in ret (snd qr)
      | Min => select (sub b a) a b
      | Max => select (sub a b) a b
      | And | Or | Xor => fail
      end
  end.

Definition requirement (vars : list (string * (var * element)))
  (c : condition) : gen unit :=
  let* a := expression vars (lhs c) in
  let* b := expression vars (rhs c) in
  forEach (because Contract) (condFacts (ofComparison (relation c) a b)).

Definition gridAxis (w : Z) (vars : list (string * (var * element))) (e : expr)
  : gen poly :=
  let* g := expression vars e in
  let* _ := emit LaunchGrid g true in
  let* _ := because Contract (GeZ (sub (constant (maxBlocks w)) g)) in
  ret g.

Definition contentPolys (vars : list (string * (var * element)))
  (c : content expr) : gen (content poly) :=
  match c with
  | Within low high =>
      let* x := expression vars low in
      let* y := expression vars high in ret (Within x y)
  | Sorted => ret Sorted
  | Splits last => let* x := expression vars last in ret (Splits x)
  | AllDistinct => ret AllDistinct
  end.
Definition followGiven (vars : list (string * (var * element))) (g : given_)
  : gen (nat * content poly) :=
  let* c := contentPolys vars (promise g) in ret (about g, c).

(* Of all, since names that come twice are assumed once. *)
Definition hasRange (w : Z) (s : string * element) : bool :=
  match symbolRange w (snd s) with Some _ => true | None => false end.

Definition contract (w : Z) (k : kernel) : gen header :=
  let* _ := check (forallb (hasRange w) (launchSymbols k)) in
  let* vars := mapEach (assumeSymbol w) (distinctSymbols [] (launchSymbols k))
  in
  let* _ := forEach (assumeSize w vars) (arguments k) in
  let* _ := forEach (requirement vars) (requires k) in
  let* grid := mapEach (gridAxis w vars) (grid k) in
  let* _ :=
    (if (1 <? length grid)%nat
     then because Contract (GeZ (sub (constant (maxBlocks w))
                                   (fold_left mul grid (constant 1))))
     else ret tt) in
  let* ps := mapEach (followGiven vars) (givens k) in
  ret (Header k w vars grid [] ps).

(* What is given of contents, as a fact about the launch: a tensor of splits has
   an element, and its last one is no smaller than its first, which is 0. A
   range of numbers has one, or the tensor has no element. *)
Definition rangeFact (es : list poly) (room : poly) : fact :=
  [Atom false room] :: map (fun x => [Atom false (neg x)]) es.
Definition assumeContents (h : header) (p : nat * content poly) : gen unit :=
  let* t := given (tensorOf (kernel_ h) (fst p)) in
  let* es := given (extentPolys (symbolVars h) t) in
  match snd p with
  | Splits last =>
      let* _ := because OfGiven (GeZ (plus (hd [] es) (-1))) in
      because OfGiven (GeZ last)
  | Within low high =>
      let room := plus (sub high low) (-1) in
      match constantOf room with
      | Some _ => ret tt
      | None => because OfGiven (rangeFact es room)
      end
  | Sorted | AllDistinct => ret tt
  end.
Definition wholeContract (w : Z) (k : kernel) : gen header :=
  let* h := contract w k in
  let* _ := forEach (assumeContents h) (givenPolys h) in
  ret h.

(* Statements. *)

Section Walk.

Context (h : header).

Definition maxOf (e : element) : Z := 2 ^ (widthOf (bits h) e - 1) - 1.

(* A value about which only its type is known. *)
Definition unknown (t : type) : gen entry :=
  let* _ := check (isType t) in
  if isInteger t then
    let* v := fresh_ in
    let p := variable v in
    let* _ := because (Value None) (GeZ (plus p (maxOf (lanes t) + 1))) in
    let* _ := because (Value None) (GeZ (sub (constant (maxOf (lanes t))) p))
    in
    ret (Val t (Number p))
  else ret (Val t Plain).

(* An element of a `shared` tensor that never changes: what is given of it, and
   of it and others. *)
Definition lookUp (number : nat) (t : tensor) (at_ : list poly) : gen entry :=
  let* others := comparedTo (givenPolys h) number in
  let* _ := spoken at_ in
  let* es := given (extentPolys (symbolVars h) t) in
  let* v := fresh_ in
  let p := variable v in
  let u := Lookup number at_ v in
  let top := maxOf (elements t) in
  let* _ := because (Value (Some u)) (GeZ (plus p (top + 1))) in
  let* _ := because (Value None) (GeZ (sub (constant top) p)) in
  let* _ := forEach (because OfGiven) (elementFacts (givenPolys h) es u) in
  let* _ := forEach (fun o => forEach (because OfGiven)
                                (pairFacts (givenPolys h) o u)) others in
  ret (Val (scalarType (elements t)) (Number p)).

Definition valueOf (n : names) (v : Syntax.var) : gen (type * meaning) :=
  given (match PositiveMap.find v (entries n) with
         | Some (Val t m) => Some (t, m)
         | _ => None
         end).
Definition siteOf (n : names) (v : Syntax.var) : gen site :=
  given (match PositiveMap.find v (entries n) with
         | Some (Cap s) => Some s
         | _ => None
         end).
(* A value of this type, as a polynomial. *)
Definition numberOf (n : names) (e : element) (v : Syntax.var) : gen poly :=
  let* (t, m) := valueOf n v in
  let* _ := check (eqType t (scalarType e)) in
  given (match m with Number p => Some p | _ => None end).
Definition condOf (m : meaning) : cond :=
  match m with Truth c => c | _ => Unknown end.

(* The exact result of an op: an `index` must fit, an iN wraps; what is too
   large to follow is not known to fit. *)
Definition arithmetic (t : type) (exact : poly) : gen entry :=
  if overflows exact then
    let* _ :=
      (if eqElement (lanes t) Index then
         let* _ := emit IndexWidth (constant (-1)) false in
         emit IndexWidth (constant (-1)) false
       else ret tt) in
    unknown t
  else if eqElement (lanes t) Index then
    let* _ := emit IndexWidth (sub (constant (maxOf Index)) exact) false in
    let* _ := emit IndexWidth (plus exact (maxOf Index + 1)) false in
    ret (Val t (Number exact))
  else
    let* p := wrapped exact (widthOf (bits h) (lanes t)) in
    ret (Val t (Number p)).

Definition product_ (a b : poly) : poly :=
  if (64 <? degree a + degree b)%nat ||
     (2 ^ 18 / Z.max 1 (Z.of_nat (length a)) <? Z.of_nat (length b))
  then constant (2 ^ 128) (* which overflows *)
  else mul a b.

Definition division (f : binary) (t : type) (a d : poly) : gen entry :=
  let* _ := emit IndexDivision (plus d (-1)) true in
  let* _ := emit IndexDivision a true in
  let up := plus (add a d) (-1) in
  let* (q, r) :=
    match f with
    | CeilDiv => let* _ := emit IndexDivision up true in divide up d
    | _ => divide a d
    end in
  ret (Val t (Number (match f with Rem => r | _ => q end))).

(* On indices as arithmetic, as far as they have few bits. *)
Definition logicOp (f : binary) (t : type) (x y : poly) : gen entry :=
  if eqElement (lanes t) Index then
    let* r := bitwise f x y in
    match r with Some p => ret (Val t (Number p)) | None => unknown t end
  else unknown t.

Definition logic (f : binary) (a b : cond) : option cond :=
  match f with
  | And => Some (both a b)
  | Or => Some (either a b)
  | Xor => Some (either (both a (negated b)) (both (negated a) b))
  | _ => None
  end.

Definition binaryOp (n : names) (f : binary) (t : type) (a b : Syntax.var)
  : gen entry :=
  let* (ta, ma) := valueOf n a in
  let* (tb, mb) := valueOf n b in
  let* _ := check (eqType ta t && eqType tb t && isType t) in
  if isInteger t then
    match ma, mb with
    | Number x, Number y =>
        match f with
        | Add => arithmetic t (add x y)
        | Sub => arithmetic t (sub x y)
        | Mul => arithmetic t (product_ x y)
        | Div | Rem | CeilDiv => division f t x y
        | Min => let* p := select (sub y x) x y in ret (Val t (Number p))
        | Max => let* p := select (sub x y) x y in ret (Val t (Number p))
        | And | Or | Xor => logicOp f t x y
        end
    | _, _ => fail
    end
  else
    let* _ := check (match lanes t with
                     | Int _ => true
                     | Index => match f with
                                | Add | Sub | Mul => false
                                | _ => true
                                end
                     | Float _ _ => false
                     end) in
    if isTruth t then
      match logic f (condOf ma) (condOf mb) with
      | Some c => ret (Val t (Truth c))
      | None =>
          let* _ := (if divides f then emit IndexDivision (constant (-1)) false
                     else ret tt) in
          ret (Val t Plain)
      end
    else let* _ := check (negb (divides f)) in ret (Val t Plain).

Definition compareOp (n : names) (c : comparison) (t : type)
  (a b : Syntax.var) : gen entry :=
  let* (ta, ma) := valueOf n a in
  let* (tb, mb) := valueOf n b in
  let* _ := check (eqType ta tb && eqType t (Type_ (shape ta) (Int 1)) &&
                   isType t) in
  match ma, mb with
  | Number x, Number y => ret (Val t (Truth (ofComparison c x y)))
  | _, _ => ret (Val t Plain)
  end.

(* c ? a : b where both are of this type. *)
Definition chosen (c : cond) (t : type) (a b : meaning) : gen entry :=
  if isTruth t then
    ret (Val t (Truth (either (both c (condOf a))
                         (both (negated c) (condOf b)))))
  else
    match a, b with
    | Number x, Number y =>
        let* p := choice c x y in
        match p with
        | Some p => ret (Val t (Number p))
        | None => unknown t
        end
    | _, _ => ret (Val t Plain)
    end.

Definition selectOp (n : names) (t : type) (c a b : Syntax.var) : gen entry :=
  let* (tc, mc) := valueOf n c in
  let* (ta, ma) := valueOf n a in
  let* (tb, mb) := valueOf n b in
  let* _ := check (eqType ta t && eqType tb t && isType t &&
                   (isTruth tc || eqType tc (Type_ (shape t) (Int 1)))) in
  if isTruth tc then chosen (condOf mc) t ma mb else ret (Val t Plain).

Definition castOp (n : names) (unsigned : bool) (from : element) (t : type)
  (a : Syntax.var) : gen entry :=
  let* (ta, m) := valueOf n a in
  let narrow := widthOf (bits h) (lanes t) <? widthOf (bits h) from in
  let* _ := check (eqType ta (Type_ (shape t) from) && isType t &&
                   match from, lanes t with
                   | Float _ _, _ | _, Float _ _ => false
                   | _, Index => isScalar t || negb narrow
                   | _, _ => true
                   end &&
                   (negb unsigned ||
                    (widthOf (bits h) from <? widthOf (bits h) (lanes t)))) in
  if isInteger t then
    if eqElement from (Int 1) then
      let* p := choice (condOf m) (constant (if unsigned then 1 else -1)) []
      in
      match p with
      | Some p => ret (Val t (Number p))
      | None => unknown t
      end
    else
      match m with
      | Number e =>
          if unsigned then
            let* p := select e e (plus e (2 ^ widthOf (bits h) from)) in
            ret (Val t (Number p))
          else if narrow then arithmetic t e
          else ret (Val t (Number e))
      | _ => fail
      end
  else ret (Val t Plain).

(* An `index` holds a constant that fits. *)
Definition indexConstant (x : Z) : gen unit :=
  if maxOf Index <? x then emit IndexWidth (constant (maxOf Index - x)) false
  else if x <? - maxOf Index - 1 then
    emit IndexWidth (constant (x + maxOf Index + 1)) false
  else ret tt.

Definition constantOp (t : type) (x : Z) : gen entry :=
  let* _ := check (isType t) in
  match lanes t with
  | Index =>
      let* _ := indexConstant x in
      ret (Val t (if isScalar t then Number (constant x) else Plain))
  | Int n =>
      let* _ := check (fitsb n x) in
      if isTruth t then
        ret (Val t (Truth (AtLeastZero
                             (if x =? 0 then constant (-1) else []))))
      else if isScalar t then ret (Val t (Number (constant x)))
      else ret (Val t Plain)
  | Float _ _ => ret (Val t Plain)
  end.

(* Of several the first that does not. *)
Fixpoint indexConstants (xs : list Z) : gen unit :=
  match xs with
  | [] => ret tt
  | x :: xs' =>
      let* _ := indexConstant x in
      if fitsb (bits h) x then indexConstants xs' else ret tt
  end.

(* Views. *)

Definition wholePoly : nat -> list poly -> view poly :=
  wholeView [] (constant 1).
Definition placePoly : view poly -> list poly -> list poly := place [] add mul.
Definition stepPoly : view poly -> viewStep poly -> view poly :=
  stepped [] (constant 1) add mul.

Definition tensorPolys (t : nat) : gen (list poly * tensor) :=
  let* ten := given (tensorOf (kernel_ h) t) in
  let* es := given (extentPolys (symbolVars h) ten) in ret (es, ten).

Definition viewPolys (n : names) (b : base)
  : gen (view poly * list (viewStep poly)) :=
  match b with
  | Argument t =>
      let* (es, _) := tensorPolys t in ret (wholePoly t es, [])
  | Seen v =>
      given (match PositiveMap.find v (entries n) with
             | Some (Sight w way) => Some (w, way)
             | _ => None
             end)
  end.

Definition amountPoly (n : names) (a : amount) : gen poly :=
  match a with
  | Exactly x => let* _ := indexConstant x in ret (constant x)
  | OfSymbol name =>
      let* s := given (symbolOf_ (symbolVars h) name) in
      let* _ := check (eqElement (snd s) Index) in ret (variable (fst s))
  | OfValue v => numberOf n Index v
  end.
Definition stepOfPolys (n : names) (s : viewStep amount)
  : gen (viewStep poly) :=
  match s with
  | Slice offsets sizes =>
      let* x := mapEach (amountPoly n) offsets in
      let* y := mapEach (amountPoly n) sizes in ret (Slice x y)
  | Permute axes => ret (Permute axes)
  | Unfold axis factors =>
      let* x := mapEach (amountPoly n) factors in ret (Unfold axis x)
  | FixAt axis at_ => let* x := amountPoly n at_ in ret (FixAt axis x)
  end.

Definition emitStep (extents : list poly) (s : viewStep poly) : gen unit :=
  match s with
  | Slice offsets sizes =>
      forEach (fun a => let '(e, (o, n)) := a in
        let* _ := emit ViewSlice o true in
        let* _ := emit ViewSlice n true in
        emit ViewSlice (sub (sub e o) n) true)
        (combine extents (combine offsets sizes))
  | Permute _ => ret tt
  | Unfold axis factors =>
      let e := nth axis extents [] in
      let product := fold_right mul (constant 1) factors in
      let* _ := emit ViewUnfold (sub e product) true in
      emit ViewUnfold (sub product e) true
  | FixAt axis x =>
      let* _ := emit ViewFix x true in
      emit ViewFix (sub (plus (nth axis extents []) (-1)) x) true
  end.

Definition walkView (n : names) (b : base) (s : viewStep amount)
  : gen entry :=
  let* (v, way) := viewPolys n b in
  let* s := stepOfPolys n s in
  let* _ := check (fitsRank (length (extents_ v)) s) in
  let* _ := emitStep (extents_ v) s in
  ret (Sight (stepPoly v s) (way ++ [s])).

(* The extents of the root, for tiles of a view. *)
Definition rootPolys (v : view poly) (p : partition)
  : gen (list poly * tensor) :=
  let* (es, t) := tensorPolys (root v) in
  let* _ := check (Nat.eqb (length (extents_ v)) (length (tile p)) &&
                   Nat.eqb (length (along v)) (length (tile p)) &&
                   Nat.eqb (length (origin v)) (length es) &&
                   forallb (Z.leb 1) (tileExtents p)) in
  ret (es, t).
Definition partitionPolys (n : names) (p : partition)
  : gen (view poly * list (viewStep poly) * tensor) :=
  let* (v, way) := viewPolys n (of p) in
  let* (_, t) := rootPolys v p in ret (v, way, t).

Definition numTiles (n : names) (p : partition) (axis : nat) : gen poly :=
  let* (v, _, _) := partitionPolys n p in
  let* e := given (nth_error (extents_ v) axis) in
  let* t := given (nth_error (tileExtents p) axis) in
  let up := plus e (t - 1) in
  let* _ := emit IndexDivision (constant (t - 1)) true in
  let* _ := emit IndexDivision up true in
  let* qr := divide up (constant t) in
  ret (fst qr).

Definition indexEntry (t : type) (p : poly) : gen entry :=
  let* _ := check (eqType t (scalarType Index)) in
  ret (Val t (Number p)).

Definition walkOp (n : names) (t : type) (o : op) : gen entry :=
  match o with
  | Constant x => constantOp t x
  | Dense xs =>
      let* _ := check (isType t && negb (isInteger t) &&
                       Nat.eqb (length xs) (laneCount t)) in
      let* _ := (match lanes t with
                 | Index => indexConstants xs
                 | _ => ret tt
                 end) in
      ret (Val t Plain)
  | Symbol name =>
      let* s := given (symbolOf_ (symbolVars h) name) in
      let* _ := check (eqType t (scalarType (snd s))) in
      ret (Val t (Number (variable (fst s))))
  | BlockId axis =>
      let* v := given (nth_error (idVars h) axis) in
      indexEntry t (variable v)
  | GridDim axis =>
      let* g := given (nth_error (gridPolys h) axis) in indexEntry t g
  | NumTiles p axis => let* q := numTiles n p axis in indexEntry t q
  | Binary f a b => binaryOp n f t a b
  | Compare c a b => compareOp n c t a b
  | Syntax.Select c a b => selectOp n t c a b
  | Cast unsigned from a => castOp n unsigned from t a
  | Alias a =>
      let* p := numberOf n Index a in
      let* q := aliased p in indexEntry t q
  | Prove r c =>
      let* (tc, mc) := valueOf n c in
      let* _ := check (isTruth tc && eqType t tc) in
      let* _ := proveCond r (condOf mc) in ret (Val t Plain)
  | Iota axis =>
      let* e := given (nth_error (shape t) axis) in
      let* _ := check (isType t && negb (isScalar t)) in
      let* _ := (match lanes t with
                 | Index => indexConstant (e - 1)
                 | Int _ => ret tt
                 | Float _ _ => fail
                 end) in
      ret (Val t Plain)
  | Move f from a =>
      let* (ta, _) := valueOf n a in
      let* _ := check (eqType ta (Type_ from (lanes t)) && isType t &&
                       negb (isScalar t) && goes f from (shape t)) in
      ret (Val t Plain)
  | Opaque _ _ _ operands =>
      let* _ := forEach (fun a => let* (ta, _) := valueOf n (fst a) in
                                  check (eqType ta (snd a))) operands in
      let* _ := check (isLane (lanes t)) in
      unknown t
  end.

End Walk.
