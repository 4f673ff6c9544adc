// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sums.h"

#include <algorithm>

namespace girih::proofs::test {

Big big(Int value) {
  Big high = Big(int64_t(value >> 64));
  return (high << 64) + Big(uint64_t(value));
}

Sum sumOf(const Poly &p) {
  Sum out;
  for (const Term &t : p.terms()) {
    Powers powers;
    for (Var v : t.vars) {
      ++powers[v];
    }
    out[powers] += big(t.coeff);
  }
  return out;
}

Sum plus(Sum a, const Sum &b, const Big &weight) {
  for (const auto &[powers, coefficient] : b) {
    a[powers] += weight * coefficient;
  }
  return a;
}

Sum times(const Sum &a, const Sum &b) {
  Sum out;
  for (const auto &[p, c] : a) {
    for (const auto &[q, d] : b) {
      Powers both = p;
      for (auto [v, n] : q) {
        both[v] += n;
      }
      out[both] += c * d;
    }
  }
  return out;
}

Sum withValue(const Sum &s, Var v, const Sum &value) {
  Sum out;
  for (const auto &[powers, coefficient] : s) {
    Powers rest = powers;
    int n = rest.count(v) ? rest[v] : 0;
    rest.erase(v);
    Sum term = {{rest, coefficient}};
    for (; n > 0; --n) {
      term = times(term, value);
    }
    out = plus(std::move(out), term, 1);
  }
  return out;
}

Sum variable(Var v) { return {{{{v, 1}}, 1}}; }

Sum number(const Big &value) { return {{{}, value}}; }

bool same(const Sum &a, const Sum &b) {
  Sum difference = plus(a, b, -1);
  return std::all_of(difference.begin(), difference.end(),
                     [](const auto &term) { return term.second == 0; });
}

Claims claimsOf(const Fact &f) {
  Claims out;
  for (const std::vector<Atom> &branch : f.branches) {
    out.emplace_back();
    for (const Atom &a : branch) {
      out.back().push_back({a.equality, sumOf(a.poly)});
    }
  }
  return out;
}

bool same(const Claims &a, const Claims &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](auto &x, auto &y) {
                      return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                                        [](const Claim &c, const Claim &d) {
                                          return c.equality == d.equality &&
                                                 same(c.sum, d.sum);
                                        });
                    });
}

} // namespace girih::proofs::test
