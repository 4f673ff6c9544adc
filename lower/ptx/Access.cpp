// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/ptx/Access.h"

#include <algorithm>

namespace girih::ptx {

using namespace proofs;

std::string print(const Access &a, const Evaluator &e,
                  const std::vector<std::string> &names) {
  constexpr const char *modes[] = {"read", "write", "atomic"};
  std::string where = a.tensor ? e.symbols.expected.tensors[*a.tensor].name
                               : e.shared()[a.shared].name;
  return std::string(modes[size_t(a.mode)]) + " " + where + " + " +
         proofs::print(a.offset, &names) + " bytes " +
         proofs::print(a.size, &names) + " line " +
         std::to_string(e.flow.entry().instructions[a.instruction].line) + "\n";
}

std::vector<Hypothesis> factsOf(Evaluator &e, const Access &a) {
  std::vector<Hypothesis> out = e.facts(a.block);
  out.insert(out.end(), a.guards.begin(), a.guards.end());
  return out;
}

std::vector<Hypothesis> withoutEnds(Evaluator &e, size_t block,
                                    std::vector<Hypothesis> facts) {
  std::erase_if(facts, [&](const Hypothesis &h) {
    for (size_t l = 0; l < e.flow.loops().size(); ++l) {
      auto last = e.flow.inLoop(block, l) ? std::nullopt : e.lastTrip(l);
      Poly left = last ? *last - Poly::variable(e.trip(l)) : Poly();
      if (last && (h.fact == Fact::zero(left) || h.fact == Fact::zero(-left))) {
        return true;
      }
    }
    return false;
  });
  return facts;
}

/// The offset from a base, if the polynomial is one base and an offset.
template <typename BaseOf>
static std::optional<std::pair<size_t, Poly>>
fromBase(const Poly &p, BaseOf baseOf, const Evaluator &e, bool shared) {
  std::optional<size_t> base;
  for (const Term &t : p.terms()) {
    for (Var v : t.vars) {
      bool isBase = e.parameterOf(v) || e.sharedOf(v);
      if (!isBase) {
        continue;
      }
      std::optional<size_t> index = baseOf(v);
      if (!index || base || t.vars.size() != 1) {
        return std::nullopt;
      }
      base = index;
      Int unit = shared ? Int(e.shared()[*index].align) : 1;
      if (t.coeff != unit) {
        return std::nullopt;
      }
    }
  }
  if (!base) {
    return std::nullopt;
  }
  std::vector<Term> rest;
  for (const Term &t : p.terms()) {
    if (t.vars.size() != 1 || baseOf(t.vars[0]) != base) {
      rest.push_back(t);
    }
  }
  return std::pair(*base, Poly::fromTerms(std::move(rest)));
}

namespace {
class Collector {
public:
  explicit Collector(Evaluator &e) : e(e) {}
  std::variant<Accesses, Error> run();

private:
  std::optional<Error> one(size_t i);
  std::optional<Error> global(size_t i, const Operand &where, Mode mode,
                              uint64_t bytes, bool generic);
  std::optional<Error> shared(size_t i, const Operand &where, Mode mode,
                              uint64_t bytes, bool generic);
  std::optional<Error> copy(size_t i);
  std::optional<Error> prefetch(size_t i);
  Access begun(size_t i, Mode mode, uint64_t bytes, bool generic);

