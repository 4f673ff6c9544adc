// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/search/Ring.h"

#include <algorithm>

namespace girih::search {

static uint64_t mix(uint64_t h, uint64_t x) {
  h ^= x + 0x9e3779b97f4a7c15 + (h << 6) + (h >> 2);
  return h * 0xff51afd7ed558ccd;
}

static uint64_t pair(uint32_t a, uint32_t b) {
  return uint64_t(std::min(a, b)) << 32 | std::max(a, b);
}

static uint64_t hashOf(const proofs::Monomial &m) {
  uint64_t h = m.size();
  for (Var v : m) {
    h = mix(h, v);
  }
  return h;
}

/// The exponents of m, four bits each, the variables by their number modulo 16.
/// Sums beyond 7 count as 7, so that the highest bit of each four is free.
static uint64_t exponentsOf(const proofs::Monomial &m) {
  uint64_t out = 0;
  for (Var v : m) {
    unsigned place = 4 * (v % 16);
    out += (out >> place & 7) < 7 ? uint64_t(1) << place : 0;
  }
  return out;
}

/// Whether no exponent of b is beyond that of a: else b does not divide a.
static bool mayDivide(uint64_t b, uint64_t a) {
  constexpr uint64_t highest = 0x8888888888888888;
  return (((a | highest) - b) & highest) == highest;
}

Ring::Ring() {
  monomial({});
  intern({});
}

MonoId Ring::monomial(const proofs::Monomial &sorted) {
  uint64_t h = hashOf(sorted);
  if (const uint32_t *id = monoIds.find(
          h, [&](MonoId other) { return monos[other] == sorted; })) {
    return *id;
  }
  auto id = MonoId(monos.size());
  monos.push_back(sorted);
  exponents.push_back(exponentsOf(sorted));
  monoIds.insert(h, id);
  return id;
}

MonoId Ring::multiplyMonomials(MonoId a, MonoId b) {
  if (a == unit || b == unit) {
    return a == unit ? b : a;
  }
  uint64_t key = pair(a, b);
  if (const uint32_t *known = monoProducts.find(key)) {
    return *known;
  }
  merged.clear();
  std::merge(monos[a].begin(), monos[a].end(), monos[b].begin(), monos[b].end(),
             std::back_inserter(merged));
  MonoId id = monomial(merged);
  monoProducts.insert(key, id);
  return id;
}

std::optional<MonoId> Ring::divideMonomials(MonoId a, MonoId b) {
  // Most pairs that are looked at do not divide, and this shows at once.
  if (!mayDivide(exponents[b], exponents[a])) {
    return std::nullopt;
  }
  const proofs::Monomial &x = monos[a], &y = monos[b];
  if (!std::includes(x.begin(), x.end(), y.begin(), y.end())) {
    return std::nullopt;
  }
  proofs::Monomial rest;
  std::set_difference(x.begin(), x.end(), y.begin(), y.end(),
                      std::back_inserter(rest));
  return monomial(rest);
}

PolyId Ring::intern(RingTerms terms) {
  uint64_t h = terms.size();
  for (const RingTerm &t : terms) {
    uint64_t high = uint64_t(t.coeff >> 64) * 0x9e3779b97f4a7c15;
    h = mix(h, (uint64_t(t.coeff) ^ high) * 0xc2b2ae3d27d4eb4f + t.mono);
  }
  if (const uint32_t *id = polyIds.find(h, [&](PolyId other) {
        return std::equal(terms.begin(), terms.end(),
                          polys[other].terms.begin(), polys[other].terms.end());
      })) {
    return *id;
  }
  auto id = PolyId(polys.size());
  polyIds.insert(h, id);
  Entry e;
  signsOfTerms.clear();
  for (const RingTerm &t : terms) {
    signsOfTerms.push_back(2 * t.mono + (t.coeff > 0));
    e.degree = std::max(e.degree, monos[t.mono].size());
    for (Var v : monos[t.mono]) {
      e.mask |= uint64_t(1) << (v % 64);
    }
  }
  e.terms = allTerms.keep(terms);
  e.signs = allSigns.keep(signsOfTerms);
  polys.push_back(e);
  return id;
}

/// The polynomial of terms in any order and with repetition, which are spoilt.
PolyId Ring::collect(Terms &terms) {
  std::sort(
      terms.begin(), terms.end(),
      [](const RingTerm &a, const RingTerm &b) { return a.mono < b.mono; });
  size_t out = 0;
  for (size_t i = 0; i < terms.size();) {
    RingTerm sum = terms[i];
    for (++i; i < terms.size() && terms[i].mono == sum.mono; ++i) {
      if (__builtin_add_overflow(sum.coeff, terms[i].coeff, &sum.coeff)) {
        return noPoly;
      }
    }
    if (sum.coeff != 0) {
      terms[out++] = sum;
    }
  }
  terms.resize(out);
  return intern(terms);
}

PolyId Ring::fromPoly(const proofs::Poly &p) {
  if (p.overflowed()) {
    return noPoly;
  }
  Terms out;
  for (const proofs::Term &t : p.terms()) {
    out.push_back({monomial(t.vars), t.coeff});
  }
  return collect(out);
}

proofs::Poly Ring::toPoly(PolyId p) const {
  std::vector<proofs::Term> out;
  for (const RingTerm &t : polys[p].terms) {
    out.push_back({monos[t.mono], t.coeff});
  }
  return proofs::Poly::fromTerms(std::move(out));
}

PolyId Ring::constant(Int c) {
  RingTerm term{unit, c};
  return c == 0 ? zeroPoly : intern({&term, 1});
}

PolyId Ring::variable(Var v) {
  RingTerm term{monomial({v}), 1};
  return intern({&term, 1});
}

Int Ring::constantTerm(PolyId p) const {
  RingTerms t = polys[p].terms;
  return !t.empty() && t[0].mono == unit ? t[0].coeff : 0;
}

bool Ring::isConstant(PolyId p) const {
  return p != noPoly && polys[p].degree == 0;
}

PolyId Ring::withoutConstant(PolyId p) {
  RingTerms t = polys[p].terms;
  return !t.empty() && t[0].mono == unit ? intern(t.subspan(1)) : p;
}

Int Ring::coefficient(PolyId p, MonoId m) const {
  RingTerms t = polys[p].terms;
  auto it =
      std::lower_bound(t.begin(), t.end(), m,
                       [](const RingTerm &a, MonoId b) { return a.mono < b; });
  return it != t.end() && it->mono == m ? it->coeff : 0;
}

bool Ring::contains(PolyId p, Var v) const {
  if (!(polys[p].mask >> (v % 64) & 1)) {
    return false;
  }
  RingTerms t = polys[p].terms;
  return std::any_of(t.begin(), t.end(), [&](const RingTerm &x) {
    const proofs::Monomial &m = monos[x.mono];
    return std::binary_search(m.begin(), m.end(), v);
  });
}

std::optional<Var> Ring::asVariable(PolyId p) const {
  RingTerms t = polys[p].terms;
  if (t.size() != 1 || t[0].coeff != 1 || monos[t[0].mono].size() != 1) {
    return std::nullopt;
  }
  return monos[t[0].mono][0];
}

std::span<const Var> Ring::variablesOf(PolyId p) const {
  if (polyVariables.size() <= p) {
    polyVariables.resize(polys.size());
  }
  std::vector<Var> &out = polyVariables[p];
  if (!out.empty()) {
    return out;
  }
  for (const RingTerm &t : polys[p].terms) {
    out.insert(out.end(), monos[t.mono].begin(), monos[t.mono].end());
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

/// a + sign * b
PolyId Ring::combine(PolyId a, PolyId b, Int sign) {
  if (a == noPoly || b == noPoly) {
    return noPoly;
  }
  RingTerms x = polys[a].terms, y = polys[b].terms;
  Terms &out = sum;
  out.clear();
  out.reserve(x.size() + y.size());
  size_t i = 0, j = 0;
  while (i < x.size() || j < y.size()) {
    if (j == y.size() || (i < x.size() && x[i].mono < y[j].mono)) {
      out.push_back(x[i++]);
      continue;
    }
    RingTerm t{y[j].mono, 0};
    bool shared = i < x.size() && x[i].mono == y[j].mono;
    Int left = shared ? x[i++].coeff : 0, right = y[j++].coeff;
    if (sign < 0 ? __builtin_sub_overflow(left, right, &t.coeff)
                 : __builtin_add_overflow(left, right, &t.coeff)) {
      return noPoly;
    }
    if (t.coeff != 0) {
      out.push_back(t);
    }
  }
  return intern(out);
}

PolyId Ring::scale(PolyId a, Int factor) {
  if (a == noPoly || factor == 0) {
    return a == noPoly ? noPoly : zeroPoly;
  }
  Terms &out = sum;
  out.assign(polys[a].terms.begin(), polys[a].terms.end());
  for (RingTerm &t : out) {
    if (__builtin_mul_overflow(t.coeff, factor, &t.coeff)) {
      return noPoly;
    }
  }
  return intern(out);
}

PolyId Ring::multiply(PolyId a, PolyId b) {
  if (a == noPoly || b == noPoly) {
    return noPoly;
  }
  uint64_t key = pair(a, b);
  if (const uint32_t *known = polyProducts.find(key)) {
    return *known;
  }
  Terms &out = product;
  out.clear();
  out.reserve(polys[a].terms.size() * polys[b].terms.size());
  PolyId result = zeroPoly;
  for (const RingTerm &s : polys[a].terms) {
    for (const RingTerm &t : polys[b].terms) {
      RingTerm p{multiplyMonomials(s.mono, t.mono), 0};
      if (__builtin_mul_overflow(s.coeff, t.coeff, &p.coeff)) {
        result = noPoly;
      }
      out.push_back(p);
    }
  }
  if (result != noPoly) {
    result = collect(out);
  }
  polyProducts.insert(key, result);
  return result;
}

PolyId Ring::substitute(PolyId p, Var v, PolyId value) {
  if (p == noPoly || value == noPoly) {
    return noPoly;
  }
  if (!contains(p, v)) {
    return p;
  }
  // The terms by their power of v, the highest first (Horner).
  std::vector<Terms> byPower;
  for (const RingTerm &t : polys[p].terms) {
    proofs::Monomial rest = monos[t.mono];
    size_t power = std::erase(rest, v);
    if (byPower.size() <= power) {
      byPower.resize(power + 1);
    }
    byPower[power].push_back({monomial(rest), t.coeff});
  }
  PolyId result = zeroPoly;
  for (size_t i = byPower.size(); i-- > 0;) {
    result = add(multiply(result, value), collect(byPower[i]));
  }
  return result;
}

PolyId Ring::quotient(PolyId a, PolyId d) {
  if (a == noPoly || d == noPoly || d == zeroPoly) {
    return noPoly;
  }
  if (isConstant(d)) {
    Int k = constantTerm(d);
    Terms out;
    for (const RingTerm &t : polys[a].terms) {
      if (k > 1 && t.coeff % k == 0) {
        out.push_back({t.mono, t.coeff / k});
      }
    }
    return out.empty() ? noPoly : intern(out);
  }
  RingTerm lead = *std::max_element(
      polys[d].terms.begin(), polys[d].terms.end(),
      [&](const RingTerm &x, const RingTerm &y) {
        return proofs::monomialLess(monos[x.mono], monos[y.mono]);
      });
  constexpr int maxSteps = 12; // a quotient that is of any use is short
  PolyId t = zeroPoly, rest = a;
  for (int step = 0; step < maxSteps && rest != noPoly; ++step) {
    PolyId next = zeroPoly;
    for (const RingTerm &x : polys[rest].terms) {
      auto m = x.coeff % lead.coeff == 0 ? divideMonomials(x.mono, lead.mono)
                                         : std::nullopt;
      if (m) {
        RingTerm term{*m, x.coeff / lead.coeff};
        next = intern({&term, 1});
        break;
      }
    }
    if (next == zeroPoly) {
      break;
    }
    t = add(t, next);
    rest = subtract(rest, multiply(next, d));
  }
  return t == zeroPoly ? noPoly : t;
}

} // namespace girih::search
