// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of refutation; theory/Cert.v states the same rules and proves that
// they are sound. Polynomials that overflowed stay marked through all
// arithmetic, so the one test at a leaf and the one at a solved equality
// reject every certificate that used one.

#include "proofs/Judge.h"

#include <algorithm>
#include <iterator>

namespace girih::proofs {

static Ruling no(std::string reason) { return {false, std::move(reason)}; }

static std::string factName(size_t number) {
  return "fact " + std::to_string(number);
}

/// p <= -1, which over the integers is not p >= 0.
static Fact below(const Poly &p) { return Fact::atLeastZero(-p - Poly(1)); }

static Ruling refutesLeaf(const std::vector<Fact> &facts,
                          const Certificate &leaf) {
  if (!leaf.children.empty()) {
    return no("leaf with children");
  }
  Poly sum;
  for (const Product &product : leaf.products) {
    Poly term(product.weight);
    bool equality = false;
    for (uint32_t number : product.facts) {
      const Atom *atom = number < facts.size() ? facts[number].atom() : nullptr;
      if (!atom) {
        return no(factName(number) + (number < facts.size()
                                          ? " in a product is a disjunction"
                                          : " does not exist"));
      }
      equality |= atom->equality;
      term = term * atom->poly;
    }
    if (product.weight <= 0 && !equality) {
      return no("weight " + toString(product.weight) + " without an equality");
    }
    sum = sum + term;
  }
  if (sum.overflowed()) {
    return no("overflow");
  }
  std::optional<Int> constant = sum.constant();
  if (!constant || *constant >= 0) {
    return no("products sum to " + print(sum, nullptr));
  }
  return {true, ""};
}

/// The value of `v` by the equality `p = 0`, if `v` occurs in it alone,
/// linearly, with coefficient 1 or -1.
static std::optional<Poly> solvedFor(const Poly &p, Var v) {
  Int coefficient = p.coefficient({v});
  if (p.overflowed() || (coefficient != 1 && coefficient != -1)) {
    return std::nullopt;
  }
  Poly rest = p - Poly(coefficient) * Poly::variable(v);
  if (rest.contains(v) || rest.overflowed()) {
    return std::nullopt;
  }
  return coefficient == 1 ? -rest : rest;
}

/// `facts` is the same afterwards as before.
static Ruling refutesNode(std::vector<Fact> &facts, const Certificate &node);

/// The child refutes the facts with some more behind them.
static Ruling refutesWith(std::vector<Fact> &facts, std::vector<Fact> more,
                          const Certificate &child) {
  size_t size = facts.size();
  std::move(more.begin(), more.end(), std::back_inserter(facts));
  Ruling ruling = refutesNode(facts, child);
  facts.resize(size);
  return ruling;
}

static Ruling refutesSolve(const std::vector<Fact> &facts,
                           const Certificate &node) {
  const Atom *atom =
      node.fact < facts.size() ? facts[node.fact].atom() : nullptr;
  if (!atom || !atom->equality) {
    return no(factName(node.fact) + " is no equality");
  }
  std::optional<Poly> value = solvedFor(atom->poly, node.variable);
  if (!value) {
    return no(factName(node.fact) + " cannot be solved for v" +
              std::to_string(node.variable));
  }
  std::vector<Fact> solved = facts;
  for (Fact &fact : solved) {
    for (std::vector<Atom> &branch : fact.branches) {
      for (Atom &a : branch) {
        a.poly = a.poly.substitute(node.variable, *value);
      }
    }
  }
  return refutesNode(solved, node.children[0]);
}

static Ruling refutesCase(std::vector<Fact> &facts, const Certificate &node) {
  if (node.fact >= facts.size()) {
    return no(factName(node.fact) + " does not exist");
  }
  std::vector<std::vector<Atom>> branches = facts[node.fact].branches;
  if (branches.size() != node.children.size()) {
    return no(factName(node.fact) + " has " + std::to_string(branches.size()) +
              " branches, the case has " +
              std::to_string(node.children.size()));
  }
  for (size_t i = 0; i < branches.size(); ++i) {
    std::vector<Fact> more;
    for (Atom &a : branches[i]) {
      more.push_back({{{std::move(a)}}});
    }
    Ruling ruling = refutesWith(facts, std::move(more), node.children[i]);
    if (!ruling.accepted) {
      return ruling;
    }
  }
  return {true, ""};
}

static Ruling refutesSplit(std::vector<Fact> &facts, const Certificate &node) {
  const Fact ways[] = {below(node.poly), Fact::zero(node.poly),
                       Fact::atLeastZero(node.poly - Poly(1))};
  for (size_t i = 0; i < 3; ++i) {
    Ruling ruling = refutesWith(facts, {ways[i]}, node.children[i]);
    if (!ruling.accepted) {
      return ruling;
    }
  }
  return {true, ""};
}

static Ruling refutesHave(std::vector<Fact> &facts, const Certificate &node) {
  Ruling cut = refutesWith(facts, {below(node.poly)}, node.children[0]);
  return cut.accepted ? refutesWith(facts, {Fact::atLeastZero(node.poly)},
                                    node.children[1])
                      : cut;
}

static Ruling refutesNode(std::vector<Fact> &facts, const Certificate &node) {
  auto withChildren = [&](size_t count, auto rule) {
    return node.children.size() == count
               ? rule(facts, node)
               : no("node with " + std::to_string(node.children.size()) +
                    " children instead of " + std::to_string(count));
  };
  switch (node.kind) {
  case Certificate::Kind::Leaf:
    return refutesLeaf(facts, node);
  case Certificate::Kind::Solve:
    return withChildren(1, refutesSolve);
  case Certificate::Kind::Case:
    return refutesCase(facts, node);
  case Certificate::Kind::Split:
    return withChildren(3, refutesSplit);
  case Certificate::Kind::Have:
    return withChildren(2, refutesHave);
  }
  return no("unknown kind of node");
}

Ruling refutes(std::vector<Fact> facts, const Certificate &tree) {
  return refutesNode(facts, tree);
}

} // namespace girih::proofs
