// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/import/Emitter.h"

#include <algorithm>

using namespace girih::readback;

namespace girih::importer {

Lanes Emitter::apply(const std::string &op, const std::vector<Lanes> &operands,
                     const std::string &result) {
  Lanes out{"", operands[0].element, operands[0].shape, true, ""};
  out.splat = std::all_of(operands.begin(), operands.end(),
                          [](const Lanes &v) { return v.splat; });
  std::string list;
  for (const Lanes &v : operands) {
    list += (list.empty() ? "" : ", ") + (out.splat ? v.name : full(v));
  }
  std::string from = type(out);
  out.element = result.empty() ? out.element : result;
  out.name = define(op + " " + list + " : " + from +
                    (result.empty() ? "" : " to " + type(out)));
  return out;
}

Lanes Emitter::compare(const std::string &predicate, const Lanes &x,
                       const Lanes &y) {
  Lanes out = apply(predicate + ",", {x, y});
  out.element = "i1";
  return out;
}

/// Lanes in another order or number, by an op that keeps them.
Lanes Emitter::moved(const std::string &op, const Lanes &v, const Shape &to,
                     const std::string &how) {
  Lanes out = v;
  out.shape = to;
  if (v.splat || (v.shape == to && how.empty())) {
    return out;
  }
  auto move = [&](const std::string &name, const std::string &element) {
    return define(op + " " + name + how + " : " + type(element, v.shape) +
                  " to " + type(element, to));
  };
  if (!v.index.empty()) {
    out.name.clear();
    out.index = move(v.index, "index");
    return out;
  }
  out.name = move(v.name, v.element);
  return out;
}

Lanes Emitter::reshape(const Lanes &v, const Shape &to) {
  return moved("vector.shape_cast", v, to);
}

Lanes Emitter::broadcast(const Lanes &v, const Shape &to) {
  return moved("vector.broadcast", v, to);
}

void Emitter::lanewise(const Op &op, const std::string &as) {
  std::vector<Lanes> list;
  for (const char *name : {"x", "y", "z"}) {
    if (op.operands.count(name)) {
      list.push_back(get(op, operand(op, name)));
      if (list.back().shape != list.front().shape) {
        refuse(op, std::string(op.name) + " of two shapes");
      }
    }
  }
  Lanes out = apply(as, list);
  estimate(op, out);
  set(op.results.at(0), out);
}

void Emitter::shaped(const Op &op) {
  const Lanes v = kept(op, operand(op, "x"));
  const Type &to = f.types[op.results.at(0)];
  if (to.form != Type::Form::Tile || to.pointer) {
    refuse(op, std::string(op.name) + " of addresses");
  }
  if (is(op, "reshape")) {
    if (lanesOf(to.shape) != lanesOf(v.shape)) {
      refuse(op, "a reshape to another number of lanes");
    }
    set(op.results[0], reshape(v, to.shape));
  } else if (is(op, "broadcast")) {
    bool fits = to.shape.size() == v.shape.size();
    for (size_t k = 0; fits && k < to.shape.size(); ++k) {
      fits = v.shape[k] == to.shape[k] || v.shape[k] == 1;
    }
    if (!fits) {
      refuse(op, "a broadcast to a shape that does not fit");
    }
    set(op.results[0], broadcast(v, to.shape));
  } else {
    const std::vector<int64_t> &p = op.attributes.at("permutation").numbers;
    std::string list;
    bool fits = p.size() == v.shape.size() && p.size() == to.shape.size();
    for (size_t k = 0; fits && k < p.size(); ++k) {
      fits = p[k] >= 0 && p[k] < int64_t(p.size()) &&
             std::count(p.begin(), p.end(), p[k]) == 1 &&
             to.shape[k] == v.shape[p[k]];
      list += (k ? ", " : "") + std::to_string(p[k]);
    }
    if (!fits) {
      refuse(op, "a permutation that does not fit");
    }
    set(op.results[0],
        moved("vector.transpose", v, to.shape, ", [" + list + "]"));
  }
}

namespace {

/// Of ir/ops/Elementwise.def; without a name where it is imported by hand.
struct Word {
  const char *name, *as;
};
constexpr Word words[] = {
#define IMPORT(from) from
#define IMPORTED_BY_HAND nullptr
#define NOT_IMPORTED nullptr
#define ELEMENTWISE(name, shape, elements, executor, coq, tile_ir, emitted,    \
                    imported, ...)                                             \
  {imported, name},
#include "ir/ops/Elementwise.def"
};

const char *const orderings[] = {"eq", "ne", "lt", "le", "gt", "ge"};

/// Of a float by its name.
unsigned floatBits(const std::string &element) {
  return element == "f64"    ? 64
         : element == "f32"  ? 32
         : element[1] == '8' ? 8
         : element[1] == '4' ? 4
                             : 16;
}

bool isInteger(const Lanes &v) { return v.element[0] == 'i'; }

} // namespace

