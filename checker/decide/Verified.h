// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is lowered is what was judged. A kernel in memory can change between the
// two; a text with a digest cannot without being noticed. So the text is taken
// before the first obligation is generated, a verdict names it, and whoever
// goes on from the verdict reads it anew, each for himself.

#ifndef GIRIH_CHECKER_DECIDE_VERIFIED_H
#define GIRIH_CHECKER_DECIDE_VERIFIED_H

#include "ir/ops/Tile.h"
#include "proofs/Certificate.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>
#include <variant>
#include <vector>

namespace girih::checker {

/// SHA-256 in lower-case hexadecimal.
std::string sha256(llvm::StringRef bytes);

/// A kernel as text, in a module of its own, and where its ops were written.
struct SealedText {
  explicit SealedText(tile::KernelOp kernel);

  std::string text;   ///< without locations
  std::string digest; ///< SHA-256 of the text
  /// Of ops and the arguments of their regions, in the order of the text. They
  /// mean nothing to the kernel and are no part of the digest.
  std::vector<mlir::Location> places;
};

/// What the judge accepted, by the hash of the obligation.
struct JudgedObligation {
  std::string hash;
  proofs::Certificate certificate;
};

/// A kernel that was read from a text, with its module.
struct OpenedKernel {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  tile::KernelOp kernel() const {
    return mlir::cast<tile::KernelOp>(module.get().getBody()->front());
  }
};

/// A kernel that was proved: its text, and all that was judged of it. Only
/// `verify` makes one; lowering takes nothing else.
class VerifiedKernel {
public:
  const std::string &digest() const { return sealed.digest; }
  const std::string &text() const { return sealed.text; }
  const std::vector<JudgedObligation> &judged() const { return obligations; }

  /// The kernel, read from the text; or why this is not the text that was
  /// judged. Each call gives a kernel of its own.
  std::variant<OpenedKernel, std::string> open() const;

  /// Generates the obligations of the kernel and asks the judge once more: nothing if
  /// these are the obligations that were judged, and their certificates prove
  /// them; else what differs.
  std::optional<std::string> rejudge(tile::KernelOp kernel) const;

private:
  friend struct Verifier;
  VerifiedKernel(SealedText sealed, std::vector<JudgedObligation> obligations)
      : sealed(std::move(sealed)), obligations(std::move(obligations)) {}

  const SealedText sealed;
  const std::vector<JudgedObligation> obligations;
};

} // namespace girih::checker

#endif // GIRIH_CHECKER_DECIDE_VERIFIED_H
