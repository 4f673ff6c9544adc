// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/ptx/Evaluate.h"

#include <bit>

namespace girih::ptx {

using namespace proofs;

static Int power(unsigned n) { return Int(1) << n; }

Error at(const Instruction &i, const std::string &what) {
  return {i.line, what + ": " + print(i)};
}

Evaluator::Evaluator(Flow f, const Module &module, const Expected &expected)
    : flow(std::move(f)), symbols(expected) {
  symbols.dominates = [this](size_t a, size_t b) {
    return flow.dominates(a, b);
  };
  if (expected.threads[0] % 32 == 0) {
    // First of all divisions of the thread's number: warp and lane.
    symbols.divided(Poly::variable(symbols.thread(0)), 32, 0, 0);
  }
  for (size_t i = 0; i < expected.arguments.size(); ++i) {
    Variable v;
    v.name = "param" + std::to_string(i);
    parameterBase.push_back(symbols.add(std::move(v)));
  }
  sharedVariables = module.shared;
  sharedVariables.insert(sharedVariables.end(), flow.entry().shared.begin(),
                         flow.entry().shared.end());
  for (const SharedVariable &s : sharedVariables) {
    // The window of shared memory begins at 0 and has at most 2^24 bytes.
    Variable v;
    v.name = "shared" + std::to_string(sharedVariable.size());
    v.low = 0;
    v.high = power(24) / Int(s.align);
    Var number = Var(symbols.count());
    v.facts = {
        assumed(Fact::atLeastZero(Poly::variable(number)), Origin::Kind::Value),
        assumed(Fact::atLeastZero(Poly(*v.high) - Poly::variable(number)),
                Origin::Kind::Value)};
    sharedVariable.push_back(symbols.add(std::move(v)));
  }
  for (const auto &[name, type] : flow.entry().registers) {
    widths[name] = type.width;
  }
}

std::optional<size_t> Evaluator::parameterOf(Var v) const {
  for (size_t i = 0; i < parameterBase.size(); ++i) {
    if (parameterBase[i] == v) {
      return i;
    }
  }
  return std::nullopt;
}

std::optional<size_t> Evaluator::sharedOf(Var v) const {
  for (size_t i = 0; i < sharedVariable.size(); ++i) {
    if (sharedVariable[i] == v) {
      return i;
    }
  }
  return std::nullopt;
}

Poly Evaluator::sharedBase(size_t index) const {
  return Poly(Int(sharedVariables[index].align)) *
         Poly::variable(sharedVariable[index]);
}

Number Evaluator::unknown(size_t instruction) const {
  const Instruction &i = flow.entry().instructions[instruction];
  return {std::nullopt, at(i, "cannot be followed")};
}

/// A constant as a number of that width with sign.
static Poly normal(Int value, unsigned width) {
  Int m = value % power(width);
  m = m < 0 ? m + power(width) : m;
  return m >= power(width - 1) ? m - power(width) : m;
}

Number Evaluator::operand(size_t instruction, const Operand &o,
                          unsigned width) {
  const Expected &expected = symbols.expected;
  switch (o.kind) {
  case Operand::Kind::Integer:
    return {normal(o.value, width), {}};
  case Operand::Kind::Register:
    if (widths[o.name] != width) {
      break;
    }
    return number(flow.valueBefore(o.name, instruction));
  case Operand::Kind::Special: {
    if (width != 32) {
      break;
    }
    if (o.name == "%laneid") {
      Poly linear = Poly::variable(symbols.thread(0)) +
                    Poly(Int(expected.threads[0])) *
                        (Poly::variable(symbols.thread(1)) +
                         Poly(Int(expected.threads[1])) *
                             Poly::variable(symbols.thread(2)));
      return {symbols.divided(linear, 32, instruction, 0).second, {}};
    }
    size_t axis = size_t(o.name.back() - 'x');
    if (o.name.starts_with("%tid")) {
      return {expected.threads[axis] == 1
                  ? Poly(0)
                  : Poly::variable(symbols.thread(axis)),
              {}};
    }
    if (o.name.starts_with("%ntid")) {
      return {Poly(Int(expected.threads[axis])), {}};
    }
    if (o.name.starts_with("%nctaid")) {
      return {expected.grid[axis], {}};
    }
    return {expected.grid[axis] == Poly(1)
                ? Poly(0)
                : Poly::variable(symbols.block(axis)),
            {}};
  }
  case Operand::Kind::Symbol:
    for (size_t i = 0; i < sharedVariables.size(); ++i) {
      if (sharedVariables[i].name == o.name) {
        return {sharedBase(i) + Poly(o.value), {}};
      }
    }
    break;
  default:
    break;
  }
  return unknown(instruction);
}

Number Evaluator::address(size_t instruction, const Operand &o) {
  const Operand &base = o.parts[0];
  unsigned width =
      base.kind == Operand::Kind::Register ? widths[base.name] : 64;
  Number n = operand(instruction, base, width);
  if (n.poly) {
    n.poly = *n.poly + Poly(o.value);
  }
  return n;
}

Number Evaluator::number(size_t value) {
  value = flow.resolved(value);
  auto it = known.find(value);
  if (it != known.end()) {
    return it->second;
  }
  // What rests on itself in a way that no loop explains is not followed.
  const Value &v = flow.value(value);
  Error why = {0, "'" + v.name + "' cannot be followed"};
  why.line = v.kind == Value::Kind::Result
                 ? flow.entry().instructions[v.instruction].line
                 : flow.entry().instructions[flow.blocks()[v.block].first].line;
  known[value] = {std::nullopt, why};
  Number n = compute(value);
  if (n.poly &&
      (n.poly->overflowed() || n.poly->degree() > 6 || n.poly->size() > 200)) {
    n = {std::nullopt, why};
  }
  known[value] = n;
  return n;
}

Number Evaluator::compute(size_t value) {
  Value v = flow.value(value);
  switch (v.kind) {
  case Value::Kind::Undefined:
    return {std::nullopt, {0, "'" + v.name + "' has no value"}};
  case Value::Kind::Join:
    return joined(value);
  case Value::Kind::Result:
    return result(v.instruction, v.part);
  }
  return {};
}

Poly Evaluator::asNumber(size_t i, const Poly &p, bool isSigned,
                         unsigned width) {
  if (auto c = p.constant()) {
    Poly n = normal(*c, width);
    Int value = *n.constant();
    return !isSigned && value < 0 ? Poly(value + power(width)) : n;
  }
  Int low = isSigned ? -power(width - 1) : 0;
  Int high = power(isSigned ? width - 1 : width) - 1;
  std::string type = (isSigned ? "s" : "u") + std::to_string(width);
  size_t block = flow.blockOf(i);
  symbols.emit("ptx.width", type + ", lower", i, block, p - Poly(low));
  symbols.emit("ptx.width", type + ", upper", i, block, Poly(high) - p);
  return p;
}

Number Evaluator::read(size_t i, size_t k, const Type &type) {
  Number n = operand(i, flow.entry().instructions[i].operands[k], type.width);
  if (n.poly) {
    n.poly = asNumber(i, *n.poly, type.kind == 's', type.width);
  }
  return n;
}

Number Evaluator::result(size_t i, size_t part) {
  const Instruction &code = flow.entry().instructions[i];
  std::vector<Type> types = code.types();
  if (part != 0 || types.empty() ||
      code.operands[0].kind != Operand::Kind::Register) {
    return unknown(i);
  }
  if (!code.guard.empty()) {
    return code.root == "ld" && code.has("global") ? someNumber(i) : unknown(i);
  }
  unsigned written = widths[code.operands[0].name];
  const Type &type = types[0];
  if (type.kind == 'f' || type.kind == 'p') {
    return unknown(i);
  }
  const std::string &root = code.root;
  if (root == "ld") {
    return loaded(i);
  }
  if (root == "cvt") {
    return convert(i);
  }
  bool wide = code.has("wide");
  if (types.size() != 1 || written != (wide ? 2 * type.width : type.width)) {
    return unknown(i);
  }
  if (root == "mov") {
    return operand(i, code.operands[1], type.width);
  }
  if (root == "cvta" && code.has("global")) {
    // Generic and global addresses are the same numbers.
    return operand(i, code.operands[1], type.width);
  }
  if (root == "and" || root == "or" || root == "xor" || root == "not") {
    return bitwise(i, type.width);
  }
  if (root == "shl" || root == "shr") {
    return shift(i, type.width, type);
  }
  if (root == "bfe") {
    return extracted(i, type.width, type);
  }
  if (root == "selp") {
    return chosen(i, type.width);
  }
  return arithmetic(i, type.width, type);
}

Number Evaluator::arithmetic(size_t i, unsigned width, const Type &type) {
  const Instruction &code = flow.entry().instructions[i];
  const std::string &root = code.root;
  bool wide = code.has("wide");
  bool product = root == "mul" || root == "mad";
  if (code.has("hi")) {
    return dividedByMultiplication(i, 0);
  }
  if (code.suffix.size() != (product ? 2u : 1u) ||
      (product && !wide && !code.has("lo"))) {
    return unknown(i); // rounded or saturated, or the high half
  }
  if (root == "neg") {
    Number a = operand(i, code.operands[1], width);
    return a.poly ? Number{-*a.poly, {}} : a;
  }
  bool exact =
      wide || root == "min" || root == "max" || root == "div" || root == "rem";
  if (!exact && !product && root != "add" && root != "sub") {
    return unknown(i);
  }
  Number a = exact ? read(i, 1, type) : operand(i, code.operands[1], width);
  Number b = exact ? read(i, 2, type) : operand(i, code.operands[2], width);
  if (!a.poly || !b.poly) {
    return a.poly ? b : a;
  }
  const Poly &x = *a.poly, &y = *b.poly;
  if (root == "add") {
    return {x + y, {}};
  }
  if (root == "sub") {
    return {x - y, {}};
  }
  if (product) {
    Number sum{x * y, {}};
    if (root == "mad") {
      Number c = operand(i, code.operands[3], wide ? 2 * width : width);
      if (!c.poly) {
        return c;
      }
      sum.poly = x * y + *c.poly;
    }
    return sum;
  }
  size_t block = flow.blockOf(i);
  if (root == "min" || root == "max") {
    Poly condition = root == "min" ? y - x : x - y;
    return {symbols.selected(condition, x, y, block), {}};
  }
  auto [q, r] = symbols.divided(x, y, i, block);
  if (type.kind == 's') {
    // Rounded towards zero, which is downwards where nothing is negative.
    symbols.emit("ptx.division", "not negative", i, block, x);
  }
  return {root == "div" ? q : r, {}};
}

Number Evaluator::masked(size_t i, const Poly &p, uint64_t mask,
                         unsigned width) {
  if (width < 64) {
    mask &= (uint64_t(1) << width) - 1;
  }
  // Ones from bit `low` up to bit `high`, which is not one of them.
  unsigned low = mask == 0 ? 0 : unsigned(std::countr_zero(mask));
  unsigned high = low + unsigned(std::countr_one(mask >> low));
  bool oneRun = high >= 64 || (mask >> high) == 0;
  if (mask == 0) {
    return {Poly(0), {}};
  }
  if (!oneRun) {
    return unknown(i);
  }
  size_t block = flow.blockOf(i);
  Poly above = low == 0 ? p : symbols.divided(p, power(low), i, block).first;
  Poly kept = high >= width
                  ? above
                  : symbols.divided(above, power(high - low), i, block).second;
  return {Poly(power(low)) * kept, {}};
}

/// The sum with a constant none of whose bits meets another one: each run of
/// its ones stands between what is a multiple of a larger power of two and what
/// is less than its lowest bit.
Number Evaluator::withBits(size_t i, const Poly &p, uint64_t bits,
                           unsigned width) {
  bits = width < 64 ? bits & ((uint64_t(1) << width) - 1) : bits;
  Poly sum = p;
  while (bits != 0) {
    unsigned begin = unsigned(std::countr_zero(bits));
    unsigned end = begin + unsigned(std::countr_one(bits >> begin));
    std::vector<Term> below;
    for (Term t : sum.terms()) {
      Int rest = t.coeff % power(end);
      t.coeff = t.vars.empty() ? (rest + power(end)) % power(end) : t.coeff;
      if (rest != 0) {
        below.push_back(std::move(t));
      }
    }
    Poly low = Poly::fromTerms(std::move(below));
    Int lowest = power(begin);
    Bounds of = symbols.bounds(low);
    if (!of.low || !of.high || *of.low < 0 || *of.high >= lowest) {
      return unknown(i);
    }
    size_t block = flow.blockOf(i);
    symbols.emit("ptx.bits", "lower bits, lower", i, block, low);
    symbols.emit("ptx.bits", "lower bits, upper", i, block,
                 Poly(lowest - 1) - low);
    Int run = power(end) - lowest;
    sum = sum + Poly(run);
    bits &= ~uint64_t(run);
  }
  return {sum, {}};
}

Number Evaluator::bitwise(size_t i, unsigned width) {
  const Instruction &code = flow.entry().instructions[i];
  Number a = operand(i, code.operands[1], width);
  if (!a.poly) {
    return a;
  }
  if (code.root == "not") {
    return {-*a.poly - Poly(1), {}};
  }
  Number b = operand(i, code.operands[2], width);
  if (!b.poly) {
    return b;
  }
  if (a.poly->constant()) {
    std::swap(a, b);
  }
  std::optional<Int> x = a.poly->constant(), y = b.poly->constant();
  if (x && y) {
    uint64_t m = uint64_t(*x), n = uint64_t(*y);
    uint64_t v = code.root == "and" ? m & n : code.root == "or" ? m | n : m ^ n;
    return {normal(Int(v), width), {}};
  }
  if (code.root == "and") {
    return y ? masked(i, *a.poly, uint64_t(*y), width) : unknown(i);
  }
  if (code.root == "xor" && y && *y == -1) {
    return {-*a.poly - Poly(1), {}};
  }
  if (y) {
    return withBits(i, *a.poly, uint64_t(*y), width);
  }
  // Where one has zeros below bit k and the other nothing above, no bit meets
  // another: the sum.
  for (int turn = 0; turn < 2; ++turn, std::swap(a, b)) {
    Int zeros = Symbols::content(*a.poly);
    Bounds of = symbols.bounds(*b.poly);
    if (of.low && of.high && *of.low >= 0 && *of.high < zeros) {
      size_t block = flow.blockOf(i);
      symbols.emit("ptx.bits", "lower bits, lower", i, block, *b.poly);
      symbols.emit("ptx.bits", "lower bits, upper", i, block,
                   Poly(zeros - 1) - *b.poly);
      return {*a.poly + *b.poly, {}};
    }
  }
  return unknown(i);
}

/// The high half of a product with a constant M, shifted right, where that is a
/// division: with p the bits that go, d = 2^p / M rounded up and e = d*M - 2^p,
/// x*M / 2^p = x/d + e*x / (d*2^p). While e*x < 2^p the last part is less than
/// 1/d, so both round down to the same number.
Number Evaluator::dividedByMultiplication(size_t i, unsigned shift) {
  const Instruction &code = flow.entry().instructions[i];
  std::vector<Type> types = code.types();
  if (code.root != "mul" || !code.has("hi") || !code.guard.empty() ||
      code.suffix.size() != 2 || types.size() != 1 || types[0].kind != 'u' ||
      types[0].width + shift > 100 ||
      widths[code.operands[0].name] != types[0].width) {
    return unknown(i);
  }
  Number m = operand(i, code.operands[2], types[0].width);
  auto factor = m.poly ? m.poly->constant() : std::nullopt;
  if (!factor || *factor <= 0) {
    return unknown(i);
  }
  Number x = read(i, 1, types[0]);
  if (!x.poly) {
    return x;
  }
  Int whole = power(types[0].width + shift);
  Int d = (whole + *factor - 1) / *factor, e = d * *factor - whole;
  if (e > 0) {
    symbols.emit("ptx.division", "by multiplication", i, flow.blockOf(i),
                 Poly((whole - 1) / e) - *x.poly);
  }
  return {symbols.divided(*x.poly, d, i, flow.blockOf(i)).first, {}};
}

Number Evaluator::shift(size_t i, unsigned width, const Type &type) {
  const Instruction &code = flow.entry().instructions[i];
  bool left = code.root == "shl";
  if (!left && type.kind == 'u' &&
      code.operands[1].kind == Operand::Kind::Register) {
    const Value v =
        flow.value(flow.resolved(flow.valueBefore(code.operands[1].name, i)));
    Number n = operand(i, code.operands[2], 32);
    auto bits = n.poly ? n.poly->constant() : std::nullopt;
    if (v.kind == Value::Kind::Result && bits && *bits >= 0 &&
        *bits < Int(width) &&
        flow.entry().instructions[v.instruction].types() == code.types()) {
      Number q = dividedByMultiplication(v.instruction, unsigned(*bits));
      if (q.poly) {
        return q;
      }
    }
  }
  Number a = left ? operand(i, code.operands[1], width) : read(i, 1, type);
  Number by = operand(i, code.operands[2], 32);
  std::optional<Int> n = by.poly ? by.poly->constant() : std::nullopt;
  if (!a.poly || !n || *n < 0 || *n >= Int(width)) {
    return a.poly ? unknown(i) : a;
  }
  if (left) {
    return {Poly(power(unsigned(*n))) * *a.poly, {}};
  }
  return {
      symbols.divided(*a.poly, power(unsigned(*n)), i, flow.blockOf(i)).first,
      {}};
}

/// Some bits of a register, as a number: those above do not matter.
Number Evaluator::extracted(size_t i, unsigned width, const Type &type) {
  const Instruction &code = flow.entry().instructions[i];
  Number a = operand(i, code.operands[1], width);
  Number from = operand(i, code.operands[2], 32);
  Number many = operand(i, code.operands[3], 32);
  std::optional<Int> low = from.poly ? from.poly->constant() : std::nullopt;
  std::optional<Int> bits = many.poly ? many.poly->constant() : std::nullopt;
  if (!a.poly || !low || !bits || type.kind != 'u' || *low < 0 || *bits <= 0 ||
      *low + *bits > Int(width)) {
    return a.poly ? unknown(i) : a;
  }
  size_t block = flow.blockOf(i);
  bool whole = *low + *bits == Int(width);
  Poly kept = whole ? asNumber(i, *a.poly, false, width) : *a.poly;
  Poly above = symbols.divided(kept, power(unsigned(*low)), i, block).first;
  return {whole
              ? above
              : symbols.divided(above, power(unsigned(*bits)), i, block).second,
          {}};
}

Number Evaluator::convert(size_t i) {
  const Instruction &code = flow.entry().instructions[i];
  std::vector<Type> types = code.types();
  if (types.size() != 2 || code.suffix.size() != 2 || types[1].kind == 'f' ||
      types[0].kind == 'f' || widths[code.operands[0].name] != types[0].width) {
    return unknown(i);
  }
  // To fewer bits it stays equal modulo those; to more, the number counts.
  return types[0].width <= types[1].width
             ? operand(i, code.operands[1], types[1].width)
             : read(i, 1, types[1]);
}

Number Evaluator::chosen(size_t i, unsigned width) {
  const Instruction &code = flow.entry().instructions[i];
  Number a = operand(i, code.operands[1], width);
  Number b = operand(i, code.operands[2], width);
  if (!a.poly || !b.poly || code.operands[3].kind != Operand::Kind::Register) {
    return a.poly ? b.poly ? unknown(i) : b : a;
  }
  Condition c = condition(flow.valueBefore(code.operands[3].name, i));
  const Atom *yes = c.yes.size() == 1 ? c.yes[0].atom() : nullptr;
  const Atom *no = c.no.size() == 1 ? c.no[0].atom() : nullptr;
  size_t block = flow.blockOf(i);
  if (c.exact && yes && !yes->equality) {
    return {symbols.selected(yes->poly, *a.poly, *b.poly, block), {}};
  }
  if (c.exact && no && !no->equality) {
    return {symbols.selected(no->poly, *b.poly, *a.poly, block), {}};
  }
  return unknown(i);
}

/// What a register of 32 bits holds behind a load that may not have been made,
/// or is made in each trip: whatever it is, it is a number of the thread, and
/// of the trip, with the bounds of its bits.
Number Evaluator::someNumber(size_t i) {
  const Instruction &code = flow.entry().instructions[i];
  std::vector<Type> types = code.types();
  constexpr unsigned width = 32;
  if (types.size() != 1 || types[0].width != width || types[0].kind == 'f' ||
      code.operands[0].kind != Operand::Kind::Register ||
      widths[code.operands[0].name] != width) {
    return unknown(i);
  }
  Variable v;
  v.perThread = true;
  return inBounds(i, std::move(v), 0, power(width) - 1);
}

/// A variable that an instruction gives its value.
Number Evaluator::inBounds(size_t i, Variable v, Int low, Int high) {
  v.name = "loaded" + std::to_string(flow.entry().instructions[i].line);
  v.home = flow.blockOf(i);
  v.low = low;
  v.high = high;
  Poly x = Poly::variable(Var(symbols.count()));
  v.facts = {assumed(Fact::atLeastZero(x - Poly(low)), Origin::Kind::Value),
             assumed(Fact::atLeastZero(Poly(high) - x), Origin::Kind::Value)};
  symbols.add(std::move(v));
  return {x, {}};
}

/// A number in memory that nobody writes: it has no bounds but those of its
/// type, and whoever reads it where others do has the same.
Number Evaluator::inMemory(size_t i) {
  const Instruction &code = flow.entry().instructions[i];
  std::vector<Type> types = code.types();
  size_t block = flow.blockOf(i);
  for (size_t l = 0; l < flow.loops().size(); ++l) {
    if (flow.inLoop(block, l)) {
      return someNumber(i); // each trip has its own
    }
  }
  Number where = address(i, code.operands[1]);
  if (!where.poly || types.size() != 1 ||
      code.operands[0].kind != Operand::Kind::Register) {
    return where.poly ? unknown(i) : where;
  }
  std::optional<size_t> argument;
  for (const Term &t : where.poly->terms()) {
    for (Var v : t.vars) {
      argument = parameterOf(v) ? parameterOf(v) : argument;
    }
  }
  auto tensor =
      argument ? symbols.expected.arguments[*argument].tensor : std::nullopt;
  bool isWritten =
      std::any_of(symbols.expected.regions.begin(),
                  symbols.expected.regions.end(), [&](const Region &r) {
                    return r.tensor == tensor && r.mode != Mode::Read;
                  });
  const Type &type = types[0];
  unsigned written = widths[code.operands[0].name];
  bool isSigned = type.kind == 's';
  if (!tensor || isWritten || written < type.width ||
      (written != type.width && !isSigned && type.kind != 'u')) {
    return unknown(i);
  }
  Variable v;
  v.perThread = !same(*where.poly, Group::Block);
  return inBounds(i, std::move(v), isSigned ? -power(type.width - 1) : 0,
                  power(isSigned ? type.width - 1 : type.width) - 1);
}

Number Evaluator::loaded(size_t i) {
  const Instruction &code = flow.entry().instructions[i];
  if (code.has("global")) {
    return inMemory(i);
  }
  const Expected &expected = symbols.expected;
  const Operand &from = code.operands[1];
  std::vector<Type> types = code.types();
  if (!code.has("param") || types.size() != 1 || code.suffix.size() != 2 ||
      from.parts[0].kind != Operand::Kind::Symbol || from.value != 0 ||
      from.parts[0].value != 0) {
    return unknown(i);
  }
  const std::vector<Parameter> &parameters = flow.entry().parameters;
  for (size_t k = 0; k < parameters.size(); ++k) {
    if (parameters[k].name != from.parts[0].name) {
      continue;
    }
    unsigned written = widths[code.operands[0].name];
    if (parameters[k].type.width != types[0].width ||
        written < types[0].width || k >= expected.arguments.size()) {
      break;
    }
    if (expected.arguments[k].tensor) {
      return types[0].width == 64 ? Number{Poly::variable(parameterBase[k]), {}}
                                  : unknown(i);
    }
    const Poly &value = expected.arguments[k].value;
    return {written == types[0].width
                ? value
                : asNumber(i, value, types[0].kind == 's', types[0].width),
            {}};
  }
  return unknown(i);
}

} // namespace girih::ptx
