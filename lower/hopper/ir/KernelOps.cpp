// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/hopper/ir/Hopper.h"
#include "lower/hopper/verify/Verify.h"

using namespace mlir;
using namespace girih::hopper;

#define GET_OP_CLASSES
#include "lower/hopper/ir/KernelOps.cpp.inc"

static ParseResult parseCount(OpAsmParser &parser, OperationState &state,
                              llvm::StringRef name) {
  int64_t count = 0;
  if (parser.parseKeyword(name) || parser.parseInteger(count)) {
    return failure();
  }
  state.addAttribute(name, parser.getBuilder().getI64IntegerAttr(count));
  return success();
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &state) {
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments;
  if (parser.parseSymbolName(name, "sym_name", state.attributes) ||
      parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren,
                               /*allowType=*/true) ||
      parseCount(parser, state, "warps") ||
      parseCount(parser, state, "registers") ||
      parser.parseRegion(*state.addRegion(), arguments)) {
    return failure();
  }
  ensureTerminator(*state.regions.front(), parser.getBuilder(), state.location);
  return success();
}

void KernelOp::print(OpAsmPrinter &p) {
  p << ' ';
  p.printSymbolName(getSymName());
  p << '(';
  llvm::interleaveComma(getBody().getArguments(), p,
                        [&](BlockArgument a) { p.printRegionArgument(a); });
  p << ") warps " << getWarps() << " registers " << getRegisters() << ' ';
  p.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                /*printBlockTerminators=*/false);
}

LogicalResult KernelOp::verify() {
  for (BlockArgument a : getBody().getArguments()) {
    if (!isa<GlobalType>(a.getType()) && !a.getType().isInteger(32) &&
        !a.getType().isInteger(64) && !a.getType().isF32()) {
      return emitOpError("argument ")
             << a.getArgNumber() << " is global memory, i32, i64 or f32, not "
             << a.getType();
    }
  }
  return success();
}

LogicalResult KernelOp::verifyRegions() { return verifyKernel(*this); }
