// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a function of the bytecode to what it touches. Of values only integers,
// addresses and constants are followed; what is computed from floats or by a
// reduction is unknown.

#include "ir/types/Counted.h"
#include "lower/readback/Trace.h"

#include <algorithm>
#include <cstring>
#include <functional>

namespace girih::readback {

namespace {

struct NotFollowed {
  std::string why;
};

void need(bool condition, const std::string &why) {
  if (!condition) {
    throw NotFollowed{why};
  }
}

struct View {
  Memory base;
  std::vector<Expr> extents, strides;
};

/// Of a value, what is known of it.
struct Value {
  Expr number = nullptr; ///< lanes of an integer, or of addresses the offset
  std::optional<unsigned> address;   ///< of the parameter with that number
  std::optional<unsigned> parameter; ///< it is that parameter itself
  std::optional<View> view;
  Token token = 0;
  /// It is what that load gave, under another shape perhaps, and what comes
  /// next is all that uses it.
  std::optional<int64_t> soleOf;
  /// It is made of the bytes that that load gave and of nothing else: under
  /// another shape, repeated or shifted.
  std::optional<int64_t> bytesOf;
};

struct Follower {
  const Function &f;
  Pool &pool;
  Trace trace;
  std::vector<Value> values;
  std::vector<unsigned> uses; ///< of each value
  int64_t accesses = 0, regions = 0;
  Token tokens = 0;
  Events *out = nullptr;

  Follower(const Function &f, const std::vector<Expr> &parameters, Pool &pool)
      : f(f), pool(pool), values(f.types.size()), uses(f.types.size()) {
    countUses(f.ops);
    for (unsigned i = 0; i < f.parameters; ++i) {
      values[i].parameter = i;
      values[i].number = parameters[i];
      if (f.types[i].pointer) {
        values[i].address = i;
        values[i].number = pool.constant(0);
      }
    }
  }

  void countUses(const std::vector<Op> &ops) {
    for (const Op &op : ops) {
      for (const auto &[name, group] : op.operands) {
        for (unsigned v : group) {
          ++uses[v];
        }
      }
      for (const Region &region : op.regions) {
        countUses(region.ops);
      }
    }
  }

  /// What a value is to the load that gave it, where one op alone uses it.
  std::optional<int64_t> soleUse(unsigned v) const {
    return uses[v] == 1 ? values[v].soleOf : std::nullopt;
  }

  const std::vector<unsigned> &all(const Op &op, const char *name) {
    auto it = op.operands.find(name);
    need(it != op.operands.end(), std::string(op.name) + " lacks " + name);
    return it->second;
  }
  unsigned one(const Op &op, const char *name) {
    need(all(op, name).size() == 1, std::string(op.name) + " lacks " + name);
    return all(op, name)[0];
  }
  Value &value(const Op &op, const char *name) { return values[one(op, name)]; }
  const Type &type(const Op &op, const char *name) {
    return f.types[one(op, name)];
  }
  unsigned resultOf(const Op &op, size_t i = 0) {
    need(i < op.results.size(), std::string(op.name) + " lacks a result");
    return op.results[i];
  }
  const Type &result(const Op &op, size_t i = 0) {
    return f.types[resultOf(op, i)];
  }
  static const Attribute &attributeOf(const Op &op, const char *name) {
    auto it = op.attributes.find(name);
    need(it != op.attributes.end(), std::string(op.name) + " lacks " + name);
    return it->second;
  }
  static int64_t attribute(const Op &op, const char *name) {
    return attributeOf(op, name).number.value_or(0);
  }

  static bool isInteger(const Type &t) {
    return t.form == Type::Form::Tile && !t.pointer && t.bits > 0;
  }

  Expr number(const Op &op, const char *name) {
    need(isInteger(type(op, name)), std::string(op.name) + " of no integer");
    return value(op, name).number;
  }