  Evaluator &e;
  Accesses out;
};
} // namespace

std::variant<Accesses, Error> accessesOf(Evaluator &e) {
  return Collector(e).run();
}

std::variant<Accesses, Error> Collector::run() {
  for (size_t i = 0; i < e.flow.entry().instructions.size(); ++i) {
    if (auto error = one(i)) {
      return *error;
    }
  }
  return out;
}

/// How many bytes a load or a store moves, the whole vector.
static uint64_t bytesOf(const Instruction &i) {
  std::vector<Type> types = i.types();
  uint64_t one = types.size() == 1 ? types[0].width / 8 : 0;
  return one * (i.has("v2") ? 2 : i.has("v4") ? 4 : 1);
}

std::optional<Error> Collector::one(size_t i) {
  const Instruction &code = e.flow.entry().instructions[i];
  if (code.root == "cp") {
    return copy(i);
  }
  if (code.root == "mbarrier") {
    const Operand &where = code.operands[code.written];
    return shared(i, where, Mode::Atomic, 8, false);
  }
  if (code.root == "prefetch") {
    return prefetch(i);
  }
  bool load = code.root == "ld", store = code.root == "st";
  if (!load && !store && code.root != "red") {
    return std::nullopt;
  }
  if (code.has("param")) {
    return std::nullopt;
  }
  const Operand &where = code.operands[load ? 1 : 0];
  uint64_t bytes = bytesOf(code);
  size_t parts = code.has("v2") ? 2 : code.has("v4") ? 4 : 1;
  const Operand &value = code.operands[load ? 0 : 1];
  size_t given = value.kind == Operand::Kind::Vector ? value.parts.size() : 1;
  if (bytes == 0 || bytes > 16 || given != parts || code.has("volatile")) {
    return at(code, "an access of no size that is known here");
  }
  Mode mode = load ? Mode::Read : store ? Mode::Write : Mode::Atomic;
  if (code.has("global")) {
    return global(i, where, mode, bytes, true);
  }
  if (code.has("shared") || code.has("shared::cta")) {
    return shared(i, where, mode, bytes, true);
  }
  return at(code, "an access to no state space");
}

Access Collector::begun(size_t i, Mode mode, uint64_t bytes, bool generic) {
  Access a;
  a.instruction = i;
  a.block = e.flow.blockOf(i);
  a.mode = mode;
  a.bytes = bytes;
  a.size = Poly(Int(bytes));
  a.generic = generic;
  for (Fact &f : e.guard(i).yes) {
    a.guards.push_back(assumed(std::move(f), Origin::Kind::Path));
  }
  return a;
}

static Error notFollowed(const Instruction &code, const Number &n) {
  return {code.line,
          "the address of '" + print(code) + "' is not followed: " +
              (n.why.line == 0 ? n.why.message
                               : "line " + std::to_string(n.why.line) + ": " +
                                     n.why.message)};
}

std::optional<Error> Collector::global(size_t i, const Operand &where,
                                       Mode mode, uint64_t bytes,
                                       bool generic) {
  const Instruction &code = e.flow.entry().instructions[i];
  if (where.parts[0].kind == Operand::Kind::Register &&
      e.flow.entry().registers.at(where.parts[0].name).width != 64) {
    return at(code, "an address of less than 64 bits");
  }
  Number n = e.address(i, where);
  if (!n.poly) {
    return notFollowed(code, n);
  }
  auto place =
      fromBase(*n.poly, [&](Var v) { return e.parameterOf(v); }, e, false);
  if (!place || !e.symbols.expected.arguments[place->first].tensor) {
    return at(code, "an address that is not that of a parameter and an offset");
  }
  Access a = begun(i, mode, bytes, generic);
  a.tensor = e.symbols.expected.arguments[place->first].tensor;
  a.offset = place->second;
  out.global.push_back(std::move(a));
  return std::nullopt;
}

std::optional<Error> Collector::shared(size_t i, const Operand &where,
                                       Mode mode, uint64_t bytes,
                                       bool generic) {
  const Instruction &code = e.flow.entry().instructions[i];
  Number n = e.address(i, where);
  if (!n.poly) {
    return notFollowed(code, n);
  }
  auto place = fromBase(*n.poly, [&](Var v) { return e.sharedOf(v); }, e, true);
  if (!place) {
    return at(code, "an address that is not in one shared variable");
  }
  Access a = begun(i, mode, bytes, generic);
  a.shared = place->first;
  a.offset = place->second;
  out.shared.push_back(std::move(a));
  return std::nullopt;
}

std::optional<Error> Collector::copy(size_t i) {
  const Instruction &code = e.flow.entry().instructions[i];
  bool toShared = code.suffix.size() >= 5 && code.suffix[0] == "async" &&
                  code.suffix[1] == "bulk" &&
                  code.suffix[2].starts_with("shared::") &&
                  code.suffix[3] == "global" &&
                  code.suffix[4] == "mbarrier::complete_tx::bytes";
  Number size = e.operand(i, code.operands[2], 32);
  auto bytes = size.poly ? size.poly->constant() : std::nullopt;
  if (!toShared) {
    return at(code, "a copy that is not from global to shared memory");
  }
  constexpr Int most = 1 << 20;
  if (!size.poly || Symbols::content(*size.poly) % 16 != 0 ||
      (bytes && (*bytes <= 0 || *bytes > most))) {
    return at(code, "a copy of a size that is no multiple of 16");
  }
  if (!bytes) {
    size_t block = e.flow.blockOf(i);
    e.symbols.emit("ptx.width", "size of a copy, lower", i, block,
                   *size.poly - Poly(1));
    e.symbols.emit("ptx.width", "size of a copy, upper", i, block,
                   Poly(most) - *size.poly);
  }
  uint64_t n = uint64_t(bytes.value_or(0));
  if (auto error = global(i, code.operands[1], Mode::Read, n, false)) {
    return error;
  }
  out.global.back().size = *size.poly;
  if (auto error = shared(i, code.operands[0], Mode::Write, n, false)) {
    return error;
  }
  out.shared.back().size = *size.poly;
  return shared(i, code.operands[3], Mode::Atomic, 8, false);
}

/// Of the element that its address is that of.
std::optional<Error> Collector::prefetch(size_t i) {
  const Instruction &code = e.flow.entry().instructions[i];
  if (auto error = global(i, code.operands[0], Mode::Read, 0, true)) {
    return error;
  }
  Access &a = out.global.back();
  a.bytes = e.symbols.expected.tensors[*a.tensor].bytes;
  a.size = Poly(Int(a.bytes));
  a.isPrefetch = true;
  return std::nullopt;
}

std::optional<bool> endsWithWait(Evaluator &e, size_t block) {
  const Block &b = e.flow.blocks()[block];
  const std::vector<Instruction> &code = e.flow.entry().instructions;
  const Instruction &last = code[b.end - 1];
  if (!b.taken || last.guard.empty()) {
    return std::nullopt;
  }
  bool over = !last.guardNegated;
  size_t value = e.flow.resolved(e.flow.valueBefore(last.guard, b.end - 1));
  for (;;) {
    const Value v = e.flow.value(value);
    if (v.kind != Value::Kind::Result || !code[v.instruction].guard.empty()) {
      return std::nullopt;
    }
    const Instruction &i = code[v.instruction];
    if (i.root != "not" || !i.has("pred") ||
        i.operands[1].kind != Operand::Kind::Register) {
      return i.has("try_wait") ? std::optional(over) : std::nullopt;
    }
    over = !over;
    value =
        e.flow.resolved(e.flow.valueBefore(i.operands[1].name, v.instruction));
  }
}

bool decidedByFacts(Evaluator &e, size_t from, size_t to) {
  for (size_t b = to; b != from;) {
    if (b == 0) {
      return false;
    }
    size_t above = e.flow.blocks()[b].dominator;
    bool onEdge = e.flow.conditionalPredecessor(b) == above;
    bool known =
        onEdge && (endsWithWait(e, above) || e.branch(above, true).exact);
    if (!known && !e.flow.postDominates(b, above)) {
      return false;
    }
    b = above;
  }
  return true;
}

} // namespace girih::ptx
