// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of a recorded file. Each line knows the op that it comes from, so
// that places of C++ can go where they are wanted.

#include "Places.h"
#include "Recording.h"
#include <algorithm>

namespace girih::kernel::recorder {

namespace {
/// Where headers wrap.
constexpr size_t width = 88;

class Printer {
public:
  explicit Printer(Recording &r) : r(r) {}

  File run() {
    for (KernelData &k : r.kernels) {
      countTiles(k.body);
      markLive(r, r.bodies[k.body].top);
    }
    for (MapData &m : r.maps) {
      for (int body : m.bodies) {
        if (body >= 0) {
          markLive(r, r.bodies[body].top);
        }
      }
    }
    nameTypes();
    if (!r.variantsName.empty()) {
      printVariants();
    }
    for (MapData &m : r.maps) {
      printMap(m);
    }
    for (KernelData &k : r.kernels) {
      printKernel(k);
    }
    // Aliases come first; those that the text speaks of, in order of first use.
    File file;
    file.name = r.variantsName.empty() ? r.kernels[0].name : r.variantsName;
    for (TypeId t : usedTypes) {
      file.text += "!" + aliases[t] + " = " + r.types[t].text + "\n";
      file.places.push_back({});
    }
    file.placed = file.text;
    SourceColumns columns;
    for (Line &line : lines) {
      file.text += line.text + "\n";
      file.placed += line.text;
      if (line.end.line()) {
        file.placed += locationText(line.end, columnOf(line, columns));
      }
      file.placed += "\n";
      bool isPlaced = line.at.line() != 0;
      file.places.push_back(
          {isPlaced ? line.at.file_name() : "", line.at.line()});
    }
    return file;
  }

private:
  struct Line {
    std::string text;
    Place at;
    Place end;                  // of the op that ends with it
    bool isCall = true;         // whether that was written as a call
    std::string_view sign = {}; // of the operator that it was written as
  };

  //===-- Types -----------------------------------------------------------===//

  void nameTypes() {
    aliases.resize(r.types.size());
    std::set<std::string> taken;
    for (size_t t = 0; t < r.types.size(); ++t) {
      std::string base = r.types[t].alias, alias = base;
      for (int n = 1; !base.empty() && !taken.insert(alias).second; ++n) {
        alias = base + "_" + std::to_string(n);
      }
      aliases[t] = alias;
    }
  }
  std::string typeText(TypeId t) {
    if (aliases[t].empty()) {
      return r.types[t].text;
    }
    if (std::find(usedTypes.begin(), usedTypes.end(), t) == usedTypes.end()) {
      usedTypes.push_back(t);
    }
    return "!" + aliases[t];
  }

  //===-- Names -----------------------------------------------------------===//

