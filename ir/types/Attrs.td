// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contract expressions and comparisons, launch symbols, and the words of ops.

#ifndef GIRIH_IR_ATTRS_TD
#define GIRIH_IR_ATTRS_TD

include "ir/types/Dialect.td"

class TileEnum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::girih::tile";
}

def TileExprKind : TileEnum<"ExprKind", "a node of a contract expression", [
  I32EnumAttrCase<"Constant", 0, "constant">,
  I32EnumAttrCase<"Symbol", 1, "symbol">,
  I32EnumAttrCase<"Add", 2, "+">,
  I32EnumAttrCase<"Sub", 3, "-">,
  I32EnumAttrCase<"Mul", 4, "*">,
  I32EnumAttrCase<"Div", 5, "div">,
  I32EnumAttrCase<"Mod", 6, "mod">,
  I32EnumAttrCase<"CeilDiv", 7, "ceildiv">,
  I32EnumAttrCase<"Min", 8, "min">,
  I32EnumAttrCase<"Max", 9, "max">
]> { let genSpecializedAttr = 0; }

def TileComparisonKind : TileEnum<"ComparisonKind", "a relation", [
  I32EnumAttrCase<"Eq", 0, "==">,
  I32EnumAttrCase<"Lt", 1, "<">,
  I32EnumAttrCase<"Le", 2, "<=">,
  I32EnumAttrCase<"Gt", 3, ">">,
  I32EnumAttrCase<"Ge", 4, ">=">
]> { let genSpecializedAttr = 0; }

def TileGivenKind : TileEnum<"GivenKind", "what is given about contents", [
  I32EnumAttrCase<"Within", 0, "within">,
  I32EnumAttrCase<"Sorted", 1, "sorted">,
  I32EnumAttrCase<"Splits", 2, "splits">,
  I32EnumAttrCase<"Distinct", 3, "distinct">
]> { let genSpecializedAttr = 0; }

def TilePad : TileEnum<"Pad", "what a load reads outside the tensor", [
  I32EnumAttrCase<"Zero", 0, "zero">,
  I32EnumAttrCase<"NegZero", 1, "neg_zero">,
  I32EnumAttrCase<"NegInf", 2, "neg_inf">,
  I32EnumAttrCase<"PosInf", 3, "pos_inf">,
  I32EnumAttrCase<"NaN", 4, "nan">
]>;

// A number is of 64 bits; the verifier holds it to the element type.
def TilePadding : AnyAttrOf<[TilePad, I64Attr, F64Attr],
                            "a word or a number for lanes outside">;

def TileReduceKind : TileEnum<"ReduceKind", "the operation of a reduction", [
  I32EnumAttrCase<"Add", 0, "add">,
  I32EnumAttrCase<"Mul", 1, "mul">,
  I32EnumAttrCase<"Max", 2, "max">,
  I32EnumAttrCase<"Min", 3, "min">
]>;

def TileRounding : TileEnum<"Rounding", "where a power of two is rounded to", [
  I32EnumAttrCase<"Zero", 0, "zero">,
  I32EnumAttrCase<"PositiveInf", 1, "positive_inf">
]>;

def TileMapKind : TileEnum<"MapKind", "what a map claims of itself", [
  I32EnumAttrCase<"Plain", 0, "plain">,
  I32EnumAttrCase<"Injective", 1, "injective">,
  I32EnumAttrCase<"Bijective", 2, "bijective">
]>;

def TileProveKind : TileEnum<"ProveKind", "the rule that owes a condition", [
  I32EnumAttrCase<"Holds", 0, "holds">,
  I32EnumAttrCase<"Domain", 1, "domain">,
  I32EnumAttrCase<"Into", 2, "into">,
  I32EnumAttrCase<"Inverse", 3, "inverse">,
  I32EnumAttrCase<"Count", 4, "count">,
  I32EnumAttrCase<"Bytes", 5, "bytes">
]>;

def TileViewKind : TileEnum<"ViewKind", "how a view names elements", [
  I32EnumAttrCase<"Slice", 0, "slice">,
  I32EnumAttrCase<"Permute", 1, "permute">,
  I32EnumAttrCase<"Unfold", 2, "unfold">,
  I32EnumAttrCase<"Fix", 3, "fix">,
  I32EnumAttrCase<"Flatten", 4, "flatten">
]>;

