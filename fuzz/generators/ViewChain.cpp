// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fuzz/generators/ViewChain.h"

#include <set>

namespace girih::fuzz {

static std::vector<std::string> extentsOf(const Tensor &t) {
  std::vector<std::string> out;
  for (const Axis &a : t.axes) {
    out.push_back(a.extent);
  }
  return out;
}

/// The axes of the argument in another order.
static void turn(Draw &d, Tensor &t) {
  std::vector<std::string> from = extentsOf(t), root(from.size());
  std::vector<std::string> permutation(from.size());
  size_t by = 1 + static_cast<size_t>(d.below(std::ssize(from) - 1));
  for (size_t k = 0; k < from.size(); ++k) {
    size_t at = (k + by) % from.size();
    root[at] = from[k];
    permutation[k] = std::to_string(at);
  }
  t.root = listed(root);
  t.view = "permute " + listed(permutation);
}

/// One axis more, of which one coordinate is the tensor.
static void fix(Draw &d, Tensor &t, bool covers) {
  std::vector<std::string> root = extentsOf(t);
  int64_t extent = covers ? 1 : d.between(1, 3), at = d.below(extent);
  size_t axis = static_cast<size_t>(d.below(std::ssize(root) + 1));
  root.insert(root.begin() + static_cast<long>(axis), std::to_string(extent));
  t.root = listed(root);
  at = d.mutate("fixed behind the last coordinate") ? extent : at;
  t.view = "fix " + std::to_string(axis) + " at " + std::to_string(at);
}

/// A part of an argument that is larger, where there may be more.
static void slice(Writer &w, Draw &d, Tensor &t, bool covers) {
  std::vector<std::string> root = extentsOf(t), offsets;
  for (size_t k = 0; k < root.size(); ++k) {
    int64_t offset = covers ? 0 : d.below(4), more = covers ? 0 : d.below(3);
    const Axis &a = t.axes[k];
    if (offset + more > 0 && a.constant >= 0) {
      root[k] = std::to_string(a.constant + offset + more);
    } else if (offset + more > 0) {
      root[k] = "R" + t.number + a.extent;
      w.symbol(root[k], {0, 1, 3, 5, 9, 17, 40});
      w.require(a.extent + " + " + std::to_string(offset + more) +
                " <= " + root[k]);
    }
    if (d.mutate("slice begins too late")) {
      offset += more + 1;
    }
    offsets.push_back(std::to_string(offset));
  }
  t.view = "slice " + listed(offsets) + " size " + listed(extentsOf(t));
  t.root = listed(root);
}

static std::vector<int64_t> productsOf(const std::vector<int64_t> &a,
                                       const std::vector<int64_t> &b) {
  std::set<int64_t> out;
  for (int64_t x : a) {
    for (int64_t y : b) {
      out.insert(x * y);
    }
  }
  return {out.begin(), out.end()};
}

/// The first two axes as one.
static void unfold(Writer &w, Draw &d, Tensor &t) {
  std::vector<std::string> root = extentsOf(t);
  const Axis &a = t.axes[0], &b = t.axes[1];
  t.view = "unfold 0 by " + listed({root[0], root[1]});
  std::string both = "U" + t.number;
  if (a.constant >= 0 && b.constant >= 0) {
    both = std::to_string(a.constant * b.constant);
  } else {
    w.symbol(both, productsOf(w.valuesOf(root[0]), w.valuesOf(root[1])));
    if (!d.mutate("factors of something else")) {
      w.require(both + " == " + root[0] + " * " + root[1]);
    }
  }
  root.erase(root.begin());
  root[0] = both;
  t.root = listed(root);
}

void disguise(Writer &w, Draw &d, Tensor &t, bool covers) {
  bool many = t.axes.size() > 1;
  switch (d.below(many ? 4 : 2)) {
  case 0:
    return fix(d, t, covers);
  case 1:
    return slice(w, d, t, covers);
  case 2:
    return turn(d, t);
  default:
    return unfold(w, d, t);
  }
}

namespace {
/// A view under way: its name and its extents as its type has them.
struct Chain {
  Writer &w;
  Draw &d;
  const Tensor &tensor;
  const std::function<std::string()> &any;
  std::string name;
  std::vector<std::string> dims;

