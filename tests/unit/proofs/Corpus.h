// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Obligations with certificates that are accepted: what mutants are made of.

#ifndef GIRIH_TESTS_UNIT_PROOFS_CORPUS_H
#define GIRIH_TESTS_UNIT_PROOFS_CORPUS_H

#include "proofs/Certificate.h"

#include <filesystem>

namespace girih::proofs::test {

/// The obligations of one kernel, each with its certificate.
struct Docket {
  std::string name; ///< of the file
  std::vector<Obligation> obligations;
  std::vector<Certificate> trees;
};

/// Every `x.obligations` under a folder, with the certificates from the
/// `x.cert` beside it. An obligation has its hash at the end of a comment line
/// before it: `# <anything> <64 hexadecimal digits>`. A line `# 0 ...` begins
/// the list of another kernel. What does not parse, and an obligation without a
/// certificate, is a test failure.
std::vector<Docket> loadCorpus(const std::filesystem::path &folder);

/// Obligations for each kind of node.
std::vector<Docket> handWritten();

/// A shipped kernel, or the kernels of its list, as the build left them in its
/// folder `corpus`.
std::vector<Docket> kernel(const std::string &name);

/// What is there; empty when the build left nothing.
std::vector<std::string> kernelNames();

/// What a certificate refutes, and the certificate.
struct Exhibit {
  std::string name; ///< file, rule and label
  std::vector<Fact> facts;
  Certificate tree;
  size_t family = 0; ///< of a mutant: what was changed, by place and kind
};

/// Every obligation of a corpus; those that differ in nothing only once.
std::vector<Exhibit> exhibits(const std::vector<Docket> &corpus);

} // namespace girih::proofs::test

#endif // GIRIH_TESTS_UNIT_PROOFS_CORPUS_H
