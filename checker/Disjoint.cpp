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
  std::vector<Poly> defined; ///< quotients and trips, worth comparing
};
} // namespace

static bool isVisible(const FactBase &base, const Fact &fact) {
  return llvm::any_of(base.visible(),
                      [&](const ScopedFact &f) { return f.fact == fact; });
}

static Copy addCopy(KernelFacts &k, const Site &site, unsigned number) {
  FactBase &base = k.base;
  Copy c;
  std::set<Var> shared = launchConstants(k, site.facts);
  std::string mark(number, '\'');
  for (size_t v = k.launchVariables; v < k.bodyVariables; ++v) {
    if (shared.count(v)) {
      continue;
    }
    Variable x = base.variable(v);
    x.copy = number;
    x.name += mark;
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

static void owePair(KernelFacts &k, const Site &a, const Site &b) {
  FactBase &base = k.base;
  base.release(k.launchFacts);
  Copy one = addCopy(k, a, 1), two = addCopy(k, b, 2);
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
    inTile(base, x, one.indices[axis], a.tile[axis]);
    inTile(base, x, two.indices[axis], b.tile[axis]);
    base.assume(Fact::atLeastZero(e[axis] - 1 - x), Origin::Kind::Region,
                "the element is in the tensor");
  }
  std::vector<Poly> splits;
  auto compare = [&](const std::vector<Poly> &p, const std::vector<Poly> &q) {
    for (size_t i = 0; i < p.size() && i < q.size(); ++i) {
      splits.push_back(p[i] - q[i]);
    }
  };
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

void oweDisjoint(KernelFacts &k) {
  for (size_t i = 0; i < k.sites.size(); ++i) {
    for (size_t j = i; j < k.sites.size(); ++j) {
      if (k.sites[i]->tensor == k.sites[j]->tensor) {
        owePair(k, *k.sites[i], *k.sites[j]);
      }
    }
  }
}

} // namespace girih::checker
