// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a path to a verdict: reads the kernel and the certificates beside it,
// judges, searches for what they leave open. The one way in which tools do it.

#ifndef GIRIH_CHECKER_CHECKFILE_H
#define GIRIH_CHECKER_CHECKFILE_H

#include "checker/report/Output.h"

namespace girih::checker {

struct CheckOptions {
  /// `certificates` and `search` are filled in.
  VerifyOptions verify;
  /// Whether the certificates beside the kernel are read.
  bool stored = true;
  /// Whether a launch condition is looked for under which a kernel that is not
  /// VERIFIED would be.
  bool suggest = false;
  /// Opens the search, as SearchLibrary.h does; only called when the stored
  /// certificates do not prove the kernel. Null: no search.
  const search::Api *(*openSearch)(std::string *error) = nullptr;
};

/// NAME.cert beside NAME.mlir.
std::string certificatePath(llvm::StringRef kernel);

/// The certificates beside a kernel, when there are any; or why they cannot be
/// read.
std::string readCertificates(llvm::StringRef kernel,
                             std::optional<proofs::CertificateFile> &out);

/// Checks kernels that were read, at least one, with certificates for them or
/// null. Where there is no search library `failure` says so.
std::vector<Checked> checkKernels(tile::KernelFiles files,
                                  const std::string &path,
                                  const CheckOptions &options,
                                  const proofs::CertificateFile *stored,
                                  std::string &failure);

/// Checks the kernels of one file, in the order of its list. A malformed file
/// is printed to `errors` and gives one whose `file` is null; `failure` says
/// what else kept them from being checked: certificates that do not parse, no
/// search library.
std::vector<Checked> checkFile(mlir::MLIRContext &context,
                               const std::string &path,
                               const CheckOptions &options,
                               llvm::raw_ostream &errors, std::string &failure);

/// The certificates and models of all kernels of a file, as they are stored.
proofs::CertificateFile certificateFile(llvm::ArrayRef<Checked> kernels);

/// Where the verdict of the stored certificates of a kernel and that of a
/// search from nothing differ; empty when they agree.
std::string difference(const Verdict &stored, const Verdict &searched);

} // namespace girih::checker

#endif // GIRIH_CHECKER_CHECKFILE_H
