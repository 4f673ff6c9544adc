// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands behind the public VerifiedKernels.

#ifndef GIRIH_CHECKER_GIRIH_KERNELS_H
#define GIRIH_CHECKER_GIRIH_KERNELS_H

#include "checker/CheckFile.h"
#include "girih/checker.h"

#include <mutex>

namespace girih {

struct VerifiedKernels::Impl {
  /// Opening a kernel parses it in the context, which knows one thread.
  std::mutex mutex;
  std::unique_ptr<mlir::MLIRContext> context;
  std::vector<checker::Checked> kernels; ///< each of them VERIFIED
};

} // namespace girih

#endif // GIRIH_CHECKER_GIRIH_KERNELS_H
