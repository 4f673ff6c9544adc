// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/Readback.h"

#include "lower/readback/Gate.h"

namespace girih::lower {

std::optional<std::string> readBack(const checker::VerifiedKernel &verified,
                                    const tileir::Lowered &lowered,
                                    const tileir::Bytes &bytecode) {
  std::vector<readback::Entry> entries;
  for (const tileir::Plan &plan : lowered.plans) {
    entries.push_back({plan.entry, plan.when});
  }
  std::vector<readback::Parameter> parameters;
  for (const tileir::Parameter &p : lowered.parameters) {
    parameters.push_back(p.kind == tileir::Parameter::Kind::Integer
                             ? readback::Parameter{std::nullopt, p.value}
                             : readback::Parameter{p.argument, {}});
  }
  auto different =
      readback::mismatch(bytecode, verified.kernel(), entries, parameters);
  if (!different) {
    return std::nullopt;
  }
  return "the bytecode is not that of the verified kernel: " + *different;
}

} // namespace girih::lower
