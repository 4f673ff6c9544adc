// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A module as Tile IR bytecode, version 13.3.

#ifndef GIRIH_LOWER_TILEIR_WRITER_H
#define GIRIH_LOWER_TILEIR_WRITER_H

#include "lower/tileir/Module.h"

namespace girih::tileir {

using Bytes = std::vector<uint8_t>;

/// LEB128, unsigned; zigzag first for signed numbers.
void writeVarint(Bytes &out, uint64_t value);
void writeSignedVarint(Bytes &out, int64_t value);

/// The bytes of a module; the same module gives the same bytes.
Bytes writeBytecode(const Module &module);

} // namespace girih::tileir

#endif // GIRIH_LOWER_TILEIR_WRITER_H
