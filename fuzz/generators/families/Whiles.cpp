// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that end when they end: searches in a table, walks over a range by
// steps of their own, and countdowns of two numbers, with the invariants that
// they need. A mistake is made in where a loop starts, ends and steps to, in
// what it states, or in what is done behind it. Most break the kernel for some
// launch and contents; some are harmless, and only the box can tell.

#include "fuzz/generators/Draw.h"
#include "fuzz/generators/Generator.h"
#include "fuzz/generators/Writer.h"

namespace girih::fuzz {

namespace {
class Whiles {
public:
  explicit Whiles(Draw &d) : d(d), w("whiles") {}

  Writer &write() {
    table = &w.tensor({axisOf("N")}, "shared", "i8");
    written =
        &w.tensor({axisOf("M")}, d.pick({"own", "out", "out partial"}), "i8");
    block = w.blockId(w.grid("M"));
    value = w.constant(1, "i8");
    if (d.chance(25)) {
      w.open("scf.if " + w.compare("sge", block, w.constant(d.between(0, 1))));
    }
    switch (d.below(3)) {
    case 0:
      search();
      break;
    case 1:
      walk();
      break;
    default:
      countdown();
    }
    w.closeTo(0);
    store();
    return w;
  }

private:
  Draw &d;
  Writer w;
  Tensor *table = nullptr, *written = nullptr;
  std::string block, value;

  Axis axisOf(const std::string &extent) {
    Axis a;
    a.extent = extent;
    a.tile = 1;
    a.unit = true;
    w.symbol(extent, {0, 1, 2, 3, 5, 8});
    return a;
  }

  std::string load(const std::string &at) {
    return w.op("tile.load " + table->partition() + "[" + at +
                "] : " + table->partitionType());
  }

  void store() {
    std::string piece = w.op("tile.claim " + written->partition() + "[" +
                             block + "] : " + written->partitionType());
    w.line("tile.store " + value + ", " + piece + " : " + written->pieceType());
  }

  void invariant(const std::string &how, const std::string &a,
                 const std::string &b) {
    w.line("tile.invariant " + w.compare(how, a, b) + " : i1");
  }

  /// Opens a while of indices; names of its arguments are %a0, %a1, ... of
  /// `name`. What it gives is `name`#0, ...
  std::vector<std::string> begin(const std::string &name,
                                 const std::vector<std::string> &initial) {
    std::vector<std::string> names;
    std::string list, types;
    for (size_t i = 0; i < initial.size(); ++i) {
      names.push_back(name + "_a" + std::to_string(i));
      list += (i ? ", " : "") + names[i] + " = " + initial[i];
      types += i ? ", index" : "index";
    }
    w.open(name + ":" + std::to_string(initial.size()) + " = scf.while (" +
           list + ") : (" + types + ") -> (" + types + ")");
    return names;
  }

  /// From the condition region to the body.
  std::vector<std::string> goOn(const std::string &name,
                                const std::string &condition,
                                const std::string &measure,
                                const std::vector<std::string> &passed) {
    w.line("tile.measure " + measure + " : index");
    std::string list, types, arguments;
    std::vector<std::string> names;
    for (size_t i = 0; i < passed.size(); ++i) {
      names.push_back(name + "_b" + std::to_string(i));
      list += (i ? ", " : "") + passed[i];
      types += i ? ", index" : "index";
      arguments += (i ? ", " : "") + names[i] + ": index";
    }
    w.line("scf.condition(" + condition + ") " + list + " : " + types);
    w.close();
    w.open("do");
    w.line("^bb0(" + arguments + "):");
    return names;
  }

  void yield(const std::vector<std::string> &values) {
    std::string list, types;
    for (size_t i = 0; i < values.size(); ++i) {
      list += (i ? ", " : "") + values[i];
      types += i ? ", index" : "index";
    }
    w.line("scf.yield " + list + " : " + types);
    w.close();
  }

  std::string plus(const std::string &x, int64_t n) {
    return n == 0 ? x : w.binary("addi", x, w.constant(n));
  }

