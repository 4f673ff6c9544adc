// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Predicates as facts: what holds in a block, and which threads come there
// together.

#include "lower/ptx/Evaluate.h"

namespace girih::ptx {

using namespace proofs;

static Int power(unsigned n) { return Int(1) << n; }

static std::vector<Fact> both(std::vector<Fact> a, const std::vector<Fact> &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// One of two; nothing where it cannot be said.
static std::vector<Fact> either(const std::vector<Fact> &a,
                                const std::vector<Fact> &b) {
  if (a.size() != 1 || b.size() != 1) {
    return {};
  }
  Fact out = a[0];
  out.branches.insert(out.branches.end(), b[0].branches.begin(),
                      b[0].branches.end());
  return out.branches.size() <= 4 ? std::vector<Fact>{out}
                                  : std::vector<Fact>{};
}

static Condition negated(Condition c) {
  std::swap(c.yes, c.no);
  return c;
}

Condition Evaluator::condition(size_t value) {
  value = flow.resolved(value);
  auto it = conditions.find(value);
  if (it != conditions.end()) {
    return it->second;
  }
  conditions[value] = {};
  Value v = flow.value(value);
  Condition c;
  const Instruction *code = v.kind == Value::Kind::Result
                                ? &flow.entry().instructions[v.instruction]
                                : nullptr;
  auto input = [&](size_t k) {
    const Operand &o = code->operands[k];
    return o.kind == Operand::Kind::Register && widths[o.name] == 1
               ? condition(flow.valueBefore(o.name, v.instruction))
               : Condition{};
  };
  bool logic = code && code->guard.empty() && code->suffix.size() == 1 &&
               code->suffix[0] == "pred";
  if (code && code->root == "setp" && code->guard.empty() && v.part == 0) {
    c = compared(v.instruction);
  } else if (logic && code->root == "not") {
    c = negated(input(1));
  } else if (logic && code->root == "mov") {
    c = input(1);
  } else if (logic && (code->root == "and" || code->root == "or")) {
    bool isOr = code->root == "or";
    Condition a = input(1), b = input(2);
    if (isOr) {
      a = negated(a);
      b = negated(b);
    }
    c.yes = both(a.yes, b.yes);
    c.no = either(a.no, b.no);
    c.exact = a.exact && b.exact && !c.no.empty();
    c = isOr ? negated(c) : c;
  }
  conditions[value] = c;
  return c;
}

Condition Evaluator::compared(size_t i) {
  const Instruction &code = flow.entry().instructions[i];
  std::vector<Type> types = code.types();
  if (code.suffix.size() != 2 || types.size() != 1 || types[0].kind == 'f' ||
      types[0].kind == 'p' || code.operands.size() != 3) {
    return {};
  }
  const Type &type = types[0];
  std::string how = code.suffix[0];
  bool equal = how == "eq" || how == "ne";
  if (how == "lo" || how == "ls" || how == "hi" || how == "hs") {
    if (type.kind != 'u') {
      return {};
    }
    how = how == "lo" ? "lt" : how == "ls" ? "le" : how == "hi" ? "gt" : "ge";
  }
  if (!equal && type.kind == 'b') {
    return {};
  }
  Number a, b;
  if (equal) {
    a = operand(i, code.operands[1], type.width);
    b = operand(i, code.operands[2], type.width);
  } else {
    a = read(i, 1, type);
    b = read(i, 2, type);
  }
  if (equal && !a.poly && b.poly == Poly(0)) {
    Condition zero = highBitsZero(i, type.width);
    return how == "eq" ? zero : negated(zero);
  }
  if (!a.poly || !b.poly) {
    return {};
  }
  Poly d = *a.poly - *b.poly, one(1);
  Condition c;
  c.exact = true;
  if (equal) {
    // Equal bits are equal numbers where the two are less than 2^w apart.
    size_t block = flow.blockOf(i);
    Poly apart(power(type.width) - 1);
    symbols.emit("ptx.width", "compared, lower", i, block, d + apart);
    symbols.emit("ptx.width", "compared, upper", i, block, apart - d);
    // What divides the difference does not matter.
    d = Symbols::reduced(d);
    c.yes = {Fact::zero(d)};
    Bounds of = symbols.bounds(d);
    if (of.low && *of.low >= 0) {
      symbols.emit("ptx.width", "sign", i, block, d);
      c.no = {Fact::atLeastZero(d - one)};
    } else if (of.high && *of.high <= 0) {
      symbols.emit("ptx.width", "sign", i, block, -d);
      c.no = {Fact::atLeastZero(-d - one)};
    } else {
      c.no = {Fact::anyOf({{{false, d - one}}, {{false, -d - one}}})};
    }
    return how == "eq" ? c : negated(c);
  }
  bool below = how == "lt" || how == "ge";
  c.yes = {Fact::atLeastZero(below ? -d - one : -d)};
  c.no = {Fact::atLeastZero(below ? d : d - one)};
  return how == "lt" || how == "le" ? c : negated(c);
}

/// That `(a | b) & mask` is 0, where the mask is all ones from bit k up: then
/// the numbers a and b are below 2^k. That it is not 0 says nothing.
Condition Evaluator::highBitsZero(size_t i, unsigned width) {
  auto made = [&](const Operand &o, size_t before) -> std::optional<size_t> {
    if (o.kind != Operand::Kind::Register || widths[o.name] != width) {
      return std::nullopt;
    }
    const Value v = flow.value(flow.resolved(flow.valueBefore(o.name, before)));
    const Instruction &code = flow.entry().instructions[v.instruction];
    return v.kind == Value::Kind::Result && code.guard.empty() &&
                   code.suffix.size() == 1 &&
                   widths[code.operands[0].name] == width
               ? std::optional(v.instruction)
               : std::nullopt;
  };
  const std::vector<Instruction> &all = flow.entry().instructions;
  auto masked = made(all[i].operands[1], i);
  if (!masked || all[*masked].root != "and") {
    return {};
  }
  Number mask = operand(*masked, all[*masked].operands[2], width);
  auto ones = mask.poly ? mask.poly->constant() : std::nullopt;
  if (!ones || *ones >= 0 || (-*ones & (-*ones - 1)) != 0) {
    return {};
  }
  auto either = made(all[*masked].operands[1], *masked);
  if (!either || all[*either].root != "or") {
    return {};
  }
  Condition c;
  for (size_t k : {1, 2}) {
    Number n = operand(*either, all[*either].operands[k], width);
    if (n.poly) {
      Poly p = asNumber(*either, *n.poly, false, width);
      c.yes.push_back(Fact::atLeastZero(Poly(-*ones - 1) - p));
    }
  }
  return c;
}

Condition Evaluator::guard(size_t i) {
  const Instruction &code = flow.entry().instructions[i];
  if (code.guard.empty()) {
    return {{}, {}, true};
  }
  Condition c = condition(flow.valueBefore(code.guard, i));
  return code.guardNegated ? negated(c) : c;
}

Condition Evaluator::branch(size_t block, bool taken) {
  Condition c = guard(flow.blocks()[block].end - 1);
  return taken ? c : negated(c);
}

std::vector<Hypothesis> Evaluator::facts(size_t block) {
  std::vector<Hypothesis> out;
  if (block == 0) {
    return out;
  }
  out = facts(flow.blocks()[block].dominator);
  if (auto from = flow.conditionalPredecessor(block)) {
    bool taken = flow.blocks()[*from].taken == block;
    for (Fact &f : branch(*from, taken).yes) {
      out.push_back(assumed(std::move(f), Origin::Kind::Path));
    }
  }
  for (size_t l = 0; l < flow.loops().size(); ++l) {
    if (flow.loops()[l].header == block) {
      for (Hypothesis &h : loopFact(l)) {
        out.push_back(std::move(h));
      }
    }
  }
  return out;
}

// Who comes along.

bool Evaluator::same(Var v, Group group) {
  const Variable x = symbols[v];
  if (x.trips) {
    return leftTogether(*x.trips, group);
  }
  if (!x.definition) {
    return !x.perThread;
  }
  const Definition d = symbols.definitions()[*x.definition].definition;
  std::optional<Int> by = d.kind == Definition::Kind::Quotient
                              ? d.arguments[1].constant()
                              : std::nullopt;
  if (group == Group::Warp && by && *by % 32 == 0 && d.results[0] == v &&
      d.arguments[0] == Poly::variable(symbols.thread(0)) &&
      symbols.expected.threads[0] % 32 == 0) {
    return true; // the number of the warp, or of some warps
  }
  for (const Poly &argument : d.arguments) {
    if (!same(argument, group)) {
      return false;
    }
  }
  return true;
}

bool Evaluator::same(const Poly &p, Group group) {
  for (const Term &t : p.terms()) {
    for (Var v : t.vars) {
      if (!same(v, group)) {
        return false;
      }
    }
  }
  return true;
}

bool Evaluator::same(const Condition &c, Group group) {
  for (const std::vector<Fact> *facts : {&c.yes, &c.no}) {
    for (const Fact &f : *facts) {
      for (const std::vector<Atom> &branch : f.branches) {
        for (const Atom &a : branch) {
          if (!same(a.poly, group)) {
            return false;
          }
        }
      }
    }
  }
  return c.exact;
}

/// Threads that enter a loop together make the same number of trips if they
/// decide alike as long as they have made the same number.
bool Evaluator::leftTogether(size_t loop, Group group) {
  for (size_t l : assumedUniform) {
    if (l == loop) {
      return true;
    }
  }
  assumedUniform.push_back(loop);
  bool together = true;
  for (size_t b = 1; b < flow.blocks().size() && together; ++b) {
    if (flow.inLoop(b, loop) && flow.leaves(b, loop)) {
      together = flow.blocks()[b].taken && same(branch(b, true), group);
    }
  }
  assumedUniform.pop_back();
  return together;
}

/// The branches on which it depends whether control comes to the block: those
/// that it does not follow upon in any case, though it follows upon one of
/// their ways.
bool Evaluator::uniform(size_t block, Group group) {
  std::vector<bool> seen(flow.blocks().size());
  std::vector<size_t> open = {block};
  while (!open.empty()) {
    size_t b = open.back();
    open.pop_back();
    if (seen[b]) {
      continue;
    }
    seen[b] = true;
    for (size_t from = 1; from < flow.blocks().size(); ++from) {
      const Block &f = flow.blocks()[from];
      const Instruction &last = flow.entry().instructions[f.end - 1];
      if (last.guard.empty() ||
          (last.root != "bra" && last.root != "ret" && last.root != "exit")) {
        continue;
      }
      bool follows = false;
      for (size_t s : f.successors) {
        follows =
            follows || (!flow.blocks()[s].aborts && flow.postDominates(b, s));
      }
      // The block itself may be the branch: a loop's end.
      bool always = from != b && flow.postDominates(b, from);
      if (!follows || always) {
        continue;
      }
      if (last.root != "bra" || !f.taken || !same(branch(from, true), group)) {
        return false;
      }
      open.push_back(from);
    }
  }
  return true;
}

} // namespace girih::ptx
