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
  auto name = [&](size_t k) { return kernel.getLaunchSymbols()[k].name; };
  constexpr const char *schedule = "attention_split";
  AttentionSplit out;
  auto takeQueries = [&] { // q: [B, G, R, 128]
    out.b = name(0);
    out.g = name(1);
    out.r = name(2);
  };
  auto split = matchLibrary(kernel, schedule, splitText);
  if (!split) {
    takeQueries();
    out.t = name(3); // k: [B, G, T, 128]
    out.p = name(4); // partial: [B, P, G, R, 128]
    out.l = name(5); // of the clause
    return out;
  }
  auto paged = matchLibrary(kernel, schedule, pagedText);
  auto whole = matchLibrary(kernel, schedule, wholeText);
  if (!paged || !whole) {
    takeQueries();
    out.n = name(3); // k: [N, 64, G, 128]
    out.m = name(4); // table: [B, M]
    if (!paged) {
      out.p = name(5); // partial
    }
    return out;
  }
  return whole->isNear ? *whole : paged->isNear ? *paged : *split;
}

} // namespace girih::hopper
