// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/hopper/expected/Writer.h"

using namespace mlir;
using girih::proofs::Poly;

namespace girih::hopper {

/// Block b has the rows of tiles b, b + P, b + 2P, ...: those that it claims
/// and stores, and those that it loads. It needs all of x.
ptx::Expected expectedOf(const Scheduled &scheduled, const Gemv &gemv) {
  ExpectedWriter w(scheduled, {{gemv.k, gemv.depthStep}});
  Poly n = w.symbol(gemv.n), k = w.symbol(gemv.k), p = w.symbol(gemv.p);
  w.requireBetween(0, gemv.n, maxExtent);
  w.requireBetween(0, gemv.k, gemv.maxK);
  w.requireBetween(1, gemv.p, maxBlocks);
  w.setGrid(p);
  w.out.any = {proofs::Var(w.out.variables.size())};
  w.out.variables.push_back("trip");
  Poly first = Poly(gemv.rows) * (Poly::variable(w.out.block(0)) +
                                  p * Poly::variable(w.out.any[0]));
  ptx::Range rows{first, {first + Poly(gemv.rows), n}};
  std::vector<ptx::Range> ofMatrix = {rows, {Poly(0), {k}}};
  if (gemv.matrices != 1) {
    ofMatrix.insert(ofMatrix.begin(), {Poly(0), {Poly(gemv.matrices)}});
  }
  if (gemv.scale) {
    w.addRegion(*gemv.scale, ptx::Mode::Read, ofMatrix, false);
    w.flatten(gemv.w, ofMatrix.size() - 1);
    ofMatrix.back() = {Poly(0), {k * Poly(groupBytes)}};
  }
  w.addRegion(gemv.w, ptx::Mode::Read, ofMatrix, false);
  for (std::optional<unsigned> all : {std::optional(gemv.x), gemv.gain}) {
    if (all) {
      w.flatten(*all, 0);
      w.addRegion(*all, ptx::Mode::Read,
                  {{Poly(0), {k * Poly(gemv.columns())}}}, true);
    }
  }
  llvm::SmallSetVector<unsigned, 2> byRow;
  for (tile::LoadOp load : loadsByRow(gemv.stored)) {
    auto cut = load.getSource().getDefiningOp<tile::PartitionOp>();
    byRow.insert(cast<BlockArgument>(cut.getTensor()).getArgNumber());
  }
  for (unsigned argument : byRow) {
    w.addRegion(argument, ptx::Mode::Read, {rows}, false);
  }
  w.addRegion(gemv.y, ptx::Mode::Write, {rows}, false);
  w.addRings();
  return std::move(w.out);
}

} // namespace girih::hopper
