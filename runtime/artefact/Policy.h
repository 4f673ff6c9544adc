// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whose artefacts are loaded. The seal of a manifest is a digest, which anybody
// can make anew after an edit; a signature only the owner of the key can.

#ifndef GIRIH_RUNTIME_ARTEFACT_POLICY_H
#define GIRIH_RUNTIME_ARTEFACT_POLICY_H

#include "runtime/artefact/Manifest.h"

#include <map>
#include <optional>

namespace girih::runtime {

/// Artefacts are signed by one of the keys.
struct Policy {
  /// Public keys as 64 hex digits, and what they are called.
  std::map<std::string, std::string> keys;
  /// Whether a kernel may rest on opt-outs and on what is assumed.
  bool allowsOptOuts = true;
};

/// Reads a policy file (spec/formats.md).
Expected<Policy> readPolicy(const std::string &path);

/// Adds the key in a file: PEM, or 64 hex digits.
std::optional<Error> addKey(Policy &policy, const std::string &path);

/// Why a policy refuses the artefact in a folder, whose manifest has this text
/// and says this; nothing where it does not.
std::optional<Error> refuseByPolicy(const Policy &policy,
                                    const std::string &folder,
                                    std::string_view text,
                                    const Manifest &manifest);

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_ARTEFACT_POLICY_H
