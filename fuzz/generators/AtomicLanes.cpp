// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fuzz/generators/AtomicLanes.h"

#include "fuzz/generators/Draw.h"
#include "fuzz/generators/Writer.h"

namespace girih::fuzz {

namespace {
/// Rows of a list of N are counted among V bins, which may have W columns. A
/// place is guarded, or the contract says where it lies, or arithmetic does;
/// never two of these, so that a mistake in one is a mistake.
class Kernel {
public:
  explicit Kernel(Draw &d) : d(d), w("counted") {}

  Writer &write() {
    w.symbol("N", {0, 1, 2, 5});
    w.symbol("V", {0, 1, 3, 8});
    narrow = d.pick({"i8", "i16", "i32", "i32", "i64"});
    element = d.pick({"i8", "i32", "i32", "i64", "f16", "f32", "f64"});
    kind = element[0] == 'f'
               ? "add"
               : d.pick({"add", "add", "min", "max", "and", "or", "xor"});
    lanes = d.pick({2, 4, 8});
    columns = d.chance(45) ? d.pick({2, 4}) : 0;
    tiles();
    w.closeTo(0);
    return w;
  }

private:
  Draw &d;
  Writer w;
  std::string narrow, element, kind;
  int64_t lanes = 1;
  int64_t columns = 0; ///< 0: bins are elements, not rows
  Tensor *bins = nullptr;

  static Axis axis(const std::string &extent, int64_t tile) {
    Axis a;
    a.extent = extent;
    a.tile = tile;
    a.unit = tile == 1;
    return a;
  }

  static std::string vector(const std::string &shape, const std::string &of) {
    return "vector<" + shape + "x" + of + ">";
  }
  std::string line() const { return std::to_string(lanes); }
  std::string plane() const { return line() + "x" + std::to_string(columns); }
  /// The shape of what is scattered.
  std::string all() const { return columns ? plane() : line(); }

  std::string splat(int64_t value, const std::string &type) {
    return w.once("arith.constant dense<" + std::to_string(value) +
                  "> : " + type);
  }
  std::string wide(const std::string &scalar, const std::string &type) {
    return w.op("vector.broadcast " + scalar + " : index to " + type);
  }
  /// A column of lanes, repeated along the columns of bins.
  std::string stretched(const std::string &x, const std::string &of) {
    if (!columns || x.empty()) {
      return x;
    }
    std::string column = vector(line() + "x1", of);
    std::string turned = w.op("vector.shape_cast " + x + " : " +
                              vector(line(), of) + " to " + column);
    return w.op("vector.broadcast " + turned + " : " + column + " to " +
                vector(plane(), of));
  }
  std::string both(const std::string &a, const std::string &b,
                   const std::string &shape) {
    return a.empty()   ? b
           : b.empty() ? a
                       : w.binary("andi", a, b, vector(shape, "i1"));
  }

  /// Blocks take a tile of the list each, or share all of them.
  void tiles() {
    std::string block;
    Tensor &list = w.tensor({axis("N", lanes)}, "shared", narrow);
    if (d.chance(50)) {
      block = w.blockId(w.grid(list.axes[0].count()));
    } else {
      w.symbol("P", {1, 2, 3});
      w.require("P >= 1");
      std::string first = w.blockId(w.grid("P"));
      block = w.fresh();
      w.open("scf.for " + block + " = " + first + " to " + w.tiles(list, 0) +
             " step " + w.symbolValue("P"));
    }
    std::vector<Axis> axes = {axis("V", columns ? 1 : lanes)};
    if (columns) {
      axes.push_back(axis("W", columns));
      w.symbol("W", {0, 1, columns, columns + 1});
    }
    bins = &w.tensor(axes, "atomic<" + kind + ">", element);
    std::string type = vector(line(), "index");
    std::string rows =
        w.binary("addi", wide(w.binary("muli", block, w.constant(lanes)), type),
                 w.op("tile.iota 0 : " + type), type);
    std::string real =
        w.compare("slt", rows, wide(w.symbolValue("N"), type), type);
    std::string mask, place = placesOf(list, block, rows, real, mask);
    for (int64_t n = d.between(1, 2); n > 0; --n) {
      combine(place, mask);
    }
    if (d.chance(25)) {
      combineTile();
    }
  }

  /// Where each row goes; `mask` is what tells that it goes there.
  std::string placesOf(const Tensor &list, const std::string &block,
                       const std::string &rows, const std::string &real,
                       std::string &mask) {
    std::string type = vector(line(), "index");
    if (d.chance(25)) {
      w.require("V >= 1");
      std::string bound = w.symbolValue("V");
      if (d.mutate("folded into one bin too many")) {
        bound = w.binary("addi", bound, w.constant(1));
      }
      mask = d.chance(50) ? real : "";
      return w.binary("remsi", rows, wide(bound, type), type);
    }
    std::string x = d.chance(50)
                        ? w.op("tile.load " + list.partition() + "[" + block +
                               "] pad(zero) : " + list.partitionType())
                        : w.op("tile.gather " + list.name + "[" + rows + "], " +
                               real + " pad(zero) : " + list.tensorType() +
                               ", " + type + ", " + vector(line(), "i1"));
    x = w.op("arith.index_cast " + x + " : " + vector(line(), narrow) + " to " +
             type);
    if (d.chance(40)) {
      mask = given(list, x, real);
    } else {
      mask = inside(x, type);
    }
    return exception(x, type);
  }