  Expr constant(const Op &op) {
    const Type &t = result(op);
    const std::vector<uint8_t> &bytes = attributeOf(op, "value").bytes;
    unsigned size = t.bits                ? (t.bits + 7) / 8
                    : t.element == "f64"  ? 8
                    : t.element == "f32"  ? 4
                    : t.element[1] == '8' ? 1
                    : t.element[1] == '4' ? 1
                                          : 2;
    auto at = [&](size_t i) {
      uint64_t n = 0;
      std::memcpy(&n, bytes.data() + i * size, size);
      return static_cast<int64_t>(n);
    };
    uint64_t lanes = 1;
    for (int64_t n : t.shape) {
      lanes *= static_cast<uint64_t>(n);
    }
    if (t.bits == 1) {
      if (bytes.size() == 1 && (bytes[0] == 0 || bytes[0] == 0xFF)) {
        return pool.constant(bytes[0] ? -1 : 0);
      }
      need(bytes.size() == (lanes + 7) / 8, "a constant of another size");
      std::vector<int64_t> table;
      for (uint64_t i = 0; i < lanes; ++i) {
        table.push_back(-(bytes[i / 8] >> (i % 8) & 1));
      }
      return pool.node(Kind::Table, table, pool.lanes(t.shape), 1);
    }
    need(bytes.size() == size || bytes.size() == size * lanes,
         "a constant of another size");
    if (!t.bits) {
      return bytes.size() == size ? pool.node(Kind::Bits, {at(0)}, {})
                                  : nullptr;
    }
    if (bytes.size() == size) {
      return pool.wrap(t.bits, pool.constant(at(0)));
    }
    std::vector<int64_t> table;
    for (uint64_t i = 0; i < lanes; ++i) {
      unsigned off = 64 - t.bits;
      table.push_back(static_cast<int64_t>(uint64_t(at(i)) << off) >> off);
    }
    return pool.node(Kind::Table, table, pool.lanes(t.shape), t.bits);
  }

  /// The ops of two integers of one type.
  Expr arithmetic(const Op &op, const std::string &name) {
    Expr x = number(op, "x"), y = number(op, "y");
    unsigned bits = result(op).bits;
    bool isSigned = !op.attributes.count("sign") || attribute(op, "sign") == 1;
    if (op.attributes.count("overflow")) {
      constexpr int64_t none = 0, noSignedWrap = 1;
      int64_t overflow = attribute(op, "overflow");
      need(overflow == none || overflow == noSignedWrap,
           "an overflow of another kind");
      if (overflow == noSignedWrap) {
        need(bits == 64 && result(op).shape.empty() && name != "shli",
             "an overflow that nothing speaks of");
        trace.exact.push_back({name == "addi"   ? '+'
                               : name == "subi" ? '-'
                                                : '*',
                               x, y});
      }
    }
    if (name == "addi") {
      return pool.wrap(bits, pool.add(x, y));
    }
    if (name == "subi") {
      return pool.wrap(bits, pool.subtract(x, y));
    }
    if (name == "muli") {
      return pool.wrap(bits, pool.multiply(x, y));
    }
    if (name == "divi") {
      constexpr int64_t toZero = 1, up = 3;
      int64_t rounding = attribute(op, "rounding");
      need(isSigned && (rounding == toZero || rounding == up),
           "a division of another kind");
      return pool.wrap(
          bits, pool.node(rounding == up ? Kind::QuotientUp : Kind::Quotient,
                          {}, {x, y}));
    }
    if (name == "remi") {
      need(isSigned, "a remainder without sign");
      return pool.wrap(bits, pool.node(Kind::Rem, {}, {x, y}));
    }
    if (name == "mini" || name == "maxi") {
      bool least = name == "mini";
      if (!isSigned) {
        return pool.node(least ? Kind::UMin : Kind::UMax, {bits}, {x, y}, bits);
      }
      return pool.node(least ? Kind::SMin : Kind::SMax, {}, {x, y}, bits);
    }
    if (name == "andi" && bits == 1) {
      return pool.both(x, y);
    }
    if (name == "andi" || name == "ori" || name == "xori") {
      return pool.node(name == "andi"  ? Kind::And
                       : name == "ori" ? Kind::Or
                                       : Kind::Xor,
                       {}, {x, y}, bits);
    }
    if (name == "shli") {
      return pool.wrap(bits, pool.node(Kind::ShiftLeft, {}, {x, y}));
    }
    return pool.node(isSigned ? Kind::ShiftRight : Kind::ShiftRightUnsigned,
                     {bits}, {x, y}, bits);
  }

