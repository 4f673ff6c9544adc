// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A campaign: many random kernels, each verified, run at every launch of its
// box and held against its facts. No verdict may be contradicted.

#ifndef GIRIH_FUZZ_CAMPAIGN_CAMPAIGN_H
#define GIRIH_FUZZ_CAMPAIGN_CAMPAIGN_H

#include "checker/decide/Verify.h"
#include "fuzz/generators/Generator.h"

#include "llvm/Support/JSON.h"

#include <map>

namespace girih::fuzz {

/// What came of one kernel.
struct Trial {
  checker::VerdictKind verdict = checker::VerdictKind::Unknown;
  bool brokenInBox = false;
  /// Verdict, box and facts contradict each other: why. Empty when they agree.
  std::string wrong;
};

/// Verifies a sample at an index of `width` bits and holds the verdict against
/// the executor; at times with forged certificates, those of the kernel
/// `foreign` among them.
Trial tryKernel(mlir::MLIRContext &context, const Sample &sample,
                unsigned width, const search::Api *search,
                const std::string &foreign);

struct CampaignOptions {
  uint64_t seed = 1;
  size_t first = 0; ///< the number of the first kernel
  size_t count = 2000;
  unsigned jobs = 2;
  bool contracts = false; ///< nothing but contracts
  bool memory = false;    ///< nothing but indices from memory
  /// Nothing but kernels of the family with this number.
  std::optional<size_t> family;
  std::string out; ///< folder for kernels that went wrong; empty: none
  double secondsPerKernel = 60; ///< of processor time
};

struct CampaignResult {
  size_t generated = 0, safe = 0, safeVerified = 0;
  size_t nearMisses = 0, nearRefuted = 0, nearUnknown = 0;
  size_t nearBroken = 0;     ///< a launch of the box faults
  size_t nearEquivalent = 0; ///< VERIFIED, and no launch of the box faults
  size_t random = 0, randomVerified = 0, randomRefuted = 0;
  /// Indices that come from memory, counted apart: what refutes them is what
  /// lies there.
  size_t memorySafe = 0, memoryVerified = 0;
  size_t memoryMistakes = 0, memoryRefuted = 0;
  size_t family = 0, familyVerified = 0, familyRefuted = 0;
  size_t familyBroken = 0; ///< a launch of the box faults
  size_t familyMistakes = 0, familyMistakesRefuted = 0;
  size_t contracts = 0, contractsVerified = 0, contractsImpossible = 0;
  size_t wrong = 0;
  double seconds = 0, processorSeconds = 0;
  double slowest = 0; ///< processor seconds of one kernel
  uint64_t slowestSeed = 0;
  std::map<std::string, size_t> missed; ///< mistakes not refuted, by name
  /// The same of those in indices that come from memory, by seed.
  std::map<uint64_t, std::string> memoryMissed;
  std::vector<uint64_t> unproved; ///< seeds of safe ones not VERIFIED, and of
                                  ///< those of a family left UNKNOWN
  std::vector<std::string> problems; ///< why, for each wrong one

  double share() const {
    return safe ? static_cast<double>(safeVerified) / static_cast<double>(safe)
                : 1;
  }
};

/// Two of four kernels are safe, one has a mistake, one is random
/// arithmetic on scalars or on lanes, or takes its indices from memory; one of
/// sixteen is a contract in place of a safe one.
CampaignResult runCampaign(const CampaignOptions &options);

llvm::json::Object toJson(const CampaignResult &r);

} // namespace girih::fuzz

#endif // GIRIH_FUZZ_CAMPAIGN_CAMPAIGN_H
