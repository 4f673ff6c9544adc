// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Obligations with certificates that are accepted: what mutants are made of.

#ifndef GIRIH_TESTS_UNIT_PROOFS_CORPUS_H
#define GIRIH_TESTS_UNIT_PROOFS_CORPUS_H

#include "proofs/Certificate.h"

#include <filesystem>

namespace girih::proofs::test {

struct Exhibit {
  std::string name; ///< file and label
  std::vector<Fact> facts;
  Certificate tree;
};

/// Every obligation of every `x.obligations` under a folder, with its
/// certificate from the `x.cert` beside it; the same pair only once. An
/// obligation has its hash at the end of a comment line before it:
/// `# <anything> <64 hexadecimal digits>`. What does not parse, and an
/// obligation without a certificate, is a test failure.
std::vector<Exhibit> loadCorpus(const std::filesystem::path &folder);

/// Obligations for each kind of node.
std::vector<Exhibit> handWritten();

/// The shipped kernels, as the build left them in its folder `corpus`; empty
/// when it did not.
std::vector<Exhibit> kernels();

} // namespace girih::proofs::test

#endif // GIRIH_TESTS_UNIT_PROOFS_CORPUS_H