  /// The name of a value; the first time is its definition.
  std::string name(Value v) {
    v = r.real(v);
    auto it = names.find(v);
    return it == names.end() ? define(v) : it->second;
  }
  std::string define(Value v) {
    std::string base = r.values[v].name;
    if (base.empty()) {
      base = wordOf(r.values[v].definition);
    }
    if (!isPlainName(base)) {
      base = "v" + base;
    }
    auto number = [&](int n) {
      return n ? base + "_" + std::to_string(n) : base;
    };
    int &n = firstFree[base];
    while (!taken.insert(number(n)).second) {
      ++n;
    }
    open.push_back({base, n});
    return names[v] = "%" + number(n++);
  }
  /// What an op is called where nothing else is known: `exp` of math.exp.
  static std::string wordOf(const Op *op) {
    if (!op || op->tokens.empty()) {
      return "v";
    }
    const std::string &text = op->tokens[0].text;
    size_t dot = text.find('.') + 1;
    std::string word = text.substr(dot, text.find_first_of(" (", dot) - dot);
    if (word == "reduce" || word == "scan") {
      size_t at = text.find(' ', dot) + 1;
      word = text.substr(at, text.find(' ', at) - at);
    }
    static const std::map<std::string, std::string> words = {
        {"addf", "sum"},
        {"addi", "sum"},
        {"add", "sum"},
        {"subf", "less"},
        {"subi", "less"},
        {"mulf", "product"},
        {"muli", "product"},
        {"divf", "quotient"},
        {"divsi", "quotient"},
        {"remsi", "rest"},
        {"ceildivsi", "quotient"},
        {"minsi", "least"},
        {"maxsi", "most"},
        {"maximumf", "most"},
        {"minimumf", "least"},
        {"broadcast", "lanes"},
        {"index_cast", "index"},
        {"truncf", "narrow"},
        {"extf", "wide"},
        {"extsi", "wide"},
        {"extui", "wide"},
        {"trunci", "narrow"},
        {"cmpi", "is"},
        {"cmpf", "is"},
        {"select", "chosen"},
        {"shape_cast", "shaped"},
        {"transpose", "turned"},
        {"negf", "minus"},
        {"mma", "product"},
        {"mma_scaled", "product"},
        {"andi", "both"},
        {"ori", "either"},
        {"xori", "differ"},
        {"load", "tile"},
        {"sitofp", "real"},
        {"uitofp", "real"},
        {"fptosi", "whole"},
        {"fptoui", "whole"}};
    auto it = words.find(word);
    return it == words.end() ? word : it->second;
  }
  void closeNames(size_t from) {
    for (size_t k = from; k < open.size(); ++k) {
      auto &[base, n] = open[k];
      taken.erase(n ? base + "_" + std::to_string(n) : base);
      firstFree[base] = std::min(firstFree[base], n);
    }
    open.resize(from);
  }

  //===-- Bodies ----------------------------------------------------------===//

  /// ceildiv(extent, tile) is the number of tiles of a partition that has both.
  void countTiles(int body) {
    for (const TileCount &count : r.tileCounts) {
      if (r.values[count.value].body != body) {
        continue;
      }
      for (const PartitionData &p : sortedPartitions(body)) {
        auto axis = std::find_if(p.extents, p.extents + p.rank, [&](auto &e) {
          return e == count.extent && p.by[&e - p.extents] == count.tile;
        });
        if (axis == p.extents + p.rank) {
          continue;
        }
        int k = int(axis - p.extents);
        r.scopes.emplace_back();
        r.scopes.back().push_back(
            {&r.bodies[body].top, nullptr, body, 0, {}, {}});
        r.values[count.value].standsFor =
            numTiles(p.value, k, r.values[count.value].at);
        r.scopes.pop_back();
        break;
      }
    }
  }
  std::vector<PartitionData> sortedPartitions(int body) {
    std::vector<PartitionData> out;
    for (const PartitionData &p : r.partitions) {
      if (p.ofArgument && p.body == body) {
        out.push_back(p);
      }
    }
    sortStably(
        out, [&](auto &a, auto &b) { return keyOf(a.value) < keyOf(b.value); });
    return out;
  }
  /// Of a partition: its argument and text, whatever order they were recorded
  /// in.
  std::pair<Value, std::string> keyOf(Value partition) {
    const Op *op = r.values[partition].definition;
    return {op->operands[0], op->tokens.size() > 2 ? op->tokens[2].text : ""};
  }

