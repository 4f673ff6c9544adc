// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/search/Canonical.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace girih::search {

using namespace proofs;

static uint64_t mix(uint64_t h, uint64_t x) {
  h ^= x + 0x9e3779b97f4a7c15 + (h << 6) + (h >> 2);
  return h * 0xff51afd7ed558ccd;
}

namespace {
class Ordering {
public:
  explicit Ordering(const Obligation &o) : o(o) {
    size_t count = o.variables.size();
    for (const Hypothesis &h : o.hypotheses) {
      for (const auto &branch : h.fact.branches) {
        for (const Atom &a : branch) {
          count = std::max(count, countOf(a.poly));
        }
      }
    }
    for (const Definition &d : o.definitions) {
      for (Var v : d.results) {
        count = std::max(count, size_t(v) + 1);
      }
    }
    colour.assign(std::max(count, countOf(o.goal)), 1);
    placeVariables();
    for (int round = 0; round < 3; ++round) {
      refine();
    }
  }

  Canonical run() {
    Canonical out;
    size_t count = colour.size();
    out.variable.resize(count);
    std::iota(out.variable.begin(), out.variable.end(), 0);
    std::stable_sort(
        out.variable.begin(), out.variable.end(), [&](Var a, Var b) {
          return std::tie(place[a], colour[a]) < std::tie(place[b], colour[b]);
        });
    std::vector<Var> number(count);
    for (Var v = 0; v < count; ++v) {
      number[out.variable[v]] = v;
    }
    rename(number);
    sortHypotheses(out.hypothesis);
    for (uint32_t h : out.hypothesis) {
      out.obligation.hypotheses.push_back(renamed.hypotheses[h]);
    }
    renamed.hypotheses = std::move(out.obligation.hypotheses);
    out.obligation = std::move(renamed);
    return out;
  }

private:
  const Obligation &o;
  Obligation renamed;
  std::vector<uint64_t> colour; ///< by variable: how it is spoken of
  std::vector<size_t> place;    ///< by variable: when it is first spoken of

  static size_t countOf(const Poly &p) {
    size_t count = 0;
    for (const Term &t : p.terms()) {
      for (Var v : t.vars) {
        count = std::max(count, size_t(v) + 1);
      }
    }
    return count;
  }

  /// By the definition that makes the variable, or is the first to use it. What
  /// no definition uses comes first when the launch gives it, else last.
  void placeVariables() {
    constexpr size_t nowhere = ~size_t(0);
    place.assign(colour.size(), nowhere);
    for (size_t i = 0; i < o.definitions.size(); ++i) {
      for (const Poly &p : o.definitions[i].arguments) {
        for (const Term &t : p.terms()) {
          for (Var v : t.vars) {
            place[v] = std::min(place[v], 3 * i + 1);
          }
        }
      }
      for (size_t k = 0; k < o.definitions[i].results.size(); ++k) {
        // A quotient is younger than its remainder.
        place[o.definitions[i].results[k]] = 3 * i + (k == 0 ? 3 : 2);
      }
    }
    for (const Hypothesis &h : o.hypotheses) {
      for (const Term &t :
           h.origin.kind == Origin::Kind::Contract && h.fact.atom()
               ? h.fact.atom()->poly.terms()
               : std::vector<Term>()) {
        for (Var v : t.vars) {
          place[v] = place[v] == nowhere ? 0 : place[v];
        }
      }
    }
  }

  uint64_t hash(const Poly &p, Var self) const {
    uint64_t sum = 0;
    for (const Term &t : p.terms()) {
      uint64_t product = 1, own = 0;
      for (Var v : t.vars) {
        product *= 2 * colour[v] + 1;
        own += v == self;
      }
      uint64_t h = mix(mix(product, own), uint64_t(t.coeff));
      sum += mix(h, uint64_t(t.coeff >> 64));
    }
    return sum;
  }

  uint64_t hash(const Fact &f, Var self) const {
    uint64_t h = f.branches.size();
    for (const auto &branch : f.branches) {
      for (const Atom &a : branch) {
        h = mix(h, mix(hash(a.poly, self), a.equality));
      }
    }
    return h;
  }

  void refine() {
    std::vector<uint64_t> next(colour.size());
    std::vector<Var> all;
    for (const Hypothesis &h : o.hypotheses) {
      all.clear();
      for (const auto &branch : h.fact.branches) {
        for (const Atom &a : branch) {
          for (const Term &t : a.poly.terms()) {
            all.insert(all.end(), t.vars.begin(), t.vars.end());
          }
        }
      }
      std::sort(all.begin(), all.end());
      all.erase(std::unique(all.begin(), all.end()), all.end());
      for (Var v : all) {
        next[v] += mix(hash(h.fact, v), uint64_t(h.origin.kind));
      }
    }
    for (Var v = 0; v < colour.size(); ++v) {
      next[v] = mix(mix(next[v], hash(o.goal, v)), place[v]);
    }
    colour = std::move(next);
  }

  void rename(const std::vector<Var> &number) {
    auto to = [&](Var v) { return number[v]; };
    renamed = o;
    renamed.variables.assign(number.size(), "");
    for (Definition &d : renamed.definitions) {
      for (Poly &p : d.arguments) {
        p = p.rename(to);
      }
      for (Var &v : d.results) {
        v = to(v);
      }
    }
    for (Hypothesis &h : renamed.hypotheses) {
      for (auto &branch : h.fact.branches) {
        for (Atom &a : branch) {
          a.poly = a.poly.rename(to);
        }
      }
    }
    for (Poly &p : renamed.splits) {
      p = p.rename(to);
    }
    renamed.goal = renamed.goal.rename(to);
  }

  /// By the youngest variable, then by what is said.
  void sortHypotheses(std::vector<uint32_t> &order) const {
    using Key = std::tuple<size_t, int, uint32_t, uint32_t, std::string>;
    std::vector<Key> keys;
    for (const Hypothesis &h : renamed.hypotheses) {
      size_t youngest = 0;
      for (const auto &branch : h.fact.branches) {
        for (const Atom &a : branch) {
          youngest = std::max(youngest, countOf(a.poly));
        }
      }
      bool defines = h.origin.kind == Origin::Kind::Definition;
      keys.emplace_back(youngest, int(h.origin.kind),
                        defines ? h.origin.index : 0,
                        defines ? h.origin.part : 0, print(h.fact, nullptr));
    }
    order.resize(keys.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t a, uint32_t b) { return keys[a] < keys[b]; });
  }
};
} // namespace

Canonical canonical(const Obligation &o) { return Ordering(o).run(); }

Certificate translate(Certificate c, const Canonical &from) {
  auto fact = [&](uint32_t f) {
    return f < from.hypothesis.size() ? from.hypothesis[f] : f;
  };
  auto variable = [&](Var v) {
    return v < from.variable.size() ? from.variable[v] : v;
  };
  for (Product &p : c.products) {
    for (uint32_t &f : p.facts) {
      f = fact(f);
    }
    std::sort(p.facts.begin(), p.facts.end());
  }
  if (c.kind == Certificate::Kind::Solve || c.kind == Certificate::Kind::Case) {
    c.fact = fact(c.fact);
  }
  if (c.kind == Certificate::Kind::Solve) {
    c.variable = variable(c.variable);
  }
  c.poly = c.poly.rename(variable);
  for (Certificate &child : c.children) {
    child = translate(std::move(child), from);
  }
  return c;
}

} // namespace girih::search
