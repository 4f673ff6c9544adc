// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What expressions of a contract come to at some launch. Only to choose
// launches and conditions that are worth a try: what a launch really is, the
// executor says.

#ifndef GIRIH_CHECKER_DECIDE_CONTRACTVALUES_H
#define GIRIH_CHECKER_DECIDE_CONTRACTVALUES_H

#include "ir/ops/Tile.h"

#include "llvm/ADT/StringMap.h"

#include <optional>
#include <string>
#include <vector>

namespace girih::checker {

/// Expressions over the launch symbols of one kernel, in one list.
class ContractValues {
public:
  using Wide = __int128;
  struct Comparison {
    tile::ComparisonKind kind;
    size_t lhs, rhs; ///< expressions
  };

  explicit ContractValues(tile::KernelOp kernel);

  /// By place, in the order of declaration.
  std::vector<std::string> names;

  /// The place of a symbol.
  size_t symbol(llvm::StringRef name) const;
  size_t add(tile::ExprAttr e);
  Comparison add(tile::ComparisonAttr c);

  /// `values` by symbol. Nothing when it leaves 128 bits, or divides by less
  /// than 1 or what is negative.
  std::optional<Wide> evaluate(size_t expression,
                               llvm::ArrayRef<int64_t> values) const;
  std::optional<bool> holds(const Comparison &c,
                            llvm::ArrayRef<int64_t> values) const;

private:
  struct Node {
    tile::ExprKind kind;
    int64_t number; ///< a constant, or a symbol's place
    size_t lhs, rhs;
  };
  std::vector<Node> nodes;
  llvm::StringMap<size_t> places; ///< of `names`
};

} // namespace girih::checker

#endif // GIRIH_CHECKER_DECIDE_CONTRACTVALUES_H
