// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors, partitions and pieces.

#ifndef GIRIH_IR_TYPES_TD
#define GIRIH_IR_TYPES_TD

include "ir/types/Dialect.td"

def TileMode : I32EnumAttr<"Mode", "who may touch an element of a tensor", [
  I32EnumAttrCase<"Shared", 0, "shared">,
  I32EnumAttrCase<"Own", 1, "own">,
  I32EnumAttrCase<"Out", 2, "out">,
  I32EnumAttrCase<"AtomicAdd", 3, "atomic<add>">,
  I32EnumAttrCase<"AtomicMin", 4, "atomic<min>">,
  I32EnumAttrCase<"AtomicMax", 5, "atomic<max>">,
  I32EnumAttrCase<"AtomicAnd", 6, "atomic<and>">,
  I32EnumAttrCase<"AtomicOr", 7, "atomic<or>">,
  I32EnumAttrCase<"AtomicXor", 8, "atomic<xor>">,
  I32EnumAttrCase<"Raw", 9, "raw">
]> {
  let cppNamespace = "::girih::tile";
  let genSpecializedAttr = 0;
}

class TileType<string name, string mnemonicText>
    : TypeDef<TileDialect, name> {
  let mnemonic = mnemonicText;
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def TileAtomicKind : I32EnumAttr<"AtomicKind", "a read-modify-write", [
  I32EnumAttrCase<"Add", 0, "add">,
  I32EnumAttrCase<"Min", 1, "min">,
  I32EnumAttrCase<"Max", 2, "max">,
  I32EnumAttrCase<"And", 3, "and">,
  I32EnumAttrCase<"Or", 4, "or">,
  I32EnumAttrCase<"Xor", 5, "xor">
]> {
  let cppNamespace = "::girih::tile";
}

def TileTensorType : TileType<"TileTensor", "tensor"> {
  let summary = "a tensor argument: extents, element type, mode, layout";
  let description = [{
    `!tile.tensor<[M, 128] x f32, out partial, strides [ld, 1], align = 4>`.
    Extents and strides are constants (an `IntegerAttr` of type index) or
    launch symbols (a `StringAttr`); of a view also `?`, known at run time (a
    `UnitAttr`). No strides means row-major and packed, of a view that they are
    the root's.
  }];
  let parameters = (ins
    ArrayRefParameter<"::mlir::Attribute">:$dims,
    "::mlir::Type":$elementType,
    "::girih::tile::Mode":$mode,
    "bool":$partial,
    ArrayRefParameter<"::mlir::Attribute">:$strides,
    "int64_t":$align);
  let extraClassDeclaration = [{
    static constexpr int64_t defaultAlign = 16;
    unsigned getRank() { return getDims().size(); }
  }];
}

def TilePartitionType : TileType<"Partition", "partition"> {
  let summary = "a tensor seen as a grid of tiles; edge tiles are ragged";
  let description = [{
    `!tile.partition<[128, _], [M, K] x bf16, shared>`. A unit axis `_` is
    stored as 0: it is indexed, but absent from the tile's vector.
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$tile,
    "::girih::tile::TileTensorType":$tensor);
  let extraClassDeclaration = [{
    /// The vector of the axes that are not unit, or the scalar element type if
    /// all are.
    ::mlir::Type getTileType();
    unsigned getRank() { return getTile().size(); }
  }];
}

def TilePieceType : TileType<"Piece", "piece"> {
  let summary = "the capability to one tile of a tensor";
  let description = [{ `!tile.piece<[128, 256] x f32, out>`. }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$tile,
    "::mlir::Type":$elementType,
    "::girih::tile::Mode":$mode);
  let extraClassDeclaration = [{
    ::mlir::Type getTileType();
  }];
}

#endif // GIRIH_IR_TYPES_TD
