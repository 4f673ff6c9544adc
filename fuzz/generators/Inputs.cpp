// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fuzz/generators/Inputs.h"

#include "fuzz/generators/Schedule.h"

namespace girih::fuzz {

namespace {
class Input {
public:
  Input(Writer &w, Draw &d, const Tensor &t,
        const std::vector<std::string> &index)
      : w(w), d(d), t(t), index(index) {}

  std::optional<std::string> write() {
    switch (d.below(8)) {
    case 0:
    case 1:
      return same();
    case 2:
      return neighbour();
    case 3:
      return transposed();
    case 4:
      return contraction();
    case 5:
      return byContents();
    case 6:
      return hashed();
    default:
      return counted();
    }
  }

private:
  Writer &w;
  Draw &d;
  const Tensor &t;
  const std::vector<std::string> &index;

  std::string load(const Tensor &a, const std::vector<std::string> &at,
                   bool padded = true) {
    std::string text = "tile.load " + a.partition() + "[";
    for (size_t i = 0; i < at.size(); ++i) {
      text += (i ? ", " : "") + at[i];
    }
    return w.op(text + "]" + (padded ? " pad(zero)" : "") + " : " +
                a.partitionType());
  }

  /// Without pad where the contract makes every tile whole.
  std::optional<std::string> same() {
    std::string strides;
    if (t.axes.size() == 2 && d.chance(15)) {
      // The last two: no less than a constant extent, odd and even.
      w.symbol("ld", {0, 1, 3, 20, 21});
      strides = "[ld, 1]";
    }
    Tensor &a = w.tensor(t.axes, "shared", t.element, strides);
    bool padded = d.chance(75);
    if (padded) {
      return load(a, index);
    }
    for (const Axis &x : a.axes) {
      bool divides = x.constant >= 0 && x.constant % x.tile == 0;
      if (x.tile > 1 && !divides && x.constant >= 0) {
        padded = true; // a number that no contract makes whole
      }
    }
    for (const Axis &x : a.axes) {
      if (!padded && x.tile > 1 && x.constant < 0 &&
          !d.mutate("requirement of whole tiles dropped")) {
        w.require("mod(" + x.extent + ", " + std::to_string(x.tile) + ") == 0");
        w.tryToo(x.extent, x.tile);
      }
    }
    return load(a, index, padded);
  }

  /// The next or the previous tile, held at the edge.
  std::optional<std::string> neighbour() {
    Tensor &a = w.tensor(t.axes, "shared", t.element);
    size_t axis = static_cast<size_t>(d.below(std::ssize(index)));
    std::vector<std::string> at = index;
    std::string one = w.constant(1);
    if (d.chance(50)) {
      at[axis] = w.binary("addi", at[axis], one);
      if (!d.mutate("clamp dropped")) {
        std::string last =
            w.op("arith.subi " + w.tiles(a, axis) + ", " + one + " : index");
        at[axis] = w.binary("minsi", at[axis], last);
      }
    } else {
      at[axis] = w.binary("subi", at[axis], one);
      if (!d.mutate("clamp dropped")) {
        std::string low =
            d.mutate("clamp too low") ? w.constant(-1) : w.constant(0);
        at[axis] = w.binary("maxsi", at[axis], low);
      }
    }
    return load(a, at);
  }

  std::optional<std::string> transposed() {
    if (index.size() != 2) {
      return same();
    }
    Tensor &a = w.tensor({t.axes[1], t.axes[0]}, "shared", t.element);
    std::vector<std::string> at = {index[1], index[0]};
    if (d.mutate("input not transposed")) {
      at = index;
    }
    std::string x = load(a, at);
    if (t.axes[0].unit || t.axes[1].unit) {
      return x; // at most one axis is left
    }
    return w.op("vector.transpose " + x + ", [1, 0] : " + a.valueType() +
                " to " + t.valueType());
  }

