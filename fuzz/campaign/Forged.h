// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of certificates as an enemy would write them: no verdict is better for
// one than an honest search would have it.

#ifndef GIRIH_FUZZ_CAMPAIGN_FORGED_H
#define GIRIH_FUZZ_CAMPAIGN_FORGED_H

#include "checker/decide/Verify.h"
#include "fuzz/generators/Draw.h"

namespace girih::fuzz {

/// A file for a kernel of which this is the honest verdict: models with huge,
/// negative, missing and foreign symbols, certificates under others' hashes,
/// disturbed ones, those of another kernel, a text that ends early.
proofs::CertificateFile forgedFile(Draw &d, tile::KernelOp kernel,
                                   const checker::Verdict &honest,
                                   const proofs::CertificateFile &foreign);

/// Verifies with some such files, with the honest file of another kernel as it
/// is, and with both kernels' honest files in one; each with a search and
/// without. What is wrong, or nothing. `isWrong`: some launch breaks the
/// kernel, or none meets its contract, so that nothing may make it VERIFIED.
std::string tryForged(Draw &d, tile::KernelOp kernel,
                      const checker::Verdict &honest,
                      const checker::VerifyOptions &options, bool isWrong,
                      const proofs::CertificateFile &foreign);

/// Puts the verdict of a search to its own certificates, as --recheck does, and
/// to the solver, as --cross-check does. What is wrong, or nothing.
std::string tryAgain(tile::KernelOp kernel, const checker::Verdict &honest,
                     const checker::VerifyOptions &options);

} // namespace girih::fuzz

#endif // GIRIH_FUZZ_CAMPAIGN_FORGED_H
