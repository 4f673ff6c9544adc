// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A verdict as diagnostics: where, what, and the notes that help. One list of
// plain data that every output format prints.

#ifndef GIRIH_CHECKER_REPORT_DIAGNOSE_H
#define GIRIH_CHECKER_REPORT_DIAGNOSE_H

#include "checker/decide/Suggest.h"
#include "ir/text/Reader.h"
#include "ir/types/Sources.h"

namespace girih::checker {

/// A stretch of the source, 1-based; `columns` is 0 when it is a point.
struct SourceRange {
  unsigned line = 0, column = 0, columns = 0;
};

struct Diagnostic {
  enum class Severity { Error, Warning };
  Severity severity = Severity::Error;
  Rule rule{};
  std::string message;
  SourceRange at;
  /// The second place of a clash.
  std::optional<SourceRange> other;
  /// The same two places in what the text was made from, where it says so.
  std::optional<tile::ShownPlace> origin, otherOrigin;
  /// Kind (`counterexample`, `because`, `bound`, `help`, `rule`, `replay`) and
  /// text, in the order in which they are shown.
  std::vector<std::pair<std::string, std::string>> notes;
  size_t obligation = 0;
};

/// What is kept of the diagnostics of a file. A long text may have as many as
/// it has lines, and each repeats facts; nobody reads more.
inline constexpr size_t maxDiagnostics = 1000;

struct Diagnostics {
  std::vector<Diagnostic> list;
  size_t leftOut = 0; ///< how many more there would be
};

/// One diagnostic a fault (the same rule at the same place is told once) and
/// one for a contract without a model; unless the kernel is refuted, one an
/// obligation that stayed open. Where these are more than `most`, the errors
/// come first.
Diagnostics diagnose(const tile::KernelFile &file, llvm::StringRef path,
                     const Verdict &v, Width width,
                     size_t most = maxDiagnostics);

/// Tells under which condition the kernel is VERIFIED.
void addSuggestion(Diagnostic &d, const Suggestion &s);

/// What to do about a kernel that breaks the rule.
const char *ruleHelp(Rule rule);

/// Draws one diagnostic with its source line, caret and underline.
void print(const tile::KernelFile &file, llvm::StringRef path,
           const Diagnostic &d, llvm::raw_ostream &os);

} // namespace girih::checker

#endif // GIRIH_CHECKER_REPORT_DIAGNOSE_H
