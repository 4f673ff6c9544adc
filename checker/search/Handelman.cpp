// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/search/Handelman.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace girih::search {

using Factors = std::vector<uint16_t>;

/// Adds to a level the columns that a higher degree or further facts bring.
class HandelmanSearch::Builder {
public:
  Builder(const std::vector<AtomFact> &atoms, Shared &shared, Level &level)
      : atoms(atoms), shared(shared), ring(shared.ring), level(level) {}

  /// Columns of the facts alone, of which those from `first` on are new; then
  /// the products up to `degree` in which one of them is.
  TreePtr admit(size_t first, unsigned degree) {
    std::vector<char> before(atoms.size(), 0);
    for (const Factors *list : lists()) {
      for (uint16_t i : *list) {
        before[i] = 1;
      }
    }
    std::set<MonoId> knownProducts = nonlinear();
    if (TreePtr leaf = chooseFacts()) {
      return leaf;
    }
    fresh.assign(atoms.size(), 0);
    bool any = false;
    for (const Factors *list : lists()) {
      for (uint16_t i : *list) {
        fresh[i] = !before[i];
        any |= i >= first && fresh[i];
      }
    }
    if (!any) {
      return nullptr; // weaker than what was known
    }
    for (uint16_t i : level.facts) {
      add({i});
    }
    for (uint16_t e : level.equalities) {
      addEquality({e});
    }
    if (degree >= 2) {
      addPairs(true);
    }
    if (degree >= 3) {
      addPairs(false);
      addFocus(knownProducts);
    }
    if (degree >= 4) {
      addTriples();
    }
    return solve();
  }

  /// The products of `degree`, all the facts being there.
  TreePtr raise(unsigned degree) {
    fresh.assign(atoms.size(), 1);
    if (degree == 2) {
      addPairs(true);
    } else if (degree == 3) {
      addPairs(false);
      addFocus({});
    } else {
      addTriples();
    }
    return solve();
  }

private:
  const std::vector<AtomFact> &atoms;
  Shared &shared;
  Ring &ring;
  Level &level;
  std::vector<char> fresh; ///< by place: only products with one are added

  /// A program of more columns is not solved: it costs more than it is worth.
  static constexpr size_t maxColumns = 12000;

  bool look() { return shared.look(); }

  PolyId poly(uint16_t i) const { return atoms[i].poly; }

  std::array<const Factors *, 3> lists() const {
    return {&level.facts, &level.factors, &level.equalities};
  }

  TreePtr leaf(std::vector<TreeProduct> products, const Factors &used) const {
    auto t = std::make_unique<Tree>();
    t->products = std::move(products);
    for (uint16_t i : used) {
      t->reasons |= atoms[i].reasons;
    }
    return t;
  }

  /// Facts with such coefficients are added, never multiplied.
  bool isHuge(Int x) const {
    return x >= shared.hugeFrom || x <= -shared.hugeFrom;
  }

  bool isHuge(PolyId p) const {
    RingTerms t = ring.terms(p);
    return std::any_of(t.begin(), t.end(),
                       [&](const RingTerm &x) { return isHuge(x.coeff); });
  }

  /// Bounds such as N <= 2^40 are left out unless some fact could outweigh
  /// them: a huge lower bound, or a variable that counts in huge steps.
  void dropHuge() {
    auto outweighs = [&](uint16_t i) {
      RingTerms all = ring.terms(poly(i));
      return std::any_of(all.begin(), all.end(), [&](const RingTerm &t) {
        return isHuge(t.coeff) &&
               (t.mono != unit || t.coeff < 0 || atoms[i].equality);
      });
    };
    Factors &facts = level.facts, &equalities = level.equalities;
    if (std::none_of(facts.begin(), facts.end(), outweighs) &&
        std::none_of(equalities.begin(), equalities.end(), outweighs)) {
      std::erase_if(facts, [&](uint16_t i) { return isHuge(poly(i)); });
    }
  }

