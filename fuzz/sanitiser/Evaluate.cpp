// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fuzz/sanitiser/Evaluate.h"

namespace girih::fuzz {

std::optional<Wide> evaluate(const proofs::Poly &p, const Environment &env) {
  if (p.overflowed()) {
    return std::nullopt;
  }
  Wide sum = 0;
  for (const proofs::Term &t : p.terms()) {
    Wide product = t.coeff;
    for (proofs::Var v : t.vars) {
      if (v >= env.size() || !env[v] ||
          __builtin_mul_overflow(product, *env[v], &product)) {
        return std::nullopt;
      }
    }
    if (__builtin_add_overflow(sum, product, &sum)) {
      return std::nullopt;
    }
  }
  return sum;
}

std::optional<bool> holds(const proofs::Fact &f, const Environment &env) {
  bool decided = true;
  for (const std::vector<proofs::Atom> &branch : f.branches) {
    bool all = true, known = true;
    for (const proofs::Atom &a : branch) {
      std::optional<Wide> x = evaluate(a.poly, env);
      known &= x.has_value();
      all &= !x || (a.equality ? *x == 0 : *x >= 0);
    }
    if (all && known) {
      return true;
    }
    decided &= !all || known;
  }
  return decided ? std::optional<bool>(false) : std::nullopt;
}

/// The signed number of `bits` bits that equals x modulo 2^bits.
static Wide wrapped(Wide x, unsigned bits) {
  Wide modulus = Wide(1) << bits;
  Wide rest = x % modulus;
  rest += rest < 0 ? modulus : 0;
  return rest >= modulus / 2 ? rest - modulus : rest;
}

Computed compute(const proofs::Definition &d, Environment &env) {
  std::vector<Wide> a;
  for (const proofs::Poly &p : d.arguments) {
    std::optional<Wide> x = evaluate(p, env);
    if (!x) {
      return Computed::Untold;
    }
    a.push_back(*x);
  }
  for (proofs::Var v : d.results) {
    if (v >= env.size()) {
      return Computed::Untold;
    }
  }
  switch (d.kind) {
  case proofs::Definition::Kind::Quotient:
    if (a[1] < 1 || a[0] < 0) {
      return Computed::Undefined;
    }
    env[d.results[0]] = a[0] / a[1];
    env[d.results[1]] = a[0] % a[1];
    return Computed::Done;
  case proofs::Definition::Kind::Select:
    env[d.results[0]] = a[0] >= 0 ? a[1] : a[2];
    return Computed::Done;
  case proofs::Definition::Kind::Wrap: {
    if (a[1] < 2 || a[1] > 64) {
      return Computed::Untold;
    }
    auto bits = static_cast<unsigned>(a[1]);
    Wide v = wrapped(a[0], bits);
    env[d.results[0]] = v;
    env[d.results[1]] = (a[0] - v) / (Wide(1) << bits);
    return Computed::Done;
  }
  case proofs::Definition::Kind::Name:
    env[d.results[0]] = a[0];
    return Computed::Done;
  }
  return Computed::Untold;
}

} // namespace girih::fuzz
