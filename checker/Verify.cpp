// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/Verify.h"
#include "checker/Replay.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

using namespace girih::proofs;

namespace girih::checker {

const char *statusName(Status s) {
  switch (s) {
  case Status::Proved:
    return "proved";
  case Status::Refuted:
    return "refuted";
  case Status::Unknown:
    return "unknown";
  case Status::Blocked:
    return "blocked";
  }
  return "";
}

const char *verdictName(VerdictKind k) {
  switch (k) {
  case VerdictKind::Verified:
    return "VERIFIED";
  case VerdictKind::Refuted:
    return "REFUTED";
  case VerdictKind::Unknown:
    return "UNKNOWN";
  case VerdictKind::Unsatisfiable:
    return "UNSATISFIABLE";
  }
  return "";
}

static std::string sha256(llvm::StringRef text) {
  llvm::SHA256 h;
  h.update(text);
  return llvm::toHex(h.final(), /*LowerCase=*/true);
}

std::string obligationHash(const Obligation &o) {
  return sha256(o.rule + " table " + std::to_string(definitionTableVersion) +
                "\n" + canonicalText(o));
}

VerifiedKernel::VerifiedKernel(tile::KernelOp kernel) {
  module = mlir::ModuleOp::create(kernel.getLoc());
  module->push_back(kernel->clone());
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, mlir::OpPrintingFlags().enableDebugInfo(false));
  sha256 = checker::sha256(text);
}

tile::KernelOp VerifiedKernel::kernel() const {
  return mlir::cast<tile::KernelOp>(module.get().getBody()->front());
}

/// The stages over one kernel; the only maker of VerifiedKernel.
struct Verifier {
  tile::KernelOp kernel;
  const VerifyOptions &options;
  Verdict v;
  std::string modelFault;         ///< what went wrong when the model was run
  uint64_t steps = options.steps; ///< that are left, as the units are
  search::Units units = options.units;

  void prove();
  void tryCheaply(size_t i);
  bool accept(size_t i, const Certificate &c, bool stored);
  bool restsOnOpen(size_t i);
  bool searchCertificate(size_t i, const search::Budget &budget);
  void refute(size_t i);
  bool isAbsurd(const Obligation &o);
  void findModel(const Owed &query);
  void secondOpinion();
  void conclude();
};

static Ruling ruling(const Obligation &o, const Certificate &c) {
  std::vector<Fact> facts;
  for (const Hypothesis &h : o.hypotheses) {
    facts.push_back(h.fact);
  }
  facts.push_back(Fact::atLeastZero(negatedGoal(o)));
  return refutes(std::move(facts), c);
}

/// Asks the judge, for this obligation alone; whether the earlier ones that it
/// rests on hold is asked once more over the whole list at the end.
bool Verifier::accept(size_t i, const Certificate &c, bool stored) {
  Ruling r = ruling(v.owed[i].obligation, c);
  if (!r.accepted) {
    v.findings[i].reason = r.reason;
    return false;
  }
  v.findings[i].status = Status::Proved;
  v.findings[i].certificate = c;
  v.findings[i].stored = stored;
  v.findings[i].reason.clear();
  return true;
}

bool Verifier::restsOnOpen(size_t i) {
  for (const Hypothesis &h : v.owed[i].obligation.hypotheses) {
    if (h.origin.kind == Origin::Kind::Proved &&
        v.findings[h.origin.index].status != Status::Proved) {
      v.findings[i].reason =
          "rests on obligation " + std::to_string(h.origin.index);
      return true;
    }
  }
  return false;
}

bool Verifier::searchCertificate(size_t i, const search::Budget &budget) {
  search::Stats stats;
  auto c =
      options.search->findCertificate(v.owed[i].obligation, budget, &stats);
  steps -= std::min(steps, stats.pivots);
  if (!c && steps == 0) {
    v.findings[i].reason = "no certificate within the kernel's budget, which "
                           "--steps raises";
  }
  return c && accept(i, *c, false);
}

void Verifier::refute(size_t i) {
  search::Model m;
  if (options.search->findModel(v.owed[i].obligation,
                                minimisationOrder(v.owed[i]), units,
                                m) != search::Answer::Sat) {
    return;
  }
  v.findings[i].reason = "a model exists, but no run shows a fault";
  if (auto c = replay(kernel, v.owed[i], m, options.width)) {
    c->obligation = i;
    v.findings[i].status = Status::Refuted;
    v.findings[i].reason = c->fault.message;
    v.counterexamples.push_back(std::move(*c));
  }
}

/// A stored certificate, a short search, a model. Most obligations fall at
/// once, and a solver that has to find out that there is no model is slow.
void Verifier::tryCheaply(size_t i) {
  Finding &f = v.findings[i];
  f.hash = obligationHash(v.owed[i].obligation);
  if (restsOnOpen(i)) {
    f.status = Status::Blocked;
    return;
  }
  f.status = Status::Unknown;
  f.reason = "no certificate";
  if (options.certificates) {
    auto it = options.certificates->byHash.find(f.hash);
    if (it != options.certificates->byHash.end() &&
        accept(i, it->second, true)) {
      return;
    }
  }
  if (!options.search) {
    return;
  }
  search::Budget quick{std::min<uint64_t>(steps, 10000), 10, 2};
  if (!searchCertificate(i, quick)) {
    refute(i);
  }
}

