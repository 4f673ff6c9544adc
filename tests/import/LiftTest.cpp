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
#include "tests/unit/Long.h"

#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

using namespace girih;
using readback::Attribute;
using readback::Function;
using readback::Op;
using readback::Region;
using readback::Shape;
using readback::Type;

namespace {

using Random = std::mt19937_64;
using Int = __int128;

constexpr int64_t blocks = 3, perBlock = 16, slots = 8;

Type tileOf(unsigned bits, Shape shape = {}) {
  Type t;
  t.form = Type::Form::Tile;
  t.element = "i" + std::to_string(bits);
  t.bits = bits;
  t.shape = std::move(shape);
  return t;
}

Attribute number(int64_t n) {
  Attribute a;
  a.number = n;
  return a;
}

/// Writes a function; values are their places in `f.types`.
struct Writer {
  Function f;
  std::vector<Op> *into = &f.ops;

  unsigned value(Type t) {
    f.types.push_back(std::move(t));
    return unsigned(f.types.size() - 1);
  }
  Op &op(const char *name) {
    into->push_back({});
    into->back().name = name;
    return into->back();
  }
  unsigned bits(unsigned v) const { return f.types[v].bits; }

  unsigned constant(int64_t n, unsigned width) {
    Op &o = op("constant");
    o.results = {value(tileOf(width))};
    std::vector<uint8_t> bytes((width + 7) / 8);
    std::memcpy(bytes.data(), &n, bytes.size());
    o.attributes["value"].bytes = bytes;
    return o.results[0];
  }
  unsigned unary(const char *name, unsigned x, unsigned width,
                 int64_t sign = 1) {
    Op &o = op(name);
    o.results = {value(tileOf(width))};
    o.operands["x"] = {x};
    o.attributes["sign"] = number(sign);
    return o.results[0];
  }
  unsigned binary(const char *name, unsigned x, unsigned y, int64_t sign = 1,
                  int64_t other = 0) {
    bool compares = std::string_view(name) == "cmpi";
    Op &o = op(name);
    o.results = {value(tileOf(compares ? 1 : bits(x)))};
    o.operands["x"] = {x};
    o.operands["y"] = {y};
    o.attributes["sign"] = number(sign);
    o.attributes[compares ? "compare" : "rounding"] = number(other);
    return o.results[0];
  }
  unsigned select(unsigned c, unsigned x, unsigned y) {
    unsigned r = binary("select", x, y);
    into->back().operands["condition"] = {c};
    return r;
  }
  void store(unsigned view, unsigned v, unsigned index) {
    Op &shaped = op("reshape");
    shaped.results = {value(tileOf(bits(v), {1}))};
    shaped.operands["x"] = {v};
    unsigned tile = shaped.results[0];
    Op &o = op("store_view_tko");
    o.results = {value(Type())};
    o.operands = {
        {"value", {tile}}, {"view", {view}}, {"index", {index}}, {"token", {}}};
    o.attributes["order"] = number(0);
  }
};

/// A random function of integers, and where it stores.
struct Generator {
  Random &random;
  Writer w;
  std::vector<unsigned> pool; ///< visible integers
  unsigned view = 0, block = 0, depth = 0;

  explicit Generator(Random &random) : random(random) {}

  int64_t below(int64_t n) { return int64_t(random() % uint64_t(n)); }

  int64_t any(unsigned width) {
    static constexpr int64_t near[] = {0, 1, 2, 3, 7, 8, 64, 65536, 1 << 30};
    int64_t n = near[below(std::size(near))];
    int64_t top = INT64_MAX >> (64 - width);
    switch (below(6)) {
    case 0:
      return top - below(3);
    case 1:
      return -top - 1 + below(3);
    case 2:
      return -n;
    default:
      return n;
    }
  }

