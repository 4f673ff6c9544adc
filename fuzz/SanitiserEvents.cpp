// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every event has its obligations: how many of which rule an op must have,
// counted here from the language and not from the generator.

#include "fuzz/Sanitiser.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

#include <map>

using girih::checker::Owed;
using mlir::Operation;

namespace girih::fuzz {

using Demand = std::map<std::string, unsigned>;

/// The obligations that an op must have at least, by rule.
static Demand demandOf(Operation *op) {
  Demand d;
  bool index = op->getNumResults() == 1 &&
               mlir::getElementTypeOrSelf(op->getResult(0)).isIndex();
  llvm::TypeSwitch<Operation *>(op)
      .Case<tile::ClaimOp>([&](tile::ClaimOp c) {
        d["claim.bounds"] = 2 * c.getIndices().size();
      })
      .Case<tile::ViewOp>([&](tile::ViewOp v) {
        using tile::ViewKind;
        if (v.getKind() == ViewKind::Slice) {
          d["view.slice"] = 3 * v.getWhat().size();
        } else if (v.getKind() != ViewKind::Permute) {
          d[v.getKind() == ViewKind::Fix ? "view.fix" : "view.unfold"] = 2;
        }
      })
      .Case<tile::AtomicOp>([&](tile::AtomicOp a) {
        d["atomic.bounds"] = 2 * a.getIndices().size();
      })
      .Case<tile::LoadOp>([&](tile::LoadOp l) {
        d["load.bounds"] = 2 * l.getIndices().size();
        auto piece = mlir::dyn_cast<tile::PieceType>(l.getSource().getType());
        if (piece && piece.getMode() == tile::Mode::Out) {
          d["load.defined"] = 1;
        }
        llvm::ArrayRef<int64_t> tile;
        if (piece) {
          tile = piece.getTile();
        } else {
          tile = mlir::cast<tile::PartitionType>(l.getSource().getType())
                     .getTile();
        }
        if (!l.getPad()) {
          d["load.pad"] = llvm::count_if(tile, [](int64_t t) { return t > 1; });
        }
      })
      .Case<tile::GatherOp>([&](tile::GatherOp g) {
        d["gather.bounds"] = 2 * g.getIndices().size();
      })
      .Case<tile::ScatterOp>([&](tile::ScatterOp s) {
        d["scatter.bounds"] = 2 * s.getIndices().size();
        d["scatter.lanes"] = 1;
      })
      .Case<mlir::arith::AddIOp, mlir::arith::SubIOp, mlir::arith::MulIOp>(
          [&](auto) { d["index.width"] = index ? 2 : 0; })
      .Case<mlir::arith::DivSIOp, mlir::arith::RemSIOp,
            mlir::arith::CeilDivSIOp>([&](auto) {
        mlir::Type type = mlir::getElementTypeOrSelf(op->getResult(0));
        d["index.division"] = type.isInteger(1)     ? 1
                              : type.isIntOrIndex() ? 2
                                                    : 0;
      })
      .Case<mlir::scf::ForOp>([&](auto) {
        d["loop.step"] = 1;
        d["loop.width"] = 1;
      });
  return d;
}

static unsigned divisionsIn(tile::ExprAttr e) {
  switch (e.getKind()) {
  case tile::ExprKind::Constant:
  case tile::ExprKind::Symbol:
    return 0;
  case tile::ExprKind::Div:
  case tile::ExprKind::Mod:
  case tile::ExprKind::CeilDiv:
    return 1 + divisionsIn(e.getLhs()) + divisionsIn(e.getRhs());
  default:
    return divisionsIn(e.getLhs()) + divisionsIn(e.getRhs());
  }
}

/// What the launch owes, by rule.
static Demand launchDemand(tile::KernelOp kernel) {
  Demand d;
  d["launch.grid"] = kernel.getGridExprs().size();
  unsigned divisions = 0;
  for (tile::ExprAttr e : kernel.getGridExprs()) {
    divisions += divisionsIn(e);
  }
  for (tile::ComparisonAttr c : kernel.getRequirements()) {
    divisions += divisionsIn(c.getLhs()) + divisionsIn(c.getRhs());
  }
  for (tile::GivenAttr given : kernel.getGivenFacts()) {
    for (tile::ExprAttr e : given.getExprs()) {
      divisions += divisionsIn(e);
    }
  }
  d["contract.division"] = 2 * divisions;
  return d;
}

std::vector<std::string>
missingObligations(tile::KernelOp kernel, const checker::Generated &generated) {
  std::map<std::pair<Operation *, std::string>, unsigned> have;
  std::map<std::pair<Operation *, Operation *>, unsigned> pairs;
  std::map<int, unsigned> covered;
  for (const Owed &o : generated.owed) {
    const std::string &rule = o.obligation.rule;
    if (rule == "claim.disjoint") {
      ++pairs[std::minmax(o.op, o.other)];
    } else if (rule == "out.covered") {
      ++covered[o.tensor];
    } else {
      ++have[{o.op, rule}];
    }
  }
  std::vector<std::string> out;
  auto compare = [&](Operation *op, const Demand &demand) {
    for (auto &[rule, count] : demand) {
      unsigned found = have[{op, rule}];
      if (found < count) {
        out.push_back(rule + " at " +
                      (op ? checker::locationText(op->getLoc()) : "launch") +
                      ": " + std::to_string(found) + " obligations of " +
                      std::to_string(count));
      }
    }
  };
  compare(nullptr, launchDemand(kernel));
  std::vector<Operation *> claims;
  kernel.getBody()->walk([&](Operation *op) {
    compare(op, demandOf(op));
    auto c = mlir::dyn_cast<tile::ClaimOp>(op);
    bool isRaw = c && c.getResult().getType().getMode() == tile::Mode::Raw;
    if (mlir::isa<tile::ClaimOp, tile::ScatterOp>(op) && !isRaw) {
      claims.push_back(op);
    }
  });
  auto tensorOf = [](Operation *op) -> mlir::Value {
    if (auto scatter = mlir::dyn_cast<tile::ScatterOp>(op)) {
      return scatter.getTensor();
    }
    return tile::rootOf(tile::partitionOf(op->getResult(0)).getTensor());
  };
  for (size_t i = 0; i < claims.size(); ++i) {
    for (size_t j = i; j < claims.size(); ++j) {
      Operation *a = claims[i], *b = claims[j];
      if (tensorOf(claims[i]) == tensorOf(claims[j]) &&
          !pairs.count(std::minmax(a, b))) {
        out.push_back("claim.disjoint: claims at " +
                      checker::locationText(a->getLoc()) + " and " +
                      checker::locationText(b->getLoc()) + " are not compared");
      }
    }
  }
  for (mlir::BlockArgument arg : kernel.getArguments()) {
    auto type = mlir::dyn_cast<tile::TileTensorType>(arg.getType());
    if (type && type.getMode() == tile::Mode::Out && !type.getPartial() &&
        !covered[arg.getArgNumber()]) {
      out.push_back("out.covered: nothing owed for argument " +
                    std::to_string(arg.getArgNumber()));
    }
  }
  return out;
}

} // namespace girih::fuzz
