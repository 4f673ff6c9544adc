// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers what the other files define.

#include "ir/ops/Tile.h"

#include "ir/types/Dialect.cpp.inc"

using namespace girih::tile;

void TileDialect::initialize() {
  registerTypes();
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "ir/ops/KernelOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ir/ops/LoopOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ir/ops/MapOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ir/ops/MemoryOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ir/ops/ValueOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ir/ops/ViewOps.cpp.inc"
      >();
}
