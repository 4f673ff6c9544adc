// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/hopper/schedule/AttentionSplit.h"
#include "lower/hopper/schedule/MatchLibrary.h"

using namespace mlir;

namespace girih::hopper {

static constexpr const char splitText[] =
#include "lower/hopper/schedule/AttentionSplitText.inc"
    ;
static constexpr const char pagedText[] =
#include "lower/hopper/schedule/AttentionPagedText.inc"
    ;
static constexpr const char wholeText[] =
#include "lower/hopper/schedule/AttentionPagedWholeText.inc"
    ;

std::variant<AttentionSplit, Misfit>
matchAttentionSplit(tile::KernelOp kernel) {
  auto symbols = kernel.getLaunchSymbols();
  auto name = [&](size_t k) { return symbols[k].name; };
  constexpr const char *schedule = "attention_split";
  // Of q: [B, G, R, 128], then of k: [B, G, T, 128], of partial:
  // [B, P, G, R, 128], and that of the clause.
  auto split = matchLibrary(kernel, schedule, splitText);
  if (!split) {
    return AttentionSplit{name(0), name(1), name(2), name(3),
                          name(4), name(5), {},      {}};
  }
  // Of q, then of k: [N, 64, G, 128], of the table: [B, M], of partial.
  auto paged = matchLibrary(kernel, schedule, pagedText);
  if (!paged) {
    return AttentionSplit{name(0), name(1), name(2), {},
                          name(5), {},      name(3), name(4)};
  }
  auto whole = matchLibrary(kernel, schedule, wholeText);
  if (!whole) {
    return AttentionSplit{name(0), name(1), name(2), {},
                          {},      {},      name(3), name(4)};
  }
  for (const auto &misfit : {whole, paged}) {
    if (misfit->isNear) {
      return *misfit;
    }
  }
  return *split;
}

} // namespace girih::hopper
