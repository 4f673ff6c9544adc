// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/unit/coq/RandomKernels.h"

#include "fuzz/generators/Draw.h"

namespace girih::test {
namespace {

/// A list and a table of integers about which something is given, loads of
/// both at indices that are loaded, too, claims at such places, and vectors of
/// what is read, and of where is written, at such lanes.
class Lookups {
public:
  explicit Lookups(uint64_t seed) : d(seed) {}

  std::string write() {
    list = d.pick<std::string>({"i8", "i16", "i32", "i64"});
    table = d.pick<std::string>({"i8", "i16", "i32", "i64"});
    wide = d.pick<std::string>({"_", "2"});
    mode = d.pick<std::string>({"own", "own", "out", "out partial"});
    kind = d.pick<std::string>({"add", "min", "max", "and", "or", "xor"});
    for (int64_t n = d.between(2, 6); n > 0; --n) {
      statement(2);
    }
    std::string many = d.chance(10) ? manyLoads() : "";
    return "!T = !tile.tensor<[N] x " + list + ", shared>\n" +
           "!U = !tile.tensor<[M, N] x " + table + ", shared>\n" +
           "!V = !tile.tensor<[1] x " + list + ", shared>\n" +
           "!C = !tile.tensor<[L] x i32, " + mode + ">\n" +
           "!H = !tile.tensor<[L] x i32, atomic<" + kind + ">>\n" +
           "!PT = !tile.partition<[_], [N] x " + list + ", shared>\n" +
           "!PU = !tile.partition<[_, _], [M, N] x " + table + ", shared>\n" +
           "!QT = !tile.partition<[8], [N] x " + list + ", shared>\n" +
           "!QU = !tile.partition<[" + wide + ", 8], [M, N] x " + table +
           ", shared>\n" + "!PV = !tile.partition<[_], [1] x " + list +
           ", shared>\n" + "!PC = !tile.partition<[_], [L] x i32, " + mode +
           ">\n" + "!P = !tile.piece<[_] x i32, " + mode.substr(0, 3) + ">\n" +
           "tile.kernel @lookups(%t: !T, %u: !U, %c: !C, %h: !H) "
           "symbols [s : index] grid [" +
           d.pick<std::string>({"1", "2", "s", "M"}) + ", " +
           d.pick<std::string>({"1", "2", "N"}) + "]" + facts() + " {\n" +
           "  %c0 = arith.constant 0 : index\n"
           "  %c1 = arith.constant 1 : index\n"
           "  %c5 = arith.constant 5 : index\n"
           "  %seven = arith.constant 7 : i32\n"
           "  %i = tile.block_id 0\n"
           "  %j = tile.block_id 1\n"
           "  %s = tile.symbol \"s\" : index\n"
           "  %pt = tile.partition %t by [_] : !T\n"
           "  %pu = tile.partition %u by [_, _] : !U\n"
           "  %qt = tile.partition %t by [8] : !T\n"
           "  %qu = tile.partition %u by [" +
           wide +
           ", 8] : !U\n"
           "  %lanes = tile.iota 0 : vector<8xindex>\n"
           "  %pc = tile.partition %c by [_] : !C\n" +
           body + many + "}\n";
  }

private:
  fuzz::Draw d;
  std::string list, table, wide, mode, kind, body;
  std::vector<std::string> indices{"%c0", "%c0", "%c1", "%i", "%j", "%s"};
  /// Vectors of `index`: name and shape, which has eight or sixteen lanes.
  using Vector = std::pair<std::string, std::string>;
  std::vector<Vector> vectors{{"%lanes", "8"}};
  size_t names = 0;

  std::string define(const std::string &what) {
    std::string name = "%v" + std::to_string(names++);
    body += "  " + name + " = " + what + "\n";
    return name;
  }

  std::string bound() {
    return d.pick<std::string>({"0", "0", "N", "L", "s + 1", "M * 2",
                                "ceildiv(N, 2)", "max(M, N) - 1", "-3", "9"});
  }
  std::string fact() {
    switch (d.below(6)) {
    case 0:
    case 1:
      return "within(" + d.pick<std::string>({"%t", "%u"}) + ", " + bound() +
             ", " + bound() + ")";
    case 2:
      return "within(" + d.pick<std::string>({"%t", "%u"}) + ", 0, " +
             d.pick<std::string>({"M", "N", "L"}) + ")";
    case 3:
      return "sorted(%t)";
    case 4:
      return "splits(%t, " + d.pick<std::string>({"N", "L", "s"}) + ")";
    default:
      return "distinct(" + d.pick<std::string>({"%t", "%u"}) + ")" +
             d.pick<std::string>({"", " assumed"});
    }
  }
  std::string facts() {
    std::string text;
    for (int64_t n = d.below(4); n > 0; --n) {
      text += (text.empty() ? "" : ", ") + fact();
    }
    return text.empty() ? "" : " given [" + text + "]";
  }

  void toIndex(const std::string &value, const std::string &type) {
    indices.push_back(
        define("arith.index_cast " + value + " : " + type + " to index"));
  }

  void lookUp() {
    switch (d.below(4)) {
    case 0:
    case 1:
      return toIndex(define("tile.load %pt[" + d.pick(indices) + "] : !PT"),
                     list);
    case 2:
      return toIndex(define("tile.load %pu[" + d.pick(indices) + ", " +
                            d.pick(indices) + "] : !PU"),
                     table);
    default: {
      std::string view =
          define("tile.view %t slice [" + d.pick(indices) + "] size [1] : !T");
      std::string part = define("tile.partition " + view + " by [_] : !V");
      return toIndex(define("tile.load " + part + "[%c0] : !PV"), list);
    }
    }
  }

