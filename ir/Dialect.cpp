// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers what the other files define.

#include "ir/Tile.h"

#include "ir/Dialect.cpp.inc"

using namespace girih::tile;

void TileDialect::initialize() {
  registerTypes();
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "ir/KernelOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ir/MapOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ir/MemoryOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ir/ValueOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ir/ViewOps.cpp.inc"
      >();
}
