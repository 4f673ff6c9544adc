// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fuzz/generators/Schedule.h"

#include "fuzz/generators/Listed.h"
#include "fuzz/generators/Mapped.h"
#include "fuzz/generators/Rotation.h"

#include <tuple>

namespace girih::fuzz {

std::string writeCount(Writer &w, Draw &d, const Tensor &t, size_t axis) {
  const Axis &a = t.axes[axis];
  if (a.constant >= 0 || d.chance(70)) {
    return w.tiles(t, axis);
  }
  std::string extent = w.symbolValue(a.extent);
  return a.tile == 1 ? extent
                     : w.once("arith.ceildivsi " + extent + ", " +
                              w.constant(a.tile) + " : index");
}

namespace {
class Schedule {
public:
  Schedule(Writer &w, Draw &d, const Tensor &t, bool covers)
      : w(w), d(d), t(t), covers(covers), index(t.axes.size()) {}

  std::vector<std::string> run() {
    std::vector<size_t> axes;
    for (size_t i = 0; i < t.axes.size(); ++i) {
      axes.insert(axes.begin() + d.below(std::ssize(axes) + 1), i);
    }
    if (axes.size() > 1 && d.chance(40)) {
      flat(axes[0], axes[1]);
      axes.erase(axes.begin(), axes.begin() + 2);
    }
    for (size_t axis : axes) {
      one(axis);
    }
    if (index.size() > 1 && d.mutate("swapped axes")) {
      std::swap(index[0], index[1]);
    }
    return index;
  }

private:
  Writer &w;
  Draw &d;
  const Tensor &t;
  bool covers;
  std::vector<std::string> index;

  std::string add(const std::string &a, const std::string &b) {
    return w.binary("addi", a, b);
  }
  std::string sub(const std::string &a, const std::string &b) {
    return w.binary("subi", a, b);
  }
  std::string one() { return w.constant(1); }
  std::string count(size_t axis) { return writeCount(w, d, t, axis); }

  /// The same as a parameter of a map, of which the text has to tell that no
  /// block changes it: it does not of the tiles of a view, which t may become.
  std::string parameter(size_t axis) {
    const Axis &a = t.axes[axis];
    if (a.constant >= 0) {
      return w.constant((a.constant + a.tile - 1) / a.tile);
    }
    std::string extent = w.symbolValue(a.extent);
    return a.tile == 1 ? extent
                       : w.once("arith.ceildivsi " + extent + ", " +
                                w.constant(a.tile) + " : index");
  }

  /// The number of tiles for the grid, with its mistakes.
  std::string gridCount(size_t axis) {
    const Axis &a = t.axes[axis];
    if (a.tile > 1 && d.mutate("floor for ceil in the grid")) {
      return "div(" + a.extent + ", " + std::to_string(a.tile) + ")";
    }
    if (d.mutate("one block too many")) {
      return a.count() + " + 1";
    }
    return a.count();
  }
  std::string block(const std::string &extent) {
    return w.blockId(w.grid(extent));
  }

  void one(size_t axis) {
    switch (d.below(covers ? 13 : 18)) {
    case 0:
    case 1:
      return direct(axis);
    case 2:
      return reversed(axis);
    case 3:
      return loop(axis);
    case 4:
      return guarded(axis);
    case 5:
      return persistent(axis);
    case 6:
      return chunked(axis);
    case 7:
      return subTiles(axis);
    case 8:
      return rotated(axis);
    case 9:
    case 10:
      index[axis] = writeRotatedLoop(w, d, count(axis));
      return;
    case 11: {
      std::string b = block(gridCount(axis));
      index[axis] = writeRotatedBlock(w, d, b, count(axis));
      return;
    }
    case 12: {
      std::string b = block(gridCount(axis));
      index[axis] = d.chance(35) ? writeCalled(w, d, b, count(axis))
                                 : writeMapped(w, d, b, parameter(axis));
      return;
    }
    case 13:
      return shifted(axis);
    case 14:
      return inner(axis);
    case 15:
    case 16:
      index[axis] = writeListed(w, d, t, axis);
      return;
    default:
      index[axis] = writePicked(w, d, count(axis));
    }
  }

  void direct(size_t axis) {
    index[axis] = block(gridCount(axis));
    if (d.mutate("off by one in the index")) {
      index[axis] = add(index[axis], one());
    }
  }

  /// n - 1 - b, at times in 32 bits: the grid has fewer than 2^31 blocks.
  void reversed(size_t axis) {
    std::string b = block(gridCount(axis)), n = count(axis), type = "index";
    bool narrow = d.chance(25);
    if (narrow) {
      type = "i32";
      b = w.op("arith.index_cast " + b + " : index to i32");
      n = w.op("arith.index_cast " + n + " : index to i32");
    }
    std::string last = d.mutate("reversed from n")
                           ? n
                           : w.binary("subi", n, w.constant(1, type), type);
    index[axis] = w.binary("subi", last, b, type);
    if (narrow) {
      index[axis] = w.op("arith.index_cast " + index[axis] + " : i32 to index");
    }
  }

