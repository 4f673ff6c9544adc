// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fuzz/generators/families/LaneSlices.h"

#include "fuzz/generators/Draw.h"
#include "fuzz/generators/Writer.h"

namespace girih::fuzz {

namespace {
/// Some lanes of a tile: where they go, whether they do, and what they hold.
struct Slice {
  std::string place, mask, value;
  int64_t lanes = 1;
};

/// Lanes of a tile of N elements, whose places are computed, or stand in a list
/// as numbers from 1. Nothing but its mask keeps a lane behind the end away, so
/// that one under the mask of another lane is a mistake.
class Kernel {
public:
  explicit Kernel(Draw &d) : d(d), w("sliced") {}

  Writer &write() {
    element = d.pick({"i8", "i32", "i64", "f16", "f32"});
    narrow = d.pick({"i8", "i16", "i32", "i64"});
    lanes = d.pick({2, 4, 4, 8});
    listed = d.chance(35);
    atomic = listed || d.chance(30);
    w.symbol("N", upTo(lanes + 1));
    Tensor &read = w.tensor({axis("N", lanes)}, "shared", element);
    std::string block = w.blockId(w.grid(read.axes[0].count()));
    Slice s = all(block);
    s.value = w.op("tile.load " + read.partition() + "[" + block +
                   "] pad(zero) : " + read.partitionType());
    s = stirred(s, 2);
    touch(s);
    w.closeTo(0);
    return w;
  }

private:
  Draw &d;
  Writer w;
  std::string element, narrow;
  int64_t lanes = 4;
  bool listed = false, atomic = false;

  static Axis axis(const std::string &extent, int64_t tile) {
    Axis a;
    a.extent = extent;
    a.tile = tile;
    return a;
  }

  static std::vector<int64_t> upTo(int64_t n) {
    std::vector<int64_t> out;
    for (int64_t i = 0; i <= n; ++i) {
      out.push_back(i);
    }
    return out;
  }

  static std::string vector(const std::string &shape, const std::string &of) {
    return "vector<" + shape + "x" + of + ">";
  }
  static std::string line(int64_t n, const std::string &of) {
    return vector(std::to_string(n), of);
  }

  /// All lanes of the block's tile, in order.
  Slice all(const std::string &block) {
    std::string type = line(lanes, "index");
    std::string first = w.binary("muli", block, w.constant(lanes));
    std::string at =
        w.binary("addi", wide(first), w.op("tile.iota 0 : " + type), type);
    Slice s{at, w.compare("slt", at, wide(w.symbolValue("N")), type), "",
            lanes};
    if (listed) {
      Tensor &list = w.tensor({axis("N", lanes)}, "shared", narrow);
      w.symbol("V", {0, 1, 2, 5});
      bool isLoose = d.mutate("given up to one too far");
      w.given("within(" + list.name + ", 1, V + " + (isLoose ? "2)" : "1)"));
      std::string x = w.op("tile.load " + list.partition() + "[" + block +
                           "] pad(zero) : " + list.partitionType());
      x = w.op("arith.index_cast " + x + " : " + line(lanes, narrow) + " to " +
               type);
      std::string one = w.once("arith.constant dense<1> : " + type);
      s.place = w.binary("subi", x, one, type);
    }
    return s;
  }

  std::string wide(const std::string &scalar) {
    return w.op("vector.broadcast " + scalar + " : index to " +
                line(lanes, "index"));
  }

  std::string cast(const std::string &x, const std::string &from,
                   const std::string &to) {
    return from == to
               ? x
               : w.op("vector.shape_cast " + x + " : " + from + " to " + to);
  }

  /// A half of a line: how it is seen, and which half.
  enum class Way { Line, Rows, Columns };
  std::string half(const std::string &x, int64_t n, const std::string &of,
                   Way way, int64_t which) {
    std::string h = std::to_string(n / 2), k = std::to_string(which);
    if (way == Way::Line) {
      return w.op("tile.extract " + x + "[" + k + "] : " + line(n, of) +
                  " to " + line(n / 2, of));
    }
    bool rows = way == Way::Rows;
    std::string whole = vector(rows ? "2x" + h : h + "x2", of);
    std::string part = vector(rows ? "1x" + h : h + "x1", of);
    std::string seen = cast(x, line(n, of), whole);
    std::string one = w.op("tile.extract " + seen +
                           (rows ? "[" + k + ", 0] : " : "[0, " + k + "] : ") +
                           whole + " to " + part);
    return cast(one, part, line(n / 2, of));
  }

