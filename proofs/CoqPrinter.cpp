// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "proofs/CoqPrinter.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace girih::proofs {

/// `[a; b; c]`, each element by `element`.
template <typename List, typename F>
static std::string coqList(const List &list, F element) {
  std::string out = "[";
  for (const auto &x : list) {
    out += (out.size() == 1 ? "" : "; ") + element(x);
  }
  return out + "]";
}

static std::string coqInteger(Int value) {
  return "(" + toString(value) + ")%Z";
}

static std::string coqVariable(Var v) { return "v" + std::to_string(v); }

static std::string coqTerm(const Poly &p) {
  return coqList(p.terms(), [](const Term &t) {
    return "(" + coqList(t.vars, coqVariable) + ", " + coqInteger(t.coeff) +
           ")";
  });
}

std::string coqTerm(const Fact &f) {
  return coqList(f.branches, [](const std::vector<Atom> &branch) {
    return coqList(branch, [](const Atom &a) {
      return std::string(a.equality ? "Atom true " : "Atom false ") +
             coqTerm(a.poly);
    });
  });
}

static std::string coqNode(const Certificate &c) {
  std::string fact = std::to_string(c.fact);
  switch (c.kind) {
  case Certificate::Kind::Leaf:
    return "Leaf " + coqList(c.products, [](const Product &p) {
             return "(" + coqInteger(p.weight) + ", " +
                    coqList(p.facts,
                            [](uint32_t f) { return std::to_string(f); }) +
                    ")";
           });
  case Certificate::Kind::Solve:
    return "Solve " + fact + " " + coqVariable(c.variable);
  case Certificate::Kind::Case:
    return "Case " + fact;
  case Certificate::Kind::Split:
    return "Split " + coqTerm(c.poly);
  case Certificate::Kind::Have:
    return "Have " + coqTerm(c.poly);
  }
  return "unknown";
}

std::string coqTerm(const Certificate &c) {
  return "Cert (" + coqNode(c) + ") " +
         coqList(c.children, [](const Certificate &child) {
           return "(" + coqTerm(child) + ")";
         });
}

static void collect(const Poly &p, std::set<Var> &variables) {
  for (const Term &t : p.terms()) {
    variables.insert(t.vars.begin(), t.vars.end());
  }
}

static void collect(const Certificate &c, std::set<Var> &variables) {
  variables.insert(c.variable);
  collect(c.poly, variables);
  for (const Certificate &child : c.children) {
    collect(child, variables);
  }
}

static std::set<Var> variablesOf(std::span<const CoqCase> cases) {
  std::set<Var> variables;
  for (const CoqCase &c : cases) {
    collect(c.tree, variables);
    for (const Fact &f : c.facts) {
      for (const std::vector<Atom> &branch : f.branches) {
        for (const Atom &a : branch) {
          collect(a.poly, variables);
        }
      }
    }
  }
  return variables;
}

namespace {

/// Gives each distinct term a name, and writes its definition once.
class Definitions {
public:
  Definitions(std::string prefix, std::string type)
      : prefix(std::move(prefix)), type(std::move(type)) {}

  std::string name(const std::string &term, std::string &out) {
    auto [it, isNew] = names.try_emplace(term, names.size());
    std::string name = prefix + std::to_string(it->second);
    if (isNew) {
      out += "Definition " + name + " : " + type + " := " + term + ".\n";
    }
    return name;
  }

private:
  std::string prefix, type;
  std::unordered_map<std::string, size_t> names;
};

} // namespace

/// The list, or what makes it of `base`, where most of it is the same.
static std::string spliced(const std::vector<std::string> &list,
                           const std::vector<std::string> &base,
                           const std::string &baseName) {
  size_t shorter = std::min(list.size(), base.size()), before = 0, after = 0;
  while (before < shorter && list[before] == base[before]) {
    ++before;
  }
  while (after < shorter - before &&
         list[list.size() - 1 - after] == base[base.size() - 1 - after]) {
    ++after;
  }
  auto same = [](const std::string &s) { return s; };
  if (baseName.empty() || before + after < list.size() / 2) {
    return coqList(list, same);
  }
  std::vector<std::string> middle(list.begin() + long(before),
                                  list.end() - long(after));
  return "splice " + baseName + " " + std::to_string(before) + "%nat " +
         std::to_string(base.size() - before - after) + "%nat " +
         coqList(middle, same);
}

std::string coqFile(std::span<const CoqCase> cases, size_t groupSize) {
  std::string out = "From Coq Require Import ZArith List.\n"
                    "From Girih Require Import Batch.\n"
                    "Import ListNotations.\n"
                    "Open Scope N_scope.\n";
  for (Var v : variablesOf(cases)) {
    out += "Definition " + coqVariable(v) +
           " := " + std::to_string(uint64_t(v) + 1) + "%positive.\n";
  }
  Definitions facts("fact", "fact"), lists("facts", "list fact"),
      trees("tree", "cert");
  std::vector<std::string> base; // the last list that is written in full
  std::string baseName, group;
  for (size_t i = 0; i < cases.size(); ++i) {
    const CoqCase &c = cases[i];
    std::vector<std::string> list;
    for (const Fact &f : c.facts) {
      list.push_back(facts.name(coqTerm(f), out));
    }
    std::string term = spliced(list, base, baseName);
    std::string name = lists.name(term, out);
    if (term[0] == '[') {
      base = list;
      baseName = name;
    }
    group += (group.empty() ? "(" : ";\n   (") + name + ", " +
             trees.name(coqTerm(c.tree), out) +
             (c.expected ? ", true)" : ", false)");
    if ((i + 1) % groupSize == 0 || i + 1 == cases.size()) {
      std::string number = std::to_string(i / groupSize);
      out += "Example group" + number + " :\n  mismatches\n  [" + group +
             "] = [].\nProof. vm_compute. reflexivity. Qed.\n";
      group.clear();
    }
  }
  return out;
}

} // namespace girih::proofs
