// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "proofs/CoqPrinter.h"

#include <algorithm>
#include <cctype>
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

std::string coqTerm(const Definition &d) {
  const char *kinds[] = {"Quotient", "Select", "Wrap", "Name"};
  return std::string("Definition_ ") + kinds[size_t(d.kind)] + " " +
         coqList(d.arguments, [](const Poly &p) { return coqTerm(p); }) + " " +
         coqList(d.results, coqVariable);
}

static std::string coqTerm(const Origin &o) {
  std::string index = std::to_string(o.index);
  if (o.kind == Origin::Kind::Definition) {
    return "(FromDefinition " + index + " " + std::to_string(o.part) + ")";
  }
  if (o.kind == Origin::Kind::Proved) {
    return "(FromProved " + index + " " +
           coqList(o.renaming,
                   [](const std::pair<Var, Var> &p) {
                     return "(" + coqVariable(p.first) + ", " +
                            coqVariable(p.second) + ")";
                   }) +
           ")";
  }
  return "Kernel";
}

static std::string coqList(const std::vector<bool> &list) {
  return coqList(list,
                 [](bool b) { return std::string(b ? "true" : "false"); });
}

namespace {

/// Gives each distinct term a name, and writes its definition once.
class Shared {
public:
  Shared(std::string prefix, std::string type)
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

static const std::string header = "From Coq Require Import ZArith List.\n"
                                  "From Girih Require Import Batch.\n"
                                  "Import ListNotations.\n"
                                  "Open Scope N_scope.\n";

/// Definitions of the constants `v<n>` that a text uses: before `v` stands no
/// letter or digit, behind it stand digits.
static std::string variablesIn(const std::string &text) {
  std::set<Var> variables;
  for (size_t i = 1; i + 1 < text.size(); ++i) {
    if (text[i] == 'v' && !std::isalnum(text[i - 1]) &&
        std::isdigit(text[i + 1])) {
      variables.insert(Var(std::stoul(text.substr(i + 1, 10))));
    }
  }
  std::string out;
  for (Var v : variables) {
    out += "Definition " + coqVariable(v) +
           " := " + std::to_string(uint64_t(v) + 1) + "%positive.\n";
  }
  return out;
}

std::string coqCertificates(const std::string &name,
                            std::span<const Certificate> list) {
  std::string out = "Definition " + name + " : list cert :=\n  [";
  for (size_t i = 0; i < list.size(); ++i) {
    out += (i == 0 ? "" : ";\n   ") + coqTerm(list[i]);
  }
  return variablesIn(out) + out + "].\n";
}

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

/// `what cases = []`, in groups.
static std::string coqExamples(const std::vector<std::string> &cases,
                               const std::string &what, size_t groupSize) {
  std::string out, group;
  for (size_t i = 0; i < cases.size(); ++i) {
    group += (group.empty() ? "" : ";\n   ") + cases[i];
    if ((i + 1) % groupSize == 0 || i + 1 == cases.size()) {
      // A proof by `vm_compute` would compute again at its `Qed`.
      std::string name = "group" + std::to_string(i / groupSize);
      out += "Definition " + name + " := Eval vm_compute in\n  " + what +
             "\n  [" + group + "].\nExample " + name + "_none : " + name +
             " = [].\nProof. unfold " + name + ". reflexivity. Qed.\n";
      group.clear();
    }
  }
  return out;
}

std::string coqFile(std::span<const CoqCase> cases, size_t groupSize) {
  std::string out;
  Shared facts("fact", "fact"), lists("facts", "list fact"),
      trees("tree", "cert");
  std::vector<std::string> base; // the last list that is written in full
  std::string baseName;
  std::vector<std::string> examples;
  for (const CoqCase &c : cases) {
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
    examples.push_back("(" + name + ", " + trees.name(coqTerm(c.tree), out) +
                       (c.expected
                            ? ", Some " + std::to_string(*c.expected) + ")"
                            : std::string(", None)")));
  }
  out += coqExamples(examples, "mismatches", groupSize);
  return header + variablesIn(out) + out;
}

namespace {

/// Obligations, with their facts and definitions shared.
class SharedObligations {
public:
  std::string name(const Obligation &o, std::string &out) {
    std::string term = "Obligation " +
                       coqList(o.definitions,
                               [&](const Definition &d) {
                                 return definitions.name(coqTerm(d), out);
                               }) +
                       " " +
                       coqList(o.hypotheses,
                               [&](const Hypothesis &h) {
                                 return "Given " +
                                        facts.name(coqTerm(h.fact), out) + " " +
                                        coqTerm(h.origin);
                               }) +
                       " " + coqTerm(o.goal);
    return obligations.name(term, out);
  }

private:
  Shared facts{"fact", "fact"}, definitions{"definition", "definition"},
      obligations{"obligation", "obligation"};
};

} // namespace

std::string coqFile(std::span<const CoqListCase> cases, size_t groupSize) {
  std::string out;
  SharedObligations shared;
  std::vector<std::string> examples;
  for (const CoqListCase &c : cases) {
    std::string list = coqList(
        c.all, [&](const Obligation &o) { return shared.name(o, out); });
    examples.push_back("(" + list + ", " + coqList(c.expected) + ")");
  }
  out += coqExamples(examples, "listMismatches", groupSize);
  return header + variablesIn(out) + out;
}

std::string coqFile(std::span<const Obligation> all,
                    std::span<const CoqJudgement> judgements) {
  std::string out, examples;
  SharedObligations shared;
  Shared trees("tree", "cert");
  std::vector<std::string> names;
  for (const Obligation &o : all) {
    names.push_back(shared.name(o, out));
  }
  for (size_t j = 0; j < judgements.size(); ++j) {
    const std::vector<const Certificate *> &list = judgements[j].certificates;
    std::string name = "verdict" + std::to_string(j);
    examples += "Definition " + name + " := Eval vm_compute in\n  judge [";
    for (size_t i = 0; i < all.size(); ++i) {
      const Certificate *c = i < list.size() ? list[i] : nullptr;
      examples +=
          (i == 0 ? "(" : ";\n    (") + names[i] + ", " +
          (c ? "Some " + trees.name(coqTerm(*c), out) : std::string("None")) +
          ")";
    }
    examples += "].\nExample " + name + "_expected : " + name + " =\n  " +
                coqList(judgements[j].expected) + ".\nProof. unfold " + name +
                ". reflexivity. Qed.\n";
  }
  out += examples;
  return header + variablesIn(out) + out;
}

} // namespace girih::proofs
