// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A module as Tile IR bytecode, version 13.3 or 13.4. The older one cannot say
// which tiles lie inside their views.

#ifndef GIRIH_LOWER_TILEIR_WRITER_H
#define GIRIH_LOWER_TILEIR_WRITER_H

#include "lower/tileir/Module.h"

namespace girih::tileir {

using Bytes = std::vector<uint8_t>;

/// LEB128, unsigned; zigzag first for signed numbers.
void writeVarint(Bytes &out, uint64_t value);
void writeSignedVarint(Bytes &out, int64_t value);

/// Of versions 13.N, those that are written.
inline constexpr unsigned oldestMinor = 3, newestMinor = 4;

/// The bytes of a module; the same module gives the same bytes. With `places`
/// they say where in the kernel each op comes from.
Bytes writeBytecode(const Module &module, unsigned minor = newestMinor,
                    bool places = false);

} // namespace girih::tileir

#endif // GIRIH_LOWER_TILEIR_WRITER_H
