// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Masks of tiles, and paddings that are numbers: gathers and scatters of the
// elements of a tile under its mask, places from a list that is padded, a
// branch on the mask of one element. Some masks are of another tile or another
// tensor; only the box can tell.

#include "fuzz/generators/Draw.h"
#include "fuzz/generators/Generator.h"
#include "fuzz/generators/Writer.h"

namespace girih::fuzz {

namespace {
class Masks {
public:
  explicit Masks(uint64_t seed) : d(seed), w("masks") {}

  Sample run(uint64_t seed) {
    narrow = d.pick({"i8", "i16", "i32", "i32", "i64"});
    size_t rank = static_cast<size_t>(d.pick({1, 1, 2}));
    for (size_t axis = 0; axis < rank; ++axis) {
      axes.push_back(axisOf(axis == 0 ? "N" : "M"));
    }
    written = &w.tensor(axes, d.pick({"own", "own", "out partial"}), narrow);
    source = &w.tensor(axes, "shared", narrow);
    std::vector<Axis> others = axes;
    others.back().extent = "L";
    w.symbol("L", {0, 1, 2, 3, 5, 9});
    stranger = &w.tensor(others, "shared", narrow);
    for (const Axis &a : axes) {
      place.push_back(w.blockId(w.grid(gridOf(a))));
    }
    index = place;
    if (d.chance(35)) {
      moveIndex();
    }
    int64_t steps = d.between(1, 2);
    for (int64_t n = 0; n < steps; ++n) {
      step();
    }
    w.closeTo(0);
    return w.openSample(seed);
  }

private:
  Draw d;
  Writer w;
  std::string narrow;
  std::vector<Axis> axes;
  Tensor *written = nullptr, *source = nullptr, *stranger = nullptr;
  std::vector<std::string> place, index;

  Axis axisOf(const std::string &extent) {
    Axis a;
    a.extent = extent;
    a.tile = d.pick({1, 2, 4, 4, 8});
    a.unit = a.tile == 1;
    w.symbol(extent, {0, 1, 2, 3, 5, 9});
    return a;
  }

  std::string gridOf(const Axis &a) {
    return a.tile == 1 || d.chance(10)
               ? a.extent
               : "ceildiv(" + a.extent + ", " + std::to_string(a.tile) + ")";
  }

  /// Tiles beside the block's own, which need not exist.
  void moveIndex() {
    size_t axis = static_cast<size_t>(d.below(std::ssize(index)));
    index[axis] = w.binary(d.pick({"addi", "subi"}), index[axis],
                           w.constant(d.between(1, 3)));
  }

  /// The lanes of a tile: its axes that are not units.
  std::string shape(const std::string &element) const {
    std::string text;
    for (const Axis &a : axes) {
      text += a.unit ? "" : std::to_string(a.tile) + "x";
    }
    return text.empty() ? element : "vector<" + text + element + ">";
  }
  bool isOne() const { return shape("i1") == "i1"; }

  std::string inside(const Tensor &t, const std::vector<std::string> &at) {
    std::string list;
    for (const std::string &i : at) {
      list += (list.empty() ? "" : ", ") + i;
    }
    return w.op("tile.inside " + t.partition() + "[" + list +
                "] : " + t.partitionType());
  }

  /// A mask of the tile, and at times of another one.
  std::string mask(const std::vector<std::string> &at) {
    std::vector<std::string> here = at;
    if (d.chance(12)) {
      size_t axis = static_cast<size_t>(d.below(std::ssize(here)));
      here[axis] = w.binary(d.pick({"addi", "subi", "maxsi"}), here[axis],
                            w.constant(d.between(0, 1)));
    }
    std::string m = inside(d.chance(12) ? *stranger : *source, here);
    if (d.chance(20)) {
      m = w.op("arith." + d.pick<std::string>({"andi", "ori"}) + " " + m +
               ", " + inside(*source, at) + " : " + shape("i1"));
    }
    return m;
  }

  /// The coordinates of each lane, axis by axis, with their types.
  std::pair<std::string, std::string>
  lanes(const std::vector<std::string> &at) {
    std::string names, types, type = shape("index");
    int64_t axis = 0;
    for (size_t k = 0; k < axes.size(); ++k) {
      std::string x = w.binary("muli", at[k], w.constant(axes[k].tile));
      x = w.op("vector.broadcast " + x + " : index to " + type);
      if (!axes[k].unit) {
        x = w.binary("addi", x,
                     w.op("tile.iota " + std::to_string(axis++) + " : " + type),
                     type);
      }
      names += (k ? ", " : "") + x;
      types += ", " + type;
    }
    return {names, types};
  }

  std::string pad() {
    return " pad(" +
           d.pick<std::string>({"zero", "-1", "1", "7", "127", "-128"}) + ")";
  }

  void step() {
    if (isOne()) {
      return guarded();
    }
    std::string m = mask(index), truth = shape("i1"), type = shape(narrow);
    auto [names, types] = lanes(index);
    std::string x =
        w.op("tile.gather " + source->name + "[" + names + "], " + m + pad() +
             " : " + source->tensorType() + types + ", " + truth);
    if (d.chance(50)) {
      x = found(x);
    }
    // Blocks that moved in one direction do not meet.
    w.line("tile.scatter " + x + ", " + written->name + "[" + names + "], " +
           mask(index) + " : " + type + ", " + written->tensorType() + types +
           ", " + truth);
  }

  /// Lanes are places in a list: those with the padding are told by it.
  std::string found(const std::string &x) {
    Axis a;
    a.extent = "V";
    a.tile = 1;
    a.unit = true;
    w.symbol("V", {0, 1, 2, 8});
    Tensor &table = w.tensor({a}, "shared", narrow);
    if (d.chance(70)) {
      w.given("within(" + source->name + ", 0, V)");
    }
    std::string type = shape("index"), truth = shape("i1");
    std::string i =
        w.op("arith.index_cast " + x + " : " + shape(narrow) + " to " + type);
    std::string least =
        w.op("arith.constant dense<" +
             std::to_string(d.pick({0, 0, 0, 1, -1})) + "> : " + type);
    std::string m = w.compare("sge", i, least, type);
    if (d.chance(40)) {
      std::string end = w.op("vector.broadcast " + w.symbolValue("V") +
                             " : index to " + type);
      m = w.binary("andi", m, w.compare("slt", i, end, type), truth);
    }
    return w.op("tile.gather " + table.name + "[" + i + "], " + m + pad() +
                " : " + table.tensorType() + ", " + type + ", " + truth);
  }

  /// Of tiles of one element the mask is a truth.
  void guarded() {
    std::string list;
    for (const std::string &i : index) {
      list += (list.empty() ? "" : ", ") + i;
    }
    w.open("scf.if " + mask(index));
    std::string x = w.op("tile.load " + source->partition() + "[" + list +
                         "] : " + source->partitionType());
    std::string piece = w.op("tile.claim " + written->partition() + "[" + list +
                             "] : " + written->partitionType());
    w.line("tile.store " + x + ", " + piece + " : " + written->pieceType());
    w.close();
  }
};
} // namespace

Sample randomMasks(uint64_t seed) { return Masks(seed).run(seed); }

} // namespace girih::fuzz
