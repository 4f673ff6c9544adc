// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic on lanes at random, and gathers and scatters, or atomic ones, with
// what comes out of it: masks that guard and masks that do not, lanes that
// meet, places that come from memory.

#include "fuzz/generators/Draw.h"
#include "fuzz/generators/Generator.h"
#include "fuzz/generators/Listed.h"
#include "fuzz/generators/Writer.h"

namespace girih::fuzz {

namespace {
class RandomLanes {
public:
  RandomLanes(uint64_t seed, bool isAtomic)
      : d(seed), w("lanes"), isAtomic(isAtomic) {}

  Sample run(uint64_t seed) {
    contract();
    scalars = {w.constant(0), w.constant(d.between(-2, 6)), w.symbolValue("N")};
    for (size_t axis = 0; axis < w.gridSize(); ++axis) {
      scalars.push_back(w.blockId(axis));
    }
    if (d.chance(50)) {
      scalars.push_back(
          w.binary("muli", w.blockId(0), w.constant(d.between(1, 2 * lanes))));
    }
    statements(d.between(4, 10));
    if (d.chance(30)) {
      std::string counter = w.fresh();
      w.open("scf.for " + counter + " = " + w.constant(0) + " to " +
             d.pick(scalars) + " step " + w.constant(d.between(1, 2)));
      auto before = pool;
      auto outside = scalars;
      scalars.push_back(counter);
      statements(d.between(1, 3));
      scatter();
      w.close();
      pool = before;
      scalars = outside;
    }
    for (int64_t n = d.between(1, 2); n > 0; --n) {
      scatter();
    }
    return w.openSample(seed);
  }

private:
  Draw d;
  Writer w;
  bool isAtomic;
  std::string kind; ///< of atomics
  Tensor *written = nullptr, *read = nullptr;
  std::string narrow;
  int64_t lanes = 4;
  std::vector<std::string> scalars;
  std::map<std::string, std::vector<std::string>> pool; ///< by type

  void contract() {
    narrow = d.pick({"i8", "i8", "i16", "i32"});
    lanes = d.pick({2, 4, 4, 8});
    Axis a;
    a.extent = "N";
    w.symbol("N", {0, 1, 2, 3, 5, 9});
    std::vector<Axis> axes = {a};
    if (d.chance(35)) {
      Axis b;
      b.constant = d.pick<int64_t>({2, lanes, lanes + 1});
      b.extent = std::to_string(b.constant);
      axes.push_back(b);
    }
    if (isAtomic) {
      kind = d.pick({"add", "min", "max", "and", "or", "xor"});
    }
    written = &w.tensor(axes,
                        isAtomic ? "atomic<" + kind + ">"
                                 : d.pick({"own", "out", "out partial"}),
                        narrow);
    read = &w.tensor({a}, "shared", narrow);
    if (d.chance(30)) {
      giveAny(w, d, *read, a.extent);
    }
    std::string l = std::to_string(lanes);
    w.grid(d.pick({"ceildiv(N, " + l + ")", "ceildiv(N, " + l + ")",
                   std::string("N"), std::string("1"), std::string("2")}));
  }

  std::string line() { return std::to_string(lanes); }
  std::string plane() { return "2x" + line(); }
  std::string shape() { return d.chance(60) ? line() : plane(); }
  static std::string type(const std::string &shape, const std::string &lane) {
    return "vector<" + shape + "x" + lane + ">";
  }
  std::string lane() { return d.chance(70) ? "index" : narrow; }
  void keep(const std::string &t, std::string value) {
    pool[t].push_back(std::move(value));
  }

  std::string any(const std::string &shape, const std::string &lane) {
    std::string t = type(shape, lane);
    if (pool[t].empty() || d.chance(25)) {
      keep(t, source(shape, lane));
      return pool[t].back();
    }
    return d.pick(pool[t]);
  }

  std::string source(const std::string &shape, const std::string &lane) {
    std::string t = type(shape, lane);
    bool one = shape.find('x') == std::string::npos;
    switch (d.below(lane == "index" ? 5 : 3)) {
    case 0:
    case 1:
      return w.op("tile.iota " + std::string(one || d.chance(50) ? "0" : "1") +
                  " : " + t);
    case 2:
      return w.op("arith.constant dense<" + std::to_string(d.between(-2, 6)) +
                  "> : " + t);
    default:
      return w.op("vector.broadcast " + d.pick(scalars) + " : index to " + t);
    }
  }

  std::string binary(const std::string &name, const std::string &a,
                     const std::string &b, const std::string &t) {
    return w.op("arith." + name + " " + a + ", " + b + " : " + t);
  }

  void statements(int64_t n) {
    for (; n > 0; --n) {
      statement();
    }
  }

  void statement() {
    std::string s = shape(), e = lane(), t = type(s, e);
    switch (d.below(10)) {
    case 0:
    case 1:
    case 2:
      return keep(
          t, binary(d.pick({"addi", "addi", "subi", "muli", "minsi", "maxsi"}),
                    any(s, e), any(s, e), t));
    case 3:
      return divide(s, e);
    case 4:
      return keep(type(s, "i1"), condition(s));
    case 5: {
      std::string c = condition(s), a = any(s, e), b = any(s, e);
      return keep(t, w.op("arith.select " + c + ", " + a + ", " + b + " : " +
                          type(s, "i1") + ", " + t));
    }
    case 6:
      return cast(s);
    case 7:
      return gather(s);
    default:
      return move(e);
    }
  }