  unsigned pick(unsigned width) {
    std::vector<unsigned> fit;
    for (unsigned v : pool) {
      if (w.bits(v) == width) {
        fit.push_back(v);
      }
    }
    if (fit.empty() || below(6) == 0) {
      return w.constant(any(width), width);
    }
    // Mostly what is new, so that ops go deep.
    size_t back = size_t(below(below(2) ? 3 : int64_t(fit.size())));
    return fit[fit.size() - 1 - std::min(back, fit.size() - 1)];
  }

  unsigned comparison() {
    if (below(8) == 0) {
      return w.constant(below(2), 1);
    }
    unsigned width = below(4) ? 32 : 64;
    unsigned x = pick(width), y = pick(width);
    return w.binary("cmpi", x, y, below(4) != 0, below(6));
  }

  unsigned condition() {
    static constexpr const char *logic[] = {"andi", "ori", "xori"};
    unsigned c = comparison();
    return below(3) ? c : w.binary(logic[below(3)], c, comparison());
  }

  unsigned clamped(unsigned v, int64_t low, int64_t high) {
    unsigned l = w.constant(low, w.bits(v)), h = w.constant(high, w.bits(v));
    return w.binary("mini", w.binary("maxi", v, l), h);
  }

  Region region(const std::vector<unsigned> &arguments) {
    Region r;
    r.arguments = arguments;
    return r;
  }

  /// Runs `body` with ops going to `r`.
  template <typename F> void inside(Region &r, const F &body) {
    std::vector<Op> *outer = std::exchange(w.into, &r.ops);
    std::vector<unsigned> known = pool;
    ++depth;
    body();
    --depth;
    pool = std::move(known);
    w.into = outer;
  }

  unsigned branch() {
    unsigned width = below(4) ? 32 : 64, c = condition();
    Region regions[2];
    for (Region &r : regions) {
      inside(r, [&] {
        steps(below(3));
        unsigned v = pick(width);
        w.op("yield").operands["values"] = {v};
      });
    }
    Op &o = w.op("if");
    o.operands["condition"] = {c};
    o.results = {w.value(tileOf(width))};
    o.regions = {regions[0], regions[1]};
    return o.results[0];
  }

  unsigned loop() {
    unsigned upper = clamped(pick(32), 0, 6);
    unsigned lower = w.constant(below(3), 32),
             step = w.constant(1 + below(3), 32);
    if (below(8) == 0) {
      lower = w.constant(INT32_MAX - 5, 32), upper = w.constant(INT32_MAX, 32);
    }
    unsigned first = pick(32), other = pick(32), by = pick(32);
    unsigned counter = w.value(tileOf(32)), steady = w.value(tileOf(32));
    unsigned carried = w.value(tileOf(32));
    Region r = region({counter, steady, carried});
    inside(r, [&] {
      pool.insert(pool.end(), {counter, steady, carried});
      steps(1 + below(4));
      unsigned next = below(2) ? w.binary("addi", steady, by)
                               : w.binary("subi", steady, by);
      unsigned last = pick(32);
      w.op("continue").operands["values"] = {next, last};
    });
    Op &o = w.op("for");
    o.operands = {{"lower", {lower}},
                  {"upper", {upper}},
                  {"step", {step}},
                  {"init", {first, other}}};
    o.results = {w.value(tileOf(32)), w.value(tileOf(32))};
    std::vector<unsigned> results = o.results;
    o.regions = {std::move(r)};
    // What a loop ends with is used or not.
    if (below(2)) {
      pool.push_back(results[0]);
    }
    return results[1];
  }

