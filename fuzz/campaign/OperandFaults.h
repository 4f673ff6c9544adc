// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A broken emitter, systematically: every op of a Tile IR module that touches
// memory, or says where, in which order or how often, with each operand and
// attribute wrong in several ways, one at a time. Whatever looks at a module
// before it is assembled has to tell them apart from the module.

#ifndef GIRIH_FUZZ_CAMPAIGN_OPERANDFAULTS_H
#define GIRIH_FUZZ_CAMPAIGN_OPERANDFAULTS_H

#include "lower/tileir/Module.h"

#include <functional>
#include <string>

namespace girih::fuzz {

struct OperandFault {
  std::string op;   ///< its mnemonic
  std::string part; ///< operand or attribute, or "type" of the result
  std::string kind; ///< what was put in its place
  size_t at = 0;    ///< number of the op in the function, in program order

  std::string text() const {
    return op + " " + std::to_string(at) + ", " + part + ": " + kind;
  }
};

/// Calls `visit` with each fault and the module that has it, in the function of
/// that number; `choose` says beforehand which are made.
void forEachOperandFault(
    const tileir::Module &module, size_t function,
    const std::function<bool(const OperandFault &)> &choose,
    const std::function<void(const OperandFault &, const tileir::Module &)>
        &visit);

/// Why a fault in a kernel may pass whoever looks for what a proof rests on; or
/// null. Of tokens that is asked of the function that has the fault.
const char *whyHarmless(const OperandFault &fault, const std::string &kernel,
                        const tileir::Function &broken);

/// Whether such faults are made in an op.
bool hasOperandFaults(const std::string &mnemonic);

} // namespace girih::fuzz

#endif // GIRIH_FUZZ_CAMPAIGN_OPERANDFAULTS_H
