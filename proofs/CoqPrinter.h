// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts and certificates as Coq terms, for the second judge in theory/. What
// is printed wrongly is judged wrongly there, so this is short and plain.

#ifndef GIRIH_PROOFS_COQPRINTER_H
#define GIRIH_PROOFS_COQPRINTER_H

#include "proofs/Certificate.h"

#include <optional>
#include <span>

namespace girih::proofs {

/// Terms of theory/ in scope N; variable `n` is the constant `v<n>`.
std::string coqTerm(const Fact &f);
std::string coqTerm(const Certificate &c);
std::string coqTerm(const Definition &d);

/// Definitions of a list of certificates under this name, and of the variables
/// that it speaks of.
std::string coqCertificates(const std::string &name,
                            std::span<const Certificate> list);

/// Facts, a certificate, and for how much work it should refute them; nothing
/// where it should not.
struct CoqCase {
  std::vector<Fact> facts;
  Certificate tree;
  std::optional<uint64_t> expected;
};

/// Obligations, and which of them should be well founded.
struct CoqListCase {
  std::vector<Obligation> all;
  std::vector<bool> expected;
};

/// A Coq file that compiles exactly if the theory rules on every case as
/// expected. What occurs more than once is defined once. A file that fails
/// names the numbers of the cases, which start again at 0 in every group of
/// `groupSize`.
std::string coqFile(std::span<const CoqCase> cases, size_t groupSize = 500);
std::string coqFile(std::span<const CoqListCase> cases, size_t groupSize = 500);

/// Certificates of a list of obligations, null for none, and which of the
/// obligations should be accepted with them.
struct CoqJudgement {
  std::vector<const Certificate *> certificates;
  std::vector<bool> expected;
};

/// A Coq file that compiles exactly if the judge of theory/WellFounded.v
/// rules in every judgement as expected.
std::string coqFile(std::span<const Obligation> all,
                    std::span<const CoqJudgement> judgements);

} // namespace girih::proofs

#endif // GIRIH_PROOFS_COQPRINTER_H
