// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The facts of an artefact as text: first what each entry point assumes of its
// parameters, then what every access asserts by being what it is. A tile of a
// view that is no tile of it has no meaning in Tile IR, so each index rests on
// certificates, and so does every access that does not wait for other blocks.

#include "lower/tileir/Context.h"

#include "ir/types/Diagnose.h"

using namespace girih::tile;

namespace girih::tileir {

namespace {

struct FactsPrinter {
  const checker::Verdict &verdict;
  const Lowered &lowered;
  KernelOp kernel;
  std::string out;

  /// `[load.bounds 0a1b2c3d4e5f 67...]`: the obligations of a rule that `of`
  /// picks, by their certificates' hashes.
  template <typename F> std::string certificates(Rule rule, F of) {
    std::string text;
    std::set<std::string> seen;
    for (auto [vc, finding] : llvm::zip(verdict.vcs, verdict.findings)) {
      if (vc.rule == rule && of(vc) && seen.insert(finding.hash).second) {
        text += " " + finding.hash.substr(0, 12);
      }
    }
    return text.empty() ? "" : " [" + std::string(ruleName(rule)) + text + "]";
  }

  std::string at(mlir::Operation *op, Rule rule) {
    std::string place = tile::locationText(op->getLoc());
    return certificates(rule, [&](const checker::Vc &vc) {
      return vc.obligation.location == place;
    });
  }

  void line(mlir::Operation *op, mlir::Value tensor, const std::string &what) {
    out += tile::locationText(op->getLoc()) + ": %" +
           kernel.getArgName(rootOf(tensor).getArgNumber()).str() + ": " +
           what + "\n";
  }

  /// Beside its index: one element, a divisor of the extent, or a proof.
  std::string whyInside(mlir::Operation *op, mlir::Value source,
                        unsigned axis) {
    PartitionOp partition = girih::tile::partitionOf(source);
    int64_t tile = partition.getTile()[axis];
    if (tile <= 1) {
      return ": one element";
    }
    std::string proved = at(op, Rule::LoadPad);
    auto dim = mlir::dyn_cast<mlir::IntegerAttr>(
        partition.getTensor().getType().getDims()[axis]);
    return dim && dim.getInt() % tile == 0 ? ": the tile divides the extent"
           : proved.empty() ? ": the tile divides the extent [contract]"
                            : proved;
  }

  void arithmetic(mlir::Operation *op) {
    if (lowered.exact.contains(op)) {
      out += tile::locationText(op->getLoc()) + ": no signed overflow" +
             at(op, Rule::IndexWidth) + "\n";
    }
  }

  /// A tile that an op names itself, or by a claim.
  void tile(mlir::Operation *op, mlir::Value source, Rule rule) {
    mlir::Value tensor = girih::tile::partitionOf(source).getTensor();
    auto claim = source.getDefiningOp<ClaimOp>();
    line(op, tensor,
         "indices of a tile" +
             (claim ? at(claim, Rule::ClaimBounds) : at(op, rule)));
    auto inside = lowered.inBounds.find(op);
    if (inside != lowered.inBounds.end()) {
      for (unsigned axis : inside->second) {
        line(op, tensor,
             "wholly inside along axis " + std::to_string(axis) +
                 whyInside(op, source, axis));
      }
    }
    if (lowered.unordered.contains(op)) {
      line(op, tensor, "other tiles in other trips of its loop: no order");
    }
  }

  /// The same in each entry point that knows as much of what it slices.
  void slice(ViewOp op) {
    auto fits = lowered.fits.find(op);
    if (fits == lowered.fits.end()) {
      return;
    }
    for (auto [axis, high] : fits->second) {
      line(op, op.getTensor(),
           "extent of axis " + std::to_string(axis) + " at least 0, at most " +
               std::to_string(high) + ", as of what it is a slice" +
               at(op, Rule::ViewSlice));
    }
  }

  void access(mlir::Operation *op) {
    if (auto load = mlir::dyn_cast<LoadOp>(op)) {
      tile(op, load.getSource(), Rule::LoadBounds);
    } else if (auto store = mlir::dyn_cast<StoreOp>(op)) {
      tile(op, store.getPiece(), Rule::ClaimBounds);
    } else if (auto atomic = mlir::dyn_cast<AtomicOp>(op)) {
      tile(op, atomic.getPartition(), Rule::AtomicBounds);
    } else if (auto gather = mlir::dyn_cast<GatherOp>(op)) {
      line(op, gather.getTensor(),
           "elements of the tensor" + at(op, Rule::GatherBounds));
    } else if (auto scatter = mlir::dyn_cast<ScatterOp>(op)) {
      line(op, scatter.getTensor(),
           "elements of the tensor, each in one lane" +
               at(op, Rule::ScatterBounds) + at(op, Rule::ScatterLanes));
    } else if (auto lanes = mlir::dyn_cast<AtomicScatterOp>(op)) {
      line(op, lanes.getTensor(),
           "elements of the tensor" + at(op, Rule::AtomicScatterBounds));
    } else if (auto view = mlir::dyn_cast<ViewOp>(op)) {
      slice(view);
    }
  }

  void print() {
    for (auto [plan, function] :
         llvm::zip(lowered.plans, lowered.module.functions)) {
      out += "entry @" + plan.entry;
      const char *separator = " when ";
      for (ComparisonAttr condition : plan.when) {
        out += separator + condition.str();
        separator = ", ";
      }
      out += "\n";
      for (const std::string &fact : function.facts) {
        out += "  " + fact + "\n";
      }
    }
    kernel.getBodyRegion().walk([&](mlir::Operation *op) {
      access(op);
      arithmetic(op);
    });
    for (mlir::BlockArgument a : kernel.getArguments()) {
      auto type = mlir::dyn_cast<TileTensorType>(a.getType());
      if (!type) {
        continue;
      }
      out += "%" + kernel.getArgName(a.getArgNumber()).str() + ": ";
      if (type.getMode() == Mode::Shared) {
        out += "nobody writes it: no tokens\n";
      } else if (type.getMode() == Mode::Raw || atomicOf(type.getMode())) {
        out += "relaxed: other blocks may touch it meanwhile\n";
      } else {
        auto number = static_cast<int>(a.getArgNumber());
        out += "weak: no other block has an element of it" +
               certificates(
                   Rule::ClaimDisjoint,
                   [&](const checker::Vc &vc) { return vc.tensor == number; }) +
               "\n";
      }
    }
  }
};

} // namespace

std::string factsText(const checker::Verdict &verdict, const Lowered &lowered) {
  FactsPrinter printer{verdict, lowered, lowered.source.kernel(), {}};
  printer.print();
  return printer.out;
}

} // namespace girih::tileir
