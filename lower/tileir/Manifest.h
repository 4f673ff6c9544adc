// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The texts of an artefact. spec/schemas/manifest.schema.json and
// proof.schema.json say what they hold.

#ifndef GIRIH_LOWER_TILEIR_MANIFEST_H
#define GIRIH_LOWER_TILEIR_MANIFEST_H

#include "lower/tileir/Lower.h"

#include <map>

namespace girih::tileir {

/// A file of the artefact.
struct ArtefactFile {
  std::string name;
  std::string sha256;
};

/// How a block is launched, where the cubin does not say it itself.
struct LaunchRecipe {
  int64_t threads = 1;
  int64_t sharedBytes = 0; ///< dynamic
  /// Arguments that a block reads before its dependency wait: a launch behind a
  /// programmatic edge warrants that no grid writes them that may still run.
  std::vector<std::string> early;
  /// Each block waits for the grids before it before it touches anything else:
  /// it may be launched behind a programmatic edge.
  bool waits = false;
};

/// What manifest.json says of a kernel besides what the kernel says.
struct ManifestInputs {
  /// For which launches of a list the kernel is.
  llvm::ArrayRef<tile::ComparisonAttr> when;
  std::vector<std::pair<std::string, ArtefactFile>> cubins; ///< by target
  std::map<std::string, LaunchRecipe> launches; ///< by target, if it has one
  ArtefactFile proof;
  /// What looks up a given fact on the device: a folder within the artefact and
  /// the digest of its manifest; by the folder's name.
  std::map<std::string, std::string> validators;
};

/// The shipped kernel that looks a fact up on the device, or "" where none
/// does.
std::string validatorOf(tile::KernelOp kernel, tile::GivenAttr given);

/// One kernel of an artefact.
struct VariantInputs {
  const checker::VerifiedKernel &verified;
  /// What `verified` opens to, for the manifest alone.
  tile::KernelOp kernel;
  const Lowered &lowered;
  ManifestInputs inputs;
};

/// The text of manifest.json, sealed: kernels of one signature in the order in
/// which a launch tries them.
std::string manifestText(llvm::StringRef name, llvm::StringRef producer,
                         llvm::ArrayRef<VariantInputs> kernels);

/// The text of proof.json: the text that was judged with its digest, and every
/// obligation with the certificate that was accepted.
std::string proofText(const checker::Verdict &verdict);

} // namespace girih::tileir

#endif // GIRIH_LOWER_TILEIR_MANIFEST_H
