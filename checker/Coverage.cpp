// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Outputs: every element of an out tensor has a block and trip numbers that
// write it. They are read off the kernel by solving the claim's tile indices
// for them (the witness); that they are right is then owed like all else: the
// block is in the grid, the loops run that far, the branches are taken, the
// element lies in the tile.

#include "checker/Generate.h"

using namespace girih::proofs;

namespace girih::checker {

static std::vector<std::string> variableNames(const FactBase &base) {
  std::vector<std::string> names;
  for (size_t v = 0; v < base.variableCount(); ++v) {
    names.push_back(base.variable(v).name);
  }
  return names;
}

namespace {
/// Solves `index = tile coordinate`, an equation an axis, for block ids and
/// trip numbers, from the outside in.
class Inversion {
public:
  Inversion(KernelFacts &k, const Write &w, const std::set<Var> &constants)
      : k(k), constants(constants) {
    for (Var b : k.blockIds) {
      unknown.insert(b);
    }
    for (auto &[op, trip] : w.trips) {
      unknown.insert(trip);
    }
    for (size_t i = k.launchFacts; i < w.facts.size(); ++i) {
      const ScopedFact &f = w.facts[i];
      if (f.definition && f.part == 0 &&
          !constants.count(f.definition->results[0])) {
        unknown.insert(f.definition->results.begin(),
                       f.definition->results.end());
        definitions.push_back(*f.definition);
      }
    }
  }

  void equate(const Poly &left, const Poly &right) {
    equations.push_back(left - right);
  }

  /// True when every equation is solved. Digits come last: what looks like
  /// two of them may have one that another equation determines.
  bool solve() {
    while (any(equations, [&](const Poly &p) { return one(insert(p)); }) ||
           any(definitions, [&](const Definition &d) { return undo(d); }) ||
           any(equations, [&](const Poly &p) { return two(insert(p)); })) {
    }
    return equations.empty();
  }

  Poly value(Var v) const {
    auto it = known.find(v);
    return it == known.end() ? Poly(0) : it->second;
  }

private:
  KernelFacts &k;
  const std::set<Var> &constants;
  std::set<Var> unknown;
  std::map<Var, Poly> known;
  std::vector<Poly> equations;         ///< each is 0
  std::vector<Definition> definitions; ///< of unknowns

  /// Takes the first item out of the list for which `use` is true.
  template <typename T, typename F>
  static bool any(std::vector<T> &list, const F &use) {
    for (size_t i = 0; i < list.size(); ++i) {
      const T item = list[i];
      if (use(item)) {
        list.erase(list.begin() + i);
        return true;
      }
    }
    return false;
  }

  Poly insert(Poly p) const {
    for (auto &[v, value] : known) {
      p = p.substitute(v, value);
    }
    return p;
  }

  /// p = coefficient * v + rest, when v occurs in no higher power.
  static std::optional<std::pair<Poly, Poly>> linear(const Poly &p, Var v) {
    std::vector<Term> with, without;
    for (Term t : p.terms()) {
      auto n = std::count(t.vars.begin(), t.vars.end(), v);
      if (n > 1) {
        return std::nullopt;
      }
      if (n == 1) {
        t.vars.erase(std::find(t.vars.begin(), t.vars.end(), v));
      }
      (n == 1 ? with : without).push_back(t);
    }
    return std::pair(Poly::fromTerms(with), Poly::fromTerms(without));
  }

  std::vector<Var> unknowns(const Poly &p) const {
    std::vector<Var> out;
    for (const Term &t : p.terms()) {
      for (Var v : t.vars) {
        if (unknown.count(v) && !llvm::is_contained(out, v)) {
          out.push_back(v);
        }
      }
    }
    return out;
  }

  /// What a block finds on its way: a loaded or carried value. Who is to write
  /// an element can't depend on them, for which value is found depends on who
  /// looks, and when.
  bool isFound(Var v) const {
    return v >= k.launchVariables && v < k.bodyVariables &&
           !constants.count(v) && !unknown.count(v);
  }
  bool speaksOfFound(const Poly &p) const {
    return llvm::any_of(p.terms(), [&](const Term &t) {
      return llvm::any_of(t.vars, [&](Var v) { return isFound(v); });
    });
  }

  /// The value of v where p = 0, when v has the coefficient 1 or -1.
  static std::optional<Poly> solution(const Poly &p, Var v) {
    auto split = linear(p, v);
    auto c = split ? split->first.constant() : std::nullopt;
    if (!c || (*c != 1 && *c != -1)) {
      return std::nullopt;
    }
    return *c == 1 ? -split->second : split->second;
  }

  /// Solves p = 0 for its only unknown.
  bool one(const Poly &p) {
    std::vector<Var> vs = unknowns(p);
    if (vs.empty()) {
      return true; // nothing to solve for: the final goals decide
    }
    auto x =
        vs.size() == 1 && !speaksOfFound(p) ? solution(p, vs[0]) : std::nullopt;
    if (x) {
      known[vs[0]] = *x;
    }
    return x.has_value();
  }

