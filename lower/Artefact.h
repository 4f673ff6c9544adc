// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder that appears whole or not at all.

#ifndef GIRIH_LOWER_ARTEFACT_H
#define GIRIH_LOWER_ARTEFACT_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace girih::lower {

/// A folder beside its final place, removed unless it was published.
class NewFolder {
public:
  explicit NewFolder(std::string destination);
  ~NewFolder();
  NewFolder(const NewFolder &) = delete;
  NewFolder &operator=(const NewFolder &) = delete;

  /// Why there is no folder, or nothing. Every member gives an error this way.
  std::optional<std::string> open();
  std::string path(llvm::StringRef file) const;
  /// A folder within, empty as yet.
  std::optional<std::string> makeFolder(llvm::StringRef name);
  std::optional<std::string> write(llvm::StringRef file, llvm::StringRef bytes);
  /// Puts the folder at its place, in one step in place of an artefact that
  /// was there. Any other folder with content is left alone.
  std::optional<std::string> publish();

private:
  std::string destination, temporary;
};

} // namespace girih::lower

#endif // GIRIH_LOWER_ARTEFACT_H
