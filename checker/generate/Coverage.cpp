// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Outputs: every element of an out tensor has a block and trip numbers that
// write it. A covers clause tells them, or they are read off the kernel by
// solving the claim's tile indices for them (the witness); that they are right
// is then proved like any condition: the block is in the grid, the loops run
// that far, the branches are taken, the element lies in the tile.

#include "checker/generate/Witness.h"

using namespace girih::proofs;

namespace girih::checker {

namespace {
class Cover {
public:
  Cover(KernelFacts &k, int tensor) : k(k), base(k.base), tensor(tensor) {}

  void run() {
    auto type = mlir::cast<tile::TileTensorType>(
        k.kernel.getBody()->getArgument(tensor).getType());
    extent = extents(k, type);
    clause = told();
    size_t vcsBefore = base.vcs.size();
    for (const Write *write : candidates()) {
      const Write &w = *write;
      base.release(k.launchFacts);
      assumeElement();
      constants = launchConstants(k, w.facts);
      if (!introduceConstants(w)) {
        base.vcs.resize(vcsBefore);
        continue;
      }
      WitnessSynthesis synthesis(k, w, constants);
      if (clause) {
        fix(synthesis, w);
        if (!w.site->lanes.empty()) {
          equate(w, synthesis); // the clause says nothing of lanes
          synthesis.solve();
        }
      }
      if (clause || (equate(w, synthesis) && synthesis.solve())) {
        emitWitness(w, synthesis);
        base.release(k.launchFacts);
        return;
      }
      base.vcs.resize(vcsBefore);
    }
    base.release(k.launchFacts);
    assumeElement();
    emitFalse();
    base.release(k.launchFacts);
  }

private:
  KernelFacts &k;
  FactBase &base;
  int tensor;
  tile::CoverAttr clause; ///< or none
  std::vector<Poly> extent, element;
  std::vector<Poly> inView; ///< the element's coordinates in the view
  std::set<Var> constants;  ///< what the launch determines

  /// Nothing is known to cover the tensor.
  void emitFalse() {
    bool stored = isStored();
    size_t index = base.emit(
        Rule::OutCovered,
        !stored  ? "the kernel has no store to %" +
                       k.kernel.getArgName(unsigned(tensor)).str()
        : clause ? "no store that the covers clause speaks of surely happens"
                 : "no witness found",
        Poly(-1), nullptr, false, tensor);
    base.vcs[index].lacksStore = !stored;
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
  tile::CoverAttr told() const {
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
          tileOf(element[axis], axis, whole ? w.site->tile[axis] : 1);
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

  /// Any element of the tensor.
  void assumeElement() {
    element.clear();
    for (size_t axis = 0; axis < extent.size(); ++axis) {
      Variable v;
      v.kind = Variable::Kind::Element;
      v.axis = axis;
      v.name = elementName(axis);
      element.push_back(Poly::variable(base.add(v)));
      base.assume(Fact::atLeastZero(element[axis]), Origin::Kind::Region,
                  v.name + " >= 0");
      base.assume(Fact::atLeastZero(extent[axis] - 1 - element[axis]),
                  Origin::Kind::Region, v.name + " is in the tensor");
    }
  }

  static std::string elementName(size_t axis) {
    return "element" + std::to_string(axis);
  }

  /// `%c[element0, element1]`
  std::string elementText() const {
    std::string axes;
    for (size_t axis = 0; axis < extent.size(); ++axis) {
      axes += (axis ? ", " : "") + elementName(axis);
    }
    return "%" + k.kernel.getArgName(unsigned(tensor)).str() + "[" + axes + "]";
  }

  /// The tile in which coordinate x lies.
  Poly tileOf(const Poly &x, size_t axis, int64_t tile) {
    if (tile == 1) {
      return x;
    }
    base.emit(Rule::OutCovered, "tile size", Poly(tile - 1), nullptr, true,
              tensor);
    base.emit(Rule::OutCovered, "element", x, nullptr, true, tensor);
    return base
        .divide(x, Poly(tile),
                "div(element" + std::to_string(axis) + ", " +
                    std::to_string(tile) + ")")
        .first;
  }

  /// The tile index of the claim is that of the tile that holds the element,
  /// axis by axis. False when a view cannot be inverted.
  bool equate(const Write &w, WitnessSynthesis &synthesis) {
    const Site &site = *w.site;
    if (site.view.isWhole()) {
      for (size_t axis = 0; axis < extent.size(); ++axis) {
        synthesis.equate(site.indices[axis],
                         tileOf(element[axis], axis, site.tile[axis]));
      }
      return true;
    }
    if (!invertView(site.view, &synthesis)) {
      return false;
    }
    // What other axes tell of the block may close an axis.
    std::vector<bool> done(inView.size());
    for (size_t j = 0; j < inView.size(); ++j) {
      done[j] = equateClosed(site, j, inView[j], synthesis);
    }
    synthesis.solve();
    for (size_t j = 0; j < inView.size(); ++j) {
      if (done[j]) {
        continue;
      }
      Poly x = synthesis.insert(inView[j]);
      if (!equateClosed(site, j, x, synthesis)) {
        equateOpen(site, j, x, synthesis);
      }
    }
    return true;
  }

  bool equateClosed(const Site &site, size_t j, const Poly &x,
                    WitnessSynthesis &synthesis) {
    bool whole = site.tile[j] == 1;
    if (!whole && (synthesis.isOpen(x) || synthesis.speaksOfMemory(x))) {
      return false;
    }
    synthesis.equate(site.indices[j], tileOf(x, j, site.tile[j]));
    return true;
  }

  /// The view begins at a place that the block decides. Where that is a number
  /// of whole tiles, so many tiles further; else the lane is one more unknown.
  void equateOpen(const Site &site, size_t j, const Poly &x,
                  WitnessSynthesis &synthesis) {
    auto [closed, open] = synthesis.parts(x);
    int64_t tile = site.tile[j];
    std::vector<Term> tiles(open.terms());
    bool wholeTiles = !synthesis.speaksOfMemory(x);
    for (Term &t : tiles) {
      wholeTiles &= t.coeff % tile == 0;
      t.coeff /= tile;
    }
    if (wholeTiles) {
      synthesis.equate(site.indices[j] - Poly::fromTerms(tiles),
                       tileOf(closed, j, tile));
      return;
    }
    Variable v;
    v.kind = Variable::Kind::InView;
    v.axis = static_cast<unsigned>(j);
    v.name = "lane" + std::to_string(j);
    Var lane = base.add(v);
    synthesis.addLane(lane);
    synthesis.equate(site.indices[j] * Poly(tile) + Poly::variable(lane), x);
  }

  /// From coordinates of the tensor to those of the view. False when they hang
  /// on what is to be solved for; with nothing to solve for, where the block is
  /// known, they may be of what it finds on its way.
  bool invertView(const View &view, WitnessSynthesis *synthesis) {
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
        if (!invertUnfold(s, synthesis)) {
          return false;
        }
        break;
      case tile::ViewKind::Fix:
        if (synthesis) {
          synthesis->equate(s.numbers[0], inView[s.axes[0]]);
        }
        inView.erase(inView.begin() + s.axes[0]);
        break;
      }
    }
    return true;
  }

