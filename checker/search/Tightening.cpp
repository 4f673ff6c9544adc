// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/search/Tightening.h"

#include <map>
#include <set>
#include <utility>

namespace girih::search {

static Int magnitude(Int x) { return x < 0 ? -x : x; }

static Int commonDivisor(Int a, Int b) {
  while (b != 0) {
    a = std::exchange(b, a % b);
  }
  return magnitude(a);
}

static Int floorDivide(Int a, Int b) {
  Int q = a / b;
  return a % b < 0 ? q - 1 : q;
}

namespace {
/// A constant bound of a variable x: the fact says
/// scale * (x - value) >= 0, or scale * (value - x) >= 0.
struct Bound {
  const AtomFact *fact;
  Int scale, value;
};

class Rounder {
public:
  Rounder(State &s, Shared &shared, std::vector<Step> &steps)
      : s(s), shared(shared), ring(shared.ring), steps(steps) {}

  bool run() {
    for (const AtomFact &f : s.atoms) {
      stated.insert(f.poly);
    }
    for (size_t i = 0; i < s.atoms.size() && hasRoom(); ++i) {
      byDivisor(i);
    }
    findBounds();
    for (size_t before = 0; before != s.atoms.size();) {
      before = s.atoms.size();
      for (size_t i = 0; i < before && hasRoom(); ++i) {
        byBounds(i);
      }
      findBounds();
    }
    return pin();
  }

private:
  State &s;
  Shared &shared;
  Ring &ring;
  std::vector<Step> &steps;
  std::set<PolyId> stated;
  std::map<Var, Bound> lower, upper;

  static constexpr size_t maxLemmas = 64; ///< at a node: each is a decision
  size_t lemmas = 0;

  bool hasRoom() const {
    return lemmas < maxLemmas && s.decisions + 2 < maxDecisions;
  }

  static TreePtr leaf(std::vector<TreeProduct> products) {
    auto t = std::make_unique<Tree>();
    t->products = std::move(products);
    return t;
  }

  /// p >= 0, because `weight` times its negation and the products contradict
  /// each other; they rest on `own`.
  AtomFact have(PolyId p, std::vector<TreeProduct> products, Int weight,
                const Reasons &own) {
    FactId negated = shared.nextFact++;
    AtomFact f{shared.nextFact++, false, p, {}};
    f.reasons.set(s.decisions);
    products.push_back({weight, {negated}});
    TreePtr proof = leaf(std::move(products));
    proof->reasons = own;
    steps.push_back(
        haveStep(p, negated, f.id, std::move(proof), s.decisions++));
    stated.insert(p);
    ++lemmas;
    return f;
  }

  /// Coefficients with a common divisor that the constant does not have.
  void byDivisor(size_t i) {
    const AtomFact f = s.atoms[i];
    if (f.poly == noPoly || ring.isConstant(f.poly)) {
      return;
    }
    Int divisor = 0, constant = ring.constantTerm(f.poly);
    for (const RingTerm &t : ring.terms(f.poly)) {
      divisor = t.mono == unit ? divisor : commonDivisor(divisor, t.coeff);
    }
    Int rest = constant - floorDivide(constant, divisor) * divisor;
    if (divisor <= 1 || rest == 0) {
      return;
    }
    PolyId rounded = divided(ring.addConstant(f.poly, -rest), divisor);
    if (rounded == noPoly || stated.count(rounded)) {
      return;
    }
    AtomFact lemma = have(rounded, {{1, {f.id}}}, divisor, f.reasons);
    if (f.equality) {
      s.atoms.push_back(lemma);
    } else {
      s.atoms[i] = lemma;
    }
  }

  PolyId divided(PolyId p, Int divisor) {
    PolyId q = p == noPoly ? noPoly : ring.quotient(p, ring.constant(divisor));
    return q != noPoly && ring.scale(q, divisor) == p ? q : noPoly;
  }

  void findBounds() {
    lower.clear(), upper.clear();
    for (const AtomFact &f : s.atoms) {
      if (f.equality || f.poly == noPoly || ring.degree(f.poly) != 1) {
        continue;
      }
      Int constant = ring.constantTerm(f.poly);
      RingTerms all = ring.terms(f.poly);
      const RingTerm &t = all[0].mono == unit ? all.back() : all[0];
      if (all.size() != size_t(constant == 0 ? 1 : 2)) {
        continue;
      }
      Int scale = magnitude(t.coeff);
      if (constant % scale != 0) {
        continue;
      }
      bool low = t.coeff > 0;
      Int value = constant / scale * (low ? -1 : 1);
      Bound b{&f, scale, value};
      auto [it, isNew] =
          (low ? lower : upper).try_emplace(ring.variables(t.mono)[0], b);
      if (!isNew &&
          (low ? value > it->second.value : value < it->second.value)) {
        it->second = b;
      }
    }
  }

