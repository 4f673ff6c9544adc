// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fuzz/generators/families/TilesOfViews.h"

#include "fuzz/generators/Draw.h"
#include "fuzz/generators/families/AnyView.h"

namespace girih::fuzz {

namespace {
class TilesOfViews {
public:
  explicit TilesOfViews(uint64_t seed) : d(seed), w("tiles") {}

  Sample run(uint64_t seed) {
    w.symbol("N", {0, 1, 2, 3, 5});
    narrow = d.pick({"i8", "i32", "f32"});
    if (d.chance(35)) {
      phases();
      return w.openSample(seed);
    }
    std::vector<Axis> axes;
    for (int64_t n = d.between(1, 3); n > 0; --n) {
      axes.push_back(axis());
    }
    Tensor &read = w.tensor(axes, "shared", narrow);
    Tensor &written =
        w.tensor(axes, d.pick({"own", "out", "out partial"}), narrow);
    block = w.blockId(w.grid(d.pick({"N", "N", "N", "2"})));
    blocks = w.gridAt(0);
    load(view(read));
    for (int64_t n = d.between(1, 2); n > 0; --n) {
      store(view(written));
    }
    return w.openSample(seed);
  }

private:
  Draw d;
  Writer w;
  std::string narrow, block, blocks;

  Axis axis() {
    Axis a;
    a.extent = "N";
    a.unit = true;
    if (d.chance(50)) {
      a.constant = d.pick<int64_t>({2, 3, 4, 6});
      a.extent = std::to_string(a.constant);
    }
    return a;
  }

  AnyView view(const Tensor &t) {
    AnyView v(w, d, t, block, blocks);
    for (int64_t n = d.between(1, 3); n > 0; --n) {
      v.step();
    }
    return v;
  }

  /// A tile of a view: what is tiled, its index and the type of a tile.
  struct Tile {
    std::string partition, index, partitionType, sizes, value;
  };

  Tile tile(AnyView &v) {
    std::vector<int64_t> sizes;
    Tile t;
    std::string by, shape;
    for (size_t k = 0; k < v.rank(); ++k) {
      sizes.push_back(d.pick({0, 0, 1, 2, 4}));
      bool isUnit = sizes.back() == 0;
      by += (k ? ", " : "") + (isUnit ? "_" : std::to_string(sizes.back()));
      shape += isUnit ? "" : std::to_string(sizes.back()) + "x";
      t.index += (k ? ", " : "") + (d.chance(60) ? block : w.constant(0));
    }
    t.sizes = "[" + by + "]";
    t.partition = w.op("tile.partition " + v.name() + " by " + t.sizes + " : " +
                       v.type());
    t.partitionType = v.typeOfPartition(sizes);
    t.value = shape.empty() ? narrow : "vector<" + shape + narrow + ">";
    // Mostly in a branch that asks for the tile.
    for (size_t k = 0; k < v.rank() && d.chance(85); ++k) {
      std::string n = w.op("tile.num_tiles " + t.partition + ", " +
                           std::to_string(k) + " : " + t.partitionType);
      size_t from = 0;
      for (size_t j = 0; j < k; ++j) {
        from = t.index.find(", ", from) + 2;
      }
      std::string i = t.index.substr(from, t.index.find(", ", from) - from);
      w.open("scf.if " + w.compare("slt", i, n));
    }
    return t;
  }

  void load(AnyView v) {
    size_t depth = w.depth();
    Tile t = tile(v);
    w.op("tile.load " + t.partition + "[" + t.index + "]" +
         (d.chance(90) ? " pad(zero)" : "") + " : " + t.partitionType);
    w.closeTo(depth);
  }

  void store(AnyView v) {
    size_t depth = w.depth();
    Tile t = tile(v);
    put(t, v.mode());
    w.closeTo(depth);
  }

  void put(const Tile &t, const std::string &mode) {
    std::string one = narrow == "f32" ? "1.0" : "1";
    one = t.value[0] == 'v' ? "dense<" + one + ">" : one;
    std::string x = w.once("arith.constant " + one + " : " + t.value);
    std::string piece = w.op("tile.claim " + t.partition + "[" + t.index +
                             "] : " + t.partitionType);
    w.line("tile.store " + x + ", " + piece + " : !tile.piece<" + t.sizes +
           " x " + narrow + ", " + mode.substr(0, 3) + ">");
  }

  /// An output of S N elements, which S stores, trips or blocks write in steps
  /// of S, a phase each; or of one more, or two of them the same phase.
  void phases() {
    int64_t s = d.between(2, 3);
    std::string by = std::to_string(s), more = d.chance(12) ? " + 1" : "";
    Axis a;
    a.extent = "L";
    w.symbol("L", {0, s, 2 * s, 3 * s, 5 * s, s + 1, 3 * s + 1});
    w.require("L == " + by + " * N" + more);
    Tensor &out = w.tensor({a}, "out", narrow);
    int64_t size = d.pick({1, 2, 4});
    std::string tiles = "ceildiv(N, " + std::to_string(size) + ")";
    switch (d.below(3)) {
    case 0: {
      std::string phase = w.blockId(w.grid(by));
      block = w.blockId(w.grid(tiles));
      return part(out, phase, by, size);
    }
    case 1: {
      block = w.blockId(w.grid(tiles));
      std::string phase = w.fresh();
      w.open("scf.for " + phase + " = " + w.constant(0) + " to " +
             w.constant(s) + " step " + w.constant(1));
      part(out, phase, by, size);
      return w.closeTo(0);
    }
    default:
      block = w.blockId(w.grid(tiles));
      for (int64_t phase = 0; phase < s; ++phase) {
        int64_t from = d.chance(8) ? 0 : phase;
        part(out, std::to_string(from), by, size);
      }
    }
  }

  void part(const Tensor &out, const std::string &phase, const std::string &by,
            int64_t size) {
    std::string step = d.chance(80) ? by : w.constant(std::stoll(by));
    std::string view =
        w.op("tile.view " + out.name + " slice [" + phase +
             "] size [N] step [" + step + "] : " + out.tensorType());
    Tile t;
    t.index = block;
    t.sizes = "[" + std::to_string(size) + "]";
    std::string of = "[N] x " + narrow + ", out";
    t.partition = w.op("tile.partition " + view + " by " + t.sizes +
                       " : !tile.tensor<" + of + ">");
    t.partitionType = "!tile.partition<" + t.sizes + ", " + of + ">";
    t.value = "vector<" + std::to_string(size) + "x" + narrow + ">";
    put(t, "out");
  }
};
} // namespace

Sample tilesOfViews(uint64_t seed) { return TilesOfViews(seed).run(seed); }

} // namespace girih::fuzz
