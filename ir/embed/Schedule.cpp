// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which ops are printed, and in which order. C++ leaves open in which order the
// arguments of a call are evaluated, and compilers differ: so that all print
// one text, the order in which pure ops were recorded means nothing. They come
// right before what first needs them, operands in order. Statements keep their
// order; claims and loads stay between the statements that they stood between.

#include "Recording.h"
#include <algorithm>

namespace girih::kernel::recorder {

//===-- Liveness ----------------------------------------------------------===//

namespace {
class Marker {
public:
  explicit Marker(Recording &r) : r(r) {}

  void region(Region &region) {
    for (Op *op : region.ops) {
      if (op->kind == Kind::Plain ? op->role != Role::Pure : sticks(*op)) {
        mark(op);
      }
    }
  }
  void value(Value v) {
    v = r.real(v);
    ValueData &data = r.values[v];
    if (Op *op = data.definition) {
      mark(op);
      keep(op, data.number);
    } else if (data.argumentOf && data.argumentOf->owner) {
      Op *loop = data.argumentOf->owner;
      keep(loop, data.number - (loop->kind == Kind::For ? 1 : 0));
    }
  }

private:
  static bool sticks(const Op &op) {
    if (op.kind == Kind::While) {
      return true;
    }
    for (const Region &region : op.regions) {
      for (const Op *inner : region.ops) {
        if (inner->kind == Kind::Plain ? inner->role != Role::Pure
                                       : sticks(*inner)) {
          return true;
        }
      }
    }
    return false;
  }
  void mark(Op *op) {
    if (op->isLive) {
      return;
    }
    op->isLive = true;
    size_t fixed = op->kind == Kind::For     ? 3
                   : op->kind == Kind::While ? 0
                                             : op->operands.size();
    for (size_t k = 0; k < fixed; ++k) {
      value(op->operands[k]);
    }
    if (op->condition >= 0) {
      value(op->condition);
    }
    for (Region &inner : op->regions) {
      region(inner);
    }
  }
  /// Carried or merged value number `k`.
  void keep(Op *op, int k) {
    if (op->kind == Kind::Plain || k < 0 || op->keeps[k]) {
      return;
    }
    op->keeps[k] = true;
    mark(op);
    if (op->kind == Kind::If) {
      value(op->regions[0].yields[k]);
      value(op->regions[1].yields[k]);
      return;
    }
    value(op->operands[op->kind == Kind::For ? 3 + k : k]);
    value(op->regions.back().yields[k]);
  }
  Recording &r;
};
} // namespace

void markLive(Recording &r, Region &top) {
  Marker marker(r);
  marker.region(top);
  for (Value v : top.yields) {
    marker.value(v);
  }
}

//===-- Loops -------------------------------------------------------------===//

void leaveLoops(Recording &r) {
  auto isFrom = [&](Value v, const Region &region) {
    const ValueData &data = r.values[r.real(v)];
    return (data.definition ? data.definition->in : data.argumentOf) == &region;
  };
  std::map<std::pair<const Region *, std::string>, Value> known;
  for (Body &body : r.bodies) {
    for (Op &op : body.ops) {
      if (!op.isWidening) {
        continue;
      }
      auto stays = [&](Value v) { return isFrom(v, *op.in); };
      while (op.in->owner &&
             (op.in->owner->kind == Kind::For ||
              op.in->owner->kind == Kind::While) &&
             std::none_of(op.operands.begin(), op.operands.end(), stays)) {
        op.in = op.in->owner->in;
      }
      std::string text = std::to_string(r.real(op.operands[0]));
      for (const Token &token : op.tokens) {
        text += token.text;
      }
      auto [it, isNew] = known.try_emplace({op.in, text}, op.results[0]);
      if (!isNew) {
        r.values[op.results[0]].standsFor = it->second;
      }
    }
  }
}

//===-- Order -------------------------------------------------------------===//

namespace {
/// The operands of an op, and what its regions take from around it, that are
/// kept.
class Needs {
public:
  explicit Needs(const Recording &r) : r(r) {}

