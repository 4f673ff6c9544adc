// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fuzz/generators/Rotation.h"

namespace girih::fuzz {

/// Elements of the tensor that numbers are read from: all that any index
/// modulo it reaches.
static constexpr int64_t numbers = 4;

std::string loadNumber(Writer &w, const std::string &at,
                       const std::string &type) {
  Axis a;
  a.extent = std::to_string(numbers);
  a.constant = numbers;
  a.unit = true;
  Tensor &t = w.tensor({a}, "shared", type);
  std::string i = w.binary("remsi", at, w.constant(numbers));
  std::string x =
      w.op("tile.load " + t.partition() + "[" + i + "] : " + t.partitionType());
  return w.op("arith.index_cast " + x + " : " + type + " to index");
}

std::string rotated(Writer &w, Draw &d, const std::string &number,
                    const std::string &t, const std::string &n) {
  std::string one = w.constant(1);
  if (d.chance(75)) { // backwards, if so
    std::string last = w.binary("subi", n, one);
    std::string back = w.binary("subi", last, t);
    std::string flag =
        w.compare(d.pick({"sge", "slt"}), number, w.constant(d.between(1, 2)));
    if (d.chance(80)) {
      return w.op("arith.select " + flag + ", " + back + ", " + t + " : index");
    }
    std::string result = w.fresh();
    w.open(result + " = scf.if " + flag + " -> (index)",
           "scf.yield " + t + " : index");
    w.line("scf.yield " + back + " : index");
    w.otherwise();
    w.close();
    return result;
  }
  // From tile k on, round the end.
  std::string k =
      w.binary("minsi", w.binary("maxsi", number, w.constant(0)), n);
  std::string rest = w.binary("subi", n, k);
  std::string low = w.compare("slt", t, rest);
  std::string up = w.binary("addi", t, k);
  std::string down = w.binary("subi", t, rest);
  return w.op("arith.select " + low + ", " + up + ", " + down + " : index");
}

/// A number that every block and trip finds alike. Mostly one that the checker
/// knows to be: it takes what is loaded, even once, for any number each time.
static std::string steady(Writer &w, Draw &d) {
  if (d.chance(10)) {
    return loadNumber(w, w.constant(d.between(0, numbers - 1)),
                      d.pick({"i8", "i32", "i64"}));
  }
  w.symbol("turn", {0, 1, 2, 3});
  return w.symbolValue("turn");
}

std::string writeRotatedLoop(Writer &w, Draw &d, const std::string &n) {
  std::string number = steady(w, d), k = w.fresh();
  std::string head = "scf.for " + k + " = " + w.constant(0) + " to " + n +
                     " step " + w.constant(1);
  bool carriesSame = d.chance(8);
  bool carries = d.mutate("rotated by what the loop carries");
  if (carries || carriesSame) {
    std::string result = w.fresh(), carried = w.fresh();
    w.open(result + " = " + head + " iter_args(" + carried + " = " + number +
               ") -> (index)",
           "scf.yield " + (carries ? k : carried) + " : index");
    return rotated(w, d, carried, k, n);
  }
  w.open(head);
  if (d.mutate("rotated by what each trip loads")) {
    number = loadNumber(w, k);
  }
  return rotated(w, d, number, k, n);
}

std::string writeRotatedBlock(Writer &w, Draw &d, const std::string &b,
                              const std::string &n) {
  std::string number = steady(w, d);
  if (d.mutate("rotated by what each block loads")) {
    number = loadNumber(w, b);
  }
  return rotated(w, d, number, b, n);
}

std::string writePicked(Writer &w, Draw &d, const std::string &n) {
  std::string x = loadNumber(w, w.constant(d.between(0, numbers - 1)));
  std::string zero = w.constant(0);
  if (d.chance(50)) { // clamped, where there is a tile
    w.open("scf.if " + w.compare("sgt", n, zero));
    std::string last = w.binary("subi", n, w.constant(1));
    if (!d.mutate("clamp dropped")) {
      x = w.binary("minsi", x, last);
    }
    return d.mutate("clamp dropped") ? x : w.binary("maxsi", x, zero);
  }
  std::string inside = w.compare("slt", x, n);
  if (!d.mutate("lower half of the guard dropped")) {
    inside = w.op("arith.andi " + w.compare("sge", x, zero) + ", " + inside +
                  " : i1");
  }
  w.open("scf.if " + inside);
  return x;
}

} // namespace girih::fuzz