  static std::string vectorOf(const std::string &shape, const std::string &of) {
    return "vector<" + shape + "x" + of + ">";
  }
  void addVector(const std::string &what, const std::string &shape) {
    vectors.emplace_back(define(what), shape);
  }
  void toIndices(const std::string &value, const std::string &shape,
                 const std::string &type) {
    addVector("arith.index_cast " + value + " : " + vectorOf(shape, type) +
                  " to " + vectorOf(shape, "index"),
              shape);
  }
  std::string everywhere(const std::string &shape) {
    return define("vector.broadcast " + d.pick(indices) + " : index to " +
                  vectorOf(shape, "index"));
  }

  /// A mask and its type, or none.
  std::pair<std::string, std::string> lessLanes(const std::string &at,
                                                const std::string &shape) {
    if (!d.chance(70)) {
      return {};
    }
    std::string other = everywhere(shape);
    std::string how = d.pick<std::string>({"slt", "sge", "eq"});
    std::string mask = define("arith.cmpi " + how + ", " + at + ", " + other +
                              " : " + vectorOf(shape, "index"));
    return {", " + mask, ", " + vectorOf(shape, "i1")};
  }

  std::string pad() {
    return " pad(" + d.pick<std::string>({"zero", "zero", "-1", "3", "9"}) +
           ")";
  }

  void useLanes() {
    auto [at, shape] = d.pick(vectors);
    std::string type = vectorOf(shape, "index");
    switch (d.below(8)) {
    case 0:
      return toIndices(
          define("tile.load %qt[" + d.pick(indices) + "]" + pad() + " : !QT"),
          "8", list);
    case 1:
      return toIndices(define("tile.load %qu[" + d.pick(indices) + ", " +
                              d.pick(indices) + "]" + pad() + " : !QU"),
                       wide == "_" ? "8" : wide + "x8", table);
    case 2: {
      bool isEight = shape == "8" || shape.ends_with("x1") || shape == "2x4";
      std::string to = isEight ? d.pick<std::string>({"8", "8x1", "2x4"})
                               : d.pick<std::string>({"2x8", "4x2x2", "16"});
      return addVector("vector.shape_cast " + at + " : " + type + " to " +
                           vectorOf(to, "index"),
                       to);
    }
    case 3: {
      std::string other = everywhere(shape);
      std::string op = d.pick<std::string>({"addi", "subi", "minsi", "maxsi"});
      return addVector("arith." + op + " " + at + ", " + other + " : " + type,
                       shape);
    }
    case 4:
    case 5: {
      auto [mask, maskType] = lessLanes(at, shape);
      std::string value =
          define("arith.constant dense<7> : " + vectorOf(shape, "i32"));
      bool isAtomic = d.chance(40);
      body += (isAtomic ? "  tile.atomic_scatter " + kind : "  tile.scatter") +
              " " + value + (isAtomic ? ", %h[" : ", %c[") + at + "]" + mask +
              " : " + vectorOf(shape, "i32") +
              (isAtomic ? ", !H, " : ", !C, ") + type + maskType + "\n";
      return;
    }
    default: {
      auto [mask, maskType] = lessLanes(at, shape);
      std::string padding = mask.empty() ? "" : pad();
      return toIndices(define("tile.gather %t[" + at + "]" + mask + padding +
                              " : !T, " + type + maskType),
                       shape, list);
    }
    }
  }

  /// More of one tensor than are compared with each other.
  std::string manyLoads() {
    std::string before;
    std::swap(before, body);
    for (int n = 0; n < 11; ++n) {
      toIndex(define("tile.load %pt[" + d.pick(indices) + "] : !PT"), list);
    }
    std::swap(before, body);
    return before;
  }

  void region(int depth) {
    std::vector<std::string> outside = indices;
    std::vector<Vector> outsideVectors = vectors;
    for (int64_t n = d.between(1, 3); n > 0; --n) {
      statement(depth - 1);
    }
    indices = outside;
    vectors = outsideVectors;
    body += "  }\n";
  }

  void statement(int depth) {
    if (d.chance(30)) {
      return useLanes();
    }
    int64_t kind = d.below(depth > 0 ? 10 : 7);
    if (kind < 4) {
      return lookUp();
    }
    if (kind == 4) {
      indices.push_back(define("arith.addi " + d.pick(indices) + ", " +
                               d.pick(indices) + " : index"));
      return;
    }
    if (kind < 7) {
      std::string piece =
          define("tile.claim %pc[" + d.pick(indices) + "] : !PC");
      body += "  tile.store %seven, " + piece + " : !P\n";
      return;
    }
    if (kind == 7) {
      std::string few =
          define("arith.minsi " + d.pick(indices) + ", %c5 : index");
      std::string trip = "%v" + std::to_string(names++);
      body += "  scf.for " + trip + " = %c0 to " + few + " step %c1 {\n";
      indices.push_back(trip);
      region(depth);
      std::erase(indices, trip);
      return;
    }
    std::string less = define("arith.cmpi slt, " + d.pick(indices) + ", " +
                              d.pick(indices) + " : index");
    body += "  scf.if " + less + " {\n";
    region(depth);
  }
};

} // namespace

fuzz::Sample lookupKernel(uint64_t seed) {
  fuzz::Sample s;
  s.seed = seed;
  s.text = Lookups(seed).write();
  s.box.symbols.push_back({"M", {0, 1, 2, 3, 4}});
  s.box.symbols.push_back({"N", {0, 1, 2, 3, 5, 8}});
  s.box.symbols.push_back({"L", {0, 1, 4, 6, 9}});
  s.box.symbols.push_back({"s", {0, 1, 2, 3}});
  return s;
}

} // namespace girih::test
