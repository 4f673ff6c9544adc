// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels with one small mistake, of the kinds that people make: off by one, a
// dropped mask, swapped axes, a weaker contract. What survives the checker must
// be as safe as what it was made from.

#ifndef GIRIH_FUZZ_GENERATORS_MUTATE_H
#define GIRIH_FUZZ_GENERATORS_MUTATE_H

#include "mlir/IR/MLIRContext.h"

#include <string>
#include <vector>

namespace girih::fuzz {

struct Mutant {
  std::string kind;  ///< `floor for ceil`, `mask dropped`, ...
  std::string place; ///< the op that was changed, and its number in the kernel
  std::string text;  ///< the whole kernel
};

/// Every mutant of a kernel file, each by one change; none if the text cannot
/// be parsed. Some are no kernels any more: the reader refuses them.
std::vector<Mutant> mutantsOf(mlir::MLIRContext &context,
                              const std::string &text);

} // namespace girih::fuzz

#endif // GIRIH_FUZZ_GENERATORS_MUTATE_H
