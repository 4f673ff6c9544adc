// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/hopper/expected/Writer.h"

using girih::proofs::Poly;

namespace girih::hopper {

/// The grid (P, G, B), or (G, B), as one axis, the last one fastest: block
/// (p, g, b) has the queries of head g of sequence b, of its keys below L the
/// tiles of split p, and its rows of the results, all of them. In pages it has
/// head g of any page, and the numbers of sequence b: which pages these are is
/// in memory, and which of them split p has rests on a length there.
ptx::Expected expectedOf(const Scheduled &scheduled,
                         const AttentionSplit &split) {
  using Argument = AttentionSplit::Argument;
  ExpectedWriter w(scheduled, llvm::DenseMap<mlir::Attribute, int64_t>());
  Poly sequences = w.symbol(split.b), heads = w.symbol(split.g),
       r = w.symbol(split.r);
  Poly splits = split.isWhole() ? Poly(1) : w.symbol(split.p);
  // A block runs, so no axis is empty.
  for (mlir::StringAttr axis : {split.b, split.g, split.p}) {
    if (axis) {
      w.requireBetween(1, axis, maxBlocks);
    }
  }
  w.requireAtLeastZero(Poly(maxBlocks) - sequences * heads * splits);
  w.requireBetween(1, split.r, AttentionSplit::maxQueries);
  for (mlir::StringAttr extent : {split.t, split.l, split.n, split.m}) {
    if (extent) {
      w.requireBetween(0, extent, maxExtent);
    }
  }
  if (!split.isPaged()) {
    w.requireAtLeastZero(w.symbol(split.t) - w.symbol(split.l));
  }
  w.setGrid(sequences * heads * splits);
  auto [rest, b] =
      w.divide(Poly::variable(w.out.block(0)), sequences, "pg", "b");
  Poly p, g = rest;
  if (!split.isWhole()) {
    std::tie(p, g) = w.divide(rest, heads, "p", "g");
  }
  auto one = [](const Poly &n) { return ptx::Range{n, {n + Poly(1)}}; };
  auto upTo = [](const Poly &n) { return ptx::Range{Poly(0), {n}}; };
  ptx::Range depth = upTo(Poly(AttentionSplit::depth)), queries = upTo(r);
  auto reads = [&](unsigned argument, std::vector<ptx::Range> axes) {
    w.addRegion(argument, ptx::Mode::Read, std::move(axes), false);
  };
  reads(Argument::Q, {one(b), one(g), queries, depth});
  if (split.isPaged()) {
    ptx::Range pages = upTo(w.symbol(split.n)),
               lines = upTo(Poly(AttentionSplit::page));
    reads(Argument::K, {pages, lines, one(g), depth});
    reads(Argument::V, {pages, lines, one(g), depth});
    reads(Argument::Table, {one(b), upTo(w.symbol(split.m))});
    reads(Argument::Lengths, {one(b)});
  } else {
    Poly l = w.symbol(split.l), tile(AttentionSplit::tile);
    Poly tiles = w.divide(l + tile - Poly(1), tile, "tiles", "of_tile").first;
    Poly share =
        w.divide(tiles + splits - Poly(1), splits, "share", "of_share").first;
    ptx::Range keys{p * share * tile, {(p + Poly(1)) * share * tile, l}};
    reads(Argument::K, {one(b), one(g), keys, depth});
    reads(Argument::V, {one(b), one(g), keys, depth});
  }
  if (split.isWhole()) {
    w.addRegion(split.result(), ptx::Mode::Write,
                {one(b), one(g), queries, depth}, true);
  } else {
    w.addRegion(split.result(), ptx::Mode::Write,
                {one(b), one(p), one(g), queries, depth}, true);
    w.addRegion(split.lse(), ptx::Mode::Write,
                {one(b), one(p), one(g), queries}, true);
  }
  return std::move(w.out);
}

} // namespace girih::hopper