  /// A leaf from a fact that is absurd by itself, or null.
  TreePtr absurdFact() const {
    for (const AtomFact &f : atoms) {
      if (f.poly == noPoly || !ring.isConstant(f.poly)) {
        continue;
      }
      Int c = ring.constantTerm(f.poly);
      if (c < 0 || (f.equality && c > 0)) {
        auto t = std::make_unique<Tree>();
        t->products = {{c > 0 ? -1 : 1, {f.id}}};
        t->reasons = f.reasons;
        return t;
      }
    }
    return nullptr;
  }

  /// Sorts the facts into the lists of the level, of each linear part the
  /// tightest; or the leaf, when one fact is absurd by itself.
  TreePtr chooseFacts() {
    level.facts.clear(), level.equalities.clear();
    level.factors.clear(), level.bounds.clear();
    if (TreePtr leaf = absurdFact()) {
      return leaf;
    }
    // Columns name facts by 16 bits. A search that has more ends here: no
    // linear program takes as many columns either.
    if (atoms.size() > size_t(1) << 16) {
      shared.left = 0;
      return nullptr;
    }
    Table placeOfFact, placeOfFactor; // q >= 2^63 is no factor, q >= 0 is
    auto keep = [&](Factors &list, Table &places, uint16_t i) {
      PolyId part = ring.withoutConstant(poly(i));
      if (const uint32_t *place = places.find(part)) {
        uint16_t &other = list[*place];
        other = ring.constantTerm(poly(i)) < ring.constantTerm(poly(other))
                    ? i
                    : other;
        return;
      }
      places.insert(part, uint32_t(list.size()));
      list.push_back(i);
    };
    for (size_t place = 0; place < atoms.size(); ++place) {
      auto i = static_cast<uint16_t>(place);
      const AtomFact &f = atoms[place];
      if (f.poly == noPoly || ring.isConstant(f.poly)) {
        continue;
      }
      if (f.equality) {
        level.equalities.push_back(i);
        continue;
      }
      keep(level.facts, placeOfFact, i);
      if (!isHuge(f.poly)) {
        keep(level.factors, placeOfFactor, i);
      }
    }
    std::sort(level.facts.begin(), level.facts.end());
    dropHuge();
    std::sort(level.factors.begin(), level.factors.end());
    if (shared.lean) {
      dropIdle();
    }
    for (uint16_t i : level.factors) {
      if (isBound(poly(i))) {
        level.bounds.push_back(i);
      }
    }
    return nullptr;
  }

  /// Whether the bounds of its variables alone say p >= 0.
  bool isPlain(PolyId p, const std::set<Var> &notNegative) const {
    RingTerms all = ring.terms(p);
    return std::all_of(all.begin(), all.end(), [&](const RingTerm &t) {
      const proofs::Monomial &m = ring.variables(t.mono);
      return t.coeff > 0 && std::all_of(m.begin(), m.end(), [&](Var v) {
               return notNegative.count(v);
             });
    });
  }

  /// Where x occurs in p: 1 or -1 for a sign, alone and linear; 0 not at all;
  /// nothing for all else.
  std::optional<int> signOf(Var x, PolyId p) const {
    int sign = 0;
    for (const RingTerm &t : ring.terms(p)) {
      const proofs::Monomial &m = ring.variables(t.mono);
      if (std::binary_search(m.begin(), m.end(), x)) {
        if (m.size() > 1) {
          return std::nullopt;
        }
        sign = t.coeff > 0 ? 1 : -1;
      }
    }
    return sign;
  }

