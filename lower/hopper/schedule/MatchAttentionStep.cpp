// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/hopper/schedule/AttentionStep.h"
#include "lower/hopper/schedule/MatchLibrary.h"

using namespace mlir;

namespace girih::hopper {

static constexpr const char stepText[] =
#include "lower/hopper/schedule/AttentionStepText.inc"
    ;
static constexpr const char stepSplitText[] =
#include "lower/hopper/schedule/AttentionStepSplitText.inc"
    ;

std::variant<AttentionStep, Misfit> matchAttentionStep(tile::KernelOp kernel) {
  // Of q: [G, R, 128], of the caches: [G, T, 128], of partial: [P, G, R, 128].
  auto symbols = kernel.getLaunchSymbols();
  auto whole = matchLibrary(kernel, "attention_step", stepText);
  if (!whole) {
    return AttentionStep{symbols[0].name, symbols[1].name, symbols[2].name, {}};
  }
  auto split = matchLibrary(kernel, "attention_step", stepSplitText);
  if (!split) {
    return AttentionStep{symbols[0].name, symbols[1].name, symbols[2].name,
                         symbols[3].name};
  }
  return split->isNear ? *split : *whole;
}

} // namespace girih::hopper
