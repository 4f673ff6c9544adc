// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether an artefact is what its kernel compiles to, without its author: each
// certificate is judged again, and manifest and cubins are made again from the
// kernel's text and compared.

#ifndef GIRIH_LOWER_AUDIT_H
#define GIRIH_LOWER_AUDIT_H

#include "lower/Compile.h"

namespace girih::lower {

struct AuditSettings {
  /// Assembler, cache and validators; no targets, which the artefact names.
  CompileSettings compile;
  bool allowTrust = false; ///< of a kernel that rests on opt-outs
};

/// What was found to agree.
struct Audit {
  std::string name;
  size_t obligations = 0; ///< whose certificates were judged
  size_t cubins = 0;      ///< that were made again
  /// Why the cubins were not, if they were not.
  std::string cubinsLeftOut;
};

/// Audits the artefact in a folder. `Refused` where something is not what the
/// kernel gives; `File` and `Malformed` where it cannot be read.
Expected<Audit> auditArtefact(const std::string &folder,
                              const AuditSettings &settings);

} // namespace girih::lower

#endif // GIRIH_LOWER_AUDIT_H