  /// Factors that say nothing which others do not: sums of what is not negative
  /// anyway, and all bounds of a variable that no bound of it forces and
  /// nothing else speaks of.
  void dropIdle() {
    Factors &factors = level.factors;
    std::set<Var> notNegative, open;
    for (uint16_t i : factors) {
      if (isBound(poly(i)) && ring.constantTerm(poly(i)) <= 0) {
        notNegative.insert(ring.variablesOf(poly(i))[0]);
      }
    }
    std::erase_if(factors, [&](uint16_t i) {
      return !isFocus(i) && !isBound(poly(i)) && isPlain(poly(i), notNegative);
    });
    for (uint16_t i : factors) {
      for (Var v : ring.variablesOf(poly(i))) {
        open.insert(v);
      }
    }
    for (const Factors *list : {&level.equalities, &factors}) {
      for (uint16_t i : *list) {
        if (isFocus(i) || atoms[i].equality) {
          for (Var v : ring.variablesOf(poly(i))) {
            open.erase(v);
          }
        }
      }
    }
    for (bool more = true; more;) {
      more = false;
      for (Var x : open) {
        if (isIdle(x, notNegative)) {
          std::erase_if(factors,
                        [&](uint16_t i) { return ring.contains(poly(i), x); });
          open.erase(x);
          more = true;
          break;
        }
      }
    }
  }

  /// Whether every value that x may be forced to have is one that it may have.
  bool isIdle(Var x, const std::set<Var> &notNegative) {
    constexpr size_t maxBounds = 3; // of one side: each is paired with each
    Factors lower, upper;
    for (uint16_t i : level.factors) {
      std::optional<int> sign = signOf(x, poly(i));
      if (!sign || !look()) {
        return false;
      }
      if (*sign != 0) {
        (*sign > 0 ? lower : upper).push_back(i);
      }
    }
    if (lower.size() > maxBounds && upper.size() > maxBounds) {
      return false;
    }
    MonoId m = ring.monomial({x});
    for (uint16_t i : lower) {
      for (uint16_t j : upper) {
        Int a = ring.coefficient(poly(i), m), b = ring.coefficient(poly(j), m);
        PolyId p =
            ring.subtract(ring.scale(poly(j), a), ring.scale(poly(i), b));
        if (p == noPoly || !isPlain(p, notNegative)) {
          return false;
        }
      }
    }
    return true;
  }

  void add(const Factors &f, bool negative = false, bool always = false) {
    if (f.size() > ProductColumn::maxFactors || shared.left == 0 ||
        !(always || std::any_of(f.begin(), f.end(),
                                [&](uint16_t i) { return fresh[i]; }))) {
      return;
    }
    if (level.columns.size() > maxColumns) {
      ++level.omitted;
      return;
    }
    ProductColumn c{poly(f[0]), negative, false, uint8_t(f.size()), {}};
    for (size_t i = 0; i < f.size(); ++i) {
      c.factors[i] = f[i];
      c.poly = i == 0 ? c.poly : ring.multiply(c.poly, poly(f[i]));
    }
    if (c.poly != noPoly && c.poly != zeroPoly) {
      level.columns.push_back(c);
    }
  }

  void addEquality(const Factors &f) {
    add(f, false);
    add(f, true);
  }

  /// Whether it says k*x >= c.
  bool isBound(PolyId p) const {
    RingTerms t = ring.terms(p);
    return ring.degree(p) == 1 && t.back().coeff > 0 &&
           (t.size() == 1 || (t.size() == 2 && t[0].mono == unit));
  }

  bool isFocus(uint16_t i) const {
    return atoms[i].id >= shared.focus && !atoms[i].aside;
  }

  /// Pairs with a focus fact in them, or those without.
  void addPairs(bool focused) {
    constexpr size_t maxDegree = 6;
    const Factors &factors = level.factors;
    for (size_t n = 0; n < factors.size(); ++n) {
      for (size_t k = n; k < factors.size(); ++k) {
        uint16_t i = factors[n], j = factors[k];
        if (!look()) {
          return;
        }
        if ((isFocus(i) || isFocus(j)) == focused &&
            ring.degree(poly(i)) + ring.degree(poly(j)) <= maxDegree) {
          add({i, j});
        }
      }
    }
    for (uint16_t e : level.equalities) {
      for (uint16_t i : isHuge(poly(e)) ? Factors() : factors) {
        if (!look()) {
          return;
        }
        if ((isFocus(i) || isFocus(e)) == focused) {
          addEquality({e, i});
        }
      }
    }
  }

