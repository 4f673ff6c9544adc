// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The transfer functions of arith: what an op gives, from what its operands
// are. They are the same for scalars and for each lane of a vector; who calls
// says how operands are read.

#ifndef GIRIH_CHECKER_GENERATE_VALUES_H
#define GIRIH_CHECKER_GENERATE_VALUES_H

#include "checker/generate/Arithmetic.h"

namespace girih::checker {

/// A name for a reader: the one in the text, else the defining operation and
/// its line.
std::string valueName(mlir::Value v);

/// Line and column of an op, `12:5`; nothing where it has none.
std::string placeOf(mlir::Operation *op);

/// How the operands of one op are read, and what is done beside its result.
struct OperandReader {
  llvm::function_ref<proofs::Poly(mlir::Value)> integer;
  llvm::function_ref<Condition(mlir::Value)> condition;
  /// Called with a result that `index` must hold.
  llvm::function_ref<void(const proofs::Poly &)> emitWidth;
  /// Whether and, or and xor of integers are followed bit by bit.
  bool followsBits;
};

/// The value of an integer constant: a scalar, or a vector of equal lanes.
std::optional<llvm::APInt> constantOf(mlir::arith::ConstantOp op);

/// Whether it is divsi, ceildivsi or remsi.
bool isDivision(mlir::Operation *op);

/// The integer that `op` gives, or nothing when only its type is known.
/// It is not an i1. Emits the obligations of a division on behalf of `asking`.
std::optional<proofs::Poly> integerResult(FactBase &base, mlir::Operation *op,
                                          mlir::Operation *asking,
                                          const OperandReader &in);

/// The i1 that `op` gives.
Condition conditionResult(mlir::Operation *op, const OperandReader &in);

} // namespace girih::checker

#endif // GIRIH_CHECKER_GENERATE_VALUES_H
