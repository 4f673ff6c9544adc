// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An artefact: the folder that tile-compile writes, with a manifest, a proof
// and a cubin an architecture. A cubin is code for this machine as well as for
// the GPU, so nothing of a folder is used before all of it fits together.

#ifndef GIRIH_RUNTIME_ARTEFACT_ARTEFACT_H
#define GIRIH_RUNTIME_ARTEFACT_ARTEFACT_H

#include "runtime/artefact/Policy.h"

#include <functional>
#include <map>
#include <memory>

namespace girih::runtime {

struct Artefact {
  Manifest manifest;
  /// The contents of the cubins, by file name.
  std::map<std::string, std::string> files;
  /// The artefacts within, which look up what is given; by folder.
  std::map<std::string, std::shared_ptr<const Artefact>> validators;
};

/// Reads a folder. Refused: a file that is missing or whose digest is not the
/// manifest's, a manifest that was changed, a proof of another kernel, and what
/// the policy refuses, if there is one.
Expected<Artefact> loadArtefact(const std::string &folder,
                                const Policy *policy = nullptr);

/// A file of an artefact by its path within the folder, or nothing.
using ReadWithin =
    std::function<std::optional<std::string>(const std::string &path)>;

/// The same of files that stand elsewhere than in a folder.
Expected<Artefact> loadArtefact(const ReadWithin &read);

/// The cubin of a variant for an architecture, or which ones there are.
Expected<std::string_view> cubinFor(const Artefact &artefact, size_t variant,
                                    const std::string &architecture);

/// A whole file, or nothing.
std::optional<std::string> readFile(const std::string &path);

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_ARTEFACT_ARTEFACT_H
