// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of certificates as an enemy would write them: no verdict is better for
// one than an honest search would have it.

#ifndef GIRIH_FUZZ_FORGED_H
#define GIRIH_FUZZ_FORGED_H

#include "checker/Verify.h"
#include "fuzz/Draw.h"

namespace girih::fuzz {

/// A file for a kernel of which this is the honest verdict: models with huge,
/// negative, missing and foreign symbols, certificates under others' hashes,
/// disturbed ones, those of another kernel, a text that ends early.
proofs::CertificateFile forgedFile(Draw &d, tile::KernelOp kernel,
                                   const checker::Verdict &honest,
                                   const proofs::CertificateFile &foreign);

/// Verifies with some such files, with a search and without; what is wrong, or
/// nothing.
std::string tryForged(Draw &d, tile::KernelOp kernel,
                      const checker::Verdict &honest,
                      const checker::VerifyOptions &options,
                      const proofs::CertificateFile &foreign = {});

} // namespace girih::fuzz

#endif // GIRIH_FUZZ_FORGED_H
