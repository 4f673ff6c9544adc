// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fuzz/campaign/OperandFaults.h"
#include "fuzz/campaign/TokenOrder.h"

#include "lower/tileir/Builder.h"
#include "lower/tileir/Encoding.h"

#include <algorithm>
#include <map>
#include <set>

using namespace girih::tileir;

namespace girih::fuzz {

bool hasOperandFaults(const std::string &mnemonic) {
  static constexpr const char *others[] = {
      "assume",      "break", "continue",            "for",    "if",
      "join_tokens", "loop",  "make_partition_view", "offset", "yield",
      "make_tensor_view"};
  // A print touches no memory.
  bool touches = mnemonic.ends_with("_tko") && mnemonic != "print_tko";
  return touches || std::ranges::count(others, mnemonic) > 0;
}

/// The bound from above that an op assumes, and of what number: assumptions of
/// one number are made one after the other. Of the ops of the body itself.
static std::map<size_t, std::pair<Value, int64_t>>
assumedAbove(const Function &function) {
  std::map<size_t, std::pair<Value, int64_t>> out;
  std::map<Value, Value> root;
  size_t number = 0;
  std::function<void(const std::vector<Op> &, bool)> walk =
      [&](const std::vector<Op> &ops, bool isBody) {
        for (const Op &op : ops) {
          size_t at = number++;
          if (isBody && op.opcode == Opcode::Assume) {
            Value of = op.operands[0][0];
            Value from = root.contains(of) ? root.at(of) : of;
            root[op.results[0]] = from;
            auto *b = std::get_if<Bounded>(&op.attributes[0]);
            if (b && b->high) {
              out.try_emplace(at, from, *b->high);
            }
          }
          for (const Region &r : op.regions) {
            walk(r.ops, false);
          }
        }
      };
  walk(function.body.ops, true);
  return out;
}

/// Whether the body assumes as much in another place: what is said of the
/// extent of a slice holds before the slice, too.
static bool isSaidElsewhere(const OperandFault &fault, const Function &broken) {
  auto all = assumedAbove(broken);
  auto here = all.find(fault.at);
  return here != all.end() && std::ranges::any_of(all, [&](const auto &other) {
           return other.first != here->first &&
                  other.second.first == here->second.first &&
                  other.second.second <= here->second.second;
         });
}

const char *whyHarmless(const OperandFault &fault, const std::string &kernel,
                        const Function &broken) {
  bool powers = kernel.find("f8E8M0FNU") != std::string::npos;
  if (fault.kind == "a float of bits 1" || (powers && fault.part == "value")) {
    // Powers of two are floats, and bytes in Tile IR.
    return "no proof speaks of what floats are, and no address comes of one "
           "but as an opaque number";
  }
  if (fault.kind == "not said to be inside" || fault.kind == "less is said") {
    return "less is said";
  }
  if (fault.kind == "more is said above" && isSaidElsewhere(fault, broken)) {
    return "another assumption says as much";
  }
  bool token = fault.part == "token" || fault.op == "join_tokens" ||
               fault.kind.find("token") != std::string::npos;
  return token && isOrdered(broken) ? "what needs an order has one" : nullptr;
}

namespace {

/// Of a number in every lane.
std::vector<uint8_t> bytesOf(int64_t n, const TileType &type) {
  if (type.element == Element::I1) {
    return {uint8_t(n & 1 ? allBits : 0)};
  }
  std::vector<uint8_t> bytes;
  for (unsigned bits = 0; bits < elementBits(type.element); bits += 8) {
    bytes.push_back(static_cast<uint8_t>(n >> bits));
  }
  return bytes;
}

/// Where an op is, in a copy of the function.
struct Place {
  Function &function;
  std::vector<Op> *ops = nullptr;
  size_t at = 0;

  Op &op() { return (*ops)[at]; }

