// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a kernel with helpers and maps to the kernel that it means: calls and
// applications become the ops of their bodies, and what an application has to prove
// becomes conditions to prove. Executor, checker, printer and lowering see
// elaborated kernels only.

#ifndef GIRIH_IR_TEXT_ELABORATE_H
#define GIRIH_IR_TEXT_ELABORATE_H

#include "ir/text/Helpers.h"

#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/DenseMap.h"

namespace girih::tile {

/// The most ops that a kernel has once it is elaborated: helpers that call
/// helpers can ask for exponentially many.
inline constexpr size_t maxElaborated = 1 << 16;

struct Elaborated {
  mlir::OwningOpRef<mlir::ModuleOp> module; ///< the kernel and nothing else
  /// Where each of its ops is written: itself as it was read, or the call or
  /// application that it is a part of.
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> written;
};

/// Whether there are helpers, maps or several kernels, or elements below a
/// byte, of which elaborated kernels prove that bytes stay whole.
bool needsElaboration(mlir::ModuleOp source);

/// Elaborates a kernel of a verified file, which stays as it is; fails after
/// saying why.
llvm::FailureOr<Elaborated> elaborate(KernelOp kernel);

} // namespace girih::tile

#endif // GIRIH_IR_TEXT_ELABORATE_H
