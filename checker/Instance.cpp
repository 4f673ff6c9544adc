// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/Instance.h"
#include "proofs/CoqPrinter.h"
#include "spec/coq/KernelPrinter.h"

namespace girih::checker {

static const char header[] = "From Coq Require Import ZArith String List.\n"
                             "From Girih Require Import Sound.\n"
                             "Import ListNotations.\n"
                             "Open Scope string_scope.\n"
                             "Open Scope Z_scope.\n\n";

/// What proofs/theory/Sound.v says of a kernel whose certificates Coq accepts.
/// The cast has the judge run once, at the `Qed`.
static std::string theorem(const std::string &name, Width width) {
  std::string bits = std::to_string(width.bits) + "%Z";
  std::string kernel = name + "_kernel", all = name + "_certificates";
  return "\nTheorem " + name + "_correct : correct " + bits + " " + kernel +
         ".\nProof.\n  apply (verified " + bits + " " + kernel + " " + all +
         ").\n  vm_cast_no_check (eq_refl true).\nQed.\nPrint Assumptions " +
         name + "_correct.\n";
}

std::string withoutInstance(tile::KernelOp kernel) {
  return coq::unmechanised(kernel);
}

std::string coqInstance(tile::KernelOp kernel, const Verdict &v, Width width) {
  std::string name = kernel.getSymName().str();
  std::vector<proofs::Certificate> certificates(v.owed.size());
  for (size_t i = 0; i < v.findings.size(); ++i) {
    if (v.findings[i].certificate) {
      certificates[i] = *v.findings[i].certificate;
    }
  }
  return header + ("Definition " + name + "_kernel : kernel :=\n  ") +
         coq::printKernel(kernel) + ".\n\nOpen Scope N_scope.\n" +
         proofs::coqCertificates(name + "_certificates", certificates) +
         theorem(name, width);
}

} // namespace girih::checker