  Value insert(Opcode code, std::vector<Attribute> attributes,
               std::vector<Value> operands, Type type) {
    Op made{code, std::move(attributes), {}, {function.add(type)}, {}, {}};
    for (Value v : operands) {
      made.operands.push_back({v});
    }
    ops->insert(ops->begin() + static_cast<std::ptrdiff_t>(at), made);
    ++at;
    return made.results[0];
  }

  Value number(int64_t n, const TileType &type) {
    return insert(Opcode::Constant, {Constant{bytesOf(n, type)}}, {}, type);
  }
};

bool find(std::vector<Op> &ops, size_t number, size_t &next, Place &place) {
  for (size_t i = 0; i < ops.size(); ++i) {
    if (next++ == number) {
      place.ops = &ops;
      place.at = i;
      return true;
    }
    for (Region &r : ops[i].regions) {
      if (find(r.ops, number, next, place)) {
        return true;
      }
    }
  }
  return false;
}

struct Maker {
  const Module &module;
  size_t function;
  const std::function<bool(const OperandFault &)> &choose;
  const std::function<void(const OperandFault &, const Module &)> &visit;
  size_t next = 0;
  std::vector<Value> visible = {};
  std::map<Value, std::vector<uint8_t>> constants = {};
  std::map<Value, const Op *> makes = {};
  std::map<Value, Value> root = {}; ///< what an address is made from
  std::set<Value> loaded = {};      ///< tiles, under any shape

  const Function &original() const { return module.functions[function]; }
  const Type &typeOf(Value v) const { return original().types[v]; }

  void make(size_t number, const Op &op, const std::string &part,
            const std::string &kind, const std::function<void(Place &)> &edit) {
    OperandFault fault{formOf(op.opcode).mnemonic, part, kind, number};
    if (!choose(fault)) {
      return;
    }
    Module copy = module;
    Place place{copy.functions[function]};
    size_t count = 0;
    find(place.function.body.ops, number, count, place);
    edit(place);
    visit(fault, copy);
  }

  /// The padding behind a load, made right there: another mask, another number,
  /// the padding in the place of the tile. Of all other selects of floats, as
  /// of a number where there is none, the gate knows nothing.
  void paddingFaults(size_t number, const Op &op, const Op &before) {
    if (op.opcode != Opcode::Select || before.opcode != Opcode::Constant ||
        before.results != op.operands[2] ||
        !loaded.contains(op.operands[1][0])) {
      return;
    }
    auto asks = makes.find(op.operands[0][0]);
    if (asks != makes.end() && asks->second->opcode == Opcode::CmpF) {
      return;
    }
    Value padding = op.operands[2][0];
    TileType type = std::get<TileType>(typeOf(padding)),
             truth = std::get<TileType>(typeOf(op.operands[0][0]));
    for (int64_t n : {0, 1}) {
      replace(number, op, "condition", 0, 0, n ? "all lanes" : "no lane",
              [=](Place &p, Value) { return p.number(n, truth); });
    }
    replace(number, op, "else", 2, 0, "another padding",
            [=](Place &p, Value) { return p.number(3, type); });
    replace(number, op, "then", 1, 0, "the padding in its place",
            [=](Place &, Value) { return padding; });
  }

  void walk(const std::vector<Op> &ops) {
    size_t outside = visible.size();
    const Op *before = nullptr;
    for (const Op &op : ops) {
      size_t number = next++;
      if (hasOperandFaults(formOf(op.opcode).mnemonic)) {
        faults(number, op);
      }
      if (before) {
        paddingFaults(number, op, *before);
      }
      before = &op;
      bool moves = op.opcode == Opcode::Reshape ||
                   op.opcode == Opcode::Broadcast || op.opcode == Opcode::FToF;
      if (op.opcode == Opcode::LoadView ||
          (moves && loaded.contains(op.operands[0][0]))) {
        loaded.insert(op.results[0]);
      }
      for (Value v : op.results) {
        makes[v] = &op;
      }
      if (op.opcode == Opcode::Constant) {
        constants[op.results[0]] = std::get<Constant>(op.attributes[0]).bytes;
      }
      if (op.opcode == Opcode::Assume || op.opcode == Opcode::Reshape ||
          op.opcode == Opcode::Broadcast || op.opcode == Opcode::Offset) {
        Value of = op.operands[0][0];
        root[op.results[0]] = root.contains(of) ? root.at(of) : of;
      }
      bool reduces = op.opcode == Opcode::Reduce || op.opcode == Opcode::Scan;
      for (const Region &r : op.regions) {
        if (reduces) {
          next += r.ops.size(); // what they combine is opaque to a proof
          continue;
        }
        size_t before = visible.size();
        visible.insert(visible.end(), r.arguments.begin(), r.arguments.end());
        walk(r.ops);
        visible.resize(before);
      }
      visible.insert(visible.end(), op.results.begin(), op.results.end());
    }
    visible.resize(outside);
  }