static Lanes compareIntegers(Emitter &e, const Op &op) {
  const Lanes x = e.get(op, operand(op, "x")), y = e.get(op, operand(op, "y"));
  int64_t which = attribute(op, "compare");
  if (which < 0 || which > 5 || x.shape != y.shape || !isInteger(x)) {
    refuse(op, "a comparison that has no form in the dialect");
  }
  std::string order = orderings[which];
  if (which < 2) {
    return e.compare("arith.cmpi " + order, x, y);
  }
  if (attribute(op, "sign") == 1 ||
      (e.rangeOf(x).low >= 0 && e.rangeOf(y).low >= 0)) {
    return e.compare("arith.cmpi s" + order, x, y);
  }
  // Below a number that is not negative, read without sign: at least 0 and
  // below it.
  if ((order == "lt" || order == "le") && e.rangeOf(y).low >= 0) {
    Lanes zero = e.number(0, x.element);
    zero.shape = x.shape;
    Lanes low = e.compare("arith.cmpi sle", zero, x);
    Lanes high = e.compare("arith.cmpi s" + order, x, y);
    return e.apply("arith.andi", {low, high});
  }
  // x < y: the larger of both is not x; x <= y: it is y.
  bool strict = order == "lt" || order == "gt";
  const Lanes &least = order[0] == 'l' ? x : y;
  const Lanes &most = order[0] == 'l' ? y : x;
  Lanes larger = e.apply("arith.maxui", {least, most});
  return strict ? e.compare("arith.cmpi ne", larger, least)
                : e.compare("arith.cmpi eq", larger, most);
}

static Lanes divide(Emitter &e, const Op &op) {
  constexpr int64_t toZero = 1, down = 2, up = 3;
  int64_t rounding = attribute(op, "rounding");
  if (rounding != toZero && rounding != down && rounding != up) {
    refuse(op, "a division that rounds otherwise");
  }
  // Operands below 0 are stuck in the dialect, so that signs and the first two
  // ways to round make no difference.
  return e.apply(rounding == up ? "arith.ceildivsi" : "arith.divsi",
                 {e.get(op, operand(op, "x")), e.get(op, operand(op, "y"))});
}

static Lanes convertFloat(Emitter &e, const Op &op, const std::string &to) {
  Lanes v = e.get(op, operand(op, "x"));
  if (isInteger(v) || to[0] == 'i') {
    refuse(op, "a conversion of integers as floats");
  }
  unsigned from = floatBits(v.element), bits = floatBits(to);
  if (v.element == to) {
    return v;
  }
  if (bits < 16) {
    if (from < 16) {
      refuse(op, "a conversion between small floats");
    }
    if (from == 64) {
      v = e.apply("arith.truncf", {v}, "f32");
    }
    return e.apply("tile.convert", {v}, to);
  }
  if (from == bits) {
    v = e.apply("arith.extf", {v}, "f32");
    from = 32;
  }
  return e.apply(from < bits ? "arith.extf" : "arith.truncf", {v}, to);
}

/// x to the power of a whole number that is a constant.
static Lanes power(Emitter &e, const Op &op) {
  const Lanes x = e.get(op, operand(op, "x"));
  std::optional<int64_t> n = e.sources.constant(operand(op, "y"));
  if (n == 2) {
    return e.apply("arith.mulf", {x, x});
  }
  Lanes y = e.apply("arith.sitofp", {e.get(op, operand(op, "y"))}, x.element);
  return e.apply("math.powf", {x, y});
}

static Lanes extremum(Emitter &e, const Op &op) {
  bool largest = op.name[1] == 'a', ofFloats = op.name[3] == 'f';
  std::string as =
      ofFloats ? attribute(op, "nan")
                     ? largest ? "arith.maximumf" : "arith.minimumf"
                 : largest ? "arith.maxnumf"
                           : "arith.minnumf"
      : attribute(op, "sign") == 1 ? largest ? "arith.maxsi" : "arith.minsi"
      : largest                    ? "arith.maxui"
                                   : "arith.minui";
  return e.apply(as,
                 {e.get(op, operand(op, "x")), e.get(op, operand(op, "y"))});
}