  std::string type() const {
    return "!tile.tensor<" + listed(dims) + " x " + tensor.element + ", " +
           tensor.mode + ">";
  }

  void step(const std::string &clause, std::vector<std::string> to) {
    name = w.op("tile.view " + name + " " + clause + " : " + type());
    dims = std::move(to);
  }

  /// Up to `size` of the first axis, in a branch that asks for what it takes.
  void first() {
    int64_t size = d.pick({1, 2, 4, 4, 6});
    std::string offset = any(), end = offset;
    if (d.chance(80)) {
      std::string last = w.binary("addi", offset, w.constant(size));
      std::string low = w.compare("sge", offset, w.constant(0));
      std::string high = w.compare("sle", last, w.symbolValue("N"));
      w.open("scf.if " + w.op("arith.andi " + low + ", " + high + " : i1"));
    }
    std::string number = std::to_string(size);
    if (d.chance(30)) {
      step("slice [" + offset + "] size [" + w.constant(size) + "]", {"?"});
    } else {
      step("slice [" + offset + "] size [" + number + "]", {number});
    }
  }

  void more() {
    switch (d.below(4)) {
    case 0:
      if (dims.size() > 1) {
        std::rotate(dims.begin(), dims.begin() + 1, dims.end());
        std::vector<std::string> turned = dims, axes;
        for (size_t k = 0; k < dims.size(); ++k) {
          axes.push_back(std::to_string((k + 1) % dims.size()));
        }
        std::rotate(dims.begin(), dims.end() - 1, dims.end());
        step("permute " + listed(axes), turned);
      }
      return;
    case 1:
      if (dims.size() > 1) {
        std::vector<std::string> left(dims.begin() + 1, dims.end());
        std::string at = d.chance(50) ? any() : std::to_string(d.below(2));
        step("fix 0 at " + at, left);
      }
      return;
    case 2: {
      std::vector<std::string> offsets, sizes;
      for (const std::string &e : dims) {
        int64_t extent = e == "?" ? 2 : std::stoll(e);
        int64_t size = d.between(1, std::max<int64_t>(extent, 1));
        sizes.push_back(std::to_string(size));
        offsets.push_back(
            std::to_string(d.below(std::max<int64_t>(extent - size, 0) + 1)));
      }
      return step("slice " + listed(offsets) + " size " + listed(sizes), sizes);
    }
    default: {
      std::vector<std::string> to(dims.begin() + 1, dims.end());
      std::string inner = d.pick({"1", "2", "2", "3"});
      int64_t extent = dims[0] == "?" ? 4 : std::stoll(dims[0]);
      std::string outer = std::to_string(extent / std::stoll(inner));
      to.insert(to.begin(), {outer, inner});
      return step("unfold 0 by [" + outer + ", " + inner + "]", to);
    }
    }
  }

  void claim() {
    std::vector<std::string> tile, index;
    std::string shape;
    for (size_t k = 0; k < dims.size(); ++k) {
      tile.push_back(d.pick({"_", "1", "2", "4"}));
      shape += tile.back() == "_" ? "" : tile.back() + "x";
      index.push_back(d.chance(60) ? w.constant(d.below(2)) : any());
    }
    std::string value = shape.empty()
                            ? tensor.element
                            : "vector<" + shape + tensor.element + ">";
    std::string one = shape.empty() ? "1" : "dense<1>";
    std::string part =
        w.op("tile.partition " + name + " by " + listed(tile) + " : " + type());
    std::string of = "!tile.partition<" + listed(tile) + ", " + listed(dims) +
                     " x " + tensor.element + ", " + tensor.mode + ">";
    std::string piece = w.op("tile.claim " + part + listed(index) + " : " + of);
    w.line("tile.store " + w.once("arith.constant " + one + " : " + value) +
           ", " + piece + " : !tile.piece<" + listed(tile) + " x " +
           tensor.element + ", " + tensor.mode.substr(0, 3) + ">");
  }
};
} // namespace

void writeViewClaim(Writer &w, Draw &d, const Tensor &t,
                    const std::function<std::string()> &any) {
  size_t depth = w.depth();
  Chain chain{w, d, t, any, t.name, extentsOf(t)};
  chain.first();
  for (int64_t n = d.below(3); n > 0; --n) {
    chain.more();
  }
  chain.claim();
  w.closeTo(depth);
}

} // namespace girih::fuzz