  void faults(size_t number, const Op &op) {
    const OpForm &form = formOf(op.opcode);
    for (size_t g = 0; g < form.operands.size(); ++g) {
      const OperandForm &group = form.operands[g];
      for (size_t i = 0; i < op.operands[g].size(); ++i) {
        operand(number, op, group.name, g, i);
      }
      if (group.arity == Arity::Optional && !op.operands[g].empty()) {
        make(number, op, group.name, "left out", [=](Place &p) {
          p.op().operands[g].clear();
          drop(p, form, g);
        });
      }
      if (group.arity == Arity::Many && op.opcode == Opcode::JoinTokens) {
        make(number, op, group.name, "one left out",
             [=](Place &p) { p.op().operands[g].pop_back(); });
      }
    }
    for (size_t a = 0; a < form.attributes.size(); ++a) {
      attribute(number, op, form.attributes[a], a);
    }
    if (!op.results.empty()) {
      if (auto *view = std::get_if<ViewType>(&typeOf(op.results[0]))) {
        viewType(number, op, *view);
      } else if (auto *part =
                     std::get_if<PartitionType>(&typeOf(op.results[0]))) {
        partitionType(number, op, *part);
      }
    }
  }

  /// A padding has no place without a mask.
  static void drop(Place &p, const OpForm &form, size_t group) {
    for (size_t g = 0; g < form.operands.size(); ++g) {
      if (form.operands[group].name == std::string("mask") &&
          form.operands[g].name == std::string("padding")) {
        p.op().operands[g].clear();
      }
    }
  }

  void replace(size_t number, const Op &op, const std::string &part, size_t g,
               size_t i, const std::string &kind,
               const std::function<Value(Place &, Value)> &other) {
    make(number, op, part, kind, [=](Place &p) {
      Value was = p.op().operands[g][i];
      Value made = other(p, was);
      p.op().operands[g][i] = made;
    });
  }

  /// Whether two values are made alike: views are often made anew.
  bool areAlike(Value a, Value b) const {
    if (a == b || !makes.contains(a) || !makes.contains(b)) {
      return a == b;
    }
    const Op &x = *makes.at(a), &y = *makes.at(b);
    auto sameAttribute = [](const Attribute &p, const Attribute &q) {
      auto *m = std::get_if<int64_t>(&p), *n = std::get_if<int64_t>(&q);
      auto *c = std::get_if<Constant>(&p), *d = std::get_if<Constant>(&q);
      return (m && n && *m == *n) || (c && d && c->bytes == d->bytes);
    };
    auto sameGroup = [&](const auto &p, const auto &q) {
      return std::ranges::equal(
          p, q, [&](Value v, Value w) { return areAlike(v, w); });
    };
    return x.opcode == y.opcode && x.results.size() == 1 && x.regions.empty() &&
           typeOf(a) == typeOf(b) &&
           std::ranges::equal(x.attributes, y.attributes, sameAttribute) &&
           std::ranges::equal(x.operands, y.operands, sameGroup);
  }

