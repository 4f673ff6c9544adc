// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/Readback.h"

#include "lower/readback/Gate.h"

namespace girih::lower {

std::variant<Gate, std::string>
Gate::open(const checker::VerifiedKernel &verified) {
  auto opened = verified.open();
  if (auto *why = std::get_if<std::string>(&opened)) {
    return *why;
  }
  return Gate(std::get<checker::OpenedKernel>(std::move(opened)));
}

std::optional<std::string> Gate::differs(const tileir::Lowered &lowered,
                                         const tileir::Bytes &bytecode,
                                         unsigned minor) const {
  std::vector<readback::Entry> entries;
  for (const tileir::EntryPlan &plan : lowered.plans) {
    entries.push_back(
        {plan.entry, plan.when, plan.required, lowered.waitsIn(minor)});
  }
  std::vector<readback::Parameter> parameters;
  for (const tileir::Parameter &p : lowered.parameters) {
    parameters.push_back(p.kind == tileir::Parameter::Kind::Integer
                             ? readback::Parameter{std::nullopt, p.value}
                             : readback::Parameter{p.argument, {}});
  }
  return readback::mismatch(bytecode, kernel(), entries, parameters);
}

std::optional<std::string> readBack(const checker::VerifiedKernel &verified,
                                    const tileir::Lowered &lowered,
                                    const tileir::Bytes &bytecode,
                                    unsigned minor) {
  auto gate = Gate::open(verified);
  if (auto *why = std::get_if<std::string>(&gate)) {
    return *why;
  }
  const Gate &opened = std::get<Gate>(gate);
  if (auto different = opened.differs(lowered, bytecode, minor)) {
    return "the bytecode is not that of the verified kernel: " + *different;
  }
  if (auto why = verified.rejudge(opened.kernel())) {
    return "what was judged is not what is compiled: " + *why;
  }
  return std::nullopt;
}

} // namespace girih::lower
