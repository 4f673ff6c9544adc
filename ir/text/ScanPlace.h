// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands behind `loc`, as far as a kernel may say it.

#ifndef GIRIH_IR_TEXT_SCANPLACE_H
#define GIRIH_IR_TEXT_SCANPLACE_H

#include "ir/text/Scan.h"

namespace girih::tile {

/// The longest name of a file in a location, and how deep locations nest.
inline constexpr size_t maxPlaceName = 4096;
inline constexpr unsigned maxPlaceNesting = 16;

/// Reads `(LOCATION)` from `pos` on, which it moves behind it; or an error.
std::optional<ScanError> scanPlace(llvm::StringRef text, size_t &pos);

/// The first byte from `pos` on that is neither blank nor in a comment.
size_t skipBlanks(llvm::StringRef text, size_t pos);

} // namespace girih::tile

#endif // GIRIH_IR_TEXT_SCANPLACE_H