class TileAttr<string name, string mnemonicText> : AttrDef<TileDialect, name> {
  let mnemonic = mnemonicText;
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def TileExprAttr : TileAttr<"Expr", "expr"> {
  let summary = "an integer expression over launch symbols";
  let description = [{
    `ceildiv(M, 128) * N + 1`: infix `+ - *`, the functions `div mod ceildiv
    min max` of two arguments, parentheses, constants, launch symbols. A
    constant has a value, a symbol its name, all others two operands.
  }];
  let parameters = (ins
    "::girih::tile::ExprKind":$kind,
    "int64_t":$value,
    "::mlir::StringAttr":$symbol,
    "::girih::tile::ExprAttr":$lhs,
    "::girih::tile::ExprAttr":$rhs);
  let extraClassDeclaration = [{
    static ExprAttr constant(::mlir::MLIRContext *context, int64_t value);
    static ExprAttr symbol(::mlir::StringAttr name);
    static ExprAttr binary(ExprKind kind, ExprAttr lhs, ExprAttr rhs);
    /// The text in a kernel's header.
    std::string str();
  }];
}

def TileComparisonAttr : TileAttr<"Comparison", "comparison"> {
  let summary = "a comparison of two contract expressions";
  let description = [{
    In a kernel's header `M + 1 <= N`; alone `#tile.comparison<le(M + 1, N)>`.
  }];
  let parameters = (ins
    "::girih::tile::ComparisonKind":$kind,
    "::girih::tile::ExprAttr":$lhs,
    "::girih::tile::ExprAttr":$rhs);
  let extraClassDeclaration = [{
    /// The text in a kernel's header.
    std::string str();
  }];
}

def TileLaunchSymbolAttr : TileAttr<"LaunchSymbol", "launch_symbol"> {
  let summary = "an entry of the symbols clause: `pos : i32`";
  let parameters = (ins "::mlir::StringAttr":$name, "::mlir::Type":$type);
}

def TileCoverAttr : AttrDef<TileDialect, "Cover"> {
  let mnemonic = "cover";
  let summary = "which block and trips write a tile of an output";
  let description = [{
    In a kernel's header `%c[i, j] by block (i * N + j) trips (0)`: expressions
    over the indices of a tile and the launch symbols.
  }];
  let parameters = (ins
    "::mlir::StringAttr":$tensor,
    "::mlir::ArrayAttr":$indices,
    "::mlir::ArrayAttr":$blocks,
    "::mlir::ArrayAttr":$trips);
  let assemblyFormat = "`<` struct(params) `>`";
}

def TileRepackAttr : AttrDef<TileDialect, "Repack"> {
  let mnemonic = "repack";
  let summary = "a tensor that a launcher may pass as a copy, and when";
  let description = [{
    In a kernel's header `%a when (M >= 512)`; alone with the number of the
    argument.
  }];
  let parameters = (ins "unsigned":$tensor, "::mlir::ArrayAttr":$conditions);
  let assemblyFormat = "`<` struct(params) `>`";
}

def TileGivenAttr : TileAttr<"Given", "given"> {
  let summary = "a fact about the contents of a shared integer tensor";
  let description = [{
    In a kernel's header `within(%t, 0, V)`, `sorted(%t)`, `splits(%t, T)`,
    `distinct(%t)`, each at times followed by `assumed`; alone
    `#tile.given<within(0, 0, V)>`, with the number of the argument. `within`
    has bounds low and high, `splits` its last value as high.
  }];
  let parameters = (ins
    "::girih::tile::GivenKind":$kind,
    "unsigned":$tensor,
    "::girih::tile::ExprAttr":$low,
    "::girih::tile::ExprAttr":$high,
    "bool":$assumed);
  let extraClassDeclaration = [{
    /// The text in a kernel's header; `tensor` is `%t`.
    std::string str(::llvm::StringRef tensor);
    /// The expressions, in the order in which they are written.
    ::llvm::SmallVector<ExprAttr, 2> getExprs();
  }];
}

#endif // GIRIH_IR_ATTRS_TD