  /// The digits of a coordinate, last one first.
  bool invertUnfold(const ViewStep &s, const WitnessSynthesis *synthesis) {
    Poly rest = inView[s.axes[0]];
    if (synthesis &&
        (synthesis->isOpen(rest) || synthesis->speaksOfMemory(rest))) {
      return false;
    }
    std::vector<std::string> names = variableNames(base);
    std::vector<Poly> digits(s.numbers.size());
    for (size_t i = digits.size(); i-- > 1;) {
      const Poly &factor = s.numbers[i];
      base.emit(Rule::OutCovered, "factor", factor - 1, nullptr, true, tensor);
      base.emit(Rule::OutCovered, "coordinate", rest, nullptr, true, tensor);
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

  void emit(const std::string &label, const Poly &goal, const Write &w) {
    base.emit(Rule::OutCovered, label, goal, w.op, true, tensor);
  }

  void emitWitness(const Write &w, const WitnessSynthesis &synthesis) {
    std::vector<std::string> names = variableNames(base);
    std::string writers;
    auto name = [&](Var v) {
      writers += (writers.empty() ? "" : ", ") + base.variable(v).name + " = " +
                 print(synthesis.value(v), &names);
      base.define(v, synthesis.value(v));
    };
    for (Var b : k.blockIds) {
      name(b);
    }
    for (auto &[op, trip] : w.trips) {
      name(trip);
    }
    llvm::for_each(w.site->lanes, name);
    k.witnesses.push_back(elementText() + " by " +
                          (writers.empty() ? "the only block" : writers));
    replay(w);
    if (!w.site->view.isWhole()) {
      if (clause) {
        invertView(w.site->view, nullptr);
      }
      emitInView(w);
      return;
    }
    for (size_t axis = 0; axis < extent.size(); ++axis) {
      Poly low = w.site->indices[axis] * Poly(w.site->tile[axis]);
      std::string at = "axis " + std::to_string(axis);
      emit(at + ", not before the tile", element[axis] - low, w);
      emit(at + ", not behind the tile",
           low + Poly(w.site->tile[axis] - 1) - element[axis], w);
    }
  }

  /// The element is one of the view, and in the tile.
  void emitInView(const Write &w) {
    const View &view = w.site->view;
    for (size_t axis = 0; axis < extent.size(); ++axis) {
      Poly rest = element[axis] - view.origin[axis];
      for (unsigned j : view.axesAlong(axis)) {
        rest = rest - view.axes[j].scale * inView[j];
      }
      std::string at = "axis " + std::to_string(axis);
      emit(at + ", not before the view", rest, w);
      emit(at + ", not behind the view", -rest, w);
    }
    for (size_t j = 0; j < inView.size(); ++j) {
      Poly low = w.site->indices[j] * Poly(w.site->tile[j]);
      std::string at = "axis " + std::to_string(j) + " of the view";
      emit(at + ", not before the tile", inView[j] - low, w);
      emit(at + ", not behind the tile",
           low + Poly(w.site->tile[j] - 1) - inView[j], w);
      emit(at + ", not behind the view", view.extents[j] - 1 - inView[j], w);
    }
  }

  /// The facts at the store, now for the witness: what the launch, the loops
  /// and the branches demand is an obligation, the rest follows as it did
  /// there.
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
