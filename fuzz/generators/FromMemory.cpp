// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fuzz/generators/FromMemory.h"

#include "fuzz/generators/Draw.h"
#include "fuzz/generators/Writer.h"

#include <functional>

namespace girih::fuzz {

namespace {
/// Numbers are found in a list of N, and used as places in a table of V. Each
/// is guarded, or the contract says where it lies; not both, so that a mistake
/// in one is a mistake.
class Kernel {
public:
  explicit Kernel(Draw &d) : d(d), w("found") {}

  Writer &write() {
    w.symbol("N", {0, 1, 2, 5});
    w.symbol("V", {0, 1, 3, 8});
    narrow = d.pick({"i8", "i16", "i32", "i32", "i64"});
    if (d.chance(45)) {
      scalars();
    } else {
      lanes = d.pick({2, 4, 8});
      vectors();
    }
    w.closeTo(0);
    return w;
  }

private:
  Draw &d;
  Writer w;
  std::string narrow;
  int64_t lanes = 1;

  static Axis axis(const std::string &extent, int64_t tile) {
    Axis a;
    a.extent = extent;
    a.tile = tile;
    a.unit = tile == 1;
    return a;
  }

  Tensor &list(const std::string &mode) {
    return w.tensor({axis("N", lanes)}, mode, narrow);
  }

  /// What the contract says of a list; true when its numbers lie in the table.
  bool give(const Tensor &t) {
    if (!d.chance(35)) {
      if (d.chance(30)) {
        w.given("sorted(" + t.name + ")");
      }
      return false;
    }
    std::string low = d.mutate("given from one too low") ? "-1" : "0";
    std::string high = d.mutate("given up to one too far") ? "V + 1" : "V";
    w.given("within(" + t.name + ", " + low + ", " + high + ")");
    return true;
  }

  std::string typed(const std::string &element) const {
    return lanes == 1 ? element
                      : "vector<" + std::to_string(lanes) + "x" + element + ">";
  }
  std::string splat(int64_t value, const std::string &element) {
    return lanes == 1 ? w.constant(value, element)
                      : w.once("arith.constant dense<" + std::to_string(value) +
                               "> : " + typed(element));
  }
  std::string wide(const std::string &scalar, const std::string &element) {
    return lanes == 1 ? scalar
                      : w.op("vector.broadcast " + scalar + " : " + element +
                             " to " + typed(element));
  }
  std::string cast(const std::string &x) {
    return w.op("arith.index_cast " + x + " : " + typed(narrow) + " to " +
                typed("index"));
  }
  std::string both(const std::string &a, const std::string &b) {
    return a.empty() ? b : b.empty() ? a : w.binary("andi", a, b, typed("i1"));
  }

  /// That a number lies in [0, end).
  std::string inside(const std::string &x, const std::string &end) {
    std::string low, high;
    if (!d.mutate("lower guard dropped")) {
      low = w.compare("sge", x, splat(0, "index"), typed("index"));
    }
    if (!d.mutate("upper guard dropped")) {
      bool isLoose = d.mutate("upper guard one too far");
      high = w.compare(isLoose ? "sle" : "slt", x, wide(end, "index"),
                       typed("index"));
    }
    return both(low, high);
  }

  /// One number that means something else, and is no place.
  std::string exception(const std::string &x) {
    int64_t number = d.between(0, 60);
    if (!d.mutate("one number is no place")) {
      return x;
    }
    std::string is = w.compare("eq", x, splat(number, "index"), typed("index"));
    return w.op("arith.select " + is + ", " + splat(-1, "index") + ", " + x +
                " : " + (lanes == 1 ? "" : typed("i1") + ", ") +
                typed("index"));
  }

  /// What stands in the tile of an own list, and what a block writes there and
  /// reads back; nothing is known of either but what is asked of it.
  std::string readBack(Tensor &own, const std::string &i, std::string x,
                       std::string &piece) {
    piece = w.op("tile.claim " + own.partition() + "[" + i +
                 "] : " + own.partitionType());
    std::string pad = lanes == 1 ? "" : " pad(zero)";
    std::string load = "tile.load " + piece + pad + " : " + own.pieceType();
    if (x.empty()) {
      x = w.op(load);
      if (d.chance(40)) {
        return x;
      }
      x = w.binary(d.pick({"addi", "subi"}), x, splat(d.between(0, 2), narrow),
                   typed(narrow));
    }
    w.line("tile.store " + x + ", " + piece + " : " + own.pieceType());
    return w.op(load);
  }

  std::string table(const std::string &x, const std::string &mask) {
    Tensor &e = w.tensor({axis("V", 1)}, "shared", "f32");
    if (lanes == 1) {
      return w.op("tile.load " + e.partition() + "[" + x +
                  "] : " + e.partitionType());
    }
    return w.op("tile.gather " + e.name + "[" + x + "]" +
                (mask.empty() ? "" : ", " + mask + " pad(zero)") + " : " +
                e.tensorType() + ", " + typed("index") +
                (mask.empty() ? "" : ", " + typed("i1")));
  }

