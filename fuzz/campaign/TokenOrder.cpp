// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fuzz/campaign/TokenOrder.h"

#include "lower/tileir/Encoding.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

using namespace girih::tileir;

namespace girih::fuzz {

namespace {

/// Which accesses, by their number in the run, are known to be done.
using Behind = std::set<size_t>;

struct Access {
  const Op *op = nullptr;
  Value root = 0;  ///< the parameter
  char kind = 'l'; ///< load, store, atomic, or wait for grids
  /// The run of the loop around it in which its place depends on the trip.
  size_t apartIn = 0;
};

struct Run {
  uint64_t branches; ///< a bit for each branch that is come to
  std::map<Value, Behind> tokens = {};
  std::map<Value, Value> roots = {};
  std::vector<Access> accesses = {};
  std::set<Value> moving = {}; ///< computed from the counter of a loop
  size_t loops = 0;
  bool good = true;

  static char kindOf(Opcode code) {
    return code == Opcode::LoadPtr || code == Opcode::LoadView     ? 'l'
           : code == Opcode::StorePtr || code == Opcode::StoreView ? 's'
           : code == Opcode::GdcWait                               ? 'w'
                                                                   : 'a';
  }

  void access(const Op &op, const OpForm &form, size_t loop) {
    Access now{&op, 0, kindOf(op.opcode), 0};
    Behind behind;
    for (size_t g = 0; g < form.operands.size(); ++g) {
      std::string name = form.operands[g].name;
      const std::vector<Value> &values = op.operands[g];
      if (name == "view" || name == "source" || name == "destination") {
        now.root = roots[values[0]];
      } else if (name == "token" && !values.empty()) {
        behind = tokens[values[0]];
      } else if (name == "index" && isMoving(values)) {
        now.apartIn = loop;
      }
    }
    for (size_t i = 0; i < accesses.size(); ++i) {
      const Access &before = accesses[i];
      bool waits = before.kind == 'w' || now.kind == 'w';
      bool conflict = waits || (before.root == now.root &&
                                (before.kind != now.kind || now.kind == 's'));
      bool apart = before.op == now.op && now.apartIn != 0 &&
                   before.apartIn == now.apartIn && now.kind == 's';
      good &= !conflict || apart || behind.contains(i);
    }
    behind.insert(accesses.size());
    accesses.push_back(now);
    tokens[op.results.back()] = std::move(behind);
  }

  bool isMoving(const std::vector<Value> &values) const {
    return std::ranges::any_of(values,
                               [&](Value v) { return moving.contains(v); });
  }

  void hand(const std::vector<Value> &from, const std::vector<Value> &to) {
    std::vector<Behind> sets;
    for (Value v : from) {
      sets.push_back(tokens[v]);
    }
    for (size_t i = 0; i < to.size(); ++i) {
      tokens[to[i]] = sets[i];
    }
  }

  void loop(const Op &op) {
    const Region &body = op.regions[0];
    std::vector<Value> carried(body.arguments.begin() + 1,
                               body.arguments.end());
    size_t self = ++loops;
    hand(op.operands[3], carried);
    std::set<Value> outside = std::move(moving);
    for (int trip = 0; trip < 2; ++trip) {
      moving = {body.arguments[0]};
      run(body.ops, self);
      hand(body.ops.back().operands[0], carried);
    }
    moving = std::move(outside);
    hand(carried, op.results);
  }

  /// The values of the branch in a loop that leaves it.
  static const std::vector<Value> &leaving(const Region &body) {
    auto exit = std::ranges::find_if(body.ops, [](const Op &op) {
      return op.opcode == Opcode::If &&
             op.regions[1].ops.back().opcode == Opcode::Break;
    });
    return exit->regions[1].ops.back().operands[0];
  }

  void loopToExit(const Op &op) {
    const Region &body = op.regions[0];
    size_t self = ++loops;
    hand(op.operands[0], body.arguments);
    std::set<Value> outside = std::exchange(moving, {});
    for (int trip = 0; trip < 2; ++trip) {
      run(body.ops, self);
      hand(body.ops.back().operands[0], body.arguments);
    }
    moving = std::move(outside);
    hand(leaving(body), op.results);
  }

  /// A store in a branch of a loop is not taken to be apart.
  void branch(const Op &op) {
    const Region &taken = op.regions[branches & 1];
    branches = branches >> 1 | branches << 63;
    run(taken.ops, 0);
    hand(taken.ops.back().operands[0], op.results);
  }

  void run(const std::vector<Op> &ops, size_t loopNumber) {
    for (const Op &op : ops) {
      const OpForm &form = formOf(op.opcode);
      std::string name = form.mnemonic;
      if (op.opcode == Opcode::Print) {
        hand(op.operands[1], op.results); // it touches no memory
      } else if (op.opcode == Opcode::GdcLaunchDependents) {
        tokens[op.results[0]] = {}; // nor does this, and it waits for nothing
      } else if (name.ends_with("_tko")) {
        access(op, form, loopNumber);
      } else if (op.opcode == Opcode::JoinTokens) {
        Behind all;
        for (Value v : op.operands[0]) {
          all.insert(tokens[v].begin(), tokens[v].end());
        }
        tokens[op.results[0]] = std::move(all);
      } else if (op.opcode == Opcode::For) {
        loop(op);
      } else if (op.opcode == Opcode::Loop) {
        loopToExit(op);
      } else if (op.opcode == Opcode::If) {
        branch(op);
      } else if (op.results.size() == 1 && !op.operands.empty() &&
                 !op.operands[0].empty()) {
        // Addresses and views come of their first operand.
        Value of = op.operands[0][0];
        roots[op.results[0]] = roots.contains(of) ? roots[of] : of;
        if (std::ranges::any_of(op.operands,
                                [&](auto &group) { return isMoving(group); })) {
          moving.insert(op.results[0]);
        }
      }
    }
  }
};

} // namespace

bool isOrdered(const Function &function) {
  constexpr uint64_t paths = 16;
  for (uint64_t path = 0; path < paths; ++path) {
    // The bits again and again, so that deep paths differ, too.
    Run run{path * 0x1111111111111111u};
    for (Value v : function.body.arguments) {
      run.roots[v] = v;
    }
    run.run(function.body.ops, 0);
    if (!run.good) {
      return false;
    }
  }
  return true;
}

} // namespace girih::fuzz
