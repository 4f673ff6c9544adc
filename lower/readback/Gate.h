// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last look at the bytecode before an assembler sees it: it is read back by
// a reader that shares no code with the emitter, and what it touches is
// compared with what the verified kernel touches.
//
// README.md lists what is compared, by op and operand.

#ifndef GIRIH_LOWER_READBACK_GATE_H
#define GIRIH_LOWER_READBACK_GATE_H

#include "ir/ops/Tile.h"

#include <span>

namespace girih::readback {

/// How a launcher fills a parameter, as the manifest says it.
struct Parameter {
  std::optional<unsigned> argument; ///< of the kernel: its address or value
  tile::ExprAttr value;             ///< else
};

/// An entry point as the manifest says it.
struct Entry {
  std::string name;
  std::vector<tile::ComparisonAttr> when;
  /// What is said to follow from the contract; what does not counts for
  /// nothing.
  std::vector<tile::ComparisonAttr> required = {};
  /// A launch may begin before the grids before it are done.
  bool waits = false;
};

/// What differs, or nothing.
std::optional<std::string> mismatch(std::span<const uint8_t> bytecode,
                                    tile::KernelOp kernel,
                                    const std::vector<Entry> &entries,
                                    const std::vector<Parameter> &parameters);

} // namespace girih::readback

#endif // GIRIH_LOWER_READBACK_GATE_H
