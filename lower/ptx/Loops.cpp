// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers where paths join. A register that a loop changes by a step is its
// first value plus the step times the number of trips so far; one that counts
// round, as the number of a slot does, is found by running its own arithmetic
// until it comes back to where it began.

#include "lower/ptx/Evaluate.h"

#include <algorithm>
#include <set>

namespace girih::ptx {

using namespace proofs;

/// Counters that need longer to come round are not followed.
static constexpr size_t maxPeriod = 1024;
static constexpr unsigned maxDepth = 16;

Var Evaluator::trip(size_t loop) {
  auto it = trips.find(loop);
  if (it != trips.end()) {
    return it->second;
  }
  Variable v;
  v.name = "t" + std::to_string(trips.size());
  v.home = flow.loops()[loop].header;
  v.trips = loop;
  v.low = 0;
  Var number = Var(symbols.count());
  v.facts = {
      assumed(Fact::atLeastZero(Poly::variable(number)), Origin::Kind::Loop)};
  return trips[loop] = symbols.add(std::move(v));
}

bool Evaluator::invariant(const Poly &p, size_t loop) const {
  for (const Term &t : p.terms()) {
    for (Var v : t.vars) {
      if (flow.inLoop(symbols[v].home, loop)) {
        return false;
      }
    }
  }
  return true;
}

/// Adds a plain fact if all that it speaks of is known in the block.
void Evaluator::addAtom(const Fact &f, size_t block,
                        std::vector<Atom> &to) const {
  const Atom *a = f.atom();
  if (!a) {
    return;
  }
  for (const Term &t : a->poly.terms()) {
    for (Var v : t.vars) {
      if (!flow.dominates(symbols[v].home, block)) {
        return;
      }
    }
  }
  to.push_back(*a);
}

/// Adds what leads from one block to another.
void Evaluator::addEdge(size_t from, size_t to, std::vector<Atom> &atoms) {
  const Block &b = flow.blocks()[from];
  if (b.taken) {
    for (const Fact &f : branch(from, b.taken == to).yes) {
      addAtom(f, to, atoms);
    }
  }
}

Number Evaluator::joined(size_t value) {
  Value v = flow.value(value);
  for (size_t l = 0; l < flow.loops().size(); ++l) {
    if (flow.loops()[l].header == v.block) {
      return carried(value, l);
    }
  }
  // Paths without a loop: one value, or one of several.
  const std::vector<size_t> &before = flow.blocks()[v.block].predecessors;
  size_t common = flow.blocks()[v.block].dominator;
  size_t shared = facts(common).size();
  std::vector<Poly> polys;
  Variable join;
  Var number = 0;
  Fact any;
  for (size_t i = 0; i < v.operands.size(); ++i) {
    Number n = this->number(v.operands[i]);
    if (!n.poly) {
      return n;
    }
    polys.push_back(*n.poly);
  }
  if (auto q = sameQuotient(value, polys)) {
    return {q, {}};
  }
  for (const Poly &p : polys) {
    for (const Term &t : p.terms()) {
      for (Var x : t.vars) {
        if (!flow.dominates(symbols[x].home, v.block)) {
          return {std::nullopt,
                  {flow.entry().instructions[flow.blocks()[v.block].first].line,
                   "'" + v.name + "' joins what is known on one path only"}};
        }
      }
    }
  }
  if (std::all_of(polys.begin(), polys.end(),
                  [&](const Poly &p) { return p == polys[0]; })) {
    return {polys[0], {}};
  }
  number = Var(symbols.count());
  join.name = "j" + std::to_string(number);
  join.home = v.block;
  join.perThread = true;
  for (size_t i = 0; i < polys.size(); ++i) {
    std::vector<Atom> branch = {{true, Poly::variable(number) - polys[i]}};
    std::vector<Hypothesis> known = facts(before[i]);
    for (size_t k = shared; k < known.size(); ++k) {
      addAtom(known[k].fact, v.block, branch);
    }
    addEdge(before[i], v.block, branch);
    any.branches.push_back(std::move(branch));
    Bounds b = symbols.bounds(polys[i]);
    auto join1 = [&](std::optional<Int> &to, std::optional<Int> with,
                     bool low) {
      to = i == 0         ? with
           : !to || !with ? std::nullopt
           : low          ? std::min(to, with)
                          : std::max(to, with);
    };
    join1(join.low, b.low, true);
    join1(join.high, b.high, false);
  }
  join.facts = {assumed(std::move(any), Origin::Kind::Value)};
  symbols.add(std::move(join));
  return {Poly::variable(number), {}};
}

/// Of paths that all bring the quotient, or the remainder, of one division: a
/// division of 64 bits that takes 32 where it can. Before the paths part it is
/// the same number.
std::optional<Poly> Evaluator::sameQuotient(size_t join,
                                            const std::vector<Poly> &polys) {
  std::optional<std::pair<Definition, size_t>> all;
  for (const Poly &p : polys) {
    Var v = p.terms().empty() || p.terms()[0].vars.empty()
                ? 0
                : p.terms()[0].vars[0];
    if (p != Poly::variable(v) || !symbols[v].definition) {
      return std::nullopt;
    }
    const Definition d =
        symbols.definitions()[*symbols[v].definition].definition;
    size_t part = d.results[0] == v ? 0 : 1;
    if (d.kind != Definition::Kind::Quotient ||
        (all && (all->first.arguments != d.arguments || all->second != part))) {
      return std::nullopt;
    }
    all = {d, part};
  }
  size_t block = flow.value(join).block, above = flow.blocks()[block].dominator;
  for (const Poly &p : all->first.arguments) {
    for (const Term &t : p.terms()) {
      for (Var v : t.vars) {
        if (!flow.dominates(symbols[v].home, above)) {
          return std::nullopt;
        }
      }
    }
  }
  auto [q, r] =
      symbols.divided(all->first.arguments[0], all->first.arguments[1],
                      flow.blocks()[block].first, above);
  return all->second == 0 ? q : r;
}

Number Evaluator::carried(size_t value, size_t loop) {
  Value v = flow.value(value);
  const std::vector<size_t> &before = flow.blocks()[v.block].predecessors;
  Error why = {flow.entry().instructions[flow.blocks()[v.block].first].line,
               "'" + v.name +
                   "' changes in the loop in no way that is "
                   "followed"};
  std::optional<Poly> first, by;
  for (size_t i = 0; i < before.size(); ++i) {
    if (flow.inLoop(before[i], loop)) {
      std::optional<Poly> s = step(v.operands[i], value, loop, 0);
      if (!s || (by && *by != *s)) {
        by.reset();
        break;
      }
      by = s;
    }
  }
  if (!by) {
    std::optional<Poly> round = wrapping(value, loop);
    round = round ? round : countingWraps(value, loop);
    round = round ? round : periodic(value, loop);
    return {round, why};
  }
  for (size_t i = 0; i < before.size(); ++i) {
    if (!flow.inLoop(before[i], loop)) {
      Number n = number(v.operands[i]);
      if (!n.poly || (first && *first != *n.poly)) {
        return {std::nullopt, n.poly ? why : n.why};
      }
      first = n.poly;
    }
  }
  if (!first || !invariant(*first, loop)) {
    return {std::nullopt, why};
  }
  return {*first + *by * Poly::variable(trip(loop)), {}};
}

/// By how much a value is more than `phi`, the same in each trip.
std::optional<Poly> Evaluator::step(size_t value, size_t phi, size_t loop,
                                    unsigned depth) {
  value = flow.resolved(value);
  if (value == phi) {
    return Poly(0);
  }
  Value v = flow.value(value);
  if (depth > maxDepth || !flow.inLoop(v.block, loop)) {
    return std::nullopt;
  }
  if (v.kind == Value::Kind::Join) {
    // Ways through one trip that all do the same, without a loop between.
    for (const Loop &l : flow.loops()) {
      if (l.header == v.block) {
        return std::nullopt;
      }
    }
    std::optional<Poly> all;
    for (size_t o : v.operands) {
      std::optional<Poly> one = step(o, phi, loop, depth + 1);
      if (!one || (all && *all != *one)) {
        return std::nullopt;
      }
      all = one;
    }
    return all;
  }
  const Instruction &code = flow.entry().instructions[v.instruction];
  std::vector<Type> types = code.types();
  bool sum = code.root == "add" || code.root == "sub";
  if (v.kind != Value::Kind::Result || !code.guard.empty() ||
      types.size() != 1 || code.suffix.size() != 1 || types[0].kind == 'f' ||
      (!sum && code.root != "mov") ||
      // A step is one of the register's own loop: inside of another, it may be
      // made several times.
      flow.blocks()[v.block].loop !=
          flow.blocks()[flow.value(phi).block].loop) {
    return std::nullopt;
  }
  auto from = [&](size_t k) -> std::optional<Poly> {
    const Operand &o = code.operands[k];
    return o.kind == Operand::Kind::Register
               ? step(flow.valueBefore(o.name, v.instruction), phi, loop,
                      depth + 1)
               : std::nullopt;
  };
  auto constant = [&](size_t k) -> std::optional<Poly> {
    Number n = operand(v.instruction, code.operands[k], types[0].width);
    return n.poly && invariant(*n.poly, loop) ? n.poly : std::nullopt;
  };
  if (code.root == "mov") {
    return from(1);
  }
  if (auto a = from(1)) {
    auto b = constant(2);
    return b ? std::optional(code.root == "add" ? *a + *b : *a - *b)
             : std::nullopt;
  }
  if (auto b = code.root == "add" ? from(2) : std::nullopt) {
    auto a = constant(1);
    return a ? std::optional(*a + *b) : std::nullopt;
  }
  return std::nullopt;
}

// Counters that come round.

/// Runs the integer arithmetic of one trip on numbers.
class Concrete {
public:
  Concrete(Evaluator &e, size_t loop) : e(e), loop(loop) {}