void Verifier::prove() {
  v.findings.resize(v.owed.size());
  for (size_t i = 0; i < v.owed.size(); ++i) {
    tryCheaply(i);
    if (!options.allFaults && !v.counterexamples.empty()) {
      return;
    }
  }
  for (size_t i = 0; i < v.owed.size(); ++i) {
    Finding &f = v.findings[i];
    if (f.status == Status::Blocked) {
      tryCheaply(i);
    }
    // A refuted kernel stays refuted, whatever more could be proved of it.
    if (f.status == Status::Unknown && options.search &&
        v.counterexamples.empty()) {
      search::Budget full;
      full.pivots = steps / 2; // the others have a right to the rest
      searchCertificate(i, full);
    }
  }
}

/// Whether the judge agrees that the hypotheses contradict each other: the
/// solver's word is not enough to call a contract empty.
bool Verifier::isAbsurd(const Obligation &o) {
  search::Budget budget;
  budget.pivots = steps;
  search::Stats stats;
  auto c = options.search->findCertificate(o, budget, &stats);
  steps -= std::min(steps, stats.pivots);
  return c && ruling(o, *c).accepted;
}

void Verifier::findModel(const Owed &query) {
  // The executor decides whether a launch meets the contract, a stored one as
  // well as one that was found.
  std::string reason;
  auto meets = [&](const Launch &launch) {
    if (launch.symbols.empty() && !kernel.getLaunchSymbols().empty()) {
      reason = "no launch that meets the contract was found";
      return false;
    }
    ModelRun run = tryModel(kernel, launch, options.width);
    reason = run.refusal;
    modelFault = run.fault;
    return reason.empty();
  };
  Launch launch;
  if (options.certificates) {
    launch = launchOf(kernel, options.certificates->model);
  }
  bool met = meets(launch);
  if (!met && options.search) {
    for (Launch &small : smallLaunches(kernel)) {
      if (!met && (met = meets(small))) {
        launch = std::move(small);
      }
    }
  }
  if (!met && options.search) {
    launch = {};
    search::Model m;
    switch (options.search->findModel(query.obligation,
                                      minimisationOrder(query), units, m)) {
    case search::Answer::Sat:
      launch = launchOf(query, m);
      break;
    case search::Answer::Unsat:
      if (isAbsurd(query.obligation)) {
        v.kind = VerdictKind::Unsatisfiable;
        v.modelReason = "no launch with every extent and the grid at least 1 "
                        "meets the contract";
        return;
      }
      break;
    case search::Answer::Unknown:
      break;
    }
    meets(launch);
  }
  v.modelReason = reason;
  if (reason.empty()) {
    v.model = launch.symbols;
  }
}

void Verifier::secondOpinion() {
  for (size_t i = 0; i < v.owed.size(); ++i) {
    Finding &f = v.findings[i];
    if (f.status == Status::Blocked) {
      continue;
    }
    f.secondOpinion = options.search->crossCheck(v.owed[i].obligation, 1);
    bool proved = f.status == Status::Proved;
    if ((proved && f.secondOpinion == search::Answer::Sat) ||
        (f.status == Status::Refuted &&
         f.secondOpinion == search::Answer::Unsat)) {
      v.disagreements.push_back(i);
    }
  }
}

void Verifier::conclude() {
  if (v.kind == VerdictKind::Unsatisfiable) {
    return;
  }
  if (!v.counterexamples.empty()) {
    v.kind = VerdictKind::Refuted;
    return;
  }
  std::vector<Obligation> all;
  std::vector<const Certificate *> certificates;
  for (size_t i = 0; i < v.owed.size(); ++i) {
    all.push_back(v.owed[i].obligation);
    certificates.push_back(
        v.findings[i].certificate ? &*v.findings[i].certificate : nullptr);
  }
  std::vector<Ruling> rulings = judge(all, certificates);
  bool proved = v.model.has_value();
  for (size_t i = 0; i < v.owed.size(); ++i) {
    if (!rulings[i].accepted && v.findings[i].status == Status::Proved) {
      v.findings[i].status = Status::Unknown;
      v.findings[i].reason = rulings[i].reason;
    }
    proved &= rulings[i].accepted;
  }
  if (proved && !modelFault.empty()) {
    // Generator and executor contradict each other: never VERIFIED.
    v.modelReason = "every obligation is certified, yet the model of the "
                    "contract faults when it is run: " +
                    modelFault;
    return;
  }
  if (proved && v.disagreements.empty()) {
    v.kind = VerdictKind::Verified;
    v.verified =
        std::shared_ptr<const VerifiedKernel>(new VerifiedKernel(kernel));
  }
}

Verdict verify(tile::KernelOp kernel, const VerifyOptions &options) {
  Verifier verifier{kernel, options, {}, {}};
  Generated g = generate(kernel, options.width);
  verifier.v.owed = std::move(g.owed);
  verifier.v.witnesses = std::move(g.witnesses);
  verifier.findModel(g.satisfiable);
  if (verifier.v.kind != VerdictKind::Unsatisfiable) {
    verifier.prove();
    if (options.crossCheck && options.search) {
      verifier.secondOpinion();
    }
  }
  verifier.conclude();
  return std::move(verifier.v);
}

CertificateFile certificateFile(const Verdict &v) {
  CertificateFile f;
  if (v.model) {
    f.model = *v.model;
  }
  for (const Finding &x : v.findings) {
    if (x.certificate) {
      f.byHash.emplace(x.hash, *x.certificate);
    }
  }
  return f;
}

} // namespace girih::checker
