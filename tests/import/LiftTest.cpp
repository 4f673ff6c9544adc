// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers of Tile IR, which wrap, against their import, which computes those
// of the launch as `index`: random functions of the bytecode's ops are
// evaluated here with wrapping arithmetic and run on the executor as imported.
// What ends there has stored the same numbers in the same places; what never
// wraps ends.

#include "ir/text/Reader.h"
#include "lower/import/Import.h"
#include "lower/import/Range.h"
#include "spec/executor/Executor.h"
#include "tests/import/Programs.h"
#include "tests/unit/Long.h"

#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

namespace girih::importer {
namespace {

using Int = __int128;

/// What Tile IR means by a function, for one block.
struct Meaning {
  const Function &f;
  std::map<int64_t, int64_t> &memory;
  std::map<unsigned, int64_t> values; ///< of one lane
  std::map<std::pair<unsigned, int64_t>, int64_t> laneValues = {};
  int64_t lane = 0;    ///< that is computed
  bool defined = true; ///< Tile IR gives the launch a meaning
  bool kept = true;    ///< no op wraps that is said not to
  bool plain = true;   ///< in which nothing wraps or divides what is negative

  bool isWide(unsigned v) const { return f.types[v].shape == Shape{lanes}; }
  int64_t at(unsigned v) const {
    return isWide(v) ? laneValues.at({v, lane}) : values.at(v);
  }
  int64_t get(const Op &op, const char *name) const {
    return at(op.operands.at(name)[0]);
  }
  void put(unsigned v, int64_t n) {
    (isWide(v) ? laneValues[{v, lane}] : values[v]) = n;
  }
  int64_t attribute(const Op &op, const char *name) const {
    return *op.attributes.at(name).number;
  }
  int64_t wrapped(Int n, unsigned bits) {
    int64_t low = int64_t(uint64_t(n) << (64 - bits)) >> (64 - bits);
    plain &= low == n;
    return low;
  }
  static uint64_t bare(int64_t n, unsigned bits) {
    return uint64_t(n) << (64 - bits) >> (64 - bits);
  }

  int64_t divided(const Op &op, Int x, Int y) {
    plain &= x >= 0 && y > 0;
    defined &= y != 0;
    if (y == 0) {
      return 0;
    }
    Int q = x / y, r = x % y;
    if (std::string_view(op.name) == "remi") {
      return wrapped(r, f.types[op.results[0]].bits);
    }
    bool up = (x < 0) == (y < 0);
    int64_t how = attribute(op, "rounding");
    q += how == 3 && r != 0 && up;
    q -= how == 2 && r != 0 && !up;
    Int top = Int(1) << (f.types[op.results[0]].bits - 1);
    defined &= q < top;
    return wrapped(q, f.types[op.results[0]].bits);
  }

  bool compared(const Op &op) {
    unsigned bits = f.types[op.operands.at("x")[0]].bits;
    int64_t x = get(op, "x"), y = get(op, "y");
    bool isSigned = attribute(op, "sign") == 1;
    bool less = isSigned ? x < y : bare(x, bits) < bare(y, bits);
    switch (attribute(op, "compare")) {
    case 0:
      return x == y;
    case 1:
      return x != y;
    case 2:
      return less;
    case 3:
      return less || x == y;
    case 4:
      return !less && x != y;
    default:
      return !less;
    }
  }

  std::vector<int64_t> region(const Region &r) {
    for (const Op &op : r.ops) {
      std::string_view name = op.name;
      if (name == "yield" || name == "continue") {
        std::vector<int64_t> out;
        for (unsigned v : op.operands.at("values")) {
          out.push_back(values.at(v));
        }
        return out;
      }
      run(op);
    }
    return {};
  }

  void loop(const Op &op) {
    int64_t upper = get(op, "upper"), step = get(op, "step");
    std::vector<int64_t> carried;
    for (unsigned v : op.operands.at("init")) {
      carried.push_back(values.at(v));
    }
    const Region &r = op.regions[0];
    for (int64_t at = get(op, "lower"); at < upper; at += step) {
      plain &= at + step <= INT32_MAX;
      values[r.arguments[0]] = at;
      for (size_t i = 0; i < carried.size(); ++i) {
        values[r.arguments[i + 1]] = carried[i];
      }
      carried = region(r);
    }
    for (size_t i = 0; i < carried.size(); ++i) {
      values[op.results[i]] = carried[i];
    }
  }