  /// One number a block.
  void scalars() {
    std::string i = w.blockId(w.grid("N"));
    bool isGiven = false, isOwn = d.chance(40);
    std::string x;
    if (!isOwn || d.chance(50)) {
      Tensor &t = list("shared");
      // Of what is read back nothing is known.
      isGiven = !isOwn && give(t);
      x = w.op("tile.load " + t.partition() + "[" + i +
               "] : " + t.partitionType());
    }
    Tensor *own = isOwn ? &list("own") : nullptr;
    std::string held;
    if (own) {
      x = readBack(*own, i, x, held);
    }
    std::string found = x;
    x = cast(x);
    std::string v = w.symbolValue("V");
    if (!isGiven) {
      std::string in = inside(x, v);
      if (!in.empty()) {
        w.open("scf.if " + in);
      }
    }
    // What is read again is not what was asked about.
    if (own && d.mutate("read again after a store")) {
      std::string less = w.binary("subi", found, splat(1, narrow), narrow);
      w.line("tile.store " + less + ", " + held + " : " + own->pieceType());
      x = cast(w.op("tile.load " + held + " : " + own->pieceType()));
    }
    x = exception(x);
    if (d.chance(50)) {
      table(x, "");
      return;
    }
    // A row of its own for each block, unless blocks share rows.
    bool isShared = d.mutate("blocks share a row");
    Tensor &c = w.tensor({axis("N", 1), axis("V", 1)},
                         d.pick({"own", "out partial"}), "f32");
    std::string row = isShared ? w.constant(0) : i;
    std::string piece = w.op("tile.claim " + c.partition() + "[" + row + ", " +
                             x + "] : " + c.partitionType());
    w.line("tile.store " + w.filled(c) + ", " + piece + " : " + c.pieceType());
  }

  /// A tile of numbers a block.
  void vectors() {
    std::string i =
        w.blockId(w.grid("ceildiv(N, " + std::to_string(lanes) + ")"));
    std::string first = w.binary("muli", i, w.constant(lanes));
    std::string rows =
        w.binary("addi", wide(first, "index"),
                 w.op("tile.iota 0 : " + typed("index")), typed("index"));
    std::string real = w.compare("slt", rows, wide(w.symbolValue("N"), "index"),
                                 typed("index"));
    bool isGiven = false;
    std::string x;
    switch (d.below(4)) {
    case 0: {
      Tensor &t = list("shared");
      isGiven = give(t);
      x = w.op("tile.load " + t.partition() + "[" + i +
               "] pad(zero) : " + t.partitionType());
      break;
    }
    case 1: {
      std::string piece;
      x = readBack(list("own"), i, "", piece);
      break;
    }
    case 2: {
      Tensor &t = list("shared");
      isGiven = give(t);
      x = gather(t, rows, real);
      break;
    }
    default: {
      // Through another list, whose numbers are places in this one.
      Tensor &t = list("shared"), &through = list("shared");
      isGiven = give(t);
      std::string place = cast(gather(through, rows, real));
      std::string in = both(real, inside(place, w.symbolValue("N")));
      real = in;
      x = gather(t, place, in);
    }
    }
    x = cast(x);
    std::string mask = isGiven ? real : inside(x, w.symbolValue("V"));
    x = exception(x);
    if (d.chance(50)) {
      table(x, mask);
      return;
    }
    mask = isGiven ? mask : both(real, mask);
    bool isShared = d.mutate("lanes share a row");
    Tensor &c = w.tensor({axis("N", 1), axis("V", 1)},
                         d.pick({"own", "out partial"}), "f32");
    std::string row = isShared ? wide(w.constant(0), "index") : rows;
    w.line("tile.scatter " + splatOne() + ", " + c.name + "[" + row + ", " + x +
           "], " + mask + " : " + typed("f32") + ", " + c.tensorType() + ", " +
           typed("index") + ", " + typed("index") + ", " + typed("i1"));
  }

  std::string splatOne() {
    return w.once("arith.constant dense<1.0> : " + typed("f32"));
  }

  std::string gather(const Tensor &t, const std::string &at,
                     const std::string &mask) {
    return w.op("tile.gather " + t.name + "[" + at + "], " + mask +
                " pad(zero) : " + t.tensorType() + ", " + typed("index") +
                ", " + typed("i1"));
  }
};
} // namespace

Sample fromMemory(uint64_t seed) { return drawKernel<Kernel>(seed); }

std::vector<std::string> memoryMistakes(uint64_t seed) {
  return mistakesOf<Kernel>(seed);
}

Sample fromMemory(uint64_t seed, size_t mistake) {
  return drawKernel<Kernel>(seed, static_cast<int>(mistake));
}

} // namespace girih::fuzz
