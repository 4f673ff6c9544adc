// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programmatic dependent launch: a block may run while grids before it still
// do. Until its `griddepcontrol.wait` a thread sees only what none of them
// writes, and writes nothing.

#include "lower/ptx/Access.h"

#include <algorithm>

namespace girih::ptx {

std::optional<Error> checkDependency(Evaluator &e, const Accesses &all) {
  const std::vector<Instruction> &code = e.flow.entry().instructions;
  const auto &early = e.symbols.expected.early;
  std::vector<size_t> waits;
  for (size_t i = 0; i < code.size(); ++i) {
    if (code[i].root != "griddepcontrol") {
      continue;
    }
    if (!early || code[i].suffix.size() != 1) {
      return at(code[i], "a launch that begins after all before it are done");
    }
    if (code[i].has("wait") && code[i].guard.empty()) {
      waits.push_back(i);
    }
  }
  if (!early) {
    return std::nullopt;
  }
  // Each thread waits for itself.
  for (const Access &a : all.global) {
    if (a.isPrefetch) {
      continue;
    }
    const std::string &name = e.symbols.expected.tensors[*a.tensor].name;
    bool isEarly =
        std::find(early->begin(), early->end(), *a.tensor) != early->end();
    bool hasWaited = std::any_of(waits.begin(), waits.end(), [&](size_t w) {
      return e.flow.precedes(w, a.instruction);
    });
    if (!hasWaited && (!isEarly || a.mode != Mode::Read)) {
      return at(code[a.instruction],
                "'" + name + "' is " +
                    (a.mode == Mode::Read ? "read" : "written") +
                    " before the grids before this one are known to be done");
    }
  }
  // The grid behind waits for this one alone: it ends when all before it have.
  for (const Instruction &i : code) {
    bool allWait = std::any_of(waits.begin(), waits.end(), [&](size_t w) {
      return e.flow.postDominates(e.flow.blockOf(w), 0);
    });
    if (i.has("launch_dependents") && !allWait) {
      return at(i, "not every thread waits for the grids before this one");
    }
  }
  return std::nullopt;
}

} // namespace girih::ptx
