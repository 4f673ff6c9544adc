// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/CheckFile.h"
#include "checker/decide/Suggest.h"
#include "ir/tool/Files.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <chrono>

namespace girih::checker {

std::string certificatePath(llvm::StringRef kernel) {
  llvm::SmallString<128> path(kernel);
  llvm::sys::path::replace_extension(path, ".cert");
  return path.str().str();
}

/// Far more than any kernel needs.
static constexpr size_t maxCertificateBytes = 64 << 20;

std::string readCertificates(llvm::StringRef kernel,
                             std::optional<proofs::CertificateFile> &out) {
  std::string path = certificatePath(kernel);
  if (!llvm::sys::fs::exists(path)) {
    return "";
  }
  auto buffer = tile::readBytes(path, maxCertificateBytes);
  if (!buffer) {
    return path + ": " + buffer.getError().message();
  }
  if ((*buffer)->getBufferSize() > maxCertificateBytes) {
    return path + ": more than " + std::to_string(maxCertificateBytes) +
           " bytes";
  }
  auto parsed = proofs::parseCertificateFile((*buffer)->getBuffer().str());
  if (auto *e = std::get_if<proofs::ParseError>(&parsed)) {
    return path + ":" + std::to_string(e->line) + ": " + e->message;
  }
  out = std::get<proofs::CertificateFile>(std::move(parsed));
  return "";
}

/// Verifies, and searches when the stored certificates are not enough; keeps at
/// most so many diagnostics. False without a search library.
static bool verifyWith(const CheckOptions &options, VerifyOptions verifyOptions,
                       size_t most, Checked &c, std::string &failure) {
  auto start = std::chrono::steady_clock::now();
  // A shipped kernel needs no solver, and loading one takes a while.
  bool needsSearch = !verifyOptions.certificates || verifyOptions.crossCheck;
  if (!options.openSearch || !needsSearch) {
    c.verdict = verify(c.file->kernel, verifyOptions);
    needsSearch = !c.verdict.verified;
  }
  if (options.openSearch && needsSearch) {
    verifyOptions.search = options.openSearch(&failure);
    if (!verifyOptions.search) {
      return false;
    }
    c.verdict = verify(c.file->kernel, verifyOptions);
  }
  Diagnostics diagnostics =
      diagnose(*c.file, c.path, c.verdict, options.verify.width, most);
  c.diagnostics = std::move(diagnostics.list);
  c.leftOut = diagnostics.leftOut;
  if (options.suggest && !c.diagnostics.empty() && !c.verdict.tooLarge) {
    // A few candidates are verified; together they may read no more.
    verifyOptions.readable = c.verdict.readable / 8;
    if (auto s = suggest(c.file->kernel, c.verdict, verifyOptions)) {
      addSuggestion(c.diagnostics.front(), *s);
    }
  }
  c.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return true;
}

std::vector<Checked> checkKernels(tile::KernelFiles files,
                                  const std::string &path,
                                  const CheckOptions &options,
                                  const proofs::CertificateFile *stored,
                                  std::string &failure) {
  std::vector<Checked> all;
  for (auto &file : files) {
    Checked &c = all.emplace_back();
    c.path = path;
    c.file = std::move(file);
  }
  VerifyOptions verifyOptions = options.verify;
  verifyOptions.certificates = stored;
  size_t most = maxDiagnostics;
  for (Checked &c : all) {
    // Of each kernel that is not VERIFIED it is said why.
    if (!verifyWith(options, verifyOptions, std::max<size_t>(most, 1), c,
                    failure)) {
      return all;
    }
    most -= std::min(most, c.diagnostics.size());
    verifyOptions.factUnits = c.verdict.factUnits;
    verifyOptions.readable = c.verdict.readable;
  }
  return all;
}

std::vector<Checked> checkFile(mlir::MLIRContext &context,
                               const std::string &path,
                               const CheckOptions &options,
                               llvm::raw_ostream &errors,
                               std::string &failure) {
  auto start = std::chrono::steady_clock::now();
  tile::KernelFiles files = tile::readKernelFiles(context, path, errors);
  std::vector<Checked> all(1);
  all.front().path = path;
  if (files.empty()) {
    return all;
  }
  std::optional<proofs::CertificateFile> stored;
  if (options.stored && path != "-") {
    failure = readCertificates(path, stored);
  }
  if (!failure.empty()) {
    all.front().file = std::move(files.front());
    return all;
  }
  std::chrono::duration<double> reading =
      std::chrono::steady_clock::now() - start;
  all = checkKernels(std::move(files), path, options,
                     stored ? &*stored : nullptr, failure);
  all.front().seconds += reading.count();
  return all;
}

proofs::CertificateFile certificateFile(llvm::ArrayRef<Checked> kernels) {
  proofs::CertificateFile all;
  for (const Checked &c : kernels) {
    proofs::CertificateFile one = certificateFile(c.verdict);
    llvm::append_range(all.models, one.models);
    all.byHash.merge(one.byHash);
  }
  return all;
}

std::string difference(const Verdict &stored, const Verdict &searched) {
  for (size_t i = 0; i < stored.vcs.size(); ++i) {
    bool before = stored.findings[i].status == Status::Proved;
    if (before != (searched.findings[i].status == Status::Proved)) {
      const proofs::Obligation &o = stored.vcs[i].obligation;
      return "obligation " + std::to_string(i) + ", " + o.label + " [" +
             o.rule + "], is proved " +
             (before ? "by its stored certificate only"
                     : "by a search only: its certificate is missing or stale");
    }
  }
  if (stored.kind != searched.kind) {
    return std::string("the stored certificates say ") +
           verdictName(stored.kind) + ", a search says " +
           verdictName(searched.kind);
  }
  return "";
}

} // namespace girih::checker
