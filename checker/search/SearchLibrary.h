// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens the search library when it is first needed. A tool that only replays
// certificates never opens it, and no tool links Z3.

#ifndef GIRIH_CHECKER_SEARCH_SEARCHLIBRARY_H
#define GIRIH_CHECKER_SEARCH_SEARCHLIBRARY_H

#include "checker/search/Search.h"

namespace girih::checker {

/// The search, opened on the first call; the library is looked for in
/// `../lib` and beside the tool or library that asks. Null when it cannot be
/// opened, with the reason in `error`. May be called from several threads.
const search::Api *openSearch(std::string *error = nullptr);

} // namespace girih::checker

#endif // GIRIH_CHECKER_SEARCH_SEARCHLIBRARY_H