bool Emitter::compute(const Op &op) {
  std::string name = op.name;
  if (decide(op) || lift(op) || divideSigned(op)) {
    return true;
  }
  if (attribute(op, "overflow") != 0) {
    refuse(op, name + " that is said not to wrap");
  }
  if (op.attributes.count("ftz") && attribute(op, "ftz")) {
    note("numbers below the normal ones are kept, not flushed to 0");
  }
  for (const Word &w : words) {
    if (w.name && name == w.name) {
      lanewise(op, w.as);
      return true;
    }
  }
  if (name == "reshape" || name == "broadcast" || name == "permute") {
    shaped(op);
    return true;
  }
  if (op.results.size() != 1) {
    return false;
  }
  const Type &t = f.types[op.results[0]];
  if (t.form != Type::Form::Tile || t.pointer) {
    return false;
  }
  Lanes out;
  if (name == "constant") {
    out = constant(op);
  } else if (name == "iota") {
    if (t.shape.size() != 1) {
      refuse(op, "an iota of several axes");
    }
    out = t.shape[0] == 1
              ? number(0, t.element)
              : Lanes{define("tile.iota 0 : " + type(t.element, t.shape)),
                      t.element, t.shape, false, ""};
    out.shape = t.shape;
    if (!out.splat && sources.steers(op.results[0]) &&
        t.shape[0] - 1 <= signedRange(t.bits).high) {
      out.index = define("tile.iota 0 : " + type("index", t.shape));
      out.range = {0, t.shape[0] - 1};
    }
  } else if (name == "cmpi") {
    out = compareIntegers(*this, op);
  } else if (name == "cmpf") {
    int64_t which = attribute(op, "compare");
    if (which < 0 || which > 5) {
      refuse(op, "a comparison that has no form in the dialect");
    }
    std::string order = attribute(op, "ordered") ? "o" : "u";
    out = compare("arith.cmpf " + order + orderings[which],
                  get(op, operand(op, "x")), get(op, operand(op, "y")));
  } else if (name == "divi") {
    out = divide(*this, op);
  } else if (name.size() == 4 &&
             (name.starts_with("max") || name.starts_with("min"))) {
    out = extremum(*this, op);
  } else if (name == "exti" || name == "trunci") {
    out = apply(name == "trunci"             ? "arith.trunci"
                : attribute(op, "sign") == 1 ? "arith.extsi"
                                             : "arith.extui",
                {get(op, operand(op, "x"))}, t.element);
  } else if (name == "itof") {
    out = apply(attribute(op, "sign") == 1 ? "arith.sitofp" : "arith.uitofp",
                {get(op, operand(op, "x"))}, elementOf(op, t));
  } else if (name == "ftoi") {
    out = apply(attribute(op, "sign") == 1 ? "arith.fptosi" : "arith.fptoui",
                {get(op, operand(op, "x"))}, t.element);
  } else if (name == "ftof") {
    out = convertFloat(*this, op, elementOf(op, t));
  } else if (name == "fpowi") {
    out = power(*this, op);
  } else if (name == "bitcast") {
    const Lanes v = get(op, operand(op, "x"));
    out = v.element == elementOf(op, t)
              ? v
              : apply("arith.bitcast", {v}, t.element);
  } else if (name == "negi" || name == "absi") {
    const Lanes v = get(op, operand(op, "x"));
    Lanes zero = number(0, v.element);
    zero.shape = v.shape;
    out = apply("arith.subi", {zero, v});
    if (name == "absi") {
      out = apply("arith.maxsi", {v, out});
    }
  } else if (name == "shri") {
    out = apply(attribute(op, "sign") == 1 ? "arith.shrsi" : "arith.shrui",
                {get(op, operand(op, "x")), get(op, operand(op, "y"))});
  } else if (name == "select") {
    const Lanes c = get(op, operand(op, "condition"));
    const Lanes x = get(op, operand(op, "x")), y = get(op, operand(op, "y"));
    out = {"", x.element, x.shape, c.splat && x.splat && y.splat, ""};
    if (out.splat || c.shape.empty()) {
      bool scalar = out.splat;
      out.name =
          define("arith.select " + c.name + ", " + (scalar ? x.name : full(x)) +
                 ", " + (scalar ? y.name : full(y)) + " : " + type(out));
    } else {
      std::string condition = full(c), left = full(x), right = full(y);
      out.name = define("arith.select " + condition + ", " + left + ", " +
                        right + " : " + type("i1", c.shape) + ", " + type(out));
    }
  } else {
    return false;
  }
  estimate(op, out);
  if (out.shape != t.shape) {
    refuse(op, name + " whose result has another shape than its operands");
  }
  set(op.results[0], out);
  return true;
}

} // namespace girih::importer
