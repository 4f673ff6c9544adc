// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytecode of a lowered kernel, compared with the kernel.

#ifndef GIRIH_LOWER_READBACK_H
#define GIRIH_LOWER_READBACK_H

#include "lower/tileir/Lower.h"
#include "lower/tileir/Writer.h"

namespace girih::lower {

/// What differs, or nothing.
std::optional<std::string> readBack(const checker::VerifiedKernel &verified,
                                    const tileir::Lowered &lowered,
                                    const tileir::Bytes &bytecode);

} // namespace girih::lower

#endif // GIRIH_LOWER_READBACK_H
