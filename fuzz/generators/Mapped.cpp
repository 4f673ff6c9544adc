// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fuzz/generators/Mapped.h"

namespace girih::fuzz {

namespace {

/// The text of a map; its parameters are %m and %n, or %n and a small %k.
struct Map {
  std::string first; ///< of the parameters: the other is %n
  std::string body;
  int values = 0;

  explicit Map(const std::string &first) : first(first) { start(); }

  void start() {
    for (const std::string &name : {first, std::string("n")}) {
      line("%" + name + " = tile.symbol \"" + name + "\" : index");
    }
    line("%one = arith.constant 1 : index");
  }
  void line(const std::string &text) { body += "  " + text + "\n"; }
  std::string op(const std::string &name, const std::string &a,
                 const std::string &b) {
    std::string v = "%v" + std::to_string(values++);
    line(v + " = arith." + name + " " + a + ", " + b + " : index");
    return v;
  }
  std::string less(const std::string &a, const std::string &b) {
    return op("cmpi slt,", a, b);
  }
  std::string select(const std::string &flag, const std::string &a,
                     const std::string &b) {
    std::string v = "%v" + std::to_string(values++);
    line(v + " = arith.select " + flag + ", " + a + ", " + b + " : index");
    return v;
  }
};

/// n - 1 - p.
std::string turnedRound(Map &map, const std::string &p) {
  return map.op("subi", map.op("subi", "%n", "%one"), p);
}

} // namespace

std::string writeMapped(Writer &w, Draw &d, const std::string &b,
                        const std::string &n) {
  Map map("k");
  bool rotates = d.chance(50);
  bool late = d.mutate("map one further");
  if (rotates) { // p + k, or p - (n - k) once that is past the end
    std::string turn = map.op("subi", "%n", "%k");
    std::string q = map.select(map.less("%p", turn), map.op("addi", "%p", "%k"),
                               map.op("subi", "%p", turn));
    map.line("tile.yield " + (late ? map.op("addi", q, "%one") : q));
    map.body += "} inverse (%q) {\n";
    map.start();
    std::string back = map.op("subi", "%n", "%k");
    std::string p = map.select(map.less("%q", "%k"), map.op("addi", "%q", back),
                               map.op("subi", "%q", "%k"));
    map.line("tile.yield " + p);
  } else {
    std::string q = turnedRound(map, "%p");
    map.line("tile.yield " + (late ? map.op("addi", q, "%one") : q));
    map.body += "} inverse (%q) {\n";
    map.start();
    map.line("tile.yield " + turnedRound(map, "%q"));
  }
  std::string name =
      w.map("(%p) [k, n] -> (index) from [n] into [n] bijective", map.body);
  // No more than n: the map's turn is between its ends.
  std::string k = w.once("arith.minsi " + n + ", " +
                         w.constant(d.between(1, 3)) + " : index");
  return w.op("tile.apply " + name + "(" + b + ") [" + k + ", " + n +
              "] : index");
}

std::string writeCalled(Writer &w, Draw &d, const std::string &b,
                        const std::string &n) {
  auto call = [&](const std::string &name, const std::string &x,
                  const std::string &y) {
    return "func.call " + name + "(" + x + ", " + y +
           ") : (index, index) -> index";
  };
  std::string head = "(%x: index, %y: index) -> index";
  std::string less = w.function(head, "  %r = arith.subi %x, %y : index\n"
                                      "  func.return %r : index\n");
  std::string last = d.mutate("helper forgets one") ? "0" : "1";
  std::string back =
      w.function(head, "  %one = arith.constant " + last +
                           " : index\n  %last = " + call(less, "%x", "%one") +
                           "\n  %r = " + call(less, "%last", "%y") +
                           "\n  func.return %r : index\n");
  std::string q = w.op(call(back, n, b));
  return d.chance(30) ? w.op(call(back, n, q)) : q;
}

std::pair<std::string, std::string> writeMapped(Writer &w, Draw &d,
                                                const std::string &b,
                                                const std::string &m,
                                                const std::string &n) {
  Map map("m");
  bool byColumns = d.chance(40), snake = !byColumns && d.chance(40);
  bool wrong = d.mutate("map divides by the other count");
  std::string i, j;
  if (byColumns) {
    std::string by = wrong ? "%n" : "%m";
    i = map.op("remsi", "%p", by);
    j = map.op("divsi", "%p", by);
  } else {
    std::string by = wrong ? "%m" : "%n";
    i = map.op("divsi", "%p", by);
    j = map.op("remsi", "%p", by);
  }
  // Every row but the first backwards.
  auto turn = [&](const std::string &row, const std::string &column) {
    return map.select(map.less(row, "%one"), column, turnedRound(map, column));
  };
  map.line("tile.yield " + i + ", " + (snake ? turn(i, j) : j));
  map.body += "} inverse (%i, %j) {\n";
  map.start();
  if (byColumns) {
    map.line("tile.yield " + map.op("addi", map.op("muli", "%j", "%m"), "%i"));
  } else {
    std::string column = snake ? turn("%i", "%j") : "%j";
    map.line("tile.yield " +
             map.op("addi", map.op("muli", "%i", "%n"), column));
  }
  std::string name = w.map("(%p) [m, n] -> (index, index) from [m * n] into "
                           "[m, n] bijective",
                           map.body);
  std::string row = w.fresh(), column = w.fresh();
  w.line(row + ", " + column + " = tile.apply " + name + "(" + b + ") [" + m +
         ", " + n + "] : index, index");
  return {row, column};
}

} // namespace girih::fuzz
