// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ownership: for each written tensor and each unordered pair of claims on it, a
// claim against itself included, two different blocks never claim a common
// element. The launch and what it determines are shared; everything else is
// renamed apart.

#include "checker/Generate.h"

using namespace girih::proofs;

namespace girih::checker {

namespace {
/// One of the two blocks: its names for what is not shared.
struct Copy {
  Renaming names;
  std::vector<Poly> blockIds, indices;
  View view;
  std::vector<Poly> inView;  ///< coordinates that are variables
  std::vector<Poly> defined; ///< quotients, trips, lookups: worth comparing
  std::vector<Lookup> lookups;
};
} // namespace

static bool isVisible(const FactBase &base, const Fact &fact) {
  return llvm::any_of(base.visible(),
                      [&](const ScopedFact &f) { return f.fact == fact; });
}

static Copy addCopy(KernelFacts &k, const Site &site, unsigned number) {
  FactBase &base = k.base;
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
  for (size_t i = k.launchFacts; i < site.facts.size(); ++i) {
    // The second copy finds what is shared in place.
    if (number == 1 || !speaksOnlyOf(site.facts[i].fact, shared) ||
        !isVisible(base, site.facts[i].fact)) {
      base.append(rename(site.facts[i], c.names));
    }
  }
  auto here = [&](Var v) { return renamed(c.names, v); };
  for (Var b : k.blockIds) {
    c.blockIds.push_back(Poly::variable(here(b)));
  }
  for (const Poly &p : site.indices) {
    c.indices.push_back(p.rename(here));
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
    Variable v;
    v.kind = Variable::Kind::InView;
    v.axis = j;
    v.copy = number;
    v.op = site.op;
    v.name = "inView" + std::to_string(j) + std::string(number, '\'');
    c.inView.push_back(Poly::variable(base.add(v)));
    inViewTile(base, c, site, j, c.inView.back());
    rest = rest - view.axes[j].scale * c.inView.back();
  }
  base.assume(Fact::zero(rest), Origin::Kind::Region,
              "the element of the view is one of the tensor");
}

static void owePair(KernelFacts &k, const Site &a, const Site &b) {
  FactBase &base = k.base;
  base.release(k.launchFacts);
  Copy one = addCopy(k, a, 1), two = addCopy(k, b, 2);
  for (const Lookup &l : comparedLookups(k, one.lookups)) {
    for (const Lookup &m : comparedLookups(k, two.lookups)) {
      if (l.tensor == m.tensor) {
        assumeGiven(k, l, m);
      }
    }
  }
  base.assume(differ(one, two, &a == &b), Origin::Kind::Distinct,
              "the blocks differ");
  auto type = mlir::cast<tile::TileTensorType>(
      k.kernel.getBody()->getArgument(a.tensor).getType());
  std::vector<Poly> e = extents(k, type);
  for (size_t axis = 0; axis < e.size(); ++axis) {
    Variable v;
    v.kind = Variable::Kind::Element;
    v.axis = axis;
    v.name = "element" + std::to_string(axis);
    Poly x = Poly::variable(base.add(v));
    inRegion(base, one, a, 1, axis, x);
    inRegion(base, two, b, 2, axis, x);
    base.assume(Fact::atLeastZero(e[axis] - 1 - x), Origin::Kind::Region,
                "the element is in the tensor");
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
  base.owe("claim.disjoint", label, Poly(-1), a.op, false, a.tensor, b.op,
           std::move(splits));
  base.release(k.launchFacts);
}

/// Raw tensors belong to nobody.
static bool isRaw(KernelFacts &k, int tensor) {
  auto type = mlir::cast<tile::TileTensorType>(
      k.kernel.getBody()->getArgument(tensor).getType());
  return type.getMode() == tile::Mode::Raw;
}

void oweDisjoint(KernelFacts &k) {
  for (size_t i = 0; i < k.sites.size(); ++i) {
    if (isRaw(k, k.sites[i]->tensor)) {
      continue;
    }
    for (size_t j = i; j < k.sites.size(); ++j) {
      if (k.sites[i]->tensor == k.sites[j]->tensor) {
        owePair(k, *k.sites[i], *k.sites[j]);
      }
    }
  }
}

} // namespace girih::checker