  unsigned one() {
    static constexpr const char *ring[] = {"addi", "subi", "muli"};
    unsigned width = below(4) ? 32 : 64;
    switch (below(depth < 2 ? 13 : 11)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return w.binary(ring[below(3)], pick(width), pick(width));
    case 4:
      return w.binary("shli", pick(width), w.constant(below(6), width));
    case 5: {
      unsigned x = pick(width);
      unsigned y = below(4) ? w.constant(1 + below(9), width) : pick(width);
      return below(2) ? w.binary("remi", x, y)
                      : w.binary("divi", x, y, 1, 1 + below(3));
    }
    case 6:
      return w.binary(below(2) ? "mini" : "maxi", pick(width), pick(width),
                      below(5) != 0);
    case 7:
      return w.unary("exti", pick(32), 64, below(3) != 0);
    case 8:
      return w.unary("trunci", pick(64), 32);
    case 9:
      return w.unary(below(2) ? "negi" : "absi", pick(width), width);
    case 10: {
      unsigned c = condition();
      unsigned x = pick(width), y = pick(width);
      return w.select(c, x, y);
    }
    case 11:
      return branch();
    default:
      return loop();
    }
  }

  void steps(int64_t n) {
    while (n-- > 0) {
      pool.push_back(one());
    }
  }

  /// Index `slot` of what the block may write.
  unsigned place(unsigned slot) {
    unsigned size = w.constant(perBlock, 32);
    return w.binary("addi", w.binary("muli", block, size), slot);
  }

  /// The argument, and how it is written to.
  void begin() {
    w.f.name = "lifted";
    Type pointer = tileOf(32);
    pointer.pointer = true;
    w.value(pointer);
    unsigned extent = w.value(tileOf(32));
    for (unsigned width : {32U, 32U, 32U, 64U}) {
      pool.push_back(w.value(tileOf(width)));
    }
    w.f.parameters = w.f.types.size();
    Type of = tileOf(32);
    of.form = Type::Form::View;
    of.shape = {readback::fromLaunch};
    of.strides = {1};
    Op &tensor = w.op("make_tensor_view");
    tensor.results = {w.value(of)};
    tensor.operands = {{"base", {0}}, {"shape", {extent}}, {"strides", {}}};
    unsigned whole = tensor.results[0];
    of.form = Type::Form::Partition;
    of.tile = {1};
    of.axes = {0};
    Op &tiles = w.op("make_partition_view");
    tiles.results = {w.value(of)};
    tiles.operands["view"] = {whole};
    view = tiles.results[0];
    Op &id = w.op("get_tile_block_id");
    id.results = {w.value(tileOf(32)), w.value(tileOf(32)),
                  w.value(tileOf(32))};
    block = id.results[0];
    pool.push_back(block);
  }

  Function make() {
    begin();
    steps(4 + below(12));
    return end();
  }

  /// Stores what there is.
  Function end() {
    unsigned one = w.constant(1, 32);
    for (int64_t slot = 0; slot < slots; ++slot) {
      unsigned v = pick(32);
      w.store(view, v, place(w.constant(slot, 32)));
    }
    // Where this goes shows a number that steers.
    for (unsigned width : {32U, 32U, 64U, 64U}) {
      unsigned at = clamped(pick(width), slots, perBlock - 1);
      at = width == 32 ? at : w.unary("trunci", at, 32);
      w.store(view, one, place(at));
    }
    w.op("return").operands["values"] = {};
    return w.f;
  }
};

/// What Tile IR means by a function, for one block.
struct Meaning {
  const Function &f;
  std::map<int64_t, int64_t> &memory;
  std::map<unsigned, int64_t> values;
  bool defined = true; ///< Tile IR gives the launch a meaning
  bool plain = true;   ///< in which nothing wraps or divides what is negative

