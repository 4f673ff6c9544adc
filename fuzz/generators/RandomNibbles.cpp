// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels on elements of 4 bits: blocks that write stretches, rows, digits and
// halves of a tensor through views, where some of what keeps their bytes apart
// is left out at random.

#include "fuzz/generators/Draw.h"
#include "fuzz/generators/Generator.h"

namespace girih::fuzz {

namespace {
class RandomNibbles {
public:
  explicit RandomNibbles(uint64_t seed) : d(seed) {}

  Sample run(uint64_t seed) {
    element = d.pick<const char *>({"f4E2M1FN", "i4"});
    mode = d.pick<const char *>({"out partial", "out partial", "own", "out"});
    tile = d.pick({2, 4, 8});
    switch (d.below(4)) {
    case 0:
      stretches();
      break;
    case 1:
      rows();
      break;
    case 2:
      digits();
      break;
    default:
      halves();
    }
    return {seed, text(), Sample::Truth::Open, "", box};
  }

private:
  Draw d;
  std::string element, mode, dims, strides, symbols, grid, requires_, body;
  std::string types; ///< of views and partitions
  int64_t tile = 2;
  Box box;

  void symbol(const std::string &name, std::vector<int64_t> values,
              bool isExtent = true) {
    box.symbols.push_back({name, std::move(values)});
    if (!isExtent) {
      symbols += (symbols.empty() ? "" : ", ") + name + " : index";
    }
  }
  /// What is left out now and then.
  void require(const std::string &comparison, int percent) {
    if (d.chance(percent)) {
      requires_ += (requires_.empty() ? "" : ", ") + comparison;
    }
  }
  void line(const std::string &op) { body += "  " + op + "\n"; }
  std::string tensor(const std::string &extents) {
    return "tensor<[" + extents + "] x " + element + ", " + mode + ">";
  }
  /// A view, partitioned, and one tile of it claimed and written.
  void write(const std::string &of, const std::string &ofType,
             const std::string &view, const std::string &extents,
             const std::string &tiles, const std::string &index,
             const std::string &lanes) {
    std::string n = std::to_string(views++);
    types += "!V" + n + " = !tile." + tensor(extents) + "\n!P" + n +
             " = !tile.partition<[" + tiles + "], [" + extents + "] x " +
             element + ", " + mode + ">\n!Q" + n + " = !tile.piece<[" + tiles +
             "] x " + element + ", " + mode.substr(0, 3) + ">\n";
    line("%v" + n + " = tile.view " + of + " " + view + " : " + ofType);
    line("%p" + n + " = tile.partition %v" + n + " by [" + tiles + "] : !V" +
         n);
    line("%q" + n + " = tile.claim %p" + n + "[" + index + "] : !P" + n);
    line("%x" + n + " = arith.constant dense<1" +
         (element[0] == 'f' ? ".0" : "") + "> : vector<" + lanes + "x" +
         element + ">");
    line("tile.store %x" + n + ", %q" + n + " : !Q" + n);
  }
  size_t views = 0;

  /// Block b writes n elements from b * n on, or from a little further.
  void stretches() {
    dims = "N";
    symbol("N", {0, 1, 2, 4, 5, 6, 9, 12});
    symbol("n", {0, 1, 2, 3, 4, 6}, false);
    symbol("B", {0, 1, 2, 3}, false);
    int64_t off = d.pick({0, 0, 1, 2});
    require("mod(N, 2) == 0", 80);
    require(d.chance(50) ? "mod(n, 2) == 0" : "mod(n, 4) == 0", 60);
    require("B * n + " + std::to_string(off) + " <= N", 95);
    grid = "B, ceildiv(n, " + std::to_string(tile) + ")";
    line("%n = tile.symbol \"n\" : index");
    line("%off = arith.constant " + std::to_string(off) + " : index");
    line("%start = arith.muli %b, %n : index");
    line("%first = arith.addi %start, %off : index");
    write("%c", "!C", "slice [%first] size [n]", "n", std::to_string(tile),
          "%j", std::to_string(tile));
  }

