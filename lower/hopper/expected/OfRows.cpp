// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/hopper/expected/Writer.h"

using namespace mlir;
using girih::proofs::Poly;

namespace girih::hopper {
namespace {

/// The argument of which a tile is loaded or stored.
unsigned argumentOf(Value partition) {
  auto cut = partition.getDefiningOp<tile::PartitionOp>();
  return cast<BlockArgument>(cut.getTensor()).getArgNumber();
}

/// What the kernel loads whose value is used, and what it stores.
llvm::SmallMapVector<unsigned, ptx::Mode, 4> touched(const Rows &rows) {
  llvm::SmallMapVector<unsigned, ptx::Mode, 4> out;
  for (Operation *op : rows.ops) {
    if (auto load = dyn_cast<tile::LoadOp>(op)) {
      if (!load->use_empty()) {
        out[argumentOf(load.getSource())] = ptx::Mode::Read;
      }
    } else if (auto store = dyn_cast<tile::StoreOp>(op)) {
      auto claim = store.getPiece().getDefiningOp<tile::ClaimOp>();
      out[argumentOf(claim.getPartition())] = ptx::Mode::Write;
    }
  }
  return out;
}

} // namespace

/// Block b has tile b of the rows, and all of each row.
ptx::Expected expectedOf(const Scheduled &scheduled, const Rows &rows) {
  DenseMap<Attribute, int64_t> steps = {{rows.n, rows.width}};
  for (Attribute pitch : rows.pitches) {
    steps[pitch] = rows.width;
  }
  ExpectedWriter w(scheduled, steps);
  Poly m = w.symbol(rows.m), n = w.symbol(rows.n), blocks = m;
  w.requireBetween(0, rows.n, rows.columns);
  if (rows.rows == 1) {
    w.requireBetween(0, rows.m, maxBlocks);
  } else {
    // As many as M by the rows of a tile, rounded up.
    w.requireBetween(0, rows.m, maxExtent);
    blocks = w.addNumber("blocks");
    w.requireAtLeastZero(Poly(maxBlocks) - blocks);
    w.requireAtLeastZero(Poly(rows.rows) * blocks - m);
    w.requireAtLeastZero(m + Poly(rows.rows - 1) - Poly(rows.rows) * blocks);
  }
  w.setGrid(blocks);
  Poly tile = Poly(rows.rows);
  Poly first = tile * Poly::variable(w.out.block(0));
  ptx::Range mine{first, {first + tile}}, all{Poly(0), {n}};
  if (rows.rows != 1) {
    mine.below.push_back(m);
  }
  for (auto [argument, mode] : touched(rows)) {
    auto type =
        cast<tile::TileTensorType>(w.kernel.getArguments()[argument].getType());
    std::vector<ptx::Range> axes = {all};
    if (type.getRank() == 2) {
      axes.insert(axes.begin(), mine);
    }
    w.addRegion(argument, mode, std::move(axes), true);
  }
  return std::move(w.out);
}

} // namespace girih::hopper
