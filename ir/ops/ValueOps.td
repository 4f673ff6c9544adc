// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops on values that upstream dialects do not have in this form.

include "ir/types/Attrs.td"
include "ir/types/Types.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def IotaOp : TileOp<"iota", [Pure]> {
  let summary = "the number of each lane along an axis";
  let description = [{
    `%l = tile.iota 1 : vector<64x128xi32>`: lane (i, j) holds j.
  }];
  let arguments = (ins I64Attr:$axis);
  let results = (outs AnyVectorOfNonZeroRank:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def MulHiOp : TileOp<"mulhi", [Pure, SameOperandsAndResultType]> {
  let summary = "the high half of the product, lane by lane, without sign";
  let description = [{
    `%h = tile.mulhi %x, %y : vector<64xi32>`: bits 32 to 63 of the product of
    both operands, read without sign. arith has no op with this one result.
  }];
  let arguments = (ins AnyType:$lhs, AnyType:$rhs);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

def MmaOp : TileOp<"mma", [
    Pure, AllTypesMatch<["acc", "result"]>
  ]> {
  let summary = "lhs * rhs + acc, in any order of summation";
  let description = [{
    With `fast`, factors of f32 may be taken with the digits of tf32, and sums
    of products of 8 bits with those that tensor cores keep.
  }];
  let arguments = (ins
    AnyVectorOfNonZeroRank:$lhs, AnyVectorOfNonZeroRank:$rhs,
    AnyVectorOfNonZeroRank:$acc, UnitAttr:$fast);
  let results = (outs AnyVectorOfNonZeroRank:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $acc (`fast` $fast^)? attr-dict
    `:` type($lhs) `,` type($rhs) `,` type($acc)
  }];
  let hasVerifier = 1;
}

def MmaScaledOp : TileOp<"mma_scaled", [
    Pure, AllTypesMatch<["acc", "result"]>
  ]> {
  let summary = "likewise of factors that have a scale for each block";
  let description = [{
    `%r = tile.mma_scaled %x, %y, %acc, %sx, %sy : vector<64x128xf8E4M3FN>,
    vector<128x32xf8E4M3FN>, vector<64x32xf32>, vector<64x4xf8E8M0FNU>,
    vector<4x32xf8E8M0FNU>`: a scale belongs to 32 neighbours of the axis that
    is summed over.
  }];
  let arguments = (ins
    AnyVectorOfNonZeroRank:$lhs, AnyVectorOfNonZeroRank:$rhs,
    AnyVectorOfNonZeroRank:$acc, AnyVectorOfNonZeroRank:$lhsScale,
    AnyVectorOfNonZeroRank:$rhsScale);
  let results = (outs AnyVectorOfNonZeroRank:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $acc `,` $lhsScale `,` $rhsScale attr-dict
    `:` type($lhs) `,` type($rhs) `,` type($acc) `,` type($lhsScale) `,`
    type($rhsScale)
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

def ScanOp : TileOp<"scan", [Pure, SameOperandsAndResultType]> {
  let summary = "the running reduction along one axis, in any order";
  let description = [{
    `tile.scan add %v, 1 : vector<64x128xf32>`: a lane of the result combines
    the lanes up to it and itself; with `reverse` those from it on.
  }];
  let arguments = (ins
    TileReduceKind:$reduceKind, AnyVectorOfNonZeroRank:$value, I64Attr:$axis,
    UnitAttr:$reverse);
  let results = (outs AnyVectorOfNonZeroRank:$result);
  let assemblyFormat = [{
    custom<ReduceWord>($reduceKind) $value `,` $axis (`reverse` $reverse^)?
    attr-dict `:` type($value)
  }];
  let hasVerifier = 1;
}

def ConvertOp : TileOp<"convert", [Pure]> {
  let summary = "rounds to a format of 8 bits or less, and saturates";
  let description = [{
    `tile.convert %v : vector<64xf32> to vector<64xf8E4M3FN>`, to nearest even;
    `tile.convert %v rounding(zero) : f32 to f8E8M0FNU`.
  }];
  let arguments = (ins AnyType:$value, OptionalAttr<TileRounding>:$rounding);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $value (`rounding` `(` custom<RoundingWord>($rounding)^ `)`)? attr-dict
    `:` type($value) `to` type($result)
  }];
  let hasVerifier = 1;
}

def ExtractOp : TileOp<"extract", [Pure]> {
  let summary = "one of the sub-vectors that a vector is cut into";
  let description = [{
    `%h = tile.extract %v[1, 0] : vector<64x64xf32> to vector<64x32xf32>`: the
    operand is cut into sub-vectors of the result's shape, which are numbered
    along each axis.
  }];
  let arguments = (ins
    AnyVectorOfNonZeroRank:$value, DenseI64ArrayAttr:$position);
  let results = (outs AnyVectorOfNonZeroRank:$result);
  let assemblyFormat = [{
    $value `` $position attr-dict `:` type($value) `to` type($result)
  }];
  let hasVerifier = 1;
}

def CatOp : TileOp<"cat", [Pure, SameTypeOperands, InferTypeOpAdaptor]> {
  let summary = "two vectors, one behind the other along an axis";
  let description = [{
    `%c = tile.cat %a, %b, 1 : vector<64x32xf32>` is a vector<64x64xf32>.
  }];
  let arguments = (ins
    AnyVectorOfNonZeroRank:$lhs, AnyVectorOfNonZeroRank:$rhs, I64Attr:$axis);
  let results = (outs AnyVectorOfNonZeroRank:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $axis attr-dict `:` type($lhs)
  }];
}

class TileArgumentOp<string mnemonic>
    : TileOp<mnemonic, [Pure, InferTypeOpAdaptor]> {
  let arguments = (ins
    AnyVectorOfNonZeroRank:$value, I64Attr:$axis, UnitAttr:$keep);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $value `,` $axis (`keep` $keep^)? attr-dict `:` type($value)
  }];
  let hasVerifier = 1;
}

def ArgMaxOp : TileArgumentOp<"argmax"> {
  let summary = "where the largest lane along one axis is: i32, the first one";
}

def ArgMinOp : TileArgumentOp<"argmin"> {
  let summary = "where the smallest lane along one axis is: i32, the first one";
}
