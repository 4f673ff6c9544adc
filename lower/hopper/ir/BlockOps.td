// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lanes, warps and blocks do beside their rings.

include "lower/hopper/ir/Dialect.td"

def WarpSumOp : HopperEffectOp<"warp_sum"> {
  let summary = "the sum over all lanes of the warp, in each of them";
  let arguments = (ins F32:$value);
  let results = (outs F32:$sum);
  let assemblyFormat = "$value attr-dict";
}

def KeepOp : HopperOp<"keep", [Pure, SameOperandsAndResultType]> {
  let summary = "a value that LLVM does not look through";
  let description = [{
    What LLVM knows of a value it puts into all that is compared with it. A
    reader of the PTX looks for what was meant.
  }];
  let arguments = (ins I64:$value);
  let results = (outs I64:$result);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def OrderOp : HopperEffectOp<"order"> {
  let summary = "what stands behind it is issued once a number is known";
  let description = [{
    `hopper.order after %sum`: the assembler gathers loads behind the products
    that go before them, and so the last of what was loaded is used up before
    anything is on its way again. Nothing is moved over this.
  }];
  let arguments = (ins F32:$number);
  let assemblyFormat = "`after` $number attr-dict";
}

def WarpMaxOp : HopperEffectOp<"warp_max"> {
  let summary = "the largest over all lanes of the warp, in each of them";
  let description = [{ Of `arith.maximumf`: NaN wins, -0 is below +0. }];
  let arguments = (ins F32:$value);
  let results = (outs F32:$largest);
  let assemblyFormat = "$value attr-dict";
}

class HopperGroupOp<string mnemonic> : HopperEffectOp<mnemonic> {
  let description = [{
    `hopper.group_sum %v over [1, 2]`: of the lanes whose numbers differ in these
    bits alone; in each of them the same.
  }];
  let arguments = (ins F32:$value, DenseI64ArrayAttr:$bits);
  let results = (outs F32:$result);
  let assemblyFormat = "$value `over` $bits attr-dict";
  let hasVerifier = 1;
}

def GroupSumOp : HopperGroupOp<"group_sum"> {
  let summary = "the sum over some lanes of the warp";
}

def GroupMaxOp : HopperGroupOp<"group_max"> {
  let summary = "the largest over some lanes of the warp, as arith.maximumf";
}

def TransposeOp : HopperEffectOp<"transpose"> {
  let summary = "a matrix 8 x 8 of 16-bit elements, of the whole warp, turned";
  let description = [{
    `movmatrix`: lane 4i + j has elements (2j, 2j + 1) of row i, and is given
    those of column i.
  }];
  let arguments = (ins I32:$rows);
  let results = (outs I32:$columns);
  let assemblyFormat = "$rows attr-dict";
}

def HopperProducts : VectorOfLengthAndType<[4], [F32]>;

def MmaOp : HopperEffectOp<"mma", [AttrSizedOperandSegments]> {
  let summary = "a product of matrices 16 x 16 and 16 x 8, of the whole warp";
  let description = [{
    `mma.sync.m16n8k16` of bf16, with `f16` of f16, with sums in f32. Lane 4i + j has words of two
    elements of a row: of the left matrix those of columns (2j, 2j + 1) of rows
    i and i + 8, then of columns (2j + 8, 2j + 9); of the right one rows
    (2j, 2j + 1) and (2j + 8, 2j + 9) of column i; of the sums columns
    (2j, 2j + 1) of row i, then of row i + 8.
  }];
  let arguments = (ins Variadic<I32>:$left, Variadic<I32>:$right,
                       HopperProducts:$sums, UnitAttr:$f16);
  let results = (outs HopperProducts:$products);
  let assemblyFormat = [{
    (`f16` $f16^)? `(` $left `)` `(` $right `)` `+` $sums attr-dict `:` type($sums) `->`
    type($products)
  }];
  let hasVerifier = 1;
}

def BlockBarrierOp : HopperEffectOp<"block_barrier"> {
  let summary = "waits for all warps of the block";
  let assemblyFormat = "attr-dict";
}

// No two are one, though they look alike.
def SharedOp : HopperEffectOp<"shared", [HasParent<"KernelOp">]> {
  let summary = "shared memory of its own";
  let results = (outs HopperShared:$memory);
  let assemblyFormat = "attr-dict `:` qualified(type($memory))";
}

// Offsets are in bytes, multiples of the size of what is moved.
class HopperLoadOp<string mnemonic, Type memory> : HopperEffectOp<mnemonic> {
  let arguments = (ins memory:$memory, I64:$offset);
  let results = (outs AnyType:$value);
  let assemblyFormat = [{
    $memory `[` $offset `]` attr-dict `:` qualified(type($memory)) `,`
    type($value)
  }];
}

class HopperStoreOp<string mnemonic, Type memory> : HopperEffectOp<mnemonic> {
  let arguments = (ins AnyType:$value, memory:$memory, I64:$offset);
  let assemblyFormat = [{
    $value `,` $memory `[` $offset `]` attr-dict `:` type($value) `,`
    qualified(type($memory))
  }];
}

def SharedLoadOp : HopperLoadOp<"shared_load", HopperShared> {
  let summary = "reads shared memory";
}

def SharedStoreOp : HopperStoreOp<"shared_store", HopperShared> {
  let summary = "writes shared memory";
}

def LoadOp : HopperLoadOp<"load", HopperGlobal> {
  let summary = "reads global memory";
  let hasVerifier = 1;
}

def StoreOp : HopperStoreOp<"store", HopperGlobal> {
  let summary = "writes global memory";
  let hasVerifier = 1;
}

def HopperLanesVector : AnyTypeOf<[VectorOfAnyRankOf<[BF16, F32, I32]>]>;

def MaskedLoadOp : HopperEffectOp<"masked_load", [
    AllTypesMatch<["value", "otherwise"]>]> {
  let summary = "reads global memory where a condition holds";
  let description = [{
    `hopper.masked_load %x[%offset] if %inside else %pad : !hopper.global<read>,
    vector<8xbf16>`: 2, 4, 8 or 16 bytes in one instruction that has no branch,
    so that several are on their way at a time; with `once`, past the L1 cache.
  }];
  let arguments = (ins HopperGlobal:$memory, I64:$offset, I1:$condition,
                       HopperLanesVector:$otherwise, UnitAttr:$once);
  let results = (outs HopperLanesVector:$value);
  let assemblyFormat = [{
    (`once` $once^)? $memory `[` $offset `]` `if` $condition `else` $otherwise
    attr-dict `:` qualified(type($memory)) `,` type($value)
  }];
  let hasVerifier = 1;
}

def PrefetchOp : HopperEffectOp<"prefetch"> {
  let summary = "brings a line of global memory to the L2 cache, if it likes";
  let description = [{
    Where a condition holds. It gives nobody a value, so it may stand before
    the dependency wait, whoever writes the line.
  }];
  let arguments = (ins HopperGlobal:$memory, I64:$offset, I1:$condition);
  let assemblyFormat = [{
    $memory `[` $offset `]` `if` $condition attr-dict `:`
    qualified(type($memory))
  }];
  let hasVerifier = 1;
}

def MaskedStoreOp : HopperEffectOp<"masked_store"> {
  let summary = "writes global memory where a condition holds";
  let arguments = (ins HopperLanesVector:$value, HopperGlobal:$memory,
                       I64:$offset, I1:$condition, UnitAttr:$once);
  let assemblyFormat = [{
    (`once` $once^)? $value `,` $memory `[` $offset `]` `if` $condition
    attr-dict `:` type($value) `,` qualified(type($memory))
  }];
  let hasVerifier = 1;
}
