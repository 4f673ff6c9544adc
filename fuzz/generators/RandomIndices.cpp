// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Index arithmetic at random: what the schedules of people never do, wraps and
// empty loops and values carried round them, is where a rule is forgotten.

#include "fuzz/generators/Draw.h"
#include "fuzz/generators/Generator.h"
#include "fuzz/generators/Listed.h"
#include "fuzz/generators/Rotation.h"
#include "fuzz/generators/ViewChain.h"
#include "fuzz/generators/Writer.h"

namespace girih::fuzz {

namespace {
class Random {
public:
  explicit Random(uint64_t seed) : d(seed), w("indices") {}

  Sample run(uint64_t seed) {
    contract();
    pool["index"] = {w.constant(0), w.constant(1), w.constant(d.between(-3, 9)),
                     w.symbolValue("N"), w.tiles(*written, 0)};
    for (size_t axis = 0; axis < w.gridSize(); ++axis) {
      pool["index"].push_back(w.blockId(axis));
    }
    if (w.hasSymbol("p")) {
      pool[narrow].push_back(w.symbolValue("p", narrow));
    }
    if (w.hasSymbol("S")) {
      pool["index"].push_back(w.symbolValue("S"));
    }
    pool[narrow].push_back(w.constant(d.between(-100, 100), narrow));
    statements(d.between(2, 7), 2);
    touch();
    return w.openSample(seed);
  }

private:
  Draw d;
  Writer w;
  Tensor *written = nullptr, *read = nullptr;
  std::string narrow;
  std::map<std::string, std::vector<std::string>> pool; ///< by type

  void contract() {
    narrow = d.pick({"i8", "i8", "i16", "i32"});
    Axis a;
    a.extent = "N";
    a.tile = d.pick({1, 1, 2, 4});
    w.symbol("N", {0, 1, 2, 3, 5, 9});
    written = &w.tensor({a}, d.pick({"own", "out", "out partial"}), "i8");
    Axis b = a;
    b.unit = d.chance(60);
    b.tile = b.unit ? 1 : d.pick({1, 2});
    read = &w.tensor({b}, "shared", narrow);
    if (d.chance(30)) {
      giveAny(w, d, *read,
              d.pick({written->axes[0].count(), std::string("N")}));
    }
    if (d.chance(40)) {
      w.symbol("S", {0, 1, 2, 3, 7});
      if (d.chance(50)) {
        w.require(d.pick({"S >= 1", "S <= N", "S < 4", "2 * S == N",
                          "mod(N, max(S, 1)) == 0"}));
      }
    }
    if (d.chance(30)) {
      w.symbol("p", {-128, -3, -1, 0, 1, 2, 100, 127}, narrow);
    }
    std::string count = written->axes[0].count();
    w.grid(
        d.pick({count, count, count + " + 1", std::string("1"),
                std::string("2"), "div(" + count + ", 2)", std::string("N")}));
    if (d.chance(20)) {
      w.grid(d.pick({"2", "1"}));
    }
  }

  std::string any(const std::string &type) {
    auto &from = pool[type];
    return from.empty() ? w.constant(d.between(0, 5), type) : d.pick(from);
  }
  std::string anyType() { return d.chance(65) ? "index" : narrow; }
  void keep(const std::string &type, std::string value) {
    pool[type].push_back(std::move(value));
  }

  void statements(int64_t n, int depth) {
    for (; n > 0; --n) {
      statement(depth);
    }
  }

  void statement(int depth) {
    switch (d.below(depth > 0 ? 14 : 10)) {
    case 0:
    case 1:
    case 2:
      return arithmetic();
    case 3:
      return division();
    case 4:
      return condition();
    case 5:
      return choice();
    case 6:
      return cast();
    case 7:
      return logic();
    case 8:
      return touch();
    case 9:
      return state();
    case 10:
      return branch(depth);
    case 11:
      return carried(depth);
    case 12:
      return turns();
    default:
      return loop(depth);
    }
  }

  void arithmetic() {
    std::string type = anyType();
    std::string name =
        d.pick({"addi", "addi", "subi", "muli", "minsi", "maxsi"});
    std::string b =
        d.chance(40) ? w.constant(d.between(-2, 4), type) : any(type);
    keep(type, w.binary(name, any(type), b, type));
  }

  void division() {
    std::string type = anyType();
    std::string a = any(type);
    if (d.chance(60)) {
      a = w.binary("maxsi", a, w.constant(0, type), type);
    }
    std::string by =
        d.chance(75) ? w.constant(d.between(1, 4), type) : any(type);
    keep(type, w.binary(d.pick({"divsi", "remsi", "ceildivsi"}), a, by, type));
  }

  void condition() {
    std::string type = anyType();
    keep("i1", w.compare(d.pick({"eq", "ne", "slt", "sle", "sgt", "sge"}),
                         any(type), any(type), type));
  }

  void logic() {
    std::string name = d.pick({"andi", "ori", "xori"});
    if (d.chance(30)) {
      keep(narrow, w.binary(name, any(narrow), any(narrow), narrow));
    } else if (!pool["i1"].empty()) {
      keep("i1", w.binary(name, any("i1"), any("i1"), "i1"));
    }
  }

  /// A name for an index, or a condition that is to be proved: mostly one that
  /// a branch has just asked for.
  void state() {
    if (d.chance(50)) {
      return keep("index", w.op("tile.name " + any("index")));
    }
    if (pool["i1"].empty()) {
      condition();
    }
    std::string c = any("i1");
    bool asked = d.chance(75);
    if (asked) {
      w.open("scf.if " + c);
    }
    w.line("tile.prove " + c + " : i1");
    if (asked) {
      w.close();
    }
  }

