// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What intervals tell of results: truths that need no op, and the intervals of
// integers that keep their width.

#include "lower/import/Emitter.h"

#include <algorithm>

using namespace girih::readback;

namespace girih::importer {

Lanes Emitter::truth(bool is, const Shape &shape) {
  Lanes v{"", "i1", shape, true, is ? "true" : "false"};
  v.name = define("arith.constant " + v.constant);
  return v;
}

bool Emitter::decide(const Op &op) {
  std::string_view name = op.name;
  bool logic = name == "andi" || name == "ori" || name == "xori";
  if ((!logic && name != "cmpi" && name != "select") ||
      op.results.size() != 1) {
    return false;
  }
  const Lanes &x = kept(op, operand(op, "x")), &y = kept(op, operand(op, "y"));
  if (x.shape != y.shape || x.element != y.element ||
      x.shape != f.types[op.results[0]].shape) {
    return false;
  }
  auto give = [&](Lanes v) {
    set(op.results[0], std::move(v));
    return true;
  };
  if (name == "select") {
    const Lanes &c = kept(op, operand(op, "condition"));
    return c.splat && !c.constant.empty() && give(c.constant == "true" ? x : y);
  }
  if (name == "cmpi") {
    std::optional<Order> order = orderOf(op);
    if (bitsOf(x.element) < 2 || !order) {
      return false;
    }
    Range p = wrappedRange(x), q = wrappedRange(y);
    bool any = attribute(op, "sign") == 1 || *order == Order::Equal ||
               *order == Order::Different || (p.low >= 0 && q.low >= 0);
    std::optional<bool> is = any ? compared(*order, p, q) : std::nullopt;
    return is && give(truth(*is, x.shape));
  }
  if (x.element != "i1") {
    return false;
  }
  for (bool swapped : {false, true}) {
    const Lanes &known = swapped ? y : x, &other = swapped ? x : y;
    if (!known.splat || known.constant.empty()) {
      continue;
    }
    bool is = known.constant == "true";
    if (name == "andi" ? is : !is) {
      return give(other);
    }
    if (name != "xori") {
      return give(known);
    }
    if (other.splat && !other.constant.empty()) {
      return give(truth(other.constant != "true", x.shape));
    }
  }
  return false;
}

void Emitter::estimate(const Op &op, Lanes &result) {
  std::string_view name = op.name;
  unsigned bits = bitsOf(result.element);
  if (bits < 2 || !result.index.empty()) {
    return;
  }
  auto of = [&](const char *operandName) {
    return wrappedRange(kept(op, operand(op, operandName)));
  };
  std::optional<Range> r;
  if (name == "iota") {
    r = {0, lanesOf(result.shape) - 1};
  } else if (name == "addi") {
    r = add(of("x"), of("y"));
  } else if (name == "subi") {
    r = subtract(of("x"), of("y"));
  } else if (name == "muli") {
    r = multiply(of("x"), of("y"));
  } else if (name == "divi") {
    r = quotient(of("x"), of("y"), true);
  } else if (name == "remi") {
    r = rest(of("x"), of("y"));
  } else if ((name == "mini" || name == "maxi") && attribute(op, "sign") == 1) {
    Range p = of("x"), q = of("y");
    r = name == "maxi"
            ? Range{std::max(p.low, q.low), std::max(p.high, q.high)}
            : Range{std::min(p.low, q.low), std::min(p.high, q.high)};
  } else if (name == "select") {
    r = either(of("x"), of("y"));
  } else if (name == "trunci" ||
             (name == "exti" &&
              (attribute(op, "sign") == 1 || of("x").low >= 0))) {
    r = of("x");
  }
  if (r && contains(signedRange(bits), *r)) {
    result.range = r;
  }
}

} // namespace girih::importer
