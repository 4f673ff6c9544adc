// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers of the launch in `index`. Sums, differences and products of N bits
// are right modulo 2^N whatever happens on the way, so they are written as
// exact ones. Where something else is asked of an integer (an order, a
// quotient, more bits, a bound of a loop), the exact number must be the one of
// N bits: that it fits is proved there (`tile.prove`), unless its interval
// tells.
//
// What is loaded or carried keeps its width and wraps, and so does what has no
// say in what is touched: a hash wraps on purpose.

#include "lower/import/Emitter.h"

#include <algorithm>
#include <cctype>

using namespace girih::readback;

namespace girih::importer {

unsigned bitsOf(const std::string &element) {
  bool integer = element.size() > 1 && element[0] == 'i' &&
                 std::isdigit(uint8_t(element[1])) != 0;
  return integer ? unsigned(std::stoul(element.substr(1))) : 0;
}

Range sizeRange(const Type &t) {
  constexpr int64_t largest = int64_t(1) << 40;
  return {0, std::min(largest, signedRange(t.bits).high)};
}

std::optional<Order> orderOf(const Op &op) {
  static constexpr Order orders[] = {Order::Equal, Order::Different,
                                     Order::Below, Order::AtMost,
                                     Order::Above, Order::AtLeast};
  int64_t which = attribute(op, "compare");
  return which < 0 || which > 5 ? std::nullopt : std::optional(orders[which]);
}

static std::optional<int64_t> numberOf(const Lanes &v) {
  bool known = v.splat && bitsOf(v.element) > 1 && !v.constant.empty();
  return known ? std::optional<int64_t>(std::stoll(v.constant)) : std::nullopt;
}

Range Emitter::rangeOf(const Lanes &v) const {
  unsigned bits = bitsOf(v.element);
  Range r = signedRange(bits ? bits : 64);
  if (std::optional<int64_t> n = numberOf(v)) {
    return {*n, *n};
  }
  if (v.range) {
    r = *v.range;
  }
  auto found = scope.proved.find(v.index);
  return v.index.empty() || found == scope.proved.end()
             ? r
             : both(r, found->second);
}

Range Emitter::wrappedRange(const Lanes &v) const {
  Range all = signedRange(bitsOf(v.element)), r = rangeOf(v);
  return contains(all, r) ? r : all;
}

std::string Emitter::narrow(const Lanes &v) {
  std::string &name = scope.narrowed[v.index + " " + v.element];
  if (name.empty()) {
    name = define("arith.index_cast " + v.index + " : " + type(indexLanes(v)) +
                  " to " + type(v));
  }
  return name;
}

Lanes Emitter::get(const Op &op, unsigned value) {
  Lanes v = kept(op, value);
  if (!v.index.empty()) {
    v.name = v.name.empty() ? narrow(v) : v.name;
    v.range = wrappedRange(v);
    v.index.clear();
  }
  return v;
}

std::optional<Lanes> Emitter::lifted(const Lanes &v) {
  if (!v.index.empty()) {
    return v;
  }
  if (!numberOf(v)) {
    return std::nullopt;
  }
  Lanes out = v;
  out.index = define("arith.constant " + v.constant + " : index");
  return out;
}

Lanes Emitter::indexLanes(const Lanes &v) {
  return {v.index, "index", v.shape, v.splat, ""};
}

Lanes Emitter::fit(Lanes v) {
  Range all = signedRange(bitsOf(v.element)), r = rangeOf(v);
  v.range = both(all, r);
  auto emit = [&](const char *predicate, int64_t bound) {
    Lanes exact{v.index, "index", {}, true, ""};
    Lanes holds = compare(predicate, exact, number(bound, "index"));
    line("tile.prove " + holds.name + ", \"fits " + v.element + "\" : i1");
    scope.proved[v.index] = *v.range;
  };
  if (r.high > all.high) {
    emit("arith.cmpi sle", all.high);
  }
  if (r.low < all.low) {
    emit("arith.cmpi sge", all.low);
  }
  return v;
}

Lanes Emitter::coordinate(const Lanes &v, int64_t extent) {
  std::optional<Lanes> wide = lifted(v);
  if (!wide) {
    return asIndex(v);
  }
  // A number below the extent is below 2^(N-1) and so fits anyway.
  bool small = extent - 1 <= signedRange(bitsOf(v.element)).high;
  return indexLanes(small ? *wide : fit(*wide));
}

/// Whether the op is said not to wrap, read with sign.
static bool isPromised(const Op &op) {
  constexpr int64_t noSignedWrap = 1;
  return attribute(op, "overflow") == noSignedWrap;
}

namespace {

/// One op, its operands lifted.
struct Lifting {
  Emitter &e;
  const Op &op;
  std::vector<Lanes> list;
  const Type &t = e.f.types[op.results[0]];

