// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the dialects LLVM and NVVM to PTX, by LLVM in this process.

#ifndef GIRIH_LOWER_HOPPER_NVVM_PTX_H
#define GIRIH_LOWER_HOPPER_NVVM_PTX_H

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <variant>

namespace girih::hopper {

struct Ptx {
  std::string text;
};

/// The PTX of a lowered module, for sm_90; the string says what failed.
std::variant<Ptx, std::string> emitPtx(mlir::ModuleOp module);

} // namespace girih::hopper

#endif // GIRIH_LOWER_HOPPER_NVVM_PTX_H
