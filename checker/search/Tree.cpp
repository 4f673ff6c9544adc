// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/search/Tree.h"

#include <algorithm>

namespace girih::search {

using proofs::Certificate;

namespace {
class Numbering {
public:
  Numbering(const Ring &ring, size_t facts, Stats &stats)
      : ring(ring), next(static_cast<uint32_t>(facts)), stats(stats) {
    for (uint32_t i = 0; i < next; ++i) {
      numbers[i] = i;
    }
  }

  Certificate write(const Tree &t) {
    Certificate c;
    c.kind = t.kind;
    if (t.kind == Certificate::Kind::Leaf) {
      ++stats.leaves;
      stats.terms += t.products.size();
      for (const TreeProduct &p : t.products) {
        stats.degree = std::max(stats.degree, unsigned(p.facts.size()));
        proofs::Product out{p.weight, {}};
        for (FactId f : p.facts) {
          out.facts.push_back(numbers.at(f));
        }
        std::sort(out.facts.begin(), out.facts.end());
        c.products.push_back(std::move(out));
      }
      return c;
    }
    stats.splits += t.kind == Certificate::Kind::Split;
    stats.cases += t.kind == Certificate::Kind::Case;
    if (t.kind == Certificate::Kind::Solve ||
        t.kind == Certificate::Kind::Case) {
      c.fact = numbers.at(t.fact);
    }
    c.variable = t.variable;
    c.poly = ring.toPoly(t.poly);
    for (size_t i = 0; i < t.children.size(); ++i) {
      uint32_t before = next;
      for (FactId f : t.added[i]) {
        numbers[f] = next++;
      }
      c.children.push_back(write(*t.children[i]));
      next = before;
    }
    return c;
  }

private:
  const Ring &ring;
  uint32_t next;
  Stats &stats;
  std::unordered_map<FactId, uint32_t> numbers;
};
} // namespace

Step haveStep(PolyId p, FactId negated, FactId stated, TreePtr proof,
              size_t decision) {
  Step step{std::make_unique<Tree>(), 1, decision};
  step.node->kind = Certificate::Kind::Have;
  step.node->poly = p;
  step.node->reasons = proof->reasons;
  step.node->added = {{negated}, {stated}};
  step.node->children.push_back(std::move(proof));
  step.node->children.push_back(nullptr);
  return step;
}

TreePtr below(std::vector<Step> steps, TreePtr tree) {
  while (tree && !steps.empty()) {
    Step step = std::move(steps.back());
    steps.pop_back();
    if (!tree->reasons[step.decision]) {
      continue;
    }
    step.node->reasons |= tree->reasons;
    step.node->reasons.reset(step.decision);
    step.node->children[step.hole] = std::move(tree);
    tree = std::move(step.node);
  }
  return tree;
}

Certificate toCertificate(const Tree &tree, const Ring &ring, size_t facts,
                          Stats &stats) {
  return Numbering(ring, facts, stats).write(tree);
}

} // namespace girih::search
