// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fuzz/campaign/Forged.h"

#include "checker/CheckFile.h"

namespace girih::fuzz {

using namespace proofs;
using checker::Verdict;
using checker::VerdictKind;

static StoredModel model(Draw &d, tile::KernelOp kernel) {
  static constexpr int64_t huge = std::numeric_limits<int64_t>::max();
  bool isSmall = d.chance(30);
  StoredModel out;
  for (const tile::LaunchSymbol &s : kernel.getLaunchSymbols()) {
    int64_t value = isSmall ? d.between(0, 9)
                            : d.pick<int64_t>({-1, 0, 1, 2, 128, 100'000'000,
                                               int64_t(1) << 40, huge, -huge});
    if (!d.chance(5)) {
      out.push_back({s.name.getValue().str(), value});
    }
  }
  if (d.chance(10)) {
    out.push_back({d.pick({"N", "Q"}), d.between(-1, 1)});
  }
  return out;
}

/// A certificate with something else in one of its nodes.
static void disturb(Draw &d, Certificate &c) {
  if (!c.children.empty() && d.chance(70)) {
    return disturb(d, c.children[d.below(std::ssize(c.children))]);
  }
  switch (d.below(4)) {
  case 0:
    c.products.clear();
    break;
  case 1:
    c.products.push_back({d.pick<Int>({1, -1, Int(1) << 100}),
                          {uint32_t(d.below(40)), uint32_t(d.below(40))}});
    break;
  case 2:
    c.fact = uint32_t(d.below(40));
    break;
  default:
    c.poly = c.poly + Poly(d.between(-2, 2));
    break;
  }
}

CertificateFile forgedFile(Draw &d, tile::KernelOp kernel,
                           const Verdict &honest,
                           const CertificateFile &foreign) {
  CertificateFile out;
  for (int64_t n = d.between(0, 4); n > 0; --n) {
    out.models.push_back(model(d, kernel));
  }
  std::vector<const Certificate *> trees;
  for (const checker::Finding &f : honest.findings) {
    if (f.certificate) {
      trees.push_back(&*f.certificate);
    }
  }
  for (auto &[hash, c] : foreign.byHash) {
    trees.push_back(&c);
    out.byHash.emplace(hash, c);
  }
  for (size_t i = 0; i < honest.vcs.size(); ++i) {
    const auto &own = honest.findings[i].certificate;
    if (trees.empty() || d.chance(30)) {
      out.byHash[checker::obligationHash(honest.vcs[i].obligation)] =
          Certificate();
      continue;
    }
    Certificate c = own && d.chance(50) ? *own : *d.pick(trees);
    if (d.chance(30)) {
      disturb(d, c);
    }
    out.byHash[checker::obligationHash(honest.vcs[i].obligation)] =
        std::move(c);
  }
  if (d.chance(20)) {
    std::string text = print(out);
    text.resize(d.below(std::ssize(text) + 1));
    auto parsed = parseCertificateFile(text);
    if (auto *file = std::get_if<CertificateFile>(&parsed)) {
      return *file;
    }
  }
  return out;
}

/// What is wrong with a verdict, given the honest one.
static std::string contradicted(const Verdict &honest, const Verdict &verdict,
                                bool isWrong, bool searched) {
  bool isVerified = verdict.kind == VerdictKind::Verified;
  // An honest search that stopped early may be outdone by a certificate that
  // the judge accepts.
  bool isKnown = honest.kind != VerdictKind::Unknown;
  bool isBetter = isVerified && honest.kind != VerdictKind::Verified;
  bool differs = searched && isKnown && verdict.kind != honest.kind;
  return (isVerified && isWrong) || (isBetter && isKnown) || differs
             ? std::string(verdictName(honest.kind)) + ", but " +
                   verdictName(verdict.kind) + " with a forged file"
             : "";
}

/// One file with what two have; of two certificates for one hash the first.
static CertificateFile merged(const CertificateFile &first,
                              const CertificateFile &second) {
  CertificateFile out = first;
  llvm::append_range(out.models, second.models);
  out.byHash.insert(second.byHash.begin(), second.byHash.end());
  return out;
}

std::string tryForged(Draw &d, tile::KernelOp kernel, const Verdict &honest,
                      const checker::VerifyOptions &options, bool isWrong,
                      const CertificateFile &foreign) {
  std::vector<CertificateFile> files = {
      foreign, merged(foreign, certificateFile(honest))};
  for (int round = 0; round < 3; ++round) {
    files.push_back(forgedFile(d, kernel, honest, foreign));
  }
  checker::VerifyOptions with = options;
  with.crossCheck = false;
  for (const CertificateFile &file : files) {
    with.certificates = &file;
    for (bool search : {false, true}) {
      with.search = search ? options.search : nullptr;
      Verdict verdict = checker::verify(kernel, with);
      std::string why = contradicted(honest, verdict, isWrong, search);
      if (!why.empty()) {
        return why;
      }
      // Whatever a file says, telling the two apart ends.
      checker::difference(verdict, honest);
    }
  }
  return "";
}

std::string tryAgain(tile::KernelOp kernel, const Verdict &honest,
                     const checker::VerifyOptions &options) {
  checker::VerifyOptions with = options;
  with.crossCheck = true;
  Verdict second = checker::verify(kernel, with);
  for (size_t i : second.disagreements) {
    return "judge and solver disagree on " + second.vcs[i].obligation.label +
           " [" + second.vcs[i].obligation.rule + "]";
  }
  CertificateFile file = certificateFile(honest);
  with.crossCheck = false;
  with.certificates = &file;
  with.search = nullptr;
  std::string what = difference(checker::verify(kernel, with), honest);
  return honest.kind == VerdictKind::Verified ? what : "";
}

} // namespace girih::fuzz
