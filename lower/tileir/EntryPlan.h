// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which entry points a kernel gets, and what each may assume. All do the same;
// they differ in what the launcher has checked before it picks one, and so in
// how tiles are read. The assembler moves tiles with the tensor copy engine
// only if sizes fit 31 bits and strides are multiples of 16 bytes, so the first
// entry is for launches of that kind and the last one for all others; between
// them are entries for those that miss it with some extents. A stride that is a
// product of extents has to fit itself: that its factors do says nothing of it.

#ifndef GIRIH_LOWER_TILEIR_ENTRYPLAN_H
#define GIRIH_LOWER_TILEIR_ENTRYPLAN_H

#include "ir/ops/Tile.h"

#include <map>
#include <string>
#include <vector>

namespace girih::tileir {

/// What holds of a launch symbol, inclusive.
struct SymbolFacts {
  int64_t low = 0, high = 0;
  uint64_t divisor = 1;
};

/// The grain of strides for the copy engine, and for reading by the word.
inline constexpr int64_t engineBytes = 16, wordBytes = 4;

/// The largest size of a view that fits the copy engine.
inline constexpr int64_t engineSize = (int64_t(1) << 31) - 1;

/// What holds of the symbol by spec/tile.md, whatever the launch.
SymbolFacts impliedFacts(mlir::Type symbol);

struct EntryPlan {
  std::string entry;
  /// The launcher checks these; `facts` follow from them.
  std::vector<tile::ComparisonAttr> when;
  /// The contract has these; `facts` follow from them, too.
  std::vector<tile::ComparisonAttr> required;
  std::map<std::string, SymbolFacts> facts; ///< of every symbol
  /// Products of extents that are strides of views and at most `engineSize`,
  /// each behind those that it has as factors.
  std::vector<tile::ExprAttr> products;
  /// Every symbolic stride is at least 1.
  bool positiveStrides = false;
};

/// The strides of a tensor in elements as contract expressions: as declared, or
/// row-major and packed.
std::vector<tile::ExprAttr> strideExprs(tile::TileTensorType type);
std::vector<tile::ExprAttr> extentExprs(tile::TileTensorType type);

/// In the order in which a launcher tries them; the last has no condition.
std::vector<EntryPlan> plansOf(tile::KernelOp kernel);

/// Removes entries to which no launch comes: their conditions contradict the
/// contract, or one before them asks for no more than the contract and they do.
/// The last one that is left has no conditions.
void dropUnreachable(std::vector<EntryPlan> &plans, tile::KernelOp kernel);

} // namespace girih::tileir

#endif // GIRIH_LOWER_TILEIR_ENTRYPLAN_H
