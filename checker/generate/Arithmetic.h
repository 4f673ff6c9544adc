// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one lane of an op on integers or conditions is, as a polynomial or a
// condition: the same for scalars and for the lanes of a vector.

#ifndef GIRIH_CHECKER_GENERATE_ARITHMETIC_H
#define GIRIH_CHECKER_GENERATE_ARITHMETIC_H

#include "checker/generate/Condition.h"
#include "checker/generate/Facts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace girih::checker {

/// Whether it is `index` or an iN other than i1.
bool isInteger(mlir::Type t);

/// The bits of such a type.
unsigned integerBits(mlir::Type t, Width width);

/// Among how many lanes `v` is the number of one, where it becomes an index:
/// what argmax and argmin give.
std::optional<int64_t> countedLanes(mlir::Value v);

/// A value about which only its range is known, by its op or its type: a fresh
/// variable, with facts of that range.
proofs::Poly unknownInteger(FactBase &base, Variable v, mlir::Type type);

Condition compare(mlir::arith::CmpIPredicate p, const proofs::Poly &a,
                  const proofs::Poly &b);

/// c ? a : b by nested selects; nothing when c is unknown.
std::optional<proofs::Poly> choose(FactBase &base, const Condition &c,
                                   const proofs::Poly &a, const proofs::Poly &b,
                                   const std::string &name);

/// c ? a : b of conditions.
Condition choose(const Condition &c, const Condition &a, const Condition &b);

/// andi, ori and xori of conditions.
Condition logic(mlir::Operation *op, const Condition &a, const Condition &b);

} // namespace girih::checker

#endif // GIRIH_CHECKER_GENERATE_ARITHMETIC_H
