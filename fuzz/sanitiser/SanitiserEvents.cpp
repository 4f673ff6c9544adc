// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every event has its obligations: how many of which rule an op must have,
// counted here from the language and not from the generator. Maps and elements
// below a byte are counted in the text: elaboration may forget one as well.

#include "checker/decide/OptOuts.h"
#include "fuzz/sanitiser/SanitiserRun.h"
#include "ir/ops/Views.h"
#include "ir/text/Helpers.h"
#include "ir/types/Diagnose.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

#include <map>

using girih::checker::Vc;
using mlir::Operation;

namespace girih::fuzz {

using Demand = std::map<Rule, unsigned>;

/// The rule of a stated condition, said again here: the generator has its own.
static Rule ruleOf(tile::ProveKind kind) {
  switch (kind) {
  case tile::ProveKind::Holds:
    return Rule::ProveHolds;
  case tile::ProveKind::Domain:
    return Rule::MapDomain;
  case tile::ProveKind::Into:
    return Rule::MapInto;
  case tile::ProveKind::Inverse:
    return Rule::MapInverse;
  case tile::ProveKind::Count:
    return Rule::MapCount;
  case tile::ProveKind::Bytes:
    return Rule::BytesWhole;
  }
  return Rule::ProveHolds;
}

/// What is missing, under the rule that asks for it.
static std::string missing(Rule rule, const std::string &what) {
  return ruleName(rule) + what;
}

bool isEvaluated(Operation *op) {
  if (auto loop = mlir::dyn_cast<mlir::scf::WhileOp>(op->getParentOp())) {
    return op->getBlock() == loop.getBeforeBody();
  }
  if (!mlir::isa<mlir::scf::ForOp>(op->getParentOp())) {
    return false;
  }
  while (op && !mlir::isa<tile::InvariantOp>(op)) {
    op = op->getNextNode();
  }
  return op != nullptr;
}

Operation *endOfTrip(Operation *loop) {
  if (auto counted = mlir::dyn_cast<mlir::scf::ForOp>(loop)) {
    return counted.getBody()->getTerminator();
  }
  auto other = mlir::dyn_cast<mlir::scf::WhileOp>(loop);
  return other ? other.getYieldOp() : nullptr;
}

/// The obligations that an op must have at least, by rule.
static Demand demandOf(Operation *op) {
  Demand d;
  bool index = op->getNumResults() == 1 &&
               mlir::getElementTypeOrSelf(op->getResult(0)).isIndex();
  llvm::TypeSwitch<Operation *>(op)
      .Case<tile::ClaimOp>([&](tile::ClaimOp c) {
        d[Rule::ClaimBounds] = 2 * c.getIndices().size();
      })
      .Case<tile::ViewOp>([&](tile::ViewOp v) {
        using tile::ViewKind;
        if (v.getKind() == ViewKind::Slice) {
          d[Rule::ViewSlice] =
              3 * v.getWhat().size() +
              llvm::count_if(v.getStepNumbers(), [](const tile::ViewNumber &n) {
                return !tile::isOne(n);
              });
        } else if (v.getKind() == ViewKind::Flatten) {
          d[Rule::ViewFlatten] = 2;
          d[Rule::IndexWidth] = 2;
        } else if (v.getKind() != ViewKind::Permute) {
          d[v.getKind() == ViewKind::Fix ? Rule::ViewFix : Rule::ViewUnfold] =
              2;
        }
      })
      .Case<tile::AtomicOp>([&](tile::AtomicOp a) {
        d[Rule::AtomicBounds] = 2 * a.getIndices().size();
      })
      .Case<tile::LoadOp>([&](tile::LoadOp l) {
        d[Rule::LoadBounds] = 2 * l.getIndices().size();
        auto piece = mlir::dyn_cast<tile::PieceType>(l.getSource().getType());
        if (piece && piece.getMode() == tile::Mode::Out) {
          d[Rule::LoadDefined] = 1;
        }
        llvm::ArrayRef<int64_t> tile;
        if (piece) {
          tile = piece.getTile();
        } else {
          tile = mlir::cast<tile::PartitionType>(l.getSource().getType())
                     .getTile();
        }
        if (!l.getPad()) {
          d[Rule::LoadPad] =
              llvm::count_if(tile, [](int64_t t) { return t > 1; });
        }
      })
      .Case<tile::GatherOp>([&](tile::GatherOp g) {
        d[Rule::GatherBounds] = 2 * g.getIndices().size();
      })
      .Case<tile::ScatterOp>([&](tile::ScatterOp s) {
        d[Rule::ScatterBounds] = 2 * s.getIndices().size();
        d[Rule::ScatterLanes] = 1;
      })
      .Case<tile::AtomicScatterOp>([&](tile::AtomicScatterOp a) {
        d[Rule::AtomicScatterBounds] = 2 * a.getIndices().size();
      })
      .Case<mlir::arith::AddIOp, mlir::arith::SubIOp, mlir::arith::MulIOp>(
          [&](auto) { d[Rule::IndexWidth] = index ? 2 : 0; })
      .Case<mlir::arith::DivSIOp, mlir::arith::RemSIOp,
            mlir::arith::CeilDivSIOp>([&](auto) {
        mlir::Type type = mlir::getElementTypeOrSelf(op->getResult(0));
        d[Rule::IndexDivision] = type.isInteger(1)     ? 1
                                 : type.isIntOrIndex() ? 2
                                                       : 0;
      })
      .Case<mlir::scf::ForOp>([&](auto) {
        d[Rule::LoopStep] = 1;
        d[Rule::LoopWidth] = 1;
      })
      .Case<tile::InvariantOp>([&](auto) { d[Rule::InvariantHolds] = 1; })
      .Case<tile::MeasureOp>([&](auto) { d[Rule::WhileMeasure] = 1; })
      .Case<tile::ProveOp>(
          [&](tile::ProveOp p) { d[ruleOf(p.getRule())] = 1; });
  // At the start and after a trip; only then is there a measure before.
  if (isEvaluated(op)) {
    for (auto &[rule, count] : d) {
      count = 2 * count + (rule == Rule::WhileMeasure);
    }
  }
  return d;
}

/// The obligations that the application of a map has at least, read off the
/// map.
static Demand demandOf(tile::ApplyOp op, tile::MapOp map) {
  Demand d;
  d[Rule::MapDomain] = 2 * op.getArgs().size();
  if (map.getRangeAttr()) {
    d[Rule::MapInto] = 2 * op.getResults().size();
  }
  if (!map.getInverse().empty()) {
    d[Rule::MapInverse] = op.getArgs().size();
  }
  if (map.getMapKind() == tile::MapKind::Bijective) {
    d[Rule::MapCount] = 1;
  }
  return d;
}

/// How many numbers must be proved even so that no byte is shared: the
/// symbols of packed rows and of the strides between them, and the offsets
/// that blocks compute for slices of packed rows.
static unsigned evenNumbersOf(tile::KernelOp kernel) {
  llvm::DenseSet<mlir::Attribute> symbols;
  llvm::DenseSet<mlir::Value> offsets;
  auto isPacked = [](mlir::Type element) {
    return element.isIntOrFloat() && element.getIntOrFloatBitWidth() > 1 &&
           element.getIntOrFloatBitWidth() < 8;
  };
  for (mlir::BlockArgument arg : kernel.getArguments()) {
    auto type = mlir::dyn_cast<tile::TileTensorType>(arg.getType());
    if (!type || !isPacked(type.getElementType())) {
      continue;
    }
    auto add = [&](mlir::Attribute number) {
      if (mlir::isa<mlir::StringAttr>(number)) {
        symbols.insert(number);
      }
    };
    add(type.getDims().back());
    llvm::for_each(type.getStrides().empty() ? type.getStrides()
                                             : type.getStrides().drop_back(),
                   add);
    for (mlir::Operation *user : arg.getUsers()) {
      auto view = mlir::dyn_cast<tile::ViewOp>(user);
      if (view && view.getKind() == tile::ViewKind::Slice) {
        tile::ViewNumber offset = view.getOffsets().back();
        if (auto *value = std::get_if<mlir::Value>(&offset)) {
          offsets.insert(*value);
        }
      }
    }
  }
  return symbols.size() + offsets.size();
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

/// The obligations of the launch, by rule.
static Demand launchDemand(tile::KernelOp kernel) {
  Demand d;
  d[Rule::LaunchGrid] = kernel.getGridExprs().size();
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
  d[Rule::ContractDivision] = 2 * divisions;
  return d;
}

/// The question for a launch that meets the contract asks that no extent and
/// no grid dimension is 0; told of those that are symbols.
static void addSatisfiable(tile::KernelOp kernel, const Vc &query,
                           std::vector<std::string> &out) {
  llvm::SetVector<mlir::StringAttr> wanted;
  for (mlir::BlockArgument arg : kernel.getArguments()) {
    if (auto type = mlir::dyn_cast<tile::TileTensorType>(arg.getType())) {
      for (mlir::Attribute dim : type.getDims()) {
        if (auto symbol = mlir::dyn_cast<mlir::StringAttr>(dim)) {
          wanted.insert(symbol);
        }
      }
    }
  }
  for (tile::ExprAttr e : kernel.getGridExprs()) {
    if (e.getKind() == tile::ExprKind::Symbol) {
      wanted.insert(e.getSymbol());
    }
  }
  for (mlir::StringAttr symbol : wanted) {
    auto v = llvm::find_if(query.variables, [&](const checker::Variable &x) {
      return x.kind == checker::Variable::Kind::Symbol &&
             x.name == symbol.getValue();
    });
    auto isNotEmpty = [&](const proofs::Hypothesis &h) {
      return h.fact ==
             proofs::Fact::atLeastZero(proofs::Poly::variable(proofs::Var(
                                           v - query.variables.begin())) -
                                       1);
    };
    if (query.rule != Rule::ContractSatisfiable || v == query.variables.end() ||
        llvm::none_of(query.obligation.hypotheses, isNotEmpty)) {
      out.push_back(
          missing(Rule::ContractSatisfiable,
                  ": nobody asks that " + symbol.str() + " is at least 1"));
    }
  }
}

using Found = std::map<std::pair<Operation *, Rule>, unsigned>;

/// Says of which rules an op has fewer obligations than it must.
static void compare(Operation *op, const Demand &demand, Found &have,
                    std::vector<std::string> &out) {
  for (auto &[rule, count] : demand) {
    unsigned found = have[{op, rule}];
    if (found < count) {
      out.push_back(missing(
          rule, " at " + (op ? tile::locationText(op->getLoc()) : "launch") +
                    ": " + std::to_string(found) + " of " +
                    tile::counted(count, "obligation", "obligations")));
    }
  }
}

std::vector<std::string>
missingObligations(tile::KernelOp kernel, const checker::Generated &generated) {
  Found have;
  std::map<std::pair<Operation *, Operation *>, unsigned> pairs;
  std::map<int, unsigned> covered;
  for (const Vc &o : generated.vcs) {
    Rule rule = o.rule;
    if (rule == Rule::ClaimDisjoint) {
      ++pairs[std::minmax(o.op, o.other)];
    } else if (rule == Rule::OutCovered) {
      ++covered[o.tensor];
    } else {
      ++have[{o.op, rule}];
    }
  }
  std::vector<std::string> out;
  compare(nullptr, launchDemand(kernel), have, out);
  addSatisfiable(kernel, generated.satisfiable, out);
  std::vector<Operation *> claims;
  kernel.getBody()->walk([&](Operation *op) {
    compare(op, demandOf(op), have, out);
    auto c = mlir::dyn_cast<tile::ClaimOp>(op);
    bool isRaw = c && c.getResult().getType().getMode() == tile::Mode::Raw;
    if (mlir::isa<tile::ClaimOp, tile::ScatterOp>(op) && !isRaw) {
      claims.push_back(op);
    }
  });
  auto tensorOf = [](Operation *op) -> mlir::Value {
    if (auto scatter = mlir::dyn_cast<tile::ScatterOp>(op)) {
      return tile::rootOf(scatter.getTensor());
    }
    return tile::rootOf(tile::partitionOf(op->getResult(0)).getTensor());
  };
  for (size_t i = 0; i < claims.size(); ++i) {
    for (size_t j = i; j < claims.size(); ++j) {
      Operation *a = claims[i], *b = claims[j];
      if (tensorOf(claims[i]) == tensorOf(claims[j]) &&
          !pairs.count(std::minmax(a, b))) {
        out.push_back(missing(Rule::ClaimDisjoint,
                              ": claims at " + tile::locationText(a->getLoc()) +
                                  " and " + tile::locationText(b->getLoc()) +
                                  " are not compared"));
      }
    }
  }
  std::vector<checker::OptOut> believed = checker::optOutsOf(kernel);
  kernel.walk([&](tile::TrustOp op) {
    if (llvm::none_of(believed, [&](auto &o) { return o.op == op; })) {
      out.push_back(
          missing(Rule::TrustHolds,
                  " at " + tile::locationText(op.getLoc()) + " is not named"));
    }
  });
  for (mlir::BlockArgument arg : kernel.getArguments()) {
    auto type = mlir::dyn_cast<tile::TileTensorType>(arg.getType());
    if (type && type.getMode() == tile::Mode::Out && !type.getPartial() &&
        !covered[arg.getArgNumber()]) {
      out.push_back(
          missing(Rule::OutCovered, ": no obligation for argument " +
                                        std::to_string(arg.getArgNumber())));
    }
  }
  return out;
}

std::vector<std::string>
missingObligations(const tile::KernelFile &file,
                   const checker::Generated &generated) {
  std::vector<std::string> out = missingObligations(file.kernel, generated);
  // What elaboration must have stated of ops that are only in the text.
  Found have;
  unsigned even = 0;
  for (const Vc &o : generated.vcs) {
    if (o.op) {
      ++have[{tile::writtenOp(file, o.op), o.rule}];
    }
    even += o.rule == Rule::BytesWhole;
  }
  unsigned wantedEven = evenNumbersOf(file.kernel);
  if (even < wantedEven) {
    out.push_back(
        missing(Rule::BytesWhole,
                ": " + std::to_string(even) + " of " +
                    tile::counted(wantedEven, "obligation", "obligations")));
  }
  if (!file.text || !file.text->module) {
    return out;
  }
  for (auto kernel : file.text->module->getOps<tile::KernelOp>()) {
    if (kernel.getSymName() != tile::KernelOp(file.kernel).getSymName()) {
      continue;
    }
    kernel.walk([&](tile::ApplyOp op) {
      auto map =
          mlir::cast<tile::MapOp>(tile::calledHelper(op, *file.text->module));
      compare(op, demandOf(op, map), have, out);
    });
  }
  return out;
}

} // namespace girih::fuzz
