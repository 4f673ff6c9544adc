// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launch symbols and expressions, headers of kernels, maps and variants.

#include "Recording.h"
#include <algorithm>
#include <cstring>

namespace girih::kernel::recorder {

static bool isReserved(const std::string &name) {
  static const std::set<std::string> words = {"x",
                                              "div",
                                              "mod",
                                              "ceildiv",
                                              "min",
                                              "max",
                                              "dense",
                                              "index",
                                              "vector",
                                              "none",
                                              "loc",
                                              "func",
                                              "array",
                                              "tensor",
                                              "tuple",
                                              "unit",
                                              "memref",
                                              "opaque",
                                              "sparse",
                                              "strided",
                                              "complex",
                                              "distinct",
                                              "attributes",
                                              "affine_map",
                                              "affine_set",
                                              "dense_resource",
                                              "unrealized_conversion_cast"};
  size_t digits = name.find_first_of("0123456789");
  std::string letters = name.substr(0, digits);
  static const std::set<std::string> types = {"i", "si", "ui", "f", "bf", "tf"};
  bool isType = digits != name.npos && types.count(letters) &&
                name.find_first_not_of("0123456789", digits) == name.npos;
  return isType || words.count(name) || name.starts_with("f8E") ||
         name.starts_with("f6E") || name.starts_with("f4E");
}

KernelData &Recording::kernel(Place at) {
  if (openedMap || kernels.empty() || kernels.back().body < 0) {
    throw Error(at, "a contract stands in a kernel's operator()");
  }
  return kernels.back();
}

//===-- Expressions -------------------------------------------------------===//

static Expression node(Recording &r, ExpressionData data) {
  r.expressions.push_back(std::move(data));
  return int(r.expressions.size()) - 1;
}

Expression symbol(const Sym &s, Element element) {
  return node(Recording::here(), {"", -1, -1, s, element});
}
void check(Recording &r, Expression id, Place at) {
  const ExpressionData e = r.expressions[id];
  if (!e.op.empty()) {
    check(r, e.x, at);
    check(r, e.y, at);
    return;
  }
  if (e.symbol.number >= 0) {
    return;
  }
  if (e.symbol.isDynamic()) {
    throw Error(at, "dynamic is an extent of a view, not a launch symbol");
  }
  std::string name = e.symbol.name;
  if (!isPlainName(name) || isReserved(name)) {
    throw Error(at, "'" + name +
                        "' cannot name a launch symbol: a letter, then "
                        "letters, digits and underscores, and no word of the "
                        "language");
  }
  auto [it, isNew] = r.symbolTypes.try_emplace(name, e.element);
  if (!isNew && it->second != e.element) {
    throw Error(at, "launch symbol " + name + " is both " + textOf(it->second) +
                        " and " + textOf(e.element));
  }
}
Expression expression(const char *op, Expression x, Expression y) {
  return node(Recording::here(), {op, x, y, 0, Element::Idx});
}

Value value(Expression e, Place at) {
  Recording &r = Recording::here(at);
  check(r, e, at);
  ExpressionData data = r.expressions[e];
  if (data.op.empty() && data.symbol.number >= 0) {
    return integer(Type{Element::Idx, 0, {}}, data.symbol.number, at);
  }
  if (data.op.empty()) {
    Type type{data.element, 0, {}};
    return r.hoisted(Hoist::Symbol, 0,
                     Form(std::string("tile.symbol \"") + data.symbol.name +
                          "\" : " + textOf(data.element)),
                     r.typeId(type), at, data.symbol.name);
  }
  static const std::map<std::string, const char *> ops = {
      {"+", "arith.addi"},    {"-", "arith.subi"},
      {"*", "arith.muli"},    {"div", "arith.divsi"},
      {"mod", "arith.remsi"}, {"ceildiv", "arith.ceildivsi"},
      {"min", "arith.minsi"}, {"max", "arith.maxsi"}};
  Value x = value(data.x, at), y = value(data.y, at);
  for (Expression side : {data.x, data.y}) {
    if (r.expressions[side].element != Element::Idx) {
      throw Error(at, std::string("launch symbol ") +
                          r.expressions[side].symbol.name + " is " +
                          textOf(r.expressions[side].element) +
                          ": in a body name its value, Scalar<i32> n = pos");
    }
  }
  TypeId index = r.typeId(Type{Element::Idx, 0, {}});
  Form form(std::string(ops.at(data.op)) + " ");
  form.value(x).text(", ").value(y).text(" : index");
  Value v = r.implied(std::move(form), index, at);
  r.values[v].definition->isOfSymbols = true;
  const ExpressionData &a = r.expressions[data.x], &b = r.expressions[data.y];
  if (data.op == "ceildiv" && a.op.empty() && b.op.empty() &&
      b.symbol.number >= 0) {
    r.tileCounts.push_back({v, textOf(a.symbol), b.symbol.number});
  }
  return v;
}

//===-- Headers -----------------------------------------------------------===//

void openKernel(const char *type, Place at) {
  Recording &r = Recording::here(at);
  KernelData &k = r.kernels.emplace_back();
  k.name = nameOfType(type);
  k.at = at;
  k.body = int(r.bodies.size());
  r.bodies.emplace_back();
  r.scopes.emplace_back();
  r.open(r.bodies.back().top, nullptr);
}
void closeKernel() {
  Recording &r = Recording::here();
  KernelData &k = r.kernels.back();
  if (r.scopes.back().size() != 1) {
    throw Error(r.scope().op->at, "break or return out of a traced loop, which "
                                  "runs as often as the launch says");
  }
  if (!k.hasGrid) {
    throw Error(k.at, "kernel " + k.name +
                          " has no grid: auto [i] = grid(M) says how many "
                          "blocks there are");
  }
  r.scopes.pop_back();
  if (!r.scopes.empty()) {
    throw Error(k.at, "a kernel is recorded within another");
  }
}

void grid(std::initializer_list<Expression> extents, Place at) {
  Recording &r = Recording::here(at);
  KernelData &k = r.kernel(at);
  if (k.hasGrid) {
    throw Error(at, "a kernel has one grid");
  }
  k.hasGrid = true;
  k.grid = extents;
  k.at = at; // in its body, where the one of record() need not be
  for (Expression e : extents) {
    check(r, e, at);
  }
}
Value blockId(int axis, Place at) {
  Recording &r = Recording::here(at);
  return r.hoisted(
      Hoist::BlockId, axis, Form("tile.block_id " + std::to_string(axis)),
      r.typeId(Type{Element::Idx, 0, {}}), at, "b" + std::to_string(axis));
}
Value gridDim(int axis, Place at) {
  Recording &r = Recording::here(at);
  KernelData &k = r.kernel(at);
  if (axis < 0 || axis >= int(k.grid.size())) {
    throw Error(at, "gridDim(" + std::to_string(axis) + "): the grid has " +
                        std::to_string(k.grid.size()) +
                        (k.grid.size() == 1 ? " axis" : " axes"));
  }
  return r.hoisted(Hoist::GridDim, axis,
                   Form("tile.grid_dim " + std::to_string(axis)),
                   r.typeId(Type{Element::Idx, 0, {}}), at, "blocks");
}
void require(const Comparison &c) {
  Recording &r = Recording::here(c.at);
  check(r, c.x, c.at);
  check(r, c.y, c.at);
  r.kernel(c.at).conditions.push_back(c);
}
void repack(Value tensor, std::initializer_list<Comparison> when, Place at) {
  Recording &r = Recording::here(at);
  KernelData &k = r.kernel(at);
  auto isIt = [&](const Argument &a) { return a.value == tensor; };
  if (std::none_of(k.arguments.begin(), k.arguments.end(), isIt)) {
    throw Error(at, "repack: copies are made of an argument, not of a view");
  }
  for (const Comparison &c : when) {
    check(r, c.x, at);
    check(r, c.y, at);
  }
  k.repack.push_back({tensor, when});
}
void given(const char *fact, Value tensor, const Expression *e, int count,
           bool isAssumed, Place at) {
  Recording &r = Recording::here(at);
  KernelData &k = r.kernel(at);
  auto isIt = [&](const Argument &a) { return a.value == tensor; };
  if (std::none_of(k.arguments.begin(), k.arguments.end(), isIt)) {
    throw Error(at, "a fact is given about an argument, not about a view");
  }
  std::string text = std::string(fact) + "(%" + r.values[tensor].name;
  for (int n = 0; n < count; ++n) {
    check(r, e[n], at);
    text += ", " + textOf(r, e[n]);
    k.givenExpressions.push_back(e[n]);
  }
  k.givens.push_back(text + (isAssumed ? ") assumed" : ")"));
}
void covers(Value tensor, int rank, std::initializer_list<Sym> tile,
            const Expression *blocks, int blockCount, const Expression *trips,
            int tripCount, Place at) {
  Recording &r = Recording::here(at);
  KernelData &k = r.kernel(at);
  if (int(tile.size()) != rank) {
    throw Error(at, "covers: a name for each of the " + std::to_string(rank) +
                        " axes, got " + std::to_string(tile.size()));
  }
  if (blockCount != int(k.grid.size())) {
    throw Error(at, "covers: a block has " + std::to_string(k.grid.size()) +
                        " coordinates, one for each axis of the grid, got " +
                        std::to_string(blockCount));
  }
  auto list = [&](const Expression *e, int count) {
    std::string text;
    for (int n = 0; n < count; ++n) {
      check(r, e[n], at);
      text += (n ? ", " : "") + textOf(r, e[n]);
      k.givenExpressions.push_back(e[n]);
    }
    return text;
  };
  std::string text = "%" + r.values[tensor].name + "[";
  for (const Sym &s : tile) {
    text += (&s == tile.begin() ? "" : ", ") + textOf(s);
    k.coverNames.insert(s.name);
  }
  text += "] by block (" + list(blocks, blockCount) + ")";
  if (tripCount) {
    text += " trips (" + list(trips, tripCount) + ")";
  }
  k.covers.push_back(text);
}
void hint(const char *target, const char *name, i64 value, Place at) {
  KernelData &k = Recording::here(at).kernel(at);
  auto &hints = k.hints[target];
  if (hints.empty()) {
    k.targets.push_back(target);
  }
  for (auto &[other, n] : hints) {
    if (other == name) {
      throw Error(at, std::string("hint ") + name + " of " + target +
                          " is given twice");
    }
  }
  if (!isPlainName(name) || !isPlainName(target)) {
    throw Error(at, "a hint has a target and a name: hint(\"sm_90\", "
                    "\"occupancy\", 2)");
  }
  hints.push_back({name, value});
}

//===-- Maps --------------------------------------------------------------===//

static void openBody(Recording &r, int &body, int arguments) {
  body = int(r.bodies.size());
  Body &b = r.bodies.emplace_back();
  r.scopes.emplace_back();
  r.open(b.top, nullptr);
  TypeId index = r.typeId(Type{Element::Idx, 0, {}});
  for (int k = 0; k < arguments; ++k) {
    Value v = r.fresh(index, {}, std::string(1, char('p' + k)));
    r.values[v].argumentOf = &b.top;
    b.top.arguments.push_back(v);
  }
}

bool openMap(const Map &map, Place at) {
  Recording &r = Recording::here(at);
  if (r.openedMap) {
    throw Error(at, "a map applies no other map");
  }
  std::string name = nameOfType(map.type);
  for (const MapData &m : r.maps) {
    if (m.name == name) {
      return false;
    }
  }
  MapData &m = r.maps.emplace_back();
  m.name = name;
  m.at = at;
  m.form = map;
  for (int k = 0; k < map.parameters; ++k) {
    m.parameters.push_back(map.symbols[k].name);
  }
  r.openedMap = &m;
  openBody(r, m.bodies[0], map.arguments);
  return true;
}
void mapExtents(bool into, const Expression *extents, int count) {
  MapData &m = *Recording::here().openedMap;
  (into ? m.into : m.from).assign(extents, extents + count);
}
Value mapArgument(int number) {
  Recording &r = Recording::here();
  return r.bodies[r.body()].top.arguments[number];
}
void closeMapRegion(const Value *yields, int count) {
  Recording &r = Recording::here();
  r.bodies[r.body()].top.yields.assign(yields, yields + count);
  if (r.scopes.back().size() != 1) {
    throw Error(r.scope().op->at, "a map has no loops and no branches");
  }
  r.scopes.pop_back();
}
void openInverse() {
  Recording &r = Recording::here();
  MapData &m = *r.openedMap;
  openBody(r, m.bodies[1], m.form.results);
}
void closeMap() { Recording::here().openedMap = nullptr; }

Value apply(const char *type, const Value *arguments, int argumentCount,
            const Value *parameters, int parameterCount, int results,
            Place at) {
  Recording &r = Recording::here(at);
  Form form("tile.apply @" + nameOfType(type) + "(");
  form.values(arguments, argumentCount).text(")");
  if (parameterCount) {
    form.text(" [").values(parameters, parameterCount).text("]");
  }
  std::string types;
  for (int k = 0; k < results; ++k) {
    types += k ? ", index" : " : index";
  }
  form.text(types);
  TypeId index = r.typeId(Type{Element::Idx, 0, {}});
  // An application owes what the map claims: it stays where it is.
  Value first = r.emit(std::move(form), index, Role::Floating, at);
  Op *op = r.values[first].definition;
  for (int k = 1; k < results; ++k) {
    Value v = r.fresh(index, at);
    r.values[v].definition = op;
    r.values[v].number = k;
    op->results.push_back(v);
  }
  return first;
}

//===-- Variants ----------------------------------------------------------===//

void variants(const char *type) {
  Recording::here().variantsName = nameOfType(type);
}
void when(const char *type, std::initializer_list<Comparison> conditions) {
  for (const Comparison &c : conditions) {
    check(Recording::here(), c.x, c.at);
    check(Recording::here(), c.y, c.at);
  }
  Recording &r = Recording::here();
  std::string name = nameOfType(type);
  for (const When &other : r.whens) {
    if (other.kernel == name) {
      throw Error(conditions.size() ? conditions.begin()->at : Place(),
                  "variant " + name +
                      " has its conditions already: one "
                      "`when` says all of them");
    }
  }
  r.whens.push_back({name, conditions});
}

} // namespace girih::kernel::recorder
