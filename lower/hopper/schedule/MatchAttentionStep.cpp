// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/hopper/schedule/AttentionStep.h"
#include "lower/hopper/schedule/MatchLibrary.h"

using namespace mlir;

namespace girih::hopper {

static constexpr const char stepText[] =
#include "lower/hopper/schedule/AttentionStepText.inc"
    ;

std::variant<AttentionStep, Misfit> matchAttentionStep(tile::KernelOp kernel) {
  if (auto misfit = matchLibrary(kernel, "attention_step", stepText)) {
    return *misfit;
  }
  // Of q: [G, R, 128], then of the caches: [G, T, 128].
  auto symbols = kernel.getLaunchSymbols();
  return AttentionStep{symbols[0].name, symbols[1].name, symbols[2].name};
}

} // namespace girih::hopper
