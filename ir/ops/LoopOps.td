// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is said of loops: conditions that every trip finds true, and the number
// that every trip makes smaller.

include "ir/types/Attrs.td"
include "ir/types/Types.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// Neither may be merged, hoisted or dropped.
class TileLoopStatementOp<string mnemonic>
    : TileOp<mnemonic, [MemoryEffects<[MemRead, MemWrite]>]>;

def InvariantOp : TileLoopStatementOp<"invariant"> {
  let summary = "a condition that a loop keeps";
  let description = [{
    `tile.invariant %c, "the range is not turned round" : i1`, in the condition
    region of an `scf.while` or first in the body of an `scf.for`: true each time
    that control gets there.
  }];
  let arguments = (ins I1:$condition, OptionalAttr<StrAttr>:$text);
  let assemblyFormat =
      "$condition (`,` $text^)? attr-dict `:` type($condition)";
  let hasVerifier = 1;
}

def MeasureOp : TileLoopStatementOp<"measure"> {
  let summary = "a number that each trip of a while makes smaller";
  let description = [{
    `tile.measure %left : index`, last before the `scf.condition`: at least 0
    wherever the loop goes on, and less than it was the time before.
  }];
  let arguments = (ins Index:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
  let hasVerifier = 1;
}