  /// The two lanes of an axis, put together bit by bit; null for any other
  /// reduction.
  Expr eitherOfTwo(const Op &op) {
    const std::vector<unsigned> &of = all(op, "values");
    const Region &region = op.regions.at(0);
    if (of.size() != 1 || region.ops.size() != 2 ||
        std::strcmp(region.ops[0].name, "ori") != 0 ||
        std::strcmp(region.ops[1].name, "yield") != 0) {
      return nullptr;
    }
    const Op &either = region.ops[0];
    const Type &t = f.types[of[0]];
    auto axis = static_cast<size_t>(attribute(op, "axis"));
    bool good =
        isInteger(t) && axis < t.shape.size() && t.shape[axis] == 2 &&
        values[of[0]].number &&
        region.arguments == std::vector{one(either, "x"), one(either, "y")} &&
        all(region.ops[1], "values") == either.results;
    if (!good) {
      return nullptr;
    }
    auto half = [&](int64_t place) {
      return pool.drop(values[of[0]].number, t.shape, int64_t(axis), place);
    };
    return pool.node(Kind::Or, {}, {half(0), half(1)});
  }

  /// What an op makes of integers; null for one that is not followed.
  Expr compute(const Op &op) {
    std::string name = op.name;
    static const char *const binary[] = {"addi", "subi", "muli", "divi",
                                         "remi", "mini", "maxi", "andi",
                                         "ori",  "xori", "shli", "shri"};
    const Type &to = result(op);
    bool isBinary = std::ranges::find(binary, name) != std::end(binary);
    need((!isBinary && name != "cmpi" && name != "exti" && name != "trunci" &&
          name != "select") ||
             hasOneShape(f, op),
         name + " of another shape than its result");
    if (isBinary) {
      return arithmetic(op, name);
    }
    if (name == "constant") {
      return constant(op);
    }
    if (name == "cmpi") {
      return pool.node(Kind::Compare,
                       {attribute(op, "compare"), attribute(op, "sign")},
                       {number(op, "x"), number(op, "y")});
    }
    if (name == "exti") {
      return attribute(op, "sign") == 1
                 ? number(op, "x")
                 : pool.node(Kind::Unsigned, {type(op, "x").bits},
                             {number(op, "x")}, type(op, "x").bits + 1);
    }
    if (name == "trunci") {
      need(attribute(op, "overflow") == 0, "a number cut off without loss");
      return pool.wrap(to.bits, number(op, "x"));
    }
    if (name == "iota") {
      need(to.shape.size() == 1, "an iota of several axes");
      return pool.wrap(to.bits, pool.lane(0, to.shape[0]));
    }
    if (name == "bitcast" && isInteger(to) && isInteger(type(op, "x")) &&
        type(op, "x").bits == to.bits) {
      return value(op, "x").number;
    }
    if (name == "reduce") {
      return eitherOfTwo(op);
    }
    Expr of = op.operands.count("x") ? value(op, "x").number : nullptr;
    if (name == "reshape" && of) {
      return pool.reshape(of, type(op, "x").shape, to.shape);
    }
    if (name == "broadcast" && of) {
      return pool.broadcast(of, type(op, "x").shape, to.shape);
    }
    if (name == "permute" && of) {
      return pool.permute(of, type(op, "x").shape,
                          attributeOf(op, "permutation").numbers);
    }
    if (name == "extract") {
      return extract(op);
    }
    if (name == "cat") {
      return cat(op);
    }
    if (name == "select" && isInteger(to)) {
      return pool.node(
          Kind::Select, {},
          {number(op, "condition"), number(op, "x"), number(op, "y")});
    }
    return nullptr;
  }

  /// A part that is there, by numbers that are constants.
  Expr extract(const Op &op) {
    const Type &from = type(op, "x"), &to = result(op);
    const std::vector<unsigned> &index = all(op, "index");
    need(from.element == to.element && from.pointer == to.pointer &&
             from.shape.size() == to.shape.size() &&
             index.size() == to.shape.size(),
         "a part of another tile");
    std::vector<int64_t> numbers;
    for (size_t k = 0; k < index.size(); ++k) {
      const Value &v = values[index[k]];
      need(isInteger(f.types[index[k]]) && isConstant(v.number),
           "the number of a part is no constant");
      numbers.push_back(constantOf(v.number));
      need(to.shape[k] > 0 && from.shape[k] % to.shape[k] == 0 &&
               numbers[k] >= 0 && numbers[k] < from.shape[k] / to.shape[k],
           "a part that is not there");
    }
    Expr of = value(op, "x").number;
    return of ? pool.extract(of, to.shape, numbers) : nullptr;
  }

