// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect class.

#ifndef GIRIH_IR_TYPES_DIALECT_H
#define GIRIH_IR_TYPES_DIALECT_H

#include "mlir/IR/Dialect.h"

#include "ir/types/Dialect.h.inc"

#endif // GIRIH_IR_TYPES_DIALECT_H
