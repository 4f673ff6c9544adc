// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kernel -> obligations -> certificates -> rulings -> verdict. Nothing is
// proved but by the judge, nothing refuted but by a run of the executor.

#ifndef GIRIH_CHECKER_DECIDE_VERIFY_H
#define GIRIH_CHECKER_DECIDE_VERIFY_H

#include "checker/decide/OptOuts.h"
#include "checker/decide/Verified.h"
#include "checker/generate/Generate.h"
#include "checker/search/Search.h"
#include "proofs/Judge.h"
#include "spec/executor/Executor.h"

namespace girih::checker {

enum class Status {
  Proved,  ///< the judge accepted a certificate
  Refuted, ///< a launch breaks it, seen on the executor
  Unknown, ///< neither
  Blocked, ///< rests on an obligation that is not proved
};
const char *statusName(Status s);

/// What became of one obligation.
struct Finding {
  Status status = Status::Unknown;
  std::string hash;
  std::optional<proofs::Certificate> certificate;
  bool stored = false; ///< the certificate came from the file
  std::string reason;  ///< why it is not proved
  std::optional<search::Answer> secondOpinion; ///< of --cross-check
};

/// A launch that breaks a rule, and how to see it.
struct Counterexample {
  size_t obligation = 0;
  std::vector<std::pair<std::string, int64_t>> symbols; ///< launch order
  std::vector<int64_t> grid;
  /// Of tensors of integers, by name, in row-major order; others are seeded.
  std::map<std::string, std::vector<int64_t>> contents;
  std::optional<std::vector<std::vector<int64_t>>> blocks; ///< a slice
  bool values = true; ///< shows with float lanes computed, too
  exec::Fault fault;
};

enum class VerdictKind { Verified, Refuted, Unknown, Unsatisfiable };
const char *verdictName(VerdictKind k);

struct Verdict {
  VerdictKind kind = VerdictKind::Unknown;
  std::vector<Vc> vcs;
  std::vector<Finding> findings; ///< parallel to vcs
  std::vector<Counterexample> counterexamples;
  /// A launch that meets the contract, every extent and the grid at least 1.
  std::optional<std::vector<std::pair<std::string, int64_t>>> model;
  std::string modelReason; ///< why there is none
  /// The kernel has more obligations than are kept, from here on: `vcs` is empty.
  std::optional<TooLarge> tooLarge;
  /// What is left of the two, see VerifyOptions.
  size_t factUnits = 0;
  uint64_t readable = 0;
  std::vector<std::string> witnesses;
  /// In the order of the text; a verdict of such a kernel rests on them.
  std::vector<OptOut> optOuts;
  /// Obligations on which judge and solver disagree: always a bug of ours.
  std::vector<size_t> disagreements;
  std::shared_ptr<const VerifiedKernel> verified; ///< set when Verified
};

/// Between which stages a kernel is: its text was taken, its obligations were
/// generated, they were judged.
enum class Stage { Sealed, Generated, Judged };

struct VerifyOptions {
  Width width;
  /// Certificates beside the kernel; found by hash, never trusted.
  const proofs::CertificateFile *certificates = nullptr;
  /// The search; null replays stored certificates only.
  const search::Api *search = nullptr;
  bool crossCheck = false;
  /// False: all ends with the first counterexample, the others' findings are
  /// left open.
  bool allFaults = true;
  /// False: the solver is asked for launches that meet the contract, not for
  /// such that break a rule.
  bool models = true;
  /// What the whole kernel may cost: steps of the search for certificates, some
  /// microseconds each, and units of the solver for models. Counted, so that no
  /// verdict depends on the machine's load.
  uint64_t steps = 150'000;
  search::Units units;
  /// What facts and obligations may come to, see maxFactUnits, and what
  /// searches may read of them, in hypotheses: a search reads all of an
  /// obligation before it counts a step. All kernels of a file share them.
  size_t factUnits = maxFactUnits;
  uint64_t readable = 2'000'000;
  /// On how many threads certificates are searched for; the verdict is the
  /// same with any number.
  unsigned threads = 1;
  /// Called between stages, by tests that change the kernel there: none of the
  /// changes may end in a verdict about another kernel.
  std::function<void(Stage, tile::KernelOp)> between;
};

Verdict verify(tile::KernelOp kernel, const VerifyOptions &options);

/// The certificates and the model of a verdict, as they are stored.
proofs::CertificateFile certificateFile(const Verdict &v);

/// The hash by which a certificate is found: of the rule, the version of the
/// table of definitions and the canonical text.
std::string obligationHash(const proofs::Obligation &o);

} // namespace girih::checker

#endif // GIRIH_CHECKER_DECIDE_VERIFY_H