  /// Two tiles of one type.
  Expr cat(const Op &op) {
    const Type &half = type(op, "x"), &other = type(op, "y"), &to = result(op);
    auto axis = static_cast<uint64_t>(attribute(op, "axis"));
    need(axis < half.shape.size() && half.shape == other.shape &&
             half.element == other.element && half.element == to.element &&
             !half.pointer && !other.pointer,
         "tiles of several types put together");
    std::vector<int64_t> shape = half.shape;
    shape[axis] *= 2;
    need(to.shape == shape, "tiles put together to another shape");
    Expr first = value(op, "x").number, second = value(op, "y").number;
    return first && second ? pool.cat(first, second, half.shape, axis)
                           : nullptr;
  }

  void assume(const Op &op) {
    const Value &x = value(op, "x");
    const Attribute &that = attributeOf(op, "that");
    need(x.parameter ||
             (isInteger(type(op, "x")) && type(op, "x").shape.empty()),
         "an assumption of no single number");
    out->push_back(
        {Assumption{x.parameter, x.number, that.divisor, that.low, that.high}});
    values[resultOf(op)] = x;
  }

  void makeView(const Op &op) {
    const Type &t = result(op);
    const Value &base = value(op, "base");
    need(base.address.has_value(), "a view of no address");
    need(type(op, "base").element == t.element,
         "a view has other elements than its address");
    View view{{*base.address, base.number}, {}, {}};
    auto sizes = [&](const Shape &known, const char *name) {
      std::vector<Expr> list;
      size_t at = 0;
      for (int64_t n : known) {
        if (n != fromLaunch) {
          list.push_back(pool.constant(n));
          continue;
        }
        need(at < all(op, name).size(), "a size of a view is missing");
        unsigned v = all(op, name)[at++];
        need(isInteger(f.types[v]), "a size of a view is no integer");
        list.push_back(values[v].number);
      }
      need(at == all(op, name).size(), "a view has too many sizes");
      return list;
    };
    view.extents = sizes(t.shape, "shape");
    view.strides = sizes(t.strides, "strides");
    values[op.results[0]].view = std::move(view);
  }

  Token newToken(unsigned v) {
    need(f.types[v].form == Type::Form::Token, "this is no token");
    return values[v].token = ++tokens;
  }

  void access(const Op &op, Access kind, bool byTile) {
    AccessEvent event;
    event.kind = kind;
    event.order = attribute(op, "order");
    if (op.attributes.count("scope")) {
      event.scope = attribute(op, "scope");
    }
    if (op.attributes.count("mode")) {
      event.mode = attribute(op, "mode");
    }
    if (!all(op, "token").empty()) {
      event.before = value(op, "token").token;
      need(event.before != 0, "this is no token");
    }
    const Type &t = byTile ? type(op, "view") : type(op, "pointers");
    event.element = t.element;
    if (byTile) {
      const std::optional<View> &view = value(op, "view").view;
      need(view && t.form == Type::Form::Partition, "this is no partition");
      TilePlace place{
          view->base, view->extents, view->strides, t.tile, {}, t.padding, {}};
      for (unsigned v : all(op, "index")) {
        need(isInteger(f.types[v]), "an index is no integer");
        place.index.push_back(values[v].number);
      }
      need(place.index.size() == t.tile.size(), "indices do not fit");
      if (auto it = op.attributes.find("inside"); it != op.attributes.end()) {
        place.inside = it->second.numbers;
        need(place.inside.size() == t.tile.size(), "marks do not fit");
      }
      event.shape = t.tile;
      event.place = std::move(place);
    } else {
      const Value &pointers = value(op, "pointers");
      need(pointers.address.has_value(), "an access to no address");
      LanePlace place{{*pointers.address, pointers.number}, nullptr, nullptr};
      if (!all(op, "mask").empty()) {
        place.mask = number(op, "mask");
      }
      if (op.operands.count("padding") && !all(op, "padding").empty()) {
        place.padding = value(op, "padding").number;
      }
      event.shape = t.shape;
      event.place = std::move(place);
    }
    if (kind != Access::Load) {
      event.value = value(op, "value").number;
      const Type &v = type(op, "value");
      need(v.shape == event.shape && v.element == event.element,
           "the value has another type than the place");
    }
    // What an atomic finds at addresses is a value that no kernel has.
    bool reads = kind == Access::Load || (kind == Access::Atomic && !byTile);
    if (reads) {
      const Type &to = result(op);
      need(to.shape == event.shape && to.element == event.element,
           "the value has another type than the place");
      values[op.results[0]].number =
          pool.node(Kind::Loaded, {accesses}, pool.lanes(to.shape),
                    to.bits ? to.bits : 64);
      values[op.results[0]].soleOf = accesses;
      if (to.bits == 8) {
        values[op.results[0]].bytesOf = accesses;
      }
    }
    event.after = newToken(resultOf(op, reads ? 1 : 0));
    ++accesses;
    out->push_back({std::move(event)});
  }

