// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops on values that upstream dialects do not have in this form.

include "ir/Attrs.td"
include "ir/Types.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def MmaOp : TileOp<"mma", [
    Pure, AllTypesMatch<["acc", "result"]>
  ]> {
  let summary = "lhs * rhs + acc, in any order of summation";
  let arguments = (ins
    AnyVectorOfNonZeroRank:$lhs, AnyVectorOfNonZeroRank:$rhs,
    AnyVectorOfNonZeroRank:$acc);
  let results = (outs AnyVectorOfNonZeroRank:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $acc attr-dict
    `:` type($lhs) `,` type($rhs) `,` type($acc)
  }];
  let hasVerifier = 1;
}

def ReduceOp : TileOp<"reduce", [Pure, InferTypeOpAdaptor]> {
  let summary = "reduces one axis of a vector, in any order";
  let description = [{
    `tile.reduce max %v, 1 : vector<64x128xf32>` drops axis 1; `keep` after the
    axis leaves it with extent 1. A vector of one axis becomes a scalar.
  }];
  let arguments = (ins
    TileReduceKind:$reduceKind, AnyVectorOfNonZeroRank:$value, I64Attr:$axis,
    UnitAttr:$keep);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    custom<ReduceWord>($reduceKind) $value `,` $axis (`keep` $keep^)?
    attr-dict `:` type($value)
  }];
  let hasVerifier = 1;
}
