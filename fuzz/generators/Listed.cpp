// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fuzz/generators/Listed.h"

namespace girih::fuzz {

namespace {

struct List {
  Writer &w;
  Draw &d;
  const std::string count; ///< tiles along the axis, as the contract has them
  const std::string symbol;
  Tensor &numbers;

  std::string load(const std::string &at) {
    std::string x = w.op("tile.load " + numbers.partition() + "[" + at +
                         "] : " + numbers.partitionType());
    return w.op("arith.index_cast " + x + " : " + numbers.element +
                " to index");
  }

  void within(const std::string &high) {
    w.given("within(" + numbers.name + ", 0, " + high + ")");
  }

  /// Each block the tile that the list has for it, no two the same.
  std::string distinct() {
    within(d.mutate("listed tile one too far") ? count + " + 1" : count);
    if (!d.mutate("listed tiles not distinct")) {
      w.given("distinct(" + numbers.name + ")");
    }
    return load(w.blockId(w.grid(symbol)));
  }

  std::string loop(const std::string &low, const std::string &high) {
    std::string k = w.fresh();
    w.open("scf.for " + k + " = " + low + " to " + high + " step " +
           w.constant(1));
    return k;
  }

  /// One block the whole list, where a tile may stand twice.
  std::string inTurn() {
    within(d.mutate("listed tile one too far") ? count + " + 1" : count);
    return load(loop(w.constant(0), w.symbolValue(symbol)));
  }

  /// Each block those from a number of the list to the next one.
  std::string between() {
    w.require(symbol + " >= 1");
    std::string last =
        d.mutate("last split one too far") ? count + " + 1" : count;
    if (d.chance(50)) {
      w.given("splits(" + numbers.name + ", " + last + ")");
    } else {
      within(last + " + 1");
      if (!d.mutate("splits not sorted")) {
        w.given("sorted(" + numbers.name + ")");
      }
    }
    std::string b = w.blockId(w.grid(symbol + " - 1")), one = w.constant(1);
    std::string low = load(b), high = load(w.binary("addi", b, one));
    if (d.mutate("one tile more than the split")) {
      high = w.binary("addi", high, one);
    }
    return loop(low, high);
  }
};

} // namespace

void giveAny(Writer &w, Draw &d, const Tensor &list, const std::string &high) {
  for (int64_t n = d.between(1, 2); n > 0; --n) {
    std::string end = d.chance(60) ? high : std::to_string(d.between(0, 5));
    w.given(d.pick<std::string>(
        {"within(" + list.name + ", " + std::to_string(d.between(-1, 1)) +
             ", " + end + ")",
         "within(" + list.name + ", 0, " + end + ")",
         "sorted(" + list.name + ")", "distinct(" + list.name + ")",
         "splits(" + list.name + ", " + end + ")"}));
  }
}

std::string writeListed(Writer &w, Draw &d, const Tensor &t, size_t axis) {
  std::string symbol = "L" + std::to_string(axis);
  w.symbol(symbol, {0, 1, 2, 5});
  Axis a;
  a.extent = symbol;
  a.unit = true;
  std::string count = t.axes[axis].count();
  Tensor &numbers =
      w.tensor({a}, "shared", d.pick({"i32", "i32", "i16", "i64"}));
  List list{w, d, count, symbol, numbers};
  switch (d.below(3)) {
  case 0:
    return list.distinct();
  case 1:
    return list.inTurn();
  default:
    return list.between();
  }
}

} // namespace girih::fuzz
