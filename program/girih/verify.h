// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Verifies kernels of girih/kernel.h in the process that has them, without a
/// GPU: for unit tests.

#ifndef GIRIH_VERIFY_H
#define GIRIH_VERIFY_H

#include "girih/checker.h"
#include "girih/kernel.h"

namespace girih::kernel {

/// Records and verifies the kernel of a struct, or those of a list of variants:
/// `verify<gemm<128, 256>>()->verified`, or `->kernels[0].text`, what
/// `tile-verify` prints. Throws kernel::Error for what recording refuses.
template <class K>
girih::Expected<girih::Verification>
verify(const girih::VerifyOptions &options = {}, Place at = Place::current()) {
  recorder::File file = record<K>(at);
  return girih::verify(
      girih::Source::of(std::move(file.placed), file.name + ".mlir"), options);
}

} // namespace girih::kernel

#endif // GIRIH_VERIFY_H
