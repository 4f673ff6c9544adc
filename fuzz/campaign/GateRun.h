// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random kernels through the emitter to the gate: what the emitter makes
// passes, and with one operand of one memory op wrong it does not.

#ifndef GIRIH_FUZZ_CAMPAIGN_GATERUN_H
#define GIRIH_FUZZ_CAMPAIGN_GATERUN_H

#include "llvm/Support/JSON.h"

#include <cstdint>
#include <string>
#include <vector>

namespace girih::fuzz {

/// A kernel that is VERIFIED: a masked gather of any element type with any
/// padding, perhaps at places that another one has brought.
std::string paddedGather(uint64_t seed);

/// Loads of one tensor of any type with any paddings, of tiles that are ragged
/// or not, along axes that have strides or none.
std::string paddedLoads(uint64_t seed);

struct GateOptions {
  uint64_t seed = 1;
  size_t count = 400; ///< kernels
  size_t faults = 30; ///< about so many in each
  unsigned jobs = 2;
  double secondsPerKernel = 60; ///< of processor time
};

struct GateResult {
  size_t kernels = 0, lowered = 0;
  size_t planted = 0, harmless = 0; ///< faults, and those that may pass
  size_t wrong = 0;
  double seconds = 0;
  std::vector<std::string> problems; ///< by seed
};

GateResult runGate(const GateOptions &options);

llvm::json::Object toJson(const GateResult &r);

} // namespace girih::fuzz

#endif // GIRIH_FUZZ_CAMPAIGN_GATERUN_H
