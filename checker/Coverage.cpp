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
    unknown.insert(w.site->lanes.begin(), w.site->lanes.end());
    for (size_t i = k.launchFacts; i < w.facts.size(); ++i) {
      const ScopedFact &f = w.facts[i];
      if (f.definition && f.part == 0 &&
          !constants.count(f.definition->results[0])) {
        unknown.insert(f.definition->results.begin(),
                       f.definition->results.end());
        definitions.push_back(*f.definition);
      }
    }
    // Equalities that are proved at the store, each as two halves: what the
    // inverse of a map says of its arguments. They come first.
    for (size_t i = k.launchFacts; i + 1 < w.facts.size(); ++i) {
      const ScopedFact &f = w.facts[i], &g = w.facts[i + 1];
      using K = Origin::Kind;
      if (f.origin == K::Proved && g.origin == K::Proved &&
          f.fact.atom()->poly == -g.fact.atom()->poly) {
        equations.push_back(f.fact.atom()->poly);
      }
    }
    guided = !equations.empty();
    wanted.assign(k.blockIds.begin(), k.blockIds.end());
    for (auto &[op, trip] : w.trips) {
      wanted.push_back(trip);
    }
    llvm::append_range(wanted, w.site->lanes);
  }

  void equate(const Poly &left, const Poly &right) {
    equations.push_back(left - right);
  }

  /// A number below the extent of a tile: it is what the equations make it.
  void addLane(Var v) { unknown.insert(v); }

  /// Whether the block or a trip, as far as they are open, decides it.
  bool isOpen(const Poly &p) const { return !unknowns(p).empty(); }

  /// The polynomial with what is solved.
  Poly insert(Poly p) const {
    for (auto &[v, value] : known) {
      p = p.substitute(v, value);
    }
    return p;
  }

  bool speaksOfFound(const Poly &p) const {
    return llvm::any_of(p.terms(), [&](const Term &t) {
      return llvm::any_of(t.vars, [&](Var v) { return isFound(v); });
    });
  }

  /// The terms without open variables, and the others.
  std::pair<Poly, Poly> parts(const Poly &p) const {
    std::vector<Term> closed, open;
    for (const Term &t : p.terms()) {
      (isOpen(Poly::fromTerms({t})) ? open : closed).push_back(t);
    }
    return {Poly::fromTerms(closed), Poly::fromTerms(open)};
  }

  /// True when every equation is solved, or, with the inverse of a map, every
  /// block id and trip is known. Digits come last: what looks like two of them
  /// may have one that another equation determines.
  bool solve() {
    while (any(equations, [&](const Poly &p) { return one(insert(p)); }) ||
           any(definitions, [&](const Definition &d) { return undo(d); }) ||
           (guided && any(definitions,
                          [&](const Definition &d) { return evaluate(d); })) ||
           any(equations, [&](const Poly &p) { return two(insert(p)); })) {
    }
    return equations.empty() || (guided && llvm::all_of(wanted, [&](Var v) {
                                   return known.count(v);
                                 }));
  }

  /// Takes a value as told.
  void tell(Var v, const Poly &value) { known[v] = value; }

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
  std::vector<Var> wanted;             ///< block ids, trips and lanes
  bool guided = false;                 ///< by the inverse of a map

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

  /// From the arguments of a definition, once they are known, to its results.
  bool evaluate(const Definition &d) {
    std::vector<Poly> a;
    for (const Poly &p : d.arguments) {
      a.push_back(insert(p));
      if (!unknowns(a.back()).empty() || speaksOfFound(a.back())) {
        return false;
      }
    }
    if (known.count(d.results[0])) {
      return false;
    }
    FactBase &base = k.base;
    std::string name = "witness of " + base.variable(d.results[0]).name;
    switch (d.kind) {
    case Definition::Kind::Quotient: {
      base.owe("out.covered", "witness divisor", a[1] - 1, nullptr, true);
      base.owe("out.covered", "witness dividend", a[0], nullptr, true);
      auto [q, r] = base.divide(a[0], a[1], name);
      known[d.results[0]] = q;
      known[d.results[1]] = r;
      return true;
    }
    case Definition::Kind::Select:
      known[d.results[0]] = base.select(a[0], a[1], a[2], name);
      return true;
    case Definition::Kind::Name:
      known[d.results[0]] = a[0];
      return true;
    case Definition::Kind::Wrap:
      return false; // maps are on indices, which don't wrap
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
    tile::CoverAttr clause = told();
    size_t owedBefore = base.owed.size();
    for (const Write &w : k.writes) {
      if (w.site->tensor != tensor || !w.certain ||
          (clause && clause.getTrips().size() != w.trips.size())) {
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
      if (clause && w.site->view.isWhole()) {
        tell(inversion, w, clause);
        if (!w.site->lanes.empty()) {
          equate(w, inversion); // the clause says nothing of lanes
          inversion.solve();
        }
        oweWitness(w, inversion);
        base.release(k.launchFacts);
        return;
      }
      if (equate(w, inversion) && inversion.solve()) {
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
  std::vector<Poly> inView; ///< the element's coordinates in the view
  std::set<Var> constants;  ///< what the launch determines

  /// What the kernel's covers clause says of this tensor.
  tile::CoverAttr told() const {
    llvm::StringRef name = k.kernel.getArgName(tensor);
    for (auto c : k.kernel.getCovers().getAsRange<tile::CoverAttr>()) {
      if (c.getTensor().getValue() == name) {
        return c;
      }
    }
    return {};
  }

  /// The witness of a covers clause, at the tile that holds the element.
  void tell(Inversion &inversion, const Write &w, tile::CoverAttr clause) {
    std::map<std::string, Poly> names;
    for (auto [axis, name] : llvm::enumerate(clause.getIndices())) {
      names[mlir::cast<mlir::StringAttr>(name).getValue().str()] =
          tileOf(element[axis], axis, w.site->tile[axis]);
    }
    auto value = [&](mlir::Attribute e) {
      return expressionOver(k, mlir::cast<tile::ExprAttr>(e), names,
                            "out.covered");
    };
    for (auto [block, e] : llvm::zip_equal(k.blockIds, clause.getBlocks())) {
      inversion.tell(block, value(e));
    }
    for (auto [trip, e] : llvm::zip_equal(w.trips, clause.getTrips())) {
      inversion.tell(trip.second, value(e));
    }
  }

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

  /// The tile in which coordinate x lies.
  Poly tileOf(const Poly &x, size_t axis, int64_t tile) {
    if (tile == 1) {
      return x;
    }
    base.owe("out.covered", "tile size", Poly(tile - 1), nullptr, true, tensor);
    base.owe("out.covered", "element", x, nullptr, true, tensor);
    return base
        .divide(x, Poly(tile),
                "div(element" + std::to_string(axis) + ", " +
                    std::to_string(tile) + ")")
        .first;
  }

  /// The tile index of the claim is that of the tile that holds the element,
  /// axis by axis. False when a view cannot be undone.
  bool equate(const Write &w, Inversion &inversion) {
    const Site &site = *w.site;
    if (site.view.isWhole()) {
      for (size_t axis = 0; axis < extent.size(); ++axis) {
        inversion.equate(site.indices[axis],
                         tileOf(element[axis], axis, site.tile[axis]));
      }
      return true;
    }
    if (!undoView(site.view, inversion)) {
      return false;
    }
    // What other axes tell of the block may close an axis.
    std::vector<bool> done(inView.size());
    for (size_t j = 0; j < inView.size(); ++j) {
      done[j] = equateClosed(site, j, inView[j], inversion);
    }
    inversion.solve();
    for (size_t j = 0; j < inView.size(); ++j) {
      if (done[j]) {
        continue;
      }
      Poly x = inversion.insert(inView[j]);
      if (!equateClosed(site, j, x, inversion)) {
        equateOpen(site, j, x, inversion);
      }
    }
    return true;
  }

  bool equateClosed(const Site &site, size_t j, const Poly &x,
                    Inversion &inversion) {
    bool whole = site.tile[j] == 1;
    if (!whole && (inversion.isOpen(x) || inversion.speaksOfFound(x))) {
      return false;
    }
    inversion.equate(site.indices[j], tileOf(x, j, site.tile[j]));
    return true;
  }

  /// The view begins at a place that the block decides. Where that is a number
  /// of whole tiles, so many tiles further; else the lane is one more unknown.
  void equateOpen(const Site &site, size_t j, const Poly &x,
                  Inversion &inversion) {
    auto [closed, open] = inversion.parts(x);
    int64_t tile = site.tile[j];
    std::vector<Term> tiles(open.terms());
    bool wholeTiles = !inversion.speaksOfFound(x);
    for (Term &t : tiles) {
      wholeTiles &= t.coeff % tile == 0;
      t.coeff /= tile;
    }
    if (wholeTiles) {
      inversion.equate(site.indices[j] - Poly::fromTerms(tiles),
                       tileOf(closed, j, tile));
      return;
    }
    Variable v;
    v.kind = Variable::Kind::InView;
    v.axis = static_cast<unsigned>(j);
    v.name = "lane" + std::to_string(j);
    Var lane = base.add(v);
    inversion.addLane(lane);
    inversion.equate(site.indices[j] * Poly(tile) + Poly::variable(lane), x);
  }

  /// From coordinates of the tensor to those of the view.
  bool undoView(const View &view, Inversion &inversion) {
    inView = element;
    for (const ViewStep &s : view.steps) {
      switch (s.kind) {
      case tile::ViewKind::Slice:
        for (size_t j = 0; j < inView.size(); ++j) {
          inView[j] = inView[j] - s.numbers[j];
        }
        break;
      case tile::ViewKind::Permute: {
        std::vector<Poly> before = inView;
        for (size_t j = 0; j < inView.size(); ++j) {
          inView[j] = before[s.axes[j]];
        }
        break;
      }
      case tile::ViewKind::Unfold:
        if (!undoUnfold(s, inversion)) {
          return false;
        }
        break;
      case tile::ViewKind::Fix:
        inversion.equate(s.numbers[0], inView[s.axes[0]]);
        inView.erase(inView.begin() + s.axes[0]);
        break;
      }
    }
    return true;
  }

  /// The digits of a coordinate, last one first.
  bool undoUnfold(const ViewStep &s, Inversion &inversion) {
    Poly rest = inView[s.axes[0]];
    if (inversion.isOpen(rest) || inversion.speaksOfFound(rest)) {
      return false;
    }
    std::vector<std::string> names = variableNames(base);
    std::vector<Poly> digits(s.numbers.size());
    for (size_t i = digits.size(); i-- > 1;) {
      const Poly &factor = s.numbers[i];
      base.owe("out.covered", "factor", factor - 1, nullptr, true, tensor);
      base.owe("out.covered", "coordinate", rest, nullptr, true, tensor);
      std::string of =
          "(" + print(rest, &names) + ", " + print(factor, &names) + ")";
      auto [q, r] = base.divide(rest, factor, "div" + of, "mod" + of);
      names = variableNames(base);
      digits[i] = r;
      rest = q;
    }
    digits[0] = rest;
    auto at = inView.erase(inView.begin() + s.axes[0]);
    inView.insert(at, digits.begin(), digits.end());
    return true;
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
    llvm::for_each(w.site->lanes, name);
    k.witnesses.push_back(text);
    replay(w);
    if (!w.site->view.isWhole()) {
      oweInView(w);
      return;
    }
    for (size_t axis = 0; axis < extent.size(); ++axis) {
      Poly low = w.site->indices[axis] * Poly(w.site->tile[axis]);
      std::string at = "axis " + std::to_string(axis);
      owe(at + ", not before the tile", element[axis] - low, w);
      owe(at + ", not behind the tile",
          low + Poly(w.site->tile[axis] - 1) - element[axis], w);
    }
  }

  /// The element is one of the view, and in the tile.
  void oweInView(const Write &w) {
    const View &view = w.site->view;
    for (size_t axis = 0; axis < extent.size(); ++axis) {
      Poly rest = element[axis] - view.origin[axis];
      for (unsigned j : view.axesAlong(axis)) {
        rest = rest - view.axes[j].scale * inView[j];
      }
      std::string at = "axis " + std::to_string(axis);
      owe(at + ", not before the view", rest, w);
      owe(at + ", not behind the view", -rest, w);
    }
    for (size_t j = 0; j < inView.size(); ++j) {
      Poly low = w.site->indices[j] * Poly(w.site->tile[j]);
      std::string at = "axis " + std::to_string(j) + " of the view";
      owe(at + ", not before the tile", inView[j] - low, w);
      owe(at + ", not behind the tile",
          low + Poly(w.site->tile[j] - 1) - inView[j], w);
      owe(at + ", not behind the view", view.extents[j] - 1 - inView[j], w);
    }
  }

  /// The facts at the store, now for the witness: what the launch, the loops
  /// and the branches demand is owed, the rest follows as it did there.
  void replay(const Write &w) {
    size_t before = base.mark();
    for (const Lookup &l : w.lookups) {
      base.addLookup(l, before);
    }
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
