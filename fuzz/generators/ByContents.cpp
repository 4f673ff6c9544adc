// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Outputs whose contents of integer tensors tell who writes an element, or
// nobody: permutations, one number a block or one a lane, tables of slots, and
// segments that split an axis.

#include "fuzz/generators/Draw.h"
#include "fuzz/generators/Generator.h"
#include "fuzz/generators/Writer.h"

namespace girih::fuzz {

namespace {
class Contents {
public:
  explicit Contents(uint64_t seed) : d(seed), w("contents") {}

  Sample run(uint64_t seed) {
    w.symbol("N", {0, 1, 2, 3, 5, 9});
    switch (d.below(4)) {
    case 0:
      blocks();
      break;
    case 1:
      lanes();
      break;
    case 2:
      table();
      break;
    default:
      segments();
    }
    w.closeTo(0);
    return w.openSample(seed);
  }

private:
  Draw d;
  Writer w;

  static Axis axis(const std::string &extent, int64_t tile = 1) {
    Axis a;
    a.extent = extent;
    a.tile = tile;
    a.unit = tile == 1;
    return a;
  }

  std::string load(const Tensor &t, const std::string &at) {
    return w.op("tile.load " + t.partition() + "[" + at +
                "] : " + t.partitionType());
  }

  std::string cast(const std::string &x, const std::string &from = "i32",
                   const std::string &to = "index") {
    return w.op("arith.index_cast " + x + " : " + from + " to " + to);
  }

  void store(const Tensor &out, const std::string &at) {
    std::string piece = w.op("tile.claim " + out.partition() + "[" + at +
                             "] : " + out.partitionType());
    w.line("tile.store " + w.filled(out) + ", " + piece + " : " +
           out.pieceType());
  }

  /// The list names each number below the end once, but for a mistake.
  void permutes(const Tensor &t, const std::string &end) {
    std::string low = "0", high = end;
    if (d.chance(8)) {
      low = "1";
      high += " + 1";
    } else if (d.chance(10)) {
      high += " + 1";
    }
    w.given("within(" + t.name + ", " + low + ", " + high + ")");
    if (d.chance(90)) {
      w.given("distinct(" + t.name + ")");
    }
  }

  /// The extent of a list of this many numbers, or of one more or less.
  std::string length(const std::string &end) {
    if (end == "N" && d.chance(60)) {
      return end;
    }
    w.symbol("M", {0, 1, 2, 3, 5, 9});
    w.require(d.pick({"M == ", "M == ", "M >= ", "M <= ", "M + 1 >= "}) + end);
    return "M";
  }

  /// Where block or lane i looks.
  std::string place(const std::string &i, const std::string &n) {
    switch (d.below(4)) {
    case 0: { // from the end
      std::string last = w.binary("subi", w.symbolValue(n), w.constant(1));
      return w.binary("subi", last, i);
    }
    case 1:
      return d.chance(75) ? i : w.binary("divsi", i, w.constant(2));
    default:
      return i;
    }
  }

  void blocks() {
    bool tiled = d.chance(25);
    std::string end = tiled ? "ceildiv(N, 2)" : "N", n = length(end);
    Tensor &t = w.tensor({axis(n)}, "shared", "i32");
    std::vector<Axis> axes = {axis("N", tiled ? 2 : 1)};
    bool wide = d.chance(40);
    if (wide) {
      w.symbol("D", {0, 1, 3, 5});
      axes.push_back(axis("D", 4));
    }
    Tensor &out = w.tensor(axes, "out", "f32");
    permutes(t, end);
    std::string i = w.blockId(w.grid(n));
    std::string at = cast(load(t, place(i, n)));
    if (wide) {
      at += ", " + w.blockId(w.grid(axes[1].count()));
    }
    if (d.chance(20)) {
      w.open("scf.if " + w.compare("slt", i, w.symbolValue("N")));
    }
    store(out, at);
  }

