// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the author of a kernel asks to be believed: `raw` tensors, `assumed`
// facts, `tile.trust`.

#ifndef GIRIH_CHECKER_DECIDE_OPTOUTS_H
#define GIRIH_CHECKER_DECIDE_OPTOUTS_H

#include "ir/ops/Tile.h"

#include <string>
#include <vector>

namespace girih::checker {

/// A word for the form, what it says and where.
struct OptOut {
  std::string form;
  std::string text;
  mlir::Operation *op = nullptr;
};

/// What a kernel asks to be believed.
std::vector<OptOut> optOutsOf(tile::KernelOp kernel);

/// `trust: the table is sorted (k.mlir:12:3)`.
std::string optOutText(const OptOut &o);

} // namespace girih::checker

#endif // GIRIH_CHECKER_DECIDE_OPTOUTS_H
