// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launcher: the C++ header through which a program calls a kernel, with one
// typed function whose parameters are the kernel's arguments by mode.

#ifndef GIRIH_LOWER_LAUNCHER_H
#define GIRIH_LOWER_LAUNCHER_H

#include "lower/Compile.h"

namespace girih::lower {

/// The text of the header of an artefact, `name` as `artefactName` gives it:
/// `kernels::NAME`, a function object over runtime/execution. A list of kernels
/// has one signature and gives one function.
std::string launcherText(const std::string &name, llvm::ArrayRef<Work> kernels);

/// `name` as an identifier of C++ that is not in `taken`, which it joins.
std::string cppName(llvm::StringRef name, std::set<std::string> &taken);

} // namespace girih::lower

#endif // GIRIH_LOWER_LAUNCHER_H