  /// What stays the same about a value that a loop or branch hands on.
  void name(unsigned v, Kind kind, int64_t region, int64_t place,
            std::vector<Token> &into) {
    const Type &t = f.types[v];
    if (t.form == Type::Form::Token) {
      into.push_back(newToken(v));
    } else if (isInteger(t)) {
      values[v].number =
          pool.node(kind, {region, place}, pool.lanes(t.shape), t.bits);
    }
  }

  /// Splits what is handed on into tokens and values; floats are null.
  void hand(const std::vector<unsigned> &of, std::vector<Expr> &numbers,
            std::vector<Token> &into) {
    for (unsigned v : of) {
      if (f.types[v].form == Type::Form::Token) {
        into.push_back(values[v].token);
      } else {
        numbers.push_back(isInteger(f.types[v]) ? values[v].number : nullptr);
      }
    }
  }

  const Op &terminator(const Region &r, const char *name) {
    need(!r.ops.empty() && !std::strcmp(r.ops.back().name, name),
         "a region ends otherwise");
    return r.ops.back();
  }

  void loop(const Op &op) {
    LoopEvent event;
    int64_t number_ = regions++;
    need(attribute(op, "unsigned") == 0, "a loop without sign");
    event.lower = number(op, "lower");
    event.upper = number(op, "upper");
    event.step = number(op, "step");
    hand(all(op, "init"), event.initial, event.initialTokens);
    const Region &region = op.regions.at(0);
    need(region.arguments.size() == all(op, "init").size() + 1 &&
             op.results.size() == all(op, "init").size(),
         "a loop carries another number of values");
    const Type &counter = f.types[region.arguments[0]];
    values[region.arguments[0]].number =
        pool.node(Kind::Counter, {number_}, {}, counter.bits);
    for (size_t i = 1; i < region.arguments.size(); ++i) {
      name(region.arguments[i], Kind::Carried, number_, int64_t(i - 1),
           event.arguments);
    }
    body(region, event.body);
    hand(all(terminator(region, "continue"), "values"), event.handedOn,
         event.handedOnTokens);
    for (size_t i = 0; i < op.results.size(); ++i) {
      name(op.results[i], Kind::Result, number_, int64_t(i), event.results);
    }
    finish(std::move(event));
  }

  void finish(LoopEvent event) {
    need(event.initialTokens.size() == event.arguments.size() &&
             event.arguments.size() == event.handedOnTokens.size() &&
             event.arguments.size() == event.results.size(),
         "a loop hands on other tokens");
    out->push_back({std::move(event)});
  }

  /// Whether a branch leaves the loop around it where its condition is false,
  /// and does nothing else.
  static bool isExit(const Op &op) {
    auto endsBy = [&](size_t i, const char *name) {
      const std::vector<Op> &ops = op.regions.at(i).ops;
      return ops.size() == 1 && !std::strcmp(ops[0].name, name);
    };
    return !std::strcmp(op.name, "if") && op.results.empty() &&
           op.regions.size() == 2 && endsBy(0, "yield") && endsBy(1, "break");
  }