  void divide(const std::string &s, const std::string &e) {
    std::string t = type(s, e), a = any(s, e);
    if (d.chance(70)) {
      a = binary("maxsi", a, w.op("arith.constant dense<0> : " + t), t);
    }
    std::string by = d.chance(80)
                         ? w.op("arith.constant dense<" +
                                std::to_string(d.between(1, 4)) + "> : " + t)
                         : any(s, e);
    keep(t, binary(d.pick({"divsi", "remsi", "ceildivsi"}), a, by, t));
  }

  std::string condition(const std::string &s) {
    std::string e = lane();
    std::string c =
        w.op("arith.cmpi " +
             d.pick<std::string>({"eq", "ne", "slt", "sle", "sgt", "sge"}) +
             ", " + any(s, e) + ", " + any(s, e) + " : " + type(s, e));
    auto &others = pool[type(s, "i1")];
    return !others.empty() && d.chance(40)
               ? binary(d.pick({"andi", "ori", "xori"}), c, d.pick(others),
                        type(s, "i1"))
               : c;
  }

  void cast(const std::string &s) {
    std::string from = type(s, "index"), to = type(s, narrow);
    switch (d.below(3)) {
    case 0:
      return keep(to, w.op("arith.index_cast " + any(s, "index") + " : " +
                           from + " to " + to));
    case 1:
      return keep(from, w.op("arith.index_cast " + any(s, narrow) + " : " + to +
                             " to " + from));
    default:
      keep(to, w.op(d.pick<std::string>({"arith.extsi ", "arith.extui "}) +
                    condition(s) + " : " + type(s, "i1") + " to " + to));
    }
  }

  /// Between a line and a plane, and a plane turned and taken apart again.
  void move(const std::string &e) {
    std::string wide = type(plane(), e);
    switch (d.below(3)) {
    case 0:
      return keep(wide, w.op("vector.broadcast " + any(line(), e) + " : " +
                             type(line(), e) + " to " + wide));
    case 1: {
      std::string turned = type(line() + "x2", e);
      std::string v = w.op("vector.transpose " + any(plane(), e) +
                           ", [1, 0] : " + wide + " to " + turned);
      return keep(wide, w.op("vector.shape_cast " + v + " : " + turned +
                             " to " + wide));
    }
    default: {
      std::string row = type("1x" + line(), e);
      std::string v = w.op("vector.shape_cast " + any(line(), e) + " : " +
                           type(line(), e) + " to " + row);
      keep(wide, w.op("vector.broadcast " + v + " : " + row + " to " + wide));
    }
    }
  }

  /// Which lanes lie inside; most masks say all of it.
  std::string inside(const std::string &s, const std::string &at,
                     const std::string &extent) {
    std::string t = type(s, "index"), truth = type(s, "i1");
    std::string end = w.op("vector.broadcast " + extent + " : index to " + t);
    std::string high =
        w.op("arith.cmpi " + std::string(d.chance(90) ? "slt" : "sle") + ", " +
             at + ", " + end + " : " + t);
    if (d.chance(15)) {
      return high;
    }
    std::string zero = w.op("arith.constant dense<0> : " + t);
    std::string low = w.op("arith.cmpi sge, " + at + ", " + zero + " : " + t);
    return binary("andi", low, high, truth);
  }

  void gather(const std::string &s) {
    std::string at = any(s, "index"), t = type(s, "index");
    bool masked = d.chance(85);
    std::string mask = masked ? inside(s, at, w.symbolValue("N")) : "";
    keep(type(s, narrow), w.op("tile.gather " + read->name + "[" + at + "]" +
                               (masked ? ", " + mask + " pad(zero)" : "") +
                               " : " + read->tensorType() + ", " + t +
                               (masked ? ", " + type(s, "i1") : "")));
  }

  void scatter() {
    std::string s = shape(), t = type(s, "index");
    std::string places, types, mask;
    for (const Axis &a : written->axes) {
      std::string at = any(s, "index");
      if (d.chance(50)) { // as people write it
        std::string first =
            w.op("vector.broadcast " + d.pick(scalars) + " : index to " + t);
        at = binary("addi", first, w.op("tile.iota 0 : " + t), t);
      }
      places += (places.empty() ? "" : ", ") + at;
      types += ", " + t;
      if (d.chance(90)) {
        std::string extent =
            a.constant < 0 ? w.symbolValue("N") : w.constant(a.constant);
        std::string in = inside(s, at, extent);
        mask = mask.empty() ? in : binary("andi", mask, in, type(s, "i1"));
      }
    }
    if (d.chance(30)) {
      std::string c = condition(s);
      mask = mask.empty() ? c : binary("andi", mask, c, type(s, "i1"));
    }
    w.line((isAtomic ? "tile.atomic_scatter " + kind : "tile.scatter") + " " +
           any(s, narrow) + ", " + written->name + "[" + places + "]" +
           (mask.empty() ? "" : ", " + mask) + " : " + type(s, narrow) + ", " +
           written->tensorType() + types +
           (mask.empty() ? "" : ", " + type(s, "i1")));
  }
};
} // namespace

Sample randomLanes(uint64_t seed) { return RandomLanes(seed, false).run(seed); }

Sample randomAtomicLanes(uint64_t seed) {
  return RandomLanes(seed, true).run(seed);
}

} // namespace girih::fuzz
