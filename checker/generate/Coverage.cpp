// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Outputs: every element of an out tensor has a block and trip numbers that
// write it. A covers clause tells them, or they are read off the kernel by
// solving the claim's tile indices for them (the witness); that they are right
// is then proved like any condition: the block is in the grid, the loops run
// that far, the branches are taken, the element lies in the tile.
//
// Of several stores, one is the main store, and the element is one that no
// other store writes: of each other store, some condition fails. What the two
// have in common is said once, so that a condition and its negation in the two
// branches of an `if` are about the same values.

#include "checker/generate/OutputElement.h"

using namespace girih::proofs;

namespace girih::checker {

/// So many other stores are considered; each is one more case distinction for
/// the search.
static constexpr size_t maxOtherStores = 8;
/// Ways in which another store may fail to write the element. More are not
/// considered.
static constexpr size_t maxWays = 64;

namespace {
/// A store and the values that its block, trips and lanes have.
struct Candidate {
  const Write *write;
  Renaming names; ///< of variables that the main store does not share
  std::map<Var, Poly> values;
  /// Up to here its facts are those of the main store.
  size_t shared = 0;
  /// The element in the view that is stored to, and in those below it.
  OutputElement::InViews inViews;
};

class Cover {
public:
  Cover(KernelFacts &k, int tensor)
      : k(k), base(k.base), tensor(tensor), element(k, tensor) {}

  void run() {
    clause = clauseOf();
    size_t vcsBefore = base.vcs.size();
    std::vector<const Write *> stores = candidates();
    noteUnread();
    for (const Write *w : stores) {
      base.release(k.launchFacts);
      element.assume();
      if (cover(*w, stores)) {
        base.release(k.launchFacts);
        return;
      }
      base.vcs.resize(vcsBefore);
    }
    base.release(k.launchFacts);
    element.assume();
    emitFalse();
    base.release(k.launchFacts);
  }

private:
  KernelFacts &k;
  FactBase &base;
  int tensor;
  OutputElement element;
  tile::CoverAttr clause;  ///< or none
  std::set<Var> constants; ///< what the launch determines
  Obstacle obstacle;       ///< at the first store that has one

  /// Nothing is known to cover the tensor.
  void emitFalse() {
    bool stored = isStored();
    size_t index = base.emit(
        Rule::OutCovered,
        !stored  ? "the kernel has no store to %" + name()
        : clause ? "no store that the covers clause speaks of surely happens"
                 : "no witness found",
        Poly(-1), nullptr, false, tensor);
    base.vcs[index].lacksStore = !stored;
    base.vcs[index].obstacle = obstacle;
  }

  void note(const Write &w, Obstacle o) {
    if (!obstacle.store && !o.text.empty()) {
      o.store = w.op;
      obstacle = std::move(o);
    }
  }

  /// A store whose conditions the checker cannot read covers nothing.
  void noteUnread() {
    for (const Write &w : k.writes) {
      if (w.site->tensor != tensor || w.certain) {
        continue;
      }
      if (w.op->getParentOfType<mlir::scf::WhileOp>()) {
        note(w, {nullptr,
                 "how often a while runs is not known, so that what it stores "
                 "covers nothing",
                 "store once behind the while, or count with scf.for"});
      } else {
        note(w, {nullptr,
                 "whether it happens hangs on a condition that is no "
                 "comparison of integers that are followed",
                 "store once behind the branch, with a select for the value, "
                 "or declare the tensor 'out partial'"});
      }
    }
  }

  std::string name() const {
    return k.kernel.getArgName(unsigned(tensor)).str();
  }

  bool isStored() const {
    return llvm::any_of(
        k.writes, [&](const Write &w) { return w.site->tensor == tensor; });
  }

  /// A store under no condition; such a one surely happens.
  static bool isUnconditional(const Write &w) {
    return llvm::none_of(w.facts, [](const ScopedFact &f) {
      return f.origin == Origin::Kind::Path;
    });
  }