  std::string joined(const std::string &a, const std::string &b, int64_t n,
                     const std::string &of, Way way) {
    std::string h = std::to_string(n);
    if (way == Way::Line) {
      return w.op("tile.cat " + a + ", " + b + ", 0 : " + line(n, of));
    }
    bool rows = way == Way::Rows;
    std::string part = vector(rows ? "1x" + h : h + "x1", of);
    std::string whole = vector(rows ? "2x" + h : h + "x2", of);
    std::string both =
        w.op("tile.cat " + cast(a, line(n, of), part) + ", " +
             cast(b, line(n, of), part) + (rows ? ", 0 : " : ", 1 : ") + part);
    return cast(both, whole, line(2 * n, of));
  }

  Way way() { return d.pick({Way::Line, Way::Line, Way::Rows, Way::Columns}); }

  /// The same lanes in another order.
  Slice stirred(const Slice &s, int64_t depth) {
    if (s.lanes < 2 || depth == 0) {
      return s;
    }
    Way apart = way(), together = way();
    auto take = [&](int64_t which, int64_t mask) {
      return Slice{half(s.place, s.lanes, "index", apart, which),
                   half(s.mask, s.lanes, "i1", apart, mask),
                   half(s.value, s.lanes, element, apart, which), s.lanes / 2};
    };
    // Of each lane of the first half there is one behind it in the second.
    bool isOther = d.mutate("a half under the mask of the other");
    bool isTwice = !atomic && d.mutate("a half taken twice");
    Slice first = take(0, 0);
    Slice second = take(isTwice ? 0 : 1, isOther || isTwice ? 0 : 1);
    if (d.chance(40)) {
      first = stirred(first, depth - 1);
    }
    if (d.chance(40)) {
      second = stirred(second, depth - 1);
    }
    bool turned = d.chance(60);
    const Slice &a = turned ? second : first, &b = turned ? first : second;
    bool isCrossed = d.mutate("masks put together in the other order");
    const Slice &p = isCrossed ? b : a, &q = isCrossed ? a : b;
    return {joined(a.place, b.place, a.lanes, "index", together),
            joined(p.mask, q.mask, a.lanes, "i1", together),
            joined(a.value, b.value, a.lanes, element, together), s.lanes};
  }

  void touch(const Slice &s) {
    bool isOpen = d.mutate("mask left out");
    std::string extent = listed ? "V" : "N";
    std::string value = s.value;
    std::string at = "[" + s.place + "]", type = line(lanes, "index"),
                truth = line(lanes, "i1"), own = line(lanes, element);
    if (d.chance(50)) {
      Tensor &table = w.tensor({axis(extent, lanes)}, "shared", element);
      std::string x = w.op("tile.gather " + table.name + at + ", " + s.mask +
                           " pad(zero) : " + table.tensorType() + ", " + type +
                           ", " + truth);
      value = w.binary(element[0] == 'f' ? "addf" : "addi", value, x, own);
    }
    Tensor &to = w.tensor({axis(extent, lanes)},
                          atomic ? "atomic<add>"
                                 : d.pick<std::string>({"own", "out partial"}),
                          element);
    w.line((atomic ? "tile.atomic_scatter add " : "tile.scatter ") + value +
           ", " + to.name + at + (isOpen ? "" : ", " + s.mask) + " : " + own +
           ", " + to.tensorType() + ", " + type + (isOpen ? "" : ", " + truth));
  }
};
} // namespace

Sample laneSlices(uint64_t seed) { return drawKernel<Kernel>(seed); }

std::vector<std::string> sliceMistakes(uint64_t seed) {
  return mistakesOf<Kernel>(seed);
}

Sample laneSlices(uint64_t seed, size_t mistake) {
  return drawKernel<Kernel>(seed, static_cast<int>(mistake));
}

} // namespace girih::fuzz
