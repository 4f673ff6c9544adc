// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/ptx/Validate.h"

#include "lower/ptx/Access.h"
#include "lower/ptx/Emit.h"
#include "lower/ptx/Linear.h"
#include "proofs/Judge.h"

namespace girih::ptx {

using namespace proofs;

/// The launch that is expected is one that the entry point is made for.
static std::optional<Error> checkLaunch(const Entry &entry,
                                        const Expected &expected) {
  if (entry.parameters.size() != expected.arguments.size()) {
    return Error{entry.line, "the entry point has " +
                                 std::to_string(entry.parameters.size()) +
                                 " parameters, the launch " +
                                 std::to_string(expected.arguments.size())};
  }
  uint64_t threads = 1;
  for (size_t axis = 0; axis < 3; ++axis) {
    threads *= expected.threads[axis];
    if (!entry.requiredThreads.empty() &&
        entry.requiredThreads[axis] != expected.threads[axis]) {
      return Error{entry.line, ".reqntid is not that of the launch"};
    }
  }
  uint64_t most = 1;
  for (uint64_t n : entry.maxThreads) {
    most *= n;
  }
  if (!entry.maxThreads.empty() && threads > most) {
    return Error{entry.line, ".maxntid is below that of the launch"};
  }
  for (size_t i = 0; i < entry.parameters.size(); ++i) {
    const Type &type = entry.parameters[i].type;
    bool address = expected.arguments[i].tensor.has_value();
    // Of a float the value is its bits.
    if (address && (type.kind == 'f' || type.width != 64)) {
      return Error{entry.line, "parameter '" + entry.parameters[i].name +
                                   "' has another type than the launch gives"};
    }
  }
  return std::nullopt;
}

static Refusal formal(const char *rule, const Error &e) {
  return {e.line, rule, e.message, ""};
}

static std::variant<Obligations, Refusal> analysed(Evaluator &e,
                                                   std::string &accesses) {
  auto found = accessesOf(e);
  if (auto *error = std::get_if<Error>(&found)) {
    return formal("ptx.form", *error);
  }
  Accesses &all = std::get<Accesses>(found);
  const std::vector<std::string> names = e.symbols.names();
  for (const std::vector<Access> *list : {&all.global, &all.shared}) {
    for (const Access &a : *list) {
      accesses += print(a, e, names);
    }
  }
  if (auto error = checkRegions(e, all)) {
    return formal("ptx.bounds", *error);
  }
  if (auto error = checkShared(e, all)) {
    return formal("ptx.shared", *error);
  }
  if (auto error = checkBarriers(e)) {
    return formal("ptx.barrier", *error);
  }
  if (auto error = checkDependency(e, all)) {
    return formal("ptx.dependency", *error);
  }
  auto awaited = checkRings(e, all);
  if (auto *error = std::get_if<Error>(&awaited)) {
    return formal("ptx.ring", *error);
  }
  if (auto error = checkRaces(e, all)) {
    return formal("ptx.race", *error);
  }
  if (auto error = checkCoverage(e, std::get<std::vector<Access>>(awaited))) {
    return formal("ptx.coverage", *error);
  }
  findQuotientLemmas(e);
  auto vcs = Emitter(e).run();
  if (auto *error = std::get_if<Error>(&vcs)) {
    return formal("ptx.form", *error);
  }
  return std::get<Obligations>(std::move(vcs));
}

static std::variant<Obligations, Refusal> analysed(const Module &module,
                                                   const Expected &expected,
                                                   std::string &accesses) {
  const Entry *entry = nullptr;
  for (const Entry &e : module.entries) {
    entry = e.name == expected.entry ? &e : entry;
  }
  if (!entry || module.entries.size() != 1) {
    return formal("ptx.form", {0, "the module has other entry points than '" +
                                      expected.entry + "'"});
  }
  if (auto error = checkLaunch(*entry, expected)) {
    return formal("ptx.launch", *error);
  }
  auto flow = Flow::of(*entry);
  if (auto *error = std::get_if<Error>(&flow)) {
    return formal("ptx.form", *error);
  }
  Evaluator e(std::get<Flow>(std::move(flow)), module, expected);
  return analysed(e, accesses);
}

static std::variant<Proof, Refusal> prepared(std::string_view ptx,
                                             const Expected &expected,
                                             Obligations &vcs, Module &module) {
  auto read = ptx::read(ptx);
  if (auto *error = std::get_if<Error>(&read)) {
    return formal("ptx.form", *error);
  }
  module = std::get<Module>(std::move(read));
  Proof proof;
  auto obligations = analysed(module, expected, proof.accesses);
  if (auto *refusal = std::get_if<Refusal>(&obligations)) {
    return *refusal;
  }
  vcs = std::get<Obligations>(std::move(obligations));
  proof.obligations = std::move(vcs.all);
  return proof;
}

std::variant<Proof, Refusal> obligationsOf(std::string_view ptx,
                                           const Expected &expected) {
  Obligations vcs;
  Module module;
  return prepared(ptx, expected, vcs, module);
}

static Refusal unproved(const Proof &proof, const Obligations &vcs,
                        const Entry &entry, size_t i, const std::string &why) {
  const Instruction &code = entry.instructions[vcs.instruction[i]];
  const Obligation &o = proof.obligations[i];
  return {code.line, o.rule,
          o.label + " is not proved" + (why.empty() ? "" : " (" + why + ")") +
              ": " + print(code),
          print(o)};
}

std::variant<Proof, Refusal> validate(std::string_view ptx,
                                      const Expected &expected,
                                      const FindCertificate &find) {
  Obligations vcs;
  Module module;
  auto result = prepared(ptx, expected, vcs, module);
  if (std::holds_alternative<Refusal>(result)) {
    return result;
  }
  Proof &proof = std::get<Proof>(result);
  const Entry &entry = module.entries[0];
  for (size_t i = 0; i < proof.obligations.size(); ++i) {
    std::optional<Certificate> c = std::move(vcs.certificates[i]);
    if (!c) {
      c = linearCertificate(proof.obligations[i]);
    }
    if (!c) {
      c = find(proof.obligations[i]);
    }
    if (!c) {
      return unproved(proof, vcs, entry, i, "");
    }
    proof.certificates.push_back(std::move(*c));
  }
  std::vector<const Certificate *> certificates;
  for (const Certificate &c : proof.certificates) {
    certificates.push_back(&c);
  }
  std::vector<CheckResult> rulings = judge(proof.obligations, certificates);
  for (size_t i = 0; i < rulings.size(); ++i) {
    if (!rulings[i].accepted) {
      return unproved(proof, vcs, entry, i, rulings[i].reason);
    }
  }
  return result;
}

} // namespace girih::ptx