  int64_t get(const Op &op, const char *name) const {
    return values.at(op.operands.at(name)[0]);
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
    if (name == "trunci" || name == "reshape") {
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

  void run(const Op &op) {
    std::string_view name = op.name;
    if (name == "constant") {
      const std::vector<uint8_t> &bytes = op.attributes.at("value").bytes;
      uint64_t n = 0;
      std::memcpy(&n, bytes.data(), bytes.size());
      size_t off = 64 - 8 * bytes.size();
      values[op.results[0]] = int64_t(n << off) >> off;
    } else if (name == "cmpi") {
      values[op.results[0]] = compared(op);
    } else if (name == "divi" || name == "remi") {
      values[op.results[0]] = divided(op, get(op, "x"), get(op, "y"));
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
      values[op.results[0]] = bits == 1 ? int64_t(n) : wrapped(n, bits);
    }
  }
};

struct Counts {
  size_t plain = 0, wrapped = 0, stuck = 0;
};

void compare(const Function &f, Random &random, Counts &counts) {
  importer::Options options;
  options.grid = {std::to_string(blocks)};
  auto imported = importer::importKernel(f, options);
  auto *refused = std::get_if<importer::ImportError>(&imported);
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
    bool defined = true, plain = true;
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
      plain &= m.plain;
    }
    exec::Result result = runner.run(launch);
    ASSERT_EQ(result.contractError, "") << text;
    if (!result.clean()) {
      ASSERT_FALSE(defined && plain) << result.faults.at(0).headline << "; "
                                     << result.faults[0].message << "\n"
                                     << text;
      ++counts.stuck;
      continue;
    }
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
  for (int i = 0; i < (test::isLong ? 100000 : 1500); ++i) {
    Generator g(random);
    ASSERT_NO_FATAL_FAILURE(compare(g.make(), random, counts)) << i;
  }
  EXPECT_GE(counts.plain, 500u);
  EXPECT_GE(counts.wrapped, 500u);
  EXPECT_GE(counts.stuck, 500u);
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

/// What is carried is no number of the launch, and may be negative.
TEST(Lift, DividesWhatIsNegative) {
  Random random(3);
  Counts counts;
  for (int64_t how : {1, 2, 3, 0}) {
    for (int64_t first : {INT32_MIN, INT32_MIN + 1, -15, -14, -1, 0, 1, 14, 15,
                          INT32_MAX - 1, INT32_MAX}) {
      Generator g(random);
      g.begin();
      unsigned counter = g.w.value(tileOf(32)), carried = g.w.value(tileOf(32));
      unsigned zero = g.w.constant(0, 32), one = g.w.constant(1, 32);
      unsigned init = g.w.constant(first, 32), seven = g.w.constant(7, 32);
      Region r;
      r.arguments = {counter, carried};
      g.inside(r, [&] {
        unsigned next = g.w.binary("muli", carried, one);
        g.w.op("continue").operands["values"] = {next};
      });
      Op &o = g.w.op("for");
      o.operands = {{"lower", {zero}},
                    {"upper", {one}},
                    {"step", {one}},
                    {"init", {init}}};
      o.results = {g.w.value(tileOf(32))};
      unsigned n = o.results[0];
      o.regions = {std::move(r)};
      g.pool = {how ? g.w.binary("divi", n, seven, 1, how)
                    : g.w.binary("remi", n, seven)};
      size_t stuck = counts.stuck;
      ASSERT_NO_FATAL_FAILURE(compare(g.end(), random, counts)) << first;
      ASSERT_EQ(counts.stuck, stuck) << first << " " << how;
    }
  }
  EXPECT_GE(counts.wrapped, 50u);
}

TEST(Range, HoldsWhatNumbersComeTo) {
  Random random(5);
  Generator g(random);
  auto any = [&] {
    int64_t a = g.any(8 + 8 * unsigned(g.below(8)));
    int64_t b = g.below(2) ? a : g.any(8 + 8 * unsigned(g.below(8)));
    return importer::Range{std::min(a, b), std::max(a, b)};
  };
  auto in = [&](const importer::Range &r) {
    return g.below(2) ? (g.below(2) ? r.low : r.high)
                      : int64_t(Int(r.low) + Int(random() % 1000) %
                                                 (Int(r.high) - r.low + 1));
  };
  for (int i = 0; i < 200000; ++i) {
    importer::Range x = any(), y = any();
    int64_t a = in(x), b = in(y);
    auto holds = [&](const std::optional<importer::Range> &r, Int n) {
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
    using importer::Order;
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
