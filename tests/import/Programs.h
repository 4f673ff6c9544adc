// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random functions of Tile IR's ops on integers, as the readback decoder gives
// them: their numbers steer where they store.

#ifndef GIRIH_TESTS_IMPORT_PROGRAMS_H
#define GIRIH_TESTS_IMPORT_PROGRAMS_H

#include "lower/readback/Bytecode.h"

#include <algorithm>
#include <cstring>
#include <random>

namespace girih::importer {

using readback::Attribute;
using readback::Function;
using readback::Op;
using readback::Region;
using readback::Shape;
using readback::Type;

using Random = std::mt19937_64;

inline constexpr int64_t blocks = 3, perBlock = 16, slots = 8, lanes = 8;

inline Type tileOf(unsigned bits, Shape shape = {}) {
  Type t;
  t.form = Type::Form::Tile;
  t.element = "i" + std::to_string(bits);
  t.bits = bits;
  t.shape = std::move(shape);
  return t;
}

inline Attribute number(int64_t n) {
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
    o.results = {value(tileOf(width, f.types[x].shape))};
    o.operands["x"] = {x};
    o.attributes["sign"] = number(sign);
    return o.results[0];
  }
  unsigned binary(const char *name, unsigned x, unsigned y, int64_t sign = 1,
                  int64_t other = 0) {
    bool compares = std::string_view(name) == "cmpi";
    Op &o = op(name);
    o.results = {value(tileOf(compares ? 1 : bits(x), f.types[x].shape))};
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
  unsigned shaped(const char *name, unsigned x, Shape shape) {
    Op &o = op(name);
    o.results = {value(tileOf(bits(x), std::move(shape)))};
    o.operands["x"] = {x};
    return o.results[0];
  }
  /// The sum or the largest of all lanes.
  unsigned reduce(unsigned v, bool largest) {
    Type one = tileOf(bits(v));
    unsigned x = value(one), y = value(one);
    Region r;
    r.arguments = {x, y};
    std::vector<Op> *outer = std::exchange(into, &r.ops);
    unsigned both = binary(largest ? "maxi" : "addi", x, y);
    op("yield").operands["values"] = {both};
    into = outer;
    Op &o = op("reduce");
    o.results = {value(one)};
    o.operands["values"] = {v};
    o.attributes["axis"] = number(0);
    o.regions = {std::move(r)};
    return o.results[0];
  }
  void store(unsigned view, unsigned v, unsigned index) {
    unsigned tile = shaped("reshape", v, {1});
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

  /// A few ops on lanes, folded.
  unsigned laned() {
    static constexpr const char *words[] = {"addi", "subi", "muli", "mini",
                                            "maxi", "divi", "remi"};
    auto spread = [&](unsigned v) {
      return w.shaped("broadcast", w.shaped("reshape", v, {1}), {lanes});
    };
    Op &o = w.op("iota");
    o.results = {w.value(tileOf(32, {lanes}))};
    std::vector<unsigned> wide{o.results[0]};
    for (int64_t n = 1 + below(5); n > 0; --n) {
      const char *word = words[below(7)];
      unsigned x = wide[size_t(below(int64_t(wide.size())))];
      bool divides = word[2] == 'v' || word[0] == 'r';
      unsigned y = divides    ? spread(w.constant(1 + below(9), 32))
                   : below(2) ? spread(pick(32))
                              : wide[size_t(below(int64_t(wide.size())))];
      wide.push_back(w.binary(word, x, y, 1, 1 + below(3)));
      if (below(3) == 0) {
        unsigned c = w.binary("cmpi", wide.back(), x, below(2), below(6));
        wide.push_back(w.select(c, x, y));
      }
      if (below(4) == 0) {
        unsigned longer = w.unary("exti", wide.back(), 64, below(3) != 0);
        wide.push_back(w.unary("trunci", longer, 32));
      }
    }
    return w.reduce(wide.back(), below(2));
  }

  unsigned one() {
    static constexpr const char *ring[] = {"addi", "subi", "muli"};
    unsigned width = below(4) ? 32 : 64;
    switch (below(depth < 2 ? 15 : 13)) {
    case 0:
    case 1:
    case 2:
    case 3: {
      unsigned r = w.binary(ring[below(3)], pick(width), pick(width));
      w.into->back().attributes["overflow"] = number(below(12) == 0);
      return r;
    }
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
    case 12:
      return laned();
    case 13:
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

} // namespace girih::importer

#endif // GIRIH_TESTS_IMPORT_PROGRAMS_H
