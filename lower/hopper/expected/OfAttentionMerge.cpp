// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/hopper/expected/Writer.h"

using girih::proofs::Poly;

namespace girih::hopper {

/// The grid (H, B) as one axis, the last one fastest: block (h, b) has head h
/// of sequence b, all its splits, and its row of the means. Of a new token
/// block n has head n; behind those of the queries, where n is no row of the
/// means, it has a head of the caches. Which row of it is written is in memory:
/// any.
ptx::Expected expectedOf(const Scheduled &scheduled,
                         const AttentionMerge &merge) {
  using Argument = AttentionMerge::Argument;
  using Step = AttentionMerge::StepArgument;
  ExpectedWriter w(scheduled, llvm::DenseMap<mlir::Attribute, int64_t>());
  Poly heads = w.symbol(merge.h), splits = w.symbol(merge.p);
  w.requireBetween(0, merge.p, maxExtent);
  auto only = [](const Poly &n) { return ptx::Range{n, {n + Poly(1)}}; };
  auto upTo = [](const Poly &n) { return ptx::Range{Poly(0), {n}}; };
  constexpr int64_t depth = AttentionMerge::depth;
  ptx::Range head = upTo(Poly(depth));
  auto add = [&](unsigned argument, ptx::Mode mode,
                 std::vector<ptx::Range> axes, bool covered = false) {
    w.addRegion(argument, mode, std::move(axes), covered);
  };
  if (!merge.isOfStep()) {
    Poly sequences = w.symbol(merge.b);
    w.requireBetween(1, merge.h, maxBlocks);
    w.requireBetween(1, merge.b, maxBlocks);
    w.requireAtLeastZero(Poly(maxBlocks) - heads * sequences);
    w.setGrid(heads * sequences);
    auto [h, b] = w.divide(Poly::variable(w.out.block(0)), sequences, "h", "b");
    add(Argument::Partial, ptx::Mode::Read,
        {only(b), upTo(splits), only(h), head});
    add(Argument::Lse, ptx::Mode::Read, {only(b), upTo(splits), only(h)});
    add(Argument::Mean, ptx::Mode::Write, {only(b), only(h), head}, true);
    return std::move(w.out);
  }
  Poly ofCache = w.symbol(merge.g), t = w.symbol(merge.t);
  w.requireBetween(0, merge.h, maxBlocks);
  w.requireBetween(0, merge.g, maxBlocks);
  w.requireBetween(1, merge.t, maxExtent);
  w.requireAtLeastZero(Poly(maxBlocks) - heads - ofCache);
  w.setGrid(heads + ofCache);
  Poly n = Poly::variable(w.out.block(0));
  add(Argument::Partial, ptx::Mode::Read, {upTo(splits), only(n), head});
  add(Argument::Lse, ptx::Mode::Read, {upTo(splits), only(n)});
  ptx::Range mine = only(n - heads), rows = upTo(t);
  for (unsigned argument : {Step::K, Step::V}) {
    add(argument, ptx::Mode::Read, {mine, head});
  }
  add(Step::Position, ptx::Mode::Read, {upTo(Poly(1))});
  add(Step::KWeight, ptx::Mode::Read, {head});
  for (unsigned argument : {Step::Cos, Step::Sin}) {
    add(argument, ptx::Mode::Read, {rows, upTo(Poly(depth / 2))});
  }
  for (unsigned argument : {Step::KCache, Step::VCache}) {
    add(argument, ptx::Mode::Write, {mine, rows, head});
  }
  add(Step::StepMean, ptx::Mode::Write, {only(n), head}, true);
  return std::move(w.out);
}

} // namespace girih::hopper
