// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/unit/coq/RandomKernels.h"

#include "fuzz/generators/Draw.h"

#include <algorithm>

namespace girih::test {
namespace {

using Texts = std::vector<std::string>;

std::string listText(const Texts &items) {
  std::string out = "[";
  for (size_t k = 0; k < items.size(); ++k) {
    out += (k ? ", " : "") + items[k];
  }
  return out + "]";
}

/// A tensor, views of it and of these at random, and a tile of some.
class Views {
public:
  explicit Views(uint64_t seed) : d(seed) {}

  std::string write() {
    mode = d.pick<std::string>({"own", "own", "out partial", "out", "shared"});
    Texts dims;
    for (int64_t n = d.between(1, 3); n > 0; --n) {
      dims.push_back(d.pick<std::string>({"M", "N", "4", "6", "12"}));
    }
    size_t rank = dims.size();
    std::string type = tensorType(dims), symbols = "s : index";
    for (const char *name : {"M", "N"}) {
      symbols += std::ranges::count(dims, name)
                     ? ""
                     : std::string(", ") + name + " : index";
    }
    tensors.push_back({"%t", type, dims});
    for (int64_t n = d.between(1, 4); n > 0; --n) {
      view(d.chance(70) ? tensors.back() : d.pick(tensors));
    }
    for (int64_t n = d.between(1, 2); n > 0; --n) {
      tile(d.chance(70) ? tensors.back() : d.pick(tensors));
    }
    return types + "tile.kernel @views(%t: " + type + ") symbols [" + symbols +
           "] grid [" + d.pick<std::string>({"1", "2", "s", "M"}) + ", " +
           d.pick<std::string>({"1", "2", "3", "N"}) + "]" + clause(rank) +
           " {\n" +
           "  %c0 = arith.constant 0 : index\n"
           "  %c1 = arith.constant 1 : index\n"
           "  %c2 = arith.constant 2 : index\n"
           "  %i = tile.block_id 0\n"
           "  %j = tile.block_id 1\n"
           "  %s = tile.symbol \"s\" : index\n"
           "  %i2 = arith.muli %i, %c2 : index\n" +
           body + "}\n";
  }

private:
  struct Tensor {
    std::string name, type;
    Texts dims;
  };
  fuzz::Draw d;
  std::string mode, types, body;
  std::vector<Tensor> tensors;
  size_t names = 0;

  std::string alias(const std::string &type) {
    std::string name = "!T" + std::to_string(names++);
    types += name + " = " + type + "\n";
    return name;
  }
  std::string tensorType(const Texts &dims) {
    return alias("!tile.tensor<" + listText(dims) + " x i32, " + mode + ">");
  }
  std::string define(const std::string &what) {
    std::string name = "%v" + std::to_string(names++);
    body += "  " + name + " = " + what + "\n";
    return name;
  }

  /// Blocks of an element, or a tile, right or wrong.
  std::string clause(size_t rank) {
    if (mode != "out" || d.chance(50)) {
      return "";
    }
    Texts indices, blocks;
    for (size_t k = 0; k < rank; ++k) {
      indices.push_back("e" + std::to_string(k));
    }
    for (int axis = 0; axis < 2; ++axis) {
      std::string e = d.pick(indices);
      blocks.push_back(d.pick<std::string>(
          {"0", "0", e, e, "div(" + e + ", 2)", "mod(" + e + ", 3)",
           "div(" + e + ", s)", "ceildiv(" + e + ", 2) - s",
           "min(" + e + ", M - 1)"}));
    }
    return " covers [%t" + listText(indices) + " by block (" + blocks[0] +
           ", " + blocks[1] + ")]";
  }

  std::string number() {
    return d.pick<std::string>(
        {"0", "0", "0", "1", "2", "3", "M", "s", "%i", "%i2", "%j", "%s"});
  }
  Texts factors(const std::string &extent) {
    if (d.chance(10)) {
      return {d.pick<std::string>({"2", "3", "200", "s"}), "2"};
    }
    if (extent == "4") {
      return {"2", "2"};
    }
    if (extent == "6") {
      return d.chance(50) ? Texts{"3", "2"} : Texts{"2", "3"};
    }
    if (extent == "12") {
      return d.chance(50) ? Texts{"3", "2", "2"} : Texts{"6", "2"};
    }
    std::string whole = extent == "?" ? "s" : extent;
    return d.chance(50) ? Texts{whole, "1"} : Texts{"1", whole};
  }