  /// Solves p = 0 for two unknowns that are the digits of a number:
  /// x + y * s = n gives x = n mod s and y = n div s.
  bool two(const Poly &p) {
    std::vector<Var> vs = unknowns(p);
    return vs.size() == 2 && !speaksOfFound(p) &&
           (digits(p, vs[0], vs[1]) || digits(p, vs[1], vs[0]));
  }

  /// From the results of a definition, once they are known, to its arguments.
  bool undo(const Definition &d) {
    for (size_t i = 0; i < d.results.size(); ++i) {
      // How often a value wraps is not asked: a witness does not wrap.
      bool needed = i == 0 || d.kind == Definition::Kind::Quotient;
      if (needed && !known.count(d.results[i])) {
        return false;
      }
    }
    Poly value = known[d.results[0]];
    switch (d.kind) {
    case Definition::Kind::Quotient:
      equate(d.arguments[0], value * d.arguments[1] + known[d.results[1]]);
      return true;
    case Definition::Kind::Wrap:
    case Definition::Kind::Name:
      equate(d.arguments[0], value);
      return true;
    case Definition::Kind::Select:
      return undoSelect(d, value);
    }
    return false;
  }

  /// c(x) >= 0 ? a(x) : b(x) is the value for x from a, if x >= 0 and c(x) >= 0
  /// hold there, else for x from b: blocks and trips are counted from 0.
  bool undoSelect(const Definition &d, const Poly &value) {
    Poly a = insert(d.arguments[1] - value), b = insert(d.arguments[2] - value);
    std::vector<Var> inA = unknowns(a), inB = unknowns(b);
    if (inA.size() != 1 || inA != inB) {
      return false;
    }
    Var x = inA[0];
    auto fromA = solution(a, x), fromB = solution(b, x);
    if (!fromA || !fromB) {
      return false;
    }
    Poly condition = insert(d.arguments[0]).substitute(x, *fromA);
    if (!unknowns(condition).empty() || speaksOfFound(condition) ||
        speaksOfFound(a) || speaksOfFound(b)) {
      return false;
    }
    std::string name = "inverse of " + k.base.variable(d.results[0]).name;
    Poly inner = k.base.select(condition, *fromA, *fromB, name);
    known[x] = k.base.select(*fromA, inner, *fromB, name);
    return true;
  }

  bool digits(const Poly &p, Var x, Var y) {
    auto low = solution(p, x);
    auto high = low ? linear(-*low, y) : std::nullopt;
    if (!high || !unknowns(high->first).empty()) {
      return false;
    }
    Poly scale = high->first, number = -high->second;
    if (llvm::all_of(scale.terms(),
                     [](const Term &t) { return t.coeff < 0; })) {
      return false; // no digits: a difference
    }
    FactBase &base = k.base;
    base.owe("out.covered", "witness divisor", scale - 1, nullptr, true);
    base.owe("out.covered", "witness dividend", number, nullptr, true);
    std::vector<std::string> names = variableNames(base);
    std::string of =
        "(" + print(number, &names) + ", " + print(scale, &names) + ")";
    auto [q, r] = base.divide(number, scale, "div" + of, "mod" + of);
    known[x] = r;
    known[y] = q;
    return true;
  }
};

class Cover {
public:
  Cover(KernelFacts &k, int tensor) : k(k), base(k.base), tensor(tensor) {}

  void run() {
    auto type = mlir::cast<tile::TileTensorType>(
        k.kernel.getBody()->getArgument(tensor).getType());
    extent = extents(k, type);
    size_t owedBefore = base.owed.size();
    for (const Write &w : k.writes) {
      if (w.site->tensor != tensor || !w.certain) {
        continue;
      }
      base.release(k.launchFacts);
      assumeElement();
      constants = launchConstants(k, w.facts);
      if (!introduceConstants(w)) {
        base.owed.resize(owedBefore);
        continue;
      }
      Inversion inversion(k, w, constants);
      for (size_t axis = 0; axis < extent.size(); ++axis) {
        inversion.equate(w.site->indices[axis],
                         tileOf(axis, w.site->tile[axis]));
      }
      if (inversion.solve()) {
        oweWitness(w, inversion);
        base.release(k.launchFacts);
        return;
      }
      base.owed.resize(owedBefore);
    }
    base.release(k.launchFacts);
    assumeElement();
    base.owe("out.covered", "no witness found", Poly(-1), nullptr, false,
             tensor);
    base.release(k.launchFacts);
  }

private:
  KernelFacts &k;
  FactBase &base;
  int tensor;
  std::vector<Poly> extent, element;
  std::set<Var> constants; ///< what the launch determines

  /// A definition says what it says where its needs stand, as for the judge:
  /// one in a branch that is never taken may contradict itself.
  bool isGrounded(const ScopedFact &f) const {
    return llvm::all_of(definitionNeeds(*f.definition), [&](const Fact &need) {
      auto c = need.atom()->poly.constant();
      return (c && *c >= 0) ||
             llvm::any_of(base.visible(),
                          [&](const ScopedFact &g) { return g.fact == need; });
    });
  }

