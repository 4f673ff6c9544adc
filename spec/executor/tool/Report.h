// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Faults as diagnostics: a caret under what is to blame, then notes.

#ifndef GIRIH_SPEC_EXECUTOR_TOOL_REPORT_H
#define GIRIH_SPEC_EXECUTOR_TOOL_REPORT_H

#include "ir/text/Reader.h"
#include "spec/executor/Executor.h"
#include "spec/executor/launch/Launch.h"

namespace girih::exec {

/// What to underline: the operand, the tensor for coverage, or the op.
llvm::SMRange faultRange(const tile::KernelFile &file, const Fault &fault);

/// Prints a fault of the kernel in `file`.
void reportFault(const tile::KernelFile &file, const Fault &fault,
                 llvm::raw_ostream &stream);

/// Prints why a launch was refused.
void reportRefusal(const tile::KernelFile &file, const std::string &why,
                   llvm::raw_ostream &stream);

} // namespace girih::exec

#endif // GIRIH_SPEC_EXECUTOR_TOOL_REPORT_H
