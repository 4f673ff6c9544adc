// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops and branches: what they carry and merge, in the order in which the
// variables were declared.

#include "Recording.h"
#include <algorithm>

namespace girih::kernel::recorder {

void Recording::open(Region &region, Op *op) {
  int in = scopes.back().empty() ? int(bodies.size()) - 1 : body();
  scopes.back().push_back({&region, op, in, ++scopeCount, {}, {}});
}
Scope Recording::close() {
  Scope s = std::move(scope());
  scopes.back().pop_back();
  return s;
}
Op *Recording::region(Kind kind, int count, Form form, Place at) {
  Region *in = scope().region;
  statement(std::move(form), at);
  Op *op = in->ops.back();
  op->kind = kind;
  op->regions.resize(count);
  for (Region &r : op->regions) {
    r.owner = op;
  }
  return op;
}

static int number(Recording &r, Op *op) {
  r.regions.push_back(op);
  return int(r.regions.size()) - 1;
}
static Op *opened(Recording &r, int number, Kind kind) {
  Op *op = r.regions[number];
  if (r.scope().op != op || op->kind != kind) {
    throw Error(r.scope().op ? r.scope().op->at : op->at,
                "a loop was left by break, return or an exception");
  }
  return op;
}
static Value argument(Recording &r, Region &region, TypeId type, Place at,
                      std::string name = "") {
  Value v = r.fresh(type, at, std::move(name));
  r.values[v].argumentOf = &region;
  r.values[v].number = int(region.arguments.size());
  region.arguments.push_back(v);
  return v;
}
/// Makes a stand-in an argument.
static void become(Recording &r, Region &region, Value v) {
  r.values[v].argumentOf = &region;
  r.values[v].number = int(region.arguments.size());
  region.arguments.push_back(v);
}
static Value resultLike(Recording &r, Op *op, Value like) {
  Value v = r.fresh(r.values[like].type, op->at, r.values[like].name);
  r.values[v].definition = op;
  r.values[v].number = int(op->results.size());
  op->results.push_back(v);
  op->keeps.push_back(false);
  return v;
}
/// Variables that were only read are what they are outside.
static void restore(Recording &r, const Scope &s) {
  for (auto &[variable, entry] : s.entries) {
    if (!s.assigned.count(variable)) {
      r.values[entry.inside].standsFor = entry.outside;
      r.variables[variable].value = entry.outside;
    }
  }
}

//===-- for ---------------------------------------------------------------===//

int openFor(Element counter, Value low, Value high, Value step, Place at) {
  Recording &r = Recording::here(at);
  Op *op =
      r.region(Kind::For, 1, Form("").value(low).value(high).value(step), at);
  argument(r, op->regions[0], r.typeId(Type{counter, 0, {}}), at, "k");
  r.open(op->regions[0], op);
  return number(r, op);
}
Value counterOf(int loop) {
  return Recording::here().regions[loop]->regions[0].arguments[0];
}
void closeFor(int loop) {
  Recording &r = Recording::here();
  Op *op = opened(r, loop, Kind::For);
  Scope s = r.close();
  restore(r, s);
  for (int variable : s.assigned) {
    Scope::Entry entry = s.entries.at(variable);
    become(r, op->regions[0], entry.inside);
    op->operands.push_back(entry.outside);
    op->regions[0].yields.push_back(r.variables[variable].value);
    r.variables[variable].value = resultLike(r, op, entry.outside);
  }
}

//===-- if ----------------------------------------------------------------===//

static void closeSide(Recording &r, int number, int side) {
  Scope s = r.close();
  auto &merge = r.merges[number];
  for (auto &[variable, entry] : s.entries) {
    if (s.assigned.count(variable)) {
      merge.try_emplace(variable, std::array{entry.outside, entry.outside})
          .first->second[side] = r.variables[variable].value;
    }
    r.values[entry.inside].standsFor = entry.outside;
    r.variables[variable].value = entry.outside;
  }
}
int openIf(Value condition, Place at) {
  Recording &r = Recording::here(at);
  Op *op = r.region(Kind::If, 2, Form("").value(condition), at);
  r.open(op->regions[0], op);
  return number(r, op);
}
void openElse(int branch) {
  Recording &r = Recording::here();
  Op *op = opened(r, branch, Kind::If);
  closeSide(r, branch, 0);
  r.open(op->regions[1], op);
}
void closeIf(int branch) {
  Recording &r = Recording::here();
  Op *op = opened(r, branch, Kind::If);
  closeSide(r, branch, 1);
  for (auto &[variable, ends] : r.merges[branch]) {
    Slot slot{variable, r.serial};
    Value outside = read(slot, op->at);
    op->regions[0].yields.push_back(ends[0]);
    op->regions[1].yields.push_back(ends[1]);
    assign(slot, resultLike(r, op, outside));
  }
}

//===-- while -------------------------------------------------------------===//

int openWhile(Place at) {
  Recording &r = Recording::here(at);
  Op *op = r.region(Kind::While, 2, Form(""), at);
  r.open(op->regions[0], op);
  return number(r, op);
}
void openBody(int loop, Value condition) {
  Recording &r = Recording::here();
  Op *op = opened(r, loop, Kind::While);
  op->condition = condition;
  bool isMeasured = std::any_of(
      op->regions[0].ops.begin(), op->regions[0].ops.end(), [](Op *o) {
        return !o->tokens.empty() && o->tokens[0].text == "tile.measure ";
      });
  if (!isMeasured) {
    throw Error(op->at, "a while says why it ends: measure(n), last in its "
                        "condition, of a number that each trip makes smaller");
  }
  // What the condition reads is known to be carried when the body has ended.
  Scope s = r.close();
  for (auto &[variable, entry] : s.entries) {
    r.variables[variable].value = entry.outside;
  }
  r.open(op->regions[1], op);
  for (auto &[variable, entry] : s.entries) {
    Value outside = entry.outside;
    Value inside =
        r.fresh(r.values[outside].type, op->at, r.values[outside].name);
    r.scope().entries.emplace(variable, Scope::Entry{inside, outside});
    r.variables[variable].value = inside;
    r.merges[loop][variable] = {entry.inside, -1};
  }
}
void closeWhile(int loop) {
  Recording &r = Recording::here();
  Op *op = opened(r, loop, Kind::While);
  Scope s = r.close();
  auto &seen = r.merges[loop]; // the stand-ins of the condition
  restore(r, s);
  for (auto &[variable, stands] : seen) {
    if (!s.assigned.count(variable)) {
      r.values[stands[0]].standsFor = s.entries.at(variable).outside;
    }
  }
  for (int variable : s.assigned) {
    Scope::Entry entry = s.entries.at(variable);
    auto it = seen.find(variable);
    if (it != seen.end()) {
      become(r, op->regions[0], it->second[0]);
    } else {
      argument(r, op->regions[0], r.values[entry.outside].type, op->at,
               r.values[entry.outside].name);
    }
    become(r, op->regions[1], entry.inside);
    op->operands.push_back(entry.outside);
    op->regions[1].yields.push_back(r.variables[variable].value);
    r.variables[variable].value = resultLike(r, op, entry.outside);
  }
}

} // namespace girih::kernel::recorder