  std::string openLoop(const std::string &low, const std::string &high,
                       const std::string &step) {
    std::string counter = "%k" + std::to_string(w.depth());
    w.open("scf.for " + counter + " = " + low + " to " + high + " step " +
           step);
    return counter;
  }

  void loop(size_t axis) {
    std::string n = count(axis), low = w.constant(0);
    if (d.mutate("loop runs once more")) {
      n = add(n, one());
    }
    if (d.mutate("loop starts late")) {
      low = one();
    }
    std::string k = openLoop(low, n, one());
    index[axis] = k;
    if (d.chance(25)) {
      index[axis] = sub(sub(n, one()), k);
    }
    if (d.mutate("last tile left out")) {
      std::string last =
          w.binary("maxsi", sub(n, w.constant(2)), w.constant(0));
      index[axis] = w.binary("minsi", index[axis], last);
    }
  }

  void guard(const std::string &i, const std::string &n) {
    if (d.mutate("guard dropped")) {
      return;
    }
    const char *predicate = d.mutate("<= for < in the guard") ? "sle" : "slt";
    w.open("scf.if " + w.compare(predicate, i, n));
  }

  /// More blocks than tiles, and the rest sent home.
  void guarded(size_t axis) {
    std::string tiles = t.axes[axis].count(), b;
    if (d.chance(50)) {
      b = block(tiles + " + " + std::to_string(d.between(1, 3)));
    } else {
      std::string s = "G" + std::to_string(axis);
      // The last two: no fewer than any count, odd and even.
      w.symbol(s, {0, 1, 2, 3, 5, 21, 22});
      if (covers && !d.mutate("requirement dropped")) {
        w.require(s + " >= " + tiles);
      }
      b = block(s);
    }
    guard(b, count(axis));
    index[axis] = b;
  }

  void persistent(size_t axis) {
    std::string n = count(axis), p = programs(t.axes[axis].count());
    index[axis] = stride(n, p);
  }

  /// A grid of few blocks: a symbol, a number, or at most as many as needed.
  std::string programs(const std::string &needed) {
    switch (d.below(4)) {
    case 0:
      return std::to_string(d.between(1, 3));
    case 1:
      return "min(" + needed + ", " + std::to_string(d.between(1, 3)) + ")";
    default:
      w.symbol("P", {0, 1, 2, 3});
      if (covers && !d.mutate("requirement dropped")) {
        w.require("P >= 1");
      }
      return "P";
    }
  }

  /// From the block's number to n in steps of the grid.
  std::string stride(const std::string &n, const std::string &p) {
    size_t axis = w.grid(p);
    std::string b = w.blockId(axis);
    std::string step =
        p == "P" && d.chance(50) ? w.symbolValue("P") : w.gridDim(axis);
    if (d.mutate("persistent stride of one")) {
      step = one();
    }
    if (d.mutate("persistent stride too long")) {
      step = add(step, one());
    }
    if (d.mutate("every block starts at 0")) {
      b = w.constant(0);
    }
    return openLoop(b, n, step);
  }

  /// Each block a run of S tiles.
  void chunked(size_t axis) {
    std::string size, divisor, n = count(axis);
    int64_t s = d.between(2, 4);
    if (d.chance(50)) {
      w.symbol("S", {0, 1, 2, 3});
      if (!d.mutate("requirement dropped")) {
        w.require("S >= 1");
      }
      size = w.symbolValue("S");
      divisor = "S";
    } else {
      size = w.constant(s);
      divisor = std::to_string(s);
    }
    std::string b =
        block("ceildiv(" + t.axes[axis].count() + ", " + divisor + ")");
    run(axis, b, n, size);
  }

  void run(size_t axis, const std::string &b, const std::string &n,
           const std::string &size) {
    std::string scale = d.mutate("wrong chunk size") ? sub(size, one()) : size;
    std::string base = w.binary("muli", b, scale);
    if (d.chance(30)) {
      // The loop stops where the tiles do.
      std::string left = sub(n, base);
      std::string high =
          d.mutate("minimum dropped") ? size : w.binary("minsi", left, size);
      index[axis] = add(base, openLoop(w.constant(0), high, one()));
      return;
    }
    std::string high = d.mutate("chunk one too long") ? add(size, one()) : size;
    index[axis] = add(base, openLoop(w.constant(0), high, one()));
    guard(index[axis], n);
  }

