// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of refutation; theory/Cert.v states the same rules and proves that
// they are sound. Polynomials that overflowed stay marked through all
// arithmetic, so the one test at a leaf and the one at a solved equality
// reject every certificate that used one. What is done is paid for first, in
// the units of README.md; the folds are those of theory/, so that both judges
// count the same.

#include "proofs/Refute.h"

#include <algorithm>
#include <deque>

namespace girih::proofs {

namespace {
/// Those that a node may use; whoever adds some owns them while it is judged.
using Facts = std::vector<const Fact *>;

/// What a certificate may still cost.
struct Work {
  uint64_t left;

  /// False when less is left; then nothing is from there on.
  bool spend(uint64_t units) {
    bool enough = units <= left;
    left = enough ? left - units : 0;
    return enough;
  }
};
} // namespace

static CheckResult no(std::string reason) { return {false, std::move(reason)}; }

static CheckResult overLimit() {
  return no("over the work limit of the judge");
}

static std::string factName(size_t number) {
  return "fact " + std::to_string(number);
}

/// p <= -1, which over the integers is not p >= 0.
static Fact below(const Poly &p) { return Fact::atLeastZero(-p - Poly(1)); }

static CheckResult checkProduct(const Facts &facts, const Product &product) {
  bool equality = false;
  for (uint32_t number : product.facts) {
    const Atom *atom = number < facts.size() ? facts[number]->atom() : nullptr;
    if (!atom) {
      return no(factName(number) + (number < facts.size()
                                        ? " in a product is a disjunction"
                                        : " does not exist"));
    }
    equality |= atom->equality;
  }
  if (product.weight <= 0 && !equality) {
    return no("weight " + toString(product.weight) + " without an equality");
  }
  return {true, ""};
}

/// The product of facts that are atoms; nothing where the work is too much.
static std::optional<Poly> multiplied(const Facts &facts,
                                      const Product &product, Work &work) {
  Poly p(1);
  for (auto i = product.facts.rbegin(); i != product.facts.rend(); ++i) {
    const Poly &factor = facts[*i]->atom()->poly;
    if (!work.spend(1 + factor.size() * p.size())) {
      return std::nullopt;
    }
    p = factor * p;
  }
  return p;
}

static CheckResult refutesLeaf(const Facts &facts, const Certificate &leaf,
                               Work &work) {
  if (!leaf.children.empty()) {
    return no("leaf with children");
  }
  for (const Product &product : leaf.products) {
    if (CheckResult ruling = checkProduct(facts, product); !ruling.accepted) {
      return ruling;
    }
  }
  Poly sum;
  for (auto i = leaf.products.rbegin(); i != leaf.products.rend(); ++i) {
    std::optional<Poly> p = multiplied(facts, *i, work);
    if (!p || !work.spend(1 + p->size() + sum.size())) {
      return overLimit();
    }
    sum = Poly(i->weight) * *p + sum;
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

/// The monomial with `value` in place of `v`; nothing where the work is too
/// much.
static std::optional<Poly> substituted(const Monomial &m, Var v,
                                       const Poly &value, Work &work) {
  Poly p(1);
  for (auto x = m.rbegin(); x != m.rend(); ++x) {
    bool here = *x == v;
    if (!work.spend(1 + (here ? value.size() : 1) * p.size())) {
      return std::nullopt;
    }
    p = (here ? value : Poly::variable(*x)) * p;
  }
  return p;
}

/// `p`, which contains `v`, with `value` in its place, paid for; false where
/// that is too much.
static bool substitute(Poly &p, Var v, const Poly &value, Work &work) {
  Poly sum = p - p; // 0, marked if p is
  for (auto t = p.terms().rbegin(); t != p.terms().rend(); ++t) {
    std::optional<Poly> term = substituted(t->vars, v, value, work);
    if (!term || !work.spend(1 + term->size() + sum.size())) {
      return false;
    }
    sum = Poly(t->coeff) * *term + sum;
  }
  p = std::move(sum);
  return true;
}

/// `facts` is the same afterwards as before.
static CheckResult refutesNode(Facts &facts, const Certificate &node,
                               Work &work);

/// The child refutes the facts with some more behind them.
static CheckResult refutesWith(Facts &facts, const std::vector<Fact> &more,
                               const Certificate &child, Work &work) {
  size_t size = facts.size();
  for (const Fact &fact : more) {
    facts.push_back(&fact);
  }
  CheckResult ruling = refutesNode(facts, child, work);
  facts.resize(size);
  return ruling;
}

static CheckResult refutesSolve(const Facts &facts, const Certificate &node,
                                Work &work) {
  const Atom *atom =
      node.fact < facts.size() ? facts[node.fact]->atom() : nullptr;
  if (!atom || !atom->equality) {
    return no(factName(node.fact) + " is no equality");
  }
  std::optional<Poly> value = solvedFor(atom->poly, node.variable);
  if (!value) {
    return no(factName(node.fact) + " cannot be solved for v" +
              std::to_string(node.variable));
  }
  if (!work.spend(1)) {
    return overLimit();
  }
  Facts solved;
  solved.reserve(facts.size());
  std::deque<Fact> images; // of those that speak of the variable
  for (const Fact *fact : facts) {
    bool speaks = false;
    for (const std::vector<Atom> &branch : fact->branches) {
      for (const Atom &a : branch) {
        if (!work.spend(1 + a.poly.size())) {
          return overLimit();
        }
        speaks |= a.poly.contains(node.variable);
      }
    }
    if (!speaks) {
      solved.push_back(fact);
      continue;
    }
    solved.push_back(&images.emplace_back(*fact));
    for (std::vector<Atom> &branch : images.back().branches) {
      for (Atom &a : branch) {
        if (a.poly.contains(node.variable) &&
            !substitute(a.poly, node.variable, *value, work)) {
          return overLimit();
        }
      }
    }
  }
  return refutesNode(solved, node.children[0], work);
}

static CheckResult refutesCase(Facts &facts, const Certificate &node,
                               Work &work) {
  if (node.fact >= facts.size()) {
    return no(factName(node.fact) + " does not exist");
  }
  const Fact &fact = *facts[node.fact];
  size_t count = fact.branches.size();
  if (count != node.children.size()) {
    return no("number of branches of " + factName(node.fact) + " is " +
              std::to_string(count) + ", of the case " +
              std::to_string(node.children.size()));
  }
  if (!work.spend(1)) {
    return overLimit();
  }
  for (size_t i = 0; i < count; ++i) {
    std::vector<Fact> more;
    for (const Atom &a : fact.branches[i]) {
      if (!work.spend(1 + a.poly.size())) {
        return overLimit();
      }
      more.push_back({{{a}}});
    }
    CheckResult ruling = refutesWith(facts, more, node.children[i], work);
    if (!ruling.accepted) {
      return ruling;
    }
  }
  return {true, ""};
}

static CheckResult refutesSplit(Facts &facts, const Certificate &node,
                                Work &work) {
  if (!work.spend(1 + 3 * (1 + node.poly.size()))) {
    return overLimit();
  }
  const Fact ways[] = {below(node.poly), Fact::zero(node.poly),
                       Fact::atLeastZero(node.poly - Poly(1))};
  for (size_t i = 0; i < 3; ++i) {
    CheckResult ruling = refutesWith(facts, {ways[i]}, node.children[i], work);
    if (!ruling.accepted) {
      return ruling;
    }
  }
  return {true, ""};
}

static CheckResult refutesHave(Facts &facts, const Certificate &node,
                               Work &work) {
  if (!work.spend(1 + 2 * (1 + node.poly.size()))) {
    return overLimit();
  }
  CheckResult cut =
      refutesWith(facts, {below(node.poly)}, node.children[0], work);
  return cut.accepted ? refutesWith(facts, {Fact::atLeastZero(node.poly)},
                                    node.children[1], work)
                      : cut;
}

static CheckResult refutesNode(Facts &facts, const Certificate &node,
                               Work &work) {
  auto withChildren = [&](size_t count, auto rule) {
    return node.children.size() == count
               ? rule(facts, node, work)
               : no("number of children is " +
                    std::to_string(node.children.size()) + " instead of " +
                    std::to_string(count));
  };
  switch (node.kind) {
  case Certificate::Kind::Leaf:
    return work.spend(1) ? refutesLeaf(facts, node, work) : overLimit();
  case Certificate::Kind::Solve:
    return withChildren(1, refutesSolve);
  case Certificate::Kind::Case:
    return refutesCase(facts, node, work);
  case Certificate::Kind::Split:
    return withChildren(3, refutesSplit);
  case Certificate::Kind::Have:
    return withChildren(2, refutesHave);
  }
  return no("unknown kind of node");
}

CheckResult refutes(std::vector<Fact> facts, const Certificate &tree,
                    uint64_t most) {
  Facts these;
  for (const Fact &fact : facts) {
    these.push_back(&fact);
  }
  return refutesThese(std::move(these), tree, most);
}

CheckResult refutesThese(std::vector<const Fact *> facts,
                         const Certificate &tree, uint64_t most) {
  Work work{most};
  CheckResult ruling = refutesNode(facts, tree, work);
  ruling.work = most - work.left;
  return ruling;
}

} // namespace girih::proofs
