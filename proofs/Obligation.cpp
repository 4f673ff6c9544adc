// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text form of obligations; proofs/README.md has the grammar.

#include "proofs/Text.h"

#include <algorithm>
#include <array>

namespace girih::proofs {

using Names = std::vector<std::string>;

constexpr std::array<std::string_view, 12> originNames = {
    "contract", "path",  "loop",       "launch", "region", "distinct",
    "value",    "given", "definition", "proved", "trust",  "invariant"};
constexpr std::array<std::string_view, 4> definitionNames = {
    "quotient", "select", "wrap", "name"};

template <typename Kind, size_t n>
static std::string nameOf(Kind kind,
                          const std::array<std::string_view, n> &names) {
  return size_t(kind) < n ? std::string(names[size_t(kind)]) : "unknown";
}

Poly negatedGoal(const Obligation &o) { return -o.goal - Poly(1); }

// Printing.

static std::string variableName(Var v, const Names *names) {
  return names && v < names->size() && !(*names)[v].empty()
             ? (*names)[v]
             : "v" + std::to_string(v);
}

/// Appends: the hash of each obligation of a kernel is that of its text.
static void printTerm(std::string &out, const Term &t, const Names *names) {
  bool negative = t.coeff < 0;
  out += out.empty() ? (negative ? "-" : "") : (negative ? " - " : " + ");
  bool factor = t.vars.empty() || (t.coeff != 1 && t.coeff != -1);
  if (factor) {
    std::string digits = toString(t.coeff);
    out += std::string_view(digits).substr(negative ? 1 : 0);
  }
  for (Var v : t.vars) {
    out += factor ? "*" : "";
    out += variableName(v, names);
    factor = true;
  }
}

std::string print(const Poly &p, const Names *names) {
  if (p.overflowed()) {
    return "overflow";
  }
  // Highest degree first; within a degree the order of the terms.
  std::string out;
  const std::vector<Term> &terms = p.terms();
  for (size_t end = terms.size(); end > 0;) {
    size_t begin = end;
    while (begin > 0 &&
           terms[begin - 1].vars.size() == terms[end - 1].vars.size()) {
      --begin;
    }
    for (size_t i = begin; i < end; ++i) {
      printTerm(out, terms[i], names);
    }
    end = begin;
  }
  return out.empty() ? "0" : out;
}

static std::string print(const Atom &a, const Names *names) {
  return print(a.poly, names) + (a.equality ? " = 0" : " >= 0");
}

std::string print(const Fact &f, const Names *names) {
  if (const Atom *a = f.atom()) {
    return print(*a, names);
  }
  if (f.branches.empty()) {
    return "any of nothing";
  }
  std::string out = "any of";
  for (const std::vector<Atom> &branch : f.branches) {
    out += &branch == &f.branches[0] ? " (" : " | (";
    for (const Atom &a : branch) {
      out += (&a == &branch[0] ? "" : ", ") + print(a, names);
    }
    out += ")";
  }
  return out;
}

static std::string print(const Origin &o, const Names *names) {
  std::string out = nameOf(o.kind, originNames);
  bool part = o.part != 0 || o.kind == Origin::Kind::Definition;
  if (part || o.index != 0 || o.kind == Origin::Kind::Proved) {
    out += " " + std::to_string(o.index);
  }
  if (part) {
    out += " part " + std::to_string(o.part);
  }
  if (!o.renaming.empty()) {
    out += " {";
    for (const auto &[from, to] : o.renaming) {
      out += (out.back() == '{' ? "v" : ", v") + std::to_string(from) + " -> " +
             variableName(to, names);
    }
    out += "}";
  }
  return out;
}

static std::string print(const Definition &d, const Names *names) {
  std::string out = nameOf(d.kind, definitionNames) + " (";
  for (const Poly &p : d.arguments) {
    out += (&p == &d.arguments[0] ? "" : ", ") + print(p, names);
  }
  out += ") ->";
  for (Var v : d.results) {
    out += " " + variableName(v, names);
  }
  return out;
}

/// The names that can stand in a polynomial: words, unlike any numbered name
/// and unlike each other. The others become empty: the number stands instead.
static Names usableNames(const Names &names) {
  Names usable = names;
  std::unordered_map<std::string_view, size_t> seen;
  for (const std::string &name : names) {
    ++seen[name];
  }
  for (std::string &name : usable) {
    if (!isWord(name) || numberedVariable(name) || seen[name] > 1) {
      name.clear();
    }
  }
  return usable;
}

std::string print(const Obligation &o) {
  Names names = usableNames(o.variables);
  std::string out = "obligation " + printString(o.rule) + "\n";
  out += "label " + printString(o.label) + "\n";
  out += "location " + printString(o.location) + "\n";
  out += "variables";
  for (const std::string &name : o.variables) {
    out += " " + printString(name);
  }
  out += "\n";
  for (const Definition &d : o.definitions) {
    out += "define " + print(d, &names) + "\n";
  }
  for (const Hypothesis &h : o.hypotheses) {
    out += "given " + print(h.origin, &names) + ": " + print(h.fact, &names);
    out += h.origin.note.empty() ? "" : " # " + printString(h.origin.note);
    out += "\n";
  }
  out += "goal " + print(o.goal, &names) + "\n";
  for (const Poly &p : o.splits) {
    out += "split " + print(p, &names) + "\n";
  }
  return out + "end\n";
}

std::string canonicalText(const Obligation &o) {
  std::string out = "table " + std::to_string(definitionTableVersion) + "\n";
  out += "obligation " + printString(o.rule) + "\n";
  for (const Hypothesis &h : o.hypotheses) {
    out += "given ";
    out += print(h.fact, nullptr);
    out += "\n";
  }
  return out + "goal " + print(o.goal, nullptr) + "\n";
}

// Parsing.

template <typename Kind, size_t n>
static Kind parseKind(Cursor &c, const std::array<std::string_view, n> &names) {
  std::string_view name = c.word();
  auto it = std::find(names.begin(), names.end(), name);
  if (!c.failed() && it == names.end()) {
    c.fail("unknown kind '" + std::string(name) + "'");
  }
  return it == names.end() ? Kind{} : Kind(it - names.begin());
}

static Atom parseAtom(Cursor &c, const VariableNumbers &names) {
  Poly p = c.polynomial(names);
  bool equality = c.accept("=");
  if (!equality) {
    c.expect(">=");
  }
  c.expect("0");
  return {equality, std::move(p)};
}

static Fact parseFact(Cursor &c, const VariableNumbers &names) {
  // "any of" is a beginning that no polynomial has.
  if (!c.accept("any of")) {
    return {{{parseAtom(c, names)}}};
  }
  Fact f;
  if (c.accept("nothing")) {
    return f;
  }
  do {
    c.expect("(");
    std::vector<Atom> branch;
    while (!c.failed() && !c.accept(")")) {
      if (!branch.empty()) {
        c.expect(",");
      }
      branch.push_back(parseAtom(c, names));
    }
    f.branches.push_back(std::move(branch));
  } while (c.accept("|"));
  return f;
}

static Origin parseOrigin(Cursor &c, const VariableNumbers &names) {
  Origin o;
  o.kind = parseKind<Origin::Kind>(c, originNames);
  if (c.peek() >= '0' && c.peek() <= '9') {
    o.index = c.number();
  }
  if (c.accept("part")) {
    o.part = c.number();
  }
  if (c.accept("{")) {
    do {
      Var from = c.variable({});
      c.expect("->");
      o.renaming.push_back({from, c.variable(names)});
    } while (c.accept(","));
    c.expect("}");
  }
  c.expect(":");
  return o;
}

static Definition parseDefinition(Cursor &c, const VariableNumbers &names) {
  Definition d;
  d.kind = parseKind<Definition::Kind>(c, definitionNames);
  c.expect("(");
  while (!c.failed() && !c.accept(")")) {
    if (!d.arguments.empty()) {
      c.expect(",");
    }
    d.arguments.push_back(c.polynomial(names));
  }
  c.expect("->");
  while (!c.atEndOfLine()) {
    d.results.push_back(c.variable(names));
  }
  return d;
}

static Obligation parseObligation(Cursor &c) {
  Obligation o;
  c.expect("obligation");
  o.rule = c.string();
  c.endLine();
  c.expect("label");
  o.label = c.string();
  c.endLine();
  c.expect("location");
  o.location = c.string();
  c.endLine();
  c.expect("variables");
  while (!c.atEndOfLine()) {
    o.variables.push_back(c.string());
  }
  c.endLine();
  Names usable = usableNames(o.variables);
  VariableNumbers names;
  for (size_t i = 0; i < usable.size(); ++i) {
    if (!usable[i].empty()) {
      names[usable[i]] = Var(i);
    }
  }
  while (c.accept("define")) {
    o.definitions.push_back(parseDefinition(c, names));
    c.endLine();
  }
  while (c.accept("given")) {
    Hypothesis h;
    h.origin = parseOrigin(c, names);
    h.fact = parseFact(c, names);
    if (c.accept("#")) {
      h.origin.note = c.string();
    }
    o.hypotheses.push_back(std::move(h));
    c.endLine();
  }
  c.expect("goal");
  o.goal = c.polynomial(names);
  c.endLine();
  while (c.accept("split")) {
    o.splits.push_back(c.polynomial(names));
    c.endLine();
  }
  c.expect("end");
  c.endLine();
  return o;
}

std::variant<std::vector<Obligation>, ParseError>
parseObligations(std::string_view text) {
  Cursor c(text);
  std::vector<Obligation> all;
  while (!c.atEnd()) {
    if (c.atEndOfLine() || c.peek() == '#') {
      c.skipLine(); // a blank line or a comment between two obligations
      continue;
    }
    all.push_back(parseObligation(c));
  }
  if (c.failed()) {
    return c.failure();
  }
  return all;
}

} // namespace girih::proofs