  /// The stores that may cover it: first those under no condition, then those
  /// whose conditions can be proved, each in the order of the text.
  std::vector<const Write *> candidates() const {
    std::vector<const Write *> first, then;
    for (const Write &w : k.writes) {
      if (w.site->tensor == tensor && w.certain &&
          !(clause && clause.getTrips().size() != w.trips.size())) {
        (isUnconditional(w) ? first : then).push_back(&w);
      }
    }
    llvm::append_range(first, then);
    return first;
  }

  /// What the kernel's covers clause says of this tensor.
  tile::CoverAttr clauseOf() const {
    llvm::StringRef name = k.kernel.getArgName(tensor);
    for (auto c : k.kernel.getCovers().getAsRange<tile::CoverAttr>()) {
      if (c.getTensor().getValue() == name) {
        return c;
      }
    }
    return {};
  }

  /// The witness of a covers clause, at the tile that holds the element. Tiles
  /// of a view are none of the tensor: there it speaks of the element itself.
  void fix(WitnessSynthesis &synthesis, const Write &w) {
    bool whole = w.site->view.isWhole();
    std::map<std::string, Poly> names;
    for (auto [axis, name] : llvm::enumerate(clause.getIndices())) {
      names[mlir::cast<mlir::StringAttr>(name).getValue().str()] =
          element.tileOf(element.coordinates()[axis], axis,
                         whole ? w.site->tile[axis] : 1);
    }
    auto value = [&](mlir::Attribute e) {
      return expressionOver(k, mlir::cast<tile::ExprAttr>(e), names,
                            Rule::OutCovered);
    };
    for (auto [block, e] : llvm::zip_equal(k.blockIds, clause.getBlocks())) {
      synthesis.fix(block, value(e));
    }
    for (auto [trip, e] : llvm::zip_equal(w.trips, clause.getTrips())) {
      synthesis.fix(trip.second, value(e));
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
        emitFact(f, w);
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

  /// True when blocks, trips and lanes were found.
  bool solve(const Write &w, WitnessSynthesis &synthesis) {
    if (!clause) {
      return element.equate(*w.site, synthesis) && synthesis.solve();
    }
    fix(synthesis, w);
    if (!w.site->lanes.empty()) {
      // The clause says nothing of lanes.
      element.equate(*w.site, synthesis);
      synthesis.solve();
    }
    return true;
  }

  /// By this store, or by another one. False when no witness was found.
  bool cover(const Write &w, llvm::ArrayRef<const Write *> stores) {
    constants = launchConstants(k, w.facts);
    if (!introduceConstants(w)) {
      return false;
    }
    size_t vcsBefore = base.vcs.size(), mark = base.mark();
    std::optional<WitnessSynthesis> found(std::in_place, k, w, constants);
    if (!solve(w, *found)) {
      Obstacle before = found->obstacle();
      base.vcs.resize(vcsBefore);
      base.release(mark);
      found.emplace(k, w, constants);
      if (!found->takeWrapsForExact(w) || !solve(w, *found)) {
        note(w, std::move(before));
        return false;
      }
    }
    WitnessSynthesis &synthesis = *found;
    Candidate main{&w,
                   {},
                   valuesOf(w, synthesis),
                   w.facts.size(),
                   element.coordinatesInViews(&synthesis)};
    std::vector<Candidate> others;
    for (const Write *other : stores) {
      if (other != &w && !clause && others.size() < maxOtherStores) {
        if (auto c = otherCandidate(main, *other)) {
          others.push_back(std::move(*c));
        }
      }
    }
    if (!others.empty()) {
      k.beyondTheory =
          "several stores cover %" + name() + ", and the theory follows one";
    } else if (!synthesis.guess().empty()) {
      k.beyondTheory =
          "the witness of %" + name() + " is read off " + synthesis.guess();
    }
    emitWitness(main, others, synthesis.lookedUp());
    return true;
  }

  std::map<Var, Poly> valuesOf(const Write &w,
                               const WitnessSynthesis &synthesis) const {
    std::map<Var, Poly> values;
    for (Var v : writers(w)) {
      values[v] = synthesis.value(v);
    }
    return values;
  }

  /// Block ids, trips and lanes.
  std::vector<Var> writers(const Write &w) const {
    std::vector<Var> all = k.blockIds;
    for (auto &[op, trip] : w.trips) {
      all.push_back(trip);
    }
    llvm::append_range(all, w.site->lanes);
    return all;
  }

  /// Another store, with its witness. None where it has no witness, where it
  /// is to the same tile and happens only if the main store does, or where its
  /// conditions hang on contents or on ground that is not there.
  std::optional<Candidate> otherCandidate(const Candidate &main,
                                          const Write &w) {
    size_t vcsBefore = base.vcs.size(), mark = base.mark();
    std::set<Var> itsConstants = launchConstants(k, w.facts);
    auto abandon = [&]() -> std::optional<Candidate> {
      base.vcs.resize(vcsBefore);
      base.release(mark);
      return std::nullopt;
    };
    WitnessSynthesis synthesis(k, w, itsConstants);
    if (!llvm::all_of(itsConstants,
                      [&](Var v) { return constants.count(v); }) ||
        !solve(w, synthesis)) {
      return abandon();
    }
    Candidate c{&w,
                {},
                valuesOf(w, synthesis),
                0,
                element.coordinatesInViews(&synthesis)};
    c.shared = sharedFacts(main, c);
    if (c.shared == main.shared && isSameTile(*w.site, *main.write->site)) {
      return abandon();
    }
    for (size_t i = c.shared; i < w.facts.size(); ++i) {
      if (w.facts[i].origin == Origin::Kind::Given) {
        return abandon();
      }
    }
    if (llvm::any_of(w.lookups,
                     [&](const Lookup &l) { return l.mark >= c.shared; })) {
      return abandon();
    }
    std::set<Var> kept = constants;
    if (c.shared > k.launchFacts) {
      kept.insert(k.blockIds.begin(), k.blockIds.end());
      for (size_t i = k.launchFacts; i < c.shared; ++i) {
        addVariables(w.facts[i].fact, kept);
      }
    }
    for (size_t v = k.launchVariables; v < k.bodyVariables; ++v) {
      if (!kept.count(v)) {
        Variable x = base.variable(v);
        x.copy = 2;
        x.name += "'";
        for (Poly &p : x.lane) {
          p = p.rename([&](Var u) { return renamed(c.names, u); });
        }
        c.names[v] = base.add(x);
      }
    }
    return c;
  }

  static bool isSameTile(const Site &a, const Site &b) {
    return isSame(a.view, b.view) && a.tile == b.tile && a.indices == b.indices;
  }

  static void addVariables(const Fact &f, std::set<Var> &to) {
    for (const std::vector<Atom> &branch : f.branches) {
      for (const Atom &a : branch) {
        for (const Term &t : a.poly.terms()) {
          to.insert(t.vars.begin(), t.vars.end());
        }
      }
    }
  }

  /// How far the facts of two stores are the same, of the same block in the
  /// same trips; only the launch where their witnesses differ.
  size_t sharedFacts(const Candidate &a, const Candidate &b) const {
    for (auto &[v, value] : b.values) {
      auto it = a.values.find(v);
      if (it != a.values.end() && !(it->second == value)) {
        return k.launchFacts;
      }
    }
    const FactList &x = a.write->facts, &y = b.write->facts;
    size_t i = k.launchFacts;
    while (i < x.size() && i < y.size() && x[i].origin == y[i].origin &&
           x[i].fact == y[i].fact) {
      ++i;
    }
    return i;
  }

  void emit(const std::string &label, const Poly &goal, const Write &w) {
    base.emit(Rule::OutCovered, label, goal, w.op, true, tensor);
  }

  /// Who writes the element, as definitions, and for a reader.
  std::string defineWriters(const Candidate &c, bool isMain) {
    std::vector<std::string> names = variableNames(base);
    std::string text;
    for (Var v : writers(*c.write)) {
      const Poly &value = c.values.at(v);
      text += (text.empty() ? "" : ", ") + base.variable(v).name + " = " +
              print(value, &names);
      if (isMain || c.names.count(v)) {
        base.define(renamed(c.names, v), value);
      }
    }
    return text.empty() ? "the only block" : text;
  }

  void emitWitness(const Candidate &main, llvm::ArrayRef<Candidate> others,
                   llvm::ArrayRef<Lookup> contents) {
    const Write &w = *main.write;
    std::string text = element.text() + " by " + defineWriters(main, true);
    for (const Candidate &c : others) {
      text +=
          ", or at " + placeOf(c.write->op) + " by " + defineWriters(c, false);
    }
    k.witnesses.push_back(std::move(text));
    replay(main, others, contents);
    OutputElement::InViews inViews = main.inViews;
    if (clause && !w.site->view.isWhole()) {
      element.invertView(w.site->view, nullptr);
      inViews = element.coordinatesInViews(nullptr);
    }
    for (auto &[label, goal] : insideTile(*w.site, inViews, {})) {
      emit(label, goal, w);
    }
  }

  struct Goal {
    std::string label;
    Poly goal; ///< at least 0
  };

  /// That the element is one of the view, and in the tile.
  std::vector<Goal> insideTile(const Site &site,
                               const OutputElement::InViews &inViews,
                               const Renaming &names) const {
    auto here = [&](Var v) { return renamed(names, v); };
    std::vector<Goal> goals;
    auto add = [&](const std::string &label, const Poly &goal) {
      goals.push_back({label, goal.rename(here)});
    };
    const View &view = site.view;
    std::vector<Poly> at = element.coordinates();
    std::vector<const View *> chain = view.chain();
    for (size_t level = 0; level < chain.size() && !view.isWhole(); ++level) {
      const View &v = *chain[level];
      at = v.flattened ? v.flatten(inViews[level - 1]) : at;
      for (size_t axis = 0; axis < at.size(); ++axis) {
        Poly rest = at[axis] - v.origin[axis];
        for (unsigned j : v.axesAlong(axis)) {
          rest = rest - v.axes[j].scale * inViews[level][j];
        }
        std::string text = "axis " + std::to_string(axis);
        add(text + ", not before the view", rest);
        add(text + ", not behind the view", -rest);
      }
      for (size_t j = 0; &v != &view && j < v.extents.size(); ++j) {
        std::string text = "axis " + std::to_string(j) + " that is flattened";
        add(text + ", lower", inViews[level][j]);
        add(text + ", upper", v.extents[j] - 1 - inViews[level][j]);
      }
    }
    const std::vector<Poly> &x = view.isWhole() ? at : inViews.back();
    for (size_t j = 0; j < x.size(); ++j) {
      Poly low = site.indices[j] * Poly(site.tile[j]);
      std::string text =
          "axis " + std::to_string(j) + (view.isWhole() ? "" : " of the view");
      add(text + ", not before the tile", x[j] - low);
      add(text + ", not behind the tile", low + Poly(site.tile[j] - 1) - x[j]);
      if (!view.isWhole()) {
        add(text + ", not behind the view", view.extents[j] - 1 - x[j]);
      }
    }
    return goals;
  }

  /// The facts at the store, now for the witness: what the launch, the loops
  /// and the branches demand is an obligation, the rest follows as it did
  /// there. Where another store parts from it, one of that store's conditions
  /// fails. What is given of two elements of a tensor ties those that the store
  /// loads to those that tell who it is.
  void replay(const Candidate &main, llvm::ArrayRef<Candidate> others,
              llvm::ArrayRef<Lookup> contents) {
    const Write &w = *main.write;
    size_t before = base.mark();
    for (const Lookup &l : w.lookups) {
      base.addLookup(l, before);
    }
    bool literal = true; // every fact so far stands here as it stood there
    for (size_t i = k.launchFacts; i <= w.facts.size(); ++i) {
      for (const Candidate &c : others) {
        if (c.shared == i) {
          assumeNotWritten(c);
        }
      }
      for (const Lookup &l : w.lookups) {
        for (const Lookup &known : contents) {
          if (l.mark == i && l.tensor == known.tensor && !l.isOwn) {
            assumeGiven(k, known, l);
          }
        }
      }
      if (i == w.facts.size() || isConstant(w.facts[i])) {
        continue; // in place already
      }
      const ScopedFact &f = w.facts[i];
      switch (f.origin) {
      case Origin::Kind::Launch:
      case Origin::Kind::Loop:
      case Origin::Kind::Path:
        literal &= emitFact(f, w);
        break;
      case Origin::Kind::Proved:
        if (literal) {
          base.append(f);
        } else {
          emitFact(f, w);
        }
        break;
      default:
        base.append(f);
      }
    }
  }

  /// Of the conditions under which another store writes the element, one
  /// fails. What was proved there says nothing here, where it may not happen.
  void assumeNotWritten(const Candidate &c) {
    const Write &w = *c.write;
    auto names = std::make_shared<const Renaming>(c.names);
    std::vector<Fact> conditions;
    for (size_t i = c.shared; i < w.facts.size(); ++i) {
      if (isConstant(w.facts[i])) {
        continue;
      }
      ScopedFact f = rename(w.facts[i], names);
      switch (f.origin) {
      case Origin::Kind::Launch:
      case Origin::Kind::Loop:
      case Origin::Kind::Path:
        conditions.push_back(f.fact);
        break;
      case Origin::Kind::Definition:
        if (!isGrounded(f)) {
          return;
        }
        base.append(std::move(f));
        break;
      case Origin::Kind::Value:
        base.append(std::move(f));
        break;
      default:
        break;
      }
    }
    for (auto &[label, goal] : insideTile(*w.site, c.inViews, c.names)) {
      conditions.push_back(Fact::atLeastZero(goal));
    }
    if (auto ways = failures(conditions)) {
      Fact fails = ways->empty() ? Fact::atLeastZero(Poly(-1))
                                 : Fact::anyOf(std::move(*ways));
      base.assume(std::move(fails), Origin::Kind::Region,
                  "the store at " + placeOf(w.op) +
                      " does not write the element");
    }
  }

  /// In which ways one of these facts may fail; nothing where they are many.
  std::optional<std::vector<std::vector<Atom>>>
  failures(llvm::ArrayRef<Fact> facts) const {
    std::optional<Condition> some;
    for (const Fact &f : facts) {
      if (!isTrue(f)) {
        Condition fails = Condition::of(f).negated();
        some = some ? Condition::either(*some, fails) : fails;
      }
    }
    auto ways = some.value_or(Condition::constant(false)).alternatives(maxWays);
    if (!ways || llvm::any_of(*ways, [](auto &way) { return way.empty(); })) {
      return std::nullopt;
    }
    llvm::erase_if(*ways, [](const std::vector<Atom> &way) {
      return llvm::any_of(way, isFalse);
    });
    return ways;
  }

  static bool isFalse(const Atom &a) {
    std::optional<Int> c = a.poly.constant();
    return c && (a.equality ? *c != 0 : *c < 0);
  }

  /// Because it is in scope, or a constant.
  bool isTrue(const Fact &f) const {
    const Atom *a = f.atom();
    std::optional<Int> c = a ? a->poly.constant() : std::nullopt;
    return (c && (a->equality ? *c == 0 : *c >= 0)) ||
           llvm::any_of(base.visible(),
                        [&](const ScopedFact &g) { return g.fact == f; });
  }

  /// True when the fact itself is in scope afterwards.
  bool emitFact(const ScopedFact &f, const Write &w) {
    if (const Atom *a = f.fact.atom()) {
      emit(f.note, a->poly, w);
      if (a->equality) {
        emit(f.note, -a->poly, w);
      }
      return !a->equality && !a->poly.constant();
    }
    size_t mark = base.mark();
    for (const std::vector<Atom> &branch : f.fact.branches) {
      base.assume(refusal(branch), Origin::Kind::Path, "not: " + f.note);
    }
    base.emit(Rule::OutCovered, f.note, Poly(-1), w.op, false, tensor);
    base.release(mark);
    return false;
  }
};
} // namespace

void emitCoverage(KernelFacts &k) {
  for (mlir::BlockArgument arg : k.kernel.getBody()->getArguments()) {
    auto type = mlir::dyn_cast<tile::TileTensorType>(arg.getType());
    if (type && type.getMode() == tile::Mode::Out && !type.getPartial()) {
      Cover(k, arg.getArgNumber()).run();
    }
  }
}

} // namespace girih::checker
