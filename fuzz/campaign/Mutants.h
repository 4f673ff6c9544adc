// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mutation testing of the checker: mutants of kernels, each verified. One that
// can fault must be REFUTED; one that is VERIFIED must run clean on every small
// launch, and is told apart by what it computes.

#ifndef GIRIH_FUZZ_CAMPAIGN_MUTANTS_H
#define GIRIH_FUZZ_CAMPAIGN_MUTANTS_H

#include "llvm/Support/JSON.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace girih::fuzz {

struct MutantOptions {
  uint64_t seed = 1;
  size_t count = 2000; ///< a sample of this size; 0: all of them
  unsigned jobs = 2;
  std::string out; ///< folder for what went wrong or unknown; empty: none
  double secondsPerMutant = 60; ///< of processor time
};

/// How many mutants came to which end.
struct MutantCount {
  size_t refused = 0;    ///< the reader or the contract: no kernel, no launch
  size_t killed = 0;     ///< REFUTED, and the counterexample replays
  size_t unknown = 0;    ///< UNKNOWN
  size_t equivalent = 0; ///< VERIFIED, the same outputs over the box
  size_t different = 0;  ///< VERIFIED and safe over the box, other outputs
  size_t wrong = 0;      ///< contradicted by the executor, or dead
};

struct MutantResult {
  MutantCount all;
  std::map<std::string, MutantCount> kinds;
  double seconds = 0;
  std::vector<std::string> unknown, problems; ///< `kernel: kind, place`

  size_t judged() const {
    return all.killed + all.unknown + all.equivalent + all.different +
           all.wrong;
  }
};

/// Mutants of kernels, by path and text.
MutantResult
runMutants(const std::vector<std::pair<std::string, std::string>> &kernels,
           const MutantOptions &options);

llvm::json::Object toJson(const MutantResult &r);

} // namespace girih::fuzz

#endif // GIRIH_FUZZ_CAMPAIGN_MUTANTS_H