  /// The nonlinear monomials of the factors.
  std::set<MonoId> nonlinear() const {
    std::set<MonoId> out;
    for (uint16_t i : level.factors) {
      for (const RingTerm &t : ring.terms(poly(i))) {
        if (ring.variables(t.mono).size() > 1) {
          out.insert(t.mono);
        }
      }
    }
    return out;
  }

  /// The factors that turn the monomial `from` into `to`, one bound for each
  /// further variable; empty when there are none.
  Factors bridge(MonoId from, MonoId to,
                 const std::map<Var, uint16_t> &boundOf) {
    std::optional<MonoId> rest = ring.divideMonomials(to, from);
    Factors out;
    if (!rest || ring.variables(*rest).size() <= 2) {
      return {};
    }
    for (Var v : ring.variables(*rest)) {
      auto it = boundOf.find(v);
      if (it == boundOf.end()) {
        return {};
      }
      out.push_back(it->second);
    }
    std::sort(out.begin(), out.end());
    return out;
  }

  void addFocus(const std::set<MonoId> &knownProducts) {
    std::map<Var, uint16_t> boundOf;
    for (uint16_t i : level.bounds) {
      boundOf[ring.variablesOf(poly(i))[0]] = i;
    }
    addMonomials(boundOf);
    const std::set<MonoId> found = nonlinear();
    const std::vector<MonoId> products(found.begin(), found.end());
    for (uint16_t i : level.factors) {
      if (!isFocus(i)) {
        continue;
      }
      const Factors &bounds = level.bounds;
      for (size_t n = 0; n < bounds.size(); ++n) {
        for (size_t k = n; k < bounds.size(); ++k) {
          if (!look()) {
            return;
          }
          add({i, bounds[n], bounds[k]});
        }
      }
      std::set<Factors> bridges;
      for (MonoId big : products) {
        for (const RingTerm &t : ring.terms(poly(i))) {
          if (!look()) {
            return;
          }
          if (Factors f = bridge(t.mono, big, boundOf); !f.empty()) {
            f.insert(f.begin(), i);
            if (bridges.insert(f).second) {
              add(f, false, !knownProducts.count(big));
            }
          }
        }
      }
    }
  }

  /// Products of bounds that lead to a monomial of a focus fact, or from one to
  /// a multiple of it that some fact speaks of: with b, c >= 1 and a >= 0 they
  /// say a <= a*b*c, which no product with the focus fact does. And products of
  /// another fact with bounds that lead to such a monomial.
  void addMonomials(const std::map<Var, uint16_t> &boundOf) {
    constexpr size_t maxDegree = 6;
    std::map<MonoId, bool> focus, all; // whether a fact that is new has it
    for (const Factors *list : {&level.facts, &level.equalities}) {
      for (uint16_t i : *list) {
        for (const RingTerm &t : ring.terms(poly(i))) {
          size_t degree = ring.variables(t.mono).size();
          if (degree > 0 && isFocus(i)) {
            focus[t.mono] |= fresh[i];
          }
          if (degree > 2 && degree <= maxDegree) {
            all[t.mono] |= fresh[i];
          }
        }
      }
    }
    const std::vector<std::pair<MonoId, bool>> ofFocus(focus.begin(),
                                                       focus.end());
    std::set<Factors> done;
    for (auto &[big, isNew] : all) {
      bool wanted = false;
      for (auto &[small, smallIsNew] : ofFocus) {
        if (!look()) {
          return;
        }
        wanted |= (isNew || smallIsNew) && ring.divideMonomials(big, small);
      }
      if (wanted) {
        addBounds({}, ring.variables(big), boundOf, done);
      }
      auto target = focus.find(big);
      for (uint16_t i : target == focus.end() ? Factors() : level.factors) {
        for (const RingTerm &t : ring.terms(poly(i))) {
          if (!look()) {
            return;
          }
          auto rest = t.mono == unit || isBound(poly(i))
                          ? std::nullopt
                          : ring.divideMonomials(big, t.mono);
          if (rest && (isNew || target->second || fresh[i])) {
            addBounds({i}, ring.variables(*rest), boundOf, done);
          }
        }
      }
    }
  }

