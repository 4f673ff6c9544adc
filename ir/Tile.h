// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole dialect in one include: types, attributes, ops.

#ifndef GIRIH_IR_TILE_H
#define GIRIH_IR_TILE_H

#include "ir/Attrs.h"
#include "ir/Dialect.h"
#include "ir/Ops.h"
#include "ir/Types.h"
#include "ir/Views.h"

#endif // GIRIH_IR_TILE_H