  Lanes &x() { return list[0]; }
  Lanes &y() { return list[1]; }
  Lanes index(int64_t n) {
    Lanes v{"", t.element, t.shape, true, ""};
    v.index = e.number(n, "index").name;
    v.range = {n, n};
    return v;
  }

  bool give(Lanes v) {
    v.element = t.element;
    if (v.shape != t.shape) {
      refuse(op, std::string(op.name) +
                     " whose result has another shape than its operands");
    }
    e.set(op.results[0], std::move(v));
    return true;
  }

  bool number(int64_t n) {
    Lanes v = e.number(n, t.element);
    v.shape = x().shape;
    return give(v);
  }

  bool isOne() const {
    return std::all_of(list.begin(), list.end(),
                       [](const Lanes &v) { return v.splat; });
  }

  /// A constant where the interval is one number that fits, and the op owes
  /// nothing. Different lanes must fit by their interval.
  bool give(const std::string &word, const std::vector<Lanes> &operands,
            const Range &r, bool canBeStuck = false) {
    bool fits = contains(signedRange(t.bits), r);
    if (r.low == r.high && !canBeStuck && fits) {
      return number(r.low);
    }
    if (!isOne() && (canBeStuck || !fits)) {
      return false;
    }
    std::vector<Lanes> indices;
    for (const Lanes &o : operands) {
      indices.push_back(Emitter::indexLanes(o));
    }
    Lanes all = e.apply(word, indices);
    Lanes v{"", t.element, all.shape, all.splat, ""};
    v.index = all.name;
    v.range = r;
    return give(v);
  }

  bool ring(const char *word, const Lanes &a, const Lanes &b,
            std::optional<Range> r) {
    if (!r && t.bits == 64 && isPromised(op)) {
      r = signedRange(64);
    }
    return r && give(word, {a, b}, *r);
  }

  bool sum() {
    return ring("arith.addi", x(), y(), add(e.rangeOf(x()), e.rangeOf(y())));
  }
  bool difference(const Lanes &a, const Lanes &b) {
    return ring("arith.subi", a, b, subtract(e.rangeOf(a), e.rangeOf(b)));
  }
  bool product(const Lanes &a, const Lanes &b) {
    return ring("arith.muli", a, b, multiply(e.rangeOf(a), e.rangeOf(b)));
  }
  bool shift() {
    Range by = e.rangeOf(y());
    bool known =
        by.low == by.high && by.low >= 0 && by.low < t.bits && by.low < 62;
    return known && product(x(), index(int64_t(1) << by.low));
  }

  bool divide() {
    constexpr int64_t toZero = 1, down = 2, up = 3;
    int64_t how = attribute(op, "rounding");
    bool rest = is(op, "remi");
    if (!rest && how != toZero && how != down && how != up) {
      return false;
    }
    Lanes a = e.fit(x()), d = e.fit(y());
    Range ra = e.rangeOf(a), rd = e.rangeOf(d);
    // Of operands that are not negative, as the op owes, all but `up` agree.
    bool canBeStuck = ra.low < 0 || rd.low < 1;
    Range r = rest ? importer::rest(ra, rd) : quotient(ra, rd, how == up);
    if (!give(rest        ? "arith.remsi"
              : how == up ? "arith.ceildivsi"
                          : "arith.divsi",
              {a, d}, r, canBeStuck)) {
      return false;
    }
    if (canBeStuck) {
      e.scope.proved[a.index] = both(ra, {0, INT64_MAX});
      e.scope.proved[d.index] = both(rd, {1, INT64_MAX});
    }
    return true;
  }

