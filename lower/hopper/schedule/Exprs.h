// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a contract and a grid are compared with.

#ifndef GIRIH_LOWER_HOPPER_SCHEDULE_EXPRS_H
#define GIRIH_LOWER_HOPPER_SCHEDULE_EXPRS_H

#include "ir/ops/Tile.h"

namespace girih::hopper {

inline bool isSymbol(tile::ExprAttr expr, mlir::Attribute name) {
  return expr.getKind() == tile::ExprKind::Symbol && expr.getSymbol() == name;
}

inline bool isConstant(tile::ExprAttr expr, int64_t value) {
  return expr.getKind() == tile::ExprKind::Constant && expr.getValue() == value;
}

} // namespace girih::hopper

#endif // GIRIH_LOWER_HOPPER_SCHEDULE_EXPRS_H