  /// A loop without a counter. It has one exit, outside of all branches.
  void loopToExit(const Op &op) {
    LoopEvent event;
    int64_t number_ = regions++;
    hand(all(op, "init"), event.initial, event.initialTokens);
    const Region &region = op.regions.at(0);
    need(region.arguments.size() == all(op, "init").size(),
         "a loop carries another number of values");
    for (size_t i = 0; i < region.arguments.size(); ++i) {
      name(region.arguments[i], Kind::Carried, number_, int64_t(i),
           event.arguments);
    }
    auto exit = std::find_if(region.ops.begin(), region.ops.end(), isExit);
    need(exit != region.ops.end(), "a loop without an exit");
    Head &head = event.head.emplace();
    Events *outside = out;
    out = &head.events;
    std::for_each(region.ops.begin(), exit, [&](const Op &o) { step(o); });
    head.condition = number(*exit, "condition");
    const std::vector<unsigned> &passed =
        all(exit->regions[1].ops[0], "values");
    std::vector<Token> passedTokens;
    hand(passed, head.passed, passedTokens);
    need(passed.size() == op.results.size() && passedTokens == event.arguments,
         "a loop gives other tokens than it carries");
    out = &event.body;
    std::for_each(exit + 1, region.ops.end(), [&](const Op &o) { step(o); });
    out = outside;
    hand(all(terminator(region, "continue"), "values"), event.handedOn,
         event.handedOnTokens);
    for (size_t i = 0; i < op.results.size(); ++i) {
      const Type &to = f.types[op.results[i]], &from = f.types[passed[i]];
      need(to.form == from.form && to.bits == from.bits &&
               to.shape == from.shape && to.element == from.element,
           "a loop gives another type than it passes");
      name(op.results[i], Kind::Result, number_, int64_t(i), event.results);
    }
    finish(std::move(event));
  }

  void branch(const Op &op) {
    BranchEvent event;
    int64_t number_ = regions++;
    event.condition = number(op, "condition");
    for (int i = 0; i < 2; ++i) {
      const Region &region = op.regions.at(i);
      body(region, event.body[i]);
      hand(all(terminator(region, "yield"), "values"), event.values[i],
           event.tokens[i]);
    }
    for (size_t i = 0; i < op.results.size(); ++i) {
      name(op.results[i], Kind::Result, number_, int64_t(i), event.results);
    }
    need(event.tokens[0].size() == event.results.size() &&
             event.tokens[1].size() == event.results.size(),
         "a branch hands on other tokens");
    out->push_back({std::move(event)});
  }

  void body(const Region &region, Events &into) {
    Events *outside = out;
    out = &into;
    run(region.ops);
    out = outside;
  }

  /// What is said of the grids before or behind. Neither needs what came before
  /// it: of tokens it is a join.
  void dependency(const Op &op, bool isWait) {
    need(out == &trace.events, "a wait or a start of grids in a region");
    JoinEvent join;
    for (unsigned v : all(op, "token")) {
      join.of.push_back(values[v].token);
    }
    join.isWait = isWait;
    join.result = newToken(resultOf(op));
    trace.letsNextStart |= !isWait;
    out->push_back({std::move(join)});
  }

  /// It touches no memory: of tokens it is a join, and it takes no address.
  void print(const Op &op) {
    for (unsigned v : all(op, "values")) {
      need(f.types[v].form == Type::Form::Tile && !f.types[v].pointer,
           "a print of no number");
    }
    JoinEvent join;
    for (unsigned v : all(op, "token")) {
      join.of.push_back(values[v].token);
    }
    join.result = newToken(resultOf(op));
    out->push_back({std::move(join)});
  }

  /// Follows the bytes of loads up to a choice between parts of them, the one
  /// that a load has. All other uses leave this way.
  void followBytes(const Op &op) {
    std::string name = op.name;
    bool moves = name == "reshape" || name == "broadcast",
         shifts = name == "shli" || name == "shri", chooses = name == "select";
    std::set<int64_t> loads;
    for (const auto &[operand, group] : op.operands) {
      bool may = operand == "x" || (operand == "y" && chooses);
      for (unsigned v : group) {
        if (std::optional<int64_t> load = values[v].bytesOf) {
          loads.insert(*load);
          if (!may || !(moves || shifts || chooses)) {
            trace.astray.insert(*load);
          }
        }
      }
    }
    if (loads.size() != 1 || !(moves || shifts || chooses)) {
      trace.astray.insert(loads.begin(), loads.end());
      return;
    }
    Value &to = values[resultOf(op)];
    int64_t load = *loads.begin();
    if (!chooses) {
      to.bytesOf = load;
      return;
    }
    bool both = value(op, "x").bytesOf && value(op, "y").bytesOf;
    if (both &&
        trace.parts.try_emplace(load, to.number, result(op).shape).second) {
      to.soleOf = load;
    } else {
      trace.astray.insert(load);
    }
  }

  void step(const Op &op) {
    make(op);
    followBytes(op);
  }

