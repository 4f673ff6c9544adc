// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What goes into the libraries and what they say about it: the text of
/// kernels, places in it, diagnostics. Plain data.

#ifndef GIRIH_SOURCE_H
#define GIRIH_SOURCE_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// Marks what the shared libraries export.
#define GIRIH_EXPORT __attribute__((visibility("default")))

namespace girih {

/// The version of the library that is loaded: "0.1".
GIRIH_EXPORT const char *version();

/// A kernel file: its path, or its text with a name for diagnostics. It holds
/// one kernel, or the kernels of a `tile.variants` list; at most 1 MiB.
struct Source {
  /// The path; or what diagnostics call the text.
  std::string name;
  /// The text; nothing to read it from the path.
  std::optional<std::string> text;

  /// The file at a path.
  static Source file(std::string path) {
    return {std::move(path), std::nullopt};
  }
  /// A text in memory.
  static Source of(std::string text, std::string name = "kernel.mlir") {
    return {std::move(name), std::move(text)};
  }
};

/// A place in a source. Numbers start at 1; 0 says that the place is unknown.
struct SourceRange {
  unsigned line = 0;   ///< the first line
  unsigned column = 0; ///< of that line, in bytes
  /// How many bytes of the line are meant; 0 for a point.
  unsigned columns = 0;
};

/// A place in what the text was made from, as `loc` in it says: C++ for kernels
/// of `girih/kernel.h`.
struct Origin {
  std::string file;    ///< by the name that the text has
  unsigned line = 0;   ///< from 1
  unsigned column = 0; ///< from 1, in bytes; 0 for the whole line
  /// The line, where the file can be read and is not newer than the text.
  std::optional<std::string> text;
};

/// A sentence that belongs to a diagnostic.
struct Note {
  /// `counterexample`, `because`, `residual`, `bound`, `help`, `rule` or
  /// `replay`; empty for notes of the reader.
  std::string kind;
  std::string text; ///< the sentence
};

/// What is wrong with a kernel, and where.
struct Diagnostic {
  /// A kernel with errors is malformed or REFUTED; warnings tell what stayed
  /// open.
  enum class Severity { Error, Warning };
  Severity severity = Severity::Error; ///< how bad it is
  /// The rule that is broken, by its name in spec/Rules.def such as
  /// `claim.disjoint`; empty for what the reader says.
  std::string rule;
  std::string message;              ///< one sentence
  SourceRange at;                   ///< what to underline
  std::optional<SourceRange> other; ///< the second place of a clash
  std::vector<Note> notes;          ///< in the order in which to show them
  /// The place of `at` in what the text was made from, if it says so.
  std::optional<Origin> origin;
  std::optional<Origin> otherOrigin; ///< that of `other`
};

} // namespace girih

#endif // GIRIH_SOURCE_H
