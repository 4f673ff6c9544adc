// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole dialect in one include: types, attributes, ops.

#ifndef GIRIH_IR_OPS_TILE_H
#define GIRIH_IR_OPS_TILE_H

#include "ir/ops/Ops.h"
#include "ir/ops/Views.h"
#include "ir/types/Attrs.h"
#include "ir/types/Dialect.h"
#include "ir/types/Types.h"

#endif // GIRIH_IR_OPS_TILE_H