  /// What the launch determines comes first: the witness may speak of it.
  /// False when it does so on ground that is not there.
  bool introduceConstants(const Write &w) {
    for (size_t i = k.launchFacts; i < w.facts.size(); ++i) {
      const ScopedFact &f = w.facts[i];
      if (!isConstant(f)) {
        continue;
      }
      if (f.origin == Origin::Kind::Proved) {
        oweFact(f, w);
      } else if (isGrounded(f)) {
        base.append(f);
      } else {
        return false;
      }
    }
    return true;
  }

  bool isConstant(const ScopedFact &f) const {
    return (f.origin == Origin::Kind::Definition ||
            f.origin == Origin::Kind::Proved) &&
           speaksOnlyOf(f.fact, constants);
  }

  /// Any element of the tensor.
  void assumeElement() {
    element.clear();
    for (size_t axis = 0; axis < extent.size(); ++axis) {
      Variable v;
      v.kind = Variable::Kind::Element;
      v.axis = axis;
      v.name = "element" + std::to_string(axis);
      element.push_back(Poly::variable(base.add(v)));
      base.assume(Fact::atLeastZero(element[axis]), Origin::Kind::Region,
                  v.name + " >= 0");
      base.assume(Fact::atLeastZero(extent[axis] - 1 - element[axis]),
                  Origin::Kind::Region, v.name + " is in the tensor");
    }
  }

  Poly tileOf(size_t axis, int64_t tile) {
    if (tile == 1) {
      return element[axis];
    }
    base.owe("out.covered", "tile size", Poly(tile - 1), nullptr, true, tensor);
    base.owe("out.covered", "element", element[axis], nullptr, true, tensor);
    return base
        .divide(element[axis], Poly(tile),
                "div(element" + std::to_string(axis) + ", " +
                    std::to_string(tile) + ")")
        .first;
  }

  void owe(const std::string &label, const Poly &goal, const Write &w) {
    base.owe("out.covered", label, goal, w.op, true, tensor);
  }

  void oweWitness(const Write &w, const Inversion &inversion) {
    std::vector<std::string> names = variableNames(base);
    std::string text;
    auto name = [&](Var v) {
      text += (text.empty() ? "" : ", ") + base.variable(v).name + " = " +
              print(inversion.value(v), &names);
      base.define(v, inversion.value(v));
    };
    for (Var b : k.blockIds) {
      name(b);
    }
    for (auto &[op, trip] : w.trips) {
      name(trip);
    }
    k.witnesses.push_back(text);
    replay(w);
    for (size_t axis = 0; axis < extent.size(); ++axis) {
      Poly low = w.site->indices[axis] * Poly(w.site->tile[axis]);
      std::string at = "axis " + std::to_string(axis);
      owe(at + ", not before the tile", element[axis] - low, w);
      owe(at + ", not behind the tile",
          low + Poly(w.site->tile[axis] - 1) - element[axis], w);
    }
  }

  /// The facts at the store, now for the witness: what the launch, the loops
  /// and the branches demand is owed, the rest follows as it did there.
  void replay(const Write &w) {
    bool literal = true; // every fact so far stands here as it stood there
    for (size_t i = k.launchFacts; i < w.facts.size(); ++i) {
      const ScopedFact &f = w.facts[i];
      if (isConstant(f)) {
        continue; // in place already
      }
      switch (f.origin) {
      case Origin::Kind::Launch:
      case Origin::Kind::Loop:
      case Origin::Kind::Path:
        literal &= oweFact(f, w);
        break;
      case Origin::Kind::Proved:
        if (literal) {
          base.append(f);
        } else {
          oweFact(f, w);
        }
        break;
      default:
        base.append(f);
      }
    }
  }

  /// True when the fact itself is in scope afterwards.
  bool oweFact(const ScopedFact &f, const Write &w) {
    if (const Atom *a = f.fact.atom()) {
      owe(f.note, a->poly, w);
      if (a->equality) {
        owe(f.note, -a->poly, w);
      }
      return !a->equality && !a->poly.constant();
    }
    size_t mark = base.mark();
    for (const std::vector<Atom> &branch : f.fact.branches) {
      base.assume(refusal(branch), Origin::Kind::Path, "not: " + f.note);
    }
    base.owe("out.covered", f.note, Poly(-1), w.op, false, tensor);
    base.release(mark);
    return false;
  }
};
} // namespace

void oweCoverage(KernelFacts &k) {
  for (mlir::BlockArgument arg : k.kernel.getBody()->getArguments()) {
    auto type = mlir::dyn_cast<tile::TileTensorType>(arg.getType());
    if (type && type.getMode() == tile::Mode::Out && !type.getPartial()) {
      Cover(k, arg.getArgNumber()).run();
    }
  }
}

} // namespace girih::checker
