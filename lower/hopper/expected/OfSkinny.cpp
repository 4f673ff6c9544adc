// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/hopper/expected/Writer.h"

using girih::proofs::Poly;

namespace girih::hopper {

/// The grid (P, S) as one axis, the last one fastest. Block (p, s) has the
/// tiles p, p + P, p + 2P, ... of columns of y, and of x and w the columns of
/// split s: it loads rows of w of its own tiles.
ptx::Expected expectedOf(const Scheduled &scheduled, const Skinny &skinny) {
  using Argument = Skinny::Argument;
  using Form = Skinny::Form;
  // What the contract has K be a multiple of; of groups it has all.
  const int64_t depthStep = skinny.isInt4() ? 1 : skinny.vectorColumns();
  ExpectedWriter w(scheduled, {{skinny.k, depthStep}});
  Poly m = w.symbol(skinny.m), n = w.symbol(skinny.n), k = w.symbol(skinny.k),
       p = w.symbol(skinny.p);
  w.requireBetween(1, skinny.m, skinny.rows);
  w.requireBetween(0, skinny.n, maxExtent);
  w.requireBetween(1, skinny.p, maxBlocks);
  // What is dealt together, and the most that a block takes.
  Poly tile(skinny.isInt4() ? 1 : Skinny::tile);
  const int64_t most =
      skinny.isInt4() ? Skinny::maxGroups : Skinny::tile * Skinny::maxTiles;
  ptx::Range columns{Poly(0), {k}};
  std::optional<Poly> splits;
  if (skinny.form == Form::Split) {
    splits = w.symbol(skinny.s);
    w.requireBetween(1, skinny.s, Skinny::maxSplits);
    w.requireBetween(0, skinny.k, most * Skinny::maxSplits);
    w.requireAtLeastZero(Poly(most) * *splits - k);
    w.requireAtLeastZero(Poly(maxBlocks) - p * *splits);
  } else {
    w.requireBetween(0, skinny.k, most);
  }
  w.setGrid(splits ? p * *splits : p);
  Poly first = Poly::variable(w.out.block(0));
  std::optional<Poly> split;
  if (splits) {
    std::tie(first, split.emplace()) = w.divide(first, *splits, "p", "s");
    Poly tiles = k;
    if (!skinny.isInt4()) {
      constexpr int64_t vector = 8; // columns of x
      Poly ofTile(Skinny::tile / vector);
      Poly vectors = Poly(depthStep / vector) * w.stepsOf(skinny.k);
      tiles = w.divide(vectors + ofTile - Poly(1), ofTile, "tiles", "of_tile")
                  .first;
    }
    Poly share =
        w.divide(tiles + *splits - Poly(1), *splits, "share", "of_share").first;
    columns = {*split * share * tile, {(*split + Poly(1)) * share * tile, k}};
  }
  w.out.any = {proofs::Var(w.out.variables.size())};
  w.out.variables.push_back("trip");
  Poly begin =
      Poly(skinny.columns()) * (first + p * Poly::variable(w.out.any[0]));
  ptx::Range mine{begin, {begin + Poly(skinny.columns()), n}},
      rows{Poly(0), {m}};
  std::vector<ptx::Range> ofMatrix = {mine, columns}, ofResult = {rows, mine};
  if (skinny.form == Form::Gated) {
    ofMatrix.insert(ofMatrix.begin(), {Poly(0), {Poly(2)}});
  } else if (split) {
    ofResult.insert(ofResult.begin(), {*split, {*split + Poly(1)}});
  }
  if (skinny.isInt4()) { // of each row of w and group
    w.addRegion(Argument::Scale, ptx::Mode::Read, ofMatrix, false);
    auto times = [](const ptx::Range &range, int64_t n) {
      ptx::Range out{range.from * Poly(n), {}};
      for (const Poly &end : range.below) {
        out.below.push_back(end * Poly(n));
      }
      return out;
    };
    w.flatten(Argument::W, ofMatrix.size() - 1);
    ofMatrix.back() = times(columns, groupBytes);
    w.flatten(Argument::X, 1);
    columns = times(columns, groupColumns);
  } else if (skinny.isF8()) { // of each row of w
    std::vector<ptx::Range> ofRows(ofMatrix.begin(), ofMatrix.end() - 1);
    w.addRegion(Argument::Scale, ptx::Mode::Read, std::move(ofRows), false);
  }
  w.addRegion(Argument::W, ptx::Mode::Read, std::move(ofMatrix), false);
  w.addRegion(Argument::X, ptx::Mode::Read, {rows, columns}, false);
  w.addRegion(skinny.y(), ptx::Mode::Write, std::move(ofResult), false);
  return std::move(w.out);
}

} // namespace girih::hopper