  /// The registers of the loop on which the value rests; false if on anything
  /// besides constants.
  bool collect(size_t value, unsigned depth);
  std::optional<uint64_t> run(size_t value);
  std::map<size_t, uint64_t> state; ///< of each register at the header
  std::map<size_t, size_t> next;    ///< what each becomes

private:
  bool collectHeader(size_t value, unsigned depth);
  std::optional<uint64_t> operand(size_t i, size_t k);

  Evaluator &e;
  size_t loop;
  std::set<size_t> good;
};

bool Concrete::collectHeader(size_t value, unsigned depth) {
  if (state.contains(value)) {
    return true;
  }
  Value v = e.flow.value(value);
  const std::vector<size_t> &before = e.flow.blocks()[v.block].predecessors;
  std::optional<uint64_t> first;
  std::optional<size_t> follows;
  for (size_t i = 0; i < before.size(); ++i) {
    size_t o = e.flow.resolved(v.operands[i]);
    if (e.flow.inLoop(before[i], loop)) {
      if (follows && *follows != o) {
        return false;
      }
      follows = o;
      continue;
    }
    Number n = e.number(o);
    auto c = n.poly ? n.poly->constant() : std::nullopt;
    unsigned width = e.widths[v.name];
    if (!c || width > 64) {
      return false;
    }
    uint64_t bits = uint64_t(*c);
    bits = width < 64 ? bits & ((uint64_t(1) << width) - 1) : bits;
    if (first && *first != bits) {
      return false;
    }
    first = bits;
  }
  if (!first || !follows) {
    return false;
  }
  state[value] = *first;
  next[value] = *follows;
  return collect(*follows, depth + 1);
}

bool Concrete::collect(size_t value, unsigned depth) {
  value = e.flow.resolved(value);
  if (depth > maxDepth || good.contains(value)) {
    return depth <= maxDepth;
  }
  Value v = e.flow.value(value);
  if (v.kind == Value::Kind::Join) {
    return v.block == e.flow.loops()[loop].header &&
           collectHeader(value, depth);
  }
  if (v.kind != Value::Kind::Result || v.part != 0) {
    return false;
  }
  const Instruction &code = e.flow.entry().instructions[v.instruction];
  static const std::set<std::string> roots = {
      "mov", "add", "sub", "and", "or", "xor", "not", "selp", "setp", "cvt"};
  std::vector<Type> types = code.types();
  // Of conversions those that cut bits off, or put zeros above.
  bool isCvt = code.root == "cvt";
  if (!roots.contains(code.root) || !code.guard.empty() ||
      types.size() != (isCvt ? 2u : 1u) || types[0].kind == 'f' ||
      code.suffix.size() != (code.root == "setp" || isCvt ? 2u : 1u) ||
      (isCvt && types[1].kind != 'u')) {
    return false;
  }
  for (size_t k = 0; k < code.operands.size(); ++k) {
    // What is ill typed is for the assembler to refuse, not to be followed.
    const Operand &o = code.operands[k];
    bool isPredicate =
        (code.root == "setp" && k == 0) || (code.root == "selp" && k == 3);
    const Type &type = isCvt && k == 1 ? types[1] : types[0];
    if (o.kind == Operand::Kind::Register &&
        e.widths[o.name] != (isPredicate ? 1 : type.width)) {
      return false;
    }
    if (k == 0) {
      continue;
    }
    bool constant = o.kind == Operand::Kind::Integer;
    bool followed =
        o.kind == Operand::Kind::Register &&
        collect(e.flow.valueBefore(o.name, v.instruction), depth + 1);
    if (!constant && !followed) {
      return false;
    }
  }
  good.insert(value);
  return true;
}

std::optional<uint64_t> Concrete::operand(size_t i, size_t k) {
  const Operand &o = e.flow.entry().instructions[i].operands[k];
  return o.kind == Operand::Kind::Integer ? uint64_t(o.value)
                                          : run(e.flow.valueBefore(o.name, i));
}

std::optional<uint64_t> Concrete::run(size_t value) {
  value = e.flow.resolved(value);
  if (auto it = state.find(value); it != state.end()) {
    return it->second;
  }
  Value v = e.flow.value(value);
  const Instruction &code = e.flow.entry().instructions[v.instruction];
  Type type = code.types()[0];
  uint64_t mask =
      type.width < 64 ? (uint64_t(1) << type.width) - 1 : ~uint64_t(0);
  std::vector<uint64_t> in;
  for (size_t k = 1; k < code.operands.size(); ++k) {
    std::optional<uint64_t> x = operand(v.instruction, k);
    if (!x) {
      return std::nullopt;
    }
    // The third operand of selp is a predicate.
    in.push_back(code.root == "selp" && k == 3 ? *x : *x & mask);
  }
  const std::string &root = code.root;
  if (root == "setp") {
    const std::string &how = code.suffix[0];
    uint64_t a = in[0], b = in[1];
    if (type.kind == 's') {
      uint64_t flip = uint64_t(1) << (type.width - 1);
      a ^= flip;
      b ^= flip;
    }
    if (type.kind == 'b' && how != "eq" && how != "ne") {
      return std::nullopt;
    }
    return how == "eq"   ? a == b
           : how == "ne" ? a != b
           : how == "lt" ? a < b
           : how == "le" ? a <= b
           : how == "gt" ? a > b
           : how == "ge" ? std::optional<uint64_t>(a >= b)
                         : std::nullopt;
  }
  uint64_t out = root == "mov" || root == "cvt" ? in[0]
                 : root == "not"                ? ~in[0]
                 : root == "add"                ? in[0] + in[1]
                 : root == "sub"                ? in[0] - in[1]
                 : root == "and"                ? in[0] & in[1]
                 : root == "or"                 ? in[0] | in[1]
                 : root == "xor"                ? in[0] ^ in[1]
                 : in[2] != 0                   ? in[0]
                                                : in[1];
  return out & mask;
}

std::optional<Poly> Evaluator::periodic(size_t phi, size_t loop) {
  Concrete c(*this, loop);
  if (flow.value(phi).block != flow.loops()[loop].header ||
      !c.collect(phi, 0)) {
    return std::nullopt;
  }
  std::vector<Int> table;
  std::map<size_t, uint64_t> start = c.state;
  do {
    table.push_back(Int(c.state[phi]));
    std::map<size_t, uint64_t> after;
    for (const auto &[header, value] : c.next) {
      std::optional<uint64_t> x = c.run(value);
      if (!x) {
        return std::nullopt;
      }
      after[header] = *x;
    }
    c.state = std::move(after);
  } while (c.state != start && table.size() <= maxPeriod);
  if (c.state != start) {
    return std::nullopt;
  }
  // As (t div a + first) mod b.
  Int period = Int(table.size());
  for (Int a = 1; a <= period; ++a) {
    for (Int b = 1; period % a == 0 && b <= period / a; ++b) {
      bool fits = (period / a) % b == 0;
      for (Int t = 0; fits && t < period; ++t) {
        fits = table[size_t(t)] == (t / a + table[0]) % b;
      }
      if (fits) {
        size_t header = flow.loops()[loop].header;
        size_t i = flow.blocks()[header].first;
        Poly q =
            symbols.divided(Poly::variable(trip(loop)), a, i, header).first;
        return symbols.divided(q + Poly(table[0]), b, i, header).second;
      }
    }
  }
  return std::nullopt;
}

// What holds at the head of a loop.

namespace {

/// A branch on which it depends whether a loop goes on, and where it leads
/// then.
struct Back {
  size_t block = 0, to = 0;
};

} // namespace

/// That of the latch; of a latch that does nothing but lead back, that of the
/// block before it.
static std::optional<Back> backOf(const Flow &flow, const Loop &l) {
  if (l.latches.size() != 1) {
    return std::nullopt;
  }
  Back back{l.latches[0], l.header};
  while (!flow.blocks()[back.block].taken) {
    const Block &b = flow.blocks()[back.block];
    if (b.end - b.first != 1 || b.predecessors.size() != 1 ||
        back.block == l.header) {
      return std::nullopt;
    }
    back = {b.predecessors[0], back.block};
  }
  const Block &b = flow.blocks()[back.block];
  return b.taken == b.fallen ? std::nullopt : std::optional(back);
}

/// Where the end of each trip goes back unless t meets a bound e that the loop
/// does not change, t is never above e: it is not at first, which is proved in
/// front of the loop, and if t is at most e and not e, then t + 1 is at most e.
std::optional<Poly> Evaluator::lastTrip(size_t loop) {
  auto [it, isNew] = lastTrips.try_emplace(loop); // none while it is found
  const Loop &l = flow.loops()[loop];
  std::optional<Back> way = isNew ? backOf(flow, l) : std::nullopt;
  if (!way) {
    return it->second;
  }
  size_t latch = way->block;
  Condition back = branch(latch, flow.blocks()[latch].taken == way->to);
  if (!back.exact || back.no.size() != 1 || !back.no[0].atom() ||
      !back.no[0].atom()->equality) {
    return std::nullopt;
  }
  Poly t = Poly::variable(trip(loop)), d = back.no[0].atom()->poly;
  d = d.coefficient({trip(loop)}) < 0 ? -d : d;
  Poly last = t - d;
  for (size_t b = 1; b < flow.blocks().size(); ++b) {
    if (flow.inLoop(b, loop) && b != latch && flow.leaves(b, loop)) {
      return std::nullopt;
    }
  }
  if (!invariant(last, loop)) {
    return std::nullopt;
  }
  symbols.emit("ptx.width", "bound of the loop", flow.blocks()[latch].end - 1,
               flow.blocks()[l.header].dominator, last);
  return lastTrips[loop] = last;
}

/// In the first trip what led to the loop, in a later one what led back at the
/// end of the trip before. Where the first says the same with t = 0 as the
/// second, as a loop that was turned round with its guard in front has it, it
/// holds in every trip.
std::vector<Hypothesis> Evaluator::loopFact(size_t loop) {
  auto [it, isNew] = loopFacts.try_emplace(loop); // none while it is found
  const Loop &l = flow.loops()[loop];
  std::optional<Back> way = isNew ? backOf(flow, l) : std::nullopt;
  if (!way) {
    return it->second;
  }
  size_t latch = way->block;
  bool taken = flow.blocks()[latch].taken == way->to;
  Var t = trip(loop);
  Poly before = Poly::variable(t) - Poly(1);
  if (auto last = lastTrip(loop)) {
    return loopFacts[loop] = {
               assumed(Fact::atLeastZero(*last - Poly::variable(t)),
                       Origin::Kind::Loop)};
  }
  std::vector<Atom> first = {{true, Poly::variable(t)}};
  std::vector<size_t> entries;
  for (size_t p : flow.blocks()[l.header].predecessors) {
    if (!flow.inLoop(p, loop)) {
      entries.push_back(p);
    }
  }
  if (entries.size() == 1) {
    addEdge(entries[0], l.header, first);
  }
  std::vector<Atom> guards = first;
  for (const Hypothesis &h : facts(flow.blocks()[l.header].dominator)) {
    addAtom(h.fact, l.header, guards);
  }
  std::vector<Atom> later = {{false, before}};
  std::vector<Hypothesis> out;
  for (const Fact &f : branch(latch, taken).yes) {
    const Atom *a = f.atom();
    bool known = a != nullptr;
    for (size_t k = 0; known && k < a->poly.terms().size(); ++k) {
      for (Var v : a->poly.terms()[k].vars) {
        known = known && (v == t || !flow.inLoop(symbols[v].home, loop));
      }
    }
    if (!known) {
      continue;
    }
    Poly there = a->poly.substitute(t, before);
    Poly at0 = there.substitute(t, Poly(0));
    bool always = !a->equality &&
                  std::any_of(guards.begin(), guards.end(), [&](const Atom &g) {
                    auto more = (at0 - g.poly).constant();
                    return !g.equality && more && *more >= 0;
                  });
    if (always) {
      out.push_back(
          assumed(Fact::atLeastZero(std::move(there)), Origin::Kind::Loop));
    } else {
      later.push_back({a->equality, std::move(there)});
    }
  }
  if (later.size() > 1) {
    out.push_back(assumed(Fact::anyOf({std::move(first), std::move(later)}),
                          Origin::Kind::Loop));
  }
  return loopFacts[loop] = std::move(out);
}

} // namespace girih::ptx