  /// Calls `visit` with what `op` takes from `in` itself, in order.
  template <class F> void of(const Op &op, const Region &in, F visit) const {
    std::set<const Op *> seen;
    collect(op, in, seen, visit);
  }
  template <class F> void of(Value v, const Region &in, F visit) const {
    std::set<const Op *> seen;
    value(v, in, seen, visit);
  }

private:
  template <class F>
  void collect(const Op &op, const Region &in, std::set<const Op *> &seen,
               F &visit) const {
    bool carries = op.kind == Kind::For || op.kind == Kind::While;
    size_t fixed = op.kind == Kind::For ? 3 : 0;
    for (size_t k = 0; k < op.operands.size(); ++k) {
      if (!carries || k < fixed || op.keeps[k - fixed]) {
        value(op.operands[k], in, seen, visit);
      }
    }
    for (const Region &region : op.regions) {
      for (const Op *inner : region.ops) {
        if (inner->isLive && inner->role != Role::Pure &&
            seen.insert(inner).second) {
          collect(*inner, in, seen, visit);
        }
      }
      if (&region == &op.regions[0] && op.condition >= 0) {
        value(op.condition, in, seen, visit);
      }
      for (size_t k = 0; k < region.yields.size(); ++k) {
        if (op.keeps[k]) {
          value(region.yields[k], in, seen, visit);
        }
      }
    }
  }
  template <class F>
  void value(Value v, const Region &in, std::set<const Op *> &seen,
             F &visit) const {
    Op *op = r.values[r.real(v)].definition;
    if (!op || !seen.insert(op).second) {
      return;
    }
    if (op->in == &in) {
      visit(op);
    } else {
      collect(*op, in, seen, visit);
    }
  }
  const Recording &r;
};

class Scheduler {
public:
  Scheduler(Recording &r, Region &region) : needs(r), region(region) {}

  std::vector<Op *> run() {
    rankAll();
    std::vector<Op *> floating;
    for (Op *op : region.ops) {
      if (!op->isLive || op->hoist != Hoist::No) {
        continue;
      }
      if (op->role == Role::Floating) {
        floating.push_back(op);
      } else if (op->role == Role::Statement) {
        std::set<const Op *> closure;
        reach(op, closure);
        between(floating, closure);
        if (isMeasure(*op)) { // nothing stands between it and the condition
          needs.of(region.owner->condition, region, [&](Op *o) { emit(o); });
        }
        emit(op);
      }
    }
    std::set<const Op *> closure;
    for (Value v : yields()) {
      needs.of(v, region, [&](Op *op) { reach(op, closure); });
    }
    between(floating, closure);
    for (Value v : yields()) {
      needs.of(v, region, [&](Op *op) { emit(op); });
    }
    return std::move(order);
  }

private:
  static bool isMeasure(const Op &op) {
    return !op.tokens.empty() && op.tokens[0].text == "tile.measure ";
  }
  std::vector<Value> yields() const {
    std::vector<Value> out;
    const Op *op = region.owner;
    if (op && op->kind == Kind::While && &region == &op->regions[0]) {
      out.push_back(op->condition);
    }
    for (size_t k = 0; k < region.yields.size(); ++k) {
      if (!op || op->keeps[k]) {
        out.push_back(region.yields[k]);
      }
    }
    return out;
  }
  /// What has been printed needs nothing that has not, so that a long kernel is
  /// walked once and not once a statement.
  void reach(const Op *op, std::set<const Op *> &closure) const {
    if (!op->isScheduled && closure.insert(op).second) {
      needs.of(*op, region, [&](Op *inner) { reach(inner, closure); });
    }
  }
  /// Where claims and loads are first needed, whatever order they were recorded
  /// in.
  void rankAll() {
    std::set<const Op *> seen;
    for (Op *op : region.ops) {
      if (op->isLive && op->role == Role::Statement) {
        rank(op, seen);
      }
    }
    for (Value v : yields()) {
      needs.of(v, region, [&](Op *op) { rank(op, seen); });
    }
  }
  void rank(Op *op, std::set<const Op *> &seen) {
    if (!seen.insert(op).second) {
      return;
    }
    needs.of(*op, region, [&](Op *inner) { rank(inner, seen); });
    ranks[op] = ranks.size();
  }
  void between(std::vector<Op *> &floating,
               const std::set<const Op *> &closure) {
    std::vector<Op *> now;
    for (Op *op : floating) {
      if (!closure.count(op) && !op->isScheduled) {
        now.push_back(op);
      }
    }
    sortStably(now, [&](Op *a, Op *b) { return rankOf(a) < rankOf(b); });
    for (Op *op : now) {
      emit(op);
    }
    floating.clear();
  }
  size_t rankOf(const Op *op) const {
    auto it = ranks.find(op);
    return it == ranks.end() ? ~size_t(0) : it->second;
  }
  void emit(Op *op) {
    if (op->isScheduled || op->hoist != Hoist::No) {
      return;
    }
    op->isScheduled = true;
    needs.of(*op, region, [&](Op *inner) { emit(inner); });
    order.push_back(op);
  }
  Needs needs;
  Region &region;
  std::map<const Op *, size_t> ranks;
  std::vector<Op *> order;
};
} // namespace

std::vector<Op *> schedule(Recording &r, Region &region) {
  return Scheduler(r, region).run();
}

} // namespace girih::kernel::recorder
