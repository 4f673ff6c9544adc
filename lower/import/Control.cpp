// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/import/Emitter.h"

#include <stdexcept>

using namespace girih::readback;

namespace girih::importer {

void Emitter::assume(const Op &op) {
  unsigned of = operand(op, "x");
  unsigned p = sources.plain(of);
  const Type &t = f.types[p];
  const Attribute &that = op.attributes.at("that");
  if (t.form == Type::Form::Tile && t.pointer) {
    // The contract aligns arguments, and elements lie at multiples of their
    // size.
    uint64_t size = bytesOf(t);
    if (p >= f.parameters &&
        (!that.divisor || *that.divisor == 0 || size % *that.divisor != 0)) {
      refuse(op, "an assumption about an address that is no parameter");
    }
    return;
  }
  Lanes v = kept(op, of);
  // Of parameters the contract says it.
  if (p < f.parameters) {
    if (bitsOf(v.element) > 1 && !v.index.empty()) {
      Range known = rangeOf(v);
      v.range = both(known, {that.low.value_or(known.low),
                             that.high.value_or(known.high)});
    }
    set(op.results.at(0), v);
    return;
  }
  set(op.results.at(0), v);
  if (!v.splat || v.element[0] != 'i') {
    refuse(op, "an assumption about a value of several lanes");
  }
  Lanes one = v.index.empty() ? v : indexLanes(fit(v));
  one.shape.clear();
  auto prove = [&](const Lanes &holds) {
    line("tile.prove " + holds.name + ", \"assumed\" : i1");
  };
  if (that.low) {
    prove(compare("arith.cmpi sge", one, number(*that.low, one.element)));
  }
  if (that.high) {
    prove(compare("arith.cmpi sle", one, number(*that.high, one.element)));
  }
  if (that.divisor && *that.divisor > 1) {
    if (*that.divisor > INT32_MAX) {
      refuse(op, "an assumption about a divisor beyond 31 bits");
    }
    Lanes rest = apply("arith.remsi",
                       {one, number(int64_t(*that.divisor), one.element)});
    prove(compare("arith.cmpi eq", rest, number(0, one.element)));
  }
}

/// Yields what a region hands on, tokens left out.
std::string Emitter::terminate(const Op &op, const Region &r,
                               const char *terminator,
                               const std::vector<unsigned> &results) {
  if (r.ops.empty() || !is(r.ops.back(), terminator)) {
    refuse(r.ops.empty() ? op : r.ops.back(),
           std::string(op.name) + " that is left on the way");
  }
  const Op &last = r.ops.back();
  const std::vector<unsigned> &handed = last.operands.at("values");
  if (handed.size() != results.size()) {
    refuse(last, std::string(op.name) + " that hands on another number");
  }
  std::string names, typeList;
  for (size_t i = 0; i < handed.size(); ++i) {
    const Type &t = f.types[results[i]];
    if (t.form == Type::Form::Token || uncarried.count(results[i])) {
      continue;
    }
    const Lanes v = get(last, handed[i]);
    if (v.shape != t.shape || v.element != elementOf(op, t)) {
      refuse(last, std::string(op.name) + " that hands on another type");
    }
    names += (names.empty() ? "" : ", ") +
             (lanesOf(v.shape) == 1 ? v.name : full(v));
    typeList += (typeList.empty() ? "" : ", ") +
                type(v.element, lanesOf(v.shape) == 1 ? Shape() : v.shape);
  }
  return names.empty() ? "" : "scf.yield " + names + " : " + typeList;
}

/// Names what a loop or branch gives, tokens left out.
std::vector<std::string> Emitter::region(const Region &r,
                                         const std::vector<unsigned> &results,
                                         std::vector<std::string> &typeList) {
  std::vector<std::string> list;
  for (unsigned v : results) {
    const Type &t = f.types[v];
    if (t.form == Type::Form::Token) {
      continue;
    }
    Op nowhere;
    nowhere.name = "a value that is handed on";
    nowhere.at = r.ops.empty() ? 0 : r.ops.front().at;
    bool one = lanesOf(t.shape) == 1;
    Lanes lanes{"%" + std::to_string(names++), elementOf(nowhere, t), t.shape,
                one, ""};
    list.push_back(lanes.name);
    typeList.push_back(type(lanes));
    set(v, lanes);
  }
  return list;
}

static std::string join(const std::vector<std::string> &list) {
  std::string text;
  for (const std::string &s : list) {
    text += (text.empty() ? "" : ", ") + s;
  }
  return text;
}

Bounds Emitter::boundsOf(const Op &op) {
  static constexpr const char *words[] = {"lower", "upper", "step"};
  std::vector<Lanes> list;
  for (const char *word : words) {
    if (std::optional<Lanes> v = lifted(kept(op, operand(op, word)))) {
      list.push_back(*v);
    }
  }
  Bounds b;
  b.isWide = list.size() == 3;
  std::vector<std::string> text;
  for (size_t i = 0; i < 3; ++i) {
    if (b.isWide) {
      list[i] = fit(list[i]);
    }
    text.push_back(b.isWide ? list[i].index
                            : get(op, operand(op, words[i])).name);
  }
  std::string counter = "%" + std::to_string(names++);
  const std::string &element = f.types[operand(op, "lower")].element;
  b.text = counter + " = " + text[0] + " to " + text[1] + " step " + text[2];
  b.counter = {counter, element, {}, true, ""};
  if (!b.isWide) {
    b.type = " : " + element;
    return b;
  }
  b.lower = list[0], b.upper = list[1], b.step = list[2];
  b.counter.name.clear();
  b.counter.index = counter;
  int64_t first = b.lower.range->low;
  b.counter.range = {first, std::max(first, b.upper.range->high - 1)};
  return b;
}

void Emitter::fitCounter(const Bounds &b) {
  if (!b.isWide) {
    return;
  }
  int64_t most = signedRange(bitsOf(b.counter.element)).high;
  std::optional<Range> next = add(*b.counter.range, *b.step.range);
  if (next && next->high <= most) {
    return;
  }
  Lanes sum = apply("arith.addi", {indexLanes(b.counter), indexLanes(b.step)});
  Lanes holds = compare("arith.cmpi sle", sum, number(most, "index"));
  line("tile.prove " + holds.name + ", \"the counter fits " +
       b.counter.element + "\" : i1");
}

std::optional<Steady> Emitter::steadyOf(const Op &op, size_t i,
                                        const Bounds &b) {
  const Region &r = op.regions[0];
  unsigned argument = r.arguments[i + 1];
  const Type &t = f.types[argument];
  const Op *last = r.ops.empty() ? nullptr : &r.ops.back();
  if (!b.isWide || t.form != Type::Form::Tile || t.pointer || t.bits < 8 ||
      !t.shape.empty() || !sources.steers(argument) || !is(*last, "continue") ||
      last->operands.at("values").size() <= i) {
    return std::nullopt;
  }
  const Op *next =
      sources.definition(sources.plain(last->operands.at("values")[i]));
  bool down = next && is(*next, "subi");
  if (!next || (!down && !is(*next, "addi"))) {
    return std::nullopt;
  }
  unsigned x = operand(*next, "x"), y = operand(*next, "y");
  if (!down && sources.plain(y) == argument) {
    std::swap(x, y);
  }
  if (sources.plain(x) != argument) {
    return std::nullopt;
  }
  // What has a value here does not come from this loop.
  std::optional<Lanes> by;
  if (std::optional<int64_t> n = sources.constant(y)) {
    by = lifted(number(*n, t.element));
  } else if (values[y]) {
    by = lifted(*values[y]);
  }
  std::optional<Lanes> first = lifted(kept(op, op.operands.at("init")[i]));
  if (!by || !first) {
    return std::nullopt;
  }
  Range trips{0,
              std::max<int64_t>(b.counter.range->high - b.lower.range->low, 0)};
  std::optional<Range> change = multiply(trips, rangeOf(*by));
  std::optional<Range> all = change ? down ? subtract(rangeOf(*first), *change)
                                           : add(rangeOf(*first), *change)
                                    : std::nullopt;
  return all ? std::optional(Steady{argument, *first, *by, down, *all})
             : std::nullopt;
}

Lanes Emitter::afterTrips(const Steady &s, const Bounds &b) {
  auto is = [&](const Lanes &v, int64_t n) {
    return rangeOf(v) == Range{n, n};
  };
  Lanes v = indexLanes(b.counter);
  if (!is(b.lower, 0)) {
    v = apply("arith.subi", {v, indexLanes(b.lower)});
  }
  if (!is(b.step, 1)) {
    v = apply("arith.divsi", {v, indexLanes(b.step)});
  }
  if (!is(s.by, 1)) {
    v = apply("arith.muli", {v, indexLanes(s.by)});
  }
  if (s.down || !is(s.first, 0)) {
    v = apply(s.down ? "arith.subi" : "arith.addi", {indexLanes(s.first), v});
  }
  Lanes out{"", s.first.element, {}, true, ""};
  out.index = v.name;
  out.range = s.all;
  return out;
}

void Emitter::loop(const Op &op) {
  if (attribute(op, "unsigned")) {
    refuse(op, "a loop that counts without sign");
  }
  const Region &r = op.regions.at(0);
  const std::vector<unsigned> &init = op.operands.at("init");
  if (r.arguments.size() != init.size() + 1 ||
      op.results.size() != init.size()) {
    refuse(op, "a loop that carries another number of values");
  }
  Bounds bounds = boundsOf(op);
  std::vector<std::string> initial;
  std::vector<unsigned> carried, results;
  std::vector<Steady> steady;
  for (size_t i = 0; i < init.size(); ++i) {
    const Type &t = f.types[r.arguments[i + 1]];
    if (t.form == Type::Form::Token) {
      continue;
    }
    if (std::optional<Steady> s = steadyOf(op, i, bounds)) {
      steady.push_back(*s);
      if (!sources.isUsed(op.results[i])) {
        uncarried.insert(op.results[i]);
        continue;
      }
    }
    const Lanes v = get(op, init[i]);
    if (v.shape != t.shape || v.element != t.element ||
        f.types[op.results[i]].shape != t.shape) {
      refuse(op, "a loop that carries another type");
    }
    initial.push_back(lanesOf(v.shape) == 1 ? v.name : full(v));
    carried.push_back(r.arguments[i + 1]);
    results.push_back(op.results[i]);
  }
  set(r.arguments[0], bounds.counter);
  std::vector<std::string> typeList, unused;
  std::vector<std::string> inner = region(r, carried, typeList);
  std::vector<std::string> outer = region(r, results, unused);
  std::string head =
      (outer.empty() ? "" : join(outer) + " = ") + "scf.for " + bounds.text;
  if (!inner.empty()) {
    std::string pairs;
    for (size_t i = 0; i < inner.size(); ++i) {
      pairs += (i ? ", " : "") + inner[i] + " = " + initial[i];
    }
    head += " iter_args(" + pairs + ") -> (" + join(typeList) + ")";
  }
  line(head + bounds.type + " {");
  Scope outside = scope;
  indent += "  ";
  fitCounter(bounds);
  for (const Steady &s : steady) {
    set(s.argument, afterTrips(s, bounds));
  }
  run(r.ops);
  std::string last = terminate(op, r, "continue", op.results);
  if (!last.empty()) {
    line(last);
  }
  indent.resize(indent.size() - 2);
  scope = std::move(outside);
  line("}");
}

void Emitter::branch(const Op &op) {
  const Lanes condition = get(op, operand(op, "condition"));
  std::vector<std::string> typeList;
  std::string head = "scf.if " + condition.name;
  std::vector<std::string> outer =
      region(op.regions.at(0), op.results, typeList);
  if (!outer.empty()) {
    head = join(outer) + " = " + head + " -> (" + join(typeList) + ")";
  }
  line(head + " {");
  for (size_t i = 0; i < op.regions.size(); ++i) {
    if (i == 1) {
      line("} else {");
    }
    Scope outside = scope;
    indent += "  ";
    run(op.regions[i].ops);
    std::string last = terminate(op, op.regions[i], "yield", op.results);
    if (!last.empty()) {
      line(last);
    }
    indent.resize(indent.size() - 2);
    scope = std::move(outside);
  }
  line("}");
}

void Emitter::run(const std::vector<Op> &ops) {
  for (const Op &op : ops) {
    std::string name = op.name;
    bool ofAddresses = op.results.size() == 1 &&
                       f.types[op.results[0]].form == Type::Form::Tile &&
                       f.types[op.results[0]].pointer;
    if (name == "assume") {
      assume(op);
    } else if (ofAddresses) {
      if (name != "offset" && name != "reshape" && name != "broadcast") {
        refuse(op, name + " that makes addresses");
      }
    } else if (name == "assert") {
      note("what the kernel asserts is not looked at");
    } else if (name == "print_tko") {
      note("nothing is printed");
    } else if (isAccess(op)) {
      access(op);
    } else if (name == "for") {
      loop(op);
    } else if (name == "if") {
      branch(op);
    } else if (name == "reduce" || name == "scan") {
      fold(op);
    } else if (name == "mmaf" || name == "mmai" || name == "mmaf_scaled") {
      product(op);
    } else if (name == "extract") {
      extract(op);
    } else if (name == "cat") {
      concatenate(op);
    } else if (name == "get_index_space_shape" || name == "get_tensor_shape") {
      viewShape(op);
    } else if (name == "get_tile_block_id" || name == "get_num_tile_blocks") {
      for (size_t k = 0; k < 3; ++k) {
        if (!sources.isUsed(op.results.at(k))) {
          continue;
        }
        bool isId = name == "get_tile_block_id";
        Lanes v{"", f.types[op.results[k]].element, {}, true, ""};
        v.index = define((isId ? "tile.block_id " : "tile.grid_dim ") +
                         std::to_string(k));
        v.range = signature.blocks(k);
        if (isId) {
          v.range = {0, std::max<int64_t>(v.range->high - 1, 0)};
        }
        set(op.results[k], v);
      }
    } else if (name == "make_token" || name == "join_tokens" ||
               name == "make_tensor_view" || name == "make_partition_view" ||
               name == "yield" || name == "continue") {
      continue;
    } else if (name == "return") {
      if (&ops != &f.ops) {
        refuse(op, "a return on the way");
      }
    } else if (!compute(op)) {
      refuse(op, name + " has no form in the dialect");
    }
  }
}

static bool isName(const std::string &name) {
  bool fine = !name.empty();
  for (char c : name) {
    fine &= (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
            (c >= '0' && c <= '9') || c == '_';
  }
  size_t first = name.find_first_not_of('_');
  return fine && first != std::string::npos &&
         !(name[first] >= '0' && name[first] <= '9');
}

std::variant<std::string, ImportError> importKernel(const Function &f,
                                                    const Options &options) {
  try {
    if (!isName(f.name)) {
      throw ImportError{"an entry whose name is no name of a kernel", 0};
    }
    Sources sources(f);
    Signature signature = readSignature(sources, options);
    Emitter e(sources, signature, options);
    for (unsigned p : signature.floats) {
      e.set(p, {"%s" + std::to_string(p), f.types[p].element, {}, true, ""});
    }
    std::map<std::string, Lanes> known;
    for (const auto &[p, symbol] : signature.symbols) {
      if (!sources.isUsed(p)) {
        continue;
      }
      const std::string &element = f.types[p].element;
      bool size = signature.sizes.count(p);
      Lanes &v = known[symbol + " " + element];
      if (v.element.empty()) {
        v = {"", element, {}, true, ""};
        std::string name = e.define("tile.symbol \"" + symbol +
                                    "\" : " + (size ? "index" : element));
        v.range =
            signature.bounded(symbol, size ? sizeRange(f.types[p])
                                           : signedRange(bitsOf(element)));
        if (size) {
          v.index = name;
        } else {
          v.name = name;
          v.index = bitsOf(element) < 8
                        ? ""
                        : e.define("arith.index_cast " + name + " : " +
                                   element + " to index");
        }
      }
      e.set(p, v);
    }
    e.run(f.ops);
    if (f.ops.empty() || !is(f.ops.back(), "return")) {
      throw ImportError{"an entry that does not return", 0};
    }
    e.prune();
    return e.text(f.name);
  } catch (const ImportError &r) {
    return r;
  } catch (const std::out_of_range &) {
    return ImportError{"an op that lacks an operand or a result", 0};
  }
}

} // namespace girih::importer
