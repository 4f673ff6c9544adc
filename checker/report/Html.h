// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text of a kernel on its way into a page. Kernels, names and paths are hostile
// there: nothing of them may become markup.

#ifndef GIRIH_CHECKER_REPORT_HTML_H
#define GIRIH_CHECKER_REPORT_HTML_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace girih::checker {

/// The text as it may stand between tags and in quoted attributes: the five
/// characters of markup as entities, bytes that are no UTF-8, control
/// characters and those that turn the direction of writing as U+FFFD.
std::string escapeHtml(llvm::StringRef text);

} // namespace girih::checker

#endif // GIRIH_CHECKER_REPORT_HTML_H