  /// Up to three others of the type, the nearest first.
  std::vector<Value> others(Value of) const {
    std::vector<Value> out;
    for (size_t k = visible.size(); k-- > 0 && out.size() < 3;) {
      if (!areAlike(visible[k], of) && typeOf(visible[k]) == typeOf(of)) {
        out.push_back(visible[k]);
      }
    }
    return out;
  }

  /// A partition of the same view, which begins an element later.
  Value further(Place &p, Value partition) const {
    const Op &part = *makes.at(partition);
    const Op &view = *makes.at(part.operands[0][0]);
    Value base = view.operands[0][0];
    Value one = p.number(1, scalarType(Element::I64));
    Op moved = view, made = part;
    moved.operands[0][0] =
        p.insert(Opcode::Offset, {}, {base, one}, typeOf(base));
    moved.results[0] = p.function.add(typeOf(view.results[0]));
    made.operands[0][0] = moved.results[0];
    made.results[0] = p.function.add(typeOf(partition));
    p.ops->insert(p.ops->begin() + static_cast<std::ptrdiff_t>(p.at),
                  {moved, made});
    p.at += 2;
    return made.results[0];
  }

  void operand(size_t number, const Op &op, const std::string &part, size_t g,
               size_t i) {
    Value was = op.operands[g][i];
    auto put = [&](const std::string &kind, auto other) {
      replace(number, op, part, g, i, kind, other);
    };
    auto *tile = std::get_if<TileType>(&typeOf(was));
    if (!tile) {
      bool token = std::holds_alternative<TokenType>(typeOf(was));
      if (token) {
        put("a token behind nothing", [](Place &p, Value) {
          return p.insert(Opcode::MakeToken, {}, {}, TokenType{});
        });
      }
      if (std::holds_alternative<PartitionType>(typeOf(was))) {
        put("a view an element further",
            [this](Place &p, Value v) { return further(p, v); });
      }
      for (Value v : others(was)) {
        put(token ? "another token" : "another view",
            [v](Place &, Value) { return v; });
      }
      return;
    }
    TileType type = *tile;
    if (type.pointer) {
      put("an element further", [type](Place &p, Value v) {
        Value one = p.number(1, {Element::I64, type.shape, false});
        return p.insert(Opcode::Offset, {}, {v, one}, type);
      });
      for (Value v : original().body.arguments) {
        TileType scalar = type;
        scalar.shape.clear();
        bool is = v == was || (root.contains(was) && root.at(was) == v);
        if (!is && typeOf(v) == Type(scalar)) {
          put("another address", [=](Place &p, Value) {
            TileType ones = scalar;
            ones.shape.assign(type.shape.size(), 1);
            Value address = p.insert(Opcode::Reshape, {}, {v}, ones);
            return p.insert(Opcode::Broadcast, {}, {address}, type);
          });
        }
      }
      return;
    }
    if (isFloat(type.element)) {
      put("a float of bits 1",
          [type](Place &p, Value) { return p.number(1, type); });
      return;
    }
    put("one more", [type](Place &p, Value v) {
      Value one = p.number(1, type);
      return type.element == Element::I1
                 ? p.insert(Opcode::XOrI, {}, {v, one}, type)
                 : p.insert(Opcode::AddI, {int64_t(Overflow::None)}, {v, one},
                            type);
    });
    auto known = constants.find(was);
    for (int64_t n : {-5, 0, 77}) {
      // A number that is computed may well be 0.
      bool mayBe = n == 0 && type.element != Element::I1 && part != "padding";
      if (!mayBe &&
          (known == constants.end() || known->second != bytesOf(n, type))) {
        put(std::to_string(n),
            [=](Place &p, Value) { return p.number(n, type); });
      }
    }
  }

