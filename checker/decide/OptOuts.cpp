// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/decide/OptOuts.h"
#include "ir/types/Diagnose.h"

namespace girih::checker {

std::vector<OptOut> optOutsOf(tile::KernelOp kernel) {
  std::vector<OptOut> out;
  for (tile::GivenAttr given : kernel.getGivenFacts()) {
    if (given.getAssumed()) {
      out.push_back(
          {"given", given.str(kernel.getArgText(given.getTensor())), kernel});
    }
  }
  for (mlir::BlockArgument arg : kernel.getArguments()) {
    auto type = mlir::dyn_cast<tile::TileTensorType>(arg.getType());
    if (type && type.getMode() == tile::Mode::Raw) {
      out.push_back(
          {"raw",
           "blocks may race on %" + kernel.getArgName(arg.getArgNumber()).str(),
           kernel});
    }
  }
  kernel->walk<mlir::WalkOrder::PreOrder>([&](tile::TrustOp op) {
    out.push_back({"trust",
                   op.getText().value_or("a condition without a text").str(),
                   op});
  });
  return out;
}

std::string optOutText(const OptOut &o) {
  return o.form + ": " + o.text + " (" + tile::locationText(o.op->getLoc()) +
         ")";
}

} // namespace girih::checker
