// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/hopper/schedule/AttentionMerge.h"
#include "lower/hopper/schedule/MatchLibrary.h"

using namespace mlir;

namespace girih::hopper {

static constexpr const char mergeText[] =
#include "lower/hopper/schedule/AttentionMergeText.inc"
    ;
static constexpr const char stepMergeText[] =
#include "lower/hopper/schedule/AttentionStepMergeText.inc"
    ;
/// Of the kernels of both texts, in their order.
static constexpr int64_t together[] = {8, 16};

std::variant<AttentionMerge, Misfit>
matchAttentionMerge(tile::KernelOp kernel) {
  auto name = [&](size_t k) { return kernel.getLaunchSymbols()[k].name; };
  std::optional<Misfit> misfit;
  for (bool isOfStep : {false, true}) {
    for (size_t place : {0, 1}) {
      auto why = matchLibrary(kernel, "attention_merge",
                              isOfStep ? stepMergeText : mergeText, place);
      if (why) {
        if (!misfit || (why->isNear && !misfit->isNear)) {
          misfit.emplace(std::move(*why));
        }
        continue;
      }
      AttentionMerge out;
      out.together = together[place];
      if (isOfStep) { // partial: [P, H, 128], k: [G, 128], cos: [T, 64]
        out.p = name(0);
        out.h = name(1);
        out.g = name(2);
        out.t = name(3);
      } else { // partial: [B, P, H, 128]
        out.b = name(0);
        out.p = name(1);
        out.h = name(2);
      }
      return out;
    }
  }
  return *misfit;
}

} // namespace girih::hopper