  void attribute(size_t number, const Op &op, const AttrForm &form, size_t a) {
    const Attribute &was = op.attributes[a];
    auto put = [&](const std::string &kind, Attribute other) {
      make(number, op, form.name, kind,
           [=](Place &p) { p.op().attributes[a] = other; });
    };
    auto *now = std::get_if<int64_t>(&was);
    switch (form.kind) {
    case AttrKind::Flag:
      put("the other one", int64_t(now && !*now));
      return;
    case AttrKind::Enum:
    case AttrKind::OptionalEnum:
      for (size_t n = 0; n < form.words.size(); ++n) {
        if (!now || *now != int64_t(n)) {
          put(form.words[n], int64_t(n));
        }
      }
      if (now && form.kind == AttrKind::OptionalEnum) {
        put("none", std::monostate());
      }
      return;
    case AttrKind::Truths:
      for (size_t i = 0; i < std::get<std::vector<int32_t>>(was).size(); ++i) {
        auto marks = std::get<std::vector<int32_t>>(was);
        marks[i] = !marks[i];
        put(marks[i] ? "said to be inside" : "not said to be inside", marks);
      }
      return;
    case AttrKind::Predicate:
      predicate(was, put);
      return;
    default:
      return;
    }
  }

  static void
  predicate(const Attribute &was,
            const std::function<void(const std::string &, Attribute)> &put) {
    if (auto *d = std::get_if<DivBy>(&was)) {
      put("more is said", DivBy{2 * d->divisor});
      put("less is said", DivBy{1});
      return;
    }
    Bounded b = std::get<Bounded>(was), other = b;
    // At least 1 is true of a dimension of the grid, whatever is said of it.
    other.low = std::max<int64_t>(b.low.value_or(0), 1) + 1;
    put("more is said below", other);
    other = b;
    other.high = b.high.value_or(1 << 20) - 1;
    put("more is said above", other);
    other = b;
    other.low.reset();
    put("less is said", other);
    other = b;
    other.high.reset();
    put("less is said", other);
  }

  /// With the types of partitions of the view.
  void viewType(size_t number, const Op &op, const ViewType &was) {
    auto put = [&](const std::string &kind, const ViewType &other) {
      make(number, op, "type", kind, [=](Place &p) {
        // Only of this view: another one may have the same type.
        Value view = p.op().results[0];
        p.function.types[view] = other;
        retype(p.function, p.function.body.ops, view, other);
      });
    };
    for (size_t k = 0; k < was.shape.size(); ++k) {
      for (int64_t by : {1, -1}) {
        ViewType other = was;
        if (was.shape[k] != dynamic && was.shape[k] + by > 0) {
          other.shape[k] += by;
          put("another extent", other);
        }
        other = was;
        if (was.strides[k] != dynamic && was.strides[k] + by > 0) {
          other.strides[k] += by;
          put("another stride", other);
        }
      }
    }
  }

  static void retype(Function &f, std::vector<Op> &ops, Value view,
                     const ViewType &type) {
    for (Op &op : ops) {
      if (op.opcode == Opcode::MakePartitionView && op.operands[0][0] == view) {
        std::get<PartitionType>(f.types[op.results[0]]).view = type;
      }
      for (Region &r : op.regions) {
        retype(f, r.ops, view, type);
      }
    }
  }

  void partitionType(size_t number, const Op &op, const PartitionType &was) {
    auto put = [&](const std::string &kind, const PartitionType &other) {
      make(number, op, "type", kind,
           [=](Place &p) { p.function.types[p.op().results[0]] = other; });
    };
    for (size_t k = 0; k < was.tile.size(); ++k) {
      PartitionType other = was;
      other.tile[k] *= 2;
      put("another tile", other);
    }
    for (int n = -1; n <= int(Padding::NegInf); ++n) {
      PartitionType other = was;
      other.padding = n < 0 ? std::nullopt : std::optional<Padding>(Padding(n));
      if (other.padding != was.padding) {
        put("another padding", other);
      }
    }
  }
};

} // namespace

void forEachOperandFault(
    const Module &module, size_t function,
    const std::function<bool(const OperandFault &)> &choose,
    const std::function<void(const OperandFault &, const Module &)> &visit) {
  Maker maker{module, function, choose, visit};
  maker.visible = maker.original().body.arguments;
  maker.walk(maker.original().body.ops);
}

} // namespace girih::fuzz
