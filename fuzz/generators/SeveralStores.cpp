// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Outputs that several stores cover together, or leave a gap: trees of
// conditions with a store at most leaves, full tiles in a loop and then the
// ragged one, and branches that write tiles of other blocks.

#include "fuzz/generators/Draw.h"
#include "fuzz/generators/Generator.h"
#include "fuzz/generators/Inputs.h"
#include "fuzz/generators/Writer.h"

namespace girih::fuzz {

namespace {
class Stores {
public:
  explicit Stores(uint64_t seed) : d(seed), w("stores") {}

  Sample run(uint64_t seed) {
    switch (d.below(3)) {
    case 0:
      branches();
      break;
    case 1:
      tail();
      break;
    default:
      turned();
    }
    return w.openSample(seed);
  }

private:
  Draw d;
  Writer w;
  Tensor *out = nullptr;
  std::vector<std::string> numbers; ///< that conditions compare

  void output(size_t rank) {
    static const char *names[] = {"M", "N"};
    std::vector<Axis> axes;
    for (size_t i = 0; i < rank; ++i) {
      Axis a;
      a.tile = d.pick({1, 2, 4});
      a.extent = names[i];
      w.symbol(a.extent, {0, 1, a.tile, a.tile + 1, 2 * a.tile + 1, 9});
      axes.push_back(a);
    }
    out = &w.tensor(axes, "out", "i8");
    numbers = {w.constant(0), w.constant(1), w.constant(d.between(2, 4))};
    for (const Axis &a : axes) {
      numbers.push_back(w.symbolValue(a.extent));
    }
  }

  void store(const std::string &index) {
    std::string piece = w.op("tile.claim " + out->partition() + "[" + index +
                             "] : " + out->partitionType());
    w.line("tile.store " + w.filled(*out) + ", " + piece + " : " +
           out->pieceType());
  }

  std::string condition() {
    return w.compare(d.pick({"eq", "ne", "slt", "sle", "sgt", "sge"}),
                     d.pick(numbers), d.pick(numbers));
  }

  /// A store at most leaves.
  void tree(int64_t depth, const std::string &index) {
    if (depth == 0 || d.chance(15)) {
      if (d.chance(88)) {
        store(index);
      }
      return;
    }
    bool apart = d.chance(25);
    std::string a = d.pick(numbers), b = d.pick(numbers);
    w.open("scf.if " + (apart ? w.compare("slt", a, b) : condition()));
    tree(depth - 1, index);
    if (apart) { // the opposite, in a branch of its own
      w.close();
      w.open("scf.if " + w.compare(d.chance(85) ? "sge" : "sgt", a, b));
    } else {
      w.otherwise();
    }
    tree(depth - 1, index);
    w.close();
  }

  void branches() {
    output(size_t(d.between(1, 2)));
    std::string index;
    for (const Axis &a : out->axes) {
      std::string block = w.blockId(w.grid(a.count()));
      numbers.push_back(block);
      index += (index.empty() ? "" : ", ") + block;
    }
    if (d.chance(40)) {
      Tensor &flags = w.tensor({unitAxis("M")}, "shared", "i32");
      numbers.push_back(
          w.op("arith.index_cast " +
               w.op("tile.load " + flags.partition() + "[" + w.constant(0) +
                    "] : " + flags.partitionType()) +
               " : i32 to index"));
      w.require("M >= 1");
    }
    tree(d.between(1, 3), index);
  }

  static Axis unitAxis(const std::string &extent) {
    Axis a;
    a.extent = extent;
    a.unit = true;
    return a;
  }

  /// Rows: full tiles in a loop, then the ragged one.
  void tail() {
    output(2);
    std::string tile = std::to_string(out->axes[1].tile);
    std::string row = w.blockId(w.grid(out->axes[0].count()));
    std::string n = w.symbolValue("N"), t = w.constant(out->axes[1].tile);
    std::string full = w.op("arith.divsi " + n + ", " + t + " : index");
    std::string rest = w.op("arith.remsi " + n + ", " + t + " : index");
    std::string k = w.fresh();
    w.open("scf.for " + k + " = " +
           (d.chance(90) ? w.constant(0) : w.constant(1)) + " to " + full +
           " step " + (d.chance(90) ? w.constant(1) : w.constant(2)));
    store(row + ", " + k);
    w.close();
    bool asks = out->axes[1].tile > 1 || d.chance(90);
    if (asks) {
      w.open("scf.if " +
             w.compare(d.pick({"ne", "sgt", "sge", "sgt"}), rest,
                       d.chance(85) ? w.constant(0) : w.constant(1)));
    }
    store(row + ", " + full);
    if (asks) {
      w.close();
    }
  }

  /// Most blocks write the tile of the next one, the last one the first tile.
  void turned() {
    output(1);
    std::string i = w.blockId(w.grid(out->axes[0].count()));
    std::string last = w.binary("subi", w.gridDim(0), w.constant(1));
    std::string next = w.binary("addi", i, w.constant(1));
    w.open("scf.if " + w.compare(d.pick({"slt", "slt", "ne", "sle"}), i, last));
    store(next);
    w.close();
    w.open("scf.if " + w.compare(d.pick({"eq", "eq", "sge"}), i,
                                 d.chance(85) ? last : w.constant(0)));
    store(w.constant(0));
    w.close();
  }
};
} // namespace

Sample severalStores(uint64_t seed) { return Stores(seed).run(seed); }

} // namespace girih::fuzz