  /// Sums a second axis away, tile by tile.
  std::optional<std::string> contraction() {
    Axis row = t.axes[0], inner;
    inner.extent = "L";
    inner.tile = d.pick({2, 4, 8});
    w.symbol("L", {0, 1, inner.tile, inner.tile + 1});
    Tensor &a = w.tensor({row, inner}, "shared", t.element);
    std::string n = w.tiles(a, 1), zero = w.constant(0);
    std::string type = a.valueType(), start = w.filled(a);
    if (d.mutate("loop runs once more")) {
      n = w.binary("addi", n, w.constant(1));
    }
    std::string sum = "%sum" + a.number, k = "%l" + a.number;
    w.open(sum + " = scf.for " + k + " = " + zero + " to " + n + " step " +
           w.constant(1) + " iter_args(%acc" + a.number + " = " + start +
           ") -> (" + type + ")");
    std::string x = load(a, {index[0], k});
    std::string next = w.op((a.isFloat() ? "arith.addf " : "arith.addi ") + x +
                            ", %acc" + a.number + " : " + type);
    w.line("scf.yield " + next + " : " + type);
    w.close();
    return std::nullopt;
  }

  /// Reads a tile whose number is read from memory.
  std::optional<std::string> byContents() {
    std::string type = d.pick({"i8", "i32", "i64"});
    Axis list;
    list.extent = t.axes[0].extent;
    list.constant = t.axes[0].constant;
    list.tile = t.axes[0].tile;
    if (list.tile != 1) {
      return neighbour();
    }
    list.unit = true;
    Tensor &numbers = w.tensor({list}, "shared", type);
    Tensor &a = w.tensor({t.axes[0]}, "shared", t.element);
    std::string v = w.op("arith.index_cast " + load(numbers, {index[0]}) +
                         " : " + type + " to index");
    readIfInside(a, v, true);
    return std::nullopt;
  }

  void readIfInside(const Tensor &a, const std::string &v, bool lower) {
    std::string n = w.tiles(a, 0);
    std::string below = w.compare("slt", v, n);
    if (lower && !d.mutate("lower half of the guard dropped")) {
      std::string above = w.compare("sge", v, w.constant(0));
      below = w.op("arith.andi " + above + ", " + below + " : i1");
    }
    w.open("scf.if " + below);
    load(a, {v});
    w.close();
  }

  /// A hash that wraps: any number, so the guard alone makes it safe.
  std::optional<std::string> hashed() {
    std::string type = d.pick({"i8", "i16", "i32"});
    Tensor &a = w.tensor({t.axes[0]}, "shared", t.element);
    std::string x =
        w.op("arith.index_cast " + index[0] + " : index to " + type);
    x = w.binary("muli", x, w.constant(d.between(3, 100), type), type);
    x = w.binary(d.pick({"addi", "subi", "xori"}), x,
                 w.constant(d.between(1, 100), type), type);
    std::string v = w.op("arith.index_cast " + x + " : " + type + " to index");
    readIfInside(a, v, true);
    return std::nullopt;
  }

  /// A loop that counts in a narrow integer.
  std::optional<std::string> counted() {
    Axis row;
    row.extent = "R";
    row.tile = d.pick({1, 2});
    int64_t step = d.between(1, 3);
    w.symbol("R", {0, 1, 5, 127 * row.tile});
    Tensor &a = w.tensor({row}, "shared", t.element);
    // The counter passes the end by at most step - 1.
    int64_t most =
        (d.mutate("counter leaves its width") ? 127 : 128 - step) * row.tile;
    w.require("R <= " + std::to_string(most));
    std::string n =
        w.op("arith.index_cast " + w.tiles(a, 0) + " : index to i8");
    std::string k = "%c" + a.number;
    w.open("scf.for " + k + " = " + w.constant(0, "i8") + " to " + n +
           " step " + w.constant(step, "i8") + " : i8");
    std::string v = w.op("arith.index_cast " + k + " : i8 to index");
    load(a, {v});
    w.close();
    return std::nullopt;
  }
};
} // namespace

std::optional<std::string> writeInput(Writer &w, Draw &d, const Tensor &t,
                                      const std::vector<std::string> &index) {
  return Input(w, d, t, index).write();
}

} // namespace girih::fuzz
