// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fuzz/campaign/Replay.h"

namespace girih::fuzz {

bool replays(tile::KernelOp kernel, const checker::Counterexample &c,
             unsigned width) {
  exec::Options o;
  o.symbols.insert(c.symbols.begin(), c.symbols.end());
  o.contents = c.contents;
  o.blocks = c.blocks;
  o.indexWidth = width;
  o.values = false;
  o.maxFaults = 64;
  o.maxResultElements = 0;
  exec::Result r = exec::run(kernel, o);
  return r.contractError.empty() &&
         llvm::any_of(r.faults, [&](const exec::Fault &f) {
           return f.rule == c.fault.rule;
         });
}

} // namespace girih::fuzz