  /// Block b writes row b, whose rows lie ld apart.
  void rows() {
    dims = "M, N";
    strides = ", strides [ld, 1]";
    symbol("M", {0, 1, 2, 3});
    symbol("N", {0, 1, 2, 3, 4, 6});
    symbol("ld", {0, 1, 2, 3, 4, 5, 6, 8}, false);
    require("mod(N, 2) == 0", 85);
    require("mod(ld, 2) == 0", 70);
    require("ld >= N", 50);
    grid = "M, ceildiv(N, " + std::to_string(tile) + ")";
    write("%c", "!C", "fix 0 at %b", "N", std::to_string(tile), "%j",
          std::to_string(tile));
  }

  /// Block b writes digit b of an axis that is unfolded.
  void digits() {
    dims = "N";
    int64_t low = d.pick({1, 2, 3, 4, 6});
    symbol("N", {0, 2, 3, 4, 6, 8, 12});
    symbol("H", {0, 1, 2, 3}, false);
    std::string f = std::to_string(low);
    require("N == " + f + " * H", 95);
    require("mod(H, 2) == 0", 30);
    grid = "H, ceildiv(" + f + ", " + std::to_string(tile) + ")";
    write("%c", "!C", "unfold 0 by [H, " + f + "]", "H, " + f,
          "_, " + std::to_string(tile), "%b, %j", std::to_string(tile));
  }

  /// Block 0 writes what is before h, block 1 what is behind, or all turned.
  void halves() {
    dims = "M, N";
    symbol("M", {0, 1, 2});
    symbol("N", {0, 1, 2, 4, 6, 8});
    symbol("h", {0, 1, 2, 3, 4}, false);
    require("mod(N, 2) == 0", 85);
    require("mod(h, 2) == 0", 60);
    require("h <= N", 95);
    std::string t = std::to_string(tile);
    grid = "2, ceildiv(N, " + t + ")";
    line("%n = tile.symbol \"N\" : index");
    line("%h = tile.symbol \"h\" : index");
    line("%rest = arith.subi %n, %h : index");
    line("%left = arith.cmpi eq, %b, %c0 : index");
    line("%first = arith.select %left, %c0, %h : index");
    line("%size = arith.select %left, %h, %rest : index");
    line("%m = tile.symbol \"M\" : index");
    types += "!S = !tile." + tensor("M, ?") + "\n";
    line("%s = tile.view %c slice [0, %first] size [M, %size] : !C");
    std::string tiles = t + ", 1";
    line("%tall = arith.ceildivsi %size, %tile : index");
    line("%inside = arith.cmpi slt, %j, %tall : index");
    line("%some = arith.cmpi slt, %c0, %m : index");
    line("%both = arith.andi %inside, %some : i1");
    line("scf.if %both {");
    write("%s", "!S", "permute [1, 0]", "?, M", tiles, "%j, %c0", t + "x1");
    line("}");
  }

  std::string text() const {
    std::string t = "!C = !tile.tensor<[" + dims + "] x " + element + ", " +
                    mode + strides + ">\n" + types +
                    "tile.kernel @nibbles(%c: !C)";
    t += symbols.empty() ? "" : " symbols [" + symbols + "]";
    t += " grid [" + grid + "]";
    t += requires_.empty() ? "" : " requires [" + requires_ + "]";
    return t +
           " {\n  %c0 = arith.constant 0 : index\n  %tile = "
           "arith.constant " +
           std::to_string(tile) +
           " : index\n  %b = tile.block_id 0\n  %j = tile.block_id 1\n" + body +
           "}\n";
  }
};
} // namespace

Sample randomNibbles(uint64_t seed) { return RandomNibbles(seed).run(seed); }

} // namespace girih::fuzz