  void choice() {
    if (pool["i1"].empty()) {
      condition();
    }
    std::string type = d.chance(15) ? "i1" : anyType();
    std::string c = any("i1"), a = any(type), b = any(type);
    keep(type, w.op("arith.select " + c + ", " + a + ", " + b + " : " + type));
  }

  void cast() {
    std::string extend = d.pick({"arith.extsi ", "arith.extui "});
    switch (d.below(5)) {
    case 0:
      return keep("index", w.op("arith.index_cast " + any(narrow) + " : " +
                                narrow + " to index"));
    case 1:
      return keep(narrow, w.op("arith.index_cast " + any("index") +
                               " : index to " + narrow));
    case 2: {
      std::string x = w.op(extend + any(narrow) + " : " + narrow + " to i64");
      return keep(narrow, w.op("arith.trunci " + x + " : i64 to " + narrow));
    }
    case 3: {
      std::string x = w.op(extend + any(narrow) + " : " + narrow + " to i64");
      return keep("index", w.op("arith.index_cast " + x + " : i64 to index"));
    }
    default:
      if (!pool["i1"].empty()) {
        keep(narrow, w.op(extend + any("i1") + " : i1 to " + narrow));
      }
    }
  }

  /// What a region defines is forgotten when it ends.
  void region(int depth) {
    auto before = pool;
    statements(d.between(1, 3), depth - 1);
    if (d.chance(40)) {
      touch();
    }
    pool = before;
  }

  void branch(int depth) {
    if (pool["i1"].empty()) {
      condition();
    }
    std::string c = any("i1");
    if (d.chance(50)) {
      w.open("scf.if " + c);
      region(depth);
      if (d.chance(40)) {
        w.otherwise();
        region(depth);
      }
      return w.close();
    }
    std::string type = anyType(), result = w.fresh();
    w.open(result + " = scf.if " + c + " -> (" + type + ")");
    auto before = pool;
    statements(d.between(0, 2), depth - 1);
    w.line("scf.yield " + any(type) + " : " + type);
    pool = before;
    w.otherwise();
    statements(d.between(0, 2), depth - 1);
    w.line("scf.yield " + any(type) + " : " + type);
    pool = before;
    w.close();
    keep(type, result);
  }

  /// `%k = low to high step s`; most steps are small numbers.
  std::string head(const std::string &counter, const std::string &type) {
    std::string step =
        d.chance(80) ? w.constant(d.between(1, 3), type) : any(type);
    return "scf.for " + counter + " = " + any(type) + " to " + any(type) +
           " step " + step;
  }

  void loop(int depth) {
    std::string type = anyType(), counter = w.fresh();
    auto before = pool;
    w.open(head(counter, type) + (type == "index" ? "" : " : " + type));
    keep(type, counter);
    region(depth);
    w.close();
    pool = before;
  }

  void carried(int depth) {
    std::string type = anyType(), counter = w.fresh(), acc = w.fresh(),
                result = w.fresh();
    auto before = pool;
    w.open(result + " = " + head(counter, "index") + " iter_args(" + acc +
           " = " + any(type) + ") -> (" + type + ")");
    keep("index", counter);
    keep(type, acc);
    statements(d.between(1, 2), depth - 1);
    w.line("scf.yield " + any(type) + " : " + type);
    w.close();
    pool = before;
    keep(type, result);
  }

  /// All tiles, in an order that some number decides: any, or one that is
  /// found on the way.
  void turns() {
    std::string n = w.tiles(*written, 0), k = w.fresh();
    std::string number = any("index");
    std::string head = "scf.for " + k + " = " + w.constant(0) + " to " + n +
                       " step " + w.constant(1);
    if (d.chance(40)) {
      std::string result = w.fresh(), carried = w.fresh();
      std::string next = d.chance(50) ? k : any("index");
      w.open(result + " = " + head + " iter_args(" + carried + " = " + number +
                 ") -> (index)",
             "scf.yield " + next + " : index");
      number = carried;
    } else {
      w.open(head);
      if (d.chance(50)) {
        number = loadNumber(w, k, narrow);
      }
    }
    claim(rotated(w, d, number, k, n));
    w.close();
  }

  void claim(const std::string &x) {
    std::string piece = w.op("tile.claim " + written->partition() + "[" + x +
                             "] : " + written->partitionType());
    w.line("tile.store " + w.filled(*written) + ", " + piece + " : " +
           written->pieceType());
  }

  /// A claim or a load, mostly behind a guard.
  void touch() {
    if (d.chance(25)) {
      return writeViewClaim(w, d, *written, [&] { return any("index"); });
    }
    bool claims = d.chance(50);
    const Tensor &t = claims ? *written : *read;
    std::string x = d.chance(40) && w.gridSize() ? w.blockId(0) : any("index");
    bool guarded = d.chance(70);
    std::string loaded;
    if (guarded) {
      std::string low = w.compare("sge", x, w.constant(0));
      std::string high = w.compare("slt", x, w.tiles(t, 0));
      w.open("scf.if " + w.op("arith.andi " + low + ", " + high + " : i1"));
    }
    if (claims) {
      claim(x);
    } else {
      loaded =
          w.op("tile.load " + t.partition() + "[" + x + "]" +
               (d.chance(80) ? " pad(zero)" : "") + " : " + t.partitionType());
    }
    if (guarded) {
      w.close();
    } else if (t.axes[0].unit && !loaded.empty()) {
      keep(narrow, loaded);
      if (d.chance(50)) {
        keep("index",
             w.op("arith.index_cast " + loaded + " : " + narrow + " to index"));
      }
    }
  }
};
} // namespace

Sample randomIndices(uint64_t seed) { return Random(seed).run(seed); }

} // namespace girih::fuzz