  /// Numbers that the contract bounds; they may begin at 1, and then a lane
  /// behind the list has none.
  std::string given(const Tensor &list, std::string &x,
                    const std::string &real) {
    std::string type = vector(line(), "index");
    int64_t from = d.chance(50) ? 1 : 0;
    int64_t low = d.mutate("given from one too low") ? from - 1 : from;
    std::string high = from ? "V + 1" : "V";
    high += d.mutate("given up to one too far") ? " + 1" : "";
    w.given("within(" + list.name + ", " + std::to_string(low) + ", " + high +
            ")");
    if (from) {
      x = w.binary("subi", x, splat(1, type), type);
    }
    return from && d.mutate("mask left out") ? "" : real;
  }

  /// That a number lies in [0, V).
  std::string inside(const std::string &x, const std::string &type) {
    std::string low, high;
    if (!d.mutate("lower guard dropped")) {
      low = w.compare("sge", x, splat(0, type), type);
    }
    if (!d.mutate("upper guard dropped")) {
      bool isLoose = d.mutate("upper guard one too far");
      high = w.compare(isLoose ? "sle" : "slt", x,
                       wide(w.symbolValue("V"), type), type);
    }
    return both(low, high, line());
  }

  /// One number that means something else, and is no place.
  std::string exception(const std::string &x, const std::string &type) {
    int64_t number = d.between(0, 60);
    if (!d.mutate("one number is no place")) {
      return x;
    }
    std::string is = w.compare("eq", x, splat(number, type), type);
    return w.op("arith.select " + is + ", " + splat(-1, type) + ", " + x +
                " : " + vector(line(), "i1") + ", " + type);
  }

  /// The columns of a tile of them, and that they are there.
  std::string columnsOf(std::string &mask) {
    std::string type = vector(plane(), "index");
    std::string first =
        w.binary("muli", w.blockId(columnAxis()), w.constant(columns));
    std::string at = w.binary("addi", wide(first, type),
                              w.op("tile.iota 1 : " + type), type);
    if (!d.mutate("columns not guarded")) {
      std::string in =
          w.compare(d.mutate("one column too many") ? "sle" : "slt", at,
                    wide(w.symbolValue("W"), type), type);
      mask = both(mask, in, plane());
    }
    return at;
  }

  size_t columnAxis() {
    return w.gridSize() == 1 ? w.grid(bins->axes[1].count()) : 1;
  }

  void combine(const std::string &place, const std::string &mask) {
    std::string which = stretched(mask, "i1");
    std::string at = stretched(place, "index");
    std::string types = vector(all(), "index");
    if (columns) {
      std::string columnsAt = columnsOf(which);
      bool turned = d.mutate("axes swapped");
      at = turned ? columnsAt + ", " + at : at + ", " + columnsAt;
      types += ", " + types;
    }
    std::string one = element[0] == 'f' ? "1.0" : "1";
    std::string value =
        w.once("arith.constant dense<" + one + "> : " + vector(all(), element));
    w.line("tile.atomic_scatter " + kind + " " + value + ", " + bins->name +
           "[" + at + "]" + (which.empty() ? "" : ", " + which) + " : " +
           vector(all(), element) + ", " + bins->tensorType() + ", " + types +
           (which.empty() ? "" : ", " + vector(all(), "i1")));
  }

  /// Beside the lanes, the first tile as a whole.
  void combineTile() {
    std::string zero = w.constant(0), there;
    for (size_t k = 0; k < bins->axes.size(); ++k) {
      std::string c = w.compare("sgt", w.tiles(*bins, k), zero);
      there = there.empty() ? c : w.binary("andi", there, c, "i1");
    }
    w.open("scf.if " + there);
    w.line("tile.atomic " + kind + " " + w.filled(*bins) + ", " +
           bins->partition() + "[" + zero + (columns ? ", " + zero : "") +
           "] : " + bins->partitionType());
    w.close();
  }
};
} // namespace

Sample atomicLanes(uint64_t seed) { return drawKernel<Kernel>(seed); }

std::vector<std::string> atomicMistakes(uint64_t seed) {
  return mistakesOf<Kernel>(seed);
}

Sample atomicLanes(uint64_t seed, size_t mistake) {
  return drawKernel<Kernel>(seed, static_cast<int>(mistake));
}

} // namespace girih::fuzz