  std::optional<Int> arithmetic(const Op &op, unsigned bits) {
    std::string_view name = op.name;
    Int x = get(op, "x");
    if (name == "exti") {
      unsigned from = f.types[op.operands.at("x")[0]].bits;
      return attribute(op, "sign") ? x : Int(bare(int64_t(x), from));
    }
    if (name == "trunci" || name == "reshape" || name == "broadcast") {
      return x;
    }
    if (name == "negi" || name == "absi") {
      return name == "negi" || x < 0 ? -x : x;
    }
    Int y = get(op, "y");
    if (name == "select") {
      return get(op, "condition") ? x : y;
    }
    if (name == "mini" || name == "maxi") {
      bool less = attribute(op, "sign")
                      ? x < y
                      : bare(int64_t(x), bits) < bare(int64_t(y), bits);
      return less == (name == "mini") ? x : y;
    }
    if (name == "andi" || name == "ori") {
      return name == "andi" ? x & y : x | y;
    }
    return name == "xori"   ? x ^ y
           : name == "addi" ? x + y
           : name == "subi" ? x - y
           : name == "muli" ? x * y
           : name == "shli" ? x * (Int(1) << int(y))
                            : std::optional<Int>();
  }

  void reduce(const Op &op) {
    bool adds = std::string_view(op.regions[0].ops[0].name) == "addi";
    unsigned bits = f.types[op.results[0]].bits;
    Int all = adds ? 0 : INT64_MIN;
    for (lane = 0; lane < lanes; ++lane) {
      Int n = get(op, "values");
      all = adds ? all + n : std::max(all, n);
    }
    // No wrap in a sum is one of the op's.
    bool before = plain;
    values[op.results[0]] = wrapped(all, bits);
    plain = before;
  }

  void run(const Op &op) {
    bool wide = op.results.size() == 1 && isWide(op.results[0]);
    for (lane = 0; lane < (wide ? lanes : 1); ++lane) {
      runLane(op);
    }
  }

