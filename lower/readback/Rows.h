// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How each op of Tile IR is written, one short line an op.

#ifndef GIRIH_LOWER_READBACK_ROWS_H
#define GIRIH_LOWER_READBACK_ROWS_H

#include <cstdint>

namespace girih::readback {

/// A word of `attributes` is `flag:NAME`, `enum:NAME`, `enum?:NAME`,
/// `hints?:NAME`, `integer:NAME`, `integers:NAME`, `constant:NAME`,
/// `predicate:NAME`, `identities:NAME`, `string:NAME` or `truths:NAME`, in the
/// order in which they are written; flags have no bytes of their own. What ends
/// in `+N` came with version 13.N. A word of `operands` has
/// `*` behind it where there may be any number, `?` where a flag announces it.
struct Row {
  unsigned opcode;
  const char *name;
  const char *operands;
  int results = 1; ///< -1: their number is written
  const char *attributes = "";
  bool counted = false; ///< one count stands before all operands
  unsigned regions = 0;
};

/// Null for an opcode that no kernel of ours has; or, with `foreign`, none that
/// is read of others.
const Row *rowOf(uint64_t opcode, bool foreign);

} // namespace girih::readback

#endif // GIRIH_LOWER_READBACK_ROWS_H