  /// Every variable of a linear fact, bounded by what the others can be.
  void byBounds(size_t i) {
    const AtomFact f = s.atoms[i];
    if (f.poly == noPoly || ring.degree(f.poly) != 1 ||
        ring.terms(f.poly).size() < 2) {
      return;
    }
    RingTerms terms = ring.terms(f.poly);
    for (const RingTerm &t : terms) {
      if (t.mono == unit || magnitude(t.coeff) == 1) {
        continue; // without a division there is nothing to round
      }
      for (Int sign : {1, -1}) {
        if ((sign == 1 || f.equality) && hasRoom()) {
          boundOne(f, terms, t, sign);
        }
      }
    }
  }

  /// sign * f >= 0 as coeff * x + rest >= 0, rest at most `sum`.
  void boundOne(const AtomFact &f, RingTerms terms, const RingTerm &of,
                Int sign) {
    Int coeff = sign * of.coeff, sum = sign * ring.constantTerm(f.poly);
    Int scale = 1;
    Reasons own = f.reasons;
    std::vector<std::pair<const Bound *, Int>> used;
    for (const RingTerm &t : terms) {
      if (t.mono == unit || t.mono == of.mono) {
        continue;
      }
      const auto &bounds = sign * t.coeff > 0 ? upper : lower;
      auto it = bounds.find(ring.variables(t.mono)[0]);
      if (it == bounds.end() || isHuge(it->second.value) ||
          isHuge(it->second.scale) || isHuge(t.coeff) || isHuge(scale)) {
        return;
      }
      sum += sign * t.coeff * it->second.value;
      scale *= it->second.scale / commonDivisor(scale, it->second.scale);
      used.push_back({&it->second, magnitude(t.coeff)});
      own |= it->second.fact->reasons;
    }
    if (isHuge(sum) || isHuge(coeff) || isHuge(scale) ||
        sum % magnitude(coeff) == 0) {
      return; // nothing is rounded
    }
    Var x = ring.variables(of.mono)[0];
    Int value = floorDivide(sum, magnitude(coeff)) * (coeff < 0 ? 1 : -1);
    const auto &present = coeff < 0 ? upper : lower;
    auto it = present.find(x);
    if (it != present.end() &&
        (coeff < 0 ? it->second.value <= value : it->second.value >= value)) {
      return;
    }
    PolyId p =
        ring.addConstant(ring.scale(ring.variable(x), coeff < 0 ? -1 : 1),
                         coeff < 0 ? value : -value);
    if (p == noPoly || stated.count(p)) {
      return;
    }
    std::vector<TreeProduct> products = {{sign * scale, {f.id}}};
    for (auto &[bound, weight] : used) {
      products.push_back({weight * scale / bound->scale, {bound->fact->id}});
    }
    s.atoms.push_back(
        have(p, std::move(products), magnitude(coeff) * scale, own));
    findBounds();
  }

  static bool isHuge(Int x) { return magnitude(x) >= Int(1) << 40; }

  /// p = 0 where p >= 0 and -p >= 0.
  bool pin() {
    std::map<PolyId, size_t> places;
    for (size_t i = 0; i < s.atoms.size(); ++i) {
      const AtomFact &f = s.atoms[i];
      if (!f.equality && f.poly != noPoly && !ring.isConstant(f.poly)) {
        places.emplace(f.poly, i);
      }
    }
    std::set<size_t> gone;
    std::vector<AtomFact> found;
    for (auto &[p, i] : places) {
      auto other = places.find(ring.negate(p));
      if (other == places.end() || gone.count(i) || !hasRoom()) {
        continue;
      }
      found.push_back(pinned(s.atoms[i], s.atoms[other->second]));
      gone.insert({i, other->second});
    }
    for (auto it = gone.rbegin(); it != gone.rend(); ++it) {
      s.atoms.erase(s.atoms.begin() + *it);
    }
    s.atoms.insert(s.atoms.end(), found.begin(), found.end());
    return !found.empty();
  }

  AtomFact pinned(const AtomFact &up, const AtomFact &down) {
    FactId less = shared.nextFact++, more = shared.nextFact++;
    AtomFact equal{shared.nextFact++, true, up.poly, {}};
    equal.reasons.set(s.decisions);
    Step step{std::make_unique<Tree>(), 1, s.decisions++};
    step.node->kind = proofs::Certificate::Kind::Split;
    step.node->poly = up.poly;
    step.node->reasons = up.reasons | down.reasons;
    step.node->added = {{less}, {equal.id}, {more}};
    step.node->children.push_back(leaf({{1, {up.id}}, {1, {less}}}));
    step.node->children.push_back(nullptr);
    step.node->children.push_back(leaf({{1, {down.id}}, {1, {more}}}));
    steps.push_back(std::move(step));
    ++lemmas;
    return equal;
  }
};
} // namespace

bool tightenFacts(State &s, Shared &shared, std::vector<Step> &steps) {
  return Rounder(s, shared, steps).run();
}

} // namespace girih::search
