// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a schedule takes over from a kernel op by op: arithmetic in f32 on
// elements of which a thread has its own, and what moves them.

#ifndef GIRIH_LOWER_HOPPER_SCHEDULE_ELEMENTWISE_H
#define GIRIH_LOWER_HOPPER_SCHEDULE_ELEMENTWISE_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <string>

namespace girih::hopper {

/// Why the op is none of them; nothing: it is. Shapes are the schedule's
/// business.
std::string whyNotElementwise(mlir::Operation *op);

/// The op on these operands, with a result of this type.
mlir::Value rebuilt(mlir::ImplicitLocOpBuilder &b, mlir::Operation *op,
                    mlir::ValueRange operands, mlir::Type type);

} // namespace girih::hopper

#endif // GIRIH_LOWER_HOPPER_SCHEDULE_ELEMENTWISE_H
