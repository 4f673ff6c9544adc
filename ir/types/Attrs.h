// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contract expressions and comparisons, launch symbols, padding, reductions.

#ifndef GIRIH_IR_TYPES_ATTRS_H
#define GIRIH_IR_TYPES_ATTRS_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"

#include "ir/types/Enums.h.inc"

namespace girih::tile {

/// A launch symbol with its type: `index` for extents, else as declared.
struct LaunchSymbol {
  mlir::StringAttr name;
  mlir::Type type;
};

} // namespace girih::tile

#define GET_ATTRDEF_CLASSES
#include "ir/types/Attrs.h.inc"

namespace girih::tile {

/// The largest number of nodes of one contract expression: walks over it are
/// recursive.
inline constexpr unsigned maxExprNodes = 256;

/// Parses `a + ceildiv(b, 2)`, without any attribute sigil.
mlir::FailureOr<ExprAttr> parseExpr(mlir::AsmParser &parser);

/// Parses `a + 1 <= b`.
mlir::FailureOr<ComparisonAttr> parseComparison(mlir::AsmParser &parser);

/// Comparisons in brackets of a kind, any number of them.
mlir::ParseResult
parseComparisons(mlir::AsmParser &parser, mlir::AsmParser::Delimiter brackets,
                 llvm::SmallVectorImpl<mlir::Attribute> &comparisons);

/// What stands behind `when`: `(c, ...)`, at least one.
mlir::ParseResult
parseConditions(mlir::AsmParser &parser,
                llvm::SmallVectorImpl<mlir::Attribute> &conditions);

/// Parses `within(%t, 0, V) assumed`; `parseTensor` reads `%t` and gives the
/// number of the argument.
mlir::FailureOr<GivenAttr>
parseGiven(mlir::AsmParser &parser,
           llvm::function_ref<mlir::FailureOr<unsigned>()> parseTensor);

/// Calls `visit` with the name of every symbol that occurs in `expr`.
void forEachSymbol(ExprAttr expr,
                   llvm::function_ref<void(mlir::StringAttr)> visit);

/// Calls `visit` with every integer that is written in the comparison.
void forEachConstant(ComparisonAttr comparison,
                     llvm::function_ref<void(int64_t)> visit);

/// `pad(zero)`, `pad(-1)`, `pad(0.5)`, or nothing. The attribute is a PadAttr,
/// or a number: an IntegerAttr of i64 or a FloatAttr of f64.
mlir::ParseResult parsePadClause(mlir::OpAsmParser &parser,
                                 mlir::Attribute &pad);
/// The number of `pad(-1)`; nothing of a word, which MLIR takes for an
/// IntegerAttr of i32.
std::optional<int64_t> wholePad(mlir::Attribute pad);
/// Refuses a padding that is no number of the element type.
mlir::LogicalResult verifyPad(mlir::Operation *op, mlir::Attribute pad,
                              mlir::Type element);
void printPadClause(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                    mlir::Attribute pad);

} // namespace girih::tile

#endif // GIRIH_IR_TYPES_ATTRS_H
