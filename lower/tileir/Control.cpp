// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops and branches. Both carry, beside their own values, the tokens of the
// written tensors that they touch.

#include "lower/tileir/Context.h"

#include "llvm/ADT/TypeSwitch.h"

#include <set>

namespace girih::tileir {

/// Values, then the tokens.
static std::vector<Value> handedOn(const Context &c, mlir::ValueRange values,
                                   const std::vector<unsigned> &tensors) {
  std::vector<Value> out;
  for (mlir::Value v : values) {
    out.push_back(c[v]);
  }
  for (unsigned t : tensors) {
    out.push_back(c.tokens.at(t));
  }
  return out;
}

static std::vector<Value> handedOn(const Context &c, mlir::Block &block,
                                   const std::vector<unsigned> &tensors) {
  return handedOn(c, block.getTerminator()->getOperands(), tensors);
}

static std::vector<Type> typesOf(const Context &c,
                                 const std::vector<Value> &values) {
  std::vector<Type> out;
  for (Value v : values) {
    out.push_back(c.builder.typeOf(v));
  }
  return out;
}

static void takeResults(Context &c, mlir::Operation *op,
                        const std::vector<Value> &results,
                        const std::vector<unsigned> &tensors) {
  for (auto [result, value] : llvm::zip(op->getResults(), results)) {
    c.values[result] = value;
  }
  for (auto [i, t] : llvm::enumerate(tensors)) {
    c.tokens[t] = results[op->getNumResults() + i];
  }
}

static void lowerFor(Context &c, mlir::scf::ForOp op) {
  std::vector<unsigned> tensors = tensorsIn(op.getRegion());
  std::vector<Value> initial = handedOn(c, op.getInitArgs(), tensors);
  std::vector<Type> types = typesOf(c, initial), arguments = types;
  arguments.insert(arguments.begin(),
                   tileTypeOf(op.getInductionVar().getType()));
  Region body = c.builder.region(arguments, [&](auto &values) {
    mlir::Block *block = op.getBody();
    for (auto [argument, value] : llvm::zip(block->getArguments(), values)) {
      c.values[argument] = value;
    }
    for (auto [i, t] : llvm::enumerate(tensors)) {
      separateTrips(c, op, t, c.tokens.at(t));
      c.tokens[t] = values[block->getNumArguments() + i];
    }
    lowerBlock(c, *block);
    c.builder.append(Opcode::Continue, {}, {handedOn(c, *block, tensors)}, {});
  });
  takeResults(c, op,
              c.builder.append(Opcode::For, {int64_t(0)},
                               {{c[op.getLowerBound()]},
                                {c[op.getUpperBound()]},
                                {c[op.getStep()]},
                                initial},
                               types, {std::move(body)}),
              tensors);
}

/// `loop { condition region; if goes_on {} else { break }; body; continue }`.
static void lowerWhile(Context &c, mlir::scf::WhileOp op) {
  std::vector<unsigned> tensors = tensorsIn(op.getAfter());
  std::vector<Value> initial = handedOn(c, op.getInits(), tensors);
  mlir::scf::ConditionOp condition = op.getConditionOp();
  std::vector<Type> types;
  Region body = c.builder.region(typesOf(c, initial), [&](auto &values) {
    mlir::Block *head = op.getBeforeBody(), *trip = op.getAfterBody();
    for (auto [argument, value] : llvm::zip(head->getArguments(), values)) {
      c.values[argument] = value;
    }
    for (auto [i, t] : llvm::enumerate(tensors)) {
      c.tokens[t] = values[head->getNumArguments() + i];
    }
    lowerBlock(c, *head);
    std::vector<Value> passed = handedOn(c, condition.getArgs(), tensors);
    types = typesOf(c, passed);
    std::vector<Region> ways;
    ways.push_back(c.builder.region(
        {}, [&](auto &) { c.builder.append(Opcode::Yield, {}, {{}}, {}); }));
    ways.push_back(c.builder.region({}, [&](auto &) {
      c.builder.append(Opcode::Break, {}, {passed}, {});
    }));
    c.builder.append(Opcode::If, {}, {{c[condition.getCondition()]}}, {},
                     std::move(ways));
    for (auto [argument, value] : llvm::zip(trip->getArguments(), passed)) {
      c.values[argument] = value;
    }
    lowerBlock(c, *trip);
    c.builder.append(Opcode::Continue, {}, {handedOn(c, *trip, tensors)}, {});
  });
  takeResults(
      c, op,
      c.builder.append(Opcode::Loop, {}, {initial}, types, {std::move(body)}),
      tensors);
}

static void lowerIf(Context &c, mlir::scf::IfOp op) {
  std::set<unsigned> both;
  for (mlir::Region &region : op->getRegions()) {
    for (unsigned t : tensorsIn(region)) {
      both.insert(t);
    }
  }
  std::vector<unsigned> tensors(both.begin(), both.end());
  std::vector<Type> types;
  for (mlir::Type t : op.getResultTypes()) {
    types.push_back(tileTypeOf(t));
  }
  types.insert(types.end(), tensors.size(), TokenType{});
  std::map<unsigned, Value> before = c.tokens;
  std::vector<Region> regions;
  for (mlir::Region &region : op->getRegions()) {
    c.tokens = before;
    regions.push_back(c.builder.region({}, [&](auto &) {
      std::vector<Value> values;
      if (region.empty()) {
        for (unsigned t : tensors) {
          values.push_back(c.tokens.at(t));
        }
      } else {
        lowerBlock(c, region.front());
        values = handedOn(c, region.front(), tensors);
      }
      c.builder.append(Opcode::Yield, {}, {values}, {});
    }));
  }
  c.tokens = before;
  takeResults(c, op,
              c.builder.append(Opcode::If, {}, {{c[op.getCondition()]}}, types,
                               std::move(regions)),
              tensors);
}

bool lowerControl(Context &c, mlir::Operation *op) {
  return llvm::TypeSwitch<mlir::Operation *, bool>(op)
      .Case([&](mlir::scf::ForOp loop) { return lowerFor(c, loop), true; })
      .Case([&](mlir::scf::IfOp branch) { return lowerIf(c, branch), true; })
      .Case([&](mlir::scf::WhileOp loop) { return lowerWhile(c, loop), true; })
      .Case<mlir::scf::YieldOp, mlir::scf::ConditionOp>(
          [](auto) { return true; })
      .Case<tile::ProveOp, tile::TrustOp, tile::InvariantOp, tile::MeasureOp>(
          [](auto) { return true; })
      .Case([&](tile::PrintOp print) { return lowerPrint(c, print), true; })
      .Case([&](tile::NameOp name) {
        c.values[name.getResult()] = c[name.getValue()];
        return true;
      })
      .Default(false);
}

} // namespace girih::tileir