  /// Blocks own big tiles and walk over the small ones in it.
  void subTiles(size_t axis) {
    const Axis &a = t.axes[axis];
    int64_t factor = d.pick({2, 4});
    std::string b = block("ceildiv(" + a.extent + ", " +
                          std::to_string(a.tile * factor) + ")");
    run(axis, b, count(axis), w.constant(factor));
  }

  /// Rotated by k: b + k, or b - (n - k) once that is past the end.
  void rotated(size_t axis) {
    std::string b = block(gridCount(axis)), n = count(axis);
    std::string k = w.binary("minsi", n, w.constant(d.between(1, 3)));
    std::string turn = sub(n, k);
    const char *predicate =
        d.mutate("<= for < in the rotation") ? "sle" : "slt";
    std::string low = w.compare(predicate, b, turn);
    index[axis] = w.op("arith.select " + low + ", " + add(b, k) + ", " +
                       sub(b, turn) + " : index");
  }

  /// A window of G tiles from `off` on.
  void shifted(size_t axis) {
    w.symbol("off", {0, 1, 2, 4});
    std::string s = "G" + std::to_string(axis);
    w.symbol(s, {0, 1, 2});
    if (!d.mutate("requirement dropped")) {
      w.require("off + " + s + " <= " + t.axes[axis].count());
    }
    index[axis] = add(block(s), w.symbolValue("off"));
  }

  /// All tiles but the first.
  void inner(size_t axis) {
    const Axis &a = t.axes[axis];
    if (a.constant >= 0 && a.constant <= a.tile) {
      return direct(axis); // no launch has a second tile
    }
    std::string all = t.axes[axis].count() + " - 1";
    std::string b =
        block(d.mutate("negative grid") ? all : "max(" + all + ", 0)");
    index[axis] =
        d.mutate("off by two") ? add(b, w.constant(2)) : add(b, one());
  }

  /// Two axes out of one number: q, r of t by the count of the inner axis.
  void flat(size_t outer, size_t inner) {
    std::string tiles = product(t.axes[outer].count(), t.axes[inner].count());
    std::string n = count(inner), id;
    // The product of both counts fits in an index only where the tensor, packed
    // and of these axes alone, bounds it.
    if (t.axes.size() == 2 && t.strides.empty() && d.chance(50)) {
      std::string all = w.binary("muli", count(outer), n);
      id = stride(all, programs(tiles));
    } else {
      id = block(d.mutate("one block too many") ? tiles + " + 1" : tiles);
    }
    if (!covers && t.axes.size() == 2 && d.chance(20)) {
      return grouped(outer, inner, id, n);
    }
    if (d.chance(30)) {
      std::tie(index[outer], index[inner]) =
          writeMapped(w, d, id, parameter(outer), parameter(inner));
      return;
    }
    std::string by = d.mutate("wrong divisor") ? count(outer) : n;
    index[outer] = w.binary("divsi", id, by);
    index[inner] = d.chance(50) && by == n
                       ? sub(id, w.binary("muli", index[outer], n))
                       : w.binary("remsi", id, n);
  }

  /// Groups of `size` rows, walked column by column; the last one is ragged.
  void grouped(size_t outer, size_t inner, const std::string &id,
               const std::string &n) {
    std::string size = w.constant(d.between(2, 3));
    std::string rows = count(outer);
    std::string band = w.binary("muli", size, n);
    std::string group = w.binary("divsi", id, band);
    std::string rest = w.binary("remsi", id, band);
    std::string first = w.binary("muli", group, size);
    std::string left = sub(rows, first);
    std::string height =
        d.mutate("minimum dropped") ? size : w.binary("minsi", left, size);
    index[outer] = add(first, w.binary("remsi", rest, height));
    index[inner] = w.binary("divsi", rest, height);
  }

  static std::string product(const std::string &a, const std::string &b) {
    return a + " * " + b;
  }
};
} // namespace

std::vector<std::string> writeSchedule(Writer &w, Draw &d, const Tensor &t,
                                       bool covers) {
  return Schedule(w, d, t, covers).run();
}

Halves writeHalves(Writer &w, Draw &d, const Tensor &t) {
  std::string b = w.blockId(w.grid("ceildiv(" + t.axes[0].count() + ", 2)"));
  std::string n = writeCount(w, d, t, 0);
  std::string two = w.constant(2), one = w.constant(1);
  Halves h;
  h.first = {w.binary("muli", b, two)};
  std::string step = d.mutate("second half one further") ? two : one;
  h.second = {w.binary("addi", h.first[0], step)};
  for (size_t i = 1; i < t.axes.size(); ++i) {
    std::string c = w.blockId(w.grid(t.axes[i].count()));
    h.first.push_back(c);
    h.second.push_back(c);
  }
  return h;
}

} // namespace girih::fuzz
