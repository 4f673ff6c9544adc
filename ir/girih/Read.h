// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the libraries read kernels: errors become data, nothing is printed.

#ifndef GIRIH_IR_GIRIH_READ_H
#define GIRIH_IR_GIRIH_READ_H

#include "girih/expected.h"
#include "ir/text/Reader.h"

namespace girih::api {

/// A context with the dialects of the language, for one thread at a time.
std::unique_ptr<mlir::MLIRContext> makeContext();

/// The kernels of a source: at least one.
Expected<tile::KernelFiles> read(mlir::MLIRContext &context,
                                 const Source &source);

/// Where a stretch of a kernel's text lies; unknown if it is invalid.
SourceRange rangeOf(const tile::KernelFile &file, llvm::SMRange range);

} // namespace girih::api

#endif // GIRIH_IR_GIRIH_READ_H