  void printTop(int body, int indent) {
    Body &b = r.bodies[body];
    std::vector<Op *> order = schedule(r, b.top);
    std::vector<Op *> hoisted;
    std::set<const Op *> seen;
    for (Op *op : order) {
      findHoisted(op, hoisted, seen);
    }
    for (Value v : b.top.yields) {
      findHoisted(v, hoisted, seen);
    }
    sortStably(hoisted, [&](Op *a, Op *b) {
      if (a->hoist != b->hoist || a->hoist == Hoist::Constant ||
          a->hoist == Hoist::Symbol) {
        return a->hoist < b->hoist;
      }
      if (a->hoist == Hoist::Partition) {
        return keyOf(a->results[0]) < keyOf(b->results[0]);
      }
      if (a->hoist == Hoist::TileCount) {
        return keyOfCount(a) < keyOfCount(b);
      }
      return a->rank < b->rank;
    });
    for (Op *op : hoisted) {
      printOp(*op, indent);
    }
    for (Op *op : order) {
      printOp(*op, indent);
    }
  }
  std::pair<std::pair<Value, std::string>, i64> keyOfCount(const Op *op) {
    return {keyOf(op->operands[0]), op->rank % 8};
  }
  void findHoisted(Value v, std::vector<Op *> &out,
                   std::set<const Op *> &seen) {
    if (Op *op = r.values[r.real(v)].definition) {
      findHoisted(op, out, seen);
    }
  }
  void findHoisted(Op *op, std::vector<Op *> &out, std::set<const Op *> &seen) {
    if (!op->isLive || !seen.insert(op).second) {
      return;
    }
    bool carries = op->kind == Kind::For || op->kind == Kind::While;
    size_t fixed = op->kind == Kind::For ? 3 : 0;
    for (size_t k = 0; k < op->operands.size(); ++k) {
      if (!carries || k < fixed || op->keeps[k - fixed]) {
        findHoisted(op->operands[k], out, seen);
      }
    }
    if (op->condition >= 0) {
      findHoisted(op->condition, out, seen);
    }
    for (Region &region : op->regions) {
      for (Op *inner : region.ops) {
        if (inner->role != Role::Pure) {
          findHoisted(inner, out, seen);
        }
      }
      for (size_t k = 0; k < region.yields.size(); ++k) {
        if (op->keeps[k]) {
          findHoisted(region.yields[k], out, seen);
        }
      }
    }
    if (op->hoist != Hoist::No) {
      out.push_back(op);
    }
  }

  void line(int indent, const std::string &text, Place at = {},
            Place end = {}) {
    lines.push_back({std::string(indent, ' ') + text, at, end});
  }
  /// A line that is all of an op.
  void wholeLine(int indent, const std::string &text, Place at) {
    line(indent, text, at, at);
  }
  std::string listed(const std::vector<Value> &values) {
    std::string text;
    for (Value v : values) {
      text += (text.empty() ? "" : ", ") + name(v);
    }
    return text;
  }
  std::string typesOf(const std::vector<Value> &values) {
    std::string text;
    for (Value v : values) {
      text += (text.empty() ? "" : ", ") + typeText(r.values[r.real(v)].type);
    }
    return text;
  }
  static std::vector<Value> kept(const Op &op, const std::vector<Value> &values,
                                 size_t from = 0) {
    std::vector<Value> out;
    for (size_t k = 0; k < op.keeps.size(); ++k) {
      if (op.keeps[k]) {
        out.push_back(values[from + k]);
      }
    }
    return out;
  }

