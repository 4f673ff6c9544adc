// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reference.h"
#include "Sums.h"

#include <memory>
#include <random>

namespace girih::proofs::test {

/// Facts that branches of a certificate have in common.
using Facts = std::vector<std::shared_ptr<const Claims>>;

static Claim atMinusOne(const Poly &p) { // p <= -1
  Sum s = plus({}, sumOf(p), -1);
  s[{}] -= 1;
  return {false, s};
}

static Big valueAt(const Sum &s, std::map<Var, Big> &point,
                   std::mt19937_64 &random) {
  Big total = 0;
  for (const auto &[powers, coefficient] : s) {
    Big product = coefficient;
    for (auto [v, n] : powers) {
      auto [it, isNew] = point.try_emplace(v);
      if (isNew) {
        it->second = (Big(random()) << 40) - (Big(random()) << 20);
      }
      for (int i = 0; i < n; ++i) {
        product *= it->second;
      }
    }
    total += product;
  }
  return total;
}

/// The claim of a fact that is a single one.
static const Claim *only(const Facts &facts, uint32_t f) {
  bool single = f < facts.size() && facts[f]->size() == 1 &&
                facts[f]->front().size() == 1;
  return single ? &facts[f]->front().front() : nullptr;
}

/// The sum is the same negative number wherever it is evaluated.
static bool leaf(const Facts &facts, const Certificate &c) {
  std::mt19937_64 random(11);
  Big first;
  for (int round = 0; round < 5; ++round) {
    std::map<Var, Big> point;
    Big total = 0;
    for (const Product &p : c.products) {
      Big product = big(p.weight);
      bool free = p.weight > 0;
      for (uint32_t f : p.facts) {
        const Claim *claim = only(facts, f);
        if (!claim) {
          return false;
        }
        product *= valueAt(claim->sum, point, random);
        free |= claim->equality;
      }
      if (!free) {
        return false;
      }
      total += product;
    }
    if (total >= 0 || (round > 0 && total != first)) {
      return false;
    }
    first = total;
  }
  return c.children.empty();
}

static bool refuted(const Facts &facts, const Certificate &c);

static bool refutedWith(Facts facts, const std::vector<Claim> &more,
                        const Certificate &c) {
  for (const Claim &claim : more) {
    facts.push_back(std::make_shared<Claims>(Claims{{claim}}));
  }
  return refuted(facts, c);
}

/// The fact with the value for the variable.
static std::shared_ptr<const Claims>
withValue(const std::shared_ptr<const Claims> &fact, Var v, const Sum &value) {
  bool occurs = false;
  for (const auto &branch : *fact) {
    for (const Claim &claim : branch) {
      for (const auto &[powers, weight] : claim.sum) {
        occurs |= powers.count(v) != 0;
      }
    }
  }
  if (!occurs) {
    return fact;
  }
  auto changed = std::make_shared<Claims>(*fact);
  for (auto &branch : *changed) {
    for (Claim &claim : branch) {
      claim.sum = withValue(claim.sum, v, value);
    }
  }
  return changed;
}

static bool solved(Facts facts, const Certificate &c) {
  const Claim *claim = only(facts, c.fact);
  if (c.children.size() != 1 || !claim || !claim->equality) {
    return false;
  }
  Sum rest = claim->sum;
  Big coefficient = rest[{{c.variable, 1}}];
  rest.erase({{c.variable, 1}});
  for (const auto &[powers, weight] : rest) {
    if (weight != 0 && powers.count(c.variable)) {
      return false;
    }
  }
  if (coefficient != 1 && coefficient != -1) {
    return false;
  }
  Sum value = plus({}, rest, -coefficient);
  for (auto &fact : facts) {
    fact = withValue(fact, c.variable, value);
  }
  return refuted(facts, c.children[0]);
}

static bool refuted(const Facts &facts, const Certificate &c) {
  const auto &next = c.children;
  Sum less = sumOf(c.poly);
  less[{}] -= 1;
  switch (c.kind) {
  case Certificate::Kind::Leaf:
    return leaf(facts, c);
  case Certificate::Kind::Solve:
    return solved(facts, c);
  case Certificate::Kind::Case:
    if (c.fact >= facts.size() || facts[c.fact]->size() != next.size()) {
      return false;
    }
    for (size_t i = 0; i < next.size(); ++i) {
      if (!refutedWith(facts, (*facts[c.fact])[i], next[i])) {
        return false;
      }
    }
    return true;
  case Certificate::Kind::Split:
    return next.size() == 3 &&
           refutedWith(facts, {atMinusOne(c.poly)}, next[0]) &&
           refutedWith(facts, {{true, sumOf(c.poly)}}, next[1]) &&
           refutedWith(facts, {{false, less}}, next[2]);
  case Certificate::Kind::Have:
    return next.size() == 2 &&
           refutedWith(facts, {atMinusOne(c.poly)}, next[0]) &&
           refutedWith(facts, {{false, sumOf(c.poly)}}, next[1]);
  }
  return false;
}

bool referenceRefutes(const std::vector<Fact> &facts, const Certificate &tree) {
  Facts claims;
  for (const Fact &f : facts) {
    claims.push_back(std::make_shared<Claims>(claimsOf(f)));
  }
  return refuted(claims, tree);
}

} // namespace girih::proofs::test