  void make(const Op &op) {
    std::string name = op.name;
    if (name == "assume") {
      assume(op);
    } else if (name == "make_tensor_view") {
      makeView(op);
    } else if (name == "make_partition_view") {
      const Type &view = type(op, "view"), &to = result(op);
      need(view.form == Type::Form::View && view.element == to.element &&
               view.shape == to.shape && view.strides == to.strides,
           "a partition of another view");
      values[op.results[0]].view = value(op, "view").view;
    } else if (name == "offset") {
      Value v = value(op, "pointers");
      need(v.address.has_value(), "an offset from no address");
      need(result(op).element == type(op, "pointers").element,
           "an offset to other elements");
      v.number = pool.add(v.number, number(op, "offset"));
      v.parameter.reset();
      values[resultOf(op)] = v;
    } else if (name == "make_token") {
      out->push_back({JoinEvent{newToken(resultOf(op)), {}}});
    } else if (name == "gdc_launch_dependents_tko" || name == "gdc_wait_tko") {
      dependency(op, name == "gdc_wait_tko");
    } else if (name == "join_tokens") {
      JoinEvent join;
      for (unsigned v : all(op, "tokens")) {
        join.of.push_back(values[v].token);
      }
      join.result = newToken(resultOf(op));
      out->push_back({std::move(join)});
    } else if (name == "print_tko") {
      print(op);
    } else if (name == "load_view_tko" || name == "load_ptr_tko") {
      access(op, Access::Load, name == "load_view_tko");
    } else if (name == "store_view_tko" || name == "store_ptr_tko") {
      access(op, Access::Store, name == "store_view_tko");
    } else if (name == "atomic_red_view_tko") {
      access(op, Access::Atomic, true);
    } else if (name == "atomic_rmw_tko") {
      access(op, Access::Atomic, false);
    } else if (name == "for") {
      loop(op);
    } else if (name == "loop") {
      loopToExit(op);
    } else if (name == "if") {
      branch(op);
    } else if (name == "get_tile_block_id") {
      values[resultOf(op)].number = pool.node(Kind::Block, {}, {}, 32);
      for (int i = 1; i < 3; ++i) {
        values[resultOf(op, i)].number = pool.constant(0);
      }
    } else if (op.results.size() == 1) {
      lanes(op);
    } else {
      need(name == "assert" || name == "continue" || name == "yield" ||
               name == "return",
           name + " cannot be followed");
    }
  }

  /// Whether a loaded tile ends here, or goes on under another shape.
  void followTile(const Op &op) {
    std::string name = op.name;
    // There is no select of floats of 4 bits: it is of the same ones in f16.
    bool widens = name == "ftof" && type(op, "x").element == "f4E2M1FN" &&
                  result(op).element == "f16";
    if (name == "reshape" || name == "broadcast" || widens) {
      values[op.results[0]].soleOf = soleUse(one(op, "x"));
    } else if (name == "select") {
      std::optional<int64_t> load = soleUse(one(op, "x"));
      if (load) {
        trace.fills[*load] = {number(op, "condition"), value(op, "y").number,
                              result(op).shape};
      }
    }
  }

  void lanes(const Op &op) {
    Value &to = values[op.results[0]];
    const Type &t = result(op);
    followTile(op);
    if (t.pointer) {
      need(op.operands.count("x") && value(op, "x").address &&
               type(op, "x").element == t.element,
           "an address from nowhere");
      to.address = value(op, "x").address;
    }
    Expr e = compute(op);
    need(e || !t.pointer, "an address from nowhere");
    to.number = e              ? e
                : isInteger(t) ? pool.fresh(Kind::Unknown, t.shape, t.bits,
                                            {accesses, regions})
                               : nullptr;
  }

  void run(const std::vector<Op> &ops) {
    for (const Op &op : ops) {
      step(op);
    }
  }
};

} // namespace

std::variant<Trace, std::string> follow(const Function &function,
                                        const std::vector<Expr> &parameters,
                                        Pool &pool) {
  if (parameters.size() != function.parameters) {
    return "it takes " +
           tile::counted(function.parameters, "parameter", "parameters") +
           ", the manifest has " + std::to_string(parameters.size());
  }
  try {
    Follower follower(function, parameters, pool);
    follower.out = &follower.trace.events;
    follower.run(function.ops);
    if (function.ops.empty() ||
        std::strcmp(function.ops.back().name, "return") != 0) {
      return "it does not return";
    }
    return std::move(follower.trace);
  } catch (const NotFollowed &l) {
    return l.why;
  }
}

} // namespace girih::readback
