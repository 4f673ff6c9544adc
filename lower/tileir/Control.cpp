// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops and branches. Both carry, beside their own values, the tokens of the
// written tensors that they touch.

#include "lower/tileir/Context.h"

#include "llvm/ADT/TypeSwitch.h"

#include <set>

namespace girih::tileir {

/// The operands of a terminator, then the tokens.
static std::vector<Value> handedOn(const Context &c, mlir::Block &block,
                                   const std::vector<unsigned> &tensors) {
  std::vector<Value> out;
  for (mlir::Value v : block.getTerminator()->getOperands()) {
    out.push_back(c[v]);
  }
  for (unsigned t : tensors) {
    out.push_back(c.tokens.at(t));
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
  std::vector<Value> initial;
  std::vector<Type> types;
  for (mlir::Value v : op.getInitArgs()) {
    initial.push_back(c[v]);
  }
  for (unsigned t : tensors) {
    initial.push_back(c.tokens.at(t));
  }
  for (Value v : initial) {
    types.push_back(c.builder.typeOf(v));
  }
  std::vector<Type> arguments = types;
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
      .Case([](mlir::scf::YieldOp) { return true; })
      .Case<tile::ProveOp, tile::TrustOp>([](auto) { return true; })
      .Case([&](tile::PrintOp print) { return lowerPrint(c, print), true; })
      .Case([&](tile::NameOp name) {
        c.values[name.getResult()] = c[name.getValue()];
        return true;
      })
      .Default(false);
}

} // namespace girih::tileir
