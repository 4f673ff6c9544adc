// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tools of other people that the tests compare with.

#ifndef GIRIH_TESTS_UNIT_TILEIR_TOOLS_H
#define GIRIH_TESTS_UNIT_TILEIR_TOOLS_H

#include "lower/tileir/Writer.h"

#include <string>

namespace girih::tileir {

/// The disassembler beside the assembler; empty when there is none.
std::string disassembler();

/// The text of a module, or the disassembler's error.
std::string disassemble(const Bytes &bytecode, const std::string &options = "");

} // namespace girih::tileir

#endif // GIRIH_TESTS_UNIT_TILEIR_TOOLS_H
