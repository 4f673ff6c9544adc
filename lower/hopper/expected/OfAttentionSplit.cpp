// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/hopper/expected/Writer.h"

using girih::proofs::Poly;

namespace girih::hopper {

/// The grid (P, G, B) as one axis, the last one fastest: block (p, g, b) has
/// the queries of head g of sequence b, of its keys below L the tiles of split
/// p, and its rows of the results, all of them.
ptx::Expected expectedOf(const Scheduled &scheduled,
                         const AttentionSplit &split) {
  using Argument = AttentionSplit::Argument;
  ExpectedWriter w(scheduled, llvm::DenseMap<mlir::Attribute, int64_t>());
  Poly sequences = w.symbol(split.b), heads = w.symbol(split.g),
       splits = w.symbol(split.p), r = w.symbol(split.r), t = w.symbol(split.t),
       l = w.symbol(split.l);
  // A block runs, so no axis is empty.
  for (mlir::StringAttr axis : {split.b, split.g, split.p}) {
    w.requireBetween(1, axis, maxBlocks);
  }
  w.requireAtLeastZero(Poly(maxBlocks) - sequences * heads * splits);
  w.requireBetween(1, split.r, AttentionSplit::maxQueries);
  w.requireBetween(0, split.t, maxExtent);
  w.requireBetween(0, split.l, maxExtent);
  w.requireAtLeastZero(t - l);
  w.setGrid(sequences * heads * splits);
  auto [rest, b] =
      w.divide(Poly::variable(w.out.block(0)), sequences, "pg", "b");
  auto [p, g] = w.divide(rest, heads, "p", "g");
  Poly tile(AttentionSplit::tile);
  Poly tiles = w.divide(l + tile - Poly(1), tile, "tiles", "of_tile").first;
  Poly share =
      w.divide(tiles + splits - Poly(1), splits, "share", "of_share").first;
  auto one = [](const Poly &n) { return ptx::Range{n, {n + Poly(1)}}; };
  ptx::Range depth{Poly(0), {Poly(AttentionSplit::depth)}},
      queries{Poly(0), {r}},
      keys{p * share * tile, {(p + Poly(1)) * share * tile, l}};
  w.addRegion(Argument::Q, ptx::Mode::Read, {one(b), one(g), queries, depth},
              false);
  for (unsigned cache : {Argument::K, Argument::V}) {
    w.addRegion(cache, ptx::Mode::Read, {one(b), one(g), keys, depth}, false);
  }
  w.addRegion(Argument::Partial, ptx::Mode::Write,
              {one(b), one(p), one(g), queries, depth}, true);
  w.addRegion(Argument::Lse, ptx::Mode::Write,
              {one(b), one(p), one(g), queries}, true);
  return std::move(w.out);
}

} // namespace girih::hopper