  void lanes() {
    int64_t count = d.pick({2, 4});
    std::string c = std::to_string(count);
    auto typed = [&](const std::string &e) {
      return "vector<" + c + "x" + e + ">";
    };
    auto wide = [&](const std::string &x) {
      return w.op("vector.broadcast " + x + " : index to " + typed("index"));
    };
    std::string n = length("N");
    Tensor &t = w.tensor({axis(n, count)}, "shared", "i32");
    Tensor &out = w.tensor({axis("N", count)}, "out", "f32");
    permutes(t, "N");
    std::string i = w.blockId(w.grid("ceildiv(" + n + ", " + c + ")"));
    std::string first = wide(w.binary("muli", i, w.constant(count)));
    std::string row = w.binary(
        "addi", first, w.op("tile.iota 0 : " + typed("index")), typed("index"));
    std::string in = w.compare(d.chance(92) ? "slt" : "sle", row,
                               wide(w.symbolValue(n)), typed("index"));
    std::string to;
    if (d.chance(50)) {
      to = w.op("tile.load " + t.partition() + "[" + i +
                "] pad(zero) : " + t.partitionType());
    } else {
      std::string from = row;
      if (d.chance(40)) {
        std::string last = w.binary("subi", w.symbolValue(n), w.constant(1));
        from = w.binary("subi", wide(last), row, typed("index"));
      }
      to = w.op("tile.gather " + t.name + "[" + from + "], " + in +
                " pad(zero) : " + t.tensorType() + ", " + typed("index") +
                ", " + typed("i1"));
    }
    to = cast(to, typed("i32"), typed("index"));
    w.line("tile.scatter " + w.filled(out) + ", " + out.name + "[" + to +
           "], " + in + " : " + typed("f32") + ", " + out.tensorType() + ", " +
           typed("index") + ", " + typed("i1"));
  }

  void table() {
    w.symbol("A", {0, 1, 2, 3});
    w.symbol("B", {1, 2, 3});
    w.require(
        d.pick({"N == A * B", "N == A * B", "N <= A * B", "N == A * B + 1"}));
    Tensor &t = w.tensor({axis("A"), axis("B")}, "shared", "i32");
    Tensor &out = w.tensor({axis("N")}, "out", "f32");
    permutes(t, "N");
    std::string i = w.blockId(w.grid("A")), j = w.blockId(w.grid("B"));
    store(out, cast(load(t, i + ", " + j)));
  }

  void segments() {
    w.symbol("S", {1, 2, 3, 4});
    Tensor &t = w.tensor({axis("S")}, "shared", d.pick({"i32", "i64"}));
    w.given("splits(" + t.name + ", " + (d.chance(90) ? "N" : "max(N - 1, 0)") +
            ")");
    bool tiled = d.chance(40);
    Tensor &out = w.tensor({axis("N", tiled ? 2 : 1)}, "out", "f32");
    bool isOneBlock = d.chance(25);
    std::string count = "max(S - 1, 0)";
    std::string s;
    if (isOneBlock) {
      w.grid("1");
      std::string end = w.binary("subi", w.symbolValue("S"), w.constant(1));
      s = w.fresh();
      w.open("scf.for " + s + " = " + w.constant(d.chance(90) ? 0 : 1) +
             " to " + end + " step " + w.constant(1));
    } else {
      s = w.blockId(w.grid(d.chance(90) ? count : "max(S - 2, 0)"));
    }
    std::string next = w.binary("addi", s, w.constant(1));
    std::string low = cast(load(t, s), t.element),
                high = cast(load(t, next), t.element);
    if (tiled) {
      slice(out, low, high);
      return;
    }
    std::string k = w.fresh();
    bool back = d.chance(30);
    std::string step = w.constant(d.chance(90) ? 1 : 2);
    if (back) {
      std::string length = w.binary("subi", high, low);
      w.open("scf.for " + k + " = " + w.constant(0) + " to " + length +
             " step " + step);
      k = w.binary("subi", w.binary("subi", high, w.constant(1)), k);
    } else {
      w.open("scf.for " + k + " = " + low + " to " + high + " step " + step);
    }
    store(out, k);
  }

  /// The tiles of a segment, from its beginning.
  void slice(const Tensor &out, const std::string &low,
             const std::string &high) {
    std::string length = w.binary("subi", high, low);
    std::string type = "!tile.tensor<[?] x f32, out>",
                part = "!tile.partition<[2], [?] x f32, out>";
    std::string view = w.op("tile.view " + out.name + " slice [" + low +
                            "] size [" + length + "] : " + out.tensorType());
    std::string p = w.op("tile.partition " + view + " by [2] : " + type);
    std::string tiles = w.op("tile.num_tiles " + p + ", 0 : " + part);
    std::string k = w.fresh();
    w.open("scf.for " + k + " = " + w.constant(0) + " to " + tiles + " step " +
           w.constant(d.chance(90) ? 1 : 2));
    std::string piece = w.op("tile.claim " + p + "[" + k + "] : " + part);
    w.line("tile.store " + w.filled(out) + ", " + piece + " : " +
           out.pieceType());
  }
};
} // namespace

Sample byContents(uint64_t seed) { return Contents(seed).run(seed); }

} // namespace girih::fuzz
