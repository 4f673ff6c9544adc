// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/ptx/Expected.h"
#include "proofs/Text.h"

#include <algorithm>

namespace girih::ptx {

using namespace proofs;

namespace {

class Parser {
public:
  explicit Parser(std::string_view text) : c(text) {}
  std::variant<Expected, Error> run();

private:
  void header();
  bool line();
  Poly poly();
  std::vector<Poly> polys();
  uint64_t size();
  size_t tensorNamed();
  void define();
  void addName(std::string name);
  void region(Mode mode);
  void ring();

  Cursor c;
  Expected out;
  std::vector<std::string> kept; ///< what `names` looks at
  VariableNumbers names;
};

} // namespace

static constexpr const char *modes[] = {"read", "write", "atomic"};

Poly Parser::poly() {
  Poly p = c.polynomial(names);
  for (const Term &t : p.terms()) {
    for (Var v : t.vars) {
      if (v >= out.variables.size()) {
        c.fail("variable v" + std::to_string(v) + " has no name");
      }
    }
  }
  return p;
}

std::vector<Poly> Parser::polys() {
  std::vector<Poly> out;
  c.expect("(");
  while (!c.failed() && !c.accept(")")) {
    if (!out.empty()) {
      c.expect(",");
    }
    out.push_back(poly());
  }
  return out;
}

uint64_t Parser::size() {
  Int value = c.integer();
  if (value < 0 || value > (Int(1) << 40)) {
    c.fail("size out of range");
    return 1;
  }
  return uint64_t(value);
}

size_t Parser::tensorNamed() {
  std::string name = c.string();
  for (size_t i = 0; i < out.tensors.size(); ++i) {
    if (out.tensors[i].name == name) {
      return i;
    }
  }
  c.fail("unknown tensor '" + name + "'");
  return 0;
}

void Parser::addName(std::string name) {
  if (std::find(out.variables.begin(), out.variables.end(), name) !=
          out.variables.end() ||
      !isWord(name) || numberedVariable(name)) {
    c.fail("'" + name + "' cannot name a variable");
  }
  out.variables.push_back(std::move(name));
  kept = out.variables;
  names.clear();
  for (size_t i = 0; i < kept.size(); ++i) {
    names[kept[i]] = Var(i);
  }
}

void Parser::header() {
  c.expect("girih-expected 1");
  c.endLine();
  c.expect("entry");
  out.entry = c.string();
  c.endLine();
  c.expect("symbols");
  while (!c.atEndOfLine()) {
    addName(c.string());
  }
  c.endLine();
  out.symbols = out.variables.size();
  for (const char *name : {"bx", "by", "bz"}) {
    addName(name);
  }
}

void Parser::define() {
  Definition d;
  std::vector<std::string> results;
  c.expect("quotient");
  d.arguments = polys();
  c.expect("->");
  while (!c.atEndOfLine()) {
    results.push_back(c.string());
  }
  if (d.arguments.size() != 2 || results.size() != 2) {
    c.fail("a quotient has two arguments and two results");
    return;
  }
  for (std::string &name : results) {
    d.results.push_back(Var(out.variables.size()));
    addName(std::move(name));
  }
  out.definitions.push_back(std::move(d));
}

void Parser::region(Mode mode) {
  Region r;
  r.mode = mode;
  r.tensor = tensorNamed();
  while (c.accept("[")) {
    Range range;
    range.from = poly();
    c.expect("to");
    do {
      range.below.push_back(poly());
    } while (c.accept(","));
    c.expect("]");
    r.axes.push_back(std::move(range));
  }
  r.covered = c.accept("covered");
  if (!c.failed() && r.axes.size() != out.tensors[r.tensor].extents.size()) {
    c.fail("a region has as many axes as its tensor");
  }
  out.regions.push_back(std::move(r));
}

void Parser::ring() {
  Ring r;
  c.expect("slots");
  r.slots = size();
  c.expect("bytes");
  r.bytes = size();
  c.expect("at");
  r.at = size();
  c.expect("barriers");
  r.barriers = size();
  c.expect("warps");
  r.warps = size();
  if (!c.failed() && (r.slots == 0 || r.slots > 64 || r.bytes == 0 ||
                      r.bytes > (1 << 20) || r.warps == 0 || r.warps > 32)) {
    c.fail("no such ring");
  }
  out.rings.push_back(r);
}

bool Parser::line() {
  if (c.accept("threads")) {
    for (uint64_t &n : out.threads) {
      n = size();
      if (n == 0 || n > 1024) {
        c.fail("number of threads out of range");
      }
    }
  } else if (c.accept("grid")) {
    std::vector<Poly> g = polys();
    if (g.size() != 3) {
      c.fail("a grid has three axes");
      return true;
    }
    std::copy(g.begin(), g.end(), out.grid);
  } else if (c.accept("dynamic")) {
    out.dynamicBytes = size();
  } else if (c.accept("given")) {
    Poly p = poly();
    bool equality = c.accept("=");
    if (!equality) {
      c.expect(">=");
    }
    c.expect("0");
    out.given.push_back({{{{{equality, p}}}}, {}});
    out.given.back().origin.kind = Origin::Kind::Contract;
  } else if (c.accept("define")) {
    define();
  } else if (c.accept("any")) {
    out.any.push_back(Var(out.variables.size()));
    addName(c.string());
  } else if (c.accept("early")) {
    out.early.emplace();
    while (!c.atEndOfLine()) {
      out.early->push_back(tensorNamed());
    }
  } else if (c.accept("tensor")) {
    Tensor t;
    t.name = c.string();
    c.expect("bytes");
    t.bytes = size();
    c.expect("align");
    t.align = size();
    c.expect("extents");
    t.extents = polys();
    c.expect("strides");
    t.strides = polys();
    if (!c.failed() && (t.bytes == 0 || t.bytes > 16 || t.align == 0 ||
                        t.strides.size() != t.extents.size())) {
      c.fail("no such tensor");
    }
    out.tensors.push_back(std::move(t));
  } else if (c.accept("param")) {
    Argument a;
    if (c.accept("tensor")) {
      a.tensor = tensorNamed();
    } else {
      c.expect("value");
      a.value = poly();
    }
    out.arguments.push_back(std::move(a));
  } else if (c.accept("ring")) {
    ring();
  } else {
    for (size_t m = 0; m < 3; ++m) {
      if (c.accept(modes[m])) {
        region(Mode(m));
        c.endLine();
        return true;
      }
    }
    return false;
  }
  c.endLine();
  return true;
}

std::variant<Expected, Error> Parser::run() {
  header();
  while (!c.failed() && !c.atEnd()) {
    if (c.atEndOfLine() || c.peek() == '#') {
      c.skipLine();
    } else if (!line()) {
      c.fail("expected an item");
    }
  }
  if (c.failed()) {
    return Error{c.failure().line, c.failure().message};
  }
  return out;
}

std::variant<Expected, Error> parseExpected(std::string_view text) {
  return Parser(text).run();
}

// Printing.

static std::string list(const std::vector<Poly> &polys,
                        const std::vector<std::string> &names) {
  std::string out;
  for (const Poly &p : polys) {
    out += (out.empty() ? "" : ", ") + proofs::print(p, &names);
  }
  return out;
}

static std::string printRegion(const Region &r, const Expected &e) {
  std::string out = std::string(modes[size_t(r.mode)]) + " " +
                    printString(e.tensors[r.tensor].name);
  for (const Range &range : r.axes) {
    out += " [" + proofs::print(range.from, &e.variables) + " to " +
           list(range.below, e.variables) + "]";
  }
  return out + (r.covered ? " covered\n" : "\n");
}

static std::string printRing(const Ring &r) {
  return "ring slots " + std::to_string(r.slots) + " bytes " +
         std::to_string(r.bytes) + " at " + std::to_string(r.at) +
         " barriers " + std::to_string(r.barriers) + " warps " +
         std::to_string(r.warps) + "\n";
}

std::string print(const Expected &e) {
  const std::vector<std::string> &names = e.variables;
  std::string out = "girih-expected 1\nentry " + printString(e.entry) + "\n";
  out += "symbols";
  for (size_t i = 0; i < e.symbols; ++i) {
    out += " " + names[i];
  }
  out += "\nthreads";
  for (uint64_t n : e.threads) {
    out += " " + std::to_string(n);
  }
  out += "\ngrid (" + list({e.grid[0], e.grid[1], e.grid[2]}, names) + ")\n";
  out += "dynamic " + std::to_string(e.dynamicBytes) + "\n";
  for (const Definition &d : e.definitions) {
    out += "define quotient (" + list(d.arguments, names) + ") -> " +
           names[d.results[0]] + " " + names[d.results[1]] + "\n";
  }
  for (const Hypothesis &h : e.given) {
    out += "given " + proofs::print(h.fact, &names) + "\n";
  }
  for (Var v : e.any) {
    out += "any " + names[v] + "\n";
  }
  for (const Tensor &t : e.tensors) {
    out += "tensor " + printString(t.name) + " bytes " +
           std::to_string(t.bytes) + " align " + std::to_string(t.align) +
           " extents (" + list(t.extents, names) + ") strides (" +
           list(t.strides, names) + ")\n";
  }
  for (const Argument &a : e.arguments) {
    out += a.tensor ? "param tensor " + printString(e.tensors[*a.tensor].name)
                    : "param value " + proofs::print(a.value, &names);
    out += "\n";
  }
  if (e.early) {
    out += "early";
    for (size_t t : *e.early) {
      out += " " + printString(e.tensors[t].name);
    }
    out += "\n";
  }
  for (const Region &r : e.regions) {
    out += printRegion(r, e);
  }
  for (const Ring &r : e.rings) {
    out += printRing(r);
  }
  return out;
}

} // namespace girih::ptx
