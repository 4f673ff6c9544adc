// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the bytecode must have where lanes read nothing: a word in the view, a
// constant beside a mask, or a select behind the load.

#ifndef GIRIH_LOWER_READBACK_PADS_H
#define GIRIH_LOWER_READBACK_PADS_H

#include "lower/readback/Trace.h"

#include "ir/ops/Tile.h"

namespace girih::readback {

/// As Tile IR numbers them; nothing without a padding. A number that it has no
/// word for is 0 in the view.
std::optional<unsigned> paddingOfView(mlir::Attribute pad);

/// What lanes hold: of integers the number, of powers of two the exponent from
/// the smallest one on, of other floats the bits. Without a padding, zero.
Expr paddingOfLanes(Pool &pool, mlir::Type type, mlir::Attribute pad);

/// Whether a view gives lanes outside that padding.
bool isOfView(Pool &pool, mlir::Type element, mlir::Attribute pad);

/// The select behind a load.
struct WantedFill {
  Shape shape; ///< of the tile, with all axes
  Expr padding = nullptr;
  std::vector<Expr> required; ///< what its mask must ask of a lane
  std::vector<Expr> admitted; ///< what it may ask

  bool isMetBy(const Fill &got) const;
};

} // namespace girih::readback

#endif // GIRIH_LOWER_READBACK_PADS_H