  void runLane(const Op &op) {
    std::string_view name = op.name;
    if (name == "reduce") {
      reduce(op);
    } else if (name == "iota") {
      put(op.results[0], lane);
    } else if (name == "constant") {
      const std::vector<uint8_t> &bytes = op.attributes.at("value").bytes;
      uint64_t n = 0;
      std::memcpy(&n, bytes.data(), bytes.size());
      size_t off = 64 - 8 * bytes.size();
      values[op.results[0]] = int64_t(n << off) >> off;
    } else if (name == "cmpi") {
      put(op.results[0], compared(op));
    } else if (name == "divi" || name == "remi") {
      put(op.results[0], divided(op, get(op, "x"), get(op, "y")));
    } else if (name == "if") {
      values[op.results[0]] =
          region(op.regions[get(op, "condition") ? 0 : 1])[0];
    } else if (name == "for") {
      loop(op);
    } else if (name == "store_view_tko") {
      memory[get(op, "index")] = get(op, "value");
    } else if (op.operands.count("x")) {
      unsigned bits = f.types[op.results[0]].bits;
      Int n = *arithmetic(op, bits);
      auto promise = op.attributes.find("overflow");
      bool isKept = promise == op.attributes.end() ||
                    promise->second.number == 0 ||
                    (n >= -(Int(1) << (bits - 1)) && n < Int(1) << (bits - 1));
      kept &= isKept;
      defined &= isKept;
      put(op.results[0], bits == 1 ? int64_t(n) : wrapped(n, bits));
    }
  }
};

struct Counts {
  size_t plain = 0, wrapped = 0, stuck = 0, broken = 0;
};

void compare(const Function &f, Random &random, Counts &counts) {
  Options options;
  options.grid = {std::to_string(blocks)};
  auto imported = importKernel(f, options);
  auto *refused = std::get_if<ImportError>(&imported);
  ASSERT_EQ(refused, nullptr) << refused->why;
  const std::string &text = std::get<std::string>(imported);
  mlir::MLIRContext context;
  std::string errors;
  llvm::raw_string_ostream stream(errors);
  auto file = tile::readKernelText(context, text, "lifted.mlir", stream);
  ASSERT_TRUE(file) << errors << text;
  exec::Runner runner(file->kernel);
  Generator draw(random);
  for (int round = 0; round < 4; ++round) {
    exec::Options launch;
    launch.symbols["A0"] = blocks * perBlock;
    std::map<unsigned, int64_t> values;
    for (unsigned p = 2; p < f.parameters; ++p) {
      values[p] = round < 2 ? draw.any(f.types[p].bits) : draw.below(100);
      std::string symbol = "n" + std::to_string(p);
      if (text.find(symbol + " :") != std::string::npos) {
        launch.symbols[symbol] = values[p];
      }
    }
    std::map<int64_t, int64_t> memory;
    bool defined = true, plain = true, kept = true;
    for (int64_t b = 0; b < blocks; ++b) {
      Meaning m{f, memory, values};
      m.values[1] = blocks * perBlock;
      for (const Op &op : f.ops) {
        if (std::string_view(op.name) == "get_tile_block_id") {
          m.values[op.results[0]] = b;
        } else {
          m.run(op);
        }
      }
      defined &= m.defined;
      kept &= m.kept;
      plain &= m.plain;
    }
    exec::Result result = runner.run(launch);
    ASSERT_EQ(result.contractError, "") << text;
    if (!result.clean()) {
      ASSERT_FALSE(defined && plain) << result.faults.at(0).headline << "; "
                                     << result.faults[0].message << "\n"
                                     << text;
      ++counts.stuck;
      counts.broken += !kept;
      continue;
    }
    // What is said not to wrap is proved not to.
    ASSERT_TRUE(kept) << text;
    if (!defined) {
      continue;
    }
    counts.plain += plain;
    counts.wrapped += !plain;
    for (int64_t i = 0; i < blocks * perBlock; ++i) {
      bool isDefined = !result.defined[0] || result.defined[0]->ints[size_t(i)];
      ASSERT_EQ(isDefined, memory.count(i) != 0) << i << "\n" << text;
      if (isDefined) {
        ASSERT_EQ(result.tensors[0]->ints[size_t(i)], memory[i]) << i << "\n"
                                                                 << text;
      }
    }
  }
}

TEST(Lift, ComputesWhatWrapsThere) {
  Random random(test::isLong ? 17 : 16);
  Counts counts;
  for (int i = 0; i < (test::isLong ? 20000 : 400); ++i) {
    Generator g(random);
    ASSERT_NO_FATAL_FAILURE(compare(g.make(), random, counts)) << i;
  }
  EXPECT_GE(counts.plain, 100u);
  EXPECT_GE(counts.wrapped, 100u);
  EXPECT_GE(counts.stuck, 100u);
  EXPECT_GE(counts.broken, 10u);
}

/// A sum of numbers that are not negative is negative where it wraps.
TEST(Lift, DecidesNothingByIntervalsThatWrap) {
  Random random(7);
  Counts counts;
  for (int i = 0; i < 20; ++i) {
    Generator g(random);
    g.begin();
    unsigned zero = g.w.constant(0, 32), n = g.w.binary("maxi", 2, zero);
    unsigned c = g.w.binary("cmpi", g.w.binary("addi", n, n), zero, 1, 2);
    g.pool = {g.w.select(c, g.w.constant(9, 32), g.w.constant(10, 32))};
    ASSERT_NO_FATAL_FAILURE(compare(g.end(), random, counts));
  }
  EXPECT_GE(counts.plain, 20u);
  EXPECT_GE(counts.stuck, 5u);
}

/// Of the least number of N bits there is none.
TEST(Lift, TakesTheMagnitudeOfTheLeast) {
  Random random(8);
  Counts counts;
  for (unsigned width : {32U, 64U}) {
    Generator g(random);
    g.begin();
    unsigned least = g.w.constant(INT64_MIN >> (64 - width), width);
    unsigned zero = g.w.constant(0, width);
    unsigned size = g.w.unary("absi", least, width);
    unsigned c = g.w.binary("cmpi", size, zero, 1, 5);
    g.pool = {g.w.select(c, g.w.constant(9, 32), g.w.constant(10, 32))};
    ASSERT_NO_FATAL_FAILURE(compare(g.end(), random, counts)) << width;
  }
  EXPECT_EQ(counts.wrapped + counts.stuck, 8u);
}

/// Lanes outside of a tensor that no padding is said for may be anything, so a
/// sum of them is no index; where it goes nowhere they may be 0.
TEST(Lift, FollowsASumToAnIndex) {
  for (bool steers : {true, false}) {
    Random random(1);
    Generator g(random);
    g.begin();
    Type tiles = g.w.f.types[g.view];
    tiles.tile = {lanes};
    Op &part = g.w.op("make_partition_view");
    part.results = {g.w.value(tiles)};
    part.operands["view"] = g.w.f.ops[1].operands.at("view");
    unsigned view = part.results[0], zero = g.w.constant(0, 32);
    Op &load = g.w.op("load_view_tko");
    load.results = {g.w.value(tileOf(32, {lanes})), g.w.value(Type())};
    load.operands = {{"view", {view}}, {"index", {zero}}, {"token", {}}};
    load.attributes["order"] = number(0);
    unsigned sum = g.w.reduce(load.results[0], false);
    unsigned at = g.clamped(steers ? sum : g.block, 0, 7);
    g.w.store(g.view, sum, at);
    g.w.op("return").operands["values"] = {};
    Options options;
    options.grid = {"1"};
    auto imported = importKernel(g.w.f, options);
    ASSERT_EQ(imported.index(), 0u);
    const std::string &text = std::get<std::string>(imported);
    EXPECT_EQ(text.find("pad(zero)") == std::string::npos, steers) << text;
  }
}

/// A loop from 0 that carries one number, changed by `body`.
template <typename F>
unsigned loop(Generator &g, int64_t trips, int64_t first, const F &body) {
  unsigned counter = g.w.value(tileOf(32)), carried = g.w.value(tileOf(32));
  unsigned zero = g.w.constant(0, 32), one = g.w.constant(1, 32);
  unsigned upper = g.w.constant(trips, 32), init = g.w.constant(first, 32);
  Region r;
  r.arguments = {counter, carried};
  g.inside(r, [&] {
    unsigned next = body(counter, carried);
    g.w.op("continue").operands["values"] = {next};
  });
  Op &o = g.w.op("for");
  o.operands = {
      {"lower", {zero}}, {"upper", {upper}}, {"step", {one}}, {"init", {init}}};
  o.results = {g.w.value(tileOf(32))};
  unsigned result = o.results[0];
  o.regions = {std::move(r)};
  return result;
}

/// What is carried is no number of the launch, and may be negative.
TEST(Lift, DividesWhatIsNegative) {
  Random random(3);
  Counts counts;
  for (int64_t how : {1, 2, 3, 0}) {
    for (int64_t first : {INT32_MIN, INT32_MIN + 1, -15, -14, -1, 0, 1, 14, 15,
                          INT32_MAX - 1, INT32_MAX}) {
      Generator g(random);
      g.begin();
      unsigned n = loop(g, 1, first, [&](unsigned, unsigned carried) {
        return g.w.binary("muli", carried, g.w.constant(1, 32));
      });
      unsigned seven = g.w.constant(7, 32);
      g.pool = {how ? g.w.binary("divi", n, seven, 1, how)
                    : g.w.binary("remi", n, seven)};
      ASSERT_NO_FATAL_FAILURE(compare(g.end(), random, counts)) << first;
      ASSERT_EQ(counts.stuck, 0u) << first << " " << how;
    }
  }
  EXPECT_GE(counts.wrapped, 50u);
}

TEST(Lift, KnowsTheFirstAndTheLastTrip) {
  Random random(4);
  Counts counts;
  for (int64_t at : {-1, 0, 1, 4, 5, 6}) {
    Generator g(random);
    g.begin();
    g.pool = {loop(g, 6, 0, [&](unsigned counter, unsigned carried) {
      unsigned c = g.w.binary("cmpi", counter, g.w.constant(at, 32), 1, 5);
      unsigned by = g.w.select(c, g.w.constant(7, 32), g.w.constant(1, 32));
      return g.w.binary("addi", carried, by);
    })};
    ASSERT_NO_FATAL_FAILURE(compare(g.end(), random, counts)) << at;
  }
  EXPECT_EQ(counts.plain, 24u);
}

TEST(Range, HoldsWhatNumbersComeTo) {
  Random random(5);
  Generator g(random);
  auto any = [&] {
    int64_t a = g.any(8 + 8 * unsigned(g.below(8)));
    int64_t b = g.below(2) ? a : g.any(8 + 8 * unsigned(g.below(8)));
    return Range{std::min(a, b), std::max(a, b)};
  };
  auto in = [&](const Range &r) {
    return g.below(2) ? (g.below(2) ? r.low : r.high)
                      : int64_t(Int(r.low) + Int(random() % 1000) %
                                                 (Int(r.high) - r.low + 1));
  };
  for (int i = 0; i < 200000; ++i) {
    Range x = any(), y = any();
    int64_t a = in(x), b = in(y);
    auto holds = [&](const std::optional<Range> &r, Int n) {
      return !r || (r->low <= n && n <= r->high);
    };
    ASSERT_TRUE(holds(add(x, y), Int(a) + b));
    ASSERT_TRUE(holds(subtract(x, y), Int(a) - b));
    ASSERT_TRUE(holds(multiply(x, y), Int(a) * b));
    ASSERT_TRUE(holds(either(x, y), a) && holds(either(x, y), b));
    if (a >= 0 && b >= 1) {
      ASSERT_TRUE(holds(quotient(x, y, false), a / b));
      ASSERT_TRUE(holds(quotient(x, y, true), (Int(a) + b - 1) / b));
      ASSERT_TRUE(holds(rest(x, y), a % b));
    }
    std::pair<Order, bool> orders[] = {
        {Order::Equal, a == b}, {Order::Different, a != b},
        {Order::Below, a < b},  {Order::AtMost, a <= b},
        {Order::Above, a > b},  {Order::AtLeast, a >= b}};
    for (auto [order, is] : orders) {
      ASSERT_EQ(compared(order, x, y).value_or(is), is);
    }
  }
}

} // namespace
} // namespace girih::importer
