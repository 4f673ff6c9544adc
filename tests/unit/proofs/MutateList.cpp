// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MutateList.h"
#include "Build.h"

#include <algorithm>

namespace girih::proofs::test {

std::vector<Obligation> soundList() {
  std::string launch = "given contract: v1 - 1 >= 0\n";
  std::string body = "define quotient (v0 + 3, v1) -> v2 v3\n"
                     "define select (v2 - v4, v4, v2) -> v5\n"
                     "define wrap (v5 + v3, 16) -> v6 v7\n";
  std::string facts = "given path: v0 + 3 >= 0\n"
                      "given definition 0 part 0: v0 + 3 - v2*v1 - v3 = 0\n"
                      "given definition 0 part 1: v3 >= 0\n"
                      "given definition 0 part 2: v1 - 1 - v3 >= 0\n"
                      "given path: v2 - 7 >= 0\n"
                      "given definition 1 part 0: any of (v2 - v4 >= 0, "
                      "v5 - v4 = 0) | (v4 - v2 - 1 >= 0, v5 - v2 = 0)\n";
  std::string wrap = "given definition 2 part 1: v6 + 32768 >= 0\n"
                     "given definition 2 part 0: v5 + v3 - 65536*v7 - v6 = 0\n";
  std::vector<Obligation> all = {
      obligation(body + launch + facts + "goal v2 - v5"),
      obligation(body + launch + facts + "given proved 0: v2 - v5 >= 0\n" +
                 wrap + "goal v6"),
      obligation("given path: v0 - 1 >= 0\ngiven path: v1 - 1 >= 0\n"
                 "goal v0*v1 - v0"),
      obligation("given path: v0 - 1 >= 0\ngiven path: v1 - 1 >= 0\n"
                 "given path: v3 - 1 >= 0\n"
                 "given proved 2: v0*v1 - v0 >= 0\n"
                 "given proved 2 {v0 -> v1, v1 -> v0}: v0*v1 - v1 >= 0\n"
                 "given proved 2 {v0 -> v3, v1 -> v3}: v3*v3 - v3 >= 0\n"
                 "given proved 2 {v1 -> v3, v9 -> v8}: v0*v3 - v0 >= 0\n"
                 "goal v3"),
      obligation("define quotient (v0, 128) -> v2 v3\n"
                 "define name (v2) -> v4\n"
                 "define name (v4 + v2) -> v5\n"
                 "define name (v9) -> v0\n"
                 "given path: v0 >= 0\n"
                 "given definition 0 part 3: v2 >= 0\n"
                 "given definition 1 part 0: v4 - v2 = 0\n"
                 "given definition 2 part 0: v5 - v4 - v2 = 0\n"
                 "goal v5")};
  return all;
}

template <typename F>
static void add(Lists &out, const std::vector<Obligation> &all, F change) {
  out.push_back(all);
  change(out.back());
}

static void changeOrigin(Lists &out, const std::vector<Obligation> &all,
                         size_t o, size_t h) {
  auto change = [&](auto f) {
    add(out, all, [&](auto &m) { f(m[o].hypotheses[h].origin); });
  };
  for (int kind = 0; kind < 9; ++kind) {
    change([&](Origin &x) { x.kind = Origin::Kind(kind); });
  }
  for (uint32_t i = 0; i <= all.size(); ++i) {
    change([&](Origin &x) { x.index = i; });
    change([&](Origin &x) { x.part = i; });
  }
  for (size_t i = 0; i < all[o].hypotheses[h].origin.renaming.size(); ++i) {
    change([&](Origin &x) { ++x.renaming[i].first; });
    change([&](Origin &x) { ++x.renaming[i].second; });
    change([&](Origin &x) { std::swap(x.renaming[i], x.renaming[0]); });
    change([&](Origin &x) { x.renaming.push_back(x.renaming[i]); });
    change([&](Origin &x) { x.renaming.erase(x.renaming.begin() + long(i)); });
  }
  change([&](Origin &x) { x.renaming.push_back({0, 0}); });
  change([&](Origin &x) { x.renaming.push_back({2, 5}); });
  change([&](Origin &x) {
    x.renaming.insert(x.renaming.end(), {{8, 8}, {8, 8}});
  });
}

static void changeFacts(Lists &out, const std::vector<Obligation> &all,
                        size_t o, size_t h) {
  const std::vector<Hypothesis> &hypotheses = all[o].hypotheses;
  for (size_t to = 0; to < hypotheses.size(); ++to) {
    add(out, all,
        [&](auto &m) { std::swap(m[o].hypotheses[h], m[o].hypotheses[to]); });
    add(out, all,
        [&](auto &m) { m[o].hypotheses[h].fact = hypotheses[to].fact; });
  }
  add(out, all, [&](auto &m) {
    m[o].hypotheses.erase(m[o].hypotheses.begin() + long(h));
  });
  add(out, all, [&](auto &m) { m[o].hypotheses.push_back(hypotheses[h]); });
  for (size_t b = 0; b < hypotheses[h].fact.branches.size(); ++b) {
    for (size_t a = 0; a < hypotheses[h].fact.branches[b].size(); ++a) {
      auto change = [&](auto f) {
        add(out, all,
            [&](auto &m) { f(m[o].hypotheses[h].fact.branches[b][a]); });
      };
      change([](Atom &x) { x.equality = !x.equality; });
      change([](Atom &x) { x.poly = x.poly + Poly(1); });
      change([](Atom &x) { x.poly = x.poly - Poly(1); });
      change([](Atom &x) { x.poly = -x.poly; });
      change([](Atom &x) { x.poly = x.poly + Poly::variable(5); });
    }
  }
}

static void changeDefinition(Lists &out, const std::vector<Obligation> &all,
                             size_t o, size_t d) {
  auto change = [&](auto f) {
    add(out, all, [&](auto &m) { f(m[o].definitions[d]); });
  };
  for (int kind = 0; kind < 4; ++kind) {
    change([&](Definition &x) { x.kind = Definition::Kind(kind); });
  }
  for (size_t i = 0; i < all[o].definitions[d].arguments.size(); ++i) {
    for (Var v = 0; v < 9; ++v) {
      change([&](Definition &x) { x.arguments[i] = Poly::variable(v); });
    }
    change([&](Definition &x) { x.arguments[i] = x.arguments[i] + Poly(1); });
    for (int constant : {0, 1, 2, 64, 65}) {
      change([&](Definition &x) { x.arguments[i] = Poly(constant); });
    }
    change([&](Definition &x) { x.arguments.pop_back(); });
    change([&](Definition &x) { std::swap(x.arguments[i], x.arguments[0]); });
  }
  for (size_t i = 0; i < all[o].definitions[d].results.size(); ++i) {
    for (Var v = 0; v < 9; ++v) {
      change([&](Definition &x) { x.results[i] = v; });
    }
    change([&](Definition &x) { x.results.pop_back(); });
    change([&](Definition &x) { std::swap(x.results[i], x.results[0]); });
  }
}

/// A definition and the facts that cite it, changed together: what is wrong
/// then is not the fact.
static void changeTogether(Lists &out, const std::vector<Obligation> &all,
                           size_t o, size_t d) {
  Lists changed;
  changeDefinition(changed, all, o, d);
  for (std::vector<Obligation> &m : changed) {
    std::vector<Fact> facts = definitionFacts(m[o].definitions[d]);
    for (Hypothesis &h : m[o].hypotheses) {
      if (h.origin.kind == Origin::Kind::Definition && h.origin.index == d &&
          h.origin.part < facts.size()) {
        h.fact = facts[h.origin.part];
      }
    }
    out.push_back(std::move(m));
  }
}

Lists changesOf(const std::vector<Obligation> &all) {
  Lists out;
  for (size_t o = 0; o < all.size(); ++o) {
    for (size_t h = 0; h < all[o].hypotheses.size(); ++h) {
      changeOrigin(out, all, o, h);
      changeFacts(out, all, o, h);
    }
    for (size_t d = 0; d < all[o].definitions.size(); ++d) {
      changeDefinition(out, all, o, d);
      changeTogether(out, all, o, d);
    }
    add(out, all, [&](auto &m) { m[o].goal = m[o].goal + Poly(1); });
    add(out, all, [&](auto &m) { m[o].goal = -m[o].goal; });
    for (uint32_t p = 0; p < all.size(); ++p) {
      // The goal of another, of a later one, of its own.
      add(out, all, [&](auto &m) {
        m[o].hypotheses = m[p].hypotheses;
        m[o].definitions = m[p].definitions;
        Origin origin{Origin::Kind::Proved, p, 0, {}, ""};
        m[o].hypotheses.push_back({Fact::atLeastZero(m[p].goal), origin});
      });
    }
    for (size_t p = 0; p < o; ++p) {
      add(out, all, [&](auto &m) { std::swap(m[o], m[p]); });
    }
  }
  return out;
}

} // namespace girih::proofs::test
