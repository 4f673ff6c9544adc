// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words of proofs/theory/Syntax.v for types, modes and ops: closed tables,
// so that what the theory has no form for is refused and never taken for
// something else.

#ifndef GIRIH_SPEC_COQ_WORDS_H
#define GIRIH_SPEC_COQ_WORDS_H

#include "ir/ops/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace girih::coq {

/// `(Int 8)`, `F32`; nothing for an element type that the theory lacks.
std::optional<std::string> elementWord(mlir::Type type);

/// `Shared`, `(Out true)`; nothing for a mode that it lacks.
std::optional<std::string> modeWord(tile::TileTensorType tensor);

/// `Add` of `arith.addi`; nothing for an op that is no integer op of two
/// operands.
std::optional<std::string> binaryWord(mlir::Operation *op);

/// `Lt` of `slt`; nothing for comparisons without sign.
std::optional<std::string> comparisonWord(mlir::arith::CmpIPredicate predicate);

/// How terms say an op.
enum class Form {
  Own,    ///< by a form of its own
  Opaque, ///< as an unknown function of its operands, with all attributes
};

/// Nothing for an op that terms cannot say.
std::optional<Form> formOf(llvm::StringRef op);

/// An attribute of an op that terms cannot say, or whose value they cannot;
/// empty when there is none. `fastmath<none>` and its like say nothing.
std::string foreignAttribute(mlir::Operation *op);

/// The attributes of an op whose form is `Opaque`, by name in their order; a
/// unit attribute has no numbers. There is no foreign one.
std::vector<std::pair<std::string, std::vector<int64_t>>>
attributesOf(mlir::Operation *op);

} // namespace girih::coq

#endif // GIRIH_SPEC_COQ_WORDS_H
