// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Mutate.h"

#include <map>
#include <random>
#include <utility>

namespace girih::proofs::test {

static std::vector<Poly> mutants(const Poly &p) {
  std::vector<Poly> out = {p + Poly(1), p - Poly(1), -p};
  for (const Term &t : p.terms()) {
    Poly term = Poly::fromTerms({t}), one = Poly::fromTerms({{t.vars, 1}});
    out.insert(out.end(), {p + one, p - one, p + term, p - term,
                           p - term - term, p + term * Poly::variable(0)});
  }
  return out;
}

static std::vector<Product> mutants(const Product &p, size_t factCount) {
  std::vector<Product> out;
  auto add = [&](auto change) {
    Product m = p;
    change(m);
    if (m != p) {
      out.push_back(std::move(m));
    }
  };
  for (Int weight :
       {p.weight + 1, p.weight - 1, p.weight * 2, -p.weight, Int(0)}) {
    add([&](Product &m) { m.weight = weight; });
  }
  for (size_t i = 0; i < p.facts.size(); ++i) {
    uint32_t f = p.facts[i];
    for (uint32_t to : {f + 1, f - 1, uint32_t(factCount - 1),
                        uint32_t(factCount), 0u, ~0u}) {
      add([&](Product &m) { m.facts[i] = to; });
    }
    add([&](Product &m) { m.facts.erase(m.facts.begin() + long(i)); });
    add([&](Product &m) { m.facts.push_back(f); });
  }
  add([&](Product &m) { m.facts.push_back(0); });
  return out;
}

namespace {
/// A family is a way to change one node, by number over the certificate.
struct Changed {
  Certificate tree;
  size_t family;
};
} // namespace

/// The node itself changed, not its children.
static std::vector<Changed> changedHere(const Certificate &c, size_t factCount,
                                        size_t &families) {
  std::vector<Changed> out;
  auto add = [&](auto change) {
    Certificate m = c;
    change(m);
    if (m != c) {
      out.push_back({std::move(m), families});
    }
  };
  for (size_t i = 0; i < c.products.size(); ++i) {
    for (Product &p : mutants(c.products[i], factCount)) {
      add([&](Certificate &m) { m.products[i] = p; });
    }
  }
  ++families;
  for (size_t i = 0; i < c.products.size(); ++i) {
    add([&](Certificate &m) {
      m.products.erase(m.products.begin() + long(i));
    });
    add([&](Certificate &m) { m.products.push_back(m.products[i]); });
  }
  if (c.kind == Certificate::Kind::Leaf) {
    add([](Certificate &m) { m.products.push_back({1, {}}); });
    add([](Certificate &m) { m.products.push_back({-1, {}}); });
    add([](Certificate &m) { m.children.push_back({}); });
    ++families;
    return out;
  }
  if (c.kind == Certificate::Kind::Solve || c.kind == Certificate::Kind::Case) {
    for (uint32_t f : {c.fact + 1, c.fact - 1, 0u, uint32_t(factCount), ~0u}) {
      add([&](Certificate &m) { m.fact = f; });
    }
  }
  ++families;
  if (c.kind == Certificate::Kind::Solve) {
    for (Var v = 0; v < 6; ++v) {
      add([&](Certificate &m) { m.variable = v; });
    }
  }
  if (c.kind == Certificate::Kind::Split || c.kind == Certificate::Kind::Have) {
    for (Poly &p : mutants(c.poly)) {
      add([&](Certificate &m) { m.poly = p; });
    }
  }
  ++families;
  for (int kind = 0; kind < 5; ++kind) {
    add([&](Certificate &m) { m.kind = Certificate::Kind(kind); });
  }
  ++families;
  for (size_t i = 0; i < c.children.size(); ++i) {
    add([&](Certificate &m) {
      m.children.erase(m.children.begin() + long(i));
    });
    add([&](Certificate &m) { m.children.push_back(m.children[i]); });
    add([&](Certificate &m) { m.children[i] = {}; });
    for (size_t j = i + 1; j < c.children.size(); ++j) {
      add([&](Certificate &m) { std::swap(m.children[i], m.children[j]); });
    }
  }
  ++families;
  return out;
}

/// All certificates that differ from this one in one place.
static std::vector<Changed> mutants(const Certificate &c, size_t factCount,
                                    size_t &families) {
  std::vector<Changed> out = changedHere(c, factCount, families);
  for (const Certificate &child : c.children) {
    out.push_back({child, families}); // the node itself gone
  }
  ++families;
  for (size_t i = 0; i < c.children.size(); ++i) {
    for (Changed &child : mutants(c.children[i], factCount + 1, families)) {
      Certificate m = c;
      m.children[i] = std::move(child.tree);
      out.push_back({std::move(m), child.family});
    }
  }
  return out;
}

static std::vector<Fact> mutants(const Fact &f, Extent extent) {
  std::vector<Fact> out;
  auto add = [&](auto change) {
    Fact m = f;
    change(m.branches);
    out.push_back(std::move(m));
  };
  if (extent == Extent::Main) {
    add([&](auto &branches) {
      for (std::vector<Atom> &branch : branches) {
        for (Atom &a : branch) {
          a.poly = a.poly + Poly(1);
        }
      }
    });
    return out;
  }
  out = {Fact::atLeastZero(Poly(0)), Fact::anyOf({f.branches})};
  for (size_t i = 0; i < f.branches.size(); ++i) {
    add([&](auto &branches) { branches.erase(branches.begin() + long(i)); });
    add([&](auto &branches) { branches.push_back(branches[i]); });
    add([&](auto &branches) { branches.push_back({}); });
    for (size_t j = 0; j < f.branches[i].size(); ++j) {
      add([&](auto &b) { b[i].erase(b[i].begin() + long(j)); });
      add([&](auto &b) { b[i][j].equality = !b[i][j].equality; });
      add([&](auto &b) { b[i].push_back(b[i][j]); });
      for (Poly &p : mutants(f.branches[i][j].poly)) {
        add([&](auto &b) { b[i][j].poly = p; });
      }
    }
  }
  return out;
}

/// All lists of facts that differ from this one in one place.
static std::vector<std::vector<Fact>> mutants(const std::vector<Fact> &facts,
                                              Extent extent) {
  std::vector<std::vector<Fact>> out;
  for (size_t i = 0; i < facts.size(); ++i) {
    for (Fact &f : mutants(facts[i], extent)) {
      out.push_back(facts);
      out.back()[i] = std::move(f);
    }
    out.push_back(facts);
    out.back().erase(out.back().begin() + long(i));
    if (extent == Extent::Every) {
      out.push_back(facts);
      std::swap(out.back()[i], out.back()[(i + 1) % facts.size()]);
    }
  }
  return out;
}

std::vector<Exhibit> mutants(const std::vector<Exhibit> &corpus, size_t index,
                             Extent extent) {
  const Exhibit &e = corpus[index];
  size_t families = 0;
  std::vector<Changed> trees = mutants(e.tree, e.facts.size(), families);
  if (extent == Extent::Every) {
    // Two changes: two that cancel out, or hide one another.
    std::mt19937 random(static_cast<unsigned>(index));
    for (size_t i = trees.size() / 4; i > 0; --i) {
      const Certificate &once = trees[random() % trees.size()].tree;
      auto again = mutants(once, e.facts.size(), families);
      trees.push_back(again[random() % again.size()]);
    }
  }
  std::vector<Exhibit> out;
  for (Changed &c : trees) {
    out.push_back({e.name, e.facts, std::move(c.tree), c.family});
  }
  size_t number = 0;
  for (auto &facts : mutants(e.facts, extent)) {
    size_t family = families + number++ / 8; // four facts, each in two ways
    out.push_back({e.name, std::move(facts), e.tree, family});
  }
  families += number / 8 + 1;
  size_t others =
      std::min<size_t>(corpus.size() - 1, extent == Extent::Every ? ~0u : 5);
  for (size_t i = 1; i <= others; ++i) {
    const Exhibit &other = corpus[(index + i) % corpus.size()];
    out.push_back({e.name + ", foreign", other.facts, e.tree, families++});
  }
  return out;
}

std::vector<bool> share(const std::vector<Exhibit> &mutants, unsigned seed) {
  std::map<size_t, std::vector<size_t>> families;
  for (size_t i = 0; i < mutants.size(); ++i) {
    families[mutants[i].family].push_back(i);
  }
  std::mt19937 random(seed);
  std::vector<bool> out(mutants.size());
  for (const auto &[family, members] : families) {
    out[members[random() % members.size()]] = true;
  }
  return out;
}

} // namespace girih::proofs::test
