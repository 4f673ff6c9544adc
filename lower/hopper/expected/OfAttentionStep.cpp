// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/hopper/expected/Writer.h"

using girih::proofs::Poly;

namespace girih::hopper {

/// Block g has head g of the caches, its queries, and its row of y. Which row
/// of the caches it writes is in memory: any of its own. In splits the grid
/// (P, G) is one axis, the last one fastest: block (p, g) reads of head g, and
/// has its rows of the results.
ptx::Expected expectedOf(const Scheduled &scheduled,
                         const AttentionStep &step) {
  using Argument = AttentionStep::Argument;
  ExpectedWriter w(scheduled, llvm::DenseMap<mlir::Attribute, int64_t>());
  Poly g = w.symbol(step.g), r = w.symbol(step.r), t = w.symbol(step.t);
  w.requireBetween(step.p ? 1 : 0, step.g, maxBlocks);
  w.requireBetween(1, step.r, AttentionStep::maxQueries);
  w.requireBetween(1, step.t, maxExtent);
  if (step.p) {
    Poly splits = w.symbol(step.p);
    w.requireBetween(1, step.p, maxBlocks);
    w.requireAtLeastZero(Poly(maxBlocks) - g * splits);
    w.setGrid(g * splits);
  } else {
    w.setGrid(g);
  }
  Poly split, block = Poly::variable(w.out.block(0));
  if (step.p) {
    std::tie(split, block) = w.divide(block, g, "p", "g");
  }
  auto only = [](const Poly &n) { return ptx::Range{n, {n + Poly(1)}}; };
  constexpr int64_t depth = AttentionStep::depth;
  ptx::Range mine = only(block), head{Poly(0), {Poly(depth)}},
             half{Poly(0), {Poly(depth / 2)}}, rows{Poly(0), {t}},
             queries{Poly(0), {r}}, one{Poly(0), {Poly(1)}};
  auto reads = [&](unsigned argument, std::vector<ptx::Range> axes) {
    w.addRegion(argument, ptx::Mode::Read, std::move(axes), false);
  };
  reads(Argument::Q, {mine, queries, head});
  reads(Argument::K, {mine, head});
  reads(Argument::V, {mine, head});
  reads(Argument::Position, {one});
  reads(Argument::QWeight, {head});
  reads(Argument::KWeight, {head});
  reads(Argument::Cos, {rows, half});
  reads(Argument::Sin, {rows, half});
  for (unsigned cache : {Argument::KCache, Argument::VCache}) {
    reads(cache, {mine, rows, head});
    if (!step.p) {
      w.addRegion(cache, ptx::Mode::Write, {mine, rows, head}, false);
    }
  }
  if (step.p) {
    w.addRegion(Argument::Partial, ptx::Mode::Write,
                {only(split), mine, queries, head}, true);
    w.addRegion(Argument::Lse, ptx::Mode::Write, {only(split), mine, queries},
                true);
  } else {
    w.addRegion(Argument::Y, ptx::Mode::Write, {mine, queries, head}, true);
  }
  return std::move(w.out);
}

} // namespace girih::hopper