  void view(const Tensor of) {
    Texts dims = of.dims;
    size_t axis = static_cast<size_t>(d.below(std::ssize(dims)));
    std::string step;
    switch (d.below(4)) {
    case 0: {
      Texts offsets, sizes;
      for (std::string &extent : dims) {
        bool whole = extent != "?" && d.chance(50);
        offsets.push_back(whole ? "0" : number());
        sizes.push_back(whole ? extent : number());
        extent = sizes.back()[0] == '%' ? "?" : sizes.back();
      }
      step = "slice " + listText(offsets) + " size " + listText(sizes);
      break;
    }
    case 1: {
      Texts axes, turned;
      for (size_t k = 0; k < dims.size(); ++k) {
        size_t from = (k + axis) % dims.size();
        axes.push_back(std::to_string(from));
        turned.push_back(dims[from]);
      }
      step = "permute " + listText(axes);
      dims = turned;
      break;
    }
    case 2: {
      Texts by = factors(dims[axis]);
      step = "unfold " + std::to_string(axis) + " by " + listText(by);
      auto at = dims.begin() + static_cast<std::ptrdiff_t>(axis);
      dims.insert(dims.erase(at), by.begin(), by.end());
      break;
    }
    default:
      if (dims.size() == 1) {
        return;
      }
      step = "fix " + std::to_string(axis) + " at " + number();
      dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis));
    }
    std::string name =
        define("tile.view " + of.name + " " + step + " : " + of.type);
    tensors.push_back({name, tensorType(dims), dims});
  }

  void tile(const Tensor &of) {
    Texts tiles, index;
    std::string shape;
    for (size_t k = 0; k < of.dims.size(); ++k) {
      tiles.push_back(d.pick<std::string>({"_", "1", "2", "4"}));
      shape += tiles.back() == "_" ? "" : tiles.back() + "x";
      index.push_back(d.pick<std::string>(
          {"%c0", "%c0", "%c0", "%i", "%j", "%i", "%j", "%c1"}));
    }
    std::string value = shape.empty() ? "i32" : "vector<" + shape + "i32>";
    std::string by = listText(tiles);
    std::string type = alias("!tile.partition<" + by + ", " +
                             listText(of.dims) + " x i32, " + mode + ">");
    std::string part =
        define("tile.partition " + of.name + " by " + by + " : " + of.type);
    define("tile.num_tiles " + part + ", 0 : " + type);
    std::string pad = d.chance(70) ? " pad(zero)" : "";
    std::string at = part + listText(index);
    if (mode == "shared") {
      define("tile.load " + at + pad + " : " + type);
      return;
    }
    std::string piece = define("tile.claim " + at + " : " + type);
    std::string owner = mode == "own" ? "own" : "out";
    std::string pieceType =
        alias("!tile.piece<" + by + " x i32, " + owner + ">");
    std::string x =
        define("arith.constant " +
               std::string(shape.empty() ? "7" : "dense<7>") + " : " + value);
    if (mode == "own" && d.chance(50)) {
      x = define("tile.load " + piece + " pad(zero) : " + pieceType);
    }
    body += "  tile.store " + x + ", " + piece + " : " + pieceType + "\n";
    if (d.chance(30)) {
      define("tile.load " + piece + pad + " : " + pieceType);
    }
  }
};

} // namespace

fuzz::Sample viewKernel(uint64_t seed) {
  fuzz::Sample s;
  s.seed = seed;
  s.text = Views(seed).write();
  s.box.symbols.push_back({"M", {0, 1, 2, 3, 4, 5}});
  s.box.symbols.push_back({"N", {0, 1, 2, 3, 4, 5}});
  s.box.symbols.push_back({"s", {0, 1, 2, 3, 4}});
  return s;
}

} // namespace girih::test
