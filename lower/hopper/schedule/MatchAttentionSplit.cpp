// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/hopper/schedule/AttentionSplit.h"
#include "lower/hopper/schedule/MatchLibrary.h"

using namespace mlir;

namespace girih::hopper {

static constexpr const char splitText[] =
#include "lower/hopper/schedule/AttentionSplitText.inc"
    ;

std::variant<AttentionSplit, Misfit>
matchAttentionSplit(tile::KernelOp kernel) {
  if (auto misfit = matchLibrary(kernel, "attention_split", splitText)) {
    return *misfit;
  }
  // Of q: [B, G, R, 128], then of k: [B, G, T, 128], of partial:
  // [B, P, G, R, 128], and that of the clause.
  auto symbols = kernel.getLaunchSymbols();
  return AttentionSplit{symbols[0].name, symbols[1].name, symbols[2].name,
                        symbols[3].name, symbols[4].name, symbols[5].name};
}

} // namespace girih::hopper
