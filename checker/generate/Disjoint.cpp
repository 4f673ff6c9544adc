// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ownership: for each written tensor and each unordered pair of claims on it, a
// claim against itself included, two different blocks never claim a common
// element. The launch and what it determines are shared; everything else is
// renamed apart.

#include "checker/generate/Generate.h"

#include "ir/ops/Views.h"

using namespace girih::proofs;

namespace girih::checker {

/// So many claims of one tensor are compared one by one; more are compared by
/// classes. What is stored of kernels depends on it.
static constexpr size_t maxOneByOne = 64;

namespace {
/// Claims that differ in constants only: of one view in tiles of one size, in
/// the same loops and branches, each with the indices of the first of them but
/// for a number between these two. What holds at the first holds at all.
struct SiteClass {
  const Site *first = nullptr;
  std::vector<Int> least, most; ///< an axis of the view
  std::vector<mlir::Operation *> ops;
};

/// One of the two blocks: its names for what is not shared.
struct Copy {
  Renaming names;
  std::vector<Poly> blockIds, indices;
  View view;
  std::vector<Poly> inView; ///< coordinates that are variables
  /// Quotients, trips, what a while carries, lookups: worth comparing.
  std::vector<Poly> defined;
  std::vector<Lookup> lookups;
};
} // namespace

static bool isVisible(const FactBase &base, const Fact &fact) {
  return llvm::any_of(base.visible(),
                      [&](const ScopedFact &f) { return f.fact == fact; });
}

/// The index of one of the claims: the first one's, or a variable that is as
/// far from it as that of some claim at most.
static Poly indexOf(FactBase &base, const SiteClass &all, size_t axis,
                    const Poly &first, unsigned number) {
  if (all.least[axis] == all.most[axis]) {
    return first;
  }
  Variable v;
  v.kind = Variable::Kind::Index;
  v.axis = axis;
  v.copy = number;
  v.op = all.first->op;
  v.name = "index" + std::to_string(axis) + std::string(number, '\'');
  Poly index = Poly::variable(base.add(v));
  base.assume(Fact::atLeastZero(index - first - Poly(all.least[axis])),
              Origin::Kind::Value, "the least index of the claims");
  base.assume(Fact::atLeastZero(first + Poly(all.most[axis]) - index),
              Origin::Kind::Value, "the largest index of the claims");
  return index;
}

static Copy addCopy(KernelFacts &k, const SiteClass &all, unsigned number) {
  FactBase &base = k.base;
  const Site &site = *all.first;
  Copy c;
  size_t before = base.mark();
  std::set<Var> shared = launchConstants(k, site.facts);
  std::string mark(number, '\'');
  for (size_t v = k.launchVariables; v < k.bodyVariables; ++v) {
    if (shared.count(v)) {
      continue;
    }
    Variable x = base.variable(v);
    x.copy = number;
    x.name += mark;
    for (Poly &p : x.lane) {
      p = p.rename([&](Var u) { return renamed(c.names, u); });
    }
    c.names[v] = base.add(x);
  }
  auto names = std::make_shared<const Renaming>(c.names);
  base.charge(c.names.size() + site.facts.size());
  for (size_t i = k.launchFacts; i < site.facts.size(); ++i) {
    // The second copy finds what is shared in place.
    if (number == 1 || !speaksOnlyOf(site.facts[i].fact, shared) ||
        !isVisible(base, site.facts[i].fact)) {
      base.append(rename(site.facts[i], names));
    }
  }
  auto here = [&](Var v) { return renamed(c.names, v); };
  for (Var b : k.blockIds) {
    c.blockIds.push_back(Poly::variable(here(b)));
  }
  for (size_t axis = 0; axis < site.indices.size(); ++axis) {
    c.indices.push_back(
        indexOf(base, all, axis, site.indices[axis].rename(here), number));
  }
  c.view = site.view.renamed(here);
  for (size_t i = k.launchFacts; i < site.facts.size(); ++i) {
    const ScopedFact &f = site.facts[i];
    if (f.definition && f.part == 0 &&
        f.definition->kind == Definition::Kind::Quotient) {
      c.defined.push_back(Poly::variable(here(f.definition->results[0])));
      c.defined.push_back(Poly::variable(here(f.definition->results[1])));
    }
  }
  for (auto &[op, trip] : site.trips) {
    c.defined.push_back(Poly::variable(here(trip)));
  }
  for (const Poly &p : site.carried) {
    c.defined.push_back(p.rename(here));
  }
  for (const Lookup &l : site.lookups) {
    c.lookups.push_back(rename(l, c.names));
    if (!l.isOwn) {
      c.defined.push_back(Poly::variable(c.lookups.back().value));
    }
    base.addLookup(c.lookups.back(), before);
  }
  return c;
}

/// The blocks differ on some axis of the grid, used or not. A claim against
/// itself is symmetric: the first block is the smaller one on the first axis on
/// which they differ.
static Fact differ(const Copy &a, const Copy &b, bool symmetric) {
  std::vector<std::vector<Atom>> ways;
  std::vector<Atom> equalSoFar;
  for (size_t i = 0; i < a.blockIds.size(); ++i) {
    Poly gap = b.blockIds[i] - a.blockIds[i];
    ways.push_back(equalSoFar);
    ways.back().push_back({false, gap - 1});
    if (!symmetric) {
      ways.push_back(equalSoFar);
      ways.back().push_back({false, -gap - 1});
    }
    equalSoFar.push_back({true, gap});
  }
  return Fact::anyOf(std::move(ways));
}

static void inTile(FactBase &base, const Poly &element, const Poly &index,
                   int64_t tile) {
  if (tile == 1) {
    base.assume(Fact::zero(element - index), Origin::Kind::Region,
                "the element is the tile");
    return;
  }
  base.assume(Fact::atLeastZero(element - index * Poly(tile)),
              Origin::Kind::Region, "the element is in the tile");
  base.assume(Fact::atLeastZero(index * Poly(tile) + Poly(tile - 1) - element),
              Origin::Kind::Region, "the element is in the tile");
}

static void inViewTile(FactBase &base, const Copy &c, const Site &site,
                       unsigned j, const Poly &v) {
  inTile(base, v, c.indices[j], site.tile[j]);
  base.assume(Fact::atLeastZero(c.view.extents[j] - 1 - v),
              Origin::Kind::Region, "the element is in the view");
}

/// A coordinate in a view as a variable; at a level of a chain of views, where
/// there is one.
static void addInView(FactBase &base, Copy &c, const Site &site,
                      unsigned number, std::optional<unsigned> level,
                      unsigned axis) {
  Variable v;
  v.kind = Variable::Kind::InView;
  v.axis = axis;
  v.level = level.value_or(v.level);
  v.copy = number;
  v.op = site.op;
  v.name = "inView" + (level ? std::to_string(*level) + "." : "") +
           std::to_string(axis) + std::string(number, '\'');
  c.inView.push_back(Poly::variable(base.add(v)));
}

/// Coordinate `axis` of an element of the tile is x. An axis of the view that
/// alone leads there, step by step, needs no coordinate of its own.
static void inRegion(FactBase &base, Copy &c, const Site &site, unsigned number,
                     unsigned axis, const Poly &x) {
  const View &view = c.view;
  if (view.isWhole()) {
    inTile(base, x, c.indices[axis], site.tile[axis]);
    return;
  }
  Poly rest = x - view.origin[axis];
  std::vector<unsigned> along = view.axesAlong(axis);
  if (along.size() == 1 && view.axes[along[0]].scale == Poly(1)) {
    inViewTile(base, c, site, along[0], rest);
    return;
  }
  for (unsigned j : along) {
    addInView(base, c, site, number, {}, j);
    inViewTile(base, c, site, j, c.inView.back());
    rest = rest - view.axes[j].scale * c.inView.back();
  }
  base.assume(Fact::zero(rest), Origin::Kind::Region,
              "the element of the view is one of the tensor");
}

/// The coordinates of an element x of the root in a view, which it has: of a
/// view that is flattened as many as it takes to tell those of the next one.
static std::vector<Poly> coordinatesIn(FactBase &base, Copy &c,
                                       const View &view, const Site &site,
                                       unsigned number, unsigned level,
                                       const std::vector<Poly> &x) {
  std::vector<Poly> at = x, out(view.axes.size());
  if (view.flattened) {
    const View &below = *view.flattened;
    at = coordinatesIn(base, c, below, site, number, level + 1, x);
    for (size_t j = 0; j < at.size(); ++j) {
      base.assume(Fact::atLeastZero(at[j]), Origin::Kind::Region,
                  "the element is in the flattened view");
      base.assume(Fact::atLeastZero(below.extents[j] - 1 - at[j]),
                  Origin::Kind::Region, "the element is in the flattened view");
    }
    at = view.flatten(at);
  }
  for (unsigned k = 0; k < at.size(); ++k) {
    Poly rest = at[k] - view.origin[k];
    std::vector<unsigned> along = view.axesAlong(k);
    if (along.size() == 1 && view.axes[along[0]].scale == Poly(1)) {
      out[along[0]] = rest;
      continue;
    }
    for (unsigned j : along) {
      addInView(base, c, site, number, level, j);
      out[j] = c.inView.back();
      rest = rest - view.axes[j].scale * out[j];
    }
    base.assume(Fact::zero(rest), Origin::Kind::Region,
                "the element of the view is one of what it is a view of");
  }
  return out;
}

/// As `inRegion`, of all coordinates of an element, through a view of a
/// flattened one.
static void inFlattened(FactBase &base, Copy &c, const Site &site,
                        unsigned number, const std::vector<Poly> &x) {
  std::vector<Poly> at = coordinatesIn(base, c, c.view, site, number, 0, x);
  for (unsigned j = 0; j < at.size(); ++j) {
    inViewTile(base, c, site, j, at[j]);
  }
}

static void addVariables(const Poly &p, std::set<Var> &to) {
  for (const Term &t : p.terms()) {
    to.insert(t.vars.begin(), t.vars.end());
  }
}

/// What decides which element a claim takes and whether it is reached.
static std::set<Var> deciding(const Site &site) {
  std::set<Var> out;
  for (const std::vector<Poly> *list :
       {&site.indices, &site.view.origin, &site.view.extents}) {
    for (const Poly &p : *list) {
      addVariables(p, out);
    }
  }
  for (const ScopedFact &f : llvm::reverse(site.facts)) {
    bool isDefinition = f.definition && f.part == 0 &&
                        llvm::any_of(f.definition->results,
                                     [&](Var v) { return out.count(v); });
    for (const Poly &p :
         isDefinition ? f.definition->arguments : std::vector<Poly>()) {
      addVariables(p, out);
    }
    for (const std::vector<Atom> &branch : f.fact.branches) {
      for (const Atom &a : branch) {
        if (f.origin == Origin::Kind::Path) {
          addVariables(a.poly, out);
        }
      }
    }
  }
  return out;
}

/// Both blocks load one element of a tensor of which nothing is given, at a
/// place that the launch determines: it is the same number. That is said of the
/// last ones which, beside the block, decide what the first claim takes.
static void assumeShared(KernelFacts &k, const Site &site, const Copy &one,
                         const Copy &two) {
  std::set<Var> decides = deciding(site);
  if (llvm::none_of(k.blockIds, [&](Var b) { return decides.count(b); })) {
    return;
  }
  size_t met = 0;
  for (size_t i = one.lookups.size(); i-- > 0 && met < maxLookups;) {
    const Lookup &l = one.lookups[i];
    bool isFree = !l.isOwn && l.padded.empty() &&
                  decides.count(site.lookups[i].value) &&
                  llvm::none_of(k.givens, [&](const Precondition &g) {
                    return g.tensor == l.tensor;
                  });
    auto isSame = [&](const Lookup &m) {
      return m.tensor == l.tensor && m.at == l.at && m.padded.empty();
    };
    auto m = isFree ? llvm::find_if(two.lookups, isSame) : two.lookups.end();
    if (m == two.lookups.end()) {
      continue;
    }
    ++met;
    tile::KernelOp kernel = k.kernel;
    std::string name = "%" + kernel.getArgName(unsigned(l.tensor)).str();
    k.base.assume(
        Fact::zero(Poly::variable(l.value) - Poly::variable(m->value)),
        Origin::Kind::Value, "one element of " + name);
    k.beyondTheory = "blocks that load one element of " + name +
                     " know that it is the same, and the theory does not";
  }
}

static void emitPair(KernelFacts &k, const SiteClass &as, const SiteClass &bs) {
  const Site &a = *as.first, &b = *bs.first;
  FactBase &base = k.base;
  base.release(k.launchFacts);
  Copy one = addCopy(k, as, 1), two = addCopy(k, bs, 2);
  for (const Lookup &l : comparedLookups(k, one.lookups)) {
    for (const Lookup &m : comparedLookups(k, two.lookups)) {
      if (l.tensor == m.tensor) {
        assumeGiven(k, l, m);
      }
    }
  }
  assumeShared(k, a, one, two);
  base.assume(differ(one, two, &a == &b), Origin::Kind::Distinct,
              "the blocks differ");
  auto type = mlir::cast<tile::TileTensorType>(
      k.kernel.getBody()->getArgument(a.tensor).getType());
  std::vector<Poly> e = extents(k, type), element;
  for (size_t axis = 0; axis < e.size(); ++axis) {
    Variable v;
    v.kind = Variable::Kind::Element;
    v.axis = axis;
    v.name = "element" + std::to_string(axis);
    Poly x = Poly::variable(base.add(v));
    element.push_back(x);
    if (!a.view.flattened) {
      inRegion(base, one, a, 1, axis, x);
    }
    if (!b.view.flattened) {
      inRegion(base, two, b, 2, axis, x);
    }
    base.assume(Fact::atLeastZero(e[axis] - 1 - x), Origin::Kind::Region,
                "the element is in the tensor");
  }
  if (a.view.flattened) {
    inFlattened(base, one, a, 1, element);
  }
  if (b.view.flattened) {
    inFlattened(base, two, b, 2, element);
  }
  std::vector<Poly> splits;
  auto compare = [&](const std::vector<Poly> &p, const std::vector<Poly> &q) {
    for (size_t i = 0; i < p.size() && i < q.size(); ++i) {
      splits.push_back(p[i] - q[i]);
    }
  };
  if (!a.view.isWhole() || !b.view.isWhole()) {
    compare(one.view.origin, two.view.origin);
    compare(one.inView, two.inView);
  }
  compare(one.indices, two.indices);
  compare(one.blockIds, two.blockIds);
  if (&a == &b) {
    compare(one.defined, two.defined);
  }
  std::string label = &a == &b ? "with itself" : "with another claim";
  size_t vc = base.emit(Rule::ClaimDisjoint, label, Poly(-1), a.op, false,
                        a.tensor, b.op, std::move(splits));
  base.vcs[vc].alike = as.ops;
  base.vcs[vc].othersAlike = bs.ops;
  base.release(k.launchFacts);
}

/// Raw tensors belong to nobody.
static bool isRaw(KernelFacts &k, int tensor) {
  auto type = mlir::cast<tile::TileTensorType>(
      k.kernel.getBody()->getArgument(tensor).getType());
  return type.getMode() == tile::Mode::Raw;
}

/// Whether all that holds at the first claim holds at the other, of the same
/// variables.
static bool holdsAt(const Site &first, const Site &other) {
  return first.facts.size() <= other.facts.size() &&
         std::equal(first.facts.begin(), first.facts.end(), other.facts.begin(),
                    [](const ScopedFact &a, const ScopedFact &b) {
                      return a.fact == b.fact && a.origin == b.origin &&
                             a.definition == b.definition && a.part == b.part &&
                             a.proved == b.proved;
                    });
}

/// Takes the claim in if it is like the others; whether it is.
static bool joins(SiteClass &all, const Site &site) {
  const Site &first = *all.first;
  if (!first.lanes.empty() || !site.lanes.empty() || first.tile != site.tile ||
      first.trips != site.trips || !isSame(first.view, site.view)) {
    return false;
  }
  std::vector<Int> apart;
  for (size_t axis = 0; axis < site.indices.size(); ++axis) {
    std::optional<Int> gap =
        (site.indices[axis] - first.indices[axis]).constant();
    if (!gap) {
      return false;
    }
    apart.push_back(*gap);
  }
  if (!holdsAt(first, site)) {
    return false;
  }
  for (size_t axis = 0; axis < apart.size(); ++axis) {
    all.least[axis] = std::min(all.least[axis], apart[axis]);
    all.most[axis] = std::max(all.most[axis], apart[axis]);
  }
  all.ops.push_back(site.op);
  return true;
}

/// The claims of a tensor, each for itself where they are few.
static std::vector<SiteClass> classesOf(KernelFacts &k, int tensor) {
  std::vector<const Site *> sites;
  for (const std::unique_ptr<Site> &site : k.sites) {
    if (site->tensor == tensor) {
      sites.push_back(site.get());
    }
  }
  std::vector<SiteClass> out;
  for (const Site *site : sites) {
    bool alike =
        sites.size() > maxOneByOne && llvm::any_of(out, [&](SiteClass &all) {
          k.base.charge(1 + site->facts.size() / 8);
          return joins(all, *site);
        });
    if (!alike) {
      std::vector<Int> zero(site->indices.size(), 0);
      out.push_back({site, zero, zero, {site->op}});
    }
  }
  return out;
}

bool comparesClasses(tile::KernelOp kernel) {
  std::map<unsigned, size_t> claims;
  kernel->walk([&](mlir::Operation *op) {
    mlir::Value tensor;
    if (auto claim = mlir::dyn_cast<tile::ClaimOp>(op)) {
      tensor = tile::partitionOf(claim).getTensor();
    } else if (auto scatter = mlir::dyn_cast<tile::ScatterOp>(op)) {
      tensor = scatter.getTensor();
    }
    if (tensor) {
      ++claims[tile::rootOf(tensor).getArgNumber()];
    }
  });
  return llvm::any_of(claims,
                      [](auto &entry) { return entry.second > maxOneByOne; });
}

void emitDisjoint(KernelFacts &k) {
  // In the order of the first claim of each pair.
  std::map<int, std::vector<SiteClass>> classes;
  for (const std::unique_ptr<Site> &site : k.sites) {
    if (!isRaw(k, site->tensor) && !classes.count(site->tensor)) {
      classes[site->tensor] = classesOf(k, site->tensor);
    }
  }
  for (const std::unique_ptr<Site> &site : k.sites) {
    auto found = classes.find(site->tensor);
    if (found == classes.end()) {
      continue;
    }
    std::vector<SiteClass> &all = found->second;
    auto a = llvm::find_if(
        all, [&](const SiteClass &c) { return c.first == site.get(); });
    for (auto b = a; b != all.end(); ++b) {
      emitPair(k, *a, *b);
    }
  }
}

} // namespace girih::checker