  void printOp(Op &op, int indent) {
    switch (op.kind) {
    case Kind::Plain:
      return printPlain(op, indent);
    case Kind::For:
      return printFor(op, indent);
    case Kind::If:
      return printIf(op, indent);
    case Kind::While:
      return printWhile(op, indent);
    }
  }
  void printPlain(Op &op, int indent) {
    std::string text;
    for (const Token &t : op.tokens) {
      text += t.kind == Token::Text      ? t.text
              : t.kind == Token::Operand ? name(t.number)
                                         : typeText(t.number);
    }
    if (!op.results.empty()) {
      text = listed(op.results) + " = " + text;
    }
    wholeLine(indent, text, op.at);
    lines.back().isCall = isCall(op);
    if (!op.isPlacedByUse && !op.isOfSymbols) {
      lines.back().sign = signOfOperator(op.tokens[0].text);
    }
  }
  /// Whether compilers agree on where an op was written. Of operators and of
  /// what is converted they know different parts.
  static bool isCall(const Op &op) {
    const std::string &text = op.tokens[0].text;
    return text.starts_with("tile.") && !text.starts_with("tile.symbol") &&
           !text.starts_with("tile.num_tiles");
  }
  static unsigned columnOf(const Line &line, SourceColumns &columns) {
    return line.isCall         ? columns.ofCall(line.end)
           : line.sign.empty() ? 0
                               : columns.ofOperator(line.end, line.sign);
  }
  void printBlock(Region &region, int indent) {
    for (Op *op : schedule(r, region)) {
      printOp(*op, indent);
    }
    const Op &op = *region.owner;
    std::vector<Value> yields = kept(op, region.yields);
    if (!yields.empty()) {
      wholeLine(indent, "scf.yield " + listed(yields) + " : " + typesOf(yields),
                op.at);
    }
  }
  void printFor(Op &op, int indent) {
    Region &body = op.regions[0];
    std::vector<Value> results = kept(op, op.results),
                       inits = kept(op, op.operands, 3),
                       carried = kept(op, body.arguments, 1);
    std::string head = name(op.operands[0]) + " to " + name(op.operands[1]) +
                       " step " + name(op.operands[2]);
    size_t mark = open.size();
    std::string text = "scf.for " + name(body.arguments[0]) + " = " + head;
    for (size_t k = 0; k < carried.size(); ++k) {
      text += (k ? ", " : " iter_args(") + name(carried[k]) + " = " +
              name(inits[k]);
    }
    if (!carried.empty()) {
      text += ") -> (" + typesOf(carried) + ")";
    }
    if (TypeId t = r.values[body.arguments[0]].type;
        r.types[t].text != "index") {
      text += " : " + r.types[t].text;
    }
    size_t first = lines.size();
    line(indent, text + " {", op.at);
    printBlock(body, indent + 2);
    closeNames(mark);
    line(indent, "}", {}, op.at);
    nameResults(results, lines[first].text, indent);
  }
  /// Results are named once the region's names are free again.
  void nameResults(const std::vector<Value> &results, std::string &text,
                   int indent) {
    if (!results.empty()) {
      text.insert(indent, listed(results) + " = ");
    }
  }
  void printIf(Op &op, int indent) {
    std::vector<Value> results = kept(op, op.results);
    std::string text = "scf.if " + name(op.operands[0]);
    if (!results.empty()) {
      text += " -> (" + typesOf(results) + ")";
    }
    size_t head = lines.size(), mark = open.size();
    line(indent, text + " {", op.at);
    printBlock(op.regions[0], indent + 2);
    closeNames(mark);
    size_t before = lines.size();
    line(indent, "} else {");
    printBlock(op.regions[1], indent + 2);
    closeNames(mark);
    if (lines.size() == before + 1) {
      lines.pop_back();
    }
    line(indent, "}", {}, op.at);
    nameResults(results, lines[head].text, indent);
  }
  void printWhile(Op &op, int indent) {
    std::vector<Value> results = kept(op, op.results),
                       inits = kept(op, op.operands),
                       before = kept(op, op.regions[0].arguments),
                       after = kept(op, op.regions[1].arguments);
    size_t mark = open.size(), head = lines.size();
    std::string text = "scf.while (";
    for (size_t k = 0; k < before.size(); ++k) {
      text += (k ? ", " : "") + name(before[k]) + " = " + name(inits[k]);
    }
    text += ") : (" + typesOf(inits) + ") -> (" + typesOf(results) + ") {";
    line(indent, text, op.at);
    for (Op *inner : schedule(r, op.regions[0])) {
      printOp(*inner, indent + 2);
    }
    wholeLine(indent + 2,
              "scf.condition(" + name(op.condition) + ") " + listed(before) +
                  (before.empty() ? "" : " : " + typesOf(before)),
              op.at);
    closeNames(mark);
    line(indent, "} do {");
    if (!after.empty()) {
      std::string block;
      for (Value v : after) {
        block += (block.empty() ? "" : ", ") + name(v) + ": " +
                 typeText(r.values[v].type);
      }
      line(indent, "^bb0(" + block + "):");
    }
    size_t count = lines.size();
    printBlock(op.regions[1], indent + 2);
    if (lines.size() == count ||
        lines.back().text.find("scf.yield") == std::string::npos) {
      wholeLine(indent + 2, "scf.yield", op.at);
    }
    closeNames(mark);
    line(indent, "}", {}, op.at);
    nameResults(results, lines[head].text, indent);
  }