  /// Whether orders with and without sign are one.
  bool natural() { return e.rangeOf(x()).low >= 0 && e.rangeOf(y()).low >= 0; }

  bool extremum() {
    if (attribute(op, "sign") != 1 && !natural()) {
      return false;
    }
    Lanes a = e.fit(x()), b = e.fit(y());
    Range p = e.rangeOf(a), q = e.rangeOf(b);
    bool largest = is(op, "maxi");
    auto pick = [&](int64_t m, int64_t n) {
      return largest ? std::max(m, n) : std::min(m, n);
    };
    return give(largest ? "arith.maxsi" : "arith.minsi", {a, b},
                {pick(p.low, q.low), pick(p.high, q.high)});
  }

  bool magnitude() {
    Lanes a = e.fit(x());
    Range r = e.rangeOf(a);
    std::optional<Range> negated = subtract({0, 0}, r);
    if (!negated) {
      return false;
    }
    Lanes less = a;
    less.index = e.apply("arith.subi", {Emitter::indexLanes(index(0)),
                                        Emitter::indexLanes(a)})
                     .name;
    // Of the least number N bits have none, which is congruent to it.
    return give("arith.maxsi", {a, less}, {0, std::max(r.high, negated->high)});
  }

  bool extend() {
    bool isSigned = attribute(op, "sign") == 1;
    if (!isSigned && e.rangeOf(x()).low < 0) {
      return false;
    }
    if (std::optional<int64_t> n = numberOf(x())) {
      return number(*n);
    }
    Lanes v = e.fit(x());
    v.name.clear();
    return give(v);
  }

  bool truncate() {
    if (std::optional<int64_t> n = numberOf(x())) {
      unsigned off = 64 - t.bits;
      return number(int64_t(uint64_t(*n) << off) >> off);
    }
    Lanes v = x();
    v.name.clear();
    v.range = e.rangeOf(v);
    return (v.splat || contains(signedRange(t.bits), *v.range)) && give(v);
  }

  bool select() {
    const Lanes c = e.get(op, operand(op, "condition"));
    if (!c.splat || c.element != "i1" || !isOne()) {
      return false;
    }
    Lanes v{"", t.element, x().shape, true, ""};
    v.index = e.define("arith.select " + c.name + ", " + x().index + ", " +
                       y().index + " : index");
    v.range = either(e.rangeOf(x()), e.rangeOf(y()));
    return give(v);
  }

  bool compare() {
    static const char *const words[] = {"eq", "ne", "lt", "le", "gt", "ge"};
    std::optional<Order> order = orderOf(op);
    if (!order || x().element != y().element) {
      return false;
    }
    bool equality = *order == Order::Equal || *order == Order::Different;
    bool plain = equality || attribute(op, "sign") == 1 || natural();
    // Below a number that is not negative, read without sign: at least 0 and
    // below it.
    bool upward = *order == Order::Below || *order == Order::AtMost;
    if (!plain && !(upward && e.rangeOf(y()).low >= 0)) {
      return false;
    }
    Lanes a = Emitter::indexLanes(e.fit(x()));
    Lanes b = Emitter::indexLanes(e.fit(y()));
    std::string word = std::string("arith.cmpi ") + (equality ? "" : "s") +
                       words[static_cast<unsigned>(*order)];
    Lanes holds = e.compare(word, a, b);
    if (!plain) {
      Lanes zero = e.number(0, "index");
      zero.shape = a.shape;
      holds =
          e.apply("arith.andi", {e.compare("arith.cmpi sle", zero, a), holds});
    }
    return give(holds);
  }

