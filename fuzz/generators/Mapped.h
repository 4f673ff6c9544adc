// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles taken in an order that is written outside of the kernel: by a
// `tile.map`, a bijection with its inverse, or by a helper function.

#ifndef GIRIH_FUZZ_GENERATORS_MAPPED_H
#define GIRIH_FUZZ_GENERATORS_MAPPED_H

#include "fuzz/generators/Draw.h"
#include "fuzz/generators/Writer.h"

namespace girih::fuzz {

/// The tile of n that number `b` of n takes.
std::string writeMapped(Writer &w, Draw &d, const std::string &b,
                        const std::string &n);

/// Likewise, by a helper function that is called.
std::string writeCalled(Writer &w, Draw &d, const std::string &b,
                        const std::string &n);

/// The row of m and the column of n of the tile that number `b` of m * n takes.
std::pair<std::string, std::string> writeMapped(Writer &w, Draw &d,
                                                const std::string &b,
                                                const std::string &m,
                                                const std::string &n);

} // namespace girih::fuzz

#endif // GIRIH_FUZZ_GENERATORS_MAPPED_H