  //===-- Headers ---------------------------------------------------------===//

  void symbolsOf(Expression id, std::vector<std::string> &out) {
    const ExpressionData &e = r.expressions[id];
    if (!e.op.empty()) {
      symbolsOf(e.x, out);
      symbolsOf(e.y, out);
    } else if (e.symbol.number < 0) {
      out.push_back(e.symbol.name);
    }
  }
  /// Launch symbols that no extent binds, in order of the header, then of the
  /// body.
  std::string symbolsClause(const KernelData &k) {
    std::vector<std::string> all;
    for (const Sym &s : k.strides) {
      all.push_back(s.name);
    }
    for (Expression e : k.grid) {
      symbolsOf(e, all);
    }
    for (const Comparison &c : k.conditions) {
      symbolsOf(c.x, all);
      symbolsOf(c.y, all);
    }
    for (const KernelData::Repack &each : k.repack) {
      for (const Comparison &c : each.when) {
        symbolsOf(c.x, all);
        symbolsOf(c.y, all);
      }
    }
    size_t certain = all.size();
    for (Expression e : k.givenExpressions) {
      symbolsOf(e, all);
    }
    for (size_t i = all.size(); i-- > certain;) {
      if (k.coverNames.count(all[i])) {
        all.erase(all.begin() + i);
      }
    }
    std::set<std::string> inBody;
    for (auto &[key, value] : r.bodies[k.body].hoisted) {
      const Op *op = r.values[value].definition;
      if (op->hoist == Hoist::Symbol && op->isLive) {
        inBody.insert(key.substr(13, key.find('"', 13) - 13));
      }
    }
    for (const std::string &s : viewSymbols(k.body)) {
      inBody.insert(s);
    }
    all.insert(all.end(), inBody.begin(), inBody.end());
    std::set<std::string> seen(k.bound.begin(), k.bound.end());
    std::string text;
    for (const std::string &s : all) {
      if (seen.insert(s).second) {
        text += (text.empty() ? "" : ", ") + s + " : " +
                textOf(r.symbolTypes.at(s));
      }
    }
    return text.empty() ? "" : "symbols [" + text + "]";
  }
  /// Symbols that views name in their text.
  std::vector<std::string> viewSymbols(int body) {
    std::vector<std::string> out;
    for (const Op &op : r.bodies[body].ops) {
      if (!op.isLive || op.tokens.empty() ||
          !op.tokens[0].text.starts_with("tile.view")) {
        continue;
      }
      for (const Token &t : op.tokens) {
        std::string word;
        for (char c : t.kind == Token::Text ? t.text + " " : " ") {
          if (std::isalnum((unsigned char)c) || c == '_') {
            word += c;
          } else {
            if (r.symbolTypes.count(word)) {
              out.push_back(word);
            }
            word.clear();
          }
        }
      }
    }
    return out;
  }
  /// Clauses, as many on a line as fit.
  void printHeader(std::string text, const std::vector<std::string> &clauses,
                   Place at) {
    int indent = 0;
    for (const std::string &c : clauses) {
      if (c.empty()) {
        continue;
      }
      if (indent + text.size() + 1 + c.size() + 2 > width) {
        line(indent, text, at);
        indent = 4;
        text = c;
      } else {
        text += " " + c;
      }
    }
    line(indent, text + " {", at);
  }
  static std::string clause(const char *word,
                            const std::vector<std::string> &parts) {
    std::string text;
    for (const std::string &p : parts) {
      text += (text.empty() ? "" : ", ") + p;
    }
    return text.empty() ? "" : std::string(word) + " [" + text + "]";
  }
  std::string listOf(const std::vector<Comparison> &conditions) {
    std::string text;
    for (const Comparison &c : conditions) {
      text += (text.empty() ? "" : ", ") + textOf(r, c);
    }
    return text;
  }
  void printKernel(KernelData &k) {
    names.clear();
    taken.clear();
    firstFree.clear();
    open.clear();
    std::string arguments;
    for (Argument &a : k.arguments) {
      arguments += (arguments.empty() ? "" : ", ") + name(a.value) + ": " +
                   typeText(a.type);
    }
    std::vector<std::string> grid, conditions;
    for (Expression e : k.grid) {
      grid.push_back(textOf(r, e));
    }
    for (const Comparison &c : k.conditions) {
      conditions.push_back(textOf(r, c));
    }
    std::vector<std::string> repack;
    for (const KernelData::Repack &each : k.repack) {
      repack.push_back(name(each.tensor) + " when (" + listOf(each.when) + ")");
    }
    std::string hints;
    for (const std::string &target : k.targets) {
      std::string text;
      for (auto &[name, value] : k.hints[target]) {
        text +=
            (text.empty() ? "" : ", ") + name + " = " + std::to_string(value);
      }
      hints += (hints.empty() ? "" : ", ") + target + " = {" + text + "}";
    }
    printHeader("tile.kernel @" + k.name + "(" + arguments + ")",
                {symbolsClause(k),
                 grid.empty() ? "grid []" : clause("grid", grid),
                 clause("requires", conditions), clause("given", k.givens),
                 clause("covers", k.covers), clause("repack", repack),
                 hints.empty() ? "" : "hints {" + hints + "}"},
                k.at);
    printTop(k.body, 2);
    line(0, "}", {}, k.at);
  }
  void printMap(MapData &m) {
    auto list = [&](const std::vector<Expression> &e) {
      std::string text;
      for (Expression x : e) {
        text += (text.empty() ? "" : ", ") + textOf(r, x);
      }
      return "[" + text + "]";
    };
    std::string results;
    for (int k = 0; k < m.form.results; ++k) {
      results += k ? ", index" : "index";
    }
    for (int side : {0, 1}) {
      if (m.bodies[side] < 0) {
        continue;
      }
      names.clear();
      taken.clear();
      firstFree.clear();
      open.clear();
      Region &top = r.bodies[m.bodies[side]].top;
      std::string arguments = "(" + listed(top.arguments) + ")";
      if (side == 0) {
        printHeader(
            "tile.map @" + m.name + arguments,
            {clause("", m.parameters).substr(m.parameters.empty() ? 0 : 1),
             "-> (" + results + ")", "from " + list(m.from),
             m.into.empty() ? "" : "into " + list(m.into), m.form.property},
            {});
      } else {
        lines.back() = {"} inverse " + arguments + " {", {}, {}};
      }
      printTop(m.bodies[side], 2);
      line(2, "tile.yield " + listed(top.yields));
      line(0, "}", {}, m.at);
    }
  }
  void printVariants() {
    std::string text = "tile.variants @" + r.variantsName + " [";
    for (KernelData &k : r.kernels) {
      text += (&k == &r.kernels[0] ? "@" : ", @") + k.name;
      for (const When &w : r.whens) {
        if (w.kernel == k.name) {
          text += " when (" + listOf(w.conditions) + ")";
        }
      }
    }
    line(0, text + "]");
  }

  Recording &r;
  std::vector<std::string> aliases;
  std::vector<TypeId> usedTypes;
  std::map<Value, std::string> names;
  std::set<std::string> taken;
  std::map<std::string, int> firstFree; // by base: no number below is free
  /// Base and number of names in the order of their definition.
  std::vector<std::pair<std::string, int>> open;
  std::vector<Line> lines;
};
} // namespace

File print(Recording &r) {
  leaveLoops(r);
  nameFromSource(r);
  return Printer(r).run();
}

} // namespace girih::kernel::recorder
