// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts and certificates as Coq terms, for the second judge in theory/. What
// is printed wrongly is judged wrongly there, so this is short and plain.

#ifndef GIRIH_PROOFS_COQPRINTER_H
#define GIRIH_PROOFS_COQPRINTER_H

#include "proofs/Certificate.h"

#include <span>

namespace girih::proofs {

/// Facts, a certificate, and whether it should refute them.
struct CoqCase {
  std::vector<Fact> facts;
  Certificate tree;
  bool expected = true;
};

/// Terms of theory/Cert.v in scope N; variable `n` is the constant `v<n>`.
std::string coqTerm(const Fact &f);
std::string coqTerm(const Certificate &c);

/// A Coq file that compiles exactly if the checker of theory/Cert.v rules on
/// every case as expected. Facts, lists of facts and trees that occur more
/// than once are defined once. A file that fails names the numbers of the
/// cases; the numbers start again at 0 in every group of `groupSize`.
std::string coqFile(std::span<const CoqCase> cases, size_t groupSize = 500);

} // namespace girih::proofs

#endif // GIRIH_PROOFS_COQPRINTER_H