  bool run() {
    std::string_view name = op.name;
    if (name == "cmpi") {
      return compare();
    }
    if (name == "exti") {
      return extend();
    }
    if (name == "trunci") {
      return truncate();
    }
    for (const Lanes &v : list) {
      if (v.element != t.element) {
        return false;
      }
    }
    return name == "addi"                     ? sum()
           : name == "subi"                   ? difference(x(), y())
           : name == "muli"                   ? product(x(), y())
           : name == "shli"                   ? shift()
           : name == "negi"                   ? difference(index(0), x())
           : name == "absi"                   ? magnitude()
           : name == "select"                 ? select()
           : name == "divi" || name == "remi" ? divide()
                                              : extremum();
  }
};

constexpr std::string_view unary[] = {"exti", "trunci", "negi", "absi"};
constexpr std::string_view binary[] = {"addi", "subi",  "muli", "shli",
                                       "divi", "remi",  "mini", "maxi",
                                       "cmpi", "select"};

template <typename List> bool holds(const List &list, std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

} // namespace

bool Emitter::lift(const Op &op) {
  bool one = holds(unary, op.name), two = holds(binary, op.name);
  bool promised = isPromised(op);
  if ((!one && !two) || op.results.size() != 1 ||
      (attribute(op, "overflow") != 0 && !promised) ||
      (!promised && !sources.steers(op.results[0]))) {
    return false;
  }
  Lifting all{*this, op, {}};
  for (const char *name : {"x", "y"}) {
    if (one && *name == 'y') {
      continue;
    }
    const Lanes &k = kept(op, operand(op, name));
    std::optional<Lanes> v = lifted(k);
    if (!v && promised && k.splat && bitsOf(k.element) >= 8) {
      v = k;
      v->index = asIndex(k).name;
    }
    if (!v || (!all.list.empty() && all.list[0].shape != v->shape)) {
      return false;
    }
    all.list.push_back(promised ? fit(*v) : *v);
  }
  if (!promised) {
    return all.run();
  }
  // Tile IR has no meaning where it wraps. An `index` owes 64 bits itself.
  bool ring = op.name != std::string_view("trunci") && all.run();
  if (ring) {
    Lanes v = fit(kept(op, op.results[0]));
    promises.insert(v.index);
    set(op.results[0], v);
  }
  return ring;
}

bool Emitter::divideSigned(const Op &op) {
  bool isRest = is(op, "remi");
  if ((!isRest && !is(op, "divi")) || op.results.size() != 1 ||
      attribute(op, "sign") != 1) {
    return false;
  }
  const Lanes x = kept(op, operand(op, "x")), y = kept(op, operand(op, "y"));
  constexpr int64_t toZero = 1, down = 2, up = 3;
  int64_t how = isRest ? toZero : attribute(op, "rounding");
  std::optional<int64_t> by = numberOf(y);
  Range r = rangeOf(x);
  if (!x.splat || !x.index.empty() || bitsOf(x.element) > 32 || r.low >= 0 ||
      !by || *by < 1 || x.shape != y.shape || how < toZero || how > up) {
    return false;
  }
  // The parts above and below 0, one of which is 0.
  Lanes exact = asIndex(x), zero = number(0, "index");
  exact.shape.clear();
  Lanes d = number(*by, "index");
  Lanes above = apply("arith.maxsi", {exact, zero});
  Lanes below = apply("arith.subi", {zero, exact});
  below = apply("arith.maxsi", {below, zero});
  const char *const word = isRest ? "arith.remsi" : "arith.divsi";
  above = apply(how == up ? "arith.ceildivsi" : word, {above, d});
  below = apply(how == down ? "arith.ceildivsi" : word, {below, d});
  Lanes out{"", x.element, x.shape, true, ""};
  out.index = apply("arith.subi", {above, below}).name;
  out.range = {r.low, std::max<int64_t>(r.high, 0)};
  set(op.results[0], out);
  return true;
}

} // namespace girih::importer
