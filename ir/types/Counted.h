// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts in messages. Knows nothing of MLIR, so that importer and readback gate
// can use it.

#ifndef GIRIH_IR_TYPES_COUNTED_H
#define GIRIH_IR_TYPES_COUNTED_H

#include <cstdint>
#include <string>
#include <string_view>

namespace girih::tile {

/// "1 axis" or "2 axes".
inline std::string counted(uint64_t count, std::string_view one,
                           std::string_view many) {
  return std::to_string(count) + " " + std::string(count == 1 ? one : many);
}

} // namespace girih::tile

#endif // GIRIH_IR_TYPES_COUNTED_H