  /// Products of these factors with bounds of some of these variables, three or
  /// more in all.
  void addBounds(const Factors &factors, proofs::Monomial variables,
                 const std::map<Var, uint16_t> &boundOf,
                 std::set<Factors> &done) {
    for (uint32_t chosen = 1; chosen < 1u << variables.size(); ++chosen) {
      Factors f = factors;
      for (size_t i = 0; i < variables.size(); ++i) {
        auto it = boundOf.find(variables[i]);
        if (it == boundOf.end()) {
          return;
        }
        if (chosen >> i & 1) {
          f.push_back(it->second);
        }
      }
      std::sort(f.begin(), f.end());
      if (f.size() > 2 && done.insert(f).second) {
        add(f, false, true);
      }
    }
  }

  void addTriples() {
    constexpr size_t maxDegree = 4;
    const Factors &factors = level.factors;
    for (size_t n = 0; n < factors.size(); ++n) {
      for (size_t k = n; k < factors.size(); ++k) {
        uint16_t i = factors[n], j = factors[k];
        if (!look()) {
          return;
        }
        if (ring.degree(poly(i)) + ring.degree(poly(j)) <= maxDegree) {
          for (uint16_t b : level.bounds) {
            if (!look()) {
              return;
            }
            add({i, j, b});
          }
        }
      }
    }
  }

  /// Columns that may have a positive weight and are not in the program yet: a
  /// monomial that occurs with one sign only kills its columns, until none is
  /// left that does.
  std::vector<uint32_t> presolve() const {
    const std::vector<ProductColumn> &columns = level.columns;
    std::vector<MonomialUses> &uses = shared.uses;
    uses.resize(std::max(uses.size(), ring.monomialCount()));
    std::vector<MonoId> met;
    for (const ProductColumn &c : columns) {
      for (RingSign s : ring.signs(c.poly)) {
        MonomialUses &u = uses[s / 2];
        if (u.count[0] + u.count[1] == 0) {
          met.push_back(s / 2);
        }
        ++u.count[s % 2 != c.negative];
      }
    }
    uint32_t total = 0;
    for (MonoId m : met) {
      uses[m].begin = uses[m].end = total;
      total += uses[m].count[0] + uses[m].count[1];
    }
    std::vector<uint32_t> users(total);
    for (uint32_t j = 0; j < columns.size(); ++j) {
      for (RingSign s : ring.signs(columns[j].poly)) {
        users[uses[s / 2].end++] = j;
      }
    }
    std::vector<char> dead(columns.size(), 0);
    std::vector<MonoId> queue;
    for (MonoId m : met) {
      if (m != unit && (uses[m].count[0] == 0 || uses[m].count[1] == 0)) {
        queue.push_back(m);
      }
    }
    while (!queue.empty()) {
      const MonomialUses u = uses[queue.back()];
      queue.pop_back();
      for (uint32_t k = u.begin; k < u.end; ++k) {
        const ProductColumn &c = columns[users[k]];
        if (std::exchange(dead[users[k]], 1)) {
          continue;
        }
        for (RingSign s : ring.signs(c.poly)) {
          if (--uses[s / 2].count[s % 2 != c.negative] == 0 && s / 2 != unit) {
            queue.push_back(s / 2);
          }
        }
      }
    }
    // Without a negative constant no sum is one.
    bool hopeless = uses[unit].count[0] == 0;
    for (MonoId m : met) {
      uses[m] = {};
    }
    uses[unit] = {};
    std::vector<uint32_t> live;
    if (hopeless) {
      return live;
    }
    uint32_t stamp = ++shared.stamp;
    shared.stamps.resize(std::max(shared.stamps.size(), 2 * ring.polyCount()));
    auto isNew = [&](const ProductColumn &c) {
      uint32_t &last = shared.stamps[2 * size_t(c.poly) + c.negative];
      return std::exchange(last, stamp) != stamp;
    };
    for (uint32_t j : level.order) {
      isNew(columns[j]);
    }
    for (uint32_t j = 0; j < columns.size(); ++j) {
      if (!dead[j] && !columns[j].live && isNew(columns[j])) {
        live.push_back(j);
      }
    }
    return live;
  }