  /// By halves: what is left is from the first carried index to the second.
  void search() {
    std::string zero = w.constant(0), n = w.symbolValue("N");
    std::string first = d.mutate("begins at 1") ? w.constant(1) : zero;
    std::string last = plus(n, d.mutate("ends one behind") ? 1 : 0);
    bool tight = !d.mutate("goes on where nothing is left");
    int64_t over = d.mutate("steps over one") ? 2 : 1;
    bool moves = !d.mutate("stays at the middle");
    bool said = !d.mutate("says nothing of its end");
    auto a = begin("%found", {first, last});
    invariant("sge", a[0], zero);
    invariant("sle", a[0], a[1]);
    if (said) {
      invariant("sle", a[1], last);
    }
    std::string left = w.binary("subi", a[1], a[0]);
    std::string more = w.compare(tight ? "slt" : "sle", a[0], a[1]);
    auto b = goOn("%found", more, left, a);
    std::string half =
        w.binary("divsi", w.binary("subi", b[1], b[0]), w.constant(2));
    std::string middle = w.binary("addi", b[0], half);
    std::string below = w.compare("slt", load(middle), value, "i8");
    std::string low = moves ? plus(middle, over) : middle;
    yield(
        {w.op("arith.select " + below + ", " + low + ", " + b[0] + " : index"),
         w.op("arith.select " + below + ", " + b[1] + ", " + middle +
              " : index")});
    behind("%found#0", n);
  }

  /// From an index to the end of the table by steps that are drawn, or come
  /// from memory.
  void walk() {
    std::string zero = w.constant(0), n = w.symbolValue("N");
    int64_t step = d.between(1, 3);
    bool reads = d.chance(40);
    int64_t least = reads && d.mutate("may step by nothing") ? 0 : 1;
    bool late = d.mutate("goes on at the end");
    bool short_ = d.mutate("states too small an end");
    int64_t ahead = d.mutate("reads ahead") ? 1 : 0;
    auto a = begin("%walked", {zero});
    invariant("sge", a[0], zero);
    // A step may lead past the end.
    std::string limit = plus(n, short_ ? step - 1 - (reads ? 0 : 1) : step);
    invariant("sle", a[0], limit);
    std::string left = w.binary("subi", limit, a[0]);
    std::string more = w.compare(late ? "sle" : "slt", a[0], n);
    auto b = goOn("%walked", more, left, a);
    std::string v = load(plus(b[0], ahead));
    std::string by = w.constant(step);
    if (reads) {
      std::string x = w.op("arith.index_cast " + v + " : i8 to index");
      by = w.binary("minsi", w.binary("maxsi", x, w.constant(least)), by);
    }
    yield({w.binary("addi", b[0], by)});
    behind("%walked#0", n);
  }

  /// Two numbers, each trip takes from one of them.
  void countdown() {
    std::string zero = w.constant(0), n = w.symbolValue("N");
    int64_t by = d.between(1, 2);
    bool floors = !d.mutate("takes too much");
    bool swaps = d.chance(50);
    bool guard = !d.mutate("goes on at 0");
    auto a = begin("%counted", {n, block});
    invariant("sge", a[0], zero);
    invariant("sge", a[1], zero);
    invariant("sle", a[0], w.binary("addi", n, block));
    invariant("sle", a[1], w.binary("addi", n, block));
    std::string sum = w.binary("addi", a[0], a[1]);
    std::string more = w.compare(guard ? "sgt" : "sge", a[0], zero);
    auto b = goOn("%counted", more, sum, a);
    std::string x = w.binary("subi", b[0], w.constant(by));
    if (floors) {
      x = w.binary("maxsi", x, zero);
    }
    // Swapped, the loop ends where the other number is 0.
    yield(swaps ? std::vector<std::string>{b[1], x}
                : std::vector<std::string>{x, b[1]});
    if (d.chance(60)) {
      std::string is = w.compare("slt", "%counted#0", n);
      w.open("scf.if " + is);
      load("%counted#0");
      w.close();
    }
  }

  /// A load of an element that the loop leads to, or of the one before it.
  void behind(const std::string &at, const std::string &n) {
    bool unguarded = d.mutate("no guard behind");
    if (!unguarded) {
      w.open("scf.if " + w.compare("slt", at, n));
    }
    load(at);
    if (!unguarded) {
      w.close();
    }
  }
};
} // namespace

Sample whiles(uint64_t seed) {
  size_t count = mistakesOf<Whiles>(seed).size();
  if (seed % 2 == 0) {
    return drawKernel<Whiles>(seed);
  }
  Sample s = drawKernel<Whiles>(seed, static_cast<int>(seed / 2 % count));
  s.truth = Sample::Truth::Open; // some mistakes are harmless
  return s;
}

} // namespace girih::fuzz
