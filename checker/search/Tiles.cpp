// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lemmas, each a `have` of the certificate: the tile of an element is one of
// the tiles that there are; the index that is claimed is that tile, from both
// sides. What is left is linear.

#include "checker/search/Tiles.h"
#include "checker/search/State.h"

#include <algorithm>
#include <set>

namespace girih::search {

using namespace proofs;

namespace {
/// The tile `index` of the element `element`, for tiles of `size`, and how many
/// tiles there are.
struct ElementTile {
  Var element, index, count;
  Int size;
  size_t definition; ///< of index
};

class ByTiles {
public:
  ByTiles(const Obligation &o, const FindWith &findWith)
      : o(o), findWith(findWith), now(o) {
    now.hypotheses.push_back({Fact::atLeastZero(negatedGoal(o)), {}});
  }

  std::optional<Certificate> run() {
    collect();
    auto axis = std::find_if(tiles.begin(), tiles.end(),
                             [&](auto &t) { return indexOf(t).has_value(); });
    if (axis == tiles.end()) {
      return std::nullopt;
    }
    Poly tile = Poly::variable(axis->index), gap = *indexOf(*axis) - tile;
    for (const ElementTile &t : tiles) {
      if (!have(Poly::variable(t.count) - Poly::variable(t.index) - 1,
                [&] { return relevantFacts(now); })) {
        return std::nullopt;
      }
    }
    if (!have(gap, [&] { return inTiles(); }) ||
        !have(-gap, [&] { return inTiles(); })) {
      return std::nullopt;
    }
    return last(*axis, gap);
  }

private:
  const Obligation &o;
  const FindWith &findWith;
  Obligation now; ///< with the negated goal and the lemmas so far
  std::vector<ElementTile> tiles;
  std::vector<std::pair<Poly, Certificate>> lemmas;

  bool isTiling(const Definition &d) const {
    return d.kind == Definition::Kind::Quotient && d.arguments[1].constant() &&
           *d.arguments[1].constant() > 1;
  }

  void collect() {
    for (size_t i = 0; i < o.definitions.size(); ++i) {
      const Definition &d = o.definitions[i];
      const std::vector<Term> &a = d.arguments[0].terms();
      if (!isTiling(d) || a.size() != 1 || a[0].coeff != 1 ||
          a[0].vars.size() != 1) {
        continue;
      }
      for (const Definition &all : o.definitions) {
        if (isTiling(all) && all.arguments[1] == d.arguments[1] &&
            isInside(all.arguments[0] - d.arguments[1] - d.arguments[0])) {
          tiles.push_back({a[0].vars[0], d.results[0], all.results[0],
                           *d.arguments[1].constant(), i});
          break;
        }
      }
    }
  }

  /// Whether extent - 1 - element >= 0 is known.
  bool isInside(const Poly &p) const {
    return std::any_of(o.hypotheses.begin(), o.hypotheses.end(),
                       [&](const Hypothesis &h) {
                         return h.origin.kind == Origin::Kind::Region &&
                                h.fact == Fact::atLeastZero(p);
                       });
  }

  /// The index that is claimed, when the goal says that the tile that it names
  /// does not begin behind the element, or does not end before it.
  std::optional<Poly> indexOf(const ElementTile &t) const {
    Poly element = Poly::variable(t.element);
    for (const Poly &times :
         {element - o.goal, o.goal + element - Poly(t.size - 1)}) {
      std::vector<Term> out = times.terms();
      if (times.contains(t.element) || out.empty()) {
        continue;
      }
      bool divides = std::all_of(out.begin(), out.end(), [&](const Term &x) {
        return x.coeff % t.size == 0;
      });
      if (divides) {
        for (Term &x : out) {
          x.coeff /= t.size;
        }
        return Poly::fromTerms(out);
      }
    }
    return std::nullopt;
  }

  /// What the goal speaks of, but for elements and how extents become tiles.
  std::vector<bool> inTiles() const {
    std::vector<bool> use = relevantFacts(now);
    std::set<Var> hidden;
    for (const Definition &d : o.definitions) {
      if (isTiling(d)) {
        hidden.insert(d.results[1]);
        for (const Term &t : d.arguments[0].terms()) {
          hidden.insert(t.vars.begin(), t.vars.end());
        }
      }
    }
    for (size_t i = 0; i < now.hypotheses.size(); ++i) {
      for (const std::vector<Atom> &branch : now.hypotheses[i].fact.branches) {
        for (const Atom &a : branch) {
          for (const Term &t : a.poly.terms()) {
            for (Var v : t.vars) {
              use[i] = use[i] && !hidden.count(v);
            }
          }
        }
      }
    }
    return use;
  }

  template <typename Use> bool have(const Poly &p, const Use &use) {
    now.goal = p;
    auto certificate = findWith(now, use());
    if (!certificate) {
      return false;
    }
    lemmas.push_back({p, std::move(*certificate)});
    now.hypotheses.push_back({Fact::atLeastZero(p), {}});
    return true;
  }

  /// The goal, from the lemmas and what the element's tile is. The last lemma,
  /// -gap >= 0, stands where the search expects a negated goal.
  std::optional<Certificate> last(const ElementTile &axis, const Poly &gap) {
    now.hypotheses.pop_back();
    now.goal = gap - 1;
    std::vector<bool> use(now.hypotheses.size() + 1, false);
    for (size_t i = 0; i < now.hypotheses.size(); ++i) {
      const Origin &origin = now.hypotheses[i].origin;
      use[i] = i >= o.hypotheses.size() ||
               (origin.kind == Origin::Kind::Definition &&
                origin.index == axis.definition);
    }
    use.back() = true;
    std::optional<Certificate> out = findWith(now, use);
    for (size_t i = lemmas.size(); out && i-- > 0;) {
      Certificate node;
      node.kind = Certificate::Kind::Have;
      node.poly = lemmas[i].first;
      node.children.push_back(std::move(lemmas[i].second));
      node.children.push_back(std::move(*out));
      out = std::move(node);
    }
    return out;
  }
};
} // namespace

std::optional<Certificate> findByTiles(const Obligation &o,
                                       const FindWith &findWith) {
  return ByTiles(o, findWith).run();
}

} // namespace girih::search