  TreePtr solve() {
    constexpr size_t columnsPerStep = 32;
    size_t count = level.columns.size();
    uint64_t price = 1 + (count + level.omitted) / columnsPerStep;
    shared.left -= std::min(shared.left, price);
    if (count > maxColumns || shared.left == 0) {
      return nullptr;
    }
    std::vector<uint32_t> live = presolve();
    if (live.empty()) {
      return nullptr;
    }
    std::vector<LinearColumn> added;
    added.reserve(live.size());
    level.rowOf.insertNew(unit, 0);
    for (uint32_t j : live) {
      LinearColumn &out = added.emplace_back();
      ProductColumn &c = level.columns[j];
      c.live = true;
      level.order.push_back(j);
      out.reserve(ring.terms(c.poly).size());
      for (const RingTerm &t : ring.terms(c.poly)) {
        uint32_t row = level.rowOf.insertNew(t.mono, level.rowOf.size());
        out.push_back({row, c.negative ? -t.coeff : t.coeff});
      }
    }
    level.program.add(level.rowOf.size(), std::move(added));
    ++shared.stats.programs;
    std::vector<Multiplier> weights;
    if (level.program.solve(shared.left, weights, shared.tight) !=
        LinearAnswer::Found) {
      return nullptr;
    }
    Stats &stats = shared.stats;
    stats.columns = std::max(stats.columns, level.order.size());
    stats.rows = std::max(stats.rows, level.rowOf.size());
    std::vector<TreeProduct> products;
    Factors used;
    for (auto &[index, weight] : weights) {
      const ProductColumn &c = level.columns[level.order[index]];
      TreeProduct p{c.negative ? -weight : weight, {}};
      for (size_t i = 0; i < c.count; ++i) {
        p.facts.push_back(atoms[c.factors[i]].id);
        used.push_back(c.factors[i]);
      }
      products.push_back(std::move(p));
    }
    return leaf(std::move(products), used);
  }
};

HandelmanSearch::HandelmanSearch(const State &state, Shared &shared)
    : atoms(state.atoms), shared(shared), levels(1) {}

TreePtr HandelmanSearch::find(unsigned degree) {
  while (levels.size() <= degree) {
    Level next = levels.back();
    Builder builder(atoms, shared, next);
    unsigned rising = levels.size();
    TreePtr t = rising == 1 ? builder.admit(0, 1) : builder.raise(rising);
    if (t) {
      return t;
    }
    levels.push_back(std::move(next));
  }
  return nullptr;
}

TreePtr HandelmanSearch::findWith(const std::vector<AtomFact> &more,
                                  unsigned degree) {
  if (TreePtr t = find(degree)) {
    return t;
  }
  std::vector<AtomFact> all = atoms;
  all.insert(all.end(), more.begin(), more.end());
  Level level = levels[degree];
  return Builder(all, shared, level).admit(atoms.size(), degree);
}

} // namespace girih::search
