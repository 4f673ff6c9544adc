// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/report/Instance.h"
#include "checker/generate/Generate.h"
#include "proofs/CoqPrinter.h"
#include "spec/coq/KernelPrinter.h"

namespace girih::checker {

using Model = std::vector<std::pair<std::string, int64_t>>;

static const char header[] = "From Coq Require Import ZArith String List.\n"
                             "From Girih Require Import Sound.\n"
                             "Import ListNotations.\n"
                             "Open Scope string_scope.\n"
                             "Open Scope Z_scope.\n\n";

/// `name_what : what bits name_kernel`, which `lemma` concludes of the kernel
/// and `from` where a computation gives true: the cast has it run once, at the
/// `Qed`.
static std::string theorem(const std::string &name, const std::string &what,
                           Width width, const std::string &lemma,
                           const std::string &from) {
  std::string of = std::to_string(width.bits) + "%Z " + name + "_kernel";
  return "\nTheorem " + name + "_" + what + " : " + what + " " + of +
         ".\nProof.\n  apply (" + lemma + " " + of + " " + from +
         ").\n  vm_cast_no_check (eq_refl true).\nQed.\nPrint Assumptions " +
         name + "_" + what + ".\n";
}

/// The values of symbols in a launch, as a term.
static std::string launchTerm(const Model &model) {
  std::string text;
  for (const auto &[symbol, value] : model) {
    text += (text.empty() ? "(\"" : "; (\"") + symbol + "\"%string, (" +
            std::to_string(value) + ")%Z)";
  }
  return "[" + text + "]";
}

std::string withoutInstance(tile::KernelOp kernel) {
  std::string missing = coq::unmechanised(kernel);
  if (missing.empty() && comparesClasses(kernel)) {
    missing = "it has more than 64 claims of one tensor";
  }
  return missing.empty() ? generate(kernel, Width()).beyondTheory : missing;
}

std::string coqInstance(tile::KernelOp kernel, const Verdict &v, Width width) {
  std::string name = kernel.getSymName().str();
  std::vector<proofs::Certificate> certificates(v.vcs.size());
  for (size_t i = 0; i < v.findings.size(); ++i) {
    if (v.findings[i].certificate) {
      certificates[i] = *v.findings[i].certificate;
    }
  }
  std::string satisfied;
  if (v.model) {
    satisfied = theorem(name, "satisfiable", width, "launch_found",
                        launchTerm(*v.model));
  }
  return header + ("Definition " + name + "_kernel : kernel :=\n  ") +
         *coq::printKernel(kernel) + ".\n\nOpen Scope N_scope.\n" +
         proofs::coqCertificates(name + "_certificates", certificates) +
         theorem(name, "correct", width, "verified", name + "_certificates") +
         satisfied;
}

} // namespace girih::checker
